//! The memory that moves touch, as linear expressions: rows of blocks on the chip, and windows on global
//! tensors.

use super::scalar::{Linear, State};
use a2lint_ir::transfer::{
    Arithmetic, BlockRows, RowExtents, block_rows as described, gives_global_extents, global_rows,
    stride_of_axis, view_rows,
};
use a2lint_ir::{ArgValue, BinaryOp, GlobalView, Instr, LocalView, ScalarId, View};
use a2lint_isa::{Class, DST, Layout, Walk};

/// The error that a number is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotKnown;

/// The part of a global tensor that an operand can touch.
#[derive(Clone, Debug, PartialEq)]
pub struct GlobalWindow {
    /// For each axis: first index, viewed extent and extent of the tensor; `None` is unknown.
    pub axes: Vec<[Option<Linear>; 3]>,
    /// For each axis: whether the operand stays inside of its view there.
    pub kept: Vec<bool>,
    /// Whether the operand is known to touch every element of the window, with its rows along the axis before the last
    /// one and its columns along the last one.
    pub is_grid: bool,
}

/// Returns the integer argument at an index.
pub(super) fn argument<A: Arithmetic<Fault = NotKnown>>(
    arithmetic: &mut A,
    instr: &Instr,
    index: usize,
) -> Result<Option<A::Number>, NotKnown> {
    match instr.args.get(index).map(|arg| &arg.value) {
        Some(ArgValue::None) => Ok(None),
        Some(&ArgValue::Scalar(id)) => arithmetic.scalar(id).map(Some),
        _ => Err(NotKnown),
    }
}

/// Returns the rows of blocks that a move touches in an on-chip view, with the pitch in place of the gap, or
/// `None` if they are unknown.
pub(super) fn block_rows<A: Arithmetic<Fault = NotKnown>>(
    arithmetic: &mut A,
    (instr, operand): (&Instr, usize),
    view: &LocalView,
) -> Option<BlockRows<A::Number>> {
    let own = |arithmetic: &mut A, view: &LocalView| {
        let [rows, columns] = view.span.map(|extent| arithmetic.scalar(extent));
        Ok([rows?, columns?])
    };
    let global = instr.operands().find_map(|(_, _, view)| view.global());
    let moved = match (global, instr.local(DST)) {
        (Some(global), _) => rows_of(arithmetic, global).map(|rows| [rows.count, rows.length]),
        (None, Some(dst)) => own(arithmetic, dst),
        (None, None) => Err(NotKnown),
    };
    let pitch = arithmetic.scalar(view.shape[1]);
    let rows = described(arithmetic, (instr, operand), view.dtype, moved, pitch);
    let rows = rows.ok()??;
    let pitch = rows.pitch(arithmetic, view.dtype).ok()?;
    Some(BlockRows { gap: pitch, ..rows })
}

fn rows_of<A: Arithmetic<Fault = NotKnown>>(
    arithmetic: &mut A,
    view: &GlobalView,
) -> Result<RowExtents<A::Number>, NotKnown> {
    view_rows(arithmetic, view)?.ok_or(NotKnown)
}

impl Arithmetic for State<'_> {
    type Number = Linear;
    type Fault = NotKnown;

    fn constant(&mut self, value: i64) -> Linear {
        Linear::constant(value)
    }

    fn scalar(&mut self, id: ScalarId) -> Result<Linear, NotKnown> {
        self.number(id).ok_or(NotKnown)
    }

    fn binary(&mut self, op: BinaryOp, a: Linear, b: Linear) -> Result<Linear, NotKnown> {
        State::binary(self, op, Some(a), Some(b)).ok_or(NotKnown)
    }

    fn integer_argument(
        &mut self,
        instr: &Instr,
        index: usize,
    ) -> Result<Option<Linear>, NotKnown> {
        argument(self, instr, index)
    }
}

/// Returns the part of a global tensor that an operand can touch, or `None` for a tensor of unknown rank.
pub(super) fn global_window(
    state: &mut State,
    instr: &Instr,
    operand: usize,
) -> Option<GlobalWindow> {
    let view = instr.view(operand).and_then(View::global)?;
    let last = view.axes.len().checked_sub(1)?;
    let numbers = |axis: &a2lint_ir::GlobalAxis| [axis.start, axis.span, axis.extent];
    let axes = view.axes.iter().map(numbers);
    let own: Vec<[Option<Linear>; 3]> = axes.map(|axis| axis.map(|id| state.number(id))).collect();
    let described = instr.row().param(operand).and_then(|param| param.operand());
    if described.is_some_and(|operand| operand.walk == Walk::First) {
        return Some(GlobalWindow::inside(one_element(&own)));
    }
    let is_move = matches!(instr.row().class, Class::Move | Class::Fixpipe);
    let is_fractal = instr
        .row()
        .global_extents(operand)
        .is_some_and(|extents| extents.layout == Layout::Nz);
    let is_whole = !is_move || !view.sliced;
    if !gives_global_extents(instr, operand)
        && !is_fractal
        && (is_whole || has_contiguous_rows(state, view))
    {
        return Some(GlobalWindow::inside(own));
    }
    let natural = rows_of(state, view);
    let rows = global_rows(state, (instr, operand), natural).ok().flatten();
    let rows = match is_fractal {
        true => rows.and_then(|rows| fractal_rows(state, rows)),
        false => rows,
    };
    let spread = rows.and_then(|rows| spread(state, view, &own, rows, last));
    let known = spread.and_then(|(axes, is_grid)| {
        let is_kept = |(touched, own): (&[Option<Linear>; 3], &[Option<Linear>; 3])| {
            let spans = touched[1].as_ref().zip(own[1].as_ref());
            spans.is_some_and(|(touched, own)| touched == own || state.is_not_above(touched, own))
        };
        let kept: Vec<bool> = axes.iter().zip(&own).map(is_kept).collect();
        // Elements past the end of an inner axis are those at the next index of the axis before it.
        let mut inner = axes.iter().zip(&kept).skip(1);
        let is_window = inner.all(|(axis, &kept)| kept || is_inside(state, axis));
        is_window.then_some(GlobalWindow {
            axes,
            kept,
            is_grid: is_grid && !is_fractal,
        })
    });
    Some(known.unwrap_or_else(|| GlobalWindow::unknown(&own)))
}

/// Returns whether a window certainly stays inside of its tensor on an axis.
fn is_inside(state: &State, axis: &[Option<Linear>; 3]) -> bool {
    let [Some(start), Some(span), Some(extent)] = axis else {
        return false;
    };
    let end = start.plus_times(span, 1);
    state.range_of(start).min >= 0 && end.is_some_and(|end| state.is_not_above(&end, extent))
}

impl GlobalWindow {
    /// Creates a window that stays inside of its view.
    fn inside(axes: Vec<[Option<Linear>; 3]>) -> GlobalWindow {
        GlobalWindow {
            kept: vec![true; axes.len()],
            axes,
            is_grid: true,
        }
    }

    /// Creates a window that may be any part of a tensor.
    fn unknown(own: &[[Option<Linear>; 3]]) -> GlobalWindow {
        let unknown = |axis: &[Option<Linear>; 3]| [None, None, axis[2].clone()];
        GlobalWindow {
            axes: own.iter().map(unknown).collect(),
            kept: vec![false; own.len()],
            is_grid: false,
        }
    }
}

/// Returns the first element of a window.
fn one_element(own: &[[Option<Linear>; 3]]) -> Vec<[Option<Linear>; 3]> {
    let first = |axis: &[Option<Linear>; 3]| {
        let [start, _, extent] = axis.clone();
        [start, Some(Linear::constant(1)), extent]
    };
    own.iter().map(first).collect()
}

/// Returns whether the elements of a row of a view are adjacent in memory.
fn has_contiguous_rows(state: &mut State, view: &GlobalView) -> bool {
    let columns = view.row_axes().and_then(|axes| axes.columns);
    let inner = match columns {
        Some(axis) => &view.axes[axis + 1..],
        None => &[],
    };
    let mut extents = inner.iter().map(|axis| state.number(axis.extent));
    extents.all(|extent| extent == Some(Linear::constant(1)))
}

/// Returns one row that covers a matrix of these extents in fractals of sixteen rows and columns.
fn fractal_rows(state: &mut State, rows: RowExtents<Linear>) -> Option<RowExtents<Linear>> {
    let fractal = || Some(Linear::constant(a2lint_isa::device::FRACTAL));
    let count = state.binary(BinaryOp::AlignUp, Some(rows.count), fractal());
    let length = state.binary(BinaryOp::AlignUp, Some(rows.length), fractal());
    let length = product(&count?, &length?)?;
    Some(RowExtents {
        count: Linear::constant(1),
        pitch: length.clone(),
        length,
    })
}

/// Returns a product, if it is linear.
fn product(a: &Linear, b: &Linear) -> Option<Linear> {
    match (a.as_constant(), b.as_constant()) {
        (Some(a), _) => b.times(a),
        (_, Some(b)) => a.times(b),
        _ => None,
    }
}

/// Returns a quotient, if it is linear and has no remainder.
fn divided(number: &Linear, by: i64) -> Option<Linear> {
    let is_divided = by > 0
        && number.constant_part() % by == 0
        && number.terms().all(|(_, coefficient)| coefficient % by == 0);
    if !is_divided {
        return None;
    }
    let start = Linear::constant(number.constant_part() / by);
    number
        .terms()
        .try_fold(start, |sum, (symbol, coefficient)| {
            sum.plus_times(&Linear::symbol(symbol), coefficient / by)
        })
}

/// Returns the window that covers evenly spaced rows from the start of a view on, and the value of
/// [`GlobalWindow::is_grid`] for it; `None` if no window covers the rows.
fn spread(
    state: &mut State,
    view: &GlobalView,
    own: &[[Option<Linear>; 3]],
    rows: RowExtents<Linear>,
    last: usize,
) -> Option<(Vec<[Option<Linear>; 3]>, bool)> {
    let mut axes = one_element(own);
    // Rows without gaps are one run of elements, of which whole rows of the tensor are told apart if
    // possible.
    let is_one = rows.count.as_constant().is_some_and(|count| count <= 1);
    if is_one || rows.pitch == rows.length {
        let total = product(&rows.count, &rows.length)?;
        let whole = last.checked_sub(1).zip(full_rows(own, last, &total));
        match whole {
            Some((axis, count)) => {
                axes[last][1].clone_from(&own[last][2]);
                axes[axis][1] = Some(count);
            }
            None => axes[last][1] = Some(total),
        }
        return Some((axes, true));
    }
    axes[last][1] = Some(rows.length.clone());
    let preferred = view.row_axes().and_then(|axes| axes.rows);
    for axis in preferred.into_iter().chain((0..last).rev()) {
        let Ok(stride) = stride_of_axis(state, view, axis) else {
            continue;
        };
        if axis < last && stride == rows.pitch {
            axes[axis][1] = Some(rows.count);
            return Some((axes, axis + 1 == last));
        }
    }
    // Rows with unused rows of the tensor between them.
    for axis in preferred.into_iter().chain((0..last).rev()) {
        let stride = stride_of_axis(state, view, axis).ok();
        let stride = stride.and_then(|stride| stride.as_constant());
        let Some((stride, pitch)) = stride.zip(rows.pitch.as_constant()) else {
            continue;
        };
        if axis < last && stride > 0 && pitch > 0 && pitch % stride == 0 {
            let steps = rows.count.plus(-1)?.times(pitch / stride)?;
            axes[axis][1] = Some(steps.plus(1)?);
            return Some((axes, false));
        }
    }
    if last == 0 && rows.pitch.as_constant().is_some_and(|pitch| pitch >= 0) {
        let steps = product(&rows.count.plus(-1)?, &rows.pitch)?;
        axes[0][1] = Some(steps.plus_times(&rows.length, 1)?);
        return Some((axes, false));
    }
    None
}

/// Returns the number of whole rows of a tensor that a number of elements fills, counted from the start of a
/// row.
fn full_rows(own: &[[Option<Linear>; 3]], last: usize, total: &Linear) -> Option<Linear> {
    let [start, _, extent] = &own[last];
    let is_start = start.as_ref()?.as_constant() == Some(0);
    let extent = extent.as_ref()?;
    if is_start && total == extent {
        return Some(Linear::constant(1));
    }
    divided(total, extent.as_constant().filter(|_| is_start)?)
}

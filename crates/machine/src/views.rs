//! Evaluates views in numbers.

use super::operation::{Tile, Window};
use super::scalars::Environment;
use super::setup::Setup;
use super::value::Absence;
use a2lint_ir::transfer::{Arithmetic, view_rows};
use a2lint_ir::{BinaryOp, GlobalView, Instr, LocalView, ScalarId, fold_int};

/// Flat indices are clamped to this range, which lies outside of every tensor.
const FAR: i128 = 1 << 50;
/// Longest extent of a global view, and longest distance of its rows; a longer one fits into no memory.
const MAX_SPAN: i64 = 1 << 36;
/// Largest row or column number of an on-chip view.
const MAX_LOCAL: i64 = 1 << 26;

/// Evaluates the extents and the address of an on-chip view.
pub fn tile(
    setup: &Setup,
    environment: &mut Environment,
    view: &LocalView,
) -> Result<Tile, Absence> {
    let layout = setup.allocation.on(environment.lane());
    if layout.unfit(view.buffer).is_some() {
        return Err(Absence::Unplaced(view.buffer));
    }
    let place = layout.place(view.buffer);
    let slot = environment.int(view.slot)?;
    let mut pair =
        |[a, b]: [ScalarId; 2]| Ok([small(environment.int(a)?)?, small(environment.int(b)?)?]);
    Ok(Tile {
        buffer: view.buffer,
        position: place.position,
        slot: place.slot_index(slot),
        index: slot,
        base: place.slot_address(slot),
        bytes: place.slot_bytes,
        end: view.end,
        dtype: view.dtype,
        layout: setup.program.buffer(view.buffer).layout,
        shape: pair(view.shape)?,
        offset: pair(view.offset)?,
        span: pair(view.span)?,
        transposed: view.transposed,
    })
}

/// Returns a coordinate of an on-chip view, if it is one that memories can have.
fn small(value: i64) -> Result<i64, Absence> {
    match (-MAX_LOCAL..=MAX_LOCAL).contains(&value) {
        true => Ok(value),
        false => Err(Absence::Coordinate(value)),
    }
}

/// The numbers of views, evaluated on a lane.
struct Evaluated<'a, 'p> {
    environment: &'a mut Environment<'p>,
}

impl Arithmetic for Evaluated<'_, '_> {
    type Number = i64;
    type Fault = Absence;

    fn constant(&mut self, value: i64) -> i64 {
        value
    }

    fn scalar(&mut self, id: ScalarId) -> Result<i64, Absence> {
        self.environment.int(id)
    }

    fn binary(&mut self, op: BinaryOp, a: i64, b: i64) -> Result<i64, Absence> {
        fold_int(op, a, b).ok_or(Absence::Coordinate(i64::MAX))
    }

    fn integer_argument(&mut self, _: &Instr, _: usize) -> Result<Option<i64>, Absence> {
        Ok(None)
    }
}

/// Evaluates a global view as rows of contiguous elements, see [`view_rows`].
pub fn window(
    setup: &Setup,
    environment: &mut Environment,
    view: &GlobalView,
) -> Result<Window, Absence> {
    let global = &setup.launch.globals[view.global.index()];
    if view.axes.is_empty() {
        return Ok(whole(view, &global.shape, global.dtype));
    }
    let mut axes = Vec::with_capacity(view.axes.len());
    for axis in &view.axes {
        axes.push((
            environment.int(axis.start)?,
            environment.int(axis.span)?,
            environment.int(axis.extent)?,
        ));
    }
    if !view.sliced {
        let shape: Vec<i64> = axes.iter().map(|axis| axis.2).collect();
        return Ok(whole(view, &shape, global.dtype));
    }
    let start = axes.iter().enumerate().map(|(at, &(start, ..))| {
        let inner = axes[at + 1..].iter().map(|axis| axis.2);
        i128::from(start).saturating_mul(elements(inner))
    });
    let start = start.fold(0, i128::saturating_add).clamp(-FAR, FAR) as i64;
    let rows = view_rows(&mut Evaluated { environment }, view)?.ok_or(Absence::Unknown)?;
    // A view without elements touches nothing, wherever it begins.
    let is_empty = axes.iter().any(|&(_, span, _)| span <= 0);
    let leaves = |&(start, span, extent): &(i64, i64, i64)| {
        start < 0 || i128::from(start) + i128::from(span) > extent.into()
    };
    Ok(Window {
        global: view.global,
        dtype: global.dtype,
        start,
        rows: rows.count.clamp(-MAX_SPAN, MAX_SPAN),
        columns: rows.length.clamp(-MAX_SPAN, MAX_SPAN),
        pitch: rows.pitch.clamp(-MAX_SPAN, MAX_SPAN),
        outside: if is_empty {
            None
        } else {
            axes.iter().position(leaves)
        },
    })
}

/// Returns the number of elements of axes of these extents. Extents that a kernel computes may be so large that
/// their product does not fit into 64 bits.
fn elements(extents: impl Iterator<Item = i64>) -> i128 {
    extents.fold(1, |product: i128, extent| {
        product.saturating_mul(extent.into())
    })
}

fn whole(view: &GlobalView, shape: &[i64], dtype: a2lint_isa::DType) -> Window {
    let columns = shape.last().copied().unwrap_or(1);
    let columns = columns.clamp(-MAX_SPAN, MAX_SPAN);
    let rows = elements(shape.iter().rev().skip(1).copied());
    let rows = rows.clamp((-MAX_SPAN).into(), MAX_SPAN.into()) as i64;
    Window {
        global: view.global,
        dtype,
        start: 0,
        rows,
        columns,
        pitch: columns,
        outside: None,
    }
}

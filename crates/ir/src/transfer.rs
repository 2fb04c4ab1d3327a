//! What moves touch: one description in terms of an [`Arithmetic`]. The tracer infers arguments with it, the machine
//! evaluates it in numbers, and the analysis in linear forms.

use super::{Arg, ArgSource, ArgValue, BinaryOp, GlobalView, Instr, ScalarId};
use a2lint_isa::{Class, CountedIn, DType, ParamKind, Spacing};

/// Numbers in which a move is described.
pub trait Arithmetic {
    /// A number.
    type Number: Clone;
    /// Why there is no number.
    type Fault: Clone;

    /// A constant.
    fn constant(&mut self, value: i64) -> Self::Number;

    /// The value of a scalar.
    ///
    /// # Errors
    /// It is not known.
    fn scalar(&mut self, id: ScalarId) -> Result<Self::Number, Self::Fault>;

    /// The result of an operation, without any width.
    ///
    /// # Errors
    /// It is not known.
    fn binary(
        &mut self,
        op: BinaryOp,
        a: Self::Number,
        b: Self::Number,
    ) -> Result<Self::Number, Self::Fault>;

    /// The integer argument at an index; `None` where it is left out.
    ///
    /// # Errors
    /// It is not known, or no integer.
    fn integer_argument(
        &mut self,
        instr: &Instr,
        index: usize,
    ) -> Result<Option<Self::Number>, Self::Fault>;
}

/// The axes of a global view along which its rows and columns run. The others have one index each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowAxes {
    /// From row to row.
    pub rows: Option<usize>,
    /// Along a row.
    pub columns: Option<usize>,
}

/// Evenly spaced rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowExtents<N> {
    /// How many.
    pub count: N,
    /// Length of one.
    pub length: N,
    /// From the start of a row to the start of the next one.
    pub pitch: N,
}

/// Rows of whole blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockRows<N> {
    /// How many.
    pub count: N,
    /// Elements of one, with what stands in front of and behind what is moved.
    pub length: N,
    /// Blocks between the end of a row, rounded up to a whole block, and the start of the next one.
    pub gap: N,
}

impl GlobalView {
    /// The axes of its rows and columns: rows run along the first sliced axis if another sliced axis follows it, or
    /// if the last axis is indexed. `None` for a view of unknown rank, a whole tensor of more than two axes, and
    /// more than two slices.
    pub fn row_axes(&self) -> Option<RowAxes> {
        let last = self.axes.len().checked_sub(1)?;
        let slices: Vec<usize> = self.sliced_axes().map(|(axis, _)| axis).collect();
        let (rows, columns) = match slices.as_slice() {
            [] => (None, None),
            [only] if *only == last => (None, Some(last)),
            [only] => (Some(*only), None),
            [first, second] => (Some(*first), Some(*second)),
            _ => return None,
        };
        Some(RowAxes { rows, columns })
    }
}

/// Elements from one index of an axis to the next one.
///
/// # Errors
/// An extent is not known.
pub fn stride_of_axis<A: Arithmetic>(
    arithmetic: &mut A,
    view: &GlobalView,
    axis: usize,
) -> Result<A::Number, A::Fault> {
    let mut stride = arithmetic.constant(1);
    for behind in &view.axes[axis + 1..] {
        let extent = arithmetic.scalar(behind.extent)?;
        stride = arithmetic.binary(BinaryOp::Mul, stride, extent)?;
    }
    Ok(stride)
}

/// A global view as rows of contiguous elements; `None` where [`GlobalView::row_axes`] is.
///
/// # Errors
/// An extent is not known.
pub fn view_rows<A: Arithmetic>(
    arithmetic: &mut A,
    view: &GlobalView,
) -> Result<Option<RowExtents<A::Number>>, A::Fault> {
    let Some(RowAxes { rows, columns }) = view.row_axes() else {
        return Ok(None);
    };
    let one = arithmetic.constant(1);
    let length = match columns {
        Some(axis) => arithmetic.scalar(view.axes[axis].span)?,
        None => one.clone(),
    };
    let (count, pitch) = match (rows, view.axes.last()) {
        (Some(axis), _) => (
            arithmetic.scalar(view.axes[axis].span)?,
            stride_of_axis(arithmetic, view, axis)?,
        ),
        (None, Some(last)) => (one, arithmetic.scalar(last.extent)?),
        (None, None) => (one.clone(), one),
    };
    Ok(Some(RowExtents {
        count,
        length,
        pitch,
    }))
}

/// Whether a move is told by arguments how much it moves of global memory, or how far rows are apart there.
/// Otherwise its view says so.
pub fn gives_global_extents(instr: &Instr) -> bool {
    let row = instr.row();
    if !matches!(row.class, Class::Move | Class::Fixpipe) {
        return false;
    }
    match row.global_extents() {
        Some(extents) => [extents.rows, extents.columns, extents.spacing.parameter()]
            .iter()
            .any(|&at| is_given(&instr.args[at])),
        None => {
            let mut params = row.params().zip(&instr.args);
            params.any(|(param, arg)| param.kind == ParamKind::Integer && is_given(arg))
        }
    }
}

fn is_given(arg: &Arg) -> bool {
    matches!(arg.source, ArgSource::Given(_)) && arg.value != ArgValue::None
}

/// The rows of a move in global memory, in elements: as its arguments say, and otherwise as its view has them. `None`
/// for an instruction that has no such arguments.
///
/// # Errors
/// A number is not known.
pub fn global_rows<A: Arithmetic>(
    arithmetic: &mut A,
    instr: &Instr,
    view: Result<RowExtents<A::Number>, A::Fault>,
) -> Result<Option<RowExtents<A::Number>>, A::Fault> {
    let Some(extents) = instr.row().global_extents() else {
        return Ok(None);
    };
    let count = match arithmetic.integer_argument(instr, extents.rows)? {
        Some(count) => count,
        None => view.clone()?.count,
    };
    let length = match arithmetic.integer_argument(instr, extents.columns)? {
        Some(length) => length,
        None => view.clone()?.length,
    };
    let spacing = arithmetic.integer_argument(instr, extents.spacing.parameter())?;
    let pitch = match (extents.spacing, spacing) {
        (Spacing::Pitch(_), Some(pitch)) => pitch,
        (Spacing::Pitch(_), None) => view?.pitch,
        (Spacing::Gap(_), Some(gap)) => arithmetic.binary(BinaryOp::Add, length.clone(), gap)?,
        (Spacing::Gap(_), None) => {
            let view = view?;
            let gap = arithmetic.binary(BinaryOp::Sub, view.pitch, view.length)?;
            arithmetic.binary(BinaryOp::Add, length.clone(), gap)?
        }
    };
    Ok(Some(RowExtents {
        count,
        length,
        pitch,
    }))
}

/// The rows of a move in an on-chip operand whose rows are `pitch` elements of `dtype` apart: as its arguments say,
/// and otherwise as many rows and columns as `view` has. `None` for an operand that is not moved in rows of blocks.
///
/// # Errors
/// A number is not known.
pub fn block_rows<A: Arithmetic>(
    arithmetic: &mut A,
    (instr, operand): (&Instr, usize),
    dtype: DType,
    view: Result<[A::Number; 2], A::Fault>,
    pitch: Result<A::Number, A::Fault>,
) -> Result<Option<BlockRows<A::Number>>, A::Fault> {
    let Some(extents) = instr.row().block_extents(operand) else {
        return Ok(None);
    };
    let count = match arithmetic.integer_argument(instr, extents.rows)? {
        Some(count) => count,
        None => view.clone()?[0].clone(),
    };
    let gap = match arithmetic.integer_argument(instr, extents.gap)? {
        Some(gap) => gap,
        None => {
            let pitch = blocks(arithmetic, pitch?, dtype)?;
            let taken = blocks(arithmetic, view.clone()?[1].clone(), dtype)?;
            arithmetic.binary(BinaryOp::Sub, pitch, taken)?
        }
    };
    let mut length = match (
        arithmetic.integer_argument(instr, extents.length)?,
        extents.unit,
    ) {
        (Some(length), CountedIn::Elements) => length,
        (None, CountedIn::Elements) => view?[1].clone(),
        (length, CountedIn::Blocks) => {
            let taken = match length {
                Some(taken) => taken,
                None => blocks(arithmetic, view?[1].clone(), dtype)?,
            };
            let block = arithmetic.constant(dtype.c0());
            arithmetic.binary(BinaryOp::Mul, taken, block)?
        }
    };
    for margin in extents.margins.into_iter().flatten() {
        if let Some(margin) = arithmetic.integer_argument(instr, margin)? {
            length = arithmetic.binary(BinaryOp::Add, length, margin)?;
        }
    }
    Ok(Some(BlockRows { count, length, gap }))
}

/// The blocks that so many elements take.
///
/// # Errors
/// The result is not known.
pub fn blocks<A: Arithmetic>(
    arithmetic: &mut A,
    elements: A::Number,
    dtype: DType,
) -> Result<A::Number, A::Fault> {
    let block = arithmetic.constant(dtype.c0());
    arithmetic.binary(BinaryOp::CeilDiv, elements, block)
}

impl<N> BlockRows<N> {
    /// The same rows, with other numbers.
    pub fn map<M>(self, mut number: impl FnMut(N) -> M) -> BlockRows<M> {
        BlockRows {
            count: number(self.count),
            length: number(self.length),
            gap: number(self.gap),
        }
    }
}

impl<N: Clone> BlockRows<N> {
    /// Blocks from the start of a row to the start of the next one.
    ///
    /// # Errors
    /// The result is not known.
    pub fn pitch<A: Arithmetic<Number = N>>(
        &self,
        arithmetic: &mut A,
        dtype: DType,
    ) -> Result<N, A::Fault> {
        let taken = blocks(arithmetic, self.length.clone(), dtype)?;
        arithmetic.binary(BinaryOp::Add, taken, self.gap.clone())
    }
}

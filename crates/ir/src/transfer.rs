//! Computes the footprints of moves, for any [`Arithmetic`]: the tracer infers arguments as expressions, the
//! machine evaluates numbers, and the analysis linear forms.

use super::{Arg, ArgSource, ArgValue, BinaryOp, GlobalView, Instr, ScalarId};
use a2lint_isa::{Class, CountedIn, DType, ParamKind, Spacing};

/// An arithmetic in which extents of moves are computed.
pub trait Arithmetic {
    /// A number.
    type Number: Clone;
    /// The reason for which a number is not known.
    type Fault: Clone;

    /// Returns a constant.
    fn constant(&mut self, value: i64) -> Self::Number;

    /// Returns the value of a scalar.
    ///
    /// # Errors
    /// It is not known.
    fn scalar(&mut self, id: ScalarId) -> Result<Self::Number, Self::Fault>;

    /// Returns the result of an operation on integers without overflow.
    ///
    /// # Errors
    /// It is not known.
    fn binary(
        &mut self,
        op: BinaryOp,
        a: Self::Number,
        b: Self::Number,
    ) -> Result<Self::Number, Self::Fault>;

    /// Returns the integer argument at an index; `None` where it is left out.
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
    /// The axis that leads from row to row.
    pub rows: Option<usize>,
    /// The axis along a row.
    pub columns: Option<usize>,
}

/// Evenly spaced rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowExtents<N> {
    /// The number of rows.
    pub count: N,
    /// Length of one.
    pub length: N,
    /// From the start of a row to the start of the next one.
    pub pitch: N,
}

/// Rows of whole blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockRows<N> {
    /// The number of rows.
    pub count: N,
    /// Elements of one row, including the padding to the left and right of the data.
    pub length: N,
    /// The gap in blocks between the end of a row, rounded up to a whole block, and the start of the next
    /// one.
    pub gap: N,
}

impl GlobalView {
    /// Returns the axes of the rows and columns. Rows run along the first sliced axis if another sliced axis
    /// follows it, or if the last axis is indexed. `None` for a view of unknown rank, a whole tensor of more
    /// than two axes, and more than two slices.
    pub fn row_axes(&self) -> Option<RowAxes> {
        let last = self.axes.len().checked_sub(1)?;
        let slices: Vec<usize> = self.sliced_axes().map(|(axis, _)| axis).collect();
        let (rows, columns) = match slices.as_slice() {
            [] => (None, None),
            // `x[i, a:b]` is a part of one row.
            [only] if *only == last => (None, Some(last)),
            // `x[a:b, i]` has rows of one element.
            [only] => (Some(*only), None),
            [first, second] => (Some(*first), Some(*second)),
            _ => return None,
        };
        Some(RowAxes { rows, columns })
    }
}

/// Returns the stride of an axis in elements.
///
/// # Errors
/// An extent is not known.
pub fn stride_of_axis<A: Arithmetic>(
    arithmetic: &mut A,
    view: &GlobalView,
    axis: usize,
) -> Result<A::Number, A::Fault> {
    let mut stride = arithmetic.constant(1);
    for inner in &view.axes[axis + 1..] {
        let extent = arithmetic.scalar(inner.extent)?;
        stride = arithmetic.binary(BinaryOp::Mul, stride, extent)?;
    }
    Ok(stride)
}

/// Returns a global view as rows of contiguous elements; `None` where [`GlobalView::row_axes`] is `None`.
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
        // A single row: the pitch is that of the tensor, which arguments for several rows may refer to.
        (None, Some(last)) => (one, arithmetic.scalar(last.extent)?),
        (None, None) => (one.clone(), one),
    };
    Ok(Some(RowExtents {
        count,
        length,
        pitch,
    }))
}

/// Returns whether arguments give an operand of a move its extents or the distance of rows in global memory.
/// Otherwise the view determines them.
pub fn gives_global_extents(instr: &Instr, operand: usize) -> bool {
    let row = instr.row();
    if !matches!(row.class, Class::Move | Class::Fixpipe) {
        return false;
    }
    match row.global_extents(operand) {
        Some(extents) => [extents.rows, extents.columns, extents.spacing.parameter()]
            .iter()
            .any(|&at| is_given(&instr.args[at])),
        // The extents of these moves are not modelled, so that any integer argument may be one of them.
        None => {
            let mut params = row.params().zip(&instr.args);
            params.any(|(param, arg)| param.kind == ParamKind::Integer && is_given(arg))
        }
    }
}

fn is_given(arg: &Arg) -> bool {
    matches!(arg.source, ArgSource::Given(_)) && arg.value != ArgValue::None
}

/// Returns the rows of an operand of a move in global memory, in elements: those of its arguments, otherwise those of
/// its view. `None` for an operand that has no such arguments.
///
/// # Errors
/// A number is not known.
pub fn global_rows<A: Arithmetic>(
    arithmetic: &mut A,
    (instr, operand): (&Instr, usize),
    view: Result<RowExtents<A::Number>, A::Fault>,
) -> Result<Option<RowExtents<A::Number>>, A::Fault> {
    let Some(extents) = instr.row().global_extents(operand) else {
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
        // The gap is that of the view, even where an argument gives another length: the pitch is not that of
        // the view then.
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

/// Returns the rows of a move in an on-chip operand with a row pitch of `pitch` elements of `dtype`: those of
/// its arguments, otherwise the rows and columns `view`. `None` for an operand that is not moved in rows of
/// blocks.
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
            // The gap is that of the view's columns, even where an argument gives another length.
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

/// Returns the number of 32-byte blocks that `elements` elements occupy.
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
    /// Returns the rows with each number mapped by `number`.
    pub fn map<M>(self, mut number: impl FnMut(N) -> M) -> BlockRows<M> {
        BlockRows {
            count: number(self.count),
            length: number(self.length),
            gap: number(self.gap),
        }
    }
}

impl<N: Clone> BlockRows<N> {
    /// Returns the blocks from the start of a row to the start of the next one.
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

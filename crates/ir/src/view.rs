//! Defines views: rectangular windows on buffers and global tensors.

use super::{BufferId, GlobalId, Program, ScalarId, VariableId};
use a2lint_isa::DType;
use a2lint_source::text::Span;

/// A window on some memory, with the place it was written at.
#[derive(Clone, Debug, PartialEq)]
pub enum View {
    /// On-chip memory.
    Local(LocalView),
    /// Global memory.
    Global(GlobalView),
}

/// A window on one slot of an on-chip buffer. Extents and offsets count elements of `dtype`.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalView {
    /// The buffer.
    pub buffer: BufferId,
    /// Slot expression, taken modulo the buffer's slots; constant 0 for plain tensors.
    pub slot: ScalarId,
    /// The variable that indexes the slot in the source, even if its value is known.
    pub index: Option<VariableId>,
    /// Element type, after reinterpretation.
    pub dtype: DType,
    /// Storage shape: rows and row pitch.
    pub shape: [ScalarId; 2],
    /// First row and column.
    pub offset: [ScalarId; 2],
    /// Viewed rows and columns.
    pub span: [ScalarId; 2],
    /// Whether each viewed extent was a number while the kernel was compiled; only such an extent takes part in stride
    /// inference.
    pub static_span: [bool; 2],
    /// The byte of the slot at which the tensor ends, in whole blocks, where the kernel has given it a length of its
    /// own that is known.
    pub end: Option<i64>,
    /// Whether the view is read transposed (matmul operands in L1).
    pub transposed: bool,
    /// Whether it was sliced or indexed (not the whole tensor).
    pub sliced: bool,
    /// The place of the view in the source.
    pub site: Span,
}

/// A window on a global tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct GlobalView {
    /// The tensor.
    pub global: GlobalId,
    /// One entry per axis; empty where the rank is unknown (a whole, unsliced parameter).
    pub axes: Vec<GlobalAxis>,
    /// Whether the view was made by subscripting.
    pub sliced: bool,
    /// Whether `.T` was taken.
    pub transposed: bool,
    /// The place of the view in the source.
    pub site: Span,
}

/// One axis of a global view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GlobalAxis {
    /// Extent of the tensor along this axis.
    pub extent: ScalarId,
    /// First index.
    pub start: ScalarId,
    /// Viewed extent; 1 for an axis that was indexed by a scalar.
    pub span: ScalarId,
    /// Whether it was given as a slice rather than a scalar index.
    pub is_slice: bool,
    /// Whether the viewed extent was a number while the kernel was compiled.
    pub static_span: bool,
}

impl View {
    /// Returns the place of the view in the source.
    pub fn site(&self) -> Span {
        match self {
            View::Local(view) => view.site,
            View::Global(view) => view.site,
        }
    }

    /// Returns the local view, if it is one.
    pub fn local(&self) -> Option<&LocalView> {
        match self {
            View::Local(view) => Some(view),
            View::Global(_) => None,
        }
    }

    /// Returns the global view, if it is one.
    pub fn global(&self) -> Option<&GlobalView> {
        match self {
            View::Global(view) => Some(view),
            View::Local(_) => None,
        }
    }
}

impl GlobalView {
    /// Returns the axes that were given as slices.
    pub fn sliced_axes(&self) -> impl Iterator<Item = (usize, &GlobalAxis)> {
        self.axes
            .iter()
            .enumerate()
            .filter(|(_, axis)| axis.is_slice)
    }
}

/// The slot of a view: a constant slot number, or the expression that selects it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SlotKey {
    /// Slot number.
    Constant(i64),
    /// Slot expression.
    Symbolic(ScalarId),
}

/// Returns the slot of a view.
pub fn slot_key(program: &Program, view: &LocalView) -> SlotKey {
    let slots = i64::from(program.buffer(view.buffer).slots);
    match program.scalars.as_int(view.slot) {
        // Slot numbers wrap around, negative ones included.
        Some(slot) => SlotKey::Constant(slot.rem_euclid(slots)),
        None => SlotKey::Symbolic(view.slot),
    }
}

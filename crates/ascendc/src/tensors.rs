//! Tensors as values: windows on a slot of an on-chip buffer, and on global memory.

use a2lint_cpp::eval::{Kind, TemplateArg, Ty, Value};
use a2lint_ir::build::Builder;
use a2lint_ir::{
    Buffer, BufferId, GlobalAxis, GlobalId, GlobalView, HandOut, LocalView, Scalar, ScalarId, View,
    round_up,
};
use a2lint_isa::{BLOCK_BYTES, DType, Layout, Position};
use a2lint_source::text::Span;

use super::given::Mark;
use super::objects::Object;
use super::{numbers, types};

/// A `LocalTensor<T>`: elements of a slot of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Local {
    /// The buffer.
    pub buffer: BufferId,
    /// The slot of the buffer.
    pub slot: ScalarId,
    /// The first element, in elements of `dtype`.
    pub offset: ScalarId,
    /// Number of elements.
    pub length: ScalarId,
    /// The byte of the slot at which it ends, in whole blocks, if the kernel has given it a length that is known.
    pub end: Option<i64>,
    /// Type of the elements.
    pub dtype: DType,
    /// The paths that have assigned it, if not all have.
    pub set: Option<Mark>,
}

/// A `GlobalTensor<T>`: the elements of a global tensor from `offset` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InGlobal {
    /// The tensor.
    pub global: GlobalId,
    /// The first element, in elements of `dtype`.
    pub offset: ScalarId,
    /// Number of elements that the kernel gives (`SetGlobalBuffer`); 0 if it gives none.
    pub size: ScalarId,
    /// Type of the elements.
    pub dtype: DType,
    /// The paths that have given it its address (`SetGlobalBuffer`), if not all have.
    pub set: Option<Mark>,
}

/// The memory of a buffer.
pub struct Memory {
    /// Where it is.
    pub position: Position,
    /// Number of slots.
    pub slots: u32,
    /// Bytes of one slot.
    pub bytes: ScalarId,
    /// Where the kernel hands it out.
    pub handed: HandOut,
}

/// Declares a buffer of bytes; its elements have no type until a tensor is taken from it.
pub fn declare(builder: &mut Builder, name: &str, memory: Memory, span: Span) -> BufferId {
    let Memory {
        position,
        slots,
        bytes,
        handed,
    } = memory;
    let rows = builder.int(1);
    // `InitBuffer` rounds the length up to 32 bytes.
    let bytes = numbers::in_blocks(builder, bytes);
    let is_static = numbers::known(builder, bytes).is_some();
    // A buffer that a branch initialises may not exist on other paths.
    let nested = !handed.blocks.is_empty();
    builder.add_buffer(Buffer {
        name: name.into(),
        dtype: DType::UInt8,
        shape: [rows, bytes],
        static_shape: [true, is_static],
        position,
        slots,
        layout: match position {
            // AscendC tensors have no shape: in cube memories, each instruction determines the fractal layout of its
            // operands.
            Position::Ub | Position::Bt => Layout::Nd,
            Position::L1 | Position::L0A | Position::L0B | Position::L0C => Layout::Linear,
        },
        span,
        nested,
        handed,
    })
}

/// Gives a buffer of bytes the type of the elements that are first taken from it.
pub fn settle_type(builder: &mut Builder, buffer: BufferId, dtype: DType) {
    let declared = builder.program.buffer(buffer);
    // Elements of half a byte are not addressable, so the buffer keeps bytes.
    if declared.dtype != DType::UInt8 || dtype.bits() < 8 {
        return;
    }
    let columns = numbers::of_bytes(builder, declared.shape[1], dtype);
    let declared = &mut builder.program.buffers[buffer.index()];
    declared.dtype = dtype;
    declared.shape[1] = columns;
}

/// Returns the number of elements of a type in one slot of a buffer.
pub fn capacity(builder: &mut Builder, buffer: BufferId, dtype: DType) -> ScalarId {
    let declared = builder.program.buffer(buffer);
    let (columns, from) = (declared.shape[1], declared.dtype);
    numbers::elements(builder, columns, from, dtype)
}

/// Returns a whole slot as a tensor of elements of a type.
pub fn whole(builder: &mut Builder, buffer: BufferId, slot: ScalarId, dtype: DType) -> Local {
    settle_type(builder, buffer, dtype);
    Local {
        buffer,
        slot,
        offset: builder.int(0),
        length: capacity(builder, buffer, dtype),
        end: None,
        dtype,
        set: None,
    }
}

/// Returns the byte at which a tensor in UB ends that starts at a byte and has a number of elements, in whole blocks;
/// `None` if it is not known. Matrices are padded to whole fractals, whatever length the kernel gives them.
pub fn end_of(
    builder: &Builder,
    buffer: BufferId,
    (start, length): (ScalarId, ScalarId),
    dtype: DType,
) -> Option<i64> {
    let in_ub = builder.program.buffer(buffer).position == Position::Ub;
    in_ub.then_some(())?;
    let [start, length] = [start, length].map(|id| numbers::known(builder, id));
    let bytes = dtype.bytes_of(length.filter(|length| (1..=1 << 27).contains(length))?);
    start?.checked_add(round_up(bytes, BLOCK_BYTES))
}

impl Local {
    /// Returns the part of the tensor from element `index` on.
    pub fn from(self, builder: &mut Builder, index: ScalarId) -> Local {
        Local {
            // A sub-tensor extends to the end of its parent: `x[64]` has all elements from 64 on.
            offset: numbers::add(builder, self.offset, index),
            length: numbers::sub(builder, self.length, index),
            ..self
        }
    }

    /// Returns the same bytes as elements of another type.
    pub fn reinterpreted(self, builder: &mut Builder, dtype: DType) -> Local {
        Local {
            offset: numbers::elements(builder, self.offset, self.dtype, dtype),
            length: numbers::elements(builder, self.length, self.dtype, dtype),
            dtype,
            ..self
        }
    }

    /// Returns the memory of the tensor.
    pub fn position(&self, builder: &Builder) -> Position {
        builder.program.buffer(self.buffer).position
    }

    /// Returns the view of the first `count` elements; of all if that is `None`.
    pub fn view(self, builder: &mut Builder, count: Option<ScalarId>, site: Span) -> LocalView {
        let one = builder.int(1);
        let zero = builder.int(0);
        let columns = capacity(builder, self.buffer, self.dtype);
        let count = count.unwrap_or(self.length);
        let is_static = numbers::known(builder, count).is_some();
        // Messages show a slice only if the view is a part of the tensor.
        let is_whole = self.offset == zero && count == columns;
        LocalView {
            buffer: self.buffer,
            slot: self.slot,
            index: None,
            dtype: self.dtype,
            shape: [one, columns],
            offset: [zero, self.offset],
            span: [one, count],
            static_span: [true, is_static],
            end: self.end,
            transposed: false,
            sliced: !is_whole,
            site,
        }
    }
}

impl InGlobal {
    /// Returns the part of the tensor from element `index` on.
    pub fn from(self, builder: &mut Builder, index: ScalarId) -> InGlobal {
        // A size of 0 means that the kernel gives none, so there is nothing to subtract from.
        let is_open = numbers::known(builder, self.size) == Some(0);
        InGlobal {
            offset: numbers::add(builder, self.offset, index),
            size: match is_open {
                true => self.size,
                false => numbers::sub(builder, self.size, index),
            },
            ..self
        }
    }

    /// Returns a view of `count` elements, starting at the offset of the tensor.
    pub fn view(self, builder: &mut Builder, count: ScalarId, site: Span) -> GlobalView {
        let extent = builder
            .program
            .scalars
            .intern(Scalar::Extent(self.global, 0));
        let static_span = numbers::known(builder, count).is_some();
        GlobalView {
            global: self.global,
            axes: vec![GlobalAxis {
                extent,
                start: self.offset,
                span: count,
                is_slice: true,
                static_span,
            }],
            sliced: true,
            transposed: false,
            site,
        }
    }
}

/// Returns a view of the whole slot of a tensor, for code with an unknown footprint.
pub fn reachable(builder: &mut Builder, local: Local, site: Span) -> View {
    View::Local(whole(builder, local.buffer, local.slot, local.dtype).view(builder, None, site))
}

/// Returns a tensor as it is where its object is looked at as a tensor of another type: a local tensor is an address
/// with a size in bytes.
pub fn seen_as(builder: &mut Builder, value: &Value, to: &Ty) -> Option<Value> {
    let (Some(Object::Local(Some(tensor))), Kind::Library(of)) = (value.library(), &to.kind) else {
        return None;
    };
    let Some(TemplateArg::Type(element)) = of.arguments.first() else {
        return None;
    };
    let dtype = types::dtype(element).filter(|_| &*of.name == "LocalTensor")?;
    let part = tensor.reinterpreted(builder, dtype);
    Some(Object::Local(Some(part)).value())
}

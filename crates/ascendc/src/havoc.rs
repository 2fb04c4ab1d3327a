//! Effects of unknown code on memory.

use a2lint_cpp::eval::Value;
use a2lint_ir::build::{Builder, TooLarge};
use a2lint_ir::{BufferId, GlobalId, Scalar, StmtKind, View};
use a2lint_isa::DType;
use a2lint_source::text::Span;

use super::objects::Object;
use super::tensors::{self, InGlobal};

/// Maximum number of buffer slots that a `Havoc` names one by one.
const MAX_SLOTS: u64 = 1024;

/// Emits that all buffers and global tensors may have changed: unknown code has received a pointer to any memory.
pub fn everything(builder: &mut Builder, span: Span) -> Result<(), TooLarge> {
    let slots = builder.program.buffers.iter().map(|it| u64::from(it.slots));
    if slots.sum::<u64>() > MAX_SLOTS {
        // More slots than any memory has room for: the count is an error in the kernel, and a list of all of them could
        // exhaust memory here.
        return builder.emit(StmtKind::Opaque);
    }
    let mut views = Vec::new();
    for at in 0..builder.program.buffers.len() as u32 {
        let slots = builder.program.buffer(BufferId(at)).slots;
        views.extend((0..slots.max(1)).map(|slot| of_buffer(builder, BufferId(at), slot, span)));
    }
    for at in 0..builder.program.globals.len() as u32 {
        views.push(of_global(builder, GlobalId(at), span));
    }
    builder.havoc(views)
}

/// Emits the changes that unknown code may make through a value of the API that it has received, and returns the value
/// afterwards.
pub fn received(builder: &mut Builder, value: &Value, span: Span) -> Result<Value, TooLarge> {
    let view = match value.library::<Object>() {
        Some(Object::Local(Some(tensor))) => tensors::reachable(builder, *tensor, span),
        Some(Object::Global(Some(tensor))) => of_global(builder, tensor.global, span),
        Some(Object::Buf(_, Some(memory))) => of_buffer(builder, memory.buffer, 0, span),
        Some(Object::Address(address)) => of_global(builder, address.global, span),
        // The tensor has no memory that the code could change.
        Some(Object::Local(None) | Object::Global(None)) => return Ok(value.clone()),
        _ => {
            builder.emit(StmtKind::Opaque)?;
            return Ok(Value::Unknown);
        }
    };
    builder.havoc(vec![view])?;
    Ok(value.clone())
}

/// Returns a view of a slot of a buffer.
fn of_buffer(builder: &mut Builder, buffer: BufferId, slot: u32, span: Span) -> View {
    let dtype = builder.program.buffer(buffer).dtype;
    let slot = builder.int(slot.into());
    let whole = tensors::whole(builder, buffer, slot, dtype);
    tensors::reachable(builder, whole, span)
}

/// Returns a view of all elements of a global tensor.
pub fn of_global(builder: &mut Builder, global: GlobalId, span: Span) -> View {
    let extent = builder.program.scalars.intern(Scalar::Extent(global, 0));
    let dtype = builder.program.global(global).dtype;
    let whole = InGlobal {
        global,
        offset: builder.int(0),
        size: extent,
        dtype: dtype.unwrap_or(DType::UInt8),
        set: None,
    };
    View::Global(whole.view(builder, extent, span))
}

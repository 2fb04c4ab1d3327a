//! Addresses: the tensors and elements that they point to.

use a2lint_cpp::eval::{Eval, IntValue, Operand, Ty, Value};
use a2lint_source::text::Span;

use super::cx::{Cx, Lowered, follows};
use super::elements::Tensor;
use super::objects::{Address, Object};
use super::tensors::InGlobal;
use super::{numbers, pipe, types};

pub fn is_null(value: &Value) -> bool {
    matches!(value, Value::Null | Value::Int(_, IntValue::Known(0)))
}

/// Returns the tensor that begins where a reference or pointer to a `ty` points; `None` if the tensor is unknown.
pub fn pointee(eval: &mut Eval<'_>, address: &Value, ty: &Ty) -> Option<Tensor> {
    match address.library::<Object>()? {
        Object::Address(address) => as_tensor(eval, *address, ty).map(Tensor::Global),
        object => Tensor::of(object),
    }
}

/// Reports a read of an element with another type than the tensor has.
pub fn note_types(eval: &mut Eval<'_>, address: &Value, ty: &Ty, span: Span) {
    let (Some(Object::Address(address)), Some(dtype)) =
        (address.library::<Object>(), types::dtype(ty))
    else {
        return;
    };
    let global = eval.builder.program.global(address.global);
    if let Some(known) = global.dtype.filter(|known| *known != dtype) {
        let what = format!(
            "`{}` holds elements of type {known} and of type {dtype}",
            global.name
        );
        eval.builder.note_unknown(span, what);
    }
}

/// Returns the tensor that begins where a pointer to memory on the chip points.
pub fn at_address(cx: &mut Cx<'_, '_, '_>) -> Lowered<Option<Operand>> {
    let value = cx.value(0)?;
    let (Some(Object::Local(Some(_))), Some(element)) =
        (value.library::<Object>(), cx.call.template.first().cloned())
    else {
        follows!("which tensor is meant is not known");
    };
    Ok(Ok(Some(Operand::value(
        pipe::local_tensor(element),
        value,
        cx.call.span,
    ))))
}

/// Returns the element of a type at an address; `None` if the tensor has elements of another type.
fn as_tensor(eval: &mut Eval<'_>, address: Address, ty: &Ty) -> Option<InGlobal> {
    let dtype = types::dtype(ty)?;
    let global = &mut eval.builder.program.globals[address.global.index()];
    match global.dtype {
        None => global.dtype = Some(dtype),
        Some(known) if known == dtype => {}
        Some(_) => return None,
    }
    let offset = numbers::of_bytes(&mut eval.builder, address.bytes, dtype);
    let size = eval.builder.int(0);
    Some(InGlobal {
        global: address.global,
        offset,
        size,
        dtype,
        set: None,
    })
}

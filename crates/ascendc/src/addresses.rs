//! Addresses: the tensors and elements that they point to.

use a2lint_cpp::eval::{Eval, IntValue, Operand, Ty, Value};
use a2lint_cpp::library::Evaluated;
use a2lint_ir::{Global, GlobalKind, Table};
use a2lint_isa::DType;
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

/// Returns the address that a pointer to an element of a constant array is: the array lies in global memory, and its
/// elements are known. `None` for other values.
pub fn of_constants(eval: &mut Eval<'_>, pointer: &Value) -> Evaluated<Option<Address>> {
    let Some(array) = eval.constant_array(pointer)? else {
        return Ok(None);
    };
    let (Some(dtype), Ok(index)) = (types::dtype(&array.of), i64::try_from(array.index)) else {
        return Ok(None);
    };
    let Some(bytes) = bytes_of(&array.values, dtype) else {
        return Ok(None);
    };
    let builder = &mut eval.builder;
    let mut known = builder.program.tables.iter();
    // The instances of a template declare different arrays at one place.
    let known = known.find(|table| {
        let global = builder.program.global(table.global);
        global.span == array.span && global.dtype == Some(dtype) && table.bytes == bytes
    });
    let global = match known.map(|table| table.global) {
        Some(global) => global,
        None => {
            let extent = builder.int(array.values.len() as i64);
            let global = builder.add_global(Global {
                name: array.name.as_str().into(),
                dtype: Some(dtype),
                shape: vec![extent],
                kind: GlobalKind::Workspace,
                span: array.span,
                mutex: None,
                ring: None,
            });
            builder.program.tables.push(Table { global, bytes });
            global
        }
    };
    let bytes = builder.int(dtype.bytes_of(index));
    Ok(Some(Address { global, bytes }))
}

/// Returns known integers as the bytes of memory.
fn bytes_of(values: &[Value], dtype: DType) -> Option<Vec<u8>> {
    let size = usize::try_from(dtype.bytes_of(1)).ok()?;
    if dtype.is_float() || dtype.bits() < 8 {
        return None;
    }
    let mut bytes = Vec::with_capacity(values.len() * size);
    for value in values {
        let number = value.known_int()?;
        bytes.extend(number.to_le_bytes().iter().take(size));
    }
    Some(bytes)
}

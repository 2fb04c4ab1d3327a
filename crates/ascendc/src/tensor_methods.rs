//! Methods of tensors, and tensors that are placed at an address or by an allocator.

use a2lint_cpp::eval::{AddressSpace, IntType, Kind, LibraryType, Operand, TemplateArg, Value};
use a2lint_ir::Unprepared;
use a2lint_isa::DType;

use super::cx::{Cx, Lowered, follows, lost, name_of, take};
use super::elements::{self, Tensor};
use super::objects::{Address, Object};
use super::tensors::{InGlobal, Local};
use super::{numbers, pipe, tensors, types};

/// Lowers a method of a `LocalTensor`; returns `None` for other names.
pub fn local_method(cx: &mut Cx<'_, '_, '_>, object: &Operand) -> Option<Lowered<Option<Operand>>> {
    Some(match cx.call.name {
        "operator[]" | "operator()" | "GetValue" | "SetValue" | "ReinterpretCast" | "GetSize"
        | "GetLength" | "SetSize" | "GetPhyAddr" => of_local(cx, object),
        "SetUserTag" | "SetShapeInfo" | "SetBufferLen" | "SetAddr" | "Print" => Ok(Ok(None)),
        _ => return None,
    })
}

fn of_local(cx: &mut Cx<'_, '_, '_>, object: &Operand) -> Lowered<Option<Operand>> {
    let value = cx.eval.value_of(object)?;
    let tensor = match value.library::<Object>() {
        Some(Object::Local(Some(tensor))) => *tensor,
        // A part of a tensor of the other side has no memory here, either.
        Some(Object::Local(None)) if cx.call.name == "operator[]" => {
            let value = Object::Local(None).value();
            return Ok(Ok(Some(Operand::value(
                object.ty.clone(),
                value,
                cx.call.span,
            ))));
        }
        Some(Object::Local(None)) if cx.call.name == "ReinterpretCast" => {
            let Some(element) = cx.call.template.first().cloned() else {
                follows!("the element type of a tensor is not known");
            };
            let value = Object::Local(None).value();
            let ty = pipe::local_tensor(element);
            return Ok(Ok(Some(Operand::value(ty, value, cx.call.span))));
        }
        Some(Object::Local(None)) => lost!("a tensor without memory is used"),
        _ => follows!("which tensor is meant is not known"),
    };
    cx.ask(tensor.set)?;
    let tensor = Local {
        set: None,
        ..tensor
    };
    // Element accesses are the same for tensors on the chip and in global memory.
    if let Some(lowered) = elements::method(cx, object, Tensor::Local(tensor)) {
        return lowered;
    }
    let span = cx.call.span;
    Ok(Ok(match cx.call.name {
        "ReinterpretCast" => {
            let (Some(element), Some(dtype)) =
                (cx.call.template.first().cloned(), cx.template_dtype(0))
            else {
                follows!("the element type of a tensor is not known");
            };
            let start = numbers::in_bytes(cx.builder(), tensor.offset, tensor.dtype);
            take!(cx.of_bytes("the start of the tensor", start, dtype));
            let part = tensor.reinterpreted(cx.builder(), dtype);
            let value = Object::Local(Some(part)).value();
            Some(Operand::value(pipe::local_tensor(element), value, span))
        }
        "GetPhyAddr" => {
            let mut part = tensor;
            if cx.count() > 0 {
                let index = take!(cx.number(0));
                part = tensor.from(cx.builder(), index);
            }
            let Some(element) = types::ty(part.dtype) else {
                lost!("elements of this type have no address");
            };
            let ty = Kind::Pointer(element.into(), AddressSpace::Ub);
            Some(Operand::value(ty, Object::Local(Some(part)).value(), span))
        }
        "GetSize" => Some(cx.int_operand(IntType::Unsigned, tensor.length)),
        "GetLength" => {
            let bytes = numbers::in_bytes(cx.builder(), tensor.length, tensor.dtype);
            Some(cx.int_operand(IntType::Unsigned, bytes))
        }
        _ => {
            let length = take!(cx.number(0));
            if let Some(cell) = object.object() {
                // It may be more than what the tensor was made with.
                let changed = Local {
                    length,
                    end: None,
                    ..tensor
                };
                cx.eval.write(cell, Object::Local(Some(changed)).value())?;
            }
            None
        }
    }))
}

/// Lowers a method of a `GlobalTensor`; returns `None` for other names.
pub fn global_method(
    cx: &mut Cx<'_, '_, '_>,
    object: &Operand,
) -> Option<Lowered<Option<Operand>>> {
    Some(match cx.call.name {
        "SetGlobalBuffer" => set_global_buffer(cx, object).and_then(|set| {
            if let (Err(_), Some(cell)) = (&set, object.object()) {
                // After a failure the object must not keep the tensor that it was before.
                cx.eval.write(cell, Value::Unknown)?;
            }
            Ok(set)
        }),
        "operator[]" | "operator()" | "GetValue" | "SetValue" | "GetSize" | "GetPhyAddr" => {
            of_global(cx, object)
        }
        "SetL2CacheHint" | "SetShapeInfo" => Ok(Ok(None)),
        _ => return None,
    })
}

fn set_global_buffer(cx: &mut Cx<'_, '_, '_>, object: &Operand) -> Lowered<Option<Operand>> {
    let address = take!(cx.address(0));
    let dtype = match &object.ty.kind {
        Kind::Library(of) => match of.arguments.first() {
            Some(TemplateArg::Type(ty)) => types::dtype(ty),
            _ => None,
        },
        _ => None,
    };
    let Some(dtype) = dtype else {
        follows!("the element type of a global tensor is not known");
    };
    let (given, span) = (cx.given, cx.call.span);
    let builder = cx.builder();
    let global = &mut builder.program.globals[address.global.index()];
    match global.dtype {
        None if given.is_of_bytes(&global.name) => global.dtype = Some(DType::UInt8),
        // A parameter is an address without a type: the first tensor at the address determines its element type.
        None => global.dtype = Some(dtype),
        Some(known) if known.bits() == dtype.bits() => {}
        Some(DType::UInt8) if dtype.bits() >= 8 && given.is_of_bytes(&global.name) => {}
        Some(known) => {
            let name = &global.name;
            if known.bits().min(dtype.bits()) >= 8 {
                given.mixed.borrow_mut().insert(name.to_string());
                given.mixing.borrow_mut().insert(span);
            }
            lost!("`{name}` holds elements of type {known} and of type {dtype}");
        }
    }
    let offset = take!(cx.of_bytes("the address", address.bytes, dtype));
    let size = match cx.count() {
        0 | 1 => cx.builder().int(0),
        _ => take!(cx.number(1)),
    };
    let Some(cell) = object.object() else {
        follows!("which global tensor is set is not known");
    };
    let tensor = InGlobal {
        global: address.global,
        offset,
        size,
        dtype,
        set: cx.prepared(cell, object.span, Unprepared::Global)?,
    };
    cx.eval.write(cell, Object::Global(Some(tensor)).value())?;
    Ok(Ok(None))
}

fn of_global(cx: &mut Cx<'_, '_, '_>, object: &Operand) -> Lowered<Option<Operand>> {
    let value = cx.eval.value_of(object)?;
    let tensor = match value.library::<Object>() {
        Some(Object::Global(Some(tensor))) => *tensor,
        Some(Object::Global(None)) => {
            let name = name_of(cx.map, object.span);
            return Ok(Err(cx.unprepared(
                &name,
                object.object(),
                Object::Global(None),
            )));
        }
        _ => follows!("which global tensor is meant is not known"),
    };
    cx.ask(tensor.set)?;
    let tensor = InGlobal {
        set: None,
        ..tensor
    };
    if let Some(lowered) = elements::method(cx, object, Tensor::Global(tensor)) {
        return lowered;
    }
    let span = cx.call.span;
    Ok(Ok(match cx.call.name {
        "GetSize" => Some(cx.int_operand(IntType::UnsignedLong, tensor.size)),
        _ => {
            let mut part = tensor;
            if cx.count() > 0 {
                let index = take!(cx.number(0));
                part = tensor.from(cx.builder(), index);
            }
            let bytes = numbers::in_bytes(cx.builder(), part.offset, part.dtype);
            let address = Address {
                global: part.global,
                bytes,
            };
            let Some(element) = types::ty(part.dtype) else {
                lost!("elements of this type have no address");
            };
            let ty = Kind::Pointer(element.into(), AddressSpace::Gm);
            Some(Operand::value(ty, Object::Address(address).value(), span))
        }
    }))
}

/// Returns the tensor at an on-chip address: `LocalTensor<T>(TPosition::VECIN, address, elements)`.
pub fn placed(cx: &mut Cx<'_, '_, '_>, ty: &LibraryType) -> Lowered<Object> {
    let dtype = match ty.arguments.first() {
        Some(TemplateArg::Type(ty)) => types::dtype(ty),
        _ => None,
    };
    let Some(dtype) = dtype else {
        follows!("the element type of a tensor is not known");
    };
    let Some(position) = types::position(take!(cx.known(0))) else {
        lost!("a tensor at this position is not followed");
    };
    let bytes = take!(cx.number(1));
    let length = take!(cx.number(2));
    let buffer = cx.memory(position);
    let offset = take!(cx.of_bytes("the address", bytes, dtype));
    let slot = cx.builder().int(0);
    Ok(Ok(Object::Local(Some(Local {
        buffer,
        slot,
        offset,
        length,
        end: tensors::end_of(cx.builder(), buffer, (bytes, length), dtype),
        dtype,
        set: None,
    }))))
}

/// Lowers a method of a `LocalMemAllocator`: `allocator.Alloc<T, n>()`, `allocator.Alloc<T>(n)`; `None` for others.
pub fn allocator_method(
    cx: &mut Cx<'_, '_, '_>,
    object: &Operand,
) -> Option<Lowered<Option<Operand>>> {
    (cx.call.name == "Alloc").then(|| allocate(cx, object))
}

fn allocate(cx: &mut Cx<'_, '_, '_>, object: &Operand) -> Lowered<Option<Operand>> {
    let value = cx.eval.value_of(object)?;
    let (Some(Object::Memory(position, used)), Some(cell)) =
        (value.library::<Object>(), object.object())
    else {
        follows!("the state of an allocator is not known");
    };
    // Allocators hand out addresses in ascending order, in blocks of 32 bytes, and never free memory.
    let (position, used) = (*position, *used);
    let mut types = cx.call.template.iter().filter_map(|it| match it {
        TemplateArg::Type(ty) => Some((it.clone(), types::dtype(ty)?)),
        _ => None,
    });
    // `Alloc<T, n>` and `Alloc<TPosition, T, n>`: the element type is the last type argument.
    let Some((element, dtype)) = types.next_back() else {
        follows!("the element type of a tensor is not known");
    };
    let last = cx.call.template.len().wrapping_sub(1);
    let length = match (cx.count(), cx.template_int(last)) {
        (0, Some(length)) => cx.builder().int(length),
        (0, None) => follows!("the length of a tensor is not known"),
        _ => take!(cx.number(0)),
    };
    let buffer = cx.memory(position);
    let builder = cx.builder();
    let tensor = Local {
        buffer,
        slot: builder.int(0),
        offset: numbers::of_bytes(builder, used, dtype),
        length,
        end: tensors::end_of(builder, buffer, (used, length), dtype),
        dtype,
        set: None,
    };
    let bytes = numbers::in_bytes(builder, length, dtype);
    // The next tensor starts at a block boundary, as instructions require of their operands.
    let bytes = numbers::in_blocks(builder, bytes);
    let used = numbers::add(builder, used, bytes);
    let capacity = builder.program.device.capacity(position);
    if let Some(end) = numbers::known(builder, used).filter(|&end| end > capacity) {
        lost!("`Alloc` reaches byte {end} of {position}, which has {capacity}");
    }
    cx.eval
        .write(cell, Object::Memory(position, used).value())?;
    let value = Object::Local(Some(tensor)).value();
    Ok(Ok(Some(Operand::value(
        pipe::local_tensor(element),
        value,
        cx.call.span,
    ))))
}

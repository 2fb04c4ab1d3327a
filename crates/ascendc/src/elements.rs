//! Elements of tensors: parts from an index on, and accesses by the scalar unit.

use a2lint_cpp::eval::{Operand, Place, Value};
use a2lint_ir::build::{Builder, TooLarge};
use a2lint_ir::{ArgValue, ScalarId, ScalarType, VariableKind, View};
use a2lint_isa::{DType, Opcode};
use a2lint_source::text::Span;

use super::cx::{Cx, Lowered, lost, take};
use super::emission::{Emission, Emitted};
use super::moves::number_of;
use super::objects::Object;
use super::tensors::{InGlobal, Local};
use super::types;

/// A tensor on the chip or in global memory.
#[derive(Clone, Copy, Debug)]
pub enum Tensor {
    /// A `LocalTensor`.
    Local(Local),
    /// A `GlobalTensor`, or what an address in global memory points to.
    Global(InGlobal),
}

impl Tensor {
    /// Returns the tensor that an object is; `None` for other objects, and for a tensor without memory.
    pub fn of(object: &Object) -> Option<Tensor> {
        match object {
            Object::Local(Some(tensor)) => Some(Tensor::Local(*tensor)),
            Object::Global(Some(tensor)) => Some(Tensor::Global(*tensor)),
            _ => None,
        }
    }

    /// Returns whether the parameter in global memory has elements of this type in the program.
    fn has_own_type(self, builder: &Builder) -> bool {
        match self {
            Tensor::Local(_) => true,
            Tensor::Global(tensor) => {
                let own = builder.program.global(tensor.global).dtype;
                own.is_none_or(|own| own == tensor.dtype)
            }
        }
    }

    fn dtype(self) -> DType {
        match self {
            Tensor::Local(tensor) => tensor.dtype,
            Tensor::Global(tensor) => tensor.dtype,
        }
    }

    /// Returns the part from the element `index` on.
    fn from(self, builder: &mut Builder, index: ScalarId) -> Tensor {
        match self {
            Tensor::Local(tensor) => Tensor::Local(tensor.from(builder, index)),
            Tensor::Global(tensor) => Tensor::Global(tensor.from(builder, index)),
        }
    }

    fn value(self) -> Value {
        match self {
            Tensor::Local(tensor) => Object::Local(Some(tensor)).value(),
            Tensor::Global(tensor) => Object::Global(Some(tensor)).value(),
        }
    }

    /// Returns the view of the first element.
    fn first(self, builder: &mut Builder, site: Span) -> View {
        let one = builder.int(1);
        match self {
            Tensor::Local(tensor) => View::Local(tensor.view(builder, Some(one), site)),
            Tensor::Global(tensor) => View::Global(tensor.view(builder, one, site)),
        }
    }

    /// Reads the first element by the scalar unit. Returns `None` if the element has no type in C++, or if the scalar
    /// unit does not reach the memory.
    ///
    /// # Errors
    /// The program is too large.
    pub fn read(
        self,
        builder: &mut Builder,
        site: Span,
        name_span: Span,
    ) -> Result<Option<Value>, TooLarge> {
        if !self.has_own_type(builder) {
            return Ok(None);
        }
        let of = ScalarType::of(self.dtype());
        let span = builder.statement;
        let variable = builder.variable(VariableKind::Temporary, "", of, span);
        let view = self.first(builder, site);
        let emitted = Emission::of(Opcode::GetValueFrom, name_span)
            .on(ArgValue::Variable(variable))
            .view("view", view)
            .emit(builder)?;
        if emitted == Emitted::Misfit {
            return Ok(None);
        }
        let id = builder.read(variable);
        Ok(types::ty(self.dtype()).and_then(|ty| number_of(&ty, id)))
    }

    /// Writes the first element by the scalar unit. Returns whether the scalar unit reaches the memory.
    ///
    /// # Errors
    /// The program is too large.
    pub fn write(
        self,
        builder: &mut Builder,
        value: ScalarId,
        site: Span,
        name_span: Span,
    ) -> Result<bool, TooLarge> {
        if !self.has_own_type(builder) {
            return Ok(false);
        }
        let variable = builder.temporary(value, ScalarType::of(self.dtype()))?;
        let view = self.first(builder, site);
        let emitted = Emission::of(Opcode::SetValueTo, name_span)
            .on(ArgValue::Variable(variable))
            .view("view", view)
            .emit(builder)?;
        Ok(emitted == Emitted::Done)
    }
}

/// Lowers `t[i]`, `t(i)`, `t.GetValue(i)` and `t.SetValue(i, value)`; `None` for other methods.
pub fn method(
    cx: &mut Cx<'_, '_, '_>,
    object: &Operand,
    tensor: Tensor,
) -> Option<Lowered<Option<Operand>>> {
    Some(match cx.call.name {
        "operator[]" => part(cx, object, tensor),
        "operator()" => reference(cx, tensor),
        "GetValue" => get(cx, object, tensor),
        "SetValue" => set(cx, object, tensor),
        _ => return None,
    })
}

fn part(cx: &mut Cx<'_, '_, '_>, object: &Operand, tensor: Tensor) -> Lowered<Option<Operand>> {
    let index = take!(cx.number(0));
    let part = tensor.from(cx.builder(), index).value();
    let ty = object.ty.clone().unqualified();
    Ok(Ok(Some(Operand::value(ty, part, cx.call.span))))
}

fn reference(cx: &mut Cx<'_, '_, '_>, tensor: Tensor) -> Lowered<Option<Operand>> {
    let index = take!(cx.number(0));
    let part = tensor.from(cx.builder(), index).value();
    let Some(ty) = types::ty(tensor.dtype()) else {
        lost!("elements of this type have no value");
    };
    let (place, span) = (Place::Remote(part), cx.call.span);
    Ok(Ok(Some(Operand { ty, place, span })))
}

fn get(cx: &mut Cx<'_, '_, '_>, object: &Operand, tensor: Tensor) -> Lowered<Option<Operand>> {
    let index = take!(cx.number(0));
    let name_span = cx.call.name_span;
    let element = tensor.from(cx.builder(), index);
    let Some(ty) = types::ty(tensor.dtype()) else {
        lost!("elements of this type have no value");
    };
    if let Tensor::Global(tensor) = tensor {
        take!(cx.has_own_type(tensor));
    }
    let site = cx.place(object.span);
    let Some(value) = element.read(cx.builder(), site, name_span)? else {
        lost!("the scalar unit does not reach this tensor");
    };
    Ok(Ok(Some(Operand::value(ty, value, cx.call.span))))
}

fn set(cx: &mut Cx<'_, '_, '_>, object: &Operand, tensor: Tensor) -> Lowered<Option<Operand>> {
    let (index, value) = (take!(cx.number(0)), take!(cx.number(1)));
    if let Tensor::Global(tensor) = tensor {
        take!(cx.has_own_type(tensor));
    }
    let scalars = &mut cx.builder().program.scalars;
    let value = scalars.convert(ScalarType::of(tensor.dtype()), value);
    let name_span = cx.call.name_span;
    let element = tensor.from(cx.builder(), index);
    let site = cx.place(object.span);
    if !element.write(cx.builder(), value, site, name_span)? {
        lost!("the scalar unit does not reach this tensor");
    }
    Ok(Ok(None))
}

//! Operators between tensors, and between tensors and numbers.

use std::rc::Rc;

use super::contents;
use super::object::{HostTensor, Library};
use super::promotion::{promoted, quotient, with_number, with_scalar_tensor};
use super::shapes::{self, elements};
use crate::dsl::value::Value;
use a2lint_ir::TensorInit;
use a2lint_isa::DType;
use a2lint_syntax::python::ast::{BinaryOp, UnaryOp};

/// torch's default float type; `None` if it is unknown.
pub(in super::super) type FloatType = Option<DType>;

/// Evaluates `a op b` if one operand is a tensor; `None` otherwise.
pub(in super::super) fn binary<'a>(
    default: FloatType,
    op: BinaryOp,
    a: &Value<'a>,
    b: &Value<'a>,
) -> Option<Value<'a>> {
    let result = match (a, b) {
        (Value::HostTensor(a), Value::HostTensor(b)) if op == BinaryOp::MatMul => product(a, b),
        (Value::HostTensor(a), Value::HostTensor(b)) => of_tensors(default, op, a, b),
        (Value::HostTensor(tensor), number) => with_scalar(default, op, tensor, number, true)?,
        (number, Value::HostTensor(tensor)) => with_scalar(default, op, tensor, number, false)?,
        _ => return None,
    };
    Some(Value::HostTensor(result))
}

/// Returns the element type of `a op b`, given the common type of both.
fn result_type(rules: (Library, FloatType), op: BinaryOp, common: DType) -> Option<DType> {
    match op {
        BinaryOp::Div => quotient(rules, common),
        // Differences and quotients of bools raise, or give integers, depending on the library.
        BinaryOp::Sub
        | BinaryOp::FloorDiv
        | BinaryOp::Mod
        | BinaryOp::Pow
        | BinaryOp::Shl
        | BinaryOp::Shr
            if common == DType::Bool =>
        {
            None
        }
        // Bitwise operators reject floats.
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::Shl | BinaryOp::Shr
            if common.is_float() =>
        {
            None
        }
        _ => Some(common),
    }
}

fn of_tensors(default: FloatType, op: BinaryOp, a: &HostTensor, b: &HostTensor) -> Rc<HostTensor> {
    if a.library != b.library {
        // Which library decides depends on the order of the operands and on versions.
        return a.unknown(None);
    }
    let common = common_type(a, b);
    let dtype = common.and_then(|common| result_type((a.library, default), op, common));
    stretched(a, b, dtype)
}

/// Returns the common type that two tensors of a library are converted to.
pub(super) fn common_type(a: &HostTensor, b: &HostTensor) -> Option<DType> {
    let (x, y) = (a.dtype()?, b.dtype()?);
    if x == y {
        return Some(x);
    }
    let scalars = [a.rank()? == 0, b.rank()? == 0];
    match (a.library, scalars) {
        (_, [false, false]) => promoted(a.library, x, y),
        // NumPy before version 2 looks at the values of tensors without axes.
        (Library::Numpy, _) => None,
        (Library::Torch, [true, false]) => with_scalar_tensor(y, x),
        (Library::Torch, [false, true]) => with_scalar_tensor(x, y),
        (Library::Torch, [true, true]) => promoted(a.library, x, y),
    }
}

/// Makes a tensor with the extents of two that are broadcast to each other.
pub(super) fn stretched(a: &HostTensor, b: &HostTensor, dtype: Option<DType>) -> Rc<HostTensor> {
    let ((x, names), (y, others)) = (a.extents(), b.extents());
    let shape = x
        .as_deref()
        .zip(y.as_deref())
        .and_then(|(x, y)| shapes::broadcast(x, y));
    // The names of extents survive if broadcasting leaves the shape of one operand unchanged.
    let spelled = match (&shape, &x, &y) {
        (Some(shape), Some(x), _) if shape == x => names,
        (Some(shape), _, Some(y)) if shape == y => others,
        (shape, _, _) => vec![None; shape.as_ref().map_or(0, Vec::len)],
    };
    a.fresh(dtype, (shape, spelled), TensorInit::Computed)
}

fn with_scalar<'a>(
    default: FloatType,
    op: BinaryOp,
    tensor: &HostTensor,
    number: &Value<'a>,
    is_left: bool,
) -> Option<Rc<HostTensor>> {
    if number.is_unknown() || matches!(number, Value::List(_) | Value::Tuple(_)) {
        // The operand may be convertible to a tensor to which this one is broadcast.
        return Some(tensor.unknown(None));
    }
    let value = number.as_float()?;
    let rules = (tensor.library, default);
    let common = tensor
        .dtype()
        .and_then(|dtype| with_number(rules, dtype, number));
    let dtype = common.and_then(|common| result_type(rules, op, common));
    let extents = tensor.extents();
    let count = extents.0.as_deref().and_then(elements);
    let contents = contents::converted(tensor.contents(), tensor.dtype(), dtype, count);
    let contents = contents::scaled(op, contents, value, is_left, (dtype, count));
    Some(tensor.fresh(dtype, extents, contents))
}

/// Evaluates `a @ b`.
pub(super) fn product(a: &HostTensor, b: &HostTensor) -> Rc<HostTensor> {
    if a.library != b.library {
        return a.unknown(None);
    }
    let shape = a
        .shape()
        .zip(b.shape())
        .and_then(|(a, b)| shapes::product(&a, &b));
    let dtype = match a.library {
        // torch does not promote types in matrix products; it raises.
        Library::Torch => a.dtype().filter(|&dtype| b.dtype() == Some(dtype)),
        Library::Numpy => common_type(a, b),
    };
    let spelled = vec![None; shape.as_ref().map_or(0, Vec::len)];
    a.fresh(dtype, (shape, spelled), TensorInit::Computed)
}

/// Evaluates `a < b` and other comparisons if one operand is a tensor; `None` otherwise.
pub(in super::super) fn compared<'a>(a: &Value<'a>, b: &Value<'a>) -> Option<Value<'a>> {
    let truths = Some(DType::Bool);
    let result = match (a, b) {
        (Value::HostTensor(a), Value::HostTensor(b)) if a.library == b.library => {
            stretched(a, b, truths)
        }
        (Value::HostTensor(tensor), other) | (other, Value::HostTensor(tensor)) => {
            match other.as_float() {
                Some(_) => tensor.computed(truths),
                None => return Some(Value::Unknown),
            }
        }
        _ => return None,
    };
    Some(Value::HostTensor(result))
}

/// Evaluates `-a`, `~a` and `+a`.
pub(in super::super) fn unary(op: UnaryOp, tensor: &HostTensor) -> Option<Rc<HostTensor>> {
    let dtype = tensor.dtype();
    match op {
        UnaryOp::Neg => {
            let contents = contents::negated(tensor.contents());
            // The negation of bools raises.
            let dtype = dtype.filter(|&dtype| dtype != DType::Bool);
            // Negating an unsigned number wraps around.
            let is_exact = dtype.is_some_and(|dtype| dtype.is_float() || dtype.is_signed());
            let contents = if is_exact {
                contents
            } else {
                TensorInit::Computed
            };
            Some(tensor.fresh(dtype, tensor.extents(), contents))
        }
        UnaryOp::Invert => Some(tensor.computed(dtype.filter(|dtype| !dtype.is_float()))),
        UnaryOp::Pos => Some(tensor.copy()),
        UnaryOp::Not => None,
    }
}

/// Applies a function of floats to each element; integers become floats of the library's type.
pub(in super::super) fn float_function(default: FloatType, tensor: &HostTensor) -> Rc<HostTensor> {
    let dtype = tensor
        .dtype()
        .and_then(|dtype| quotient((tensor.library, default), dtype));
    tensor.computed(dtype)
}

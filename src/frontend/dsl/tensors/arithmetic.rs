//! Arithmetic of tensors with numbers and with each other.

use std::rc::Rc;

use crate::frontend::dsl::value::Value;
use crate::ir::{LaunchTensor, TensorInit};
use crate::isa::DType;
use crate::syntax::python::ast::BinaryOp;

/// `a op b` where one of them is a tensor; `None` where none is.
pub(in super::super) fn binary<'a>(
    op: BinaryOp,
    a: &Value<'a>,
    b: &Value<'a>,
) -> Option<Value<'a>> {
    let result = match (a, b) {
        (Value::HostTensor(a), Value::HostTensor(b)) if op == BinaryOp::MatMul => {
            return Some(product(a, b));
        }
        (Value::HostTensor(a), Value::HostTensor(b)) => LaunchTensor {
            dtype: if a.dtype == b.dtype { a.dtype } else { None },
            init: TensorInit::Computed,
            ..a.of_shape(broadcast(a, b))
        },
        (Value::HostTensor(tensor), number) | (number, Value::HostTensor(tensor)) => {
            if !number.is_scalar() {
                return Some(Value::Unknown);
            }
            let becomes_float = matches!(number, Value::Float(_)) || op == BinaryOp::Div;
            let is_float = tensor.dtype.is_none_or(DType::is_float);
            LaunchTensor {
                dtype: match becomes_float && !is_float {
                    true => Some(DType::Float),
                    false => tensor.dtype,
                },
                init: scaled(
                    op,
                    tensor.init,
                    number.as_float(),
                    matches!(a, Value::HostTensor(_)),
                ),
                ..tensor.as_ref().clone()
            }
        }
        _ => return None,
    };
    Some(Value::HostTensor(Rc::new(result)))
}

/// The contents of a tensor after arithmetic with a number, as far as they can be said.
fn scaled(op: BinaryOp, init: TensorInit, number: Option<f64>, is_left: bool) -> TensorInit {
    let Some(number) = number.filter(|number| number.is_finite()) else {
        return TensorInit::Computed;
    };
    let of = |value: f64| match op {
        BinaryOp::Add => Some(value + number),
        BinaryOp::Mul => Some(value * number),
        BinaryOp::Sub if is_left => Some(value - number),
        BinaryOp::Sub => Some(number - value),
        BinaryOp::Div if is_left && number != 0.0 => Some(value / number),
        _ => None,
    };
    let between = |low: f64, high: f64| {
        let ends = of(low).zip(of(high));
        ends.map(|(a, b)| TensorInit::UniformIn(a.min(b), a.max(b)))
    };
    let normal = |mean: f64, deviation: f64| {
        let ends = of(mean).zip(of(mean + deviation));
        ends.map(|(mean, one)| TensorInit::NormalOf(mean, (one - mean).abs()))
    };
    let result = match init {
        TensorInit::Full(value) => of(value).map(TensorInit::Full),
        TensorInit::Uniform => between(0.0, 1.0),
        TensorInit::UniformIn(low, high) => between(low, high),
        TensorInit::Arange => of(0.0)
            .zip(of(1.0))
            .map(|(a, b)| TensorInit::Steps(a, b - a)),
        TensorInit::Steps(start, step) => {
            let ends = of(start).zip(of(start + step));
            ends.map(|(a, b)| TensorInit::Steps(a, b - a))
        }
        TensorInit::Normal => normal(0.0, 1.0),
        TensorInit::NormalOf(mean, deviation) => normal(mean, deviation),
        TensorInit::Empty => Some(init),
        _ => None,
    };
    result.unwrap_or(TensorInit::Computed)
}

/// The shape of two that are stretched to each other.
fn broadcast(a: &LaunchTensor, b: &LaunchTensor) -> Option<Vec<i64>> {
    let (a, b) = (a.shape.as_ref()?, b.shape.as_ref()?);
    let rank = a.len().max(b.len());
    let extent = |shape: &[i64], at: usize| {
        let from = rank - shape.len();
        at.checked_sub(from).map_or(1, |at| shape[at])
    };
    let extents = (0..rank).map(|at| match (extent(a, at), extent(b, at)) {
        (x, y) if x == y => Some(x),
        (1, y) => Some(y),
        (x, 1) => Some(x),
        _ => None,
    });
    extents.collect()
}

/// `a @ b`
pub(super) fn product<'a>(a: &LaunchTensor, b: &LaunchTensor) -> Value<'a> {
    let shape = a.shape.as_ref().zip(b.shape.as_ref()).and_then(|(x, y)| {
        let (&[.., inner], &[.., rows, columns]) = (x.as_slice(), y.as_slice()) else {
            return None;
        };
        let mut shape = x[..x.len() - 1].to_vec();
        shape.push(columns);
        (inner == rows).then_some(shape)
    });
    let mut result = a.of_shape(shape);
    result.init = TensorInit::Computed;
    Value::HostTensor(Rc::new(result))
}

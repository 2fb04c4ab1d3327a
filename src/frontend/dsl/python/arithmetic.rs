//! Python's arithmetic on plain values.

use super::super::expressions::MAX_ITEMS;
use super::super::value::Value;
use crate::syntax::python::ast::BinaryOp;

/// Python's arithmetic on plain values; unknown where it raises or is not a number.
pub(in super::super) fn static_binary<'a>(op: BinaryOp, a: &Value<'a>, b: &Value<'a>) -> Value<'a> {
    if let (Some(x), Some(y)) = (a.as_int(), b.as_int()) {
        return integer_binary(op, x, y);
    }
    if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
        return float_binary(op, x, y);
    }
    match (op, a, b) {
        (BinaryOp::Add, Value::List(x), Value::List(y)) => {
            joined(&x.borrow(), &y.borrow()).map_or(Value::Unknown, Value::list)
        }
        (BinaryOp::Add, Value::Tuple(x), Value::Tuple(y)) => {
            joined(x, y).map_or(Value::Unknown, Value::tuple)
        }
        (BinaryOp::Add, Value::Str(x), Value::Str(y)) if x.len() + y.len() <= MAX_ITEMS => {
            Value::str(&format!("{x}{y}"))
        }
        (BinaryOp::Mul, Value::Tuple(items), times)
        | (BinaryOp::Mul, times, Value::Tuple(items)) => {
            repeated(items, times).map_or(Value::Unknown, Value::tuple)
        }
        (BinaryOp::Mul, Value::List(items), times) | (BinaryOp::Mul, times, Value::List(items)) => {
            repeated(&items.borrow(), times).map_or(Value::Unknown, Value::list)
        }
        _ => Value::Unknown,
    }
}

/// A sequence so many times.
fn repeated<'a>(items: &[Value<'a>], times: &Value<'a>) -> Option<Vec<Value<'a>>> {
    let total = times.as_int()?.max(0).saturating_mul(items.len() as i128);
    let fits = total <= MAX_ITEMS as i128;
    fits.then(|| items.iter().cycle().take(total as usize).cloned().collect())
}

/// One sequence behind the other; nothing where that is too long to follow.
fn joined<'a>(x: &[Value<'a>], y: &[Value<'a>]) -> Option<Vec<Value<'a>>> {
    let fits = x.len() + y.len() <= MAX_ITEMS;
    fits.then(|| x.iter().chain(y).cloned().collect())
}

fn integer_binary<'a>(op: BinaryOp, x: i128, y: i128) -> Value<'a> {
    let small = |value: i128| u32::try_from(value).ok().filter(|&value| value < 127);
    let result = match op {
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Sub => x.checked_sub(y),
        BinaryOp::Mul => x.checked_mul(y),
        BinaryOp::FloorDiv if y != 0 => floor_div(x, y),
        BinaryOp::Mod if y != 0 => Some(floor_mod(x, y)),
        BinaryOp::Div if y != 0 => return Value::Float(x as f64 / y as f64),
        BinaryOp::Pow if y >= 0 => small(y).and_then(|y| x.checked_pow(y)),
        BinaryOp::Pow => return Value::Float((x as f64).powf(y as f64)),
        BinaryOp::BitAnd => Some(x & y),
        BinaryOp::BitOr => Some(x | y),
        BinaryOp::BitXor => Some(x ^ y),
        BinaryOp::Shl => small(y)
            .and_then(|y| 1i128.checked_shl(y))
            .and_then(|factor| x.checked_mul(factor)),
        BinaryOp::Shr => small(y).map(|y| x >> y),
        _ => None,
    };
    result.map_or(Value::Unknown, Value::Int)
}

fn floor_div(x: i128, y: i128) -> Option<i128> {
    let quotient = x.checked_div(y)?;
    Some(quotient - i128::from(x % y != 0 && (x < 0) != (y < 0)))
}

fn floor_mod(x: i128, y: i128) -> i128 {
    let rest = x.wrapping_rem(y);
    match rest != 0 && (rest < 0) != (y < 0) {
        true => rest + y,
        false => rest,
    }
}

fn float_binary<'a>(op: BinaryOp, x: f64, y: f64) -> Value<'a> {
    match op {
        BinaryOp::Add => Value::Float(x + y),
        BinaryOp::Sub => Value::Float(x - y),
        BinaryOp::Mul => Value::Float(x * y),
        BinaryOp::Div if y != 0.0 => Value::Float(x / y),
        BinaryOp::FloorDiv if y != 0.0 => Value::Float((x / y).floor()),
        BinaryOp::Pow => Value::Float(x.powf(y)),
        _ => Value::Unknown,
    }
}

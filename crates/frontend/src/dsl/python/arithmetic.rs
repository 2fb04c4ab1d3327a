//! Python's arithmetic on plain values.

use super::super::expressions::MAX_ITEMS;
use super::super::tracer::{Eval, Tracer};
use super::super::value::Value;
use super::objects::ClassKind;
use super::text::MAX_TEXT;
use a2lint_source::text::Slice;
use a2lint_syntax::python::ast::BinaryOp;

/// Computes Python's arithmetic on plain values; unknown if it raises or the operands are no plain values.
pub(in super::super) fn static_binary<'a>(op: BinaryOp, a: &Value<'a>, b: &Value<'a>) -> Value<'a> {
    let is_flag = |value: &Value| match value {
        Value::Instance(instance) => {
            matches!(instance.class.kind, ClassKind::Enum { is_flag: true, .. })
        }
        _ => false,
    };
    // The combination of flags is a member of their class, not an int.
    if is_flag(a) || is_flag(b) {
        return Value::Unknown;
    }
    // Bitwise operators of two bools give a bool; other arithmetic treats them as ints.
    if let (Value::Bool(x), Value::Bool(y)) = (a, b) {
        match op {
            BinaryOp::BitAnd => return Value::Bool(x & y),
            BinaryOp::BitOr => return Value::Bool(x | y),
            BinaryOp::BitXor => return Value::Bool(x ^ y),
            _ => {}
        }
    }
    if let (Some(x), Some(y)) = (a.as_int(), b.as_int()) {
        return integer_binary(op, x, y);
    }
    if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
        return float_binary(op, x, y);
    }
    match (op, a, b) {
        (BinaryOp::Add, Value::List(x), Value::List(y)) => {
            let both = x.known().zip(y.known());
            both.and_then(|(x, y)| joined(&x, &y))
                .map_or(Value::Unknown, Value::list)
        }
        (BinaryOp::Add, Value::Tuple(x), Value::Tuple(y)) => {
            joined(x, y).map_or(Value::Unknown, Value::tuple)
        }
        // Longer results are unknown, so that `x += x` in a loop cannot exhaust memory.
        (BinaryOp::Add, Value::Str(x), Value::Str(y)) if x.len() + y.len() <= MAX_ITEMS => {
            Value::str(&format!("{x}{y}"))
        }
        (BinaryOp::Mul, Value::Tuple(items), times)
        | (BinaryOp::Mul, times, Value::Tuple(items)) => {
            repeated(items, times).map_or(Value::Unknown, Value::tuple)
        }
        (BinaryOp::Mul, Value::List(items), times) | (BinaryOp::Mul, times, Value::List(items)) => {
            let known = items.known();
            known
                .and_then(|it| repeated(&it, times))
                .map_or(Value::Unknown, Value::list)
        }
        (BinaryOp::Mul, Value::Str(text), times) | (BinaryOp::Mul, times, Value::Str(text)) => {
            // A negative count gives an empty string, as in Python.
            let total = |times: i128| times.max(0).saturating_mul(text.len() as i128);
            match times.as_int() {
                Some(times) if total(times) <= MAX_TEXT as i128 => {
                    Value::str(&text.repeat(times.max(0) as usize))
                }
                _ => Value::Unknown,
            }
        }
        _ => Value::Unknown,
    }
}

/// Repeats a sequence; `None` if the result would be too long.
fn repeated<'a>(items: &[Value<'a>], times: &Value<'a>) -> Option<Vec<Value<'a>>> {
    let total = times.as_int()?.max(0).saturating_mul(items.len() as i128);
    let fits = total <= MAX_ITEMS as i128;
    fits.then(|| items.iter().cycle().take(total as usize).cloned().collect())
}

/// Concatenates two sequences; `None` if the result would be too long.
fn joined<'a>(x: &[Value<'a>], y: &[Value<'a>]) -> Option<Vec<Value<'a>>> {
    let fits = x.len() + y.len() <= MAX_ITEMS;
    fits.then(|| x.iter().chain(y).cloned().collect())
}

fn integer_binary<'a>(op: BinaryOp, x: i128, y: i128) -> Value<'a> {
    // Shifts and powers beyond 127 leave the range of i128 unless the base is trivial.
    let small = |value: i128| u32::try_from(value).ok().filter(|&value| value < 127);
    let result = match op {
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Sub => x.checked_sub(y),
        BinaryOp::Mul => x.checked_mul(y),
        BinaryOp::FloorDiv if y != 0 => floor_div(x, y),
        BinaryOp::Mod if y != 0 => Some(floor_mod(x, y)),
        // Beyond 2**53, the quotient of rounded floats is not the rounded quotient, which CPython computes.
        BinaryOp::Div if y != 0 && x.unsigned_abs().max(y.unsigned_abs()) <= 1 << 53 => {
            return Value::Float(x as f64 / y as f64);
        }
        BinaryOp::Pow if y >= 0 => small(y).and_then(|y| x.checked_pow(y)),
        // A negative exponent gives a float.
        BinaryOp::Pow if x != 0 => {
            let result = (x as f64).powf(y as f64);
            return if result.is_finite() {
                Value::Float(result)
            } else {
                Value::Unknown
            };
        }
        BinaryOp::BitAnd => Some(x & y),
        BinaryOp::BitOr => Some(x | y),
        BinaryOp::BitXor => Some(x ^ y),
        BinaryOp::Shl => small(y)
            .and_then(|y| 1i128.checked_shl(y))
            .and_then(|factor| x.checked_mul(factor)),
        // Python's `>>` rounds down, as an arithmetic shift does; shifts beyond the width give 0 or -1.
        BinaryOp::Shr if y >= 0 => Some(x >> y.min(127)),
        _ => None,
    };
    result.map_or(Value::Unknown, Value::Int)
}

fn floor_div(x: i128, y: i128) -> Option<i128> {
    let quotient = x.checked_div(y)?;
    // Python rounds the quotient down, Rust towards zero.
    Some(quotient - i128::from(x % y != 0 && (x < 0) != (y < 0)))
}

fn floor_mod(x: i128, y: i128) -> i128 {
    let rest = x.wrapping_rem(y);
    // The remainder has the sign of the divisor.
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
        BinaryOp::FloorDiv if y != 0.0 => Value::Float(float_divided(x, y).0),
        BinaryOp::Mod if y != 0.0 => Value::Float(float_divided(x, y).1),
        BinaryOp::Pow => {
            let result = x.powf(y);
            // CPython raises `OverflowError` for results that are too large, and returns a complex number for a root
            // of a negative one.
            match x.is_finite() && y.is_finite() && !result.is_finite() {
                true => Value::Unknown,
                false => Value::Float(result),
            }
        }
        _ => Value::Unknown,
    }
}

/// Returns quotient and remainder of floats, by the algorithm of CPython's `float_divmod`.
fn float_divided(x: f64, y: f64) -> (f64, f64) {
    let mut rest = x % y;
    let mut quotient = (x - rest) / y;
    if rest == 0.0 {
        // A zero remainder has the sign of the divisor.
        rest = 0f64.copysign(y);
    } else if (y < 0.0) != (rest < 0.0) {
        rest += y;
        quotient -= 1.0;
    }
    let whole = match quotient == 0.0 {
        true => 0f64.copysign(x / y),
        false => {
            // The quotient is a whole number up to rounding; it is snapped to the nearest one.
            let below = quotient.floor();
            if quotient - below > 0.5 {
                below + 1.0
            } else {
                below
            }
        }
    };
    (whole, rest)
}

impl<'a> Tracer<'a> {
    /// Computes arithmetic on values of Python's own classes, and raises what Python raises.
    pub fn plain_binary(&mut self, op: BinaryOp, a: Value<'a>, b: Value<'a>) -> Eval<Value<'a>> {
        let span = self.here();
        // Methods of the file's classes come first.
        if let Some(result) = self.class_binary(op, (&a, &b), span)? {
            return Ok(result);
        }
        if let Some(container) = self.container_binary(op, &a, &b)? {
            return Ok(container);
        }
        if let (BinaryOp::Mod, Value::Str(text)) = (op, &a) {
            return self.percent_format(&text.clone(), &b);
        }
        let result = static_binary(op, &a, &b);
        // In a kernel, nothing is thrown: an exception would end the trace at a place that may not be reached.
        if !result.is_unknown() || self.in_kernel() {
            return Ok(result);
        }
        let divides = matches!(op, BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod);
        let is_zero = b.as_float() == Some(0.0);
        if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
            let is_power_of_zero = op == BinaryOp::Pow && x == 0.0 && y < 0.0;
            if (divides && is_zero) || is_power_of_zero {
                return self.throw("ZeroDivisionError", Value::Unknown);
            }
            if matches!(op, BinaryOp::Shl | BinaryOp::Shr)
                && y < 0.0
                && b.as_int().is_some()
                && a.as_int().is_some()
            {
                return self.throw("ValueError", Value::Unknown);
            }
            let is_bitwise = matches!(
                op,
                BinaryOp::BitAnd
                    | BinaryOp::BitOr
                    | BinaryOp::BitXor
                    | BinaryOp::Shl
                    | BinaryOp::Shr
            );
            let has_float = matches!(a, Value::Float(_)) || matches!(b, Value::Float(_));
            // Bitwise operators and `@` are not defined for floats.
            if (is_bitwise && has_float) || op == BinaryOp::MatMul {
                return self.throw("TypeError", Value::Unknown);
            }
            return self.not_followed();
        }
        let is_own = |value: &Value| {
            matches!(
                value,
                Value::None
                    | Value::Bool(_)
                    | Value::Int(_)
                    | Value::Float(_)
                    | Value::Str(_)
                    | Value::Tuple(_)
                    | Value::List(_)
                    | Value::Dict(_)
            )
        };
        let kinds = (a.type_name(), b.type_name());
        let is_sequence = |kind: &str| matches!(kind, "str" | "tuple" | "list");
        let repeats = op == BinaryOp::Mul && (is_sequence(kinds.0) || is_sequence(kinds.1));
        let is_supported = match op {
            BinaryOp::Add => kinds.0 == kinds.1 && is_sequence(kinds.0),
            // `dict | dict` merges; with any other right operand the class of that operand decides.
            BinaryOp::BitOr => kinds.0 == "dict",
            _ => repeats && (a.as_int().is_some() || b.as_int().is_some()),
        };
        match is_own(&a) && is_own(&b) && !is_supported {
            true => self.throw("TypeError", Value::Unknown),
            false => self.not_followed(),
        }
    }

    /// Evaluates `text % values`.
    fn percent_format(&mut self, text: &str, values: &Value<'a>) -> Eval<Value<'a>> {
        let values = match values {
            Value::Tuple(items) => items.to_vec(),
            // `%(name)s` takes its values from a dictionary.
            Value::Dict(_) => return self.not_followed(),
            one => vec![one.clone()],
        };
        let span = self.here();
        let mut values = values.into_iter();
        let mut result = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('%') {
            result.push_str(rest.part(..at));
            let tail = rest.part(at + 1..);
            if let Some(after) = tail.strip_prefix('%') {
                result.push('%');
                rest = after;
                continue;
            }
            let end = tail.find(|c: char| c.is_ascii_alphabetic());
            let (Some(end), Some(value)) = (end, values.next()) else {
                return self.not_followed();
            };
            let (spec, kind) = (tail.part(..end), tail.part(end..=end));
            // Flags and a width of `*` are not followed.
            let is_plain = spec.chars().all(|c| c.is_ascii_digit() || c == '.');
            let value = match (kind, &value) {
                ("s", value) => self.text_of(value, span)?.map(|text| Value::str(&text)),
                ("r", value) => self.repr_of(value, span)?.map(|text| Value::str(&text)),
                ("d" | "x" | "f" | "i", value) if value.as_float().is_some() => {
                    let is_whole = value.as_int().map(Value::Int);
                    if kind == "f" {
                        Some(is_whole.unwrap_or(value.clone()))
                    } else {
                        is_whole
                    }
                }
                _ => None,
            };
            let Some(value) = value.filter(|_| is_plain) else {
                return self.not_followed();
            };
            let spec = match (kind, spec) {
                ("s" | "r", "") => String::new(),
                // `%5s` aligns to the right, while `format` aligns strings to the left.
                ("s" | "r", width) if !width.starts_with('0') => format!(">{width}"),
                ("i", spec) => format!("{spec}d"),
                (kind, spec) => format!("{spec}{kind}"),
            };
            match self.formatted(&value, &spec, span)? {
                Some(shown) if result.len() + shown.len() <= MAX_TEXT => result.push_str(&shown),
                _ => return self.not_followed(),
            }
            rest = tail.part(end + 1..);
        }
        result.push_str(rest);
        match values.next() {
            // All values must be used: "not all arguments converted during string formatting".
            Some(_) => self.throw("TypeError", Value::Unknown),
            None => Ok(Value::str(&result)),
        }
    }
}

//! Functions of numbers: Python's own, `math`, and those of numpy that scalars take.

use super::super::emit::Arguments;
use super::super::tracer::{Eval, Tracer};
use super::super::value::Value;
use super::arithmetic::static_binary;
use super::native::{Call, Native};
use crate::isa::DType;
use crate::syntax::python::ast::BinaryOp;

pub const TABLE: &[Native] = &[
    native("math", "sqrt", |_, args, _| Ok(float(args, f64::sqrt))),
    native("math", "ceil", |_, args, _| Ok(whole(args, f64::ceil))),
    native("math", "floor", |_, args, _| Ok(whole(args, f64::floor))),
    native("math", "trunc", |_, args, _| Ok(whole(args, f64::trunc))),
    native("math", "log2", |_, args, _| Ok(float(args, f64::log2))),
    native("math", "log10", |_, args, _| Ok(float(args, f64::log10))),
    native("math", "log", |_, args, _| Ok(logarithm(args))),
    native("math", "exp", |_, args, _| Ok(float(args, f64::exp))),
    native("math", "fabs", |_, args, _| Ok(float(args, f64::abs))),
    native("math", "sin", |_, args, _| Ok(float(args, f64::sin))),
    native("math", "cos", |_, args, _| Ok(float(args, f64::cos))),
    native("math", "tanh", |_, args, _| Ok(float(args, f64::tanh))),
    native("math", "pow", |_, args, _| Ok(power(args))),
    native("math", "prod", |tracer, args, _| {
        tracer.fold(args, BinaryOp::Mul, 1)
    }),
    native("math", "gcd", |_, args, _| Ok(common(args, gcd))),
    native("math", "lcm", |_, args, _| Ok(common(args, lcm))),
    native("math", "isqrt", |_, args, _| Ok(isqrt(args))),
    native("math", "isinf", |_, args, _| {
        Ok(test(args, f64::is_infinite))
    }),
    native("math", "isnan", |_, args, _| Ok(test(args, f64::is_nan))),
    native("math", "isfinite", |_, args, _| {
        Ok(test(args, f64::is_finite))
    }),
    native("numpy", "sqrt", |_, args, _| Ok(float(args, f64::sqrt))),
    native("numpy", "ceil", |_, args, _| Ok(float(args, f64::ceil))),
    native("numpy", "floor", |_, args, _| Ok(float(args, f64::floor))),
    native("numpy", "log2", |_, args, _| Ok(float(args, f64::log2))),
    native("numpy", "log", |_, args, _| Ok(float(args, f64::ln))),
    native("numpy", "abs", |_, args, _| Ok(absolute(args))),
    native("numpy", "prod", |tracer, args, _| {
        tracer.fold(args, BinaryOp::Mul, 1)
    }),
    native("numpy", "sum", |tracer, args, _| {
        tracer.fold(args, BinaryOp::Add, 0)
    }),
    native("numpy", "gcd", |_, args, _| Ok(common(args, gcd))),
    native("numpy", "lcm", |_, args, _| Ok(common(args, lcm))),
    native("numpy", "power", |_, args, _| Ok(power(args))),
    native("numpy", "dtype", |_, args, _| Ok(dtype(args))),
    native("", "abs", |_, args, _| Ok(absolute(args))),
    native("", "round", |_, args, _| Ok(rounded(args))),
    native("", "int", |_, args, _| Ok(integer(args))),
    native("", "float", |_, args, _| Ok(python_float(args))),
    native("", "bool", |_, args, _| Ok(truth(args))),
    native("", "pow", |_, args, _| Ok(power(args))),
    native("", "divmod", |_, args, _| Ok(divided(args))),
    native("", "hex", |_, args, _| {
        Ok(in_base(args, |n| format!("0x{n:x}")))
    }),
    native("", "bin", |_, args, _| {
        Ok(in_base(args, |n| format!("0b{n:b}")))
    }),
    native("", "sum", |tracer, args, _| {
        tracer.fold(args, BinaryOp::Add, 0)
    }),
];

const fn native(module: &'static str, name: &'static str, call: Call) -> Native {
    Native { module, name, call }
}

fn number(args: &Arguments) -> Option<f64> {
    args.at(0)?.as_float()
}

fn known<'a, T>(value: Option<T>, make: impl FnOnce(T) -> Value<'a>) -> Value<'a> {
    value.map_or(Value::Unknown, make)
}

/// A function of floats. Of tensors it makes tensors.
fn float<'a>(args: &Arguments<'a>, of: fn(f64) -> f64) -> Value<'a> {
    match args.at(0) {
        // Of whole numbers these make floats of a size that depends on the library.
        Some(Value::HostTensor(tensor)) => {
            let dtype = tensor.dtype().filter(|dtype| dtype.is_float());
            Value::HostTensor(tensor.computed(dtype))
        }
        _ => known(number(args), |number| Value::Float(of(number))),
    }
}

fn whole<'a>(args: &Arguments<'a>, of: fn(f64) -> f64) -> Value<'a> {
    if let Some(number) = args.at(0).and_then(|value| value.as_int()) {
        return Value::Int(number);
    }
    let number = number(args).map(of).filter(|number| number.is_finite());
    known(number, |number| Value::Int(number as i128))
}

fn test<'a>(args: &Arguments<'a>, of: fn(f64) -> bool) -> Value<'a> {
    known(number(args), |number| Value::Bool(of(number)))
}

fn logarithm<'a>(args: &Arguments<'a>) -> Value<'a> {
    let base = args.at(1).map(|base| base.as_float());
    match base {
        None => float(args, f64::ln),
        Some(base) => known(number(args).zip(base), |(number, base)| {
            Value::Float(number.ln() / base.ln())
        }),
    }
}

fn power<'a>(args: &Arguments<'a>) -> Value<'a> {
    match (args.at(0), args.at(1), args.at(2)) {
        (Some(a), Some(b), None) => static_binary(BinaryOp::Pow, a, b),
        _ => Value::Unknown,
    }
}

fn divided<'a>(args: &Arguments<'a>) -> Value<'a> {
    let (Some(a), Some(b)) = (args.at(0), args.at(1)) else {
        return Value::Unknown;
    };
    let parts = [BinaryOp::FloorDiv, BinaryOp::Mod].map(|op| static_binary(op, a, b));
    Value::tuple(parts.to_vec())
}

fn gcd(a: i128, b: i128) -> Option<i128> {
    let (mut a, mut b) = (a.checked_abs()?, b.checked_abs()?);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    Some(a)
}

fn lcm(a: i128, b: i128) -> Option<i128> {
    match gcd(a, b)? {
        0 => Some(0),
        divisor => (a / divisor).checked_mul(b)?.checked_abs(),
    }
}

fn common<'a>(args: &Arguments<'a>, of: fn(i128, i128) -> Option<i128>) -> Value<'a> {
    let numbers: Option<Vec<i128>> = args.plain().iter().map(|value| value.as_int()).collect();
    let numbers = numbers.filter(|numbers| !numbers.is_empty());
    let all = numbers.and_then(|numbers| {
        let mut rest = numbers.into_iter();
        let first = rest.next()?.checked_abs()?;
        rest.try_fold(first, of)
    });
    known(all, Value::Int)
}

fn isqrt<'a>(args: &Arguments<'a>) -> Value<'a> {
    let number = args.at(0).and_then(|value| value.as_int());
    let number = number.and_then(|number| u128::try_from(number).ok());
    known(number, |number| Value::Int(number.isqrt() as i128))
}

fn absolute<'a>(args: &Arguments<'a>) -> Value<'a> {
    match args.at(0).and_then(|value| value.as_int()) {
        Some(number) => known(number.checked_abs(), Value::Int),
        None => float(args, f64::abs),
    }
}

fn rounded<'a>(args: &Arguments<'a>) -> Value<'a> {
    match args.at(1).or(args.keyword("ndigits")) {
        None => whole(args, f64::round_ties_even),
        Some(_) => match args.at(0).and_then(|value| value.as_int()) {
            Some(number) => Value::Int(number),
            None => Value::Unknown,
        },
    }
}

fn integer<'a>(args: &Arguments<'a>) -> Value<'a> {
    match (args.at(0), args.at(1)) {
        (None, None) => Value::Int(0),
        (Some(Value::Str(text)), None) => {
            known(text.trim().replace('_', "").parse().ok(), Value::Int)
        }
        (Some(_), None) => whole(args, f64::trunc),
        _ => Value::Unknown,
    }
}

/// `float("…")`
fn python_float<'a>(args: &Arguments<'a>) -> Value<'a> {
    let Some(Value::Str(text)) = args.at(0) else {
        return known(number(args), Value::Float);
    };
    let number = match text.trim().to_ascii_lowercase().as_str() {
        "inf" | "+inf" | "infinity" | "+infinity" => Some(f64::INFINITY),
        "-inf" | "-infinity" => Some(f64::NEG_INFINITY),
        "nan" => Some(f64::NAN),
        number => number.replace('_', "").parse().ok(),
    };
    known(number, Value::Float)
}

fn truth<'a>(args: &Arguments<'a>) -> Value<'a> {
    match args.at(0) {
        None => Value::Bool(false),
        Some(value) => known(value.truth(), Value::Bool),
    }
}

fn in_base<'a>(args: &Arguments<'a>, of: fn(i128) -> String) -> Value<'a> {
    let number = args.at(0).and_then(|value| value.as_int());
    known(number.filter(|number| *number >= 0), |number| {
        Value::str(&of(number))
    })
}

/// `np.dtype("float16")`
fn dtype<'a>(args: &Arguments<'a>) -> Value<'a> {
    match args.at(0) {
        Some(Value::DType(dtype)) => Value::DType(*dtype),
        Some(Value::Str(name)) => known(dtype_of_text(name), Value::DType),
        _ => Value::Unknown,
    }
}

/// An element type as text names it.
pub fn dtype_of_text(name: &str) -> Option<DType> {
    match name {
        "float" | "int" | "long" | "short" | "half" | "bool" => None,
        _ => super::super::facade::torch_dtype(name),
    }
}

impl<'a> Tracer<'a> {
    /// `sum(items, start)`, `math.prod(items, start=1)`
    fn fold(&mut self, args: &Arguments<'a>, op: BinaryOp, start: i128) -> Eval<Value<'a>> {
        let items = match args.at(0) {
            Some(items) => self.static_items(items)?,
            None => None,
        };
        let Some(items) = items else {
            return Ok(Value::Unknown);
        };
        let given = args.at(1).or(args.keyword("start")).cloned();
        let mut total = given.unwrap_or(Value::Int(start));
        for item in items {
            self.step()?;
            total = static_binary(op, &total, &item);
        }
        Ok(total)
    }
}

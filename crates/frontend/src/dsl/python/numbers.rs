//! Functions of numbers: builtins, `math`, and scalar functions of numpy.

use std::cmp::Ordering;

use super::super::emit::Arguments;
use super::super::tracer::{Eval, Tracer};
use super::super::value::Value;
use super::arithmetic::static_binary;
use super::native::{Call, Native, Site};
use a2lint_isa::DType;
use a2lint_source::text::Slice;
use a2lint_syntax::python::ast::BinaryOp;

pub const TABLE: &[Native] = &[
    native("math", "sqrt", |tracer, args, _| {
        // Outside of its domain the function raises; `in_domain` leaves that unknown.
        in_domain(tracer, args, |number| number >= 0.0, f64::sqrt)
    }),
    native("math", "ceil", |_, args, _| Ok(whole(args, f64::ceil))),
    native("math", "floor", |_, args, _| Ok(whole(args, f64::floor))),
    native("math", "trunc", |_, args, _| Ok(whole(args, f64::trunc))),
    native("math", "log2", |tracer, args, _| {
        in_domain(tracer, args, |number| number > 0.0, f64::log2)
    }),
    native("math", "log10", |tracer, args, _| {
        in_domain(tracer, args, |number| number > 0.0, f64::log10)
    }),
    native("math", "log", |tracer, args, _| logarithm(tracer, args)),
    native("math", "exp", |tracer, args, _| {
        // `exp(710)` overflows, which raises in Python.
        in_domain(tracer, args, |number| number < 700.0, f64::exp)
    }),
    native("math", "fabs", |_, args, _| Ok(float(args, f64::abs))),
    native("math", "sin", |tracer, args, _| {
        in_domain(tracer, args, |number| !number.is_infinite(), f64::sin)
    }),
    native("math", "cos", |tracer, args, _| {
        in_domain(tracer, args, |number| !number.is_infinite(), f64::cos)
    }),
    native("math", "tanh", |_, args, _| Ok(float(args, f64::tanh))),
    native("math", "pow", |_, args, _| Ok(float_power(args))),
    native("math", "prod", |tracer, args, _| {
        tracer.fold(args, BinaryOp::Mul, 1)
    }),
    native("math", "gcd", |_, args, _| Ok(common(args, gcd))),
    native("math", "lcm", |_, args, _| Ok(common(args, lcm))),
    native("math", "isqrt", |_, args, _| Ok(isqrt(args))),
    native("math", "factorial", |tracer, args, _| {
        match args.plain().as_slice() {
            [Value::Int(n)] => counted(tracer, *n, *n),
            _ => tracer.not_followed(),
        }
    }),
    native("math", "perm", |tracer, args, _| {
        match args.plain().as_slice() {
            [Value::Int(n)] | [Value::Int(n), Value::None] => counted(tracer, *n, *n),
            [Value::Int(n), Value::Int(k)] => counted(tracer, *n, *k),
            _ => tracer.not_followed(),
        }
    }),
    native("math", "comb", |tracer, args, _| {
        match args.plain().as_slice() {
            [Value::Int(n), Value::Int(k)] => chosen(tracer, *n, *k),
            _ => tracer.not_followed(),
        }
    }),
    native("math", "isinf", |_, args, _| {
        Ok(test(args, f64::is_infinite))
    }),
    native("math", "isnan", |_, args, _| Ok(test(args, f64::is_nan))),
    native("math", "isfinite", |_, args, _| {
        Ok(test(args, f64::is_finite))
    }),
    // numpy returns NaN instead of raising outside of the domain.
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
    native("", "abs", |tracer, args, site| {
        match tracer.said(args, "__abs__", site)? {
            Some(said) => Ok(said),
            None => Ok(absolute(args)),
        }
    }),
    native("", "round", |tracer, args, site| {
        match tracer.said(args, "__round__", site)? {
            Some(said) => Ok(said),
            None => Ok(rounded(args)),
        }
    }),
    native("", "int", |tracer, args, site| tracer.integer(args, site)),
    native("", "float", |tracer, args, site| {
        match tracer.said(args, "__float__", site)? {
            Some(Value::Float(number)) => Ok(Value::Float(number)),
            Some(_) => tracer.not_followed(),
            None => python_float(tracer, args),
        }
    }),
    native("", "bool", |tracer, args, site| {
        match args.plain().as_slice() {
            [] => Ok(Value::Bool(false)),
            [value] => {
                let value = tracer.condition(value.clone(), site.span)?;
                Ok(known(value.truth(), Value::Bool))
            }
            _ => tracer.not_followed(),
        }
    }),
    native("", "pow", |tracer, args, _| match args.plain().as_slice() {
        [a, b] => tracer.plain_binary(BinaryOp::Pow, a.clone(), b.clone()),
        [a, b, modulus] => Ok(modular_power(a, b, modulus)),
        _ => tracer.not_followed(),
    }),
    native("", "divmod", divided),
    native("", "hex", |_, args, _| {
        Ok(in_base(args, |n| format!("0x{n:x}")))
    }),
    native("", "bin", |_, args, _| {
        Ok(in_base(args, |n| format!("0b{n:b}")))
    }),
    native("", "oct", |_, args, _| {
        Ok(in_base(args, |n| format!("0o{n:o}")))
    }),
    native("", "sum", |tracer, args, _| {
        tracer.fold(args, BinaryOp::Add, 0)
    }),
];

const fn native(module: &'static str, name: &'static str, call: Call) -> Native {
    Native { module, name, call }
}

/// Returns the number of arrangements of `k` of `n` things.
fn counted<'a>(tracer: &mut Tracer<'a>, n: i128, k: i128) -> Eval<Value<'a>> {
    if n < 0 || k < 0 {
        return tracer.throw("ValueError", Value::Unknown);
    }
    if k > n {
        return Ok(Value::Int(0));
    }
    // The product of more than 40 factors never fits 128 bits.
    let mut factors = (0..k.min(40)).map(|at| n - at);
    let product = factors.try_fold(1i128, |product, factor| product.checked_mul(factor));
    match product.filter(|_| k <= 40) {
        Some(product) => Ok(Value::Int(product)),
        None => tracer.not_followed(),
    }
}

/// Returns the number of ways to choose `k` of `n` things.
fn chosen<'a>(tracer: &mut Tracer<'a>, n: i128, k: i128) -> Eval<Value<'a>> {
    if n < 0 || k < 0 {
        return tracer.throw("ValueError", Value::Unknown);
    }
    if k > n {
        return Ok(Value::Int(0));
    }
    let k = k.min(n - k);
    // The division is exact at every step: the running product of j factors is divisible by j!.
    let next = |count: i128, at: i128| Some(count.checked_mul(n - at)? / (at + 1));
    let count = (0..k.min(200)).try_fold(1i128, next);
    match count.filter(|_| k <= 200) {
        Some(count) => Ok(Value::Int(count)),
        None => tracer.not_followed(),
    }
}

fn number(args: &Arguments) -> Option<f64> {
    args.at(0)?.as_float()
}

fn known<'a, T>(value: Option<T>, make: impl FnOnce(T) -> Value<'a>) -> Value<'a> {
    value.map_or(Value::Unknown, make)
}

/// Applies a function of floats. A tensor gives a tensor with unknown elements.
fn float<'a>(args: &Arguments<'a>, of: fn(f64) -> f64) -> Value<'a> {
    match args.at(0) {
        // The size of floats that integers are converted to depends on the library.
        Some(Value::HostTensor(tensor)) => {
            let dtype = tensor.dtype().filter(|dtype| dtype.is_float());
            Value::HostTensor(tensor.computed(dtype))
        }
        _ => known(number(args), |number| Value::Float(of(number))),
    }
}

fn whole<'a>(args: &Arguments<'a>, of: fn(f64) -> f64) -> Value<'a> {
    // Rounding an int is the identity, also for ints that a float cannot represent.
    if let Some(number) = args.at(0).and_then(|value| value.as_int()) {
        return Value::Int(number);
    }
    // Larger floats do not fit 128 bits.
    let number = number(args).map(of).filter(|number| number.abs() < 1e38);
    known(number, |number| Value::Int(number as i128))
}

/// Applies a function of floats that raises outside of its domain.
fn in_domain<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    is_inside: fn(f64) -> bool,
    of: fn(f64) -> f64,
) -> Eval<Value<'a>> {
    match number(args) {
        Some(number) if !is_inside(number) => tracer.not_followed(),
        _ => Ok(float(args, of)),
    }
}

fn test<'a>(args: &Arguments<'a>, of: fn(f64) -> bool) -> Value<'a> {
    known(number(args), |number| Value::Bool(of(number)))
}

/// Evaluates `math.log`.
fn logarithm<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let mut logarithms = Vec::new();
    for given in args.plain() {
        let Some(number) = given.as_float() else {
            return tracer.not_followed();
        };
        if number <= 0.0 {
            return tracer.throw("ValueError", Value::Unknown);
        }
        logarithms.push(number.ln());
    }
    match logarithms.as_slice() {
        [of] => Ok(Value::Float(*of)),
        // CPython computes `log(x, base)` as this quotient, with the same rounding.
        [_, base] if *base == 0.0 => tracer.throw("ZeroDivisionError", Value::Unknown),
        [of, base] => Ok(Value::Float(of / base)),
        _ => tracer.not_followed(),
    }
}

/// Evaluates `math.pow`, which converts its arguments to floats.
fn float_power<'a>(args: &Arguments<'a>) -> Value<'a> {
    let exponent = args.at(1).and_then(|value| value.as_float());
    let power = number(args).zip(exponent).map(|(a, b)| a.powf(b));
    // An overflow raises `OverflowError`.
    known(power.filter(|power| power.is_finite()), Value::Float)
}

/// Evaluates `pow(a, b, modulus)`.
fn modular_power<'a>(a: &Value<'a>, b: &Value<'a>, modulus: &Value<'a>) -> Value<'a> {
    let (Some(base), Some(exponent), Some(modulus)) = (a.as_int(), b.as_int(), modulus.as_int())
    else {
        return Value::Unknown;
    };
    // The modulus is bounded so that products fit 128 bits; a negative exponent needs an inverse.
    if exponent < 0 || modulus <= 0 || modulus > i64::MAX.into() {
        return Value::Unknown;
    }
    let (mut result, mut factor, mut left) = (1 % modulus, base.rem_euclid(modulus), exponent);
    while left > 0 {
        if left & 1 == 1 {
            result = result * factor % modulus;
        }
        factor = factor * factor % modulus;
        left >>= 1;
    }
    Value::Int(result)
}

fn power<'a>(args: &Arguments<'a>) -> Value<'a> {
    match (args.at(0), args.at(1), args.at(2)) {
        (Some(a), Some(b), None) => static_binary(BinaryOp::Pow, a, b),
        _ => Value::Unknown,
    }
}

fn divided<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, site: Site) -> Eval<Value<'a>> {
    if let Some(said) = tracer.said(args, "__divmod__", site)? {
        return Ok(said);
    }
    let (Some(a), Some(b)) = (args.at(0).cloned(), args.at(1).cloned()) else {
        return tracer.not_followed();
    };
    let quotient = tracer.plain_binary(BinaryOp::FloorDiv, a.clone(), b.clone())?;
    let rest = tracer.plain_binary(BinaryOp::Mod, a, b)?;
    Ok(match quotient.is_unknown() || rest.is_unknown() {
        true => Value::Unknown,
        false => Value::tuple(vec![quotient, rest]),
    })
}

fn gcd(a: i128, b: i128) -> Option<i128> {
    let (mut a, mut b) = (a.checked_abs()?, b.checked_abs()?);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    Some(a)
}

fn lcm(a: i128, b: i128) -> Option<i128> {
    // `lcm(0, n)` is 0.
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
    // `isqrt` of u128 is exact, unlike the square root of a float.
    known(number, |number| Value::Int(number.isqrt() as i128))
}

fn absolute<'a>(args: &Arguments<'a>) -> Value<'a> {
    match args.at(0).and_then(|value| value.as_int()) {
        Some(number) => known(number.checked_abs(), Value::Int),
        None => float(args, f64::abs),
    }
}

fn rounded<'a>(args: &Arguments<'a>) -> Value<'a> {
    let digits = args.at(1).or(args.keyword("ndigits"));
    let digits = digits.filter(|digits| !matches!(digits, Value::None));
    match (digits, args.at(0)) {
        // Python rounds halves to even.
        (None, _) => whole(args, f64::round_ties_even),
        (Some(digits), Some(Value::Float(number))) => {
            let digits = digits
                .as_int()
                .and_then(|digits| usize::try_from(digits).ok());
            // Rounds the exact decimal expansion of the float, as CPython does, not a scaled float.
            let text = digits
                .filter(|digits| *digits <= 20)
                .map(|digits| format!("{number:.digits$}"));
            known(text.and_then(|text| text.parse().ok()), Value::Float)
        }
        (Some(digits), Some(number)) => {
            let (Some(number), Some(digits)) = (number.as_int(), digits.as_int()) else {
                return Value::Unknown;
            };
            // Negative digits round to tens, hundreds and so on; positive ones leave an int unchanged.
            let unit = match u32::try_from(digits.saturating_neg()) {
                Ok(places @ 0..=30) => 10i128.pow(places),
                Ok(_) => return Value::Unknown,
                Err(_) => return Value::Int(number),
            };
            let rest = number.rem_euclid(unit);
            let low = number.checked_sub(rest);
            let is_odd = number.div_euclid(unit) % 2 != 0;
            let is_up = rest * 2 > unit || (rest * 2 == unit && is_odd);
            let up = if is_up { unit } else { 0 };
            // The multiple may not fit 128 bits.
            known(low.and_then(|low| low.checked_add(up)), Value::Int)
        }
        _ => Value::Unknown,
    }
}

/// Returns whether two numbers are equal; `None` if one of the values is no number.
pub fn equal_numbers(a: &Value, b: &Value) -> Option<bool> {
    match (a.as_int(), b.as_int()) {
        (Some(a), Some(b)) => Some(a == b),
        _ => Some(matches!(
            (a.as_float()?, b.as_float()?, order_numbers(a, b)),
            (_, _, Some(Ordering::Equal))
        )),
    }
}

/// Returns the order of two numbers; `None` if one of the values is no number, or NaN.
pub fn order_numbers(a: &Value, b: &Value) -> Option<Ordering> {
    match (a.as_int(), b.as_int()) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        (Some(a), None) => order_mixed(a, b.as_float()?),
        (None, Some(b)) => order_mixed(b, a.as_float()?).map(Ordering::reverse),
        (None, None) => a.as_float()?.partial_cmp(&b.as_float()?),
    }
}

/// Compares an int with a float exactly, without rounding either.
fn order_mixed(integer: i128, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    // Any int is below 2**127 and not below -2**127; between these, the conversion of a whole float is exact.
    let end = -(i128::MIN as f64);
    if float >= end {
        return Some(Ordering::Less);
    }
    if float < -end {
        return Some(Ordering::Greater);
    }
    let below = float.floor();
    Some(integer.cmp(&(below as i128)).then(match float > below {
        true => Ordering::Less,
        false => Ordering::Equal,
    }))
}

/// Returns whether `int` and `float` skip a character around a number of ASCII text.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r')
}

/// Maximum length of a text that is certainly a number below 2**127 if it is a number, in any base.
const MAX_SHORT: usize = 24;

/// Parses a string as `int(text, base)` does; `None` if that raises or the number is too large.
fn parsed(text: &str, base: u32) -> Option<i128> {
    let text = text.trim_matches(is_space);
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = digits.to_ascii_lowercase();
    // A prefix is allowed if it matches the base, or if the base is 0.
    let marked = [("0x", 16), ("0b", 2), ("0o", 8)].into_iter();
    let mut marked =
        marked.filter(|(mark, of)| lower.starts_with(mark) && (base == 0 || base == *of));
    let (digits, base) = match marked.next() {
        // An underscore may follow the prefix: `0x_1`.
        Some((mark, of)) => {
            let digits = lower.part(mark.len()..);
            (digits.strip_prefix('_').unwrap_or(digits).to_owned(), of)
        }
        // With base 0, leading zeros of another number than 0 are an error, as in a literal.
        None if base == 0 && lower.starts_with('0') && lower.contains(|c| c != '0' && c != '_') => {
            return None;
        }
        None => (lower, if base == 0 { 10 } else { base }),
    };
    let is_wrong = digits.is_empty()
        || digits.starts_with(['_', '+', '-'])
        || digits.ends_with('_')
        || digits.contains("__");
    if is_wrong {
        return None;
    }
    let number = i128::from_str_radix(&digits.replace('_', ""), base).ok()?;
    Some(if is_negative { -number } else { number })
}

/// Evaluates `float("…")`.
fn python_float<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let text = match args.plain().as_slice() {
        [] => return Ok(Value::Float(0.0)),
        [Value::Str(text)] => text.clone(),
        [Value::None | Value::List(_) | Value::Tuple(_) | Value::Dict(_)] => {
            return tracer.throw("TypeError", Value::Unknown);
        }
        _ => return Ok(known(number(args), Value::Float)),
    };
    // Digits and whitespace of other scripts count as well.
    if !text.is_ascii() {
        return tracer.not_followed();
    }
    let text = text.trim_matches(is_space).to_ascii_lowercase();
    let number = match text.as_str() {
        "inf" | "+inf" | "infinity" | "+infinity" => Some(f64::INFINITY),
        "-inf" | "-infinity" => Some(f64::NEG_INFINITY),
        "nan" | "+nan" => Some(f64::NAN),
        "-nan" => Some(-f64::NAN),
        // Underscores are allowed between digits only; which positions are legal is not modelled.
        number if number.contains('_') => return tracer.not_followed(),
        number if number.contains(['i', 'n']) => None,
        number => number.parse().ok(),
    };
    match number {
        Some(number) => Ok(Value::Float(number)),
        None => tracer.throw("ValueError", Value::Unknown),
    }
}

fn in_base<'a>(args: &Arguments<'a>, of: fn(u128) -> String) -> Value<'a> {
    let number = args.at(0).and_then(|value| value.as_int());
    known(number, |number| {
        let sign = if number < 0 { "-" } else { "" };
        Value::str(&format!("{sign}{}", of(number.unsigned_abs())))
    })
}

/// Evaluates `np.dtype("float16")`.
fn dtype<'a>(args: &Arguments<'a>) -> Value<'a> {
    match args.at(0) {
        Some(Value::DType(dtype)) => Value::DType(*dtype),
        Some(Value::Str(name)) => known(dtype_of_text(name), Value::DType),
        _ => Value::Unknown,
    }
}

/// Returns the element type that a string names.
pub fn dtype_of_text(name: &str) -> Option<DType> {
    match name {
        // These are Python's types in numpy, with 64 bits, or aliases whose size depends on the platform.
        "float" | "int" | "long" | "short" | "half" | "bool" => None,
        _ => super::super::facade::torch_dtype(name),
    }
}

impl<'a> Tracer<'a> {
    /// Returns the result of a method that the class of the first argument defines; `None` if it defines none.
    fn said(&mut self, args: &Arguments<'a>, name: &str, site: Site) -> Eval<Option<Value<'a>>> {
        let Some(object @ Value::Instance(_)) = args.at(0).cloned() else {
            return Ok(None);
        };
        let further = args.plain().split_off(1);
        let given = Arguments::of(further, site.span);
        self.call_method(&object, name, given, site)
    }

    /// Evaluates `int(…)`.
    fn integer(&mut self, args: &Arguments<'a>, site: Site) -> Eval<Value<'a>> {
        // The order in which CPython tries them.
        for name in ["__int__", "__index__", "__trunc__"] {
            match self.said(args, name, site)? {
                Some(Value::Int(number)) => return Ok(Value::Int(number)),
                Some(_) => return self.not_followed(),
                None => {}
            }
        }
        let given = args.plain();
        if !args.keywords.is_empty() || !args.spread.is_empty() {
            return self.not_followed();
        }
        let number = match given.as_slice() {
            [] => Some(0),
            [Value::Str(text)] if text.is_ascii() => match parsed(text, 10) {
                // A longer text may be a number beyond 128 bits, so it is unknown rather than an error.
                None if text.len() <= MAX_SHORT => return self.throw("ValueError", Value::Unknown),
                number => number,
            },
            [Value::Str(text), Value::Int(base @ (0 | 2..=36))] if text.is_ascii() => {
                match parsed(text, *base as u32) {
                    None if text.len() <= MAX_SHORT => {
                        return self.throw("ValueError", Value::Unknown);
                    }
                    number => number,
                }
            }
            // `int(inf)` raises `OverflowError`, `int(nan)` `ValueError`.
            [Value::Float(number)] if !number.is_finite() => return self.not_followed(),
            [Value::None | Value::List(_) | Value::Tuple(_) | Value::Dict(_)] => {
                return self.throw("TypeError", Value::Unknown);
            }
            [_] => return Ok(whole(args, f64::trunc)),
            _ => return self.not_followed(),
        };
        Ok(known(number, Value::Int))
    }

    /// Calls a method of a number.
    pub fn number_method(
        &mut self,
        object: &Value<'a>,
        name: &str,
        args: &Arguments<'a>,
    ) -> Eval<Value<'a>> {
        let plain = args.values().next().is_none();
        Ok(match (object, name, object.as_int()) {
            (_, "bit_length", Some(number)) if plain => {
                Value::Int((128 - number.unsigned_abs().leading_zeros()).into())
            }
            (_, "bit_count", Some(number)) if plain => {
                Value::Int(number.unsigned_abs().count_ones().into())
            }
            (_, "conjugate" | "__int__" | "__index__", Some(number)) if plain => Value::Int(number),
            // Infinity and NaN have no fraction that is 0.
            (Value::Float(number), "is_integer", _) if plain => Value::Bool(number.fract() == 0.0),
            _ => return self.lost_call(args),
        })
    }

    /// Evaluates `sum(items, start)` and `math.prod(items, start=1)`.
    fn fold(&mut self, args: &Arguments<'a>, op: BinaryOp, start: i128) -> Eval<Value<'a>> {
        let items = match args.at(0) {
            Some(items) => self.unordered_items(&items.clone())?,
            None => None,
        };
        let Some(items) = items else {
            return self.lost_call(args);
        };
        let given = args.at(1).or(args.keyword("start")).cloned();
        let mut total = given.unwrap_or(Value::Int(start));
        // `sum() can't sum strings`.
        if matches!(total, Value::Str(_)) {
            return self.throw("TypeError", Value::Unknown);
        }
        // CPython 3.12 and later add floats with compensated summation.
        let floats = items.iter().filter(|item| matches!(item, Value::Float(_)));
        if op == BinaryOp::Add && floats.count() + usize::from(matches!(total, Value::Float(_))) > 1
        {
            return self.not_followed();
        }
        for item in items {
            self.step()?;
            total = self.plain_binary(op, total, item)?;
        }
        Ok(total)
    }
}

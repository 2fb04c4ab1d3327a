//! Functions of torch and numpy that take tensors.

use std::rc::Rc;

use super::arithmetic::{common_type, stretched};
use super::factories::with_axis;
use super::methods::unnamed;
use super::object::{HostTensor, Library, Part};
use super::shapes;
use crate::dsl::emit::Arguments;
use crate::dsl::python::native::{Call, Native, Site};
use crate::dsl::tracer::{Eval, Tracer};
use crate::dsl::value::Value;
use a2lint_ir::TensorInit;

macro_rules! methods {
    ($($module:literal: $($name:literal)*;)*) => {
        &[$($(native($module, $name, |tracer, args, _| method(tracer, args, $name)),)*)*]
    };
}

/// Functions that call the method of the same name on their first argument.
pub(in super::super) const METHODS: &[Native] = methods! {
    "torch":
        "abs" "exp" "clamp" "clip" "tanh" "softmax" "log_softmax" "sigmoid" "relu" "log" "log2" "sqrt" "rsqrt"
        "sin" "cos" "erf" "floor" "ceil" "round" "trunc" "sign" "neg" "square" "reciprocal" "reshape" "transpose"
        "permute" "unsqueeze" "squeeze" "flatten" "ravel" "t" "mm" "bmm" "matmul" "dot" "mv" "tril" "triu" "add"
        "sub" "mul" "div" "pow" "remainder" "floor_divide" "eq" "ne" "lt" "le" "gt" "ge" "sum" "prod" "mean" "std"
        "var" "amax" "amin" "argmax" "argmin" "any" "all" "logsumexp" "cumsum" "cumprod" "maximum" "minimum" "fmod"
        "narrow" "select" "chunk" "split" "unbind" "tile" "flip" "roll" "numel" "clone" "isnan" "isinf" "isfinite"
        "bitwise_and" "bitwise_or" "bitwise_xor" "logical_not" "logical_and" "logical_or" "swapaxes" "broadcast_to"
        "masked_fill" "nan_to_num" "max" "min";
    "torch.nn.functional":
        "relu" "softmax" "log_softmax" "sigmoid" "tanh" "gelu" "silu" "elu" "leaky_relu" "softplus" "mish"
        "normalize" "dropout";
    "numpy":
        "reshape" "transpose" "swapaxes" "squeeze" "ravel" "tril" "triu" "clip" "exp" "tanh" "round" "repeat"
        "matmul" "dot" "add" "subtract" "multiply" "divide" "mean" "std" "var" "amax" "amin" "max" "min" "argmax"
        "argmin" "any" "all" "cumsum" "maximum" "minimum" "flip" "roll" "copy" "isnan" "isinf" "isfinite"
        "broadcast_to" "square" "sign" "equal" "not_equal" "less" "greater" "less_equal" "greater_equal"
        "logical_not" "logical_and" "logical_or";
};

pub(in super::super) const TABLE: &[Native] = &[
    native("torch", "cat", concatenated),
    native("torch", "concat", concatenated),
    native("torch", "concatenate", concatenated),
    native("torch", "stack", stacked),
    native("torch", "where", picked),
    native("torch", "is_tensor", |_, args, _| Ok(is_tensor(args))),
    native("torch", "broadcast_tensors", |_, args, _| Ok(unknown(args))),
    native("numpy", "concatenate", concatenated),
    native("numpy", "stack", stacked),
    native("numpy", "where", picked),
    native("numpy", "tile", |tracer, args, _| tiled(tracer, args)),
    native("numpy", "expand_dims", |_, args, _| Ok(expanded(args))),
    native("numpy", "copyto", |tracer, args, _| written(tracer, args)),
    native("numpy", "fill_diagonal", |tracer, args, _| {
        written(tracer, args)
    }),
    native("numpy", "put", |tracer, args, _| written(tracer, args)),
    native("numpy", "place", |tracer, args, _| written(tracer, args)),
    native("numpy", "putmask", |tracer, args, _| written(tracer, args)),
    native("numpy.random", "shuffle", |tracer, args, _| {
        written(tracer, args)
    }),
];

const fn native(module: &'static str, name: &'static str, call: Call) -> Native {
    Native { module, name, call }
}

/// Calls a library function that is also a method of its first argument.
fn method<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, name: &str) -> Eval<Value<'a>> {
    let mut rest = args.clone();
    let first = match rest.positional.is_empty() {
        false => rest.positional.remove(0).0,
        // The libraries name the first parameter differently.
        true => {
            let names = ["input", "a", "x", "self"];
            let at = rest
                .keywords
                .iter()
                .position(|(name, _, _)| names.contains(&name.as_str()));
            let Some(at) = at else {
                return Ok(Value::Unknown);
            };
            rest.keywords.remove(at).1
        }
    };
    // A function that does not get a tensor may still write to tensors among its arguments.
    let Value::HostTensor(tensor) = first else {
        tracer.expose(args.values());
        return Ok(Value::Unknown);
    };
    tracer.host_method(&tensor, name, &rest)
}

/// Returns the tensors of a list; `None` unless all are tensors of one library.
fn tensors<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Option<Vec<Rc<HostTensor>>>> {
    let items = tracer.items_at(args, 0)?.unwrap_or_default();
    let tensor = |item: &Value<'a>| match item {
        Value::HostTensor(tensor) => Some(tensor.clone()),
        _ => None,
    };
    let tensors: Option<Vec<Rc<HostTensor>>> = items.iter().map(tensor).collect();
    let is_one = |tensors: &Vec<Rc<HostTensor>>| {
        tensors
            .iter()
            .all(|tensor| tensor.library == tensors[0].library)
            && !tensors.is_empty()
    };
    Ok(tensors
        .filter(is_one)
        .filter(|_| args.spread.is_empty() && args.keyword("out").is_none()))
}

fn axis(args: &Arguments) -> Option<i128> {
    let given = args.at(1).or(args.keyword("dim")).or(args.keyword("axis"));
    given.map_or(Some(0), |axis| axis.as_int())
}

/// Makes the tensor that several tensors are joined to. Its type is their common type.
fn joined(tensors: &[Rc<HostTensor>], args: &Arguments, shape: Option<Vec<i64>>) -> Rc<HostTensor> {
    let first = &tensors[0];
    let contents = first.contents();
    let is_alike = |tensor: &Rc<HostTensor>| {
        tensor.contents() == contents && tensor.dtype() == first.dtype() && tensor.dtype().is_some()
    };
    // A sequence restarts at each part, so it is no sequence as a whole.
    let contents = match contents {
        TensorInit::Arange | TensorInit::Steps(..) => TensorInit::Computed,
        contents if tensors.iter().all(is_alike) => contents,
        _ => TensorInit::Computed,
    };
    let dtype = tensors
        .iter()
        .skip(1)
        .try_fold(first.clone(), |before, tensor| {
            let dtype = common_type(&before, tensor)?;
            Some(before.computed(Some(dtype)))
        });
    let dtype = match args.keyword("dtype") {
        Some(_) => None,
        None => dtype.and_then(|tensor| tensor.dtype()),
    };
    first.fresh(dtype, unnamed(shape), contents)
}

fn shapes_of(tensors: &[Rc<HostTensor>]) -> Option<Vec<Vec<i64>>> {
    tensors.iter().map(|tensor| tensor.shape()).collect()
}

fn concatenated<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    let Some(tensors) = tensors(tracer, args)? else {
        return Ok(unknown(args));
    };
    // torch ignores empty one-dimensional tensors in `cat`.
    let skips_empty = tensors[0].library == Library::Torch;
    let found = shapes_of(&tensors).zip(axis(args));
    let shape = found.and_then(|(shapes, axis)| shapes::concatenated(&shapes, axis, skips_empty));
    Ok(Value::HostTensor(joined(&tensors, args, shape)))
}

fn stacked<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    let Some(tensors) = tensors(tracer, args)? else {
        return Ok(unknown(args));
    };
    let found = shapes_of(&tensors).zip(axis(args));
    let shape = found.and_then(|(shapes, axis)| shapes::stacked(&shapes, axis));
    Ok(Value::HostTensor(joined(&tensors, args, shape)))
}

/// Evaluates `where(condition, a, b)`.
fn picked<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    let [Some(Value::HostTensor(condition)), Some(a), Some(b)] = [0, 1, 2].map(|at| args.at(at))
    else {
        return Ok(unknown(args));
    };
    tracer.expose(args.keyword("out"));
    Ok(match (a, b) {
        (Value::HostTensor(a), Value::HostTensor(b)) => {
            let both = stretched(a, b, common_type(a, b));
            Value::HostTensor(stretched(&both, condition, both.dtype()))
        }
        // The type of a number operand differs between versions.
        (Value::HostTensor(tensor), number) | (number, Value::HostTensor(tensor)) => {
            let is_number = number.as_float().is_some();
            let is_float = tensor.dtype().is_some_and(|dtype| dtype.is_float());
            let dtype = tensor
                .dtype()
                .filter(|_| is_float && is_number && tensor.library == Library::Torch);
            match is_number {
                true => Value::HostTensor(stretched(tensor, condition, dtype)),
                false => Value::HostTensor(tensor.unknown(None)),
            }
        }
        _ => Value::HostTensor(condition.computed(None)),
    })
}

fn tiled<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let Some(Value::HostTensor(tensor)) = args.at(0) else {
        return Ok(Value::Unknown);
    };
    let given: Vec<_> = args.positional.iter().skip(1).take(1).cloned().collect();
    let (factors, _) = tracer.host_shape(&given)?;
    let found = tensor
        .shape()
        .zip(factors.filter(|factors| !factors.is_empty()));
    let shape = found.and_then(|(shape, factors)| shapes::tiled(&shape, &factors));
    Ok(Value::HostTensor(tensor.fresh(
        tensor.dtype(),
        unnamed(shape),
        TensorInit::Computed,
    )))
}

fn expanded<'a>(args: &Arguments<'a>) -> Value<'a> {
    let Some(Value::HostTensor(tensor)) = args.at(0) else {
        return Value::Unknown;
    };
    let axis = args
        .at(1)
        .or(args.keyword("axis"))
        .and_then(|axis| axis.as_int());
    Value::HostTensor(tensor.view(unnamed(with_axis(tensor.shape(), axis)), Part::Whole))
}

/// Calls a function that writes to its first argument.
fn written<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    tracer.expose(args.values());
    Ok(Value::None)
}

fn is_tensor<'a>(args: &Arguments<'a>) -> Value<'a> {
    match args.at(0) {
        Some(Value::HostTensor(tensor)) => Value::Bool(tensor.library == Library::Torch),
        Some(value) if value.is_plain() => Value::Bool(false),
        _ => Value::Unknown,
    }
}

fn unknown<'a>(args: &Arguments<'a>) -> Value<'a> {
    if let Some(Value::HostTensor(out)) = args.keyword("out") {
        out.expose();
    }
    Value::Unknown
}

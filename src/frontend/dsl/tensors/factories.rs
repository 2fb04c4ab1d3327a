//! What makes tensors: factories of torch and numpy.

use std::rc::Rc;

use super::Extents;
use crate::frontend::dsl::emit::{Arguments, Spanned};
use crate::frontend::dsl::python::native::{Call, Native, Site};
use crate::frontend::dsl::tracer::{Eval, Tracer};
use crate::frontend::dsl::value::Value;
use crate::ir::{LaunchTensor, TensorInit};
use crate::isa::DType;

pub(in super::super) const TABLE: &[Native] = &[
    torch("randn", |tracer, args, _| {
        by_shape(tracer, args, 0, TensorInit::Normal, TORCH)
    }),
    torch("rand", |tracer, args, _| {
        by_shape(tracer, args, 0, TensorInit::Uniform, TORCH)
    }),
    torch("zeros", |tracer, args, _| {
        by_shape(tracer, args, 0, TensorInit::Full(0.0), TORCH)
    }),
    torch("ones", |tracer, args, _| {
        by_shape(tracer, args, 0, TensorInit::Full(1.0), TORCH)
    }),
    torch("empty", |tracer, args, _| {
        by_shape(tracer, args, 0, TensorInit::Empty, TORCH)
    }),
    torch("full", |tracer, args, _| full(tracer, args, TORCH)),
    torch("arange", |tracer, args, _| arange(tracer, args)),
    torch("linspace", |tracer, args, _| linspace(tracer, args, TORCH)),
    torch("eye", |tracer, args, _| eye(tracer, args, TORCH)),
    torch("randperm", |tracer, args, _| {
        by_shape(tracer, args, 0, TensorInit::Computed, Some(DType::Int64))
    }),
    torch("randint", |tracer, args, _| integers(tracer, args, "size")),
    torch("normal", |tracer, args, _| {
        spread(tracer, args, Spread::Normal, TORCH)
    }),
    torch("tensor", |tracer, args, _| of_data(tracer, args)),
    torch("as_tensor", |tracer, args, _| of_data(tracer, args)),
    torch("from_numpy", |tracer, args, _| of_data(tracer, args)),
    torch("randn_like", |_, args, _| {
        Ok(like(args, Some(TensorInit::Normal)))
    }),
    torch("rand_like", |_, args, _| {
        Ok(like(args, Some(TensorInit::Uniform)))
    }),
    torch("zeros_like", |_, args, _| {
        Ok(like(args, Some(TensorInit::Full(0.0))))
    }),
    torch("ones_like", |_, args, _| {
        Ok(like(args, Some(TensorInit::Full(1.0))))
    }),
    torch("empty_like", |_, args, _| {
        Ok(like(args, Some(TensorInit::Empty)))
    }),
    torch("full_like", |_, args, _| Ok(full_like(args))),
    numpy("zeros", |tracer, args, _| {
        by_shape(tracer, args, 1, TensorInit::Full(0.0), NUMPY)
    }),
    numpy("ones", |tracer, args, _| {
        by_shape(tracer, args, 1, TensorInit::Full(1.0), NUMPY)
    }),
    numpy("empty", |tracer, args, _| {
        by_shape(tracer, args, 1, TensorInit::Empty, NUMPY)
    }),
    numpy("full", |tracer, args, _| full(tracer, args, NUMPY)),
    numpy("arange", |tracer, args, _| arange(tracer, args)),
    numpy("linspace", |tracer, args, _| linspace(tracer, args, NUMPY)),
    numpy("eye", |tracer, args, _| eye(tracer, args, NUMPY)),
    numpy("array", |tracer, args, _| of_data(tracer, args)),
    numpy("asarray", |tracer, args, _| of_data(tracer, args)),
    numpy("ascontiguousarray", |tracer, args, _| of_data(tracer, args)),
    numpy("zeros_like", |_, args, _| {
        Ok(like(args, Some(TensorInit::Full(0.0))))
    }),
    numpy("ones_like", |_, args, _| {
        Ok(like(args, Some(TensorInit::Full(1.0))))
    }),
    numpy("empty_like", |_, args, _| {
        Ok(like(args, Some(TensorInit::Empty)))
    }),
    numpy("full_like", |_, args, _| Ok(full_like(args))),
    random("randn", |tracer, args, _| {
        by_shape(tracer, args, 0, TensorInit::Normal, NUMPY)
    }),
    random("rand", |tracer, args, _| {
        by_shape(tracer, args, 0, TensorInit::Uniform, NUMPY)
    }),
    random("random", |tracer, args, _| {
        by_shape(tracer, args, 1, TensorInit::Uniform, NUMPY)
    }),
    random("standard_normal", |tracer, args, _| {
        by_shape(tracer, args, 1, TensorInit::Normal, NUMPY)
    }),
    random("random_sample", |tracer, args, _| {
        by_shape(tracer, args, 1, TensorInit::Uniform, NUMPY)
    }),
    random("randint", |tracer, args, _| integers(tracer, args, "size")),
    random("integers", |tracer, args, _| integers(tracer, args, "size")),
    random("uniform", |tracer, args, _| {
        spread(tracer, args, Spread::Uniform, NUMPY)
    }),
    random("normal", |tracer, args, _| {
        spread(tracer, args, Spread::Normal, NUMPY)
    }),
    random("default_rng", |_, _, _| Ok(generator())),
    random("RandomState", |_, _, _| Ok(generator())),
];

/// The element type of tensors of torch, where nobody says another.
const TORCH: Option<DType> = Some(DType::Float);
/// That of numpy is no type of the device.
const NUMPY: Option<DType> = None;

const fn torch(name: &'static str, call: Call) -> Native {
    let module = "torch";
    Native { module, name, call }
}

const fn numpy(name: &'static str, call: Call) -> Native {
    let module = "numpy";
    Native { module, name, call }
}

const fn random(name: &'static str, call: Call) -> Native {
    let module = "numpy.random";
    Native { module, name, call }
}

/// A generator of random numbers has the functions of its module.
fn generator<'a>() -> Value<'a> {
    use crate::frontend::dsl::facade::Namespace;
    let module = crate::frontend::dsl::python::libraries::library("numpy.random");
    module.map_or(Value::Unknown, |module| {
        Value::Namespace(Namespace::Library(module))
    })
}

fn tensor<'a>(dtype: Option<DType>, (shape, spelled): Extents, init: TensorInit) -> Value<'a> {
    Value::HostTensor(Rc::new(LaunchTensor {
        dtype,
        shape,
        spelled,
        init,
    }))
}

/// The element type that is asked for.
fn dtype(args: &Arguments, default: Option<DType>) -> Option<DType> {
    match args.keyword("dtype") {
        Some(Value::DType(dtype)) => Some(*dtype),
        None | Some(Value::None) => default,
        Some(_) => None,
    }
}

/// Extents from a keyword, or from positional arguments: all of them, or so many.
fn extents<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    (from, most): (usize, usize),
) -> Eval<Extents> {
    let named = args
        .keywords
        .iter()
        .find(|(name, _, _)| name == "size" || name == "shape");
    if let Some((_, value, span)) = named {
        return tracer.host_shape(&[(value.clone(), *span)]);
    }
    let given: Vec<Spanned<'a>> = args
        .positional
        .iter()
        .skip(from)
        .take(most)
        .cloned()
        .collect();
    match args.spread.is_empty() {
        true => tracer.host_shape(&given),
        false => Ok((None, Vec::new())),
    }
}

/// `zeros(M, K)`; in numpy the second argument is the element type.
fn by_shape<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    most: usize,
    init: TensorInit,
    default: Option<DType>,
) -> Eval<Value<'a>> {
    let dtype = match (most, args.at(1)) {
        (1, Some(Value::DType(dtype))) => Some(*dtype),
        _ => dtype(args, default),
    };
    let most = if most == 0 { usize::MAX } else { most };
    let extents = extents(tracer, args, (0, most))?;
    Ok(tensor(dtype, extents, init))
}

fn full<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    default: Option<DType>,
) -> Eval<Value<'a>> {
    let fill = args.at(1).or(args.keyword("fill_value"));
    let is_integer = matches!(fill, Some(Value::Int(_)));
    let fill = fill.and_then(|fill| fill.as_float()).unwrap_or(0.0);
    let default = if is_integer {
        Some(DType::Int64)
    } else {
        default
    };
    let extents = extents(tracer, args, (0, 1))?;
    Ok(tensor(
        dtype(args, default),
        extents,
        TensorInit::Full(fill),
    ))
}

fn arange<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let number = |at: usize| args.at(at).and_then(|value| value.as_int());
    let default = match args.at(0) {
        Some(Value::Float(_)) => Some(DType::Float),
        _ => Some(DType::Int64),
    };
    let dtype = dtype(args, default);
    if args.positional.len() <= 1 {
        let extents = extents(tracer, args, (0, 1))?;
        return Ok(tensor(dtype, extents, TensorInit::Arange));
    }
    let step = if args.positional.len() > 2 {
        number(2)
    } else {
        Some(1)
    };
    let count = number(0)
        .zip(number(1))
        .zip(step)
        .and_then(|((start, stop), step)| {
            let span = stop.checked_sub(start)?;
            let count = span
                .checked_add(step.checked_sub(step.signum())?)?
                .checked_div(step)?;
            i64::try_from(count.max(0)).ok()
        });
    let shape = count.map(|count| vec![count]);
    let init = match (number(0), step) {
        (Some(start), Some(step)) => TensorInit::Steps(start as f64, step as f64),
        _ => TensorInit::Computed,
    };
    Ok(tensor(dtype, (shape, vec![None]), init))
}

fn linspace<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    default: Option<DType>,
) -> Eval<Value<'a>> {
    let mut count: Vec<Spanned<'a>> = args.positional.iter().skip(2).take(1).cloned().collect();
    let mut named = args.keywords.iter();
    if let Some((_, value, span)) = named.find(|(name, _, _)| name == "steps" || name == "num") {
        count = vec![(value.clone(), *span)];
    }
    let extents = match count.is_empty() {
        true => (Some(vec![50]), vec![None]),
        false => tracer.host_shape(&count)?,
    };
    Ok(tensor(dtype(args, default), extents, TensorInit::Uniform))
}

fn eye<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    default: Option<DType>,
) -> Eval<Value<'a>> {
    let mut given: Vec<Spanned<'a>> = args.positional.iter().take(2).cloned().collect();
    if let [only] = given.as_slice() {
        given = vec![only.clone(), only.clone()];
    }
    let extents = tracer.host_shape(&given)?;
    Ok(tensor(
        dtype(args, default),
        extents,
        TensorInit::Integers(0, 2),
    ))
}

/// `randint(low, high, size)`, `randint(high, size)`
fn integers<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, size: &str) -> Eval<Value<'a>> {
    let named = args.keyword(size).is_some();
    let number = |at: usize| args.at(at).and_then(|value| value.as_int());
    let (low, high, from) = match (args.positional.len(), named) {
        (0 | 1, false) => (Some(0), Some(2), usize::MAX),
        (1, true) => (Some(0), number(0), 1),
        (2, false) => (Some(0), number(0), 1),
        _ => (number(0), number(1), 2),
    };
    let bound = |value: Option<i128>, default: i64| {
        value
            .and_then(|value| i64::try_from(value).ok())
            .unwrap_or(default)
    };
    let init = TensorInit::Integers(bound(low, 0), bound(high, 2));
    let extents = extents(tracer, args, (from, 1))?;
    Ok(tensor(dtype(args, Some(DType::Int64)), extents, init))
}

/// How random numbers between or around two numbers lie.
#[derive(Clone, Copy)]
enum Spread {
    Uniform,
    Normal,
}

/// `uniform(low, high, size)`, `normal(mean, deviation, size)`
fn spread<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    spread: Spread,
    default: Option<DType>,
) -> Eval<Value<'a>> {
    let number = |at: usize, names: [&str; 1]| {
        let value = args
            .at(at)
            .or_else(|| names.iter().find_map(|name| args.keyword(name)));
        value.and_then(|value| value.as_float())
    };
    let init = match spread {
        Spread::Normal => TensorInit::Normal,
        Spread::Uniform => TensorInit::UniformIn(
            number(0, ["low"]).unwrap_or(0.0),
            number(1, ["high"]).unwrap_or(1.0),
        ),
    };
    let extents = extents(tracer, args, (2, 1))?;
    Ok(tensor(dtype(args, default), extents, init))
}

/// `tensor([[1.0, 2.0], …])`, `from_numpy(array)`
fn of_data<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let asked = match (args.keyword("dtype"), args.at(1)) {
        (Some(value), _) | (None, Some(value)) => Some(value.clone()),
        (None, None) => None,
    };
    let asked = match asked {
        Some(Value::DType(dtype)) => Some(Some(dtype)),
        None => None,
        Some(_) => Some(None),
    };
    let Some(data) = args.at(0) else {
        return Ok(Value::Unknown);
    };
    if let Value::HostTensor(of) = data {
        let mut of = of.as_ref().clone();
        of.dtype = asked.unwrap_or(of.dtype);
        return Ok(Value::HostTensor(Rc::new(of)));
    }
    let (mut shape, mut inner) = (Vec::new(), data.clone());
    while !matches!(inner, Value::Str(_))
        && let Some(items) = tracer.static_items(&inner)?
    {
        shape.push(items.len() as i64);
        match items.into_iter().next() {
            Some(first) if shape.len() < 8 => inner = first,
            _ => return Ok(Value::Unknown),
        }
    }
    let default = match inner {
        Value::Int(_) => Some(DType::Int64),
        Value::Float(_) => Some(DType::Float),
        Value::Bool(_) => Some(DType::Bool),
        _ => return Ok(Value::Unknown),
    };
    let spelled = vec![None; shape.len()];
    let dtype = asked.unwrap_or(default);
    Ok(tensor(dtype, (Some(shape), spelled), TensorInit::Computed))
}

/// A tensor like another one.
fn like<'a>(args: &Arguments<'a>, init: Option<TensorInit>) -> Value<'a> {
    match args.at(0) {
        Some(Value::HostTensor(of)) => Value::HostTensor(Rc::new(LaunchTensor {
            dtype: dtype(args, of.dtype),
            init: init.unwrap_or(of.init),
            ..of.as_ref().clone()
        })),
        _ => Value::Unknown,
    }
}

fn full_like<'a>(args: &Arguments<'a>) -> Value<'a> {
    let fill = args.at(1).or(args.keyword("fill_value"));
    let fill = fill.and_then(|fill| fill.as_float()).unwrap_or(0.0);
    like(args, Some(TensorInit::Full(fill)))
}

impl<'a> Tracer<'a> {
    /// `GMTensor(DT.half, [M, K])` in host code.
    pub fn host_tensor(&mut self, arguments: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
        let dtype = match arguments.named("dtype", 0) {
            Some((Value::DType(dtype), _)) => Some(dtype),
            _ => None,
        };
        let shape: Vec<Spanned<'a>> = arguments.named("shape", 1).into_iter().collect();
        let extents = self.host_shape(&shape)?;
        Ok(tensor(dtype, extents, TensorInit::Normal))
    }
}

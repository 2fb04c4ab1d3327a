//! Functions that create tensors: factories of torch and numpy.

use super::contents::{checked, is_exact};
use super::object::{HostTensor, Library, Part};
use super::shapes;
use super::shapes::NamedShape;
use super::types::{asked, type_of};
use crate::dsl::emit::{Arguments, Spanned};
use crate::dsl::python::native::{Call, Native, Site};
use crate::dsl::tracer::{Eval, Tracer};
use crate::dsl::value::Value;
use a2lint_ir::TensorInit;
use a2lint_isa::DType;

const TORCH: Library = Library::Torch;
const NUMPY: Library = Library::Numpy;

pub(in super::super) const TABLE: &[Native] = &[
    torch("randn", |tracer, args, _| {
        by_shape(tracer, args, TensorInit::Normal, TORCH)
    }),
    torch("rand", |tracer, args, _| {
        by_shape(tracer, args, TensorInit::Uniform, TORCH)
    }),
    torch("zeros", |tracer, args, _| {
        by_shape(tracer, args, TensorInit::Full(0.0), TORCH)
    }),
    torch("ones", |tracer, args, _| {
        by_shape(tracer, args, TensorInit::Full(1.0), TORCH)
    }),
    torch("empty", |tracer, args, _| {
        by_shape(tracer, args, TensorInit::Empty, TORCH)
    }),
    torch("full", |tracer, args, _| full(tracer, args, TORCH)),
    torch("arange", |tracer, args, _| Ok(arange(tracer, args, TORCH))),
    torch("linspace", |tracer, args, _| {
        Ok(linspace(tracer, args, TORCH))
    }),
    torch("eye", |tracer, args, _| Ok(eye(tracer, args, TORCH))),
    torch("randperm", |tracer, args, _| permutation(tracer, args)),
    torch("randint", |tracer, args, _| integers(tracer, args, TORCH)),
    torch("normal", |tracer, args, _| {
        spread(tracer, args, Spread::Normal, TORCH)
    }),
    torch("tensor", |tracer, args, _| {
        of_data(tracer, args, TORCH, Sharing::Copied)
    }),
    torch("as_tensor", |tracer, args, _| {
        of_data(tracer, args, TORCH, Sharing::Shared)
    }),
    torch("asarray", |tracer, args, _| {
        of_data(tracer, args, TORCH, Sharing::Shared)
    }),
    torch("from_numpy", |tracer, args, _| {
        of_data(tracer, args, TORCH, Sharing::Shared)
    }),
    torch("randn_like", |_, args, _| {
        Ok(like(args, TensorInit::Normal))
    }),
    torch("rand_like", |_, args, _| {
        Ok(like(args, TensorInit::Uniform))
    }),
    torch("zeros_like", |_, args, _| {
        Ok(like(args, TensorInit::Full(0.0)))
    }),
    torch("ones_like", |_, args, _| {
        Ok(like(args, TensorInit::Full(1.0)))
    }),
    torch("empty_like", |_, args, _| Ok(like(args, TensorInit::Empty))),
    torch("full_like", |_, args, _| Ok(full_like(args))),
    // Changes the type of every float tensor that is created afterwards.
    torch("set_default_dtype", |tracer, args, _| {
        tracer.torch_float = args.at(0).and_then(|value| type_of(TORCH, value)).flatten();
        Ok(Value::None)
    }),
    torch("set_default_tensor_type", |tracer, args, _| {
        tracer.torch_float = args.at(0).and_then(|value| type_of(TORCH, value)).flatten();
        Ok(Value::None)
    }),
    numpy("zeros", |tracer, args, _| {
        by_shape(tracer, args, TensorInit::Full(0.0), NUMPY)
    }),
    numpy("ones", |tracer, args, _| {
        by_shape(tracer, args, TensorInit::Full(1.0), NUMPY)
    }),
    numpy("empty", |tracer, args, _| {
        by_shape(tracer, args, TensorInit::Empty, NUMPY)
    }),
    numpy("full", |tracer, args, _| full(tracer, args, NUMPY)),
    numpy("arange", |tracer, args, _| Ok(arange(tracer, args, NUMPY))),
    numpy("linspace", |tracer, args, _| {
        Ok(linspace(tracer, args, NUMPY))
    }),
    numpy("eye", |tracer, args, _| Ok(eye(tracer, args, NUMPY))),
    numpy("identity", |tracer, args, _| Ok(eye(tracer, args, NUMPY))),
    numpy("array", |tracer, args, _| {
        of_data(tracer, args, NUMPY, Sharing::Copied)
    }),
    numpy("asarray", |tracer, args, _| {
        of_data(tracer, args, NUMPY, Sharing::Shared)
    }),
    numpy("ascontiguousarray", |tracer, args, _| {
        of_data(tracer, args, NUMPY, Sharing::Unsure)
    }),
    numpy("zeros_like", |_, args, _| {
        Ok(like(args, TensorInit::Full(0.0)))
    }),
    numpy("ones_like", |_, args, _| {
        Ok(like(args, TensorInit::Full(1.0)))
    }),
    numpy("empty_like", |_, args, _| Ok(like(args, TensorInit::Empty))),
    numpy("full_like", |_, args, _| Ok(full_like(args))),
    random("randn", |tracer, args, _| {
        one_by_one(tracer, args, TensorInit::Normal)
    }),
    random("rand", |tracer, args, _| {
        one_by_one(tracer, args, TensorInit::Uniform)
    }),
    random("random", |tracer, args, _| {
        by_shape(tracer, args, TensorInit::Uniform, NUMPY)
    }),
    random("standard_normal", |tracer, args, _| {
        by_shape(tracer, args, TensorInit::Normal, NUMPY)
    }),
    random("random_sample", |tracer, args, _| {
        by_shape(tracer, args, TensorInit::Uniform, NUMPY)
    }),
    random("randint", |tracer, args, _| integers(tracer, args, NUMPY)),
    random("integers", |tracer, args, _| integers(tracer, args, NUMPY)),
    random("uniform", |tracer, args, _| {
        spread(tracer, args, Spread::Uniform, NUMPY)
    }),
    random("normal", |tracer, args, _| {
        spread(tracer, args, Spread::Normal, NUMPY)
    }),
    random("default_rng", |_, _, _| Ok(generator())),
    random("RandomState", |_, _, _| Ok(generator())),
];

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

/// Returns a random generator, which has the functions of `numpy.random`.
fn generator<'a>() -> Value<'a> {
    use crate::dsl::facade::Namespace;
    let module = crate::dsl::python::libraries::library("numpy.random");
    module.map_or(Value::Unknown, |module| {
        Value::Namespace(Namespace::Library(module))
    })
}

fn tensor<'a>(
    library: Library,
    dtype: Option<DType>,
    extents: NamedShape,
    contents: TensorInit,
) -> Value<'a> {
    // An element type of integers may not represent the fill value.
    let contents = match (dtype, contents) {
        (Some(dtype), TensorInit::Full(value)) if !dtype.is_float() && !is_exact(value, dtype) => {
            TensorInit::Computed
        }
        (_, contents) => contents,
    };
    Value::HostTensor(HostTensor::new(library, dtype, extents, contents))
}

impl Tracer<'_> {
    /// Returns the default float type of a library. NumPy's float64 is no type of the device, so it is `None`.
    fn float_of(&self, library: Library) -> Option<DType> {
        match library {
            Library::Torch => self.torch_float,
            Library::Numpy => None,
        }
    }
}

/// Returns the element type that the arguments ask for; NumPy also takes it by position.
fn dtype(library: Library, args: &Arguments, at: usize, default: Option<DType>) -> Option<DType> {
    let given = match (library, args.at(at)) {
        (Library::Numpy, Some(Value::None)) => None,
        (Library::Numpy, Some(value)) => Some(type_of(library, value).unwrap_or(None)),
        _ => None,
    };
    given
        .or_else(|| asked(library, args, usize::MAX))
        .unwrap_or(default)
}

/// Returns whether there may be arguments that are not visible, or an `out` tensor.
fn is_open(args: &Arguments) -> bool {
    !args.spread.is_empty() || args.keyword("out").is_some()
}

/// Returns the extents from a keyword, or from at most `most` positional arguments.
fn extents<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    (from, most): (usize, usize),
) -> Eval<NamedShape> {
    let named = args
        .keywords
        .iter()
        .find(|(name, _, _)| name == "size" || name == "shape");
    if let Some((_, value, span)) = named {
        return tracer.host_shape(&[(value.clone(), *span)]);
    }
    let given = args.positional.iter().skip(from).take(most);
    let given: Vec<Spanned<'a>> = given.cloned().collect();
    // With a spread, the number of extents is unknown.
    match is_open(args) {
        false => tracer.host_shape(&given),
        true => Ok((None, Vec::new())),
    }
}

/// Creates a tensor by shape: `zeros(M, K)`. In NumPy the shape is one argument, and the second one is the element
/// type.
fn by_shape<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    init: TensorInit,
    library: Library,
) -> Eval<Value<'a>> {
    let dtype = dtype(library, args, 1, tracer.float_of(library));
    let most = match library {
        Library::Torch => usize::MAX,
        Library::Numpy => 1,
    };
    let extents = extents(tracer, args, (0, most))?;
    Ok(tensor(library, dtype, extents, init))
}

/// Evaluates `np.random.randn(M, K)`.
fn one_by_one<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    init: TensorInit,
) -> Eval<Value<'a>> {
    let extents = extents(tracer, args, (0, usize::MAX))?;
    Ok(tensor(NUMPY, None, extents, init))
}

/// Returns the element type of a tensor that is filled with a number.
fn type_of_number(tracer: &Tracer, library: Library, number: Option<&Value>) -> Option<DType> {
    match number {
        Some(Value::Int(_)) => Some(DType::Int64),
        Some(Value::Bool(_)) => Some(DType::Bool),
        Some(Value::Float(_)) => tracer.float_of(library),
        _ => None,
    }
}

fn full<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, library: Library) -> Eval<Value<'a>> {
    let fill = args.at(1).or(args.keyword("fill_value"));
    let default = type_of_number(tracer, library, fill);
    let contents = fill.and_then(|fill| fill.as_float());
    let contents = contents.map_or(TensorInit::Computed, TensorInit::Full);
    let dtype = dtype(library, args, 2, default);
    let extents = extents(tracer, args, (0, 1))?;
    Ok(tensor(library, dtype, extents, contents))
}

/// Evaluates `arange(end)` and `arange(start, end, step)`.
fn arange<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, library: Library) -> Value<'a> {
    let named = |names: &[&str]| names.iter().find_map(|name| args.keyword(name)).cloned();
    let (start, end) = match (args.at(0), args.at(1)) {
        (Some(end), None) if named(&["end", "stop"]).is_none() => {
            (Some(Value::Int(0)), Some(end.clone()))
        }
        (start, end) => (
            start.cloned().or(named(&["start"])).or(Some(Value::Int(0))),
            end.cloned().or(named(&["end", "stop"])),
        ),
    };
    let step = args
        .at(2)
        .cloned()
        .or(named(&["step"]))
        .unwrap_or(Value::Int(1));
    let bounds = start.zip(end).map(|(start, end)| [start, end, step]);
    let is_known = |bounds: &[Value; 3]| bounds.iter().all(|bound| bound.as_float().is_some());
    let bounds = bounds.filter(|bounds| is_known(bounds) && !is_open(args));
    let default = match &bounds {
        // Only ints make an integer range; one float makes all of it floats.
        Some(bounds) if bounds.iter().all(|bound| bound.as_int().is_some()) => Some(DType::Int64),
        Some(_) => tracer.float_of(library),
        None => None,
    };
    let dtype = dtype(library, args, 3, default);
    let numbers = bounds
        .as_ref()
        .map(|bounds| bounds.each_ref().map(|it| it.as_float().unwrap_or(0.0)));
    let count = numbers
        .filter(|[_, _, step]| *step != 0.0)
        .and_then(|[start, end, step]| {
            // The libraries compute the number of elements with the same formula, in 64-bit floats.
            let count = ((end - start) / step).ceil().max(0.0);
            (count <= 2f64.powi(52)).then_some(count as i64)
        });
    let contents = match numbers {
        Some([start, _, step]) if (start, step) == (0.0, 1.0) => TensorInit::Arange,
        Some([start, _, step]) => TensorInit::Steps(start, step),
        None => TensorInit::Computed,
    };
    // Numbers that the type cannot represent are rounded one by one, which is not modelled.
    let contents = checked(contents, dtype, count);
    // `arange(M)` names its extent by the argument.
    let spelled = match (args.positional.as_slice(), count) {
        ([(_, span)], Some(_)) => vec![super::name_in(tracer.source.slice(*span))],
        _ => vec![None],
    };
    tensor(
        library,
        dtype,
        (count.map(|count| vec![count]), spelled),
        contents,
    )
}

fn linspace<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, library: Library) -> Value<'a> {
    let named = |names: &[&str]| names.iter().find_map(|name| args.keyword(name));
    let count = args.at(2).or(named(&["steps", "num"]));
    let count = match (count, library) {
        // NumPy has a default number of steps, torch has none.
        (None, Library::Numpy) => Some(50),
        (count, _) => count.and_then(|count| i64::try_from(count.as_int()?).ok()),
    };
    let dtype = dtype(library, args, usize::MAX, tracer.float_of(library));
    let shape = count
        .filter(|&count| count >= 0 && !is_open(args))
        .map(|count| vec![count]);
    tensor(library, dtype, (shape, vec![None]), TensorInit::Computed)
}

fn eye<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, library: Library) -> Value<'a> {
    let extent = |at: usize, names: &[&str]| {
        let value = args
            .at(at)
            .or(names.iter().find_map(|name| args.keyword(name)));
        value
            .filter(|value| !matches!(value, Value::None))
            .map(|value| {
                let extent = value.as_int().and_then(|extent| i64::try_from(extent).ok());
                extent.filter(|&extent| extent >= 0)
            })
    };
    let rows = extent(0, &["n", "N"]).flatten();
    let columns = extent(1, &["m", "M"]).unwrap_or(rows);
    let dtype = dtype(library, args, usize::MAX, tracer.float_of(library));
    let shape = rows.zip(columns).filter(|_| !is_open(args));
    let shape = shape.map(|(rows, columns)| vec![rows, columns]);
    tensor(library, dtype, (shape, vec![None; 2]), TensorInit::Computed)
}

fn permutation<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let extents = extents(tracer, args, (0, 1))?;
    let dtype = dtype(TORCH, args, usize::MAX, Some(DType::Int64));
    Ok(tensor(TORCH, dtype, extents, TensorInit::Computed))
}

/// Evaluates `randint(low, high, size)` and `randint(high, size)`.
fn integers<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    library: Library,
) -> Eval<Value<'a>> {
    let named = args.keyword("size").is_some();
    let number = |at: usize| args.at(at).and_then(|value| value.as_int());
    let high = args.keyword("high").map(|high| high.as_int());
    let (low, high, from) = match (library, args.positional.len(), named, high) {
        (_, 1, _, Some(high)) => (number(0), high, usize::MAX),
        (_, 0, _, Some(high)) => (
            args.keyword("low").map_or(Some(0), |low| low.as_int()),
            high,
            usize::MAX,
        ),
        (_, 1, _, None) => (Some(0), number(0), usize::MAX),
        // torch's `randint(high, size)`: the second argument is the size, not the upper bound.
        (Library::Torch, 2, false, None) => (Some(0), number(0), 1),
        (_, 2.., _, None) => (number(0), number(1), 2),
        _ => (None, None, usize::MAX),
    };
    // `endpoint=True` of NumPy's generators includes the upper bound.
    let high = match args.keyword("endpoint") {
        None | Some(Value::Bool(false)) => high,
        Some(Value::Bool(true)) => high.and_then(|high| high.checked_add(1)),
        Some(_) => None,
    };
    let bound = |value: Option<i128>| value.and_then(|value| i64::try_from(value).ok());
    let contents = match (bound(low), bound(high)) {
        (Some(low), Some(high)) => TensorInit::Integers(low, high),
        _ => TensorInit::Computed,
    };
    let at = if library == Library::Numpy {
        3
    } else {
        usize::MAX
    };
    let dtype = dtype(library, args, at, Some(DType::Int64));
    let extents = match from == usize::MAX && !named {
        // A single number of NumPy, or arguments that are not understood.
        true => (None, Vec::new()),
        false => extents(tracer, args, (from, 1))?,
    };
    Ok(tensor(library, dtype, extents, contents))
}

/// The distribution of random numbers, given by two parameters.
#[derive(Clone, Copy)]
enum Spread {
    Uniform,
    Normal,
}

/// Evaluates `uniform(low, high, size)` and `normal(mean, deviation, size)`.
fn spread<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    spread: Spread,
    library: Library,
) -> Eval<Value<'a>> {
    let number = |at: usize, names: &[&str], default: f64| {
        let value = args
            .at(at)
            .or_else(|| names.iter().find_map(|name| args.keyword(name)));
        value.map_or(Some(default), |value| value.as_float())
    };
    let numbers = match spread {
        Spread::Normal => (
            number(0, &["mean", "loc"], 0.0),
            number(1, &["std", "scale"], 1.0),
        ),
        Spread::Uniform => (number(0, &["low"], 0.0), number(1, &["high"], 1.0)),
    };
    let contents = match (spread, numbers) {
        (Spread::Normal, (Some(mean), Some(deviation))) => match (mean, deviation) {
            (0.0, 1.0) => TensorInit::Normal,
            _ => TensorInit::NormalOf(mean, deviation),
        },
        (Spread::Uniform, (Some(low), Some(high))) => TensorInit::UniformIn(low, high),
        _ => TensorInit::Computed,
    };
    let dtype = dtype(library, args, usize::MAX, tracer.float_of(library));
    let extents = match (args.at(0), args.at(1)) {
        // With tensors as parameters, the extents are theirs.
        (Some(Value::HostTensor(_)), _) | (_, Some(Value::HostTensor(_))) => (None, Vec::new()),
        _ => extents(tracer, args, (2, 1))?,
    };
    Ok(tensor(library, dtype, extents, contents))
}

/// Whether a tensor that is made from another one shares its elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sharing {
    Copied,
    Shared,
    Unsure,
}

/// Evaluates `tensor([[1.0, 2.0], …])`, `from_numpy(array)` and the like.
fn of_data<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    library: Library,
    sharing: Sharing,
) -> Eval<Value<'a>> {
    let at = if library == Library::Numpy || sharing != Sharing::Copied {
        1
    } else {
        usize::MAX
    };
    let asked = match args.at(at) {
        Some(value) => Some(type_of(library, value).unwrap_or(None)),
        None => asked(library, args, usize::MAX),
    };
    let Some(data) = args.at(0).or(args.keyword("data")).cloned() else {
        return Ok(Value::Unknown);
    };
    if let Value::HostTensor(of) = &data {
        let of = of.of_library(library);
        // `asarray` with another type converts, and so copies.
        let is_same = asked.is_none_or(|asked| asked.is_some() && asked == of.dtype());
        return Ok(Value::HostTensor(match (is_same, sharing) {
            (false, _) => of.converted(asked.flatten()),
            (true, Sharing::Copied) => of.copy(),
            (true, Sharing::Shared) => of,
            (true, Sharing::Unsure) => of.view_or_copy(of.extents(), Part::Whole),
        }));
    }
    let mut elements = Elements::default();
    let shape = nested(tracer, &data, &mut elements, 0)?;
    // One float makes all elements floats; without any element the default is a float.
    let default = match (elements.floats, elements.ints, elements.bools) {
        _ if elements.others => None,
        (true, _, _) => tracer.float_of(library),
        (false, true, _) => Some(DType::Int64),
        (false, false, true) => Some(DType::Bool),
        (false, false, false) => tracer.float_of(library),
    };
    let contents = match (elements.others, elements.first, elements.differ) {
        (false, Some(value), false) => TensorInit::Full(value),
        _ => TensorInit::Computed,
    };
    // Data of an unknown type may not become a tensor at all.
    if shape.is_none() && elements.others && !matches!(data, Value::List(_) | Value::Tuple(_)) {
        return Ok(Value::Unknown);
    }
    let spelled = vec![None; shape.as_ref().map_or(0, Vec::len)];
    Ok(tensor(
        library,
        asked.unwrap_or(default),
        (shape, spelled),
        contents,
    ))
}

/// The kinds of numbers in nested lists.
#[derive(Default)]
struct Elements {
    floats: bool,
    ints: bool,
    bools: bool,
    /// Whether some elements are no numbers, or unknown.
    others: bool,
    // Contents are known only if all elements are the same number.
    first: Option<f64>,
    differ: bool,
}

/// Returns the extents of nested lists; `None` if the lists differ in length, or are unknown.
fn nested<'a>(
    tracer: &mut Tracer<'a>,
    data: &Value<'a>,
    elements: &mut Elements,
    depth: usize,
) -> Eval<Option<Vec<i64>>> {
    match data {
        Value::Float(_) => elements.floats = true,
        Value::Int(_) => elements.ints = true,
        Value::Bool(_) => elements.bools = true,
        Value::List(_) | Value::Tuple(_) | Value::Range(..) if depth < 8 => {
            let Some(items) = tracer.static_items(data)? else {
                elements.others = true;
                return Ok(None);
            };
            let mut inner: Option<Option<Vec<i64>>> = None;
            for item in &items {
                tracer.step()?;
                let shape = nested(tracer, item, elements, depth + 1)?;
                inner = Some(match inner {
                    None => shape,
                    Some(before) => before.filter(|before| shape.as_ref() == Some(before)),
                });
            }
            let inner = inner.unwrap_or(Some(Vec::new()));
            return Ok(inner.map(|inner| [vec![items.len() as i64], inner].concat()));
        }
        // A tensor without axes among numbers, or anything else.
        _ => {
            elements.others = true;
            return Ok(None);
        }
    }
    let value = data.as_float();
    elements.differ |= elements.first.is_some() && elements.first != value;
    elements.first = elements.first.or(value);
    Ok(Some(Vec::new()))
}

/// Makes a tensor with the extents and (by default) the type of another one.
fn like<'a>(args: &Arguments<'a>, contents: TensorInit) -> Value<'a> {
    let Some(Value::HostTensor(of)) = args.at(0) else {
        return Value::Unknown;
    };
    let dtype = dtype(of.library, args, 1, of.dtype());
    let extents = match args.keyword("shape").is_some() || is_open(args) {
        true => (None, Vec::new()),
        false => of.extents(),
    };
    tensor(of.library, dtype, extents, contents)
}

fn full_like<'a>(args: &Arguments<'a>) -> Value<'a> {
    let fill = args.at(1).or(args.keyword("fill_value"));
    let fill = fill.and_then(|fill| fill.as_float());
    let Some(Value::HostTensor(of)) = args.at(0) else {
        return Value::Unknown;
    };
    let dtype = dtype(of.library, args, 2, of.dtype());
    let contents = fill.map_or(TensorInit::Computed, TensorInit::Full);
    tensor(of.library, dtype, of.extents(), contents)
}

impl<'a> Tracer<'a> {
    /// Evaluates `GMTensor(DT.half, [M, K])` in host code.
    pub fn host_tensor(&mut self, arguments: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
        let dtype = match arguments.named("dtype", 0) {
            Some((Value::DType(dtype), _)) => Some(dtype),
            _ => None,
        };
        let shape: Vec<Spanned<'a>> = arguments.named("shape", 1).into_iter().collect();
        let extents = self.host_shape(&shape)?;
        Ok(tensor(TORCH, dtype, extents, TensorInit::Normal))
    }
}

/// Returns the extents after `numpy.expand_dims`.
pub(super) fn with_axis(shape: Option<Vec<i64>>, axis: Option<i128>) -> Option<Vec<i64>> {
    shapes::unsqueezed(&shape?, axis?)
}

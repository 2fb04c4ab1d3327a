//! Methods of tensors: each is exact in shape, type and contents, or leaves unknown what it does not follow.

use std::rc::Rc;

use super::arithmetic::{self, float_function};
use super::indexing;
use super::object::{HostTensor, Library, Part};
use super::shapes::{self, place};
use super::types::{asked, type_of};
use crate::frontend::dsl::emit::{Arguments, Spanned};
use crate::frontend::dsl::tracer::{Eval, Tracer};
use crate::frontend::dsl::value::Value;
use crate::ir::TensorInit;
use crate::isa::DType;
use crate::syntax::python::ast::BinaryOp;

/// Functions of each element by itself that keep the type, of integers and floats alike.
const SAME_TYPE: &[&str] = &[
    "abs",
    "absolute",
    "clamp",
    "clamp_max",
    "clamp_min",
    "clip",
    "cumprod",
    "cumsum",
    "flip",
    "floor",
    "ceil",
    "trunc",
    "fix",
    "masked_fill",
    "nan_to_num",
    "neg",
    "negative",
    "relu",
    "roll",
    "round",
    "sign",
    "sgn",
    "square",
    "tril",
    "triu",
    "index_fill",
    "index_add",
    "index_copy",
    "scatter",
    "scatter_add",
    "fliplr",
    "flipud",
    "positive",
];

/// Functions of each element, or of rows, that make floats.
const FLOATS: &[&str] = &[
    "acos",
    "asin",
    "atan",
    "cos",
    "cosh",
    "erf",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log10",
    "log1p",
    "log2",
    "log_softmax",
    "reciprocal",
    "rsqrt",
    "sigmoid",
    "sin",
    "sinh",
    "softmax",
    "sqrt",
    "tan",
    "tanh",
];

/// Functions of each element that torch has for floats alone.
const OF_FLOATS: &[&str] = &[
    "gelu",
    "silu",
    "elu",
    "leaky_relu",
    "mish",
    "softplus",
    "dropout",
    "normalize",
];

/// Tests of each element.
const TESTS: &[&str] = &["isnan", "isinf", "isfinite", "logical_not", "signbit"];

/// Reductions, by how their results are typed.
const REDUCTIONS: &[(&str, Reduced)] = &[
    ("sum", Reduced::Total),
    ("prod", Reduced::Total),
    ("nansum", Reduced::Total),
    ("mean", Reduced::Float),
    ("std", Reduced::Float),
    ("var", Reduced::Float),
    ("norm", Reduced::Float),
    ("logsumexp", Reduced::Float),
    ("amax", Reduced::Same),
    ("amin", Reduced::Same),
    ("max", Reduced::Extreme),
    ("min", Reduced::Extreme),
    ("median", Reduced::Unknown),
    ("mode", Reduced::Unknown),
    ("argmax", Reduced::Place),
    ("argmin", Reduced::Place),
    ("count_nonzero", Reduced::Place),
    ("any", Reduced::Truth),
    ("all", Reduced::Truth),
];

/// How the result of a reduction is typed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reduced {
    /// As the elements, integers in 64 bits.
    Total,
    /// As the elements, integers as floats.
    Float,
    /// As the elements.
    Same,
    /// As the elements; of torch with their places, where an axis is named.
    Extreme,
    /// 64-bit integers.
    Place,
    /// Truth values.
    Truth,
    Unknown,
}

/// Operators that are methods as well.
fn operator(name: &str) -> Option<BinaryOp> {
    Some(match name {
        "add" | "__add__" => BinaryOp::Add,
        "sub" | "subtract" | "__sub__" => BinaryOp::Sub,
        "mul" | "multiply" | "__mul__" => BinaryOp::Mul,
        "div" | "divide" | "true_divide" | "__truediv__" => BinaryOp::Div,
        "floor_divide" => BinaryOp::FloorDiv,
        "remainder" | "mod" => BinaryOp::Mod,
        "pow" | "power" => BinaryOp::Pow,
        "matmul" | "__matmul__" => BinaryOp::MatMul,
        "bitwise_and" => BinaryOp::BitAnd,
        "bitwise_or" => BinaryOp::BitOr,
        "bitwise_xor" => BinaryOp::BitXor,
        _ => return None,
    })
}

const COMPARISONS: &[&str] = &[
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "greater",
    "greater_equal",
    "less",
    "less_equal",
    "not_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
];

/// Methods that write to the elements and leave extents and type alone, beside those of other tables.
const WRITES: &[&str] = &[
    "abs_",
    "add_",
    "addcdiv_",
    "addcmul_",
    "baddbmm_",
    "addmm_",
    "bernoulli_",
    "cauchy_",
    "ceil_",
    "clamp_",
    "clamp_max_",
    "clamp_min_",
    "clip_",
    "copy_",
    "cos_",
    "cumsum_",
    "div_",
    "divide_",
    "eq_",
    "erf_",
    "exp_",
    "exponential_",
    "fill_",
    "fill_diagonal_",
    "floor_",
    "floor_divide_",
    "fmod_",
    "ge_",
    "geometric_",
    "gt_",
    "index_add_",
    "index_copy_",
    "index_fill_",
    "index_put_",
    "le_",
    "lerp_",
    "log_",
    "log_normal_",
    "lt_",
    "masked_fill_",
    "masked_scatter_",
    "mul_",
    "multiply_",
    "nan_to_num_",
    "ne_",
    "neg_",
    "normal_",
    "pow_",
    "put_",
    "random_",
    "reciprocal_",
    "relu_",
    "remainder_",
    "round_",
    "rsqrt_",
    "scatter_",
    "scatter_add_",
    "sigmoid_",
    "sign_",
    "sin_",
    "softmax_",
    "sqrt_",
    "square_",
    "sub_",
    "subtract_",
    "tan_",
    "tanh_",
    "tril_",
    "triu_",
    "trunc_",
    "uniform_",
    "zero_",
];

/// Methods that write nothing and answer with the object itself.
const ITSELF: &[&str] = &[
    "detach_",
    "requires_grad_",
    "share_memory_",
    "retain_grad",
    "rename_",
];

/// Methods of numpy's arrays that write to the elements and return nothing.
const NUMPY_WRITES: &[&str] = &["fill", "sort", "partition", "put", "itemset", "setfield"];

/// Methods that answer with something else than a tensor, and change nothing.
const ANSWERS: &[&str] = &[
    "item",
    "tolist",
    "data_ptr",
    "is_contiguous",
    "is_floating_point",
    "stride",
    "storage_offset",
    "get_device",
    "tobytes",
    "dump",
    "tofile",
    "equal",
    "allclose",
    "backward",
    "register_hook",
    "untyped_storage",
    "storage",
    "is_complex",
    "is_pinned",
    "is_shared",
    "is_signed",
    "__len__",
    "__repr__",
    "__str__",
    "__format__",
    "__bool__",
    "__float__",
    "__int__",
    "nbytes",
];

fn number(arguments: &Arguments, at: usize, names: &[&str]) -> Option<i128> {
    argument(arguments, at, names).and_then(|value| value.as_int())
}

/// An argument by its place or one of its names.
fn argument<'v, 'a>(
    arguments: &'v Arguments<'a>,
    at: usize,
    names: &[&str],
) -> Option<&'v Value<'a>> {
    let named = || names.iter().find_map(|name| arguments.keyword(name));
    arguments.at(at).or_else(named)
}

fn made<'a>(tensor: Rc<HostTensor>) -> Value<'a> {
    Value::HostTensor(tensor)
}

/// Extents without names.
pub(super) fn unnamed(shape: Option<Vec<i64>>) -> (Option<Vec<i64>>, Vec<Option<String>>) {
    let names = vec![None; shape.as_ref().map_or(0, Vec::len)];
    (shape, names)
}

/// The extents of a tensor.
pub(in super::super) fn extents<'a>(shape: &[i64]) -> Value<'a> {
    let extents = shape.iter().map(|&extent| Value::Int(extent.into()));
    Value::tuple(extents.collect())
}

/// An attribute of a tensor; `None` where it is a method.
pub(in super::super) fn attribute<'a>(tensor: &Rc<HostTensor>, name: &str) -> Option<Value<'a>> {
    let shape = tensor.shape();
    let known =
        |number: Option<i64>| number.map_or(Value::Unknown, |number| Value::Int(number.into()));
    let bytes = || tensor.dtype().map(|dtype| dtype.bits() / 8);
    let count = || shape.as_deref().and_then(shapes::elements);
    Some(match name {
        "shape" => shape.as_deref().map_or(Value::Unknown, extents),
        "ndim" => known(shape.as_ref().map(|shape| shape.len() as i64)),
        "dtype" => tensor.dtype().map_or(Value::Unknown, Value::DType),
        "size" if tensor.library == Library::Numpy => known(count()),
        "itemsize" => known(bytes()),
        "nbytes" => known(
            count()
                .zip(bytes())
                .and_then(|(count, bytes)| count.checked_mul(bytes)),
        ),
        "data" if tensor.library == Library::Torch => {
            made(tensor.view(tensor.extents(), Part::Whole))
        }
        "device" => Value::Inert,
        "requires_grad" | "is_cuda" | "is_npu" | "layout" | "grad" | "strides" | "flags" => {
            Value::Unknown
        }
        "data" | "flat" | "real" | "imag" | "base" => {
            // What they hand on may be written to.
            tensor.expose();
            Value::Unknown
        }
        _ => return None,
    })
}

impl<'a> Tracer<'a> {
    /// `tensor.name(…)`
    pub fn host_method(
        &mut self,
        tensor: &Rc<HostTensor>,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Eval<Value<'a>> {
        if !arguments.spread.is_empty() {
            // Which arguments there are is not known.
            tensor.expose();
            return Ok(made(tensor.view_or_copy((None, Vec::new()), Part::Some)));
        }
        for given in arguments
            .keywords
            .iter()
            .filter(|(name, _, _)| name == "out")
        {
            if let Value::HostTensor(out) = &given.1 {
                out.expose();
            }
        }
        if let Some(result) = self.conversion(tensor, name, arguments) {
            return Ok(made(result));
        }
        if let Some(result) = self.in_place(tensor, name, arguments)? {
            self.doubt(tensor);
            return Ok(result);
        }
        if let Some(result) = self.rearranged(tensor, name, arguments)? {
            return Ok(result);
        }
        if let Some(result) = self.elementwise(tensor, name, arguments) {
            return Ok(result);
        }
        if let Some(result) = self.question(tensor, name, arguments)? {
            return Ok(result);
        }
        if let Some(result) = self.new_like(tensor, name, arguments)? {
            return Ok(made(result));
        }
        if ANSWERS.contains(&name) {
            return Ok(Value::Unknown);
        }
        // A method that is not known may write to the elements, and answer with a view of them.
        tensor.expose();
        Ok(made(tensor.view_or_copy((None, Vec::new()), Part::Some)))
    }

    /// Other types, other devices, other libraries.
    fn conversion(
        &mut self,
        tensor: &Rc<HostTensor>,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Option<Rc<HostTensor>> {
        let is_numpy = tensor.library == Library::Numpy;
        let to = match name {
            "half" => Some(DType::Half),
            "bfloat16" => Some(DType::BFloat16),
            "float" => Some(DType::Float),
            "int" => Some(DType::Int),
            "long" => Some(DType::Int64),
            "short" => Some(DType::Int16),
            "char" => Some(DType::Int8),
            "byte" => Some(DType::UInt8),
            "bool" => Some(DType::Bool),
            "double" => None,
            "to" | "type" | "astype" | "type_as" => {
                let wanted = asked(tensor.library, arguments, 0);
                return Some(match wanted {
                    // `.to(device)`
                    None => tensor.view_or_copy(tensor.extents(), Part::Whole),
                    Some(to) if is_numpy && arguments.keyword("copy").is_none() => {
                        tensor.converted(to)
                    }
                    Some(to) => retyped(tensor, to),
                });
            }
            "contiguous" if tensor.is_contiguous() => return Some(tensor.clone()),
            "cpu" | "cuda" | "npu" | "pin_memory" | "contiguous" | "to_dense" | "resolve_conj" => {
                return Some(tensor.view_or_copy(tensor.extents(), Part::Whole));
            }
            "detach" => {
                return Some(tensor.view(tensor.extents(), Part::Whole));
            }
            "numpy" => return Some(tensor.of_library(Library::Numpy)),
            "clone" => return Some(tensor.copy()),
            "copy" if is_numpy => return Some(tensor.copy()),
            _ => return None,
        };
        (!is_numpy).then(|| retyped(tensor, to))
    }

    /// What writes to the elements, or changes the object.
    fn in_place(
        &mut self,
        tensor: &Rc<HostTensor>,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Eval<Option<Value<'a>>> {
        if ITSELF.contains(&name) {
            return Ok(Some(made(tensor.clone())));
        }
        let is_numpy = tensor.library == Library::Numpy;
        if is_numpy && name == "resize" {
            tensor.forget();
            return Ok(Some(Value::None));
        }
        if is_numpy && NUMPY_WRITES.contains(&name) {
            tensor.fill(match name {
                "fill" => arguments.at(0).and_then(|value| {
                    indexing::contents_of(value, tensor.dtype(), tensor.shape().as_deref())
                }),
                _ => None,
            });
            return Ok(Some(Value::None));
        }
        if is_numpy || !name.ends_with('_') || name.ends_with("__") {
            return Ok(None);
        }
        let changed = match name {
            "t_" | "transpose_" | "swapaxes_" | "swapdims_" | "squeeze_" | "unsqueeze_" => {
                self.rearranged(tensor, name.trim_end_matches('_'), arguments)?
            }
            _ if WRITES.contains(&name) => {
                tensor.fill(filled(tensor, name, arguments));
                return Ok(Some(made(tensor.clone())));
            }
            _ => None,
        };
        match changed {
            Some(Value::HostTensor(other)) => {
                let part = if other.is_contiguous() {
                    Part::Whole
                } else {
                    Part::Reordered
                };
                tensor.reshape_in_place(other.extents(), part);
            }
            // Its extents, too, are another matter from here on.
            _ => tensor.forget(),
        }
        Ok(Some(made(tensor.clone())))
    }

    /// The same elements in other extents.
    fn rearranged(
        &mut self,
        tensor: &Rc<HostTensor>,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Eval<Option<Value<'a>>> {
        let shape = tensor.shape();
        let is_numpy = tensor.library == Library::Numpy;
        let result = match name {
            "t" | "T" | "H" => self.reversed_axes(tensor, name),
            "mT" | "mH" | "adjoint" => self.swapped(tensor, -1, -2),
            "transpose" if is_numpy => {
                let given = self.given_extents(arguments, 0, "axes")?;
                match arguments.positional.is_empty()
                    || matches!(arguments.at(0), Some(Value::None))
                {
                    true => self.reversed_axes(tensor, "T"),
                    false => self.permuted(tensor, given),
                }
            }
            "transpose" | "swapaxes" | "swapdims" => {
                let axes = [
                    (0, ["dim0", "axis1", "axis0"]),
                    (1, ["dim1", "axis2", "axis1"]),
                ];
                let axes = axes.map(|(at, names)| number(arguments, at, &names));
                match axes {
                    [Some(a), Some(b)] => self.swapped(tensor, a, b),
                    _ => tensor.view(unnamed(None), Part::Some),
                }
            }
            "permute" => {
                let given = self.given_extents(arguments, 0, "dims")?;
                self.permuted(tensor, given)
            }
            "view" if arguments.positional.is_empty() && arguments.keywords.is_empty() => {
                tensor.view(tensor.extents(), Part::Whole)
            }
            "view"
                if argument(arguments, 0, &["dtype"])
                    .and_then(|it| type_of(tensor.library, it))
                    .is_some() =>
            {
                let to =
                    argument(arguments, 0, &["dtype"]).and_then(|it| type_of(tensor.library, it));
                tensor.reinterpreted(to.flatten())
            }
            "reshape" | "view" | "view_as" | "reshape_as" => {
                let (to, spelled) = match arguments.at(0) {
                    Some(Value::HostTensor(other)) => other.extents(),
                    _ => self.given_extents(arguments, 0, "shape")?,
                };
                let found = shape.as_deref().zip(to.as_deref());
                let found = found.and_then(|(from, to)| shapes::reshaped(from, to));
                let is_ordered = argument(arguments, usize::MAX, &["order"]).is_none();
                let extents = (found, spelled);
                match (name, is_ordered) {
                    _ if tensor.is_contiguous() && is_ordered => tensor.view(extents, Part::Whole),
                    ("view" | "view_as", true) => tensor.view(extents, Part::Reordered),
                    _ => tensor.view_or_copy(extents, Part::Reordered),
                }
            }
            "flatten" | "ravel" => {
                let range = match is_numpy || name == "ravel" {
                    true => Some((0, -1)),
                    false => {
                        let bound = |at, name: &str, default| match argument(arguments, at, &[name])
                        {
                            None => Some(default),
                            Some(value) => value.as_int(),
                        };
                        bound(0, "start_dim", 0).zip(bound(1, "end_dim", -1))
                    }
                };
                let is_ordered =
                    !is_numpy || (arguments.positional.is_empty() && arguments.keywords.is_empty());
                let found = shape.as_deref().zip(range);
                let found =
                    found.and_then(|(shape, (start, end))| shapes::flattened(shape, start, end));
                let extents = unnamed(found);
                match (
                    is_numpy && name == "flatten",
                    is_ordered && tensor.is_contiguous(),
                ) {
                    (true, true) => tensor.fresh(tensor.dtype(), extents, tensor.contents()),
                    (true, false) => tensor.fresh(tensor.dtype(), extents, TensorInit::Computed),
                    (false, true) => tensor.view(extents, Part::Whole),
                    (false, false) => tensor.view_or_copy(extents, Part::Reordered),
                }
            }
            "unsqueeze" => {
                let axis = number(arguments, 0, &["dim"]);
                let found = shape.as_deref().zip(axis);
                let (_, mut names) = tensor.extents();
                let found = found.and_then(|(shape, axis)| {
                    names.insert(place(axis, shape.len() + 1)?.min(names.len()), None);
                    shapes::unsqueezed(shape, axis)
                });
                tensor.view((found, names), Part::Whole)
            }
            "squeeze" => {
                let axes = match argument(arguments, 0, &["dim", "axis"]) {
                    None | Some(Value::None) => Some(None),
                    Some(_) => self.named_axes(arguments, 0)?.map(Some),
                };
                let found = shape.as_deref().zip(axes);
                let found = found
                    .and_then(|(shape, axes)| shapes::squeezed(shape, axes.as_deref(), is_numpy));
                tensor.view(unnamed(found), Part::Whole)
            }
            "expand" | "expand_as" | "broadcast_to" => {
                let (to, spelled) = match arguments.at(0) {
                    Some(Value::HostTensor(other)) => other.extents(),
                    _ => self.given_extents(arguments, 0, "size")?,
                };
                let found = shape.as_deref().zip(to.as_deref());
                let found = found.and_then(|(shape, to)| shapes::expanded(shape, to));
                tensor.view((found, spelled), Part::Some)
            }
            "repeat" if is_numpy => {
                let times = number(arguments, 0, &["repeats"]);
                let axis = argument(arguments, 1, &["axis"]);
                let axis = axis
                    .filter(|axis| !matches!(axis, Value::None))
                    .map(|axis| axis.as_int());
                copied(
                    tensor,
                    shape.zip(times).and_then(|(mut shape, times)| {
                        let times = i64::try_from(times).ok().filter(|&times| times >= 0)?;
                        let Some(axis) = axis else {
                            return Some(vec![shapes::elements(&shape)?.checked_mul(times)?]);
                        };
                        let at = place(axis?, shape.len())?;
                        shape[at] = shape[at].checked_mul(times)?;
                        Some(shape)
                    }),
                )
            }
            "repeat" | "tile" => {
                let (factors, _) = self.given_extents(
                    arguments,
                    0,
                    if name == "tile" { "dims" } else { "repeats" },
                )?;
                let found = shape.as_deref().zip(factors.as_deref());
                copied(
                    tensor,
                    found.and_then(|(shape, factors)| match name {
                        "repeat" => shapes::repeated(shape, factors),
                        _ => shapes::tiled(shape, factors),
                    }),
                )
            }
            "narrow" => {
                let given = [(0, "dim"), (1, "start"), (2, "length")]
                    .map(|(at, name)| number(arguments, at, &[name]));
                let found = shape.and_then(|mut shape| {
                    let [Some(axis), Some(start), Some(length)] = given else {
                        return None;
                    };
                    let at = place(axis, shape.len())?;
                    let (extent, length) = (shape[at], i64::try_from(length).ok()?);
                    let start = if start < 0 {
                        start + i128::from(extent)
                    } else {
                        start
                    };
                    let fits = start >= 0
                        && length >= 0
                        && start + i128::from(length) <= i128::from(extent);
                    shape[at] = fits.then_some(length)?;
                    Some(shape)
                });
                tensor.view(unnamed(found), Part::Some)
            }
            "select" => {
                let (axis, index) = (
                    number(arguments, 0, &["dim"]),
                    number(arguments, 1, &["index"]),
                );
                let found = shape
                    .zip(axis.zip(index))
                    .and_then(|(mut shape, (axis, index))| {
                        let at = place(axis, shape.len())?;
                        place(index, usize::try_from(shape.remove(at)).ok()?)?;
                        Some(shape)
                    });
                tensor.view(unnamed(found), Part::Some)
            }
            "chunk" | "split" | "unbind" | "tensor_split" | "split_with_sizes" => {
                return self.in_parts(tensor, name, arguments).map(Some);
            }
            _ => return Ok(None),
        };
        Ok(Some(made(result)))
    }

    fn reversed_axes(&self, tensor: &HostTensor, name: &str) -> Rc<HostTensor> {
        let (mut shape, mut names) = tensor.extents();
        if let Some(shape) = &mut shape {
            names.resize(shape.len(), None);
            shape.reverse();
        }
        names.reverse();
        let rank = shape.as_ref().map_or(usize::MAX, Vec::len);
        if name != "T" && rank > 2 {
            return tensor.view(unnamed(None), Part::Some);
        }
        let part = if rank < 2 {
            Part::Whole
        } else {
            Part::Reordered
        };
        tensor.view((shape, names), part)
    }

    fn swapped(&self, tensor: &HostTensor, a: i128, b: i128) -> Rc<HostTensor> {
        let (shape, mut names) = tensor.extents();
        let shape = shape.and_then(|mut shape| {
            let (a, b) = (place(a, shape.len())?, place(b, shape.len())?);
            shape.swap(a, b);
            names.resize(shape.len(), None);
            names.swap(a, b);
            Some(shape)
        });
        tensor.view((shape, names), Part::Reordered)
    }

    fn permuted(
        &self,
        tensor: &HostTensor,
        (axes, _): (Option<Vec<i64>>, Vec<Option<String>>),
    ) -> Rc<HostTensor> {
        let (shape, mut names) = tensor.extents();
        let found = shape.zip(axes).and_then(|(shape, axes)| {
            let order = shapes::order(&axes, shape.len())?;
            names.resize(shape.len(), None);
            names = order.iter().map(|&at| names[at].clone()).collect();
            Some(order.iter().map(|&at| shape[at]).collect())
        });
        tensor.view((found, names), Part::Reordered)
    }

    /// Extents, factors or axes that a method is given: one by one, as a list, or by a name.
    fn given_extents(
        &mut self,
        arguments: &Arguments<'a>,
        from: usize,
        name: &str,
    ) -> Eval<(Option<Vec<i64>>, Vec<Option<String>>)> {
        let mut given: Vec<Spanned<'a>> = arguments.positional.iter().skip(from).cloned().collect();
        if given.is_empty() {
            let names = [name, "shape", "size", "dims", "axes"];
            let mut keywords = arguments.keywords.iter();
            let named = keywords.find(|(keyword, _, _)| names.contains(&keyword.as_str()));
            given.extend(named.map(|(_, value, span)| (value.clone(), *span)));
        }
        match given.is_empty() {
            true => Ok((None, Vec::new())),
            false => self.host_shape(&given),
        }
    }

    /// The axes that an argument names: a number, or several.
    fn named_axes(&mut self, arguments: &Arguments<'a>, at: usize) -> Eval<Option<Vec<i64>>> {
        let Some(given) = argument(arguments, at, &["dim", "axis"]).cloned() else {
            return Ok(None);
        };
        if let Some(axis) = given.as_int() {
            return Ok(i64::try_from(axis).ok().map(|axis| vec![axis]));
        }
        let items = match given {
            Value::Tuple(_) | Value::List(_) => self.static_items(&given)?,
            _ => None,
        };
        let axis = |item: &Value| i64::try_from(item.as_int()?).ok();
        Ok(items.and_then(|items| items.iter().map(axis).collect()))
    }

    /// `chunk(n, dim)`, `split(size or sizes, dim)`, `unbind(dim)`
    fn in_parts(
        &mut self,
        tensor: &HostTensor,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Eval<Value<'a>> {
        let at = if name == "unbind" { 0 } else { 1 };
        let axis = argument(arguments, at, &["dim", "axis"]).map_or(Some(0), |axis| axis.as_int());
        let sizes = match arguments.at(0).cloned() {
            Some(list @ (Value::List(_) | Value::Tuple(_))) => {
                let items = self.static_items(&list)?;
                let size = |item: &Value| i64::try_from(item.as_int()?).ok();
                items.and_then(|items| items.iter().map(size).collect::<Option<Vec<i64>>>())
            }
            _ => None,
        };
        let count = number(
            arguments,
            0,
            &["chunks", "split_size", "split_size_or_sections"],
        );
        let count = count.and_then(|count| i64::try_from(count).ok());
        let found = tensor.shape().zip(axis).and_then(|(shape, axis)| {
            let axis = place(axis, shape.len())?;
            let extent = shape[axis];
            let extents = match (name, count, sizes) {
                ("unbind", _, _) => shapes::split(extent, 1).filter(|_| extent > 0)?,
                ("chunk", Some(count), _) if count > 0 => shapes::split(
                    extent,
                    extent.checked_add(count - 1)?.div_euclid(count).max(1),
                )?,
                ("split", Some(size), _) => shapes::split(extent, size)?,
                ("split" | "split_with_sizes", None, Some(sizes)) => {
                    let total = sizes
                        .iter()
                        .try_fold(0i64, |all, &size| all.checked_add(size))?;
                    let fits = total == extent && sizes.iter().all(|&size| size >= 0);
                    fits.then_some(sizes)?
                }
                _ => return None,
            };
            Some((axis, extents))
        });
        let Some((axis, extents)) = found else {
            // Views of it that nobody can tell apart.
            tensor.expose();
            return Ok(Value::Unknown);
        };
        self.charge(extents.len())?;
        let parts = indexing::parts(tensor, axis, &extents, name != "unbind");
        Ok(parts.map_or(Value::Unknown, Value::tuple))
    }

    /// Functions of each element, operators, comparisons.
    fn elementwise(
        &mut self,
        tensor: &Rc<HostTensor>,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Option<Value<'a>> {
        let dtype = tensor.dtype();
        let typed = arguments.keyword("dtype").is_some();
        let wanted = || asked(tensor.library, arguments, usize::MAX).flatten();
        if let Some(op) = operator(name) {
            // `alpha`, `rounding_mode`
            if !arguments.keywords.is_empty() {
                return Some(made(tensor.unknown(None)));
            }
            let other = arguments.at(0)?;
            let of = Value::HostTensor(tensor.clone());
            let result = arithmetic::binary(self.torch_float, op, &of, other);
            return Some(result.unwrap_or_else(|| made(tensor.unknown(None))));
        }
        let result = match name {
            "mm" | "bmm" | "dot" | "mv" => match arguments.at(0) {
                Some(Value::HostTensor(other)) => arithmetic::product(tensor, other),
                _ => tensor.unknown(dtype),
            },
            "maximum" | "minimum" | "fmax" | "fmin" | "where" | "fmod" => match arguments.at(0) {
                Some(Value::HostTensor(other))
                    if name != "where" && other.library == tensor.library =>
                {
                    arithmetic::stretched(tensor, other, arithmetic::common_type(tensor, other))
                }
                _ => tensor.unknown(None),
            },
            "cumsum" | "cumprod" => {
                let of_integers = dtype.is_some_and(|it| !it.is_float());
                match (typed, of_integers, tensor.library) {
                    (true, _, _) => tensor.computed(wanted()),
                    (false, true, Library::Torch) => tensor.computed(Some(DType::Int64)),
                    (false, true, Library::Numpy) => tensor.unknown(None),
                    _ => tensor.computed(dtype),
                }
            }
            "tril" | "triu" => match tensor.contents() {
                TensorInit::Full(value) if value == 0.0 => tensor.copy(),
                _ => tensor.computed(dtype),
            },
            _ if SAME_TYPE.contains(&name) => tensor.computed(match (name, tensor.library) {
                // A float among the bounds makes floats of integers; numpy rounds integers to floats or not.
                ("clamp" | "clip" | "clamp_max" | "clamp_min", _)
                    if !dtype.is_some_and(DType::is_float) =>
                {
                    let whole = arguments
                        .values()
                        .all(|it| matches!(it, Value::Int(_) | Value::None));
                    dtype.filter(|_| whole)
                }
                ("floor" | "ceil" | "trunc" | "fix" | "square", Library::Numpy) => {
                    dtype.filter(|dtype| dtype.is_float())
                }
                _ => dtype.filter(|&dtype| {
                    dtype != DType::Bool || matches!(name, "roll" | "flip" | "masked_fill")
                }),
            }),
            _ if typed && FLOATS.contains(&name) => tensor.computed(wanted()),
            _ if FLOATS.contains(&name) => float_function(self.torch_float, tensor),
            _ if OF_FLOATS.contains(&name) => tensor.computed(dtype.filter(|it| it.is_float())),
            _ if TESTS.contains(&name) => tensor.computed(Some(DType::Bool)),
            _ if COMPARISONS.contains(&name) => {
                let other = arguments.at(0)?;
                let of = Value::HostTensor(tensor.clone());
                return arithmetic::compared(&of, other);
            }
            _ => return None,
        };
        Some(made(result))
    }

    /// Reductions, and questions about extents.
    fn question(
        &mut self,
        tensor: &Rc<HostTensor>,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Eval<Option<Value<'a>>> {
        if let Some((_, kind)) = REDUCTIONS.iter().find(|(known, _)| *known == name) {
            return self.reduced(tensor, *kind, name, arguments).map(Some);
        }
        let shape = tensor.shape();
        let known =
            |number: Option<i64>| number.map_or(Value::Unknown, |number| Value::Int(number.into()));
        Ok(Some(match name {
            "size" if tensor.library == Library::Torch => {
                match (shape, argument(arguments, 0, &["dim"])) {
                    (Some(shape), None) => extents(&shape),
                    (Some(shape), Some(axis)) => {
                        let at = axis.as_int().and_then(|axis| place(axis, shape.len()));
                        known(at.map(|at| shape[at]))
                    }
                    (None, _) => Value::Unknown,
                }
            }
            "numel" | "nelement" => known(shape.and_then(|shape| shapes::elements(&shape))),
            "dim" | "ndimension" => known(shape.map(|shape| shape.len() as i64)),
            "element_size" => known(tensor.dtype().map(|dtype| dtype.bits() / 8)),
            _ => return Ok(None),
        }))
    }

    fn reduced(
        &mut self,
        tensor: &Rc<HostTensor>,
        kind: Reduced,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Eval<Value<'a>> {
        let dtype = tensor.dtype();
        let at = if name == "norm" { 1 } else { 0 };
        let given = argument(arguments, at, &["dim", "axis"]).cloned();
        if let (Reduced::Extreme, Some(Value::HostTensor(other))) = (kind, &given) {
            let common = arithmetic::common_type(tensor, other);
            return Ok(made(arithmetic::stretched(tensor, other, common)));
        }
        let axes = match &given {
            None | Some(Value::None) => Some(None),
            Some(_) => self.named_axes(arguments, at)?.map(Some),
        };
        let keeps = match arguments
            .keyword("keepdim")
            .or(arguments.keyword("keepdims"))
        {
            Some(keeps) => keeps.truth(),
            // Where it stands among the arguments depends on the function.
            None => (arguments.positional.len() <= at + 1).then_some(false),
        };
        let shape = tensor
            .shape()
            .zip(axes.clone())
            .zip(keeps)
            .and_then(|((shape, axes), keeps)| shapes::reduced(&shape, axes.as_deref(), keeps));
        let is_integer = dtype.is_some_and(|dtype| !dtype.is_float());
        let is_unsigned =
            dtype.is_some_and(|it| is_integer && !it.is_signed() && it != DType::Bool);
        let result = match kind {
            _ if arguments.keyword("dtype").is_some() => {
                asked(tensor.library, arguments, usize::MAX).flatten()
            }
            Reduced::Total if is_integer => match tensor.library {
                Library::Numpy if is_unsigned => Some(DType::UInt64),
                _ => Some(DType::Int64),
            },
            Reduced::Total | Reduced::Same | Reduced::Extreme => dtype,
            Reduced::Float => dtype.filter(|dtype| dtype.is_float()),
            Reduced::Place => Some(DType::Int64),
            Reduced::Truth => Some(DType::Bool).filter(|_| dtype != Some(DType::UInt8)),
            Reduced::Unknown => None,
        };
        if kind == Reduced::Unknown {
            return Ok(made(tensor.unknown(dtype)));
        }
        let values = tensor.fresh(result, unnamed(shape.clone()), TensorInit::Computed);
        let names_axis = matches!(axes, Some(Some(_)) | None);
        if kind == Reduced::Extreme && tensor.library == Library::Torch && names_axis {
            let places = tensor.fresh(Some(DType::Int64), unnamed(shape), TensorInit::Computed);
            return Ok(Value::tuple(vec![made(values), made(places)]));
        }
        Ok(made(values))
    }

    /// `new_zeros(…)` and the like.
    fn new_like(
        &mut self,
        tensor: &HostTensor,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Eval<Option<Rc<HostTensor>>> {
        let contents = match name {
            "new_zeros" => TensorInit::Full(0.0),
            "new_ones" => TensorInit::Full(1.0),
            "new_empty" => TensorInit::Empty,
            "new_full" => {
                let fill = argument(arguments, 1, &["fill_value"]);
                fill.and_then(|fill| fill.as_float())
                    .map_or(TensorInit::Computed, TensorInit::Full)
            }
            _ => return Ok(None),
        };
        let dtype = match arguments.keyword("dtype") {
            Some(_) => asked(tensor.library, arguments, usize::MAX).flatten(),
            None => tensor.dtype(),
        };
        let given: Vec<Spanned<'a>> = match name {
            "new_full" => arguments.positional.iter().take(1).cloned().collect(),
            _ => arguments.positional.clone(),
        };
        let extents = match given.is_empty() {
            true => self.given_extents(arguments, usize::MAX, "size")?,
            false => self.host_shape(&given)?,
        };
        Ok(Some(tensor.fresh(dtype, extents, contents)))
    }
}

/// A tensor of torch as another type: itself where it has that already.
fn retyped(tensor: &Rc<HostTensor>, to: Option<DType>) -> Rc<HostTensor> {
    match (tensor.dtype(), to) {
        (Some(from), Some(to)) if from == to => tensor.clone(),
        (Some(_), Some(_)) => tensor.converted(to),
        // The types may be the same one.
        _ => {
            let result = tensor.converted(to);
            if tensor.contents() != result.contents() || to.is_none() {
                tensor.expose();
            }
            result
        }
    }
}

/// A copy of elements, each once or several times, in other extents.
fn copied(tensor: &HostTensor, shape: Option<Vec<i64>>) -> Rc<HostTensor> {
    let contents = match tensor.contents() {
        contents @ (TensorInit::Full(_) | TensorInit::Empty | TensorInit::Integers(..)) => contents,
        _ => TensorInit::Computed,
    };
    tensor.fresh(tensor.dtype(), unnamed(shape), contents)
}

/// What a method fills a tensor of torch with.
fn filled(tensor: &HostTensor, name: &str, arguments: &Arguments) -> Option<TensorInit> {
    let number = |at: usize, name: &str, default: f64| match argument(arguments, at, &[name]) {
        None => Some(default),
        Some(value) => value.as_float(),
    };
    let is_float = tensor.dtype().is_some_and(DType::is_float);
    match name {
        "zero_" => Some(TensorInit::Full(0.0)),
        "fill_" | "copy_" => {
            let value = argument(arguments, 0, &["value", "src", "other"])?;
            indexing::contents_of(value, tensor.dtype(), tensor.shape().as_deref())
        }
        "uniform_" if is_float => {
            let ends = number(0, "from", 0.0).zip(number(1, "to", 1.0));
            ends.map(|(low, high)| TensorInit::UniformIn(low, high))
        }
        "normal_" if is_float => match (number(0, "mean", 0.0)?, number(1, "std", 1.0)?) {
            (0.0, 1.0) => Some(TensorInit::Normal),
            (mean, deviation) => Some(TensorInit::NormalOf(mean, deviation)),
        },
        "random_" if !is_float => {
            let whole = |at: usize| {
                arguments
                    .at(at)
                    .and_then(|it| i64::try_from(it.as_int()?).ok())
            };
            match arguments.positional.len() {
                1 => whole(0).map(|high| TensorInit::Integers(0, high)),
                2 => whole(0)
                    .zip(whole(1))
                    .map(|(low, high)| TensorInit::Integers(low, high)),
                _ => None,
            }
        }
        _ => None,
    }
}

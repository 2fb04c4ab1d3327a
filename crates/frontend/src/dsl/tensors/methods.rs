//! Methods of tensors: each is exact in shape, type and contents, or makes unknown what it does not model.

use std::rc::Rc;

use super::indexing;
use super::object::{HostTensor, Library, Part};
use super::shapes::{self, NamedShape, place};
use super::types::asked;
use crate::dsl::emit::{Arguments, Spanned};
use crate::dsl::tracer::{Eval, Tracer};
use crate::dsl::value::Value;
use a2lint_ir::TensorInit;
use a2lint_isa::DType;

/// Methods that write to the elements and keep extents and type, beside those of other tables.
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

/// Methods that write nothing and return the object itself.
const ITSELF: &[&str] = &[
    "detach_",
    "requires_grad_",
    "share_memory_",
    "retain_grad",
    "rename_",
];

/// Methods of NumPy arrays that write to the elements and return `None`.
const NUMPY_WRITES: &[&str] = &["fill", "sort", "partition", "put", "itemset", "setfield"];

/// Methods that return something other than a tensor and change nothing.
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

pub(super) fn number(arguments: &Arguments, at: usize, names: &[&str]) -> Option<i128> {
    argument(arguments, at, names).and_then(|value| value.as_int())
}

/// Returns an argument by its position or one of its names.
pub(super) fn argument<'v, 'a>(
    arguments: &'v Arguments<'a>,
    at: usize,
    names: &[&str],
) -> Option<&'v Value<'a>> {
    let named = || names.iter().find_map(|name| arguments.keyword(name));
    arguments.at(at).or_else(named)
}

pub(super) fn made<'a>(tensor: Rc<HostTensor>) -> Value<'a> {
    Value::HostTensor(tensor)
}

/// Extents without names.
pub(super) fn unnamed(shape: Option<Vec<i64>>) -> NamedShape {
    let names = vec![None; shape.as_ref().map_or(0, Vec::len)];
    (shape, names)
}

/// Returns the extents of a tensor as a tuple.
pub(in super::super) fn extents<'a>(shape: &[i64]) -> Value<'a> {
    let extents = shape.iter().map(|&extent| Value::Int(extent.into()));
    Value::tuple(extents.collect())
}

/// Returns an attribute of a tensor; `None` if it is a method.
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
        // `data` of torch shares the elements, without the history of gradients.
        "data" if tensor.library == Library::Torch => {
            made(tensor.view(tensor.extents(), Part::Whole))
        }
        "device" => Value::Inert,
        "requires_grad" | "is_cuda" | "is_npu" | "layout" | "grad" | "strides" | "flags" => {
            Value::Unknown
        }
        "data" | "flat" | "real" | "imag" | "base" => {
            // The returned objects share the elements, so they may be written through.
            tensor.expose();
            Value::Unknown
        }
        _ => return None,
    })
}

impl<'a> Tracer<'a> {
    /// Calls a method of a tensor.
    pub fn host_method(
        &mut self,
        tensor: &Rc<HostTensor>,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Eval<Value<'a>> {
        if !arguments.spread.is_empty() {
            // With a spread, the arguments are unknown.
            tensor.expose();
            return Ok(made(tensor.view_or_copy((None, Vec::new()), Part::Some)));
        }
        // `out=` writes the result into another tensor.
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
            self.written(tensor);
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
        // An unknown method may write to the elements, and return a view of them.
        tensor.expose();
        Ok(made(tensor.view_or_copy((None, Vec::new()), Part::Some)))
    }

    /// Converts a tensor to another type, device or library; `None` if the method is no conversion.
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
                    // `.to(device)` keeps the type. Whether it copies depends on the device of the tensor, which is
                    // unknown.
                    None => tensor.view_or_copy(tensor.extents(), Part::Whole),
                    // NumPy's `astype` copies even if the type is the same.
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
            // The array shares the elements with the tensor.
            "numpy" => return Some(tensor.of_library(Library::Numpy)),
            "clone" => return Some(tensor.copy()),
            "copy" if is_numpy => return Some(tensor.copy()),
            _ => return None,
        };
        (!is_numpy).then(|| retyped(tensor, to))
    }

    /// Calls a method that writes to the elements or changes the object; `None` if it is none.
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
        // By convention, torch's methods with a trailing underscore work in place.
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
            // Its extents may change as well.
            _ => tensor.forget(),
        }
        Ok(Some(made(tensor.clone())))
    }

    /// Calls a reduction, or a query about the extents; `None` if the method is neither.
    fn question(
        &mut self,
        tensor: &Rc<HostTensor>,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Eval<Option<Value<'a>>> {
        if let Some(result) = self.reduction(tensor, name, arguments)? {
            return Ok(Some(result));
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

    /// Calls `new_zeros(…)` and the like; `None` if the method is none of them.
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

/// Converts a tensor of torch: the result is the tensor itself if it has the type already.
fn retyped(tensor: &Rc<HostTensor>, to: Option<DType>) -> Rc<HostTensor> {
    match (tensor.dtype(), to) {
        (Some(from), Some(to)) if from == to => tensor.clone(),
        (Some(_), Some(_)) => tensor.converted(to),
        // The types may be the same, so the result may be the tensor itself.
        _ => {
            let result = tensor.converted(to);
            if tensor.contents() != result.contents() || to.is_none() {
                tensor.expose();
            }
            result
        }
    }
}

/// Returns the contents that a method of torch fills a tensor with; `None` if they are unknown.
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

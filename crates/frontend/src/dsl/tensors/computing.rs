//! Methods that compute: functions of each element, operators, comparisons and reductions.

use std::rc::Rc;

use super::arithmetic::{self, float_function};
use super::methods::{argument, made, unnamed};
use super::object::{HostTensor, Library};
use super::shapes;
use super::types::asked;
use crate::dsl::emit::Arguments;
use crate::dsl::tracer::{Eval, Tracer};
use crate::dsl::value::Value;
use a2lint_ir::TensorInit;
use a2lint_isa::DType;
use a2lint_syntax::python::ast::BinaryOp;

/// Functions that keep the element type, of integers and of floats alike.
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

/// Functions that give floats.
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

/// Functions that torch defines for floats only.
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

/// Functions that give a bool for each element.
const TESTS: &[&str] = &["isnan", "isinf", "isfinite", "logical_not", "signbit"];

/// Reductions, with the rule for the type of the result.
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

/// The rule for the element type of a reduction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reduced {
    /// The type of the elements; integers become 64-bit integers.
    Total,
    /// The type of the elements; integers become floats.
    Float,
    /// The type of the elements.
    Same,
    /// The type of the elements; torch also returns the indices if an axis is given.
    Extreme,
    /// 64-bit integers (indices or counts).
    Place,
    /// Bools.
    Truth,
    Unknown,
}

/// Returns the operator that a method computes.
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

impl<'a> Tracer<'a> {
    /// Calls a function of each element, an operator or a comparison; `None` if the method is none.
    pub(super) fn elementwise(
        &mut self,
        tensor: &Rc<HostTensor>,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Option<Value<'a>> {
        let dtype = tensor.dtype();
        let typed = arguments.keyword("dtype").is_some();
        let wanted = || asked(tensor.library, arguments, usize::MAX).flatten();
        if let Some(op) = operator(name) {
            // Keywords such as `alpha` and `rounding_mode` change the result.
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
                // Broadcasting applies as for operators.
                {
                    arithmetic::stretched(tensor, other, arithmetic::common_type(tensor, other))
                }
                _ => tensor.unknown(None),
            },
            "cumsum" | "cumprod" => {
                let of_integers = dtype.is_some_and(|it| !it.is_float());
                match (typed, of_integers, tensor.library) {
                    // Without an axis, NumPy flattens the array.
                    (_, _, Library::Numpy) if argument(arguments, 0, &["axis"]).is_none() => {
                        tensor.unknown(None)
                    }
                    (true, _, _) => tensor.computed(wanted()),
                    // torch accumulates integers in 64 bits; NumPy's type depends on the platform.
                    (false, true, Library::Torch) => tensor.computed(Some(DType::Int64)),
                    (false, true, Library::Numpy) => tensor.unknown(None),
                    _ => tensor.computed(dtype),
                }
            }
            // The part of zeros that is cleared stays zero.
            "tril" | "triu" => match tensor.contents() {
                TensorInit::Full(0.0) => tensor.copy(),
                _ => tensor.computed(dtype),
            },
            _ if SAME_TYPE.contains(&name) => tensor.computed(match (name, tensor.library) {
                // A float bound makes integers floats; NumPy converts integers for some functions, depending on the
                // version.
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

    /// Calls a reduction; `None` if the method is none.
    pub(super) fn reduction(
        &mut self,
        tensor: &Rc<HostTensor>,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Eval<Option<Value<'a>>> {
        match REDUCTIONS.iter().find(|(known, _)| *known == name) {
            Some((_, kind)) => self.reduced(tensor, *kind, name, arguments).map(Some),
            None => Ok(None),
        }
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
        // `max(other)` of two tensors is an elementwise maximum.
        if let (Reduced::Extreme, Some(Value::HostTensor(other))) = (kind, &given) {
            let common = arithmetic::common_type(tensor, other);
            return Ok(made(arithmetic::stretched(tensor, other, common)));
        }
        let axes = match &given {
            None | Some(Value::None) => Some(None),
            Some(_) => self.named_axes(arguments, at)?.map(Some),
        };
        // `max(None)` gives one tensor, `max(1)` two.
        let is_axis = given.as_ref().is_some_and(|given| given.as_int().is_some());
        if kind == Reduced::Extreme
            && tensor.library == Library::Torch
            && axes.is_none()
            && !is_axis
        {
            return self.not_followed();
        }
        let keeps = match arguments
            .keyword("keepdim")
            .or(arguments.keyword("keepdims"))
        {
            Some(keeps) => keeps.truth(),
            // The position of `keepdim` among the arguments depends on the function.
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
                // NumPy sums unsigned integers as unsigned 64-bit integers.
                Library::Numpy if is_unsigned => Some(DType::UInt64),
                _ => Some(DType::Int64),
            },
            Reduced::Total | Reduced::Same | Reduced::Extreme => dtype,
            // The mean of integers raises in torch, and is a 64-bit float in NumPy.
            Reduced::Float => dtype.filter(|dtype| dtype.is_float()),
            Reduced::Place => Some(DType::Int64),
            // torch's `any` and `all` of uint8 return uint8.
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
}

//! Methods of tensors, and functions that take them: what they do to shapes and types.

use std::rc::Rc;

use super::shapes::{elements, place, stretched};
use crate::frontend::dsl::emit::Arguments;
use crate::frontend::dsl::python::native::{Call, Native, Site};
use crate::frontend::dsl::python::numbers::dtype_of_text;
use crate::frontend::dsl::tracer::{Eval, Tracer};
use crate::frontend::dsl::value::Value;
use crate::ir::{LaunchTensor, TensorInit};
use crate::isa::DType;

/// Methods that compute each element by itself, or move the tensor as a whole.
const ELEMENTWISE: &[&str] = &[
    "abs",
    "clamp",
    "clip",
    "clone",
    "contiguous",
    "copy",
    "cos",
    "cpu",
    "cuda",
    "detach",
    "exp",
    "gelu",
    "log",
    "neg",
    "npu",
    "numpy",
    "pin_memory",
    "pow",
    "requires_grad_",
    "round",
    "sigmoid",
    "silu",
    "sin",
    "softmax",
    "sqrt",
    "tanh",
    "masked_fill",
    "masked_fill_",
    "clamp_",
    "mul_",
    "add_",
    "sub_",
    "div_",
    "mul",
    "add",
    "sub",
    "div",
    "to_dense",
    "resolve_conj",
];

pub(in super::super) const TABLE: &[Native] = &[
    torch("abs", method),
    torch("exp", method),
    torch("clamp", method),
    torch("tanh", method),
    torch("softmax", method),
    torch("sigmoid", method),
    torch("reshape", method),
    torch("transpose", method),
    torch("permute", method),
    torch("unsqueeze", method),
    torch("squeeze", method),
    torch("flatten", method),
    torch("t", method),
    torch("mm", method),
    torch("cat", |tracer, args, _| concatenated(tracer, args)),
    torch("tril", method),
    torch("triu", method),
    torch("round", method),
    Native {
        module: "numpy",
        name: "reshape",
        call: method,
    },
    Native {
        module: "numpy",
        name: "transpose",
        call: method,
    },
    Native {
        module: "numpy",
        name: "tril",
        call: method,
    },
    Native {
        module: "numpy",
        name: "triu",
        call: method,
    },
    Native {
        module: "numpy",
        name: "clip",
        call: method,
    },
    Native {
        module: "numpy",
        name: "exp",
        call: method,
    },
    Native {
        module: "numpy",
        name: "tanh",
        call: method,
    },
    Native {
        module: "torch.nn.functional",
        name: "softmax",
        call: method,
    },
];

const fn torch(name: &'static str, call: Call) -> Native {
    let module = "torch";
    Native { module, name, call }
}

/// `torch.reshape(x, …)`: the method of its first argument that has the function's name.
fn method<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, site: Site) -> Eval<Value<'a>> {
    let Some(Value::HostTensor(tensor)) = args.at(0).cloned() else {
        return Ok(Value::Unknown);
    };
    let name = tracer.text(site.name);
    let name = name.rsplit('.').next().unwrap_or_default().to_owned();
    let rest = Arguments {
        positional: args.positional[1..].to_vec(),
        keywords: args.keywords.clone(),
        spread: args.spread.clone(),
    };
    tracer.host_method(&tensor, &name, &rest)
}

fn concatenated<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let axis = args.at(1).or(args.keyword("dim"));
    let axis = axis.map_or(Some(0), |axis| axis.as_int());
    let parts = tracer.items_at(args, 0)?.unwrap_or_default();
    let tensors: Option<Vec<&LaunchTensor>> = parts
        .iter()
        .map(|part| match part {
            Value::HostTensor(tensor) => Some(tensor.as_ref()),
            _ => None,
        })
        .collect();
    let Some([first, rest @ ..]) = tensors.as_deref() else {
        return Ok(Value::Unknown);
    };
    let shape = first.shape.clone().and_then(|mut shape| {
        let axis = place(axis?, shape.len())?;
        for other in rest {
            shape[axis] = shape[axis].checked_add(*other.shape.as_ref()?.get(axis)?)?;
        }
        Some(shape)
    });
    Ok(Value::HostTensor(Rc::new(first.of_shape(shape))))
}

impl<'a> Tracer<'a> {
    pub fn host_method(
        &mut self,
        tensor: &Rc<LaunchTensor>,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Eval<Value<'a>> {
        let number = |at: usize| arguments.at(at).and_then(|value| value.as_int());
        let rank = tensor.shape.as_ref().map_or(0, Vec::len);
        let mut result = tensor.as_ref().clone();
        match name {
            "half" => result.dtype = Some(DType::Half),
            "bfloat16" => result.dtype = Some(DType::BFloat16),
            "float" => result.dtype = Some(DType::Float),
            "int" => result.dtype = Some(DType::Int),
            "long" => result.dtype = Some(DType::Int64),
            "bool" => result.dtype = Some(DType::Bool),
            "to" | "type" | "astype" => retype(&mut result, arguments),
            "t" | "transpose" | "swapaxes" if arguments.positional.is_empty() => {
                if let Some(shape) = &mut result.shape {
                    shape.reverse();
                }
                result.spelled.reverse();
            }
            "transpose" | "swapaxes" => {
                let axes = [0, 1].map(|at| number(at).and_then(|axis| place(axis, rank)));
                match (&mut result.shape, axes) {
                    (Some(shape), [Some(a), Some(b)]) => {
                        shape.swap(a, b);
                        result.spelled.resize(rank, None);
                        result.spelled.swap(a, b);
                    }
                    _ => forget(&mut result),
                }
            }
            "permute" => return self.permuted(tensor, arguments),
            "reshape" | "view" => return self.reshaped_host(tensor, arguments),
            "flatten" | "ravel" => {
                let whole = result.shape.as_ref().and_then(|shape| elements(shape));
                result = tensor.of_shape(whole.map(|whole| vec![whole]));
            }
            "unsqueeze" => {
                let at = number(0).and_then(|axis| place(axis, rank + 1));
                match (&mut result.shape, at) {
                    (Some(shape), Some(at)) => {
                        shape.insert(at, 1);
                        result.spelled.resize(rank, None);
                        result.spelled.insert(at, None);
                    }
                    _ => forget(&mut result),
                }
            }
            "squeeze" => {
                let shape = result.shape.take().and_then(|shape| match arguments.at(0) {
                    None => Some(shape.into_iter().filter(|&extent| extent != 1).collect()),
                    Some(axis) => {
                        let at = place(axis.as_int()?, rank)?;
                        let mut shape = shape;
                        if shape[at] == 1 {
                            shape.remove(at);
                        }
                        Some(shape)
                    }
                });
                result = tensor.of_shape(shape);
            }
            "expand" | "repeat" | "tile" => {
                let (factors, _) = self.host_shape(&arguments.positional)?;
                result = tensor.of_shape(stretched(tensor, factors, name == "expand"));
            }
            "mm" => match arguments.at(0) {
                Some(Value::HostTensor(other)) => {
                    return Ok(super::arithmetic::product(tensor, other));
                }
                _ => forget(&mut result),
            },
            "uniform_" | "normal_" | "fill_" | "zero_" | "random_" => {
                result.init = filled(name, arguments);
            }
            "new_zeros" | "new_ones" | "new_empty" => {
                let (shape, spelled) = self.host_shape(&arguments.positional)?;
                (result.shape, result.spelled) = (shape, spelled);
                result.init = TensorInit::Full(0.0);
                retype(&mut result, arguments);
            }
            "size" => {
                let shape = tensor.shape.as_ref();
                return Ok(match (shape, arguments.at(0)) {
                    (Some(shape), None) => extents(shape),
                    (Some(shape), Some(axis)) => {
                        let at = axis.as_int().and_then(|axis| place(axis, shape.len()));
                        at.map_or(Value::Unknown, |at| Value::Int(shape[at].into()))
                    }
                    (None, _) => Value::Unknown,
                });
            }
            "numel" | "dim" | "element_size" => return Ok(measure(tensor, name)),
            // A number of it is not known.
            "item" | "tolist" | "max" | "min" | "sum" | "mean" | "any" | "all" => {
                return Ok(Value::Unknown);
            }
            _ if ELEMENTWISE.contains(&name) => result = result.computed_by(name),
            _ => forget(&mut result),
        }
        Ok(Value::HostTensor(Rc::new(result)))
    }
}

/// The extents of a tensor.
pub(in super::super) fn extents<'a>(shape: &[i64]) -> Value<'a> {
    Value::tuple(
        shape
            .iter()
            .map(|&extent| Value::Int(extent.into()))
            .collect(),
    )
}

fn measure<'a>(tensor: &LaunchTensor, name: &str) -> Value<'a> {
    let number = match name {
        "numel" => tensor.shape.as_ref().and_then(|shape| elements(shape)),
        "dim" => tensor.shape.as_ref().map(|shape| shape.len() as i64),
        _ => tensor.dtype.map(|dtype| dtype.bits() / 8),
    };
    number.map_or(Value::Unknown, |number| Value::Int(number.into()))
}

/// Nothing is known of its shape any more.
fn forget(tensor: &mut LaunchTensor) {
    tensor.shape = None;
    tensor.init = TensorInit::Computed;
    tensor.spelled.clear();
}

/// `.to(torch.half)`, `.to("npu")`, `.astype("float16")`
fn retype(tensor: &mut LaunchTensor, arguments: &Arguments) {
    for (value, _) in &arguments.positional {
        match value {
            Value::DType(dtype) => tensor.dtype = Some(*dtype),
            Value::Str(name) => tensor.dtype = dtype_of_text(name).or(tensor.dtype),
            Value::HostTensor(other) => tensor.dtype = other.dtype,
            _ => {}
        }
    }
    match arguments.keyword("dtype") {
        Some(Value::DType(dtype)) => tensor.dtype = Some(*dtype),
        Some(_) => tensor.dtype = None,
        None => {}
    }
}

/// The contents that a method fills a tensor with.
fn filled(name: &str, arguments: &Arguments) -> TensorInit {
    let number = |at: usize, default: f64| {
        arguments
            .at(at)
            .and_then(|value| value.as_float())
            .unwrap_or(default)
    };
    match name {
        "uniform_" => TensorInit::UniformIn(number(0, 0.0), number(1, 1.0)),
        "normal_" => TensorInit::Normal,
        "zero_" => TensorInit::Full(0.0),
        "random_" => TensorInit::Integers(number(0, 0.0) as i64, number(1, 100.0) as i64),
        _ => TensorInit::Full(number(0, 0.0)),
    }
}

impl LaunchTensor {
    /// What a method makes that leaves the shape alone.
    fn computed_by(&self, name: &str) -> LaunchTensor {
        const MOVES: &[&str] = &[
            "clone",
            "contiguous",
            "copy",
            "cpu",
            "cuda",
            "detach",
            "npu",
            "numpy",
            "pin_memory",
            "requires_grad_",
        ];
        match MOVES.contains(&name) {
            true => self.clone(),
            false => self.computed(),
        }
    }
}

//! Host code: Python's own functions, torch factories and the launches they lead to.

use std::rc::Rc;

use super::emit::Arguments;
use super::facade::{PythonFunction, TorchFactory};
use super::tracer::{Eval, Tracer};
use super::value::Value;
use crate::ir::{Launch, LaunchOrigin, LaunchTensor, TensorInit};
use crate::isa::DType;
use crate::syntax::python::ast::{self, ExprKind};
use crate::text::Span;

/// Launches beyond these are not recorded.
const MAX_LAUNCHES: usize = 64;

impl<'a> Tracer<'a> {
    pub fn python_call(
        &mut self,
        function: PythonFunction,
        arguments: &Arguments<'a>,
    ) -> Eval<Value<'a>> {
        use PythonFunction as P;
        let args: Vec<&Value<'a>> = arguments
            .positional
            .iter()
            .map(|(value, _)| value)
            .collect();
        let number = args.first().and_then(|value| value.as_float());
        let items = match args.first() {
            Some(value) => self.static_items(value)?,
            None => None,
        };
        let float = |value: Option<f64>| value.map_or(Value::Unknown, Value::Float);
        let integer = |value: Option<f64>| match value {
            Some(value) if value.is_finite() => Value::Int(value as i128),
            _ => Value::Unknown,
        };
        Ok(match function {
            P::Print => Value::None,
            P::Range => python_range(&args),
            P::Len => items.map_or(Value::Unknown, |items| Value::Int(items.len() as i128)),
            P::Int => match args.first().and_then(|value| value.as_int()) {
                Some(value) => Value::Int(value),
                None => integer(number.map(f64::trunc)),
            },
            P::Float => match args.first() {
                Some(Value::Str(text)) => float(python_float(text)),
                _ => float(number),
            },
            P::Bool => args
                .first()
                .and_then(|value| value.truth())
                .map_or(Value::Unknown, Value::Bool),
            P::Abs => match args.first() {
                Some(Value::Int(value)) => value.checked_abs().map_or(Value::Unknown, Value::Int),
                _ => float(number.map(f64::abs)),
            },
            P::Round => integer(number.map(f64::round_ties_even)),
            P::Ceil => integer(number.map(f64::ceil)),
            P::Floor => integer(number.map(f64::floor)),
            P::Sqrt => float(number.map(f64::sqrt)),
            P::Log2 => float(number.map(f64::log2)),
            P::Log => float(number.map(f64::ln)),
            P::Exp => float(number.map(f64::exp)),
            P::Min => extreme(&args, items, std::cmp::Ordering::Less),
            P::Max => extreme(&args, items, std::cmp::Ordering::Greater),
            P::Sum => fold(items, ast::BinaryOp::Add, 0),
            P::Prod => fold(items, ast::BinaryOp::Mul, 1),
            P::List => items.map_or_else(
                || {
                    if args.is_empty() {
                        Value::list(Vec::new())
                    } else {
                        Value::Unknown
                    }
                },
                Value::list,
            ),
            P::Tuple => items.map_or(Value::Unknown, Value::tuple),
            P::Reversed => items.map_or(Value::Unknown, |items| {
                Value::list(items.into_iter().rev().collect())
            }),
            P::Sorted => sorted(items),
            P::Enumerate => items.map_or(Value::Unknown, |items| {
                let pairs = items.into_iter().enumerate();
                Value::list(
                    pairs
                        .map(|(at, item)| Value::tuple(vec![Value::Int(at as i128), item]))
                        .collect(),
                )
            }),
            P::Zip => self.zip(&args)?,
            P::Dict => Value::dict(
                arguments
                    .keywords
                    .iter()
                    .map(|(name, value, _)| (Value::str(name), value.clone()))
                    .collect(),
            ),
            P::Str => match args.first() {
                Some(Value::Int(value)) => Value::str(&value.to_string()),
                Some(text @ Value::Str(_)) => (*text).clone(),
                _ => Value::Unknown,
            },
            P::IsInstance => Value::Unknown,
        })
    }

    fn zip(&mut self, args: &[&Value<'a>]) -> Eval<Value<'a>> {
        let mut columns = Vec::new();
        for arg in args {
            match self.static_items(arg)? {
                Some(items) => columns.push(items),
                None => return Ok(Value::Unknown),
            }
        }
        let rows = columns.iter().map(Vec::len).min().unwrap_or(0);
        let row =
            |at: usize| Value::tuple(columns.iter().map(|column| column[at].clone()).collect());
        Ok(Value::list((0..rows).map(row).collect()))
    }

    pub fn container_method(
        &mut self,
        object: &Value<'a>,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Eval<Value<'a>> {
        let first = arguments.positional.first().map(|(value, _)| value.clone());
        // Methods of dictionaries look through all of it; those of lists do not.
        if matches!(object, Value::Dict(_)) {
            self.charge(object.size())?;
        }
        Ok(match (object, name) {
            (Value::Dict(items), "items") => Value::list(
                items
                    .borrow()
                    .iter()
                    .map(|(key, value)| Value::tuple(vec![key.clone(), value.clone()]))
                    .collect(),
            ),
            (Value::Dict(items), "values") => Value::list(
                items
                    .borrow()
                    .iter()
                    .map(|(_, value)| value.clone())
                    .collect(),
            ),
            (Value::Dict(_), "keys") => self
                .static_items(object)?
                .map_or(Value::Unknown, Value::list),
            (Value::Dict(items), "get") => {
                let default = arguments.positional.get(1).map(|(value, _)| value.clone());
                let found = items
                    .borrow()
                    .iter()
                    .find(|(key, _)| {
                        first.as_ref().and_then(|first| key.equals(first)) == Some(true)
                    })
                    .map(|(_, value)| value.clone());
                found.or(default).unwrap_or(Value::None)
            }
            (Value::List(items), "extend") => {
                let more = match &first {
                    Some(value) => self.static_items(value)?,
                    None => None,
                };
                items.borrow_mut().extend(more.unwrap_or_default());
                Value::None
            }
            (Value::List(items), "pop") if first.is_none() => {
                items.borrow_mut().pop().unwrap_or(Value::Unknown)
            }
            _ => Value::Unknown,
        })
    }

    pub fn torch_call(
        &mut self,
        factory: TorchFactory,
        arguments: &Arguments<'a>,
        args: &'a [ast::Expr],
    ) -> Value<'a> {
        use TorchFactory as T;
        let positional = &arguments.positional;
        let number = |at: usize| positional.get(at).and_then(|(value, _)| value.as_int());
        let (shape_from, init) = match factory {
            T::Randn => (0..positional.len(), TensorInit::Normal),
            T::Rand => (0..positional.len(), TensorInit::Uniform),
            T::Zeros => (0..positional.len(), TensorInit::Full(0.0)),
            T::Ones => (0..positional.len(), TensorInit::Full(1.0)),
            T::Empty => (0..positional.len(), TensorInit::Empty),
            T::Full => {
                let fill = positional.get(1).and_then(|(value, _)| value.as_float());
                (0..1, TensorInit::Full(fill.unwrap_or(0.0)))
            }
            T::Arange => (0..positional.len().min(1), TensorInit::Arange),
            T::RandInt => {
                let (low, high, at) = match positional.len() {
                    0 | 1 => (0, 2, 0..0),
                    2 => (0, number(0).unwrap_or(2), 1..2),
                    _ => (number(0).unwrap_or(0), number(1).unwrap_or(2), 2..3),
                };
                (at, TensorInit::Integers(low as i64, high as i64))
            }
        };
        let exprs: Vec<&'a ast::Expr> =
            args.get(shape_from.clone()).unwrap_or(&[]).iter().collect();
        let values = &positional[shape_from.start..shape_from.end.min(positional.len())];
        let (shape, spelled) = self.host_shape(values, &exprs);
        let integer_fill = matches!(factory, T::Arange | T::RandInt);
        let dtype = match arguments.named("dtype", usize::MAX) {
            Some((Value::DType(dtype), _)) => Some(dtype),
            Some(_) => None,
            None if integer_fill => Some(DType::Int64),
            None => Some(DType::Float),
        };
        Value::HostTensor(Rc::new(LaunchTensor {
            dtype,
            shape,
            spelled,
            init,
        }))
    }

    /// `GMTensor(DT.half, [M, K])` in host code.
    pub fn host_tensor(&mut self, arguments: &Arguments<'a>, args: &'a [ast::Expr]) -> Value<'a> {
        let dtype = match arguments.named("dtype", 0) {
            Some((Value::DType(dtype), _)) => Some(dtype),
            _ => None,
        };
        let values: Vec<_> = arguments.named("shape", 1).into_iter().collect();
        let exprs: Vec<&'a ast::Expr> = args.get(1).into_iter().collect();
        let (shape, spelled) = self.host_shape(&values, &exprs);
        let init = TensorInit::Normal;
        Value::HostTensor(Rc::new(LaunchTensor {
            dtype,
            shape,
            spelled,
            init,
        }))
    }

    /// Extents and their spelling from `(M, K)` or `([M, K])`.
    fn host_shape(
        &mut self,
        values: &[(Value<'a>, Span)],
        exprs: &[&'a ast::Expr],
    ) -> (Option<Vec<i64>>, Vec<Option<String>>) {
        let (values, exprs): (Vec<Value<'a>>, Vec<&'a ast::Expr>) = match (values, exprs) {
            ([(Value::Tuple(items), _)], [expr]) => (items.to_vec(), children(expr)),
            ([(Value::List(items), _)], [expr]) => (items.borrow().to_vec(), children(expr)),
            (values, exprs) => (
                values.iter().map(|(value, _)| value.clone()).collect(),
                exprs.to_vec(),
            ),
        };
        let shape = values
            .iter()
            .map(|value| value.as_int().and_then(|value| i64::try_from(value).ok()))
            .collect();
        let spelled = (0..values.len())
            .map(|at| match exprs.get(at).map(|expr| &expr.kind) {
                Some(ExprKind::Name(name)) => Some(name.clone()),
                _ => None,
            })
            .collect();
        (shape, spelled)
    }

    pub fn host_method(
        &mut self,
        tensor: &Rc<LaunchTensor>,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Value<'a> {
        let mut result = tensor.as_ref().clone();
        match name {
            "half" => result.dtype = Some(DType::Half),
            "bfloat16" => result.dtype = Some(DType::BFloat16),
            "float" => result.dtype = Some(DType::Float),
            "int" => result.dtype = Some(DType::Int),
            "to" | "type" => {
                if let Some((Value::DType(dtype), _)) = arguments.positional.first() {
                    result.dtype = Some(*dtype);
                }
            }
            "t" => {
                if let Some(shape) = &mut result.shape {
                    shape.reverse();
                }
                result.spelled.reverse();
            }
            "contiguous" | "clone" | "cpu" | "npu" | "cuda" => {}
            "reshape" | "view" => {
                let (shape, spelled) = self.host_shape(&arguments.positional, &[]);
                result.shape = shape;
                result.spelled = spelled;
            }
            "size" => {
                let axis = arguments
                    .positional
                    .first()
                    .and_then(|(value, _)| value.as_int());
                let extent = result
                    .shape
                    .as_ref()
                    .zip(axis)
                    .and_then(|(shape, axis)| shape.get(usize::try_from(axis).ok()?).copied());
                return extent.map_or(Value::Unknown, |extent| Value::Int(extent.into()));
            }
            _ => {
                result.shape = None;
                result.spelled.clear();
            }
        }
        Value::HostTensor(Rc::new(result))
    }

    /// Records `OpExec(kernel, …)(tensors…, scalars…)` or `kernel(x, y, M)`.
    pub fn record_launch(
        &mut self,
        (kernel, block_dim): (&str, Option<u32>),
        arguments: &Arguments<'a>,
        args: &'a [ast::Expr],
        span: Span,
    ) {
        if self.in_kernel() || self.launches.len() >= MAX_LAUNCHES {
            return;
        }
        let mut tensors = Vec::new();
        let mut scalars = Vec::new();
        let mut floats = Vec::new();
        for (at, (value, _)) in arguments.positional.iter().enumerate() {
            match value {
                Value::HostTensor(tensor) => tensors.push(tensor.as_ref().clone()),
                other => match other.as_float() {
                    Some(number) => {
                        let name = match args.get(at).map(|expr| &expr.kind) {
                            Some(ExprKind::Name(name)) => name.clone(),
                            _ => String::new(),
                        };
                        if matches!(other, Value::Float(_)) {
                            floats.push(scalars.len());
                        }
                        scalars.push((name, number));
                    }
                    None => tensors.push(LaunchTensor {
                        dtype: None,
                        shape: None,
                        spelled: Vec::new(),
                        init: TensorInit::Normal,
                    }),
                },
            }
        }
        let launch = Launch {
            kernel: kernel.to_owned(),
            tensors,
            scalars,
            floats,
            span: Some(span),
            origin: LaunchOrigin::Code,
            block_dim,
        };
        if !self.launches.contains(&launch) {
            self.launches.push(launch);
        }
    }
}

fn children(expr: &ast::Expr) -> Vec<&ast::Expr> {
    match &expr.kind {
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().collect(),
        _ => Vec::new(),
    }
}

fn python_range<'a>(args: &[&Value<'a>]) -> Value<'a> {
    let numbers: Option<Vec<i128>> = args.iter().map(|value| value.as_int()).collect();
    match numbers.as_deref() {
        Some([stop]) => Value::Range(0, *stop, 1),
        Some([start, stop]) => Value::Range(*start, *stop, 1),
        Some([start, stop, step]) if *step != 0 => Value::Range(*start, *stop, *step),
        _ => Value::Unknown,
    }
}

/// `float("…")`
fn python_float(text: &str) -> Option<f64> {
    match text.trim().to_ascii_lowercase().as_str() {
        "inf" | "+inf" | "infinity" | "+infinity" => Some(f64::INFINITY),
        "-inf" | "-infinity" => Some(f64::NEG_INFINITY),
        "nan" => Some(f64::NAN),
        number => number.replace('_', "").parse().ok(),
    }
}

fn extreme<'a>(
    args: &[&Value<'a>],
    items: Option<Vec<Value<'a>>>,
    wanted: std::cmp::Ordering,
) -> Value<'a> {
    let values = match (args.len(), items) {
        (1, Some(items)) => items,
        (1, None) => return Value::Unknown,
        _ => args.iter().map(|value| (*value).clone()).collect(),
    };
    let mut best: Option<Value<'a>> = None;
    for value in values {
        let Some(number) = value.as_float() else {
            return Value::Unknown;
        };
        let better = match best.as_ref().and_then(|best| best.as_float()) {
            None => true,
            Some(before) => number.partial_cmp(&before) == Some(wanted),
        };
        if better {
            best = Some(value);
        }
    }
    best.unwrap_or(Value::Unknown)
}

fn fold<'a>(items: Option<Vec<Value<'a>>>, op: ast::BinaryOp, start: i128) -> Value<'a> {
    let Some(items) = items else {
        return Value::Unknown;
    };
    items.iter().fold(Value::Int(start), |total, item| {
        super::expressions::static_binary(op, &total, item)
    })
}

fn sorted<'a>(items: Option<Vec<Value<'a>>>) -> Value<'a> {
    let Some(mut items) = items else {
        return Value::Unknown;
    };
    if items.iter().any(|item| item.as_float().is_none()) {
        return Value::Unknown;
    }
    items.sort_by(|a, b| {
        a.as_float()
            .partial_cmp(&b.as_float())
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    Value::list(items)
}

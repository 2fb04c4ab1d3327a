//! Parameters of kernels: annotated, with symbols for extents.

use std::rc::Rc;

use super::super::super::facade::{Builtin, Global as GlobalType};
use super::super::super::tracer::{Eval, Tracer};
use super::super::super::value::{Function, Value};
use a2lint_ir::{
    Global, GlobalId, GlobalKind, GlobalView, Param, ParamKind, Scalar, ScalarId, ScalarType,
    VariableId, VariableKind,
};
use a2lint_isa::DType;
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::{self, ExprKind};

/// The compiler's error code for a bad signature.
const SIGNATURE: &str = "E0010";
/// Maximum number of tensors in a list.
const MAX_LISTED: i128 = 64;

/// The meaning of a parameter's annotation.
enum Annotated<'a> {
    Tensor(DType, Vec<Value<'a>>),
    /// A list of this many tensors.
    List(DType, Vec<Value<'a>>, usize),
    Scalar(DType),
    /// A tensor, or a list of tensors, with unknown extents.
    Unknown,
}

impl<'a> Tracer<'a> {
    /// Binds the parameters of a kernel. Scalars are bound first, since extents name them.
    pub fn bind_annotated(&mut self, kernel: &Function<'a>) -> Eval<()> {
        let params = &kernel.def.params;
        let mut read = Vec::with_capacity(params.len());
        for param in params {
            read.push(self.annotated(param)?);
        }
        for (param, annotated) in params.iter().zip(&read) {
            if let Annotated::Scalar(dtype) = annotated {
                self.scalar_param(&param.name.text, *dtype, param.name.span);
            }
        }
        let mut implicit = Vec::new();
        for (param, annotated) in params.iter().zip(read) {
            let (name, span) = (param.name.text.as_str(), param.name.span);
            let kind = match annotated {
                Annotated::Scalar(_) => match self.bound_variable(name) {
                    Some(id) => ParamKind::Variable(id),
                    None => ParamKind::Unknown,
                },
                Annotated::Tensor(dtype, dims) => {
                    ParamKind::Global(self.tensor_param((name, span), dtype, &dims, &mut implicit))
                }
                Annotated::List(dtype, dims, count) => {
                    let mut items = Vec::with_capacity(count);
                    // The items of a list are parameters of their own, with names that no source can spell.
                    for at in 0..count {
                        let item = format!("{name}[{at}]");
                        let own = (item.as_str(), span);
                        let id = self.tensor_param(own, dtype, &dims, &mut implicit);
                        items.push(self.frame.own(&item).unwrap_or(Value::Unknown));
                        self.frame.remove(&item);
                        self.param(&item, span, ParamKind::Global(id));
                    }
                    self.frame.set(name, Value::tuple(items));
                    continue;
                }
                Annotated::Unknown => {
                    self.frame.set(name, Value::Unknown);
                    ParamKind::Unknown
                }
            };
            self.param(name, param.name.span, kind);
        }
        // Symbols that no parameter declares become scalar parameters at the end.
        for (name, id, span) in implicit {
            self.param(&name, span, ParamKind::Variable(id));
            self.builder().program.implicit.push(id);
        }
        Ok(())
    }

    fn param(&mut self, name: &str, span: Span, kind: ParamKind) {
        self.builder().program.params.push(Param {
            name: name.into(),
            span,
            kind,
            annotated: true,
        });
    }

    fn scalar_param(&mut self, name: &str, dtype: DType, span: Span) -> VariableId {
        let of = ScalarType::of(dtype);
        let id = self.builder().variable(VariableKind::Param, name, of, span);
        self.frame.set(name, Value::Var(id));
        id
    }

    /// Evaluates the annotation of a parameter.
    fn annotated(&mut self, param: &'a ast::Param) -> Eval<Annotated<'a>> {
        let Some(annotation) = &param.annotation else {
            let message = format!("the parameter `{}` has no annotation", param.name.text);
            let help = "write GM[dtype, dims] for a tensor, i32, f32, … for a scalar";
            self.raise_with(param.name.span, SIGNATURE, message, Some(help.into()));
            return Ok(Annotated::Unknown);
        };
        if let ExprKind::Subscript { value, index } = &annotation.kind {
            let Value::Builtin(Builtin::GlobalType(kind)) = self.eval(value)? else {
                return Ok(Annotated::Unknown);
            };
            let index = self.eval(index)?;
            let items = self.static_items(&index)?.unwrap_or_default();
            return Ok(match (kind, items.as_slice()) {
                (GlobalType::List, [Value::DType(dtype), dims, count]) => {
                    let dims = match dims {
                        Value::Tuple(_) | Value::List(_) => {
                            self.static_items(dims)?.unwrap_or_default()
                        }
                        one => vec![one.clone()],
                    };
                    match count.as_int() {
                        Some(count @ 0..=MAX_LISTED) => {
                            Annotated::List(*dtype, dims, count as usize)
                        }
                        _ => Annotated::Unknown,
                    }
                }
                (GlobalType::Tensor, [Value::DType(dtype), dims @ ..]) => {
                    // Both `GM[f32, (M, 64)]` and `GM[f32, M, 64]` are accepted.
                    let dims = match dims {
                        [one @ (Value::Tuple(_) | Value::List(_))] => {
                            self.static_items(one)?.unwrap_or_default()
                        }
                        dims => dims.to_vec(),
                    };
                    Annotated::Tensor(*dtype, dims)
                }
                _ => Annotated::Unknown,
            });
        }
        // A bare element type is a scalar parameter.
        Ok(match self.eval(annotation)? {
            Value::DType(dtype) => Annotated::Scalar(dtype),
            Value::Builtin(Builtin::Var) => Annotated::Scalar(DType::Int),
            Value::Builtin(Builtin::GlobalTensor | Builtin::GlobalType(_)) => {
                let message = "a tensor is annotated with its type and extents";
                let help = "write GM[f32, (\"M\", 64)]".to_owned();
                self.raise_with(annotation.span, SIGNATURE, message, Some(help));
                Annotated::Unknown
            }
            _ => Annotated::Unknown,
        })
    }

    fn tensor_param(
        &mut self,
        (name, span): (&str, Span),
        dtype: DType,
        dims: &[Value<'a>],
        implicit: &mut Vec<(String, VariableId, Span)>,
    ) -> GlobalId {
        let shape: Vec<Option<ScalarId>> = dims
            .iter()
            .map(|dim| self.extent_of(dim, span, implicit))
            .collect();
        let id = self.builder().add_global(Global {
            name: name.into(),
            dtype: Some(dtype),
            shape: Vec::new(),
            kind: GlobalKind::Param,
            span,
            mutex: None,
            ring: None,
        });
        let builder = self.builder();
        let shape: Vec<ScalarId> = shape
            .into_iter()
            .enumerate()
            .map(|(axis, extent)| {
                let open = Scalar::Extent(id, axis as u32);
                // An extent that is not an expression over symbols stays a symbol of its own.
                extent.unwrap_or_else(|| builder.program.scalars.intern(open))
            })
            .collect();
        builder.program.globals[id.index()].shape.clone_from(&shape);
        let axes = self.whole_axes(&shape);
        let view = GlobalView {
            global: id,
            axes,
            sliced: false,
            transposed: false,
            site: span,
        };
        self.frame.set(name, Value::Global(Rc::new(view)));
        id
    }

    /// Evaluates an extent in an annotation: a number, a symbol, or an expression over symbols.
    fn extent_of(
        &mut self,
        dim: &Value<'a>,
        span: Span,
        implicit: &mut Vec<(String, VariableId, Span)>,
    ) -> Option<ScalarId> {
        if let Some(extent) = dim.as_int() {
            return Some(self.builder().int(i64::try_from(extent).ok()?));
        }
        let Value::Str(text) = dim else {
            return None;
        };
        // `"?"` is an extent that each tensor of a list has for itself.
        if &**text == "?" {
            return None;
        }
        let mut symbol = |tracer: &mut Self, name: &str| {
            // A symbol is declared by its first use.
            if let Some(known) = tracer.bound_variable(name) {
                return Some(known);
            }
            let id = tracer.scalar_param(name, DType::Int, span);
            implicit.push((name.to_owned(), id, span));
            Some(id)
        };
        self.symbolic(text, &mut symbol)
    }
}

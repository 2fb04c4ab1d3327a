//! Queues, buffers and tensors, and the expressions that make tensors of them.

use super::params::Fields;
use super::{ABSOLUTE, Reader};
use crate::cpp::Site;
use a2lint_ir::gather::{Offset, Tensor};
use a2lint_isa::masks::Element;
use a2lint_source::text::Span;
use a2lint_syntax::cpp::{BinaryOp, Declarator, Expr, ExprKind, Init, Path};

/// The object that a name denotes.
pub(super) enum Object {
    /// A queue or buffer.
    Store(Store),
    /// A local tensor.
    Tensor(View),
    /// A `GatherMaskParams`.
    Params(Fields),
    /// A tensor in GM.
    Global,
}

/// A queue or buffer.
pub(super) struct Store {
    /// `VECIN` of `TPosition::VECIN`.
    pub position: Option<String>,
    /// Size in bytes of each of its buffers, from `InitBuffer`.
    pub bytes: Option<i64>,
    /// The one memory of a `TBuf`; every tensor of a queue has its own.
    pub memory: Option<usize>,
    /// Where it is declared.
    pub declared: Span,
}

/// A local tensor without the expression that names it.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    pub element: Option<Element>,
    pub memory: Option<usize>,
    pub offset: Option<Offset>,
    pub bytes: Option<i64>,
    pub position: Option<String>,
    pub declared: Option<Span>,
}

impl Object {
    /// Makes the object unknown, after an operation that is not modelled.
    pub fn forget(&mut self) {
        match self {
            Object::Tensor(view) => {
                *view = View {
                    element: view.element,
                    ..View::default()
                }
            }
            Object::Params(fields) => fields.forget(),
            Object::Store(_) | Object::Global => {}
        }
    }
}

impl<'a> Reader<'a> {
    /// Returns the object that a declaration creates; `None` for types that are not modelled.
    pub(super) fn make(
        &mut self,
        site: &mut Site<'a>,
        ty: &Path<'a>,
        declarator: &Declarator<'a>,
    ) -> Option<Object> {
        match ty.name() {
            "LocalTensor" => {
                let element = ty.arguments.first().and_then(Expr::path);
                let element = element.and_then(|path| site.env.element(path));
                Some(Object::Tensor(self.tensor_of(site, element, declarator)))
            }
            "auto" => match &declarator.init {
                Init::Value(value) => self.view(site, value).map(Object::Tensor),
                _ => None,
            },
            "TQue" | "TQueBind" | "TBuf" => Some(Object::Store(Store {
                position: ty.arguments.first().and_then(position),
                bytes: None,
                memory: (ty.name() == "TBuf").then(|| self.new_memory()),
                declared: declarator.span,
            })),
            "GatherMaskParams" => Some(Object::Params(self.fields(
                site,
                &declarator.init,
                declarator.whole,
            ))),
            "GlobalTensor" => Some(Object::Global),
            _ => None,
        }
    }

    fn tensor_of(
        &mut self,
        site: &Site<'a>,
        element: Option<Element>,
        declarator: &Declarator<'a>,
    ) -> View {
        let made = match &declarator.init {
            Init::Value(value) => self.view(site, value),
            Init::Arguments(list) => match list.as_slice() {
                [only] => self.view(site, only),
                [place, address, count] => self.placed(site, element, [place, address, count]),
                _ => None,
            },
            Init::Default => None,
        };
        // A parameter, or a variable that is assigned later, has memory of its own.
        let made = made.unwrap_or_else(|| View {
            memory: Some(self.new_memory()),
            offset: Some(Offset::Known(0)),
            ..View::default()
        });
        View {
            element: element.or(made.element),
            declared: made.declared.or(Some(declarator.span)),
            ..made
        }
    }

    /// Reads `LocalTensor<T> x(TPosition::VECIN, address, elements)`.
    fn placed(
        &self,
        site: &Site<'a>,
        element: Option<Element>,
        [place, address, count]: [&Expr<'a>; 3],
    ) -> Option<View> {
        let start = site.env.int64(address)?;
        let count = site.env.int64(count);
        let size = count
            .zip(element)
            .map(|(count, element)| count.saturating_mul(element.bytes()));
        Some(View {
            element,
            memory: Some(ABSOLUTE),
            offset: Some(Offset::Known(start)),
            bytes: size.map(|size| start.saturating_add(size)),
            position: position(place),
            declared: None,
        })
    }

    /// Returns the tensor that an expression creates or names.
    pub(super) fn view(&mut self, site: &Site<'a>, expr: &Expr<'a>) -> Option<View> {
        match &expr.kind {
            ExprKind::Index(object, index) => {
                let view = self.view(site, object)?;
                let offset = self.index(site, &view, index);
                Some(View {
                    offset: Some(offset),
                    ..view
                })
            }
            ExprKind::Call {
                callee, arguments, ..
            } => match &callee.kind {
                ExprKind::Member {
                    object,
                    name,
                    arguments: types,
                } => {
                    let element = types.first().and_then(Expr::path);
                    let element = element.and_then(|path| site.env.element(path));
                    self.made_by(site, object, name, element, arguments)
                }
                _ => None,
            },
            _ => match self.objects.get(site.env.object(expr)?)? {
                Object::Tensor(view) => Some(view.clone()),
                _ => None,
            },
        }
    }

    fn index(&self, site: &Site<'a>, view: &View, index: &Expr<'a>) -> Offset {
        let Some(Offset::Known(start)) = view.offset else {
            return match view.offset {
                Some(Offset::Running) => Offset::Running,
                _ => Offset::Unknown,
            };
        };
        let added = site.env.int64(index).zip(view.element);
        let added = added.and_then(|(index, element)| index.checked_mul(element.bytes()));
        match added.and_then(|added| start.checked_add(added)) {
            Some(offset) => Offset::Known(offset),
            None if start == 0 && view.element.is_none() && site.env.int64(index).is_some() => {
                Offset::Elements(site.env.int64(index).unwrap_or(0))
            }
            None if self.is_running(index) => Offset::Running,
            None => Offset::Unknown,
        }
    }

    /// Whether an index is a count of kept elements, alone or in a sum.
    fn is_running(&self, index: &Expr<'a>) -> bool {
        match &index.kind {
            ExprKind::Binary(BinaryOp::Add, one, other) => {
                self.is_running(one) || self.is_running(other)
            }
            ExprKind::Cast(_, inner) => self.is_running(inner),
            _ => index
                .plain_name()
                .is_some_and(|name| self.counts.contains(&name)),
        }
    }

    /// Evaluates `queue.AllocTensor<T>()`, `buffer.Get<T>()`, `tensor.ReinterpretCast<T>()`.
    fn made_by(
        &mut self,
        site: &Site<'a>,
        object: &Expr<'a>,
        method: &str,
        element: Option<Element>,
        arguments: &[Expr<'a>],
    ) -> Option<View> {
        if method == "ReinterpretCast" {
            let view = self.view(site, object)?;
            let offset = match view.offset {
                Some(Offset::Elements(_)) => Some(Offset::Unknown),
                offset => offset,
            };
            return Some(View {
                element,
                offset,
                ..view
            });
        }
        let int = |at: usize| {
            arguments
                .get(at)
                .and_then(|argument| site.env.int64(argument))
        };
        let Object::Store(store) = self.objects.get(site.env.object(object)?)? else {
            return None;
        };
        let mut view = View {
            element,
            memory: store.memory,
            offset: Some(Offset::Known(0)),
            bytes: store.bytes,
            position: store.position.clone(),
            declared: Some(store.declared),
        };
        match method {
            "AllocTensor" | "DeQue" => view.memory = Some(self.new_memory()),
            "Get" => {
                let asked = int(0)
                    .zip(element)
                    .map(|(count, element)| count.saturating_mul(element.bytes()));
                view.bytes = view.bytes.or(asked);
            }
            "GetWithOffset" => view.offset = Some(int(1).map_or(Offset::Unknown, Offset::Known)),
            _ => return None,
        }
        Some(view)
    }

    /// Returns the tensor of an expression, with the span of the expression.
    pub(super) fn tensor(&mut self, site: &Site<'a>, expr: &Expr<'a>) -> Option<Tensor> {
        let view = self.view(site, expr)?;
        Some(Tensor {
            span: expr.span,
            text: self.source(expr.span).to_owned(),
            element: view.element,
            memory: view.memory,
            offset: view.offset.unwrap_or(Offset::Unknown),
            bytes: view.bytes,
            position: view.position,
            declared: view.declared,
        })
    }

    /// Returns a tensor of which only the expression is known.
    pub(super) fn unknown_tensor(&self, expr: &Expr<'a>) -> Tensor {
        Tensor {
            span: expr.span,
            text: self.source(expr.span).to_owned(),
            element: None,
            memory: None,
            offset: Offset::Unknown,
            bytes: None,
            position: None,
            declared: None,
        }
    }
}

/// `VECIN` of `TPosition::VECIN`.
fn position(expr: &Expr) -> Option<String> {
    let path = expr.path()?;
    (path.segments.len() > 1).then(|| path.name().to_owned())
}

//! Calls and assignments.

use super::class::init_buffer;
use super::objects::Object;
use super::params::FIELDS;
use super::{Reader, names};
use crate::cpp::{Binding, Call, Dialect, Entity, Site, root};
use a2lint_ir::gather::{Count, GatherCall, MaskMode, Number, Pattern, Step, StepKind, Sync};
use a2lint_isa::masks::Element;
use a2lint_syntax::cpp::{Expr, ExprKind, Path};

impl<'a> Reader<'a> {
    pub(super) fn see_call(&mut self, site: &mut Site<'a>, call: &Call<'a, '_>) {
        match &call.callee.kind {
            ExprKind::Member { object, name, .. } => self.method(site, call, object, name),
            ExprKind::Path(path) => {
                if let Some(kind) = self.function(site, call, path) {
                    self.step(site, call, kind);
                }
            }
            _ => self.step(site, call, StepKind::Unknown),
        }
    }

    fn step(&mut self, site: &Site<'a>, call: &Call<'a, '_>, kind: StepKind) {
        self.current.steps.push(Step {
            span: call.expr.span,
            region: site.region,
            kind,
        });
    }

    fn method(&mut self, site: &mut Site<'a>, call: &Call<'a, '_>, object: &Expr<'a>, name: &str) {
        match name {
            "InitBuffer" => {
                if let Some((store, bytes)) = init_buffer(call.callee, call.arguments) {
                    let bytes = site.env.int64(bytes);
                    self.set_size(site, store, bytes);
                }
            }
            "GetValue" => {
                if let Some(tensor) = self.tensor(site, object) {
                    self.step(site, call, StepKind::ScalarRead(tensor));
                }
            }
            "EnQue" | "DeQue" => self.step(site, call, StepKind::Sync(Sync::Event)),
            _ => {}
        }
    }

    fn function(
        &mut self,
        site: &mut Site<'a>,
        call: &Call<'a, '_>,
        path: &Path<'a>,
    ) -> Option<StepKind> {
        let name = path.name();
        Some(match name {
            names::GATHER_MASK if !site.env.has_own(name, call.arguments.len()) => {
                match self.gather(site, call, path) {
                    Some(call) => StepKind::Gather(Box::new(call)),
                    // With other arguments it is another function of that name.
                    None => StepKind::Unknown,
                }
            }
            "PipeBarrier" | "pipe_barrier" => {
                let pipe = path.arguments.first().or(call.arguments.first());
                let pipe = pipe.and_then(Expr::path).map_or("", Path::name);
                match pipe {
                    "PIPE_V" | "PIPE_ALL" => StepKind::Sync(Sync::VectorBarrier),
                    "PIPE_MTE1" | "PIPE_MTE2" | "PIPE_MTE3" | "PIPE_M" | "PIPE_FIX" | "PIPE_S" => {
                        return None;
                    }
                    _ => StepKind::Unknown,
                }
            }
            "SetFlag" | "WaitFlag" | "set_flag" | "wait_flag" => StepKind::Sync(Sync::Event),
            "SetMaskCount" => StepKind::MaskMode(MaskMode::Counter),
            "SetMaskNorm" | "ResetMask" => StepKind::MaskMode(MaskMode::Normal),
            "DataCopy" | "DataCopyPad" => {
                let count = call.arguments.get(2);
                StepKind::Copy {
                    source: call
                        .arguments
                        .get(1)
                        .and_then(|source| self.tensor(site, source)),
                    count: count.and_then(|count| site.env.int64(count)),
                    count_span: count.map(|count| count.span),
                }
            }
            _ if names::is_vector(name) => {
                let mut operands = Vec::new();
                for argument in call.arguments {
                    operands.extend(self.tensor(site, argument));
                }
                StepKind::Vector {
                    name: name.to_owned(),
                    operands,
                    keeps_mask: path.arguments.iter().any(is_false),
                }
            }
            _ if names::is_known(name) => return None,
            _ => {
                let touched: Vec<_> = call.arguments.iter().filter_map(root).collect();
                let tensors = touched.iter().any(|name| {
                    let binding = site.env.get(name);
                    matches!(
                        binding.map(|binding| &binding.entity),
                        Some(Entity::Object(_))
                    )
                });
                self.forget(site, &touched);
                // The call computes a value from numbers.
                if call.assigned && !tensors {
                    return None;
                }
                StepKind::Unknown
            }
        })
    }

    fn gather(
        &mut self,
        site: &mut Site<'a>,
        call: &Call<'a, '_>,
        path: &Path<'a>,
    ) -> Option<GatherCall> {
        let (dst, src, pattern, rest) = match call.arguments {
            [dst, src, pattern, rest @ ..] if matches!(rest.len(), 1 | 2 | 4) => {
                (dst, src, pattern, rest)
            }
            _ => return None,
        };
        let (counter, mask, params, count) = match rest {
            [counter, mask, params, count] => (Some(counter), Some(mask), params, Some(count)),
            [.., params] => (None, None, params, None),
            [] => return None,
        };
        let mut tensor = |expr: &Expr<'a>| {
            let known = self.tensor(site, expr);
            known.unwrap_or_else(|| self.unknown_tensor(expr))
        };
        let (mut dst, mut src) = (tensor(dst), tensor(src));
        let swapped = counter
            .zip(mask)
            .filter(|(counter, mask)| is_swapped(site, counter, mask));
        let reserved = path.arguments.iter().find(|argument| is_reserved(argument));
        let (counter, mask) = match swapped {
            Some(_) => (None, None),
            None => (counter, mask),
        };
        // `GatherMask<float>(…)` gives the element type explicitly.
        let element = path.arguments.first().and_then(Expr::path);
        if let Some(element) = element.and_then(|path| site.env.element(path)) {
            dst.element = dst.element.or(Some(element));
            src.element = src.element.or(Some(element));
        }
        Some(GatherCall {
            arity: call.arguments.len(),
            reserved: reserved.map(|argument| argument.span),
            swapped: swapped.map(|(counter, mask)| counter.span.to(mask.span)),
            name_span: path.span,
            dst,
            src,
            pattern: self.pattern(site, pattern),
            pattern_span: pattern.span,
            counter: counter
                .and_then(|counter| site.env.int(counter))
                .map(|value| value != 0),
            mask: mask.map(|mask| self.number(site, mask)),
            params: self
                .fields_of(site, params)
                .map(|fields| fields.at(params.span)),
            count: count.map(|count| self.count(site, count)),
        })
    }

    fn pattern(&mut self, site: &Site<'a>, expr: &Expr<'a>) -> Pattern {
        if let Some(tensor) = self.tensor(site, expr) {
            return Pattern::Tensor(tensor);
        }
        let number = site.env.int64(expr);
        let is_byte = match &expr.kind {
            ExprKind::Cast(ty, _) => site.env.element(ty) == Some(Element::UInt8),
            _ => {
                let binding = expr.plain_name().and_then(|name| site.env.get(name));
                matches!(
                    binding,
                    Some(Binding {
                        entity: Entity::Int(_),
                        ..
                    })
                )
            }
        };
        match number.is_some() || is_byte {
            true => Pattern::Fixed(number),
            false => Pattern::Unknown,
        }
    }

    fn count(&self, site: &Site<'a>, expr: &Expr<'a>) -> Count {
        let binding = expr.plain_name().and_then(|name| site.env.get(name));
        let ty = binding.and_then(|binding| binding.ty.as_ref());
        Count {
            span: expr.span,
            name: expr
                .plain_name()
                .unwrap_or(self.source(expr.span))
                .to_owned(),
            declared: binding.map(|binding| binding.span),
            ty: ty.and_then(|ty| site.env.element(ty)),
            used: true,
        }
    }

    pub(super) fn see_assignment(
        &mut self,
        site: &Site<'a>,
        target: &Expr<'a>,
        value: Option<&Expr<'a>>,
    ) {
        // An assignment to a field: `params.field = value`.
        if let ExprKind::Member { object, name, .. } = &target.kind
            && let Some(index) = site.env.object(object)
        {
            let unknown = Number {
                span: target.span,
                written: true,
                ..Number::default()
            };
            let number = value.map_or(unknown, |value| self.number(site, value));
            let field = FIELDS.iter().position(|(field, _)| field == name);
            match (self.objects.get_mut(index), field) {
                (Some(Object::Params(fields)), Some(at)) => fields.store(at, number),
                // A structure of another generation, with other defaults.
                (Some(Object::Params(fields)), None) => fields.forget(),
                _ => {}
            }
            return;
        }
        let Some(index) = site.env.object(target) else {
            return;
        };
        let fields = value.and_then(|value| self.fields_of(site, value));
        let view = value.and_then(|value| self.view(site, value));
        match (self.objects.get_mut(index), fields, view) {
            (Some(Object::Params(known)), Some(fields), _) => *known = fields,
            (Some(Object::Tensor(known)), _, Some(view)) => {
                let element = known.element.or(view.element);
                *known = view;
                known.element = element;
            }
            (Some(object), ..) => object.forget(),
            (None, ..) => {}
        }
    }
}

/// Whether `reduceMode` and `mask` are swapped: the former is a number that is no bool, and the latter a bool.
fn is_swapped<'a>(site: &Site<'a>, counter: &Expr<'a>, mask: &Expr<'a>) -> bool {
    let number = !matches!(counter.kind, ExprKind::Bool(_))
        && site
            .env
            .int(counter)
            .is_some_and(|value| !matches!(value, 0 | 1));
    number && matches!(mask.kind, ExprKind::Bool(_))
}

/// Whether a template argument is reserved, as `GatherMaskMode::V2` is.
fn is_reserved(argument: &Expr) -> bool {
    let segments = argument.path().map_or(&[][..], |path| &path.segments);
    segments.len() > 1 && segments[segments.len() - 2] == "GatherMaskMode"
}

fn is_false(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Bool(false))
}

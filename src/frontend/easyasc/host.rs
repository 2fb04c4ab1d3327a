//! Launches that host code makes.

use std::rc::Rc;

use super::emit::{Arguments, Spanned};
use super::python::native::Site;
use super::tracer::{Eval, Tracer};
use super::value::{Function, Value};
use crate::ir::{Launch, LaunchOrigin, LaunchTensor, NoteKind, TensorInit};
use crate::syntax::python::ast::{self, ExprKind, ParamKind, StmtKind};
use crate::text::Span;

/// Launches beyond these are not recorded.
const MAX_LAUNCHES: usize = 64;

impl<'a> Tracer<'a> {
    /// Records `OpExec(kernel, …)(tensors…, scalars…)` or `kernel(x, y, M)`, and answers with what
    /// it returns.
    pub fn record_launch(
        &mut self,
        (kernel, block_dim): (&Rc<Function<'a>>, Option<u32>),
        arguments: &Arguments<'a>,
        site: Site,
    ) -> Eval<Value<'a>> {
        if self.in_kernel() || self.is_looking {
            return Ok(Value::Unknown);
        }
        let given = in_order(kernel.def, arguments);
        let results = returned(kernel.def, &given);
        if !self.is_readable(kernel, &given, arguments, site) {
            return Ok(results);
        }
        let mut tensors = Vec::new();
        let mut scalars = Vec::new();
        let mut floats = Vec::new();
        for (value, span) in given.into_iter().flatten() {
            match value {
                Value::HostTensor(tensor) => tensors.push(tensor.as_ref().clone()),
                other => match other.as_float() {
                    Some(number) => {
                        if matches!(other, Value::Float(_)) {
                            floats.push(scalars.len());
                        }
                        scalars.push((self.text(span), number));
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
            kernel: kernel.name.to_string(),
            tensors,
            scalars,
            floats,
            span: self.unit.is_own(site.span).then_some(site.span),
            place: match self.unit.is_own(site.span) {
                true => None,
                false => self.unit.place(site.span),
            },
            origin: match self.unit.is_own(site.span) {
                true => LaunchOrigin::Code,
                false => LaunchOrigin::Importer,
            },
            block_dim,
        };
        if !self.launches.contains(&launch) {
            match self.launches.len() < MAX_LAUNCHES {
                true => self.launches.push(launch),
                false if self.unread_launches.contains(&launch.kernel) => {}
                false => self.unread_launches.push(launch.kernel),
            }
        }
        Ok(results)
    }
}

impl<'a> Tracer<'a> {
    /// Whether a launch says enough to be used; notes what of it cannot be read.
    fn is_readable(
        &mut self,
        kernel: &Rc<Function<'a>>,
        given: &[Option<Spanned<'a>>],
        arguments: &Arguments<'a>,
        site: Site,
    ) -> bool {
        let mut unreadable: Option<Span> = None;
        let mut is_usable = true;
        for (at, argument) in given.iter().enumerate() {
            let Some((value, span)) = argument else {
                continue;
            };
            let is_open = match value {
                Value::HostTensor(tensor) => tensor.shape.is_none(),
                other => other.is_unknown(),
            };
            if is_open {
                unreadable.get_or_insert(*span);
                // A number that is not known cannot be passed; a tensor is as large as what is
                // touched of it.
                is_usable &= kernel
                    .def
                    .params
                    .get(at)
                    .is_none_or(|param| !is_number(param));
            }
        }
        if !arguments.spread.is_empty() {
            unreadable.get_or_insert(site.span);
            is_usable = false;
        }
        // Text that does not parse explains what cannot be read.
        if let Some(span) = unreadable.filter(|_| self.broken_lines.is_empty()) {
            let kernel = kernel.name.to_string();
            self.note(span, NoteKind::UnreadableLaunch { kernel, is_usable });
        }
        is_usable
    }
}

/// Whether a parameter is annotated as a number.
fn is_number(param: &ast::Param) -> bool {
    param
        .annotation
        .as_ref()
        .is_some_and(|annotation| match &annotation.kind {
            ExprKind::Name(name) => name == "Var",
            ExprKind::Attribute { attr, .. } => attr.text == "Var",
            _ => false,
        })
}

/// The arguments of a launch in the order of the parameters; `None` for those that are left out.
fn in_order<'a>(def: &ast::FunctionDef, arguments: &Arguments<'a>) -> Vec<Option<Spanned<'a>>> {
    let mut given: Vec<Option<Spanned<'a>>> =
        arguments.positional.iter().cloned().map(Some).collect();
    for (name, value, span) in &arguments.keywords {
        let takes = |param: &ast::Param| {
            let by_name = matches!(param.kind, ParamKind::Normal | ParamKind::KeywordOnly);
            by_name && param.name.text == *name
        };
        let Some(at) = def.params.iter().position(takes) else {
            continue;
        };
        if given.len() <= at {
            given.resize(at + 1, None);
        }
        given[at] = Some((value.clone(), *span));
    }
    given
}

/// What a kernel returns: the tensors that it got for the parameters that it names.
fn returned<'a>(def: &ast::FunctionDef, given: &[Option<Spanned<'a>>]) -> Value<'a> {
    let last = def.body.iter().rev().find_map(|stmt| match &stmt.kind {
        StmtKind::Return(value) => value.as_ref(),
        _ => None,
    });
    let argument = |expr: &ast::Expr| {
        let ExprKind::Name(name) = &expr.kind else {
            return Value::Unknown;
        };
        let at = def.params.iter().position(|param| param.name.text == *name);
        let given = at.and_then(|at| given.get(at)).and_then(Option::as_ref);
        // It holds what the kernel has stored by then.
        given.map_or(Value::Unknown, |(value, _)| match value {
            Value::HostTensor(tensor) => Value::HostTensor(Rc::new(tensor.computed())),
            other => other.clone(),
        })
    };
    match last.map(|value| &value.kind) {
        Some(ExprKind::Tuple(items)) => Value::tuple(items.iter().map(argument).collect()),
        Some(ExprKind::Name(_)) => last.map_or(Value::Unknown, argument),
        _ => Value::Unknown,
    }
}

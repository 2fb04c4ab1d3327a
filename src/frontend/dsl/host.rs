//! Launches that host code makes.

use std::rc::Rc;

use super::dialects;
use super::emit::{Arguments, Spanned};
use super::facade::dtype_name;
use super::python::native::Site;
use super::tracer::{Eval, Tracer};
use super::value::{Function, Running, Value};
use crate::ir::{Launch, LaunchOrigin, LaunchTensor, NoteKind, Passed, Passing, TensorInit};
use crate::syntax::python::ast::{self, ExprKind, ParamKind, StmtKind};
use crate::text::Span;

/// Launches beyond these are not recorded.
const MAX_LAUNCHES: usize = 64;
/// Results beyond these are not followed to the launches that they are passed to.
const MAX_RESULTS: usize = 512;

impl<'a> Tracer<'a> {
    /// Records `OpExec(kernel, …)(tensors…, scalars…)` or `kernel(x, y, M)`, and answers with what
    /// it returns.
    pub fn record_launch(
        &mut self,
        (kernel, running): (&Rc<Function<'a>>, Running),
        arguments: &Arguments<'a>,
        site: Site,
    ) -> Eval<Value<'a>> {
        if self.in_kernel() || self.is_looking {
            return Ok(Value::Unknown);
        }
        let given = in_order(kernel.def, arguments);
        let results = returned(kernel.def, &given);
        if dialects::of(kernel.making.dialect).is_compiled {
            self.fill_outputs(kernel, &given, &results);
        }
        if !self.is_readable(kernel, &given, arguments, site) {
            return Ok(results);
        }
        let mut tensors = Vec::new();
        let mut scalars = Vec::new();
        let mut floats = Vec::new();
        let mut passed = Vec::new();
        for (value, span) in one_by_one(given) {
            match value {
                Value::HostTensor(tensor) => {
                    passed.extend(self.results.source(&tensor, tensors.len()));
                    tensors.push(tensor.as_ref().clone());
                }
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
            block_dim: running.block_dim,
            seeds_outputs: running.seeds_outputs,
            passing: Passing {
                number: Some(self.launches.len() as u32),
                passed,
            },
        };
        let known = self.launches.iter().find(|known| **known == launch);
        let number = known.map_or(launch.passing.number, |known| known.passing.number);
        if known.is_none() {
            match self.launches.len() < MAX_LAUNCHES {
                true => self.launches.push(launch),
                false if self.unread_launches.contains(&launch.kernel) => {}
                false => self.unread_launches.push(launch.kernel),
            }
        }
        if let Some(number) = number {
            self.results.add(number, &results);
        }
        Ok(results)
    }
}

/// Tensors that launches have computed.
#[derive(Debug, Default)]
pub struct Results(Vec<(Rc<LaunchTensor>, u32, usize)>);

impl Results {
    /// Which result a tensor is, as an argument of another launch.
    fn source(&self, tensor: &Rc<LaunchTensor>, argument: usize) -> Option<Passed> {
        let mut results = self.0.iter();
        let (_, launch, output) = results.find(|(known, _, _)| Rc::ptr_eq(known, tensor))?;
        Some(Passed {
            argument,
            launch: *launch,
            output: *output,
        })
    }

    fn add(&mut self, launch: u32, results: &Value) {
        for (output, result) in outputs(results).into_iter().enumerate() {
            if let Value::HostTensor(tensor) = result
                && self.0.len() < MAX_RESULTS
            {
                self.0.push((tensor, launch, output));
            }
        }
    }
}

/// What a launch returns, one by one.
fn outputs<'a>(results: &Value<'a>) -> Vec<Value<'a>> {
    match results {
        Value::Tuple(items) => items.iter().cloned().collect(),
        one => vec![one.clone()],
    }
}

impl<'a> Tracer<'a> {
    /// After a launch that was given its outputs, they hold what was computed.
    fn fill_outputs(
        &mut self,
        kernel: &Rc<Function<'a>>,
        given: &[Option<Spanned<'a>>],
        results: &Value<'a>,
    ) {
        let computed = outputs(results);
        let names = output_names(kernel.def);
        for (name, output) in names.iter().zip(computed) {
            let at = kernel
                .def
                .params
                .iter()
                .position(|param| param.name.text == *name);
            let before = at.and_then(|at| given.get(at)).and_then(Option::as_ref);
            let Some((Value::HostTensor(before), _)) = before else {
                continue;
            };
            for bound in self.frame.own_names() {
                let is_it = match self.frame.own(&bound) {
                    Some(Value::HostTensor(tensor)) => Rc::ptr_eq(&tensor, before),
                    _ => false,
                };
                if is_it {
                    self.frame.set(&bound, output.clone());
                }
            }
        }
    }

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
            ExprKind::Name(name) => is_scalar_type(name),
            ExprKind::Attribute { attr, .. } => is_scalar_type(&attr.text),
            _ => false,
        })
}

fn is_scalar_type(name: &str) -> bool {
    name == "Var" || dtype_name(name).is_some()
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

/// The arguments that are given, the tensors of lists one by one.
fn one_by_one<'a>(given: Vec<Option<Spanned<'a>>>) -> Vec<Spanned<'a>> {
    let mut all = Vec::with_capacity(given.len());
    for (value, span) in given.into_iter().flatten() {
        match value {
            Value::List(items) => {
                all.extend(items.ever().iter().map(|item| (item.clone(), span)));
            }
            value => all.push((value, span)),
        }
    }
    all
}

/// The names of the parameters that a kernel returns.
fn output_names(def: &ast::FunctionDef) -> Vec<String> {
    let last = def.body.iter().rev().find_map(|stmt| match &stmt.kind {
        StmtKind::Return(value) => value.as_ref(),
        _ => None,
    });
    let name = |expr: &ast::Expr| match &expr.kind {
        ExprKind::Name(name) => name.clone(),
        _ => String::new(),
    };
    match last.map(|value| &value.kind) {
        Some(ExprKind::Tuple(items)) => items.iter().map(name).collect(),
        Some(ExprKind::Name(name)) => vec![name.clone()],
        _ => Vec::new(),
    }
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

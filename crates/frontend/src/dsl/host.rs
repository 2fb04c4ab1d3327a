//! Launches that host code makes.

use std::rc::Rc;

use super::dialects;
use super::emit::{Arguments, Spanned};
use super::python::native::Site;
use super::tensors::HostTensor;
use super::tensors::object::Version;
use super::tracer::{Eval, Tracer};
use super::value::{Function, Running, Value};
use a2lint_ir::{
    Launch, LaunchFault, LaunchOrigin, LaunchTensor, NoteKind, Passed, Passing, TensorInit,
};
use a2lint_isa::DType;
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::{self, ExprKind, ParamKind, StmtKind};

/// Maximum number of recorded launches.
const MAX_LAUNCHES: usize = 64;
/// Maximum number of results that are followed to the launches that take them as arguments.
const MAX_RESULTS: usize = 512;

impl<'a> Tracer<'a> {
    /// Records the launch `OpExec(kernel, …)(tensors…, scalars…)` or `kernel(x, y, M)`, and returns the kernel's
    /// result.
    pub fn record_launch(
        &mut self,
        (kernel, running): (&Rc<Function<'a>>, Running),
        arguments: &Arguments<'a>,
        site: Site,
    ) -> Eval<Value<'a>> {
        // A function that is evaluated only for its definitions has made-up arguments, so its launches are none.
        if self.in_kernel() || self.is_looking {
            return Ok(Value::Unknown);
        }
        let given = in_order(kernel.def, arguments);
        let writes_outputs = dialects::is_compiled(kernel.making.dialect);
        if let Some(fault) = misfit(kernel.def, &given, arguments) {
            let kernel = Some(kernel.name.to_string());
            let is_configured = false;
            self.note(
                site.span,
                NoteKind::UnusableLaunch {
                    kernel,
                    is_configured,
                    fault,
                },
            );
        }
        if !self.is_readable(kernel, &given, arguments, site) {
            return Ok(returned(kernel.def, &given, writes_outputs));
        }
        let mut tensors = Vec::new();
        let mut scalars = Vec::new();
        let mut floats = Vec::new();
        let mut passed = Vec::new();
        for (value, span) in one_by_one(&given) {
            match value {
                // Before the launch is added, so that its own results are not found as its arguments.
                Value::HostTensor(tensor) => {
                    passed.extend(self.results.source(&tensor, tensors.len()));
                    tensors.push(tensor.argument());
                }
                other => match other.as_float() {
                    Some(number) => {
                        // The type matters to the parameter: `2.0` makes it a float although the number is whole.
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
            kernel: kernel.name.as_ref().into(),
            tensors,
            scalars,
            floats,
            // A launch in an importing file has no span in this file; its place names the other file.
            span: self.modules.map.is_own(site.span).then_some(site.span),
            place: match self.modules.map.is_own(site.span) {
                true => None,
                false => self.modules.map.place(site.span),
            },
            origin: match self.modules.map.is_own(site.span) {
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
        // A loop makes the same launch many times; it is recorded once.
        let known = self.launches.iter().find(|known| **known == launch);
        let number = known.map_or(launch.passing.number, |known| known.passing.number);
        if known.is_none() {
            match self.launches.len() < MAX_LAUNCHES {
                true => self.launches.push(launch),
                // Each kernel is listed once as having launches that were not read.
                false
                    if self
                        .unread_launches
                        .iter()
                        .any(|known| launch.kernel == *known) => {}
                false => self.unread_launches.push(launch.kernel.to_string()),
            }
        }
        // Arguments were read above, with the contents that tensors had before the launch.
        let results = returned(kernel.def, &given, writes_outputs);
        if let Some(number) = number {
            self.results.add(number, &results);
        }
        Ok(results)
    }
}

/// Tensors that launches have computed.
#[derive(Debug, Default)]
pub struct Results(Vec<Computed>);

/// A tensor that a launch has computed: its contents (by version), the type and shape with which it was returned, the
/// number of the launch, and the index of the output.
#[derive(Debug)]
struct Computed {
    tensor: Rc<HostTensor>,
    version: Version,
    face: (Option<DType>, Option<Vec<i64>>),
    launch: u32,
    output: usize,
}

fn face(tensor: &HostTensor) -> (Option<DType>, Option<Vec<i64>>) {
    (tensor.dtype(), tensor.shape())
}

impl Results {
    /// Returns which result a tensor is, as an argument of another launch; `None` if it was written to since.
    fn source(&self, tensor: &Rc<HostTensor>, argument: usize) -> Option<Passed> {
        let version = tensor.version()?;
        let mut results = self.0.iter();
        let found = results.find(|known| {
            // Another object with the same storage may be a copy that was made before the launch.
            let is_sure = !tensor.is_loose() || Rc::ptr_eq(&known.tensor, tensor);
            is_sure && known.version == version && known.face == face(tensor)
        })?;
        Some(Passed {
            argument,
            launch: found.launch,
            output: found.output,
        })
    }

    fn add(&mut self, launch: u32, results: &Value) {
        for (output, result) in outputs(results).into_iter().enumerate() {
            if let Value::HostTensor(tensor) = result
                && let Some(version) = tensor.version()
                && self.0.len() < MAX_RESULTS
            {
                self.0.push(Computed {
                    version,
                    face: face(&tensor),
                    tensor,
                    launch,
                    output,
                });
            }
        }
    }
}

/// Returns the results of a launch one by one.
fn outputs<'a>(results: &Value<'a>) -> Vec<Value<'a>> {
    match results {
        Value::Tuple(items) => items.iter().cloned().collect(),
        one => vec![one.clone()],
    }
}

impl<'a> Tracer<'a> {
    /// Returns whether a launch can be used; arguments that cannot be read are noted.
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
            let takes_number = kernel.def.params.get(at).is_some_and(is_number);
            let is_open = match value {
                // The number in a tensor is unknown.
                Value::HostTensor(tensor) => takes_number || tensor.rank().is_none(),
                other => other.is_unknown(),
            };
            if is_open {
                unreadable.get_or_insert(*span);
                // An unknown number cannot be passed. An unknown tensor can: it is made as large as the accesses to
                // it need.
                is_usable &= !takes_number;
            }
        }
        // What `**` spreads may be any argument.
        if !arguments.spread.is_empty() {
            unreadable.get_or_insert(site.span);
            is_usable = false;
        }
        // Text that does not parse is the reason, and is reported itself.
        if let Some(span) = unreadable.filter(|_| self.broken_lines.is_empty()) {
            let kernel = kernel.name.to_string();
            self.note(span, NoteKind::UnreadableLaunch { kernel, is_usable });
        }
        is_usable
    }
}

/// Returns why a call does not fit the parameters of a kernel, if it is known which arguments it passes.
fn misfit<'a>(
    def: &ast::FunctionDef,
    given: &[Option<Spanned<'a>>],
    arguments: &Arguments<'a>,
) -> Option<LaunchFault> {
    let is_open = |param: &ast::Param| matches!(param.kind, ParamKind::Args | ParamKind::Kwargs);
    let is_list = |(value, _): &Spanned<'a>| matches!(value, Value::List(_));
    let is_unknown = !arguments.spread.is_empty()
        || def.params.iter().any(is_open)
        || given.iter().flatten().any(is_list);
    if is_unknown {
        return None;
    }
    let passed = arguments.positional.len();
    if passed > def.params.len() {
        let (given, taken) = (passed, def.params.len());
        return Some(LaunchFault::Surplus { given, taken });
    }
    let mut params = def.params.iter().enumerate();
    let missing = params.find(|&(at, param)| {
        let is_given = given.get(at).is_some_and(Option::is_some);
        !is_given && param.default.is_none() && is_number(param)
    });
    missing.map(|(_, param)| LaunchFault::Missing(param.name.text.to_string()))
}

/// Returns whether a parameter is annotated as a number.
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
    name == "Var" || DType::from_name(name).is_some()
}

/// Returns the arguments of a launch in the order of the parameters; `None` for those left out.
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

/// Returns the given arguments, with the tensors of a list one by one.
fn one_by_one<'a>(given: &[Option<Spanned<'a>>]) -> Vec<Spanned<'a>> {
    let mut all = Vec::with_capacity(given.len());
    for (value, span) in given.iter().flatten().cloned() {
        match value {
            Value::List(items) => {
                all.extend(items.ever().iter().map(|item| (item.clone(), span)));
            }
            value => all.push((value, span)),
        }
    }
    all
}

/// Returns the result of a kernel, from the parameters that its `return` names: the given tensors if the launch
/// writes into them, or new ones.
fn returned<'a>(
    def: &ast::FunctionDef,
    given: &[Option<Spanned<'a>>],
    writes_outputs: bool,
) -> Value<'a> {
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
        // The tensor holds what the kernel has stored, which is unknown here.
        given.map_or(Value::Unknown, |(value, _)| match value {
            Value::HostTensor(tensor) if writes_outputs => {
                tensor.expose();
                Value::HostTensor(tensor.clone())
            }
            Value::HostTensor(tensor) => Value::HostTensor(tensor.computed(tensor.dtype())),
            other => other.clone(),
        })
    };
    match last.map(|value| &value.kind) {
        Some(ExprKind::Tuple(items)) => Value::tuple(items.iter().map(argument).collect()),
        Some(ExprKind::Name(_)) => last.map_or(Value::Unknown, argument),
        _ => Value::Unknown,
    }
}

//! Tracing of a kernel: parameters become globals and variables, and the body becomes a program.

use std::collections::HashSet;
use std::rc::Rc;

use super::dialects;
use super::dialects::ascriptor::factories;
use super::tracer::{Eval, Flow, Tracer};
use super::value::{Attributes, Function, Making, Role, Value};
use a2lint_ir::build::Builder;
use a2lint_ir::{
    BLOCK_DIM, Global, GlobalId, GlobalKind, GlobalView, Module, NotAnalysed, Param, ParamKind,
    PythonNote, ScalarType, Uncalled, VariableKind,
};
use a2lint_isa::RepeatRounding;
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::{self, ExprKind, StmtKind};
use a2lint_syntax::python::{Syntax, queries};

/// Maximum number of parameters of a kernel that is traced.
const MAX_PARAMETERS: usize = 512;

/// Traces every kernel: those that the module defined, then those in functions that no code called.
///
/// The syntax tree is queried for definitions that are spelled like kernels only if evaluation left out a decorated
/// function: compiling the query takes longer than checking a file.
pub(super) fn trace_all<'a>(tracer: &mut Tracer<'a>, syntax: &'a Syntax, module: &mut Module) {
    let mut seen = HashSet::new();
    let mut named = HashSet::new();
    for kernel in &std::mem::take(&mut tracer.kernels) {
        // Kernels of other files are reported with those files.
        if !tracer.modules.map.is_own(kernel.def.full_span) {
            continue;
        }
        seen.insert(kernel.def.full_span);
        // A factory may be called twice with the same arguments.
        if named.insert((kernel.def.full_span, kernel.name.clone())) {
            trace_kernel(tracer, kernel, module);
        }
    }
    let mut passed_by = Vec::new();
    functions(&syntax.file.body, &mut passed_by);
    // Undecorated functions are no kernels, unless a factory makes them, which `bodies` covers.
    passed_by.retain(|def| !def.decorators.is_empty() && !seen.contains(&def.full_span));
    passed_by.retain(|def| !tracer.defined.contains(&def.full_span));
    if !passed_by.is_empty() {
        let with_trees = syntax.with_trees(tracer.source);
        let kernels = queries::kernels(&with_trees, tracer.source);
        passed_by.retain(|def| kernels.contains(&def.full_span));
    }
    let mut bodies: Vec<&ast::FunctionDef> = factories::bodies(&syntax.file.body).collect();
    bodies.retain(|def| !seen.contains(&def.full_span));
    // A second attempt: kernels inside of functions exist only while those run, so the functions are evaluated with
    // unknown arguments.
    look_inside(tracer, syntax, &passed_by, !bodies.is_empty());
    for kernel in &std::mem::take(&mut tracer.kernels) {
        let is_wanted = passed_by
            .iter()
            .chain(&bodies)
            .any(|def| def.full_span == kernel.def.full_span);
        if is_wanted && named.insert((kernel.def.full_span, kernel.name.clone())) {
            seen.insert(kernel.def.full_span);
            trace_kernel(tracer, kernel, module);
        }
    }
    passed_by.retain(|def| !seen.contains(&def.full_span));
    // Kernels that evaluation did not reach at all are still traced, from their syntax alone.
    for def in passed_by {
        let making = Making {
            dialect: tracer.frame.star().unwrap_or_default(),
            mode: decorator_mode(def),
            block_dim: decorator_block_dim(tracer, def),
            block_dim_text: None,
        };
        trace_unmade(tracer, def, making, module);
    }
    // Kernels that code selects at run time: `kernel(mode=MODES[name])(globals()[name])`.
    bodies.retain(|def| !seen.contains(&def.full_span) && !tracer.called.contains(&def.full_span));
    if let Some(making) = factories::making(&syntax.file.body).filter(|_| !bodies.is_empty()) {
        for def in bodies {
            trace_unmade(tracer, def, making.clone(), module);
        }
    }
    // In the order of the file: passes above found them in another one.
    module.programs.sort_by_key(|program| program.span);
    let refusal = tracer.budget.refusal();
    module
        .not_analysed
        .extend(refusal.map(|reason| NotAnalysed {
            kernel: None,
            reason,
        }));
}

/// Traces a kernel that evaluation has not made, from its definition alone.
fn trace_unmade<'a>(
    tracer: &mut Tracer<'a>,
    def: &'a ast::FunctionDef,
    making: Making,
    module: &mut Module,
) {
    let closure = tracer.new_frame(tracer.frame.clone());
    // A default that raises leaves the parameters without defaults.
    let defaults = tracer.defaults(&def.params);
    let defaults = defaults.unwrap_or_else(|_| Rc::new([].into_iter().collect()));
    let kernel = Function {
        def,
        name: def.name.text.as_str().into(),
        closure,
        defaults,
        role: Role::Kernel,
        making,
        auto_sync: false,
        rewritten: true,
        is_manager: false,
        is_fixture: false,
        cases: [].into(),
        cache: None,
        attributes: Attributes::new(),
    };
    trace_kernel(tracer, &Rc::new(kernel), module);
}

/// Evaluates the functions of the module that define kernels which no code has called yet, and with `makes_kernels`
/// also those that make kernels from functions.
fn look_inside<'a>(
    tracer: &mut Tracer<'a>,
    syntax: &'a Syntax,
    passed_by: &[&'a ast::FunctionDef],
    makes_kernels: bool,
) {
    for stmt in &syntax.file.body {
        let StmtKind::Function(outer) = &stmt.kind else {
            continue;
        };
        let span = outer.full_span;
        let holds = |def: &&ast::FunctionDef| {
            span.start < def.full_span.start && def.full_span.end <= span.end
        };
        let makes_kernels = makes_kernels && factories::makes_kernels(&outer.body);
        if !makes_kernels && !passed_by.iter().any(holds) {
            continue;
        }
        if let Some(Value::Function(function)) = tracer.frame.own(&outer.name.text)
            && function.role == Role::Helper
            && function.def.full_span == span
        {
            // Each function gets the full budget: an expensive one must not hide the kernels of the next.
            tracer.refuel();
            // An abort is ignored: the kernels that the function defined before it are known.
            let _ = tracer.look_inside(&function);
            tracer.after_trace();
        }
    }
}

/// Returns functions that are no kernels, contain none, and were called by none.
pub fn uncalled(tracer: &Tracer, file: &ast::File, module: &Module) -> Vec<Uncalled> {
    let mut all = Vec::new();
    functions(&file.body, &mut all);
    let is_used = |span: &Span| {
        let is_inside = |inner: &Span| span.to(*inner) == *span;
        let mut kernels = module.programs.iter().map(|program| &program.span);
        tracer.called.contains(span) || kernels.any(is_inside)
    };
    let uncalled = all.iter().filter(|def| !is_used(&def.full_span));
    let described = uncalled.map(|def| Uncalled {
        name: def.name.text.clone().into(),
        span: def.full_span,
        takes_tensors: def.params.iter().any(is_tensor),
    });
    described.collect()
}

/// Returns whether a parameter is annotated as a global tensor.
pub(super) fn is_tensor(param: &ast::Param) -> bool {
    let annotation = param.annotation.as_ref().map(|it| &it.kind);
    match annotation {
        Some(ExprKind::Subscript { value, .. }) => is_global_type(value),
        Some(ExprKind::Name(name)) => name == "GMTensor",
        Some(ExprKind::Attribute { attr, .. }) => attr.text == "GMTensor",
        _ => false,
    }
}

/// Returns whether an expression names a type of global memory: `GM[…]`.
fn is_global_type(expr: &ast::Expr) -> bool {
    let name = match &expr.kind {
        ExprKind::Name(name) => name,
        ExprKind::Attribute { attr, .. } => &attr.text,
        _ => return false,
    };
    matches!(name.as_str(), "GM" | "GMList")
}

/// Collects every function definition, at any depth.
fn functions<'a>(body: &'a [ast::Stmt], found: &mut Vec<&'a ast::FunctionDef>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Function(def) => {
                found.push(def);
                functions(&def.body, found);
            }
            StmtKind::Class { body, .. } | StmtKind::Error(body) | StmtKind::With { body, .. } => {
                functions(body, found);
            }
            StmtKind::If { arms, orelse } => {
                arms.iter().for_each(|(_, body)| functions(body, found));
                functions(orelse, found);
            }
            StmtKind::For { body, orelse, .. } | StmtKind::While { body, orelse, .. } => {
                functions(body, found);
                functions(orelse, found);
            }
            StmtKind::Try { blocks, .. } => blocks.iter().for_each(|body| functions(body, found)),
            _ => {}
        }
    }
}

fn trace_kernel<'a>(tracer: &mut Tracer<'a>, kernel: &Rc<Function<'a>>, module: &mut Module) {
    let def = kernel.def;
    let name = kernel.name.to_string();
    if !tracer.budget.admits_another() {
        return;
    }
    if def.params.len() > MAX_PARAMETERS {
        let parameters = def.params.len();
        module.not_analysed.push(NotAnalysed {
            kernel: Some(name),
            reason: format!("it has {parameters} parameters, more than {MAX_PARAMETERS}"),
        });
        return;
    }
    let Some(language) = dialects::of(kernel.making.dialect) else {
        return;
    };
    let repeat_rounding = match language.is_compiled {
        // The compiled dialect always rounds repeats up; for the other it is an option of the trace.
        true => RepeatRounding::Up,
        false => tracer.repeat_rounding,
    };
    let spans = (def.name.span, def.full_span);
    let mut builder = Builder::new(name.clone(), spans, language.toolchain, repeat_rounding);
    builder.program.dialect = language.dialect;
    builder.program.vec_only = kernel.making.mode.as_deref() == Some("vec");
    builder.program.starts_in_parts = builder.program.vec_only;
    builder.program.cube_only = kernel.making.mode.as_deref() == Some("cube");
    tracer.kernel = Some(builder);
    // Kernels share no budget of steps, so that one cannot hide the next; `budget` bounds their sum.
    tracer.refuel();
    let frame = tracer.new_frame(kernel.closure.clone());
    let outer = std::mem::replace(&mut tracer.frame, frame);
    tracer.rewritten = true;
    tracer.dialect = language.dialect;
    tracer.compiled = language.is_compiled;
    let traced = trace_body(tracer, kernel);
    tracer.rewritten = false;
    tracer.compiled = false;
    tracer.frame = outer;
    // Unused expressions of a kernel that was aborted are not reported.
    tracer.pending.clear();
    tracer.after_trace();
    let builder = tracer.kernel.take().expect("set above");
    tracer
        .budget
        .spend(builder.program.stmt_count, tracer.steps);
    match traced {
        Ok(outputs) => {
            let mut program = builder.finish();
            program.outputs = outputs;
            program.block_dim = kernel.making.block_dim;
            module.programs.push(program);
        }
        // A partial program is dropped: its missing statements would look like missing synchronisation.
        Err(abort) => module.not_analysed.push(NotAnalysed {
            kernel: Some(name),
            reason: abort.reason(),
        }),
    }
}

fn trace_body<'a>(tracer: &mut Tracer<'a>, kernel: &Function<'a>) -> Eval<Vec<GlobalId>> {
    match tracer.is_compiled() {
        true => {
            tracer.bind_annotated(kernel)?;
            tracer.bind_cores(kernel);
        }
        false => bind_params(tracer, kernel)?,
    }
    let flow = match kernel.auto_sync {
        true => tracer.auto_synchronised(&kernel.def.body)?,
        false => tracer.block(&kernel.def.body)?,
    };
    // Reported at the end, since a later `<<=` may use the expression.
    tracer.report_pending();
    let mut outputs = Vec::new();
    match flow {
        Flow::Return(Value::None) | Flow::Normal | Flow::Break | Flow::Continue | Flow::Raise => {
            tracer.note(kernel.def.name.span, PythonNote::NoOutput);
        }
        Flow::Return(value) => {
            collect_outputs(&value, &mut { MAX_RETURNED }, &mut outputs);
            if tracer.is_compiled()
                && let Some(what) = not_returnable(&value)
            {
                let message =
                    format!("a kernel returns its parameters in GM, and this returns {what}");
                let span = last_return(&kernel.def.body).unwrap_or(kernel.def.name.span);
                tracer.raise(span, "E0130", message);
            }
        }
    }
    Ok(outputs)
}

/// Returns a description of a value (or of a part of it) that a compiled kernel cannot return; `None` if it can.
fn not_returnable(value: &Value) -> Option<&'static str> {
    match value {
        Value::Tuple(items) => items.iter().find_map(not_returnable),
        Value::List(items) => items.ever().iter().find_map(|item| match item {
            Value::List(_) | Value::Tuple(_) => None,
            item => not_returnable(item),
        }),
        Value::Local(_) | Value::Ring(_) | Value::Element(_) => Some("a tensor on the chip"),
        Value::Var(_) => Some("a cell"),
        Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Str(_) => {
            Some("a value of Python")
        }
        Value::Global(view) if view.sliced => Some("a part of a tensor"),
        _ => None,
    }
}

fn last_return(body: &[ast::Stmt]) -> Option<Span> {
    let last = body.last()?;
    matches!(last.kind, StmtKind::Return(_)).then_some(last.span)
}

/// Maximum number of values that are visited for outputs: a list may hold itself.
const MAX_RETURNED: u32 = 1000;

fn collect_outputs(value: &Value, left: &mut u32, outputs: &mut Vec<GlobalId>) {
    let Some(less) = left.checked_sub(1) else {
        return;
    };
    *left = less;
    let mut collect = |item: &Value| collect_outputs(item, left, outputs);
    match value {
        Value::Tuple(items) => items.iter().for_each(collect),
        Value::List(items) => items.ever().iter().for_each(&mut collect),
        // An output that is returned twice is one output.
        Value::Global(view) if !outputs.contains(&view.global) => outputs.push(view.global),
        _ => {}
    }
}

fn bind_params<'a>(tracer: &mut Tracer<'a>, kernel: &Function<'a>) -> Eval<()> {
    let def = kernel.def;
    let usage = Usage::of(&def.body);
    for (at, param) in def.params.iter().enumerate() {
        let name = param.name.text.as_str();
        let span = param.name.span;
        let annotation = param.annotation.as_ref().and_then(last_name);
        // The order of the arms matters: a default makes an unannotated parameter a trace-time constant even if it is
        // subscripted.
        let guess = match annotation {
            Some("GMTensor") => Guess::Global,
            Some("Var") => Guess::Scalar,
            Some("int" | "float" | "bool" | "str") | None if param.default.is_some() => {
                Guess::Static
            }
            // An annotation that is not known may be any type, so nothing is assumed.
            Some(_) => Guess::Unknown,
            // Only tensors are subscripted in kernels; a parameter of unknown kind that is not is a number.
            None if usage.subscripted.contains(name) => Guess::Global,
            None => Guess::Scalar,
        };
        let (value, kind) = match guess {
            Guess::Global => {
                let id = tracer.builder().add_global(Global {
                    name: name.into(),
                    dtype: None,
                    shape: Vec::new(),
                    kind: GlobalKind::Param,
                    span,
                    mutex: None,
                    ring: None,
                });
                let view = GlobalView {
                    global: id,
                    axes: Vec::new(),
                    sliced: false,
                    transposed: false,
                    site: span,
                };
                (Value::Global(Rc::new(view)), ParamKind::Global(id))
            }
            Guess::Scalar => {
                let id = tracer.builder().variable(
                    VariableKind::Param,
                    name,
                    // A launch may pass an int or a float.
                    ScalarType::LAUNCHED,
                    span,
                );
                (Value::Var(id), ParamKind::Variable(id))
            }
            // Kernels are called without this argument, so the default is the value.
            Guess::Static => {
                let default = kernel.defaults.get(at).cloned().flatten();
                (default.unwrap_or(Value::Unknown), ParamKind::Constant)
            }
            Guess::Unknown => (Value::Unknown, ParamKind::Unknown),
        };
        tracer.frame.set(name, value);
        let name = name.to_owned();
        tracer.builder().program.params.push(Param {
            name: name.into(),
            span,
            kind,
            annotated: annotation.is_some(),
        });
    }
    Ok(())
}

enum Guess {
    Global,
    Scalar,
    Static,
    Unknown,
}

/// How the body uses names; decides the kind of parameters without annotation.
struct Usage<'a> {
    subscripted: HashSet<&'a str>,
}

impl<'a> Usage<'a> {
    fn of(body: &'a [ast::Stmt]) -> Self {
        let mut subscripted = HashSet::new();
        ast::walk_exprs(body, &mut |expr| {
            if let ExprKind::Subscript { value, .. } | ExprKind::Attribute { value, .. } =
                &expr.kind
                && let ExprKind::Name(name) = &value.kind
            {
                subscripted.insert(name.as_str());
            }
        });
        Usage { subscripted }
    }
}

fn last_name(annotation: &ast::Expr) -> Option<&str> {
    match &annotation.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Attribute { attr, .. } => Some(&attr.text),
        // A quoted annotation (`"GMTensor"`) names the same type.
        ExprKind::Str(text) => Some(text.rsplit('.').next().unwrap_or(text)),
        _ => None,
    }
}

/// Returns `mode=` of the kernel decorator, if it is a literal.
fn decorator_mode(def: &ast::FunctionDef) -> Option<String> {
    match &decorator_argument(def, "mode")?.kind {
        ExprKind::Str(mode) => Some(mode.clone()),
        _ => None,
    }
}

/// Returns the value of `block_dim=…` of the decorator, if it is known.
fn decorator_block_dim<'a>(tracer: &mut Tracer<'a>, def: &'a ast::FunctionDef) -> Option<u32> {
    let value = tracer.eval(decorator_argument(def, BLOCK_DIM)?).ok()?;
    value.as_int()?.try_into().ok()
}

/// Returns the expression of a keyword of the decorator.
fn decorator_argument<'a>(def: &'a ast::FunctionDef, name: &str) -> Option<&'a ast::Expr> {
    def.decorators.iter().find_map(|decorator| {
        let ExprKind::Call { keywords, .. } = &decorator.kind else {
            return None;
        };
        let is_it = |(keyword, _): &&(Option<ast::Name>, ast::Expr)| {
            keyword.as_ref().is_some_and(|keyword| keyword.text == name)
        };
        keywords.iter().find(is_it).map(|(_, value)| value)
    })
}

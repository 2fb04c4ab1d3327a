//! The Python DSLs: kernels are traced over their syntax tree, never run.
//!
//! A file is evaluated as Python would evaluate it: imports, constants, helpers, `__main__`, tests of pytest. Each
//! kernel is then traced once with symbolic arguments (`kernel`). What cannot be evaluated becomes unknown, and tracing
//! goes on.
//!
//! # Order of the steps
//! - `trace_file` evaluates the module (`Tracer::module_block`), then the tests (`Tracer::run_tests`) and the files
//!   that import this one (`Tracer::run_importers`), for their launches. Kernels of other files are left to those
//!   files.
//! - A kernel is a function that a `kernel(…)` was applied to; decorators are applied as values. A factory's kernels
//!   are named with the arguments of the call that is evaluated (`build[T=64]`). Functions that no code calls are
//!   evaluated for the kernels that they define (`trace_unmade`).
//! - In a kernel, `control` and `branches` emit control flow over device values and execute Python's own. `expressions`
//!   computes plain values and builds device scalars and vector expressions that wait for a destination; `copies`
//!   dispatches `<<=`.
//! - A call of an instruction goes from `calls` to `emit` and `bind`, which hand it to `a2lint_ir::build`.
//!
//! # Invariants
//! - Scalar arithmetic is stored in temporaries at once, because the device updates variables in place; the builder
//!   substitutes it later, where nothing has changed in between.
//! - A value that is unknown never makes a finding, and has a named place (`tests/it/unknown_code.rs`,
//!   `tests/it/silence.rs`).
//! - A part of host code of which it is unknown whether it is executed is a region (`doubts`): what it changes of older
//!   objects is unknown afterwards. Code that is not followed may change everything that it is given (`effects`) and
//!   everything that it reaches otherwise (`python::ambient`). A change of an unknown value changes every object that
//!   the value may be (`effects::Hidden`).
//! - Evaluation has a deep stack, on which calls nest as deep as in CPython: that of the thread that checks the file,
//!   or of a thread of its own (`stack`). `tests/it/python/differential.rs` compares the results with CPython.

mod attributes;
mod bind;
mod branches;
mod broken;
mod budget;
mod calls;
mod constructors;
mod contexts;
mod control;
mod copies;
mod dialects;
mod doubts;
mod effects;
mod emit;
mod expressions;
mod facade;
mod frame;
mod function;
mod global_views;
mod host;
mod host_values;
mod imports;
mod items;
mod kernel;
mod launches;
mod loading;
mod names;
mod operations;
mod python;
mod scalar_calls;
mod scalars;
mod stack;
mod statements;
mod tensors;
mod tracer;
mod unknown;
mod value;
mod views;

use std::sync::Arc;

use crate::TraceOptions;
use a2lint_ir::{Module, NotAnalysed, Note, Number, OriginId, PythonNote, comments};
use a2lint_isa::Dialect;
use a2lint_project::Modules;
use a2lint_source::text::{SourceText, Span};
use a2lint_syntax::python::Syntax;
use a2lint_syntax::python::ast::{self, StmtKind};
use facade::Facade;
pub use host_values::{HostValue, HostValues, host_values};
use python::libraries;
pub use python::names::is_python_builtin;
use stack::Stack;
use tracer::Tracer;
use value::{Frame, Value};

/// Traces every kernel of a file, of which only the text is known.
pub fn trace(source: &SourceText) -> Module {
    trace_with(source, &TraceOptions::default())
}

/// Traces every kernel of a file.
pub fn trace_with(source: &SourceText, options: &TraceOptions) -> Module {
    trace_syntax(source, &Syntax::of(source), options)
}

/// Returns the names that the facade of a dialect exports.
pub fn facade_names(dialect: Dialect) -> Vec<String> {
    let mut names: Vec<String> = facade::names(dialect).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

/// Returns the dialect of a facade module if its kernels are analysed.
pub fn module_dialect(module: &str) -> Option<Dialect> {
    Facade::from_module(module).and_then(Facade::dialect)
}

/// Returns whether a module is a facade or a known library; no file of the project is looked up for it.
pub fn is_library(module: &str) -> bool {
    libraries::is_inert(module) || Facade::from_module(module).is_some()
}

/// Traces every kernel of a file that has been read.
pub fn trace_syntax(source: &SourceText, syntax: &Syntax, options: &TraceOptions) -> Module {
    trace_in(&Modules::alone(source), syntax, options)
}

/// Traces every kernel of a file with the given syntax, together with the files of its project. Spans of the module
/// may be in any text of their map.
pub fn trace_in(modules: &Modules, syntax: &Syntax, options: &TraceOptions) -> Module {
    let source = &modules.map.own;
    let given_up = syntax.given_up().map(|span| given_up(source, span));
    let imports = facade_imports(&syntax.file.body);
    let is_ours = |facade: &Facade| facade.dialect().is_some();
    let has_facade = imports.iter().any(|(facade, _, _)| is_ours(facade));
    // A file without a facade has no kernels; evaluating it would take time for nothing.
    if !has_facade && !dialects::imports_by_name(&syntax.file.body) {
        let first = imports.first();
        let obstacle = first.and_then(|(facade, module, _)| facade.obstacle(module));
        let obstacle = obstacle.or_else(|| imported_inside(&syntax.file.body));
        let obstacle = obstacle.map(not_analysed);
        return Module {
            not_analysed: obstacle.into_iter().chain(given_up).collect(),
            ..Module::default()
        };
    }
    let mut module =
        Stack::of_evaluation(|stack| trace_file(modules, source, syntax, options, stack));
    // The checked file can import facades of several devices; kernels of the others are listed as not analysed.
    let others = imports.iter().filter(|(facade, module, _)| {
        let package = module.split('.').next().and_then(dialects::of_package);
        facade.dialect().is_none() && package.is_some_and(|it| it.is_compiled)
    });
    let other = others.filter_map(|(facade, module, _)| facade.obstacle(module));
    module.not_analysed.extend(other.map(not_analysed));
    module.not_analysed.extend(given_up);
    module.notes.extend(facade_mix(&imports));
    module
}

/// Returns why a place that the parser gave up was not analysed.
fn given_up(source: &SourceText, span: Span) -> NotAnalysed {
    let line = |offset| source.line_index(offset) + 1;
    not_analysed(match span.range() == (0..source.as_str().len()) {
        true => "its text is too large, or too broken, to be parsed within bounds".to_owned(),
        false => format!(
            "lines {} to {} are too large, or too broken, to be parsed within bounds",
            line(span.start),
            line(span.end.saturating_sub(1).max(span.start))
        ),
    })
}

/// Returns the reason why the file, or a part of it, was not analysed.
fn not_analysed(reason: String) -> NotAnalysed {
    NotAnalysed {
        kernel: None,
        reason,
    }
}

fn trace_file(
    modules: &Modules,
    source: &SourceText,
    syntax: &Syntax,
    options: &TraceOptions,
    stack: Stack,
) -> Module {
    let file = &syntax.file;
    let mut tracer = Tracer::new(modules, file, options.repeat_rounding, stack);
    let mut module = Module::default();
    // An abort keeps what was evaluated before it: the kernels defined so far are still traced.
    if let Err(abort) = tracer.module_block(&file.body) {
        let reason = abort.reason();
        let reason = format!("the module was read up to a point only: {reason}");
        module.not_analysed.push(not_analysed(reason));
    }
    tracer.after_trace();
    // Each stage has a budget of its own, so that an expensive module does not hide its tests.
    tracer.refuel();
    if let Err(abort) = tracer.run_tests(&file.body) {
        let reason = abort.reason();
        let reason = format!("its tests were read up to a point only: {reason}");
        module.not_analysed.push(not_analysed(reason));
    }
    tracer.after_trace();
    tracer.refuel();
    if let Err(abort) = tracer.run_importers() {
        let what = "files that import it were read up to a point only";
        module
            .not_analysed
            .push(not_analysed(format!("{what}: {}", abort.reason())));
    }
    tracer.after_trace();
    let mut obstacles = std::mem::take(&mut tracer.obstacles);
    obstacles.dedup();
    let obstacles = obstacles.into_iter().map(not_analysed);
    module.not_analysed.extend(obstacles);
    kernel::trace_all(&mut tracer, syntax, &mut module);
    let constants = constants(&tracer.own_module());
    for program in &mut module.programs {
        program.constants = Arc::clone(&constants);
        program.device = options.device;
    }
    // Launches are bound after all kernels are traced, as they may be of kernels that are defined below them.
    module.launches = launches::bind(&module.programs, std::mem::take(&mut tracer.launches));
    launches::of_declarations(&tracer.literal_cases(), &mut module);
    module.not_read.clone_from(&modules.map.not_read);
    module.unread_launches = std::mem::take(&mut tracer.unread_launches);
    module.uncalled = kernel::uncalled(&tracer, file, &module);
    let comments: Vec<Span> = file.comments.iter().map(|comment| comment.span).collect();
    comments::contracts::read(source, &comments, &mut module);
    comments::launches::from_comments(source, &comments, &mut module);
    comments::launches::from_configuration(&options.launches, &mut module);
    tracer.notes.retain(|note| modules.map.is_own(note.span));
    module.notes.append(&mut tracer.notes);
    let broken = broken::notes(source, syntax, &module.programs, &tracer.called);
    module.notes.extend(broken);
    // Frames and closures refer to each other; without this call they would never be freed.
    tracer.dispose();
    module
}

/// Returns the numbers of a module, by name.
fn constants(module: &Frame) -> Arc<[(String, Number)]> {
    let names = module.own_names().into_iter();
    let constants = names.filter_map(|name| {
        // Names that contain a space are internal: no program can spell them.
        let own = module.own(&name).filter(|_| !name.contains(' '));
        let number = match own? {
            Value::Int(value) => Number::Int(value),
            Value::Float(value) => Number::Float(value),
            _ => return None,
        };
        Some((name, number))
    });
    constants.collect()
}

/// Returns the facade imports of a file, also in `try` and `if`, outside of functions and classes.
fn facade_imports(body: &[ast::Stmt]) -> Vec<(Facade, String, Span)> {
    let mut found = Vec::new();
    for stmt in body {
        match &stmt.kind {
            StmtKind::Import(names) => {
                for import in names {
                    if let Some(facade) = Facade::from_module(&import.name) {
                        found.push((facade, import.name.clone(), import.span));
                    }
                }
            }
            StmtKind::ImportFrom {
                module,
                module_span,
                names,
                ..
            } => {
                if let Some(facade) = Facade::from_module(module) {
                    // `from package import a2` imports a facade; `from facade import name` imports its contents.
                    let is_package = !module.contains('.');
                    let named = names.iter().filter(|_| is_package).find_map(|import| {
                        let path = format!("{module}.{}", import.name);
                        Some((Facade::from_module(&path)?, path, import.span))
                    });
                    found.push(named.unwrap_or((facade, module.clone(), *module_span)));
                }
            }
            StmtKind::Try { blocks, .. } => {
                found.extend(blocks.iter().flat_map(|block| facade_imports(block)));
            }
            StmtKind::If { arms, orelse } => {
                found.extend(arms.iter().flat_map(|(_, block)| facade_imports(block)));
                found.extend(facade_imports(orelse));
            }
            StmtKind::Error(recovered) => found.extend(facade_imports(recovered)),
            _ => {}
        }
    }
    found
}

/// Returns why kernels in a function, class or loop that imports a facade are not analysed.
fn imported_inside(body: &[ast::Stmt]) -> Option<String> {
    body.iter().find_map(|stmt| {
        let inner: Vec<&[ast::Stmt]> = match &stmt.kind {
            StmtKind::Function(function) => vec![&function.body],
            StmtKind::Class { body, .. } | StmtKind::With { body, .. } => vec![body],
            StmtKind::For { body, orelse, .. } | StmtKind::While { body, orelse, .. } => {
                vec![body, orelse]
            }
            StmtKind::If { arms, orelse } => {
                let arms = arms.iter().map(|(_, block)| block.as_slice());
                arms.chain([orelse.as_slice()]).collect()
            }
            StmtKind::Try { blocks, .. } => blocks.iter().map(Vec::as_slice).collect(),
            _ => return None,
        };
        inner.into_iter().find_map(|block| {
            let imports = facade_imports(block);
            let here = imports.first().map(|(facade, module, _)| {
                let inside = || format!("{module} is imported inside of a function or block");
                facade.obstacle(module).unwrap_or_else(inside)
            });
            here.or_else(|| imported_inside(block))
        })
    })
}

/// Notes two facades of a dialect whose process is configured for one device.
fn facade_mix(imports: &[(Facade, String, Span)]) -> Option<Note> {
    let mixed = |facade: &Facade| facade.dialect().is_none_or(dialects::has_one_device);
    let mut ours = imports.iter();
    let (_, first, _) =
        ours.find(|(facade, _, _)| facade.dialect().is_some_and(dialects::has_one_device))?;
    let package = |module: &str| module.split('.').next().map(str::to_owned);
    // A facade outside of the dialect (A5, unknown) conflicts too if it is of the same package.
    let (_, other, span) = imports
        .iter()
        .filter(|(facade, module, _)| mixed(facade) && package(module) == package(first))
        .find(|(_, module, _)| module != first && module.contains('.') && first.contains('.'))?;
    let kind = PythonNote::FacadeMix {
        first: first.clone(),
        other: other.clone(),
    };
    Some(Note {
        span: *span,
        origin: OriginId(0),
        kind: kind.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facades_and_libraries_are_no_files_of_a_project() {
        assert!(is_library("easyasc.a2") && is_library("torch.nn"));
        assert!(!is_library("tiles") && !is_library("common.tiles"));
    }
}

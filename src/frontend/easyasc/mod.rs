//! The easyasc DSL: kernels are traced over their syntax tree, never run.
//!
//! A file is evaluated like Python would: imports, constants, helpers, `__main__`. Each kernel is
//! then traced once with symbolic arguments. What cannot be evaluated becomes unknown, and tracing
//! goes on.

mod builder;
mod calls;
mod control;
mod copies;
mod emit;
mod expressions;
mod facade;
mod forward;
mod functions;
mod host;
mod infer;
mod items;
mod kernel;
mod known;
mod launches;
mod tracer;
mod unread;
mod value;
mod views;

use crate::ir::{GivenLaunch, Module, NotAnalysed, Note, NoteKind, OriginId};
use crate::isa::RepeatRounding;
use crate::syntax::python::Syntax;
use crate::syntax::python::ast::{self, StmtKind};
use crate::text::{SourceText, Span};
use facade::Facade;
use tracer::Tracer;

/// What is known of a file beside its text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TraceOptions {
    /// How repeats that calls leave out are rounded.
    pub repeat_rounding: RepeatRounding,
    /// Launches beside those of the file.
    pub launches: Vec<GivenLaunch>,
}

/// Traces every kernel of a file, of which nothing but its text is known.
pub fn trace(source: &SourceText) -> Module {
    trace_with(source, &TraceOptions::default())
}

/// Traces every kernel of a file.
pub fn trace_with(source: &SourceText, options: &TraceOptions) -> Module {
    trace_syntax(source, &Syntax::of(source), options)
}

/// Traces every kernel of a file that has been read.
pub fn trace_syntax(source: &SourceText, syntax: &Syntax, options: &TraceOptions) -> Module {
    let given_up = syntax.given_up().map(|span| given_up(source, span));
    let imports = facade_imports(&syntax.file.body);
    let first_of = |wanted| imports.iter().find(|(facade, _, _)| *facade == wanted);
    match (first_of(Facade::A2), first_of(Facade::A5)) {
        (Some(_), _) => {}
        (None, Some((_, module, _))) => {
            let reason = format!("{module} targets A5 devices");
            return Module {
                not_analysed: vec![not_analysed(reason)],
                ..Module::default()
            };
        }
        (None, None) => {
            return Module {
                not_analysed: given_up.into_iter().collect(),
                ..Module::default()
            };
        }
    }
    let mut module = trace_file(source, syntax, options);
    module.not_analysed.extend(given_up);
    module.notes.extend(facade_mix(&imports));
    module
}

/// Why a place that the parser gave up was not analysed.
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

/// Why the file, or a part of it, was not analysed.
fn not_analysed(reason: String) -> NotAnalysed {
    NotAnalysed {
        kernel: None,
        reason,
    }
}

fn trace_file(source: &SourceText, syntax: &Syntax, options: &TraceOptions) -> Module {
    let file = &syntax.file;
    let mut tracer = Tracer::new(source, options.repeat_rounding);
    let mut module = Module::default();
    if let Err(abort) = tracer.block(&file.body) {
        let reason = format!("the module was read up to a point only: {}", abort.0);
        module.not_analysed.push(not_analysed(reason));
    }
    kernel::trace_all(&mut tracer, syntax, &mut module);
    module.launches = launches::bind(&module.programs, std::mem::take(&mut tracer.launches));
    let comments = launches::from_comments(source, file, &module.programs);
    module.launches.extend(comments);
    let configured = launches::from_configuration(&options.launches, &module.programs);
    module.launches.extend(configured);
    module.notes.append(&mut tracer.notes);
    tracer.dispose();
    module
}

/// Facade imports anywhere in the file.
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
                    let named = names.iter().find_map(|import| {
                        let path = format!("{module}.{}", import.name);
                        Some((Facade::from_module(&path)?, path, import.span))
                    });
                    found.push(named.unwrap_or((facade, module.clone(), *module_span)));
                }
            }
            StmtKind::Try(blocks) => {
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

/// Two facades in one file configure one process for two devices.
fn facade_mix(imports: &[(Facade, String, Span)]) -> Option<Note> {
    let (_, first, _) = imports
        .iter()
        .find(|(facade, _, _)| *facade == Facade::A2)?;
    let (_, other, span) = imports
        .iter()
        .find(|(_, module, _)| module != first && module != "easyasc" && first != "easyasc")?;
    let kind = NoteKind::FacadeMix {
        first: first.clone(),
        other: other.clone(),
    };
    Some(Note {
        span: *span,
        origin: OriginId(0),
        kind,
    })
}

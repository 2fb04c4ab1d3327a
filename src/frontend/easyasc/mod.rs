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
mod launches;
mod tracer;
mod value;
mod views;

use tree_sitter::Tree;

use crate::ir::{Module, NotAnalysed, Note, NoteKind, OriginId};
use crate::syntax::python::ast::{self, StmtKind};
use crate::syntax::python::{lower, parse_tree};
use crate::text::{SourceText, Span};
use facade::Facade;
use tracer::Tracer;

/// Traces every kernel of a file.
pub fn trace(source: &SourceText) -> Module {
    trace_tree(source, parse_tree(source.as_str(), None).as_ref())
}

/// Traces every kernel of a file that has been parsed; `None` is the tree of a text that the
/// parser gave up.
pub fn trace_tree(source: &SourceText, tree: Option<&Tree>) -> Module {
    let Some(tree) = tree else {
        return not_analysed("its text is too large, or too broken, to be parsed within bounds");
    };
    let file = lower(tree, source);
    let imports = facade_imports(&file.body);
    let first_of = |wanted| imports.iter().find(|(facade, _, _)| *facade == wanted);
    match (first_of(Facade::A2), first_of(Facade::A5)) {
        (Some(_), _) => {}
        (None, Some((_, module, _))) => {
            return not_analysed(&format!("{module} targets A5 devices"));
        }
        (None, None) => return Module::default(),
    }
    let mut module = trace_file(source, &file, tree);
    module.notes.extend(facade_mix(&imports));
    module
}

fn not_analysed(reason: &str) -> Module {
    let reason = NotAnalysed {
        kernel: None,
        reason: reason.to_owned(),
    };
    Module {
        not_analysed: vec![reason],
        ..Module::default()
    }
}

fn trace_file(source: &SourceText, file: &ast::File, tree: &Tree) -> Module {
    let mut tracer = Tracer::new(source);
    let mut module = Module::default();
    if let Err(abort) = tracer.block(&file.body) {
        module.not_analysed.push(NotAnalysed {
            kernel: None,
            reason: format!("the module was read up to a point only: {}", abort.0),
        });
    }
    kernel::trace_all(&mut tracer, file, tree, &mut module);
    module.launches = launches::bind(&module.programs, std::mem::take(&mut tracer.launches));
    let comments = launches::from_comments(source, file, &module.programs);
    module.launches.extend(comments);
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

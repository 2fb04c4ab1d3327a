//! Undefined names.

use std::collections::HashSet;

use super::dialects;
use super::facade::{self, Facade, Namespace};
use super::function::Role;
use super::tracer::Tracer;
use super::unknown::identifiers;
use super::value::{Frame, Value};
use a2lint_ir::NoteKind;
use a2lint_isa::{CompareMode, DType, Layout, Pipe, Position, RoundMode, SelectMode};
use a2lint_source::spelling::{are_siblings, one_edit_away};
use a2lint_source::text::{Slice, SourceText, Span};
use a2lint_syntax::python::ast::{self, ExprKind, StmtKind};
use a2lint_syntax::python::scopes::Scopes;

/// Shortest name that gets a suggestion; shorter ones are one edit away from too many others.
const SHORTEST_CORRECTED: usize = 3;
/// Round modes under AscendC's names, which some generations of the DSL use.
const FURTHER_MODES: &[&str] = &[
    "RINT",
    "ROUND",
    "CAST_NONE",
    "CAST_RINT",
    "CAST_FLOOR",
    "CAST_CEIL",
    "CAST_ROUND",
    "CAST_TRUNC",
    "CAST_ODD",
];
/// Functions that can bind names without a visible binding.
const BINDING_FUNCTIONS: &[&str] = &[
    "exec",
    "eval",
    "globals",
    "locals",
    "vars",
    "setattr",
    "__import__",
];

impl<'a> Tracer<'a> {
    /// Notes a name that the file, Python and the facade all leave unbound.
    pub fn note_undefined(&mut self, name: &str, span: Span) {
        let in_kernel = self.in_kernel();
        if !in_kernel
            || super::python::names::is_python_builtin(name)
            || self.changed.has_lost_builtins
            || self.is_bound_somewhere(name, span)
        {
            return;
        }
        // Fixes are offered only in the checked file.
        let is_own = self.modules.map.is_own(span);
        let nearest = match self.position_named(name).filter(|_| is_own) {
            None if name.len() >= SHORTEST_CORRECTED && is_own => self.nearest_name(name),
            position => position,
        };
        self.undefined.insert(span);
        self.note(
            span,
            NoteKind::UnknownName {
                name: name.to_owned(),
                of: None,
                nearest,
            },
        );
    }

    /// Returns the span of the attribute in `object.attribute`. The text may be longer than the name that it denotes,
    /// since names are compared after NFKC normalisation.
    fn last_name(&self, span: Span) -> Span {
        let text = self.source.slice(span);
        let before = text.rfind('.').map_or(0, |dot| {
            let after = text.part(dot + 1..);
            text.len() - after.trim_start().len()
        });
        Span {
            start: span.start + before as u32,
            end: span.end,
        }
    }

    /// Notes an attribute that a namespace of the facade does not have. Some generations spell modes differently; for
    /// those, only a near miss of a known name is noted.
    pub fn note_no_attribute(&mut self, namespace: Namespace, name: &str, span: Span) {
        if !self.in_kernel() {
            return;
        }
        let is_compiled = dialects::is_compiled(self.dialect);
        if namespace == Namespace::Round && !is_compiled && FURTHER_MODES.contains(&name) {
            return;
        }
        let mut candidates = attributes(namespace);
        if is_compiled {
            candidates.retain(|name| !FURTHER_MODES.contains(name));
        }
        let nearest = one_edit_away(name, candidates.iter().copied());
        let is_closed = match namespace {
            Namespace::DType
            | Namespace::Position
            | Namespace::Pipe
            | Namespace::Compare
            | Namespace::Select => true,
            // Generations of the other dialect differ in their spelling of these.
            Namespace::Round | Namespace::Layout | Namespace::Facade(_) => is_compiled,
            Namespace::Package(_)
            | Namespace::Library(_)
            | Namespace::Runtime
            | Namespace::Shortcut(..) => false,
        };
        if candidates.is_empty() || (nearest.is_none() && !is_closed) {
            return;
        }
        self.undefined.insert(span);
        let place = self.last_name(span);
        let object = self.text(Span {
            start: span.start,
            end: place.start,
        });
        self.note(
            place,
            NoteKind::UnknownName {
                name: name.to_owned(),
                of: Some(object.trim_end_matches(['.', ' ']).to_owned()),
                nearest,
            },
        );
    }

    /// Notes an attribute that a module of the project does not have, if all of its names are known.
    pub fn note_no_member(&mut self, module: &Frame<'a>, name: &str, span: Span) {
        // Dunder attributes exist without being bound by the file.
        let is_dunder = name.starts_with("__");
        let is_open = module.is_lost() || self.has_open_names || module.star().is_some();
        if !self.in_kernel() || is_open || is_dunder {
            return;
        }
        let Some(file) = self.file_of(module) else {
            return;
        };
        let bound = bound_names(file, self.source, &[]);
        // The syntax is asked, not the scope: a binding that was not evaluated still makes the name exist.
        if bound.is_none_or(|bound| bound.contains(name)) {
            return;
        }
        let names = module.own_names();
        let nearest = one_edit_away(name, names.iter().map(String::as_str));
        self.undefined.insert(span);
        let place = self.last_name(span);
        let object = self.text(Span {
            start: span.start,
            end: place.start,
        });
        let nearest = nearest.filter(|_| self.modules.map.is_own(span));
        self.note(
            place,
            NoteKind::UnknownName {
                name: name.to_owned(),
                of: Some(object.trim_end_matches(['.', ' ']).to_owned()),
                nearest,
            },
        );
    }

    /// Returns whether what is called is a name that was noted as undefined, or an attribute or result of one.
    pub fn is_undefined(&self, func: &ast::Expr) -> bool {
        self.undefined.contains(&func.span)
            || match &func.kind {
                ExprKind::Attribute { value, .. } | ExprKind::Call { func: value, .. } => {
                    self.is_undefined(value)
                }
                _ => false,
            }
    }

    /// Returns whether anything in the file may bind a name, whether or not that is executed.
    fn is_bound_somewhere(&self, name: &str, span: Span) -> bool {
        if !self.modules.map.is_own(span) {
            let file = self.modules.file_at(span);
            let bound = file.and_then(|file| bound_names(file, self.source, &[]));
            return bound.is_none_or(|bound| bound.contains(name));
        }
        // Computed on demand: most files have no undefined names.
        let bound = self
            .bound
            .get_or_init(|| bound_names(self.file, self.source, &self.broken_lines));
        bound.as_ref().is_none_or(|bound| bound.contains(name))
    }

    /// Returns a memory as the facade spells it, if the name is that of one: `Position.UB` for `UB`.
    fn position_named(&self, name: &str) -> Option<String> {
        let is_known = attributes(Namespace::Position).contains(&name);
        let has_namespace = self
            .frame
            .star()
            .is_some_and(|dialect| facade::names(dialect).any(|it| it == "Position"));
        (is_known && has_namespace).then(|| format!("Position.{name}"))
    }

    fn nearest_name(&self, name: &str) -> Option<String> {
        let visible = self.frame.names();
        let facade: Vec<&str> = match self.frame.star() {
            Some(dialect) => facade::names(dialect).collect(),
            None => Vec::new(),
        };
        // A kernel is called by the host alone.
        let is_kernel = |name: &str| {
            let value = self.frame.get(name);
            matches!(value, Some(Value::Function(function)) if function.role == Role::Kernel)
        };
        let visible = visible.iter().map(String::as_str);
        let visible = visible.filter(|it| !is_kernel(it) && !are_siblings(it, name));
        one_edit_away(name, visible.chain(facade.iter().copied()))
    }
}

/// Returns the names that something in the file binds; `None` if that cannot be determined.
fn bound_names(
    file: &ast::File,
    source: &SourceText,
    broken_lines: &[Span],
) -> Option<HashSet<String>> {
    if imports_unknown_names(&file.body) {
        return None;
    }
    let scopes = Scopes::of(file);
    let symbols = scopes.symbols().iter();
    let binds = |name: &str| BINDING_FUNCTIONS.contains(&name);
    if symbols
        .clone()
        .any(|symbol| !symbol.uses.is_empty() && binds(&symbol.name))
    {
        return None;
    }
    // A name that is only used is not bound.
    let bound = symbols.filter(|symbol| !symbol.bindings.is_empty());
    let mut names: HashSet<String> = bound.map(|symbol| symbol.name.clone()).collect();
    // Text that does not parse may contain a binding; every word in it counts as bound.
    for &lines in broken_lines {
        names.extend(identifiers(source.slice(lines)).map(str::to_owned));
    }
    Some(names)
}

/// Returns whether a `from module import *` imports names of an unknown module.
fn imports_unknown_names(body: &[ast::Stmt]) -> bool {
    body.iter().any(|stmt| match &stmt.kind {
        StmtKind::ImportFrom { module, star, .. } => *star && Facade::from_module(module).is_none(),
        StmtKind::Try { blocks, .. } => blocks.iter().any(|block| imports_unknown_names(block)),
        StmtKind::If { arms, orelse } => {
            arms.iter().any(|(_, body)| imports_unknown_names(body))
                || imports_unknown_names(orelse)
        }
        StmtKind::Error(body) | StmtKind::With { body, .. } => imports_unknown_names(body),
        StmtKind::Function(def) => imports_unknown_names(&def.body),
        _ => false,
    })
}

/// Returns the known attributes of a namespace; empty if there are too many others.
fn attributes(namespace: Namespace) -> Vec<&'static str> {
    fn all<T: Copy>(values: &[T], name: fn(T) -> &'static str) -> Vec<&'static str> {
        values.iter().map(|&value| name(value)).collect()
    }
    match namespace {
        Namespace::DType => all(&DType::ALL, DType::name),
        Namespace::Position => all(&Position::ALL, Position::name),
        Namespace::Pipe => all(&Pipe::ALL, Pipe::name),
        Namespace::Round => {
            let mut names = all(&RoundMode::ALL, RoundMode::name);
            names.extend(FURTHER_MODES);
            names
        }
        Namespace::Compare => all(&CompareMode::ALL, CompareMode::name),
        Namespace::Select => all(&SelectMode::ALL, SelectMode::name),
        Namespace::Layout => all(Layout::DECLARED, Layout::name),
        Namespace::Package(dialect) | Namespace::Facade(dialect) => {
            facade::names(dialect).collect()
        }
        Namespace::Library(_) | Namespace::Runtime | Namespace::Shortcut(..) => Vec::new(),
    }
}

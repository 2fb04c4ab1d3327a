//! Dependencies between the top-level statements of a file.
//!
//! The findings in a kernel depend on its own text and on the statements that bind the names it uses, directly or
//! through other statements. A name whose value can change in place (a list, a class, the result of a call) connects
//! all statements that mention it, since each may change it.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use a2lint_source::text::{SourceText, Span};
use a2lint_syntax::python::ast::{Expr, ExprKind, File, Param, Stmt, StmtKind};
use a2lint_syntax::python::scopes::Scopes;

/// The top-level statements of a file.
#[derive(Debug, Default)]
pub struct Parts {
    /// Spans including decorators.
    spans: Vec<Span>,
    /// Spans of whole lines, including comments after the code.
    lines: Vec<Span>,
    /// Indices of the statements that each depends on directly.
    needs: Vec<BTreeSet<usize>>,
    /// Indices of the statements that all depend on: star imports.
    needed_by_all: BTreeSet<usize>,
    /// Indices of the statements with syntax errors.
    damaged: BTreeSet<usize>,
}

impl Parts {
    /// Computes the dependencies of a file.
    pub fn of(source: &SourceText, file: &File, scopes: &Scopes) -> Parts {
        let spans: Vec<Span> = file.body.iter().map(whole).collect();
        let mut parts = Parts {
            lines: spans.iter().map(|&span| lines(source, span)).collect(),
            needs: vec![BTreeSet::new(); spans.len()],
            spans,
            ..Parts::default()
        };
        let mut changing = Changing::default();
        for (at, stmt) in file.body.iter().enumerate() {
            changing.stmt(stmt, true);
            if imports_everything(stmt) {
                parts.needed_by_all.insert(at);
            }
            let span = parts.spans[at];
            let is_hurt = |error: Span| error.start <= span.end && span.start <= error.end;
            if file.errors.iter().any(|error| is_hurt(error.span)) {
                parts.damaged.insert(at);
            }
        }
        let globals = scopes.symbols().iter().filter(|symbol| symbol.is_global);
        for symbol in globals.filter(|symbol| !symbol.bindings.is_empty()) {
            let found_at = |places: &[Span]| -> BTreeSet<usize> {
                places.iter().filter_map(|place| parts.at(*place)).collect()
            };
            let (binders, users) = (found_at(&symbol.bindings), found_at(&symbol.uses));
            let tied = match changing.names.contains(symbol.name.as_str()) {
                true => binders.union(&users).copied().collect(),
                false => binders.clone(),
            };
            for &user in users.union(&binders) {
                parts.needs[user].extend(&tied);
            }
        }
        parts
    }

    /// Returns the index of the statement that contains a span.
    fn at(&self, span: Span) -> Option<usize> {
        let at = self.spans.partition_point(|part| part.end < span.end);
        self.spans.get(at).filter(|it| it.start <= span.start)?;
        Some(at)
    }

    /// Returns the whole lines of the statements that a span depends on, its own among them, in source order. `None`
    /// if the span is in no statement, or if one of them has a syntax error.
    pub fn behind(&self, span: Span) -> Option<Vec<Span>> {
        let own = self.at(span)?;
        let mut found = BTreeSet::from([own]);
        let mut fresh: Vec<usize> = vec![own];
        fresh.extend(&self.needed_by_all);
        found.extend(&self.needed_by_all);
        while let Some(part) = fresh.pop() {
            let more = self.needs[part].iter().filter(|&&it| found.insert(it));
            fresh.extend(more);
        }
        let is_sound = found.is_disjoint(&self.damaged);
        is_sound.then(|| found.iter().map(|&at| self.lines[at]).collect())
    }
}

/// Returns the span of a statement with its decorators.
fn whole(stmt: &Stmt) -> Span {
    match &stmt.kind {
        StmtKind::Function(def) => def.full_span,
        StmtKind::Class { full_span, .. } => *full_span,
        _ => stmt.span,
    }
}

/// Extends a span to whole lines.
fn lines(source: &SourceText, span: Span) -> Span {
    let line = |offset: u32| source.line_span(source.line_index(offset));
    Span {
        start: line(span.start).map_or(span.start, |line| line.start),
        end: line(span.end).map_or(span.end, |line| line.end.max(span.end)),
    }
}

/// Returns whether a statement, or a block in it, contains a star import.
fn imports_everything(stmt: &Stmt) -> bool {
    let any = |body: &[Stmt]| body.iter().any(imports_everything);
    match &stmt.kind {
        StmtKind::ImportFrom { star, .. } => *star,
        StmtKind::If { arms, orelse } => arms.iter().any(|(_, body)| any(body)) || any(orelse),
        StmtKind::Try { blocks, .. } => blocks.iter().any(|body| any(body)),
        StmtKind::With { body, .. } | StmtKind::Error(body) => any(body),
        _ => false,
    }
}

/// Collects the global names whose values may change in place.
#[derive(Default)]
struct Changing<'a> {
    names: FxHashSet<&'a str>,
}

impl<'a> Changing<'a> {
    fn block(&mut self, body: &'a [Stmt], is_outside: bool) {
        body.iter().for_each(|stmt| self.stmt(stmt, is_outside));
    }

    /// Processes a statement. Names that functions bind are local, unless they are declared `global`.
    fn stmt(&mut self, stmt: &'a Stmt, is_outside: bool) {
        match &stmt.kind {
            StmtKind::Global(names) => self.names.extend(names.iter().map(|it| it.text.as_str())),
            StmtKind::Function(def) => {
                if has_changing_defaults(&def.params) {
                    self.names.insert(&def.name.text);
                }
                self.block(&def.body, false);
            }
            StmtKind::Class { name, body, .. } => {
                self.names.insert(&name.text);
                self.block(body, false);
            }
            StmtKind::Assign { targets, value } if is_outside && !is_constant(value) => {
                targets.iter().for_each(|target| self.target(target));
            }
            StmtKind::AnnAssign { target, value, .. }
                if is_outside && value.as_ref().is_none_or(|value| !is_constant(value)) =>
            {
                self.target(target);
            }
            StmtKind::AugAssign { target, .. } if is_outside => self.target(target),
            StmtKind::Delete(targets) if is_outside => {
                targets.iter().for_each(|target| self.target(target));
            }
            StmtKind::For {
                target,
                body,
                orelse,
                ..
            } => {
                if is_outside {
                    self.target(target);
                }
                self.block(body, is_outside);
                self.block(orelse, is_outside);
            }
            StmtKind::While { body, orelse, .. } => {
                self.block(body, is_outside);
                self.block(orelse, is_outside);
            }
            StmtKind::If { arms, orelse } => {
                for (_, body) in arms {
                    self.block(body, is_outside);
                }
                self.block(orelse, is_outside);
            }
            StmtKind::With { items, body } => {
                if is_outside {
                    let targets = items.iter().filter_map(|(_, target)| target.as_ref());
                    targets.for_each(|target| self.target(target));
                }
                self.block(body, is_outside);
            }
            StmtKind::Try { blocks, .. } => {
                for body in blocks {
                    self.block(body, is_outside);
                }
            }
            StmtKind::Error(body) => self.block(body, is_outside),
            _ => {}
        }
    }

    fn target(&mut self, target: &'a Expr) {
        match &target.kind {
            ExprKind::Name(name) => {
                self.names.insert(name);
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                items.iter().for_each(|item| self.target(item));
            }
            ExprKind::Starred(inner) => self.target(inner),
            ExprKind::Subscript { value, .. } | ExprKind::Attribute { value, .. } => {
                self.target(value);
            }
            _ => {}
        }
    }
}

fn has_changing_defaults(params: &[Param]) -> bool {
    let mut defaults = params.iter().filter_map(|param| param.default.as_ref());
    defaults.any(|default| !is_constant(default))
}

/// Returns whether the value of an expression can never change in place: a literal, an attribute, or an operation on
/// such values. A name alone may refer to a list.
fn is_constant(expr: &Expr) -> bool {
    let is_part = |part: &Expr| matches!(part.kind, ExprKind::Name(_)) || is_constant(part);
    match &expr.kind {
        ExprKind::None
        | ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Str(_)
        | ExprKind::OpaqueStr
        | ExprKind::Ellipsis => true,
        ExprKind::Attribute { value, .. } => is_part(value),
        ExprKind::Tuple(items) => items.iter().all(is_constant),
        ExprKind::Unary { operand, .. } => is_part(operand),
        ExprKind::Binary { left, right, .. } => is_part(left) && is_part(right),
        ExprKind::Compare { left, rest } => is_part(left) && rest.iter().all(|(_, it)| is_part(it)),
        ExprKind::BoolOp { values, .. } => values.iter().all(is_constant),
        ExprKind::Conditional { body, orelse, .. } => is_constant(body) && is_constant(orelse),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use a2lint_syntax::python::parse;

    /// The first lines of the statements that `def name` depends on.
    fn behind(text: &str, name: &str) -> Option<Vec<String>> {
        let source = SourceText::new(text);
        let file = parse(&source);
        let parts = Parts::of(&source, &file, &Scopes::of(&file));
        let start = text.find(&format!("def {name}")).expect("it is there");
        let found = parts.behind(Span::new(start, start + 4))?;
        let first = |span: &Span| source.slice(*span).lines().next().map(str::to_owned);
        found.iter().map(first).collect()
    }

    #[test]
    fn names_lead_to_what_binds_them() {
        let text = "\
from easyasc.a2 import *
WIDTH = 8
ROWS = WIDTH * 2  # twice
OTHER = 3
def fill(t):
    dup(t, ROWS)
def k(x, OTHER):
    fill(x)
k(WIDTH, 1)
";
        let expected = [
            "from easyasc.a2 import *",
            "WIDTH = 8",
            "ROWS = WIDTH * 2  # twice",
            "def fill(t):",
            "def k(x, OTHER):",
        ];
        assert_eq!(behind(text, "k").unwrap(), expected);
    }

    #[test]
    fn what_changes_in_place_ties_its_users_together() {
        let text =
            "A = [1]\nB = A\ndef f():\n    B.append(2)\ndef k():\n    A[0]\ndef g():\n    pass\n";
        let found = behind(text, "k").unwrap();
        assert_eq!(found, ["A = [1]", "B = A", "def f():", "def k():"]);
        assert_eq!(behind(text, "g").unwrap(), ["def g():"]);
    }

    #[test]
    fn globals_and_defaults_are_followed() {
        let text = "N = 1\ndef f():\n    global N\n    N = 2\ndef k(x=N):\n    pass\n";
        let found = behind(text, "k").unwrap();
        assert_eq!(found, ["N = 1", "def f():", "def k(x=N):"]);
    }

    #[test]
    fn damage_is_not_relied_on() {
        let text = "def h():\n    f(\ndef k():\n    h()\n";
        assert_eq!(behind(text, "k"), None);
    }
}

//! Branches: Python's are decided, the device's are emitted, others go both ways.

use super::tracer::{Eval, Flow, Tracer};
use super::unknown::Emission;
use super::value::Value;
use crate::ir::{Branch, NoteKind, Stmt, StmtKind};
use crate::syntax::python::ast::{self, ExprKind};
use crate::text::Span;

impl<'a> Tracer<'a> {
    pub fn branch(
        &mut self,
        arms: &'a [(ast::Expr, Vec<ast::Stmt>)],
        orelse: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        let Some(((test, body), rest)) = arms.split_first() else {
            return self.block(orelse);
        };
        let condition = self.eval(test)?;
        let condition = self.condition(condition, test.span)?;
        if let Some(taken) = condition.truth() {
            if self.rewritten && !self.compiled && self.in_kernel() && self.is_if() {
                self.note(test.span, NoteKind::StaticIf { taken });
            }
            return match taken {
                true => self.block(body),
                false => self.branch(rest, orelse),
            };
        }
        self.undecided_branch(condition, test.span, body, rest, orelse)
    }

    /// Whether the statement is spelled `if`: others that branch are not rewritten.
    fn is_if(&mut self) -> bool {
        let header = self.builder().statement;
        self.source.slice(header).starts_with("if")
    }

    /// A branch of which nobody knows the way.
    pub fn unknown_branch(
        &mut self,
        arms: &'a [(ast::Expr, Vec<ast::Stmt>)],
        orelse: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        let Some(((test, body), rest)) = arms.split_first() else {
            return self.block(orelse);
        };
        self.undecided_branch(Value::Unknown, test.span, body, rest, orelse)
    }

    /// A branch that the device takes, or of which host code goes both ways.
    fn undecided_branch(
        &mut self,
        condition: Value<'a>,
        test: Span,
        body: &'a [ast::Stmt],
        rest: &'a [(ast::Expr, Vec<ast::Stmt>)],
        orelse: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        match self.in_kernel() {
            true => self.device_branch(condition, test, body, rest, orelse),
            false => self.both_ways(body, rest, orelse),
        }
    }

    /// Host code whose condition is not known: what either way binds may hold.
    fn both_ways(
        &mut self,
        body: &'a [ast::Stmt],
        rest: &'a [(ast::Expr, Vec<ast::Stmt>)],
        orelse: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        self.ways += 1;
        let ended = self.block(body).and_then(|_| self.branch(rest, orelse));
        self.ways -= 1;
        ended.map(|_| Flow::Normal)
    }

    fn device_branch(
        &mut self,
        condition: Value<'a>,
        condition_span: Span,
        body: &'a [ast::Stmt],
        rest: &'a [(ast::Expr, Vec<ast::Stmt>)],
        orelse: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        let span = self.builder().statement;
        let on_device = condition.is_scalar();
        let condition = self.builder().scalar(&condition);
        let header = on_device.then_some(span);
        let names = match on_device {
            true => Vec::new(),
            false => {
                self.note_unknown(condition_span, "this condition could not be evaluated");
                let rest = rest.iter().flat_map(|(_, body)| bound_in(body));
                let all = bound_in(body)
                    .into_iter()
                    .chain(rest)
                    .chain(bound_in(orelse));
                all.collect()
            }
        };
        let before = self.values_of(&names);
        let unset = self.builder().unset.clone();
        self.uncertain += u32::from(!on_device);
        let region = self.before_region(body);
        let body = self.nested(header, |tracer| tracer.block(body))?;
        if self.compiled {
            self.after_region(region, span);
        }
        let after = self.values_of(&names);
        let unset_after = std::mem::replace(&mut self.builder().unset, unset);
        for (name, value) in &before {
            self.frame.set(name, value.clone());
        }
        let region = self.before_region(orelse);
        let otherwise = self.nested(header, |tracer| tracer.branch(rest, orelse))?;
        if self.compiled {
            self.after_region(region, span);
        }
        self.uncertain -= u32::from(!on_device);
        let either = self.values_of(&names);
        self.merge(&names, &after, &either)?;
        // A cell that one way leaves without a value has none after the branch.
        self.builder().unset.extend(unset_after);
        self.builder().statement = span;
        let first = Branch {
            condition,
            condition_span,
            body,
        };
        let (arms, otherwise) = flatten(first, otherwise);
        self.emit(StmtKind::If { arms, otherwise })?;
        Ok(Flow::Normal)
    }

    /// What names are bound to; nothing for those that are not.
    pub(super) fn values_of(&self, names: &[&'a str]) -> Bindings<'a> {
        let bound = names
            .iter()
            .filter_map(|&name| Some((name, self.frame.get(name)?)));
        bound.collect()
    }

    /// Binds names that one of two ways was taken to bind.
    pub(super) fn merge(
        &mut self,
        names: &[&'a str],
        one: &Bindings<'a>,
        other: &Bindings<'a>,
    ) -> Eval<()> {
        fn of<'v, 'a>(bindings: &'v Bindings<'a>, name: &str) -> Option<&'v Value<'a>> {
            let found = bindings.iter().find(|(bound, _)| *bound == name);
            found.map(|(_, value)| value)
        }
        for name in names {
            let (Some(a), Some(b)) = (of(one, name), of(other, name)) else {
                continue;
            };
            if !a.is_same(b) {
                let span = self.builder().statement;
                let what = || format!("what `{name}` is, is not known");
                self.unknown_code(span, what, [a, b], Emission::None)?;
                self.frame.set(name, Value::Unknown);
            }
        }
        Ok(())
    }
}

/// Names with what they are bound to.
pub(super) type Bindings<'a> = Vec<(&'a str, Value<'a>)>;

/// The names that statements bind, those of nested functions left out.
pub(super) fn bound_in(body: &[ast::Stmt]) -> Vec<&str> {
    let mut names = Vec::new();
    collect_bound(body, &mut names);
    names.sort_unstable();
    names.dedup();
    names
}

fn collect_bound<'a>(body: &'a [ast::Stmt], names: &mut Vec<&'a str>) {
    use ast::StmtKind as S;
    fn target<'a>(expr: &'a ast::Expr, names: &mut Vec<&'a str>) {
        match &expr.kind {
            ExprKind::Name(name) => names.push(name),
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                items.iter().for_each(|item| target(item, names));
            }
            ExprKind::Starred(inner) => target(inner, names),
            _ => {}
        }
    }
    for stmt in body {
        match &stmt.kind {
            S::Assign { targets, .. } => targets.iter().for_each(|it| target(it, names)),
            S::AnnAssign { target: it, .. } | S::AugAssign { target: it, .. } => target(it, names),
            S::For {
                target: it,
                body,
                orelse,
                ..
            } => {
                target(it, names);
                collect_bound(body, names);
                collect_bound(orelse, names);
            }
            S::While { body, orelse, .. } => {
                collect_bound(body, names);
                collect_bound(orelse, names);
            }
            S::If { arms, orelse } => {
                arms.iter().for_each(|(_, body)| collect_bound(body, names));
                collect_bound(orelse, names);
            }
            S::With { items, body } => {
                let targets = items.iter().filter_map(|(_, it)| it.as_ref());
                targets.for_each(|it| target(it, names));
                collect_bound(body, names);
            }
            S::Try { blocks, .. } => blocks.iter().for_each(|body| collect_bound(body, names)),
            S::Error(body) => collect_bound(body, names),
            _ => {}
        }
    }
}

/// Turns `else: if …` chains into arms of one branch.
fn flatten(first: Branch, mut otherwise: Vec<Stmt>) -> (Vec<Branch>, Vec<Stmt>) {
    let mut arms = vec![first];
    if otherwise.len() == 1
        && matches!(otherwise[0].kind, StmtKind::If { .. })
        && let Some(StmtKind::If {
            arms: more,
            otherwise: rest,
        }) = otherwise.pop().map(|stmt| stmt.kind)
    {
        arms.extend(more);
        return (arms, rest);
    }
    (arms, otherwise)
}

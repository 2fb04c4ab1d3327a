//! Branches: those of Python are decided at trace time, those of the device are emitted, and undecided ones of host
//! code are evaluated both ways.

use super::scalars::PythonScalars;
use super::tracer::{Eval, Flow, Tracer};
use super::unknown::Emission;
use super::value::Value;
use a2lint_ir::{Branch, PythonNote};
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::{self, ExprKind};
use rustc_hash::FxHashSet;

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
        // `truth` is `None` for device values and for unknown values, so neither is taken as decided.
        if let Some(taken) = condition.truth() {
            // The toolchain of this dialect rewrites `if` into a device branch; a condition that Python decides is a
            // common surprise.
            if self.rewritten && !self.compiled && self.in_kernel() && self.is_if() {
                self.note(test.span, PythonNote::StaticIf { taken });
            }
            return match taken {
                true => self.block(body),
                false => self.branch(rest, orelse),
            };
        }
        self.undecided_branch(condition, test.span, body, rest, orelse)
    }

    /// Returns whether the current statement is spelled `if`: the toolchain rewrites no other branching statement.
    fn is_if(&mut self) -> bool {
        let header = self.builder().statement;
        self.source.slice(header).starts_with("if")
    }

    /// Evaluates a branch whose condition is unknown.
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

    /// Evaluates a branch whose condition is not decided at trace time: emits it in a kernel, and evaluates both arms
    /// in host code.
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

    /// Evaluates both arms of host code whose condition is unknown, and joins the bindings.
    fn both_ways(
        &mut self,
        body: &'a [ast::Stmt],
        rest: &'a [(ast::Expr, Vec<ast::Stmt>)],
        orelse: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        // Evaluating the condition may have raised.
        self.doubt();
        let further = rest.iter().flat_map(|(test, body)| {
            let mut names = bound_in(body);
            in_expr(test, &mut names);
            names
        });
        // Names that only one arm binds count as well: after the branch they may be unbound.
        let all = bound_in(body).into_iter().chain(further);
        let mut names: Vec<&str> = all.chain(bound_in(orelse)).collect();
        names.sort_unstable();
        names.dedup();
        let before = self.values_of(&names);
        let taken = self.in_region(|tracer| tracer.block(body))?;
        let first = (taken, self.values_of(&names));
        // The second arm starts from the bindings before the branch, not from those of the first.
        self.rebind(&names, &before);
        let otherwise = self.in_region(|tracer| tracer.branch(rest, orelse))?;
        let second = (otherwise, self.values_of(&names));
        self.joined(&names, vec![first, second])
    }

    /// Evaluates code that may not be executed, in a region of its own.
    pub(super) fn in_region<T>(&mut self, run: impl FnOnce(&mut Self) -> Eval<T>) -> Eval<T> {
        let depth = self.doubts.depth();
        self.open_region();
        let done = run(self);
        self.doubts.close(depth);
        done
    }

    /// Restores the bindings of names; a name without an earlier binding becomes unbound.
    pub(super) fn rebind(&mut self, names: &[&'a str], bindings: &Bindings<'a>) {
        for name in names {
            let found = bindings.iter().find(|(bound, _)| bound == name);
            match found {
                Some((_, value)) => self.frame.set(name, value.clone()),
                None => {
                    self.frame.binding(name).remove(name);
                }
            }
        }
    }

    /// Joins several possible ways of execution, each with its outcome and its bindings. A way that raises does not
    /// continue, and so contributes no bindings.
    pub(super) fn joined(
        &mut self,
        names: &[&'a str],
        ways: Vec<(Flow<'a>, Bindings<'a>)>,
    ) -> Eval<Flow<'a>> {
        let count = ways.len();
        let (mut left, mut returned, mut rest): (Vec<Flow<'a>>, Vec<Value<'a>>, Vec<_>) =
            (Vec::new(), Vec::new(), Vec::new());
        for (flow, bindings) in ways {
            match flow {
                Flow::Raise => {}
                Flow::Return(value) => returned.push(value),
                Flow::Normal => rest.push(bindings),
                flow => {
                    left.push(flow);
                    rest.push(bindings);
                }
            }
        }
        let raises = returned.len() + rest.len() < count;
        // Every way raises. With several exceptions, which one is raised is unknown.
        if returned.is_empty() && rest.is_empty() {
            if count > 1 {
                self.doubts.raised = Some(Value::Unknown);
            }
            return Ok(Flow::Raise);
        }
        // Some ways raise: execution after the join is conditional on those that do not.
        if raises {
            self.doubts.raised = None;
            self.doubt();
        }
        // Every way that does not raise returns, so the whole statement returns.
        if rest.is_empty() {
            returned.iter().try_for_each(|value| self.hide(value))?;
            return Ok(Flow::Return(one_of(returned)));
        }
        for name in names {
            let values: Vec<&Value<'a>> = rest.iter().filter_map(|way| of(way, name)).collect();
            let Some((&first, others)) = values.split_first() else {
                self.frame.binding(name).remove(name);
                continue;
            };
            let is_everywhere = values.len() == rest.len();
            let is_same = others.iter().all(|value| value.is_alike(first));
            // A name that only one way binds raises `NameError` after the other. Code that goes on and uses a
            // function or class has therefore taken this way.
            let stays = is_same && (is_everywhere || is_definition(first));
            let values: Vec<Value<'a>> = values.into_iter().cloned().collect();
            if stays {
                self.frame.set(name, values[0].clone());
                continue;
            }
            // The name becomes unknown, so a later change through it may concern any of these objects.
            values.iter().try_for_each(|value| self.hide(value))?;
            self.frame.set(name, Value::Unknown);
        }
        // The statement leaves its block for certain only if every way that continues leaves it, all in the same
        // manner.
        let is_left = left.len() == rest.len() && returned.is_empty();
        let all_break = left.iter().all(|flow| matches!(flow, Flow::Break));
        let all_continue = left.iter().all(|flow| matches!(flow, Flow::Continue));
        match (is_left, all_break, all_continue) {
            (true, true, _) => return Ok(Flow::Break),
            (true, _, true) => return Ok(Flow::Continue),
            _ => {}
        }
        for value in returned {
            self.perhaps(Flow::Return(value));
        }
        for flow in left {
            self.perhaps(flow);
        }
        Ok(Flow::Normal)
    }

    /// Records that a block may have been left early: from here on, code in it may not be executed.
    pub(super) fn perhaps(&mut self, flow: Flow<'a>) -> Flow<'a> {
        match flow {
            Flow::Normal => return Flow::Normal,
            Flow::Raise => {
                self.doubts.raised = None;
                self.doubt();
                return Flow::Normal;
            }
            Flow::Return(value) => {
                if let Some(values) = self.doubts.returns.last_mut() {
                    values.push(value);
                }
            }
            Flow::Break | Flow::Continue => {
                if let Some(is_left) = self.doubts.loops.last_mut() {
                    *is_left = true;
                }
            }
        }
        // The rest of the block is a region that the enclosing loop or function closes.
        self.open_region();
        Flow::Normal
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
        // Only a condition on the device has a header: without one, `nested` must not note `break` or `return` as
        // mistakes.
        let header = on_device.then_some(span);
        // Both arms of a device branch are traced in order with shared names, as the DSL does. Only if Python may
        // have decided the condition are bindings of both arms kept apart.
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
        // Whether a variable cell has a value is tracked separately for each arm.
        let unset = self.builder().unset().clone();
        let depth = self.doubts.depth();
        if !on_device {
            self.open_region();
        }
        let region = self.before_region(body);
        let body = self.nested(header, |tracer| tracer.block(body))?;
        if self.compiled {
            // Only the compiled dialect treats variables of a region specially.
            self.after_region(region, span);
        }
        let after = self.values_of(&names);
        let unset_after = self.builder().replace_unset(unset);
        for (name, value) in &before {
            self.frame.set(name, value.clone());
        }
        let region = self.before_region(orelse);
        let otherwise = self.nested(header, |tracer| tracer.branch(rest, orelse))?;
        if self.compiled {
            self.after_region(region, span);
        }
        self.doubts.close(depth);
        let either = self.values_of(&names);
        self.merge(&names, &after, &either)?;
        // A cell without a value after one arm has none after the branch.
        self.builder().join_unset(unset_after);
        self.builder().statement = span;
        let first = Branch {
            condition,
            condition_span,
            body,
        };
        self.builder().branch(first, otherwise)?;
        Ok(Flow::Normal)
    }

    /// Returns the bindings of names; unbound names are left out.
    pub(super) fn values_of(&self, names: &[&'a str]) -> Bindings<'a> {
        // In a kernel, names of enclosing scopes count too. In host code, only the scope in which an assignment binds
        // does.
        let value = |name: &str| match self.in_kernel() {
            true => self.frame.get(name),
            false => self.frame.binding(name).own(name),
        };
        let bound = names.iter().filter_map(|&name| Some((name, value(name)?)));
        bound.collect()
    }

    /// Joins the bindings after two arms of a branch: names with different values become unknown.
    pub(super) fn merge(
        &mut self,
        names: &[&'a str],
        one: &Bindings<'a>,
        other: &Bindings<'a>,
    ) -> Eval<()> {
        for name in names {
            let (Some(a), Some(b)) = (of(one, name), of(other, name)) else {
                continue;
            };
            if !a.is_alike(b) {
                let span = self.builder().statement;
                let what = || format!("what `{name}` is, is not known");
                self.hide(a)?;
                self.hide(b)?;
                self.unknown_code(span, what, [a, b], Emission::None)?;
                self.frame.set(name, Value::Unknown);
            }
        }
        Ok(())
    }
}

fn of<'v, 'a>(bindings: &'v Bindings<'a>, name: &str) -> Option<&'v Value<'a>> {
    let found = bindings.iter().find(|(bound, _)| *bound == name);
    found.map(|(_, value)| value)
}

/// Returns the value if all values are the same, and unknown otherwise.
pub(super) fn one_of<'a>(values: Vec<Value<'a>>) -> Value<'a> {
    let mut values = values.into_iter();
    let Some(first) = values.next() else {
        return Value::Unknown;
    };
    match values.all(|value| value.is_alike(&first)) {
        true => first,
        false => Value::Unknown,
    }
}

/// Returns whether a value is one that a definition or an import binds.
fn is_definition(value: &Value) -> bool {
    matches!(
        value,
        Value::Function(_)
            | Value::Class(_)
            | Value::Module(_)
            | Value::Namespace(_)
            | Value::Builtin(_)
            | Value::Inert
            | Value::Foreign
    )
}

/// Names with their values.
pub(super) type Bindings<'a> = Vec<(&'a str, Value<'a>)>;

/// Returns the names that statements bind in their scope; nested functions have scopes of their own.
pub(super) fn bound_in(body: &[ast::Stmt]) -> Vec<&str> {
    let mut names = Vec::new();
    collect_bound(body, &mut names);
    names.sort_unstable();
    names.dedup();
    names
}

fn collect_bound<'a>(body: &'a [ast::Stmt], names: &mut Vec<&'a str>) {
    use ast::StmtKind as S;
    for stmt in body {
        match &stmt.kind {
            S::Assign { targets, value } => {
                targets.iter().for_each(|it| target(it, names));
                in_expr(value, names);
            }
            S::AnnAssign {
                target: it, value, ..
            } => {
                target(it, names);
                value.iter().for_each(|value| in_expr(value, names));
            }
            S::AugAssign {
                target: it, value, ..
            } => {
                target(it, names);
                in_expr(value, names);
            }
            S::Expr(expr) | S::Assert(expr) => in_expr(expr, names),
            S::Return(expr) | S::Raise(expr) => expr.iter().for_each(|it| in_expr(it, names)),
            S::For {
                target: it,
                iter,
                body,
                orelse,
            } => {
                target(it, names);
                in_expr(iter, names);
                collect_bound(body, names);
                collect_bound(orelse, names);
            }
            S::While { test, body, orelse } => {
                in_expr(test, names);
                collect_bound(body, names);
                collect_bound(orelse, names);
            }
            S::If { arms, orelse } => {
                for (test, body) in arms {
                    in_expr(test, names);
                    collect_bound(body, names);
                }
                collect_bound(orelse, names);
            }
            S::With { items, body } => {
                for (item, it) in items {
                    in_expr(item, names);
                    it.iter().for_each(|it| target(it, names));
                }
                collect_bound(body, names);
            }
            S::Try {
                blocks, handlers, ..
            } => {
                let caught = handlers.iter().filter_map(|it| it.name.as_ref());
                names.extend(caught.map(|name| name.text.as_str()));
                blocks.iter().for_each(|body| collect_bound(body, names));
            }
            S::Error(body) => collect_bound(body, names),
            S::Function(def) => names.push(&def.name.text),
            S::Class { name, .. } => names.push(&name.text),
            S::Delete(targets) => targets.iter().for_each(|it| target(it, names)),
            S::Import(imports) => names.extend(imports.iter().map(|import| {
                let root = import.name.split('.').next().unwrap_or_default();
                import.alias.as_ref().map_or(root, |alias| &alias.text)
            })),
            S::ImportFrom { names: all, .. } => names.extend(all.iter().map(|import| {
                let alias = import.alias.as_ref();
                alias.map_or(import.name.as_str(), |alias| &alias.text)
            })),
            S::Global(_) | S::Nonlocal(_) | S::Pass | S::Break | S::Continue => {}
        }
    }
}

/// Collects the names that an assignment target binds. Attributes and items bind no name.
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

/// Returns the names that the target of a loop, or the condition of a `while`, binds.
pub(super) fn names_of(expr: &ast::Expr) -> Vec<&str> {
    let mut names = Vec::new();
    match &expr.kind {
        ExprKind::Name(_) | ExprKind::Tuple(_) | ExprKind::List(_) => target(expr, &mut names),
        _ => in_expr(expr, &mut names),
    }
    names
}

/// Collects the names that an expression binds: by `:=` and by patterns.
fn in_expr<'a>(expr: &'a ast::Expr, names: &mut Vec<&'a str>) {
    match &expr.kind {
        ExprKind::Named { name, .. } => names.push(&name.text),
        ExprKind::Matches { pattern, .. } => {
            pattern.names(&mut |name| names.push(&name.text));
        }
        // A `:=` in a lambda binds a local of the lambda.
        ExprKind::Lambda { .. } => return,
        _ => {}
    }
    ast::children(expr, &mut |child| in_expr(child, names));
}

/// Returns the local names of a function: its parameters, and the names that its body binds without `global` or
/// `nonlocal`.
pub(super) fn locals_of(def: &ast::FunctionDef) -> FxHashSet<&str> {
    let mut names: FxHashSet<&str> = bound_in(&def.body).into_iter().collect();
    names.extend(def.params.iter().map(|param| param.name.text.as_str()));
    // A `global` declaration holds for the whole function, also for bindings in other blocks.
    let mut foreign = Vec::new();
    declared(&def.body, &mut foreign);
    for name in foreign {
        names.remove(name);
    }
    names
}

/// Collects the names that `global` and `nonlocal` declare, in any block of a function.
pub(super) fn declared<'a>(body: &'a [ast::Stmt], names: &mut Vec<&'a str>) {
    use ast::StmtKind as S;
    for stmt in body {
        match &stmt.kind {
            S::Global(all) | S::Nonlocal(all) => {
                names.extend(all.iter().map(|name| name.text.as_str()));
            }
            S::For { body, orelse, .. } | S::While { body, orelse, .. } => {
                declared(body, names);
                declared(orelse, names);
            }
            S::If { arms, orelse } => {
                arms.iter().for_each(|(_, body)| declared(body, names));
                declared(orelse, names);
            }
            S::With { body, .. } | S::Error(body) => declared(body, names),
            S::Try { blocks, .. } => blocks.iter().for_each(|body| declared(body, names)),
            _ => {}
        }
    }
}

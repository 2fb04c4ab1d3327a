//! Control flow: device loops and branches are emitted, Python's are executed.

use super::dialects::ascriptor::control::LoopKind;
use super::tracer::{Eval, Flow, Tracer, static_range};
use super::unknown::Emission;
use super::value::{Context, Value};
use crate::ir::{Branch, LoopExit, NoteKind, ScalarType, Stmt, StmtKind, VariableKind};
use crate::syntax::python::ast::{self, ExprKind, TryPart};
use crate::text::Span;

impl<'a> Tracer<'a> {
    pub fn for_loop(
        &mut self,
        target: &'a ast::Expr,
        iter: &'a ast::Expr,
        body: &'a [ast::Stmt],
        orelse: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        let range = match self.compiled {
            true => self.compiled_range(iter)?,
            false => None,
        };
        let iterable = match range {
            Some(range) => range,
            None => self.eval(iter)?,
        };
        if let Value::DeviceRange(bounds) = &iterable {
            match self.in_kernel() {
                true => return self.device_loop(target, bounds, iter.span, body),
                false => return self.host_range(target, bounds, body),
            }
        }
        let Some(items) = self.static_items(&iterable)? else {
            self.note_unknown(iter.span, "what this loop runs over is not known");
            self.escape(iter)?;
            return self.unknown_loop(target, body);
        };
        let depth = self
            .kernel
            .as_ref()
            .map_or(0, |builder| builder.device_depth);
        self.loop_kinds.push(LoopKind::Unrolled(depth));
        for item in items {
            self.step()?;
            self.assign(target, item, iter.span)?;
            match self.block(body)? {
                Flow::Normal | Flow::Continue => {}
                flow => {
                    self.loop_kinds.pop();
                    return Ok(match flow {
                        Flow::Break => Flow::Normal,
                        flow => flow,
                    });
                }
            }
        }
        self.loop_kinds.pop();
        self.block(orelse)
    }

    fn device_loop(
        &mut self,
        target: &'a ast::Expr,
        bounds: &[Value<'a>; 3],
        site: Span,
        body: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        let builder = self.builder();
        let span = builder.statement;
        let [start, stop, step] = [0, 1, 2].map(|at: usize| builder.scalar(&bounds[at]));
        let name = match &target.kind {
            ExprKind::Name(name) => name.as_str(),
            _ => "",
        };
        let variable = builder.variable(VariableKind::Loop, name, ScalarType::INT, target.span);
        builder.open_block();
        builder.device_depth += 1;
        builder.loops.push(span);
        let before = self.before_region(body);
        self.loop_kinds.push(LoopKind::Device);
        self.assign(target, Value::Var(variable), site)?;
        let flow = self.block(body)?;
        self.loop_kinds.pop();
        self.note_exit(&flow, span);
        if self.compiled {
            self.after_region(before, span);
            self.after_loop(target);
        }
        let builder = self.builder();
        builder.loops.pop();
        builder.device_depth -= 1;
        let body = builder.close_block();
        builder.statement = span;
        self.emit(StmtKind::Loop {
            variable,
            start,
            stop,
            step,
            body,
        })?;
        Ok(after_device_block(flow))
    }

    /// A facade's `range` outside kernels: host code means Python's.
    fn host_range(
        &mut self,
        target: &'a ast::Expr,
        bounds: &[Value<'a>; 3],
        body: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        let [Some(start), Some(stop), Some(step)] = [0, 1, 2].map(|at: usize| bounds[at].as_int())
        else {
            return self.unknown_loop(target, body);
        };
        for number in static_range(start, stop, step) {
            self.step()?;
            self.assign(target, Value::Int(number), target.span)?;
            match self.block(body)? {
                Flow::Normal | Flow::Continue => {}
                Flow::Break => break,
                flow @ (Flow::Return(_) | Flow::Raise) => return Ok(flow),
            }
        }
        Ok(Flow::Normal)
    }

    /// A Python loop whose iterable or condition is not known: its body is traced once.
    pub fn unknown_loop(&mut self, target: &'a ast::Expr, body: &'a [ast::Stmt]) -> Eval<Flow<'a>> {
        self.assign(target, Value::Unknown, target.span)?;
        self.traced_once(body)
    }

    pub fn traced_once(&mut self, body: &'a [ast::Stmt]) -> Eval<Flow<'a>> {
        if !self.in_kernel() {
            let flow = self.block(body)?;
            return Ok(after_device_block(flow));
        }
        // Any iteration may find what another one has bound.
        let names = bound_in(body);
        let before = self.values_of(&names);
        for (name, _) in before.iter().filter(|(_, value)| value.is_plain()) {
            self.frame.set(name, Value::Unknown);
        }
        let flow = self.traced_once_with(body)?;
        let after = self.values_of(&names);
        self.merge(&names, &before, &after)?;
        Ok(flow)
    }

    fn traced_once_with(&mut self, body: &'a [ast::Stmt]) -> Eval<Flow<'a>> {
        let span = self.builder().statement;
        self.builder().open_block();
        self.builder().device_depth += 1;
        self.uncertain += 1;
        let flow = self.block(body)?;
        self.uncertain -= 1;
        self.builder().device_depth -= 1;
        let body = self.builder().close_block();
        self.builder().statement = span;
        self.emit(StmtKind::UnknownLoop { body })?;
        Ok(after_device_block(flow))
    }

    pub fn while_loop(
        &mut self,
        test: &'a ast::Expr,
        body: &'a [ast::Stmt],
        orelse: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        loop {
            self.step()?;
            let condition = self.eval(test)?;
            self.note_truth(test, &condition, "`while`");
            match self.condition(condition, test.span)?.truth() {
                None => {
                    self.note_unknown(test.span, "this condition could not be evaluated");
                    return self.traced_once(body);
                }
                Some(false) => return self.block(orelse),
                Some(true) => match self.block(body)? {
                    Flow::Normal | Flow::Continue => {}
                    Flow::Break => return Ok(Flow::Normal),
                    flow @ (Flow::Return(_) | Flow::Raise) => return Ok(flow),
                },
            }
        }
    }

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
        self.block(body)?;
        self.branch(rest, orelse)?;
        Ok(Flow::Normal)
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
        self.uncertain += u32::from(!on_device);
        let region = self.before_region(body);
        let body = self.nested(header, |tracer| tracer.block(body))?;
        if self.compiled {
            self.after_region(region, span);
        }
        let after = self.values_of(&names);
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
    fn values_of(&self, names: &[&'a str]) -> Bindings<'a> {
        let bound = names
            .iter()
            .filter_map(|&name| Some((name, self.frame.get(name)?)));
        bound.collect()
    }

    /// Binds names that one of two ways was taken to bind.
    fn merge(&mut self, names: &[&'a str], one: &Bindings<'a>, other: &Bindings<'a>) -> Eval<()> {
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

    /// Traces into a block of its own; `header` is where it starts, if it is certainly a device
    /// block.
    fn nested(
        &mut self,
        header: Option<Span>,
        trace: impl FnOnce(&mut Self) -> Eval<Flow<'a>>,
    ) -> Eval<Vec<Stmt>> {
        self.builder().open_block();
        self.builder().device_depth += 1;
        let flow = trace(self)?;
        if let Some(header) = header {
            self.note_exit(&flow, header);
        }
        self.builder().device_depth -= 1;
        Ok(self.builder().close_block())
    }

    /// A statement that ended the tracing of a device block, but ends nothing on the device.
    fn note_exit(&mut self, flow: &Flow<'a>, block: Span) {
        let exit = match flow {
            Flow::Normal | Flow::Raise => return,
            // The statement was emitted.
            Flow::Break | Flow::Continue if self.compiled => return,
            Flow::Return(_) if self.compiled => {
                let span = self.builder().statement;
                return self.early_return(span);
            }
            Flow::Break => LoopExit::Break,
            Flow::Continue => LoopExit::Continue,
            Flow::Return(_) => LoopExit::Return,
        };
        let span = self.builder().statement;
        self.note(span, NoteKind::LoopExit { exit, block });
    }

    /// What is tried, taken to succeed unless it raises by itself; then `else`, or the handler; then
    /// `finally`.
    pub fn try_blocks(
        &mut self,
        blocks: &'a [Vec<ast::Stmt>],
        parts: &[TryPart],
    ) -> Eval<Flow<'a>> {
        let block = |part: TryPart| {
            let at = parts.iter().position(|it| *it == part);
            at.and_then(|at| blocks.get(at))
        };
        self.tries += 1;
        let mut flow = match block(TryPart::Body) {
            Some(body) => self.block(body)?,
            None => Flow::Normal,
        };
        self.tries -= 1;
        let next = match flow {
            Flow::Normal => block(TryPart::Else),
            Flow::Raise => block(TryPart::Handler),
            _ => None,
        };
        if let Some(next) = next {
            flow = self.block(next)?;
        }
        match block(TryPart::Finally) {
            Some(last) => match self.block(last)? {
                Flow::Normal => Ok(flow),
                other => Ok(other),
            },
            None => Ok(flow),
        }
    }

    pub fn with(
        &mut self,
        items: &'a [(ast::Expr, Option<ast::Expr>)],
        body: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        let Some(((expr, target), rest)) = items.split_first() else {
            return self.block(body);
        };
        let value = self.eval(expr)?;
        if let Value::Managed(managed) = &value {
            return self.with_managed(managed, (target.as_ref(), rest), body, expr.span);
        }
        if let Value::Instance(_) = &value {
            return self.with_instance(&value, (target.as_ref(), rest), body, expr.span);
        }
        if let Some(target) = target {
            self.assign(target, Value::Unknown, expr.span)?;
        }
        match (&value, self.in_kernel()) {
            (Value::Context(context), true) => {
                let context = context.clone();
                self.with_context(&context, rest, body)
            }
            // For all anybody knows, it is one that orders what is inside.
            _ if self.is_undefined(expr) => self.with_context(&Context::AutoSync(None), rest, body),
            _ => self.with(rest, body),
        }
    }

    pub fn with_context(
        &mut self,
        context: &Context<'a>,
        rest: &'a [(ast::Expr, Option<ast::Expr>)],
        body: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        let span = self.builder().statement;
        let is_atomic = matches!(context, Context::Atomic(_));
        if is_atomic && self.compiled && self.is_in_atomic {
            self.raise(span, "E0201", "atomic regions do not nest");
        }
        let around = self.is_in_atomic;
        self.is_in_atomic |= is_atomic;
        let flow = self.with_context_inside(context, rest, body, span);
        self.is_in_atomic = around;
        flow
    }

    fn with_context_inside(
        &mut self,
        context: &Context<'a>,
        rest: &'a [(ast::Expr, Option<ast::Expr>)],
        body: &'a [ast::Stmt],
        span: Span,
    ) -> Eval<Flow<'a>> {
        if let Context::If(..) | Context::Elif(..) | Context::Else = context {
            let reopened = match context {
                Context::If(..) => None,
                _ => self.builder().reopen_branch(),
            };
            let body = self.nested(Some(span), |tracer| tracer.with(rest, body))?;
            self.builder().statement = span;
            return self.branch_context(context, reopened, body);
        }
        self.builder().open_block();
        let region = self.before_region(body);
        let flow = self.with(rest, body)?;
        let body = self.builder().close_block();
        self.builder().statement = span;
        if self.compiled {
            self.after_region(region, span);
        }
        let kind = match context {
            Context::Scope(side) => StmtKind::Scope { side: *side, body },
            Context::Atomic(kind) => StmtKind::Atomic { kind: *kind, body },
            Context::AutoSync(mode) => StmtKind::AutoSync {
                mode: mode.clone(),
                body,
            },
            Context::If(..) | Context::Elif(..) | Context::Else => unreachable!("handled above"),
        };
        self.emit(kind)?;
        Ok(flow)
    }

    fn branch_context(
        &mut self,
        context: &Context<'a>,
        reopened: Option<(Stmt, Vec<Stmt>)>,
        body: Vec<Stmt>,
    ) -> Eval<Flow<'a>> {
        if let Context::If(condition, condition_span) = context {
            let condition = self.builder().scalar(condition);
            let arm = Branch {
                condition,
                condition_span: *condition_span,
                body,
            };
            self.emit(StmtKind::If {
                arms: vec![arm],
                otherwise: Vec::new(),
            })?;
            return Ok(Flow::Normal);
        }
        let Some((mut stmt, behind)) = reopened else {
            let span = self.builder().statement;
            self.raise(span, "RuntimeError", "Elif and Else must follow If or Elif");
            return Ok(Flow::Normal);
        };
        let condition = match context {
            Context::Elif(condition, span) => Some((self.builder().scalar(condition), *span)),
            _ => None,
        };
        if let StmtKind::If { arms, otherwise } = &mut stmt.kind {
            match condition {
                Some((condition, condition_span)) => {
                    arms.push(Branch {
                        condition,
                        condition_span,
                        body,
                    });
                }
                None => *otherwise = body,
            }
        }
        self.builder().extend(behind);
        self.builder().extend([stmt]);
        Ok(Flow::Normal)
    }
}

/// Names with what they are bound to.
type Bindings<'a> = Vec<(&'a str, Value<'a>)>;

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

/// `break`, `continue` and `return` inside device blocks end tracing of that block alone.
fn after_device_block(flow: Flow) -> Flow {
    match flow {
        Flow::Return(value) => Flow::Return(value),
        _ => Flow::Normal,
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

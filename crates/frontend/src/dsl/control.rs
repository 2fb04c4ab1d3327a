//! Loops: those of the device are emitted, those of Python are executed.

use std::rc::Rc;

use super::branches::{bound_in, names_of};
use super::dialects::ascriptor::control::LoopKind;
use super::python::iterators::{Iterator, Step};
use super::scalars::PythonScalars;
use super::tracer::{Eval, Flow, Tracer};
use super::value::Value;
use a2lint_ir::build::Builder;
use a2lint_ir::{LoopExit, PythonNote, Stmt, StmtKind};
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::{self, ExprKind};

impl<'a> Tracer<'a> {
    pub fn for_loop(
        &mut self,
        target: &'a ast::Expr,
        iter: &'a ast::Expr,
        body: &'a [ast::Stmt],
        orelse: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        // In compiled code, a loop over Python's own `range` is a device loop.
        let range = match self.compiled {
            true => self.compiled_range(iter)?,
            false => None,
        };
        let iterable = match range {
            Some(range) => range,
            None => self.eval(iter)?,
        };
        // Outside of a kernel, a device range is iterated like `range`.
        if let (Value::DeviceRange(bounds), true) = (&iterable, self.in_kernel()) {
            return self.device_loop(target, bounds, iter.span, body);
        }
        let Some(iterator) = self.iterator_of(&iterable)? else {
            // The items may be changed through the loop variable, and the iterable by its own iteration.
            self.note_unknown(iter.span, "what this loop runs over is not known");
            self.hide_items(&iterable)?;
            self.escape(iter)?;
            return self.unknown_loop(target, body, orelse);
        };
        // The iterator keeps the iterable alive as long as it needs it, as in CPython.
        drop(iterable);
        let depth = self.kernel.as_ref().map_or(0, Builder::device_depth);
        // The depth of device blocks is kept: a `break` in a deeper device block cannot leave this unrolled loop.
        self.loop_kinds.push(LoopKind::Unrolled(depth));
        self.doubts.loops.push(false);
        // A `break` that may have been executed opens regions that last until the loop ends.
        let regions = self.doubts.depth();
        let flow = self.iterated_loop(target, (&iterator, iter.span), body);
        self.loop_kinds.pop();
        let is_left = self.doubts.loops.pop().unwrap_or(false);
        if is_left {
            self.doubts.close(regions);
        }
        match flow? {
            Some(Flow::Normal | Flow::Continue) if is_left => {
                self.perhaps_else(body, target, orelse)
            }
            // Python executes `else` unless the loop ends by `break`.
            Some(Flow::Normal | Flow::Continue) => self.block(orelse),
            Some(Flow::Break) => Ok(Flow::Normal),
            Some(flow) => Ok(flow),
            // The iterator is exhausted as far as it is known; the remaining iterations are traced once.
            None => {
                let what = "how often this loop is executed is not known";
                self.note_unknown(iter.span, what);
                for held in iterator.held() {
                    self.hide_items(&held)?;
                    self.hide(&held)?;
                }
                self.unknown_loop(target, body, orelse)
            }
        }
    }

    /// Evaluates the body of a loop for each item; `None` if further items are unknown.
    fn iterated_loop(
        &mut self,
        target: &'a ast::Expr,
        (iterator, site): (&Rc<Iterator<'a>>, Span),
        body: &'a [ast::Stmt],
    ) -> Eval<Option<Flow<'a>>> {
        // Generators are resumed around the body, so they have a loop of their own.
        if let Some(flow) = self.generated_loop(target, iterator, body)? {
            return Ok(flow);
        }
        loop {
            // One step for each iteration: an empty body would otherwise iterate without bound.
            self.step()?;
            match self.next_item(iterator)? {
                Step::Item(item) => self.assign(target, item, site)?,
                Step::End => return Ok(Some(Flow::Normal)),
                Step::Unknown => return Ok(None),
            }
            match self.block(body)? {
                Flow::Normal | Flow::Continue => {}
                flow => return Ok(Some(flow)),
            }
            self.forget_if_left(target, body)?;
        }
    }

    /// Forgets the names that a loop binds if an iteration may have ended early.
    pub(super) fn forget_if_left(
        &mut self,
        target: &'a ast::Expr,
        body: &'a [ast::Stmt],
    ) -> Eval<()> {
        match self.doubts.loops.last() {
            Some(true) => self.forget_names(target, body),
            _ => Ok(()),
        }
    }

    /// Makes every name that a loop binds unknown.
    fn forget_names(&mut self, target: &'a ast::Expr, body: &'a [ast::Stmt]) -> Eval<()> {
        let mut names = bound_in(body).into_iter().chain(names_of(target));
        names.try_for_each(|name| self.forget_name(name))
    }

    /// Evaluates the `else` of a loop that may have ended by `break`.
    fn perhaps_else(
        &mut self,
        body: &'a [ast::Stmt],
        target: &'a ast::Expr,
        orelse: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        self.forget_names(target, body)?;
        if orelse.is_empty() {
            return Ok(Flow::Normal);
        }
        let names = bound_in(orelse);
        let before = self.values_of(&names);
        let flow = self.in_region(|tracer| tracer.block(orelse))?;
        let after = (flow, self.values_of(&names));
        // Joined with the bindings before, as a `break` skips the `else`.
        self.joined(&names, vec![(Flow::Normal, before), after])
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
        // Only a plain name gives the counter its name.
        let name = match &target.kind {
            ExprKind::Name(name) => name.as_str(),
            _ => "",
        };
        let open = builder.open_loop(name, target.span, [start, stop, step]);
        let before = self.before_region(body);
        self.loop_kinds.push(LoopKind::Device);
        self.assign(target, Value::Var(open.counter()), site)?;
        let flow = self.block(body)?;
        self.loop_kinds.pop();
        self.note_exit(&flow, span);
        if self.compiled {
            self.after_region(before, span);
            self.after_loop(target);
        }
        self.builder().close_loop(open)?;
        Ok(after_device_block(flow))
    }

    /// Traces the body of a Python loop once, if its iterable or condition is unknown.
    pub fn unknown_loop(
        &mut self,
        target: &'a ast::Expr,
        body: &'a [ast::Stmt],
        orelse: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        self.assign(target, Value::Unknown, target.span)?;
        self.traced_once(body, orelse)
    }

    pub fn traced_once(
        &mut self,
        body: &'a [ast::Stmt],
        orelse: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        let names = bound_in(body);
        if !self.in_kernel() {
            return self.perhaps_once(&names, body, orelse);
        }
        // An iteration may read what another one has bound. Only plain values are dropped: device objects keep their
        // identity over iterations.
        let before = self.values_of(&names);
        for (name, _) in before.iter().filter(|(_, value)| value.is_plain()) {
            self.frame.set(name, Value::Unknown);
        }
        let flow = self.traced_once_with(body)?;
        let after = self.values_of(&names);
        self.merge(&names, &before, &after)?;
        Ok(flow)
    }

    /// Evaluates host code that may be executed any number of times, including never.
    fn perhaps_once(
        &mut self,
        names: &[&'a str],
        body: &'a [ast::Stmt],
        orelse: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        self.doubt();
        // Forgotten before and after: the body reads what earlier iterations bound, and the code after it reads what
        // any of them bound.
        names.iter().try_for_each(|name| self.forget_name(name))?;
        let changes = self.hidden.changes();
        self.doubts.loops.push(false);
        let flow = self.in_region(|tracer| tracer.block(body));
        self.doubts.loops.pop();
        let flow = flow?;
        names.iter().try_for_each(|name| self.forget_name(name))?;
        // `changes` counts how often the hidden objects became unknown.
        if self.hidden.changes() != changes {
            // The next trip may change what this one has bound.
            self.lose(&Value::Unknown)?;
        }
        match flow {
            Flow::Break | Flow::Continue | Flow::Normal => {}
            flow => {
                self.perhaps(flow);
            }
        }
        if orelse.is_empty() {
            return Ok(Flow::Normal);
        }
        let names = bound_in(orelse);
        let before = self.values_of(&names);
        let flow = self.in_region(|tracer| tracer.block(orelse))?;
        let after = (flow, self.values_of(&names));
        self.joined(&names, vec![(Flow::Normal, before), after])
    }

    fn traced_once_with(&mut self, body: &'a [ast::Stmt]) -> Eval<Flow<'a>> {
        let span = self.builder().statement;
        self.builder().open_device_block();
        let depth = self.doubts.depth();
        self.open_region();
        let flow = self.block(body)?;
        self.doubts.close(depth);
        let body = self.builder().close_device_block();
        self.builder().statement = span;
        // The body may be executed any number of times on the device, which the program says with a statement of its
        // own.
        self.emit(StmtKind::UnknownLoop { body })?;
        Ok(after_device_block(flow))
    }

    pub fn while_loop(
        &mut self,
        test: &'a ast::Expr,
        body: &'a [ast::Stmt],
        orelse: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        self.doubts.loops.push(false);
        let regions = self.doubts.depth();
        let flow = self.tested_loop(test, body);
        let is_left = self.doubts.loops.pop().unwrap_or(false);
        if is_left {
            self.doubts.close(regions);
        }
        match flow? {
            // A condition can bind a name by `:=`, so it is passed in the place of a target.
            Some(Flow::Normal | Flow::Continue) if is_left => self.perhaps_else(body, test, orelse),
            Some(Flow::Normal | Flow::Continue) => self.block(orelse),
            Some(Flow::Break) => Ok(Flow::Normal),
            Some(flow) => Ok(flow),
            None => {
                self.note_unknown(test.span, "this condition could not be evaluated");
                self.traced_once(body, orelse)
            }
        }
    }

    /// Evaluates the body of a loop while its condition holds; `None` if the condition is unknown.
    fn tested_loop(
        &mut self,
        test: &'a ast::Expr,
        body: &'a [ast::Stmt],
    ) -> Eval<Option<Flow<'a>>> {
        loop {
            self.step()?;
            let condition = self.eval(test)?;
            self.note_truth(test, &condition, "`while`");
            match self.condition(condition, test.span)?.truth() {
                None => return Ok(None),
                Some(false) => return Ok(Some(Flow::Normal)),
                Some(true) => match self.block(body)? {
                    Flow::Normal | Flow::Continue => {}
                    flow => return Ok(Some(flow)),
                },
            }
            self.forget_if_left(test, body)?;
        }
    }

    /// Traces into a block of its own. `header` is the statement that opens it, if it is certainly a device block.
    pub(super) fn nested(
        &mut self,
        header: Option<Span>,
        trace: impl FnOnce(&mut Self) -> Eval<Flow<'a>>,
    ) -> Eval<Vec<Stmt>> {
        self.builder().open_device_block();
        let flow = trace(self)?;
        if let Some(header) = header {
            self.note_exit(&flow, header);
        }
        Ok(self.builder().close_device_block())
    }

    /// Notes a statement that ended the tracing of a device block although it ends nothing on the device.
    pub(super) fn note_exit(&mut self, flow: &Flow<'a>, block: Span) {
        // An exception ends the trace itself, so there is nothing that the device would do differently.
        let exit = match flow {
            Flow::Normal | Flow::Raise => return,
            // The compiled dialect translates `break` and `continue`; they were emitted as statements.
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
        self.note(span, PythonNote::LoopExit { exit, block });
    }
}

/// Returns the flow after a device block: `break` and `continue` end only the tracing of that block, while `return`
/// ends the trace.
pub(super) fn after_device_block(flow: Flow) -> Flow {
    match flow {
        Flow::Return(value) => Flow::Return(value),
        _ => Flow::Normal,
    }
}

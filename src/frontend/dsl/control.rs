//! Loops: the device's are emitted, Python's are executed.

use super::branches::bound_in;
use super::dialects::ascriptor::control::LoopKind;
use super::statements::static_range;
use super::tracer::{Eval, Flow, Tracer};
use super::value::Value;
use crate::ir::{LoopExit, NoteKind, ScalarType, Stmt, StmtKind, VariableKind};
use crate::syntax::python::ast::{self, ExprKind};
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

    /// Traces into a block of its own; `header` is where it starts, if it is certainly a device
    /// block.
    pub(super) fn nested(
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
    pub(super) fn note_exit(&mut self, flow: &Flow<'a>, block: Span) {
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
}

/// `break`, `continue` and `return` inside device blocks end tracing of that block alone.
pub(super) fn after_device_block(flow: Flow) -> Flow {
    match flow {
        Flow::Return(value) => Flow::Return(value),
        _ => Flow::Normal,
    }
}

//! Control flow over device values, written with Python's own statements.

use super::super::super::facade::Builtin;
use super::super::super::scalars::PythonScalars;
use super::super::super::tracer::{Eval, Flow, Tracer};
use super::super::super::unknown::Emission;
use super::super::super::value::Value;
use a2lint_ir::{Branch, ScalarType, Stmt, StmtKind};
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::{self, ExprKind};

/// A loop that is being traced.
#[derive(Clone, Copy)]
pub enum LoopKind {
    /// A loop of the device.
    Device,
    /// A loop that Python unrolls, with the depth of device blocks around it.
    Unrolled(u32),
}

impl<'a> Tracer<'a> {
    /// Returns the range of a device loop if `iter` is a call of Python's `range`; `None` for any other iterable.
    pub fn compiled_range(&mut self, iter: &'a ast::Expr) -> Eval<Option<Value<'a>>> {
        let ExprKind::Call {
            func,
            args,
            keywords,
        } = &iter.kind
        else {
            return Ok(None);
        };
        let is_name = matches!(func.kind, ExprKind::Name(_) | ExprKind::Attribute { .. });
        if !is_name {
            return Ok(None);
        }
        // The callee is evaluated, as `range` may have another name or be shadowed.
        let Value::Builtin(Builtin::Native(native)) = self.eval(func)? else {
            return Ok(None);
        };
        if !native.is_range() {
            return Ok(None);
        }
        let arguments = self.arguments(args, keywords)?;
        if let Some((_, _, span)) = arguments.keywords.first() {
            let span = *span;
            self.raise(span, "E0201", "range() takes no keywords");
        }
        Ok(Some(self.device_range(&arguments, iter.span)))
    }

    /// Evaluates `break` and `continue`: they leave a device loop on the device, and an unrolled one at trace time.
    pub fn compiled_exit(&mut self, exit: Flow<'a>) -> Eval<Flow<'a>> {
        let depth = self.builder().device_depth();
        match self.loop_kinds.last().copied() {
            // Inside of a deeper device block, whether the statement is executed is decided on the device, too late
            // for an unrolled loop.
            Some(LoopKind::Unrolled(outer)) if depth > outer => {
                let span = self.builder().statement;
                let message = "an unrolled loop cannot be left where the device decides";
                self.raise(span, "E0120", message);
                Ok(Flow::Normal)
            }
            Some(LoopKind::Unrolled(_)) | None => Ok(exit),
            Some(LoopKind::Device) => {
                self.emit(match exit {
                    Flow::Continue => StmtKind::Continue,
                    _ => StmtKind::Break,
                })?;
                Ok(exit)
            }
        }
    }

    /// Evaluates `a if c else b` with a device condition.
    pub fn compiled_choice(
        &mut self,
        condition: &Value<'a>,
        test: Span,
        (body, orelse): (&'a ast::Expr, &'a ast::Expr),
    ) -> Eval<Value<'a>> {
        let span = self.builder().statement;
        // The arms are emitted into blocks of their own, so that only the chosen one is executed.
        let (one, taken) = self.arm(body)?;
        let (other, otherwise) = self.arm(orelse)?;
        if !one.is_scalar() || !other.is_scalar() {
            let what = || "what this chooses from is not known".to_owned();
            self.unknown_code(
                body.span.to(orelse.span),
                what,
                [&one, &other],
                Emission::None,
            )?;
            return Ok(Value::Unknown);
        }
        let builder = self.builder();
        let condition = builder.scalar(condition);
        let (a, b) = (builder.scalar(&one), builder.scalar(&other));
        let types = [a, b].map(|id| builder.program.scalars.type_of(id));
        let of = match types {
            // Both unknown: the variable still needs a type.
            [None, None] => ScalarType::INT,
            [a, b] => ScalarType::common(a, b),
        };
        let chosen = builder.declare_unassigned("", of, span);
        let mut store = |before, value| -> Eval<Vec<Stmt>> {
            let builder = self.builder();
            builder.open_block();
            builder.extend(before);
            builder.assign(chosen, value)?;
            Ok(builder.close_block())
        };
        let (taken, otherwise) = (store(taken, a)?, store(otherwise, b)?);
        let taken = Branch {
            condition,
            condition_span: test,
            body: taken,
        };
        self.builder().branch(taken, otherwise)?;
        // No statement updates it again, so it is a value, not a cell.
        let value = self.builder().read(chosen);
        self.temporary(value, of)
    }

    /// Evaluates one arm of a choice; returns its value and the statements that it emits.
    fn arm(&mut self, expr: &'a ast::Expr) -> Eval<(Value<'a>, Vec<Stmt>)> {
        self.builder().open_device_block();
        let value = self.eval(expr);
        let block = self.builder().close_device_block();
        // The block is closed before an error is returned.
        Ok((value?, block))
    }
}

//! Statements that enclose a block: `with`.

use super::scalars::PythonScalars;
use super::tracer::{Eval, Flow, Tracer};
use super::value::{Context, Value};
use a2lint_ir::build::{Region, Reopened};
use a2lint_ir::{Branch, Stmt};
use a2lint_source::text::Span;
use a2lint_syntax::python::ast;

impl<'a> Tracer<'a> {
    pub fn with(
        &mut self,
        items: &'a [(ast::Expr, Option<ast::Expr>)],
        body: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        let Some(((expr, target), rest)) = items.split_first() else {
            return self.block(body);
        };
        // Context managers are entered from left to right, each around the rest of the items: `with a, b:` nests.
        let value = self.eval(expr)?;
        if let Value::Managed(managed) = &value {
            return self.with_managed(managed, (target.as_ref(), rest), body, expr.span);
        }
        if let Value::Instance(_) = &value {
            return self.with_instance(&value, (target.as_ref(), rest), body, expr.span);
        }
        // `contextlib.suppress` is a `try` with an empty handler; in a kernel exceptions are not followed, so only
        // host code needs it.
        if let (Value::Suppressed(classes), false) = (&value, self.in_kernel()) {
            let classes = classes.clone();
            if let Some(target) = target {
                self.assign(target, Value::None, expr.span)?;
            }
            return self.with_suppressed(&Value::Tuple(classes), rest, body);
        }
        // What `__enter__` returns is unknown for any other manager.
        if let Some(target) = target {
            self.assign(target, Value::Unknown, expr.span)?;
        }
        // A manager that cannot be followed may suppress exceptions, so the block may end early.
        if !self.in_kernel() && !matches!(value, Value::Context(_) | Value::Inert) {
            return self.with_unknown(rest, body);
        }
        match (&value, self.in_kernel()) {
            (Value::Context(context), true) => {
                let context = context.clone();
                self.with_context(&context, rest, body)
            }
            // A name that is not defined may be any context of the DSL. Assuming `auto_sync` avoids reports of races
            // that it would order.
            _ if self.is_undefined(expr) => self.with_context(&Context::AutoSync, rest, body),
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
        // Restored afterwards rather than cleared: the block may itself be inside of an atomic block.
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
        // Branch contexts reopen the preceding `If` before the body is traced: the body must not see it as finished.
        if let Context::If(..) | Context::Elif(..) | Context::Else = context {
            let reopened = match context {
                Context::If(..) => None,
                _ => self.builder().reopen_branch(),
            };
            // The body is traced before its statement is added, so the statement must be set back to the `with`
            // itself.
            let body = self.nested(Some(span), |tracer| tracer.with(rest, body))?;
            self.builder().statement = span;
            return self.branch_context(context, reopened, body);
        }
        self.builder().open_block();
        let before = self.before_region(body);
        let flow = self.with(rest, body)?;
        let body = self.builder().close_block();
        self.builder().statement = span;
        if self.compiled {
            self.after_region(before, span);
        }
        let region = match context {
            Context::Scope(side) => Region::Scope(*side),
            Context::Atomic(kind) => Region::Atomic(*kind),
            Context::AutoSync => Region::AutoSync,
            Context::If(..) | Context::Elif(..) | Context::Else => unreachable!("handled above"),
        };
        self.builder().region(region, body)?;
        Ok(flow)
    }

    fn branch_context(
        &mut self,
        context: &Context<'a>,
        reopened: Option<Reopened>,
        body: Vec<Stmt>,
    ) -> Eval<Flow<'a>> {
        if let Context::If(condition, condition_span) = context {
            let arm = self.arm_of(condition, *condition_span, body);
            self.builder().branch(arm, Vec::new())?;
            return Ok(Flow::Normal);
        }
        // Without a preceding `If` in this block, the DSL raises when the kernel is traced.
        let Some(reopened) = reopened else {
            let span = self.builder().statement;
            self.raise(span, "RuntimeError", "Elif and Else must follow If or Elif");
            return Ok(Flow::Normal);
        };
        match context {
            Context::Elif(condition, span) => {
                let arm = self.arm_of(condition, *span, body);
                self.builder().add_arm(reopened, arm);
            }
            _ => self.builder().add_otherwise(reopened, body),
        }
        Ok(Flow::Normal)
    }

    fn arm_of(&mut self, condition: &Value<'a>, condition_span: Span, body: Vec<Stmt>) -> Branch {
        Branch {
            condition: self.builder().scalar(condition),
            condition_span,
            body,
        }
    }
}

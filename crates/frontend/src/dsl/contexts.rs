//! Blocks that stand in something: `with`, `try`.

use super::tracer::{Eval, Flow, Tracer};
use super::value::{Context, Value};
use a2lint_ir::{Branch, Stmt, StmtKind};
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
        let value = self.eval(expr)?;
        if let Value::Managed(managed) = &value {
            return self.with_managed(managed, (target.as_ref(), rest), body, expr.span);
        }
        if let Value::Instance(_) = &value {
            return self.with_instance(&value, (target.as_ref(), rest), body, expr.span);
        }
        if let (Value::Suppressed(classes), false) = (&value, self.in_kernel()) {
            let classes = classes.clone();
            if let Some(target) = target {
                self.assign(target, Value::None, expr.span)?;
            }
            return self.with_suppressed(&Value::Tuple(classes), rest, body);
        }
        if let Some(target) = target {
            self.assign(target, Value::Unknown, expr.span)?;
        }
        if !self.in_kernel() && !matches!(value, Value::Context(_) | Value::Inert) {
            return self.with_unknown(rest, body);
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

//! Paths that are followed apart: a tensor that a condition chooses among several memories.
//!
//! After a branch that leaves an object of the library in states which no variables of the program hold, the statements
//! that follow in the block are evaluated in both arms. There the condition is known, so that later branches on it are
//! none.

use a2lint_ir::ScalarId;

use super::Eval;
use super::exits::Flow;
use super::frame::inner_path;
use super::values::{IntValue, Value};
use crate::library::Evaluated;
use crate::syntax::ast::{Expr, ExprKind, Init, Stmt, StmtKind};

/// Maximum number of conditions by which the statements of a kernel are followed apart at one place.
const MAX_SPLITS: usize = 3;

/// What is known of conditions where statements are followed apart.
#[derive(Debug, Default)]
pub(crate) struct Splits {
    /// Conditions with their truth, and their negations.
    assumed: Vec<(ScalarId, bool)>,
    /// The number of conditions.
    depth: usize,
    /// Whether the last branch left an object in states that nothing can hold.
    pub is_torn: bool,
}

impl<'u> Eval<'u> {
    /// Returns the condition by which the statements after a statement may be followed apart.
    pub(super) fn splitter(&self, stmt: &'u Stmt, rest: &'u [Stmt]) -> Option<&'u Expr> {
        if rest.is_empty() || self.splits.depth >= MAX_SPLITS || self.is_typing {
            return None;
        }
        match &stmt.kind {
            StmtKind::If(branch) if !branch.is_constexpr && branch.init.is_none() => {
                branch.condition.as_ref()
            }
            StmtKind::Variables(variables) => match &variables[..] {
                [only] if !only.is_static => match &only.init {
                    Init::Assign(value) => condition_of(value),
                    _ => None,
                },
                _ => None,
            },
            StmtKind::Expr(expr) => match &expr.kind {
                ExprKind::Assign(_, None, value) => condition_of(value),
                _ => None,
            },
            _ => None,
        }
    }

    /// Evaluates statements, the first of which leaves an object in states that nothing can hold, once where a
    /// condition holds and once where it does not. Returns `None` if the condition has effects or is known.
    pub(super) fn followed_apart(
        &mut self,
        list: &'u [Stmt],
        condition: &'u Expr,
    ) -> Evaluated<Option<Flow>> {
        let span = condition.span;
        let value = self.pure_value(|eval| {
            let operand = eval.expr(condition)?;
            eval.condition_of(operand, span)
        })?;
        let (Some(Value::Int(_, IntValue::Scalar(scalar))), Some(first)) = (value, list.first())
        else {
            return Ok(None);
        };
        let key = self.statement_key(first.id, 6);
        let negated = self.negated(scalar);
        let path = self.path;
        self.splits.depth += 1;
        let flow = self.two_arms(key, (scalar, span), |eval, is_then| {
            let known = eval.splits.assumed.len();
            let assumed = [(scalar, is_then), (negated, !is_then)];
            eval.splits.assumed.extend(assumed);
            eval.path = inner_path(path, (first.span.start, usize::from(is_then)));
            let flow = eval.nested(|eval| eval.scoped(list));
            eval.path = path;
            eval.splits.assumed.truncate(known);
            flow
        });
        self.splits.depth -= 1;
        self.splits.is_torn = false;
        flow.map(Some)
    }

    /// Returns the value of a condition where statements are followed apart by it.
    pub(super) fn with_assumptions(&self, value: Value) -> Value {
        let Value::Int(_, IntValue::Scalar(id)) = value else {
            return value;
        };
        let mut assumed = self.splits.assumed.iter();
        match assumed.find(|(known, _)| *known == id) {
            Some((_, truth)) => Value::bool(*truth),
            None => value,
        }
    }
}

/// Returns the condition of `c ? a : b`.
fn condition_of(value: &Expr) -> Option<&Expr> {
    match &value.kind {
        ExprKind::Conditional(parts) => parts.first(),
        _ => None,
    }
}

//! Folds over packs.

use a2lint_source::text::Span;

use super::Eval;
use super::branches::known_truth;
use super::exits::Flow;
use super::types::IntType;
use super::values::{Operand, Value};
use super::visit::names_in_expr;
use crate::library::Evaluated;
use crate::syntax::ast::{BinaryOp, Expr, FoldOp};

impl<'u> Eval<'u> {
    /// Evaluates a fold over a pack, as `(... op pack)`.
    pub(super) fn fold(
        &mut self,
        expr: &'u Expr,
        op: FoldOp,
        pack: &'u Expr,
        init: Option<&'u Expr>,
        is_left: bool,
    ) -> Evaluated<Operand> {
        let span = expr.span;
        let mut names = Vec::new();
        names_in_expr(pack, &mut |name| names.push(name.clone()));
        let Some(length) = self.pack_length_of(&names)? else {
            return Ok(self.unknown(span, "this pack is not known"));
        };
        match op {
            FoldOp::Binary(op @ (BinaryOp::And | BinaryOp::Or)) => {
                let mut result = Value::bool(op == BinaryOp::And);
                let first = init.filter(|_| is_left);
                let last = init.filter(|_| !is_left);
                if let Some(first) = first {
                    result = self.fold_logical(op, result, |eval| eval.expr(first), span)?;
                }
                for at in 0..length {
                    result = self.fold_logical(
                        op,
                        result,
                        |eval| eval.at_pack_index(at, |eval| eval.expr(pack)),
                        span,
                    )?;
                }
                if let Some(last) = last {
                    result = self.fold_logical(op, result, |eval| eval.expr(last), span)?;
                }
                Ok(Operand::value(IntType::Bool, result, span))
            }
            FoldOp::Comma => {
                let mut result = Operand::void(span);
                if let Some(init) = init.filter(|_| is_left) {
                    result = self.expr(init)?;
                }
                for at in 0..length {
                    result = self.at_pack_index(at, |eval| eval.expr(pack))?;
                }
                if let Some(init) = init.filter(|_| !is_left) {
                    result = self.expr(init)?;
                }
                Ok(result)
            }
            FoldOp::Binary(op) => {
                let mut items = Vec::new();
                if let Some(init) = init.filter(|_| is_left) {
                    items.push(self.expr(init)?);
                }
                for at in 0..length {
                    items.push(self.at_pack_index(at, |eval| eval.expr(pack))?);
                }
                if let Some(init) = init.filter(|_| !is_left) {
                    items.push(self.expr(init)?);
                }
                if !is_left {
                    items.reverse();
                }
                let mut items = items.into_iter();
                let Some(mut result) = items.next() else {
                    return Ok(self.unknown(span, "this pack is empty"));
                };
                for item in items {
                    let (a, b) = if is_left {
                        (result, item)
                    } else {
                        (item, result)
                    };
                    result = self.binary(op, a, b, span)?;
                }
                Ok(result)
            }
            FoldOp::Other => {
                for at in 0..length {
                    self.at_pack_index(at, |eval| eval.expr(pack))?;
                }
                Ok(self.unknown(span, "this fold is not understood"))
            }
        }
    }

    pub(super) fn fold_logical(
        &mut self,
        op: BinaryOp,
        so_far: Value,
        mut next: impl FnMut(&mut Self) -> Evaluated<Operand>,
        span: Span,
    ) -> Evaluated<Value> {
        let is_and = op == BinaryOp::And;
        match known_truth(&so_far) {
            Some(truth) if truth != is_and => return Ok(so_far),
            Some(_) => {
                let item = next(self)?;
                return self.condition_of(item, span);
            }
            None => {}
        }
        let first = self.number_scalar(&so_far);
        let result = self.temporary(&IntType::Bool.into())?;
        self.memory.set(result, Value::bool(!is_and), false);
        let key = (
            span.start,
            12,
            self.path.wrapping_add(self.pack_index.unwrap_or(0) as u64),
        );
        self.two_arms(key, (first, span), |eval, is_then| {
            if is_then == is_and {
                let item = next(eval)?;
                let value = eval.condition_of(item, span)?;
                eval.store_cell(result, value)?;
            }
            Ok(Flow::Normal)
        })?;
        self.load_cell(result)
    }
}

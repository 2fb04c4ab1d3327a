//! Whether a launch with work reaches a statement.

use crate::Facts;
use a2lint_ir::{BinaryOp, Scalar, ScalarId, Scalars, Stmt, StmtId, StmtKind, UnaryOp};

/// Returns the innermost loop around a statement that may have no iteration although the kernel has work: one over the
/// tiles after the first, `for (i = 1; i < tiles; i++)` or `for (i = 0; i < tiles - 1; i++)`.
pub(crate) fn later_rounds<'f>(facts: &Facts<'f>, id: StmtId) -> Option<&'f Stmt> {
    let scalars = &facts.program.scalars;
    facts.program.ancestors(id).find(|stmt| {
        let StmtKind::Loop { start, stop, .. } = stmt.kind else {
            return false;
        };
        let starts_late = scalars.as_int(start).is_some_and(|start| start > 0);
        scalars.as_int(stop).is_none() && (starts_late || is_less_some(scalars, stop))
    })
}

/// Returns whether a number is another one less a positive constant.
fn is_less_some(scalars: &Scalars, id: ScalarId) -> bool {
    match scalars.get(id) {
        Scalar::Unary(UnaryOp::Convert, of) => is_less_some(scalars, of),
        Scalar::Binary(BinaryOp::Sub, _, less) => scalars.as_int(less).is_some_and(|it| it > 0),
        Scalar::Binary(BinaryOp::Add, a, b) => [a, b]
            .iter()
            .any(|&it| scalars.as_int(it).is_some_and(|it| it < 0)),
        _ => false,
    }
}

/// Returns the innermost branch around a statement.
pub(crate) fn branch<'f>(facts: &Facts<'f>, id: StmtId) -> Option<&'f Stmt> {
    let mut around = facts.program.ancestors(id);
    around.find(|stmt| matches!(stmt.kind, StmtKind::If { .. }))
}

//! Loops that leave the rest of a division out.

use a2lint_ir::{
    BinaryOp, GlobalId, Program, Scalar, ScalarId, Stmt, StmtId, StmtKind, UnaryOp, View,
};
use a2lint_source::text::Span;

/// Returns the place of the division whose rest these stores leave out: each is in a loop that a quotient limits, and
/// no other store takes what is left. `None` if there is none.
pub(crate) fn dropped(program: &Program, stores: &[&Stmt]) -> Option<Span> {
    let mut places = stores.iter().map(|store| {
        let mut loops = Vec::new();
        loops_around(&program.body, store.id, &mut loops);
        loops.iter().rev().find_map(|it| quotient(program, it))
    });
    let first = places.next()??;
    places.all(|place| place.is_some()).then_some(first)
}

/// Returns the stores to a tensor.
pub(crate) fn stores(program: &Program, global: GlobalId) -> Vec<&Stmt> {
    let is_it = |view: &View| view.global().is_some_and(|view| view.global == global);
    let all = program.instructions().into_iter();
    let stores = all.filter(|(_, instr)| {
        let mut operands = instr.operands();
        operands.any(|(_, operand, view)| operand.access.writes() && is_it(view))
    });
    stores.map(|(stmt, _)| stmt).collect()
}

/// Finds the loops around a statement, outermost first; returns whether the statement is in these.
pub(crate) fn loops_around<'a>(
    body: &'a [Stmt],
    wanted: StmtId,
    loops: &mut Vec<&'a Stmt>,
) -> bool {
    body.iter().any(|stmt| {
        if stmt.id == wanted {
            return true;
        }
        let is_loop = matches!(stmt.kind, StmtKind::Loop { .. });
        if is_loop {
            loops.push(stmt);
        }
        let mut blocks = stmt.kind.blocks();
        let is_inside = blocks.any(|block| loops_around(block, wanted, loops));
        if is_loop && !is_inside {
            loops.pop();
        }
        is_inside
    })
}

/// Returns the place of the quotient that limits a loop and is rounded down: of the variable that holds it, or of the
/// loop.
fn quotient(program: &Program, stmt: &Stmt) -> Option<Span> {
    let StmtKind::Loop { stop, .. } = &stmt.kind else {
        return None;
    };
    let is_quotient = |id: ScalarId| holds_quotient(program, id);
    if is_quotient(*stop) {
        return Some(stmt.span);
    }
    let Scalar::Variable(variable) = program.scalars.get(*stop) else {
        return None;
    };
    let mut place = None;
    program.walk(&mut |stmt| {
        if let StmtKind::Assign {
            variable: assigned,
            value,
        } = &stmt.kind
            && *assigned == variable
            && is_quotient(*value)
        {
            place = Some(stmt.span);
        }
    });
    place
}

/// Returns whether an expression contains a quotient that is rounded down and does not round up by itself, as
/// `(a + b - 1) / b` does.
fn holds_quotient(program: &Program, id: ScalarId) -> bool {
    match program.scalars.get(id) {
        Scalar::Binary(BinaryOp::Div | BinaryOp::FloorDiv, dividend, _) => {
            let rounds_up = matches!(
                program.scalars.get(dividend),
                Scalar::Binary(BinaryOp::Add | BinaryOp::Sub, ..)
            );
            !rounds_up
        }
        Scalar::Binary(BinaryOp::Min | BinaryOp::Max | BinaryOp::Mul | BinaryOp::Add, a, b) => {
            holds_quotient(program, a) || holds_quotient(program, b)
        }
        Scalar::Unary(UnaryOp::Convert, a) => holds_quotient(program, a),
        _ => false,
    }
}

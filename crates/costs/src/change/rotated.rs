//! Rotates loops, so that each lane starts at another iteration.

use a2lint_ir::{
    BinaryOp, Program, Scalar, ScalarId, Scalars, SpecialScalar, Stmt, StmtId, StmtKind, Variable,
    VariableId, VariableKind,
};
use a2lint_isa::Side;

/// Returns the program in which each lane starts a loop at the iteration of its own index and wraps around.
/// `None` if the statement is no loop with a counter.
pub fn rotated(program: &Program, within: StmtId) -> Option<Program> {
    let mut program = program.clone();
    let step = counter(&mut program);
    let assigned = StmtId(program.stmt_count);
    program.stmt_count += 1;
    let stmt = program.body.statement_mut(within)?;
    let before = rotate(&mut program.scalars, stmt, step, assigned)?;
    let before = &mut program.variables[before.index()];
    before.kind = VariableKind::Declared;
    before.assignments += 1;
    Some(program)
}

/// Adds a variable for the counter of the new loop.
fn counter(program: &mut Program) -> VariableId {
    let id = VariableId(program.variables.len() as u32);
    program.variables.push(Variable {
        name: String::new().into(),
        dtype: Some(a2lint_isa::DType::Int),
        kind: VariableKind::Loop,
        span: program.name_span,
        copy_of: None,
        assignments: 0,
        folded: None,
    });
    id
}

/// Rotates a loop and returns its old counter, which is now computed in each iteration.
fn rotate(
    scalars: &mut Scalars,
    stmt: &mut Stmt,
    counter: VariableId,
    assigned: StmtId,
) -> Option<VariableId> {
    let lane = scalars.intern(Scalar::Special(lane_number(stmt)));
    let StmtKind::Loop {
        variable,
        start,
        stop,
        step,
        body,
    } = &mut stmt.kind
    else {
        return None;
    };
    let count = iterations(scalars, [*start, *stop, *step]);
    let here = scalars.intern(Scalar::Variable(counter));
    let shifted = scalars.binary(BinaryOp::Add, here, lane);
    let around = scalars.binary(BinaryOp::Mod, shifted, count);
    let passed = scalars.binary(BinaryOp::Mul, around, *step);
    let value = scalars.binary(BinaryOp::Add, *start, passed);
    let before = std::mem::replace(variable, counter);
    let kind = StmtKind::Assign {
        variable: before,
        value,
    };
    body.insert(
        0,
        Stmt {
            id: assigned,
            span: stmt.span,
            origin: stmt.origin,
            kind,
        },
    );
    (*start, *stop, *step) = (scalars.int(0), count, scalars.int(1));
    Some(before)
}

/// Returns the trip count of a loop that counts upwards.
fn iterations(scalars: &mut Scalars, [start, stop, step]: [ScalarId; 3]) -> ScalarId {
    let distance = scalars.binary(BinaryOp::Sub, stop, start);
    scalars.binary(BinaryOp::CeilDiv, distance, step)
}

/// Returns the index of a lane among those that execute a loop. If the cube takes part, both sides use the index
/// of the core, because they may pass data to each other.
fn lane_number(around: &Stmt) -> SpecialScalar {
    let mut is_for_vec = true;
    around.walk(&mut |stmt| {
        if let StmtKind::Instr(instr) = &stmt.kind {
            is_for_vec &= instr.row().unit.side() != Side::Cube;
        }
    });
    match is_for_vec {
        true => SpecialScalar::VecIdx,
        false => SpecialScalar::CubeIdx,
    }
}

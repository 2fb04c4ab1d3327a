//! Removes assignments that nothing reads.

use crate::{
    ArgValue, Instr, Mentions, Program, ScalarId, Stmt, StmtKind, VariableId, VariableKind,
};

/// A removed assignment.
type Dropped = (VariableId, ScalarId);

/// Removes assignments to variables that nothing reads, until none is left, and returns them. Assignments to
/// parameters are kept.
pub(super) fn remove_unread(program: &Program, body: &mut Vec<Stmt>) -> Vec<Dropped> {
    let mut dropped = Vec::new();
    loop {
        let mut read = Mentions::new(program);
        for stmt in body.iter() {
            stmt.walk(&mut |stmt| reads(stmt, &mut read));
        }
        for buffer in &program.buffers {
            read.scalars(buffer.shape);
        }
        for global in &program.globals {
            read.scalars(global.shape.iter().copied());
        }
        if !prune(program, body, &read, &mut dropped) {
            return dropped;
        }
    }
}

/// Adds the variables that a statement itself reads.
fn reads(stmt: &Stmt, read: &mut Mentions) {
    match &stmt.kind {
        StmtKind::Assign { value, .. } => read.scalar(*value),
        StmtKind::Loop {
            start, stop, step, ..
        } => read.scalars([*start, *stop, *step]),
        StmtKind::If { arms, .. } => read.scalars(arms.iter().map(|arm| arm.condition)),
        StmtKind::Havoc(views) => {
            for view in views {
                read.view(view);
            }
        }
        StmtKind::Instr(instr) => arguments(instr, read),
        _ => {}
    }
}

fn arguments(instr: &Instr, read: &mut Mentions) {
    for arg in &instr.args {
        match &arg.value {
            ArgValue::Scalar(id) => read.scalar(*id),
            ArgValue::View(view) => read.view(view),
            _ => {}
        }
    }
    // The receiver of `SetValueTo` is read. That of `GetValueFrom` is only written; to count it as read
    // merely keeps its assignments.
    if let Some(variable) = instr.variable() {
        read.variable(variable);
    }
}

/// Removes assignments from a block and the blocks in it; returns whether there were any.
fn prune(
    program: &Program,
    block: &mut Vec<Stmt>,
    read: &Mentions,
    dropped: &mut Vec<Dropped>,
) -> bool {
    let before = block.len();
    block.retain(|stmt| match stmt.kind {
        StmtKind::Assign { variable, value } => {
            let stays =
                read.has(variable) || program.variable(variable).kind == VariableKind::Param;
            if !stays {
                dropped.push((variable, value));
            }
            stays
        }
        _ => true,
    });
    let mut pruned = block.len() != before;
    for stmt in block {
        match &mut stmt.kind {
            StmtKind::Loop { body, .. }
            | StmtKind::UnknownLoop { body }
            | StmtKind::AutoSync { body, .. }
            | StmtKind::Scope { body, .. }
            | StmtKind::Atomic { body, .. } => pruned |= prune(program, body, read, dropped),
            StmtKind::If { arms, otherwise } => {
                for arm in arms {
                    pruned |= prune(program, &mut arm.body, read, dropped);
                }
                pruned |= prune(program, otherwise, read, dropped);
            }
            _ => {}
        }
    }
    pruned
}

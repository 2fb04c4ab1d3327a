//! Removes assignments that nothing reads.

use crate::{Mentions, Program, ScalarId, Stmt, StmtKind, VariableId, VariableKind};

/// A removed assignment.
type Dropped = (VariableId, ScalarId);

/// Removes assignments to variables that nothing reads, until none is left, and returns them. Assignments to
/// parameters and checks of indices are kept.
pub(super) fn remove_unread(program: &Program, body: &mut Vec<Stmt>) -> Vec<Dropped> {
    let mut dropped = Vec::new();
    loop {
        let read = Mentions::of(program, body);
        if !prune(program, body, &read, &mut dropped) {
            return dropped;
        }
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
            // An index is checked even if all elements are alike.
            let stays = program.scalars.is_check(value)
                || read.has(variable)
                || program.variable(variable).kind == VariableKind::Param;
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

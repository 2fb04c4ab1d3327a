//! No two lanes store the same element of an output, other than atomically.

use rustc_hash::FxHashSet;

use super::{Proof, Subject};
use crate::analysis::{Answers, Apart, Meeting, Places, Relation, weakest};
use crate::ir::{GlobalId, GlobalKind, StmtId, VariableId, View};
use crate::isa::Side;
use crate::sync::side_of;

/// A store to an output.
struct Store {
    stmt: StmtId,
    operand: usize,
    global: GlobalId,
    side: Side,
    is_atomic: bool,
}

/// Proves it: any two stores of different lanes are apart.
pub(super) fn prove(subject: &Subject) -> Proof {
    let stores = stores(subject);
    let answers = Answers::new(subject.program);
    let (meeting, under) = weakest(subject.program, |positive| {
        let meeting = meeting(subject, &stores, positive, &answers);
        (meeting.is_none(), meeting)
    });
    match meeting {
        Some((at, name)) => {
            let because = format!("two lanes may store the same part of `{name}`");
            Proof::open_at(because, subject.span(at))
        }
        None => Proof::holds_under(subject.program, &under),
    }
}

fn stores(subject: &Subject) -> Vec<Store> {
    let program = subject.program;
    let mut found = Vec::new();
    for (stmt, instr) in program.instructions() {
        for (operand, described, view) in instr.operands() {
            let Some(view) = View::global(view).filter(|_| described.access.writes()) else {
                continue;
            };
            if program.global(view.global).kind == GlobalKind::Param {
                found.push(Store {
                    stmt: stmt.id,
                    operand,
                    global: view.global,
                    side: side_of(program, instr),
                    is_atomic: subject.structure.around(stmt.id).is_atomic,
                });
            }
        }
    }
    found
}

/// A store that may meet another one, and the name of the output.
fn meeting(
    subject: &Subject,
    stores: &[Store],
    positive: &[VariableId],
    answers: &Answers<Meeting>,
) -> Option<(StmtId, String)> {
    let program = subject.program;
    let wanted: FxHashSet<StmtId> = stores.iter().map(|store| store.stmt).collect();
    let places = Places::of(
        program,
        subject.analysis,
        subject.structure,
        positive,
        &wanted,
    );
    let apart = Apart::new(&places);
    for (at, a) in stores.iter().enumerate() {
        for b in &stores[..=at] {
            if a.global != b.global || a.is_atomic && b.is_atomic {
                continue;
            }
            let are_apart = |relation| {
                let meeting = ((a.stmt, a.operand), (b.stmt, b.operand), relation);
                answers.ask(meeting, positive, || apart.are_apart(meeting))
            };
            let is_one_side = a.side == b.side && a.side != Side::Both;
            let holds = is_one_side
                && are_apart(Relation::Cores(a.side, b.side))
                && (a.side == Side::Cube || are_apart(Relation::SubBlocks));
            if !holds {
                return Some((a.stmt, program.global(a.global).name.to_string()));
            }
        }
    }
    None
}

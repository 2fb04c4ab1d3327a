//! No two lanes store the same element of an output, other than atomically, and every element of one is stored.
//!
//! The second half is about tensors that are meant to be stored whole: those that nothing loads, adds to or hands in.

use rustc_hash::FxHashSet;

use super::coverage::{self, Covered};
use super::{Assumption, Proof, Subject};
use crate::analysis::{Answers, Apart, Meeting, Places, Relation, weakest};
use crate::ir::{GlobalId, GlobalKind, Program, StmtId, VariableId, View};
use crate::isa::Side;
use crate::sync::side_of;

/// A store to an output.
pub(super) struct Store {
    pub stmt: StmtId,
    pub operand: usize,
    pub global: GlobalId,
    pub side: Side,
    pub is_atomic: bool,
}

/// Proves it: any two stores of different lanes are apart.
pub(super) fn prove(subject: &Subject) -> Proof {
    let stores = stores(subject);
    let answers = Answers::new(subject.program);
    let (outcome, under) = weakest(subject.program, |positive| {
        let outcome = attempt(subject, &stores, positive, &answers);
        (outcome.is_ok(), outcome)
    });
    match outcome {
        Err(Gap::Meeting(at, name)) => {
            let parts = format!("that different lanes store different parts of `{name}`");
            let because = match has_one_lane(subject.program) {
                true => {
                    format!("not shown for launches with more lanes than `block_dim=1`: {parts}")
                }
                false => format!("not shown: {parts}"),
            };
            Proof::open_at(because, subject.span(at))
        }
        Err(Gap::Hole(global)) => {
            let global = subject.program.global(global);
            let because = format!(
                "not shown: that every element of `{}` is stored",
                global.name
            );
            Proof::open_at(because, Some(global.span))
        }
        Ok(Held { covered, sums }) => {
            let Covered { seen, asked } = covered;
            let mut proof = Proof::holds_under(subject.program, &under);
            if let Proof::Holds { under, assuming } = &mut proof {
                under.extend(asked);
                assuming.extend(seen);
                let sums = sums.into_iter().map(|id| {
                    let name = &subject.program.global(id).name;
                    Assumption::other(format!("lanes add different data to `{name}`"))
                });
                assuming.extend(sums);
            }
            proof
        }
    }
}

/// Whether the kernel runs on one lane, unless a launch says otherwise.
fn has_one_lane(program: &Program) -> bool {
    let is_lane = program.counts_vec_cores() || program.cube_only;
    is_lane && program.block_dim == Some(1)
}

/// Why it does not hold, as far as is known.
enum Gap {
    /// A store that may meet another one, and the name of the output.
    Meeting(StmtId, String),
    /// An output with elements that may not be stored.
    Hole(GlobalId),
}

/// What it holds by.
struct Held {
    covered: Covered,
    /// Outputs that lanes add to in common.
    sums: Vec<GlobalId>,
}

fn attempt(
    subject: &Subject,
    stores: &[Store],
    positive: &[VariableId],
    answers: &Answers<Meeting>,
) -> Result<Held, Gap> {
    let wanted: FxHashSet<StmtId> = stores.iter().map(|store| store.stmt).collect();
    let (program, structure) = (subject.program, subject.structure);
    let places = Places::of(program, subject.analysis, structure, positive, &wanted);
    let apart = Apart::new(&places);
    let sums = meeting(subject, stores, positive, answers, &apart)?;
    let covered = coverage::covered(subject, stores, &places).map_err(Gap::Hole)?;
    Ok(Held { covered, sums })
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

/// The outputs that lanes add to in common, where no two lanes store the same of one otherwise.
fn meeting(
    subject: &Subject,
    stores: &[Store],
    positive: &[VariableId],
    answers: &Answers<Meeting>,
    apart: &Apart,
) -> Result<Vec<GlobalId>, Gap> {
    let mut sums = Vec::new();
    for (at, a) in stores.iter().enumerate() {
        for b in &stores[..=at] {
            let are_sums = a.is_atomic && b.is_atomic;
            if a.global != b.global || are_sums && sums.contains(&a.global) {
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
            match (holds, are_sums) {
                (true, _) => {}
                (false, true) => sums.push(a.global),
                (false, false) => {
                    let name = subject.program.global(a.global).name.to_string();
                    return Err(Gap::Meeting(a.stmt, name));
                }
            }
        }
    }
    Ok(sums)
}

//! Mutants of synchronisation, and the errors that the simulator detects in them.

mod edits;
mod freeze;

use std::collections::BTreeSet;

use a2lint::ir::{Program, StmtId};
use a2lint::isa::Class;
use a2lint::machine::{End, FindingKind, Outcome};

pub use edits::{OPERATORS, mutants};
pub use freeze::{Freezer, Overlap};

/// An error: a description, and the statements that take part.
pub type Wrong = (String, Vec<StmtId>);

/// Returns the synchronisation errors in a run; `overlaps` are the pairs of accesses that may be out of order.
pub fn wrongs(program: &Program, outcome: &Outcome, overlaps: &BTreeSet<Overlap>) -> Vec<Wrong> {
    let mut wrongs = Vec::new();
    if let End::Deadlock(deadlock) = &outcome.end {
        // Any statement that sets or awaits something may be the cause of a deadlock.
        let all = program.instructions().into_iter();
        let tokens = all.filter(|(_, instr)| {
            matches!(
                instr.row().class,
                Class::Event | Class::CrossFlag | Class::Mutex
            )
        });
        let places = tokens.map(|(stmt, _)| stmt.id).collect();
        wrongs.push((format!("stuck: {}", deadlock.lines(program)[0]), places));
    }
    for seen in &outcome.findings {
        use FindingKind::{FlagOverflow, RepeatedSet};
        if matches!(seen.kind, RepeatedSet(_) | FlagOverflow(_)) {
            wrongs.push((format!("{:?}", seen.kind), vec![seen.stmt]));
        }
    }
    for overlap in overlaps {
        let text = format!("{} may overlap {}", overlap.second_pipe, overlap.first_pipe);
        wrongs.push((text, vec![overlap.first, overlap.second]));
    }
    wrongs
}

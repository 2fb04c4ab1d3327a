//! Mutants of what orders a kernel, and what the machine shows of them.

mod edits;
mod freeze;

use std::collections::BTreeSet;

use a2lint::ir::{Program, StmtId};
use a2lint::isa::Class;
use a2lint::machine::{End, FindingKind, Outcome};

pub use edits::{OPERATORS, mutants};
pub use freeze::{Freezer, Overlap};

/// Something that goes wrong: in words, and the statements that take part.
pub type Wrong = (String, Vec<StmtId>);

/// What goes wrong with the order of a kernel in a run, and which accesses may be out of order.
pub fn wrongs(program: &Program, outcome: &Outcome, overlaps: &BTreeSet<Overlap>) -> Vec<Wrong> {
    let mut wrongs = Vec::new();
    if let End::Deadlock(deadlock) = &outcome.end {
        // Whatever sets or awaits something can be why nothing goes on.
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

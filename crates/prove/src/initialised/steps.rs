//! Remembers what instructions did. Loops are walked until the state settles, so that most instructions find the
//! same memory again.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::contents::{Contents, Ring};
use super::labels::Values;
use a2lint_analysis::Phase;
use a2lint_ir::StmtId;

/// Everything but memory that the effect of an instruction depends on: the lane, if its numbers differ between
/// lanes, and the iterations.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct When {
    stmt: StmtId,
    lane: Option<usize>,
    phase: Phase,
    now: Values,
}

impl When {
    pub fn new(stmt: StmtId, lane: Option<usize>, phase: Phase, now: &Values) -> When {
        When {
            stmt,
            lane,
            phase,
            now: now.clone(),
        }
    }
}

/// The states of the memories of an instruction.
type Memories = Vec<Rc<Ring>>;

/// The effects of instructions on memory.
#[derive(Debug, Default)]
pub(super) struct Steps(FxHashMap<When, Vec<[Memories; 2]>>);

impl Steps {
    /// Upper bound on the effects that are kept for one instruction.
    const MOST: usize = 8;

    /// Returns the states of some memories.
    pub fn look(memories: &[usize], state: &Contents) -> Memories {
        let rings = memories.iter().map(|&at| state.rings[at].clone());
        rings.collect()
    }

    /// Repeats the effect of an instruction and returns `true`, if it has found the same memory before.
    pub fn repeat(&self, when: &When, memories: &[usize], state: &mut Contents) -> bool {
        let is_same = |before: &Memories| {
            let mut pairs = before.iter().zip(memories);
            pairs.all(|(known, &at)| {
                let ring = &state.rings[at];
                Rc::ptr_eq(known, ring) || known == ring
            })
        };
        let outcomes = self.0.get(when).into_iter().flatten();
        // The newest first: the next walk most likely finds the memory of the last one.
        let known = outcomes.rev().find(|[before, _]| is_same(before));
        let Some([_, after]) = known else {
            return false;
        };
        for (&at, ring) in memories.iter().zip(after) {
            state.rings[at] = ring.clone();
        }
        true
    }

    /// Remembers the effect of an instruction.
    pub fn add(&mut self, when: When, before: Memories, after: Memories) {
        let outcomes = self.0.entry(when).or_default();
        if outcomes.len() < Self::MOST {
            outcomes.push([before, after]);
        }
    }
}

//! Finds results that depend on stale data, or on what fills the last block of a row.
//!
//! If a load fills less of a slot than an earlier one, or copies of an element fill its rows up to a block, the
//! launch runs again with other values there (`machine::PerturbedLoads`). A returned tensor that differs depends on
//! them. Further runs, each with one disturbed load, show which loads are to blame.

use rustc_hash::{FxHashMap, FxHashSet};

use super::MAX_TRACED_WORK;
use super::observation::{Event, Observation, plain};
use a2lint_ir::{GlobalId, Program, StmtId};
use a2lint_isa::DType;
use a2lint_machine::memory::Memory;
use a2lint_machine::{
    BoundLaunch, End, NullObserver, Options, Outcome, PerturbedLoads, Rest, ShorterLoad, number,
    simulate,
};

/// Reason for a launch that is too large to run again.
const LEFT_OUT: &str = "what depends on older tiles was not looked for: it takes too much work";
/// Number of loads after which no more are examined one by one, if one of them was found to matter.
const MAX_LOADS: u64 = 4;

/// Number of launches in which the leftovers of a load are disturbed.
const MOST_LAUNCHES: u8 = 2;

/// The leftovers of loads that were disturbed without a change of results, with the number of launches.
#[derive(Clone, Debug, Default)]
pub(super) struct Disturbed(FxHashMap<Leftover, u8>);

/// The statement of a load, whether it leaves data of an older tile, and on which axes it is shorter.
type Leftover = (StmtId, bool, [bool; 2]);

fn leftover(load: &ShorterLoad) -> Leftover {
    match load.rest {
        Rest::Older(older) => {
            let axes = [0, 1].map(|axis| load.extent[axis] < older[axis]);
            (load.stmt, true, axes)
        }
        Rest::Filler => (load.stmt, false, [false; 2]),
    }
}

impl Disturbed {
    /// Returns whether further launches with these loads would add nothing.
    pub fn are_enough(&self, loads: &[ShorterLoad]) -> bool {
        let count = |load: &ShorterLoad| self.0.get(&leftover(load)).copied().unwrap_or(0);
        loads.iter().all(|load| count(load) >= MOST_LAUNCHES)
    }

    /// Adds the loads of a launch whose results do not depend on what they leave.
    pub fn add(&mut self, loads: &[ShorterLoad]) {
        let kinds: FxHashSet<Leftover> = loads.iter().map(leftover).collect();
        for kind in kinds {
            let known = self.0.entry(kind).or_default();
            *known = known.saturating_add(1);
        }
    }

    /// Adds the loads of the launches of another replay.
    pub fn absorb(&mut self, other: Disturbed) {
        for (kind, count) in other.0 {
            let known = self.0.entry(kind).or_default();
            *known = known.saturating_add(count);
        }
    }
}

/// The result of looking for stale data in a launch.
#[derive(Default)]
pub(super) struct Stale {
    /// The loads whose leftovers reach a returned tensor.
    pub seen: Vec<Observation>,
    /// Number of runs that it took.
    pub runs: u64,
    /// What was not examined, as a clause.
    pub left_out: Option<String>,
}

impl Stale {
    /// Returns whether leftovers were disturbed, and no result depends on them.
    pub fn shows_nothing(&self) -> bool {
        self.runs > 0 && self.seen.is_empty() && self.left_out.is_none()
    }
}

/// Returns the loads whose leftovers reach a returned tensor, found in at most `most` runs.
///
/// Only sound runs are examined, because any other fault could make results differ as well.
pub(super) fn of(
    program: &Program,
    bound: &BoundLaunch,
    options: &Options,
    outcome: &Outcome,
    most: u64,
) -> Stale {
    let mut kinds = outcome.findings.iter().map(|seen| seen.kind);
    let is_sound =
        outcome.faithful && outcome.end == End::Finished && !kinds.any(|kind| kind.is_undefined());
    if outcome.shorter_loads.is_empty() || !is_sound {
        return Stale::default();
    }
    if most == 0 || outcome.work > MAX_TRACED_WORK {
        return Stale {
            left_out: Some(LEFT_OUT.to_owned()),
            ..Stale::default()
        };
    }
    let changed = |disturb| {
        let options = Options {
            disturb,
            ..*options
        };
        let other = simulate(program, bound, &options, &mut NullObserver);
        // With other values, a run may end early; its outputs then say nothing.
        let is_whole = other.end == End::Finished;
        let mut outputs = program.outputs.iter().copied();
        outputs.find(|&id| is_whole && differ(bound, id, outcome, &other))
    };
    let mut stale = Stale {
        runs: 1,
        ..Stale::default()
    };
    // If disturbing all loads at once changes no result, no load is to blame.
    if changed(PerturbedLoads::All).is_none() {
        return stale;
    }
    // One run is spent on disturbing all loads at once.
    let affordable = usize::try_from(most - 1).unwrap_or(usize::MAX);
    for load in outcome.shorter_loads.iter().take(affordable) {
        if stale.runs > MAX_LOADS && !stale.seen.is_empty() {
            break;
        }
        stale.runs += 1;
        let changed = changed(PerturbedLoads::Of(load.stmt, load.rest));
        stale
            .seen
            .extend(changed.map(|global| observation(load, global)));
    }
    let is_unknown = affordable < outcome.shorter_loads.len() && stale.seen.is_empty();
    stale.left_out = is_unknown.then(|| LEFT_OUT.to_owned());
    stale
}

fn observation(load: &ShorterLoad, global: GlobalId) -> Observation {
    Observation {
        stmt: Some(load.stmt),
        operand: Some(0),
        lane: load.lane,
        iterations: load.iterations.clone(),
        ..plain(Event::Stale {
            global,
            extent: load.extent,
            rest: load.rest,
        })
    }
}

/// Returns whether two runs leave different elements in a tensor.
fn differ(bound: &BoundLaunch, id: GlobalId, one: &Outcome, other: &Outcome) -> bool {
    let dtype = bound.globals[id.index()].dtype;
    let [a, b] = [one, other].map(|outcome| &outcome.globals[id.index()]);
    let bytes = a.capacity();
    if a.bytes(0..bytes) == b.bytes(0..bytes) {
        return false;
    }
    let size = dtype.bytes_of(1).max(1) as usize;
    let mut elements = (0..bytes / size).map(|index| index * size);
    elements.any(|at| a.all_defined(at..at + size) && !alike(a, b, dtype, at))
}

/// Returns whether an element has the same value in both runs. Zeros of either sign are equal.
fn alike(a: &Memory, b: &Memory, dtype: DType, at: usize) -> bool {
    let size = dtype.bytes_of(1).max(1) as usize;
    let range = at..at + size;
    let same = a.bytes(range.clone()) == b.bytes(range);
    same || dtype.is_float() && number(a, dtype, at, 0) == number(b, dtype, at, 0)
}

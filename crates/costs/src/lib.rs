//! The time that a kernel takes on the device under a launch in sight, by the cost model: unchanged, and rewritten as a
//! rule would advise. Advice names a gain only if it was found here.
//!
//! A changed kernel is run like any other. It counts if it runs to its end, computes the same and shows no hazard; so
//! nothing is proposed that does not fit or goes wrong, at least in this launch.
//!
//! # Modules
//! - `lib`: [`Costs`], computed when they are first asked for. `Costs::base` is the launch in sight that takes longest,
//!   if nothing is wrong with it. `Costs::time` runs and estimates a changed kernel, `Costs::gain` compares.
//! - `change`: changed programs and launches: a tensor before a buffer (`padded`), statements left out (`without`),
//!   gathers that become copies, loops that become one instruction, and others.
//! - `timed`: one run with what its statements take and why ([`Timed`]), for hovers and for the price of a repair.
//! - `watch`: what is recorded of the base run: bank conflicts, misaligned rows, gathers of the same rows.
//!
//! # What it must not know
//! Rules: which change is worth trying, and what to say of it, is the business of the group `performance`.
//!
//! # Where to start reading
//! `Costs::base`, `Costs::time` and `Costs::gain_of` in `lib.rs`; `machine::cost` and `machine::estimate` for the model
//! itself.
//!
//! # Invariants
//! - What advice promises is what the rewritten kernel takes (`gains_are_those_of_the_rewritten_kernels` in
//!   `tests/it/advice.rs`).
//! - A racy kernel gets no advice (`a_racy_kernel_gets_no_advice`), and a check says nothing of speed unless it is
//!   asked (`a_check_says_nothing_of_speed_unless_it_is_asked`, both in the same file).
//! - Estimates are the same every time (`estimates_are_the_same_every_time_and_cheap` in `tests/it/cost.rs`).
//!
//! # What it can miss
//! Gains below 2 % are none. A kernel gets 64 tries and 20,000,000 units of work; `Costs::untried` counts what was
//! left. All times are those of the cost model (`crates/machine/src/cost/constants.toml`): cycles of one core at its
//! clock, and microseconds with the time of the launch. `docs/cost.md` says what it leaves out.

// A position that is not checked panics inside of a character: `text::Slice` takes any.
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod change;
mod timed;
mod watch;

use std::cell::{Cell, OnceCell};

use rustc_hash::FxHashMap;

use a2lint_ir::{GlobalId, Program, StmtId};
use a2lint_isa::device::SUB_BLOCKS;
use a2lint_machine::{BoundLaunch, End, Estimate, Options, Outcome, Rows, simulate};
use a2lint_replay::Replay;
use watch::Watch;

pub use timed::{Timed, Works, launches, longest};

/// Gains below this share of the time are not worth a word.
const LEAST_GAIN: f64 = 0.02;
/// What a change may take longer without another one that is worth leaving out.
const SLACK: f64 = 1.002;
/// Launches of which the longest is looked at.
const MOST_LAUNCHES: usize = 4;
/// Runs of changed kernels.
const MOST_TRIES: u32 = 64;
/// Work of all runs together, see [`Options::max_work`].
const MOST_WORK: u64 = 20_000_000;
/// Statements for each unit of work.
const STATEMENTS_PER_WORK: u64 = 4;
/// Bytes of on-chip memories.
const MOST_MEMORY: u64 = 256 << 20;
/// Bytes of global tensors.
const MOST_GLOBAL: u64 = 2 << 30;

/// Costs of one kernel, computed when they are asked for.
pub struct Costs<'a> {
    program: &'a Program,
    replay: &'a Replay,
    base: OnceCell<Option<Base>>,
    tries: Cell<u32>,
    work: Cell<u64>,
    untried: Cell<u32>,
}

/// The kernel as it stands, under the launch that takes longest.
pub struct Base {
    /// The launch.
    pub launch: BoundLaunch,
    /// What it takes.
    pub estimate: Estimate,
    /// Cycles that vector instructions lose where operands meet in UB, over all lanes, by
    /// statement.
    pub conflicts: FxHashMap<StmtId, f64>,
    /// Tensors with rows that cost more for where they begin.
    pub misaligned: Vec<GlobalId>,
    /// Evenly spaced runs of bytes from the start of its source that a gather takes, the same ones
    /// each time.
    pub gathered: FxHashMap<StmtId, Rows>,
    outcome: Outcome,
}

/// What a changed kernel must have in common with the one it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Same {
    /// Every byte of its results.
    Results,
    /// What it computes and moves: its tensors have other shapes.
    Work,
    /// What it computes: its tensors have other types.
    Operations,
}

/// What a change saves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    /// Microseconds as it stands.
    pub before: f64,
    /// Microseconds with the change.
    pub after: f64,
}

impl Gain {
    /// What is saved, if that is worth a word.
    fn of(before: f64, after: f64) -> Option<Gain> {
        let gain = Gain { before, after };
        gain.counts().then_some(gain)
    }

    /// Whether that is worth a word.
    pub fn counts(&self) -> bool {
        self.after <= self.before * (1.0 - LEAST_GAIN)
    }
}

impl<'a> Costs<'a> {
    /// Of a kernel that was replayed.
    pub fn of(program: &'a Program, replay: &'a Replay) -> Costs<'a> {
        Costs {
            program,
            replay,
            base: OnceCell::new(),
            tries: Cell::new(0),
            work: Cell::new(MOST_WORK),
            untried: Cell::new(0),
        }
    }

    /// The kernel as it stands. `None` where nobody launches it, or where something is wrong with a
    /// run.
    pub fn base(&self) -> Option<&Base> {
        let base = self.base.get_or_init(|| {
            let asked = self.replay.asked().take(MOST_LAUNCHES);
            let runs = asked.filter_map(|launch| self.run(self.program, launch));
            runs.reduce(|a, b| if b.time() > a.time() { b } else { a })
        });
        base.as_ref().filter(|_| self.replay.sightings.is_empty())
    }

    /// A launch on all cores of the device. `None` if it is on that many already.
    pub fn on_all_cores(&self, launch: &BoundLaunch) -> Option<BoundLaunch> {
        let cores = self.replay.device.cube_cores;
        let all = match self.program.counts_vec_cores() {
            true => cores.saturating_mul(SUB_BLOCKS),
            false => cores,
        };
        let is_less = launch.block_dim(self.program) < all;
        let more = launch.on_cores(self.program, all, MOST_GLOBAL).ok();
        more.filter(|_| is_less)
    }

    /// How many changes were not tried for the time that it would have taken.
    pub fn untried(&self) -> u32 {
        self.untried.get()
    }

    /// Microseconds that a changed kernel takes under a launch. `None` where it does not do the
    /// same.
    pub fn time(&self, changed: &Program, launch: &BoundLaunch, same: Same) -> Option<f64> {
        let base = self.base()?;
        if self.tries.get() >= MOST_TRIES || base.outcome.work > self.work.get() {
            self.untried.set(self.untried.get() + 1);
            return None;
        }
        self.tries.set(self.tries.get() + 1);
        let run = self.run(changed, launch)?;
        let is_same = match same {
            Same::Results => {
                let memory = |id: &GlobalId| {
                    let of = |outcome: &Outcome| outcome.globals.get(id.index()).cloned();
                    of(&run.outcome) == of(&base.outcome)
                };
                self.program.results().iter().all(memory)
            }
            Same::Work => {
                let work = |estimate: &Estimate| (estimate.moved, estimate.operations);
                work(&run.estimate) == work(&base.estimate)
            }
            Same::Operations => run.estimate.operations == base.estimate.operations,
        };
        is_same.then(|| run.time())
    }

    /// What a change saves that keeps results.
    pub fn gain(&self, changed: &Program, launch: &BoundLaunch) -> Option<Gain> {
        self.gain_of(changed, launch, Same::Results)
    }

    /// What a change saves that keeps so much.
    pub fn gain_of(&self, changed: &Program, launch: &BoundLaunch, same: Same) -> Option<Gain> {
        let after = self.time(changed, launch, same)?;
        Gain::of(self.base()?.time(), after)
    }

    /// The fewest of these changes that together save about what all of them do. Where they cannot
    /// be made together, the one that saves most.
    pub fn fewest<T: Copy + PartialEq>(
        &self,
        changes: &[T],
        time: &dyn Fn(&[T]) -> Option<f64>,
    ) -> Option<(Vec<T>, Gain)> {
        let before = self.base()?.time();
        if changes.is_empty() {
            return None;
        }
        let mut chosen = changes.to_vec();
        let Some(mut after) = time(&chosen) else {
            let alone = changes.iter().filter(|_| changes.len() > 1);
            let alone = alone.filter_map(|&change| Some((change, time(&[change])?)));
            let (best, after) = alone.min_by(|a, b| a.1.total_cmp(&b.1))?;
            return Some((vec![best], Gain::of(before, after)?));
        };
        Gain::of(before, after)?;
        for change in changes.iter().filter(|_| changes.len() > 1) {
            let others = chosen.iter().copied().filter(|other| other != change);
            let others: Vec<T> = others.collect();
            if others.is_empty() {
                break;
            }
            if let Some(time) = time(&others).filter(|time| *time <= after * SLACK) {
                (chosen, after) = (others, time);
            }
        }
        Some((chosen, Gain::of(before, after)?))
    }

    /// Runs a kernel. `None` where something is wrong with the run, or not all of it is in the
    /// estimate.
    fn run(&self, program: &Program, launch: &BoundLaunch) -> Option<Base> {
        let options = Options {
            max_work: self.work.get(),
            max_instructions: self.work.get().saturating_mul(STATEMENTS_PER_WORK),
            max_memory: MOST_MEMORY,
            ..Options::default()
        };
        let mut watch = Watch::new(program, launch.cores);
        let outcome = simulate(program, launch, &options, &mut watch);
        self.work
            .set(self.work.get().saturating_sub(outcome.work.max(1)));
        if let End::BudgetExhausted(_) = outcome.end {
            self.untried.set(self.untried.get() + 1);
        }
        let estimate = watch.clock.estimate();
        let is_whole = outcome.end == End::Finished
            && outcome.faithful
            && outcome.doubts.is_empty()
            && outcome.findings.is_empty()
            && outcome.illegal.is_empty()
            && estimate.missing == 0;
        let is_ordered = watch.tracker.finish().is_empty();
        (is_whole && is_ordered).then_some(Base {
            launch: launch.clone(),
            estimate,
            conflicts: watch.conflicts,
            misaligned: watch.misaligned,
            gathered: watch
                .gathered
                .into_iter()
                .filter_map(|(stmt, rows)| Some((stmt, rows?)))
                .collect(),
            outcome,
        })
    }
}

impl Base {
    /// Microseconds.
    pub fn time(&self) -> f64 {
        self.estimate.microseconds()
    }

    /// Whether so many cycles would be worth a word if all of them were saved.
    pub fn may_matter(&self, cycles: f64) -> bool {
        cycles >= LEAST_GAIN * self.estimate.cycles as f64
    }
}

//! The time of a kernel on the device by the cost model, under a known launch: unchanged, and rewritten as a
//! rule would advise. Advice names a gain only if it was found here.
//!
//! A changed kernel is run like any other. It counts if it finishes, computes the same and shows no hazard, so
//! that nothing is proposed that does not fit or goes wrong in this launch.
//!
//! # Modules
//! - `lib`: [`Costs`], computed when they are first asked for. `Costs::base` is the known launch that takes longest,
//!   if nothing is wrong with it. `Costs::time` runs and estimates a changed kernel, `Costs::gain` compares.
//! - `change`: changed programs and launches: a tensor before a buffer (`padded`), statements left out (`without`),
//!   gathers that become copies, loops that become one instruction, and others.
//! - `timed`: one run with the time and the work of its statements ([`Timed`]), for hovers and for the cost of a
//!   repair.
//! - `watch`: what the base run records: bank conflicts, misaligned rows, gathers of the same rows.
//!
//! # What it must not know
//! Rules: which change to try, and how to report it, is decided by the group `performance`.
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
//! Gains below 2 % are ignored. A kernel gets 64 tries, and the kernels of a file share 6,000,000 units of work
//! (`a_file_of_endless_kernels_ends_with_pedantic_rules` in `tests/it/slow_texts.rs`); a run ends when more steps have
//! been made than an estimate holds. `Costs::untried` counts the changes that were left. All times are those of the
//! cost model (`crates/machine/src/cost/constants.toml`):
//! cycles of one core at its clock, and microseconds with the time of the launch. `docs/cost.md` says what it
//! leaves out.

// String slices at unchecked positions panic inside of a character; `text::Slice` accepts any position.
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

/// Smallest gain that is reported, as a share of the time.
const LEAST_GAIN: f64 = 0.02;
/// Factor by which the time may rise when a change is dropped from a set, for the smaller set to be preferred.
const SLACK: f64 = 1.002;
/// Upper bound on the launches that are timed to find the longest.
const MOST_LAUNCHES: usize = 4;
/// Upper bound on the runs of changed kernels.
const MOST_TRIES: u32 = 64;
/// Effort of all runs of the kernels of a file together, in units of [`Options::max_work`]: about five seconds.
const MOST_EFFORT: u64 = 6_000_000;
/// Number of statements that a run may execute for each unit of work.
const STATEMENTS_PER_WORK: u64 = 4;
/// Bytes of global tensors that are created and compared in the time of one unit of work.
const BYTES_PER_WORK: u64 = 1024;
/// Upper bound on the bytes of on-chip memories.
const MOST_MEMORY: u64 = 256 << 20;
/// Upper bound on the bytes of global tensors.
const MOST_GLOBAL: u64 = 2 << 30;

/// The costs of one kernel, computed on demand.
pub struct Costs<'a> {
    program: &'a Program,
    replay: &'a Replay,
    base: OnceCell<Option<Base>>,
    tries: Cell<u32>,
    /// The part of [`MOST_EFFORT`] that is left.
    left: Cell<u64>,
    untried: Cell<u32>,
}

/// The unchanged kernel, under the launch that takes longest.
pub struct Base {
    /// The launch.
    pub launch: BoundLaunch,
    /// The estimate of its run.
    pub estimate: Estimate,
    /// Cycles that vector instructions lose to bank conflicts in UB, over all lanes, by statement.
    pub conflicts: FxHashMap<StmtId, f64>,
    /// Tensors whose rows cost more because they are misaligned.
    pub misaligned: Vec<GlobalId>,
    /// The bytes of its source that a gather takes, if these are evenly spaced ranges and the same each time.
    pub gathered: FxHashMap<StmtId, Rows>,
    outcome: Outcome,
    effort: u64,
}

/// What a changed kernel has to have in common with the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Same {
    /// Every byte of its results.
    Results,
    /// The numbers of operations and of moved bytes; the shapes of its tensors differ.
    Work,
    /// The number of operations; the element types of its tensors differ.
    Operations,
}

/// The effect of a change on the time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    /// Microseconds without the change.
    pub before: f64,
    /// Microseconds with the change.
    pub after: f64,
}

impl Gain {
    /// Returns the gain, if it is large enough to be reported.
    fn of(before: f64, after: f64) -> Option<Gain> {
        let gain = Gain { before, after };
        gain.counts().then_some(gain)
    }

    /// Returns whether the gain is large enough to be reported.
    pub fn counts(&self) -> bool {
        self.after <= self.before * (1.0 - LEAST_GAIN)
    }
}

impl<'a> Costs<'a> {
    /// Creates the costs of a replayed kernel, which is one of `kernels` that share the effort.
    pub fn of(program: &'a Program, replay: &'a Replay, kernels: usize) -> Costs<'a> {
        Costs {
            program,
            replay,
            base: OnceCell::new(),
            tries: Cell::new(0),
            left: Cell::new(MOST_EFFORT / kernels.max(1) as u64),
            untried: Cell::new(0),
        }
    }

    /// Returns the unchanged kernel; `None` if no launch is known or a run shows a fault.
    pub fn base(&self) -> Option<&Base> {
        // Advice about speed is of no use while the kernel has faults.
        if !self.replay.observations.is_empty() {
            return None;
        }
        let base = self.base.get_or_init(|| {
            let asked = self.replay.asked().take(MOST_LAUNCHES);
            let runs = asked.filter_map(|launch| self.run(self.program, launch));
            runs.reduce(|a, b| if b.time() > a.time() { b } else { a })
        });
        base.as_ref()
    }

    /// Returns a launch on all cores of the device; `None` if it is on that many already.
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

    /// Returns how many changes were not tried because the limits were reached.
    pub fn untried(&self) -> u32 {
        self.untried.get()
    }

    /// Returns the microseconds that a changed kernel takes under a launch; `None` if it does not compute the
    /// same.
    pub fn time(&self, changed: &Program, launch: &BoundLaunch, same: Same) -> Option<f64> {
        let base = self.base()?;
        // A changed kernel takes about as much effort as the original.
        if self.tries.get() >= MOST_TRIES || base.effort > self.left.get() {
            self.leave();
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

    /// Returns the gain of a change that keeps all results.
    pub fn gain(&self, changed: &Program, launch: &BoundLaunch) -> Option<Gain> {
        self.gain_of(changed, launch, Same::Results)
    }

    /// Returns the gain of a change that keeps what `same` says.
    pub fn gain_of(&self, changed: &Program, launch: &BoundLaunch, same: Same) -> Option<Gain> {
        let after = self.time(changed, launch, same)?;
        Gain::of(self.base()?.time(), after)
    }

    /// Returns the smallest subset of changes that gains about as much as all of them. If they cannot be made
    /// together, returns the best single change.
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

    /// Counts a change, or a launch, that was left because the limits were reached.
    fn leave(&self) {
        self.untried.set(self.untried.get() + 1);
    }

    /// Runs a kernel; `None` if the run shows a fault, or if the estimate does not cover all of it.
    fn run(&self, program: &Program, launch: &BoundLaunch) -> Option<Base> {
        let left = self.left.get();
        if left == 0 {
            self.leave();
            return None;
        }
        let options = Options {
            max_work: left,
            max_instructions: left.saturating_mul(STATEMENTS_PER_WORK),
            max_memory: MOST_MEMORY,
            ..Options::default()
        };
        let mut watch = Watch::new(program, launch.cores);
        let outcome = simulate(program, launch, &options, &mut watch);
        let effort = effort(launch, &outcome);
        self.left.set(left.saturating_sub(effort));
        if watch.clock.is_full() || matches!(outcome.end, End::BudgetExhausted(_)) {
            self.leave();
            return None;
        }
        let is_whole = outcome.end == End::Finished
            && outcome.faithful
            && outcome.doubts.is_empty()
            && outcome.findings.is_empty()
            && outcome.illegal.is_empty();
        let is_ordered = watch.tracker.finish().is_empty();
        (is_whole && is_ordered).then(|| Base {
            launch: launch.clone(),
            estimate: watch.clock.estimate(),
            conflicts: watch.conflicts,
            misaligned: watch.misaligned,
            gathered: watch
                .gathered
                .into_iter()
                .filter_map(|(stmt, rows)| Some((stmt, rows?)))
                .collect(),
            outcome,
            effort,
        })
    }
}

/// Returns the effort of a run in units of work: that of its instructions or, if it is mostly control flow, of its
/// statements, and that of its tensors.
fn effort(launch: &BoundLaunch, outcome: &Outcome) -> u64 {
    let statements = outcome.instructions / STATEMENTS_PER_WORK;
    let bytes: u64 = launch.globals.iter().map(|it| it.bytes as u64).sum();
    1 + outcome.work.max(statements) + bytes / BYTES_PER_WORK
}

impl Base {
    /// Returns the time in microseconds.
    pub fn time(&self) -> f64 {
        self.estimate.microseconds()
    }

    /// Returns whether saving all of these cycles would be reported.
    pub fn may_matter(&self, cycles: f64) -> bool {
        cycles >= LEAST_GAIN * self.estimate.cycles as f64
    }
}

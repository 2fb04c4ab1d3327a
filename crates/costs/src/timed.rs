//! Times one run of a kernel, with what determines the time of each statement.

use rustc_hash::FxHashMap;

use super::{MOST_LAUNCHES, STATEMENTS_PER_WORK};
use a2lint_ir::{Module, Program, StmtId};
use a2lint_isa::Pipe;
use a2lint_isa::device::Device;
use a2lint_machine::cost::{Cost, Expense};
use a2lint_machine::{
    Bindings, BoundLaunch, Clock, End, Estimate, Observer, Options, Site, SyncOp, simulate,
};

/// Upper bound on the bytes of the global tensors of a timed launch.
const MOST_GLOBAL: u64 = 1 << 30;
/// Upper bound on the bytes of on-chip memories.
const MOST_LOCAL: u64 = 64 << 20;

/// The time of a kernel under a launch.
#[derive(Debug)]
pub struct Timed {
    /// The launch.
    pub launch: BoundLaunch,
    /// The estimate, with the time of each event.
    pub estimate: Estimate,
    /// The work of each statement on each of its pipes.
    pub works: FxHashMap<(StmtId, Pipe), Works>,
}

/// The total work of a statement's instructions on a pipe, over all lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Works {
    /// Number of instructions.
    pub count: u64,
    /// Cycles of the pipe without any contention.
    pub cycles: f64,
    /// Repeats of vector instructions.
    pub repeats: i64,
    /// Cycles lost to bank conflicts in UB.
    pub conflicts: f64,
    /// Bytes that are moved.
    pub bytes: i64,
    /// Cost factor of the worst aligned rows, at least 1.
    pub penalty: f64,
}

impl Works {
    fn add(&mut self, cost: &Cost) {
        self.count += 1;
        self.cycles += cost.occupancy;
        self.repeats += cost.repeats;
        self.conflicts += cost.conflicts;
        self.bytes += cost.bytes;
        let penalty = cost.traffic.map_or(1.0, |traffic| traffic.penalty);
        self.penalty = self.penalty.max(penalty);
    }

    /// Adds the work of another statement.
    pub fn join(&mut self, other: &Works) {
        self.count += other.count;
        self.cycles += other.cycles;
        self.repeats += other.repeats;
        self.conflicts += other.conflicts;
        self.bytes += other.bytes;
        self.penalty = self.penalty.max(other.penalty);
    }
}

impl Timed {
    /// Returns the time in microseconds.
    pub fn time(&self) -> f64 {
        self.estimate.microseconds()
    }

    /// Times a kernel under a launch, with a limit on the work of the run. `None` if the estimate does not cover
    /// all of it. Results are not checked: a race has a time, too.
    pub fn of(program: &Program, launch: &BoundLaunch, work: u64) -> Option<Timed> {
        let options = Options {
            max_work: work,
            max_instructions: work.saturating_mul(STATEMENTS_PER_WORK),
            max_memory: MOST_LOCAL,
            ..Options::default()
        };
        let mut watch = Watch {
            clock: Clock::new(program, launch.cores, false),
            works: FxHashMap::default(),
        };
        let outcome = simulate(program, launch, &options, &mut watch);
        let is_whole = outcome.end == End::Finished
            && outcome.faithful
            && outcome.doubts.is_empty()
            && outcome.illegal.is_empty();
        let estimate = is_whole.then(|| watch.clock.estimate())?;
        (estimate.missing == 0).then_some(Timed {
            launch: launch.clone(),
            estimate,
            works: watch.works,
        })
    }
}

/// Times the launches of a module, with a limit on the work of each run, and returns the longest with its index.
pub fn longest(
    module: &Module,
    program: &Program,
    device: Device,
    scalars: &[(String, f64)],
    work: u64,
) -> Option<(usize, Timed)> {
    let launches = launches(module, program, device, scalars).into_iter();
    let timed = launches.filter_map(|(index, launch)| {
        let timed = Timed::of(program, &launch, work)?;
        Some((index, timed))
    });
    timed.reduce(|a, b| if b.1.time() > a.1.time() { b } else { a })
}

/// Returns the launches of a kernel in a module that can be timed, with their index among the launches of the
/// kernel.
pub fn launches(
    module: &Module,
    program: &Program,
    device: Device,
    scalars: &[(String, f64)],
) -> Vec<(usize, BoundLaunch)> {
    let bindings = Bindings {
        scalars: scalars.to_vec(),
        ..Bindings::default()
    };
    let all = &module.launches;
    let own = all.iter().filter(|launch| launch.kernel == program.name);
    let bound = own.enumerate().filter_map(|(index, launch)| {
        let bound =
            BoundLaunch::bind(program, Some(launch), all, &bindings, device, MOST_GLOBAL).ok()?;
        let is_kept = program.contract.breaches(&bound.given(program)).is_empty();
        is_kept.then_some((index, bound))
    });
    bound.take(MOST_LAUNCHES).collect()
}

/// Observes a run.
struct Watch<'a> {
    clock: Clock<'a>,
    works: FxHashMap<(StmtId, Pipe), Works>,
}

impl Observer for Watch<'_> {
    fn wants_costs(&self) -> bool {
        true
    }

    /// Ends the run when the clock has no room for further steps: an estimate that lacks a step is not used.
    fn is_cancelled(&mut self) -> bool {
        self.clock.is_full()
    }

    fn spend(&mut self, site: &Site, expense: &Expense) {
        for cost in &expense.costs {
            let works = self.works.entry((site.stmt, cost.pipe)).or_default();
            works.add(cost);
        }
        self.clock.spend(site, expense);
    }

    fn synchronise(&mut self, site: &Site, operation: &SyncOp) {
        self.clock.synchronise(site, operation);
    }
}

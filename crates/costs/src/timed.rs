//! What one run of a kernel takes, and why its statements take what they take.

use rustc_hash::FxHashMap;

use super::{MOST_LAUNCHES, STATEMENTS_PER_WORK};
use a2lint_ir::{Module, Program, StmtId};
use a2lint_isa::Pipe;
use a2lint_isa::device::Device;
use a2lint_machine::cost::{Cost, Expense};
use a2lint_machine::{
    Bindings, BoundLaunch, Clock, End, Estimate, Observer, Options, Site, SyncOp, simulate,
};

/// Bytes of the global tensors of a launch that is timed.
const MOST_GLOBAL: u64 = 1 << 30;
/// Bytes of on-chip memories.
const MOST_LOCAL: u64 = 64 << 20;

/// What a kernel takes under a launch.
#[derive(Debug)]
pub struct Timed {
    /// The launch.
    pub launch: BoundLaunch,
    /// When everything happens.
    pub estimate: Estimate,
    /// What the instructions of each statement are on each of their pipes.
    pub works: FxHashMap<(StmtId, Pipe), Works>,
}

/// What the instructions of a statement come to on a pipe, over all lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Works {
    /// How many there are.
    pub count: u64,
    /// Cycles that they take of their pipe if nobody else wants anything.
    pub cycles: f64,
    /// Repeats of vector instructions.
    pub repeats: i64,
    /// Cycles that are lost where operands meet in UB.
    pub conflicts: f64,
    /// Bytes that are moved.
    pub bytes: i64,
    /// What the worst placed rows cost: 1, or more.
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

    /// Takes in the instructions of another statement.
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
    /// Microseconds.
    pub fn time(&self) -> f64 {
        self.estimate.microseconds()
    }

    /// A kernel under a launch, in a run of so much work. `None` where not all of it is in the
    /// estimate. What the run computes is nobody's concern here: a race has a time, too.
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

/// What a kernel takes under the launch that takes longest, of those that a module spells out, in runs of
/// so much work each; and the place of that launch among them.
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

/// The launches of a kernel that a module spells out and that can be timed, with their place among all
/// of them.
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

/// Watches a run.
struct Watch<'a> {
    clock: Clock<'a>,
    works: FxHashMap<(StmtId, Pipe), Works>,
}

impl Observer for Watch<'_> {
    fn wants_costs(&self) -> bool {
        true
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

//! Replay: kernels run on the machine under the launches that are worth it, so that what the analysis holds possible is
//! seen to happen, or not.
//!
//! `Replay::unless` runs the launches of the file first, then tail variants of them (`a2lint_launches`). Each runs
//! within a share of one budget, which counts the work of units and never time. What sanitizer and tracker see becomes
//! a [`Sighting`]; rules turn sightings into findings.
//!
//! # Modules
//! - `lib`: `Replay`, `Execution`, the budget, and the run of one launch (`Replay::run_with`).
//! - `guessed`, `trials`: kernels that nothing launches. A sighting counts if every guess that executes the statement
//!   shows it and at least two do, or if one guess shows it whose sizes the kernel is written for and which satisfies
//!   the preconditions of all proofs (`Replay::settle`).
//! - `sighting`: what was seen, and where. `origins`: a second run that follows undefined data back to the read of
//!   unwritten memory that it came from. `stale`: a run with other values in what a smaller load left over, to see
//!   whether a result depends on it. `nonfinite`: results that are not finite although every operand is.
//! - `looked_at`: how each launch ended, and the first part of a kernel that guesses do not reach ([`Shortfall`]).
//! - `left_out`: what a run left out, and whose order is unknown for it.
//! - `numbers`, `step`: one more run for the values that findings show ([`illustrate`]).
//!
//! # What it must not know
//! Rules, and the words of findings.
//!
//! # Where to start reading
//! `Replay::unless`, `Replay::run_given`, `Replay::note` in `lib.rs`; `guessed::replay`; `trials::agreed`;
//! `sighting::of_outcome`.
//!
//! # Invariants
//! - Launches in sight run with their own sizes where they fit, and smaller ones are marked (`LaunchRun::is_shrunk`;
//!   `a_launch_of_more_bytes_than_can_be_counted_runs_smaller_too` in `tests/it/launches.rs`).
//! - A large launch leaves the others their share (`a_large_launch_leaves_the_others_their_share` in
//!   `tests/it/launches.rs`).
//! - A run with the bindings of a witness shows the same (`a_run_with_the_bindings_of_a_witness_shows_the_same` in
//!   `tests/it/replay.rs`).
//! - NaN or infinity from data that no launch gives counts only if every kind of input shows it
//!   (`nan_of_data_that_nobody_gave_has_to_come_with_any_data` in `tests/it/launches.rs`).
//! - Kernels that are sound stay clean without their launches (`kernels_without_their_launches_stay_clean` in
//!   `tests/it/replay.rs`).
//!
//! # What it can miss
//! Everything that the launches do not show. Runs end by budget (`LaunchOutcome::Cut`); a quarter of the work is kept
//! for variants, a third of a launch's share for smaller sizes. Runs that trace origins, and runs on other data,
//! together take at most twice the budget, and none of more than 20,000,000 units of work is traced; what was not
//! traced is marked. A launch with unknown statements is tested only as far as `Outcome::doubts` allows.

// A position that is not checked panics inside of a character: `text::Slice` takes any.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod guessed;
mod left_out;
mod looked_at;
pub mod nonfinite;
mod numbers;
mod origins;
mod sighting;
mod stale;
mod step;
mod trials;

pub use looked_at::{LaunchOutcome, LaunchRun, Shortfall};
pub use numbers::illustrate;
pub use sighting::{Event, Origin, Part, Sighting, Source};
pub use step::{OperandValues, Step, view_text};

use a2lint_ir::{BLOCK_DIM, GlobalId, GlobalKind, Module, Program, Scalar, ScalarId};
use a2lint_isa::device::Device;
use a2lint_launches::{self as launches, Candidate, LaunchSource, Request, Room, options};
use a2lint_machine::hazards::{self, Hazard};
use a2lint_machine::{BoundLaunch, End, FindingKind, Options, Outcome, SanitizerFinding, simulate};
use origins::Tracker;

/// Work that the replay of a kernel may take however many the file has: some tens of milliseconds.
pub const LEAST_WORK: u64 = 200_000;

/// What runs that ask where the data of a run comes from and goes to may take, as a multiple of its budget.
const MAX_FURTHER: u64 = 2;
/// Most work of a run that is done again to find out where undefined data comes from: a second.
const MAX_TRACED_WORK: u64 = 20_000_000;

/// One launch that was replayed.
#[derive(Clone, Debug)]
pub struct Execution {
    /// Its arguments.
    pub bound: BoundLaunch,
    /// The place of the launch in another file of the project.
    pub place: Option<String>,
    /// The number of cores, where nobody but the checker asks for it.
    pub block_dim: Option<u32>,
    /// Whether nobody but the checker asks for these sizes.
    pub is_invented: bool,
    /// Whether what it shows counts only where it is found otherwise too.
    pub only_confirms: bool,
    /// Whether somebody gives the extents of its tensors.
    pub has_extents: bool,
}

impl Execution {
    /// A launch that somebody asks for.
    fn asked(bound: &BoundLaunch) -> Execution {
        Execution {
            bound: bound.clone(),
            place: None,
            block_dim: None,
            is_invented: false,
            only_confirms: false,
            has_extents: true,
        }
    }

    /// What it was run with, by names that `--bind` takes.
    pub fn arguments(&self, program: &Program) -> Vec<(String, f64)> {
        let cores = self
            .block_dim
            .map(|cores| (BLOCK_DIM.to_owned(), f64::from(cores)));
        self.bound
            .scalars(program)
            .into_iter()
            .chain(cores)
            .collect()
    }
}

/// What the machine showed of one kernel.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// The device.
    pub device: Device,
    /// Every launch that was considered, and how it ended.
    pub launches: Vec<LaunchRun>,
    /// The launches that ran.
    pub executions: Vec<Execution>,
    /// Launches that the user asks for and that did not run: they take more room than there is, or nothing
    /// runs.
    pub not_run: Vec<BoundLaunch>,
    /// Values that the user gives scalars and symbolic extents.
    pub bindings: Vec<(String, f64)>,
    /// What was seen, each of it once, in the order of executions and statements.
    pub sightings: Vec<Sighting>,
    /// What only some guessed launches show. It counts if such a launch satisfies what proofs ask for
    /// ([`Replay::settle`]).
    pub partial: Vec<Sighting>,
    /// Why nothing ran, as a clause.
    pub reason: Option<String>,
    /// The first part of the kernel that guesses do not show.
    pub shortfall: Option<Shortfall>,
}

impl Replay {
    /// The launches that ran, that somebody other than the checker asks for, with extents that were given.
    pub fn asked(&self) -> impl Iterator<Item = &BoundLaunch> {
        let all = self.executions.iter();
        all.filter(|execution| !execution.is_invented && execution.has_extents)
            .map(|execution| &execution.bound)
    }

    /// The launches in sight whose extents are given, also those that did not run.
    pub fn in_sight(&self) -> impl Iterator<Item = &BoundLaunch> {
        self.asked().chain(&self.not_run)
    }

    /// The launches in sight, none of which runs: why is the reason, as a clause.
    pub fn without_runs(
        program: &Program,
        module: &Module,
        request: &Request,
        reason: &str,
    ) -> Replay {
        let mut replay = Replay::unreplayed(reason);
        let given = launches::given(program, module, request, launches::Shapes::AsGiven);
        replay.skip(&given, reason);
        let with_extents = given.into_iter().filter(|it| it.has_extents);
        replay.not_run = with_extents.filter_map(|it| it.bound.ok()).collect();
        replay
    }

    /// Takes up what only some guessed launches have shown, where such a launch is inside of the
    /// preconditions of all proofs: it refutes a property as any other launch does.
    pub fn settle(&mut self, is_inside: impl Fn(&BoundLaunch) -> bool) {
        for sighting in std::mem::take(&mut self.partial) {
            // A kernel that was seen to stop has one mistake that stops it, wherever other launches stop.
            let is_known = self.sightings.iter().any(|known| {
                let both_stop = known.is_deadlock() && sighting.is_deadlock();
                both_stop || known.is_like(&sighting)
            });
            if !is_known && is_inside(&self.execution(&sighting).bound) {
                self.sightings.push(sighting);
            }
        }
    }

    /// Adds what other launches have shown.
    fn absorb(&mut self, mut other: Replay) {
        let before = self.executions.len();
        if before == 0 {
            self.reason = other.reason;
        }
        self.shortfall = other.shortfall;
        self.launches.append(&mut other.launches);
        self.executions.append(&mut other.executions);
        let moved = |mut sighting: Sighting| {
            sighting.execution += before;
            sighting
        };
        self.partial.extend(other.partial.into_iter().map(moved));
        for sighting in other.sightings.into_iter().map(moved) {
            if !self.sightings.iter().any(|known| known.is_like(&sighting)) {
                self.sightings.push(sighting);
            }
        }
    }

    /// Whether no launch came to its end, and arithmetic without a result ended one: other launches may
    /// show what else is wrong.
    fn ends_in_faults(&self) -> bool {
        let is_finished = |run: &LaunchRun| run.outcome == LaunchOutcome::Finished;
        let is_fault = |sighting: &Sighting| matches!(sighting.event, Event::Fault(_));
        !self.launches.iter().any(is_finished) && self.sightings.iter().any(is_fault)
    }

    /// Replays a kernel.
    pub fn of(program: &Program, module: &Module, request: &Request) -> Replay {
        Replay::unless(&|| false, program, module, request).unwrap_or_default()
    }

    /// Replays a kernel; `None` where that was taken back between two launches.
    pub fn unless(
        is_cancelled: &dyn Fn() -> bool,
        program: &Program,
        module: &Module,
        request: &Request,
    ) -> Option<Replay> {
        let mut given = launches::given(program, module, request, launches::Shapes::Measured);
        let mut replay = Replay::default();
        let mut budget = Budget::new(request.work);
        for at in 0..given.len() {
            if is_cancelled() {
                return None;
            }
            let (before, rest) = given.split_at_mut(at);
            let remaining = rest.len() as u64;
            let same = before.iter().position(|known| known.bound == rest[0].bound);
            match same.filter(|_| rest[0].bound.is_ok()) {
                Some(same) => {
                    let (outcome, reason) = {
                        let run = &replay.launches[same];
                        (run.outcome, run.reason.clone())
                    };
                    replay
                        .launches
                        .push(LaunchRun::of(&rest[0], outcome, reason));
                }
                None => replay.run_given(program, request, &mut rest[0], &mut budget, remaining),
            }
        }
        if replay.executions.is_empty() || replay.ends_in_faults() {
            replay.absorb(guessed::replay(is_cancelled, program, module, request)?);
            return Some(replay);
        }
        let mut variants = launches::variants(program, module, request, &given);
        variants.retain(|variant| given.iter().all(|known| known.bound != variant.bound));
        budget.release();
        let mut remaining = variants.len() as u64;
        for variant in variants {
            if is_cancelled() {
                return None;
            }
            let work = budget.share(remaining);
            remaining -= 1;
            budget.spend(replay.run(program, variant, work, request.saturate));
        }
        Some(replay)
    }

    /// Runs a launch that somebody asks for. One that is too large is run at smaller sizes besides,
    /// and becomes what it was run with.
    fn run_given(
        &mut self,
        program: &Program,
        request: &Request,
        given: &mut Candidate,
        budget: &mut Budget,
        remaining: u64,
    ) {
        // A third is kept for smaller sizes.
        let mut left = budget.share(remaining);
        let work = left - left / 3;
        let taken = self.run(program, given.clone(), work, request.saturate);
        budget.spend(taken);
        left -= taken.min(left);
        let is_cut = |replay: &Replay| {
            let run = replay.launches.last();
            run.is_some_and(|run| run.outcome == LaunchOutcome::Cut)
        };
        match &given.room {
            Room::TooLarge(bound) => {
                let inside = bound
                    .iter()
                    .filter(|it| launches::breach(program, it).is_none());
                self.not_run.extend(inside.cloned());
            }
            Room::Enough if is_cut(self) => {}
            Room::Enough => return,
        }
        let stand_ins = given.stand_ins(program, request);
        let is_outside = |(stand_in, _): &(Candidate, _)| stand_in.bound.is_err();
        let has_contract = !program.contract.is_empty();
        if has_contract && stand_ins.iter().all(is_outside) {
            self.no_smaller_size();
        }
        let mut stand_ins = stand_ins.into_iter().peekable();
        while let Some((stand_in, reason)) = stand_ins.next() {
            let work = match stand_ins.peek() {
                Some(_) => left / 2,
                None => left,
            };
            let before = self.launches.len();
            let taken = self.run(program, stand_in.clone(), work, request.saturate);
            budget.spend(taken);
            left -= taken.min(left);
            let ran = self.launches.drain(before..).next_back();
            let ran = ran.filter(|run| {
                use LaunchOutcome::{Cut, Skipped, Unusable};
                !matches!(run.outcome, Cut | Skipped | Unusable)
            });
            if let Some(ran) = ran {
                let reasons = [Some(reason), ran.reason].into_iter().flatten();
                let reason = reasons.collect::<Vec<_>>().join("; ");
                self.launches.pop();
                self.launches.push(LaunchRun {
                    is_shrunk: true,
                    has_extents: stand_in.has_extents,
                    ..LaunchRun::of(given, ran.outcome, Some(reason))
                });
                *given = stand_in;
                return;
            }
        }
    }

    /// Says of the last launch, which was too large, that its contract allows no smaller size.
    fn no_smaller_size(&mut self) {
        if let Some(run) = self.launches.last_mut() {
            let reason = "no smaller sizes were found that its contract allows".to_owned();
            let reasons = [run.reason.take(), Some(reason)].into_iter().flatten();
            run.reason = Some(reasons.collect::<Vec<_>>().join("; "));
        }
    }

    /// Takes down launches that are not started.
    fn skip(&mut self, candidates: &[Candidate], reason: &str) {
        let skipped = |candidate: &Candidate| {
            LaunchRun::of(candidate, LaunchOutcome::Skipped, Some(reason.to_owned()))
        };
        self.launches.extend(candidates.iter().map(skipped));
    }

    /// Nothing, and why.
    fn unreplayed(reason: impl Into<String>) -> Replay {
        Replay {
            reason: Some(reason.into()),
            ..Replay::default()
        }
    }

    /// A run that showed nothing.
    pub fn clean(bound: &BoundLaunch, device: Device) -> Replay {
        Replay {
            device,
            executions: vec![Execution::asked(bound)],
            ..Replay::default()
        }
    }

    /// What one run showed that has already taken place.
    pub fn of_run(
        program: &Program,
        bound: &BoundLaunch,
        options: &Options,
        outcome: &Outcome,
        hazards: Vec<Hazard>,
    ) -> Replay {
        let mut replay = Replay::default();
        let execution = Execution::asked(bound);
        let standing = Standing {
            has_extents: true,
            has_data: true,
            is_variant: false,
        };
        replay.note(
            program,
            execution,
            standing,
            options,
            outcome,
            hazards,
            u64::MAX,
        );
        replay
    }

    /// The launch of a sighting.
    pub fn execution(&self, sighting: &Sighting) -> &Execution {
        &self.executions[sighting.execution]
    }

    /// Runs one launch; the work that it took.
    fn run(&mut self, program: &Program, candidate: Candidate, work: u64, saturate: bool) -> u64 {
        self.run_with(
            program,
            candidate,
            work,
            saturate,
            |bound, options, tracker| simulate(program, bound, options, tracker),
        )
    }

    /// As `run`, `execute` being what runs it.
    fn run_with(
        &mut self,
        program: &Program,
        candidate: Candidate,
        work: u64,
        saturate: bool,
        execute: impl FnOnce(&BoundLaunch, &Options, &mut hazards::Readings) -> Outcome,
    ) -> u64 {
        let bound = match &candidate.bound {
            Ok(_) if work == 0 => {
                self.skip(&[candidate], "the launches before it took the whole budget");
                return 0;
            }
            Ok(bound) => bound.clone(),
            Err(reason) => {
                let run = LaunchRun::of(&candidate, LaunchOutcome::Unusable, Some(reason.clone()));
                self.launches.push(run);
                return 0;
            }
        };
        let options = options(work, saturate);
        let mut tracker = hazards::Readings::new(program, bound.cores);
        let outcome = execute(&bound, &options, &mut tracker);
        let (taken, again) = (outcome.work, needs_origins(&outcome));
        if let Some(global) = left_global(program, &outcome).filter(|_| !candidate.has_extents) {
            let name = &program.global(global).name;
            let is_bound = |name: &str| candidate.arguments.iter().any(|(known, _)| known == name);
            let mut named = program.extent_names.iter().filter(|it| it.global == global);
            let reason = match named.any(|it| is_bound(&it.name)) {
                true => format!(
                    "it leaves `{name}` {:?}",
                    bound.globals[global.index()].shape
                ),
                false => format!("it leaves `{name}`, whose extents nobody gave"),
            };
            let run = LaunchRun::of(&candidate, LaunchOutcome::Unusable, Some(reason));
            self.launches.push(run);
            return taken;
        }
        let forgotten = tracker.forgotten();
        let hazards = tracker.finish();
        let (end, reason) = LaunchOutcome::of(&outcome.end);
        let reasons = [reason, looked_at::doubted(&outcome.doubts), forgotten];
        let reasons: Vec<String> = reasons.into_iter().flatten().collect();
        let reason = (!reasons.is_empty()).then(|| reasons.join("; "));
        self.launches.push(LaunchRun::of(&candidate, end, reason));
        let standing = Standing {
            has_extents: candidate.has_extents,
            has_data: candidate.has_data,
            is_variant: candidate.source == LaunchSource::Variant,
        };
        let execution = Execution {
            bound,
            place: candidate.place().map(str::to_owned),
            block_dim: candidate.block_dim,
            is_invented: candidate.is_invented,
            only_confirms: false,
            has_extents: candidate.has_extents,
        };
        let spare = work.saturating_mul(MAX_FURTHER);
        let (further, left_out) = self.note(
            program, execution, standing, &options, &outcome, hazards, spare,
        );
        if let (Some(left_out), Some(run)) = (left_out, self.launches.last_mut()) {
            let reasons = [run.reason.take(), Some(left_out)].into_iter().flatten();
            run.reason = Some(reasons.collect::<Vec<_>>().join("; "));
        }
        taken.saturating_mul(1 + u64::from(again) + further)
    }

    /// Takes down what an outcome shows beyond what is known; how often the launch ran again to tell
    /// whether it depends on stale data, and what was left undone because it would take more than
    /// `spare` work.
    #[allow(clippy::too_many_arguments, reason = "everything that a run leaves")]
    fn note(
        &mut self,
        program: &Program,
        execution: Execution,
        standing: Standing,
        options: &Options,
        outcome: &Outcome,
        hazards: Vec<Hazard>,
        spare: u64,
    ) -> (u64, Option<String>) {
        let mut tracker = Tracker::new(program);
        if needs_origins(outcome) && outcome.work <= MAX_TRACED_WORK {
            simulate(program, &execution.bound, options, &mut tracker);
        }
        let number = self.executions.len();
        let mut seen = sighting::of_outcome(program, &execution.bound, outcome, &tracker);
        if standing.is_variant || execution.is_invented {
            // Nobody asks for these sizes.
            seen.retain(|sighting| !matches!(sighting.event, Event::Overflow { .. }));
        }
        if !standing.has_extents {
            // Extents that nobody asked for have no holes either.
            seen.retain(|sighting| !matches!(sighting.event, Event::Hole { .. }));
        }
        if standing.is_variant {
            // The numbers of a launch belong together: with another one a quotient may be 0 by design.
            seen.retain(|sighting| !matches!(sighting.event, Event::Fault(_)));
        }
        if !outcome.faithful {
            // Nobody knows whether the values are the same.
            let overlaps =
                |seen: &Sighting| matches!(seen.kind(), Some(FindingKind::Overlap { .. }));
            seen.retain(|sighting| !overlaps(sighting));
        }
        // What is read from the middle of elements is any value.
        let is_odd = |seen: &SanitizerFinding| matches!(seen.kind, FindingKind::OddOffset { .. });
        let is_sound = outcome.faithful && !outcome.findings.iter().any(is_odd);
        if is_sound && matches!(outcome.end, End::Finished) && !standing.is_variant {
            let bound = &execution.bound;
            seen.extend(match standing.has_data {
                true => nonfinite::first(program, bound, options, outcome),
                false => nonfinite::of_any_data(program, bound, options, outcome),
            });
        }
        let runs = spare / outcome.work.max(1);
        let stale = stale::of(program, &execution.bound, options, outcome, runs);
        seen.extend(stale.seen);
        let bereft = left_out::buffers(program, outcome);
        let hazards = hazards.into_iter();
        let hazards = hazards.filter(|hazard| !left_out::concerns(program, hazard, &bereft));
        seen.extend(hazards.map(sighting::of_hazard));
        self.executions.push(execution);
        for mut sighting in seen {
            if !self.sightings.iter().any(|known| known.is_like(&sighting)) {
                sighting.execution = number;
                self.sightings.push(sighting);
            }
        }
        (stale.runs, stale.left_out)
    }
}

/// What of a launch somebody has given.
#[derive(Clone, Copy)]
struct Standing {
    /// The extents of its tensors.
    has_extents: bool,
    /// How the contents of its tensors are drawn, at least.
    has_data: bool,
    /// Nothing: it is there for its tails.
    is_variant: bool,
}

/// Whether an outcome has findings whose cause lies further back.
fn needs_origins(outcome: &Outcome) -> bool {
    outcome.findings.iter().any(|seen| seen.kind.is_undefined())
}

/// A tensor of the launch that an access left. Extents that nobody asked for claim nothing, and what is read
/// beyond them would only lead to more findings. Those of a workspace the kernel gives.
fn left_global(program: &Program, outcome: &Outcome) -> Option<GlobalId> {
    let is_given = |id: GlobalId| {
        let global = program.global(id);
        let is_workspace = global.kind == GlobalKind::Workspace;
        let is_own = |&extent: &ScalarId| {
            let of_device = matches!(program.scalars.get(extent), Scalar::Special(_));
            program.scalars.as_int(extent).is_some() || is_workspace && of_device
        };
        !global.shape.is_empty() && global.shape.iter().all(is_own)
    };
    let left = |kind: FindingKind| match kind {
        FindingKind::GlobalBounds { global, .. } => Some(global).filter(|&id| !is_given(id)),
        _ => None,
    };
    outcome.findings.iter().find_map(|seen| left(seen.kind))
}

/// The work that the launches of a kernel may still do.
struct Budget {
    left: u64,
    /// What is kept for launches that nobody asked for.
    reserve: u64,
}

impl Budget {
    /// A quarter is kept for variants of the launches that are given.
    fn new(work: u64) -> Budget {
        let reserve = work / 4;
        Budget {
            left: work - reserve,
            reserve,
        }
    }

    /// Adds what was kept.
    fn release(&mut self) {
        self.left = self.left.saturating_add(std::mem::take(&mut self.reserve));
    }

    /// What the next of `remaining` launches may take: a large one leaves the others their share.
    fn share(&self, remaining: u64) -> u64 {
        self.left / remaining.max(1)
    }

    fn spend(&mut self, work: u64) {
        self.left -= work.min(self.left);
    }
}

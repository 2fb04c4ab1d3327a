//! Replays kernels: runs them on the machine under selected launches, to see which of the possible faults happen.
//!
//! `Replay::of_given` runs the launches of the file first, then tail variants of them (`a2lint_launches`). Each
//! runs within a share of one budget, which counts the work of units and never time. What the sanitizer and the
//! hazard tracker report becomes an [`Observation`]; rules turn observations into findings.
//!
//! # Modules
//! - `lib`: `Replay`, `Execution`, the budget, and the run of one launch (`Replay::run_with`).
//! - `by_data`: what depends on contents of tensors that no launch gives.
//! - `guessed`, `trials`: kernels that nothing launches. An observation counts if every guess that executes the
//!   statement shows it and at least two do, or if one guess shows it whose sizes the kernel is written for and which
//!   satisfies the preconditions of all proofs (`Replay::settle`).
//! - `observation`: what was seen, and where. `origins`: a second run that traces undefined data back to the read of
//!   unwritten memory that it came from. `stale`: a run with other values in the leftovers of smaller loads, to
//!   see whether a result depends on them. `nonfinite`: results that are not finite although every operand is.
//! - `outcomes`: how each launch ended, and the first part of a kernel that guesses do not reach ([`Shortfall`]).
//! - `shown`: what is proved before the runs, so that they need not look for it ([`Shown`]).
//! - `left_out`: instructions that a run skipped, and the hazards that their absence may cause.
//! - `numbers`, `step`: one more run for the values that findings show ([`illustrate`]).
//!
//! # What it must not know
//! Rules, and the words of findings.
//!
//! # Where to start reading
//! `Replay::of_given`, `Replay::run_given`, `Replay::note` in `lib.rs`; `guessed::replay`; `trials::agreed`;
//! `observation::of_outcome`.
//!
//! # Invariants
//! - Known launches run with their own sizes where they fit, and smaller ones are marked (`LaunchRun::is_shrunk`;
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
//! Everything that the launches do not show. Runs end by budget (`LaunchOutcome::Cut`); a quarter of the work is
//! reserved for variants, a third of a launch's share for smaller sizes. Runs that trace origins, and runs on
//! other data, together take at most twice the budget, and no run of more than 20,000,000 units of work is
//! traced; what was not traced is marked. A launch with unknown statements is tested only as far as
//! `Outcome::doubts` allows.

// String slices at unchecked positions panic inside of a character; `text::Slice` accepts any position.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod by_data;
mod guessed;
mod last_stores;
mod left_out;
pub mod nonfinite;
mod numbers;
mod observation;
mod origins;
mod outcomes;
mod refilled;
mod relations;
mod shown;
mod stale;
mod step;
mod trials;

pub use numbers::illustrate;
pub use observation::{Event, LastStore, Observation, Origin, Part, Source};
pub use outcomes::{LaunchOutcome, LaunchRun, Shortfall};
pub use shown::Shown;
pub use step::{OperandValues, ScalarValue, Step, view_text};

use a2lint_ir::{
    BLOCK_DIM, GlobalId, GlobalKind, Module, Program, Scalar, ScalarId, SpecialScalar,
};
use a2lint_isa::device::Device;
use a2lint_launches::{
    self as launches, Candidate, LaunchSource, Request, Room, hidden_relations, options,
};
use a2lint_machine::hazards::{self, Hazard};
use a2lint_machine::{
    BoundGlobal, BoundLaunch, End, FindingKind, Options, Outcome, SanitizerFinding, simulate,
};
use origins::Tracker;
use shown::Task;
use stale::{Disturbed, Stale};

/// Minimum work for the replay of one kernel, in a file with few kernels: some tens of milliseconds.
pub const LEAST_WORK: u64 = 200_000;
/// Upper bound on the minima of all kernels of a file together: some seconds.
pub const LEAST_WORK_OF_FILE: u64 = 24 * LEAST_WORK;

/// Upper bound on the work of runs that trace origins and stale data, as a multiple of the budget of their
/// launch.
const MAX_FURTHER: u64 = 2;
/// Largest work of a run that is repeated to trace origins or stale data: about a second.
const MAX_TRACED_WORK: u64 = 20_000_000;

/// A launch that was replayed.
#[derive(Clone, Debug)]
pub struct Execution {
    /// The bound arguments.
    pub bound: BoundLaunch,
    /// The place of the launch in another file of the project.
    pub place: Option<String>,
    /// Whether code that allocates the tensors starts the kernel.
    pub is_by_host: bool,
    /// The number of cores, if the checker chose it.
    pub block_dim: Option<u32>,
    /// Whether the checker chose the sizes.
    pub is_invented: bool,
    /// Whether observations of the launch only confirm findings of other launches.
    pub only_confirms: bool,
    /// Whether the extents of its tensors are given.
    pub has_extents: bool,
    /// Whether the contents of the tensors that may hold indices are given, at least as a distribution.
    pub has_indices: bool,
    /// The scalars that differ from the given launch that it is a variant of; empty for other launches.
    pub changes: Vec<(String, f64)>,
}

impl Execution {
    /// Creates the execution of a requested launch.
    fn asked(bound: &BoundLaunch) -> Execution {
        Execution {
            bound: bound.clone(),
            place: None,
            is_by_host: false,
            block_dim: None,
            is_invented: false,
            only_confirms: false,
            has_extents: true,
            has_indices: bound.globals.iter().all(gives_indices),
            changes: Vec::new(),
        }
    }

    /// Returns its arguments, by names that `--bind` accepts.
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

/// What the runs of one kernel showed.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// The device.
    pub device: Device,
    /// Every launch that was considered, and how it ended.
    pub launches: Vec<LaunchRun>,
    /// The launches that ran.
    pub executions: Vec<Execution>,
    /// Requested launches that did not run, because they are too large or because nothing runs.
    pub not_run: Vec<BoundLaunch>,
    /// Values that the user binds to scalars and symbolic extents.
    pub bindings: Vec<(String, f64)>,
    /// What was seen, without repetitions, in the order of executions and statements.
    pub observations: Vec<Observation>,
    /// Observations of single guesses. They count if the launch satisfies the preconditions of the proofs
    /// ([`Replay::settle`]).
    pub partial: Vec<Observation>,
    /// Why no launch ran, as a clause.
    pub reason: Option<String>,
    /// The first part of the kernel that guesses do not cover.
    pub shortfall: Option<Shortfall>,
    /// Which statements a launch has executed.
    pub executed: Vec<bool>,
    /// Whether a launch ran with drawn contents of tensors.
    pub drew_data: bool,
    /// The leftovers of loads that no result of earlier launches depends on.
    disturbed: Disturbed,
}

impl Replay {
    /// Iterates over the requested launches that ran with given extents.
    pub fn asked(&self) -> impl Iterator<Item = &BoundLaunch> {
        let all = self.executions.iter();
        all.filter(|execution| !execution.is_invented && execution.has_extents)
            .map(|execution| &execution.bound)
    }

    /// Iterates over the requested launches with given extents, including those that did not run.
    pub fn in_sight(&self) -> impl Iterator<Item = &BoundLaunch> {
        self.asked().chain(&self.not_run)
    }

    /// Creates a replay without runs. The known launches are skipped for the given reason, a clause.
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

    /// Accepts observations of single guesses whose launch satisfies the preconditions of all proofs: such a launch
    /// refutes a property like any other.
    pub fn settle(&mut self, is_inside: impl Fn(&BoundLaunch) -> bool) {
        for observation in std::mem::take(&mut self.partial) {
            // One mistake may deadlock at different statements in different launches, so one deadlock is enough.
            let is_known = self.observations.iter().any(|known| {
                let both_stop = known.is_deadlock() && observation.is_deadlock();
                both_stop || known.is_like(&observation)
            });
            if !is_known && is_inside(&self.execution(&observation).bound) {
                self.observations.push(observation);
            }
        }
    }

    /// Adds an observation, unless one like it is known.
    fn add(&mut self, observation: Observation) {
        let mut known = self.observations.iter();
        if !known.any(|known| known.is_like(&observation)) {
            self.observations.push(observation);
        }
    }

    /// Adds the launches and observations of another replay.
    fn absorb(&mut self, mut other: Replay) {
        let before = self.executions.len();
        if before == 0 {
            self.reason = other.reason;
        }
        self.shortfall = other.shortfall.or(self.shortfall);
        by_data::merge(&mut self.executed, &other.executed);
        self.drew_data |= other.drew_data;
        self.disturbed.absorb(other.disturbed);
        self.launches.append(&mut other.launches);
        self.executions.append(&mut other.executions);
        let moved = |mut observation: Observation| {
            observation.execution += before;
            observation
        };
        self.partial.extend(other.partial.into_iter().map(moved));
        for observation in other.observations.into_iter().map(moved) {
            self.add(observation);
        }
    }

    /// Returns whether no launch finished and one ended in a division by zero or a similar fault. Guesses may then show
    /// other faults.
    fn ends_in_faults(&self) -> bool {
        let is_finished = |run: &LaunchRun| run.outcome == LaunchOutcome::Finished;
        let is_fault = |observation: &Observation| {
            matches!(observation.event, Event::Fault(_) | Event::Unset(_))
        };
        !self.launches.iter().any(is_finished) && self.observations.iter().any(is_fault)
    }

    /// Replays a kernel.
    pub fn of(program: &Program, module: &Module, request: &Request) -> Replay {
        Replay::unless(&|| false, program, module, request).unwrap_or_default()
    }

    /// Replays a kernel; `None` if cancelled between two launches.
    pub fn unless(
        is_cancelled: &dyn Fn() -> bool,
        program: &Program,
        module: &Module,
        request: &Request,
    ) -> Option<Replay> {
        let given = launches::given(program, module, request, launches::Shapes::Measured);
        Replay::of_given(
            is_cancelled,
            program,
            module,
            request,
            given,
            Shown::NOTHING,
        )
    }

    /// Replays a kernel of which some properties are proved; `given` are its requested launches ([`launches::given`]).
    /// `None` if cancelled between two launches.
    pub fn of_given(
        is_cancelled: &dyn Fn() -> bool,
        program: &Program,
        module: &Module,
        request: &Request,
        mut given: Vec<Candidate>,
        shown: Shown,
    ) -> Option<Replay> {
        let task = Task { request, shown };
        let mut replay = Replay::default();
        let mut budget = Budget::new(request.work);
        for at in 0..given.len() {
            if is_cancelled() {
                return None;
            }
            let (before, rest) = given.split_at_mut(at);
            let remaining = rest.len() as u64;
            // A launch with the arguments of an earlier one is not run again.
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
                None => replay.run_given(program, task, &mut rest[0], &mut budget, remaining),
            }
        }
        // Launches that only fault show little of the kernel; guesses may show more.
        if replay.executions.is_empty() || replay.ends_in_faults() {
            replay.absorb(guessed::replay(is_cancelled, program, module, task)?);
            return Some(replay);
        }
        let mut variants = launches::variants(program, module, request, &given);
        variants.retain(|variant| given.iter().all(|known| known.bound != variant.bound));
        let (variants, spare) = shown.needed(variants);
        // Variants take the reserve, and what the given launches have left.
        budget.release();
        let mut run = |replay: &mut Replay, variants: Vec<Candidate>| {
            let mut remaining = variants.len() as u64;
            for variant in variants {
                if is_cancelled() {
                    return None;
                }
                let work = budget.share(remaining);
                remaining -= 1;
                budget.spend(replay.run_changed(program, variant, work, task));
            }
            Some(())
        };
        let before = replay.launches.len();
        run(&mut replay, variants)?;
        // Smaller sizes may take a way that larger ones do not.
        if !replay.executes_all(program) || !replay.has_finished(before) {
            run(&mut replay, spare)?;
        }
        replay.leave_to_data(program);
        Some(replay)
    }

    /// Returns whether all launches from one on came to their end.
    fn has_finished(&self, first: usize) -> bool {
        let mut runs = self.launches.iter().skip(first);
        runs.all(|run| run.outcome == LaunchOutcome::Finished)
    }

    /// Runs a requested launch. One that is too large also runs at smaller sizes, and `given` is replaced by the
    /// launch that ran.
    fn run_given(
        &mut self,
        program: &Program,
        task: Task,
        given: &mut Candidate,
        budget: &mut Budget,
        remaining: u64,
    ) {
        // A third is reserved for smaller sizes, in case the run is cut.
        let mut left = budget.share(remaining);
        let work = left - left / 3;
        let taken = self.run(program, given.clone(), work, task);
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
        let stand_ins = given.stand_ins(program, task.request);
        let is_outside = |(stand_in, _): &(Candidate, _)| stand_in.bound.is_err();
        let has_contract = !program.contract.is_empty();
        if has_contract && stand_ins.iter().all(is_outside) {
            self.no_smaller_size();
        }
        let mut stand_ins = stand_ins.into_iter().peekable();
        while let Some((stand_in, reason)) = stand_ins.next() {
            // The largest stand-in comes first and may be cut, too; half is kept for the others.
            let work = match stand_ins.peek() {
                Some(_) => left / 2,
                None => left,
            };
            let before = self.launches.len();
            let taken = self.run_changed(program, stand_in.clone(), work, task);
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
                // The stand-in is recorded in place of the launch that was too large.
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

    /// Adds to the last launch, which was too large, that its contract allows no smaller sizes.
    fn no_smaller_size(&mut self) {
        if let Some(run) = self.launches.last_mut() {
            let reason = "no smaller sizes were found that its contract allows".to_owned();
            let reasons = [run.reason.take(), Some(reason)].into_iter().flatten();
            run.reason = Some(reasons.collect::<Vec<_>>().join("; "));
        }
    }

    /// Records launches that are not started.
    fn skip(&mut self, candidates: &[Candidate], reason: &str) {
        let skipped = |candidate: &Candidate| {
            LaunchRun::of(candidate, LaunchOutcome::Skipped, Some(reason.to_owned()))
        };
        self.launches.extend(candidates.iter().map(skipped));
    }

    /// Creates an empty replay with the reason why nothing ran.
    fn unreplayed(reason: impl Into<String>) -> Replay {
        Replay {
            reason: Some(reason.into()),
            ..Replay::default()
        }
    }

    /// Creates the replay of a run that showed nothing.
    pub fn clean(bound: &BoundLaunch, device: Device) -> Replay {
        Replay {
            device,
            executions: vec![Execution::asked(bound)],
            ..Replay::default()
        }
    }

    /// Creates the replay of a single run that has already taken place.
    pub fn of_run(
        program: &Program,
        bound: &BoundLaunch,
        options: &Options,
        outcome: &Outcome,
        hazards: Vec<Hazard>,
    ) -> Replay {
        let mut replay = Replay::default();
        let execution = Execution::asked(bound);
        let provided = Provided {
            has_extents: true,
            has_data: true,
            is_variant: false,
            is_near: false,
        };
        replay.note(
            program,
            execution,
            provided,
            options,
            outcome,
            hazards,
            u64::MAX,
        );
        replay
    }

    /// Returns the execution of an observation.
    pub fn execution(&self, observation: &Observation) -> &Execution {
        &self.executions[observation.execution]
    }

    /// Runs a launch, and returns the work that it took.
    fn run(&mut self, program: &Program, candidate: Candidate, work: u64, task: Task) -> u64 {
        self.run_with(program, candidate, work, task, |bound, options, tracker| {
            simulate(program, bound, options, tracker)
        })
    }

    /// Same as `run`, for a given launch of which some sizes are changed.
    fn run_changed(
        &mut self,
        program: &Program,
        candidate: Candidate,
        work: u64,
        task: Task,
    ) -> u64 {
        // A relation needs two sizes: one that is changed, and one that the host would change with it.
        match hidden_relations(program, task.request) > 1 {
            true => self.run_related(program, candidate, work, task),
            false => self.run(program, candidate, work, task),
        }
    }

    /// Same as `run`, for sizes that the host may never compute together.
    fn run_related(
        &mut self,
        program: &Program,
        candidate: Candidate,
        work: u64,
        task: Task,
    ) -> u64 {
        let mut replay = Replay::default();
        let taken = replay.run(program, candidate, work, task);
        let broken = relations::first_beyond_order(program, &replay.observations);
        replay.shortfall = broken.map(Shortfall::HiddenRelations);
        relations::keep_any_sizes(program, &mut replay.observations);
        self.absorb(replay);
        taken
    }

    /// Same as `run`, with a function that executes the launch.
    fn run_with(
        &mut self,
        program: &Program,
        candidate: Candidate,
        work: u64,
        task: Task,
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
        let options = options(work, task.request.saturate);
        let is_in_order = task.shown.has_order(&bound) && !shown::has_rings(program);
        let mut tracker = match is_in_order {
            true => hazards::Readings::of_nothing(),
            false => hazards::Readings::new(program, bound.cores),
        };
        let outcome = execute(&bound, &options, &mut tracker);
        let (taken, again) = (outcome.work, needs_origins(&outcome));
        // With invented extents, an access outside of them proves nothing, and its run is dropped.
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
        self.note_executed(&outcome, candidate.has_data);
        let forgotten = tracker.forgotten();
        let hazards = tracker.finish();
        let (end, reason) = LaunchOutcome::of(&outcome.end);
        let reasons = [reason, outcomes::doubted(&outcome.doubts), forgotten];
        let reasons: Vec<String> = reasons.into_iter().flatten().collect();
        let reason = (!reasons.is_empty()).then(|| reasons.join("; "));
        self.launches.push(LaunchRun::of(&candidate, end, reason));
        let provided = Provided {
            has_extents: candidate.has_extents,
            has_data: candidate.has_data,
            is_variant: candidate.source == LaunchSource::Variant,
            is_near: candidate.is_near,
        };
        let execution = Execution {
            bound,
            place: candidate.place().map(str::to_owned),
            is_by_host: candidate.is_by_host(),
            block_dim: candidate.block_dim,
            is_invented: candidate.is_invented,
            only_confirms: false,
            has_extents: candidate.has_extents,
            has_indices: candidate.has_data && candidate.changes.is_empty() && !provided.is_variant,
            changes: candidate.changes,
        };
        let spare = work.saturating_mul(MAX_FURTHER);
        let (further, left_out) = self.note(
            program, execution, provided, &options, &outcome, hazards, spare,
        );
        if let (Some(left_out), Some(run)) = (left_out, self.launches.last_mut()) {
            let reasons = [run.reason.take(), Some(left_out)].into_iter().flatten();
            run.reason = Some(reasons.collect::<Vec<_>>().join("; "));
        }
        taken.saturating_mul(1 + u64::from(again) + further)
    }

    /// Records what an outcome shows beyond what is known. Returns how often the launch was run again to look for
    /// stale data, and what was not examined because it would exceed `spare`.
    #[allow(clippy::too_many_arguments, reason = "everything that a run leaves")]
    fn note(
        &mut self,
        program: &Program,
        execution: Execution,
        provided: Provided,
        options: &Options,
        outcome: &Outcome,
        hazards: Vec<Hazard>,
        spare: u64,
    ) -> (u64, Option<String>) {
        let mut tracker = Tracker::new(program);
        // Tracing slows a run down, so it is done in a second run, and only if there is undefined data.
        if needs_origins(outcome) && outcome.work <= MAX_TRACED_WORK {
            simulate(program, &execution.bound, options, &mut tracker);
        }
        let number = self.executions.len();
        let mut seen = observation::of_outcome(program, &execution.bound, outcome, &tracker);
        if provided.is_variant || execution.is_invented {
            // A buffer that overflows with invented sizes is no fault of the kernel.
            seen.retain(|observation| !matches!(observation.event, Event::Overflow { .. }));
        }
        if !provided.has_extents {
            // Tensors with invented extents need not be stored whole.
            seen.retain(|observation| !matches!(observation.event, Event::Hole { .. }));
        }
        if execution.is_by_host && !program.dialect.has_rows() {
            // The caller allocates bytes: at least as many as the kernel stores, and possibly more.
            let end = |observation: &Observation| match observation.event {
                Event::Hole {
                    global,
                    first,
                    elements,
                    ..
                } => {
                    let shape = &execution.bound.globals[global.index()].shape;
                    let total = shape.iter().product::<i64>();
                    let name = &program.global(global).name;
                    (first + elements == total).then(|| format!("`{name}`[{first}:{total}]"))
                }
                _ => None,
            };
            if let Some(run) = self.launches.last_mut() {
                run.unstored = seen.iter().filter_map(end).collect();
            }
            seen.retain(|observation| end(observation).is_none());
        }
        if provided.is_variant {
            // The scalars of a launch belong together: if one is changed, a quotient may be 0 by design.
            let is_fault = |event: &Event| matches!(event, Event::Fault(_) | Event::Unset(_));
            seen.retain(|observation| !is_fault(&observation.event));
        }
        if execution.is_invented {
            // The host relates the number of cores to other sizes, such as one core or more for each of some parts.
            let of_cores = |observation: &Observation| match observation.event {
                Event::Fault(fault) => asks_cores(program, fault.scalar),
                _ => false,
            };
            seen.retain(|observation| !of_cores(observation));
        }
        if !provided.has_data {
            seen.retain(|observation| self.holds_for_any_data(program, observation));
        }
        if !outcome.faithful {
            // The values may differ from those on the device.
            let overlaps = |seen: &Observation| {
                use FindingKind::{Overlap, SharedLine};
                matches!(seen.kind(), Some(Overlap { .. } | SharedLine { .. }))
            };
            seen.retain(|observation| !overlaps(observation));
        }
        // What is read from the middle of an element is an arbitrary value.
        let is_odd = |seen: &SanitizerFinding| matches!(seen.kind, FindingKind::OddOffset { .. });
        let is_sound = outcome.faithful && !outcome.findings.iter().any(is_odd);
        if is_sound && matches!(outcome.end, End::Finished) && !provided.is_variant {
            let bound = &execution.bound;
            seen.extend(match provided.has_data {
                true => nonfinite::first(program, bound, options, outcome),
                false => nonfinite::of_any_data(program, bound, options, outcome),
            });
        }
        // A run on other data takes about as much work as the first one.
        let runs = spare / outcome.work.max(1);
        let stale = match self.disturbed.are_enough(&outcome.shorter_loads) {
            true => Stale::default(),
            false => stale::of(program, &execution.bound, options, outcome, runs),
        };
        if stale.shows_nothing() {
            self.disturbed.add(&outcome.shorter_loads);
        }
        seen.extend(stale.seen);
        // Of holes that are left: each takes another run.
        if outcome.work <= MAX_TRACED_WORK {
            last_stores::add(program, &execution.bound, options, &mut seen);
        }
        let bereft = left_out::buffers(program, outcome);
        let mut hazards = hazards;
        hazards.retain(|hazard| !left_out::concerns(program, hazard, &bereft));
        hazards.retain(|hazard| {
            !refilled::is_alike(program, hazard) && !refilled::stores_again(program, hazard)
        });
        if execution.is_invented {
            hazards.retain(|hazard| !relations::leaves_tensor(outcome, hazard));
        }
        let mut hazards: Vec<Observation> =
            hazards.into_iter().map(observation::of_hazard).collect();
        if !provided.has_data {
            hazards.retain(|hazard| self.holds_for_any_data(program, hazard));
        }
        seen.extend(hazards);
        if provided.is_variant {
            self.set_apart(&mut seen, number, provided.is_near);
        }
        self.executions.push(execution);
        for mut observation in seen {
            observation.execution = number;
            self.add(observation);
        }
        (stale.runs, stale.left_out)
    }

    /// Moves what a variant shows of its extents, or everything, to the observations that count only inside of all
    /// preconditions: the host may exclude its sizes. After an access outside of a tensor, its data is invented, so
    /// only faults of order remain.
    fn set_apart(&mut self, seen: &mut Vec<Observation>, number: usize, everything: bool) {
        let leaves = |it: &Observation| matches!(it.kind(), Some(FindingKind::GlobalBounds { .. }));
        let is_of_order =
            |it: &Observation| matches!(it.event, Event::Deadlock(_) | Event::Hazard(_));
        if seen.iter().any(leaves) {
            seen.retain(|it| leaves(it) || is_of_order(it));
        }
        let is_apart = |it: &mut Observation| {
            everything || leaves(it) || matches!(it.event, Event::Hole { .. })
        };
        for mut observation in seen.extract_if(.., is_apart) {
            observation.execution = number;
            self.partial.push(observation);
        }
    }
}

/// Returns whether a tensor holds no integers, or a launch says which.
fn gives_indices(tensor: &BoundGlobal) -> bool {
    tensor.dtype.is_float() || tensor.contents.is_given()
}

/// What the user gives of a launch.
#[derive(Clone, Copy)]
struct Provided {
    /// Whether the extents of its tensors are given.
    has_extents: bool,
    /// Whether the contents of its tensors are given, at least as a distribution.
    has_data: bool,
    /// Whether the launch is a variant with tails, of which nothing is given.
    is_variant: bool,
    /// Whether it is a variant of which everything counts inside of all preconditions only.
    is_near: bool,
}

/// Returns whether an expression asks for the number of cores.
fn asks_cores(program: &Program, id: ScalarId) -> bool {
    match program.scalars.get(id) {
        Scalar::Special(SpecialScalar::CubeNum | SpecialScalar::VecNum) => true,
        Scalar::Unary(_, a) => asks_cores(program, a),
        Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => {
            asks_cores(program, a) || asks_cores(program, b)
        }
        _ => false,
    }
}

/// Returns whether an outcome has findings about undefined data, whose origins have to be traced.
fn needs_origins(outcome: &Outcome) -> bool {
    outcome.findings.iter().any(|seen| seen.kind.is_undefined())
}

/// Returns a tensor that an access left and whose extents the program does not fix. Extents of workspaces count
/// as fixed if they depend on the device only.
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

/// The work that the launches of a kernel may still take.
struct Budget {
    left: u64,
    /// Work that is reserved for launches that the checker chooses.
    reserve: u64,
}

impl Budget {
    /// Reserves a quarter of the work for variants of the given launches.
    fn new(work: u64) -> Budget {
        let reserve = work / 4;
        Budget {
            left: work - reserve,
            reserve,
        }
    }

    /// Releases the reserve.
    fn release(&mut self) {
        self.left = self.left.saturating_add(std::mem::take(&mut self.reserve));
    }

    /// Returns the share of the next of `remaining` launches. A large launch leaves the others theirs.
    fn share(&self, remaining: u64) -> u64 {
        self.left / remaining.max(1)
    }

    fn spend(&mut self, work: u64) {
        self.left -= work.min(self.left);
    }
}

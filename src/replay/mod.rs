//! Replay: kernels run on the machine under the launches that are worth it, so that what the
//! analysis holds possible is seen to happen, or not.
//!
//! The launches of the file come first, then tail variants of them (`launches`). Each runs within
//! a share of one budget, counted in work of the units and never in time. What the sanitizer sees
//! becomes a [`Sighting`]; where undefined data is concerned, a second run of the same launch
//! follows it back to the memory it came from (`origins`). Rules turn sightings into findings.

mod expressions;
mod guesses;
mod launches;
mod nonfinite;
mod numbers;
mod origins;
mod sighting;
mod step;
mod variants;

pub use guesses::complete;
pub use numbers::illustrate;
pub use sighting::{Event, Origin, Part, Sighting, Source};
pub use step::{OperandValues, Step, view_text};

use crate::device::Device;
use crate::hazards::{self, Hazard};
use crate::ir::{Module, Program};
use crate::machine::{BoundLaunch, End, FindingKind, Options, Outcome, simulate};
use launches::Candidate;
use origins::Tracker;

/// What decides about the runs.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The device.
    pub device: Device,
    /// Values that the user gives scalars and symbolic extents.
    pub bindings: &'a [(String, f64)],
    /// Whether the machine saturates, see [`Options::saturate`].
    pub saturate: bool,
    /// Work that all runs of a kernel may do together, see [`Options::max_work`].
    pub work: u64,
}

/// Work that the replay of one kernel may take: some tens of milliseconds.
pub const DEFAULT_WORK: u64 = 200_000;
/// Most statements of one run.
const MAX_INSTRUCTIONS: u64 = 400_000;
/// Most bytes of the global tensors of one launch.
const MAX_GLOBAL_BYTES: u64 = 16 << 20;
/// Most bytes of on-chip memories: those of twenty cores that wait for one another.
const MAX_LOCAL_BYTES: u64 = 64 << 20;

/// Most work of a run that is done again to find out where undefined data comes from: a second.
const MAX_TRACED_WORK: u64 = 20_000_000;

/// One launch that was replayed.
#[derive(Clone, Debug)]
pub struct Execution {
    /// Its arguments.
    pub bound: BoundLaunch,
    /// Whether nobody but the checker asks for these sizes.
    pub is_invented: bool,
}

/// What the machine showed of one kernel.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// The launches that ran.
    pub executions: Vec<Execution>,
    /// What was seen, each of it once, in the order of executions and statements.
    pub sightings: Vec<Sighting>,
    /// Why nothing ran, as a clause.
    pub reason: Option<String>,
    /// Whether nothing but guesses ran: they confirm what is found otherwise, and find nothing.
    pub is_guessed: bool,
}

impl Replay {
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
        if program.opaque {
            let reason = "code that could not be evaluated takes part in it";
            return Some(Replay::unreplayed(reason));
        }
        if !launches::is_launched(program, module) {
            return guesses::replay(is_cancelled, program, module, request);
        }
        let mut replay = Replay::default();
        let mut left = request.work;
        for candidate in launches::candidates(program, module, request) {
            if is_cancelled() {
                return None;
            }
            left -= replay
                .run(program, candidate, left, request.saturate)
                .min(left);
            if left == 0 {
                break;
            }
        }
        if replay.executions.is_empty() {
            return Some(Replay::unreplayed("none of its launches can run"));
        }
        Some(replay)
    }

    /// Nothing, and why.
    fn unreplayed(reason: impl Into<String>) -> Replay {
        Replay {
            reason: Some(reason.into()),
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
        let execution = Execution {
            bound: bound.clone(),
            is_invented: false,
        };
        replay.note(program, execution, options, outcome, hazards);
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
        execute: impl FnOnce(&BoundLaunch, &Options, &mut hazards::Tracker) -> Outcome,
    ) -> u64 {
        let options = Options {
            max_instructions: MAX_INSTRUCTIONS,
            max_work: work,
            max_memory: MAX_LOCAL_BYTES,
            saturate,
        };
        let mut tracker = hazards::Tracker::new(program, candidate.bound.cores);
        let outcome = execute(&candidate.bound, &options, &mut tracker);
        let (taken, again) = (outcome.work, needs_origins(&outcome));
        let execution = Execution {
            bound: candidate.bound,
            is_invented: candidate.is_invented,
        };
        if !execution.is_invented || is_within_bounds(&outcome) {
            self.note(program, execution, &options, &outcome, tracker.finish());
        }
        if again { 2 * taken } else { taken }
    }

    /// Takes down what an outcome shows beyond what is known.
    fn note(
        &mut self,
        program: &Program,
        execution: Execution,
        options: &Options,
        outcome: &Outcome,
        hazards: Vec<Hazard>,
    ) {
        let mut tracker = Tracker::new(program);
        if needs_origins(outcome) && outcome.work <= MAX_TRACED_WORK {
            simulate(program, &execution.bound, options, &mut tracker);
        }
        let number = self.executions.len();
        let is_invented = execution.is_invented;
        let mut seen = sighting::of_outcome(program, &execution.bound, outcome, &tracker);
        if is_invented {
            // Extents that nobody asked for have no holes either.
            seen.retain(|sighting| !matches!(sighting.event, Event::Hole { .. }));
        } else if matches!(outcome.end, End::Finished) {
            seen.extend(nonfinite::first(
                program,
                &execution.bound,
                options,
                outcome,
            ));
        }
        seen.extend(hazards.into_iter().map(sighting::of_hazard));
        self.executions.push(execution);
        for mut sighting in seen {
            if !self.sightings.iter().any(|known| known.is_like(&sighting)) {
                sighting.execution = number;
                self.sightings.push(sighting);
            }
        }
    }
}

/// Whether an outcome has findings whose cause lies further back.
fn needs_origins(outcome: &Outcome) -> bool {
    outcome.findings.iter().any(|seen| seen.kind.is_undefined())
}

/// Whether no access left a global tensor. Extents that nobody asked for claim nothing, and what
/// is read beyond them would only lead to more findings (`spec` decision 42).
fn is_within_bounds(outcome: &Outcome) -> bool {
    let leaves = |kind: &FindingKind| matches!(kind, FindingKind::GlobalBounds { .. });
    !outcome.findings.iter().any(|seen| leaves(&seen.kind))
}

//! Runs a kernel on the machine: arguments, questions and results of one run; laws; the debugger.
//!
//! The command line, the Python package, the server for agents and the editors use [`Job`]: they give it
//! [`Arguments`] and [`Questions`], a [`Supervisor`] that may end it, and read a [`Ran`].
//!
//! # Modules
//! - `target`, `kernels`: `FILE[::KERNEL]`, read, configured and traced; which kernel is meant. `spec`: the options of
//!   `run` as text.
//! - `arguments`, `array`, `npy`, `sweep`: values of parameters and tensors, from files, generators and launches.
//! - `launches`: the launches of a file in order, with results passed on. `watch`, `snippet`, `dump`: observers
//!   of a run.
//! - `compare`: results and expected values. `history`: how a wrong element was computed, by repeating the run
//!   twice: once recording the last accesses, to walk back from the store of the element, and once for the
//!   operands on that way.
//! - `laws`: properties that the results of every sound kernel have, one file each. A `Subject` is a launch with
//!   its run; laws make variants of it (other cores, contents, orders) and compare.
//! - `versions`: two versions of a kernel under the same launches: `matching` of parameters, `launches` of both,
//!   `outputs` bit by bit and in exact arithmetic, `verdicts` of their checks.
//! - `debug`: a run that can stop anywhere and go back. `Session` drives a `machine::Stepper`. Its `Log` says
//!   which lane was stepped at each `Instant`, and `Images` are snapshots of the whole machine at some of them;
//!   any instant is reached from the image before it. `stops` says where a run stops (`Exception` lists the
//!   kinds: undefined data, races, `NonFinite`, …), `past` and `who` search backwards, `expression` evaluates
//!   expressions, `races` predicts races, which images do not contain.
//!
//! # What it must not know
//! Output formats and terminals: `a2lint-report` formats a `Ran`, a law's `Tried` and a halted state.
//!
//! # Where to start reading
//! `Job::run` in `lib.rs`; `bind` in `arguments.rs`; `laws::test`; `Session::resume` and `Session::step_back` in
//! `debug/session.rs`; `Watcher::of` in `debug/stops.rs` for what a debugger observes.
//!
//! # Invariants
//! - An instant is the same wherever one comes from (`an_instant_is_the_same_wherever_one_comes_from`), and a run stops
//!   at the same instants both ways (`a_run_stops_at_the_same_instants_both_ways`, both in `tests/it/debug/mod.rs`).
//! - A run of the debugger is the run of the machine (`a_run_is_the_one_of_the_machine` in the same file).
//! - Findings of a run do not depend on the runs before (`findings_of_a_run_do_not_depend_on_the_runs_before` in
//!   `tests/it/run_tool.rs`).
//! - A law holds on every sound kernel, and a broken one is told with numbers (`a_sound_kernel_holds_under_every_law`,
//!   `sound_kernels_hold` in `tests/it/laws.rs`).
//! - Comparison follows NumPy (`tolerances_follow_numpy`); any bytes of a `.npy` file end
//!   (`every_part_of_a_file_and_every_changed_byte_ends`).
//!
//! [`Limits`] end a run (50,000,000 instructions, 60 s, 2 GiB), and the result says so. A law that held in the
//! runs is not proved; one that could not be tried says why. Images are thinned out beyond `debug::Limits`, so
//! that steps back take longer. Races are predicted within 100,000,000 units of work, and the filter says that it
//! may miss some.

// String slices at unchecked positions panic inside of a character; `text::Slice` accepts any position.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod arguments;
mod array;
mod cancel;
mod compare;
pub mod debug;
mod dump;
mod error;
mod history;
mod kernels;
mod launches;
pub mod laws;
mod missed;
mod npy;
mod snippet;
pub mod spec;
mod sweep;
pub mod target;
pub mod versions;
mod watch;

use std::sync::OnceLock;
use std::time::{Duration, Instant};

pub use arguments::{Arguments, Bound, Which, any_tensor, bind, tensor};
pub use array::{Array, Values, describe};
pub use cancel::{Cancel, CancelOnDrop};
pub use compare::{
    Comparison, Difference, Differences, Exact, Expected, Results, Tolerance, Verdict, compare,
    coordinates,
};
pub use dump::{Dump, Seen, memory_of};
pub use error::RunError;
pub use history::{History, Writer};
pub use kernels::{kernel, kernel_at};
pub use launches::each_launch;
pub use missed::{Missed, Unseen};
pub use npy::{
    NpyError, Written, is_archive, read as read_array, read_values, write as write_arrays,
};
pub use sweep::sweep;
pub use watch::Supervisor;

use dump::DumpWatch;
use snippet::Snippet;
use spec::{DumpSpec, Lines, Occasion};
use watch::Watcher;

use crate::target::Target;
use a2lint_ir::finding::Finding;
use a2lint_ir::{Module, Program};
use a2lint_lint::check::FileReport;
use a2lint_lint::check::{Advice, Settings, advice, findings_of_run};
use a2lint_machine::hazards::Readings;
use a2lint_machine::{Clock, End, Estimate, Following, Options, Outcome, Threads, simulate};
use a2lint_project::SourceMap;
use a2lint_replay::Step;

/// Limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Upper bound on the instructions of all lanes together.
    pub instructions: u64,
    /// Upper bound on the wall time in seconds.
    pub seconds: f64,
    /// Upper bound on the bytes of global tensors, and on those of on-chip memories.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            instructions: 50_000_000,
            seconds: 60.0,
            memory: 2 << 30,
        }
    }
}

/// What a run records beside its results.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// The lines whose statements are recorded; the run ends after them.
    pub lines: Option<Lines>,
    /// Values to record.
    pub dumps: Vec<DumpSpec>,
    /// The executions to watch.
    pub occasion: Occasion,
    /// Names of tensors that are loaded without L2.
    pub bypass_l2: Vec<String>,
    /// Whether the whole timeline is kept.
    pub is_recording: bool,
    /// Whether exact values are followed beside the floats, and compared in their place.
    pub is_exact: bool,
}

/// A kernel with its arguments and questions.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The file.
    pub file: &'a FileReport,
    /// The traced file.
    pub module: &'a Module,
    /// Maps spans to the files that were evaluated.
    pub map: &'a SourceMap,
    /// The settings for the file.
    pub settings: &'a Settings,
    /// Set once the kernel is known to have no errors but those that a run shows.
    pub spotless: Option<&'a OnceLock<()>>,
    /// The kernel.
    pub program: &'a Program,
    /// The arguments.
    pub bound: &'a Bound,
    /// What to record.
    pub questions: &'a Questions,
    /// Limits of the run.
    pub limits: Limits,
}

/// The results of a run.
#[derive(Debug)]
pub struct Ran {
    /// How the run ended, and the contents of memory.
    pub outcome: Outcome,
    /// Findings about the run.
    pub findings: Vec<Finding>,
    /// Executions of the watched statements.
    pub steps: Vec<Step>,
    /// Watched statements without a watched execution.
    pub unseen: Vec<Unseen>,
    /// Requested values.
    pub dumps: Vec<Dump>,
    /// The time on the device by the cost model.
    pub estimate: Estimate,
    /// Wall time in seconds.
    pub seconds: f64,
}

impl<'a> Job<'a> {
    /// Prepares the run of a target's kernel.
    pub fn of(
        target: &'a Target,
        program: &'a Program,
        bound: &'a Bound,
        questions: &'a Questions,
        limits: Limits,
    ) -> Job<'a> {
        Job {
            file: &target.report,
            module: &target.module,
            map: &target.map,
            settings: &target.settings,
            spotless: target.spotless(program),
            program,
            bound,
            questions,
            limits,
        }
    }

    /// Runs the kernel.
    pub fn run(&self, supervisor: &mut dyn Supervisor) -> Result<Ran, RunError> {
        let start = Instant::now();
        let mut watcher = self.watcher(start, supervisor)?;
        let options = self.options();
        let outcome = simulate(self.program, &self.bound.launch, &options, &mut watcher);
        let seconds = start.elapsed().as_secs_f64();
        let (steps, unseen) = watcher.snippet.map(Snippet::finish).unwrap_or_default();
        let findings = findings_of_run(
            self.map,
            self.module,
            self.program,
            &self.bound.launch,
            &options,
            &outcome,
            watcher.hazards.finish(),
            self.spotless.unwrap_or(&OnceLock::new()),
        );
        Ok(Ran {
            findings,
            steps,
            unseen,
            dumps: watcher.dumps.into_iter().map(DumpWatch::finish).collect(),
            estimate: watcher.clock.estimate(),
            outcome,
            seconds,
        })
    }

    /// Compares a tensor with expected values. If it differs, the run is repeated to find out how the first wrong
    /// element was computed.
    ///
    /// # Errors
    /// [`RunError::RoundedReference`] if exact results differ from a reference whose own rounding may be the reason.
    pub fn compared(
        &self,
        ran: &Ran,
        expected: Expected,
        tolerance: Tolerance,
        supervisor: &mut dyn Supervisor,
    ) -> Result<Comparison, RunError> {
        let id = any_tensor(self.program, &expected.name)?;
        let Some(memory) = ran.outcome.globals.get(id.index()) else {
            return Ok(Comparison {
                name: expected.name,
                path: expected.source,
                is_exact: self.questions.is_exact,
                verdict: Verdict::Missing,
                history: None,
            });
        };
        let global = &self.bound.launch.globals[id.index()];
        let dtype = global.dtype;
        let expected = match self.program.toolchain.launches.reads_extents {
            true => expected,
            false => expected.flat(),
        };
        let mut found = match self.questions.is_exact && dtype.is_float() {
            true => {
                let rounded = expected.rounded();
                let found = compare(&Exact(dtype, memory), &global.shape, expected, tolerance);
                match rounded.filter(|_| !found.agrees()) {
                    Some(error) => return Err(error),
                    None => found,
                }
            }
            false => compare(&(dtype, memory), &global.shape, expected, tolerance),
        };
        if let Some(element) = found.first_wrong() {
            found.history = Some(self.history(id, element, supervisor));
        }
        Ok(found)
    }

    /// Returns what would make the kernel faster in this launch; empty if the run shows a fault.
    pub fn advice(&self, ran: &Ran) -> Advice {
        let is_sound = ran.findings.is_empty() && ran.outcome.doubt().is_none();
        if !is_sound || ran.outcome.end != End::Finished {
            return Advice::default();
        }
        let (module, bound) = (self.module, self.bound);
        let (launch, device) = (&bound.launch, bound.device);
        advice(
            self.map,
            module,
            self.program,
            launch,
            device,
            self.settings,
        )
    }

    /// Returns the time at which the run is stopped.
    pub fn deadline(&self, start: Instant) -> Instant {
        start + Duration::from_secs_f64(self.limits.seconds)
    }

    /// Returns the options of the machine.
    pub fn options(&self) -> Options {
        Options {
            max_instructions: self.limits.instructions,
            max_memory: self.limits.memory,
            saturate: self.settings.saturate,
            threads: Threads::available(),
            following: match self.questions.is_exact {
                true => Following::Values,
                false => Following::Nothing,
            },
            ..Options::default()
        }
    }

    fn watcher<'w>(
        &'w self,
        start: Instant,
        supervisor: &'w mut dyn Supervisor,
    ) -> Result<Watcher<'w>, RunError> {
        let program = self.program;
        let questions = self.questions;
        let dumps = questions.dumps.iter();
        let dumps = dumps.map(|spec| DumpWatch::new(self.map, program, &questions.occasion, spec));
        let cores = self.bound.launch.cores;
        let mut clock = Clock::new(program, cores, questions.is_recording);
        for name in &questions.bypass_l2 {
            clock.bypass(tensor(program, name)?);
        }
        let snippet = |lines| Snippet::new(self.map, program, &questions.occasion, lines);
        Ok(Watcher {
            deadline: self.deadline(start),
            supervisor,
            clock,
            snippet: questions.lines.as_ref().map(snippet),
            dumps: dumps.collect::<Result<_, _>>()?,
            hazards: Readings::new(program, cores),
        })
    }
}

//! `a2lint run`.

mod args;
mod compare;
mod dump;
mod interrupt;
mod launch;
mod npy;
mod progress;
mod snippet;
mod spec;
mod watch;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

pub use args::{InputArgs, LimitArgs, RunArgs};
use compare::{Tolerance, compare};
use dump::DumpWatch;
use interrupt::Interrupt;
use launch::Bound;
pub use launch::{bind, kernel};
use progress::ProgressLine;
use snippet::Snippet;
use spec::Lines;
pub use spec::binding;
use watch::Watcher;

use super::output::Streams;
use super::target::Target;
use super::{Failure, Status};
use crate::check::findings_of_run;
use crate::hazards::{Hazard, Tracker};
use crate::ir::{GlobalId, Program};
use crate::machine::{
    BoundLaunch, Clock, End, Estimate, LaunchError, Options, Outcome, memory::Memory, simulate,
};
use crate::report::run::{self, Comparison, RunReport};

/// Why a kernel cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Several kernels, none of them launched.
    #[error("{path} has several kernels: {names}; name one as {path}::KERNEL")]
    SeveralKernels {
        /// The file.
        path: String,
        /// The kernels.
        names: String,
    },
    /// Lines without instructions.
    #[error("{path}: {reason}")]
    NoStatements {
        /// The file.
        path: String,
        /// Where the lines are, and what there is instead.
        reason: String,
    },
    /// An option names a parameter that the kernel does not have.
    #[error("the kernel `{kernel}` has no {kind} parameter `{name}`; {hint}")]
    NoParameter {
        /// The kernel.
        kernel: String,
        /// The name.
        name: String,
        /// What it was taken for.
        kind: &'static str,
        /// What it has instead.
        hint: String,
    },
    /// An impossible launch.
    #[error("the kernel `{kernel}` cannot be launched: {cause}")]
    Launch {
        /// The kernel.
        kernel: String,
        /// The reason.
        cause: LaunchError,
    },
    /// An unreadable tensor.
    #[error(transparent)]
    Npy(#[from] npy::NpyError),
    /// A dump after a line on which nothing happens.
    #[error(
        "--dump: `{kernel}` executes no instruction on line {line} that computes or moves anything"
    )]
    NoDumpStatement {
        /// The kernel.
        kernel: String,
        /// The line.
        line: usize,
    },
    /// A dump of something that is not there.
    #[error("--dump: `{kernel}` has no tensor or variable `{name}`{hint}")]
    NoDumpValue {
        /// The kernel.
        kernel: String,
        /// The name.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// Options that choose an execution, with nothing to watch.
    #[error(
        "--iteration, --core and --lane need something to watch: FILE:LINE, FILE:FIRST-LAST or --dump"
    )]
    NoSnippet,
    /// Options about results, with a snippet.
    #[error("--output and --expect need a whole run: name no lines")]
    NoResults,
}

/// Runs a kernel, or the statements on some lines of one.
pub fn run(args: &RunArgs, streams: &Streams) -> Result<Status, Failure> {
    let (path, lines) = spec::split_lines(&args.target);
    check_mode(args, lines)?;
    let target = Target::open(path)?;
    let program = match lines {
        Some(lines) => launch::kernel_at(&target, lines)?,
        None => launch::kernel(&target)?,
    };
    check_names(program, args)?;
    let limit = args.limits.max_memory;
    let bound = launch::bind(&target, program, &args.inputs, limit, lines.is_some())?;
    warn_of_contract(program, &bound.launch, streams);
    let job = Job {
        args,
        target: &target,
        program,
        bound: &bound,
    };
    job.run(lines, streams)
}

/// Says what of the kernel's contract a launch breaks. It runs all the same: who asks for it may want to
/// see what the contract is there for.
fn warn_of_contract(program: &Program, launch: &BoundLaunch, streams: &Streams) {
    for breach in program.contract.breaches(&launch.given(program)) {
        let (name, clause) = (&program.name, breach.clause());
        streams.warn(&format!(
            "this launch breaks the contract of `{name}`: {clause}"
        ));
    }
}

/// Makes sure that options fit what is run: a kernel, or statements of it.
fn check_mode(args: &RunArgs, lines: Option<Lines>) -> Result<(), RunError> {
    let wants_results = !args.output.is_empty() || !args.expect.is_empty();
    match lines {
        None if args.occasion.is_given() && args.dump.is_empty() => Err(RunError::NoSnippet),
        Some(_) if wants_results => Err(RunError::NoResults),
        _ => Ok(()),
    }
}

/// Makes sure that tensors which are asked for exist before anything runs.
fn check_names(program: &Program, args: &RunArgs) -> Result<(), RunError> {
    for (name, _) in args.output.iter().chain(&args.expect) {
        launch::tensor(program, name)?;
    }
    Ok(())
}

/// One run.
struct Job<'a> {
    args: &'a RunArgs,
    target: &'a Target,
    program: &'a Program,
    bound: &'a Bound,
}

impl Job<'_> {
    fn run(&self, lines: Option<Lines>, streams: &Streams) -> Result<Status, Failure> {
        let start = Instant::now();
        let mut watcher = self.watcher(lines, start)?;
        let outcome = self.simulate(&mut watcher);
        let seconds = start.elapsed().as_secs_f64();
        let Watcher {
            snippet,
            dumps,
            clock,
            progress,
            hazards,
            ..
        } = watcher;
        drop(progress);
        let (steps, unseen) = snippet.map(Snippet::finish).unwrap_or_default();
        let estimate = clock.estimate();
        let mut report = RunReport {
            steps,
            unseen,
            dumps: dumps.into_iter().map(DumpWatch::finish).collect(),
            ..self.report(&outcome, hazards.finish(), seconds)?
        };
        self.write_outputs(&outcome)?;
        if let Some(path) = &self.args.timeline {
            self.write_timeline(path, &estimate, streams)?;
        }
        report.estimate = estimate;
        match self.args.json {
            true => streams.write(&run::render_json(&report))?,
            false => {
                let text = run::render(&report, streams.page);
                streams.show(self.target.unit.in_words(&text))?;
            }
        }
        Ok(status(&report))
    }

    fn watcher(&self, lines: Option<Lines>, start: Instant) -> Result<Watcher<'_>, RunError> {
        let (source, program) = (&self.target.report.source, self.program);
        let occasion = &self.args.occasion;
        let dumps = self.args.dump.iter();
        let dumps = dumps.map(|spec| DumpWatch::new(source, program, occasion, spec));
        let is_recording = self.args.timeline.is_some();
        let mut clock = Clock::new(program, self.launch().cores, is_recording);
        for name in &self.args.bypass_l2 {
            clock.bypass(launch::tensor(program, name)?);
        }
        Ok(Watcher {
            deadline: start + Duration::from_secs_f64(self.args.limits.max_seconds),
            interrupt: Interrupt::listen(),
            progress: ProgressLine::new(start),
            clock,
            snippet: lines.map(|lines| Snippet::new(source, program, occasion, lines)),
            dumps: dumps.collect::<Result<_, _>>()?,
            hazards: Tracker::new(program, self.launch().cores),
        })
    }

    fn write_timeline(
        &self,
        path: &Path,
        estimate: &Estimate,
        streams: &Streams,
    ) -> Result<(), Failure> {
        let written = File::create(path).and_then(|file| {
            let source = &self.target.report.source;
            let mut file = BufWriter::new(file);
            run::write_timeline(&mut file, source, self.program, estimate)?;
            file.flush()
        });
        let dropped = estimate.slices_left_out;
        if dropped > 0 {
            streams.remark(&format!(
                "the timeline leaves out the last {dropped} slices\n"
            ));
        }
        written.map_err(|cause| Failure::Output {
            path: path.display().to_string(),
            cause,
        })
    }

    fn simulate(&self, watcher: &mut Watcher) -> Outcome {
        simulate(self.program, self.launch(), &self.options(), watcher)
    }

    fn options(&self) -> Options {
        Options {
            max_instructions: self.args.limits.max_instructions,
            max_memory: self.args.limits.max_memory,
            saturate: self.target.settings.saturate,
            ..Options::default()
        }
    }

    fn launch(&self) -> &BoundLaunch {
        &self.bound.launch
    }

    /// Everything but the watched statements.
    fn report<'r>(
        &'r self,
        outcome: &'r Outcome,
        hazards: Vec<Hazard>,
        seconds: f64,
    ) -> Result<RunReport<'r>, RunError> {
        Ok(RunReport {
            file: &self.target.report,
            program: self.program,
            bound: self.launch(),
            origin: self.bound.origin.clone(),
            device: self.args.inputs.device.or(&self.target.settings),
            outcome,
            findings: findings_of_run(
                &self.target.unit,
                &self.target.report.analysis.module,
                self.program,
                self.launch(),
                &self.options(),
                outcome,
                hazards,
            ),
            outputs: run::outputs(self.program),
            comparisons: self.comparisons(outcome)?,
            steps: Vec::new(),
            unseen: Vec::new(),
            dumps: Vec::new(),
            estimate: Estimate::default(),
            seconds,
        })
    }

    fn comparisons(&self, outcome: &Outcome) -> Result<Vec<Comparison>, RunError> {
        let tolerance = Tolerance {
            relative: self.args.rtol,
            absolute: self.args.atol,
        };
        let mut comparisons = Vec::new();
        for (name, path) in &self.args.expect {
            let id = launch::tensor(self.program, name)?;
            let Some(memory) = outcome.globals.get(id.index()) else {
                continue;
            };
            let global = &self.launch().globals[id.index()];
            let expected = npy::read(path, self.args.limits.max_memory)?;
            let verdict = compare(global, memory, expected.into_type(global.dtype), tolerance);
            comparisons.push(Comparison {
                name: name.clone(),
                path: path.display().to_string(),
                verdict,
            });
        }
        Ok(comparisons)
    }

    fn write_outputs(&self, outcome: &Outcome) -> Result<(), Failure> {
        for (name, path) in &self.args.output {
            let id = launch::tensor(self.program, name)?;
            if let Some(memory) = outcome.globals.get(id.index()) {
                self.write_output(path, id, memory)?;
            }
        }
        Ok(())
    }

    fn write_output(&self, path: &Path, id: GlobalId, memory: &Memory) -> Result<(), Failure> {
        let global = &self.launch().globals[id.index()];
        npy::write(path, global, memory).map_err(|cause| Failure::Output {
            path: path.display().to_string(),
            cause,
        })
    }
}

fn status(report: &RunReport) -> Status {
    match report.outcome.end {
        End::Refused(_) => Status::Unusable,
        _ if !report.outcome.doubts.is_empty() => Status::Unusable,
        _ if report.is_clean() => Status::Clean,
        _ => Status::Findings,
    }
}

//! `a2lint run`: simulation of a kernel.

mod args;
pub(super) mod interrupt;
mod progress;

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

pub use args::{GivenArgs, InputArgs, LimitArgs, RunArgs};
use interrupt::Interrupt;
use progress::ProgressLine;

use super::output::Streams;
use super::target::Target;
use super::{Failure, Status};
use a2lint_ir::Program;
use a2lint_machine::{BoundLaunch, End, Progress, memory::Memory};
use a2lint_report::run::{self, RunReport};
use a2lint_run::spec::{self, Lines, Subject};
use a2lint_run::{
    self as engine, Bound, Comparison, Expected, Job, Questions, Ran, RunError, Supervisor,
    Tolerance, Verdict, Which, Written, any_tensor,
};
use a2lint_source::disk::{self, Named};

/// Runs a kernel, or the statements on some of its lines.
pub fn run(args: &RunArgs, streams: &Streams) -> Result<Status, Failure> {
    check_mode(args, spec::split_lines(&args.target).1.is_some())?;
    let (target, lines) = Target::open_at(&args.target)?;
    if args.inputs.given.launch == Some(Which::All) && lines.is_none() {
        return run_all(args, &target, streams);
    }
    let program = match &lines {
        Some(lines) => engine::kernel_at(&target, lines)?,
        None => engine::kernel(&target)?,
    };
    check_names(program, args)?;
    let arguments = args.inputs.arguments();
    let limit = args.limits.max_memory;
    let bound = engine::bind(&target, program, &arguments, limit, lines.is_some())?;
    let questions = questions(args, lines);
    let face = Face { args, streams };
    let job = face.job(&target, program, &bound, &questions);
    let shown = face.run(&job)?;
    face.show(&face.text(&job, &shown))?;
    Ok(status(&shown.report(&job)))
}

/// Runs every launch of a file in order. Results of a launch become input of those that use them.
fn run_all(args: &RunArgs, target: &Target, streams: &Streams) -> Result<Status, Failure> {
    let questions = questions(args, None);
    let face = Face { args, streams };
    let (mut worst, mut reports, mut texts) = (Status::Clean, Vec::new(), Vec::new());
    let limit = args.limits.max_memory;
    engine::each_launch(
        target,
        &args.inputs.arguments(),
        limit,
        &mut |program, bound| {
            let job = face.job(target, program, bound, &questions);
            let shown = face.run(&job)?;
            let report = shown.report(&job);
            worst = worst.max(status(&report));
            match args.json {
                true => reports.push(run::json_value(&report)),
                false => texts.push(face.text(&job, &shown)),
            }
            Ok::<_, Failure>(shown.ran.outcome)
        },
    )?;
    face.show(&match args.json {
        true => run::render_all_json(reports),
        false => texts.join("\n"),
    })?;
    Ok(worst)
}

/// Returns what is to be observed in a run.
fn questions(args: &RunArgs, lines: Option<Lines>) -> Questions {
    let expected = args.expect.iter().filter_map(|(subject, _)| match subject {
        Subject::Value(spec) => Some(spec.clone()),
        Subject::Tensor(_) => None,
    });
    Questions {
        lines,
        dumps: args.dump.iter().cloned().chain(expected).collect(),
        occasion: args.occasion.occasion(),
        bypass_l2: args.bypass_l2.clone(),
        is_recording: args.timeline.is_some(),
        is_exact: args.exact,
    }
}

/// Warns about clauses of the kernel's contract that a launch violates. The launch still runs, because the user may
/// want to see what happens.
fn warn_of_contract(program: &Program, launch: &BoundLaunch, streams: &Streams) {
    for breach in program.contract.breaches(&launch.given(program)) {
        let (name, clause) = (&program.name, breach.clause());
        streams.warn(&format!(
            "this launch breaks the contract of `{name}`: {clause}"
        ));
    }
}

/// Checks that the options fit the mode, which is a run of a kernel or of statements.
fn check_mode(args: &RunArgs, has_lines: bool) -> Result<(), RunError> {
    let is_tensor = |(subject, _): &(Subject, PathBuf)| matches!(subject, Subject::Tensor(_));
    let wants_results = !args.output.is_empty() || args.expect.iter().any(is_tensor);
    if args.exact && !args.expect.iter().any(is_tensor) {
        return Err(RunError::NothingExact);
    }
    let watches_value = !args.dump.is_empty() || !args.expect.iter().all(is_tensor);
    let (files, dumps) = (args.output_dump.len(), args.dump.len());
    if files > dumps {
        return Err(RunError::DumpFiles { files, dumps });
    }
    if args.inputs.given.launch == Some(Which::All) {
        let given = [
            (!args.output.is_empty(), "--output"),
            (!args.expect.is_empty(), "--expect"),
            (!args.dump.is_empty(), "--dump"),
            (args.timeline.is_some(), "--timeline"),
        ];
        if let Some((_, option)) = given.into_iter().find(|(is_given, _)| *is_given) {
            return Err(RunError::OneFile { option });
        }
    }
    match has_lines {
        false if args.occasion.occasion().is_given() && !watches_value => Err(RunError::NoSnippet),
        true if wants_results => Err(RunError::NoResults),
        _ => Ok(()),
    }
}

/// Checks before the run that the tensors in the options exist.
fn check_names(program: &Program, args: &RunArgs) -> Result<(), RunError> {
    let expected = args.expect.iter().filter_map(|(subject, _)| match subject {
        Subject::Tensor(name) => Some(name),
        Subject::Value(_) => None,
    });
    for name in args.output.iter().map(|(name, _)| name).chain(expected) {
        any_tensor(program, name)?;
    }
    Ok(())
}

/// Ctrl-C handling and the progress bar of a run.
pub struct Terminal {
    interrupt: Interrupt,
    progress: ProgressLine,
}

impl Terminal {
    /// Starts both for a run that begins now.
    pub fn new() -> Terminal {
        Terminal {
            interrupt: Interrupt::listen(),
            progress: ProgressLine::new(Instant::now()),
        }
    }
}

impl Supervisor for Terminal {
    fn is_cancelled(&mut self) -> bool {
        self.interrupt.is_asked()
    }

    fn progress(&mut self, progress: &Progress) {
        self.progress.update(progress);
    }
}

/// The command: its options and its output.
struct Face<'a> {
    args: &'a RunArgs,
    streams: &'a Streams,
}

/// A run with its comparisons.
struct Shown {
    ran: Ran,
    comparisons: Vec<Comparison>,
}

impl Shown {
    fn report<'r>(&'r self, job: &'r Job) -> RunReport<'r> {
        RunReport::of(job, &self.ran, &self.comparisons)
    }
}

impl Face<'_> {
    fn job<'j>(
        &self,
        target: &'j Target,
        program: &'j Program,
        bound: &'j Bound,
        questions: &'j Questions,
    ) -> Job<'j> {
        Job::of(target, program, bound, questions, self.args.limits.limits())
    }

    /// Runs the kernel, compares the results and writes the requested files.
    fn run(&self, job: &Job) -> Result<Shown, Failure> {
        warn_of_contract(job.program, &job.bound.launch, self.streams);
        let expected = self.expected()?;
        let mut terminal = Terminal::new();
        let ran = job.run(&mut terminal)?;
        let comparisons = self.comparisons(job, &ran, expected, &mut terminal)?;
        drop(terminal);
        self.write_outputs(job, &ran)?;
        self.write_dumps(&ran)?;
        if let Some(path) = &self.args.timeline {
            self.write_timeline(job, path, &ran)?;
        }
        Ok(Shown { ran, comparisons })
    }

    fn show(&self, text: &str) -> Result<(), Failure> {
        match self.args.json {
            true => self.streams.write(text),
            false => self.streams.show(text.to_owned()),
        }
    }

    fn text(&self, job: &Job, shown: &Shown) -> String {
        let report = shown.report(job);
        match self.args.json {
            true => run::render_json(&report),
            false => {
                let text = run::render(&report, self.streams.page);
                job.map.in_words(&text)
            }
        }
    }

    /// Reads the expected values, before anything runs.
    fn expected(&self) -> Result<Vec<(Subject, Expected)>, RunError> {
        let expected = self.args.expect.iter().map(|(subject, path)| {
            let name = match subject {
                Subject::Tensor(name) => name.clone(),
                Subject::Value(spec) => spec.to_string(),
            };
            let (shape, values) = engine::read_values(path, &name, self.args.limits.max_memory)?;
            let source = path.display().to_string();
            let expected = Expected {
                name,
                source,
                shape,
                values,
            };
            Ok((subject.clone(), expected))
        });
        expected.collect()
    }

    fn comparisons(
        &self,
        job: &Job,
        ran: &Ran,
        expected: Vec<(Subject, Expected)>,
        terminal: &mut Terminal,
    ) -> Result<Vec<Comparison>, RunError> {
        let tolerance = Tolerance {
            relative: self.args.rtol,
            absolute: self.args.atol,
        };
        let mut comparisons = Vec::new();
        // The dumps of `--dump` are first, and those of `--expect` follow.
        let mut values = ran.dumps.iter().skip(self.args.dump.len());
        for (subject, expected) in expected {
            comparisons.push(match subject {
                Subject::Tensor(_) => job.compared(ran, expected, tolerance, terminal)?,
                Subject::Value(_) => {
                    let values = values.next().and_then(|dump| dump.seen.as_ref());
                    match values.and_then(|seen| seen.values.as_ref()) {
                        Some(snapshot) => {
                            let shape = shape_like(snapshot.shape, &expected.shape);
                            engine::compare(snapshot, &shape, expected, tolerance)
                        }
                        None => Comparison {
                            name: expected.name,
                            path: expected.source,
                            is_exact: false,
                            verdict: Verdict::Missing,
                            history: None,
                        },
                    }
                }
            });
        }
        Ok(comparisons)
    }

    fn write_outputs(&self, job: &Job, ran: &Ran) -> Result<(), Failure> {
        let mut files: Vec<(&Path, Vec<Written>)> = Vec::new();
        for (name, path) in &self.args.output {
            let id = any_tensor(job.program, name)?;
            let Some(memory) = ran.outcome.globals.get(id.index()) else {
                continue;
            };
            let global = &job.bound.launch.globals[id.index()];
            let tensor = Written {
                name,
                dtype: global.dtype,
                shape: &global.shape,
                memory,
            };
            let same = |(known, _): &&mut (&Path, Vec<Written>)| *known == path.as_path();
            // Tensors for the same archive are written together, because writing an archive replaces the file.
            match files
                .iter_mut()
                .find(same)
                .filter(|_| engine::is_archive(path))
            {
                Some((_, tensors)) => tensors.push(tensor),
                None => files.push((path, vec![tensor])),
            }
        }
        files
            .iter()
            .try_for_each(|(path, tensors)| write_arrays(path, tensors))
    }

    fn write_dumps(&self, ran: &Ran) -> Result<(), Failure> {
        for (path, dump) in self.args.output_dump.iter().zip(&ran.dumps) {
            let values = dump.seen.as_ref().and_then(|seen| seen.values.as_ref());
            let Some(values) = values else {
                let message = format!("{}: nothing to write: it never executed", path.display());
                self.streams.warn(&message);
                continue;
            };
            let (dtype, memory): (_, Memory) = engine::memory_of(values);
            let tensor = Written {
                name: &dump.name,
                dtype,
                shape: &values.shape.map(|extent| extent as i64),
                memory: &memory,
            };
            write_arrays(path, &[tensor])?;
        }
        Ok(())
    }

    fn write_timeline(&self, job: &Job, path: &Path, ran: &Ran) -> Result<(), Failure> {
        let written = disk::replace(path, &Named::ByUser, |file| {
            let mut file = BufWriter::new(file);
            run::write_timeline(&mut file, job.map, job.program, &ran.estimate)?;
            file.flush()
        });
        let dropped = ran.estimate.slices_left_out;
        if dropped > 0 {
            self.streams.remark(&format!(
                "the timeline leaves out the last {dropped} slices\n"
            ));
        }
        written.map_err(|cause| Failure::Output {
            path: path.display().to_string(),
            cause,
        })
    }
}

/// Returns the shape of an on-chip value in the rank of the expected one: a single row may be given without its axis.
fn shape_like(shape: [usize; 2], expected: &[i64]) -> Vec<i64> {
    let [rows, columns] = shape.map(|extent| extent as i64);
    match (rows, expected.len()) {
        (1, 1) => vec![columns],
        _ => vec![rows, columns],
    }
}

fn write_arrays(path: &Path, tensors: &[Written]) -> Result<(), Failure> {
    engine::write_arrays(path, tensors).map_err(|cause| Failure::Output {
        path: path.display().to_string(),
        cause,
    })
}

/// Returns the exit status for a run.
pub fn status(report: &RunReport) -> Status {
    match report.outcome.end {
        End::Refused(_) => Status::Unusable,
        _ if !report.outcome.doubts.is_empty() => Status::Unusable,
        _ if report.is_clean() => Status::Clean,
        _ => Status::Findings,
    }
}

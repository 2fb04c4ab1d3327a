//! `a2lint check`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use rayon::prelude::*;

use super::args::{CheckArgs, CheckFormat};
use super::files::{self, Candidate, Discovery, InputError};
use super::output::Streams;
use super::{Failure, Status};
use crate::check::{Analysis, Settings, check, worst};
use crate::finding::Severity;
use crate::guard::guard;
use crate::ir::{Module, NotAnalysed};
use crate::language::Language;
use crate::report::{FileReport, Paint, Run, Summary, concise, full, json};
use crate::text::SourceText;

/// Stack of a checking thread: deeply nested sources need more than the usual 2 MiB.
const STACK_BYTES: usize = 16 << 20;

/// Checks what the arguments name.
pub fn run(args: &CheckArgs, streams: &Streams) -> Result<Status, Failure> {
    let start = Instant::now();
    let paths = match args.paths.is_empty() {
        true => vec![PathBuf::from(".")],
        false => args.paths.clone(),
    };
    let discovery = files::discover(&paths, args.stdin_filename.as_deref());
    let outcomes = check_all(&discovery, &settings(args), args)?;
    let candidates = discovery.candidates.len();
    let mut status = Status::Clean;
    for error in &discovery.errors {
        streams.complain(&error.to_string());
        status = Status::Unusable;
    }
    let (reports, trouble) = sort_out(outcomes, streams);
    let run = Run {
        seconds: start.elapsed().as_secs_f64(),
        candidates,
    };
    status = status.max(trouble);
    // Where nothing could be read, the complaints have said it all.
    let summarise = !args.quiet && (status == Status::Clean || !reports.is_empty());
    publish(args, &reports, run, summarise, streams)?;
    Ok(status.max(verdict(args, &reports)))
}

fn settings(args: &CheckArgs) -> Settings {
    Settings {
        device: args.device.device,
        pedantic: args.pedantic,
        select: args.select.clone(),
        extend_select: args.extend_select.clone(),
        ignore: args.ignore.clone(),
    }
}

/// What became of one file.
enum Outcome {
    Checked(FileReport),
    /// Not ours.
    Skipped,
    Refused(InputError),
    /// A panic: the report that tells of it, and its message.
    Crashed(FileReport, String),
}

/// Checks every candidate, in parallel; outcomes come in the order of the candidates.
fn check_all(
    discovery: &Discovery,
    settings: &Settings,
    args: &CheckArgs,
) -> Result<Vec<Outcome>, Failure> {
    let jobs = args.jobs.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .stack_size(STACK_BYTES)
        .build()
        .map_err(|cause| Failure::Threads { jobs, cause })?;
    let one = |candidate| check_one(candidate, settings);
    Ok(pool.install(|| discovery.candidates.par_iter().map(one).collect()))
}

fn check_one(candidate: &Candidate, settings: &Settings) -> Outcome {
    match load(candidate) {
        Ok(Some(source)) => analyse(candidate, source, settings),
        Ok(None) if candidate.explicit => {
            let reason = foreign(candidate.language());
            Outcome::Checked(unanalysed(candidate.shown(), reason))
        }
        Ok(None) => Outcome::Skipped,
        Err(error @ InputError::TooLarge { .. }) if !candidate.explicit => {
            let path = candidate.shown();
            let reason = error.to_string();
            let reason = reason.strip_prefix(&format!("{path}: ")).unwrap_or(&reason);
            Outcome::Checked(unanalysed(path.clone(), reason.to_owned()))
        }
        Err(error) => Outcome::Refused(error),
    }
}

/// Why a file that was named is not for us.
fn foreign(language: Language) -> String {
    match language.markers() {
        [] => "no A2 facade import (`from easyasc.a2 import *`)".to_owned(),
        markers => format!("none of {} in it", markers.join(", ")),
    }
}

/// The text of a candidate; `None` where it uses nothing of ours.
fn load(candidate: &Candidate) -> Result<Option<SourceText>, InputError> {
    let bytes = candidate.read()?;
    match files::concerns_us(candidate.language(), &bytes) {
        true => files::decode(bytes, &candidate.shown()).map(Some),
        false => Ok(None),
    }
}

fn analyse(candidate: &Candidate, source: SourceText, settings: &Settings) -> Outcome {
    let path = candidate.shown();
    match guard(|| check(&source, candidate.language(), settings)) {
        Ok(analysis) => Outcome::Checked(FileReport {
            path,
            source,
            analysis,
        }),
        Err(message) => {
            let report = unanalysed(path, format!("internal error: {message}"));
            Outcome::Crashed(report, message)
        }
    }
}

/// A report that says why a file was not analysed.
fn unanalysed(path: String, reason: String) -> FileReport {
    let module = Module {
        not_analysed: vec![NotAnalysed {
            kernel: None,
            reason,
        }],
        ..Module::default()
    };
    FileReport {
        path,
        source: SourceText::new(""),
        analysis: Analysis {
            module,
            ..Analysis::default()
        },
    }
}

/// Parts reports from trouble, which goes to standard error.
fn sort_out(outcomes: Vec<Outcome>, streams: &Streams) -> (Vec<FileReport>, Status) {
    let mut reports = Vec::new();
    let mut status = Status::Clean;
    for outcome in outcomes {
        match outcome {
            Outcome::Checked(report) => reports.push(report),
            Outcome::Skipped => {}
            Outcome::Refused(error) => {
                streams.complain(&error.to_string());
                status = status.max(Status::Unusable);
            }
            Outcome::Crashed(report, message) => {
                let path = &report.path;
                streams.complain(&format!("internal error while checking {path}: {message}"));
                status = Status::Internal;
                reports.push(report);
            }
        }
    }
    (reports, status)
}

/// Whether the findings fail the check.
fn verdict(args: &CheckArgs, reports: &[FileReport]) -> Status {
    let failing = match args.error_on_warning {
        true => Severity::Warning,
        false => Severity::Error,
    };
    let worst = reports
        .iter()
        .filter_map(|report| worst(&report.analysis.findings))
        .max();
    match worst {
        Some(severity) if severity >= failing && !args.exit_zero => Status::Findings,
        _ => Status::Clean,
    }
}

/// Writes the report where it belongs, and the summary where people see it: below the findings
/// in `full`, on standard error where the report is for programs or goes to a file.
fn publish(
    args: &CheckArgs,
    reports: &[FileReport],
    run: Run,
    summarise: bool,
    streams: &Streams,
) -> Result<(), Failure> {
    if args.verbose {
        streams.remark(&progress(reports));
    }
    let to_file = args.output_file.as_deref();
    let paint = match to_file {
        Some(_) => Paint::Plain,
        None => streams.paint,
    };
    let summary = |paint| match summarise {
        true => Summary::of(reports).text(reports, run, paint),
        false => String::new(),
    };
    let text = match args.output_format {
        CheckFormat::Full => full::render(reports, paint) + &summary(paint),
        CheckFormat::Concise => concise::render(reports, paint),
        CheckFormat::Json => json::render(reports, run),
    };
    match to_file {
        Some(path) => write_file(path, &text)?,
        None => streams.write(&text)?,
    }
    if to_file.is_some() || args.output_format == CheckFormat::Concise {
        streams.remark(&summary(streams.error_paint));
    }
    Ok(())
}

fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|cause| Failure::Output {
        path: files::shown(path),
        cause,
    })
}

/// One line per file.
fn progress(reports: &[FileReport]) -> String {
    let line = |report: &FileReport| {
        let kernels = report.analysis.kernels();
        let findings = report.analysis.findings.len();
        let path = &report.path;
        format!("checked {path}: {kernels} kernels, {findings} findings\n")
    };
    reports.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::args::{Args, Command};
    use crate::finding::{Confidence, Finding};
    use crate::text::Span;

    fn args(options: &[&str]) -> CheckArgs {
        let words = ["a2lint", "check"].iter().chain(options);
        match Args::parse_from(words).command {
            Command::Check(args) => args,
            other => panic!("{other:?}"),
        }
    }

    fn status(severity: Severity, options: &[&str]) -> Status {
        let mut report = unanalysed("k.py".to_owned(), String::new());
        report.analysis.findings.push(Finding {
            code: "CAP001",
            name: "l0c-overflow",
            severity,
            confidence: Confidence::Certain,
            message: String::new(),
            kernel: None,
            span: Span::default(),
            labels: Vec::new(),
            help: None,
            fix: None,
            witness: None,
        });
        verdict(&args(options), &[report])
    }

    #[test]
    fn errors_fail_and_warnings_fail_when_asked_to() {
        assert_eq!(status(Severity::Error, &[]), Status::Findings);
        assert_eq!(status(Severity::Warning, &[]), Status::Clean);
        let strict = ["--error-on-warning"];
        assert_eq!(status(Severity::Warning, &strict), Status::Findings);
        assert_eq!(status(Severity::Info, &strict), Status::Clean);
        assert_eq!(status(Severity::Error, &["--exit-zero"]), Status::Clean);
    }

    #[test]
    fn options_become_settings() {
        let args = args(&[
            "--select",
            "CAP,l0c-overflow",
            "--device",
            "a3",
            "--pedantic",
        ]);
        let settings = settings(&args);
        assert_eq!(settings.select, ["CAP", "l0c-overflow"]);
        assert_eq!(settings.device.name, "a3");
        assert!(settings.pedantic);
    }
}

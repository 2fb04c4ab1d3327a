//! `a2lint check`.

mod args;
mod cached;
mod edit;
mod engine;
mod known;
mod names;
mod programs;
mod progress;
mod publish;
mod show;
mod watch;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

pub use args::{
    BaselineArgs, CacheArgs, CheckArgs, CheckFormat, ConfigArgs, EditArgs, RuleArgs, property,
};
use edit::Next;
pub use engine::check_all;
pub use programs::check_for_program;
pub use publish::write_file;

use super::output::Streams;
use super::{Failure, Status, files};
use a2lint_ir::finding::Severity;
use a2lint_ir::verdict::{self, Verdict};
use a2lint_lint::check::{share_headers, worst};
use a2lint_lint::config::Configs;
use a2lint_report::{FileReport, Links, Run};

/// Checks the files that the arguments name, once or after each change.
pub fn run(args: &CheckArgs, streams: &Streams) -> Result<Status, Failure> {
    match args.watch {
        true => watch::run(args, streams),
        false => once(args, streams),
    }
}

fn once(args: &CheckArgs, streams: &Streams) -> Result<Status, Failure> {
    let start = Instant::now();
    let configs = configs(args)?;
    if args.config.show_settings {
        return show::settings(args, &configs, streams);
    }
    let mut outcome = check_all(args, &configs, streams)?;
    if args.config.show_files {
        return show::files(&outcome, streams);
    }
    names::warn(&args.rules, &outcome, streams);
    if args.baseline.write_baseline || args.baseline.prune_baseline {
        known::update(&args.baseline, &outcome, streams)?;
        return Ok(outcome.status);
    }
    let mut known = known::hide(&mut outcome)?;
    match edit::edit(args, &mut outcome, streams)? {
        Next::Stop(status) => return Ok(status),
        Next::Report if args.edits.fix || args.edits.unsafe_fixes => {
            // Fixed files were checked again, so their findings have to be hidden again.
            let after = known::hide(&mut outcome)?;
            known.hidden = known.hidden.max(after.hidden);
        }
        Next::Report => {}
    }
    known.remind(streams);
    let here = configs.of_folder(&files::absolute(Path::new(".")))?;
    let run = Run {
        seconds: start.elapsed().as_secs_f64(),
        candidates: outcome.candidates,
        hidden: known.hidden,
        all_reasons: args.statistics,
        is_verbose: args.verbose,
        tried_repairs: args.edits.fix || args.edits.unsafe_fixes,
        links: Links {
            base: here.options.docs_url.clone(),
            clickable: streams.clickable && args.output_file.is_none(),
        },
    };
    let status = outcome.status;
    let mut reports: Vec<FileReport> = outcome.files.into_iter().map(|file| file.report).collect();
    // After baselines, which count what each file has.
    share_headers(&mut reports);
    // If no file could be read, the error messages are enough.
    let summarise = !args.quiet && (status == Status::Clean || !reports.is_empty());
    publish::publish(args, &reports, &run, summarise, streams)?;
    for unmet in unmet(args, &reports) {
        streams.complain(&unmet);
    }
    Ok(status.max(verdict(args, &reports)))
}

/// Returns the configurations of folders, overridden by the options.
pub fn configs(args: &CheckArgs) -> Result<Arc<Configs>, Failure> {
    let (options, origin) = args.overrides()?;
    let root = files::absolute(Path::new("."));
    Ok(Arc::new(Configs::new(
        Box::new(a2lint_lint::config::read),
        origin,
        options,
        root,
    )))
}

/// Returns whether `--require-proof` fails: a property is not proved, or a kernel was not analysed.
pub fn lacks_proof(args: &CheckArgs, reports: &[FileReport]) -> bool {
    let Some(wanted) = &args.require_proof else {
        return false;
    };
    let is_wanted = |property| wanted.is_empty() || wanted.contains(&property);
    let is_proved = |verdict: &Verdict| matches!(verdict.status, verdict::Status::Proved { .. });
    reports.iter().any(|report| {
        let mut verdicts = report.analysis.verdicts().flatten();
        !report.analysis.not_analysed.is_empty()
            || verdicts.any(|verdict| is_wanted(verdict.property) && !is_proved(&verdict))
    })
}

/// Says which of the `--require-…` options fails, and for which kernels: no finding does.
fn unmet(args: &CheckArgs, reports: &[FileReport]) -> Vec<String> {
    let analyses = || reports.iter().map(|report| &report.analysis);
    let mut unmet = Vec::new();
    if args.require_complete && !analyses().all(|analysis| analysis.is_complete()) {
        let records = analyses().flat_map(|analysis| &analysis.records);
        let gaps = records.filter_map(|record| {
            let gap = record.gap()?;
            Some(format!("`{}` is {}", record.name, gap.kind.label()))
        });
        let files = analyses().flat_map(|analysis| &analysis.not_analysed);
        let files = files.map(|it| match &it.kernel {
            Some(kernel) => format!("`{kernel}` is not analysed"),
            None => "a file is not analysed whole".to_owned(),
        });
        let all: Vec<String> = gaps.chain(files).collect();
        unmet.push(format!("--require-complete: {}", few(&all)));
    }
    if lacks_proof(args, reports) {
        let lacks = |report: &&FileReport| lacks_proof(args, std::slice::from_ref(report));
        let files: Vec<&str> = reports.iter().filter(lacks).map(|it| &*it.path).collect();
        let what = match files.len() {
            1 => "not everything is proved in",
            _ => "not everything is proved in these files:",
        };
        unmet.push(format!("--require-proof: {what} {}", few(&files)));
    }
    unmet
}

/// Lists the first of some texts.
fn few<T: AsRef<str>>(texts: &[T]) -> String {
    const FEW: usize = 3;
    let named: Vec<&str> = texts.iter().take(FEW).map(AsRef::as_ref).collect();
    let more = match texts.len().saturating_sub(FEW) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    named.join(", ") + &more
}

/// Returns the status for the findings and for the `--require-…` options.
fn verdict(args: &CheckArgs, reports: &[FileReport]) -> Status {
    let failing = match args.error_on_warning {
        true => Severity::Warning,
        false => Severity::Error,
    };
    let worst = reports
        .iter()
        .filter_map(|report| worst(&report.analysis.findings))
        .max();
    let fails = worst.is_some_and(|severity| severity >= failing);
    let is_complete = reports.iter().all(|report| report.analysis.is_complete());
    let is_complete = is_complete || !args.require_complete;
    match fails || !is_complete || lacks_proof(args, reports) {
        true if !args.exit_zero => Status::Findings,
        _ => Status::Clean,
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::args::{Args, Command};
    use a2lint_ir::finding::{Basis, Finding};
    use a2lint_source::text::Span;

    fn args(options: &[&str]) -> CheckArgs {
        let words = ["a2lint", "check"].iter().chain(options);
        match Args::parse_from(words).command {
            Command::Check(args) => *args,
            other => panic!("{other:?}"),
        }
    }

    fn status(severity: Severity, options: &[&str]) -> Status {
        let mut report = engine::unanalysed("k.py".to_owned(), String::new());
        report.analysis.findings.push(Finding {
            code: "CAP001",
            name: "l0c-overflow",
            severity,
            basis: Basis::Constants,
            message: String::new(),
            kernel: None,
            span: Span::default(),
            labels: Vec::new(),
            help: None,
            fix: None,
            witness: None,
            ring: None,
            numbers: None,
            elsewhere: None,
            cause: None,
            also_in: Vec::new(),
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
        let words = [
            "--isolated",
            "--select",
            "CAP,l0c-overflow",
            "--device",
            "a3",
            "--pedantic",
        ];
        let path = Path::new("/p/k.py");
        let configs = configs(&args(&words)).expect("a configuration");
        let settings = configs
            .of_file(path)
            .expect("a configuration")
            .settings(path);
        assert_eq!(settings.select, ["CAP", "l0c-overflow"]);
        assert_eq!(settings.trace.device.name, "a3");
        assert!(settings.pedantic);
    }
}

//! Output of the report and the summary.

use std::io::Write;
use std::path::Path;

use super::args::{CheckArgs, CheckFormat};
use crate::cli::output::Streams;
use crate::cli::{Failure, files};
use a2lint_ir::Uncalled;
use a2lint_report::{
    self as report, FileReport, Page, Run, Summary, agent, concise, examined, full, github, gitlab,
    json, junit, printable, sarif,
};
use a2lint_source::disk::{self, Named};
use a2lint_source::spelling::count;

/// Writes the report to standard output or the output file, and the summary after it. Formats for programs, and
/// reports in a file, have the summary on standard error.
pub fn publish(
    args: &CheckArgs,
    reports: &[FileReport],
    run: &Run,
    summarise: bool,
    streams: &Streams,
) -> Result<(), Failure> {
    let to_file = args.output_file.as_deref();
    let from_stdin = args.edits.fix && args.paths.iter().any(|path| path.as_os_str() == "-");
    let details = if args.verbose {
        progress(reports)
    } else {
        String::new()
    };
    // What a user asks for to read belongs to the report, unless that is for programs.
    let is_read =
        matches!(args.output_format, CheckFormat::Full) && to_file.is_none() && !from_stdin;
    if !is_read {
        streams.remark(&details);
    }
    let page = match to_file {
        Some(_) => Page::PLAIN,
        None => streams.page,
    };
    let summary = |page: Page| match summarise {
        true => page.fit(Summary::of(reports).text(reports, run, page.paint)),
        false => String::new(),
    };
    let text = match args.output_format {
        _ if args.statistics => report::statistics::render(reports, page.paint) + &summary(page),
        CheckFormat::Full if is_read => {
            full::render(reports, run, page) + &page.fit(details) + &summary(page)
        }
        CheckFormat::Full => full::render(reports, run, page) + &summary(page),
        CheckFormat::Concise => concise::render(reports, run, page),
        CheckFormat::Json => json::render(reports, run),
        CheckFormat::Sarif => sarif::render(reports, run),
        CheckFormat::Github => github::render(reports),
        CheckFormat::Gitlab => gitlab::render(reports),
        CheckFormat::Junit => junit::render(reports, run),
        CheckFormat::Agent => agent::render(reports),
    };
    match to_file {
        Some(path) => write_file(path, &Named::ByUser, &page.clean(&text))?,
        // Standard output has the fixed text.
        None if from_stdin => streams.remark(&text),
        None => streams.write(&text)?,
    }
    let for_lines = [CheckFormat::Concise, CheckFormat::Github];
    if to_file.is_some() || for_lines.contains(&args.output_format) {
        streams.remark(&summary(streams.error_page));
    }
    Ok(())
}

/// Replaces a file by a text.
pub fn write_file(path: &Path, named: &Named, text: &str) -> Result<(), Failure> {
    let written = disk::replace(path, named, |file| file.write_all(text.as_bytes()));
    written.map_err(|cause| Failure::Output {
        path: files::shown(path),
        cause,
    })
}

/// Lists the files, with the verdicts on their kernels.
fn progress(reports: &[FileReport]) -> String {
    let text = |report: &FileReport| {
        let kernels = count(report.analysis.kernels, "kernel");
        let findings = count(report.analysis.findings.len(), "finding");
        let (path, tables) = (printable(&report.path), examined::tables(report));
        let others = no_kernels(report);
        format!("checked {path}: {kernels}, {findings}\n{tables}{others}")
    };
    reports.iter().map(text).collect()
}

/// Lists the functions that take global tensors but are not kernels.
fn no_kernels(report: &FileReport) -> String {
    let uncalled = report.analysis.uncalled.iter();
    let alike = uncalled.filter(|function| function.takes_tensors);
    let line = |function: &Uncalled| {
        let (path, name) = (printable(&report.path), printable(&function.name));
        format!(
            "{path}::{name}\n  no kernel  it takes global tensors, but nothing makes it a kernel, and no kernel \
             of this file calls it\n"
        )
    };
    alike.map(line).collect()
}

//! `--fix`, `--diff` and `--add-ignore`: the options with which `check` writes to files.

use similar::TextDiff;

use super::args::{CheckArgs, EditArgs};
use super::engine::{Checked, Outcome, analyse};
use crate::cli::files::Place;
use crate::cli::output::Streams;
use crate::cli::rewrite::rewrite;
use crate::cli::{Failure, Status};
use a2lint_lint::check::check;
use a2lint_lint::repair::{self, Outcome as Repaired, Prices};
use a2lint_report::{FileReport, printable};
use a2lint_rules::fix::{Applicability, apply};
use a2lint_rules::suppress::ignore_edits;
use a2lint_source::guard::guard;
use a2lint_source::spelling::count;
use a2lint_source::text::SourceText;

impl EditArgs {
    /// Returns the applicability of the wanted fixes; `None` if none are wanted.
    fn applicability(&self) -> Option<Applicability> {
        match (self.fix || self.diff, self.unsafe_fixes) {
            (_, true) => Some(Applicability::Unsafe),
            (true, false) => Some(Applicability::Safe),
            (false, false) => None,
        }
    }
}

/// What `check` does after the edits.
pub enum Next {
    /// Report the findings.
    Report,
    /// End with this status.
    Stop(Status),
}

/// Makes the edits that the options ask for. Files that change are checked again.
pub fn edit(args: &CheckArgs, outcome: &mut Outcome, streams: &Streams) -> Result<Next, Failure> {
    if let Some(reason) = &args.edits.add_ignore {
        return add_ignores(outcome, reason, streams);
    }
    match args.edits.applicability() {
        Some(applicability) if args.edits.diff => diff(outcome, applicability, streams),
        Some(applicability) => fix(args, outcome, applicability, streams),
        None => Ok(Next::Report),
    }
}

/// Fixes the text of a file; `None` if no rule offers a fix. A panic counts as no fix.
pub fn fixed(file: &Checked, applicability: Applicability) -> Option<Repaired> {
    let findings = &file.report.analysis.findings;
    let mut findings = findings.iter();
    let may_help = findings.any(|it| it.fix.is_some() || repair::proposes(it.name));
    let (settings, language) = (file.settings(), file.candidate.language());
    let check = |source: &SourceText| check(source, language, &settings);
    let prices = Prices::of(&settings);
    let fix = || {
        let source = &file.report.source;
        repair::fix_file(source, language, applicability, &check, Some(prices))
    };
    may_help.then(|| guard(fix).ok()).flatten()
}

/// Prints each fix on a line, and whether the limit on tries was reached.
fn print_fixes(path: &str, repaired: &Repaired, streams: &Streams) {
    for done in &repaired.fixed.done {
        let safe = if done.safe { "" } else { " (unsafe)" };
        let cost = done.cost.as_ref();
        let cost = cost.map_or(String::new(), |cost| format!(" ({cost})"));
        let (line, rule, title) = (done.line, done.rule, &done.title);
        streams.remark(&format!("{path}:{line}: {rule}: {title}{safe}{cost}\n"));
    }
    if repaired.is_exhausted {
        let tries = repair::MAX_TRIES;
        streams.remark(&format!(
            "{path}: stopped after {tries} tries; there may be more fixes\n"
        ));
    }
}

/// Summarizes the fixes, and how many more `--unsafe-fixes` would apply.
fn sum(verb: &str, (fixes, files): (usize, usize), unsafe_left: usize) -> String {
    let done = match fixes {
        0 => "No safe fix".to_owned(),
        1 => format!("{verb} 1 fix in {}", count(files, "file")),
        _ => format!("{verb} {fixes} fixes in {}", count(files, "file")),
    };
    match unsafe_left {
        0 => format!("{done}\n"),
        left => format!("{done}; --unsafe-fixes would apply {left} more\n"),
    }
}

fn fix(
    args: &CheckArgs,
    outcome: &mut Outcome,
    applicability: Applicability,
    streams: &Streams,
) -> Result<Next, Failure> {
    let (mut fixes, mut files, mut left) = (0, 0, 0);
    for file in &mut outcome.files {
        let repaired = fixed(file, applicability);
        let from_stdin = matches!(file.candidate.place, Place::Stdin(_));
        left += repaired.as_ref().map_or(0, |repaired| repaired.unsafe_left);
        if let Some(repaired) = repaired.filter(|it| !it.fixed.done.is_empty()) {
            fixes += repaired.fixed.done.len();
            files += 1;
            print_fixes(&printable(&file.report.path), &repaired, streams);
            replace(file, &repaired.fixed.text, streams)?;
        } else if from_stdin {
            streams.pass_on(file.report.source.as_str())?;
        }
    }
    let reads_stdin = args.paths.iter().any(|path| path.as_os_str() == "-");
    let has_stdin = |file: &Checked| matches!(file.candidate.place, Place::Stdin(_));
    // An editor replaces its buffer by the output, so a text that is excluded from the check is copied.
    if reads_stdin && !outcome.files.iter().any(has_stdin) {
        streams.pass_on(&std::io::read_to_string(std::io::stdin()).unwrap_or_default())?;
    }
    if fixes > 0 || left > 0 {
        streams.remark(&sum("Applied", (fixes, files), left));
    }
    Ok(Next::Report)
}

/// Writes a new text to the origin of a file, and checks it.
fn replace(file: &mut Checked, text: &str, streams: &Streams) -> Result<(), Failure> {
    match &file.candidate.place {
        Place::Stdin(_) | Place::Text(..) => streams.pass_on(text)?,
        Place::File(path) | Place::Regular(path) => {
            let written = rewrite(path, file.report.source.as_str(), text);
            written.map_err(|cause| Failure::Output {
                path: file.report.path.clone(),
                cause,
            })?;
        }
    }
    let path = file.report.path.clone();
    let language = file.candidate.language();
    let (report, _) = analyse(path, SourceText::new(text), language, &file.settings());
    file.report = report;
    Ok(())
}

fn diff(
    outcome: &Outcome,
    applicability: Applicability,
    streams: &Streams,
) -> Result<Next, Failure> {
    let (mut fixes, mut files, mut left, mut text) = (0, 0, 0, String::new());
    for file in &outcome.files {
        let Some(repaired) = fixed(file, applicability) else {
            continue;
        };
        left += repaired.unsafe_left;
        let fixed = &repaired.fixed;
        if fixed.done.is_empty() {
            continue;
        }
        let path = printable(&file.report.path);
        print_fixes(&path, &repaired, streams);
        let changes = TextDiff::from_lines(file.report.source.as_str(), &fixed.text);
        let mut unified = changes.unified_diff();
        text += &unified
            .header(&format!("a/{path}"), &format!("b/{path}"))
            .to_string();
        fixes += fixed.done.len();
        files += 1;
    }
    streams.write(&text)?;
    if fixes == 0 && left > 0 {
        streams.remark(&sum("Would apply", (0, 0), left));
    }
    if fixes == 0 {
        return Ok(Next::Stop(outcome.status));
    }
    streams.remark(&sum("Would apply", (fixes, files), left));
    Ok(Next::Stop(outcome.status.max(Status::Findings)))
}

fn add_ignores(outcome: &mut Outcome, reason: &str, streams: &Streams) -> Result<Next, Failure> {
    let (mut findings, mut files) = (0, 0);
    for file in &mut outcome.files {
        let language = file.candidate.language();
        let FileReport {
            source, analysis, ..
        } = &file.report;
        if analysis.findings.is_empty() {
            continue;
        }
        let edits = ignore_edits(source, language, &analysis.findings, reason);
        let text = apply(source.as_str(), &edits);
        findings += analysis.findings.len();
        files += 1;
        replace(file, &text, streams)?;
    }
    let (findings, files) = (count(findings, "finding"), count(files, "file"));
    streams.remark(&format!("Silenced {findings} in {files}\n"));
    Ok(Next::Stop(outcome.status))
}

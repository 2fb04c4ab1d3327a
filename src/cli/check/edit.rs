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

/// Formats each fix on a line, and whether the limit on tries was reached.
fn fix_lines(path: &str, repaired: &Repaired) -> String {
    let mut lines = String::new();
    for done in &repaired.fixed.done {
        let safe = if done.safe { "" } else { " (unsafe)" };
        let cost = done.cost.as_ref();
        let cost = cost.map_or(String::new(), |cost| format!(" ({cost})"));
        let (line, rule, title) = (done.line, done.rule, &done.title);
        lines += &format!("{path}:{line}: {rule}: {title}{safe}{cost}\n");
    }
    if repaired.is_exhausted {
        let tries = repair::MAX_TRIES;
        lines += &format!("{path}: stopped after {tries} tries; there may be more fixes\n");
    }
    lines
}

/// The numbers of a run of `--fix` or `--diff`.
#[derive(Default)]
struct Counts {
    /// Fixes that were applied.
    fixes: usize,
    /// Files with such fixes.
    files: usize,
    /// Findings that only `--unsafe-fixes` would repair.
    unsafe_left: usize,
    /// All findings that are left.
    left: usize,
}

impl Counts {
    fn add(&mut self, repaired: &Repaired) {
        self.fixes += repaired.fixed.done.len();
        self.files += usize::from(!repaired.fixed.done.is_empty());
        self.unsafe_left += repaired.unsafe_left;
        self.left += repaired.left;
    }

    /// Summarizes the fixes, how many more `--unsafe-fixes` would apply, and what is left to the author; `None` if
    /// there was nothing to repair.
    fn text(&self, verb: &str) -> Option<String> {
        let unrepaired = self.left.saturating_sub(self.unsafe_left);
        let done = match (self.fixes, self.unsafe_left) {
            (0, 0) if unrepaired == 0 => return None,
            (0, 0) => {
                return Some(format!(
                    "No repair found for {}: nothing that was tried is proved; the help says what to change\n",
                    count(unrepaired, "finding")
                ));
            }
            (0, _) => "No safe fix".to_owned(),
            (1, _) => format!("{verb} 1 fix in {}", count(self.files, "file")),
            (fixes, _) => format!("{verb} {fixes} fixes in {}", count(self.files, "file")),
        };
        let more = match (self.fixes, self.unsafe_left) {
            (_, 0) => String::new(),
            (0, left) => format!("; --unsafe-fixes would apply {left}"),
            (_, left) => format!("; --unsafe-fixes would apply {left} more"),
        };
        let rest = match unrepaired {
            0 => String::new(),
            left => format!("; no repair found for {}", count(left, "finding")),
        };
        Some(format!("{done}{more}{rest}\n"))
    }
}

fn fix(
    args: &CheckArgs,
    outcome: &mut Outcome,
    applicability: Applicability,
    streams: &Streams,
) -> Result<Next, Failure> {
    let mut counts = Counts::default();
    for file in &mut outcome.files {
        let repaired = fixed(file, applicability);
        let from_stdin = matches!(file.candidate.place, Place::Stdin(_));
        match &repaired {
            Some(repaired) => counts.add(repaired),
            None => counts.left += file.report.groups().len(),
        }
        if let Some(repaired) = repaired.filter(|it| !it.fixed.done.is_empty()) {
            streams.remark(&fix_lines(&printable(&file.report.path), &repaired));
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
    if let Some(text) = counts.text("Applied") {
        streams.remark(&text);
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
    let (mut counts, mut text, mut lines) = (Counts::default(), String::new(), String::new());
    for file in &outcome.files {
        let Some(repaired) = fixed(file, applicability) else {
            counts.left += file.report.groups().len();
            continue;
        };
        counts.add(&repaired);
        let fixed = &repaired.fixed;
        if fixed.done.is_empty() {
            continue;
        }
        let path = printable(&file.report.path);
        lines += &fix_lines(&path, &repaired);
        let changes = TextDiff::from_lines(file.report.source.as_str(), &fixed.text);
        let mut unified = changes.unified_diff();
        text += &unified
            .header(&format!("a/{path}"), &format!("b/{path}"))
            .to_string();
    }
    streams.write(&text)?;
    streams.remark(&(lines + &counts.text("Would apply").unwrap_or_default()));
    if counts.fixes == 0 {
        return Ok(Next::Stop(outcome.status));
    }
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

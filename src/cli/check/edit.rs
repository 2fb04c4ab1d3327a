//! `--fix`, `--diff` and `--add-ignore`: what `check` writes.

use similar::TextDiff;

use super::args::{CheckArgs, EditArgs};
use super::engine::{Checked, Outcome, analyse};
use crate::check::check;
use crate::cli::files::Place;
use crate::cli::output::Streams;
use crate::cli::rewrite::rewrite;
use crate::cli::{Failure, Status};
use crate::fix::{Applicability, Fixed, apply, fix_all};
use crate::frontend;
use crate::guard::guard;
use crate::report::{FileReport, count, printable};
use crate::suppress::ignore_edits;
use crate::text::SourceText;

impl EditArgs {
    /// Which fixes are asked for, if any.
    fn applicability(&self) -> Option<Applicability> {
        match (self.fix || self.diff, self.unsafe_fixes) {
            (_, true) => Some(Applicability::Unsafe),
            (true, false) => Some(Applicability::Safe),
            (false, false) => None,
        }
    }
}

/// What remains to be done after the edits.
pub enum Next {
    /// The findings are shown.
    Report,
    /// Nothing.
    Stop(Status),
}

/// Makes the edits that are asked for; files that change are checked again.
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

/// A file's text after its fixes, if they change it. A panic leaves it as it is.
pub fn fixed(file: &Checked, applicability: Applicability) -> Option<Fixed> {
    let findings = &file.report.analysis.findings;
    let fixes = findings.iter().filter_map(|finding| finding.fix.as_ref());
    if !fixes.into_iter().any(|fix| applicability.admits(fix)) {
        return None;
    }
    let (settings, language) = (file.settings(), file.candidate.language());
    let fix = || {
        fix_all(
            &file.report.source,
            applicability,
            |source| check(source, language, &settings).findings,
            |source| frontend::syntax_errors(source, language),
        )
    };
    guard(fix).ok().filter(|fixed| fixed.applied > 0)
}

fn fix(
    args: &CheckArgs,
    outcome: &mut Outcome,
    applicability: Applicability,
    streams: &Streams,
) -> Result<Next, Failure> {
    let (mut fixes, mut files) = (0, 0);
    for file in &mut outcome.files {
        let fixed = fixed(file, applicability);
        let from_stdin = matches!(file.candidate.place, Place::Stdin(_));
        if let Some(fixed) = &fixed {
            fixes += fixed.applied;
            files += 1;
            replace(file, &fixed.text, streams)?;
        } else if from_stdin {
            streams.write(file.report.source.as_str())?;
        }
    }
    let reads_stdin = args.paths.iter().any(|path| path.as_os_str() == "-");
    let has_stdin = |file: &Checked| matches!(file.candidate.place, Place::Stdin(_));
    // An editor takes what comes back for the file: what is excluded comes back as it is.
    if reads_stdin && !outcome.files.iter().any(has_stdin) {
        streams.write(&std::io::read_to_string(std::io::stdin()).unwrap_or_default())?;
    }
    if fixes > 0 {
        let (fixes, files) = (count(fixes, "fix"), count(files, "file"));
        streams.remark(&format!("Applied {fixes} in {files}\n"));
    }
    Ok(Next::Report)
}

/// Writes a new text where the old one came from, and checks it.
fn replace(file: &mut Checked, text: &str, streams: &Streams) -> Result<(), Failure> {
    match &file.candidate.place {
        Place::Stdin(_) | Place::Text(..) => streams.write(text)?,
        Place::File(path) => {
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
    let (mut fixes, mut files, mut text) = (0, 0, String::new());
    for file in &outcome.files {
        let Some(fixed) = fixed(file, applicability) else {
            continue;
        };
        let path = printable(&file.report.path);
        let changes = TextDiff::from_lines(file.report.source.as_str(), &fixed.text);
        let mut unified = changes.unified_diff();
        text += &unified
            .header(&format!("a/{path}"), &format!("b/{path}"))
            .to_string();
        fixes += fixed.applied;
        files += 1;
    }
    streams.write(&text)?;
    if fixes == 0 {
        return Ok(Next::Stop(outcome.status));
    }
    let (fixes, files) = (count(fixes, "fix"), count(files, "file"));
    streams.remark(&format!("Would apply {fixes} in {files}\n"));
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

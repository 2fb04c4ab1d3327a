//! The summary of a check in a few lines.

use super::{FileReport, Links, Paint, examined, printable};
use a2lint_ir::finding::{Finding, Severity};
use a2lint_ir::verdict::Status;
use a2lint_source::spelling::count;

/// Numbers of findings with a fix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fixes {
    /// Findings that `--fix` fixes.
    pub safe: usize,
    /// Findings that `--unsafe-fixes` fixes, but not `--fix`.
    pub not_safe: usize,
}

impl Fixes {
    /// Counts the fix of a finding. Fixes in other files are never applied, so they do not count.
    pub(super) fn add(&mut self, finding: &Finding) {
        let fix = finding.fix.as_ref();
        match fix.filter(|_| finding.elsewhere.is_none()) {
            Some(fix) if fix.safe => self.safe += 1,
            Some(_) => self.not_safe += 1,
            None => {}
        }
    }

    /// Formats the numbers: `2 fixable with --fix, 1 more with --unsafe-fixes`; `None` without a fix.
    pub(super) fn text(self) -> Option<String> {
        let Fixes { safe, not_safe } = self;
        match (safe, not_safe) {
            (0, 0) => None,
            (0, _) => Some(format!("{not_safe} fixable with --unsafe-fixes")),
            (_, 0) => Some(format!("{safe} fixable with --fix")),
            _ => Some(format!(
                "{safe} fixable with --fix, {not_safe} more with --unsafe-fixes"
            )),
        }
    }
}

/// Data of a run apart from its files.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Wall time in seconds.
    pub seconds: f64,
    /// Number of source files, including those without kernels.
    pub candidates: usize,
    /// Number of findings that a baseline hides.
    pub hidden: usize,
    /// Options for links to rules.
    pub links: Links,
    /// Whether every reason for an incomplete examination is listed, rather than only the most frequent ones.
    pub all_reasons: bool,
}

/// Counts over all files of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Files that concern a2lint.
    pub files: usize,
    /// Kernels in these files.
    pub kernels: usize,
    /// Kernels that were analysed.
    pub analysed: usize,
    /// Files of which nothing was analysed.
    pub files_not_analysed: usize,
    /// Other files with parts outside of kernels that were not analysed.
    pub files_in_part: usize,
    /// Kernels that are only for other products.
    pub others: usize,
    /// Files without kernels that are only for other products.
    pub other_files: usize,
    /// Findings that are errors.
    pub errors: usize,
    /// Findings that are warnings.
    pub warnings: usize,
    /// Findings that are notes.
    pub notes: usize,
    /// Findings with a fix.
    pub fixes: Fixes,
    /// Properties of DSL kernels that are proved for every launch.
    pub proved: usize,
    /// Properties that are proved for every launch that satisfies preconditions.
    pub proved_if: usize,
    /// Properties that are only tested: no known launch breaks them.
    pub tested: usize,
    /// Properties that are undecided.
    pub undecided: usize,
    /// Properties that a finding refutes.
    pub refuted: usize,
    /// DSL kernels whose proofs exclude launches in a way that has to be said.
    pub restricted: usize,
}

impl Summary {
    /// Counts the results of all files.
    pub fn of(reports: &[FileReport]) -> Summary {
        let mut summary = Summary {
            files: reports.len(),
            ..Summary::default()
        };
        for report in reports {
            summary.add(report);
        }
        summary
    }

    fn add(&mut self, report: &FileReport) {
        let entries = &report.analysis.not_analysed;
        let kernels = entries
            .iter()
            .filter(|entry| entry.kernel.is_some())
            .count();
        for entry in &report.analysis.other_products {
            *match entry.kernel {
                Some(_) => &mut self.others,
                None => &mut self.other_files,
            } += 1;
        }
        self.analysed += report.analysis.kernels;
        self.kernels += report.analysis.kernels + kernels;
        if entries.len() > kernels {
            *match report.analysis.kernels + kernels {
                0 => &mut self.files_not_analysed,
                _ => &mut self.files_in_part,
            } += 1;
        }
        for (record, verdicts) in report
            .analysis
            .records
            .iter()
            .zip(report.analysis.verdicts())
        {
            self.restricted += usize::from(!record.restrictions(&verdicts).is_empty());
        }
        for verdict in report.analysis.verdicts().flatten() {
            *match verdict.status {
                Status::Proved { under, .. } if under.is_empty() => &mut self.proved,
                Status::Proved { .. } => &mut self.proved_if,
                Status::Tested => &mut self.tested,
                Status::Undecided { .. } => &mut self.undecided,
                Status::Refuted { .. } => &mut self.refuted,
            } += 1;
        }
        for finding in &report.analysis.findings {
            self.fixes.add(finding);
            match finding.severity {
                Severity::Info => self.notes += 1,
                Severity::Warning => self.warnings += 1,
                Severity::Error => self.errors += 1,
            }
        }
    }

    /// Returns whether the run is clean: no findings, nothing left out, and every property of every DSL kernel proved.
    /// Preconditions are allowed if they exclude no launch that anyone would ask for.
    pub fn is_clean(&self) -> bool {
        let found = self.errors + self.warnings + self.notes;
        let files = self.files_not_analysed + self.files_in_part;
        let is_whole = self.kernels == self.analysed && files == 0;
        let is_proved = self.all_proved() && self.restricted == 0;
        self.analysed > 0 && is_whole && found == 0 && is_proved
    }

    /// Returns whether every property is proved, possibly under preconditions.
    fn all_proved(&self) -> bool {
        self.proved + self.proved_if == self.properties()
    }

    /// Returns the number of properties of all DSL kernels.
    fn properties(&self) -> usize {
        self.proved + self.proved_if + self.tested + self.undecided + self.refuted
    }

    /// Renders the closing lines.
    pub fn text(&self, reports: &[FileReport], run: &Run, paint: Paint) -> String {
        let only = examined::restrictions(reports);
        let mut out = self.headline(only.as_deref(), run, paint);
        out.push('\n');
        out.push_str(&self.reading(reports));
        out.push_str(&self.gaps(reports, paint));
        out.push_str(&self.others(reports));
        out.push_str(&examined::lines(reports, run.all_reasons, paint));
        out
    }

    /// Renders the first line; `only` is the restriction of the proofs to some launches, if it has to be said.
    fn headline(&self, only: Option<&str>, run: &Run, paint: Paint) -> String {
        if self.files == 0 {
            let looked = match run.candidates {
                0 => "no kernel sources here".to_owned(),
                1 => "the source here uses neither a kernel DSL nor a mask instruction".to_owned(),
                n => {
                    format!("none of the {n} sources here uses a kernel DSL or a mask instruction")
                }
            };
            return format!("No kernels found: {looked}");
        }
        let scope = self.scope();
        let hidden = match run.hidden {
            0 => String::new(),
            hidden => format!("{hidden} hidden by the baseline, "),
        };
        let seconds = paint.dim(&format!("({hidden}{:.2} s)", run.seconds));
        if self.errors + self.warnings + self.notes > 0 {
            return format!("{}; checked {scope} {seconds}", self.findings(paint));
        }
        if self.kernels == 0 {
            return format!("No kernels found in {scope} {seconds}");
        }
        let known = self.known();
        match (self.clean(), only) {
            (Some(clean), _) => format!("{} {scope}{known} {seconds}", paint.good(clean)),
            (None, Some(only)) => {
                let known = known.trim_start_matches([':', ',', ' ']);
                format!("No findings; {only}: {scope}, {known} {seconds}")
            }
            (None, None) => format!("No findings in {scope}{known} {seconds}"),
        }
    }

    /// Returns the word before the first line of a clean run.
    pub(super) fn clean(&self) -> Option<&'static str> {
        let lead = match self.proved_if {
            0 => "Clean:",
            _ => "Clean under preconditions:",
        };
        self.is_clean().then_some(lead)
    }

    /// Formats the number of properties by status, for a run without findings: `: 21 of 24 properties tested, 3
    /// undecided`. Properties that are proved under preconditions count separately.
    fn known(&self) -> String {
        let all = self.properties();
        if all == 0 {
            return String::new();
        }
        if self.proved == all {
            return format!(", all {all} properties proved for every launch");
        }
        if self.tested == all {
            return format!(": {all} properties tested, none proved");
        }
        let parts = [
            (self.proved, "proved for every launch"),
            (self.proved_if, "proved under preconditions"),
            (self.tested, "tested"),
            (self.undecided, "undecided"),
        ];
        let lead = if self.all_proved() { ", " } else { ": " };
        let mut parts = parts.iter().filter(|(number, _)| *number > 0);
        let first = parts.next().map(|(number, word)| match *number == all {
            true => format!("{lead}{all} properties {word}"),
            false => format!("{lead}{number} of {all} properties {word}"),
        });
        let others = parts.map(|(number, word)| format!(", {number} {word}"));
        first.into_iter().chain(others).collect()
    }

    /// Formats the number of kernels and files: `4 kernels in 3 files`, or `3 of 4 kernels in 2 files`.
    fn scope(&self) -> String {
        let files = count(self.files, "file");
        match (self.analysed, self.kernels) {
            (_, 0) => files,
            (analysed, kernels) if analysed == kernels => {
                format!("{} in {files}", count(kernels, "kernel"))
            }
            (analysed, kernels) => format!("{analysed} of {} in {files}", count(kernels, "kernel")),
        }
    }

    fn findings(&self, paint: Paint) -> String {
        let counts = [
            (Severity::Error, self.errors, "error"),
            (Severity::Warning, self.warnings, "warning"),
            (Severity::Info, self.notes, "note"),
        ];
        let words: Vec<String> = counts
            .iter()
            .filter(|(_, number, _)| *number > 0)
            .map(|(severity, number, word)| paint.severity(*severity, &count(*number, word)))
            .collect();
        let fixable = self.fixes.text().map(|text| format!(" ({text})"));
        words.join(", ") + &fixable.unwrap_or_default()
    }

    /// Renders how many kernels were read completely, for runs with many kernels of which some were not: `20 kernels:
    /// 12 read whole, 7 in part, 1 not analysed`.
    fn reading(&self, reports: &[FileReport]) -> String {
        let records = || reports.iter().flat_map(|report| &report.analysis.records);
        let in_part = records()
            .filter(|record| !record.unknown.is_empty())
            .count();
        let missing = self.kernels - self.analysed;
        if self.kernels < examined::LISTED || in_part + missing == 0 {
            return String::new();
        }
        let parts = [
            (self.analysed - in_part, "read whole"),
            (in_part, "in part"),
            (missing, "not analysed"),
        ];
        let parts = parts.iter().filter(|(number, _)| *number > 0);
        let parts: Vec<String> = parts
            .map(|(number, word)| format!("{number} {word}"))
            .collect();
        format!("{}: {}\n", count(self.kernels, "kernel"), parts.join(", "))
    }

    /// Renders the number of kernels for other products, with the most frequent reason: `3 kernels for other products:
    /// …`.
    fn others(&self, reports: &[FileReport]) -> String {
        let counts = [(self.others, "kernel"), (self.other_files, "file")];
        let counts = counts.iter().filter(|(number, _)| *number > 0);
        let counts: Vec<String> = counts.map(|(number, word)| count(*number, word)).collect();
        let entries = reports.iter().flat_map(|it| &it.analysis.other_products);
        let mut reasons: Vec<(&str, usize)> = Vec::new();
        for entry in entries {
            match reasons.iter_mut().find(|(known, _)| *known == entry.reason) {
                Some((_, number)) => *number += 1,
                None => reasons.push((&entry.reason, 1)),
            }
        }
        reasons.sort_by_key(|(reason, number)| (std::cmp::Reverse(*number), *reason));
        let Some((reason, _)) = reasons.first() else {
            return String::new();
        };
        let more = match reasons.len() - 1 {
            0 => String::new(),
            more => format!(", and {}", count(more, "other reason")),
        };
        let reason = printable(reason);
        format!(
            "{} for other products, passed over: {reason}{more}\n",
            counts.join(" and ")
        )
    }

    /// Renders what was not analysed, with reasons: `3 kernels not analysed: …`.
    fn gaps(&self, reports: &[FileReport], paint: Paint) -> String {
        let entries = grouped(reports.iter().flat_map(gap_lines).collect());
        if entries.is_empty() {
            return String::new();
        }
        let counts = [
            (self.kernels - self.analysed, "kernel"),
            (self.files_not_analysed, "file"),
        ];
        let what: Vec<String> = counts
            .iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, word)| count(*number, word))
            .collect();
        let mut heads = Vec::new();
        if !what.is_empty() {
            heads.push(format!("{} not analysed", what.join(" and ")));
        }
        if self.files_in_part > 0 {
            let files = count(self.files_in_part, "file");
            heads.push(format!("{files} not wholly analysed"));
        }
        let head = heads.join(", ") + ":";
        let head = paint.severity(Severity::Warning, &head);
        match entries.as_slice() {
            [entry] => format!("{head} {entry}\n"),
            _ => format!("{head}\n  {}\n", entries.join("\n  ")),
        }
    }
}

/// Maximum number of parts with the same reason that are listed on separate lines.
const MANY: usize = 8;
/// Number of parts that are named if more parts share a reason.
const NAMED: usize = 2;

/// Returns the parts of a file that were not analysed, each with its reason.
fn gap_lines(report: &FileReport) -> impl Iterator<Item = (String, String)> {
    report.analysis.not_analysed.iter().map(|entry| {
        let path = printable(&report.path);
        let part = match &entry.kernel {
            Some(kernel) => format!("{path}::{kernel}"),
            None => path.into_owned(),
        };
        (part, printable(&entry.reason).into_owned())
    })
}

/// Returns one line for each part. If many parts share a reason, they share one line; these lines come first, the most
/// frequent reason first.
fn grouped(parts: Vec<(String, String)>) -> Vec<String> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for (part, reason) in parts {
        match groups.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, parts)) => parts.push(part),
            None => groups.push((reason, vec![part])),
        }
    }
    let (few, mut many): (Vec<_>, Vec<_>) = groups
        .into_iter()
        .partition(|(_, parts)| parts.len() <= MANY);
    many.sort_by_key(|(_, parts)| parts.len());
    let many = many.into_iter().rev().map(|(reason, parts)| {
        let named = parts[..NAMED].join(", ");
        let rest = parts.len() - NAMED;
        format!("{named} and {rest} more: {reason}")
    });
    let few = few.into_iter().flat_map(|(reason, parts)| {
        parts
            .into_iter()
            .map(move |part| format!("{part}: {reason}"))
    });
    many.chain(few).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{complete, report};
    use a2lint_ir::{NotAnalysed, UnknownCode};
    use a2lint_launches::LaunchSource;
    use a2lint_lint::check::Results;
    use a2lint_replay::{LaunchOutcome, LaunchRun};
    use a2lint_rules::record::{HiddenBy, KernelRecord};
    use a2lint_source::text::Span;

    fn run() -> Run {
        Run {
            seconds: 0.014,
            candidates: 7,
            ..Run::default()
        }
    }

    fn text(reports: &[FileReport]) -> String {
        Summary::of(reports).text(reports, &run(), Paint::Plain)
    }

    fn with_record(path: &str, change: impl FnOnce(&mut KernelRecord)) -> FileReport {
        let mut report = report(path, "from easyasc.a2 import *\n\nhelper(x)\n", vec![]);
        change(&mut report.analysis.records[0]);
        report
    }

    #[test]
    fn clean_is_what_is_proved() {
        let summary = Summary {
            files: 2,
            kernels: 3,
            analysed: 3,
            proved: 24,
            ..Summary::default()
        };
        assert!(summary.is_clean());
        assert_eq!(
            summary.headline(None, &run(), Paint::Plain),
            "Clean: 3 kernels in 2 files, all 24 properties proved for every launch (0.01 s)"
        );
        let conditional = Summary {
            proved: 20,
            proved_if: 4,
            ..summary
        };
        assert!(conditional.is_clean());
        assert_eq!(
            conditional.headline(None, &run(), Paint::Plain),
            "Clean under preconditions: 3 kernels in 2 files, 20 of 24 properties proved for every \
             launch, 4 proved under preconditions (0.01 s)"
        );
        let part = Summary {
            proved: 15,
            proved_if: 4,
            tested: 3,
            undecided: 2,
            ..summary
        };
        assert!(!part.is_clean());
        assert_eq!(
            part.headline(None, &run(), Paint::Plain),
            "No findings in 3 kernels in 2 files: 15 of 24 properties proved for every launch, \
             4 proved under preconditions, 3 tested, 2 undecided (0.01 s)"
        );
        let nothing = Summary {
            files: 1,
            ..Summary::default()
        };
        assert!(!nothing.is_clean() && !Summary::default().is_clean());
        let left_out = Summary {
            analysed: 2,
            ..summary
        };
        assert!(!left_out.is_clean());
        let narrow = Summary {
            restricted: 1,
            ..conditional
        };
        assert!(!narrow.is_clean());
        assert_eq!(
            narrow.headline(Some("holds only for C == 64"), &run(), Paint::Plain),
            "No findings; holds only for C == 64: 3 kernels in 2 files, 20 of 24 properties proved for every \
             launch, 4 proved under preconditions (0.01 s)"
        );
    }

    #[test]
    fn mask_instructions_are_clean_where_all_of_them_were_read() {
        let mut masks = report("a.ptx", "", vec![]);
        masks.analysis.records.clear();
        let clean = "Clean: 1 kernel in 1 file (0.01 s)\n";
        assert_eq!(text(std::slice::from_ref(&masks)), clean);
        masks.analysis.not_analysed.push(NotAnalysed {
            kernel: None,
            reason: "line 3 cannot be read".to_owned(),
        });
        assert_eq!(
            text(std::slice::from_ref(&masks)),
            "No findings in 1 kernel in 1 file (0.01 s)\n\
             1 file not wholly analysed: a.ptx: line 3 cannot be read\n"
        );
        // Files count, not their gaps.
        let gap = |line: u32| NotAnalysed {
            kernel: None,
            reason: format!("line {line} cannot be read"),
        };
        let mut nothing = report("b.ptx", "", vec![]);
        nothing.analysis = Results::default();
        nothing.analysis.not_analysed.extend([gap(4), gap(5)]);
        masks.analysis.not_analysed.push(gap(6));
        let all = text(&[masks, nothing]);
        let heading = "\n1 file not analysed, 1 file not wholly analysed:\n  a.ptx: line 3";
        assert!(all.contains(heading), "{all}");
    }

    #[test]
    fn tests_prove_nothing() {
        assert_eq!(
            text(&[report("a.py", "", vec![])]),
            "No findings in 1 kernel in 1 file: 8 properties tested, none proved (0.01 s)\n\
             1 kernel not wholly proved: a.py::softmax all properties tested only: no proof was \
             tried\n"
        );
    }

    #[test]
    fn a_kernel_that_nothing_launches_is_named() {
        let guessed = with_record("a.py", |record| {
            record.launches[0].source = LaunchSource::Guess;
            record.launches[0].has_extents = false;
        });
        assert_eq!(
            text(&[guessed]),
            "No findings in 1 kernel in 1 file: 6 of 8 properties tested, 2 undecided (0.01 s)\n\
             1 kernel replayed with guessed sizes only: a.py::softmax: no launch gives the extents \
             of its tensors\n\
             1 kernel not wholly proved: a.py::softmax capacity, operands, initialised, order, \
             progress, scalars tested only: no proof was tried\n"
        );
    }

    #[test]
    fn unknown_code_is_named_with_its_line() {
        let partly = with_record("a.py", |record| {
            record.unknown.push(UnknownCode {
                span: Span::new(26, 35),
                what: "nothing is known of `helper`".to_owned(),
            });
        });
        assert_eq!(
            text(&[partly]),
            "No findings in 1 kernel in 1 file: 8 properties undecided (0.01 s)\n\
             1 kernel not read whole: a.py::softmax: nothing is known of `helper` (line 3)\n"
        );
    }

    #[test]
    fn launches_that_do_not_end_are_named() {
        let cut = with_record("a.py", |record| {
            record.launches.push(LaunchRun {
                outcome: LaunchOutcome::Cut,
                reason: Some("it takes more work than the budget allows".to_owned()),
                ..record.launches[0].clone()
            });
        });
        assert_eq!(
            text(&[cut]).lines().last(),
            Some(
                "1 kernel not replayed whole: a.py::softmax: launch(M=128, eps=0.5) was cut: \
                 it takes more work than the budget allows"
            )
        );
    }

    #[test]
    fn many_kernels_take_few_lines() {
        let off = |path: &str, reason: &str| {
            with_record(path, |record| record.unreplayed = Some(reason.to_owned()))
        };
        let paths: Vec<String> = (0..100).map(|at| format!("{at}.py")).collect();
        let same: Vec<FileReport> = paths
            .iter()
            .map(|path| off(path, "replay is switched off"))
            .collect();
        assert_eq!(
            text(&same),
            "No findings in 100 kernels in 100 files: 800 properties undecided (0.01 s)\n\
             100 kernels not replayed: replay is switched off (-v names them)\n"
        );
        let other: Vec<FileReport> = paths.iter().map(|path| off(path, path)).collect();
        let other = text(&other);
        let reasons = other.lines().skip(1);
        assert_eq!(reasons.clone().count(), 12, "{other}");
        assert_eq!(
            reasons.last(),
            Some("  and 90 other reasons; --statistics counts all")
        );
    }

    #[test]
    fn many_reasons_are_counted() {
        let unknown = |path: &str, what: &str| {
            with_record(path, |record| {
                record.unknown.push(UnknownCode {
                    span: Span::new(26, 35),
                    what: what.to_owned(),
                });
            })
        };
        let paths: Vec<String> = (0..12).map(|at| format!("{at}.py")).collect();
        let reports: Vec<FileReport> = paths.iter().map(|path| unknown(path, path)).collect();
        let all = text(&reports);
        assert!(all.contains("\n12 kernels: 12 in part\n"), "{all}");
        assert!(
            all.ends_with("\n  and 2 other reasons; --statistics counts all\n"),
            "{all}"
        );
        let run = Run {
            all_reasons: true,
            ..run()
        };
        let all = Summary::of(&reports).text(&reports, &run, Paint::Plain);
        assert!(all.ends_with("\n  1  11.py (as 11.py::softmax)\n"), "{all}");
    }

    #[test]
    fn what_is_silenced_is_undecided() {
        let silenced = with_record("a.py", |record| {
            let finding = crate::fixtures::finding(Span::new(26, 35));
            record.hide(&finding, HiddenBy::Comment);
        });
        assert_eq!(
            text(&[silenced]),
            "No findings in 1 kernel in 1 file: 7 of 8 properties tested, 1 undecided (0.01 s)\n\
             1 property undecided: a.py::softmax initialised: `dup-coverage` is silenced by a \
             comment (line 3)\n\
             1 kernel not wholly proved: a.py::softmax capacity, operands, bounds, order, progress, \
             ownership, scalars tested only: no proof was tried\n"
        );
    }

    #[test]
    fn what_was_not_analysed_is_never_passed_over() {
        assert_eq!(
            text(&[complete()]),
            "1 error (1 fixable with --unsafe-fixes); checked 1 of 2 kernels in 1 file (0.01 s)\n\
             1 kernel not analysed: k.py::other: its shape depends on a file\n"
        );
        let mut quiet = complete();
        quiet.analysis.findings.clear();
        assert!(
            text(&[quiet]).starts_with("No findings in 1 of 2 kernels in 1 file: 8 properties")
        );
    }

    #[test]
    fn kernels_for_other_products_are_counted() {
        let mut report = report("arch35/a.cpp", "", vec![]);
        let other = |kernel: Option<&str>| NotAnalysed {
            kernel: kernel.map(str::to_owned),
            reason: "its folder `arch35` is that of another product".to_owned(),
        };
        let others = &mut report.analysis.other_products;
        others.extend([other(Some("a")), other(Some("b")), other(None)]);
        others.push(NotAnalysed {
            kernel: Some("c".to_owned()),
            reason: "its operator is for `ascend950`".to_owned(),
        });
        let text = text(&[report]);
        let line = "3 kernels and 1 file for other products, passed over: its folder `arch35` is that of another \
                    product, and 1 other reason\n";
        assert!(text.contains(line), "{text}");
        assert!(
            text.starts_with("No findings in 1 kernel in 1 file"),
            "{text}"
        );
    }

    #[test]
    fn nothing_to_check_is_said() {
        assert_eq!(
            text(&[]),
            "No kernels found: none of the 7 sources here uses a kernel DSL or a mask instruction\n"
        );
    }
}

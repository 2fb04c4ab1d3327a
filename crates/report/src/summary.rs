//! The summary of a check in at most four lines; each of few open kernels has more, for what it lacks.

use super::standing::{self, Sentence, Standing};
use super::{FileReport, Links, Paint, examined, printable};
use a2lint_ir::finding::{Finding, Fix, Severity};
use a2lint_ir::verdict::Status;
use a2lint_lint::check::Group;
use a2lint_lint::repair;
use a2lint_source::spelling::count;

/// Maximum number of lines of a summary.
const LINES: usize = 4;
/// Maximum number of kernels that have a line each.
const FEW: usize = 3;

/// Numbers of findings with a fix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fixes {
    /// Findings that `--fix` fixes.
    pub safe: usize,
    /// Findings that `--unsafe-fixes` fixes, but not `--fix`.
    pub not_safe: usize,
    /// Findings without a fix of their own, for which `--diff` and `--fix` search one.
    pub searched: usize,
}

impl Fixes {
    /// Counts the fix of a finding at all of its places. Fixes in other files are never applied, so they do not count.
    pub(super) fn add(&mut self, group: &Group, findings: &[Finding]) {
        let members = || group.members(findings);
        if members().any(|it| it.elsewhere.is_some()) {
            return;
        }
        let have =
            |wanted: fn(&Fix) -> bool| members().all(|it| it.fix.as_ref().is_some_and(wanted));
        if have(|fix| fix.safe) {
            self.safe += 1;
        } else if have(|_| true) {
            self.not_safe += 1;
        } else if members().any(|it| repair::proposes(it.name)) {
            self.searched += 1;
        }
    }

    /// Formats the numbers: `2 can be repaired with --fix, 1 more with --unsafe-fixes`; `None` without a fix.
    pub(super) fn text(self) -> Option<String> {
        let Fixes {
            safe,
            not_safe,
            searched,
        } = self;
        let known = match (safe, not_safe) {
            (0, 0) => None,
            (0, _) => Some(format!("{not_safe} can be repaired with --unsafe-fixes")),
            (_, 0) => Some(format!("{safe} can be repaired with --fix")),
            _ => Some(format!(
                "{safe} can be repaired with --fix, {not_safe} more with --unsafe-fixes"
            )),
        };
        match (known, searched) {
            (known, 0) => known,
            (None, 1) => Some("--diff searches for a repair".to_owned()),
            (None, _) => Some("--diff searches for repairs".to_owned()),
            (Some(known), _) => Some(format!(
                "{known}; --diff searches for repairs of {searched} more"
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
    /// Whether the reasons for incomplete examinations are counted after the summary.
    pub all_reasons: bool,
    /// Whether all that is known of each kernel was printed, so that the summary does not have to point to it.
    pub is_verbose: bool,
    /// Whether repairs were searched for, so that those of the remaining findings are not to be hoped for.
    pub tried_repairs: bool,
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
    /// Kernels by standing, in the order of [`Standing::ALL`].
    pub standings: [usize; 6],
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
        for (sum, number) in self.standings.iter_mut().zip(standing::counts(report)) {
            *sum += number;
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
        let findings = &report.analysis.findings;
        for group in report.groups() {
            self.fixes.add(&group, findings);
            match findings[group.first].severity {
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
        self.kernels > 0 && self.number(Standing::Clean) == self.kernels && found + files == 0
    }

    /// Returns the number of kernels with a standing.
    pub fn number(&self, standing: Standing) -> usize {
        let mut all = Standing::ALL.iter().zip(self.standings);
        all.find(|(it, _)| **it == standing)
            .map_or(0, |(_, number)| number)
    }

    /// Renders the closing lines: how many kernels are wrong, clean and open, then what to do next.
    pub fn text(&self, reports: &[FileReport], run: &Run, paint: Paint) -> String {
        let hidden = match run.hidden {
            0 => String::new(),
            hidden => format!("{hidden} hidden by the baseline, "),
        };
        let seconds = paint.dim(&format!("({hidden}{:.2} s)", run.seconds));
        let mut lines = match self.files {
            0 => vec![nothing_found(run)],
            _ => vec![format!("{} {seconds}", self.headline(paint))],
        };
        lines.extend(self.findings(reports, run, paint));
        lines.extend(self.others(reports));
        lines.extend(self.known(reports, run, LINES - lines.len().min(LINES), paint));
        let mut out = lines.join("\n") + "\n";
        if run.all_reasons {
            out += &examined::lines(reports, paint);
        }
        out
    }

    /// Formats the number of kernels by standing: `44 kernels in 35 files: 7 wrong, 26 clean, 11 open`.
    pub fn headline(&self, paint: Paint) -> String {
        let files = count(self.files, "file");
        let places = if self.files > 1 {
            format!(" in {files}")
        } else {
            String::new()
        };
        if self.kernels == 0 {
            return match self.files_not_analysed {
                _ if self.files == 0 => "No kernels found".to_owned(),
                0 => format!("No kernels found in {files}"),
                number if number == self.files => {
                    paint.severity(Severity::Warning, &format!("{files}: not analysed"))
                }
                number => format!("No kernels found in {files}, {number} of them not analysed"),
            };
        }
        let present = Standing::ALL.into_iter().filter(|it| self.number(*it) > 0);
        let words = present.map(|standing| {
            let word = match self.kernels {
                1 => standing.word().to_owned(),
                _ => format!("{} {}", self.number(standing), standing.word()),
            };
            match standing {
                Standing::Wrong => paint.severity(Severity::Error, &word),
                Standing::Clean | Standing::Noted => paint.good(&word),
                Standing::Suspect | Standing::Open | Standing::NotAnalysed => {
                    paint.severity(Severity::Warning, &word)
                }
            }
        });
        let words: Vec<String> = words.collect();
        format!(
            "{}{places}: {}",
            count(self.kernels, "kernel"),
            words.join(", ")
        )
    }

    /// Formats the number of findings, and what repairs them: `2 errors, 1 warning: 1 can be repaired with --fix`.
    fn findings(&self, reports: &[FileReport], run: &Run, paint: Paint) -> Option<String> {
        let words = self.found(paint)?;
        let fixes = match run.tried_repairs {
            true => Fixes {
                searched: 0,
                ..self.fixes
            },
            false => self.fixes,
        };
        if let Some(text) = fixes.text() {
            // A repair that is only searched for may not be found: the help comes first.
            let found = self.errors + self.warnings + self.notes;
            let help = match (fixes.safe + fixes.not_safe, found) {
                (0, 1) => "see its help; ",
                (0, _) => "see their help; ",
                _ => "",
            };
            return Some(format!("{words}: {help}{text}"));
        }
        let findings = reports.iter().flat_map(|report| &report.analysis.findings);
        let worst = findings.max_by_key(|finding| finding.severity)?;
        Some(format!(
            "{words}: `a2lint explain {}` says more",
            worst.name
        ))
    }

    /// Formats the number of findings by severity; `None` if there are none.
    pub fn found(&self, paint: Paint) -> Option<String> {
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
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// Formats the number of kernels and files for other products: `For other products, passed over: 3 kernels (…)`.
    fn others(&self, reports: &[FileReport]) -> Option<String> {
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
        let (reason, _) = reasons.first()?;
        let more = match reasons.len() - 1 {
            0 => String::new(),
            more => format!(", and {}", count(more, "other reason")),
        };
        let reason = printable(reason);
        let counts = counts.join(" and ");
        Some(format!(
            "{counts} for other products, not checked: {reason}{more}"
        ))
    }

    /// Renders what is known of kernels without errors, in at most `room` lines: a line for each of few kernels, else
    /// one line about all.
    fn known(&self, reports: &[FileReport], run: &Run, room: usize, paint: Paint) -> Vec<String> {
        let sentences = standing::sentences(reports);
        if self.kernels <= FEW && sentences.len() <= room {
            let line = |(name, sentence): (String, Sentence)| {
                let more = sentence.is_short && !run.is_verbose;
                match (sentence.lines.as_slice(), more) {
                    ([], true) => format!("{name} {}; -v shows more", sentence.text),
                    ([], false) => format!("{name} {}", sentence.text),
                    (lines, more) => {
                        let more = more.then_some("next: -v shows more");
                        let lines = lines.iter().map(String::as_str).chain(more);
                        let lines = lines.map(|line| format!("\n  {line}"));
                        format!("{name} is open{}", lines.collect::<String>())
                    }
                }
            };
            return sentences.into_iter().map(line).collect();
        }
        let pointer = |text: &str| (!run.is_verbose).then(|| text.to_owned());
        let mut parts = Vec::new();
        for (number, what) in [
            (self.files_not_analysed, "not analysed"),
            (self.files_in_part, "analysed in part"),
        ] {
            // A run without kernels says so in its first line.
            if number > 0 && self.kernels > 0 {
                parts.push(format!("{} {what}", count(number, "file")));
            }
        }
        let open = standing::shortages(reports);
        if !open.is_empty() {
            let open: Vec<String> = open
                .iter()
                .map(|(what, number)| format!("{number} {what}"))
                .collect();
            let word = paint.severity(Severity::Warning, "open");
            parts.push(format!("{word}: {}", open.join(", ")));
        }
        if self.kernels == 0 {
            let why = (!sentences.is_empty()).then(|| pointer("-v shows why"));
            return why.flatten().into_iter().collect();
        }
        if parts.is_empty() && self.number(Standing::NotAnalysed) == 0 {
            let holds = self.is_clean() && self.proved_if > 0;
            let which = holds.then(|| pointer("-v shows for which launches each kernel is clean"));
            return which.flatten().into_iter().collect();
        }
        parts.extend(pointer("-v shows what each kernel lacks"));
        match parts.is_empty() {
            true => Vec::new(),
            false => vec![parts.join("; ")],
        }
    }
}

/// Says that nothing was found to check.
fn nothing_found(run: &Run) -> String {
    let looked = match run.candidates {
        0 => "no kernel sources here".to_owned(),
        1 => "the source here has no AscendC, easyasc or Ascriptor kernel and no mask instruction"
            .to_owned(),
        n => format!("none of the {n} sources here uses a kernel DSL or a mask instruction"),
    };
    format!("No kernels found: {looked}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{complete, report};
    use a2lint_ir::{NotAnalysed, UnknownCode};
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

    fn with_standings(standings: &[(Standing, usize)]) -> Summary {
        let mut summary = Summary {
            files: 2,
            ..Summary::default()
        };
        for (standing, number) in standings {
            let at = Standing::ALL.iter().position(|it| it == standing);
            summary.standings[at.expect("a standing")] = *number;
            summary.kernels += number;
        }
        summary
    }

    #[test]
    fn clean_is_what_is_proved() {
        let headline = |summary: &Summary| summary.headline(Paint::Plain);
        let summary = with_standings(&[(Standing::Clean, 3)]);
        assert!(summary.is_clean());
        assert_eq!(headline(&summary), "3 kernels in 2 files: 3 clean");
        let part = with_standings(&[
            (Standing::Open, 11),
            (Standing::Clean, 26),
            (Standing::Wrong, 7),
        ]);
        assert!(!part.is_clean());
        assert_eq!(
            headline(&part),
            "44 kernels in 2 files: 7 wrong, 26 clean, 11 open"
        );
        let one = with_standings(&[(Standing::NotAnalysed, 1)]);
        assert_eq!(headline(&one), "1 kernel in 2 files: not analysed");
        let nothing = with_standings(&[]);
        assert!(!nothing.is_clean() && !Summary::default().is_clean());
        let left_out = Summary {
            files_in_part: 1,
            ..summary
        };
        assert!(!left_out.is_clean());
        let noted = Summary {
            notes: 1,
            ..summary
        };
        assert!(!noted.is_clean());
    }

    #[test]
    fn colours_are_those_of_what_is_said() {
        let summary = with_standings(&[
            (Standing::Wrong, 2),
            (Standing::Clean, 1),
            (Standing::Open, 1),
        ]);
        let text = summary.headline(Paint::Coloured);
        let red = Paint::Coloured.severity(Severity::Error, "2 wrong");
        let green = Paint::Coloured.good("1 clean");
        let yellow = Paint::Coloured.severity(Severity::Warning, "1 open");
        assert_eq!(
            text,
            format!("4 kernels in 2 files: {red}, {green}, {yellow}")
        );
    }

    #[test]
    fn mask_instructions_are_clean_where_all_of_them_were_read() {
        let mut masks = report("a.ptx", "", vec![]);
        masks.analysis.records.clear();
        assert_eq!(
            text(std::slice::from_ref(&masks)),
            "1 kernel: clean (0.01 s)\n"
        );
        let gap = |line: u32| NotAnalysed {
            kernel: None,
            reason: format!("line {line} cannot be read"),
        };
        masks.analysis.not_analysed.push(gap(3));
        assert_eq!(
            text(std::slice::from_ref(&masks)),
            "1 kernel: open (0.01 s)\na.ptx was not wholly analysed: line 3 cannot be read\n"
        );
        // Files count, not their gaps.
        let mut nothing = report("b.ptx", "", vec![]);
        nothing.analysis = Results::default();
        nothing.analysis.not_analysed.extend([gap(4), gap(5)]);
        masks.analysis.not_analysed.push(gap(6));
        let all = text(&[masks, nothing]);
        let line =
            "\n1 file not analysed; 1 file analysed in part; -v shows what each kernel lacks\n";
        assert!(all.ends_with(line), "{all}");
    }

    #[test]
    fn findings_of_kernels_without_a_record_count() {
        let mut masks = report("a.ptx", "abc", vec![]);
        masks.analysis.records.clear();
        masks.analysis.kernels = 3;
        let mut wrong = crate::fixtures::finding(Span::new(0, 1));
        wrong.also_in.push("other".to_owned());
        let note = Finding {
            severity: Severity::Info,
            ..crate::fixtures::finding(Span::new(1, 2))
        };
        masks.analysis.findings = vec![wrong, note];
        let all = text(&[masks]);
        assert!(
            all.starts_with("3 kernels: 2 wrong, 1 clean (0.01 s)\n"),
            "{all}"
        );
    }

    #[test]
    fn tests_prove_nothing() {
        assert_eq!(
            text(&[report("a.py", "", vec![])]),
            "1 kernel: open (0.01 s)\n\
             a.py::softmax is open\n  no property is proved: no proof was tried\n  tested: its launch \
             (M=128, eps=0.5) ran without a fault\n"
        );
    }

    #[test]
    fn unknown_code_is_named_with_its_line() {
        let partly = with_record("a.py", |record| {
            record.unknown.push(UnknownCode {
                span: Span::new(26, 35),
                what: "nothing is known of `helper`".to_owned(),
                is_follower: false,
            });
        });
        assert_eq!(
            text(&[partly]),
            "1 kernel: open (0.01 s)\n\
             a.py::softmax is open\n  no property is proved: nothing is known of `helper` (line 3)\n  \
             tested: nothing that depends on this line\n"
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
        let said = text(&[cut]);
        let lines: Vec<&str> = said.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "a.py::softmax is open",
                "  no property is proved: launch(M=128, eps=0.5) was cut: it takes more work than the budget allows",
                "  next: give smaller sizes (`a2lint: launch(…)` above it), or more time (`--work N`)",
            ]
        );
    }

    #[test]
    fn many_kernels_take_few_lines() {
        let off = |path: &str, reason: &str| {
            with_record(path, |record| record.unreplayed = Some(reason.to_owned()))
        };
        let paths: Vec<String> = (0..100).map(|at| format!("{at}.py")).collect();
        let mut all: Vec<FileReport> = paths.iter().map(|path| off(path, path)).collect();
        let lines = "100 kernels in 100 files: 100 open (0.01 s)\n\
                     open: 100 not replayed; -v shows what each kernel lacks\n";
        assert_eq!(text(&all), lines);
        // Everything at once stays within four lines.
        let mut findings = complete();
        let other = NotAnalysed {
            kernel: None,
            reason: "its operator is for `ascend950`".to_owned(),
        };
        findings.analysis.other_products.push(other.clone());
        findings.analysis.not_analysed.push(other);
        all.push(findings);
        let said = text(&all);
        assert_eq!(said.lines().count(), LINES, "{said}");
        let run = Run {
            all_reasons: true,
            ..run()
        };
        let counted = Summary::of(&all).text(&all, &run, Paint::Plain);
        assert!(
            counted.contains("\n100 kernels not replayed:\n"),
            "{counted}"
        );
        assert!(
            counted.contains("\n  1  99.py (as 99.py::softmax)\n"),
            "{counted}"
        );
    }

    #[test]
    fn what_is_silenced_is_undecided() {
        let silenced = with_record("a.py", |record| {
            let finding = crate::fixtures::finding(Span::new(26, 35));
            record.hide(&finding, HiddenBy::Comment);
        });
        let text = text(&[silenced]);
        assert!(text.starts_with("1 kernel: open (0.01 s)\n"), "{text}");
    }

    #[test]
    fn what_was_not_analysed_is_never_passed_over() {
        assert_eq!(
            text(&[complete()]),
            "2 kernels: 1 wrong, 1 not analysed (0.01 s)\n\
             1 error: 1 can be repaired with --unsafe-fixes\n\
             k.py::other was not analysed: its shape depends on a file\n"
        );
        let mut quiet = complete();
        quiet.analysis.findings.clear();
        assert!(text(&[quiet]).starts_with("2 kernels: 1 open, 1 not analysed (0.01 s)\n"));
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
        let line = "\n3 kernels and 1 file for other products, not checked: its folder `arch35` is that of another \
                    product, and 1 other reason\n";
        assert!(text.contains(line), "{text}");
        assert!(text.starts_with("1 kernel: open (0.01 s)\n"), "{text}");
    }

    #[test]
    fn nothing_to_check_is_said() {
        assert_eq!(
            text(&[]),
            "No kernels found: none of the 7 sources here uses a kernel DSL or a mask instruction\n"
        );
    }
}

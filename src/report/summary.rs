//! What was checked, and how it went, in a few lines.

use super::{FileReport, Links, Paint, printable};
use crate::finding::Severity;

/// What a run knows besides its files.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Wall-clock time.
    pub seconds: f64,
    /// Files that were looked at, those without kernels included.
    pub candidates: usize,
    /// Findings that a baseline hides.
    pub hidden: usize,
    /// How rules are linked to.
    pub links: Links,
}

/// Counts over all files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Files that are for us.
    pub files: usize,
    /// Kernels found in them.
    pub kernels: usize,
    /// Kernels that were analysed.
    pub analysed: usize,
    /// Files that could not be analysed as a whole.
    pub files_not_analysed: usize,
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Notes.
    pub notes: usize,
    /// Findings with a fix.
    pub fixable: usize,
}

impl Summary {
    /// Counts.
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
        let entries = report.analysis.not_analysed();
        let kernels = entries
            .iter()
            .filter(|entry| entry.kernel.is_some())
            .count();
        self.analysed += report.analysis.kernels();
        self.kernels += report.analysis.kernels() + kernels;
        self.files_not_analysed += entries.len() - kernels;
        for finding in &report.analysis.findings {
            self.fixable += finding.fix.is_some() as usize;
            match finding.severity {
                Severity::Info => self.notes += 1,
                Severity::Warning => self.warnings += 1,
                Severity::Error => self.errors += 1,
            }
        }
    }

    /// The closing lines for people.
    pub fn text(&self, reports: &[FileReport], run: &Run, paint: Paint) -> String {
        let mut out = self.headline(run, paint);
        out.push('\n');
        out.push_str(&self.gaps(reports, paint));
        out
    }

    fn headline(&self, run: &Run, paint: Paint) -> String {
        if self.files == 0 {
            let looked = match run.candidates {
                0 => "no kernel sources here".to_owned(),
                1 => "the source here uses neither easyasc nor a mask instruction".to_owned(),
                n => format!("none of the {n} sources here uses easyasc or a mask instruction"),
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
        let word = match self.kernels == self.analysed && self.files_not_analysed == 0 {
            true => paint.good("Clean:"),
            false => "No findings:".to_owned(),
        };
        format!("{word} {scope} {seconds}")
    }

    /// `4 kernels in 3 files`, or `3 of 4 kernels in 2 files`.
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
        let fixable = match self.fixable {
            0 => String::new(),
            number => format!(" ({number} fixable)"),
        };
        words.join(", ") + &fixable
    }

    /// `3 kernels not analysed: …` with the reasons.
    fn gaps(&self, reports: &[FileReport], paint: Paint) -> String {
        let entries: Vec<String> = reports.iter().flat_map(gap_lines).collect();
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
        let head = format!("{} not analysed:", what.join(" and "));
        let head = paint.severity(Severity::Warning, &head);
        match entries.as_slice() {
            [entry] => format!("{head} {entry}\n"),
            _ => format!("{head}\n  {}\n", entries.join("\n  ")),
        }
    }
}

/// One line for each thing of a file that was not analysed.
fn gap_lines(report: &FileReport) -> impl Iterator<Item = String> {
    report.analysis.not_analysed().iter().map(|entry| {
        let path = printable(&report.path);
        let reason = printable(&entry.reason);
        match &entry.kernel {
            Some(kernel) => format!("{path}::{kernel}: {reason}"),
            None => format!("{path}: {reason}"),
        }
    })
}

/// `1 file`, `2 files`.
pub fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixtures::{complete, report};

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

    #[test]
    fn clean_is_short() {
        assert_eq!(
            text(&[report("a.py", "", vec![])]),
            "Clean: 1 kernel in 1 file (0.01 s)\n"
        );
    }

    #[test]
    fn what_was_not_analysed_is_never_passed_over() {
        assert_eq!(
            text(&[complete()]),
            "1 error (1 fixable); checked 1 of 2 kernels in 1 file (0.01 s)\n\
             1 kernel not analysed: k.py::other: its shape depends on a file\n"
        );
        let mut quiet = complete();
        quiet.analysis.findings.clear();
        assert!(text(&[quiet]).starts_with("No findings: 1 of 2 kernels in 1 file"));
    }

    #[test]
    fn nothing_to_check_is_said() {
        assert_eq!(
            text(&[]),
            "No kernels found: none of the 7 sources here uses easyasc or a mask instruction\n"
        );
    }
}

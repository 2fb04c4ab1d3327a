//! Rendering of findings, runs, laws and proofs as text, JSON and HTML. Pure functions from results to strings.
//!
//! # Modules
//! - Reports of `check`, one module each: `full`, `concise`, `agent`, `json`, `sarif`, `github`, `gitlab`, `junit`,
//!   `statistics`. `summary` renders the closing lines, of which there are at most four; `standing` decides which
//!   kernels are wrong, clean and open. `examined` says what was not examined; `proofs` is the table of `prove`.
//! - `run`: text, JSON, tables of costs, timelines of a run (`RunReport`). `laws`, `numerics`: results of laws.
//!   `versions`: two versions of a kernel, the answer first.
//! - `html`: the page of `a2lint report`, one file without external resources. `memory`: the drawing of the memory
//!   map.
//! - `state`: the state of a halted run, for debuggers in the terminal and in editors.
//! - `gather_mask`, `tile_select`, `zero_column`: mask instructions drawn, for `eval` and hovers.
//! - `page`, `paint`, `fit`, `excerpt`, `links`: colours, width, source lines, links to rules. `Page` is the
//!   destination of text for people.
//! - `programs`: the results of a check for servers and the Python package. `pages`: the pages of `docs/rules`.
//!
//! # What it must not know
//! Options, protocols, and how findings are made. Which format is wanted is chosen in `src/cli/check/publish.rs`.
//!
//! # Where to start reading
//! [`Summary::of`] and `Summary::text`; `full::render`; `json::render`, whose shape is documented and versioned;
//! `run::render`; `html::page`.
//!
//! # Invariants
//! - A kernel is only called clean if every property is proved; preconditions are stated next to the word
//!   (`clean_is_what_is_proved`, `tests_prove_nothing`, `what_is_silenced_is_undecided`,
//!   `what_was_not_analysed_is_never_passed_over`).
//! - Every format says what was not examined (`every_format_says_what_was_not_looked_at` in `tests/it/cli`).
//! - No text of a file is interpreted by a terminal, a CI runner, a browser or an agent (`tests/it/shown.rs`,
//!   `only_our_own_sequences_go_out`, `no_text_of_a_message_is_a_link`).
//! - No line is longer than its page (`no_line_is_longer_whatever_it_holds`; `tests/it/width.rs`).
//! - The page of a kernel allows no script other than its own (`the_page_allows_its_own_style_and_script_alone`).
//! - JSON has the documented shape (`the_object_is_the_documented_one`, `json_has_the_documented_shape` in
//!   `tests/it/cli`).
//!
//! # What it can miss
//! Tables show a few statements and elements and say how many there are. A page of `a2lint report` records values of
//! one core, and timelines end at a maximum number of slices. Numbers are rounded for people, but not in JSON.

// A position that is not checked panics inside of a character: `text::Slice` takes any.
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod agent;
pub mod concise;
mod config;
pub mod examined;
mod excerpt;
mod fidelity;
mod fit;
pub mod full;
pub mod gather_mask;
pub mod github;
pub mod gitlab;
pub mod html;
pub mod json;
pub mod junit;
pub mod laws;
mod links;
pub mod memory;
mod numbers;
mod numerics;
mod page;
pub mod pages;
mod paint;
pub mod programs;
pub mod proofs;
pub mod run;
pub mod sarif;
pub mod standing;
pub mod state;
pub mod statistics;
mod summary;
pub mod tile_select;
pub mod versions;
pub mod zero_column;

pub use a2lint_lint::check::FileReport;
pub use a2lint_lint::check::Placed;
pub use config::config_error;
pub use fit::{cut, filled};
pub use links::Links;
pub use numbers::lines as numbers_lines;
pub use page::Page;
pub use paint::{Paint, printable, printable_lines};
pub use summary::{Fixes, Run, Summary};

use a2lint_ir::finding::{Finding, Severity};

/// Returns the word for a severity in text; JSON says `info` instead of `note`.
pub fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Info => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

/// Returns the mark of a finding that an option repairs: ` [--fix]`. Fixes in other files are never applied.
fn fix_mark(finding: &Finding) -> &'static str {
    match finding.fix.as_ref().filter(|_| finding.elsewhere.is_none()) {
        Some(fix) if fix.safe => " [--fix]",
        Some(_) => " [--unsafe-fixes]",
        None => "",
    }
}

/// Formats a launch argument, without a fraction if it is integral.
pub fn number_text(value: f64) -> String {
    format!("{value}")
}

#[cfg(test)]
mod fixtures {
    //! Findings for tests of renderers.

    use super::FileReport;
    use a2lint_ir::NotAnalysed;
    use a2lint_ir::finding::{Basis, Edit, Finding, Fix, Label, Severity, Witness};
    use a2lint_launches::LaunchSource;
    use a2lint_lint::check::Results;
    use a2lint_replay::{LaunchOutcome, LaunchRun};
    use a2lint_rules::record::KernelRecord;
    use a2lint_source::text::{SourceText, Span};

    /// Returns the span of the first `needle` in `text`.
    pub fn span_of(text: &str, needle: &str) -> Span {
        let start = text.find(needle).expect("the needle is in the text");
        Span::new(start, start + needle.len())
    }

    /// Creates an error at `span` without optional parts.
    pub fn finding(span: Span) -> Finding {
        Finding {
            code: "COV001",
            name: "dup-coverage",
            severity: Severity::Error,
            basis: Basis::AnyLaunch,
            message: "dup fills 64 of 128 lanes".to_owned(),
            kernel: Some("softmax".to_owned()),
            span,
            labels: Vec::new(),
            help: None,
            fix: None,
            witness: None,
            ring: None,
            numbers: None,
            elsewhere: None,
            cause: None,
            also_in: Vec::new(),
        }
    }

    /// Creates the record of a kernel that was examined completely, with one launch.
    pub fn record(name: &str) -> KernelRecord {
        KernelRecord {
            name: name.to_owned().into(),
            span: Span::new(0, 4),
            launches: vec![LaunchRun {
                source: LaunchSource::Comment,
                arguments: vec![("M".to_owned(), 128.0), ("eps".to_owned(), 0.5)],
                span: None,
                place: None,
                has_extents: true,
                is_shrunk: false,
                outcome: LaunchOutcome::Finished,
                reason: None,
                unstored: Vec::new(),
            }],
            ..KernelRecord::default()
        }
    }

    /// Creates the report of a file with these findings.
    pub fn report(path: &str, text: &str, findings: Vec<Finding>) -> FileReport {
        FileReport {
            path: path.to_owned(),
            source: SourceText::new(text),
            analysis: Results {
                findings,
                kernels: 1,
                records: vec![record("softmax")],
                ..Results::default()
            },
        }
    }

    /// Creates the report of a file with a finding that has all optional parts, and a kernel that was not analysed.
    pub fn complete() -> FileReport {
        let text = "from easyasc.a2 import *\n\n# 行最大值\ndup(row, 0.0, repeat=1)\nout <<= row\n";
        let call = span_of(text, "dup(row, 0.0, repeat=1)");
        let mut report = report(
            "k.py",
            text,
            vec![Finding {
                basis: Basis::Replayed,
                labels: vec![Label {
                    span: span_of(text, "out <<= row"),
                    message: "lane 64 is read here".to_owned(),
                }],
                help: Some("write `repeat=2`".to_owned()),
                fix: Some(Fix {
                    title: "cover the whole tile".to_owned(),
                    safe: false,
                    edits: vec![Edit {
                        span: span_of(text, "repeat=1"),
                        text: "repeat=2".to_owned(),
                    }],
                }),
                witness: Some(Witness {
                    launch: vec![("M".to_owned(), 128.0), ("eps".to_owned(), 0.5)],
                    core: 0,
                    lane: "vec0".to_owned(),
                    place: None,
                    iteration: vec![0, 3],
                    detail:
                        "confirmed by simulation (M=128, core 0, vec0): element 64 is undefined"
                            .to_owned(),
                    trail: Vec::new(),
                    execution: 0,
                    ring: None,
                }),
                ..finding(call)
            }],
        );
        let launched = span_of(text, "# 行最大值");
        report.analysis.records[0].launches[0].span = Some(launched);
        report.analysis.not_analysed.push(NotAnalysed {
            kernel: Some("other".to_owned()),
            reason: "its shape depends on a file".to_owned(),
        });
        report
    }
}

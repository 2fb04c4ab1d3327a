//! What a rule found, independent of how it is shown.

mod numbers;

pub use numbers::{Mark, Numbers, Strip};

use crate::text::Span;

/// How serious a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; never fails a check.
    Info,
    /// Probably wrong, or right under an assumption the finding names.
    Warning,
    /// Wrong.
    Error,
}

/// What stands behind a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Confidence {
    /// Proven from constants.
    Certain,
    /// The machine executed it; the finding carries the witness.
    Replayed,
    /// Holds under an assumption that the message names.
    Possible,
}

/// One finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Stable code, `COV001`.
    pub code: &'static str,
    /// Name, `dup-coverage`.
    pub name: &'static str,
    /// Severity, after configuration.
    pub severity: Severity,
    /// What stands behind it.
    pub confidence: Confidence,
    /// What is wrong, with the numbers; one sentence without a full stop.
    pub message: String,
    /// The kernel it is in; `None` for the file as a whole.
    pub kernel: Option<String>,
    /// The place.
    pub span: Span,
    /// Other places that take part.
    pub labels: Vec<Label>,
    /// What to write instead.
    pub help: Option<String>,
    /// A rewrite.
    pub fix: Option<Fix>,
    /// A concrete execution that shows it.
    pub witness: Option<Witness>,
    /// What the statement read and left on the machine, in a few elements.
    pub numbers: Option<Numbers>,
}

/// Another place that takes part in a finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// Its part.
    pub message: String,
}

/// A rewrite of the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// What it does.
    pub title: String,
    /// Whether the rewritten kernel is known to mean what the author meant.
    pub safe: bool,
    /// Replacements; they do not overlap.
    pub edits: Vec<Edit>,
}

/// One replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Replaced text.
    pub span: Span,
    /// New text.
    pub text: String,
}

/// A concrete execution that shows a finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Witness {
    /// Values of scalars and symbolic extents.
    pub launch: Vec<(String, f64)>,
    /// Core index.
    pub core: u32,
    /// `cube`, `vec0` or `vec1`.
    pub lane: String,
    /// Iteration of each enclosing loop, outermost first.
    pub iteration: Vec<u64>,
    /// What happened, in one line that says under which launch and where.
    pub detail: String,
    /// Statements that the data passed on its way to where it shows.
    pub trail: Vec<Span>,
    /// Position of the launch among those that were replayed.
    pub execution: usize,
}

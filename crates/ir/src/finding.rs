//! Defines findings: the results of rules, independent of their presentation.

mod numbers;

pub use numbers::{Mark, Numbers, Strip};

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::BufferId;
use a2lint_isa::Pipe;
use a2lint_source::names::Name;
use a2lint_source::text::{SourceText, Span};

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Severity {
    /// Worth knowing; never fails a check.
    Info,
    /// Probably wrong, or right under an assumption the finding names.
    Warning,
    /// Wrong.
    Error,
}

a2lint_isa::named! {
    /// The evidence for a finding, the strongest first. Every rule states it; there is no default.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum Basis {
        /// Constants, types and names of the source.
        Constants = "constants",
        /// An analysis of every path, with every value that a launch may pass.
        AnyLaunch = "any-launch",
        /// The machine executed it; the finding carries the witness.
        Replayed = "replayed",
        /// The code has a form that is usually a mistake; whether it is one here is not proven.
        Shape = "shape",
        /// The finding holds under an assumption that its message names.
        Assumption = "assumption",
        /// The cost model computes it.
        CostModel = "cost-model",
    }
    /// Returns the name in machine-readable reports.
    fn name
}

impl Basis {
    /// Returns the clause in reports for people.
    pub fn clause(self) -> &'static str {
        match self {
            Basis::Constants => "proven from constants",
            Basis::AnyLaunch => "holds for every launch",
            Basis::Replayed => "replayed on the machine",
            Basis::Shape => "likely, judged by the shape of the code",
            Basis::Assumption => "possible, not certain",
            Basis::CostModel => "estimated by the cost model",
        }
    }

    /// Returns the confidence: `certain`, `replayed` or `possible`, the words of the first report format.
    pub fn confidence(self) -> &'static str {
        match self {
            Basis::Constants | Basis::AnyLaunch => "certain",
            Basis::Replayed => "replayed",
            Basis::Shape | Basis::Assumption | Basis::CostModel => "possible",
        }
    }

    /// Returns whether a finding with this evidence is certain rather than likely.
    pub fn is_proof(self) -> bool {
        !matches!(self, Basis::Shape | Basis::Assumption | Basis::CostModel)
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Stable code, `COV001`.
    #[serde(with = "a2lint_source::names")]
    pub code: Name,
    /// Name, `dup-coverage`.
    #[serde(with = "a2lint_source::names")]
    pub name: Name,
    /// Severity, after configuration.
    pub severity: Severity,
    /// The evidence.
    pub basis: Basis,
    /// What is wrong, with the numbers; one sentence without a full stop.
    pub message: String,
    /// The kernel it is in; `None` for the file as a whole.
    pub kernel: Option<String>,
    /// Other kernels that share the faulty line, such as a line of a common helper.
    pub also_in: Vec<String>,
    /// The place.
    pub span: Span,
    /// Further places that the message refers to.
    pub labels: Vec<Label>,
    /// What to write instead.
    pub help: Option<String>,
    /// A rewrite.
    pub fix: Option<Fix>,
    /// A concrete execution that reproduces the finding.
    pub witness: Option<Witness>,
    /// The ring whose choice of slots the finding is advice about. Such a finding refutes no property unless
    /// a replay shows that iterations meet in a slot of this ring.
    pub ring: Option<BufferId>,
    /// The values that the statement read and wrote on the machine, for a few elements.
    pub numbers: Option<Numbers>,
    /// The mistake that the finding has in common with others of its rule in its kernel, which are shown as one.
    pub cause: Option<Cause>,
    /// The place in another file that the finding is about; `span` is then the call in this file that leads
    /// there.
    pub elsewhere: Option<Elsewhere>,
}

/// A mistake that several findings of one rule may come from. Findings of a kernel with equal causes are shown as one
/// finding with several places.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Cause {
    /// No region with automatic synchronisation holds the accesses.
    NoRegion,
    /// Nothing orders `second` after `first`.
    Unordered {
        /// The pipe that has to come first.
        first: Pipe,
        /// The pipe that has to wait.
        second: Pipe,
        /// Whether the missing order is that of two iterations.
        carried: bool,
    },
    /// Accesses leave an axis of the same number of elements.
    Beyond {
        /// The axis.
        axis: usize,
        /// Its number of elements.
        extent: i64,
    },
    /// Accesses leave their tensors by the same number of bytes.
    Overrun {
        /// The number of bytes outside of the tensor.
        bytes: i64,
    },
    /// Repeats of calls overwrite each other in one tensor.
    Strides {
        /// The tensor.
        buffer: BufferId,
    },
    /// Accesses of a launch leave their tensors, and the same parameters decide about their extents and the sizes of
    /// the tensors.
    Misfit {
        /// The names of these parameters.
        parameters: Vec<String>,
        /// The position among the overruns of the launch, in the order of the program. The first one is shown.
        rank: usize,
    },
}

/// A place in another file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Elsewhere {
    /// The file, by its absolute path.
    pub path: PathBuf,
    /// The name of the file as shown to people.
    pub shown: String,
    /// The text of the file. It is not serialised: a consumer of the finding reads the file.
    #[serde(skip)]
    pub source: SourceText,
    /// The place in it.
    pub span: Span,
    /// Other places in it that take part.
    pub labels: Vec<Label>,
}

impl Finding {
    /// Returns whether the finding is about a kernel.
    pub fn is_in(&self, kernel: &str) -> bool {
        let mut names = self.kernel.iter().chain(&self.also_in);
        names.any(|name| name == kernel)
    }
}

impl PartialEq for Elsewhere {
    fn eq(&self, other: &Elsewhere) -> bool {
        // The text and the shown name follow from the path.
        (&self.path, self.span, &self.labels) == (&other.path, other.span, &other.labels)
    }
}

/// Another place that takes part in a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The role of the place.
    pub message: String,
}

/// A rewrite of the source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fix {
    /// The effect of the rewrite, as a title.
    pub title: String,
    /// Whether the rewrite is safe. As a rule attaches it: whether it keeps the intent of the author. In
    /// reports: whether a check of the rewritten text has also confirmed that there are no new findings and
    /// that the property which the finding refutes is proved (`repair::confirm`).
    pub safe: bool,
    /// Replacements; they do not overlap.
    pub edits: Vec<Edit>,
}

/// One replacement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// Replaced text.
    pub span: Span,
    /// New text.
    pub text: String,
}

/// A concrete execution that reproduces a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Witness {
    /// Values of scalars and symbolic extents.
    pub launch: Vec<(String, f64)>,
    /// Core index.
    pub core: u32,
    /// `cube`, `vec0` or `vec1`.
    pub lane: String,
    /// File and line of the launch, if another file has it: `tests/test_rows.py:12`.
    pub place: Option<String>,
    /// Iteration of each enclosing loop, outermost first.
    pub iteration: Vec<u64>,
    /// One line that states the event, the launch and the place.
    pub detail: String,
    /// The statements that the faulty data passed before it was observed.
    pub trail: Vec<Span>,
    /// The index of the launch among the replayed launches.
    pub execution: usize,
    /// The ring in a slot of which accesses of two iterations conflict that would use different slots if the
    /// counter advanced.
    pub ring: Option<BufferId>,
}

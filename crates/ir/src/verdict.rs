//! Defines verdicts: for each property of a kernel, whether it is proved, refuted, tested or undecided, and
//! for which launches.

use serde::{Deserialize, Serialize};

use a2lint_source::text::Span;

a2lint_isa::named! {
    /// A property of a kernel, over all launches, in the order of reports.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    pub enum Property {
        /// Every memory's buffers fit.
        Capacity = "capacity",
        /// Types, fields and alignments are legal; on-chip footprints stay inside their tensors.
        Operands = "operands",
        /// Every access to global memory stays inside its tensor.
        Bounds = "bounds",
        /// No undefined byte reaches an output, a reduction, a scalar, an index or a mask.
        Initialised = "initialised",
        /// Conflicting accesses are ordered.
        Order = "order",
        /// Tokens balance, no lane waits for ever, loops end.
        Progress = "progress",
        /// No two lanes or cores store the same element of an output without an atomic.
        Ownership = "ownership",
        /// No division by zero, no wrap that reaches an address, a size or a number of iterations.
        Scalars = "scalars",
    }
    /// Returns the name of the status in reports.
    fn name
}

impl Property {
    /// The number of properties.
    pub const COUNT: usize = Property::ALL.len();
}

/// The verdicts of a kernel, by property.
pub type Verdicts = [Verdict; Property::COUNT];

/// The verdict on one property of one kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The property.
    pub property: Property,
    /// The status of the property.
    pub status: Status,
}

impl Status {
    /// Returns its name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Status::Proved { under, .. } if under.is_empty() => "proved",
            Status::Proved { .. } => "proved-if",
            Status::Refuted { .. } => "refuted",
            Status::Tested => "tested",
            Status::Undecided { .. } => "undecided",
        }
    }
}

/// The status of a property.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// The property holds for every launch that satisfies all of `under`, provided that all of `assuming` holds.
    Proved {
        /// Preconditions, such as `D <= 256`, and the shapes that all known launches share, such as `x is [M,
        /// D]`; empty if it holds for every launch.
        under: Vec<String>,
        /// Further assumptions of the proof.
        assuming: Vec<String>,
    },
    /// Findings show that the property does not hold.
    Refuted {
        /// The positions of these findings among those of the file.
        findings: Vec<usize>,
    },
    /// Every known launch ran to its end on the machine without a finding.
    Tested,
    /// Neither proved, nor tested with every known launch.
    Undecided {
        /// The reason, as a clause.
        because: String,
        /// The place, where there is one.
        at: Option<Span>,
    },
}

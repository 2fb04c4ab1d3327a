//! What the frontend noticed while tracing: facts that rules turn into findings.

use super::{OriginId, View};
use crate::isa::{DType, Position};
use crate::text::Span;

/// One observation.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// The place.
    pub span: Span,
    /// The helper calls that led there.
    pub origin: OriginId,
    /// What it is.
    pub kind: NoteKind,
}

/// Kinds of observations.
#[derive(Clone, Debug, PartialEq)]
pub enum NoteKind {
    /// A statement that raises while the kernel is traced.
    TraceError {
        /// `TypeError`, `ValueError`, …
        exception: &'static str,
        /// The cause, as a sentence without a full stop.
        message: String,
        /// What to write instead.
        help: Option<String>,
    },
    /// A name that A5 devices alone have.
    A5Only {
        /// The name.
        name: String,
    },
    /// `dst <<= src` between memories without a data path.
    IllegalMove {
        /// Destination memory; `None` for GM.
        dst: Option<Position>,
        /// Source memory; `None` for GM.
        src: Option<Position>,
        /// Text of the destination.
        dst_text: String,
        /// Text of the source.
        src_text: String,
        /// Destination and source.
        views: Box<[View; 2]>,
    },
    /// A local tensor whose shape does not have two extents.
    LocalRank {
        /// Number of extents.
        rank: usize,
    },
    /// `if` on a plain Python value.
    StaticIf,
    /// A statement that emits no instruction.
    NoEffect(NoEffect),
    /// `scalar_sqrt` of an integer.
    SqrtOfInteger {
        /// Type of the operand.
        dtype: DType,
    },
    /// Imports of more than one facade.
    FacadeMix {
        /// Spelling of the facade in charge.
        first: String,
        /// Spelling of the other one.
        other: String,
    },
}

/// Ways to write a statement that does nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoEffect {
    /// `a + b` on tensors whose result is not stored.
    UnusedExpression,
    /// `x = a + b` on tensors.
    BoundExpression {
        /// Name that was bound.
        name: String,
    },
    /// `ub[...] = ...`
    SubscriptAssignment {
        /// Text of the target.
        target: String,
    },
}

//! Findings in inlined helpers: where the helper was called from, and each place once.

use rustc_hash::FxHashSet;

use super::Report;
use crate::ir::{OriginId, Program};
use crate::text::Span;

/// Places that a rule has reported. A helper that is inlined twice, or a loop that is unrolled,
/// brings the same mistake to the same place.
#[derive(Default)]
pub(super) struct Reported(FxHashSet<Span>);

impl Reported {
    /// Whether this is the first report of a place.
    pub(super) fn first(&mut self, span: Span) -> bool {
        self.0.insert(span)
    }
}

/// Labels the calls that lead to an inlined statement, innermost first.
pub(super) fn label_calls<'a>(
    mut report: Report<'a>,
    program: &Program,
    mut origin: OriginId,
) -> Report<'a> {
    while origin != OriginId(0) {
        let link = program.origins[origin.index()];
        report = report.label(link.call, "called from here");
        origin = link.parent;
    }
    report
}

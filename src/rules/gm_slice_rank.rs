use super::wording::{call, operand_text};
use super::{Facts, Sink};
use crate::declare_rule;
use crate::ir::{GlobalView, View};

declare_rule! {
    /// ## What it does
    /// Reports a view of GM with more than two sliced dimensions as operand of a move.
    ///
    /// ## Why is this bad?
    /// A move has rows and columns: two dimensions. All others are indexed by a number, even where
    /// the slice would be one element thick.
    ///
    /// ## Example
    /// ```python
    /// ub <<= x[b:b + 1, 0:64, 0:128]
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// ub <<= x[b, 0:64, 0:128]
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on `GMTensor`: at most two slices.
    "MOV002" "gm-slice-rank" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        for (_, _, view) in instr.operands() {
            let View::Global(global) = view else { continue };
            let slices = global.sliced_axes().count();
            if !global.sliced || slices <= 2 {
                continue;
            }
            let message = format!(
                "`{}` slices {slices} dimensions; {} moves rows and columns of two",
                operand_text(facts, view),
                call(instr)
            );
            sink.report_from(stmt.origin, global.site, message)
                .help(advice(facts, global));
        }
    }
}

/// Which dimension to index by a number.
fn advice(facts: &Facts, view: &GlobalView) -> String {
    let thin = view
        .sliced_axes()
        .find(|(_, axis)| facts.program.scalars.as_int(axis.span) == Some(1));
    match thin {
        Some((number, axis)) => format!(
            "index dimension {number} by its number: `{}` instead of a slice of one",
            facts.names.text(axis.start)
        ),
        None => "loop over one dimension and index it by the counter".to_owned(),
    }
}

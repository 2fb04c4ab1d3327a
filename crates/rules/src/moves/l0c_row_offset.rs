use crate::declare_rule;
use crate::wording::{allocated_at, call, view_text};
use crate::{Facts, Sink};
use a2lint_isa::{Class, DST, Position};

declare_rule! {
    /// ## What it does
    /// Reports a product that is written to an L0C tile at a row other than 0.
    ///
    /// ## Why is this bad?
    /// L0C is made of strips of 16 columns, each as high as the product that wrote it. A second
    /// product lower in the same tile does not land in the strips of the first; the board gives wrong
    /// results where a simulator may not. Column offsets in multiples of 16 are fine.
    ///
    /// ## Example
    /// ```python
    /// matmul(acc[64:128, 0:128], l1_a, l1_b, m=64, n=128, k=64)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// matmul(acc[1], l1_a, l1_b, m=64, n=128, k=64)       # acc is a DBuff of [64, 128]
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on the simulator: a row offset in L0C passes there and fails on the
    /// board.
    "MOV010" "l0c-row-offset" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        let Some(dst) = instr.local(DST) else {
            continue;
        };
        let accumulates = instr.row().class == Class::Matmul
            && facts.program.buffer(dst.buffer).position == Position::L0C;
        let row = facts.program.scalars.as_int(dst.offset[0]);
        let Some(row) = row.filter(|&row| accumulates && row != 0) else {
            continue;
        };
        let message = format!(
            "{} writes `{}` from row {row} on; a product starts at row 0 of its tile",
            call(facts, instr),
            view_text(facts, dst)
        );
        sink.report_from(stmt.origin, dst.site, message)
            .label(allocated_at(facts, dst), "the tile")
            .help(
                "give the product a slot or a tensor of its own, or stack the products by columns",
            );
    }
}

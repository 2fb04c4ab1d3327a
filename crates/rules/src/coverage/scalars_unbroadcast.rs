use rustc_hash::FxHashSet;

use crate::declare_rule;
use crate::operand_walks::{columns, is_broadcast, operand_name, rows};
use crate::wording::{allocated_at, call, elements, tensor};
use crate::{Facts, Sink};
use a2lint_analysis::{Arrangement, type_fault};
use a2lint_ir::{Instr, LocalView, Stmt, StmtId};
use a2lint_isa::{Access, Class, DST, Opcode, Walk};

declare_rule! {
    /// ## What it does
    /// Reports results of `cmax`, `cmin` or `cadd` that are applied to the rows of a tile without
    /// having been expanded by `brcb`.
    ///
    /// ## Why is this bad?
    /// A reduction packs its results side by side: 64 row maxima are 64 neighbouring elements. Arithmetic
    /// on a tile takes either as many elements as the tile has, or one block per row. Without expansion,
    /// the scalars are applied to the wrong lanes, and the memory after them is read as well.
    ///
    /// ## Example
    /// ```python
    /// cmax(row_max, tile)                  # [64,1]
    /// sub(tile, tile, row_max)             # tile is [64,64]
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// cmax(row_max, tile)
    /// brcb(max8, row_max, dst_blk_stride=1, dst_rep_stride=8, repeat=8)
    /// sub(tile, tile, max8)                # max8 is [64,8]
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on reductions and broadcasts.
    "COV008" "scalars-unbroadcast" Error, basis = Shape
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr, index) in unexpanded(facts) {
        if let Some(view) = instr.local(index) {
            report(facts, sink, (stmt, instr), index, view);
        }
    }
}

/// Returns the statements that this rule explains.
pub(crate) fn explained(facts: &Facts) -> FxHashSet<StmtId> {
    unexpanded(facts).iter().map(|(stmt, ..)| stmt.id).collect()
}

/// Returns the instructions with an operand of packed row scalars, and the index of the operand.
fn unexpanded<'a>(facts: &Facts<'a>) -> Vec<(&'a Stmt, &'a Instr, usize)> {
    let instructions = facts.instructions();
    let found = instructions
        .filter_map(|(stmt, instr)| Some((stmt, instr, packed_source(facts, stmt, instr)?)));
    found.collect()
}

/// Returns the operand that holds packed row scalars although the destination needs one value per row.
fn packed_source(facts: &Facts, stmt: &Stmt, instr: &Instr) -> Option<usize> {
    let arithmetic = matches!(instr.row().class, Class::Binary);
    if !arithmetic || instr.is_counted() || type_fault(facts.program, instr).is_some() {
        return None;
    }
    let dst = instr.local(DST)?;
    let (height, width) = (rows(facts, dst)?, columns(facts, dst)?);
    if height < 2 || width <= dst.dtype.c0() {
        return None;
    }
    let mut sources = instr
        .operands()
        .filter(|(_, operand, _)| operand.access == Access::Read && operand.walk == Walk::Lanes);
    sources
        .find(|(index, _, view)| {
            let Some(view) = view.local() else {
                return false;
            };
            let one_each =
                elements(facts, view) == Some(height) && columns(facts, view) != Some(width);
            (one_each || is_broadcast(facts, instr, *index)) && is_packed(facts, stmt.id, *index)
        })
        .map(|(index, ..)| index)
}

fn is_packed(facts: &Facts, stmt: StmtId, operand: usize) -> bool {
    let found = facts.analysis.values(facts.program).found_by(stmt, operand);
    found.is_some_and(|value| value.arrangement == Arrangement::Packed)
}

fn report(
    facts: &Facts,
    sink: &mut Sink,
    (stmt, instr): (&Stmt, &Instr),
    index: usize,
    view: &LocalView,
) {
    let brcb = facts.program.name_of(Opcode::Brcb);
    let message = format!(
        "{} takes `{}` {} as values of whole rows, and a reduction has packed them side by side",
        call(facts, instr),
        operand_name(instr, index),
        tensor(facts, view)
    );
    let mut report = sink
        .report_from(stmt.origin, stmt.span, message)
        .help(format!(
            "expand them first: {brcb}() into a tensor of one block per row"
        ));
    let reductions = facts.analysis.writers(view.buffer);
    let mut reductions = reductions.filter(|touch| touch.instr.row().class == Class::Reduce);
    if let Some(reduction) = reductions.next() {
        let text = format!(
            "{} leaves one element per row here",
            call(facts, reduction.instr)
        );
        report = report.label(reduction.stmt.span, text);
    }
    report.label(allocated_at(facts, view), "the scalars are allocated here");
}

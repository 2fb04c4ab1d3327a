use rustc_hash::FxHashSet;

use crate::declare_rule;
use crate::operand_walks::{
    columns, inferred_repeat, inferred_strides, is_broadcast, operand_name,
};
use crate::wording::{call, tensor};
use crate::{Facts, Sink};
use a2lint_analysis::{resolved, type_fault};
use a2lint_ir::{Instr, LocalView, Stmt, StmtId};
use a2lint_isa::{Access, Class, DST, ParamKind};

declare_rule! {
    /// ## What it does
    /// Reports arithmetic between a tile and a tensor of one block per row, where a row of the tile
    /// is not one repeat.
    ///
    /// ## Why is this bad?
    /// The narrow tensor advances by one row in every repeat. A row of the tile is one repeat only if it
    /// has eight blocks (64 columns of 4 bytes, 128 of 2). In a row of 128 float columns, the left half is
    /// combined with the scalar of row 2r and the right half with that of row 2r+1.
    ///
    /// ## Example
    /// ```python
    /// sub(tile, tile, max8)                # [64,128] against [64,8]: 128 repeats for 64 rows
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// sub(tile[:, 0:64], tile[:, 0:64], max8)
    /// sub(tile[:, 64:128], tile[:, 64:128], max8)
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on stride inference and row broadcasts.
    "COV007" "wide-narrow" Error, basis = Shape
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        if let Some((wide, index)) = mismatch(facts, instr)
            && let Some(narrow) = instr.local(index)
        {
            report(facts, sink, (stmt, instr), wide, (index, narrow));
        }
    }
}

/// Returns the statements that this rule explains.
pub(crate) fn explained(facts: &Facts) -> FxHashSet<StmtId> {
    let explained = facts
        .instructions()
        .filter(|(_, instr)| mismatch(facts, instr).is_some());
    explained.map(|(stmt, _)| stmt.id).collect()
}

/// Returns the wide destination, and the index of the operand that is one block wide.
fn mismatch<'a>(facts: &Facts, instr: &'a Instr) -> Option<(&'a LocalView, usize)> {
    let arithmetic = matches!(instr.row().class, Class::Binary | Class::Select);
    let fine = type_fault(facts.program, instr).is_none();
    if !arithmetic || !fine || instr.is_counted() || !inferred_repeat(instr) {
        return None;
    }
    let wide = instr.local(DST).filter(|_| inferred_strides(instr, DST))?;
    let (width, c0) = (columns(facts, wide)?, wide.dtype.c0());
    let contiguous = resolved(facts.program, instr, ParamKind::BlockStride(0)) == Some(1);
    let several = facts.program.size(wide.span[0])? > 1;
    if width <= c0 || width == wide.dtype.lanes() || !contiguous || !several {
        return None;
    }
    let narrow = instr.operands().find(|(index, operand, _)| {
        operand.access == Access::Read && is_broadcast(facts, instr, *index)
    });
    narrow.map(|(index, ..)| (wide, index))
}

fn report(
    facts: &Facts,
    sink: &mut Sink,
    (stmt, instr): (&Stmt, &Instr),
    wide: &LocalView,
    (index, narrow): (usize, &LocalView),
) {
    let repeats = resolved(facts.program, instr, ParamKind::Repeat)
        .map_or("its".to_owned(), |repeats| repeats.to_string());
    let message = format!(
        "{} uses one row of its `{}` {} per 256-byte repeat, but rows of {} are not repeats: {repeats} \
         repeats for {} rows",
        call(facts, instr),
        operand_name(instr, index),
        tensor(facts, narrow),
        tensor(facts, wide),
        facts.names.text(wide.span[0])
    );
    sink.report_from(stmt.origin, stmt.span, message)
        .help(format!(
            "work on slices of {} columns, so that a row is a repeat",
            wide.dtype.lanes()
        ));
}

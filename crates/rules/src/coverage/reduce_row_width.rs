use rustc_hash::FxHashSet;

use crate::declare_rule;
use crate::operand_walks::{columns, inferred_repeat, inferred_strides, rows};
use crate::wording::{call, elements, tensor};
use crate::{Facts, Sink};
use a2lint_analysis::{Touch, resolved, type_fault};
use a2lint_ir::{Instr, LocalView, Stmt, StmtId};
use a2lint_isa::{Class, DST, ParamKind, SRC};

declare_rule! {
    /// ## What it does
    /// Reports `cmax`, `cmin` and `cadd` into a tensor of one element per row, where a row of the
    /// source is not one repeat. Where the destination has room for all partial results, that is a
    /// reduction in two stages, and nothing is said unless `brcb` takes the first of them for row
    /// results (a warning).
    ///
    /// ## Why is this bad?
    /// These instructions give one result per repeat of 256 bytes, not per row. Rows of 128 float
    /// columns give two partial results each, and the results of row 0 and row 1 follow each other
    /// from the start of the destination; two rows of 32 columns share one result.
    ///
    /// ## Example
    /// ```python
    /// row_max = Tensor(DT.float, [64, 1], Position.UB)
    /// cmax(row_max, tile)                  # tile is [64,128]: 128 results
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// vmax(fold, tile[:, 0:64], tile[:, 64:128])
    /// cmax(row_max, fold)
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on reductions: one result per repeat.
    "COV010" "reduce-row-width" Error, basis = Shape
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        if let Some(width) = mismatch(facts, instr)
            && let (Some(dst), Some(src)) = (instr.local(DST), instr.local(SRC))
        {
            report(facts, sink, (stmt, instr), dst, src, width);
        }
        if let Some((rows, reader)) = partials_as_rows(facts, stmt, instr) {
            report_partials(facts, sink, (stmt, instr), rows, reader);
        }
    }
}

/// Returns the number of rows of the source, and the broadcast that takes the first partial results for one
/// result per row although each row has several.
fn partials_as_rows<'a>(
    facts: &Facts<'a>,
    stmt: &Stmt,
    instr: &Instr,
) -> Option<(i64, &'a Touch<'a>)> {
    let plain = inferred_repeat(instr) && inferred_strides(instr, SRC) && !instr.is_counted();
    let reduces = instr.row().class == Class::Reduce && type_fault(facts.program, instr).is_none();
    if !plain || !reduces || mismatch(facts, instr).is_some() {
        return None;
    }
    let (dst, src) = (instr.local(DST)?, instr.local(SRC)?);
    let (rows, width) = (rows(facts, src)?, columns(facts, src)?);
    let repeats = resolved(facts.program, instr, ParamKind::Repeat)?;
    let side_by_side = resolved(facts.program, instr, ParamKind::ResultStride)? == 1;
    let several = rows > 1 && width > src.dtype.lanes() && repeats > rows;
    if !several || !side_by_side {
        return None;
    }
    let taken = dst.dtype.bytes_of(rows);
    let values = facts.analysis.values(facts.program);
    let reader = facts.analysis.readers(dst.buffer).find(|reader| {
        let only = |writers: Vec<usize>| {
            let mut writers = writers.into_iter().map(|at| &facts.analysis.touches[at]);
            writers.all(|writer| writer.stmt.id == stmt.id)
        };
        reader.instr.row().class == Class::Broadcast
            && reader.bytes().is_some_and(|bytes| bytes.len() == taken)
            && reader.stmt.id > stmt.id
            && values
                .writers(reader.stmt.id, reader.operand)
                .is_some_and(only)
    })?;
    Some((rows, reader))
}

fn report_partials(
    facts: &Facts,
    sink: &mut Sink,
    (stmt, instr): (&Stmt, &Instr),
    rows: i64,
    reader: &Touch,
) {
    let Some(src) = instr.local(SRC) else { return };
    let repeats = resolved(facts.program, instr, ParamKind::Repeat).unwrap_or(0);
    let message = format!(
        "{} leaves {repeats} partial results for the {rows} rows of {}, and the first {rows} are \
         taken for one of each row",
        call(facts, instr),
        tensor(facts, src)
    );
    sink.report_from(stmt.origin, stmt.span, message)
        .possible()
        .help(format!(
            "combine the columns to {} per row first, then reduce",
            src.dtype.lanes()
        ))
        .label(
            reader.stmt.span,
            format!("{} expands {rows} of them", call(facts, reader.instr)),
        );
}

/// Returns the statements that this rule explains.
pub(crate) fn explained(facts: &Facts) -> FxHashSet<StmtId> {
    let explained = facts
        .instructions()
        .filter(|(_, instr)| mismatch(facts, instr).is_some());
    explained.map(|(stmt, _)| stmt.id).collect()
}

/// Returns the row width of the source, if one result per row was intended but the repeats give another number.
fn mismatch(facts: &Facts, instr: &Instr) -> Option<i64> {
    let plain = inferred_repeat(instr) && inferred_strides(instr, SRC) && !instr.is_counted();
    let reduces = instr.row().class == Class::Reduce && type_fault(facts.program, instr).is_none();
    if !plain || !reduces {
        return None;
    }
    let (dst, src) = (instr.local(DST)?, instr.local(SRC)?);
    let (rows, width) = (rows(facts, src)?, columns(facts, src)?);
    let repeats = resolved(facts.program, instr, ParamKind::Repeat)?;
    let one_each = elements(facts, dst)? == rows && !picks_an_element(facts, dst);
    let side_by_side = resolved(facts.program, instr, ParamKind::ResultStride)? == 1;
    let whole_rows = facts.program.size(src.shape[1])? == width || width == src.dtype.lanes();
    // A row of one block is broadcast: each repeat reads one row eight times, so there is one result per row.
    let broadcast = width == src.dtype.c0();
    let meant = one_each && side_by_side && whole_rows && rows > 1 && repeats != rows && !broadcast;
    meant.then_some(width)
}

/// Returns whether a view is `t[i]`, which keeps the extent of the tensor.
fn picks_an_element(facts: &Facts, view: &LocalView) -> bool {
    view.sliced && view.span == facts.program.buffer(view.buffer).shape
}

fn report(
    facts: &Facts,
    sink: &mut Sink,
    (stmt, instr): (&Stmt, &Instr),
    dst: &LocalView,
    src: &LocalView,
    width: i64,
) {
    let name = call(facts, instr);
    let repeats = resolved(facts.program, instr, ParamKind::Repeat).unwrap_or(0);
    let lanes = src.dtype.lanes();
    let message = format!(
        "{name} gives one result per {lanes} elements: {repeats} for {}, and {} has one for each row",
        tensor(facts, src),
        tensor(facts, dst)
    );
    let help = match width > lanes {
        true => format!("combine the columns to {lanes} per row first, then reduce"),
        false => format!(
            "rows of {width} columns share a repeat: lay them {lanes} apart and reduce with \
             `count_per_rep={width}`"
        ),
    };
    sink.report_from(stmt.origin, stmt.span, message).help(help);
}

use super::operand_walks::rows;
use super::wording::{allocated_at, allocation, call, counted, tensor};
use super::{Facts, Sink};
use crate::analysis::{resolved, type_fault};
use crate::declare_rule;
use crate::ir::{Granule, Instr, LocalView, Stmt};
use crate::isa::{Class, ParamKind};

declare_rule! {
    /// ## What it does
    /// Reports a comparison into one row of a packed mask that writes more bytes than the row has.
    ///
    /// ## Why is this bad?
    /// A comparison writes whole repeats: eight bytes for each 64 elements of 4 bytes, sixteen for each 128
    /// of 2 bytes, however many elements count. In a mask whose rows are shorter, the rest lands in
    /// the next row, and behind the last row in the next tensor. Rows that are written in another
    /// order than from top to bottom are lost.
    ///
    /// ## Example
    /// ```python
    /// keep = Tensor(DT.uint8, [64, 4], Position.UB)          # 32 columns
    /// for r in range(64):
    ///     compare_scalar(keep[r:r + 1, 0:4], columns, r, CompareMode.LE)   # float: 8 bytes
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// keep = Tensor(DT.uint8, [64, 8], Position.UB)          # rows of 64 bits
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on comparisons: bits per repeat; notes on masks row by row.
    "MSK011" "mask-rows" Warning
}

/// A comparison that spills.
struct Spill<'a> {
    mask: &'a LocalView,
    written: i64,
    row_bytes: i64,
    /// Bytes behind the tensor that the last row reaches.
    beyond: i64,
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.program.instructions() {
        let compares = instr.row().class == Class::Compare;
        if compares
            && type_fault(facts.program, instr).is_none()
            && let Some(spill) = spill(facts, stmt, instr)
        {
            report(facts, sink, stmt, instr, &spill);
        }
    }
}

fn spill<'a>(facts: &Facts, stmt: &Stmt, instr: &'a Instr) -> Option<Spill<'a>> {
    let (mask, src) = (instr.local(0)?, instr.local(1)?);
    let repeats = resolved(facts.program, instr, ParamKind::Repeat)?;
    let buffer = facts.program.buffer(mask.buffer);
    let several = facts.program.size(mask.shape[0])? > 1;
    let whole_rows = mask.sliced && rows(facts, mask) == Some(1) && several;
    let pitch = facts.program.size(mask.shape[1])?;
    let row_bytes = mask.dtype.bytes_of(pitch - facts.program.size(mask.offset[1])?);
    let written = repeats * src.dtype.lanes() / 8;
    if !whole_rows || written <= row_bytes {
        return None;
    }
    let slot = Granule::of(buffer).bytes(facts.program.constant_pair(buffer.shape)?)?;
    let may = facts.analysis.extent(stmt.id, 0)?.footprint.may()?;
    let end = may.hull().map_or(0, |(_, end)| end);
    Some(Spill {
        mask,
        written,
        row_bytes,
        beyond: end - slot,
    })
}

fn report(facts: &Facts, sink: &mut Sink, stmt: &Stmt, instr: &Instr, spill: &Spill) {
    let buffer = facts.program.buffer(spill.mask.buffer);
    let message = format!(
        "{} writes {} into {}, whose rows hold {}: the rest falls into the next row",
        call(instr),
        counted(spill.written, "byte"),
        tensor(facts, spill.mask),
        spill.row_bytes
    );
    let report = sink
        .report_from(stmt.origin, stmt.span, message)
        .help(format!("give the mask rows of {} bytes", spill.written));
    let text = match spill.beyond {
        1.. => format!(
            "the last row of {} would end {} behind it",
            allocation(facts, buffer),
            counted(spill.beyond, "byte")
        ),
        _ => format!("{} is allocated here", allocation(facts, buffer)),
    };
    report.label(allocated_at(facts, spill.mask), text);
}

use crate::declare_rule;
use crate::operand_walks::rows;
use crate::wording::{allocated_at, allocation, call, counted, tensor};
use crate::{Facts, Sink};
use a2lint_analysis::{resolved, type_fault};
use a2lint_ir::finding::Severity;
use a2lint_ir::{BinaryOp, Granule, Instr, LocalView, Scalar, Stmt, StmtKind, trip_count};
use a2lint_isa::{Class, DST, ParamKind, SRC};

declare_rule! {
    /// ## What it does
    /// Reports a comparison into one row of a packed mask that writes more bytes than the row has. It is an
    /// error where a loop over the rows certainly runs and visits them from the last to the first, so that
    /// each spill replaces a finished row, or where its last row ends after the tensor; otherwise a
    /// warning. A loop from the first row to the last loses nothing if the tensor has room after the last
    /// row.
    ///
    /// ## Why is this bad?
    /// A comparison writes whole repeats: eight bytes for each 64 elements of 4 bytes, sixteen for each 128
    /// of 2 bytes, however few elements are valid. In a mask whose rows are shorter, the excess is written
    /// to the next row, and after the last row to the next tensor. Rows that are written in another order
    /// than from top to bottom are lost.
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
    "MSK011" "mask-rows" Warning, basis = AnyLaunch
}

/// A comparison that writes beyond its row of a mask.
struct Spill<'a> {
    mask: &'a LocalView,
    written: i64,
    row_bytes: i64,
    /// Bytes after the tensor that the last row reaches.
    beyond: i64,
    /// Whether the write certainly replaces a finished row, or memory after the tensor.
    is_lost: bool,
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
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
    let (mask, src) = (instr.local(DST)?, instr.local(SRC)?);
    let repeats = resolved(facts.program, instr, ParamKind::Repeat)?;
    let buffer = facts.program.buffer(mask.buffer);
    let several = facts.program.size(mask.shape[0])? > 1;
    let whole_rows = mask.sliced && rows(facts, mask) == Some(1) && several;
    let pitch = facts.program.size(mask.shape[1])?;
    let row_bytes = mask
        .dtype
        .bytes_of(pitch - facts.program.size(mask.offset[1])?);
    let written = repeats * src.dtype.lanes() / 8;
    if !whole_rows || written <= row_bytes {
        return None;
    }
    let slot = Granule::of(facts.program.toolchain, buffer)
        .bytes(facts.program.constant_pair(buffer.shape)?)?;
    let may = facts.analysis.extent(stmt.id, 0)?.footprint.may()?;
    let end = may.hull().map_or(0, |(_, end)| end);
    let beyond = end - slot;
    let order = order_of(facts, stmt, mask);
    let alone = facts
        .analysis
        .writers(mask.buffer)
        .all(|writer| writer.stmt.id == stmt.id);
    // Each row replaces what the one before wrote beyond its end, and the last one has room.
    if order == Some(Order::Ascending) && beyond <= 0 && alone {
        return None;
    }
    Some(Spill {
        mask,
        written,
        row_bytes,
        beyond,
        is_lost: match order {
            Some(Order::Descending) => true,
            Some(Order::Ascending) => beyond > 0,
            None => false,
        },
    })
}

/// The order in which a loop visits the rows of a mask.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Ascending,
    Descending,
}

/// Returns the order of the rows that a comparison writes. `None` unless loops with constant bounds run it for
/// all of them.
fn order_of(facts: &Facts, stmt: &Stmt, mask: &LocalView) -> Option<Order> {
    let scalars = &facts.program.scalars;
    let counter = match scalars.get(mask.offset[0]) {
        Scalar::Variable(counter) => counter,
        Scalar::Binary(BinaryOp::Add, a, b) => match (scalars.get(a), scalars.as_int(b)) {
            (Scalar::Variable(counter), Some(_)) => counter,
            _ => return None,
        },
        _ => return None,
    };
    let mut order = None;
    for stmt in facts.program.ancestors(stmt.id) {
        match &stmt.kind {
            StmtKind::Loop {
                variable,
                start,
                stop,
                step,
                body,
            } => {
                let [start, stop, step] = [start, stop, step].map(|&id| scalars.as_int(id));
                let trips = trip_count(start?, stop?, step?)?;
                if body.iter().any(Stmt::leaves_iteration) || trips == 0 {
                    return None;
                }
                if *variable == counter {
                    order = match step? {
                        1 if trips > 1 => Some(Order::Ascending),
                        -1 if trips > 1 => Some(Order::Descending),
                        _ => return None,
                    };
                }
            }
            // A condition or an unknown loop may leave out rows.
            StmtKind::If { .. } | StmtKind::UnknownLoop { .. } => return None,
            _ => {}
        }
    }
    order
}

fn report(facts: &Facts, sink: &mut Sink, stmt: &Stmt, instr: &Instr, spill: &Spill) {
    let buffer = facts.program.buffer(spill.mask.buffer);
    let message = format!(
        "{} writes {} into {}, whose rows hold {}: the rest falls into the next row",
        call(facts, instr),
        counted(spill.written, "byte"),
        tensor(facts, spill.mask),
        spill.row_bytes
    );
    let severity = match spill.is_lost {
        true => Severity::Error,
        false => Severity::Warning,
    };
    let report = sink
        .report_from(stmt.origin, stmt.span, message)
        .severity(severity)
        .help(format!("give the mask rows of {} bytes", spill.written));
    let text = match spill.beyond {
        1.. => format!(
            "the last row of {} would end {} past it",
            allocation(facts, buffer),
            counted(spill.beyond, "byte")
        ),
        _ => format!("{} is allocated here", allocation(facts, buffer)),
    };
    report.label(allocated_at(facts, spill.mask), text);
}

use crate::declare_rule;
use crate::source_forms::{accepts, zero_literal};
use crate::wording::{allocated_at, allocation, call, list, neighbours, tensor, view_text};
use crate::{Facts, Report, Sink};
use a2lint_analysis::{FaultyOperand, OperandFault, RangeSet};
use a2lint_ir::finding::Edit;
use a2lint_ir::{ArgSource, Buffer, OriginId};
use a2lint_isa::{Access, BLOCK_BYTES, DST, Opcode, Place, REPEAT_BYTES, SRC, param};
use a2lint_source::text::{Slice, Span};

declare_rule! {
    /// ## What it does
    /// Reports `ub_to_ub`, and padded loads and stores, on a tensor of several rows whose row is
    /// narrower than one 32-byte block, such as the `[M, 1]` tensors that hold one scalar per row.
    ///
    /// ## Why is this bad?
    /// These moves work in whole blocks: each row takes one, however narrow it is. A float `[64, 1]` tensor
    /// holds 256 bytes, and the move covers 2048: rows land in the wrong place, and the tensors after it
    /// are overwritten.
    ///
    /// ## Example
    /// ```python
    /// prev_max = Tensor(DT.float, [64, 1], Position.UB)
    /// ub_to_ub(prev_max, row_max)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// dup(zero, 0.0)                    # [64, 1] as well
    /// add(prev_max, row_max, zero)
    /// ```
    ///
    /// ## Fix safety
    /// The rewrite allocates a zero tensor and fills it where the copy stood; a kernel that copies
    /// in a loop may want to fill it once, before the loop.
    ///
    /// ## Source
    /// A2 device constraints, section 8: copying scalar-format UB state.
    "COV002" "ub-to-ub-scalar" Error, basis = AnyLaunch, fix = Unsafe
}

/// A fault of narrow rows. Sizes are in bytes.
struct Narrow<'a> {
    operand: &'a FaultyOperand<'a>,
    rows: Option<i64>,
    row_bytes: i64,
    slot_bytes: i64,
    outside: &'a RangeSet,
}

fn check(facts: &Facts, sink: &mut Sink) {
    for operand in &facts.analysis.faulty_operands {
        if let Some(narrow) = narrow(operand) {
            report(facts, sink, &narrow);
        }
    }
}

fn narrow<'a>(operand: &'a FaultyOperand) -> Option<Narrow<'a>> {
    match &operand.fault {
        OperandFault::NarrowRows {
            rows,
            row_bytes,
            slot_bytes,
            outside,
        } => Some(Narrow {
            operand,
            rows: *rows,
            row_bytes: *row_bytes,
            slot_bytes: *slot_bytes,
            outside,
        }),
        _ => None,
    }
}

fn report(facts: &Facts, sink: &mut Sink, narrow: &Narrow) {
    let operand = narrow.operand;
    let mut report = sink
        .report_from(
            operand.stmt.origin,
            operand.stmt.span,
            message(facts, narrow),
        )
        .help(help(facts, narrow))
        .label(
            allocated_at(facts, operand.view),
            format!(
                "{} holds {} bytes",
                allocation(facts, facts.program.buffer(operand.view.buffer)),
                narrow.slot_bytes
            ),
        );
    if narrow.rows.is_none() {
        report = report.possible();
    }
    offer_add(facts, report, narrow);
}

fn message(facts: &Facts, narrow: &Narrow) -> String {
    let operand = narrow.operand;
    let name = call(facts, operand.instr);
    let tensor = tensor(facts, operand.view);
    let row = narrow.row_bytes;
    let Some(rows) = narrow.rows else {
        return format!(
            "{name} moves one 32-byte block for every row of {tensor}, whose rows hold {row} bytes: \
             more than one row runs out of step"
        );
    };
    let verb = match operand.access {
        Access::Read => "takes",
        _ => "writes",
    };
    let moved = rows * BLOCK_BYTES;
    let hit = hit(facts, narrow);
    format!(
        "{name} {verb} {moved} bytes for {tensor}, one 32-byte block per row, where its rows hold \
         {} bytes{hit}",
        rows * row
    )
}

/// Formats the neighbours that the move reads or overwrites.
fn hit(facts: &Facts, narrow: &Narrow) -> String {
    let names = neighbours(facts, narrow.operand.view, narrow.outside);
    if names.is_empty() {
        return String::new();
    }
    let verb = match narrow.operand.access {
        Access::Read => "reads",
        _ => "overwrites",
    };
    format!(", and {verb} {}", list(&names))
}

fn help(facts: &Facts, narrow: &Narrow) -> String {
    let operand = narrow.operand;
    if operand.instr.row().moves(Place::UB, Place::UB) {
        let [dst, src] = [DST, SRC].map(|at| operand.instr.local(at));
        let (Some(dst), Some(src)) = (dst, src) else {
            return String::new();
        };
        return format!(
            "copy row scalars on the vector unit: `{}(zero, {})`, then `{}({}, {}, zero)`",
            facts.program.name_of(Opcode::Dup),
            zero_literal(dst.dtype),
            facts.program.name_of(Opcode::Add),
            view_text(facts, dst),
            view_text(facts, src)
        );
    }
    let c0 = operand.view.dtype.c0();
    let rows = facts.names.text(operand.view.shape[0]);
    format!(
        "move the scalars as one row ([1,{rows}] in UB, one axis in GM), or give each row a block \
         of its own: [{rows},{c0}]"
    )
}

/// Offers to replace the copy by a fill with zero and an addition.
fn offer_add(facts: &Facts, report: Report, narrow: &Narrow) {
    if let Some(edits) = addition(facts, narrow) {
        report.fix("copy with an addition of zero", false, edits);
    }
}

fn addition(facts: &Facts, narrow: &Narrow) -> Option<Vec<Edit>> {
    let operand = narrow.operand;
    let instr = operand.instr;
    let (dst, src) = (instr.local(DST)?, instr.local(SRC)?);
    let addable = accepts(Opcode::Add, dst.dtype);
    let same_shape = dst.span == src.span && dst.shape == src.shape && !dst.sliced && !src.sliced;
    let plain = instr.explicit
        && operand.stmt.origin == OriginId(0)
        && instr.args[param!(UbToUb.n_burst)..]
            .iter()
            .all(|arg| !matches!(arg.source, ArgSource::Given(_)));
    if !instr.row().moves(Place::UB, Place::UB) || !addable || !same_shape || !plain {
        return None;
    }
    let [rows, columns] = facts.program.constant_pair(dst.span)?;
    let elements = rows.checked_mul(columns)?;
    let whole_repeats = dst.dtype.bytes_of(elements) % REPEAT_BYTES == 0;
    let count = match whole_repeats {
        true => String::new(),
        false => format!(", count={elements}"),
    };
    let zero = fresh_name(facts);
    let value = zero_literal(dst.dtype);
    let indent = indentation(facts, operand.stmt.span.start)?;
    let (fill, add) = (
        facts.program.name_of(Opcode::Dup),
        facts.program.name_of(Opcode::Add),
    );
    let [to, from] = [dst, src].map(|view| facts.source.slice(view.site));
    let copy =
        format!("{fill}({zero}, {value}{count})\n{indent}{add}({to}, {from}, {zero}{count})");
    let buffer = facts.program.buffer(dst.buffer);
    Some(vec![
        allocate(facts, buffer, &zero, [rows, columns])?,
        Edit {
            span: operand.stmt.span,
            text: copy,
        },
    ])
}

/// Returns an edit that allocates a tensor of the same kind on the line after the allocation of `like`.
fn allocate(facts: &Facts, like: &Buffer, name: &str, [rows, columns]: [i64; 2]) -> Option<Edit> {
    let indent = indentation(facts, like.span.start)?;
    let line = facts.source.line_index(like.span.end);
    let end = facts.source.line_span(line)?.end as usize;
    Some(Edit {
        span: Span::new(end, end),
        text: format!(
            "\n{indent}{name} = Tensor(DT.{}, [{rows}, {columns}], Position.{})",
            like.dtype, like.position
        ),
    })
}

/// Returns the white space before the first word of a line.
fn indentation<'a>(facts: &Facts<'a>, offset: u32) -> Option<&'a str> {
    let line = facts.source.line_span(facts.source.line_index(offset))?;
    let text = facts.source.slice(line);
    Some(text.part(..text.len() - text.trim_start().len()))
}

/// Returns `zero`, or a longer name if the file uses that one.
fn fresh_name(facts: &Facts) -> String {
    let mut name = "zero".to_owned();
    while mentions(facts.source.as_str(), &name) {
        name.push('_');
    }
    name
}

fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .any(|word| word == name)
}

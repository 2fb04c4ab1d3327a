use crate::declare_rule;
use crate::memory::capacity::report_launched;
use crate::{Facts, Sink};
use a2lint_ir::finding::Severity;
use a2lint_ir::{Instr, Stmt};
use a2lint_isa::device::{BIAS_SLOT_BYTES, capacity};
use a2lint_isa::{Dialect, Position, sizes_text};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports a bias row above the 512 bytes of the bias table, and warns about one above the 256
    /// bytes of one of its two slots.
    ///
    /// Checked are tensors in `Position.BT` and the columns that one step of `matmul` adds a bias
    /// to, which take 4 bytes each.
    ///
    /// ## Why is this bad?
    /// The bias table is used in two slots, so that one row loads while the cube reads the other. A
    /// wider row runs over the row that is being read, or past the table.
    ///
    /// ## Example
    /// ```python
    /// matmul(acc, l1_a, l1_b, m=128, n=128, k=64, bias=l1_bias)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// matmul(acc, l1_a, l1_b, m=128, n=128, k=64, splitn=64, bias=l1_bias)
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on the bias table: 512 bytes in two slots of 64 values. The platform
    /// files of the device family say 1024 bytes; the smaller figure is the one that is safe on
    /// every device, and the one that this rule holds a bias row to.
    "CAP005" "bias-overflow" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    tensors(facts, sink);
    for (stmt, instr) in facts.instructions() {
        if instr.row().stages_operands() {
            matmul(facts, stmt, instr, sink);
        }
    }
    report_launched(facts, Position::Bt, sink);
}

fn tensors(facts: &Facts, sink: &mut Sink) {
    let table = capacity(Position::Bt);
    for placement in facts.memory.in_position(Position::Bt) {
        let buffer = facts.program.buffer(placement.buffer);
        let (Some(total), Some(slot)) = (placement.total(), placement.slot_bytes) else {
            continue;
        };
        let name = buffer.label();
        if total > table {
            let [total, table] = sizes_text([total, table]);
            let message = format!("`{name}` needs {total}; the bias table has {table}");
            sink.report(buffer.span, message).help(ADVICE);
        } else if slot > BIAS_SLOT_BYTES {
            let [slot, limit] = sizes_text([slot, BIAS_SLOT_BYTES]);
            let message = format!("`{name}` needs {slot}; a slot of the bias table has {limit}");
            sink.report(buffer.span, message)
                .severity(Severity::Warning)
                .help(ADVICE);
        }
    }
}

fn matmul(facts: &Facts, stmt: &Stmt, instr: &Instr, sink: &mut Sink) {
    let Some((columns, bias)) = biased_columns(facts, instr) else {
        return;
    };
    let table = capacity(Position::Bt);
    let bytes = columns.saturating_mul(BIAS_BYTES);
    if bytes <= BIAS_SLOT_BYTES {
        return;
    }
    // One compiler refuses what does not fit a slot.
    let beyond_slot = match facts.program.dialect {
        Dialect::Easyasc => Severity::Warning,
        Dialect::Ascriptor => Severity::Error,
    };
    let (limit, what, severity) = match bytes > table {
        true => (table, "the bias table", Severity::Error),
        false => (BIAS_SLOT_BYTES, "a slot of the bias table", beyond_slot),
    };
    let [bytes, limit] = sizes_text([bytes, limit]);
    let message = format!("the bias of {columns} columns needs {bytes}; {what} has {limit}");
    sink.report_from(stmt.origin, bias, message)
        .severity(severity)
        .help(ADVICE);
}

/// Columns that one step adds the bias to, and where the bias is written.
fn biased_columns(facts: &Facts, instr: &Instr) -> Option<(i64, Span)> {
    let bias = instr.row().index_named("bias")?;
    let site = instr.view(bias)?.site();
    let number = |name: &str| facts.program.scalars.as_int(instr.scalar_named(name)?);
    let columns = number("n")?;
    match instr.scalar_named("splitn") {
        Some(_) => Some((columns.min(number("splitn")?), site)),
        None => Some((columns, site)),
    }
}

/// Bytes of one bias value: float or int.
const BIAS_BYTES: i64 = 4;
/// What makes a bias row fit.
const ADVICE: &str = "work on 64 columns at a time: `splitn=64`";

use crate::declare_rule;
use crate::memory::capacity::report_launched;
use crate::{Facts, Sink};
use a2lint_ir::finding::Severity;
use a2lint_ir::{Instr, Stmt};
use a2lint_isa::{Position, sizes_text};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports tensors in `Position.BT` that do not fit the bias table, which has 1 KB; the Ascriptor
    /// compiler hands out 512 bytes of it. Of `matmul`, it reports a bias row above the 512 bytes that the
    /// two slots hold which it uses in turn, and warns about one above the 256 bytes of a slot. A value of a
    /// bias takes 4 bytes.
    ///
    /// ## Why is this bad?
    /// `matmul` uses two slots, so that one row loads while the cube reads the other. A wider row runs over
    /// the row that is being read, or past both.
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
    /// The size of the table: the AscendC manual, on two pages, and the platform files of the device
    /// family. The slots of `matmul`, of 64 values each: the public DSL documentation.
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
    let table = facts.program.usable(Position::Bt);
    for placement in facts.memory.in_position(Position::Bt) {
        let buffer = facts.program.buffer(placement.buffer);
        let Some(total) = placement.total().filter(|&total| total > table) else {
            continue;
        };
        let [total, table] = sizes_text([total, table]);
        let message = format!(
            "`{}` needs {total}; the bias table has {table}",
            buffer.label()
        );
        sink.report(buffer.span, message).help(ADVICE);
    }
}

fn matmul(facts: &Facts, stmt: &Stmt, instr: &Instr, sink: &mut Sink) {
    let Some((columns, bias)) = biased_columns(facts, instr) else {
        return;
    };
    let toolchain = facts.program.toolchain;
    let slot = toolchain.memory.bias_slot;
    let bytes = columns.saturating_mul(BIAS_BYTES);
    if bytes <= slot {
        return;
    }
    // Some toolchains refuse a bias that is wider than one slot.
    let beyond_slot = match toolchain.refusals.wide_bias {
        true => Severity::Error,
        false => Severity::Warning,
    };
    let both = 2 * slot;
    let (limit, what, severity) = match bytes > both {
        true => (both, "both slots of matmul() have", Severity::Error),
        false => (slot, "a slot of matmul() has", beyond_slot),
    };
    let [bytes, limit] = sizes_text([bytes, limit]);
    let message = format!("the bias of {columns} columns needs {bytes}; {what} {limit}");
    sink.report_from(stmt.origin, bias, message)
        .severity(severity)
        .help(ADVICE);
}

/// Returns the number of columns that one step adds the bias to, and where the bias is written.
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

/// Size of a bias value in bytes: a float or an int32.
const BIAS_BYTES: i64 = 4;
/// Help for a bias row that does not fit.
const ADVICE: &str = "work on 64 columns at a time: `splitn=64`";

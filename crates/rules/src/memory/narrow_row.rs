use crate::declare_rule;
use crate::wording::allocation;
use crate::{Facts, Sink};
use a2lint_ir::{Buffer, BufferId};
use a2lint_isa::{BLOCK_BYTES, Position, Walk};

declare_rule! {
    /// ## What it does
    /// Reports UB tensors whose rows are not a whole number of 32-byte blocks, such as `[M, 1]`.
    ///
    /// Packed masks of `compare` and `select` are left out: their rows follow each other bit by bit.
    ///
    /// ## Why is this bad?
    /// Loads, stores and strides count in blocks. Vector arithmetic takes such a tensor as one contiguous
    /// row, which is the idiom for row scalars, but to every other instruction, rows seem to start inside a
    /// block. Recent versions of the DSL refuse them.
    ///
    /// ## Example
    /// ```python
    /// row_max = Tensor(DT.float, [64, 1], Position.UB)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// row_max = Tensor(DT.float, [1, 64], Position.UB)
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on local tensors: rows of 32 bytes. The A2 device constraints use
    /// `[M, 1]` for row scalars, hence pedantic.
    "CAP007" "narrow-row" Warning, basis = Shape, property = None, pedantic = true
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (index, buffer) in facts.program.buffers.iter().enumerate() {
        if buffer.position != Position::Ub || holds_bits(facts, BufferId(index as u32)) {
            continue;
        }
        let Some([rows, columns]) = facts.program.constant_pair(buffer.shape) else {
            continue;
        };
        let bytes = buffer.dtype.bytes_of(columns);
        if rows > 0 && bytes > 0 && bytes % BLOCK_BYTES != 0 {
            let message = format!(
                "{} has rows of {bytes} bytes; blocks have {BLOCK_BYTES}",
                allocation(facts, buffer)
            );
            sink.report(buffer.span, message)
                .help(advice(buffer, rows, columns));
        }
    }
}

/// Returns whether an instruction reads or writes the buffer as packed bits.
fn holds_bits(facts: &Facts, buffer: BufferId) -> bool {
    facts.analysis.touches_of(buffer).any(|touch| {
        let param = touch.instr.row().param(touch.operand);
        let walk = param
            .and_then(|param| param.operand())
            .map(|operand| operand.walk);
        walk == Some(Walk::PackedBits)
    })
}

fn advice(buffer: &Buffer, rows: i64, columns: i64) -> String {
    let c0 = buffer.dtype.c0();
    match columns {
        1 => format!("keep one value per row in one row: [1, {rows}]"),
        _ => format!("make rows {} columns wide", (columns + c0 - 1) / c0 * c0),
    }
}

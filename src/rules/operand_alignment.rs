use super::wording::{call, elements_in, tensor};
use super::{Facts, Sink};
use crate::analysis::{FaultyOperand, OperandFault};
use crate::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports operands of vector instructions and UB moves that provably start off a 32-byte
    /// border, and tiles of L0A and L0B that start off a 512-byte one.
    ///
    /// Operands that may start elsewhere are left alone: packed masks, results of `cadd`, `cmax`
    /// and `cmin` (any element), results of `cgadd`, `cgmax` and `cgmin` and sources of `brcb`
    /// (eight elements), sources of merges (one record), and views that the scalar unit reads or
    /// writes.
    ///
    /// ## Why is this bad?
    /// The vector unit addresses UB in blocks. An operand that starts inside of one is refused by
    /// the hardware, or read from the block's start. The cube unit reads L0A and L0B in fractals of
    /// 512 bytes; a tile that starts inside of one is refused, too.
    ///
    /// ## Example
    /// ```python
    /// add(y, x[0:1, 4:68], bias)       # starts 16 bytes into a block of floats
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// add(y, x[0:1, 8:72], bias)       # a multiple of 8 floats
    /// ```
    ///
    /// ## Source
    /// AscendC reference: address alignment of vector instructions, padded copies and operands in
    /// L0A and L0B.
    "COV013" "operand-alignment" Error
}

fn check(facts: &Facts, sink: &mut Sink) {
    for operand in &facts.analysis.faulty_operands {
        let OperandFault::Misaligned { off_by, granule } = operand.fault else {
            continue;
        };
        report(facts, sink, operand, off_by, granule);
    }
}

fn report(facts: &Facts, sink: &mut Sink, operand: &FaultyOperand, off_by: i64, granule: i64) {
    let dtype = operand.view.dtype;
    let message = format!(
        "{} starts {off_by} bytes past a {granule}-byte border, and {} takes it from such a border only",
        tensor(facts, operand.view),
        call(operand.instr)
    );
    let help = format!(
        "start at a multiple of {} elements of {dtype}",
        elements_in(granule, dtype)
    );
    sink.report_from(operand.stmt.origin, operand.view.site, message)
        .help(help);
}

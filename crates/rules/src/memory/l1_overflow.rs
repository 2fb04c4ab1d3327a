use crate::declare_rule;
use crate::memory::capacity::{overflows, report_launched, report_reserved};
use crate::{Facts, Sink};
use a2lint_isa::Position;

declare_rule! {
    /// ## What it does
    /// Adds up the L1 tensors of a kernel and reports a tensor, or a sum, above 512 KB.
    ///
    /// Tensors in NZ layout count with rows rounded up to 16 and columns to a 32-byte block.
    ///
    /// ## Why is this bad?
    /// The L1 memory of a cube core holds 512 KB; the buffer that reaches past the end uses addresses
    /// without memory.
    ///
    /// ## Example
    /// ```python
    /// weights = QBuff(DT.half, [256, 512], Position.L1)      # 4 slots of 256 KB
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// weights = DBuff(DT.half, [256, 512], Position.L1)      # 2 slots of 256 KB
    /// ```
    ///
    /// ## Source
    /// Capacities of the Ascend 910B family.
    "CAP003" "l1-overflow" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    for overflow in overflows(facts, Position::L1) {
        let report = sink.report(overflow.span(), overflow.message(facts));
        let (list, room) = (overflow.list(), overflow.room().max(0));
        let help = format!(
            "largest first: {list}; {room} bytes are left for `{}`: load K in smaller steps, or drop slots",
            overflow.culprit.buffer.label()
        );
        overflow.label(report).advice(help);
    }
    report_launched(facts, Position::L1, sink);
    report_reserved(facts, Position::L1, sink);
}

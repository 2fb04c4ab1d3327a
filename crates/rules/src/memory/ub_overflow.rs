use crate::declare_rule;
use crate::memory::capacity::{overflows, report_launched, report_reserved};
use crate::{Facts, Sink};
use a2lint_ir::NoteKind;
use a2lint_ir::finding::Severity;
use a2lint_isa::Position;

declare_rule! {
    /// ## What it does
    /// Adds up the UB tensors of a kernel and reports a tensor, or a sum, above 192 KB.
    /// Warns in AscendC about a kernel on cube and vec cores whose buffers fill the last 256 bytes, and about two
    /// `TPipe` objects that hand out memory while both are alive: each begins at the first address and at event id 0.
    ///
    /// ## Why is this bad?
    /// Each vector sub-block has its own 192 KB. Buffers are laid out one after the other; the one that
    /// reaches past the end uses addresses without memory.
    ///
    /// ## Example
    /// ```python
    /// x = QBuff(DT.float, [64, 256], Position.UB)      # 4 slots of 64 KB
    /// ```
    ///
    /// ```cpp
    /// pipe.InitBuffer(in, 2, 128 * 1024);           // 256 KB of 192
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// x = DBuff(DT.float, [64, 256], Position.UB)      # 2 slots of 64 KB
    /// ```
    ///
    /// ```cpp
    /// pipe.InitBuffer(in, 2, 64 * 1024);
    /// ```
    ///
    /// ## Source
    /// A2 device constraints, section 4: each sub-block has its own independent 192 KB of UB. Measured on a 910B3:
    /// kernels that take 208 to 229 KB pass a simulation and overflow.
    "CAP002" "ub-overflow" Error, basis = Constants, evidence = Measured
}

fn check(facts: &Facts, sink: &mut Sink) {
    for overflow in overflows(facts, Position::Ub) {
        let report = sink.report(overflow.span(), overflow.message(facts));
        let (list, room) = (overflow.list(), overflow.room().max(0));
        let help = format!(
            "largest first: {list}; {room} bytes are left for `{}`: shrink tiles, drop slots or reuse buffers",
            overflow.culprit.buffer.label()
        );
        overflow.label(report).advice(help);
    }
    report_launched(facts, Position::Ub, sink);
    report_reserved(facts, Position::Ub, sink);
    second_pipes(facts, sink);
}

/// Reports `TPipe` objects that hand out memory which another one has handed out.
fn second_pipes(facts: &Facts, sink: &mut Sink) {
    for note in &facts.program.notes {
        let NoteKind::SecondPipe { first } = note.kind else {
            continue;
        };
        let message = "this `TPipe` starts again at UB address 0 and event id 0 while another `TPipe` is alive: their \
                       buffers overlap";
        let report = sink
            .report_from(note.origin, note.span, message)
            .advice(
                "use one `TPipe` (pass a pointer to it), or end the first one before: `Destroy()`, or a block of its \
                 own",
            )
            .severity(Severity::Warning);
        if first != note.span {
            report.label(first, "the other one hands out memory here");
        }
    }
}

use crate::declare_rule;
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_analysis::{ControlFacts, UnitFlagFault, UnitFlags};
use a2lint_ir::StmtKind;

declare_rule! {
    /// ## What it does
    /// Reports products and copies from L0C that wait for a unit flag which nothing sets or clears.
    ///
    /// ## Why is this bad?
    /// With `unitFlag`, M and FIX take turns at a part of L0C: a product waits until the flag of the part is clear, and
    /// with 3 sets it; a copy waits until it is set, and with 3 clears it. A product after one with 3, or a copy after
    /// products with 2 alone, waits for ever.
    ///
    /// ## Example
    /// ```cpp
    /// Mmad(c, a[0], b[0], MmadParams{M, N, K, 2, false, true});
    /// Mmad(c, a[M * K], b[N * K], MmadParams{M, N, K, 2, false, false});  // the last one, too
    /// fixpipe.unitFlag = 3;
    /// Fixpipe(y, c, fixpipe);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// Mmad(c, a[0], b[0], MmadParams{M, N, K, 2, false, true});
    /// Mmad(c, a[M * K], b[N * K], MmadParams{M, N, K, 3, false, false});
    /// fixpipe.unitFlag = 3;
    /// Fixpipe(y, c, fixpipe);
    /// ```
    ///
    /// ## Source
    /// Stated by the AscendC manual for `Mmad` and `Fixpipe`.
    "SYN022" "unit-flag" Error, basis = Constants, property = Progress
}

fn check(facts: &Facts, sink: &mut Sink) {
    if facts.program.hides_instructions() {
        return;
    }
    let control = ControlFacts::of(facts.program, &[]);
    for (id, fault) in UnitFlags::of(facts.program, &control).faults {
        let Some(stmt) = facts.program.statement(id) else {
            continue;
        };
        let StmtKind::Instr(instr) = &stmt.kind else {
            continue;
        };
        let (message, help) = match fault {
            UnitFlagFault::NotCleared => (
                "waits for ever: the product before it has set the unit flag, and no copy has cleared it",
                "the last product of a sum has unit flag 3, those before it 2; the copy from L0C has 3",
            ),
            UnitFlagFault::NotSet => (
                "waits for ever: no product has set the unit flag that it needs",
                "give the last product before it the unit flag 3",
            ),
        };
        let message = format!("{} {message}", call(facts, instr));
        sink.report_from(stmt.origin, stmt.span, message).help(help);
    }
}

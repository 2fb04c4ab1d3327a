use crate::declare_rule;
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_analysis::{ControlFacts, UnitFlagFault, UnitFlags};
use a2lint_ir::{StmtId, StmtKind};

declare_rule! {
    /// ## What it does
    /// Reports products and copies from L0C that wait for a unit flag which nothing sets or clears.
    ///
    /// ## Why is this bad?
    /// With `unitFlag` 2 or 3, M and FIX take turns at a part of L0C without events. A product waits until the flag of
    /// the part is clear, a copy until it is set; 2 leaves the flag as it is, 3 sets it (product) or clears it (copy).
    /// 0 neither waits nor changes it. So the last product of a sum has 3, those before it 2, and the copy 3. A product
    /// after one with 3 that no copy has cleared waits for ever; so does a copy after products with 2 alone.
    ///
    /// ## Example
    /// ```cpp
    /// Mmad(c, a[0], b[0], MmadParams{M, N, K, 2, false, true});
    /// Mmad(c, a[M * K], b[N * K], MmadParams{M, N, K, 2, false, false});  // wrong: the last product needs 3
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

/// Returns the waits for unit flags that end in no execution; none if some instructions are not known.
pub(super) fn faults(facts: &Facts) -> Vec<(StmtId, UnitFlagFault)> {
    if facts.program.hides_instructions() {
        return Vec::new();
    }
    let control = ControlFacts::of(facts.program, &[]);
    UnitFlags::of(facts.program, &control).faults
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (id, fault) in faults(facts) {
        let Some(stmt) = facts.program.statement(id) else {
            continue;
        };
        let StmtKind::Instr(instr) = &stmt.kind else {
            continue;
        };
        let (message, help) = match fault {
            UnitFlagFault::NotCleared => (
                "waits for ever: the product before it has unit flag 3, and no copy from L0C with 3 follows that one",
                "give the product before it unit flag 2 if the sum goes on; else copy the sum out with unit flag 3 \
                 first",
            ),
            UnitFlagFault::NotSet => (
                "waits for ever: no product before it has unit flag 3",
                "give the last product of the sum unit flag 3",
            ),
        };
        let message = format!("{} {message}", call(facts, instr));
        sink.report_from(stmt.origin, stmt.span, message)
            .advice(help);
    }
}

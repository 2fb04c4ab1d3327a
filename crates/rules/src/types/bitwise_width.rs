use crate::declare_rule;
use crate::wording::{allocated_at, call, type_name, view_text};
use crate::{Facts, Sink};
use a2lint_analysis::type_fault;
use a2lint_isa::{DST, DType};

declare_rule! {
    /// ## What it does
    /// Reports `vand`, `vor` and `vnot` on 32-bit elements.
    ///
    /// ## Why is this bad?
    /// The vector unit documents these operations for 16-bit integers only. Bits do not care about
    /// the width of an element, so a 16-bit view of the same bytes gives the same result.
    ///
    /// ## Example
    /// ```python
    /// vand(low, bits, mask)                        # int
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// vand(low.reinterpret(DT.int16), bits.reinterpret(DT.int16), mask.reinterpret(DT.int16))
    /// ```
    ///
    /// ## Source
    /// Element types of the AscendC vector instructions on Atlas A2.
    "TYP008" "bitwise-width" Warning, basis = Assumption
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        let bitwise = instr.row().is_bitwise();
        let Some(dst) = instr.local(DST).filter(|_| bitwise) else {
            continue;
        };
        if dst.dtype.bits() != 32 || type_fault(facts.program, instr).is_some() {
            continue;
        }
        let message = format!(
            "{} on {} elements; it is documented for 16-bit types",
            call(facts, instr),
            dst.dtype
        );
        sink.report_from(stmt.origin, stmt.span, message)
            .label(allocated_at(facts, dst), "allocated here")
            .help(format!(
                "work on 16-bit views of all operands: `{}.reinterpret({})`",
                view_text(facts, dst),
                type_name(facts, DType::Int16)
            ));
    }
}

use crate::declare_rule;
use crate::wording::{allocated_at, call, elements, tensor};
use crate::{Facts, Sink};
use a2lint_analysis::{resolved, type_fault};
use a2lint_ir::{Instr, Stmt, StmtId};
use a2lint_isa::{Class, DST, ParamKind, param};

declare_rule! {
    /// ## What it does
    /// Reports a `select` whose packed mask holds fewer bits than the tensor has elements.
    ///
    /// ## Why is this bad?
    /// The mask is consumed bit by bit, without gaps, for as long as the destination lasts. After the end
    /// of the mask, the bytes that follow in memory make the choice.
    ///
    /// ## Example
    /// ```python
    /// mask = Tensor(DT.uint8, [64, 4], Position.UB)      # 2048 bits
    /// select(y, mask, x, fill)                           # y, x, fill are [64, 64]
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// mask = Tensor(DT.uint8, [64, 8], Position.UB)      # 64 // 8 bytes per row
    /// ```
    ///
    /// ## Source
    /// Vector mask constraints, section 4: packed control of `select`; A2 device constraints,
    /// section 5.1.
    "MSK002" "select-mask-short" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr, (bits, needed)) in short(facts) {
        report(facts, sink, stmt, instr, bits, needed);
    }
}

/// Returns the statements that this rule explains.
pub(crate) fn explained(facts: &Facts) -> impl Iterator<Item = StmtId> {
    short(facts).map(|(stmt, ..)| stmt.id)
}

/// Returns the instructions with a mask that is too short, with its bits and the elements that it selects.
fn short<'a>(facts: &Facts<'a>) -> impl Iterator<Item = (&'a Stmt, &'a Instr, (i64, i64))> {
    facts.instructions().filter_map(|(stmt, instr)| {
        let is_select =
            instr.row().class == Class::Select && type_fault(facts.program, instr).is_none();
        let shortage = is_select.then(|| shortage(facts, instr)).flatten()?;
        Some((stmt, instr, shortage))
    })
}

/// Returns the bits of the mask and the number of selected elements, if there are too few bits.
pub(crate) fn shortage(facts: &Facts, instr: &Instr) -> Option<(i64, i64)> {
    let bits = elements(facts, instr.local(param!(Select.selmask))?)?.checked_mul(8)?;
    let dst = instr.local(DST)?;
    let repeats = resolved(facts.program, instr, ParamKind::Repeat)?;
    let needed = elements(facts, dst)?.min(repeats.checked_mul(dst.dtype.lanes())?);
    (bits < needed).then_some((bits, needed))
}

fn report(facts: &Facts, sink: &mut Sink, stmt: &Stmt, instr: &Instr, bits: i64, needed: i64) {
    let (Some(dst), Some(mask)) = (instr.local(DST), instr.local(param!(Select.selmask))) else {
        return;
    };
    let message = format!(
        "{} holds {bits} bits, and {} chooses {needed} elements of {}",
        tensor(facts, mask),
        call(facts, instr),
        tensor(facts, dst)
    );
    let help = match facts.program.constant_pair(dst.span) {
        Some([rows, columns]) if columns % 8 == 0 => format!(
            "a packed mask for this tensor is [{rows},{}] bytes, one bit per element",
            columns / 8
        ),
        _ => format!("a packed mask for it has {} bytes", (needed + 7) / 8),
    };
    sink.report_from(stmt.origin, stmt.span, message)
        .help(help)
        .label(allocated_at(facts, mask), "the mask is allocated here");
}

use crate::declare_rule;
use crate::wording::{allocated_at, call, counted, elements, tensor};
use crate::{Facts, Sink};
use a2lint_analysis::{MaskForm, type_fault};
use a2lint_ir::finding::Severity;
use a2lint_ir::{Instr, LocalView, Stmt};
use a2lint_isa::{Class, DST, Opcode, param};

declare_rule! {
    /// ## What it does
    /// Reports `select` on a control tensor that holds a byte for every element instead of a bit:
    /// as many bytes as elements, written element by element (a load of the same shape, a
    /// conversion, single 0/1 stores). Where a writer says nothing about it, it is a warning. A
    /// control that is merely larger than needed, because `compare` fills its first bytes, is fine.
    ///
    /// ## Why is this bad?
    /// The control is read as packed bits, lowest bit first. Of a byte-per-element mask only the
    /// first eighth is read, and each of its bytes decides eight lanes: mostly "reject".
    ///
    /// ## Example
    /// ```python
    /// keep = Tensor(DT.uint8, [64, 64], Position.UB)
    /// keep <<= mask[r:r + 64, 0:64]          # one byte per element
    /// select(y, keep, x, zero, SelectMode.TENSOR_SCALAR)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// keep = Tensor(DT.uint8, [64, 8], Position.UB)      # 64 // 8 bytes per row
    /// compare_scalar(keep, weights, 0.5, CompareMode.GT)
    /// select(y, keep, x, zero, SelectMode.TENSOR_SCALAR)
    /// ```
    ///
    /// ## Source
    /// Vector mask constraints, section 4: `[..., N // 8]`, not an expanded `[..., N]`; A2 device
    /// constraints, section 5.1.
    "MSK001" "select-mask-expanded" Error, basis = AnyLaunch
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        if instr.row().class != Class::Select || type_fault(facts.program, instr).is_some() {
            continue;
        }
        if let Some(severity) = expanded(facts, stmt, instr) {
            report(facts, sink, stmt, instr, severity);
        }
    }
}

fn expanded(facts: &Facts, stmt: &Stmt, instr: &Instr) -> Option<Severity> {
    let (dst, mask) = (instr.local(DST)?, instr.local(param!(Select.selmask))?);
    let byte_each = elements(facts, mask)? == elements(facts, dst)?;
    if !byte_each {
        return None;
    }
    let values = facts.analysis.values(facts.program);
    match values.found_by(stmt.id, 1)?.mask {
        MaskForm::Bytes => Some(Severity::Error),
        MaskForm::Unclear => Some(Severity::Warning),
        MaskForm::Zeros | MaskForm::Packed => None,
    }
}

fn report(facts: &Facts, sink: &mut Sink, stmt: &Stmt, instr: &Instr, severity: Severity) {
    let (Some(dst), Some(mask)) = (instr.local(DST), instr.local(param!(Select.selmask))) else {
        return;
    };
    let count = elements(facts, dst).unwrap_or(0);
    let message = format!(
        "{} reads {} as packed bits: {} decide {count} elements, and this mask holds one byte per element",
        call(facts, instr),
        tensor(facts, mask),
        counted((count + 7) / 8, "byte"),
    );
    let mut report = sink
        .report_from(stmt.origin, stmt.span, message)
        .help(help(facts, dst))
        .label(allocated_at(facts, mask), "the mask is allocated here");
    if severity == Severity::Warning {
        report = report.possible();
    }
    let values = facts.analysis.values(facts.program);
    for writer in values.writers(stmt.id, 1).unwrap_or_default() {
        if values
            .left_by(writer)
            .is_some_and(|value| value.mask == MaskForm::Bytes)
        {
            let span = facts.analysis.touches[writer].stmt.span;
            report = report.label(span, "one byte per element is written here");
        }
    }
}

fn help(facts: &Facts, dst: &LocalView) -> String {
    let shape = match facts.program.constant_pair(dst.span) {
        Some([rows, columns]) => format!("[{rows},{}]", (columns + 7) / 8),
        None => "[rows, columns // 8]".to_owned(),
    };
    format!(
        "build a packed mask of {shape} bytes with {}() or {}()",
        facts.program.name_of(Opcode::Compare),
        facts.program.name_of(Opcode::CompareScalar)
    )
}

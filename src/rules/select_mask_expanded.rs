use super::wording::{allocated_at, call, counted, elements, tensor};
use super::{Facts, Sink};
use crate::analysis::{Touch, constant_values, type_fault};
use crate::declare_rule;
use crate::finding::Severity;
use crate::ir::{ArgValue, Instr, LocalView, Stmt};
use crate::isa::{Class, DType, Opcode, ParamKind};

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
    "MSK001" "select-mask-expanded" Error
}

/// What a writer says about the form of a mask.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A byte per element.
    Bytes,
    /// Packed bits.
    Bits,
    /// Fits both.
    Either,
    /// Not known.
    Unknown,
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.program.instructions() {
        if instr.opcode != Opcode::Select || type_fault(facts.program, instr).is_some() {
            continue;
        }
        if let Some(severity) = expanded(facts, instr) {
            report(facts, sink, stmt, instr, severity);
        }
    }
}

fn expanded(facts: &Facts, instr: &Instr) -> Option<Severity> {
    let (dst, mask) = (instr.local(0)?, instr.local(1)?);
    let byte_each = elements(facts, mask)? == elements(facts, dst)?;
    if !byte_each || facts.analysis.obscured.contains(&mask.buffer) {
        return None;
    }
    let forms: Vec<Form> = facts
        .analysis
        .writers(mask.buffer)
        .map(|writer| form(facts, writer, mask))
        .collect();
    let has = |form| forms.contains(&form);
    match (has(Form::Bits), has(Form::Unknown), has(Form::Bytes)) {
        (true, ..) => None,
        (_, true, _) => Some(Severity::Warning),
        (.., true) => Some(Severity::Error),
        _ => None,
    }
}

/// What one writer says about the mask.
fn form(facts: &Facts, writer: &Touch, mask: &LocalView) -> Form {
    match writer.instr.row().class {
        Class::Move if writer.instr.opcode == Opcode::GmToUbPad => loaded(facts, writer, mask),
        Class::Cast => Form::Bytes,
        Class::Scalar => stored(facts, writer),
        Class::Fill => filled(facts, writer),
        Class::Gather => Form::Unknown,
        _ => Form::Bits,
    }
}

/// A load of rows as wide as the mask brings bytes; a narrower one brings bits into a mask that is
/// larger than need be.
fn loaded(facts: &Facts, writer: &Touch, mask: &LocalView) -> Form {
    let constant = |id| facts.program.scalars.as_int(id);
    let length = writer.instr.scalar_named("burst_len_element").and_then(constant);
    match (length, constant(mask.shape[1])) {
        (Some(length), Some(width)) if length == width => Form::Bytes,
        (Some(_), Some(_)) => Form::Bits,
        _ => Form::Unknown,
    }
}

/// A store of 0 or 1 into a byte.
fn stored(facts: &Facts, writer: &Touch) -> Form {
    let bytes = matches!(writer.view.dtype, DType::UInt8 | DType::Int8);
    let Some(ArgValue::Variable(variable)) = writer.instr.args.first().map(|arg| &arg.value) else {
        return Form::Bits;
    };
    match constant_values(facts.program, *variable) {
        Some(values) if bytes && values.iter().all(|value| *value == 0) => Form::Either,
        Some(values) if bytes && values.iter().all(|value| matches!(value, 0 | 1)) => Form::Bytes,
        _ => Form::Bits,
    }
}

/// A fill with zeros says nothing; one whose every byte is 1 is a byte per element.
fn filled(facts: &Facts, writer: &Touch) -> Form {
    let value = writer.instr.scalar(ParamKind::Value);
    match value.and_then(|value| facts.program.scalars.as_int(value)) {
        Some(0) => Form::Either,
        Some(0x0101 | 0x0101_0101) => Form::Bytes,
        _ => Form::Bits,
    }
}

fn report(facts: &Facts, sink: &mut Sink, stmt: &Stmt, instr: &Instr, severity: Severity) {
    let (Some(dst), Some(mask)) = (instr.local(0), instr.local(1)) else {
        return;
    };
    let count = elements(facts, dst).unwrap_or(0);
    let message = format!(
        "{} reads {} as packed bits: {} decide {count} elements, and this mask holds one byte per element",
        call(instr),
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
    for writer in facts.analysis.writers(mask.buffer) {
        if form(facts, writer, mask) == Form::Bytes {
            report = report.label(writer.stmt.span, "one byte per element is written here");
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
        Opcode::Compare.row().name,
        Opcode::CompareScalar.row().name
    )
}

use crate::declare_rule;
use crate::wording::{call, elements, tensor};
use crate::{Facts, Sink};
use a2lint_analysis::{Lanes, type_fault};
use a2lint_ir::finding::Severity;
use a2lint_ir::{Instr, LocalView, Stmt};
use a2lint_isa::{Class, DST, SelectMode};

declare_rule! {
    /// ## What it does
    /// Reports `select` in TENSOR_SCALAR mode on a fallback tensor whose lanes differ. It is an
    /// error where the fallback is a tile as large as the destination that holds a value of its own
    /// in every lane, and a warning where that is likely.
    ///
    /// ## Why is this bad?
    /// In this mode the fallback is one scalar: element 0 of the tensor. Its other elements are never read,
    /// so all rejected lanes get the same value.
    ///
    /// ## Example
    /// ```python
    /// old <<= state[r:r + 64, 0:64]
    /// select(y, mask, x, old, SelectMode.TENSOR_SCALAR)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// select(y, mask, x, old, SelectMode.TENSOR_TENSOR)
    /// ```
    /// A constant fallback is one scalar, or a row that `dup` has filled.
    ///
    /// ## Source
    /// A2 device constraints, section 5.1: scalar-fill `select`.
    "MSK003" "select-scalar-source" Error, basis = AnyLaunch
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        if instr.row().class != Class::Select || type_fault(facts.program, instr).is_some() {
            continue;
        }
        if let Some((fallback, severity)) = varied_fallback(facts, stmt, instr) {
            report(facts, sink, stmt, instr, fallback, severity);
        }
    }
}

/// Returns the fallback tensor of a scalar select, if its lanes differ.
fn varied_fallback<'a>(
    facts: &Facts,
    stmt: &Stmt,
    instr: &'a Instr,
) -> Option<(&'a LocalView, Severity)> {
    let at = instr
        .operands()
        .map(|(index, ..)| index)
        .find(|&index| instr.reads_one_element(index))?;
    let fallback = instr.local(at)?;
    let many = elements(facts, fallback)? > 1;
    if !many || picks_an_element(facts, fallback) {
        return None;
    }
    let whole_tile = elements(facts, fallback) == elements(facts, instr.local(DST)?);
    let values = facts.analysis.values(facts.program);
    match values.found_by(stmt.id, at)?.lanes {
        Lanes::Varied if whole_tile => Some((fallback, Severity::Error)),
        Lanes::Varied | Lanes::Mixed => Some((fallback, Severity::Warning)),
        Lanes::Alike | Lanes::Unknown => None,
    }
}

/// Returns whether a view is `t[i]`, which selects one element but keeps the extent of the tensor.
fn picks_an_element(facts: &Facts, view: &LocalView) -> bool {
    view.sliced && view.span == facts.program.buffer(view.buffer).shape
}

fn report(
    facts: &Facts,
    sink: &mut Sink,
    stmt: &Stmt,
    instr: &Instr,
    fallback: &LocalView,
    severity: Severity,
) {
    let count = elements(facts, fallback).unwrap_or(0);
    let message = format!(
        "{} in {} mode takes element 0 of {} for every rejected lane; the other {} are ignored",
        call(facts, instr),
        SelectMode::TensorScalar,
        tensor(facts, fallback),
        count - 1
    );
    let help = format!(
        "use SelectMode.{} to choose lane by lane, or pass the scalar itself",
        SelectMode::TensorTensor
    );
    let mut report = sink.report_from(stmt.origin, stmt.span, message).help(help);
    if severity == Severity::Warning {
        report = report.possible();
    }
    let writer = facts.analysis.writers(fallback.buffer);
    let mut writer = writer.filter(|writer| writer.instr.row().class != Class::Fill);
    if let Some(writer) = writer.next() {
        let text = format!(
            "{} gives its lanes values of their own",
            call(facts, writer.instr)
        );
        report.label(writer.stmt.span, text);
    }
}

use super::operands::{Typed, typed};
use super::wording::{alternatives, call};
use super::{Facts, Report, Sink};
use crate::analysis::{TypeFault, type_fault};
use crate::declare_rule;
use crate::finding::Edit;
use crate::ir::{Instr, Stmt};
use crate::isa::{Class, DType, Opcode, TypeRule, cast_pair};

declare_rule! {
    /// ## What it does
    /// Reports a move whose source and destination have different element types, and a store of an
    /// accumulator in a type that the drain does not convert to.
    ///
    /// ## Why is this bad?
    /// Moves copy bytes. Half values read as float, or the other way round, are other numbers. Only
    /// the drain of L0C converts, and only to some types.
    ///
    /// ## Example
    /// ```python
    /// ub_half <<= ws_float[core, 0:64, 0:128]
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// ub_float <<= ws_float[core, 0:64, 0:128]
    /// cast(ub_half, ub_float)
    /// ```
    ///
    /// ## Fix safety
    /// Only `ub_to_ub` between convertible types is rewritten, to `cast`. That is unsafe: the
    /// rounding of the result is for the author to choose.
    ///
    /// ## Source
    /// Public DSL documentation: data moves never convert; types of the drain from the AscendC
    /// reference.
    "TYP001" "move-dtype" Error, fix = Unsafe
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        match type_fault(facts.program, instr) {
            Some(TypeFault::Move { dst, src }) => copy(facts, stmt, instr, [dst, src], sink),
            Some(TypeFault::Operands) if instr.row().class == Class::Fixpipe => {
                drain(facts, stmt, instr, sink);
            }
            _ => {}
        }
    }
}

fn copy(facts: &Facts, stmt: &Stmt, instr: &Instr, [dst, src]: [DType; 2], sink: &mut Sink) {
    let [to, from, ..] = &typed(facts, instr)[..] else {
        return;
    };
    let message = format!(
        "{} moves bytes: `{}` is {dst}, `{}` is {src}",
        call(instr),
        to.text,
        from.text
    );
    let report = sink
        .report_from(stmt.origin, stmt.span, message)
        .label(to.declared, format!("{dst} here"))
        .label(from.declared, format!("{src} here"));
    suggest(facts, stmt, instr, [to, from], report);
}

fn suggest(facts: &Facts, stmt: &Stmt, instr: &Instr, [to, from]: [&Typed; 2], report: Report) {
    let (dst, src) = (to.dtype, from.dtype);
    let cast = Opcode::Cast.row().name;
    if instr.opcode == Opcode::UbToUb && cast_pair(src, dst).is_some() {
        let [to, from] = [to, from].map(|operand| facts.source.slice(operand.site));
        let call = format!("{cast}({to}, {from})");
        let edit = Edit {
            span: stmt.span,
            text: call.clone(),
        };
        report
            .help(format!("convert: `{call}`"))
            .fix(format!("replace with `{call}`"), false, vec![edit]);
        return;
    }
    report.help(match instr.opcode {
        Opcode::GmToUbPad => format!(
            "load `{}` into a {src} tensor, then {cast}() it to `{}`",
            from.text, to.text
        ),
        Opcode::UbToGmPad => format!(
            "{cast}() `{}` to a {dst} tensor first, and store that",
            from.text
        ),
        _ => format!("give both sides one type: {src} or {dst}"),
    });
}

fn drain(facts: &Facts, stmt: &Stmt, instr: &Instr, sink: &mut Sink) {
    let [to, from, ..] = &typed(facts, instr)[..] else {
        return;
    };
    let TypeRule::Rows(rows) = instr.row().types else {
        return;
    };
    let legal: Vec<&str> = rows
        .iter()
        .filter(|row| row[1] == from.dtype)
        .map(|row| row[0].name())
        .collect();
    let message = format!(
        "{} cannot turn {} into {}: `{}` cannot receive `{}`",
        call(instr),
        from.dtype,
        to.dtype,
        to.text,
        from.text
    );
    let report = sink
        .report_from(stmt.origin, stmt.span, message)
        .label(to.declared, format!("{} here", to.dtype));
    if !legal.is_empty() {
        let list = alternatives(&legal);
        report.help(format!("from {} it writes {list}", from.dtype));
    }
}

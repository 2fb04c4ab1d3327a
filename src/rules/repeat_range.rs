use super::wording::{call, operand_text, tensor, view_text};
use super::{Facts, Sink};
use crate::analysis::{block_stride_limit, resolved};
use crate::declare_rule;
use crate::device::{MAX_BURSTS, MAX_REPEAT, MAX_REPEAT_STRIDE};
use crate::ir::{ArgSource, Instr, LocalView, Stmt};
use crate::isa::{ParamKind, RepeatFrom};
use crate::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports repeat counts, strides and burst counts that the instruction has no room for.
    ///
    /// Repeats and repeat strides end at 255, block strides at 255 (65535 for `dup`), bursts of a
    /// move at 4095. Counts and strides that are inferred from shapes are held to the same limits.
    ///
    /// ## Why is this bad?
    /// The fields are 8, 16 and 12 bits wide. A larger value is cut, so 256 repeats become none and
    /// the instruction does nothing.
    ///
    /// ## Example
    /// ```python
    /// x = Tensor(DT.float, [64, 512], Position.UB)
    /// exp(x, x)                                          # 64 * 512 / 64 = 512 repeats
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// for r in unroll(0, 64, 16):
    ///     exp(x[r:r + 16, 0:512], x[r:r + 16, 0:512])    # 128 repeats
    /// ```
    ///
    /// ## Source
    /// Operand ranges of the AscendC vector and data copy instructions.
    "DEV011" "repeat-range" Error
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.program.instructions() {
        if instr.scalar(ParamKind::Count).is_none() {
            repeats(facts, stmt, instr, sink);
            strides(facts, stmt, instr, sink);
        }
        bursts(facts, stmt, instr, sink);
    }
}

fn repeats(facts: &Facts, stmt: &Stmt, instr: &Instr, sink: &mut Sink) {
    let Some(count) = resolved(facts.program, instr, ParamKind::Repeat) else {
        return;
    };
    if count <= MAX_REPEAT {
        return;
    }
    let name = call(instr);
    let (span, message, counted) = match instr.arg(ParamKind::Repeat).and_then(|arg| arg.span()) {
        Some(span) => (
            span,
            format!("{name} with {count} repeats; an instruction has at most {MAX_REPEAT}"),
            None,
        ),
        None => {
            let counted = counted_operand(instr);
            let shape = counted.map(|view| tensor(facts, view));
            (
                stmt.span,
                format!(
                    "{name}{} takes {count} repeats; an instruction has at most {MAX_REPEAT}",
                    shape.map_or(String::new(), |shape| format!(" on {shape}"))
                ),
                counted,
            )
        }
    };
    let help = counted
        .and_then(|view| in_rows(facts, instr, view))
        .unwrap_or_else(|| format!("split the work into calls of at most {MAX_REPEAT} repeats"));
    sink.report_from(stmt.origin, span, message).help(help);
}

/// The operand that an inferred repeat count comes from.
fn counted_operand(instr: &Instr) -> Option<&LocalView> {
    match instr.row().repeat {
        RepeatFrom::Nothing => None,
        RepeatFrom::Operand(at) | RepeatFrom::Wider(at) | RepeatFrom::Elements(at, _) => {
            instr.local(at)
        }
    }
}

/// How to do the work some rows at a time.
fn in_rows(facts: &Facts, instr: &Instr, view: &LocalView) -> Option<String> {
    let [rows, columns] = facts.program.constant_pair(view.span)?;
    let per_repeat = elements_per_repeat(instr)?;
    let most = MAX_REPEAT * per_repeat / columns;
    let chunk = (1..=most.min(rows - 1)).rev().find(|&chunk| {
        rows % chunk == 0 && chunk * columns % per_repeat == 0 && chunk * 4 > most
    })?;
    let (calls, repeats) = (rows / chunk, chunk * columns / per_repeat);
    Some(format!(
        "work on {chunk} rows of `{}` at a time: {calls} calls of {repeats} repeats",
        view_text(facts, view)
    ))
}

fn elements_per_repeat(instr: &Instr) -> Option<i64> {
    Some(match instr.row().repeat {
        RepeatFrom::Nothing => return None,
        RepeatFrom::Operand(at) => instr.local(at)?.dtype.lanes(),
        RepeatFrom::Wider(_) => {
            let (a, b) = (instr.local(0)?.dtype, instr.local(1)?.dtype);
            a.lanes().min(b.lanes())
        }
        RepeatFrom::Elements(_, elements) => elements,
    })
}

/// A stride out of range, of an instruction in which it plays a part.
fn strides(facts: &Facts, stmt: &Stmt, instr: &Instr, sink: &mut Sink) {
    let several = resolved(facts.program, instr, ParamKind::Repeat).is_some_and(|count| count > 1);
    for (param, arg) in instr.row().params().zip(&instr.args) {
        let (operand, limit) = match param.kind {
            ParamKind::BlockStride(operand) => (operand, block_stride_limit(instr.row())),
            ParamKind::RepeatStride(operand) if several => (operand, MAX_REPEAT_STRIDE),
            _ => continue,
        };
        let stride = arg.value.scalar().and_then(|id| facts.program.scalars.as_int(id));
        let (Some(stride), Some(view)) = (stride, instr.view(operand)) else {
            continue;
        };
        if stride <= limit {
            continue;
        }
        let inferred = arg.source == ArgSource::Inferred;
        let message = format!(
            "{}={stride} {}of {} is above {limit}",
            param.name,
            if inferred { "(inferred) " } else { "" },
            call(instr)
        );
        let span = arg.span().unwrap_or(view.site());
        let name = operand_text(facts, view);
        let help = match inferred {
            true => format!("rows of `{name}` lie {stride} blocks apart; call once per row, \
             or copy the columns into a narrower tensor first"),
            false => "call once per row, or lay the rows closer together".to_owned(),
        };
        sink.report_from(stmt.origin, span, message).help(help);
    }
}

fn bursts(facts: &Facts, stmt: &Stmt, instr: &Instr, sink: &mut Sink) {
    let Some(arg) = instr.named("n_burst") else {
        return;
    };
    let count = arg.value.scalar().and_then(|id| facts.program.scalars.as_int(id));
    let Some(count) = count.filter(|&count| count > MAX_BURSTS) else {
        return;
    };
    let span: Span = arg.span().unwrap_or(stmt.span);
    let message = format!(
        "{} of {count} rows; a move has at most {MAX_BURSTS} bursts",
        call(instr)
    );
    let calls = (count + MAX_BURSTS - 1) / MAX_BURSTS;
    sink.report_from(stmt.origin, span, message)
        .help(format!("move the rows in {calls} parts"));
}

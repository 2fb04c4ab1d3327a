use crate::declare_rule;
use crate::operand_walks::{inferred_strides, operand_name};
use crate::wording::{call, elements_in, tensor};
use crate::{Facts, Sink};
use a2lint_analysis::{OperandExtent, type_fault, view_bytes};
use a2lint_ir::{Instr, LocalView, Stmt};
use a2lint_isa::{BLOCKS_PER_REPEAT, Walk};

declare_rule! {
    /// ## What it does
    /// Reports a column slice of several rows, as operand of a vector instruction, whose width is
    /// neither one block nor eight blocks: the instruction walks other elements than the slice.
    ///
    /// ## Why is this bad?
    /// Strides are inferred for two widths alone: a row of eight blocks is one repeat, a row of one
    /// block is repeated. Anything else is taken as contiguous memory from the first element on, as
    /// if the tensor had no columns beside the slice.
    ///
    /// ## Example
    /// ```python
    /// tile = Tensor(DT.float, [64, 128], Position.UB)
    /// exp(tile[0:64, 0:32], tile[0:64, 0:32])      # the first 2048 elements: rows 0 to 15
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// exp(tile[0:64, 0:64], tile[0:64, 0:64], count_per_rep=32)   # 32 of each row's 64 lanes
    /// ```
    /// or slices of 64 columns, or the whole rows.
    ///
    /// ## Source
    /// Public DSL documentation on stride inference: only rows of eight blocks or of one.
    "COV005" "slice-stride" Error, basis = AnyLaunch
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        if !instr.row().is_vector() || type_fault(facts.program, instr).is_some() {
            continue;
        }
        let astray = instr.operands().find_map(|(index, operand, view)| {
            let view = view.local().filter(|_| operand.walk == Walk::Lanes)?;
            let walked = astray(facts, stmt, instr, index, view)?;
            Some((index, view, walked))
        });
        if let Some((index, view, walked)) = astray {
            report(facts, sink, stmt, instr, index, view, walked);
        }
    }
}

/// Returns the number of bytes that an operand processes consecutively although its view is a narrower rectangle:
/// `Some(None)` if that number is unknown, `None` if the operand stays in its view.
fn astray(
    facts: &Facts,
    stmt: &Stmt,
    instr: &Instr,
    index: usize,
    view: &LocalView,
) -> Option<Option<i64>> {
    if instr.is_counted() || instr.reads_one_element(index) || !inferred_strides(instr, index) {
        return None;
    }
    let extent = facts.analysis.extent(stmt.id, index)?;
    if !is_narrow(facts, view, extent) || extent.span[0].min < 2 {
        return None;
    }
    let (Some(walked), Some(seen)) = (extent.footprint.exact(), view_bytes(facts.program, view))
    else {
        return Some(None);
    };
    let misses = !seen.minus(walked).is_empty() && !walked.minus(&seen).is_empty();
    misses.then_some(Some(walked.len()))
}

/// Returns whether a view is certainly narrower than its rows, with a width that strides are not inferred for. Strides
/// are inferred only for widths that are Python ints.
fn is_narrow(facts: &Facts, view: &LocalView, extent: &OperandExtent) -> bool {
    let (Some(pitch), columns) = (facts.program.size(view.shape[1]), extent.span[1]) else {
        return false;
    };
    let c0 = view.dtype.c0();
    let matched = |width: i64| width == c0 || width == BLOCKS_PER_REPEAT * c0;
    let known = columns.as_exact().filter(|_| view.static_span[1]);
    columns.min > 0 && columns.max < pitch && !known.is_some_and(matched)
}

fn report(
    facts: &Facts,
    sink: &mut Sink,
    stmt: &Stmt,
    instr: &Instr,
    index: usize,
    view: &LocalView,
    walked: Option<i64>,
) {
    let pitch = facts.names.text(view.shape[1]);
    let elements = match walked {
        Some(bytes) => format!("{} consecutive elements", elements_in(bytes, view.dtype)),
        None => "consecutive elements".to_owned(),
    };
    let message = format!(
        "{} processes {elements} from the start of its `{}` {}, but rows of this slice are {pitch} \
         elements apart",
        call(facts, instr),
        operand_name(instr, index),
        tensor(facts, view)
    );
    let (c0, lanes) = (view.dtype.c0(), view.dtype.lanes());
    sink.report_from(stmt.origin, view.site, message).help(format!(
        "strides follow slices of {lanes} or {c0} columns of {} that are Python ints; take {lanes} \
         columns with `count_per_rep=`, or give the strides",
        view.dtype
    ));
}

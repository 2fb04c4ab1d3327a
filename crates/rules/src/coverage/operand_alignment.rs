use crate::declare_rule;
use crate::observations::Scene;
use crate::wording::{call, elements_in, tensor};
use crate::{Facts, Sink};
use a2lint_analysis::OperandFault;
use a2lint_ir::{Instr, LocalView, View};
use a2lint_isa::{Layout, Position};
use a2lint_machine::FindingKind;
use a2lint_replay::Observation;

declare_rule! {
    /// ## What it does
    /// Reports operands of vector instructions and UB moves that start off a 32-byte border, provably
    /// or in a replay, tiles of L0A and L0B that provably start off a 512-byte one, and matrices in L0C and L1
    /// whose first column is not the first one of a fractal.
    ///
    /// Operands that may start elsewhere are left alone: packed masks, results of `cadd`, `cmax`
    /// and `cmin` (any element), results of `cgadd`, `cgmax` and `cgmin` and sources of `brcb`
    /// (eight elements), sources of merges (one record), and views that the scalar unit reads or
    /// writes.
    ///
    /// ## Why is this bad?
    /// The vector unit addresses UB in blocks. An operand that starts inside of one is refused by
    /// the hardware, or read from the block's start. The cube unit reads L0A and L0B in fractals of
    /// 512 bytes; a tile that starts inside of one is refused, too. Each row of a fractal is followed by
    /// the same columns of the next row, so a slice that starts inside of it takes in values of that row.
    ///
    /// ## Example
    /// ```python
    /// add(y, x[0:1, 4:68], bias)       # starts 16 bytes into a block of floats
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// add(y, x[0:1, 8:72], bias)       # a multiple of 8 floats
    /// ```
    ///
    /// ## Source
    /// AscendC reference: address alignment of vector instructions, padded copies, operands in
    /// L0A and L0B, and sums in L0C. Measured on a board: fault 507015, and every output 0 (CANN
    /// learning hub, lesson 07.04).
    "COV013" "operand-alignment" Error, basis = AnyLaunch, evidence = Measured
}

fn check(facts: &Facts, sink: &mut Sink) {
    for operand in &facts.analysis.faulty_operands {
        let OperandFault::Misaligned { off_by, granule } = operand.fault else {
            continue;
        };
        let message = message(facts, operand.instr, operand.view, off_by, granule);
        sink.report_from(operand.stmt.origin, operand.view.site, message)
            .advice(help(operand.view, granule));
    }
    for scene in Scene::all(facts, |seen| misaligned(seen).is_some()) {
        let (Some((off_by, granule)), Some(View::Local(view))) =
            (misaligned(scene.observation), scene.view())
        else {
            continue;
        };
        let message = message(facts, scene.instr, view, off_by, granule);
        scene
            .report(facts, sink, message)
            .advice(help(view, granule));
    }
}

/// Returns the misalignment of an operand in a replay and its granule, in bytes.
fn misaligned(seen: &Observation) -> Option<(i64, i64)> {
    match seen.kind() {
        Some(FindingKind::Misaligned { off_by, granule }) => Some((off_by, granule)),
        _ => None,
    }
}

fn message(facts: &Facts, instr: &Instr, view: &LocalView, off_by: i64, granule: i64) -> String {
    let buffer = facts.program.buffer(view.buffer);
    // Tensors with addresses have no rows.
    let has_rows = buffer.layout != Layout::Linear;
    if has_rows && matches!(buffer.position, Position::L0C | Position::L1) {
        let [column, width] = [off_by, granule].map(|bytes| elements_in(bytes, view.dtype));
        return format!(
            "{} starts at column {column} inside of a fractal of {width} columns: {} takes the next row's values in",
            tensor(facts, view),
            call(facts, instr)
        );
    }
    format!(
        "{} starts {off_by} bytes past a {granule}-byte border, and {} takes it from such a border only",
        tensor(facts, view),
        call(facts, instr)
    )
}

fn help(view: &LocalView, granule: i64) -> String {
    let dtype = view.dtype;
    format!(
        "start at a multiple of {} elements of {dtype}",
        elements_in(granule, dtype)
    )
}

use crate::declare_rule;
use crate::operand_walks::{inferred_repeat, inferred_strides, is_broadcast};
use crate::wording::{call, elements, elements_in, lanes, tensor};
use crate::{Facts, Sink};
use a2lint_analysis::{
    RangeSet, Touch, escapes, resolved, result_escapes, slot_key, type_fault, view_bytes,
};
use a2lint_ir::{BlockId, StmtId};
use a2lint_isa::{Class, DST, ParamKind, Position};

declare_rule! {
    /// ## What it does
    /// Reports vector instructions whose inferred repeats do not fit their destination: they leave
    /// elements of it unwritten that are used later, or run past its end into other rows that hold
    /// data which is used later. Where that data was written outside of the branch or loop around the
    /// instruction, it is a warning.
    ///
    /// ## Why is this bad?
    /// The number of repeats is inferred from one operand (the source of a unary instruction, the
    /// destination of a binary one) and rounded up to whole repeats of 256 bytes. A smaller source
    /// leaves the rest of the destination as it was; a slice of 120 elements is written as 128.
    ///
    /// ## Example
    /// ```python
    /// tile = Tensor(DT.float, [16, 40], Position.UB)
    /// tile <<= x[0:16, 0:40]
    /// muls(tile[0:3, 0:40], tile[0:3, 0:40], 2.0)      # 120 elements, 128 written: into row 3
    /// y[0:16, 0:40] <<= tile
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// muls(tile[0:3, 0:40], tile[0:3, 0:40], 2.0, count=120)
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on repeat inference: `ceil(rows * columns / lanes)`.
    "COV004" "tail-uncovered" Error, basis = AnyLaunch, property = Initialised
}

fn check(facts: &Facts, sink: &mut Sink) {
    for touch in &facts.analysis.touches {
        if touch.operand != DST || !is_candidate(facts, touch) {
            continue;
        }
        let seen = view_bytes(facts.program, touch.view);
        let (Some(written), Some(seen)) = (touch.bytes(), seen) else {
            continue;
        };
        if *written != seen {
            left_out(facts, sink, touch, written, &seen);
            run_over(facts, sink, touch, written, &seen);
        }
    }
}

/// Returns whether a touch is the destination of an elementwise instruction with an inferred extent.
fn is_candidate(facts: &Facts, touch: &Touch) -> bool {
    let instr = touch.instr;
    let elementwise = matches!(
        instr.row().class,
        Class::Unary | Class::Binary | Class::ScalarOp | Class::Cast | Class::Select
    );
    elementwise
        && facts.program.buffer(touch.view.buffer).position == Position::Ub
        && !instr.is_counted()
        && inferred_repeat(instr)
        && inferred_strides(instr, 0)
        && !is_broadcast(facts, instr, 0)
        && type_fault(facts.program, instr).is_none()
}

/// Reports elements of the destination that are not written and are undefined when a later instruction uses them.
/// `seen` are the bytes of the view.
fn left_out(facts: &Facts, sink: &mut Sink, touch: &Touch, written: &RangeSet, seen: &RangeSet) {
    let missing = seen.minus(written);
    if missing.is_empty() || !written.minus(seen).is_empty() {
        return;
    }
    let slot = slot_key(facts.program, touch.view);
    let user = facts.analysis.undefined_reads.iter().find(|read| {
        let reader = &facts.analysis.touches[read.touch];
        reader.stmt.id > touch.stmt.id
            && reader.view.buffer == touch.view.buffer
            && slot_key(facts.program, reader.view) == slot
            && read.bytes.intersects(&missing)
            && escapes(
                facts.program,
                facts.analysis,
                read.touch,
                &read.bytes.intersection(&missing),
            )
    });
    let Some(user) = user else { return };
    let reader = &facts.analysis.touches[user.touch];
    let total = elements(facts, touch.view).unwrap_or(0);
    let message = format!(
        "{} writes {} of {total} elements of {}, by the extent of another operand",
        call(facts, touch.instr),
        total - elements_in(missing.len(), touch.view.dtype),
        tensor(facts, touch.view)
    );
    let lost = user.bytes.intersection(&missing);
    sink.report_from(touch.stmt.origin, touch.stmt.span, message)
        .help("give its operands the same extent, or `repeat=`")
        .label(
            reader.stmt.span,
            format!(
                "{} uses elements {} undefined",
                call(facts, reader.instr),
                lanes(&lost, reader.view.dtype)
            ),
        );
}

/// Reports writes after the end of the destination, over data that is used later.
fn run_over(facts: &Facts, sink: &mut Sink, touch: &Touch, written: &RangeSet, seen: &RangeSet) {
    let (Some((_, end)), true) = (seen.hull(), seen.minus(written).is_empty()) else {
        return;
    };
    let behind = written
        .minus(seen)
        .intersection(&RangeSet::span(end, i64::MAX / 4));
    // A partial mask may switch off the lanes beyond the end.
    if behind.is_empty()
        || !facts
            .analysis
            .mask_at(touch.stmt.id)
            .is_full_for(touch.view.dtype)
    {
        return;
    }
    let Some((writer, lost, is_certain)) = live(facts, touch, &behind) else {
        return;
    };
    let repeats = resolved(facts.program, touch.instr, ParamKind::Repeat)
        .map_or(String::new(), |repeats| format!(" (repeat {repeats})"));
    let message = format!(
        "{} writes {} elements past {}{repeats}, over data of {}",
        call(facts, touch.instr),
        elements_in(lost.len(), touch.view.dtype),
        tensor(facts, touch.view),
        call(facts, writer.instr)
    );
    let help = match elements(facts, touch.view) {
        Some(count) => format!("add `count={count}`"),
        None => "give `count=`".to_owned(),
    };
    let report = sink
        .report_from(touch.stmt.origin, touch.stmt.span, message)
        .help(help)
        .label(
            writer.stmt.span,
            format!("{} has written them", call(facts, writer.instr)),
        );
    if !is_certain {
        report.possible();
    }
}

/// Returns an earlier instruction that wrote some of the bytes on purpose, the bytes, and whether the touch
/// certainly follows it, if they reach a result. In the same block it does; from a block around the touch, the
/// touch may not be executed at all.
fn live<'a>(
    facts: &Facts<'a>,
    touch: &Touch,
    behind: &RangeSet,
) -> Option<(&'a Touch<'a>, RangeSet, bool)> {
    let program = facts.program;
    let slot = slot_key(program, touch.view);
    // The block of the touch, then the blocks around it.
    let around = program.ancestors(touch.stmt.id).map(|stmt| stmt.id);
    let around = [touch.stmt.id].into_iter().chain(around);
    let blocks: Vec<BlockId> = around.filter_map(|id| program.block(id)).collect();
    let stands_in = |blocks: &[BlockId], id: StmtId| {
        let block = program.block(id);
        block.is_some_and(|block| blocks.contains(&block))
    };
    let writers = facts.analysis.writers(touch.view.buffer).filter(|writer| {
        writer.stmt.id < touch.stmt.id
            && stands_in(&blocks, writer.stmt.id)
            && slot_key(program, writer.view) == slot
    });
    // What the writer itself wrote beyond its view does not count.
    let meant = |writer: &Touch| {
        let own = view_bytes(facts.program, writer.view)?;
        Some(own.intersection(writer.bytes()?).intersection(behind))
    };
    let found = writers.filter_map(|writer| Some((writer, meant(writer)?)));
    let (writer, lost) = found.filter(|(_, lost)| !lost.is_empty()).last()?;
    let is_certain = stands_in(&blocks[..1], writer.stmt.id);
    result_escapes(facts.program, facts.analysis, touch, &lost)
        .then_some((writer, lost, is_certain))
}

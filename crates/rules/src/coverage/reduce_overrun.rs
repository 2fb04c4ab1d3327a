use crate::coverage::operand_overrun::{is_overrun, report_seen};
use crate::coverage::reduce_row_width;
use crate::declare_rule;
use crate::observations::Scene;
use crate::wording::{allocated_at, allocation, call, elements_in, list, neighbours, tensor};
use crate::{Facts, Sink};
use a2lint_analysis::{FaultyOperand, OperandFault, RangeSet, resolved};
use a2lint_isa::{Access, Class, DST, ParamKind, Walk};
use a2lint_machine::FindingKind;
use a2lint_replay::Observation;

declare_rule! {
    /// ## What it does
    /// Reports a reduction that writes more results than its destination holds.
    ///
    /// ## Why is this bad?
    /// The number of results follows from the source: one for each repeat of 256 bytes (`cmax`,
    /// `cmin`, `cadd`), eight (`cgmax`, `cgmin`, `cgadd`), or half as many as there are elements
    /// (`cpadd`). What the destination cannot hold lands in the next tensor.
    ///
    /// ## Example
    /// ```python
    /// sums = Tensor(DT.float, [1, 64], Position.UB)
    /// cgadd(sums, tile)                    # tile is [64,64]: 512 results
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// sums = Tensor(DT.float, [64, 8], Position.UB)
    /// cgadd(sums, tile)
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on reductions: results per repeat.
    "COV011" "reduce-overrun" Error, basis = AnyLaunch,
    causes = [
        "COV", "MSK002", "MSK011", "CAP008", "CAP009", "MOV009", "MOV010", "DEV011", "DEV014",
    ]
}

fn check(facts: &Facts, sink: &mut Sink) {
    let explained = reduce_row_width::explained(facts);
    for operand in &facts.analysis.faulty_operands {
        if let Some((outside, slot_bytes)) = overrun(operand)
            && !explained.contains(&operand.stmt.id)
        {
            report(facts, sink, operand, outside, slot_bytes);
        }
    }
    let seen = Scene::all(facts, |seen| is_overrun(seen) && is_reduced(facts, seen));
    for (rank, scene) in seen.iter().enumerate() {
        report_seen(facts, sink, scene, rank);
    }
}

/// Returns whether an access in a replay is the write of a reduction to its destination.
pub(crate) fn is_reduced(facts: &Facts, seen: &Observation) -> bool {
    let stmt = seen.stmt.and_then(|id| facts.program.statement(id));
    let class = stmt
        .and_then(|stmt| stmt.kind.instr())
        .map(|instr| instr.row().class);
    let reduces = matches!(
        class,
        Some(Class::Reduce | Class::GroupReduce | Class::PairReduce)
    );
    let writes = matches!(seen.kind(), Some(FindingKind::Overrun { write: true, .. }));
    reduces && writes && seen.operand == Some(0)
}

/// Returns the bytes outside of the destination of a reduction, and the size of its slot.
pub(crate) fn overrun<'a>(operand: &'a FaultyOperand) -> Option<(&'a RangeSet, i64)> {
    let reduces = matches!(
        operand.instr.row().class,
        Class::Reduce | Class::GroupReduce | Class::PairReduce
    );
    match &operand.fault {
        OperandFault::Overrun {
            outside,
            slot_bytes,
            ..
        } if reduces && operand.access == Access::Write => Some((outside, *slot_bytes)),
        _ => None,
    }
}

fn report(
    facts: &Facts,
    sink: &mut Sink,
    operand: &FaultyOperand,
    outside: &RangeSet,
    slot_bytes: i64,
) {
    let (instr, view) = (operand.instr, operand.view);
    let repeats = resolved(facts.program, instr, ParamKind::Repeat).unwrap_or(0);
    let walk = instr
        .row()
        .param(DST)
        .and_then(|param| param.operand())
        .map(|operand| operand.walk);
    let per_repeat = match walk {
        Some(Walk::BlockResults) => 8,
        Some(Walk::PairResults) => view.dtype.lanes() / 2,
        _ => 1,
    };
    let names = neighbours(facts, view, outside);
    let hit = match names.is_empty() {
        true => String::new(),
        false => format!(", over {}", list(&names)),
    };
    let message = format!(
        "{} writes {} results ({repeats} repeats, {per_repeat} each) into {}{hit}",
        call(facts, instr),
        repeats * per_repeat,
        tensor(facts, view)
    );
    let buffer = facts.program.buffer(view.buffer);
    let holds = format!(
        "{} holds {}",
        allocation(facts, buffer),
        elements_in(slot_bytes, view.dtype)
    );
    sink.report_from(operand.stmt.origin, operand.stmt.span, message)
        .help(format!(
            "give it room for {} results, or reduce in two stages",
            repeats * per_repeat
        ))
        .label(allocated_at(facts, view), holds);
}

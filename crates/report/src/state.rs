//! Texts and tables about a halted run, for debuggers.

use super::run::{Cell, MAX_ROWS, Statistics, value_text, window};
use super::{Page, printable};
use a2lint_ir::finding::Mark;
use a2lint_ir::{Program, Stmt, StmtId};
use a2lint_isa::DType;
use a2lint_machine::hazards::{Hazard, HazardKind};
use a2lint_machine::{End, EventRef, FindingKind, LaneId};
use a2lint_project::SourceMap;
use a2lint_run::debug::expression::{Answer, Array, Number, Region};
use a2lint_run::debug::{Reason, Touch};
use a2lint_run::spec::Lines;

/// Formats a lane: `core 0 vec1`.
pub fn lane(lane: LaneId) -> String {
    format!("core {} {}", lane.core, lane.kind.name())
}

/// Formats iterations: `, iteration 0, 3`; empty outside of loops.
pub fn iterations(iterations: &[i64]) -> String {
    if iterations.is_empty() {
        return String::new();
    }
    let numbers: Vec<String> = iterations.iter().map(i64::to_string).collect();
    format!(", iteration {}", numbers.join(", "))
}

/// Formats a number with its type: `3 (int)`.
pub fn number(number: Number, dtype: Option<DType>) -> String {
    let text = match (number, dtype) {
        (Number::Float(value), _) => value_text(value, DType::Float),
        (Number::Int(value), Some(DType::Bool)) => if value == 0 { "False" } else { "True" }.into(),
        (Number::Int(value), _) => value.to_string(),
    };
    match dtype {
        Some(dtype) if dtype != DType::Bool => format!("{text} ({dtype})"),
        _ => text,
    }
}

/// Summarises elements on one line: `float [64, 128]: -1.5 to 3.25, 12 undefined, 1 NaN`.
pub fn summary(array: &Array) -> String {
    let statistics = Statistics::of_elements(array.elements.iter().copied());
    let mut parts = Vec::new();
    let text = |value| value_text(value, array.dtype);
    match (statistics.min, statistics.max) {
        (Some(min), Some(max)) if min == max && statistics.elements == 1 => parts.push(text(min)),
        (Some(min), Some(max)) if min == max => parts.push(format!("all {}", text(min))),
        (Some(min), Some(max)) => parts.push(format!("{} to {}", text(min), text(max))),
        _ => {}
    }
    match statistics.undefined {
        0 => {}
        all if all == statistics.elements => parts.push("undefined".to_owned()),
        some => parts.push(format!("{some} of {} undefined", statistics.elements)),
    }
    if statistics.nan > 0 {
        parts.push(format!("{} NaN", statistics.nan));
    }
    let shape = shape(array.dtype, &array.shape);
    match parts.is_empty() {
        true => format!("{shape}: empty"),
        false => format!("{shape}: {}", parts.join(", ")),
    }
}

/// Formats type and shape: `float [64, 128]`; only the type of a single element.
pub fn shape(dtype: DType, shape: &[usize]) -> String {
    match shape {
        [] => dtype.to_string(),
        shape => format!("{dtype} {shape:?}"),
    }
}

/// Formats elements on one line, undefined ones as `·`.
pub fn row(array: &Array) -> String {
    let texts = array.elements.iter().map(|element| match element {
        Some(value) => value_text(*value, array.dtype),
        None => "·".to_owned(),
    });
    texts.collect::<Vec<_>>().join(" ")
}

/// Renders the upper left corner of the elements as a table.
pub fn table(array: &Array, page: Page) -> Vec<String> {
    let columns = array.shape.last().copied().unwrap_or(1);
    let rows = array.elements.len() / columns.max(1);
    let cell = |row: usize, column: usize| Cell {
        value: array.elements[row * columns + column],
        mark: Mark::None,
    };
    window([rows, columns], [0, 0], MAX_ROWS, array.dtype, cell, page)
}

/// Formats the value of an expression on one line. `elements` are those of a region.
pub fn answer(program: &Program, answer: &Answer, elements: Option<&Array>) -> String {
    match (answer, elements) {
        (Answer::Number(value, dtype), _) => number(*value, *dtype),
        (Answer::Slots(buffer), _) => {
            let buffer = program.buffer(*buffer);
            format!(
                "{} slots of {} in {}",
                buffer.slots, buffer.dtype, buffer.position
            )
        }
        (Answer::Array(array), _) | (Answer::Region(_), Some(array)) => summary(array),
        (Answer::Region(region), None) => shape(region.dtype, &region.shape()),
    }
}

/// Formats the name and the extents of a region.
pub fn region(program: &Program, region: &Region) -> String {
    let name = region.base.name(program);
    format!(
        "{} {}",
        printable(&name),
        shape(region.dtype, &region.shape())
    )
}

/// Formats a statement with its line, `93: sub(xf, xf, spread)`, and with the path if it is in another file.
pub fn statement(map: &SourceMap, stmt: &Stmt) -> String {
    let text = map.text_of(stmt.span).lines().next().unwrap_or_default();
    format!("{}: {}", map.line(stmt.span), printable(text.trim_end()))
}

/// Formats a statement within a sentence: `line 93: sub(xf, xf, spread)`.
pub fn statement_in_words(map: &SourceMap, stmt: &Stmt) -> String {
    match map.line(stmt.span).file {
        None => format!("line {}", statement(map, stmt)),
        Some(_) => statement(map, stmt),
    }
}

/// Formats an access to bytes: its statement, lane, iterations and instant.
pub fn touch(program: &Program, map: &SourceMap, touch: &Touch) -> String {
    let stmt = program.statement(touch.stmt);
    let at = |stmt| statement_in_words(map, stmt);
    let text = stmt.map_or_else(|| "the end".to_owned(), at);
    format!(
        "{text}\n{}{}, instant {}",
        lane(touch.lane),
        iterations(&touch.iterations),
        touch.at
    )
}

/// Formats the reason why a session has stopped.
pub fn reason(program: &Program, map: &SourceMap, reason: &Reason) -> String {
    match reason {
        Reason::Step => "stepped".to_owned(),
        Reason::Breakpoint(id) => format!("breakpoint {id}"),
        Reason::Condition(id, error) => format!("breakpoint {id}: the condition fails: {error}"),
        Reason::Data(id, _) => format!("watchpoint {id}: written"),
        Reason::Observed(_, kind) => observed(program, kind),
        Reason::NonFinite(_, value) => {
            let value = value_text(*value, DType::Float);
            format!("{value} is made of finite operands")
        }
        Reason::Race(hazard) => race(program, map, hazard),
        Reason::Finished => "this lane has finished".to_owned(),
        Reason::Start => "at the start".to_owned(),
        Reason::End(end) => ended(program, end),
        Reason::Absent => "this lane is not running".to_owned(),
        Reason::Interrupted => "interrupted".to_owned(),
        Reason::Budget => "the run has made as many steps as it may".to_owned(),
    }
}

/// Formats a hazard, at whose second access the session has stopped.
fn race(program: &Program, map: &SourceMap, hazard: &Hazard) -> String {
    let what = match hazard.kind {
        HazardKind::ReadAfterWrite => "this reads what may not have been written yet",
        HazardKind::WriteAfterRead => "this overwrites what may still have to be read",
        HazardKind::WriteAfterWrite => "what this writes may be overwritten by an earlier write",
        HazardKind::RingOverrun => "this reads a slot that has been filled again",
    };
    let (first, second) = (&hazard.first, &hazard.second);
    let stmt = program.statement(first.stmt);
    let other = stmt.map_or_else(String::new, |stmt| statement_in_words(map, stmt));
    format!(
        "race: {what}: nothing orders pipe {} after pipe {} of {other} ({}{})",
        second.pipe.name(),
        first.pipe.name(),
        lane(first.lane),
        iterations(&first.iterations),
    )
}

fn ended(program: &Program, end: &End) -> String {
    match end {
        End::Finished => "the kernel has finished".to_owned(),
        End::Deadlock(deadlock) => {
            let lines = deadlock.lines(program);
            format!("deadlock: {}", lines.join("; "))
        }
        End::Refused(refusal) => format!("it cannot be executed: {}", printable(&refusal.reason)),
        End::Stopped | End::Cancelled | End::BudgetExhausted(_) => "it has ended early".to_owned(),
    }
}

/// Formats an observation of the simulator's sanitizer.
pub fn observed(program: &Program, kind: &FindingKind) -> String {
    let buffer = |id| format!("`{}`", program.buffer(id).name);
    let global = |id| format!("`{}`", program.global(id).name);
    match *kind {
        FindingKind::UndefinedStore(id) => {
            format!("undefined elements are stored to {}", global(id))
        }
        FindingKind::UndefinedReduction => "undefined elements are reduced".to_owned(),
        FindingKind::UndefinedScalar => "an undefined element is read as a scalar".to_owned(),
        FindingKind::UndefinedIndex => "an undefined element is used as an index".to_owned(),
        FindingKind::UndefinedOperand => "nothing of an operand is defined".to_owned(),
        FindingKind::Overrun { buffer: id, .. } => format!("an access leaves {}", buffer(id)),
        FindingKind::PastLength { .. } => {
            "an access reaches past the length of its tensor".to_owned()
        }
        FindingKind::OutsideMemory(id) => {
            format!("an access to {} leaves the memory", buffer(id))
        }
        FindingKind::GlobalBounds { global: id, .. } => format!("an access leaves {}", global(id)),
        FindingKind::Overlap { global: id, .. } => {
            format!("another lane has stored other values to {}", global(id))
        }
        FindingKind::SharedLine { global: id, .. } => format!(
            "another lane has stored into the same cache line of {}",
            global(id)
        ),
        FindingKind::UnseededStore(id) => {
            format!(
                "something is added to elements of {} that nothing has written",
                global(id)
            )
        }
        FindingKind::UnseededProduct => {
            "a product is added to accumulators that nothing has written".to_owned()
        }
        FindingKind::StoredAccumulator { .. } => {
            "a product is added to a sum that was stored before".to_owned()
        }
        FindingKind::TypeMismatch(id) => format!("{} has another element type", global(id)),
        FindingKind::DoubleCount { global: id, .. } => {
            format!("something is added to {} twice", global(id))
        }
        FindingKind::OddOffset { .. } => "an offset is no multiple of what is moved".to_owned(),
        FindingKind::SharedOperands { .. } => {
            "a source shares memory with the destination".to_owned()
        }
        FindingKind::Misaligned { .. } => "an operand is misaligned".to_owned(),
        FindingKind::RepeatedSet(EventRef::Raw(src, dst, id)) => {
            format!("flag {id} from {src} to {dst} is set while it is set")
        }
        FindingKind::RepeatedSet(EventRef::Event(event)) => {
            let event = program.event(event);
            match event.queue {
                Some(queue) if queue.counts_free => {
                    format!("a tensor of queue `{}` is free already", event.name)
                }
                Some(_) => format!("all buffers of queue `{}` are enqueued", event.name),
                None => format!("the event `{}` is set while it is set", event.name),
            }
        }
        FindingKind::LeftSet(EventRef::Raw(src, dst, id)) => {
            format!("flag {id} from {src} to {dst} is still set at the end")
        }
        FindingKind::LeftSet(EventRef::Event(event)) => {
            let event = program.event(event);
            match event.queue {
                Some(_) => format!("a tensor stays in queue `{}`", event.name),
                None => format!("the event `{}` is still set at the end", event.name),
            }
        }
        FindingKind::ScalarOverflow(wrap) => format!("an integer has wrapped to {}", wrap.value),
        FindingKind::FlagId(id) => format!("there is no flag {id}"),
        FindingKind::FlagOverflow(id) => format!("flag {id} counts beyond its limit"),
    }
}

/// Returns the statements of a kernel that start on these lines, in program order. An inlined helper has its statements
/// once per call.
pub fn statements_on(program: &Program, map: &SourceMap, lines: &Lines) -> Vec<StmtId> {
    let mut found = Vec::new();
    program.walk(&mut |stmt| {
        let line = map.lines_in(lines.file.as_deref(), stmt.span);
        if line.is_some_and(|[first, _]| lines.meet(first, first)) {
            found.push(stmt.id);
        }
    });
    found
}

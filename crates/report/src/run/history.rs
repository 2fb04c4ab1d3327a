//! Text about how an element was computed.

use super::shape_text;
use super::statistics::Statistics;
use super::table::{scalar_text, value_text};
use crate::{Page, printable};
use a2lint_ir::{Program, StmtId};
use a2lint_isa::Access;
use a2lint_machine::{LaneId, Snapshot};
use a2lint_project::SourceMap;
use a2lint_replay::{OperandValues, Step};
use a2lint_run::History;
use a2lint_source::text::Span;

/// Describes statements of a kernel and what they did.
pub(crate) struct Narrator<'a> {
    pub program: &'a Program,
    pub map: &'a SourceMap,
    pub page: Page,
}

impl Narrator<'_> {
    /// Formats a statement: `line 12: dup(shift8, 0.5)`.
    pub fn statement(&self, id: StmtId) -> String {
        let stmt = self.program.statement(id);
        stmt.map_or(String::new(), |stmt| self.excerpt(stmt.span))
    }

    /// Returns the line of a statement.
    pub fn line(&self, id: StmtId) -> Option<usize> {
        let stmt = self.program.statement(id)?;
        Some(self.map.source.line_column(stmt.span.start).line)
    }

    /// Formats the calls of helpers that led to a statement, innermost first: `line 20: scale(tile)`.
    pub fn calls(&self, id: StmtId) -> Vec<String> {
        let stmt = self.program.statement(id);
        let calls = stmt.map(|stmt| self.program.call_chain(stmt.origin));
        let calls = calls.unwrap_or_default().into_iter();
        calls.map(|call| self.excerpt(call)).collect()
    }

    fn excerpt(&self, span: Span) -> String {
        let line = self.map.line(span).words();
        let text = self.map.text_of(span);
        let text = text.lines().next().unwrap_or("").trim();
        format!("{line}: {}", self.page.paint.code(&printable(text)))
    }

    /// Describes the writer of an element, and the statements that contributed to it.
    pub fn lines(&self, name: &str, index: &[i64], history: &History) -> Vec<String> {
        let element = format!("{name}{}", shape_text(index));
        let Some(writer) = &history.writer else {
            return vec![format!("nothing wrote {element}")];
        };
        let place = place_text(writer.lane, &writer.iterations);
        let tile = tile_text(&writer.first, &writer.last);
        let mut lines = vec![
            format!(
                "{element} was written last by {}",
                self.statement(writer.stmt)
            ),
            format!("  on {place}, with the tile {name}{tile}"),
        ];
        if history.steps.len() > 1 {
            let what = match history.is_cut {
                true => "the nearest of what it was computed from",
                false => "what it was computed from",
            };
            lines.push(format!("{what}, in the order of execution:"));
        }
        for step in history.steps.iter().filter(|_| history.steps.len() > 1) {
            lines.extend(self.step(step));
        }
        lines
    }

    /// Describes a step in two lines, or more if helpers led to it.
    pub fn step(&self, step: &Step) -> Vec<String> {
        let calls = self.calls(step.stmt).into_iter();
        let mut lines = vec![format!("  {}", self.statement(step.stmt))];
        lines.extend(calls.map(|call| format!("      called on {call}")));
        lines.push(format!("      {}", self.contribution(step)));
        lines
    }

    /// Returns the instruction of a step with the ranges of what it reads and writes, whatever its operands are called.
    pub fn gist(&self, step: &Step) -> String {
        let stmt = self.program.statement(step.stmt);
        let opcode = stmt.and_then(|it| it.kind.instr()).map(|it| it.opcode);
        let of = |is: fn(Access) -> bool, values: fn(&OperandValues) -> Option<&Snapshot>| {
            let operands = step.operands.iter().filter(|it| is(it.access));
            let ranges = operands.filter_map(|it| Some(extent_of(values(it)?)));
            ranges.collect::<Vec<_>>().join(", ")
        };
        let scalars = step.scalars.iter();
        let scalars = scalars.map(|it| scalar_text(it.value, it.is_whole));
        let scalars = scalars.collect::<Vec<_>>().join(", ");
        let read = of(|it| it.reads(), |it| it.before.as_ref());
        let written = of(|it| it.writes(), |it| it.after.as_ref());
        format!("{opcode:?} {read} {scalars} → {written}")
    }

    /// Formats a step: `core 0, vec0, iteration 0, 1: ub_s -3.2 … 9.8 → ub_p 0 … 1`.
    fn contribution(&self, step: &Step) -> String {
        let read = step
            .operands
            .iter()
            .filter(|operand| operand.access.reads());
        let read = read.filter_map(|operand| range_of(operand, operand.before.as_ref()));
        let written = step
            .operands
            .iter()
            .filter(|operand| operand.access.writes());
        let written = written.filter_map(|operand| range_of(operand, operand.after.as_ref()));
        let scalars = |is_result: bool| {
            let scalars = step
                .scalars
                .iter()
                .filter(move |it| it.is_result == is_result);
            scalars.map(|it| {
                let value = scalar_text(it.value, it.is_whole);
                match it.text.as_str() {
                    "" => value,
                    text => format!("{} {value}", printable(text)),
                }
            })
        };
        let read = read.chain(scalars(false));
        let written = written.chain(scalars(true));
        let [read, written] = [read.collect::<Vec<_>>(), written.collect()];
        let place = place_text(step.lane, &step.iterations);
        let text = format!("{place}: {} → {}", read.join(", "), written.join(", "));
        self.page.paint.dim(&text)
    }
}

/// Formats lane and iterations: `core 0, vec0, iteration 0, 1`.
pub(super) fn place_text(lane: LaneId, iterations: &[i64]) -> String {
    let mut text = format!("core {}, {}", lane.core, lane.kind.name());
    if !iterations.is_empty() {
        let numbers: Vec<String> = iterations.iter().map(i64::to_string).collect();
        text.push_str(&format!(", iteration {}", numbers.join(", ")));
    }
    text
}

/// Formats the range of an operand: `ub_s -3.2 … 9.8`.
fn range_of(operand: &OperandValues, values: Option<&Snapshot>) -> Option<String> {
    Some(format!(
        "{} {}",
        printable(&operand.text),
        extent_of(values?)
    ))
}

/// Formats the range of values: `-3.2 … 9.8 with 2 NaN`.
fn extent_of(values: &Snapshot) -> String {
    let statistics = Statistics::of_elements(values.elements());
    let dtype = values.dtype;
    let range = match (statistics.min, statistics.max) {
        (Some(min), Some(max)) if min == max => Some(value_text(min, dtype)),
        (Some(min), Some(max)) => Some(format!(
            "{} … {}",
            value_text(min, dtype),
            value_text(max, dtype)
        )),
        _ => None,
    };
    let others = [(statistics.nan, "NaN"), (statistics.undefined, "undefined")];
    let others = others.iter().filter(|(count, _)| *count > 0);
    let others: Vec<String> = others
        .map(|(count, noun)| format!("{count} {noun}"))
        .collect();
    let others = Some(others.join(" and ")).filter(|it| !it.is_empty());
    let text = [range, others].into_iter().flatten().collect::<Vec<_>>();
    text.join(" with ")
}

/// Formats a tile: `[0, 0:64, 0:128]`.
fn tile_text(first: &[i64], last: &[i64]) -> String {
    let axes = first
        .iter()
        .zip(last)
        .map(|(&first, &last)| match first == last {
            true => first.to_string(),
            false => format!("{first}:{}", last + 1),
        });
    format!("[{}]", axes.collect::<Vec<_>>().join(", "))
}

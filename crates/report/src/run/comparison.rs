//! Text about comparisons of results with expected values.

use super::shape_text;
use super::statistics::Statistics;
use super::table::{float_text, value_text};
use super::text::{Writer, indented};
use crate::{number_text, printable};
use a2lint_ir::finding::Severity;
use a2lint_isa::DType;
use a2lint_machine::Snapshot;
use a2lint_replay::{OperandValues, Step};
use a2lint_run::{Comparison, Difference, Differences, History, Verdict};

/// Number of differences that are shown.
const MAX_SHOWN: usize = 4;

impl Writer<'_> {
    pub(super) fn comparison(&self, comparison: &Comparison) -> String {
        let name = self.page.paint.bold(&comparison.name);
        let path = printable(&comparison.path);
        let bad = |text: &str| self.page.paint.severity(Severity::Error, text);
        match &comparison.verdict {
            Verdict::Shape { actual, expected } => {
                let shapes = format!("{} and {}", shape_text(actual), shape_text(expected));
                format!("{name}  {} {path}: {shapes}\n", bad("another shape than"))
            }
            Verdict::Missing => {
                format!(
                    "{name}  {} {path}: no value was seen\n",
                    bad("not compared with")
                )
            }
            Verdict::Values(values) if values.differing == 0 => {
                let all = format!(
                    "all {} elements{}, largest difference {}{}",
                    values.elements,
                    arithmetic(comparison),
                    float_text(values.largest),
                    ulp_text(values),
                );
                format!(
                    "{name}  {} {path}: {all}\n",
                    self.page.paint.good("agrees with")
                )
            }
            Verdict::Values(values) => {
                let share = share(values) + arithmetic(comparison);
                let head = format!("{name}  {} {path}: {share}", bad("differs from"));
                let mut lines = vec![extent_of(values), tolerance_text(values)];
                lines.extend(values.first.iter().take(MAX_SHOWN).map(difference_text));
                let history = comparison.history.as_ref();
                let history = history.map(|history| self.history(comparison, values, history));
                format!(
                    "{head}\n{}{}",
                    indented(&lines),
                    history.unwrap_or_default()
                )
            }
        }
    }

    /// Describes the writer of the first wrong element, and the statements that contributed to it.
    fn history(&self, comparison: &Comparison, values: &Differences, history: &History) -> String {
        let Some(first) = values.first.first() else {
            return String::new();
        };
        let element = format!("{}{}", comparison.name, shape_text(&first.index));
        let Some(writer) = &history.writer else {
            return format!("    nothing wrote {element}\n");
        };
        let place = self.place(writer.lane, &writer.iterations);
        let tile = tile_text(&writer.first, &writer.last);
        let mut lines = vec![
            format!(
                "{element} was written last by {}",
                self.statement(writer.stmt)
            ),
            format!("  on {place}, with the tile {}{tile}", comparison.name),
        ];
        if history.steps.len() > 1 {
            let what = match history.is_cut {
                true => "the nearest of what it was computed from",
                false => "what it was computed from",
            };
            lines.push(format!("{what}, in the order of execution:"));
        }
        for step in history.steps.iter().filter(|_| history.steps.len() > 1) {
            lines.push(format!("  {}", self.statement(step.stmt)));
            let calls = self.calls(step.stmt).into_iter();
            lines.extend(calls.map(|call| format!("      called on {call}")));
            lines.push(format!("      {}", self.contribution(step)));
        }
        indented(&lines)
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
        let [read, written] = [read.collect::<Vec<_>>(), written.collect()];
        let place = self.place(step.lane, &step.iterations);
        let text = format!("{place}: {} → {}", read.join(", "), written.join(", "));
        self.page.paint.dim(&text)
    }
}

/// Names the arithmetic of a comparison, unless it is that of the device.
fn arithmetic(comparison: &Comparison) -> &'static str {
    match comparison.is_exact {
        true => " in exact arithmetic",
        false => "",
    }
}

/// Formats the range of an operand: `ub_s -3.2 … 9.8`.
fn range_of(operand: &OperandValues, values: Option<&Snapshot>) -> Option<String> {
    let values = values?;
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
    Some(format!(
        "{} {}",
        printable(&operand.text),
        text.join(" with ")
    ))
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

/// Formats the share of differences: `12 of 128 elements (9.4 %), 3 of them undefined`.
fn share(values: &Differences) -> String {
    let percent = 100.0 * values.differing as f64 / values.elements.max(1) as f64;
    let mut text = format!(
        "{} of {} elements ({} %)",
        values.differing,
        values.elements,
        number_text((percent * 100.0).round() / 100.0)
    );
    if values.undefined > 0 {
        text.push_str(&format!(", {} of them undefined", values.undefined));
    }
    text
}

fn extent_of(values: &Differences) -> String {
    format!(
        "largest difference {}, relative {}{}",
        float_text(values.largest),
        float_text(values.largest_relative),
        ulp_text(values)
    )
}

fn ulp_text(values: &Differences) -> String {
    let ulp = values.largest_ulp.filter(|_| values.largest.is_finite());
    ulp.map_or(String::new(), |ulp| format!(", {} ULP", float_text(ulp)))
}

fn tolerance_text(values: &Differences) -> String {
    let [relative, absolute] = values.tolerance.map(number_text);
    let would = match values.sufficient {
        Some(least) => format!("it would pass with atol {}", rounded_up(least)),
        None => "no tolerance would pass".to_owned(),
    };
    format!("tolerance: rtol {relative}, atol {absolute}; {would}")
}

/// Formats a number with three digits, rounded up.
fn rounded_up(value: f64) -> String {
    let mut text = format!("{value:.2e}");
    if text.parse::<f64>().is_ok_and(|shown| shown < value) {
        text = format!("{:.2e}", value * 1.01);
    }
    text
}

fn difference_text(difference: &Difference) -> String {
    let dtype = DType::Float;
    let number = |value| value_text(value, dtype);
    let actual = difference.actual.map_or("undefined".to_owned(), number);
    let expected = number(difference.expected);
    format!(
        "{} is {actual}, expected {expected}",
        shape_text(&difference.index)
    )
}

//! Text about comparisons of results with expected values.

use super::shape_text;
use super::table::{float_text, scalar_text};
use super::text::{Writer, indented};
use crate::{number_text, printable};
use a2lint_ir::finding::Severity;
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
                    number_of(values, values.largest),
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
                lines.extend(
                    values
                        .first
                        .iter()
                        .take(MAX_SHOWN)
                        .map(|it| difference_text(values, it)),
                );
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

    /// Describes how the first wrong element was computed.
    fn history(&self, comparison: &Comparison, values: &Differences, history: &History) -> String {
        let Some(first) = values.first.first() else {
            return String::new();
        };
        indented(
            &self
                .narrator()
                .lines(&comparison.name, &first.index, history),
        )
    }
}

/// Names the arithmetic of a comparison, unless it is that of the device.
fn arithmetic(comparison: &Comparison) -> &'static str {
    match comparison.is_exact {
        true => " in exact arithmetic",
        false => "",
    }
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
    if values.undefined == values.differing {
        return "all that is defined agrees".to_owned();
    }
    format!(
        "largest difference {}, relative {}{}",
        number_of(values, values.largest),
        float_text(values.largest_relative),
        ulp_text(values)
    )
}

/// Formats a value or a difference of values: whole if they are integers.
fn number_of(values: &Differences, value: f64) -> String {
    scalar_text(value, values.is_whole)
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

fn difference_text(values: &Differences, difference: &Difference) -> String {
    let number = |value| number_of(values, value);
    let actual = difference.actual.map_or("undefined".to_owned(), number);
    let expected = number(difference.expected);
    format!(
        "{} is {actual}, expected {expected}",
        shape_text(&difference.index)
    )
}

//! Hovers on values: the operands of a statement as the simulator computes them.

use super::{Simulate, WIDTH};
use crate::markdown;
use crate::requests::target::Place;
use crate::simulation::{self, Seen};
use crate::snapshot::Snapshot;
use a2lint_isa::{Access, DST, DType};
use a2lint_machine::{LaneKind, Snapshot as Elements};
use a2lint_replay::OperandValues;
use a2lint_report::run::{
    Cell, Legend, Statistics, float_text, runs, scalar_text, value_text, window,
};
use a2lint_report::{Page, cut, filled, number_text};

/// Most rows of values that a hover shows.
pub const ROWS: usize = 3;

/// The values of one operand after a statement.
pub enum Values {
    /// The observed execution, the position of the shown operand, and whether a finding is about the statement.
    Seen(Box<Seen>, usize, bool),
    /// The reason why no values are available.
    Not(String),
    /// Values are not wanted, or the statement has no operand to show.
    Nothing,
}

/// Simulates the kernel for the values of an operand after a statement. Without an `operand`, the destination is
/// shown.
pub fn after(
    snapshot: &Snapshot,
    place: &Place,
    operand: Option<usize>,
    simulate: Simulate,
) -> Values {
    let cancel = match simulate {
        Simulate::Never => return Values::Nothing,
        Simulate::TooLate => return Values::Not(simulation::late(snapshot.settings.budget)),
        Simulate::Unless(cancel, _) => cancel,
    };
    let Some(position) = shown_operand(place, operand) else {
        return Values::Nothing;
    };
    match simulation::observe(snapshot, place.program, &place.ids(), cancel) {
        Ok(seen) => {
            let (stmt, _) = place.first();
            let mut findings = snapshot.findings().iter();
            let is_accused = findings.any(|it| it.span.touches(stmt.span.start));
            Values::Seen(Box::new(seen), position, is_accused)
        }
        Err(reason) => Values::Not(reason),
    }
}

impl Values {
    /// Formats the values as paragraphs with as many rows as fit.
    pub fn within(&self, place: &Place, fits: impl Fn(&[String]) -> bool) -> Vec<String> {
        let of = |rows| self.paragraphs(place, rows);
        let mut all = (2..=ROWS).rev().map(of);
        all.find(|text| fits(text)).unwrap_or_else(|| of(1))
    }

    /// Formats the values as paragraphs with up to `rows` rows of elements.
    fn paragraphs(&self, place: &Place, rows: usize) -> Vec<String> {
        let (seen, position, is_accused) = match self {
            Values::Seen(seen, position, is_accused) => (seen, *position, *is_accused),
            Values::Not(reason) => {
                return vec![filled(
                    &format!("*Not simulated: {}.*", markdown::text(reason)),
                    0,
                    WIDTH,
                )];
            }
            Values::Nothing => return Vec::new(),
        };
        let mut scalars = seen.step.scalars.iter();
        if let Some(read) = scalars.find(|it| it.is_result) {
            let value = scalar_text(read.value, read.is_whole);
            let value = match read.text.as_str() {
                // Local variables of C++ have no names.
                "" => format!("reads {value}"),
                name => format!("{} = {value}", markdown::code(name)),
            };
            let head = format!("**{value}** — {}", occasion(place, seen));
            return vec![filled(&head, 0, WIDTH)];
        }
        let Some(values) = seen.step.operands.get(position) else {
            return Vec::new();
        };
        let head = format!("{} — {}", heading(values), occasion(place, seen));
        let (_, instr) = place.first();
        let mask = mask(seen, instr.local(DST).map(|view| view.dtype));
        let head = [Some(head), mask].into_iter().flatten();
        let head: Vec<String> = head.map(|text| filled(&text, 0, WIDTH)).collect();
        vec![head.join("\n"), elements(values, rows, is_accused)]
    }
}

/// Returns the position, among the operands that are present, of the one whose values are shown.
fn shown_operand(place: &Place, operand: Option<usize>) -> Option<usize> {
    let (_, instr) = place.first();
    let mut operands = instr.operands();
    match operand {
        Some(wanted) => operands.position(|(index, ..)| index == wanted),
        // An instruction that reads a scalar writes no tensor: its only operand is the tensor that it reads.
        None if instr.reads_into().is_some() => Some(0),
        None => operands.position(|(_, operand, _)| operand.access.writes()),
    }
}

fn heading(values: &OperandValues) -> String {
    let text = markdown::code(&values.text);
    match values.access {
        Access::Read => format!("**{text} as it is read here**"),
        _ => format!("**{text} after this statement**"),
    }
}

/// Describes the observed execution: lane, iteration and launch.
fn occasion(place: &Place, seen: &Seen) -> String {
    let step = &seen.step;
    let lane = match step.lane.kind {
        LaneKind::Cube => format!("core {}", step.lane.core),
        kind => format!("core {}, {}", step.lane.core, kind.name()),
    };
    let iteration = match step.iterations.as_slice() {
        [] => String::new(),
        numbers => format!(", iteration {numbers:?}"),
    };
    let arguments = seen.bound.launch.scalars(place.program);
    let arguments = arguments
        .iter()
        .map(|(name, value)| format!("{name}={}", number_text(*value)));
    let arguments: Vec<String> = arguments.collect();
    let arguments = match arguments.is_empty() {
        true => String::new(),
        false => format!(" ({})", arguments.join(", ")),
    };
    let doubt = seen
        .doubt
        .as_ref()
        .map_or(String::new(), |doubt| format!("; {doubt}"));
    let origin = &seen.bound.origin;
    let text = format!("{lane}{iteration}; {origin}{arguments}{doubt}");
    format!("*{}*", markdown::text(&text))
}

/// Formats the statistics of an operand, and its elements from the first one that changed, or, if a finding is about
/// them, the first one that is undefined.
fn elements(values: &OperandValues, rows: usize, is_accused: bool) -> String {
    let Some(shown) = values.shown() else {
        return "*Its values cannot be shown: its extents are not known.*".to_owned();
    };
    if shown.values.is_empty() {
        return "*It is empty in this execution.*".to_owned();
    }
    let mut lines = vec![statistics(shown, values)];
    let first = match is_accused {
        true => values.focus(),
        false => values.first_changed(),
    };
    lines.extend(window_of(shown, values, rows, first));
    let lines: Vec<String> = lines.iter().map(|line| cut(line, WIDTH)).collect();
    markdown::fence("text", &lines.join("\n"))
}

/// Formats statistics as `64×64  min 0.25  max 0.25  mean 0.25  64 changed  448 undefined`.
fn statistics(shown: &Elements, values: &OperandValues) -> String {
    let statistics = Statistics::of_elements(shown.elements());
    let [rows, columns] = shown.shape;
    let mut parts = vec![format!("{} {rows}×{columns}", shown.dtype)];
    let named = [("min", statistics.min), ("max", statistics.max)];
    for (name, value) in named {
        parts.extend(value.map(|value| format!("{name} {}", value_text(value, shown.dtype))));
    }
    parts.extend(
        statistics
            .mean
            .map(|mean| format!("mean {}", float_text(mean))),
    );
    if values.after.is_some() {
        parts.push(format!("{} changed", values.changed()));
    }
    let counts = [(statistics.nan, "NaN"), (statistics.undefined, "undefined")];
    let odd = counts.iter().filter(|(count, _)| *count > 0);
    parts.extend(odd.map(|(count, noun)| format!("{count} {noun}")));
    parts.join("  ")
}

/// Formats rows of elements from the one with a flat index.
fn window_of(shown: &Elements, values: &OperandValues, rows: usize, first: usize) -> Vec<String> {
    let columns = shown.shape[1];
    let origin = [first / columns, first % columns];
    let cell = |row: usize, column: usize| {
        let at = row * columns + column;
        Cell {
            value: shown.defined[at].then_some(shown.values[at]),
            mark: values.mark(at),
        }
    };
    let page = Page {
        columns: Some(WIDTH),
        ..Page::PLAIN
    };
    let mut lines = window(shown.shape, origin, rows, shown.dtype, cell, page);
    let mut legend = Legend::default();
    let below = [shown.shape[0] - origin[0], columns - origin[1]];
    legend.note(below, rows, |row, column| {
        cell(row + origin[0], column + origin[1])
    });
    if let Some(signs) = legend.text() {
        let is_note = lines.last().is_some_and(|line| line.starts_with('…'));
        match lines.last_mut().filter(|_| is_note) {
            Some(note) => note.push_str(&format!("   {signs}")),
            None => lines.push(signs),
        }
    }
    lines
}

/// Describes the lanes that the mask switches off.
fn mask(seen: &Seen, dtype: Option<DType>) -> Option<String> {
    let lanes = dtype?.lanes() as usize;
    let masked = seen.step.masked.iter().copied();
    let masked: Vec<usize> = masked.filter(|&lane| lane < lanes).collect();
    let text = runs(&masked);
    (!masked.is_empty()).then(|| format!("The mask leaves out lanes {text} of {lanes}."))
}

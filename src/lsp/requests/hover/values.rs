//! What the machine makes of a statement.

use super::{Simulate, picture};
use crate::isa::{Access, DType};
use crate::lsp::requests::target::Place;
use crate::lsp::simulation::{self, Seen};
use crate::lsp::snapshot::Snapshot;
use crate::machine::{LaneKind, Snapshot as Elements};
use crate::replay::OperandValues;
use crate::report::number_text;
use crate::report::run::{float_text, runs, value_text};

/// Most columns and rows that a table shows.
const MOST_COLUMNS: usize = 8;
const MOST_ROWS: usize = 4;

/// Paragraphs about the values of one operand, or of the destination, after a statement.
pub fn after(
    snapshot: &Snapshot,
    place: &Place,
    operand: Option<usize>,
    simulate: Simulate,
) -> Vec<String> {
    let cancel = match simulate {
        Simulate::Never => return Vec::new(),
        Simulate::TooLate => {
            let reason = simulation::late(snapshot.settings.budget);
            return vec![format!("*Not simulated: {reason}.*")];
        }
        Simulate::Unless(cancel) => cancel,
    };
    let (_, instr) = place.first();
    let Some(position) = shown_operand(place, operand) else {
        return Vec::new();
    };
    match simulation::observe(snapshot, place.program, &place.ids(), cancel) {
        Ok(seen) => {
            let Some(values) = seen.step.operands.get(position) else {
                return Vec::new();
            };
            let head = format!("{} — {}", heading(values), occasion(place, &seen));
            let mut text = vec![head];
            text.extend(elements(values));
            text.extend(mask(&seen, instr.local(0).map(|view| view.dtype)));
            text.push("---".to_owned());
            text
        }
        Err(reason) => vec![format!("*Not simulated: {reason}.*")],
    }
}

/// Position, among the operands that are present, of the one whose values are shown.
fn shown_operand(place: &Place, operand: Option<usize>) -> Option<usize> {
    let (_, instr) = place.first();
    let mut operands = instr.operands();
    match operand {
        Some(wanted) => operands.position(|(index, ..)| index == wanted),
        None => operands.position(|(_, operand, _)| operand.access.writes()),
    }
}

fn heading(values: &OperandValues) -> String {
    let text = &values.text;
    match values.access {
        Access::Read => format!("**`{text}` as it is read here**"),
        _ => format!("**`{text}` after this statement**"),
    }
}

/// Where, when and under which launch.
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
    format!(
        "*{lane}{iteration}; {}{arguments}{doubt}*",
        seen.bound.origin
    )
}

/// Numbers, a histogram and the first elements.
fn elements(values: &OperandValues) -> Vec<String> {
    let Some(shown) = values.shown() else {
        return vec!["*Its values cannot be shown: its extents are not known.*".to_owned()];
    };
    if shown.values.is_empty() {
        return vec!["*It is empty in this execution.*".to_owned()];
    }
    let mut text = vec![statistics(shown, values)];
    text.push(corner(shown, values));
    text
}

/// Smallest, largest and mean value, and what is odd.
fn statistics(shown: &Elements, values: &OperandValues) -> String {
    let defined = shown.values.iter().zip(&shown.defined);
    let defined: Vec<f64> = defined
        .filter(|(_, is)| **is)
        .map(|(value, _)| *value)
        .collect();
    let numbers: Vec<f64> = defined
        .iter()
        .copied()
        .filter(|value| !value.is_nan())
        .collect();
    let min = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let max = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    let text = |value: f64| value_text(value, shown.dtype);
    let mut head = vec!["elements", "min", "max", "mean", "NaN", "undefined"];
    let [rows, columns] = shown.shape;
    let undefined = shown.values.len() - defined.len();
    let of_numbers = |value: String| match numbers.is_empty() {
        true => "–".to_owned(),
        false => value,
    };
    let mut row = vec![
        format!("{rows}×{columns}"),
        of_numbers(text(min)),
        of_numbers(text(max)),
        of_numbers(float_text(mean)),
        (defined.len() - numbers.len()).to_string(),
        undefined.to_string(),
    ];
    if values.after.is_some() {
        head.push("changed");
        row.push(values.changed().to_string());
    }
    let head = head.into_iter().map(str::to_owned).collect();
    let table = picture::table(&[head, row], true);
    match picture::histogram(&numbers, (min, max)) {
        Some(bars) => {
            let (low, high) = (text(min), text(max));
            format!("{table}\n\n`{low} ▏{bars}▕ {high}`")
        }
        None => table,
    }
}

/// The first elements as a table; those that changed stand out from others.
fn corner(shown: &Elements, values: &OperandValues) -> String {
    let [rows, columns] = shown.shape;
    let is_marked = values.changed() < shown.values.len();
    let cell = |at: usize| cell(shown, values, at, is_marked);
    let (shown_rows, shown_columns) = (rows.min(MOST_ROWS), columns.min(MOST_COLUMNS));
    let mut head = vec![shown.dtype.to_string()];
    head.extend((0..shown_columns).map(|column| column.to_string()));
    let is_cut = columns > shown_columns;
    if is_cut {
        head.push(format!("… {}", columns - 1));
    }
    let mut table = vec![head];
    for row in 0..shown_rows {
        let mut cells = vec![format!("{row}")];
        let first = row * columns;
        cells.extend((first..first + shown_columns).map(cell));
        if is_cut {
            cells.push(cell(first + columns - 1));
        }
        table.push(cells);
    }
    let text = picture::table(&table, true);
    match rows - shown_rows {
        0 => text,
        1 => format!("{text}\n\n*… and 1 more row*"),
        more => format!("{text}\n\n*… and {more} more rows*"),
    }
}

fn cell(shown: &Elements, values: &OperandValues, index: usize, is_marked: bool) -> String {
    if !shown.defined[index] {
        return "undef".to_owned();
    }
    let text = value_text(shown.values[index], shown.dtype);
    match is_marked && values.is_changed(index) {
        true => format!("**{text}**"),
        false => text,
    }
}

/// Lanes that the mask leaves out.
fn mask(seen: &Seen, dtype: Option<DType>) -> Option<String> {
    let lanes = dtype?.lanes() as usize;
    let masked = seen.step.masked.iter().copied();
    let masked: Vec<usize> = masked.filter(|&lane| lane < lanes).collect();
    let text = runs(&masked);
    (!masked.is_empty()).then(|| format!("The mask leaves out lanes {text} of {lanes}."))
}

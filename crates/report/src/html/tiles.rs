//! Pictures of tiles: grids of levels with flags for each cell.

use serde_json::{Value, json};

use crate::Page;
use crate::run::{Cell, Statistics, float_text, value_text, window};
use a2lint_machine::Snapshot;
use a2lint_replay::OperandValues;

/// Maximum number of rows and columns of a grid. The cells of larger tiles cover several elements.
const MOST_CELLS: usize = 32;
/// Number of rows that are shown as numbers.
const ROWS: usize = 4;
/// The highest level of a cell. Levels are encoded as characters from `0` on.
const LEVELS: f64 = 63.0;

const UNDEFINED: u8 = 1;
const CHANGED: u8 = 2;
const ODD: u8 = 4;

/// Builds the picture of an operand before and after a statement.
pub fn operand(values: &OperandValues, buffer: Option<usize>) -> Option<Value> {
    let shown = values.shown()?;
    if shown.values.is_empty() {
        return None;
    }
    let range = range(values);
    let moment = |snapshot: &Option<Snapshot>, is_after: bool| {
        let snapshot = snapshot.as_ref()?;
        Some(grid(snapshot, range, |at| {
            is_after && values.is_changed(at)
        }))
    };
    let is_written = values.after.is_some();
    // An operand that is only written is shown afterwards only.
    let before = match is_written && !values.access.reads() {
        true => None,
        false => moment(&values.before, false),
    };
    Some(json!({
        "parameter": values.parameter,
        "view": values.text,
        "type": format!("{} [{}, {}]", shown.dtype, shown.shape[0], shown.shape[1]),
        "buffer": buffer,
        "before": before,
        "after": moment(&values.after, true),
        "range": (range.0 < range.1).then(|| [float_text(range.0), float_text(range.1)]),
        "allChanged": values.changed() == shown.values.len(),
        "rows": rows(shown, values),
    }))
}

/// Returns the smallest and the largest finite value of both snapshots, so that both use one scale.
fn range(values: &OperandValues) -> (f64, f64) {
    let moments = [&values.before, &values.after].into_iter().flatten();
    let numbers = moments
        .flat_map(|it| it.elements().flatten())
        .filter(|it| it.is_finite());
    numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), it| {
        (min.min(it), max.max(it))
    })
}

fn grid(snapshot: &Snapshot, (min, max): (f64, f64), is_changed: impl Fn(usize) -> bool) -> Value {
    let [rows, columns] = snapshot.shape;
    let (cells_down, cells_across) = (rows.min(MOST_CELLS), columns.min(MOST_CELLS));
    let mut levels = String::with_capacity(cells_down * cells_across);
    let mut flags: Vec<(usize, u8)> = Vec::new();
    for down in 0..cells_down {
        for across in 0..cells_across {
            let cell = Part {
                rows: [rows * down / cells_down, rows * (down + 1) / cells_down],
                columns: [
                    columns * across / cells_across,
                    columns * (across + 1) / cells_across,
                ],
            };
            let (mean, flag) = cell.look(snapshot, &is_changed);
            let share = match max > min {
                true => mean.map_or(0.0, |mean| (mean - min) / (max - min)),
                // If all values are equal there is no scale, and the cell is drawn in the middle of it.
                false => 0.5,
            };
            // One character per cell keeps the page small. `viewer.js` decodes it.
            levels.push(char::from(b'0' + (share.clamp(0.0, 1.0) * LEVELS) as u8));
            // Flags are run-length encoded, since neighbouring cells mostly have the same.
            match flags.last_mut().filter(|run| run.1 == flag) {
                Some(run) => run.0 += 1,
                None => flags.push((1, flag)),
            }
        }
    }
    json!({
        "grid": [cells_down, cells_across],
        "levels": levels,
        "flags": flags,
        "numbers": numbers(snapshot),
    })
}

/// The elements that a cell covers.
struct Part {
    rows: [usize; 2],
    columns: [usize; 2],
}

impl Part {
    /// Returns the mean of the finite values, and the flags.
    fn look(&self, snapshot: &Snapshot, is_changed: &impl Fn(usize) -> bool) -> (Option<f64>, u8) {
        let (mut sum, mut count, mut flag) = (0.0, 0_usize, 0);
        for row in self.rows[0]..self.rows[1] {
            for column in self.columns[0]..self.columns[1] {
                let at = row * snapshot.shape[1] + column;
                let value = snapshot.values[at];
                if is_changed(at) {
                    flag |= CHANGED;
                }
                match (snapshot.defined[at], value.is_finite()) {
                    (false, _) => flag |= UNDEFINED,
                    (true, false) => flag |= ODD,
                    (true, true) => {
                        sum += value;
                        count += 1;
                    }
                }
            }
        }
        ((count > 0).then(|| sum / count as f64), flag)
    }
}

/// Formats statistics: `min 0.0  max 1.0  mean 0.5  3 undefined`.
fn numbers(snapshot: &Snapshot) -> String {
    let statistics = Statistics::of_elements(snapshot.elements());
    let mut parts = Vec::new();
    for (name, value) in [("min", statistics.min), ("max", statistics.max)] {
        parts.extend(value.map(|value| format!("{name} {}", value_text(value, snapshot.dtype))));
    }
    parts.extend(
        statistics
            .mean
            .map(|mean| format!("mean {}", float_text(mean))),
    );
    for (count, noun) in [(statistics.nan, "NaN"), (statistics.undefined, "undefined")] {
        if count > 0 {
            parts.push(format!("{count} {noun}"));
        }
    }
    parts.join("  ")
}

/// Returns a few rows as numbers, starting at the first element that is undefined or has changed.
fn rows(shown: &Snapshot, values: &OperandValues) -> Vec<String> {
    let first = values.focus();
    let origin = [first / shown.shape[1], first % shown.shape[1]];
    let cell = |row: usize, column: usize| {
        let at = row * shown.shape[1] + column;
        Cell {
            value: shown.defined[at].then_some(shown.values[at]),
            mark: values.mark(at),
        }
    };
    let page = Page {
        columns: Some(72),
        ..Page::PLAIN
    };
    window(shown.shape, origin, ROWS, shown.dtype, cell, page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use a2lint_isa::{Access, DType};

    fn snapshot(values: Vec<f64>, defined: Vec<bool>, shape: [usize; 2]) -> Snapshot {
        Snapshot {
            dtype: DType::Float,
            shape,
            values,
            defined,
        }
    }

    #[test]
    fn cells_show_what_is_odd() {
        let values = OperandValues {
            parameter: "dst",
            text: "x".to_owned(),
            access: Access::Write,
            before: Some(snapshot(vec![0.0; 4], vec![true; 4], [2, 2])),
            after: Some(snapshot(
                vec![0.0, 1.0, f64::NAN, 0.0],
                vec![true, true, true, false],
                [2, 2],
            )),
            masked: Vec::new(),
        };
        let shown = operand(&values, Some(3)).expect("values");
        assert_eq!(shown["before"], Value::Null);
        let after = &shown["after"];
        assert_eq!(after["grid"], json!([2, 2]));
        assert_eq!(after["levels"], "0o00");
        assert_eq!(after["flags"], json!([[1, 0], [1, 2], [1, 6], [1, 3]]));
        assert_eq!(
            after["numbers"],
            "min 0.0000  max 1.0000  mean 0.5000  1 NaN  1 undefined"
        );
    }

    #[test]
    fn large_tiles_are_shown_in_larger_cells() {
        let large = snapshot(vec![1.0; 100 * 70], vec![true; 100 * 70], [100, 70]);
        let grid = grid(&large, (0.0, 2.0), |_| false);
        assert_eq!(grid["grid"], json!([32, 32]));
        assert_eq!(grid["levels"].as_str().map(str::len), Some(1024));
        assert_eq!(grid["flags"], json!([[1024, 0]]));
    }
}

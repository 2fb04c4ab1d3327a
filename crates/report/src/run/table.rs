//! Tables of values.

use unicode_width::UnicodeWidthStr;

use super::super::{Page, Paint};
use a2lint_ir::finding::{Mark, Severity};
use a2lint_isa::DType;

/// Maximum number of columns of a table.
pub const MAX_COLUMNS: usize = 8;
/// Maximum number of rows of a table.
pub const MAX_ROWS: usize = 8;

/// A value in a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The value; `None` if it is undefined.
    pub value: Option<f64>,
    /// The effect of the watched instruction on the element.
    pub mark: Mark,
}

/// Returns the sign after a value with a mark.
const fn sign(mark: Mark) -> &'static str {
    match mark {
        Mark::None => " ",
        Mark::Changed => "*",
        Mark::Masked => "~",
    }
}

/// The text for an undefined element.
const UNDEFINED: &str = "·";

/// The signs that have been used in tables.
#[derive(Clone, Copy, Debug, Default)]
pub struct Legend {
    changed: bool,
    masked: bool,
    undefined: bool,
}

impl Legend {
    /// Notes the signs of the cells that [`corner`] shows.
    pub fn note(
        &mut self,
        [rows, columns]: [usize; 2],
        max_rows: usize,
        cell: impl Fn(usize, usize) -> Cell,
    ) {
        for row in 0..rows.min(max_rows) {
            for column in 0..columns.min(MAX_COLUMNS) {
                let cell = cell(row, column);
                self.changed |= cell.mark == Mark::Changed;
                self.masked |= cell.mark == Mark::Masked;
                self.undefined |= cell.value.is_none();
            }
        }
    }

    /// Formats the explanation of the used signs: `* changed   ~ masked off   · undefined`.
    pub fn text(self) -> Option<String> {
        let signs = [
            (self.changed, sign(Mark::Changed), "changed"),
            (self.masked, sign(Mark::Masked), "masked off"),
            (self.undefined, UNDEFINED, "undefined"),
        ];
        let used = signs.iter().filter(|sign| sign.0);
        let parts: Vec<String> = used
            .map(|(_, sign, noun)| format!("{sign} {noun}"))
            .collect();
        (!parts.is_empty()).then(|| parts.join("   "))
    }
}

/// Renders the upper left corner of a matrix, one line per row, and how much is left out.
pub fn corner(
    shape: [usize; 2],
    max_rows: usize,
    dtype: DType,
    cell: impl Fn(usize, usize) -> Cell,
    page: Page,
) -> Vec<String> {
    window(shape, [0, 0], max_rows, dtype, cell, page)
}

/// Renders a part of a matrix that starts at an element, one line per row with its number, and how much is left out
/// on the right and below. The first column is named unless it is 0.
pub fn window(
    [rows, columns]: [usize; 2],
    [top, left]: [usize; 2],
    max_rows: usize,
    dtype: DType,
    cell: impl Fn(usize, usize) -> Cell,
    page: Page,
) -> Vec<String> {
    let (rows, columns) = (rows.saturating_sub(top), columns.saturating_sub(left));
    let cell = |row: usize, column: usize| cell(row + top, column + left);
    let paint = page.paint;
    if rows * columns == 0 {
        return vec![paint.dim("empty")];
    }
    let (shown_rows, shown_columns) = (rows.min(max_rows), columns.min(MAX_COLUMNS));
    let at = |row: usize| move |column: usize| (row, column);
    let cells = (0..shown_rows).flat_map(|row| (0..shown_columns).map(at(row)));
    let cells: Vec<Cell> = cells.map(|(row, column)| cell(row, column)).collect();
    let texts = painted_cells(&cells, dtype, paint);
    let index_width = (top + shown_rows).saturating_sub(1).to_string().len();
    let fitting = page.columns.map_or(MAX_COLUMNS, |columns| {
        let widths = cells.iter().map(|cell| cell_text(*cell, dtype).width());
        let cell = widths.max().unwrap_or(0) + 2;
        // The rest of the line: indentation, row number, bar and ellipsis.
        (columns.saturating_sub(4 + index_width + 2 + 3) / cell).max(1)
    });
    let kept = shown_columns.min(fitting);
    let mut lines = Vec::new();
    if left > 0 {
        lines.push(paint.dim(&format!("{:index_width$} │ from column {left}", "")));
    }
    for row in 0..shown_rows {
        let values = &texts[row * shown_columns..][..kept];
        let more = if columns > kept { "  …" } else { "" };
        let index = paint.dim(&format!("{:>index_width$} │", row + top));
        lines.push(format!("{index} {}{more}", values.join("  ")));
    }
    lines.extend(left_out(rows - shown_rows, columns - kept).map(|text| paint.dim(&text)));
    lines
}

/// Formats how much is left out: `… 56 more rows, 120 more columns`.
fn left_out(rows: usize, columns: usize) -> Option<String> {
    let part = |count: usize, noun: &str| match count {
        0 => None,
        1 => Some(format!("1 more {noun}")),
        _ => Some(format!("{count} more {noun}s")),
    };
    let parts: Vec<String> = [part(rows, "row"), part(columns, "column")]
        .into_iter()
        .flatten()
        .collect();
    (!parts.is_empty()).then(|| format!("… {}", parts.join(", ")))
}

/// Formats values with a common width.
pub fn painted_cells(cells: &[Cell], dtype: DType, paint: Paint) -> Vec<String> {
    let texts: Vec<String> = cells.iter().map(|cell| cell_text(*cell, dtype)).collect();
    let width = texts.iter().map(|text| text.width()).max().unwrap_or(0);
    let pairs = cells.iter().zip(&texts);
    pairs
        .map(|(cell, text)| painted(*cell, &padded(text, width), paint))
        .collect()
}

fn padded(text: &str, width: usize) -> String {
    " ".repeat(width - text.width()) + text
}

fn painted(cell: Cell, text: &str, paint: Paint) -> String {
    match (cell.value, cell.mark) {
        (None, _) => paint.severity(Severity::Warning, text),
        (_, Mark::Masked) => paint.dim(text),
        (_, Mark::Changed) => paint.bold(text),
        _ => text.to_owned(),
    }
}

fn cell_text(cell: Cell, dtype: DType) -> String {
    let sign = sign(cell.mark);
    match cell.value {
        Some(value) => value_text(value, dtype) + sign,
        None => format!("{UNDEFINED}{sign}"),
    }
}

/// Formats a value: integers exactly, floats with five significant digits.
pub fn value_text(value: f64, dtype: DType) -> String {
    if !dtype.is_float() {
        return format!("{value}");
    }
    float_text(value)
}

/// Formats a value of which only is known whether it is an integer.
pub fn scalar_text(value: f64, is_whole: bool) -> String {
    match is_whole {
        true => format!("{value}"),
        false => float_text(value),
    }
}

/// Formats a float with five significant digits.
pub fn float_text(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        return format!("{value}").to_lowercase();
    }
    if size != 0.0 && !(1e-3..1e5).contains(&size) {
        return format!("{value:.4e}");
    }
    let digits = if size < 10.0 {
        4
    } else if size < 1000.0 {
        3
    } else {
        1
    };
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_short() {
        let texts = [
            0.0,
            -1.5,
            123.456,
            65504.0,
            1e-7,
            f64::NAN,
            f64::NEG_INFINITY,
        ];
        let texts = texts.map(float_text);
        assert_eq!(
            texts,
            [
                "0.0000",
                "-1.5000",
                "123.456",
                "65504.0",
                "1.0000e-7",
                "nan",
                "-inf"
            ]
        );
    }

    #[test]
    fn undefined_changed_masked_and_left_out_values_are_told_apart() {
        let cell = |row: usize, column: usize| Cell {
            value: (column > 0).then_some(row as f64),
            mark: match (row, column) {
                (0, _) => Mark::Changed,
                (_, 1) => Mark::Masked,
                _ => Mark::None,
            },
        };
        let lines = corner([10, 2], 2, DType::Int, cell, Page::PLAIN);
        assert_eq!(corner([0, 2], 2, DType::Int, cell, Page::PLAIN), ["empty"]);
        assert_eq!(lines, ["0 │ ·*  0*", "1 │ ·   1~", "… 8 more rows"]);
        let page = Page {
            paint: Paint::Coloured,
            columns: Some(80),
        };
        let coloured = corner([10, 2], 2, DType::Int, cell, page);
        assert!(coloured[1].contains("\u{1b}[2m1~"), "{coloured:?}");
    }

    #[test]
    fn the_legend_names_what_is_shown() {
        let cell = |_, column| Cell {
            value: (column < MAX_COLUMNS).then_some(0.0),
            mark: Mark::Masked,
        };
        let mut legend = Legend::default();
        assert_eq!(legend.text(), None);
        legend.note([1, 64], MAX_ROWS, cell);
        assert_eq!(legend.text().as_deref(), Some("~ masked off"));
        legend.note([1, 1], 1, |_, _| Cell {
            value: None,
            mark: Mark::Changed,
        });
        let all = "* changed   ~ masked off   · undefined";
        assert_eq!(legend.text().as_deref(), Some(all));
    }
}

//! Rendering of the numbers of a finding, in a few lines.

use unicode_width::UnicodeWidthStr;

use super::run::{Cell, Legend, painted_cells, runs};
use super::{Page, Paint, number_text, printable};
use a2lint_ir::finding::{Finding, Mark, Numbers, Severity, Strip};
use a2lint_source::text::Slice;

/// Maximum number of columns of a line.
const WIDTH: usize = 92;
/// Number of columns before a line below a source line.
const INDENT: usize = 8;
/// Maximum number of lines below the head.
const MAX_LINES: usize = 5;
/// Maximum number of columns of an operand's name.
const MAX_LABEL: usize = 24;
/// Minimum number of elements of a line, however wide they are.
const LEAST_CELLS: usize = 3;

/// Renders a head, and a line for each operand before and after the statement; empty if the finding has no numbers.
pub fn lines(finding: &Finding, page: Page) -> Vec<String> {
    let Some(numbers) = &finding.numbers else {
        return Vec::new();
    };
    let (rows, paint) = (rows(numbers), page.paint);
    let mut legend = Legend::default();
    for row in &rows {
        legend.note([1, row.cells.len()], 1, |_, index| row.cells[index]);
    }
    let mut head = format!("{}() on {}", numbers.instruction, occasion(numbers));
    if finding.witness.is_none() && !numbers.launch.is_empty() {
        let invented = if numbers.is_invented {
            "the invented launch "
        } else {
            ""
        };
        head += &format!(" with {invented}{}", launch_text(numbers));
    }
    if let Some(text) = legend.text() {
        head += &paint.dim(&format!("  ({text})"));
    }
    let mut lines = vec![head];
    let columns = Columns::of(&rows, page.columns_or(WIDTH + INDENT) - INDENT);
    lines.extend(rows.iter().map(|row| columns.line(row, paint)));
    lines.extend(mask(numbers).map(|text| paint.severity(Severity::Warning, &text)));
    lines
}

/// Renders the numbers on one line.
pub(super) fn short(numbers: &Numbers) -> String {
    let rows = rows(numbers);
    let texts = rows.iter().map(|row| {
        let cells = row.cells.iter().map(|cell| {
            let texts = painted_cells(&[*cell], row.strip.dtype, Paint::Plain);
            texts.concat().trim().to_owned()
        });
        let cells: Vec<String> = cells.collect();
        let label = row.label.trim();
        let when = [label, row.when].join(" ");
        format!(
            "{} {} {}",
            when.trim(),
            place(row.strip, row.strip.first),
            cells.join(" ")
        )
    });
    let texts: Vec<String> = texts.collect();
    format!(
        "{} on {}: {}",
        numbers.instruction,
        occasion(numbers),
        texts.join(", ")
    )
}

/// Formats the occasion: `core 0, vec1, iteration 0, 2`.
fn occasion(numbers: &Numbers) -> String {
    let mut text = format!("core {}, {}", numbers.core, numbers.lane);
    if !numbers.iteration.is_empty() {
        let turns: Vec<String> = numbers.iteration.iter().map(i64::to_string).collect();
        text += &format!(", iteration {}", turns.join(", "));
    }
    text
}

fn launch_text(numbers: &Numbers) -> String {
    let values = numbers.launch.iter();
    let values = values.map(|(name, value)| format!("{name}={}", number_text(*value)));
    values.collect::<Vec<_>>().join(", ")
}

/// Describes the lanes that the vector mask disables.
fn mask(numbers: &Numbers) -> Option<String> {
    // The widest element type has the fewest lanes in a repeat. Mask bits above these have no effect.
    let lanes = numbers.strips.iter().map(|strip| strip.dtype.lanes()).min();
    let lanes = lanes.unwrap_or(0) as usize;
    let masked = numbers.masked.iter().copied();
    let masked: Vec<usize> = masked.filter(|&lane| lane < lanes).collect();
    (!masked.is_empty()).then(|| format!("the mask leaves out lanes {} of {lanes}", runs(&masked)))
}

/// A line: an operand before or after the statement.
struct Row<'n> {
    strip: &'n Strip,
    /// Parameter and view; empty in the second line of an operand.
    label: String,
    when: &'static str,
    cells: Vec<Cell>,
    undefined: usize,
}

fn rows(numbers: &Numbers) -> Vec<Row<'_>> {
    shown(numbers).into_iter().flat_map(strip_rows).collect()
}

/// Returns the operands that fit. Operands at the start are only read and the last ones are affected in addition;
/// written ones are between them and dropped last, since they show the fault.
fn shown(numbers: &Numbers) -> Vec<&Strip> {
    let mut strips: Vec<&Strip> = numbers.strips.iter().collect();
    let lines = |strip: &Strip| {
        [&strip.before, &strip.after]
            .iter()
            .filter(|it| !it.is_empty())
            .count()
    };
    while strips.iter().map(|strip| lines(strip)).sum::<usize>() > MAX_LINES && strips.len() > 1 {
        match strips[0].after.is_empty() {
            true => drop(strips.remove(0)),
            false => drop(strips.pop()),
        }
    }
    strips
}

fn strip_rows(strip: &Strip) -> Vec<Row<'_>> {
    let is_written = !strip.after.is_empty();
    let label = format!("{} {}", strip.operand, printable(&strip.view));
    let mut label = cut(&label, MAX_LABEL);
    let mut row = |when, values: &[Option<f64>], undefined, shows_change: bool| {
        let cells = values.iter().zip(&strip.marks);
        let cells = cells.map(|(&value, &mark)| Cell {
            value,
            mark: if mark == Mark::Changed && !shows_change {
                Mark::None
            } else {
                mark
            },
        });
        Row {
            strip,
            label: std::mem::take(&mut label),
            when,
            cells: cells.collect(),
            undefined,
        }
    };
    let mut rows = Vec::new();
    if !strip.before.is_empty() {
        let when = if is_written { "before" } else { "" };
        rows.push(row(when, &strip.before, strip.undefined_before, false));
    }
    if is_written {
        rows.push(row("after", &strip.after, strip.undefined, true));
    }
    rows
}

impl Row<'_> {
    fn note(&self) -> String {
        match self.undefined {
            0 => String::new(),
            count => format!("{count} of {} undefined", self.strip.elements()),
        }
    }
}

/// The common layout of all lines.
struct Columns {
    label: usize,
    place: usize,
    /// Width of an element in columns.
    cell: usize,
    /// Maximum number of elements of a line.
    cells: usize,
}

impl Columns {
    fn of(rows: &[Row], width: usize) -> Columns {
        let widest = |width: &dyn Fn(&Row) -> usize| rows.iter().map(width).max().unwrap_or(0);
        let label = widest(&|row| row.label.width());
        let place = widest(&|row| place(row.strip, row.strip.elements() - 1).len());
        let note = widest(&|row| row.note().len());
        let cell = widest(&|row| cell_width(&row.cells, row.strip));
        // The word `before` or `after` takes six columns, and four spaces separate the parts.
        let room = width.saturating_sub(label + place + note + 10);
        Columns {
            label,
            place,
            cell,
            cells: (room / (cell + 1)).max(LEAST_CELLS),
        }
    }

    /// Renders a line with as many elements as fit, around the first that differs.
    fn line(&self, row: &Row, paint: Paint) -> String {
        let count = row.cells.len().min(self.cells);
        let first = row.strip.focus.saturating_sub(count / 2);
        let first = first.min(row.cells.len() - count);
        let cells = &row.cells[first..first + count];
        let indent = " ".repeat(1 + self.cell.saturating_sub(cell_width(cells, row.strip)));
        let cells = painted_cells(cells, row.strip.dtype, paint).join(&indent);
        let cells = format!("{}{cells}", indent.part(1..));
        let pad = " ".repeat(self.label - row.label.width());
        let place = format!(
            "{:<1$}",
            place(row.strip, row.strip.first + first),
            self.place
        );
        let mut text = format!(
            "{}{pad} {:<6} {} {cells}",
            row.label,
            row.when,
            paint.dim(&place)
        );
        let note = row.note();
        if !note.is_empty() {
            text += &format!(" {}", paint.severity(Severity::Warning, &note));
        }
        text.trim_end().to_owned()
    }
}

/// Returns the width of the widest of some elements in columns.
fn cell_width(cells: &[Cell], strip: &Strip) -> usize {
    let cells = painted_cells(cells, strip.dtype, Paint::Plain);
    cells.iter().map(|cell| cell.width()).max().unwrap_or(0)
}

/// Formats row and column of an element: `[7,5]`.
fn place(strip: &Strip, flat: usize) -> String {
    let [row, column] = strip.place(flat.saturating_sub(strip.first));
    format!("[{row},{column}]")
}

/// Cuts a text to at most `columns` columns.
fn cut(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut kept = String::new();
    for character in text.chars() {
        kept.push(character);
        if kept.width() + 1 >= columns {
            break;
        }
    }
    kept + "…"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::complete;
    use a2lint_isa::DType;

    fn finding() -> Finding {
        let mut finding = complete().analysis.findings.remove(0);
        finding.numbers = Some(Numbers {
            instruction: "dup".to_owned(),
            launch: vec![("M".to_owned(), 128.0)],
            is_invented: false,
            core: 0,
            lane: "vec0",
            iteration: vec![0, 3],
            strips: vec![Strip {
                operand: "dst",
                view: "row".to_owned(),
                dtype: DType::Float,
                shape: [64, 8],
                first: 61,
                focus: 3,
                before: vec![None; 6],
                after: vec![Some(0.5), Some(0.5), Some(0.5), None, None, None],
                marks: [[Mark::Changed; 3], [Mark::None; 3]].concat(),
                undefined_before: 512,
                undefined: 448,
                changed: 64,
            }],
            masked: Vec::new(),
        });
        finding
    }

    #[test]
    fn a_glance_shows_the_border() {
        let expected = [
            "dup() on core 0, vec0, iteration 0, 3  (* changed   · undefined)",
            "dst row before [7,5]       ·       ·       ·       ·       ·       ·  512 of 512 undefined",
            "        after  [7,5]  0.5000* 0.5000* 0.5000*      ·       ·       ·  448 of 512 undefined",
        ];
        assert_eq!(lines(&finding(), Page::PLAIN), expected);
    }

    #[test]
    fn lines_stay_on_a_terminal() {
        let mut long = finding();
        let strip = &mut long.numbers.as_mut().expect("numbers").strips[0];
        strip.view = "a_rather_long_name[count][0:valid, 0:WIDTH]".to_owned();
        strip.after = vec![Some(-1.2345e-30); 6];
        for line in &lines(&long, Page::PLAIN)[1..] {
            assert!(line.width() <= 100, "{line}");
        }
    }

    #[test]
    fn one_line_says_it_too() {
        let finding = finding();
        let text = short(finding.numbers.as_ref().expect("numbers"));
        let expected = "dup on core 0, vec0, iteration 0, 3: dst row before [7,5] · · · · · ·, \
                        after [7,5] 0.5000* 0.5000* 0.5000* · · ·";
        assert_eq!(text, expected);
    }
}

//! Small pictures made of characters, and tables.

use unicode_width::UnicodeWidthStr;

use crate::analysis::RangeSet;

/// Cells of a bar.
const CELLS: i64 = 32;
/// How full a cell is, in quarters.
const SHADES: [char; 5] = ['·', '░', '▒', '▓', '█'];
/// How high a column is, in eighths.
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Which part of the bytes `start..end` a set covers, as a bar.
pub fn coverage(set: &RangeSet, (start, end): (i64, i64)) -> String {
    let bytes = (end - start).max(1);
    let cells = CELLS.min(bytes);
    let border = |cell: i64| start + bytes * cell / cells;
    let shade = |cell: i64| {
        let (from, to) = (border(cell), border(cell + 1));
        let covered = set.intersection(&RangeSet::span(from, to)).len();
        SHADES[((covered * 4 + (to - from) - 1) / (to - from)) as usize]
    };
    (0..cells).map(shade).collect()
}

/// A map of a memory of `capacity` bytes: `own` stands out from what is used otherwise.
pub fn memory(own: (i64, i64), used: i64, capacity: i64) -> String {
    let cell_at = |cell: i64| (capacity * cell / CELLS, capacity * (cell + 1) / CELLS);
    let draw = |cell: i64| {
        let (from, to) = cell_at(cell);
        match own.0 < to && from < own.1 {
            true => '█',
            false if from < used => '░',
            false => '·',
        }
    };
    (0..CELLS).map(draw).collect()
}

/// How often values fall into equal parts of their range; nothing where they have none.
pub fn histogram(values: &[f64], (min, max): (f64, f64)) -> Option<String> {
    const COLUMNS: usize = 16;
    if !(max - min).is_finite() || max <= min {
        return None;
    }
    let mut counts = [0_usize; COLUMNS];
    for value in values.iter().filter(|value| value.is_finite()) {
        let at = (value - min) / (max - min) * COLUMNS as f64;
        counts[(at as usize).min(COLUMNS - 1)] += 1;
    }
    let most = counts.iter().copied().max().filter(|&most| most > 0)?;
    let column = |&count: &usize| match count {
        0 => ' ',
        count => {
            HEIGHTS[(count * (HEIGHTS.len() - 1))
                .div_ceil(most)
                .min(HEIGHTS.len() - 1)]
        }
    };
    Some(counts.iter().map(column).collect())
}

/// A Markdown table that can be read as plain text too. The first row is the head; all columns but
/// the first are numbers where `numeric` says so.
pub fn table(rows: &[Vec<String>], numeric: bool) -> String {
    let escaped = |row: &Vec<String>| row.iter().map(|cell| cell.replace('|', "\\|")).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(escaped).collect();
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.width()).max().unwrap_or(0).max(3)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| {
            let space = " ".repeat(width - cell.width());
            match numeric {
                true => format!("{space}{cell}"),
                false => format!("{cell}{space}"),
            }
        });
        format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
    };
    let rule = widths.iter().map(|&width| match numeric {
        true => format!("{}:", "-".repeat(width - 1)),
        false => "-".repeat(width),
    });
    let rule = format!("| {} |", rule.collect::<Vec<_>>().join(" | "));
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    lines.insert(1.min(lines.len()), rule);
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coverage_is_drawn_in_quarters() {
        let mut set = RangeSet::span(0, 64);
        set.insert(96, 104);
        assert_eq!(
            coverage(&set, (0, 1024)),
            "██·░····························"
        );
        assert_eq!(coverage(&RangeSet::EMPTY, (0, 4)), "····");
        assert_eq!(coverage(&set, (8, 8)), "█");
    }

    #[test]
    fn a_memory_shows_the_own_part() {
        assert_eq!(
            memory((64, 96), 128, 1024),
            "░░█░····························"
        );
    }

    #[test]
    fn histograms_need_a_range() {
        let values = [0.0, 0.0, 0.0, 0.0, 1.0, f64::NAN];
        assert_eq!(histogram(&values, (0.0, 1.0)).unwrap(), "█              ▃");
        assert_eq!(histogram(&values, (1.0, 1.0)), None);
        assert_eq!(histogram(&values, (0.0, f64::INFINITY)), None);
    }

    #[test]
    fn tables_line_up() {
        let rows = [
            vec!["".to_owned(), "x".to_owned()],
            vec!["0".to_owned(), "1.25".to_owned()],
        ];
        assert_eq!(
            table(&rows, true),
            "|     |    x |\n| --: | ---: |\n|   0 | 1.25 |"
        );
    }
}

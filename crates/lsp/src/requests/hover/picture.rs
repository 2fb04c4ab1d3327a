//! Bars made of characters, and blocks of lines for hovers.

use crate::markdown;
use unicode_width::UnicodeWidthStr;

use super::WIDTH;
use a2lint_analysis::RangeSet;
use a2lint_report::filled;

/// Number of cells of a bar.
const CELLS: i64 = 32;
/// Characters for the filled part of a cell, in quarters.
const SHADES: [char; 5] = ['·', '░', '▒', '▓', '█'];

/// Draws the part of the bytes `start..end` that a set covers, as a bar.
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

/// Draws a memory of `capacity` bytes as a bar: the range `own` in full blocks, the rest of the first `used` bytes
/// light.
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

/// Formats pairs of a name and a text as an aligned block of plain text.
pub fn block(rows: &[(&str, String)]) -> String {
    let width = rows.iter().map(|(name, _)| name.width()).max().unwrap_or(0);
    let line = |(name, text): &(&str, String)| {
        let space = " ".repeat(width - name.width());
        filled(&format!("{name}{space}  {text}"), width + 2, WIDTH)
    };
    let lines: Vec<String> = rows.iter().map(line).collect();
    markdown::fence("text", &lines.join("\n"))
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
    fn blocks_line_up() {
        let rows = [
            ("size", "16 KB".to_owned()),
            ("written", "line 3".to_owned()),
        ];
        let expected = "```text\nsize     16 KB\nwritten  line 3\n```";
        assert_eq!(block(&rows), expected);
    }
}

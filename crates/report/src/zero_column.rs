//! Text about a zero-column mask descriptor, for `eval` and hovers.

use std::fmt::Write;

use a2lint_ir::KnownColumnMask;
use a2lint_isa::masks::zero_column::{ColumnMask, Field, RESERVED_BITS, Shape};

/// Number of columns on a line of a strip.
const LINE: u32 = 64;
/// Number of columns between two marks of the ruler.
const TICK: u32 = 8;
const ZEROED: char = '█';
const USED: char = '·';

/// The note that the two spans are defined differently in a table of the PTX manual.
const SPAN_NOTE: &str = "skip span counts zeroed columns and use span columns of B, as the examples \
of the PTX manual have it; its field table says the reverse";

/// Renders the mask as a number, the fields, and the strip of columns, as plain text for a fixed-width font. Unknown
/// fields are shown as `?`; mask and strip are left out unless they are known.
pub fn render(known: &KnownColumnMask) -> String {
    let mut out = String::new();
    let mask = known.mask();
    if let Some(mask) = mask {
        let _ = writeln!(out, "{mask}\n");
    }
    out.push_str(&fields(known));
    if let (Some(mask), Some(shape)) = (mask, known.shape) {
        let _ = write!(out, "\n{}", strip(&mask, shape));
    }
    let _ = writeln!(out, "\nnote: {SPAN_NOTE}");
    out
}

/// Returns the number of sub-masks in use.
fn parts(known: &KnownColumnMask) -> u8 {
    known.rows.map_or(4, |rows| rows.sub_masks() as u8)
}

/// Renders one line for each field: bits, name, value, meaning.
fn fields(known: &KnownColumnMask) -> String {
    let parts = parts(known);
    let list = |field: fn(u8) -> Field| {
        let values = (0..parts).map(|part| text(known.field(field(part))));
        values.collect::<Vec<_>>().join(", ")
    };
    let unused = match parts {
        4 => String::new(),
        _ => format!(" (of 4: M = {})", 128 / u32::from(parts)),
    };
    let masks = match parts {
        1 => "mask0".to_owned(),
        _ => format!("mask0 to mask{}", parts - 1),
    };
    let counts = format!("columns dropped at the low end of {masks}{unused}");
    let firsts = format!("{masks} start with 0: columns of B, 1: zeroed columns");
    let rows = [
        ("0-31", "start count", list(Field::StartCount), counts),
        ("32-35", "first span", list(Field::FirstSpan), firsts),
        value_row(known, "39", "non-zero mask", Field::NonZeroMask),
        value_row(known, "40-47", "skip span", Field::SkipSpan),
        value_row(known, "48-55", "use span", Field::UseSpan),
        value_row(known, "56-61", "column shift", Field::ColumnShift),
    ];
    let mut out = String::from("bits   field          value\n");
    for (bits, name, value, meaning) in rows {
        let _ = writeln!(out, "{bits:<6} {name:<14} {value:<10} {meaning}");
    }
    let reserved = known.descriptor.ones() & RESERVED_BITS;
    if reserved != 0 {
        let _ = writeln!(out, "reserved bits are set: {reserved:#018x}");
    }
    out
}

type Row = (&'static str, &'static str, String, String);

fn value_row(known: &KnownColumnMask, bits: &'static str, name: &'static str, field: Field) -> Row {
    let value = known.field(field);
    (bits, name, text(value), meaning(known, field, value))
}

fn meaning(known: &KnownColumnMask, field: Field, value: Option<u64>) -> String {
    let Some(value) = value else {
        return "not a constant here".to_owned();
    };
    match field {
        Field::NonZeroMask if value == 0 => "no mask: every column of B is used".to_owned(),
        Field::NonZeroMask => "a mask is generated".to_owned(),
        Field::SkipSpan => format!("runs of {} zeroed", columns(value + 1)),
        Field::UseSpan => format!("runs of {} of B", columns(value + 1)),
        Field::ColumnShift => match known.shape {
            Some(shape) => {
                let last = value + u64::from(shape.columns()) - 1;
                format!("columns {value} to {last} of B are used")
            }
            None => format!("column 0 of the result takes column {value} of B"),
        },
        Field::StartCount(_) | Field::FirstSpan(_) => String::new(),
    }
}

fn text(value: Option<u64>) -> String {
    value.map_or("?".to_owned(), |value| value.to_string())
}

fn columns(count: u64) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} column{plural}")
}

/// Renders the columns as cells, with sub-masks separated.
fn strip(mask: &ColumnMask, shape: Shape) -> String {
    let zeroed = mask.zeroed();
    let total = mask.columns();
    let mut out = format!("{ZEROED} zeroed ({zeroed} of {total} columns), {USED} B is used\n");
    let _ = writeln!(out, "{:10}{}", "", ruler(shape));
    for start in (0..total).step_by(LINE as usize) {
        let cells = line(shape, start, |column| match mask.is_zeroed(column) {
            true => ZEROED,
            false => USED,
        });
        let name = format!("mask{}", shape.sub_mask_of(start));
        let _ = writeln!(out, "{start:>3} {name} {cells}");
    }
    out
}

/// Renders a line of cells between borders, with `|` where a sub-mask starts or ends.
fn line(shape: Shape, start: u32, cell: impl Fn(u32) -> char) -> String {
    let width = shape.sub_mask_columns();
    let border = |column: u32| {
        if column.is_multiple_of(width) {
            '|'
        } else {
            ' '
        }
    };
    let mut out = String::from(border(start));
    for column in start..start + LINE {
        if column > start && column.is_multiple_of(width) {
            out.push('|');
        }
        out.push(cell(column));
    }
    out.push(border(start + LINE));
    out.trim_end().to_owned()
}

/// Renders the numbers above every eighth column of a line.
fn ruler(shape: Shape) -> String {
    let width = shape.sub_mask_columns();
    let mut out = String::new();
    for column in (0..LINE).step_by(TICK as usize) {
        // A border precedes each sub-mask, and moves the columns after it.
        let borders = 1 + column / width;
        let gap = ((column + borders) as usize).saturating_sub(out.len());
        let _ = write!(out, "{:gap$}{column}", "");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use a2lint_ir::KnownBits;

    fn shape(rows: u32, columns: u32) -> Shape {
        Shape::new(rows, columns).expect("a shape of the instruction")
    }

    #[test]
    fn two_sub_masks_stand_on_two_lines() {
        let known = KnownColumnMask::constant(0x0003_0281_0000_0000, shape(64, 128));
        let run = |text: &str| text.repeat(10);
        let expected = format!(
            "0x70e1c3870e1c3870870e1c3870e1c387\n\n\
             bits   field          value\n\
             0-31   start count    0, 0       columns dropped at the low end of mask0 to mask1 (of 4: M = 64)\n\
             32-35  first span     1, 0       mask0 to mask1 start with 0: columns of B, 1: zeroed columns\n\
             39     non-zero mask  1          a mask is generated\n\
             40-47  skip span      2          runs of 3 columns zeroed\n\
             48-55  use span       3          runs of 4 columns of B\n\
             56-61  column shift   0          columns 0 to 127 of B are used\n\n\
             █ zeroed (55 of 128 columns), · B is used\n\
             {:10} 0       8       16      24      32      40      48      56\n  \
             0 mask0 |{}|\n \
             64 mask1 |{}|\n\n\
             note: {SPAN_NOTE}\n",
            "",
            run("███····").chars().take(64).collect::<String>(),
            run("····███").chars().take(64).collect::<String>(),
        );
        assert_eq!(render(&known), expected);
    }

    #[test]
    fn narrow_sub_masks_have_borders_between_them() {
        let known = KnownColumnMask::constant(0x1005_018a_0000_0000, shape(32, 64));
        let text = render(&known);
        let lines: Vec<&str> = text.lines().collect();
        let ruler = lines
            .iter()
            .position(|line| line.ends_with("56"))
            .expect("a ruler");
        let (numbers, cells) = (lines[ruler], lines[ruler + 1]);
        assert_eq!(cells.matches('|').count(), 5, "{text}");
        // Every number of the ruler is above its column.
        for column in (0..64).step_by(8) {
            let at = numbers.find(&format!(" {column}")).expect("a number") + 1;
            let before: String = cells.chars().take(at).skip(10).collect();
            let count = before.chars().filter(|&c| c != '|').count();
            assert_eq!(count, column, "{text}");
        }
    }

    #[test]
    fn unknown_fields_stay_open() {
        let known = KnownColumnMask {
            descriptor: KnownBits::new(Field::SkipSpan.bits(), 2 << 40),
            rows: None,
            shape: None,
        };
        let text = render(&known);
        for part in [
            "?, ?, ?, ?",
            "40-47  skip span      2          runs of 3 columns zeroed",
            "39     non-zero mask  ?          not a constant here",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert!(text.starts_with("bits") && !text.contains(ZEROED), "{text}");
    }
}

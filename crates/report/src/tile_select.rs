//! Text about the source that a `TSEL` selects for each element, for `eval` and hovers.

use std::fmt::Write;

use a2lint_ir::tile::Select;
use a2lint_isa::masks::Target;
use a2lint_isa::masks::tile_select::{
    Domain, MaskTile, Reader, first_divergence, mask_bit, needed_bytes, readers_agree, selection,
};

/// Number of rows that a hover shows.
pub const SHOWN_ROWS: u64 = 8;
/// Maximum number of elements of the shown rows.
const SHOWN_ELEMENTS: u64 = 1 << 22;
/// Number of columns that are shown of a row.
const SHOWN_COLUMNS: usize = 128;

/// A select to be shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// The reader of the mask.
    pub reader: Reader,
    /// The valid region of the destination.
    pub domain: Domain,
    /// The mask tile.
    pub mask: MaskTile,
    /// The bytes of the mask, if they are known.
    pub bytes: Option<&'a [u8]>,
    /// Number of rows that are shown one by one.
    pub rows: u64,
}

impl Shown<'_> {
    /// Creates the view of a select in a source, with a mask of unknown contents; `None` if extents are unknown.
    pub fn of(select: &Select, target: Target) -> Option<Self> {
        let extent = |number: Option<i64>| Some(u64::from(u32::try_from(number?).ok()?));
        let mask = select.mask.ty?;
        Some(Self {
            reader: match target {
                Target::Cpu => Reader::Cpu,
                Target::A5 | Target::Kirin => Reader::A5,
                _ => Reader::A2A3,
            },
            domain: Domain {
                rows: extent(select.dst.valid[0])?,
                columns: extent(select.dst.valid[1])?,
            },
            mask: MaskTile {
                columns: extent(mask.shape[1])?,
                valid_columns: extent(select.mask.valid[1])?,
                element_bytes: mask.element?.bytes() as u64,
            },
            bytes: None,
            rows: SHOWN_ROWS,
        })
    }
}

/// Renders the mask bytes of the first rows and, if they are known, `1` for `src0` and `0` for `src1`; then whether
/// device and simulator agree. Plain text for a fixed-width font.
pub fn render(shown: &Shown) -> String {
    let Shown {
        reader,
        domain,
        mask,
        bytes,
        rows,
    } = *shown;
    // The selection of the shown rows is computed for all of their columns, so wide tiles show fewer rows.
    let rows = rows.min(SHOWN_ELEMENTS / domain.columns.max(1)).max(1);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{} x {} elements on {}, mask rows of {} bytes, {} of them needed",
        domain.rows,
        domain.columns,
        name(reader),
        mask.pitch(),
        needed_bytes(domain.columns),
    );
    let first = Domain {
        rows: domain.rows.min(rows),
        ..domain
    };
    let taken = bytes.map(|bytes| (bytes, selection(reader, first, mask, bytes)));
    for row in 0..first.rows {
        let places = places(shown, row);
        match &taken {
            Some((bytes, rows)) => {
                let _ = writeln!(
                    out,
                    "  row {row}  bytes {}  {}",
                    hex(bytes, &places),
                    bits(&rows[row as usize])
                );
            }
            None => {
                let start = mask_bit(reader, domain, mask, row, 0);
                let _ = writeln!(
                    out,
                    "  row {row}  from byte {}, bit {}",
                    start.byte, start.bit
                );
            }
        }
    }
    if domain.rows > rows {
        let _ = writeln!(out, "  … and {} more rows", domain.rows - rows);
    }
    if bytes.is_some() {
        let _ = writeln!(
            out,
            "1 takes src0, 0 takes src1, ? lies past the bytes given; column 0 stands left"
        );
    }
    out.push_str(&note(domain, mask));
    out
}

fn name(reader: Reader) -> &'static str {
    match reader {
        Reader::A2A3 => "A2/A3",
        Reader::A5 => "A5",
        Reader::Cpu => "the CPU simulator",
        Reader::Specification { .. } => "paper (the instruction set specification)",
    }
}

/// Returns the offsets of the mask bytes that a row uses, in order.
fn places(shown: &Shown, row: u64) -> Vec<u64> {
    let columns = shown.domain.columns.min(SHOWN_COLUMNS as u64);
    let mut places: Vec<u64> = (0..columns)
        .map(|column| mask_bit(shown.reader, shown.domain, shown.mask, row, column).byte)
        .collect();
    places.dedup();
    places
}

fn hex(bytes: &[u8], places: &[u64]) -> String {
    let one = |place: &u64| match usize::try_from(*place).ok().and_then(|at| bytes.get(at)) {
        Some(byte) => format!("{byte:02x}"),
        None => "??".to_owned(),
    };
    places.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn bits(row: &[Option<bool>]) -> String {
    let shown = row.iter().take(SHOWN_COLUMNS);
    let mut text: String = shown
        .map(|bit| match bit {
            Some(true) => '1',
            Some(false) => '0',
            None => '?',
        })
        .collect();
    if row.len() > SHOWN_COLUMNS {
        text.push('…');
    }
    text
}

/// Describes whether the readers agree on the mask.
fn note(domain: Domain, mask: MaskTile) -> String {
    let wide_enough = mask.valid_columns >= needed_bytes(domain.columns);
    if mask.element_bytes == 1 && wide_enough && readers_agree(domain, mask) {
        return "note: A2/A3 and the CPU simulator read this mask alike\n".to_owned();
    }
    match first_divergence(Reader::A2A3, Reader::Cpu, domain, mask) {
        Some((row, column)) => format!(
            "note: the CPU simulator counts bits over all {} valid columns of the destination and the {} of \
             the mask; it differs from A2/A3 from element ({row}, {column}) on\n",
            domain.columns, mask.valid_columns
        ),
        None => "note: A2/A3 and the CPU simulator read this mask alike\n".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_columns_show_how_the_readings_part() {
        let mut bytes = vec![0u8; 64];
        (bytes[0], bytes[32]) = (0x16, 0x09);
        let shown = Shown {
            reader: Reader::A2A3,
            domain: Domain {
                rows: 2,
                columns: 5,
            },
            mask: MaskTile {
                columns: 32,
                valid_columns: 1,
                element_bytes: 1,
            },
            bytes: Some(&bytes),
            rows: SHOWN_ROWS,
        };
        let expected = "\
2 x 5 elements on A2/A3, mask rows of 32 bytes, 1 of them needed
  row 0  bytes 16  01101
  row 1  bytes 09  10010
1 takes src0, 0 takes src1, ? lies past the bytes given; column 0 stands left
note: the CPU simulator counts bits over all 5 valid columns of the destination and the 1 of the mask; \
it differs from A2/A3 from element (1, 0) on
";
        assert_eq!(render(&shown), expected);
        let cpu = render(&Shown {
            reader: Reader::Cpu,
            ..shown
        });
        assert!(cpu.contains("row 1  bytes 16 09  00010"), "{cpu}");
        let unknown = render(&Shown {
            bytes: None,
            ..shown
        });
        assert!(unknown.contains("row 1  from byte 32, bit 0"), "{unknown}");
    }
}

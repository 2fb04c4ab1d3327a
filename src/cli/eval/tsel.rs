//! `a2lint eval tsel`.

use clap::Args;

use super::gather_mask::target;
use a2lint_isa::masks::Target;
use a2lint_isa::masks::tile_select::{Domain, MaskTile, Reader};
use a2lint_report::tile_select::{Shown, render};
use a2lint_source::text::Slice;

/// Upper bound of extents, more than fits into any UB.
const MAX_EXTENT: i64 = 65_535;

/// Options of `eval tsel`.
#[derive(Debug, Args)]
pub struct TselArgs {
    /// Valid rows of the destination.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = extent())]
    pub rows: u64,
    /// Valid columns of the destination.
    #[arg(long, value_name = "N", value_parser = extent())]
    pub cols: u64,
    /// Physical columns of the mask tile.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = extent())]
    pub mask_cols: u64,
    /// Valid columns of the mask tile [default: those that the columns need].
    #[arg(long, value_name = "N", value_parser = extent())]
    pub mask_valid_cols: Option<u64>,
    /// Bytes of a mask element.
    #[arg(long, value_name = "BYTES", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=4))]
    pub mask_bytes: u64,
    /// The bytes of each mask row in hexadecimal, from its start: `16,09` are two rows.
    #[arg(long, value_name = "HEX,…", value_delimiter = ',', value_parser = hexadecimal)]
    pub mask: Vec<Row>,
    /// Who reads the mask: a2, a3, a5 or cpu.
    #[arg(long, value_name = "TARGET", default_value = "a2", value_parser = target)]
    pub target: Target,
}

/// The bytes of a mask row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row(Vec<u8>);

fn extent() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=MAX_EXTENT as u64)
}

impl TselArgs {
    /// Formats the source that the instruction takes for each element.
    pub fn render(&self) -> String {
        let mask = MaskTile {
            columns: self.mask_cols,
            valid_columns: self.mask_valid_cols.unwrap_or(self.cols.div_ceil(8)),
            element_bytes: self.mask_bytes,
        };
        let pitch = mask.pitch() as usize;
        let mut bytes = Vec::new();
        for row in &self.mask {
            let end = bytes.len() + pitch;
            bytes.extend(row.0.iter().take(pitch));
            bytes.resize(end, 0);
        }
        render(&Shown {
            reader: match self.target {
                Target::Cpu => Reader::Cpu,
                Target::A5 | Target::Kirin => Reader::A5,
                _ => Reader::A2A3,
            },
            domain: Domain {
                rows: self.rows,
                columns: self.cols,
            },
            mask,
            bytes: (!self.mask.is_empty()).then_some(bytes.as_slice()),
            rows: self.rows,
        })
    }
}

/// Parses pairs of hexadecimal digits, with an optional `0x` and spaces.
fn hexadecimal(text: &str) -> Result<Row, String> {
    let digits: String = text.chars().filter(|c| !matches!(c, ' ' | '_')).collect();
    let digits = digits.strip_prefix("0x").unwrap_or(&digits);
    if !digits.is_ascii() || !digits.len().is_multiple_of(2) || digits.is_empty() {
        return Err("two hexadecimal digits make a byte".to_owned());
    }
    let byte = |at: usize| u8::from_str_radix(digits.part(at..at + 2), 16);
    let bytes: Result<Vec<u8>, _> = (0..digits.len()).step_by(2).map(byte).collect();
    bytes
        .map(Row)
        .map_err(|_| "not a hexadecimal number".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_bytes_from_their_start() {
        assert_eq!(hexadecimal("16 09"), Ok(Row(vec![0x16, 0x09])));
        assert_eq!(hexadecimal("0xff"), Ok(Row(vec![0xFF])));
        for text in ["", "1", "zz", "汉字"] {
            assert!(hexadecimal(text).is_err(), "{text}");
        }
    }
}

//! Models PTO `TSEL` and related instructions: the bit of a mask tile that selects each element.
//!
//! Bits are counted from the least significant. Bit 1 selects `src0`, bit 0 `src1`. The domain is the valid
//! region of the destination. Three layouts of the mask tile are in use by its readers, and the instructions
//! that write masks have layouts of their own.
//!
//! Sources: the manual of PTO and the public tile library.

/// The layout in which a reader interprets the mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// A2 and A3: every row restarts at the row pitch of the mask tile, in bytes.
    A2A3,
    /// A5: as A2, but the pitch is counted in elements of the mask tile and used as bytes.
    A5,
    /// The CPU simulator: one running bit counter over the valid columns of the destination, eight
    /// bits to a mask element, elements over the valid columns of the mask.
    Cpu,
    /// The instruction set specification: one bit string over the physical columns.
    Specification {
        /// Physical columns of the destination.
        columns: u64,
    },
}

/// The valid region that a select writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    /// Valid rows.
    pub rows: u64,
    /// Valid columns.
    pub columns: u64,
}

/// The shape of a mask tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaskTile {
    /// Physical columns, in elements.
    pub columns: u64,
    /// Valid columns, in elements.
    pub valid_columns: u64,
    /// Bytes of an element.
    pub element_bytes: u64,
}

impl MaskTile {
    /// Returns the row pitch in bytes.
    pub fn pitch(self) -> u64 {
        self.columns * self.element_bytes
    }
}

/// A bit of a mask tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MaskBit {
    /// Byte in the tile.
    pub byte: u64,
    /// Bit in the byte, 0 the least significant.
    pub bit: u8,
}

impl MaskBit {
    fn new(byte: u64, bit: u64) -> Self {
        Self {
            byte,
            bit: (bit % 8) as u8,
        }
    }

    /// Returns the value of the bit in these bytes; `None` past their end.
    pub fn of(self, bytes: &[u8]) -> Option<bool> {
        let byte = bytes.get(usize::try_from(self.byte).ok()?)?;
        Some(byte >> self.bit & 1 == 1)
    }
}

/// Returns the bit that selects element (`row`, `column`).
pub fn mask_bit(reader: Reader, domain: Domain, mask: MaskTile, row: u64, column: u64) -> MaskBit {
    match reader {
        Reader::A2A3 => MaskBit::new(row * mask.pitch() + column / 8, column),
        Reader::A5 => MaskBit::new(row * mask.columns + column / 8, column),
        Reader::Cpu => {
            let bit = row * domain.columns + column;
            let element = bit / 8;
            // At least 1, since a mask without valid columns would divide by 0.
            let width = mask.valid_columns.max(1);
            let at = element / width * mask.columns + element % width;
            MaskBit::new(at * mask.element_bytes, bit)
        }
        Reader::Specification { columns } => {
            let bit = row * columns + column;
            MaskBit::new(bit / 8, bit)
        }
    }
}

/// Returns, for each row of the domain, whether each element is taken from `src0`; `None` past the end of the
/// bytes.
pub fn selection(
    reader: Reader,
    domain: Domain,
    mask: MaskTile,
    bytes: &[u8],
) -> Vec<Vec<Option<bool>>> {
    let row = |row| {
        (0..domain.columns)
            .map(|column| mask_bit(reader, domain, mask, row, column).of(bytes))
            .collect()
    };
    (0..domain.rows).map(row).collect()
}

/// The rows and columns that are searched for a difference. The layouts are periodic, with shorter periods.
const SEARCHED: (u64, u64) = (64, 4096);

/// Returns the elements that are searched for a difference, row by row.
fn searched(domain: Domain) -> impl Iterator<Item = (u64, u64)> {
    let columns = domain.columns.min(SEARCHED.1);
    let rows = 0..domain.rows.min(SEARCHED.0);
    rows.flat_map(move |row| (0..columns).map(move |column| (row, column)))
}

/// Returns the first element of the domain for which two readers use different bits.
pub fn first_divergence(
    one: Reader,
    other: Reader,
    domain: Domain,
    mask: MaskTile,
) -> Option<(u64, u64)> {
    searched(domain).find(|&(row, column)| {
        mask_bit(one, domain, mask, row, column) != mask_bit(other, domain, mask, row, column)
    })
}

/// Returns whether device and CPU simulator use the same bit for every element: a closed form of
/// `first_divergence` for wide enough masks of one-byte elements.
pub fn readers_agree(domain: Domain, mask: MaskTile) -> bool {
    domain.rows <= 1 || domain.columns == 8 * mask.valid_columns
}

/// Returns the number of bytes that a row of the mask needs.
pub fn needed_bytes(columns: u64) -> u64 {
    columns.div_ceil(8)
}

/// An instruction that writes a mask, on one target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    /// `TCMP` and `TCMPS` of A2 and A3, `TCMP` of the CPU simulator: rows at the pitch of the mask.
    A2A3,
    /// `TCMP` and `TCMPS` of A5: one dense bit string over the valid region.
    A5,
    /// `TCMPS` of the CPU simulator until April 2026: packed rows at the pitch of the source.
    CpuSourcePitch {
        /// Physical columns of the source.
        columns: u64,
    },
    /// `TCMPS` of the CPU simulator since: the bits of all physical columns of the source, over the
    /// valid columns of the mask.
    CpuSourceBits {
        /// Physical columns of the source.
        columns: u64,
    },
}

/// Returns the bit to which the result for element (`row`, `column`) is written.
pub fn written_bit(
    writer: Writer,
    domain: Domain,
    mask: MaskTile,
    row: u64,
    column: u64,
) -> MaskBit {
    match writer {
        Writer::A2A3 => MaskBit::new(row * mask.pitch() + column / 8, column),
        Writer::A5 => {
            let bit = row * domain.columns + column;
            MaskBit::new(bit / 8, bit)
        }
        Writer::CpuSourcePitch { columns } => MaskBit::new(row * columns + column / 8, column),
        Writer::CpuSourceBits { columns } => {
            let byte = row * (columns / 8) + column / 8;
            // At least 1, since a mask without valid columns would divide by 0.
            let width = mask.valid_columns.max(1);
            let at = byte / width * mask.columns + byte % width;
            MaskBit::new(at * mask.element_bytes, column)
        }
    }
}

/// Returns the first element whose result a reader takes from a different bit.
pub fn first_mismatch(
    writer: Writer,
    reader: Reader,
    domain: Domain,
    mask: MaskTile,
) -> Option<(u64, u64)> {
    searched(domain).find(|&(row, column)| {
        written_bit(writer, domain, mask, row, column)
            != mask_bit(reader, domain, mask, row, column)
    })
}

/// Returns the bytes that a compare of A2 or A3 writes for each row: whole repeats of 256 source bytes, one
/// bit for an element. `None` for element sizes that it does not support.
pub fn compare_row_bytes(columns: u64, element_bytes: u64) -> Option<u64> {
    let lanes = match element_bytes {
        // A2 and A3 compare elements of 2 and 4 bytes only.
        2 | 4 => 256 / element_bytes,
        _ => return None,
    };
    Some(columns.div_ceil(lanes) * (lanes / 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS_OF_32: MaskTile = MaskTile {
        columns: 32,
        valid_columns: 1,
        element_bytes: 1,
    };

    fn mask(valid_columns: u64) -> MaskTile {
        MaskTile {
            valid_columns,
            ..ROWS_OF_32
        }
    }

    fn rows(reader: Reader, domain: [u64; 2], mask: MaskTile, bytes: &[u8]) -> Vec<String> {
        let [rows, columns] = domain;
        selection(reader, Domain { rows, columns }, mask, bytes)
            .into_iter()
            .map(|row| {
                row.iter()
                    .map(|bit| if *bit == Some(true) { '1' } else { '0' })
                    .collect()
            })
            .collect()
    }

    /// Mask bytes with these values at these places.
    fn tile(values: &[(usize, u8)]) -> Vec<u8> {
        let mut bytes = vec![0; 4096];
        for &(at, value) in values {
            bytes[at] = value;
        }
        bytes
    }

    #[test]
    fn two_rows_of_eight() {
        let bytes = tile(&[(0, 0x16), (32, 0x09)]);
        for reader in [Reader::A2A3, Reader::A5, Reader::Cpu] {
            assert_eq!(
                rows(reader, [2, 8], mask(1), &bytes),
                ["01101000", "10010000"]
            );
        }
        assert_eq!(
            rows(Reader::A2A3, [2, 5], mask(1), &bytes),
            ["01101", "10010"]
        );
        assert_eq!(
            rows(Reader::Cpu, [2, 5], mask(1), &bytes),
            ["01101", "00010"]
        );
        assert_eq!(
            rows(Reader::A2A3, [2, 8], mask(32), &bytes),
            ["01101000", "10010000"]
        );
        assert_eq!(
            rows(Reader::Cpu, [2, 8], mask(32), &bytes),
            ["01101000", "00000000"]
        );
    }

    fn four_rows() -> Vec<u8> {
        let values = [0xFF, 0x0F, 0xAA, 0x01];
        let places = values.iter().enumerate();
        let pairs: Vec<_> = places
            .flat_map(|(row, &value)| [(row * 32, value), (row * 32 + 1, value)])
            .collect();
        tile(&pairs)
    }

    #[test]
    fn rows_of_ten_halves() {
        let bytes = four_rows();
        let device = ["1111111111", "1111000011", "0101010101", "1000000010"];
        assert_eq!(rows(Reader::A2A3, [4, 10], mask(2), &bytes), device);
        let cpu = ["1111111111", "1111111111", "0000111100", "0001010101"];
        assert_eq!(rows(Reader::Cpu, [4, 10], mask(2), &bytes), cpu);
    }

    #[test]
    fn wide_mask_elements_lose_their_upper_bytes_on_the_cpu() {
        let wide = MaskTile {
            columns: 16,
            valid_columns: 1,
            element_bytes: 2,
        };
        let bytes = four_rows();
        let cpu = rows(Reader::Cpu, [4, 16], wide, &bytes);
        assert_eq!(
            cpu[..2],
            [
                "1111111111111111".replace("1111111111111111", "1111111111110000"),
                "0101010110000000".to_owned()
            ]
        );
        let device = rows(Reader::A2A3, [4, 16], wide, &bytes);
        assert_eq!(device[1], "1111000011110000");
        // A5 uses the pitch in elements as bytes: row 1 starts in the middle of row 0.
        assert_eq!(
            rows(Reader::A5, [2, 16], wide, &bytes)[1],
            "0000000000000000"
        );
    }

    #[test]
    fn dense_reading_of_the_specification() {
        let dense = [0xFF, 0xFF, 0x0F, 0x0F, 0xAA, 0xAA, 1, 1];
        let reader = Reader::Specification { columns: 16 };
        assert_eq!(
            rows(reader, [4, 16], mask(2), &dense),
            [
                "1111111111111111",
                "1111000011110000",
                "0101010101010101",
                "1000000010000000"
            ]
        );
    }

    #[test]
    fn the_closed_form_of_agreement_is_right() {
        for columns in 1..40 {
            for valid in 1..6 {
                if valid * 8 < columns {
                    continue;
                }
                for height in 1..4 {
                    let domain = Domain {
                        rows: height,
                        columns,
                    };
                    let found = first_divergence(Reader::A2A3, Reader::Cpu, domain, mask(valid));
                    assert_eq!(
                        found.is_none(),
                        readers_agree(domain, mask(valid)),
                        "{domain:?} {valid}"
                    );
                }
            }
        }
    }

    #[test]
    fn compares_write_where_selects_read_or_do_not() {
        let domain = Domain {
            rows: 4,
            columns: 16,
        };
        let mismatch = |writer, reader| first_mismatch(writer, reader, domain, mask(2));
        assert_eq!(mismatch(Writer::A2A3, Reader::A2A3), None);
        assert_eq!(mismatch(Writer::A5, Reader::A5), Some((1, 0)));
        let by_pitch = |columns| mismatch(Writer::CpuSourcePitch { columns }, Reader::Cpu);
        assert_eq!([by_pitch(16), by_pitch(32)], [Some((1, 0)), None]);
        let by_bits = |columns| mismatch(Writer::CpuSourceBits { columns }, Reader::Cpu);
        assert_eq!([by_bits(16), by_bits(32)], [None, Some((1, 0))]);
        assert_eq!(mismatch(Writer::A2A3, Reader::Cpu), None);
        let whole = Domain {
            rows: 4,
            columns: 256,
        };
        assert_eq!(
            first_mismatch(Writer::A5, Reader::A5, whole, mask(32)),
            None
        );
    }

    #[test]
    fn compares_write_whole_repeats() {
        assert_eq!(compare_row_bytes(16, 4), Some(8));
        assert_eq!(compare_row_bytes(65, 4), Some(16));
        assert_eq!(compare_row_bytes(128, 2), Some(16));
        assert_eq!(compare_row_bytes(129, 2), Some(32));
        assert_eq!(compare_row_bytes(16, 1), None);
    }
}

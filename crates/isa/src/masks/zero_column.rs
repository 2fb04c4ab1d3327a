//! Models the zero-column mask of PTX `tcgen05.mma.ws`: maps a 64-bit descriptor to one bit for each column
//! of the result.
//!
//! Where a bit is set, the whole column of B is read as zero. Each sub-mask is a section of a periodic
//! alternation of two runs: `skip span + 1` zeroed columns, and `use span + 1` columns where B is used. The
//! *first span* bit of the sub-mask selects the run that comes first (0: B is used, 1: zeroed); its *start
//! count* drops columns at the low end. The table in the PTX manual describes the two spans the other way
//! round; this model follows the examples of the manual.

use std::fmt;

/// Columns of the widest result.
pub const MAX_COLUMNS: u32 = 256;
/// Bits of the descriptor that must be zero: 36 to 38, and 62 and 63, which the layout leaves out.
pub const RESERVED_BITS: u64 = (0b111 << 36) | (0b11 << 62);

/// A field of the descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The columns dropped at the low end of the sub-mask with this number.
    StartCount(u8),
    /// Whether the sub-mask with this number starts with zeroed columns.
    FirstSpan(u8),
    /// Whether a mask is generated.
    NonZeroMask,
    /// Number of consecutive columns of operand B that are zeroed, less one.
    SkipSpan,
    /// Number of consecutive columns of operand B that are kept, less one.
    UseSpan,
    /// Columns that B is shifted by.
    ColumnShift,
}

impl Field {
    /// Returns the position of the field's lowest bit.
    pub fn low_bit(self) -> u32 {
        match self {
            Field::StartCount(part) => 8 * u32::from(part),
            Field::FirstSpan(part) => 32 + u32::from(part),
            Field::NonZeroMask => 39,
            Field::SkipSpan => 40,
            Field::UseSpan => 48,
            Field::ColumnShift => 56,
        }
    }

    /// Returns the width of the field in bits.
    pub fn width(self) -> u32 {
        match self {
            Field::FirstSpan(_) | Field::NonZeroMask => 1,
            Field::ColumnShift => 6,
            Field::StartCount(_) | Field::SkipSpan | Field::UseSpan => 8,
        }
    }

    /// Returns the bit mask of the field.
    pub fn bits(self) -> u64 {
        ((1 << self.width()) - 1) << self.low_bit()
    }

    /// Returns the value of the field in a descriptor.
    pub fn of(self, descriptor: u64) -> u64 {
        (descriptor & self.bits()) >> self.low_bit()
    }
}

/// The fields of a descriptor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Descriptor {
    /// Columns dropped at the low end of each sub-mask.
    pub start_counts: [u8; 4],
    /// Whether each sub-mask starts with the zeroed run.
    pub zeroed_first: [bool; 4],
    /// Whether a mask is generated; without it every column of B is used.
    pub non_zero: bool,
    /// Number of consecutive columns of operand B that are zeroed, less one.
    pub skip_span: u8,
    /// Number of consecutive columns of operand B that are kept, less one.
    pub use_span: u8,
    /// Column c of the result takes column c + shift of B; 0 to 63.
    pub shift: u8,
    /// The bits of [`RESERVED_BITS`] that are set.
    pub reserved: u64,
}

impl Descriptor {
    /// Reads the fields.
    pub fn decode(value: u64) -> Descriptor {
        let parts = [0u8, 1, 2, 3];
        Descriptor {
            start_counts: parts.map(|part| Field::StartCount(part).of(value) as u8),
            zeroed_first: parts.map(|part| Field::FirstSpan(part).of(value) != 0),
            non_zero: Field::NonZeroMask.of(value) != 0,
            skip_span: Field::SkipSpan.of(value) as u8,
            use_span: Field::UseSpan.of(value) as u8,
            shift: Field::ColumnShift.of(value) as u8,
            reserved: value & RESERVED_BITS,
        }
    }

    /// Writes the fields. A shift above 63 loses its high bits.
    pub fn encode(&self) -> u64 {
        // The mask keeps a value that is too wide out of the neighbouring field.
        let put = |field: Field, value: u64| (value << field.low_bit()) & field.bits();
        let mut value = self.reserved & RESERVED_BITS;
        for part in 0..4u8 {
            let at = usize::from(part);
            value |= put(Field::StartCount(part), self.start_counts[at].into());
            value |= put(Field::FirstSpan(part), self.zeroed_first[at].into());
        }
        value
            | put(Field::NonZeroMask, self.non_zero.into())
            | put(Field::SkipSpan, self.skip_span.into())
            | put(Field::UseSpan, self.use_span.into())
            | put(Field::ColumnShift, self.shift.into())
    }

    /// Returns the number of consecutive columns of operand B that are zeroed (`skip_span` + 1).
    pub fn zeroed_run(&self) -> u32 {
        u32::from(self.skip_span) + 1
    }

    /// Returns the number of consecutive columns of operand B that are kept (`use_span` + 1).
    pub fn used_run(&self) -> u32 {
        u32::from(self.use_span) + 1
    }

    /// Returns the period of the pattern in columns.
    pub fn period(&self) -> u32 {
        self.zeroed_run() + self.used_run()
    }

    /// Returns the length of the run that a sub-mask starts with.
    pub fn first_run(&self, part: usize) -> u32 {
        match self.zeroed_first[part] {
            true => self.zeroed_run(),
            false => self.used_run(),
        }
    }

    /// Returns whether a column of a sub-mask, counted from the sub-mask's start, is zeroed.
    fn zeroes(&self, part: usize, column: u32) -> bool {
        // The columns that are dropped at the low end shift the phase of the pattern.
        let at = (column + u32::from(self.start_counts[part])) % self.period();
        let in_first = at < self.first_run(part);
        in_first == self.zeroed_first[part]
    }

    /// Returns the mask for a result of this shape.
    pub fn mask(&self, shape: Shape) -> ColumnMask {
        let mut mask = ColumnMask::none(shape.columns);
        if self.non_zero {
            for column in 0..shape.columns {
                let part = shape.sub_mask_of(column);
                // Each sub-mask starts its own pattern, so the column is counted from the start of its
                // sub-mask.
                if self.zeroes(part, column % shape.sub_mask_columns()) {
                    mask.zero(column);
                }
            }
        }
        mask
    }

    /// Returns the column of B that feeds a column of the result; `None` where that is zeroed.
    pub fn source_column(&self, shape: Shape, column: u32) -> Option<u32> {
        let zeroed = self.mask(shape).is_zeroed(column);
        (!zeroed).then(|| column + u32::from(self.shift))
    }
}

/// The rows of the result, which determine the number of sub-masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// Four sub-masks.
    M32,
    /// Two sub-masks.
    M64,
    /// One sub-mask.
    M128,
}

impl Rows {
    /// Returns the rows if `.ws` supports them.
    pub fn from_count(rows: u32) -> Option<Rows> {
        match rows {
            32 => Some(Rows::M32),
            64 => Some(Rows::M64),
            128 => Some(Rows::M128),
            _ => None,
        }
    }

    /// Returns the number of rows.
    pub fn count(self) -> u32 {
        match self {
            Rows::M32 => 32,
            Rows::M64 => 64,
            Rows::M128 => 128,
        }
    }

    /// Returns the number of sub-masks.
    pub fn sub_masks(self) -> u32 {
        128 / self.count()
    }

    /// Returns the widest shift.
    pub fn max_shift(self) -> u8 {
        match self {
            Rows::M32 => 16,
            Rows::M64 | Rows::M128 => 32,
        }
    }
}

/// Shape of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    rows: Rows,
    columns: u32,
}

impl Shape {
    /// Returns a shape if `.ws` supports it: 32, 64 or 128 rows, and 64, 128 or 256 columns.
    pub fn new(rows: u32, columns: u32) -> Option<Shape> {
        let rows = Rows::from_count(rows)?;
        matches!(columns, 64 | 128 | 256).then_some(Shape { rows, columns })
    }

    /// Returns the rows of the result.
    pub fn rows(self) -> Rows {
        self.rows
    }

    /// Returns the number of columns of the result.
    pub fn columns(self) -> u32 {
        self.columns
    }

    /// Returns the number of columns of one sub-mask.
    pub fn sub_mask_columns(self) -> u32 {
        self.columns / self.rows.sub_masks()
    }

    /// Returns the sub-mask that a column lies in.
    pub fn sub_mask_of(self, column: u32) -> usize {
        (column / self.sub_mask_columns()) as usize
    }
}

/// One bit for each column of the result: set where B is read as zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnMask {
    words: [u64; (MAX_COLUMNS / 64) as usize],
    columns: u32,
}

impl ColumnMask {
    fn none(columns: u32) -> Self {
        Self {
            words: [0; (MAX_COLUMNS / 64) as usize],
            columns,
        }
    }

    fn zero(&mut self, column: u32) {
        self.words[(column / 64) as usize] |= 1 << (column % 64);
    }

    /// Returns the number of columns.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Returns whether a column is zeroed; false past the last one.
    pub fn is_zeroed(&self, column: u32) -> bool {
        let word = self.words.get((column / 64) as usize);
        word.is_some_and(|word| word >> (column % 64) & 1 == 1)
    }

    /// Returns the number of zeroed columns.
    pub fn zeroed(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }
}

/// `0x…`, column 0 in the lowest bit, one digit for four columns.
impl fmt::Display for ColumnMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        let words = (self.columns / 64) as usize;
        for word in self.words[..words].iter().rev() {
            write!(f, "{word:016x}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;

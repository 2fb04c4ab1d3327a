//! Decodes the fields of the 32-bit instruction descriptor of PTX `tcgen05.mma` that the zero-column mask
//! depends on.

/// A field of the descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Columns of the result, divided by 8.
    Columns,
    /// Rows of the result, divided by 16.
    Rows,
    /// The widest shift of B that `.ws` may ask for, as an index into [`MAX_SHIFTS`].
    MaxShift,
}

/// The shifts that the two bits of [`Field::MaxShift`] encode.
pub const MAX_SHIFTS: [u64; 4] = [0, 8, 16, 32];

impl Field {
    fn low_bit(self) -> u32 {
        match self {
            Field::Columns => 17,
            Field::Rows => 24,
            Field::MaxShift => 30,
        }
    }

    fn width(self) -> u32 {
        match self {
            Field::Columns => 6,
            Field::Rows => 5,
            Field::MaxShift => 2,
        }
    }

    /// Returns the bit mask of the field.
    pub fn bits(self) -> u64 {
        ((1 << self.width()) - 1) << self.low_bit()
    }

    /// Returns the decoded value of the field in a descriptor: columns, rows, or the widest shift.
    pub fn of(self, descriptor: u64) -> u64 {
        let value = (descriptor & self.bits()) >> self.low_bit();
        match self {
            Field::Columns => value << 3,
            Field::Rows => value << 4,
            Field::MaxShift => MAX_SHIFTS[value as usize],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_where_the_manual_has_them() {
        // M = 64, N = 128, shifts up to 16.
        let descriptor = (64 >> 4) << 24 | (128 >> 3) << 17 | 2 << 30;
        assert_eq!(Field::Rows.of(descriptor), 64);
        assert_eq!(Field::Columns.of(descriptor), 128);
        assert_eq!(Field::MaxShift.of(descriptor), 16);
    }
}

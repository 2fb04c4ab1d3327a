//! Defines a 64-bit word of which some bits are known.

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A word of which some bits are known. Descriptors are assembled from fields, and the bits of one field can
/// be known while those of another are not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct KnownBits {
    known: u64,
    /// Zero where unknown.
    value: u64,
}

impl KnownBits {
    /// Nothing known.
    pub const UNKNOWN: KnownBits = KnownBits { known: 0, value: 0 };

    /// Makes a word of which all bits are known.
    pub fn constant(value: u64) -> Self {
        Self {
            known: u64::MAX,
            value,
        }
    }

    /// Makes a word of the bits of `value` at which `known` has ones.
    pub fn new(known: u64, value: u64) -> Self {
        Self {
            known,
            value: value & known,
        }
    }

    /// Returns the word, where every bit of it is known.
    pub fn as_constant(self) -> Option<u64> {
        self.bits(u64::MAX)
    }

    /// Returns the bits under `mask`, in place, where all of them are known.
    pub fn bits(self, mask: u64) -> Option<u64> {
        (self.known & mask == mask).then_some(self.value & mask)
    }

    /// Returns the bits that are certainly set.
    pub fn ones(self) -> u64 {
        self.value
    }

    /// Returns the bits that are certainly clear.
    pub fn zeros(self) -> u64 {
        self.known & !self.value
    }

    /// Returns whether nothing is known.
    pub fn is_unknown(self) -> bool {
        self.known == 0
    }

    /// Returns the bits that are known and equal in both words (the join).
    pub fn join(self, other: KnownBits) -> KnownBits {
        let agree = self.known & other.known & !(self.value ^ other.value);
        KnownBits::new(agree, self.value)
    }

    /// Returns the word shifted left.
    pub fn shifted_left(self, by: u32) -> KnownBits {
        match by {
            // The bits that are shifted in are known zeros.
            0..64 => KnownBits::new(self.known << by | low_ones(by), self.value << by),
            _ => KnownBits::constant(0),
        }
    }

    /// Returns the word shifted right, with zeros shifted in.
    pub fn shifted_right(self, by: u32) -> KnownBits {
        match by {
            0..64 => KnownBits::new(self.known >> by | !(u64::MAX >> by), self.value >> by),
            _ => KnownBits::constant(0),
        }
    }

    /// Returns the low `width` bits, the others zero.
    pub fn truncated(self, width: u32) -> KnownBits {
        self & KnownBits::constant(low_ones(width))
    }

    /// Returns the low `width` bits, the others copies of the highest of them.
    pub fn sign_extended(self, width: u32) -> KnownBits {
        let low = self.truncated(width);
        if width == 0 || width >= 64 {
            return low;
        }
        let high = !low_ones(width);
        match self.bits(1 << (width - 1)) {
            Some(0) => low,
            Some(_) => low | KnownBits::constant(high),
            // The copies of an unknown sign bit are unknown.
            None => KnownBits::new(low.known & !high, low.value),
        }
    }

    /// Returns the word with `length` bits from `position` on replaced by the low bits of `field`.
    pub fn with_field(self, field: KnownBits, position: u32, length: u32) -> KnownBits {
        let hole = KnownBits::constant(low_ones(length)).shifted_left(position);
        (self & !hole) | (field.shifted_left(position) & hole)
    }

    /// Returns `self + other` modulo 2^64; the bits below the lowest unknown bit of either operand are known.
    pub fn plus(self, other: KnownBits) -> KnownBits {
        // The carry out of an unknown bit can change every bit above it.
        let both = (self.known & other.known).trailing_ones();
        KnownBits::new(low_ones(both), self.value.wrapping_add(other.value))
    }

    /// Returns `self * other` modulo 2^64; the bits below the lowest unknown bit of either operand are known.
    pub fn times(self, other: KnownBits) -> KnownBits {
        // A bit of a product depends on no bit of the factors above its own position.
        let both = (self.known & other.known).trailing_ones();
        KnownBits::new(low_ones(both), self.value.wrapping_mul(other.value))
    }

    /// Minus `self`, modulo 2^64.
    pub fn negated(self) -> KnownBits {
        (!self).plus(KnownBits::constant(1))
    }
}

/// Returns the lowest `count` bits.
fn low_ones(count: u32) -> u64 {
    match count {
        0..64 => (1 << count) - 1,
        _ => u64::MAX,
    }
}

impl BitAnd for KnownBits {
    type Output = KnownBits;

    fn bitand(self, other: KnownBits) -> KnownBits {
        // A known zero in one operand determines the bit, even if the other is unknown.
        let ones = self.ones() & other.ones();
        KnownBits::new(ones | self.zeros() | other.zeros(), ones)
    }
}

impl BitOr for KnownBits {
    type Output = KnownBits;

    fn bitor(self, other: KnownBits) -> KnownBits {
        let ones = self.ones() | other.ones();
        KnownBits::new(ones | (self.zeros() & other.zeros()), ones)
    }
}

impl BitXor for KnownBits {
    type Output = KnownBits;

    fn bitxor(self, other: KnownBits) -> KnownBits {
        KnownBits::new(self.known & other.known, self.value ^ other.value)
    }
}

impl Not for KnownBits {
    type Output = KnownBits;

    fn not(self) -> KnownBits {
        KnownBits::new(self.known, !self.value)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A word, and what may be known of it.
    fn word() -> impl Strategy<Value = (u64, KnownBits)> {
        (any::<u64>(), any::<u64>())
            .prop_map(|(value, known)| (value, KnownBits::new(known, value)))
    }

    /// Returns whether a word agrees with the known bits.
    fn holds(known: KnownBits, word: u64) -> bool {
        known.ones() & !word == 0 && known.zeros() & word == 0
    }

    proptest! {
        #[test]
        fn what_is_known_is_true((a, ka) in word(), (b, kb) in word(), by in 0u32..70, length in 0u32..66) {
            prop_assert!(holds(ka & kb, a & b));
            prop_assert!(holds(ka | kb, a | b));
            prop_assert!(holds(ka ^ kb, a ^ b));
            prop_assert!(holds(!ka, !a));
            prop_assert!(holds(ka.plus(kb), a.wrapping_add(b)));
            prop_assert!(holds(ka.times(kb), a.wrapping_mul(b)));
            prop_assert!(holds(ka.negated(), a.wrapping_neg()));
            prop_assert!(holds(ka.shifted_left(by), a.checked_shl(by).unwrap_or(0)));
            prop_assert!(holds(ka.shifted_right(by), a.checked_shr(by).unwrap_or(0)));
            prop_assert!(holds(ka.truncated(length), a & low_ones(length)));
            prop_assert!(holds(ka.join(kb), a) && holds(ka.join(kb), b));
            let hole = low_ones(length).checked_shl(by).unwrap_or(0);
            let filled = a & !hole | b.checked_shl(by).unwrap_or(0) & hole;
            prop_assert!(holds(ka.with_field(kb, by, length), filled));
            if (1..64).contains(&length) {
                let shift = 64 - length;
                let extended = ((a << shift) as i64 >> shift) as u64;
                prop_assert!(holds(ka.sign_extended(length), extended));
            }
        }

        #[test]
        fn constants_stay_constants(a: u64, b: u64) {
            let [ka, kb] = [a, b].map(KnownBits::constant);
            prop_assert_eq!((ka & kb).as_constant(), Some(a & b));
            prop_assert_eq!((ka | kb).as_constant(), Some(a | b));
            prop_assert_eq!(ka.plus(kb).as_constant(), Some(a.wrapping_add(b)));
            prop_assert_eq!(ka.shifted_left(56).as_constant(), Some(a << 56));
            prop_assert_eq!(ka.join(ka).as_constant(), Some(a));
        }
    }
}

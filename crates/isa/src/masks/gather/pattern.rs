//! Defines the patterns that select elements.

/// One of the fixed patterns, numbered 1 to 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedPattern(u8);

impl FixedPattern {
    /// The numbers of the fixed patterns.
    pub const NUMBERS: std::ops::RangeInclusive<i64> = 1..=7;
    /// The number that keeps everything.
    pub const ALL: FixedPattern = FixedPattern(7);

    /// Returns the pattern with this number.
    pub fn new(number: i64) -> Option<Self> {
        Self::NUMBERS
            .contains(&number)
            .then_some(Self(number as u8))
    }

    /// Returns the number of the pattern.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Returns period and residue: elements with `k % period == residue` are kept.
    fn period(self) -> (u64, u64) {
        match self.0 {
            1 => (2, 0),
            2 => (2, 1),
            number @ 3..=6 => (4, u64::from(number) - 3),
            _ => (1, 0),
        }
    }

    /// Returns whether element `k` of a repeat is kept.
    pub fn keeps(self, k: u64) -> bool {
        let (period, residue) = self.period();
        k % period == residue
    }

    /// Returns the number of the first `n` elements of a repeat that are kept.
    pub fn count(self, n: u64) -> u64 {
        let (period, residue) = self.period();
        // The number of k below n with `k % period == residue`.
        (n + period - 1 - residue) / period
    }

    /// Returns the first sixteen bits as the manual prints them: element 0 at the right.
    pub fn bits(self) -> String {
        (0..16)
            .rev()
            .map(|k| if self.keeps(k) { '1' } else { '0' })
            .collect()
    }

    /// Returns the elements that the pattern keeps, in words.
    pub fn meaning(self) -> &'static str {
        match self.0 {
            1 => "elements with an even index",
            2 => "elements with an odd index",
            3 => "the first of every four elements",
            4 => "the second of every four elements",
            5 => "the third of every four elements",
            6 => "the fourth of every four elements",
            _ => "every element",
        }
    }
}

/// The pattern that selects elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern<'a> {
    /// A pattern by number, the same in every repeat.
    Fixed(FixedPattern),
    /// The bytes of a pattern tensor.
    Bits(&'a [u8]),
}

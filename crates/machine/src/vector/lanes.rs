//! Sets of lanes, and the vector mask.

use std::ops::Range;

/// Lanes of the vector mask; one repeat never has more.
pub const MASK_LANES: usize = 256;

const WORD: usize = 64;

/// A set of lanes of one repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LaneSet([u64; MASK_LANES / WORD]);

impl LaneSet {
    pub(super) const EMPTY: LaneSet = LaneSet([0; 4]);
    pub(super) const FULL: LaneSet = LaneSet([u64::MAX; 4]);

    /// Returns the lanes below `count`.
    pub(super) fn first(count: usize) -> Self {
        let mut set = LaneSet::EMPTY;
        for (index, word) in set.0.iter_mut().enumerate() {
            *word = low_bits(count.saturating_sub(index * WORD).min(WORD));
        }
        set
    }

    pub(super) fn contains(&self, lane: usize) -> bool {
        self.0[lane / WORD] >> (lane % WORD) & 1 == 1
    }

    pub(super) fn insert(&mut self, lane: usize) {
        self.0[lane / WORD] |= 1 << (lane % WORD);
    }

    pub(super) fn remove(&mut self, lane: usize) {
        self.0[lane / WORD] &= !(1 << (lane % WORD));
    }

    pub(super) fn merge(&mut self, other: LaneSet) {
        *self = self.zip(other, |a, b| a | b);
    }

    pub(super) fn and(self, other: LaneSet) -> Self {
        self.zip(other, |a, b| a & b)
    }

    pub(super) fn without(self, other: LaneSet) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    /// Returns up to 64 lanes from `start` on, the first in the lowest bit. They must lie between two
    /// multiples of 64.
    pub(super) fn window(&self, start: usize, lanes: usize) -> u64 {
        debug_assert!(start % WORD + lanes <= WORD);
        self.0[start / WORD] >> (start % WORD) & low_bits(lanes)
    }

    /// Adds the lanes `start + i` for every bit `i` of `bits`, between two multiples of 64.
    pub(super) fn add_window(&mut self, start: usize, bits: u64) {
        debug_assert!(bits.leading_zeros() as usize >= start % WORD);
        self.0[start / WORD] |= bits << (start % WORD);
    }

    /// Returns the maximal spans of lanes of the set in a range.
    pub(super) fn spans(self, lanes: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let mut from = lanes.start;
        std::iter::from_fn(move || {
            let start = self.seek(true, from, lanes.end);
            let end = self.seek(false, start, lanes.end);
            from = end;
            (start < end).then_some(start..end)
        })
    }

    /// Returns the first lane of the set in a range.
    pub(super) fn first_in(&self, lanes: Range<usize>) -> Option<usize> {
        let lane = self.seek(true, lanes.start, lanes.end);
        (lane < lanes.end).then_some(lane)
    }

    /// Returns the first lane from `from` on that is a member (or is none), or `end` if there is no such
    /// lane.
    fn seek(&self, member: bool, mut from: usize, end: usize) -> usize {
        while from < end {
            let word = if member {
                self.0[from / WORD]
            } else {
                !self.0[from / WORD]
            };
            let rest = word >> (from % WORD);
            if rest != 0 {
                return (from + rest.trailing_zeros() as usize).min(end);
            }
            from = (from / WORD + 1) * WORD;
        }
        end
    }

    /// Returns the lanes in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(index, &word)| {
            // Each step clears the lowest set bit.
            let rest = std::iter::successors(Some(word), |&word| Some(word & word.wrapping_sub(1)));
            rest.take_while(|&word| word != 0)
                .map(move |word| index * WORD + word.trailing_zeros() as usize)
        })
    }

    fn zip(self, other: LaneSet, combine: impl Fn(u64, u64) -> u64) -> Self {
        let mut set = self;
        for (word, &with) in set.0.iter_mut().zip(&other.0) {
            *word = combine(*word, with);
        }
        set
    }
}

/// Returns a word with its `count` lowest bits set.
pub(super) fn low_bits(count: usize) -> u64 {
    // A shift by all 64 bits would overflow.
    match count {
        0 => 0,
        _ => u64::MAX >> (WORD - count.min(WORD)),
    }
}

/// The vector mask of one vec lane: 256 slots, one per logical element of a repeat, all set at
/// first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorMask(LaneSet);

impl Default for VectorMask {
    fn default() -> Self {
        VectorMask(LaneSet::FULL)
    }
}

impl VectorMask {
    /// Sets the mask: bit i of `low` becomes slot i, bit i of `high` slot 64 + i; slots 128 to 255 keep their values.
    pub fn set_mask(&mut self, high: u64, low: u64) {
        self.0.0[0] = low;
        self.0.0[1] = high;
    }

    /// Sets every slot.
    pub fn reset_mask(&mut self) {
        self.0 = LaneSet::FULL;
    }

    /// Returns whether slot `lane` is set.
    pub fn is_set(&self, lane: usize) -> bool {
        self.0.contains(lane)
    }

    /// Returns the slots as words, the first in the lowest bit.
    pub fn words(&self) -> [u64; 4] {
        self.0.0
    }

    /// Returns the set slots among the first `lanes`.
    pub(super) fn prefix(&self, lanes: usize) -> LaneSet {
        self.0.and(LaneSet::first(lanes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_lanes_across_words() {
        let mut set = LaneSet::EMPTY;
        set.add_window(56, 0b1001_0000);
        set.insert(67);
        assert_eq!(set.iter().collect::<Vec<_>>(), [60, 63, 67]);
        assert_eq!(
            (set.window(56, 8), set.window(64, 8)),
            (0b1001_0000, 0b1000)
        );
        assert_eq!(
            set.spans(0..256).collect::<Vec<_>>(),
            [60..61, 63..64, 67..68]
        );
        assert_eq!(
            (set.first_in(61..67), set.first_in(61..68)),
            (Some(63), Some(63))
        );
        assert_eq!((set.first_in(64..67), set.first_in(68..256)), (None, None));
        assert_eq!(LaneSet::FULL.without(set).spans(50..256).count(), 4);
        assert_eq!(LaneSet::first(130).iter().count(), 130);
        assert_eq!(LaneSet::first(256), LaneSet::FULL);
    }
}

//! Models AscendC `GatherMask`: the source elements that an instruction keeps, and the extent that it reads.
//!
//! One repeat reads `n` elements in blocks of 32 bytes, each of `B` elements. Element `k` of repeat `r` is
//! `src0[(r * repeat_stride + k / B * block_stride) * B + k % B]`. A fixed pattern depends on `k` alone;
//! a tensor pattern uses bit `k`, least significant first, of the bits that start `r * pattern_stride` blocks
//! into the tensor. The kept elements of all repeats are written to the destination without gaps.
//!
//! Source: the AscendC reference.

mod pattern;

pub use pattern::{FixedPattern, Pattern};

/// Bytes in a block.
const BLOCK_BYTES: u64 = 32;
/// Bytes that one repeat covers in Normal mode.
const REPEAT_BYTES: u64 = 256;

/// The number of elements that an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Normal mode: 256 bytes in every repeat.
    Normal {
        /// Number of repeats.
        repeats: u64,
    },
    /// Counter mode, configuration one: the mask counts the elements of every repeat.
    PerRepeat {
        /// Number of repeats.
        repeats: u64,
        /// Elements of each repeat, as the mask counter gives them.
        count: u64,
    },
    /// Counter mode, configuration two: the mask counts all elements, `repeatTimes` is ignored.
    Total {
        /// Elements of all repeats.
        count: u64,
    },
}

/// One `GatherMask`, without its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gather {
    /// Bytes of an element: 1, 2 or 4.
    pub element_bytes: u64,
    /// The number of elements that it reads.
    pub extent: Extent,
    /// Blocks from one block of a repeat to the next.
    pub block_stride: u64,
    /// Blocks from one repeat to the next.
    pub repeat_stride: u64,
    /// Blocks from the pattern of one repeat to the pattern of the next.
    pub pattern_stride: u64,
}

/// A kept element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The repeat that keeps it.
    pub repeat: u64,
    /// The index of the element within its repeat.
    pub element: u64,
    /// The index of the element in the source tensor.
    pub index: u64,
}

impl Gather {
    /// Returns the number of elements in a block.
    pub fn block(&self) -> u64 {
        BLOCK_BYTES / self.element_bytes
    }

    /// Returns the number of elements of a repeat in Normal mode.
    pub fn full_repeat(&self) -> u64 {
        REPEAT_BYTES / self.element_bytes
    }

    /// Returns the number of repeats.
    pub fn repeats(&self) -> u64 {
        match self.extent {
            Extent::Normal { repeats } | Extent::PerRepeat { repeats, .. } => repeats,
            Extent::Total { count } => count.div_ceil(self.full_repeat()),
        }
    }

    /// Returns the number of elements that a repeat reads.
    pub fn length(&self, repeat: u64) -> u64 {
        match self.extent {
            Extent::Normal { .. } => self.full_repeat(),
            Extent::PerRepeat { count, .. } => count,
            Extent::Total { count } => {
                // The remaining elements, at most a full repeat. The inner `min` makes them 0 past the last
                // repeat.
                (count - (repeat * self.full_repeat()).min(count)).min(self.full_repeat())
            }
        }
    }

    /// Returns the number of elements that all repeats read.
    pub fn total(&self) -> u64 {
        match self.extent {
            Extent::Total { count } => count,
            // In the other modes all repeats have the same length.
            _ => self.repeats().saturating_mul(self.length(0)),
        }
    }

    /// Returns the index in the source of an element of a repeat.
    pub fn index(&self, repeat: u64, element: u64) -> u64 {
        let block = self.block();
        (repeat * self.repeat_stride + element / block * self.block_stride) * block
            + element % block
    }

    /// Returns the extent of the source that is read: the index of the last element read plus one.
    pub fn source_extent(&self) -> u64 {
        // Earlier repeats are as long as the second last and start no later, so they end no later. The last
        // one may be shorter.
        let last = self.repeats().saturating_sub(1);
        let before = last.saturating_sub(1);
        [before, last]
            .into_iter()
            // Without repeats, `before` and `last` are both 0 although there is no repeat 0.
            .filter(|_| self.repeats() > 0)
            .map(|repeat| self.repeat_end(repeat))
            .max()
            .unwrap_or(0)
    }

    fn repeat_end(&self, repeat: u64) -> u64 {
        let length = self.length(repeat);
        if length == 0 {
            return 0;
        }
        let start = self.index(repeat, 0);
        let whole = match length / self.block() {
            0 => 0,
            // With block stride 0 the last, partial block overlaps the whole blocks, so that a whole block
            // ends later.
            blocks => self.index(repeat, blocks * self.block() - 1) + 1,
        };
        start.max(whole).max(self.index(repeat, length - 1) + 1)
    }

    /// Returns the bytes of a pattern tensor up to the last one that is read.
    pub fn pattern_extent(&self) -> u64 {
        let repeats = self.repeats();
        let end = |repeat: u64| match self.length(repeat) {
            0 => 0,
            length => repeat * self.pattern_stride * BLOCK_BYTES + length.div_ceil(8),
        };
        match repeats {
            0 => 0,
            // The last repeat may be shorter than the one before it, and end earlier.
            _ => end(repeats - 1).max(end(repeats.saturating_sub(2))),
        }
    }

    /// Returns whether an element of a repeat is kept; `None` past the end of a pattern tensor.
    pub fn keeps(&self, pattern: Pattern, repeat: u64, element: u64) -> Option<bool> {
        match pattern {
            Pattern::Fixed(fixed) => Some(fixed.keeps(element)),
            Pattern::Bits(bytes) => {
                let at = repeat * self.pattern_stride * BLOCK_BYTES + element / 8;
                let byte = bytes.get(usize::try_from(at).ok()?)?;
                Some(byte >> (element % 8) & 1 == 1)
            }
        }
    }

    /// Returns the kept elements in the order of the destination. Elements past the end of a pattern tensor
    /// are not kept.
    pub fn kept<'a>(&'a self, pattern: Pattern<'a>) -> impl Iterator<Item = Kept> + 'a {
        (0..self.repeats()).flat_map(move |repeat| self.kept_in(pattern, repeat))
    }

    /// Returns the kept elements of one repeat.
    pub fn kept_in<'a>(
        &'a self,
        pattern: Pattern<'a>,
        repeat: u64,
    ) -> impl Iterator<Item = Kept> + 'a {
        (0..self.examined(pattern, repeat))
            .filter(move |&element| self.keeps(pattern, repeat, element) == Some(true))
            .map(move |element| Kept {
                repeat,
                element,
                index: self.index(repeat, element),
            })
    }

    /// Returns the number of elements of a repeat that a pattern has bits for.
    fn examined(&self, pattern: Pattern, repeat: u64) -> u64 {
        let length = self.length(repeat);
        let Pattern::Bits(bytes) = pattern else {
            return length;
        };
        let start = repeat * self.pattern_stride * BLOCK_BYTES;
        // Without this bound, a count of 2^32 elements would be walked for a pattern of a few bytes.
        length.min(8 * (bytes.len() as u64).saturating_sub(start))
    }

    /// Returns the number of elements that a repeat keeps.
    pub fn count_in(&self, pattern: Pattern, repeat: u64) -> u64 {
        match pattern {
            Pattern::Fixed(fixed) => fixed.count(self.length(repeat)),
            Pattern::Bits(_) => self.kept_in(pattern, repeat).count() as u64,
        }
    }

    /// Returns the last element that a repeat keeps.
    pub fn last_in(&self, pattern: Pattern, repeat: u64) -> Option<Kept> {
        let mut elements = (0..self.examined(pattern, repeat)).rev();
        let element =
            elements.find(|&element| self.keeps(pattern, repeat, element) == Some(true))?;
        Some(Kept {
            repeat,
            element,
            index: self.index(repeat, element),
        })
    }

    /// Returns the number of elements that are kept (`rsvdCnt`).
    pub fn count(&self, pattern: Pattern) -> u64 {
        let Pattern::Fixed(fixed) = pattern else {
            return self.kept(pattern).count() as u64;
        };
        match self.extent {
            // The length of a full repeat is a multiple of the period of every pattern, so that the repeats
            // can be counted as one sequence.
            Extent::Total { count } => fixed.count(count),
            _ => self.repeats().saturating_mul(fixed.count(self.length(0))),
        }
    }

    /// Returns whether a repeat reads elements that the one before it has read.
    pub fn rereads(&self) -> bool {
        let repeats = self.repeats();
        // Repeats are evenly spaced, so that the first two are representative.
        repeats > 1 && self.length(0) > 0 && self.index(1, 0) < self.repeat_end(0)
    }
}

#[cfg(test)]
mod tests;

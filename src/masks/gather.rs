//! AscendC `GatherMask`: which source elements an instruction keeps, and how far it reads.
//!
//! One repeat looks at `n` elements that lie in blocks of 32 bytes: element `k` of repeat `r` is
//! `src0[(r * repeat_stride + k / B * block_stride) * B + k % B]` with `B` elements in a block. A
//! fixed pattern looks at `k` alone; a tensor pattern takes bit `k`, least significant first, of the
//! bits that start `r * pattern_stride` blocks into the tensor. What is kept goes to the
//! destination without gaps, over all repeats.
//!
//! Sources: the seed on GatherMask and the AscendC reference.

/// Bytes in a block.
const BLOCK_BYTES: u64 = 32;
/// Bytes that one repeat covers in Normal mode.
const REPEAT_BYTES: u64 = 256;

/// One of the patterns 1 to 7 that the instruction knows by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedPattern(u8);

impl FixedPattern {
    /// The numbers there are.
    pub const NUMBERS: std::ops::RangeInclusive<i64> = 1..=7;
    /// The number that keeps everything.
    pub const ALL: FixedPattern = FixedPattern(7);

    /// The pattern with this number.
    pub fn new(number: i64) -> Option<Self> {
        Self::NUMBERS
            .contains(&number)
            .then_some(Self(number as u8))
    }

    /// Its number.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Period and residue: elements with `k % period == residue` are kept.
    fn period(self) -> (u64, u64) {
        match self.0 {
            1 => (2, 0),
            2 => (2, 1),
            number @ 3..=6 => (4, u64::from(number) - 3),
            _ => (1, 0),
        }
    }

    /// Whether element `k` of a repeat is kept.
    pub fn keeps(self, k: u64) -> bool {
        let (period, residue) = self.period();
        k % period == residue
    }

    /// How many of the first `n` elements of a repeat are kept.
    pub fn count(self, n: u64) -> u64 {
        let (period, residue) = self.period();
        (n + period - 1 - residue) / period
    }

    /// The first sixteen bits as the manual prints them: element 0 at the right.
    pub fn bits(self) -> String {
        (0..16)
            .rev()
            .map(|k| if self.keeps(k) { '1' } else { '0' })
            .collect()
    }

    /// What it keeps, in words.
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

/// What decides about an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern<'a> {
    /// A pattern by number, the same in every repeat.
    Fixed(FixedPattern),
    /// The bytes of a pattern tensor.
    Bits(&'a [u8]),
}

/// How many elements an instruction looks at.
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
        /// Elements of each.
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
    /// How much it looks at.
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
    /// Its number within the repeat.
    pub element: u64,
    /// Its index in the source tensor.
    pub index: u64,
}

impl Gather {
    /// Elements in a block.
    pub fn block(&self) -> u64 {
        BLOCK_BYTES / self.element_bytes
    }

    /// Elements of a repeat in Normal mode.
    pub fn full_repeat(&self) -> u64 {
        REPEAT_BYTES / self.element_bytes
    }

    /// Number of repeats.
    pub fn repeats(&self) -> u64 {
        match self.extent {
            Extent::Normal { repeats } | Extent::PerRepeat { repeats, .. } => repeats,
            Extent::Total { count } => count.div_ceil(self.full_repeat()),
        }
    }

    /// Elements that a repeat looks at.
    pub fn length(&self, repeat: u64) -> u64 {
        match self.extent {
            Extent::Normal { .. } => self.full_repeat(),
            Extent::PerRepeat { count, .. } => count,
            Extent::Total { count } => {
                (count - (repeat * self.full_repeat()).min(count)).min(self.full_repeat())
            }
        }
    }

    /// Elements that all repeats look at.
    pub fn total(&self) -> u64 {
        match self.extent {
            Extent::Total { count } => count,
            _ => self.repeats().saturating_mul(self.length(0)),
        }
    }

    /// Index in the source of an element of a repeat.
    pub fn index(&self, repeat: u64, element: u64) -> u64 {
        let block = self.block();
        (repeat * self.repeat_stride + element / block * self.block_stride) * block
            + element % block
    }

    /// Elements of the source up to the last one that is read.
    pub fn source_extent(&self) -> u64 {
        // Only the last repeat can be shorter, and it starts last.
        let last = self.repeats().saturating_sub(1);
        let before = last.saturating_sub(1);
        [before, last]
            .into_iter()
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
            // The last whole block, in case the rest lies under it (block stride 0).
            blocks => self.index(repeat, blocks * self.block() - 1) + 1,
        };
        start.max(whole).max(self.index(repeat, length - 1) + 1)
    }

    /// Bytes of a pattern tensor up to the last one that is read.
    pub fn pattern_extent(&self) -> u64 {
        let repeats = self.repeats();
        let end = |repeat: u64| match self.length(repeat) {
            0 => 0,
            length => repeat * self.pattern_stride * BLOCK_BYTES + length.div_ceil(8),
        };
        match repeats {
            0 => 0,
            _ => end(repeats - 1).max(end(repeats.saturating_sub(2))),
        }
    }

    /// Whether an element of a repeat is kept; `None` past the end of a pattern tensor.
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

    /// Kept elements in the order in which they reach the destination. Bits past the end of a
    /// pattern tensor keep nothing.
    pub fn kept<'a>(&'a self, pattern: Pattern<'a>) -> impl Iterator<Item = Kept> + 'a {
        (0..self.repeats()).flat_map(move |repeat| self.kept_in(pattern, repeat))
    }

    /// As `kept`, of one repeat.
    pub fn kept_in<'a>(
        &'a self,
        pattern: Pattern<'a>,
        repeat: u64,
    ) -> impl Iterator<Item = Kept> + 'a {
        (0..self.looked_at(pattern, repeat))
            .filter(move |&element| self.keeps(pattern, repeat, element) == Some(true))
            .map(move |element| Kept {
                repeat,
                element,
                index: self.index(repeat, element),
            })
    }

    /// Elements of a repeat that a pattern has bits for.
    fn looked_at(&self, pattern: Pattern, repeat: u64) -> u64 {
        let length = self.length(repeat);
        let Pattern::Bits(bytes) = pattern else {
            return length;
        };
        let start = repeat * self.pattern_stride * BLOCK_BYTES;
        length.min(8 * (bytes.len() as u64).saturating_sub(start))
    }

    /// How many elements a repeat keeps.
    pub fn count_in(&self, pattern: Pattern, repeat: u64) -> u64 {
        match pattern {
            Pattern::Fixed(fixed) => fixed.count(self.length(repeat)),
            Pattern::Bits(_) => self.kept_in(pattern, repeat).count() as u64,
        }
    }

    /// The last element that a repeat keeps.
    pub fn last_in(&self, pattern: Pattern, repeat: u64) -> Option<Kept> {
        let mut elements = (0..self.looked_at(pattern, repeat)).rev();
        let element =
            elements.find(|&element| self.keeps(pattern, repeat, element) == Some(true))?;
        Some(Kept {
            repeat,
            element,
            index: self.index(repeat, element),
        })
    }

    /// `rsvdCnt`: how many elements are kept.
    pub fn count(&self, pattern: Pattern) -> u64 {
        let Pattern::Fixed(fixed) = pattern else {
            return self.kept(pattern).count() as u64;
        };
        match self.extent {
            // A full repeat is a multiple of every period.
            Extent::Total { count } => fixed.count(count),
            _ => self.repeats().saturating_mul(fixed.count(self.length(0))),
        }
    }

    /// Whether a later repeat reads an element that an earlier one has read already.
    pub fn rereads(&self) -> bool {
        let repeats = self.repeats();
        repeats > 1 && self.length(0) > 0 && self.index(1, 0) < self.repeat_end(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source values are 1, 2, 3, …
    fn values(gather: &Gather, pattern: Pattern) -> Vec<u64> {
        gather.kept(pattern).map(|kept| kept.index + 1).collect()
    }

    fn bytes(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn fixed(number: i64) -> Pattern<'static> {
        Pattern::Fixed(FixedPattern::new(number).unwrap())
    }

    /// `{src0BlockStride, repeatTimes, src0RepeatStride, src1RepeatStride}` as in the reference.
    fn normal(element_bytes: u64, params: [u64; 4]) -> Gather {
        let [block_stride, repeats, repeat_stride, pattern_stride] = params;
        Gather {
            element_bytes,
            extent: Extent::Normal { repeats },
            block_stride,
            repeat_stride,
            pattern_stride,
        }
    }

    fn counter(count: u64, params: [u64; 4]) -> Gather {
        Gather {
            extent: Extent::PerRepeat {
                repeats: params[1],
                count,
            },
            ..normal(4, params)
        }
    }

    fn total(count: u64, params: [u64; 4]) -> Gather {
        Gather {
            extent: Extent::Total { count },
            ..normal(4, params)
        }
    }

    #[test]
    fn example_1_odd_halves() {
        let gather = normal(2, [1, 1, 0, 0]);
        let expected: Vec<u64> = (2..=128).step_by(2).collect();
        assert_eq!(values(&gather, fixed(2)), expected);
        assert_eq!(gather.count(fixed(2)), 64);
        assert_eq!(gather.source_extent(), 128);
    }

    #[test]
    fn example_2_counter_in_both_configurations() {
        let words = bytes(&[0xAAAA_AAAA; 32]);
        let pattern = Pattern::Bits(&words);
        let one = counter(70, [1, 2, 4, 0]);
        let expected: Vec<u64> = (2..=70).step_by(2).chain((34..=102).step_by(2)).collect();
        assert_eq!(values(&one, pattern), expected);
        assert_eq!(one.count(pattern), 70);
        assert_eq!(one.source_extent(), 102);
        let two = total(70, [1, 2, 4, 0]);
        let expected: Vec<u64> = (2..=64).step_by(2).chain([34, 36, 38]).collect();
        assert_eq!(values(&two, pattern), expected);
        assert_eq!(two.count(pattern), 35);
        assert_eq!(two.repeats(), 2);
    }

    #[test]
    fn example_3_four_repeats() {
        let gather = normal(4, [1, 4, 8, 0]);
        let expected: Vec<u64> = (2..=256).step_by(2).collect();
        assert_eq!(values(&gather, fixed(2)), expected);
        assert_eq!(gather.source_extent(), 256);
        assert!(!gather.rereads());
    }

    #[test]
    fn example_4_repeat_stride_one_reads_again() {
        let gather = normal(4, [1, 2, 1, 0]);
        let expected: Vec<u64> = (1..=61).step_by(4).chain((9..=69).step_by(4)).collect();
        let kept = values(&gather, fixed(3));
        assert_eq!(kept, expected);
        let again = kept[16..].iter().filter(|value| kept[..16].contains(value));
        assert_eq!(again.count(), 14);
        assert!(gather.rereads());
    }

    #[test]
    fn example_5_one_element_of_every_block() {
        let gather = counter(1, [1, 8, 1, 0]);
        assert_eq!(values(&gather, fixed(3)), [1, 9, 17, 25, 33, 41, 49, 57]);
        assert!(!gather.rereads());
        // Configuration two looks at one element in all.
        assert_eq!(values(&total(1, [1, 8, 1, 0]), fixed(3)), [1]);
    }

    #[test]
    fn example_6_tensor_pattern() {
        let words = bytes(&[0x9999_9999; 8]);
        let gather = counter(70, [1, 2, 4, 0]);
        let kept = values(&gather, Pattern::Bits(&words));
        assert_eq!(kept[..4], [1, 4, 5, 8]);
        assert_eq!(kept[34], 69);
        assert_eq!(kept[35..39], [33, 36, 37, 40]);
        assert_eq!(kept.len(), 70);
    }

    #[test]
    fn example_7_pattern_of_each_repeat() {
        let mut words = vec![0; 16];
        (words[0], words[8]) = (0xF, 0x8000_0001);
        let words = bytes(&words);
        let gather = normal(4, [1, 2, 8, 1]);
        let kept = values(&gather, Pattern::Bits(&words));
        assert_eq!(kept, [1, 2, 3, 4, 65, 96]);
        assert_eq!(gather.pattern_extent(), 40);
    }

    #[test]
    fn example_8_block_stride_two() {
        let gather = normal(2, [2, 1, 0, 0]);
        let kept = values(&gather, fixed(5));
        assert_eq!(kept[..6], [3, 7, 11, 15, 35, 39]);
        assert_eq!((kept.len(), gather.source_extent()), (32, 240));
    }

    #[test]
    fn the_seven_patterns_for_both_widths() {
        let bits = [
            "0101010101010101",
            "1010101010101010",
            "0001000100010001",
            "0010001000100010",
            "0100010001000100",
            "1000100010001000",
            "1111111111111111",
        ];
        for (number, bits) in (1..).zip(bits) {
            let pattern = FixedPattern::new(number).unwrap();
            assert_eq!(pattern.bits(), bits);
            for element_bytes in [2, 4] {
                let gather = normal(element_bytes, [1, 2, 8, 0]);
                let lanes = 256 / element_bytes;
                let expected: Vec<u64> = (0..2 * lanes)
                    .filter(|index| bits.as_bytes()[15 - (index % lanes % 16) as usize] == b'1')
                    .map(|index| index + 1)
                    .collect();
                assert_eq!(values(&gather, Pattern::Fixed(pattern)), expected);
                let count = gather.count(Pattern::Fixed(pattern));
                assert_eq!(count, expected.len() as u64);
            }
        }
        assert_eq!((FixedPattern::new(0), FixedPattern::new(8)), (None, None));
    }

    #[test]
    fn closed_forms_agree_with_counting() {
        for element_bytes in [1, 2, 4] {
            for count in [0, 1, 7, 8, 63, 64, 65, 129, 300] {
                for params in [
                    [1, 3, 8, 8],
                    [0, 2, 8, 0],
                    [2, 1, 0, 1],
                    [1, 0, 8, 8],
                    [3, 4, 1, 2],
                ] {
                    let base = normal(element_bytes, params);
                    for extent in [
                        base.extent,
                        Extent::PerRepeat {
                            repeats: params[1],
                            count,
                        },
                        Extent::Total { count },
                    ] {
                        let gather = Gather { extent, ..base };
                        let read: Vec<u64> = values(&gather, fixed(7));
                        assert_eq!(
                            gather.source_extent(),
                            read.iter().max().copied().unwrap_or(0)
                        );
                        assert_eq!(gather.total(), read.len() as u64);
                        for number in FixedPattern::NUMBERS {
                            let kept = values(&gather, fixed(number));
                            assert_eq!(gather.count(fixed(number)), kept.len() as u64);
                        }
                    }
                }
            }
        }
    }
}

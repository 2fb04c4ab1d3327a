//! Which bits of a memory hold values: one flag per byte, refined to bits where a byte is mixed.

use std::collections::BTreeMap;
use std::ops::Range;

const WORD: usize = 64;

/// The definedness shadow of a memory.
///
/// A byte is defined, undefined, or *partly* defined. The last state arises where a packed result
/// (a comparison mask, a pair of 4-bit integers) mixes defined and undefined lanes in one byte.
/// Such a byte carries a clear flag in `words`, so everything that works on bytes sees it as
/// undefined, and its defined bits stand in `partial`. The map is almost always empty and never
/// holds more than the tails of packed rows, so exactness costs one emptiness test per update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Definedness {
    /// Bit `i % 64` of word `i / 64`: byte `i` is wholly defined.
    words: Vec<u64>,
    /// Bytes with some, but not all, bits defined. Their flag in `words` is clear.
    partial: BTreeMap<usize, u8>,
}

impl Definedness {
    pub(super) fn new(bytes: usize, defined: bool) -> Self {
        let mut shadow = Definedness {
            // One word at least, so that empty ranges have one to look at.
            words: vec![0; bytes.div_ceil(WORD).max(1)],
            partial: BTreeMap::new(),
        };
        shadow.set(0..bytes, defined);
        shadow
    }

    pub(super) fn all(&self, range: Range<usize>) -> bool {
        let cover = Cover::of(range);
        // Several words a step: looking at each one apart is what most of a short instruction takes.
        let whole = |words: &[u64]| words.iter().fold(u64::MAX, |all, word| all & word) == u64::MAX;
        let edge = |&(word, mask): &(usize, u64)| self.words[word] & mask == mask;
        cover.edges.iter().all(edge) && self.words[cover.whole].chunks(16).all(whole)
    }

    pub(super) fn any(&self, range: Range<usize>) -> bool {
        let cover = Cover::of(range.clone());
        let edge = |&(word, mask): &(usize, u64)| self.words[word] & mask != 0;
        cover.edges.iter().any(edge)
            || self.words[cover.whole].iter().any(|&word| word != 0)
            || (!self.partial.is_empty() && self.partial.range(range).next().is_some())
    }

    pub(super) fn count(&self, range: Range<usize>) -> usize {
        let cover = Cover::of(range);
        let edges = cover
            .edges
            .iter()
            .map(|&(word, mask)| self.words[word] & mask);
        let whole = self.words[cover.whole].iter().copied();
        edges
            .chain(whole)
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    pub(super) fn set(&mut self, range: Range<usize>, defined: bool) {
        let cover = Cover::of(range.clone());
        for (word, mask) in cover.edges {
            if defined {
                self.words[word] |= mask;
            } else {
                self.words[word] &= !mask;
            }
        }
        self.words[cover.whole].fill(if defined { u64::MAX } else { 0 });
        self.forget_partial(range);
    }

    /// The defined bits of one byte.
    pub(super) fn bits(&self, byte: usize) -> u8 {
        if self.words[byte / WORD] >> (byte % WORD) & 1 == 1 {
            return u8::MAX;
        }
        self.partial.get(&byte).copied().unwrap_or(0)
    }

    pub(super) fn set_bits(&mut self, byte: usize, bits: u8) {
        self.set(byte..byte + 1, bits == u8::MAX);
        if bits != 0 && bits != u8::MAX {
            self.partial.insert(byte, bits);
        }
    }

    /// Flags of up to 64 bytes from `start`, the first in the lowest bit; clear past the end.
    pub(super) fn window(&self, start: usize) -> u64 {
        let (word, shift) = (start / WORD, start % WORD);
        let at = |word: usize| self.words.get(word).copied().unwrap_or(0);
        match shift {
            0 => at(word),
            _ => at(word) >> shift | at(word + 1) << (WORD - shift),
        }
    }

    /// Gives the bytes `start + i` with bit `i` of `select` the flag in bit `i` of `value`.
    pub(super) fn assign(&mut self, start: usize, select: u64, value: u64) {
        let (word, shift) = (start / WORD, start % WORD);
        let value = value & select;
        let mut blend = |word: usize, select: u64, value: u64| {
            if select != 0 {
                self.words[word] = self.words[word] & !select | value;
            }
        };
        blend(word, select << shift, value << shift);
        if shift != 0 {
            blend(word + 1, select >> (WORD - shift), value >> (WORD - shift));
        }
        self.forget_partial_where(start..start + WORD, |byte| {
            select >> (byte - start) & 1 == 1
        });
    }

    /// Copies the flags of `range` in `source` to the bytes from `start`.
    pub(super) fn copy_from(&mut self, start: usize, source: &Definedness, range: Range<usize>) {
        self.forget_partial(start..start + range.len());
        let mut done = 0;
        while done < range.len() {
            let count = (range.len() - done).min(WORD);
            let value = source.window(range.start + done);
            self.assign(start + done, u64::MAX >> (WORD - count), value);
            done += count;
        }
        for (&byte, &bits) in source.partial.range(range.clone()) {
            self.partial.insert(start + (byte - range.start), bits);
        }
    }

    /// Copies the flags of `range` to the bytes from `start`; the two may overlap.
    pub(super) fn copy_within(&mut self, range: Range<usize>, start: usize) {
        let mut moved = Definedness::new(range.len(), false);
        moved.copy_from(0, self, range.clone());
        self.copy_from(start, &moved, 0..range.len());
    }

    fn forget_partial(&mut self, range: Range<usize>) {
        self.forget_partial_where(range, |_| true);
    }

    fn forget_partial_where(&mut self, range: Range<usize>, whether: impl Fn(usize) -> bool) {
        if self.partial.is_empty() || range.is_empty() {
            return;
        }
        let mixed = self.partial.range(range).map(|(&byte, _)| byte);
        let stale: Vec<usize> = mixed.filter(|&byte| whether(byte)).collect();
        for byte in stale {
            self.partial.remove(&byte);
        }
    }
}

/// The words of a range of bytes.
struct Cover {
    /// The first and the last word, with the bits the range covers of them; no bits where the
    /// range has no such word.
    edges: [(usize, u64); 2],
    /// The words between them.
    whole: Range<usize>,
}

impl Cover {
    fn of(range: Range<usize>) -> Self {
        if range.is_empty() {
            return Cover {
                edges: [(0, 0); 2],
                whole: 0..0,
            };
        }
        let (first, last) = (range.start / WORD, (range.end - 1) / WORD);
        let from_start = u64::MAX << (range.start % WORD);
        let to_end = u64::MAX >> (WORD - 1 - (range.end - 1) % WORD);
        if first == last {
            return Cover {
                edges: [(first, from_start & to_end), (first, 0)],
                whole: 0..0,
            };
        }
        Cover {
            edges: [(first, from_start), (last, to_end)],
            whole: first + 1..last,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cross_words() {
        let mut shadow = Definedness::new(200, false);
        shadow.set(60..131, true);
        assert!(shadow.all(60..131) && !shadow.all(59..131) && !shadow.any(131..200));
        assert_eq!(shadow.count(0..200), 71);
        assert_eq!(shadow.window(100), (1 << 31) - 1);
        shadow.set(64..128, false);
        assert_eq!(shadow.count(0..200), 7);
        assert!(shadow.all(10..10) && !shadow.any(70..70));
        let mut nothing = Definedness::new(0, true);
        nothing.set(0..0, true);
        assert!(nothing.all(0..0) && !nothing.any(0..0) && nothing.window(0) == 0);
    }

    #[test]
    fn partly_defined_bytes_look_undefined_to_bytes_and_exact_to_bits() {
        let mut shadow = Definedness::new(100, true);
        shadow.set_bits(7, 0b0101);
        assert!(!shadow.all(7..8) && shadow.any(7..8));
        assert_eq!(
            (shadow.bits(6), shadow.bits(7), shadow.count(0..100)),
            (255, 5, 99)
        );
        shadow.copy_within(4..12, 50);
        assert_eq!((shadow.bits(53), shadow.bits(54)), (5, 255));
        shadow.assign(0, 1 << 7, 0);
        assert_eq!((shadow.bits(7), shadow.bits(53)), (0, 5));
        shadow.set(53..54, true);
        assert!(shadow.all(50..58));
    }

    #[test]
    fn windows_and_assignments_straddle_words() {
        let mut shadow = Definedness::new(192, false);
        shadow.assign(61, 0b11011, 0b10001);
        assert_eq!(shadow.window(61), 0b10001);
        assert!(shadow.all(65..66) && !shadow.any(62..65));
        shadow.assign(61, 0b1, 0);
        assert_eq!(shadow.count(0..192), 1);
    }
}

//! The definedness shadow of a memory: one flag per byte, refined to bits where a byte is mixed.

use std::collections::BTreeMap;
use std::ops::Range;

/// Number of bytes whose flags fill a word.
const WORD: usize = 64;
/// Number of words of a page.
const PAGE: usize = 64;

/// The definedness shadow of a memory.
///
/// A byte is defined, undefined, or *partly* defined. The last state arises where a packed result
/// (a comparison mask, a pair of 4-bit integers) mixes defined and undefined lanes in one byte.
/// Such a byte has a clear flag in `words`, so all that works on bytes sees it as undefined, and its defined
/// bits are in `partial`. The map is almost always empty and never holds more than the tails of packed rows,
/// so exactness costs one emptiness test per update.
///
/// Whole tiles are written and read again and again, so pages that are known to be fully defined are marked;
/// their words are then neither read nor written.
#[derive(Clone, Debug)]
pub struct Definedness {
    /// Bit `i % 64` of word `i / 64`: byte `i` is wholly defined.
    words: Vec<u64>,
    /// Pages whose words are known to be all ones; `false` tells nothing.
    full: Vec<bool>,
    /// Bytes with some, but not all, bits defined. Their flag in `words` is clear.
    partial: BTreeMap<usize, u8>,
}

/// Compares flags and partly defined bytes; the marks of pages are only a cache.
impl PartialEq for Definedness {
    fn eq(&self, other: &Self) -> bool {
        (&self.words, &self.partial) == (&other.words, &other.partial)
    }
}

impl Eq for Definedness {}

impl Definedness {
    pub(super) fn new(bytes: usize, defined: bool) -> Self {
        // At least one word, so that the edges of an empty range have one to refer to.
        let words = bytes.div_ceil(WORD).max(1);
        let mut shadow = Definedness {
            words: vec![0; words],
            full: vec![false; words.div_ceil(PAGE)],
            partial: BTreeMap::new(),
        };
        // Fresh words are zero; writing them would make the system allocate all pages of a large memory.
        if defined {
            shadow.set(0..bytes, true);
        }
        shadow
    }

    /// Returns how many of the first `elements` elements, of `bits` bits each, are not wholly defined.
    pub fn undefined_elements(&self, elements: usize, bits: usize) -> usize {
        let bytes = (elements * bits).div_ceil(8);
        if self.all(0..bytes) {
            return 0;
        }
        let range = |index: usize| index * bits / 8..((index + 1) * bits).div_ceil(8);
        (0..elements)
            .filter(|&index| !self.all(range(index)))
            .count()
    }

    pub(super) fn all(&self, range: Range<usize>) -> bool {
        let cover = Cover::of(range);
        let edge = |&(word, mask): &(usize, u64)| self.words[word] & mask == mask;
        // One test for a page of words: a branch for each word would take most of the time of a short
        // instruction.
        let conjunction = |words: &[u64]| words.iter().fold(u64::MAX, |all, word| all & word);
        let whole =
            |part: Part| self.full[part.page] || conjunction(&self.words[part.words]) == u64::MAX;
        cover.edges.iter().all(edge) && parts(cover.whole).all(whole)
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
            // An empty edge refers to word 0, whose page has to keep its mark.
            } else if mask != 0 {
                self.words[word] &= !mask;
                self.full[word / PAGE] = false;
            }
        }
        for Part { page, words } in parts(cover.whole) {
            let is_whole = words.len() == PAGE;
            if defined && !self.full[page] {
                self.words[words].fill(u64::MAX);
                // A part of a page says nothing about the rest of it.
                self.full[page] = is_whole;
            } else if !defined {
                self.words[words].fill(0);
                self.full[page] = false;
            }
        }
        self.forget_partial(range);
    }

    /// Returns the defined bits of one byte.
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

    /// Returns the first byte of a range that is defined in all its bits or, with `defined` false, the first
    /// that is not.
    pub(super) fn first(&self, range: Range<usize>, defined: bool) -> Option<usize> {
        let sought = |start: usize| match defined {
            true => self.window(start),
            false => !self.window(start),
        };
        let mut starts = range.clone().step_by(WORD);
        let found = starts.find_map(|start| {
            let flags = sought(start);
            (flags != 0).then(|| start + flags.trailing_zeros() as usize)
        });
        found.filter(|byte| range.contains(byte))
    }

    /// Returns the flags of 64 bytes from `start`, the first in the lowest bit; 0 past the end.
    pub(super) fn window(&self, start: usize) -> u64 {
        let (word, shift) = (start / WORD, start % WORD);
        let at = |word: usize| self.words.get(word).copied().unwrap_or(0);
        match shift {
            0 => at(word),
            _ => at(word) >> shift | at(word + 1) << (WORD - shift),
        }
    }

    /// Sets the flag of each byte `start + i` whose bit `i` is set in `select` to bit `i` of `value`.
    pub(super) fn assign(&mut self, start: usize, select: u64, value: u64) {
        let (word, shift) = (start / WORD, start % WORD);
        let value = value & select;
        let mut blend = |word: usize, select: u64, value: u64| {
            if select != 0 {
                self.words[word] = self.words[word] & !select | value;
                self.full[word / PAGE] &= select == value;
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
        if source.all(range.clone()) {
            return self.set(start..start + range.len(), true);
        }
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
        // Through a copy, since source and destination may overlap.
        let mut moved = Definedness::new(range.len(), false);
        moved.copy_from(0, self, range.clone());
        self.copy_from(start, &moved, 0..range.len());
    }

    /// Returns the flags of one page.
    pub(super) fn page(&self, page: usize) -> &[u64] {
        &self.words[self.words_of(page)]
    }

    /// Replaces the flags of a page; partly defined bytes stay as they are.
    pub(super) fn restore_page(&mut self, page: usize, flags: &[u64]) {
        let words = self.words_of(page);
        self.words[words].copy_from_slice(flags);
        self.full[page] = flags.len() == PAGE && flags.iter().all(|&word| word == u64::MAX);
    }

    fn words_of(&self, page: usize) -> Range<usize> {
        page * PAGE..((page + 1) * PAGE).min(self.words.len())
    }

    /// Returns the partly defined bytes, with their defined bits.
    pub(super) fn partial(&self) -> &BTreeMap<usize, u8> {
        &self.partial
    }

    /// Replaces the partly defined bytes; their flags have to be clear.
    pub(super) fn set_partial(&mut self, partial: BTreeMap<usize, u8>) {
        self.partial = partial;
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

/// The words that a range of bytes covers.
struct Cover {
    /// Words that the range covers in part, with the bits that it covers; without bits if there is no such
    /// word.
    edges: [(usize, u64); 2],
    /// Words that it covers as a whole.
    whole: Range<usize>,
}

impl Cover {
    fn of(range: Range<usize>) -> Self {
        const NONE: (usize, u64) = (0, 0);
        let (start, end) = (range.start, range.end.max(range.start));
        let from_start = u64::MAX << (start % WORD);
        let to_end = !(u64::MAX << (end % WORD));
        let (first, last) = (start / WORD, end / WORD);
        if first == last {
            let edge = match start < end {
                true => (first, from_start & to_end),
                false => NONE,
            };
            return Cover {
                edges: [edge, NONE],
                whole: 0..0,
            };
        }
        let edge = |at: usize, edge| if at.is_multiple_of(WORD) { NONE } else { edge };
        Cover {
            edges: [edge(start, (first, from_start)), edge(end, (last, to_end))],
            whole: start.div_ceil(WORD)..last,
        }
    }
}

/// Adjacent words of one page.
struct Part {
    page: usize,
    words: Range<usize>,
}

/// Splits a range of words at the borders of pages.
fn parts(words: Range<usize>) -> impl Iterator<Item = Part> {
    let pages = words.start / PAGE..words.end.div_ceil(PAGE);
    pages.map(move |page| Part {
        page,
        words: words.start.max(page * PAGE)..words.end.min((page + 1) * PAGE),
    })
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
        // A memory without bytes still has a word, which must not be touched.
        let mut nothing = Definedness::new(0, true);
        nothing.set(0..0, true);
        assert!(nothing.all(0..0) && !nothing.any(0..0) && nothing.window(0) == 0);
    }

    #[test]
    fn the_first_of_a_kind_lies_in_its_range() {
        let mut shadow = Definedness::new(300, false);
        shadow.set(70..200, true);
        assert_eq!(shadow.first(0..300, true), Some(70));
        assert_eq!(shadow.first(70..200, false), None);
        assert_eq!(shadow.first(75..300, false), Some(200));
        assert_eq!(shadow.first(0..70, true), None);
        assert_eq!(shadow.first(199..200, true), Some(199));
        assert_eq!(shadow.first(90..90, true), None);
        // A partly defined byte counts as undefined.
        shadow.set_bits(100, 0b11);
        assert_eq!(shadow.first(70..300, false), Some(100));
        shadow.set(200..300, true);
        assert_eq!(shadow.first(101..300, false), None);
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

    /// The shadow against one flag per byte, over pages and their borders.
    #[test]
    fn marks_of_pages_agree_with_their_words() {
        const BYTES: usize = 3 * PAGE * WORD + 100;
        let mut seed = 11_u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        let mut shadow = Definedness::new(BYTES, false);
        let mut plain = vec![false; BYTES];
        for round in 0..3000 {
            // Ends on every kind of border: bytes, blocks, words and pages.
            let grid = [1, 32, WORD, PAGE * WORD][random(4)];
            let start = random(BYTES / grid + 1) * grid;
            let end = (start + random(2 * PAGE * WORD / grid + 2) * grid).clamp(start, BYTES);
            match random(4) {
                0 => {
                    shadow.set(start..end, false);
                    plain[start..end].fill(false);
                }
                1 if start + WORD <= BYTES => {
                    let (select, value) = (random(1 << 31) as u64 * 3, random(1 << 31) as u64 * 5);
                    shadow.assign(start, select, value);
                    for bit in (0..WORD).filter(|bit| select >> bit & 1 == 1) {
                        plain[start + bit] = value >> bit & 1 == 1;
                    }
                }
                2 if start + (end - start) / 2 <= BYTES => {
                    let half = (end - start) / 2;
                    shadow.copy_within(start..start + half, end - half);
                    plain.copy_within(start..start + half, end - half);
                }
                _ => {
                    shadow.set(start..end, true);
                    plain[start..end].fill(true);
                }
            }
            let start = random(BYTES / grid + 1) * grid;
            let end = (start + random(PAGE * WORD / grid + 2) * grid).clamp(start, BYTES);
            let (start, end) = (start.min(BYTES), end.min(BYTES));
            let slice = &plain[start..end];
            assert_eq!(
                shadow.all(start..end),
                slice.iter().all(|flag| *flag),
                "round {round}"
            );
            assert_eq!(
                shadow.any(start..end),
                slice.iter().any(|flag| *flag),
                "round {round}"
            );
            assert_eq!(
                shadow.count(start..end),
                slice.iter().filter(|flag| **flag).count()
            );
        }
    }
}

//! Layouts of structures with bit-fields, and of unions that read them as words.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::expression::spelled_width;
use super::tokens::Tokens;

/// Maximum number of bits of a structure.
const MAX_BITS: u32 = 64;
/// Maximum nesting of structures.
const MAX_DEPTH: u32 = 6;

/// Start and width, in bits, of the fields of a structure.
#[derive(Debug, Default)]
pub struct Layout<'t> {
    fields: FxHashMap<&'t str, (u32, u32)>,
    size: u32,
}

impl Layout<'_> {
    pub fn field(&self, name: &str) -> Option<(u32, u32)> {
        self.fields.get(name).copied()
    }
}

/// The layouts of a file by type; `None` for a type that is defined twice or is too large.
#[derive(Default)]
pub struct Structures<'t> {
    known: FxHashMap<&'t str, Option<Layout<'t>>>,
}

impl<'t> Structures<'t> {
    pub fn new(tokens: &Tokens<'t>) -> Self {
        let mut structures = Structures::default();
        for at in 0..tokens.len() {
            if !matches!(tokens.word(at), "struct" | "union") || !tokens.is_word(at + 1) {
                continue;
            }
            let Some(open) = (at + 2..at + 8).find(|&at| !tokens.is_word(at)) else {
                continue;
            };
            let Some(close) = tokens.partner(open).filter(|_| tokens.is(open, b'{')) else {
                continue;
            };
            let mut layout = Layout::default();
            let is_union = tokens.word(at) == "union";
            let whole = layout.members(tokens, open + 1..close, is_union, 0, 0);
            let known = structures.known.entry(tokens.word(at + 1));
            known
                // Which definition is active depends on the preprocessor.
                .and_modify(|known| *known = None)
                .or_insert(whole.map(|_| layout));
        }
        structures
    }

    pub fn layout(&self, name: &str) -> Option<&Layout<'t>> {
        self.known.get(name)?.as_ref()
    }
}

impl<'t> Layout<'t> {
    /// Reads members from a bit on; returns where they end, and `None` if a member is not modelled.
    fn members(
        &mut self,
        tokens: &Tokens<'t>,
        range: Range<usize>,
        is_union: bool,
        base: u32,
        depth: u32,
    ) -> Option<u32> {
        let (mut at, mut end, mut bit) = (range.start, base, base);
        while at < range.end {
            if depth > MAX_DEPTH {
                return None;
            }
            // All members of a union start at the same bit.
            let start = if is_union { base } else { bit };
            let word = tokens.word(at);
            let inner = matches!(word, "struct" | "union").then(|| at + 1);
            if let Some(open) = inner.filter(|&open| tokens.is(open, b'{')) {
                let close = tokens.partner(open)?;
                bit = self.members(tokens, open + 1..close, word == "union", start, depth + 1)?;
                end = end.max(bit);
                // The members of a named inner structure are reached by its name, which is not followed.
                if !tokens.is(close + 1, b';') {
                    return None;
                }
                at = close + 2;
                continue;
            }
            let stop = (at..range.end).find(|&at| tokens.is(at, b';') || tokens.is(at, b'{'))?;
            let function = (at..stop).any(|at| tokens.is(at, b'('));
            if function || tokens.is(stop, b'{') {
                // A function, or a member with a brace initialiser: `name{value};`.
                if !function {
                    return None;
                }
                at = match tokens.is(stop, b'{') {
                    true => tokens.partner(stop)? + 1,
                    false => stop + 1,
                };
                at += usize::from(tokens.is(at, b';'));
                continue;
            }
            // These declare no member that takes space.
            if matches!(word, "using" | "static" | "enum" | "friend" | "typedef") {
                at = stop + 1;
                continue;
            }
            bit = self.field_at(tokens, at..stop, start)?;
            end = end.max(bit);
            if bit > MAX_BITS {
                return None;
            }
            at = stop + 1;
        }
        self.size = self.size.max(end);
        Some(end)
    }

    /// Reads a member such as `uint64_t name : 8`.
    fn field_at(&mut self, tokens: &Tokens<'t>, range: Range<usize>, bit: u32) -> Option<u32> {
        // A qualifier is written with two colons.
        let is_colon = |at: usize| {
            tokens.is(at, b':') && !tokens.is(at + 1, b':') && !tokens.is(at.wrapping_sub(1), b':')
        };
        let colon = range.clone().find(|&at| is_colon(at));
        let value = range.clone().find(|&at| tokens.is(at, b'='));
        let before = colon.or(value).unwrap_or(range.end);
        let words: Vec<&str> = (range.start..before)
            .filter(|&at| tokens.is_word(at))
            .map(|at| tokens.word(at))
            .collect();
        let plain = (range.start..before).all(|at| tokens.is_word(at) || tokens.is(at, b':'));
        let (name, ty) = match (spelled_width(&words), words.split_last()) {
            // An unnamed bit-field is padding: `uint64_t : 3`.
            (Some(width), _) if colon.is_some() => (None, width),
            (_, Some((name, ty))) => (Some(*name), spelled_width(ty)?),
            _ => return None,
        };
        if !plain {
            return None;
        }
        let unit = ty.0;
        let (start, width) = match colon {
            Some(colon) => {
                let width: u32 = tokens.word(colon + 1).parse().ok()?;
                // A bit-field does not cross the boundary of its type's unit.
                let fits = bit % unit + width <= unit && width > 0;
                (
                    if fits {
                        bit
                    } else {
                        bit.next_multiple_of(unit)
                    },
                    width,
                )
            }
            // Members are aligned to their size.
            None => (bit.next_multiple_of(unit), unit),
        };
        if let Some(name) = name {
            self.fields.insert(name, (start, width));
        }
        Some(start + width)
    }
}

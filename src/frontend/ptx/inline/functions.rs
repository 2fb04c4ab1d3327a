//! Functions of a file, and the places that call them.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::context::function_head;
use super::expression::{Number, spelled_width, type_name};
use super::tokens::{Kind, Tokens};

/// Calls of one function that are followed.
const MAX_CALLS: usize = 16;

/// A function with a body.
pub struct Definition<'t> {
    /// The token of it.
    pub at: usize,
    /// Its parameters.
    pub parameters: Vec<Parameter<'t>>,
    /// The braces of its body.
    pub body: (usize, usize),
}

/// A parameter; its name is empty where it has none.
pub struct Parameter<'t> {
    pub name: &'t str,
    /// Bits and sign of its type.
    pub width: Option<(u32, bool)>,
}

impl<'t> Definition<'t> {
    /// What the parameters are, given these values.
    pub fn given(&self, values: impl Iterator<Item = Number>) -> Vec<(&'t str, Number)> {
        let parameters = self.parameters.iter().zip(values);
        let given = parameters.map(|(parameter, value)| {
            let value = match parameter.width {
                Some((bits, signed)) => value.converted(type_name(bits, signed)),
                None => Number::UNKNOWN,
            };
            (parameter.name, value)
        });
        given.collect()
    }
}

/// The functions of a file by name.
#[derive(Default)]
pub struct Functions<'t> {
    by_name: FxHashMap<&'t str, Vec<Definition<'t>>>,
}

impl<'t> Functions<'t> {
    pub fn new(tokens: &Tokens<'t>) -> Self {
        let mut functions = Functions::default();
        for at in 0..tokens.len() {
            if !tokens.is(at, b'{') {
                continue;
            }
            let (Some(head), Some(close)) = (function_head(tokens, at), tokens.partner(at)) else {
                continue;
            };
            let end = tokens.partner(head.open).unwrap_or(head.open);
            let parameters = arguments(tokens, head.open, end);
            let definition = Definition {
                at: head.at,
                parameters: parameters
                    .into_iter()
                    .map(|range| parameter(tokens, range))
                    .collect(),
                body: (at, close),
            };
            functions
                .by_name
                .entry(head.word)
                .or_default()
                .push(definition);
        }
        functions
    }

    /// The function of a name, where there is one alone.
    pub fn only(&self, name: &str) -> Option<&Definition<'t>> {
        match self.by_name.get(name)?.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Where a function is called, with the arguments.
    pub fn calls(
        &self,
        tokens: &Tokens<'t>,
        definition: &Definition<'t>,
        occurrences: &[usize],
    ) -> Vec<(usize, Vec<Range<usize>>)> {
        let others = occurrences.iter().filter(|&&at| at != definition.at);
        let calls = others.filter_map(|&at| {
            let open = call_open(tokens, at)?;
            let close = tokens.partner(open)?;
            let given = arguments(tokens, open, close);
            (given.len() == definition.parameters.len()).then_some((at, given))
        });
        calls.take(MAX_CALLS).collect()
    }
}

/// The parenthesis of a call of the name at `at`, template arguments passed over.
pub fn call_open(tokens: &Tokens, at: usize) -> Option<usize> {
    if !tokens.is(at + 1, b'<') {
        return tokens.is(at + 1, b'(').then_some(at + 1);
    }
    let mut depth = 0i32;
    for here in at + 1..at + 60 {
        depth += i32::from(tokens.is(here, b'<')) - i32::from(tokens.is(here, b'>'));
        if tokens.is(here, b';') || tokens.is(here, b'{') {
            return None;
        }
        if depth == 0 {
            return tokens.is(here + 1, b'(').then_some(here + 1);
        }
    }
    None
}

/// What stands between the commas of a pair of parentheses.
pub fn arguments(tokens: &Tokens, open: usize, close: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = open + 1;
    let mut angles = 0i32;
    let mut at = start;
    while at < close {
        match tokens.get(at).map(|token| token.kind) {
            Some(Kind::Mark(b'(' | b'[' | b'{')) => {
                at = tokens.partner(at).filter(|&end| end < close).unwrap_or(at);
            }
            // `a < b` closes nothing, and `uint64_t(1) << 32` neither.
            Some(Kind::Mark(b'<')) if tokens.is_word(at - 1) && !tokens.is(at + 1, b'<') => {
                angles += 1;
            }
            Some(Kind::Mark(b'>')) if angles > 0 => angles -= 1,
            Some(Kind::Mark(b',')) if angles == 0 => {
                found.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    if start < close {
        found.push(start..close);
    }
    found
}

/// `const uint64_t mask = 0`
fn parameter<'t>(tokens: &Tokens<'t>, range: Range<usize>) -> Parameter<'t> {
    let end = range.clone().find(|&at| tokens.is(at, b'='));
    let last = end.unwrap_or(range.end).checked_sub(1);
    let last = last.filter(|&at| at > range.start && tokens.is_word(at));
    let before = range.start..last.unwrap_or(range.start);
    let plain = before
        .clone()
        .all(|at| tokens.is_word(at) || tokens.is(at, b':'));
    let words: Vec<&str> = before
        .filter(|&at| tokens.is_word(at))
        .map(|at| tokens.word(at))
        .collect();
    Parameter {
        name: last.map_or("", |at| tokens.word(at)),
        width: spelled_width(&words).filter(|_| plain),
    }
}

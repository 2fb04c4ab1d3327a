//! Functions of a file, and their calls.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::context::function_head;
use super::expression::{Number, spelled_width, type_name};
use super::tokens::{Kind, MAX_ANGLES, Tokens};

/// Maximum number of calls of one function that are followed.
const MAX_CALLS: usize = 16;

/// A function with a body.
pub struct Definition<'t> {
    /// The token of its name.
    pub at: usize,
    /// The parameters of its template.
    pub template: Vec<Parameter<'t>>,
    /// The parameters of the function.
    pub parameters: Vec<Parameter<'t>>,
    /// The braces of its body.
    pub body: (usize, usize),
}

/// The arguments of a call.
pub struct Arguments {
    /// Template arguments.
    pub template: Vec<Range<usize>>,
    /// Arguments in parentheses.
    pub passed: Vec<Range<usize>>,
}

impl Arguments {
    /// Returns the arguments of the call whose name is at token `at`.
    pub fn of(tokens: &Tokens, at: usize) -> Option<Arguments> {
        let angle = angle_close(tokens, at + 1);
        let open = angle.map_or(at + 1, |close| close + 1);
        let close = tokens.partner(open).filter(|_| tokens.is(open, b'('))?;
        let inside = |close| arguments(tokens, at + 1, close);
        Some(Arguments {
            template: angle.map_or_else(Vec::new, inside),
            passed: arguments(tokens, open, close),
        })
    }
}

/// A parameter; the name is empty if it has none.
pub struct Parameter<'t> {
    pub name: &'t str,
    /// Bits and sign of its type if it is passed by value and its type is known.
    pub width: Option<(u32, bool)>,
}

impl<'t> Definition<'t> {
    /// Returns the values of the parameters in a call, given the values of its arguments.
    pub fn given(
        &self,
        call: &Arguments,
        value: impl Fn(&Range<usize>) -> Number,
    ) -> Vec<(&'t str, Number)> {
        let parameters = self.parameters.iter().zip(&call.passed);
        let given = parameters.chain(self.template.iter().zip(&call.template));
        let given = given.map(|(parameter, argument)| (parameter, value(argument)));
        let given = given.map(|(parameter, value)| {
            // Passing an argument converts it to the type of the parameter.
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
                template: template_parameters(tokens, head.at),
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

    /// Returns the function of a name if the name has exactly one definition.
    pub fn only(&self, name: &str) -> Option<&Definition<'t>> {
        // Which overload a call means is not resolved.
        match self.by_name.get(name)?.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Returns the calls of a function with their arguments.
    pub fn calls(
        &self,
        tokens: &Tokens<'t>,
        definition: &Definition<'t>,
        occurrences: &[usize],
    ) -> Vec<(usize, Arguments)> {
        let others = occurrences.iter().filter(|&&at| at != definition.at);
        let calls = others.filter_map(|&at| {
            let given = Arguments::of(tokens, at)?;
            // Default arguments and macros change the number of arguments.
            (given.passed.len() == definition.parameters.len()).then_some((at, given))
        });
        calls.take(MAX_CALLS).collect()
    }
}

/// Returns the parenthesis of the call whose name is at `at`, after any template arguments.
pub fn call_open(tokens: &Tokens, at: usize) -> Option<usize> {
    let open = match tokens.is(at + 1, b'<') {
        true => angle_close(tokens, at + 1)? + 1,
        false => at + 1,
    };
    tokens.is(open, b'(').then_some(open)
}

/// Returns the `>` that closes the `<` at `open`; `None` if it is a comparison.
fn angle_close(tokens: &Tokens, open: usize) -> Option<usize> {
    if !tokens.is(open, b'<') {
        return None;
    }
    let mut depth = 0i32;
    for here in open..open + MAX_ANGLES {
        depth += i32::from(tokens.is(here, b'<')) - i32::from(tokens.is(here, b'>'));
        // Template arguments contain neither; so `<` was an operator.
        if tokens.is(here, b';') || tokens.is(here, b'{') {
            return None;
        }
        if depth == 0 {
            return Some(here);
        }
    }
    None
}

/// Returns the template parameters of the function whose name is at `at`.
fn template_parameters<'t>(tokens: &Tokens<'t>, at: usize) -> Vec<Parameter<'t>> {
    let before = at.saturating_sub(MAX_ANGLES)..at;
    let ends = |at: &usize| [b';', b'{', b'}'].iter().any(|&mark| tokens.is(*at, mark));
    let mut head = before.rev().take_while(|at| !ends(at));
    let Some(open) = head
        .find(|&at| tokens.word(at) == "template")
        .map(|at| at + 1)
    else {
        return Vec::new();
    };
    let close = angle_close(tokens, open).filter(|&close| close < at);
    let list = close.map_or_else(Vec::new, |close| arguments(tokens, open, close));
    list.into_iter()
        .map(|range| parameter(tokens, range))
        .collect()
}

/// Returns the ranges between commas in a pair of parentheses.
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
            // `a < b` opens nothing that `>` would close, and neither does `uint64_t(1) << 32`.
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

/// Parses a parameter: `const uint64_t mask = 0`.
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
        // A pointer or reference gives the function access to the caller's variable, so its value is not followed.
        width: spelled_width(&words).filter(|_| plain),
    }
}

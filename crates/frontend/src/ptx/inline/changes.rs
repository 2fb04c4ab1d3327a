//! Declarations of C++ names, and the statements that change them.

use std::ops::Range;

use super::expression::{Number, spelled_width};
use super::functions::Arguments;
use super::tokens::Kind;
use super::variables::{MAX_TOKENS, Variables};

impl Variables<'_, '_> {
    /// Returns how an occurrence of a name changes it: `Some(None)` if it does not, and `None` if it does in a way
    /// that is not followed.
    pub fn change(&self, at: usize) -> Option<Option<Change>> {
        let tokens = self.tokens;
        let before = at.checked_sub(1)?;
        let doubled = |at: usize, mark| tokens.is(at, mark) && tokens.is(at + 1, mark);
        let steps = |at: usize| doubled(at, b'+') || doubled(at, b'-');
        // `++` and `--` before or after the name.
        if steps(at + 1) || before.checked_sub(1).is_some_and(steps) {
            return None;
        }
        let length = match () {
            _ if tokens.is(at + 1, b'=') && !tokens.is(at + 2, b'=') => 1,
            _ if doubled(at + 1, b'<') && tokens.is(at + 3, b'=') => 3,
            // `>>=` depends on the signedness of the variable.
            _ if doubled(at + 1, b'>') && tokens.is(at + 3, b'=') => return None,
            _ if tokens.is(at + 2, b'=') && !tokens.is(at + 3, b'=') && self.compounds(at + 1) => 2,
            _ => 0,
        };
        if length > 0 {
            let start = at + 1 + length;
            let end = self.statement_end(start)?;
            return Some(Some(Change {
                operator: tokens.word(at + 1).as_bytes().first().copied()?,
                value: start..end,
                end,
            }));
        }
        // An element or member may be written, or a method called.
        let reaches = tokens.is(at + 1, b'.') || tokens.is(at + 1, b'[');
        // The address is taken, as in `f(&x)`; binary `&` follows an operand.
        let taken = tokens.is(before, b'&')
            && before.checked_sub(1).is_some_and(|at| {
                !tokens.is_word(at)
                    && !tokens.is(at, b')')
                    && !tokens.is(at, b'&')
                    && tokens
                        .get(at)
                        .is_some_and(|token| token.kind != Kind::Number)
            });
        // A reference to the variable: `uint64_t &other = x`.
        let named_again =
            tokens.is(before, b'=') && before.checked_sub(2).is_some_and(|at| tokens.is(at, b'&'));
        match reaches || taken || named_again || self.is_argument(at) {
            true => None,
            false => Some(None),
        }
    }

    /// Returns the semicolon that ends a statement.
    pub fn statement_end(&self, start: usize) -> Option<usize> {
        let mut reach = start..start + MAX_TOKENS;
        reach.find(|&end| self.tokens.is(end, b';'))
    }

    fn compounds(&self, at: usize) -> bool {
        let tokens = self.tokens;
        [b'|', b'&', b'^', b'+', b'-', b'*', b'/', b'%']
            .iter()
            .any(|&mark| tokens.is(at, mark))
    }

    /// Returns whether a name alone is an argument of a call that may change it: neither a conversion, nor `asm`, nor a
    /// function of this file that takes the argument by value.
    fn is_argument(&self, at: usize) -> bool {
        let tokens = self.tokens;
        let starts = tokens.is(at.wrapping_sub(1), b'(') || tokens.is(at.wrapping_sub(1), b',');
        let ends = tokens.is(at + 1, b')') || tokens.is(at + 1, b',');
        if !starts || !ends {
            return false;
        }
        // Finds the parenthesis around the argument.
        let mut open = at;
        for _ in 0..MAX_TOKENS {
            let Some(before) = open.checked_sub(1) else {
                return true;
            };
            open = before;
            if tokens.is(open, b'(') {
                break;
            }
            if tokens.is(open, b')') || tokens.is(open, b']') || tokens.is(open, b'}') {
                match tokens.partner(open) {
                    Some(partner) => open = partner,
                    None => return true,
                }
            } else if tokens.is(open, b';') || tokens.is(open, b'{') {
                // The scan has left the call, so the structure is not understood.
                return true;
            }
        }
        let Some(callee) = open.checked_sub(1).filter(|_| tokens.is(open, b'(')) else {
            return true;
        };
        let converts = spelled_width(&[tokens.word(callee)]).is_some();
        let calls = tokens.is_word(callee) || tokens.is(callee, b'>');
        calls && !converts && tokens.word(callee) != "return" && !self.is_value(callee, at)
    }

    /// Returns whether the called function takes the argument at `at` by value.
    fn is_value(&self, callee: usize, at: usize) -> bool {
        let Some(name) = self.tokens.before_angles(callee) else {
            return false;
        };
        let definition = self.functions.only(self.tokens.word(name));
        let call = Arguments::of(self.tokens, name);
        let (Some(definition), Some(call)) = (definition, call) else {
            return false;
        };
        let mut pairs = definition.parameters.iter().zip(&call.passed);
        definition.parameters.len() == call.passed.len()
            && pairs.any(|(it, argument)| argument.contains(&at) && it.width.is_some())
    }

    /// Returns the declaration with initialiser of the name at `at`; `None` if it is not declared there.
    pub fn declaration(&self, at: usize) -> Option<Declaration> {
        let tokens = self.tokens;
        let value = match () {
            _ if tokens.is(at + 1, b'=') && !tokens.is(at + 2, b'=') => {
                at + 2..self.statement_end(at + 2)?
            }
            _ if tokens.is(at + 1, b'{') => {
                let close = tokens.partner(at + 1)?;
                at + 2..close
            }
            _ => return None,
        };
        // The type goes back to the start of the statement.
        let mut first = at;
        while let Some(before) = first.checked_sub(1).filter(|_| at - first < MAX_TOKENS) {
            let part = tokens.is_word(before)
                || tokens.is(before, b':')
                || tokens.is(before, b'<')
                || tokens.is(before, b'>');
            if !part {
                break;
            }
            first = before;
        }
        let starts = match first.checked_sub(1).and_then(|before| tokens.get(before)) {
            None => true,
            Some(token) => matches!(
                token.kind,
                Kind::Mark(b';' | b'{' | b'}') | Kind::Directive { .. }
            ),
        };
        let words: Vec<&str> = (first..at)
            .filter(|&at| tokens.is_word(at))
            .map(|at| tokens.word(at))
            .collect();
        // These words begin statements that look like declarations.
        let is_type = !words.is_empty()
            && !words.iter().any(|word| {
                matches!(
                    *word,
                    "template"
                        | "return"
                        | "else"
                        | "using"
                        | "namespace"
                        | "enum"
                        | "struct"
                        | "class"
                        | "volatile"
                )
            });
        (starts && is_type).then(|| Declaration {
            name: at,
            constant: words
                .iter()
                .any(|word| matches!(*word, "const" | "constexpr")),
            deduced: words.contains(&"auto"),
            width: spelled_width(&words),
            value,
        })
    }
}

/// A declaration `const uint64_t name = value;`.
pub struct Declaration {
    pub name: usize,
    pub constant: bool,
    pub deduced: bool,
    pub width: Option<(u32, bool)>,
    pub value: Range<usize>,
}

/// An assignment such as `name |= value;`.
pub struct Change {
    /// The first character of the operator.
    operator: u8,
    pub value: Range<usize>,
    pub end: usize,
}

impl Change {
    pub fn apply(&self, before: Number, operand: Number) -> Option<Number> {
        let bits = match self.operator {
            b'=' => operand.bits,
            b'|' => before.bits | operand.bits,
            b'&' => before.bits & operand.bits,
            b'^' => before.bits ^ operand.bits,
            b'+' => before.bits.plus(operand.bits),
            b'<' => before
                .bits
                .shifted_left(operand.bits.as_constant().filter(|&by| by < 64)? as u32),
            _ => return None,
        };
        Some(Number::of(bits, before.wide))
    }
}

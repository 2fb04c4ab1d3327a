//! Values of C++ names: macros, constants, and locals that only straight-line code changes.

use std::cell::Cell;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::expression::{Names, Number, evaluate, spelled_width};
use super::template::StringMacros;
use super::tokens::{Kind, Tokens};

/// Names that a value is followed through.
const MAX_DEPTH: u32 = 16;
/// Names that occur more often are unknown.
const MAX_OCCURRENCES: usize = 1000;
/// Tokens of a statement beyond which it is not followed.
const MAX_TOKENS: usize = 2000;

/// What the names of a file stand for.
pub struct Variables<'a, 't> {
    tokens: &'a Tokens<'t>,
    /// Object-like macros; `None` where a name is defined twice.
    macros: FxHashMap<&'t str, Option<Range<usize>>>,
    /// Occurrences of each word, in order.
    occurrences: FxHashMap<&'t str, Vec<usize>>,
    /// For each token the brace that opens its innermost block.
    blocks: Vec<u32>,
    depth: Cell<u32>,
}

/// The brace of what stands outside all blocks.
const OUTSIDE: u32 = u32::MAX;

impl<'a, 't> Variables<'a, 't> {
    pub fn new(tokens: &'a Tokens<'t>) -> Self {
        let mut variables = Variables {
            tokens,
            macros: FxHashMap::default(),
            occurrences: FxHashMap::default(),
            blocks: Vec::with_capacity(tokens.len()),
            depth: Cell::new(0),
        };
        let mut open: Vec<(u32, usize)> = Vec::new();
        for at in 0..tokens.len() {
            while open.last().is_some_and(|&(_, close)| close <= at) {
                open.pop();
            }
            variables
                .blocks
                .push(open.last().map_or(OUTSIDE, |&(at, _)| at));
            match tokens.get(at).map(|token| token.kind) {
                Some(Kind::Word) => {
                    let word = tokens.word(at);
                    variables.occurrences.entry(word).or_default().push(at);
                }
                Some(Kind::Mark(b'{')) => {
                    if let Some(close) = tokens.partner(at) {
                        open.push((at as u32, close));
                    }
                }
                Some(Kind::Directive { end }) => variables.learn_macro(at, end),
                _ => {}
            }
        }
        variables
    }

    fn learn_macro(&mut self, at: usize, end: u32) {
        let tokens = self.tokens;
        let name = at + 1;
        let is_define = tokens.word(at).ends_with("define") && tokens.is_word(name);
        // `#define F(x)` takes arguments; `#define F (x)` does not.
        let takes_arguments =
            tokens.is(name + 1, b'(') && tokens.span(name + 1).start == tokens.span(name).end;
        if !is_define || takes_arguments {
            return;
        }
        let mut last = name + 1;
        while last < tokens.len() && tokens.span(last).start < end {
            last += 1;
        }
        self.macros
            .entry(tokens.word(name))
            .and_modify(|value| *value = None)
            .or_insert(Some(name + 1..last));
    }

    /// What is known of an expression where it stands, inside a function's body.
    pub fn evaluate(&self, range: Range<usize>, body: (usize, usize)) -> Number {
        let mut scope = Scope {
            variables: self,
            body,
        };
        evaluate(self.tokens, range, &mut scope)
    }

    fn value(&self, at: usize, body: (usize, usize)) -> Number {
        if self.depth.get() >= MAX_DEPTH {
            return Number::UNKNOWN;
        }
        self.depth.set(self.depth.get() + 1);
        let value = self.value_of(self.tokens.word(at), at, body);
        self.depth.set(self.depth.get() - 1);
        value.unwrap_or(Number::UNKNOWN)
    }

    fn value_of(&self, name: &str, at: usize, body: (usize, usize)) -> Option<Number> {
        if let Some(value) = self.macros.get(name) {
            return Some(self.evaluate(value.clone()?, body));
        }
        let all = self.occurrences.get(name)?;
        if all.len() > MAX_OCCURRENCES {
            return None;
        }
        let local = |at: &usize| (body.0..=body.1).contains(at);
        let inside: Vec<usize> = all.iter().copied().filter(local).collect();
        let declared = |list: &[usize]| -> Vec<Declaration> {
            list.iter().filter_map(|&at| self.declaration(at)).collect()
        };
        match declared(&inside).as_slice() {
            // Nothing here declares it: a constant of the file, unless a parameter hides it.
            [] => {
                let outside: Vec<usize> = all.iter().copied().filter(|at| !local(at)).collect();
                let hidden = outside.iter().any(|&at| self.is_parameter(at, body));
                match declared(&outside).as_slice() {
                    [only] if only.constant && !hidden && self.blocks[only.name] == OUTSIDE => {
                        Some(self.initial(only, body))
                    }
                    _ => None,
                }
            }
            [only] if only.constant && only.name < at => Some(self.initial(only, body)),
            [only] if only.name < at => self.changed(only, &inside, at, body),
            _ => None,
        }
    }

    /// Whether a name stands among the parameters in front of a body.
    fn is_parameter(&self, at: usize, body: (usize, usize)) -> bool {
        let from = body.0.saturating_sub(400);
        let mut before = from..body.0;
        let start = before.rfind(|&at| self.tokens.is(at, b';') || self.tokens.is(at, b'}'));
        (start.unwrap_or(from)..body.0).contains(&at)
    }

    fn initial(&self, declaration: &Declaration, body: (usize, usize)) -> Number {
        let value = self.evaluate(declaration.value.clone(), body);
        match declaration.width {
            Some((64, _)) => Number {
                wide: true,
                ..value
            },
            Some((32, false)) => value.converted("uint32_t"),
            Some((32, true)) => value.converted("int32_t"),
            Some(_) => Number::UNKNOWN,
            None if declaration.deduced => value,
            None => Number::UNKNOWN,
        }
    }

    /// The value of a local before `at`, where nothing but assignments in its own block change it.
    fn changed(
        &self,
        declaration: &Declaration,
        occurrences: &[usize],
        at: usize,
        body: (usize, usize),
    ) -> Option<Number> {
        let block = self.blocks[declaration.name];
        let mut value = self.initial(declaration, body);
        for &place in occurrences
            .iter()
            .filter(|&&place| place != declaration.name)
        {
            let Some(change) = self.change(place)? else {
                continue;
            };
            let tokens = self.tokens;
            let starts = place.checked_sub(1).is_some_and(|before| {
                [b';', b'{', b'}']
                    .iter()
                    .any(|&mark| tokens.is(before, mark))
            });
            if self.blocks[place] != block || !starts {
                return None;
            }
            if place < at && change.end <= at {
                let operand = self.evaluate(change.value.clone(), body);
                value = change.apply(value, operand)?;
            }
        }
        Some(value)
    }

    /// How an occurrence of a name changes it: `None` in ways that are not followed, `Some(None)`
    /// not at all.
    fn change(&self, at: usize) -> Option<Option<Change>> {
        let tokens = self.tokens;
        let before = at.checked_sub(1)?;
        let doubled = |at: usize, mark| tokens.is(at, mark) && tokens.is(at + 1, mark);
        let steps = |at: usize| doubled(at, b'+') || doubled(at, b'-');
        if steps(at + 1) || before.checked_sub(1).is_some_and(steps) {
            return None;
        }
        let length = match () {
            _ if tokens.is(at + 1, b'=') && !tokens.is(at + 2, b'=') => 1,
            _ if doubled(at + 1, b'<') && tokens.is(at + 3, b'=') => 3,
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
        let reaches = tokens.is(at + 1, b'.') || tokens.is(at + 1, b'[');
        // `f(&x)` and `f(x)`, whose parameter may be a reference.
        let taken = tokens.is(before, b'&')
            && before.checked_sub(1).is_some_and(|at| {
                !tokens.is_word(at)
                    && !tokens.is(at, b')')
                    && !tokens.is(at, b'&')
                    && tokens
                        .get(at)
                        .is_some_and(|token| token.kind != Kind::Number)
            });
        // `uint64_t &other = x`.
        let named_again =
            tokens.is(before, b'=') && before.checked_sub(2).is_some_and(|at| tokens.is(at, b'&'));
        match reaches || taken || named_again || self.is_argument(at) {
            true => None,
            false => Some(None),
        }
    }

    /// The semicolon that ends a statement.
    fn statement_end(&self, start: usize) -> Option<usize> {
        let mut reach = start..start + MAX_TOKENS;
        reach.find(|&end| self.tokens.is(end, b';'))
    }

    fn compounds(&self, at: usize) -> bool {
        let tokens = self.tokens;
        [b'|', b'&', b'^', b'+', b'-', b'*', b'/', b'%']
            .iter()
            .any(|&mark| tokens.is(at, mark))
    }

    /// Whether a name alone is an argument of a call: neither of a conversion nor of `asm`.
    fn is_argument(&self, at: usize) -> bool {
        let tokens = self.tokens;
        let starts = tokens.is(at.wrapping_sub(1), b'(') || tokens.is(at.wrapping_sub(1), b',');
        let ends = tokens.is(at + 1, b')') || tokens.is(at + 1, b',');
        if !starts || !ends {
            return false;
        }
        // The parenthesis around it.
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
                return true;
            }
        }
        let Some(callee) = open.checked_sub(1).filter(|_| tokens.is(open, b'(')) else {
            return true;
        };
        let converts = spelled_width(&[tokens.word(callee)]).is_some();
        let calls = tokens.is_word(callee) || tokens.is(callee, b'>');
        calls && !converts && tokens.word(callee) != "return"
    }

    /// The declaration with an initialiser that a name stands in.
    fn declaration(&self, at: usize) -> Option<Declaration> {
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

impl StringMacros for Variables<'_, '_> {
    fn value(&self, name: &str) -> Option<Range<usize>> {
        let range = self.macros.get(name)?.clone()?;
        let strings = range
            .clone()
            .all(|at| self.tokens.is_string(at) || self.tokens.is_word(at));
        strings.then_some(range)
    }
}

/// `const uint64_t name = value;`.
struct Declaration {
    name: usize,
    constant: bool,
    deduced: bool,
    width: Option<(u32, bool)>,
    value: Range<usize>,
}

/// `name |= value;`.
struct Change {
    /// The first character of the operator.
    operator: u8,
    value: Range<usize>,
    end: usize,
}

impl Change {
    fn apply(&self, before: Number, operand: Number) -> Option<Number> {
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

/// Names where an expression stands.
struct Scope<'s, 'a, 't> {
    variables: &'s Variables<'a, 't>,
    body: (usize, usize),
}

impl Names for Scope<'_, '_, '_> {
    fn value(&mut self, at: usize) -> Number {
        self.variables.value(at, self.body)
    }
}

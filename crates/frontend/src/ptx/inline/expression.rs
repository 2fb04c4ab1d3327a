//! Evaluation of C++ integer expressions, bit by bit.

use std::ops::Range;

use super::functions::call_open;
use super::tokens::{Kind, Tokens};
use a2lint_ir::KnownBits;
use a2lint_source::text::Slice;

/// Maximum nesting of an expression.
const MAX_DEPTH: u32 = 48;

/// The known bits of an integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Number {
    /// The bits, extended to 64.
    pub bits: KnownBits,
    /// Whether the number certainly has a 64-bit type. Other types wrap, or extend their sign, at 32 bits.
    pub wide: bool,
}

impl Number {
    pub const UNKNOWN: Number = Number {
        bits: KnownBits::UNKNOWN,
        wide: false,
    };

    /// Makes the result of arithmetic. Without a 64-bit type, only bits below the sign bit of `int` are the same in
    /// every type.
    pub fn of(bits: KnownBits, wide: bool) -> Number {
        const HIGH: u64 = !0x7fff_ffff;
        let bits = match wide || bits.zeros() & HIGH == HIGH {
            true => bits,
            false => KnownBits::new(!HIGH & (bits.ones() | bits.zeros()), bits.ones()),
        };
        Number { bits, wide }
    }

    /// Converts the number to a type; unknown if the type is not an integer type.
    pub fn converted(self, ty: &str) -> Number {
        match width(ty) {
            Some((64, _)) => Number { wide: true, ..self },
            Some((bits, false)) => Number {
                bits: self.bits.truncated(bits),
                wide: false,
            },
            Some((bits, true)) => Number {
                bits: self.bits.sign_extended(bits),
                wide: false,
            },
            None => Number::UNKNOWN,
        }
    }
}

/// Returns bits and sign of an integer type, by its last word.
pub fn width(ty: &str) -> Option<(u32, bool)> {
    Some(match ty {
        "uint64_t" | "size_t" | "uintptr_t" | "u64" => (64, false),
        "int64_t" | "ptrdiff_t" => (64, true),
        "uint32_t" | "unsigned" | "u32" => (32, false),
        "int32_t" | "int" => (32, true),
        "uint16_t" => (16, false),
        "int16_t" | "short" => (16, true),
        "uint8_t" => (8, false),
        "int8_t" => (8, true),
        _ => return None,
    })
}

/// Returns bits and sign of the type that words spell: `unsigned long long`.
pub fn spelled_width(words: &[&str]) -> Option<(u32, bool)> {
    let signed = !words.contains(&"unsigned");
    let last = words
        .iter()
        .rev()
        .find(|word| !matches!(**word, "const" | "constexpr" | "static"));
    match *last? {
        // A single `long` has 32 bits on Windows and 64 on other systems with CUDA; two of them always have 64.
        "long" if words.iter().filter(|word| **word == "long").count() == 2 => Some((64, signed)),
        "int" if !signed => Some((32, false)),
        "short" if !signed => Some((16, false)),
        word => width(word),
    }
}

/// Resolves names to values.
pub trait Names {
    /// Returns the value of the name at a token.
    fn value(&mut self, at: usize) -> Number;
    /// Returns the value of a field of the structure at `at`.
    fn field(&mut self, at: usize, field: usize) -> Number;
    /// Returns the result of the call whose name is at `at`.
    fn call(&mut self, at: usize) -> Number;
}

/// Evaluates the expression that a range of tokens forms; unknown unless all of the range is understood.
pub fn evaluate(tokens: &Tokens, range: Range<usize>, names: &mut dyn Names) -> Number {
    let mut parser = Parser {
        tokens,
        at: range.start,
        end: range.end,
        names,
        depth: 0,
    };
    let value = parser.expression(0);
    match value {
        Some(value) if parser.at == range.end => value,
        _ => Number::UNKNOWN,
    }
}

struct Parser<'a, 't> {
    tokens: &'a Tokens<'t>,
    at: usize,
    end: usize,
    names: &'a mut dyn Names,
    depth: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    Or,
    Xor,
    And,
    Left,
    Right,
    Plus,
    Minus,
    Times,
}

impl Parser<'_, '_> {
    fn is(&self, offset: usize, mark: u8) -> bool {
        self.at + offset < self.end && self.tokens.is(self.at + offset, mark)
    }

    /// Returns the operator at the current token, its precedence and its number of characters.
    fn operator(&self) -> Option<(Operator, u32, usize)> {
        let double = |mark| self.is(0, mark) && self.is(1, mark);
        let found = match () {
            _ if double(b'<') => (Operator::Left, 4, 2),
            _ if double(b'>') => (Operator::Right, 4, 2),
            // Logical operators give 0 or 1 and short-circuit; they are not modelled.
            _ if double(b'|') || double(b'&') => return None,
            _ if self.is(0, b'|') => (Operator::Or, 1, 1),
            _ if self.is(0, b'^') => (Operator::Xor, 2, 1),
            _ if self.is(0, b'&') => (Operator::And, 3, 1),
            _ if self.is(0, b'+') => (Operator::Plus, 5, 1),
            _ if self.is(0, b'-') => (Operator::Minus, 5, 1),
            _ if self.is(0, b'*') => (Operator::Times, 6, 1),
            _ => return None,
        };
        Some(found)
    }

    fn expression(&mut self, floor: u32) -> Option<Number> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let mut left = self.unary()?;
        while let Some((operator, precedence, length)) = self.operator() {
            // All binary operators here associate to the left.
            if precedence <= floor {
                break;
            }
            self.at += length;
            let right = self.expression(precedence)?;
            left = binary(operator, left, right);
        }
        self.depth -= 1;
        Some(left)
    }

    fn unary(&mut self) -> Option<Number> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        let mark = |mark| self.is(0, mark);
        let (minus, complement, plus) = (mark(b'-'), mark(b'~'), mark(b'+'));
        if !minus && !complement && !plus {
            return self.primary();
        }
        self.at += 1;
        self.depth += 1;
        let value = self.unary()?;
        self.depth -= 1;
        Some(match (minus, complement) {
            (true, _) => Number::of(value.bits.negated(), value.wide),
            (_, true) => Number::of(!value.bits, value.wide),
            _ => value,
        })
    }

    fn primary(&mut self) -> Option<Number> {
        let at = self.at;
        if at >= self.end {
            return None;
        }
        match self.tokens.get(at)?.kind {
            Kind::Number => {
                self.at += 1;
                literal(self.tokens.word(at))
            }
            Kind::Mark(b'(' | b'{') => self.parenthesised(),
            Kind::Word => self.named(),
            _ => None,
        }
    }

    /// Parses `(expression)` or `(type) operand`.
    fn parenthesised(&mut self) -> Option<Number> {
        let open = self.at;
        let close = self
            .tokens
            .partner(open)
            .filter(|&close| close < self.end)?;
        let words: Vec<&str> = (open + 1..close).map(|at| self.tokens.word(at)).collect();
        let is_type = (open + 1..close).all(|at| self.tokens.is_word(at));
        if is_type && let Some((bits, signed)) = spelled_width(&words) {
            self.at = close + 1;
            let operand = self.unary()?;
            return Some(operand.converted(type_name(bits, signed)));
        }
        self.at = open + 1;
        let end = std::mem::replace(&mut self.end, close);
        let value = self.expression(0);
        let complete = self.at == close;
        self.end = end;
        self.at = close + 1;
        value.filter(|_| complete)
    }

    /// Parses a name, a constructor call `uint64_t(x)`, or `static_cast<uint64_t>(x)`.
    fn named(&mut self) -> Option<Number> {
        // Qualifiers are skipped: `std::uint64_t`.
        while self.is(1, b':') && self.is(2, b':') {
            self.at += 3;
        }
        let at = self.at;
        let name = self.tokens.word(at);
        self.at += 1;
        if name == "static_cast" && self.is(0, b'<') {
            let open = (self.at..self.end).find(|&at| self.tokens.is(at, b'('))?;
            let words: Vec<&str> = (self.at + 1..open.checked_sub(1)?)
                .filter(|&at| self.tokens.is_word(at))
                .map(|at| self.tokens.word(at))
                .collect();
            self.at = open;
            let (bits, signed) = spelled_width(&words)?;
            let value = self.parenthesised()?;
            return Some(value.converted(type_name(bits, signed)));
        }
        if self.is(0, b'(') || self.is(0, b'{') {
            let known = width(name);
            let close = self.tokens.partner(self.at)?;
            if known.is_none() {
                return Some(self.called(at, self.at, close));
            }
            return Some(self.parenthesised()?.converted(name));
        }
        if self.is(0, b'<')
            && let Some(open) = call_open(self.tokens, at).filter(|&open| open < self.end)
        {
            let close = self.tokens.partner(open)?;
            return Some(self.called(at, open, close));
        }
        let field = self.at + 1;
        if self.is(0, b'.') && self.tokens.is_word(field) && !self.is(2, b'(') && !self.is(2, b'.')
        {
            self.at += 2;
            return Some(self.names.field(at, field));
        }
        // Other members, and elements, are not followed.
        let accesses =
            self.is(0, b'.') || self.is(0, b'[') || (self.is(0, b'-') && self.is(1, b'>'));
        match accesses {
            true => None,
            false => Some(self.names.value(at)),
        }
    }
}

impl Parser<'_, '_> {
    fn called(&mut self, name: usize, open: usize, close: usize) -> Number {
        self.at = close + 1;
        match self.tokens.is(open, b'(') && close < self.end {
            true => self.names.call(name),
            false => Number::UNKNOWN,
        }
    }
}

/// Returns the name of an integer type, as [`width`] knows it.
pub fn type_name(bits: u32, signed: bool) -> &'static str {
    match (bits, signed) {
        (8, true) => "int8_t",
        (8, false) => "uint8_t",
        (16, true) => "int16_t",
        (16, false) => "uint16_t",
        (32, true) => "int32_t",
        (32, false) => "uint32_t",
        (_, true) => "int64_t",
        (_, false) => "uint64_t",
    }
}

fn binary(operator: Operator, left: Number, right: Number) -> Number {
    let (a, b) = (left.bits, right.bits);
    let wide = left.wide || right.wide;
    let amount = || b.as_constant().filter(|&by| by < 64).map(|by| by as u32);
    match operator {
        // The high half of a narrow operand with unknown sign is unknown; its own bits are right.
        Operator::Or => Number::of(a | b, wide),
        Operator::Xor => Number::of(a ^ b, wide),
        Operator::And => Number::of(a & b, wide),
        Operator::Plus => Number::of(a.plus(b), wide),
        Operator::Minus => Number::of(a.plus(b.negated()), wide),
        Operator::Times => Number::of(a.times(b), wide),
        Operator::Left => match amount() {
            Some(by) => Number::of(a.shifted_left(by), left.wide),
            None => Number::UNKNOWN,
        },
        // The bits that are shifted in depend on the sign.
        Operator::Right => match amount() {
            Some(by) if a.zeros() >> 63 == 1 => Number::of(a.shifted_right(by), left.wide),
            Some(by) => {
                let moved = a.shifted_right(by);
                let kept = u64::MAX >> by;
                let known = (moved.ones() | moved.zeros()) & kept;
                Number::of(KnownBits::new(known, moved.ones()), left.wide)
            }
            None => Number::UNKNOWN,
        },
    }
}

/// Parses a literal such as `0x3ULL` or `1'000`; `None` for floats.
fn literal(text: &str) -> Option<Number> {
    let text = text.replace('\'', "").to_ascii_lowercase();
    let (digits, radix) = match text.as_bytes() {
        [b'0', b'x', ..] => (text.part(2..), 16),
        [b'0', b'b', ..] => (text.part(2..), 2),
        [b'0', b'0'..=b'9', ..] => (text.part(1..), 8),
        _ => (text.as_str(), 10),
    };
    let number = digits.trim_end_matches(['u', 'l', 'z']);
    let suffix = digits.part(number.len()..);
    let value = u64::from_str_radix(number, radix).ok()?;
    // An unsuffixed literal has the first type that can represent it.
    let wide = suffix.matches('l').count() == 2 || value > u64::from(u32::MAX);
    let bits = KnownBits::constant(value);
    Some(Number { bits, wide })
}

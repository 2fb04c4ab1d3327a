//! Operands of PTX: constant expressions are computed where they are read.

use super::ast::{Operand, OperandKind};
use super::lexer::Kind;
use super::parse::{MAX_DEPTH, Reader};
use a2lint_source::text::{Slice, Span};

impl<'t> Reader<'t> {
    /// Reads operands with commas between them, and what closes them.
    pub(super) fn operands(&mut self, close: &str, depth: usize) -> Option<Vec<Operand<'t>>> {
        let mut found = Vec::new();
        if self.eat(close) {
            return Some(found);
        }
        loop {
            found.push(self.operand(depth)?);
            if self.eat(close) {
                return Some(found);
            }
            self.expect(",")?;
        }
    }

    pub(super) fn operand(&mut self, depth: usize) -> Option<Operand<'t>> {
        let condition = self.binary(0, depth)?;
        if !self.eat("?") {
            return Some(condition);
        }
        self.operand(depth + 1)?;
        self.expect(":")?;
        let alternative = self.operand(depth + 1)?;
        Some(Operand {
            span: condition.span.to(alternative.span),
            kind: OperandKind::Other,
        })
    }

    fn binary(&mut self, floor: u32, depth: usize) -> Option<Operand<'t>> {
        let mut left = self.unary(depth)?;
        loop {
            let operator = self.word();
            let Some(precedence) = precedence(operator).filter(|it| *it > floor) else {
                return Some(left);
            };
            self.at += 1;
            let right = self.binary(precedence, depth + 1)?;
            left = Operand {
                span: left.span.to(right.span),
                kind: joined(operator, left, right),
            };
        }
    }

    fn unary(&mut self, depth: usize) -> Option<Operand<'t>> {
        let (token, operator) = (self.token()?, self.word());
        if depth >= MAX_DEPTH {
            return None;
        }
        if !matches!(operator, "-" | "+" | "~" | "!") {
            let kind = self.primary(depth)?;
            let span = token.span.to(self.before());
            return Some(Operand { span, kind });
        }
        self.at += 1;
        let argument = self.unary(depth + 1)?;
        let span = token.span.to(argument.span);
        let kind = match (operator, argument.kind) {
            ("-", OperandKind::Integer(value)) => OperandKind::Integer(value.wrapping_neg()),
            ("~", OperandKind::Integer(value)) => OperandKind::Integer(!value),
            ("!", OperandKind::Integer(value)) => OperandKind::Integer(u64::from(value == 0)),
            ("+", kind) => kind,
            ("!", kind) => OperandKind::Not(Box::new(Operand { kind, ..argument })),
            _ => OperandKind::Other,
        };
        Some(Operand { span, kind })
    }

    fn primary(&mut self, depth: usize) -> Option<OperandKind<'t>> {
        let (kind, word) = (self.token()?.kind, self.word());
        self.at += 1;
        Some(match (kind, word) {
            // `generic(x)` in initialisers.
            (Kind::Name, _) if self.eat("(") => {
                self.operands(")", depth + 1)?;
                OperandKind::Other
            }
            // `%tid.x`
            (Kind::Name, _) => match self.take(Kind::Dotted) {
                Some(_) => OperandKind::Other,
                None => OperandKind::Name(word),
            },
            (Kind::Number, _) => integer(word).map_or(OperandKind::Other, OperandKind::Integer),
            (Kind::Text, _) => OperandKind::Other,
            (_, "[") => {
                let inside = self.operands("]", depth + 1)?;
                OperandKind::Address(Some(inside).filter(|inside| !inside.is_empty())?)
            }
            (_, "{") => OperandKind::Vector(self.operands("}", depth + 1)?),
            (_, "(") => {
                let inside = self.operands(")", depth + 1)?;
                match inside.first().map(|first| &first.kind) {
                    Some(&OperandKind::Integer(value)) if inside.len() == 1 => {
                        OperandKind::Integer(value)
                    }
                    _ => OperandKind::List(inside),
                }
            }
            _ => {
                self.at -= 1;
                return None;
            }
        })
    }

    /// Returns the place of the token that was read last.
    pub(super) fn before(&self) -> Span {
        let last = self.at.checked_sub(1);
        last.map_or(Span::default(), |at| self.tokens[at].span)
    }
}

fn precedence(operator: &str) -> Option<u32> {
    Some(match operator {
        "||" => 1,
        "&&" => 2,
        "|" => 3,
        "^" => 4,
        "&" => 5,
        "==" | "!=" => 6,
        "<" | "<=" | ">" | ">=" => 7,
        "<<" | ">>" => 8,
        "+" | "-" => 9,
        "*" | "/" => 10,
        _ => return None,
    })
}

fn joined<'t>(operator: &str, left: Operand<'t>, right: Operand<'t>) -> OperandKind<'t> {
    match (&left.kind, &right.kind) {
        (&OperandKind::Integer(a), &OperandKind::Integer(b)) => {
            fold(operator, a, b).map_or(OperandKind::Other, OperandKind::Integer)
        }
        // Pairs of pairs mean nothing, and could nest without a bound.
        (OperandKind::Pair(..), _) | (_, OperandKind::Pair(..)) => OperandKind::Other,
        _ if operator == "|" => OperandKind::Pair(Box::new(left), Box::new(right)),
        _ => OperandKind::Other,
    }
}

/// Parses an integer constant of PTX.
pub(super) fn integer(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches('U');
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (digits.part(2..), 16),
        [b'0', b'b' | b'B', ..] => (digits.part(2..), 2),
        [b'0', _, ..] => (digits.part(1..), 8),
        _ => (digits, 10),
    };
    u64::from_str_radix(digits, radix).ok()
}

/// Evaluates a binary operator on constants. PTX computes them in 64 bits; division, shifts to the right and
/// comparisons are signed.
fn fold(operator: &str, a: u64, b: u64) -> Option<u64> {
    let (signed_a, signed_b) = (a as i64, b as i64);
    let shift = u32::try_from(b).ok();
    Some(match operator {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" => signed_a.checked_div(signed_b)? as u64,
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "<<" => a.checked_shl(shift?)?,
        ">>" => signed_a.checked_shr(shift?)? as u64,
        "&&" => u64::from(a != 0 && b != 0),
        "||" => u64::from(a != 0 || b != 0),
        "==" => u64::from(a == b),
        "!=" => u64::from(a != b),
        "<" => u64::from(signed_a < signed_b),
        "<=" => u64::from(signed_a <= signed_b),
        ">" => u64::from(signed_a > signed_b),
        ">=" => u64::from(signed_a >= signed_b),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_come_in_four_bases() {
        let cases = [
            ("0", Some(0)),
            ("0U", Some(0)),
            ("0777", Some(0o777)),
            ("0x0003028100000000", Some(0x0003_0281_0000_0000)),
            ("0XffU", Some(255)),
            ("0b1010U", Some(10)),
            ("18446744073709551615", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("09", None),
        ];
        for (text, value) in cases {
            assert_eq!(integer(text), value, "{text}");
        }
    }

    #[test]
    fn constant_expressions_never_overflow() {
        assert_eq!(fold("/", 1, 0), None);
        assert_eq!(fold("/", i64::MIN as u64, u64::MAX), None);
        assert_eq!(fold("<<", 1, 64), None);
        assert_eq!(fold(">>", u64::MAX, 63), Some(u64::MAX));
        assert_eq!(fold("-", 1, 2), Some(u64::MAX));
    }
}

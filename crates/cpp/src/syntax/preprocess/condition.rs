//! The arithmetic of `#if`: intmax_t and uintmax_t of 64 bits.

use crate::syntax::symbols::{self as sym, Sym, Symbols};
use crate::syntax::tokens::{Kind, Token};

/// Parentheses and operators inside of each other.
const MAX_DEPTH: usize = 200;

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value {
    bits: u64,
    is_unsigned: bool,
}

/// Evaluates the condition of an `#if` after macro expansion; `None` if it does not parse.
pub(super) fn is_true(tokens: &[Token], symbols: &Symbols) -> Option<bool> {
    let mut reader = Reader {
        tokens,
        symbols,
        at: 0,
        depth: 0,
    };
    let value = reader.conditional(true)?;
    (reader.at == tokens.len()).then_some(value.bits != 0)
}

struct Reader<'t> {
    tokens: &'t [Token],
    symbols: &'t Symbols,
    at: usize,
    depth: usize,
}

fn signed(value: i64) -> Value {
    Value {
        bits: value as u64,
        is_unsigned: false,
    }
}

fn truth(is_true: bool) -> Value {
    signed(i64::from(is_true))
}

impl Reader<'_> {
    fn peek(&self) -> Option<Sym> {
        let text = self.tokens.get(self.at)?.text;
        Some(match text {
            sym::AND => sym::AND_AND,
            sym::OR => sym::OR_OR,
            sym::NOT => sym::EXCLAMATION,
            sym::NOT_EQ => sym::NOT_EQUAL,
            sym::BITAND => sym::AMPERSAND,
            sym::BITOR => sym::PIPE,
            sym::XOR => sym::CARET,
            sym::COMPL => sym::TILDE,
            text => text,
        })
    }

    fn take(&mut self, text: Sym) -> bool {
        let is_it = self.peek() == Some(text);
        self.at += usize::from(is_it);
        is_it
    }

    /// Evaluates `a ? b : c`; a part that is not evaluated may divide by zero.
    fn conditional(&mut self, is_live: bool) -> Option<Value> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let condition = self.binary(0, is_live)?;
        let value = if self.take(sym::QUESTION) {
            let is_true = condition.bits != 0;
            let then = self.conditional(is_live && is_true)?;
            if !self.take(sym::COLON) {
                return None;
            }
            let otherwise = self.conditional(is_live && !is_true)?;
            let chosen = if is_true { then } else { otherwise };
            Value {
                is_unsigned: then.is_unsigned || otherwise.is_unsigned,
                ..chosen
            }
        } else {
            condition
        };
        self.depth -= 1;
        Some(value)
    }

    fn binary(&mut self, least: u8, is_live: bool) -> Option<Value> {
        let mut left = self.unary(is_live)?;
        while let Some(op) = self.peek() {
            let Some(rank) = rank(op).filter(|&rank| rank >= least) else {
                break;
            };
            self.at += 1;
            let is_decided = match op {
                sym::AND_AND => left.bits == 0,
                sym::OR_OR => left.bits != 0,
                _ => false,
            };
            let right = self.binary(rank + 1, is_live && !is_decided)?;
            left = apply(op, left, right, is_live)?;
        }
        Some(left)
    }

    fn unary(&mut self, is_live: bool) -> Option<Value> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let op = self.peek()?;
        self.at += 1;
        let value = match op {
            sym::OPEN => {
                let value = self.conditional(is_live)?;
                if !self.take(sym::CLOSE) {
                    return None;
                }
                value
            }
            sym::EXCLAMATION => truth(self.unary(is_live)?.bits == 0),
            sym::TILDE => {
                let value = self.unary(is_live)?;
                Value {
                    bits: !value.bits,
                    ..value
                }
            }
            sym::PLUS => self.unary(is_live)?,
            sym::MINUS => {
                let value = self.unary(is_live)?;
                Value {
                    bits: value.bits.wrapping_neg(),
                    ..value
                }
            }
            _ => self.primary(self.tokens[self.at - 1])?,
        };
        self.depth -= 1;
        Some(value)
    }

    fn primary(&self, token: Token) -> Option<Value> {
        let text = self.symbols.text(token.text);
        match token.kind {
            Kind::Word => Some(truth(token.text == sym::TRUE)),
            Kind::Number => number(text),
            Kind::Char => {
                let value = crate::syntax::literals::character(text)?;
                Some(signed(i64::from(value.cast_signed())))
            }
            _ => None,
        }
    }
}

fn number(text: &str) -> Option<Value> {
    let (value, suffix) = crate::syntax::literals::integer(text)?;
    let bits = u64::try_from(value).ok()?;
    let is_large = i64::try_from(bits).is_err();
    Some(Value {
        bits,
        is_unsigned: suffix.is_unsigned || is_large,
    })
}

fn rank(op: Sym) -> Option<u8> {
    Some(match op {
        sym::OR_OR => 1,
        sym::AND_AND => 2,
        sym::PIPE => 3,
        sym::CARET => 4,
        sym::AMPERSAND => 5,
        sym::EQUAL_EQUAL | sym::NOT_EQUAL => 6,
        sym::LESS | sym::GREATER | sym::LESS_EQUAL | sym::GREATER_EQUAL => 7,
        sym::SHIFT_LEFT | sym::SHIFT_RIGHT => 8,
        sym::PLUS | sym::MINUS => 9,
        sym::STAR | sym::SLASH | sym::PERCENT => 10,
        _ => return None,
    })
}

fn apply(op: Sym, left: Value, right: Value, is_live: bool) -> Option<Value> {
    let is_unsigned = left.is_unsigned || right.is_unsigned;
    let of = |bits: u64| Value { bits, is_unsigned };
    let (a, b) = (left.bits, right.bits);
    let (x, y) = (a as i64, b as i64);
    let order = match is_unsigned {
        true => a.cmp(&b),
        false => x.cmp(&y),
    };
    Some(match op {
        sym::OR_OR => truth(a != 0 || b != 0),
        sym::AND_AND => truth(a != 0 && b != 0),
        sym::PIPE => of(a | b),
        sym::CARET => of(a ^ b),
        sym::AMPERSAND => of(a & b),
        sym::EQUAL_EQUAL => truth(a == b),
        sym::NOT_EQUAL => truth(a != b),
        sym::LESS => truth(order.is_lt()),
        sym::GREATER => truth(order.is_gt()),
        sym::LESS_EQUAL => truth(order.is_le()),
        sym::GREATER_EQUAL => truth(order.is_ge()),
        sym::SHIFT_LEFT => shifted(left, right, true),
        sym::SHIFT_RIGHT => shifted(left, right, false),
        sym::PLUS => of(a.wrapping_add(b)),
        sym::MINUS => of(a.wrapping_sub(b)),
        sym::STAR => of(a.wrapping_mul(b)),
        // `#if` of a quotient by zero is an error; in a part that does not count it is nothing.
        _ if b == 0 => (!is_live).then_some(of(0))?,
        sym::SLASH if is_unsigned => of(a / b),
        sym::SLASH => of(x.wrapping_div(y) as u64),
        _ if is_unsigned => of(a % b),
        _ => of(x.wrapping_rem(y) as u64),
    })
}

/// Shifts a value; a negative amount shifts in the other direction, as in GCC.
fn shifted(value: Value, amount: Value, is_left: bool) -> Value {
    let is_negative = !amount.is_unsigned && (amount.bits as i64) < 0;
    let is_left = is_left != is_negative;
    let amount = match is_negative {
        true => amount.bits.wrapping_neg(),
        false => amount.bits,
    };
    let bits = match (is_left, value.is_unsigned) {
        (true, _) if amount >= 64 => 0,
        (true, _) => value.bits << amount,
        (false, true) if amount >= 64 => 0,
        (false, true) => value.bits >> amount,
        (false, false) => ((value.bits as i64) >> amount.min(63)) as u64,
    };
    Value { bits, ..value }
}

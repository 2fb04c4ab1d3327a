//! The results of instructions, as far as their operands are known.

use super::registers::width;
use a2lint_ir::KnownBits;
use a2lint_source::text::Slice;
use a2lint_syntax::ptx::ast::{Instruction, Operand, OperandKind};

/// A scalar integer type.
#[derive(Clone, Copy)]
struct Integer {
    bits: u32,
    signed: bool,
}

impl Integer {
    /// Reads a modifier such as `.u32`; `None` for floats and packed types.
    fn from_modifier(text: &str) -> Option<Integer> {
        let kind = *text.as_bytes().get(1)?;
        let plain = text.part(2..).bytes().all(|byte| byte.is_ascii_digit());
        let bits = width(text).filter(|&bits| bits <= 64)?;
        (plain && matches!(kind, b'b' | b'u' | b's')).then_some(Integer {
            bits,
            signed: kind == b's',
        })
    }

    /// Extends the value of a register of this type to 64 bits.
    fn widened(self, value: KnownBits) -> KnownBits {
        match self.signed {
            true => value.sign_extended(self.bits),
            false => value.truncated(self.bits),
        }
    }
}

/// Returns what an instruction writes into its destination at `index`; `None` if the instruction is not modelled.
/// `value` returns the known bits of an operand.
pub(super) fn result<'t>(
    instruction: &Instruction<'t>,
    index: usize,
    value: &mut dyn FnMut(&Operand<'t>) -> KnownBits,
) -> Option<KnownBits> {
    let (destination, sources) = instruction.operands.split_first()?;
    let types: Vec<Integer> = instruction
        .modifiers
        .iter()
        .filter_map(|modifier| Integer::from_modifier(modifier.text))
        .collect();
    // The last type is that of the sources; `cvt` names the result's type before it.
    let kind = *types.last()?;
    let has = |text: &str| instruction.modifiers.iter().any(|m| m.text == text);
    // Saturation clamps to the range of the type, which bits alone do not decide.
    if has(".sat") {
        return None;
    }
    if let OperandKind::Vector(items) = &destination.kind {
        let unpacks = instruction.opcode.text == "mov";
        return match sources {
            [source] if unpacks => unpacked(value(source), items.len(), index, kind),
            _ => None,
        };
    }
    if !matches!(destination.kind, OperandKind::Name(_)) {
        return None;
    }
    let computed = match (instruction.opcode.text, sources) {
        ("mov", [source]) => match &source.kind {
            OperandKind::Vector(items) => packed(items, kind, value)?,
            _ => value(source),
        },
        // Extended by the source type first; the result is truncated to its own type below.
        ("cvt", [source]) if types.len() == 2 => kind.widened(value(source)),
        ("not", [source]) => !value(source),
        ("neg", [source]) => value(source).negated(),
        ("and", [a, b]) => value(a) & value(b),
        ("or", [a, b]) => value(a) | value(b),
        ("xor", [a, b]) => value(a) ^ value(b),
        // With a carry flag, the instruction reads or writes more than its operands.
        ("add", [a, b]) if !has(".cc") => value(a).plus(value(b)),
        ("sub", [a, b]) if !has(".cc") => value(a).plus(value(b).negated()),
        ("shl", [a, by]) => value(a).shifted_left(amount(value(by))?),
        ("shr", [a, by]) => shifted_right(kind, value(a), amount(value(by))?),
        ("mul", [a, b]) if has(".hi") => return high_product(kind, value(a), value(b)),
        ("mul", [a, b]) => product(has(".wide"), kind, value(a), value(b)),
        ("mad", [a, b, c]) if !has(".hi") && !has(".cc") => {
            product(has(".wide"), kind, value(a), value(b)).plus(value(c))
        }
        ("bfi", [field, base, position, length]) => {
            let (position, length) = (byte(value(position))?, byte(value(length))?);
            value(base)
                .truncated(kind.bits)
                .with_field(value(field), position, length)
        }
        // Signed extraction copies the field's top bit, which may be unknown.
        ("bfe", [a, position, length]) if !kind.signed => {
            let (position, length) = (byte(value(position))?, byte(value(length))?);
            value(a)
                .truncated(kind.bits)
                .shifted_right(position)
                .truncated(length)
        }
        // The predicate is not evaluated, so only bits on which both operands agree are known.
        ("selp", [a, b, _]) => value(a).join(value(b)),
        ("lop3", [a, b, c, table]) => {
            let table = value(table).as_constant()?;
            lookup([value(a), value(b), value(c)], table)
        }
        _ => return None,
        // Registers hold no more bits than the type of the result.
    };
    let bits = match (instruction.opcode.text, types.as_slice()) {
        ("cvt", [result, _]) => result.bits,
        ("mul" | "mad", _) if has(".wide") => 2 * kind.bits,
        _ => kind.bits,
    };
    Some(computed.truncated(bits))
}

/// Returns a shift amount; amounts above the width shift everything out.
fn amount(value: KnownBits) -> Option<u32> {
    let amount = value.bits(u64::from(u32::MAX))?;
    Some(amount.min(64) as u32)
}

/// Returns the low byte, the only one that bit-field instructions read.
fn byte(value: KnownBits) -> Option<u32> {
    value.bits(0xff).map(|byte| byte as u32)
}

fn shifted_right(kind: Integer, value: KnownBits, by: u32) -> KnownBits {
    if !kind.signed {
        return value.truncated(kind.bits).shifted_right(by);
    }
    // An arithmetic shift copies the sign, which must be known.
    match kind.widened(value).as_constant() {
        Some(value) => KnownBits::constant(((value as i64) >> by.min(63)) as u64),
        None => KnownBits::UNKNOWN,
    }
}

fn product(wide: bool, kind: Integer, a: KnownBits, b: KnownBits) -> KnownBits {
    match wide {
        true => kind.widened(a).times(kind.widened(b)),
        false => a.times(b),
    }
}

/// Returns the high half of a product of constants; `None` if an operand is not fully known.
fn high_product(kind: Integer, a: KnownBits, b: KnownBits) -> Option<KnownBits> {
    let [a, b] = [a, b].map(|value| kind.widened(value).as_constant());
    let (a, b) = (a?, b?);
    let wide = match kind.signed {
        true => (i128::from(a as i64) * i128::from(b as i64)) as u128,
        false => u128::from(a) * u128::from(b),
    };
    Some(KnownBits::constant((wide >> kind.bits) as u64).truncated(kind.bits))
}

/// Packs items into one value: `mov.b64 %rd, {%low, %high}`.
fn packed<'t>(
    items: &[Operand<'t>],
    kind: Integer,
    value: &mut dyn FnMut(&Operand<'t>) -> KnownBits,
) -> Option<KnownBits> {
    let width = kind.bits.checked_div(items.len() as u32)?;
    let mut whole = KnownBits::constant(0);
    for (item, at) in items.iter().zip(0..) {
        whole = whole.with_field(value(item), at * width, width);
    }
    Some(whole)
}

/// Unpacks one item of a value: `mov.b64 {%low, %high}, %rd`.
fn unpacked(value: KnownBits, count: usize, index: usize, kind: Integer) -> Option<KnownBits> {
    let width = kind.bits.checked_div(count as u32)?;
    Some(value.shifted_right(index as u32 * width).truncated(width))
}

/// Evaluates the bitwise function of three words whose truth table is the low byte of `table`.
fn lookup(words: [KnownBits; 3], table: u64) -> KnownBits {
    let [a, b, c] = words;
    let mut found = KnownBits::constant(0);
    // One product term for each row of the table that is true.
    for row in (0..8u64).filter(|row| table >> row & 1 == 1) {
        let pick = |word: KnownBits, bit: u64| if row & bit != 0 { word } else { !word };
        found = found | (pick(a, 4) & pick(b, 2) & pick(c, 1));
    }
    found
}

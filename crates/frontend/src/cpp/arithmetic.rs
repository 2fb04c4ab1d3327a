//! Arithmetic of constants.

use a2lint_isa::masks::Element;
use a2lint_syntax::cpp::BinaryOp;

/// Truncates a value to the width of a type.
pub(super) fn truncate(value: i128, element: Element) -> i128 {
    let bits = 8 * element.bytes() as u32;
    let low = value & ((1 << bits) - 1);
    let signed = !element.name().starts_with('u');
    match signed && low >> (bits - 1) == 1 {
        true => low - (1 << bits),
        false => low,
    }
}

pub(super) fn binary(op: BinaryOp, left: i128, right: i128) -> Option<i128> {
    let shift = || u32::try_from(right).ok().filter(|&bits| bits < 100);
    let truth = |value: bool| Some(i128::from(value));
    match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Sub => left.checked_sub(right),
        BinaryOp::Mul => left.checked_mul(right),
        BinaryOp::Div => left.checked_div(right),
        BinaryOp::Rem => left.checked_rem(right),
        BinaryOp::Shl => left.checked_mul(1i128 << shift()?),
        BinaryOp::Shr => Some(left >> shift()?),
        BinaryOp::And => Some(left & right),
        BinaryOp::Or => Some(left | right),
        BinaryOp::Xor => Some(left ^ right),
        BinaryOp::LogicalAnd => truth(left != 0 && right != 0),
        BinaryOp::LogicalOr => truth(left != 0 || right != 0),
        BinaryOp::Equal => truth(left == right),
        BinaryOp::NotEqual => truth(left != right),
        BinaryOp::Less => truth(left < right),
        BinaryOp::LessEqual => truth(left <= right),
        BinaryOp::Greater => truth(left > right),
        BinaryOp::GreaterEqual => truth(left >= right),
    }
}

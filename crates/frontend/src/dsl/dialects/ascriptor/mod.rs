//! Ascriptor: the syntax tree of a kernel is compiled.

pub mod control;
mod depths;
pub mod factories;
mod globals;
pub mod launches;
mod parameters;
mod scalars;
pub mod statements;
pub mod symbols;

use super::super::facade::{Builtin, Global};
use super::{Language, Meaning};
use a2lint_ir::{BinaryOp, toolchain};
use a2lint_isa::{DType, Dialect};

pub(super) static LANGUAGE: Language = Language {
    dialect: Dialect::Ascriptor,
    toolchain: &toolchain::ASCRIPTOR,
    package: "ascriptor",
    name,
    names: &[
        "GM",
        "GMList",
        "GMBuff",
        "Align8",
        "kernel",
        "static_assert",
        "static_print",
        "set_mask_by_count",
        "set_mask_normal",
        "var_div",
        "var_inv",
        "var_mod",
        "var_xor",
        "f16",
        "bf16",
        "f32",
        "i8",
        "u8",
        "i16",
        "u16",
        "i32",
        "u32",
        "i64",
        "u64",
        "b1",
    ],
    others: &["Conv2D", "GMTensorList", "DEVICE"],
    shortcuts: &[],
    is_compiled: true,
};

fn name(name: &str) -> Option<Meaning> {
    use Builtin as B;
    // Short names (`f16`, `bf16`) are exported by the facade itself; the long ones are attributes of `DT`.
    let is_short = name.len() <= 4 && name.chars().last().is_some_and(|c| c.is_ascii_digit());
    if let Some(dtype) = DType::from_name(name).filter(|_| is_short) {
        return Some(Meaning::DType(dtype));
    }
    Some(Meaning::Builtin(match name {
        "GM" => B::GlobalType(Global::Tensor),
        "GMList" => B::GlobalType(Global::List),
        "GMBuff" => B::GlobalRing,
        "Align8" => B::Align(8),
        "kernel" => B::KernelDecorator(Dialect::Ascriptor),
        "static_assert" => B::StaticAssert,
        // Printing and resetting the mask have no effect that the analysis models.
        "static_print" | "set_mask_normal" => B::Nothing,
        "set_mask_by_count" => B::MaskByCount,
        "var_div" => B::Rounded(BinaryOp::Div),
        "var_mod" => B::Rounded(BinaryOp::Mod),
        "var_xor" => B::ScalarBinary(BinaryOp::BitXor),
        "var_inv" => B::Invert,
        _ => return None,
    }))
}

//! Ascriptor: the tree of a kernel is compiled.

pub mod control;
mod depths;
pub mod factories;
mod globals;
pub mod launches;
mod parameters;
mod scalars;
pub mod statements;
pub mod symbols;

use super::super::facade::{Builtin, Global, dtype_name};
use super::{Language, Meaning};
use a2lint_ir::BinaryOp;
use a2lint_ir::build::Conventions;
use a2lint_isa::{Dialect, RepeatRounding};

pub(super) static LANGUAGE: Language = Language {
    dialect: Dialect::Ascriptor,
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
    conventions: Conventions {
        repeat_rounding: RepeatRounding::Up,
        infers_whole_loads: true,
        rounds_products: false,
        takes_numbers_as_operands: false,
    },
};

fn name(name: &str) -> Option<Meaning> {
    use Builtin as B;
    let is_short = name.len() <= 4 && name.chars().last().is_some_and(|c| c.is_ascii_digit());
    if let Some(dtype) = dtype_name(name).filter(|_| is_short) {
        return Some(Meaning::DType(dtype));
    }
    Some(Meaning::Builtin(match name {
        "GM" => B::GlobalType(Global::Tensor),
        "GMList" => B::GlobalType(Global::List),
        "GMBuff" => B::GlobalRing,
        "Align8" => B::Align(8),
        "kernel" => B::KernelDecorator(Dialect::Ascriptor),
        "static_assert" => B::StaticAssert,
        "static_print" | "set_mask_normal" => B::Nothing,
        "set_mask_by_count" => B::MaskByCount,
        "var_div" => B::Rounded(BinaryOp::Div),
        "var_mod" => B::Rounded(BinaryOp::Mod),
        "var_xor" => B::ScalarBinary(BinaryOp::BitXor),
        "var_inv" => B::Invert,
        _ => return None,
    }))
}

//! easyasc: Python executes a kernel while it is traced.

use super::super::facade::Builtin;
use super::{Language, Meaning};
use a2lint_ir::{BinaryOp, toolchain};
use a2lint_isa::{Dialect, Opcode};

pub(super) static LANGUAGE: Language = Language {
    dialect: Dialect::Easyasc,
    toolchain: &toolchain::EASYASC,
    package: "easyasc",
    name,
    names: &[
        "VarList",
        "range",
        "If",
        "Elif",
        "Else",
        "break_",
        "continue_",
        "var_div",
        "var_mod",
        "maximum",
        "minimum",
        "kernel",
        "OpExec",
    ],
    others: &[
        "Conv2D",
        "GMTensorList",
        "compile_kernel",
        "set_mask_by_count",
        "set_mask_normal",
    ],
    shortcuts: &[Opcode::Matmul],
    is_compiled: false,
};

fn name(name: &str) -> Option<Meaning> {
    use Builtin as B;
    Some(Meaning::Builtin(match name {
        "VarList" => B::VarList,
        "range" => B::DeviceRange,
        "If" => B::If,
        "Elif" => B::Elif,
        "Else" => B::Else,
        "break_" => B::Break,
        "continue_" => B::Continue,
        "var_div" => B::ScalarBinary(BinaryOp::Div),
        "var_mod" => B::ScalarBinary(BinaryOp::Mod),
        "maximum" => B::Maximum,
        "minimum" => B::Minimum,
        "kernel" => B::KernelDecorator(Dialect::Easyasc),
        "OpExec" => B::OpExec,
        _ => return None,
    }))
}

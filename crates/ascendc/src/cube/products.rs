//! `Mmad`.

use a2lint_ir::ScalarId;
use a2lint_ir::build::Argument;
use a2lint_isa::device::FRACTAL;
use a2lint_isa::{Opcode, Position};

use super::super::cx::{Cx, Lowered, lost, take};
use super::super::tensors::Local;

/// The initial value of the sums of a product.
enum Start {
    /// 0 if the flag is set, else the contents of L0C.
    Zero(ScalarId),
    /// A bias if the flag is set, else the contents of L0C.
    Bias(ScalarId, Local),
}

/// Lowers `Mmad(c, a, b, MmadParams)`, `Mmad(c, a, b, bias, MmadParams)`.
pub fn multiply(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    // With and without a bias, the parameter struct is the last argument.
    let params = cx.count().saturating_sub(1);
    let (dst, a, b) = (take!(cx.local(0)), take!(cx.local(1)), take!(cx.local(2)));
    // The old form of the struct, sparse operands and an aligned K select other computations.
    for (name, value) in [("isBias", 0), ("enSsparse", 0), ("kDirectionAlign", 0)] {
        take!(cx.must_be(params, name, value));
    }
    let [m, n, k] = [
        take!(cx.field(params, "m")),
        take!(cx.field(params, "n")),
        take!(cx.field(params, "k")),
    ];
    let unit_flag = take!(cx.field(params, "unitFlag"));
    let start = take!(start(cx, params));
    let sites = [0, 1, 2, 3].map(|at| cx.span(at));
    let span = cx.span(params);
    let builder = cx.builder();
    let width = a.dtype.c0();
    // Operands and results are padded to whole fractals: the device reads and writes the padding, too.
    let sums = super::fractals(builder, m, n, FRACTAL);
    let rows = super::fractals(builder, m, k, width);
    let columns = super::fractals(builder, n, k, width);
    let dst = dst.view(builder, Some(sums), sites[0]);
    let a = a.view(builder, Some(rows), sites[1]);
    let b = b.view(builder, Some(columns), sites[2]);
    let bias = match &start {
        Start::Bias(_, bias) => Some(bias.view(builder, Some(n), sites[3])),
        Start::Zero(_) => None,
    };
    let (Start::Zero(init) | Start::Bias(init, _)) = start;
    let mut emission = cx
        .instruction(Opcode::Mmad)
        .local("dst", dst)
        .local("src_a", a)
        .local("src_b", b)
        .number("M", m, span)
        .number("N", n, span)
        .number("K", k, span)
        .number("unit_flag", unit_flag, span)
        .with("is_init", Argument::Scalar(init), span);
    if let Some(bias) = bias {
        emission = emission.local("bias", bias);
    }
    cx.emit(emission)
}

/// Lowers `SetHF32Mode(on)`.
pub fn fast_floats(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let enable = take!(cx.argument(0));
    let span = cx.span(0);
    let emission = cx.instruction(Opcode::SetHf32).with("enable", enable, span);
    cx.emit(emission)
}

/// Returns the initial value of the sums: C = (init ? 0 : source ? bias : C) + A * B.
fn start(cx: &mut Cx<'_, '_, '_>, params: usize) -> Lowered<Start> {
    let init = take!(cx.field(params, "cmatrixInitVal"));
    let source = take!(cx.field(params, "cmatrixSource"));
    let none = cx.builder().int(0);
    if params < 4 {
        return match source == none {
            true => Ok(Ok(Start::Zero(init))),
            false => lost!("`Mmad` with `cmatrixSource` and without a bias is not followed"),
        };
    }
    let bias = take!(cx.local(3));
    if bias.position(&cx.eval.builder) != Position::Bt {
        lost!("`Mmad` with a bias outside of the bias table is not followed");
    }
    match (init == none, source == none) {
        (true, false) => Ok(Ok(Start::Bias(source, bias))),
        (false, _) => lost!("`Mmad` with a bias is followed where `cmatrixInitVal` is false"),
        (true, true) => lost!("`Mmad` with a bias is followed where `cmatrixSource` is given"),
    }
}

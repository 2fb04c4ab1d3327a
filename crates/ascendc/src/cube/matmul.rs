//! Matrix products in global memory, which Matmul objects compute.

use a2lint_cpp::eval::Operand;
use a2lint_ir::build::{Builder, Region};
use a2lint_ir::{AtomicKind, Global, GlobalKind, Scalar, ScalarId, SpecialScalar, View};
use a2lint_isa::{Opcode, Pipe, Position, Side};

use super::super::cx::{Cx, Lowered, follows, lost, take};
use super::super::numbers;
use super::super::objects::Object;
use super::super::tensors::InGlobal;

/// The index of the argument with the parameters of the product (`A2lintProduct`).
const PARAMS: usize = 4;

/// A matrix in memory: rows, columns, and the number of elements between the starts of two rows (pitch).
#[derive(Clone, Copy)]
struct Matrix {
    tensor: InGlobal,
    rows: ScalarId,
    columns: ScalarId,
    pitch: ScalarId,
}

/// Gives up on a tensor in UB that receives a block (`A2lintReceive(c)` in `matmul.h`).
pub fn receive(_: &mut Cx<'_, '_, '_>) -> Lowered {
    lost!("a block that a Matmul object moves to UB through memory of the library is not followed")
}

/// Notes that the library uses a tensor (`A2lintBorrow(tmp)` in `matmul.h`).
pub fn borrow(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    if let Ok(tmp) = cx.local(0)? {
        cx.builder().program.demanded.push(tmp.buffer);
    }
    Ok(Ok(()))
}

/// Lowers `A2lintPassage(gm)`, which declares global memory of the library: as much as UB has, for each vec core.
pub fn passage(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let Some(dtype) = cx.template_dtype(0) else {
        follows!("the element type of a tensor is not known");
    };
    let span = cx.call.span;
    let builder = cx.builder();
    let bytes = builder.program.device.capacity(Position::Ub);
    let size = builder.int(bytes * 8 / dtype.bits());
    let special = |builder: &mut Builder, of| builder.program.scalars.intern(Scalar::Special(of));
    let cores = special(builder, SpecialScalar::VecNum);
    let core = special(builder, SpecialScalar::VecIdx);
    let extent = numbers::mul(builder, cores, size);
    let global = builder.add_global(Global {
        name: "the memory of a Matmul object".into(),
        dtype: Some(dtype),
        shape: vec![extent],
        kind: GlobalKind::Workspace,
        span,
        mutex: None,
        ring: None,
    });
    let offset = numbers::mul(builder, core, size);
    let tensor = InGlobal {
        global,
        offset,
        size,
        dtype,
        set: None,
    };
    if let Some(cell) = cx.operand(0).and_then(Operand::object) {
        let object = Object::Global(Some(tensor));
        cx.eval.write(cell, object.value())?;
    }
    Ok(Ok(()))
}

/// Emits the product of `A2lintMultiply(c, a, b, bias, product)` in `matmul.h`.
pub fn multiply(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    for (name, what) in [
        ("isElsewhere", "with an operand outside of global memory"),
        ("isLaidOut", "of matrices that do not lie in rows"),
        (
            "isSpecial",
            "with HF32, quantisation, shared operands or callbacks",
        ),
        ("isPartial", "whose sums go on"),
        (
            "isLater",
            "whose block is fetched after other stores or flags between cores",
        ),
    ] {
        match cx.field_value(PARAMS, name)?.known_int() {
            Some(0) => {}
            Some(_) => lost!("a Matmul object {what} is not followed"),
            None => lost!("whether a Matmul object works {what} is not known"),
        }
    }
    let [m, n, k] = [
        take!(cx.field(PARAMS, "m")),
        take!(cx.field(PARAMS, "n")),
        take!(cx.field(PARAMS, "k")),
    ];
    let transposes_a = take!(known_flag(cx, "transposesA"));
    let transposes_b = take!(known_flag(cx, "transposesB"));
    let sides = |is_transposed, [rows, columns]: [ScalarId; 2]| match is_transposed {
        true => [columns, rows],
        false => [rows, columns],
    };
    let c = take!(matrix(cx, 0, [m, n], "pitchC"));
    let a = take!(matrix(cx, 1, sides(transposes_a, [m, k]), "pitchA"));
    let b = take!(matrix(cx, 2, sides(transposes_b, [k, n]), "pitchB"));
    let bias = match take!(known_flag(cx, "hasBias")) {
        true => Some(take!(operand(cx, 3))),
        false => None,
    };
    let (pipe, is_vec) = match cx.side {
        Side::Vec => (Pipe::Mte3, true),
        Side::Cube | Side::Both => (Pipe::Fix, false),
    };
    let called = match take!(known_flag(cx, "isBlock")) {
        true => "GetTensorC",
        false => "IterateAll",
    };
    let span = cx.call.span;
    let [to, left, right] = [c, a, b].map(|it| it.view(cx));
    let mut emission = cx
        .instruction(Opcode::MultiplyGm)
        .called(called)
        .view("dst", to)
        .view("a", left)
        .view("b", right)
        .pipe("pipe", pipe, span)
        .number("M", m, span)
        .number("N", n, span)
        .number("N_dst", c.pitch, span)
        .number("rows_a", a.rows, span)
        .number("columns_a", a.columns, span)
        .number("pitch_a", a.pitch, span)
        .number("rows_b", b.rows, span)
        .number("columns_b", b.columns, span)
        .number("pitch_b", b.pitch, span)
        .with("transpose_a", super::flag(transposes_a), span)
        .with("transpose_b", super::flag(transposes_b), span);
    if let Some(bias) = bias {
        let bias = bias.view(cx.builder(), n, span);
        emission = emission.view("bias", View::Global(bias));
    }
    let atomic = take!(atomic(cx, is_vec));
    let Some(kind) = atomic else {
        return cx.emit(emission);
    };
    cx.builder().open_block();
    let emitted = cx.emit(emission);
    let body = cx.builder().close_block();
    take!(emitted);
    cx.builder().region(Region::Atomic(kind), body)?;
    Ok(Ok(()))
}

impl Matrix {
    /// Returns the view from the first to the last element of the matrix.
    fn view(self, cx: &mut Cx<'_, '_, '_>) -> View {
        let span = cx.call.span;
        let builder = cx.builder();
        let length = super::extent(builder, self.rows, self.pitch, self.columns);
        View::Global(self.tensor.view(builder, length, span))
    }
}

/// Returns an operand as a matrix whose pitch is in the member `pitch` of the parameters.
fn matrix(
    cx: &mut Cx<'_, '_, '_>,
    at: usize,
    [rows, columns]: [ScalarId; 2],
    pitch: &str,
) -> Lowered<Matrix> {
    Ok(Ok(Matrix {
        tensor: take!(operand(cx, at)),
        rows,
        columns,
        pitch: take!(cx.field(PARAMS, pitch)),
    }))
}

/// Returns an operand in global memory; fails if the kernel has not set it.
fn operand(cx: &mut Cx<'_, '_, '_>, at: usize) -> Lowered<InGlobal> {
    match cx.object(at)? {
        Some(Object::Global(None)) => {
            lost!("a Matmul object multiplies before all of its operands are set")
        }
        Some(Object::Global(Some(tensor))) => {
            take!(cx.has_own_type(tensor));
            Ok(Ok(tensor))
        }
        _ => follows!("which operand a Matmul object has is not known"),
    }
}

/// Returns a flag of the parameters; fails if its value is unknown.
fn known_flag(cx: &mut Cx<'_, '_, '_>, name: &str) -> Lowered<bool> {
    match cx.field_value(PARAMS, name)?.known_int() {
        Some(value) => Ok(Ok(value != 0)),
        None => lost!(
            "how a Matmul object takes its operands has to be known when the kernel is compiled"
        ),
    }
}

/// Returns the atomic operation with which the result is stored; `None` if it overwrites. The mode of a vec core does
/// not affect the cube that computes for it.
fn atomic(cx: &mut Cx<'_, '_, '_>, is_vec: bool) -> Lowered<Option<AtomicKind>> {
    let own = match is_vec {
        true => None,
        false => take!(cx.atomic()).map(|atomic| atomic.kind),
    };
    let asked = match cx.field_value(PARAMS, "atomic")?.known_int() {
        Some(0) => None,
        Some(1) => Some(AtomicKind::Add),
        Some(2) => Some(AtomicKind::Max),
        Some(3) => Some(AtomicKind::Min),
        _ => lost!("how a Matmul object stores has to be known when the kernel is compiled"),
    };
    match own == asked || own.is_none() {
        true => Ok(Ok(asked)),
        false => lost!("a Matmul object on a cube that stores atomically is not followed"),
    }
}

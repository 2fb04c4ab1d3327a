//! The cube: copies to L1, loads of operands, products, and what leaves L0C.
//!
//! Tensors in these memories are addressed: each call says where rows, strips of columns and fractals lie.

pub mod copies;
mod matmul;
mod operands;
mod products;
mod results;

use a2lint_cpp::library::Evaluated;
use a2lint_ir::build::{Argument, Builder, TooLarge};
use a2lint_ir::{Number, ScalarId};
use a2lint_isa::device::FRACTAL;
use a2lint_isa::{DType, Position, Side};

use super::cx::{Cx, Lowered, lost};
use super::numbers;

/// Lowers a call of this group; returns `None` for names of other groups.
pub fn lower(cx: &mut Cx<'_, '_, '_>) -> Option<Lowered> {
    match cx.call.name {
        "A2lintMultiply" => return Some(matmul::multiply(cx)),
        "A2lintPassage" => return Some(matmul::passage(cx)),
        "A2lintBorrow" => return Some(matmul::borrow(cx)),
        "A2lintReceive" => return Some(matmul::receive(cx)),
        _ => {}
    }
    let lower: fn(&mut Cx<'_, '_, '_>) -> Lowered = match cx.call.name {
        "LoadData" => operands::load,
        "LoadDataWithTranspose" => operands::load_transposed,
        "Mmad" => products::multiply,
        "Fixpipe" => results::fixpipe,
        "SetFixpipeNz2ndFlag" => results::matrices,
        "SetHF32Mode" => products::fast_floats,
        "Fill" | "InitConstValue" => copies::fill,
        _ => return None,
    };
    Some(on_cube(cx, lower))
}

/// Lowers a call that the cube alone executes.
fn on_cube(cx: &mut Cx<'_, '_, '_>, lower: fn(&mut Cx<'_, '_, '_>) -> Lowered) -> Lowered {
    match cx.side {
        Side::Vec => lost!("`{}` on a vec core is not followed", cx.call.name),
        Side::Cube | Side::Both => lower(cx),
    }
}

/// Returns a known flag as an argument.
fn flag(value: bool) -> Argument {
    Argument::Number(Number::Int(value.into()))
}

/// Returns the side (cube or vec) that has a memory.
pub fn side_of(position: Position) -> Side {
    match position {
        Position::Ub => Side::Vec,
        _ => Side::Cube,
    }
}

/// Returns the number of elements from the start of the first to the end of the last of `count` evenly spaced runs.
pub fn extent(
    builder: &mut Builder,
    count: ScalarId,
    pitch: ScalarId,
    length: ScalarId,
) -> ScalarId {
    let one = builder.int(1);
    if count == one {
        return length;
    }
    let others = numbers::sub(builder, count, one);
    let before = numbers::mul(builder, others, pitch);
    numbers::add(builder, before, length)
}

/// Returns the number of elements of a matrix in whole fractals: rows rounded up to 16, columns to `width`.
fn fractals(builder: &mut Builder, rows: ScalarId, columns: ScalarId, width: i64) -> ScalarId {
    let rows = numbers::rounded_up(builder, rows, FRACTAL);
    let columns = numbers::rounded_up(builder, columns, width);
    numbers::mul(builder, rows, columns)
}

/// Returns the number of elements of `count` fractals.
fn of_fractals(builder: &mut Builder, count: ScalarId, dtype: DType) -> ScalarId {
    numbers::times(builder, count, FRACTAL * dtype.c0())
}

impl Cx<'_, '_, '_> {
    /// Fails unless a member of a parameter struct has this value, the only one that is supported.
    fn must_be(&mut self, at: usize, name: &str, value: i128) -> Lowered {
        let found = self.field_value(at, name)?.known_int();
        match found == Some(value) {
            true => Ok(Ok(())),
            false => lost!("`{}` is followed where `{name}` is {value}", self.call.name),
        }
    }

    /// Emits what `body` emits for each of several matrices, which it is given the number of.
    fn each(
        &mut self,
        count: ScalarId,
        body: impl FnOnce(&mut Self, ScalarId) -> Lowered,
    ) -> Lowered {
        let span = self.call.span;
        let builder = self.builder();
        let [none, one] = [builder.int(0), builder.int(1)];
        if count == none {
            return Ok(Ok(()));
        }
        if count == one {
            return body(self, none);
        }
        let open = builder.open_loop("", span, [none, count, one]);
        let index = builder.read(open.counter());
        let done = body(self, index);
        closed(self.builder().close_loop(open))?;
        done
    }
}

fn closed(result: Result<(), TooLarge>) -> Evaluated<()> {
    Ok(result?)
}

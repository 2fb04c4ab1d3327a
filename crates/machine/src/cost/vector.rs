//! The cost of vector instructions on pipe V.

use super::banks;
use super::constants::{CONSTANTS, Rate, rate};
use super::{Cost, ceil, simple};
use crate::{VectorCall, VectorLength};
use a2lint_isa::{BLOCK_BYTES, Class, DType, Pipe, REPEAT_BYTES};

/// Records of all four lists for which the tables give the cost of one repeat of a merge.
const MERGED_RECORDS: i64 = 128;

/// Returns the cost of a vector instruction.
pub fn cost(call: &VectorCall, pipe: Pipe) -> Cost {
    let dtype = |index: usize| Some(call.operands.get(index)?.as_ref()?.dtype);
    let (result, source) = (dtype(0), dtype(1));
    let repeats = repeats(call).max(0);
    let Some(rate) = rate(call.opcode, source, result) else {
        return simple(pipe, CONSTANTS.clock.scalar.value);
    };
    let mut work = rate.fixed + rate.per_eight * ((repeats - 1).max(0) / 8) as f64;
    let apart = rate.per_repeat * repeats as f64;
    // In a slower instruction, the worst conflict is over before the next repeat begins.
    let together = match rate.per_repeat <= banks::WORST {
        true => banks::cycles(
            call,
            repeats,
            rate.per_repeat,
            CONSTANTS.vector.read_write.value,
        ),
        false => apart,
    };
    work += together;
    work += ragged(call);
    let shortest = CONSTANTS.vector.shortest.value.max(rate.shortest);
    let occupancy = (work + unfilled(rate, source, repeats)).max(shortest);
    Cost {
        latency: (work + rate.latency).max(occupancy),
        repeats,
        operations: operations(call, repeats),
        conflicts: (together - apart).max(0.0),
        ..simple(pipe, occupancy)
    }
}

/// Returns the number of repeats.
fn repeats(call: &VectorCall) -> i64 {
    let integer = |index: usize| call.integers.get(index).copied().unwrap_or(1);
    match call.opcode.row().class {
        Class::Transpose => return integer(0),
        // Two numbers either way: length and repeats of four lists, or the lengths of two.
        Class::Sort if call.integers.len() == 2 => {
            let is_four = call.operands.len() == 2;
            let records = match is_four {
                true => 4i64.saturating_mul(integer(0)).saturating_mul(integer(1)),
                false => integer(0).saturating_add(integer(1)),
            };
            return ceil(records, MERGED_RECORDS);
        }
        _ => {}
    }
    match call.length {
        VectorLength::Repeats(repeats) | VectorLength::CountPerRepeat { repeats, .. } => repeats,
        // The widest type decides how many elements a repeat has.
        VectorLength::Count(count) => ceil(count.saturating_mul(widest(call)), REPEAT_BYTES * 8),
    }
}

/// Returns the number of elements that arithmetic computes, without regard to the vector mask.
fn operations(call: &VectorCall, repeats: i64) -> i64 {
    let computes = matches!(
        call.opcode.row().class,
        Class::Binary
            | Class::Unary
            | Class::ScalarOp
            | Class::Compare
            | Class::Select
            | Class::Reduce
            | Class::GroupReduce
            | Class::PairReduce
            | Class::ReduceIndex
            | Class::ReduceAll
    );
    match call.length {
        _ if !computes => 0,
        VectorLength::Count(count) => count.max(0),
        VectorLength::Repeats(_) => repeats.saturating_mul(REPEAT_BYTES * 8 / widest(call)),
        VectorLength::CountPerRepeat { lanes, .. } => repeats.saturating_mul(lanes.max(0)),
    }
}

/// Returns the bits of the widest element type.
fn widest(call: &VectorCall) -> i64 {
    let types = call.operands.iter().flatten().map(|operand| operand.dtype);
    types.map(DType::bits).max().unwrap_or(8)
}

/// Returns the extra cycles of a count that is no multiple of 256 bytes.
fn ragged(call: &VectorCall) -> f64 {
    let lanes = match call.length {
        VectorLength::Count(count) => count,
        VectorLength::CountPerRepeat { lanes, .. } => lanes,
        VectorLength::Repeats(_) => return 0.0,
    };
    match lanes.saturating_mul(widest(call)) % (REPEAT_BYTES * 8) {
        0 => 0.0,
        _ => CONSTANTS.vector.ragged.value,
    }
}

/// Returns the extra cycles of packed bits that do not fill their last block.
fn unfilled(rate: &Rate, source: Option<DType>, repeats: i64) -> f64 {
    let bits = source.map_or(8, DType::bits);
    let bytes = repeats * (REPEAT_BYTES * 8 / bits) / 8;
    match bytes % BLOCK_BYTES {
        0 => 0.0,
        _ => rate.unfilled,
    }
}

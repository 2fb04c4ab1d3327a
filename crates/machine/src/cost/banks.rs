//! Bank conflicts of the operands of a vector instruction in UB.
//!
//! UB has 16 groups of 3 banks; a bank has 128 rows of 32 bytes. An address is, from the top, two
//! bits of bank, seven of row, four of group and five within the row. In a cycle a group serves
//! one row to the sources, a bank serves a source or the result, and neither both.
//!
//! The groups that a walk touches recur after 16 repeats, so at most 16 are examined. A result conflicts with
//! sources only if they advance alike: otherwise the unit's queue absorbs the conflict.

use smallvec::SmallVec;

use crate::{VectorCall, VectorLength, VectorOperand};
use a2lint_isa::{BLOCK_BYTES, Class, StrideRule, Walk};

/// Blocks of a repeat.
const BLOCKS: i64 = 8;
/// Groups of banks.
// From its lowest bit on, an address in UB has 5 bits for the byte in a block, 4 for the group, 7 for the row and 2
// for the bank.
const GROUPS: usize = 16;
/// Bytes of one bank of every group.
const BANK_BYTES: i64 = 1 << 16;
/// Repeats after which every walk touches the same groups again.
// The group is the number of the block modulo 16, so no distance of repeats has a longer period.
const PERIOD: i64 = 16;
/// Cycles of a repeat whose blocks all fall into one group.
pub const WORST: f64 = BLOCKS as f64;

/// The walk of one operand over UB.
#[derive(Clone, Copy)]
struct Lane {
    /// Byte address of the first block.
    address: i64,
    /// Number of blocks in a repeat.
    blocks: i64,
    /// Bytes from one block of a repeat to the next.
    block: i64,
    /// Bytes from one repeat to the next.
    repeat: i64,
}

impl Lane {
    fn block_at(&self, repeat: i64, block: i64) -> i64 {
        let address = self
            .address
            .wrapping_add(repeat.wrapping_mul(self.repeat))
            .wrapping_add(block * self.block);
        address.div_euclid(BLOCK_BYTES)
    }

    /// Returns the groups that a repeat touches, as bits.
    fn groups(&self, repeat: i64) -> u16 {
        let groups = (0..self.blocks).map(|block| 1u16 << group(self.block_at(repeat, block)));
        groups.fold(0, |all, one| all | one)
    }

    /// Returns the banks of the first and of the last block of a walk.
    fn banks(&self, repeats: i64) -> [i64; 2] {
        let bank = |block: i64| block * BLOCK_BYTES / BANK_BYTES;
        let (first, last) = (
            self.block_at(0, 0),
            self.block_at(repeats - 1, self.blocks - 1),
        );
        [bank(first), bank(last)]
    }
}

fn group(block: i64) -> usize {
    block.rem_euclid(GROUPS as i64) as usize
}

/// Returns the cycles of all repeats. A repeat takes `each` cycles without conflicts, and at least
/// `read_write` where the result conflicts with a source in every phase.
pub fn cycles(call: &VectorCall, repeats: i64, each: f64, read_write: f64) -> f64 {
    let (result, sources) = walks(call);
    let mut steps = result.iter().chain(&sources).map(|lane| lane.repeat);
    let first = steps.next();
    // Walks in step meet in every repeat as they do in the first one.
    let seen = match steps.all(|step| Some(step) == first) {
        true => repeats.min(1),
        false => repeats.min(PERIOD),
    };
    if seen <= 0 || result.is_none() && sources.is_empty() {
        return each * repeats.max(0) as f64;
    }
    let in_step = result.is_some_and(|result| meets(&result, &sources, repeats));
    let mut total = 0.0;
    for repeat in 0..seen {
        let mut met = served(&sources, repeat);
        if let Some(result) = &result {
            met = met.max(served(std::slice::from_ref(result), repeat));
        }
        if in_step {
            met = met.max(read_write);
        }
        // Instructions that narrow take less than a cycle for a repeat, and have no conflicts.
        total += if met > 1.0 { each.max(met) } else { each };
    }
    total * repeats as f64 / seen as f64
}

/// Returns the cycles that a repeat needs until each group has served the distinct rows asked of it, one in a
/// cycle.
fn served(lanes: &[Lane], repeat: i64) -> f64 {
    let mut rows: [SmallVec<[i64; 4]>; GROUPS] = Default::default();
    let mut most = 0;
    for lane in lanes {
        for block in 0..lane.blocks {
            let at = lane.block_at(repeat, block);
            let rows = &mut rows[group(at)];
            // A row that several operands ask for is served once.
            if !rows.contains(&at) {
                rows.push(at);
                most = most.max(rows.len());
            }
        }
    }
    most as f64
}

/// Returns whether the result is written to a bank that is read in the same cycle, both if it is written with
/// its own repeat and if it is written one repeat later.
fn meets(result: &Lane, sources: &[Lane], repeats: i64) -> bool {
    let in_step = |source: &&Lane| {
        let is_like = (source.blocks, source.block, source.repeat)
            == (result.blocks, result.block, result.repeat);
        let banks = result.banks(repeats);
        is_like && source.banks(repeats) == banks && banks[0] == banks[1]
    };
    let sources: SmallVec<[&Lane; 2]> = sources.iter().filter(in_step).collect();
    let busy = |repeat: i64| {
        sources
            .iter()
            .fold(0, |all, lane| all | lane.groups(repeat))
    };
    let written = result.groups(0);
    !sources.is_empty() && written & busy(0) != 0 && written & busy(1) != 0
}

/// Returns the walks of result and sources, for classes whose operands are walked block by block.
fn walks(call: &VectorCall) -> (Option<Lane>, SmallVec<[Lane; 2]>) {
    let row = call.opcode.row();
    let (mut result, mut sources) = (None, SmallVec::new());
    if !matches!(
        row.class,
        Class::Binary | Class::Unary | Class::ScalarOp | Class::Fill | Class::Cast | Class::Select
    ) {
        return (result, sources);
    }
    let widest = call
        .operands
        .iter()
        .flatten()
        .map(|operand| operand.dtype.bits());
    let widest = widest.max().unwrap_or(8);
    for ((_, described), operand) in row.operands().zip(&call.operands) {
        let Some(operand) = operand.as_ref().filter(|_| described.walk == Walk::Lanes) else {
            continue;
        };
        let lane = lane(call, operand, widest, row.strides == StrideRule::Nothing);
        match described.access.writes() {
            true => result = Some(lane),
            false => sources.push(lane),
        }
    }
    (result, sources)
}

fn lane(call: &VectorCall, operand: &VectorOperand, widest: i64, is_dense: bool) -> Lane {
    // Operands of different types cover the same elements, so a narrower one has fewer blocks in a repeat.
    let blocks = (BLOCKS * operand.dtype.bits() / widest).max(1);
    let counted = matches!(call.length, VectorLength::Count(_)) || is_dense;
    let (block, repeat) = match counted {
        true => (1, blocks),
        false => (operand.block_stride, operand.repeat_stride),
    };
    Lane {
        address: operand.address,
        blocks,
        // Strides are whatever the program computes; the clamp keeps the products below within i64.
        block: block.clamp(0, 1 << 20) * BLOCK_BYTES,
        repeat: repeat.clamp(0, 1 << 20) * BLOCK_BYTES,
    }
}

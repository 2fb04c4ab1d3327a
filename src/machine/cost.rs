//! What instructions cost: a simple model, the same for every run, meant for comparing kernels
//! with each other and for finding the pipe that everything waits for. Its figures are round
//! numbers of the right size, not measurements; nothing but `run` and its timeline uses them.
//!
//! Every instruction takes the scalar unit [`ISSUE`] cycles and then queues up on its pipe, for:
//!
//! | work | start-up | then, in a cycle |
//! |---|---|---|
//! | vector instruction | [`VECTOR_START`] | one repeat of 256 bytes |
//! | `exp ln sqrt rsqrt rec div` | [`VECTOR_START`] | a quarter of a repeat |
//! | reduction of a repeat or block | [`VECTOR_START`] | half a repeat |
//! | gather, scatter, transposition | [`VECTOR_START`] | an eighth of a repeat |
//! | sort, merge | [`VECTOR_START`] | a sixteenth of a repeat |
//! | GM to UB or L1, UB to GM | [`GLOBAL_START`] | 64 bytes; rows count in blocks of 32 |
//! | UB to UB | [`VECTOR_START`] | 256 bytes |
//! | L1 to L0A, L0B, BT | [`LOCAL_START`] | 256 bytes |
//! | product | [`LOCAL_START`] | 16 x 16 x 32 bytes; of floats a quarter of that |
//! | L0C to GM | [`GLOBAL_START`] | 64 bytes of L0C |
//! | L0C to L1 | [`LOCAL_START`] | 64 bytes of L0C |
//!
//! `matmul` loads its operands on MTE1 and then multiplies on M.
//!
//! What it leaves out: contention for GM between cores, bank conflicts in UB, caches, the cost of
//! scalar arithmetic. Cores run at [`CLOCK_MHZ`].

use smallvec::{SmallVec, smallvec};

use super::operation::{Operation, Product, RowMove, Tile};
use super::station::whole_blocks;
use super::{VectorCall, VectorLength};
use crate::device::FRACTAL;
use crate::isa::{BLOCK_BYTES, Class, DType, Opcode, Pipe, REPEAT_BYTES};

/// Clock of a core.
pub const CLOCK_MHZ: i64 = 1800;
/// Cycles in which the scalar unit hands an instruction to its pipe.
pub const ISSUE: i64 = 2;
/// Cycles before the first repeat of a vector instruction.
pub const VECTOR_START: i64 = 16;
/// Cycles before the first byte from or to global memory.
pub const GLOBAL_START: i64 = 200;
/// Cycles before the first byte between memories of a core.
pub const LOCAL_START: i64 = 24;

/// Bytes that a pipe moves between a core and global memory in a cycle.
const GLOBAL_RATE: i64 = 64;
/// Bytes that move between memories of a core in a cycle.
const LOCAL_RATE: i64 = 256;
/// Bytes of L0C that leave it in a cycle.
const DRAIN_RATE: i64 = 64;

/// How long one instruction occupies one pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// The pipe.
    pub pipe: Pipe,
    /// Cycles.
    pub cycles: i64,
    /// Bytes that are moved; 0 for arithmetic.
    pub bytes: i64,
    /// Repeats of a vector instruction; 0 for others.
    pub repeats: i64,
}

/// One slot of a buffer that an instruction works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotUse {
    /// Index among the slots of all buffers.
    pub slot: usize,
    /// The pipe that works on it.
    pub pipe: Pipe,
    /// Whether it is changed.
    pub write: bool,
}

/// What one instruction takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expense {
    /// The pipes it occupies, one after the other.
    pub costs: SmallVec<[Cost; 2]>,
    /// The slots it works on.
    pub slots: SmallVec<[SlotUse; 4]>,
}

/// What an operation takes that was issued to `pipe`.
pub(super) fn expense(operation: &Operation, pipe: Pipe) -> Expense {
    let reads = |tile: &Tile| slot_use(tile, pipe, false);
    let writes = |tile: &Tile| slot_use(tile, pipe, true);
    let moved = |start: i64, rate: i64, bytes: i64| Cost {
        pipe,
        cycles: start + ceil(bytes, rate),
        bytes,
        repeats: 0,
    };
    let (cost, slots): (Cost, SmallVec<[SlotUse; 4]>) = match operation {
        Operation::Vector(call, tiles) => (vector(call, pipe), vector_slots(call, tiles, pipe)),
        Operation::LoadRows(load) => (
            moved(GLOBAL_START, GLOBAL_RATE, row_bytes(load)),
            smallvec![writes(&load.tile)],
        ),
        Operation::StoreRows(store) => (
            moved(GLOBAL_START, GLOBAL_RATE, row_bytes(store)),
            smallvec![reads(&store.tile)],
        ),
        Operation::CopyBlocks(copy) => (
            moved(VECTOR_START, LOCAL_RATE, copy.rows * copy.row_bytes),
            smallvec![reads(&copy.src), writes(&copy.dst)],
        ),
        Operation::LoadMatrix(load) => {
            let row = load.window.dtype.bytes_of(load.window.columns);
            let bytes = load.window.rows * whole_blocks(row);
            let cost = moved(GLOBAL_START, GLOBAL_RATE, bytes);
            (cost, smallvec![writes(&load.tile)])
        }
        Operation::LoadPlain(tile, window) => {
            let row = window.dtype.bytes_of(window.columns);
            let cost = moved(GLOBAL_START, GLOBAL_RATE, window.rows * whole_blocks(row));
            (cost, smallvec![writes(tile)])
        }
        Operation::Fill(tile, _) => (
            moved(LOCAL_START, LOCAL_RATE, tile.bytes),
            smallvec![writes(tile)],
        ),
        Operation::LoadOperand(load) => {
            let elements = load.extent[0] * load.extent[1];
            let cost = moved(LOCAL_START, LOCAL_RATE, load.src.dtype.bytes_of(elements));
            (cost, smallvec![reads(&load.src), writes(&load.dst)])
        }
        Operation::LoadBias(dst, src) => (
            moved(LOCAL_START, LOCAL_RATE, src.bytes),
            smallvec![reads(src), writes(dst)],
        ),
        Operation::Multiply(product) => (multiplied(product, pipe), product_slots(product, pipe)),
        Operation::MultiplyL1(product) => return macro_product(product, pipe),
        Operation::Drain(drain) => {
            let elements = drain.window.rows * drain.window.columns;
            let bytes = drain.tile.dtype.bytes_of(elements);
            let cost = moved(GLOBAL_START, DRAIN_RATE, bytes);
            (cost, smallvec![reads(&drain.tile)])
        }
        Operation::Republish(drain) => {
            let bytes = drain.src.dtype.bytes_of(drain.extent[0] * drain.extent[1]);
            let cost = moved(LOCAL_START, DRAIN_RATE, bytes);
            (cost, smallvec![reads(&drain.src), writes(&drain.dst)])
        }
        Operation::SetMask(..)
        | Operation::ResetMask
        | Operation::ReadScalar(..)
        | Operation::WriteScalar(..)
        | Operation::Nothing => (moved(1, 1, 0), smallvec![]),
    };
    Expense {
        costs: smallvec![cost],
        slots,
    }
}

fn slot_use(tile: &Tile, pipe: Pipe, write: bool) -> SlotUse {
    SlotUse {
        slot: tile.slot,
        pipe,
        write,
    }
}

fn row_bytes(rows: &RowMove) -> i64 {
    rows.rows * whole_blocks(rows.row_bytes)
}

fn vector(call: &VectorCall, pipe: Pipe) -> Cost {
    let types = call.operands.iter().flatten().map(|operand| operand.dtype);
    let widest = types.map(DType::bits).max().unwrap_or(8);
    let repeats = match call.length {
        VectorLength::Repeats(repeats) | VectorLength::CountPerRepeat { repeats, .. } => repeats,
        VectorLength::Count(count) => ceil(count.saturating_mul(widest), REPEAT_BYTES * 8),
    };
    Cost {
        pipe,
        cycles: VECTOR_START + repeats.saturating_mul(repeat_cycles(call.opcode)),
        bytes: 0,
        repeats,
    }
}

/// Cycles of one repeat.
fn repeat_cycles(opcode: Opcode) -> i64 {
    match opcode {
        Opcode::Exp | Opcode::Ln | Opcode::Sqrt | Opcode::Rsqrt | Opcode::Rec | Opcode::Div => 4,
        _ => match opcode.row().class {
            Class::Reduce | Class::GroupReduce => 2,
            Class::Gather | Class::Transpose => 8,
            Class::Sort => 16,
            _ => 1,
        },
    }
}

fn vector_slots(call: &VectorCall, tiles: &[Option<Tile>], pipe: Pipe) -> SmallVec<[SlotUse; 4]> {
    let operands = call.opcode.row().operands().zip(tiles);
    let used = operands.filter_map(|((_, operand), tile)| {
        let tile = tile.as_ref()?;
        Some(slot_use(tile, pipe, operand.access.writes()))
    });
    used.collect()
}

fn multiplied(product: &Product, pipe: Pipe) -> Cost {
    let depth = BLOCK_BYTES * 8 / product.a.dtype.bits();
    let tiles = ceil(product.m, FRACTAL) * ceil(product.n, FRACTAL) * ceil(product.k, depth);
    let each = if product.a.dtype == DType::Float {
        4
    } else {
        1
    };
    Cost {
        pipe,
        cycles: LOCAL_START + tiles * each,
        bytes: 0,
        repeats: 0,
    }
}

fn product_slots(product: &Product, pipe: Pipe) -> SmallVec<[SlotUse; 4]> {
    let mut slots: SmallVec<[SlotUse; 4]> = smallvec![
        slot_use(&product.a, pipe, false),
        slot_use(&product.b, pipe, false),
        slot_use(&product.dst, pipe, true),
    ];
    slots.extend(product.bias.iter().map(|bias| slot_use(bias, pipe, false)));
    slots
}

/// A product of operands in L1: their way to L0A and L0B, then the product.
fn macro_product(product: &Product, pipe: Pipe) -> Expense {
    let elements = (product.m + product.n) * product.k;
    let bytes = product.a.dtype.bytes_of(elements);
    let load = Cost {
        pipe: Pipe::Mte1,
        cycles: LOCAL_START + ceil(bytes, LOCAL_RATE),
        bytes,
        repeats: 0,
    };
    Expense {
        costs: smallvec![load, multiplied(product, pipe)],
        slots: smallvec![
            slot_use(&product.a, Pipe::Mte1, false),
            slot_use(&product.b, Pipe::Mte1, false),
            slot_use(&product.dst, pipe, true),
        ],
    }
}

/// Quotient rounded up; nothing takes less than no time.
fn ceil(amount: i64, unit: i64) -> i64 {
    amount.max(0).saturating_add(unit - 1) / unit
}

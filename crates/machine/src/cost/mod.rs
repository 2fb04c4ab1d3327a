//! Models the cost of instructions with two numbers each, which were measured on the device.
//!
//! *Occupancy* is how long an instruction keeps its pipe from the next one; *latency* is how long
//! it takes until a barrier, an event or an instruction that depends on it sees the result. The
//! parameters are in `constants.toml`, with their sources; nothing but `run`, `cost` and
//! their timeline uses them.
//!
//! [`Traffic`] is what an instruction takes of the way to memory, which all lanes share. [`super::Clock`] records the
//! steps of a run, from which follows which lanes move data at the same time.
//!
//! Costs without a published measurement are assumed, and the file says so: scalar instructions, handshakes, flags
//! between cores (no cost), and the depth of the queues of pipes (unbounded).

mod banks;
mod constants;
mod vector;

use smallvec::{SmallVec, smallvec};

use super::VectorCall;
use super::access::Rows;
use super::operation::{
    Drain, GlobalProduct, MatrixLoad, OperandLoad, Operation, Product, RowMove, Tile, Window,
};
use super::unit_context::whole_blocks;
use a2lint_ir::GlobalId;
use a2lint_isa::device::{FRACTAL, FRACTAL_BYTES};
use a2lint_isa::{BLOCK_BYTES, DType, Pipe, Position};
use constants::{CONSTANTS, GlobalMove};

/// Rows of global memory that begin at multiples of this are moved fastest.
// Moves of other rows were measured to take 28 % longer to UB and up to 97 % longer to L1.
pub const GLOBAL_ALIGNMENT: i64 = 512;

/// Returns the clock rate of a core in MHz.
pub fn clock_mhz() -> i64 {
    CONSTANTS.clock.mhz.value
}

/// Microseconds from the launch of a kernel to its first instruction, and from its last one to the host.
pub fn launch_microseconds() -> f64 {
    CONSTANTS.clock.launch_us.value
}

/// Cycles that every kernel loses once inside the core.
pub fn start_cycles() -> f64 {
    CONSTANTS.clock.start.value
}

/// Cycles that the scalar unit takes to issue an instruction to its pipe.
pub(super) fn issue_cycles() -> f64 {
    CONSTANTS.clock.issue.value
}

/// Cycles from a pipe that sets an event to the pipe that waits for it.
pub(super) fn handshake_cycles() -> f64 {
    CONSTANTS.clock.handshake.value
}

/// The cost of one instruction on one pipe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// The pipe.
    pub pipe: Pipe,
    /// Cycles until the pipe takes its next instruction.
    pub occupancy: f64,
    /// Cycles until the result is visible; at least the occupancy.
    pub latency: f64,
    /// Bytes that are moved; 0 for arithmetic.
    pub bytes: i64,
    /// Repeats of a vector instruction; 0 for others.
    pub repeats: i64,
    /// Elements that arithmetic computes; a product counts multiplications and additions.
    pub operations: i64,
    /// Cycles lost to bank conflicts in UB.
    pub conflicts: f64,
    /// The move to or from global memory, if it is one.
    pub traffic: Option<Traffic>,
}

/// A move between a core and global memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traffic {
    /// The tensor.
    pub global: GlobalId,
    /// The bytes in it.
    pub rows: Rows,
    /// The direction of the move.
    pub direction: Direction,
    /// Factor by which misaligned rows slow the move down; at least 1.
    pub penalty: f64,
    /// Cycles that it occupies its own lane if all of its bytes are in L2.
    pub cached: f64,
}

/// The direction of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From global memory to UB.
    LoadUb,
    /// From global memory to L1.
    LoadL1,
    /// From UB to global memory.
    Store,
    /// From L0C to global memory, by FIX.
    Drain,
}

impl Direction {
    /// Returns whether global memory is read.
    pub fn loads(self) -> bool {
        matches!(self, Direction::LoadUb | Direction::LoadL1)
    }
}

impl Traffic {
    /// Returns the cycles for which the move occupies the chip's path to memory, if `cached` of its bytes are
    /// in L2.
    pub(super) fn chip_cycles(&self, bytes: i64, cached: i64) -> f64 {
        let chip = &CONSTANTS.chip;
        let (rate, hits) = match self.direction {
            Direction::LoadUb => (&chip.load_ub, &chip.cached_ub),
            Direction::LoadL1 => (&chip.load_l1, &chip.cached_l1),
            // Stores take the same time whether their lines are in L2 or not.
            Direction::Store => (&chip.store, &chip.store),
            Direction::Drain => (&chip.drain, &chip.drain),
        };
        let cold = (bytes - cached) as f64 / rate.value;
        (cold + cached as f64 / hits.value) * self.penalty
    }
}

/// Returns the cycles for which `lines` lines, loaded by all lanes at once, occupy the chip's path to memory.
pub(super) fn shared_load_cycles(lines: u32) -> f64 {
    f64::from(lines) / CONSTANTS.chip.together.value
}

/// Returns the fraction of their rate at which L2 accepts stores while others load from memory.
pub(super) fn stores_beside_loads() -> f64 {
    let chip = &CONSTANTS.chip;
    // The rate of loads and stores together, less that of loads alone, is what is left for stores.
    (chip.mixed.value - chip.load_ub.value) / chip.store.value
}

/// Returns the bytes of L2.
pub(super) fn cache_bytes() -> i64 {
    CONSTANTS.chip.cache_bytes.value
}

/// A slot of a buffer that an instruction uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotUse {
    /// Index among the slots of all buffers.
    pub slot: usize,
    /// The pipe that works on it.
    pub pipe: Pipe,
    /// Whether it is changed.
    pub write: bool,
}

/// The cost of one instruction on all of its pipes.
#[derive(Clone, Debug, PartialEq)]
pub struct Expense {
    /// The pipes it occupies, one after the other.
    pub costs: SmallVec<[Cost; 2]>,
    /// The slots it works on.
    pub slots: SmallVec<[SlotUse; 4]>,
}

/// Returns the cost of an operation that was issued to `pipe`.
pub(super) fn expense(operation: &Operation, pipe: Pipe) -> Expense {
    let reads = |tile: &Tile| slot_use(tile, pipe, false);
    let writes = |tile: &Tile| slot_use(tile, pipe, true);
    let local = &CONSTANTS.local;
    let (cost, slots): (Cost, SmallVec<[SlotUse; 4]>) = match operation {
        Operation::Vector(call, tiles) => {
            (vector::cost(call, pipe), vector_slots(call, tiles, pipe))
        }
        Operation::LoadRows(load) => {
            let cost = rows_moved(pipe, load, Direction::LoadUb);
            (cost, smallvec![writes(&load.tile)])
        }
        Operation::StoreRows(store) => {
            let cost = rows_moved(pipe, store, Direction::Store);
            (cost, smallvec![reads(&store.tile)])
        }
        Operation::CopyBlocks(copy) => {
            let bytes = copy.rows.max(0).saturating_mul(copy.row_bytes.max(0));
            let shortest = CONSTANTS.vector.shortest.value;
            let cost = moved_inside(pipe, &local.ub_to_ub.value, bytes);
            // A copy inside UB is no faster than the shortest vector instruction.
            let occupancy = cost.occupancy.max(shortest);
            let cost = Cost { occupancy, ..cost };
            (cost, smallvec![reads(&copy.src), writes(&copy.dst)])
        }
        Operation::LoadMatrix(MatrixLoad { tile, window, .. })
        | Operation::LoadPlain(tile, window) => {
            let row = window.dtype.bytes_of(window.columns);
            // Rows are moved in whole blocks of 32 bytes, the last one padded.
            let bytes = window.rows.max(0).saturating_mul(whole_blocks(row.max(0)));
            let rows = window.bytes();
            let cost = moved_globally(pipe, &CONSTANTS.load_l1, bytes, rows, window);
            (
                with_direction(cost, Direction::LoadL1),
                smallvec![writes(tile)],
            )
        }
        Operation::Fill(tile, _) => (
            moved_inside(pipe, &local.fill_l1.value, tile.bytes),
            smallvec![writes(tile)],
        ),
        Operation::LoadOperand(load) => (
            operand_loaded(pipe, load),
            smallvec![reads(&load.src), writes(&load.dst)],
        ),
        Operation::LoadFractals(load) => {
            let fractals = load.count.max(0).saturating_mul(load.parts[0].max(0));
            let bytes = fractals.saturating_mul(FRACTAL_BYTES);
            let cost = moved_inside(pipe, operand_rate(load.dst.position), bytes);
            (cost, smallvec![reads(&load.src), writes(&load.dst)])
        }
        Operation::LoadBias(dst, src) => {
            let bytes = src.dtype.bytes_of(src.span[0] * src.span[1]);
            let cost = moved_inside(pipe, &local.l1_to_bt.value, bytes);
            (cost, smallvec![reads(src), writes(dst)])
        }
        Operation::Multiply(product) => (multiplied(product, pipe), product_slots(product, pipe)),
        Operation::MultiplyGm(product) => (multiplied_globally(product, pipe), smallvec![]),
        // The only operation that occupies two pipes.
        Operation::MultiplyL1(product) => return macro_product(product, pipe),
        Operation::Drain(drain) => (drained_out(pipe, drain), smallvec![reads(&drain.tile)]),
        Operation::Republish(drain) => {
            let cost = drained(pipe, drain.src.dtype, drain.extent);
            (cost, smallvec![reads(&drain.src), writes(&drain.dst)])
        }
        Operation::SetMask(..) | Operation::ResetMask => {
            (simple(pipe, CONSTANTS.vector.mask.value), smallvec![])
        }
        Operation::ReadScalar(..)
        | Operation::ReadCount(..)
        | Operation::WriteScalar(..)
        | Operation::SetHf32(_)
        | Operation::Nothing => (simple(pipe, CONSTANTS.clock.scalar.value), smallvec![]),
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

/// Returns the cost of an instruction that takes `cycles` and moves nothing.
fn simple(pipe: Pipe, cycles: f64) -> Cost {
    Cost {
        pipe,
        occupancy: cycles,
        latency: cycles,
        bytes: 0,
        repeats: 0,
        operations: 0,
        conflicts: 0.0,
        traffic: None,
    }
}

/// Returns the cost of a move inside a core; the array holds the cycles before the first byte, the bytes in a
/// cycle, and the further cycles until the result is visible.
fn moved_inside(pipe: Pipe, &[head, rate, latency]: &[f64; 3], bytes: i64) -> Cost {
    let occupancy = head + bytes.max(0) as f64 / rate;
    Cost {
        latency: occupancy + latency,
        bytes,
        ..simple(pipe, occupancy)
    }
}

fn rows_moved(pipe: Pipe, rows: &RowMove, direction: Direction) -> Cost {
    let bytes = rows
        .rows
        .max(0)
        .saturating_mul(whole_blocks(rows.row_bytes.max(0)));
    let touched = Rows {
        start: rows.window.dtype.bytes_of(rows.window.start),
        length: rows.row_bytes,
        pitch: rows.global_pitch,
        count: rows.rows,
    };
    let constants = match direction.loads() {
        true => &CONSTANTS.load_ub,
        false => &CONSTANTS.store_ub,
    };
    let cost = moved_globally(pipe, constants, bytes, touched, &rows.window);
    with_direction(cost, direction)
}

/// Returns the cost of a move of `rows` between a core and global memory; the caller sets its direction.
fn moved_globally(
    pipe: Pipe,
    constants: &GlobalMove,
    bytes: i64,
    rows: Rows,
    window: &Window,
) -> Cost {
    if bytes == 0 {
        return simple(pipe, constants.burst.value[0]);
    }
    let penalty = 1.0 + (constants.misaligned.value - 1.0) * misaligned_share(&rows);
    let amount = bytes as f64 * penalty;
    let line = |[head, rate]: [f64; 2]| head + amount / rate;
    let [head, each] = constants.burst.value;
    let bursts = head + each * rows.count.max(0) as f64;
    // The measured times lie on two lines, one for small and one for large moves; of many short rows, each
    // costs a burst.
    let cold = line(constants.near.value).max(line(constants.far.value));
    let cached = constants.cached.as_ref().map(|it| line(it.value));
    Cost {
        bytes,
        traffic: Some(Traffic {
            global: window.global,
            rows,
            // A placeholder, which `with_direction` replaces.
            direction: Direction::LoadUb,
            penalty,
            cached: cached.unwrap_or(cold).max(bursts),
        }),
        ..simple(pipe, cold.max(bursts))
    }
}

fn with_direction(mut cost: Cost, direction: Direction) -> Cost {
    if let Some(traffic) = &mut cost.traffic {
        traffic.direction = direction;
    }
    cost
}

/// Returns the fraction of the misalignment penalty that applies. Each row that does not begin at a multiple
/// of 512 bytes costs the same, so rows longer than the measured ones lose less of their time. Rows without a
/// gap count as one.
fn misaligned_share(rows: &Rows) -> f64 {
    let is_one = rows.count <= 1 || rows.pitch == rows.length;
    let (length, pitch) = match is_one {
        true => (rows.length.saturating_mul(rows.count), 0),
        false => (rows.length, rows.pitch),
    };
    let begins_apart = rows.start % GLOBAL_ALIGNMENT != 0 || pitch % GLOBAL_ALIGNMENT != 0;
    match begins_apart && length > GLOBAL_ALIGNMENT {
        true => (CONSTANTS.chip.misaligned_row.value / length as f64).min(1.0),
        false => 0.0,
    }
}

fn operand_loaded(pipe: Pipe, load: &OperandLoad) -> Cost {
    let elements = load.extent[0].max(0).saturating_mul(load.extent[1].max(0));
    let bytes = load.src.dtype.bytes_of(elements);
    moved_inside(pipe, operand_rate(load.dst.position), bytes)
}

fn operand_rate(position: Position) -> &'static [f64; 3] {
    match position {
        Position::L0B => &CONSTANTS.local.l1_to_l0b.value,
        _ => &CONSTANTS.local.l1_to_l0a.value,
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
    let sides = [product.m, product.n, product.k];
    multiplied_in_fractals(product.a.dtype, sides, pipe)
}

/// Returns the cost of a product in global memory: that of the product itself or of loading each factor once, whichever
/// is larger.
fn multiplied_globally(product: &GlobalProduct, pipe: Pipe) -> Cost {
    let [dst, a] = [&product.dst, &product.factors[0]];
    let sides = [dst.rows, dst.columns, product.depths()[0]];
    let cost = multiplied_in_fractals(a.dtype, sides, pipe);
    let loads = product.factors.iter().map(|factor| {
        let bytes = factor
            .rows
            .max(0)
            .saturating_mul(factor.dtype.bytes_of(factor.columns.max(0)));
        let load = moved_globally(pipe, &CONSTANTS.load_l1, bytes, factor.bytes(), factor);
        (load.occupancy, load.bytes)
    });
    let (time, bytes) = loads.fold((0.0, 0_i64), |sum, load| {
        (sum.0 + load.0, sum.1.saturating_add(load.1))
    });
    Cost {
        occupancy: cost.occupancy.max(time),
        latency: cost.latency.max(time),
        bytes,
        ..cost
    }
}

fn multiplied_in_fractals(dtype: DType, [m, n, k]: [i64; 3], pipe: Pipe) -> Cost {
    let constants = &CONSTANTS.product;
    // The unit multiplies fractals: 16 rows by 16 columns, 32 bytes deep.
    let depth = BLOCK_BYTES * 8 / dtype.bits();
    let tiles = ceil(m, FRACTAL) * ceil(n, FRACTAL) * ceil(k, depth);
    let each = match dtype {
        DType::Float => constants.tile_float.value,
        _ => constants.tile.value,
    };
    let occupancy = tiles as f64 * each + constants.fixed.value;
    let sides = [m, n, k].map(|side| side.max(0));
    Cost {
        latency: occupancy + constants.latency.value,
        operations: sides.into_iter().fold(2, i64::saturating_mul),
        ..simple(pipe, occupancy)
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

/// Returns the cost of a product of operands in L1: loading them to L0A and L0B, then the product.
fn macro_product(product: &Product, pipe: Pipe) -> Expense {
    let bytes = |rows: i64| {
        product
            .a
            .dtype
            .bytes_of(rows.max(0).saturating_mul(product.k.max(0)))
    };
    let left = moved_inside(Pipe::Mte1, operand_rate(Position::L0A), bytes(product.m));
    let right = moved_inside(Pipe::Mte1, operand_rate(Position::L0B), bytes(product.n));
    let load = Cost {
        // Both loads use one pipe, the right one after the left one.
        occupancy: left.occupancy + right.occupancy,
        latency: left.occupancy + right.latency,
        bytes: left.bytes + right.bytes,
        ..left
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

/// Returns the cost of draining `rows` by `columns` accumulators.
fn drained(pipe: Pipe, dtype: DType, [rows, columns]: [i64; 2]) -> Cost {
    let constants = &CONSTANTS.drain;
    let (rows, columns) = (rows.max(0), columns.max(0));
    let row = dtype.bytes_of(columns);
    let bytes = rows.saturating_mul(row);
    let eights = ceil(columns, 8).max(1);
    let odd = (eights >> eights.trailing_zeros()) as f64;
    let row = (row as f64 / constants.row_rate.value).max(constants.row.value);
    let each = row + constants.odd.value * (odd - 1.0);
    let occupancy = (bytes as f64 / constants.rate.value).max(constants.shortest.value);
    let latency = constants.head.value + rows as f64 * each;
    Cost {
        latency: latency.max(occupancy),
        bytes,
        ..simple(pipe, occupancy)
    }
}

fn drained_out(pipe: Pipe, drain: &Drain) -> Cost {
    let window = &drain.window;
    let rows = window.bytes();
    let cost = drained(pipe, drain.tile.dtype, [window.rows, window.columns]);
    Cost {
        traffic: Some(Traffic {
            global: window.global,
            rows,
            direction: Direction::Drain,
            penalty: 1.0,
            cached: cost.occupancy,
        }),
        ..cost
    }
}

/// Returns the quotient rounded up; a negative amount counts as 0.
fn ceil(amount: i64, unit: i64) -> i64 {
    amount.max(0).saturating_add(unit - 1) / unit
}

//! What the data in on-chip memories is computed from.
//!
//! Lanes that load the same data and compute the same of it have one result, and an atomic sum of
//! it counts that twice. Equal values prove nothing (partial sums of ones are alike), so every slot
//! carries a number for the loads and instructions that its data went through; two lanes have the
//! same number where both did the same.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::chip::CoreMemory;
use super::lane_id::{LaneId, LaneKind};
use super::operation::{Operation, Product, RowMove, Tile, Window};
use super::vector::VectorMask;
use super::{VectorCall, VectorLength};
use crate::ir::GlobalId;

/// The history of data, by lane and slot.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// Slots whose data goes back to loads.
    slots: FxHashMap<(LaneId, usize), u64>,
    /// What was added to global memory, by whom first.
    added: FxHashMap<u64, LaneId>,
}

impl Provenance {
    /// Takes down what an operation computes its result from.
    pub fn follow(&mut self, lane: LaneId, operation: &Operation, mask: &VectorMask) {
        match operation {
            Operation::LoadRows(load) => self.load(lane, &load.tile, &load.window, load.rows),
            Operation::LoadMatrix(load) => {
                self.load(lane, &load.tile, &load.window, load.capacity);
            }
            Operation::LoadPlain(tile, window) => self.load(lane, tile, window, 0),
            Operation::CopyBlocks(copy) => {
                let numbers = (copy.rows, copy.row_bytes, copy.pitches);
                self.derive(lane, &copy.dst, &[copy.dst, copy.src], &numbers);
            }
            Operation::LoadOperand(load) => {
                self.derive(lane, &load.dst, &[load.src], &load.extent);
            }
            Operation::LoadBias(dst, src) => self.derive(lane, dst, &[*src], &()),
            Operation::Multiply(product) | Operation::MultiplyL1(product) => {
                self.multiply(lane, product);
            }
            Operation::Republish(republish) => {
                self.derive(lane, &republish.dst, &[republish.src], &republish.extent);
            }
            Operation::Vector(call, tiles) => self.compute(lane, call, tiles, mask),
            Operation::Fill(tile, _) => drop(self.slots.remove(&(lane, tile.slot))),
            _ => {}
        }
    }

    /// Whom a store to global memory adds the same data after, to the same place.
    pub fn add(
        &mut self,
        lane: LaneId,
        operation: &Operation,
        core: &CoreMemory,
    ) -> Option<(GlobalId, LaneId)> {
        let (tile, window) = match operation {
            Operation::StoreRows(store) => (&store.tile, &store.window),
            Operation::Drain(drain) => (&drain.tile, &drain.window),
            _ => return None,
        };
        let history = self.slots.get(&(lane, tile.slot))?;
        let data = match operation {
            Operation::StoreRows(store) => Some(stored(store, core, lane)?),
            _ => None,
        };
        let is_cube = lane.kind == LaneKind::Cube;
        let key = number(&(history, place(tile), at(window), data, is_cube));
        let first = *self.added.entry(key).or_insert(lane);
        (first != lane).then_some((window.global, first))
    }

    fn load(&mut self, lane: LaneId, tile: &Tile, window: &Window, rows: i64) {
        let history = number(&(at(window), place(tile), rows));
        self.slots.insert((lane, tile.slot), history);
    }

    fn multiply(&mut self, lane: LaneId, product: &Product) {
        let mut sources = vec![product.a, product.b];
        sources.extend(product.bias);
        sources.extend((!product.init).then_some(product.dst));
        let numbers = (product.m, product.n, product.k, product.init);
        self.derive(lane, &product.dst, &sources, &numbers);
    }

    fn compute(
        &mut self,
        lane: LaneId,
        call: &VectorCall,
        tiles: &[Option<Tile>],
        mask: &VectorMask,
    ) {
        let Some(Some(dst)) = tiles.first() else {
            return;
        };
        let length = match call.length {
            VectorLength::Repeats(repeats) => (0, repeats, 0),
            VectorLength::Count(count) => (1, count, 0),
            VectorLength::CountPerRepeat { repeats, lanes } => (2, repeats, lanes),
        };
        let strides = call.operands.iter().flatten();
        let strides: Vec<_> = strides
            .map(|operand| (operand.block_stride, operand.repeat_stride))
            .collect();
        let kind = (call.opcode as u32, call.compare as u32, call.select as u32);
        let numbers = (
            kind,
            length,
            strides,
            (call.scalar.to_bits(), &call.integers, mask.words()),
        );
        let tiles: Vec<Tile> = tiles.iter().flatten().copied().collect();
        self.derive(lane, dst, &tiles, &numbers);
    }

    /// Notes a result of some sources, where any of them goes back to loads.
    fn derive(&mut self, lane: LaneId, dst: &Tile, sources: &[Tile], numbers: &impl Hash) {
        let histories: Vec<Option<u64>> = sources
            .iter()
            .map(|tile| self.slots.get(&(lane, tile.slot)).copied())
            .collect();
        if histories.iter().all(Option::is_none) {
            return;
        }
        let places: Vec<_> = sources.iter().map(place).collect();
        let history = number(&(histories, places, place(dst), numbers));
        self.slots.insert((lane, dst.slot), history);
    }
}

/// A number for the bytes that a store takes; `None` where all of them are zero, of which any number
/// may be added.
fn stored(store: &RowMove, core: &CoreMemory, lane: LaneId) -> Option<u64> {
    let ub = core.memory(store.tile.position, lane);
    let start = store.tile.row_major_address();
    let rows = (0..store.rows).filter_map(|row| {
        let first = usize::try_from(start + row * store.ub_pitch).ok()?;
        let end = first + store.row_bytes.max(0) as usize;
        (end <= ub.capacity()).then(|| ub.bytes(first..end))
    });
    let mut hasher = FxHasher::default();
    let mut is_zero = true;
    for row in rows {
        is_zero &= row.iter().all(|&byte| byte == 0);
        hasher.write(row);
    }
    (!is_zero).then(|| hasher.finish())
}

/// What tells one view of a slot from another.
fn place(tile: &Tile) -> (usize, [i64; 2], [i64; 2], bool) {
    (tile.slot, tile.offset, tile.span, tile.transposed)
}

/// What tells one view of global memory from another.
fn at(window: &Window) -> (GlobalId, i64, i64, i64, i64) {
    (
        window.global,
        window.start,
        window.rows,
        window.columns,
        window.pitch,
    )
}

fn number(of: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    of.hash(&mut hasher);
    hasher.finish()
}

//! The history of the data in on-chip memories.
//!
//! If two lanes load the same data and compute the same from it, an atomic sum of their results counts it
//! twice. Equal values prove nothing (partial sums of ones are equal), so every slot carries a hash of the
//! loads and instructions that its data went through; two lanes have the same hash if both did the same.
//! Lanes whose shares overlap by some rows have different histories, so rows that are computed elementwise
//! also carry the row of the tensor that they come from.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::chip::CoreMemory;
use super::lane_id::{LaneId, LaneKind};
use super::operation::{Operation, Product, RowMove, Tile, Window};
use super::vector::VectorMask;
use super::{VectorCall, VectorLength, VectorOperand};
use a2lint_ir::GlobalId;
use a2lint_isa::{BLOCKS_PER_REPEAT, Class, DST, Layout};

/// The histories of data, by lane and slot.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// Slots whose data comes from loads.
    slots: FxHashMap<(LaneId, usize), u64>,
    /// Slots of which each row comes from one row of a tensor.
    rows: FxHashMap<(LaneId, usize), Rows>,
    /// Data that was added to global memory, with the lane that added it first.
    added: FxHashMap<u64, LaneId>,
}

/// Rows that were loaded and computed elementwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Rows {
    /// Hash of the operations that all rows have gone through since they were loaded.
    history: u64,
    /// The element of the tensor that corresponds to the start of row 0 of the slot.
    first: i64,
    /// Elements from one row to the next in the tensor.
    pitch: i64,
}

impl Rows {
    /// Returns the element that a row of the slot starts with.
    fn at(&self, row: i64) -> i64 {
        self.first + row * self.pitch
    }
}

impl Provenance {
    /// Records the history of the result of an operation.
    pub fn follow(&mut self, lane: LaneId, operation: &Operation, mask: &VectorMask) {
        match operation {
            Operation::LoadRows(load) => {
                self.load(lane, &load.tile, &load.window, load.rows);
                self.load_rows(lane, load);
            }
            Operation::LoadMatrix(load) => {
                // The capacity decides the layout in the slot, so it belongs to the history.
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
            Operation::LoadFractals(load) => {
                // Several loads make up an operand.
                let numbers = (
                    load.count,
                    load.start,
                    load.steps,
                    load.transposed,
                    load.parts,
                );
                self.derive(lane, &load.dst, &[load.dst, load.src], &numbers);
            }
            Operation::LoadBias(dst, src) => self.derive(lane, dst, &[*src], &()),
            Operation::Multiply(product) | Operation::MultiplyL1(product) => {
                self.multiply(lane, product);
            }
            Operation::Republish(republish) => {
                self.derive(lane, &republish.dst, &[republish.src], &republish.extent);
            }
            Operation::Vector(call, tiles) => self.compute(lane, call, tiles, mask),
            Operation::Fill(tile, _) => {
                self.slots.remove(&(lane, tile.slot));
                self.rows.remove(&(lane, tile.slot));
            }
            _ => {}
        }
    }

    /// If a store adds data to global memory that another lane has added to the same place before, all of it
    /// or some rows, returns the tensor and that lane.
    pub fn add(
        &mut self,
        lane: LaneId,
        operation: &Operation,
        core: &CoreMemory,
    ) -> Option<(GlobalId, LaneId)> {
        let whole = self.add_whole(lane, operation, core);
        let rows = match operation {
            Operation::StoreRows(store) => self.add_rows(lane, store, core),
            _ => None,
        };
        whole.or(rows)
    }

    /// Compares row by row, for rows that two lanes have computed from the same row of a tensor.
    fn add_rows(
        &mut self,
        lane: LaneId,
        store: &RowMove,
        core: &CoreMemory,
    ) -> Option<(GlobalId, LaneId)> {
        let rows = *self.rows.get(&(lane, store.tile.slot))?;
        let mut known = None;
        for row in 0..store.rows {
            let data = data_of(store, core, lane, row..row + 1);
            let source = rows.at(store.tile.offset[0] + row);
            let target = store.window.start + row * store.window.pitch;
            let place = (store.window.global, store.window.columns, target);
            let key =
                data.map(|data| number(&(rows.history, source, store.tile.offset[1], place, data)));
            if let Some(key) = key {
                let first = *self.added.entry(key).or_insert(lane);
                known = known.or((first != lane).then_some((store.window.global, first)));
            }
        }
        known
    }

    fn load_rows(&mut self, lane: LaneId, load: &RowMove) {
        let (tile, window) = (&load.tile, &load.window);
        let rows = Rows {
            history: number(&(window.global, window.columns, tile.offset[1])),
            first: window.start - tile.offset[0] * window.pitch,
            pitch: window.pitch,
        };
        self.rows.insert((lane, tile.slot), rows);
    }

    /// Returns the rows of an elementwise result, or `None` if its operands do not have corresponding rows.
    fn computed_rows(&self, lane: LaneId, tiles: &[Tile], numbers: &impl Hash) -> Option<Rows> {
        let (dst, sources) = tiles.split_first()?;
        let first = self.rows.get(&(lane, sources.first()?.slot))?;
        let mut histories = Vec::new();
        for source in sources {
            let rows = self.rows.get(&(lane, source.slot))?;
            // Only rows that correspond, at the same columns, can be followed as rows.
            let is_alike = (rows.first, rows.pitch) == (first.first, first.pitch)
                && (source.offset, source.shape[1]) == (dst.offset, dst.shape[1])
                && source.dtype == dst.dtype;
            histories.push(is_alike.then_some(rows.history)?);
        }
        Some(Rows {
            history: number(&(histories, numbers)),
            ..*first
        })
    }

    fn add_whole(
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
        // Part of the key: lanes of the two sides are not compared.
        let is_cube = lane.kind == LaneKind::Cube;
        let key = number(&(history, place(tile), at(window), data, is_cube));
        let first = *self.added.entry(key).or_insert(lane);
        (first != lane).then_some((window.global, first))
    }

    fn load(&mut self, lane: LaneId, tile: &Tile, window: &Window, rows: i64) {
        // Several tensors may lie in one slot where they are placed by address.
        let others = match tile.layout {
            Layout::Linear => self.slots.get(&(lane, tile.slot)).copied(),
            Layout::Nd | Layout::Nz => None,
        };
        let history = number(&(at(window), place(tile), rows, others));
        self.slots.insert((lane, tile.slot), history);
        // `load_rows` records them anew; data of other loads has no rows.
        self.rows.remove(&(lane, tile.slot));
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
        let are_alike = strides.windows(2).all(|pair| pair[0] == pair[1]);
        let kind = (call.opcode as u32, call.compare as u32, call.select as u32);
        let numbers = (
            kind,
            length,
            strides,
            (call.scalar.to_bits(), &call.integers, mask.words()),
        );
        let is_replaced = self.slots.contains_key(&(lane, dst.slot)) && replaces(call, dst, mask);
        let tiles: Vec<Tile> = tiles.iter().flatten().copied().collect();
        let class = call.opcode.row().class;
        // Only here, row i of the result comes from row i of each operand.
        let is_by_lane = matches!(class, Class::Unary | Class::Binary | Class::ScalarOp);
        let rows = (is_by_lane && are_alike)
            .then(|| self.computed_rows(lane, &tiles, &numbers))
            .flatten();
        // What the destination held before is part of its history, unless nothing is left of it.
        self.derive(lane, dst, &tiles[usize::from(is_replaced)..], &numbers);
        if let Some(rows) = rows {
            self.rows.insert((lane, dst.slot), rows);
        }
    }

    /// Records the result of some sources, if any of them comes from loads.
    fn derive(&mut self, lane: LaneId, dst: &Tile, sources: &[Tile], numbers: &impl Hash) {
        self.rows.remove(&(lane, dst.slot));
        let histories: Vec<Option<u64>> = sources
            .iter()
            .map(|tile| self.slots.get(&(lane, tile.slot)).copied())
            .collect();
        // Constants come from no load, and all lanes may compute the same from them.
        if histories.iter().all(Option::is_none) {
            self.slots.remove(&(lane, dst.slot));
            return;
        }
        let places: Vec<_> = sources.iter().map(place).collect();
        let history = number(&(histories, places, place(dst), numbers));
        self.slots.insert((lane, dst.slot), history);
    }
}

/// Returns whether an elementwise call overwrites every byte of its destination's slot, and does not read the
/// destination.
fn replaces(call: &VectorCall, dst: &Tile, mask: &VectorMask) -> bool {
    let row = call.opcode.row();
    let is_elementwise = matches!(
        row.class,
        Class::Fill | Class::Unary | Class::Binary | Class::ScalarOp
    );
    let operand = row.param(DST).and_then(|param| param.operand());
    if !is_elementwise || operand.is_none_or(|operand| operand.access.reads()) {
        return false;
    }
    let lanes = dst.dtype.lanes();
    let is_full = || (0..lanes as usize).all(|lane| mask.is_set(lane));
    let is_dense = |operand: &VectorOperand| {
        (operand.block_stride, operand.repeat_stride) == (1, BLOCKS_PER_REPEAT)
    };
    let elements = match call.length {
        VectorLength::Count(count) => count,
        VectorLength::Repeats(repeats)
            if call.operands[DST].as_ref().is_some_and(is_dense) && is_full() =>
        {
            repeats.saturating_mul(lanes)
        }
        VectorLength::Repeats(_) | VectorLength::CountPerRepeat { .. } => 0,
    };
    dst.row_major_address() == dst.base
        && elements.saturating_mul(dst.dtype.bits()) >= dst.bytes.saturating_mul(8)
}

/// Hashes the bytes that a store takes. `None` if all of them are zero: those may be added any number of
/// times.
fn stored(store: &RowMove, core: &CoreMemory, lane: LaneId) -> Option<u64> {
    data_of(store, core, lane, 0..store.rows)
}

/// Hashes the bytes of some rows of a store, as `stored`.
fn data_of(
    store: &RowMove,
    core: &CoreMemory,
    lane: LaneId,
    rows: std::ops::Range<i64>,
) -> Option<u64> {
    let ub = core.memory(store.tile.position, lane);
    let start = store.tile.row_major_address();
    let rows = rows.filter_map(|row| {
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

/// Identifies a view of a slot.
fn place(tile: &Tile) -> (usize, [i64; 2], [i64; 2], bool) {
    (tile.slot, tile.offset, tile.span, tile.transposed)
}

/// Identifies a view of global memory.
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

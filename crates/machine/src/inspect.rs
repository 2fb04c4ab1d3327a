//! Access to values while a run is halted at a statement.

use std::ops::Range;

use super::access::MemoryId;
use super::bound::BoundGlobal;
use super::chip::Chip;
use super::fractal::Fractals;
use super::lane_id::LaneId;
use super::lane_id::LaneKind;
use super::memory::{Memory, number};
use super::operation::{Operation, Tile};
use super::scalars::Environment;
use super::setup::Setup;
use super::value::Value;
use super::vector::{self, VectorMask};
use super::views;
use a2lint_ir::{
    BufferId, GlobalId, GlobalView, LocalView, ScalarId, SpecialScalar, VariableId, View,
};
use a2lint_isa::{DType, Layout, Position};

/// The state of the machine as one lane sees it.
pub struct Inspection<'a, 'p> {
    pub(super) setup: &'a Setup<'p>,
    pub(super) environment: &'a mut Environment<'p>,
    pub(super) chip: &'a mut Chip,
    pub(super) mask: &'a VectorMask,
    pub(super) operation: &'a Operation,
    pub(super) lane: LaneId,
}

/// The elements of a view, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// Element type.
    pub dtype: DType,
    /// Rows and columns.
    pub shape: [usize; 2],
    /// Values; 64-bit integers beyond 2⁵³ are rounded.
    pub values: Vec<f64>,
    /// Whether each element is defined.
    pub defined: Vec<bool>,
}

impl Snapshot {
    /// Returns the elements, row by row; `None` for undefined ones.
    pub fn elements(&self) -> impl Iterator<Item = Option<f64>> {
        let pairs = self.values.iter().zip(&self.defined);
        pairs.map(|(&value, &defined)| defined.then_some(value))
    }
}

/// Maximum number of elements of a snapshot.
// An element takes nine bytes there: a larger view is refused rather than copied.
const MAX_ELEMENTS: i64 = 1 << 24;

impl Inspection<'_, '_> {
    /// Returns the lane whose state this is.
    pub fn lane(&self) -> LaneId {
        self.lane
    }

    /// Returns the vector mask of the lane.
    pub fn mask(&self) -> &VectorMask {
        self.mask
    }

    /// Returns the value of a scalar.
    pub fn scalar(&mut self, id: ScalarId) -> Value {
        self.environment.value(id)
    }

    /// Returns whether signed arithmetic of 32 or 64 bits has overflowed in the computation of a scalar, or
    /// of the conditions that led to this place.
    pub fn overflowed(&mut self, id: ScalarId) -> bool {
        self.environment.overflowed(id)
    }

    /// Returns whether it has overflowed in the computation of a variable.
    pub fn variable_overflowed(&self, id: VariableId) -> bool {
        self.environment.variable_overflowed(id)
    }

    /// Returns the values of a view, or `None` if its extents are unknown or lie outside of the memory.
    pub fn view(&mut self, view: &View) -> Option<Snapshot> {
        match view {
            View::Local(view) => self.local(view),
            View::Global(view) => self.global(view),
        }
    }

    /// Returns the values of a whole slot of a buffer, in its declared shape; the slot is taken modulo the
    /// number of slots.
    pub fn slot(&mut self, buffer: BufferId, slot: i64) -> Option<Snapshot> {
        let tile = self.whole(buffer, slot)?;
        self.tile(&tile)
    }

    fn whole(&mut self, buffer: BufferId, slot: i64) -> Option<Tile> {
        let shape = self.slot_shape(buffer)?;
        let declared = self.setup.program.buffer(buffer);
        // Only the layout of a lane that uses the memory has its addresses.
        let kind = match (self.lane.kind.uses(declared.position), declared.position) {
            (true, _) => self.lane.kind,
            (false, Position::Ub) => LaneKind::Vec(0),
            (false, _) => LaneKind::Cube,
        };
        let lane = LaneId { kind, ..self.lane };
        let place = self.setup.allocation.on(lane).place(buffer);
        Some(Tile {
            buffer,
            position: place.position,
            slot: place.slot_index(slot),
            index: slot,
            base: place.slot_address(slot),
            bytes: place.slot_bytes,
            end: None,
            dtype: declared.dtype,
            layout: declared.layout,
            shape,
            offset: [0, 0],
            span: shape,
            transposed: false,
        })
    }

    /// Returns the memory and the bytes of an element of a slot, or `None` if it lies outside of the slot.
    pub fn element(
        &mut self,
        buffer: BufferId,
        slot: i64,
        at: [i64; 2],
    ) -> Option<(Position, Range<usize>)> {
        let tile = self.whole(buffer, slot)?;
        let is_inside = at
            .iter()
            .zip(tile.shape)
            .all(|(&at, extent)| (0..extent).contains(&at));
        let rows = self.chip.core(self.lane.core).rows(tile.slot);
        let first = is_inside.then(|| bit_address(&tile, rows, at[0], at[1]))?;
        let last = first + tile.dtype.bits();
        let range = usize::try_from(first / 8).ok()?..usize::try_from((last + 7) / 8).ok()?;
        Some((tile.position, range))
    }

    /// Returns bytes of a memory with their definedness, or `None` if they lie outside of it.
    pub fn bytes(&mut self, memory: MemoryId, range: Range<usize>) -> Option<(Vec<u8>, Vec<bool>)> {
        let memory = match memory {
            MemoryId::Global(id) => {
                let tensor = &mut self.chip.globals[id.index()];
                tensor.touch(range.start as i64..range.end as i64);
                tensor.memory()
            }
            MemoryId::Local(position) => self.chip.core(self.lane.core).memory(position, self.lane),
        };
        if range.end > memory.capacity() || range.start > range.end {
            return None;
        }
        let defined = range
            .clone()
            .map(|at| memory.all_defined(at..at + 1))
            .collect();
        Some((memory.bytes(range).to_vec(), defined))
    }

    /// Returns elements of a global tensor by their flat, row-major indices; undefined elements are `None`.
    /// Returns `None` if an index is out of bounds.
    pub fn elements(
        &mut self,
        global: GlobalId,
        numbers: &mut dyn Iterator<Item = usize>,
    ) -> Option<Vec<Option<f64>>> {
        let bound = &self.setup.launch.globals[global.index()];
        let (dtype, bits) = (bound.dtype, bound.dtype.bits() as usize);
        let tensor = &mut self.chip.globals[global.index()];
        let mut elements = Vec::new();
        for number_of in numbers {
            let (first, last) = (number_of * bits, (number_of + 1) * bits);
            let range = first / 8..last.div_ceil(8);
            if range.end > bound.bytes {
                return None;
            }
            tensor.touch(range.start as i64..range.end as i64);
            let memory = tensor.memory();
            let value = number(memory, dtype, range.start, (first % 8) as i64);
            elements.push(memory.all_defined(range).then_some(value));
        }
        Some(elements)
    }

    /// Returns a global tensor of the launch.
    pub fn bound(&self, global: GlobalId) -> &BoundGlobal {
        &self.setup.launch.globals[global.index()]
    }

    /// Returns rows and columns of a slot of a buffer, or `None` if they are unknown.
    pub fn slot_shape(&mut self, buffer: BufferId) -> Option<[i64; 2]> {
        let declared = self.setup.program.buffer(buffer);
        let [rows, columns] = declared
            .shape
            .map(|extent| self.environment.int(extent).ok());
        Some([rows?, columns?])
    }

    /// Returns the value of a hardware query.
    pub fn special(&mut self, special: SpecialScalar) -> Value {
        self.environment.special(special)
    }

    /// Returns the values of a whole global tensor.
    pub fn tensor(&mut self, global: GlobalId) -> Option<Snapshot> {
        let bound = &self.setup.launch.globals[global.index()];
        let columns = bound.shape.last().copied().unwrap_or(1);
        let rows = bound.shape.iter().rev().skip(1).product();
        let tensor = &mut self.chip.globals[global.index()];
        tensor.touch(0..bound.bytes as i64);
        collect(
            tensor.memory(),
            bound.dtype,
            [rows, columns],
            |row, column| (row * columns + column) * bound.dtype.bits(),
        )
    }

    /// Returns the value of a variable.
    pub fn variable(&mut self, id: VariableId) -> Value {
        self.environment.variable(id)
    }

    /// Returns which elements of an operand of the current vector instruction are switched off by the mask,
    /// in the order of [`Snapshot::values`]; `parameter` is the index of the operand's parameter. `None` if
    /// the mask does not affect it.
    pub fn masked(&mut self, parameter: usize) -> Option<Vec<bool>> {
        let Operation::Vector(call, tiles) = self.operation else {
            return None;
        };
        let mut operands = call.opcode.row().operands();
        let operand = operands.position(|(index, _)| index == parameter)?;
        let tile = tiles.get(operand)?.as_ref()?;
        let all = vector::footprint(call, operand, None).ok()??;
        let live = vector::footprint(call, operand, Some(self.mask)).ok()??;
        // The mask switches nothing off.
        if all == live {
            return None;
        }
        let is_in = |ranges: &[Range<i64>], byte: i64| {
            let after = ranges.partition_point(|range| range.end <= byte);
            ranges.get(after).is_some_and(|range| range.start <= byte)
        };
        let [rows, columns] = tile.span.map(|extent| extent.max(0));
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let is_masked = |(row, column)| {
            let byte = bit_address(tile, 0, row, column) / 8;
            is_in(&all, byte) && !is_in(&live, byte)
        };
        Some(places.map(is_masked).collect())
    }

    fn local(&mut self, view: &LocalView) -> Option<Snapshot> {
        let tile = views::tile(self.setup, self.environment, view).ok()?;
        self.tile(&tile)
    }

    fn tile(&mut self, tile: &Tile) -> Option<Snapshot> {
        let core = self.chip.core(self.lane.core);
        let rows = core.rows(tile.slot);
        let memory = core.memory(tile.position, self.lane);
        collect(memory, tile.dtype, tile.span, |row, column| {
            bit_address(tile, rows, row, column)
        })
    }

    fn global(&mut self, view: &GlobalView) -> Option<Snapshot> {
        let window = views::window(self.setup, self.environment, view).ok()?;
        let tensor = &mut self.chip.globals[window.global.index()];
        let capacity = tensor.memory().capacity() as i64;
        for elements in window.inside(capacity * 8 / window.dtype.bits()) {
            let [start, end] =
                [elements.start, elements.end].map(|element| window.dtype.bytes_of(element));
            // Elements of half a byte may share the last one.
            tensor.touch(start..end + 1);
        }
        collect(
            tensor.memory(),
            window.dtype,
            [window.rows, window.columns],
            |row, column| (window.start + row * window.pitch + column) * window.dtype.bits(),
        )
    }
}

/// Returns the address, in bits, of an element of an on-chip view.
fn bit_address(tile: &Tile, rows: i64, row: i64, column: i64) -> i64 {
    let plain = || {
        let first = tile.offset[0] * tile.shape[1] + tile.offset[1];
        tile.base * 8 + (first + row * tile.shape[1] + column) * tile.dtype.bits()
    };
    let fractals = match (tile.position, tile.layout) {
        (Position::Ub | Position::Bt, _) | (Position::L1, Layout::Nd) | (_, Layout::Linear) => {
            return plain();
        }
        (Position::L0A | Position::L0B, _) => {
            Fractals::of_operand(tile, tile.span[0], tile.span[1])
        }
        _ => Fractals::of_tile(tile, rows),
    };
    let piece = fractals.at(row, column / fractals.width);
    piece * 8 + column % fractals.width * tile.dtype.bits()
}

fn collect(
    memory: &Memory,
    dtype: DType,
    extent: [i64; 2],
    bit: impl Fn(i64, i64) -> i64,
) -> Option<Snapshot> {
    let [rows, columns] = extent.map(|extent| extent.max(0));
    // An empty extent must not hide a huge one, over which the loops below would still go.
    if rows.max(1).checked_mul(columns.max(1))? > MAX_ELEMENTS {
        return None;
    }
    let mut values = Vec::with_capacity((rows * columns) as usize);
    let mut defined = Vec::with_capacity(values.capacity());
    for row in 0..rows {
        for column in 0..columns {
            let bit = bit(row, column);
            let range = usize::try_from(bit / 8).ok()?..(bit + dtype.bits() + 7) as usize / 8;
            if range.end > memory.capacity() {
                return None;
            }
            values.push(number(memory, dtype, range.start, bit % 8));
            defined.push(memory.all_defined(range));
        }
    }
    Some(Snapshot {
        dtype,
        shape: [rows as usize, columns as usize],
        values,
        defined,
    })
}

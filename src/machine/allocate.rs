//! Where every on-chip buffer lies: a bump allocator per memory.
//!
//! Buffers stand in declaration order, the slots of one buffer side by side, every slot rounded up
//! to a block of 32 bytes. Local tensors keep these addresses for the whole run, so an access past
//! a tensor lands in its neighbour.

use super::scalars::{Absence, Environment};
use crate::device::{FRACTAL, SUB_BLOCKS, capacity};
use crate::ir::{Buffer, BufferId, Program};
use crate::isa::{BLOCK_BYTES, DType, Layout, Position};

/// The addresses of all buffers of a program.
#[derive(Clone, Debug, Default)]
pub struct Allocation {
    places: Vec<Placement>,
}

/// Where one buffer lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Which memory.
    pub position: Position,
    /// Byte address of slot 0.
    pub address: i64,
    /// Bytes of one slot as far as its tensor reaches.
    pub bytes: i64,
    /// Bytes from one slot to the next.
    pub pitch: i64,
    /// Number of slots.
    pub slots: i64,
    /// Rows of the storage shape.
    pub rows: i64,
    /// Index of the first slot among the slots of all buffers.
    pub first_slot: usize,
}

/// Why buffers cannot be placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AllocationError {
    /// An extent has no value when the kernel starts.
    Shape(BufferId, Absence),
    /// An extent is negative or absurdly large.
    Extent(BufferId, i64),
    /// The buffers of a memory need more bytes than it has.
    Overflow {
        /// The memory.
        position: Position,
        /// Bytes that the buffers take.
        needed: i64,
        /// The first buffer that does not fit.
        buffer: BufferId,
    },
}

/// Largest extent of a local tensor that is worth laying out.
const MAX_EXTENT: i64 = 1 << 24;

impl Allocation {
    /// Places every buffer of a program.
    pub fn of(program: &Program, environment: &mut Environment) -> Result<Self, AllocationError> {
        let mut places = Vec::with_capacity(program.buffers.len());
        let mut tops = [0; Position::ALL.len()];
        let mut first_slot = 0;
        for (index, buffer) in program.buffers.iter().enumerate() {
            let id = BufferId(index as u32);
            let [rows, columns] = extents(id, buffer, environment)?;
            let bytes = slot_bytes(buffer, rows, columns);
            let top = &mut tops[buffer.position as usize];
            let place = Placement {
                position: buffer.position,
                address: *top,
                bytes,
                pitch: align(bytes, BLOCK_BYTES),
                slots: i64::from(buffer.slots),
                rows,
                first_slot,
            };
            *top = place.end();
            if *top > capacity(buffer.position) {
                return Err(AllocationError::Overflow {
                    position: buffer.position,
                    needed: *top,
                    buffer: id,
                });
            }
            first_slot += buffer.slots as usize;
            places.push(place);
        }
        Ok(Allocation { places })
    }

    /// Where a buffer lies.
    pub fn place(&self, buffer: BufferId) -> &Placement {
        &self.places[buffer.index()]
    }

    /// Number of slots of all buffers.
    pub fn slots(&self) -> usize {
        self.places
            .last()
            .map_or(0, |place| place.first_slot + place.slots as usize)
    }

    /// Rows of the storage shape of every slot.
    pub fn slot_rows(&self) -> impl Iterator<Item = i64> {
        self.places
            .iter()
            .flat_map(|place| (0..place.slots).map(|_| place.rows))
    }

    /// Bytes in use at the start of a memory.
    pub fn used(&self, position: Position) -> i64 {
        self.at(position)
            .map(|(_, place)| place.end())
            .max()
            .unwrap_or(0)
    }

    /// The buffer that holds a byte of a memory.
    pub fn buffer_at(&self, position: Position, address: i64) -> Option<BufferId> {
        self.at(position)
            .find(|(_, place)| (place.address..place.end()).contains(&address))
            .map(|(id, _)| id)
    }

    fn at(&self, position: Position) -> impl Iterator<Item = (BufferId, &Placement)> {
        let places = self.places.iter().enumerate();
        places
            .filter(move |(_, place)| place.position == position)
            .map(|(index, place)| (BufferId(index as u32), place))
    }
}

impl Placement {
    /// Byte address of a slot; `slot` is taken modulo the number of slots.
    pub fn slot_address(&self, slot: i64) -> i64 {
        self.address + slot.rem_euclid(self.slots) * self.pitch
    }

    /// Index of a slot among the slots of all buffers.
    pub fn slot_index(&self, slot: i64) -> usize {
        self.first_slot + slot.rem_euclid(self.slots) as usize
    }

    /// First byte after the last slot.
    pub fn end(&self) -> i64 {
        self.address + self.slots * self.pitch
    }
}

impl AllocationError {
    /// The error as a sentence without a full stop.
    pub fn message(&self, program: &Program) -> String {
        match self {
            AllocationError::Shape(id, absence) => format!(
                "the shape of {} is not known when the kernel starts: {}",
                program.buffer(*id).label(),
                absence.reason(program)
            ),
            AllocationError::Extent(id, extent) => {
                format!("{} has an extent of {extent}", program.buffer(*id).label())
            }
            AllocationError::Overflow {
                position,
                needed,
                buffer,
            } => {
                let sub_block = if *position == Position::Ub {
                    " per vec sub-block"
                } else {
                    ""
                };
                format!(
                    "{position} overflows at {}: {needed} bytes of {}{sub_block}",
                    program.buffer(*buffer).label(),
                    capacity(*position),
                )
            }
        }
    }
}

/// The smallest multiple of `unit` that is at least `value`.
pub fn align(value: i64, unit: i64) -> i64 {
    (value + unit - 1).div_euclid(unit) * unit
}

/// Bytes that the used part of every memory takes on one core, both sub-blocks included.
pub fn core_bytes() -> i64 {
    let copies = |position| {
        if position == Position::Ub {
            i64::from(SUB_BLOCKS)
        } else {
            1
        }
    };
    Position::ALL
        .iter()
        .map(|&position| copies(position) * capacity(position))
        .sum()
}

fn extents(
    id: BufferId,
    buffer: &Buffer,
    environment: &mut Environment,
) -> Result<[i64; 2], AllocationError> {
    let mut extents = [0; 2];
    for (extent, scalar) in extents.iter_mut().zip(buffer.shape) {
        *extent = environment
            .int(scalar)
            .map_err(|absence| AllocationError::Shape(id, absence))?;
        if !(0..=MAX_EXTENT).contains(extent) {
            return Err(AllocationError::Extent(id, *extent));
        }
    }
    Ok(extents)
}

/// Bytes of one slot: fractal memories pad rows to 16 and columns to a whole strip.
fn slot_bytes(buffer: &Buffer, rows: i64, columns: i64) -> i64 {
    let strip = strip_width(buffer.position, buffer.dtype);
    match (buffer.position, buffer.layout) {
        (Position::L1, Layout::Nd) | (Position::Ub | Position::Bt, _) => {
            buffer.dtype.bytes_of(rows * columns)
        }
        _ => buffer
            .dtype
            .bytes_of(align(rows, FRACTAL) * align(columns, strip)),
    }
}

/// Columns of one strip of a fractal layout: C0, and 16 in L0C.
pub fn strip_width(position: Position, dtype: DType) -> i64 {
    match position {
        Position::L0C => FRACTAL,
        _ => dtype.c0(),
    }
}

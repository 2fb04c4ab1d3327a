//! The addresses of all on-chip buffers under one launch.
//!
//! [`MemoryMap`] decides the layout; this module evaluates it in numbers. Buffers keep their addresses for
//! the whole run, so an access past the end of one lands in its neighbour. Where sizes depend on the lane (the last
//! core has less to do), each lane has a layout of its own.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::bound::BoundLaunch;
use super::early::SizeScalars;
use super::lane_id::{LaneId, LaneKind};
use super::scalars::{Environment, VariableSet};
use super::stepper::lanes;
use super::value::Absence;
use a2lint_ir::{BufferId, MemoryMap, Program, ScalarId};
use a2lint_isa::device::{Device, FRACTAL, SUB_BLOCKS};
use a2lint_isa::{DType, Position};

/// The addresses of all buffers of a program, on every lane.
#[derive(Clone, Debug)]
pub struct Allocation {
    /// One layout that all lanes share, or one for each lane.
    layouts: Vec<Layout>,
}

impl Allocation {
    /// Places every buffer of a program on each lane of a launch.
    pub fn of(
        program: &Program,
        launch: &BoundLaunch,
        depends: &Arc<[VariableSet]>,
    ) -> Result<Allocation, AllocationError> {
        let sizes = SizeScalars::of(program);
        let cores = match sizes.differ_by_lane() {
            true => launch.cores,
            false => 1,
        };
        let mut layouts = Vec::new();
        for core in 0..cores {
            let lanes: Vec<LaneId> = lanes(program, launch.vec_lanes, core).collect();
            for kind in LaneKind::ALL {
                let lane = LaneId { core, kind };
                let mut environment = Environment::new(program, launch, depends, lane);
                sizes.compute(program, &mut environment);
                let is_used = |position| {
                    !sizes.differ_by_lane() || lanes.contains(&lane) && kind.uses(position)
                };
                let layout = Layout::of(program, launch.device, &mut environment, &is_used)?;
                layouts.push(layout);
                if !sizes.differ_by_lane() {
                    return Ok(Allocation { layouts });
                }
            }
        }
        Ok(Allocation { layouts })
    }

    /// Returns the layout of a lane.
    pub fn on(&self, lane: LaneId) -> &Layout {
        let at = lane.core as usize * LaneKind::ALL.len() + lane.kind.index();
        match &*self.layouts {
            [shared] => shared,
            layouts => &layouts[at],
        }
    }

    /// Returns the rows of the storage shape of every slot on a core. Only matrices in memories of the cube are laid
    /// out by rows, so its layout decides.
    pub fn slot_rows(&self, core: u32) -> impl Iterator<Item = i64> {
        let kind = LaneKind::Cube;
        self.on(LaneId { core, kind }).slot_rows()
    }

    /// Returns the largest number of bytes that a lane has in use, counted from the start of a memory.
    pub fn used(&self, position: Position) -> i64 {
        let used = self.layouts.iter().map(|layout| layout.used(position));
        used.max().unwrap_or(0)
    }

    /// Returns whether a memory has any buffer, even an empty one.
    pub fn has_buffers(&self, position: Position) -> bool {
        let mut layouts = self.layouts.iter();
        layouts.any(|layout| layout.has_buffers(position))
    }
}

/// The addresses of all buffers of a program on one lane.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    map: MemoryMap,
    places: Vec<Place>,
    /// Buffers that are used only on some paths and do not fit, with the reason. A run ends where it uses one.
    unfit: FxHashMap<BufferId, AllocationError>,
}

/// The address and the extents of one buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The memory of the buffer.
    pub position: Position,
    /// Byte address of slot 0.
    pub address: i64,
    /// Bytes from the start of one slot to the start of the next.
    pub slot_bytes: i64,
    /// Number of slots.
    pub slots: i64,
    /// Rows of the storage shape.
    pub rows: i64,
    /// Index of the first slot among the slots of all buffers.
    pub first_slot: usize,
}

/// Why buffers cannot be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllocationError {
    /// An extent has no value when the kernel starts.
    Shape(BufferId, Absence),
    /// An extent is negative or absurdly large.
    Extent(BufferId),
    /// The buffers of a memory need more bytes than it has.
    Overflow {
        /// The memory.
        position: Position,
        /// Bytes that the buffers take, up to and including `buffer`.
        needed: i64,
        /// The first buffer that does not fit.
        buffer: BufferId,
        /// Bytes that the memory has for them.
        room: i64,
    },
    /// The buffer fits on some paths of the kernel: its address depends on the buffers that branches hand out.
    Unsettled(BufferId),
}

impl Layout {
    /// Places every buffer of a program on a device, for a lane that uses the buffers of some memories.
    fn of(
        program: &Program,
        device: Device,
        environment: &mut Environment,
        is_used: &dyn Fn(Position) -> bool,
    ) -> Result<Self, AllocationError> {
        let mut values: FxHashMap<ScalarId, i64> = FxHashMap::default();
        for (index, buffer) in program.buffers.iter().enumerate() {
            for scalar in buffer.shape {
                let extent = environment.int(scalar);
                let id = BufferId(index as u32);
                let extent = match extent {
                    // Statements whose operands have an unknown extent are left out of the run, so such a
                    // buffer is never accessed and takes no room.
                    Err(Absence::Unknown) => 0,
                    // This lane takes a path that does not hand out the buffer, or leaves it to the other side.
                    Err(Absence::Unassigned(_)) if buffer.nested => 0,
                    extent if !is_used(buffer.position) => extent.unwrap_or(0).clamp(0, 1),
                    extent => extent.map_err(|absence| AllocationError::Shape(id, absence))?,
                };
                values.insert(scalar, extent);
            }
        }
        let map = MemoryMap::on(device, program, |scalar| values.get(&scalar).copied());
        let mut places = Vec::with_capacity(program.buffers.len());
        let mut first_slot = 0;
        let mut unfit = FxHashMap::default();
        for (index, buffer) in program.buffers.iter().enumerate() {
            let id = BufferId(index as u32);
            let rows = values[&buffer.shape[0]];
            let place = place(&map, id, rows, first_slot).ok_or(AllocationError::Extent(id))?;
            let room = program.toolchain.usable(device, place.position);
            // Allocators place buffers in the order of their declarations, so the first that ends too late is to
            // blame.
            if place.end() > room && is_used(place.position) {
                let error = too_large(program, &map, id, room);
                match (buffer.handed.blocks.is_empty(), error) {
                    (true, AllocationError::Overflow { .. }) => return Err(error),
                    // The run may take a path on which the buffer is not handed out, or at a lower address.
                    _ => unfit.insert(id, error),
                };
            }
            first_slot += buffer.slots as usize;
            places.push(place);
        }
        Ok(Layout { map, places, unfit })
    }

    /// Returns why a statement cannot use a buffer: it does not fit on the path of the statement.
    pub fn unfit(&self, buffer: BufferId) -> Option<AllocationError> {
        self.unfit.get(&buffer).copied()
    }

    /// Returns the address range of a buffer.
    pub fn place(&self, buffer: BufferId) -> &Place {
        &self.places[buffer.index()]
    }

    /// Returns the rows of the storage shape of every slot.
    fn slot_rows(&self) -> impl Iterator<Item = i64> {
        self.places
            .iter()
            .flat_map(|place| (0..place.slots).map(|_| place.rows))
    }

    fn used(&self, position: Position) -> i64 {
        match self.has_buffers(position) {
            true => self.map.known_bytes(position),
            false => 0,
        }
    }

    fn has_buffers(&self, position: Position) -> bool {
        self.places.iter().any(|place| place.position == position)
    }

    /// Returns the buffer that owns a byte of a memory while `beside` is in use.
    pub fn buffer_at(&self, program: &Program, beside: BufferId, address: i64) -> Option<BufferId> {
        let beside = program.buffer(beside);
        let mut occupants = self.map.occupants(beside.position, address);
        let found = occupants.find(|occupant| {
            let other = &program.buffer(occupant.buffer).handed;
            !other.excludes(&beside.handed)
        });
        found.map(|occupant| occupant.buffer)
    }
}

/// Returns why a buffer that ends after `room` does not fit: with the buffers that every path to it has handed out, or
/// only with those of some paths.
fn too_large(program: &Program, map: &MemoryMap, id: BufferId, room: i64) -> AllocationError {
    let buffer = program.buffer(id);
    let position = buffer.position;
    let until = program.buffers.iter().take(id.index() + 1).enumerate();
    let adjacent = until.filter(|(index, earlier)| {
        let is_before = *index == id.index() || earlier.handed.is_before(&buffer.handed);
        earlier.position == position && is_before
    });
    let sizes = adjacent.filter_map(|(index, _)| map.get(BufferId(index as u32)).total());
    let needed = sizes.fold(map.reserved(position), i64::saturating_add);
    match needed > room {
        true => AllocationError::Overflow {
            position,
            needed,
            buffer: id,
            room,
        },
        false => AllocationError::Unsettled(id),
    }
}

/// Returns the place of one buffer, or `None` if an extent is negative or too large.
fn place(map: &MemoryMap, id: BufferId, rows: i64, first_slot: usize) -> Option<Place> {
    let placement = map.get(id);
    placement.end()?;
    Some(Place {
        position: placement.position,
        address: placement.address?,
        slot_bytes: placement.slot_bytes?,
        slots: i64::from(placement.slots),
        rows,
        first_slot,
    })
}

impl Place {
    /// Returns the byte address of a slot; `slot` is taken modulo the number of slots.
    pub fn slot_address(&self, slot: i64) -> i64 {
        // Not `%`: a counter may be negative, and the address would lie before slot 0.
        self.address + slot.rem_euclid(self.slots) * self.slot_bytes
    }

    /// Returns the index of a slot among the slots of all buffers.
    pub fn slot_index(&self, slot: i64) -> usize {
        self.first_slot + slot.rem_euclid(self.slots) as usize
    }

    /// Returns the address of the first byte after the last slot.
    pub(super) fn end(&self) -> i64 {
        self.address + self.slots * self.slot_bytes
    }
}

impl AllocationError {
    /// Returns the error as a sentence without a full stop.
    pub fn message(&self, program: &Program) -> String {
        match self {
            AllocationError::Shape(id, absence) => format!(
                "the shape of {} is not known when the kernel starts: {}",
                program.buffer(*id).label(),
                absence.reason(program)
            ),
            AllocationError::Extent(id) => {
                format!("{} has an impossible shape", program.buffer(*id).label())
            }
            AllocationError::Unsettled(id) => format!(
                "the address of {} depends on the path: it fits only where other buffers are not handed out",
                program.buffer(*id).label()
            ),
            AllocationError::Overflow {
                position,
                needed,
                buffer,
                room,
            } => {
                // Each vec lane has a UB of its own, so the capacity in the message is that of one of the
                // two.
                let sub_block = if *position == Position::Ub {
                    " per vec sub-block"
                } else {
                    ""
                };
                format!(
                    "{position} overflows at {}: {needed} bytes of {room}{sub_block}",
                    program.buffer(*buffer).label(),
                )
            }
        }
    }
}

/// Returns the smallest multiple of `unit` that is at least `value`.
pub fn align(value: i64, unit: i64) -> i64 {
    (value + unit - 1).div_euclid(unit) * unit
}

/// Returns the bytes of all memories of one core, with the UB of both vec lanes.
pub fn core_bytes(device: Device) -> i64 {
    let copies = |position| {
        if position == Position::Ub {
            i64::from(SUB_BLOCKS)
        } else {
            1
        }
    };
    Position::ALL
        .iter()
        .map(|&position| copies(position) * device.capacity(position))
        .sum()
}

/// Returns the columns of one strip of a fractal layout: C0 elements (32 bytes), but 16 accumulators in L0C.
pub fn strip_width(position: Position, dtype: DType) -> i64 {
    match position {
        Position::L0C => FRACTAL,
        _ => dtype.c0(),
    }
}

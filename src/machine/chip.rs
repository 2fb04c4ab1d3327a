//! The memories of a device while it runs a kernel.

use std::cell::OnceCell;

use super::allocate::Allocation;
use super::inputs;
use super::lane_id::{LaneId, LaneKind};
use super::launch::BoundLaunch;
use super::memory::{FRESH, Memory};
use super::ownership::Ownership;
use crate::device::{SUB_BLOCKS, capacity};
use crate::ir::GlobalId;
use crate::isa::Position;

/// Global memory and the memories of the cores that run at the same time.
#[derive(Debug)]
pub struct Chip {
    /// Global tensors by [`GlobalId`].
    pub globals: Vec<Memory>,
    /// Who stored what in those that a launch passes.
    pub ownership: Ownership,
    /// Core memories; a single one serves cores that run one after another.
    cores: Vec<CoreMemory>,
}

impl Chip {
    /// Memories as a launch finds them, with room for `cores` cores at once.
    pub fn new(launch: &BoundLaunch, allocation: &Allocation, cores: usize) -> Chip {
        Chip {
            globals: launch.globals.iter().map(inputs::memory).collect(),
            ownership: Ownership::default(),
            cores: (0..cores).map(|_| CoreMemory::new(allocation)).collect(),
        }
    }

    /// The memories of a core.
    pub fn core(&mut self, core: u32) -> &mut CoreMemory {
        let shared = self.cores.len();
        &mut self.cores[core as usize % shared]
    }

    /// A core's memories together with a global tensor.
    pub fn core_and_global(&mut self, core: u32, id: GlobalId) -> (&mut CoreMemory, &mut Memory) {
        let shared = self.cores.len();
        (
            &mut self.cores[core as usize % shared],
            &mut self.globals[id.index()],
        )
    }

    /// As [`Chip::core_and_global`], for a store: together with who stored what.
    pub fn for_store(
        &mut self,
        core: u32,
        id: GlobalId,
    ) -> (&mut CoreMemory, &mut Memory, &mut Ownership) {
        let shared = self.cores.len();
        (
            &mut self.cores[core as usize % shared],
            &mut self.globals[id.index()],
            &mut self.ownership,
        )
    }
}

/// The on-chip memories of one core. A memory that nothing touches takes no room: most launches
/// leave most cores without work.
#[derive(Debug)]
pub struct CoreMemory {
    /// L1, L0A, L0B, L0C, the first UB and BT, by [`Position`]; then the second UB.
    memories: [LazyMemory; Position::ALL.len() + 1],
    /// Rows that the matrix in each slot was laid out for, by slot index.
    rows: Vec<i64>,
    /// Slots whose undefinedness has been explained, by an empty load or by a finding; then those of
    /// the second UB.
    excused: Vec<bool>,
    /// Whether something was written outside the buffers.
    spilled: bool,
}

const SECOND_UB: usize = Position::ALL.len();
const _: () = assert!(SUB_BLOCKS == 2);

impl CoreMemory {
    fn new(allocation: &Allocation) -> CoreMemory {
        let memory = |position| match allocation.has_buffers(position) {
            true => LazyMemory::new(capacity(position) as usize),
            false => LazyMemory::new(0),
        };
        let rows: Vec<i64> = allocation.slot_rows().collect();
        CoreMemory {
            memories: std::array::from_fn(|index| memory(position_of(index))),
            excused: vec![false; SUB_BLOCKS as usize * rows.len()],
            rows,
            spilled: false,
        }
    }

    /// Makes everything fresh again, for the next core.
    pub fn reset(&mut self, allocation: &Allocation) {
        for (index, memory) in self.memories.iter_mut().enumerate() {
            let used = allocation.used(position_of(index)) as usize;
            let used = if self.spilled { memory.capacity } else { used };
            memory.reset(used);
        }
        self.rows.clear();
        self.rows.extend(allocation.slot_rows());
        self.excused.fill(false);
        self.spilled = false;
    }

    /// A memory as `lane` sees it.
    pub fn memory(&self, position: Position, lane: LaneId) -> &Memory {
        self.memories[index_of(position, lane)].get()
    }

    /// A memory as `lane` sees it, to be changed.
    pub fn memory_mut(&mut self, position: Position, lane: LaneId) -> &mut Memory {
        self.memories[index_of(position, lane)].get_mut()
    }

    /// Takes a memory of the cube side out, to be put back.
    pub fn take(&mut self, position: Position) -> Memory {
        self.memories[position as usize].take()
    }

    /// Puts a memory back that was taken out.
    pub fn put_back(&mut self, position: Position, memory: Memory) {
        self.memories[position as usize].put_back(memory);
    }

    /// Two different memories of the cube side: one to write, one to read.
    pub fn pair(&mut self, dst: Position, src: Position) -> (&mut Memory, &Memory) {
        let [dst, src] = self
            .memories
            .get_disjoint_mut([dst as usize, src as usize])
            .expect("moves go between different memories");
        (dst.get_mut(), src.get())
    }

    /// Rows that the matrix in a slot was laid out for.
    pub fn rows(&self, slot: usize) -> i64 {
        self.rows[slot]
    }

    /// Notes that a slot now holds a matrix laid out for so many rows.
    pub fn set_rows(&mut self, slot: usize, rows: i64) {
        self.rows[slot] = rows;
    }

    /// Whether it is explained why a slot holds nothing defined, as `lane` sees it.
    pub fn is_excused(&self, slot: usize, lane: LaneId) -> bool {
        self.excused[self.excuse_index(slot, lane)]
    }

    /// Notes why a slot may hold nothing defined: a load without any element reached it, or what
    /// went into it was undefined and has been reported.
    pub fn excuse(&mut self, slot: usize, lane: LaneId) {
        let index = self.excuse_index(slot, lane);
        self.excused[index] = true;
    }

    fn excuse_index(&self, slot: usize, lane: LaneId) -> usize {
        match lane.kind {
            LaneKind::Vec(1) => self.rows.len() + slot,
            _ => slot,
        }
    }

    /// Notes that something may have been written outside the buffers.
    pub fn spill(&mut self) {
        self.spilled = true;
    }
}

/// A memory that comes into being when it is first looked at.
#[derive(Debug)]
struct LazyMemory {
    capacity: usize,
    memory: OnceCell<Memory>,
}

impl LazyMemory {
    fn new(capacity: usize) -> LazyMemory {
        LazyMemory {
            capacity,
            memory: OnceCell::new(),
        }
    }

    fn get(&self) -> &Memory {
        self.memory.get_or_init(|| Memory::new(self.capacity))
    }

    fn get_mut(&mut self) -> &mut Memory {
        self.get();
        self.memory.get_mut().expect("just looked at")
    }

    fn take(&mut self) -> Memory {
        self.get();
        self.memory.take().expect("just looked at")
    }

    fn put_back(&mut self, memory: Memory) {
        self.memory = OnceCell::from(memory);
    }

    /// Makes the first `used` bytes fresh again.
    fn reset(&mut self, used: usize) {
        if let Some(memory) = self.memory.get_mut() {
            memory.bytes_mut(0..used).fill(FRESH);
            memory.set_defined(0..used, false);
        }
    }
}

fn index_of(position: Position, lane: LaneId) -> usize {
    match (position, lane.kind) {
        (Position::Ub, LaneKind::Vec(1)) => SECOND_UB,
        _ => position as usize,
    }
}

fn position_of(index: usize) -> Position {
    Position::ALL.get(index).copied().unwrap_or(Position::Ub)
}

//! The memories of a device while it runs a kernel.

use std::cell::OnceCell;
use std::hash::Hasher;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHasher};

use super::access::Rows;
use super::allocate::Allocation;
use super::bound::BoundLaunch;
use super::carried::Carried;
use super::footprint::Footprint;
use super::inputs::Tensor;
use super::lane_id::{LaneId, LaneKind};
use super::loads::{Loads, Place};
use super::memory::{FRESH, Memory, MemoryImage};
use super::ownership::Ownership;
use a2lint_ir::{GlobalId, StmtId};
use a2lint_isa::Position;
use a2lint_isa::device::{Device, SUB_BLOCKS};

/// Global memory and the memories of the cores that run at the same time.
#[derive(Debug)]
pub struct Chip {
    /// Global tensors by [`GlobalId`].
    pub globals: Vec<Tensor>,
    /// The lane that stored each part of the tensors that a launch passes.
    pub ownership: Ownership,
    /// Undefined data that passes through workspaces.
    pub carried: Carried,
    /// The bytes of global memory that are touched; `None` unless the run asks for them.
    pub footprint: Option<Footprint>,
    /// Core memories; a single one serves cores that run one after another.
    cores: Vec<CoreMemory>,
}

impl Chip {
    /// Creates the memories at the start of a launch, with room for `cores` cores at once.
    pub fn new(launch: &BoundLaunch, allocation: &Allocation, cores: usize) -> Chip {
        Chip {
            globals: launch.globals.iter().map(Tensor::of).collect(),
            ownership: Ownership::default(),
            carried: Carried::default(),
            footprint: None,
            cores: (0..cores as u32)
                .map(|core| CoreMemory::new(launch.device, allocation, core))
                .collect(),
        }
    }

    /// Makes all memories keep exact values beside their floats, and whom to blame for their errors if they are
    /// attributed.
    pub fn followed(mut self, is_attributed: bool) -> Chip {
        let globals = self.globals.into_iter();
        self.globals = globals.map(|it| it.followed(is_attributed)).collect();
        let all = self.cores.iter_mut().flat_map(|core| &mut core.memories);
        all.for_each(|memory| memory.followed = Some(is_attributed));
        self
    }

    /// Returns the memories of all cores that run at the same time.
    pub(super) fn cores(&self) -> &[CoreMemory] {
        &self.cores
    }

    /// Returns the memories of all cores that run at the same time, mutably.
    pub(super) fn cores_mut(&mut self) -> &mut [CoreMemory] {
        &mut self.cores
    }

    /// Returns the memories of a core.
    pub fn core(&mut self, core: u32) -> &mut CoreMemory {
        let shared = self.cores.len();
        // Cores that run one after another share one entry, so the index wraps.
        &mut self.cores[core as usize % shared]
    }

    /// Returns a core's memories together with a global tensor.
    pub fn core_and_global(&mut self, core: u32, id: GlobalId) -> (&mut CoreMemory, &mut Memory) {
        let shared = self.cores.len();
        (
            &mut self.cores[core as usize % shared],
            self.globals[id.index()].memory_mut(),
        )
    }

    /// Returns what a store needs: a core's memories, a global tensor, and the record of who stored what.
    pub fn for_store(
        &mut self,
        core: u32,
        id: GlobalId,
    ) -> (&mut CoreMemory, &mut Memory, &mut Ownership) {
        let shared = self.cores.len();
        (
            &mut self.cores[core as usize % shared],
            self.globals[id.index()].memory_mut(),
            &mut self.ownership,
        )
    }
}

/// The on-chip memories of one core. A memory is allocated on first access: most launches leave most cores
/// without work.
#[derive(Debug)]
pub struct CoreMemory {
    /// L1, L0A, L0B, L0C, the first UB and BT, by [`Position`]; then the second UB.
    memories: [LazyMemory; Position::ALL.len() + 1],
    /// Row capacity of the layout of the matrix in each slot, by slot index.
    rows: Vec<i64>,
    /// Slots whose undefined contents are already explained, by an empty load or by a finding: by slot index,
    /// then once more for the second UB.
    excused: Vec<bool>,
    /// Sums in L0C, by the address of their first accumulator.
    sums: FxHashMap<i64, Sum>,
    /// The parts of slots that loads have filled.
    pub loads: Loads,
    /// Whether something was written outside of all buffers.
    spilled: bool,
    /// Which half of L0A and L0B `matmul` uses next.
    l0_half: i64,
}

/// The contents of a core's memories at one instant.
#[derive(Clone, Debug)]
pub struct CoreImage {
    /// `None` for a memory that was never accessed.
    memories: Vec<Option<MemoryImage>>,
    rows: Vec<i64>,
    excused: Vec<bool>,
    sums: FxHashMap<i64, Sum>,
    loads: Loads,
    spilled: bool,
    l0_half: i64,
}

impl CoreImage {
    /// Calls `each` with what identifies each page, and its size in bytes.
    pub(super) fn pages(&self, each: &mut dyn FnMut(usize, usize)) {
        let memories = self.memories.iter().flatten();
        memories.for_each(|memory| memory.pages(each));
    }
}

/// A sum in L0C.
#[derive(Clone, Debug)]
struct Sum {
    slot: usize,
    /// Iterations of the loops around the product that started it, outermost first.
    started: Vec<i64>,
    /// `None` if it has not been stored since its start; else whether it reached a tensor of the launch.
    stored: Option<bool>,
}

const SECOND_UB: usize = Position::ALL.len();
// `memories` has exactly one entry for a second UB.
const _: () = assert!(SUB_BLOCKS == 2);

impl CoreMemory {
    fn new(device: Device, allocation: &Allocation, core: u32) -> CoreMemory {
        // A memory without buffers has no bytes, so that no access allocates it.
        let memory = |position| match allocation.has_buffers(position) {
            true => LazyMemory::new(device.capacity(position) as usize),
            false => LazyMemory::new(0),
        };
        let rows: Vec<i64> = allocation.slot_rows(core).collect();
        CoreMemory {
            memories: std::array::from_fn(|index| memory(position_of(index))),
            excused: vec![false; SUB_BLOCKS as usize * rows.len()],
            rows,
            sums: FxHashMap::default(),
            loads: Loads::default(),
            spilled: false,
            l0_half: 0,
        }
    }

    /// Resets all memories for another core.
    pub fn reset(&mut self, allocation: &Allocation, core: u32) {
        for (index, memory) in self.memories.iter_mut().enumerate() {
            let used = allocation.used(position_of(index)) as usize;
            // Only bytes of buffers can have changed, unless something was written outside of them.
            let used = match self.spilled {
                true => memory.capacity,
                // Buffers of paths that were not taken may end past the memory.
                false => used.min(memory.capacity),
            };
            memory.reset(used);
        }
        self.rows.clear();
        self.rows.extend(allocation.slot_rows(core));
        self.excused.fill(false);
        self.sums.clear();
        self.loads.clear();
        self.spilled = false;
        self.l0_half = 0;
    }

    /// Copies the contents; pages are shared with an earlier image where they are the same.
    pub(super) fn image(&self, before: Option<&CoreImage>) -> CoreImage {
        let memories = self.memories.iter().enumerate();
        let memories = memories.map(|(at, lazy)| {
            let before = before.and_then(|before| before.memories[at].as_ref());
            // A memory that was never accessed stays so: an image allocates nothing.
            let memory = lazy.memory.get()?;
            Some(memory.image(before, |_| true))
        });
        CoreImage {
            memories: memories.collect(),
            rows: self.rows.clone(),
            excused: self.excused.clone(),
            sums: self.sums.clone(),
            loads: self.loads.clone(),
            spilled: self.spilled,
            l0_half: self.l0_half,
        }
    }

    /// Restores the contents of an image.
    pub(super) fn restore(&mut self, image: &CoreImage) {
        for (lazy, image) in self.memories.iter_mut().zip(&image.memories) {
            match image {
                Some(image) => lazy.get_mut().restore(image, |_| true),
                None => lazy.memory = OnceCell::new(),
            }
        }
        self.rows.clone_from(&image.rows);
        self.excused.clone_from(&image.excused);
        self.sums.clone_from(&image.sums);
        self.loads.clone_from(&image.loads);
        self.spilled = image.spilled;
        self.l0_half = image.l0_half;
    }

    /// Hashes the contents; a memory that was never accessed hashes as one that was never written.
    pub(super) fn hash_into(&self, hasher: &mut FxHasher) {
        for lazy in &self.memories {
            if let Some(memory) = lazy.memory.get() {
                memory.hash_into(hasher);
            }
            // Ends each memory, so that the same bytes in another memory give another hash.
            hasher.write_u8(0);
        }
        hasher.write_i64(self.l0_half);
    }

    /// Returns a memory as `lane` sees it.
    pub fn memory(&self, position: Position, lane: LaneId) -> &Memory {
        self.memories[index_of(position, lane)].get()
    }

    /// Returns a memory as `lane` sees it, mutably.
    pub fn memory_mut(&mut self, position: Position, lane: LaneId) -> &mut Memory {
        self.memories[index_of(position, lane)].get_mut()
    }

    /// Takes a memory of the cube side out of the core; `put_back` returns it.
    pub fn take(&mut self, position: Position) -> Memory {
        self.memories[position as usize].take()
    }

    /// Returns a memory that `take` took out.
    pub fn put_back(&mut self, position: Position, memory: Memory) {
        self.memories[position as usize].put_back(memory);
    }

    /// Returns two different memories of the cube side: one to write, one to read.
    pub fn pair(&mut self, dst: Position, src: Position) -> (&mut Memory, &Memory) {
        let [dst, src] = self
            .memories
            .get_disjoint_mut([dst as usize, src as usize])
            .expect("moves go between different memories");
        (dst.get_mut(), src.get())
    }

    /// Returns the row capacity of the layout of the matrix in a slot.
    pub fn rows(&self, slot: usize) -> i64 {
        self.rows[slot]
    }

    /// Records the row capacity of the layout of the matrix that a slot now holds.
    pub fn set_rows(&mut self, slot: usize, rows: i64) {
        self.rows[slot] = rows;
    }

    /// Returns whether undefined contents of a slot are already explained, as `lane` sees the slot.
    pub fn is_excused(&self, slot: usize, lane: LaneId) -> bool {
        self.excused[self.excuse_index(slot, lane)]
    }

    /// Records that undefined contents of a slot are explained: a load without any element reached it, or its
    /// undefined operand has been reported.
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

    /// Returns the destination of a load, as `lane` sees it.
    pub fn place(&self, slot: usize, lane: LaneId, stmt: StmtId, start: i64) -> Place {
        Place {
            slot: self.excuse_index(slot, lane),
            stmt,
            start,
        }
    }

    /// Records that bytes of a slot no longer hold what a load put there.
    pub fn overwrite_loads(&mut self, slot: usize, lane: LaneId, rows: &[Rows]) {
        let slot = self.excuse_index(slot, lane);
        self.loads.overwrite(slot, rows);
    }

    /// Records that a sum starts at an address of L0C.
    pub fn start_sum(&mut self, address: i64, slot: usize, iterations: &[i64]) {
        let sum = Sum {
            slot,
            started: iterations.to_vec(),
            stored: None,
        };
        self.sums.insert(address, sum);
    }

    /// Records that the sums of a slot of L0C have been stored: those that start at some addresses.
    pub fn store_sums(&mut self, slot: usize, starts: Range<i64>, in_output: bool) {
        let sums = self.sums.iter_mut();
        let stored = sums.filter(|(start, sum)| sum.slot == slot && starts.contains(start));
        for (_, sum) in stored {
            // A store to an output is never forgotten, even if the sum is stored elsewhere afterwards.
            sum.stored = Some(in_output || sum.stored == Some(true));
        }
    }

    /// For a sum that has been stored, returns the depth of the outermost loop that has advanced since the
    /// sum was started, and whether it was stored to a tensor of the launch.
    pub fn resumed_sum(&self, address: i64, iterations: &[i64]) -> Option<(usize, bool)> {
        let sum = self.sums.get(&address)?;
        let in_output = sum.stored?;
        let mut pairs = sum.started.iter().zip(iterations);
        Some((pairs.position(|(then, now)| then != now)?, in_output))
    }

    /// Returns the half (0 or 1) of L0A and L0B that the next `matmul` stages its operands in; they
    /// alternate.
    pub fn next_l0_half(&mut self) -> i64 {
        let half = self.l0_half;
        self.l0_half ^= 1;
        half
    }

    /// Records that something may have been written outside of all buffers.
    pub fn spill(&mut self) {
        self.spilled = true;
    }
}

/// A memory that is allocated on first access.
#[derive(Debug)]
struct LazyMemory {
    capacity: usize,
    /// Whether errors of its floats are attributed, if it keeps exact values beside them.
    followed: Option<bool>,
    memory: OnceCell<Memory>,
}

impl LazyMemory {
    fn new(capacity: usize) -> LazyMemory {
        LazyMemory {
            capacity,
            followed: None,
            memory: OnceCell::new(),
        }
    }

    fn get(&self) -> &Memory {
        self.memory.get_or_init(|| match self.followed {
            Some(is_attributed) => Memory::new(self.capacity).followed(is_attributed),
            None => Memory::new(self.capacity),
        })
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

    /// Makes the first `used` bytes fresh and undefined.
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

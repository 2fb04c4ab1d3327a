//! The memories of a device while it runs a kernel.

use std::cell::OnceCell;
use std::hash::Hasher;

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
    /// Who stored what in those that a launch passes.
    pub ownership: Ownership,
    /// Undefined data that passes through workspaces.
    pub carried: Carried,
    /// What is touched of global memory, where somebody wants to know.
    pub footprint: Option<Footprint>,
    /// Core memories; a single one serves cores that run one after another.
    cores: Vec<CoreMemory>,
}

impl Chip {
    /// Memories as a launch finds them, with room for `cores` cores at once.
    pub fn new(launch: &BoundLaunch, allocation: &Allocation, cores: usize) -> Chip {
        Chip {
            globals: launch.globals.iter().map(Tensor::of).collect(),
            ownership: Ownership::default(),
            carried: Carried::default(),
            footprint: None,
            cores: (0..cores)
                .map(|_| CoreMemory::new(launch.device, allocation))
                .collect(),
        }
    }

    /// The same memories, which keep exact values beside their floats.
    pub fn followed(mut self) -> Chip {
        self.globals = self.globals.into_iter().map(Tensor::followed).collect();
        let all = self.cores.iter_mut().flat_map(|core| &mut core.memories);
        all.for_each(|memory| memory.is_followed = true);
        self
    }

    /// The memories of all cores that run at the same time.
    pub(super) fn cores(&self) -> &[CoreMemory] {
        &self.cores
    }

    /// The same, to be changed.
    pub(super) fn cores_mut(&mut self) -> &mut [CoreMemory] {
        &mut self.cores
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
            self.globals[id.index()].memory_mut(),
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
            self.globals[id.index()].memory_mut(),
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
    /// Sums in L0C, by the address of their first accumulator.
    sums: FxHashMap<i64, Sum>,
    /// What loads have filled.
    pub loads: Loads,
    /// Whether something was written outside the buffers.
    spilled: bool,
    /// Which half of L0A and L0B `matmul` uses next.
    l0_half: i64,
}

/// What a core holds at one instant.
#[derive(Clone, Debug)]
pub struct CoreImage {
    /// None of a memory that nobody has touched.
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

/// A sum that products have been added to.
#[derive(Clone, Debug)]
struct Sum {
    slot: usize,
    /// Iterations of the loops around the product that started it, outermost first.
    started: Vec<i64>,
    /// Whether it has been stored since, and whether to a tensor of the launch.
    stored: Option<bool>,
}

const SECOND_UB: usize = Position::ALL.len();
const _: () = assert!(SUB_BLOCKS == 2);

impl CoreMemory {
    fn new(device: Device, allocation: &Allocation) -> CoreMemory {
        let memory = |position| match allocation.has_buffers(position) {
            true => LazyMemory::new(device.capacity(position) as usize),
            false => LazyMemory::new(0),
        };
        let rows: Vec<i64> = allocation.slot_rows().collect();
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
        self.sums.clear();
        self.loads.clear();
        self.spilled = false;
        self.l0_half = 0;
    }

    /// What it holds now; pages are shared with an earlier image where they are the same.
    pub(super) fn image(&self, before: Option<&CoreImage>) -> CoreImage {
        let memories = self.memories.iter().enumerate();
        let memories = memories.map(|(at, lazy)| {
            let before = before.and_then(|before| before.memories[at].as_ref());
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

    /// Makes it hold what an image says.
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

    /// Takes what it holds into a hash; a memory that nobody has touched is as one that nobody has written.
    pub(super) fn hash_into(&self, hasher: &mut FxHasher) {
        for lazy in &self.memories {
            if let Some(memory) = lazy.memory.get() {
                memory.hash_into(hasher);
            }
            hasher.write_u8(0);
        }
        hasher.write_i64(self.l0_half);
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

    /// Where a load of a statement goes, as `lane` sees it.
    pub fn place(&self, slot: usize, lane: LaneId, stmt: StmtId, start: i64) -> Place {
        Place {
            slot: self.excuse_index(slot, lane),
            stmt,
            start,
        }
    }

    /// Notes that bytes of a slot hold something else than what loads put there.
    pub fn overwrite_loads(&mut self, slot: usize, lane: LaneId, rows: &[Rows]) {
        let slot = self.excuse_index(slot, lane);
        self.loads.overwrite(slot, rows);
    }

    /// Notes that a sum starts at an address of L0C.
    pub fn start_sum(&mut self, address: i64, slot: usize, iterations: &[i64]) {
        let sum = Sum {
            slot,
            started: iterations.to_vec(),
            stored: None,
        };
        self.sums.insert(address, sum);
    }

    /// Notes that the sums of a slot of L0C have been stored.
    pub fn store_sums(&mut self, slot: usize, in_output: bool) {
        for sum in self.sums.values_mut().filter(|sum| sum.slot == slot) {
            sum.stored = Some(in_output || sum.stored == Some(true));
        }
    }

    /// The outermost loop that has gone on since a sum was started, where it has been stored since;
    /// and whether to a tensor of the launch.
    pub fn resumed_sum(&self, address: i64, iterations: &[i64]) -> Option<(usize, bool)> {
        let sum = self.sums.get(&address)?;
        let in_output = sum.stored?;
        let mut pairs = sum.started.iter().zip(iterations);
        Some((pairs.position(|(then, now)| then != now)?, in_output))
    }

    /// The half of L0A and L0B that a `matmul` passes its operands through: both in turn.
    pub fn next_l0_half(&mut self) -> i64 {
        let half = self.l0_half;
        self.l0_half ^= 1;
        half
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
    /// Whether it keeps exact values beside its floats.
    is_followed: bool,
    memory: OnceCell<Memory>,
}

impl LazyMemory {
    fn new(capacity: usize) -> LazyMemory {
        LazyMemory {
            capacity,
            is_followed: false,
            memory: OnceCell::new(),
        }
    }

    fn get(&self) -> &Memory {
        self.memory.get_or_init(|| match self.is_followed {
            true => Memory::new(self.capacity).followed(),
            false => Memory::new(self.capacity),
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

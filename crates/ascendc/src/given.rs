//! The memory that a kernel hands out while it runs.
//!
//! Buffers that are initialised one after the other are adjacent in memory. Buffers of two arms of a branch have the
//! same address, so that the sum of all sizes is no bound on the memory in use.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use a2lint_cpp::eval::CellId;
use a2lint_ir::build::Builder;
use a2lint_ir::{Buffer, BufferId, DeviceBlock, HandOut, ScalarId, VariableId};
use a2lint_isa::Position;
use a2lint_source::text::Span;

use super::objects::Object;

/// What a kernel has handed out, on all paths.
#[derive(Debug, Default)]
pub struct Given {
    /// For each object and place that initialises it (`InitBuffer`): the branches and loops around the place.
    paths: RefCell<BTreeMap<(CellId, Span), Vec<DeviceBlock>>>,
    /// The number of times that an allocator went back to an earlier address.
    epoch: Cell<u32>,
    /// The number of loops around the place where the allocator last began anew.
    loops: Cell<usize>,
    /// The buffers that represent whole memories, for tensors that are placed by address.
    memories: RefCell<Vec<(Position, BufferId, Span)>>,
    /// The objects that an arm of a branch has initialised.
    prepared: RefCell<BTreeMap<CellId, Prepared>>,
    /// Objects that several arms initialise with different sizes.
    varied: RefCell<BTreeSet<CellId>>,
    /// The parameters that are the number of buffers of a queue.
    pub counts: RefCell<BTreeSet<String>>,
    /// The parameters in global memory that hold elements of several sizes.
    pub mixed: RefCell<BTreeSet<String>>,
    /// The calls that give them elements of another size.
    pub mixing: RefCell<BTreeSet<Span>>,
    /// Those that an earlier evaluation found.
    known_mixed: BTreeSet<String>,
}

/// An object that arms of a branch initialise.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The object after that.
    pub object: Object,
    /// Its memory.
    pub buffer: BufferId,
    /// Number of slots.
    pub slots: u32,
    /// The size that was given first.
    pub bytes: ScalarId,
    /// The variable that holds the size, which each arm assigns.
    pub size: Option<VariableId>,
    /// The place that initialises it first.
    pub span: Span,
    /// Where the arms hand it out.
    pub arms: Vec<HandOut>,
}

impl Given {
    /// Returns the record of a kernel that has handed out nothing. Parameters of these names hold elements of several
    /// sizes.
    pub fn of(mixed: &BTreeSet<String>) -> Given {
        Given {
            known_mixed: mixed.clone(),
            ..Given::default()
        }
    }

    /// Returns whether a parameter is known to hold elements of several sizes: it is a tensor of bytes.
    pub fn is_of_bytes(&self, name: &str) -> bool {
        self.known_mixed.contains(name)
    }

    /// Records a place that initialises an object (`InitBuffer`).
    pub fn record(&self, cell: CellId, span: Span, path: &[DeviceBlock]) {
        self.paths.borrow_mut().insert((cell, span), path.to_vec());
    }

    /// Returns whether two blocks of the program, neither of which contains the other, call `InitBuffer`: the memory
    /// layout then depends on the path.
    pub fn has_ways(&self) -> bool {
        let paths = self.paths.borrow();
        let mut paths: Vec<&Vec<DeviceBlock>> = paths.values().collect();
        paths.sort_by_key(|path| path.len());
        paths.windows(2).any(|pair| !pair[1].starts_with(pair[0]))
    }

    /// Records that the allocator goes back to an earlier address.
    pub fn rewind(&self, builder: &mut Builder) {
        builder.program.rewinds_memory = true;
        self.epoch.set(self.epoch.get() + 1);
        self.begin(builder);
    }

    /// Records that an allocator begins here.
    pub fn begin(&self, builder: &Builder) {
        self.loops.set(builder.open_loops());
    }

    /// Returns whether this place is in a loop that the allocator does not begin anew in: what it hands out here adds
    /// up from one iteration to the next.
    pub fn adds_up(&self, builder: &Builder) -> bool {
        builder.open_loops() > self.loops.get()
    }

    /// Returns how a buffer is handed out here.
    pub fn here(&self, builder: &Builder) -> HandOut {
        HandOut {
            blocks: builder.device_path().into(),
            epoch: self.epoch.get(),
            is_lent: false,
        }
    }

    /// Records an object that an arm of a branch has initialised.
    pub fn prepare(&self, cell: CellId, prepared: Prepared) {
        self.prepared.borrow_mut().insert(cell, prepared);
    }

    /// Returns the object that other arms of the branches around this place have initialised, if it has the same
    /// number of slots there.
    pub fn prepared(&self, builder: &Builder, cell: CellId, slots: u32) -> Option<Prepared> {
        let here = self.here(builder);
        let prepared = self.prepared.borrow();
        let found = prepared.get(&cell)?;
        let declared = builder.program.buffers.get(found.buffer.index())?;
        let is_other = |arm: &HandOut| arm.excludes(&here) && arm.epoch == here.epoch;
        // A block that is evaluated again drops the buffers of its first evaluation.
        let is_it = declared.span == found.span && found.slots == slots;
        (is_it && found.arms.iter().all(is_other)).then(|| found.clone())
    }

    /// Records that arms initialise an object with different sizes.
    pub fn vary(&self, cell: CellId) {
        self.varied.borrow_mut().insert(cell);
    }

    /// Returns whether arms initialise an object with different sizes.
    pub fn varies(&self, cell: CellId) -> bool {
        self.varied.borrow().contains(&cell)
    }

    /// Records that an object is handed out on several arms, at one address: for the memory layout, this is a place
    /// before the branch.
    pub fn share(&self, cell: CellId, handed: &HandOut) {
        let mut paths = self.paths.borrow_mut();
        let own = paths.iter_mut().filter(|((of, _), _)| *of == cell);
        own.for_each(|(_, path)| *path = handed.blocks.to_vec());
    }

    /// Returns the buffer that represents a whole memory.
    pub fn memory(&self, builder: &Builder, position: Position) -> Option<BufferId> {
        let memories = self.memories.borrow();
        let (_, buffer, span) = memories.iter().rev().find(|(of, ..)| *of == position)?;
        // A block that is evaluated again, such as the body of a loop, drops the buffers of its first evaluation.
        let is_it = |declared: &Buffer| declared.position == position && declared.span == *span;
        let declared = builder.program.buffers.get(buffer.index());
        declared.is_some_and(is_it).then_some(*buffer)
    }

    /// Records the buffer that represents a whole memory.
    pub fn record_memory(&self, position: Position, buffer: BufferId, span: Span) {
        self.memories.borrow_mut().push((position, buffer, span));
    }
}

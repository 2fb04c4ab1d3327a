//! The memory that a kernel hands out while it runs.
//!
//! Buffers that are initialised one after the other are adjacent in memory. Buffers of two arms of a branch have the
//! same address, so that the sum of all sizes is no bound on the memory in use.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use a2lint_cpp::eval::CellId;
use a2lint_ir::build::Builder;
use a2lint_ir::{Buffer, BufferId, DeviceBlock, HandOut};
use a2lint_isa::Position;
use a2lint_source::text::Span;

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
}

impl Given {
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
        }
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

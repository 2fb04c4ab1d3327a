//! The memory that a kernel hands out while it runs.
//!
//! Buffers that are initialised one after the other are adjacent in memory. Buffers of two arms of a branch have the
//! same address, so that the sum of all sizes is no bound on the memory in use.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use a2lint_cpp::eval::CellId;
use a2lint_ir::build::Builder;
use a2lint_ir::{
    Buffer, BufferId, DeviceBlock, HandOut, ScalarId, ScalarType, Unprepared, VariableId,
    VariableKind,
};
use a2lint_isa::Position;
use a2lint_source::text::Span;

use super::objects::Object;

/// A mark of the paths that prepare an object: that give a tensor its address or memory, or a buffer its memory. An
/// object that every path prepares has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark(usize);

/// The object of a mark, and where the mark is known to be set.
#[derive(Debug)]
struct Marked {
    cell: CellId,
    name: String,
    object: Unprepared,
    span: Span,
    /// The variable of the program, which may have been undone with the evaluation that declared it.
    variable: Option<VariableId>,
    /// The blocks of the program that have set the mark or asked for it: in them, it is set from there on.
    paths: Vec<Vec<DeviceBlock>>,
}

/// The end of a `TPipe` with memory.
#[derive(Debug)]
struct End {
    /// The blocks of the program around it.
    path: Vec<DeviceBlock>,
    /// The blocks around the pipes that have begun since. They are kept, because arms of a branch are evaluated several
    /// times.
    next: Vec<Vec<DeviceBlock>>,
}

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
    /// The `TPipe` objects that are alive and have handed out memory, with the place where they began to.
    pipes: RefCell<Vec<(CellId, Span)>>,
    /// The ends of `TPipe` objects with memory.
    ended: RefCell<Vec<End>>,
    /// Whether the last call that sets the atomic operation of stores sets one, and runs in every iteration of the
    /// loops around it.
    adds_last: Cell<bool>,
    /// The objects that only some paths prepare.
    marks: RefCell<Vec<Marked>>,
    /// For names that were used unprepared, whether the texts have a call that prepares an object of this name.
    sought: RefCell<BTreeMap<(String, Unprepared), bool>>,
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
    /// The parameters of [`Given::mixed`] that an earlier evaluation found.
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

    /// Returns whether the texts have a call that prepares an object of this name. `search` reads all of them, so it is
    /// called once for each name.
    pub fn is_prepared(
        &self,
        name: &str,
        object: Unprepared,
        search: impl FnOnce() -> bool,
    ) -> bool {
        let key = (name.to_owned(), object);
        *self.sought.borrow_mut().entry(key).or_insert_with(search)
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

    /// Returns whether the kernel places tensors by address.
    pub fn places(&self) -> bool {
        !self.memories.borrow().is_empty()
    }

    /// Records the buffer that represents a whole memory.
    pub fn record_memory(&self, position: Position, buffer: BufferId, span: Span) {
        self.memories.borrow_mut().push((position, buffer, span));
    }

    /// Records that a call sets, or ends, the atomic operation of stores.
    pub fn sets_atomic(&self, sets: bool, builder: &Builder) {
        let is_sure = builder.device_path().iter().all(|block| block.is_loop);
        self.adds_last.set(sets && is_sure);
    }

    /// Returns whether stores are atomic at the end of the kernel, if the loop that makes them so has iterations.
    pub fn ends_atomic(&self) -> bool {
        self.adds_last.get()
    }

    /// Records that a `TPipe` hands out memory, and returns the other ones that are alive and have done so.
    pub fn hands_out(&self, pipe: CellId, span: Span) -> Vec<(CellId, Span)> {
        let mut pipes = self.pipes.borrow_mut();
        if pipes.iter().all(|(known, _)| *known != pipe) {
            pipes.push((pipe, span));
        }
        let others = pipes.iter().filter(|(known, _)| *known != pipe);
        others.copied().collect()
    }

    /// Forgets a `TPipe`; returns whether it had handed out memory.
    pub fn forget_pipe(&self, pipe: CellId) -> bool {
        let mut pipes = self.pipes.borrow_mut();
        let before = pipes.len();
        pipes.retain(|(known, _)| *known != pipe);
        pipes.len() < before
    }

    /// Records that a `TPipe` ends.
    pub fn end_pipe(&self, pipe: CellId, builder: &Builder) {
        if self.forget_pipe(pipe) {
            self.ended.borrow_mut().push(End {
                path: builder.device_path().to_vec(),
                next: Vec::new(),
            });
        }
    }

    /// Records that a `TPipe` begins, and returns whether one with memory has ended on every way to this place since
    /// another one began.
    pub fn begin_pipe(&self, builder: &Builder) -> bool {
        let here = builder.device_path();
        let mut follows = false;
        for end in self.ended.borrow_mut().iter_mut() {
            let is_known = end.next.iter().any(|path| here.starts_with(path));
            if here.starts_with(&end.path) && !is_known {
                end.next.push(here.to_vec());
                follows = true;
            }
        }
        follows
    }

    /// Returns the mark of an object.
    pub fn mark(&self, cell: CellId, (name, span): (&str, Span), object: Unprepared) -> Mark {
        let mut marks = self.marks.borrow_mut();
        let known = marks
            .iter()
            .position(|it| it.cell == cell && it.name == name);
        Mark(known.unwrap_or_else(|| {
            marks.push(Marked {
                cell,
                name: name.to_owned(),
                object,
                span,
                variable: None,
                paths: Vec::new(),
            });
            marks.len() - 1
        }))
    }

    /// Returns whether a mark is set on every way to this place.
    pub fn is_set(&self, mark: Mark, builder: &Builder) -> bool {
        let here = builder.device_path();
        let marks = self.marks.borrow();
        marks[mark.0]
            .paths
            .iter()
            .any(|path| here.starts_with(path))
    }

    /// Returns the variable of a mark, which is set from this place on in the block around it.
    pub fn set(&self, mark: Mark, builder: &mut Builder) -> VariableId {
        let marked = &mut self.marks.borrow_mut()[mark.0];
        marked.paths.push(builder.device_path().to_vec());
        let kind = VariableKind::Prepared(marked.object);
        let is_it = |id: &VariableId| {
            let declared = builder.program.variables.get(id.index());
            declared.is_some_and(|it| {
                it.kind == kind && it.name == marked.name && it.span == marked.span
            })
        };
        let known = marked.variable.filter(is_it);
        let variable = known
            .unwrap_or_else(|| builder.variable(kind, &marked.name, ScalarType::INT, marked.span));
        marked.variable = Some(variable);
        variable
    }
}

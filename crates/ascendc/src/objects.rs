//! Objects of the API as values of the evaluator.

use std::any::Any;
use std::rc::Rc;

use a2lint_cpp::eval::CellId;
use a2lint_cpp::library::{LibraryValue, WIDEST};
use a2lint_ir::{AtomicKind, BufferId, EventId, GlobalId, Program, ScalarId, ScalarType};
use a2lint_isa::{DType, Pipe, Position};

use super::given::Mark;
use super::tensors::{InGlobal, Local};
use super::types;

/// The scalar type of sizes and offsets on the chip.
const ON_CHIP: ScalarType = ScalarType::INT;
/// The scalar type of numbers in registers of the core.
const IN_REGISTER: ScalarType = ScalarType::of(DType::Float);
/// The scalar type of offsets in global memory.
const IN_GLOBAL: ScalarType = ScalarType::of(DType::Int64);

/// A value of the library.
#[derive(Clone, Debug, PartialEq)]
pub enum Object {
    /// A pointer into global memory.
    Address(Address),
    /// A `GlobalTensor`; without a value before `SetGlobalBuffer`.
    Global(Option<InGlobal>),
    /// A `LocalTensor`; without a value before it is assigned.
    Local(Option<Local>),
    /// A `TPipe`.
    Pipe,
    /// A `TBufPool`.
    Pool,
    /// A `TQueSync` between two pipes.
    Sync((Pipe, Pipe)),
    /// A queue before and after `InitBuffer`.
    Queue(QueueType, Option<Queue>),
    /// The slots of the tensors that a queue has handed out, oldest first; `None` if paths differ in their number.
    Lent(Option<Vec<ScalarId>>),
    /// A `TBuf` before and after `InitBuffer`.
    Buf(Position, Option<Memory>),
    /// The registers and pools of the core that no object of the kernel names.
    Core(Core),
    /// The atomic operation of stores. It has its own cell, so that the other registers stay known where paths differ
    /// in it.
    Stores(Option<Atomic>),
    /// A number in a register of the core, which has its own cell; `None` if it is unset or unknown.
    Register(Option<ScalarId>),
    /// The event ids that are taken, which have a cell of their own; `None` if paths differ in them.
    Ids(Option<Ids>),
    /// A whole memory in which tensors are placed by address, and the number of bytes handed out so far.
    Memory(Position, ScalarId),
}

/// For each `HardEvent`, by its number, the event ids that are taken, as bits.
pub type Ids = [u8; types::EVENTS as usize];

/// No id is taken.
pub const NO_IDS: Ids = [0; types::EVENTS as usize];

/// The memory of a `TBuf`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memory {
    /// The buffer.
    pub buffer: BufferId,
    /// The paths that have initialised it (`InitBuffer`), if not all have.
    pub set: Option<Mark>,
}

/// How stores combine what they write with what memory holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atomic {
    /// The operation.
    pub kind: AtomicKind,
    /// The element type that it works on; `None` if it is not known.
    pub dtype: Option<DType>,
}

/// A pointer into global memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Address {
    /// The tensor.
    pub global: GlobalId,
    /// Bytes from its start.
    pub bytes: ScalarId,
}

/// The properties of a queue type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueueType {
    /// The memory of its buffers.
    pub position: Position,
    /// The pipes of the event between `EnQue` and `DeQue`.
    pub full: (Pipe, Pipe),
    /// The pipes of the event between `FreeTensor` and `AllocTensor`.
    pub free: (Pipe, Pipe),
    /// Maximum number of enqueued tensors.
    pub depth: i64,
    /// The name of its position, as `VECIN`.
    pub name: &'static str,
}

/// An initialised queue.
#[derive(Clone, Debug, PartialEq)]
pub struct Queue {
    /// Its buffers, as the slots of one buffer.
    pub buffer: BufferId,
    /// Number of slots.
    pub slots: u32,
    /// The paths that have initialised it (`InitBuffer`), if not all have.
    pub set: Option<Mark>,
    /// The event between `EnQue` and `DeQue`.
    pub full: EventId,
    /// The event between `FreeTensor` and `AllocTensor`.
    pub free: EventId,
    /// Number of tensors allocated so far. Modulo the slots, it is the slot of the next one.
    pub cursor: ScalarId,
    /// Number of tensors dequeued so far.
    pub taken: ScalarId,
    /// The slots of the enqueued tensors, oldest first; `None` if paths differ in their number.
    pub enqueued: Option<Vec<ScalarId>>,
    /// The cell with the tensors between `AllocTensor` and `EnQue`.
    pub allocated: CellId,
    /// The cell with the tensors between `DeQue` and `FreeTensor`.
    pub dequeued: CellId,
}

/// The vector mask.
#[derive(Clone, Debug, PartialEq)]
pub enum Mask {
    /// All lanes.
    All,
    /// The mask that the previous kernel has left, before this kernel sets one.
    Inherited,
    /// The two 64-bit words of the mask, high and low.
    Words(ScalarId, ScalarId),
    /// The first lanes of each repeat.
    Lanes(ScalarId),
    /// Counter mode: the total number of elements.
    Count(ScalarId),
    /// An unknown mask.
    Unknown,
}

/// The registers and pools of the core.
#[derive(Clone, Debug, PartialEq)]
pub struct Core {
    /// Whether the mask is in counter mode, where it counts elements.
    pub counts: bool,
    /// The vector mask.
    pub mask: Mask,
    /// The vector mask that the emitted instructions have set. An instruction with a mask of its own leaves all
    /// lanes on; the mask that the API would leave set is emitted only before an instruction that uses it.
    pub register: Mask,
    /// The cell of [`Object::Stores`].
    pub stores: Option<CellId>,
    /// The cell of the [`Object::Register`] that `SetDeqScale` sets.
    pub deq_scale: Option<CellId>,
    /// The cell of the [`Object::Register`] in which `ReduceSum` leaves the sum.
    pub sum: Option<CellId>,
    /// The cell of [`Object::Ids`].
    pub taken: Option<CellId>,
    /// The cell of the pointer to the current `TPipe`.
    pub pipe: Option<CellId>,
    /// The value that `SetPadValue` has set.
    pub pad_value: Option<ScalarId>,
    /// Whether `SetFixpipeNz2ndFlag` has set a number of matrices other than 1; `None` before it sets one.
    pub stores_matrices: Option<bool>,
}

impl Default for Core {
    fn default() -> Core {
        Core {
            counts: false,
            mask: Mask::Inherited,
            register: Mask::All,
            stores: None,
            deq_scale: None,
            sum: None,
            taken: None,
            pipe: None,
            pad_value: None,
            stores_matrices: None,
        }
    }
}

impl Object {
    /// Returns the object as a value of the evaluator.
    pub fn value(self) -> a2lint_cpp::eval::Value {
        a2lint_cpp::eval::Value::Library(Rc::new(self))
    }

    /// Calls `visit` with each scalar in the object and its type.
    fn each(&mut self, visit: &mut dyn FnMut(&mut ScalarId, ScalarType)) {
        match self {
            Object::Address(address) => visit(&mut address.bytes, IN_GLOBAL),
            Object::Global(Some(tensor)) => {
                visit(&mut tensor.offset, IN_GLOBAL);
                visit(&mut tensor.size, IN_GLOBAL);
            }
            Object::Local(Some(tensor)) => {
                visit(&mut tensor.slot, ON_CHIP);
                visit(&mut tensor.offset, ON_CHIP);
                visit(&mut tensor.length, ON_CHIP);
            }
            Object::Queue(_, Some(queue)) => {
                visit(&mut queue.cursor, ON_CHIP);
                visit(&mut queue.taken, ON_CHIP);
                for slot in queue.enqueued.iter_mut().flatten() {
                    visit(slot, ON_CHIP);
                }
            }
            Object::Lent(lent) => {
                for slot in lent.iter_mut().flatten() {
                    visit(slot, ON_CHIP);
                }
            }
            Object::Core(core) => {
                for mask in [&mut core.mask, &mut core.register] {
                    match mask {
                        Mask::Words(high, low) => {
                            visit(high, ScalarType::of(DType::UInt64));
                            visit(low, ScalarType::of(DType::UInt64));
                        }
                        Mask::Lanes(lanes) | Mask::Count(lanes) => visit(lanes, ON_CHIP),
                        Mask::All | Mask::Inherited | Mask::Unknown => {}
                    }
                }
            }
            Object::Memory(_, used) => visit(used, ON_CHIP),
            Object::Register(Some(number)) => visit(number, IN_REGISTER),
            Object::Register(None)
            | Object::Global(None)
            | Object::Local(None)
            | Object::Queue(_, None)
            | Object::Pipe
            | Object::Pool
            | Object::Sync(_)
            | Object::Stores(_)
            | Object::Ids(_)
            | Object::Buf(..) => {}
        }
    }
}

impl LibraryValue for Object {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn scalars(&self) -> Vec<(ScalarId, ScalarType)> {
        let mut found = Vec::new();
        self.clone().each(&mut |id, of| found.push((*id, of)));
        found
    }

    fn with_scalars(&self, scalars: &[ScalarId]) -> Rc<dyn LibraryValue> {
        let mut changed = self.clone();
        let mut scalars = scalars.iter();
        changed.each(&mut |id, _| {
            if let Some(scalar) = scalars.next() {
                *id = *scalar;
            }
        });
        Rc::new(changed)
    }

    fn is_same_shape(&self, other: &dyn LibraryValue) -> bool {
        let Some(other) = other.as_any().downcast_ref::<Object>() else {
            return false;
        };
        let bare = |object: &Object| {
            let mut bare = object.clone();
            bare.each(&mut |id, _| *id = ScalarId(0));
            bare
        };
        bare(self) == bare(other)
    }

    fn widened(&self, width: u8) -> Option<Rc<dyn LibraryValue>> {
        let wide = match self {
            Object::Queue(of, Some(queue)) => Object::Queue(
                *of,
                Some(Queue {
                    enqueued: None,
                    ..queue.clone()
                }),
            ),
            Object::Lent(_) => Object::Lent(None),
            // Paths that agree in the mask may have emitted it or not: then it is emitted again.
            Object::Core(core) => Object::Core(Core {
                mask: match width {
                    WIDEST.. => Mask::Unknown,
                    _ => core.mask.clone(),
                },
                register: Mask::Unknown,
                ..core.clone()
            }),
            _ => return None,
        };
        Some(Rc::new(wide))
    }

    fn is_followed_apart(&self) -> bool {
        matches!(self, Object::Local(Some(_)))
    }

    fn is_before(&self, other: &dyn LibraryValue) -> bool {
        let Some(other) = other.as_any().downcast_ref::<Object>() else {
            return false;
        };
        match (self, other) {
            (Object::Queue(of, None), Object::Queue(other, Some(_))) => of == other,
            (Object::Buf(of, None), Object::Buf(other, Some(_))) => of == other,
            (Object::Local(None), Object::Local(Some(_)))
            | (Object::Global(None), Object::Global(Some(_))) => true,
            _ => false,
        }
    }

    fn unmarked(&self) -> Option<Rc<dyn LibraryValue>> {
        let bare = match self {
            Object::Local(Some(tensor)) => Object::Local(Some(Local {
                set: None,
                ..*tensor
            })),
            Object::Global(Some(tensor)) => Object::Global(Some(InGlobal {
                set: None,
                ..*tensor
            })),
            _ => return None,
        };
        Some(Rc::new(bare))
    }

    fn is_of(&self, program: &Program) -> bool {
        match self {
            Object::Local(Some(tensor)) => tensor.buffer.index() < program.buffers.len(),
            Object::Global(Some(tensor)) => tensor.global.index() < program.globals.len(),
            Object::Address(address) => address.global.index() < program.globals.len(),
            Object::Lent(Some(slots)) => slots.is_empty(),
            _ => false,
        }
    }

    fn cells(&self) -> Vec<CellId> {
        match self {
            Object::Queue(_, Some(queue)) => vec![queue.allocated, queue.dequeued],
            Object::Core(core) => {
                let registers = [core.stores, core.deq_scale, core.sum];
                let pools = [core.taken, core.pipe];
                registers.into_iter().chain(pools).flatten().collect()
            }
            _ => Vec::new(),
        }
    }
}

//! Values of host code: allocated memory, the objects in it, and the configuration of the next launch.

use std::any::Any;
use std::rc::Rc;

use a2lint_cpp::eval::{CellId, Ty, Value};
use a2lint_cpp::library::LibraryValue;
use a2lint_ir::ScalarId;
use a2lint_source::text::Span;

/// A value of the host.
#[derive(Clone, Debug, PartialEq)]
pub enum Host {
    /// An address in memory that the host has allocated.
    Memory(Memory),
    /// The objects in allocated memory.
    Objects(Objects),
    /// The configuration of the next launch.
    Start(Start),
}

/// An address in memory that the host has allocated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memory {
    /// The cell of the [`Objects`] in the memory.
    pub objects: CellId,
    /// The size of the allocation in bytes; `None` if it is unknown.
    pub bytes: Option<i128>,
    /// The offset of the address in bytes.
    pub at: i128,
    /// The place of the call that allocates the memory.
    pub site: Span,
}

/// The objects in an allocation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Objects {
    /// Whether the memory is zero where no object has been created.
    pub are_zero: bool,
    /// The objects by their offset and type.
    pub known: Vec<(i128, Ty, CellId)>,
}

/// The configuration of the next launch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Start {
    /// The tiling key; `None` if it is unset or unknown.
    pub key: Option<i128>,
    /// The number of cores; `None` if it is unset or unknown.
    pub blocks: Option<i128>,
}

impl Host {
    /// Returns the object as a value of the evaluator.
    pub fn value(self) -> Value {
        Value::Library(Rc::new(self))
    }
}

impl LibraryValue for Host {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn with_scalars(&self, _: &[ScalarId]) -> Rc<dyn LibraryValue> {
        Rc::new(self.clone())
    }

    fn is_same_shape(&self, other: &dyn LibraryValue) -> bool {
        other.as_any().downcast_ref::<Host>() == Some(self)
    }

    fn cells(&self) -> Vec<CellId> {
        match self {
            Host::Memory(memory) => vec![memory.objects],
            Host::Objects(objects) => objects.known.iter().map(|(_, _, cell)| *cell).collect(),
            Host::Start(_) => Vec::new(),
        }
    }
}

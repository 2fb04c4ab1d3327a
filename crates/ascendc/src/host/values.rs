//! What the host knows of memory: objects that programs of the host allocate, and what they look at in them.

use std::any::Any;
use std::rc::Rc;

use a2lint_cpp::eval::{CellId, Ty, Value};
use a2lint_cpp::library::LibraryValue;
use a2lint_ir::{ScalarId, ScalarType};
use a2lint_source::text::Span;

/// A value of the host.
#[derive(Clone, Debug, PartialEq)]
pub enum Host {
    /// An address in memory that the host has allocated.
    Memory(Memory),
    /// The objects in such memory.
    Objects(Objects),
    /// How the next kernel is started.
    Start(Start),
}

/// An address in memory that the host has allocated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memory {
    /// The cell of its [`Objects`].
    pub objects: CellId,
    /// Its size in bytes, where it is known.
    pub bytes: Option<i128>,
    /// The offset of the address in bytes.
    pub at: i128,
    /// The call that allocates it.
    pub site: Span,
}

/// The objects in memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Objects {
    /// Whether all bytes were zero before an object was made.
    pub are_zero: bool,
    /// The objects by their offset and type.
    pub known: Vec<(i128, Ty, CellId)>,
}

/// How the next kernel is started.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Start {
    /// The tiling key, where it is known.
    pub key: Option<i128>,
    /// The number of cores, where it is known.
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

    fn scalars(&self) -> Vec<(ScalarId, ScalarType)> {
        Vec::new()
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

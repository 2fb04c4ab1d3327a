//! Trace-time values: what Python objects look like to the tracer.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::facade::{Builtin, Namespace};
use super::items::{Entries, Items};
use crate::ir::{BufferId, EventId, GlobalView, LaunchTensor, LocalView, MutexId, VariableId};
use crate::isa::{CompareMode, DType, Layout, Opcode, Pipe, Position, RoundMode, SelectMode};
use crate::syntax::python::ast;
use crate::text::Span;

/// Nesting of sequences that comparisons follow.
const MAX_NESTING: u32 = 16;
/// Most values that one comparison looks at.
const MAX_COMPARED: u32 = 10_000;

/// A Python object, as far as the tracer knows it.
#[derive(Clone)]
pub(super) enum Value<'a> {
    /// Could not be evaluated.
    Unknown,
    None,
    Bool(bool),
    /// Wide enough for the unsigned 64-bit literals of vector masks.
    Int(i128),
    Float(f64),
    Str(Rc<str>),
    Tuple(Rc<Items<'a>>),
    List(Rc<RefCell<Items<'a>>>),
    Dict(Rc<RefCell<Entries<'a>>>),
    /// `start, stop, step` of a Python range.
    Range(i128, i128, i128),
    /// Arguments of a device loop.
    DeviceRange(Rc<[Value<'a>; 3]>),
    Slice(Rc<SliceValue<'a>>),
    DType(DType),
    Position(Position),
    Pipe(Pipe),
    Round(RoundMode),
    Compare(CompareMode),
    Select(SelectMode),
    Layout(Layout),
    /// `DT`, `Position`, `torch`, a facade module, …
    Namespace(Namespace),
    Builtin(Builtin),
    /// A name that only A5 facades have.
    A5(&'static str),
    Function(Rc<Function<'a>>),
    Method(Rc<(Value<'a>, String)>),
    /// A device scalar.
    Var(VariableId),
    /// A view on one slot of a buffer.
    Local(Rc<LocalView>),
    /// A ring of slots: `DBuff`, `TBuff`, `QBuff`.
    Ring(BufferId),
    Global(Rc<GlobalView>),
    Vector(Rc<VectorExpr<'a>>),
    Event(EventId),
    Mutex(MutexId),
    Context(Rc<Context<'a>>),
    HostTensor(Rc<LaunchTensor>),
    /// `OpExec(kernel, …)`: waits to be called, on so many cores.
    OpExec(Rc<str>, Option<u32>),
    /// An imported object that is neither ours nor a known host module's.
    Foreign,
    /// An object of a library that knows nothing of kernels, or what came of it.
    Inert,
}

/// `lower:upper:step` of a subscript.
pub(super) struct SliceValue<'a> {
    pub lower: Option<Value<'a>>,
    pub upper: Option<Value<'a>>,
    pub step: Option<Value<'a>>,
    pub span: Span,
}

/// A vector expression that waits for its destination.
pub(super) struct VectorExpr<'a> {
    pub opcode: Opcode,
    /// Tensor operands behind the destination, with their places.
    pub sources: Vec<(Value<'a>, Span)>,
    /// Scalar operand or round mode behind them.
    pub trailing: Option<(Value<'a>, Span)>,
    pub op_span: Span,
    /// Whether a `<<=` took it.
    pub consumed: Cell<bool>,
}

/// A `with` context.
pub(super) enum Context<'a> {
    AutoSync(Option<String>),
    Scope(crate::isa::Side),
    Atomic(crate::ir::AtomicKind),
    If(Value<'a>, Span),
    Elif(Value<'a>, Span),
    Else,
}

/// A function of the file.
pub(super) struct Function<'a> {
    pub def: &'a ast::FunctionDef,
    pub closure: Frame<'a>,
    pub role: Role,
    /// Whether `@auto_sync()` stands among the decorators.
    pub auto_sync: bool,
    /// Whether its control flow is rewritten for the device: a kernel, or `@func()`.
    pub rewritten: bool,
}

/// What decorators make of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Kernel,
    /// Undecorated, or `@func()`.
    Helper,
    /// Decorated with something unknown: its calls cannot be followed.
    Opaque,
}

/// A scope of names, with the scope around it.
#[derive(Clone)]
pub(super) struct Frame<'a>(Rc<FrameData<'a>>);

struct FrameData<'a> {
    names: RefCell<FxHashMap<String, Value<'a>>>,
    parent: Option<Frame<'a>>,
}

impl<'a> Frame<'a> {
    pub fn new(parent: Option<Frame<'a>>) -> Self {
        let names = RefCell::default();
        Frame(Rc::new(FrameData { names, parent }))
    }

    pub fn get(&self, name: &str) -> Option<Value<'a>> {
        let mut frame = Some(self);
        while let Some(Frame(data)) = frame {
            if let Some(value) = data.names.borrow().get(name) {
                return Some(value.clone());
            }
            frame = data.parent.as_ref();
        }
        None
    }

    /// Every name that can be seen from here.
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        let mut frame = Some(self);
        while let Some(Frame(data)) = frame {
            names.extend(data.names.borrow().keys().cloned());
            frame = data.parent.as_ref();
        }
        names
    }

    pub fn set(&self, name: &str, value: Value<'a>) {
        self.0.names.borrow_mut().insert(name.to_owned(), value);
    }

    /// Breaks the reference cycles between frames and the functions they hold.
    pub fn clear(&self) {
        self.0.names.borrow_mut().clear();
    }
}

impl<'a> Value<'a> {
    pub fn str(text: &str) -> Self {
        Value::Str(text.into())
    }

    pub fn tuple(items: Vec<Value<'a>>) -> Self {
        Value::Tuple(Rc::new(items.into()))
    }

    pub fn list(items: Vec<Value<'a>>) -> Self {
        Value::List(Rc::new(RefCell::new(items.into())))
    }

    pub fn dict(entries: Vec<(Value<'a>, Value<'a>)>) -> Self {
        Value::Dict(Rc::new(RefCell::new(entries.into())))
    }

    /// Items, or characters: what it costs to make another one of these.
    pub fn size(&self) -> usize {
        match self {
            Value::Str(text) => text.len(),
            Value::Tuple(items) => items.len(),
            Value::List(items) => items.borrow().len(),
            Value::Dict(entries) => entries.borrow().len(),
            _ => 0,
        }
    }

    /// Python's name of the type, for messages.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Unknown | Value::Foreign | Value::Inert => "object",
            Value::None => "NoneType",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::Float(_) => "float",
            Value::Str(_) => "str",
            Value::Tuple(_) => "tuple",
            Value::List(_) => "list",
            Value::Dict(_) => "dict",
            Value::Range(..) | Value::DeviceRange(_) => "range",
            Value::Slice(_) => "slice",
            Value::DType(_) => "DT",
            Value::Position(_) => "Position",
            Value::Pipe(_) => "Pipe",
            Value::Round(_) => "RoundMode",
            Value::Compare(_) => "CompareMode",
            Value::Select(_) => "SelectMode",
            Value::Layout(_) => "Layout",
            Value::Namespace(_) => "module",
            Value::Builtin(_) | Value::Function(_) | Value::A5(_) => "function",
            Value::Method(_) => "method",
            Value::Var(_) => "Var",
            Value::Local(_) => "Tensor",
            Value::Ring(_) => "DBuff",
            Value::Global(_) => "GMTensor",
            Value::Vector(_) => "VecOP",
            Value::Event(_) => "Event",
            Value::Mutex(_) => "Mutex",
            Value::Context(_) => "context manager",
            Value::HostTensor(_) => "torch.Tensor",
            Value::OpExec(..) => "OpExec",
        }
    }

    /// Truth of a plain Python value; `None` where it is not one, or not known.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Value::None => Some(false),
            Value::Bool(value) => Some(*value),
            Value::Int(value) => Some(*value != 0),
            Value::Float(value) => Some(*value != 0.0),
            Value::Str(text) => Some(!text.is_empty()),
            Value::Tuple(items) => Some(!items.is_empty()),
            Value::List(items) => Some(!items.borrow().is_empty()),
            Value::Dict(items) => Some(!items.borrow().is_empty()),
            Value::DType(_)
            | Value::Position(_)
            | Value::Pipe(_)
            | Value::Function(_)
            | Value::Builtin(_)
            | Value::HostTensor(_)
            | Value::OpExec(..) => Some(true),
            _ => None,
        }
    }

    /// The integer, where it is a plain Python int or bool.
    pub fn as_int(&self) -> Option<i128> {
        match self {
            Value::Int(value) => Some(*value),
            Value::Bool(value) => Some(*value as i128),
            _ => None,
        }
    }

    /// The number, where it is a plain Python number.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Value::Float(value) => Some(*value),
            other => other.as_int().map(|value| value as f64),
        }
    }

    /// Whether evaluating further needs values that are not known.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Value::Unknown | Value::Foreign | Value::Inert)
    }

    /// Whether it is a value of Python, and nothing of the kernel's.
    pub fn is_plain(&self) -> bool {
        matches!(
            self,
            Value::None
                | Value::Bool(_)
                | Value::Int(_)
                | Value::Float(_)
                | Value::Str(_)
                | Value::Tuple(_)
                | Value::Range(..)
        )
    }

    /// Whether it is certainly the same object, or an equal value.
    pub fn is_same(&self, other: &Value<'a>) -> bool {
        match (self, other) {
            (Value::Var(a), Value::Var(b)) => a == b,
            (Value::Ring(a), Value::Ring(b)) => a == b,
            (Value::Event(a), Value::Event(b)) => a == b,
            (Value::Mutex(a), Value::Mutex(b)) => a == b,
            (Value::Local(a), Value::Local(b)) => Rc::ptr_eq(a, b),
            (Value::Global(a), Value::Global(b)) => Rc::ptr_eq(a, b),
            (Value::Function(a), Value::Function(b)) => Rc::ptr_eq(a, b),
            (Value::List(a), Value::List(b)) => Rc::ptr_eq(a, b),
            (Value::Dict(a), Value::Dict(b)) => Rc::ptr_eq(a, b),
            _ => self.equals(other) == Some(true),
        }
    }

    /// Whether it is a number: static or on the device.
    pub fn is_scalar(&self) -> bool {
        matches!(
            self,
            Value::Var(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_)
        )
    }

    /// Python's `==` on plain values; `None` where it is not known.
    pub fn equals(&self, other: &Value<'a>) -> Option<bool> {
        self.equals_counted(other).0
    }

    /// As `equals`, and how many values were compared.
    pub fn equals_counted(&self, other: &Value<'a>) -> (Option<bool>, usize) {
        let mut left = MAX_COMPARED;
        let equal = self.equals_within(other, MAX_NESTING, &mut left);
        (equal, (MAX_COMPARED - left) as usize)
    }

    /// As `equals`, for values nested so deep at most, as lists may hold themselves, and for so many
    /// of them, as lists may hold the same one often.
    fn equals_within(&self, other: &Value<'a>, nesting: u32, left: &mut u32) -> Option<bool> {
        let nesting = nesting.checked_sub(1)?;
        *left = left.checked_sub(1)?;
        if self.is_unknown() || other.is_unknown() {
            return None;
        }
        if let (Some(a), Some(b)) = (self.as_float(), other.as_float()) {
            return Some(match (self.as_int(), other.as_int()) {
                (Some(a), Some(b)) => a == b,
                _ => a == b,
            });
        }
        match (self, other) {
            (Value::Var(_), _) | (_, Value::Var(_)) => None,
            (Value::None, Value::None) => Some(true),
            (Value::Str(a), Value::Str(b)) => Some(a == b),
            (Value::DType(a), Value::DType(b)) => Some(a == b),
            (Value::Position(a), Value::Position(b)) => Some(a == b),
            (Value::Pipe(a), Value::Pipe(b)) => Some(a == b),
            (Value::Tuple(a), Value::Tuple(b)) => sequence_equals(a, b, nesting, left),
            (Value::List(a), Value::List(b)) => {
                sequence_equals(&a.borrow(), &b.borrow(), nesting, left)
            }
            _ => Some(false),
        }
    }
}

fn sequence_equals<'a>(
    a: &[Value<'a>],
    b: &[Value<'a>],
    nesting: u32,
    left: &mut u32,
) -> Option<bool> {
    if a.len() != b.len() {
        return Some(false);
    }
    let mut known = true;
    for (x, y) in a.iter().zip(b) {
        match x.equals_within(y, nesting, left) {
            Some(false) => return Some(false),
            Some(true) => {}
            None => known = false,
        }
    }
    known.then_some(true)
}

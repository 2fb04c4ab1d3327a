//! Trace-time values: Python objects as the tracer sees them.

use std::cell::Cell;
use std::rc::Rc;

use super::facade::{Builtin, Namespace};
pub(super) use super::frame::Frame;
pub(super) use super::function::{
    Attributes, Cases, Function, Kept, KeptCall, Lambda, Making, Role,
};
use super::items::{Entries, Items, Shared};
use super::python::iterators::{Iterator, Part};
use super::python::numbers::equal_numbers;
use super::python::objects::{Class, Descriptor, Field, Instance, Maker, Managed, Partial};
use super::tensors::HostTensor;
use a2lint_ir::{BufferId, EventId, GlobalView, LocalView, MutexId, VariableId};
use a2lint_isa::{CompareMode, DType, Layout, Opcode, Pipe, Position, RoundMode, SelectMode};
use a2lint_source::text::Span;

/// Maximum nesting of sequences that comparisons follow.
const MAX_NESTING: u32 = 16;
/// Maximum number of values that one comparison visits.
const MAX_COMPARED: u32 = 10_000;

/// A Python object, as far as the tracer knows it.
#[derive(Clone)]
pub(super) enum Value<'a> {
    /// The value could not be evaluated.
    Unknown,
    None,
    NotImplemented,
    Bool(bool),
    /// 128 bits, for the unsigned 64-bit literals of vector masks. Larger ints are `Unknown`.
    Int(i128),
    Float(f64),
    Str(Rc<str>),
    Tuple(Rc<Items<'a>>),
    List(Rc<Shared<Items<'a>>>),
    Dict(Rc<Shared<Entries<'a>>>),
    Set(Rc<Shared<Items<'a>>>),
    FrozenSet(Rc<Items<'a>>),
    /// An iterator: the result of `iter(…)`, `map(…)`, a generator, ….
    Iterator(Rc<Iterator<'a>>),
    /// `dict.keys()`, `dict.values()`, `dict.items()`
    View(Rc<Shared<Entries<'a>>>, Part),
    /// `contextlib.suppress(…)` of these classes.
    Suppressed(Rc<Items<'a>>),
    /// The names of a module as a dictionary: `globals()`.
    Names(Frame<'a>),
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
    /// Another file of the project.
    Module(Frame<'a>),
    /// `DT`, `Position`, `torch`, a device module of a DSL's package, …
    Namespace(Namespace),
    Builtin(Builtin),
    /// A name that only the DSL's modules for A5 have.
    A5(&'static str),
    Function(Rc<Function<'a>>),
    Lambda(Rc<Lambda<'a>>),
    /// A function with some of its arguments: a bound method, or `functools.partial(…)`.
    Partial(Rc<Partial<'a>>),
    Class(Rc<Class<'a>>),
    Instance(Rc<Instance<'a>>),
    /// `property(…)`, `staticmethod(…)`, …
    Descriptor(Rc<Descriptor<'a>>),
    /// `dataclasses.field(…)`
    Field(Rc<Field<'a>>),
    /// The result of a call that decorates: `kernel(mode="vec")`.
    Maker(Rc<Maker<'a>>),
    /// The result of calling a `@contextmanager`, before its `with`.
    Managed(Rc<Managed<'a>>),
    Method(Rc<(Value<'a>, String)>),
    /// A device scalar.
    Var(VariableId),
    /// A view on one slot of a buffer.
    Local(Rc<LocalView>),
    /// A ring of slots: `DBuff`, `TBuff`, `QBuff`.
    Ring(BufferId),
    Global(Rc<GlobalView>),
    /// An L0C view with options for the move that drains it: `l0c.relu()`.
    Drained(Rc<Drained<'a>>),
    /// `t[i]` in compiled code: the whole tensor, and the view from that element on.
    Element(Rc<[LocalView; 2]>),
    /// `GMBuff(…)`, with all of its slots.
    GlobalRing(Rc<GlobalView>),
    Vector(Rc<VectorExpr<'a>>),
    Event(EventId),
    Mutex(MutexId),
    Context(Rc<Context<'a>>),
    HostTensor(Rc<HostTensor>),
    /// `OpExec(kernel, …)` that has not been called yet: the kernel and its launch options.
    OpExec(Rc<Function<'a>>, Running),
    /// An imported object of an unknown module.
    Foreign,
    /// An object of a library that does not concern kernels, or a result computed from one.
    Inert,
}

/// The options of a launch.
#[derive(Clone, Copy, Default)]
pub(super) struct Running {
    /// Number of cores, if the launch gives one.
    pub block_dim: Option<u32>,
    /// Whether outputs start with the caller's contents; `None` if unknown.
    pub seeds_outputs: Option<bool>,
}

/// An accumulator on its way out of L0C.
pub(super) struct Drained<'a> {
    pub view: Rc<LocalView>,
    /// Keyword arguments for the move.
    pub riders: Vec<(&'static str, Value<'a>, Span)>,
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
    /// Tensor operands after the destination, with their spans.
    pub sources: Vec<(Value<'a>, Span)>,
    /// Scalar operand or round mode after the tensor operands.
    pub trailing: Option<(Value<'a>, Span)>,
    pub op_span: Span,
    /// Whether a `<<=` has used it.
    pub consumed: Cell<bool>,
}

/// A context of the DSL for `with`.
pub(super) enum Context<'a> {
    AutoSync,
    Scope(a2lint_isa::Side),
    Atomic(a2lint_ir::AtomicKind),
    If(Value<'a>, Span),
    Elif(Value<'a>, Span),
    Else,
}

impl<'a> Value<'a> {
    pub fn str(text: &str) -> Self {
        Value::Str(text.into())
    }

    pub fn tuple(items: Vec<Value<'a>>) -> Self {
        Value::Tuple(Rc::new(items.into()))
    }

    pub fn list(items: Vec<Value<'a>>) -> Self {
        Value::List(Shared::new(items))
    }

    pub fn dict(entries: Vec<(Value<'a>, Value<'a>)>) -> Self {
        Value::Dict(Shared::new(entries))
    }

    pub fn set(items: Vec<Value<'a>>) -> Self {
        Value::Set(Shared::new(items))
    }

    /// Returns the number of items or characters, which is the cost of copying the value.
    pub fn size(&self) -> usize {
        match self {
            Value::Str(text) => text.len(),
            Value::Tuple(items) | Value::FrozenSet(items) => items.len(),
            Value::List(items) | Value::Set(items) => items.ever().len(),
            Value::Dict(entries) => entries.ever().len(),
            _ => 0,
        }
    }

    /// Returns Python's name of the type, for messages.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Unknown | Value::Foreign | Value::Inert => "object",
            Value::None => "NoneType",
            Value::NotImplemented => "NotImplementedType",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::Float(_) => "float",
            Value::Str(_) => "str",
            Value::Tuple(_) => "tuple",
            Value::List(_) => "list",
            Value::Dict(_) => "dict",
            Value::Set(_) => "set",
            Value::FrozenSet(_) => "frozenset",
            Value::Iterator(_) => "iterator",
            Value::Names(_) => "dict",
            Value::View(..) => "dict view",
            Value::Suppressed(_) => "context manager",
            Value::Lambda(_) | Value::Partial(_) | Value::Maker(_) => "function",
            Value::Class(_) => "type",
            Value::Instance(_) | Value::Field(_) => "object",
            Value::Descriptor(_) => "property",
            Value::Managed(_) => "context manager",
            Value::Range(..) | Value::DeviceRange(_) => "range",
            Value::Slice(_) => "slice",
            Value::DType(_) => "DT",
            Value::Position(_) => "Position",
            Value::Pipe(_) => "Pipe",
            Value::Round(_) => "RoundMode",
            Value::Compare(_) => "CompareMode",
            Value::Select(_) => "SelectMode",
            Value::Layout(_) => "Layout",
            Value::Namespace(_) | Value::Module(_) => "module",
            Value::Builtin(_) | Value::Function(_) | Value::A5(_) => "function",
            Value::Method(_) => "method",
            Value::Var(_) => "Var",
            Value::Local(_) => "Tensor",
            Value::Ring(_) => "DBuff",
            Value::Global(_) => "GMTensor",
            Value::GlobalRing(_) => "GMBuff",
            Value::Drained(_) | Value::Element(_) => "Tensor",
            Value::Vector(_) => "VecOP",
            Value::Event(_) => "Event",
            Value::Mutex(_) => "Mutex",
            Value::Context(_) => "context manager",
            Value::HostTensor(_) => "torch.Tensor",
            Value::OpExec(..) => "OpExec",
        }
    }

    /// Returns the truth of a plain Python value; `None` if it is unknown or decided by the device.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Value::None => Some(false),
            Value::Bool(value) => Some(*value),
            Value::Int(value) => Some(*value != 0),
            Value::Float(value) => Some(*value != 0.0),
            Value::Str(text) => Some(!text.is_empty()),
            Value::Tuple(items) => Some(!items.is_empty()),
            Value::List(items) | Value::Set(items) => Some(!items.known()?.is_empty()),
            Value::Instance(instance) => instance.truth(),
            Value::Dict(items) => Some(!items.known()?.is_empty()),
            Value::FrozenSet(items) => Some(!items.is_empty()),
            Value::View(entries, _) => Some(!entries.known()?.is_empty()),
            // A range is true if it has items.
            Value::Range(start, stop, step) => Some(match *step > 0 {
                true => start < stop,
                false => start > stop,
            }),
            // Objects without `__bool__` and `__len__` are true.
            Value::Iterator(_) => Some(true),
            Value::DType(_)
            | Value::Position(_)
            | Value::Pipe(_)
            | Value::Function(_)
            | Value::Lambda(_)
            | Value::Partial(_)
            | Value::Class(_)
            | Value::Builtin(_)
            | Value::OpExec(..) => Some(true),
            _ => None,
        }
    }

    /// Returns the integer if the value is a Python int or bool, or an instance that is one (`IntEnum`).
    pub fn as_int(&self) -> Option<i128> {
        match self {
            Value::Int(value) => Some(*value),
            Value::Bool(value) => Some(*value as i128),
            Value::Instance(instance) => instance.as_int(),
            _ => None,
        }
    }

    /// Returns the number if the value is a plain Python number. Ints beyond 2**53 are rounded.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Value::Float(value) => Some(*value),
            other => other.as_int().map(|value| value as f64),
        }
    }

    /// Returns whether both are the same mutable container.
    pub fn is_same_object(&self, other: &Value<'a>) -> bool {
        match (self, other) {
            (Value::List(a), Value::List(b)) | (Value::Set(a), Value::Set(b)) => Rc::ptr_eq(a, b),
            (Value::Dict(a) | Value::View(a, _), Value::Dict(b) | Value::View(b, _)) => {
                Rc::ptr_eq(a, b)
            }
            _ => false,
        }
    }

    /// Returns whether the value is a container whose contents are unknown.
    pub fn is_lost(&self) -> bool {
        match self {
            Value::List(items) | Value::Set(items) => items.is_lost(),
            Value::Dict(entries) | Value::View(entries, _) => entries.is_lost(),
            Value::Instance(instance) => instance.attributes.is_lost(),
            _ => false,
        }
    }

    /// Returns the items of a set; `None` if it is no set, or they are unknown.
    pub fn members(&self) -> Option<Vec<Value<'a>>> {
        match self {
            Value::Set(items) => Some(items.known()?.to_vec()),
            Value::FrozenSet(items) => Some(items.to_vec()),
            _ => None,
        }
    }

    /// Returns whether the value belongs to Python's own types, so that it equals no value of another of them.
    fn is_host(&self) -> bool {
        self.is_plain()
            || matches!(
                self,
                Value::List(_)
                    | Value::Dict(_)
                    | Value::Set(_)
                    | Value::FrozenSet(_)
                    | Value::Function(_)
                    | Value::Lambda(_)
                    | Value::Class(_)
                    | Value::Module(_)
            )
    }

    /// Returns whether the value is unknown, so that nothing that needs it can be evaluated.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Value::Unknown | Value::Foreign | Value::Inert)
    }

    /// Returns whether the value is an immutable one of Python's own types.
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

    /// Returns whether it is certainly the same object or an equal value. The types of equal values may differ (`1` and
    /// `True`).
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
            (Value::Set(a), Value::Set(b)) => Rc::ptr_eq(a, b),
            (Value::Iterator(a), Value::Iterator(b)) => Rc::ptr_eq(a, b),
            (Value::Instance(a), Value::Instance(b)) => Rc::ptr_eq(a, b),
            (Value::Class(a), Value::Class(b)) => Rc::ptr_eq(a, b),
            (Value::Lambda(a), Value::Lambda(b)) => Rc::ptr_eq(a, b),
            (Value::Partial(a), Value::Partial(b)) => Rc::ptr_eq(a, b),
            (Value::Dict(a), Value::Dict(b)) => Rc::ptr_eq(a, b),
            (Value::HostTensor(a), Value::HostTensor(b)) if Rc::ptr_eq(a, b) => true,
            _ => self.equals(other) == Some(true),
        }
    }

    /// Returns whether a program can use either value in the place of the other: both are the same object, or immutable
    /// ones of the same type with the same contents.
    pub fn is_alike(&self, other: &Value<'a>) -> bool {
        self.is_alike_within(other, MAX_NESTING, &mut { MAX_COMPARED })
    }

    /// Compares as `is_alike` does, within the bounds of `equals_within`.
    fn is_alike_within(&self, other: &Value<'a>, nesting: u32, left: &mut u32) -> bool {
        let (Some(nesting), Some(less)) = (nesting.checked_sub(1), left.checked_sub(1)) else {
            return false;
        };
        *left = less;
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            // 0.0 equals -0.0, and NaN does not equal itself.
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Range(a, b, c), Value::Range(x, y, z)) => (a, b, c) == (x, y, z),
            (Value::Tuple(a), Value::Tuple(b)) | (Value::FrozenSet(a), Value::FrozenSet(b)) => {
                let mut pairs = a.iter().zip(b.iter());
                let same_length = a.len() == b.len();
                Rc::ptr_eq(a, b)
                    || same_length && pairs.all(|(a, b)| a.is_alike_within(b, nesting, left))
            }
            _ => {
                let kinds = [self, other].map(std::mem::discriminant);
                kinds[0] == kinds[1] && self.is_same(other)
            }
        }
    }

    /// Returns whether both values are the same object or equal, which is how containers compare items and keys; `None`
    /// if it is unknown.
    pub fn is_or_equals(&self, other: &Value<'a>) -> Option<bool> {
        match self.is_same(other) && !self.is_unknown() {
            true => Some(true),
            false => self.item_equals(other, MAX_NESTING, &mut { MAX_COMPARED }),
        }
    }

    /// Compares as `is_or_equals` does, within the bounds of `equals_within`.
    fn item_equals(&self, other: &Value<'a>, nesting: u32, left: &mut u32) -> Option<bool> {
        // NaN equals no NaN, but both may be the same object, and the identity of floats is not kept.
        match self.is_nan() && other.is_nan() {
            true => None,
            false => self.equals_within(other, nesting, left),
        }
    }

    pub fn is_nan(&self) -> bool {
        matches!(self, Value::Float(number) if number.is_nan())
    }

    /// Returns whether the value is a number, at trace time or on the device.
    pub fn is_scalar(&self) -> bool {
        matches!(
            self,
            Value::Var(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_)
        ) || matches!(self, Value::Instance(instance) if instance.as_int().is_some())
    }

    /// Evaluates Python's `==`; `None` if it is unknown.
    pub fn equals(&self, other: &Value<'a>) -> Option<bool> {
        self.equals_counted(other).0
    }

    /// Compares as `equals` does, and also returns the number of values that were compared.
    pub fn equals_counted(&self, other: &Value<'a>) -> (Option<bool>, usize) {
        let mut left = MAX_COMPARED;
        let equal = self.equals_within(other, MAX_NESTING, &mut left);
        (equal, (MAX_COMPARED - left) as usize)
    }

    /// Compares as `equals` does, within bounds: `nesting`, as lists may hold themselves, and `left` for the number of
    /// values, as lists may hold the same list many times.
    fn equals_within(&self, other: &Value<'a>, nesting: u32, left: &mut u32) -> Option<bool> {
        let nesting = nesting.checked_sub(1)?;
        *left = left.checked_sub(1)?;
        if self.is_unknown() || other.is_unknown() {
            return None;
        }
        // Numbers of different types compare by value (`1 == 1.0 == True`).
        if let Some(equal) = equal_numbers(self, other) {
            return Some(equal);
        }
        match (self, other) {
            // The comparison of a device value is a device value.
            (Value::Var(_), _) | (_, Value::Var(_)) => None,
            (Value::HostTensor(_), _) | (_, Value::HostTensor(_)) => None,
            (Value::None, Value::None) => Some(true),
            (Value::Str(a), Value::Str(b)) => Some(a == b),
            (Value::DType(a), Value::DType(b)) => Some(a == b),
            (Value::Position(a), Value::Position(b)) => Some(a == b),
            (Value::Pipe(a), Value::Pipe(b)) => Some(a == b),
            (Value::Builtin(a), Value::Builtin(b)) => Some(a == b),
            // CPython compares items of containers by identity first, and the default `__eq__` compares identity as
            // well.
            (Value::Instance(a), Value::Instance(b)) if Rc::ptr_eq(a, b) => Some(true),
            (Value::Class(a), Value::Class(b)) => Some(Rc::ptr_eq(a, b)),
            (Value::Function(a), Value::Function(b)) if Rc::ptr_eq(a, b) => Some(true),
            (Value::Instance(a), Value::Instance(b)) if a.is_compared_by_fields(b) => {
                let names = a.class.fields().iter().filter(|field| field.is_compared());
                let values = |of: &Instance<'a>| -> Option<Vec<Value<'a>>> {
                    names.clone().map(|field| of.get(&field.name)).collect()
                };
                sequence_equals(&values(a)?, &values(b)?, nesting, left)
            }
            (Value::Instance(a), other) | (other, Value::Instance(a)) => {
                // A named tuple equals a plain tuple with the same items.
                let is_tuple = matches!(other, Value::Tuple(_))
                    || matches!(other, Value::Instance(it) if it.as_tuple().is_some());
                match (a.text(), other) {
                    (Some(text), Value::Str(other)) => Some(text == *other),
                    _ if a.has_own_equality() || a.member_value().is_some() => None,
                    (_, Value::Tuple(items)) if a.as_tuple().is_some() => {
                        return sequence_equals(&a.as_tuple()?, items, nesting, left);
                    }
                    _ if a.as_tuple().is_some() && is_tuple => None,
                    (_, Value::Instance(b)) if b.has_own_equality() => None,
                    _ => Some(false),
                }
            }
            // CPython compares items by identity first, so a dictionary equals itself.
            (Value::Dict(a), Value::Dict(b)) if Rc::ptr_eq(a, b) => (!a.is_lost()).then_some(true),
            (Value::Dict(a), Value::Dict(b)) => {
                let (a, b) = (a.known()?, b.known()?);
                if a.len() != b.len() {
                    return Some(false);
                }
                for (key, value) in a.iter() {
                    let mut found = Some(false);
                    for (other, item) in b.iter() {
                        // Keys of one dictionary are unequal, so the first match is the only one.
                        match key.item_equals(other, nesting, left) {
                            Some(true) => {
                                found = value.item_equals(item, nesting, left);
                                break;
                            }
                            Some(false) => {}
                            None => return None,
                        }
                    }
                    if found != Some(true) {
                        return found;
                    }
                }
                Some(true)
            }
            (Value::Set(_) | Value::FrozenSet(_), Value::Set(_) | Value::FrozenSet(_)) => {
                let (a, b) = (self.members()?, other.members()?);
                if a.len() != b.len() {
                    return Some(false);
                }
                for item in &a {
                    let mut found = false;
                    for other in &b {
                        match item.item_equals(other, nesting, left) {
                            Some(true) => found = true,
                            Some(false) => {}
                            None => return None,
                        }
                    }
                    if !found {
                        return Some(false);
                    }
                }
                Some(true)
            }
            (Value::Tuple(a), Value::Tuple(b)) => sequence_equals(a, b, nesting, left),
            (Value::List(a), Value::List(b)) => {
                sequence_equals(&a.known()?, &b.known()?, nesting, left)
            }
            (Value::Range(..), Value::Range(..)) => {
                let (a, b) = (range_items(self)?, range_items(other)?);
                Some(a == b)
            }
            (Value::Iterator(a), Value::Iterator(b)) => Some(Rc::ptr_eq(a, b)),
            (Value::Lambda(a), Value::Lambda(b)) => Some(Rc::ptr_eq(a, b)),
            (Value::Function(a), Value::Function(b)) => Some(Rc::ptr_eq(a, b)),
            (Value::Partial(_), Value::Partial(_)) | (Value::Method(_), Value::Method(_)) => None,
            (Value::Names(_) | Value::View(..), _) | (_, Value::Names(_) | Value::View(..)) => None,
            // Types of the DSL and of torch equal no string.
            (Value::Str(_), Value::DType(_)) | (Value::DType(_), Value::Str(_)) => Some(false),
            // Values of different types of Python are unequal, never an error.
            (a, b) if a.is_host() && b.is_host() => Some(false),
            (Value::Slice(_), _) | (_, Value::Slice(_)) => None,
            _ => Some(false),
        }
    }
}

/// Returns first number, count and step: two ranges are equal if these agree.
fn range_items(range: &Value) -> Option<(i128, i128, i128)> {
    let Value::Range(start, stop, step) = *range else {
        return None;
    };
    let count = super::python::builtins::range_length(start, stop, step);
    Some(match count {
        // CPython ignores start and step of an empty range, and the step of a range with one item.
        0 => (0, 0, 0),
        1 => (start, 1, 0),
        _ => (start, count, step),
    })
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
        match x.item_equals(y, nesting, left) {
            // A later pair may still decide, as one unequal pair is enough.
            Some(false) => return Some(false),
            Some(true) => {}
            None => known = false,
        }
    }
    known.then_some(true)
}

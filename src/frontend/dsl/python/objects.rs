//! Classes, their instances, and functions with some of their arguments.

use std::cell::RefCell;
use std::rc::Rc;

use super::super::emit::Arguments;
use super::super::items::{Entries, Items, free, take_entries};
use super::super::value::{Cases, Frame, Function, Making, Value};
use crate::syntax::python::ast;

/// Most classes above one.
pub const MAX_BASES: u32 = 50;

/// A class.
pub struct Class<'a> {
    pub name: String,
    /// What its body binds.
    pub body: Frame<'a>,
    /// Its statements.
    pub statements: &'a [ast::Stmt],
    /// The classes above it, the nearest first.
    pub above: Vec<Rc<Class<'a>>>,
    pub kind: ClassKind<'a>,
    /// Whether everything above it is known.
    pub is_whole: bool,
    /// Most classes one above the other, with this one.
    pub depth: u32,
}

/// What making an instance of a class means.
pub enum ClassKind<'a> {
    /// `__init__`, if there is one.
    Plain,
    /// A dataclass, with the fields of its bases first.
    Data(Vec<DataField<'a>>),
    /// A named tuple.
    Tuple(Vec<DataField<'a>>),
    /// An enumeration, whose members are all there are; of integers, or of strings, they are those.
    Enum { is_value: bool },
}

/// A field of a dataclass or a named tuple.
#[derive(Clone)]
pub struct DataField<'a> {
    pub name: Rc<str>,
    pub default: Option<Field<'a>>,
}

/// `field(default=…)`, `field(default_factory=…)`
#[derive(Clone)]
pub struct Field<'a> {
    pub default: Option<Value<'a>>,
    pub factory: Option<Value<'a>>,
    pub in_init: bool,
}

/// An object of a class.
pub struct Instance<'a> {
    pub class: Rc<Class<'a>>,
    pub attributes: RefCell<Entries<'a>>,
    /// How many blocks that nobody knows to be executed were around it when it was made.
    pub born: u32,
}

/// A function with some of its arguments.
pub struct Partial<'a> {
    pub callee: Value<'a>,
    pub positional: Items<'a>,
    /// Names with values.
    pub keywords: Entries<'a>,
}

/// How an attribute of a class is read from an instance.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Property,
    Static,
    Class,
}

/// `property(function)`, `staticmethod(function)`, `classmethod(function)`
pub struct Descriptor<'a> {
    pub access: Access,
    pub function: Value<'a>,
}

/// What is done with what it decorates.
pub enum Maker<'a> {
    /// Nothing that matters here.
    Same,
    /// A kernel.
    Kernel(Making),
    /// A function whose control flow is rewritten.
    Func,
    /// A dataclass.
    Data,
    /// A test that runs for these cases.
    Parametrize(Cases<'a>),
    /// A fixture, for each of these values.
    Fixture(Option<Rc<Items<'a>>>),
}

/// A call of a context manager.
pub struct Managed<'a> {
    pub function: Rc<Function<'a>>,
    pub arguments: RefCell<Arguments<'a>>,
}

impl<'a> Class<'a> {
    /// An attribute of the class or of those above it.
    pub fn lookup(&self, name: &str) -> Option<Value<'a>> {
        self.body.own(name).or_else(|| self.lookup_above(name))
    }

    /// An attribute of the classes above it.
    pub fn lookup_above(&self, name: &str) -> Option<Value<'a>> {
        self.above.iter().find_map(|base| base.body.own(name))
    }

    /// Whether it is another class, or below it.
    pub fn is_below(&self, other: &Class<'a>) -> bool {
        let mut above = self.above.iter().map(Rc::as_ptr);
        std::ptr::eq(self, other) || above.any(|base| std::ptr::eq(base, other))
    }

    /// The fields that instances of it are made of.
    pub fn fields(&self) -> &[DataField<'a>] {
        match &self.kind {
            ClassKind::Data(fields) | ClassKind::Tuple(fields) => fields,
            ClassKind::Plain | ClassKind::Enum { .. } => &[],
        }
    }
}

impl<'a> Instance<'a> {
    pub fn get(&self, name: &str) -> Option<Value<'a>> {
        let attributes = self.attributes.borrow();
        let mut entries = attributes.iter();
        let found = entries.find(|(key, _)| matches!(key, Value::Str(key) if **key == *name));
        found.map(|(_, value)| value.clone())
    }

    pub fn set(&self, name: &str, value: Value<'a>) {
        let mut attributes = self.attributes.borrow_mut();
        let is_it = |(key, _): &&mut (Value<'a>, Value<'a>)| matches!(key, Value::Str(key) if **key == *name);
        match attributes.iter_mut().find(is_it) {
            Some((_, former)) => *former = value,
            None => attributes.push((Value::str(name), value)),
        }
    }

    /// What a member of an enumeration stands for, where it is that as well.
    fn member_value(&self) -> Option<Value<'a>> {
        match self.class.kind {
            ClassKind::Enum { is_value: true } => self.get("value"),
            _ => None,
        }
    }

    /// The integer that it is.
    pub fn as_int(&self) -> Option<i128> {
        match self.member_value()? {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The string that it is.
    pub fn text(&self) -> Option<Rc<str>> {
        match self.member_value()? {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it is true; `None` where its class decides, or nobody knows.
    pub fn truth(&self) -> Option<bool> {
        if let Some(value) = self.member_value() {
            return match value {
                Value::Int(value) => Some(value != 0),
                Value::Str(text) => Some(!text.is_empty()),
                _ => None,
            };
        }
        if let ClassKind::Tuple(fields) = &self.class.kind {
            return Some(!fields.is_empty());
        }
        let decides = ["__bool__", "__len__"]
            .iter()
            .any(|name| self.class.lookup(name).is_some());
        (self.class.is_whole && !decides).then_some(true)
    }

    /// Whether its class says what it is equal to.
    pub fn has_own_equality(&self) -> bool {
        !self.class.is_whole || self.class.lookup("__eq__").is_some()
    }

    /// Whether two instances are equal where their fields are.
    pub fn is_compared_by_fields(&self, other: &Instance<'a>) -> bool {
        let is_data = matches!(self.class.kind, ClassKind::Data(_) | ClassKind::Tuple(_));
        is_data && Rc::ptr_eq(&self.class, &other.class) && !self.has_own_equality()
    }

    /// The values of a named tuple's fields.
    pub fn as_tuple(&self) -> Option<Vec<Value<'a>>> {
        let ClassKind::Tuple(fields) = &self.class.kind else {
            return None;
        };
        let values = fields.iter().map(|field| self.get(&field.name));
        Some(
            values
                .map(|value| value.unwrap_or(Value::Unknown))
                .collect(),
        )
    }
}

/// A function with its first argument: a bound method.
pub fn bound<'a>(callee: Value<'a>, first: Value<'a>) -> Value<'a> {
    Value::Partial(Rc::new(Partial {
        callee,
        positional: vec![first].into(),
        keywords: Entries::default(),
    }))
}

// A file can nest these as deep as it likes: they are freed without recursion.

impl<'a> Partial<'a> {
    /// Gives up what it holds.
    pub fn give_up(&mut self, pending: &mut Vec<Value<'a>>) {
        pending.push(std::mem::replace(&mut self.callee, Value::Unknown));
        pending.append(&mut self.positional);
        take_entries(&mut self.keywords, pending);
    }
}

impl Drop for Partial<'_> {
    fn drop(&mut self) {
        let mut pending = Vec::new();
        self.give_up(&mut pending);
        free(pending);
    }
}

impl Drop for Descriptor<'_> {
    fn drop(&mut self) {
        free(vec![std::mem::replace(&mut self.function, Value::Unknown)]);
    }
}

impl Drop for Field<'_> {
    fn drop(&mut self) {
        free(
            self.default
                .take()
                .into_iter()
                .chain(self.factory.take())
                .collect(),
        );
    }
}

impl<'a> Managed<'a> {
    /// Gives up what it holds.
    pub fn give_up(&self, pending: &mut Vec<Value<'a>>) {
        let arguments = std::mem::take(&mut *self.arguments.borrow_mut());
        pending.extend(arguments.positional.into_iter().map(|(value, _)| value));
        pending.extend(arguments.keywords.into_iter().map(|(_, value, _)| value));
        pending.extend(arguments.spread);
    }
}

impl Drop for Managed<'_> {
    fn drop(&mut self) {
        let mut pending = Vec::new();
        self.give_up(&mut pending);
        free(pending);
    }
}

//! Classes, their instances, and functions with bound arguments.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::super::emit::Arguments;
use super::super::items::{Entries, Items, Shared, free};
use super::super::value::{Cases, Frame, Function, Making, Value};
use a2lint_syntax::python::{ast, mangled};

/// Maximum depth of inheritance.
pub const MAX_BASES: u32 = 50;

/// A class.
pub struct Class<'a> {
    pub name: String,
    /// The scope of its body.
    pub body: Frame<'a>,
    /// The statements of its body.
    pub statements: &'a [ast::Stmt],
    /// The base classes in the order of attribute lookup (the MRO without the class itself).
    pub above: Vec<Rc<Class<'a>>>,
    pub kind: ClassKind<'a>,
    /// Whether every base class is known.
    pub is_whole: bool,
    /// Length of the longest chain of inheritance, including this class.
    pub depth: u32,
    /// The options of `@dataclass(…)`.
    pub data: DataOptions,
    /// Whether `abc.ABC` is a base class.
    pub is_abstract: bool,
    /// Whether the members are formatted as the numbers that they are (`IntEnum`, `IntFlag`).
    pub is_written_as_number: bool,
    /// Whether the class has subclasses.
    pub has_below: Cell<bool>,
}

/// The options of `@dataclass`.
#[derive(Clone, Copy)]
pub struct DataOptions {
    pub eq: bool,
    pub order: bool,
    pub frozen: bool,
    pub slots: bool,
    pub kw_only: bool,
    pub unsafe_hash: bool,
}

impl Default for DataOptions {
    fn default() -> Self {
        DataOptions {
            eq: true,
            order: false,
            frozen: false,
            slots: false,
            kw_only: false,
            unsafe_hash: false,
        }
    }
}

/// The way in which instances of a class are made.
pub enum ClassKind<'a> {
    /// By `__init__`, if there is one.
    Plain,
    /// A dataclass; fields of base classes come first.
    Data(Vec<DataField<'a>>),
    /// A named tuple.
    Tuple(Vec<DataField<'a>>),
    /// An enumeration with a fixed set of members. Members of a flag can be combined.
    Enum { type_of: MemberType, is_flag: bool },
    /// One of Python's exceptions.
    Exception,
    /// `types.SimpleNamespace`.
    Namespace,
}

/// The builtin type that members of an enumeration also have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum MemberType {
    /// No builtin type.
    Object,
    /// `int`.
    Int,
    /// `str`.
    Str,
}

impl MemberType {
    /// Returns the value of a member that a class body binds to `bound`; unknown if Python converts it
    /// (`int(bound)`).
    pub fn value_of<'a>(self, bound: &Value<'a>) -> Value<'a> {
        match (self, bound) {
            (MemberType::Object, _)
            | (MemberType::Int, Value::Int(_))
            | (MemberType::Str, Value::Str(_)) => bound.clone(),
            _ => Value::Unknown,
        }
    }
}

/// A field of a dataclass or a named tuple.
#[derive(Clone)]
pub struct DataField<'a> {
    pub name: Rc<str>,
    pub default: Option<Field<'a>>,
    /// Whether the field can be given by keyword only.
    pub by_name: bool,
    /// Whether the field is only passed to `__post_init__`.
    pub is_init_var: bool,
}

impl DataField<'_> {
    /// Returns whether comparisons include it.
    pub fn is_compared(&self) -> bool {
        !self.is_init_var && self.default.as_ref().is_none_or(|field| field.is_compared)
    }

    /// Returns whether the field is a parameter of `__init__`.
    pub fn in_init(&self) -> bool {
        self.default.as_ref().is_none_or(|field| field.in_init)
    }
}

/// A field of `field(default=…)` or `field(default_factory=…)`.
#[derive(Clone)]
pub struct Field<'a> {
    pub default: Option<Value<'a>>,
    pub factory: Option<Value<'a>>,
    pub in_init: bool,
    pub is_compared: bool,
    pub by_name: Option<bool>,
}

impl<'a> Field<'a> {
    /// Makes a field with a default.
    pub fn with(default: Value<'a>) -> Field<'a> {
        Field {
            default: Some(default),
            factory: None,
            in_init: true,
            is_compared: true,
            by_name: None,
        }
    }
}

/// An object of a class.
pub struct Instance<'a> {
    pub class: Rc<Class<'a>>,
    /// The contents of its `__dict__`.
    pub attributes: Rc<Shared<Entries<'a>>>,
}

/// A function with some of its arguments bound.
pub struct Partial<'a> {
    pub callee: Value<'a>,
    pub positional: Items<'a>,
    /// Keywords with values: a dictionary that the program can reach and change.
    pub keywords: Rc<Shared<Entries<'a>>>,
    pub binding: Binding,
}

/// How arguments were bound to a function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// A method bound to its object.
    Method,
    /// `functools.partial(…)`
    Partial,
    /// A function made by a library: `operator.itemgetter(…)`.
    Made,
}

/// How an attribute of a class is read through an instance.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Property,
    /// `functools.cached_property`
    Cached,
    Static,
    Class,
}

/// A descriptor: `property(function)`, `staticmethod(function)`, `classmethod(function)`.
pub struct Descriptor<'a> {
    pub access: Access,
    pub function: Value<'a>,
    pub setter: Option<Value<'a>>,
    pub deleter: Option<Value<'a>>,
}

impl<'a> Descriptor<'a> {
    /// Releases the values that the descriptor holds.
    pub fn give_up(&mut self, pending: &mut Vec<Value<'a>>) {
        pending.push(std::mem::replace(&mut self.function, Value::Unknown));
        pending.extend(self.setter.take());
        pending.extend(self.deleter.take());
    }
}

/// The effect of a decorator that a call returns, such as `kernel(mode="vec")`.
pub enum Maker<'a> {
    /// The decorator returns its argument unchanged, as far as it matters here.
    Same,
    /// `functools.wraps(function)`; `None` if it has further arguments.
    Wrapper(Option<Value<'a>>),
    /// Makes a kernel.
    Kernel(Making),
    /// Marks a function whose control flow is rewritten.
    Func,
    /// Makes a dataclass.
    Data(DataOptions),
    /// `functools.lru_cache(maxsize=…)`: maximum number of results; `None` if unbounded.
    Cached(Option<usize>),
    /// `property.setter` (true) or `property.deleter` of this property.
    Setter(Rc<Descriptor<'a>>, bool),
    /// A test that runs for these cases.
    Parametrize(Cases<'a>),
    /// The values of one case: `pytest.param(…)`.
    Row(Vec<Value<'a>>),
    /// `pytest.fixture`, with the known values of `params=[…]`, each of which makes a case of a test.
    Fixture(Option<Rc<Items<'a>>>),
}

/// A call of a `@contextmanager`.
pub struct Managed<'a> {
    pub function: Rc<Function<'a>>,
    pub arguments: RefCell<Arguments<'a>>,
}

impl<'a> Class<'a> {
    /// Creates a class without bases that no class statement makes.
    pub fn made(name: &str, body: Frame<'a>, kind: ClassKind<'a>) -> Class<'a> {
        Class {
            name: name.to_owned(),
            body,
            statements: &[],
            above: Vec::new(),
            kind,
            is_whole: true,
            depth: 1,
            data: DataOptions::default(),
            is_abstract: false,
            is_written_as_number: false,
            has_below: Cell::new(false),
        }
    }

    /// Looks an attribute up in the class and its bases.
    pub fn lookup(&self, name: &str) -> Option<Value<'a>> {
        self.body.own(name).or_else(|| self.lookup_above(name))
    }

    /// Makes the attributes of the class unknown, since code that is not followed may change them. Attributes of
    /// Python's own classes and members of enumerations stay known.
    pub fn lose(&self) {
        match self.kind {
            ClassKind::Exception => {}
            ClassKind::Enum { .. } => {
                for name in self.body.own_names() {
                    if !matches!(self.body.own(&name), Some(Value::Instance(_))) {
                        self.body.set_own(&name, Value::Unknown);
                    }
                }
            }
            _ => self.body.lose(),
        }
    }

    /// Looks an attribute up in the bases.
    pub fn lookup_above(&self, name: &str) -> Option<Value<'a>> {
        self.above.iter().find_map(|base| base.body.own(name))
    }

    /// Returns whether the class is `other` or a subclass of it.
    pub fn is_below(&self, other: &Class<'a>) -> bool {
        self.is_it(other) || self.above.iter().any(|base| base.is_it(other))
    }

    /// Returns the class as a value. Each namespace has a class of its own here, so that of namespaces is unknown.
    pub fn as_value(self: &Rc<Self>) -> Value<'a> {
        match self.kind {
            ClassKind::Namespace => Value::Unknown,
            _ => Value::Class(self.clone()),
        }
    }

    /// Returns whether both are the same class.
    pub fn is_it(&self, other: &Class<'a>) -> bool {
        // A class that a decorator has replaced has the same scope.
        std::ptr::eq(self, other) || self.body.is(&other.body)
    }

    /// Returns the fields of the instances.
    pub fn fields(&self) -> &[DataField<'a>] {
        match &self.kind {
            ClassKind::Data(fields) | ClassKind::Tuple(fields) => fields,
            _ => &[],
        }
    }

    /// Returns whether the class is an exception class.
    pub fn is_exception(&self) -> bool {
        let is_it = |class: &Class<'a>| matches!(class.kind, ClassKind::Exception);
        is_it(self) || self.above.iter().any(|base| is_it(base))
    }

    /// Returns whether the class is Python's exception class with this name, or a subclass of it.
    pub fn is_named_exception(&self, name: &str) -> bool {
        let is_it =
            |class: &Class<'a>| class.name == name && matches!(class.kind, ClassKind::Exception);
        is_it(self) || self.above.iter().any(|base| is_it(base))
    }

    /// Returns whether the instances are hashable, as far as the class defines no `__hash__` itself.
    pub fn is_hashable(&self) -> bool {
        // A dataclass with `eq=True` and `frozen=False` sets `__hash__` to `None`.
        let is_open = |class: &Class<'a>| {
            matches!(class.kind, ClassKind::Data(_)) && class.data.eq && !class.data.frozen
        };
        self.is_whole && !is_open(self) && !self.above.iter().any(|base| is_open(base))
    }

    /// Returns the names of the slots of its instances; `None` if instances have a `__dict__`.
    pub fn slots(&self) -> Option<Vec<Value<'a>>> {
        let mut names = Vec::new();
        let own = |class: &Class<'a>, names: &mut Vec<Value<'a>>| match class.body.own("__slots__")
        {
            Some(Value::Tuple(items)) => {
                names.extend(items.iter().map(|name| slot(class, name)));
                true
            }
            Some(Value::List(items)) => {
                names.extend(items.ever().iter().map(|name| slot(class, name)));
                true
            }
            Some(name @ Value::Str(_)) => {
                names.push(slot(class, &name));
                true
            }
            Some(_) => false,
            None if class.data.slots => {
                names.extend(
                    class
                        .fields()
                        .iter()
                        .map(|field| Value::Str(field.name.clone())),
                );
                true
            }
            None => false,
        };
        // One class without `__slots__` in the hierarchy gives instances a `__dict__`.
        let all = own(self, &mut names) && self.above.iter().all(|base| own(base, &mut names));
        all.then_some(names)
    }
}

impl<'a> Instance<'a> {
    // A lost instance may have the attribute or not; unknown covers both.
    pub fn get(&self, name: &str) -> Option<Value<'a>> {
        let Some(attributes) = self.attributes.known() else {
            return Some(Value::Unknown);
        };
        let mut entries = attributes.iter();
        let found = entries.find(|(key, _)| matches!(key, Value::Str(key) if **key == *name));
        found.map(|(_, value)| value.clone())
    }

    /// Sets an attribute of an object that nothing else refers to yet.
    pub fn set_first(&self, name: &str, value: Value<'a>) {
        self.change(name, Some(value), true);
    }

    /// Sets or deletes an attribute. If the change may not happen, all attributes become unknown.
    pub fn change(&self, name: &str, value: Option<Value<'a>>, is_certain: bool) {
        let Some(mut attributes) = self.attributes.change(is_certain) else {
            return;
        };
        let is_it =
            |(key, _): &(Value<'a>, Value<'a>)| matches!(key, Value::Str(key) if **key == *name);
        match (attributes.iter().position(is_it), value) {
            (Some(at), Some(value)) => attributes[at].1 = value,
            (Some(at), None) => {
                attributes.remove(at);
            }
            (None, Some(value)) => attributes.push((Value::str(name), value)),
            (None, None) => {}
        }
    }

    /// Returns the builtin type that the member of an enumeration also has; `None` if it is no member.
    pub fn member_type(&self) -> Option<MemberType> {
        match self.class.kind {
            ClassKind::Enum { type_of, .. } => Some(type_of),
            _ => None,
        }
    }

    /// Returns the builtin value of a member that is also an int or a string.
    pub fn member_value(&self) -> Option<Value<'a>> {
        match self.member_type()? {
            MemberType::Object => None,
            MemberType::Int | MemberType::Str => self.get("value"),
        }
    }

    /// Returns whether the object behaves as its classes and `object` define: it is no number, string, tuple or
    /// exception.
    pub fn is_bare(&self) -> bool {
        let kinds = [&self.class].into_iter().chain(&self.class.above);
        let is_more = |kind: &ClassKind| match kind {
            ClassKind::Plain | ClassKind::Data(_) | ClassKind::Namespace => false,
            ClassKind::Tuple(_) | ClassKind::Exception => true,
            ClassKind::Enum { type_of, is_flag } => *is_flag || *type_of != MemberType::Object,
        };
        self.class.is_whole && !kinds.into_iter().any(|class| is_more(&class.kind))
    }

    /// Returns the int of an enumeration member that is one.
    pub fn as_int(&self) -> Option<i128> {
        match self.member_value()? {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the string of an enumeration member that is one.
    pub fn text(&self) -> Option<Rc<str>> {
        match self.member_value()? {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the truth of the object; `None` if its class decides, or it is unknown.
    // `__bool__` and `__len__` run code of the file; `condition` calls them.
    pub fn truth(&self) -> Option<bool> {
        let decides = ["__bool__", "__len__"]
            .iter()
            .any(|name| self.class.lookup(name).is_some());
        if decides {
            return None;
        }
        // A flag is false if it has no bits. A member that is an int or a string is as true as its value; any other
        // member is true.
        let is_flag = matches!(self.class.kind, ClassKind::Enum { is_flag: true, .. });
        let value = match is_flag {
            true => self.get("value"),
            false => self.member_value(),
        };
        if let Some(value) = value {
            return match value {
                Value::Int(value) => Some(value != 0),
                Value::Str(text) => Some(!text.is_empty()),
                _ => None,
            };
        }
        // A tuple is false if it is empty.
        if let ClassKind::Tuple(fields) = &self.class.kind {
            return Some(!fields.is_empty());
        }
        self.class.is_whole.then_some(true)
    }

    /// Returns whether the class defines equality, or may inherit it from an unknown base.
    pub fn has_own_equality(&self) -> bool {
        !self.class.is_whole || self.class.lookup("__eq__").is_some()
    }

    /// Returns whether equality with `other` compares the fields, as dataclasses and named tuples do.
    pub fn is_compared_by_fields(&self, other: &Instance<'a>) -> bool {
        let is_data = matches!(self.class.kind, ClassKind::Data(_)) && self.class.data.eq;
        let is_tuple = matches!(self.class.kind, ClassKind::Tuple(_));
        // The generated `__eq__` requires exactly the same class.
        (is_data || is_tuple) && Rc::ptr_eq(&self.class, &other.class) && !self.has_own_equality()
    }

    /// Returns the values of a named tuple's fields; `None` if it is no named tuple.
    pub fn as_tuple(&self) -> Option<Vec<Value<'a>>> {
        let tuple = [&self.class].into_iter().chain(&self.class.above);
        let fields = tuple.filter_map(|class| match &class.kind {
            ClassKind::Tuple(fields) => Some(fields),
            _ => None,
        });
        let fields = fields.take(1).next()?;
        let values = fields.iter().map(|field| self.get(&field.name));
        Some(
            values
                .map(|value| value.unwrap_or(Value::Unknown))
                .collect(),
        )
    }
}

/// Returns the attribute that a slot names; private names are mangled.
fn slot<'a>(class: &Class<'a>, name: &Value<'a>) -> Value<'a> {
    let private = match name {
        Value::Str(name) => mangled(&class.name, name),
        _ => None,
    };
    private.map_or_else(|| name.clone(), |name| Value::str(&name))
}

/// Binds a function to its first argument: a bound method.
pub fn bound<'a>(callee: Value<'a>, first: Value<'a>) -> Value<'a> {
    Value::Partial(Rc::new(Partial {
        callee,
        positional: vec![first].into(),
        keywords: Shared::new(Vec::new()),
        binding: Binding::Method,
    }))
}

// A file can nest these to any depth, so they are freed without recursion.

impl<'a> Partial<'a> {
    /// Releases the values that the partial function holds.
    pub fn give_up(&mut self, pending: &mut Vec<Value<'a>>) {
        pending.push(std::mem::replace(&mut self.callee, Value::Unknown));
        pending.append(&mut self.positional);
        let keywords = std::mem::replace(&mut self.keywords, Shared::new(Vec::new()));
        pending.push(Value::Dict(keywords));
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
        let mut pending = Vec::new();
        self.give_up(&mut pending);
        free(pending);
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
    /// Releases the values that the call holds.
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

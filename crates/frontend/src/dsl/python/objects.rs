//! Classes, their instances, and functions with some of their arguments.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::super::emit::Arguments;
use super::super::items::{Entries, Items, Shared, free};
use super::super::value::{Cases, Frame, Function, Making, Value};
use a2lint_syntax::python::{ast, mangled};

/// Most classes above one.
pub const MAX_BASES: u32 = 50;

/// A class.
pub struct Class<'a> {
    pub name: String,
    /// What its body binds.
    pub body: Frame<'a>,
    /// Its statements.
    pub statements: &'a [ast::Stmt],
    /// The classes above it, in the order in which attributes are looked for.
    pub above: Vec<Rc<Class<'a>>>,
    pub kind: ClassKind<'a>,
    /// Whether everything above it is known.
    pub is_whole: bool,
    /// Most classes one above the other, with this one.
    pub depth: u32,
    /// What `@dataclass(…)` says of it.
    pub data: DataOptions,
    /// Whether `abc.ABC` is a base.
    pub is_abstract: bool,
    /// Whether its members are formatted as the numbers that they are: `IntEnum`, `IntFlag`.
    pub is_written_as_number: bool,
    /// Whether it has classes below it.
    pub has_below: Cell<bool>,
}

/// The arguments of `@dataclass`.
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

/// What making an instance of a class means.
pub enum ClassKind<'a> {
    /// `__init__`, if there is one.
    Plain,
    /// A dataclass, with the fields of its bases first.
    Data(Vec<DataField<'a>>),
    /// A named tuple.
    Tuple(Vec<DataField<'a>>),
    /// An enumeration, whose members are all there are. Of flags, there are combinations.
    Enum { type_of: MemberType, is_flag: bool },
    /// One of Python's exceptions.
    Exception,
}

/// What the members of an enumeration are beside members.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum MemberType {
    /// Nothing else.
    Object,
    /// Integers.
    Int,
    /// Strings.
    Str,
}

impl MemberType {
    /// The value of a member that a class body binds to another one; unknown where Python makes a new one of it.
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
    /// Whether it is given by name alone.
    pub by_name: bool,
    /// Whether it is only handed on to `__post_init__`.
    pub is_init_var: bool,
}

impl DataField<'_> {
    /// Whether comparisons look at it.
    pub fn is_compared(&self) -> bool {
        !self.is_init_var && self.default.as_ref().is_none_or(|field| field.is_compared)
    }

    /// Whether it is an argument.
    pub fn in_init(&self) -> bool {
        self.default.as_ref().is_none_or(|field| field.in_init)
    }
}

/// `field(default=…)`, `field(default_factory=…)`
#[derive(Clone)]
pub struct Field<'a> {
    pub default: Option<Value<'a>>,
    pub factory: Option<Value<'a>>,
    pub in_init: bool,
    pub is_compared: bool,
    pub by_name: Option<bool>,
}

impl<'a> Field<'a> {
    /// A field with a default.
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
    /// What its `__dict__` holds.
    pub attributes: Rc<Shared<Entries<'a>>>,
}

/// A function with some of its arguments.
pub struct Partial<'a> {
    pub callee: Value<'a>,
    pub positional: Items<'a>,
    /// Names with values: a dictionary that the program can reach and change.
    pub keywords: Rc<Shared<Entries<'a>>>,
    pub binding: Binding,
}

/// How a function has got some of its arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// It is a method, bound to its object.
    Method,
    /// `functools.partial(…)`
    Partial,
    /// A function of a library that makes functions: `operator.itemgetter(…)`.
    Made,
}

/// How an attribute of a class is read from an instance.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Property,
    /// `functools.cached_property`
    Cached,
    Static,
    Class,
}

/// `property(function)`, `staticmethod(function)`, `classmethod(function)`
pub struct Descriptor<'a> {
    pub access: Access,
    pub function: Value<'a>,
    pub setter: Option<Value<'a>>,
    pub deleter: Option<Value<'a>>,
}

impl<'a> Descriptor<'a> {
    /// Gives up what it holds.
    pub fn give_up(&mut self, pending: &mut Vec<Value<'a>>) {
        pending.push(std::mem::replace(&mut self.function, Value::Unknown));
        pending.extend(self.setter.take());
        pending.extend(self.deleter.take());
    }
}

/// What is done with what it decorates.
pub enum Maker<'a> {
    /// Nothing that matters here.
    Same,
    /// A function that `functools.wraps` gives the attributes of another one; `None` where more is asked for.
    Wrapper(Option<Value<'a>>),
    /// A kernel.
    Kernel(Making),
    /// A function whose control flow is rewritten.
    Func,
    /// A dataclass.
    Data(DataOptions),
    /// `functools.lru_cache(maxsize=…)`: how many results are kept; `None` for any number.
    Cached(Option<usize>),
    /// `property.setter`, `property.deleter`, of this property.
    Setter(Rc<Descriptor<'a>>, bool),
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
    /// A class without bases that no statement makes.
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

    /// An attribute of the class or of those above it.
    pub fn lookup(&self, name: &str) -> Option<Value<'a>> {
        self.body.own(name).or_else(|| self.lookup_above(name))
    }

    /// Makes its attributes unknown, since code that is not followed may change them, but for those of Python's own
    /// classes and the members of enumerations.
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

    /// An attribute of the classes above it.
    pub fn lookup_above(&self, name: &str) -> Option<Value<'a>> {
        self.above.iter().find_map(|base| base.body.own(name))
    }

    /// Whether it is another class, or below it.
    pub fn is_below(&self, other: &Class<'a>) -> bool {
        // A class that a decorator has made anew has the same scope.
        let is_it = |class: &Class<'a>| std::ptr::eq(class, other) || class.body.is(&other.body);
        is_it(self) || self.above.iter().any(|base| is_it(base))
    }

    /// The fields that instances of it are made of.
    pub fn fields(&self) -> &[DataField<'a>] {
        match &self.kind {
            ClassKind::Data(fields) | ClassKind::Tuple(fields) => fields,
            _ => &[],
        }
    }

    /// Whether it is an exception.
    pub fn is_exception(&self) -> bool {
        let is_it = |class: &Class<'a>| matches!(class.kind, ClassKind::Exception);
        is_it(self) || self.above.iter().any(|base| is_it(base))
    }

    /// Whether it is one of Python's exceptions, or below it.
    pub fn is_named_exception(&self, name: &str) -> bool {
        let is_it =
            |class: &Class<'a>| class.name == name && matches!(class.kind, ClassKind::Exception);
        is_it(self) || self.above.iter().any(|base| is_it(base))
    }

    /// Whether its objects may be keys, as far as `__hash__` is not its own.
    pub fn is_hashable(&self) -> bool {
        let is_open = |class: &Class<'a>| {
            matches!(class.kind, ClassKind::Data(_)) && class.data.eq && !class.data.frozen
        };
        self.is_whole && !is_open(self) && !self.above.iter().any(|base| is_open(base))
    }

    /// The names of the attributes that its objects have room for; `None` where they have room for any.
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
        let all = own(self, &mut names) && self.above.iter().all(|base| own(base, &mut names));
        all.then_some(names)
    }
}

impl<'a> Instance<'a> {
    pub fn get(&self, name: &str) -> Option<Value<'a>> {
        let Some(attributes) = self.attributes.known() else {
            return Some(Value::Unknown);
        };
        let mut entries = attributes.iter();
        let found = entries.find(|(key, _)| matches!(key, Value::Str(key) if **key == *name));
        found.map(|(_, value)| value.clone())
    }

    /// Sets an attribute of an object that nobody else has yet.
    pub fn set_first(&self, name: &str, value: Value<'a>) {
        self.change(name, Some(value), true);
    }

    /// Sets or deletes an attribute; where it is not certain that this happens, none of them is known afterwards.
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

    /// What the members of its enumeration are beside members; `None` where it is no member.
    pub fn member_type(&self) -> Option<MemberType> {
        match self.class.kind {
            ClassKind::Enum { type_of, .. } => Some(type_of),
            _ => None,
        }
    }

    /// What a member of an enumeration stands for, where it is that as well.
    pub fn member_value(&self) -> Option<Value<'a>> {
        match self.member_type()? {
            MemberType::Object => None,
            MemberType::Int | MemberType::Str => self.get("value"),
        }
    }

    /// Whether all that it can do is what its classes say, and what every object can: it is no number, string, tuple or
    /// exception.
    pub fn is_bare(&self) -> bool {
        let kinds = [&self.class].into_iter().chain(&self.class.above);
        let is_more = |kind: &ClassKind| match kind {
            ClassKind::Plain | ClassKind::Data(_) => false,
            ClassKind::Tuple(_) | ClassKind::Exception => true,
            ClassKind::Enum { type_of, is_flag } => *is_flag || *type_of != MemberType::Object,
        };
        self.class.is_whole && !kinds.into_iter().any(|class| is_more(&class.kind))
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
        let decides = ["__bool__", "__len__"]
            .iter()
            .any(|name| self.class.lookup(name).is_some());
        if decides {
            return None;
        }
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
        if let ClassKind::Tuple(fields) = &self.class.kind {
            return Some(!fields.is_empty());
        }
        self.class.is_whole.then_some(true)
    }

    /// Whether its class says what it is equal to.
    pub fn has_own_equality(&self) -> bool {
        !self.class.is_whole || self.class.lookup("__eq__").is_some()
    }

    /// Whether two instances are equal where their fields are.
    pub fn is_compared_by_fields(&self, other: &Instance<'a>) -> bool {
        let is_data = matches!(self.class.kind, ClassKind::Data(_)) && self.class.data.eq;
        let is_tuple = matches!(self.class.kind, ClassKind::Tuple(_));
        (is_data || is_tuple) && Rc::ptr_eq(&self.class, &other.class) && !self.has_own_equality()
    }

    /// The values of a named tuple's fields.
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

/// The attribute that a slot of a class has room for.
fn slot<'a>(class: &Class<'a>, name: &Value<'a>) -> Value<'a> {
    let private = match name {
        Value::Str(name) => mangled(&class.name, name),
        _ => None,
    };
    private.map_or_else(|| name.clone(), |name| Value::str(&name))
}

/// A function with its first argument: a bound method.
pub fn bound<'a>(callee: Value<'a>, first: Value<'a>) -> Value<'a> {
    Value::Partial(Rc::new(Partial {
        callee,
        positional: vec![first].into(),
        keywords: Shared::new(Vec::new()),
        binding: Binding::Method,
    }))
}

// A file can nest these as deep as it likes: they are freed without recursion.

impl<'a> Partial<'a> {
    /// Gives up what it holds.
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

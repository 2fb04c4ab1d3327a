//! Storage of lists, tuples and dictionaries.

use std::cell::{Cell, Ref, RefCell, RefMut};
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use super::value::{Attributes, Context, Value};

thread_local! {
    /// Number of objects made so far.
    static BIRTHS: Cell<u64> = const { Cell::new(0) };
}

/// Returns the birth number of a new object: later objects have larger numbers.
pub(super) fn birth() -> u64 {
    // One counter for frames and containers: regions compare the age of both.
    BIRTHS.with(|births| {
        births.set(births.get() + 1);
        births.get()
    })
}

/// A mutable container with reference semantics. Its contents can become unknown as a whole.
pub(super) struct Shared<T> {
    content: RefCell<T>,
    is_lost: Cell<bool>,
    /// Whether code that is not followed has received it, and with it everything that it held.
    is_given: Cell<bool>,
    /// Number of changes.
    version: Cell<u32>,
    born: u64,
}

impl<T> Shared<T> {
    pub fn new(content: impl Into<T>) -> Rc<Shared<T>> {
        Rc::new(Shared {
            content: RefCell::new(content.into()),
            is_lost: Cell::new(false),
            is_given: Cell::new(false),
            version: Cell::new(0),
            born: birth(),
        })
    }

    /// Returns the contents; `None` if they are unknown.
    pub fn known(&self) -> Option<Ref<'_, T>> {
        (!self.is_lost.get()).then(|| self.content.borrow())
    }

    /// Returns every item that it was ever known to hold, for questions about what it may hold.
    pub fn ever(&self) -> Ref<'_, T> {
        self.content.borrow()
    }

    /// Returns the contents for a change; `None` if they are unknown or become so because the change may not happen.
    pub fn change(&self, is_certain: bool) -> Option<RefMut<'_, T>> {
        // Attempts count as well: a generator that was computed ahead compares versions to notice a possible change.
        self.version.set(self.version.get() + 1);
        if !is_certain {
            self.is_lost.set(true);
        }
        (!self.is_lost.get()).then(|| self.content.borrow_mut())
    }

    /// Makes the contents unknown from here on.
    pub fn lose(&self) {
        self.version.set(self.version.get() + 1);
        self.is_lost.set(true);
    }

    pub fn is_lost(&self) -> bool {
        self.is_lost.get()
    }

    /// Records that code which is not followed has received the container, so that its contents are unknown from here
    /// on. Returns whether that is new.
    pub fn give(&self) -> bool {
        self.lose();
        !self.is_given.replace(true)
    }

    pub fn version(&self) -> u32 {
        self.version.get()
    }

    pub fn born(&self) -> u64 {
        self.born
    }

    fn into_content(self) -> T {
        self.content.into_inner()
    }
}

/// The items of a container. They are freed without recursion, since a file can nest containers to any depth.
#[derive(Default)]
pub(super) struct Items<'a>(Vec<Value<'a>>);

/// Keys and values of a dictionary, in insertion order.
#[derive(Default)]
pub(super) struct Entries<'a>(Vec<(Value<'a>, Value<'a>)>);

impl<'a> From<Vec<Value<'a>>> for Items<'a> {
    fn from(items: Vec<Value<'a>>) -> Self {
        Items(items)
    }
}

impl<'a> From<Vec<(Value<'a>, Value<'a>)>> for Entries<'a> {
    fn from(entries: Vec<(Value<'a>, Value<'a>)>) -> Self {
        Entries(entries)
    }
}

impl<'a> Deref for Items<'a> {
    type Target = Vec<Value<'a>>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Items<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<'a> Deref for Entries<'a> {
    type Target = Vec<(Value<'a>, Value<'a>)>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Entries<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl Drop for Items<'_> {
    fn drop(&mut self) {
        free(std::mem::take(&mut self.0));
    }
}

impl Drop for Entries<'_> {
    fn drop(&mut self) {
        let mut pending = Vec::with_capacity(self.0.len() * 2);
        take_entries(&mut self.0, &mut pending);
        free(pending);
    }
}

/// Frees values, and everything that only they hold, iteratively.
pub(super) fn free(mut pending: Vec<Value<'_>>) {
    while let Some(value) = pending.pop() {
        match value {
            Value::List(items) => {
                // Only the last reference frees the contents; others keep them alive.
                if let Some(items) = Rc::into_inner(items) {
                    pending.append(&mut items.into_content());
                }
            }
            Value::Tuple(items) => {
                if let Some(mut items) = Rc::into_inner(items) {
                    pending.append(&mut items);
                }
            }
            Value::Dict(entries) => {
                if let Some(entries) = Rc::into_inner(entries) {
                    take_entries(&mut entries.into_content(), &mut pending);
                }
            }
            Value::DeviceRange(bounds) => {
                pending.extend(Rc::into_inner(bounds).into_iter().flatten())
            }
            Value::Set(items) => {
                if let Some(items) = Rc::into_inner(items) {
                    pending.append(&mut items.into_content());
                }
            }
            Value::Instance(instance) => {
                if let Some(instance) = Rc::into_inner(instance) {
                    pending.push(Value::Dict(instance.attributes));
                }
            }
            Value::Partial(partial) => {
                if let Some(mut partial) = Rc::into_inner(partial) {
                    partial.give_up(&mut pending);
                }
            }
            Value::Descriptor(descriptor) => {
                if let Some(mut descriptor) = Rc::into_inner(descriptor) {
                    descriptor.give_up(&mut pending);
                }
            }
            Value::Field(field) => {
                if let Some(mut field) = Rc::into_inner(field) {
                    pending.extend(field.default.take());
                    pending.extend(field.factory.take());
                }
            }
            Value::Managed(managed) => {
                if let Some(managed) = Rc::into_inner(managed) {
                    managed.give_up(&mut pending);
                }
            }
            Value::Lambda(lambda) => {
                if let Some(lambda) = Rc::into_inner(lambda) {
                    take_defaults(lambda.defaults, &mut pending);
                    take_attributes(lambda.attributes, &mut pending);
                }
            }
            Value::Function(function) => {
                if let Some(function) = Rc::into_inner(function) {
                    take_defaults(function.defaults, &mut pending);
                    take_attributes(function.attributes, &mut pending);
                }
            }
            // Every kind that can hold a value needs an arm: one that is missing would recurse through its own
            // `Drop`.
            Value::Method(method) => pending.extend(Rc::into_inner(method).map(|it| it.0)),
            Value::Iterator(iterator) => {
                if let Some(mut iterator) = Rc::into_inner(iterator) {
                    iterator.give_up(&mut pending);
                }
            }
            Value::FrozenSet(items) => {
                if let Some(mut items) = Rc::into_inner(items) {
                    pending.append(&mut items);
                }
            }
            Value::Slice(slice) => {
                if let Some(slice) = Rc::into_inner(slice) {
                    let bounds = [slice.lower, slice.upper, slice.step];
                    pending.extend(bounds.into_iter().flatten());
                }
            }
            Value::Context(context) => {
                if let Some(Context::If(value, _) | Context::Elif(value, _)) =
                    Rc::into_inner(context)
                {
                    pending.push(value);
                }
            }
            _ => {}
        }
    }
}

pub(super) fn take_entries<'a>(
    entries: &mut Vec<(Value<'a>, Value<'a>)>,
    pending: &mut Vec<Value<'a>>,
) {
    pending.extend(entries.drain(..).flat_map(|(key, value)| [key, value]));
}

/// The values of parameters' defaults, by position; `None` for a parameter without default.
pub(super) struct Defaults<'a>(Vec<Option<Value<'a>>>);

impl<'a> FromIterator<Option<Value<'a>>> for Defaults<'a> {
    fn from_iter<I: IntoIterator<Item = Option<Value<'a>>>>(values: I) -> Self {
        Defaults(values.into_iter().collect())
    }
}

impl<'a> Deref for Defaults<'a> {
    type Target = [Option<Value<'a>>];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Drop for Defaults<'_> {
    fn drop(&mut self) {
        free(self.0.drain(..).flatten().collect());
    }
}

fn take_attributes<'a>(attributes: Rc<Attributes<'a>>, pending: &mut Vec<Value<'a>>) {
    if let Some(attributes) = Rc::into_inner(attributes) {
        pending.push(Value::Dict(attributes.dict));
    }
}

fn take_defaults<'a>(defaults: Rc<Defaults<'a>>, pending: &mut Vec<Value<'a>>) {
    if let Some(mut defaults) = Rc::into_inner(defaults) {
        pending.extend(defaults.0.drain(..).flatten());
    }
}

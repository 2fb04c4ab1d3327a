//! What lists, tuples and dictionaries hold.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use super::value::{Context, Value};

/// The items of a container. A file can nest containers as deep as it likes: they are freed without
/// recursion.
#[derive(Default)]
pub(super) struct Items<'a>(Vec<Value<'a>>);

/// Keys and values of a dictionary, in order.
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

/// Frees values, and what they alone hold, one after the other.
pub(super) fn free(mut pending: Vec<Value<'_>>) {
    while let Some(value) = pending.pop() {
        match value {
            Value::List(items) => {
                if let Some(items) = Rc::into_inner(items) {
                    pending.append(&mut items.into_inner());
                }
            }
            Value::Tuple(items) => {
                if let Some(mut items) = Rc::into_inner(items) {
                    pending.append(&mut items);
                }
            }
            Value::Dict(entries) => {
                if let Some(entries) = Rc::into_inner(entries) {
                    take_entries(&mut entries.into_inner(), &mut pending);
                }
            }
            Value::DeviceRange(bounds) => {
                pending.extend(Rc::into_inner(bounds).into_iter().flatten())
            }
            Value::Set(items) => {
                if let Some(items) = Rc::into_inner(items) {
                    pending.append(&mut items.into_inner());
                }
            }
            Value::Instance(instance) => {
                if let Some(instance) = Rc::into_inner(instance) {
                    take_entries(&mut instance.attributes.into_inner(), &mut pending);
                }
            }
            Value::Partial(partial) => {
                if let Some(mut partial) = Rc::into_inner(partial) {
                    partial.give_up(&mut pending);
                }
            }
            Value::Descriptor(descriptor) => {
                if let Some(mut descriptor) = Rc::into_inner(descriptor) {
                    pending.push(std::mem::replace(&mut descriptor.function, Value::Unknown));
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
                let defaults = Rc::into_inner(lambda).map(|lambda| lambda.defaults);
                take_defaults(defaults, &mut pending);
            }
            Value::Function(function) => {
                let defaults = Rc::into_inner(function).map(|function| function.defaults);
                take_defaults(defaults, &mut pending);
            }
            Value::Method(method) => pending.extend(Rc::into_inner(method).map(|it| it.0)),
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

/// The values of the defaults of a function's parameters, by position; `None` where one has none.
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

fn take_defaults<'a>(defaults: Option<Rc<Defaults<'a>>>, pending: &mut Vec<Value<'a>>) {
    if let Some(mut defaults) = defaults.and_then(Rc::into_inner) {
        pending.extend(defaults.0.drain(..).flatten());
    }
}

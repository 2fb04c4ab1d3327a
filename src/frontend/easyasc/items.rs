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
fn free(mut pending: Vec<Value<'_>>) {
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
                    pending.append(&mut partial.positional);
                    take_entries(&mut partial.keywords, &mut pending);
                    pending.push(partial.callee);
                }
            }
            Value::Descriptor(descriptor) => {
                pending.extend(Rc::into_inner(descriptor).map(|it| it.function));
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

fn take_entries<'a>(entries: &mut Vec<(Value<'a>, Value<'a>)>, pending: &mut Vec<Value<'a>>) {
    pending.extend(entries.drain(..).flat_map(|(key, value)| [key, value]));
}

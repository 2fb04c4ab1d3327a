//! Tensors of host code: shapes, element types and contents, each exact or not known.
//!
//! A tensor is an object (`object`) that shares its elements with its views. An unknown method or function gives an
//! unknown tensor, and may have written to the tensors that it received.

pub(super) mod arithmetic;
mod arranging;
mod computing;
mod contents;
mod factories;
mod functions;
pub(super) mod indexing;
pub(super) mod methods;
pub(super) mod object;
mod promotion;
mod shapes;
mod types;

use shapes::NamedShape;

use super::tracer::{Eval, Tracer};
use super::value::Value;
use a2lint_source::text::Span;

pub(super) use factories::TABLE as FACTORIES;
pub(super) use functions::{METHODS, TABLE as FUNCTIONS};
pub(super) use object::HostTensor;

/// Maximum number of values that are searched for tensors: lists may hold themselves.
const MAX_REACHED: u32 = 1000;

impl<'a> Tracer<'a> {
    /// Handles unknown code that received these values: it may have written to tensors among them.
    pub fn expose<'v>(&self, given: impl IntoIterator<Item = &'v Value<'a>>)
    where
        'a: 'v,
    {
        let mut left = MAX_REACHED;
        given.into_iter().for_each(|value| expose(value, &mut left));
    }

    /// Handles a write that may not happen: in a region, the tensor may still have its former contents.
    pub(super) fn written(&self, tensor: &HostTensor) {
        if self.doubts.is_in_region() {
            tensor.expose();
        }
    }

    /// Returns the extents from arguments `M, K`, `(M, K)` or `shape`, with their names.
    pub(super) fn host_shape(&mut self, values: &[(Value<'a>, Span)]) -> Eval<NamedShape> {
        // A single list is the shape; otherwise every argument is an extent.
        let (values, words) = match values {
            [(list @ (Value::Tuple(_) | Value::List(_) | Value::Instance(_)), span)] => {
                let items = self.static_items(list)?;
                (items, self.words(*span))
            }
            values => {
                let words = values.iter().map(|(_, span)| self.source.slice(*span));
                let words = words.map(name_in).collect();
                (
                    Some(values.iter().map(|(value, _)| value.clone()).collect()),
                    words,
                )
            }
        };
        let Some(values) = values else {
            return Ok((None, Vec::new()));
        };
        let extent = |value: &Value| value.as_int().and_then(|value| i64::try_from(value).ok());
        let shape: Option<Vec<i64>> = values.iter().map(extent).collect();
        let mut words = words;
        words.resize(values.len(), None);
        Ok((shape, words))
    }

    /// Returns the names in `(M, K)` or `[M, K]`.
    fn words(&self, span: Span) -> Vec<Option<String>> {
        let text = self.source.slice(span).trim();
        let inner = text.strip_prefix(['(', '[']);
        let inner = inner.and_then(|inner| inner.strip_suffix([')', ']']));
        match inner {
            // Nested brackets contain commas of their own.
            Some(inner) if !inner.contains(['(', '[']) => inner.split(',').map(name_in).collect(),
            _ => Vec::new(),
        }
    }
}

fn expose(value: &Value, left: &mut u32) {
    let Some(less) = left.checked_sub(1) else {
        return;
    };
    *left = less;
    match value {
        Value::HostTensor(tensor) => tensor.expose(),
        Value::Tuple(items) => items.iter().for_each(|item| expose(item, left)),
        Value::List(items) | Value::Set(items) => {
            items.ever().iter().for_each(|item| expose(item, left));
        }
        Value::Dict(entries) | Value::View(entries, _) => {
            let entries = entries.ever();
            entries.iter().for_each(|(_, item)| expose(item, left));
        }
        Value::Instance(instance) => {
            let attributes = instance.attributes.ever();
            attributes.iter().for_each(|(_, item)| expose(item, left));
        }
        _ => {}
    }
}

/// Returns the name that a text consists of, if it is one.
fn name_in(text: &str) -> Option<String> {
    let text = text.trim();
    let starts = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let is_name = starts && text.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_name && text != "None").then(|| text.to_owned())
}

//! Subscripts of tensors: views of their elements, copies of selected ones, and writes.

use std::rc::Rc;

use super::object::{HostTensor, Part};
use super::shapes::{place, sliced};
use crate::dsl::tracer::Tracer;
use crate::dsl::value::Value;
use a2lint_ir::TensorInit;
use a2lint_isa::DType;
use a2lint_syntax::python::ast::{Expr, ExprKind};

/// An entry of a subscript.
enum Entry {
    /// One index.
    At(i128),
    /// A slice; bounds that are left out are `None`.
    Slice(Option<i128>, Option<i128>, i128),
    /// A new axis of extent 1.
    New,
    /// All axes that the other entries leave.
    Ellipsis,
    /// Integer indices in a tensor or a list; their extents replace the axis.
    Picked(Vec<i64>),
    /// Anything else, such as a mask: the number of selected elements is unknown.
    Unknown,
}

fn entry(value: &Value) -> Entry {
    match value {
        Value::None => Entry::New,
        // A bool is a mask, not the int 0 or 1.
        Value::Bool(_) => Entry::Unknown,
        Value::Slice(slice) => {
            let bound = |value: &Option<Value>| match value {
                None | Some(Value::None) => Some(None),
                Some(value) => value.as_int().map(Some),
            };
            let step = bound(&slice.step).map(|step| step.unwrap_or(1));
            match (bound(&slice.lower), bound(&slice.upper), step) {
                (Some(lower), Some(upper), Some(step)) => Entry::Slice(lower, upper, step),
                _ => Entry::Unknown,
            }
        }
        Value::HostTensor(places) => {
            let is_integer = places
                .dtype()
                .is_some_and(|it| !it.is_float() && it != DType::Bool);
            match places.shape().filter(|_| is_integer) {
                Some(shape) => Entry::Picked(shape),
                None => Entry::Unknown,
            }
        }
        Value::List(items) => {
            let picked = items.known().filter(|items| {
                let mut items = items.iter();
                items.all(|item| matches!(item, Value::Int(_)))
            });
            picked.map_or(Entry::Unknown, |items| {
                Entry::Picked(vec![items.len() as i64])
            })
        }
        value => value.as_int().map_or(Entry::Unknown, Entry::At),
    }
}

/// Returns the entries of a subscript. `...` has no trace-time value, so it is recognised by its syntax.
fn entries(index: &Expr, value: &Value) -> Vec<Entry> {
    match (&index.kind, value) {
        (ExprKind::Ellipsis, _) => vec![Entry::Ellipsis],
        (ExprKind::Tuple(exprs), Value::Tuple(values)) if exprs.len() == values.len() => {
            let pairs = exprs.iter().zip(values.iter());
            let entry = |(expr, value): (&Expr, &Value)| match expr.kind {
                ExprKind::Ellipsis => Entry::Ellipsis,
                _ => entry(value),
            };
            pairs.map(entry).collect()
        }
        (_, Value::Tuple(values)) => values.iter().map(entry).collect(),
        (_, value) => vec![entry(value)],
    }
}

/// The result of a subscript.
struct Picked {
    // `None` if the extents are unknown.
    shape: Option<Vec<i64>>,
    /// Whether the result is a copy.
    is_copy: bool,
    /// Whether the result is the whole tensor in its order.
    is_all: bool,
}

fn pick(shape: Option<&[i64]>, entries: &[Entry]) -> Picked {
    let picks = entries
        .iter()
        .filter(|entry| matches!(entry, Entry::Picked(_)))
        .count();
    let is_open = entries.iter().any(|entry| matches!(entry, Entry::Unknown));
    let is_all = !is_open
        && entries.iter().all(|entry| match entry {
            Entry::Slice(lower, upper, step) => {
                *step == 1 && lower.is_none_or(|it| it == 0) && upper.is_none()
            }
            Entry::New | Entry::Ellipsis => true,
            _ => false,
        });
    let found = shape
        // Several index tensors broadcast with each other, which is not modelled.
        .filter(|_| !is_open && picks <= 1)
        .and_then(|shape| extents(shape, entries));
    Picked {
        shape: found,
        is_copy: picks > 0 && !is_open,
        is_all,
    }
}

/// Returns the extents of a subscript's result; `None` if it raises or is unknown.
fn extents(shape: &[i64], entries: &[Entry]) -> Option<Vec<i64>> {
    let is_axis = |entry: &&Entry| !matches!(entry, Entry::New | Entry::Ellipsis);
    let named = entries.iter().filter(is_axis).count();
    let ellipses = entries
        .iter()
        .filter(|entry| matches!(entry, Entry::Ellipsis))
        .count();
    // More entries than axes raise.
    let left = shape.len().checked_sub(named).filter(|_| ellipses <= 1)?;
    let mut axes = shape.iter().copied();
    let mut result = Vec::new();
    for entry in entries {
        match entry {
            Entry::New => result.push(1),
            Entry::Ellipsis => result.extend(axes.by_ref().take(left)),
            Entry::At(at) => {
                // An index out of range raises.
                let extent = axes.next()?;
                place(*at, usize::try_from(extent).ok()?)?;
            }
            Entry::Slice(lower, upper, step) => {
                result.push(sliced(axes.next()?, *lower, *upper, *step)?);
            }
            Entry::Picked(extents) => {
                axes.next()?;
                result.extend(extents);
            }
            Entry::Unknown => return None,
        }
    }
    // Axes without an entry are taken as a whole.
    result.extend(axes);
    Some(result)
}

impl<'a> Tracer<'a> {
    /// Evaluates `tensor[index]`.
    pub fn tensor_item(
        &mut self,
        tensor: &HostTensor,
        index: &Expr,
        value: &Value<'a>,
    ) -> Value<'a> {
        let entries = entries(index, value);
        let shape = tensor.shape();
        let picked = pick(shape.as_deref(), &entries);
        let is_same = picked.is_all && picked.shape == shape;
        let spelled = match is_same {
            true => tensor.extents().1,
            false => vec![None; picked.shape.as_ref().map_or(0, Vec::len)],
        };
        let extents = (picked.shape, spelled);
        Value::HostTensor(match (picked.is_copy, picked.is_all) {
            // Integer indices copy, slices view.
            (true, _) => {
                let contents = match tensor.contents() {
                    contents @ (TensorInit::Full(_) | TensorInit::Empty) => contents,
                    _ => TensorInit::Computed,
                };
                tensor.fresh(tensor.dtype(), extents, contents)
            }
            (false, true) => tensor.view(extents, Part::Whole),
            (false, false) => tensor.view(extents, Part::Some),
        })
    }

    /// Evaluates `tensor[index] = value`.
    pub fn set_tensor_item(
        &mut self,
        tensor: &HostTensor,
        index: &Expr,
        at: &Value<'a>,
        value: &Value<'a>,
    ) {
        let shape = tensor.shape();
        let picked = pick(shape.as_deref(), &entries(index, at));
        let written = contents_of(value, tensor.dtype(), shape.as_deref());
        match picked.is_all {
            true => tensor.fill(written),
            false => tensor.fill_part(written),
        }
        self.written(tensor);
    }
}

/// Returns the contents of a tensor after `value` is written to all of its elements.
pub(super) fn contents_of(
    value: &Value,
    dtype: Option<DType>,
    shape: Option<&[i64]>,
) -> Option<TensorInit> {
    use super::contents::converted;
    match value {
        Value::HostTensor(source) => {
            let from = source.dtype();
            let is_same = shape.is_some() && source.shape().as_deref() == shape;
            // Without knowing that the shapes agree, the source may be broadcast.
            let count = shape.and_then(super::shapes::elements);
            let contents = converted(source.contents(), from, dtype, count);
            (is_same || matches!(contents, TensorInit::Full(_))).then_some(contents)
        }
        value => {
            let number = value.as_float()?;
            let is_whole = value.as_int().is_some();
            let contents = TensorInit::Full(number);
            match (dtype, is_whole) {
                // A float that is written to integers is truncated, or rejected, depending on the library.
                (Some(dtype), _) if dtype.is_float() => Some(contents),
                (Some(dtype), true) => {
                    Some(converted(contents, Some(DType::Int64), Some(dtype), None))
                }
                _ => None,
            }
        }
    }
}

/// Returns the items of a tensor along its first axis.
pub(in super::super) fn rows<'a>(tensor: &HostTensor, most: usize) -> Option<Vec<Value<'a>>> {
    let shape = tensor.shape()?;
    let (&count, rest) = shape.split_first()?;
    let count = usize::try_from(count).ok().filter(|&count| count <= most)?;
    let row = || {
        let extents = (Some(rest.to_vec()), vec![None; rest.len()]);
        Value::HostTensor(tensor.view(extents, Part::Some))
    };
    Some((0..count).map(|_| row()).collect())
}

/// Returns the views that split a tensor along an axis.
pub(super) fn parts<'a>(
    tensor: &HostTensor,
    axis: usize,
    extents: &[i64],
    keeps_axis: bool,
) -> Option<Vec<Value<'a>>> {
    let shape = tensor.shape()?;
    let part = |&extent: &i64| {
        let mut shape = shape.clone();
        match keeps_axis {
            true => shape[axis] = extent,
            false => drop(shape.remove(axis)),
        }
        let names = vec![None; shape.len()];
        let view: Rc<HostTensor> = tensor.view((Some(shape), names), Part::Some);
        Value::HostTensor(view)
    };
    Some(extents.iter().map(part).collect())
}

//! Methods that arrange the same elements in other extents.

use std::rc::Rc;

use super::indexing;
use super::methods::{argument, made, number, unnamed};
use super::object::{HostTensor, Library, Part};
use super::shapes::{self, NamedShape, place};
use super::types::type_of;
use crate::dsl::emit::{Arguments, Spanned};
use crate::dsl::tracer::{Eval, Tracer};
use crate::dsl::value::Value;
use a2lint_ir::TensorInit;

impl<'a> Tracer<'a> {
    /// Calls a method that rearranges elements; `None` if it is none.
    pub(super) fn rearranged(
        &mut self,
        tensor: &Rc<HostTensor>,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Eval<Option<Value<'a>>> {
        let shape = tensor.shape();
        let is_numpy = tensor.library == Library::Numpy;
        let result = match name {
            "t" | "T" | "H" => self.reversed_axes(tensor, name),
            "mT" | "mH" | "adjoint" => self.swapped(tensor, -1, -2),
            "transpose" if is_numpy => {
                let given = self.given_extents(arguments, 0, "axes")?;
                match arguments.positional.is_empty()
                    || matches!(arguments.at(0), Some(Value::None))
                {
                    true => self.reversed_axes(tensor, "T"),
                    false => self.permuted(tensor, given),
                }
            }
            "transpose" | "swapaxes" | "swapdims" => {
                // The libraries name the axes differently.
                let axes = [
                    (0, ["dim0", "axis1", "axis0"]),
                    (1, ["dim1", "axis2", "axis1"]),
                ];
                let axes = axes.map(|(at, names)| number(arguments, at, &names));
                match axes {
                    [Some(a), Some(b)] => self.swapped(tensor, a, b),
                    _ => tensor.view(unnamed(None), Part::Some),
                }
            }
            "permute" => {
                let given = self.given_extents(arguments, 0, "dims")?;
                self.permuted(tensor, given)
            }
            "view" if arguments.positional.is_empty() && arguments.keywords.is_empty() => {
                tensor.view(tensor.extents(), Part::Whole)
            }
            "view"
                if argument(arguments, 0, &["dtype"])
                    .and_then(|it| type_of(tensor.library, it))
                    .is_some() =>
            {
                let to =
                    argument(arguments, 0, &["dtype"]).and_then(|it| type_of(tensor.library, it));
                tensor.reinterpreted(to.flatten())
            }
            "reshape" | "view" | "view_as" | "reshape_as" => {
                let (to, spelled) = match arguments.at(0) {
                    Some(Value::HostTensor(other)) => other.extents(),
                    _ => self.given_extents(arguments, 0, "shape")?,
                };
                let found = shape.as_deref().zip(to.as_deref());
                let found = found.and_then(|(from, to)| shapes::reshaped(from, to));
                let is_ordered = argument(arguments, usize::MAX, &["order"]).is_none();
                let extents = (found, spelled);
                match (name, is_ordered) {
                    // torch's `view` never copies; `reshape` copies if the elements cannot be viewed in that order.
                    _ if tensor.is_contiguous() && is_ordered => tensor.view(extents, Part::Whole),
                    ("view" | "view_as", true) => tensor.view(extents, Part::Reordered),
                    _ => tensor.view_or_copy(extents, Part::Reordered),
                }
            }
            "flatten" | "ravel" => {
                // NumPy's `flatten` has no range, and always copies.
                let range = match is_numpy || name == "ravel" {
                    true => Some((0, -1)),
                    false => {
                        let bound = |at, name: &str, default| match argument(arguments, at, &[name])
                        {
                            None => Some(default),
                            Some(value) => value.as_int(),
                        };
                        bound(0, "start_dim", 0).zip(bound(1, "end_dim", -1))
                    }
                };
                let is_ordered =
                    !is_numpy || (arguments.positional.is_empty() && arguments.keywords.is_empty());
                let found = shape.as_deref().zip(range);
                let found =
                    found.and_then(|(shape, (start, end))| shapes::flattened(shape, start, end));
                let extents = unnamed(found);
                match (
                    is_numpy && name == "flatten",
                    is_ordered && tensor.is_contiguous(),
                ) {
                    (true, true) => tensor.fresh(tensor.dtype(), extents, tensor.contents()),
                    (true, false) => tensor.fresh(tensor.dtype(), extents, TensorInit::Computed),
                    (false, true) => tensor.view(extents, Part::Whole),
                    (false, false) => tensor.view_or_copy(extents, Part::Reordered),
                }
            }
            "unsqueeze" => {
                let axis = number(arguments, 0, &["dim"]);
                let found = shape.as_deref().zip(axis);
                let (_, mut names) = tensor.extents();
                let found = found.and_then(|(shape, axis)| {
                    names.insert(place(axis, shape.len() + 1)?.min(names.len()), None);
                    // The new axis has no name in the source.
                    shapes::unsqueezed(shape, axis)
                });
                tensor.view((found, names), Part::Whole)
            }
            "squeeze" => {
                let axes = match argument(arguments, 0, &["dim", "axis"]) {
                    None | Some(Value::None) => Some(None),
                    Some(_) => self.named_axes(arguments, 0)?.map(Some),
                };
                let found = shape.as_deref().zip(axes);
                // NumPy raises for an axis longer than 1, torch leaves it.
                let found = found
                    .and_then(|(shape, axes)| shapes::squeezed(shape, axes.as_deref(), is_numpy));
                tensor.view(unnamed(found), Part::Whole)
            }
            "expand" | "expand_as" | "broadcast_to" => {
                let (to, spelled) = match arguments.at(0) {
                    Some(Value::HostTensor(other)) => other.extents(),
                    _ => self.given_extents(arguments, 0, "size")?,
                };
                let found = shape.as_deref().zip(to.as_deref());
                let found = found.and_then(|(shape, to)| shapes::expanded(shape, to));
                // Expanded elements share storage: a write to one may write several.
                tensor.view((found, spelled), Part::Some)
            }
            // NumPy's `repeat` repeats each element, torch's repeats the whole tensor.
            "repeat" if is_numpy => {
                let times = number(arguments, 0, &["repeats"]);
                let axis = argument(arguments, 1, &["axis"]);
                let axis = axis
                    .filter(|axis| !matches!(axis, Value::None))
                    .map(|axis| axis.as_int());
                copied(
                    tensor,
                    shape.zip(times).and_then(|(mut shape, times)| {
                        let times = i64::try_from(times).ok().filter(|&times| times >= 0)?;
                        // Without an axis, NumPy flattens the array.
                        let Some(axis) = axis else {
                            return Some(vec![shapes::elements(&shape)?.checked_mul(times)?]);
                        };
                        let at = place(axis?, shape.len())?;
                        shape[at] = shape[at].checked_mul(times)?;
                        Some(shape)
                    }),
                )
            }
            "repeat" | "tile" => {
                let (factors, _) = self.given_extents(
                    arguments,
                    0,
                    if name == "tile" { "dims" } else { "repeats" },
                )?;
                let found = shape.as_deref().zip(factors.as_deref());
                copied(
                    tensor,
                    found.and_then(|(shape, factors)| match name {
                        "repeat" => shapes::repeated(shape, factors),
                        _ => shapes::tiled(shape, factors),
                    }),
                )
            }
            "narrow" => {
                let given = [(0, "dim"), (1, "start"), (2, "length")]
                    .map(|(at, name)| number(arguments, at, &[name]));
                let found = shape.and_then(|mut shape| {
                    let [Some(axis), Some(start), Some(length)] = given else {
                        return None;
                    };
                    let at = place(axis, shape.len())?;
                    let (extent, length) = (shape[at], i64::try_from(length).ok()?);
                    // A negative start counts from the end.
                    let start = if start < 0 {
                        start + i128::from(extent)
                    } else {
                        start
                    };
                    let fits = start >= 0
                        && length >= 0
                        && start + i128::from(length) <= i128::from(extent);
                    shape[at] = fits.then_some(length)?;
                    Some(shape)
                });
                tensor.view(unnamed(found), Part::Some)
            }
            "select" => {
                let (axis, index) = (
                    number(arguments, 0, &["dim"]),
                    number(arguments, 1, &["index"]),
                );
                let found = shape
                    .zip(axis.zip(index))
                    .and_then(|(mut shape, (axis, index))| {
                        let at = place(axis, shape.len())?;
                        place(index, usize::try_from(shape.remove(at)).ok()?)?;
                        Some(shape)
                    });
                tensor.view(unnamed(found), Part::Some)
            }
            "chunk" | "split" | "unbind" | "tensor_split" | "split_with_sizes" => {
                return self.in_parts(tensor, name, arguments).map(Some);
            }
            _ => return Ok(None),
        };
        Ok(Some(made(result)))
    }

    fn reversed_axes(&self, tensor: &HostTensor, name: &str) -> Rc<HostTensor> {
        let (mut shape, mut names) = tensor.extents();
        if let Some(shape) = &mut shape {
            names.resize(shape.len(), None);
            shape.reverse();
        }
        names.reverse();
        let rank = shape.as_ref().map_or(usize::MAX, Vec::len);
        // Only `T` accepts more than two axes.
        if name != "T" && rank > 2 {
            return tensor.view(unnamed(None), Part::Some);
        }
        // With fewer than two axes, the order of elements does not change.
        let part = if rank < 2 {
            Part::Whole
        } else {
            Part::Reordered
        };
        tensor.view((shape, names), part)
    }

    fn swapped(&self, tensor: &HostTensor, a: i128, b: i128) -> Rc<HostTensor> {
        let (shape, mut names) = tensor.extents();
        let shape = shape.and_then(|mut shape| {
            let (a, b) = (place(a, shape.len())?, place(b, shape.len())?);
            shape.swap(a, b);
            names.resize(shape.len(), None);
            names.swap(a, b);
            Some(shape)
        });
        tensor.view((shape, names), Part::Reordered)
    }

    fn permuted(&self, tensor: &HostTensor, (axes, _): NamedShape) -> Rc<HostTensor> {
        let (shape, mut names) = tensor.extents();
        let found = shape.zip(axes).and_then(|(shape, axes)| {
            let order = shapes::order(&axes, shape.len())?;
            names.resize(shape.len(), None);
            names = order.iter().map(|&at| names[at].clone()).collect();
            Some(order.iter().map(|&at| shape[at]).collect())
        });
        tensor.view((found, names), Part::Reordered)
    }

    /// Returns extents, factors or axes from the arguments: one by one, as a list, or by keyword.
    pub(super) fn given_extents(
        &mut self,
        arguments: &Arguments<'a>,
        from: usize,
        name: &str,
    ) -> Eval<NamedShape> {
        let mut given: Vec<Spanned<'a>> = arguments.positional.iter().skip(from).cloned().collect();
        if given.is_empty() {
            let names = [name, "shape", "size", "dims", "axes"];
            let mut keywords = arguments.keywords.iter();
            let named = keywords.find(|(keyword, _, _)| names.contains(&keyword.as_str()));
            given.extend(named.map(|(_, value, span)| (value.clone(), *span)));
        }
        match given.is_empty() {
            true => Ok((None, Vec::new())),
            false => self.host_shape(&given),
        }
    }

    /// Returns the axes that an argument names: a number, or several.
    pub(super) fn named_axes(
        &mut self,
        arguments: &Arguments<'a>,
        at: usize,
    ) -> Eval<Option<Vec<i64>>> {
        let Some(given) = argument(arguments, at, &["dim", "axis"]).cloned() else {
            return Ok(None);
        };
        if let Some(axis) = given.as_int() {
            return Ok(i64::try_from(axis).ok().map(|axis| vec![axis]));
        }
        let items = match given {
            Value::Tuple(_) | Value::List(_) => self.static_items(&given)?,
            _ => None,
        };
        let axis = |item: &Value| i64::try_from(item.as_int()?).ok();
        Ok(items.and_then(|items| items.iter().map(axis).collect()))
    }

    /// Evaluates `chunk(n, dim)`, `split(size or sizes, dim)` and `unbind(dim)`.
    fn in_parts(
        &mut self,
        tensor: &HostTensor,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Eval<Value<'a>> {
        let at = if name == "unbind" { 0 } else { 1 };
        let axis = argument(arguments, at, &["dim", "axis"]).map_or(Some(0), |axis| axis.as_int());
        let sizes = match arguments.at(0).cloned() {
            Some(list @ (Value::List(_) | Value::Tuple(_))) => {
                let items = self.static_items(&list)?;
                let size = |item: &Value| i64::try_from(item.as_int()?).ok();
                items.and_then(|items| items.iter().map(size).collect::<Option<Vec<i64>>>())
            }
            _ => None,
        };
        let count = number(
            arguments,
            0,
            &["chunks", "split_size", "split_size_or_sections"],
        );
        let count = count.and_then(|count| i64::try_from(count).ok());
        let found = tensor.shape().zip(axis).and_then(|(shape, axis)| {
            let axis = place(axis, shape.len())?;
            let extent = shape[axis];
            let extents = match (name, count, sizes) {
                ("unbind", _, _) => shapes::split(extent, 1).filter(|_| extent > 0)?,
                // `chunk` rounds the size up, so there may be fewer chunks than asked for.
                ("chunk", Some(count), _) if count > 0 => shapes::split(
                    extent,
                    extent.checked_add(count - 1)?.div_euclid(count).max(1),
                )?,
                ("split", Some(size), _) => shapes::split(extent, size)?,
                ("split" | "split_with_sizes", None, Some(sizes)) => {
                    let total = sizes
                        .iter()
                        .try_fold(0i64, |all, &size| all.checked_add(size))?;
                    let fits = total == extent && sizes.iter().all(|&size| size >= 0);
                    fits.then_some(sizes)?
                }
                _ => return None,
            };
            Some((axis, extents))
        });
        let Some((axis, extents)) = found else {
            // The parts are views, and which elements each has is unknown.
            tensor.expose();
            return Ok(Value::Unknown);
        };
        self.charge(extents.len())?;
        let parts = indexing::parts(tensor, axis, &extents, name != "unbind");
        Ok(parts.map_or(Value::Unknown, Value::tuple))
    }
}

/// Makes a copy in which elements may be repeated, in other extents.
fn copied(tensor: &HostTensor, shape: Option<Vec<i64>>) -> Rc<HostTensor> {
    let contents = match tensor.contents() {
        // Only contents that do not depend on the position survive.
        contents @ (TensorInit::Full(_) | TensorInit::Empty | TensorInit::Integers(..)) => contents,
        _ => TensorInit::Computed,
    };
    tensor.fresh(tensor.dtype(), unnamed(shape), contents)
}

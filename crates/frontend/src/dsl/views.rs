//! Subscripts and reinterpretation: how views are made from views.

use std::rc::Rc;

use super::emit::Arguments;
use super::python::ambient::is_modules;
use super::python::containers::stepped;
use super::python::native::Site;
use super::python::objects::{ClassKind, bound};
use super::scalars::PythonScalars;
use super::tracer::{Eval, Tracer};
use super::value::{SliceValue, Value};
use a2lint_ir::{BinaryOp, BufferId, LocalView, ReinterpretFault, ScalarId, VariableKind};
use a2lint_isa::{BLOCK_BYTES, DType, Position};
use a2lint_source::text::Span;

/// The bounds of one slice: start, extent, and whether the extent was a Python int.
pub(super) struct Window {
    pub start: ScalarId,
    pub span: ScalarId,
    pub is_static: bool,
}

impl<'a> Tracer<'a> {
    pub fn subscript(
        &mut self,
        object: Value<'a>,
        index: Value<'a>,
        span: Span,
    ) -> Eval<Value<'a>> {
        match &object {
            Value::Ring(buffer) => self.pick_slot(*buffer, &index, span),
            Value::Local(view) => self.slice_local(view, &index, span),
            Value::Global(view) => self.slice_global(view, &index, span),
            Value::Vector(vector) if self.in_kernel() => {
                let vector = vector.clone();
                self.vector_sliced(&vector, span);
                Ok(Value::Unknown)
            }
            Value::GlobalRing(ring) => self.ring_slot(ring, &index, span),
            // `x.shape` of a parameter whose rank is unknown: only its subscript has a value.
            Value::Method(method) => match method.as_ref() {
                (Value::Global(view), name) if name == "shape" => match index.as_int() {
                    Some(axis) => self.extent(view.global, axis),
                    None => Ok(Value::Unknown),
                },
                _ => Ok(Value::Unknown),
            },
            _ => self.static_subscript(&object, &index, span),
        }
    }

    fn static_subscript(
        &mut self,
        object: &Value<'a>,
        index: &Value<'a>,
        span: Span,
    ) -> Eval<Value<'a>> {
        match object {
            Value::Dict(items) => {
                // Copied, as evaluating keys can run code that changes the dictionary.
                let Some(known) = items.known().map(|known| known.to_vec()) else {
                    return Ok(Value::Unknown);
                };
                match self.find_key(&known, index)? {
                    Some(Some(at)) => Ok(known[at].1.clone()),
                    Some(None) => self.throw_key(index, Value::Unknown),
                    None => Ok(Value::Unknown),
                }
            }
            Value::Names(frame) => match index {
                Value::Str(name) => match frame.own(name) {
                    Some(value) => Ok(value),
                    None => self.throw_key(index, Value::Unknown),
                },
                _ => Ok(Value::Unknown),
            },
            Value::Tuple(items) => self.pick_items(object, items, index, span),
            Value::Class(class) if matches!(class.kind, ClassKind::Enum { .. }) => match index {
                Value::Str(name) => match self.member_named(class, name) {
                    Some(member) => Ok(member),
                    None => self.throw_key(index, Value::Unknown),
                },
                _ => Ok(Value::Unknown),
            },
            Value::Class(class) => match class.lookup("__class_getitem__") {
                Some(method) => {
                    let method = bound(method, object.clone());
                    let given = Arguments::of([index.clone()], span);
                    self.apply(method, given, Site::at(span))
                }
                None => Ok(Value::Unknown),
            },
            Value::Instance(instance) => {
                if let Some(items) = instance.as_tuple() {
                    return self.pick_items(object, &items, index, span);
                }
                let given = Arguments::of([index.clone()], span);
                let item = self.call_method(object, "__getitem__", given, Site::at(span))?;
                match item {
                    Some(item) => Ok(item),
                    // An instance without a base class that could define `__getitem__` is certainly not
                    // subscriptable.
                    None if instance.is_bare() => self.throw("TypeError", Value::Unknown),
                    None => Ok(Value::Unknown),
                }
            }
            // `list[int]` as an annotation.
            Value::Inert => Ok(Value::Inert),
            Value::Range(start, stop, step) => {
                let length = super::python::builtins::range_length(*start, *stop, *step);
                let Ok(length) = usize::try_from(length) else {
                    return Ok(Value::Unknown);
                };
                // Numbers beyond 128 bits are unknown.
                let number = |at: usize| start.checked_add((at as i128).checked_mul(*step)?);
                if let Value::Slice(slice) = index {
                    return Ok(match self.slice_bounds(slice, length)? {
                        Some(((from, count), by)) => {
                            let first = number(from).unwrap_or(*stop);
                            let by = by.checked_mul(*step);
                            let end =
                                by.and_then(|by| first.checked_add(by.checked_mul(count as i128)?));
                            let range = by.zip(end);
                            range.map_or(Value::Unknown, |(by, end)| Value::Range(first, end, by))
                        }
                        None => Value::Unknown,
                    });
                }
                match self.index_of(index, length)? {
                    Some(Some(at)) => Ok(number(at).map_or(Value::Unknown, Value::Int)),
                    Some(None) => self.throw("IndexError", Value::Unknown),
                    None => Ok(Value::Unknown),
                }
            }
            Value::List(items) => match items.known().map(|items| items.to_vec()) {
                Some(items) => self.pick_items(object, &items, index, span),
                None => Ok(Value::Unknown),
            },
            // Python indexes code points, not bytes.
            Value::Str(text) => {
                let chars: Vec<Value<'a>> =
                    text.chars().map(|c| Value::str(&c.to_string())).collect();
                let picked = self.pick_items(object, &chars, index, span)?;
                Ok(match &picked {
                    Value::List(items) => {
                        let items = items.ever();
                        let parts = items.iter().filter_map(|item| match item {
                            Value::Str(part) => Some(&**part),
                            _ => None,
                        });
                        Value::str(&parts.collect::<String>())
                    }
                    _ => picked,
                })
            }
            // `TypeError`: these types have no `__getitem__`.
            Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) => {
                self.throw("TypeError", Value::Unknown)
            }
            Value::Set(_) | Value::FrozenSet(_) | Value::Iterator(_) | Value::Lambda(_) => {
                self.throw("TypeError", Value::Unknown)
            }
            Value::Namespace(_) if is_modules(object) => Ok(self.item_of_modules(index)),
            Value::Namespace(_) => Ok(self.environment_item(object, index)),
            _ => Ok(Value::Unknown),
        }
    }

    /// Returns an item or a slice of a list or tuple; for a string, `items` are its characters.
    fn pick_items(
        &mut self,
        object: &Value<'a>,
        items: &[Value<'a>],
        index: &Value<'a>,
        span: Span,
    ) -> Eval<Value<'a>> {
        if let Value::Slice(slice) = index {
            self.charge(items.len())?;
            let Some(((from, count), step)) = self.slice_bounds(slice, items.len())? else {
                return Ok(Value::Unknown);
            };
            let places = stepped(from, count, step).into_iter();
            let picked = places.filter_map(|at| items.get(at).cloned()).collect();
            // A slice of a named tuple is a plain tuple.
            return Ok(match object {
                Value::Tuple(_) | Value::Instance(_) => Value::tuple(picked),
                _ => Value::list(picked),
            });
        }
        // A device value cannot index a Python container at trace time; which item is meant is unknown.
        if self.in_kernel() && index.as_int().is_none() {
            if self.compiled && matches!(index, Value::Var(_)) {
                let message = "a container of Python cannot be indexed by a device value";
                self.raise(span, "E0201", message);
            }
            return Ok(Value::Unknown);
        }
        Ok(match self.index_of(index, items.len())? {
            Some(Some(at)) => items[at].clone(),
            Some(None) => {
                let (kind, len) = (object.type_name(), items.len());
                let at = index.as_int().unwrap_or_default();
                let message = format!("{kind} index {at} is out of range: it has {len} items");
                self.raise(span, "IndexError", message);
                return self.throw("IndexError", Value::Unknown);
            }
            None => Value::Unknown,
        })
    }

    /// Evaluates `buf[i]`.
    fn pick_slot(&mut self, buffer: BufferId, index: &Value<'a>, span: Span) -> Eval<Value<'a>> {
        // `buf[i, a:b, c:d]` picks a slot and slices it.
        if let (Value::Tuple(parts), true) = (index, self.is_compiled())
            && let Some((slot, rest)) = parts.split_first()
            && !rest.is_empty()
        {
            let slot = self.pick_slot(buffer, slot, span)?;
            return self.subscript(slot, Value::tuple(rest.to_vec()), span);
        }
        // The index is captured: a later update of the variable does not change the view.
        let slot = match index {
            Value::Int(_) | Value::Bool(_) | Value::Var(_) => {
                let id = self.builder().scalar(index);
                self.builder().capture(id)?
            }
            Value::Unknown | Value::Foreign | Value::Inert => self.builder().unknown(),
            _ => {
                let name = self.builder().program.buffer(buffer).label().to_owned();
                let message = format!(
                    "`{name}` is a ring of slots: its index is an int or a Var, not '{}'",
                    index.type_name()
                );
                let help = format!("pick a slot first: {name}[i][a:b, c:d]");
                self.raise_with(span, "TypeError", message, Some(help));
                return Ok(Value::Unknown);
            }
        };
        let mut view = self.builder().whole(buffer, slot, span);
        // A temporary is the result of an operation and has no name that a message could show.
        view.index = match index {
            Value::Var(id)
                if self.builder().program.variable(*id).kind != VariableKind::Temporary =>
            {
                Some(*id)
            }
            _ => None,
        };
        Ok(Value::Local(Rc::new(view)))
    }

    fn slice_local(&mut self, view: &LocalView, index: &Value<'a>, span: Span) -> Eval<Value<'a>> {
        let mut sliced = view.clone();
        sliced.sliced = true;
        sliced.site = span;
        // One index moves the start by that many elements.
        match index {
            Value::Int(_) | Value::Var(_) => {
                let offset = self.captured(index)?;
                sliced.offset[1] = self.builder().binary(BinaryOp::Add, view.offset[1], offset);
                if self.is_compiled() {
                    let mut whole = view.clone();
                    whole.site = span;
                    return Ok(Value::Element(Rc::new([whole, sliced])));
                }
            }
            Value::Tuple(parts) if parts.len() == 2 => {
                for (axis, part) in parts.iter().enumerate() {
                    let Some(window) =
                        self.window(part, view.span[axis], view.static_span[axis], span)?
                    else {
                        return Ok(Value::Unknown);
                    };
                    sliced.offset[axis] =
                        self.builder()
                            .binary(BinaryOp::Add, view.offset[axis], window.start);
                    sliced.span[axis] = window.span;
                    sliced.static_span[axis] = window.is_static;
                }
            }
            Value::Unknown | Value::Foreign | Value::Inert => return Ok(Value::Unknown),
            Value::Tuple(parts) if parts.len() == 1 && self.is_compiled() => {
                self.note_unknown(span, "what one slice of a tensor is, is not known");
                return Ok(Value::Unknown);
            }
            Value::Tuple(parts) => {
                let message = format!("a tensor has two dimensions, not {}", parts.len());
                self.raise(span, "TypeError", message);
                return Ok(Value::Unknown);
            }
            // The compiled dialect does not define a single slice.
            Value::Slice(_) if self.is_compiled() => {
                self.note_unknown(span, "what one slice of a tensor is, is not known");
                return Ok(Value::Unknown);
            }
            _ => {
                let message = "a tensor is sliced in both dimensions";
                self.raise_with(span, "TypeError", message, Some("write t[a:b, c:d]".into()));
                return Ok(Value::Unknown);
            }
        }
        Ok(Value::Local(Rc::new(sliced)))
    }

    pub(super) fn captured(&mut self, value: &Value<'a>) -> Eval<ScalarId> {
        let builder = self.builder();
        let id = builder.scalar(value);
        Ok(builder.capture(id)?)
    }

    /// Evaluates one entry of a subscript; `None` if it is not usable (noted if it raises).
    pub(super) fn window(
        &mut self,
        part: &Value<'a>,
        extent: ScalarId,
        static_extent: bool,
        site: Span,
    ) -> Eval<Option<Window>> {
        let slice = match part {
            Value::Slice(slice) => slice.clone(),
            Value::Int(_) | Value::Var(_) => {
                let start = self.captured(part)?;
                // A plain index selects one element, so the extent is the constant 1.
                let span = self.builder().int(1);
                return Ok(Some(Window {
                    start,
                    span,
                    is_static: true,
                }));
            }
            Value::Float(_) => {
                self.raise(
                    site,
                    "TypeError",
                    "slice bounds are ints or Vars, not 'float'",
                );
                return Ok(None);
            }
            // An unknown entry: start and extent are unknown scalars, so the view stays a view of this buffer.
            _ => {
                let builder = self.builder();
                let (start, span) = (builder.unknown(), builder.unknown());
                return Ok(Some(Window {
                    start,
                    span,
                    is_static: false,
                }));
            }
        };
        // Bounds that Python accepts for lists (negative, stepped) have no meaning for a view in device memory.
        if !self.slice_is_usable(&slice) {
            return Ok(None);
        }
        let (start, static_start) = match &slice.lower {
            None => (self.builder().int(0), true),
            Some(lower) => (self.captured(lower)?, lower.as_int().is_some()),
        };
        let (stop, static_stop) = match &slice.upper {
            // Whether the end was a plain number is inherited: stride inference depends on it.
            None => (extent, static_extent),
            Some(upper) => (self.captured(upper)?, upper.as_int().is_some()),
        };
        let span = self.builder().binary(BinaryOp::Sub, stop, start);
        Ok(Some(Window {
            start,
            span,
            is_static: static_start && static_stop,
        }))
    }

    fn slice_is_usable(&mut self, slice: &SliceValue<'a>) -> bool {
        if let Some(step) = slice.step.as_ref().and_then(Value::as_int)
            && step != 1
        {
            let message = format!("slices of tensors have step 1, not {step}");
            self.raise(slice.span, "ValueError", message);
            return false;
        }
        for bound in [&slice.lower, &slice.upper].into_iter().flatten() {
            if matches!(bound, Value::Float(_)) {
                let message = "slice bounds are ints or Vars, not 'float'";
                self.raise_with(
                    slice.span,
                    "TypeError",
                    message,
                    Some("divide with // instead of /".into()),
                );
                return false;
            }
            if bound.as_int().is_some_and(|bound| bound < 0) {
                let message = "negative slice bounds do not count from the end of a tensor";
                self.raise(slice.span, "ValueError", message);
                return false;
            }
        }
        true
    }

    /// Returns why a view cannot be taken as elements of another type; `None` unless that is certain.
    pub fn reinterpret_fault(
        &mut self,
        view: &LocalView,
        dtype: DType,
    ) -> Option<ReinterpretFault> {
        let program = &self.builder().program;
        // L0C holds accumulators in a fractal layout, which has no other interpretation.
        if program.buffer(view.buffer).position == Position::L0C {
            return Some(ReinterpretFault::Accumulator);
        }
        let row = program
            .size(view.shape[1])
            .map(|columns| columns * view.dtype.bits());
        // Each row must hold a whole number of the new elements.
        if let Some(bits) = row.filter(|bits| bits % dtype.bits() != 0) {
            return Some(ReinterpretFault::Rows(bits / 8));
        }
        let [first_row, first_column] = program.constant_pair(view.offset)?;
        let pitch = match first_row {
            0 => 0,
            _ => view.dtype.bytes_of(program.size(view.shape[1])?),
        };
        let start = first_row.checked_mul(pitch)? + view.dtype.bytes_of(first_column);
        // Views in local memory start at a multiple of a block.
        let off_by = start.rem_euclid(BLOCK_BYTES);
        (off_by != 0).then_some(ReinterpretFault::Start(off_by))
    }

    /// Returns `t.reinterpret(DT.x)`: the same bytes as elements of another type.
    pub fn reinterpreted(&mut self, view: &LocalView, dtype: DType) -> LocalView {
        let (from, to) = (view.dtype.bits(), dtype.bits());
        let mut result = view.clone();
        result.dtype = dtype;
        let builder = self.builder();
        let mut rescale = |id: ScalarId| {
            if from == to {
                return id;
            }
            let (up, down) = (from / gcd(from, to), to / gcd(from, to));
            // Multiplied first, so that the division is exact.
            let factor = builder.int(up);
            let scaled = builder.binary(BinaryOp::Mul, id, factor);
            let divisor = builder.int(down);
            builder.binary(BinaryOp::Div, scaled, divisor)
        };
        result.shape[1] = rescale(view.shape[1]);
        result.span[1] = rescale(view.span[1]);
        result.offset[1] = rescale(view.offset[1]);
        result
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

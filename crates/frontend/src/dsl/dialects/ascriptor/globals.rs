//! Global memory: rings of slots, and views of tensors with other extents.

use std::rc::Rc;

use super::super::super::emit::Arguments;
use super::super::super::scalars::PythonScalars;
use super::super::super::tracer::{Eval, Tracer};
use super::super::super::value::{Drained, Value};
use a2lint_ir::{
    BinaryOp, Global, GlobalAxis, GlobalKind, GlobalRing, GlobalView, LocalView, Scalar, ScalarId,
    ScalarType, SpecialScalar,
};
use a2lint_isa::{Opcode, Position};
use a2lint_source::text::Span;

/// Maximum number of slots of a ring.
const MAX_SLOTS: i128 = 1 << 16;

fn drained_by<'a>(view: Rc<LocalView>, riders: Vec<(&'static str, Value<'a>, Span)>) -> Value<'a> {
    Value::Drained(Rc::new(Drained { view, riders }))
}

impl<'a> Tracer<'a> {
    /// Returns the axes of a whole tensor.
    pub fn whole_axes(&mut self, shape: &[ScalarId]) -> Vec<GlobalAxis> {
        let builder = self.builder();
        let start = builder.int(0);
        let is_static = |extent: ScalarId| builder.program.scalars.as_int(extent).is_some();
        let axis = |&extent: &ScalarId| GlobalAxis {
            extent,
            start,
            span: extent,
            is_slice: true,
            static_span: is_static(extent),
        };
        shape.iter().map(axis).collect()
    }

    /// Evaluates `GMBuff(dtype, [r, c], slots, name="", *, per_core=True)`.
    pub fn global_ring(&mut self, arguments: &Arguments<'a>, span: Span) -> Eval<Value<'a>> {
        let (Some((Value::DType(dtype), _)), Some((shape, _)), Some((slots, slots_span))) = (
            arguments.named("dtype", 0),
            arguments.named("shape", 1),
            arguments.named("slots", 2),
        ) else {
            return Ok(Value::Unknown);
        };
        let Some(dims) = self.static_items(&shape)? else {
            return Ok(Value::Unknown);
        };
        let Some(slots) = slots
            .as_int()
            .filter(|slots| (1..=MAX_SLOTS).contains(slots))
        else {
            if !slots.is_unknown() {
                let message = "the number of slots is a positive Python int";
                self.raise(slots_span, "E0301", message);
            }
            return Ok(Value::Unknown);
        };
        // `per_core` is true unless it is certainly false.
        let per_core = arguments.keyword("per_core").and_then(Value::truth) != Some(false);
        let slots = slots as i64;
        let mut extents = Vec::new();
        // The ring is a workspace with leading axes for core and slot.
        if per_core {
            extents.push(self.special(SpecialScalar::CubeNum));
        }
        extents.push(self.builder().int(slots));
        for dim in &dims {
            let builder = self.builder();
            let dim = builder.scalar(dim);
            extents.push(builder.capture(dim)?);
        }
        let name = match arguments.named("name", 3) {
            Some((Value::Str(name), _)) => name.to_string(),
            _ => String::new(),
        };
        let global = self.builder().add_global(Global {
            name: name.into(),
            dtype: Some(dtype),
            shape: extents.clone(),
            kind: GlobalKind::Workspace,
            span,
            mutex: None,
            ring: Some(GlobalRing { slots, per_core }),
        });
        Ok(Value::GlobalRing(Rc::new(GlobalView {
            global,
            axes: self.whole_axes(&extents),
            sliced: false,
            transposed: false,
            site: span,
        })))
    }

    /// Calls a method of a tensor: options of an accumulator's move, and other extents of global memory. Vector
    /// expressions are not spelled as methods in this dialect.
    pub fn compiled_method(
        &mut self,
        object: &Value<'a>,
        name: &str,
        arguments: &Arguments<'a>,
        span: Span,
    ) -> Eval<Option<Value<'a>>> {
        // Options accumulate: `l0c.relu().requant(scale)`.
        if let Value::Drained(drained) = object {
            let inner = Value::Local(drained.view.clone());
            let more = self.compiled_method(&inner, name, arguments, span)?;
            let Some(Value::Drained(more)) = more else {
                return Ok(more);
            };
            let riders = drained.riders.iter().chain(&more.riders).cloned().collect();
            return Ok(Some(drained_by(more.view.clone(), riders)));
        }
        Ok(Some(match (object, name) {
            (Value::Local(view), name)
                if name == Opcode::Relu.row().name && self.is_accumulator(view) =>
            {
                let rider = Opcode::Relu.row().name;
                drained_by(view.clone(), vec![(rider, Value::Bool(true), span)])
            }
            (Value::Local(view), "requant") if self.is_accumulator(view) => {
                let scale = arguments.named("scale", 0);
                let offset = arguments.named("offset", 1);
                let scale = scale.map_or(Value::Int(1), |(value, _)| value);
                let mut riders = vec![("scale", scale, span)];
                riders.extend(offset.map(|(value, _)| ("offset", value, span)));
                drained_by(view.clone(), riders)
            }
            (Value::Global(view), "flatten") => {
                let axis = |at: usize, name: &str, default: usize| match arguments.named(name, at) {
                    Some((value, _)) => value.as_int().and_then(|axis| usize::try_from(axis).ok()),
                    None => Some(default),
                };
                let last = view.axes.len().saturating_sub(1);
                let (first, last) = (axis(0, "start", 0), axis(1, "end", last));
                match (first, last) {
                    (Some(first), Some(last)) if !view.sliced && first <= last => self.flattened(
                        view,
                        first,
                        last.min(view.axes.len().saturating_sub(1)),
                        span,
                    ),
                    _ => Value::Unknown,
                }
            }
            (Value::Global(view), "view") => {
                // Strides, and offsets inside of a row, cannot be expressed as a window of axes.
                let strides = arguments.named("strides", 1).map(|(value, _)| value);
                let is_strided = strides.is_some_and(|it| !matches!(it, Value::None));
                let offset = arguments
                    .named("offset", 2)
                    .map_or(Value::Int(0), |(value, _)| value);
                let found = match arguments.named("shape", 0) {
                    Some((shape, _)) if !is_strided && !view.sliced && offset.is_scalar() => {
                        let items = self.static_items(&shape)?.unwrap_or_default();
                        self.window_at(view, &items, &offset, span)?
                    }
                    _ => None,
                };
                match found {
                    Some(view) => view,
                    None => {
                        let what = "views of global memory with strides, or an offset inside of a row, \
                                    are not followed";
                        self.note_unknown(span, what);
                        Value::Unknown
                    }
                }
            }
            (Value::Local(_), _) if Self::vector_method(name).is_some() => {
                let message = format!("tensors have no method `{name}`");
                let help = format!("call the instruction: `{name}(dst, src)`");
                self.raise_with(span, "E0301", message, Some(help));
                Value::Unknown
            }
            _ => return Ok(None),
        }))
    }

    /// Returns the window of a tensor that begins at an offset; `None` unless the offset is known to be a multiple of
    /// a row.
    fn window_at(
        &mut self,
        view: &GlobalView,
        items: &[Value<'a>],
        offset: &Value<'a>,
        span: Span,
    ) -> Eval<Option<Value<'a>>> {
        let Some((rows, inner)) = items.split_first() else {
            return Ok(None);
        };
        let extents = view.axes.iter().map(|axis| axis.extent);
        let extents: Vec<ScalarId> = extents.collect();
        let builder = self.builder();
        let one = builder.int(1);
        let mut row = one;
        let mut shape = Vec::new();
        for item in inner {
            let extent = builder.scalar(item);
            let extent = builder.capture(extent)?;
            row = builder.binary(BinaryOp::Mul, row, extent);
            shape.push(extent);
        }
        let all = extents.into_iter().fold(one, |all, extent| {
            builder.binary(BinaryOp::Mul, all, extent)
        });
        let offset = builder.scalar(offset);
        let offset = builder.capture(offset)?;
        // Divisibility is decided symbolically, so that it holds for every launch.
        let (Some(start), Some(whole)) = (builder.divided(offset, row), builder.divided(all, row))
        else {
            return Ok(None);
        };
        let rows = builder.scalar(rows);
        let rows = builder.capture(rows)?;
        shape.insert(0, whole);
        let mut axes = self.whole_axes(&shape);
        (axes[0].start, axes[0].span) = (start, rows);
        Ok(Some(Value::Global(Rc::new(GlobalView {
            axes,
            sliced: true,
            site: span,
            ..view.clone()
        }))))
    }

    fn is_accumulator(&self, view: &LocalView) -> bool {
        let program = self.kernel.as_ref().map(|builder| &builder.program);
        program.is_some_and(|program| program.buffer(view.buffer).position == Position::L0C)
    }

    /// Joins some neighbouring axes of a tensor into one.
    fn flattened(&mut self, view: &GlobalView, first: usize, last: usize, span: Span) -> Value<'a> {
        let joined = view.axes[first..=last].iter().map(|axis| axis.extent);
        let joined: Vec<ScalarId> = joined.collect();
        let builder = self.builder();
        let one = builder.int(1);
        let product = joined.into_iter().fold(one, |product, extent| {
            builder.binary(BinaryOp::Mul, product, extent)
        });
        let extents = view.axes.iter().map(|axis| axis.extent);
        let mut shape: Vec<ScalarId> = extents.collect();
        shape.splice(first..=last, [product]);
        Value::Global(Rc::new(GlobalView {
            axes: self.whole_axes(&shape),
            site: span,
            ..view.clone()
        }))
    }

    /// Evaluates a device query in a kernel that runs on vec cores alone.
    pub fn vec_only_query(&mut self, special: SpecialScalar) -> Eval<Value<'a>> {
        Ok(match special {
            // Without cube cores their number is 0, and the index of the (absent) cube core is -1.
            SpecialScalar::CubeNum | SpecialScalar::SubBlockIdx => Value::Int(0),
            SpecialScalar::CubeIdx => Value::Int(-1),
            SpecialScalar::VecNum | SpecialScalar::VecIdx => {
                let scalars = &mut self.builder().program.scalars;
                let id = scalars.intern(Scalar::Special(special));
                self.temporary(id, ScalarType::INT)?
            }
        })
    }

    /// Returns a device query as an expression.
    fn special(&mut self, special: SpecialScalar) -> ScalarId {
        let builder = self.builder();
        match special {
            SpecialScalar::CubeNum if builder.program.vec_only => builder.int(0),
            _ => builder.program.scalars.intern(Scalar::Special(special)),
        }
    }

    /// Evaluates `ring[beat]` and `ring[beat, a:b, c:d]`, which pick this core's slot.
    pub fn ring_slot(
        &mut self,
        ring: &GlobalView,
        index: &Value<'a>,
        span: Span,
    ) -> Eval<Value<'a>> {
        let (beat, rest) = match index {
            Value::Tuple(parts) => match parts.split_first() {
                Some((beat, rest)) => (beat.clone(), rest.to_vec()),
                None => return Ok(Value::Unknown),
            },
            beat => (beat.clone(), Vec::new()),
        };
        let Some(spec) = self.builder().program.global(ring.global).ring else {
            return Ok(Value::Unknown);
        };
        if !beat.is_scalar() {
            if matches!(beat, Value::Slice(_)) {
                let message = "a ring is picked a slot of first: `ring[beat]`";
                self.raise(span, "E0201", message);
            }
            return Ok(Value::Unknown);
        }
        let slots = Value::Int(spec.slots.into());
        // The beat counts on without bound; the ring wraps it around.
        let slot = self.folded_binary(BinaryOp::FloorMod, &beat, &slots)?;
        let core = match spec.per_core {
            true => Some(self.special(SpecialScalar::CubeIdx)),
            false => None,
        };
        let mut view = ring.clone();
        view.site = span;
        view.sliced = true;
        let slot = self.builder().scalar(&slot);
        let one = self.builder().int(1);
        for (axis, start) in core.into_iter().chain([slot]).enumerate() {
            // The picked axes keep extent 1 and are no slices, so that subscripts skip them (`picked_axes`).
            let axis = &mut view.axes[axis];
            (axis.start, axis.span, axis.is_slice) = (start, one, false);
            axis.static_span = true;
        }
        if rest.is_empty() {
            return Ok(Value::Global(Rc::new(view)));
        }
        let rest = Value::tuple(rest);
        self.subscript(Value::Global(Rc::new(view)), rest, span)
    }
}

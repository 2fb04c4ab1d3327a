//! Constructors of tensors, workspaces, variables, events and mutexes.

use std::rc::Rc;

use super::emit::{Arguments, Spanned};
use super::scalars::PythonScalars;
use super::tracer::{Eval, Tracer};
use super::value::Value;
use a2lint_ir::{
    Buffer, Event, Global, GlobalKind, GlobalView, HandOut, Mutex, MutexKind, PythonNote, ScalarId,
    ScalarType,
};
use a2lint_isa::{Layout, Pipe, Position};
use a2lint_source::text::Span;

/// Keywords of an event.
const EVENT: &[&str] = &["src_pipe", "dst_pipe", "preset", "name"];

/// Keywords of a mutex except its pipes.
pub(super) const MUTEX: &[&str] = &["flag_id", "id", "depth", "guards", "name"];

/// Keywords of a mutex for its pipes, in the order of the positional arguments.
pub(super) const MUTEX_PIPES: [&str; 4] = [
    "src_start_pipe",
    "dst_start_pipe",
    "src_end_pipe",
    "dst_end_pipe",
];

impl<'a> Tracer<'a> {
    /// Evaluates `Tensor`, `DBuff`, `TBuff` and `QBuff`, with arguments `(dtype, shape, position)`.
    pub(super) fn allocate(
        &mut self,
        slots: u32,
        arguments: &Arguments<'a>,
        span: Span,
    ) -> Eval<Value<'a>> {
        let dtype = match arguments.named("dtype", 0) {
            Some((Value::DType(dtype), _)) => dtype,
            Some((value, at)) if !value.is_unknown() => {
                let message = format!(
                    "expected an element type such as DT.float, not '{}'",
                    value.type_name()
                );
                self.raise_with(
                    at,
                    "TypeError",
                    message,
                    Some("write DT.float, DT.half, …".into()),
                );
                return Ok(Value::Unknown);
            }
            _ => return Ok(Value::Unknown),
        };
        let position = match arguments.named("position", 2) {
            // The DSL's own default.
            None => Position::L1,
            Some((Value::Position(position), _)) => position,
            Some((value, at)) => {
                if !value.is_unknown() {
                    let message = format!("the memory is a Position, not '{}'", value.type_name());
                    self.raise_with(
                        at,
                        "TypeError",
                        message,
                        Some("write Position.UB, Position.L1, …".into()),
                    );
                }
                return Ok(Value::Unknown);
            }
        };
        let Some((shape, shape_span)) = arguments.named("shape", 1) else {
            return Ok(Value::Unknown);
        };
        let Some(dims) = self.static_items(&shape)? else {
            return Ok(Value::Unknown);
        };
        if dims.len() != 2 {
            self.note(shape_span, PythonNote::LocalRank { rank: dims.len() });
            return Ok(Value::Unknown);
        }
        // Only the compiled dialect takes the layout by position.
        let layout_at = if self.is_compiled() { 4 } else { usize::MAX };
        let layout = match arguments.named("layout", layout_at) {
            // NZ is the default of both dialects; a layout that cannot be evaluated is treated as the default.
            Some((Value::Layout(layout), _)) => layout,
            _ => Layout::Nz,
        };
        if self.is_compiled() {
            self.check_sync_depth(slots, arguments);
        }
        // Which extents were plain Python ints is remembered here, since stride inference depends on it. Substitution
        // may later show a variable to be constant, which must not change the inference.
        let static_shape = [dims[0].as_int().is_some(), dims[1].as_int().is_some()];
        let shape = [self.dimension(&dims[0])?, self.dimension(&dims[1])?];
        let is_compiled = self.is_compiled();
        let builder = self.builder();
        // Recorded for kernels that are only traced: there each execution of the call allocates anew.
        let nested = builder.device_depth() > 0 && !is_compiled;
        let buffer = builder.add_buffer(Buffer {
            name: arguments.name().into(),
            dtype,
            shape,
            static_shape,
            position,
            slots,
            layout,
            span,
            nested,
            handed: HandOut::default(),
        });
        if slots > 1 {
            return Ok(Value::Ring(buffer));
        }
        let zero = builder.int(0);
        Ok(Value::Local(Rc::new(builder.whole(buffer, zero, span))))
    }

    // Extents are captured: a later assignment to the variable does not change the buffer.
    pub(super) fn dimension(&mut self, value: &Value<'a>) -> Eval<ScalarId> {
        let builder = self.builder();
        let id = builder.scalar(value);
        Ok(builder.capture(id)?)
    }

    pub(super) fn workspace(&mut self, arguments: &Arguments<'a>, span: Span) -> Eval<Value<'a>> {
        let dtype = match arguments.named("dtype", 0) {
            Some((Value::DType(dtype), _)) => Some(dtype),
            _ => None,
        };
        let Some((shape, at)) = arguments.named("shape", 1) else {
            return Ok(Value::Unknown);
        };
        // A plain number has no length, so the constructor raises. Other values that are no list are left unknown.
        if shape.as_int().is_some() {
            let message = format!("the shape is a list, not '{}'", shape.type_name());
            let help = "write the extents in brackets, `[...]`".to_owned();
            self.raise_with(at, "TypeError", message, Some(help));
            return Ok(Value::Unknown);
        }
        let Some(dims) = self.static_items(&shape)? else {
            return Ok(Value::Unknown);
        };
        let mut extents = Vec::with_capacity(dims.len());
        for dim in &dims {
            extents.push(self.dimension(dim)?);
        }
        let builder = self.builder();
        let global = builder.add_global(Global {
            name: arguments.name().into(),
            dtype,
            shape: extents,
            kind: GlobalKind::Workspace,
            span,
            mutex: None,
            ring: None,
        });
        let view = GlobalView {
            global,
            axes: Vec::new(),
            sliced: false,
            transposed: false,
            site: span,
        };
        let parts: Vec<Spanned<'a>> = dims.into_iter().map(|dim| (dim, span)).collect();
        self.reshaped(&view, &parts, span)
    }

    /// Declares `Var(value=0, dtype=None)`, a scalar that the kernel may update.
    pub(super) fn declare_var(&mut self, arguments: &Arguments<'a>, span: Span) -> Eval<Value<'a>> {
        let value = arguments.named("value", 0).map(|(value, _)| value);
        // In the compiled dialect `Var(None)` and `Var()` declare a cell without a value; reading it before an
        // assignment is a mistake. In the traced one both start at 0.
        let value = value.filter(|value| !(self.is_compiled() && matches!(value, Value::None)));
        let is_unset = self.is_compiled() && value.is_none();
        let value = value.unwrap_or(Value::Int(0));
        let given = match arguments.named("dtype", 1) {
            Some((Value::DType(dtype), _)) => Some(ScalarType::of(dtype)),
            _ => None,
        };
        let builder = self.builder();
        let initial = builder.scalar(&value);
        // Without a type, the variable takes that of its initial value.
        let of = given.unwrap_or_else(|| builder.type_of(initial));
        let initial = (!is_unset).then_some(initial);
        let variable = builder.declare(&arguments.name(), of, initial, span)?;
        // In an older version of the DSL `Var(v)` is another name of `v`; the rule `var-alias` warns about such
        // copies.
        if let Value::Var(of) = value {
            builder.program.variables[variable.index()].copy_of = Some(of);
        }
        Ok(Value::Var(variable))
    }

    /// Returns whether the call has a keyword that the constructor does not take. That raises a `TypeError`, which is
    /// noted.
    pub(super) fn refuses(&mut self, arguments: &Arguments<'a>, known: &[&str]) -> bool {
        let mut keywords = arguments.keywords.iter();
        let Some((name, _, at)) = keywords.find(|(name, ..)| !known.contains(&name.as_str()))
        else {
            return false;
        };
        let message = format!("unexpected keyword argument `{name}`");
        let help = format!("known are {}", known.join(", "));
        self.raise_with(*at, "TypeError", message, Some(help));
        true
    }

    pub(super) fn declare_event(
        &mut self,
        ids: u32,
        arguments: &Arguments<'a>,
        span: Span,
    ) -> Value<'a> {
        if self.refuses(arguments, EVENT) {
            return Value::Unknown;
        }
        let src = self.pipe_argument(arguments, "src_pipe", 0);
        let dst = self.pipe_argument(arguments, "dst_pipe", 1);
        let preset = arguments.named("preset", 2);
        // A number has a truth value, so without this note `preset=1` would silently pass as a preset event.
        if let Some((value @ (Value::Int(_) | Value::Float(_)), at)) = &preset {
            let message = format!("`preset` is a bool, not '{}'", value.type_name());
            self.raise(*at, "TypeError", message);
        }
        let preset = preset.is_some_and(|(value, _)| value.truth() == Some(true));
        let name = arguments.name();
        Value::Event(self.builder().add_event(Event {
            name: name.into(),
            ids,
            src,
            dst,
            preset,
            span,
            queue: None,
        }))
    }

    pub(super) fn pipe_argument(
        &mut self,
        arguments: &Arguments<'a>,
        name: &str,
        at: usize,
    ) -> Option<Pipe> {
        match arguments.named(name, at)? {
            (Value::Pipe(pipe), _) => Some(pipe),
            (value, span) => {
                if !value.is_unknown() {
                    let message = format!("`{name}` is a Pipe, not '{}'", value.type_name());
                    self.raise(span, "TypeError", message);
                }
                None
            }
        }
    }

    pub(super) fn declare_mutex(
        &mut self,
        kind: MutexKind,
        arguments: &Arguments<'a>,
        span: Span,
    ) -> a2lint_ir::MutexId {
        // The DSL's defaults of the end pipes; both start pipes default to `S`.
        let (default_src, default_dst) = match kind {
            MutexKind::CubeToVec => (Pipe::Fix, Pipe::Mte2),
            MutexKind::VecToCube => (Pipe::Mte3, Pipe::Fix),
        };
        let integer = |name: &str, at: usize, default: Option<i64>| match arguments.named(name, at)
        {
            None => default,
            Some((value, _)) => value.as_int().map(|value| value as i64),
        };
        // The dialects name this argument differently.
        let flag_id = integer("flag_id", 0, None).or_else(|| integer("id", 0, None));
        let depth = match self.is_compiled() {
            true => self.compiled_depth(arguments, span),
            false => integer("depth", 1, Some(2)),
        };
        // The compiled dialect has no positional `depth`, so its pipes start one place earlier.
        let first_pipe = if self.is_compiled() { 1 } else { 2 };
        let defaults = [Pipe::S, Pipe::S, default_src, default_dst];
        let mut pipes = defaults;
        let mut pipe_spans = [None; 4];
        // Spans are kept for each pipe that is given: findings about a pair of pipes point at the argument.
        for (at, name) in MUTEX_PIPES.iter().enumerate() {
            pipe_spans[at] = arguments.named(name, at + first_pipe).map(|(_, span)| span);
            pipes[at] = self
                .pipe_argument(arguments, name, at + first_pipe)
                .unwrap_or(defaults[at]);
        }
        let [src_start, dst_start, src_end, dst_end] = pipes;
        let name = arguments.name();
        self.builder().add_mutex(Mutex {
            name: name.into(),
            kind,
            flag_id,
            depth,
            src_start,
            dst_start,
            src_end,
            dst_end,
            pipe_spans,
            span,
        })
    }
}

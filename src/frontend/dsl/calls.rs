//! Calls: constructors, scalar functions, contexts, methods, and helpers of the file.

use std::cell::Cell;
use std::rc::Rc;

use super::attributes::method_of;
use super::emit::{Arguments, Spanned};
use super::facade::Builtin;
use super::python::builtins;
use super::python::native::Site;
use super::tracer::{Eval, Tracer};
use super::unknown::Emission;
use super::value::{Context, Role, Running, Value, VectorExpr};
use crate::ir::{
    ArgValue, BLOCK_DIM, BinaryOp, Buffer, Event, Global, GlobalKind, GlobalView, Mutex, MutexKind,
    NoteKind, Scalar, ScalarId, ScalarType, UnaryOp, VariableKind,
};
use crate::isa::{Class, DType, Layout, Opcode, Pipe, Position};
use crate::text::Span;

/// Arguments of an event.
const EVENT: &[&str] = &["src_pipe", "dst_pipe", "preset", "name"];
/// Arguments of a mutex beside its pipes.
const MUTEX: &[&str] = &["flag_id", "id", "depth", "guards", "name"];
/// Arguments of a mutex that are pipes, in order.
const MUTEX_PIPES: [&str; 4] = [
    "src_start_pipe",
    "dst_start_pipe",
    "src_end_pipe",
    "dst_end_pipe",
];

impl<'a> Tracer<'a> {
    /// Calls what a facade has.
    pub fn builtin(
        &mut self,
        builtin: Builtin,
        arguments: Arguments<'a>,
        site: Site,
    ) -> Eval<Value<'a>> {
        let span = site.span;
        match builtin {
            Builtin::Native(native) => return (native.call)(self, &arguments, site),
            Builtin::OpExec => return Ok(op_exec(&arguments)),
            Builtin::CompileKernel => {
                self.compile_kernel(&arguments, span);
                return Ok(Value::Inert);
            }
            Builtin::KernelDecorator(dialect) => {
                return Ok(self.kernel_decorator(dialect, &arguments));
            }
            Builtin::FuncDecorator => return self.func_decorator(&arguments),
            Builtin::Var if !self.in_kernel() => {
                return Ok(arguments
                    .positional
                    .into_iter()
                    .next()
                    .map_or(Value::Int(0), |(v, _)| v));
            }
            Builtin::GlobalTensor if !self.in_kernel() => {
                return self.host_tensor(&arguments, site);
            }
            Builtin::DeviceRange => return Ok(self.device_range(&arguments, span)),
            Builtin::Unroll => return Ok(builtins::range(&arguments)),
            Builtin::AutoSync => {
                if let Some(Value::Function(function)) = arguments.at(0) {
                    return Ok(self.synchronised(function));
                }
                let mode = arguments
                    .named("mode", 0)
                    .and_then(|(value, _)| match value {
                        Value::Str(mode) => Some(mode.to_string()),
                        _ => None,
                    });
                return Ok(Value::Context(Rc::new(Context::AutoSync(mode))));
            }
            Builtin::Scope(side) => return Ok(Value::Context(Rc::new(Context::Scope(side)))),
            Builtin::Atomic(kind) => return Ok(Value::Context(Rc::new(Context::Atomic(kind)))),
            _ if !self.in_kernel() => return Ok(Value::Unknown),
            _ => {}
        }
        self.device_builtin(builtin, arguments, span, site.name)
    }

    fn device_builtin(
        &mut self,
        builtin: Builtin,
        arguments: Arguments<'a>,
        span: Span,
        name_span: Span,
    ) -> Eval<Value<'a>> {
        Ok(match builtin {
            Builtin::Instruction(opcode) => {
                if let Some(vector) = scalar_form(opcode, &arguments) {
                    return Ok(vector);
                }
                if let (Opcode::Abs, [(Value::Var(_), _)]) =
                    (opcode, arguments.positional.as_slice())
                    && self.is_compiled()
                {
                    return self.scalar_unary(UnaryOp::Abs, &arguments);
                }
                self.emit_call(opcode, None, arguments, name_span, true)?;
                Value::None
            }
            Builtin::Tensor => self.allocate(1, &arguments, span)?,
            Builtin::Ring(slots) => self.allocate(slots, &arguments, span)?,
            Builtin::Workspace => self.workspace(&arguments, span)?,
            Builtin::GlobalRing => self.global_ring(&arguments, span)?,
            Builtin::Invert => match arguments.at(0) {
                Some(value) => self.inverted(&value.clone())?,
                None => Value::Unknown,
            },
            Builtin::Rounded(op) => self.rounded(op, &arguments)?,
            Builtin::MaskByCount => {
                self.mask_by_count(&arguments, name_span)?;
                Value::None
            }
            Builtin::StaticAssert => {
                self.static_assert(&arguments, span)?;
                Value::None
            }
            Builtin::Nothing => Value::None,
            Builtin::Var => self.declare_var(&arguments, span)?,
            Builtin::Event(ids) => self.declare_event(ids, &arguments, span),
            Builtin::Mutex(_) if self.refuses(&arguments, &[MUTEX, &MUTEX_PIPES].concat()) => {
                Value::Unknown
            }
            Builtin::Mutex(kind) => Value::Mutex(self.declare_mutex(kind, &arguments, span)),
            Builtin::If | Builtin::Elif => {
                let (condition, at) = arguments
                    .positional
                    .first()
                    .cloned()
                    .unwrap_or((Value::Unknown, span));
                Value::Context(Rc::new(match builtin {
                    Builtin::If => Context::If(condition, at),
                    _ => Context::Elif(condition, at),
                }))
            }
            Builtin::Else => Value::Context(Rc::new(Context::Else)),
            Builtin::Break => {
                self.emit(crate::ir::StmtKind::Break)?;
                Value::None
            }
            Builtin::Continue => {
                self.emit(crate::ir::StmtKind::Continue)?;
                Value::None
            }
            Builtin::ScalarBinary(op) => self.scalar_binary(op, &arguments)?,
            Builtin::Align(to) => self.align(to.into(), &arguments)?,
            Builtin::ScalarUnary(op) => self.scalar_unary(op, &arguments)?,
            Builtin::Special(special) if self.is_compiled() && self.builder().program.vec_only => {
                self.vec_only_query(special)?
            }
            Builtin::Special(special) => {
                let id = self
                    .builder()
                    .program
                    .scalars
                    .intern(Scalar::Special(special));
                self.temporary(id, ScalarType::INT)?
            }
            Builtin::Maximum => self.maximum(Opcode::Vmax, Opcode::Vmaxs, &arguments, name_span),
            Builtin::Minimum => self.maximum(Opcode::Vmin, Opcode::Vmins, &arguments, name_span),
            Builtin::Reinterpret => {
                match (arguments.named("src", 0), arguments.named("dtype", 1)) {
                    (Some((Value::Local(view), _)), Some((Value::DType(dtype), _))) => {
                        self.reinterpret_call(view.clone(), dtype, span)
                    }
                    _ => Value::Unknown,
                }
            }
            Builtin::VarList | Builtin::GlobalTensor => Value::Unknown,
            _ => Value::Unknown,
        })
    }

    fn reinterpret_call(
        &mut self,
        view: Rc<crate::ir::LocalView>,
        dtype: DType,
        span: Span,
    ) -> Value<'a> {
        if let Some(fault) = self.reinterpret_fault(&view, dtype) {
            let view = Box::new(view.as_ref().clone());
            self.note(span, NoteKind::Reinterpret { view, dtype, fault });
        }
        let mut view = self.reinterpreted(&view, dtype);
        view.site = span;
        Value::Local(Rc::new(view))
    }

    pub fn device_range(&mut self, arguments: &Arguments<'a>, span: Span) -> Value<'a> {
        let zero_one = (Value::Int(0), Value::Int(1));
        let bounds = match arguments.positional.as_slice() {
            [(stop, _)] => [zero_one.0, stop.clone(), zero_one.1],
            [(start, _), (stop, _)] => [start.clone(), stop.clone(), zero_one.1],
            [(start, _), (stop, _), (step, _)] => [start.clone(), stop.clone(), step.clone()],
            _ => return Value::Unknown,
        };
        if bounds.iter().any(|bound| matches!(bound, Value::Float(_))) {
            let message = "'float' object cannot be interpreted as an integer";
            self.raise_with(
                span,
                "TypeError",
                message,
                Some("divide with // instead of /".into()),
            );
        }
        if bounds[2].as_int() == Some(0) {
            self.raise(span, "ValueError", "range() step must not be zero");
            return Value::Unknown;
        }
        Value::DeviceRange(Rc::new(bounds))
    }

    /// `Tensor`, `DBuff`, `TBuff`, `QBuff`: `(dtype, shape, position)`.
    fn allocate(&mut self, slots: u32, arguments: &Arguments<'a>, span: Span) -> Eval<Value<'a>> {
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
            self.note(shape_span, NoteKind::LocalRank { rank: dims.len() });
            return Ok(Value::Unknown);
        }
        let layout_at = if self.is_compiled() { 4 } else { usize::MAX };
        let layout = match arguments.named("layout", layout_at) {
            Some((Value::Layout(layout), _)) => layout,
            _ => Layout::Nz,
        };
        if self.is_compiled() {
            self.check_sync_depth(slots, arguments);
        }
        let static_shape = [dims[0].as_int().is_some(), dims[1].as_int().is_some()];
        let shape = [self.dimension(&dims[0])?, self.dimension(&dims[1])?];
        let is_compiled = self.is_compiled();
        let builder = self.builder();
        let nested = builder.device_depth > 0 && !is_compiled;
        let buffer = builder.add_buffer(Buffer {
            name: arguments.name(),
            dtype,
            shape,
            static_shape,
            position,
            slots,
            layout,
            span,
            nested,
        });
        if slots > 1 {
            return Ok(Value::Ring(buffer));
        }
        let zero = builder.int(0);
        Ok(Value::Local(Rc::new(builder.whole(buffer, zero, span))))
    }

    fn dimension(&mut self, value: &Value<'a>) -> Eval<ScalarId> {
        let builder = self.builder();
        let id = builder.scalar(value);
        Ok(builder.capture(id)?)
    }

    fn workspace(&mut self, arguments: &Arguments<'a>, span: Span) -> Eval<Value<'a>> {
        let dtype = match arguments.named("dtype", 0) {
            Some((Value::DType(dtype), _)) => Some(dtype),
            _ => None,
        };
        let Some((shape, at)) = arguments.named("shape", 1) else {
            return Ok(Value::Unknown);
        };
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
            name: arguments.name(),
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

    /// `Var(value=0, dtype=None)`: a scalar that the kernel may update.
    fn declare_var(&mut self, arguments: &Arguments<'a>, span: Span) -> Eval<Value<'a>> {
        let value = arguments.named("value", 0).map(|(value, _)| value);
        let value = value.filter(|value| !(self.is_compiled() && matches!(value, Value::None)));
        let is_unset = self.is_compiled() && value.is_none();
        let value = value.unwrap_or(Value::Int(0));
        let given = match arguments.named("dtype", 1) {
            Some((Value::DType(dtype), _)) => Some(ScalarType::of(dtype)),
            _ => None,
        };
        let builder = self.builder();
        let initial = builder.scalar(&value);
        let of = given.unwrap_or_else(|| builder.type_of(initial));
        let variable = builder.variable(VariableKind::Declared, &arguments.name(), of, span);
        builder.declared_in.insert(variable, builder.loops.len());
        if let Value::Var(of) = value {
            builder.program.variables[variable.index()].copy_of = Some(of);
        }
        match is_unset {
            true => {
                builder.unset.insert(variable);
            }
            false => builder.assign(variable, initial)?,
        }
        Ok(Value::Var(variable))
    }

    /// Whether a keyword is none that there is, which raises.
    fn refuses(&mut self, arguments: &Arguments<'a>, known: &[&str]) -> bool {
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

    fn declare_event(&mut self, ids: u32, arguments: &Arguments<'a>, span: Span) -> Value<'a> {
        if self.refuses(arguments, EVENT) {
            return Value::Unknown;
        }
        let src = self.pipe_argument(arguments, "src_pipe", 0);
        let dst = self.pipe_argument(arguments, "dst_pipe", 1);
        let preset = arguments.named("preset", 2);
        if let Some((value @ (Value::Int(_) | Value::Float(_)), at)) = &preset {
            let message = format!("`preset` is a bool, not '{}'", value.type_name());
            self.raise(*at, "TypeError", message);
        }
        let preset = preset.is_some_and(|(value, _)| value.truth() == Some(true));
        let name = arguments.name();
        Value::Event(self.builder().add_event(Event {
            name,
            ids,
            src,
            dst,
            preset,
            span,
        }))
    }

    fn pipe_argument(&mut self, arguments: &Arguments<'a>, name: &str, at: usize) -> Option<Pipe> {
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

    fn declare_mutex(
        &mut self,
        kind: MutexKind,
        arguments: &Arguments<'a>,
        span: Span,
    ) -> crate::ir::MutexId {
        let (default_src, default_dst) = match kind {
            MutexKind::CubeToVec => (Pipe::Fix, Pipe::Mte2),
            MutexKind::VecToCube => (Pipe::Mte3, Pipe::Fix),
        };
        let integer = |name: &str, at: usize, default: Option<i64>| match arguments.named(name, at)
        {
            None => default,
            Some((value, _)) => value.as_int().map(|value| value as i64),
        };
        let flag_id = integer("flag_id", 0, None).or_else(|| integer("id", 0, None));
        let depth = match self.is_compiled() {
            true => self.compiled_depth(arguments, span),
            false => integer("depth", 1, Some(2)),
        };
        let first_pipe = if self.is_compiled() { 1 } else { 2 };
        let defaults = [Pipe::S, Pipe::S, default_src, default_dst];
        let mut pipes = defaults;
        let mut pipe_spans = [None; 4];
        for (at, name) in MUTEX_PIPES.iter().enumerate() {
            pipe_spans[at] = arguments.named(name, at + first_pipe).map(|(_, span)| span);
            pipes[at] = self
                .pipe_argument(arguments, name, at + first_pipe)
                .unwrap_or(defaults[at]);
        }
        let [src_start, dst_start, src_end, dst_end] = pipes;
        let name = arguments.name();
        self.builder().add_mutex(Mutex {
            name,
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

    fn scalar_binary(&mut self, op: BinaryOp, arguments: &Arguments<'a>) -> Eval<Value<'a>> {
        let [a, b] = arguments.positional.as_slice() else {
            return Ok(Value::Unknown);
        };
        if op == BinaryOp::CeilDiv
            && let Some((_, at)) = [a, b].into_iter().find(|(value, _)| is_float(value))
        {
            let message = format!("{}() wants an int or a Var, not 'float'", op.symbol());
            self.raise(*at, "TypeError", message);
            return Ok(Value::Unknown);
        }
        match a.0.is_scalar() && b.0.is_scalar() {
            true if self.is_compiled() => self.folded_binary(op, &a.0, &b.0),
            true => self.device_binary(op, &a.0, &b.0),
            false => Ok(Value::Unknown),
        }
    }

    /// `Align16(value)` and the like.
    fn align(&mut self, to: i128, arguments: &Arguments<'a>) -> Eval<Value<'a>> {
        let Some((value, at)) = arguments.positional.first() else {
            return Ok(Value::Unknown);
        };
        if !value.is_scalar() {
            return Ok(Value::Unknown);
        }
        if self.builder().scalar_dtype(value) == Some(DType::Float) {
            let message = format!("Align{to}() wants an integer, not a float");
            self.raise(*at, "TypeError", message);
            return Ok(Value::Unknown);
        }
        match self.is_compiled() {
            true => self.folded_binary(BinaryOp::AlignUp, value, &Value::Int(to)),
            false => self.device_binary(BinaryOp::AlignUp, value, &Value::Int(to)),
        }
    }

    fn scalar_unary(&mut self, op: UnaryOp, arguments: &Arguments<'a>) -> Eval<Value<'a>> {
        let Some((value, span)) = arguments.positional.first() else {
            return Ok(Value::Unknown);
        };
        if !value.is_scalar() {
            return Ok(Value::Unknown);
        }
        let dtype = self.builder().scalar_dtype(value);
        if let (UnaryOp::Sqrt, Some(dtype)) = (op, dtype)
            && !dtype.is_float()
        {
            self.note(*span, NoteKind::SqrtOfInteger { dtype });
            return Ok(Value::Unknown);
        }
        if let (UnaryOp::Sqrt, Value::Var(id)) = (op, value) {
            let variables = self.builder().typed_by(*id).to_vec();
            if !variables.is_empty() {
                self.note(*span, NoteKind::SqrtOfParameters { variables });
            }
        }
        self.device_unary(op, value)
    }

    fn maximum(
        &mut self,
        tensors: Opcode,
        scalar: Opcode,
        arguments: &Arguments<'a>,
        name_span: Span,
    ) -> Value<'a> {
        let [a, b] = arguments.positional.as_slice() else {
            return Value::Unknown;
        };
        let (opcode, sources, trailing) = match (&a.0, &b.0) {
            (Value::Local(_), Value::Local(_)) => (tensors, vec![a.clone(), b.clone()], None),
            (Value::Local(_), other) if other.is_scalar() => {
                (scalar, vec![a.clone()], Some(b.clone()))
            }
            (other, Value::Local(_)) if other.is_scalar() => {
                (scalar, vec![b.clone()], Some(a.clone()))
            }
            _ => return Value::Unknown,
        };
        vector(opcode, sources, trailing, name_span)
    }

    /// Calls a method of an object that is none of Python's classes.
    pub fn method(
        &mut self,
        object: Value<'a>,
        name: &str,
        arguments: Arguments<'a>,
        site: Site,
    ) -> Eval<Value<'a>> {
        let span = site.span;
        match &object {
            Value::HostTensor(tensor) => return self.host_method(tensor, name, &arguments),
            Value::Dict(_) | Value::List(_) | Value::Tuple(_) | Value::Str(_) | Value::Set(_) => {
                return self.container_method(&object, name, &arguments, site);
            }
            Value::Instance(_) => return self.tuple_method(&object, name, arguments, site),
            _ if !self.in_kernel() => return Ok(Value::Unknown),
            _ => {}
        }
        if let Some(value) = self.tensor_method(&object, name, &arguments, site)? {
            return Ok(value);
        }
        if let Some(opcode) = method_of(&object, name) {
            return self.instruction_method(opcode, &object, arguments, span);
        }
        match (&object, name) {
            (Value::Var(variable), "set") => {
                let (value, _) = arguments
                    .named("value", 0)
                    .unwrap_or((Value::Unknown, span));
                let id = self.builder().scalar(&value);
                self.builder().assign(*variable, id)?;
            }
            _ => {
                let what = || format!("what `{name}` does is not known");
                let given = arguments.values().chain([&object]);
                self.unknown_code(span, what, given, Emission::Given)?;
            }
        }
        Ok(Value::Unknown)
    }

    /// Methods of tensors that make views or expressions.
    fn tensor_method(
        &mut self,
        object: &Value<'a>,
        name: &str,
        arguments: &Arguments<'a>,
        site: Site,
    ) -> Eval<Option<Value<'a>>> {
        let (span, receiver) = (site.span, (object.clone(), site.receiver));
        if self.is_compiled()
            && let Some(value) = self.compiled_method(object, name, arguments, span)?
        {
            return Ok(Some(value));
        }
        Ok(Some(match (object, name) {
            (Value::Local(view), "reinterpret") => match arguments.named("dtype", 0) {
                Some((Value::DType(dtype), _)) => self.reinterpret_call(view.clone(), dtype, span),
                _ => Value::Unknown,
            },
            (Value::Global(view), "reshape") => {
                let view = view.clone();
                let shape = match arguments.positional.as_slice() {
                    [(list @ (Value::List(_) | Value::Tuple(_)), at)] => self
                        .static_items(list)?
                        .unwrap_or_default()
                        .into_iter()
                        .map(|item| (item, *at))
                        .collect(),
                    items => items.to_vec(),
                };
                self.reshaped(&view, &shape, span)?
            }
            (Value::Global(view), "bind_cv_mutex" | "bind_vc_mutex") => {
                let kind = match name {
                    "bind_cv_mutex" => MutexKind::CubeToVec,
                    _ => MutexKind::VecToCube,
                };
                let global = view.global;
                let mutex = self.declare_mutex(kind, arguments, span);
                let builder = self.builder();
                let label = builder.program.global(global).name.clone();
                builder.program.mutexes[mutex.index()].name = label;
                builder.program.globals[global.index()].mutex = Some(mutex);
                Value::None
            }
            (Value::Local(_), "maximum") => {
                self.two_operand_method(receiver, Opcode::Vmax, Opcode::Vmaxs, arguments, span)
            }
            (Value::Local(_), "minimum") => {
                self.two_operand_method(receiver, Opcode::Vmin, Opcode::Vmins, arguments, span)
            }
            (Value::Local(_), _) => match Self::vector_method(name) {
                Some(opcode) => {
                    let trailing = match opcode.row().class {
                        Class::Cast => arguments.named("round_mode", 0),
                        _ => None,
                    };
                    vector(opcode, vec![receiver], trailing, span)
                }
                None => return Ok(None),
            },
            _ => return Ok(None),
        }))
    }

    fn two_operand_method(
        &mut self,
        receiver: Spanned<'a>,
        tensors: Opcode,
        scalar: Opcode,
        arguments: &Arguments<'a>,
        span: Span,
    ) -> Value<'a> {
        let mut positional = vec![receiver];
        positional.extend(arguments.positional.iter().cloned());
        let arguments = Arguments {
            positional,
            ..Arguments::default()
        };
        self.maximum(tensors, scalar, &arguments, span)
    }

    fn instruction_method(
        &mut self,
        opcode: Opcode,
        object: &Value<'a>,
        arguments: Arguments<'a>,
        span: Span,
    ) -> Eval<Value<'a>> {
        let receiver = match object {
            Value::Event(id) => ArgValue::Event(*id),
            Value::Mutex(id) => ArgValue::Mutex(*id),
            Value::Var(id) => ArgValue::Variable(*id),
            Value::Global(view) => match self.builder().program.global(view.global).mutex {
                Some(mutex) => ArgValue::Mutex(mutex),
                None => {
                    let name = self.builder().program.global(view.global).name.clone();
                    let message = format!("`{name}` has no mutex bound to it");
                    let help = format!(
                        "call `{name}.bind_cv_mutex(id)` or `{name}.bind_vc_mutex(id)` first"
                    );
                    self.raise_with(span, "ValueError", message, Some(help));
                    return Ok(Value::Unknown);
                }
            },
            _ => return Ok(Value::Unknown),
        };
        self.emit_call(opcode, Some(receiver), arguments, span, true)?;
        Ok(Value::None)
    }
}

/// `exp(x)` and the like with tensors alone are calls; nothing else makes an expression of them.
fn scalar_form<'a>(opcode: Opcode, arguments: &Arguments<'a>) -> Option<Value<'a>> {
    let only_number = match arguments.positional.as_slice() {
        [(value, _)] => value.as_float(),
        _ => None,
    }?;
    // A star import shadows Python's `abs`; on a plain number it means what Python means.
    match opcode {
        Opcode::Abs => Some(match arguments.positional[0].0 {
            Value::Int(value) => value.checked_abs().map_or(Value::Unknown, Value::Int),
            _ => Value::Float(only_number.abs()),
        }),
        _ => None,
    }
}

/// `np.float32(3)`: a number as a type has it.
pub(super) fn number_of<'a>(dtype: DType, value: Option<&Value<'a>>) -> Value<'a> {
    match (value, dtype.is_float()) {
        (Some(value), true) => value.as_float().map_or(Value::Unknown, Value::Float),
        (Some(value), false) => value.as_int().map_or(Value::Unknown, Value::Int),
        (None, _) => Value::Unknown,
    }
}

fn is_float(value: &Value) -> bool {
    matches!(value, Value::Float(_))
}

fn op_exec<'a>(arguments: &Arguments<'a>) -> Value<'a> {
    match arguments.positional.first() {
        Some((Value::Function(function), _)) if function.role == Role::Kernel => {
            let running = Running {
                block_dim: block_dim(arguments),
                seeds_outputs: match arguments.keyword("seed_outputs") {
                    Some(value) => value.truth(),
                    None => Some(false),
                },
            };
            Value::OpExec(function.clone(), running)
        }
        _ => Value::Unknown,
    }
}

/// `block_dim=…`: on how many cores a launch runs.
pub(super) fn block_dim(arguments: &Arguments) -> Option<u32> {
    let (value, _) = arguments.named(BLOCK_DIM, usize::MAX)?;
    value.as_int()?.try_into().ok()
}

fn vector<'a>(
    opcode: Opcode,
    sources: Vec<Spanned<'a>>,
    trailing: Option<Spanned<'a>>,
    op_span: Span,
) -> Value<'a> {
    Value::Vector(Rc::new(VectorExpr {
        opcode,
        sources,
        trailing,
        op_span,
        consumed: Cell::new(false),
    }))
}

impl<'a> Arguments<'a> {
    /// The argument called `name`, or the positional one at `at`.
    pub fn named(&self, name: &str, at: usize) -> Option<Spanned<'a>> {
        self.keywords
            .iter()
            .find(|(keyword, _, _)| keyword == name)
            .map(|(_, value, span)| (value.clone(), *span))
            .or_else(|| self.positional.get(at).cloned())
    }

    /// `name="…"`
    fn name(&self) -> String {
        match self.named("name", usize::MAX) {
            Some((Value::Str(name), _)) => name.to_string(),
            _ => String::new(),
        }
    }
}

//! Calls of constructors, scalar functions, contexts, methods and helpers of the file.

use std::rc::Rc;

use super::attributes::method_of;
use super::constructors::{MUTEX, MUTEX_PIPES};
use super::emit::{Arguments, Spanned};
use super::facade::Builtin;
use super::python::ambient::is_modules;
use super::python::attributes::EXCEPTION_INIT;
use super::python::builtins;
use super::python::native::Site;
use super::scalar_calls::{scalar_form, vector};
use super::scalars::PythonScalars;
use super::tracer::{Eval, Tracer};
use super::unknown::Emission;
use super::value::{Context, Role, Running, Value};
use a2lint_ir::{
    ArgValue, BLOCK_DIM, MutexKind, NoteKind, Scalar, ScalarType, SpecialScalar, UnaryOp,
};
use a2lint_isa::{Class, DType, Opcode, Operator};
use a2lint_source::text::Span;

impl<'a> Tracer<'a> {
    /// Calls a function of a DSL's package.
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
            // Host code may use a `Var` as a plain number, so it evaluates to its initial value there.
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
                // `@auto_sync` without parentheses: the only argument is the decorated function itself.
                if let Some(Value::Function(function)) = arguments.at(0) {
                    return Ok(self.synchronised(function));
                }
                return Ok(Value::Context(Rc::new(Context::AutoSync)));
            }
            Builtin::Scope(side) => return Ok(Value::Context(Rc::new(Context::Scope(side)))),
            Builtin::Atomic(kind) => return Ok(Value::Context(Rc::new(Context::Atomic(kind)))),
            // The remaining names act on the kernel that is being traced; in host code their results are unknown.
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
                // A star import shadows Python's `abs`, which still has to work on a plain number.
                if let Some(vector) = scalar_form(opcode, &arguments) {
                    return Ok(vector);
                }
                // In a compiled dialect `abs(var)` is a scalar operation. In others, the instruction rejects the
                // `Var`, which is noted.
                if let [(Value::Var(_), _)] = arguments.positional.as_slice()
                    && opcode.row().computes(Operator::Abs)
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
            // `with If(…):` is a context; the `with` statement emits the branch when its block is traced.
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
                self.emit(a2lint_ir::StmtKind::Break)?;
                Value::None
            }
            Builtin::Continue => {
                self.emit(a2lint_ir::StmtKind::Continue)?;
                Value::None
            }
            Builtin::ScalarBinary(op) => self.scalar_binary(op, &arguments)?,
            Builtin::Align(to) => self.align(to.into(), &arguments)?,
            Builtin::ScalarUnary(op) => self.scalar_unary(op, &arguments)?,
            Builtin::Special(special) if self.is_compiled() && self.builder().program.vec_only => {
                // A vec-only kernel runs on no cube core, so the number of cubes is 0. The note explains later loops
                // that run zero times.
                if special == SpecialScalar::CubeNum {
                    self.note(span, NoteKind::NoCubes);
                }
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
            Builtin::Maximum => self.maximum(Operator::Max, &arguments, name_span),
            Builtin::Minimum => self.maximum(Operator::Min, &arguments, name_span),
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
        view: Rc<a2lint_ir::LocalView>,
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
        // `range(m / n)`: Python 3 divides to a float; `range` accepts no float, also in a kernel.
        if bounds.iter().any(|bound| matches!(bound, Value::Float(_))) {
            let message = "'float' object cannot be interpreted as an integer";
            self.raise_with(
                span,
                "TypeError",
                message,
                Some("divide with // instead of /".into()),
            );
        }
        // `GetVecNum` without brackets.
        for (bound, at) in &arguments.positional {
            if matches!(bound, Value::Builtin(_) | Value::Function(_)) {
                let message = "'function' object cannot be interpreted as an integer";
                let help = format!("call it: `{}()`", self.text(*at));
                self.raise_with(*at, "TypeError", message, Some(help));
                return Value::Unknown;
            }
        }
        if bounds[2].as_int() == Some(0) {
            self.raise_zero_step(arguments, span);
            return Value::Unknown;
        }
        Value::DeviceRange(Rc::new(bounds))
    }

    fn raise_zero_step(&mut self, arguments: &Arguments<'a>, span: Span) {
        let steps = arguments.positional.get(2);
        let step = steps.map_or("", |(_, span)| self.source.slice(*span));
        // A literal 0 is a plain mistake. Only a computed 0 can come from the absent cube cores.
        if step.parse::<i64>().is_ok() || !self.asks_absent_cubes() {
            return self.raise(span, "ValueError", "range() step must not be zero");
        }
        let message = "the step of range() is 0: GetCubeNum() is 0 in a kernel of mode=\"vec\", which runs on no cube \
                       core";
        let help =
            "share the work out among the vec cores: `range(GetVecIdx(), tiles, GetVecNum())`";
        self.raise_with(span, "ValueError", message, Some(help.to_owned()));
    }

    /// Returns whether the kernel uses the number of cube cores although it runs on none.
    pub(super) fn asks_absent_cubes(&self) -> bool {
        let notes = self.kernel.as_ref().map(|builder| &builder.program.notes);
        notes.is_some_and(|notes| notes.iter().any(|note| note.kind == NoteKind::NoCubes))
    }

    /// Calls a method of an object that is not an instance of a class of the file.
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
            Value::Dict(_)
            | Value::List(_)
            | Value::Tuple(_)
            | Value::Str(_)
            | Value::Set(_)
            | Value::FrozenSet(_)
            | Value::Range(..) => {
                return self.container_method(&object, name, &arguments, site);
            }
            Value::Instance(_) if name == EXCEPTION_INIT => {
                return Ok(self.exception_init(&object, &arguments));
            }
            Value::Instance(_) => return self.tuple_method(&object, name, arguments, site),
            Value::Names(frame) => return self.method_of_names(frame, name, &arguments),
            // Methods of views and iterators change the container that they refer to (`popitem`, `send`), so it is
            // lost.
            Value::View(..) | Value::Iterator(_) => {
                self.lose(&object)?;
                return self.lost_call(&arguments);
            }
            Value::Int(_) | Value::Bool(_) | Value::Float(_) => {
                return self.number_method(&object, name, &arguments);
            }
            Value::Namespace(_) if is_modules(&object) => {
                return self.method_of_modules(name, &arguments, site);
            }
            Value::Namespace(_) => {
                // A method of `os.environ` that no table lists may change the environment.
                self.changed.lose_environment(&object);
                return self.lost_call(&arguments);
            }
            // The methods below emit statements, which only a kernel can hold.
            _ if !self.in_kernel() => return self.lost_call(&arguments),
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

    /// Evaluates methods of tensors that make views or expressions; `None` if the method is none of them.
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
                    // Both spellings are accepted: one list of extents, or the extents as arguments.
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
                // The mutex has no name of its own in the source, so it is shown under the name of the tensor.
                let label = builder.program.global(global).name.clone();
                builder.program.mutexes[mutex.index()].name = label;
                builder.program.globals[global.index()].mutex = Some(mutex);
                Value::None
            }
            (Value::Local(_), "maximum") => {
                self.two_operand_method(receiver, Operator::Max, arguments, span)
            }
            (Value::Local(_), "minimum") => {
                self.two_operand_method(receiver, Operator::Min, arguments, span)
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
        operator: Operator,
        arguments: &Arguments<'a>,
        span: Span,
    ) -> Value<'a> {
        let mut positional = vec![receiver];
        positional.extend(arguments.positional.iter().cloned());
        let arguments = Arguments {
            positional,
            ..Arguments::default()
        };
        self.maximum(operator, &arguments, span)
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

fn op_exec<'a>(arguments: &Arguments<'a>) -> Value<'a> {
    match arguments.positional.first() {
        Some((Value::Function(function), _)) if function.role == Role::Kernel => {
            let running = Running {
                block_dim: block_dim(arguments),
                seeds_outputs: match arguments.keyword("seed_outputs") {
                    // Without the argument the default is `False`; an argument that cannot be evaluated gives `None`,
                    // not the default.
                    Some(value) => value.truth(),
                    None => Some(false),
                },
            };
            Value::OpExec(function.clone(), running)
        }
        _ => Value::Unknown,
    }
}

/// Returns the number of cores that a launch asks for with `block_dim=…`; `None` if it is absent, unknown or
/// negative.
pub(super) fn block_dim(arguments: &Arguments) -> Option<u32> {
    let (value, _) = arguments.named(BLOCK_DIM, usize::MAX)?;
    value.as_int()?.try_into().ok()
}

impl<'a> Arguments<'a> {
    /// Returns the argument called `name`, or the positional one at `at`. `usize::MAX` means keyword only.
    pub fn named(&self, name: &str, at: usize) -> Option<Spanned<'a>> {
        self.keywords
            .iter()
            .find(|(keyword, _, _)| keyword == name)
            .map(|(_, value, span)| (value.clone(), *span))
            .or_else(|| self.positional.get(at).cloned())
    }

    /// Returns the text of `name="…"`, or an empty string.
    pub fn name(&self) -> String {
        match self.named("name", usize::MAX) {
            Some((Value::Str(name), _)) => name.to_string(),
            _ => String::new(),
        }
    }
}

//! One call of the API: its operands as numbers, tensors and enumerators.

use a2lint_cpp::eval::{CellId, Constant, Eval, Kind, Operand, Pointer, TemplateArg, Value};
use a2lint_cpp::library::{Call, Evaluated, Outcome};
use a2lint_cpp::syntax::NOWHERE;
use a2lint_ir::build::{Argument, Builder};
use a2lint_ir::{BinaryOp, Branch, NoteKind, ScalarId, Unprepared, VariableKind};
use a2lint_isa::{CompareMode, DType, Pipe, RoundMode, Side};
use a2lint_project::SourceMap;
use a2lint_source::text::{Slice, Span};

use super::addresses;
use super::emission::{Emission, Emitted};
use super::given::{Given, Mark};
use super::numbers;
use super::objects::{Address, Atomic, Core, Ids, Object};
use super::project::texts::{calls, places};
use super::sync::Fetched;
use super::tensors::{InGlobal, Local};
use super::types;

/// A call that is being lowered.
pub struct Cx<'e, 'u, 'c> {
    /// The evaluation.
    pub eval: &'e mut Eval<'u>,
    /// The call.
    pub call: &'e Call<'c>,
    /// The cell of [`Object::Core`].
    pub core: CellId,
    /// The texts that spans belong to.
    pub map: &'e SourceMap,
    /// The places at which buffers are initialised (`InitBuffer`).
    pub given: &'e Given,
    /// The side (cube or vec) whose code is evaluated.
    pub side: Side,
    /// The event ids that were fetched.
    pub fetched: &'e Fetched,
    /// Whether the kernel reads the accumulator register of `ReduceSum` (`GetAccVal`).
    pub reads_sum: bool,
}

/// The reason why a call cannot be lowered.
pub struct Lost {
    /// The reason, as a clause.
    pub reason: String,
    /// Whether the cause is an unknown value that the call uses, which was reported where it became unknown.
    pub is_follower: bool,
    /// An object that the call needs and that is not prepared, which the call does not change.
    pub unprepared: Option<Box<(CellId, Object)>>,
}

impl Lost {
    /// Returns the outcome for the evaluator: a failed call, or one that follows from an unknown value.
    pub fn outcome(self) -> Outcome {
        match self.is_follower {
            true => Outcome::Follows(self.reason),
            false => Outcome::Unknown(self.reason),
        }
    }
}

/// The result of lowering a call; the inner `Err` says why it cannot be lowered.
pub type Lowered<T = ()> = Evaluated<Result<T, Lost>>;

/// Returns early with a reason.
macro_rules! lost {
    ($($text:tt)*) => {
        return Ok(Err($crate::cx::Lost { reason: format!($($text)*), is_follower: false, unprepared: None }))
    };
}
pub(crate) use lost;

/// Returns early with a reason that follows from an unknown value.
macro_rules! follows {
    ($($text:tt)*) => {
        return Ok(Err($crate::cx::Lost { reason: format!($($text)*), is_follower: true, unprepared: None }))
    };
}
pub(crate) use follows;

/// Unwraps the result of a lowering, or returns its reason from the function, like `?`.
macro_rules! take {
    ($lowered:expr) => {
        match $lowered? {
            Ok(value) => value,
            Err(lost) => return Ok(Err(lost)),
        }
    };
}
pub(crate) use take;

impl<'u> Cx<'_, 'u, '_> {
    /// Returns the builder of the program.
    pub fn builder(&mut self) -> &mut Builder {
        &mut self.eval.builder
    }

    /// Returns the number of arguments.
    pub fn count(&self) -> usize {
        self.call.operands.len()
    }

    /// Returns argument `at`.
    pub fn operand(&self, at: usize) -> Option<&Operand> {
        self.call.operands.get(at)
    }

    /// Returns the place itself, or the place of the call if it is in the prelude.
    pub fn place(&self, span: Span) -> Span {
        // The prelude implements some calls in C++; findings in them belong to the call in the kernel.
        match span == NOWHERE {
            true => self.call.span,
            false => span,
        }
    }

    /// Returns the text of argument `at`.
    pub fn text(&self, at: usize) -> &str {
        self.map.text_of(self.span(at)).trim()
    }

    /// Returns the place of argument `at`.
    pub fn span(&self, at: usize) -> Span {
        let span = self.operand(at).map_or(self.call.span, |it| it.span);
        self.place(span)
    }

    /// Returns the value of argument `at`.
    pub fn value(&mut self, at: usize) -> Evaluated<Value> {
        match self.call.operands.get(at) {
            Some(operand) => self.eval.value_of(operand),
            None => Ok(Value::Unknown),
        }
    }

    /// Returns the library object in argument `at`.
    pub fn object(&mut self, at: usize) -> Evaluated<Option<Object>> {
        Ok(self.value(at)?.library::<Object>().cloned())
    }

    /// Returns argument `at` as a tensor on the chip.
    pub fn local(&mut self, at: usize) -> Lowered<Local> {
        match self.object(at)? {
            Some(Object::Local(Some(tensor))) => {
                self.ask(tensor.set)?;
                Ok(Ok(tensor))
            }
            Some(Object::Local(None)) => lost!("a tensor without memory is used"),
            _ => follows!("which tensor is meant is not known"),
        }
    }

    /// Returns argument `at` as a tensor in global memory.
    pub fn global(&mut self, at: usize) -> Lowered<InGlobal> {
        let tensor = take!(self.global_of_any_type(at));
        take!(self.has_own_type(tensor));
        Ok(Ok(tensor))
    }

    /// Refuses a tensor whose elements have another type than the parameter in global memory has in the program.
    pub fn has_own_type(&mut self, tensor: InGlobal) -> Lowered {
        let global = self.builder().program.global(tensor.global);
        if let Some(own) = global.dtype.filter(|own| *own != tensor.dtype) {
            let (name, of) = (&global.name, tensor.dtype);
            lost!("`{name}` holds elements of type {own} and of type {of}");
        }
        Ok(Ok(()))
    }

    /// Returns argument `at` as a tensor in global memory. The parameter that it lies in may have elements of another
    /// type.
    pub fn global_of_any_type(&mut self, at: usize) -> Lowered<InGlobal> {
        match self.object(at)? {
            Some(Object::Global(Some(tensor))) => {
                self.ask(tensor.set)?;
                Ok(Ok(tensor))
            }
            Some(Object::Global(None)) => {
                let (span, cell) = (self.span(at), self.operand(at).and_then(Operand::object));
                let name = name_of(self.map, span);
                Ok(Err(self.unprepared(&name, cell, Object::Global(None))))
            }
            _ => follows!("which global tensor is meant is not known"),
        }
    }

    /// Marks the path to this call as one that prepares an object, as [`prepared`].
    pub fn prepared(
        &mut self,
        cell: CellId,
        span: Span,
        object: Unprepared,
    ) -> Evaluated<Option<Mark>> {
        let name = name_of(self.map, span);
        prepared(self.eval, self.given, cell, (&name, span), object)
    }

    /// Asks, where an object is used, whether the path to this place has prepared it.
    pub fn ask(&mut self, set: Option<Mark>) -> Evaluated<()> {
        let (given, builder) = (self.given, &mut self.eval.builder);
        let Some(mark) = set.filter(|mark| !given.is_set(*mark, builder)) else {
            return Ok(());
        };
        let variable = given.set(mark, builder);
        // A branch without statements reads the variable, and nothing depends on its value.
        let asks = Branch {
            condition: builder.read(variable),
            condition_span: self.call.span,
            body: Vec::new(),
        };
        builder.branch(asks, Vec::new())?;
        Ok(())
    }

    /// Notes that a call uses an object that nothing has prepared, and returns that as the reason why it cannot be
    /// lowered.
    pub fn unprepared(&mut self, name: &str, cell: Option<CellId>, object: Object) -> Lost {
        let kind = match object {
            Object::Queue(..) => Unprepared::Queue,
            Object::Buf(..) => Unprepared::Buffer,
            _ => Unprepared::Global,
        };
        let (span, reason) = (self.call.span, kind.clause(name));
        let plain = name.split('[').next().unwrap_or(name).to_owned();
        // Another arm of a branch, or code that is evaluated later, may prepare it.
        let is_prepared = self.given.is_prepared(&plain, kind, || {
            let mut texts = self.map.texts().chain([&self.map.own]);
            texts.any(|text| prepares(text.as_str(), &plain, kind))
        });
        if is_prepared {
            return Lost {
                reason: format!("nothing known prepares `{name}` on this path"),
                is_follower: false,
                unprepared: None,
            };
        }
        let name = name.to_owned();
        let note = NoteKind::Unprepared { name, object: kind };
        self.builder().note(span, note);
        Lost {
            reason,
            is_follower: false,
            unprepared: cell.map(|cell| Box::new((cell, object))),
        }
    }

    /// Returns argument `at` as a pointer into global memory.
    pub fn address(&mut self, at: usize) -> Lowered<Address> {
        match self.object(at)? {
            Some(Object::Address(address)) => return Ok(Ok(address)),
            Some(_) => follows!("an address in global memory is not known"),
            None => {}
        }
        let value = self.value(at)?;
        match addresses::of_constants(self.eval, &value)? {
            Some(address) => Ok(Ok(address)),
            None => follows!("an address in global memory is not known"),
        }
    }

    /// Returns argument `at` as a number.
    pub fn number(&mut self, at: usize) -> Lowered<ScalarId> {
        let value = self.value(at)?;
        Ok(self.scalar_of(&value))
    }

    /// Returns the scalar of a value that is a number.
    pub fn scalar_of(&mut self, value: &Value) -> Result<ScalarId, Lost> {
        match value {
            Value::Int(..) | Value::Float(..) => Ok(self.eval.scalar(value)),
            _ => Err(Lost {
                reason: "a number is not known".to_owned(),
                is_follower: true,
                unprepared: None,
            }),
        }
    }

    /// Returns argument `at` as an integer that is known at compile time.
    pub fn known(&mut self, at: usize) -> Lowered<i64> {
        let value = self.value(at)?;
        let known = value.known_int().and_then(|it| i64::try_from(it).ok());
        match known {
            Some(value) => Ok(Ok(value)),
            None if value.is_unknown() => follows!("a number is not known"),
            None => lost!("a number has to be known when the kernel is compiled"),
        }
    }

    /// Returns the number in a member of the parameter struct in argument `at`.
    pub fn field(&mut self, at: usize, name: &str) -> Lowered<ScalarId> {
        let value = self.field_value(at, name)?;
        Ok(self.scalar_of(&value))
    }

    /// Returns the value of a member of the parameter struct in argument `at`. Some members have two names, of which
    /// the source uses one.
    pub fn field_value(&mut self, at: usize, name: &str) -> Evaluated<Value> {
        let Some(operand) = self.call.operands.get(at).cloned() else {
            return Ok(Value::Unknown);
        };
        // `DataCopyParams` has both pairs of names, since the name depends on the version of the toolchain.
        let other = match name {
            "srcStride" => Some("srcGap"),
            "dstStride" => Some("dstGap"),
            _ => None,
        };
        let mut found = Value::Unknown;
        for name in [Some(name), other].into_iter().flatten() {
            let Some(member) = self.eval.member_cell(&operand, name)? else {
                continue;
            };
            let value = self.eval.read(member)?;
            match (found.known_int(), value.known_int()) {
                // A name that the source does not use is 0; the other name has the value.
                (_, Some(0)) if !found.is_unknown() => {}
                (Some(0), _) => found = value,
                _ if found.is_unknown() => found = value,
                // Both are written.
                _ => return Ok(Value::Unknown),
            }
        }
        Ok(found)
    }

    /// Returns the elements of an array member of the parameter struct in argument `at`; `None` for unknown elements.
    pub fn elements(&mut self, at: usize, name: &str) -> Evaluated<Vec<Option<i128>>> {
        let Some(operand) = self.call.operands.get(at).cloned() else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for (part, array) in self.eval.parts(&operand)? {
            if part.strip_prefix('.') != Some(name) {
                continue;
            }
            for (_, element) in self.eval.parts(&array)? {
                found.push(self.eval.value_of(&element)?.known_int());
            }
        }
        Ok(found)
    }

    /// Returns whether argument `at` is a pointer or an array, such as a mask of two words.
    pub fn is_array(&self, at: usize) -> bool {
        self.operand(at)
            .is_some_and(|it| matches!(it.ty.kind, Kind::Pointer(..) | Kind::Array(..)))
    }

    /// Returns whether argument `at` is an object of this class of the prelude.
    pub fn is_class(&self, at: usize, name: &str) -> bool {
        let class = self.operand(at).and_then(|it| self.eval.name_of(&it.ty));
        class.is_some_and(|(class, _)| &*class == name)
    }

    /// Returns template argument `at` as an integer.
    pub fn template_int(&self, at: usize) -> Option<i64> {
        match self.call.template.get(at)? {
            TemplateArg::Value(_, Constant::Int(value)) => i64::try_from(*value).ok(),
            _ => None,
        }
    }

    /// Returns template argument `at` as an element type.
    pub fn template_dtype(&self, at: usize) -> Option<DType> {
        match self.call.template.get(at)? {
            TemplateArg::Type(ty) => types::dtype(ty),
            _ => None,
        }
    }

    /// Returns the modelled registers of the core: mask, atomic mode and others.
    pub fn core(&mut self) -> Evaluated<Core> {
        let value = self.eval.read(self.core)?;
        Ok(match value.library::<Object>() {
            Some(Object::Core(core)) => core.clone(),
            _ => {
                // Until a call sets the registers, the mask is unknown. The first place says so for all.
                let what = "paths differ in registers of the core, as the mode of the mask";
                let builder = &mut self.eval.builder;
                let mut known = builder.program.unknown.iter();
                if !known.any(|known| known.what == what) {
                    builder.note_unknown(self.call.span, what.to_owned());
                }
                Core {
                    mask: super::objects::Mask::Unknown,
                    register: super::objects::Mask::Unknown,
                    ..Core::default()
                }
            }
        })
    }

    /// Returns the atomic operation of stores (`SetAtomicAdd`); `None` if they overwrite.
    pub fn atomic(&mut self) -> Lowered<Option<Atomic>> {
        if let Some(cell) = self.core()?.stores {
            let value = self.eval.read(cell)?;
            if let Some(Object::Stores(atomic)) = value.library::<Object>() {
                return Ok(Ok(*atomic));
            }
        }
        lost!("whether a store is atomic differs between the paths that lead here")
    }

    /// Sets the atomic operation of stores; `None` lets them overwrite.
    pub fn set_atomic(&mut self, atomic: Option<Atomic>) -> Lowered {
        self.given.sets_atomic(atomic.is_some(), &self.eval.builder);
        match self.core()?.stores {
            Some(cell) => self.eval.write(cell, Object::Stores(atomic).value())?,
            None => lost!("the registers of the core are not known"),
        }
        Ok(Ok(()))
    }

    /// Returns the current `TPipe`; `None` if there is none, or paths differ in it.
    pub fn current_pipe(&mut self) -> Evaluated<Option<CellId>> {
        let Some(cell) = self.core()?.pipe else {
            return Ok(None);
        };
        Ok(match self.eval.read(cell)? {
            Value::Pointer(Pointer::To(pipe)) => Some(pipe),
            _ => None,
        })
    }

    /// Sets the current `TPipe`.
    pub fn set_current_pipe(&mut self, pipe: Option<CellId>) -> Evaluated<()> {
        match (self.core()?.pipe, pipe) {
            (Some(cell), Some(pipe)) => self.eval.write(cell, Value::Pointer(Pointer::To(pipe))),
            (Some(cell), None) => self.eval.write(cell, Value::Null),
            (None, _) => Ok(()),
        }
    }

    /// Converts a number of bytes, such as an address, to elements of a type. The program checks that it is a multiple
    /// where that depends on the launch.
    pub fn of_bytes(&mut self, what: &str, bytes: ScalarId, dtype: DType) -> Lowered<ScalarId> {
        let size = dtype.bytes_of(1).max(1);
        match numbers::remainder_of(self.builder(), bytes, size) {
            Some(0) => {}
            Some(rest) => {
                lost!("{what} is no multiple of the {size} bytes of {dtype}: {rest} too many")
            }
            None => self.check_multiple(bytes, size)?,
        }
        Ok(Ok(numbers::of_bytes(self.builder(), bytes, dtype)))
    }

    /// Emits a check that a number of bytes is a multiple of the size of an element.
    fn check_multiple(&mut self, bytes: ScalarId, size: i64) -> Evaluated<()> {
        let span = self.call.span;
        let builder = self.builder();
        let of = builder.type_of(bytes);
        let scalars = &mut builder.program.scalars;
        let size = scalars.int(size);
        let checked = scalars.binary_as(of, BinaryOp::Multiple, bytes, size);
        if scalars.as_int(checked).is_none() {
            let variable = builder.variable(VariableKind::Temporary, "", of, span);
            builder.assign(variable, checked)?;
        }
        Ok(())
    }

    /// Returns the event ids that are taken.
    pub fn taken_ids(&mut self) -> Lowered<Ids> {
        if let Some(cell) = self.core()?.taken {
            let value = self.eval.read(cell)?;
            if let Some(Object::Ids(Some(taken))) = value.library::<Object>() {
                return Ok(Ok(*taken));
            }
        }
        lost!("which event ids are free differs between the paths that lead here")
    }

    /// Sets the event ids that are taken; `None` makes them unknown.
    pub fn set_taken_ids(&mut self, taken: Option<Ids>) -> Evaluated<()> {
        match self.core()?.taken {
            Some(cell) => self.eval.write(cell, Object::Ids(taken).value()),
            None => Ok(()),
        }
    }

    /// Takes the ids that the buffers of a queue of depth 0 have for good, in both directions.
    pub fn keep_ids(&mut self, pairs: [(Pipe, Pipe); 2], slots: u32) -> Evaluated<()> {
        // Unknown ids stay unknown.
        let Ok(mut taken) = self.taken_ids()? else {
            return Ok(());
        };
        for (number, ids) in (0..).zip(&mut taken) {
            if types::event(number).is_some_and(|pair| pairs.contains(&pair)) {
                for _ in 0..slots {
                    // The lowest free one, if there is any.
                    *ids |= ids.wrapping_add(1);
                }
            }
        }
        self.set_taken_ids(Some(taken))
    }

    /// Returns the value of a register of the core; `None` if the value is unknown.
    pub fn register(&mut self, register: Option<CellId>) -> Evaluated<Option<ScalarId>> {
        let Some(cell) = register else {
            return Ok(None);
        };
        let value = self.eval.read(cell)?;
        Ok(match value.library::<Object>() {
            Some(Object::Register(number)) => *number,
            _ => None,
        })
    }

    /// Sets the value of a register of the core; `None` makes the value unknown.
    pub fn set_number(&mut self, register: Option<CellId>, number: Option<ScalarId>) -> Lowered {
        match register {
            Some(cell) => self.eval.write(cell, Object::Register(number).value())?,
            None => lost!("the registers of the core are not known"),
        }
        Ok(Ok(()))
    }

    /// Changes the registers of the core.
    pub fn set_core(&mut self, core: Core) -> Evaluated<()> {
        self.eval.write(self.core, Object::Core(core).value())
    }

    /// Puts an instruction into the program.
    pub fn emit(&mut self, emission: Emission) -> Lowered {
        match emission.emit(&mut self.eval.builder)? {
            Emitted::Done => Ok(Ok(())),
            Emitted::Misfit => lost!("`{}` takes no operands in these memories", self.call.name),
        }
    }

    /// Creates an instruction at the name of the call.
    pub fn instruction(&self, opcode: a2lint_isa::Opcode) -> Emission {
        Emission::of(opcode, self.call.name_span).called(self.call.name)
    }

    /// Converts the result of a lowering for the evaluator. A call that was not lowered makes everything that it may
    /// write unknown.
    pub fn outcome(&mut self, lowered: Lowered<Option<Operand>>) -> Evaluated<Outcome> {
        Ok(match lowered? {
            Ok(Some(result)) => Outcome::Done(result),
            Ok(None) => Outcome::Done(Operand::void(self.call.span)),
            Err(Lost {
                reason,
                unprepared: Some(unprepared),
                ..
            }) => {
                let (cell, object) = *unprepared;
                let (operands, span) = (self.call.operands, self.call.span);
                let result = self.eval.unknown_call(&reason, None, operands, span)?;
                // Unknown code might prepare the object; this call does not.
                self.eval.write(cell, object.value())?;
                Outcome::Done(result)
            }
            Err(lost) => lost.outcome(),
        })
    }

    /// Returns argument `at` as the scalar operand of an instruction.
    pub fn argument(&mut self, at: usize) -> Lowered<Argument> {
        let id = take!(self.number(at));
        Ok(Ok(Argument::Scalar(id)))
    }

    /// Returns argument `at` as a rounding mode.
    pub fn round(&mut self, at: usize) -> Lowered<RoundMode> {
        const MODES: [RoundMode; 7] = [
            RoundMode::None,
            RoundMode::ToEven,
            RoundMode::Floor,
            RoundMode::Ceil,
            RoundMode::AwayFromZero,
            RoundMode::Trunc,
            RoundMode::Odd,
        ];
        let at = take!(self.known(at));
        match usize::try_from(at).ok().and_then(|at| MODES.get(at)) {
            Some(mode) => Ok(Ok(*mode)),
            None => lost!("there is no such round mode"),
        }
    }

    /// Returns argument `at` as a comparison.
    pub fn compare(&mut self, at: usize) -> Lowered<CompareMode> {
        const MODES: [CompareMode; 6] = [
            CompareMode::Lt,
            CompareMode::Gt,
            CompareMode::Eq,
            CompareMode::Le,
            CompareMode::Ge,
            CompareMode::Ne,
        ];
        let at = take!(self.known(at));
        match usize::try_from(at).ok().and_then(|at| MODES.get(at)) {
            Some(mode) => Ok(Ok(*mode)),
            None => lost!("there is no such comparison"),
        }
    }

    /// Returns the pipe with this number in the prelude.
    pub fn pipe(number: i64) -> Option<Pipe> {
        Some(match number {
            0 => Pipe::S,
            1 => Pipe::V,
            2 => Pipe::M,
            3 => Pipe::Mte1,
            4 => Pipe::Mte2,
            5 => Pipe::Mte3,
            6 => Pipe::All,
            10 => Pipe::Fix,
            _ => return None,
        })
    }
}

/// Marks the path to this place as one that prepares an object. Returns `None` if every path does.
pub fn prepared(
    eval: &mut Eval<'_>,
    given: &Given,
    cell: CellId,
    named: (&str, Span),
    object: Unprepared,
) -> Evaluated<Option<Mark>> {
    if eval.builder.device_path().is_empty() {
        return Ok(None);
    }
    let value = eval.read(cell)?;
    let is_new = match value.library::<Object>() {
        Some(Object::Global(Some(tensor))) => tensor.set.is_some(),
        Some(Object::Local(Some(tensor))) => tensor.set.is_some(),
        Some(Object::Buf(_, Some(memory))) => memory.set.is_some(),
        Some(Object::Queue(_, Some(queue))) => queue.set.is_some(),
        object => object.is_some(),
    };
    // If every path to this place has prepared the object already, preparing it again changes nothing.
    if !is_new {
        return Ok(None);
    }
    let mark = given.mark(cell, named, object);
    let variable = given.set(mark, &mut eval.builder);
    let one = eval.builder.int(1);
    eval.builder.assign(variable, one)?;
    Ok(Some(mark))
}

/// Returns whether a text has a call that prepares an object of this name. A call in a comment counts, too.
fn prepares(text: &str, name: &str, kind: Unprepared) -> bool {
    match kind {
        // Any call that it is passed to may assign it.
        Unprepared::Local => true,
        Unprepared::Queue | Unprepared::Buffer => calls(text, "InitBuffer").any(|arguments| {
            let first = arguments.first();
            first.is_some_and(|first| places(first, name).next().is_some())
        }),
        Unprepared::Global => places(text, name).any(|at| {
            let rest = text.part(at + name.len()..).trim_start();
            let rest = match rest.starts_with('[') {
                true => rest.find(']').map_or("", |end| rest.part(end + 1..)),
                false => rest,
            };
            let method = rest.trim_start_matches(['.', '-', '>', ' ', ']']);
            method.starts_with("SetGlobalBuffer")
        }),
    }
}

/// Returns the last name in the text of an operand, with its index: `inQueueX[0]` of `this->inQueueX[0]`.
pub fn name_of(map: &SourceMap, span: Span) -> String {
    let text = map.text_of(span);
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let text = text.trim_end_matches(|c: char| !is_part(c) && c != ']');
    let (text, index) = match text.rfind('[') {
        Some(at) if text.ends_with(']') => (&text.as_bytes()[..at], &text.as_bytes()[at..]),
        _ => (text.as_bytes(), &b""[..]),
    };
    let (text, index) = (
        String::from_utf8_lossy(text),
        String::from_utf8_lossy(index),
    );
    let name = text.rsplit(|c: char| !is_part(c)).next().unwrap_or("");
    format!("{name}{index}")
}

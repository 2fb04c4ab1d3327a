//! Defines instructions with resolved arguments.

use super::{
    BufferId, DisplayName, EventId, LocalView, MutexId, Program, ScalarId, Scalars, Toolchain,
    VariableId, View,
};
use a2lint_isa::{
    self as isa, BLOCK_BYTES, Class, CompareMode, DType, DefaultValue, Instruction, Opcode,
    ParamKind, Pipe, RoundMode, SelectMode, Walk,
};
use a2lint_source::text::Span;

/// One instruction. `args` is parallel to the parameters of its row: arguments that the call leaves out have
/// been inferred or set to defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct Instr {
    /// The opcode of the instruction.
    pub opcode: Opcode,
    /// Arguments, one for each parameter of the row.
    pub args: Vec<Arg>,
    /// The place of the instruction's name (of the operator in a `<<=` or expression form).
    pub name_span: Span,
    /// Whether it was written as a call of its own name rather than through `<<=`.
    pub explicit: bool,
    /// The function that the source calls, where several functions share one row.
    pub called: Option<DisplayName>,
    /// The number of elements that the source asks for, where the instruction works on whole blocks or repeats alone
    /// and leaves out the others.
    pub asked: Option<ScalarId>,
}

/// One argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// The value of the argument.
    pub value: ArgValue,
    /// The origin of the value.
    pub source: ArgSource,
}

/// The origin of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgSource {
    /// Written in the source at this place.
    Given(Span),
    /// Inferred from operands.
    Inferred,
    /// The parameter's default.
    Default,
}

/// The value of an argument.
#[derive(Clone, Debug, PartialEq)]
pub enum ArgValue {
    /// Absent (an optional parameter).
    None,
    /// A view.
    View(Box<View>),
    /// A scalar.
    Scalar(ScalarId),
    /// A truth value.
    Bool(bool),
    /// A round mode.
    Round(RoundMode),
    /// A comparison.
    Compare(CompareMode),
    /// A select mode.
    Select(SelectMode),
    /// A pipe.
    Pipe(Pipe),
    /// An event.
    Event(EventId),
    /// A mutex.
    Mutex(MutexId),
    /// A variable (receiver of `GetValueFrom` and `SetValueTo`).
    Variable(VariableId),
    /// Something that could not be evaluated.
    Unknown,
}

impl Arg {
    /// Returns the place it was written at, if it was written.
    pub fn span(&self) -> Option<Span> {
        match self.source {
            ArgSource::Given(span) => Some(span),
            _ => None,
        }
    }

    /// Returns the variable, if the argument is one.
    pub fn variable(&self) -> Option<VariableId> {
        match self.value {
            ArgValue::Variable(id) => Some(id),
            _ => None,
        }
    }
}

impl Instr {
    /// Returns the row in the instruction table.
    pub fn row(&self) -> &'static Instruction {
        self.opcode.row()
    }

    /// Returns the argument of the parameter of this kind.
    pub fn arg(&self, kind: ParamKind) -> Option<&Arg> {
        self.args.get(self.row().index_of(kind)?)
    }

    /// Returns the argument of the parameter called `name`.
    pub fn named(&self, name: &str) -> Option<&Arg> {
        self.args.get(self.row().index_named(name)?)
    }

    /// Returns whether a load specifies the fill value of the last block of each row. Copies of an element of the row
    /// are no value of their own: a result that includes them is wrong.
    pub fn fills_rows(&self) -> bool {
        let value = self.named("pad").map(|arg| &arg.value);
        value.is_some_and(|value| *value != ArgValue::None)
    }

    /// Returns the scalar given for a parameter kind.
    pub fn scalar(&self, kind: ParamKind) -> Option<ScalarId> {
        self.arg(kind)?.value.scalar()
    }

    /// Returns the scalar given for the parameter called `name`.
    pub fn scalar_named(&self, name: &str) -> Option<ScalarId> {
        self.named(name)?.value.scalar()
    }

    /// Returns the value of the flag called `name`, if it is constant.
    pub fn flag_named(&self, program: &Program, name: &str) -> Option<bool> {
        match self.named(name)?.value {
            ArgValue::Bool(flag) => Some(flag),
            ArgValue::Scalar(id) => program.scalars.as_int(id).map(|flag| flag != 0),
            _ => None,
        }
    }

    /// Returns the view given for the parameter at `index`.
    pub fn view(&self, index: usize) -> Option<&View> {
        match &self.args.get(index)?.value {
            ArgValue::View(view) => Some(view),
            _ => None,
        }
    }

    /// Returns the local view given for the parameter at `index`.
    pub fn local(&self, index: usize) -> Option<&LocalView> {
        self.view(index)?.local()
    }

    /// Returns the object that the instruction is a method of: an event, a mutex or a variable.
    pub fn receiver(&self) -> Option<&ArgValue> {
        self.row().receiver?;
        Some(&self.arg(ParamKind::Receiver)?.value)
    }

    /// Returns the variable that the instruction is a method of.
    pub fn variable(&self) -> Option<VariableId> {
        match self.receiver()? {
            ArgValue::Variable(id) => Some(*id),
            _ => None,
        }
    }

    /// Returns the variable that the instruction loads from memory.
    pub fn reads_into(&self) -> Option<VariableId> {
        match self.row().reads_scalar() {
            true => self.variable(),
            false => None,
        }
    }

    /// Returns the event that the instruction is a method of.
    pub fn event(&self) -> Option<EventId> {
        match self.receiver()? {
            ArgValue::Event(id) => Some(*id),
            _ => None,
        }
    }

    /// Returns the mutex that the instruction is a method of.
    pub fn mutex(&self) -> Option<MutexId> {
        match self.receiver()? {
            ArgValue::Mutex(id) => Some(*id),
            _ => None,
        }
    }

    /// Returns the pipe given for the parameter at `index`.
    pub fn pipe_at(&self, index: usize) -> Option<Pipe> {
        match self.args.get(index)?.value {
            ArgValue::Pipe(pipe) => Some(pipe),
            _ => None,
        }
    }

    /// Returns the tensor operands that are present: parameter index, description and view.
    pub fn operands(&self) -> impl Iterator<Item = (usize, &'static isa::Operand, &View)> {
        self.row()
            .operands()
            .filter_map(|(index, operand)| Some((index, operand, self.view(index)?)))
    }

    /// Returns whether all tensors of the instruction are in global memory: it is a product of a Matmul object, which
    /// a core asks for and another unit computes.
    pub fn is_between_globals(&self) -> bool {
        let mut operands = self.operands().peekable();
        operands.peek().is_some() && operands.all(|(.., view)| view.global().is_some())
    }

    /// Returns whether the instruction writes to an on-chip buffer.
    pub fn writes(&self, buffer: BufferId) -> bool {
        self.operands().any(|(_, operand, view)| {
            let is_it = view.local().is_some_and(|view| view.buffer == buffer);
            is_it && operand.access.writes()
        })
    }

    /// Returns whether other lanes may notice the instruction: it stores to global memory, or signals or awaits a lane.
    pub fn concerns_others(&self) -> bool {
        let meets = matches!(self.row().class, Class::CrossFlag | Class::Mutex);
        let mut operands = self.operands();
        meets
            || operands.any(|(_, operand, view)| view.global().is_some() && operand.access.writes())
    }

    /// Returns whether the instruction reads only the first element of the operand at `index`: the second
    /// source of a `select` in TENSOR_SCALAR mode.
    pub fn reads_one_element(&self, index: usize) -> bool {
        let scalar_mode = matches!(
            self.arg(ParamKind::Select).map(|arg| &arg.value),
            Some(ArgValue::Select(SelectMode::TensorScalar))
        );
        scalar_mode
            && self
                .row()
                .param(index)
                .is_some_and(|param| matches!(param.kind, ParamKind::OperandOrValue(_)))
    }

    /// Returns the alignment of the start of an operand in UB, in bytes; `None` where any element is a legal
    /// start.
    ///
    /// Reductions to one element and packed bits start anywhere; an operand of which eight elements are read
    /// at a time starts on a multiple of eight elements.
    ///
    /// Some toolchains demand a multiple of 32 bytes everywhere.
    pub fn start_granule(&self, toolchain: &Toolchain, index: usize, dtype: DType) -> Option<i64> {
        let row = self.row();
        let moves = row.class == Class::Move;
        if !(row.is_vector() || moves) || row.class == Class::Mask {
            return None;
        }
        let (_, operand) = row.operands().find(|&(at, _)| at == index)?;
        if toolchain.memory.starts_on_blocks && row.is_vector() {
            return Some(BLOCK_BYTES);
        }
        match operand.walk {
            Walk::PackedBits | Walk::RepeatResult | Walk::First | Walk::Total | Walk::Whole => None,
            Walk::IndexedResult | Walk::IndexedTotal => Some(dtype.bytes_of(2)),
            Walk::BlockResults | Walk::BroadcastSource => Some(dtype.bytes_of(8)),
            // The sources of a merge are records of 8 bytes; only its destination has to start on a block.
            Walk::Merge4 | Walk::Merge2 | Walk::MergeQueues if index > 0 => Some(8),
            Walk::Lanes if self.reads_one_element(index) => None,
            _ => Some(BLOCK_BYTES),
        }
    }

    /// Returns whether the instruction is called with `count=` or `count_per_rep=`.
    pub fn is_counted(&self) -> bool {
        let is_count = |kind| matches!(kind, ParamKind::Count | ParamKind::CountPerRepeat);
        self.row()
            .params()
            .zip(&self.args)
            .any(|(param, arg)| is_count(param.kind) && arg.value.scalar().is_some())
    }

    /// Returns the pipe that the instruction is issued to; `None` where it is not known.
    pub fn pipe(&self) -> Option<Pipe> {
        self.row()
            .unit
            .pipe()
            .or_else(|| match self.arg(ParamKind::Pipe)?.value {
                ArgValue::Pipe(pipe) => Some(pipe),
                _ => None,
            })
    }
}

impl ArgValue {
    /// Returns the value of a default; [`ArgValue::None`] for an argument that is required or inferred.
    pub fn of_default(default: DefaultValue, scalars: &mut Scalars) -> ArgValue {
        match default {
            DefaultValue::Required | DefaultValue::Inferred | DefaultValue::None => ArgValue::None,
            DefaultValue::Int(value) => ArgValue::Scalar(scalars.int(value)),
            DefaultValue::Bool(value) => ArgValue::Bool(value),
            DefaultValue::Round(mode) => ArgValue::Round(mode),
            DefaultValue::Pipe(pipe) => ArgValue::Pipe(pipe),
        }
    }

    /// Returns the scalar, if it is one.
    pub fn scalar(&self) -> Option<ScalarId> {
        match self {
            ArgValue::Scalar(id) => Some(*id),
            _ => None,
        }
    }
}

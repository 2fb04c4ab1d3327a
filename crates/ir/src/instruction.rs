//! Instructions with resolved arguments.

use super::{
    BufferId, EventId, LocalView, MutexId, ScalarId, Scalars, Toolchain, VariableId, View,
};
use a2lint_isa::{
    self as isa, BLOCK_BYTES, Class, CompareMode, DType, DefaultValue, Instruction, Opcode,
    ParamKind, Pipe, RoundMode, SelectMode, Walk,
};
use a2lint_source::text::Span;

/// One instruction. `args` stands parallel to the parameters of its row: what the call left out
/// has been inferred or filled from defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct Instr {
    /// Which instruction.
    pub opcode: Opcode,
    /// Arguments, one for each parameter of the row.
    pub args: Vec<Arg>,
    /// Where the name of the instruction stands (the operator of a `<<=` or expression form).
    pub name_span: Span,
    /// Whether it was written as a call of its own name rather than through `<<=`.
    pub explicit: bool,
}

/// One argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// Its value.
    pub value: ArgValue,
    /// Where it came from.
    pub source: ArgSource,
}

/// Where an argument came from.
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
    /// The place it was written at, if it was written.
    pub fn span(&self) -> Option<Span> {
        match self.source {
            ArgSource::Given(span) => Some(span),
            _ => None,
        }
    }

    /// The variable that it is.
    pub fn variable(&self) -> Option<VariableId> {
        match self.value {
            ArgValue::Variable(id) => Some(id),
            _ => None,
        }
    }
}

impl Instr {
    /// Its row in the instruction table.
    pub fn row(&self) -> &'static Instruction {
        self.opcode.row()
    }

    /// The argument of the parameter of this kind.
    pub fn arg(&self, kind: ParamKind) -> Option<&Arg> {
        self.args.get(self.row().index_of(kind)?)
    }

    /// The argument of the parameter called `name`.
    pub fn named(&self, name: &str) -> Option<&Arg> {
        self.args.get(self.row().index_named(name)?)
    }

    /// The scalar given for a parameter kind.
    pub fn scalar(&self, kind: ParamKind) -> Option<ScalarId> {
        self.arg(kind)?.value.scalar()
    }

    /// The scalar given for the parameter called `name`.
    pub fn scalar_named(&self, name: &str) -> Option<ScalarId> {
        self.named(name)?.value.scalar()
    }

    /// The view given for the parameter at `index`.
    pub fn view(&self, index: usize) -> Option<&View> {
        match &self.args.get(index)?.value {
            ArgValue::View(view) => Some(view),
            _ => None,
        }
    }

    /// The local view given for the parameter at `index`.
    pub fn local(&self, index: usize) -> Option<&LocalView> {
        self.view(index)?.local()
    }

    /// What it is a method of: an event, a mutex or a variable.
    pub fn receiver(&self) -> Option<&ArgValue> {
        self.row().receiver?;
        Some(&self.arg(ParamKind::Receiver)?.value)
    }

    /// The variable that it is a method of.
    pub fn variable(&self) -> Option<VariableId> {
        match self.receiver()? {
            ArgValue::Variable(id) => Some(*id),
            _ => None,
        }
    }

    /// The variable that it reads memory into.
    pub fn reads_into(&self) -> Option<VariableId> {
        match self.row().reads_scalar() {
            true => self.variable(),
            false => None,
        }
    }

    /// The event that it is a method of.
    pub fn event(&self) -> Option<EventId> {
        match self.receiver()? {
            ArgValue::Event(id) => Some(*id),
            _ => None,
        }
    }

    /// The mutex that it is a method of.
    pub fn mutex(&self) -> Option<MutexId> {
        match self.receiver()? {
            ArgValue::Mutex(id) => Some(*id),
            _ => None,
        }
    }

    /// The pipe given for the parameter at `index`.
    pub fn pipe_at(&self, index: usize) -> Option<Pipe> {
        match self.args.get(index)?.value {
            ArgValue::Pipe(pipe) => Some(pipe),
            _ => None,
        }
    }

    /// Tensor operands that are present: parameter index, description and view.
    pub fn operands(&self) -> impl Iterator<Item = (usize, &'static isa::Operand, &View)> {
        self.row()
            .operands()
            .filter_map(|(index, operand)| Some((index, operand, self.view(index)?)))
    }

    /// Whether it writes to an on-chip buffer.
    pub fn writes(&self, buffer: BufferId) -> bool {
        self.operands().any(|(_, operand, view)| {
            let is_it = view.local().is_some_and(|view| view.buffer == buffer);
            is_it && operand.access.writes()
        })
    }

    /// Whether only the first element of the operand at `index` counts: the fallback of a
    /// `select` in TENSOR_SCALAR mode.
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

    /// Bytes from one legal start of an operand in UB to the next; `None` where any element will do.
    ///
    /// Reductions to one element and packed bits start anywhere; what is consumed eight elements at
    /// a time starts on eight elements.
    ///
    /// Some toolchains ask for whole blocks everywhere.
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
            Walk::Merge4 | Walk::Merge2 if index > 0 => Some(8),
            Walk::Lanes if self.reads_one_element(index) => None,
            _ => Some(BLOCK_BYTES),
        }
    }

    /// Whether it is called with `count=` or `count_per_rep=`.
    pub fn is_counted(&self) -> bool {
        let is_count = |kind| matches!(kind, ParamKind::Count | ParamKind::CountPerRepeat);
        self.row()
            .params()
            .zip(&self.args)
            .any(|(param, arg)| is_count(param.kind) && arg.value.scalar().is_some())
    }

    /// The pipe it is issued to, where that is known.
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
    /// What stands where nothing is given: nothing for what has to be given or is inferred.
    pub fn of_default(default: DefaultValue, scalars: &mut Scalars) -> ArgValue {
        match default {
            DefaultValue::Required | DefaultValue::Inferred | DefaultValue::None => ArgValue::None,
            DefaultValue::Int(value) => ArgValue::Scalar(scalars.int(value)),
            DefaultValue::Bool(value) => ArgValue::Bool(value),
            DefaultValue::Round(mode) => ArgValue::Round(mode),
            DefaultValue::Pipe(pipe) => ArgValue::Pipe(pipe),
        }
    }

    /// The scalar, if it is one.
    pub fn scalar(&self) -> Option<ScalarId> {
        match self {
            ArgValue::Scalar(id) => Some(*id),
            _ => None,
        }
    }
}

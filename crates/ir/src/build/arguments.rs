//! Binds the arguments of instructions to parameters and reports those that do not fit.

use super::builder::{Builder, TooLarge};
use crate::{Arg, ArgSource, ArgValue, Instr, Number, ScalarId, VariableId, View};
use a2lint_isa::{
    CompareMode, DefaultValue, Opcode, Operand, Param, ParamKind, Pipe, Place, RoundMode,
    SelectMode, Signature,
};
use a2lint_source::text::Span;

/// An argument, as a front end hands it over.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// The source passes an explicit "none": the parameter takes its default.
    Omitted,
    /// An argument that could not be evaluated.
    Unknown,
    /// A number that is known when the kernel is compiled.
    Number(Number),
    /// The value of a variable.
    Variable(VariableId),
    /// An expression that the device computes.
    Scalar(ScalarId),
    /// A view.
    View(Box<View>),
    /// A round mode.
    Round(RoundMode),
    /// A comparison.
    Compare(CompareMode),
    /// A select mode.
    Select(SelectMode),
    /// A pipe.
    Pipe(Pipe),
    /// A value that no parameter accepts.
    Other,
}

/// A call of an instruction, with an argument for each parameter of its row that is given one.
pub struct Call {
    /// The opcode of the instruction.
    pub opcode: Opcode,
    /// The signature of the instruction in the language of the kernel.
    pub signature: &'static Signature,
    /// The object of a method.
    pub receiver: Option<ArgValue>,
    /// Arguments with their places, parallel to the parameters of the row.
    pub arguments: Vec<Option<(Argument, Span)>>,
    /// The place of the instruction's name.
    pub name_span: Span,
    /// Whether it is written as a call of its own name.
    pub explicit: bool,
}

/// A call whose arguments are bound to the parameters of its row.
pub struct BoundCall {
    /// The instruction. An argument that does not fit is [`ArgValue::Unknown`] in it.
    pub instr: Instr,
    /// The arguments that do not fit, in the order of the parameters.
    pub misfits: Vec<Misfit>,
    /// Whether an operand is not known, so that the footprint of the instruction is not known either.
    pub has_unknown_operand: bool,
}

/// An argument that its parameter does not accept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Misfit {
    /// Number of the parameter.
    pub at: usize,
    /// The place of the argument.
    pub span: Span,
    /// The fault of the argument.
    pub fault: Fault,
}

/// The fault of an argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// The argument is of another kind than the parameter.
    Kind(Wanted),
    /// The view lies in the first memory, and the operand takes only the others.
    Place(Place, &'static [Place]),
    /// The argument reads a variable that has no value so far; it is bound all the same.
    Unset(VariableId),
}

/// The kind of argument that a parameter accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    /// A view on one of these memories.
    View(&'static [Place]),
    /// A number or a variable.
    Scalar,
    /// An integer or a variable.
    Integer,
    /// An integer that is known when the kernel is compiled.
    KnownInteger,
    /// A round mode.
    Round,
    /// A comparison.
    Compare,
    /// A select mode.
    Select,
    /// A pipe.
    Pipe,
}

impl Fault {
    /// Returns whether the call emits no instruction for this reason.
    pub fn is_fatal(self) -> bool {
        !matches!(self, Fault::Unset(_))
    }
}

/// The result of binding an argument.
enum Bound {
    Value(ArgValue),
    /// The value of a variable that has none so far.
    Unset(ArgValue, VariableId),
    UnknownOperand,
    Misfit(Fault),
}

impl Bound {
    const UNKNOWN: Bound = Bound::Value(ArgValue::Unknown);

    fn not(wanted: Wanted) -> Bound {
        Bound::Misfit(Fault::Kind(wanted))
    }
}

impl Argument {
    fn is_scalar(&self) -> bool {
        matches!(
            self,
            Argument::Number(_) | Argument::Variable(_) | Argument::Scalar(_)
        )
    }
}

impl Builder {
    /// Binds the arguments of a call: values of variables are captured, and parameters without an argument
    /// take their default. [`Builder::instruction`] infers the arguments of parameters without a default.
    ///
    /// # Errors
    /// The program is too large.
    pub fn bind(&mut self, call: Call) -> Result<BoundCall, TooLarge> {
        let row = call.opcode.row();
        let mut bound = BoundCall {
            instr: Instr {
                opcode: call.opcode,
                args: Vec::with_capacity(call.arguments.len()),
                name_span: call.name_span,
                explicit: call.explicit,
                called: None,
                asked: None,
            },
            misfits: Vec::new(),
            has_unknown_operand: false,
        };
        let mut receiver = call.receiver;
        for (at, (canonical, given)) in row.params().zip(call.arguments).enumerate() {
            let param = call.signature.param(at).unwrap_or(canonical);
            let (value, source) = match (given, param.kind) {
                (_, ParamKind::Receiver) => {
                    let value = receiver.take().unwrap_or(ArgValue::Unknown);
                    (value, ArgSource::Given(call.name_span))
                }
                (None, _) => (self.default_of(param), ArgSource::Default),
                (Some((argument, span)), _) => {
                    let value = self.bind_argument(param, argument, span)?;
                    (bound.take(value, at, span), ArgSource::Given(span))
                }
            };
            bound.instr.args.push(Arg { value, source });
        }
        Ok(bound)
    }

    fn default_of(&mut self, param: &Param) -> ArgValue {
        ArgValue::of_default(param.default, &mut self.program.scalars)
    }

    fn bind_argument(
        &mut self,
        param: &Param,
        argument: Argument,
        span: Span,
    ) -> Result<Bound, TooLarge> {
        // An explicit "none" for a required parameter is bound below like any other value.
        if argument == Argument::Omitted && param.default != DefaultValue::Required {
            return Ok(Bound::Value(self.default_of(param)));
        }
        Ok(match param.kind {
            ParamKind::OperandOrValue(_)
                if argument.is_scalar()
                    && self.program.toolchain.lowering.takes_numbers_as_operands =>
            {
                self.bind_scalar(&argument)?
            }
            ParamKind::Operand(operand) | ParamKind::OperandOrValue(operand) => {
                self.bind_operand(&operand, argument, span)
            }
            ParamKind::Value | ParamKind::Step => match argument {
                Argument::Unknown => self.unknown_scalar(),
                _ if argument.is_scalar() => self.bind_scalar(&argument)?,
                _ => Bound::not(Wanted::Scalar),
            },
            ParamKind::Integer
            | ParamKind::Repeat
            | ParamKind::BlockStride(_)
            | ParamKind::RepeatStride(_)
            | ParamKind::ResultStride
            | ParamKind::Count
            | ParamKind::CountPerRepeat => match argument {
                Argument::Unknown => self.unknown_scalar(),
                Argument::Number(Number::Float(_)) => Bound::not(Wanted::Integer),
                _ if argument.is_scalar() => self.bind_scalar(&argument)?,
                _ => Bound::not(Wanted::Integer),
            },
            ParamKind::StaticInteger => match argument {
                Argument::Unknown => Bound::UNKNOWN,
                Argument::Number(Number::Int(_)) => self.bind_scalar(&argument)?,
                _ => Bound::not(Wanted::KnownInteger),
            },
            ParamKind::Flag => match argument {
                Argument::Number(Number::Int(flag)) => Bound::Value(ArgValue::Bool(flag != 0)),
                Argument::Variable(_) | Argument::Scalar(_) => self.bind_scalar(&argument)?,
                _ => Bound::UNKNOWN,
            },
            ParamKind::Round => match argument {
                Argument::Round(mode) => Bound::Value(ArgValue::Round(mode)),
                _ => unless_unknown(&argument, Wanted::Round),
            },
            ParamKind::Compare => match argument {
                Argument::Compare(mode) => Bound::Value(ArgValue::Compare(mode)),
                _ => unless_unknown(&argument, Wanted::Compare),
            },
            ParamKind::Select => match argument {
                Argument::Select(mode) => Bound::Value(ArgValue::Select(mode)),
                _ => unless_unknown(&argument, Wanted::Select),
            },
            ParamKind::Pipe => match argument {
                Argument::Pipe(pipe) => Bound::Value(ArgValue::Pipe(pipe)),
                _ => unless_unknown(&argument, Wanted::Pipe),
            },
            ParamKind::Receiver | ParamKind::Ignored => Bound::UNKNOWN,
        })
    }

    fn bind_scalar(&mut self, argument: &Argument) -> Result<Bound, TooLarge> {
        let mut unset = None;
        let id = match *argument {
            Argument::Number(number) => self.number(number),
            Argument::Scalar(id) => id,
            Argument::Variable(variable) => {
                unset = self.take_unset(variable).then_some(variable);
                self.read(variable)
            }
            _ => self.unknown(),
        };
        let value = ArgValue::Scalar(self.capture(id)?);
        Ok(match unset {
            Some(variable) => Bound::Unset(value, variable),
            None => Bound::Value(value),
        })
    }

    fn unknown_scalar(&mut self) -> Bound {
        Bound::Value(ArgValue::Scalar(self.unknown()))
    }

    fn bind_operand(&mut self, operand: &Operand, argument: Argument, span: Span) -> Bound {
        let mut view = match argument {
            Argument::Unknown => return Bound::UnknownOperand,
            Argument::View(view) => view,
            _ => return Bound::not(Wanted::View(operand.places)),
        };
        let place = match &mut *view {
            View::Local(view) => {
                // Findings refer to the argument of this call rather than to the place where the view was
                // made.
                view.site = span;
                Place::Local(self.program.buffer(view.buffer).position)
            }
            View::Global(view) => {
                view.site = span;
                Place::Gm
            }
        };
        match operand.places.contains(&place) {
            true => Bound::Value(ArgValue::View(view)),
            false => Bound::Misfit(Fault::Place(place, operand.places)),
        }
    }
}

impl BoundCall {
    /// Records the misfit of an argument, if it has one, and returns the value of the argument.
    fn take(&mut self, bound: Bound, at: usize, span: Span) -> ArgValue {
        let (value, fault) = match bound {
            Bound::Value(value) => return value,
            Bound::UnknownOperand => {
                self.has_unknown_operand = true;
                return ArgValue::Unknown;
            }
            Bound::Unset(value, variable) => (value, Fault::Unset(variable)),
            Bound::Misfit(fault) => (ArgValue::Unknown, fault),
        };
        self.misfits.push(Misfit { at, span, fault });
        value
    }
}

fn unless_unknown(argument: &Argument, wanted: Wanted) -> Bound {
    match argument {
        Argument::Unknown => Bound::UNKNOWN,
        _ => Bound::not(wanted),
    }
}

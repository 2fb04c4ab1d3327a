//! One instruction under construction: arguments by the names of its row.

use a2lint_ir::build::{Argument, Builder, Call, TooLarge};
use a2lint_ir::{ArgValue, DisplayName, LocalView, ScalarId, View};
use a2lint_isa::{Opcode, Pipe};
use a2lint_source::text::Span;

/// An instruction under construction.
pub struct Emission {
    opcode: Opcode,
    arguments: Vec<Option<(Argument, Span)>>,
    receiver: Option<ArgValue>,
    name_span: Span,
    called: Option<DisplayName>,
    asked: Option<ScalarId>,
}

/// The result of emitting an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emitted {
    /// The program contains it now.
    Done,
    /// It was not emitted: an operand lies in a memory that the instruction cannot access, or an argument has the wrong
    /// kind.
    Misfit,
}

impl Emission {
    /// Creates an instruction that is called at a place.
    pub fn of(opcode: Opcode, name_span: Span) -> Emission {
        Emission {
            opcode,
            arguments: opcode.row().params().map(|_| None).collect(),
            receiver: None,
            name_span,
            called: None,
            asked: None,
        }
    }

    /// Sets the name of the function that the source calls.
    pub fn called(mut self, name: &str) -> Emission {
        self.called = Some(name.into());
        self
    }

    /// Sets the number of elements that the source asks for, of which the instruction may leave some out.
    pub fn asked(mut self, elements: Option<ScalarId>) -> Emission {
        self.asked = elements;
        self
    }

    /// Sets the object of a method call.
    pub fn on(mut self, receiver: ArgValue) -> Emission {
        self.receiver = Some(receiver);
        self
    }

    /// Sets the argument of the parameter `name`; does nothing if the instruction has no such parameter.
    pub fn with(mut self, name: &str, argument: Argument, span: Span) -> Emission {
        let at = self.opcode.row().index_named(name);
        debug_assert!(at.is_some(), "{:?} has no {name}", self.opcode);
        if let Some(at) = at {
            self.arguments[at] = Some((argument, span));
        }
        self
    }

    /// Sets a number argument.
    pub fn number(self, name: &str, value: ScalarId, span: Span) -> Emission {
        self.with(name, Argument::Scalar(value), span)
    }

    /// Sets a number argument, unless it is `None`.
    pub fn number_if(self, name: &str, value: Option<ScalarId>, span: Span) -> Emission {
        match value {
            Some(value) => self.number(name, value, span),
            None => self,
        }
    }

    /// Sets a view argument on an on-chip buffer.
    pub fn local(self, name: &str, view: LocalView) -> Emission {
        let span = view.site;
        self.with(name, Argument::View(Box::new(View::Local(view))), span)
    }

    /// Sets a view argument.
    pub fn view(self, name: &str, view: View) -> Emission {
        let span = view.site();
        self.with(name, Argument::View(Box::new(view)), span)
    }

    /// Sets a pipe argument.
    pub fn pipe(self, name: &str, pipe: Pipe, span: Span) -> Emission {
        self.with(name, Argument::Pipe(pipe), span)
    }

    /// Puts it into the program.
    ///
    /// # Errors
    /// The program is too large.
    pub fn emit(self, builder: &mut Builder) -> Result<Emitted, TooLarge> {
        let signature = builder.program.signature(self.opcode);
        let mut bound = builder.bind(Call {
            opcode: self.opcode,
            signature,
            receiver: self.receiver,
            arguments: self.arguments,
            name_span: self.name_span,
            explicit: true,
        })?;
        let is_misfit = bound.misfits.iter().any(|misfit| misfit.fault.is_fatal());
        if is_misfit || bound.has_unknown_operand {
            return Ok(Emitted::Misfit);
        }
        bound.instr.called = self.called;
        bound.instr.asked = self.asked;
        builder.instruction(bound.instr)?;
        Ok(Emitted::Done)
    }
}

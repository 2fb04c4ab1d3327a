//! Binds Python values to the parameters of an instruction's row, and notes what does not fit.

use std::rc::Rc;

use super::emit::{Arguments, Spanned};
use super::scalars::{PythonScalars, number};
use super::tracer::Tracer;
use super::value::Value;
use a2lint_ir::build::{self, Argument, CallFault, Fault, Given, Misfit, Wanted};
use a2lint_ir::{NoEffect, PythonNote, View};
use a2lint_isa::{Instruction, Param, ParamKind, Place, Signature, Walk};
use a2lint_source::text::Span;

impl<'a> Tracer<'a> {
    /// Distributes arguments over the parameters of the row; `None` if the call raises a `TypeError`, which is noted.
    pub(super) fn slots(
        &mut self,
        signature: &'static Signature,
        arguments: &Arguments<'a>,
        call: Span,
    ) -> Option<Vec<Option<Spanned<'a>>>> {
        let positional = arguments.positional.len();
        if let Some(first) = build::passed_over(signature, positional) {
            let name = signature.row.name.to_owned();
            let kind = PythonNote::NoEffect(NoEffect::PassedOver { name });
            self.note(arguments.positional[first].1, kind);
        }
        let names = arguments.keywords.iter().map(|(name, ..)| name.as_str());
        match build::distribute(signature, positional, names) {
            Ok(slots) => {
                let given = |slot: Option<Given>| slot.map(|given| arguments.given(given));
                Some(slots.into_iter().map(given).collect())
            }
            Err(fault) => {
                self.raise_call(signature, arguments, call, fault);
                None
            }
        }
    }

    fn raise_call(
        &mut self,
        signature: &Signature,
        arguments: &Arguments<'a>,
        call: Span,
        fault: CallFault,
    ) {
        let name = signature.row.name;
        let keyword = |at: usize| {
            let (name, _, span) = &arguments.keywords[at];
            (name, *span)
        };
        let (span, message) = match fault {
            CallFault::TooMany { most } => {
                let given = arguments.positional.len();
                let message =
                    format!("{name}() takes {most} positional arguments but {given} were given");
                (call, message)
            }
            CallFault::Twice(at) => {
                let (keyword, span) = keyword(at);
                (span, format!("{name}() got two values for `{keyword}`"))
            }
            CallFault::NoSuchParameter(at) => {
                let (keyword, span) = keyword(at);
                let message = format!("{name}() got an unexpected keyword argument `{keyword}`");
                (span, message)
            }
            CallFault::Missing(param) => {
                (call, format!("{name}() is missing its argument `{param}`"))
            }
        };
        let help = match fault {
            CallFault::Missing(_) => self.without_destination(signature, arguments, call),
            _ => None,
        };
        let help = help.unwrap_or_else(|| signature.text());
        self.raise_with(span, "TypeError", message, Some(help));
    }

    /// Returns the call as it is meant where only its destination is missing: `exp(b, a)` for `b <<= exp(a)`.
    fn without_destination(
        &mut self,
        signature: &Signature,
        arguments: &Arguments<'a>,
        call: Span,
    ) -> Option<String> {
        let given = &arguments.positional;
        let (first, last) = (given.first()?.1, given.last()?.1);
        let mut params = signature.row.params();
        let first_param = params.next()?;
        // With a scalar as first source the call has another mistake than a missing destination.
        let takes_tensor = params
            .next()
            .is_some_and(|it| matches!(it.kind, ParamKind::Operand(_)));
        if takes_tensor && given.first()?.0.is_scalar() {
            return None;
        }
        let ParamKind::Operand(operand) = first_param.kind else {
            return None;
        };
        let names = arguments.keywords.iter().map(|(name, ..)| name.as_str());
        let is_next = build::distribute(signature, given.len() + 1, names).is_ok();
        if !operand.access.writes()
            || !is_next
            || !self.source.slice(call).ends_with(signature.row.name)
        {
            return None;
        }
        let statement = self.builder().statement;
        let before = Span {
            start: statement.start,
            end: call.start.max(statement.start),
        };
        let target = self.text(before);
        let target = target
            .strip_suffix("<<=")
            .or_else(|| target.strip_suffix('='))
            .map_or("dst", str::trim);
        let sources = self.text(first.to(last));
        let name = signature.row.name;
        Some(format!(
            "{name}() returns nothing, it writes to its first argument: `{name}({target}, {sources})`"
        ))
    }

    /// Converts a value to the argument that a parameter takes.
    pub(super) fn argument(&mut self, param: &Param, value: &Value<'a>, span: Span) -> Argument {
        let local = |view| Argument::View(Box::new(View::Local(view)));
        match value {
            Value::None => Argument::Omitted,
            // An unknown argument is accepted for every parameter: only a known value of the wrong kind is an error.
            Value::Unknown | Value::Foreign | Value::Inert => Argument::Unknown,
            Value::Var(id) => Argument::Variable(*id),
            Value::Local(view) => local(view.as_ref().clone()),
            Value::Element(views) => {
                let (ParamKind::Operand(operand) | ParamKind::OperandOrValue(operand)) = param.kind
                // An instruction that takes neither an operand nor a value in this place rejects an element, as it
                // rejects any other object.
                else {
                    return Argument::Other;
                    // `x[i]` is both a view that starts at an element and, for instructions that read one element, that
                    // element. Other walks ignore the offset, so it is noted as without effect.
                };
                let reads_one = operand.walk == Walk::First;
                if !reads_one {
                    self.note_offset(span);
                }
                local(views[usize::from(reads_one)].clone())
            }
            Value::Global(view) => Argument::View(Box::new(View::Global(view.as_ref().clone()))),
            Value::Round(mode) => Argument::Round(*mode),
            Value::Compare(mode) => Argument::Compare(*mode),
            Value::Select(mode) => Argument::Select(*mode),
            Value::Pipe(pipe) => Argument::Pipe(*pipe),
            other => number(other).map_or(Argument::Other, Argument::Number),
        }
    }

    /// Notes that an argument does not fit its parameter.
    pub(super) fn raise_misfit(
        &mut self,
        signature: &'static Signature,
        misfit: Misfit,
        value: &Value<'a>,
    ) {
        // `at` counts the slots of the signature first; parameters that only the row has come after them.
        let Misfit { at, span, fault } = misfit;
        let row = signature.row;
        let param = signature.param(at).or_else(|| row.param(at));
        let name = param.map_or("", |param| param.name);
        match fault {
            Fault::Unset(variable) => self.builder().note_unset(variable),
            Fault::Place(place, places) => {
                let text = self.text(span);
                let wanted: Vec<&str> = places.iter().map(|place| place_name(*place)).collect();
                let message = format!(
                    "{}() wants `{name}` in {}; `{text}` is in {}",
                    row.name,
                    wanted.join(" or "),
                    place_name(place)
                );
                self.raise(span, "ValueError", message);
            }
            Fault::Kind(wanted) => self.raise_kind(signature, (name, wanted), value, span),
        }
    }

    fn raise_kind(
        &mut self,
        signature: &'static Signature,
        (name, wanted): (&str, Wanted),
        value: &Value<'a>,
        span: Span,
    ) {
        let call = signature.row.name;
        if let (Value::Ring(id), Wanted::View(_)) = (value, wanted) {
            let buffer = self.builder().program.buffer(*id).label().to_owned();
            let message = format!("{call}() wants a Tensor for `{name}`, not a DBuff");
            let help = format!("pick a slot: {buffer}[i]");
            return self.raise_with(span, "TypeError", message, Some(help));
        }
        let wanted = match (value, wanted) {
            (Value::Vector(vector), Wanted::View(_)) => {
                // The call has used the expression, though wrongly: reporting it as unused as well would be a second
                // finding for one mistake.
                vector.consumed.set(true);
                "a Tensor"
            }
            (_, Wanted::View([Place::Gm])) => "a GMTensor",
            (_, Wanted::View(_)) => "a Tensor",
            (_, Wanted::Scalar) => "a number or a Var",
            (_, Wanted::Integer) => "an int or a Var",
            (_, Wanted::KnownInteger) => "a Python int",
            (_, Wanted::Round) => "a RoundMode",
            (_, Wanted::Compare) => "a CompareMode",
            (_, Wanted::Select) => "a SelectMode",
            (_, Wanted::Pipe) => "a Pipe",
        };
        let given = value.type_name();
        let message = format!("{call}() wants {wanted} for `{name}`, not '{given}'");
        self.raise_with(span, "TypeError", message, Some(signature.text()));
    }

    fn note_offset(&mut self, span: Span) {
        let operand = self.text(span);
        self.note(
            span,
            PythonNote::NoEffect(NoEffect::ElementOffset { operand }),
        );
    }

    /// Drops the element offset of an operand of a move: a move takes the whole tensor whichever element is given.
    pub fn without_offset(&mut self, (value, span): Spanned<'a>) -> Spanned<'a> {
        match &value {
            Value::Element(views) => {
                self.note_offset(span);
                (Value::Local(Rc::new(views[0].clone())), span)
            }
            _ => (value, span),
        }
    }
}

/// Shifts the arguments of `select(dst, mask, a, b, 64)`: an int in the place of the mode is the repeat count.
pub(super) fn repeat_in_mode_position<'a>(row: &Instruction, slots: &mut [Option<Spanned<'a>>]) {
    let (Some(mode), Some(repeat)) = (
        row.index_of(ParamKind::Select),
        row.index_of(ParamKind::Repeat),
    ) else {
        return;
    };
    let is_number = matches!(&slots[mode], Some((value, _)) if value.is_scalar());
    debug_assert!(repeat == mode + 1);
    // Without a free place after the mode, no argument can move.
    let free = slots.iter().skip(mode).position(|slot| slot.is_none());
    if let (true, Some(free)) = (is_number, free) {
        slots[mode..=mode + free].rotate_right(1);
    }
}

fn place_name(place: Place) -> &'static str {
    match place {
        Place::Gm => "GM",
        Place::Local(position) => position.name(),
    }
}

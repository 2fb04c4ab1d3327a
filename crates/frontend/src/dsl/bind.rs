//! Arguments of an instruction: which parameter takes which, and what does not fit.

use std::rc::Rc;

use super::emit::{Arguments, Spanned};
use super::tracer::{Eval, Tracer};
use super::value::Value;
use a2lint_ir::{ArgValue, NoEffect, NoteKind, View};
use a2lint_isa::{DefaultValue, Instruction, Operand, Param, ParamKind, Place, Signature, Walk};
use a2lint_source::text::Span;

/// What became of an argument.
pub(super) enum Bound {
    Value(ArgValue),
    /// The operand is not known: nothing can be said about what the instruction touches.
    UnknownOperand,
    /// The statement raises; the note is made.
    Raised,
}

impl<'a> Tracer<'a> {
    /// Distributes arguments over the parameters of the row; `None` where the call raises.
    pub(super) fn slots(
        &mut self,
        signature: &'static Signature,
        arguments: &Arguments<'a>,
        call: Span,
    ) -> Option<Vec<Option<Spanned<'a>>>> {
        let row = signature.row;
        let mut slots: Vec<Option<Spanned<'a>>> = row.params().map(|_| None).collect();
        let by_position: Vec<usize> = signature
            .params()
            .filter(|it| !it.param.keyword_only && it.param.kind != ParamKind::Receiver)
            .map(|it| it.at)
            .collect();
        let is_too_many = arguments.positional.len() > by_position.len() && !row.is_open();
        if is_too_many && !signature.ignores_keywords() {
            let (most, given) = (by_position.len(), arguments.positional.len());
            let message = format!(
                "{}() takes {most} positional arguments but {given} were given",
                row.name
            );
            self.raise_with(call, "TypeError", message, Some(signature.text()));
            return None;
        }
        if is_too_many && signature.ignores_keywords() {
            let name = row.name.to_owned();
            let kind = NoteKind::NoEffect(NoEffect::PassedOver { name });
            self.note(arguments.positional[by_position.len()].1, kind);
        }
        for (argument, &index) in arguments.positional.iter().zip(&by_position) {
            slots[index] = Some(argument.clone());
        }
        for (name, value, span) in &arguments.keywords {
            match signature.index_named(name) {
                Some(index) if slots[index].is_some() => {
                    let message = format!("{}() got two values for `{name}`", row.name);
                    self.raise_with(*span, "TypeError", message, Some(signature.text()));
                    return None;
                }
                Some(index) => slots[index] = Some((value.clone(), *span)),
                None if row.is_open() || name == "name" || signature.ignores_keywords() => {}
                None => {
                    let message =
                        format!("{}() got an unexpected keyword argument `{name}`", row.name);
                    self.raise_with(*span, "TypeError", message, Some(signature.text()));
                    return None;
                }
            }
        }
        let missing = signature.params().find(|it| {
            slots[it.at].is_none()
                && it.param.default == DefaultValue::Required
                && it.param.kind != ParamKind::Receiver
        });
        if let Some(it) = missing {
            let message = format!("{}() misses its argument `{}`", row.name, it.param.name);
            self.raise_with(call, "TypeError", message, Some(signature.text()));
            return None;
        }
        Some(slots)
    }

    pub(super) fn bind(
        &mut self,
        signature: &'static Signature,
        param: &Param,
        value: &Value<'a>,
        span: Span,
    ) -> Eval<Bound> {
        if matches!(value, Value::None) && param.default != DefaultValue::Required {
            return Ok(Bound::Value(default_value(self, param)));
        }
        Ok(match param.kind {
            ParamKind::Operand(operand) => {
                self.bind_operand(signature, param, &operand, value, span)
            }
            ParamKind::OperandOrValue(_) if value.is_scalar() && !self.is_compiled() => {
                self.bind_scalar(value)?
            }
            ParamKind::OperandOrValue(operand) => {
                self.bind_operand(signature, param, &operand, value, span)
            }
            ParamKind::Value => match value {
                Value::Unknown | Value::Foreign | Value::Inert => {
                    Bound::Value(self.unknown_scalar())
                }
                _ if value.is_scalar() => self.bind_scalar(value)?,
                _ => self.wrong_type(signature, param, value, span, "a number or a Var"),
            },
            ParamKind::Integer
            | ParamKind::Repeat
            | ParamKind::BlockStride(_)
            | ParamKind::RepeatStride(_)
            | ParamKind::ResultStride
            | ParamKind::Count
            | ParamKind::CountPerRepeat => match value {
                Value::Unknown | Value::Foreign | Value::Inert => {
                    Bound::Value(self.unknown_scalar())
                }
                Value::Float(_) => {
                    self.wrong_type(signature, param, value, span, "an int or a Var")
                }
                _ if value.is_scalar() => self.bind_scalar(value)?,
                _ => self.wrong_type(signature, param, value, span, "an int or a Var"),
            },
            ParamKind::StaticInteger => match value {
                Value::Unknown | Value::Foreign | Value::Inert => Bound::Value(ArgValue::Unknown),
                _ => match value.as_int() {
                    Some(_) => self.bind_scalar(value)?,
                    None => self.wrong_type(signature, param, value, span, "a Python int"),
                },
            },
            ParamKind::Flag => match value {
                Value::Bool(flag) => Bound::Value(ArgValue::Bool(*flag)),
                Value::Int(flag) => Bound::Value(ArgValue::Bool(*flag != 0)),
                Value::Var(_) => self.bind_scalar(value)?,
                _ => Bound::Value(ArgValue::Unknown),
            },
            ParamKind::Round => match value {
                Value::Round(mode) => Bound::Value(ArgValue::Round(*mode)),
                _ => self.bind_unless_wrong(signature, param, value, span, "a RoundMode"),
            },
            ParamKind::Compare => match value {
                Value::Compare(mode) => Bound::Value(ArgValue::Compare(*mode)),
                _ => self.bind_unless_wrong(signature, param, value, span, "a CompareMode"),
            },
            ParamKind::Select => match value {
                Value::Select(mode) => Bound::Value(ArgValue::Select(*mode)),
                _ => self.bind_unless_wrong(signature, param, value, span, "a SelectMode"),
            },
            ParamKind::Pipe => match value {
                Value::Pipe(pipe) => Bound::Value(ArgValue::Pipe(*pipe)),
                _ => self.bind_unless_wrong(signature, param, value, span, "a Pipe"),
            },
            ParamKind::Receiver | ParamKind::Ignored => Bound::Value(ArgValue::Unknown),
        })
    }

    pub(super) fn bind_scalar(&mut self, value: &Value<'a>) -> Eval<Bound> {
        let builder = self.builder();
        let id = builder.scalar(value);
        let id = builder.capture(id)?;
        Ok(Bound::Value(ArgValue::Scalar(id)))
    }

    pub(super) fn unknown_scalar(&mut self) -> ArgValue {
        ArgValue::Scalar(self.builder().unknown())
    }

    pub(super) fn bind_unless_wrong(
        &mut self,
        signature: &'static Signature,
        param: &Param,
        value: &Value<'a>,
        span: Span,
        wanted: &str,
    ) -> Bound {
        match value.is_unknown() {
            true => Bound::Value(ArgValue::Unknown),
            false => self.wrong_type(signature, param, value, span, wanted),
        }
    }

    pub(super) fn wrong_type(
        &mut self,
        signature: &'static Signature,
        param: &Param,
        value: &Value<'a>,
        span: Span,
        wanted: &str,
    ) -> Bound {
        let message = format!(
            "{}() wants {wanted} for `{}`, not '{}'",
            signature.row.name,
            param.name,
            value.type_name()
        );
        self.raise_with(span, "TypeError", message, Some(signature.text()));
        Bound::Raised
    }

    pub(super) fn bind_operand(
        &mut self,
        signature: &'static Signature,
        param: &Param,
        operand: &Operand,
        value: &Value<'a>,
        span: Span,
    ) -> Bound {
        let (view, place) = match value {
            Value::Unknown | Value::Foreign | Value::Inert => return Bound::UnknownOperand,
            Value::Element(views) => {
                let reads_one = operand.walk == Walk::First;
                if !reads_one {
                    self.note_offset(span);
                }
                let mut view = views[usize::from(reads_one)].clone();
                view.site = span;
                let position = self.builder().program.buffer(view.buffer).position;
                (View::Local(view), Place::Local(position))
            }
            Value::Local(view) => {
                let position = self.builder().program.buffer(view.buffer).position;
                let mut view = view.as_ref().clone();
                view.site = span;
                (View::Local(view), Place::Local(position))
            }
            Value::Global(view) => {
                let mut view = view.as_ref().clone();
                view.site = span;
                (View::Global(view), Place::Gm)
            }
            Value::Ring(id) => {
                let name = self.builder().program.buffer(*id).label().to_owned();
                let message = format!(
                    "{}() wants a Tensor for `{}`, not a DBuff",
                    signature.row.name, param.name
                );
                let help = format!("pick a slot: {name}[i]");
                self.raise_with(span, "TypeError", message, Some(help));
                return Bound::Raised;
            }
            Value::Vector(vector) => {
                vector.consumed.set(true);
                return self.wrong_type(signature, param, value, span, "a Tensor");
            }
            _ => {
                let wanted = match operand.places {
                    [Place::Gm] => "a GMTensor",
                    _ => "a Tensor",
                };
                return self.wrong_type(signature, param, value, span, wanted);
            }
        };
        if !operand.places.contains(&place) {
            return self.wrong_place(signature, param, operand, place, span);
        }
        Bound::Value(ArgValue::View(Box::new(view)))
    }

    pub(super) fn note_offset(&mut self, span: Span) {
        let operand = self.text(span);
        self.note(
            span,
            NoteKind::NoEffect(NoEffect::ElementOffset { operand }),
        );
    }

    /// An operand of a move, which takes all of a tensor whatever element it is given.
    pub fn without_offset(&mut self, (value, span): Spanned<'a>) -> Spanned<'a> {
        match &value {
            Value::Element(views) => {
                self.note_offset(span);
                (Value::Local(Rc::new(views[0].clone())), span)
            }
            _ => (value, span),
        }
    }

    pub(super) fn wrong_place(
        &mut self,
        signature: &'static Signature,
        param: &Param,
        operand: &Operand,
        place: Place,
        span: Span,
    ) -> Bound {
        let text = self.text(span);
        let wanted: Vec<&str> = operand
            .places
            .iter()
            .map(|place| place_name(*place))
            .collect();
        let message = format!(
            "{}() wants `{}` in {}; `{text}` is in {}",
            signature.row.name,
            param.name,
            wanted.join(" or "),
            place_name(place)
        );
        self.raise(span, "ValueError", message);
        Bound::Raised
    }
}

/// `select(dst, mask, a, b, 64)`: an int in the place of the mode is the repeat count.
pub(super) fn repeat_in_mode_position<'a>(row: &Instruction, slots: &mut [Option<Spanned<'a>>]) {
    let (Some(mode), Some(repeat)) = (
        row.index_of(ParamKind::Select),
        row.index_of(ParamKind::Repeat),
    ) else {
        return;
    };
    let is_number = matches!(&slots[mode], Some((value, _)) if value.is_scalar());
    if is_number {
        let after = slots.len();
        for at in (mode + 1..after).rev() {
            let shifted = slots[at - 1].take();
            if slots[at].is_none() {
                slots[at] = shifted;
            }
        }
        debug_assert!(repeat == mode + 1);
    }
}

pub(super) fn default_value(tracer: &mut Tracer, param: &Param) -> ArgValue {
    ArgValue::of_default(param.default, &mut tracer.builder().program.scalars)
}

fn place_name(place: Place) -> &'static str {
    match place {
        Place::Gm => "GM",
        Place::Local(position) => position.name(),
    }
}

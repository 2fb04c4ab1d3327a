//! Text: f-strings, formats and the methods of strings.

use std::rc::Rc;

use super::super::emit::Arguments;
use super::super::tracer::{Eval, Tracer};
use super::super::value::Value;
use crate::syntax::python::ast::FormatPart;
use crate::text::Slice;

/// Longest text that is put together.
const MAX_TEXT: usize = 10_000;

/// `str(value)`; a few dots where that is not known.
pub fn plain(value: &Value) -> String {
    text_of(value).unwrap_or_else(|| "…".to_owned())
}

/// `str(value)`, where it is known.
pub fn text_of(value: &Value) -> Option<String> {
    Some(match value {
        Value::None => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => float(*value),
        Value::Str(text) => text.to_string(),
        Value::Tuple(items) if items.len() <= 8 => {
            let parts: Option<Vec<String>> = items.iter().map(flat_repr).collect();
            let parts = parts?;
            match parts.as_slice() {
                [only] => format!("({only},)"),
                _ => format!("({})", parts.join(", ")),
            }
        }
        Value::List(items) if items.borrow().len() <= 8 => {
            let parts: Option<Vec<String>> = items.borrow().iter().map(flat_repr).collect();
            format!("[{}]", parts?.join(", "))
        }
        Value::Instance(instance) => match instance.text() {
            Some(text) => text.to_string(),
            None => instance.as_int()?.to_string(),
        },
        _ => return None,
    })
}

/// `repr(value)`
pub fn repr(value: &Value) -> Option<String> {
    match value {
        Value::Str(text) => Some(format!("'{text}'")),
        other => text_of(other),
    }
}

/// `repr` of an item that holds nothing.
fn flat_repr(value: &Value) -> Option<String> {
    match value {
        Value::Tuple(_) | Value::List(_) => None,
        other => repr(other),
    }
}

fn float(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    format!("{value:?}")
}

/// `format(value, spec)` for what names and messages are made of.
fn formatted(value: &Value, spec: &str) -> Option<String> {
    if spec.is_empty() {
        return text_of(value);
    }
    let number = value.as_int();
    if let (Some(number), Some(width)) = (number, spec.strip_suffix('d').or(Some(spec))) {
        let is_padded = width.starts_with('0');
        if let Ok(width) = width.parse::<usize>()
            && width <= 64
        {
            return Some(match is_padded {
                true => format!("{number:0width$}"),
                false => format!("{number:width$}"),
            });
        }
        match spec {
            "x" => return Some(format!("{number:x}")),
            "b" => return Some(format!("{number:b}")),
            "," => return None,
            _ => {}
        }
    }
    let digits: usize = spec.strip_prefix('.')?.strip_suffix('f')?.parse().ok()?;
    let number = value.as_float().filter(|_| digits <= 20)?;
    Some(format!("{number:.digits$}"))
}

impl<'a> Tracer<'a> {
    /// `f"…"`
    pub fn format(&mut self, parts: &'a [FormatPart]) -> Eval<Value<'a>> {
        let mut text = Some(String::new());
        for part in parts {
            let more = match part {
                FormatPart::Text(more) => Some(more.clone()),
                FormatPart::Value {
                    value,
                    conversion,
                    spec,
                } => {
                    let value = self.eval(value)?;
                    match (conversion.as_deref(), spec) {
                        (Some("r"), Some(spec)) if spec.is_empty() => repr(&value),
                        (None | Some("s"), Some(spec)) => formatted(&value, spec),
                        _ => None,
                    }
                }
            };
            text = text.zip(more).map(|(text, more)| text + &more);
            text = text.filter(|text| text.len() <= MAX_TEXT);
        }
        Ok(text.map_or(Value::Unknown, |text| Value::str(&text)))
    }

    /// Methods of strings.
    pub fn string_method(
        &mut self,
        text: &Rc<str>,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Eval<Value<'a>> {
        self.charge(text.len())?;
        let word = |at: usize| match arguments.at(at) {
            Some(Value::Str(text)) => Some(text.clone()),
            _ => None,
        };
        let string = |text: &str| Value::str(text);
        let strings = |parts: Vec<&str>| Value::list(parts.into_iter().map(Value::str).collect());
        Ok(match (name, word(0)) {
            ("format", _) => self.brace_format(text, arguments),
            ("upper", None) => string(&text.to_uppercase()),
            ("lower", None) => string(&text.to_lowercase()),
            ("strip", None) => string(text.trim()),
            ("lstrip", None) => string(text.trim_start()),
            ("rstrip", None) => string(text.trim_end()),
            ("split", None) if arguments.positional.is_empty() => {
                strings(text.split_whitespace().collect())
            }
            ("split", Some(by)) if !by.is_empty() && arguments.positional.len() == 1 => {
                strings(text.split(&*by).collect())
            }
            ("startswith", Some(start)) => Value::Bool(text.starts_with(&*start)),
            ("endswith", Some(end)) => Value::Bool(text.ends_with(&*end)),
            ("replace", Some(old)) if !old.is_empty() => match word(1) {
                Some(new) if text.len().saturating_mul(new.len() + 1) <= MAX_TEXT => {
                    string(&text.replace(&*old, &new))
                }
                _ => Value::Unknown,
            },
            ("removeprefix", Some(start)) => string(text.strip_prefix(&*start).unwrap_or(text)),
            ("removesuffix", Some(end)) => string(text.strip_suffix(&*end).unwrap_or(text)),
            ("find", Some(part)) => match text.find(&*part) {
                Some(at) => Value::Int(text.part(..at).chars().count() as i128),
                None => Value::Int(-1),
            },
            ("count", Some(part)) if !part.is_empty() => {
                Value::Int(text.matches(&*part).count() as i128)
            }
            ("isdigit", None) => {
                Value::Bool(!text.is_empty() && text.chars().all(|c| c.is_ascii_digit()))
            }
            ("join", None) => self.joined(text, arguments)?,
            _ => Value::Unknown,
        })
    }

    fn joined(&mut self, between: &str, arguments: &Arguments<'a>) -> Eval<Value<'a>> {
        let items = match arguments.at(0) {
            Some(items) => self.static_items(items)?,
            None => None,
        };
        let parts: Option<Vec<Rc<str>>> = items
            .unwrap_or(vec![Value::Unknown])
            .into_iter()
            .map(|item| match item {
                Value::Str(text) => Some(text),
                _ => None,
            })
            .collect();
        let length = |parts: &Vec<Rc<str>>| -> usize {
            parts.iter().map(|part| part.len() + between.len()).sum()
        };
        let parts = parts.filter(|parts| length(parts) <= MAX_TEXT);
        Ok(parts.map_or(Value::Unknown, |parts| Value::str(&parts.join(between))))
    }

    /// `"{} and {name}".format(…)`
    fn brace_format(&mut self, text: &str, arguments: &Arguments<'a>) -> Value<'a> {
        let mut result = String::new();
        let mut rest = text;
        let mut next = 0;
        while let Some(at) = rest.find(['{', '}']) {
            result.push_str(rest.part(..at));
            let tail = rest.part(at..);
            if tail.starts_with("{{") || tail.starts_with("}}") {
                result.push_str(tail.part(..1));
                rest = tail.part(2..);
                continue;
            }
            let Some(end) = tail.find('}').filter(|_| tail.starts_with('{')) else {
                return Value::Unknown;
            };
            let (field, spec) = tail
                .part(1..end)
                .split_once(':')
                .unwrap_or((tail.part(1..end), ""));
            let value = match field.parse::<usize>() {
                Ok(at) => arguments.at(at),
                Err(_) if field.is_empty() => {
                    next += 1;
                    arguments.at(next - 1)
                }
                Err(_) => arguments.keyword(field),
            };
            match value.and_then(|value| formatted(value, spec)) {
                Some(value) if result.len() + value.len() <= MAX_TEXT => result.push_str(&value),
                _ => return Value::Unknown,
            }
            rest = tail.part(end + 1..);
        }
        result.push_str(rest);
        Value::str(&result)
    }
}

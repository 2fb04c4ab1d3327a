//! Strings: `str`, `repr`, formatting, and methods of strings.

use std::rc::Rc;

use super::super::emit::Arguments;
use super::super::tracer::{Eval, Tracer};
use super::super::value::Value;
use super::format::{apply, brace_fields};
use super::native::Site;
use a2lint_source::text::{Slice, Span};
use a2lint_syntax::python::ast::FormatPart;

/// Longest string that is built.
pub const MAX_TEXT: usize = 10_000;
/// Maximum nesting of containers that `repr` follows.
const MAX_NESTED: u32 = 20;

/// Returns `str(value)` for display, and "…" if it is unknown.
pub fn plain(value: &Value) -> String {
    plain_text(value).unwrap_or_else(|| "…".to_owned())
}

/// Returns `str(value)` of a plain value.
fn plain_text(value: &Value) -> Option<String> {
    match value {
        Value::Str(text) => Some(text.to_string()),
        // Names of kernel instances show a member of an enumeration by its value.
        Value::Instance(instance) => match instance.text() {
            Some(text) => Some(text.to_string()),
            None => instance.as_int().map(|number| number.to_string()),
        },
        other => plain_repr(other, 2),
    }
}

/// Returns `repr(value)` of a plain value; `None` if it is unknown or nested deeper than `nested`.
fn plain_repr(value: &Value, nested: u32) -> Option<String> {
    let nested = nested.checked_sub(1)?;
    let all = |items: &[Value]| -> Option<Vec<String>> {
        // Each item takes at least two characters, so a longer list exceeds the bound.
        (items.len() <= MAX_TEXT / 2)
            .then(|| items.iter().map(|item| plain_repr(item, nested)).collect())?
    };
    Some(match value {
        Value::None => "None".to_owned(),
        Value::NotImplemented => "NotImplemented".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => float(*value),
        Value::Str(text) => quoted(text)?,
        Value::Tuple(items) => match all(items)?.as_slice() {
            // A tuple of one item has a trailing comma.
            [only] => format!("({only},)"),
            parts => format!("({})", parts.join(", ")),
        },
        Value::List(items) => format!("[{}]", all(&items.known()?)?.join(", ")),
        Value::Set(items) => match all(&items.known()?)?.as_slice() {
            [] => "set()".to_owned(),
            [only] => format!("{{{only}}}"),
            // The order of a set depends on hashes.
            _ => return None,
        },
        Value::Dict(entries) => {
            let entries = entries.known()?;
            let part = |(key, value): &(Value, Value)| {
                let (key, value) = (plain_repr(key, nested)?, plain_repr(value, nested)?);
                Some(format!("{key}: {value}"))
            };
            let parts: Option<Vec<String>> = entries.iter().map(part).collect();
            format!("{{{}}}", parts?.join(", "))
        }
        Value::Range(start, stop, 1) => format!("range({start}, {stop})"),
        Value::Range(start, stop, step) => format!("range({start}, {stop}, {step})"),
        _ => return None,
    })
}

/// Returns `repr` of a string; `None` if a character is not known to be printable.
fn quoted(text: &str) -> Option<String> {
    // CPython prefers single quotes, unless the text contains them and no double quotes.
    let quote = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    let mut result = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => result.push_str("\\\\"),
            '\n' => result.push_str("\\n"),
            '\r' => result.push_str("\\r"),
            '\t' => result.push_str("\\t"),
            c if c == quote => {
                result.push('\\');
                result.push(c);
            }
            ' '..='~' => result.push(c),
            c if c.is_ascii() => result.push_str(&format!("\\x{:02x}", u32::from(c))),
            // Whether other characters are printable depends on the Unicode version of Python.
            c if c.is_alphanumeric() => result.push(c),
            _ => return None,
        }
    }
    result.push(quote);
    Some(result)
}

/// Returns `repr` of a float: the shortest digits that read back as the same value.
pub fn float(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let text = format!("{value:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    // CPython uses exponents outside of this range.
    match (-4..16).contains(&exponent) {
        true => format!("{value:?}"),
        false => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.abs())
        }
    }
}

impl<'a> Tracer<'a> {
    /// Returns `str(value)`; `None` if it is unknown.
    pub fn text_of(&mut self, value: &Value<'a>, span: Span) -> Eval<Option<String>> {
        match value {
            Value::Str(text) => Ok(Some(text.to_string())),
            Value::Instance(instance) => {
                let class = instance.class.clone();
                // `object.__str__` calls `__repr__`.
                for name in ["__str__", "__repr__"] {
                    if class.lookup(name).is_some() {
                        return self.said_text(value, name, span);
                    }
                }
                if class.is_exception() && class.is_whole {
                    return self.exception_text(instance.get("args"), &class, span);
                }
                // The default `repr` contains an address.
                Ok(None)
            }
            other => self.repr_of(other, span),
        }
    }

    /// Returns `repr(value)`; `None` if it is unknown.
    pub fn repr_of(&mut self, value: &Value<'a>, span: Span) -> Eval<Option<String>> {
        // Charged by size, since the text is built even if it is then too long.
        self.charge(value.size())?;
        match value {
            Value::Instance(instance) if instance.class.lookup("__repr__").is_some() => {
                self.said_text(value, "__repr__", span)
            }
            Value::Instance(instance)
                if instance.class.is_exception() && instance.class.is_whole =>
            {
                let Some(Value::Tuple(items)) = instance.get("args") else {
                    return Ok(None);
                };
                let mut parts = Vec::with_capacity(items.len());
                for item in items.iter() {
                    match self.repr_of(item, span)? {
                        Some(part) => parts.push(part),
                        None => return Ok(None),
                    }
                }
                let text = format!("{}({})", instance.class.name, parts.join(", "));
                Ok((text.len() <= MAX_TEXT).then_some(text))
            }
            other => Ok(plain_repr(other, MAX_NESTED).filter(|text| text.len() <= MAX_TEXT)),
        }
    }

    fn said_text(&mut self, value: &Value<'a>, name: &str, span: Span) -> Eval<Option<String>> {
        let said = self.call_method(value, name, Arguments::default(), Site::at(span))?;
        Ok(match said {
            Some(Value::Str(text)) => Some(text.to_string()),
            _ => None,
        })
    }

    fn exception_text(
        &mut self,
        args: Option<Value<'a>>,
        class: &super::objects::Class<'a>,
        span: Span,
    ) -> Eval<Option<String>> {
        let is_key = class.is_named_exception("KeyError");
        let is_system = class.is_named_exception("OSError");
        match args {
            Some(Value::Tuple(items)) => match &items[..] {
                [] => Ok(Some(String::new())),
                // `str` of a `KeyError` shows the `repr` of the key.
                [only] if is_key => self.repr_of(only, span),
                [only] => self.text_of(only, span),
                [number, message] if is_system => {
                    let parts = (self.text_of(number, span)?, self.text_of(message, span)?);
                    let (Some(number), Some(message)) = parts else {
                        return Ok(None);
                    };
                    Ok(Some(format!("[Errno {number}] {message}")))
                }
                _ if is_system => Ok(None),
                _ => self.repr_of(&Value::Tuple(items.clone()), span),
            },
            _ => Ok(None),
        }
    }

    /// Returns `format(value, spec)`; `None` if it is unknown.
    pub fn formatted(&mut self, value: &Value<'a>, spec: &str, span: Span) -> Eval<Option<String>> {
        match value {
            Value::Instance(instance) if instance.class.lookup("__format__").is_some() => {
                let given = Arguments::of([Value::str(spec)], span);
                let said = self.call_method(value, "__format__", given, Site::at(span))?;
                Ok(match said {
                    Some(Value::Str(text)) => Some(text.to_string()),
                    _ => None,
                })
            }
            // Members of `IntEnum` and `IntFlag` are formatted as their numbers in every version of Python.
            Value::Instance(instance)
                if instance.class.is_written_as_number
                    && instance.class.lookup("__str__").is_none() =>
            {
                Ok(match instance.as_int() {
                    Some(number) => apply(&Value::Int(number), spec),
                    None => None,
                })
            }
            value if spec.is_empty() => self.text_of(value, span),
            value => Ok(apply(value, spec)),
        }
    }

    /// Evaluates an f-string.
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
                    let span = value.span;
                    let value = self.eval(value)?;
                    // The compiled dialect rejects device values in f-strings.
                    self.refuse_formatted(&value, span);
                    let value = match conversion.as_deref() {
                        None => Some(value),
                        Some("r") => self.repr_of(&value, span)?.map(|text| Value::str(&text)),
                        Some("s") => self.text_of(&value, span)?.map(|text| Value::str(&text)),
                        Some(_) => None,
                    };
                    match (value, spec) {
                        (Some(value), Some(spec)) => self.formatted(&value, spec, span)?,
                        _ => None,
                    }
                }
            };
            // Further parts are evaluated even if the text is unknown, for their effects.
            text = text.zip(more).map(|(text, more)| text + &more);
            text = text.filter(|text| text.len() <= MAX_TEXT);
        }
        Ok(text.map_or(Value::Unknown, |text| Value::str(&text)))
    }

    /// Calls a method of a string.
    pub fn string_method(
        &mut self,
        text: &Rc<str>,
        name: &str,
        arguments: &Arguments<'a>,
    ) -> Eval<Value<'a>> {
        self.charge(text.len())?;
        if !arguments.spread.is_empty() || (!arguments.keywords.is_empty() && name != "format") {
            return self.not_followed();
        }
        let given = arguments.plain();
        let span = self.here();
        match (name, given.as_slice()) {
            ("format", _) => return self.brace_format(text, arguments, span),
            ("join", [items]) => return self.joined_text(text, items),
            _ => {}
        }
        let string = |text: &str| Value::str(text);
        let strings = |parts: Vec<&str>| Value::list(parts.into_iter().map(Value::str).collect());
        // Python counts code points; Rust's positions are bytes.
        let place = |at: Option<usize>| match at {
            Some(at) => Value::Int(text.part(..at).chars().count() as i128),
            None => Value::Int(-1),
        };
        // Case mapping and whitespace of other scripts depend on the Unicode version.
        let is_ascii = text.is_ascii();
        let known = match (name, given.as_slice()) {
            ("upper", []) if is_ascii => string(&text.to_uppercase()),
            ("lower" | "casefold", []) if is_ascii => string(&text.to_lowercase()),
            ("capitalize", []) if is_ascii => {
                let (first, rest) = text.split_at(1.min(text.len()));
                string(&(first.to_ascii_uppercase() + &rest.to_ascii_lowercase()))
            }
            ("title", []) if is_ascii => string(&titled(text)),
            ("swapcase", []) if is_ascii => {
                let swapped = text.chars().map(|c| match c.is_ascii_uppercase() {
                    true => c.to_ascii_lowercase(),
                    false => c.to_ascii_uppercase(),
                });
                string(&swapped.collect::<String>())
            }
            ("strip", [] | [Value::None]) if is_ascii => string(text.trim_matches(is_blank)),
            ("lstrip", [] | [Value::None]) if is_ascii => string(text.trim_start_matches(is_blank)),
            ("rstrip", [] | [Value::None]) if is_ascii => string(text.trim_end_matches(is_blank)),
            ("strip", [Value::Str(set)]) => string(text.trim_matches(|c| set.contains(c))),
            ("lstrip", [Value::Str(set)]) => string(text.trim_start_matches(|c| set.contains(c))),
            ("rstrip", [Value::Str(set)]) => string(text.trim_end_matches(|c| set.contains(c))),
            ("split", [] | [Value::None]) if is_ascii => strings(
                text.split(is_blank)
                    .filter(|part| !part.is_empty())
                    .collect(),
            ),
            ("split", [Value::Str(by)]) if !by.is_empty() => strings(text.split(&**by).collect()),
            ("split" | "rsplit", [Value::Str(by), Value::Int(most)]) if !by.is_empty() => {
                let Some(most) = most_of(*most) else {
                    return self.throw("OverflowError", Value::Unknown);
                };
                let count = most.saturating_add(1);
                match name {
                    "split" => strings(text.splitn(count, &**by).collect()),
                    _ => {
                        let mut parts: Vec<&str> = text.rsplitn(count, &**by).collect();
                        parts.reverse();
                        strings(parts)
                    }
                }
            }
            // `splitlines` splits at more characters than `lines` does.
            ("splitlines", [])
                if is_ascii && !text.contains(['\r', '\x0b', '\x0c', '\x1c', '\x1d', '\x1e']) =>
            {
                strings(text.lines().collect())
            }
            ("partition", [Value::Str(by)]) if !by.is_empty() => match text.split_once(&**by) {
                Some((a, b)) => Value::tuple(vec![string(a), string(by), string(b)]),
                None => Value::tuple(vec![string(text), string(""), string("")]),
            },
            ("rpartition", [Value::Str(by)]) if !by.is_empty() => match text.rsplit_once(&**by) {
                Some((a, b)) => Value::tuple(vec![string(a), string(by), string(b)]),
                None => Value::tuple(vec![string(""), string(""), string(text)]),
            },
            ("startswith", [Value::Str(start)]) => Value::Bool(text.starts_with(&**start)),
            ("endswith", [Value::Str(end)]) => Value::Bool(text.ends_with(&**end)),
            ("startswith" | "endswith", [Value::Tuple(parts)]) => {
                let fits = |part: &Value<'a>| match part {
                    Value::Str(part) if name == "startswith" => Some(text.starts_with(&**part)),
                    Value::Str(part) => Some(text.ends_with(&**part)),
                    _ => None,
                };
                let all: Option<Vec<bool>> = parts.iter().map(fits).collect();
                match all {
                    Some(all) => Value::Bool(all.contains(&true)),
                    None => return self.not_followed(),
                }
            }
            // An empty pattern inserts between all characters, which is not modelled.
            ("replace", [Value::Str(old), Value::Str(new), further @ ..])
                if !old.is_empty() && text.len().saturating_mul(new.len() + 1) <= MAX_TEXT =>
            {
                match further {
                    [] => string(&text.replace(&**old, new)),
                    [Value::Int(most)] => match most_of(*most) {
                        Some(most) => string(&text.replacen(&**old, new, most)),
                        None => return self.throw("OverflowError", Value::Unknown),
                    },
                    _ => return self.not_followed(),
                }
            }
            ("removeprefix", [Value::Str(start)]) => {
                string(text.strip_prefix(&**start).unwrap_or(text))
            }
            ("removesuffix", [Value::Str(end)]) => {
                string(text.strip_suffix(&**end).unwrap_or(text))
            }
            ("find", [Value::Str(part)]) => place(text.find(&**part)),
            ("rfind", [Value::Str(part)]) => place(text.rfind(&**part)),
            ("index", [Value::Str(part)]) => match text.find(&**part) {
                None => return self.throw("ValueError", Value::Unknown),
                at => place(at),
            },
            ("count", [Value::Str(part)]) if !part.is_empty() => {
                Value::Int(text.matches(&**part).count() as i128)
            }
            ("isdigit" | "isdecimal" | "isnumeric", []) if is_ascii => {
                Value::Bool(!text.is_empty() && text.chars().all(|c| c.is_ascii_digit()))
            }
            ("isalpha", []) if is_ascii => {
                Value::Bool(!text.is_empty() && text.chars().all(|c| c.is_ascii_alphabetic()))
            }
            ("isalnum", []) if is_ascii => {
                Value::Bool(!text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric()))
            }
            ("isspace", []) if is_ascii => {
                Value::Bool(!text.is_empty() && text.chars().all(is_blank))
            }
            ("isupper", []) if is_ascii => Value::Bool(
                text.chars().any(|c| c.is_ascii_uppercase())
                    && !text.chars().any(|c| c.is_ascii_lowercase()),
            ),
            ("islower", []) if is_ascii => Value::Bool(
                text.chars().any(|c| c.is_ascii_lowercase())
                    && !text.chars().any(|c| c.is_ascii_uppercase()),
            ),
            ("zfill", [Value::Int(width)]) if WIDTHS.contains(width) => {
                let missing = missing_to(*width, text);
                // `zfill` puts the zeros after the sign.
                let (sign, rest) = match text.strip_prefix(['+', '-']) {
                    Some(rest) => text.split_at(text.len() - rest.len()),
                    None => ("", &**text),
                };
                string(&format!("{sign}{}{rest}", "0".repeat(missing)))
            }
            ("ljust" | "rjust", [Value::Int(width), fill @ ..]) if WIDTHS.contains(width) => {
                let fill = match fill {
                    [] => " ",
                    [Value::Str(fill)] if fill.chars().count() == 1 => fill,
                    _ => return self.not_followed(),
                };
                let missing = missing_to(*width, text);
                match name {
                    "ljust" => string(&format!("{text}{}", fill.repeat(missing))),
                    _ => string(&format!("{}{text}", fill.repeat(missing))),
                }
            }
            ("__len__", []) => Value::Int(text.chars().count() as i128),
            _ => return self.not_followed(),
        };
        Ok(known)
    }

    // All items must be strings: "sequence item 0: expected str instance".
    fn joined_text(&mut self, between: &str, items: &Value<'a>) -> Eval<Value<'a>> {
        let Some(items) = self.static_items(items)? else {
            return self.not_followed();
        };
        let mut parts: Vec<Rc<str>> = Vec::new();
        for item in items {
            match item {
                Value::Str(text) => parts.push(text),
                other if other.is_plain() => return self.throw("TypeError", Value::Unknown),
                _ => return self.not_followed(),
            }
        }
        let length: usize = parts.iter().map(|part| part.len() + between.len()).sum();
        match length <= MAX_TEXT {
            true => Ok(Value::str(&parts.join(between))),
            false => self.not_followed(),
        }
    }

    /// Evaluates `"{} and {name}".format(…)`.
    fn brace_format(
        &mut self,
        text: &str,
        arguments: &Arguments<'a>,
        span: Span,
    ) -> Eval<Value<'a>> {
        let Some(fields) = brace_fields(text) else {
            return self.not_followed();
        };
        let mut result = String::new();
        let mut next = 0;
        for (before, field) in fields {
            result.push_str(&before);
            let Some(field) = field else { continue };
            let value = match field.name.parse::<usize>() {
                Ok(at) => arguments.at(at),
                Err(_) if field.name.is_empty() => {
                    // Automatic numbering counts the fields without a name.
                    next += 1;
                    arguments.at(next - 1)
                }
                Err(_) => arguments.keyword(&field.name),
            };
            let Some(value) = value.cloned() else {
                return self.not_followed();
            };
            let value = match field.conversion {
                None => Some(value),
                Some('r') => self.repr_of(&value, span)?.map(|text| Value::str(&text)),
                Some('s') => self.text_of(&value, span)?.map(|text| Value::str(&text)),
                Some(_) => None,
            };
            let shown = match value {
                Some(value) => self.formatted(&value, &field.spec, span)?,
                None => None,
            };
            match shown {
                Some(shown) if result.len() + shown.len() <= MAX_TEXT => result.push_str(&shown),
                _ => return self.not_followed(),
            }
        }
        Ok(Value::str(&result))
    }
}

/// The widths that are followed: those that CPython takes, up to the length of the longest text.
const WIDTHS: std::ops::RangeInclusive<i128> = i64::MIN as i128..=MAX_TEXT as i128;

/// Returns the number of characters that fill a text up to a width of `WIDTHS`.
fn missing_to(width: i128, text: &str) -> usize {
    (width - text.chars().count() as i128).max(0) as usize
}

/// Returns the greatest number of splits or replacements, of which a negative number means all; `None` if CPython
/// raises `OverflowError`, as the number does not fit 64 bits.
fn most_of(most: i128) -> Option<usize> {
    let most = i64::try_from(most).ok()?;
    Some(usize::try_from(most).unwrap_or(usize::MAX))
}

/// Returns whether a character is ASCII whitespace for `strip` and `split`.
fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r' | '\x1c'..='\x1f')
}

fn titled(text: &str) -> String {
    let mut after_letter = false;
    let letters = text.chars().map(|c| {
        let c = match after_letter {
            true => c.to_ascii_lowercase(),
            false => c.to_ascii_uppercase(),
        };
        after_letter = c.is_ascii_alphabetic();
        c
    });
    letters.collect()
}

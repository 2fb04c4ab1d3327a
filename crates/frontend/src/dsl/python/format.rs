//! Format specifications: `{value:>8.2f}` and `"%d" % value`.

use super::super::value::Value;
use super::text::MAX_TEXT;
use a2lint_source::text::Slice;

/// A replacement field of `str.format`.
pub struct Field {
    pub name: String,
    pub conversion: Option<char>,
    pub spec: String,
}

/// Splits a format string into text and the field after it; `None` if it uses a feature that is not modelled.
pub fn brace_fields(text: &str) -> Option<Vec<(String, Option<Field>)>> {
    let mut parts = Vec::new();
    let mut before = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        before.push_str(rest.part(..at));
        let tail = rest.part(at..);
        if tail.starts_with("{{") || tail.starts_with("}}") {
            before.push_str(tail.part(..1));
            rest = tail.part(2..);
            continue;
        }
        let end = tail.find('}').filter(|_| tail.starts_with('{'))?;
        let (field, spec) = tail
            .part(1..end)
            .split_once(':')
            .unwrap_or((tail.part(1..end), ""));
        let (name, conversion) = match field.split_once('!') {
            Some((name, conversion)) => (name, Some(conversion.chars().next()?)),
            None => (field, None),
        };
        // Attributes, subscripts and nested fields are not modelled.
        if name.contains(['.', '[']) || spec.contains('{') {
            return None;
        }
        let field = Field {
            name: name.to_owned(),
            conversion,
            spec: spec.to_owned(),
        };
        parts.push((std::mem::take(&mut before), Some(field)));
        rest = tail.part(end + 1..);
    }
    before.push_str(rest);
    parts.push((before, None));
    Some(parts)
}

/// A parsed format specification.
#[derive(Default)]
struct Spec {
    fill: Option<char>,
    align: Option<char>,
    sign: Option<char>,
    zero: bool,
    width: usize,
    comma: bool,
    precision: Option<usize>,
    kind: Option<char>,
}

fn read(spec: &str) -> Option<Spec> {
    let chars: Vec<char> = spec.chars().collect();
    let mut read = Spec::default();
    let mut at = 0;
    let is_align = |c: Option<&char>| matches!(c, Some('<' | '>' | '^' | '='));
    // A fill character is recognised by the alignment after it.
    if is_align(chars.get(1)) {
        (read.fill, read.align) = (Some(chars[0]), Some(chars[1]));
        at = 2;
    } else if is_align(chars.first()) {
        read.align = Some(chars[0]);
        at = 1;
    }
    if let Some(sign @ ('+' | '-' | ' ')) = chars.get(at) {
        read.sign = Some(*sign);
        at += 1;
    }
    if chars.get(at) == Some(&'0') {
        read.zero = true;
        at += 1;
    }
    let number = |at: &mut usize| -> Option<usize> {
        let start = *at;
        while chars.get(*at).is_some_and(char::is_ascii_digit) {
            *at += 1;
        }
        let text: String = chars[start..*at].iter().collect();
        match text.is_empty() {
            true => None,
            // A number that does not fit is treated as too large.
            false => text.parse().ok().or(Some(MAX_TEXT + 1)),
        }
    };
    read.width = number(&mut at).unwrap_or(0);
    if chars.get(at) == Some(&',') {
        read.comma = true;
        at += 1;
    }
    if chars.get(at) == Some(&'.') {
        at += 1;
        read.precision = Some(number(&mut at)?);
    }
    if let Some(kind) = chars.get(at) {
        read.kind = Some(*kind);
        at += 1;
    }
    // CPython accepts any width; larger ones are unknown here, to bound memory.
    let is_small = read.width <= 1000 && read.precision.is_none_or(|it| it <= 100);
    (at == chars.len() && is_small).then_some(read)
}

/// Evaluates `format(value, spec)` of a plain value; `None` if it is not modelled.
pub fn apply(value: &Value, spec: &str) -> Option<String> {
    let spec = read(spec)?;
    if let Value::Str(text) = value {
        // For strings, `=` alignment, signs and `,` raise, and `0` differs between versions.
        if spec.sign.is_some() || spec.comma || spec.zero || !matches!(spec.kind, None | Some('s'))
        {
            return None;
        }
        let text: String = match spec.precision {
            Some(most) => text.chars().take(most).collect(),
            None => text.to_string(),
        };
        return padded(&text, "", &spec, '<');
    }
    let (sign, digits) = match value {
        Value::Int(number) => integer(*number, &spec)?,
        // `format(True, "")` is "True", while `format(True, "d")` is "1".
        Value::Bool(truth) if spec.kind.is_some() => integer((*truth).into(), &spec)?,
        Value::Float(number) => real(*number, &spec)?,
        _ => return None,
    };
    let sign = match (sign, spec.sign) {
        (true, _) => "-",
        (false, Some('+')) => "+",
        (false, Some(' ')) => " ",
        _ => "",
    };
    // Numbers are aligned to the right by default, strings to the left.
    padded(&digits, sign, &spec, '>')
}

fn integer(number: i128, spec: &Spec) -> Option<(bool, String)> {
    let size = number.unsigned_abs();
    let digits = match spec.kind {
        Some('f' | 'F' | 'e' | '%') => {
            // Larger ints are rounded when they are converted to a float.
            (size < 1 << 53).then_some(())?;
            return real(number as f64, spec);
        }
        _ if spec.precision.is_some() => return None,
        None | Some('d') => grouped(&size.to_string(), spec.comma),
        Some(_) if spec.comma => return None,
        Some('x') => format!("{size:x}"),
        Some('X') => format!("{size:X}"),
        Some('b') => format!("{size:b}"),
        Some('o') => format!("{size:o}"),
        _ => return None,
    };
    Some((number < 0, digits))
}

fn real(number: f64, spec: &Spec) -> Option<(bool, String)> {
    // `nan` and `inf` ignore zero padding in ways that are not modelled.
    if !number.is_finite() {
        return None;
    }
    let precision = spec.precision.unwrap_or(6);
    let size = number.abs();
    let digits = match spec.kind {
        Some('f' | 'F') => {
            let text = format!("{size:.precision$}");
            match text.split_once('.') {
                Some((whole, rest)) => format!("{}.{rest}", grouped(whole, spec.comma)),
                None => grouped(&text, spec.comma),
            }
        }
        Some('e') if !spec.comma => {
            let text = format!("{size:.precision$e}");
            // Rust writes `1e5`, C writes `1e+05`.
            let (digits, exponent) = text.split_once('e')?;
            let exponent: i32 = exponent.parse().ok()?;
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.abs())
        }
        None if spec.precision.is_none() && !spec.comma => super::text::float(size),
        _ => return None,
    };
    Some((number.is_sign_negative(), digits))
}

/// Inserts a comma before every group of three digits.
fn grouped(digits: &str, comma: bool) -> String {
    if !comma {
        return digits.to_owned();
    }
    let mut result = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            result.push(',');
        }
        result.push(digit);
    }
    result
}

fn padded(text: &str, sign: &str, spec: &Spec, default: char) -> Option<String> {
    let missing = spec.width.saturating_sub(text.chars().count() + sign.len());
    // Zero padding with commas groups the zeros too, and an explicit alignment changes their place.
    if spec.zero && (spec.comma || spec.align.is_some() || spec.fill.is_some()) && missing > 0 {
        return None;
    }
    let fill = spec.fill.unwrap_or(if spec.zero { '0' } else { ' ' });
    let align = spec.align.unwrap_or(if spec.zero { '=' } else { default });
    let fills = |count: usize| fill.to_string().repeat(count);
    Some(match align {
        '<' => format!("{sign}{text}{}", fills(missing)),
        '>' => format!("{}{sign}{text}", fills(missing)),
        '=' if default == '>' => format!("{sign}{}{text}", fills(missing)),
        '^' => format!(
            "{}{sign}{text}{}",
            fills(missing / 2),
            fills(missing - missing / 2)
        ),
        _ => return None,
    })
}

//! Evaluation of literals.

use super::ast::ExprKind;
use a2lint_source::text::Slice;

/// Evaluates an integer literal; [`ExprKind::Error`] beyond 128 bits and for `1L`, `1j` and `017`.
pub(super) fn integer(text: &str) -> ExprKind {
    let (radix, digits) = split_radix(text);
    let leading_zero = radix == 10 && digits.starts_with('0');
    if digits.ends_with('_') || (leading_zero && digits.bytes().any(|b| !matches!(b, b'0' | b'_')))
    {
        return ExprKind::Error;
    }
    i128::from_str_radix(&digits.replace('_', ""), radix).map_or(ExprKind::Error, ExprKind::Int)
}

fn split_radix(text: &str) -> (u32, &str) {
    let prefixes = [
        ("0x", 16),
        ("0X", 16),
        ("0o", 8),
        ("0O", 8),
        ("0b", 2),
        ("0B", 2),
    ];
    prefixes
        .iter()
        .find_map(|&(prefix, radix)| Some((radix, text.strip_prefix(prefix)?)))
        .unwrap_or((10, text))
}

/// Evaluates a floating-point literal; [`ExprKind::Error`] for imaginary ones.
pub(super) fn float(text: &str) -> ExprKind {
    text.replace('_', "")
        .parse()
        .map_or(ExprKind::Error, ExprKind::Float)
}

/// Evaluates a string literal, given its opening (`rb"`, `'''`, …) and the text after that.
pub(super) fn string(opening: &str, content: &str) -> ExprKind {
    let prefix = opening.trim_end_matches(['"', '\'']).to_ascii_lowercase();
    if prefix.contains(['b', 'f', 't']) {
        return ExprKind::OpaqueStr;
    }
    let content = content.replace("\r\n", "\n");
    if prefix.contains('r') {
        return ExprKind::Str(content);
    }
    unescape(&content).map_or(ExprKind::OpaqueStr, ExprKind::Str)
}

/// Evaluates the text between the values of an f-string; `None` if it has escapes that are not evaluated.
pub(super) fn format_text(opening: &str, content: &str) -> Option<String> {
    let prefix = opening.trim_end_matches(['"', '\'']).to_ascii_lowercase();
    let content = content.replace("\r\n", "\n");
    let content = content.replace("{{", "{").replace("}}", "}");
    match prefix.contains('r') {
        true => Some(content),
        false => unescape(&content),
    }
}

/// Replaces the escapes in `content`; `None` for named characters and lone surrogates.
fn unescape(content: &str) -> Option<String> {
    let mut value = String::with_capacity(content.len());
    let mut rest = content;
    while let Some(at) = rest.find('\\') {
        value.push_str(rest.part(..at));
        rest = escape(rest.part(at + 1..), &mut value)?;
    }
    value.push_str(rest);
    Some(value)
}

/// Evaluates the escape after a backslash, and returns the text after it.
fn escape<'t>(text: &'t str, value: &mut String) -> Option<&'t str> {
    let Some(first) = text.chars().next() else {
        value.push('\\');
        return Some(text);
    };
    let rest = text.part(first.len_utf8()..);
    let plain = match first {
        '\n' => return Some(rest),
        '\\' | '\'' | '"' => first,
        'a' => '\x07',
        'b' => '\x08',
        'f' => '\x0c',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\x0b',
        'x' => return code_point(rest, 2, 16, value),
        'u' => return code_point(rest, 4, 16, value),
        'U' => return code_point(rest, 8, 16, value),
        'N' => return None,
        '0'..='7' => {
            let octal = |b: &u8| matches!(b, b'0'..=b'7');
            let digits = text.bytes().take(3).take_while(octal).count();
            return code_point(text, digits, 8, value);
        }
        // Unknown escapes keep their backslash.
        _ => {
            value.push('\\');
            first
        }
    };
    value.push(plain);
    Some(rest)
}

fn code_point<'t>(text: &'t str, digits: usize, radix: u32, value: &mut String) -> Option<&'t str> {
    let (number, rest) = text.split_at_checked(digits)?;
    value.push(char::from_u32(u32::from_str_radix(number, radix).ok()?)?);
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_every_base() {
        for (text, value) in [
            ("0", 0),
            ("0_0", 0),
            ("1_000", 1000),
            ("0xFF_ff", 0xffff),
            ("0Xa", 10),
            ("0o17", 15),
            ("0b1010_1", 21),
            ("0xFFFFFFFFFFFFFFFF", u64::MAX as i128),
            ("170141183460469231731687303715884105727", i128::MAX),
        ] {
            assert_eq!(integer(text), ExprKind::Int(value), "{text}");
        }
        for text in [
            "170141183460469231731687303715884105728",
            "017",
            "1L",
            "1j",
            "1_",
        ] {
            assert_eq!(integer(text), ExprKind::Error, "{text}");
        }
    }

    #[test]
    fn floats() {
        for (text, value) in [("1e30", 1e30), (".5", 0.5), ("1.", 1.0), ("1_0.0", 10.0)] {
            assert_eq!(float(text), ExprKind::Float(value), "{text}");
        }
        assert_eq!(float("1.5j"), ExprKind::Error);
    }

    #[test]
    fn strings() {
        let value = |opening, content| match string(opening, content) {
            ExprKind::Str(value) => value,
            other => panic!("{other:?}"),
        };
        assert_eq!(value("\"", r"a\n\x41\u6c49\101\q\'"), "a\nA汉A\\q'");
        assert_eq!(value("\"", "a\\\r\nb\r\n"), "ab\n");
        assert_eq!(value("R'", r"\n"), r"\n");
        assert_eq!(value("'", "tail\\"), "tail\\");
        for (opening, content) in [
            ("b'", "x"),
            ("rF'", "x"),
            ("'", r"\N{DASH}"),
            ("'", r"\ud800"),
        ] {
            assert_eq!(string(opening, content), ExprKind::OpaqueStr);
        }
    }
}

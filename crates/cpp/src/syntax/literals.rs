//! Literals: text to value.

use super::ast::{ExprKind, IntSuffix};

/// Parses an integer literal with its suffix; `None` for other text.
pub(super) fn integer(text: &str) -> Option<(u128, IntSuffix)> {
    let text = text.replace('\'', "").to_ascii_lowercase();
    let (digits, radix) = match text.as_bytes() {
        [b'0', b'x', ..] => (text.get(2..)?, 16),
        [b'0', b'b', ..] => (text.get(2..)?, 2),
        [b'0', b'0'..=b'9', ..] => (text.get(1..)?, 8),
        _ => (text.as_str(), 10),
    };
    let end = digits
        .find(|c: char| !c.is_digit(radix))
        .unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let (is_unsigned, longs) = match suffix {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ll" => (false, 2),
        "ul" | "lu" => (true, 1),
        "ull" | "llu" => (true, 2),
        // C++23's `z` is as wide as a long.
        "z" => (false, 1),
        "uz" | "zu" => (true, 1),
        _ => return None,
    };
    let suffix = IntSuffix {
        is_unsigned,
        longs,
        is_decimal: radix == 10,
    };
    Some((u128::from_str_radix(digits, radix).ok()?, suffix))
}

/// Parses an integer or floating literal; one with a user-defined suffix is unknown.
pub(super) fn number(text: &str) -> ExprKind {
    if let Some((value, suffix)) = integer(text) {
        return ExprKind::Int(value, suffix);
    }
    match floating(text) {
        Some((value, is_float)) => ExprKind::Float(value, is_float),
        None => ExprKind::Unknown("a literal with a suffix of its own", Vec::new()),
    }
}

fn floating(text: &str) -> Option<(f64, bool)> {
    let text = text.replace('\'', "").to_ascii_lowercase();
    if let Some(digits) = text.strip_prefix("0x") {
        return hexadecimal(digits);
    }
    let (digits, suffix) = split_suffix(&text, |c| matches!(c, 'f' | 'l'));
    let is_float = match suffix {
        "" | "l" => false,
        "f" => true,
        _ => return None,
    };
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | '+' | '-');
    if !digits.chars().all(is_number) {
        return None;
    }
    // A literal of type float is rounded once, from the digits.
    let value = match is_float {
        true => f64::from(digits.parse::<f32>().ok()?),
        false => digits.parse().ok()?,
    };
    Some((value, is_float))
}

fn split_suffix(text: &str, is_suffix: impl Fn(char) -> bool) -> (&str, &str) {
    let end = text.trim_end_matches(is_suffix).len();
    text.split_at(end)
}

/// Parses a hexadecimal floating literal, as `1.8p-3`. Literals of more than 53 bits are not exact and give `None`.
fn hexadecimal(text: &str) -> Option<(f64, bool)> {
    let (digits, exponent) = text.split_once('p')?;
    let (exponent, suffix) = split_suffix(exponent, |c| matches!(c, 'f' | 'l'));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let bits = u64::from_str_radix(&[whole, part].concat(), 16).ok()?;
    if bits >> 53 != 0 || !matches!(suffix, "" | "f" | "l") {
        return None;
    }
    let exponent = exponent.parse::<i32>().ok()?;
    let exponent = exponent.checked_sub(4 * i32::try_from(part.len()).ok()?)?;
    let value = bits as f64 * 2f64.powi(exponent.clamp(-1100, 1100));
    let is_float = suffix == "f";
    match is_float {
        true => Some((f64::from(value as f32), true)),
        false => Some((value, false)),
    }
}

/// Parses a character literal of one character.
pub(super) fn character(text: &str) -> Option<u32> {
    let open = text.find('\'')?;
    let inside = text.get(open + 1..)?.strip_suffix('\'')?;
    let mut characters = inside.chars();
    let value = match characters.next()? {
        '\\' => escape(&mut characters)?,
        character => character as u32,
    };
    characters.next().is_none().then_some(value)
}

/// Parses a string literal; `None` if it has a user-defined suffix.
pub(super) fn string(text: &str) -> Option<String> {
    let open = text.find('"')?;
    if text.get(..open)?.ends_with('R') {
        let from = text.find('(')?;
        let delimiter = text.get(open + 1..from)?;
        let close = format!("){delimiter}\"");
        return Some(
            text.get(from + 1..)?
                .strip_suffix(close.as_str())?
                .to_owned(),
        );
    }
    let inside = text.get(open + 1..)?.strip_suffix('"')?;
    let mut found = String::new();
    let mut characters = inside.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => found.push(char::from_u32(escape(&mut characters)?).unwrap_or('\u{fffd}')),
            character => found.push(character),
        }
    }
    Some(found)
}

fn escape(characters: &mut std::str::Chars<'_>) -> Option<u32> {
    let first = characters.next()?;
    let digits = |characters: &mut std::str::Chars<'_>, most: usize, radix: u32| {
        let mut value: Option<u32> = None;
        for _ in 0..most {
            let Some(digit) = characters.clone().next().and_then(|c| c.to_digit(radix)) else {
                break;
            };
            characters.next();
            let before = value.unwrap_or(0);
            value = Some(before.wrapping_mul(radix).wrapping_add(digit));
        }
        value
    };
    Some(match first {
        'n' => 10,
        't' => 9,
        'r' => 13,
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'e' => 27,
        '0'..='7' => {
            let first = first.to_digit(8)?;
            let mut value = first;
            for _ in 0..2 {
                let Some(digit) = characters.clone().next().and_then(|c| c.to_digit(8)) else {
                    break;
                };
                characters.next();
                value = value * 8 + digit;
            }
            value
        }
        'x' => digits(characters, usize::MAX, 16)?,
        'u' => digits(characters, 4, 16)?,
        'U' => digits(characters, 8, 16)?,
        other => other as u32,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> Option<(u128, bool, u8, bool)> {
        integer(text).map(|(value, it)| (value, it.is_unsigned, it.longs, it.is_decimal))
    }

    #[test]
    fn integers_have_a_radix_and_a_suffix() {
        assert_eq!(int("0xFFu"), Some((255, true, 0, false)));
        assert_eq!(int("1'000LL"), Some((1000, false, 2, true)));
        assert_eq!(int("017"), Some((15, false, 0, false)));
        assert_eq!(int("0b101uL"), Some((5, true, 1, false)));
        assert_eq!(int("0"), Some((0, false, 0, true)));
        assert_eq!((int("089"), int("1.0"), int("12_km")), (None, None, None));
    }

    #[test]
    fn floats_are_rounded_once() {
        assert_eq!(floating("0.1f"), Some((f64::from(0.1f32), true)));
        assert_eq!(floating("1e-3"), Some((1e-3, false)));
        assert_eq!(floating("0x1.8p1"), Some((3.0, false)));
        assert_eq!(floating("1.0_x"), None);
        assert!(matches!(number("1.0_x"), ExprKind::Unknown(..)));
    }

    #[test]
    fn escapes_of_characters_and_strings() {
        assert_eq!(character("'\\n'"), Some(10));
        assert_eq!(character("L'\\x41'"), Some(0x41));
        assert_eq!(character("'ab'"), None);
        assert_eq!(string("\"a\\tb\\101\"").as_deref(), Some("a\tbA"));
        assert_eq!(string("R\"x(a\\n)x\"").as_deref(), Some("a\\n"));
        assert_eq!(string("\"km\"_s"), None);
    }
}

//! Splitting the bytes that clients send into messages.
//!
//! The language server, the debug adapter and the MCP server read through this module, so that a malformed message
//! costs that message alone.

mod envelope;
mod frames;

pub use envelope::Envelope;
pub use frames::{Broken, Frames};

/// Replaces escapes of lone surrogates (`"\ud83d"`) by `\ufffd`; `None` if there are none.
///
/// Clients that count in UTF-16 write them where they cut a text between the halves of a pair. The replacement is one
/// UTF-16 unit as well, so later positions stay valid.
pub fn without_lone_surrogates(message: &[u8]) -> Option<Vec<u8>> {
    let mut mended = message.to_vec();
    let mut any = false;
    let mut at = 0;
    while at < message.len() {
        match (message[at], surrogate(message, at)) {
            (b'\\', Some(Half::High)) if surrogate(message, at + 6) == Some(Half::Low) => at += 12,
            (b'\\', Some(_)) => {
                mended[at + 2..at + 6].copy_from_slice(b"fffd");
                any = true;
                at += 6;
            }
            (b'\\', None) => at += 2,
            _ => at += 1,
        }
    }
    any.then_some(mended)
}

/// One half of a surrogate pair.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    High,
    Low,
}

/// Returns the surrogate that is escaped at an offset.
fn surrogate(message: &[u8], at: usize) -> Option<Half> {
    let escape = message.get(at..at + 6)?;
    let digits = std::str::from_utf8(escape.strip_prefix(b"\\u")?).ok()?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xD800..=0xDBFF => Some(Half::High),
        0xDC00..=0xDFFF => Some(Half::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates_are_replaced_and_pairs_stay() {
        let mended = |text: &str| {
            without_lone_surrogates(text.as_bytes()).map(|it| String::from_utf8(it).expect("text"))
        };
        assert_eq!(mended(r#""\ud83d\ude42 é \\ud83d""#), None);
        assert_eq!(mended(r#""\ud83d""#).as_deref(), Some(r#""\ufffd""#));
        assert_eq!(
            mended(r#""\uDE42\ud83d\ud83d\ude42\\\ud83dx""#).as_deref(),
            Some(r#""\ufffd\ufffd\ud83d\ude42\\\ufffdx""#)
        );
        assert_eq!(mended(r#""\ud8"#), None);
    }
}

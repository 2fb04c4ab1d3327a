//! Replaces attributes and launch brackets of device dialects by spaces, so that the C++ grammar accepts the rest.
//! Offsets do not change.

use std::borrow::Cow;

/// Keywords and macros for functions and address spaces, which the grammar would take for types.
const ATTRIBUTES: &[&str] = &[
    "__aicore__",
    "__aiv__",
    "__aic__",
    "__mix__",
    "__attribute_aicore__",
    "__cbuf__",
    "__ca__",
    "__cb__",
    "__cc__",
    "__constant__",
    "__device__",
    "__fbuf__",
    "__forceinline__",
    "__global__",
    "__gm__",
    "__grid_constant__",
    "__host__",
    "__host_aicore__",
    "__in__",
    "__inline__",
    "__inout__",
    "__managed__",
    "__noinline__",
    "__out__",
    "__restrict__",
    "__shared__",
    "__simd_callee__",
    "__simd_vf__",
    "__simt_vf__",
    "__ssbuf__",
    "__sync_alias__",
    "__sync_noalias__",
    "__sync_in__",
    "__sync_out__",
    "__tf__",
    "__ubuf__",
    "__vector__",
    "__cube__",
    "AICORE",
    "PTO_INLINE",
    "PTO_INST",
    "PTO_INTERNAL",
    "TILEOP",
];

/// Attributes that are followed by arguments in parentheses.
const WITH_ARGUMENTS: &[&str] = &[
    "__launch_bounds__",
    "__cluster_dims__",
    "__in_pipe__",
    "__out_pipe__",
];

/// Number of bytes within which `>>>` must follow `<<<`.
const LONGEST_LAUNCH: usize = 1000;

/// Returns the text with attributes and launch configurations blanked; borrowed if it has none. Strings and comments
/// are left alone.
pub fn blank(text: &str) -> Cow<'_, str> {
    let mut blanked: Option<Vec<u8>> = None;
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let (end, clear) = match byte {
            b'/' if bytes[at..].starts_with(b"//") => (line_end(bytes, at), false),
            b'/' if bytes[at..].starts_with(b"/*") => (find(bytes, at + 2, b"*/"), false),
            b'"' => (string_end(bytes, at), false),
            b'\'' => (character_end(bytes, at), false),
            b'<' if bytes[at..].starts_with(b"<<<") => launch(bytes, at),
            byte if is_word(byte) => word(bytes, at),
            _ => (at + 1, false),
        };
        if clear {
            let copy = blanked.get_or_insert_with(|| bytes.to_vec());
            for byte in &mut copy[at..end] {
                if !byte.is_ascii_whitespace() {
                    *byte = b' ';
                }
            }
        }
        at = end;
    }
    match blanked.map(String::from_utf8) {
        Some(Ok(text)) => Cow::Owned(text),
        _ => Cow::Borrowed(text),
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes[at..].iter();
    rest.take_while(|&&byte| byte != b'\n').count() + at
}

/// Returns the offset after the next `needle`; the end of the text if there is none.
fn find(bytes: &[u8], from: usize, needle: &[u8]) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    let found = rest
        .windows(needle.len())
        .position(|window| window == needle);
    found.map_or(bytes.len(), |found| from + found + needle.len())
}

/// Returns the offset after the closing quote, or the end of the line if there is none. Raw strings end at their
/// delimiter.
fn string_end(bytes: &[u8], at: usize) -> usize {
    if at > 0 && bytes[at - 1] == b'R' {
        let open = bytes[at..].iter().position(|&byte| byte == b'(');
        // A delimiter has at most 16 characters.
        if let Some(open) = open.filter(|&open| open <= 17) {
            let mut close = vec![b')'];
            close.extend(&bytes[at + 1..at + open]);
            close.push(b'"');
            return find(bytes, at + open, &close);
        }
    }
    quoted_end(bytes, at, b'"')
}

/// Returns the offset after a character literal. A quote after a digit is a digit separator of a number.
fn character_end(bytes: &[u8], at: usize) -> usize {
    match at > 0 && bytes[at - 1].is_ascii_hexdigit() {
        true => at + 1,
        false => quoted_end(bytes, at, b'\''),
    }
}

fn quoted_end(bytes: &[u8], at: usize, quote: u8) -> usize {
    let mut end = at + 1;
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'\\' => end += 2,
            b'\n' => return end,
            byte if byte == quote => return end + 1,
            _ => end += 1,
        }
    }
    bytes.len()
}

/// Returns the end of `<<<...>>>`, and whether it is a launch configuration to be blanked.
fn launch(bytes: &[u8], at: usize) -> (usize, bool) {
    let limit = bytes.len().min(at + LONGEST_LAUNCH);
    let end = find(&bytes[..limit], at + 3, b">>>");
    let inside = bytes.get(at + 3..end).unwrap_or_default();
    let closed = bytes[..end].ends_with(b">>>") && end > at + 5;
    match closed && !inside.contains(&b';') {
        true => (end, true),
        false => (at + 3, false),
    }
}

fn word(bytes: &[u8], at: usize) -> (usize, bool) {
    let rest = bytes[at..].iter();
    let end = at + rest.take_while(|&&byte| is_word(byte)).count();
    let word = &bytes[at..end];
    let is = |list: &[&str]| list.iter().any(|name| name.as_bytes() == word);
    // The first letters of all attributes, for an early exit.
    if !matches!(word[0], b'_' | b'A' | b'P' | b'T') {
        return (end, false);
    }
    if is(WITH_ARGUMENTS) {
        let spaces = bytes[end..]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace());
        let open = end + spaces.count();
        if bytes.get(open) == Some(&b'(') {
            return (closing(bytes, open), true);
        }
    }
    (end, is(ATTRIBUTES))
}

/// Returns the offset after the parenthesis that matches the one at `open`, or `open` if a statement ends before it.
fn closing(bytes: &[u8], open: usize) -> usize {
    let mut depth = 0usize;
    for (offset, byte) in bytes[open..].iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return open + offset + 1,
            b')' => depth -= 1,
            b';' | b'{' => return open,
            _ => {}
        }
    }
    open
}

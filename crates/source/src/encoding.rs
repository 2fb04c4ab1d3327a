//! Encodings of source files: decoding bytes into text, and encoding text again as the file was.
//!
//! Python sources are UTF-8 unless their first or second line declares another encoding (PEP 263). An encoding that
//! is not read exactly as Python reads it is an error with a reason, never a guess.

use std::borrow::Cow;

use crate::language::Language;
use crate::text::SourceText;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Number of bytes at the start of a file that are searched for the zero bytes of UTF-16.
const SNIFFED: usize = 1 << 10;

/// Prefixes of normalised encoding names whose encodings agree with ASCII on bytes below 128. A file of such bytes
/// alone reads the same in all of them.
const ASCII_SUPERSETS: &[&str] = &[
    "ascii",
    "us-ascii",
    "646",
    "ansi-x3.4",
    "iso-8859-",
    "iso8859-",
    "latin",
    "l1",
    "cp437",
    "cp850",
    "cp852",
    "cp866",
    "cp874",
    "cp125",
    "cp932",
    "cp936",
    "cp949",
    "cp950",
    "windows-125",
    "gb2312",
    "gbk",
    "gb18030",
    "big5",
    "euc-",
    "eucjp",
    "euckr",
    "shift-jis",
    "sjis",
    "koi8-",
    "mac-",
    "tis-620",
];

/// The reason why the bytes of a file are not decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// Bytes that are not UTF-8 in a file that should be.
    NotUtf8 {
        /// Offset of the first offending byte, a byte order mark included.
        offset: usize,
    },
    /// An encoding that is not supported, with the reason.
    Encoding(String),
}

/// The encoding of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Utf8,
    /// Every byte is the code point of the same number.
    Latin1,
}

/// Decodes the bytes of a file. A UTF-8 byte order mark is dropped.
pub fn decode(bytes: Vec<u8>, language: Language) -> Result<SourceText, Unreadable> {
    match encoding_of(&bytes, language)? {
        Encoding::Latin1 => {
            let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
            Ok(SourceText::new(text))
        }
        Encoding::Utf8 => SourceText::decode(bytes).map_err(|error| Unreadable::NotUtf8 {
            offset: error.offset,
        }),
    }
}

/// Encodes the new text of a file like its `old` bytes: with their byte order mark, encoding and line ends. The error
/// is the reason why that is impossible.
pub fn encode(new: &str, old: &[u8], language: Language) -> Result<Vec<u8>, &'static str> {
    let encoding = encoding_of(old, language).map_err(|_| "its encoding is not known")?;
    let text = match line_end(old)? {
        LineEnd::Kept => Cow::Borrowed(new),
        LineEnd::CarriageReturn => Cow::Owned(new.replace('\n', "\r")),
    };
    match encoding {
        Encoding::Utf8 => {
            let mark = match old.starts_with(BYTE_ORDER_MARK) {
                true => BYTE_ORDER_MARK,
                false => b"",
            };
            Ok([mark, text.as_bytes()].concat())
        }
        Encoding::Latin1 => {
            let bytes: Result<Vec<u8>, _> = text.chars().map(u8::try_from).collect();
            bytes.map_err(|_| "the new text has characters that its encoding lacks")
        }
    }
}

/// Returns the bytes in a form in which ASCII words can be searched for: UTF-16 is converted to UTF-8, everything
/// else is returned as it is.
pub fn searchable(bytes: &[u8]) -> Cow<'_, [u8]> {
    let Some(wide) = utf16(bytes) else {
        return Cow::Borrowed(bytes);
    };
    let units = bytes.chunks_exact(2).map(|pair| match wide {
        Wide::LittleEndian => u16::from_le_bytes([pair[0], pair[1]]),
        Wide::BigEndian => u16::from_be_bytes([pair[0], pair[1]]),
    });
    let chars = char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER));
    let text: String = chars.filter(|&char| char != '\u{feff}').collect();
    Cow::Owned(text.into_bytes())
}

/// The line ends that have to be restored when a file is written.
enum LineEnd {
    /// As they are in the text (LF or CR LF).
    Kept,
    /// A lone carriage return, which the text holds as a line feed.
    CarriageReturn,
}

fn line_end(bytes: &[u8]) -> Result<LineEnd, &'static str> {
    let is_alone = |at: usize| bytes.get(at + 1) != Some(&b'\n');
    if !memchr::memchr_iter(b'\r', bytes).any(is_alone) {
        return Ok(LineEnd::Kept);
    }
    match memchr::memchr(b'\n', bytes) {
        None => Ok(LineEnd::CarriageReturn),
        // The text does not record which of its line feeds were carriage returns.
        Some(_) => Err("some of its lines end with a carriage return alone, and others do not"),
    }
}

fn encoding_of(bytes: &[u8], language: Language) -> Result<Encoding, Unreadable> {
    let refused = |why: String| Err(Unreadable::Encoding(why));
    if utf16(bytes).is_some() {
        return refused("UTF-16 text; save the file as UTF-8".to_owned());
    }
    if language != Language::Easyasc {
        return Ok(Encoding::Utf8);
    }
    if let Some(offset) = memchr::memchr(0, bytes) {
        return refused(format!(
            "a null byte (offset {offset}), which Python refuses"
        ));
    }
    let Some(declared) = declared(bytes) else {
        return Ok(Encoding::Utf8);
    };
    let name = normalised(&declared);
    if is_utf8(&name) {
        return Ok(Encoding::Utf8);
    }
    if bytes.starts_with(BYTE_ORDER_MARK) {
        return refused(format!(
            "a UTF-8 byte order mark and a declared encoding `{declared}`, which Python refuses"
        ));
    }
    if is_latin1(&name) {
        return Ok(Encoding::Latin1);
    }
    let is_superset = ASCII_SUPERSETS.iter().any(|start| name.starts_with(start));
    match bytes.is_ascii() && is_superset {
        true => Ok(Encoding::Utf8),
        false => refused(format!(
            "declared encoding `{declared}`, which a2lint does not read; save the file as UTF-8"
        )),
    }
}

enum Wide {
    LittleEndian,
    BigEndian,
}

/// Returns the byte order if bytes are UTF-16: if they start with its byte order mark, or if more than half of every
/// other byte at their start is zero, as in ASCII text.
fn utf16(bytes: &[u8]) -> Option<Wide> {
    match bytes {
        [0xff, 0xfe, ..] => return Some(Wide::LittleEndian),
        [0xfe, 0xff, ..] => return Some(Wide::BigEndian),
        _ => {}
    }
    let start = &bytes[..bytes.len().min(SNIFFED)];
    let zeros = |from: usize| {
        start
            .iter()
            .skip(from)
            .step_by(2)
            .filter(|&&byte| byte == 0)
            .count()
    };
    // Half of every other byte.
    let half = start.len() / 4;
    match [zeros(0), zeros(1)] {
        [0, odd] if odd > half => Some(Wide::LittleEndian),
        [even, 0] if even > half => Some(Wide::BigEndian),
        _ => None,
    }
}

/// Returns the encoding that one of the first two lines declares. The second line counts only if the first one is
/// blank or a comment, as in Python.
fn declared(bytes: &[u8]) -> Option<String> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let mut lines = bytes.split(|&byte| byte == b'\n' || byte == b'\r');
    let first = lines.next()?;
    // Lines are split at both characters, so CR LF yields an empty line in between.
    let skipped = usize::from(bytes[first.len()..].starts_with(b"\r\n"));
    let second = lines.nth(skipped);
    let blank = |line: &[u8]| {
        let text = line
            .iter()
            .find(|byte| !matches!(byte, b' ' | b'\t' | b'\x0c'));
        text.is_none_or(|&byte| byte == b'#')
    };
    if let Some(found) = declaration(first) {
        return Some(found);
    }
    match blank(first) {
        true => declaration(second?),
        false => None,
    }
}

/// Returns the name in `# -*- coding: name -*-`.
fn declaration(line: &[u8]) -> Option<String> {
    let start = line
        .iter()
        .position(|byte| !matches!(byte, b' ' | b'\t' | b'\x0c'))?;
    let comment = line[start..].strip_prefix(b"#")?;
    let mut places = memchr::memmem::find_iter(comment, b"coding");
    places.find_map(|at| {
        let rest = &comment[at + b"coding".len()..];
        let rest = rest.strip_prefix(b":").or(rest.strip_prefix(b"="))?;
        let rest = &rest[rest
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count()..];
        let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        let name: Vec<u8> = rest.iter().take_while(is_name).copied().collect();
        String::from_utf8(name).ok().filter(|name| !name.is_empty())
    })
}

fn normalised(name: &str) -> String {
    name.to_ascii_lowercase().replace('_', "-")
}

fn is_utf8(name: &str) -> bool {
    matches!(
        name,
        "utf-8" | "utf8" | "u8" | "utf" | "utf-8-sig" | "cp65001"
    ) || name.starts_with("utf-8-")
}

fn is_latin1(name: &str) -> bool {
    matches!(
        name,
        "latin-1"
            | "latin1"
            | "latin"
            | "l1"
            | "iso-8859-1"
            | "iso8859-1"
            | "8859"
            | "cp819"
            | "iso-latin-1"
    ) || ["latin-1-", "iso-8859-1-", "iso-latin-1-"]
        .iter()
        .any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn python(bytes: &[u8]) -> Result<String, Unreadable> {
        decode(bytes.to_vec(), Language::Easyasc).map(|text| text.as_str().to_owned())
    }

    fn reason(bytes: &[u8]) -> String {
        match python(bytes) {
            Err(Unreadable::Encoding(reason)) => reason,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn declared_encodings_are_read_as_python_reads_them() {
        let latin = b"# -*- coding: latin-1 -*-\nx = '\xe9'\n";
        assert_eq!(
            python(latin).unwrap(),
            "# -*- coding: latin-1 -*-\nx = '\u{e9}'\n"
        );
        for head in [
            "#!/bin/sh\n# vim: fileencoding=ISO-8859-1 :\n",
            " \t\r\n#coding=iso-8859-1\r\n",
        ] {
            let text = [head.as_bytes(), b"# \xe9"].concat();
            assert!(python(&text).unwrap().ends_with('\u{e9}'), "{head}");
        }
        // A declaration on the third line, or on the second one after code, does not count.
        for head in ["#\n#\n# coding: latin-1\n", "x = 1\n# coding: latin-1\n"] {
            let text = [head.as_bytes(), b"# \xe9"].concat();
            assert!(
                matches!(python(&text), Err(Unreadable::NotUtf8 { .. })),
                "{head}"
            );
        }
        assert_eq!(
            python(b"# coding: gbk\nx = 1\n").unwrap(),
            "# coding: gbk\nx = 1\n"
        );
        assert!(reason(b"# coding: gbk\n# \xb0\xa1\n").contains("`gbk`"));
        assert!(reason(b"# coding: rot13\nk = 1\n").contains("`rot13`"));
        assert!(reason(b"\xef\xbb\xbf# coding: latin-1\n").contains("byte order mark"));
        assert_eq!(
            python(b"\xef\xbb\xbf# coding: utf8\n").unwrap(),
            "# coding: utf8\n"
        );
    }

    #[test]
    fn utf_16_is_told_with_and_without_a_mark() {
        let text = "from easyasc.a2 import *\n";
        let units =
            |of: fn(u16) -> [u8; 2]| -> Vec<u8> { text.encode_utf16().flat_map(of).collect() };
        let (little, big) = (units(u16::to_le_bytes), units(u16::to_be_bytes));
        let marked = [b"\xff\xfe".as_slice(), &little].concat();
        for bytes in [&little, &big, &marked] {
            assert!(reason(bytes).starts_with("UTF-16"));
            assert_eq!(searchable(bytes), text.as_bytes());
        }
        assert!(reason(b"x = 1\0\n").contains("offset 5"));
        assert!(decode(b"int x; \0".to_vec(), Language::Cpp).is_ok());
        assert!(decode(little, Language::Cpp).is_err());
    }

    #[test]
    fn files_are_written_as_they_were() {
        let python = Language::Easyasc;
        let written = |new: &str, old: &[u8]| encode(new, old, python);
        assert_eq!(written("b\nc\n", b"a\r").unwrap(), b"b\rc\r");
        assert_eq!(
            written("b\r\n", b"\xef\xbb\xbfa\r\n").unwrap(),
            b"\xef\xbb\xbfb\r\n"
        );
        assert!(written("b\n", b"a\rb\n").is_err());
        let latin = b"# coding: latin-1\n# \xe9\n";
        assert_eq!(
            written("# coding: latin-1\n# \u{e8}\n", latin).unwrap(),
            b"# coding: latin-1\n# \xe8\n"
        );
        assert!(written("# coding: latin-1\n# \u{6c49}\n", latin).is_err());
    }
}

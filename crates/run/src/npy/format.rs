//! The `.npy` format, versions 1.0 to 3.0: a magic number, a dictionary in Python's notation, elements.

use a2lint_source::text::Slice;
use std::io::{self, Read};

const MAGIC: &[u8] = b"\x93NUMPY";
/// NumPy pads headers to a multiple of this number of bytes.
const ALIGNMENT: usize = 64;

/// The header of a file, which describes its elements.
#[derive(Debug)]
pub struct Header {
    /// NumPy's description of their type as written: `'<f4'` with its quotes, or the fields of a structure.
    pub descr: String,
    /// Extents in elements; their product is in [`Self::elements`].
    pub shape: Vec<i64>,
    /// Number of elements.
    pub elements: usize,
    /// Whether elements are in column-major order.
    is_columns_first: bool,
}

impl Header {
    /// Reads everything before the elements. Memory is allocated as bytes arrive, whatever length the file
    /// claims.
    pub fn read(input: &mut dyn Read) -> io::Result<Header> {
        let mut start = Vec::new();
        input.take(8).read_to_end(&mut start)?;
        let Some(&[major, minor]) = start.strip_prefix(MAGIC) else {
            return Err(wrong("not a .npy file (bad magic number)"));
        };
        let length = match (major, minor) {
            (1, 0) => u64::from(u16::from_le_bytes(array(input)?)),
            (2 | 3, 0) => u64::from(u32::from_le_bytes(array(input)?)),
            _ => {
                let message =
                    format!("version {major}.{minor} of the format; known are 1.0 to 3.0");
                return Err(wrong(message));
            }
        };
        let text = bytes(input, length, "its header")?;
        let text = String::from_utf8(text).map_err(|_| wrong("the header is not UTF-8"))?;
        Header::parse(&text)
    }

    fn parse(text: &str) -> io::Result<Header> {
        let entries = entries(text.trim())
            .ok_or_else(|| wrong("the header is not a dictionary in Python's notation"))?;
        // Python takes the last value of a repeated key.
        let value = |key: &str| {
            let mut found = entries.iter().rev().filter(|(name, _)| *name == key);
            let found = found.next().map(|(_, value)| *value);
            found.ok_or_else(|| wrong(format!("the header has no `{key}`")))
        };
        let descr = value("descr")?;
        let shape = value("shape")?;
        let (shape, elements) = extents(shape)
            .ok_or_else(|| wrong(format!("the header has no extents for a `shape`: {shape}")))?;
        let is_columns_first = match value("fortran_order")? {
            "True" => true,
            "False" => false,
            other => return Err(wrong(format!("`fortran_order` is {other}"))),
        };
        Ok(Header {
            descr: descr.to_owned(),
            shape,
            elements,
            is_columns_first,
        })
    }

    /// Returns kind and size in bytes of an element, as in `f4`; `None` if elements are structures.
    pub fn element(&self) -> Option<&str> {
        unquoted(&self.descr)?.strip_prefix(['<', '>', '|'])
    }

    /// Returns whether elements are big-endian. Opaque bytes, `V`, have no order.
    fn is_big_endian(&self) -> bool {
        let descr = unquoted(&self.descr).unwrap_or_default();
        descr.starts_with('>') && !descr.starts_with(">V")
    }

    /// Returns the elements of `size` bytes each, in little-endian and row-major order.
    pub fn elements(&self, input: &mut dyn Read, size: usize) -> io::Result<Vec<u8>> {
        let length = self.elements.checked_mul(size);
        let length = length.ok_or_else(|| wrong("more elements than any memory has"))?;
        let what = format!("its {} elements of {size} bytes", self.elements);
        let mut bytes = bytes(input, length as u64, &what)?;
        if self.is_big_endian() {
            bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse);
        }
        Ok(match self.is_columns_first {
            true => rows_first(&bytes, size, &self.shape),
            false => bytes,
        })
    }
}

/// Returns everything before the elements of a file in little-endian and row-major order.
pub fn header(dtype: &str, shape: &[i64]) -> Vec<u8> {
    let shape: String = shape.iter().map(|extent| format!("{extent}, ")).collect();
    let mut text = format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({shape}), }}");
    let before = MAGIC.len() + 4;
    let length = (before + text.len() + 1).next_multiple_of(ALIGNMENT) - before;
    text = format!("{text:<width$}\n", width = length - 1);
    let length = u16::try_from(length).expect("tensors have a few extents");
    [MAGIC, &[1, 0], &length.to_le_bytes(), text.as_bytes()].concat()
}

fn wrong(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message.into())
}

fn array<const N: usize>(input: &mut dyn Read) -> io::Result<[u8; N]> {
    let bytes = bytes(input, N as u64, "its header")?;
    Ok(bytes.try_into().expect("so many bytes were read"))
}

/// Reads `length` bytes. `what` names them in the error if the file ends before. Memory is allocated as bytes
/// arrive, whatever length the file claims.
fn bytes(input: &mut dyn Read, length: u64, what: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match input.take(length).read_to_end(&mut bytes)? as u64 == length {
        true => Ok(bytes),
        false => {
            let message = format!("the file ends before the end of {what}");
            Err(io::Error::new(io::ErrorKind::UnexpectedEof, message))
        }
    }
}

/// Splits a dictionary into keys and values. Values are as written.
fn entries(text: &str) -> Option<Vec<(&str, &str)>> {
    let mut rest = text.strip_prefix('{')?.strip_suffix('}')?.trim();
    let mut entries = Vec::new();
    while !rest.is_empty() {
        let (key, after) = rest.split_once(':')?;
        let end = value_end(after)?;
        entries.push((unquoted(key.trim())?, after.part(..end).trim()));
        rest = after
            .part(end..)
            .strip_prefix(',')
            .unwrap_or_default()
            .trim();
    }
    Some(entries)
}

/// Returns where a value ends: at a comma outside of brackets and quotes, or at the end of the text.
fn value_end(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b'(' | b'[') => depth += 1,
            (None, b')' | b']') => depth = depth.checked_sub(1)?,
            (None, b',') if depth == 0 => return Some(at),
            _ => {}
        }
    }
    (depth == 0 && quote.is_none()).then_some(text.len())
}

/// Returns the text between a pair of quotes.
fn unquoted(text: &str) -> Option<&str> {
    ['\'', '"']
        .into_iter()
        .find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote))
}

/// Parses extents in round or square brackets, and returns them with the number of elements.
fn extents(text: &str) -> Option<(Vec<i64>, usize)> {
    let inner = match text.strip_prefix('(') {
        Some(inner) => inner.strip_suffix(')')?,
        None => text.strip_prefix('[')?.strip_suffix(']')?,
    };
    let inner = inner.trim();
    let listed = inner.strip_suffix(',').unwrap_or(inner);
    let mut shape = Vec::new();
    let mut elements = 1_usize;
    for extent in listed.split(',').filter(|_| !inner.is_empty()) {
        let extent: i64 = extent.trim().parse().ok()?;
        elements = elements.checked_mul(usize::try_from(extent).ok()?)?;
        shape.push(extent);
    }
    Some((shape, elements))
}

/// Converts elements from column-major to row-major order.
fn rows_first(bytes: &[u8], size: usize, shape: &[i64]) -> Vec<u8> {
    let elements = bytes.len() / size;
    let place = |mut index: usize| {
        let mut at = 0;
        let mut stride = elements;
        for &extent in shape.iter().rev() {
            stride /= extent as usize;
            at += index % extent as usize * stride;
            index /= extent as usize;
        }
        at
    };
    let element = |index| &bytes[place(index) * size..][..size];
    (0..elements).flat_map(element).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of version 1.0 with this header.
    fn file(header: &str, elements: &[u8]) -> Vec<u8> {
        let length = (header.len() as u16).to_le_bytes();
        [MAGIC, &[1, 0], &length, header.as_bytes(), elements].concat()
    }

    fn dictionary(descr: &str, is_columns_first: &str, shape: &str) -> String {
        format!("{{'descr': {descr}, 'fortran_order': {is_columns_first}, 'shape': {shape}, }}")
    }

    /// The elements of a file of bytes or of 16-bit integers.
    fn elements(mut file: &[u8]) -> io::Result<Vec<u8>> {
        let header = Header::read(&mut file)?;
        let size = match header.element() {
            Some("i1") => 1,
            _ => 2,
        };
        header.elements(&mut file, size)
    }

    /// Returns the error for a file with this header and two bytes.
    fn said(header: &str) -> String {
        elements(&file(header, &[1, 2])).unwrap_err().to_string()
    }

    #[test]
    fn headers_are_those_of_numpy() {
        let text = b"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, ), }";
        let bytes = header("<f4", &[2, 3]);
        assert_eq!(bytes.len(), 128);
        assert_eq!(bytes[..10], *b"\x93NUMPY\x01\x00\x76\x00");
        assert_eq!(bytes[10..][..text.len()], *text);
        assert_eq!(bytes.last(), Some(&b'\n'));
        let scalar = Header::read(&mut &header("|b1", &[])[..]).unwrap();
        assert_eq!((scalar.element(), scalar.elements), (Some("b1"), 1));
    }

    #[test]
    fn every_version_is_read() {
        let text = dictionary("'|i1'", "False", "(2,)");
        let length = (text.len() as u32).to_le_bytes();
        for version in [2, 3] {
            let start = [MAGIC, &[version, 0], &length].concat();
            let file = [&start, text.as_bytes(), &[7, 8]].concat();
            assert_eq!(elements(&file).unwrap(), [7, 8]);
        }
        assert_eq!(elements(&file(&text, &[7, 8, 9])).unwrap(), [7, 8]);
        let newer = [MAGIC, &[4, 0], &length].concat();
        let message = elements(&newer).unwrap_err().to_string();
        assert_eq!(message, "version 4.0 of the format; known are 1.0 to 3.0");
    }

    #[test]
    fn elements_become_little_endian_and_row_major() {
        let big = file(&dictionary("'>i2'", "False", "(2,)"), &[1, 2, 3, 4]);
        assert_eq!(elements(&big).unwrap(), [2, 1, 4, 3]);
        let raw = file(&dictionary("'>V2'", "False", "(1,)"), &[1, 2]);
        assert_eq!(elements(&raw).unwrap(), [1, 2]);
        let columns = file(&dictionary("'|i1'", "True", "(2, 3)"), &[0, 3, 1, 4, 2, 5]);
        assert_eq!(elements(&columns).unwrap(), [0, 1, 2, 3, 4, 5]);
        let none = file(&dictionary("'|i1'", "True", "(0, 3)"), &[]);
        assert!(elements(&none).unwrap().is_empty());
    }

    #[test]
    fn notation_is_that_of_python() {
        let text = "{\"shape\":[2],'descr':\"|i1\", 'x': ('a, b}', [1]),'fortran_order':False}  \n";
        assert_eq!(elements(&file(text, &[1, 2])).unwrap(), [1, 2]);
        let fields = "[('größe', '<f4'), ('b', '|u1')]";
        let header = Header::parse(&dictionary(fields, "False", "(2,)")).unwrap();
        assert_eq!((header.descr.as_str(), header.element()), (fields, None));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let complete = dictionary("'|i1'", "False", "(2,)");
        for key in ["descr", "fortran_order", "shape"] {
            let message = said(&complete.replace(key, "other"));
            assert_eq!(message, format!("the header has no `{key}`"));
        }
        let notation = "the header is not a dictionary in Python's notation";
        for text in [
            "",
            "{",
            "[1]",
            "{'descr': (}",
            "{descr: 1}",
            "{'a': 'b}",
            "{'a': 1)}",
        ] {
            assert_eq!(said(text), notation, "{text}");
        }
        for shape in [
            "(-1,)",
            "(1.5,)",
            "2",
            "(2,",
            "(,)",
            "('2',)",
            "(9223372036854775808,)",
        ] {
            let message = said(&dictionary("'|i1'", "False", shape));
            let is_said = message.contains("no extents") || message == notation;
            assert!(is_said, "{shape}: {message}");
        }
        let order = said(&complete.replace("False", "0"));
        assert_eq!(order, "`fortran_order` is 0");
        assert_eq!(
            elements(b"PK").unwrap_err().to_string(),
            "not a .npy file (bad magic number)"
        );
        let latin = file("{'\u{7f}'}", &[]).into_iter();
        let latin: Vec<u8> = latin
            .map(|byte| if byte == 0x7f { 0xff } else { byte })
            .collect();
        assert_eq!(
            elements(&latin).unwrap_err().to_string(),
            "the header is not UTF-8"
        );
    }

    #[test]
    fn sizes_that_a_file_does_not_have_take_no_memory() {
        let vast = said(&dictionary("'<i2'", "False", "(4611686018427387904, 4)"));
        assert!(vast.contains("no extents"), "{vast}");
        let vast = said(&dictionary("'<i2'", "False", "(9223372036854775807,)"));
        assert!(vast.contains("the file ends"), "{vast}");
        let vast = said(&dictionary("'<i2'", "False", "(4294967296, 4294967295)"));
        assert!(vast.contains("more elements than any memory has"), "{vast}");
        let header = [MAGIC, &[2, 0], &u32::MAX.to_le_bytes(), b"{}"].concat();
        let message = elements(&header).unwrap_err().to_string();
        assert_eq!(message, "the file ends before the end of its header");
    }

    #[test]
    fn every_part_of_a_file_and_every_changed_byte_ends() {
        let whole = file(&dictionary("'>i2'", "True", "(2, 3)"), &[9; 12]);
        for length in 0..whole.len() {
            assert!(elements(&whole[..length]).is_err(), "{length}");
        }
        for at in 0..whole.len() {
            for byte in 0..=u8::MAX {
                let mut changed = whole.clone();
                changed[at] = byte;
                let _ = elements(&changed);
            }
        }
    }
}

//! Packs: the results for many files in one file.
//!
//! ```text
//! magic | signature of the index | length of the index | index | bodies
//! ```
//!
//! The index contains the digest of each body, so its signature covers all of them, and a body need not be read
//! before it is asked for. A body starts with the indices of the rows that it depends on.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::answers::Row;
use super::digest::Digest;
use super::secret::Key;
use super::{MAX_BYTES, MAX_DAYS};

/// The first bytes of a pack of any format version.
pub const NAME: &[u8; 7] = b"a2lint\0";
/// The first bytes of a pack of this format version.
const MAGIC: &[u8; 8] = b"a2lint\0\x01";
/// Number of bytes before the index.
const HEAD: usize = MAGIC.len() + blake3::OUT_LEN + size_of::<u64>();

/// A pack that has been read.
pub struct Pack {
    bytes: Vec<u8>,
    /// Offset of the first body.
    bodies: usize,
    /// The questions and answers that results depend on.
    pub rows: Vec<Row>,
    entries: Vec<Entry>,
    /// Indices of entries by slot.
    slots: HashMap<Digest, usize>,
}

/// The location of the results for a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The digest of the settings, which include the path.
    pub slot: Digest,
    /// The digest of the text.
    pub content: Digest,
    /// The day of last use, counted from 1970.
    pub used: u32,
    start: u64,
    end: u64,
    body: Digest,
}

#[derive(Serialize, Deserialize)]
struct Index {
    rows: Vec<Row>,
    entries: Vec<Entry>,
}

/// The body of an entry: the rows that results depend on, and the serialised results.
pub struct Body<'a> {
    /// Indices of the rows.
    pub rows: Vec<u32>,
    /// The serialised results.
    pub results: &'a [u8],
}

impl Pack {
    /// Creates a pack without entries.
    pub fn empty() -> Pack {
        Pack {
            bytes: Vec::new(),
            bodies: 0,
            rows: Vec::new(),
            entries: Vec::new(),
            slots: HashMap::new(),
        }
    }

    /// Reads a pack; `None` if it is malformed or not signed with the key.
    pub fn read(bytes: Vec<u8>, key: &Key) -> Option<Pack> {
        let head = bytes.get(..HEAD)?;
        let (magic, head) = head.split_at(MAGIC.len());
        let (signature, length) = head.split_at(blake3::OUT_LEN);
        let length = usize::try_from(u64::from_le_bytes(length.try_into().ok()?)).ok()?;
        let bodies = HEAD.checked_add(length)?;
        let index = bytes.get(HEAD..bodies)?;
        // `blake3::Hash` compares in constant time, so timing does not reveal the signature.
        let is_ours = key.sign(index) == blake3::Hash::from_slice(signature).ok()?;
        if magic != MAGIC || !is_ours {
            return None;
        }
        let (rows, entries) = parse_index(index)?;
        let slots = entries.iter().enumerate();
        let slots = slots.map(|(at, entry)| (entry.slot, at)).collect();
        Some(Pack {
            bodies,
            rows,
            slots,
            entries,
            bytes,
        })
    }

    /// Returns the entries.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the index of the entry for a slot.
    pub fn find(&self, slot: &Digest) -> Option<usize> {
        self.slots.get(slot).copied()
    }

    /// Returns the body of an entry; `None` if its bytes do not have the digest in the index.
    pub fn body(&self, entry: &Entry) -> Option<Body<'_>> {
        let bodies = self.bytes.get(self.bodies..)?;
        let start = usize::try_from(entry.start).ok()?;
        let bytes = bodies.get(start..usize::try_from(entry.end).ok()?)?;
        if Digest::of(bytes) != entry.body {
            return None;
        }
        parse_body(bytes)
    }
}

fn parse_index(bytes: &[u8]) -> Option<(Vec<Row>, Vec<Entry>)> {
    let index: Index = postcard::from_bytes(bytes).ok()?;
    Some((index.rows, index.entries))
}

fn parse_body(bytes: &[u8]) -> Option<Body<'_>> {
    let (rows, results) = postcard::take_from_bytes(bytes).ok()?;
    Some(Body { rows, results })
}

/// Builds the bytes of a pack.
pub struct Builder {
    today: u32,
    numbers: HashMap<Row, u32>,
    rows: Vec<Row>,
    entries: Vec<Entry>,
    bodies: Vec<u8>,
    /// Upper bound on the size of the index in bytes.
    index: usize,
    /// Size limit of the pack in bytes.
    pub most: u64,
}

impl Builder {
    /// Creates the builder of a pack that is written on a day.
    pub fn new(today: u32) -> Builder {
        Builder {
            today,
            numbers: HashMap::new(),
            rows: Vec::new(),
            entries: Vec::new(),
            bodies: Vec::new(),
            index: HEAD + 16,
            most: MAX_BYTES,
        }
    }

    /// Adds a row unless it is there, and returns its index.
    pub fn row(&mut self, row: &Row) -> u32 {
        if let Some(&number) = self.numbers.get(row) {
            return number;
        }
        let number = self.rows.len() as u32;
        self.numbers.insert(row.clone(), number);
        self.rows.push(row.clone());
        self.index += row.most_bytes();
        number
    }

    /// Adds results unless they are too old or the pack is full, so the most valuable results have to be added first.
    pub fn add(&mut self, slot: Digest, content: Digest, used: u32, body: &Body) {
        if self.today.saturating_sub(used) > MAX_DAYS {
            return;
        }
        let Ok(mut bytes) = postcard::to_stdvec(&body.rows) else {
            return;
        };
        bytes.extend_from_slice(body.results);
        let entry = Entry {
            slot,
            content,
            used,
            start: self.bodies.len() as u64,
            end: (self.bodies.len() + bytes.len()) as u64,
            body: Digest::of(&bytes),
        };
        // An upper bound on the serialised size, whose numbers have variable length.
        let index = self.index + size_of::<Entry>() + 16;
        if (index + self.bodies.len() + bytes.len()) as u64 > self.most {
            return;
        }
        self.index = index;
        self.bodies.extend_from_slice(&bytes);
        self.entries.push(entry);
    }

    /// Returns the bytes of the pack; `None` if it is too large after all.
    pub fn finish(self, key: &Key) -> Option<Vec<u8>> {
        let index = postcard::to_stdvec(&Index {
            rows: self.rows,
            entries: self.entries,
        });
        let index = index.ok()?;
        let mut bytes = Vec::with_capacity(HEAD + index.len() + self.bodies.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(key.sign(&index).as_bytes());
        bytes.extend_from_slice(&(index.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&index);
        bytes.extend_from_slice(&self.bodies);
        (bytes.len() as u64 <= MAX_BYTES).then_some(bytes)
    }
}

/// Splits a pack into its index and its bodies.
#[cfg(test)]
pub fn parts(bytes: &[u8]) -> (&[u8], &[u8]) {
    let length = u64::from_le_bytes(bytes[HEAD - 8..HEAD].try_into().expect("eight bytes"));
    bytes[HEAD..].split_at(length as usize)
}

/// Parses bytes without a signature as an index and as a body, for tests of malformed bytes.
#[cfg(test)]
pub fn parse(bytes: &[u8]) {
    parse_index(bytes);
    if let Some(body) = parse_body(bytes) {
        let _ = postcard::from_bytes::<crate::check::Results>(body.results);
    }
}

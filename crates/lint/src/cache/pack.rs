//! Packs: results of many files in one file.
//!
//! ```text
//!  magic | signature of the index | length of the index | index | bodies
//! ```
//!
//! The index has the digest of each body, so that its signature vouches for all of them, and a body is looked at
//! when it is asked for. A body begins with the numbers of the rows that it depends on.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::answers::Row;
use super::digest::Digest;
use super::secret::Key;
use super::{MAX_BYTES, MAX_DAYS};

/// What packs begin with, whatever the version of their format.
pub const NAME: &[u8; 7] = b"a2lint\0";
/// What packs of this version begin with.
const MAGIC: &[u8; 8] = b"a2lint\0\x01";
/// Bytes before the index.
const HEAD: usize = MAGIC.len() + blake3::OUT_LEN + size_of::<u64>();

/// What a pack knows.
pub struct Pack {
    bytes: Vec<u8>,
    /// Where bodies start.
    bodies: usize,
    /// What results depend on.
    pub rows: Vec<Row>,
    entries: Vec<Entry>,
    /// Entries by slot.
    slots: HashMap<Digest, usize>,
}

/// Where the results of a file are.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The file and the settings.
    pub slot: Digest,
    /// Its text.
    pub content: Digest,
    /// The day on which it was last of use.
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

/// The rows that results depend on, and the results as bytes.
pub struct Body<'a> {
    /// Numbers of the rows.
    pub rows: Vec<u32>,
    /// What was found.
    pub results: &'a [u8],
}

impl Pack {
    /// A pack that knows nothing.
    pub fn empty() -> Pack {
        Pack {
            bytes: Vec::new(),
            bodies: 0,
            rows: Vec::new(),
            entries: Vec::new(),
            slots: HashMap::new(),
        }
    }

    /// Reads a pack; `None` where it is not what we have written.
    pub fn read(bytes: Vec<u8>, key: &Key) -> Option<Pack> {
        let head = bytes.get(..HEAD)?;
        let (magic, head) = head.split_at(MAGIC.len());
        let (signature, length) = head.split_at(blake3::OUT_LEN);
        let length = usize::try_from(u64::from_le_bytes(length.try_into().ok()?)).ok()?;
        let bodies = HEAD.checked_add(length)?;
        let index = bytes.get(HEAD..bodies)?;
        // Hashes are compared in constant time.
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

    /// The entries.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The position of the entry for a slot.
    pub fn find(&self, slot: &Digest) -> Option<usize> {
        self.slots.get(slot).copied()
    }

    /// What is known of an entry; `None` where the bytes are not those that were written.
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

/// Puts a pack together.
pub struct Builder {
    today: u32,
    numbers: HashMap<Row, u32>,
    rows: Vec<Row>,
    entries: Vec<Entry>,
    bodies: Vec<u8>,
    /// Bytes that the index will take, at most.
    index: usize,
    /// Bytes that there is room for.
    pub most: u64,
}

impl Builder {
    /// Of a pack that is written on a day.
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

    /// The number of a row.
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

    /// Adds results; those that nobody has used for long, and those that there is no room for, are left out. Whoever
    /// adds the latest first keeps the latest.
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
        // Three digests and three numbers.
        let index = self.index + size_of::<Entry>() + 16;
        if (index + self.bodies.len() + bytes.len()) as u64 > self.most {
            return;
        }
        self.index = index;
        self.bodies.extend_from_slice(&bytes);
        self.entries.push(entry);
    }

    /// The bytes of the pack.
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

/// The bytes of the index, and those of the bodies.
#[cfg(test)]
pub fn parts(bytes: &[u8]) -> (&[u8], &[u8]) {
    let length = u64::from_le_bytes(bytes[HEAD - 8..HEAD].try_into().expect("eight bytes"));
    bytes[HEAD..].split_at(length as usize)
}

/// Reads bytes that nobody vouches for, as an index and as a body.
#[cfg(test)]
pub fn parse(bytes: &[u8]) {
    parse_index(bytes);
    if let Some(body) = parse_body(bytes) {
        let _ = postcard::from_bytes::<crate::check::Results>(body.results);
    }
}

//! Interns names read from text as `&'static str`.
//!
//! Codes of rules, instructions and lanes are `&'static str` wherever they are used. A name that is read from a
//! stored result is interned for the rest of the process; number and length of interned names are limited, so that
//! stored data cannot exhaust the memory.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An interned name. A type of its own, because serde would treat a plain `&str` field as borrowed from its input.
pub type Name = &'static str;

/// Number of names that may be interned.
const MAX_NAMES: usize = 4096;
/// Size limit of a name in bytes.
const MAX_BYTES: usize = 128;

static KNOWN: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);

/// Interns a name; `None` if it is too long or there are too many.
fn kept(name: &str) -> Option<Name> {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    if let Some(same) = known.get(name) {
        return Some(same);
    }
    if known.len() >= MAX_NAMES || name.len() > MAX_BYTES {
        return None;
    }
    let name: &'static str = name.to_owned().leak();
    known.insert(name);
    Some(name)
}

/// Serialises a name as a string.
pub fn serialize<S: Serializer>(name: &str, serializer: S) -> Result<S::Ok, S::Error> {
    name.serialize(serializer)
}

/// Deserialises and interns a name.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Name, D::Error> {
    // Borrows from the input, as only in-memory formats allow.
    let name = <&str>::deserialize(deserializer)?;
    kept(name).ok_or_else(|| D::Error::custom("no name"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_kept_once_and_a_long_one_not_at_all() {
        let first = kept("dup").expect("a name");
        assert!(std::ptr::eq(first, kept("dup").expect("a name")));
        assert_eq!(kept(&"x".repeat(MAX_BYTES + 1)), None);
    }
}

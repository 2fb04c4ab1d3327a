//! Names that the code spells out, read back from text.
//!
//! Codes of rules, instructions and lanes are `&'static str` wherever they are used. One that is read from
//! elsewhere is found among those that were read before, or kept for the rest of the run; so few are kept,
//! and they are so short, that nobody can fill the memory with them.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A name. As `&str` it would be taken for one that is lent by what is read.
pub type Name = &'static str;

/// Most names that are kept.
const MAX_NAMES: usize = 4096;
/// Bytes of the longest.
const MAX_BYTES: usize = 128;

static KNOWN: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);

/// A name of these letters; `None` where it is too long, or there are too many.
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

/// Writes a name.
pub fn serialize<S: Serializer>(name: &str, serializer: S) -> Result<S::Ok, S::Error> {
    name.serialize(serializer)
}

/// Reads a name.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Name, D::Error> {
    // Formats in memory lend their text.
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

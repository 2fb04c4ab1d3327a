//! Digests, by which texts are the same or not.

use std::hash::Hasher;

use serde::{Deserialize, Serialize};

/// Bytes of a digest.
pub const BYTES: usize = blake3::OUT_LEN;

/// What stands for a text: nobody finds two texts with the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Digest([u8; BYTES]);

impl Digest {
    /// Of bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(*blake3::hash(bytes).as_bytes())
    }

    /// Of texts in a row; where one ends matters.
    pub fn of_all(texts: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Digest {
        let mut hasher = blake3::Hasher::new();
        for text in texts {
            let text = text.as_ref();
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text);
        }
        Digest(*hasher.finalize().as_bytes())
    }
}

/// Makes a digest of whatever can be hashed.
#[derive(Debug, Default)]
pub struct Digester(blake3::Hasher);

impl Digester {
    /// Of all that was hashed.
    pub fn digest(&self) -> Digest {
        Digest(*self.0.finalize().as_bytes())
    }
}

impl Hasher for Digester {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        let Digest([a, b, c, d, e, f, g, h, ..]) = self.digest();
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }
}

//! Digests of texts.

use std::hash::Hasher;

use serde::{Deserialize, Serialize};

/// Length of a digest in bytes.
pub const BYTES: usize = blake3::OUT_LEN;

/// The BLAKE3 digest of a text. Collisions cannot be constructed, so equal digests mean equal texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Digest([u8; BYTES]);

impl Digest {
    /// Computes the digest of bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(*blake3::hash(bytes).as_bytes())
    }

    /// Computes the digest of a sequence of texts, which includes their lengths.
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

/// A hasher that computes a digest of anything that implements `Hash`.
#[derive(Debug, Default)]
pub struct Digester(blake3::Hasher);

impl Digester {
    /// Returns the digest of everything that was hashed.
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

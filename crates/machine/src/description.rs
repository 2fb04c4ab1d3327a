//! Hashing of the `Debug` text of values.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// Hashes the `Debug` text of values.
pub(super) struct Text<'h>(pub(super) &'h mut FxHasher);

impl Text<'_> {
    /// Hashes a value.
    pub(super) fn write(&mut self, thing: &dyn std::fmt::Debug) {
        // Writing to a hasher does not fail.
        let _ = std::fmt::write(self, format_args!("{thing:?};"));
    }
}

impl std::fmt::Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}

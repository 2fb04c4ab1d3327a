//! Text, encodings, languages and the disk that they come from.

// A position that is not checked panics inside of a character: `text::Slice` takes any.
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod disk;
pub mod encoding;
pub mod files;
pub mod guard;
pub mod language;
pub mod messages;
pub mod names;
pub mod spelling;
pub mod text;

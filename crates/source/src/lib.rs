//! Text, encodings, languages, and the disk that they come from.
//!
//! This crate is the border between bytes and everything else. A file comes in as bytes and leaves as
//! [`text::SourceText`], in which every place is a [`text::Span`] of byte offsets. No other crate opens a file.
//!
//! # Modules
//! - `text`: source text, spans, the index of lines; columns exist for output alone. A carriage return without a line
//!   feed is read as a line feed. `text::Slice` takes parts of a text at offsets that may be inside of a character.
//! - `encoding`: the encoding that a file declares; bytes to text, and text back to bytes in the same encoding.
//! - `language`: the languages by file extension, their comments, and the words that mark a file as relevant.
//! - `files`: finding sources below folders, with the ignore files on the way (`files::ignores`); reading one.
//! - `disk`: opening and replacing files. `disk::Named` says who named a file: the user, or something that was found.
//!   What was only found has to stay inside of its project and is read up to a limit.
//! - `messages`: splitting the byte stream of a client into messages, and the id of a message that cannot be read.
//! - `guard`: turns panics of one file, kernel, rule or answer into an error text; runs work on threads with a large
//!   stack.
//! - `names`, `spelling`: interned names of stored results; plurals and "did you mean".
//!
//! # What it must not know
//! Syntax of any language beyond what tells a relevant file from another one (`files::concerns_us`).
//!
//! # Where to start reading
//! `files::discover` and `Candidate::load` for the way in; `disk::replace` for the only way out; `guard::guard` and
//! `guard::both` for threads and panics; `Frames::next` for streams of messages.
//!
//! # Invariants
//! - Only `disk` opens, creates or removes a file, and no code starts a process or opens a socket
//!   (`no_code_but_one_room_opens_files`, `no_code_starts_processes_opens_sockets_or_loads_libraries` in
//!   `tests/it/tidy.rs`).
//! - No link leads out of the project of a file that the user did not name, and such a file is not written through a
//!   link (`what_is_found_stays_in_its_project`, `names_that_nobody_gave_are_not_followed`; `tests/it/hostile`).
//! - A file is replaced as a whole and keeps encoding and line ends (`files_are_written_as_they_were`,
//!   `fixes_keep_encoding_and_line_ends` in `tests/it/encodings.rs`).
//! - A malformed message does not affect the next one (`a_bad_message_costs_itself_alone`), and reading a stream
//!   takes linear time (`each_step_reads_a_byte`).
//! - A panic names the kernel and the rule that it came from, on any thread
//!   (`a_panic_names_kernel_and_rule_and_the_next_one_its_own`, `a_panic_beside_is_one_here`).
//!
//! # What it can miss
//! Files above 32 MiB, encodings other than UTF-8 and the supersets of ASCII that Python declares, and files that
//! change while they are read. All but the last are reported as not read. A Python file that imports no DSL's package
//! is skipped without a message, unless it was named.

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

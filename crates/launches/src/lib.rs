//! Chooses the launches of a kernel that are worth a run: launches from code, comments, configuration and `--bind`
//! ([`given`]), variants of them with incomplete last tiles ([`variants`]), smaller stand-ins for launches that are too
//! large ([`Candidate::stand_ins`]), and guesses for kernels without a launch ([`Guesser`]).
//!
//! The crate only chooses; `a2lint-replay` runs what it returns. The only runs here measure which part of a tensor a
//! kernel touches where no launch gives its shape.
//!
//! # Invariants
//! - A size that neither the file nor the user asks for satisfies the kernel's contract (`contract`).
//! - Where input data decides about sizes or control flow (`steering`), no launch is invented.
//! - A guess never supports a finding about bounds: its tensors are as large as what the run touched.

// A position that is not checked panics inside of a character: `text::Slice` takes any.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod asked;
mod candidates;
mod contract;
mod expressions;
mod guesses;
mod measure;
mod request;
mod shrink;
mod steering;
mod tails;

pub use candidates::{Candidate, LaunchSource, Room, Shapes, given, variants};
pub use contract::{breach, nearest as nearest_in_contract};
pub use guesses::{Guess, Guesser, Invented, complete};
pub use request::{DEFAULT_WORK, Request, options};
pub use shrink::rounds;
pub use steering::{Steered, steering};

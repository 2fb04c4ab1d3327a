//! Launches of a kernel: those that somebody asks for ([`given`]), their tail variants ([`variants`]), smaller ones in
//! place of those that are too large ([`Candidate::stand_ins`]), and guesses where nobody launches it ([`Guesser`]).
//!
//! What is chosen here is run elsewhere. The only runs here measure what a kernel touches of tensors whose shapes
//! nothing gives. Sizes that nobody asks for stay inside of the kernel's contract; where data decides which way a
//! kernel goes (`steering`), none are made up.

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

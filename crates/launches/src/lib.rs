//! Launches that are worth a run: those of the file and the configuration, their tails, smaller ones, and guesses.
//!
//! This crate chooses launches; `a2lint-replay` runs them. A launch is *known* if the file, its project, the
//! configuration or the user gives it. The only runs here measure how much of its tensors a kernel touches where
//! nothing gives their shapes.
//!
//! # Modules
//! - `candidates`: the launches that are asked for ([`given`]) and variants of them ([`variants`]); why one cannot be
//!   run.
//! - `tails`: sizes that no launch gives and at which the last tile, the last core or a ring goes wrong.
//! - `neighbours`: whether the extents of tensors follow from the scalars that a variant changes.
//! - `shrink`: a launch that is too large, at sizes that can be run ([`Candidate::stand_ins`]).
//! - `guesses`, `sizes`: launches of a kernel that nothing launches ([`Guesser`]). The order of guesses is that of
//!   `Guesser::guesses`: what the kernel's own tiles suggest (`natural`), enough tiles to reuse every slot (`turning`),
//!   the same number everywhere (`UNIFORM`); each is moved into the contract (`inside`).
//! - `solved`, `rehearsal`: before all of those, where the host computes sizes together, sizes with which a kernel
//!   executes as much as possible, found by evaluating its scalars alone.
//! - `expressions`, `asked`, `measure`: what scalar expressions say of a parameter (tile, share, row length), which
//!   extents a kernel asks for, and how large tensors have to be.
//! - `contract`: the nearest sizes that a contract allows ([`nearest_in_contract`]), and whether a launch breaks it
//!   ([`breach`]).
//! - `steering`: data that becomes an address, a size or a decision, for which no contents can be made up.
//! - `request`: what bounds all of it ([`Request`], [`DEFAULT_WORK`]).
//!
//! # What it must not know
//! Results of runs: `replay::trials` decides whether an observation of a guessed launch counts.
//!
//! # Where to start reading
//! [`given`] and [`variants`] in `candidates.rs`; `Guesser::guesses` and `Guesser::candidate` in `guesses.rs`;
//! `Candidate::stand_ins`.
//!
//! # Invariants
//! - No launch that is run leaves the kernel's contract (`no_launch_that_is_run_leaves_the_contract` in
//!   `tests/it/contracts.rs`; `the_nearest_numbers_inside_are_found`).
//! - Every launch that is considered is recorded with how it ended (`every_launch_is_taken_down_with_how_it_ended`,
//!   `launches_beyond_those_that_are_read_are_said` in `tests/it/launches.rs`).
//! - Extents that no launch gives claim nothing about bounds (`Candidate` says by `has_extents` whether they were
//!   given, or follow from those of given launches by a relation without alternatives: `neighbours`).
//! - Where data decides which way a kernel goes, no launch is made up (`sizes_that_come_from_data_are_not_invented` in
//!   `tests/it/replay.rs`); where it picks rows or elements, all indices are 0.
//!
//! # What it can miss
//! A guess is a guess: what it shows is a warning at most (`invented_launches_warn_at_most` in `tests/it/replay.rs`).
//! At most 64 launches are read from a file. Of a contract, 400 values are tried for each guess; if none fits, no size
//! is chosen, and the record of the kernel says so.

// A position that is not checked panics inside of a character: `text::Slice` takes any.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod asked;
mod candidates;
mod contract;
mod expressions;
mod guesses;
mod measure;
mod neighbours;
mod open_sizes;
mod rehearsal;
mod request;
mod shrink;
mod sizes;
mod solved;
mod steering;
mod tails;

pub use candidates::{Candidate, LaunchSource, Room, Shapes, given, in_sight, variants};
pub use contract::{breach, nearest as nearest_in_contract};
pub use guesses::{
    Guess, Guesser, Incomplete, Invented, complete, hidden_relations, is_determined,
};
pub use request::{DEFAULT_WORK, Request, options};
pub use shrink::rounds;
pub use steering::{Steered, picked, steering};

//! Whole programs on the machine.

mod budget;
mod clock;
mod cube;
mod definedness;
mod kernel;
mod moves;
mod sync;
mod team;

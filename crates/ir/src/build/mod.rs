//! Builds a [`Program`] for a front end, whatever language that reads.
//!
//! [`Builder`] collects declarations and statements. Calls of instructions go through it in three steps:
//! [`distribute`] finds the argument of each parameter by position and name, [`Builder::bind`] turns arguments into
//! operands and captured scalars, and [`Builder::instruction`] infers the repeats, strides and extents that are left
//! out, and emits. [`Builder::finish`] forwards the expressions of temporaries to where they are used and removes
//! assignments that nothing reads.
//!
//! The builder knows no language. A front end hands over values as [`Argument`]s; what does not fit comes back as a
//! [`Fault`] or [`CallFault`], which it reports in its own words. What languages differ in, it asks the
//! [`Toolchain`](crate::Toolchain) of the program.
//!
//! # Invariants
//! - Device variables are updated in place, so an expression is evaluated where it is captured:
//!   [`Builder::capture`] stores it in a temporary.
//! - Blocks that are opened are closed in the opposite order, before [`Builder::finish`].
//! - A program has a bounded number of statements and declarations; [`TooLarge`] says that it would have more.
//!
//! # What remains of the first front end
//! `static_shape`, `static_span` and [`ParamKind::Constant`](crate::ParamKind::Constant) tell numbers that are known
//! when a kernel is compiled from others: of a traced kernel these are Python's, of C++ constant expressions. Integer
//! constants have no type of their own and take that of the other operand; a language whose literals have one says so
//! with a conversion to it. [`ScalarType::or_float`](crate::ScalarType) is for parameters whose type only a launch
//! tells; a language that declares types of parameters never makes one.

mod arguments;
mod blocks;
mod builder;
mod checkpoint;
mod distribution;
mod division;
mod forward;
mod implicit;
mod infer;
mod known;
mod live;
mod scalars;
#[cfg(test)]
mod tests;
mod unknown;
mod unread;

pub use arguments::{Argument, BoundCall, Call, Fault, Misfit, Wanted};
pub use blocks::{OpenLoop, Region, Reopened};
pub use builder::{Builder, TooLarge};
pub use checkpoint::Checkpoint;
pub use distribution::{CallFault, Given, distribute, passed_over};
pub use infer::Replaced;

//! Defines the instruction set: one declarative row for each instruction of A2.
//!
//! Frontend, analysis, machine, hover text and docs all read [`Instruction`] rows; the properties of an
//! instruction (name, operands, types, pipe, mask behaviour, inference) are defined nowhere else. A
//! [`Signature`] gives the order, names and defaults of a row's parameters in a dialect.
//!
//! Other crates query the properties of a row ([`Class`], [`Role`], operands), and read arguments by the
//! names of the row (`param!`), so that a change of a row or a new instruction changes only this crate.

// Indexing a string with a position inside a character panics; the methods of `text::Slice` accept any
// position.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod a5;
mod casts;
pub mod device;
mod dialects;
mod geometry;
pub mod masks;
mod params;
mod questions;
mod role;
mod signature;
mod table;
mod transfer;
mod vocabulary;

pub use a5::{A5Name, a5_only};
pub use casts::{CastPair, cast_pair, casts_from};
pub use dialects::{Dialect, Signature, Spelled};
pub use geometry::{RepeatRounding, infer_strides};
pub use params::{DST, FACTORS, SRC, index_among_integers, index_in_classes, index_in_rows};
pub use role::{Act, Channel, Operator, Role, Route};
pub use signature::{
    Access, Class, DefaultValue, Instruction, MaskUse, Operand, Param, ParamKind, Place, Receiver,
    RepeatFrom, StrideRule, Tail, TypeRule, Unit, Walk,
};
pub use table::{INSTRUCTIONS, Opcode};
pub use transfer::{BlockExtents, CountedIn, GlobalExtents, Spacing};
pub use vocabulary::{
    BLOCK_BYTES, BLOCKS_PER_REPEAT, CompareMode, DType, Layout, Pipe, Position, REPEAT_BYTES,
    RoundMode, SelectMode, Side, bytes_text, sizes_text,
};

//! The instruction set: one declarative row per instruction of A2.
//!
//! Frontend, analysis, machine, hover text and docs all read [`Instruction`] rows; nothing about
//! an instruction (name, operands, types, pipe, mask behaviour, inference) is said anywhere else.
//! How a dialect calls one is its [`Signature`]: an order, names and defaults over the same row.
//!
//! Code elsewhere asks a row what it does ([`Class`], [`Role`], operands), and reads arguments by the names of
//! the row (`param!`), so that rows can change and instructions be added here alone.

// A position that is not checked panics inside of a character: `text::Slice` takes any.
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

//! Defines the instruction set: one declarative row for each instruction of A2.
//!
//! Frontend, analysis, machine, hover text and documentation read [`Instruction`] rows; nothing about an instruction
//! (name, operands, types, pipe, use of the mask, inference) is said anywhere else. How a dialect calls one is its
//! [`Signature`]: an order, names and defaults over the same row. Code elsewhere asks a row what it does ([`Class`],
//! [`Role`], operands) and reads arguments by the names of the row (`param!`), so that rows can change and instructions
//! be added here alone.
//!
//! # Modules
//! - `table`: the rows ([`INSTRUCTIONS`], [`Opcode`]). `signature`: the types of the columns, among them `Walk`, which
//!   says how an operand advances over memory. `role`: what sets an instruction apart from the others of its class.
//! - `params`: finds parameters by name while compiling. `transfer`: which parameters of a move are rows, lengths,
//!   gaps.
//! - `questions`: what others ask of a row (`Instruction::moves`, `Instruction::is_vector`, …).
//! - `dialects`: the differences of each dialect from the table (`Spellings`, `Change`).
//! - `overlap`: which operands of a vector instruction may share memory ([`Sharing`]).
//! - `geometry`: inference of repeats and strides. `casts`: legal conversions. `a5`: names that only A5 has.
//! - `vocabulary`: element types, positions, pipes and modes, with their names (`DType::from_name`).
//! - `device`: capacities, limits and cores of each device ([`device::DEVICES`]).
//! - `masks`: pure models of what mask instructions of PTX, AscendC and PTO select; hovers and `a2lint eval` use them,
//!   too.
//!
//! # What it must not know
//! Programs, source text, and everything that depends on values: a row describes an instruction before it has
//! arguments.
//!
//! # Where to start reading
//! One row of `table.rs`, read with the fields of `Instruction` in `signature.rs`; then `Dialect::signature` and
//! `Signature::change`. For devices, `Device` and the function `a2` in `device.rs`.
//!
//! # Invariants
//! - Names of instructions and numbers of parameters are written here alone
//!   (`instruction_names_stand_in_the_table_alone`, `instructions_are_told_by_what_they_do`,
//!   `arguments_are_read_by_name` in `tests/it/tidy.rs`).
//! - Rows are in the order of opcodes and have unique names (`rows_stand_in_opcode_order_under_unique_names`); a
//!   parameter that a row lacks does not compile (`other_names_do_not_compile`, `rows_that_differ_do_not_compile`).
//! - A dialect changes only parameters that exist, and what it cannot give has a default
//!   (`changes_name_parameters_that_there_are`, `what_cannot_be_given_has_a_default`).
//! - Each token that is set can be taken (`every_token_is_made_and_taken`).
//! - The models of masks agree with the examples of the manuals and with counting (`the_vectors_agree`,
//!   `closed_forms_agree_with_counting`, `the_closed_form_of_agreement_is_right`).
//!
//! # What it can miss
//! Sources are the public documentation of the DSLs, the AscendC reference, and the manuals of PTX and PTO. Where they
//! contradict each other, the row holds the reading that accepts more, and a rule names the other one
//! (`int-compare-mode`, `bitwise-width`). Devices share their vector unit: a device whose blocks, repeats or fractals
//! differ needs more than a row of `DEVICES`.

// Indexing a string with a position inside a character panics; the methods of `text::Slice` accept any
// position.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod a5;
mod casts;
pub mod device;
mod dialects;
mod fidelity;
mod geometry;
pub mod masks;
mod overlap;
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
pub use fidelity::Fidelity;
pub use geometry::{RepeatRounding, infer_strides};
pub use overlap::{Overlap, Sharing};
pub use params::{DST, FACTORS, SRC, index_among_integers, index_in_classes, index_in_rows};
pub use role::{Act, Channel, Operator, Role, Route};
pub use signature::{
    Access, Class, DefaultValue, Instruction, MaskUse, Operand, Param, ParamKind, Place, Receiver,
    RepeatFrom, StrideRule, Tail, TypeRule, Unit, Walk,
};
pub use table::{INSTRUCTIONS, Opcode};
pub use transfer::{BlockExtents, CountedIn, GlobalExtents, MARGIN_BYTES, Spacing};
pub use vocabulary::{
    BLOCK_BYTES, BLOCKS_PER_REPEAT, CompareMode, DType, Layout, Pipe, Position, REPEAT_BYTES,
    RoundMode, SelectMode, Side, bytes_text, sizes_text,
};

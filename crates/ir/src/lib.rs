//! The instruction program a kernel is traced into.
//!
//! A [`Program`] is a tree of statements ([`Body`]) over arenas of scalars, buffers and views. Everything
//! that stands in it carries the span it came from. It knows nothing of Python: by the time it
//! exists, trace-time values are folded, helpers are inlined and omitted arguments are inferred.
//! Front ends make one with [`build`]. What only those of Python have to say about a kernel stands
//! apart, as [`PythonNote`].

// A position that is not checked panics inside of a character: `text::Slice` takes any.
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod arithmetic;
mod body;
pub mod build;
mod column_mask;
pub mod comments;
pub mod contract;
mod display;
pub mod finding;
pub mod gather;
mod instruction;
mod known_bits;
mod launch;
mod layout;
mod mask_operations;
mod mentions;
pub mod mma;
mod name;
mod names;
mod note;
mod number;
mod print;
mod program;
mod scalar;
mod staged;
pub mod symbols;
pub mod sync;
pub mod tile;
pub mod toolchain;
pub mod transfer;
pub mod verdict;
mod view;

pub use arithmetic::ScalarType;
pub use body::{BlockId, Body, Guard};
pub use column_mask::KnownColumnMask;
pub use contract::Contract;
pub use display::ScalarNames;
pub use instruction::{Arg, ArgSource, ArgValue, Instr};
pub use known_bits::KnownBits;
pub use launch::{
    Argument, BLOCK_DIM, Extent, GivenLaunch, Launch, LaunchOrigin, LaunchTensor, Passed, Passing,
    TensorInit,
};
pub use layout::{Granule, MemoryMap, Occupant, Placement};
pub use mask_operations::MaskOperations;
pub use mentions::Mentions;
pub use name::DisplayName;
pub use names::Named;
pub use note::{
    ContractFault, LaunchFault, LoopExit, NoEffect, Note, NoteKind, PythonNote, ReinterpretFault,
};
pub use number::Number;
pub use print::{print, print_statements};
pub use program::{
    AtomicKind, Branch, Buffer, BufferId, Event, EventId, ExtentName, Global, GlobalId, GlobalKind,
    GlobalRing, Module, Mutex, MutexId, MutexKind, NotAnalysed, Origin, OriginId, Param, ParamKind,
    Program, Stmt, StmtId, StmtKind, Uncalled, UnknownCode, Variable, VariableId, VariableKind,
    assigned,
};
pub use scalar::{
    BinaryOp, CompareOp, Scalar, ScalarId, Scalars, SpecialScalar, UnaryOp, fold_int,
};
pub use staged::{Staged, round_up};
pub use toolchain::Toolchain;
pub use view::{GlobalAxis, GlobalView, LocalView, SlotKey, View, slot_key};

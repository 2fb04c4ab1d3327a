//! The instruction program that a kernel is traced into, and what all its readers have in common.
//!
//! A [`Program`] is a tree of statements ([`Body`]) over arenas of scalars, buffers and views. Everything in it carries
//! the span that it came from. It knows nothing of Python: by the time it exists, values of trace time are folded,
//! helpers are inlined, and omitted arguments are inferred. Front ends make one with [`build`]. What only those of
//! Python have to say about a kernel is kept apart, as [`PythonNote`].
//!
//! # Modules
//! - `program`, `statement`, `body`, `instruction`, `view`: declarations and statements. `Body` finds a statement by
//!   number, with the loops, guards and region around it (`Program::loops`, `Program::guards`, `Program::region`).
//! - `scalar`, `arithmetic`: hash-consed symbolic expressions with the types of C's arithmetic; `display` prints them.
//! - `build`: `Builder` makes programs for any front end: binds arguments, infers what is left out (`build::infer`),
//!   and substitutes temporaries (`build::forward`).
//! - `transfer`: what a move touches, over any `Arithmetic`: the builder infers with it, the machine evaluates it in
//!   numbers, the analysis in linear forms.
//! - `sync`: sides, pipes, tokens, routes, what `auto_sync` covers, which accesses conflict. Machine, hazards, analysis
//!   and rules take it from here.
//! - `toolchain`: what each toolchain does by itself, hands out and refuses, as a value that a program carries.
//! - `sum`: sums of products of numbers that a launch gives.
//! - `layout`: addresses of buffers. `launch`, `contract`: launches and the launches that a kernel is written for.
//! - `note`: what a front end noticed, for rules to report. `finding`, `verdict`: findings, and the eight properties.
//! - `mma`, `tile`: mask instructions of other languages, bundled in `MaskOperations`.
//!
//! # What it must not know
//! Python, rules, and how anything is computed: a program says what is executed, not what comes of it.
//!
//! # Where to start reading
//! `Program` in `program.rs`, `StmtKind` in `statement.rs`; `print` shows a program as `a2lint trace` does;
//! `Builder::bind` and `Builder::instruction` for the way in; `properties!` in `verdict.rs`.
//!
//! # Invariants
//! - The index of a body cannot be stale: changes go through methods that drop it (`a_changed_body_has_another_index`).
//! - An expression has bounded depth (192) and bounded size written out (1,024 parts), so any walk may recurse
//!   (`expressions_stay_small_enough_to_walk`).
//! - The type of an operation is fixed when it is traced, and integers wrap at their width
//!   (`integers_wrap_at_their_width`, `types_meet_as_in_c`; on random programs `tests/it/scalar_model.rs`).
//! - Which toolchain a program has, readers ask `Program::toolchain` and never the dialect
//!   (`dialects_are_told_apart_by_front_ends_alone` in `tests/it/tidy.rs`).
//! - Names are clean of control characters once they exist (`names_are_clean_by_construction`).
//! - Any text of a contract is read or its fault is named at its place (`any_text_is_read_or_named`).
//!
//! # What it can miss
//! A number that is unknown is `Scalar::Unknown`, code that is unknown `StmtKind::Opaque` with a `Havoc` of what it was
//! given; `Program::unknown` lists the places. A buffer after one of symbolic size has no address in a `MemoryMap`. A
//! builder refuses more than 100,000 statements or 8,192 declarations (`TooLarge`).

// Indexing a string with a position inside a character panics; the methods of `text::Slice` accept any
// position.
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod arithmetic;
mod body;
pub mod build;
mod column_mask;
pub mod comments;
pub mod contract;
mod deciding;
mod display;
pub mod finding;
mod hand_out;
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
mod statement;
mod sum;
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
pub use deciding::{Deciding, Through};
pub use display::ScalarNames;
pub use hand_out::{DeviceBlock, HandOut};
pub use instruction::{Arg, ArgSource, ArgValue, Instr};
pub use known_bits::KnownBits;
pub use launch::{
    Argument, BLOCK_DIM, Extent, Formula, GivenLaunch, Launch, LaunchOrigin, LaunchTensor, Passed,
    Passing, TensorInit, Unsolved, solve,
};
pub use layout::{Granule, MemoryMap, Occupant, Placement};
pub use mask_operations::MaskOperations;
pub use mentions::Mentions;
pub use name::DisplayName;
pub use names::Named;
pub use note::{
    ContractFault, GatherFault, LaneFault, LaunchFault, LoopExit, NoEffect, Note, NoteKind,
    PythonNote, QueueFault, ReinterpretFault, Unprepared,
};
pub use number::Number;
pub use print::{print, print_statements};
pub use program::{
    Buffer, BufferId, Event, EventId, ExtentName, Global, GlobalId, GlobalKind, GlobalRing, Module,
    Mutex, MutexId, MutexKind, NO_ENTRY, NamedNumber, NamedValue, NotAnalysed, Origin, OriginId,
    Param, ParamKind, Program, QueueEnd, StmtId, TILING_KEY, Table, Uncalled, UnknownCode,
    Variable, VariableId, VariableKind,
};
pub use scalar::{
    BinaryOp, CompareOp, Scalar, ScalarId, Scalars, SpecialScalar, UnaryOp, fold_int, trip_count,
};
pub use staged::{Staged, round_up};
pub use statement::{AtomicKind, Branch, ENDLESS, Stmt, StmtKind, assigned};
pub use sum::{Factor, Sum, Workers};
pub use toolchain::{Notation, ScalarStores, Toolchain, WrongSide};
pub use view::{GlobalAxis, GlobalView, LocalView, SlotKey, View, slot_key};

//! The embedded A2 machine: runs a traced kernel and shows concrete results.
//!
//! An `ir::Program` and a [`BoundLaunch`] go into [`simulate`], an [`Outcome`] comes out. Every core runs one cube lane
//! and two vec lanes over the same statements; each lane executes in program order, waits block, and the order in which
//! lanes take turns is fixed. Every byte of every memory has a flag that says whether it was ever written. The machine
//! has no clock, opens no file and depends on no hash order, thread or CPU feature: the same launch gives the same bits
//! everywhere.
//!
//! # Modules
//! - Launches: `launch` and `invent` bind arguments (`Bindings::bind`), `inputs` makes the contents of global tensors
//!   where they are touched, `allocate` places buffers, `setup` holds options.
//! - Lanes: `lane` walks the statement tree, `sides` leaves out what belongs to the other side, `signals` are flags and
//!   events, `stalls` and `delays` are work that pipes have put aside, `stepper` describes one step and `scheduler` the
//!   order.
//! - Units: `resolve` turns an instruction into an `Operation` in numbers; `vector` executes vector calls, each planned
//!   once (`vector::plan`); `cube`, `staging`, `fixpipe` and `moves` execute the rest; `unit_context` holds what a
//!   unit gets to execute one operation.
//! - Memories: `memory` with its definedness shadow (`memory::definedness`), `chip`, `carried` for undefined data in
//!   workspaces.
//! - What is seen: `observer` (everything that watches a run), `sanitizer`, `ownership`, `loads` and `shorter_loads`,
//!   `outcome`.
//! - `hazards`: vector clocks over the pipes of a run. Accesses that nothing orders are races, however the run went.
//! - `cost`, `clock`, `lane_log`, `schedule`, `estimate`: costs of instructions from measurements (`constants.toml`),
//!   laid out in time. A run that does not ask pays nothing.
//! - `team`: cores that never meet, on several threads. `image`: the whole machine at one instant, for the debugger.
//! - `numerics`, `exact_cube`, `memory::exact`: values that exact arithmetic would have, beside the floats of a run.
//! - `trial`: looks at one instruction without executing it, for proofs.
//!
//! # What it must not know
//! Files and rules. Modules depend on each other in one direction, except for two cycles: a lane changes the shared
//! state in which it runs (`lane`, `delays`, `shared_state`), and a team schedules each of its cores separately
//! (`team`, `scheduler`).
//!
//! # Where to start reading
//! [`simulate`], `scheduler::run`, `Lane::step`, `Lane::instruction`, `Resolver::work`, `ObservedState::operate`,
//! `UnitContext::execute`; for vector instructions `Plan` and one file of `vector/`; for races `hazards::Tracker`.
//!
//! # Invariants
//! - Results are those of NumPy (`tests/golden.rs`) and of naive models: `tests/it/vector_model`,
//!   `tests/it/cube_model`, `tests/it/scalar_model.rs`. Nothing is fused or reordered
//!   (`matches_the_naive_product_bit_for_bit`).
//! - Threads change nothing but the time (`kernels_come_to_the_same_on_several_threads` in `tests/it/threads.rs`).
//! - The tracker of races agrees with a second engine that freezes instructions
//!   (`two_engines_agree_and_clean_kernels_have_no_hazards` in `tests/it/sync.rs`).
//! - Every vector instruction has a cost, and every constant names its source (`every_vector_instruction_has_a_rate`,
//!   `every_constant_names_its_source`).
//! - After an illegal instruction its destination holds zeros, so that one mistake is reported once
//!   (`illegal_instructions_leave_zeros_and_are_told`).
//!
//! # What it can miss
//! A run shows one launch in one order. A statement whose size, address or count is unknown is left out with all inside
//! of it, and `Outcome::doubts` names it; a number that only feeds arithmetic is 1. Budgets end a run by name
//! (`End::BudgetExhausted`). The tracker keeps 256 hazards and says what it has forgotten (`Tracker::forgotten`).
//! `docs/simulator.md` lists what is not modelled.

// Slicing a string at an unchecked position panics inside of a character; `text::Slice` takes any position.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod access;
mod accumulator;
mod allocate;
mod atomics;
mod bound;
mod carried;
mod chip;
mod clock;
pub mod cost;
mod cube;
mod cube_scratch;
mod delays;
mod description;
mod early;
mod estimate;
mod exact_cube;
mod fixpipe;
mod footprint;
mod fractal;
mod global_product;
pub mod hazards;
mod image;
mod inputs;
mod inspect;
mod invent;
mod kernel;
mod lane;
mod lane_end;
mod lane_id;
mod lane_log;
mod launch;
mod loads;
pub mod memory;
mod moves;
mod numerics;
mod observer;
mod operation;
mod outcome;
mod ownership;
mod panel;
mod pending_tokens;
mod provenance;
mod real_scalars;
mod recording;
mod resolve;
mod resolve_vector;
mod sanitizer;
mod scalars;
mod schedule;
mod scheduler;
mod setup;
mod shared_loads;
mod shared_state;
mod shorter_loads;
mod sides;
mod signals;
mod spending;
mod staging;
mod stalls;
mod stepper;
mod team;
#[cfg(test)]
mod tests;
mod trial;
mod unit_context;
mod unit_flags;
mod value;
pub mod vector;
mod vector_call;
mod vector_unit;
mod views;

pub use a2lint_ir::sync::{Route, side_of};
pub use access::{Access, MemoryId, Rows, Site, Undefined};
pub use allocate::AllocationError;
pub use bound::{BoundGlobal, BoundLaunch, Contents};
pub use clock::Clock;
pub use estimate::{
    Activity, Bound, Edge, Estimate, Moment, PathShare, PipeLoad, Roofline, Slice, Stall,
    StatementCost,
};
pub use image::Image;
pub use inputs::{generate, push};
pub use inspect::{Inspection, Snapshot};
pub use lane::{Halt, Step};
pub use lane_id::{LaneId, LaneKind};
pub use launch::{Bindings, LaunchError};
pub use loads::{Rest, ShorterLoad};
pub use memory::number;
pub use numerics::{
    Cancellation, Departure, DepartureKind, Extremes, Lost, Numerics, Rounding, last_place, rounded,
};
pub use observer::{NullObserver, Observer, Progress, SyncOp, Token};
pub use outcome::{
    BlockedLane, Budget, Deadlock, Doubt, End, Illegal, Illegality, Outcome, Refusal, Waiting,
};
pub use pending_tokens::{PendingToken, QueuedWork};
pub use sanitizer::{FindingKind, SanitizerFinding};
pub use scalars::{Environment, VariableSet, Wrap, variables_of_scalars};
pub use setup::Setup;
pub use setup::{Following, Options, PerturbedLoads, Stepping, Threads, adds_atomically};
pub use sides::Relevance;
pub use signals::EventRef;
pub use stepper::{LaneState, Stepper, lanes};
pub use trial::{OperandFault, Trial, global_pitch, try_out};
pub use value::{Absence, Fault, Value};
pub use vector_call::{VectorCall, VectorLength, VectorOperand};

use a2lint_ir::Program;
use inputs::Tensor;
use scheduler::Run;

/// Runs a kernel to its end, or to the first limit.
pub fn simulate(
    program: &Program,
    launch: &BoundLaunch,
    options: &Options,
    observer: &mut dyn Observer,
) -> Outcome {
    let run = match Setup::new(program, launch, *options) {
        Ok(setup) => scheduler::run(setup, observer),
        Err(error) => Run::refused(program, error),
    };
    let globals = run.globals.into_iter();
    let globals = match options.leaves_untouched {
        true => globals.map(Tensor::incomplete).collect(),
        false => globals.map(Tensor::complete).collect(),
    };
    let seen = run.seen;
    let mut outcome = Outcome {
        end: run.end,
        globals,
        findings: seen.findings.finish(),
        illegal: seen.illegal,
        shorter_loads: seen.shorter_loads,
        executed: seen.executed,
        faithful: seen.faithful,
        doubts: seen.doubts,
        hf32: seen.hf32,
        numerics: seen.numerics,
        instructions: run.tally.instructions,
        work: run.tally.work,
    };
    if outcome.has_results(program) {
        sanitizer::forget_harmless_reads(&mut outcome.findings);
    }
    outcome
}

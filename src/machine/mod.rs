//! The embedded A2 machine: runs a traced kernel and shows concrete results.
//!
//! A [`crate::ir::Program`] and a [`BoundLaunch`] go in, an [`Outcome`] comes out. Every core runs
//! one cube lane and two vec lanes over the same statements; each lane executes in program order,
//! waits block, and the order in which lanes take turns is fixed. Beside every byte of every
//! memory stands whether it was ever written.
//!
//! The machine has no clock, opens no file and depends on no hash order, thread or CPU feature:
//! the same launch gives the same bits everywhere.

mod allocate;
mod atomics;
mod carried;
mod chip;
mod clock;
pub mod cost;
mod cube;
mod delays;
mod estimate;
mod exact_cube;
mod fixpipe;
mod fractal;
mod inputs;
mod inspect;
mod invent;
mod kernel;
mod lane;
mod lane_id;
mod launch;
pub mod memory;
mod moves;
mod numerics;
mod observer;
mod operation;
mod outcome;
mod ownership;
mod panel;
mod provenance;
mod reloads;
mod resolve;
mod resolve_vector;
mod sanitizer;
mod scalars;
mod schedule;
mod scheduler;
mod setup;
mod sides;
mod signals;
mod spending;
mod staging;
mod stalls;
mod station;
#[cfg(test)]
mod tests;
mod trial;
pub mod vector;
mod vector_call;
mod vector_unit;
mod views;
mod world;

pub use crate::sync::{Route, side_of};
pub use clock::Clock;
pub use estimate::{
    Activity, Bound, Edge, Estimate, Moment, PathShare, PipeLoad, Roofline, Slice, Stall,
    StatementCost,
};
pub use inputs::{generate, push};
pub use inspect::{Inspection, Snapshot, number};
pub use lane_id::{LaneId, LaneKind};
pub use launch::{Bindings, BoundGlobal, BoundLaunch, Contents, LaunchError};
pub use numerics::{Cancellation, Lost, Numerics, Rounding, last_place};
pub use observer::{
    Access, Blind, MemoryId, Observer, Progress, Rows, Site, SyncOp, Token, Undefined,
};
pub use outcome::{BlockedLane, Budget, Deadlock, Doubt, End, Outcome, Refusal, Waiting};
pub use reloads::Reload;
pub use sanitizer::{FindingKind, SanitizerFinding};
pub use scalars::{Absence, Value, Wrap};
pub use setup::{Disturb, Options, Stepping, adds_atomically};
pub use sides::Relevance;
pub use signals::EventRef;
pub use station::Illegal;
pub use trial::{Complaint, Trial, global_pitch, try_out};
pub use vector_call::{VectorCall, VectorLength, VectorOperand};

use crate::ir::Program;
use inputs::Tensor;
use sanitizer::Findings;
use setup::Setup;
use station::Monitor;

/// Runs a kernel to its end, or to the first limit.
pub fn simulate(
    program: &Program,
    launch: &BoundLaunch,
    options: &Options,
    observer: &mut dyn Observer,
) -> Outcome {
    let mut monitor = Monitor {
        // What is overwritten decides what a load finds left over.
        wants_accesses: observer.wants_accesses() || options.disturb != Disturb::Nothing,
        wants_definedness: observer.wants_definedness(),
        wants_costs: observer.wants_costs(),
        only_looks: options.only_looks,
        observer,
        findings: Findings::default(),
        illegal: Vec::new(),
        reloads: Vec::new(),
        executed: vec![false; program.stmt_count as usize],
        faithful: true,
        doubts: Vec::new(),
        misses_signals: false,
        hf32: false,
        numerics: options
            .follows_exact
            .then(|| Numerics::new(program.stmt_count)),
    };
    let (end, globals, instructions, work) = match Setup::new(program, launch, *options) {
        Ok(setup) => {
            let run = scheduler::run(&setup, &mut monitor);
            let globals = run.chip.globals.into_iter();
            let globals = match options.leaves_untouched {
                true => globals.map(Tensor::incomplete).collect(),
                false => globals.map(Tensor::complete).collect(),
            };
            (run.end, globals, run.instructions, run.work)
        }
        Err(error) => {
            let reason = error.message(program);
            (
                End::Refused(Refusal {
                    stmt: None,
                    lane: None,
                    reason,
                }),
                Vec::new(),
                0,
                0,
            )
        }
    };
    let mut outcome = Outcome {
        end,
        globals,
        findings: monitor.findings.finish(),
        illegal: monitor.illegal,
        reloads: monitor.reloads,
        executed: monitor.executed,
        faithful: monitor.faithful,
        doubts: monitor.doubts,
        hf32: monitor.hf32,
        numerics: monitor.numerics,
        instructions,
        work,
    };
    if outcome.has_results(program) {
        sanitizer::forget_harmless_reductions(&mut outcome.findings);
    }
    outcome
}

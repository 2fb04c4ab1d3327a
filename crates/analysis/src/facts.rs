//! The analysis of one kernel, computed once for all its users.

use std::cell::Cell;
use std::sync::OnceLock;

use crate::Analysis;
use a2lint_ir::{MemoryMap, Program};

thread_local! {
    static ANALYSED: Cell<usize> = const { Cell::new(0) };
}

/// What holds for a kernel in every launch. Rules, proofs and editors share one, since there is no other way
/// to an [`Analysis`].
///
/// The analysis, which all of them need, is made at once. Parts that only some need are computed on demand.
#[derive(Debug)]
pub struct KernelFacts<'p> {
    program: &'p Program,
    analysis: Analysis<'p>,
    memory: OnceLock<MemoryMap>,
}

impl<'p> KernelFacts<'p> {
    /// Analyses a kernel.
    pub fn of(program: &'p Program) -> KernelFacts<'p> {
        ANALYSED.with(|number| number.set(number.get() + 1));
        KernelFacts {
            program,
            analysis: Analysis::of(program),
            memory: OnceLock::new(),
        }
    }

    /// Returns the kernel.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Footprints, definedness and masks.
    pub fn analysis(&self) -> &Analysis<'p> {
        &self.analysis
    }

    /// Returns the addresses of its buffers.
    pub fn memory(&self) -> &MemoryMap {
        self.memory.get_or_init(|| MemoryMap::of(self.program))
    }
}

/// Returns the number of kernels that this thread has analysed, by which tests check that each is analysed
/// once.
pub fn analysed() -> usize {
    ANALYSED.with(Cell::get)
}

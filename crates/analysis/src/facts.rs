//! What is known of one kernel, computed once for all who ask.

use std::cell::Cell;
use std::sync::OnceLock;

use crate::Analysis;
use a2lint_ir::{MemoryMap, Program};

thread_local! {
    static ANALYSED: Cell<usize> = const { Cell::new(0) };
}

/// What is known of a kernel for any launch. Rules, proofs and editors share one: there is no other way to an
/// [`Analysis`].
///
/// The analysis, which all of them need, is made at once. What only some need is computed when it is first asked
/// for.
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

    /// The kernel.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Footprints, definedness and masks.
    pub fn analysis(&self) -> &Analysis<'p> {
        &self.analysis
    }

    /// Where its buffers lie.
    pub fn memory(&self) -> &MemoryMap {
        self.memory.get_or_init(|| MemoryMap::of(self.program))
    }
}

/// How many kernels this thread has analysed so far: tests see with it that each is analysed once.
pub fn analysed() -> usize {
    ANALYSED.with(Cell::get)
}

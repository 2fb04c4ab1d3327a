//! The constant parts of a run.

use std::sync::Arc;

use super::allocate::{Allocation, AllocationError};
use super::bound::BoundLaunch;
use super::loads::{Rest, first_alike};
use super::scalars::{VariableSet, variables_of_scalars};
use super::sides::Relevance;
use a2lint_ir::{AtomicKind, BufferId, Program, StmtId, StmtKind};

/// Limits and switches of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Maximum number of statements that all lanes together execute.
    pub max_instructions: u64,
    /// Maximum amount of work of all lanes together; one unit is about one repeat of a vector instruction.
    pub max_work: u64,
    /// Maximum number of bytes of on-chip memory that are allocated at once.
    pub max_memory: u64,
    /// Whether to clamp half and bfloat16 results to their largest finite value and turn NaN into 0.
    pub saturate: bool,
    /// What is followed beside the floats of the run.
    pub following: Following,
    /// Whether to omit bytes of global tensors that were never accessed from the results.
    pub leaves_untouched: bool,
    /// Which loads change the leftovers of earlier loads.
    pub disturb: PerturbedLoads,
    /// Whether to execute only what the observer watches, and what orders accesses: nothing is computed, loaded or
    /// stored, and every instruction is one unit of work. Control flow must not depend on data.
    pub only_looks: bool,
    /// The order in which lanes are stepped.
    pub stepping: Stepping,
    /// Threads for cores that do not communicate.
    pub threads: Threads,
}

/// What is followed beside the floats of a run, see [`super::Numerics`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Following {
    /// Only the floats themselves.
    #[default]
    Nothing,
    /// Exact values, without asking where errors come from.
    Values,
    /// Exact values, the errors that each statement adds, and how near operands come to where floats end.
    Errors,
    /// The values of the run in which one buffer of a shorter type is taken for one of floats; all others are rounded
    /// to their types.
    Widened(BufferId),
}

/// How many threads run cores that do not communicate; only the duration of a run depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads {
    /// Maximum number of threads.
    pub most: u32,
    /// Remaining work, in small statements, from which on more than one thread is used.
    pub least_work: u64,
}

impl Threads {
    /// Only the calling thread.
    pub const ONE: Threads = Threads {
        most: 1,
        least_work: Self::LEAST_WORK,
    };

    /// About a millisecond of work.
    const LEAST_WORK: u64 = 20_000;

    /// Returns as many threads as the process may run at the same time.
    pub fn available() -> Threads {
        let available = std::thread::available_parallelism();
        Threads {
            most: available.map_or(1, |threads| threads.get().try_into().unwrap_or(u32::MAX)),
            ..Threads::ONE
        }
    }
}

/// The order in which lanes are stepped. Results depend on it only where lanes are not ordered by the kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stepping {
    /// Core by core and lane by lane, each until it has to wait.
    #[default]
    InTurn,
    /// Cores, lanes, lengths of turns and delays of pipes are drawn from a seed.
    Drawn(u64),
}

/// Which loads change the bytes beside their data: those that an earlier, larger load has left in their slot, and
/// those that fill the last block of a row. A result that changes then depends on data of an older tile, or on the
/// filler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PerturbedLoads {
    /// No load: memory keeps its contents.
    #[default]
    Nothing,
    /// All loads.
    All,
    /// Loads of one statement, with a rest of one kind.
    Of(StmtId, Rest),
}

impl PerturbedLoads {
    /// Returns whether loads of a statement change a rest of this kind.
    pub fn concerns(self, stmt: StmtId, rest: Rest) -> bool {
        match self {
            PerturbedLoads::Nothing => false,
            PerturbedLoads::All => true,
            PerturbedLoads::Of(wanted, of) => wanted == stmt && of.is_like(rest),
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            max_instructions: 50_000_000,
            max_work: u64::MAX,
            max_memory: 1 << 30,
            saturate: false,
            following: Following::Nothing,
            leaves_untouched: false,
            disturb: PerturbedLoads::Nothing,
            only_looks: false,
            stepping: Stepping::InTurn,
            threads: Threads::ONE,
        }
    }
}

/// A program with everything that can be computed before it runs.
#[derive(Debug)]
pub struct Setup<'p> {
    /// The program.
    pub program: &'p Program,
    /// The arguments of the program.
    pub launch: &'p BoundLaunch,
    /// Limits and switches.
    pub options: Options,
    /// The addresses of buffers.
    pub allocation: Allocation,
    /// The variables that each scalar depends on.
    pub depends: Arc<[VariableSet]>,
    /// Statements that each side skips.
    pub relevance: Relevance,
    /// Whether some store is an atomic sum.
    pub has_sums: bool,
    /// For each statement, the first one at the same place of the source: a loop that is unrolled has several.
    pub first_alike: Vec<StmtId>,
}

impl<'p> Setup<'p> {
    /// Prepares a run.
    pub fn new(
        program: &'p Program,
        launch: &'p BoundLaunch,
        options: Options,
    ) -> Result<Self, AllocationError> {
        let depends = variables_of_scalars(program);
        let allocation = Allocation::of(program, launch, &depends)?;
        let relevance = Relevance::of(program);
        let first_alike = first_alike(program);
        Ok(Setup {
            first_alike,
            program,
            launch,
            options,
            allocation,
            depends,
            relevance,
            has_sums: adds_atomically(program),
        })
    }
}

/// Returns whether some store of a kernel is an atomic sum.
pub fn adds_atomically(program: &Program) -> bool {
    let mut found = false;
    program.walk(&mut |stmt| {
        let kind = &stmt.kind;
        found |= matches!(kind, StmtKind::Atomic { kind, .. } if *kind == AtomicKind::Add);
    });
    found
}

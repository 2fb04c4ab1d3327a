//! What holds for a whole run.

use std::sync::Arc;

use super::allocate::{Allocation, AllocationError};
use super::bound::BoundLaunch;
use super::lane_id::{LaneId, LaneKind};
use super::scalars::{Environment, fixed_scalars};
use super::sides::Relevance;
use a2lint_ir::{AtomicKind, Program, StmtId, StmtKind};

/// Limits and switches of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Most statements that all lanes together execute.
    pub max_instructions: u64,
    /// Most work that all lanes together do: one unit is about a repeat of a vector instruction.
    pub max_work: u64,
    /// Most bytes of on-chip memories that are kept at once.
    pub max_memory: u64,
    /// Clamp half and bfloat16 results to their largest finite value and turn NaN into 0.
    pub saturate: bool,
    /// Keep exact values beside floats, see [`super::Numerics`].
    pub follows_exact: bool,
    /// Leave out of the results what global tensors hold where nothing has touched them.
    pub leaves_untouched: bool,
    /// Leftovers of earlier loads that get other values.
    pub disturb: Disturb,
    /// Only look at operands on the chip: nothing is computed, loaded or stored, and every instruction is
    /// one unit of work. Control flow must not depend on data.
    pub only_looks: bool,
    /// In which order lanes are stepped.
    pub stepping: Stepping,
    /// Threads that run cores which do not meet.
    pub threads: Threads,
}

/// How many threads run cores that do not meet. Nothing but the time that it takes depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads {
    /// Most of them.
    pub most: u32,
    /// Work left to do, in small statements, below which more than one is not worth its while.
    pub least_work: u64,
}

impl Threads {
    /// The thread of the caller.
    pub const ONE: Threads = Threads {
        most: 1,
        least_work: Self::LEAST_WORK,
    };

    /// About a millisecond.
    const LEAST_WORK: u64 = 20_000;

    /// As many as the process may run at the same time.
    pub fn available() -> Threads {
        let available = std::thread::available_parallelism();
        Threads {
            most: available.map_or(1, |threads| threads.get().try_into().unwrap_or(u32::MAX)),
            ..Threads::ONE
        }
    }
}

/// In which order lanes are stepped. Results depend on it only where nothing orders what lanes do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stepping {
    /// Core by core and lane by lane, each until it has to wait.
    #[default]
    InTurn,
    /// Cores, lanes, how long each goes on, and which pipes fall behind are drawn from a seed.
    Drawn(u64),
}

/// Which loads change what an earlier, larger load has left beside them in their slot. Whatever
/// then comes out differently depends on data of an older tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Disturb {
    /// None: memory keeps what it holds.
    #[default]
    Nothing,
    /// All of them.
    All,
    /// Those of one statement.
    Of(StmtId),
}

impl Disturb {
    /// Whether loads of a statement do.
    pub fn concerns(self, stmt: StmtId) -> bool {
        match self {
            Disturb::Nothing => false,
            Disturb::All => true,
            Disturb::Of(wanted) => wanted == stmt,
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
            follows_exact: false,
            leaves_untouched: false,
            disturb: Disturb::Nothing,
            only_looks: false,
            stepping: Stepping::InTurn,
            threads: Threads::ONE,
        }
    }
}

/// A program with everything that can be worked out before it runs.
#[derive(Debug)]
pub struct Setup<'p> {
    /// The program.
    pub program: &'p Program,
    /// Its arguments.
    pub launch: &'p BoundLaunch,
    /// Limits and switches.
    pub options: Options,
    /// Where buffers lie.
    pub allocation: Allocation,
    /// Scalars that keep their value.
    pub fixed: Arc<[bool]>,
    /// Statements that a side passes over.
    pub relevance: Relevance,
    /// Whether some store is an atomic sum.
    pub has_sums: bool,
}

impl<'p> Setup<'p> {
    /// Prepares a run.
    pub fn new(
        program: &'p Program,
        launch: &'p BoundLaunch,
        options: Options,
    ) -> Result<Self, AllocationError> {
        let fixed = fixed_scalars(program);
        let first = LaneId {
            core: 0,
            kind: LaneKind::Cube,
        };
        let allocation = Allocation::of(
            program,
            launch.device,
            &mut Environment::new(program, launch, &fixed, first),
        )?;
        let relevance = Relevance::of(program);
        Ok(Setup {
            program,
            launch,
            options,
            allocation,
            fixed,
            relevance,
            has_sums: adds_atomically(program),
        })
    }
}

/// Whether some store of a kernel is an atomic sum.
pub fn adds_atomically(program: &Program) -> bool {
    let mut found = false;
    program.walk(&mut |stmt| {
        let kind = &stmt.kind;
        found |= matches!(kind, StmtKind::Atomic { kind, .. } if *kind == AtomicKind::Add);
    });
    found
}

//! The estimated times of a kernel on the device, by the cost model, and what causes them.

use super::cost;
use super::lane_id::LaneId;
use super::observer::Token;
use a2lint_ir::StmtId;
use a2lint_isa::Pipe;

/// Busy fraction from which on a pipe, or the path to memory, is said to limit a kernel.
const BUSY: f64 = 0.6;

/// The estimated times of a kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Cycles from the first instruction until the last pipe is done.
    pub cycles: i64,
    /// The pipes that worked or waited, by lane and pipe.
    pub loads: Vec<PipeLoad>,
    /// Fraction of the time in which the chip's path to memory is busy.
    pub memory: f64,
    /// Statements of the critical path, those with the most cycles first.
    pub path: Vec<PathShare>,
    /// The cost of each statement on its pipes, in program order.
    pub statements: Vec<StatementCost>,
    /// Bytes that all lanes move between their cores and global memory.
    pub moved: i64,
    /// Elements that all lanes compute; a product counts multiplications and additions.
    pub operations: i64,
    /// The longest waits of the lane that ends last, longest first.
    pub stalls: Vec<Stall>,
    /// Loads that are slower because all lanes load the same addresses in the same order, those that lose
    /// most first.
    pub shared_loads: Vec<StmtId>,
    /// The activities of the pipes, lane by lane; empty unless asked for.
    pub slices: Vec<Slice>,
    /// The dependencies between pipes; empty unless asked for.
    pub edges: Vec<Edge>,
    /// Number of steps of the run that the estimate lacks, because there were too many.
    pub missing: u64,
    /// Number of slices that were left out, because there were too many.
    pub slices_left_out: u64,
}

/// The resource that limits a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The path to global memory that all lanes share.
    Memory,
    /// One pipe of the busiest lane.
    Pipe(Pipe),
    /// No pipe is busy for long: the pipes wait for each other.
    Latency,
}

impl Bound {
    /// Returns the name for reports.
    pub fn describe(self) -> String {
        match self {
            Bound::Memory => "global memory".to_owned(),
            Bound::Pipe(pipe) => pipe.name().to_owned(),
            Bound::Latency => "latency".to_owned(),
        }
    }
}

impl Estimate {
    /// Microseconds from the launch to the end, including the cost of every launch.
    pub fn microseconds(&self) -> f64 {
        let cycles = self.cycles as f64 + cost::start_cycles();
        cost::launch_microseconds() + cycles / cost::clock_mhz() as f64
    }

    /// Returns the pipe that is busy longest.
    pub fn busiest(&self) -> Option<&PipeLoad> {
        // `max_by_key` returns the last maximum, so the reversed order gives the first lane and pipe.
        self.loads.iter().rev().max_by_key(|load| load.busy)
    }

    /// Returns the kernel's place on the roofline, or `None` if it computes or moves nothing.
    pub fn roofline(&self) -> Option<Roofline> {
        if self.operations == 0 || self.moved == 0 {
            return None;
        }
        let units = self.loads.iter().rev();
        let units = units.filter(|load| matches!(load.pipe, Pipe::M | Pipe::V));
        let unit = units.max_by_key(|load| load.busy)?;
        let share = unit.busy as f64 / self.cycles.max(1) as f64;
        let intensity = self.operations as f64 / self.moved as f64;
        Some(Roofline {
            intensity,
            ridge: intensity * self.memory / share.max(f64::MIN_POSITIVE),
            unit: unit.pipe,
            share,
        })
    }

    /// Returns what limits the kernel, or `None` if it does nothing.
    pub fn bound(&self) -> Option<Bound> {
        let busiest = self.busiest()?;
        let share = busiest.busy as f64 / self.cycles.max(1) as f64;
        let moves = matches!(busiest.pipe, Pipe::Mte2 | Pipe::Mte3 | Pipe::Fix);
        Some(match () {
            () if self.memory >= BUSY && (moves || self.memory >= share) => Bound::Memory,
            () if share >= BUSY => Bound::Pipe(busiest.pipe),
            () => Bound::Latency,
        })
    }
}

/// The arithmetic intensity of a kernel, and which side of the roofline it is on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roofline {
    /// Operations for each byte that is moved from or to global memory.
    pub intensity: f64,
    /// The intensity at which computing and moving would keep unit and path to memory equally busy. Below it
    /// memory limits the kernel, above it the unit.
    pub ridge: f64,
    /// The unit that is busy longest on some lane: M or V.
    pub unit: Pipe,
    /// Fraction of the time in which that unit is busy.
    pub share: f64,
}

impl Roofline {
    /// Returns whether memory is the lower roof.
    pub fn is_below_ridge(&self) -> bool {
        self.intensity < self.ridge
    }
}

/// The total times of one pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PipeLoad {
    /// The cube or vec core that the pipe belongs to.
    pub lane: LaneId,
    /// The pipe.
    pub pipe: Pipe,
    /// Cycles of work.
    pub busy: i64,
    /// Cycles of waiting for others.
    pub waiting: i64,
}

/// The part of one statement in the critical path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathShare {
    /// The statement.
    pub stmt: StmtId,
    /// The pipe.
    pub pipe: Pipe,
    /// Cycles of the statement on the path.
    pub cycles: i64,
}

/// The cost of one statement on one pipe, on the lane where it is largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatementCost {
    /// The statement.
    pub stmt: StmtId,
    /// The pipe.
    pub pipe: Pipe,
    /// Number of times that the lane executes it.
    pub executions: u64,
    /// Cycles for which it occupies the pipe.
    pub busy: i64,
    /// The part of `busy` that is due to other lanes' use of global memory.
    pub shared: i64,
    /// Cycles for which the pipe waits for others before it.
    pub waiting: i64,
}

/// A pipe that waits for the work of another pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stall {
    /// The pipe that waits.
    pub pipe: Pipe,
    /// The statement that could begin.
    pub stmt: StmtId,
    /// The pipe that is waited for.
    pub on: Pipe,
    /// The statement that is waited for.
    pub cause: StmtId,
    /// Cycles on one lane, summed over all executions.
    pub cycles: i64,
}

/// A stretch of time on one pipe of one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The cube or vec core that the pipe belongs to.
    pub lane: LaneId,
    /// The pipe.
    pub pipe: Pipe,
    /// The statement that occupies it.
    pub stmt: StmtId,
    /// First cycle.
    pub start: i64,
    /// End cycle, exclusive.
    pub end: i64,
    /// The activity of the pipe.
    pub activity: Activity,
}

/// The activity of a pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// The pipe executes an instruction whose result is visible at cycle `done`.
    Work {
        /// The cycle in which the result is visible.
        done: i64,
        /// Bytes that are moved; 0 for arithmetic.
        bytes: i64,
        /// Repeats of a vector instruction; 0 for others.
        repeats: i64,
    },
    /// The pipe waits for a token that is set elsewhere.
    Await(Token),
    /// The pipe waits for work of another pipe on a slot, because of `auto_sync`.
    AutoSync(Pipe),
    /// The pipe waits for all pipes of its lane, or for its own work.
    Barrier,
}

/// A dependency: `to` waits for `from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The token that is waited for; `None` for a handshake of `auto_sync`.
    pub token: Option<Token>,
    /// The end of the work that is waited for.
    pub from: Moment,
    /// The start of the work that waits.
    pub to: Moment,
}

/// A point in time on one pipe of one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The cube or vec core that the pipe belongs to.
    pub lane: LaneId,
    /// The pipe.
    pub pipe: Pipe,
    /// The cycle.
    pub at: i64,
}

//! What a kernel takes on the device, by the cost model: when everything happens and why.

use super::cost;
use super::lane_id::LaneId;
use super::observer::Token;
use a2lint_ir::StmtId;
use a2lint_isa::Pipe;

/// Share of a pipe above which it limits a kernel.
const BUSY: f64 = 0.6;

/// What a kernel takes on the device.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Estimate {
    /// The cycle in which the last pipe is done, from the first instruction on.
    pub cycles: i64,
    /// The pipes that did or awaited anything, by lane and pipe.
    pub loads: Vec<PipeLoad>,
    /// Share of the time in which the chip's way to memory is busy.
    pub memory: f64,
    /// Statements of the critical path, from the most to the least of its cycles.
    pub path: Vec<PathShare>,
    /// What each statement takes of its pipes, in the order of the program.
    pub statements: Vec<StatementCost>,
    /// Bytes that all lanes move between their cores and global memory.
    pub moved: i64,
    /// Elements that all lanes compute; a product counts multiplications and additions.
    pub operations: i64,
    /// What waits longest on the lane that ends last, longest first.
    pub stalls: Vec<Stall>,
    /// Loads that take longer because all lanes make them of the same addresses in the same order,
    /// those that lose most first.
    pub together: Vec<StmtId>,
    /// What the pipes did, lane by lane; only if asked for.
    pub slices: Vec<Slice>,
    /// What waited for what; only if asked for.
    pub edges: Vec<Edge>,
    /// Steps of the run that are not part of it, because there were too many.
    pub missing: u64,
    /// Slices that are left out, because there were too many.
    pub slices_left_out: u64,
}

/// What limits a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The way to global memory that all lanes share.
    Memory,
    /// One pipe of the busiest lane.
    Pipe(Pipe),
    /// No pipe is busy for long: the pipes wait for each other.
    Latency,
}

impl Bound {
    /// How reports name it.
    pub fn describe(self) -> String {
        match self {
            Bound::Memory => "global memory".to_owned(),
            Bound::Pipe(pipe) => pipe.name().to_owned(),
            Bound::Latency => "latency".to_owned(),
        }
    }
}

impl Estimate {
    /// Microseconds from the launch to the end, what every kernel loses once included.
    pub fn microseconds(&self) -> f64 {
        let cycles = self.cycles as f64 + cost::start_cycles();
        cost::launch_microseconds() + cycles / cost::clock_mhz() as f64
    }

    /// The pipe that is busy longest.
    pub fn busiest(&self) -> Option<&PipeLoad> {
        self.loads.iter().rev().max_by_key(|load| load.busy)
    }

    /// Where the kernel is on the roofline. `None` for one that computes or moves nothing.
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

    /// What limits the kernel. `None` for one that does nothing.
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

/// How much a kernel computes for what it moves, and which of the two takes longer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roofline {
    /// Operations for each byte that is moved from or to global memory.
    pub intensity: f64,
    /// The intensity at which its instructions would keep the unit as busy as its moves keep the
    /// way to memory. Below it memory is the lower roof, above it the unit.
    pub ridge: f64,
    /// The unit that is busy longest on some lane: M or V.
    pub unit: Pipe,
    /// Share of the time in which it is.
    pub share: f64,
}

impl Roofline {
    /// Whether memory is the lower roof.
    pub fn is_below_ridge(&self) -> bool {
        self.intensity < self.ridge
    }
}

/// One pipe in total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PipeLoad {
    /// The lane.
    pub lane: LaneId,
    /// The pipe.
    pub pipe: Pipe,
    /// Cycles of work.
    pub busy: i64,
    /// Cycles of waiting for others.
    pub waiting: i64,
}

/// What one statement adds to the critical path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathShare {
    /// The statement.
    pub stmt: StmtId,
    /// The pipe.
    pub pipe: Pipe,
    /// Its cycles on the path.
    pub cycles: i64,
}

/// What one statement takes of one pipe, on the lane where that is most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatementCost {
    /// The statement.
    pub stmt: StmtId,
    /// The pipe.
    pub pipe: Pipe,
    /// How often the lane executes it.
    pub executions: u64,
    /// Cycles in which it keeps the pipe.
    pub busy: i64,
    /// Those of them that it would not take if its lane had global memory for itself.
    pub shared: i64,
    /// Cycles in which the pipe waits for others before it.
    pub waiting: i64,
}

/// A pipe that waits for the work of another one.
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
    /// Cycles on one lane, over all executions.
    pub cycles: i64,
}

/// A stretch of time on one pipe of one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The lane.
    pub lane: LaneId,
    /// The pipe.
    pub pipe: Pipe,
    /// The statement that takes it.
    pub stmt: StmtId,
    /// First cycle.
    pub start: i64,
    /// The cycle after the last one.
    pub end: i64,
    /// What the pipe does.
    pub activity: Activity,
}

/// What a pipe does for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// It is taken by an instruction, whose result is there at cycle `done`.
    Work {
        /// When the result is there.
        done: i64,
        /// Bytes that are moved; 0 for arithmetic.
        bytes: i64,
        /// Repeats of a vector instruction; 0 for others.
        repeats: i64,
    },
    /// It waits for something that is set elsewhere.
    Await(Token),
    /// It waits for work of another pipe on a slot, as `auto_sync` makes it.
    AutoSync(Pipe),
    /// It waits for all pipes of its lane, or for its own work.
    Barrier,
}

/// Something on one pipe that something on another waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// What is waited for; `None` for a handshake of `auto_sync`.
    pub token: Option<Token>,
    /// Who says that it is done.
    pub from: Moment,
    /// Who goes on then.
    pub to: Moment,
}

/// A point in time on one pipe of one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The lane.
    pub lane: LaneId,
    /// The pipe.
    pub pipe: Pipe,
    /// The cycle.
    pub at: i64,
}

//! Steps lanes in a fixed order until all are done, or none can go on.
//!
//! A lane runs until it has to wait, then the next one gets its turn: cube, vec 0, vec 1, core by
//! core. Cores that never wait for one another run one after the other in the same memories. Who asks
//! for it gets another order, drawn from a seed ([`Stepping::Drawn`]).

use super::chip::Chip;
use super::inputs::Random;
use super::lane::{Halt, Lane, Step};
use super::lane_id::{LaneId, LaneKind};
use super::observer::Progress;
use super::outcome::{BlockedLane, Budget, Deadlock, End, Refusal};
use super::provenance::Provenance;
use super::setup::{Setup, Stepping};
use super::signals::Flags;
use super::station::Monitor;
use super::world::World;
use super::{allocate, cube::CubeScratch};
use crate::device::SUB_BLOCKS;
use crate::ir::{Program, StmtId, StmtKind};
use crate::isa::Opcode;

/// Small statements' worth of work between two looks at the caller's deadline.
const LOOK_INTERVAL: u64 = 256;
/// Statements of the longest turn that is drawn, as a power of two.
const LONGEST_TURN: u64 = 10;

/// The result of running all cores.
pub struct Run {
    /// How it ended.
    pub end: End,
    /// The memories as it left them.
    pub chip: Chip,
    /// Statements that were executed.
    pub instructions: u64,
    /// Work that the units did.
    pub work: u64,
}

/// Runs every core of a launch.
pub fn run(setup: &Setup, monitor: &mut Monitor) -> Run {
    let cores = setup.launch.cores;
    let together = if cores_communicate(setup.program) {
        cores
    } else {
        1
    };
    let mut scheduler = Scheduler::new(setup, monitor, together);
    let needed = u64::from(together) * allocate::core_bytes() as u64;
    let end = if needed > setup.options.max_memory {
        End::BudgetExhausted(Budget::Memory)
    } else {
        scheduler.cores(cores, together)
    };
    Run {
        end,
        instructions: scheduler.instructions,
        work: scheduler.world.work,
        chip: scheduler.world.chip,
    }
}

/// Whether some core waits for another.
fn cores_communicate(program: &Program) -> bool {
    let mut found = false;
    program.walk(&mut |stmt| {
        if let StmtKind::Instr(instr) = &stmt.kind {
            found |= matches!(instr.opcode, Opcode::AllCubeWait | Opcode::AllVecWait);
        }
    });
    found
}

struct Scheduler<'p, 'm, 'o> {
    setup: &'p Setup<'p>,
    world: World<'m, 'o>,
    instructions: u64,
    finished_cores: u32,
    dice: Dice,
}

/// What the turn of a lane came to.
enum Turn {
    Finished,
    Waits(super::Waiting),
    /// It could go on.
    Paused,
}

/// Draws whose turn it is, where that is not fixed.
struct Dice(Option<Random>);

impl Dice {
    fn of(stepping: Stepping) -> Dice {
        Dice(match stepping {
            Stepping::InTurn => None,
            Stepping::Drawn(seed) => Some(Random::new(seed)),
        })
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        let Some(random) = &mut self.0 else { return };
        for end in (1..items.len()).rev() {
            items.swap(end, (random.next() % (end as u64 + 1)) as usize);
        }
    }

    /// How many statements a lane executes before another may have its turn: mostly few, at times many.
    fn turn(&mut self) -> u64 {
        let random = self.0.as_mut();
        random.map_or(u64::MAX, |random| 1 << (random.next() % LONGEST_TURN))
    }
}

impl<'p, 'm, 'o> Scheduler<'p, 'm, 'o> {
    fn new(setup: &'p Setup<'p>, monitor: &'m mut Monitor<'o>, together: u32) -> Self {
        let watched = (0..setup.program.stmt_count)
            .map(|stmt| monitor.observer.watches(StmtId(stmt)))
            .collect();
        let chip = Chip::new(setup.launch, &setup.allocation, together as usize);
        let world = World {
            chip: match setup.options.follows_exact {
                true => chip.followed(),
                false => chip,
            },
            flags: Flags::default(),
            provenance: Provenance::default(),
            scratch: CubeScratch::default(),
            monitor,
            watched,
            effort: 0,
            work: 0,
        };
        Scheduler {
            setup,
            world,
            instructions: 0,
            finished_cores: 0,
            dice: Dice::of(setup.options.stepping),
        }
    }

    /// Runs `cores` cores, `together` of them at a time.
    fn cores(&mut self, cores: u32, together: u32) -> End {
        let mut groups: Vec<u32> = (0..cores).step_by(together as usize).collect();
        self.dice.shuffle(&mut groups);
        for (at, first) in groups.into_iter().enumerate() {
            if at > 0 {
                self.world.chip.core(first).reset(&self.setup.allocation);
            }
            let group = first..cores.min(first + together);
            group
                .clone()
                .for_each(|core| self.world.flags.post_credits(self.setup.program, core));
            let ids =
                group.flat_map(|core| lanes(self.setup.program, self.setup.launch.vec_lanes, core));
            let mut lanes: Vec<Lane> = ids.map(|id| Lane::new(self.setup, id)).collect();
            if let Err(end) = self.lanes(&mut lanes) {
                return end;
            }
            self.finished_cores = cores.min((at as u32 + 1) * together);
        }
        End::Finished
    }

    /// Steps lanes until all have come to their end.
    fn lanes(&mut self, lanes: &mut [Lane<'p>]) -> Result<(), End> {
        let mut finished = vec![false; lanes.len()];
        let mut order: Vec<usize> = (0..lanes.len()).collect();
        while finished.contains(&false) {
            let mut progress = false;
            let mut blocked = Vec::new();
            self.dice.shuffle(&mut order);
            for &at in &order {
                if finished[at] {
                    continue;
                }
                let lane = &mut lanes[at];
                let before = self.instructions;
                match self.lane(lane)? {
                    Turn::Finished => (finished[at], progress) = (true, true),
                    Turn::Paused => {}
                    Turn::Waits(waiting) => blocked.push(BlockedLane {
                        lane: lane.id,
                        stmt: lane.statement().map(|stmt| stmt.id),
                        waiting,
                    }),
                }
                progress |= self.instructions > before;
            }
            if !progress && self.world.monitor.misses_signals {
                return Err(End::Refused(unseen_signal(&blocked)));
            }
            if !progress {
                return Err(End::Deadlock(Deadlock { lanes: blocked }));
            }
        }
        Ok(())
    }

    /// Steps a lane until it waits, comes to its end, or its turn is over.
    fn lane(&mut self, lane: &mut Lane<'p>) -> Result<Turn, End> {
        for _ in 0..self.dice.turn() {
            match lane.step(&mut self.world) {
                Ok(Step::Advanced) => self.count()?,
                Ok(Step::Blocked(waiting)) => return Ok(Turn::Waits(waiting)),
                Ok(Step::Finished) => return Ok(Turn::Finished),
                Err(Halt::Refused(refusal)) => return Err(End::Refused(refusal)),
                Err(Halt::Stopped) => return Err(End::Stopped),
            }
        }
        Ok(Turn::Paused)
    }

    fn count(&mut self) -> Result<(), End> {
        self.instructions += 1;
        if self.instructions > self.setup.options.max_instructions {
            return Err(End::BudgetExhausted(Budget::Instructions));
        }
        if self.world.work > self.setup.options.max_work {
            return Err(End::BudgetExhausted(Budget::Work));
        }
        self.world.effort += 1;
        if self.world.effort < LOOK_INTERVAL {
            return Ok(());
        }
        self.world.effort = 0;
        self.look_up()
    }

    /// Lets the observer know how far the run is, and asks whether it is to go on.
    fn look_up(&mut self) -> Result<(), End> {
        let observer = &mut *self.world.monitor.observer;
        observer.progress(&Progress {
            instructions: self.instructions,
            finished_cores: self.finished_cores,
            cores: self.setup.launch.cores,
        });
        if observer.is_cancelled() {
            return Err(End::Cancelled);
        }
        match observer.is_expired() {
            true => Err(End::BudgetExhausted(Budget::Time)),
            false => Ok(()),
        }
    }
}

/// Why lanes wait that what nobody saw may have been meant to wake.
fn unseen_signal(blocked: &[BlockedLane]) -> Refusal {
    let first = blocked.first();
    Refusal {
        stmt: first.and_then(|blocked| blocked.stmt),
        lane: first.map(|blocked| blocked.lane),
        reason: "it waits for a signal that may come from code that is not known".to_owned(),
    }
}

/// The lanes of a core, in stepping order.
fn lanes(program: &Program, vec_lanes: u32, core: u32) -> impl Iterator<Item = LaneId> {
    let vec_only = program.vec_only;
    let kinds = LaneKind::ALL.into_iter();
    let exists = move |kind: &LaneKind| match kind {
        LaneKind::Cube => !vec_only,
        LaneKind::Vec(index) => core * SUB_BLOCKS + u32::from(*index) < vec_lanes,
    };
    kinds.filter(exists).map(move |kind| LaneId { core, kind })
}

//! Races of a launch, known before it is stepped.
//!
//! What orders accesses is no part of the machine, so no image of it could be taken back. The launch is run
//! once in the machine's own order instead, with the tracker of hazards beside it; where a hazard's second
//! access comes up, a session can stop.

use a2lint_ir::Program;
use a2lint_machine::hazards::{Hazard, Tracker};
use a2lint_machine::{BoundLaunch, End, LaneId, Options, Site, simulate};

/// Most work of the run that looks for them: seconds.
const MOST_WORK: u64 = 100_000_000;

/// The races of a launch.
#[derive(Clone, Debug, Default)]
pub struct Races {
    hazards: Vec<Hazard>,
    /// Why there may be more, as a clause.
    pub left_out: Option<String>,
}

impl Races {
    /// Runs a launch and follows what orders its accesses.
    pub fn of(program: &Program, launch: &BoundLaunch, memory: u64) -> Races {
        let options = Options {
            max_work: MOST_WORK,
            max_instructions: MOST_WORK,
            max_memory: memory,
            leaves_untouched: true,
            ..Options::default()
        };
        let mut tracker = Tracker::new(program, launch.cores);
        let outcome = simulate(program, launch, &options, &mut tracker);
        let left_out = match outcome.end {
            End::Finished | End::Deadlock(_) => tracker.forgotten(),
            _ => Some("the run that looks for races did not come to its end".to_owned()),
        };
        Races {
            hazards: tracker.finish(),
            left_out,
        }
    }

    /// The race whose second access comes next where a lane is.
    pub fn at(&self, site: &Site) -> Option<&Hazard> {
        let is_there =
            |lane: LaneId, iterations: &[i64]| lane == site.lane && iterations == site.iterations;
        let mut hazards = self.hazards.iter();
        hazards.find(|hazard| {
            let second = &hazard.second;
            second.stmt == site.stmt && is_there(second.lane, &second.iterations)
        })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.hazards.len()
    }
}

//! Predicts the races of a launch before it is stepped.
//!
//! The order of accesses is no part of the machine, so images do not contain it. Instead, the launch is run once
//! in the machine's own order with the hazard tracker. A session can stop before the second access of each
//! hazard.

use a2lint_ir::Program;
use a2lint_machine::hazards::{Hazard, Tracker};
use a2lint_machine::{BoundLaunch, End, LaneId, Options, Site, simulate};

/// Upper bound on the work of that run, which takes seconds.
const MOST_WORK: u64 = 100_000_000;

/// The races of a launch.
#[derive(Clone, Debug, Default)]
pub struct Races {
    hazards: Vec<Hazard>,
    /// Why there may be more races, as a clause.
    pub left_out: Option<String>,
}

impl Races {
    /// Runs a launch and tracks the order of its accesses.
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

    /// Returns the race whose second access a lane is about to execute.
    pub fn at(&self, site: &Site) -> Option<&Hazard> {
        let is_there =
            |lane: LaneId, iterations: &[i64]| lane == site.lane && iterations == site.iterations;
        let mut hazards = self.hazards.iter();
        hazards.find(|hazard| {
            let second = &hazard.second;
            second.stmt == site.stmt && is_there(second.lane, &second.iterations)
        })
    }

    /// Returns the number of races.
    pub fn count(&self) -> usize {
        self.hazards.len()
    }
}

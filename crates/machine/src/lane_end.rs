//! The end of a lane: what has to be done before it is finished, and what it leaves.

use super::lane::{Lane, Step};
use super::outcome::Waiting;
use super::shared_state::ObservedState;
use super::signals::EventRef;
use a2lint_ir::sync::Route;
use a2lint_isa::Side;

impl Lane<'_> {
    /// Reports events and flags that are still set when the kernel ends, except for preset events.
    fn report_left_set(&self, shared: &mut ObservedState) {
        let program = self.setup.program;
        for (event, setter) in self.events.left_set() {
            let is_preset = matches!(event, EventRef::Event(id) if program.event(id).preset);
            if let Some(stmt) = program.statement(setter)
                && !is_preset
            {
                shared.report_left_set(&self.site(stmt), event);
            }
        }
    }

    /// Finishes the kernel, once stalled pipes have caught up and the lane has collected the free tokens of
    /// the mutexes whose producer it is.
    pub(super) fn finish(&mut self, shared: &mut ObservedState) -> Step {
        let program = self.setup.program;
        if let Some(waiting) = self.stalls.waiting() {
            return Step::Blocked(waiting);
        }
        if program.toolchain.ids.outlive_kernels {
            self.report_left_set(shared);
        }
        if program.vec_only {
            return Step::Finished;
        }
        let mut due = 0;
        for mutex in &program.mutexes {
            let Some(id) = mutex.flag_id else {
                continue;
            };
            let route = mutex.credit_route();
            if (route == Route::VecToCube) != (self.id.kind.side() == Side::Cube) {
                continue;
            }
            for _ in 0..mutex.credits() {
                // The lane may block here several times: tokens that it has taken already are not awaited
                // again.
                due += 1;
                if due <= self.collected {
                    continue;
                }
                if !shared
                    .flags
                    .take(route, id, self.id, self.setup.launch.cores_and_vec_lanes())
                {
                    return Step::Blocked(Waiting::Flag { route, id });
                }
                self.collected += 1;
            }
        }
        Step::Finished
    }
}

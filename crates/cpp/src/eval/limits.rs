//! Bounds of an evaluation. Each has a name that reports give as the reason.

use a2lint_ir::build::TooLarge;

use super::Eval;
use super::memory::MAX_CELLS;
use crate::library::Evaluated;

/// Maximum number of evaluation steps of one kernel: about a second.
const STEPS: u32 = 700_000;
/// Deepest nesting of calls.
const MAX_CALLS: u32 = 128;
/// Deepest nesting of statements, expressions, types and calls together: each takes stack.
const MAX_NESTING: u32 = 400;

/// The reason why an evaluation ends early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Abort {
    /// A bound is reached; the text is the reason, as a clause.
    Limit(String),
}

impl Abort {
    /// Returns the reason, as a clause.
    pub fn reason(&self) -> &str {
        let Abort::Limit(reason) = self;
        reason
    }
}

impl From<TooLarge> for Abort {
    fn from(_: TooLarge) -> Abort {
        Abort::Limit("the traced program is too large".to_owned())
    }
}

/// The steps, calls and nesting of an evaluation.
#[derive(Debug)]
pub(crate) struct Limits {
    steps: u32,
    /// Maximum number of steps.
    most: u32,
    /// Number of calls under way.
    pub calls: u32,
    nesting: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            steps: 0,
            most: STEPS,
            calls: 0,
            nesting: 0,
        }
    }
}

impl Eval<'_> {
    /// Lowers the limit on evaluation steps: the kernels of a file share a budget. A limit above the default has no
    /// effect.
    pub fn limit_steps(&mut self, most: u32) {
        self.limits.most = most.min(STEPS);
    }

    /// Returns the number of evaluation steps that were taken.
    pub fn steps_taken(&self) -> u32 {
        self.limits.steps
    }

    /// Accounts for one step.
    pub(crate) fn step(&mut self) -> Evaluated<()> {
        self.charge(1)
    }

    /// Counts `steps` evaluation steps; fails if the limit of steps or of objects is exceeded.
    pub(crate) fn charge(&mut self, steps: u32) -> Evaluated<()> {
        self.limits.steps = self.limits.steps.saturating_add(steps);
        let most = self.limits.most;
        if self.limits.steps > most {
            let reason = format!("evaluation takes more than {most} steps");
            return Err(Abort::Limit(reason));
        }
        if self.memory.len() > MAX_CELLS {
            let reason = format!("evaluation takes more than {MAX_CELLS} objects");
            return Err(Abort::Limit(reason));
        }
        Ok(())
    }

    /// Runs `work` one level deeper; fails if the nesting is too deep for the stack.
    pub(crate) fn nested<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Evaluated<T>,
    ) -> Evaluated<T> {
        if self.limits.nesting >= MAX_NESTING {
            let reason = format!("statements and calls are nested more than {MAX_NESTING} deep");
            return Err(Abort::Limit(reason));
        }
        self.limits.nesting += 1;
        let result = work(self);
        self.limits.nesting -= 1;
        result
    }

    /// Enters a call.
    pub(crate) fn count_call(&mut self) -> Evaluated<()> {
        if self.limits.calls >= MAX_CALLS {
            let reason = format!("calls are nested more than {MAX_CALLS} deep");
            return Err(Abort::Limit(reason));
        }
        self.limits.calls += 1;
        Ok(())
    }
}

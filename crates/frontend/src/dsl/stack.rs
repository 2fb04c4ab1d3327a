//! How deep functions of host code may call each other: as deep as CPython lets them, within the stack of the thread.

use a2lint_source::guard;

/// Stack that the evaluation of a file takes at most. Memory is taken as far as it is used: calls 900 deep take 30 MB
/// optimised and 200 MB otherwise.
const BYTES: usize = guard::DEEP_STACK_BYTES;
/// Part of the stack that is left to what is evaluated inside of the innermost call: statements and expressions are
/// nested in each other [`MAX_DEPTH`](a2lint_syntax::python::MAX_DEPTH) times at most.
const RESERVE: usize = 48 << 20;
/// Calls inside of each other, whatever room there is. CPython raises `RecursionError` at 1000.
const MAX_CALLS: u32 = 900;
/// The same on a thread of which nothing is known but that it has 2 MiB.
const MAX_CALLS_ANYWHERE: u32 = 20;

/// The room that is left for calls.
#[derive(Clone, Copy)]
pub(super) struct Stack {
    /// Where on the stack evaluation began; `None` where its size is not known.
    base: Option<usize>,
}

impl Stack {
    /// Runs an evaluation with as much room as there is to be had.
    pub fn of_evaluation<T: Send>(run: impl FnOnce(Stack) -> T + Send) -> T {
        guard::with_stack(BYTES, |has_stack| {
            run(Stack {
                base: has_stack.then(guard::stack_position),
            })
        })
    }

    /// Whether another call fits inside of so many.
    pub fn admits(&self, calls: u32) -> bool {
        match self.base {
            Some(base) => {
                calls < MAX_CALLS && base.abs_diff(guard::stack_position()) < BYTES - RESERVE
            }
            None => calls < MAX_CALLS_ANYWHERE,
        }
    }
}

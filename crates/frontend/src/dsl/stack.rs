//! Limits for calls of host code: as deep as in CPython, within the stack of the thread.

use a2lint_source::guard;

/// Stack for the evaluation of a file. Memory is taken as it is used: calls 900 deep take 30 MB optimised and 200 MB
/// otherwise.
const BYTES: usize = guard::DEEP_STACK_BYTES;
/// Part of the stack that is left for the code inside of the innermost call: statements and expressions are nested at
/// most [`MAX_DEPTH`](a2lint_syntax::python::MAX_DEPTH) deep.
const RESERVE: usize = 48 << 20;
/// Maximum depth of calls, whatever the stack. CPython raises `RecursionError` at 1000.
const MAX_CALLS: u32 = 900;
/// Maximum depth of calls on a thread with an unknown stack of at least 2 MiB.
const MAX_CALLS_ANYWHERE: u32 = 20;

/// The stack that is left for calls.
#[derive(Clone, Copy)]
pub(super) struct Stack {
    /// Stack position at the start of evaluation; `None` if the size of the stack is unknown.
    base: Option<usize>,
}

impl Stack {
    /// Runs an evaluation on the largest stack that is available.
    pub fn of_evaluation<T: Send>(run: impl FnOnce(Stack) -> T + Send) -> T {
        guard::with_stack(BYTES, |has_stack| {
            run(Stack {
                base: has_stack.then(guard::stack_position),
            })
        })
    }

    /// Returns whether another call fits inside of `calls` nested ones.
    pub fn admits(&self, calls: u32) -> bool {
        match self.base {
            Some(base) => {
                // Both directions of growth give the same distance.
                calls < MAX_CALLS && base.abs_diff(guard::stack_position()) < BYTES - RESERVE
            }
            None => calls < MAX_CALLS_ANYWHERE,
        }
    }
}

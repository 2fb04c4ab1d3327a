//! Calls that set and await something, in the words of findings.

use crate::Facts;
use crate::wording::snippet;
pub(crate) use a2lint_ir::sync::{
    Act, Call, FirstCalls, Token, are_obscure, call, calls, first_calls,
};

/// `` `loaded.wait()` ``: a call as the author wrote it.
pub(crate) fn call_text(facts: &Facts, call: &Call) -> String {
    format!("`{}`", snippet(facts, call.stmt.span))
}

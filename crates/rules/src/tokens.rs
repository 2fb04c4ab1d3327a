//! Formats calls that set or await a token.

use crate::Facts;
use crate::wording::snippet;
pub(crate) use a2lint_ir::sync::{
    Act, Call, FirstCalls, Token, call, calls, first_calls, may_have_unknown_tokens,
};

/// Formats a call as the author wrote it: `` `loaded.wait()` ``.
pub(crate) fn call_text(facts: &Facts, call: &Call) -> String {
    format!("`{}`", snippet(facts, call.stmt.span))
}

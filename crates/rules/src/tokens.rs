//! Formats calls that set or await a token.

use crate::Facts;
use crate::wording::{self, snippet};
pub(crate) use a2lint_ir::sync::{
    Act, Call, FirstCalls, Token, call, calls, first_calls, may_have_unknown_tokens,
};

/// Formats a call as the author wrote it: `` `loaded.wait()` ``; by its name where another file has it.
pub(crate) fn call_text(facts: &Facts, call: &Call) -> String {
    let text = snippet(facts, call.stmt.span);
    match call.stmt.kind.instr() {
        Some(instr) if text.is_empty() => wording::call(facts, instr),
        _ => format!("`{}`", text.trim_end_matches(';')),
    }
}

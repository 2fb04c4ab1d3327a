//! Calls that set and await something, in the words of findings.

use super::Facts;
use super::wording::snippet;
pub(super) use crate::sync::{Act, Call, FirstCalls, Token, are_obscure, call, calls, first_calls};

impl Call<'_> {
    /// `` `loaded.wait()` ``: as the author wrote it.
    pub(super) fn text(&self, facts: &Facts) -> String {
        format!("`{}`", snippet(facts, self.stmt.span))
    }
}

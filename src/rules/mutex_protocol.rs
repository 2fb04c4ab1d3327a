use super::hazards::{Fault, clashes};
use super::wording::snippet;
use super::{Facts, Sink};
use crate::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports an access to data that crosses between cube and vec outside of what its mutex
    /// guards: before `lock` or `wait`, or behind `ready` or `free`.
    ///
    /// ## Why is this bad?
    /// A token speaks of the work before it. A store behind `ready()` is not part of what the
    /// consumer has waited for, and a load behind `free()` reads a slot that the producer may be
    /// filling again.
    ///
    /// ## Example
    /// ```python
    /// bridge.wait()
    /// bridge.free()
    /// tile <<= ws[core, half_row:half_row + HALF_M, 0:N]
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// bridge.wait()
    /// tile <<= ws[core, half_row:half_row + HALF_M, 0:N]
    /// bridge.free()
    /// ```
    ///
    /// ## Source
    /// Mutex cycle of the DSL: producer `lock … ready`, consumer `wait … free`.
    "SYN009" "mutex-protocol" Error
}

fn check(facts: &Facts, sink: &mut Sink) {
    for clash in clashes(facts, |fault| fault == Fault::Outside) {
        let message = format!(
            "{}: `{}` stands outside of what a mutex or flag guards",
            clash.sentence(facts),
            snippet(facts, clash.outsider(facts.program).span),
        );
        let help = "store between `lock()` and `ready()`, load between `wait()` and `free()` of one mutex";
        clash
            .report_at(clash.outsider(facts.program), facts, sink, message)
            .help(help);
    }
}

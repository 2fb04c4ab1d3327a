use crate::declare_rule;
use crate::{Sink, TileFacts};

declare_rule! {
    /// ## What it does
    /// Reports an `Event` between two operations of the same pipe.
    ///
    /// ## Why is this bad?
    /// A flag goes from one pipe to another; within a pipe instructions run in order and there is no flag to
    /// set. The template asserts that the pipes differ. What dependent instructions of one pipe need is a
    /// barrier.
    ///
    /// ## Example
    /// ```cpp
    /// Event<Op::TCMPS, Op::TSEL> ready;
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// TSYNC<Op::TSEL>();                                 // a barrier of the vector pipe
    /// ```
    ///
    /// ## Source
    /// Event and TSYNC.
    "PTO020" "event-same-pipe" Error, basis = Constants, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    for event in &facts.function.events {
        let [(source, from), (destination, to)] = &event.ends;
        let Some(pipe) = from.filter(|_| from == to) else {
            continue;
        };
        let message = format!(
            "an event from {source} to {destination} has both ends on pipe {}",
            pipe.name()
        );
        sink.report(event.span, message).help(format!(
            "use a barrier between them: `TSYNC<Op::{destination}>()`"
        ));
    }
}

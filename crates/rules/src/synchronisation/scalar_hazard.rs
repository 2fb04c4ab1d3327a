use crate::declare_rule;
use crate::hazards::{Fault, clashes};
use crate::{Facts, Sink};

declare_rule! {
    /// ## What it does
    /// Reports a scalar that is read from memory which another pipe may still be writing.
    ///
    /// ## Why is this bad?
    /// The scalar unit does not wait for vector instructions or loads. `bar_v()` makes the vector
    /// pipe wait for itself, not the scalar unit for it, and `auto_sync` has no edge to it.
    ///
    /// ## Example
    /// ```python
    /// cmax(row_max, tile)
    /// limit.GetValueFrom(row_max)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// cmax(row_max, tile)
    /// bar_all()
    /// limit.GetValueFrom(row_max)
    /// ```
    ///
    /// ## Source
    /// Synchronisation model of the DSL: the scalar unit is ordered by full barriers and events.
    "SYN015" "scalar-hazard" Warning, basis = Replayed
}

fn check(facts: &Facts, sink: &mut Sink) {
    for clash in clashes(facts, |fault| fault == Fault::ScalarRead) {
        let pipe = clash.hazard.first.pipe.name();
        let message = format!("{}: nothing orders {}", clash.sentence(facts), clash.edge());
        let help = format!(
            "put `bar_all()` between them, or wait on the scalar unit with \
             `SEvent(Pipe.{pipe}, Pipe.S)`"
        );
        clash
            .report(facts, sink, message)
            .help(help)
            .in_cpp(clash.repair(facts));
    }
}

use crate::declare_rule;
use crate::hazards::{Fault, clashes};
use crate::{Facts, Sink};
use a2lint_ir::Notation;
use a2lint_ir::sync::Reading;

declare_rule! {
    /// ## What it does
    /// Reports two instructions that touch the same bytes, one of them writing, without anything
    /// that orders them. The machine ran the kernel and kept account of what each pipe has waited
    /// for; that this run was lucky does not count.
    ///
    /// ## Why is this bad?
    /// The pipes of a core run ahead of each other. The result depends on how fast each of them
    /// happens to be: right on one board, wrong on the next. A pipe issues in order and completes
    /// out of order, so dependent vector instructions need a barrier as well. `auto_sync` puts one
    /// between dependent vector instructions of its region, and like any `bar_v` it orders all that
    /// V was given before, inside and outside of the region.
    ///
    /// ## Example
    /// ```python
    /// ub <<= x[0:64, 0:64]       # MTE2
    /// exp(ub, ub)                # V may start before the load has landed
    /// ```
    ///
    /// ```cpp
    /// DataCopy(x, gx, 64);
    /// Add(y, x, x, 64);           // V does not wait for the load on MTE2
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// with auto_sync():          # MTE2→V, V→MTE3, MTE2→MTE1, MTE1→M, M→FIX
    ///     ub <<= x[0:64, 0:64]
    ///     exp(ub, ub)
    /// ```
    /// Versions of the toolchain differ about the handshakes of `auto_sync`. What the manual orders and another
    /// version does not is a warning that says so: older code has as many tokens as a ring has slots, so that a
    /// step waits for the one that many steps before. That is not enough for a ring that is loaded, changed in place
    /// and stored, or for a counter that does not advance by one in each step. A slot may also be told by the name
    /// of its variable, so that `t[z]` and `t[0]` are two, whatever `z` holds.
    ///
    /// What `auto_sync` does not cover, V→MTE2 above all, needs an event:
    /// ```python
    /// filled = SEvent(Pipe.V, Pipe.MTE2)
    /// dup(ub, 0.0)
    /// filled.set()
    /// filled.wait()
    /// ub[0:rows, 0:64] <<= x[0:rows, 0:64]
    /// ```
    ///
    /// ```cpp
    /// DataCopy(x, gx, 64);
    /// inX.EnQue(x);
    /// x = inX.DeQue<float>();
    /// Add(y, x, x, 64);
    /// ```
    ///
    /// ## Source
    /// Synchronisation model of the DSL; pipes of A2; race detection of the vendor's sanitizers.
    "SYN001" "race" Error, basis = Replayed
}

fn check(facts: &Facts, sink: &mut Sink) {
    let notation = facts.program.toolchain.notation;
    for clash in clashes(facts, |fault| fault == Fault::Race) {
        let same_pipe = clash.hazard.first.pipe == clash.hazard.second.pipe;
        let missing = match (clash.hazard.is_within_lane(), same_pipe) {
            (true, true) => {
                let pipe = clash.hazard.first.pipe;
                match notation {
                    Notation::Python => {
                        format!("no bar_{} orders them", pipe.name().to_ascii_lowercase())
                    }
                    Notation::Cpp => format!("no `{}` orders them", notation.barrier(pipe)),
                }
            }
            (true, false) => format!("nothing orders {}", clash.edge()),
            (false, _) => "nothing orders the two lanes".to_owned(),
        };
        let reading = clash.reading(facts);
        let clause = reading.map_or(String::new(), |it| format!(" {}", it.clause()));
        let message = format!("{}: {missing}{clause}", clash.sentence(facts));
        let help = match clash.hazard.is_within_lane() {
            true => clash.repair(facts),
            false if notation == Notation::Cpp => {
                "let the cores meet in between: `SyncAll()`".to_owned()
            }
            false => "let the lanes meet in between: `intracore_allvec_ready()` and \
                      `intracore_allvec_wait()` for the vec lanes of a core, `allvec_…` or `allcube_…` \
                      for all cores"
                .to_owned(),
        };
        let what = format!("a {} hazard", clash.kind());
        let advice = reading.and_then(Reading::advice);
        let help = advice.map_or(help, str::to_owned);
        let mut report = clash
            .report(facts, sink, message)
            .advice(format!("{help}; {what}"));
        if let Some(cause) = clash.cause(facts) {
            report = report.cause(cause);
        }
        if reading.is_some() {
            report.possible();
        }
    }
}

use crate::declare_rule;
use crate::guards::{Crossing, Guards};
use crate::hazards::{Fault, clashes, has_handover};
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_ir::Notation;
use a2lint_isa::Side;

declare_rule! {
    /// ## What it does
    /// Reports a workspace that one side writes and the other reads in a kernel that has neither a
    /// mutex nor a flag between cube and vec.
    ///
    /// ## Why is this bad?
    /// Cube and vec cores run on their own. Without a token the reader loads arbitrary contents of GM, and
    /// the writer overwrites what has not been read yet.
    ///
    /// ## Example
    /// ```python
    /// ws[core, 0:TILE_M, 0:N] <<= l0c                    # cube, FIX
    /// tile <<= ws[core, half_row:half_row + HALF_M, 0:N] # vec, MTE2
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// bridge = CvMutex(0, depth=1, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    /// bridge.lock()
    /// ws[core, 0:TILE_M, 0:N] <<= l0c
    /// bridge.ready()
    /// bridge.wait()
    /// tile <<= ws[core, half_row:half_row + HALF_M, 0:N]
    /// bridge.free()
    /// ```
    ///
    /// ## Source
    /// Cube→vec and vec→cube data paths of A2.
    "SYN008" "missing-mutex" Error, basis = AnyLaunch
}

const HELP: &str = "guard the handover: the producer calls `lock()` before and `ready()` after its \
                    store, the consumer `wait()` before and `free()` after its load";

fn check(facts: &Facts, sink: &mut Sink) {
    if !facts.program.hides_instructions() && !has_handover(facts.program) {
        crossings(facts, sink);
    }
    seen(facts, sink);
}

/// Reports workspaces that one side writes and the other reads, in a kernel without signals between the sides.
fn crossings(facts: &Facts, sink: &mut Sink) {
    let guards = Guards::of(facts.program);
    for workspace in guards.workspaces() {
        let of_it = || {
            guards
                .crossings
                .iter()
                .filter(|at| at.view.global == workspace)
        };
        let other = |a: Side, b: Side| a != b && a != Side::Both && b != Side::Both;
        let pair = of_it().filter(|at| !at.stores).find_map(|load| {
            let store = of_it().find(|at| at.stores && other(at.side, load.side))?;
            Some((load, store))
        });
        let Some((load, store)): Option<(&Crossing, &Crossing)> = pair else {
            continue;
        };
        let name = &facts.program.global(workspace).name;
        let message = format!(
            "{} reads `{name}`, which {} writes on the other side: {}",
            call(facts, load.instr),
            call(facts, store.instr),
            missing(facts)
        );
        sink.report_from(load.stmt.origin, load.stmt.span, message)
            .label(store.stmt.span, "written here")
            .help(HELP)
            .in_cpp(CPP_HELP);
    }
}

/// Reports what the replay saw.
fn seen(facts: &Facts, sink: &mut Sink) {
    for clash in clashes(facts, |fault| fault == Fault::Unguarded) {
        let message = format!("{}: {}", clash.sentence(facts), missing(facts));
        clash
            .report(facts, sink, message)
            .help(HELP)
            .in_cpp(CPP_HELP);
    }
}

const CPP_HELP: &str = "let the writing side call `CrossCoreSetFlag` after its store, and the reading side \
                        `CrossCoreWaitFlag` before its load";

fn missing(facts: &Facts) -> &'static str {
    match facts.program.toolchain.notation {
        Notation::Python => "no mutex or flag stands between the sides",
        Notation::Cpp => "no flag between the cores stands between the sides",
    }
}

use crate::declare_rule;
use crate::guards::Guards;
use crate::moves::workspaces::{Access, Around, Workspaces};
use crate::wording::{call, snippet};
use crate::{Facts, Sink};
use a2lint_analysis::{Changing, Dependence};
use a2lint_ir::{GlobalAxis, GlobalId, GlobalView, MutexId};
use a2lint_isa::{Act, Channel};

declare_rule! {
    /// ## What it does
    /// Reports workspaces in which one part of a kernel overwrites what another has not read yet.
    ///
    /// That is so where
    ///
    /// * a loop deals tiles to the cores, and every core stores its tiles to the same place,
    /// * a mutex hands out several tokens for a workspace that has one slot,
    /// * the consumer loads from a slot that the producer never stores to.
    ///
    /// ## Why is this bad?
    /// A workspace is shared by all cores and outlives the iteration that writes it. Without an index that
    /// keeps cores and iterations apart, one overwrites what the other has not read yet.
    ///
    /// ## Example
    /// ```python
    /// ws = split_workspace(DT.float, [128, 128])
    /// handoff = CvMutex(0)                                  # two tokens
    /// ...
    /// ws[0:128, 0:128] <<= acc
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// ws = split_workspace(DT.float, [GetCubeNum(), 2, 128, 128])
    /// handoff = CvMutex(0)
    /// ...
    /// ws[GetCubeIdx(), var_mod(count, 2), 0:128, 0:128] <<= acc
    /// ```
    ///
    /// ## Source
    /// A2 device constraints, sections 2 and 3: one workspace slot for each core and token.
    "MOV004" "workspace-slot" Error, basis = Shape, property = Order
}

fn check(facts: &Facts, sink: &mut Sink) {
    if facts.program.hides_instructions() {
        return;
    }
    let Some(Workspaces { accesses, core }) = Workspaces::of(facts.program) else {
        return;
    };
    shared_by_cores(facts, &core, &accesses, sink);
    too_many_tokens(facts, &accesses, sink);
    other_slot(facts, &accesses, sink);
}

/// Reports stores of tiles shared out among the cores, to a place that does not depend on the core.
fn shared_by_cores(facts: &Facts, core: &Dependence, accesses: &[Access], sink: &mut Sink) {
    let collectives = facts.instructions().any(|(_, instr)| {
        let signal = instr.row().signal();
        matches!(signal, Some((Act::Wait, Channel::Flag(route))) if route.is_collective())
    });
    // A flag between all cores may order their stores.
    if collectives {
        return;
    }
    let mut reported: Vec<GlobalId> = Vec::new();
    for access in accesses.iter().filter(|access| access.stores) {
        let Around {
            dealt,
            guarded,
            atomic,
            ..
        } = access.around;
        let place: Vec<&GlobalAxis> = access.view.axes.iter().collect();
        let is_apart = |axis: &&GlobalAxis| {
            core.of(axis.start) || facts.program.scalars.has_unknown(axis.start)
        };
        let apart = place.is_empty() || place.iter().any(is_apart);
        if !dealt || guarded || atomic || apart || reported.contains(&access.view.global) {
            continue;
        }
        reported.push(access.view.global);
        let workspace = facts.program.global(access.view.global);
        let message = format!(
            "every core stores its tiles to the same place of `{}`: `{}` does not depend on the core",
            workspace.name,
            snippet(facts, access.view.site)
        );
        sink.report_from(access.stmt.origin, access.view.site, message)
            .label(workspace.span, "one workspace for all cores")
            .help(
                "give the workspace a leading extent of GetCubeNum() and index it by GetCubeIdx()",
            );
    }
}

/// Reports workspaces of one slot that are guarded by a mutex of several tokens.
fn too_many_tokens(facts: &Facts, accesses: &[Access], sink: &mut Sink) {
    let changing = Changing::in_loops_of(facts.program);
    let mut reported: Vec<(GlobalId, MutexId)> = Vec::new();
    let guards = Guards::of(facts.program);
    for access in accesses
        .iter()
        .filter(|access| access.stores && access.around.in_loop)
    {
        let store = guards
            .crossings
            .iter()
            .find(|at| at.stores && at.stmt.id == access.stmt.id);
        let tightest = store.and_then(|store| guards.tightest(facts.program, store));
        let Some((id, depth)) = tightest.filter(|&(_, depth)| depth > 1) else {
            continue;
        };
        let (global, mutex) = (access.view.global, facts.program.mutex(id));
        let one_slot = accesses
            .iter()
            .filter(|other| other.view.global == global)
            .all(|other| !other.view.axes.is_empty() && !changing.of_place(other.view));
        if !one_slot || reported.contains(&(global, id)) {
            continue;
        }
        reported.push((global, id));
        let name = &facts.program.global(global).name;
        let message = format!(
            "`{name}` has one slot for a core and its mutex {depth} tokens: \
             {} may store the next tile while this one is read",
            call(facts, access.instr)
        );
        sink.report_from(access.stmt.origin, access.view.site, message)
            .label(
                mutex.span,
                format!("depth={depth} lets the producer run ahead"),
            )
            .help(format!(
                "write `depth=1`, or give `{name}` an extent of {depth} slots, \
                 indexed by `var_mod(count, {depth})`"
            ));
    }
}

/// Reports loads from a constant index that no store writes.
fn other_slot(facts: &Facts, accesses: &[Access], sink: &mut Sink) {
    for load in accesses.iter().filter(|access| !access.stores) {
        let stores: Vec<&Access> = accesses
            .iter()
            .filter(|access| access.stores && access.view.global == load.view.global)
            .collect();
        for axis in 0..load.view.axes.len() {
            let Some(wanted) = index(facts, load.view, axis) else {
                continue;
            };
            let stored: Option<Vec<i64>> = stores
                .iter()
                .map(|store| index(facts, store.view, axis))
                .collect();
            let (Some(stored), Some(first)) = (stored, stores.first()) else {
                continue;
            };
            if stored.contains(&wanted) {
                continue;
            }
            let name = &facts.program.global(load.view.global).name;
            let message =
                format!("`{name}` is loaded from slot {wanted}, and nothing is stored there");
            sink.report_from(load.stmt.origin, load.view.site, message)
                .label(first.view.site, format!("stored to slot {}", stored[0]))
                .help("use one index for both ends of the handoff");
            break;
        }
    }
}

/// Returns the constant index of an axis that is indexed by a number.
fn index(facts: &Facts, view: &GlobalView, axis: usize) -> Option<i64> {
    let axis = view.axes.get(axis).filter(|axis| !axis.is_slice)?;
    facts.program.scalars.as_int(axis.start)
}

use crate::declare_rule;
use crate::wording::{allocated_at, view_text};
use crate::{Facts, Sink};
use a2lint_analysis::Touch;
use a2lint_ir::{BufferId, GlobalId, GlobalKind, View};
use a2lint_isa::{DST, DType, Place, Position, SRC};

declare_rule! {
    /// ## What it does
    /// Reports results of the cube that pass through UB unchanged on their way back to the cube.
    ///
    /// That is: L0C to a workspace, from there to a UB tensor that nothing but a store reads, from
    /// there to a workspace that the cube loads into L1.
    ///
    /// ## Why is this bad?
    /// A product that only feeds a later product can stay on the cube side: the drain from L0C writes
    /// half and bfloat16 tiles straight into L1. The detour costs four trips through memory and two
    /// handshakes.
    ///
    /// ## Example
    /// ```python
    /// ws_s[core, 0:128, 0:128] <<= acc
    /// ub <<= ws_s[core, row:row + 64, 0:128]
    /// ws_p[core, row:row + 64, 0:128] <<= ub
    /// l1_p <<= ws_p[core, 0:128, 0:128]
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// l1_p <<= acc
    /// ```
    ///
    /// ## Source
    /// A2 device constraints, section 3a: reuse of cube-side dependencies.
    "DEV005" "cube-detour" Warning, basis = Shape, property = None, pedantic = true
}

fn check(facts: &Facts, sink: &mut Sink) {
    if facts.program.hides_instructions() {
        return;
    }
    for index in 0..facts.program.buffers.len() {
        let buffer = BufferId(index as u32);
        if let Some(detour) = detour(facts, buffer) {
            report(facts, buffer, &detour, sink);
        }
    }
}

/// A UB tensor that only carries data from one workspace to another.
struct Detour<'a, 'p> {
    load: &'a Touch<'p>,
    store: &'a Touch<'p>,
    /// The load with which the cube reads the second workspace.
    published: &'a Touch<'p>,
}

fn detour<'a, 'p>(facts: &'a Facts<'p>, buffer: BufferId) -> Option<Detour<'a, 'p>> {
    let in_ub = facts.program.buffer(buffer).position == Position::Ub;
    if !in_ub || facts.analysis.obscured.contains(&buffer) {
        return None;
    }
    let (mut load, mut store) = (None, None);
    for touch in facts.analysis.touches_of(buffer) {
        let row = touch.instr.row();
        match row.moves(Place::Gm, Place::UB) {
            true => load = Some(touch),
            false if row.moves(Place::UB, Place::Gm) => store = Some(touch),
            false => return None,
        }
    }
    let (load, store) = (load?, store?);
    let from = workspace(facts, load.instr.view(SRC)?)?;
    let to = workspace(facts, store.instr.view(DST)?)?;
    let published = published(facts, to)?;
    let carried = from != to && written_by_cube_only(facts, from) && fits_l1(published.view.dtype);
    carried.then_some(Detour {
        load,
        store,
        published,
    })
}

fn workspace(facts: &Facts, view: &View) -> Option<GlobalId> {
    let global = view.global()?.global;
    (facts.program.global(global).kind == GlobalKind::Workspace).then_some(global)
}

/// Returns whether the drain from L0C to L1 can write the type.
fn fits_l1(dtype: DType) -> bool {
    matches!(dtype, DType::Half | DType::BFloat16)
}

/// Returns whether every store to a workspace comes from L0C.
fn written_by_cube_only(facts: &Facts, global: GlobalId) -> bool {
    let mut stores = 0;
    for (_, instr) in facts.instructions() {
        for (_, operand, view) in instr.operands() {
            let here = view.global().is_some_and(|view| view.global == global);
            if !here || !operand.access.writes() {
                continue;
            }
            let from_l0c = instr
                .row()
                .operands()
                .any(|(_, operand)| operand.places.contains(&Place::Local(Position::L0C)));
            if !from_l0c {
                return false;
            }
            stores += 1;
        }
    }
    stores > 0
}

/// Returns the load of a workspace into L1, if nothing else reads the workspace.
fn published<'a, 'p>(facts: &'a Facts<'p>, global: GlobalId) -> Option<&'a Touch<'p>> {
    let mut found = None;
    for touch in &facts.analysis.touches {
        let source = touch.instr.view(SRC).and_then(View::global);
        if source.is_none_or(|view| view.global != global) {
            continue;
        }
        if !touch.instr.row().loads_fractals() {
            return None;
        }
        found = Some(touch);
    }
    found
}

fn report(facts: &Facts, buffer: BufferId, detour: &Detour, sink: &mut Sink) {
    let name = facts.program.buffer(buffer).label();
    let Detour {
        load,
        store,
        published,
    } = detour;
    let l1 = view_text(facts, published.view);
    let message = format!(
        "`{name}` only carries a result of the cube back to the cube: nothing computes on it"
    );
    sink.report_from(load.stmt.origin, load.stmt.span, message)
        .label(store.stmt.span, "stored again unchanged")
        .label(published.stmt.span, "the cube takes it back")
        .label(allocated_at(facts, load.view), "the UB tensor")
        .help(format!(
            "drain the accumulator straight into L1: `{l1} <<= ...`, which converts to {}",
            published.view.dtype
        ));
}

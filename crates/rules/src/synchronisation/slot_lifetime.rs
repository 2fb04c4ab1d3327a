use rustc_hash::FxHashSet;

use crate::declare_rule;
use crate::hazards::{Fault, clashes};
use crate::wording::{call, snippet};
use crate::{Facts, Sink};
use a2lint_analysis::Changing;
use a2lint_ir::finding::Severity;
use a2lint_ir::{
    BufferId, LocalView, NoteKind, Program, PythonNote, StmtId, StmtKind, Variable, VariableKind,
};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports rings of slots (`DBuff`, `TBuff`, `QBuff`) whose data is overwritten before it is read.
    ///
    /// That is so where
    ///
    /// * in a run, `buf[i]` is filled, filled again as `buf[j]`, and then read as `buf[i]`: the ring has no
    ///   more slots than the lag of the reader, or one slot has two uses at the same time,
    /// * the counter that picks the slots never advances, so that one slot does all the work (a
    ///   warning).
    ///
    /// ## Why is this bad?
    /// A ring that comes round too soon hands over another tile's data. Everything is in order, so no
    /// race is to be seen, and small shapes do not show it.
    ///
    /// ## Example
    /// ```python
    /// scale = DBuff(DT.float, [64, 8], Position.UB)   # 2 slots
    /// ...
    /// brcb(scale[trip], row_scale)
    /// if trip > 1:
    ///     mul(acc, acc, scale[trip - 2])              # filled again as scale[trip]
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// scale = TBuff(DT.float, [64, 8], Position.UB)   # more slots than the lag of the reader
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on look-ahead and slot counters: slots > lookahead, one counter for
    /// each lifetime.
    "SYN012" "slot-lifetime" Error, basis = AnyLaunch
}

fn check(facts: &Facts, sink: &mut Sink) {
    overwritten_slots(facts, sink);
    stuck_counters(facts, sink);
}

/// Reports reads of slots that have been overwritten.
fn overwritten_slots(facts: &Facts, sink: &mut Sink) {
    let mut reported: FxHashSet<Span> = FxHashSet::default();
    for clash in clashes(facts, |fault| fault == Fault::RingOverrun) {
        let (first, second) = (&clash.hazard.first, &clash.hazard.second);
        let Some(view) = clash.scene.view().and_then(|view| view.local()) else {
            continue;
        };
        if !reported.insert(clash.scene.stmt.span) {
            continue;
        }
        let buffer = facts.program.buffer(view.buffer);
        let message = format!(
            "{} reads `{}` as slot {}, and {} has filled that slot again as {}: `{}` has {} slots",
            call(facts, clash.scene.instr),
            snippet(facts, view.site),
            second.index.unwrap_or_default(),
            call(facts, clash.first_instr),
            first.index.unwrap_or_default(),
            buffer.label(),
            buffer.slots,
        );
        clash
            .report(facts, sink, message)
            .label(buffer.span, format!("{} slots", buffer.slots))
            .help("give the ring more slots than the reader lags, or the second role a buffer of its own");
    }
}

/// Reports rings whose counter never advances.
fn stuck_counters(facts: &Facts, sink: &mut Sink) {
    let program = facts.program;
    if program.hides_instructions() {
        return;
    }
    let changing = Changing::in_loops_of(program);
    for index in 0..program.buffers.len() as u32 {
        let id = BufferId(index);
        if program.buffer(id).slots < 2 {
            continue;
        }
        let views = looped_views(facts, id);
        let Some(counter) = views.first().and_then(|view| view.index) else {
            continue;
        };
        let is_alone = views.iter().all(|view| view.index == Some(counter));
        let variable = program.variable(counter);
        // One assignment is the initial value. A variable with more may be advanced elsewhere.
        let stays = |view: &&LocalView| !changing.of(view.slot);
        let is_fixed = variable.assignments <= 1
            && !changing.of_variable(counter)
            && !loses_updates(program, variable)
            && views.iter().all(stays);
        if !is_alone || !is_fixed || variable.kind != VariableKind::Declared {
            continue;
        }
        let buffer = program.buffer(id);
        let message = format!(
            "`{}` never advances: of the {} slots of `{}` one does all the work",
            variable.name,
            buffer.slots,
            buffer.label()
        );
        sink.report_once(views[0].site, message)
            .severity(Severity::Warning)
            .ring(id)
            .label(variable.span, "the counter")
            .help(format!(
                "add `{} += 1` at the end of the loop body",
                variable.name
            ));
    }
}

/// Returns whether an update of a counter rebinds its Python name instead, which `lost-update` reports.
fn loses_updates(program: &Program, counter: &Variable) -> bool {
    program.notes.iter().any(|note| match &note.kind {
        NoteKind::Python(
            PythonNote::LostUpdate { declared, .. } | PythonNote::ReboundCell { declared, .. },
        ) => *declared == counter.span,
        _ => false,
    })
}

/// Returns the views of a buffer in device loops; empty if any view of it is outside of loops.
fn looped_views<'a>(facts: &Facts<'a>, buffer: BufferId) -> Vec<&'a LocalView> {
    let program = facts.program;
    let is_device_loop = |id: &StmtId| {
        let stmt = program.statement(*id);
        stmt.is_some_and(|stmt| matches!(stmt.kind, StmtKind::Loop { .. }))
    };
    let mut views = Vec::new();
    for (stmt, instr) in facts.instructions() {
        for (_, _, view) in instr.operands() {
            let Some(view) = view.local().filter(|view| view.buffer == buffer) else {
                continue;
            };
            if !program.loops(stmt.id).iter().any(is_device_loop) {
                return Vec::new();
            }
            views.push(view);
        }
    }
    views
}

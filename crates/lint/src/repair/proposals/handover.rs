//! Proposals about the handover of data between cube and vector unit: a mutex around its accesses.

use super::Propose;
use crate::repair::Candidate;
use crate::repair::scene::{Scene, joined, order};
use a2lint_ir::finding::Edit;
use a2lint_ir::sync::side_of;
use a2lint_ir::{GlobalId, Instr, Program, View};
use a2lint_isa::{DST, Side};
use a2lint_source::text::Span;

pub(super) const PROPOSALS: &[(&str, Propose)] = &[("missing-mutex", mutex)];

/// The stores of a tensor by one side, and its loads by the other.
struct Handover {
    stores: Vec<Span>,
    loads: Vec<Span>,
    from: Side,
}

impl Handover {
    fn of(scene: &Scene, program: &Program) -> Option<Handover> {
        let (_, instr) = scene.instr(scene.finding.span)?;
        let global = global(instr)?;
        let from = scene
            .labels()
            .find_map(|span| scene.instr(span).map(|it| side_of(program, it.1)))?;
        let mut found = Handover {
            stores: Vec::new(),
            loads: Vec::new(),
            from,
        };
        for (stmt, instr) in program.instructions() {
            if self::global(instr) != Some(global) {
                continue;
            }
            let is_store = matches!(instr.view(DST), Some(View::Global(_)));
            match (side_of(program, instr), is_store) {
                (side, true) if side == from => found.stores.push(stmt.span),
                (side, false) if side != from => found.loads.push(stmt.span),
                _ => {}
            }
        }
        Some(found)
    }
}

fn global(instr: &Instr) -> Option<GlobalId> {
    let mut views = instr.operands().filter_map(|(.., view)| view.global());
    views.next().map(|view| view.global)
}

fn mutex(scene: &Scene) -> Vec<Candidate> {
    let Some(program) = scene.program() else {
        return Vec::new();
    };
    let Some(found) = Handover::of(scene, program) else {
        return Vec::new();
    };
    let (kind, name) = match found.from {
        Side::Cube => ("CvMutex", scene.fresh("handover")),
        _ => ("VcMutex", scene.fresh("handover")),
    };
    let taken = |id: &i64| {
        program
            .mutexes
            .iter()
            .any(|mutex| mutex.flag_id == Some(*id))
    };
    let id = (0..).find(|id| !taken(id)).unwrap_or_default();
    let declared = format!("{name} = {kind}({id}, depth=1)");
    let mut edits = Vec::new();
    edits.extend(guard(scene, &found.stores, &name, ["lock", "ready"]));
    edits.extend(guard(scene, &found.loads, &name, ["wait", "free"]));
    let first = found
        .stores
        .iter()
        .chain(&found.loads)
        .min_by_key(|span| span.start);
    let place = first.and_then(|span| scene.outermost(*span));
    edits.extend(place.and_then(|place| scene.above(place, &[declared])));
    // Declaration and four calls; with fewer, the mutex would be incomplete.
    if edits.len() < 5 {
        return Vec::new();
    }
    vec![order(
        format!("guard the handover by a mutex, `{name}`"),
        joined(edits),
    )]
}

/// Inserts calls before the first and after the last of some statements, in the innermost block that contains both.
fn guard(scene: &Scene, places: &[Span], name: &str, calls: [&str; 2]) -> Vec<Edit> {
    let (first, last) = (places.iter().min(), places.iter().max());
    let Some((first, last)) = first.zip(last) else {
        return Vec::new();
    };
    let Some((block, from, to)) = scene.shared(*first, *last) else {
        return Vec::new();
    };
    let (from, to) = (block.block[from].span, block.block[to].span);
    let [before, after] = calls.map(|call| format!("{name}.{call}()"));
    let edits = [scene.above(from, &[before]), scene.below(to, &[after])];
    edits.into_iter().flatten().collect()
}

//! Proposals about the vector mask: setting it, and resetting it in time.

use std::collections::BTreeMap;

use super::Propose;
use crate::repair::Candidate;
use crate::repair::lifted::Lifted;
use crate::repair::scene::{Scene, guess, replace};
use a2lint_isa::Class;
use a2lint_source::text::Span;

pub(super) const PROPOSALS: &[(&str, Propose)] = &[
    ("mask-leak", reset_after),
    ("mask-ignored", set_after),
    ("mask-ignored", reset_before),
    ("mask-clobbered", set_after),
    ("uninitialized-read", reset_before_writer),
    ("compare-nan", finite),
    ("select-scalar-source", whole_tensor),
];

const RESET: &str = "reset_mask()";

/// Proposes to reset the mask after the only instruction of its block that obeys it. With more of them the author
/// decides for which it is meant, and another finding about its lanes says where it has to end.
fn reset_after(scene: &Scene) -> Vec<Candidate> {
    let set = scene.finding.span;
    let others = scene.analysis.findings.iter();
    let mut others = others.filter(|other| !std::ptr::eq(*other, scene.finding));
    if others.any(|other| other.labels.iter().any(|label| label.span == set)) {
        return Vec::new();
    }
    let [last] = masked_after(scene, set)[..] else {
        return Vec::new();
    };
    let title = format!("put `{RESET}` after line {}", line(scene, last));
    let edit = scene.below(last, &[RESET.to_owned()]);
    edit.map(|edit| guess(title, vec![edit]))
        .into_iter()
        .collect()
}

/// Returns for each call after a statement of its block that obeys the mask the statement of the block that contains
/// it, up to the next one that sets the mask.
fn masked_after(scene: &Scene, set: Span) -> Vec<Span> {
    let chain = scene.in_function(set.start);
    let (Some(within), Some(program)) = (chain.last(), scene.program()) else {
        return Vec::new();
    };
    let mut all = BTreeMap::new();
    for code in within.block.iter().skip(within.at + 1) {
        let instructions = program.instructions().into_iter();
        let inside = instructions.filter(|(stmt, _)| code.span.to(stmt.span) == code.span);
        for (stmt, instr) in inside {
            if instr.row().class == Class::Mask {
                return all.into_values().collect();
            }
            if obeys(scene, stmt.span) {
                all.insert(stmt.span, code.span);
            }
        }
    }
    all.into_values().collect()
}

fn obeys(scene: &Scene, span: Span) -> bool {
    let instr = scene.instr(span);
    instr.is_some_and(|(_, instr)| instr.row().mask.consumes() && !instr.is_counted())
}

fn line(scene: &Scene, span: Span) -> usize {
    scene.source.line_column(span.start).line
}

/// Proposes to reset the mask before the instruction of the finding.
fn reset_before(scene: &Scene) -> Vec<Candidate> {
    reset_at(scene, scene.finding.span)
}

/// Proposes to reset the mask before the instruction that leaves lanes of a tensor undefined.
fn reset_before_writer(scene: &Scene) -> Vec<Candidate> {
    let writers: Vec<Span> = scene.labels().filter(|span| obeys(scene, *span)).collect();
    match writers[..] {
        [writer] => reset_at(scene, writer),
        _ => Vec::new(),
    }
}

/// Proposes to reset the mask before a statement, if an instruction between the call that sets the mask and the
/// statement obeys it: otherwise nothing would be left that the mask is for.
fn reset_at(scene: &Scene, place: Span) -> Vec<Candidate> {
    let sets = |span: &Span| {
        scene
            .instr(*span)
            .is_some_and(|(_, it)| it.row().class == Class::Mask)
    };
    let Some(place) = scene.statement(place) else {
        return Vec::new();
    };
    let is_used = scene.labels().find(sets).is_some_and(|set| {
        let mut used = masked_after(scene, set).into_iter();
        used.any(|span| span.end <= place.start)
    });
    let edit = scene.above(place, &[RESET.to_owned()]);
    edit.filter(|_| is_used)
        .map(|edit| {
            guess(
                format!("put `{RESET}` before line {}", line(scene, place)),
                vec![edit],
            )
        })
        .into_iter()
        .collect()
}

/// Proposes to set the mask after the call that resets it.
fn set_after(scene: &Scene) -> Vec<Candidate> {
    let sets = |span: &Span| {
        scene
            .instr(*span)
            .is_some_and(|(_, it)| it.row().class == Class::Mask)
    };
    let mut labels: Vec<Span> = scene
        .labels()
        .filter_map(|span| scene.statement(span))
        .collect();
    labels.push(scene.finding.span);
    let set = labels.iter().find(|span| sets(span));
    let resets = labels.iter().filter(|span| !sets(span));
    let Some(set) = set else {
        return Vec::new();
    };
    let Some(lifted) = Lifted::of(scene, *set) else {
        return Vec::new();
    };
    // Only if the mask is set directly before the call that resets it, so that no instruction between them runs under
    // the mask, and one that obeys it follows.
    let chain = scene.in_function(set.start);
    let Some(within) = chain.last() else {
        return Vec::new();
    };
    let next = |at: usize| within.block.get(at).map(|code| code.span);
    let is_between = |other: &&Span| {
        next(within.at + 1) == Some(**other)
            && next(within.at + 2).is_some_and(|span| obeys(scene, span))
    };
    let moved = |other: &Span| {
        let edit = scene.below(*other, &lifted.lines)?;
        let title = format!("set the mask after line {}", line(scene, *other));
        Some(guess(title, vec![edit, lifted.edit.clone()]))
    };
    resets.filter(is_between).filter_map(moved).collect()
}

/// Proposes a comparison with a large bound to test for finite values.
fn finite(scene: &Scene) -> Vec<Candidate> {
    let Some((stmt, instr)) = scene.instr(scene.finding.span) else {
        return Vec::new();
    };
    let arguments = scene.arguments(stmt.span);
    let [dst, src, other, mode, ..] = arguments.as_slice() else {
        return Vec::new();
    };
    let text = scene.text(*other);
    let is_negative = text.contains('-');
    let same = scene.text(*src) == text;
    let (bound, test) = match (same, is_negative) {
        (true, _) | (false, false) => ("3.0e38", "LT"),
        (false, true) => ("-3.0e38", "GT"),
    };
    // With another comparison, the author cannot have meant a test for finite values.
    let namespace = scene
        .text(*mode)
        .rsplit_once('.')
        .map_or("CompareMode", |it| it.0);
    let asks = scene.text(*mode).rsplit('.').next().unwrap_or_default();
    let means_finite = if same { asks == "EQ" } else { asks == "NE" };
    if !means_finite || instr.row().class != Class::Compare {
        return Vec::new();
    }
    let call = format!(
        "compare_scalar({}, {}, {bound}, {namespace}.{test})",
        scene.text(*dst),
        scene.text(*src)
    );
    vec![guess(
        format!("ask what is finite: `{call}`"),
        vec![replace(stmt.span, call)],
    )]
}

/// Proposes a selection between two tensors, since the other source is a tensor.
fn whole_tensor(scene: &Scene) -> Vec<Candidate> {
    let Some((stmt, _)) = scene.instr(scene.finding.span) else {
        return Vec::new();
    };
    let mode = scene
        .arguments(stmt.span)
        .into_iter()
        .find(|span| scene.text(*span).ends_with("TENSOR_SCALAR"));
    let Some(mode) = mode else {
        return Vec::new();
    };
    let text = scene.text(mode).replace("TENSOR_SCALAR", "TENSOR_TENSOR");
    vec![guess(
        "select between two tensors",
        vec![replace(mode, text)],
    )]
}

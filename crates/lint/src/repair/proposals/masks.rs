//! Proposals about the vector mask: setting it, and resetting it in time.

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
    ("mask-clobbered", reset_before),
    ("compare-nan", finite),
    ("select-scalar-source", whole_tensor),
];

const RESET: &str = "reset_mask()";

/// Proposes to reset the mask after the last vector instruction of its block.
fn reset_after(scene: &Scene) -> Vec<Candidate> {
    let chain = scene.in_function(scene.finding.span.start);
    let Some(within) = chain.last() else {
        return Vec::new();
    };
    let is_vector = |span: Span| {
        scene
            .instr(span)
            .is_some_and(|(_, instr)| instr.row().is_vector() && instr.row().class != Class::Mask)
    };
    let mut after = within.block.iter().skip(within.at + 1);
    let last = after.rfind(|code| is_vector(code.span));
    let last = last.map_or(within.code().span, |code| code.span);
    let edit = scene.below(last, &[RESET.to_owned()]);
    edit.map(|edit| {
        guess(
            format!("put `{RESET}` after line {}", line(scene, last)),
            vec![edit],
        )
    })
    .into_iter()
    .collect()
}

fn line(scene: &Scene, span: Span) -> usize {
    scene.source.line_column(span.start).line
}

fn reset_before(scene: &Scene) -> Vec<Candidate> {
    let place = scene.statement(scene.finding.span);
    let edit = place.and_then(|place| scene.above(place, &[RESET.to_owned()]));
    edit.map(|edit| guess(format!("put `{RESET}` before it"), vec![edit]))
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
    // the mask, and a vector instruction follows.
    let chain = scene.in_function(set.start);
    let Some(within) = chain.last() else {
        return Vec::new();
    };
    let next = |at: usize| within.block.get(at).map(|code| code.span);
    let works = |span: Span| {
        let instr = scene.instr(span);
        instr.is_some_and(|(_, instr)| instr.row().is_vector()) && !sets(&span)
    };
    let is_between = |other: &&Span| {
        next(within.at + 1) == Some(**other) && next(within.at + 2).is_some_and(works)
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

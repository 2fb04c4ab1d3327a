//! Proposals about the share of each core and lane.

use super::Propose;
use crate::repair::Candidate;
use crate::repair::scene::{Scene, guess, replace};
use a2lint_source::text::{Slice, Span};

pub(super) const PROPOSALS: &[(&str, Propose)] = &[
    ("atomic-double-count", shared_out),
    ("core-overlap", shared_out),
    ("workspace-slot", own_core),
    ("output-hole", round_up_tiles),
];

/// Proposes to distribute a loop over cores or lanes, by another start and step.
fn shared_out(scene: &Scene) -> Vec<Candidate> {
    let chain = scene.in_function(scene.finding.span.start);
    let is_vec = scene.program().is_some_and(|program| program.vec_only);
    let mut all = Vec::new();
    for within in chain.iter().rev() {
        let code = within.code();
        let head = scene.text(scene.lines(Span {
            start: code.span.start,
            end: code.span.start,
        }));
        if !head.trim_start().starts_with("for ") {
            continue;
        }
        let line = scene.lines(Span {
            start: code.span.start,
            end: code.span.start,
        });
        let Some(call) = head.find("range(") else {
            continue;
        };
        let call = Span {
            start: line.start + call as u32,
            end: line.end,
        };
        let arguments = scene.arguments(call);
        let names = match is_vec {
            true => [
                ("GetVecIdx()", "GetVecNum()"),
                ("GetCubeIdx()", "GetCubeNum()"),
            ],
            false => [
                ("GetCubeIdx()", "GetCubeNum()"),
                ("GetVecIdx()", "GetVecNum()"),
            ],
        };
        for (index, number) in names {
            let (stop, step) = match arguments.as_slice() {
                [stop] => (*stop, None),
                [_, stop] => (*stop, None),
                [_, stop, step] => (*stop, Some(scene.text(*step))),
                _ => continue,
            };
            let whole = arguments[0].to(*arguments.last().unwrap_or(&stop));
            let stop = scene.text(stop);
            let text = match step {
                Some(step) => format!("{index} * {step}, {stop}, {number} * {step}"),
                None => format!("{index}, {stop}, {number}"),
            };
            let title = format!("share the loop out: `range({text})`");
            all.push(guess(title, vec![replace(whole, text)]));
        }
    }
    // Only one lane may add a value that all have. For stores, such a guard would keep other lanes from storing
    // theirs.
    let adds = scene.finding.name == "atomic-double-count";
    if let Some(place) = scene.statement(scene.finding.span).filter(|_| adds) {
        for guard in ["if GetSubBlockIdx() == 0:", "if GetCubeIdx() == 0:"] {
            let indent = scene.indent(place);
            let text = format!("{guard}\n{indent}    {}", scene.text(place));
            all.push(guess(
                format!("let one of them do it: `{guard}`"),
                vec![replace(place, text)],
            ));
        }
    }
    all
}

/// Proposes the index of the core as the first index of a workspace.
fn own_core(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let mut all = Vec::new();
    let places = scene.labels().chain([here]);
    for place in places {
        let line = scene.lines(place);
        for open in scene.text(line).match_indices('[').map(|(at, _)| at as u32) {
            let from = Span {
                start: line.start + open,
                end: line.end,
            };
            // A workspace for cores has an axis in front of rows and columns.
            let items = scene.items(from, '[');
            let Some(first) = items.first().filter(|_| items.len() >= 3) else {
                continue;
            };
            for index in ["GetCubeIdx()", "GetVecIdx()"] {
                let title = format!("take the part of the core: `{index}`");
                all.push(guess(title, vec![replace(*first, index)]));
            }
        }
    }
    all
}

/// Proposes to round the number of tiles up, so that the last, partial one is included.
fn round_up_tiles(scene: &Scene) -> Vec<Candidate> {
    let Some(program) = scene.program() else {
        return Vec::new();
    };
    let body = program.span;
    let text = scene.text(body);
    let mut all = Vec::new();
    for (at, _) in text.match_indices("//") {
        let start = text
            .part(..at)
            .trim_end()
            .rfind(|c: char| !(c.is_alphanumeric() || c == '_'));
        let start = start.map_or(0, |at| at + 1);
        let rest = text.part(at + 2..).trim_start();
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        let to = text.len() - rest.len() + end;
        let (a, b) = (text.part(start..at).trim(), rest.part(..end));
        let span = Span {
            start: body.start + start as u32,
            end: body.start + to as u32,
        };
        all.push(guess(
            "round the number of tiles up",
            vec![replace(span, format!("CeilDiv({a}, {b})"))],
        ));
    }
    all
}

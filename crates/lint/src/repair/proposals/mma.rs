//! Proposals about tensor-core instructions of PTX: modifiers, operands, and bits of descriptors.

use super::Propose;
use super::tiles::code_line;
use crate::repair::Candidate;
use crate::repair::scene::{Scene, guess, replace};
use a2lint_source::text::{Slice, Span};

pub(super) const PROPOSALS: &[(&str, Propose)] = &[
    ("zcm-operand-order", predicate_first),
    ("zcm-collector-order", fill_first),
    ("zcm-collector-spelling", known_buffer),
    ("zcm-not-ws", weight_stationary),
    ("zcm-cta-group", one_group),
    ("zcm-mixed-group", one_group),
    ("zcm-modifier", without),
    ("zcm-lane-vector", without_operand),
    ("zcm-target", target),
    ("zcm-shift-descriptor", bits),
    ("zcm-reserved-bits", bits),
    ("zcm-disabled-fields", bits),
    ("zcm-unused-submask", bits),
    ("zcm-form", form),
];

fn predicate_first(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let Some((mask, predicate)) = scene.text(here).split_once(',') else {
        return Vec::new();
    };
    let text = format!("{}, {}", predicate.trim(), mask.trim());
    vec![guess(format!("write `{text}`"), vec![replace(here, text)])]
}

/// Proposes `fill` for the first instruction that uses a collector buffer.
fn fill_first(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let Some((buffer, _)) = scene.text(here).rsplit_once("::") else {
        return Vec::new();
    };
    let text = format!("{buffer}::fill");
    vec![guess(format!("write `{text}`"), vec![replace(here, text)])]
}

fn known_buffer(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let text = scene.text(here);
    let words: Vec<&str> = text.split("::").collect();
    let spelled = match words.as_slice() {
        [_, buffer, "last_use"] => format!(".collector::{buffer}::lastuse"),
        [_, _, operation] => format!(".collector::b0::{operation}"),
        [_, operation] => format!(".collector::b0::{operation}"),
        _ => return Vec::new(),
    };
    vec![guess(
        format!("write `{spelled}`"),
        vec![replace(here, spelled)],
    )]
}

fn weight_stationary(scene: &Scene) -> Vec<Candidate> {
    let line = code_line(scene, scene.finding.span);
    let Some(at) = scene.text(line).find(".mma") else {
        return without_operand(scene);
    };
    let at = line.start + at as u32 + ".mma".len() as u32;
    let ws = replace(Span { start: at, end: at }, ".ws");
    let mut all = vec![guess("write `.mma.ws`", vec![ws.clone()])];
    // The plain instruction has a vector of lanes to disable, which `.ws` lacks.
    let text = scene.text(line);
    if let (Some(open), Some(close)) = (text.find(", {"), text.find('}')) {
        let lanes = Span {
            start: line.start + open as u32,
            end: line.start + close as u32 + 1,
        };
        all.push(guess(
            "write `.mma.ws`, without lanes",
            vec![ws, replace(lanes, "")],
        ));
    }
    all.extend(without_operand(scene));
    all
}

/// Proposes one CTA group for all instructions of the file, because they must agree.
fn one_group(scene: &Scene) -> Vec<Candidate> {
    let groups = scene.all().match_indices("cta_group::2");
    let edits = groups.map(|(at, text)| {
        let end = at + text.len();
        replace(Span::new(end - 1, end), "1")
    });
    vec![guess("write `.cta_group::1` everywhere", edits.collect())]
}

fn without(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let text = scene.text(here);
    let mut all = Vec::new();
    if let Some(operation) = text.strip_prefix(".collector::a::") {
        let text = format!(".collector::b0::{operation}");
        all.push(guess(format!("write `{text}`"), vec![replace(here, text)]));
    }
    all.push(guess(format!("drop `{text}`"), vec![replace(here, "")]));
    all
}

/// Proposes to drop an operand and the comma before it.
fn without_operand(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let before = scene.all().part(..here.start as usize);
    let Some(comma) = before.trim_end().strip_suffix(',') else {
        return Vec::new();
    };
    let span = Span {
        start: comma.len() as u32,
        end: here.end,
    };
    vec![guess(
        format!("drop `{}`", scene.text(here)),
        vec![replace(span, "")],
    )]
}

fn target(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let places = [here].into_iter().chain(scene.labels());
    let mut all = Vec::new();
    for place in places {
        let line = code_line(scene, place);
        if let Some(old) = scene.text(line).strip_prefix(".target ") {
            let span = Span {
                start: line.end - old.len() as u32,
                end: line.end,
            };
            all.push(guess("compile for sm_100a", vec![replace(span, "sm_100a")]));
        }
        if scene.text(line).starts_with(".version ") {
            for version in ["8.6", "8.8"] {
                let text = format!(".version {version}");
                all.push(guess(format!("write `{text}`"), vec![replace(line, text)]));
            }
        }
    }
    all
}

/// Proposes other bits for fields of the mask descriptor or the instruction descriptor, where those are hexadecimal
/// literals.
fn bits(scene: &Scene) -> Vec<Candidate> {
    let changes: &[(&str, u64, u64)] = match scene.finding.name {
        "zcm-disabled-fields" => &[("set bit 39", 0, 1 << 39)],
        "zcm-reserved-bits" => &[("clear the reserved bits", (0b111 << 36) | (0b11 << 62), 0)],
        "zcm-shift-descriptor" => &[
            ("announce shifts up to 8", 0b11 << 30, 1 << 30),
            ("announce shifts up to 16", 0b11 << 30, 2 << 30),
            ("announce shifts up to 32", 0b11 << 30, 3 << 30),
        ],
        _ => &[
            (
                "clear what belongs to no sub-mask",
                0xffff_0000 | (0b11 << 34),
                0,
            ),
            (
                "clear what belongs to no sub-mask",
                0xffff_ff00 | (0b111 << 33),
                0,
            ),
        ],
    };
    let mut all = Vec::new();
    for place in scene.labels() {
        let line = code_line(scene, place);
        let Some((span, value)) = literal(scene, line) else {
            continue;
        };
        for (title, clear, set) in changes {
            let to = (value & !clear) | set;
            // Keeps the number of digits.
            let digits = scene.text(span).len() - 2;
            let text = format!("0x{to:0digits$x}");
            all.push(guess(
                format!("{title}: `{text}`"),
                vec![replace(span, text)],
            ));
        }
    }
    all
}

/// Returns the first hexadecimal number on a line.
fn literal(scene: &Scene, line: Span) -> Option<(Span, u64)> {
    let text = scene.text(line);
    let at = text.find("0x")?;
    let digits = text.part(at + 2..);
    let len = digits
        .find(|c: char| !c.is_ascii_hexdigit())
        .unwrap_or(digits.len());
    let value = u64::from_str_radix(digits.part(..len), 16).ok()?;
    let start = line.start + at as u32;
    Some((
        Span {
            start,
            end: start + 2 + len as u32,
        },
        value,
    ))
}

/// Proposes modifiers that are missing, or another order of modifiers.
fn form(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let line = code_line(scene, here);
    let text = scene.text(line);
    let mut all = Vec::new();
    if !text.contains(".cta_group") && text.contains(".kind") {
        let group = text.replacen(".kind", ".cta_group::1.kind", 1);
        all.push(guess("write `.cta_group::1`", vec![replace(line, group)]));
    }
    if let (Some(kind), Some(group)) = (
        text.find(".kind::f16.cta_group::1"),
        text.find(".cta_group::1"),
    ) && kind < group
    {
        let sorted = text.replacen(".kind::f16.cta_group::1", ".cta_group::1.kind::f16", 1);
        all.push(guess(
            "put `.cta_group::1` first",
            vec![replace(line, sorted)],
        ));
    }
    all
}

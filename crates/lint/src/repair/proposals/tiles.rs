//! Proposals about PTO tiles: extents, element types, addresses, flags.

use super::Propose;
use crate::repair::Candidate;
use crate::repair::scene::{Scene, guess, replace};
use a2lint_source::text::{Slice, Span};

pub(super) const PROPOSALS: &[(&str, Propose)] = &[
    ("flag-wait-first", moved),
    ("event-same-pipe", barrier),
    ("tassign-alignment", aligned),
    ("tassign-out-of-bounds", lower),
    ("tassign-overlap", higher),
    ("tile-unassigned", placed),
    ("tile-valid-range", inside),
    ("tile-alignment", whole_rows),
    ("tsel-sync-missing", flags),
    ("tsel-missing-tmp", scratch),
    ("ptoas-undefined-value", named),
    ("tsel-element-type", same_bits),
];

/// Returns the code on the line of a span, without comment and surrounding white space.
pub(super) fn code_line(scene: &Scene, span: Span) -> Span {
    let line = scene.lines(span);
    let text = scene.text(line);
    let code = text.split("//").next().unwrap_or(text);
    let start = line.start + (code.len() - code.trim_start().len()) as u32;
    Span {
        start,
        end: start + code.trim().len() as u32,
    }
}

/// Proposes to wait for a flag after it is set.
fn moved(scene: &Scene) -> Vec<Candidate> {
    let wait = code_line(scene, scene.finding.span);
    let Some(set) = scene.labels().map(|span| code_line(scene, span)).next() else {
        return Vec::new();
    };
    // The comment on the line moves as well.
    let text = scene.text(scene.lines(wait)).trim().to_owned();
    let later = scene.below(set, std::slice::from_ref(&text));
    let edits = later.into_iter().chain([scene.without(wait)]);
    vec![guess("wait after the flag is set", edits.collect())]
}

/// Proposes a barrier instead of an event within one pipe.
fn barrier(scene: &Scene) -> Vec<Candidate> {
    let line = code_line(scene, scene.finding.span);
    let text = scene.text(line);
    let Some(name) = text.trim_end_matches(';').rsplit(' ').next() else {
        return Vec::new();
    };
    let Some(last) = scene
        .text(scene.finding.span)
        .trim_end_matches('>')
        .rsplit("Op::")
        .next()
    else {
        return Vec::new();
    };
    let whole = Span {
        start: line.end,
        end: scene.all().len() as u32,
    };
    let mut edits = vec![scene.without(line)];
    for at in scene.occurrences(whole, name) {
        let line = code_line(scene, at);
        let code = scene.text(line);
        if let Some(call) = code.strip_prefix(&format!("{name} = ")) {
            edits.push(replace(
                line,
                format!("{call}\n{}TSYNC<Op::{last}>();", scene.indent(line)),
            ));
        } else if scene.text(Span {
            start: at.start.saturating_sub(2),
            end: at.start,
        }) == ", "
        {
            edits.push(replace(
                Span {
                    start: at.start - 2,
                    end: at.end,
                },
                "",
            ));
        }
    }
    vec![guess(
        format!("put `TSYNC<Op::{last}>()` between them"),
        edits,
    )]
}

fn address(text: &str) -> Option<i64> {
    match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// Proposes the next aligned address above or below.
fn aligned(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let text = scene.text(here);
    if let Some(at) = address(text) {
        return [at / 32 * 32 + 32, at / 32 * 32]
            .into_iter()
            .map(|to| place(here, to))
            .collect();
    }
    // Of a sum, the last summand may break the alignment.
    let (sum, last) = match text.rsplit_once(" + ") {
        Some((sum, last)) if address(last).is_some() => (sum, last),
        _ => return Vec::new(),
    };
    let up = format!("{sum} + 32");
    let up = guess(format!("place it at `{up}`"), vec![replace(here, up)]);
    let down = guess(format!("leave out `+ {last}`"), vec![replace(here, sum)]);
    vec![up, down]
}

fn place(span: Span, to: i64) -> Candidate {
    guess(
        format!("place it at {to:#x}"),
        vec![replace(span, format!("{to:#x}"))],
    )
}

/// Proposes lower addresses, in steps of 2 KiB.
fn lower(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let Some(at) = address(scene.text(here)) else {
        return Vec::new();
    };
    (1..24)
        .map(|step| place(here, at / 0x800 * 0x800 - step * 0x800))
        .collect()
}

/// Proposes higher addresses, so that the tile may lie after the ones that it overlaps.
fn higher(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let Some(at) = address(scene.text(here)) else {
        return Vec::new();
    };
    let near = [0x20, 0x40, 0x80, 0x200, 0x400, 0x800, 0x1000, 0x2000];
    let mut steps: Vec<i64> = near.into_iter().collect();
    steps.extend((3..20).map(|step| step * 0x1000));
    steps
        .into_iter()
        .map(|step| place(here, at + step))
        .collect()
}

/// Proposes to assign an address before the first use: moves a later `TASSIGN`, or adds one with an address above all
/// others.
fn placed(scene: &Scene) -> Vec<Candidate> {
    let here = code_line(scene, scene.finding.span);
    let name = scene.text(scene.finding.span);
    let assigns = |span: &Span| {
        let line = scene.text(*span);
        line.starts_with("TASSIGN(")
            && scene
                .arguments(*span)
                .first()
                .is_some_and(|it| scene.text(*it) == name)
    };
    let later = scene
        .labels()
        .map(|span| code_line(scene, span))
        .find(assigns);
    if let Some(later) = later {
        let text = scene.text(scene.lines(later)).trim().to_owned();
        let edits = scene
            .above(here, &[text])
            .into_iter()
            .chain([scene.without(later)]);
        return vec![guess(format!("place `{name}` first"), edits.collect())];
    }
    let mut free: i64 = 0;
    for line in scene
        .all()
        .lines()
        .filter(|line| line.trim_start().starts_with("TASSIGN("))
    {
        let last = line
            .split(')')
            .next()
            .and_then(|it| it.rsplit(',').next())
            .map(str::trim);
        free = free.max(last.and_then(address).unwrap_or(0));
    }
    let steps = [0x1000, 0x2000, 0x4000, 0x8000, 0x400];
    let candidate = |step: &i64| {
        let line = format!("TASSIGN({name}, {:#x});", free + step);
        let edit = scene.above(here, std::slice::from_ref(&line))?;
        Some(guess(format!("add `{line}`"), vec![edit]))
    };
    steps.iter().filter_map(candidate).collect()
}

/// Proposes a valid extent within the tile.
fn inside(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let mut all = Vec::new();
    if address(scene.text(here)).is_some() {
        let line = scene.text(code_line(scene, here));
        let sizes = line
            .split([',', '<', '>'])
            .filter_map(|it| it.trim().parse::<i64>().ok());
        for size in sizes.filter(|size| *size > 0) {
            all.push(guess(
                format!("say that {size} are valid"),
                vec![replace(here, size.to_string())],
            ));
        }
    }
    let parts = template_arguments(scene, here);
    if let [.., columns, _, _, valid] = parts.as_slice() {
        all.push(guess(
            "let all columns be valid",
            vec![replace(*valid, scene.text(*columns))],
        ));
    }
    all
}

/// Returns the spans of template arguments. Nested templates are not supported.
pub(super) fn template_arguments(scene: &Scene, span: Span) -> Vec<Span> {
    let text = scene.text(span);
    let (Some(open), Some(close)) = (text.find('<'), text.rfind('>')) else {
        return Vec::new();
    };
    let mut at = open + 1;
    let mut all = Vec::new();
    for part in text.part(open + 1..close).split(',') {
        let from = at + (part.len() - part.trim_start().len());
        let start = span.start + from as u32;
        all.push(Span {
            start,
            end: start + part.trim().len() as u32,
        });
        at += part.len() + 1;
    }
    all
}

/// Proposes rows of whole blocks with the same valid columns.
fn whole_rows(scene: &Scene) -> Vec<Candidate> {
    let parts = template_arguments(scene, scene.finding.span);
    let [_, _, rows, columns, rest @ ..] = parts.as_slice() else {
        return Vec::new();
    };
    let (Ok(tall), Ok(wide)) = (
        scene.text(*rows).parse::<i64>(),
        scene.text(*columns).parse::<i64>(),
    ) else {
        return Vec::new();
    };
    let round = |value: i64, to: i64| (value + to - 1) / to * to;
    let mut all = Vec::new();
    for granule in [8, 16, 32] {
        let to = round(wide, granule);
        let mut edits = Vec::new();
        if rest.is_empty() {
            let text = format!("{to}, BLayout::RowMajor, {tall}, {wide}");
            edits.push(replace(*columns, text));
        } else {
            edits.push(replace(*columns, to.to_string()));
        }
        all.push(guess(
            format!("give it rows of {to} columns"),
            edits.clone(),
        ));
        let high = round(tall, 16);
        if high != tall {
            edits.push(replace(*rows, high.to_string()));
            all.push(guess(format!("make it {high} x {to}"), edits));
        }
    }
    all
}

/// Proposes flags from the writing to the reading pipe, which the help of the finding names.
fn flags(scene: &Scene) -> Vec<Candidate> {
    let help = scene.finding.help.as_deref().unwrap_or_default();
    let pipes: Vec<&str> = help
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|it| it.starts_with("PIPE_"))
        .collect();
    let here = code_line(scene, scene.finding.span);
    let [from, to, ..] = pipes.as_slice() else {
        return Vec::new();
    };
    let with = |id: u32| {
        let lines =
            ["set_flag", "wait_flag"].map(|call| format!("{call}({from}, {to}, EVENT_ID{id});"));
        let edit = scene.above(here, &lines)?;
        Some(guess(format!("hand over from {from} to {to}"), vec![edit]))
    };
    (0..4).filter_map(with).collect()
}

/// Proposes an existing scratch tile `tmp` as argument.
fn scratch(scene: &Scene) -> Vec<Candidate> {
    let arguments = scene.arguments(scene.finding.span);
    let Some(last) = arguments.last() else {
        return Vec::new();
    };
    let has = scene.occurrences(Span::new(0, scene.finding.span.start as usize), "tmp");
    let text = format!("tmp, {}", scene.text(*last));
    (!has.is_empty())
        .then(|| guess("pass the scratch tile `tmp`", vec![replace(*last, text)]))
        .into_iter()
        .collect()
}

/// Proposes a value whose name starts like the undefined one, or the other way round.
fn named(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let own = scene.text(here);
    let before = scene.all().part(..here.start as usize);
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '%';
    let mut names: Vec<&str> = before
        .split(|c| !is_part(c))
        .filter(|it| it.starts_with('%') && *it != own)
        .collect();
    names.sort_unstable();
    names.dedup();
    let near = names
        .iter()
        .filter(|name| name.starts_with(own) || own.starts_with(**name));
    near.map(|name| guess(format!("write `{name}`"), vec![replace(here, *name)]))
        .collect()
}

/// Proposes a supported type of the same size for all tiles of an unsupported one.
fn same_bits(scene: &Scene) -> Vec<Candidate> {
    let mut all = Vec::new();
    let whole = Span::new(0, scene.all().len());
    for (old, new) in [("complex32", "uint32_t"), ("float8_e4m3_t", "uint8_t")] {
        let places = scene.occurrences(whole, old);
        if !places.is_empty() {
            let edits = places.into_iter().map(|span| replace(span, new)).collect();
            all.push(guess(format!("select the bits as {new}"), edits));
        }
    }
    all
}

//! Proposals about AscendC's `GatherMask`: its arguments, parameters and surroundings.

use super::Propose;
use crate::repair::Candidate;
use crate::repair::scene::{Scene, guess, replace};
use a2lint_ir::finding::Edit;
use a2lint_source::text::{Slice, Span};

pub(super) const PROPOSALS: &[(&str, Propose)] = &[
    ("gather-arguments-swapped", swapped),
    ("gather-count-ignored", counted),
    ("gather-count-type", wide_count),
    ("gather-counter-mask", whole_repeats),
    ("gather-deprecated", seven_arguments),
    ("gather-mask-mode", set_again),
    ("gather-missing-barrier", barrier),
    ("gather-narrowing", wide_repeats),
    ("gather-normal-mask", no_mask),
    ("gather-pattern-dtype", same_bits),
    ("gather-pattern-stride", pattern_stride),
    ("gather-pattern-bounds", pattern_stride),
    ("gather-repeat-overlap", repeat_stride),
    ("gather-repeat-zero", one_repeat),
    ("gather-reserved-parameter", default_mode),
    ("gather-position", in_ub),
    ("gather-source-bounds", divided),
    ("gather-destination-bounds", room),
    ("gather-portability", one_repeat_of_all),
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

/// Returns the line of the `GatherMask` call that the finding or a label is on.
fn call(scene: &Scene) -> Option<Span> {
    let places = std::iter::once(scene.finding.span).chain(scene.labels());
    let mut lines = places.map(|span| code_line(scene, span));
    lines.find(|line| scene.text(*line).contains("GatherMask"))
}

fn one(title: &str, edits: Vec<Edit>) -> Vec<Candidate> {
    vec![guess(title, edits)]
}

fn swapped(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let Some((first, second)) = scene.text(here).split_once(',') else {
        return Vec::new();
    };
    let text = format!("{}, {}", second.trim(), first.trim());
    one("swap the two arguments", vec![replace(here, text)])
}

/// Proposes to copy as many elements as the gather keeps.
fn counted(scene: &Scene) -> Vec<Candidate> {
    let copy = code_line(scene, scene.finding.span);
    let copied = scene.arguments(copy);
    let Some(count) = copied.last() else {
        return Vec::new();
    };
    let mut all = Vec::new();
    if let Ok(number) = scene.text(*count).parse::<i64>() {
        for half in [number / 2, number / 4] {
            all.push(guess(
                format!("copy the {half} that are kept"),
                vec![replace(*count, half.to_string())],
            ));
        }
    }
    all
}

/// Returns the declaration of a name before the finding, up to the name.
fn declaration(scene: &Scene, name: &str) -> Option<Span> {
    let before = Span {
        start: 0,
        end: scene.lines(scene.finding.span).start,
    };
    let place = *scene.occurrences(before, name).first()?;
    let line = code_line(scene, place);
    (line.start < place.start).then_some(Span {
        start: line.start,
        end: place.start,
    })
}

fn retyped(scene: &Scene, from: &[&str], to: &str) -> Vec<Candidate> {
    let name = scene.text(scene.finding.span);
    let mut all = Vec::new();
    let named = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let declared = if named {
        declaration(scene, name)
    } else {
        None
    };
    for place in declared.into_iter().chain([scene.finding.span]) {
        for old in from {
            let found = scene.occurrences(place, old);
            if let Some(span) = found.first() {
                all.push(guess(format!("make it {to}"), vec![replace(*span, to)]));
                break;
            }
        }
    }
    all
}

fn wide_count(scene: &Scene) -> Vec<Candidate> {
    retyped(
        scene,
        &["int64_t", "uint32_t", "int32_t", "int", "auto"],
        "uint64_t",
    )
}

fn wide_repeats(scene: &Scene) -> Vec<Candidate> {
    retyped(scene, &["uint8_t", "int8_t"], "uint16_t")
}

fn argument(scene: &Scene, at: usize) -> Option<Span> {
    scene.arguments(call(scene)?).get(at).copied()
}

/// Proposes a mask of 0, which takes whole repeats, or the counter mode.
fn no_mask(scene: &Scene) -> Vec<Candidate> {
    let mut all = one("pass 0", vec![replace(scene.finding.span, "0")]);
    if let Some(mode) = argument(scene, 3) {
        all.push(guess("count elements", vec![replace(mode, "true")]));
    }
    all
}

/// Proposes normal mode with whole repeats instead of counter mode.
fn whole_repeats(scene: &Scene) -> Vec<Candidate> {
    let (Some(mode), Some(mask)) = (argument(scene, 3), argument(scene, 4)) else {
        return Vec::new();
    };
    one(
        "take whole repeats",
        vec![replace(mode, "false"), replace(mask, "0")],
    )
}

fn seven_arguments(scene: &Scene) -> Vec<Candidate> {
    let here = code_line(scene, scene.finding.span);
    let arguments = scene.arguments(scene.finding.span);
    let texts: Vec<&str> = arguments.iter().map(|span| scene.text(*span)).collect();
    let (Some(first), Some(last)) = (arguments.first(), arguments.last()) else {
        return Vec::new();
    };
    let kept = scene.fresh("kept");
    let text = match texts.as_slice() {
        [dst, src, pattern, params] => {
            format!("{dst}, {src}, {pattern}, false, 0, {params}, {kept}")
        }
        [dst, src, pattern, mode, params] => {
            format!("{dst}, {src}, {pattern}, {mode}, 0, {params}, {kept}")
        }
        _ => return Vec::new(),
    };
    let declared = scene.above(here, &[format!("uint64_t {kept} = 0;")]);
    let edits = declared.into_iter().chain([replace(first.to(*last), text)]);
    one("pass mask and rsvdCnt", edits.collect())
}

/// Proposes to restore mask mode and mask after the gather.
fn set_again(scene: &Scene) -> Vec<Candidate> {
    let Some(call) = call(scene) else {
        return Vec::new();
    };
    let first = scene
        .labels()
        .map(|span| code_line(scene, span))
        .min_by_key(|span| span.start);
    let before = first.map_or(0, |span| span.start);
    let above = Span {
        start: before,
        end: call.start,
    };
    let sets = scene
        .text(above)
        .lines()
        .map(|line| line.split("//").next().unwrap_or(line).trim());
    let sets: Vec<String> = sets
        .filter(|line| line.starts_with("SetMaskCount") || line.contains("SetVectorMask"))
        .map(str::to_owned)
        .collect();
    let edit = scene.below(call, &sets).filter(|_| !sets.is_empty());
    edit.map(|edit| guess("set mode and mask again after GatherMask", vec![edit]))
        .into_iter()
        .collect()
}

fn barrier(scene: &Scene) -> Vec<Candidate> {
    let here = code_line(scene, scene.finding.span);
    let mut all = Vec::new();
    let mut push = |title: &str, lines: &[String]| {
        let edit = scene.above(here, lines);
        all.extend(edit.map(|edit| guess(title, vec![edit])));
    };
    // A scalar read does not wait for a barrier of the vector pipe; it needs an event.
    if !scene.text(here).contains("GetValue") {
        push(
            "put a barrier before it",
            &["PipeBarrier<PIPE_V>();".to_owned()],
        );
    }
    let id = scene.fresh("eventId");
    push(
        "wait for the vector pipe",
        &[
            format!("auto {id} = GetTPipePtr()->FetchEventID(HardEvent::V_S);"),
            format!("SetFlag<HardEvent::V_S>({id});"),
            format!("WaitFlag<HardEvent::V_S>({id});"),
        ],
    );
    push(
        "wait for the vector pipe",
        &[
            "SetFlag<HardEvent::V_S>(EVENT_ID0);".to_owned(),
            "WaitFlag<HardEvent::V_S>(EVENT_ID0);".to_owned(),
        ],
    );
    all
}

fn same_bits(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let text = scene.text(here);
    let cast = |to: &str| {
        let text = format!("{text}.ReinterpretCast<{to}>()");
        guess(format!("take its bits as {to}"), vec![replace(here, text)])
    };
    ["uint32_t", "uint16_t"].into_iter().map(cast).collect()
}

/// Returns a field of the parameters in braces. In order: block stride, number of repeats, repeat stride, repeat
/// stride of the pattern.
fn field(scene: &Scene, at: usize) -> Option<Span> {
    scene.items(call(scene)?, '{').get(at).copied()
}

/// Proposes a value for a parameter: in braces, where it is assigned, or by a new assignment before the call.
fn set_field(scene: &Scene, at: usize, name: &str, value: i64) -> Vec<Candidate> {
    let title = format!("set {name} to {value}");
    if let Some(span) = field(scene, at) {
        return one(&title, vec![replace(span, value.to_string())]);
    }
    let here = scene.finding.span;
    if scene.text(here).parse::<i64>().is_ok() {
        return one(&title, vec![replace(here, value.to_string())]);
    }
    let params = scene.text(here);
    let is_name = params.chars().all(|c| c.is_alphanumeric() || c == '_');
    let line = format!("{params}.{name} = {value};");
    let edit = call(scene)
        .and_then(|call| scene.above(call, &[line]))
        .filter(|_| is_name);
    edit.map(|edit| guess(title, vec![edit]))
        .into_iter()
        .collect()
}

// A fixed pattern is one of seven numbers and has no stride; one in a tensor usually has.
fn pattern_stride(scene: &Scene) -> Vec<Candidate> {
    let fixed = argument(scene, 2).is_some_and(|span| scene.text(span).parse::<i64>().is_ok());
    let values = if fixed { [0, 1] } else { [1, 0] };
    values
        .into_iter()
        .flat_map(|value| set_field(scene, 3, "src1RepeatStride", value))
        .collect()
}

fn repeat_stride(scene: &Scene) -> Vec<Candidate> {
    set_field(scene, 2, "src0RepeatStride", 8)
}

fn one_repeat(scene: &Scene) -> Vec<Candidate> {
    set_field(scene, 1, "repeatTimes", 1)
}

/// Proposes to count all elements in one repeat.
fn one_repeat_of_all(scene: &Scene) -> Vec<Candidate> {
    let (Some(repeats), Some(mask)) = (field(scene, 1), argument(scene, 4)) else {
        return Vec::new();
    };
    let (count, times) = (scene.text(mask), scene.text(repeats));
    let product = match (count.parse::<i64>(), times.parse::<i64>()) {
        (Ok(count), Ok(times)) => (count * times).to_string(),
        _ => format!("{count} * {times}"),
    };
    one(
        "count all elements in one repeat",
        vec![replace(mask, product), replace(repeats, "1")],
    )
}

fn default_mode(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let before = scene.all().part(..here.start as usize).rfind(',');
    let Some(comma) = before else {
        return Vec::new();
    };
    let span = Span {
        start: comma as u32,
        end: here.end,
    };
    one("leave it to its default", vec![replace(span, "")])
}

/// Proposes a queue position in UB, which the vector unit can access.
fn in_ub(scene: &Scene) -> Vec<Candidate> {
    let mut all = Vec::new();
    for place in scene.labels() {
        let line = code_line(scene, place);
        let text = scene.text(line);
        let Some(at) = text.find("TPosition::") else {
            continue;
        };
        let start = line.start + at as u32 + "TPosition::".len() as u32;
        let rest = text.part(at + "TPosition::".len()..);
        let len = rest
            .find(|c: char| !c.is_alphanumeric())
            .unwrap_or(rest.len());
        let span = Span {
            start,
            end: start + len as u32,
        };
        for position in ["VECIN", "VECCALC"] {
            all.push(guess(
                format!("keep it in {position}"),
                vec![replace(span, position)],
            ));
        }
    }
    all
}

/// Proposes to divide the elements among the repeats, or one repeat for all.
fn divided(scene: &Scene) -> Vec<Candidate> {
    let (Some(repeats), Some(mask)) = (field(scene, 1), argument(scene, 4)) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    if let (Ok(count), Ok(times)) = (
        scene.text(mask).parse::<i64>(),
        scene.text(repeats).parse::<i64>(),
    ) {
        if times > 1 && count % times == 0 && count > 0 {
            let each = (count / times).to_string();
            all.push(guess(
                format!("count {each} elements in each repeat"),
                vec![replace(mask, each)],
            ));
        }
        all.push(guess("use one repeat", vec![replace(repeats, "1")]));
    }
    all
}

/// Proposes a larger buffer for the results.
fn room(scene: &Scene) -> Vec<Candidate> {
    let mut all = Vec::new();
    for place in scene.labels() {
        let line = scene.text(code_line(scene, place)).trim_end_matches(';');
        let Some(queue) = line.rsplit(' ').next() else {
            continue;
        };
        let whole = Span::new(0, scene.all().len());
        for at in scene.occurrences(whole, queue) {
            let line = code_line(scene, at);
            if !scene.text(line).contains("InitBuffer") {
                continue;
            }
            let arguments = scene.arguments(line);
            let Some(size) = arguments.last() else {
                continue;
            };
            let text = scene.text(*size);
            let end = text
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(text.len());
            let Ok(number) = text.part(..end).parse::<i64>() else {
                continue;
            };
            let span = Span {
                start: size.start,
                end: size.start + end as u32,
            };
            for by in [2, 4, 8] {
                let number = (number * by).to_string();
                all.push(guess(
                    format!("make `{queue}` {by} times as large"),
                    vec![replace(span, number)],
                ));
            }
        }
    }
    all
}

//! Proposals about Python code: names, signatures, calls, control flow.

use super::Propose;
use crate::repair::Candidate;
use crate::repair::scene::{Scene, guess, order, replace};
use a2lint_isa::DST;
use a2lint_source::spelling::nearest;
use a2lint_source::text::Span;

pub(super) const PROPOSALS: &[(&str, Propose)] = &[
    ("kernel-name", renamed),
    ("loop-exit-at-trace", on_device),
    ("signature", signature),
    ("trace-error", argument),
    ("trace-error", mutex_depth),
    ("trace-error", sync_depth),
    ("trace-error", ring_slot),
    ("trace-error", two_contexts),
    ("trace-error", written_out),
    ("trace-error", sliced),
    ("a5-only-api", for_a2),
    ("lost-update", in_place),
    ("var-alias", own_value),
];

/// Proposes another name, replaced at all occurrences of the symbol.
fn renamed(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let Some(symbol) = scene.symbol(here) else {
        return Vec::new();
    };
    let name = scene.fresh(&format!("{}_", symbol.name));
    let places = symbol.occurrences();
    let edits = places
        .into_iter()
        .map(|span| replace(span, name.clone()))
        .collect();
    vec![guess(format!("rename it to `{name}`"), edits)]
}

/// Proposes the statement that exits a loop on the device.
fn on_device(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let call = match scene.text(here) {
        "break" => "break_()",
        "continue" => "continue_()",
        _ => return Vec::new(),
    };
    vec![guess(format!("write `{call}`"), vec![replace(here, call)])]
}

fn signature(scene: &Scene) -> Vec<Candidate> {
    let Some(program) = scene.program() else {
        return Vec::new();
    };
    let mut all = Vec::new();
    let chain = scene.around(program.name_span.start);
    let Some(definition) = chain.last().map(|within| within.code().span) else {
        return all;
    };
    let head = Span {
        start: program.name_span.end,
        end: definition.end,
    };
    let parameters = scene.items(head, '(');
    // Tensors have to precede scalars.
    let here = scene.finding.span;
    let own = parameters
        .iter()
        .position(|span| span.start <= here.start && here.end <= span.end);
    if let Some(own) = own {
        let is_tensor = |span: &Span| {
            let text = scene.text(*span);
            text.contains("GMTensor") || text.contains("GM[")
        };
        let (tensors, scalars): (Vec<&Span>, Vec<&Span>) =
            parameters.iter().partition(|it| is_tensor(it));
        let sorted: Vec<&str> = tensors
            .into_iter()
            .chain(scalars)
            .map(|span| scene.text(*span))
            .collect();
        let whole = parameters[0].to(parameters[parameters.len() - 1]);
        all.push(guess(
            "list tensors before scalars",
            vec![replace(whole, sorted.join(", "))],
        ));
        // An output that is never stored must not be returned.
        let name = scene
            .text(parameters[own])
            .split(':')
            .next()
            .unwrap_or_default()
            .trim();
        let line = returned(scene, definition);
        if let Some((span, names)) = line {
            let kept: Vec<&str> = names.iter().copied().filter(|it| *it != name).collect();
            if !kept.is_empty() && kept.len() < names.len() {
                let text = format!("return {}", kept.join(", "));
                all.push(guess(
                    format!("do not return `{name}`"),
                    vec![replace(span, text)],
                ));
            }
        }
    }
    // Stored tensors have to be returned.
    if returned(scene, definition).is_none() {
        let mut names: Vec<&str> = Vec::new();
        for (_, instr) in program.instructions() {
            let store = instr.view(DST).and_then(|view| view.global());
            let name = store.map(|view| program.global(view.global).name.as_str());
            let is_parameter =
                |name: &&str| program.params.iter().any(|param| param.name == **name);
            names.extend(
                name.filter(is_parameter)
                    .filter(|name| !names.contains(name)),
            );
        }
        let body = scene.in_function(definition.end.saturating_sub(1));
        let last = body.first().and_then(|it| it.block.last());
        let text = format!("return {}", names.join(", "));
        let edit = last.and_then(|last| scene.below(last.span, std::slice::from_ref(&text)));
        all.extend(
            edit.filter(|_| !names.is_empty())
                .map(|edit| guess(format!("end with `{text}`"), vec![edit])),
        );
    }
    all
}

/// Returns the last statement of a function and the returned names, if it is a `return` of names.
fn returned<'a>(scene: &Scene<'a>, definition: Span) -> Option<(Span, Vec<&'a str>)> {
    let body = scene.in_function(definition.end.saturating_sub(1));
    let last = body.first()?.block.last()?;
    let names = scene.text(last.span).strip_prefix("return ")?;
    Some((last.span, names.split(',').map(str::trim).collect()))
}

/// Proposes the correct spelling of a parameter. The parameters are taken from the signature in the help of the
/// finding.
fn argument(scene: &Scene) -> Vec<Candidate> {
    let Some(place) = scene.statement(scene.finding.span) else {
        return Vec::new();
    };
    let signature = scene.finding.help.as_deref().unwrap_or_default();
    let Some(parameters) = signature.split_once('(').map(|it| it.1) else {
        return Vec::new();
    };
    let names: Vec<&str> = parameters
        .split(',')
        .filter_map(|it| it.split(['=', ')']).next())
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect();
    let mut all = Vec::new();
    for item in scene.arguments(place) {
        let Some((name, _)) = scene.text(item).split_once('=') else {
            continue;
        };
        let name = name.trim();
        if names.contains(&name) {
            continue;
        }
        if let Some(near) = nearest(name, names.iter().copied()) {
            let span = Span {
                start: item.start,
                end: item.start + name.len() as u32,
            };
            all.push(guess(format!("write `{near}=`"), vec![replace(span, near)]));
        }
    }
    all
}

fn mutex_depth(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let text = scene.text(here);
    if !(text.starts_with("CvMutex(") || text.starts_with("VcMutex(")) {
        return Vec::new();
    }
    let edit = scene.append(here, "depth=1");
    edit.map(|edit| order("give it one token: `depth=1`", vec![edit]))
        .into_iter()
        .collect()
}

fn sync_depth(scene: &Scene) -> Vec<Candidate> {
    let Some(place) = scene.statement(scene.finding.span) else {
        return Vec::new();
    };
    let Some(value) = scene
        .keyword(place, "sync_depth")
        .filter(|it| *it == scene.finding.span)
    else {
        return Vec::new();
    };
    let fewer = (1..=4).rev().map(|depth: i64| {
        guess(
            format!("set `sync_depth={depth}`"),
            vec![replace(value, depth.to_string())],
        )
    });
    fewer.collect()
}

/// Proposes a slot index for a ring, from its other uses in the function.
fn ring_slot(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let text = scene.text(here);
    let name = text.split('[').next().unwrap_or_default();
    if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return Vec::new();
    }
    let chain = scene.around(here.start);
    let Some(within) = chain.iter().rev().find(|within| within.is_function) else {
        return Vec::new();
    };
    let body = within.block.first().map_or(here, |it| it.span);
    let body = body.to(within.block.last().map_or(here, |it| it.span));
    let mut indices: Vec<&str> = Vec::new();
    for span in scene.occurrences(body, name) {
        let rest = Span {
            start: span.end,
            end: scene.lines(span).end,
        };
        if !scene.text(rest).starts_with('[') {
            continue;
        }
        if let [index] = scene.items(rest, '[').as_slice()
            && !scene.text(*index).contains(':')
            && !indices.contains(&scene.text(*index))
        {
            indices.push(scene.text(*index));
        }
    }
    let at = Span {
        start: here.start + name.len() as u32,
        end: here.start + name.len() as u32,
    };
    let pick = |index: &str| {
        guess(
            format!("pick a slot: `{name}[{index}]`"),
            vec![replace(at, format!("[{index}]"))],
        )
    };
    indices.into_iter().map(pick).collect()
}

/// Proposes one `with` for each context manager.
fn two_contexts(scene: &Scene) -> Vec<Candidate> {
    let Some(place) = scene.statement(scene.finding.span) else {
        return Vec::new();
    };
    let line = scene.lines(Span {
        start: place.start,
        end: place.start,
    });
    let text = scene.text(line);
    let Some(items) = text
        .trim()
        .strip_prefix("with ")
        .and_then(|it| it.split(':').next())
    else {
        return Vec::new();
    };
    let Some((first, second)) = items.split_once("), ") else {
        return Vec::new();
    };
    let indent = scene.indent(place);
    let body = Span {
        start: line.end,
        end: scene.lines(place).end,
    };
    let deeper = scene.reindented(body, |line| format!("    {line}"));
    let text = format!("{indent}with {first}):\n{indent}    with {second}:\n{deeper}");
    vec![order(
        "open them one inside the other",
        vec![replace(scene.lines(place), text)],
    )]
}

/// Proposes instruction calls for arithmetic operators on tensors. The variants with `s` take a scalar.
fn written_out(scene: &Scene) -> Vec<Candidate> {
    let Some(place) = scene.statement(scene.finding.span) else {
        return Vec::new();
    };
    let Some((dst, value)) = scene.text(place).split_once("<<=") else {
        return Vec::new();
    };
    let operators = [
        (" + ", "add"),
        (" - ", "sub"),
        (" * ", "mul"),
        (" / ", "div"),
    ];
    let mut all = Vec::new();
    for (operator, call) in operators {
        let Some((a, b)) = value.trim().split_once(operator) else {
            continue;
        };
        let (a, b) = (a.trim(), b.trim());
        for call in [call.to_owned(), format!("{call}s")] {
            let text = format!("{call}({}, {a}, {b})", dst.trim());
            all.push(guess(
                format!("call the instruction: `{text}`"),
                vec![replace(place, text)],
            ));
        }
    }
    all
}

/// Proposes a slice of both dimensions.
fn sliced(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let text = scene.text(here);
    let Some((name, rows)) = text.strip_suffix(']').and_then(|it| it.split_once('[')) else {
        return Vec::new();
    };
    let Some(program) = scene.program() else {
        return Vec::new();
    };
    let buffer = program.buffers.iter().find(|buffer| buffer.name == name);
    let Some([_, columns]) = buffer.and_then(|buffer| program.constant_pair(buffer.shape)) else {
        return Vec::new();
    };
    let slice = format!("{name}[{rows}, 0:{columns}]");
    vec![guess(
        format!("slice it as `{slice}`"),
        vec![replace(here, slice)],
    )]
}

/// Proposes instructions of A2 for one of A5.
fn for_a2(scene: &Scene) -> Vec<Candidate> {
    let Some(place) = scene.statement(scene.finding.span) else {
        return Vec::new();
    };
    let arguments = scene.arguments(place);
    let ([dst, src], name) = (arguments.as_slice(), scene.text(scene.finding.span)) else {
        return Vec::new();
    };
    let (dst, src) = (scene.text(*dst), scene.text(*src));
    let lines = match name {
        "neg" => vec![format!("muls({dst}, {src}, -1.0)")],
        "log2" => vec![
            format!("ln({dst}, {src})"),
            format!("muls({dst}, {dst}, {})", std::f64::consts::LOG2_E),
        ],
        _ => return Vec::new(),
    };
    let text = lines.join(&format!("\n{}", scene.indent(place)));
    vec![guess(
        format!("write `{}`", lines.join("; ")),
        vec![replace(place, text)],
    )]
}

/// Proposes to update the device variable in place.
fn in_place(scene: &Scene) -> Vec<Candidate> {
    let Some(place) = scene.statement(scene.finding.span) else {
        return Vec::new();
    };
    let Some((name, value)) = scene.text(place).split_once(" = ") else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for operator in ["+", "-", "*"] {
        if let Some(by) = value.strip_prefix(&format!("{name} {operator} ")) {
            let text = format!("{name} {operator}= {by}");
            all.push(guess(format!("write `{text}`"), vec![replace(place, text)]));
        }
    }
    let text = format!("{name} <<= {value}");
    all.push(guess(format!("write `{text}`"), vec![replace(place, text)]));
    all
}

/// Proposes a new device variable instead of a second name for an existing one.
fn own_value(scene: &Scene) -> Vec<Candidate> {
    let places = scene.labels().chain([scene.finding.span]);
    let mut all = Vec::new();
    for place in places.filter_map(|span| scene.statement(span)) {
        let text = scene.text(place);
        let Some((name, value)) = text.split_once(" = ") else {
            continue;
        };
        if value.chars().all(|c| c.is_alphanumeric() || c == '_') {
            let start = place.start + name.len() as u32 + 3;
            let span = Span {
                start,
                end: place.end,
            };
            all.push(guess(
                format!("copy it: `Var({value})`"),
                vec![replace(span, format!("Var({value})"))],
            ));
        }
    }
    all
}

//! Proposals about element types: conversions, reinterpreted bits, wider variables.

use super::Propose;
use super::buffers::spelled;
use crate::repair::Candidate;
use crate::repair::scene::{Scene, guess, replace};
use a2lint_ir::{Buffer, ParamKind};
use a2lint_isa::{DST, DType, Position, SRC};
use a2lint_source::text::{Slice, Span};

pub(super) const PROPOSALS: &[(&str, Propose)] = &[
    ("move-dtype", converted),
    ("cast-pair", rounding),
    ("cast-pair", through_half),
    ("bitwise-width", as_short),
    ("op-dtype", as_short),
    ("dup-dtype", as_words),
    ("scalar-overflow", wider),
    ("sqrt-int-var", float_var),
];

/// Declares a tensor like `buffer` with another element type, before the outermost statement that contains `place`.
/// Returns its name and the edit.
pub(super) fn tensor_like(
    scene: &Scene,
    buffer: &Buffer,
    dtype: DType,
    base: &str,
    place: Span,
) -> Option<(String, a2lint_ir::finding::Edit)> {
    let (_, dtype) = spelled(scene, buffer, dtype)?;
    let items = scene.arguments(buffer.span);
    let [_, shape, position, ..] = items.as_slice() else {
        return None;
    };
    let name = scene.fresh(base);
    let line = format!(
        "{name} = Tensor({dtype}, {}, {})",
        scene.text(*shape),
        scene.text(*position)
    );
    let edit = scene.above(scene.outermost(place)?, &[line])?;
    Some((name, edit))
}

/// Proposes to move through a tensor of the global tensor's element type, with a conversion in UB.
fn converted(scene: &Scene) -> Vec<Candidate> {
    let (Some(program), Some((stmt, instr))) = (scene.program(), scene.instr(scene.finding.span))
    else {
        return Vec::new();
    };
    let local = instr
        .operands()
        .find_map(|(index, _, view)| Some((index, view.local()?)));
    let global = instr.operands().find_map(|(.., view)| view.global());
    let (Some((index, view)), Some(global)) = (local, global) else {
        return Vec::new();
    };
    let buffer = program.buffer(view.buffer);
    let launched = scene
        .analysis
        .module
        .launches
        .iter()
        .filter(|it| it.kernel == program.name);
    let tensors = program.params.iter().filter_map(|param| match param.kind {
        ParamKind::Global(id) => Some(id),
        _ => None,
    });
    let at = tensors.into_iter().position(|id| id == global.global);
    let given = launched.filter_map(|launch| launch.tensors.get(at?)?.dtype);
    let types: Vec<DType> = program
        .global(global.global)
        .dtype
        .into_iter()
        .chain(given)
        .collect();
    if buffer.position != Position::Ub {
        return Vec::new();
    }
    let text = scene.text(stmt.span);
    let Some((dst, src)) = text.split_once("<<=") else {
        return Vec::new();
    };
    let (dst, src) = (dst.trim(), src.trim());
    let mut all = Vec::new();
    for dtype in types {
        let Some((name, declared)) = tensor_like(scene, buffer, dtype, "converted", stmt.span)
        else {
            continue;
        };
        let own = if index == DST { dst } else { src };
        let view_of = |name: &str| {
            own.find('[').map_or(name.to_owned(), |at| {
                let slots = buffer.slots > 1;
                let rest = match (slots, own.part(at..).find(']')) {
                    (true, Some(end)) => own.part(at + end + 1..),
                    _ => own.part(at..),
                };
                format!("{name}{rest}")
            })
        };
        let staged = view_of(&name);
        let lines = match index {
            0 => [
                format!("{staged} <<= {src}"),
                format!("cast({dst}, {staged})"),
            ],
            _ => [
                format!("cast({staged}, {src})"),
                format!("{dst} <<= {staged}"),
            ],
        };
        let indent = scene.indent(stmt.span);
        let text = lines.join(&format!("\n{indent}"));
        let edits = vec![declared, replace(stmt.span, text)];
        all.push(guess(format!("convert it in `{name}`"), edits));
    }
    all
}

/// Proposes another rounding mode.
fn rounding(scene: &Scene) -> Vec<Candidate> {
    let Some((stmt, _)) = scene.instr(scene.finding.span) else {
        return Vec::new();
    };
    let modes = ["TO_EVEN", "NONE", "TRUNC"];
    let candidate = |mode: &&str| {
        let edit = match scene.keyword(stmt.span, "round_mode") {
            Some(value) => {
                let namespace = scene
                    .text(value)
                    .rsplit_once('.')
                    .map_or("RoundMode", |it| it.0);
                replace(value, format!("{namespace}.{mode}"))
            }
            None => scene.append(stmt.span, &format!("round_mode=RoundMode.{mode}"))?,
        };
        Some(guess(format!("round with {mode}"), vec![edit]))
    };
    modes.iter().filter_map(candidate).collect()
}

/// Proposes a conversion in two steps.
fn through_half(scene: &Scene) -> Vec<Candidate> {
    let (Some(program), Some((stmt, instr))) = (scene.program(), scene.instr(scene.finding.span))
    else {
        return Vec::new();
    };
    let (Some(dst), Some(src)) = (instr.local(DST), instr.local(SRC)) else {
        return Vec::new();
    };
    let sites = [scene.text(dst.site), scene.text(src.site)];
    let mut all = Vec::new();
    for dtype in [DType::Half, DType::Float, DType::Int] {
        let buffer = program.buffer(dst.buffer);
        let Some((name, declared)) = tensor_like(scene, buffer, dtype, "step", stmt.span) else {
            continue;
        };
        for modes in [
            ["", ""],
            [", round_mode=RoundMode.NONE", ""],
            ["", ", round_mode=RoundMode.NONE"],
            [", round_mode=RoundMode.NONE", ", round_mode=RoundMode.NONE"],
        ] {
            let [dst, src] = sites;
            let indent = scene.indent(stmt.span);
            let text = format!(
                "cast({name}, {src}{})\n{indent}cast({dst}, {name}{})",
                modes[0], modes[1]
            );
            let edits = vec![declared.clone(), replace(stmt.span, text)];
            all.push(guess(format!("convert in two steps, by `{name}`"), edits));
        }
    }
    all
}

/// Proposes to reinterpret all operands as integers that bitwise instructions support.
fn as_short(scene: &Scene) -> Vec<Candidate> {
    let Some((_, instr)) = scene.instr(scene.finding.span) else {
        return Vec::new();
    };
    if !instr.row().is_bitwise() {
        return Vec::new();
    }
    let mut all = Vec::new();
    for (wanted, own) in [
        (DType::Int16, "int16"),
        (DType::UInt16, "uint16"),
        (DType::Int, "int"),
    ] {
        let mut edits = Vec::new();
        for (index, _, view) in instr.operands() {
            let (Some(span), Some(view)) =
                (instr.args.get(index).and_then(|it| it.span()), view.local())
            else {
                continue;
            };
            let Some(program) = scene.program() else {
                continue;
            };
            let Some((_, name)) = spelled(scene, program.buffer(view.buffer), wanted) else {
                continue;
            };
            edits.push(replace(
                span,
                format!("{}.reinterpret({name})", scene.text(span)),
            ));
        }
        all.push(guess(format!("work on the bits as {own}"), edits));
    }
    all
}

/// Proposes to fill with 32-bit words that contain the value repeatedly.
fn as_words(scene: &Scene) -> Vec<Candidate> {
    let (Some(program), Some((stmt, instr))) = (scene.program(), scene.instr(scene.finding.span))
    else {
        return Vec::new();
    };
    let arguments = scene.arguments(stmt.span);
    let ([dst, value, ..], Some(view)) = (arguments.as_slice(), instr.local(DST)) else {
        return Vec::new();
    };
    let Some((_, name)) = spelled(scene, program.buffer(view.buffer), DType::Int) else {
        return Vec::new();
    };
    let Some(number) = number(scene.text(*value)) else {
        return Vec::new();
    };
    let word = match view.dtype {
        DType::UInt8 | DType::Int8 if number.fract() == 0.0 => {
            i32::from_ne_bytes([number as i64 as u8; 4])
        }
        DType::Int16 | DType::UInt16 if number.fract() == 0.0 => {
            let half = number as i64 as u16;
            ((u32::from(half) << 16) | u32::from(half)) as i32
        }
        DType::BFloat16 => {
            let bits = (number as f32).to_bits();
            if bits & 0xffff != 0 {
                return Vec::new();
            }
            (bits | (bits >> 16)) as i32
        }
        _ => return Vec::new(),
    };
    let text = format!("{}.reinterpret({name})", scene.text(*dst));
    let edits = vec![replace(*dst, text), replace(*value, word.to_string())];
    vec![guess(format!("fill words of 32 bits with {word}"), edits)]
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok()
}

/// Proposes a wider type for the variables of the kernel.
fn wider(scene: &Scene) -> Vec<Candidate> {
    let Some(program) = scene.program() else {
        return Vec::new();
    };
    let narrow = [
        "int8", "uint8", "int16", "uint16", "int", "i8", "u8", "i16", "u16", "i32",
    ];
    let mut places = Vec::new();
    for variable in &program.variables {
        let Some(statement) = scene.statement(variable.span) else {
            continue;
        };
        for argument in scene.arguments(statement) {
            let text = scene.text(argument);
            let short = text.rsplit(['.', '=']).next().unwrap_or_default();
            if narrow.contains(&short) {
                places.push(Span {
                    start: argument.end - short.len() as u32,
                    end: argument.end,
                });
            }
        }
    }
    places.sort();
    places.dedup();
    let candidate = |to: &str| {
        let edits = places.iter().map(|place| replace(*place, to)).collect();
        guess(format!("hold it as {to}"), edits)
    };
    if places.is_empty() {
        return Vec::new();
    }
    let words = scene.text(places[0]).starts_with(['i', 'u'])
        && scene.text(places[0]).len() <= 3
        && scene.text(places[0]) != "int";
    match words {
        true => vec![candidate("i32"), candidate("i64")],
        false => vec![candidate("int"), candidate("int64")],
    }
}

/// Proposes a float variable for an integer.
fn float_var(scene: &Scene) -> Vec<Candidate> {
    let text = scene.text(scene.finding.span);
    let namespace = if scene.all().contains("ea.DT") {
        "ea."
    } else {
        ""
    };
    let forms = [
        format!("Var({text}, {namespace}DT.float)"),
        format!("Var({text}, dtype={namespace}DT.float)"),
    ];
    let held = |form: String| {
        guess(
            "hold it in a float Var",
            vec![replace(scene.finding.span, form)],
        )
    };
    forms.map(held).into_iter().collect()
}

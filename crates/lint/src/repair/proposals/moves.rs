//! Proposals about moves: copies, transposition, slices and bounds.

use super::Propose;
use crate::repair::Candidate;
use crate::repair::lifted::Lifted;
use crate::repair::scene::{Scene, guess, replace};
use a2lint_isa::{SRC, param};
use a2lint_source::text::Span;

pub(super) const PROPOSALS: &[(&str, Propose)] = &[
    ("no-effect", moved),
    ("transposed-move", transposed_later),
    ("gm-slice-rank", one_index),
    ("gm-out-of-bounds", cut),
    ("sub-block-in-cube", unguarded),
    ("l1-operand-slice", whole_operand),
    ("gather-offset", in_bytes),
    ("ring-contract", own_counter),
];

/// Proposes `<<=` for a copy written as `=`, and slices or names for arguments whose position or offset has no
/// effect.
fn moved(scene: &Scene) -> Vec<Candidate> {
    let Some(place) = scene.statement(scene.finding.span) else {
        return Vec::new();
    };
    let text = scene.text(place);
    let mut all = Vec::new();
    if let Some((dst, src)) = text.split_once(" = ") {
        let assigned = format!("{dst} <<= {src}");
        all.push(guess(
            format!("write `{assigned}`"),
            vec![replace(place, assigned)],
        ));
        let copy = format!("ub_to_ub({dst}, {src})");
        all.push(guess(format!("write `{copy}`"), vec![replace(place, copy)]));
    }
    // A size that `matmul()` is passed by position counts as its number of columns, which may not be meant.
    let arguments = scene.arguments(place);
    let here = scene.finding.span;
    if text.starts_with("matmul(")
        && let Some(at) = arguments.iter().position(|span| *span == here)
        && let Some(name) = ["m", "n", "k"].get(at.wrapping_sub(3))
    {
        for name in [*name, "n"] {
            let named = format!("{name}={}", scene.text(here));
            all.push(guess(
                format!("name it: `{named}`"),
                vec![replace(here, named)],
            ));
        }
    }
    // A single index of a tensor with one row has no effect as an offset, unlike a slice.
    let own = scene.text(here);
    if let Some((name, offset)) = own.strip_suffix(']').and_then(|it| it.split_once('['))
        && let Some(program) = scene.program()
        && let Some(buffer) = program.buffers.iter().find(|buffer| buffer.name == name)
        && let Some([1, columns]) = program.constant_pair(buffer.shape)
    {
        let slice = format!("{name}[0:1, {offset}:{columns}]");
        all.push(guess(
            format!("slice it: `{slice}`"),
            vec![replace(here, slice)],
        ));
    }
    if text.contains("repeat=0")
        && let Some(edit) = scene.drop_argument(place, "repeat")
    {
        all.push(guess("let the repeat count be inferred", vec![edit]));
    }
    all
}

/// Proposes `.T` on the operand of the matrix product instead of the move, or exchanged operands.
fn transposed_later(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let Some(plain) = scene.text(here).strip_suffix(".T") else {
        return Vec::new();
    };
    let (Some(place), Some(program)) = (scene.statement(here), scene.program()) else {
        return Vec::new();
    };
    let Some((dst, _)) = scene.text(place).split_once("<<=") else {
        return Vec::new();
    };
    let name = dst.trim();
    let mut all = Vec::new();
    for (stmt, instr) in program.instructions() {
        if !instr.row().stages_operands() {
            continue;
        }
        for argument in scene.arguments(stmt.span) {
            let text = scene.text(argument);
            if text == name || text == format!("{name}.T") {
                let other = match text.strip_suffix(".T") {
                    Some(plain) => plain.to_owned(),
                    None => format!("{text}.T"),
                };
                let edits = vec![replace(here, plain), replace(argument, other)];
                all.push(guess("transpose it as operand of the product", edits));
            }
        }
        // (A·B)ᵀ = Bᵀ·Aᵀ, so the operands are exchanged.
        let arguments = scene.arguments(stmt.span);
        if let [dst, a, b, ..] = arguments.as_slice()
            && scene.text(*dst) == plain
        {
            let edits = vec![
                replace(here, plain),
                replace(*a, scene.text(*b)),
                replace(*b, scene.text(*a)),
            ];
            all.push(guess("exchange the operands of the product", edits));
        }
    }
    all
}

/// Proposes an index for a slice of length one.
fn one_index(scene: &Scene) -> Vec<Candidate> {
    let items = scene.items(scene.finding.span, '[');
    let index = |item: &Span| {
        let (start, end) = scene.text(*item).split_once(':')?;
        let (start, end) = (start.trim(), end.trim());
        let is_one = match (start.parse::<i64>(), end.parse::<i64>()) {
            (Ok(start), Ok(end)) => end - start == 1,
            _ => end == format!("{start} + 1"),
        };
        is_one.then(|| {
            guess(
                format!("index it by `{start}`"),
                vec![replace(*item, start)],
            )
        })
    };
    items.iter().filter_map(index).collect()
}

/// Proposes a tile of the same size that ends at the end of its tensor.
fn cut(scene: &Scene) -> Vec<Candidate> {
    let Some(program) = scene.program() else {
        return Vec::new();
    };
    let mut all = Vec::new();
    let is_here = |span: Span| scene.statement(span) == scene.statement(scene.finding.span);
    let Some((_, instr)) = scene.instr(scene.finding.span) else {
        return all;
    };
    let views = instr.operands().filter_map(|(.., view)| view.global());
    for view in views.filter(|view| is_here(view.site)) {
        let sizes = program.global(view.global).shape.clone();
        let items = scene.items(view.site, '[');
        for (item, size) in items.iter().zip(sizes) {
            let Some((start, end)) = scene.text(*item).split_once(':') else {
                continue;
            };
            let Some(size) = program.scalars.as_int(size) else {
                continue;
            };
            let (Ok(from), Ok(to)) = (start.trim().parse::<i64>(), end.trim().parse::<i64>())
            else {
                continue;
            };
            if to > size && from > 0 && to - from <= size {
                let text = format!("{}:{size}", size - (to - from));
                all.push(guess(
                    "stay inside of the tensor",
                    vec![replace(*item, text)],
                ));
            }
        }
    }
    all
}

/// Proposes to move a cube instruction out of a branch for one vec lane, or to count cubes instead of lanes.
fn unguarded(scene: &Scene) -> Vec<Candidate> {
    let Some(place) = scene.statement(scene.finding.span) else {
        return Vec::new();
    };
    let chain = scene.in_function(place.start);
    let [.., outer, inner] = chain.as_slice() else {
        return Vec::new();
    };
    let Some(lifted) = Lifted::of(scene, place) else {
        return Vec::new();
    };
    let Some(above) = scene.above(outer.code().span, &lifted.lines) else {
        return Vec::new();
    };
    let gone = lifted.edit;
    let edits = match gone.span.start == above.span.end && inner.block.len() == 1 {
        true => vec![replace(gone.span, above.text)],
        false => vec![above, gone],
    };
    let mut all = vec![guess("take it out of the guard", edits)];
    let loops = chain
        .iter()
        .find(|it| scene.text(it.code().span).starts_with("for "));
    if let Some(found) = loops {
        let line = scene.lines(Span {
            start: found.code().span.start,
            end: found.code().span.start,
        });
        let text = scene
            .text(line)
            .replace("GetVecIdx()", "GetCubeIdx()")
            .replace("GetVecNum()", "GetCubeNum()");
        all.push(guess("count by cubes", vec![replace(line, text)]));
    }
    all
}

/// Proposes the whole tile as operand, with the extents of the slice as arguments.
fn whole_operand(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let Some((stmt, _)) = scene.instr(here) else {
        return Vec::new();
    };
    let text = scene.text(here);
    let Some((whole, inside)) = text.strip_suffix(']').and_then(|it| it.rsplit_once('[')) else {
        return Vec::new();
    };
    let Some((rows, columns)) = inside.split_once(',') else {
        return Vec::new();
    };
    let extent = |slice: &str| slice.split_once(':').map(|(_, end)| end.trim().to_owned());
    let (Some(rows), Some(columns)) = (extent(rows), extent(columns)) else {
        return Vec::new();
    };
    let arguments = scene.arguments(stmt.span);
    let is_left = arguments.get(1) == Some(&here);
    let first = if is_left { "m" } else { "n" };
    let argument = format!("{first}={rows}, k={columns}");
    let Some(edit) = scene.append(stmt.span, &argument) else {
        return Vec::new();
    };
    vec![guess(
        format!("pass `{whole}` with {argument}"),
        vec![replace(here, whole), edit],
    )]
}

/// Proposes to convert indices of elements to byte offsets.
fn in_bytes(scene: &Scene) -> Vec<Candidate> {
    let (Some((stmt, instr)), Some(program)) = (scene.instr(scene.finding.span), scene.program())
    else {
        return Vec::new();
    };
    let arguments = scene.arguments(stmt.span);
    let (Some(offset), Some(src)) = (arguments.get(2), instr.local(SRC)) else {
        return Vec::new();
    };
    let text = scene.text(*offset);
    let view = instr
        .local(param!(class Gather.offset))
        .map(|view| program.buffer(view.buffer).name.clone());
    let bytes = src.dtype.bytes_of(1);
    let mut all = Vec::new();
    // The offset operand may be a slice, so its buffer is tried first.
    for name in view.as_deref().into_iter().chain([text]) {
        for call in [
            format!("muls({name}, {name}, {bytes})"),
            format!("shiftls({name}, {name}, {})", bytes.trailing_zeros()),
        ] {
            for barrier in [None, Some("bar_v()".to_owned())] {
                let lines: Vec<String> = std::iter::once(call.clone()).chain(barrier).collect();
                let edit = scene.above(stmt.span, &lines);
                all.extend(
                    edit.map(|edit| {
                        guess(format!("turn indices into bytes: `{call}`"), vec![edit])
                    }),
                );
            }
        }
    }
    all
}

/// Proposes the same counter for all uses of a ring.
fn own_counter(scene: &Scene) -> Vec<Candidate> {
    let here = scene.finding.span;
    let own = scene.items(here, '[');
    let Some(own) = own.first() else {
        return Vec::new();
    };
    let other = |place: Span| {
        let line = scene.lines(place);
        let name = scene.text(here).split('[').next()?;
        let found = scene.occurrences(line, name).into_iter().next()?;
        let items = scene.items(
            Span {
                start: found.end,
                end: line.end,
            },
            '[',
        );
        let index = scene.text(*items.first()?);
        Some(guess(
            format!("pick the slot by `{index}`"),
            vec![replace(*own, index)],
        ))
    };
    scene.labels().filter_map(other).collect()
}

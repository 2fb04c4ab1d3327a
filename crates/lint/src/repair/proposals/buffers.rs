//! Proposals about allocations: slots, extents, layouts and element types.

use super::Propose;
use crate::repair::Candidate;
use crate::repair::scene::{Scene, guess, order, replace};
use a2lint_ir::Buffer;
use a2lint_ir::finding::Edit;
use a2lint_isa::{DST, DType, Position, SRC};
use a2lint_source::text::{Slice, Span};

pub(super) const PROPOSALS: &[(&str, Propose)] = &[
    ("l0c-overflow", fewer_slots),
    ("l1-overflow", fewer_slots),
    ("ub-overflow", fewer_slots),
    ("l0ab-overflow", fewer_slots),
    ("bias-overflow", fewer_slots),
    ("bias-overflow", split_columns),
    ("l0c-backing-short", whole_fractals),
    ("l1-backing-short", whole_fractals),
    ("narrow-row", whole_blocks),
    ("operand-overrun", whole_blocks),
    ("local-rank", two_extents),
    ("bias-layout", flat_layout),
    ("reduce-overrun", room_for_results),
    ("select-mask-short", room_for_results),
    ("accumulator-dtype", element_type),
    ("l0c-to-l1-float", element_type),
    ("mask-dtype", packed_mask),
    ("mask-rows", wider_mask_rows),
];

/// Constructors of tensors, by their number of slots minus one.
const RINGS: [&str; 4] = ["Tensor", "DBuff", "TBuff", "QBuff"];

/// Returns the buffers that a finding is about: those whose allocations it points at, and the operands of its
/// instruction.
fn declared<'a>(scene: &Scene<'a>) -> Vec<&'a Buffer> {
    let here = std::iter::once(scene.finding.span);
    let places = here.chain(scene.labels());
    let mut found: Vec<&Buffer> = places.filter_map(|span| scene.buffer_at(span)).collect();
    if let Some((_, instr)) = scene.instr(scene.finding.span)
        && let Some(program) = scene.program()
    {
        let views = instr.operands().filter_map(|(.., view)| view.local());
        for buffer in views.map(|view| program.buffer(view.buffer)) {
            if !found.iter().any(|known| known.span == buffer.span) {
                found.push(buffer);
            }
        }
    }
    found
}

/// Returns the span of the constructor's name without its module, and its index in [`RINGS`].
fn constructor(scene: &Scene, buffer: &Buffer) -> Option<(Span, usize)> {
    let head = scene.text(buffer.span).split('(').next()?;
    let short = head.rsplit('.').next()?;
    let ring = RINGS.iter().position(|ring| *ring == short)?;
    let end = buffer.span.start + head.len() as u32;
    let start = end - short.len() as u32;
    Some((Span { start, end }, ring))
}

/// Proposes fewer slots for a ring. With one slot it is a plain tensor, whose uses have no slot index.
fn fewer_slots(scene: &Scene) -> Vec<Candidate> {
    let mut all = Vec::new();
    for buffer in declared(scene) {
        let Some((place, ring)) = constructor(scene, buffer) else {
            continue;
        };
        for fewer in (0..ring).rev() {
            let mut edits = vec![replace(place, RINGS[fewer])];
            if fewer == 0 {
                edits.extend(without_slots(scene, buffer));
            }
            let title = format!("make `{}` a {}", buffer.name, RINGS[fewer]);
            all.push(guess(title, edits));
        }
    }
    all
}

/// Removes the slot index from every use of a ring: `ring[i][a:b, c:d]` becomes `ring[a:b, c:d]`.
fn without_slots(scene: &Scene, buffer: &Buffer) -> Vec<Edit> {
    let uses = uses(scene, buffer).into_iter();
    let slot = |span: Span| {
        let rest = Span {
            start: span.end,
            end: scene.lines(span).end,
        };
        let text = scene.text(rest);
        let item = *scene.items(rest, '[').first()?;
        let end = item.end
            + scene
                .text(Span {
                    start: item.end,
                    end: rest.end,
                })
                .find(']')? as u32
            + 1;
        (text.starts_with('[')).then(|| {
            replace(
                Span {
                    start: span.end,
                    end,
                },
                "",
            )
        })
    };
    uses.filter_map(slot).collect()
}

/// Returns the uses of a buffer in the function of its allocation.
fn uses(scene: &Scene, buffer: &Buffer) -> Vec<Span> {
    let chain = scene.around(buffer.span.start);
    let function = chain.iter().rev().find(|within| within.is_function);
    let Some(body) = function.and_then(|it| it.block.first().zip(it.block.last())) else {
        return Vec::new();
    };
    let range = body.0.span.to(body.1.span);
    let places = scene.occurrences(range, &buffer.name).into_iter();
    let declared = places.clone().rfind(|span| span.end <= buffer.span.start);
    let own = declared.and_then(|span| scene.symbol(span));
    // A nested function may have a local variable of the same name.
    let is_own = |span: &Span| scene.symbol(*span) == own;
    places
        .filter(|span| span.start >= buffer.span.end && is_own(span))
        .collect()
}

fn split_columns(scene: &Scene) -> Vec<Candidate> {
    let call = scene.instr(scene.finding.span).map(|(stmt, _)| stmt.span);
    let Some(call) = call.filter(|call| scene.keyword(*call, "splitn").is_none()) else {
        return Vec::new();
    };
    let split = |columns: &i64| {
        let argument = format!("splitn={columns}");
        let edit = scene.append(call, &argument)?;
        Some(order(format!("set `{argument}`"), vec![edit]))
    };
    [128, 64, 32, 16].iter().filter_map(split).collect()
}

/// Returns the spans and the values of both extents of an allocation, if they are constants.
fn extents(scene: &Scene, buffer: &Buffer) -> Option<[(Span, i64); 2]> {
    let items = scene.items(buffer.span, '[');
    let [rows, columns] = items.as_slice() else {
        return None;
    };
    let values = scene.program()?.constant_pair(buffer.shape)?;
    Some([(*rows, values[0]), (*columns, values[1])])
}

/// Proposes other extents for an allocation; `None` if they are the same.
fn resized(scene: &Scene, buffer: &Buffer, to: [i64; 2]) -> Option<Candidate> {
    let now = extents(scene, buffer)?;
    let pairs = now.iter().zip(to).filter(|((_, value), to)| value != to);
    let edits: Vec<Edit> = pairs
        .map(|((span, _), to)| replace(*span, to.to_string()))
        .collect();
    let title = format!("allocate `{}` as [{}, {}]", buffer.name, to[0], to[1]);
    (!edits.is_empty()).then(|| guess(title, edits))
}

fn rounded(value: i64, granule: i64) -> i64 {
    value.saturating_add(granule - 1) / granule * granule
}

fn whole_fractals(scene: &Scene) -> Vec<Candidate> {
    let mut all = Vec::new();
    for buffer in declared(scene) {
        let Some([(_, rows), (_, columns)]) = extents(scene, buffer) else {
            continue;
        };
        if !matches!(buffer.position, Position::L1 | Position::L0C) {
            continue;
        }
        let wide = rounded(columns, 16);
        for to in [[rounded(rows, 16), wide], [rounded(rows, 16) + 16, wide]] {
            all.extend(resized(scene, buffer, to));
        }
    }
    all
}

fn whole_blocks(scene: &Scene) -> Vec<Candidate> {
    let mut all = Vec::new();
    for buffer in declared(scene) {
        let Some([(_, rows), (_, columns)]) = extents(scene, buffer) else {
            continue;
        };
        let wide = rounded(columns, buffer.dtype.c0());
        if buffer.position != Position::Ub {
            continue;
        }
        // The column may have been meant as a row.
        if columns == 1 {
            all.extend(resized(scene, buffer, [1, rows]));
        }
        if wide != columns {
            let narrow = format!("{}[0:{rows}, 0:{columns}]", buffer.name);
            let mut edits = resized(scene, buffer, [rows, wide]).map_or(Vec::new(), |it| it.edits);
            let bare = uses(scene, buffer).into_iter().filter(|span| {
                let rest = scene.all().part(span.end as usize..);
                !rest.starts_with(['[', '.'])
            });
            edits.extend(bare.map(|span| replace(span, narrow.clone())));
            let title = format!("give `{}` rows of {wide} elements", buffer.name);
            all.push(guess(title, edits));
        }
    }
    all
}

fn two_extents(scene: &Scene) -> Vec<Candidate> {
    let items = scene.items(scene.finding.span, '[');
    let texts: Vec<&str> = items.iter().map(|span| scene.text(*span)).collect();
    let shape = match texts.as_slice() {
        [only] => format!("[1, {only}]"),
        [rows @ .., columns] if rows.len() > 1 => format!("[{}, {columns}]", rows.join(" * ")),
        _ => return Vec::new(),
    };
    let title = format!("write the shape as `{shape}`");
    vec![guess(title, vec![replace(scene.finding.span, shape)])]
}

fn flat_layout(scene: &Scene) -> Vec<Candidate> {
    let candidate = |buffer: &&Buffer| {
        let edit = match scene.keyword(buffer.span, "layout") {
            Some(value) => Some(replace(value, "Layout.ND")),
            None => scene.append(buffer.span, "layout=Layout.ND"),
        };
        edit.map(|edit| guess(format!("lay `{}` out as ND", buffer.name), vec![edit]))
    };
    declared(scene).iter().filter_map(candidate).collect()
}

/// Proposes more columns or rows, up to 64 times as many, so that all results fit.
fn room_for_results(scene: &Scene) -> Vec<Candidate> {
    let Some((_, instr)) = scene.instr(scene.finding.span) else {
        return Vec::new();
    };
    let (Some(program), Some(view)) = (scene.program(), instr.local(DST)) else {
        return Vec::new();
    };
    let own = instr
        .local(SRC)
        .filter(|_| scene.finding.name == "select-mask-short");
    let buffer = program.buffer(own.unwrap_or(view).buffer);
    let Some([(_, rows), (_, columns)]) = extents(scene, buffer) else {
        return Vec::new();
    };
    let factors = [2, 4, 8, 16, 32, 64];
    let wider = factors.iter().filter_map(|by| match rows {
        1 => resized(scene, buffer, [1, columns * by]),
        _ => resized(scene, buffer, [rows * by, columns]),
    });
    wider.collect()
}

// ---- element types

/// Returns the span of the element type of an allocation, and `dtype` spelled in the same way.
pub(super) fn spelled(scene: &Scene, buffer: &Buffer, dtype: DType) -> Option<(Span, String)> {
    let place = *scene.arguments(buffer.span).first()?;
    let text = scene.text(place);
    let name = match text.rsplit_once("DT.") {
        Some((before, _)) => format!("{before}DT.{dtype}"),
        None => scene.dialect().short_type(dtype)?.to_owned(),
    };
    Some((place, name))
}

/// Proposes another element type, starting with those of the other buffers involved.
fn element_type(scene: &Scene) -> Vec<Candidate> {
    let buffers = declared(scene);
    let types = [DType::Float, DType::Int, DType::Half, DType::BFloat16];
    let mut wanted: Vec<DType> = Vec::new();
    for dtype in buffers.iter().map(|it| it.dtype).chain(types) {
        if !wanted.contains(&dtype) {
            wanted.push(dtype);
        }
    }
    let mut all = Vec::new();
    for buffer in buffers.iter().rev() {
        for &dtype in wanted.iter().filter(|dtype| **dtype != buffer.dtype) {
            let Some((place, name)) = spelled(scene, buffer, dtype) else {
                continue;
            };
            let title = format!("allocate `{}` as {name}", buffer.name);
            all.push(guess(title, vec![replace(place, name)]));
        }
    }
    all
}

/// Proposes a bit mask, which has one byte for eight elements.
fn packed_mask(scene: &Scene) -> Vec<Candidate> {
    let mut all = Vec::new();
    for buffer in declared(scene) {
        let Some([(_, rows), (_, columns)]) = extents(scene, buffer) else {
            continue;
        };
        let Some((place, name)) = spelled(scene, buffer, DType::UInt8) else {
            continue;
        };
        // The columns may have been meant as elements, bytes, or words of bits.
        for packed in [columns / 8, columns, columns * buffer.dtype.bits() / 8] {
            let mut edits =
                resized(scene, buffer, [rows, packed]).map_or(Vec::new(), |it| it.edits);
            if buffer.dtype != DType::UInt8 {
                edits.push(replace(place, name.clone()));
            }
            let title = format!("allocate `{}` as {name} [{rows}, {packed}]", buffer.name);
            if !edits.is_empty() && packed > 0 {
                all.push(guess(title, edits));
            }
        }
    }
    all
}

/// Proposes mask rows of whole multiples of eight bytes, and widens the slices of the mask.
fn wider_mask_rows(scene: &Scene) -> Vec<Candidate> {
    let mut all = Vec::new();
    for buffer in declared(scene)
        .into_iter()
        .filter(|it| it.dtype == DType::UInt8)
    {
        let Some([_, (_, columns)]) = extents(scene, buffer) else {
            continue;
        };
        let rows = extents(scene, buffer).map_or(0, |it| it[0].1);
        let wide = rounded(columns.max(8), 8);
        let mut edits = resized(scene, buffer, [rows, wide]).map_or(Vec::new(), |it| it.edits);
        let narrow = format!("0:{columns}");
        for span in uses(scene, buffer) {
            let rest = Span {
                start: span.end,
                end: scene.lines(span).end,
            };
            let items = scene.items(rest, '[');
            let is_slice = scene.text(rest).starts_with('[');
            if let Some(last) = items
                .last()
                .filter(|it| is_slice && scene.text(**it) == narrow)
            {
                edits.push(replace(*last, format!("0:{wide}")));
            }
        }
        all.push(guess(
            format!("give `{}` rows of {wide} bytes", buffer.name),
            edits,
        ));
    }
    all
}

//! Proposals about the range of vector instructions: counts, slices and the number of calls.

use super::Propose;
use super::buffers::spelled;
use crate::repair::Candidate;
use crate::repair::scene::{Scene, guess, replace};
use a2lint_ir::finding::Edit;
use a2lint_ir::{Instr, LocalView, Stmt};
use a2lint_isa::{DST, DType, ParamKind};
use a2lint_source::text::{Slice, Span};

pub(super) const PROPOSALS: &[(&str, Propose)] = &[
    ("operand-overrun", counted),
    ("tail-uncovered", counted),
    ("dup-coverage", counted),
    ("narrow-destination", counted),
    ("count-modes", one_count),
    ("slice-stride", first_lanes),
    ("repeat-range", in_parts),
    ("wide-narrow", by_columns),
    ("scalars-unbroadcast", broadcast),
    ("partial-overlap", copied_first),
    ("reduce-row-width", first_lanes),
    ("narrow-cast", block_stride),
    ("compare-tail", compare_all),
    ("brcb-strides", counted),
];

/// A vector call in the source, with the spans of its operands in UB.
struct Call<'a> {
    span: Span,
    instr: &'a Instr,
    operands: Vec<(Span, &'a LocalView)>,
}

impl<'a> Call<'a> {
    fn of(scene: &Scene<'a>) -> Option<Call<'a>> {
        let (stmt, instr): (&Stmt, &Instr) = scene.instr(scene.finding.span)?;
        let operands = instr
            .operands()
            .filter_map(|(index, _, view)| Some((instr.args.get(index)?.span()?, view.local()?)));
        (instr.explicit && scene.text(stmt.span).ends_with(')')).then(|| Call {
            span: stmt.span,
            instr,
            operands: operands.collect(),
        })
    }

    fn extents(&self, scene: &Scene, view: &LocalView) -> Option<[i64; 2]> {
        scene.program()?.constant_pair(view.span)
    }

    /// Returns the text of the call with other operands.
    fn with(&self, scene: &Scene, operand: impl Fn(usize, &LocalView, &str) -> String) -> String {
        let edits = self.operands.iter().enumerate().map(|(at, (span, view))| {
            let start = span.start - self.span.start;
            let end = span.end - self.span.start;
            Edit {
                span: Span { start, end },
                text: operand(at, view, scene.text(*span)),
            }
        });
        a2lint_rules::fix::apply(scene.text(self.span), &edits.collect::<Vec<_>>())
    }
}

/// Proposes an explicit `count`: as many elements as the destination has. Fewer would leave a part of it as it was.
/// Elements are counted in a row, so that the destination has to be contiguous.
fn counted(scene: &Scene) -> Vec<Candidate> {
    let Some(call) = Call::of(scene) else {
        return Vec::new();
    };
    let takes = call.instr.row().index_of(ParamKind::Count).is_some();
    let dst = call.instr.local(DST);
    let Some(dst) = dst.filter(|_| takes && !call.instr.is_counted()) else {
        return Vec::new();
    };
    let Some([rows, columns]) = call.extents(scene, dst) else {
        return Vec::new();
    };
    let is_contiguous = rows == 1 || dst.span[1] == dst.shape[1];
    let count = rows * columns;
    let argument = format!("count={count}");
    let edit = scene.append(call.span, &argument);
    let edit = edit.filter(|_| is_contiguous && count > 0);
    edit.map(|edit| guess(format!("add `{argument}`"), vec![edit]))
        .into_iter()
        .collect()
}

/// Proposes to keep one of two contradictory counts.
fn one_count(scene: &Scene) -> Vec<Candidate> {
    let Some((stmt, _)) = scene.instr(scene.finding.span) else {
        return Vec::new();
    };
    let call = stmt.span;
    let (count, lanes) = (
        scene.keyword(call, "count"),
        scene.keyword(call, "count_per_rep"),
    );
    match (count, lanes) {
        (Some(_), Some(_)) => ["count_per_rep", "count"]
            .iter()
            .filter_map(|name| {
                let edit = scene.drop_argument(call, name)?;
                Some(guess(format!("leave out `{name}`"), vec![edit]))
            })
            .collect(),
        (None, Some(value)) => {
            let start = value.start - "count_per_rep=".len() as u32;
            let name = Span {
                start,
                end: value.start - 1,
            };
            vec![guess(
                "count all elements, not those of a repeat",
                vec![replace(name, "count")],
            )]
        }
        _ => Vec::new(),
    }
}

/// Proposes slices as wide as a repeat, with `count_per_rep` for the lanes that were sliced.
fn first_lanes(scene: &Scene) -> Vec<Candidate> {
    let Some(call) = Call::of(scene) else {
        return Vec::new();
    };
    let mut edits = Vec::new();
    let mut lanes = None;
    for (span, view) in &call.operands {
        let Some([_, columns]) = call.extents(scene, view) else {
            continue;
        };
        let whole = view.dtype.lanes();
        let items = scene.items(*span, '[');
        let (Some(last), true) = (items.last(), view.sliced && columns < whole) else {
            continue;
        };
        let text = scene.text(*last);
        let Some((start, _)) = text.split_once(':') else {
            continue;
        };
        let wide = match start.trim().parse::<i64>() {
            Ok(start) => format!("{start}:{}", start + whole),
            Err(_) => format!("{start}:{start} + {whole}"),
        };
        edits.push(replace(*last, wide));
        lanes = Some(columns);
    }
    // Where sliced operands differ in width, one of the slices is wrong, and which one is not known.
    let sliced = call.operands.iter().filter(|(_, view)| view.sliced);
    let mut widths = sliced.map(|(_, view)| call.extents(scene, view).map(|it| it[1]));
    if !widths.all(|width| width == lanes) {
        return Vec::new();
    }
    let Some(edit) =
        lanes.and_then(|lanes| scene.append(call.span, &format!("count_per_rep={lanes}")))
    else {
        return Vec::new();
    };
    edits.push(edit);
    vec![guess(
        "take whole repeats, and the first lanes of each",
        edits,
    )]
}

/// Proposes to split a call into 2, 4 or 8 calls, each for a part of the rows.
fn in_parts(scene: &Scene) -> Vec<Candidate> {
    let Some(call) = Call::of(scene) else {
        return Vec::new();
    };
    let Some((_, first)) = call.operands.first() else {
        return Vec::new();
    };
    let Some([rows, _]) = call.extents(scene, first) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for parts in [2, 4, 8] {
        let same = |view: &LocalView| {
            call.extents(scene, view)
                .is_some_and(|[other, _]| other == rows)
                && !view.sliced
        };
        if rows % parts != 0 || !call.operands.iter().all(|(_, view)| same(view)) {
            break;
        }
        let step = rows / parts;
        let mut lines = Vec::new();
        for part in 0..parts {
            let (from, to) = (part * step, part * step + step);
            lines.push(call.with(scene, |_, view, text| {
                let columns = call.extents(scene, view).map_or(0, |it| it[1]);
                format!("{text}[{from}:{to}, 0:{columns}]")
            }));
        }
        all.extend(as_lines(
            scene,
            call.span,
            lines,
            format!("do it in {parts} parts of {step} rows"),
        ));
    }
    all
}

/// Proposes to replace a statement by several ones.
fn as_lines(scene: &Scene, place: Span, lines: Vec<String>, title: String) -> Option<Candidate> {
    let indent = scene.indent(place);
    let text = lines.join(&format!("\n{indent}"));
    scene
        .starts_line(place)
        .then(|| guess(title, vec![replace(place, text)]))
}

/// Proposes a call for each strip of as many columns as a repeat has lanes. Operands of another shape, with one block
/// per row, stay whole.
fn by_columns(scene: &Scene) -> Vec<Candidate> {
    let Some(call) = Call::of(scene) else {
        return Vec::new();
    };
    let Some((_, first)) = call.operands.first() else {
        return Vec::new();
    };
    let Some([rows, columns]) = call.extents(scene, first) else {
        return Vec::new();
    };
    let lanes = first.dtype.lanes();
    if columns % lanes != 0 || columns == lanes || columns / lanes > 8 {
        return Vec::new();
    }
    let mut lines = Vec::new();
    for from in (0..columns).step_by(lanes as usize) {
        lines.push(call.with(scene, |_, view, text| {
            match call.extents(scene, view) == Some([rows, columns]) && !view.sliced {
                true => format!("{text}[0:{rows}, {from}:{}]", from + lanes),
                false => text.to_owned(),
            }
        }));
    }
    let title = format!("work on {lanes} columns at a time");
    as_lines(scene, call.span, lines, title)
        .into_iter()
        .collect()
}

/// Proposes to expand packed scalars to one block per row with `brcb()`.
fn broadcast(scene: &Scene) -> Vec<Candidate> {
    let (Some(call), Some(program)) = (Call::of(scene), scene.program()) else {
        return Vec::new();
    };
    let Some((_, dst)) = call.operands.first() else {
        return Vec::new();
    };
    let Some([rows, _]) = call.extents(scene, dst) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for (span, view) in call.operands.iter().skip(1) {
        let is_packed = call
            .extents(scene, view)
            .is_some_and(|[r, c]| r == rows && c <= 8);
        if !is_packed {
            continue;
        }
        let buffer = program.buffer(view.buffer);
        let Some((_, dtype)) = spelled(scene, buffer, view.dtype) else {
            continue;
        };
        let name = scene.fresh("wide");
        let block = view.dtype.c0();
        let position = scene
            .arguments(buffer.span)
            .get(2)
            .map_or("Position.UB", |it| scene.text(*it));
        let declared = format!("{name} = Tensor({dtype}, [{rows}, {block}], {position})");
        let repeat = (rows + 7) / 8;
        let expand = format!(
            "brcb({name}, {}, dst_blk_stride=1, dst_rep_stride=8, repeat={repeat})",
            scene.text(*span)
        );
        let declared = scene
            .outermost(call.span)
            .and_then(|place| scene.above(place, &[declared]));
        let expand = scene.above(call.span, &[expand]);
        if let (Some(declared), Some(expand)) = (declared, expand) {
            let edits = vec![declared, expand, replace(*span, name.clone())];
            all.push(guess(format!("expand it with brcb() into `{name}`"), edits));
        }
    }
    all
}

/// Proposes to read from a copy if sources overlap the destination. Where such a source has other extents than the
/// destination, a slice is wrong, and a copy would hide that.
fn copied_first(scene: &Scene) -> Vec<Candidate> {
    let (Some(call), Some(program)) = (Call::of(scene), scene.program()) else {
        return Vec::new();
    };
    let Some((_, dst)) = call.operands.first() else {
        return Vec::new();
    };
    let buffer = program.buffer(dst.buffer);
    let is_shared = |view: &LocalView| view.buffer == dst.buffer;
    let sources = call.operands.iter().skip(1);
    let shared: Vec<_> = sources.filter(|(_, view)| is_shared(view)).collect();
    let same = |view: &LocalView| view.dtype != dst.dtype || view.span == dst.span;
    if !shared.iter().all(|(_, view)| same(view)) {
        return Vec::new();
    }
    let shared: Vec<Span> = shared.into_iter().map(|(span, _)| *span).collect();
    let Some(first) = shared.first() else {
        return Vec::new();
    };
    let Some(place) = scene.statement(buffer.span) else {
        return Vec::new();
    };
    let name = scene.fresh("copy");
    let declared = format!("{name} = {}", scene.text(buffer.span));
    let source = scene.text(*first);
    let whole = source.split('[').next().unwrap_or(source);
    let whole = whole.split('.').next().unwrap_or(whole);
    let copy = format!("ub_to_ub({name}, {whole})");
    let mut edits: Vec<Edit> = Vec::new();
    edits.extend(scene.below(place, &[declared]));
    edits.extend(scene.above(call.span, &[copy]));
    for span in &shared {
        let text = scene.text(*span);
        edits.push(replace(
            *span,
            format!("{name}{}", text.part(whole.len()..)),
        ));
    }
    vec![guess(format!("read from a copy, `{name}`"), edits)]
}

fn block_stride(scene: &Scene) -> Vec<Candidate> {
    let Some(call) = Call::of(scene) else {
        return Vec::new();
    };
    let strides = ["src_blk_stride=1", "dst_blk_stride=1, src_blk_stride=1"];
    let candidate = |argument: &&str| {
        let edit = scene.append(call.span, argument)?;
        Some(guess(format!("add `{argument}`"), vec![edit]))
    };
    strides.iter().filter_map(candidate).collect()
}

/// Proposes to compare all of the elements that the mask selects from.
fn compare_all(scene: &Scene) -> Vec<Candidate> {
    let mut all = Vec::new();
    for place in scene.labels() {
        let Some((stmt, instr)) = scene.instr(place) else {
            continue;
        };
        if let Some(edit) = scene.drop_argument(stmt.span, "repeat") {
            all.push(guess("leave out `repeat`: compare all of it", vec![edit]));
        }
        let views = instr.operands().filter(|(index, ..)| *index > DST);
        for (index, _, view) in views {
            let span = instr.args.get(index).and_then(|arg| arg.span());
            let Some((span, view)) = span.zip(view.local()).filter(|(_, view)| view.sliced) else {
                continue;
            };
            if let Some((whole, _)) = scene.text(span).rsplit_once('[')
                && view.dtype != DType::UInt8
            {
                all.push(guess(
                    format!("compare all of `{whole}`"),
                    vec![replace(span, whole)],
                ));
            }
        }
    }
    all
}

//! Proposals about the order inside of a lane: barriers, `auto_sync` regions, events, slots of rings.

use super::Propose;
use super::tokens::out_of_place;
use crate::repair::Candidate;
use crate::repair::scene::{Scene, Within, guess, joined, order, replace};
use a2lint_ir::finding::Edit;
use a2lint_ir::sync::pipe_of;
use a2lint_isa::Pipe;
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::{Expr, ExprKind, Stmt as Code, StmtKind as CodeKind};

pub(super) const PROPOSALS: &[(&str, Propose)] = &[
    ("race", unordered),
    ("scalar-hazard", unordered),
    ("slot-lifetime", unordered),
    ("accumulate-settle", settle),
    ("auto-sync-scope", region),
    ("redundant-barrier", no_barrier),
    ("slot-lifetime", more_slots),
];

/// The two accesses of a hazard, in order of execution.
struct Ends {
    first: Span,
    second: Span,
    pipes: Option<(Pipe, Pipe)>,
}

impl Ends {
    fn of(scene: &Scene) -> Option<Ends> {
        let second = scene.statement(scene.finding.span)?;
        let first = scene.labels().find_map(|span| {
            scene.instr(span)?;
            scene.statement(span)
        });
        let first = first.unwrap_or(second);
        let pipe = |span| Some(pipe_of(scene.program()?, scene.instr(span)?.1));
        Some(Ends {
            first,
            second,
            pipes: pipe(first).zip(pipe(second)),
        })
    }

    /// Returns whether the first access belongs to the previous iteration of a loop.
    fn is_carried(&self) -> bool {
        self.first.start >= self.second.start
    }
}

fn unordered(scene: &Scene) -> Vec<Candidate> {
    let Some(ends) = Ends::of(scene) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    if let Some((first, second)) = ends.pipes
        && first == second
    {
        let call = format!("bar_{}()", first.name().to_ascii_lowercase());
        all.extend(barrier(scene, ends.second, &call));
    }
    all.extend(out_of_place(scene));
    all.extend(regions(scene, &ends));
    all.extend(event(scene, &ends));
    all.extend(barrier(scene, ends.second, "bar_all()"));
    all
}

/// Proposes a barrier before a statement.
fn barrier(scene: &Scene, statement: Span, call: &str) -> Option<Candidate> {
    let edit = scene.above(statement, &[call.to_owned()])?;
    Some(order(format!("put `{call}` before it"), vec![edit]))
}

fn settle(scene: &Scene) -> Vec<Candidate> {
    let statement = scene.statement(scene.finding.span);
    let barrier = statement.and_then(|statement| barrier(scene, statement, "bar_m()"));
    barrier.into_iter().collect()
}

fn no_barrier(scene: &Scene) -> Vec<Candidate> {
    let Some(statement) = scene.statement(scene.finding.span) else {
        return Vec::new();
    };
    let title = format!("leave out `{}`", scene.text(statement));
    vec![order(title, vec![scene.without(statement)])]
}

// ---- regions

/// Proposes a region around both accesses, and one around all accesses in findings of this rule in the kernel.
fn regions(scene: &Scene, ends: &Ends) -> Vec<Candidate> {
    let pair = ends.first.to(ends.second);
    let own = scene.finding.kernel.as_deref();
    let others = scene.analysis.findings.iter().filter(|other| {
        let is_here = other.kernel.as_deref() == own && other.elsewhere.is_none();
        is_here && other.name == scene.finding.name
    });
    let whole = others.fold(pair, |whole, other| whole.to(other.span));
    let mut all = around(scene, pair);
    if whole != pair {
        all.extend(around(scene, whole));
    }
    all
}

/// Proposes regions around a span: in the innermost block that contains it, then in each enclosing block.
fn around(scene: &Scene, place: Span) -> Vec<Candidate> {
    let depth = scene.in_function(place.start).len();
    let region = |level| {
        let (within, first, last) = shared_at(scene, level, place)?;
        let edit = one_region(scene, within.block, first, last)?;
        let lines = lines_of(scene, &within.block[first..=last]);
        let title = format!("put {lines} into one `auto_sync()` region");
        Some(order(title, vec![edit]))
    };
    (0..depth).rev().filter_map(region).collect()
}

/// Returns the block at a nesting level, with the indices of the first and last statement that a span covers.
fn shared_at<'s>(
    scene: &'s Scene,
    level: usize,
    place: Span,
) -> Option<(Within<'s>, usize, usize)> {
    let first = *scene.in_function(place.start).get(level)?;
    let last = *scene.in_function(place.end.saturating_sub(1)).get(level)?;
    (first.block.as_ptr() == last.block.as_ptr() && first.at <= last.at)
        .then_some((first, first.at, last.at))
}

fn lines_of(scene: &Scene, block: &[Code]) -> String {
    let line = |at: u32| scene.source.line_column(at).line;
    let (first, last) = (&block[0], &block[block.len() - 1]);
    let (first, last) = (
        line(first.span.start),
        line(last.span.end.saturating_sub(1)),
    );
    match first == last {
        true => format!("line {first}"),
        false => format!("lines {first} to {last}"),
    }
}

/// Puts statements of a block under one `with auto_sync():`. Regions among them are merged into it.
fn one_region(scene: &Scene, block: &[Code], first: usize, last: usize) -> Option<Edit> {
    let inside = block.get(first..=last)?;
    let (start, end) = (inside.first()?.span, inside.last()?.span);
    let whole = scene.lines(start).to(scene.lines(end));
    let indent = scene.indent(start);
    let header = inside.iter().find_map(|code| region_header(scene, code));
    let header = header.map_or("with auto_sync():", |span| scene.text(span));
    let mut text = format!("{indent}{header}\n");
    let mut at = whole.start;
    for code in inside {
        // Comments between the statements are kept.
        let lines = scene.lines(code.span);
        let between = Span {
            start: at,
            end: lines.start.max(at),
        };
        text += &deeper(scene, between);
        text += &match region_header(scene, code) {
            Some(header) => scene
                .text(Span {
                    start: scene.lines(header).end,
                    end: lines.end,
                })
                .to_owned(),
            None => deeper(scene, lines),
        };
        at = lines.end;
    }
    scene.starts_line(start).then(|| replace(whole, text))
}

/// Indents lines by four more spaces.
fn deeper(scene: &Scene, lines: Span) -> String {
    scene.reindented(lines, |line| match line.trim().is_empty() {
        true => line.to_owned(),
        false => format!("    {line}"),
    })
}

/// Indents lines by four fewer spaces.
fn shallower(scene: &Scene, lines: Span) -> String {
    scene.reindented(lines, |line| {
        line.strip_prefix("    ").unwrap_or(line).to_owned()
    })
}

/// Returns the span of the head if a statement is `with auto_sync():`.
fn region_header(scene: &Scene, code: &Code) -> Option<Span> {
    let CodeKind::With { items, body } = &code.kind else {
        return None;
    };
    let opens = |expr: &Expr| match &expr.kind {
        ExprKind::Call { func, .. } => scene.text(func.span).ends_with("auto_sync"),
        _ => false,
    };
    let first = body.first()?;
    let whole = Span {
        start: code.span.start,
        end: first.span.start,
    };
    let head = scene.text(whole).trim_end();
    let is_region = matches!(items.as_slice(), [(expr, None)] if opens(expr));
    let is_own_line = scene.lines(first.span).start > code.span.start;
    (is_region && is_own_line && head.ends_with(':')).then(|| Span {
        start: code.span.start,
        end: code.span.start + head.len() as u32,
    })
}

fn region(scene: &Scene) -> Vec<Candidate> {
    let chain = scene.in_function(scene.finding.span.start);
    let Some(with) = chain
        .iter()
        .rev()
        .find(|it| region_header(scene, it.code()).is_some())
    else {
        return Vec::new();
    };
    let Some(header) = region_header(scene, with.code()) else {
        return Vec::new();
    };
    let code = with.code();
    let body = Span {
        start: scene.lines(header).end,
        end: scene.lines(code.span).end,
    };
    let mut all = Vec::new();
    // Only the outer region.
    let title = "keep the outer region alone";
    let flat = Span {
        start: scene.lines(header).start,
        end: body.end,
    };
    let inner = replace(flat, shallower(scene, body));
    let is_nested = chain
        .iter()
        .filter(|it| region_header(scene, it.code()).is_some())
        .count()
        > 1;
    if is_nested {
        all.push(order(title, vec![inner.clone()]));
    }
    // One region around the outermost loop, if that encloses this one.
    let outer = chain
        .iter()
        .find(|it| matches!(it.code().kind, CodeKind::For { .. }));
    if let Some(outer) = outer.filter(|it| it.code().span.start < code.span.start) {
        let lines = scene.lines(outer.code().span);
        let (before, after) = (
            Span {
                start: lines.start,
                end: flat.start,
            },
            Span {
                start: flat.end,
                end: lines.end,
            },
        );
        let indent = scene.indent(outer.code().span);
        let text = format!(
            "{indent}{}\n{}{}{}",
            scene.text(header),
            deeper(scene, before),
            scene.text(body),
            deeper(scene, after)
        );
        all.push(order(
            "put the region around the loop",
            vec![replace(lines, text)],
        ));
    }
    // The region extended by the statements that follow it, as many as possible first.
    for last in (with.at + 1..with.block.len()).rev() {
        let is_end = matches!(with.block[last].kind, CodeKind::Return(_));
        if let Some(edit) = one_region(scene, with.block, with.at, last).filter(|_| !is_end) {
            let lines = lines_of(scene, &with.block[with.at + 1..=last]);
            all.push(order(format!("put {lines} into the region"), vec![edit]));
        }
    }
    all
}

// ---- events

/// Proposes an event between the two accesses. One that orders an iteration after the previous one is preset, so that
/// the first iteration does not wait for ever.
fn event(scene: &Scene, ends: &Ends) -> Option<Candidate> {
    let (first, second) = ends.pipes.filter(|(first, second)| first != second)?;
    let name = scene.fresh(match first {
        Pipe::Mte2 | Pipe::Mte1 => "loaded",
        Pipe::V | Pipe::M => "computed",
        Pipe::Mte3 | Pipe::Fix => "stored",
        _ => "passed",
    });
    let preset = if ends.is_carried() {
        ", preset=True"
    } else {
        ""
    };
    let declared = format!("{name} = SEvent(Pipe.{first}, Pipe.{second}{preset})");
    let place = scene.outermost(ends.first)?;
    let place = match scene.outermost(ends.second)? {
        other if other.start < place.start => other,
        _ => place,
    };
    let edits = vec![
        scene.below(ends.first, &[format!("{name}.set()")])?,
        scene.above(place, &[declared])?,
        scene.above(ends.second, &[format!("{name}.wait()")])?,
    ];
    let title = format!("hand over from {first} to {second} by an event, `{name}`");
    Some(order(title, joined(edits)))
}

// ---- rings

/// Proposes more slots for a ring, or to advance its counter.
fn more_slots(scene: &Scene) -> Vec<Candidate> {
    let rings = ["Tensor", "DBuff", "TBuff", "QBuff"];
    let mut all = Vec::new();
    for span in scene
        .labels()
        .filter(|&span| scene.buffer_at(span).is_some())
    {
        let text = scene.text(span);
        let head = text.split('(').next().unwrap_or_default();
        let short = head.rsplit('.').next().unwrap_or_default();
        let Some(at) = rings.iter().position(|ring| *ring == short) else {
            continue;
        };
        for ring in &rings[at + 1..] {
            let start = span.start + (head.len() - short.len()) as u32;
            let place = Span {
                start,
                end: start + short.len() as u32,
            };
            all.push(guess(
                format!("make it a {ring}"),
                vec![replace(place, *ring)],
            ));
        }
    }
    // The counter of the ring may lack its increment.
    let counters = scene.labels().filter_map(|span| {
        let name = scene.statement(span)?;
        let name = scene.text(name).split('=').next()?.trim();
        name.chars()
            .all(|c| c.is_alphanumeric() || c == '_')
            .then_some(name)
    });
    let chain = scene.in_function(scene.finding.span.start);
    let body = chain.last().and_then(|it| it.block.last());
    for name in counters {
        let edit = body.and_then(|last| scene.below(last.span, &[format!("{name} += 1")]));
        all.extend(edit.map(|edit| guess(format!("count up `{name}`"), vec![edit])));
    }
    all
}

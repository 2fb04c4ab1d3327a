//! Proposals about initial values: first products of sums, and tensors that are filled before they are read.

use super::Propose;
use crate::repair::Candidate;
use crate::repair::scene::{Scene, guess, replace};
use a2lint_ir::{Buffer, BufferId, Instr, Stmt};
use a2lint_isa::{Class, DType, Operator, Position};
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::{ExprKind, Stmt as Code, StmtKind as CodeKind};

pub(super) const PROPOSALS: &[(&str, Propose)] = &[
    ("unseeded-accumulation", first_product),
    ("unseeded-accumulation", filled),
    ("uninitialized-read", unmasked),
    ("uninitialized-read", filled),
    ("masked-reduction-stale", filled),
    ("padding-in-reduction", filled),
    ("stale-tail", filled_each_time),
    ("setvalue-fill", fill_row),
    ("sum-after-cast", sum_before),
];

/// Proposes `is_init` for the first product of an accumulation, in each enclosing loop.
fn first_product(scene: &Scene) -> Vec<Candidate> {
    let Some((stmt, _)) = scene.instr(scene.finding.span) else {
        return Vec::new();
    };
    let Some(value) = scene.keyword(stmt.span, "is_init") else {
        return Vec::new();
    };
    let mut all = Vec::new();
    let chain = scene.in_function(stmt.span.start);
    let loops = chain
        .iter()
        .rev()
        .filter_map(|within| match &within.code().kind {
            CodeKind::For { target, iter, .. } => Some((target, iter)),
            _ => None,
        });
    for (target, iter) in loops {
        let ExprKind::Call { args, .. } = &iter.kind else {
            continue;
        };
        let start = match args.as_slice() {
            [_] => "0",
            [start, ..] => scene.text(start.span),
            [] => continue,
        };
        let first = format!("({} == {start})", scene.text(target.span));
        let title = format!("start the sum with `is_init={first}`");
        all.push(guess(title, vec![replace(value, first)]));
    }
    let repeats = |code: &Code| matches!(code.kind, CodeKind::For { .. } | CodeKind::While { .. });
    if !chain.iter().any(|within| repeats(within.code())) {
        all.push(guess(
            "start the sum with `is_init=True`",
            vec![replace(value, "True")],
        ));
    }
    all
}

/// A tensor in UB that a finding concerns.
struct Tensor<'a> {
    buffer: &'a Buffer,
    id: BufferId,
}

/// Returns the tensors of a finding that could be filled.
fn tensors<'a>(scene: &Scene<'a>) -> Vec<Tensor<'a>> {
    let Some(program) = scene.program() else {
        return Vec::new();
    };
    let named: Vec<Span> = scene.labels().collect();
    let own = scene.instr(scene.finding.span).map(|(_, instr)| instr);
    let own = own
        .into_iter()
        .flat_map(|instr| instr.operands().filter_map(|(.., it)| it.local()));
    let own: Vec<BufferId> = own.map(|view| view.buffer).collect();
    let ids = (0..program.buffers.len()).map(|at| BufferId(at as u32));
    let tensors = ids.map(|id| Tensor {
        buffer: program.buffer(id),
        id,
    });
    let is_meant = |it: &Tensor| {
        let is_tensor = it.buffer.position == Position::Ub && it.buffer.slots == 1;
        is_tensor && (named.contains(&it.buffer.span) || own.contains(&it.id))
    };
    tensors.filter(is_meant).collect()
}

/// The accesses of one instruction to a tensor.
#[derive(Clone, Copy)]
struct Use {
    span: Span,
    reads: bool,
    writes: bool,
}

fn uses(scene: &Scene, id: BufferId) -> Vec<Use> {
    let instructions = scene.program().map(|program| program.instructions());
    let of = |(stmt, instr): (&Stmt, &Instr)| {
        let views = instr
            .operands()
            .filter(|(.., view)| view.local().is_some_and(|view| view.buffer == id));
        let mut found: Option<Use> = None;
        for (_, operand, _) in views {
            let found = found.get_or_insert(Use {
                span: stmt.span,
                reads: false,
                writes: false,
            });
            found.reads |= operand.access.reads();
            found.writes |= operand.access.writes();
        }
        found
    };
    instructions.into_iter().flatten().filter_map(of).collect()
}

/// Returns whether filling a tensor before a statement destroys no data, and whether no data of an earlier result is
/// carried on after it.
///
/// A loop whose first use of the tensor reads it carries data from one iteration to the next. One that adds to it there
/// is taken to make a result in each iteration, if all uses are inside: a sum that is filled outside of such a loop
/// would run on from one result to the next.
fn keeps_data(scene: &Scene, uses: &[Use], place: Span) -> bool {
    let is_inside = |it: &Use, of: Span| of.start <= it.span.start && it.span.end <= of.end;
    let has_all = |of: Span| uses.iter().all(|it| is_inside(it, of));
    let loops_at = |at: u32| {
        let chain = scene.in_function(at);
        let codes = chain.iter().map(|within| within.code());
        let loops =
            codes.filter(|code| matches!(code.kind, CodeKind::For { .. } | CodeKind::While { .. }));
        loops.map(|code| code.span).collect::<Vec<_>>()
    };
    let around: Vec<Span> = loops_at(place.start)
        .into_iter()
        .filter(|of| *of != place)
        .collect();
    let is_first = uses.iter().all(|it| it.span.start >= place.start);
    let first_in = |of: Option<Span>| {
        let inside = uses
            .iter()
            .filter(|it| of.is_none_or(|of| is_inside(it, of)));
        inside.min_by_key(|it| it.span.start).copied()
    };
    let is_carried = |of: &Span| {
        let is_written = uses.iter().any(|it| it.writes && is_inside(it, *of));
        let adds_up = |it: &Use| it.writes && has_all(*of);
        is_written && first_in(Some(*of)).is_some_and(|it| it.reads && !adds_up(&it))
    };
    let runs_on = first_in(None).is_some_and(|it| {
        let inner = loops_at(it.span.start);
        let mut missed = inner.into_iter().filter(|of| !around.contains(of));
        it.reads && it.writes && missed.any(has_all)
    });
    is_first && !around.iter().any(is_carried) && !runs_on
}

/// Returns the value that does not change the result of any reduction that reads the tensor: 0 for sums, a very small
/// number for maxima. `None` if the readers need different values or one computes anything else.
fn neutral(scene: &Scene, tensor: &Tensor) -> Option<&'static str> {
    let program = scene.program()?;
    let mut found: Option<&'static str> = None;
    for (_, instr) in program.instructions() {
        let reads = instr.operands().any(|(_, operand, view)| {
            operand.access.reads() && view.local().is_some_and(|view| view.buffer == tensor.id)
        });
        let row = instr.row();
        let (largest, smallest) = (row.computes(Operator::Max), row.computes(Operator::Min));
        let own = match tensor.buffer.dtype {
            _ if !reads => continue,
            DType::Float if largest => "-1.0e30",
            DType::Float if smallest => "1.0e30",
            DType::Half if largest => "-65504.0",
            DType::Half if smallest => "65504.0",
            _ if row.is_reduction() && row.computes(Operator::Add) => zero(tensor.buffer.dtype),
            _ if row.class == Class::Move => continue,
            // The neutral value would not stay neutral in a further computation.
            _ => return None,
        };
        match found {
            Some(other) if other != own => return None,
            _ => found = Some(own),
        }
    }
    found
}

fn zero(dtype: DType) -> &'static str {
    if dtype.is_float() { "0.0" } else { "0" }
}

/// Proposes to fill a tensor before the statement that reads it or the first that writes it, in each enclosing block,
/// or after its allocation.
fn filled(scene: &Scene) -> Vec<Candidate> {
    let mut all = Vec::new();
    for tensor in tensors(scene) {
        let value = match scene.finding.name {
            "padding-in-reduction" => neutral(scene, &tensor),
            _ => Some(zero(tensor.buffer.dtype)),
        };
        let Some(value) = value else { continue };
        let fill = format!("dup({}, {value})", tensor.buffer.name);
        let title = format!("fill it first: `{fill}`");
        let uses = uses(scene, tensor.id);
        // Before the reader, or before the first writer.
        let first = uses.iter().filter(|it| it.writes).map(|it| it.span).min();
        let mut places: Vec<Span> = Vec::new();
        for from in [Some(scene.finding.span), first].into_iter().flatten() {
            let chain = scene.in_function(from.start);
            places.extend(chain.iter().rev().map(|within| within.code().span));
        }
        places.retain(|place| keeps_data(scene, &uses, *place));
        for barrier in [None, Some("bar_all()".to_owned())] {
            let lines: Vec<String> = std::iter::once(fill.clone()).chain(barrier).collect();
            let above = places
                .iter()
                .filter_map(|place| scene.above(*place, &lines));
            all.extend(above.map(|edit| guess(title.clone(), vec![edit])));
        }
        let lines = [fill, "bar_all()".to_owned()];
        let made = scene.statement(tensor.buffer.span);
        let below = made.and_then(|place| scene.below(place, &lines));
        all.extend(below.map(|edit| guess(title, vec![edit])));
    }
    all
}

/// Proposes to reset a mask that leaves lanes of the tensor undefined, before the instruction that writes it.
fn unmasked(scene: &Scene) -> Vec<Candidate> {
    let works = |span: &Span| {
        let instr = scene.instr(*span).map(|(_, instr)| instr.row());
        instr.is_some_and(|row| row.is_vector() && row.class != Class::Mask)
    };
    let sets = |span: Span| {
        let instr = scene.instr(span).map(|(_, instr)| instr.row());
        instr.is_some_and(|row| row.class == Class::Mask)
    };
    if !scene.labels().any(sets) {
        return Vec::new();
    }
    let writers: Vec<Span> = scene.labels().filter(works).collect();
    let above = writers.into_iter().filter_map(|writer| {
        let place = scene.statement(writer)?;
        scene.above(place, &["reset_mask()".to_owned()])
    });
    let title = "write all lanes: `reset_mask()`";
    above.map(|edit| guess(title, vec![edit])).collect()
}

/// Proposes to fill a tensor before each load that covers only a part of it.
fn filled_each_time(scene: &Scene) -> Vec<Candidate> {
    let Some(place) = scene.statement(scene.finding.span) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for tensor in tensors(scene) {
        let uses = uses(scene, tensor.id);
        let Some(value) = neutral(scene, &tensor).filter(|_| keeps_data(scene, &uses, place))
        else {
            continue;
        };
        let fill = format!("dup({}, {value})", tensor.buffer.name);
        let lines = ["bar_all()".to_owned(), fill.clone(), "bar_all()".to_owned()];
        let edit = scene.above(place, &lines);
        all.extend(edit.map(|edit| guess(format!("fill it first: `{fill}`"), vec![edit])));
    }
    all
}

fn fill_row(scene: &Scene) -> Vec<Candidate> {
    let Some(place) = scene.statement(scene.finding.span) else {
        return Vec::new();
    };
    let text = scene.text(place);
    let Some((value, rest)) = text.split_once(".SetValueTo(") else {
        return Vec::new();
    };
    let Some(row) = rest.strip_suffix(')') else {
        return Vec::new();
    };
    let whole = row.split('[').next().unwrap_or(row);
    let fill = |row: &str| {
        let call = format!("dup({row}, {value})");
        guess(
            format!("fill all of it: `{call}`"),
            vec![replace(place, call)],
        )
    };
    let mut all = vec![fill(row)];
    if whole != row {
        all.push(fill(whole));
    }
    all
}

/// Proposes to sum values before they are converted.
fn sum_before(scene: &Scene) -> Vec<Candidate> {
    let (Some((stmt, _)), Some(program)) = (scene.instr(scene.finding.span), scene.program())
    else {
        return Vec::new();
    };
    let cast = scene.labels().find_map(|span| scene.instr(span));
    let Some((cast, _)) = cast else {
        return Vec::new();
    };
    let (from, own) = (scene.arguments(cast.span), scene.arguments(stmt.span));
    let ([_, wide, ..], [total, narrow, ..]) = (from.as_slice(), own.as_slice()) else {
        return Vec::new();
    };
    let mut edits = vec![replace(*narrow, scene.text(*wide))];
    let title = format!("sum `{}`", scene.text(*wide));
    let mut all = vec![guess(title.clone(), edits.clone())];
    let total = program
        .buffers
        .iter()
        .find(|buffer| buffer.name == scene.text(*total));
    let dtype = program
        .buffers
        .iter()
        .find(|buffer| buffer.name == scene.text(*wide));
    if let Some((total, wide)) = total.zip(dtype)
        && let Some((place, name)) = super::buffers::spelled(scene, total, wide.dtype)
    {
        edits.push(replace(place, name));
        all.push(guess(title, edits));
    }
    all
}

//! Proposals about initial values of tensors that are written in part, or element by element.

use super::Propose;
use super::sums::accumulated;
use crate::repair::Candidate;
use crate::repair::scene::{Scene, guess, replace};
use a2lint_ir::{Buffer, BufferId, Instr, Stmt};
use a2lint_isa::{Class, DType, Operator, Position};
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::{Stmt as Code, StmtKind as CodeKind};

pub(super) const PROPOSALS: &[(&str, Propose)] = &[
    ("masked-reduction-stale", filled),
    ("padding-in-reduction", filled),
    ("stale-tail", filled_each_time),
    ("setvalue-fill", fill_row),
    ("sum-after-cast", sum_before),
];

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

fn repeats(code: &Code) -> bool {
    matches!(code.kind, CodeKind::For { .. } | CodeKind::While { .. })
}

/// Returns whether filling a tensor before a statement destroys no data: nothing has been written to it before, and no
/// enclosing loop carries data in it from one iteration to the next.
fn keeps_data(scene: &Scene, uses: &[Use], place: Span) -> bool {
    let is_first = uses
        .iter()
        .all(|it| !it.writes || it.span.start >= place.start);
    let chain = scene.in_function(place.start);
    let loops = chain.iter().map(|within| within.code());
    let loops = loops.filter(|code| repeats(code) && code.span != place);
    let mut spans = loops.map(|code| code.span);
    let is_inside = |it: &Use, of: Span| of.start <= it.span.start && it.span.end <= of.end;
    is_first
        && spans.all(|of| {
            let mut inside = uses.iter().filter(|it| is_inside(it, of));
            inside.all(|it| !it.reads || (!it.writes && it.span.start >= place.start))
        })
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
        let own = match row.operator() {
            _ if !reads => continue,
            Some(operator) if row.is_reduction() => neutral_of(operator, tensor.buffer.dtype)?,
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

/// Returns the value that does not change the result of an operation that takes it as well.
pub(super) fn neutral_of(operator: Operator, dtype: DType) -> Option<&'static str> {
    match (operator, dtype) {
        (Operator::Add, _) => Some(if dtype.is_float() { "0.0" } else { "0" }),
        (Operator::Max, DType::Float) => Some("-1.0e30"),
        (Operator::Max, DType::Half) => Some("-65504.0"),
        (Operator::Min, DType::Float) => Some("1.0e30"),
        (Operator::Min, DType::Half) => Some("65504.0"),
        _ => None,
    }
}

/// Proposes to fill a tensor before it is written in part, with the value that changes no result, in each enclosing
/// block of the innermost loop: a fill outside of the loop lasts for one iteration only.
fn filled(scene: &Scene) -> Vec<Candidate> {
    let mut all = Vec::new();
    for tensor in tensors(scene) {
        let value = match scene.finding.name {
            "masked-reduction-stale" => result_of_nothing(scene, &tensor),
            _ => neutral(scene, &tensor),
        };
        let uses = uses(scene, tensor.id);
        let writers = uses.iter().filter(|it| it.writes).map(|it| it.span);
        let (Some(value), Some(first)) = (value, writers.min()) else {
            continue;
        };
        let fill = format!("dup({}, {value})", tensor.buffer.name);
        let chain = scene.in_function(first.start);
        let codes = chain.iter().rev().map(|within| within.code());
        let mut places: Vec<Span> = (codes.take_while(|code| !repeats(code)))
            .map(|code| code.span)
            .collect();
        places.retain(|place| keeps_data(scene, &uses, *place));
        for barrier in [None, Some("bar_all()".to_owned())] {
            let lines: Vec<String> = std::iter::once(fill.clone()).chain(barrier).collect();
            let above = places
                .iter()
                .filter_map(|place| scene.above(*place, &lines));
            all.extend(above.map(|edit| guess(format!("fill it first: `{fill}`"), vec![edit])));
        }
    }
    all
}

/// Returns the result of the reductions that write a tensor if they reduce no lane; `None` if something else writes it.
fn result_of_nothing(scene: &Scene, tensor: &Tensor) -> Option<&'static str> {
    let instructions = scene.program()?.instructions();
    // What reads and writes the results in place works on those that the reductions have left.
    let changes = |instr: &&Instr| instr.writes(tensor.id) && accumulated(instr) != Some(tensor.id);
    let mut writers = (instructions.iter().map(|(_, instr)| *instr)).filter(changes);
    let value = |instr: &Instr| {
        let row = instr.row();
        neutral_of(
            row.operator().filter(|_| row.is_reduction())?,
            tensor.buffer.dtype,
        )
    };
    let first = value(writers.next()?)?;
    writers
        .all(|instr| value(instr) == Some(first))
        .then_some(first)
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

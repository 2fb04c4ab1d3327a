//! Proposals about where a running result starts: the first product of a sum on the cube, and a fill of an accumulator.
//!
//! A running result is one over the loops that contain its steps and none of its readers. A start anywhere else is a
//! wrong kernel that a check takes for a clean one, since every value is then defined: outside of a loop with a reader
//! the result runs on from one read to the next, and inside of a loop without one it begins again.

use super::Propose;
use super::starts::neutral_of;
use crate::repair::Candidate;
use crate::repair::scene::{Scene, guess, replace};
use a2lint_ir::{BufferId, Instr, LocalView, Program, Stmt, StmtId};
use a2lint_isa::Position;
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::{ExprKind, Stmt as Code, StmtKind as CodeKind};

pub(super) const PROPOSALS: &[(&str, Propose)] = &[
    ("unseeded-accumulation", first_product),
    ("unseeded-accumulation", filled),
    ("uninitialized-read", filled),
];

/// Proposes `is_init` for the first product of a sum.
fn first_product(scene: &Scene) -> Vec<Candidate> {
    first_of_sum(scene).into_iter().collect()
}

fn first_of_sum(scene: &Scene) -> Option<Candidate> {
    let (program, (stmt, instr)) = (scene.program()?, scene.instr(scene.finding.span)?);
    let value = scene.keyword(stmt.span, "is_init")?;
    let mut written = instr
        .operands()
        .filter(|(_, operand, _)| operand.access.writes());
    let buffer = written.find_map(|(.., view)| Some(view.local()?.buffer))?;
    let is_step = |other: &Instr| other.opcode == instr.opcode;
    let first = match sum_loops(program, buffer, stmt, &is_step)? {
        // A call in a loop, or one that is traced several times, would start the sum each time.
        [] if program.loops(stmt.id).is_empty() && is_traced_once(program, stmt) => {
            "True".to_owned()
        }
        &[over] => {
            let code = loop_of(scene, program, stmt, over)?;
            let CodeKind::For { target, iter, .. } = &code.kind else {
                return None;
            };
            let ExprKind::Call { args, .. } = &iter.kind else {
                return None;
            };
            let start = match args.as_slice() {
                [_] => "0",
                [start, ..] => scene.text(start.span),
                [] => return None,
            };
            format!("({} == {start})", scene.text(target.span))
        }
        _ => return None,
    };
    let title = format!("start the sum with `is_init={first}`");
    Some(guess(title, vec![replace(value, first)]))
}

/// Proposes to fill an accumulator with the value that changes no result, right before the loops of its result.
fn filled(scene: &Scene) -> Vec<Candidate> {
    let Some((fill, place)) = start_of_result(scene) else {
        return Vec::new();
    };
    let lines = [
        vec![fill.clone()],
        vec![fill.clone(), "bar_all()".to_owned()],
    ];
    let edits = lines.iter().filter_map(|lines| scene.above(place, lines));
    let title = format!("initialise it: `{fill}`");
    edits.map(|edit| guess(title.clone(), vec![edit])).collect()
}

/// Returns the call that fills the accumulator of the finding, and the statement before which it belongs.
fn start_of_result(scene: &Scene) -> Option<(String, Span)> {
    let (program, (stmt, instr)) = (scene.program()?, scene.instr(scene.finding.span)?);
    let id = accumulated(instr)?;
    let buffer = program.buffer(id);
    if buffer.position != Position::Ub || buffer.slots != 1 {
        return None;
    }
    let value = neutral_of(instr.row().operator()?, buffer.dtype)?;
    let is_step = |other: &Instr| {
        accumulated(other) == Some(id) && other.row().operator() == instr.row().operator()
    };
    let outermost = *sum_loops(program, id, stmt, &is_step)?.first()?;
    let place = loop_of(scene, program, stmt, outermost)?.span;
    Some((format!("dup({}, {value})", buffer.name), place))
}

/// Returns the buffer with a part to which an instruction adds, or of which it takes a maximum: it is an operand of
/// the operation and its result.
pub(super) fn accumulated(instr: &Instr) -> Option<BufferId> {
    let locals = |writes: bool| {
        let operands = instr.operands();
        operands.filter_map(move |(_, operand, view)| {
            let is_meant = if writes {
                operand.access.writes()
            } else {
                operand.access.reads()
            };
            view.local().filter(|_| is_meant)
        })
    };
    let is_same = |written: &LocalView| {
        locals(false).any(|read| {
            (read.buffer, read.offset, read.span) == (written.buffer, written.offset, written.span)
        })
    };
    (locals(true).find(|view| is_same(view))).map(|view| view.buffer)
}

/// Returns the loops over which a result runs, outermost first: those around its steps that contain no reader of the
/// result. `None` if something else writes the buffer, if nothing reads it, if its readers disagree, or if one may read
/// only in some iterations, so that the result may be one of several.
fn sum_loops<'p>(
    program: &'p Program,
    buffer: BufferId,
    step: &Stmt,
    is_step: &dyn Fn(&Instr) -> bool,
) -> Option<&'p [StmtId]> {
    let around = program.loops(step.id);
    let mut shared: Option<usize> = None;
    let mut steps = Vec::new();
    for (stmt, instr) in program.instructions() {
        let mut views = instr.operands().filter_map(|(.., view)| view.local());
        if !views.any(|view| view.buffer == buffer) {
            continue;
        }
        if is_step(instr) {
            steps.push(stmt.id);
            continue;
        }
        let common = program.common_loops(step.id, stmt.id);
        let known = program.guards(step.id);
        let is_skipped = common.last().is_some_and(|within| {
            let mut guards = program.guards(stmt.id).iter();
            guards.any(|guard| program.contains(*within, guard.branch) && !known.contains(guard))
        });
        if instr.writes(buffer) || is_skipped || shared.is_some_and(|it| it != common.len()) {
            return None;
        }
        shared = Some(common.len());
    }
    let shared = shared?;
    let over = around.get(shared..)?;
    let is_inside = |other: &StmtId| {
        over.first()
            .is_none_or(|over| program.contains(*over, *other))
    };
    steps.iter().all(is_inside).then_some(over)
}

fn is_traced_once(program: &Program, stmt: &Stmt) -> bool {
    let all = program.instructions();
    all.iter()
        .filter(|(other, _)| other.span == stmt.span)
        .count()
        == 1
}

/// Returns the code of a loop around a statement. `None` where the loops of the program are not those around the text,
/// as in a helper that is called in a loop, or in a loop that is unrolled.
fn loop_of<'s>(scene: &'s Scene, program: &Program, stmt: &Stmt, of: StmtId) -> Option<&'s Code> {
    let around = program.loops(stmt.id);
    let at = around.iter().position(|id| *id == of)?;
    let chain = scene.in_function(stmt.span.start);
    let is_loop = |code: &&Code| matches!(code.kind, CodeKind::For { .. } | CodeKind::While { .. });
    let loops: Vec<&Code> = chain
        .iter()
        .map(|within| within.code())
        .filter(is_loop)
        .collect();
    (loops.len() == around.len()).then(|| loops.get(at).copied())?
}

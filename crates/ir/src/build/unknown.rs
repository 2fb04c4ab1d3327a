//! Lists the code that could not be evaluated: code that the front end cannot follow, and statements that
//! depend on unknown numbers.

use crate::{ArgValue, Program, Scalar, ScalarId, Stmt, StmtKind, UnknownCode, View};
use a2lint_isa::ParamKind;
use a2lint_source::text::Span;

/// The largest number of places that are listed for one kernel.
const MAX_PLACES: usize = 100;

/// Adds a place of a program that could not be evaluated, unless it is listed already or encloses a listed
/// place.
pub(super) fn note(program: &mut Program, span: Span, what: String) {
    add(program, span, what, false);
}

fn add(program: &mut Program, span: Span, what: String, is_follower: bool) {
    let places = &mut program.unknown;
    let is_new = |place: &UnknownCode| place.span != span && !encloses(span, place.span);
    if places.len() < MAX_PLACES && places.iter().all(is_new) {
        places.push(UnknownCode {
            span,
            what,
            is_follower,
        });
    }
}

/// Adds a place that is unknown because of another one. If a place is listed, that one is the cause, and this one
/// follows from it.
pub(super) fn note_follower(program: &mut Program, span: Span, what: String) {
    if program.unknown.is_empty() {
        add(program, span, what, true);
    }
}

/// Removes what follows from another place: a loop is evaluated again with what its first pass left unknown, so that a
/// use before the cause is noted first.
pub(super) fn keep_causes(program: &mut Program) {
    if program.unknown.iter().any(|place| !place.is_follower) {
        program.unknown.retain(|place| !place.is_follower);
    }
}

fn encloses(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Adds the statements and buffers that depend on an unknown number.
pub(super) fn note_numbers(program: &mut Program) {
    let unknown = unknown_scalars(program);
    let is_unknown = |id: ScalarId| unknown[id.0 as usize];
    let mut places: Vec<Span> = Vec::new();
    program.walk(&mut |stmt| {
        if depends(stmt, &is_unknown) {
            places.push(stmt.span);
        }
    });
    let buffers = program.buffers.iter();
    places.extend(
        buffers
            .filter(|buffer| buffer.shape.into_iter().any(is_unknown))
            .map(|buffer| buffer.span),
    );
    let note = match program.toolchain.names_causes {
        true => note_follower,
        false => note,
    };
    for span in places {
        note(program, span, "a number could not be evaluated".to_owned());
    }
}

/// Returns, by the number of a scalar, whether it is computed from an unknown.
fn unknown_scalars(program: &Program) -> Vec<bool> {
    let mut unknown: Vec<bool> = Vec::with_capacity(program.scalars.len());
    // One pass suffices, because operands have smaller numbers than the operations on them.
    for index in 0..program.scalars.len() {
        let is_unknown = match program.scalars.get(ScalarId(index as u32)) {
            Scalar::Unknown(_) => true,
            Scalar::Unary(_, a) => unknown[a.0 as usize],
            Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => {
                unknown[a.0 as usize] || unknown[b.0 as usize]
            }
            _ => false,
        };
        unknown.push(is_unknown);
    }
    unknown
}

fn depends(stmt: &Stmt, is_unknown: &dyn Fn(ScalarId) -> bool) -> bool {
    let any = |ids: &[ScalarId]| ids.iter().any(|&id| is_unknown(id));
    match &stmt.kind {
        StmtKind::Assign { value, .. } => is_unknown(*value),
        StmtKind::Loop {
            start, stop, step, ..
        } => any(&[*start, *stop, *step]),
        StmtKind::If { arms, .. } => arms.iter().any(|arm| is_unknown(arm.condition)),
        StmtKind::UnknownLoop { .. } => true,
        StmtKind::Instr(instr) => {
            instr
                .row()
                .params()
                .zip(&instr.args)
                .any(|(param, arg)| match &arg.value {
                    ArgValue::Scalar(id) => is_unknown(*id),
                    ArgValue::View(view) => view_depends(view, is_unknown),
                    ArgValue::Unknown => param.kind != ParamKind::Ignored,
                    _ => false,
                })
        }
        _ => false,
    }
}

fn view_depends(view: &View, is_unknown: &dyn Fn(ScalarId) -> bool) -> bool {
    let any = |ids: &[ScalarId]| ids.iter().any(|&id| is_unknown(id));
    match view {
        View::Local(view) => {
            is_unknown(view.slot) || any(&view.shape) || any(&view.offset) || any(&view.span)
        }
        View::Global(view) => {
            let mut axes = view.axes.iter();
            axes.any(|axis| any(&[axis.extent, axis.start, axis.span]))
        }
    }
}

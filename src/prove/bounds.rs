//! Every access to global memory stays inside of its tensor.
//!
//! What the extents of a tensor have to do with the parameters is nowhere written down. Where all launches in
//! sight give an extent the value of one parameter, or one number, that is taken for granted, and said.

use rustc_hash::FxHashSet;

use super::{Proof, Subject};
use crate::analysis::{Apart, Linear, Places, sizes, weakest};
use crate::ir::{GlobalId, GlobalKind, StmtId, VariableId, View};
use crate::machine::Value;

/// What an extent is the same as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Same {
    Parameter(VariableId),
    Number(i64),
}

/// An access to a global tensor.
struct Access {
    stmt: StmtId,
    operand: usize,
    global: GlobalId,
    axes: usize,
}

/// A way to read the extents of a tensor: by axis.
type Shape = Vec<Option<Same>>;

/// Proves it.
pub(super) fn prove(subject: &Subject) -> Proof {
    let accesses = accesses(subject);
    if let Some(unknown) = accesses.iter().find(|access| access.axes == 0) {
        let because = "the rank of a tensor is not known";
        return Proof::open_at(because, subject.span(unknown.stmt));
    }
    let (outcome, under) = weakest(subject.program, |positive| {
        let outcome = attempt(subject, &accesses, positive);
        (outcome.is_ok(), outcome)
    });
    match outcome {
        Err(access) => {
            let name = &subject.program.global(access.global).name;
            let because = format!("an access may leave `{name}`");
            Proof::open_at(because, subject.span(access.stmt))
        }
        Ok(shapes) => match Proof::holds_under(subject.program, &under) {
            Proof::Holds { under, .. } => Proof::Holds {
                under,
                assuming: shapes,
            },
            open => open,
        },
    }
}

fn accesses(subject: &Subject) -> Vec<Access> {
    let mut found = Vec::new();
    for (stmt, instr) in subject.program.instructions() {
        for (operand, _, view) in instr.operands() {
            if let Some(view) = View::global(view) {
                found.push(Access {
                    stmt: stmt.id,
                    operand,
                    global: view.global,
                    axes: view.axes.len(),
                });
            }
        }
    }
    found
}

/// The shapes under which all accesses stay inside, as they are printed, or one that may not.
fn attempt<'a>(
    subject: &Subject,
    accesses: &'a [Access],
    positive: &[VariableId],
) -> Result<Vec<String>, &'a Access> {
    let program = subject.program;
    let wanted: FxHashSet<StmtId> = accesses.iter().map(|access| access.stmt).collect();
    let places = Places::of(
        program,
        subject.analysis,
        subject.structure,
        positive,
        &wanted,
    );
    let apart = Apart::new(&places);
    let mut texts = Vec::new();
    for global in (0..program.globals.len() as u32).map(GlobalId) {
        let own: Vec<&Access> = accesses
            .iter()
            .filter(|access| access.global == global)
            .collect();
        let Some(first) = own.first() else { continue };
        let mut shape: Shape = Vec::new();
        for axis in 0..first.axes {
            let choices = choices(subject, global, axis);
            let holds = |same: &Option<Same>| {
                own.iter().all(|access| {
                    let same = same.and_then(|same| extent(&places, same));
                    apart.is_inside((access.stmt, access.operand), axis, same.as_ref())
                })
            };
            shape.push(*choices.iter().find(|same| holds(same)).ok_or(*first)?);
        }
        texts.extend(text(subject, global, &shape));
    }
    Ok(texts)
}

fn extent(places: &Places, same: Same) -> Option<Linear> {
    match same {
        Same::Number(number) => Some(Linear::constant(number)),
        Same::Parameter(id) => places.parameter(id),
    }
}

/// What an extent may be taken for: nothing in particular, then what all launches in sight say.
fn choices(subject: &Subject, global: GlobalId, axis: usize) -> Vec<Option<Same>> {
    let mut choices = vec![None];
    let is_parameter = subject.program.global(global).kind == GlobalKind::Param;
    if !is_parameter || subject.launches.is_empty() {
        return choices;
    }
    let extents: Vec<Option<i64>> = subject
        .launches
        .iter()
        .map(|bound| bound.globals[global.index()].shape.get(axis).copied())
        .collect();
    for id in sizes(subject.program) {
        let value = |bound: &&crate::machine::BoundLaunch| {
            let found = bound.parameters.iter().find(|(other, _)| *other == id)?;
            match found.1 {
                Value::Int(value) => Some(value),
                _ => None,
            }
        };
        let values = subject.launches.iter().map(value);
        if values
            .zip(&extents)
            .all(|(value, extent)| value.is_some() && value == *extent)
        {
            choices.push(Some(Same::Parameter(id)));
        }
    }
    if let Some(&Some(number)) = extents.first()
        && extents.iter().all(|extent| *extent == Some(number))
    {
        choices.push(Some(Same::Number(number)));
    }
    choices
}

/// `x is [M, 64]`; nothing where no extent is taken for anything.
fn text(subject: &Subject, global: GlobalId, shape: &Shape) -> Option<String> {
    let program = subject.program;
    shape.iter().flatten().next()?;
    let extent = |same: &Option<Same>| match same {
        Some(Same::Parameter(id)) => program.variable(*id).name.clone(),
        Some(Same::Number(number)) => number.to_string(),
        None => "?".to_owned(),
    };
    let extents: Vec<String> = shape.iter().map(extent).collect();
    Some(format!(
        "{} is [{}]",
        program.global(global).name,
        extents.join(", ")
    ))
}

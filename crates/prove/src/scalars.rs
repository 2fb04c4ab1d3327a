//! No division by zero, and no integer leaves its type.

use super::precondition::Reached;
use super::{Assumption, Precondition, Proof, Size, Subject, span};
use a2lint_analysis::{Interval, Limits, Reach, Stray, StrayKind, largest, reaches, stray};
use a2lint_ir::arithmetic::limits;
use a2lint_ir::{GlobalId, StmtId, VariableId, View};
use a2lint_isa::{DType, param};

/// What the largest value of an int has bits for.
const MOST_BITS: u32 = 31;
/// Limits with fewer bits are no use to anybody.
const LEAST_BITS: u32 = 8;

/// Most conditions on several parameters; more say less than one limit for all.
const MOST_REACHES: usize = 3;

/// Proves it, for parameters as large as possible.
pub(super) fn prove(subject: &Subject) -> Proof {
    let reads = match reads(subject) {
        Ok(reads) => reads,
        Err((because, at)) => return Proof::open_at(because, span(subject.program, at)),
    };
    match computes(subject) {
        Proof::Holds {
            under,
            mut assuming,
        } => {
            assuming.extend(reads);
            Proof::Holds { under, assuming }
        }
        open @ Proof::Open { .. } => open,
    }
}

/// That variables hold every element that is read into them; what is assumed for that.
fn reads(subject: &Subject) -> Result<Option<Assumption>, (String, StmtId)> {
    let program = subject.program;
    let mut is_assumed = false;
    for (stmt, instr) in program.instructions() {
        let view = instr.view(param!(GetValueFrom.view));
        let (Some(variable), Some(view)) = (instr.reads_into(), view) else {
            continue;
        };
        let into = program.variable(variable);
        let Some(dtype) = into.dtype.filter(|dtype| !dtype.is_float()) else {
            continue;
        };
        let types: Vec<DType> = match view {
            View::Local(view) => vec![view.dtype],
            View::Global(view) => global_types(subject, view.global),
        };
        is_assumed |= types.is_empty();
        let (least, most) = limits(dtype);
        let fits = |from: &DType| {
            let (min, max) = limits(*from);
            !from.is_float() && least <= min && max <= most
        };
        if let Some(from) = types.iter().find(|from| !fits(from)) {
            let because = format!(
                "an element of type {from} is read into `{}`, whose type is {dtype}",
                into.name
            );
            return Err((because, stmt.id));
        }
    }
    let text = "tensors have the types of the variables that their elements are read into";
    Ok(is_assumed.then(|| Assumption::other(text)))
}

/// The types that a tensor has: as declared, or in the launches in sight; none where nobody says.
fn global_types(subject: &Subject, global: GlobalId) -> Vec<DType> {
    match subject.program.global(global).dtype {
        Some(dtype) => vec![dtype],
        None => {
            let launches = subject.launches.iter();
            launches
                .map(|bound| bound.globals[global.index()].dtype)
                .collect()
        }
    }
}

/// That nothing that is computed goes wrong.
fn computes(subject: &Subject) -> Proof {
    let program = subject.program;
    let Some(found) = stray(program, None) else {
        return Proof::holds();
    };
    if let Some(proof) = by_growth(subject) {
        return proof;
    }
    if let Some(limits) = widest(subject) {
        let sizes = subject.sizes().into_iter();
        let under = sizes.map(|id| {
            let limit = limits.sizes.iter().find(|(other, _)| *other == id);
            Size::new(program, id, limit.map(|(_, most)| *most)).into()
        });
        return Proof::Holds {
            under: under.collect(),
            assuming: vec![extents_up_to(limits.extents)],
        };
    }
    let found = stray(program, Some(&Limits::all(program, limit(LEAST_BITS)))).unwrap_or(found);
    let Stray { stmt, kind } = found;
    let because = match kind {
        StrayKind::DivisionByZero => "a divisor may be 0".to_owned(),
        StrayKind::Overflow(range, dtype) => overflow(range, dtype),
    };
    Proof::open_at(because, span(program, stmt))
}

/// What is assumed of extents, which nothing else bounds.
fn extents_up_to(most: i64) -> Assumption {
    Assumption::other(format!("no extent of a tensor is above {most}"))
}

/// By how large numbers get together: a product of two sizes bounds neither of them.
fn by_growth(subject: &Subject) -> Option<Proof> {
    let program = subject.program;
    let extents = limit(MOST_BITS);
    let reaches = reaches(program, extents)?;
    let is_several = |reach: &&Reach| reach.growth.as_limit(reach.most).is_none();
    if reaches.iter().filter(is_several).count() > MOST_REACHES {
        return None;
    }
    let limits: Vec<(VariableId, i64)> = reaches
        .iter()
        .filter_map(|reach| reach.growth.as_limit(reach.most))
        .collect();
    let sizes = subject.sizes().into_iter().map(|id| {
        let own = limits.iter().filter(|limit| limit.0 == id);
        Size::new(program, id, own.map(|limit| limit.1).min()).into()
    });
    let several = reaches
        .into_iter()
        .filter(|reach| reach.growth.as_limit(reach.most).is_none())
        .map(|reach| Precondition::Reach(Reached::new(program, reach)));
    Some(Proof::Holds {
        under: sizes.chain(several).collect(),
        assuming: vec![extents_up_to(extents)],
    })
}

/// Limits within which nothing goes wrong: the largest that all numbers may have, and beyond it those numbers that
/// matter less.
fn widest(subject: &Subject) -> Option<Limits> {
    let program = subject.program;
    let holds = |limits: &Limits| stray(program, Some(limits)).is_none();
    let all = |bits: u32| Limits::all(program, limit(bits));
    if holds(&all(MOST_BITS)) {
        return Some(all(MOST_BITS));
    }
    let steps = i64::from(MOST_BITS - LEAST_BITS);
    let bits = |step: i64| LEAST_BITS - 1 + step as u32;
    let mut limits = all(bits(largest(steps, &[], |step| holds(&all(bits(step))))?));
    let extents = Limits {
        extents: limit(MOST_BITS),
        ..limits.clone()
    };
    if holds(&extents) {
        limits = extents;
    }
    for at in 0..limits.sizes.len() {
        let mut wider = limits.clone();
        wider.sizes[at].1 = limit(MOST_BITS);
        if holds(&wider) {
            limits = wider;
        }
    }
    Some(limits)
}

/// The largest number of so many bits.
fn limit(bits: u32) -> i64 {
    (1_i64 << bits) - 1
}

/// How far an integer may go.
fn overflow(range: Interval, dtype: DType) -> String {
    let end = match (range.min, range.max) {
        (_, i64::MAX) => "as large as you like".to_owned(),
        (i64::MIN, _) => "as small as you like".to_owned(),
        (min, max) => format!("{min} to {max}"),
    };
    format!("an integer of type {dtype} may be {end}")
}

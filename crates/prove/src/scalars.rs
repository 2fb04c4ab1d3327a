//! Proves that no divisor is zero, that integers stay inside of their types, and that every number that is read has
//! been set.

use super::precondition::Reached;
use super::{Assumption, Precondition, Proof, Size, Subject};
use a2lint_analysis::{
    Given, Interval, Limits, Reach, ScalarFault, ScalarFaultKind, Unset, largest, positive,
    reaches, scalar_fault, unset,
};
use a2lint_ir::arithmetic::limits;
use a2lint_ir::{GlobalId, Program, StmtId, View};
use a2lint_isa::{DType, param};

/// Number of bits of the largest int32.
const MOST_BITS: u32 = 31;
/// Smallest number of bits of a limit on sizes. A smaller limit would exclude every useful launch.
const LEAST_BITS: u32 = 8;

/// Upper bound on the conditions on several parameters. Instead of more, one limit for all sizes is used.
const MOST_REACHES: usize = 3;

/// Proves the property, with limits on parameters that are as large as possible.
pub(super) fn prove(subject: &Subject) -> Proof {
    if let Some(Unset { stmt, variable }) = unset(subject.program) {
        let because = subject.program.variable(variable).without_value(false);
        return Proof::open_at(because, subject.span(stmt));
    }
    let reads = match reads(subject) {
        Ok(reads) => reads,
        Err((because, at)) => return Proof::open_at(because, subject.span(at)),
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

/// Proves that variables can hold every element that is read into them, and returns the assumption of that proof; `Err`
/// gives the reason why that is not shown, and the statement.
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

/// Returns the types that a tensor may have: as declared, or as in the known launches; empty if unknown.
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

/// Proves that no computation overflows or divides by zero.
fn computes(subject: &Subject) -> Proof {
    let program = subject.program;
    let Some(found) = scalar_fault(program, None) else {
        return Proof::holds();
    };
    // The second attempt halves the bound on extents, which leaves room for constants added to them.
    let mut extents = [MOST_BITS, MOST_BITS - 1].into_iter();
    let proof = extents.find_map(|bits| by_growth(subject, limit(bits)));
    // Limits on polynomials exclude fewer launches than a limit on each size, so they come first.
    if let Some(proof) = proof.or_else(|| by_limits(subject)) {
        return proof;
    }
    // Under small limits, what remains is a more specific reason than an unbounded range.
    let found =
        scalar_fault(program, Some(&Limits::all(program, limit(LEAST_BITS)))).unwrap_or(found);
    let ScalarFault { stmt, kind } = found;
    let because = match kind {
        ScalarFaultKind::DivisionByZero => "a divisor may be 0".to_owned(),
        ScalarFaultKind::Index(range, length) => {
            let most = length.min;
            format!(
                "an index of an array of {most} elements may be {}",
                ends(range)
            )
        }
        ScalarFaultKind::Multiple(size) => {
            format!("a number of bytes may be no multiple of the {size} of an element")
        }
        ScalarFaultKind::Overflow(range, dtype) => overflow(range, dtype),
    };
    Proof::open_at(because, subject.span(stmt))
}

/// Returns the assumption about extents, which nothing else bounds.
fn extents_up_to(most: i64) -> Assumption {
    Assumption::other(format!("no extent of a tensor is above {most}"))
}

/// Proves the property with limits on polynomials: a product of two sizes bounds neither of them alone.
fn by_growth(subject: &Subject, extents: i64) -> Option<Proof> {
    let program = subject.program;
    let mut given = positive(program, i64::MAX);
    let reached = reaches(program, &given, extents)?;
    let is_several = |reach: &&Reach| reach.growth.as_limit(reach.most).is_none();
    if reached.iter().filter(is_several).count() > MOST_REACHES {
        return None;
    }
    // As in `by_limits`: a precondition that few launches satisfy is useless.
    let limits = || reached.iter().filter_map(|it| it.growth.as_limit(it.most));
    if limits().any(|(_, most)| most < limit(LEAST_BITS)) {
        return None;
    }
    // A lower minimum is accepted only if it costs no other limit.
    lower(&mut given, |given| {
        reaches(program, given, extents).as_ref() == Some(&reached)
    });
    for (id, most) in limits() {
        let own = given.iter_mut().filter(|given| given.parameter == id);
        own.for_each(|given| given.range.max = given.range.max.min(most));
    }
    let several = reached
        .into_iter()
        .filter(|reach| reach.growth.as_limit(reach.most).is_none())
        .map(|reach| Precondition::Reach(Reached::new(program, reach)));
    Some(Proof::Holds {
        under: asked(program, &given)
            .map(Precondition::from)
            .chain(several)
            .collect(),
        assuming: vec![extents_up_to(extents)],
    })
}

/// Proves the property with a limit on each size.
fn by_limits(subject: &Subject) -> Option<Proof> {
    let program = subject.program;
    let Limits { mut sizes, extents } = widest(subject)?;
    lower(&mut sizes, |sizes| {
        let limits = Limits {
            sizes: sizes.to_vec(),
            extents,
        };
        scalar_fault(program, Some(&limits)).is_none()
    });
    // Intervals know no relation between sizes, so these limits say nothing about the kernel.
    let under = asked(program, &sizes).flat_map(Precondition::shown);
    Some(Proof::Holds {
        under: under.collect(),
        assuming: vec![extents_up_to(extents)],
    })
}

/// Returns the preconditions on parameters, without those that allow any value.
fn asked(program: &Program, given: &[Given]) -> impl Iterator<Item = Size> {
    given.iter().filter_map(|given| {
        let most = given.range.most();
        let size = Size {
            least: given.range.min,
            ..Size::new(program, given.parameter, most)
        };
        let is_any = size.least == i64::MIN && size.most.is_none();
        (!is_any).then_some(size)
    })
}

/// Lowers the minimum of parameters below 1 where the proof still holds: of all together if possible, otherwise one
/// parameter at a time.
fn lower(given: &mut [Given], holds: impl Fn(&[Given]) -> bool) {
    let mut tried = given.to_vec();
    tried.iter_mut().for_each(|it| it.range.min = i64::MIN);
    if holds(&tried) {
        given.copy_from_slice(&tried);
        return;
    }
    for at in 0..given.len() {
        for least in [i64::MIN, 0] {
            let before = std::mem::replace(&mut given[at].range.min, least);
            if holds(given) {
                break;
            }
            given[at].range.min = before;
        }
    }
}

/// Returns the widest limits under which the property holds: one for all sizes, raised for each size that allows
/// it.
fn widest(subject: &Subject) -> Option<Limits> {
    let program = subject.program;
    let holds = |limits: &Limits| scalar_fault(program, Some(limits)).is_none();
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
        wider.sizes[at].range.max = limit(MOST_BITS);
        if holds(&wider) {
            limits = wider;
        }
    }
    Some(limits)
}

/// Returns the largest number of `bits` bits.
fn limit(bits: u32) -> i64 {
    (1_i64 << bits) - 1
}

/// Formats how far an integer may go.
fn overflow(range: Interval, dtype: DType) -> String {
    format!("an integer of type {dtype} may be {}", ends(range))
}

/// Formats the ends of a range, after "may be".
fn ends(range: Interval) -> String {
    match (range.min, range.max) {
        (_, i64::MAX) => "arbitrarily large".to_owned(),
        (i64::MIN, _) => "arbitrarily small".to_owned(),
        (min, max) => format!("{min} to {max}"),
    }
}

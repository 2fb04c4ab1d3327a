//! Tries open properties again for launches that keep some sums of parameters from being negative.
//!
//! Kernels rely on relations between the numbers that the host computes: the last tile is no longer than the others,
//! the small share of two is no larger than the other. Where a proof of operands or scalars fails, the search for upper
//! bounds says which sum of numbers of the launch would have to be at least 0; ownership asks that each share has a
//! core. Under that demand the proof is tried again, and the demand becomes a precondition.

use super::{Extents, Precondition, Proof, Proofs, Size, Subject, operands, ownership};
use a2lint_analysis::{Factor, KernelFacts, Sum, demands_of_scalars};
use a2lint_ir::VariableId;
use a2lint_ir::verdict::Property;

/// Maximum number of rounds: a proof that gets further may find another demand.
const ROUNDS: usize = 3;
/// Maximum number of demands on the launches of a kernel.
const MOST: usize = 8;
/// Maximum number of instructions of a kernel for which demands are searched: each round analyses the kernel again.
const MOST_INSTRUCTIONS: usize = 80;
/// The properties that are tried again, in this order.
const TRIED: [Property; 5] = [
    Property::Scalars,
    Property::Operands,
    Property::Ownership,
    Property::Order,
    Property::Bounds,
];

/// A demand, and the property whose proof asks for it.
struct Demand {
    sum: Sum,
    of: Property,
}

/// Tries open properties again under demands that they ask for.
pub(super) fn add(subject: &Subject, proofs: &mut Proofs) {
    if subject.program.instructions().len() > MOST_INSTRUCTIONS {
        return;
    }
    let mut demands: Vec<Demand> = Vec::new();
    for _ in 0..ROUNDS {
        let program = subject.program.demanding(demands.iter().map(|it| &it.sum));
        let facts = KernelFacts::of(&program);
        let found = wanted(&Subject::new(&facts, subject.launches.clone()), proofs);
        let is_new = |demand: &Demand| {
            let same = |it: &Demand| (it.of, &it.sum) == (demand.of, &demand.sum);
            let condition = Precondition::demand(subject.program, &demand.sum);
            let mut launches = subject.launches.iter();
            !demands.iter().any(same) && launches.all(|launch| condition.holds_in(launch))
        };
        let found: Vec<Demand> = found.into_iter().filter(is_new).collect();
        if found.is_empty() || demands.len() + found.len() > MOST * TRIED.len() {
            return;
        }
        demands.extend(found);
        for property in TRIED {
            if is_open(proofs, property) {
                attempt(subject, proofs, property, &demands);
            }
        }
        if is_open(proofs, Property::Initialised) {
            attempt(subject, proofs, Property::Initialised, &demands);
        }
    }
}

fn is_open(proofs: &Proofs, property: Property) -> bool {
    matches!(proofs.get(property), Proof::Open { .. })
}

/// Returns what the proofs of open properties ask of launches.
fn wanted(subject: &Subject, proofs: &Proofs) -> Vec<Demand> {
    let mut found: Vec<Demand> = Vec::new();
    let mut add = |of: Property, sums: Vec<Sum>| {
        found.extend(sums.into_iter().map(|sum| Demand { sum, of }));
    };
    if is_open(proofs, Property::Scalars) {
        add(Property::Scalars, demands_of_scalars(subject.program));
    }
    if is_open(proofs, Property::Operands) {
        add(Property::Operands, operands::demands(subject));
    }
    if is_open(proofs, Property::Ownership) {
        add(Property::Ownership, ownership::demands(subject));
    }
    found
}

/// Proves a property under the demands that it asks for, and those of scalars, by which numbers stay inside of their
/// types. A property that asks for none is tried under those of the properties that hold with them.
fn attempt(subject: &Subject, proofs: &mut Proofs, property: Property, demands: &[Demand]) {
    let asks = demands.iter().any(|it| it.of == property);
    let is_known = |it: &Demand| !asks && !is_open(proofs, it.of);
    let is_own = |it: &&Demand| is_known(it) || [property, Property::Scalars].contains(&it.of);
    let own = demands.iter().filter(is_own).map(|it| &it.sum);
    let program = subject.program.demanding(own);
    if program.demands.is_empty() || program.demands.len() > MOST {
        return;
    }
    let facts = KernelFacts::of(&program);
    let with = subject.demanding(&facts);
    let proof = match property {
        Property::Initialised => with.prove_initialised(proofs),
        other => with.prove(other),
    };
    let Proof::Holds {
        mut under,
        assuming,
    } = proof
    else {
        return;
    };
    let conditions = program.demands.iter();
    under.extend(conditions.map(|sum| Precondition::demand(subject.program, sum)));
    // Under conditions that no launch satisfies, everything would hold.
    if satisfied(&under).is_some() {
        proofs.0[property as usize] = Proof::Holds { under, assuming };
    }
}

/// Values that parameters of a launch are tried with.
const VALUES: [i64; 14] = [1, 2, 3, 4, 7, 8, 16, 32, 64, 128, 256, 1024, 4096, 65536];
/// Maximum number of changes of a launch that come closer to the conditions.
const STEPS: usize = 64;

/// The number of cores and of lanes of the launches that are tried.
const WORKERS: i64 = 2;

/// Returns parameters of a launch that satisfies the conditions on numbers, with their values; `None` if none is found.
/// One number is changed at a time such that the sums come closer to what is asked of them.
fn satisfied(under: &[Precondition]) -> Option<Vec<(VariableId, i64)>> {
    let sums: Vec<&Sum> = under.iter().filter_map(Precondition::sum).collect();
    let sizes: Vec<&Size> = under.iter().filter_map(Precondition::size).collect();
    satisfying(&sums, &sizes)
}

/// Returns the value of a sum in a launch in which all demands hold, if such a launch is found, and else for usual
/// numbers.
pub(super) fn value(demands: &[Sum], sum: &Sum) -> Option<i64> {
    let sums: Vec<&Sum> = demands.iter().collect();
    let values = satisfying(&sums, &[]).unwrap_or_default();
    sum.evaluated(|factor| match factor {
        Factor::Parameter(id) => {
            let known = values.iter().find(|it| it.0 == id);
            Some(known.map_or(1000 + 17 * i64::from(id.0), |it| it.1))
        }
        Factor::Workers(_) => Some(WORKERS),
    })
}

fn satisfying(sums: &[&Sum], sizes: &[&Size]) -> Option<Vec<(VariableId, i64)>> {
    let mut ids: Vec<VariableId> = Vec::new();
    for factor in sums.iter().copied().flat_map(Sum::factors) {
        if let Factor::Parameter(id) = factor
            && !ids.contains(id)
        {
            ids.push(*id);
        }
    }
    let values = |id: VariableId| {
        let own: Vec<_> = sizes.iter().filter(|it| it.parameter == id).collect();
        let limits = own.iter().flat_map(|size| [Some(size.least), size.most]);
        let all = VALUES.into_iter().chain(limits.flatten());
        let fits = |value: &i64| *value > 0 && own.iter().all(|size| size.holds_of(*value));
        all.filter(fits).collect::<Vec<i64>>()
    };
    let domains: Vec<Vec<i64>> = ids.iter().map(|&id| values(id)).collect();
    let first = domains.iter().map(|values| values.first().copied());
    let mut now = first.collect::<Option<Vec<i64>>>()?;
    let missing = |now: &[i64]| {
        let value = |factor: Factor| match factor {
            Factor::Parameter(id) => ids.iter().position(|it| *it == id).map(|at| now[at]),
            Factor::Workers(_) => Some(WORKERS),
        };
        sums.iter().fold(0_i64, |missing, sum| {
            let room = sum.evaluated(value).unwrap_or(i64::MIN / 4);
            missing.saturating_add(room.min(0).saturating_neg())
        })
    };
    for _ in 0..STEPS {
        let best = missing(&now);
        if best == 0 {
            return Some(ids.into_iter().zip(now).collect());
        }
        let changes = domains.iter().enumerate().flat_map(|(at, values)| {
            let changed = |&value: &i64| {
                let mut next = now.clone();
                next[at] = value;
                next
            };
            values.iter().map(changed).collect::<Vec<_>>()
        });
        match changes.min_by_key(|next| missing(next)) {
            Some(next) if missing(&next) < best => now = next,
            _ => return None,
        }
    }
    None
}

/// Returns whether an upper limit contradicts a lower limit on the same length: in every sampled launch and, where
/// conditions relate numbers to each other, in one that satisfies them.
pub(super) fn contradicts(most: &Extents, least: &Extents, under: &[Precondition]) -> bool {
    if !most.contradicts(least) {
        return false;
    }
    let relates = under.iter().any(|it| it.sum().is_some());
    let found = relates.then(|| satisfied(under)).flatten();
    found.is_none_or(|values| {
        let value = |id: VariableId, _: &str| {
            let known = values.iter().find(|it| it.0 == id);
            Some(known.map_or(64, |it| it.1))
        };
        most.is_below(least, value, |_| Some(WORKERS))
    })
}

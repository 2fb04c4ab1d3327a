//! Tries open properties again for launches that keep some sums of parameters from being negative.
//!
//! Kernels rely on relations between the numbers that the host computes: the last tile is no longer than the others,
//! the small share of two is no larger than the other. Where a proof of operands or scalars fails, the search for upper
//! bounds says which sum of numbers of the launch would have to be at least 0; ownership asks that each share has a
//! core. Under that demand the proof is tried again, and the demand becomes a precondition.

use super::{Precondition, Proof, Proofs, Subject, operands, ownership};
use a2lint_analysis::{Factor, KernelFacts, Sum, demands_of_scalars};
use a2lint_ir::verdict::Property;
use a2lint_ir::{Program, VariableId};

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
    if is_satisfied(&program, &under) {
        proofs.0[property as usize] = Proof::Holds { under, assuming };
    }
}

/// Values that parameters of a launch are tried with.
const VALUES: [i64; 14] = [1, 2, 3, 4, 7, 8, 16, 32, 64, 128, 256, 1024, 4096, 65536];
/// Maximum number of changes of a launch that come closer to the conditions.
const STEPS: usize = 64;

/// Returns whether some launch satisfies the conditions on numbers: one is found by changing one number at a time such
/// that the demands come closer to being satisfied.
fn is_satisfied(program: &Program, under: &[Precondition]) -> bool {
    let mut ids: Vec<VariableId> = Vec::new();
    for factor in program.demands.iter().flat_map(Sum::factors) {
        if let Factor::Parameter(id) = factor
            && !ids.contains(id)
        {
            ids.push(*id);
        }
    }
    let sizes = under.iter().filter_map(Precondition::size);
    let sizes: Vec<_> = sizes.collect();
    let values = |id: VariableId| {
        let own = sizes.iter().filter(|size| size.parameter == id);
        let own: Vec<_> = own.collect();
        let limits = own.iter().flat_map(|size| [Some(size.least), size.most]);
        let all = VALUES.into_iter().chain(limits.flatten());
        let fits = |value: &i64| *value > 0 && own.iter().all(|size| size.holds_of(*value));
        all.filter(fits).collect::<Vec<i64>>()
    };
    let domains: Vec<Vec<i64>> = ids.iter().map(|&id| values(id)).collect();
    let Some(mut now) = domains
        .iter()
        .map(|values| values.first().copied())
        .collect::<Option<Vec<i64>>>()
    else {
        return false;
    };
    let missing = |now: &[i64]| {
        let value = |factor: Factor| match factor {
            Factor::Parameter(id) => ids.iter().position(|it| *it == id).map(|at| now[at]),
            Factor::Workers(_) => Some(2),
        };
        program.demands.iter().fold(0_i64, |missing, sum| {
            let room = sum.evaluated(value).unwrap_or(i64::MIN / 4);
            missing.saturating_add(room.min(0).saturating_neg())
        })
    };
    for _ in 0..STEPS {
        let best = missing(&now);
        if best == 0 {
            return true;
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
            _ => return false,
        }
    }
    false
}

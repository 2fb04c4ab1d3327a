//! Chooses numbers that satisfy a kernel's contract, as near as possible to wanted ones.

use a2lint_analysis::{Domain, Domains};
use a2lint_ir::contract::{Contract, Given};
use a2lint_ir::{ParamKind, Program};
use a2lint_machine::BoundLaunch;

/// Maximum number of assignments that one search tries; contracts of a few linear conditions need far fewer.
const MAX_TRIES: usize = 400;
/// Values tried on each side of the nearest one.
const NEIGHBOURS: i64 = 3;

/// Numbers by name.
pub type Numbers = Vec<(String, f64)>;

/// Returns the first part of the contract that a launch breaks, as a clause.
pub fn breach(program: &Program, bound: &BoundLaunch) -> Option<String> {
    if program.contract.is_empty() {
        return None;
    }
    let breaches = program.contract.breaches(&bound.given(program));
    let first = breaches.first()?;
    Some(format!("it breaks the contract: {}", first.clause()))
}

/// Returns why no numbers can satisfy the contract, as a clause; `None` if some may.
pub(super) fn obstacle(program: &Program) -> Option<String> {
    let contract = &program.contract;
    if contract.is_unclear {
        return Some("its contract cannot be read".to_owned());
    }
    let is_empty = !contract.is_empty() && Domains::of(contract).is_none();
    is_empty.then(|| "no launch satisfies its contract".to_owned())
}

/// Returns numbers that satisfy the contract, near the wanted ones. Fixed numbers do not change; of the others, earlier
/// ones change least. Names of the contract without a number get one near `size`. `None` if the search finds none
/// within [`MAX_TRIES`].
pub fn nearest(
    program: &Program,
    wanted: &Numbers,
    is_fixed: &dyn Fn(&str) -> bool,
    size: i64,
) -> Option<Numbers> {
    let contract = &program.contract;
    if contract.is_empty() {
        return Some(wanted.clone());
    }
    let mut domains = Domains::of(contract)?;
    let mut open: Vec<(String, i64)> = Vec::new();
    let in_contract = |name: &str| domains.names().any(|(known, _)| known == name);
    for (name, value) in wanted.iter().filter(|(name, _)| in_contract(name)) {
        // Contracts are conditions on integers; a fraction can satisfy none of them.
        if value.fract() != 0.0 {
            return None;
        }
        open.push((name.clone(), *value as i64));
    }
    for (name, _) in domains.names() {
        let is_known = open.iter().any(|(known, _)| known == name);
        if !is_known {
            open.push((name.to_owned(), size));
        }
    }
    let (fixed, open): (Vec<_>, Vec<_>) = open.into_iter().partition(|(name, _)| is_fixed(name));
    for (name, value) in &fixed {
        domains = domains.with(name, *value)?;
    }
    let mut search = Search {
        contract,
        open: &open,
        tries: MAX_TRIES,
        chosen: fixed,
    };
    if !search.from(0, &domains) {
        return None;
    }
    let chosen = search.chosen;
    let value = |name: &str| chosen.iter().find(|(known, _)| known == name);
    let mut found: Numbers = wanted.clone();
    for (name, number) in &mut found {
        *number = value(name).map_or(*number, |(_, value)| *value as f64);
    }
    let fresh = chosen
        .iter()
        .filter(|(name, _)| wanted.iter().all(|(known, _)| known != name));
    found.extend(fresh.map(|(name, value)| (name.clone(), *value as f64)));
    Some(found)
}

/// Returns the named extents that are no parameters: a launch fixes them by the shapes of its tensors.
pub(super) fn free_names(program: &Program) -> impl Iterator<Item = &str> {
    let is_param = |name: &str| {
        let mut params = program.params.iter();
        params.any(|param| param.name == name && matches!(param.kind, ParamKind::Variable(_)))
    };
    program
        .contract
        .extents()
        .filter(move |name| !is_param(name))
}

/// Returns whether the contract and these numbers together fix the shape of a tensor.
pub(super) fn gives_shape(program: &Program, tensor: &str, numbers: &Numbers) -> bool {
    let given = Given {
        numbers: numbers.clone(),
        tensors: Vec::new(),
    };
    let contract = &program.contract;
    let shape = contract.shape(tensor, |name| given.whole(contract, name));
    shape.is_some()
}

/// A depth-first search for numbers, one name after another.
struct Search<'c> {
    contract: &'c Contract,
    open: &'c [(String, i64)],
    tries: usize,
    chosen: Vec<(String, i64)>,
}

impl Search<'_> {
    fn from(&mut self, at: usize, domains: &Domains) -> bool {
        let Some((name, wanted)) = self.open.get(at) else {
            return self.is_inside();
        };
        for value in candidates(&domains.domain(name), *wanted) {
            let Some(tries) = self.tries.checked_sub(1) else {
                return false;
            };
            self.tries = tries;
            let Some(narrowed) = domains.with(name, value) else {
                continue;
            };
            self.chosen.push((name.clone(), value));
            if self.from(at + 1, &narrowed) {
                return true;
            }
            self.chosen.pop();
        }
        false
    }

    fn is_inside(&self) -> bool {
        let value = |name: &str| {
            let mut chosen = self.chosen.iter();
            chosen
                .find(|(known, _)| known == name)
                .map(|(_, value)| *value)
        };
        let mut conditions = self.contract.conditions.iter();
        conditions.all(|condition| condition.holds(value) == Some(true))
    }
}

/// Returns values of a domain to try: the one nearest to `wanted`, its neighbours, then the ends of the interval.
fn candidates(domain: &Domain, wanted: i64) -> Vec<i64> {
    if let Some(value) = domain.as_exact() {
        return vec![value];
    }
    // A size of 0 satisfies many contracts, but the kernel then executes nothing.
    let nearest = match wanted > 0 {
        true => domain.positive().nearest(wanted),
        false => domain.nearest(wanted),
    };
    let step = domain.class.modulus.max(1);
    let ends = [domain.interval.min, domain.interval.max];
    let around = (1..=NEIGHBOURS).flat_map(|times| {
        let gap = step.saturating_mul(times);
        [nearest.saturating_add(gap), nearest.saturating_sub(gap)]
    });
    let ends = ends
        .into_iter()
        .filter(|end| !matches!(*end, i64::MIN | i64::MAX));
    let mut all: Vec<i64> = Vec::new();
    for value in [nearest].into_iter().chain(around).chain(ends) {
        if domain.interval.contains(value) && !all.contains(&value) {
            all.push(value);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use a2lint_frontend::dsl::trace;
    use a2lint_source::text::SourceText;

    fn program(conditions: &str) -> Program {
        let text = format!(
            "from easyasc.a2 import *\n# a2lint: assume({conditions})\n@kernel()\n\
             def k(x: GMTensor, M: Var, N: Var, K: Var):\n    return x\n"
        );
        let mut module = trace(&SourceText::new(text));
        assert!(module.notes.is_empty(), "{:?}", module.notes);
        module.programs.remove(0)
    }

    #[test]
    fn the_nearest_numbers_inside_are_found() {
        for (conditions, expected) in [
            ("M >= 1", Some([100.0, 64.0, 7.0])),
            ("M % 64 == 0", Some([128.0, 64.0, 7.0])),
            ("M <= 50, N == M", Some([50.0, 50.0, 7.0])),
            ("N == 2 * M", Some([100.0, 200.0, 7.0])),
            ("M == 2 * N + 1", Some([101.0, 50.0, 7.0])),
            ("M != 100", Some([101.0, 64.0, 7.0])),
            ("M % 256 == 0, N % 200 == 0", Some([256.0, 200.0, 7.0])),
            ("K % 2 == 0", None),
            ("M + N <= 40, M % 8 == 0, N >= 30", Some([8.0, 32.0, 7.0])),
            ("M >= K, N >= M, N <= 30", Some([30.0, 30.0, 7.0])),
        ] {
            let program = program(conditions);
            let wanted = [("M", 100.0), ("N", 64.0), ("K", 7.0)];
            let wanted: Numbers = wanted.map(|(name, value)| (name.to_owned(), value)).into();
            let found = nearest(&program, &wanted, &|name| name == "K", 64);
            let found = found.map(|found| {
                let values: Vec<f64> = found.iter().map(|(_, value)| *value).collect();
                [values[0], values[1], values[2]]
            });
            assert_eq!(found, expected, "{conditions}");
        }
    }
}

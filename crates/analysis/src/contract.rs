//! The values that a contract admits for each of its names alone: an interval and a residue class.
//!
//! Conditions over several names narrow one by the bounds of the others, in a limited number of rounds. Every
//! launch that satisfies the contract lies inside of the domains, but not all values in them satisfy it.

use super::scalar::{Congruence, Interval};
use a2lint_ir::CompareOp;
use a2lint_ir::contract::{Condition, Contract, Form, Relation};

/// Maximum number of rounds over all conditions.
// Conditions such as `x < y` and `y < x` narrow each other by 1 in every round, practically without end.
const ROUNDS: usize = 12;
/// A bound of at least this absolute value counts as no bound.
const OPEN: i128 = i64::MAX as i128;

/// The values of every name of a contract.
#[derive(Clone, Debug, Default)]
pub struct Domains {
    names: Vec<(String, Domain)>,
    /// Forms that are not negative.
    bounds: Vec<Form>,
    /// Forms with a known remainder.
    residues: Vec<(Form, Congruence)>,
}

/// The values that one name can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    /// An interval that contains them.
    pub interval: Interval,
    /// A residue class that contains them.
    pub class: Congruence,
}

/// The error that no value satisfies a contract.
struct Empty;

impl Domain {
    const ANY: Domain = Domain {
        interval: Interval::ANY,
        class: Congruence::ANY,
    };

    /// Returns the value, if there is only one.
    pub fn as_exact(&self) -> Option<i64> {
        self.interval.as_exact()
    }

    fn meet(self, interval: Interval, class: Congruence) -> Result<Domain, Empty> {
        let class = self.class.meet(class).ok_or(Empty)?;
        let interval = self.interval.meet(interval).ok_or(Empty)?;
        let interval = class.tightened(interval).ok_or(Empty)?;
        let class = interval.as_exact().map_or(class, Congruence::exact);
        Ok(Domain { interval, class })
    }

    /// Returns its positive values, or itself if it has none.
    pub fn positive(self) -> Domain {
        self.meet(Interval::from(1), Congruence::ANY)
            .unwrap_or(self)
    }

    /// Returns its value nearest to a number.
    pub fn nearest(&self, wanted: i64) -> i64 {
        let wanted = wanted.clamp(self.interval.min, self.interval.max);
        self.class.nearest(wanted, self.interval)
    }
}

impl Domains {
    /// Returns the domains of a contract, or `None` if no launch satisfies it.
    pub fn of(contract: &Contract) -> Option<Domains> {
        let mut domains = Domains::default();
        for condition in &contract.conditions {
            domains.add(condition);
        }
        for extent in contract.tensors.iter().flat_map(|tensor| &tensor.extents) {
            domains.mention(extent);
            // Extents are not negative.
            domains.bounds.push(extent.clone());
        }
        domains.settle().is_ok().then_some(domains)
    }

    /// Returns the domain of a name.
    pub fn domain(&self, name: &str) -> Domain {
        let known = self.names.iter().find(|(known, _)| known == name);
        known.map_or(Domain::ANY, |(_, domain)| *domain)
    }

    /// Returns every name of the contract with its domain.
    pub fn names(&self) -> impl Iterator<Item = (&str, Domain)> {
        self.names
            .iter()
            .map(|(name, domain)| (name.as_str(), *domain))
    }

    /// Returns the forms over several names that are not negative.
    pub fn bounds(&self) -> impl Iterator<Item = &Form> {
        self.bounds.iter().filter(|form| form.terms.len() > 1)
    }

    /// Returns the domains with a value given for one name, or `None` if nothing satisfies them then.
    pub fn with(&self, name: &str, value: i64) -> Option<Domains> {
        let mut domains = self.clone();
        if let Some((_, domain)) = domains.names.iter_mut().find(|(known, _)| known == name) {
            let exact = Interval::exact(value);
            *domain = domain.meet(exact, Congruence::exact(value)).ok()?;
        }
        domains.settle().is_ok().then_some(domains)
    }

    fn mention(&mut self, form: &Form) {
        for name in form.names() {
            if self.names.iter().all(|(known, _)| known != name) {
                self.names.push((name.to_owned(), Domain::ANY));
            }
        }
    }

    fn add(&mut self, condition: &Condition) {
        self.mention(&condition.form);
        let form = &condition.form;
        let op = match condition.relation {
            Relation::Residue {
                modulus,
                remainder,
                holds,
            } => {
                if holds {
                    let class = match (0..modulus).contains(&remainder) {
                        true => Congruence::new(modulus, remainder),
                        // There is no such remainder: the condition becomes `-1 >= 0`, which nothing
                        // satisfies.
                        false => {
                            self.bounds.push(Form::number(-1));
                            return;
                        }
                    };
                    self.residues.push((form.clone(), class));
                }
                return;
            }
            Relation::Order(op) => op,
        };
        let negated = || Form::default().plus_times(form, -1);
        let less = |form: Option<Form>| form?.plus_times(&Form::number(1), -1);
        let bounds = match op {
            CompareOp::Ge => [Some(form.clone()), None],
            CompareOp::Gt => [less(Some(form.clone())), None],
            CompareOp::Le => [negated(), None],
            CompareOp::Lt => [less(negated()), None],
            CompareOp::Eq => {
                self.residues.push((form.clone(), Congruence::exact(0)));
                [Some(form.clone()), negated()]
            }
            CompareOp::Ne => [None, None],
        };
        self.bounds.extend(bounds.into_iter().flatten());
    }

    /// Narrows all names until nothing changes, or the rounds are used up.
    fn settle(&mut self) -> Result<(), Empty> {
        for _ in 0..ROUNDS {
            let before: Vec<Domain> = self.names.iter().map(|(_, domain)| *domain).collect();
            for at in 0..self.bounds.len() {
                let bound = self.bounds[at].clone();
                self.bounded(&bound)?;
            }
            for at in 0..self.residues.len() {
                let (form, class) = self.residues[at].clone();
                self.left_over(&form, class)?;
            }
            let mut now = self.names.iter().map(|(_, domain)| *domain);
            if before.iter().all(|before| now.next() == Some(*before)) {
                break;
            }
        }
        Ok(())
    }

    fn narrow(&mut self, name: &str, interval: Interval, class: Congruence) -> Result<(), Empty> {
        if let Some((_, domain)) = self.names.iter_mut().find(|(known, _)| known == name) {
            *domain = domain.meet(interval, class)?;
        }
        Ok(())
    }

    /// Narrows the names of a form that is not negative.
    fn bounded(&mut self, form: &Form) -> Result<(), Empty> {
        if form.terms.is_empty() && form.constant < 0 {
            return Err(Empty);
        }
        for (name, coefficient) in &form.terms {
            let others = form.terms.iter().filter(|(other, _)| other != name);
            // The sum of the other terms is at most this.
            let mut others = others.map(|(other, factor)| {
                let interval = self.domain(other).interval;
                let end = match *factor > 0 {
                    true => interval.max,
                    false => interval.min,
                };
                let is_open = end == i64::MAX || end == i64::MIN;
                (!is_open).then(|| i128::from(end) * i128::from(*factor))
            });
            let start = i128::from(form.constant);
            let most = others.try_fold(start, |sum, part| sum.checked_add(part?));
            let Some(most) = most.filter(|most| most.abs() < OPEN) else {
                continue;
            };
            // coefficient * name >= -most
            let coefficient = i128::from(*coefficient);
            let interval = match coefficient > 0 {
                true => {
                    let least = (-most).div_euclid(coefficient)
                        + i128::from((-most).rem_euclid(coefficient) != 0);
                    Interval::from(i64::try_from(least).unwrap_or(i64::MIN))
                }
                false => Interval {
                    min: i64::MIN,
                    max: i64::try_from(most.div_euclid(-coefficient)).unwrap_or(i64::MAX),
                },
            };
            self.narrow(name, interval, Congruence::ANY)?;
        }
        Ok(())
    }

    /// Narrows the names of a form that is in a residue class.
    fn left_over(&mut self, form: &Form, class: Congruence) -> Result<(), Empty> {
        for (name, coefficient) in &form.terms {
            let others = form.terms.iter().filter(|(other, _)| other != name);
            let start = Congruence::exact(form.constant);
            let sum = others.fold(start, |sum, (other, factor)| {
                sum.plus(self.domain(other).class.times(*factor))
            });
            // coefficient * name = class - sum
            let wanted = class.plus(sum.times(-1));
            let class = wanted.divided(*coefficient).ok_or(Empty)?;
            self.narrow(name, Interval::ANY, class)?;
        }
        if form.terms.is_empty() {
            let is_in = class.meet(Congruence::exact(form.constant)).is_some();
            return if is_in { Ok(()) } else { Err(Empty) };
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use a2lint_ir::contract::conditions;

    fn contract(text: &str) -> Contract {
        let parts = conditions(text).expect(text).expect(text);
        let condition = |part: a2lint_ir::contract::Part<(Form, Relation)>| Condition {
            text: text[part.range].to_owned(),
            span: Default::default(),
            form: part.parsed.0,
            relation: part.parsed.1,
        };
        Contract {
            conditions: parts.into_iter().map(condition).collect(),
            ..Contract::default()
        }
    }

    #[test]
    fn names_are_narrowed() {
        for (text, name, interval, class) in [
            ("(M >= 1)", "M", Interval::from(1), Congruence::ANY),
            (
                "(M >= 1, M % 64 == 0)",
                "M",
                Interval::from(64),
                Congruence::new(64, 0),
            ),
            (
                "(1 < M < 130, M % 64 == 3)",
                "M",
                Interval { min: 3, max: 67 },
                Congruence::new(64, 3),
            ),
            (
                "(N == 2 * M, 3 <= M <= 5)",
                "N",
                Interval { min: 6, max: 10 },
                Congruence::new(2, 0),
            ),
            (
                "(N == 2 * M + 1, N % 3 == 0)",
                "N",
                Interval::ANY,
                Congruence::new(6, 3),
            ),
            (
                "(2 * M == 8)",
                "M",
                Interval::exact(4),
                Congruence::exact(4),
            ),
            (
                "(3 * M % 8 == 1)",
                "M",
                Interval::ANY,
                Congruence::new(8, 3),
            ),
            (
                "(M <= N, N <= K, K <= 7)",
                "M",
                Interval {
                    min: i64::MIN,
                    max: 7,
                },
                Congruence::ANY,
            ),
            (
                "(M % 4 == 1, M % 6 == 3)",
                "M",
                Interval::ANY,
                Congruence::new(12, 9),
            ),
        ] {
            let domain = Domains::of(&contract(text)).expect(text).domain(name);
            assert_eq!(domain, Domain { interval, class }, "{text}");
        }
    }

    #[test]
    fn contradictions_are_detected() {
        for text in [
            "(M >= 5, M <= 3)",
            "(M % 4 == 1, M % 2 == 0)",
            "(2 * M == 7)",
            "(M == N, M >= 8, N < 8)",
            "(M % 4 == 4)",
            "(64 < M < 128, M % 64 == 0)",
            "(2 * M % 4 == 1)",
        ] {
            assert!(Domains::of(&contract(text)).is_none(), "{text}");
        }
        // What grows without end is given up, not followed.
        assert!(Domains::of(&contract("(M >= N + 1, N >= M + 1, M >= 0)")).is_some());
    }

    /// Every launch that satisfies a contract is inside of the domains.
    #[test]
    fn nothing_is_left_out() {
        let mut seed = 7_u64;
        let mut draw = |below: u64| {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 33) % below
        };
        let ops = ["==", "!=", "<", "<=", ">", ">="];
        let mut satisfied = 0;
        for _ in 0..400 {
            let parts = (0..1 + draw(3)).map(|_| {
                let mut number = || draw(9) as i64 - 4;
                let (a, b, c) = (number(), number().max(1), number());
                match draw(2) {
                    0 => format!("({a} * M + {b} * N) % {} == {}", 1 + draw(6), draw(3)),
                    _ => format!("{b} * M + {a} * N {} {c}", ops[draw(6) as usize]),
                }
            });
            let text = format!("({})", parts.collect::<Vec<_>>().join(", "));
            let Some(Ok(_)) = conditions(&text) else {
                continue;
            };
            let contract = contract(&text);
            let domains = Domains::of(&contract);
            for (m, n) in (-9..10).flat_map(|m| (-9..10).map(move |n| (m, n))) {
                let value = |name: &str| Some(if name == "M" { m } else { n });
                let mut conditions = contract.conditions.iter();
                if !conditions.all(|it| it.holds(value) == Some(true)) {
                    continue;
                }
                satisfied += 1;
                let domains = domains
                    .as_ref()
                    .unwrap_or_else(|| panic!("{text}: {m} {n}"));
                for (name, value) in [("M", m), ("N", n)] {
                    let domain = domains.domain(name);
                    let is_inside = domain.interval.contains(value) && domain.class.contains(value);
                    assert!(is_inside, "{text}: {name} = {value}, {domain:?}");
                }
            }
        }
        // Most random contracts have to be satisfiable, or the test shows nothing.
        assert!(satisfied > 1000, "{satisfied}");
    }
}

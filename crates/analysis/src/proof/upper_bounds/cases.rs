//! The cases that are told apart: the paths of branches, the order of two lanes, the operand that a maximum equals.

use super::{Atom, Known, Meaning, Poly, Relation, Symbol};

/// Maximum number of cases.
const MOST_CASES: usize = 128;

/// Maximum number of numbers of the launch that a case makes equal to others.
const MOST_EQUAL: usize = 2;

/// What holds in one case.
#[derive(Clone, Debug, Default)]
pub(super) struct Case {
    /// Polynomials that are not negative.
    pub facts: Vec<Poly>,
    /// Numbers that equal a polynomial of older numbers: the values of a path.
    values: Vec<(Atom, Poly)>,
}

impl Case {
    /// Creates a case in which some polynomials are not negative.
    pub fn of(facts: Vec<Poly>) -> Case {
        Case {
            facts,
            values: Vec::new(),
        }
    }

    /// Creates a case in which a number has a value.
    pub fn equal(number: Atom, value: Poly) -> Case {
        Case {
            facts: Vec::new(),
            values: vec![(number, value)],
        }
    }

    /// Returns what holds where two cases meet.
    fn and(&self, other: &Case) -> Case {
        Case {
            facts: self.facts.iter().chain(&other.facts).cloned().collect(),
            values: self.values.iter().chain(&other.values).cloned().collect(),
        }
    }

    /// Returns a polynomial with the values of the case in place of their numbers, as far as it does not get too large.
    pub fn valued(&self, number: &Poly) -> Poly {
        let mut valued = number.clone();
        // Values consist of older numbers, which may have values of their own.
        for (atom, value) in &self.values {
            if valued.has(*atom) {
                valued = valued.with_value(*atom, value).unwrap_or(valued);
            }
        }
        valued
    }
}

impl<'a> Known<'a> {
    /// Adds one case per path of a branch that assigns numbers: their values and the path's conditions. A branch nested
    /// in a path of another adds no conditions, since it may not have run.
    pub(super) fn either(&mut self, (join, copy): (u32, u8)) {
        if !self.joins.insert((join, copy)) {
            return;
        }
        let symbols = &self.places.symbols;
        let own: Vec<(Symbol, usize)> = symbols
            .all()
            .filter_map(|symbol| match symbols.meaning(symbol) {
                Meaning::Either(other, values) if *other == join => Some((symbol, values.len())),
                _ => None,
            })
            .collect();
        let paths = own.iter().map(|it| it.1).max().unwrap_or(0);
        // Expressions of values and conditions belong to one path.
        let is_nested = std::mem::replace(&mut self.is_on_path, true);
        let mut group: Vec<Case> = Vec::new();
        for path in 0..paths {
            let mut case = Case::default();
            for &(symbol, _) in &own {
                let Meaning::Either(_, values) = self.places.meaning(symbol).clone() else {
                    continue;
                };
                let Some((value, facts)) = values.get(path) else {
                    continue;
                };
                let atom = self.atom(symbol, copy);
                if !self.described.contains(&atom) {
                    if is_nested {
                        continue;
                    }
                    // Numbers that do not occur need no value.
                    let facts = facts.iter().map(|fact| self.poly(fact, copy));
                    case.facts.extend(facts.flatten().collect::<Vec<_>>());
                    continue;
                }
                let value = self.poly(value, copy);
                let gap = value
                    .as_ref()
                    .and_then(|value| value.plus_times(&Poly::atom(atom), -1));
                let (Some(value), Some(gap)) = (value, gap) else {
                    continue;
                };
                case.values.push((atom, value));
                case.facts.extend(Poly::default().plus_times(&gap, -1));
                case.facts.push(gap);
                if is_nested {
                    continue;
                }
                for fact in facts.iter() {
                    case.facts.extend(self.poly(fact, copy));
                }
            }
            group.push(case);
        }
        self.groups.push(group);
        self.is_on_path = is_nested;
    }

    /// Returns every combination of cases; `None` if there are too many.
    pub(super) fn cases(&self) -> Option<Vec<Case>> {
        let mut sizes = self.groups.iter().map(Vec::len);
        let number = sizes.try_fold(1_usize, |number, cases| number.checked_mul(cases))?;
        if number > MOST_CASES {
            return None;
        }
        let mut all: Vec<Case> = vec![Case::default()];
        for group in &self.groups {
            let joined = |known: &Case| group.iter().map(|case| known.and(case)).collect();
            all = all
                .iter()
                .flat_map(|known| -> Vec<Case> { joined(known) })
                .collect();
        }
        // The newest number first, so that each value is inserted where it occurs in newer ones, too.
        for case in &mut all {
            case.values.sort_by_key(|value| std::cmp::Reverse(value.0));
        }
        Some(all)
    }

    /// Returns what is known in one case. Numbers that it makes equal to others get their values in it.
    pub(super) fn in_case(&self, case: &mut Case) -> Known<'a> {
        let mut known = self.valued_in(case);
        for _ in 0..MOST_EQUAL {
            let Some(equal) = known.equality() else { break };
            case.values.push(equal);
            known = self.valued_in(case);
        }
        known
    }

    /// Returns a number that a launch gives and that facts make equal to a sum of other such numbers.
    fn equality(&self) -> Option<(Atom, Poly)> {
        let is_of_launch = |fact: &&Poly| {
            let is_linear = fact.terms().all(|(monomial, _)| monomial.len() < 2);
            is_linear && fact.atoms().all(|atom| atom.rank == 0)
        };
        self.facts.iter().filter(is_of_launch).find_map(|fact| {
            let negated = Poly::default().plus_times(fact, -1)?;
            if !self.facts.contains(&negated) {
                return None;
            }
            let mut terms = fact.terms();
            let atom = terms.find_map(|(monomial, by)| match monomial[..] {
                [atom] if by == 1 => Some(atom),
                _ => None,
            })?;
            Some((atom, Poly::atom(atom).plus_times(fact, -1)?))
        })
    }

    fn valued_in(&self, case: &Case) -> Known<'a> {
        let mut known = Known {
            least: self.least.clone(),
            most: self.most.clone(),
            ..Known::new(self.places, Relation::SameIteration)
        };
        for fact in self.facts.iter().chain(&case.facts) {
            known.add(case.valued(fact));
        }
        known
    }
}

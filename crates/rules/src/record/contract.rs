//! Compares the preconditions of proofs with the contract of the kernel.

use serde::{Deserialize, Serialize};

use a2lint_analysis::{Congruence, Domain, Domains, Interval};
use a2lint_ir::Program;
use a2lint_ir::contract::{Contract, Form};
use a2lint_ir::verdict::Property;
use a2lint_launches::nearest_in_contract;
use a2lint_prove::{Base, Extents, Least, Limit, Precondition, Proof, Proofs, Size};

/// Upper limits from here on come from the device; a contract does not have to repeat them.
const LARGE: i64 = 1 << 24;
/// Preferred value for the other names of an example launch.
const LENGTH: i64 = 64;

/// Preconditions that launches within the contract break.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContractGap {
    /// The preconditions.
    pub conditions: Vec<Precondition>,
    /// The numbers of a launch within the contract that breaks them; `None` if all launches do.
    pub launch: Option<Vec<(String, i64)>>,
}

/// The result of comparing the preconditions of a kernel with its contract.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// Preconditions that every launch within the contract satisfies.
    pub implied: Vec<Precondition>,
    /// Preconditions that some launch within the contract breaks.
    pub gaps: Vec<ContractGap>,
}

/// How the contract relates to one precondition.
enum Relation {
    /// The contract implies it.
    Implied,
    /// No launch satisfies both.
    Contradicted,
    /// A launch with these numbers satisfies the contract but not the precondition.
    BrokenBy(Vec<(String, i64)>),
    /// Unknown, or not comparable with a contract.
    Open,
}

impl Comparison {
    /// Compares all preconditions of a kernel; empty without a contract.
    pub(super) fn of(program: &Program, proofs: &Proofs) -> Comparison {
        let mut comparison = Comparison::default();
        let Some(reader) = Reader::of(program) else {
            return comparison;
        };
        let mut seen: Vec<&Precondition> = Vec::new();
        for property in Property::ALL {
            let Proof::Holds { under, .. } = proofs.get(property) else {
                continue;
            };
            for condition in under {
                if seen.contains(&condition) {
                    continue;
                }
                seen.push(condition);
                let launch = match reader.relation(condition) {
                    Relation::Implied => {
                        comparison.implied.push(condition.clone());
                        continue;
                    }
                    Relation::Open => continue,
                    Relation::Contradicted => None,
                    Relation::BrokenBy(launch) => Some(launch),
                };
                let known = comparison.gaps.iter_mut();
                let mut same = known.filter(|gap| gap.launch == launch && launch.is_some());
                match same.next() {
                    Some(gap) => gap.conditions.push(condition.clone()),
                    None => comparison.gaps.push(ContractGap {
                        conditions: vec![condition.clone()],
                        launch,
                    }),
                }
            }
        }
        comparison
    }
}

/// The domains that a contract gives to names.
struct Reader<'p> {
    program: &'p Program,
    /// The domain of each name by conditions and by extents of tensors.
    all: Domains,
    /// The domain of each name by conditions alone, without the fact that extents of tensors are never negative, which
    /// holds even if the contract does not say so.
    said: Domains,
}

impl<'p> Reader<'p> {
    fn of(program: &'p Program) -> Option<Reader<'p>> {
        let contract = &program.contract;
        if contract.is_empty() || contract.is_unclear {
            return None;
        }
        let conditions = Contract {
            tensors: Vec::new(),
            ..contract.clone()
        };
        Some(Reader {
            program,
            all: Domains::of(contract)?,
            said: Domains::of(&conditions)?,
        })
    }

    fn relation(&self, condition: &Precondition) -> Relation {
        match condition {
            Precondition::Size(size) => self.of_size(size),
            // A launch beyond it is not known to be wrong.
            Precondition::Shown(size) => match self.of_size(size) {
                Relation::Implied => Relation::Implied,
                _ => Relation::Open,
            },
            Precondition::Extents(extents) => self.of_extents(extents),
            Precondition::Reach(_) => self.of_reach(condition),
            // A proof asks for it because the contract does not imply it.
            Precondition::Demand(_) => Relation::Open,
            // Contracts have integer conditions only.
            Precondition::Float(_) | Precondition::OneLane(_) => Relation::Open,
        }
    }

    fn of_size(&self, size: &Size) -> Relation {
        let Domain { interval, class } = self.all.domain(&size.name);
        let asked = Interval {
            min: size.least,
            max: size.most.unwrap_or(i64::MAX),
        };
        let multiples = Congruence::new(size.multiple, 0);
        let common = class.meet(multiples).zip(interval.meet(asked));
        let common = common.and_then(|(class, interval)| class.tightened(interval));
        if common.is_none() {
            return Relation::Contradicted;
        }
        let said = self.said.domain(&size.name).interval;
        // A bound that every kernel needs does not have to be in the contract. The contract may only not
        // contradict it.
        let is_low =
            interval.min < size.least && (said.min != i64::MIN || size.least > 1 || size.is_switch);
        let is_high = size
            .most
            .is_some_and(|most| interval.max > most && (said.max != i64::MAX || most < LARGE));
        let is_odd = class.modulus % size.multiple != 0 || class.remainder % size.multiple != 0;
        let start = interval.min.max(size.least).max(1);
        let odd = (0..2).map(|step| start.saturating_add(class.modulus.max(1) * step + step));
        let low = is_low.then(|| size.least.saturating_sub(1)).into_iter();
        let high = is_high
            .then(|| size.most.unwrap_or(i64::MAX).saturating_add(1))
            .into_iter();
        let candidates = odd.filter(|_| is_odd && size.multiple > 1);
        let domain = Domain { interval, class };
        let mut candidates = low
            .chain(high)
            .chain(candidates)
            .map(|value| domain.nearest(value))
            .filter(|&value| !size.holds_of(value));
        let broken = candidates.find_map(|value| {
            let numbers = self.launch_with(&size.name, value)?;
            let own = numbers.iter().find(|(name, _)| *name == size.name);
            own.is_some_and(|(_, value)| !size.holds_of(*value))
                .then_some(numbers)
        });
        match broken {
            Some(numbers) => Relation::BrokenBy(numbers),
            None if is_low || is_high || (is_odd && size.multiple > 1) => Relation::Open,
            None => Relation::Implied,
        }
    }

    fn of_extents(&self, extents: &Extents) -> Relation {
        let Some(tensor) = self.program.contract.tensor(&extents.name) else {
            return Relation::Open;
        };
        let axes = extents.least.iter().zip(&tensor.extents);
        let asked = axes.filter_map(|(least, extent)| Some((least.as_ref()?, extent)));
        let mut is_implied = true;
        for (least, extent) in asked {
            let [shortest, longest] = self.gaps_of(least, extent);
            if extents.limit == Limit::AtMost {
                let is_longer =
                    shortest.is_some_and(|gap| self.least(&gap).is_some_and(|it| it > 0));
                if is_longer {
                    return Relation::Contradicted;
                }
                is_implied &= longest.is_some_and(|gap| self.most(&gap).is_some_and(|it| it <= 0));
                continue;
            }
            if shortest.is_some_and(|gap| self.least(&gap).is_some_and(|least| least >= 0)) {
                continue;
            }
            // A length beyond a number of the launch may be stronger than the kernel needs, so falling short of
            // it is no contradiction.
            let is_exact = least.base.is_none() || least.plus <= 0;
            let is_short = longest.is_some_and(|gap| self.most(&gap).is_some_and(|most| most < 0));
            if is_exact && is_short {
                return Relation::Contradicted;
            }
            is_implied = false;
            if let Some(numbers) = self.shorter(least, extent) {
                return Relation::BrokenBy(numbers);
            }
        }
        match is_implied {
            true => Relation::Implied,
            false => Relation::Open,
        }
    }

    /// Returns the smallest and largest difference between an axis and its required length; `None` if not linear.
    fn gaps_of(&self, least: &Least, extent: &Form) -> [Option<Form>; 2] {
        let (name, more) = match &least.base {
            None => (None, 0),
            Some(Base::Parameter(_, name)) => (Some(name), 0),
            Some(Base::Rounded(_, name, tile)) => {
                let class = self.all.domain(name).class;
                let is_whole = class.modulus % tile == 0 && class.remainder % tile == 0;
                (Some(name), if is_whole { 0 } else { tile - 1 })
            }
            Some(Base::Share(..) | Base::Sum(_)) => return [None, None],
        };
        let without = match name {
            Some(name) => extent.plus_times(&Form::name(name), -1),
            None => Some(extent.clone()),
        };
        [more, 0].map(|more| {
            let rest = without.as_ref()?;
            rest.plus_times(&Form::number(least.plus + more), -1)
        })
    }

    /// Returns the numbers of a launch within the contract for which an axis is shorter than required.
    fn shorter(&self, least: &Least, extent: &Form) -> Option<Vec<(String, i64)>> {
        let base = match &least.base {
            Some(Base::Parameter(_, name) | Base::Rounded(_, name, _)) => Some(name.as_str()),
            _ => None,
        };
        let names = base.into_iter().chain(extent.names());
        let mut tries = names.flat_map(|name| {
            let domain = self.all.domain(name).positive();
            let near = [1, 2, LENGTH + 1, least.plus - 1];
            near.map(|value| (name, domain.nearest(value)))
        });
        tries.find_map(|(name, value)| {
            let numbers = self.launch_with(name, value)?;
            let of = |wanted: &str| {
                let mut numbers = numbers.iter();
                numbers.find(|(name, _)| name == wanted).map(|it| it.1)
            };
            let needed = least.evaluated(|_, name| of(name), |_| None)?;
            let given = extent.value(of)?;
            (given < i128::from(needed)).then_some(numbers)
        })
    }

    fn of_reach(&self, condition: &Precondition) -> Relation {
        let end = |pick: fn(Interval) -> i64| {
            move |name: &str| Some(pick(self.said.domain(name).interval))
        };
        // A reach needs finite ends: an end that the contract does not give decides nothing.
        let is_finite = |pick: fn(Interval) -> i64| {
            let open = [i64::MIN, i64::MAX];
            let mut names = condition.parameters();
            names.all(|name| !open.contains(&pick(self.said.domain(name).interval)))
        };
        let (low, high) = (|it: Interval| it.min, |it: Interval| it.max);
        if is_finite(low) && condition.holds_of(end(low)) == Some(false) {
            return Relation::Contradicted;
        }
        match is_finite(high) && condition.holds_of(end(high)) == Some(true) {
            true => Relation::Implied,
            false => Relation::Open,
        }
    }

    /// Returns the smallest value of a form, if it is bounded below.
    fn least(&self, form: &Form) -> Option<i128> {
        self.end(form, |interval| interval.min, |interval| interval.max)
    }

    /// Returns the largest value of a form, if it is bounded above.
    fn most(&self, form: &Form) -> Option<i128> {
        self.end(form, |interval| interval.max, |interval| interval.min)
    }

    fn end(
        &self,
        form: &Form,
        rising: fn(Interval) -> i64,
        falling: fn(Interval) -> i64,
    ) -> Option<i128> {
        let mut sum = i128::from(form.constant);
        for (name, coefficient) in &form.terms {
            let interval = self.all.domain(name).interval;
            let end = match *coefficient > 0 {
                true => rising(interval),
                false => falling(interval),
            };
            if [i64::MIN, i64::MAX].contains(&end) {
                return None;
            }
            sum += i128::from(end) * i128::from(*coefficient);
        }
        Some(sum)
    }

    /// Returns the numbers of a launch within the contract that gives one name a value, for the names that the
    /// contract mentions.
    fn launch_with(&self, name: &str, value: i64) -> Option<Vec<(String, i64)>> {
        let mut wanted = vec![(name.to_owned(), value as f64)];
        let others = self.all.names().filter(|(other, _)| *other != name);
        wanted.extend(others.map(|(other, domain)| {
            let value = domain.positive().nearest(LENGTH);
            (other.to_owned(), value as f64)
        }));
        let found = nearest_in_contract(self.program, &wanted, &|it| it == name, LENGTH)?;
        let whole = found.into_iter().map(|(name, value)| (name, value as i64));
        Some(whole.collect())
    }
}

impl ContractGap {
    /// Formats the preconditions, separated by commas.
    pub fn text(&self) -> String {
        let together = Precondition::together(self.conditions.iter());
        let texts = together.iter().map(Precondition::to_string);
        texts.collect::<Vec<_>>().join(", ")
    }
}

/// Formats numbers: `M = 1, N = 64`.
pub fn number_list(numbers: &[(String, i64)]) -> String {
    let texts = numbers
        .iter()
        .map(|(name, value)| format!("{name} = {value}"));
    texts.collect::<Vec<_>>().join(", ")
}

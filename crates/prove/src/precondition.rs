//! Preconditions: what proofs require of a launch.

mod extents;
mod implied;
mod named_sum;

use std::fmt;

use serde::{Deserialize, Serialize};

use a2lint_analysis::{
    Congruence, Factor, Given, Interval, Polynomial, Reach, Sum, Workers, switches,
};
use a2lint_ir::arithmetic::limits;
use a2lint_ir::{Program, VariableId};
use a2lint_isa::DType;
use a2lint_machine::{BoundLaunch, Value};

pub use extents::{Base, Extents, Least, Limit};
pub use named_sum::NamedSum;

/// A condition on a launch under which a proof holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Precondition {
    /// On an integer parameter: `1 <= K <= 256, K % 8 == 0`.
    Size(Size),
    /// An upper limit on an integer parameter beyond which the proof shows nothing, although nothing suggests that the
    /// kernel needs it.
    Shown(Size),
    /// On the shape of a tensor: `x is at least [M, 64]`, `y is at most [M, 64]`.
    Extents(Extents),
    /// On several parameters: `128 * B * S + S <= 2147483647`.
    Reach(Reached),
    /// On several numbers: `tail <= tile`. The sum is not negative.
    Demand(NamedSum),
    /// On the types of parameters: `D: float`.
    Float(Floats),
    /// The launch has one core, or one vec lane: `block_dim == 1`.
    OneLane(Workers),
}

/// Upper limits from here on exclude no launch that fits the device.
const LARGE: i64 = 1 << 24;
/// Upper limits from here on are printed as "fits an int32 index". The margin below 2^31 is longer than any tile.
const INDEX: i64 = (1 << 31) - (1 << 18);

/// Parameters of which at least one has to be a float.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Floats {
    /// The parameters, with their names.
    names: Vec<(VariableId, String)>,
}

/// An upper limit on a polynomial in parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reached {
    growth: Polynomial,
    most: i64,
    /// The parameters in the polynomial, with their names.
    names: Vec<(VariableId, String)>,
}

/// A range and a divisor for an integer parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// The parameter.
    pub parameter: VariableId,
    /// The name of the parameter.
    pub name: String,
    /// Lower limit; `i64::MIN` if the type of the parameter is the only one.
    pub least: i64,
    /// Upper limit.
    pub most: Option<i64>,
    /// The value has to be a multiple of this.
    pub multiple: i64,
    /// Whether the parameter only decides branches, and no size or place.
    pub is_switch: bool,
}

impl From<Size> for Precondition {
    fn from(size: Size) -> Self {
        Precondition::Size(size)
    }
}

impl Precondition {
    /// Returns the precondition that a parameter is at least 1.
    pub(super) fn positive(program: &Program, parameter: VariableId) -> Precondition {
        Size::new(program, parameter, None).into()
    }

    pub(super) fn of(program: &Program, given: &Given) -> Precondition {
        let size = Size {
            least: given.range.min,
            multiple: given.class.modulus,
            ..Size::new(program, given.parameter, given.range.most())
        };
        size.into()
    }

    /// Returns the precondition that a sum is not negative, which has few terms, of which some are negative.
    pub(super) fn demand(program: &Program, sum: &Sum) -> Precondition {
        if let [(product, by @ ..0)] = &sum.terms[..]
            && let [Factor::Parameter(id)] = product[..]
        {
            let most = sum.constant.div_euclid(by.saturating_neg());
            let size = Size {
                least: i64::MIN,
                ..Size::new(program, id, Some(most))
            };
            return size.into();
        }
        Precondition::Demand(NamedSum::new(program, sum.clone()))
    }

    /// Merges preconditions into one for each parameter or tensor, and drops those that others imply.
    pub fn together<'a>(all: impl Iterator<Item = &'a Precondition>) -> Vec<Precondition> {
        let mut together: Vec<Precondition> = Vec::new();
        for one in all {
            if together.contains(one) {
                continue;
            }
            let joined = together.iter_mut().find_map(|known| {
                *known = known.meet(one)?;
                Some(())
            });
            if joined.is_none() {
                together.push(one.clone());
            }
        }
        implied::drop_implied(&mut together);
        let needed = together.clone();
        together.retain(|one| match one {
            Precondition::Shown(_) => !needed.iter().any(|it| it != one && it.implies(one)),
            _ => true,
        });
        together
    }

    /// Returns the conjunction of two preconditions, if one precondition can express it.
    fn meet(&self, other: &Precondition) -> Option<Precondition> {
        match (self, other) {
            (Precondition::Size(own), Precondition::Size(other)) => Some(own.meet(other)?.into()),
            (Precondition::Shown(own), Precondition::Shown(other)) => {
                own.meet(other).map(Precondition::Shown)
            }
            (Precondition::Extents(own), Precondition::Extents(other)) => {
                own.meet(other).map(Precondition::Extents)
            }
            _ => None,
        }
    }

    /// Returns the condition on a parameter, if it is one.
    pub fn size(&self) -> Option<&Size> {
        match self {
            Precondition::Size(size) => Some(size),
            _ => None,
        }
    }

    /// Returns the sum that is not negative, if it is on several numbers.
    pub(super) fn sum(&self) -> Option<&Sum> {
        match self {
            Precondition::Demand(sum) => Some(&sum.of),
            _ => None,
        }
    }

    /// Returns whether it is a limit of the proof, which the kernel is not known to need.
    pub(super) fn is_shown(&self) -> bool {
        matches!(self, Precondition::Shown(_))
    }

    /// Splits an upper limit that no computation of the kernel names from the rest of a condition.
    pub(super) fn shown(size: Size) -> Vec<Precondition> {
        let is_wide = size.most.is_none_or(|most| most >= LARGE);
        if is_wide {
            return vec![size.into()];
        }
        let limit = Size {
            least: i64::MIN,
            multiple: 1,
            ..size.clone()
        };
        let rest = Size { most: None, ..size };
        let is_any = rest.least == i64::MIN && rest.multiple == 1;
        let rest = (!is_any).then_some(Precondition::Size(rest));
        rest.into_iter()
            .chain([Precondition::Shown(limit)])
            .collect()
    }

    /// Returns the names of the parameters in a condition on several.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        let names = match self {
            Precondition::Reach(reached) => &reached.names[..],
            Precondition::Demand(sum) => &sum.names[..],
            _ => &[],
        };
        names.iter().map(|(_, name)| name.as_str())
    }

    /// Formats the part that excludes launches which a user would ask for: `N % 64 == 0`.
    pub fn restriction(&self) -> String {
        match self {
            Precondition::Size(size) => size.restriction(),
            others => others.to_string(),
        }
    }

    /// Returns the condition on a tensor, if it is one.
    pub fn extents(&self) -> Option<&Extents> {
        match self {
            Precondition::Extents(extents) => Some(extents),
            _ => None,
        }
    }

    /// Returns whether this precondition implies another one, judged by their forms: its limit is no higher, or its
    /// tensor is no shorter.
    pub fn implies(&self, other: &Precondition) -> bool {
        match (self, other) {
            (
                Precondition::Size(own) | Precondition::Shown(own),
                Precondition::Size(other) | Precondition::Shown(other),
            ) => own.implies(other),
            (Precondition::Extents(own), Precondition::Extents(other)) => own.implies(other),
            (Precondition::Reach(own), Precondition::Reach(other)) => {
                own.growth == other.growth && own.most <= other.most
            }
            (Precondition::OneLane(own), Precondition::OneLane(other)) => own == other,
            (Precondition::Demand(own), Precondition::Demand(other)) => {
                own.of.terms == other.of.terms && own.of.constant <= other.of.constant
            }
            _ => false,
        }
    }

    /// Returns whether a launch satisfies the precondition.
    pub fn holds_in(&self, launch: &BoundLaunch) -> bool {
        match self {
            Precondition::Size(size) | Precondition::Shown(size) => {
                value(launch, size.parameter).is_some_and(|value| size.holds_of(value))
            }
            Precondition::Extents(extents) => extents.holds_in(launch),
            Precondition::Reach(reached) => reached.holds_of(|id, _| value(launch, id)),
            Precondition::Demand(sum) => {
                let number = |of| Some(number_of(of, launch));
                sum.is_natural(|id, _| value(launch, id), number) == Some(true)
            }
            Precondition::Float(floats) => floats.holds_in(launch),
            Precondition::OneLane(of) => number_of(*of, launch) == 1,
        }
    }

    /// Returns whether the precondition depends on the number of cores or vec lanes.
    pub(super) fn concerns_lanes(&self) -> bool {
        match self {
            Precondition::OneLane(_) => true,
            Precondition::Demand(sum) => {
                let mut factors = sum.of.factors();
                factors.any(|factor| matches!(factor, Factor::Workers(_)))
            }
            _ => false,
        }
    }

    /// Returns whether the precondition excludes no realistic launch, so that a kernel can be called clean without
    /// mentioning it: a size of at least 0 or 1, a large upper limit, a tensor as large as the accesses require. A
    /// divisor, a small limit, a tensor rounded up to tiles or the value of a flag must be mentioned.
    pub fn is_usual(&self) -> bool {
        match self {
            Precondition::Size(size) | Precondition::Shown(size) => size.is_usual(),
            Precondition::Extents(extents) => extents.least.iter().flatten().all(Least::is_usual),
            Precondition::Reach(reached) => reached.is_usual(),
            Precondition::Demand(_) | Precondition::Float(_) | Precondition::OneLane(_) => false,
        }
    }

    /// Returns whether arguments satisfy the precondition; `None` for conditions on tensors. Conditions on types always
    /// hold here: `sqrt-int-var` reports them.
    pub fn holds_of(&self, argument: impl Fn(&str) -> Option<i64>) -> Option<bool> {
        match self {
            Precondition::Size(size) | Precondition::Shown(size) => {
                Some(argument(&size.name).is_none_or(|value| size.holds_of(value)))
            }
            Precondition::Extents(_) | Precondition::OneLane(_) => None,
            Precondition::Reach(reached) => Some(reached.holds_of(|_, name| argument(name))),
            // A missing argument breaks nothing.
            Precondition::Demand(sum) => sum.is_natural(|_, name| argument(name), |_| None),
            Precondition::Float(_) => Some(true),
        }
    }
}

impl Reached {
    /// Returns a sum for each product of parameters that is not negative if all parameters are at least 1 and the limit
    /// is kept: the product is no larger than what the others leave of the limit.
    pub(super) fn limits_of_products(&self) -> Vec<Sum> {
        let (terms, by) = self.growth.whole();
        if terms.iter().any(|(_, times)| *times < 0) {
            return Vec::new();
        }
        let least: i128 = terms.iter().map(|(_, times)| times).sum();
        let products = terms.iter().filter(|(product, _)| !product.is_empty());
        let sums = products.filter_map(|(product, times)| {
            let left = i128::from(self.most).checked_mul(by)? - (least - times);
            let factors = product.iter().map(|&id| Factor::Parameter(id));
            Some(Sum {
                terms: vec![(factors.collect(), -1)],
                constant: i64::try_from(left.div_euclid(*times)).ok()?,
            })
        });
        sums.collect()
    }

    pub(super) fn new(program: &Program, reach: Reach) -> Reached {
        let Reach { growth, most } = reach;
        let (terms, _) = growth.whole();
        let mut parameters: Vec<VariableId> =
            terms.iter().flat_map(|term| term.0).copied().collect();
        parameters.sort_unstable();
        parameters.dedup();
        let name = |id| (id, program.variable(id).name.to_string());
        let names = parameters.into_iter().map(name).collect();
        Reached {
            growth,
            most,
            names,
        }
    }

    /// Returns whether parameter values satisfy the limit. All values must be at least 1.
    fn holds_of(&self, value: impl Fn(VariableId, &str) -> Option<i64>) -> bool {
        self.growth
            .is_at_most(self.most, |id| value(id, self.name(id)))
    }

    /// Returns whether the limit would still be large if each product of parameters were the only term.
    fn is_usual(&self) -> bool {
        let (terms, by) = self.growth.whole();
        let products = terms.iter().filter(|(product, _)| !product.is_empty());
        let largest = products.map(|(_, coefficient)| coefficient.abs()).max();
        i128::from(self.most) * by >= i128::from(LARGE) * largest.unwrap_or(1)
    }

    fn name(&self, id: VariableId) -> &str {
        let found = self.names.iter().find(|known| known.0 == id);
        found.map_or("?", |known| &known.1)
    }
}

impl Floats {
    /// Requires that at least one of some parameters is a float.
    pub(super) fn new(program: &Program, parameters: &[VariableId]) -> Floats {
        let named = |&id: &VariableId| (id, program.variable(id).name.to_string());
        Floats {
            names: parameters.iter().map(named).collect(),
        }
    }

    fn holds_in(&self, launch: &BoundLaunch) -> bool {
        let mut values = launch.parameters.iter();
        values.any(|(id, value)| {
            let is_meant = self.names.iter().any(|(known, _)| known == id);
            is_meant && matches!(value, Value::Float(_))
        })
    }
}

impl Size {
    /// Requires at least 1, and at most `most`. A limit that the type of the parameter implies is dropped.
    pub(super) fn new(program: &Program, parameter: VariableId, most: Option<i64>) -> Size {
        let variable = program.variable(parameter);
        let (_, largest) = limits(variable.dtype.unwrap_or(DType::Int));
        Size {
            parameter,
            name: variable.name.to_string(),
            least: 1,
            // A limit that the type implies excludes nothing, and a reader would look for its reason.
            most: most.filter(|&most| i128::from(most) < largest),
            multiple: 1,
            is_switch: switches(program).contains(&parameter),
        }
    }

    fn is_usual(&self) -> bool {
        let is_wide = self.most.is_none_or(|most| most >= LARGE);
        // Any value of a switch but those that its type excludes.
        let is_low = if self.is_switch {
            self.least == i64::MIN
        } else {
            self.least <= 1
        };
        is_low && is_wide && self.multiple == 1
    }

    /// Returns whether it excludes only empty sizes and those that do not fit an int32 index.
    pub fn is_any(&self) -> bool {
        self.is_usual() && self.most.is_none_or(|most| most >= INDEX)
    }

    pub(super) fn given(&self) -> Given {
        Given {
            parameter: self.parameter,
            range: Interval {
                min: self.least,
                max: self.most.unwrap_or(i64::MAX),
            },
            class: Congruence::new(self.multiple, 0),
        }
    }

    /// Returns the conjunction, if both are about one parameter and some value satisfies both.
    fn meet(&self, other: &Size) -> Option<Size> {
        if self.parameter != other.parameter {
            return None;
        }
        let (own, others) = (self.given(), other.given());
        let range = own.range.meet(others.range)?;
        Some(Size {
            least: range.min,
            most: range.most(),
            multiple: own.class.meet(others.class)?.modulus,
            ..self.clone()
        })
    }

    fn implies(&self, other: &Size) -> bool {
        let most = |limit: i64| self.most.is_some_and(|own| own <= limit);
        self.parameter == other.parameter
            && self.least >= other.least
            && other.most.is_none_or(most)
            && self.multiple.checked_rem(other.multiple) == Some(0)
    }

    /// Returns the only value that satisfies it, if there is exactly one.
    fn only(&self) -> Option<i64> {
        let most = self.most?;
        let value = most - most.rem_euclid(self.multiple);
        let before = value.checked_sub(self.multiple)?;
        (self.holds_of(value) && before < self.least).then_some(value)
    }

    /// Formats the part of it that excludes launches.
    fn restriction(&self) -> String {
        let Size { name, least, .. } = self;
        if let Some(only) = self.only() {
            return format!("{name} == {only}");
        }
        // A lower limit of 0 or 1 excludes only empty sizes, but for a switch it decides which code runs.
        let is_said = |least: i64| least > 1 || self.is_switch && least > i64::MIN;
        let low = Some(least).filter(|&&least| is_said(least));
        let high = self.most.filter(|&most| most < LARGE);
        let range = match (low, high) {
            (Some(low), Some(high)) => Some(format!("{low} <= {name} <= {high}")),
            (Some(low), None) => Some(format!("{name} >= {low}")),
            (None, Some(high)) => Some(format!("{name} <= {high}")),
            (None, None) => None,
        };
        let multiple = (self.multiple != 1).then(|| format!("{name} % {} == 0", self.multiple));
        let parts: Vec<String> = range.into_iter().chain(multiple).collect();
        parts.join(", ")
    }

    /// Returns whether a value satisfies it.
    pub fn holds_of(&self, value: i64) -> bool {
        value >= self.least
            && self.most.is_none_or(|most| value <= most)
            && value.rem_euclid(self.multiple) == 0
    }
}

/// Returns the number of cores or vec lanes of a launch.
fn number_of(workers: Workers, launch: &BoundLaunch) -> i64 {
    match workers {
        Workers::Cores => launch.cores.into(),
        Workers::VecLanes => launch.vec_lanes.into(),
    }
}

/// Returns the value that a launch gives an integer parameter.
fn value(launch: &BoundLaunch, id: VariableId) -> Option<i64> {
    let mut values = launch.parameters.iter();
    match values.find(|(other, _)| *other == id)?.1 {
        Value::Int(value) => Some(value),
        _ => None,
    }
}

impl fmt::Display for Precondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Precondition::Size(size) => size.fmt(f),
            Precondition::Shown(size) => write!(f, "{size} (not shown beyond)"),
            Precondition::Extents(extents) => extents.fmt(f),
            Precondition::Reach(reached) => reached.fmt(f),
            Precondition::Demand(sum) => sum.fmt_order(f),
            Precondition::Float(floats) => floats.fmt(f),
            Precondition::OneLane(_) => write!(f, "block_dim == 1"),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Size { name, least, .. } = self;
        if let Some(only) = self.only() {
            return write!(f, "{name} == {only}");
        }
        match self.most {
            Some(most) if *least == i64::MIN => write!(f, "{name} <= {most}")?,
            Some(most) if most < INDEX => write!(f, "{least} <= {name} <= {most}")?,
            Some(_) | None => write!(f, "{name} >= {least}")?,
        }
        if self.multiple != 1 {
            write!(f, ", {name} % {} == 0", self.multiple)?;
        }
        match self.most {
            Some(most) if most >= INDEX => write!(f, " (any size that fits an int32 index)"),
            Some(_) | None => Ok(()),
        }
    }
}

impl fmt::Display for Floats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.names.iter().map(|(_, name)| name.as_str()).collect();
        write!(f, "{}: float", names.join(" or "))
    }
}

impl fmt::Display for Reached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (terms, by) = self.growth.whole();
        for (at, (product, coefficient)) in terms.iter().enumerate() {
            match (at, *coefficient < 0) {
                (0, false) => {}
                (0, true) => write!(f, "-")?,
                (_, false) => write!(f, " + ")?,
                (_, true) => write!(f, " - ")?,
            }
            let number = coefficient.abs();
            let mut factors: Vec<String> =
                product.iter().map(|&id| self.name(id).to_owned()).collect();
            if number != 1 || factors.is_empty() {
                factors.insert(0, number.to_string());
            }
            write!(f, "{}", factors.join(" * "))?;
        }
        write!(f, " <= {}", i128::from(self.most) * by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use a2lint_ir::GlobalId;

    fn size(parameter: u32, least: i64, most: Option<i64>, multiple: i64) -> Precondition {
        let name = ["M", "N"][parameter as usize].to_owned();
        let parameter = VariableId(parameter);
        Precondition::Size(Size {
            parameter,
            name,
            least,
            most,
            multiple,
            is_switch: false,
        })
    }

    fn text(all: &[Precondition]) -> String {
        let together = Precondition::together(all.iter());
        let texts: Vec<String> = together.iter().map(Precondition::to_string).collect();
        texts.join(", ")
    }

    #[test]
    fn what_asks_more_implies_what_asks_less() {
        let [small, large] = [128, 256].map(|most| size(0, 1, Some(most), 1));
        assert!(small.implies(&large) && !large.implies(&small));
        let [coarse, fine] = [64, 16].map(|multiple| size(0, 1, None, multiple));
        assert!(coarse.implies(&fine) && !fine.implies(&coarse));
        assert!(small.implies(&size(0, 0, None, 1)) && !size(0, 0, None, 1).implies(&small));
        assert!(!small.implies(&size(1, 1, Some(256), 1)));
    }

    #[test]
    fn what_leaves_out_launches_has_to_be_said() {
        for (condition, said) in [
            (size(0, 1, None, 1), None),
            (size(0, 0, Some(1 << 24), 1), None),
            (size(0, 1, Some((1 << 24) - 1), 1), Some("M <= 16777215")),
            (size(0, 2, None, 1), Some("M >= 2")),
            (size(1, 1, None, 64), Some("N % 64 == 0")),
            (size(1, 1, Some(64), 64), Some("N == 64")),
        ] {
            assert_eq!(condition.is_usual(), said.is_none(), "{condition}");
            if let Some(said) = said {
                assert_eq!(condition.restriction(), said);
            }
        }
        let extents = |base: Option<Base>, plus: i64| {
            Precondition::Extents(Extents {
                global: GlobalId(0),
                name: "x".to_owned(),
                limit: Limit::AtLeast,
                least: vec![Some(Least { base, plus })],
            })
        };
        let (id, name) = (VariableId(0), || "M".to_owned());
        assert!(extents(Some(Base::Parameter(id, name())), 0).is_usual());
        assert!(
            extents(
                Some(Base::Share(Workers::VecLanes, 8, "GetVecNum()".to_owned())),
                0
            )
            .is_usual()
        );
        assert!(extents(None, 64).is_usual());
        assert!(!extents(Some(Base::Parameter(id, name())), 63).is_usual());
        assert!(!extents(Some(Base::Rounded(id, name(), 64)), 0).is_usual());
    }

    #[test]
    fn a_demand_is_said_as_an_order() {
        let [m, n, k] = [0, 1, 2].map(|id| Factor::Parameter(VariableId(id)));
        let names = ["m", "n", "k"].map(str::to_owned);
        let demand = |terms: &[(&[Factor], i64)], constant: i64| {
            Precondition::Demand(NamedSum {
                of: Sum {
                    terms: terms.iter().map(|(it, by)| (it.to_vec(), *by)).collect(),
                    constant,
                },
                names: (0..).map(VariableId).zip(names.clone()).collect(),
                workers: "GetBlockNum()".to_owned(),
            })
        };
        let last = demand(&[(&[m], 1), (&[n], -1)], 0);
        let tiles = demand(&[(&[m, n], -1), (&[k], 1), (&[n], 1)], -3);
        let cores = demand(&[(&[Factor::Workers(Workers::Cores), m], 2), (&[k], -1)], 7);
        for (condition, said) in [
            (&last, "n <= m"),
            (&tiles, "m * n + 3 <= k + n"),
            (&cores, "k <= 2 * GetBlockNum() * m + 7"),
        ] {
            assert_eq!(condition.to_string(), said);
            assert!(!condition.is_usual());
        }
        let holds = |condition: &Precondition, values: [i64; 3]| {
            let at = |name: &str| names.iter().position(|it| it == name);
            condition.holds_of(|name| Some(values[at(name)?]))
        };
        assert_eq!(holds(&last, [4, 4, 0]), Some(true));
        assert_eq!(holds(&last, [4, 5, 0]), Some(false));
        assert_eq!(holds(&tiles, [2, 8, 11]), Some(true));
        assert_eq!(holds(&tiles, [2, 8, 10]), Some(false));
        // A sum that overflows, and a number that is not known, decide nothing.
        assert_eq!(holds(&tiles, [i64::MAX, 8, 10]), None);
        assert_eq!(holds(&cores, [1, 1, 1]), None);
        assert!(demand(&[(&[m], 1), (&[n], -1)], -1).implies(&last));
        assert!(!last.implies(&demand(&[(&[m], 1), (&[n], -1)], -1)));
    }

    #[test]
    fn a_parameter_is_spoken_of_once() {
        let all = [
            size(0, 1, None, 1),
            size(1, 1, Some(64), 1),
            size(1, 1, Some(64), 64),
            size(0, 1, Some(4096), 8),
            size(1, 1, Some(2147483639), 1),
        ];
        assert_eq!(text(&all), "1 <= M <= 4096, M % 8 == 0, N == 64");
        assert_eq!(
            text(&[size(0, 1, Some(2147483639), 8)]),
            "M >= 1, M % 8 == 0 (any size that fits an int32 index)"
        );
        assert_eq!(
            text(&[size(0, 1, None, 16), size(0, 4, None, 8)]),
            "M >= 4, M % 16 == 0"
        );
        // What nothing satisfies is left as it is.
        let none = [size(0, 1, Some(8), 1), size(0, 9, None, 1)];
        assert_eq!(text(&none), "1 <= M <= 8, M >= 9");
        assert_eq!(text(&[size(0, 3, Some(3), 1)]), "M == 3");
        assert_eq!(text(&[size(0, 1, Some(127), 64)]), "M == 64");
        assert_eq!(
            text(&[size(0, 65, Some(127), 64)]),
            "65 <= M <= 127, M % 64 == 0"
        );
    }
}

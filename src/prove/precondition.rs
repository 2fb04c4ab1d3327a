//! What proofs ask of a launch.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::analysis::{Congruence, Given, Interval, Polynomial, Reach};
use crate::ir::{GlobalId, Program, VariableId};
use crate::machine::{BoundLaunch, Value};

/// What a proof asks of a launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Precondition {
    /// Of a parameter: `1 <= K <= 256, K % 8 == 0`.
    Size(Size),
    /// Of a tensor: `x is at least [M, 64]`, `y is at most [M, 64]`.
    Extents(Extents),
    /// Of several parameters: `128 * B * S + S <= 2147483647`.
    Reach(Reached),
}

/// A polynomial in parameters that may not be larger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reached {
    growth: Polynomial,
    most: i64,
    /// The parameters in it, and their names.
    names: Vec<(VariableId, String)>,
}

/// What is asked of an integer parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// The parameter.
    pub parameter: VariableId,
    /// Its name.
    pub name: String,
    /// It is at least this.
    pub least: i64,
    /// It is at most this.
    pub most: Option<i64>,
    /// It is a multiple of this.
    pub multiple: i64,
}

/// What is asked of the shape of a global tensor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extents {
    /// The tensor.
    pub global: GlobalId,
    /// Its name.
    pub name: String,
    /// Whether it may be larger or smaller than that.
    pub limit: Limit,
    /// By axis, how long it is at least or at most, where that matters.
    pub least: Vec<Option<Least>>,
}

/// Which way a length is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Limit {
    /// Accesses have to stay inside of it.
    AtLeast,
    /// Stores have to reach all of it.
    AtMost,
}

/// A length that depends on at most one parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Least {
    /// The parameter.
    pub parameter: Option<Rounded>,
    /// What is added.
    pub plus: i64,
}

/// A parameter, its name, and what it is rounded up to a multiple of.
pub type Rounded = (VariableId, String, Option<i64>);

impl From<Size> for Precondition {
    fn from(size: Size) -> Self {
        Precondition::Size(size)
    }
}

impl Precondition {
    /// A parameter is at least 1.
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

    /// What all of these ask together: of each parameter in one, and nothing twice.
    pub fn together<'a>(all: impl Iterator<Item = &'a Precondition>) -> Vec<Precondition> {
        let mut together: Vec<Precondition> = Vec::new();
        for one in all {
            if together.contains(one) {
                continue;
            }
            let joined = together.iter_mut().find_map(|known| {
                let both = known.size()?.meet(one.size()?)?;
                *known = both.into();
                Some(())
            });
            if joined.is_none() {
                together.push(one.clone());
            }
        }
        together
    }

    /// What it asks of a parameter.
    pub fn size(&self) -> Option<&Size> {
        match self {
            Precondition::Size(size) => Some(size),
            Precondition::Extents(_) | Precondition::Reach(_) => None,
        }
    }

    /// What it asks of a tensor.
    pub fn extents(&self) -> Option<&Extents> {
        match self {
            Precondition::Extents(extents) => Some(extents),
            Precondition::Size(_) | Precondition::Reach(_) => None,
        }
    }

    /// Whether every launch that satisfies it satisfies another one, as far as their forms tell: a limit
    /// that is no lower, a tensor that is no larger.
    pub fn implies(&self, other: &Precondition) -> bool {
        match (self, other) {
            (Precondition::Size(own), Precondition::Size(other)) => own.implies(other),
            (Precondition::Extents(own), Precondition::Extents(other)) => own.implies(other),
            (Precondition::Reach(own), Precondition::Reach(other)) => {
                own.growth == other.growth && own.most <= other.most
            }
            _ => false,
        }
    }

    /// Whether a launch satisfies it.
    pub fn holds_in(&self, launch: &BoundLaunch) -> bool {
        match self {
            Precondition::Size(size) => {
                value(launch, size.parameter).is_some_and(|value| size.holds_of(value))
            }
            Precondition::Extents(extents) => extents.holds_in(launch),
            Precondition::Reach(reached) => reached.holds_of(|id, _| value(launch, id)),
        }
    }

    /// Whether arguments satisfy it, where they say: `None` for what is asked of tensors.
    pub fn holds_of(&self, argument: impl Fn(&str) -> Option<i64>) -> Option<bool> {
        match self {
            Precondition::Size(size) => {
                Some(argument(&size.name).is_none_or(|value| size.holds_of(value)))
            }
            Precondition::Extents(_) => None,
            Precondition::Reach(reached) => Some(reached.holds_of(|_, name| argument(name))),
        }
    }
}

impl Reached {
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

    /// Whether values satisfy it; all of them are at least 1.
    fn holds_of(&self, value: impl Fn(VariableId, &str) -> Option<i64>) -> bool {
        self.growth
            .is_at_most(self.most, |id| value(id, self.name(id)))
    }

    fn name(&self, id: VariableId) -> &str {
        let found = self.names.iter().find(|known| known.0 == id);
        found.map_or("?", |known| &known.1)
    }
}

impl Size {
    pub(super) fn new(program: &Program, parameter: VariableId, most: Option<i64>) -> Size {
        Size {
            parameter,
            name: program.variable(parameter).name.to_string(),
            least: 1,
            most,
            multiple: 1,
        }
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

    /// Both, where they are about one parameter and some value satisfies them.
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

    /// The only value that satisfies it, if there is one.
    fn only(&self) -> Option<i64> {
        let most = self.most?;
        let value = most - most.rem_euclid(self.multiple);
        let before = value.checked_sub(self.multiple)?;
        (self.holds_of(value) && before < self.least).then_some(value)
    }

    /// Whether a value satisfies it.
    pub fn holds_of(&self, value: i64) -> bool {
        value >= self.least
            && self.most.is_none_or(|most| value <= most)
            && value.rem_euclid(self.multiple) == 0
    }
}

impl Extents {
    fn implies(&self, other: &Extents) -> bool {
        let mut axes = other.least.iter().enumerate();
        self.global == other.global
            && axes.all(|(axis, least)| {
                let Some(least) = least else { return true };
                let own = self.least.get(axis).and_then(Option::as_ref);
                own.is_some_and(|own| own.parameter == least.parameter && own.plus >= least.plus)
            })
    }

    fn holds_in(&self, launch: &BoundLaunch) -> bool {
        let shape = launch.globals.get(self.global.index());
        let own = shape.map_or(&[][..], |global| &global.shape);
        let mut axes = self.least.iter().enumerate();
        axes.all(|(axis, least)| {
            let Some(least) = least else { return true };
            let own = own.get(axis).copied();
            own.zip(least.in_launch(launch))
                .is_some_and(|(own, length)| match self.limit {
                    Limit::AtLeast => own >= length,
                    Limit::AtMost => own <= length,
                })
        })
    }
}

impl Least {
    fn in_launch(&self, launch: &BoundLaunch) -> Option<i64> {
        let Some((id, _, tile)) = &self.parameter else {
            return Some(self.plus);
        };
        let value = value(launch, *id)?;
        let whole = match *tile {
            Some(tile) => value
                .checked_add(tile - 1)?
                .div_euclid(tile)
                .checked_mul(tile)?,
            None => value,
        };
        whole.checked_add(self.plus)
    }
}

/// The value that a launch gives an integer parameter.
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
            Precondition::Extents(extents) => extents.fmt(f),
            Precondition::Reach(reached) => reached.fmt(f),
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
            Some(most) => write!(f, "{least} <= {name} <= {most}")?,
            None => write!(f, "{name} >= {least}")?,
        }
        match self.multiple {
            1 => Ok(()),
            multiple => write!(f, ", {name} % {multiple} == 0"),
        }
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

impl fmt::Display for Extents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axis = |least: &Option<Least>| least.as_ref().map_or("?".to_owned(), Least::to_string);
        let axes: Vec<String> = self.least.iter().map(axis).collect();
        let limit = match self.limit {
            Limit::AtLeast => "least",
            Limit::AtMost => "most",
        };
        write!(f, "{} is at {limit} [{}]", self.name, axes.join(", "))
    }
}

impl fmt::Display for Least {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.parameter {
            Some((_, name, Some(tile))) => write!(f, "CeilDiv({name}, {tile}) * {tile}")?,
            Some((_, name, None)) => write!(f, "{name}")?,
            None => return write!(f, "{}", self.plus),
        }
        match self.plus {
            0 => Ok(()),
            plus => write!(f, " + {plus}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(parameter: u32, least: i64, most: Option<i64>, multiple: i64) -> Precondition {
        let name = ["M", "N"][parameter as usize].to_owned();
        let parameter = VariableId(parameter);
        Precondition::Size(Size {
            parameter,
            name,
            least,
            most,
            multiple,
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

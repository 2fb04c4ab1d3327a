//! Limits on the shapes of tensors.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{NamedSum, number_of, value};
use a2lint_analysis::{Factor, Sum, Workers};
use a2lint_ir::{GlobalId, Program, VariableId};
use a2lint_machine::BoundLaunch;

/// Limits on the shape of a global tensor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extents {
    /// The tensor.
    pub global: GlobalId,
    /// The name of the tensor.
    pub name: String,
    /// The direction of the limits.
    pub limit: Limit,
    /// The limits by axis; `None` for an axis that does not matter.
    pub least: Vec<Option<Least>>,
}

/// The direction in which lengths are limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Limit {
    /// Lower limits: accesses have to stay inside of the tensor.
    AtLeast,
    /// Upper limits: stores have to cover all of the tensor.
    AtMost,
    /// Exact lengths.
    Exactly,
}

/// A length that depends on numbers of a launch.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Least {
    /// The number; `None` for a constant length.
    pub base: Option<Base>,
    /// The constant that is added.
    pub plus: i64,
}

/// A number of a launch that a length depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Base {
    /// A parameter: `M`.
    Parameter(VariableId, String),
    /// A parameter, rounded up to whole tiles: `CeilDiv(M, 64) * 64`.
    Rounded(VariableId, String, i64),
    /// A number of elements for each core or vec lane, with the query for their number: `GetVecNum() * 8`.
    Share(Workers, i64, String),
    /// A sum of products: `rows * cols`, `GetVecNum() * coreLength`.
    Sum(NamedSum),
}

impl Extents {
    /// Returns an exact limit, if two limits on the same lengths have opposite directions, or one limit for limits on
    /// different axes.
    pub(super) fn meet(&self, other: &Extents) -> Option<Extents> {
        let mut axes = self.least.iter().zip(&other.least);
        let are_apart = axes.all(|(own, other)| own.is_none() || other.is_none());
        let is_alike = self.global == other.global && self.limit == other.limit;
        if is_alike && are_apart && self.least.len() == other.least.len() {
            let axes = self.least.iter().zip(&other.least);
            let least = axes.map(|(own, other)| own.clone().or_else(|| other.clone()));
            return Some(Extents {
                least: least.collect(),
                ..self.clone()
            });
        }
        let is_same = (self.global, &self.least) == (other.global, &other.least);
        is_same.then(|| Extents {
            limit: Limit::Exactly,
            ..self.clone()
        })
    }

    /// Returns whether an upper limit contradicts a lower limit on the same length in every sampled launch, with sizes
    /// and numbers of cores from 1 on.
    pub(crate) fn contradicts(&self, other: &Extents) -> bool {
        const SIZES: [i64; 5] = [1, 2, 7, 64, 1000];
        const CORES: [i64; 3] = [1, 2, 40];
        if (self.global, self.limit, other.limit) != (other.global, Limit::AtMost, Limit::AtLeast) {
            return false;
        }
        let tried = SIZES.map(|size| CORES.map(|cores| (size, cores)));
        let mut tried = tried.as_flattened().iter();
        tried.all(|&(size, cores)| self.is_below(other, |_, _| Some(size), |_| Some(cores)))
    }

    /// Returns whether a length of some axis is below that of another limit, with these values of parameters and
    /// numbers of cores and lanes.
    pub(crate) fn is_below(
        &self,
        other: &Extents,
        value: impl Fn(VariableId, &str) -> Option<i64>,
        workers: impl Fn(Workers) -> Option<i64>,
    ) -> bool {
        let length = |of: &Option<Least>| of.as_ref()?.evaluated(&value, &workers);
        let mut axes = self.least.iter().zip(&other.least);
        axes.any(|(own, other)| {
            let lengths = length(own).zip(length(other));
            lengths.is_some_and(|(own, other)| own < other)
        })
    }

    pub(super) fn implies(&self, other: &Extents) -> bool {
        let mut axes = other.least.iter().enumerate();
        let asks_more = |own: i64, length: i64| match other.limit {
            Limit::AtLeast => own >= length,
            Limit::AtMost => own <= length,
            Limit::Exactly => own == length,
        };
        let is_as_strict = self.limit == other.limit || self.limit == Limit::Exactly;
        self.global == other.global
            && is_as_strict
            && axes.all(|(axis, least)| {
                let Some(least) = least else { return true };
                let own = self.least.get(axis).and_then(Option::as_ref);
                own.is_some_and(|own| own.base == least.base && asks_more(own.plus, least.plus))
            })
    }

    pub(super) fn holds_in(&self, launch: &BoundLaunch) -> bool {
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
                    Limit::Exactly => own == length,
                })
        })
    }
}

impl Least {
    fn in_launch(&self, launch: &BoundLaunch) -> Option<i64> {
        self.evaluated(|id, _| value(launch, id), |of| Some(number_of(of, launch)))
    }

    /// Returns the length, given the values of parameters and the numbers of cores and lanes; `None` if one is
    /// missing or it overflows.
    pub fn evaluated(
        &self,
        value: impl Fn(VariableId, &str) -> Option<i64>,
        workers: impl Fn(Workers) -> Option<i64>,
    ) -> Option<i64> {
        let whole = match &self.base {
            None => 0,
            Some(Base::Parameter(id, name)) => value(*id, name)?,
            Some(Base::Rounded(id, name, tile)) => {
                let up = value(*id, name)?.checked_add(tile - 1)?;
                up.div_euclid(*tile).checked_mul(*tile)?
            }
            Some(Base::Share(of, each, _)) => workers(*of)?.checked_mul(*each)?,
            Some(Base::Sum(sum)) => sum.evaluated(value, workers)?,
        };
        whole.checked_add(self.plus)
    }

    /// Returns whether the length is what accesses need, neither rounded up nor longer.
    pub(super) fn is_usual(&self) -> bool {
        match &self.base {
            None => true,
            // A required addend would exclude tensors of the size that accesses name.
            Some(Base::Parameter(..) | Base::Share(..)) => self.plus <= 0,
            Some(Base::Rounded(..)) => false,
            // What is added rounds up to whole blocks or tiles.
            Some(Base::Sum(sum)) => self.plus <= 0 && sum.of.constant <= 0,
        }
    }

    /// Returns whether no tensor is as long as that, whatever the parameters are: the length of an index of 32 bits
    /// that may have wrapped.
    pub(crate) fn is_out_of_reach(&self) -> bool {
        let constant = match &self.base {
            Some(Base::Sum(sum)) => sum.of.constant,
            _ => 0,
        };
        constant.saturating_add(self.plus) > i64::from(i32::MAX)
    }

    /// Returns whether another length exceeds this one by a constant.
    pub(crate) fn is_below(&self, other: &Least) -> bool {
        match (&self.base, &other.base) {
            (Some(Base::Sum(own)), Some(Base::Sum(others))) => {
                let constants = [&own.of, &others.of].map(|sum| sum.constant);
                own.of.terms == others.of.terms
                    && constants[0] + self.plus < constants[1] + other.plus
            }
            (own, others) => own == others && self.plus < other.plus,
        }
    }

    /// Creates the length of a sum, in the simplest form.
    pub(crate) fn of_sum(program: &Program, sum: Sum) -> Least {
        let name = |id: VariableId| program.variable(id).name.to_string();
        let plus = sum.constant;
        let base = match &sum.terms[..] {
            [] => None,
            [(product, by)] => match (&product[..], by) {
                ([Factor::Parameter(id)], 1) => Some(Base::Parameter(*id, name(*id))),
                _ => None,
            },
            _ => None,
        };
        if base.is_some() || sum.terms.is_empty() {
            return Least { base, plus };
        }
        let sum = NamedSum::new(program, sum);
        Least {
            base: Some(Base::Sum(sum)),
            plus: 0,
        }
    }

    /// Returns a share for each worker as a sum, by which it equals a length that is found as one.
    pub(crate) fn into_sum(self, program: &Program) -> Least {
        let Some(Base::Share(of, each, _)) = self.base else {
            return self;
        };
        let sum = Sum {
            terms: vec![(vec![Factor::Workers(of)], each)],
            constant: self.plus,
        };
        Least::of_sum(program, sum)
    }
}

impl fmt::Display for Extents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axis = |least: &Option<Least>| least.as_ref().map_or("?".to_owned(), Least::to_string);
        let axes: Vec<String> = self.least.iter().map(axis).collect();
        let limit = match self.limit {
            Limit::AtLeast => "at least ",
            Limit::AtMost => "at most ",
            Limit::Exactly => "",
        };
        write!(f, "{} is {limit}[{}]", self.name, axes.join(", "))
    }
}

impl fmt::Display for Least {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.base {
            Some(Base::Rounded(_, name, tile)) => write!(f, "CeilDiv({name}, {tile}) * {tile}")?,
            Some(Base::Parameter(_, name)) => write!(f, "{name}")?,
            Some(Base::Share(_, 1, query)) => write!(f, "{query}")?,
            Some(Base::Share(_, each, query)) => write!(f, "{query} * {each}")?,
            Some(Base::Sum(sum)) => write!(f, "{sum}")?,
            None => return write!(f, "{}", self.plus),
        }
        match self.plus {
            0 => Ok(()),
            plus => write!(f, " + {plus}"),
        }
    }
}

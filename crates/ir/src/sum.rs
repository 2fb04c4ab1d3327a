//! Sums of products of numbers that a launch gives.

use serde::{Deserialize, Serialize};

use super::VariableId;

/// The lanes or cores that share the work of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Workers {
    /// The cores.
    Cores,
    /// The vec lanes of all cores.
    VecLanes,
}

impl Workers {
    /// Returns the query for their number.
    pub fn query(self) -> &'static str {
        match self {
            Workers::Cores => "GetCubeNum()",
            Workers::VecLanes => "GetVecNum()",
        }
    }
}

/// A number that a launch gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Factor {
    /// A parameter.
    Parameter(VariableId),
    /// The number of cores or vec lanes.
    Workers(Workers),
}

/// A sum of products of numbers that a launch gives.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sum {
    /// Products with their coefficients, the longest first.
    pub terms: Vec<(Vec<Factor>, i64)>,
    /// What is added to them.
    pub constant: i64,
}

impl Sum {
    /// Evaluates the sum; `None` if a number is missing or the sum overflows.
    pub fn evaluated(&self, value: impl Fn(Factor) -> Option<i64>) -> Option<i64> {
        self.terms
            .iter()
            .try_fold(self.constant, |sum, (product, coefficient)| {
                let term = product.iter().try_fold(*coefficient, |term, &factor| {
                    term.checked_mul(value(factor)?)
                });
                sum.checked_add(term?)
            })
    }

    /// Returns the sum less another one; `None` if it overflows.
    pub fn minus(&self, other: &Sum) -> Option<Sum> {
        let mut terms = self.terms.clone();
        for (product, by) in &other.terms {
            match terms.iter_mut().find(|term| term.0 == *product) {
                Some(term) => term.1 = term.1.checked_sub(*by)?,
                None => terms.push((product.clone(), by.checked_neg()?)),
            }
        }
        terms.retain(|term| term.1 != 0);
        terms.sort_by(|a, b| (b.0.len(), &a.0).cmp(&(a.0.len(), &b.0)));
        Some(Sum {
            terms,
            constant: self.constant.checked_sub(other.constant)?,
        })
    }

    /// Iterates over the numbers of the launch in it.
    pub fn factors(&self) -> impl Iterator<Item = &Factor> {
        self.terms.iter().flat_map(|(product, _)| product)
    }
}

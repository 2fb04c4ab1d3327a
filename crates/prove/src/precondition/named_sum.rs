//! Sums of products of numbers of a launch, with the names by which they are printed.

use std::fmt;

use serde::{Deserialize, Serialize};

use a2lint_analysis::{Factor, Sum, Workers};
use a2lint_ir::{Program, VariableId};

/// A sum of products of numbers of a launch.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NamedSum {
    /// The sum.
    pub of: Sum,
    /// The parameters in it, with their names.
    pub(super) names: Vec<(VariableId, String)>,
    /// The query for the number of cores or vec lanes, in the language of the kernel.
    pub(super) workers: String,
}

impl NamedSum {
    pub(in crate::precondition) fn new(program: &Program, sum: Sum) -> NamedSum {
        let name = |id: VariableId| program.variable(id).name.to_string();
        let mut names: Vec<(VariableId, String)> = sum
            .factors()
            .filter_map(|factor| match factor {
                Factor::Parameter(id) => Some((*id, name(*id))),
                Factor::Workers(_) => None,
            })
            .collect();
        names.sort_unstable();
        names.dedup();
        let query = sum.factors().find_map(|factor| match factor {
            Factor::Workers(of) => Some(program.toolchain.notation.number_of(of.query())),
            Factor::Parameter(_) => None,
        });
        let workers = query.unwrap_or_default().to_owned();
        NamedSum {
            of: sum,
            names,
            workers,
        }
    }

    /// Evaluates the sum; `None` if a number is missing or the sum overflows.
    pub(super) fn evaluated(
        &self,
        value: impl Fn(VariableId, &str) -> Option<i64>,
        workers: impl Fn(Workers) -> Option<i64>,
    ) -> Option<i64> {
        self.of.evaluated(|factor| match factor {
            Factor::Parameter(id) => value(id, self.name(id)),
            Factor::Workers(of) => workers(of),
        })
    }

    /// Returns whether the sum is not negative; `None` if a number is missing or the sum overflows.
    pub(super) fn is_natural(
        &self,
        value: impl Fn(VariableId, &str) -> Option<i64>,
        workers: impl Fn(Workers) -> Option<i64>,
    ) -> Option<bool> {
        Some(self.evaluated(value, workers)? >= 0)
    }

    /// Returns the parameters of the sum.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = VariableId> + '_ {
        self.names.iter().map(|(id, _)| *id)
    }

    /// Returns the parameters in it, with their names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|(_, name)| name.as_str())
    }

    pub(super) fn name(&self, id: VariableId) -> &str {
        let found = self.names.iter().find(|known| known.0 == id);
        found.map_or("?", |known| &known.1)
    }
}

impl NamedSum {
    /// Formats that the sum is not negative: what is subtracted is at most what is added.
    pub(super) fn fmt_order(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |sign: i64| {
            let terms = self.of.terms.iter().filter(|(_, by)| by.signum() == sign);
            let constant = match self.of.constant.signum() == sign {
                true => self.of.constant.saturating_abs(),
                false => 0,
            };
            let terms = terms.map(|(product, by)| (product.clone(), by.saturating_abs()));
            NamedSum {
                of: Sum {
                    terms: terms.collect(),
                    constant,
                },
                ..self.clone()
            }
        };
        write!(f, "{} <= {}", side(-1), side(1))
    }
}

impl fmt::Display for NamedSum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = |at: usize, number: i64| match (at, number < 0) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        for (at, (product, by)) in self.of.terms.iter().enumerate() {
            let factors = product.iter().map(|factor| match factor {
                Factor::Parameter(id) => self.name(*id),
                Factor::Workers(_) => self.workers.as_str(),
            });
            let mut factors: Vec<String> = factors.map(str::to_owned).collect();
            if by.abs() != 1 {
                factors.insert(0, by.unsigned_abs().to_string());
            }
            write!(f, "{}{}", sign(at, *by), factors.join(" * "))?;
        }
        match self.of.constant {
            0 if !self.of.terms.is_empty() => Ok(()),
            constant => {
                let sign = sign(self.of.terms.len(), constant);
                write!(f, "{sign}{}", constant.unsigned_abs())
            }
        }
    }
}

//! Removes redundant limits on polynomials: those that other preconditions imply.

use a2lint_ir::VariableId;

use super::{Precondition, Reached, Size};

/// Removes limits on polynomials that the other preconditions imply.
pub(super) fn drop_implied(all: &mut Vec<Precondition>) {
    // Limits are removed one at a time, so that one of two equivalent limits remains. The last limits, which concern
    // the largest numbers, are tried first.
    for at in (0..all.len()).rev() {
        let follows = |reached: &Reached| {
            let others = all.iter().enumerate().filter(|&(other, _)| other != at);
            let others = Others(others.map(|(_, condition)| condition).collect());
            others.imply(reached) == Some(true)
        };
        if matches!(&all[at], Precondition::Reach(reached) if follows(reached)) {
            all.remove(at);
        }
    }
}

/// All preconditions but the one that is examined.
struct Others<'a>(Vec<&'a Precondition>);

impl Others<'_> {
    /// Returns whether a polynomial stays below its limit if each product has its largest value; `None` if a product is
    /// unbounded.
    fn imply(&self, reached: &Reached) -> Option<bool> {
        let (terms, by) = reached.growth.whole();
        let most = terms.iter().try_fold(0_i128, |sum, (product, times)| {
            let is_positive = product.iter().all(|&id| self.is_positive(id));
            is_positive.then_some(())?;
            let value = match *times > 0 {
                true => self.most(product)?,
                // All factors are at least 1, so a negative term is largest where the product is 1.
                false => 1,
            };
            sum.checked_add(times.checked_mul(value)?)
        })?;
        Some(most <= i128::from(reached.most).checked_mul(by)?)
    }

    fn sizes(&self) -> impl Iterator<Item = &Size> {
        self.0.iter().filter_map(|condition| condition.size())
    }

    fn is_positive(&self, id: VariableId) -> bool {
        let mut sizes = self.sizes();
        sizes.any(|size| size.parameter == id && size.least >= 1)
    }

    /// Returns an upper bound of a product of parameters that are at least 1.
    fn most(&self, product: &[VariableId]) -> Option<i128> {
        let reaches = self.0.iter().filter_map(|condition| match condition {
            Precondition::Reach(reached) => self.most_within(product, reached),
            _ => None,
        });
        reaches.chain(self.most_alone(product)).min()
    }

    /// Returns the product of the limits of parameters.
    fn most_alone(&self, product: &[VariableId]) -> Option<i128> {
        product.iter().try_fold(1_i128, |most, &id| {
            let limits = self.sizes().filter(|size| size.parameter == id);
            let limit = limits.filter_map(|size| size.most).min()?;
            most.checked_mul(limit.into())
        })
    }

    /// Returns the upper bound of a product that a limit on a polynomial implies.
    fn most_within(&self, product: &[VariableId], reached: &Reached) -> Option<i128> {
        let (terms, by) = reached.growth.whole();
        let constant = |terms: &[(&[VariableId], i128)]| {
            let mut constant = terms.iter().filter(|(product, _)| product.is_empty());
            constant.next().map_or(0, |term| term.1)
        };
        let grows = |(product, times): &(&[VariableId], i128)| {
            product.is_empty() || *times > 0 && product.iter().all(|&id| self.is_positive(id))
        };
        terms.iter().all(grows).then_some(())?;
        let left = i128::from(reached.most).checked_mul(by)? - constant(&terms);
        let products = terms.iter().filter(|(other, _)| !other.is_empty());
        let limits = products.filter_map(|(other, times)| {
            let limit = left.div_euclid(*times);
            match (without(other, product), without(product, other)) {
                (Some(_), _) => Some(limit),
                (_, Some(rest)) => limit.checked_mul(self.most_alone(&rest)?),
                _ => None,
            }
        });
        limits.min()
    }
}

/// Returns `product` without the factors of `part`; `None` if it lacks one of them.
fn without(product: &[VariableId], part: &[VariableId]) -> Option<Vec<VariableId>> {
    let mut rest = product.to_vec();
    for factor in part {
        let at = rest.iter().position(|other| other == factor)?;
        rest.remove(at);
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use a2lint_analysis::Polynomial;

    use super::*;

    fn size(parameter: u32, least: i64, most: Option<i64>) -> Precondition {
        Precondition::Size(Size {
            parameter: VariableId(parameter),
            name: ["m", "n"][parameter as usize].to_owned(),
            least,
            most,
            multiple: 1,
            is_switch: false,
        })
    }

    /// `times * m * n + plus <= most`
    fn reach(times: i64, plus: i64, most: i64) -> Precondition {
        let [m, n] = [0, 1].map(|id| Polynomial::parameter(VariableId(id)));
        let product = m.times(&n).and_then(|it| it.scaled(times));
        let growth = product.and_then(|it| it.plus(plus)).expect("a polynomial");
        let names = [0, 1].map(|id| (VariableId(id), ["m", "n"][id as usize].to_owned()));
        Precondition::Reach(Reached {
            growth,
            most,
            names: names.to_vec(),
        })
    }

    fn said(mut all: Vec<Precondition>) -> String {
        drop_implied(&mut all);
        let texts: Vec<String> = all.iter().map(Precondition::to_string).collect();
        texts.join(", ")
    }

    #[test]
    fn what_follows_from_other_limits_is_not_said() {
        let sizes = || vec![size(0, 1, None), size(1, 1, None)];
        let with = |more: &[Precondition]| {
            let all = sizes().into_iter().chain(more.iter().cloned());
            said(all.collect())
        };
        let small = reach(1, 0, 1 << 32);
        let large = reach(2047, 1 << 52, i64::MAX);
        let kept = "m >= 1, n >= 1, m * n <= 4294967296";
        assert_eq!(with(&[small.clone(), large.clone()]), kept);
        assert_eq!(with(&[large.clone(), small.clone()]), kept);
        assert_eq!(with(&[small.clone(), small.clone()]), kept);
        // This limit is tight enough to imply the other one.
        let near = reach(2, 0, (1 << 33) - 1);
        assert_eq!(
            with(&[small.clone(), near]),
            "m >= 1, n >= 1, 2 * m * n <= 8589934591"
        );
        let (low, high) = (reach(2, 7, 1 << 33), reach(3, 0, 1 << 33));
        assert_eq!(with(&[low, high.clone()]), with(&[high]));
        // Nothing follows if a product has no other limit, or if a parameter may be 0.
        assert_ne!(with(std::slice::from_ref(&large)), "m >= 1, n >= 1");
        let low = vec![size(0, 0, None), size(1, 1, None), small, large];
        assert_eq!(said(low).matches("m * n").count(), 2);
    }

    #[test]
    fn limits_of_parameters_bound_their_products() {
        let limited = |most: i64| {
            let sizes = vec![size(0, 1, Some(1 << 16)), size(1, 1, Some(1 << 15))];
            said(sizes.into_iter().chain([reach(1, 0, most)]).collect())
        };
        assert!(!limited(1 << 31).contains('*'));
        assert!(limited((1 << 31) - 1).contains('*'));
    }
}

//! Residue classes: what is known of the remainder of a number.

use super::interval::Interval;

/// All integers `modulus * n + remainder`. Modulus 0 is one number, modulus 1 every number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Congruence {
    /// Distance of neighbouring members.
    pub modulus: i64,
    /// The smallest non-negative member, if there are several members.
    pub remainder: i64,
}

impl Congruence {
    /// Every integer.
    pub const ANY: Congruence = Congruence {
        modulus: 1,
        remainder: 0,
    };

    /// Returns the class of one integer.
    pub const fn exact(value: i64) -> Congruence {
        Congruence {
            modulus: 0,
            remainder: value,
        }
    }

    /// Returns the class of `remainder` modulo `modulus`.
    pub fn new(modulus: i64, remainder: i64) -> Congruence {
        match modulus.checked_abs() {
            Some(0) => Congruence::exact(remainder),
            Some(modulus) => Congruence {
                modulus,
                remainder: remainder.rem_euclid(modulus),
            },
            None => Congruence::ANY,
        }
    }

    /// Returns whether a number is a member.
    pub fn contains(self, value: i64) -> bool {
        match self.modulus {
            0 => value == self.remainder,
            modulus => value.rem_euclid(modulus) == self.remainder,
        }
    }

    /// Returns whether every member is a multiple of a number.
    pub fn divided_by(self, number: i64) -> bool {
        let divides = |it: i64| it.checked_rem(number) == Some(0);
        divides(self.modulus) && divides(self.remainder)
    }

    /// Returns the class of sums.
    pub fn plus(self, other: Congruence) -> Congruence {
        match self.remainder.checked_add(other.remainder) {
            Some(sum) => Congruence::new(gcd(self.modulus, other.modulus), sum),
            None => Congruence::ANY,
        }
    }

    /// Returns the class of products with a constant.
    pub fn times(self, factor: i64) -> Congruence {
        let products = self
            .modulus
            .checked_mul(factor)
            .zip(self.remainder.checked_mul(factor));
        products.map_or(Congruence::ANY, |(modulus, remainder)| {
            Congruence::new(modulus, remainder)
        })
    }

    /// Returns the class of the common members, or `None` if there are none. If the modulus of that does not
    /// fit into 64 bits, returns one of the two classes.
    pub fn meet(self, other: Congruence) -> Option<Congruence> {
        let (a, b) = match self.modulus >= other.modulus && other.modulus != 0 {
            true => (other, self),
            false => (self, other),
        };
        if a.modulus == 0 {
            return b.contains(a.remainder).then_some(a);
        }
        if b.modulus == 0 {
            return a.contains(b.remainder).then_some(b);
        }
        let common = gcd(a.modulus, b.modulus);
        // In 128 bits: differences and products of moduli may not fit into 64.
        let gap = i128::from(b.remainder) - i128::from(a.remainder);
        if gap % i128::from(common) != 0 {
            return None;
        }
        let (step, of) = (a.modulus / common, b.modulus / common);
        let times = (gap / i128::from(common)).rem_euclid(of.into());
        let times = times * i128::from(inverse(step, of)) % i128::from(of);
        let modulus = i128::from(a.modulus) * i128::from(of);
        let remainder = (i128::from(a.remainder) + times * i128::from(a.modulus)) % modulus;
        let both = i64::try_from(modulus)
            .ok()
            .zip(i64::try_from(remainder).ok());
        Some(both.map_or(b, |(modulus, remainder)| {
            Congruence::new(modulus, remainder)
        }))
    }

    /// Returns the numbers whose product with `factor` is in the class, or `None` if there are none.
    pub fn divided(self, factor: i64) -> Option<Congruence> {
        if factor == 0 {
            return self.contains(0).then_some(Congruence::ANY);
        }
        if self.modulus == 0 {
            let exact = self.remainder.checked_rem(factor) == Some(0);
            let quotient = self.remainder.checked_div(factor).filter(|_| exact);
            return quotient.map(Congruence::exact);
        }
        let common = gcd(factor, self.modulus);
        // Every product is a multiple of the common divisor.
        if self.remainder % common != 0 {
            return None;
        }
        let of = self.modulus / common;
        let inverse = inverse((factor / common).rem_euclid(of), of);
        let quotient = i128::from(self.remainder / common) * i128::from(inverse);
        Some(Congruence::new(of, (quotient % i128::from(of)) as i64))
    }

    /// Narrows an interval to ends that are in the class; returns `None` if nothing is left.
    pub fn tightened(self, interval: Interval) -> Option<Interval> {
        if self.modulus == 0 {
            return interval.meet(Interval::exact(self.remainder));
        }
        let modulus = i128::from(self.modulus);
        let gap = |value: i64| (i128::from(self.remainder) - i128::from(value)).rem_euclid(modulus);
        let min = match interval.min {
            i64::MIN => i64::MIN,
            min => i64::try_from(i128::from(min) + gap(min)).ok()?,
        };
        let max = match interval.max {
            i64::MAX => i64::MAX,
            max => match gap(max) {
                0 => max,
                gap => i64::try_from(i128::from(max) + gap - modulus).ok()?,
            },
        };
        (min <= max).then_some(Interval { min, max })
    }

    /// Returns a member near a number, in an interval whose ends are members.
    pub fn nearest(self, value: i64, interval: Interval) -> i64 {
        if self.modulus == 0 {
            return self.remainder;
        }
        let (modulus, value) = (i128::from(self.modulus), i128::from(value));
        let up = value + (i128::from(self.remainder) - value).rem_euclid(modulus);
        let fits = |number: i128| {
            i64::try_from(number)
                .ok()
                .filter(|&it| interval.contains(it))
        };
        fits(up)
            .filter(|_| up - value <= modulus / 2)
            .or_else(|| fits(if up == value { up } else { up - modulus }))
            .or_else(|| fits(up))
            .unwrap_or(self.remainder)
    }

    /// Returns the smallest class that contains both.
    pub fn join(self, other: Congruence) -> Congruence {
        match self.remainder.checked_sub(other.remainder) {
            Some(distance) => {
                let modulus = gcd(gcd(self.modulus, other.modulus), distance);
                Congruence::new(modulus, self.remainder)
            }
            None => Congruence::ANY,
        }
    }
}

/// Returns the inverse of `number` modulo `of`; they have no common divisor.
fn inverse(number: i64, of: i64) -> i64 {
    let (mut a, mut b) = (i128::from(number), i128::from(of));
    let (mut x, mut y) = (1_i128, 0_i128);
    while b != 0 {
        let quotient = a / b;
        (a, b) = (b, a - quotient * b);
        (x, y) = (y, x - quotient * y);
    }
    x.rem_euclid(of.into()) as i64
}

/// Returns the greatest common divisor; 0 if both are 0, 1 if it does not fit into 64 bits.
pub fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_hold_their_members() {
        let classes: Vec<Congruence> = (0..6)
            .flat_map(|modulus| (-3..4).map(move |at| Congruence::new(modulus, at)))
            .collect();
        let members = |class: Congruence| (-12..12).filter(move |&value| class.contains(value));
        for &a in &classes {
            for x in members(a) {
                assert!(a.times(-3).contains(-3 * x));
                for &b in &classes {
                    assert!(a.join(b).contains(x) && b.join(a).contains(x));
                    assert!(members(b).all(|y| a.plus(b).contains(x + y)));
                }
            }
        }
        for &a in &classes {
            for &b in &classes {
                let both: Vec<i64> = members(a).filter(|&x| b.contains(x)).collect();
                let found: Vec<i64> = a.meet(b).map_or(Vec::new(), |both| members(both).collect());
                assert_eq!(found, both, "{a:?} {b:?}");
            }
            for factor in -4..5 {
                let found = a.divided(factor);
                for x in -12..12 {
                    let is_in = found.is_some_and(|found| found.contains(x));
                    assert_eq!(is_in, a.contains(x * factor), "{a:?} / {factor}: {x}");
                }
            }
            for (min, max) in [(-7, 8), (-3, -3), (0, 2)] {
                let interval = Interval { min, max };
                let inside: Vec<i64> = (min..=max).filter(|&x| a.contains(x)).collect();
                let tight = a.tightened(interval);
                let ends = inside.first().zip(inside.last());
                let ends = ends.map(|(&min, &max)| Interval { min, max });
                assert_eq!(tight, ends);
                for (near, tight) in (min..=max).flat_map(|near| Some((near, tight?))) {
                    let near = near.clamp(tight.min, tight.max);
                    let found = a.nearest(near, tight);
                    let best = inside.iter().map(|x| (x - near).abs()).min();
                    assert_eq!(Some((found - near).abs()), best, "{a:?} {near} {found}");
                }
            }
        }
        assert_eq!(
            Congruence::exact(1).join(Congruence::exact(5)),
            Congruence::new(4, 1)
        );
    }
}

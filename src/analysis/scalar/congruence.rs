//! Residue classes: what is known of a number's remainder.

/// All integers `modulus * n + remainder`. Modulus 0 is one number, modulus 1 every number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Congruence {
    /// Distance of neighbouring members.
    pub modulus: i64,
    /// The smallest member that is not negative, if there are several.
    pub remainder: i64,
}

impl Congruence {
    /// Every integer.
    pub const ANY: Congruence = Congruence {
        modulus: 1,
        remainder: 0,
    };

    /// One integer.
    pub const fn exact(value: i64) -> Congruence {
        Congruence {
            modulus: 0,
            remainder: value,
        }
    }

    /// The class of `remainder` modulo `modulus`.
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

    /// Whether a number is a member.
    #[cfg(test)]
    pub fn contains(self, value: i64) -> bool {
        match self.modulus {
            0 => value == self.remainder,
            modulus => value.rem_euclid(modulus) == self.remainder,
        }
    }

    /// Sums.
    pub fn plus(self, other: Congruence) -> Congruence {
        match self.remainder.checked_add(other.remainder) {
            Some(sum) => Congruence::new(gcd(self.modulus, other.modulus), sum),
            None => Congruence::ANY,
        }
    }

    /// Products with a constant.
    pub fn times(self, factor: i64) -> Congruence {
        let products = self
            .modulus
            .checked_mul(factor)
            .zip(self.remainder.checked_mul(factor));
        products.map_or(Congruence::ANY, |(modulus, remainder)| {
            Congruence::new(modulus, remainder)
        })
    }

    /// The smallest class around both.
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

/// Greatest common divisor; 0 where both are 0, 1 where it leaves the word.
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
        assert_eq!(
            Congruence::exact(1).join(Congruence::exact(5)),
            Congruence::new(4, 1)
        );
    }
}

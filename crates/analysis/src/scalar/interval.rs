//! Intervals of integers; the ends `i64::MIN` and `i64::MAX` mean that there is no bound.

use a2lint_ir::arithmetic::limits;
use a2lint_ir::{BinaryOp, fold_int};
use a2lint_isa::DType;

/// All integers from `min` to `max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// Smallest member.
    pub min: i64,
    /// Largest member.
    pub max: i64,
}

impl Interval {
    /// Every integer.
    pub const ANY: Interval = Interval {
        min: i64::MIN,
        max: i64::MAX,
    };
    /// 0 and 1: the value of a condition.
    pub const TRUTH: Interval = Interval { min: 0, max: 1 };

    /// Returns the values of an integer type; those of 64 bits as far as intervals reach.
    pub fn of(dtype: DType) -> Interval {
        let (min, max) = limits(dtype);
        Interval {
            min: min.max(i64::MIN.into()) as i64,
            max: max.min(i64::MAX.into()) as i64,
        }
    }

    /// Returns the interval of one integer.
    pub const fn exact(value: i64) -> Interval {
        Interval {
            min: value,
            max: value,
        }
    }

    /// Returns the integers from `min` on.
    pub const fn from(min: i64) -> Interval {
        Interval { min, max: i64::MAX }
    }

    /// Returns the only member, if there is only one.
    pub fn as_exact(self) -> Option<i64> {
        (self.min == self.max).then_some(self.min)
    }

    /// Returns whether a number is a member.
    pub fn contains(self, value: i64) -> bool {
        (self.min..=self.max).contains(&value)
    }

    /// Returns whether both ends are bounded.
    pub fn is_bounded(self) -> bool {
        self.min != i64::MIN && self.max != i64::MAX
    }

    /// Returns whether both ends are well below the limits of wide types, as those of on-chip sizes and offsets are.
    pub fn is_near(self) -> bool {
        const FAR: i64 = 1 << 24;
        self.min > -FAR && self.max < FAR
    }

    /// Returns the largest member, if there is a bound.
    pub fn most(self) -> Option<i64> {
        Some(self.max).filter(|&max| max != i64::MAX)
    }

    /// Returns the smallest interval that contains both.
    pub fn hull(self, other: Interval) -> Interval {
        Interval {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// Returns the common members, or `None` if there are none.
    pub fn meet(self, other: Interval) -> Option<Interval> {
        let (min, max) = (self.min.max(other.min), self.max.min(other.max));
        (min <= max).then_some(Interval { min, max })
    }

    /// Returns the interval of sums.
    pub fn plus(self, other: Interval) -> Interval {
        Interval {
            min: add_bound(self.min, other.min, i64::MIN),
            max: add_bound(self.max, other.max, i64::MAX),
        }
    }

    /// Returns the interval of products with a constant.
    pub fn times(self, factor: i64) -> Interval {
        match factor {
            0 => Interval::exact(0),
            1.. => Interval {
                min: scale_bound(self.min, factor),
                max: scale_bound(self.max, factor),
            },
            _ => Interval {
                min: scale_bound(self.max, factor),
                max: scale_bound(self.min, factor),
            },
        }
    }

    /// Returns an interval of the results of an operation.
    pub fn binary(op: BinaryOp, a: Interval, b: Interval) -> Interval {
        if let (Some(x), Some(y)) = (a.as_exact(), b.as_exact())
            && let Some(value) = fold_int(op, x, y)
        {
            return Interval::exact(value);
        }
        match op {
            BinaryOp::Add => a.plus(b),
            BinaryOp::Sub => a.plus(b.times(-1)),
            BinaryOp::Mul => product(a, b),
            BinaryOp::Min => Interval {
                min: a.min.min(b.min),
                max: a.max.min(b.max),
            },
            BinaryOp::Max => Interval {
                min: a.min.max(b.min),
                max: a.max.max(b.max),
            },
            BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::CeilDiv if b.min >= 1 => {
                quotient(op, a, b)
            }
            BinaryOp::FloorMod if b.min >= 1 => Interval {
                min: 0,
                max: match a.min >= 0 {
                    true => a.max.min(b.max.saturating_sub(1)),
                    false => b.max.saturating_sub(1),
                },
            },
            BinaryOp::Mod if b.min >= 1 => remainder(a, b.max),
            BinaryOp::AlignUp if b.min >= 1 => aligned(a, b),
            BinaryOp::BitAnd if a.min >= 0 || b.min >= 0 => Interval {
                min: 0,
                max: match (a.min >= 0, b.min >= 0) {
                    (true, true) => a.max.min(b.max),
                    (true, false) => a.max,
                    _ => b.max,
                },
            },
            // An or sets no bit above the highest one of both operands.
            BinaryOp::BitOr if a.min >= 0 && b.min >= 0 => Interval {
                min: a.min.max(b.min),
                max: all_ones(a.max.max(b.max)),
            },
            BinaryOp::Shr => match b.as_exact() {
                Some(by @ 0..=62) if a.is_bounded() => Interval {
                    min: a.min >> by,
                    max: a.max >> by,
                },
                _ => Interval::ANY,
            },
            BinaryOp::Shl => match b.as_exact() {
                // Bits are lost if the product does not fit into 64.
                Some(by @ 0..=31) if a.min >= -(1 << 31) && a.max <= 1 << 31 => a.times(1 << by),
                _ => Interval::ANY,
            },
            BinaryOp::And | BinaryOp::Or => Interval::TRUTH,
            BinaryOp::Index | BinaryOp::Multiple => a,
            _ => Interval::ANY,
        }
    }
}

fn add_bound(a: i64, b: i64, open: i64) -> i64 {
    match a == open || b == open {
        true => open,
        // Both are finite, so a sum that does not fit becomes an open end.
        false => a.saturating_add(b),
    }
}

fn is_open(bound: i64) -> bool {
    bound == i64::MIN || bound == i64::MAX
}

/// Returns the product of a bound and a factor other than 0.
fn scale_bound(bound: i64, factor: i64) -> i64 {
    let open = match (bound < 0) == (factor < 0) {
        true => i64::MAX,
        false => i64::MIN,
    };
    match is_open(bound) {
        true => open,
        false => bound.checked_mul(factor).unwrap_or(open),
    }
}

fn product(a: Interval, b: Interval) -> Interval {
    let corner = |x: i64, y: i64| match (x, y) {
        (0, _) | (_, 0) => 0,
        (x, y) if is_open(y) => scale_bound(y, x),
        (x, y) => scale_bound(x, y),
    };
    around([
        corner(a.min, b.min),
        corner(a.min, b.max),
        corner(a.max, b.min),
        corner(a.max, b.max),
    ])
}

fn around(corners: [i64; 4]) -> Interval {
    let start = Interval::exact(corners[0]);
    corners
        .into_iter()
        .fold(start, |hull, corner| hull.hull(Interval::exact(corner)))
}

/// Returns the interval of quotients by numbers of at least 1: monotone in both operands on either side of
/// zero.
fn quotient(op: BinaryOp, a: Interval, b: Interval) -> Interval {
    let corner = |x: i64, y: i64| match (is_open(x), is_open(y)) {
        (true, _) => x,
        (false, false) => fold_int(op, x, y).unwrap_or(x),
        // A finite number divided by one without bound: only rounding is left.
        (false, true) => match op {
            BinaryOp::CeilDiv => (x > 0) as i64,
            BinaryOp::FloorDiv => -((x < 0) as i64),
            _ => 0,
        },
    };
    around([
        corner(a.min, b.min),
        corner(a.min, b.max),
        corner(a.max, b.min),
        corner(a.max, b.max),
    ])
}

/// Returns the interval of remainders, which have the sign of the dividend.
fn remainder(a: Interval, divisor: i64) -> Interval {
    let most = divisor.saturating_sub(1);
    Interval {
        min: if a.min >= 0 { 0 } else { a.min.max(-most) },
        max: if a.max <= 0 { 0 } else { a.max.min(most) },
    }
}

/// Returns the interval of numbers rounded up to multiples; negative ones become at most 0.
fn aligned(a: Interval, b: Interval) -> Interval {
    let slack = b.max.saturating_sub(1);
    Interval {
        min: a.min,
        max: match a.max {
            ..=0 => 0,
            max => match b.as_exact().filter(|_| max != i64::MAX) {
                Some(by) => max
                    .checked_add(slack)
                    .map_or(i64::MAX, |up| up - up.rem_euclid(by)),
                None => add_bound(max, slack, i64::MAX),
            },
        },
    }
}

/// Returns the smallest number of the form 2^n - 1 that is at least `value`.
fn all_ones(value: i64) -> i64 {
    match value {
        i64::MAX => i64::MAX,
        value => ((value as u64 + 1).next_power_of_two() - 1).min(i64::MAX as u64) as i64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation, on every pair of small intervals: results of members are members.
    #[test]
    fn results_of_members_are_members() {
        use BinaryOp::*;
        let ops = [
            Add, Sub, Mul, Div, Mod, FloorDiv, FloorMod, CeilDiv, AlignUp, Min, Max, BitAnd, BitOr,
            BitXor, Shl, Shr, And, Or,
        ];
        let mut intervals = Vec::new();
        for min in -4..=5 {
            for max in min..=5 {
                intervals.push(Interval { min, max });
            }
        }
        for &a in &intervals {
            for &b in &intervals {
                for op in ops {
                    let result = Interval::binary(op, a, b);
                    for x in a.min..=a.max {
                        for y in b.min..=b.max {
                            // Operations without a result, such as a division by 0, claim nothing.
                            if let Some(value) = fold_int(op, x, y) {
                                assert!(result.contains(value), "{op:?} {a:?} {b:?} {result:?}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn open_sides_stay_open() {
        let any = Interval::ANY;
        assert_eq!(any.plus(Interval::exact(-1)), any);
        assert_eq!(any.times(-3), any);
        assert_eq!(Interval::from(2).times(-1).min, i64::MIN);
        let tile = Interval::exact(128);
        assert_eq!(Interval::binary(BinaryOp::Min, tile, any).max, 128);
        assert_eq!(
            Interval::binary(BinaryOp::CeilDiv, Interval::from(1), tile),
            Interval::from(1)
        );
    }
}

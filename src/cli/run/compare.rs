//! Results against expected values.

use super::npy::Array;
use crate::machine::memory::Memory;
use crate::machine::{BoundGlobal, number};
use crate::report::run::{Difference, Verdict, element};

/// Differences that are listed.
const MAX_DIFFERENCES: usize = 8;

/// How far results may be off.
#[derive(Clone, Copy, Debug)]
pub struct Tolerance {
    /// In proportion to the expected value.
    pub relative: f64,
    /// In any case.
    pub absolute: f64,
}

impl Tolerance {
    /// Whether a value is as expected. NaN agrees with NaN, infinities with themselves.
    fn accepts(self, actual: f64, expected: f64) -> bool {
        let is_close = (actual - expected).abs() <= self.absolute + self.relative * expected.abs();
        actual == expected
            || actual.is_nan() && expected.is_nan()
            || expected.is_finite() && is_close
    }
}

/// Compares a tensor element by element; undefined elements differ from everything.
pub fn compare(
    global: &BoundGlobal,
    memory: &Memory,
    expected: Array,
    tolerance: Tolerance,
) -> Verdict {
    if global.shape != expected.shape {
        return Verdict::Shape {
            actual: global.shape.clone(),
            expected: expected.shape,
        };
    }
    let wanted = Memory::from_bytes(expected.bytes);
    let elements = global.shape.iter().product::<i64>() as usize;
    let (mut differing, mut largest, mut first) = (0, 0.0_f64, Vec::new());
    for index in 0..elements {
        let size = expected.dtype.bits() as usize / 8;
        let expected = number(&wanted, expected.dtype, index * size, 0);
        let actual = element(memory, global.dtype, index);
        largest = largest.max(actual.map_or(0.0, |actual| (actual - expected).abs()));
        if actual.is_some_and(|actual| tolerance.accepts(actual, expected)) {
            continue;
        }
        differing += 1;
        if first.len() < MAX_DIFFERENCES {
            first.push(Difference {
                index: coordinates(index, &global.shape),
                actual,
                expected,
            });
        }
    }
    Verdict::Values {
        elements,
        differing,
        largest,
        first,
    }
}

/// The index along every axis of a flat, row-major index.
fn coordinates(mut index: usize, shape: &[i64]) -> Vec<i64> {
    let mut coordinates: Vec<i64> = Vec::with_capacity(shape.len());
    for &extent in shape.iter().rev() {
        coordinates.push(index as i64 % extent);
        index /= extent as usize;
    }
    coordinates.reverse();
    coordinates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tolerances_follow_numpy() {
        let tolerance = Tolerance {
            relative: 0.1,
            absolute: 0.5,
        };
        assert!(tolerance.accepts(11.5, 10.0) && !tolerance.accepts(11.6, 10.0));
        assert!(tolerance.accepts(f64::NAN, f64::NAN) && !tolerance.accepts(f64::NAN, 1.0));
        let infinity = f64::INFINITY;
        assert!(tolerance.accepts(infinity, infinity) && !tolerance.accepts(1.0, infinity));
    }

    #[test]
    fn flat_indices_become_coordinates() {
        assert_eq!(coordinates(7, &[2, 2, 3]), [1, 0, 1]);
    }
}

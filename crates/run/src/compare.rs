//! Compares results with expected values.

use super::array::{Values, exact};
use super::error::RunError;
use super::history::History;
use a2lint_ir::Number;
use a2lint_isa::DType;
use a2lint_machine::memory::Memory;

/// Upper bound on the differences that are listed.
const MAX_DIFFERENCES: usize = 8;
/// Relative tolerance of exact results.
const EXACT_RELATIVE: f64 = 1e-9;
/// Absolute tolerance of exact results, relative to the largest expected one: doubles have an epsilon of 2.2e-16, and
/// an element may be the small difference of large ones.
const EXACT_ABSOLUTE: f64 = 1e-12;

/// The expected contents of a tensor.
#[derive(Clone, Debug)]
pub struct Expected {
    /// The tensor.
    pub name: String,
    /// Where the values come from, for messages.
    pub source: String,
    /// Extents.
    pub shape: Vec<i64>,
    /// The values, row-major.
    pub values: Values,
}

impl Expected {
    /// Returns the values with one axis.
    pub(crate) fn flat(self) -> Expected {
        Expected {
            shape: vec![self.shape.iter().product()],
            ..self
        }
    }

    /// Returns the error if exact results differ from these values and the values are no doubles: rounding a
    /// reference to float changes it by more than the tolerance. A reference of copied values needs no doubles.
    pub(crate) fn rounded(&self) -> Option<RunError> {
        match self.values {
            Values::Elements(dtype, ..) if dtype.is_float() => Some(RunError::RoundedReference {
                path: self.source.clone(),
                dtype,
            }),
            _ => None,
        }
    }
}

/// How far results may differ. The defaults depend on the type of the result.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tolerance {
    /// Tolerance relative to the expected value.
    pub relative: Option<f64>,
    /// Absolute tolerance, added to the relative one.
    pub absolute: Option<f64>,
}

impl Tolerance {
    /// Returns relative and absolute tolerance for exact results, of which the largest expected one has this
    /// magnitude: sums in another order differ by far less.
    fn of_exact(self, largest: f64) -> [f64; 2] {
        [
            self.relative.unwrap_or(EXACT_RELATIVE),
            self.absolute.unwrap_or(EXACT_ABSOLUTE * largest),
        ]
    }

    /// Returns relative and absolute tolerance for results of a type. Integers have to be equal.
    pub fn of(self, dtype: DType) -> [f64; 2] {
        let [relative, absolute] = match dtype {
            DType::Half => [1e-3, 1e-3],
            DType::BFloat16 => [1e-2, 1e-2],
            DType::Float => [1e-4, 1e-5],
            _ => [0.0, 0.0],
        };
        [
            self.relative.unwrap_or(relative),
            self.absolute.unwrap_or(absolute),
        ]
    }
}

/// The comparison of a result with expected values.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The tensor.
    pub name: String,
    /// Where the expected values come from.
    pub path: String,
    /// Whether the results are those of exact arithmetic.
    pub is_exact: bool,
    /// The outcome.
    pub verdict: Verdict,
    /// The history of the first wrong element.
    pub history: Option<History>,
}

/// The outcome of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The shapes differ.
    Shape {
        /// The shape of the result.
        actual: Vec<i64>,
        /// The expected shape.
        expected: Vec<i64>,
    },
    /// There is no result, because the run ended before.
    Missing,
    /// Values were compared.
    Values(Box<Differences>),
}

/// The differences between values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Differences {
    /// Number of elements.
    pub elements: usize,
    /// Whether the elements are integers.
    pub is_whole: bool,
    /// Number of elements outside of the tolerance, including undefined ones.
    pub differing: usize,
    /// Number of undefined elements.
    pub undefined: usize,
    /// Largest absolute difference of defined numbers.
    pub largest: f64,
    /// Largest difference relative to the expected value, over expected values other than 0.
    pub largest_relative: f64,
    /// Largest difference in units in the last place of the result's type; `None` for integers.
    pub largest_ulp: Option<f64>,
    /// Relative and absolute tolerance.
    pub tolerance: [f64; 2],
    /// The absolute tolerance with which all elements would agree, with the same relative one; `None` if no
    /// tolerance is sufficient.
    pub sufficient: Option<f64>,
    /// The first differences.
    pub first: Vec<Difference>,
}

/// An element that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The flat index of the element.
    pub flat: usize,
    /// The index of the element.
    pub index: Vec<i64>,
    /// The result; `None` if it is undefined.
    pub actual: Option<f64>,
    /// The expected value.
    pub expected: f64,
}

impl Comparison {
    /// Returns whether all elements agree.
    pub fn agrees(&self) -> bool {
        matches!(&self.verdict, Verdict::Values(values) if values.differing == 0)
    }

    /// Returns the flat index of the first wrong element.
    pub fn first_wrong(&self) -> Option<usize> {
        match &self.verdict {
            Verdict::Values(values) => Some(values.first.first()?.flat),
            _ => None,
        }
    }
}

/// Values that a run has computed.
pub trait Results {
    /// Returns the type of the elements.
    fn dtype(&self) -> DType;
    /// Returns the value at a flat index; `None` if it is undefined.
    fn get(&self, index: usize) -> Option<Number>;
    /// Returns whether the values are those of exact arithmetic.
    fn are_exact(&self) -> bool {
        false
    }
}

/// The results of a run in exact arithmetic: each float as it is without any rounding on the way to it
/// ([`Options::following`](a2lint_machine::Options::following)).
#[derive(Clone, Copy, Debug)]
pub struct Exact<'m>(pub DType, pub &'m Memory);

impl Results for Exact<'_> {
    fn dtype(&self) -> DType {
        self.0
    }

    fn get(&self, index: usize) -> Option<Number> {
        let Exact(dtype, memory) = *self;
        let real = (dtype, memory).get(index)?;
        let size = dtype.bytes_of(1) as usize;
        let exact = memory.exactly(index * size, dtype);
        Some(exact.map_or(real, |exact| Number::Float(exact.value)))
    }

    fn are_exact(&self) -> bool {
        self.0.is_float()
    }
}

impl Results for (DType, &Memory) {
    fn dtype(&self) -> DType {
        self.0
    }

    fn get(&self, index: usize) -> Option<Number> {
        let bits = self.0.bits() as usize;
        let range = index * bits / 8..((index + 1) * bits).div_ceil(8);
        self.1
            .all_defined(range)
            .then(|| exact(self.1, self.0, index))
    }
}

/// Compares a tensor element by element. Undefined elements differ from everything.
pub fn compare(
    results: &dyn Results,
    shape: &[i64],
    expected: Expected,
    tolerance: Tolerance,
) -> Comparison {
    let verdict = match shape == expected.shape {
        true => {
            let values = expected.values.into_type(results.dtype());
            Verdict::Values(Box::new(differences(results, shape, &values, tolerance)))
        }
        false => Verdict::Shape {
            actual: shape.to_vec(),
            expected: expected.shape,
        },
    };
    Comparison {
        name: expected.name,
        path: expected.source,
        is_exact: results.are_exact(),
        verdict,
        history: None,
    }
}

fn differences(
    results: &dyn Results,
    shape: &[i64],
    expected: &Values,
    tolerance: Tolerance,
) -> Differences {
    let dtype = results.dtype();
    let is_exact = results.are_exact();
    let tolerance = match is_exact {
        true => tolerance.of_exact(largest(expected)),
        false => tolerance.of(dtype),
    };
    let mut found = Differences {
        elements: expected.len(),
        // Exact values are not rounded to the type.
        is_whole: !dtype.is_float(),
        largest_ulp: (dtype.is_float() && !is_exact).then_some(0.0),
        tolerance,
        sufficient: Some(0.0),
        ..Differences::default()
    };
    for index in 0..expected.len() {
        let (actual, expected) = (results.get(index), expected.get(index));
        found.undefined += usize::from(actual.is_none());
        let agrees = actual.is_some_and(|actual| found.accepts(dtype, actual, expected));
        if agrees {
            continue;
        }
        found.differing += 1;
        if found.first.len() < MAX_DIFFERENCES {
            found.first.push(Difference {
                flat: index,
                index: coordinates(index, shape),
                actual: actual.map(Number::as_float),
                expected: expected.as_float(),
            });
        }
        if actual.is_none() {
            found.sufficient = None;
        }
    }
    found
}

impl Differences {
    /// Returns whether a value is accepted; records how far it differs. NaN equals NaN, and infinities equal
    /// themselves.
    fn accepts(&mut self, dtype: DType, actual: Number, expected: Number) -> bool {
        if actual == expected {
            return true;
        }
        let difference = match (actual, expected) {
            (Number::Int(actual), Number::Int(expected)) => (actual - expected).abs() as f64,
            _ => (actual.as_float() - expected.as_float()).abs(),
        };
        let (actual, expected) = (actual.as_float(), expected.as_float());
        if actual == expected && difference == 0.0 || actual.is_nan() && expected.is_nan() {
            return true;
        }
        if !difference.is_finite() {
            // An infinity or NaN on one side only: no tolerance is sufficient.
            self.largest = f64::INFINITY;
            self.largest_relative = f64::INFINITY;
            self.sufficient = None;
            return false;
        }
        let [relative, absolute] = self.tolerance;
        self.largest = self.largest.max(difference);
        if expected != 0.0 {
            self.largest_relative = self.largest_relative.max(difference / expected.abs());
        }
        if let Some(ulp) = &mut self.largest_ulp {
            *ulp = ulp.max(difference / spacing(dtype, expected));
        }
        // NumPy's rule: |actual - expected| <= absolute + relative * |expected|.
        let missing = difference - relative * expected.abs();
        self.sufficient = self.sufficient.map(|most| most.max(missing));
        missing <= absolute
    }
}

/// Returns the largest magnitude of finite values.
fn largest(values: &Values) -> f64 {
    let all = (0..values.len()).map(|index| values.get(index).as_float().abs());
    all.filter(|value| value.is_finite()).fold(0.0, f64::max)
}

/// Returns the distance from a number to the next one of a type.
fn spacing(dtype: DType, value: f64) -> f64 {
    let (fraction_bits, least_exponent) = match dtype {
        DType::Half => (10, -14),
        DType::BFloat16 => (7, -126),
        _ => (23, -126),
    };
    let exponent = match value.is_normal() {
        true => (value.to_bits() >> 52 & 0x7FF) as i32 - 1023,
        false => least_exponent,
    };
    // Subnormal numbers are spaced like the smallest normal ones.
    f64::from(exponent.max(least_exponent) - fraction_bits).exp2()
}

/// Returns the index along each axis for a flat, row-major index.
pub fn coordinates(mut index: usize, shape: &[i64]) -> Vec<i64> {
    let mut coordinates: Vec<i64> = Vec::with_capacity(shape.len());
    for &extent in shape.iter().rev() {
        let extent = extent.max(1);
        coordinates.push(index as i64 % extent);
        index /= extent as usize;
    }
    coordinates.reverse();
    coordinates
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(tolerance: [f64; 2], actual: f64, expected: f64) -> bool {
        let mut found = Differences {
            tolerance,
            ..Differences::default()
        };
        found.accepts(DType::Float, Number::Float(actual), Number::Float(expected))
    }

    #[test]
    fn tolerances_follow_numpy() {
        let near = |actual, expected| accepts([0.1, 0.5], actual, expected);
        assert!(near(11.5, 10.0) && !near(11.6, 10.0));
        assert!(near(f64::NAN, f64::NAN) && !near(f64::NAN, 1.0));
        let infinity = f64::INFINITY;
        assert!(near(infinity, infinity) && !near(1.0, infinity) && !near(infinity, 1.0));
    }

    #[test]
    fn exact_results_may_differ_as_sums_of_doubles_do() {
        struct Of(Vec<f64>);
        impl Results for Of {
            fn dtype(&self) -> DType {
                DType::Half
            }
            fn get(&self, index: usize) -> Option<Number> {
                Some(Number::Float(self.0[index]))
            }
            fn are_exact(&self) -> bool {
                true
            }
        }
        let differing = |actual: [f64; 2], tolerance: Tolerance| {
            let expected = Values::Doubles(vec![1.0, 1e4]);
            let found = differences(&Of(actual.to_vec()), &[2], &expected, tolerance);
            assert_eq!(found.largest_ulp, None);
            found.differing
        };
        let usual = Tolerance::default();
        assert_eq!(differing([1.0 + 1e-9, 1e4 + 1e-6], usual), 0);
        // A single rounding to float is a difference.
        assert_eq!(differing([1.0 + 6e-8, 1e4 + 1e-4], usual), 2);
        let wide = Tolerance {
            relative: Some(1e-7),
            absolute: None,
        };
        assert_eq!(differing([1.0 + 6e-8, 1e4 + 1e-4], wide), 0);
    }

    #[test]
    fn integers_are_exact() {
        let mut found = Differences::default();
        let large = i128::from(i64::MAX);
        let near = Number::Int(large - 1);
        assert!(!found.accepts(DType::Int64, near, Number::Int(large)));
        assert_eq!(found.largest, 1.0);
    }

    #[test]
    fn errors_are_counted_in_units_of_the_last_place() {
        assert_eq!(spacing(DType::Half, 1.0), 2.0_f64.powi(-10));
        assert_eq!(spacing(DType::Half, 0.0), 2.0_f64.powi(-24));
        assert_eq!(spacing(DType::BFloat16, -3.0), 2.0_f64.powi(-6));
        assert_eq!(spacing(DType::Float, 1e-45), 2.0_f64.powi(-149));
    }

    #[test]
    fn flat_indices_become_coordinates() {
        assert_eq!(coordinates(7, &[2, 2, 3]), [1, 0, 1]);
    }
}

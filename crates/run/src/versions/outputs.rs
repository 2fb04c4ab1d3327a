//! Compares results of two versions: bit by bit, and as exact arithmetic would have them.

use super::super::laws::element;
use a2lint_isa::DType;
use a2lint_machine::last_place;
use a2lint_machine::memory::Memory;

/// Relative tolerance of exact results: doubles have an epsilon of 2.2e-16, and sums may be long.
const RELATIVE: f64 = 1e-9;
/// Absolute tolerance of exact results, relative to the largest one: an element may be a small difference of large
/// ones.
const ABSOLUTE: f64 = 1e-12;

/// One result of both versions in one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Elements {
    /// Number of elements.
    pub all: usize,
    /// Number of elements that differ in exact arithmetic, or of which only one version has a number.
    pub differing: usize,
    /// The first of them.
    pub first: Option<Wrong>,
    /// Largest difference of these elements, as the runs have them.
    pub largest: f64,
    /// Number of elements that are numbers in NEW and not in OLD.
    pub gained: usize,
    /// Whether the elements that differ agree within the usual tolerance of their type as the runs have them.
    pub are_near: bool,
}

/// An element that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrong {
    /// The flat index of the element.
    pub flat: usize,
    /// The value in each version; `None` if it is undefined.
    pub values: [Option<f64>; 2],
    /// The exact value in each version; `None` if it is undefined.
    pub exact: [Option<f64>; 2],
}

/// Errors of a result against exact arithmetic, over all runs that followed it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    /// Number of elements.
    pub elements: usize,
    /// The largest error in units in the last place of the exact value.
    pub max_ulp: f64,
    /// Sum of all errors in these units.
    pub sum_ulp: f64,
    /// The largest error relative to the largest exact value of its run.
    pub max_relative: f64,
}

impl Errors {
    /// Returns the mean error in units in the last place.
    pub fn mean_ulp(&self) -> f64 {
        self.sum_ulp / self.elements.max(1) as f64
    }

    /// Adds the errors of a result.
    pub fn add(&mut self, dtype: DType, memory: &Memory) {
        let size = dtype.bytes_of(1).max(1) as usize;
        let (mut largest, mut worst) = (0.0_f64, 0.0_f64);
        for index in 0..memory.capacity() / size {
            let Some((real, exact)) = element(memory, dtype, index) else {
                continue;
            };
            if !exact.is_finite() || !real.is_finite() {
                continue;
            }
            self.elements += 1;
            let error = (real - exact).abs();
            let ulp = error / last_place(dtype, exact);
            self.max_ulp = self.max_ulp.max(ulp);
            self.sum_ulp += ulp;
            largest = largest.max(exact.abs());
            worst = worst.max(error);
        }
        if largest > 0.0 {
            self.max_relative = self.max_relative.max(worst / largest);
        }
    }
}

/// Returns whether two results have the same bits, defined in the same places.
pub fn have_same_bits(one: &Memory, other: &Memory) -> bool {
    let bytes = one.capacity();
    if bytes != other.capacity() {
        return false;
    }
    if one.bytes(0..bytes) == other.bytes(0..bytes) {
        let is_whole = one.all_defined(0..bytes) && other.all_defined(0..bytes);
        return is_whole || (0..bytes).all(|at| one.defined_bits(at) == other.defined_bits(at));
    }
    (0..bytes).all(|at| {
        let range = at..at + 1;
        let defined = [one, other].map(|memory| memory.defined_bits(at));
        // Bytes that are undefined in both may hold anything.
        defined == [0, 0]
            || defined[0] == defined[1] && one.bytes(range.clone()) == other.bytes(range)
    })
}

/// Compares a result of two runs that followed exact values.
pub fn compare(dtype: DType, one: &Memory, other: &Memory) -> Elements {
    let size = dtype.bytes_of(1).max(1) as usize;
    let all = one.capacity().min(other.capacity()) / size;
    let of = |memory: &Memory, index: usize| match dtype.is_float() {
        true => element(memory, dtype, index),
        false => whole(memory, dtype, index).map(|value| (value, value)),
    };
    let exact = (0..all).filter_map(|index| Some(of(one, index)?.1.abs()));
    let largest = exact.filter(|it| it.is_finite()).fold(0.0, f64::max);
    let mut found = Elements {
        all,
        are_near: true,
        ..Elements::default()
    };
    for index in 0..all {
        let range = index * size..(index + 1) * size;
        let pair = [one, other].map(|memory| of(memory, index));
        let agrees = match pair {
            [None, None] => true,
            [Some(old), Some(new)] if dtype.is_float() => {
                let is_gained = !(old.0.is_finite() && old.1.is_finite())
                    && new.0.is_finite()
                    && new.1.is_finite();
                found.gained += usize::from(is_gained);
                is_gained || agree(old, new, largest)
            }
            [Some(_), Some(_)] => one.bytes(range.clone()) == other.bytes(range),
            _ => false,
        };
        if agrees {
            continue;
        }
        found.differing += 1;
        if let [Some((old, _)), Some((new, _))] = pair {
            found.largest = found.largest.max((old - new).abs());
        }
        found.are_near &= is_near(dtype, pair);
        found.first.get_or_insert(Wrong {
            flat: index,
            values: pair.map(|it| it.map(|(real, _)| real)),
            exact: pair.map(|it| it.map(|(_, exact)| exact)),
        });
    }
    found
}

fn whole(memory: &Memory, dtype: DType, index: usize) -> Option<f64> {
    let size = dtype.bytes_of(1).max(1) as usize;
    let at = index * size;
    let is_defined = memory.all_defined(at..at + size);
    is_defined.then(|| a2lint_machine::number(memory, dtype, at, 0))
}

/// Returns whether a float of both versions, each with its exact value, is the same. A number that only NEW loses is a
/// difference, whatever exact arithmetic says.
fn agree(old: (f64, f64), new: (f64, f64), largest: f64) -> bool {
    let is_lost = old.0.is_finite() && !new.0.is_finite();
    if is_lost {
        return false;
    }
    let (old, new) = (old.1, new.1);
    match old.is_finite() && new.is_finite() {
        true => (old - new).abs() <= RELATIVE * old.abs() + ABSOLUTE * largest,
        // An overflow of doubles says nothing about which of two infinities or NaN it had to be.
        false => !old.is_finite() && !new.is_finite(),
    }
}

fn is_near(dtype: DType, pair: [Option<(f64, f64)>; 2]) -> bool {
    let [Some((old, _)), Some((new, _))] = pair else {
        return false;
    };
    let [relative, absolute] = match dtype.is_float() {
        true => crate::Tolerance::default().of(dtype),
        // Rounding decides between neighbours.
        false => [0.0, 1.0],
    };
    (old - new).abs() <= absolute + relative * old.abs()
}

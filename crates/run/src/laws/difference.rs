//! Compares the results of two runs.

use half::{bf16, f16};

use a2lint_ir::GlobalId;
use a2lint_isa::DType;
use a2lint_machine::memory::Memory;
use a2lint_machine::{BoundLaunch, Outcome, number};

/// A difference between two runs in a tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The tensor.
    pub global: GlobalId,
    /// The first element that differs.
    pub element: usize,
    /// The values of the element in both runs; `None` if undefined.
    pub values: [Option<f64>; 2],
    /// Number of elements that differ.
    pub count: usize,
    /// Number of elements.
    pub all: usize,
    /// Whether all differences are as small as reordered sums can cause.
    pub is_rounding: bool,
}

/// Largest difference that reordered sums cause, in units in the last place of the largest element. Sums in float
/// have many terms; shorter types are rounded once per result.
const UNITS: [(DType, f64); 3] = [
    (DType::Float, 64.0),
    (DType::Half, 4.0),
    (DType::BFloat16, 4.0),
];

/// Returns the first of some tensors of the launch that differs between two runs. NaN equals NaN, and zeros of either
/// sign are equal.
pub fn first(
    tensors: &[GlobalId],
    launch: &BoundLaunch,
    one: &Outcome,
    other: &Outcome,
) -> Option<Difference> {
    tensors.iter().find_map(|&global| {
        let index = global.index();
        let dtype = launch.globals[index].dtype;
        let found = of_tensor(dtype, &one.globals[index], &other.globals[index])?;
        Some(Difference { global, ..found })
    })
}

fn of_tensor(dtype: DType, one: &Memory, other: &Memory) -> Option<Difference> {
    let bytes = one.capacity().min(other.capacity());
    let is_defined = |memory: &Memory| memory.all_defined(0..bytes);
    let same = one.bytes(0..bytes) == other.bytes(0..bytes);
    if same && is_defined(one) && is_defined(other) {
        return None;
    }
    let size = dtype.bytes_of(1).max(1) as usize;
    let all = bytes / size;
    let (mut count, mut worst, mut first) = (0, 0.0_f64, None);
    let (mut largest, mut is_finite) = (0.0_f64, true);
    for element in 0..all {
        let values = [one, other].map(|memory| value(memory, dtype, element * size, size));
        if let [Some(a), Some(b)] = values {
            largest = largest.max(finite(a)).max(finite(b));
            if a == b || a.is_nan() && b.is_nan() {
                continue;
            }
            worst = worst.max((a - b).abs());
            is_finite &= a.is_finite() && b.is_finite();
        } else if values == [None, None] {
            continue;
        } else {
            // An element that only one run defines is no difference of rounding.
            is_finite = false;
        }
        count += 1;
        first.get_or_insert((element, values));
    }
    let (element, values) = first?;
    let unit = UNITS.iter().find(|(known, _)| *known == dtype);
    let rounding = unit.map_or(0.0, |(_, units)| units * last_place(dtype) * largest);
    Some(Difference {
        global: GlobalId(0),
        element,
        values,
        count,
        all,
        is_rounding: is_finite && worst <= rounding,
    })
}

fn finite(value: f64) -> f64 {
    match value.is_finite() {
        true => value.abs(),
        false => 0.0,
    }
}

/// Returns the machine epsilon of a type.
fn last_place(dtype: DType) -> f64 {
    match dtype {
        DType::Half => f16::EPSILON.to_f64(),
        DType::BFloat16 => bf16::EPSILON.to_f64(),
        _ => f64::from(f32::EPSILON),
    }
}

fn value(memory: &Memory, dtype: DType, at: usize, size: usize) -> Option<f64> {
    let is_defined = memory.all_defined(at..at + size);
    is_defined.then(|| number(memory, dtype, at, 0))
}

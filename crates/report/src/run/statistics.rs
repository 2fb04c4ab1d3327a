//! Statistics of a tensor.

use a2lint_isa::DType;
use a2lint_machine::memory::Memory;
use a2lint_machine::{BoundGlobal, number};

/// Statistics of the elements of a tensor. Undefined elements and NaN only count in their own fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Number of elements.
    pub elements: usize,
    /// Number of undefined elements.
    pub undefined: usize,
    /// Number of elements that are NaN.
    pub nan: usize,
    /// The smallest value.
    pub min: Option<f64>,
    /// The largest value.
    pub max: Option<f64>,
    /// The mean of the values.
    pub mean: Option<f64>,
}

impl Statistics {
    /// Computes the statistics of a tensor.
    pub fn of(global: &BoundGlobal, memory: &Memory) -> Statistics {
        let elements = 0..element_count(global);
        Self::of_elements(elements.map(|index| element(memory, global.dtype, index)))
    }

    /// Computes the statistics of values; `None` is an undefined one.
    pub fn of_elements(elements: impl Iterator<Item = Option<f64>>) -> Statistics {
        let mut statistics = Statistics::default();
        let (mut sum, mut numbers) = (0.0, 0_usize);
        for element in elements {
            statistics.elements += 1;
            match element {
                None => statistics.undefined += 1,
                Some(value) if value.is_nan() => statistics.nan += 1,
                Some(value) => {
                    statistics.min = Some(statistics.min.map_or(value, |min| min.min(value)));
                    statistics.max = Some(statistics.max.map_or(value, |max| max.max(value)));
                    sum += value;
                    numbers += 1;
                }
            }
        }
        statistics.mean = (numbers > 0).then(|| sum / numbers as f64);
        statistics
    }
}

/// Returns the number of elements of a tensor.
pub fn element_count(global: &BoundGlobal) -> usize {
    global.shape.iter().product::<i64>() as usize
}

/// Returns the element at a flat index; `None` if it is undefined.
pub fn element(memory: &Memory, dtype: DType, index: usize) -> Option<f64> {
    let bit = index * dtype.bits() as usize;
    let range = bit / 8..(bit + dtype.bits() as usize).div_ceil(8);
    let address = range.start;
    let is_defined = memory.all_defined(range);
    is_defined.then(|| number(memory, dtype, address, (bit % 8) as i64))
}

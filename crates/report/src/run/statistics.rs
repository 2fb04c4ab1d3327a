//! A tensor in a few numbers.

use a2lint_isa::DType;
use a2lint_machine::memory::Memory;
use a2lint_machine::{BoundGlobal, number};

/// What a tensor holds, in a few numbers. Undefined elements count in none but their own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Elements in all.
    pub elements: usize,
    /// Elements that were never written.
    pub undefined: usize,
    /// Elements that are not a number.
    pub nan: usize,
    /// Smallest number.
    pub min: Option<f64>,
    /// Largest number.
    pub max: Option<f64>,
    /// Mean of the numbers.
    pub mean: Option<f64>,
}

impl Statistics {
    /// Looks at every element of a tensor.
    pub fn of(global: &BoundGlobal, memory: &Memory) -> Statistics {
        let elements = 0..element_count(global);
        Self::of_elements(elements.map(|index| element(memory, global.dtype, index)))
    }

    /// Looks at values, `None` being an undefined one.
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

/// Number of elements of a tensor.
pub fn element_count(global: &BoundGlobal) -> usize {
    global.shape.iter().product::<i64>() as usize
}

/// The element at a flat index; `None` where it is undefined.
pub fn element(memory: &Memory, dtype: DType, index: usize) -> Option<f64> {
    let bit = index * dtype.bits() as usize;
    let range = bit / 8..(bit + dtype.bits() as usize).div_ceil(8);
    let address = range.start;
    let is_defined = memory.all_defined(range);
    is_defined.then(|| number(memory, dtype, address, (bit % 8) as i64))
}

//! Arrays as values of expressions.

use super::{EvalError, Number};
use a2lint_isa::DType;

/// Elements in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Element type.
    pub dtype: DType,
    /// Extents; empty for a single element.
    pub shape: Vec<usize>,
    /// The elements; `None` if undefined.
    pub elements: Vec<Option<f64>>,
}

impl Array {
    /// Returns the element of an array with one element.
    ///
    /// # Errors
    /// The array has several elements, or its element is undefined.
    pub fn number(&self) -> Result<Number, EvalError> {
        match self.elements[..] {
            [Some(value)] if self.dtype.is_float() => Ok(Number::Float(value)),
            [Some(value)] => Ok(Number::Int(value as i128)),
            [None] => Err(EvalError::new("it is undefined")),
            _ => Err(EvalError::new(format!(
                "it has {} elements: `any`, `all`, `sum`, `min` and `max` make one of them",
                self.elements.len()
            ))),
        }
    }

    /// Applies a function to every element.
    pub fn map(&self, dtype: DType, function: impl Fn(f64) -> f64) -> Array {
        let elements = self.elements.iter();
        Array {
            dtype,
            shape: self.shape.clone(),
            elements: elements.map(|element| element.map(&function)).collect(),
        }
    }

    /// Applies a function to the elements of two arrays. Extents of 1 are broadcast.
    ///
    /// # Errors
    /// The shapes cannot be broadcast together.
    pub fn zip(
        &self,
        other: &Array,
        dtype: DType,
        function: impl Fn(f64, f64) -> f64,
    ) -> Result<Array, EvalError> {
        let rank = self.shape.len().max(other.shape.len());
        let padded = |shape: &[usize]| -> Vec<usize> {
            let ones = std::iter::repeat_n(1, rank - shape.len());
            ones.chain(shape.iter().copied()).collect()
        };
        let (mine, theirs) = (padded(&self.shape), padded(&other.shape));
        let mut shape = Vec::with_capacity(rank);
        for (&a, &b) in mine.iter().zip(&theirs) {
            shape.push(match (a, b) {
                (1, extent) | (extent, 1) => extent,
                (a, b) if a == b => a,
                _ => {
                    let (mine, theirs) = (&self.shape, &other.shape);
                    let message = format!("{mine:?} and {theirs:?} elements do not fit together");
                    return Err(EvalError::new(message));
                }
            });
        }
        let count: usize = shape.iter().product();
        let elements = (0..count).map(|flat| {
            let a = self.elements[repeated(flat, &shape, &mine)]?;
            let b = other.elements[repeated(flat, &shape, &theirs)]?;
            Some(function(a, b))
        });
        let elements = elements.collect();
        Ok(Array {
            dtype,
            shape,
            elements,
        })
    }

    /// Iterates over the defined elements.
    pub fn defined(&self) -> impl Iterator<Item = f64> {
        self.elements.iter().copied().flatten()
    }

    /// Returns the number of undefined elements.
    pub fn undefined(&self) -> usize {
        self.elements.iter().filter(|it| it.is_none()).count()
    }
}

/// Returns the flat index in a shape whose extents of 1 are broadcast, for a flat index in the whole shape.
fn repeated(flat: usize, whole: &[usize], own: &[usize]) -> usize {
    let (mut rest, mut at, mut stride) = (flat, 0, 1);
    for (&extent, &own) in whole.iter().zip(own).rev() {
        let index = rest % extent.max(1);
        rest /= extent.max(1);
        if own > 1 {
            at += index * stride;
        }
        stride *= own;
    }
    at
}

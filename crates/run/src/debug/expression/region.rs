//! Regions: parts of memories that expressions select.

use std::ops::Range;

use super::{Array, EvalError};
use crate::debug::Place;
use a2lint_ir::{BufferId, GlobalId, Program};
use a2lint_isa::DType;
use a2lint_machine::Inspection;

/// Upper bound on the elements that are read at once.
pub const MOST_ELEMENTS: usize = 1 << 20;

/// The memory that a region is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// A slot of a buffer.
    Slot(BufferId, i64),
    /// A global tensor.
    Tensor(GlobalId),
}

impl Base {
    /// Returns its name.
    pub fn name(self, program: &Program) -> String {
        match self {
            Base::Slot(buffer, slot) => {
                let buffer = program.buffer(buffer);
                match buffer.slots {
                    1 => buffer.name.to_string(),
                    slots => format!("{}[{}]", buffer.name, slot.rem_euclid(slots.into())),
                }
            }
            Base::Tensor(global) => program.global(global).name.to_string(),
        }
    }
}

/// An axis of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Number of elements.
    pub extent: usize,
    /// Distance between two elements, in elements of the base.
    pub stride: usize,
}

/// Regularly spaced elements of a memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// The memory.
    pub base: Base,
    /// The element type.
    pub dtype: DType,
    /// Flat, row-major index of the first element.
    pub first: usize,
    /// The axes.
    pub axes: Vec<Axis>,
    /// Number of columns of the base.
    pub pitch: usize,
}

impl Region {
    /// Returns the region of a whole base with these extents.
    pub fn whole(base: Base, dtype: DType, shape: &[usize]) -> Region {
        let mut stride = 1;
        let mut axes: Vec<Axis> = shape
            .iter()
            .rev()
            .map(|&extent| {
                let axis = Axis { extent, stride };
                stride *= extent;
                axis
            })
            .collect();
        axes.reverse();
        Region {
            base,
            dtype,
            first: 0,
            axes,
            pitch: shape.last().copied().unwrap_or(1).max(1),
        }
    }

    /// Returns its extents.
    pub fn shape(&self) -> Vec<usize> {
        self.axes.iter().map(|axis| axis.extent).collect()
    }

    /// Returns the number of elements.
    pub fn count(&self) -> usize {
        self.axes.iter().map(|axis| axis.extent).product()
    }

    /// Returns the part at an index of the first axis.
    pub fn at(&self, index: usize) -> Region {
        let mut inner = self.clone();
        let axis = inner.axes.remove(0);
        inner.first += index * axis.stride;
        inner
    }

    /// Iterates over the flat indices of its elements.
    pub(super) fn numbers(&self) -> impl Iterator<Item = usize> {
        (0..self.count()).map(|flat| {
            let (mut rest, mut number) = (flat, self.first);
            for axis in self.axes.iter().rev() {
                number += rest % axis.extent * axis.stride;
                rest /= axis.extent;
            }
            number
        })
    }

    /// Reads its elements.
    ///
    /// # Errors
    /// There are too many elements, or the memory does not contain them.
    pub fn read(&self, inspection: &mut Inspection) -> Result<Array, EvalError> {
        let count = self.count();
        if count > MOST_ELEMENTS {
            return Err(EvalError::new(format!(
                "{count} elements are too many to look at: take a part of them"
            )));
        }
        let elements = match self.base {
            Base::Slot(buffer, slot) => inspection.slot(buffer, slot).map(|snapshot| {
                let element = |at: usize| {
                    let is_defined = snapshot.defined.get(at).copied().unwrap_or(false);
                    is_defined.then(|| snapshot.values[at])
                };
                self.numbers().map(element).collect()
            }),
            Base::Tensor(global) => inspection.elements(global, &mut self.numbers()),
        };
        let elements = elements.ok_or_else(|| EvalError::new("its extents are not known here"))?;
        Ok(Array {
            dtype: self.dtype,
            shape: self.shape(),
            elements,
        })
    }

    /// Returns the memory and the byte range of the region, if it is contiguous.
    ///
    /// # Errors
    /// The region is empty, too large or not contiguous.
    pub fn bytes(&self, inspection: &mut Inspection) -> Result<(Place, Range<usize>), EvalError> {
        if !(1..=MOST_ELEMENTS).contains(&self.count()) {
            return Err(EvalError::new("name an element, or a few of them"));
        }
        let lane = inspection.lane();
        let unknown = || EvalError::new("its place in memory is not known here");
        let (mut place, mut ranges) = (None, Vec::with_capacity(self.count()));
        for number in self.numbers() {
            let (found, range) = match self.base {
                Base::Slot(buffer, slot) => {
                    let at = [number / self.pitch, number % self.pitch].map(|it| it as i64);
                    let found = inspection.element(buffer, slot, at).ok_or_else(unknown)?;
                    (Place::Local(lane, found.0), found.1)
                }
                Base::Tensor(global) => {
                    let bits = self.dtype.bits() as usize;
                    let (first, last) = (number * bits, (number + 1) * bits);
                    (Place::Global(global), first / 8..last.div_ceil(8))
                }
            };
            place = Some(found);
            ranges.push(range);
        }
        ranges.sort_by_key(|range| range.start);
        let whole = ranges[0].start..ranges[ranges.len() - 1].end;
        let follow = ranges.windows(2).all(|pair| pair[1].start <= pair[0].end);
        match (place, follow) {
            (Some(place), true) => Ok((place, whole)),
            _ => Err(EvalError::new(
                "these elements do not follow each other in memory: name an element, or a row",
            )),
        }
    }
}

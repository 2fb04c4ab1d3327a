//! Computes zero-column masks from descriptors that are known in part.

use super::KnownBits;
use a2lint_isa::masks::zero_column::{ColumnMask, Descriptor, Field, Rows, Shape};

/// A zero-column mask descriptor of which some bits are known, with the shape of the result, which the
/// meaning of the bits depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownColumnMask {
    /// The descriptor.
    pub descriptor: KnownBits,
    /// Rows of the result.
    pub rows: Option<Rows>,
    /// Shape of the result.
    pub shape: Option<Shape>,
}

impl KnownColumnMask {
    /// Makes a mask of a descriptor and a shape that are fully known.
    pub fn constant(descriptor: u64, shape: Shape) -> Self {
        Self {
            descriptor: KnownBits::constant(descriptor),
            rows: Some(shape.rows()),
            shape: Some(shape),
        }
    }

    /// Returns a field of the descriptor; `None` where a bit of it is not known.
    pub fn field(&self, field: Field) -> Option<u64> {
        let bits = self.descriptor.bits(field.bits())?;
        Some(field.of(bits))
    }

    /// Returns whether the hardware generates a mask; `None` where it is not known.
    pub fn is_generated(&self) -> Option<bool> {
        Some(self.field(Field::NonZeroMask)? == 1)
    }

    /// Returns the mask; `None` where a field that it depends on is not known. Fields of sub-masks that the
    /// shape does not have do not matter.
    pub fn mask(&self) -> Option<ColumnMask> {
        let shape = self.shape?;
        if !self.is_generated()? {
            return Some(Descriptor::default().mask(shape));
        }
        let spans = Field::NonZeroMask.bits() | Field::SkipSpan.bits() | Field::UseSpan.bits();
        let parts = 0..shape.rows().sub_masks() as u8;
        let needed = parts.fold(spans, |bits, part| {
            bits | Field::StartCount(part).bits() | Field::FirstSpan(part).bits()
        });
        let value = self.descriptor.bits(needed)?;
        Some(Descriptor::decode(value).mask(shape))
    }
}

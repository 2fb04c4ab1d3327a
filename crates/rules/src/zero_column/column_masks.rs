//! What the rules over zero-column masks share.

use crate::{MmaFacts, Report};
use a2lint_ir::mma::{Class, Mma, ZeroColumnMask};
use a2lint_isa::masks::zero_column::{ColumnMask, Descriptor, Field, Shape};

/// A mask of an instruction.
#[derive(Clone, Copy)]
pub(crate) struct Mask<'a> {
    /// The instruction.
    pub mma: Mma<'a>,
    /// Its operand, and what is known of it.
    pub mask: ZeroColumnMask<'a>,
}

/// The masks of a kernel. What one place gives to several instructions of one shape is one mask.
pub(crate) fn masks<'a>(facts: &MmaFacts<'a>) -> Vec<Mask<'a>> {
    let mut found: Vec<Mask> = Vec::new();
    for mma in facts.kernel.mmas() {
        let Some(mask) = mma.mask().filter(is_descriptor) else {
            continue;
        };
        let same = |other: &Mask| {
            other.mask.operand.origin.is_some()
                && other.mask.operand.origin == mask.operand.origin
                && other.mask.known == mask.known
                && other.mma.descriptor().map(|d| d.bits) == mma.descriptor().map(|d| d.bits)
        };
        if !found.iter().any(same) {
            found.push(Mask { mma, mask });
        }
    }
    found
}

/// Whether an operand can hold a descriptor.
fn is_descriptor(mask: &ZeroColumnMask) -> bool {
    matches!(
        mask.operand.class,
        Class::Register(64) | Class::Immediate | Class::Unknown
    )
}

impl<'a> Mask<'a> {
    /// A field, where it is known.
    pub fn field(&self, field: Field) -> Option<u64> {
        self.mask.known.field(field)
    }

    /// Bits that are certainly set.
    pub fn ones(&self) -> u64 {
        self.mask.known.descriptor.ones()
    }

    /// Whether a mask is certainly generated.
    pub fn is_generated(&self) -> bool {
        self.mask.known.is_generated() == Some(true)
    }

    /// The generated mask with its fields, where they and the shape are known. Only fields of
    /// sub-masks that the shape has count.
    pub fn generated(&self) -> Option<Generated> {
        let shape = self.mask.known.shape.filter(|_| self.is_generated())?;
        Some(Generated {
            mask: self.mask.known.mask()?,
            descriptor: Descriptor::decode(self.ones()),
            shape,
        })
    }

    /// Adds the place where the descriptor is put together.
    pub fn label<'r>(&self, report: Report<'r>) -> Report<'r> {
        match self.mask.operand.origin {
            Some(origin) => report.label(origin, "the descriptor comes from here"),
            None => report,
        }
    }
}

/// A mask that is known.
pub(crate) struct Generated {
    /// One bit for each column.
    pub mask: ColumnMask,
    /// The fields.
    pub descriptor: Descriptor,
    /// The shape of the result.
    pub shape: Shape,
}

/// `3 columns`.
pub(crate) fn columns(count: u32) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} column{plural}")
}

//! Zero-column masks with their known fields, for the rules about them.

use crate::{MmaFacts, Report};
use a2lint_ir::mma::{Class, Mma, ZeroColumnMask};
use a2lint_isa::masks::zero_column::{ColumnMask, Descriptor, Field, Shape};

/// A mask operand of an instruction.
#[derive(Clone, Copy)]
pub(crate) struct Mask<'a> {
    /// The instruction.
    pub mma: Mma<'a>,
    /// The operand, and the known bits of its descriptor.
    pub mask: ZeroColumnMask<'a>,
}

/// Returns the masks of a kernel. A descriptor that one place gives to several instructions of one shape counts
/// once.
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

/// Returns whether a mask operand can hold a descriptor: it is a 64-bit register, an immediate, or of unknown class.
fn is_descriptor(mask: &ZeroColumnMask) -> bool {
    matches!(
        mask.operand.class,
        Class::Register(64) | Class::Immediate | Class::Unknown
    )
}

impl<'a> Mask<'a> {
    /// Returns a field of the descriptor, if it is known.
    pub fn field(&self, field: Field) -> Option<u64> {
        self.mask.known.field(field)
    }

    /// Returns the bits that are known to be set.
    pub fn ones(&self) -> u64 {
        self.mask.known.descriptor.ones()
    }

    /// Returns whether the instruction is known to generate a mask.
    pub fn is_generated(&self) -> bool {
        self.mask.known.is_generated() == Some(true)
    }

    /// Returns the generated mask with its fields, if these and the shape are known. Only fields of sub-masks
    /// that the shape has are needed.
    pub fn generated(&self) -> Option<Generated> {
        let shape = self.mask.known.shape.filter(|_| self.is_generated())?;
        Some(Generated {
            mask: self.mask.known.mask()?,
            descriptor: Descriptor::decode(self.ones()),
            shape,
        })
    }

    /// Adds a label where the descriptor is computed.
    pub fn label<'r>(&self, report: Report<'r>) -> Report<'r> {
        match self.mask.operand.origin {
            Some(origin) => report.label(origin, "the descriptor comes from here"),
            None => report,
        }
    }
}

/// A generated mask that is known.
pub(crate) struct Generated {
    /// The mask, one bit for each column.
    pub mask: ColumnMask,
    /// The fields of the descriptor.
    pub descriptor: Descriptor,
    /// The shape of the result.
    pub shape: Shape,
}

/// Formats a number of columns: `3 columns`.
pub(crate) fn columns(count: u32) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} column{plural}")
}

//! Describes fifth-generation tensor-core instructions of PTX, from modules and from inline assembly.

use super::{KnownBits, KnownColumnMask};
use a2lint_isa::masks::instruction_descriptor;
use a2lint_isa::masks::zero_column::{Rows, Shape};
use a2lint_source::text::Span;

/// The tensor-core instructions of one file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unit {
    /// The version of PTX in the `.version` directive of the module.
    pub version: Option<Version>,
    /// The targets that it names: an architecture, and modes.
    pub targets: Vec<Target>,
    /// Functions with instructions of the `tcgen05` family, in source order.
    pub kernels: Vec<Kernel>,
}

/// `.version 8.6`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// The major and the minor number.
    pub number: (u32, u32),
    /// The number.
    pub span: Span,
}

/// `.target sm_100a`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The word.
    pub name: String,
    /// The place of the word.
    pub span: Span,
}

/// One function.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// The name of the function.
    pub name: String,
    /// The name where it is defined.
    pub name_span: Span,
    /// Whether all code that runs before an instruction is visible: an entry of a module that calls nothing.
    pub whole: bool,
    /// The `tcgen05` instructions of the function, in source order.
    pub instructions: Vec<Instruction>,
}

/// One instruction of the `tcgen05` family.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// The whole instruction.
    pub span: Span,
    /// Opcode and modifiers.
    pub name_span: Span,
    /// What follows `tcgen05`, in order.
    pub modifiers: Vec<Modifier>,
    /// Whether every modifier is known; macros may hide some.
    pub complete: bool,
    /// Whether a condition in the source decides if the instruction exists or runs.
    pub conditional: bool,
    /// Whether it always runs, and nothing runs twice before it: no guard, and no label or branch
    /// above.
    pub straight: bool,
    /// The operands.
    pub operands: Vec<Operand>,
}

/// A modifier, without its dot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modifier {
    /// The text of the modifier.
    pub text: String,
    /// The place of the modifier, dot included.
    pub span: Span,
}

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    /// The place of the operand.
    pub span: Span,
    /// The text of the operand.
    pub text: String,
    /// The class of the operand.
    pub class: Class,
    /// What is known of its value.
    pub bits: KnownBits,
    /// The place where the value is assigned, if there is one.
    pub origin: Option<Span>,
    /// The elements of a vector; 0 for anything else.
    pub parts: usize,
    /// The first name in it that nothing declares.
    pub undeclared: Option<String>,
}

impl Operand {
    /// Returns the text of the operand for messages.
    pub fn written(&self) -> &str {
        match self.text.as_str() {
            "" => "an operand",
            text => text,
        }
    }
}

/// The class of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A predicate register.
    Predicate,
    /// A register of this many bits.
    Register(u32),
    /// A constant.
    Immediate,
    /// `[…]`.
    Address,
    /// `{…}`.
    Vector,
    /// A name that is declared out of sight, or something else.
    Unknown,
}

impl Kernel {
    /// Returns the matrix instructions of the function.
    pub fn mmas(&self) -> impl Iterator<Item = Mma<'_>> {
        self.instructions.iter().filter_map(Mma::of)
    }
}

impl Instruction {
    /// Returns the first modifier with this text.
    pub fn modifier(&self, text: &str) -> Option<&Modifier> {
        self.modifiers.iter().find(|modifier| modifier.text == text)
    }

    /// Returns the first modifier of this family: `cta_group` of `cta_group::1`.
    pub fn family(&self, name: &str) -> Option<&Modifier> {
        self.modifiers
            .iter()
            .find(|modifier| modifier.family() == name)
    }
}

impl Modifier {
    /// Returns the text before the first colon.
    pub fn family(&self) -> &str {
        self.text.split(':').next().unwrap_or_default()
    }

    /// Returns the text after the last colon.
    pub fn last(&self) -> &str {
        self.text.rsplit(':').next().unwrap_or_default()
    }
}

/// A `tcgen05.mma` instruction with access to its operands by role.
#[derive(Clone, Copy, Debug)]
pub struct Mma<'a> {
    /// The instruction.
    pub instruction: &'a Instruction,
    /// Whether it has `.ws`: weight stationary, the form with a zero-column mask.
    pub weight_stationary: bool,
    /// Whether it has `.sp`: A is sparse, and a metadata operand precedes the instruction descriptor.
    pub sparse: bool,
}

/// The mask of a weight-stationary instruction.
#[derive(Clone, Copy, Debug)]
pub struct ZeroColumnMask<'a> {
    /// The operand.
    pub operand: &'a Operand,
    /// The known bits of the mask, with the shape.
    pub known: KnownColumnMask,
}

impl<'a> Mma<'a> {
    /// Returns the instruction, if it is a `tcgen05.mma`.
    pub fn of(instruction: &'a Instruction) -> Option<Mma<'a>> {
        instruction.modifier("mma")?;
        Some(Mma {
            instruction,
            weight_stationary: instruction.modifier("ws").is_some(),
            sparse: instruction.modifier("sp").is_some(),
        })
    }

    /// Returns the index of an operand that has index `index` in the dense form. The metadata operand of the
    /// sparse form shifts it by one.
    fn shifted(self, index: usize) -> usize {
        index + usize::from(self.sparse)
    }

    fn operand(self, index: usize) -> Option<&'a Operand> {
        self.instruction.operands.get(self.shifted(index))
    }

    /// Returns the instruction descriptor.
    pub fn descriptor(self) -> Option<&'a Operand> {
        self.operand(3)
    }

    /// Returns the predicate of `.ws`, by its position.
    pub fn predicate(self) -> Option<&'a Operand> {
        self.operand(4)
    }

    /// Returns the mask operand of `.ws`, by its position.
    pub fn mask_operand(self) -> Option<&'a Operand> {
        match self.weight_stationary {
            // The mask follows the predicate and may be left out.
            true => self.operand(5),
            false => None,
        }
    }

    /// Returns the value of a field of the instruction descriptor.
    pub fn field(self, field: instruction_descriptor::Field) -> Option<u64> {
        let bits = self.descriptor()?.bits.bits(field.bits())?;
        Some(field.of(bits))
    }

    /// Returns the rows of the result.
    pub fn rows(self) -> Option<Rows> {
        let rows = self.field(instruction_descriptor::Field::Rows)?;
        Rows::from_count(u32::try_from(rows).ok()?)
    }

    /// Returns the shape of the result.
    pub fn shape(self) -> Option<Shape> {
        let columns = self.field(instruction_descriptor::Field::Columns)?;
        Shape::new(self.rows()?.count(), u32::try_from(columns).ok()?)
    }

    /// Returns the mask, where the instruction has one.
    pub fn mask(self) -> Option<ZeroColumnMask<'a>> {
        let operand = self.mask_operand()?;
        Some(ZeroColumnMask {
            operand,
            known: KnownColumnMask {
                descriptor: operand.bits,
                rows: self.rows(),
                shape: self.shape(),
            },
        })
    }
}

impl Unit {
    /// Returns the matrix instruction around a byte offset.
    pub fn mma_at(&self, offset: u32) -> Option<Mma<'_>> {
        let mut mmas = self.kernels.iter().flat_map(Kernel::mmas);
        mmas.find(|mma| mma.instruction.span.touches(offset))
    }
}

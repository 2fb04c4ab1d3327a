//! Defines the forms of PTX `tcgen05.mma`: the legal combinations of modifiers, and their operands.
//!
//! Source: the syntax tables of the PTX manual for `tcgen05.mma`, `.sp`, `.ws` and `.ws.sp`.

/// An element kind, `.kind::f16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// What follows `kind::`.
    pub name: &'static str,
    /// Whether `.ws` supports it.
    pub weight_stationary: bool,
    /// Whether the accumulator can be scaled before the product is added.
    pub scales_input: bool,
    /// Sizes of scale vectors, for kinds that are scaled by blocks; empty for the others.
    pub scale_vectors: &'static [&'static str],
    /// Whether the size of the scale vectors has to be given.
    pub needs_vector: bool,
}

const fn plain(name: &'static str, scales_input: bool) -> Kind {
    Kind {
        name,
        weight_stationary: true,
        scales_input,
        scale_vectors: &[],
        needs_vector: false,
    }
}

const fn scaled(
    name: &'static str,
    scale_vectors: &'static [&'static str],
    needs_vector: bool,
) -> Kind {
    Kind {
        name,
        weight_stationary: false,
        scales_input: false,
        scale_vectors,
        needs_vector,
    }
}

/// Every kind.
pub const KINDS: [Kind; 7] = [
    plain("f16", true),
    plain("tf32", true),
    plain("f8f6f4", false),
    plain("i8", false),
    scaled("mxf8f6f4", &["scale_vec::1X", "block32"], false),
    scaled("mxf4", &["scale_vec::2X", "block32"], false),
    scaled(
        "mxf4nvf4",
        &["scale_vec::2X", "scale_vec::4X", "block16", "block32"],
        true,
    ),
];

impl Kind {
    /// Returns the kind of this name.
    pub fn from_name(name: &str) -> Option<Kind> {
        KINDS.into_iter().find(|kind| kind.name == name)
    }

    /// Returns whether the operands of the kind are scaled by blocks.
    pub fn is_scaled(self) -> bool {
        !self.scale_vectors.is_empty()
    }
}

/// The operand that a position takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// An address in tensor memory, in brackets.
    Address(&'static str),
    /// A descriptor of A in shared memory, or its address in tensor memory.
    A,
    /// A 64-bit descriptor.
    Descriptor(&'static str),
    /// The 32-bit instruction descriptor.
    Instruction,
    /// A vector of this number of 32-bit words that disables output lanes; optional.
    Lanes(usize),
    /// The predicate `enable-input-d`.
    Predicate,
    /// A constant from 0 to 15; optional.
    ScaleInput,
    /// The 64-bit zero-column mask; optional.
    ColumnMask,
}

impl Slot {
    /// Returns whether the operand may be left out.
    pub fn is_optional(self) -> bool {
        matches!(self, Slot::Lanes(_) | Slot::ScaleInput | Slot::ColumnMask)
    }

    /// Returns the operand in words.
    pub fn wants(self) -> String {
        match self {
            Slot::Address(what) => format!("{what}, an address in brackets"),
            Slot::A => "A: a 64-bit descriptor, or an address in brackets".to_owned(),
            Slot::Descriptor(what) => format!("{what}, a 64-bit register"),
            Slot::Instruction => "the instruction descriptor, a 32-bit register".to_owned(),
            Slot::Lanes(words) => format!("{words} words of lanes in braces"),
            Slot::Predicate => "the predicate that adds to D".to_owned(),
            Slot::ScaleInput => "the scale of D, a constant from 0 to 15".to_owned(),
            Slot::ColumnMask => "the zero-column mask, a 64-bit register".to_owned(),
        }
    }
}

/// The modifiers that determine the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Whether it has `.ws`.
    pub weight_stationary: bool,
    /// Whether it has `.sp`.
    pub sparse: bool,
    /// Whether it has `.cta_group::2`.
    pub pair: bool,
    /// The kind.
    pub kind: Kind,
}

impl Form {
    /// Returns the operands in order.
    pub fn slots(self) -> Vec<Slot> {
        let mut slots = vec![Slot::Address("D"), Slot::A, Slot::Descriptor("B")];
        if self.sparse {
            slots.push(Slot::Address("the metadata of A"));
        }
        slots.push(Slot::Instruction);
        if self.kind.is_scaled() {
            slots.push(Slot::Address("the scale factors of A"));
            slots.push(Slot::Address("the scale factors of B"));
        } else if !self.weight_stationary {
            // One bit for each of the 128 lanes of tensor memory, of one CTA or of both CTAs of a pair.
            slots.push(Slot::Lanes(if self.pair { 8 } else { 4 }));
        }
        slots.push(Slot::Predicate);
        if self.weight_stationary {
            slots.push(Slot::ColumnMask);
        } else if self.kind.scales_input {
            slots.push(Slot::ScaleInput);
        }
        slots
    }
}

/// Returns the position of a modifier in the order of modifiers, by its family; `None` for modifiers that the
/// instruction does not have.
pub fn rank(family: &str) -> Option<usize> {
    let families: [&[&str]; 9] = [
        &["mma"],
        &["ws"],
        &["sp"],
        &["cta_group"],
        &["kind"],
        &["block_scale"],
        &["scale_vec", "block16", "block32"],
        &["ashift"],
        &["collector"],
    ];
    families.iter().position(|words| words.contains(&family))
}

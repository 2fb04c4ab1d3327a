//! The closed vocabularies of the DSL: element types, positions, pipes and modes.

use serde::{Deserialize, Serialize};

/// Declares an enum whose variants carry a word, which stands beside what they mean. The last line names the function
/// that returns the word.
#[macro_export]
macro_rules! named {
    ($(#[$meta:meta])* $vis:vis enum $name:ident {
        $($(#[$of_variant:meta])* $variant:ident = $text:literal,)*
    } $(#[$of_word:meta])* fn $word:ident) => {
        $(#[$meta])*
        $vis enum $name { $($(#[$of_variant])* $variant,)* }

        #[allow(dead_code, reason = "of some enums the words are used, of others the list")]
        impl $name {
            /// Every value, in declaration order.
            pub const ALL: [$name; [$($text),*].len()] = [$($name::$variant,)*];

            $(#[$of_word])*
            pub const fn $word(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }
    };
}

/// Declares an enum whose variants carry the spelling they have in kernel sources, others that are read as well, and
/// what they mean.
macro_rules! vocabulary {
    ($(#[$meta:meta])* $name:ident {
        $($(#[doc = $doc:literal])+ $variant:ident = $text:literal $(| $other:literal)*,)*
    }) => {
        $crate::named! {
            $(#[$meta])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub enum $name { $($(#[doc = $doc])+ $variant = $text,)* }
            /// Returns the spelling in kernel sources.
            fn name
        }

        impl $name {
            /// Returns its meaning, as a sentence.
            pub fn doc(self) -> &'static str {
                match self { $($name::$variant => concat!($($doc),+).trim_start(),)* }
            }

            /// Returns the value that is spelled `name`, in any of its spellings.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text $(| $other)* => Some($name::$variant),)* _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

vocabulary! {
    /// Element types (`DT.x`), in full and in short.
    #[derive(Serialize, Deserialize)]
    DType {
        /// IEEE binary16.
        Half = "half" | "float16" | "f16",
        /// bfloat16.
        BFloat16 = "bfloat16" | "bf16",
        /// IEEE binary32.
        Float = "float" | "float32" | "f32",
        /// Signed 32-bit integer.
        Int = "int" | "int32" | "i32",
        /// Signed 8-bit integer.
        Int8 = "int8" | "i8",
        /// Signed 16-bit integer.
        Int16 = "int16" | "i16",
        /// Signed 64-bit integer.
        Int64 = "int64" | "i64",
        /// Unsigned 8-bit integer.
        UInt8 = "uint8" | "u8",
        /// Unsigned 16-bit integer.
        UInt16 = "uint16" | "u16",
        /// Unsigned 32-bit integer.
        UInt32 = "uint32" | "u32",
        /// Unsigned 64-bit integer.
        UInt64 = "uint64" | "u64",
        /// Signed 4-bit integer, two to a byte.
        Int4 = "int4",
        /// Boolean, one byte.
        Bool = "bool" | "b1",
    }
}

/// Formats a number of bytes, as `96 B`, `16 KB` or `1.5 KB`.
pub fn bytes_text(bytes: i64) -> String {
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    // Halves are rounded up, as pages in HTML round them: the same size has one text.
    let tenths = (i128::from(bytes) * 10 + 512) / 1024;
    match tenths % 10 {
        0 => format!("{} KB", tenths / 10),
        part => format!("{}.{part} KB", tenths / 10),
    }
}

/// Returns the texts of sizes that are compared: in KB where all of them are exact to one decimal, in bytes
/// otherwise, so that different sizes have different texts.
pub fn sizes_text<const N: usize>(sizes: [i64; N]) -> [String; N] {
    // Sizes that one decimal of KB states exactly.
    let is_round = |&bytes: &i64| bytes < 1024 || bytes % 1024 * 10 % 1024 == 0;
    let is_round = sizes.iter().all(is_round);
    sizes.map(|bytes| match is_round {
        true => bytes_text(bytes),
        false => format!("{bytes} bytes"),
    })
}

/// Bytes in one block, the unit of strides and of UB alignment.
pub const BLOCK_BYTES: i64 = 32;
/// Blocks that one repeat of a vector instruction walks.
pub const BLOCKS_PER_REPEAT: i64 = 8;
/// Bytes that one repeat of a vector instruction covers when its blocks lie side by side.
pub const REPEAT_BYTES: i64 = BLOCK_BYTES * BLOCKS_PER_REPEAT;

impl DType {
    /// Returns the type of a name in a comment, where types of C++ are understood as well: `int32_t`.
    pub fn from_spelling(name: &str) -> Option<DType> {
        let of_cpp = || {
            let stem = name.strip_suffix("_t")?;
            let is_spelled = stem.ends_with(|last: char| last.is_ascii_digit());
            DType::from_name(stem).filter(|_| is_spelled)
        };
        DType::from_name(name).or_else(of_cpp)
    }

    /// Returns the size in bits.
    pub const fn bits(self) -> i64 {
        match self {
            DType::Int4 => 4,
            DType::Int8 | DType::UInt8 | DType::Bool => 8,
            DType::Half | DType::BFloat16 | DType::Int16 | DType::UInt16 => 16,
            DType::Float | DType::Int | DType::UInt32 => 32,
            DType::Int64 | DType::UInt64 => 64,
        }
    }

    /// Returns the bytes of `elements` elements of this type; a trailing half byte counts as one. The result
    /// saturates.
    pub const fn bytes_of(self, elements: i64) -> i64 {
        elements
            .saturating_mul(self.bits())
            .saturating_add(7)
            .div_euclid(8)
    }

    /// Elements in a 32-byte block (C0).
    pub const fn c0(self) -> i64 {
        BLOCK_BYTES * 8 / self.bits()
    }

    /// Elements in a 256-byte repeat (E).
    pub const fn lanes(self) -> i64 {
        REPEAT_BYTES * 8 / self.bits()
    }

    /// Returns whether values are floating point.
    pub const fn is_float(self) -> bool {
        matches!(self, DType::Half | DType::BFloat16 | DType::Float)
    }

    /// Returns whether values are integers that carry a sign.
    pub const fn is_signed(self) -> bool {
        matches!(
            self,
            DType::Int | DType::Int4 | DType::Int8 | DType::Int16 | DType::Int64
        )
    }
}

vocabulary! {
    /// On-chip memories (`Position.x`).
    Position {
        /// 512 KB staging memory of the cube core.
        L1 = "L1",
        /// Left operand of the cube.
        L0A = "L0A",
        /// Right operand of the cube.
        L0B = "L0B",
        /// Accumulator of the cube.
        L0C = "L0C",
        /// Unified buffer of one vector sub-block.
        Ub = "UB",
        /// Bias table.
        Bt = "BT",
    }
}

vocabulary! {
    /// Pipes: the queues that instructions are issued to (`Pipe.x`).
    #[derive(Serialize, Deserialize)]
    Pipe {
        /// Scalar unit; the only pipe that is ordered with itself.
        S = "S",
        /// Vector unit.
        V = "V",
        /// Cube unit.
        M = "M",
        /// L1 to L0A, L0B and BT.
        Mte1 = "MTE1",
        /// GM to L1 and UB.
        Mte2 = "MTE2",
        /// UB to GM.
        Mte3 = "MTE3",
        /// L0C to GM and L1.
        Fix = "FIX",
        /// Every pipe of the core.
        All = "ALL",
    }
}

vocabulary! {
    /// Rounding of `cast` (`RoundMode.x`).
    RoundMode {
        /// No rounding asked for; lossy conversions round to even.
        None = "NONE",
        /// To nearest, ties to even.
        ToEven = "TO_EVEN",
        /// To nearest, ties away from zero: the default.
        AwayFromZero = "AWAY_FROM_ZERO",
        /// Towards minus infinity.
        Floor = "FLOOR",
        /// Towards plus infinity.
        Ceil = "CEIL",
        /// Towards zero.
        Trunc = "TRUNC",
        /// Von Neumann rounding: any lost bit sets the last kept one.
        Odd = "ODD",
    }
}

vocabulary! {
    /// Comparison of `compare` and `compare_scalar` (`CompareMode.x`).
    CompareMode {
        /// Less than.
        Lt = "LT",
        /// Greater than.
        Gt = "GT",
        /// Greater or equal.
        Ge = "GE",
        /// Less or equal.
        Le = "LE",
        /// Equal.
        Eq = "EQ",
        /// Not equal.
        Ne = "NE",
    }
}

vocabulary! {
    /// What `select` takes where the mask bit is 0 (`SelectMode.x`).
    SelectMode {
        /// The lane of `src2`.
        TensorTensor = "TENSOR_TENSOR",
        /// Element 0 of `src2`, or the scalar.
        TensorScalar = "TENSOR_SCALAR",
    }
}

vocabulary! {
    /// Layout of an L1 tensor (`Layout.x`).
    Layout {
        /// Fractal layout: columns in strips of C0, rows inside a strip.
        Nz = "NZ",
        /// Row-major.
        Nd = "ND",
        /// Elements by address: each instruction says where rows and fractals lie.
        Linear = "linear",
    }
}

impl Layout {
    /// The layouts that a declaration can name.
    pub const DECLARED: &'static [Layout] = &[Layout::Nz, Layout::Nd];
}

vocabulary! {
    /// Which of a core's lanes execute an instruction.
    Side {
        /// The cube lane.
        Cube = "cube",
        /// The two vec lanes.
        Vec = "vec",
        /// All of them.
        Both = "both",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn element_types_have_a_name_and_are_read_in_short_as_well() {
        for dtype in DType::ALL {
            assert_eq!(DType::from_name(dtype.name()), Some(dtype));
        }
        assert_eq!(DType::from_name("bf16"), Some(DType::BFloat16));
        assert_eq!(DType::from_name("float32"), Some(DType::Float));
        assert_eq!(DType::from_name("double"), None);
    }

    #[test]
    fn sizes_are_rounded_to_the_nearest_tenth_and_halves_up() {
        let texts = [1023, 1024, 35_072, 35_000, 196_608].map(bytes_text);
        assert_eq!(texts, ["1023 B", "1 KB", "34.3 KB", "34.2 KB", "192 KB"]);
    }

    #[test]
    fn sizes_that_differ_look_different() {
        assert_eq!(sizes_text([262_144, 131_072]), ["256 KB", "128 KB"]);
        assert_eq!(
            sizes_text([196_640, 196_608]),
            ["196640 bytes", "196608 bytes"]
        );
        assert_eq!(sizes_text([512, 256]), ["512 B", "256 B"]);
        assert_eq!(sizes_text([1536]), ["1.5 KB"]);
    }

    #[test]
    fn sizes_follow_the_block() {
        assert_eq!((DType::Float.c0(), DType::Float.lanes()), (8, 64));
        assert_eq!((DType::Half.c0(), DType::Half.lanes()), (16, 128));
        assert_eq!((DType::Int4.c0(), DType::Int4.bytes_of(3)), (64, 2));
        assert_eq!((DType::Int64.c0(), DType::Int64.lanes()), (4, 32));
    }
}

//! Defines element types in the spellings of AscendC and PTO.

/// Declares the types from one table: variant, bytes, C++ spellings, MLIR spellings.
macro_rules! elements {
    ($($(#[$doc:meta])* $name:ident $bytes:literal [$($cpp:literal)*] [$($mlir:literal)*];)*) => {
        /// An element type; its name is the first C++ spelling.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Element { $($(#[$doc])* $name,)* }

        impl Element {
            /// Returns the bytes of an element.
            pub const fn bytes(self) -> i64 {
                match self { $(Element::$name => $bytes,)* }
            }

            /// Returns the C++ spelling.
            pub fn name(self) -> &'static str {
                match self { $(Element::$name => [$($cpp),*][0],)* }
            }

            /// Returns the type of a C++ spelling.
            pub fn from_cpp(text: &str) -> Option<Self> {
                match text { $($($cpp)|* => Some(Element::$name),)* _ => None }
            }

            /// Returns the type of an MLIR spelling.
            pub fn from_mlir(text: &str) -> Option<Self> {
                match text { $($($mlir)|* => Some(Element::$name),)* _ => None }
            }
        }
    };
}

elements! {
    /// IEEE binary16.
    Half 2 ["half" "float16_t" "aclFloat16" "__fp16"] ["f16"];
    /// bfloat16.
    BFloat16 2 ["bfloat16_t" "bfloat16"] ["bf16"];
    /// IEEE binary32.
    Float 4 ["float" "float32_t"] ["f32"];
    /// IEEE binary64.
    Double 8 ["double"] ["f64"];
    /// Signed 8-bit integer.
    Int8 1 ["int8_t" "char" "signed char"] ["i8" "si8"];
    /// Signed 16-bit integer.
    Int16 2 ["int16_t" "short"] ["i16" "si16"];
    /// Signed 32-bit integer.
    Int32 4 ["int32_t" "int" "signed"] ["i32" "si32"];
    /// Signed 64-bit integer.
    Int64 8 ["int64_t" "long" "long long"] ["i64" "si64"];
    /// Unsigned 8-bit integer.
    UInt8 1 ["uint8_t" "unsigned char"] ["ui8"];
    /// Unsigned 16-bit integer.
    UInt16 2 ["uint16_t" "unsigned short"] ["ui16"];
    /// Unsigned 32-bit integer.
    UInt32 4 ["uint32_t" "unsigned" "unsigned int"] ["ui32"];
    /// Unsigned 64-bit integer.
    UInt64 8 ["uint64_t" "size_t" "unsigned long" "unsigned long long"] ["ui64"];
    /// A truth value in one byte.
    Bool 1 ["bool"] ["i1"];
    /// 19-bit float in 32 bits.
    TensorFloat32 4 ["tfloat32_t" "tf32_t"] ["tf32"];
    /// Two half floats.
    Complex32 4 ["complex32"] ["complex<f16>"];
    /// 8-bit float, four exponent bits.
    Float8E4M3 1 ["float8_e4m3_t" "fp8_e4m3fn_t"] ["f8E4M3" "f8E4M3FN"];
    /// 8-bit float, five exponent bits.
    Float8E5M2 1 ["float8_e5m2_t" "fp8_e5m2_t"] ["f8E5M2"];
    /// 8-bit float of tapered precision.
    HiFloat8 1 ["hifloat8_t"] ["hif8"];
}

impl Element {
    /// Returns whether values are integers.
    pub fn is_integer(self) -> bool {
        use Element::*;
        matches!(
            self,
            Int8 | Int16 | Int32 | Int64 | UInt8 | UInt16 | UInt32 | UInt64
        )
    }

    /// Returns whether the seed lists the type for `TSEL`, and for `GatherMask` on A2 and A3.
    pub fn is_maskable(self) -> bool {
        use Element::*;
        matches!(
            self,
            Half | BFloat16 | Float | Int16 | UInt16 | Int32 | UInt32
        )
    }
}

impl std::fmt::Display for Element {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

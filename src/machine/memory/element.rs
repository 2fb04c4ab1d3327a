//! Little-endian elements of a memory.

use half::{bf16, f16};

/// A number as it lies in memory, lowest byte first.
pub trait Element: Copy + Default + PartialEq + std::fmt::Debug + 'static {
    /// Bytes of one element.
    const BYTES: usize;

    /// Reads one element from exactly [`Self::BYTES`] bytes.
    fn from_bytes(bytes: &[u8]) -> Self;

    /// Writes one element to exactly [`Self::BYTES`] bytes.
    fn to_bytes(self, bytes: &mut [u8]);
}

macro_rules! elements {
    ($($name:ty)*) => {$(
        impl Element for $name {
            const BYTES: usize = size_of::<$name>();

            #[inline(always)]
            fn from_bytes(bytes: &[u8]) -> Self {
                let mut raw = [0; size_of::<$name>()];
                raw.copy_from_slice(bytes);
                <$name>::from_le_bytes(raw)
            }

            #[inline(always)]
            fn to_bytes(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

elements!(u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 f16 bf16);

/// Decodes `bytes` into as many elements as `out` holds.
pub fn decode<T: Element>(bytes: &[u8], out: &mut [T]) {
    for (value, raw) in out.iter_mut().zip(bytes.chunks_exact(T::BYTES)) {
        *value = T::from_bytes(raw);
    }
}

/// Encodes `values` at the start of `bytes`.
pub fn encode<T: Element>(values: &[T], bytes: &mut [u8]) {
    for (value, raw) in values.iter().zip(bytes.chunks_exact_mut(T::BYTES)) {
        value.to_bytes(raw);
    }
}

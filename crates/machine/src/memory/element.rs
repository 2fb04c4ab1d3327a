//! Little-endian elements of a memory.

use half::{bf16, f16};

/// A number as it is stored in memory, lowest byte first.
pub trait Element: Copy + Default + PartialEq + std::fmt::Debug + 'static {
    /// Bytes of one element.
    const BYTES: usize;

    /// Reads one element from exactly [`Self::BYTES`] bytes.
    fn from_bytes(bytes: &[u8]) -> Self;

    /// Writes one element to exactly [`Self::BYTES`] bytes.
    fn to_bytes(self, bytes: &mut [u8]);

    /// Reads as many elements as `out` holds, each passed through `convert`.
    fn decode_with<T>(bytes: &[u8], out: &mut [T], convert: impl Fn(Self) -> T);

    /// Writes `values`, each passed through `convert`, at the start of `bytes`.
    fn encode_with<T: Copy>(values: &[T], bytes: &mut [u8], convert: impl Fn(T) -> Self);
}

macro_rules! elements {
    ($($name:ty)*) => {$(
        impl Element for $name {
            const BYTES: usize = size_of::<$name>();

            #[inline(always)]
            fn from_bytes(bytes: &[u8]) -> Self {
                let raw = bytes.try_into();
                <$name>::from_le_bytes(raw.expect("as many bytes as an element has"))
            }

            #[inline(always)]
            fn to_bytes(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }

            // Through arrays: in builds with little optimisation, a slice costs a call of `memcpy` for each
            // element.
            fn decode_with<T>(bytes: &[u8], out: &mut [T], convert: impl Fn(Self) -> T) {
                let (elements, _) = bytes.as_chunks::<{ size_of::<$name>() }>();
                for (value, raw) in out.iter_mut().zip(elements) {
                    *value = convert(<$name>::from_le_bytes(*raw));
                }
            }

            fn encode_with<T: Copy>(values: &[T], bytes: &mut [u8], convert: impl Fn(T) -> Self) {
                let (elements, _) = bytes.as_chunks_mut::<{ size_of::<$name>() }>();
                for (&value, raw) in values.iter().zip(elements) {
                    *raw = convert(value).to_le_bytes();
                }
            }
        }
    )*};
}

elements!(u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 f16 bf16);

/// Copies a piece of a fractal to a place of the same length. Pieces of 32 or 64 bytes, the usual ones, are
/// copied as values: a run copies elements too often for a call of `memcpy` each.
#[inline(always)]
pub fn copy_piece(place: &mut [u8], piece: &[u8]) {
    if !copy_array::<_, 32>(place, piece) && !copy_array::<_, 64>(place, piece) {
        place.copy_from_slice(piece);
    }
}

/// Copies `COUNT` values as one array; returns whether both sides have that length.
#[inline(always)]
pub fn copy_array<T: Copy, const COUNT: usize>(place: &mut [T], values: &[T]) -> bool {
    let (place, values) = (
        <&mut [T; COUNT]>::try_from(place),
        <&[T; COUNT]>::try_from(values),
    );
    match (place, values) {
        (Ok(place), Ok(values)) => {
            *place = *values;
            true
        }
        _ => false,
    }
}

/// Decodes as many elements as `out` holds.
pub fn decode<T: Element>(bytes: &[u8], out: &mut [T]) {
    T::decode_with(bytes, out, |value| value);
}

/// Encodes `values` at the start of `bytes`.
pub fn encode<T: Element>(values: &[T], bytes: &mut [u8]) {
    T::encode_with(values, bytes, |value| value);
}

//! Lists the legal conversions of `cast` and their round modes.
//!
//! Source: the AscendC cast tables for Atlas A2.

use super::vocabulary::{
    DType::{self, *},
    RoundMode::{self, AwayFromZero, Ceil, Floor, None, Odd, ToEven, Trunc},
};

/// One legal conversion.
#[derive(Debug, Clone, Copy)]
pub struct CastPair {
    /// Source type.
    pub src: DType,
    /// Destination type.
    pub dst: DType,
    /// The legal round modes. A widening pair has only `NONE`, which the DSL compilers pass whatever mode a call gives.
    pub modes: &'static [RoundMode],
}

impl CastPair {
    /// Returns whether the destination is wider and represents every source value, so that the mode is forced
    /// to `NONE`. A conversion of a float to a wider integer drops fractions and does not count.
    pub const fn widens(&self) -> bool {
        self.dst.bits() > self.src.bits() && matches!(self.modes, [None])
    }
}

const ALL: &[RoundMode] = &[None, ToEven, AwayFromZero, Floor, Ceil, Trunc];
const ALL_AND_ODD: &[RoundMode] = &[None, ToEven, AwayFromZero, Floor, Ceil, Trunc, Odd];
const ROUNDED: &[RoundMode] = &[ToEven, AwayFromZero, Floor, Ceil, Trunc];
const EXACT: &[RoundMode] = &[None];

const fn pair(src: DType, dst: DType, modes: &'static [RoundMode]) -> CastPair {
    CastPair { src, dst, modes }
}

static PAIRS: &[CastPair] = &[
    pair(Float, Half, ALL_AND_ODD),
    pair(Float, BFloat16, ROUNDED),
    pair(Float, Float, ROUNDED),
    pair(Float, Int64, ROUNDED),
    pair(Float, Int, ROUNDED),
    pair(Float, Int16, ROUNDED),
    pair(Half, Float, EXACT),
    pair(Half, Int, ROUNDED),
    pair(Half, Int16, ROUNDED),
    pair(Half, Int8, ALL),
    pair(Half, UInt8, ALL),
    pair(Half, Int4, ALL),
    pair(BFloat16, Float, EXACT),
    pair(BFloat16, Int, ROUNDED),
    pair(UInt8, Half, EXACT),
    pair(Int8, Half, EXACT),
    pair(Int4, Half, EXACT),
    pair(Int16, Half, ALL),
    pair(Int16, Float, EXACT),
    pair(Int16, Int8, ALL),
    pair(Int16, UInt8, ALL),
    pair(Int, Float, ALL),
    pair(Int, Int64, EXACT),
    pair(Int, Int16, EXACT),
    pair(Int, Half, ALL),
    pair(Int64, Int, EXACT),
    pair(Int64, Float, ROUNDED),
];

/// Returns the conversion from `src` to `dst`; `None` if it is not legal.
pub fn cast_pair(src: DType, dst: DType) -> Option<&'static CastPair> {
    PAIRS.iter().find(|pair| pair.src == src && pair.dst == dst)
}

/// Returns the types that `src` can be converted to.
pub fn casts_from(src: DType) -> impl Iterator<Item = DType> {
    PAIRS
        .iter()
        .filter(move |pair| pair.src == src)
        .map(|pair| pair.dst)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lossless_pairs_widen() {
        assert!(cast_pair(Half, Float).is_some_and(CastPair::widens));
        assert!(cast_pair(Int, Int64).is_some_and(CastPair::widens));
        assert!(!cast_pair(Half, Int).is_some_and(CastPair::widens));
        assert!(!cast_pair(Float, Int64).is_some_and(CastPair::widens));
    }
}

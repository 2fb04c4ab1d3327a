//! Infers repeats and strides of vector operands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::vocabulary::{BLOCKS_PER_REPEAT, DType};

/// How a repeat count that is inferred from a view is rounded where the view is no whole number of
/// repeats: the oldest version of the DSL drops the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RepeatRounding {
    /// The rest takes a repeat of its own.
    #[default]
    Up,
    /// The rest is left out.
    Down,
}

/// Infers the (block, repeat) strides, in 32-byte blocks, of a view of `span0 × span1` elements in rows of
/// `shape1` elements; an extent that is a `Var` is `None`. If a row has eight blocks, each repeat covers a
/// row; if it has one block, each repeat reads it eight times (block stride 0); any other view counts as
/// contiguous. The repeat stride is `None` if it depends on a `Var` pitch.
pub fn infer_strides(
    dtype: DType,
    span0: Option<i64>,
    span1: Option<i64>,
    shape1: Option<i64>,
) -> (i64, Option<i64>) {
    let c0 = dtype.c0();
    let pitch = shape1.map(|shape1| shape1 / c0);
    let (block, repeat) = match span1 {
        Some(width) if width == BLOCKS_PER_REPEAT * c0 => (1, pitch),
        Some(width) if width == c0 => (0, pitch),
        _ => return (1, Some(BLOCKS_PER_REPEAT)),
    };
    // A single row has no next row: further repeats stay on it.
    if span0 == Some(1) {
        return (block, Some(0));
    }
    (block, repeat)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_of_the_documented_shapes() {
        let infer =
            |rows, width, pitch| infer_strides(DType::Float, Some(rows), Some(width), Some(pitch));
        assert_eq!(infer(64, 64, 64), (1, Some(8)));
        assert_eq!(infer(64, 64, 128), (1, Some(16)));
        assert_eq!(infer(64, 8, 8), (0, Some(1)));
        assert_eq!(infer(64, 1, 1), (1, Some(8)));
        assert_eq!(infer(1, 64, 64), (1, Some(0)));
        assert_eq!(infer(1, 8, 8), (0, Some(0)));
        assert_eq!(
            infer_strides(DType::Half, Some(64), Some(16), Some(16)),
            (0, Some(1))
        );
        assert_eq!(
            infer_strides(DType::Float, Some(64), None, Some(64)),
            (1, Some(8))
        );
    }
}

//! Observations that only kernels in AscendC have.

/// What is wrong with an argument of `GatherMask`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GatherFault {
    /// The number of a fixed pattern, which is not one of 1 to 7.
    Pattern(i64),
    /// `reduceMode` and `mask` are interchanged: the latter is a `bool`.
    Swapped,
    /// Counter mode with a mask of 0 elements.
    NoElements,
    /// Normal mode with a mask, which nothing reads: elements that it gives, and elements of a repeat.
    IgnoredMask {
        /// The mask.
        mask: i64,
        /// Elements of each repeat.
        lanes: i64,
    },
    /// A stride of the pattern where there is no pattern in memory.
    IgnoredStride(i64),
    /// Repeats that take fewer bytes of the pattern than lie between their starts.
    PatternGap {
        /// Bytes that a repeat takes.
        taken: i64,
        /// Bytes from the start of one to that of the next.
        stride: i64,
    },
    /// Repeats with a fixed pattern that read elements again.
    ReadTwice {
        /// The number of repeats.
        repeats: i64,
        /// Elements from the start of one to that of the next.
        stride: i64,
        /// Elements that each takes.
        lanes: i64,
    },
}

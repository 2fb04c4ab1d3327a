//! Observations that only kernels in AscendC have.

/// What is wrong with an argument of `GatherMask`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GatherFault {
    /// The number of a fixed pattern is outside of 1 to 7.
    Pattern(i64),
    /// `reduceMode` and `mask` are swapped: the argument for `mask` is a `bool`.
    Swapped,
    /// Counter mode with a mask of 0 elements.
    NoElements,
    /// Normal mode ignores the mask that the call gives.
    IgnoredMask {
        /// The mask.
        mask: i64,
        /// Elements of each repeat.
        lanes: i64,
    },
    /// A fixed pattern, which is not in memory, ignores the pattern stride.
    IgnoredStride(i64),
    /// A repeat reads fewer bytes of the pattern than the stride between repeats, so that pattern bytes are skipped.
    PatternGap {
        /// Bytes of the pattern that a repeat reads.
        taken: i64,
        /// Bytes between the pattern starts of consecutive repeats.
        stride: i64,
    },
    /// Repeats with a fixed pattern overlap, so that they read some elements twice.
    ReadTwice {
        /// The number of repeats.
        repeats: i64,
        /// Elements between the starts of consecutive repeats.
        stride: i64,
        /// Elements that a repeat reads.
        lanes: i64,
    },
}

/// Objects of the API that another call has to prepare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unprepared {
    /// A queue without `InitBuffer`.
    Queue,
    /// A buffer without `InitBuffer`.
    Buffer,
    /// A global tensor without `SetGlobalBuffer`.
    Global,
    /// A local tensor that nothing is assigned to.
    Local,
}

impl Unprepared {
    /// Says what an object of this name lacks, as a clause.
    pub fn clause(self, name: &str) -> String {
        match self {
            Unprepared::Queue => {
                format!("queue `{name}` has no buffers: no `InitBuffer` gives it any")
            }
            Unprepared::Buffer => {
                format!("buffer `{name}` has no memory: no `InitBuffer` gives it any")
            }
            Unprepared::Global => {
                format!("global tensor `{name}` has no address: no `SetGlobalBuffer` gives it one")
            }
            Unprepared::Local => {
                format!("local tensor `{name}` has no memory: it is assigned none")
            }
        }
    }

    /// Says what an object of this name lacks where a path leads that has not prepared it, or may lead, as a clause.
    pub fn lacks(self, name: &str, is_certain: bool) -> String {
        let (what, call) = match self {
            Unprepared::Queue => (format!("queue `{name}`"), "`InitBuffer` gives it buffers"),
            Unprepared::Buffer => (format!("buffer `{name}`"), "`InitBuffer` gives it memory"),
            Unprepared::Global => (format!("`{name}`"), "`SetGlobalBuffer` gives it an address"),
            Unprepared::Local => (format!("`{name}`"), "a tensor is assigned to it"),
        };
        let lacking = match self {
            Unprepared::Queue => "no buffers",
            Unprepared::Buffer | Unprepared::Local => "no memory",
            Unprepared::Global => "no address",
        };
        match is_certain {
            true => format!("{what} has {lacking} here: {call} on another path"),
            false => format!("{what} may have {lacking} here: {call} on some paths only"),
        }
    }
}

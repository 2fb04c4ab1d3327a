//! Spells advice in the language of a kernel.

use a2lint_isa::{Pipe, RoundMode};

/// A language of kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// Python.
    Python,
    /// C++ with the functions of AscendC.
    Cpp,
}

impl Notation {
    /// Formats the barrier of a pipe: `bar_v()`, `PipeBarrier<PIPE_V>()`.
    pub fn barrier(self, pipe: Pipe) -> String {
        let name = pipe.name();
        match self {
            Notation::Python => format!("bar_{}()", name.to_ascii_lowercase()),
            Notation::Cpp => format!("PipeBarrier<PIPE_{}>()", name.to_ascii_uppercase()),
        }
    }

    /// Formats a round mode: `TO_EVEN`, `CAST_RINT`.
    pub const fn round_mode(self, mode: RoundMode) -> &'static str {
        match (self, mode) {
            (Notation::Python, mode) => mode.name(),
            (Notation::Cpp, RoundMode::None) => "CAST_NONE",
            (Notation::Cpp, RoundMode::ToEven) => "CAST_RINT",
            (Notation::Cpp, RoundMode::AwayFromZero) => "CAST_ROUND",
            (Notation::Cpp, RoundMode::Floor) => "CAST_FLOOR",
            (Notation::Cpp, RoundMode::Ceil) => "CAST_CEIL",
            (Notation::Cpp, RoundMode::Trunc) => "CAST_TRUNC",
            (Notation::Cpp, RoundMode::Odd) => "CAST_ODD",
        }
    }

    /// Returns the mark that begins a comment.
    pub const fn comment(self) -> &'static str {
        match self {
            Notation::Python => "#",
            Notation::Cpp => "//",
        }
    }

    /// Returns the query for a number of cores or vec lanes, whose name in Python is given.
    pub fn number_of(self, query: &'static str) -> &'static str {
        match self {
            Notation::Python => query,
            Notation::Cpp => "GetBlockNum()",
        }
    }

    /// Returns the word for the parts of a buffer that are used in turn.
    pub fn slots(self) -> &'static str {
        match self {
            Notation::Python => "slots",
            Notation::Cpp => "buffers",
        }
    }

    /// Formats the kind of a flag between two pipes: `HardEvent::V_MTE3`.
    pub fn hard_event(src: Pipe, dst: Pipe) -> String {
        let [src, dst] = [src, dst].map(|pipe| pipe.name().to_ascii_uppercase());
        format!("HardEvent::{src}_{dst}")
    }
}

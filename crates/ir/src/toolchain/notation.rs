//! Spells advice in the language of a kernel.

use a2lint_isa::Pipe;

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

//! Defines the observations of front ends, which rules turn into findings.
//!
//! Kinds that only the Python DSLs have are in `python.rs`, those of AscendC in `ascendc.rs`.

mod ascendc;
mod python;

pub use ascendc::{GatherFault, Unprepared};
pub use python::{LoopExit, NoEffect, PythonNote};

use super::{BufferId, LocalView, OriginId, VariableId, View};
use a2lint_isa::{DType, Position};
use a2lint_source::text::Span;

/// One observation.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// The place.
    pub span: Span,
    /// The helper calls that led there.
    pub origin: OriginId,
    /// The kind of the observation.
    pub kind: NoteKind,
}

/// Kinds of observations.
#[derive(Clone, Debug, PartialEq)]
pub enum NoteKind {
    /// Text that does not parse.
    SyntaxError {
        /// What is wrong, as a sentence without a full stop.
        message: String,
        /// A place and the text whose insertion there would correct the error.
        missing: Option<(Span, &'static str)>,
    },
    /// A name, or an attribute of a namespace, that is not known.
    UnknownName {
        /// The name.
        name: String,
        /// The namespace that it is not in, as it is written.
        of: Option<String>,
        /// The known name that is one edit away.
        nearest: Option<String>,
    },
    /// A move between memories without a data path.
    IllegalMove {
        /// Destination memory; `None` for GM.
        dst: Option<Position>,
        /// Source memory; `None` for GM.
        src: Option<Position>,
        /// Text of the destination.
        dst_text: String,
        /// Text of the source.
        src_text: String,
        /// Destination and source.
        views: Box<[View; 2]>,
    },
    /// A query of the number of cube cores in a kernel of vec cores alone, where it is 0.
    NoCubes,
    /// A view that is taken as elements of another type, and cannot be.
    Reinterpret {
        /// The view, with its own element type.
        view: Box<LocalView>,
        /// The new element type.
        dtype: DType,
        /// Why the view cannot be taken so.
        fault: ReinterpretFault,
    },
    /// A square root of an integer.
    SqrtOfInteger {
        /// Type of the operand.
        dtype: DType,
    },
    /// A square root of an expression that is an integer if these parameters, which have no type, are integers.
    SqrtOfParameters {
        /// The parameters.
        variables: Vec<VariableId>,
    },
    /// A call of a kernel of which an argument is not known.
    UnreadableLaunch {
        /// The kernel.
        kernel: String,
        /// Whether the call still counts as a launch: the unknown tensors are taken to be as large as the part that the
        /// kernel accesses.
        is_usable: bool,
    },
    /// A launch of a comment or the configuration that cannot be used.
    UnusableLaunch {
        /// The kernel that it is meant for, where there is one.
        kernel: Option<String>,
        /// Whether the configuration gives it, and not a comment.
        is_configured: bool,
        /// What is wrong with it.
        fault: LaunchFault,
    },
    /// A contract that cannot be used.
    UnusableContract {
        /// The kernel that it is meant for, where there is one.
        kernel: Option<String>,
        /// What is wrong with it.
        fault: ContractFault,
    },
    /// The kernel ends with atomic addition still on: later stores add to global memory.
    AtomicLeftOn,
    /// A library function whose source is a part of this buffer, which it overwrites before it reads it.
    ReadAfterWritten(BufferId),
    /// A store of elements of one type while the atomic operation works on another.
    AtomicType {
        /// The type that the operation works on.
        of: DType,
        /// The type of the stored elements.
        stored: DType,
    },
    /// A vector call runs under a mask that the kernel has not set.
    MaskInherited,
    /// The kernel places tensors by address, and constructs no object that waits for the pipes at its end.
    WithoutPipe,
    /// An argument gives a number of lanes, but does not have that effect.
    Lanes(LaneFault),
    /// A call that the protocol of a queue of buffers does not allow.
    Queue {
        /// The queue.
        name: String,
        /// The fault of the call.
        fault: QueueFault,
    },
    /// An object that is used before the call that prepares it.
    Unprepared {
        /// Its name.
        name: String,
        /// What it is.
        object: Unprepared,
    },
    /// A `TPipe` hands out memory while another one, whose buffers are at the same addresses, is alive.
    SecondPipe {
        /// The place where the other one hands out memory.
        first: Span,
    },
    /// An argument of `GatherMask` that has no meaning or no effect.
    GatherMask(GatherFault),
    /// An observation that only kernels in Python have.
    Python(PythonNote),
}

/// Why an argument that gives a number of lanes does not have the intended effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaneFault {
    /// The argument exceeds the lanes of a repeat and is clamped to them.
    TooMany {
        /// The lanes that the argument gives.
        asked: i64,
        /// The lanes of a repeat.
        lanes: i64,
    },
    /// The instruction ignores masks.
    Ignored {
        /// The lanes that the argument gives.
        asked: i64,
        /// The lanes of a repeat.
        lanes: i64,
    },
    /// Counter mode is on: the argument is the total number of elements, and the number of repeats has no effect.
    Counted {
        /// The elements that the argument gives.
        elements: i64,
        /// The repeats that the call gives.
        repeats: i64,
        /// The lanes of a repeat.
        lanes: i64,
    },
}

/// What is wrong with a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContractFault {
    /// No kernel follows the comment.
    NoKernel,
    /// No closed list in parentheses follows `assume` or `shapes`.
    Unclosed,
    /// A part of it cannot be read; the reason, as a clause.
    Unreadable(String),
    /// The shape of a tensor is given twice.
    Twice(String),
    /// A name that neither the kernel nor an extent has.
    Unknown {
        /// The name.
        name: String,
        /// Names that could have been meant.
        known: Vec<String>,
    },
    /// A parameter with a shape that is no tensor.
    NoTensor(String),
    /// A parameter in a sum that is no integer.
    NoNumber(String),
    /// The contract has more parts than this number.
    TooLong(usize),
}

impl ContractFault {
    /// Returns whether the fault depends on the kernel. Where the kernel does not parse, it may be no fault.
    pub fn is_about_kernel(&self) -> bool {
        matches!(
            self,
            ContractFault::NoKernel
                | ContractFault::Unknown { .. }
                | ContractFault::NoTensor(_)
                | ContractFault::NoNumber(_)
        )
    }
}

/// What is wrong with a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaunchFault {
    /// No kernel follows the comment.
    NoKernel,
    /// No closed list in parentheses follows `launch`.
    Unclosed,
    /// An argument is not `NAME=VALUE`, or its value cannot be read; the reason, as a clause.
    Unreadable(String),
    /// An argument is given twice.
    Twice(String),
    /// An argument that the kernel does not have.
    Unknown {
        /// The name of the argument.
        name: String,
        /// Names that could have been meant.
        known: Vec<String>,
    },
    /// A number is given for a tensor.
    NumberForTensor(String),
    /// A tensor is given for a scalar.
    TensorForNumber(String),
    /// A scalar parameter, or the name of an extent, has no value.
    Missing(String),
    /// A call gives more arguments than the kernel has parameters.
    Surplus {
        /// The number of arguments.
        given: usize,
        /// The number of parameters.
        taken: usize,
    },
}

impl LaunchFault {
    /// Returns whether the fault depends on the kernel. Where the kernel does not parse, it may be no fault.
    pub fn is_about_kernel(&self) -> bool {
        matches!(
            self,
            LaunchFault::NoKernel
                | LaunchFault::Unknown { .. }
                | LaunchFault::NumberForTensor(_)
                | LaunchFault::TensorForNumber(_)
                | LaunchFault::Missing(_)
                | LaunchFault::Surplus { .. }
        )
    }
}

/// What is wrong with a call of a queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueueFault {
    /// A tensor is enqueued although the queue already holds this number of tensors, its depth.
    AboveDepth(i64),
    /// A tensor is taken although none is enqueued.
    Empty,
    /// A tensor is given back to a queue that did not allocate it.
    Foreign {
        /// The queue or buffer that did.
        owner: String,
        /// Whether that is a queue between the same pipes, so that its flags are those that are set.
        has_same_pipes: bool,
    },
}

/// Why a view cannot be taken as elements of another type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReinterpretFault {
    /// The fractals of L0C have one element type.
    Accumulator,
    /// The first byte of the view lies this number of bytes after a 32-byte block boundary.
    Start(i64),
    /// The rows of the view, of this number of bytes, are no whole number of elements.
    Rows(i64),
}

//! What the frontend noticed while tracing: facts that rules turn into findings.

use super::{LocalView, OriginId, VariableId, View};
use a2lint_isa::{DType, Position};
use a2lint_source::text::Span;

/// One observation.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// The place.
    pub span: Span,
    /// The helper calls that led there.
    pub origin: OriginId,
    /// What it is.
    pub kind: NoteKind,
}

/// Kinds of observations.
#[derive(Clone, Debug, PartialEq)]
pub enum NoteKind {
    /// A statement that raises while the kernel is traced.
    TraceError {
        /// `TypeError`, `ValueError`, …
        exception: &'static str,
        /// The cause, as a sentence without a full stop.
        message: String,
        /// What to write instead.
        help: Option<String>,
    },
    /// Text that does not parse.
    SyntaxError {
        /// What is wrong, as a sentence without a full stop.
        message: String,
        /// A place and what would mend it if it stood there.
        missing: Option<(Span, &'static str)>,
    },
    /// A name, or an attribute of a namespace, that nobody knows.
    UnknownName {
        /// The name.
        name: String,
        /// The namespace that it is not in, as it is written.
        of: Option<String>,
        /// The known name that is one edit away.
        nearest: Option<String>,
    },
    /// A name that A5 devices alone have.
    A5Only {
        /// The name.
        name: String,
    },
    /// `dst <<= src` between memories without a data path.
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
    /// A local tensor whose shape does not have two extents.
    LocalRank {
        /// Number of extents.
        rank: usize,
    },
    /// A cell whose name is bound to a value instead of being updated.
    ReboundCell {
        /// The name.
        name: String,
        /// Where the cell was made.
        declared: Span,
    },
    /// `if` on a plain Python value, where control flow is rewritten for the device.
    StaticIf {
        /// Its truth.
        taken: bool,
    },
    /// `break`, `continue` or `return` that would have to leave a device block.
    LoopExit {
        /// The statement.
        exit: LoopExit,
        /// The device loop or branch it stands in.
        block: Span,
    },
    /// `v = v + 1` on a variable that a device loop does not carry that way.
    LostUpdate {
        /// The variable's name.
        name: String,
        /// The device loop.
        device_loop: Span,
        /// Where the variable was made.
        declared: Span,
        /// The update in place, as a statement.
        in_place: String,
    },
    /// A device value where Python wants a truth value.
    TruthOfVar {
        /// What asks for it.
        construct: &'static str,
        /// Whether it is a comparison rather than a bare variable.
        comparison: bool,
    },
    /// A kernel called inside a kernel.
    NestedKernel {
        /// Name of the inner kernel.
        name: String,
    },
    /// A query of the number of cube cores in a kernel of vec cores alone, where it is 0.
    NoCubes,
    /// A kernel that returns nothing.
    NoOutput,
    /// `t.reinterpret(DT.x)` of a view that cannot be taken as another type.
    Reinterpret {
        /// The view before.
        view: Box<LocalView>,
        /// The new element type.
        dtype: DType,
        /// Why not.
        fault: ReinterpretFault,
    },
    /// A statement that emits no instruction.
    NoEffect(NoEffect),
    /// `scalar_sqrt` of an integer.
    SqrtOfInteger {
        /// Type of the operand.
        dtype: DType,
    },
    /// `scalar_sqrt` of what is an integer if these parameters, which have no type, are integers.
    SqrtOfParameters {
        /// The parameters.
        variables: Vec<VariableId>,
    },
    /// Imports of more than one facade.
    FacadeMix {
        /// Spelling of the facade in charge.
        first: String,
        /// Spelling of the other one.
        other: String,
    },
    /// A call of a kernel of which an argument is not known.
    UnreadableLaunch {
        /// The kernel.
        kernel: String,
        /// Whether it is a launch all the same: as large as what the kernel touches.
        is_usable: bool,
    },
    /// A launch that somebody gives and that cannot be used.
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
}

/// What is wrong with a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContractFault {
    /// No kernel follows the comment.
    NoKernel,
    /// It is not `assume(…)` or `shapes(…)`.
    Unclosed,
    /// A part of it cannot be read; the reason, as a clause.
    Unreadable(String),
    /// The shape of a tensor comes twice.
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
    /// It has more parts than so many.
    TooLong(usize),
}

impl ContractFault {
    /// Whether the kernel has a part in it: where that does not parse, it may be no fault.
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
    /// It is not `launch(…)`.
    Unclosed,
    /// An argument is not `NAME=VALUE`, or its value cannot be read; the reason, as a clause.
    Unreadable(String),
    /// An argument comes twice.
    Twice(String),
    /// An argument that the kernel does not have.
    Unknown {
        /// Its name.
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
}

impl LaunchFault {
    /// Whether the kernel has a part in it: where that does not parse, it may be no fault.
    pub fn is_about_kernel(&self) -> bool {
        matches!(
            self,
            LaunchFault::NoKernel
                | LaunchFault::Unknown { .. }
                | LaunchFault::NumberForTensor(_)
                | LaunchFault::TensorForNumber(_)
                | LaunchFault::Missing(_)
        )
    }
}

/// Why a view cannot be taken as elements of another type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReinterpretFault {
    /// The fractals of L0C have one element type.
    Accumulator,
    /// Its first byte is that many bytes past a block border.
    Start(i64),
    /// Its rows, of that many bytes, are no whole number of elements.
    Rows(i64),
}

/// Statements that leave a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopExit {
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`
    Return,
}

impl LoopExit {
    /// How it is written.
    pub const fn keyword(self) -> &'static str {
        match self {
            LoopExit::Break => "break",
            LoopExit::Continue => "continue",
            LoopExit::Return => "return",
        }
    }
}

/// Ways to write a statement that does nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoEffect {
    /// `a + b` on tensors whose result is not stored.
    UnusedExpression,
    /// `x = a + b` on tensors.
    BoundExpression {
        /// Name that was bound.
        name: String,
    },
    /// `muls(dst, row[64], 2.0)`: an element offset, where a whole tensor is taken.
    ElementOffset {
        /// Text of the operand.
        operand: String,
    },
    /// A positional argument that is passed over.
    PassedOver {
        /// What is called.
        name: String,
    },
    /// `gm_to_ub_pad(dst, src, n_burst=8)`: an extent that is inferred all the same, because others are.
    ReplacedExtent {
        /// What is called.
        name: &'static str,
        /// The parameter.
        extent: &'static str,
        /// Parameters that are left out.
        left_out: Vec<&'static str>,
    },
    /// `ub[...] = ...`
    SubscriptAssignment {
        /// Text of the target.
        target: String,
    },
}

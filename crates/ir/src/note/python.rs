//! Defines the observations of the front end of the Python DSLs: mistakes in kernels that Python executes, or
//! whose tree is compiled.

use super::NoteKind;
use a2lint_source::text::Span;

/// An observation about a kernel in Python.
#[derive(Clone, Debug, PartialEq)]
pub enum PythonNote {
    /// A statement that raises while the kernel is traced.
    TraceError {
        /// `TypeError`, `ValueError`, …
        exception: &'static str,
        /// The cause, as a sentence without a full stop.
        message: String,
        /// What to write instead.
        help: Option<String>,
    },
    /// A name that only A5 devices have.
    A5Only {
        /// The name.
        name: String,
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
        /// Whether the value counts as true.
        taken: bool,
    },
    /// `break`, `continue` or `return` that would have to leave a device block.
    LoopExit {
        /// The statement.
        exit: LoopExit,
        /// The device loop or branch around it.
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
        /// The construct that needs a truth value.
        construct: &'static str,
        /// Whether it is a comparison rather than a bare variable.
        comparison: bool,
    },
    /// Device values that a function of Python compares.
    ComparesVars {
        /// The function of Python.
        function: &'static str,
        /// The function of the facade that the device computes.
        device: &'static str,
    },
    /// A kernel called inside a kernel.
    NestedKernel {
        /// Name of the inner kernel.
        name: String,
    },
    /// A kernel that returns nothing.
    NoOutput,
    /// A statement that emits no instruction.
    NoEffect(NoEffect),
    /// Imports of more than one device module of a DSL's package.
    FacadeMix {
        /// Spelling of the module in charge.
        first: String,
        /// Spelling of the other one.
        other: String,
    },
}

impl From<PythonNote> for NoteKind {
    fn from(note: PythonNote) -> NoteKind {
        NoteKind::Python(note)
    }
}

a2lint_isa::named! {
    /// Statements that leave a block.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum LoopExit {
        /// `break`
        Break = "break",
        /// `continue`
        Continue = "continue",
        /// `return`
        Return = "return",
    }
    /// Returns the statement in source text.
    fn keyword
}

/// Ways to write a statement that does nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoEffect {
    /// `a + b` on tensors whose result is not stored.
    UnusedExpression,
    /// `ub <= x[...]`, a comparison in the place of `<<=`.
    Comparison,
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
    /// A positional argument that is ignored.
    PassedOver {
        /// The instruction.
        name: String,
    },
    /// `gm_to_ub_pad(dst, src, n_burst=8)`: an extent that is inferred all the same, because others are.
    ReplacedExtent {
        /// The instruction.
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

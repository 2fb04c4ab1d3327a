//! Which accesses to the same bytes have to be in order.

use a2lint_isa::Pipe;

/// One side of a conflict: what an instruction does to some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The pipe that does it.
    pub pipe: Pipe,
    /// Whether it changes them.
    pub write: bool,
    /// Whether it is an atomic update, which commutes with others of its kind.
    pub atomic: bool,
}

impl Part {
    /// Whether the order of two accesses to the same bytes matters.
    pub fn conflicts(&self, other: &Part) -> bool {
        (self.write || other.write) && !(self.atomic && other.atomic)
    }
}

/// How two instructions are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between {
    /// They are issued to one pipe.
    OnePipe,
    /// They are issued to two pipes of a lane.
    OneLane,
    /// Two lanes execute them.
    Lanes,
}

/// Whether a second instruction has to wait for a first one that touches the same bytes.
///
/// A pipe completes out of order: vector instructions need a barrier between dependent ones,
/// overlapping loads and overlapping stores one of their pipe.
pub fn order_matters(first: &Part, second: &Part, between: Between) -> bool {
    let matters = match (between, second.pipe) {
        (Between::OneLane, _) | (Between::OnePipe, Pipe::V) => true,
        (Between::OnePipe, Pipe::Mte2 | Pipe::Mte3) => first.write && second.write,
        (Between::OnePipe, _) => false,
        // Who stores what another lane stores is a matter of dividing the work, not of waiting.
        (Between::Lanes, _) => first.write != second.write,
    };
    matters && first.conflicts(second)
}

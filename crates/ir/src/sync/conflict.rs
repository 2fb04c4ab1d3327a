//! Decides which accesses to the same bytes have to be in order.

use a2lint_isa::Pipe;

/// One side of a conflict: the access of an instruction to some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The pipe of the instruction.
    pub pipe: Pipe,
    /// Whether the instruction writes the bytes.
    pub write: bool,
    /// Whether the access is an atomic update, which commutes with other atomic updates.
    pub atomic: bool,
    /// Whether the instruction takes part in the handshake of M and FIX over parts of L0C.
    pub has_unit_flag: bool,
}

impl Part {
    /// Returns whether the result depends on the order of two accesses to the same bytes.
    pub fn conflicts(&self, other: &Part) -> bool {
        (self.write || other.write)
            && !(self.atomic && other.atomic)
            && !(self.has_unit_flag && other.has_unit_flag && self.pipe != other.pipe)
    }
}

/// The relation between the places where two instructions execute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between {
    /// Both instructions are issued to one pipe.
    OnePipe,
    /// The instructions are issued to two pipes of a lane.
    OneLane,
    /// Two lanes of one side execute the instructions.
    Lanes,
    /// A cube and a vec lane execute the instructions.
    Sides,
}

/// Returns whether a second instruction has to wait for a first one that accesses the same bytes.
///
/// A pipe completes instructions out of order: dependent vector instructions need a barrier of V between
/// them, overlapping loads and overlapping stores a barrier of their pipe.
pub fn order_matters(first: &Part, second: &Part, between: Between) -> bool {
    let matters = match (between, second.pipe) {
        (Between::OneLane, _) | (Between::OnePipe, Pipe::V) => true,
        (Between::OnePipe, Pipe::Mte2 | Pipe::Mte3) => first.write && second.write,
        (Between::OnePipe, _) => false,
        // Two lanes of one side that store the same bytes violate the division of the work (property `ownership`), not
        // order. So a store and a read conflict here, and a sum and a store that it may be added to.
        (Between::Lanes, _) => first.write != second.write || first.atomic != second.atomic,
        (Between::Sides, _) => true,
    };
    matters && first.conflicts(second)
}

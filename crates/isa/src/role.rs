//! Defines roles, which distinguish the instructions of a class, so that other code need not compare opcodes.

use super::Side;
use super::vocabulary::Layout;

/// The role of an instruction, in addition to its class and operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Class and operands describe the instruction completely.
    Plain,
    /// Applies an operator: lane by lane, or in a reduction to all of its lanes.
    Computes(Operator),
    /// Writes a matrix in this layout.
    Lays(Layout),
    /// Hands elements on as they are.
    Copies,
    /// Writes one value everywhere.
    Fills,
    /// Multiplies two matrices.
    Multiplies,
    /// Sets the words of the vector mask.
    SetsMask,
    /// Makes all lanes of the vector mask active.
    ResetsMask,
    /// Sets the comparison mask, which no modelled instruction reads.
    SetsComparison,
    /// Reads an element of a view into a variable.
    ReadsScalar,
    /// Writes a variable into an element of a view.
    WritesScalar,
    /// Sets or awaits a token.
    Signals(Act, Channel),
}

/// An operation of vector instructions and of the operators of the DSLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// Sums.
    Add,
    /// Differences.
    Sub,
    /// Products.
    Mul,
    /// Quotients.
    Div,
    /// The larger one.
    Max,
    /// The smaller one.
    Min,
    /// Conjunction of bits.
    And,
    /// Disjunction of bits.
    Or,
    /// Negation of bits.
    Not,
    /// Bits moved up.
    ShiftLeft,
    /// Bits moved down.
    ShiftRight,
    /// Magnitudes.
    Abs,
    /// Exponentials.
    Exp,
}

impl Operator {
    /// Returns whether the operation works on bit patterns rather than numbers.
    pub const fn is_bitwise(self) -> bool {
        matches!(self, Operator::And | Operator::Or | Operator::Not)
    }

    /// Returns whether the operation shifts bits.
    pub const fn is_shift(self) -> bool {
        matches!(self, Operator::ShiftLeft | Operator::ShiftRight)
    }
}

/// An action on a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// Sets a token.
    Set,
    /// Awaits a token and consumes it.
    Wait,
}

/// The kind of token that an instruction sets or awaits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// An event.
    Event,
    /// All ids of an event at once.
    AllOfEvent,
    /// A raw flag between two pipes, by number.
    Raw,
    /// A flag between lanes, by number.
    Flag(Route),
    /// The data token of a mutex, which its producer sets.
    Data,
    /// The free token of a mutex, which its consumer sets.
    Credit,
}

crate::named! {
    /// The lanes that set and that await a flag.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Route {
        /// From the cube to both vec lanes of its core.
        CubeToVec = "the cube lane",
        /// From both vec lanes to their cube.
        VecToCube = "both vec lanes",
        /// Among the cubes of all cores.
        AllCubes = "the cubes of all cores",
        /// Among the vec lanes of all cores.
        AllVecs = "the vec lanes of all cores",
        /// Among the two vec lanes of a core.
        CoreVecs = "the other vec lane",
    }
    /// Returns the setting lanes in reports.
    fn awaited
}

impl Route {
    /// Returns whether the flag synchronises only cubes or only vector cores, rather than cube with vector.
    pub const fn is_collective(self) -> bool {
        matches!(self, Route::AllCubes | Route::AllVecs | Route::CoreVecs)
    }

    /// Returns whether the flag synchronises all cores.
    pub const fn joins_cores(self) -> bool {
        matches!(self, Route::AllCubes | Route::AllVecs)
    }

    /// Returns the side whose lanes await the flag.
    pub const fn takers(self) -> Side {
        match self {
            Route::CubeToVec | Route::AllVecs | Route::CoreVecs => Side::Vec,
            Route::VecToCube | Route::AllCubes => Side::Cube,
        }
    }
}

//! What an instruction does that tells it from the others of its class: what code elsewhere asks for, so
//! that it need not ask which instruction it has.

use super::vocabulary::Layout;

/// What an instruction does, beyond its class and its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Class and operands say it all.
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
    /// Sets the mask of comparisons, which nothing reads.
    SetsComparison,
    /// Reads an element of a view into a variable.
    ReadsScalar,
    /// Writes a variable into an element of a view.
    WritesScalar,
    /// Makes or takes a token.
    Signals(Act, Channel),
}

/// What vector instructions compute and operators of the DSLs mean.
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
    /// Whether it works on bits, whatever number they are.
    pub const fn is_bitwise(self) -> bool {
        matches!(self, Operator::And | Operator::Or | Operator::Not)
    }

    /// Whether it moves bits.
    pub const fn is_shift(self) -> bool {
        matches!(self, Operator::ShiftLeft | Operator::ShiftRight)
    }
}

/// What is done to a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// Makes one.
    Set,
    /// Takes one.
    Wait,
}

/// Which kind of token an instruction is about.
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
    /// What a mutex passes on, from its producer.
    Data,
    /// The free tokens of a mutex, from its consumer.
    Credit,
}

/// From whom to whom a flag goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Route {
    /// From the cube to both vec lanes of its core.
    CubeToVec,
    /// From both vec lanes to their cube.
    VecToCube,
    /// Among the cubes of all cores.
    AllCubes,
    /// Among the vec lanes of all cores.
    AllVecs,
    /// Among the two vec lanes of a core.
    CoreVecs,
}

impl Route {
    /// Whether it joins lanes that do the same work, rather than the two sides of a core.
    pub const fn is_collective(self) -> bool {
        matches!(self, Route::AllCubes | Route::AllVecs | Route::CoreVecs)
    }

    /// Whether it joins all cores.
    pub const fn joins_cores(self) -> bool {
        matches!(self, Route::AllCubes | Route::AllVecs)
    }

    /// How reports describe the wait.
    pub const fn awaited(self) -> &'static str {
        match self {
            Route::CubeToVec => "the cube lane",
            Route::VecToCube => "both vec lanes",
            Route::AllCubes => "the cubes of all cores",
            Route::AllVecs => "the vec lanes of all cores",
            Route::CoreVecs => "the other vec lane",
        }
    }
}

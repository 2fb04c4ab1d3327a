//! Holds the values that illustrate a finding.

use serde::{Deserialize, Serialize};

use a2lint_isa::DType;
use a2lint_source::names::Name;

/// The values that one execution of a statement read and wrote, for a few elements of each operand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Numbers {
    /// Name of the instruction.
    pub instruction: String,
    /// Values of scalars and symbolic extents.
    pub launch: Vec<(String, f64)>,
    /// Whether the checker made up the launch: no code, comment or configuration passes these values.
    pub is_invented: bool,
    /// Core index.
    pub core: u32,
    /// `cube`, `vec0` or `vec1`.
    #[serde(with = "a2lint_source::names")]
    pub lane: Name,
    /// Iteration of each enclosing loop, outermost first.
    pub iteration: Vec<i64>,
    /// The operands: those that are read, those that are written, then other memory that is written.
    pub strips: Vec<Strip>,
    /// The lanes among the first 128 that the vector mask switches off, where the mask applies.
    pub masked: Vec<usize>,
}

/// Neighbouring elements of an operand, around the first element that differs in kind from its predecessor.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Strip {
    /// Name of the parameter; `neighbour` for memory that is no operand.
    #[serde(with = "a2lint_source::names")]
    pub operand: Name,
    /// The operand as it is written.
    pub view: String,
    /// Element type.
    pub dtype: DType,
    /// Rows and columns of the whole operand.
    pub shape: [usize; 2],
    /// Flat index of the first of the elements.
    pub first: usize,
    /// Position, among the elements, of the first one that differs in kind from the one before it.
    pub focus: usize,
    /// The elements before the statement; `None` where they are undefined.
    pub before: Vec<Option<f64>>,
    /// The elements after the statement; empty where it does not write them.
    pub after: Vec<Option<f64>>,
    /// The effect of the statement on each element.
    pub marks: Vec<Mark>,
    /// The number of elements of the whole operand that are undefined before the statement.
    pub undefined_before: usize,
    /// The number of elements of the whole operand that are undefined after the statement.
    pub undefined: usize,
    /// The number of elements of the whole operand that the statement changed.
    pub changed: usize,
}

/// The effect of an instruction on an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mark {
    /// The element is unchanged.
    None,
    /// The instruction changed the element.
    Changed,
    /// The vector mask switched the element off.
    Masked,
}

/// Two strips are equal if they print the same. Elements are compared by their bits, so that a NaN equals
/// itself.
impl PartialEq for Strip {
    fn eq(&self, other: &Strip) -> bool {
        let same = |a: &[Option<f64>], b: &[Option<f64>]| {
            let bits = |element: &Option<f64>| element.map(f64::to_bits);
            a.iter().map(bits).eq(b.iter().map(bits))
        };
        let rest = |strip: &Strip| {
            let counts = [strip.undefined_before, strip.undefined, strip.changed];
            let place = (strip.operand, strip.dtype, strip.shape, strip.first);
            (place, strip.focus, counts)
        };
        rest(self) == rest(other)
            && (&self.view, &self.marks) == (&other.view, &other.marks)
            && same(&self.before, &other.before)
            && same(&self.after, &other.after)
    }
}

impl Strip {
    /// Returns the number of elements of the whole operand.
    pub fn elements(&self) -> usize {
        self.shape[0] * self.shape[1]
    }

    /// Returns the row and the column of the element at an index of the strip.
    pub fn place(&self, index: usize) -> [usize; 2] {
        let columns = self.shape[1].max(1);
        let flat = self.first + index;
        [flat / columns, flat % columns]
    }
}

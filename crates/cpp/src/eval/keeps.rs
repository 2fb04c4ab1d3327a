//! How the value of a cell that a block of the program changes is kept.

use std::rc::Rc;

use crate::library::{LibraryValue, WIDEST};

/// Where the value of a cell that a block changes is kept.
#[derive(Clone, Debug)]
pub(crate) enum Keep {
    /// In variables of the program.
    Variables,
    /// In variables of the program, as a less precise value of this width that all paths share.
    Widened(u8),
    /// As all branches leave it, in another shape than before: one value, or variables of the program.
    Left {
        /// The value at the end of a branch.
        value: Rc<dyn LibraryValue>,
        /// Whether all branches leave this value.
        is_same: bool,
        /// The width in which the branches and the state before them agree.
        width: u8,
        /// The number of branches that were seen to leave it.
        branches: usize,
    },
    /// As a fixed library value: some path prepares the object, which was unprepared before, and all such paths give it
    /// the same value.
    Fixed(Rc<dyn LibraryValue>),
    /// In variables of the program, with the shape of the library value that some path gives the unprepared object.
    Given(Rc<dyn LibraryValue>),
    /// Not at all: its values differ in more than scalars.
    Nothing,
}

impl Keep {
    /// Returns whether cells are kept in the same way.
    pub fn is_same(&self, other: &Keep) -> bool {
        match (self, other) {
            (Keep::Fixed(a), Keep::Fixed(b)) => is_same_value(a, b),
            (Keep::Given(a), Keep::Given(b)) => a.is_same_shape(&**b),
            (Keep::Widened(a), Keep::Widened(b)) => a == b,
            (
                Keep::Left { value, is_same, .. },
                Keep::Left {
                    value: other,
                    is_same: other_is_same,
                    ..
                },
            ) => match is_same {
                true => *other_is_same && is_same_value(value, other),
                false => !other_is_same && value.is_same_shape(&**other),
            },
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }

    /// Returns the way of keeping a cell that can hold the values of both.
    pub fn joined(&self, other: &Keep) -> Keep {
        match (self, other) {
            (Keep::Variables, keep) | (keep, Keep::Variables) => keep.clone(),
            (Keep::Widened(a), Keep::Widened(b)) => Keep::Widened(*a.max(b)),
            (Keep::Left { .. }, Keep::Left { .. }) => self.left_by_both(other),
            (Keep::Left { width, .. }, Keep::Widened(other))
            | (Keep::Widened(other), Keep::Left { width, .. }) => Keep::Widened(*width.max(other)),
            (Keep::Fixed(value), Keep::Fixed(_)) if self.is_same(other) => {
                Keep::Fixed(value.clone())
            }
            (Keep::Fixed(a) | Keep::Given(a), Keep::Fixed(b) | Keep::Given(b))
                if a.is_same_shape(&**b) =>
            {
                Keep::Given(a.clone())
            }
            _ => Keep::Nothing,
        }
    }

    fn left_by_both(&self, other: &Keep) -> Keep {
        let (
            Keep::Left {
                value,
                is_same,
                width,
                branches,
            },
            Keep::Left {
                value: other,
                is_same: other_is_same,
                width: other_width,
                branches: more,
            },
        ) = (self, other)
        else {
            return Keep::Nothing;
        };
        if !value.is_same_shape(&**other) {
            return Keep::Widened(WIDEST);
        }
        Keep::Left {
            value: value.clone(),
            is_same: *is_same && *other_is_same && is_same_value(value, other),
            width: *width.max(other_width),
            branches: branches.saturating_add(*more),
        }
    }

    /// Decides what the branches leave after all of them have been evaluated: fewer than there are may have changed it.
    pub fn settle(&mut self, all: usize) {
        if let Keep::Left {
            width, branches, ..
        } = self
        {
            match *branches >= all {
                true => *branches = usize::MAX,
                false => *self = Keep::Widened(*width),
            }
        }
    }
}

fn is_same_value(a: &Rc<dyn LibraryValue>, b: &Rc<dyn LibraryValue>) -> bool {
    a.is_same_shape(&**b) && a.scalars() == b.scalars()
}

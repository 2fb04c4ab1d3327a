//! How the value of a cell that a block of the program changes is kept.

use std::rc::Rc;

use super::values::Value;
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
        /// The width in which the branches and the state before them agree; `None` if they have nothing in common.
        width: Option<u8>,
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
            | (Keep::Widened(other), Keep::Left { width, .. }) => {
                Keep::of_width(width.map(|width| width.max(*other)))
            }
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
            return Keep::of_width(width.map(|_| WIDEST));
        }
        Keep::Left {
            value: value.clone(),
            is_same: *is_same && *other_is_same && is_same_value(value, other),
            width: width.zip(*other_width).map(|(a, b)| a.max(b)),
            branches: branches.saturating_add(*more),
        }
    }

    fn of_width(width: Option<u8>) -> Keep {
        width.map_or(Keep::Nothing, Keep::Widened)
    }

    /// Decides what the branches leave after all of them have been evaluated: fewer than there are may have changed it.
    pub fn settle(&mut self, all: usize) {
        if let Keep::Left {
            width, branches, ..
        } = self
        {
            match *branches >= all {
                true => *branches = usize::MAX,
                false => *self = Keep::of_width(*width),
            }
        }
    }
}

fn is_same_value(a: &Rc<dyn LibraryValue>, b: &Rc<dyn LibraryValue>) -> bool {
    a.is_same_shape(&**b) && a.scalars() == b.scalars()
}

/// Returns a less precise value in which different states of an object agree; see [`LibraryValue::widened`].
pub(super) fn widened(value: &Value, width: u8) -> Option<Value> {
    match value {
        Value::Library(value) => value.widened(width).map(Value::Library),
        _ => None,
    }
}

/// Returns a value as wide as the shape that variables hold, if it has that shape then.
pub(super) fn as_wide_as(shape: &Value, value: &Value) -> Option<Value> {
    let width = (1..=WIDEST).find(|&width| is_widened(shape, width))?;
    (width..=WIDEST)
        .filter_map(|width| widened(value, width))
        .find(|wide| wide.is_same_shape(shape))
}

/// Returns whether a shape is already as wide as that.
pub(super) fn is_widened(shape: &Value, width: u8) -> bool {
    widened(shape, width).is_none_or(|wide| wide.is_same_shape(shape))
}

/// Returns whether branches leave an object in states that are followed apart, each of them known.
pub(super) fn are_apart(ends: &[Value]) -> bool {
    let is_known = |end: &Value| matches!(end, Value::Library(end) if end.is_followed_apart());
    ends.len() > 1 && ends.iter().all(is_known)
}

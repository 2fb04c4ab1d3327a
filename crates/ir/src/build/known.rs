//! Tracks the expressions that variables are known to hold (reaching definitions).
//!
//! A value is known until its variable, or a variable that it mentions, changes. Changes are stamped with a
//! time instead of searched for, and branches are undone from a journal instead of copied, so that a walk
//! over a program takes a time proportional to its statements.

use std::rc::Rc;

use crate::{ScalarId, VariableId};

/// Values of variables, with a journal to restore former states.
pub(super) struct Known {
    time: u32,
    /// When each variable changed last.
    changes: Vec<u32>,
    values: Vec<Option<Value>>,
    /// The overwritten entries, oldest first.
    journal: Vec<Former>,
}

/// The value of a variable.
#[derive(Clone)]
struct Value {
    scalar: ScalarId,
    /// The variables that the expression mentions.
    leaves: Rc<[VariableId]>,
    /// The time of the assignment.
    at: u32,
}

/// An overwritten entry.
enum Former {
    Change(VariableId, u32),
    Value(VariableId, Option<Value>),
}

/// The length of the journal at a state that can be restored.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

impl Known {
    /// Makes a state in which nothing is known of `variables` variables.
    pub fn new(variables: usize) -> Self {
        Known {
            time: 0,
            changes: vec![0; variables],
            values: vec![None; variables],
            journal: Vec::new(),
        }
    }

    /// Returns the expression that a variable holds, if it is known.
    pub fn get(&self, variable: VariableId) -> Option<ScalarId> {
        let value = self.values[variable.index()].as_ref()?;
        // With stamps, a change need not search for the values that mention the variable.
        let is_older = |changed: &VariableId| self.changes[changed.index()] < value.at;
        let is_valid = is_older(&variable) && value.leaves.iter().all(is_older);
        is_valid.then_some(value.scalar)
    }

    /// Records a change of a variable: values that mention it are no longer known.
    pub fn changed(&mut self, variable: VariableId) {
        self.time += 1;
        let former = std::mem::replace(&mut self.changes[variable.index()], self.time);
        self.journal.push(Former::Change(variable, former));
    }

    /// Records that a variable holds an expression from here on.
    pub fn holds(&mut self, variable: VariableId, scalar: ScalarId, leaves: Rc<[VariableId]>) {
        self.time += 1;
        let at = self.time;
        let value = Value { scalar, leaves, at };
        let former = self.values[variable.index()].replace(value);
        self.journal.push(Former::Value(variable, former));
    }

    /// Returns a mark of the current state.
    pub fn mark(&self) -> Mark {
        Mark(self.journal.len())
    }

    /// Restores an earlier state. The time is not set back, so that stamps remain unique.
    pub fn back_to(&mut self, mark: Mark) {
        for former in self.journal.drain(mark.0..).rev() {
            match former {
                Former::Change(variable, time) => self.changes[variable.index()] = time,
                Former::Value(variable, value) => self.values[variable.index()] = value,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: VariableId = VariableId(0);
    const B: VariableId = VariableId(1);
    const ONE: ScalarId = ScalarId(1);
    const TWO: ScalarId = ScalarId(2);

    #[test]
    fn a_value_is_known_until_what_it_mentions_changes() {
        let mut known = Known::new(2);
        known.changed(A);
        known.holds(A, ONE, Rc::new([B]));
        assert_eq!(known.get(A), Some(ONE));
        known.changed(B);
        assert_eq!(known.get(A), None);
    }

    #[test]
    fn an_undone_change_brings_back_what_was_known() {
        let mut known = Known::new(2);
        known.holds(A, ONE, Rc::new([B]));
        let mark = known.mark();
        known.changed(B);
        known.changed(A);
        known.holds(A, TWO, Rc::new([]));
        assert_eq!(known.get(A), Some(TWO));
        known.back_to(mark);
        assert_eq!(known.get(A), Some(ONE));
        known.changed(A);
        assert_eq!(known.get(A), None);
    }
}

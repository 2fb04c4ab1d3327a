//! Numbers when a kernel starts: sizes of buffers.

use std::cell::RefCell;

use super::polynomial::Polynomial;
use super::state::State;
use super::walk::{Given, take_all};
use a2lint_ir::{MemoryMap, Program, ScalarId};

/// Values before the first statement if parameters lie in the given ranges. Integers are assumed not to overflow.
#[derive(Debug)]
pub struct Start<'p> {
    program: &'p Program,
    state: RefCell<State<'p>>,
}

impl<'p> Start<'p> {
    /// Evaluates numbers before the first statement if parameters lie in the given ranges.
    pub fn new(program: &'p Program, given: &[Given]) -> Start<'p> {
        let mut state = State::new(program);
        state.trusts_types = true;
        state.symbols.wants_growth = true;
        take_all(&mut state, given);
        state.record_demands();
        Start {
            program,
            state: RefCell::new(state),
        }
    }

    /// Returns the largest value of a number, if it is neither negative nor unbounded.
    pub fn largest(&self, id: ScalarId) -> Option<i64> {
        let range = self.state.borrow_mut().range(id);
        range.most().filter(|_| range.min >= 0)
    }

    /// Returns an upper bound of a number, see [`super::Symbols::growth`].
    pub fn growth(&self, id: ScalarId) -> Option<Polynomial> {
        let mut state = self.state.borrow_mut();
        let number = state.number(id)?;
        let is_natural = state.range_of(&number).min >= 0;
        state.growth(&number).filter(|_| is_natural)
    }

    /// Returns the layout with the largest extents of all buffers. The buffers of a launch are no longer.
    pub fn largest_layout(&self) -> MemoryMap {
        MemoryMap::with(self.program, |id| self.largest(id))
    }
}

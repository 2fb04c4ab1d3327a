//! Where buffers are given memory.
//!
//! Buffers that are given memory one after the other lie side by side. What two ways of a branch give lies at one
//! address, so that the sum of all buffers is no bound.

use std::cell::RefCell;
use std::collections::BTreeMap;

use a2lint_cpp::eval::CellId;
use a2lint_source::text::Span;

/// For each object and place that initialises it (`InitBuffer`): the branches and loops of the program around the
/// place.
#[derive(Debug, Default)]
pub struct Given {
    paths: RefCell<BTreeMap<(CellId, Span), Vec<u32>>>,
}

impl Given {
    /// Records a place that initialises an object (`InitBuffer`).
    pub fn record(&self, cell: CellId, span: Span, path: &[u32]) {
        self.paths.borrow_mut().insert((cell, span), path.to_vec());
    }

    /// Returns whether two blocks of the program call `InitBuffer` on the same object, neither inside of the other: the
    /// memory then depends on the path.
    pub fn has_ways(&self) -> bool {
        let paths = self.paths.borrow();
        let mut paths: Vec<&Vec<u32>> = paths.values().collect();
        paths.sort_by_key(|path| path.len());
        paths.windows(2).any(|pair| !pair[1].starts_with(pair[0]))
    }
}

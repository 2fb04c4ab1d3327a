//! The program paths on which `InitBuffer` gives memory to buffers.
//!
//! Buffers that are initialised one after the other are adjacent in memory. Buffers of two arms of a branch have the
//! same address, so that the sum of all sizes is no bound on the memory in use.

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

    /// Returns whether two blocks of the program, neither of which contains the other, call `InitBuffer`: the memory
    /// layout then depends on the path.
    pub fn has_ways(&self) -> bool {
        let paths = self.paths.borrow();
        let mut paths: Vec<&Vec<u32>> = paths.values().collect();
        paths.sort_by_key(|path| path.len());
        paths.windows(2).any(|pair| !pair[1].starts_with(pair[0]))
    }
}

//! Undefined data that passes through workspaces.
//!
//! Kernels hand tails over between cube and vec by storing a whole tile of which a part is undefined. That is the
//! documented way, so the store is no fault: the definedness bits travel with the data and are judged where they
//! matter (in an output, a reduction, a scalar, an index or a mask). Such data was stored on purpose, so loading an
//! operand without any defined byte is no mistake of its own.

use rustc_hash::FxHashSet;

use super::access::Rows;
use super::memory::Memory;
use a2lint_ir::GlobalId;
use a2lint_isa::BLOCK_BYTES;

/// The 32-byte blocks of workspaces that received undefined data.
#[derive(Clone, Debug, Default)]
pub struct Carried {
    blocks: FxHashSet<(GlobalId, i64)>,
}

impl Carried {
    /// Records which blocks of the rows that were just stored to a workspace are undefined.
    pub fn note(&mut self, id: GlobalId, contents: &Memory, rows: &[Rows]) {
        let undefined = undefined_blocks(contents, rows);
        self.blocks.extend(undefined.map(|block| (id, block)));
    }

    /// Returns whether any of the rows holds undefined data that a lane has stored.
    pub fn is_in(&self, id: GlobalId, contents: &Memory, rows: &[Rows]) -> bool {
        let is_carried = |block| self.blocks.contains(&(id, block));
        // Few kernels store undefined data: the empty set saves walking over the rows.
        !self.blocks.is_empty() && undefined_blocks(contents, rows).any(is_carried)
    }
}

/// Returns the numbers of the 32-byte blocks of rows that are not wholly defined; rows are clipped to the
/// memory.
fn undefined_blocks(memory: &Memory, rows: &[Rows]) -> impl Iterator<Item = i64> {
    let capacity = memory.capacity() as i64;
    let runs = rows.iter().flat_map(Rows::runs);
    let inside = runs.map(move |(start, length)| {
        (
            start.clamp(0, capacity),
            (start + length).clamp(0, capacity),
        )
    });
    // Whole runs first: only runs with an undefined byte are examined block by block.
    let undefined =
        inside.filter(|&(start, end)| !memory.all_defined(start as usize..end.max(start) as usize));
    undefined.flat_map(move |(start, end)| {
        let blocks = start / BLOCK_BYTES..=(end - 1) / BLOCK_BYTES;
        blocks.filter(move |block| {
            // The first and the last block may extend beyond the run; bytes outside of it do not count.
            let from = (block * BLOCK_BYTES).max(start);
            let to = ((block + 1) * BLOCK_BYTES).min(end);
            !memory.all_defined(from as usize..to as usize)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undefined_blocks_are_carried_until_they_are_overwritten() {
        let id = GlobalId(0);
        let mut contents = Memory::new(256);
        let mut carried = Carried::default();
        assert!(!carried.is_in(id, &contents, &[Rows::run(0, 256)]));
        contents.set_defined(0..64, true);
        carried.note(id, &contents, &[Rows::run(0, 128)]);
        assert!(carried.is_in(id, &contents, &[Rows::run(96, 32)]));
        assert!(!carried.is_in(id, &contents, &[Rows::run(0, 64)]));
        assert!(
            !carried.is_in(id, &contents, &[Rows::run(128, 128)]),
            "no lane has stored it"
        );
        contents.set_defined(64..128, true);
        assert!(!carried.is_in(id, &contents, &[Rows::run(0, 256)]));
    }
}

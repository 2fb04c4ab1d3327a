//! The bytes that an instruction reads and writes, and the place in the run at which it does so.

use std::ops::Range;

use super::lane_id::LaneId;
use a2lint_ir::{GlobalId, StmtId};
use a2lint_isa::{Pipe, Position};

/// The statement, lane and loop iterations of an event of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site<'a> {
    /// The statement.
    pub stmt: StmtId,
    /// The executing lane.
    pub lane: LaneId,
    /// Iteration numbers of the loops around the statement, from 0, outermost first.
    pub iterations: &'a [i64],
}

/// A memory as seen from the lane that accesses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemoryId {
    /// A global tensor.
    Global(GlobalId),
    /// An on-chip memory of the lane's core; UB is that of the lane itself.
    Local(Position),
}

/// One operand of an instruction that is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access<'a> {
    /// The pipe that performs it.
    pub pipe: Pipe,
    /// The memory.
    pub memory: MemoryId,
    /// Index of the buffer slot among the slots of all buffers; `None` for global memory and for the halves
    /// of L0A and L0B that a macro stages its operands in.
    pub slot: Option<usize>,
    /// The slot index as the source computes it, before it is taken modulo the number of slots.
    pub index: i64,
    /// Whether it changes the memory.
    pub write: bool,
    /// Whether it is an atomic update, which commutes with others of its kind.
    pub atomic: bool,
    /// Whether its instruction takes part in the handshake of M and FIX over parts of L0C, and this is L0C.
    pub has_unit_flag: bool,
    /// Index of the parameter that names the operand.
    pub operand: usize,
    /// The bytes; empty if no lane is active, or if the instruction was left out because it is illegal.
    pub rows: &'a [Rows],
    /// Start address of the slot, or of the global tensor, that the operand belongs to.
    pub base: i64,
    /// End address (exclusive) of that slot; the largest number for a global tensor.
    pub end: i64,
    /// Whether its instruction reaches outside of an on-chip tensor. Its extents are then wrong, and so are the bytes
    /// that it touches in others.
    pub overruns: bool,
    /// The undefined bytes of a read operand; `None` if all are defined.
    pub undefined: Option<Undefined>,
}

/// The undefined bytes of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undefined {
    /// Address of the first undefined byte.
    pub first: i64,
    /// Length in bytes of the undefined run that starts there.
    pub run: i64,
    /// Number of undefined bytes of the whole operand.
    pub bytes: i64,
}

/// `count` runs of `length` bytes each, `pitch` bytes from start to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// First byte of the first run.
    pub start: i64,
    /// Bytes of each run.
    pub length: i64,
    /// Bytes from one run to the next.
    pub pitch: i64,
    /// Number of runs.
    pub count: i64,
}

impl Rows {
    /// Returns one run of bytes.
    pub const fn run(start: i64, length: i64) -> Rows {
        Rows {
            start,
            length,
            pitch: length,
            count: 1,
        }
    }

    /// Compresses ascending ranges that do not touch into evenly spaced runs.
    pub fn of_ranges(ranges: &[Range<i64>]) -> Vec<Rows> {
        let mut all: Vec<Rows> = Vec::new();
        for range in ranges {
            let run = Rows::run(range.start, range.end - range.start);
            match all.last_mut() {
                Some(last) if last.goes_on_with(&run) => {
                    // The second run sets the pitch; for later ones, which `goes_on_with` has checked, the
                    // quotient is that pitch again.
                    last.pitch = (run.start - last.start) / last.count;
                    last.count += 1;
                }
                _ => all.push(run),
            }
        }
        all
    }

    /// Returns whether `run` continues the pattern: the same length, at the same distance.
    fn goes_on_with(&self, run: &Rows) -> bool {
        // A single run has no pitch of its own yet, so any next run of the same length continues it.
        let is_next = self.count == 1 || run.start == self.start + self.count * self.pitch;
        is_next && run.length == self.length
    }

    /// Returns the parts of runs that lie between two addresses.
    pub fn clipped(rows: &[Rows], start: i64, end: i64) -> Vec<Rows> {
        let runs = rows.iter().flat_map(Rows::runs);
        let parts = runs.filter_map(|(at, length)| {
            let (first, last) = (at.max(start), (at + length).min(end));
            (first < last).then_some(first..last)
        });
        let mut parts: Vec<Range<i64>> = parts.collect();
        // Rows may walk downwards or overlap.
        parts.sort_by_key(|part| part.start);
        Rows::of_ranges(&parts)
    }

    /// Returns the start and the length of each run.
    pub fn runs(&self) -> impl Iterator<Item = (i64, i64)> + use<> {
        let rows = *self;
        (0..rows.count).map(move |row| (rows.start + row * rows.pitch, rows.length))
    }

    /// Returns the start address and the end address (exclusive) of all runs, or `None` if nothing is
    /// touched.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        if self.count <= 0 || self.length <= 0 {
            return None;
        }
        // Extents that a kernel computes may be too large for their product.
        let last = (self.count - 1).saturating_mul(self.pitch);
        let last = self.start.saturating_add(last);
        // A negative pitch walks downwards, so the last run may start below the first one.
        Some((
            self.start.min(last),
            self.start.max(last).saturating_add(self.length),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_clipped_to_what_lies_inside() {
        let rows = |start, length, pitch, count| Rows {
            start,
            length,
            pitch,
            count,
        };
        let clipped = |rows: &[Rows]| Rows::clipped(rows, 32, 96);
        assert_eq!(clipped(&[Rows::run(0, 128)]), [Rows::run(32, 64)]);
        assert_eq!(clipped(&[Rows::run(96, 32)]), []);
        assert_eq!(clipped(&[rows(32, 16, 32, 4)]), [rows(32, 16, 32, 2)]);
        assert_eq!(clipped(&[rows(64, 16, -32, 4)]), [rows(32, 16, 32, 2)]);
    }

    #[test]
    fn ranges_that_are_evenly_spaced_become_rows() {
        let ranges = [0..4, 8..12, 16..20, 22..26, 40..50, 60..70, 80..89];
        let rows = Rows::of_ranges(&ranges);
        let spaced = |start, length, pitch, count| Rows {
            start,
            length,
            pitch,
            count,
        };
        let expected = [
            spaced(0, 4, 8, 3),
            Rows::run(22, 4),
            spaced(40, 10, 20, 2),
            Rows::run(80, 9),
        ];
        assert_eq!(rows, expected);
        let runs: Vec<Range<i64>> = rows
            .iter()
            .flat_map(Rows::runs)
            .map(|(start, length)| start..start + length)
            .collect();
        assert_eq!(runs, ranges);
    }
}

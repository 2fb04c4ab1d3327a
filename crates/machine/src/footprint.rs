//! The bytes of global memory that a group of cores reads and writes.

use super::access::Rows;
use a2lint_ir::GlobalId;

/// Maximum number of runs of bytes that are kept for one tensor.
// A core that touches more is not compared: cores then run one after another.
const MAX_RUNS: usize = 1 << 18;

/// The bytes of every global tensor that are read and written.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    tensors: Vec<Touched>,
}

/// The bytes of a tensor that are read and written.
#[derive(Clone, Debug, Default)]
struct Touched {
    read: Runs,
    written: Runs,
}

impl Footprint {
    /// Records an access.
    pub fn note(&mut self, global: GlobalId, write: bool, rows: &[Rows]) {
        let index = global.index();
        if self.tensors.len() <= index {
            self.tensors.resize_with(index + 1, Touched::default);
        }
        let touched = &mut self.tensors[index];
        let runs = match write {
            true => &mut touched.written,
            false => &mut touched.read,
        };
        rows.iter().for_each(|rows| runs.add_rows(rows));
    }

    /// Sorts all runs, so that footprints can be compared. Returns `false` if there are more than `MAX_RUNS`.
    pub fn finish(&mut self) -> bool {
        self.tensors.iter_mut().all(|touched| {
            touched.read.sort();
            touched.written.sort();
            touched.read.list.len().max(touched.written.list.len()) <= MAX_RUNS
        })
    }

    /// Returns whether one footprint writes what the other reads or writes; both have to be finished.
    pub fn meets(&self, other: &Footprint) -> bool {
        let mut pairs = self.tensors.iter().zip(&other.tensors);
        pairs.any(|(a, b)| {
            a.written.meets(&b.written) || a.written.meets(&b.read) || a.read.meets(&b.written)
        })
    }

    /// Adds another footprint; both have to be finished, and so is the result.
    pub fn absorb(&mut self, other: &Footprint) {
        if self.tensors.len() < other.tensors.len() {
            self.tensors
                .resize_with(other.tensors.len(), Touched::default);
        }
        for (touched, other) in self.tensors.iter_mut().zip(&other.tensors) {
            touched.read.absorb(&other.read);
            touched.written.absorb(&other.written);
        }
    }

    /// Returns every run of bytes that is read, as start and end (exclusive).
    pub fn read(&self) -> impl Iterator<Item = (GlobalId, (i64, i64))> {
        self.each(|touched| &touched.read)
    }

    /// Returns every run of bytes that is written, as start and end (exclusive).
    pub fn written(&self) -> impl Iterator<Item = (GlobalId, (i64, i64))> {
        self.each(|touched| &touched.written)
    }

    fn each(
        &self,
        runs: impl Fn(&Touched) -> &Runs,
    ) -> impl Iterator<Item = (GlobalId, (i64, i64))> {
        let tensors = (0..).map(GlobalId).zip(&self.tensors);
        tensors.flat_map(move |(id, touched)| runs(touched).list.iter().map(move |&run| (id, run)))
    }
}

/// Runs of bytes, each as start and end (exclusive).
#[derive(Clone, Debug, Default)]
struct Runs {
    list: Vec<(i64, i64)>,
    /// The length of the list when it was last sorted.
    sorted: usize,
}

impl Runs {
    fn add_rows(&mut self, rows: &Rows) {
        // Rows without gaps are one run.
        if rows.pitch == rows.length && rows.count > 0 {
            return self.add(rows.start, rows.start + rows.length * rows.count);
        }
        rows.runs()
            .for_each(|(start, length)| self.add(start, start + length));
    }

    fn add(&mut self, start: i64, end: i64) {
        if start >= end {
            return;
        }
        // Successive accesses usually continue the last run; joining them here keeps the list short.
        if let Some(last) = self.list.last_mut()
            && last.0 <= start
            && start <= last.1
        {
            last.1 = last.1.max(end);
            return;
        }
        self.list.push((start, end));
        // Loops touch the same bytes repeatedly: sorting joins them, and once the list has doubled it costs
        // little per run.
        if self.list.len() > 64 + 2 * self.sorted {
            self.sort();
        }
    }

    /// Sorts the runs and joins those that overlap or touch.
    fn sort(&mut self) {
        self.list.sort_unstable();
        self.list.dedup_by(|next, run| {
            let touches = next.0 <= run.1;
            if touches {
                run.1 = run.1.max(next.1);
            }
            touches
        });
        self.sorted = self.list.len();
    }

    fn absorb(&mut self, other: &Runs) {
        if !other.list.is_empty() {
            self.list.extend_from_slice(&other.list);
            self.sort();
        }
    }

    /// Returns whether both have a byte in common; both have to be sorted.
    fn meets(&self, other: &Runs) -> bool {
        let (mut ours, mut theirs) = (self.list.iter().peekable(), other.list.iter().peekable());
        while let (Some(a), Some(b)) = (ours.peek(), theirs.peek()) {
            if a.0 < b.1 && b.0 < a.1 {
                return true;
            }
            match a.1 <= b.1 {
                true => ours.next(),
                false => theirs.next(),
            };
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn footprint(accesses: &[(u32, bool, Rows)]) -> Footprint {
        let mut footprint = Footprint::default();
        for (global, write, rows) in accesses {
            footprint.note(GlobalId(*global), *write, &[*rows]);
        }
        assert!(footprint.finish());
        footprint
    }

    fn strided(start: i64) -> Rows {
        Rows {
            start,
            length: 8,
            pitch: 32,
            count: 4,
        }
    }

    #[test]
    fn rows_that_interleave_do_not_meet() {
        let a = footprint(&[(1, true, strided(0))]);
        let b = footprint(&[(1, true, strided(8))]);
        // One byte earlier, so that each run overlaps the end of one of `a`.
        let c = footprint(&[(1, true, strided(7))]);
        assert!(!a.meets(&b) && !b.meets(&a));
        assert!(a.meets(&c) && c.meets(&b));
    }

    #[test]
    fn shared_reads_do_not_meet() {
        let read = footprint(&[(0, false, Rows::run(0, 64))]);
        // The last byte that is read.
        let written = footprint(&[(0, true, Rows::run(63, 1))]);
        let elsewhere = footprint(&[(2, true, Rows::run(63, 1))]);
        assert!(!read.meets(&read));
        assert!(read.meets(&written) && written.meets(&read));
        assert!(!read.meets(&elsewhere));
    }

    #[test]
    fn absorbed_runs_are_met() {
        let mut all = footprint(&[(0, true, strided(0))]);
        all.absorb(&footprint(&[(0, true, strided(8))]));
        let runs: Vec<_> = all.written().map(|(_, run)| run).collect();
        assert_eq!(runs, [(0, 16), (32, 48), (64, 80), (96, 112)]);
        assert!(all.meets(&footprint(&[(0, false, Rows::run(100, 4))])));
        assert!(!all.meets(&footprint(&[(0, true, Rows::run(16, 16))])));
    }

    #[test]
    fn repeated_accesses_take_no_room() {
        let mut footprint = Footprint::default();
        for round in 0..100_000 {
            footprint.note(GlobalId(0), true, &[Rows::run(round % 100 * 64, 32)]);
        }
        assert!(footprint.tensors[0].written.list.len() < 1000);
    }
}

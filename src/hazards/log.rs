//! What has been accessed in one memory, as far as it can still take part in a hazard.

use smallvec::SmallVec;

use super::clock::Thread;
use crate::ir::StmtId;
use crate::machine::Rows;

/// Most accesses that are remembered per memory. Beyond it the older half is forgotten, which can
/// only hide hazards.
const CAPACITY: usize = 4096;

/// One access.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Who.
    pub thread: Thread,
    /// Its how manieth instruction.
    pub epoch: u32,
    /// Whether it writes.
    pub write: bool,
    /// Whether it commutes with its like.
    pub atomic: bool,
    /// The `auto_sync` region it stands in.
    pub region: Option<StmtId>,
    /// The instruction.
    pub stmt: StmtId,
    /// Parameter index of the operand.
    pub operand: usize,
    /// Iterations of the loops around it, outermost first.
    pub iterations: SmallVec<[i64; 4]>,
    /// First byte, and the byte behind the last one.
    pub bounds: (i64, i64),
    /// The bytes.
    pub rows: SmallVec<[Rows; 1]>,
}

impl Entry {
    /// Whether the order of two accesses to the same bytes matters.
    pub fn conflicts(&self, other: &Entry) -> bool {
        (self.write || other.write) && !(self.atomic && other.atomic)
    }

    /// The first stretch of bytes that both touch.
    pub fn overlap(&self, other: &Entry) -> Option<(i64, i64)> {
        if self.bounds.1 <= other.bounds.0 || other.bounds.1 <= self.bounds.0 {
            return None;
        }
        let pairs = self
            .rows
            .iter()
            .flat_map(|a| other.rows.iter().map(move |b| (a, b)));
        pairs.filter_map(|(a, b)| shared(a, b)).min()
    }

    /// Whether every byte of `other` is certainly among its own.
    fn contains(&self, other: &Entry) -> bool {
        let whole = |rows: &Rows| rows.count <= 1 || rows.pitch == rows.length;
        self.rows == other.rows
            || self.rows.len() == 1
                && whole(&self.rows[0])
                && self.bounds.0 <= other.bounds.0
                && other.bounds.1 <= self.bounds.1
    }
}

/// Accesses to one memory, oldest first.
#[derive(Debug, Default)]
pub(super) struct Log {
    entries: Vec<Entry>,
}

impl Log {
    /// What may conflict with an access.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Remembers an access. What it makes superfluous goes: an earlier access to the same bytes
    /// can be in no hazard that this one is not in, if whoever is ordered behind this one is
    /// ordered behind it too (`is_before`).
    pub fn push(&mut self, entry: Entry, is_before: impl Fn(&Entry) -> bool) {
        self.entries.retain(|old| {
            let stronger =
                entry.write && !entry.atomic || (!old.write && old.thread == entry.thread);
            let later = old.thread == entry.thread || is_before(old);
            !(stronger && later && entry.contains(old))
        });
        if self.entries.len() >= CAPACITY {
            self.entries.drain(..CAPACITY / 2);
        }
        self.entries.push(entry);
    }
}

/// The first stretch of bytes that two evenly spaced sets of runs share.
fn shared(a: &Rows, b: &Rows) -> Option<(i64, i64)> {
    let (few, many) = if a.count <= b.count { (a, b) } else { (b, a) };
    (0..few.count).find_map(|row| {
        let start = few.start + row * few.pitch;
        shared_with_run(start, start + few.length, many)
    })
}

/// The first stretch of a run that lies in `rows`.
fn shared_with_run(start: i64, end: i64, rows: &Rows) -> Option<(i64, i64)> {
    if rows.count <= 0 || rows.length <= 0 || end <= start {
        return None;
    }
    if rows.count == 1 || rows.pitch <= 0 {
        let stretch = (start.max(rows.start), end.min(rows.start + rows.length));
        return (stretch.0 < stretch.1).then_some(stretch);
    }
    // The first run that ends behind `start` is the only candidate: a later one starts later.
    let first = (start - rows.start - rows.length).div_euclid(rows.pitch) + 1;
    let row = first.max(0);
    if row >= rows.count {
        return None;
    }
    let begin = rows.start + row * rows.pitch;
    let stretch = (start.max(begin), end.min(begin + rows.length));
    (stretch.0 < stretch.1).then_some(stretch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bytes(rows: &Rows) -> std::collections::BTreeSet<i64> {
        (0..rows.count)
            .flat_map(|row| {
                let start = rows.start + row * rows.pitch;
                start..start + rows.length
            })
            .collect()
    }

    fn rows() -> impl Strategy<Value = Rows> {
        (0..80i64, 0..12i64, 0..9i64, 0..6i64).prop_map(|(start, length, gap, count)| Rows {
            start,
            length,
            pitch: length + gap,
            count,
        })
    }

    proptest! {
        #[test]
        fn shared_bytes_are_found_exactly(a in rows(), b in rows()) {
            let (left, right) = (bytes(&a), bytes(&b));
            let both: Vec<_> = left.intersection(&right).copied().collect();
            let found = shared(&a, &b);
            prop_assert_eq!(found.is_some(), !both.is_empty());
            if let Some((start, end)) = found {
                prop_assert!((start..end).all(|byte| both.contains(&byte)));
            }
        }
    }
}

//! The accesses to one memory that can still take part in a hazard.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::clock::Thread;
use super::order::pipe_of;
use crate::Rows;
use a2lint_ir::StmtId;
use a2lint_ir::sync::Part;

/// Maximum number of accesses that are kept for one memory. Beyond it the older half is dropped, and `Log::is_cut` is
/// set.
const CAPACITY: usize = 1 << 15;
/// Up to this many accesses are searched one by one; more are found through an index.
const FEW: usize = 64;
/// Bytes of a bucket of the index.
const BUCKET: i64 = 4096;
/// Maximum number of buckets in which one access is indexed; an access with more counts as near everything.
const MOST_BUCKETS: i64 = 256;
/// Maximum number of runs of bytes of one access that are indexed.
const MOST_RUNS: i64 = 4 * MOST_BUCKETS;

/// One access to the memory.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The pipe that makes it.
    pub thread: Thread,
    /// The number of its instruction among those of its pipe.
    pub epoch: u32,
    /// Whether it writes.
    pub write: bool,
    /// Whether it is an atomic update, which commutes with others of its kind.
    pub atomic: bool,
    /// Whether its instruction takes part in the handshake of M and FIX over parts of L0C.
    pub has_unit_flag: bool,
    /// The `auto_sync` region around it.
    pub region: Option<StmtId>,
    /// The instruction.
    pub stmt: StmtId,
    /// Parameter index of the operand.
    pub operand: usize,
    /// Iterations of the loops around it, outermost first.
    pub iterations: SmallVec<[i64; 4]>,
    /// Start address and end address (exclusive) of all of its bytes.
    pub bounds: (i64, i64),
    /// The bytes.
    pub rows: SmallVec<[Rows; 1]>,
}

impl Entry {
    /// Returns the properties of the access that decide whether its order with another access matters.
    pub fn part(&self) -> Part {
        Part {
            pipe: pipe_of(self.thread),
            write: self.write,
            atomic: self.atomic,
            has_unit_flag: self.has_unit_flag,
        }
    }

    /// Returns the first stretch of bytes that both touch, as start and end.
    pub fn overlap(&self, other: &Entry) -> Option<(i64, i64)> {
        // The bounds first: most accesses are apart, and comparing runs takes much longer.
        if self.bounds.1 <= other.bounds.0 || other.bounds.1 <= self.bounds.0 {
            return None;
        }
        let pairs = self
            .rows
            .iter()
            .flat_map(|a| other.rows.iter().map(move |b| (a, b)));
        pairs.filter_map(|(a, b)| shared(a, b)).min()
    }

    /// Returns whether every byte of `other` is certainly among its own.
    fn contains(&self, other: &Entry) -> bool {
        // The bounds first: they tell most accesses apart, and comparing runs takes longer.
        if other.bounds.0 < self.bounds.0 || self.bounds.1 < other.bounds.1 {
            return false;
        }
        // Runs without gaps between them are a single range.
        let whole = |rows: &Rows| rows.count <= 1 || rows.pitch == rows.length;
        self.rows.len() == 1 && whole(&self.rows[0]) || self.rows == other.rows
    }
}

/// The bounds of a gap, which meet no others.
const GAP: (i64, i64) = (i64::MAX, i64::MIN);

/// Accesses to one memory.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// Oldest first; `None` where a later access has made one superfluous.
    entries: Vec<Option<Entry>>,
    /// The bounds of each entry, side by side: most accesses are told apart by them.
    bounds: Vec<(i64, i64)>,
    /// Number of entries that are left.
    live: usize,
    /// The entries by address, once there are many.
    index: Option<Index>,
    /// Whether accesses were dropped for lack of room.
    pub is_cut: bool,
}

impl Log {
    /// Returns the accesses that may touch bytes of `entry`, the latest first.
    pub fn near(&self, entry: &Entry) -> impl Iterator<Item = &Entry> {
        let (first, last) = entry.bounds;
        let found = self.index.as_ref().map_or(Near::All, |it| it.near(entry));
        let places = found.latest_first(self.entries.len());
        let meets = move |place: &usize| {
            let (start, end) = self.bounds[*place];
            start < last && first < end
        };
        let places = places.filter(meets);
        places.filter_map(|place| self.entries[place].as_ref())
    }

    /// Adds an access, and drops earlier accesses to the same bytes that it makes superfluous: those of which
    /// every hazard is also one of the new access, because every access that follows the new one also follows
    /// them (`is_before`).
    pub fn push(&mut self, entry: Entry, is_before: impl Fn(&Entry) -> bool) {
        let is_superfluous = |old: &Entry| {
            // Atomic additions are in no hazard with each other.
            let is_in_all = entry.write && (!entry.atomic || old.atomic);
            // A write conflicts with all that an earlier access to its bytes conflicts with; a read only with
            // what an earlier read of its own pipe does.
            let stronger = is_in_all || (!old.write && old.thread == entry.thread);
            let later = old.thread == entry.thread || is_before(old);
            stronger && later && entry.contains(old)
        };
        let (first, last) = entry.bounds;
        let found = self.index.as_ref().map_or(Near::All, |it| it.near(&entry));
        let mut has_gaps = false;
        for place in found.latest_first(self.entries.len()) {
            let (start, end) = self.bounds[place];
            if first <= start && end <= last {
                let gone = self.entries[place].take_if(|old| is_superfluous(old));
                if gone.is_some() {
                    self.bounds[place] = GAP;
                    self.live -= 1;
                    has_gaps = true;
                }
            }
        }
        // Without an index, entries may move. With one, gaps keep the positions that it holds.
        if has_gaps && self.index.is_none() {
            self.close_gaps();
        }
        if self.live >= CAPACITY {
            self.is_cut = true;
            // An access most likely conflicts with recent ones, so the older half is dropped.
            let older = self.entries.len() / 2;
            self.entries[..older].fill(None);
            self.bounds[..older].fill(GAP);
            self.live = self.entries.iter().flatten().count();
        }
        // Compacting only when half of the entries are gaps makes its cost per access constant on average.
        let is_sparse = self.entries.len() >= 2 * self.live.max(FEW);
        if is_sparse || self.index.is_none() && self.live >= 2 * FEW {
            self.compact();
        }
        if let Some(index) = &mut self.index {
            index.add(self.entries.len(), &entry, &self.bounds);
        }
        self.bounds.push(entry.bounds);
        self.entries.push(Some(entry));
        self.live += 1;
    }

    fn close_gaps(&mut self) {
        self.entries.retain(Option::is_some);
        self.bounds.retain(|bounds| *bounds != GAP);
    }

    /// Removes the gaps, and makes or drops the index.
    fn compact(&mut self) {
        self.close_gaps();
        self.index = (self.live > FEW).then(|| {
            let mut index = Index::default();
            for (place, entry) in self.entries.iter().flatten().enumerate() {
                index.add(place, entry, &self.bounds);
            }
            index
        });
    }
}

/// The positions of entries that may touch certain bytes.
enum Near<'i> {
    /// Any entry may.
    All,
    /// Those of one bucket, the oldest first.
    Bucket(&'i [u32]),
    /// Those of several buckets, the latest first.
    Some(Vec<u32>),
}

impl<'i> Near<'i> {
    /// Iterates over the positions, of which there are `all` altogether.
    fn latest_first(self, all: usize) -> impl Iterator<Item = usize> + use<'i> {
        let (all, bucket, some) = match self {
            Near::All => (all, &[][..], Vec::new()),
            Near::Bucket(bucket) => (0, bucket, Vec::new()),
            Near::Some(some) => (0, &[][..], some),
        };
        let bucket = bucket.iter().rev().copied();
        let indexed = bucket.chain(some).map(|place| place as usize);
        indexed.chain((0..all).rev())
    }
}

/// Positions of entries by the bytes that they touch.
#[derive(Debug, Default)]
struct Index {
    buckets: FxHashMap<i64, Vec<u32>>,
    /// Entries that touch too many buckets to be entered in them.
    wide: Vec<u32>,
}

/// Length from which on the gaps of a bucket are removed, each time that it has doubled.
const FULL: usize = 32;

impl Index {
    /// Adds an entry; `bounds` are those of the entries before it.
    fn add(&mut self, place: usize, entry: &Entry, bounds: &[(i64, i64)]) {
        let push = |places: &mut Vec<u32>| {
            // At a power of two, so that the cost per access is constant on average.
            if places.len() >= FULL && places.len().is_power_of_two() {
                places.retain(|&place| bounds[place as usize] != GAP);
            }
            places.push(place as u32);
        };
        match buckets(entry) {
            Some(buckets) => {
                for bucket in buckets {
                    push(self.buckets.entry(bucket).or_default());
                }
            }
            None => push(&mut self.wide),
        }
    }

    /// Returns the entries near one.
    fn near(&self, entry: &Entry) -> Near<'_> {
        let Some(buckets) = buckets(entry) else {
            return Near::All;
        };
        let in_bucket = |bucket: &i64| self.buckets.get(bucket).map_or(&[][..], Vec::as_slice);
        if let ([bucket], true) = (&buckets[..], self.wide.is_empty()) {
            return Near::Bucket(in_bucket(bucket));
        }
        let mut found: Vec<u32> = self.wide.clone();
        found.extend(buckets.iter().flat_map(in_bucket));
        // An entry may be in several of the buckets.
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.dedup();
        Near::Some(found)
    }
}

/// Returns the buckets that an access touches, each once, or `None` if there are too many.
fn buckets(entry: &Entry) -> Option<SmallVec<[i64; 8]>> {
    let mut touched: SmallVec<[i64; 8]> = SmallVec::new();
    // All of it in one bucket: by far the most frequent case.
    let (first, last) = (entry.bounds.0, entry.bounds.1 - 1);
    if first.div_euclid(BUCKET) == last.div_euclid(BUCKET) {
        touched.push(first.div_euclid(BUCKET));
        return Some(touched);
    }
    let mut room = MOST_BUCKETS;
    for rows in &entry.rows {
        let runs = match rows.pitch == rows.length {
            true => 1,
            false => rows.count,
        };
        if runs > MOST_RUNS {
            return None;
        }
        // Adjacent runs count as a single one.
        let length = rows.length * (rows.count / runs.max(1));
        for run in 0..runs {
            let start = rows.start + run * rows.pitch;
            let (first, last) = (
                start.div_euclid(BUCKET),
                (start + length - 1).div_euclid(BUCKET),
            );
            for bucket in first..=last {
                if touched.last() != Some(&bucket) {
                    room -= 1;
                    touched.push(bucket);
                }
                if room < 0 {
                    return None;
                }
            }
        }
    }
    touched.sort_unstable();
    touched.dedup();
    Some(touched)
}

/// Returns the first stretch of bytes that two evenly spaced sets of runs share.
fn shared(a: &Rows, b: &Rows) -> Option<(i64, i64)> {
    // Walks the set with fewer runs; in the other one, runs are found by division.
    let (few, many) = if a.count <= b.count { (a, b) } else { (b, a) };
    (0..few.count).find_map(|row| {
        let start = few.start + row * few.pitch;
        shared_with_run(start, start + few.length, many)
    })
}

/// Returns the first stretch of a run that lies in `rows`.
fn shared_with_run(start: i64, end: i64, rows: &Rows) -> Option<(i64, i64)> {
    if rows.count <= 0 || rows.length <= 0 || end <= start {
        return None;
    }
    if rows.count == 1 || rows.pitch <= 0 {
        let stretch = (start.max(rows.start), end.min(rows.start + rows.length));
        return (stretch.0 < stretch.1).then_some(stretch);
    }
    // The first run that ends after `start` is the only candidate: any other one that overlaps begins later.
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

    /// An access to some rows of bytes by the thread `thread`.
    fn entry(thread: Thread, epoch: u32, write: bool, rows: Rows) -> Entry {
        Entry {
            thread,
            epoch,
            write,
            atomic: false,
            has_unit_flag: false,
            region: None,
            stmt: StmtId(0),
            operand: 0,
            iterations: SmallVec::new(),
            bounds: rows.bounds().expect("rows that touch something"),
            rows: SmallVec::from_elem(rows, 1),
        }
    }

    /// A loop of atomic additions to one place leaves one entry; a read before it stays, since a later
    /// write of another thread would be in a hazard with the read, too.
    #[test]
    fn atomic_additions_to_one_place_replace_each_other() {
        let rows = Rows {
            start: 0,
            length: 256,
            pitch: 256,
            count: 1,
        };
        let mut log = Log::default();
        log.push(entry(0, 0, false, rows), |_| false);
        for epoch in 1..100 {
            let addition = Entry {
                atomic: true,
                ..entry(1, epoch, true, rows)
            };
            log.push(addition, |_| false);
        }
        let next = entry(2, 100, true, rows);
        let left: Vec<u32> = log.near(&next).map(|old| old.epoch).collect();
        assert_eq!(left, [99, 0]);
    }

    /// Thousands of accesses, all of which stay: nothing that overlaps is passed over, and the order
    /// is that of a list.
    #[test]
    fn an_indexed_log_finds_what_a_list_finds() {
        let mut seed = 5_u64;
        let mut random = |below: i64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as i64 % below
        };
        let mut log = Log::default();
        let mut list: Vec<Entry> = Vec::new();
        let mut overlaps = 0;
        for epoch in 0..4000 {
            let (length, gap) = (1 + random(3000), random(3) * random(20_000));
            let rows = Rows {
                start: random(1 << 22) - 5000,
                length,
                pitch: length + gap,
                count: 1 + random(40) * random(8),
            };
            let new = entry(random(4) as Thread, epoch, random(3) == 0, rows);
            let touching = |old: &&Entry| old.overlap(&new).is_some();
            let found: Vec<u32> = log
                .near(&new)
                .filter(touching)
                .map(|old| old.epoch)
                .collect();
            let plain: Vec<u32> = list
                .iter()
                .rev()
                .filter(touching)
                .map(|old| old.epoch)
                .collect();
            assert_eq!(found, plain);
            overlaps += found.len();
            list.retain(|old| {
                let stronger = new.write || (!old.write && old.thread == new.thread);
                !(stronger && old.thread == new.thread && new.contains(old))
            });
            list.push(new.clone());
            log.push(new, |_| false);
        }
        assert!(!log.is_cut && log.live == list.len() && overlaps > 1000);
    }

    #[test]
    fn a_full_log_reports_dropped_accesses() {
        let mut log = Log::default();
        for epoch in 0..=CAPACITY as u32 {
            assert!(!log.is_cut);
            log.push(
                entry(0, epoch, true, Rows::run(64 * i64::from(epoch), 64)),
                |_| false,
            );
        }
        assert!(log.is_cut && log.live == CAPACITY / 2 + 1);
    }
}

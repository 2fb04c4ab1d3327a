//! The extents that loads have filled, by statement and destination.

use rustc_hash::FxHashMap;

use super::access::Rows;
use super::lane_id::LaneId;
use a2lint_ir::{Program, StmtId};

/// What is beside the data of a load, and is not a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// Data of an older tile: the same statement had filled more at the same destination. The largest extents that
    /// earlier loads have filled, on each axis.
    Older([i64; 2]),
    /// Copies of the first element of each row, which fill its last block.
    Filler,
}

impl Rest {
    /// Returns whether both are of one kind.
    pub fn is_like(self, other: Rest) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

/// A load that filled less than its destination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShorterLoad {
    /// The statement.
    pub stmt: StmtId,
    /// The first lane that did so.
    pub lane: LaneId,
    /// Iteration numbers of the loops around the statement, from 0, outermost first.
    pub iterations: Vec<i64>,
    /// Rows, and bytes of a row, that it has filled.
    pub extent: [i64; 2],
    /// What is beside them.
    pub rest: Rest,
}

/// The destination of the loads of one line: a loop that is unrolled has a statement for each iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Index of the slot; those of the second UB come after all others.
    pub slot: usize,
    /// The first statement of the line.
    pub stmt: StmtId,
    /// Address of the first byte.
    pub start: i64,
}

/// Returns, for each statement, the first one at the same place of the source.
pub fn first_alike(program: &Program) -> Vec<StmtId> {
    let mut first = FxHashMap::default();
    let mut found: Vec<StmtId> = (0..program.stmt_count).map(StmtId).collect();
    for (stmt, _) in program.instructions() {
        found[stmt.id.index()] = *first.entry(stmt.span).or_insert(stmt.id);
    }
    found
}

/// The bytes that a load fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filled {
    /// Address of the first byte.
    pub start: i64,
    /// Bytes from one row, or strip of columns, to the next.
    pub pitch: i64,
    /// Rows, and bytes of a row.
    pub extent: [i64; 2],
}

/// The extents that loads have filled, by destination.
#[derive(Clone, Debug, Default)]
pub struct Loads {
    places: FxHashMap<Place, Load>,
}

#[derive(Clone, Debug)]
struct Load {
    pitch: i64,
    /// The most that was filled, on each axis.
    extent: [i64; 2],
    /// Bytes that still hold what was loaded, or what was computed from it in place. Tracked only by runs
    /// that disturb loads.
    held: Vec<(i64, i64)>,
}

impl Loads {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.places.clear();
    }

    /// Records a load; if it fills less than was filled before, returns the most that was filled.
    pub(super) fn note(&mut self, place: Place, filled: Filled) -> Option<[i64; 2]> {
        let Filled { pitch, extent, .. } = filled;
        let known = self.places.get_mut(&place);
        // An empty load has no distance between rows, so it is compared with whatever was loaded before.
        // The distance between rows says nothing of a single one.
        let is_row = extent[0] == 1;
        let same = known.filter(|known| {
            known.pitch == pitch || extent.contains(&0) || is_row && known.extent[0] == 1
        });
        // A load with another distance of rows has another layout, so its extents are not comparable.
        let Some(known) = same else {
            let held = Vec::new();
            let load = Load {
                pitch,
                extent,
                held,
            };
            self.places.insert(place, load);
            return None;
        };
        let before = known.extent;
        known.extent = [0, 1].map(|axis| before[axis].max(extent[axis]));
        (extent[0] < before[0] || extent[1] < before[1]).then_some(before)
    }

    /// Records that bytes of a slot no longer hold what was loaded.
    pub fn overwrite(&mut self, slot: usize, rows: &[Rows]) {
        let places = self.places.iter_mut();
        for (_, load) in places.filter(|(place, _)| place.slot == slot) {
            for (start, length) in rows.iter().flat_map(merged) {
                remove(&mut load.held, (start, start + length));
            }
        }
    }

    /// Returns, and forgets, the bytes of earlier loads that a load of `rows` leaves in its destination.
    pub(super) fn leftovers(&mut self, place: Place, rows: &[Rows]) -> Vec<(i64, i64)> {
        let Some(load) = self.places.get_mut(&place) else {
            return Vec::new();
        };
        let now = rows.iter().flat_map(merged);
        let now = now.map(|(start, length)| (start, start + length));
        std::mem::replace(&mut load.held, now.collect())
    }
}

/// Returns the runs of bytes, adjacent ones as one.
fn merged(rows: &Rows) -> impl Iterator<Item = (i64, i64)> + use<> {
    match rows.pitch == rows.length && rows.count > 0 {
        true => Rows::run(rows.start, rows.length * rows.count).runs(),
        false => rows.runs(),
    }
}

/// Removes a range from others.
fn remove(ranges: &mut Vec<(i64, i64)>, (start, end): (i64, i64)) {
    let is_outside = |range: &(i64, i64)| range.1 <= start || end <= range.0;
    // The usual case, which needs no new list.
    if ranges.iter().all(is_outside) {
        return;
    }
    let rest = |range: (i64, i64)| {
        let parts = [(range.0, range.1.min(start)), (range.0.max(end), range.1)];
        parts.into_iter().filter(|(start, end)| start < end)
    };
    *ranges = ranges.drain(..).flat_map(rest).collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smaller_loads_leave_the_rest_of_larger_ones() {
        let place = Place {
            slot: 0,
            stmt: StmtId(3),
            start: 64,
        };
        let filled = |rows, bytes| Filled {
            start: 64,
            pitch: 128,
            extent: [rows, bytes],
        };
        let rows = |count| {
            [Rows {
                start: 64,
                length: 128,
                pitch: 128,
                count,
            }]
        };
        let mut loads = Loads::default();
        assert_eq!(loads.note(place, filled(4, 128)), None);
        assert_eq!(loads.leftovers(place, &rows(4)), []);
        loads.overwrite(0, &[Rows::run(64 + 3 * 128, 64)]);
        loads.overwrite(1, &[Rows::run(64, 512)]);
        assert_eq!(loads.note(place, filled(1, 128)), Some([4, 128]));
        loads.overwrite(0, &rows(1));
        let left = [(192, 448), (512, 576)];
        assert_eq!(loads.leftovers(place, &rows(1)), left);
        assert_eq!(loads.note(place, filled(4, 128)), None);
    }
}

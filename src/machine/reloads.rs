//! Loads that fill less of their place than the same statement has filled before.
//!
//! What lies beside such a load is of an older tile: it is *stale*. Nothing is wrong with that as long
//! as no result depends on it, which a second run tells whose loads give stale bytes other values
//! ([`super::Disturb`]). Stale bytes that an instruction has overwritten with something else are
//! left alone; those that it has computed a new value of are stale still.

use rustc_hash::FxHashMap;

use super::lane_id::LaneId;
use super::memory::Memory;
use super::observer::Rows;
use super::operation::Tile;
use super::setup::Disturb;
use super::station::Station;
use crate::ir::StmtId;
use crate::isa::DType;

/// A load that filled less than the same statement had filled at the same place before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reload {
    /// The statement.
    pub stmt: StmtId,
    /// The lane that did so first.
    pub lane: LaneId,
    /// Iteration numbers of the loops around the statement, from 0, outermost first.
    pub iterations: Vec<i64>,
    /// Rows, and bytes of a row, that it filled.
    pub extent: [i64; 2],
    /// The most that it had filled before.
    pub before: [i64; 2],
}

/// Where the loads of one statement go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Index of the slot, those of the second UB after all others.
    pub slot: usize,
    /// The statement.
    pub stmt: StmtId,
    /// Address of the first byte.
    pub start: i64,
}

/// What a load fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filled {
    /// Address of the first byte.
    pub start: i64,
    /// Bytes from one row, or strip of columns, to the next.
    pub pitch: i64,
    /// Rows, and bytes of a row.
    pub extent: [i64; 2],
}

/// What loads have filled, by place.
#[derive(Clone, Debug, Default)]
pub struct Loads {
    places: FxHashMap<Place, Load>,
}

#[derive(Clone, Debug)]
struct Load {
    pitch: i64,
    /// The most that was filled.
    extent: [i64; 2],
    /// Bytes that still hold what was loaded, or what was computed of it in place. Kept only by
    /// runs that disturb loads.
    held: Vec<(i64, i64)>,
}

impl Loads {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.places.clear();
    }

    /// Notes a load; the most that was filled before, where it fills less.
    fn note(&mut self, place: Place, filled: Filled) -> Option<[i64; 2]> {
        let Filled { pitch, extent, .. } = filled;
        let known = self.places.get_mut(&place);
        // An empty load says nothing about the distance of rows.
        let same = known.filter(|known| known.pitch == pitch || extent.contains(&0));
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

    /// Notes that bytes of a slot hold something else than what was loaded.
    pub fn overwrite(&mut self, slot: usize, rows: &[Rows]) {
        let places = self.places.iter_mut();
        for (_, load) in places.filter(|(place, _)| place.slot == slot) {
            for (start, length) in rows.iter().flat_map(merged) {
                remove(&mut load.held, (start, start + length));
            }
        }
    }

    /// What earlier loads left beside a load that fills `rows`. It is handed out once.
    fn leftovers(&mut self, place: Place, rows: &[Rows]) -> Vec<(i64, i64)> {
        let Some(load) = self.places.get_mut(&place) else {
            return Vec::new();
        };
        let now = rows.iter().flat_map(merged);
        let now = now.map(|(start, length)| (start, start + length));
        std::mem::replace(&mut load.held, now.collect())
    }
}

impl Station<'_, '_> {
    /// Notes what a load fills. Its accesses have been told, so that what it found and does not
    /// fill is left over from earlier ones.
    pub(super) fn reload(&mut self, tile: &Tile, filled: Filled, rows: &[Rows]) {
        let (stmt, lane) = (self.site.stmt, self.site.lane);
        let disturb = self.setup.options.disturb;
        let core = self.chip.core(lane.core);
        let place = core.place(tile.slot, lane, stmt, filled.start);
        if let Some(before) = core.loads.note(place, filled) {
            self.monitor.seen.add_reload(Reload {
                stmt,
                lane,
                iterations: self.site.iterations.to_vec(),
                extent: filled.extent,
                before,
            });
        }
        if disturb == Disturb::Nothing {
            return;
        }
        let leftovers = core.loads.leftovers(place, rows);
        if disturb.concerns(stmt) {
            let memory = core.memory_mut(tile.position, lane);
            for (start, end) in leftovers {
                change(memory, start as usize..end as usize, tile.dtype);
            }
        }
    }
}

/// Runs of bytes, those that touch taken together.
fn merged(rows: &Rows) -> impl Iterator<Item = (i64, i64)> + use<> {
    match rows.pitch == rows.length && rows.count > 0 {
        true => Rows::run(rows.start, rows.length * rows.count).runs(),
        false => rows.runs(),
    }
}

/// Takes a range out of others.
fn remove(ranges: &mut Vec<(i64, i64)>, (start, end): (i64, i64)) {
    let is_outside = |range: &(i64, i64)| range.1 <= start || end <= range.0;
    if ranges.iter().all(is_outside) {
        return;
    }
    let rest = |range: (i64, i64)| {
        let parts = [(range.0, range.1.min(start)), (range.0.max(end), range.1)];
        parts.into_iter().filter(|(start, end)| start < end)
    };
    *ranges = ranges.drain(..).flat_map(rest).collect();
}

/// Gives elements other values of about the same size: floats another sign and first digit, integers
/// another low bit. What is not finite stays.
fn change(memory: &mut Memory, range: std::ops::Range<usize>, dtype: DType) {
    let size = dtype.bytes_of(1).max(1) as usize;
    let (flip, exponent): (u64, u64) = match dtype {
        DType::Half => (0x8200, 0x7C00),
        DType::BFloat16 => (0x8040, 0x7F80),
        DType::Float => (0x8040_0000, 0x7F80_0000),
        // Offsets stay multiples of their elements.
        _ if size >= 4 => (4, 0),
        _ => (1, 0),
    };
    for element in memory.bytes_mut(range).chunks_exact_mut(size) {
        let mut word = [0; 8];
        word[..size].copy_from_slice(element);
        let bits = u64::from_le_bytes(word);
        if exponent == 0 || bits & exponent != exponent {
            element.copy_from_slice(&(bits ^ flip).to_le_bytes()[..size]);
        }
    }
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

    #[test]
    fn changed_values_stay_finite_and_differ() {
        let values = [1.0_f32, 0.0, -1.75e38, f32::INFINITY];
        let mut memory = Memory::new(16);
        memory.write(0, &values);
        change(&mut memory, 0..16, DType::Float);
        let mut changed = [0.0_f32; 4];
        memory.read(0, &mut changed);
        assert_eq!((changed[0], changed[3]), (-1.5, f32::INFINITY));
        assert!(
            changed[..3]
                .iter()
                .zip(values)
                .all(|(new, old)| new.is_finite() && *new != old)
        );
    }
}

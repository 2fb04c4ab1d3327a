//! Loads that all lanes of a side make from the same addresses in the same order.
//!
//! Requests for one line of global memory are served one after the other, so such loads take longer than
//! those of lanes that traverse the data in different orders.

use super::access::Rows;
use super::cost::GLOBAL_ALIGNMENT;
use super::lane_id::LaneKind;
use a2lint_ir::GlobalId;

/// Maximum number of lines of global memory that are counted for one move; no memory of a core holds that many.
const MAX_LINES: usize = 1 << 14;
/// Bytes of a tensor whose lines are counted.
const FARTHEST: i64 = 1 << 35;

/// Returns the lines of 512 bytes that a move touches, run by run.
pub(super) fn lines(rows: &Rows) -> impl Iterator<Item = i64> {
    let is_inside = |run: &(i64, i64)| run.1 > 0 && (0..FARTHEST).contains(&run.0);
    let lines_of = |(start, length): (i64, i64)| {
        let last = start + length.min(FARTHEST - start) - 1;
        start / GLOBAL_ALIGNMENT..=last / GLOBAL_ALIGNMENT
    };
    let runs = rows.runs().filter(is_inside);
    runs.flat_map(lines_of).take(MAX_LINES)
}

/// Identifies a load of a lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    /// Number of loads that the lane has made before it.
    number: u32,
    /// Number of lines of global memory that it touches.
    pub lines: u32,
}

/// The common properties of the loads with one number.
#[derive(Clone, Copy, Debug)]
struct Place {
    global: GlobalId,
    start: i64,
    lanes: u32,
    is_one: bool,
}

/// The loads of all lanes; cube side and vec side are kept apart.
#[derive(Debug, Default)]
pub(super) struct Loads {
    sides: [Vec<Place>; 2],
}

impl Loads {
    /// Records a load of a lane.
    pub fn note(&mut self, kind: LaneKind, number: u32, global: GlobalId, rows: &Rows) -> Load {
        let places = &mut self.sides[side(kind)];
        let start = rows.start;
        match places.get_mut(number as usize) {
            Some(place) => {
                place.lanes += 1;
                place.is_one &= (place.global, place.start) == (global, start);
            }
            // Each lane numbers its loads without gaps, so the new one is the next in the list.
            None => places.push(Place {
                global,
                start,
                lanes: 1,
                is_one: true,
            }),
        }
        Load {
            number,
            lines: lines(rows).count() as u32,
        }
    }

    /// Returns whether all lanes of the side, and more than one, make this load from the same address.
    pub fn are_together(&self, kind: LaneKind, load: &Load) -> bool {
        let place = self.sides[side(kind)].get(load.number as usize);
        // One lane alone is served at its own rate. With 24 cores, such loads were measured to take 1.54 times as long
        // as loads in different orders.
        place.is_some_and(|place| place.is_one && place.lanes > 1)
    }
}

fn side(kind: LaneKind) -> usize {
    usize::from(kind == LaneKind::Cube)
}

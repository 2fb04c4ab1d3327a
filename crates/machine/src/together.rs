//! Loads that all lanes of a side make of the same addresses in the same order.
//!
//! Requests for one line of global memory are served one after the other, so such loads take
//! longer than those of lanes that go through the same data in other orders.

use super::access::Rows;
use super::cost::GLOBAL_ALIGNMENT;
use super::lane_id::LaneKind;
use a2lint_ir::GlobalId;

/// Most lines of global memory that are looked at for one move; no memory of a core holds as many.
const MAX_LINES: usize = 1 << 14;
/// Bytes of a tensor whose lines are looked at.
const FARTHEST: i64 = 1 << 35;

/// The lines of 512 bytes that a move touches, run by run.
pub(super) fn lines(rows: &Rows) -> impl Iterator<Item = i64> {
    let is_inside = |run: &(i64, i64)| run.1 > 0 && (0..FARTHEST).contains(&run.0);
    let lines_of = |(start, length): (i64, i64)| {
        let last = start + length.min(FARTHEST - start) - 1;
        start / GLOBAL_ALIGNMENT..=last / GLOBAL_ALIGNMENT
    };
    let runs = rows.runs().filter(is_inside);
    runs.flat_map(lines_of).take(MAX_LINES)
}

/// A load among those of its lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    /// How many the lane has made before it.
    number: u32,
    /// Lines of global memory that it touches.
    pub lines: u32,
}

/// What the loads of one number have in common.
#[derive(Clone, Copy, Debug)]
struct Place {
    global: GlobalId,
    start: i64,
    lanes: u32,
    is_one: bool,
}

/// The loads of all lanes, those of the cube side and those of the vec side by themselves.
#[derive(Debug, Default)]
pub(super) struct Loads {
    sides: [Vec<Place>; 2],
}

impl Loads {
    /// Takes down the load of this number of a lane.
    pub fn note(&mut self, kind: LaneKind, number: u32, global: GlobalId, rows: &Rows) -> Load {
        let places = &mut self.sides[side(kind)];
        let start = rows.start;
        match places.get_mut(number as usize) {
            Some(place) => {
                place.lanes += 1;
                place.is_one &= (place.global, place.start) == (global, start);
            }
            // Each lane counts its own, so none is left out.
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

    /// Whether all lanes of the side, and several of them, make this load of the same address.
    pub fn are_together(&self, kind: LaneKind, load: &Load) -> bool {
        let place = self.sides[side(kind)].get(load.number as usize);
        place.is_some_and(|place| place.is_one && place.lanes > 1)
    }
}

fn side(kind: LaneKind) -> usize {
    usize::from(kind == LaneKind::Cube)
}

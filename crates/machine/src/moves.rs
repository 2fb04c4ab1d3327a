//! Moves of the vec side: between global memory and UB, and within UB.

use super::access::Rows;
use super::atomics;
use super::inputs;
use super::loads::{Filled, Rest};
use super::memory::Memory;
use super::operation::{BlockMove, Padding, RowMove};
use super::ownership::{Claim, Stored};
use super::unit_context::{UnitContext, whole_blocks};
use a2lint_isa::{MARGIN_BYTES, Position};
use std::ops::Range;

impl RowMove {
    fn global_start(&self) -> i64 {
        self.window.dtype.bytes_of(self.window.start)
    }

    fn global_rows(&self) -> Rows {
        Rows {
            start: self.global_start(),
            length: self.row_bytes,
            pitch: self.global_pitch,
            count: self.rows,
        }
    }

    /// Bytes of a row in UB, up to the end of its last block.
    fn ub_row_bytes(&self) -> i64 {
        whole_blocks(self.margins[0] + self.row_bytes + self.margins[1])
    }

    /// Rows in UB, padded to whole blocks.
    fn ub_rows(&self) -> Rows {
        Rows {
            start: self.tile.row_major_address(),
            length: self.ub_row_bytes(),
            pitch: self.ub_pitch,
            count: self.rows,
        }
    }

    /// Returns whether rows in UB overlap, which would take a negative gap that its field cannot hold.
    fn has_negative_gap(&self) -> bool {
        self.rows > 1 && self.ub_pitch < self.ub_row_bytes()
    }

    /// Returns the move as a single row, if rows are adjacent on both sides.
    fn joined(&self) -> RowMove {
        let are_joined = self.global_pitch == self.row_bytes
            && self.ub_pitch == self.row_bytes
            && self.ub_row_bytes() == self.row_bytes;
        match are_joined {
            true => RowMove {
                rows: 1,
                row_bytes: self.rows * self.row_bytes,
                ..*self
            },
            false => *self,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.rows == 0 || self.row_bytes == 0
    }

    /// Returns the index of the element at a byte of a row.
    fn element(&self, row: i64, byte: i64) -> i64 {
        let row_elements = self.row_bytes * 8 / self.window.dtype.bits();
        row * row_elements + byte * 8 / self.window.dtype.bits()
    }
}

impl UnitContext<'_, '_> {
    /// Executes `gm_to_ub_pad`: rows start at block boundaries. Their padding is undefined unless the instruction
    /// specifies it.
    pub(super) fn load_rows(&mut self, load: &RowMove) {
        let (from, to) = (load.global_rows(), load.ub_rows());
        let filled = Filled {
            start: to.start,
            pitch: to.pitch,
            extent: [load.rows, load.row_bytes],
        };
        if load.is_empty() {
            // The empty load explains why the slot holds nothing, so reading it is not reported.
            let slot = load.tile.slot;
            let lane = self.site.lane;
            self.core().excuse(slot, lane);
            // A move of nothing still takes part in the order of its pipe.
            self.touch(&load.tile, 0, true, &[]);
            return self.shorter_load(&load.tile, filled, &[]);
        }
        if !self.has_bursts(load.rows) || !self.has_margins(load) {
            return self.blank(&load.tile);
        }
        if self.lacks_gaps(load) {
            return self.blank(&load.tile);
        }
        if !self.touch(&load.tile, 0, true, &[to]) {
            return;
        }
        self.check_axes(&load.window, 1, false);
        self.shorter_load(&load.tile, filled, &[to]);
        let fills_otherwise = self.fill_of_blocks(load);
        self.access_global(load.window.global, 1, false, &[from]);
        let lane = self.site.lane;
        let (core, global) = self.chip.core_and_global(lane.core, load.window.global);
        let ub = core.memory_mut(Position::Ub, lane);
        let mut outside = None;
        // Adjacent rows are copied at once, which is much faster. Only a move that leaves its tensor needs
        // them apart, to report the first element outside.
        let load = match is_inside(&from, global) {
            true => &load.joined(),
            false => load,
        };
        let (from, to) = (load.global_rows(), load.ub_rows());
        for row in 0..load.rows {
            let block = (to.start + row * to.pitch) as usize;
            let start = block + load.margins[0] as usize;
            let end = start + load.row_bytes as usize;
            let address = from.start + row * from.pitch;
            if !copy_clipped(ub, start, global, address, load.row_bytes) {
                outside = outside.or(Some(load.element(row, 0)));
            }
            let filler = match fills_otherwise {
                true => end - load.tile.dtype.bytes_of(1) as usize,
                false => start,
            };
            for padding in [block..start, end..block + to.length as usize] {
                pad(ub, load, padding, filler);
            }
        }
        self.load_carried(&load.tile, load.window.global, &[from]);
        if let Some(element) = outside {
            self.report_flat(&load.window, 1, false, element);
        }
    }

    /// Records that copies of the first element fill the last block of each row. Returns whether this run fills it with
    /// the last element instead, which tells whether a result depends on the filler.
    fn fill_of_blocks(&mut self, load: &RowMove) -> bool {
        let is_filled = load.padding == Padding::First && load.ub_row_bytes() != load.row_bytes;
        // A row of one element has no other element to fill with.
        if !is_filled || load.row_bytes <= load.tile.dtype.bytes_of(1) {
            return false;
        }
        let extent = [load.rows, load.row_bytes];
        self.note_rest(extent, Rest::Filler);
        self.setup
            .options
            .disturb
            .concerns(self.site.stmt, Rest::Filler)
    }

    /// Checks the bytes that a load adds beside its rows; returns `false`, and reports it, if they are too many.
    fn has_margins(&mut self, load: &RowMove) -> bool {
        let excess = load.margins.into_iter().find(|&it| it > MARGIN_BYTES);
        if let Some(bytes) = excess {
            self.illegal(format!(
                "{bytes} bytes of padding on one side of a row; at most {MARGIN_BYTES} fit"
            ));
        }
        excess.is_none()
    }

    /// Returns whether the gaps of a move do not fit their field, and reports that.
    fn lacks_gaps(&mut self, rows: &RowMove) -> bool {
        let lacks = rows.has_negative_gap();
        if lacks {
            self.illegal(format!(
                "rows of {} bytes are {} bytes apart in UB, and a gap is not negative",
                rows.row_bytes, rows.ub_pitch
            ));
        }
        lacks
    }

    /// Executes `ub_to_gm_pad`: writes exactly the rows, without their padding.
    pub(super) fn store_rows(&mut self, store: &RowMove) {
        if store.is_empty() {
            self.touch(&store.tile, 1, false, &[]);
            return;
        }
        if !self.has_bursts(store.rows) {
            return;
        }
        if self.lacks_gaps(store) {
            return;
        }
        let (from, to) = (store.ub_rows(), store.global_rows());
        if !self.touch(&store.tile, 1, false, &[from]) {
            return;
        }
        self.check_axes(&store.window, 0, true);
        self.access_global(store.window.global, 0, true, &[to]);
        let (lane, atomic) = (self.site.lane, self.atomic);
        let claims = self.claims(&store.window);
        let end_of_tensor = (store.tile.base + store.tile.bytes) as usize;
        let stmt = self.site.stmt;
        let (core, global, ownership) = self.chip.for_store(lane.core, store.window.global);
        let ub = core.memory(Position::Ub, lane);
        let (mut outside, mut undefined) = (None, None);
        let (mut overlap, mut unseeded) = (None, None);
        let store = match atomic.is_none() && is_inside(&to, global) {
            true => &store.joined(),
            false => store,
        };
        let (from, to) = (store.ub_rows(), store.global_rows());
        for row in 0..store.rows {
            let start = (from.start + row * from.pitch) as usize;
            let range = start..start + store.row_bytes as usize;
            if undefined.is_none() {
                // What lies outside of the tensor is part of the overrun.
                let inside = range.start..range.end.min(end_of_tensor).max(range.start);
                undefined = first_undefined(ub, inside).map(|byte| store.element(row, byte));
            }
            let address = to.start + row * to.pitch;
            let (inside, range) = clip(address, range, global.capacity());
            if range.len() < store.row_bytes as usize {
                outside = outside.or(Some(store.element(row, 0)));
            }
            match atomic {
                Some(kind) => {
                    let seeded = global.all_defined(inside..inside + range.len());
                    unseeded = unseeded.or((!seeded).then(|| store.element(row, 0)));
                    atomics::combine(kind, store.window.dtype, global, inside, ub, range);
                }
                None => {
                    // Atomic stores commute, so only plain ones claim their elements.
                    if claims {
                        let stored = Stored {
                            global: store.window.global,
                            target: global,
                            address: inside,
                            source: ub,
                            start: range.start,
                            bytes: range.len(),
                            size: store.window.dtype.bytes_of(1) as usize,
                        };
                        let hit = ownership.claim(Claim { lane, stmt }, &stored);
                        overlap =
                            overlap.or(hit.map(|(index, other)| {
                                (store.element(row, 0) + index as i64, other)
                            }));
                    }
                    global.copy_from(inside, ub, range);
                }
            }
        }
        self.report_clashes(&store.window, overlap, unseeded);
        if let Some(element) = undefined {
            self.store_undefined(store.window.global, element, &[to]);
        }
        if let Some(element) = outside {
            self.report_flat(&store.window, 0, true, element);
        }
    }

    /// Executes `ub_to_ub`: rows of whole blocks.
    pub(super) fn copy_blocks(&mut self, copy: &BlockMove) {
        let rows = |tile: &super::operation::Tile, pitch| Rows {
            start: tile.row_major_address(),
            length: copy.row_bytes,
            pitch,
            count: copy.rows,
        };
        let (to, from) = (
            rows(&copy.dst, copy.pitches[0]),
            rows(&copy.src, copy.pitches[1]),
        );
        if to.bounds().is_none() {
            self.touch(&copy.src, 1, false, &[]);
            self.touch(&copy.dst, 0, true, &[]);
            return;
        }
        if !self.has_bursts(copy.rows) {
            return self.blank(&copy.dst);
        }
        let reads = self.touch(&copy.src, 1, false, &[from]);
        let writes = self.touch(&copy.dst, 0, true, &[to]);
        if !reads || !writes {
            return;
        }
        let lane = self.site.lane;
        let core = self.core();
        let ub = core.memory_mut(Position::Ub, lane);
        // Parts of a tile may be undefined, so only a copy without any defined byte is reported.
        let mut defined = false;
        for row in 0..copy.rows {
            let start = (from.start + row * from.pitch) as usize;
            let range = start..start + copy.row_bytes as usize;
            defined = defined || ub.any_defined(range.clone());
            ub.copy_within(range, (to.start + row * to.pitch) as usize);
        }
        if !defined {
            self.report_undefined(&copy.src, 1, Some(&copy.dst));
        }
    }
}

/// Fills the margins of a row whose data was loaded to `start`.
fn pad(ub: &mut Memory, load: &RowMove, padding: Range<usize>, filler: usize) {
    match load.padding {
        Padding::Undefined => ub.make_fresh(padding),
        Padding::Value(value) => {
            let mut element = Vec::new();
            inputs::push(&mut element, load.tile.dtype, value);
            repeat(&element, ub.bytes_mut(padding.clone()));
            ub.set_defined(padding, true);
        }
        Padding::First => {
            let size = load.tile.dtype.bytes_of(1) as usize;
            for at in padding.step_by(size) {
                ub.copy_within(filler..filler + size, at);
            }
        }
    }
}

/// Returns whether rows of global memory lie inside of their tensor.
fn is_inside(rows: &Rows, global: &Memory) -> bool {
    let bounds = rows.bounds();
    bounds.is_none_or(|(start, end)| start >= 0 && end <= global.capacity() as i64)
}

/// Fills `bytes` with whole copies of `element`; each pass doubles what is there.
pub(super) fn repeat(element: &[u8], bytes: &mut [u8]) {
    let end = bytes.len() / element.len() * element.len();
    let bytes = &mut bytes[..end];
    let mut done = element.len().min(end);
    bytes[..done].copy_from_slice(&element[..done]);
    while done < end {
        let more = done.min(end - done);
        bytes.copy_within(..more, done);
        done += more;
    }
}

/// Copies `bytes` bytes; those outside of the source become undefined. Returns `false` if there are any.
pub fn copy_clipped(dst: &mut Memory, address: usize, src: &Memory, from: i64, bytes: i64) -> bool {
    let capacity = src.capacity() as i64;
    if from >= 0 && from + bytes <= capacity {
        dst.copy_from(address, src, from as usize..(from + bytes) as usize);
        return true;
    }
    dst.make_fresh(address..address + bytes as usize);
    let (start, end) = (from.clamp(0, capacity), (from + bytes).clamp(0, capacity));
    if start < end {
        dst.copy_from(
            address + (start - from) as usize,
            src,
            start as usize..end as usize,
        );
    }
    false
}

/// Returns the part of `range` that stays inside a memory of `capacity` bytes when it is written from
/// `address` on, and the address of that part.
pub fn clip(
    address: i64,
    range: std::ops::Range<usize>,
    capacity: usize,
) -> (usize, std::ops::Range<usize>) {
    let before = (-address).clamp(0, range.len() as i64) as usize;
    let end = (capacity as i64 - address).clamp(before as i64, range.len() as i64) as usize;
    (
        (address + before as i64).clamp(0, capacity as i64) as usize,
        range.start + before..range.start + end,
    )
}

/// Returns the offset of the first byte of a range that is not defined.
pub fn first_undefined(memory: &Memory, range: std::ops::Range<usize>) -> Option<i64> {
    let start = range.start;
    let first = memory.first(range, false);
    first.map(|byte| (byte - start) as i64)
}

//! The bytes of a buffer that an operand touches.

use super::moves::{NotKnown, argument, block_rows};
use super::ranges::RangeSet;
use super::scalar::Interval;
use a2lint_ir::transfer::{Arithmetic, BlockRows};
use a2lint_ir::{BinaryOp, Instr, LocalView, Program, ScalarId, View, fold_int};
use a2lint_isa::device::FRACTAL_BYTES;
use a2lint_isa::masks::gather::FixedPattern;
use a2lint_isa::{
    BLOCK_BYTES, BLOCKS_PER_REPEAT, DST, DType, Layout, ParamKind, RepeatFrom, SRC, StrideRule,
    Walk,
};

/// Maximum number of repeats for which a footprint is computed; counts above the hardware's limit are reported on their
/// own.
const MAX_WALKED_REPEATS: i64 = 4096;

/// The bytes that an operand touches, relative to the start of its slot. They may lie outside of it.
///
/// If some number is not constant, these are bytes that it *may* touch in some execution, and bytes that it
/// *must* touch in every one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Footprint {
    /// `None` if there is no bound.
    may: Option<RangeSet>,
    /// `None` if it is the same as `may`.
    must: Option<RangeSet>,
}

impl Footprint {
    /// Returns the bytes, if they are known exactly.
    pub fn exact(&self) -> Option<&RangeSet> {
        self.may.as_ref().filter(|_| self.must.is_none())
    }

    /// Returns every byte that some execution may touch, or `None` if there is no bound.
    pub fn may(&self) -> Option<&RangeSet> {
        self.may.as_ref()
    }

    /// Returns the bytes that every execution touches.
    pub fn must(&self) -> &RangeSet {
        static NOTHING: RangeSet = RangeSet::EMPTY;
        match (&self.must, &self.may) {
            (Some(must), _) => must,
            (None, Some(exact)) => exact,
            (None, None) => &NOTHING,
        }
    }
}

/// Returns the bytes that an operand touches, if all its numbers are constant.
pub fn footprint(program: &Program, instr: &Instr, operand: usize) -> Option<RangeSet> {
    footprint_of(&mut Constants { program }, instr, operand)
        .exact()
        .cloned()
}

/// Returns the bytes that an operand touches, under what is known of its numbers.
pub(super) fn footprint_of(numbers: &mut dyn Numbers, instr: &Instr, operand: usize) -> Footprint {
    let Some(View::Local(view)) = instr.view(operand) else {
        return Footprint::default();
    };
    let Some(walk) = instr.row().param(operand).and_then(|param| param.operand()) else {
        return Footprint::default();
    };
    let mut geometry = Geometry {
        instr,
        operand,
        dtype: view.dtype,
        numbers,
        extreme: Extreme::Most,
        exact: true,
    };
    let Some(most) = geometry.bytes(walk.walk) else {
        return Footprint::default();
    };
    // If all numbers are exact, the smallest walk is the largest one.
    let least = match geometry.exact {
        true => None,
        false => {
            geometry.extreme = Extreme::Least;
            Some(geometry.bytes(walk.walk).unwrap_or_default())
        }
    };
    let start = geometry.numbers.start(view);
    let bounds = [start.min, start.max].map(|bound| small(bound).map(|at| view.dtype.bytes_of(at)));
    match bounds {
        [Some(from), Some(to)] if from == to => Footprint {
            may: Some(most.shifted(from)),
            must: least.map(|least| least.shifted(from)),
        },
        // The start lies in a range: `may` covers the operand at every start, `must` what all of them have in
        // common.
        [Some(from), Some(to)] => Footprint {
            may: Some(most.swept(from, to)),
            must: Some(least.unwrap_or(most).kept(from, to)),
        },
        _ => Footprint {
            may: None,
            must: Some(RangeSet::EMPTY),
        },
    }
}

/// Returns a row or column number if on-chip memory can have it, and `None` otherwise.
fn small(value: i64) -> Option<i64> {
    // Larger than any memory on the chip, and products of two such numbers fit into 64 bits.
    const LARGEST: i64 = 1 << 27;
    (-LARGEST..=LARGEST).contains(&value).then_some(value)
}

/// A source of the values of an instruction's scalars.
pub(super) trait Numbers {
    /// Returns the values that a scalar can have.
    fn range(&mut self, id: ScalarId) -> Interval;

    /// Returns the element at which a view starts, counted from the start of its slot.
    fn start(&mut self, view: &LocalView) -> Interval;

    /// Returns whether the kernel addresses the elements of a view's buffer itself.
    fn is_addressed(&self, view: &LocalView) -> bool;

    /// Returns the rows of blocks that a move touches in a view, with the pitch in place of the gap.
    fn block_rows(
        &mut self,
        instr: &Instr,
        operand: usize,
        view: &LocalView,
    ) -> Option<BlockRows<Interval>>;
}

/// Knows constants only.
struct Constants<'p> {
    program: &'p Program,
}

impl Constants<'_> {
    fn constant(value: Option<i64>) -> Interval {
        value.map_or(Interval::ANY, Interval::exact)
    }
}

impl Numbers for Constants<'_> {
    fn range(&mut self, id: ScalarId) -> Interval {
        Self::constant(self.program.size(id))
    }

    fn start(&mut self, view: &LocalView) -> Interval {
        let element = || {
            let pitch = self.program.size(view.shape[1])?;
            let [row, column] = self.program.constant_pair(view.offset)?;
            Some(row * pitch + column)
        };
        Self::constant(element())
    }

    fn is_addressed(&self, view: &LocalView) -> bool {
        self.program.buffer(view.buffer).layout == Layout::Linear
    }

    fn block_rows(
        &mut self,
        instr: &Instr,
        operand: usize,
        view: &LocalView,
    ) -> Option<BlockRows<Interval>> {
        let rows = block_rows(self, (instr, operand), view)?;
        Some(rows.map(Interval::exact))
    }
}

impl Arithmetic for Constants<'_> {
    type Number = i64;
    type Fault = NotKnown;

    fn constant(&mut self, value: i64) -> i64 {
        value
    }

    fn scalar(&mut self, id: ScalarId) -> Result<i64, NotKnown> {
        self.program.size(id).ok_or(NotKnown)
    }

    fn binary(&mut self, op: BinaryOp, a: i64, b: i64) -> Result<i64, NotKnown> {
        fold_int(op, a, b).ok_or(NotKnown)
    }

    fn integer_argument(&mut self, instr: &Instr, index: usize) -> Result<Option<i64>, NotKnown> {
        argument(self, instr, index)
    }
}

/// Returns the bytes of a view's own rectangle, relative to the start of its slot; for memories with rows one
/// after the other. `None` where they are not known, or are too many ranges to list.
pub fn view_bytes(program: &Program, view: &LocalView) -> Option<RangeSet> {
    let [_, pitch] = program.constant_pair(view.shape)?;
    let [row, column] = program.constant_pair(view.offset)?;
    let [rows, columns] = program.constant_pair(view.span)?;
    let mut bytes = RangeSet::default();
    if columns <= 0 || rows <= 0 {
        return Some(bytes);
    }
    // Whole rows are adjacent: one range, whatever their number.
    if columns == pitch {
        let start = view.dtype.bytes_of(row * pitch + column);
        bytes.insert(start, view.dtype.bytes_of((row + rows) * pitch + column));
        return Some(bytes);
    }
    // More rows than any memory on the chip has blocks: listing them is not worth the time.
    if rows > 1 << 16 {
        return None;
    }
    for at in row..row + rows {
        let start = at * pitch + column;
        bytes.insert(
            view.dtype.bytes_of(start),
            view.dtype.bytes_of(start + columns),
        );
    }
    Some(bytes)
}

/// Returns the byte offset of a view's first element from the start of its slot.
pub fn view_start(program: &Program, view: &LocalView) -> Option<i64> {
    let pitch = program.size(view.shape[1])?;
    let [row, column] = program.constant_pair(view.offset)?;
    Some(view.dtype.bytes_of(row * pitch + column))
}

/// Returns repeats, strides or counts of a vector instruction with constant arguments.
pub fn resolved(program: &Program, instr: &Instr, kind: ParamKind) -> Option<i64> {
    program.size(instr.scalar(kind)?)
}

/// Which end of the range of each scalar is used: operands grow with their repeats, counts and rows, so the largest
/// values give an upper bound of a footprint, and the smallest a lower bound.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extreme {
    Most,
    Least,
}

/// The walk of one operand, from address 0.
struct Geometry<'a> {
    instr: &'a Instr,
    operand: usize,
    dtype: DType,
    numbers: &'a mut dyn Numbers,
    extreme: Extreme,
    /// Whether every number so far is exact.
    exact: bool,
}

impl Geometry<'_> {
    /// Returns a number with which the operand grows.
    fn extent(&mut self, id: ScalarId) -> Option<i64> {
        let range = self.numbers.range(id);
        self.grows(range)
    }

    /// Returns the end of a range with which the operand grows.
    fn grows(&mut self, range: Interval) -> Option<i64> {
        if let Some(value) = range.as_exact() {
            return small(value);
        }
        self.exact = false;
        match self.extreme {
            // A negative count moves nothing.
            Extreme::Most => small(range.max.max(0)),
            Extreme::Least => small(range.min.max(0)),
        }
    }

    /// Returns the value of a scalar that positions the operand (an offset, stride or count); `None` unless it has
    /// exactly one value.
    fn fixed(&mut self, id: ScalarId) -> Option<i64> {
        small(self.numbers.range(id).as_exact()?)
    }

    fn number(&mut self, kind: ParamKind) -> Option<i64> {
        self.fixed(self.instr.scalar(kind)?)
    }

    fn named(&mut self, name: &str) -> Option<i64> {
        self.extent(self.instr.scalar_named(name)?)
    }

    /// Returns the repeats, or `None` if no value of them is legal: the effect of such an instruction is not
    /// known.
    fn repeats(&mut self) -> Option<i64> {
        if let Some(count) = self.instr.scalar(ParamKind::Count) {
            let (count, lanes) = (self.extent(count)?, self.lanes()?);
            // A partial last repeat counts as a whole one.
            return Some((count + lanes - 1).div_euclid(lanes));
        }
        let repeats = self.instr.scalar(ParamKind::Repeat)?;
        let range = self.numbers.range(repeats);
        if range.min < 0 && range.max <= 0 {
            return None;
        }
        self.extent(repeats)
            .filter(|&repeats| (0..=MAX_WALKED_REPEATS).contains(&repeats))
    }

    /// Returns the lanes of one repeat: for a cast, of the wider type; else of the instruction's data.
    fn lanes(&self) -> Option<i64> {
        match self.instr.row().repeat {
            RepeatFrom::Wider(_) => {
                let (a, b) = (self.instr.local(DST)?.dtype, self.instr.local(SRC)?.dtype);
                // A repeat fits both types, so the wider one decides the number of lanes.
                Some(a.lanes().min(b.lanes()))
            }
            RepeatFrom::Operand(of) => Some(self.instr.local(of)?.dtype.lanes()),
            _ => Some(self.dtype.lanes()),
        }
    }

    fn bytes(&mut self, walk: Walk) -> Option<RangeSet> {
        match walk {
            Walk::Lanes => self.lanes_bytes(),
            Walk::RepeatResult => self.results(1),
            Walk::IndexedResult => self.results(2),
            Walk::Total => self.total(1),
            Walk::IndexedTotal => self.total(2),
            Walk::BlockResults => self.results(BLOCKS_PER_REPEAT),
            Walk::PairResults => self.results(self.dtype.lanes() / 2),
            Walk::PackedBits if self.instr.scalar(ParamKind::Count).is_some() => {
                let count = self.extent(self.instr.scalar(ParamKind::Count)?)?;
                Some(RangeSet::span(0, (count + 7).div_euclid(8)))
            }
            Walk::PackedBits => {
                let bytes = self.repeats()?.checked_mul(self.lanes()? / 8)?;
                Some(RangeSet::span(0, bytes))
            }
            Walk::First => Some(self.elements(1)),
            Walk::BroadcastSource => self.repeated(8),
            Walk::BroadcastResult => {
                let mut stride = self.number(ParamKind::BlockStride(self.operand))?;
                if stride == 0 {
                    stride = 1; // the hardware takes 0 for 1 here
                }
                let (repeats, rows) = (self.repeats()?, self.repeat_stride()?);
                self.walk_blocks(repeats, stride, rows, BLOCKS_PER_REPEAT * BLOCK_BYTES)
            }
            Walk::Offsets => match self.instr.scalar(ParamKind::Count) {
                Some(count) => {
                    let count = self.extent(count)?;
                    Some(self.elements(count))
                }
                None => self.repeated(self.lanes()?),
            },
            Walk::Records32 => self.repeated(32),
            Walk::SortedRecords => Some(RangeSet::span(0, self.repeats()? * 256)),
            Walk::Merge4 => {
                let records = self
                    .named("length_per_blk")?
                    .checked_mul(self.named("repeat")?)?;
                Some(RangeSet::span(0, records.checked_mul(32)?))
            }
            Walk::Merge2 => {
                let (first, second) = (self.named("size1")?, self.named("size2")?);
                let records = match self.operand {
                    0 => first.checked_add(second)?,
                    1 => first,
                    _ => second,
                };
                Some(RangeSet::span(0, records.checked_mul(8)?))
            }
            Walk::MergeQueues => self.queues(),
            Walk::MergedUntil => {
                self.exact = false;
                match self.extreme {
                    Extreme::Most => self.queues(),
                    Extreme::Least => Some(RangeSet::default()),
                }
            }
            Walk::Compacted => self.compacted(),
            Walk::PatternBits => self.pattern_bits(),
            Walk::Rows => self.rows(),
            Walk::Fractals => self.fractals(),
            Walk::Work => {
                let repeats = self.repeats()?;
                Some(self.elements(self.instr.row().work_elements(repeats, self.dtype)))
            }
            Walk::Matrix | Walk::Whole => self.addressed(),
            Walk::Indexed => None,
        }
    }

    fn elements(&self, count: i64) -> RangeSet {
        RangeSet::span(0, self.dtype.bytes_of(count))
    }

    /// Returns the bytes from the first to the last one of a matrix that the kernel addresses itself: its view spans
    /// all that the instruction touches. Which bytes between them are touched is not listed, so none is certain.
    fn addressed(&mut self) -> Option<RangeSet> {
        let view = self.instr.local(self.operand)?;
        let [rows, columns] = view.span;
        if !self.numbers.is_addressed(view) || self.numbers.range(rows).as_exact() != Some(1) {
            return None;
        }
        let columns = self.extent(columns)?;
        self.exact = false;
        Some(match self.extreme {
            Extreme::Most => self.elements(columns),
            Extreme::Least => RangeSet::default(),
        })
    }

    /// Returns the bytes of a queue of a merge, or of all queues.
    fn queues(&mut self) -> Option<RangeSet> {
        const SIZES: [&str; 4] = ["size1", "size2", "size3", "size4"];
        let records = match self.operand {
            0 => SIZES
                .iter()
                .try_fold(0_i64, |all, name| all.checked_add(self.named(name)?))?,
            at => self.named(SIZES.get(at - 1)?)?,
        };
        Some(RangeSet::span(0, records.checked_mul(8)?))
    }

    /// Returns the bytes of a number of consecutive elements per repeat.
    fn repeated(&mut self, elements: i64) -> Option<RangeSet> {
        let count = self.repeats()?.checked_mul(elements)?;
        Some(self.elements(count))
    }

    /// Returns the bytes of one result of `width` elements per repeat.
    fn results(&mut self, width: i64) -> Option<RangeSet> {
        let stride = self.number(ParamKind::ResultStride)?;
        let width = self.dtype.bytes_of(width);
        let mut bytes = RangeSet::default();
        for repeat in 0..self.repeats()? {
            let start = repeat * stride * width;
            bytes.insert(start, start + width);
        }
        Some(bytes)
    }

    /// Returns the number of a fixed pattern; `None` where a tensor holds it.
    fn pattern(&mut self) -> Option<FixedPattern> {
        FixedPattern::new(self.fixed(self.instr.scalar_named("pattern_number")?)?)
    }

    /// Elements that a pattern keeps: all at most and none at least where the bits of a tensor decide.
    fn compacted(&mut self) -> Option<RangeSet> {
        let pattern = self.pattern();
        let lanes = self.lanes()?;
        let live = match self.instr.scalar(ParamKind::CountPerRepeat) {
            Some(live) => self.extent(live)?,
            None => lanes,
        };
        let elements = match self.instr.scalar(ParamKind::Count) {
            Some(count) => self.extent(count)?,
            None => self.repeats()?.checked_mul(live)?,
        };
        let Some(pattern) = pattern else {
            self.exact = false;
            return Some(match self.extreme {
                Extreme::Most => self.elements(elements),
                Extreme::Least => RangeSet::default(),
            });
        };
        let kept = |elements: i64| pattern.count(elements.max(0) as u64) as i64;
        let kept = match self.instr.scalar(ParamKind::Count) {
            Some(_) => kept(elements),
            None => self.repeats()? * kept(live),
        };
        Some(self.elements(kept))
    }

    fn pattern_bits(&mut self) -> Option<RangeSet> {
        if self.pattern().is_some() {
            return Some(RangeSet::default());
        }
        if let Some(count) = self.instr.scalar(ParamKind::Count) {
            let count = self.extent(count)?;
            return Some(RangeSet::span(0, (count + 7) / 8));
        }
        let live = match self.instr.scalar(ParamKind::CountPerRepeat) {
            Some(live) => self.extent(live)?,
            None => self.lanes()?,
        };
        let (bytes, repeats) = ((live + 7) / 8, self.repeats()?);
        let stride = self.repeat_stride()? * BLOCK_BYTES;
        let mut all = RangeSet::default();
        for repeat in 0..repeats {
            all.insert(repeat * stride, repeat * stride + bytes);
        }
        Some(all)
    }

    /// Returns the bytes of the one result of `width` elements; no bytes if the instruction works on no element, and
    /// `None` if that is unknown.
    fn total(&mut self, width: i64) -> Option<RangeSet> {
        let count = match self.instr.scalar(ParamKind::Count) {
            Some(count) => self.extent(count)?,
            None => self.repeats()?,
        };
        Some(match count {
            ..=0 => RangeSet::default(),
            _ => self.elements(width),
        })
    }

    fn repeat_stride(&mut self) -> Option<i64> {
        self.number(ParamKind::RepeatStride(self.operand))
    }

    fn lanes_bytes(&mut self) -> Option<RangeSet> {
        if self.instr.reads_one_element(self.operand) {
            return Some(self.elements(1));
        }
        if let Some(count) = self.instr.scalar(ParamKind::Count) {
            let count = self.extent(count)?;
            return Some(self.elements(count));
        }
        let live = match self.instr.scalar(ParamKind::CountPerRepeat) {
            Some(lanes) => self.extent(lanes)?,
            None => self.lanes()?,
        };
        let block = match self
            .instr
            .row()
            .index_of(ParamKind::BlockStride(self.operand))
        {
            Some(_) => self.number(ParamKind::BlockStride(self.operand))?,
            None => 1,
        };
        let repeat = match self
            .instr
            .row()
            .index_of(ParamKind::RepeatStride(self.operand))
        {
            Some(_) => self.repeat_stride()?,
            None => BLOCKS_PER_REPEAT,
        };
        debug_assert!(self.instr.row().strides != StrideRule::Nothing || block == 1);
        let repeats = self.repeats()?;
        self.walk_blocks(repeats, block, repeat, self.dtype.bytes_of(live))
    }

    /// Returns the bytes of a walk over blocks of 32 bytes, with `live` bytes in each repeat.
    fn walk_blocks(&self, repeats: i64, block: i64, repeat: i64, live: i64) -> Option<RangeSet> {
        // The usual walk is contiguous: one range, whatever the number of repeats.
        if block == 1 && repeat == BLOCKS_PER_REPEAT && live == BLOCKS_PER_REPEAT * BLOCK_BYTES {
            return Some(RangeSet::span(0, repeats * live));
        }
        let mut bytes = RangeSet::with_capacity(repeats.max(0) as usize);
        for r in 0..repeats {
            let row = r * repeat * BLOCK_BYTES;
            match block {
                // With a stride of 0, all blocks of a repeat are the same one.
                0 => bytes.insert(row, row + live.min(BLOCK_BYTES)),
                1 => bytes.insert(row, row + live),
                _ => {
                    let mut left = live;
                    let mut at = row;
                    while left > 0 {
                        bytes.insert(at, at + left.min(BLOCK_BYTES));
                        at += block * BLOCK_BYTES;
                        left -= BLOCK_BYTES;
                    }
                }
            }
        }
        Some(bytes)
    }

    /// Returns the bytes of evenly spaced fractals, or squares of several fractals.
    fn fractals(&mut self) -> Option<RangeSet> {
        let is_source = self.operand == SRC;
        let first = match is_source {
            true => self.fixed(self.instr.scalar_named("start")?)?,
            false => 0,
        };
        let step = self
            .instr
            .scalar_named(if is_source { "src_step" } else { "dst_step" })?;
        let count = self.named("repeat")?;
        if !(0..=MAX_WALKED_REPEATS).contains(&count) {
            return None;
        }
        let step = match count {
            ..=1 => 1,
            _ => self.fixed(step)?,
        };
        let parts = self.named("parts")?;
        let part_step = match (is_source, parts) {
            (true, _) | (false, ..=1) => 1,
            (false, _) => self.fixed(self.instr.scalar_named("part_step")?)?,
        };
        if !(0..=MAX_WALKED_REPEATS).contains(&parts) {
            return None;
        }
        let mut bytes = RangeSet::default();
        for fractal in 0..count {
            for part in 0..parts {
                let start = (first + fractal * step + part * part_step) * FRACTAL_BYTES;
                bytes.insert(start, start + FRACTAL_BYTES);
            }
        }
        Some(bytes)
    }

    /// Returns the bytes of the rows of a move, each of which starts on a block. A load also writes its
    /// padding (undefined values); a store reads the row alone.
    fn rows(&mut self) -> Option<RangeSet> {
        let view = self.instr.local(self.operand)?;
        let rows = self.numbers.block_rows(self.instr, self.operand, view)?;
        let bursts = self.grows(rows.count)?;
        let length = self.grows(rows.length)?;
        let taken = match self.operand == SRC {
            true => self.dtype.bytes_of(length),
            false => {
                let unit = self.dtype.c0();
                (length + unit - 1).div_euclid(unit) * BLOCK_BYTES
            }
        };
        if !(0..=1 << 16).contains(&bursts) || taken < 0 {
            return None;
        }
        if bursts == 1 {
            return Some(RangeSet::span(0, taken));
        }
        let pitch = small(rows.gap.as_exact()?)? * BLOCK_BYTES;
        if pitch == taken {
            return Some(RangeSet::span(0, bursts * taken));
        }
        let mut bytes = RangeSet::default();
        for burst in 0..bursts {
            bytes.insert(burst * pitch, burst * pitch + taken);
        }
        Some(bytes)
    }
}

//! Which bytes of a buffer an instruction's operand touches.

use super::ranges::RangeSet;
use crate::ir::{Instr, LocalView, Program, ScalarId, View};
use crate::isa::{
    BLOCK_BYTES, BLOCKS_PER_REPEAT, DType, Opcode, ParamKind, RepeatFrom, StrideRule, Walk,
};

/// Repeats that a footprint is computed for; beyond the hardware's limit the count is a finding of
/// its own.
const MAX_WALKED_REPEATS: i64 = 4096;

/// The bytes an operand touches, relative to the start of its slot. They may lie outside of it.
pub fn footprint(program: &Program, instr: &Instr, operand: usize) -> Option<RangeSet> {
    let view = match instr.view(operand)? {
        View::Local(view) => view,
        View::Global(_) => return None,
    };
    let shape = Geometry::of(program, instr, operand, view)?;
    shape.bytes(instr.row().param(operand)?.operand()?.walk)
}

/// The bytes of a view's own rectangle, relative to the start of its slot; for memories that hold
/// rows one after the other.
pub fn view_bytes(program: &Program, view: &LocalView) -> Option<RangeSet> {
    let [_, pitch] = program.constant_pair(view.shape)?;
    let [row, column] = program.constant_pair(view.offset)?;
    let [rows, columns] = program.constant_pair(view.span)?;
    let mut bytes = RangeSet::default();
    if columns <= 0 || rows <= 0 {
        return Some(bytes);
    }
    if columns == pitch {
        let start = view.dtype.bytes_of(row * pitch + column);
        bytes.insert(start, view.dtype.bytes_of((row + rows) * pitch + column));
        return Some(bytes);
    }
    for at in row..row + rows.min(1 << 16) {
        let start = at * pitch + column;
        bytes.insert(
            view.dtype.bytes_of(start),
            view.dtype.bytes_of(start + columns),
        );
    }
    Some(bytes)
}

/// Byte offset of a view's first element from the start of its slot.
pub fn view_start(program: &Program, view: &LocalView) -> Option<i64> {
    let pitch = program.size(view.shape[1])?;
    let [row, column] = program.constant_pair(view.offset)?;
    Some(view.dtype.bytes_of(row * pitch + column))
}

/// Repeats, strides and counts of a vector instruction with constant arguments.
pub fn resolved(program: &Program, instr: &Instr, kind: ParamKind) -> Option<i64> {
    program.size(instr.scalar(kind)?)
}

/// Everything a walk needs, as numbers.
struct Geometry<'a> {
    program: &'a Program,
    instr: &'a Instr,
    operand: usize,
    dtype: DType,
    /// Byte offset of the first element.
    start: i64,
}

impl<'a> Geometry<'a> {
    fn of(
        program: &'a Program,
        instr: &'a Instr,
        operand: usize,
        view: &LocalView,
    ) -> Option<Self> {
        let start = view_start(program, view)?;
        Some(Geometry {
            program,
            instr,
            operand,
            dtype: view.dtype,
            start,
        })
    }

    fn number(&self, kind: ParamKind) -> Option<i64> {
        resolved(self.program, self.instr, kind)
    }

    fn named(&self, name: &str) -> Option<i64> {
        self.program.size(self.instr.scalar_named(name)?)
    }

    fn repeats(&self) -> Option<i64> {
        self.number(ParamKind::Repeat)
            .filter(|&repeats| (0..=MAX_WALKED_REPEATS).contains(&repeats))
    }

    /// Lanes of one repeat: of the wider type in a cast, of the instruction's data elsewhere.
    fn lanes(&self) -> Option<i64> {
        match self.instr.row().repeat {
            RepeatFrom::Wider(_) => {
                let (a, b) = (self.instr.local(0)?.dtype, self.instr.local(1)?.dtype);
                Some(a.lanes().min(b.lanes()))
            }
            RepeatFrom::Operand(of) => Some(self.instr.local(of)?.dtype.lanes()),
            _ => Some(self.dtype.lanes()),
        }
    }

    fn bytes(&self, walk: Walk) -> Option<RangeSet> {
        match walk {
            Walk::Lanes => self.lanes_bytes(),
            Walk::RepeatResult => self.results(1),
            Walk::BlockResults => self.results(BLOCKS_PER_REPEAT),
            Walk::PairResults => self.results(self.dtype.lanes() / 2),
            Walk::PackedBits => {
                let bytes = self.repeats()?.checked_mul(self.lanes()? / 8)?;
                Some(RangeSet::span(self.start, self.start + bytes))
            }
            Walk::First => Some(self.elements(1)),
            Walk::BroadcastSource => Some(self.elements(self.repeats()?.checked_mul(8)?)),
            Walk::BroadcastResult => {
                let mut stride = self.number(ParamKind::BlockStride(self.operand))?;
                if stride == 0 {
                    stride = 1; // the hardware takes 0 for 1 here
                }
                self.walk_blocks(
                    self.repeats()?,
                    stride,
                    self.repeat_stride()?,
                    BLOCKS_PER_REPEAT * BLOCK_BYTES,
                )
            }
            Walk::Offsets => Some(self.elements(self.repeats()?.checked_mul(self.lanes()?)?)),
            Walk::Records32 => Some(self.elements(self.repeats()?.checked_mul(32)?)),
            Walk::SortedRecords => Some(RangeSet::span(
                self.start,
                self.start + self.repeats()? * 256,
            )),
            Walk::Merge4 => {
                let records = self
                    .named("length_per_blk")?
                    .checked_mul(self.named("repeat")?)?;
                Some(RangeSet::span(
                    self.start,
                    self.start + records.checked_mul(32)?,
                ))
            }
            Walk::Merge2 => {
                let (first, second) = (self.named("size1")?, self.named("size2")?);
                let records = match self.operand {
                    0 => first.checked_add(second)?,
                    1 => first,
                    _ => second,
                };
                Some(RangeSet::span(
                    self.start,
                    self.start + records.checked_mul(8)?,
                ))
            }
            Walk::Rows => self.rows(),
            Walk::Indexed | Walk::Matrix | Walk::Whole => None,
        }
    }

    fn elements(&self, count: i64) -> RangeSet {
        RangeSet::span(self.start, self.start + self.dtype.bytes_of(count))
    }

    /// One result of `width` elements per repeat.
    fn results(&self, width: i64) -> Option<RangeSet> {
        let stride = self.number(ParamKind::ResultStride)?;
        let width = self.dtype.bytes_of(width);
        let mut bytes = RangeSet::default();
        for repeat in 0..self.repeats()? {
            let start = self.start + repeat * stride * width;
            bytes.insert(start, start + width);
        }
        Some(bytes)
    }

    fn repeat_stride(&self) -> Option<i64> {
        self.number(ParamKind::RepeatStride(self.operand))
    }

    fn lanes_bytes(&self) -> Option<RangeSet> {
        if self.instr.reads_one_element(self.operand) {
            return Some(self.elements(1));
        }
        if let Some(count) = self.instr.scalar(ParamKind::Count) {
            return Some(self.elements(self.constant(count)?));
        }
        let live = match self.instr.scalar(ParamKind::CountPerRepeat) {
            Some(lanes) => self.constant(lanes)?,
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
        self.walk_blocks(self.repeats()?, block, repeat, self.dtype.bytes_of(live))
    }

    fn constant(&self, id: ScalarId) -> Option<i64> {
        self.program.size(id)
    }

    /// `live` bytes of each repeat, in blocks of 32 bytes.
    fn walk_blocks(&self, repeats: i64, block: i64, repeat: i64, live: i64) -> Option<RangeSet> {
        let mut bytes = RangeSet::default();
        if block == 1 && repeat == BLOCKS_PER_REPEAT && live == BLOCKS_PER_REPEAT * BLOCK_BYTES {
            bytes.insert(self.start, self.start + repeats * live);
            return Some(bytes);
        }
        for r in 0..repeats {
            let row = self.start + r * repeat * BLOCK_BYTES;
            if block == 1 {
                bytes.insert(row, row + live);
                continue;
            }
            let mut left = live;
            let mut at = row;
            while left > 0 {
                bytes.insert(at, at + left.min(BLOCK_BYTES));
                at += block * BLOCK_BYTES;
                left -= BLOCK_BYTES;
            }
        }
        Some(bytes)
    }

    /// Rows of a move: each starts on a block. A load writes its padding too (undefined values); a
    /// store takes the row alone.
    fn rows(&self) -> Option<RangeSet> {
        let bursts = self.named("n_burst")?;
        let (length, gap) = match self.instr.opcode {
            Opcode::UbToUb => {
                let gap = if self.operand == 0 {
                    "dst_stride"
                } else {
                    "src_stride"
                };
                (
                    self.named("burst_len")?.checked_mul(BLOCK_BYTES)?,
                    self.named(gap)?,
                )
            }
            Opcode::GmToUbPad => (self.burst_bytes()?, self.named("dst_stride")?),
            _ => (self.burst_bytes()?, self.named("src_stride")?),
        };
        if !(0..=1 << 16).contains(&bursts) || length < 0 {
            return None;
        }
        let padded = (length + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
        let taken = match self.instr.opcode {
            Opcode::UbToGmPad => length,
            _ => padded,
        };
        let mut bytes = RangeSet::default();
        for burst in 0..bursts {
            let start = self.start + burst * (padded + gap * BLOCK_BYTES);
            bytes.insert(start, start + taken);
        }
        Some(bytes)
    }

    fn burst_bytes(&self) -> Option<i64> {
        Some(self.dtype.bytes_of(self.named("burst_len_element")?))
    }
}

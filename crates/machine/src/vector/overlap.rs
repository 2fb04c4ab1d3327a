//! Operands of one call that share memory where the instruction does not allow for it.

use super::Plan;
use super::address::merge;
use super::plan::has_block_stride;
use crate::{VectorLength, VectorOperand};
use a2lint_isa::{Access, Class, DST, Overlap, ParamKind, SelectMode, Sharing};
use std::ops::Range;

/// A source that overlaps the destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlapping {
    /// Index among the tensor operands.
    pub operand: usize,
    /// How it does so.
    pub overlap: Overlap,
    /// Number of bytes that are written and read.
    pub bytes: i64,
}

impl Plan<'_> {
    /// Returns the first source that overlaps the destination in a way that the instruction does not allow for.
    pub fn overlapping(&self) -> Option<Overlapping> {
        let dst = self.optional(DST)?;
        let mut operands = self.row.operands().enumerate();
        operands.find_map(|(operand, (param, described))| {
            let chained = || self.stays(dst) && self.row.chains(param, dst.dtype);
            match described.access {
                Access::Read => self.overlapping_at(operand, param, dst),
                Access::ReadWrite if chained() => Some(Overlapping {
                    operand,
                    overlap: Overlap::Chained,
                    bytes: self.sweep(operand).map_or(0, |it| length(&it.bounds())),
                }),
                _ => None,
            }
        })
    }

    fn overlapping_at(
        &self,
        operand: usize,
        param: usize,
        dst: &VectorOperand,
    ) -> Option<Overlapping> {
        let src = self.optional(operand)?;
        let (to, from) = (self.sweep(DST)?, self.sweep(operand));
        let read = match from {
            Some(from) => from.bounds(),
            // The offsets decide which elements are read. The first one is where the data starts.
            None if self.row.class == Class::Gather => {
                src.address..src.address + src.dtype.bytes_of(1)
            }
            None => return None,
        };
        let written = to.bounds();
        let is_apart = written.end <= read.start || read.end <= written.start;
        let is_same = from == Some(to) && self.row.works_in_place() && !self.stays(dst);
        if is_apart || is_same || self.is_fallback_scalar(operand) {
            return None;
        }
        let written = merge(to.live_ranges());
        let read = from.map_or_else(|| vec![read], |from| merge(from.live_ranges()));
        let both = shared(&written, &read);
        let sharing = Sharing {
            source: param,
            dtypes: [dst.dtype, src.dtype],
            written: hull(&written)?,
            read: hull(&read)?,
            shared: hull(&both).map_or(0, |(start, end)| end - start),
            chooses_lanes: self.call.select == SelectMode::TensorTensor,
            same_strides: self.has_same_strides(param, dst, src),
            is_dense: !has_block_stride(self.row, DST) || dst.block_stride == 1,
            stays: self.stays(dst),
        };
        let overlap = self.row.overlap(&sharing)?;
        Some(Overlapping {
            operand,
            overlap,
            bytes: both.iter().map(length).sum(),
        })
    }

    /// Returns whether several repeats write one place.
    fn stays(&self, dst: &VectorOperand) -> bool {
        let has_stride = self.row.index_of(ParamKind::RepeatStride(DST)).is_some();
        let is_counted = matches!(self.call.length, VectorLength::Count(_));
        has_stride && !is_counted && self.repeats > 1 && dst.repeat_stride == 0
    }

    fn has_same_strides(&self, param: usize, dst: &VectorOperand, src: &VectorOperand) -> bool {
        let stride = |kind, stride: i64| self.row.index_of(kind).map(|_| stride);
        let blocks = stride(ParamKind::BlockStride(DST), dst.block_stride)
            == stride(ParamKind::BlockStride(param), src.block_stride);
        let repeats = stride(ParamKind::RepeatStride(DST), dst.repeat_stride)
            == stride(ParamKind::RepeatStride(param), src.repeat_stride);
        match self.call.length {
            VectorLength::Count(_) => true,
            _ => blocks && (repeats || self.repeats == 1),
        }
    }
}

fn length(bytes: &Range<i64>) -> i64 {
    bytes.end - bytes.start
}

/// Returns start and end of ranges that ascend.
fn hull(ranges: &[Range<i64>]) -> Option<(i64, i64)> {
    Some((ranges.first()?.start, ranges.last()?.end))
}

/// Returns the bytes in both of two lists of ranges that ascend.
fn shared(a: &[Range<i64>], b: &[Range<i64>]) -> Vec<Range<i64>> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut both = Vec::new();
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        let common = x.start.max(y.start)..x.end.min(y.end);
        if !common.is_empty() {
            both.push(common);
        }
        match x.end <= y.end {
            true => a.next(),
            false => b.next(),
        };
    }
    both
}

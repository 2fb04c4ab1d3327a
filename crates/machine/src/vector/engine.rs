//! Lane-wise execution: load a chunk of repeats, compute, write back under the mask.
//!
//! A repeat reads all of its sources before it writes, and repeats follow one another. If no later repeat can
//! read what an earlier one wrote, several are loaded at once: contiguous tiles then run as slices.

use super::VectorFault;
use super::address::Sweep;
use super::exact::Followed;
use super::lanes::{LaneSet, MASK_LANES};
use super::number::{CHUNK, Number};
use super::plan::Plan;
use super::shadow;
use crate::memory::{FRESH, Memory};
use a2lint_isa::{DST, DType};
use std::ops::Range;

/// A function of the lanes of a chunk: the first slice holds the first source and receives the result; the
/// others hold the second and third source, and are empty if there is none.
pub(super) type Step<'a, T> = &'a dyn Fn(&mut [T], &[T], &[T]);

/// A tensor operand with its walk.
#[derive(Clone, Copy)]
pub(super) struct Tensor {
    pub dtype: DType,
    pub sweep: Sweep,
}

impl Plan<'_> {
    /// Returns the regular tensor operand at `index`.
    pub(super) fn tensor(&self, index: usize) -> Result<Tensor, VectorFault> {
        let dtype = self.operand(index)?.dtype;
        let sweep = self.regular(index)?;
        Ok(Tensor { dtype, sweep })
    }

    /// Applies `step` to all lanes: operand 0 is written, `sources` are read in this order.
    pub(super) fn map<T: Number>(
        &self,
        memory: &mut Memory,
        sources: &[usize],
        step: Step<'_, T>,
    ) -> Result<(), VectorFault> {
        let mut untracked = Followed {
            tracer: None,
            step: &|_, _, _| {},
            summands: 0,
        };
        self.map_followed(memory, sources, step, &mut untracked)
    }

    /// As [`Plan::map`], and tracks the exact values of results.
    pub(super) fn map_followed<T: Number>(
        &self,
        memory: &mut Memory,
        sources: &[usize],
        step: Step<'_, T>,
        followed: &mut Followed,
    ) -> Result<(), VectorFault> {
        let dst = self.tensor(DST)?;
        let sources = sources.iter().map(|&index| self.tensor(index));
        let sources = sources.collect::<Result<Vec<Tensor>, _>>()?;
        let most = CHUNK.min(self.repeats * self.lanes);
        let mut lanes: [Vec<T>; 3] = std::array::from_fn(|index| {
            let is_used = index == 0 || index < sources.len();
            vec![T::default(); if is_used { most } else { 0 }]
        });
        for repeats in self.chunks(&dst, &sources) {
            let count = repeats.len() * self.lanes;
            followed.ahead(memory, &dst, &sources, &repeats);
            lanes.iter_mut().for_each(|lanes| lanes.truncate(count));
            for (source, lanes) in sources.iter().zip(&mut lanes) {
                source.load(memory, repeats.clone(), lanes);
            }
            let defined = Defined::of(memory, &sources, repeats.clone());
            let [first, second, third] = &mut lanes;
            step(first, second, third);
            dst.store(memory, repeats.clone(), first, self.options.saturate);
            defined.assign(memory, &dst.sweep, repeats.clone());
            followed.settle(memory, &dst, repeats);
        }
        Ok(())
    }

    /// Returns chunks of repeats that may be loaded before any of them is stored.
    pub(super) fn chunks(
        &self,
        dst: &Tensor,
        sources: &[Tensor],
    ) -> impl Iterator<Item = Range<usize>> + use<> {
        let independent = sources
            .iter()
            .all(|source| independent(&dst.sweep, &source.sweep));
        let step = if independent { CHUNK / self.lanes } else { 1 };
        let repeats = self.repeats;
        (0..repeats)
            .step_by(step)
            .map(move |start| start..(start + step).min(repeats))
    }
}

/// Returns whether no repeat reads what an earlier one writes.
fn independent(dst: &Sweep, source: &Sweep) -> bool {
    let (written, read) = (dst.bounds(), source.bounds());
    let disjoint = written.end <= read.start || read.end <= written.start;
    // In place is safe as well: each repeat then reads only what it writes itself.
    let same = Sweep {
        live: dst.live,
        last: dst.last,
        ..*source
    } == *dst;
    disjoint || same && dst.rises()
}

/// Definedness of the results of a chunk, determined before anything is stored.
enum Defined {
    All,
    Lanes(Vec<LaneSet>),
}

impl Defined {
    fn of(memory: &Memory, sources: &[Tensor], repeats: Range<usize>) -> Self {
        let whole = |source: &Tensor| shadow::all_defined(memory, &source.sweep, repeats.clone());
        if sources.iter().all(whole) {
            return Defined::All;
        }
        let lanes = |repeat| {
            let sets = sources
                .iter()
                .map(|source| shadow::defined_lanes(memory, &source.sweep, repeat));
            sets.fold(LaneSet::FULL, LaneSet::and)
        };
        Defined::Lanes(repeats.map(lanes).collect())
    }

    fn assign(self, memory: &mut Memory, dst: &Sweep, repeats: Range<usize>) {
        match self {
            Defined::All => shadow::define(memory, dst, repeats),
            Defined::Lanes(sets) => {
                for (repeat, defined) in repeats.zip(sets) {
                    shadow::assign(memory, dst, repeat, dst.live(repeat), &defined);
                }
            }
        }
    }
}

impl Tensor {
    /// Reads the lanes of some repeats. Bytes outside of the memory, where only dead lanes can lie, read as
    /// fresh.
    pub(super) fn load<T: Number>(&self, memory: &Memory, repeats: Range<usize>, lanes: &mut [T]) {
        let sweep = &self.sweep;
        let block = sweep.block_lanes();
        if sweep.block != 0 || !sweep.lanes.is_multiple_of(block) {
            return self.load_runs(sweep, memory, repeats, lanes);
        }
        // All lanes of a repeat are in one block, which is decoded once.
        let first = Sweep {
            lanes: block,
            ..*sweep
        };
        for (lanes, repeat) in lanes.chunks_exact_mut(sweep.lanes).zip(repeats) {
            self.load_runs(&first, memory, repeat..repeat + 1, lanes);
            match block {
                8 => repeat_first::<_, 8>(lanes),
                16 => repeat_first::<_, 16>(lanes),
                _ => {
                    for copy in 1..sweep.lanes / block {
                        lanes.copy_within(..block, copy * block);
                    }
                }
            }
        }
    }

    fn load_runs<T: Number>(
        &self,
        sweep: &Sweep,
        memory: &Memory,
        repeats: Range<usize>,
        lanes: &mut [T],
    ) {
        for run in sweep.runs(repeats) {
            let lanes = &mut lanes[run.first..run.first + run.lanes];
            match run.range(memory.capacity()) {
                Some(range) => T::load(self.dtype, memory.bytes(range), lanes),
                None => T::load(self.dtype, &clipped(memory, run.address, run.bytes), lanes),
            }
        }
    }

    /// Writes the live lanes of some repeats, in ascending order.
    pub(super) fn store<T: Number>(
        &self,
        memory: &mut Memory,
        repeats: Range<usize>,
        lanes: &[T],
        saturate: bool,
    ) {
        if self.sweep.is_full(repeats.clone()) {
            for run in self.sweep.runs(repeats) {
                let start = run.address as usize;
                let bytes = memory.bytes_mut(start..start + run.bytes);
                T::store(
                    self.dtype,
                    &lanes[run.first..run.first + run.lanes],
                    bytes,
                    saturate,
                );
            }
            return;
        }
        // The repeat is encoded as a whole, but only live lanes are copied: dead ones keep their bytes.
        let mut encoded = [0; MASK_LANES * 8];
        for (index, repeat) in repeats.enumerate() {
            let lanes = &lanes[index * self.sweep.lanes..][..self.sweep.lanes];
            T::store(self.dtype, lanes, &mut encoded, saturate);
            self.store_live(memory, repeat, &encoded);
        }
    }

    /// Writes the live lanes of one repeat from their encoded form.
    fn store_live(&self, memory: &mut Memory, repeat: usize, encoded: &[u8]) {
        for run in self.sweep.live_runs(repeat) {
            let start = run.address as usize;
            let bytes = memory.bytes_mut(start..start + run.bytes);
            match self.sweep.bits / 8 {
                0 => store_nibbles(bytes, encoded, run.first..run.first + run.lanes),
                size => bytes.copy_from_slice(&encoded[run.first * size..][..run.bytes]),
            }
        }
    }
}

/// Copies the first `COUNT` lanes over all lanes after them.
fn repeat_first<T: Copy, const COUNT: usize>(lanes: &mut [T]) {
    if let Some((&mut first, others)) = lanes.split_first_chunk_mut::<COUNT>() {
        others.as_chunks_mut().0.fill(first);
    }
}

/// Replaces lanes of half a byte; `bytes` start with the byte that contains the first of them.
fn store_nibbles(bytes: &mut [u8], encoded: &[u8], lanes: Range<usize>) {
    let first_byte = lanes.start / 2;
    for lane in lanes {
        let mask = 0x0F << (lane % 2 * 4);
        let byte = &mut bytes[lane / 2 - first_byte];
        *byte = *byte & !mask | encoded[lane / 2] & mask;
    }
}

/// Reads a run that leaves the memory on either side; bytes outside are fresh.
fn clipped(memory: &Memory, address: i64, bytes: usize) -> Vec<u8> {
    let at = |offset| usize::try_from(address + offset).ok();
    let inside = |address: &usize| *address < memory.capacity();
    let byte = |address: usize| memory.bytes(address..address + 1)[0];
    (0..bytes as i64)
        .map(|offset| at(offset).filter(inside).map_or(FRESH, byte))
        .collect()
}

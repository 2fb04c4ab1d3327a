//! Exact values of the lanes of an instruction.
//!
//! Computed values are computed once more in double precision by the same function; moved values take their
//! exact values along.

use super::address::Sweep;
use super::engine::{Step, Tensor};
use super::lanes::LaneSet;
use super::number::CHUNK;
use super::plan::Plan;
use crate::memory::{Exactly, Memory};
use crate::numerics::{Before, Judged, Lanes, Numerics, Tracer, relative};
use std::ops::Range;

/// An instruction whose exact values are tracked.
pub(super) struct Followed<'a, 'n> {
    /// The tracker; `None` does nothing.
    pub tracer: Tracer<'n>,
    /// The function of the lanes, without rounding.
    pub step: Step<'a, f64>,
    /// Number of sources, from the first on, that are summands of the results.
    pub summands: usize,
}

impl Followed<'_, '_> {
    /// Computes the expected results of some repeats, before they are executed.
    pub(super) fn ahead(
        &mut self,
        memory: &Memory,
        dst: &Tensor,
        sources: &[Tensor],
        repeats: &Range<usize>,
    ) {
        let Some(numerics) = &mut self.tracer else {
            return;
        };
        let Some(lanes) = sources.first().map(|source| source.sweep.lanes) else {
            return self.constant();
        };
        let count = repeats.len() * lanes;
        let attributes_errors = numerics.attributes_errors();
        let scratch = &mut numerics.scratch;
        if !attributes_errors {
            for (source, lanes) in sources.iter().zip(&mut scratch.sources) {
                source.load_values(memory, repeats.clone(), count, lanes);
            }
            let [first, second, third] = &mut scratch.sources;
            std::mem::swap(&mut scratch.exact, &mut first.exact);
            let [b, c] = [second, third].map(|lanes| &lanes.exact[..count.min(lanes.exact.len())]);
            return (self.step)(&mut scratch.exact, b, c);
        }
        for (source, lanes) in sources.iter().zip(&mut scratch.sources) {
            source.load_exact(memory, repeats.clone(), count, lanes);
        }
        let [first, second, third] = &scratch.sources;
        scratch.ideal.clone_from(&first.real);
        scratch.exact.clone_from(&first.exact);
        let rest = [second, third].map(|lanes| count.min(lanes.real.len()));
        let [b, c] = rest;
        (self.step)(&mut scratch.ideal, &second.real[..b], &third.real[..c]);
        match scratch.sources[..sources.len()].iter().any(|it| it.differs) {
            true => (self.step)(&mut scratch.exact, &second.exact[..b], &third.exact[..c]),
            // Without recorded exact values both computations have the same operands.
            false => scratch.exact.clone_from(&scratch.ideal),
        }
        let used = &scratch.sources[..sources.len()];
        scratch.before.clear();
        let is_in_place = sources
            .iter()
            .any(|source| source.sweep.base == dst.sweep.base);
        let summands = self.summands;
        let of_lane = |lane| Before {
            // A sum that is stored over one of its summands is how kernels accumulate in a loop.
            accumulates: summands > 0 && used.len() > 1 && is_in_place,
            ..before(used, lane, summands)
        };
        scratch.before.extend((0..count).map(of_lane));
    }

    /// Computes a constant, which only its own type can round.
    fn constant(&mut self) {
        let Some(numerics) = &mut self.tracer else {
            return;
        };
        let scratch = &mut numerics.scratch;
        scratch.before.clear();
        scratch.before.resize(CHUNK, Before::default());
        scratch.ideal.resize(CHUNK, 0.0);
        (self.step)(&mut scratch.ideal, &[], &[]);
        scratch.exact.clone_from(&scratch.ideal);
    }

    /// Compares the results of some repeats with the expected ones.
    pub(super) fn settle(&mut self, memory: &mut Memory, dst: &Tensor, repeats: Range<usize>) {
        if let Some(numerics) = &mut self.tracer {
            settle(numerics, memory, dst, repeats);
        }
    }
}

/// Describes the sources of a lane.
fn before(sources: &[Lanes], lane: usize, summands: usize) -> Before {
    let mut before = Before::default();
    let mut most = 0.0;
    for (index, source) in sources.iter().enumerate() {
        let (real, exact) = (source.real[lane], source.exact[lane]);
        if index < summands {
            before.summand = before.summand.max(real.abs());
        }
        if real == exact {
            continue;
        }
        let error = relative(real, exact);
        before.error = before.error.max(error);
        // In a sum the absolute errors of its summands add up, elsewhere relative errors do.
        let counts = match summands {
            0 => error,
            _ => (real - exact).abs(),
        };
        if counts > most || before.blame == 0 {
            (most, before.blame) = (counts, source.blames[lane]);
        }
    }
    before
}

/// Compares the live lanes of some repeats with the expected results in `scratch`.
pub(super) fn settle(
    numerics: &mut Numerics,
    memory: &mut Memory,
    dst: &Tensor,
    repeats: Range<usize>,
) {
    let mut scratch = std::mem::take(&mut numerics.scratch);
    let lanes = dst.sweep.lanes;
    let count = repeats.len() * lanes;
    let [results, ..] = &mut scratch.sources;
    results.real.resize(count, 0.0);
    dst.load(memory, repeats.clone(), &mut results.real[..count]);
    if !numerics.attributes_errors() {
        let exact = &mut scratch.exact[..count];
        numerics.all_third(dst.dtype, exact);
        for (index, repeat) in repeats.enumerate() {
            for run in dst.sweep.live_runs(repeat) {
                let at = index * lanes + run.first..index * lanes + run.first + run.lanes;
                let (exact, real) = (&exact[at.clone()], &results.real[at]);
                memory.note_all(run.address as usize, dst.dtype, exact, real);
            }
        }
        numerics.scratch = scratch;
        return;
    }
    let size = dst.dtype.bits() as usize / 8;
    for (index, repeat) in repeats.enumerate() {
        for run in dst.sweep.live_runs(repeat) {
            for offset in 0..run.lanes {
                let lane = run.first + offset;
                let at = index * lanes + lane;
                let judged = Judged {
                    real: results.real[at],
                    ideal: scratch.ideal[at],
                    exact: scratch.exact[at],
                };
                let element = repeat * lanes + lane;
                let exact = numerics.judge(dst.dtype, element, judged, &scratch.before[at]);
                if exact.value != judged.real {
                    let address = run.address as usize + offset * size;
                    memory.note_exactly(address, dst.dtype, exact);
                }
            }
        }
    }
    numerics.scratch = scratch;
}

impl Tensor {
    /// Reads lanes of some repeats, with their exact values.
    pub(super) fn load_exact(
        &self,
        memory: &Memory,
        repeats: Range<usize>,
        count: usize,
        lanes: &mut Lanes,
    ) {
        lanes.real.resize(count, 0.0);
        self.load(memory, repeats.clone(), &mut lanes.real);
        lanes.exact.clone_from(&lanes.real);
        lanes.blames.clear();
        lanes.blames.resize(count, 0);
        lanes.differs = false;
        if !self.dtype.is_float() {
            return;
        }
        for run in self.sweep.runs(repeats) {
            let Some(range) = run.range(memory.capacity()) else {
                continue;
            };
            memory.each_exactly(range, self.dtype, &mut |lane, Exactly { value, blame }| {
                lanes.exact[run.first + lane] = value;
                lanes.blames[run.first + lane] = blame;
                lanes.differs = true;
            });
        }
    }

    /// Reads the exact values of lanes of some repeats.
    pub(super) fn load_values(
        &self,
        memory: &Memory,
        repeats: Range<usize>,
        count: usize,
        lanes: &mut Lanes,
    ) {
        lanes.exact.resize(count, 0.0);
        self.load(memory, repeats.clone(), &mut lanes.exact);
        if self.dtype.is_float() {
            for run in self.sweep.runs(repeats) {
                if let Some(range) = run.range(memory.capacity()) {
                    let exact = &mut lanes.exact[run.first..run.first + run.lanes];
                    memory.replace_by_exact(range, self.dtype, exact);
                }
            }
        }
    }

    /// Reads the lanes of any number of repeats, with their exact values.
    pub(super) fn all_exact(&self, plan: &Plan, memory: &Memory, repeats: Range<usize>) -> Lanes {
        let (mut all, mut lanes) = (Lanes::default(), Lanes::default());
        let step = CHUNK / plan.lanes;
        for first in repeats.clone().step_by(step) {
            let chunk = first..(first + step).min(repeats.end);
            let count = chunk.len() * plan.lanes;
            self.load_exact(memory, chunk, count, &mut lanes);
            all.real.extend_from_slice(&lanes.real);
            all.exact.extend_from_slice(&lanes.exact);
            all.blames.extend_from_slice(&lanes.blames);
            all.differs |= lanes.differs;
        }
        all
    }

    /// Returns the exact values of one repeat, to be moved with its lanes; empty if they are not tracked.
    pub(super) fn exactly(&self, memory: &Memory, repeat: usize) -> Vec<Option<Exactly>> {
        match memory.is_followed() && self.dtype.is_float() {
            false => Vec::new(),
            true => {
                let lanes = 0..self.sweep.lanes;
                let of_lane = |lane| exact_lane(memory, self, repeat, lane);
                lanes.map(of_lane).collect()
            }
        }
    }

    /// Records the exact values that were moved with the live lanes of one repeat.
    pub(super) fn set_exactly(
        &self,
        memory: &mut Memory,
        repeat: usize,
        moved: impl Fn(usize) -> Option<Exactly>,
    ) {
        if !memory.is_followed() || !self.dtype.is_float() {
            return;
        }
        let Sweep { lanes, .. } = self.sweep;
        let live: LaneSet = *self.sweep.live(repeat);
        for lane in live.iter().take_while(|&lane| lane < lanes) {
            let address = self.sweep.address(repeat, lane) as usize;
            memory.set_exactly(address, self.dtype, moved(lane));
        }
    }
}

fn exact_lane(memory: &Memory, tensor: &Tensor, repeat: usize, lane: usize) -> Option<Exactly> {
    let address = usize::try_from(tensor.sweep.address(repeat, lane)).ok()?;
    let is_inside = address + tensor.dtype.bits() as usize / 8 <= memory.capacity();
    is_inside.then(|| memory.exactly(address, tensor.dtype))?
}

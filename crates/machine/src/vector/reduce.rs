//! Reductions of repeats, blocks and pairs.
//!
//! Masked-off lanes count as 0, −∞ or +∞; a repeat or block without a live lane keeps its old result, a pair
//! never does. Every reduction is a tree over neighbouring lanes. The order in which the device adds is not
//! documented; the tree is the likely one, so sums are compared within a tolerance and never claimed to equal
//! those of the device bit by bit. A half sum is rounded, and saturates if asked to, at every node.

use super::engine::Tensor;
use super::exact;
use super::lanes::{LaneSet, MASK_LANES};
use super::maths::Real;
use super::plan::Plan;
use super::shadow;
use super::{VectorEvent, VectorFault};
use crate::memory::Memory;
use crate::numerics::{Before, Numerics, Tracer, relative};
use a2lint_isa::{DST, DType, MaskUse, SRC};
use std::ops::Range;

/// Index of the source among the tensor operands.
const SOURCE: usize = SRC;

pub(super) fn execute(
    plan: &Plan,
    memory: &mut Memory,
    mut tracer: Tracer,
    events: &mut dyn FnMut(VectorEvent),
) -> Result<(), VectorFault> {
    let (dst, src) = (plan.tensor(DST)?, plan.tensor(SOURCE)?);
    let results = dst.sweep.lanes;
    let group = plan.lanes / results;
    let mut reported = false;
    let (mut lanes, mut spare) = (Vec::new(), Vec::new());
    for repeats in plan.chunks(&dst, &[src]) {
        lanes.resize(repeats.len() * plan.lanes, 0.0_f32);
        src.load(memory, repeats.clone(), &mut lanes);
        // Masked-off lanes take part with the neutral value, so one tree serves every mask.
        silence(plan, &src, &repeats, &mut lanes);
        if let Some(numerics) = &mut tracer {
            ahead(plan, memory, &src, &repeats, results, numerics);
        }
        // Before the results are stored, since they may replace their own sources.
        let undefined = undefined(memory, &src, &repeats);
        if !reported && let Some(element) = mixed_element(plan, &src, &repeats, &undefined, group) {
            events(VectorEvent::MixedReduction {
                operand: SOURCE,
                element,
            });
            reported = true;
        }
        let count = repeats.len() * results;
        fold(plan, src.dtype, &mut lanes, &mut spare, count);
        dst.store(memory, repeats.clone(), &lanes, plan.options.saturate);
        if undefined.is_empty() {
            shadow::define(memory, &dst.sweep, repeats.clone());
        }
        for (undefined, repeat) in undefined.iter().zip(repeats.clone()) {
            let mut defined = LaneSet::first(results);
            undefined
                .iter()
                .for_each(|lane| defined.remove(lane / group));
            shadow::assign(memory, &dst.sweep, repeat, dst.sweep.live(repeat), &defined);
        }
        if let Some(numerics) = &mut tracer {
            exact::settle(numerics, memory, &dst, repeats);
        }
    }
    Ok(())
}

/// Returns the live lanes of each repeat that are undefined; an empty list if all are defined.
pub(super) fn undefined(memory: &Memory, src: &Tensor, repeats: &Range<usize>) -> Vec<LaneSet> {
    if shadow::all_defined(memory, &src.sweep, repeats.clone()) {
        return Vec::new();
    }
    let of_repeat = |repeat| {
        let defined = shadow::defined_lanes(memory, &src.sweep, repeat);
        src.sweep.live(repeat).without(defined)
    };
    repeats.clone().map(of_repeat).collect()
}

/// Reduces some repeats without rounding, before their results are stored.
fn ahead(
    plan: &Plan,
    memory: &Memory,
    src: &Tensor,
    repeats: &Range<usize>,
    results: usize,
    numerics: &mut Numerics,
) {
    let count = repeats.len() * results;
    let attributes_errors = numerics.attributes_errors();
    let scratch = &mut numerics.scratch;
    let [lanes, ..] = &mut scratch.sources;
    if !attributes_errors {
        src.load_values(memory, repeats.clone(), repeats.len() * plan.lanes, lanes);
        silence(plan, src, repeats, &mut lanes.exact);
        std::mem::swap(&mut scratch.exact, &mut lanes.exact);
        return fold(plan, src.dtype, &mut scratch.exact, &mut lanes.exact, count);
    }
    src.load_exact(memory, repeats.clone(), repeats.len() * plan.lanes, lanes);
    silence(plan, src, repeats, &mut lanes.real);
    silence(plan, src, repeats, &mut lanes.exact);
    let is_sum = plan.row.mask == MaskUse::ZeroSource;
    let group = plan.lanes / results;
    let groups = lanes.real.chunks(group).zip(lanes.exact.chunks(group));
    scratch.before.clear();
    for ((real, exact), blames) in groups.zip(lanes.blames.chunks(group)) {
        let mut before = Before {
            accumulates: is_sum && group > 2,
            ..Before::default()
        };
        let mut most = 0.0;
        for ((&real, &exact), &blame) in real.iter().zip(exact).zip(blames) {
            if is_sum {
                before.summand = before.summand.max(real.abs());
            }
            if real != exact {
                before.error = before.error.max(relative(real, exact));
                if (real - exact).abs() > most || before.blame == 0 {
                    (most, before.blame) = ((real - exact).abs(), blame);
                }
            }
        }
        scratch.before.push(before);
    }
    for (lanes, results) in [
        (&mut lanes.real, &mut scratch.ideal),
        (&mut lanes.exact, &mut scratch.exact),
    ] {
        results.clone_from(lanes);
        fold(plan, src.dtype, results, lanes, count);
    }
}

/// Returns the value that replaces a masked-off lane: the neutral element of the reduction.
pub(super) fn neutral(mask: MaskUse) -> f32 {
    match mask {
        MaskUse::MinusInfinity => f32::NEG_INFINITY,
        MaskUse::PlusInfinity => f32::INFINITY,
        _ => 0.0,
    }
}

/// Makes the lanes of some repeats neutral that are masked off.
pub(super) fn silence<R: Real>(plan: &Plan, src: &Tensor, repeats: &Range<usize>, lanes: &mut [R]) {
    if src.sweep.is_full(repeats.clone()) {
        return;
    }
    let neutral = R::from(neutral(plan.row.mask));
    for (lanes, repeat) in lanes.chunks_exact_mut(plan.lanes).zip(repeats.clone()) {
        let live = src.sweep.live(repeat);
        for (lane, value) in lanes.iter_mut().enumerate() {
            if !live.contains(lane) {
                *value = neutral;
            }
        }
    }
}

/// Returns the first undefined element of some repeats whose group has a live and defined lane, too.
fn mixed_element(
    plan: &Plan,
    src: &Tensor,
    repeats: &Range<usize>,
    undefined: &[LaneSet],
    group: usize,
) -> Option<usize> {
    undefined
        .iter()
        .zip(repeats.clone())
        .find_map(|(undefined, repeat)| {
            let lane = mixed_lane(src.sweep.live(repeat), undefined, group)?;
            Some(repeat * plan.lanes + lane)
        })
}

/// Returns the first undefined lane whose group has a live and defined lane, too.
fn mixed_lane(live: &LaneSet, undefined: &LaneSet, group: usize) -> Option<usize> {
    let defined = live.without(*undefined);
    (0..MASK_LANES).step_by(group).find_map(|first| {
        let lanes = first..first + group;
        defined.first_in(lanes.clone())?;
        undefined.first_in(lanes)
    })
}

/// Halves the lanes until `results` are left; `spare` holds every other stage.
pub(super) fn fold<R: Real>(
    plan: &Plan,
    dtype: DType,
    lanes: &mut Vec<R>,
    spare: &mut Vec<R>,
    results: usize,
) {
    while lanes.len() > results {
        match plan.row.mask {
            MaskUse::MinusInfinity => halve(lanes, spare, R::max),
            MaskUse::PlusInfinity => halve(lanes, spare, R::min),
            _ => halve(lanes, spare, |a, b| a + b),
        }
        std::mem::swap(lanes, spare);
        // Maxima and minima need no rounding: each is one of its operands.
        if dtype != DType::Float && plan.row.mask == MaskUse::ZeroSource {
            R::round(dtype, lanes, plan.options.saturate);
        }
    }
}

/// Combines pairs of neighbours.
#[inline(always)]
fn halve<R: Real>(lanes: &[R], halved: &mut Vec<R>, combine: impl Fn(R, R) -> R) {
    let (pairs, _) = lanes.as_chunks();
    halved.clear();
    halved.extend(pairs.iter().map(|&[a, b]| combine(a, b)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_mixed_if_it_has_defined_and_undefined_lanes() {
        let set = |lanes: &[usize]| {
            let mut set = LaneSet::EMPTY;
            lanes.iter().for_each(|&lane| set.insert(lane));
            set
        };
        let live = LaneSet::first(64);
        // Blocks 0 and 1 are undefined as a whole, 2 is defined, 3 is both.
        let undefined = set(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 27, 30]);
        assert_eq!(mixed_lane(&live, &undefined, 8), Some(27));
        assert_eq!(mixed_lane(&live, &undefined, 16), Some(27));
        assert_eq!(mixed_lane(&live, &undefined, 64), Some(0));
        assert_eq!(mixed_lane(&live, &LaneSet::first(64), 64), None);
        assert_eq!(mixed_lane(&live, &LaneSet::EMPTY, 8), None);
        // A lane that is masked off makes no group mixed.
        assert_eq!(mixed_lane(&set(&[30, 31]), &set(&[30, 31]), 8), None);
        assert_eq!(mixed_lane(&set(&[30, 31]), &set(&[31]), 2), Some(31));
        assert_eq!(mixed_lane(&LaneSet::FULL, &set(&[200]), 256), Some(200));
    }
}

//! Reductions of repeats, blocks and pairs (seed 000, §3.2 and §3.3).
//!
//! Masked-off lanes count as 0, −∞ or +∞; a repeat or block without a live lane leaves its result
//! alone, a pair never does. Every reduction is a tree over neighbouring lanes (`spec` decision
//! 25); a half sum is rounded, and saturates where asked, at every node.

use super::lanes::{LaneSet, MASK_LANES};
use super::number::Number;
use super::plan::Plan;
use super::shadow;
use super::{VectorEvent, VectorFault, maths};
use crate::isa::{DType, MaskUse};
use crate::machine::memory::Memory;

/// The source among the tensor operands.
const SOURCE: usize = 1;

pub(super) fn execute(
    plan: &Plan,
    memory: &mut Memory,
    events: &mut dyn FnMut(VectorEvent),
) -> Result<(), VectorFault> {
    let (dst, src) = (plan.tensor(0)?, plan.tensor(SOURCE)?);
    let results = dst.sweep.lanes;
    let mut reported = false;
    let mut lanes = [0.0_f32; MASK_LANES];
    for repeat in 0..plan.repeats {
        let live = *src.sweep.live(repeat);
        src.load(memory, repeat..repeat + 1, &mut lanes[..plan.lanes]);
        silence(&mut lanes[..plan.lanes], &live, neutral(plan.row.mask));
        let undefined = match shadow::all_defined(memory, &src.sweep, repeat..repeat + 1) {
            true => LaneSet::EMPTY,
            false => live.without(shadow::defined_lanes(memory, &src.sweep, repeat)),
        };
        let group = plan.lanes / results;
        if let Some(lane) = mixed_lane(&live, &undefined, group).filter(|_| !reported) {
            let element = repeat * plan.lanes + lane;
            events(VectorEvent::MixedReduction {
                operand: SOURCE,
                element,
            });
            reported = true;
        }
        fold(plan, src.dtype, &mut lanes[..plan.lanes], results);
        dst.store(
            memory,
            repeat..repeat + 1,
            &lanes[..results],
            plan.options.saturate,
        );
        let mut defined = LaneSet::first(results);
        undefined
            .iter()
            .for_each(|lane| defined.remove(lane / group));
        shadow::assign(memory, &dst.sweep, repeat, dst.sweep.live(repeat), &defined);
    }
    Ok(())
}

/// What a masked-off lane counts as.
fn neutral(mask: MaskUse) -> f32 {
    match mask {
        MaskUse::MinusInfinity => f32::NEG_INFINITY,
        MaskUse::PlusInfinity => f32::INFINITY,
        _ => 0.0,
    }
}

fn silence(lanes: &mut [f32], live: &LaneSet, neutral: f32) {
    if *live == LaneSet::first(lanes.len()) {
        return;
    }
    for (lane, value) in lanes.iter_mut().enumerate() {
        if !live.contains(lane) {
            *value = neutral;
        }
    }
}

/// The first undefined lane whose group has a live, defined lane as well.
fn mixed_lane(live: &LaneSet, undefined: &LaneSet, group: usize) -> Option<usize> {
    let defined = live.without(*undefined);
    undefined.iter().find(|lane| {
        let first = lane / group * group;
        (first..first + group).any(|lane| defined.contains(lane))
    })
}

/// Halves the lanes until `results` are left, at the front.
fn fold(plan: &Plan, dtype: DType, lanes: &mut [f32], results: usize) {
    let mut left = lanes.len();
    while left > results {
        let whole = &mut lanes[..left];
        match plan.row.mask {
            MaskUse::MinusInfinity => halve(whole, maths::max),
            MaskUse::PlusInfinity => halve(whole, maths::min),
            _ => halve(whole, |a, b| a + b),
        }
        left /= 2;
        if dtype != DType::Float && plan.row.mask == MaskUse::ZeroSource {
            round(dtype, &mut lanes[..left], plan.options.saturate);
        }
    }
}

/// Combines neighbours; the results stand in the lower half.
#[inline(always)]
fn halve(lanes: &mut [f32], combine: impl Fn(f32, f32) -> f32) {
    let mut halved = [0.0; MASK_LANES / 2];
    let halved = &mut halved[..lanes.len() / 2];
    for (result, pair) in halved.iter_mut().zip(lanes.chunks_exact(2)) {
        *result = combine(pair[0], pair[1]);
    }
    lanes[..halved.len()].copy_from_slice(halved);
}

/// Rounds lanes to an element type.
fn round(dtype: DType, lanes: &mut [f32], saturate: bool) {
    let mut bytes = [0; MASK_LANES * 4];
    f32::store(dtype, lanes, &mut bytes, saturate);
    f32::load(dtype, &bytes, lanes);
}

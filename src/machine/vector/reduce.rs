//! Reductions of repeats, blocks and pairs (seed 000, §3.2 and §3.3).
//!
//! Masked-off lanes count as 0, −∞ or +∞; a repeat or block without a live lane leaves its result
//! alone, a pair never does. Every reduction is a tree over neighbouring lanes (`spec` decision
//! 25); a half sum is rounded, and saturates where asked, at every node.

use super::engine::Tensor;
use super::exact;
use super::lanes::{LaneSet, MASK_LANES};
use super::maths::Real;
use super::plan::Plan;
use super::shadow;
use super::{VectorEvent, VectorFault};
use crate::isa::{DST, DType, MaskUse, SRC};
use crate::machine::memory::Memory;
use crate::machine::numerics::{Before, Numerics, Tracer, relative};

/// The source among the tensor operands.
const SOURCE: usize = SRC;

pub(super) fn execute(
    plan: &Plan,
    memory: &mut Memory,
    mut tracer: Tracer,
    events: &mut dyn FnMut(VectorEvent),
) -> Result<(), VectorFault> {
    let (dst, src) = (plan.tensor(DST)?, plan.tensor(SOURCE)?);
    let results = dst.sweep.lanes;
    let mut reported = false;
    let mut lanes = [0.0_f32; MASK_LANES];
    for repeat in 0..plan.repeats {
        let live = *src.sweep.live(repeat);
        src.load(memory, repeat..repeat + 1, &mut lanes[..plan.lanes]);
        silence(&mut lanes[..plan.lanes], &live, neutral(plan.row.mask));
        if let Some(numerics) = &mut tracer {
            ahead(plan, memory, &src, repeat, results, numerics);
        }
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
        if let Some(numerics) = &mut tracer {
            exact::settle(numerics, memory, &dst, repeat..repeat + 1);
        }
    }
    Ok(())
}

/// Reduces a repeat without rounding, before its results are stored.
fn ahead(
    plan: &Plan,
    memory: &Memory,
    src: &Tensor,
    repeat: usize,
    results: usize,
    numerics: &mut Numerics,
) {
    let scratch = &mut numerics.scratch;
    let [lanes, ..] = &mut scratch.sources;
    src.load_exact(memory, repeat..repeat + 1, plan.lanes, lanes);
    let (live, neutral) = (src.sweep.live(repeat), neutral(plan.row.mask));
    silence(&mut lanes.real, live, neutral.into());
    silence(&mut lanes.exact, live, neutral.into());
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
    for (lanes, results_of) in [
        (&mut lanes.real, &mut scratch.ideal),
        (&mut lanes.exact, &mut scratch.exact),
    ] {
        fold(plan, src.dtype, lanes, results);
        results_of.clear();
        results_of.extend_from_slice(&lanes[..results]);
    }
}

/// What a masked-off lane counts as.
fn neutral(mask: MaskUse) -> f32 {
    match mask {
        MaskUse::MinusInfinity => f32::NEG_INFINITY,
        MaskUse::PlusInfinity => f32::INFINITY,
        _ => 0.0,
    }
}

fn silence<R: Real>(lanes: &mut [R], live: &LaneSet, neutral: R) {
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
fn fold<R: Real>(plan: &Plan, dtype: DType, lanes: &mut [R], results: usize) {
    let mut left = lanes.len();
    while left > results {
        let whole = &mut lanes[..left];
        match plan.row.mask {
            MaskUse::MinusInfinity => halve(whole, R::max),
            MaskUse::PlusInfinity => halve(whole, R::min),
            _ => halve(whole, |a, b| a + b),
        }
        left /= 2;
        if dtype != DType::Float && plan.row.mask == MaskUse::ZeroSource {
            R::round(dtype, &mut lanes[..left], plan.options.saturate);
        }
    }
}

/// Combines neighbours; the results stand in the lower half.
#[inline(always)]
fn halve<R: Real>(lanes: &mut [R], combine: impl Fn(R, R) -> R) {
    let mut halved = [R::default(); MASK_LANES / 2];
    let halved = &mut halved[..lanes.len() / 2];
    for (result, pair) in halved.iter_mut().zip(lanes.chunks_exact(2)) {
        *result = combine(pair[0], pair[1]);
    }
    lanes[..halved.len()].copy_from_slice(halved);
}

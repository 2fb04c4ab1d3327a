//! Reductions of all repeats to one result, and those with the index of a maximum or minimum.
//!
//! A sum is a tree inside each repeat. With a count, the unit adds the repeats one after the other; without one, the
//! sums of repeats are reduced like lanes, until one is left. Of equal numbers the first one counts, and NaN is
//! beyond all others. The number of a lane or element is stored as an integer of the width of the result.

use super::engine::Tensor;
use super::lanes::{LaneSet, MASK_LANES};
use super::maths::Real;
use super::number::{CHUNK, Number};
use super::plan::Plan;
use super::reduce::{fold, neutral, silence};
use super::shadow;
use super::{VectorEvent, VectorFault};
use crate::VectorLength;
use crate::memory::{Exactly, Memory};
use crate::numerics::{Before, DepartureKind, Judged, Numerics, Tracer, relative};
use a2lint_isa::{Class, DST, DType, MaskUse, SRC, Walk};
use std::ops::Range;

/// An extreme value and its index.
#[derive(Clone, Copy)]
struct Found<R> {
    value: R,
    at: usize,
}

/// What a result would be without rounding.
struct Ahead {
    /// From the operands of the run.
    ideal: f64,
    /// From exact operands.
    exact: f64,
    before: Before,
}

/// Which of the reduced lanes are defined: whether any is, and the first that is not.
#[derive(Default)]
struct Seen {
    defined: bool,
    undefined: Option<usize>,
}

pub(super) fn execute(
    plan: &Plan,
    memory: &mut Memory,
    tracer: Tracer,
    events: &mut dyn FnMut(VectorEvent),
) -> Result<(), VectorFault> {
    let (dst, src) = (plan.tensor(DST)?, plan.tensor(SRC)?);
    let tracer = tracer.filter(|_| src.dtype.is_float());
    let mixed = match plan.row.class {
        Class::ReduceIndex => each_repeat(plan, memory, &dst, &src, tracer),
        _ => all_repeats(plan, memory, &dst, &src, tracer),
    };
    if let Some(element) = mixed {
        events(VectorEvent::MixedReduction {
            operand: SRC,
            element,
        });
    }
    Ok(())
}

/// Reduces each repeat by itself. Returns the first undefined element of a repeat that has defined ones as well.
fn each_repeat(
    plan: &Plan,
    memory: &mut Memory,
    dst: &Tensor,
    src: &Tensor,
    mut tracer: Tracer,
) -> Option<usize> {
    let mut mixed = None;
    let mut lanes = [0.0_f32; MASK_LANES];
    for repeat in 0..plan.repeats {
        src.load(memory, repeat..repeat + 1, &mut lanes[..plan.lanes]);
        let mut seen = Seen::default();
        seen.look(plan, memory, src, repeat);
        let mut found = None;
        find(plan, src, repeat, (&lanes, 0), &mut found);
        if let Some(found) = found {
            let numerics = tracer.as_deref_mut();
            let ahead =
                numerics.map(|it| found_ahead(plan, memory, src, repeat..repeat + 1, found, it));
            store(plan, memory, dst, repeat, found, seen.undefined.is_none());
            settle(plan, memory, dst, repeat, ahead, tracer.as_deref_mut());
        }
        mixed = mixed.or(seen.mixed());
    }
    mixed
}

/// Reduces all repeats. Returns the first undefined element if others are defined.
fn all_repeats(
    plan: &Plan,
    memory: &mut Memory,
    dst: &Tensor,
    src: &Tensor,
    mut tracer: Tracer,
) -> Option<usize> {
    let mut seen = Seen::default();
    for repeat in 0..plan.repeats {
        seen.look(plan, memory, src, repeat);
    }
    if !(seen.defined || seen.undefined.is_some()) {
        return None;
    }
    let found = match dst.sweep.lanes {
        1 => Some(Found {
            value: reduced(plan, src, &|repeats, lanes: &mut [f32]| {
                src.load(memory, repeats, lanes);
            }),
            at: 0,
        }),
        _ => {
            let mut found = None;
            let mut lanes = [0.0_f32; MASK_LANES];
            for repeat in 0..plan.repeats {
                src.load(memory, repeat..repeat + 1, &mut lanes[..plan.lanes]);
                let first = repeat * plan.lanes;
                find(plan, src, repeat, (&lanes, first), &mut found);
            }
            found
        }
    };
    let ahead = found.and_then(|found| {
        let numerics = tracer.as_deref_mut();
        numerics.map(|it| match dst.sweep.lanes {
            1 => reduced_ahead(plan, memory, src),
            _ => found_ahead(plan, memory, src, 0..plan.repeats, found, it),
        })
    });
    // The result may lie in the work area, and so may the source, which has been read.
    overwrite_work(plan, memory);
    if let Some(found) = found {
        store(plan, memory, dst, 0, found, seen.undefined.is_none());
        settle(plan, memory, dst, 0, ahead, tracer);
    }
    seen.mixed()
}

/// Makes what a reduction overwrites of its work area undefined.
fn overwrite_work(plan: &Plan, memory: &mut Memory) {
    let work = plan
        .row
        .operands()
        .position(|(_, it)| it.walk == Walk::Work);
    let Some(work) = work.and_then(|at| plan.optional(at)) else {
        return;
    };
    let elements = plan.row.work_written(plan.repeats as i64, work.dtype);
    let start = work.address as usize;
    let range = start..start + work.dtype.bytes_of(elements) as usize;
    memory.make_fresh(range);
}

/// Searches some repeats on exact operands, before the result is stored. An extreme at another index is a decision
/// that rounding has changed.
fn found_ahead(
    plan: &Plan,
    memory: &Memory,
    src: &Tensor,
    repeats: Range<usize>,
    real: Found<f32>,
    numerics: &mut Numerics,
) -> Ahead {
    let lanes = src.all_exact(plan, memory, repeats.clone());
    let mut found = None;
    for (index, repeat) in repeats.enumerate() {
        let first = index * plan.lanes;
        find(
            plan,
            src,
            repeat,
            (&lanes.exact[first..], first),
            &mut found,
        );
    }
    let exact = found.map_or(f64::from(real.value), |found: Found<f64>| found.value);
    if found.is_some_and(|found| found.at != real.at) {
        numerics.depart(DepartureKind::Decision);
    }
    let blame = lanes.blames.get(real.at).copied().unwrap_or(0);
    Ahead {
        ideal: f64::from(real.value),
        exact,
        before: Before {
            blame,
            error: relative(f64::from(real.value), exact),
            ..Before::default()
        },
    }
}

/// Reduces all repeats without rounding, before the result is stored.
fn reduced_ahead(plan: &Plan, memory: &Memory, src: &Tensor) -> Ahead {
    let lanes = src.all_exact(plan, memory, 0..plan.repeats);
    let of = |values: &[f64]| {
        reduced(plan, src, &|repeats, lanes: &mut [f64]| {
            lanes.copy_from_slice(&values[repeats.start * plan.lanes..repeats.end * plan.lanes]);
        })
    };
    let is_sum = plan.row.mask == MaskUse::ZeroSource;
    let mut before = Before {
        accumulates: is_sum && lanes.real.len() > 2,
        ..Before::default()
    };
    let mut most = 0.0;
    for ((&real, &exact), &blame) in lanes.real.iter().zip(&lanes.exact).zip(&lanes.blames) {
        if is_sum && real.is_finite() {
            before.summand = before.summand.max(real.abs());
        }
        if real != exact {
            before.error = before.error.max(relative(real, exact));
            if (real - exact).abs() > most || before.blame == 0 {
                (most, before.blame) = ((real - exact).abs(), blame);
            }
        }
    }
    Ahead {
        ideal: of(&lanes.real),
        exact: of(&lanes.exact),
        before,
    }
}

/// Compares a stored value with the expected one, and records its exact value. Indices have none.
fn settle(
    plan: &Plan,
    memory: &mut Memory,
    dst: &Tensor,
    repeat: usize,
    ahead: Option<Ahead>,
    tracer: Tracer,
) {
    let (Some(ahead), Some(numerics)) = (ahead, tracer) else {
        return;
    };
    if !dst.dtype.is_float() {
        return;
    }
    let lane = match (dst.sweep.lanes, plan.call.switch) {
        (1, _) | (_, false) => 0,
        (_, true) => 1,
    };
    let mut stored = [0.0_f64; 2];
    dst.load(memory, repeat..repeat + 1, &mut stored[..dst.sweep.lanes]);
    let judged = Judged {
        real: stored[lane],
        ideal: ahead.ideal,
        exact: ahead.exact,
    };
    let exact: Exactly = numerics.judge(dst.dtype, repeat, judged, &ahead.before);
    if exact.value != judged.real {
        let address = dst.sweep.address(repeat, lane) as usize;
        memory.note_exactly(address, dst.dtype, exact);
    }
}

impl Seen {
    /// Looks at the live lanes of a repeat.
    fn look(&mut self, plan: &Plan, memory: &Memory, src: &Tensor, repeat: usize) {
        let live = *src.sweep.live(repeat);
        let known = shadow::defined_lanes(memory, &src.sweep, repeat);
        self.defined |= live.and(known).iter().next().is_some();
        let undefined = live.without(known).iter().next();
        self.undefined = self
            .undefined
            .or(undefined.map(|lane| repeat * plan.lanes + lane));
    }

    fn mixed(&self) -> Option<usize> {
        self.undefined.filter(|_| self.defined)
    }
}

/// Returns the sum, maximum or minimum of all repeats, whose lanes `load` reads.
fn reduced<R: Real>(plan: &Plan, src: &Tensor, load: &dyn Fn(Range<usize>, &mut [R])) -> R {
    let (mut partial, mut spare) = (Vec::new(), Vec::new());
    let step = CHUNK / plan.lanes;
    for first in (0..plan.repeats).step_by(step) {
        let repeats = first..(first + step).min(plan.repeats);
        let mut lanes = vec![R::default(); repeats.len() * plan.lanes];
        load(repeats.clone(), &mut lanes);
        silence(plan, src, &repeats, &mut lanes);
        fold(plan, src.dtype, &mut lanes, &mut spare, repeats.len());
        partial.append(&mut lanes);
    }
    let is_sum = plan.row.mask == MaskUse::ZeroSource;
    if is_sum && matches!(plan.call.length, VectorLength::Count(_)) {
        let add = |sum: R, next: R| {
            let mut sum = [sum + next];
            if src.dtype != DType::Float {
                R::round(src.dtype, &mut sum, plan.options.saturate);
            }
            sum[0]
        };
        return partial.into_iter().reduce(add).unwrap_or_default();
    }
    while partial.len() > 1 {
        let results = partial.len().div_ceil(plan.lanes);
        partial.resize(results * plan.lanes, R::from(neutral(plan.row.mask)));
        fold(plan, src.dtype, &mut partial, &mut spare, results);
    }
    partial.first().copied().unwrap_or_default()
}

/// Takes the lanes of a repeat, of which the first one has the number `first`, into the search for an extreme.
fn find<R: Real>(
    plan: &Plan,
    src: &Tensor,
    repeat: usize,
    (lanes, first): (&[R], usize),
    found: &mut Option<Found<R>>,
) {
    let is_nan = |value: R| value.partial_cmp(&value).is_none();
    for lane in src.sweep.live(repeat).iter() {
        let value = lanes[lane];
        let is_beyond = |best: &Found<R>| match plan.row.mask {
            _ if is_nan(best.value) => false,
            _ if is_nan(value) => true,
            MaskUse::MinusInfinity => value > best.value,
            _ => value < best.value,
        };
        if found.as_ref().is_none_or(is_beyond) {
            *found = Some(Found {
                value,
                at: first + lane,
            });
        }
    }
}

/// Writes a result: the value, its index, or both.
fn store(
    plan: &Plan,
    memory: &mut Memory,
    dst: &Tensor,
    repeat: usize,
    found: Found<f32>,
    is_defined: bool,
) {
    let mut bytes = [0; 4];
    f32::store(dst.dtype, &[found.value], &mut bytes, plan.options.saturate);
    let (value, at) = (u32::from_le_bytes(bytes), found.at as u32);
    let results = match (dst.sweep.lanes, dst.dtype.is_float(), plan.call.switch) {
        (1, true, _) => [value, 0],
        (1, false, _) => [at, 0],
        (_, _, false) => [value, at],
        (_, _, true) => [at, value],
    };
    let range = repeat..repeat + 1;
    dst.store(memory, range, &results[..dst.sweep.lanes], false);
    let defined = match is_defined {
        true => LaneSet::FULL,
        false => LaneSet::EMPTY,
    };
    shadow::assign(memory, &dst.sweep, repeat, dst.sweep.live(repeat), &defined);
}

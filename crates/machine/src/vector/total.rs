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
use crate::memory::Memory;
use a2lint_isa::{Class, DST, DType, MaskUse, SRC, Walk};

/// An extreme value and its index.
#[derive(Clone, Copy)]
struct Found {
    value: f32,
    at: usize,
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
    events: &mut dyn FnMut(VectorEvent),
) -> Result<(), VectorFault> {
    let (dst, src) = (plan.tensor(DST)?, plan.tensor(SRC)?);
    let mixed = match plan.row.class {
        Class::ReduceIndex => each_repeat(plan, memory, &dst, &src),
        _ => all_repeats(plan, memory, &dst, &src),
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
fn each_repeat(plan: &Plan, memory: &mut Memory, dst: &Tensor, src: &Tensor) -> Option<usize> {
    let mut mixed = None;
    let mut lanes = [0.0; MASK_LANES];
    for repeat in 0..plan.repeats {
        src.load(memory, repeat..repeat + 1, &mut lanes[..plan.lanes]);
        let mut seen = Seen::default();
        seen.look(plan, memory, src, repeat);
        let mut found = None;
        find(plan, src, repeat, (&lanes, 0), &mut found);
        if let Some(found) = found {
            store(plan, memory, dst, repeat, found, seen.undefined.is_none());
        }
        mixed = mixed.or(seen.mixed());
    }
    mixed
}

/// Reduces all repeats. Returns the first undefined element if others are defined.
fn all_repeats(plan: &Plan, memory: &mut Memory, dst: &Tensor, src: &Tensor) -> Option<usize> {
    let mut seen = Seen::default();
    for repeat in 0..plan.repeats {
        seen.look(plan, memory, src, repeat);
    }
    if !(seen.defined || seen.undefined.is_some()) {
        return None;
    }
    let found = match dst.sweep.lanes {
        1 => Some(Found {
            value: reduced(plan, memory, src),
            at: 0,
        }),
        _ => {
            let mut found = None;
            let mut lanes = [0.0; MASK_LANES];
            for repeat in 0..plan.repeats {
                src.load(memory, repeat..repeat + 1, &mut lanes[..plan.lanes]);
                let first = repeat * plan.lanes;
                find(plan, src, repeat, (&lanes, first), &mut found);
            }
            found
        }
    };
    // The result may lie in the work area, and so may the source, which has been read.
    overwrite_work(plan, memory);
    if let Some(found) = found {
        store(plan, memory, dst, 0, found, seen.undefined.is_none());
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

/// Returns the sum, maximum or minimum of all repeats.
fn reduced(plan: &Plan, memory: &Memory, src: &Tensor) -> f32 {
    let (mut partial, mut spare) = (Vec::new(), Vec::new());
    let step = CHUNK / plan.lanes;
    for first in (0..plan.repeats).step_by(step) {
        let repeats = first..(first + step).min(plan.repeats);
        let mut lanes = vec![0.0; repeats.len() * plan.lanes];
        src.load(memory, repeats.clone(), &mut lanes);
        silence(plan, src, &repeats, &mut lanes);
        fold(plan, src.dtype, &mut lanes, &mut spare, repeats.len());
        partial.append(&mut lanes);
    }
    let is_sum = plan.row.mask == MaskUse::ZeroSource;
    if is_sum && matches!(plan.call.length, VectorLength::Count(_)) {
        let add = |sum: f32, next: f32| {
            let mut sum = [sum + next];
            if src.dtype != DType::Float {
                Real::round(src.dtype, &mut sum, plan.options.saturate);
            }
            sum[0]
        };
        return partial.into_iter().reduce(add).unwrap_or_default();
    }
    while partial.len() > 1 {
        let results = partial.len().div_ceil(plan.lanes);
        partial.resize(results * plan.lanes, neutral(plan.row.mask));
        fold(plan, src.dtype, &mut partial, &mut spare, results);
    }
    partial.first().copied().unwrap_or_default()
}

/// Takes the lanes of a repeat, of which the first one has the number `first`, into the search for an extreme.
fn find(
    plan: &Plan,
    src: &Tensor,
    repeat: usize,
    (lanes, first): (&[f32], usize),
    found: &mut Option<Found>,
) {
    for lane in src.sweep.live(repeat).iter() {
        let value = lanes[lane];
        let is_beyond = |best: &Found| match plan.row.mask {
            _ if best.value.is_nan() => false,
            _ if value.is_nan() => true,
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
    found: Found,
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

//! `cast`: every legal pair of element types under every round mode.
//!
//! Lanes and mask follow the wider type. Narrowing integers saturate; a float cast to its own
//! type is rounded to an integer.

use super::VectorFault;
use super::elementwise::each;
use super::engine::Step;
use super::exact::Followed;
use super::plan::Plan;
use super::rounding::{Format, round_to_integer};
use crate::memory::Memory;
use crate::numerics::Tracer;
use a2lint_isa::{DST, DType, RoundMode, SRC};

/// The operand that is converted.
const SOURCE: &[usize] = &[SRC];

pub(super) fn execute(plan: &Plan, memory: &mut Memory, tracer: Tracer) -> Result<(), VectorFault> {
    let (dst, src) = (plan.operand(DST)?.dtype, plan.operand(SRC)?.dtype);
    let mode = plan.call.round;
    // An integer is what such a cast is meant to give, so its rounding does not count as an error.
    let followed = &mut Followed {
        tracer: tracer.filter(|_| dst.is_float() && dst != src),
        step: &|_, _, _| {},
        summands: 0,
    };
    match Format::of(dst) {
        Some(_) if rounds_on_store(dst, src, mode) => {
            let as_it_is: Step<f32> = &|_, _, _| {};
            plan.map_followed(memory, SOURCE, as_it_is, followed)
        }
        Some(format) if dst != src => {
            let round: Step<f64> = &|lanes, _, _| each(lanes, |x| format.round(x, mode));
            plan.map_followed(memory, SOURCE, round, followed)
        }
        _ => plan.map::<f64>(memory, SOURCE, &|lanes, _, _| {
            each(lanes, |x| round_to_integer(x, mode));
        }),
    }
}

/// Returns whether encoding the destination, which rounds to nearest even, is the whole conversion.
fn rounds_on_store(dst: DType, src: DType, mode: RoundMode) -> bool {
    let to_nearest_even = matches!(mode, RoundMode::None | RoundMode::ToEven);
    src.is_float() && src != dst && (to_nearest_even || dst == DType::Float)
}

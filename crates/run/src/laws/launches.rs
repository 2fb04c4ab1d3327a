//! Selects the launches that laws are tried on.

use crate::target::Target;
use crate::{Arguments, Bound, RunError, Which, bind};
use a2lint_ir::Program;
use a2lint_launches::Invented;
use a2lint_machine::Contents;

use super::Request;

/// More than the number of tensors of a kernel, so that seeds give disjoint streams.
const STREAMS: u64 = 1 << 16;
/// Number of launches on which laws with many runs are tried.
const SAMPLES: usize = 3;

/// Returns the launches of a kernel, the smallest first, and why others cannot be used.
pub fn of(
    target: &Target,
    program: &Program,
    arguments: &Arguments,
    request: &Request,
) -> (Vec<Bound>, Vec<String>) {
    let bind_with = |launch: Which, sizes: Invented| {
        let arguments = Arguments {
            launch,
            sizes,
            ..arguments.clone()
        };
        bind(target, program, &arguments, request.limits.memory, false)
    };
    let bind = |launch| bind_with(launch, Invented::Natural);
    let own = target.module.launches.iter();
    let count = own.filter(|launch| launch.kernel == program.name).count();
    let all: Vec<Result<Bound, RunError>> = match arguments.launch {
        Which::All if count > 0 => (1..=count).map(Which::Number).map(bind).collect(),
        // Faults between iterations of a lane show only if a lane has several.
        Which::All => {
            let sizes = [Invented::Natural, Invented::Repeated].into_iter();
            sizes.map(|it| bind_with(Which::First, it)).collect()
        }
        chosen => vec![bind(chosen)],
    };
    let (mut bounds, mut unusable) = (Vec::<Bound>::new(), Vec::new());
    for bound in all {
        match bound {
            Ok(bound) if bounds.iter().any(|known| known.launch == bound.launch) => {}
            Ok(bound) => bounds.push(bound),
            Err(error) => unusable.push(error.to_string()),
        }
    }
    let bytes = |bound: &Bound| -> usize { bound.launch.globals.iter().map(|it| it.bytes).sum() };
    bounds.sort_by_key(bytes);
    bounds
        .iter_mut()
        .for_each(|bound| reseed(bound, request.seed));
    (bounds, unusable)
}

/// Draws other random contents.
fn reseed(bound: &mut Bound, seed: u64) {
    for global in &mut bound.launch.globals {
        if let Contents::Generated(_, stream) = &mut global.contents {
            *stream = stream.wrapping_add(seed.wrapping_mul(STREAMS));
        }
    }
}

/// Returns whether a launch is one of the samples: the smallest, the largest, and one in between.
pub fn is_sample(at: usize, count: usize) -> bool {
    count <= SAMPLES || [0, count / 2, count - 1].contains(&at)
}

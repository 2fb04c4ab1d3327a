//! Proves that buffers fit into their memories, and that the operands of products fit into L0.

use super::operands::{at_least_one, lengths, limited};
use super::precondition::Reached;
use super::{Precondition, Proof, Subject};
use a2lint_analysis::{
    Given, Oversized, Polynomial, Reach, Start, Sum, largest, oversized, sizes,
    weakest_precondition,
};
use a2lint_ir::{MemoryMap, Program, ScalarNames, VariableId};
use a2lint_isa::{BLOCK_BYTES, Position};

/// Proves the property: all buffers have constant sizes with small enough sums, and the operands of each step of
/// a product fit into the halves of L0A and L0B.
pub(super) fn prove(subject: &Subject) -> Proof {
    let program = subject.program;
    let buffers = match buffers(subject) {
        Ok(conditions) => conditions,
        Err(open) => return open,
    };
    let holds = |given: &[Given]| match oversized(program, given) {
        Some(step) => Err((reason(program, &step).into(), step.stmt)),
        None => Ok(()),
    };
    let (outcome, positive) = weakest_precondition(program, |positive| {
        let outcome = holds(&at_least_one(positive));
        (outcome.is_ok(), outcome)
    });
    let sizes = subject.sizes();
    // If positive sizes are not sufficient, an upper limit on one parameter may be.
    let under = match outcome {
        Ok(()) => at_least_one(&positive),
        Err((because, at)) => match limited(&sizes, &sizes, &lengths(program), holds) {
            Some(under) => under,
            None => return Proof::open_at(because.text(), subject.span(at)),
        },
    };
    let under = under.iter().map(|given| Precondition::of(program, given));
    Proof::Holds {
        under: buffers.into_iter().chain(under).collect(),
        assuming: Vec::new(),
    }
}

/// Returns the preconditions under which all buffers fit; `Err` returns the open proof if there are none.
fn buffers(subject: &Subject) -> Result<Vec<Precondition>, Proof> {
    let (program, map) = (subject.program, subject.kernel.memory());
    let mut conditions = Vec::new();
    for position in Position::ALL {
        match map.used(position) {
            Some(used) if used <= program.usable(position) => {}
            Some(_) => {
                let because = format!("its buffers do not fit into {position}");
                return Err(Proof::open(because));
            }
            None => {
                let mut unknown = map.in_position(position);
                let at = unknown.find(|placement| placement.total().is_none());
                let at = at.map(|placement| program.buffer(placement.buffer).span);
                let open = || Proof::open_at("the size of a buffer is not a constant", at);
                conditions.extend(symbolic(program, position).ok_or_else(open)?);
            }
        }
    }
    Ok(conditions)
}

/// Returns the limits on parameters under which buffers fit, as far as each limit is on one parameter.
pub(super) fn limits(program: &Program) -> Vec<Given> {
    let mut limits: Vec<Given> = Vec::new();
    for position in Position::ALL {
        let conditions = symbolic(program, position).unwrap_or_default();
        for given in conditions.iter().filter_map(|it| Some(it.size()?.given())) {
            match limits.iter_mut().find(|it| it.parameter == given.parameter) {
                // All of these ranges contain 1, so their intersection is not empty.
                Some(known) => {
                    known.range.min = known.range.min.max(given.range.min);
                    known.range.max = known.range.max.min(given.range.max);
                }
                None => limits.push(given),
            }
        }
    }
    limits
}

/// The largest limit of a parameter that is searched for.
const LARGEST: i64 = 1 << 21;

/// Returns the preconditions under which the buffers of a memory fit, whose sizes depend on parameters: a limit on the
/// only parameter, or on the sum of the sizes.
fn symbolic(program: &Program, position: Position) -> Option<Vec<Precondition>> {
    let own = || {
        let buffers = program.buffers.iter();
        buffers.filter(move |buffer| buffer.position == position)
    };
    let named = |id: &VariableId| {
        let mut shapes = own().flat_map(|buffer| buffer.shape);
        shapes.any(|shape| program.scalars.mentions(shape, *id))
    };
    let parameters: Vec<VariableId> = sizes(program).into_iter().filter(named).collect();
    if parameters.is_empty() {
        return None;
    }
    // What an unsigned type does not hold needs no precondition.
    let least = |id: VariableId| {
        let dtype = program.variable(id).dtype;
        let is_unsigned = dtype.is_some_and(|dtype| !dtype.is_float() && !dtype.is_signed());
        if is_unsigned { i64::MIN } else { 1 }
    };
    if let [only] = parameters[..] {
        let given = |max: i64| {
            let mut given = Given::at_least_one(only);
            (given.range.min, given.range.max) = (least(only), max);
            given
        };
        let most = most_alone(program, position, &[], given)?;
        return Some(vec![Precondition::of(program, &given(most))]);
    }
    // Matrices in other memories are rounded up in both directions.
    if position != Position::Ub {
        return None;
    }
    let given = at_least_one(&parameters);
    let start = Start::new(program, &given);
    let mut used = Polynomial::of(MemoryMap::of(program).reserved(position));
    for buffer in own() {
        let [rows, columns] = buffer.shape.map(|extent| start.growth(extent));
        let bits = rows?.times(&columns?)?.scaled(buffer.dtype.bits())?;
        // Slots are rounded up to blocks.
        let bytes = bits.divided(8).plus(BLOCK_BYTES - 1)?;
        used = used.sum(&bytes.scaled(i64::from(buffer.slots))?)?;
    }
    let reach = Reach {
        growth: used,
        most: program.usable(position),
    };
    let positive = given.iter().map(|given| Precondition::of(program, given));
    let limit = Precondition::Reach(Reached::new(program, reach));
    Some(positive.chain([limit]).collect())
}

/// Returns the largest limit of a parameter under which the buffers of a memory fit, if others have given values.
fn most_alone(
    program: &Program,
    position: Position,
    others: &[Given],
    given: impl Fn(i64) -> Given,
) -> Option<i64> {
    let fits = |max: i64| {
        let all = [others, &[given(max)]].concat();
        let layout = Start::new(program, &all).largest_layout();
        let used = layout.used(position);
        used.is_some_and(|used| used <= program.usable(position))
    };
    largest(LARGEST, &[], fits)
}

/// What buffers whose sizes depend on several parameters say of these, since they fit.
#[derive(Default)]
pub(super) struct Room {
    /// The preconditions under which they fit.
    pub conditions: Vec<Precondition>,
    /// Sums of products of parameters that are not negative then.
    pub sums: Vec<Sum>,
    /// Limits of single parameters that follow from them.
    pub limits: Vec<Given>,
}

impl Room {
    /// Returns what is known if all parameters in it are at least 1.
    pub fn of(program: &Program) -> Room {
        let mut room = Room::default();
        for position in Position::ALL {
            let conditions = symbolic(program, position).unwrap_or_default();
            let reached = conditions.iter().find_map(|condition| match condition {
                Precondition::Reach(reached) => Some(reached),
                _ => None,
            });
            let Some(reached) = reached else { continue };
            room.sums.extend(reached.limits_of_products());
            let ones: Vec<Given> = conditions
                .iter()
                .filter_map(|it| {
                    let mut one = it.size()?.given();
                    one.range.max = 1;
                    Some(one)
                })
                .collect();
            for at in 0..ones.len() {
                let others = [&ones[..at], &ones[at + 1..]].concat();
                let up_to = |max: i64| {
                    let mut own = ones[at];
                    own.range.max = max;
                    own
                };
                let most = most_alone(program, position, &others, up_to);
                room.limits.extend(most.map(up_to));
            }
            room.conditions.extend(conditions);
        }
        room
    }

    /// Returns whether the conditions limit the buffers of a memory together.
    pub fn limits_position(&self, position: Position) -> bool {
        // Only the sizes in UB are limited together (`symbolic`).
        position == Position::Ub && !self.conditions.is_empty()
    }

    /// Adds the limits of parameters to conditions.
    pub fn limited(&self, given: &[Given]) -> Vec<Given> {
        let mut all = given.to_vec();
        for limit in &self.limits {
            match all.iter_mut().find(|it| it.parameter == limit.parameter) {
                Some(known) => {
                    known.range.min = known.range.min.max(limit.range.min);
                    known.range.max = known.range.max.min(limit.range.max);
                }
                None => all.push(*limit),
            }
        }
        all
    }
}

/// Formats why a step of a product may not fit, as a clause.
fn reason(program: &Program, step: &Oversized) -> String {
    let names = ScalarNames::new(program);
    let sizes = step.sizes.iter().map(|&id| format!("`{}`", names.text(id)));
    let sizes = sizes.collect::<Vec<String>>().join(", ");
    match (step.staged, sizes.is_empty()) {
        (None, true) => "how much a matmul() loads to L0 is not known".to_owned(),
        (None, false) => format!("nothing limits {sizes}, which a matmul() loads to L0"),
        (Some(staged), true) => format!(
            "{} by k of a matmul() does not fit into {}",
            staged.extent, staged.position
        ),
        (Some(staged), false) => format!(
            "{} by k of a matmul() may be too large for {}: it depends on {sizes}",
            staged.extent, staged.position
        ),
    }
}

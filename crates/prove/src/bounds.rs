//! Proves that every access to global memory stays inside of its tensor.
//!
//! How the extents of a tensor depend on the parameters is not written in the source. If all known launches
//! give an extent the value of one parameter, or one number, the proof assumes that and says so. Without
//! launches, the length that a tensor needs becomes a precondition: the smallest one that a parameter or a number
//! expresses.

use rustc_hash::{FxHashMap, FxHashSet};

use super::whole_tiles::{self, at_least_one};
use super::{Assumption, Base, Extents, Least, Limit, Precondition, Proof, Size, Subject};
use a2lint_analysis::{
    Answers, AtLeast, Disjointness, Given, KernelFacts, Linear, Places, Sum, sizes, smallest,
    weakest_precondition,
};
use a2lint_ir::{GlobalId, GlobalKind, Program, Scalar, StmtId, VariableId, VariableKind, View};
use a2lint_machine::Value;

/// A value that an extent is assumed to equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Same {
    Parameter(VariableId),
    Number(i64),
}

/// A lower bound that the proof assumes for the length of an axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Floor {
    Nothing,
    Same(Same),
    Least(Least),
}

/// Question whether an access stays inside of an axis, by statement, operand, axis and assumed length.
type Question = (StmtId, usize, usize, Floor);

/// An access to a global tensor.
struct Access {
    stmt: StmtId,
    operand: usize,
    global: GlobalId,
    axes: usize,
}

/// The assumed extents of a tensor, by axis; `None` for an axis without an assumption.
pub(super) type Shape = Vec<Option<Same>>;

/// The assumptions and preconditions under which all accesses stay inside.
#[derive(Default)]
struct Shapes {
    /// Shapes that the known launches have in common.
    seen: Vec<Assumption>,
    /// Preconditions on shapes.
    asked: Vec<Precondition>,
}

/// Lengths that axes need, as found by earlier attempts.
#[derive(Default)]
struct Found {
    least: FxHashMap<(GlobalId, usize), Least>,
    /// Axes that need a sum of products.
    sums: FxHashSet<(GlobalId, usize)>,
}

/// The largest constant that a precondition on an extent may have.
const MOST: i64 = 1 << 20;
/// The largest constant added to a parameter in a precondition on an extent.
const MOST_MORE: i64 = 512;
/// The addends that are tried first: one more element, and a block of floats.
const MORE: [i64; 2] = [1, 8];

/// Proves the property.
pub(super) fn prove(subject: &Subject) -> Proof {
    // A contract says which sizes are meant. That a proof lacks divisors is no reason to narrow it.
    let may_ask_divisors = subject.program.contract.is_empty();
    let within = prove_within(subject, may_ask_divisors);
    let is_given = !subject.program.contract.tensors.is_empty();
    if !is_given || matches!(within, Proof::Holds { .. }) || !subject.launches.is_empty() {
        return within;
    }
    // The shapes in the contract are not sufficient. The proof is repeated without them, so that the rules can
    // compare what it asks for with the contract.
    let mut program = subject.program.clone();
    program.contract.tensors.clear();
    let free = KernelFacts::of(&program);
    match prove_within(&Subject::new(&free, Vec::new()), may_ask_divisors) {
        Proof::Open { .. } => within,
        holds @ Proof::Holds { .. } => holds,
    }
}

/// Proves the property, using the shapes in the contract; a proof may ask that sizes be multiples of tiles only if
/// `may_ask_divisors`.
fn prove_within(subject: &Subject, may_ask_divisors: bool) -> Proof {
    let accesses = accesses(subject);
    // The axes of an unknown rank cannot be listed, so there is nothing to prove axis by axis.
    if let Some(unknown) = accesses.iter().find(|access| access.axes == 0) {
        let because = "the rank of a tensor is not known";
        return Proof::open_at(because, subject.span(unknown.stmt));
    }
    // `found` outlives an attempt: attempts with fewer positive sizes start from the lengths that earlier ones
    // found.
    let mut found = Found::default();
    let answers = Answers::new(subject.program);
    let (outcome, under) = weakest_precondition(subject.program, |positive| {
        let is_thorough = positive.len() == sizes(subject.program).len();
        let known =
            |question: Question, answer: &dyn Fn() -> bool| answers.ask(question, positive, answer);
        let given = at_least_one(positive);
        let outcome = attempt(subject, &accesses, (&given, is_thorough), known, &mut found);
        (outcome.is_ok(), outcome)
    });
    match outcome {
        Err(access) => {
            let divided = may_ask_divisors.then(|| in_whole_tiles(subject, &accesses));
            if let Some(proof) = divided.flatten() {
                return proof;
            }
            let name = &subject.program.global(access.global).name;
            let because = format!("an access may leave `{name}`");
            Proof::open_at(because, subject.span(access.stmt))
        }
        Ok(shapes) => match Proof::holds_under(subject.program, &under) {
            Proof::Holds { under, .. } => Proof::Holds {
                under: under.into_iter().chain(shapes.asked).collect(),
                assuming: shapes.seen,
            },
            open => open,
        },
    }
}

/// Tries the proof for sizes that are multiples of the tiles they are cut into: a last tile that is not cut off reaches
/// past the end of its tensor.
fn in_whole_tiles(subject: &Subject, accesses: &[Access]) -> Option<Proof> {
    let program = subject.program;
    let wanted: FxHashSet<StmtId> = accesses.iter().map(|access| access.stmt).collect();
    let places = Places::of(program, subject.analysis, &sizes(program), &wanted);
    let anew = |_, answer: &dyn Fn() -> bool| answer();
    let tried = |given: &[Given]| {
        let mut found = Found::default();
        attempt(subject, accesses, (given, true), anew, &mut found).ok()
    };
    let (shapes, mut under) = whole_tiles::attempt(program, places.cut(), tried)?;
    under.extend(shapes.asked);
    Some(Proof::Holds {
        under,
        assuming: shapes.seen,
    })
}

fn accesses(subject: &Subject) -> Vec<Access> {
    let mut found = Vec::new();
    for (stmt, instr) in subject.program.instructions() {
        for (operand, _, view) in instr.operands() {
            if let Some(view) = View::global(view) {
                found.push(Access {
                    stmt: stmt.id,
                    operand,
                    global: view.global,
                    axes: view.axes.len(),
                });
            }
        }
    }
    found
}

/// Returns the shapes for which all accesses are in bounds; `Err` returns an access that may be out of bounds.
///
/// The expensive searches run only where all sizes are positive (`is_thorough`): if they fail there, they fail with
/// fewer positive sizes. `known` looks up the answer to a question, or computes it.
fn attempt<'a>(
    subject: &Subject,
    accesses: &'a [Access],
    (given, is_thorough): (&[Given], bool),
    known: impl Fn(Question, &dyn Fn() -> bool) -> bool,
    found: &mut Found,
) -> Result<Shapes, &'a Access> {
    let program = subject.program;
    let wanted: FxHashSet<StmtId> = accesses.iter().map(|access| access.stmt).collect();
    let places = Places::within(program, subject.analysis, given, &wanted);
    let apart = Disjointness::new(&places);
    let mut shapes = Shapes::default();
    for global in (0..program.globals.len() as u32).map(GlobalId) {
        let own: Vec<&Access> = accesses
            .iter()
            .filter(|access| access.global == global)
            .collect();
        let Some(first) = own.first() else { continue };
        let mut shape: Shape = Vec::new();
        let mut least: Vec<Option<Least>> = Vec::new();
        for axis in 0..first.axes {
            let leaves = |floor: &Floor| {
                let least = floor.number(&places);
                let mut own = own.iter().copied();
                own.find(|it| {
                    // Attempts share their answers: what holds under some preconditions holds under more.
                    let question = (it.stmt, it.operand, axis, floor.clone());
                    !known(question, &|| {
                        apart.is_inside((it.stmt, it.operand), axis, least.as_ref())
                    })
                })
            };
            let holds = |floor: Floor| leaves(&floor).is_none();
            let floor = |same: Option<Same>| same.map_or(Floor::Nothing, Floor::Same);
            let ends = || own.iter().map(|it| places.end(it.stmt, it.operand, axis));
            // Without an assumption first: `choices` starts with `None`, so nothing is assumed that is not
            // needed.
            let choices = choices(subject, (global, axis), furthest(ends(), &places));
            let same = choices.iter().copied().find(|&same| holds(floor(same)));
            let fixed = fixed(program, global, axis);
            let asked = match (same, found.least.get(&(global, axis))) {
                // An extent that a launch or the contract gives cannot be required to be longer; a literal extent in
                // the signature limits the parameters instead.
                (None, _) if fixed.is_none() && !is_open(subject, global, axis) => None,
                (None, Some(known)) => {
                    let is_known = known.number(&places).is_some();
                    let helps = is_known && holds(Floor::Least(known.clone()));
                    helps.then(|| known.clone())
                }
                (None, None) => {
                    let lengths = own.iter();
                    let lengths = lengths.filter_map(|it| places.length(it.stmt, it.operand, axis));
                    let taken = Taken {
                        end: constant(ends()),
                        is_fixed: fixed.is_some(),
                        own: named_by(program, global, axis),
                        shares: shares(program, &places, &own, axis),
                        // Rounding up to a multiple of 1 changes nothing.
                        lengths: lengths.filter(|&length| length > 1).collect(),
                    };
                    let needed = needed(subject, &places, &taken, is_thorough, holds);
                    // Only the length found under all preconditions is kept, because attempts under fewer can
                    // only confirm it.
                    if let Some(least) = needed.clone().filter(|_| is_thorough) {
                        found.least.insert((global, axis), least);
                    }
                    needed
                }
                _ => None,
            };
            // A limit that no launch satisfies proves nothing.
            let limit = asked
                .as_ref()
                .zip(fixed)
                .map(|(least, length)| limit(program, least, length));
            let asked = asked.filter(|_| !matches!(limit, Some(Limited::Never)));
            // An open extent is described by one parameter where that is possible.
            let may_be_sum = is_thorough
                || !is_open(subject, global, axis)
                || found.sums.contains(&(global, axis));
            if same.is_none()
                && asked.is_none()
                && may_be_sum
                && let Some(sums) = sums(subject, &apart, (global, axis), &own).or_else(|| {
                    let mut shares = shares(program, &places, &own, axis).into_iter();
                    let kept = shares.find(|share| {
                        is_kept(subject, (global, axis), share)
                            && holds(Floor::Least(share.clone()))
                    });
                    Some(vec![kept?.into_sum(program)])
                })
            {
                found.sums.insert((global, axis));
                shape.push(None);
                least.push(None);
                let several = sums.into_iter().map(|length| {
                    let mut axes = vec![None; first.axes];
                    axes[axis] = Some(length);
                    extents(subject, global, axes)
                });
                shapes.asked.extend(several);
                continue;
            }
            if same.is_none() && asked.is_none() {
                // No choice is sufficient here, so an access that fails under the last one fails under all.
                let longest = choices.last().copied().flatten();
                return Err(leaves(&floor(longest)).unwrap_or(first));
            }
            shape.push(same.flatten());
            match limit {
                Some(Limited::By(condition)) if asked.is_some() => {
                    shapes.asked.push(condition);
                    least.push(None);
                }
                Some(Limited::Always) => least.push(None),
                _ => least.push(asked),
            }
        }
        shapes.seen.extend(text(subject, global, &shape));
        if least.iter().any(Option::is_some) {
            shapes.asked.push(extents(subject, global, least));
        }
    }
    Ok(shapes)
}

/// Returns the lengths of an axis in which each core or vec lane has a share of its own, by where accesses begin.
fn shares(program: &Program, places: &Places, accesses: &[&Access], axis: usize) -> Vec<Least> {
    let notation = program.toolchain.notation;
    let shares = accesses.iter().filter_map(|it| {
        let (of, each) = places.share(it.stmt, it.operand, axis)?;
        let workers = notation.number_of(of.query()).to_owned();
        Some(Least {
            base: Some(Base::Share(of, each, workers)),
            plus: 0,
        })
    });
    shares.collect()
}

/// Returns the precondition that a tensor is at least as long as this.
fn extents(subject: &Subject, global: GlobalId, least: Vec<Option<Least>>) -> Precondition {
    Precondition::Extents(Extents {
        global,
        name: subject.program.global(global).name.to_string(),
        limit: Limit::AtLeast,
        least,
    })
}

/// Returns whether it may be asked that an axis has at least this length: no contract gives its extents, and all known
/// launches satisfy it.
fn is_kept(subject: &Subject, (global, axis): (GlobalId, usize), least: &Least) -> bool {
    let program = subject.program;
    let contract = program.contract.tensor(&program.global(global).name);
    if contract.is_some() || least.is_out_of_reach() {
        return false;
    }
    let mut axes = vec![None; axis + 1];
    axes[axis] = Some(least.clone());
    let condition = extents(subject, global, axes);
    let mut launches = subject.launches.iter();
    launches.all(|launch| condition.holds_in(launch))
}

/// Returns the lengths in launch parameters that an axis must at least have, if the known launches satisfy all of them.
fn sums(
    subject: &Subject,
    apart: &Disjointness,
    (global, axis): (GlobalId, usize),
    accesses: &[&Access],
) -> Option<Vec<Least>> {
    let program = subject.program;
    let contract = program.contract.tensor(&program.global(global).name);
    if contract.is_some() || !is_named(program, global, axis) {
        return None;
    }
    let is_kept = |least: &Least| is_kept(subject, (global, axis), least);
    let mut all: Vec<Least> = Vec::new();
    for access in accesses {
        let is_wanted = |sum: &Sum| is_kept(&Least::of_sum(program, sum.clone()));
        for sum in apart.ends((access.stmt, access.operand), axis, &is_wanted)? {
            let least = Least::of_sum(program, sum);
            let own = named_by(program, global, axis);
            if own.is_some_and(|own| least.mentions(own)) {
                return None;
            }
            if !all.contains(&least) {
                all.push(least);
            }
        }
    }
    // Of lengths that differ by a constant, the longest is enough.
    let is_shorter = |own: &Least| all.iter().any(|other| own.is_below(other));
    let longest: Vec<Least> = all.iter().filter(|own| !is_shorter(own)).cloned().collect();
    let all = longest;
    all.iter().all(is_kept).then_some(all)
}

/// Returns whether an extent is unconstrained: no literal in the signature, no launch and no contract gives it.
pub(super) fn is_open(subject: &Subject, global: GlobalId, axis: usize) -> bool {
    let program = subject.program;
    let contract = program.contract.tensor(&program.global(global).name);
    subject.launches.is_empty() && contract.is_none() && is_named(program, global, axis)
}

/// Returns whether an extent has a name: its own, or that of a symbol, which other extents may share.
fn is_named(program: &Program, global: GlobalId, axis: usize) -> bool {
    let own = program.global(global).shape.get(axis);
    own.is_some_and(|&id| match program.scalars.get(id) {
        Scalar::Extent(..) => true,
        _ => named_by(program, global, axis).is_some(),
    })
}

/// Returns the parameter that the signature gives as an extent.
fn named_by(program: &Program, global: GlobalId, axis: usize) -> Option<VariableId> {
    match program
        .scalars
        .get(*program.global(global).shape.get(axis)?)
    {
        Scalar::Variable(id) if program.variable(id).kind == VariableKind::Param => Some(id),
        _ => None,
    }
}

/// Returns the literal that the signature gives as an extent. Workspaces have none: the kernel determines their size.
fn fixed(program: &Program, global: GlobalId, axis: usize) -> Option<i64> {
    let global = program.global(global);
    let own = global
        .shape
        .get(axis)
        .filter(|_| global.kind == GlobalKind::Param);
    own.and_then(|&id| program.size(id))
}

/// The requirement of a literal extent on a launch.
enum Limited {
    /// An upper limit on the parameter.
    By(Precondition),
    /// No requirement: the type of the parameter holds no larger value.
    Always,
    /// A condition on the extent itself.
    Else,
    /// A requirement that no launch satisfies.
    Never,
}

/// Returns the requirement under which a length is at most a number.
fn limit(program: &Program, least: &Least, length: i64) -> Limited {
    let (id, most) = match &least.base {
        Some(Base::Parameter(id, _)) => (*id, length.saturating_sub(least.plus)),
        Some(Base::Rounded(id, _, tile)) => {
            let room = length.saturating_sub(least.plus);
            (*id, room - room.rem_euclid(*tile))
        }
        Some(Base::Share(..) | Base::Sum(_)) => return Limited::Else,
        None => return Limited::Never,
    };
    if most < 1 {
        return Limited::Never;
    }
    let size = Size {
        least: i64::MIN,
        ..Size::new(program, id, Some(most))
    };
    match size.most {
        Some(_) => Limited::By(size.into()),
        None => Limited::Always,
    }
}

/// Returns the largest end of accesses over all launches; `None` if one is unknown.
pub(super) fn furthest(ends: impl Iterator<Item = Option<Linear>>, places: &Places) -> Option<i64> {
    let ends = ends.map(|end| Some(places.symbols_range(&end?).max));
    ends.collect::<Option<Vec<i64>>>()?.into_iter().max()
}

/// Returns the largest of some numbers; `None` if one of them is not constant.
fn constant(numbers: impl Iterator<Item = Option<Linear>>) -> Option<i64> {
    let values = numbers.map(|number| number?.as_constant());
    values.collect::<Option<Vec<i64>>>()?.into_iter().max()
}

/// The parts of an axis that accesses take.
struct Taken {
    /// The common end, if it is constant.
    end: Option<i64>,
    /// Whether the length of the axis is a literal, so that a required constant length adds nothing.
    is_fixed: bool,
    /// The parameter that is the length of the axis.
    own: Option<VariableId>,
    /// Shares of the axis for each core or lane.
    shares: Vec<Least>,
    /// Constant lengths of accesses, in elements.
    lengths: Vec<i64>,
}

/// Returns how long an axis has to be, in terms of a parameter, the number of cores or lanes, or a constant.
fn needed(
    subject: &Subject,
    places: &Places,
    taken: &Taken,
    is_thorough: bool,
    holds: impl Fn(Floor) -> bool,
) -> Option<Least> {
    // A tensor cannot be required to be longer than itself.
    let is_own = |least: &Least| match &least.base {
        Some(Base::Parameter(id, _) | Base::Rounded(id, ..)) => Some(*id) == taken.own,
        _ => false,
    };
    let helps = |least: &Least| {
        !is_own(least) && least.number(places).is_some() && holds(Floor::Least(least.clone()))
    };
    let number = |plus: i64| Least { base: None, plus };
    if taken.is_fixed && taken.end.is_some() {
        return None;
    }
    if let Some(end) = taken.end {
        // If all accesses end at a constant, no parameter is needed.
        return Some(number(end)).filter(helps);
    }
    let name = |id: VariableId| subject.program.variable(id).name.to_string();
    let of = |base: Base| Least {
        base: Some(base),
        plus: 0,
    };
    // Exact forms come first. Rounded lengths, and lengths with an addend, exclude tensors of the size that
    // accesses name (`Least::is_usual`).
    let plain = sizes(subject.program).into_iter();
    let plain: Vec<Least> = plain.map(|id| of(Base::Parameter(id, name(id)))).collect();
    let mut exact = plain.iter().chain(&taken.shares);
    if let Some(exact) = exact.find(|least| helps(least)) {
        return Some(exact.clone());
    }
    let of_any_size = || smallest(MOST, &[], |end| helps(&number(end)));
    if !taken.is_fixed
        && let Some(end) = of_any_size()
    {
        return Some(number(end));
    }
    if !is_thorough {
        return None;
    }
    let rounded = places.rounded().into_iter();
    let rounded = rounded.map(|(id, tile, _)| of(Base::Rounded(id, name(id), tile)));
    let mut rounded: Vec<Least> = rounded.collect();
    for &tile in &taken.lengths {
        for id in sizes(subject.program) {
            let least = of(Base::Rounded(id, name(id), tile));
            if !rounded.contains(&least) {
                rounded.push(least);
            }
        }
    }
    if let Some(exact) = rounded.iter().find(|least| helps(least)) {
        return Some(exact.clone());
    }
    plain.into_iter().chain(rounded).find_map(|least| {
        let longer = |plus: i64| Least {
            plus,
            ..least.clone()
        };
        smallest(MOST_MORE, &MORE, |plus| helps(&longer(plus))).map(longer)
    })
}

impl Least {
    /// Returns whether the length depends on a parameter.
    fn mentions(&self, parameter: VariableId) -> bool {
        match &self.base {
            Some(Base::Parameter(id, _) | Base::Rounded(id, ..)) => *id == parameter,
            Some(Base::Sum(sum)) => sum.parameters().any(|id| id == parameter),
            None | Some(Base::Share(..)) => false,
        }
    }

    pub(super) fn number(&self, places: &Places) -> Option<AtLeast> {
        let (number, tile) = match self.base {
            None => (Linear::constant(0), None),
            Some(Base::Parameter(id, _)) => (places.parameter(id)?, None),
            Some(Base::Rounded(id, _, tile)) => {
                let mut rounded = places.rounded().into_iter();
                match rounded.find(|it| (it.0, it.1) == (id, tile)) {
                    Some((_, _, whole)) => (whole, None),
                    None => (places.parameter(id)?, Some(tile)),
                }
            }
            Some(Base::Share(of, each, _)) => (places.workers(of).times(each)?, None),
            // Products are no linear expression.
            Some(Base::Sum(_)) => return None,
        };
        Some(AtLeast {
            number,
            tile,
            plus: self.plus,
        })
    }
}

impl Floor {
    fn number(&self, places: &Places) -> Option<AtLeast> {
        let number = match self {
            Floor::Nothing => return None,
            Floor::Same(same) => same.number(places)?,
            Floor::Least(least) => return least.number(places),
        };
        Some(AtLeast {
            number,
            tile: None,
            plus: 0,
        })
    }
}

impl Same {
    pub(super) fn number(self, places: &Places) -> Option<Linear> {
        match self {
            Same::Number(number) => Some(Linear::constant(number)),
            Same::Parameter(id) => places.parameter(id),
        }
    }
}

/// Returns the assumptions to try for an extent, in order: none, then what all known launches have in common.
/// If accesses end exactly at the common number in every launch, the number precedes the parameters: that a
/// parameter has the same value is a coincidence.
pub(super) fn choices(
    subject: &Subject,
    (global, axis): (GlobalId, usize),
    furthest: Option<i64>,
) -> Vec<Option<Same>> {
    let mut choices = vec![None];
    let is_parameter = subject.program.global(global).kind == GlobalKind::Param;
    // Workspaces are allocated by the kernel, so launches say nothing about their extents.
    if !is_parameter || subject.launches.is_empty() {
        return choices;
    }
    let extents: Vec<Option<i64>> = subject
        .launches
        .iter()
        .map(|bound| bound.globals[global.index()].shape.get(axis).copied())
        .collect();
    for id in sizes(subject.program) {
        let value = |bound: &&a2lint_machine::BoundLaunch| {
            let found = bound.parameters.iter().find(|(other, _)| *other == id)?;
            match found.1 {
                Value::Int(value) => Some(value),
                _ => None,
            }
        };
        let values = subject.launches.iter().map(value);
        if values
            .zip(&extents)
            .all(|(value, extent)| value.is_some() && value == *extent)
        {
            choices.push(Some(Same::Parameter(id)));
        }
    }
    if let Some(&Some(number)) = extents.first()
        && extents.iter().all(|extent| *extent == Some(number))
    {
        let at = if furthest == Some(number) {
            1
        } else {
            choices.len()
        };
        choices.insert(at, Some(Same::Number(number)));
    }
    choices
}

/// Formats the shape, `x is [M, 64]`; `None` if no extent is assumed.
pub(super) fn text(subject: &Subject, global: GlobalId, shape: &Shape) -> Option<Assumption> {
    let program = subject.program;
    shape.iter().flatten().next()?;
    let extent = |same: &Option<Same>| match same {
        Some(Same::Parameter(id)) => program.variable(*id).name.to_string(),
        Some(Same::Number(number)) => number.to_string(),
        None => "?".to_owned(),
    };
    let extents: Vec<String> = shape.iter().map(extent).collect();
    let name = &program.global(global).name;
    Some(Assumption::Shape(format!(
        "{name} is [{}]",
        extents.join(", ")
    )))
}

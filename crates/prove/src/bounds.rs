//! Every access to global memory stays inside of its tensor.
//!
//! What the extents of a tensor have to do with the parameters is nowhere written down. Where all launches in
//! sight give an extent the value of one parameter, or one number, that is taken for granted, and said. Where
//! there are none, how long the tensor has to be is a precondition: the least that one parameter or one number
//! says.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Assumption, Base, Extents, Least, Limit, Precondition, Proof, Subject};
use a2lint_analysis::{
    Answers, Apart, AtLeast, KernelFacts, Linear, Places, sizes, smallest, weakest,
};
use a2lint_ir::{GlobalId, GlobalKind, Scalar, StmtId, VariableId, View};
use a2lint_machine::Value;

/// What an extent is the same as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Same {
    Parameter(VariableId),
    Number(i64),
}

/// What an axis of a tensor is taken to be as long as, at least.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Floor {
    Nothing,
    Same(Same),
    Least(Least),
}

/// An operand and an axis of its tensor: does it stay inside of it?
type Question = (StmtId, usize, usize, Floor);

/// An access to a global tensor.
struct Access {
    stmt: StmtId,
    operand: usize,
    global: GlobalId,
    axes: usize,
}

/// A way to read the extents of a tensor: by axis.
pub(super) type Shape = Vec<Option<Same>>;

/// What all accesses stay inside of.
#[derive(Default)]
struct Shapes {
    /// What the launches in sight say, as it is printed.
    seen: Vec<Assumption>,
    /// What is asked of launches.
    asked: Vec<Precondition>,
}

/// How long axes have to be, as far as that was found.
type Found = FxHashMap<(GlobalId, usize), Least>;

/// The largest extent that is asked for by a number.
const MOST: i64 = 1 << 20;
/// Most elements that are asked for beyond a parameter, and likely numbers of them.
const MOST_MORE: i64 = 512;
const MORE: [i64; 2] = [1, 8];

/// Proves it.
pub(super) fn prove(subject: &Subject) -> Proof {
    let within = prove_within(subject);
    let is_given = !subject.program.contract.tensors.is_empty();
    if !is_given || matches!(within, Proof::Holds { .. }) || !subject.launches.is_empty() {
        return within;
    }
    // The shapes that the contract gives do not suffice: what would is compared with them.
    let mut program = subject.program.clone();
    program.contract.tensors.clear();
    let free = KernelFacts::of(&program);
    match prove_within(&Subject::new(&free, Vec::new())) {
        Proof::Open { .. } => within,
        holds @ Proof::Holds { .. } => holds,
    }
}

/// Proves it with what the contract says of shapes.
fn prove_within(subject: &Subject) -> Proof {
    let accesses = accesses(subject);
    if let Some(unknown) = accesses.iter().find(|access| access.axes == 0) {
        let because = "the rank of a tensor is not known";
        return Proof::open_at(because, subject.span(unknown.stmt));
    }
    let mut found = Found::default();
    let answers = Answers::new(subject.program);
    let (outcome, under) = weakest(subject.program, |positive| {
        let outcome = attempt(subject, &accesses, positive, &answers, &mut found);
        (outcome.is_ok(), outcome)
    });
    match outcome {
        Err(access) => {
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

/// The shapes under which all accesses stay inside, or one that may not.
fn attempt<'a>(
    subject: &Subject,
    accesses: &'a [Access],
    positive: &[VariableId],
    answers: &Answers<Question>,
    found: &mut Found,
) -> Result<Shapes, &'a Access> {
    let program = subject.program;
    // What helps where all sizes are positive is tried where fewer are.
    let is_thorough = positive.len() == sizes(program).len();
    let wanted: FxHashSet<StmtId> = accesses.iter().map(|access| access.stmt).collect();
    let places = Places::of(program, subject.analysis, positive, &wanted);
    let apart = Apart::new(&places);
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
                    let question = (it.stmt, it.operand, axis, floor.clone());
                    !answers.ask(question, positive, || {
                        apart.is_inside((it.stmt, it.operand), axis, least.as_ref())
                    })
                })
            };
            let holds = |floor: Floor| leaves(&floor).is_none();
            let floor = |same: Option<Same>| same.map_or(Floor::Nothing, Floor::Same);
            let ends = || own.iter().map(|it| places.end(it.stmt, it.operand, axis));
            let choices = choices(subject, (global, axis), furthest(ends(), &places));
            let same = choices.iter().copied().find(|&same| holds(floor(same)));
            let asked = match (same, found.get(&(global, axis))) {
                (None, _) if !is_open(subject, global, axis) => None,
                (None, Some(known)) => {
                    let is_known = known.number(&places).is_some();
                    let helps = is_known && holds(Floor::Least(known.clone()));
                    helps.then(|| known.clone())
                }
                (None, None) => {
                    let shares = own.iter().flat_map(|it| {
                        let share = places.share(it.stmt, it.operand, axis);
                        share.map(|(of, each)| Least {
                            base: Some(Base::Share(of, each)),
                            plus: 0,
                        })
                    });
                    let lengths = own.iter();
                    let lengths = lengths.filter_map(|it| places.length(it.stmt, it.operand, axis));
                    let taken = Taken {
                        end: constant(ends()),
                        shares: shares.collect(),
                        lengths: lengths.filter(|&length| length > 1).collect(),
                    };
                    let needed = needed(subject, &places, &taken, is_thorough, holds);
                    if let Some(least) = needed.clone().filter(|_| is_thorough) {
                        found.insert((global, axis), least);
                    }
                    needed
                }
                _ => None,
            };
            if same.is_none() && asked.is_none() {
                let longest = choices.last().copied().flatten();
                return Err(leaves(&floor(longest)).unwrap_or(first));
            }
            shape.push(same.flatten());
            least.push(asked);
        }
        shapes.seen.extend(text(subject, global, &shape));
        if least.iter().any(Option::is_some) {
            let name = program.global(global).name.clone();
            shapes.asked.push(Precondition::Extents(Extents {
                global,
                name: name.to_string(),
                limit: Limit::AtLeast,
                least,
            }));
        }
    }
    Ok(shapes)
}

/// Whether an extent is whatever a launch passes, and neither a launch nor the contract gives it.
pub(super) fn is_open(subject: &Subject, global: GlobalId, axis: usize) -> bool {
    let program = subject.program;
    let own = program.global(global).shape.get(axis);
    let is_extent = |&id| matches!(program.scalars.get(id), Scalar::Extent(..));
    let contract = program.contract.tensor(&program.global(global).name);
    subject.launches.is_empty() && contract.is_none() && own.is_some_and(is_extent)
}

/// Where accesses end at most, in every launch.
pub(super) fn furthest(ends: impl Iterator<Item = Option<Linear>>, places: &Places) -> Option<i64> {
    let ends = ends.map(|end| Some(places.symbols_range(&end?).max));
    ends.collect::<Option<Vec<i64>>>()?.into_iter().max()
}

/// The largest of some numbers, where all are known.
fn constant(numbers: impl Iterator<Item = Option<Linear>>) -> Option<i64> {
    let values = numbers.map(|number| number?.as_constant());
    values.collect::<Option<Vec<i64>>>()?.into_iter().max()
}

/// What accesses take of an axis.
struct Taken {
    /// Where all of them end, if that is a number.
    end: Option<i64>,
    /// What they take for each core or lane.
    shares: Vec<Least>,
    /// How many elements they take, where that is a number.
    lengths: Vec<i64>,
}

/// How long an axis has to be, if one parameter, the number of those who share work, or a number says it.
fn needed(
    subject: &Subject,
    places: &Places,
    taken: &Taken,
    is_thorough: bool,
    holds: impl Fn(Floor) -> bool,
) -> Option<Least> {
    let helps =
        |least: &Least| least.number(places).is_some() && holds(Floor::Least(least.clone()));
    let number = |plus: i64| Least { base: None, plus };
    if let Some(end) = taken.end {
        return Some(number(end)).filter(helps);
    }
    let name = |id: VariableId| subject.program.variable(id).name.to_string();
    let of = |base: Base| Least {
        base: Some(base),
        plus: 0,
    };
    let plain = sizes(subject.program).into_iter();
    let plain: Vec<Least> = plain.map(|id| of(Base::Parameter(id, name(id)))).collect();
    let mut exact = plain.iter().chain(&taken.shares);
    if let Some(exact) = exact.find(|least| helps(least)) {
        return Some(exact.clone());
    }
    if let Some(end) = smallest(MOST, &[], |end| helps(&number(end))) {
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
            Some(Base::Share(of, each)) => (places.workers(of).times(each)?, None),
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

/// What an extent may be taken for: nothing in particular, then what all launches in sight say. Where accesses go
/// exactly as far as the number that launches have in common, in whatever launch, that comes before parameters: that
/// one of them has the same value is chance.
pub(super) fn choices(
    subject: &Subject,
    (global, axis): (GlobalId, usize),
    furthest: Option<i64>,
) -> Vec<Option<Same>> {
    let mut choices = vec![None];
    let is_parameter = subject.program.global(global).kind == GlobalKind::Param;
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

/// `x is [M, 64]`; nothing where no extent is taken for anything.
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

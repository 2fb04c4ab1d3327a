//! Proves that the types, fields and alignments of every instruction are legal, and that its on-chip accesses
//! stay inside of their tensors.
//!
//! Asks the machine about each combination of values that the numbers of an instruction may have. These are few,
//! since on-chip tensors are small. That way, what is legal is defined in one place.

use std::cell::OnceCell;
use std::sync::Mutex;

use rustc_hash::{FxHashMap, FxHashSet};

use super::legal::Legal;
use super::{Assumption, Floats, Precondition, Proof, Subject, capacity, one_row};
use a2lint_analysis::{
    Assigned, Assignments, Given, KernelFacts, MaskState, Sum, Unassigned, Wanted, assignments,
    largest, sizes, weakest_precondition, weakest_precondition_without,
};
use a2lint_ir::{
    Arg, ArgSource, ArgValue, Instr, NoteKind, Program, ScalarId, ScalarNames, Stmt, StmtId,
    VariableId, View,
};
use a2lint_isa::{Class, DST, DType, Layout, Param, ParamKind, Side, TypeRule, Walk};
use a2lint_machine::{FindingKind, OperandFault, Trial, Value, global_pitch, try_out};

/// Upper bound on the combinations of values of one instruction.
const MOST: usize = 2048;
/// Upper bound on the combinations of an instruction that is judged after an obstacle was found.
const FEW: usize = 64;
/// Upper bound on the combinations of one kernel in an attempt.
const MOST_IN_ALL: usize = 20_000;
/// Upper bound on the limits of a parameter that are tried.
const LARGEST: i64 = 1 << 16;

/// The values of rows and counts that are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Values {
    /// The smallest and the largest, of numbers that are legal in between if they are legal at both ends.
    Ends,
    /// All that may occur.
    All,
}

/// The reason why the property is open, and the statement.
pub(super) type Open = (Obstacle, StmtId);

/// The reason why an instruction is not shown to be legal, as a clause.
#[derive(Clone, Debug)]
pub(super) enum Obstacle {
    /// It may be illegal.
    Kernel(String),
    /// There are more sizes than are tried, which says nothing about the kernel.
    Effort(String),
}

impl Obstacle {
    /// Returns the reason as a clause.
    pub fn text(self) -> String {
        match self {
            Obstacle::Kernel(because) | Obstacle::Effort(because) => because,
        }
    }
}

impl From<String> for Obstacle {
    fn from(because: String) -> Self {
        Obstacle::Kernel(because)
    }
}

/// Proves the property.
pub(super) fn prove(subject: &Subject) -> Proof {
    let program = subject.program;
    if one_row::concerns(program) {
        return prove_flat(subject);
    }
    let types = match types(subject) {
        Ok(types) => types,
        Err((because, at)) => return Proof::open_at(because, subject.span(at)),
    };
    let holds = |given: &[Given]| attempt(subject, &types, given);
    let needless = subject.below_one();
    let (outcome, positive) = weakest_precondition_without(program, &needless, |positive| {
        let outcome = holds(&at_least_one(positive));
        (outcome.is_ok(), outcome)
    });
    let under = match outcome {
        Ok(()) => at_least_one(&positive),
        Err(first) => {
            // With positive sizes, the remaining reason is more specific.
            let last = holds(&at_least_one(&subject.sizes())).err();
            let (because, at) = last.unwrap_or(first);
            // A limit that does not remove this obstacle is no use. To find that out takes little time.
            let within = |given: &[Given]| {
                attempt_at(subject, &types, given, at)?;
                holds(given)
            };
            match limited(&subject.sizes(), &needless, &lengths(program), within) {
                Some(under) => under,
                None => return Proof::open_at(because.text(), subject.span(at)),
            }
        }
    };
    let sizes = under.iter().map(|given| Precondition::of(program, given));
    Proof::Holds {
        under: sizes.chain(floats(program)).collect(),
        assuming: assumed(program),
    }
}

/// Proves the property of a kernel with tensors whose sizes a launch gives, under the limits that capacity has.
fn prove_flat(subject: &Subject) -> Proof {
    let program = subject.program;
    let types = match types(subject) {
        Ok(types) => types,
        Err((because, at)) => return Proof::open_at(because, subject.span(at)),
    };
    let limits = capacity::limits(program);
    let room = capacity::Room::of(program);
    // Numbers that only their product limits are bounded by what the buffers leave for it.
    let roomy = program.demanding(&room.sums);
    let facts = (!room.sums.is_empty()).then(|| KernelFacts::of(&roomy));
    let within = facts
        .as_ref()
        .map(|facts| Subject::new(facts, subject.launches.clone()));
    let within = within.as_ref().unwrap_or(subject);
    let legal = Mutex::default();
    let (outcome, positive) = weakest_precondition(program, |positive| {
        let given = room.limited(&one_row::with(&limits, positive));
        let outcome = attempt_one_row(within, (&types, &room), &given, &legal);
        (outcome.is_ok(), outcome)
    });
    if let Err((because, at)) = outcome {
        let at = at.and_then(|at| subject.span(at));
        return Proof::open_at(because, at);
    }
    let under = one_row::with(&limits, &positive);
    let sizes = under.iter().map(|given| Precondition::of(program, given));
    Proof::Holds {
        under: sizes
            .chain(room.conditions)
            .chain(floats(program))
            .collect(),
        assuming: assumed(program),
    }
}

/// Returns sums that launches have to keep from being negative, such that accesses stay inside of on-chip tensors whose
/// sizes a launch gives.
pub(super) fn demands(subject: &Subject) -> Vec<Sum> {
    let program = subject.program;
    if !one_row::concerns(program) {
        return Vec::new();
    }
    let given = one_row::with(&capacity::limits(program), &sizes(program));
    let given = capacity::Room::of(program).limited(&given);
    one_row::Judge::new(subject, &given).demands(program)
}

fn attempt_one_row(
    subject: &Subject,
    (types, room): (&[DType], &capacity::Room),
    given: &[Given],
    legal: &Mutex<Legal>,
) -> Result<(), (String, Option<StmtId>)> {
    let unbounded = || (unbounded(subject.program, given), None);
    let concrete = one_row::concrete(subject.program, given, room).ok_or_else(unbounded)?;
    let regions = one_row::Judge::new(subject, given);
    let known = Known::of(legal, given);
    // The values of the others are not listed: regions are judged by linear arithmetic.
    let unlisted = known.and(&concrete, |stmt| regions.concerns(stmt));
    let listed = Listed::new(&concrete, given, &unlisted);
    let outcome = try_out(&concrete, types, |program, trial| {
        let mut left = MOST_IN_ALL;
        known.judge(program, legal, given, |(stmt, instr), effort| {
            let mask = subject.analysis.mask_at(stmt.id);
            match (regions.concerns(stmt.id), out_of_reach(instr)) {
                (true, Some(because)) => Err(because.to_owned()),
                // Linear arithmetic takes long, so only the first attempt looks for more than an obstacle.
                (true, None) if effort == Effort::Small && !known.0.is_empty() => {
                    Err("it was not looked at".to_owned())
                }
                (true, None) => regions.judge(trial, program, (stmt, instr), mask),
                (false, _) => {
                    let judged = listed.judge(trial, (stmt, instr), mask, (&mut left, effort));
                    judged.map_err(Obstacle::text)
                }
            }
        })
    });
    let at_stmt = |(because, stmt)| (because, Some(stmt));
    outcome.map_or_else(|because| Err((because, None)), |it| it.map_err(at_stmt))
}

/// Formats what a launch or a contract would have to bound, such that the buffers have largest sizes.
fn unbounded(program: &Program, given: &[Given]) -> String {
    let shapes = program.buffers.iter().flat_map(|buffer| buffer.shape);
    let is_free = |id: &VariableId| {
        let mut given = given.iter().filter(|it| it.parameter == *id);
        given.all(|it| it.range.max == i64::MAX)
    };
    let names = sizes(program).into_iter().filter(is_free).filter(|id| {
        shapes
            .clone()
            .any(|shape| program.scalars.mentions(shape, *id))
    });
    let names: Vec<String> = names
        .map(|id| format!("`{}`", program.variable(id).name))
        .collect();
    match names.is_empty() {
        false => format!(
            "nothing bounds {}, which the sizes of buffers depend on",
            names.join(" and ")
        ),
        true => "the size of a buffer is not bounded".to_owned(),
    }
}

/// Returns the precondition that parameters are floats if their square root is taken: integers have none on the
/// device.
fn floats(program: &Program) -> impl Iterator<Item = Precondition> {
    program.notes.iter().filter_map(|note| match &note.kind {
        NoteKind::SqrtOfParameters { variables } => {
            Some(Precondition::Float(Floats::new(program, variables)))
        }
        _ => None,
    })
}

pub(super) fn at_least_one(parameters: &[VariableId]) -> Vec<Given> {
    parameters
        .iter()
        .map(|&id| Given::at_least_one(id))
        .collect()
}

/// Returns the extents of on-chip tensors in ascending order. A limit on a size is mostly one of them, so the
/// search tries them first.
pub(super) fn lengths(program: &Program) -> Vec<i64> {
    let shapes = program.buffers.iter().flat_map(|buffer| buffer.shape);
    let mut lengths: Vec<i64> = shapes.filter_map(|id| program.size(id)).collect();
    lengths.retain(|length| (1..=LARGEST).contains(length));
    lengths.sort_unstable();
    lengths.dedup();
    lengths
}

/// Returns preconditions that limit one parameter by the largest possible value; `None` if no single limit is
/// sufficient, or if the limit is that of the search and not of the kernel.
pub(super) fn limited(
    sizes: &[VariableId],
    needless: &[VariableId],
    marks: &[i64],
    holds: impl Fn(&[Given]) -> Result<(), Open>,
) -> Option<Vec<Given>> {
    let given = |limited: VariableId, max: i64| {
        let mut given = at_least_one(sizes);
        let own = given.iter_mut().find(|given| given.parameter == limited);
        own.into_iter().for_each(|given| given.range.max = max);
        given
    };
    let (limited, max) = sizes.iter().find_map(|&id| {
        let max = largest(LARGEST, marks, |max| holds(&given(id, max)).is_ok())?;
        Some((id, max))
    })?;
    let is_illegal_beyond = || {
        let beyond = holds(&given(limited, max + 1));
        matches!(beyond, Err((Obstacle::Kernel(_), _)))
    };
    (max < LARGEST && is_illegal_beyond()).then_some(())?;
    let mut under = given(limited, max);
    // A parameter that need not be positive is released only after the limit is known: that takes one attempt
    // each.
    for &id in needless.iter().filter(|&&id| id != limited) {
        let fewer = under.iter().copied().filter(|given| given.parameter != id);
        let fewer: Vec<Given> = fewer.collect();
        if holds(&fewer).is_ok() {
            under = fewer;
        }
    }
    Some(under)
}

/// Returns the assumptions about the tensors that a launch passes.
fn assumed(program: &Program) -> Vec<Assumption> {
    let unknown = program.globals.iter().any(|global| global.dtype.is_none());
    let text = "tensors have the types of the tiles that they are moved to and from";
    unknown
        .then(|| Assumption::other(text))
        .into_iter()
        .collect()
}

/// Returns the element types of global tensors: as declared, as in all launches, or as the tiles have. `Err` gives the
/// reason why the tiles of a tensor have no common type, and the statement.
pub(super) fn types(subject: &Subject) -> Result<Vec<DType>, (String, StmtId)> {
    let program = subject.program;
    let globals = program.globals.iter().enumerate();
    let mut types: Vec<Option<DType>> = globals
        .map(|(at, global)| global.dtype.or_else(|| launched(subject, at)))
        .collect();
    for (stmt, instr) in program.instructions() {
        let local = instr.operands().find_map(|(_, _, view)| view.local());
        let global = instr.operands().find_map(|(_, _, view)| view.global());
        let (Some(global), Some(local)) = (global, local) else {
            continue;
        };
        let fitting = match instr.row().types {
            TypeRule::Rows(rows) => rows.iter().find(|row| row.get(1) == Some(&local.dtype)),
            _ => None,
        };
        let fitting = fitting.map_or(local.dtype, |row| row[0]);
        let known = types[global.global.index()].get_or_insert(fitting);
        // A move copies bytes, so that only the sizes of elements have to agree.
        if instr.row().class == Class::Move && known.bits() != local.dtype.bits() {
            let name = &program.global(global.global).name;
            let because = format!("`{name}` is moved to and from tiles of several types");
            return Err((because, stmt.id));
        }
    }
    let types = types.into_iter();
    Ok(types.map(|dtype| dtype.unwrap_or(DType::Float)).collect())
}

/// Returns the type that all launches give a tensor, if they agree.
fn launched(subject: &Subject, global: usize) -> Option<DType> {
    let mut types = subject
        .launches
        .iter()
        .map(|bound| bound.globals[global].dtype);
    let first = types.next()?;
    types.all(|other| other == first).then_some(first)
}

/// Returns whether some instruction has numbers of which the ends may be enough.
pub(super) fn has_ends(program: &Program) -> bool {
    let mut all = program.instructions().into_iter();
    all.any(|(_, instr)| uses_ends(program, instr))
}

fn uses_ends(program: &Program, instr: &Instr) -> bool {
    let is_open = |id: ScalarId| program.size(id).is_none();
    let length = instr.scalar_named("burst_len_element");
    let count = instr.scalar(ParamKind::Count);
    moves_one_row(program, instr) && length.is_some_and(is_open) || count.is_some_and(is_open)
}

/// The values that the numbers of instructions may have: the ends of what lies in between, and all of them for
/// instructions that the ends together break, which may never occur together.
struct Listed<'p> {
    program: &'p Program,
    given: &'p [Given],
    known: &'p Known,
    ends: Assigned,
    all: OnceCell<Assigned>,
}

impl<'p> Listed<'p> {
    fn new(program: &'p Program, given: &'p [Given], known: &'p Known) -> Listed<'p> {
        Listed {
            program,
            given,
            known,
            ends: Self::values(program, given, known, Values::Ends),
            all: OnceCell::new(),
        }
    }

    fn values(program: &Program, given: &[Given], known: &Known, values: Values) -> Assigned {
        let is_listed = |stmt: StmtId, instr: &Instr| {
            let makes_a_difference = values == Values::Ends || uses_ends(program, instr);
            makes_a_difference && !known.0.contains(&stmt) && out_of_reach(instr).is_none()
        };
        assignments(
            program,
            given,
            MOST,
            &|stmt, instr| match is_listed(stmt, instr) {
                true => deciding(program, instr, values),
                false => Vec::new(),
            },
        )
    }

    /// Judges an instruction for each combination of its numbers.
    fn judge<'t>(
        &self,
        trial: &mut Trial<'t, '_>,
        (stmt, instr): (&Stmt, &'t Instr),
        mask: MaskState,
        (left, effort): (&mut usize, Effort),
    ) -> Result<(), Obstacle> {
        let at = (stmt, instr);
        let rows = self.ends.of.get(&stmt.id);
        let are_many = |it: &Assignments| it.rows.len() > FEW;
        if effort == Effort::Small && rows.is_some_and(|rows| rows.as_ref().is_ok_and(are_many)) {
            return Err(Obstacle::Effort("it was not looked at".to_owned()));
        }
        let by_ends = judge(trial, self.program, at, rows, mask, left);
        if by_ends.is_ok() || effort == Effort::Small || !uses_ends(self.program, instr) {
            return by_ends;
        }
        let all = self
            .all
            .get_or_init(|| Self::values(self.program, self.given, self.known, Values::All));
        judge(trial, self.program, at, all.of.get(&stmt.id), mask, left)
    }
}

/// How much is done to show that an instruction is legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effort {
    /// All that is possible.
    Whole,
    /// What takes little time.
    Small,
}

/// The instructions that an attempt need not look at.
struct Known(FxHashSet<StmtId>);

impl Known {
    fn of(legal: &Mutex<Legal>, given: &[Given]) -> Known {
        Known(legal.lock().map(|it| it.under(given)).unwrap_or_default())
    }

    /// Returns these instructions and others.
    fn and(&self, program: &Program, others: impl Fn(StmtId) -> bool) -> Known {
        let all = program.instructions().into_iter().map(|(stmt, _)| stmt.id);
        let more = all.filter(|&stmt| others(stmt));
        Known(self.0.iter().copied().chain(more).collect())
    }

    /// Judges the other instructions. Returns the first obstacle; further attempts need not look at the instructions
    /// without one.
    fn judge<'t, E>(
        &self,
        program: &'t Program,
        legal: &Mutex<Legal>,
        given: &[Given],
        mut judge: impl FnMut((&'t Stmt, &'t Instr), Effort) -> Result<(), E>,
    ) -> Result<(), (E, StmtId)> {
        let mut first = None;
        let mut found = FxHashSet::default();
        for (stmt, instr) in program.instructions() {
            if self.0.contains(&stmt.id) {
                continue;
            }
            let effort = match first {
                None => Effort::Whole,
                Some(_) => Effort::Small,
            };
            match judge((stmt, instr), effort) {
                Ok(()) => {
                    found.insert(stmt.id);
                }
                Err(because) => first = first.or(Some((because, stmt.id))),
            }
        }
        if let Ok(mut legal) = legal.lock() {
            legal.add(given, found);
        }
        first.map_or(Ok(()), Err)
    }
}

fn attempt(subject: &Subject, types: &[DType], given: &[Given]) -> Result<(), Open> {
    let known = Known::of(&subject.legal, given);
    attempt_beyond(subject, types, given, &known)
}

/// Tries to show that one instruction is legal.
fn attempt_at(subject: &Subject, types: &[DType], given: &[Given], at: StmtId) -> Result<(), Open> {
    let known = Known::of(&subject.legal, given);
    let others = known.and(subject.program, |stmt| stmt != at);
    attempt_beyond(subject, types, given, &others)
}

/// Tries to show that all instructions but the known ones are legal.
fn attempt_beyond(
    subject: &Subject,
    types: &[DType],
    given: &[Given],
    known: &Known,
) -> Result<(), Open> {
    let program = subject.program;
    let listed = Listed::new(program, given, known);
    let outcome = try_out(program, types, |program, trial| {
        let mut left = MOST_IN_ALL;
        known.judge(program, &subject.legal, given, |(stmt, instr), effort| {
            let mask = subject.analysis.mask_at(stmt.id);
            listed.judge(trial, (stmt, instr), mask, (&mut left, effort))
        })
    });
    let first = program.instructions().first().map(|(stmt, _)| stmt.id);
    match (outcome, first) {
        (Ok(outcome), _) => outcome,
        (Err(reason), Some(at)) => Err((reason.into(), at)),
        // Without instructions, nothing can be illegal.
        (Err(_), None) => Ok(()),
    }
}

/// Returns the scalars that determine which on-chip memory an instruction accesses, and which of their values
/// matter.
pub(super) fn deciding(
    program: &Program,
    instr: &Instr,
    values: Values,
) -> Vec<(ScalarId, Wanted)> {
    let mut scalars: Vec<(ScalarId, Wanted)> = Vec::new();
    let mut ask = |id: ScalarId, wanted: Wanted| match scalars.iter_mut().find(|it| it.0 == id) {
        Some((_, known)) if *known != wanted => *known = Wanted::All,
        Some(_) => {}
        None => scalars.push((id, wanted)),
    };
    for (at, (param, arg)) in instr.row().params().zip(&instr.args).enumerate() {
        match &arg.value {
            ArgValue::View(view) => match &**view {
                View::Local(view) => {
                    let all = view.shape.iter().chain(&view.offset);
                    all.for_each(|&id| ask(id, Wanted::All));
                    ask(view.span[0], rows(instr));
                    ask(view.span[1], columns(program, instr, values));
                }
                View::Global(_) if counts(instr) => {}
                View::Global(view) => {
                    let spans = view.axes.iter().map(|axis| axis.span);
                    spans.for_each(|span| ask(span, columns(program, instr, values)));
                }
            },
            ArgValue::Scalar(id) if !is_value(param.kind) && !is_inferred_pitch(instr, at) => {
                ask(*id, wanted(program, instr, param, values));
            }
            _ => {}
        }
    }
    scalars
}

/// Returns whether a parameter is a row pitch in global memory that is inferred from the shape of the tensor.
fn is_inferred_pitch(instr: &Instr, at: usize) -> bool {
    let is_given = |arg: &Arg| matches!(arg.source, ArgSource::Given(_));
    global_pitch(instr) == Some(at) && !instr.args.get(at).is_some_and(is_given)
}

/// Returns whether an instruction gives its numbers of rows and columns itself, whatever its global view spans.
fn counts(instr: &Instr) -> bool {
    let is_count = |name| instr.scalar_named(name).is_some();
    is_count("n_burst") && is_count("burst_len_element") || is_count("M") && is_count("N")
}

/// Returns which numbers of rows matter. A move or product with more rows accesses more at the same places, so
/// the extremes are enough.
fn rows(instr: &Instr) -> Wanted {
    match instr.row().class {
        Class::Move | Class::Matmul | Class::Fixpipe => Wanted::Ends,
        _ => Wanted::All,
    }
}

/// Returns which numbers of columns matter. Matrices consist of fractals, so the extremes are enough for the
/// cube. In UB, the distance of rows depends on their columns, unless there is only one row: a longer row and a
/// larger count access more at the same places.
fn columns(program: &Program, instr: &Instr, values: Values) -> Wanted {
    match (instr.row().unit.side(), values) {
        (Side::Cube, _) => rows(instr),
        (_, Values::Ends) if moves_one_row(program, instr) || is_counted(instr) => Wanted::Ends,
        _ => Wanted::All,
    }
}

/// Returns whether a count of elements, which follow each other, decides what an instruction accesses.
fn is_counted(instr: &Instr) -> bool {
    instr.scalar(ParamKind::Count).is_some()
}

/// Returns whether an instruction moves one row between global memory and UB in every launch.
pub(super) fn moves_one_row(program: &Program, instr: &Instr) -> bool {
    let is_padded = instr.scalar_named("burst_len_element").is_some();
    let count = instr.scalar_named("n_burst");
    is_padded && count.is_some_and(|id| program.size(id) == Some(1))
}

fn wanted(program: &Program, instr: &Instr, param: &Param, values: Values) -> Wanted {
    let by_ends = values == Values::Ends;
    let is_alone = by_ends && moves_one_row(program, instr);
    match param.name {
        "n_burst" => rows(instr),
        "burst_len_element" => columns(program, instr, values),
        // A single row has no use for the gap after it; only the field that holds it has a limit.
        "src_stride" | "dst_stride" if is_alone => Wanted::EndsAlone,
        "src_stride_element" | "dst_stride_element" if is_alone => Wanted::EndsAlone,
        // It has no effect on on-chip memory; the field that holds it has a limit.
        "src_stride_element" | "dst_stride_element" => Wanted::Ends,
        "M" | "N" | "K" | "m" | "n" | "k" | "m_dst" | "n_dst" => columns(program, instr, values),
        // The repeats of a counted instruction follow from the count.
        _ if by_ends
            && is_counted(instr)
            && matches!(param.kind, ParamKind::Count | ParamKind::Repeat) =>
        {
            Wanted::Ends
        }
        _ => Wanted::All,
    }
}

/// Returns whether a parameter is an operand of arithmetic.
fn is_value(kind: ParamKind) -> bool {
    matches!(
        kind,
        ParamKind::Value | ParamKind::Step | ParamKind::OperandOrValue(_)
    )
}

/// Returns the scalars that determine values, global addresses and slots, each with a representative value. One
/// is enough: slots are alike, and addresses and values are not checked here.
pub(super) fn others(instr: &Instr) -> impl Iterator<Item = (ScalarId, Value)> {
    let params = instr.row().params().zip(&instr.args).enumerate();
    params.flat_map(|(at, (param, arg))| {
        let (mut ints, mut float) = (Vec::new(), None);
        match &arg.value {
            ArgValue::View(view) => match &**view {
                View::Local(view) => ints.push(view.slot),
                View::Global(view) => {
                    let axes = view.axes.iter();
                    ints.extend(axes.flat_map(|axis| [axis.start, axis.span, axis.extent]));
                }
            },
            ArgValue::Scalar(id) if is_value(param.kind) => float = Some(*id),
            ArgValue::Scalar(id) if is_inferred_pitch(instr, at) => ints.push(*id),
            _ => {}
        }
        let ints = ints.into_iter().map(|id| (id, Value::Int(0)));
        ints.chain(float.map(|id| (id, Value::Float(1.0))))
    })
}

/// Executes one instruction on the machine for every combination of its numbers, and records whether its operands are
/// legal in `trial`. An error says why that is not possible, as a clause; `left` is the remaining budget of executions.
fn judge<'t>(
    trial: &mut Trial<'t, '_>,
    program: &Program,
    (stmt, instr): (&Stmt, &'t Instr),
    rows: Option<&Result<Assignments, Unassigned>>,
    mask: MaskState,
    left: &mut usize,
) -> Result<(), Obstacle> {
    if instr.operands().next().is_none() {
        return Ok(());
    }
    if let Some(because) = out_of_reach(instr) {
        return Err(because.to_owned().into());
    }
    let name = program.call_name(instr);
    let rows = match rows {
        Some(Ok(rows)) => rows,
        Some(Err(Unassigned::Unbounded(id))) => {
            let text = ScalarNames::new(program).text(*id);
            return Err(format!("nothing bounds `{text}`, on which {name} depends").into());
        }
        Some(Err(Unassigned::TooMany)) | None => {
            let because = format!("there are too many sizes of {name} to try");
            return Err(Obstacle::Effort(because));
        }
    };
    *left = left
        .checked_sub(rows.rows.len())
        .ok_or_else(|| Obstacle::Effort("there are too many sizes to try".to_owned()))?;
    let mask = words(mask);
    for row in &rows.rows {
        let known: FxHashMap<ScalarId, i64> = rows
            .scalars
            .iter()
            .copied()
            .zip(row.iter().copied())
            .collect();
        legal_lengths(program, instr, &known)?;
        let given = known.iter().map(|(&id, &value)| (id, Value::Int(value)));
        if let Some(complaint) = trial.complaint((stmt, instr), others(instr).chain(given), mask) {
            return Err(because(program, instr, complaint).into());
        }
    }
    Ok(())
}

/// Returns whether the bits of a tensor decide how many elements an instruction writes.
fn chooses_by_data(instr: &Instr) -> bool {
    let mut walks = instr.operands().map(|(_, operand, _)| operand.walk);
    instr.row().class == Class::Compact && walks.any(|walk| walk == Walk::PatternBits)
}

/// Returns why the operands of an instruction cannot be checked, as a clause; `None` if they can.
fn out_of_reach(instr: &Instr) -> Option<&'static str> {
    let mut walks = instr.operands().map(|(_, operand, _)| operand.walk);
    let class = instr.row().class;
    if class == Class::Gather
        || (walks.any(|walk| walk == Walk::Indexed) && class != Class::Transpose)
        || chooses_by_data(instr)
    {
        return Some("what it touches depends on data");
    }
    let mut globals = instr.operands().filter_map(|(_, _, view)| view.global());
    let is_whole = globals.any(|view| view.row_axes().is_none());
    is_whole.then_some("it moves a whole tensor of unknown or more than two dimensions")
}

/// Checks that lengths and gaps of a move are not negative, and that matrices in L1 fill the rows of their
/// tensors.
fn legal_lengths(
    program: &Program,
    instr: &Instr,
    known: &FxHashMap<ScalarId, i64>,
) -> Result<(), String> {
    if instr.row().class == Class::Move {
        let params = instr.row().params().zip(&instr.args);
        let lengths = params.filter(|(param, _)| param.kind == ParamKind::Integer);
        let mut values = lengths.filter_map(|(_, arg)| known.get(&arg.value.scalar()?));
        if values.any(|&value| value < 0) {
            return Err("a length or a gap may be negative".to_owned());
        }
    }
    // A shorter layout would put columns elsewhere than the tensor's shape says.
    let dst = instr.local(DST);
    let has_shape = dst.is_some_and(|it| program.buffer(it.buffer).layout != Layout::Linear);
    if let Some(capacity) = instr.scalar_named("M_dst").filter(|_| has_shape) {
        let capacity = known.get(&capacity);
        let rows = instr.local(DST).and_then(|view| known.get(&view.shape[0]));
        if capacity.is_some() && capacity != rows {
            return Err("a matrix in L1 is laid out for fewer rows than its tensor has".to_owned());
        }
    }
    Ok(())
}

/// Returns the words of a mask. An unknown mask counts as full, which accesses most.
pub(super) fn words(mask: MaskState) -> [u64; 2] {
    match mask {
        MaskState::Words { high, low, .. } => [high, low],
        MaskState::Full | MaskState::Unknown => [u64::MAX; 2],
    }
}

fn because(program: &Program, instr: &Instr, complaint: OperandFault) -> String {
    let name = program.call_name(instr);
    match complaint {
        OperandFault::Reason(reason) => reason,
        OperandFault::Found(
            FindingKind::Overrun { .. }
            | FindingKind::PastLength { .. }
            | FindingKind::OutsideMemory(_),
        ) => {
            format!("{name} may reach past a tensor")
        }
        OperandFault::Found(FindingKind::Misaligned { .. }) => {
            format!("an operand of {name} may start off the grid")
        }
        OperandFault::Found(FindingKind::SharedOperands { .. }) => {
            format!("{name} may overwrite what it still reads")
        }
        OperandFault::Found(_) => format!("{name} may not be legal"),
    }
}

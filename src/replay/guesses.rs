//! Launches of kernels that nothing launches.
//!
//! Nobody says which sizes such a kernel is for, so no single guess can be trusted. Several are
//! made: the sizes that the kernel's own tiles suggest, and the same number everywhere. A tensor is
//! as large as what the kernel touches of it, which a first run measures; so nothing can be said
//! about its bounds. What is seen counts if every guess that executes the statement shows it, and at
//! least two do (`spec` decision 45). Guessing ends once two guesses executed all there is and showed
//! the same. If that was nothing, the tails of what the kernel cuts into tiles are tried; they only
//! confirm what is found otherwise.
//!
//! A kernel without scalar parameters, or whose scalars the user has bound, leaves nothing to guess.

use std::ops::ControlFlow;

use super::expressions::Expressions;
use super::launches::Candidate;
use super::looked_at::{LaunchOutcome, LaunchRun, LaunchSource};
use super::sighting::{Event, Sighting};
use super::steering::steering;
use super::{MAX_GLOBAL_BYTES, Replay, Request, options, variants};
use crate::hazards;
use rustc_hash::FxHashSet;

use crate::ir::{
    GlobalId, GlobalKind, GlobalView, Instr, Launch, LaunchOrigin, Module, Param, ParamKind,
    Program, Scalar, ScalarId, StmtId, StmtKind, VariableId, View,
};
use crate::isa::DType;
use crate::machine::{
    Access, Bindings, BoundLaunch, End, FindingKind, Inspection, LaneId, Observer, Site, SyncOp,
    simulate,
};

/// Sizes that are given to every scalar at once.
const UNIFORM: [i64; 3] = [128, 64, 32];
/// What is counted without being divided.
const COUNT: i64 = 3;
/// A scalar that is no size.
const FLOAT: f64 = 0.5;
/// Guesses that have to agree.
const LEAST_WITNESSES: usize = 2;
/// Longest axis that is taken for one.
const MAX_EXTENT: i64 = 1 << 20;

type Scalars = Vec<(String, f64)>;

/// Replays a kernel under guesses.
pub(super) fn replay(
    is_cancelled: &dyn Fn() -> bool,
    program: &Program,
    module: &Module,
    request: &Request,
) -> Option<Replay> {
    if let Some(reason) = obstacle(program) {
        return Some(Replay::unreplayed(reason));
    }
    let guesser = Guesser {
        program,
        launches: &module.launches,
        request,
    };
    let assignments = guesser.assignments();
    let mut left = request.work;
    let mut trials: Vec<Trial> = Vec::new();
    let mut reason = None;
    for (at, scalars) in assignments.iter().enumerate() {
        if is_cancelled() {
            return None;
        }
        // A large guess leaves the others their share.
        let mut share = left / (assignments.len() - at) as u64;
        left -= share;
        let candidate = guesser.candidate(scalars, &mut share);
        reason = reason.or(candidate.bound.as_ref().err().cloned());
        trials.push(Trial::of(program, candidate, &mut share, request.saturate));
        left += share;
        if is_settled(program, &trials) {
            break;
        }
    }
    let mut launches: Vec<LaunchRun> = Vec::new();
    for trial in &mut trials {
        launches.append(&mut trial.replay.launches);
    }
    trials.retain(|trial| !trial.replay.executions.is_empty());
    if trials.is_empty() {
        let reason = reason.unwrap_or_else(|| "no sizes fit it".to_owned());
        let mut replay = Replay::unreplayed(reason);
        replay.launches = launches;
        return Some(replay);
    }
    let wanted = LEAST_WITNESSES.min(assignments.len());
    let is_quiet = trials[0].replay.sightings.is_empty();
    let mut replay = agreed(trials, wanted);
    replay.launches = launches;
    if is_quiet && !guesser.is_determined() {
        guesser.tails(&assignments[0], &mut replay, left);
    }
    Some(replay)
}

/// Whether more guesses would say nothing new: two have executed all that can be executed, and show
/// the same.
fn is_settled(program: &Program, trials: &[Trial]) -> bool {
    let [first, second] = trials else {
        return false;
    };
    let finished = |trial: &Trial| {
        let mut launches = trial.replay.launches.iter();
        launches.all(|launch| launch.outcome == LaunchOutcome::Finished)
    };
    let shows = |trial: &Trial, sighting: &Sighting| {
        let mut all = trial.replay.sightings.iter();
        all.any(|other| other.is_like(sighting))
    };
    let is_subset = |a: &Trial, b: &Trial| a.replay.sightings.iter().all(|it| shows(b, it));
    let all_executed = || {
        let touching = program.instructions();
        let mut touching = touching
            .iter()
            .filter(|(_, instr)| instr.operands().next().is_some());
        touching
            .all(|(stmt, _)| first.executed[stmt.id.index()] && second.executed[stmt.id.index()])
    };
    [first, second].into_iter().all(finished)
        && is_subset(first, second)
        && is_subset(second, first)
        && all_executed()
}

/// Gives everything that is still open in `bindings` a value, as a replay would: scalars the sizes
/// that the kernel's tiles suggest, tensors the shapes that its accesses take.
pub fn complete(
    program: &Program,
    launches: &[Launch],
    request: &Request,
    bindings: &mut Bindings,
) -> Result<(), String> {
    if let Some(reason) = obstacle(program) {
        return Err(reason);
    }
    let guesser = Guesser {
        program,
        launches,
        request,
    };
    let given = bindings.scalars.clone();
    let mut scalars = guesser.assignments().swap_remove(0);
    for (name, value) in &mut scalars {
        let known = given.iter().find(|(known, _)| known == name);
        *value = known.map_or(*value, |(_, known)| *known);
    }
    let is_given = |name: &str| bindings.shapes.iter().any(|(known, _)| known == name);
    let is_missing = |param: &Param| match param.kind {
        ParamKind::Global(id) => is_open(program, id) && !is_given(&param.name),
        _ => false,
    };
    // What is given need not be measured.
    let shapes = match program.params.iter().any(is_missing) {
        true => guesser.shapes(&scalars, &mut request.work.clone())?,
        false => Vec::new(),
    };
    bindings.scalars = scalars;
    for (name, shape) in shapes {
        if bindings.shapes.iter().all(|(known, _)| *known != name) {
            bindings.shapes.push((name, shape));
        }
    }
    bindings.invent(program);
    Ok(())
}

/// Why the sizes of a kernel cannot be guessed.
fn obstacle(program: &Program) -> Option<String> {
    let unknown = |param: &&Param| param.kind == ParamKind::Unknown;
    if let Some(param) = program.params.iter().find(unknown) {
        return Some(format!("nothing tells what `{}` is", param.name));
    }
    let instructions = program.instructions();
    if let Some(id) = asked_extent(program) {
        let name = &program.global(id).name;
        return Some(format!(
            "its sizes follow the shape of `{name}`, which no launch gives"
        ));
    }
    if let Some(instr) = steering(program) {
        let name = instr.row().name;
        return Some(format!("{name} takes sizes or indices from data"));
    }
    if let Some(id) = mixed_type(program) {
        let name = &program.global(id).name;
        return Some(format!("nothing tells the element type of `{name}`"));
    }
    let mut ranks: Vec<Option<usize>> = vec![None; program.globals.len()];
    for view in instructions.iter().flat_map(|(_, instr)| globals(instr)) {
        let global = program.global(view.global);
        let rank = &mut ranks[view.global.index()];
        let is_known = view.sliced && rank.is_none_or(|rank| rank == view.axes.len());
        if !is_known && is_open(program, view.global) {
            return Some(format!("nothing tells the shape of `{}`", global.name));
        }
        *rank = Some(view.axes.len());
    }
    None
}

/// A tensor that is moved to or from on-chip tensors of several types.
fn mixed_type(program: &Program) -> Option<GlobalId> {
    let mut types: Vec<Option<DType>> = vec![None; program.globals.len()];
    for (_, instr) in program.instructions() {
        let local = instr.operands().find_map(|(_, _, view)| View::local(view));
        let Some(dtype) = local.map(|view| view.dtype) else {
            continue;
        };
        for view in globals(instr) {
            let known = types[view.global.index()].replace(dtype);
            if known.is_some_and(|known| known != dtype) {
                return Some(view.global);
            }
        }
    }
    None
}

/// Whether only a launch can tell the shape of a tensor.
fn is_open(program: &Program, id: GlobalId) -> bool {
    let global = program.global(id);
    let is_extent = |&extent: &ScalarId| matches!(program.scalars.get(extent), Scalar::Extent(..));
    global.kind == GlobalKind::Param && global.shape.iter().all(is_extent)
}

/// A tensor whose shape decides about anything but the place of its own elements.
fn asked_extent(program: &Program) -> Option<GlobalId> {
    let mut asked: Vec<ScalarId> = Vec::new();
    program.walk(&mut |stmt| match &stmt.kind {
        StmtKind::Assign { value, .. } => asked.push(*value),
        StmtKind::Loop {
            start, stop, step, ..
        } => asked.extend([start, stop, step]),
        StmtKind::If { arms, .. } => asked.extend(arms.iter().map(|arm| arm.condition)),
        StmtKind::Instr(instr) => {
            let axes = globals(instr).flat_map(|view| &view.axes);
            asked.extend(axes.flat_map(|axis| [axis.start, axis.span]));
            let locals = instr
                .operands()
                .filter_map(|(_, _, view)| View::local(view));
            asked.extend(locals.flat_map(|view| view.offset.into_iter().chain(view.span)));
        }
        _ => {}
    });
    let mut seen = FxHashSet::default();
    while let Some(id) = asked.pop() {
        if !seen.insert(id) {
            continue;
        }
        match program.scalars.get(id) {
            Scalar::Extent(global, _) => return Some(global),
            Scalar::Unary(_, a) => asked.push(a),
            Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => asked.extend([a, b]),
            _ => {}
        }
    }
    None
}

fn globals(instr: &Instr) -> impl Iterator<Item = &GlobalView> {
    instr
        .operands()
        .filter_map(|(_, _, view)| View::global(view))
}

struct Guesser<'a> {
    program: &'a Program,
    launches: &'a [Launch],
    request: &'a Request<'a>,
}

impl Guesser<'_> {
    /// Values of all scalars, each set once. The first follows the kernel's own tiles.
    fn assignments(&self) -> Vec<Scalars> {
        let expressions = Expressions::of(self.program);
        let own = |tiles: i64| self.assignment(|id| natural(&expressions, id, tiles));
        let mut all = vec![own(2), own(1)];
        all.extend(UNIFORM.map(|size| self.assignment(|_| size)));
        let mut distinct: Vec<Scalars> = Vec::new();
        for scalars in all {
            if !distinct.contains(&scalars) {
                distinct.push(scalars);
            }
        }
        distinct
    }

    fn assignment(&self, size: impl Fn(VariableId) -> i64) -> Scalars {
        let params = self.program.params.iter();
        let scalars = params.filter_map(|param| match param.kind {
            ParamKind::Variable(id) => {
                let mut given = self.request.bindings.iter();
                let given = given.find(|(name, _)| *name == param.name);
                let dtype = self.program.variable(id).dtype;
                let value = match given {
                    Some((_, value)) => *value,
                    None if dtype.is_some_and(|dtype| dtype.is_float()) => FLOAT,
                    None => size(id) as f64,
                };
                Some((param.name.clone(), value))
            }
            _ => None,
        });
        scalars.collect()
    }

    /// Whether every scalar has a value that nobody had to guess.
    fn is_determined(&self) -> bool {
        let mut params = self.program.params.iter();
        params.all(|param| {
            let is_bound = || {
                self.request
                    .bindings
                    .iter()
                    .any(|(name, _)| *name == param.name)
            };
            !matches!(param.kind, ParamKind::Variable(_)) || is_bound()
        })
    }

    /// Whether the user binds a scalar of the kernel.
    fn is_bound(&self) -> bool {
        let mut bindings = self.request.bindings.iter();
        bindings.any(|(name, _)| self.program.params.iter().any(|param| param.name == *name))
    }

    /// A launch with these scalars.
    fn candidate(&self, scalars: &Scalars, work: &mut u64) -> Candidate {
        let shapes = self.shapes(scalars, work);
        let mut globals = (0..self.program.globals.len() as u32).map(GlobalId);
        Candidate {
            source: match self.is_bound() {
                true => LaunchSource::Bind,
                false => LaunchSource::Guess,
            },
            span: None,
            arguments: scalars.clone(),
            bound: shapes.and_then(|shapes| self.bind(scalars, shapes)),
            is_invented: !self.is_determined(),
            has_extents: self.is_determined() && globals.all(|id| !is_open(self.program, id)),
            has_data: false,
            is_too_large: false,
            launch: None,
        }
    }

    fn bind(&self, scalars: &Scalars, shapes: Shapes) -> Result<BoundLaunch, String> {
        let mut bindings = Bindings {
            scalars: scalars.clone(),
            shapes,
            ..Bindings::default()
        };
        bindings.invent(self.program);
        let (launches, device) = (self.launches, self.request.device);
        BoundLaunch::bind(
            self.program,
            None,
            launches,
            &bindings,
            device,
            MAX_GLOBAL_BYTES,
        )
        .map_err(|cause| cause.to_string())
    }

    /// Shapes that hold what a run touches; the work of that run is taken from `work`.
    fn shapes(&self, scalars: &Scalars, work: &mut u64) -> Result<Shapes, String> {
        let mut measure = Measure::new(self.program);
        if measure.is_idle() {
            return Ok(measure.shapes());
        }
        let bound = self.bind(scalars, measure.shapes())?;
        let options = options(*work, self.request.saturate);
        let outcome = simulate(self.program, &bound, &options, &mut measure);
        *work -= outcome.work.min(*work);
        if let Some(global) = measure.odd {
            let name = &self.program.global(global).name;
            return Err(format!("no sizes keep it inside of `{name}`"));
        }
        match outcome.end {
            End::BudgetExhausted(_) => Err("it takes too long with small sizes".to_owned()),
            End::Refused(refusal) => Err(refusal.reason),
            _ => Ok(measure.shapes()),
        }
    }

    /// Replays tails of a guess that has shown nothing.
    fn tails(&self, scalars: &Scalars, replay: &mut Replay, mut left: u64) {
        let base = Launch {
            kernel: self.program.name.clone(),
            tensors: Vec::new(),
            scalars: scalars.clone(),
            floats: Vec::new(),
            span: None,
            origin: LaunchOrigin::Configuration,
            block_dim: None,
        };
        let (fixed, device) = (self.request.bindings, self.request.device);
        for changes in variants::of(self.program, &[&base], fixed, device) {
            let mut scalars = scalars.clone();
            for (name, value) in &mut scalars {
                let change = changes.iter().find(|(changed, _)| changed == name);
                *value = change.map_or(*value, |(_, changed)| *changed);
            }
            let candidate = self.candidate(&scalars, &mut left);
            let first = replay.executions.len();
            left -= replay
                .run(self.program, candidate, left, self.request.saturate)
                .min(left);
            for execution in &mut replay.executions[first..] {
                execution.only_confirms = true;
            }
        }
    }
}

/// The size that the kernel's own tiles suggest for a parameter.
fn natural(expressions: &Expressions, id: VariableId, tiles: i64) -> i64 {
    let tiled = expressions
        .tile(id)
        .or_else(|| expressions.unit(id).filter(|&unit| unit > 1));
    let size = tiled.map(|tile| tile.saturating_mul(tiles));
    let size = size.or_else(|| expressions.local_extent(id));
    size.unwrap_or(COUNT).clamp(1, MAX_EXTENT)
}

type Shapes = Vec<(String, Vec<i64>)>;

/// Measures how much of its global tensors a run touches.
struct Measure<'p> {
    program: &'p Program,
    /// Views of global tensors, by statement.
    views: Vec<Vec<&'p GlobalView>>,
    /// Extents by tensor.
    extents: Vec<Vec<i64>>,
    /// A tensor that is touched where it cannot be.
    odd: Option<GlobalId>,
}

impl<'p> Measure<'p> {
    fn new(program: &'p Program) -> Self {
        let mut views = vec![Vec::new(); program.stmt_count as usize];
        let mut extents = vec![Vec::new(); program.globals.len()];
        for (extents, global) in extents.iter_mut().zip(&program.globals) {
            let size = |&extent: &ScalarId| program.size(extent).unwrap_or(1);
            *extents = global.shape.iter().map(size).collect();
        }
        for (stmt, instr) in program.instructions() {
            let open = globals(instr).filter(|view| is_open(program, view.global));
            for view in open {
                views[stmt.id.index()].push(view);
                extents[view.global.index()] = vec![1; view.axes.len()];
            }
        }
        Measure {
            program,
            views,
            extents,
            odd: None,
        }
    }

    /// Whether there is nothing to measure.
    fn is_idle(&self) -> bool {
        self.views.iter().all(Vec::is_empty)
    }

    /// The shapes of tensors that no declaration gives.
    fn shapes(&self) -> Shapes {
        let params = self.program.params.iter();
        let shapes = params.filter_map(|param| match param.kind {
            ParamKind::Global(id) if is_open(self.program, id) => {
                let extents = &self.extents[id.index()];
                let shape = if extents.is_empty() {
                    vec![1]
                } else {
                    extents.clone()
                };
                Some((param.name.clone(), shape))
            }
            _ => None,
        });
        shapes.collect()
    }
}

impl Observer for Measure<'_> {
    fn watches(&self, stmt: StmtId) -> bool {
        !self.views[stmt.index()].is_empty()
    }

    fn before(&mut self, site: &Site, _: u64, inspection: &mut Inspection) {
        for view in &self.views[site.stmt.index()] {
            let axes = view.axes.iter().map(|axis| {
                let [start, span] =
                    [axis.start, axis.span].map(|id| inspection.scalar(id).as_int());
                Some((start.ok()?, span.ok()?))
            });
            let Some(axes) = axes.collect::<Option<Vec<(i64, i64)>>>() else {
                self.odd = Some(view.global);
                continue;
            };
            if axes.iter().any(|&(_, span)| span <= 0) {
                continue;
            }
            for (extent, (start, span)) in self.extents[view.global.index()].iter_mut().zip(axes) {
                let end = start.saturating_add(span);
                if start < 0 || end > MAX_EXTENT {
                    self.odd = Some(view.global);
                }
                *extent = end.clamp(*extent, MAX_EXTENT.max(*extent));
            }
        }
    }

    fn after(&mut self, _: &Site, _: u64, _: &mut Inspection) -> ControlFlow<()> {
        match self.odd {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }
}

/// One guess, and what it showed.
struct Trial {
    replay: Replay,
    /// Statements that touched memory.
    executed: Vec<bool>,
}

impl Trial {
    fn of(program: &Program, candidate: Candidate, left: &mut u64, saturate: bool) -> Trial {
        let mut replay = Replay::default();
        let mut executed = vec![false; program.stmt_count as usize];
        let mut by_lane = FxHashSet::default();
        let taken = replay.run_with(
            program,
            candidate,
            *left,
            saturate,
            |bound, options, tracker| {
                let mut notes = Notes {
                    tracker,
                    executed: &mut executed,
                    by_lane: &mut by_lane,
                };
                simulate(program, bound, options, &mut notes)
            },
        );
        *left -= taken.min(*left);
        let sightings = &mut replay.sightings;
        sightings.retain(|sighting| !is_for_lack_of_work(sighting, &by_lane));
        Trial { replay, executed }
    }

    fn executes(&self, stmt: Option<StmtId>) -> bool {
        stmt.is_none_or(|stmt| self.executed[stmt.index()])
    }
}

/// Whether undefined data is seen on a core that a guess gave less to do than others: it skips what they
/// execute, and a launch of the author's may give every core its share.
fn is_for_lack_of_work(sighting: &Sighting, by_lane: &FxHashSet<(LaneId, StmtId)>) -> bool {
    let is_undefined = matches!(
        sighting.event,
        Event::Machine(
            FindingKind::UndefinedStore(_)
                | FindingKind::UndefinedReduction
                | FindingKind::UndefinedScalar
                | FindingKind::UndefinedIndex
                | FindingKind::UndefinedOperand
                | FindingKind::UnseededProduct
        )
    );
    let mut alike = by_lane
        .iter()
        .filter(|(lane, _)| lane.kind == sighting.lane.kind);
    is_undefined && alike.any(|(_, stmt)| !by_lane.contains(&(sighting.lane, *stmt)))
}

/// What every trial shows that executes the statement.
fn agreed(trials: Vec<Trial>, wanted: usize) -> Replay {
    let mut replay = Replay {
        executions: trials
            .iter()
            .flat_map(|trial| trial.replay.executions.clone())
            .collect(),
        ..Replay::default()
    };
    for (number, trial) in trials.iter().enumerate() {
        for sighting in &trial.replay.sightings {
            let shows = |trial: &&Trial| {
                let mut all = trial.replay.sightings.iter();
                all.any(|other| other.is_like(sighting))
            };
            let executing = || trials.iter().filter(|trial| trial.executes(sighting.stmt));
            let all = executing().all(|trial| shows(&trial));
            let is_known = replay.sightings.iter().any(|known| known.is_like(sighting));
            if all && trials.iter().filter(shows).count() >= wanted && !is_known {
                let mut sighting = sighting.clone();
                sighting.execution = number;
                replay.sightings.push(sighting);
            }
        }
    }
    replay
}

/// Takes down which statements touch memory, for a tracker of hazards.
struct Notes<'n, 't, 'p> {
    tracker: &'n mut hazards::Tracker<'p>,
    executed: &'t mut Vec<bool>,
    by_lane: &'t mut FxHashSet<(LaneId, StmtId)>,
}

impl Observer for Notes<'_, '_, '_> {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn begin(&mut self, site: &Site) {
        self.tracker.begin(site);
    }

    fn access(&mut self, site: &Site, access: &Access) {
        let touches = access.rows.iter().any(|rows| rows.bounds().is_some());
        self.executed[site.stmt.index()] |= touches;
        if touches {
            self.by_lane.insert((site.lane, site.stmt));
        }
        self.tracker.access(site, access);
    }

    fn synchronise(&mut self, site: &Site, operation: &SyncOp) {
        self.executed[site.stmt.index()] = true;
        self.tracker.synchronise(site, operation);
    }
}

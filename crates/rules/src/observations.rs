//! Turns observations of a replay into witnesses and clauses of findings.

use crate::trail::trail;
use crate::wording::{allocation, call, counted, elements_in, lane_text, operand_text};
use crate::{Facts, Report, Sink};
use a2lint_analysis::{Gap, MaskState, RangeSet};
use a2lint_ir::finding::{Severity, Witness};
use a2lint_ir::{BufferId, Deciding, Instr, Program, Stmt, StmtId, StmtKind, Through, View};
use a2lint_isa::{Class, DST, DType, Place, Position, Walk};
use a2lint_machine::hazards::{End, Hazard, HazardKind};
use a2lint_machine::{FindingKind, LaneKind, Rest};
use a2lint_replay::{Event, Observation, Origin, Part, Source};

/// An observation at an instruction, with the statement and the instruction.
pub(crate) struct Scene<'a> {
    /// The observation.
    pub observation: &'a Observation,
    /// The statement.
    pub stmt: &'a Stmt,
    /// The instruction of the statement.
    pub instr: &'a Instr,
}

impl<'a> Scene<'a> {
    /// Returns the scenes of the observations that `wanted` selects. Observations without an instruction are left out.
    pub(crate) fn all(facts: &Facts<'a>, wanted: impl Fn(&Observation) -> bool) -> Vec<Scene<'a>> {
        let wanted = facts
            .replay
            .observations
            .iter()
            .filter(|observation| wanted(observation));
        let scenes = wanted.filter_map(|observation| {
            let stmt = facts.program.statement(observation.stmt?)?;
            let instr = stmt.kind.instr()?;
            Some(Scene {
                observation,
                stmt,
                instr,
            })
        });
        scenes.collect()
    }

    /// Returns the operand that the observation blames.
    pub(crate) fn view(&self) -> Option<&'a View> {
        self.instr.view(self.observation.operand?)
    }

    /// Formats the blamed operand: `` `acc[0]` (its `src1`)``.
    pub(crate) fn operand(&self, facts: &Facts) -> String {
        let Some(view) = self.view() else {
            return "an operand".to_owned();
        };
        let index = self
            .observation
            .operand
            .and_then(|index| facts.program.dialect.parameter(self.instr.row(), index));
        let parameter = index.unwrap_or("operand");
        format!("`{}` (its `{parameter}`)", operand_text(facts, view))
    }

    /// Starts a finding at the statement, with its witness.
    pub(crate) fn report<'s>(
        &self,
        facts: &Facts,
        sink: &'s mut Sink,
        message: impl Into<String>,
    ) -> Report<'s> {
        let report = sink.report_seen(self.stmt.origin, self.stmt.span, message);
        witnessed(report, facts, self.observation)
    }
}

/// Adds the witness to a finding, which becomes a warning if the checker invented the launch.
pub(crate) fn witnessed<'s>(
    report: Report<'s>,
    facts: &Facts,
    observation: &Observation,
) -> Report<'s> {
    let report = report.witness(witness(facts, observation));
    match facts.replay.execution(observation).is_invented {
        true => report.severity(Severity::Warning),
        false => report,
    }
}

/// Formats the sizes of a variant of a given launch, to start a message with: `for total = 1024, which is not among the
/// given launches, `. Empty for other launches.
pub(crate) fn nearby(facts: &Facts, observation: &Observation) -> String {
    let changes = facts.replay.execution(observation).changes.iter();
    let sizes: Vec<String> = changes
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    match sizes.is_empty() {
        true => String::new(),
        false => format!(
            "for {}, which is not among the given launches, ",
            sizes.join(", ")
        ),
    }
}

/// Returns an observation as the witness of a finding.
fn witness(facts: &Facts, observation: &Observation) -> Witness {
    let execution = facts.replay.execution(observation);
    let launch = execution.arguments(facts.program);
    Witness {
        core: observation.lane.core,
        lane: observation.lane.kind.name().to_owned(),
        iteration: observation
            .iterations
            .iter()
            .map(|&turn| turn as u64)
            .collect(),
        place: execution.place.clone(),
        detail: format!(
            "confirmed by simulation ({}{}): {}",
            launch_text(facts, observation, &launch),
            place(facts, observation),
            happening(facts, observation)
        ),
        trail: trail(facts, observation),
        execution: observation.execution,
        launch,
        ring: match &observation.event {
            Event::Hazard(hazard) => ring_of(facts, hazard),
            _ => None,
        },
    }
}

/// Returns the ring in which accesses of two iterations collide that would use different slots if its counter
/// advanced by one in each iteration.
fn ring_of(facts: &Facts, hazard: &Hazard) -> Option<BufferId> {
    let own = |end: &End| {
        let view = facts.program.instruction(end.stmt)?.local(end.operand)?;
        Some(view.buffer)
    };
    let (first, second) = (&hazard.first, &hazard.second);
    let ring = own(first).filter(|&ring| own(second) == Some(ring))?;
    let slots = i64::from(facts.program.buffer(ring).slots);
    let [(before, outside), (after, same)] = [
        first.iterations.split_last()?,
        second.iterations.split_last()?,
    ];
    let is_apart = outside != same || (after - before) % slots != 0;
    (slots > 1 && is_apart).then_some(ring)
}

/// Maximum number of arguments of a launch that are all named, and of those that decide about a finding.
const NAMED: usize = 8;

/// Formats a launch: `M=130`, `invented launch M=130`, `M=130 of tests/test_rows.py:12`. Of many arguments, only those
/// that decide about the observation are named.
fn launch_text(facts: &Facts, observation: &Observation, launch: &[(String, f64)]) -> String {
    let execution = facts.replay.execution(observation);
    let named: Vec<&(String, f64)> = match launch.len() <= NAMED {
        true => launch.iter().collect(),
        false => {
            let deciding = deciding(facts, observation);
            let decides = |(name, _): &&(String, f64)| deciding.iter().any(|it| it == name);
            launch.iter().filter(decides).take(NAMED).collect()
        }
    };
    let values = named.iter().map(|(name, value)| format!("{name}={value}"));
    let mut text = values.collect::<Vec<_>>().join(", ");
    match (named.len(), launch.len() - named.len()) {
        (0, 0) => text = "without arguments".to_owned(),
        (0, left) => text = counted(left as i64, "argument"),
        (_, 0) => {}
        (_, left) => text += &format!(" and {left} more"),
    }
    if execution.is_invented && !launch.is_empty() {
        text = format!("invented launch {text}");
    }
    match &execution.place {
        Some(place) => format!("{text} of {place}"),
        None => text,
    }
}

/// Returns the names of the parameters that decide about an observation: those that the places, extents, iterations
/// and conditions of its statements are computed from.
fn deciding(facts: &Facts, observation: &Observation) -> Vec<String> {
    let program = facts.program;
    let mut deciding = Deciding::new(program, Through::Control);
    let mut statements: Vec<StmtId> = observation.stmt.into_iter().collect();
    match &observation.event {
        Event::Hazard(hazard) => statements.push(hazard.first.stmt),
        Event::Deadlock(lanes) => {
            statements.extend(lanes.iter().filter_map(|lane| lane.waits_at()));
        }
        Event::Machine(
            FindingKind::Overlap { stmt, .. } | FindingKind::SharedLine { stmt, .. },
        ) => {
            statements.push(*stmt);
        }
        Event::Hole { global, .. } => {
            let stores = program.instructions().into_iter().filter(|(_, instr)| {
                let stored = instr.view(DST).and_then(View::global);
                stored.is_some_and(|view| view.global == *global)
            });
            statements.extend(stores.map(|(stmt, _)| stmt.id));
        }
        Event::Overflow {
            position, buffer, ..
        } => {
            let until = (0..=buffer.index()).map(|at| BufferId(at as u32));
            for id in until.filter(|id| program.buffer(*id).position == *position) {
                deciding.buffer(id);
            }
        }
        _ => {}
    }
    statements.extend(observation.origin.as_ref().map(|origin| origin.stmt));
    statements.sort_unstable();
    statements.dedup();
    statements
        .into_iter()
        .for_each(|stmt| deciding.statement(stmt));
    names(program, deciding)
}

/// Returns the names of parameters.
pub(crate) fn names(program: &Program, deciding: Deciding) -> Vec<String> {
    let parameters = deciding.parameters().into_iter();
    parameters
        .map(|id| program.variable(id).name.to_string())
        .collect()
}

/// Formats the lane and the iterations: `, core 0, vec1, tile iteration 1`. Empty for events that no single lane
/// causes.
fn place(facts: &Facts, observation: &Observation) -> String {
    if matches!(
        observation.event,
        Event::Hole { .. } | Event::Illegal(_) | Event::Deadlock(_) | Event::Overflow { .. }
    ) {
        return String::new();
    }
    let mut text = format!(", {}", lane_text(facts, observation.lane));
    let counters = observation
        .stmt
        .map_or(Vec::new(), |stmt| counters(facts, stmt));
    for (at, turn) in observation.iterations.iter().enumerate() {
        match counters.get(at) {
            Some(name) if !name.is_empty() => text += &format!(", `{name}` iteration {turn}"),
            _ => text += &format!(", iteration {turn}"),
        }
    }
    text
}

/// Returns the names of the counters of the loops around a statement, outermost first.
fn counters(facts: &Facts, wanted: StmtId) -> Vec<String> {
    let program = facts.program;
    let loops = program.loops(wanted).iter();
    let counters = loops.filter_map(|&id| match program.statement(id)?.kind {
        StmtKind::Loop { variable, .. } => Some(variable),
        _ => None,
    });
    counters
        .map(|id| program.variable(id).name.to_string())
        .collect()
}

/// Formats what happened, as a clause.
fn happening(facts: &Facts, observation: &Observation) -> String {
    let stmt = observation.stmt.and_then(|id| facts.program.statement(id));
    let at = stmt.map_or(String::new(), |stmt| {
        let line = facts.source.line_column(stmt.span.start).line;
        let name = stmt
            .kind
            .instr()
            .map_or("the statement", |instr| facts.program.call_name(instr));
        format!("{name} at line {line}")
    });
    let scene = stmt.and_then(|stmt| {
        let instr = stmt.kind.instr()?;
        Some(Scene {
            observation,
            stmt,
            instr,
        })
    });
    let what = scene.map_or("an operand".to_owned(), |scene| match scene.view() {
        Some(view) => operand_text(facts, view),
        None => "an operand".to_owned(),
    });
    match &observation.event {
        Event::Machine(kind) => match kind {
            kind if kind.is_undefined() => undefined_clause(facts, observation, &at, &what),
            FindingKind::Overrun { bytes, write, .. } => {
                let verb = if *write { "writes" } else { "reads" };
                format!("{at} {verb} {bytes} bytes outside of the tensor of {what}")
            }
            FindingKind::Misaligned { off_by, granule } => {
                format!("{at} starts {off_by} bytes past a {granule}-byte border through {what}")
            }
            FindingKind::OutsideMemory(_) => format!("{at} leaves the memory through {what}"),
            FindingKind::GlobalBounds { global, .. } => {
                let execution = facts.replay.execution(observation);
                let global = &execution.bound.globals[global.index()];
                format!("{at} leaves {} {:?}", global.name, global.shape)
            }
            FindingKind::Overlap { other, .. } => format!(
                "{at} stores other values where {} has stored",
                lane_text(facts, *other)
            ),
            FindingKind::SharedLine { other, .. } => format!(
                "{at} stores into a line in which {} has stored",
                lane_text(facts, *other)
            ),
            _ => format!("{at} {}", times(observation.count)),
        },
        Event::Illegal(reason) => format!("{at} was left out: {reason}"),
        Event::Overflow {
            position,
            needed,
            buffer,
        } => {
            let name = facts.program.buffer(*buffer).label();
            let limit = facts.program.usable(*position);
            format!(
                "the buffers up to `{name}` take {needed} bytes of {position}, which has {limit}"
            )
        }
        Event::Hazard(hazard) => {
            let first = facts.program.statement(hazard.first.stmt);
            let line = first.map_or(0, |stmt| facts.source.line_column(stmt.span.start).line);
            let lane = hazard.first.lane;
            let other = match hazard.is_within_lane() {
                true => String::new(),
                false => format!(" on {}", lane_text(facts, lane)),
            };
            let turns = match hazard.first.iterations.as_slice() {
                [] => String::new(),
                turns => format!(", iteration {turns:?}"),
            };
            match (hazard.kind, hazard.first.index, hazard.second.index) {
                (HazardKind::RingOverrun, Some(first), Some(second)) => {
                    format!("{at} wants slot {second}, line {line}{turns} has made it {first}")
                }
                _ => format!("{at} has not waited for line {line}{other}{turns}"),
            }
        }
        Event::Deadlock(lanes) => {
            let first = lanes.iter().take(3).map(|blocked| {
                let (core, kind) = (blocked.lane.core, blocked.lane.kind.name());
                format!(
                    "core {core} {kind} waits {}",
                    blocked.waiting.describe(facts.program)
                )
            });
            first.collect::<Vec<_>>().join(", ")
        }
        Event::Fault(fault) => fault.clause(facts.program, None),
        Event::Unset(variable) => facts.program.variable(*variable).without_value(true),
        Event::Hole {
            global,
            first,
            elements,
            ..
        } => {
            let name = &facts.program.global(*global).name;
            let verb = if *elements == 1 { "stays" } else { "stay" };
            format!(
                "{} of {name} {verb} unwritten, the first at flat index {first}",
                counted(*elements, "element")
            )
        }
        Event::Stale { global, rest, .. } => {
            let name = &facts.program.global(*global).name;
            match rest {
                Rest::Older(_) => {
                    format!("{at} fills less than before, and {name} depends on what it leaves")
                }
                Rest::Filler => {
                    format!(
                        "{at} fills the last block of a row, and {name} depends on the value it is filled with"
                    )
                }
            }
        }
        Event::NonFinite { value, global } => {
            let name = &facts.program.global(*global).name;
            let element = observation.element.unwrap_or(0);
            format!(
                "{at} makes {value} of finite operands (element {element}), and {name} receives it"
            )
        }
    }
}

fn times(count: u64) -> String {
    match count {
        1 => "does so once".to_owned(),
        _ => format!("does so {count} times, over all lanes"),
    }
}

/// Formats where undefined data comes from: `elements 2..63 of ub_x are undefined and reach cmax at line 41`.
fn undefined_clause(facts: &Facts, observation: &Observation, at: &str, what: &str) -> String {
    let Some(origin) = &observation.origin else {
        return format!("{what} is undefined and reaches {at}");
    };
    let part = origin_text(facts, origin);
    let carriers = carriers(facts, origin).into_iter();
    let mut way: Vec<String> = carriers
        .map(|(_, workspace)| workspace.to_owned())
        .collect();
    if Some(origin.stmt) != observation.stmt {
        way.push(what.to_owned());
    }
    match way.is_empty() {
        true => format!("{part} are undefined and reach {at}"),
        false => format!(
            "{part} are undefined and reach {at} through {}",
            way.join(" and ")
        ),
    }
}

/// Formats the undefined part of a memory: `elements 2..63 of ub_x`.
pub(crate) fn origin_text(facts: &Facts, origin: &Origin) -> String {
    match origin.source {
        Source::Buffer(id) => {
            let buffer = facts.program.buffer(id);
            let dtype = origin_type(facts, origin).unwrap_or(buffer.dtype);
            let columns = facts.program.size(buffer.shape[1]);
            let columns = columns.map(|columns| columns * buffer.dtype.bits() / dtype.bits());
            let part = part_text(
                origin.part,
                dtype,
                columns.filter(|_| buffer.position == Position::Ub),
            );
            format!("{part} of {}", buffer.label())
        }
        Source::Global(id) => {
            let global = facts.program.global(id);
            let dtype = global.dtype.unwrap_or(DType::UInt8);
            format!("{} of {}", part_text(origin.part, dtype, None), global.name)
        }
    }
}

fn origin_type(facts: &Facts, origin: &Origin) -> Option<DType> {
    let stmt = facts.program.statement(origin.stmt)?;
    Some(stmt.kind.instr()?.view(origin.operand)?.local()?.dtype)
}

/// Formats a part: `elements 2..64`, or `columns 2..64 of row 3` if the row width is known. Ranges are half open.
fn part_text(part: Part, dtype: DType, columns: Option<i64>) -> String {
    let first = elements_in(part.first, dtype);
    let run = elements_in(part.run, dtype).max(1);
    let all = elements_in(part.bytes, dtype).max(run);
    let more = match all > run {
        true => format!(" ({all} elements in all)"),
        false => String::new(),
    };
    match columns.filter(|&columns| columns > 0 && first >= columns) {
        Some(columns) if first % columns == 0 && run > columns => {
            let last = (first + run - 1) / columns;
            format!("rows {}..{}{more}", first / columns, last + 1)
        }
        Some(columns) => {
            let column = first % columns;
            let end = (column + run).min(columns);
            format!("columns {column}..{end} of row {}{more}", first / columns)
        }
        None => format!("elements {first}..{}{more}", first + run),
    }
}

/// Returns the statements that write a memory.
pub(crate) fn writers<'a>(facts: &Facts<'a>, source: Source) -> Vec<&'a Stmt> {
    let writes = |instr: &Instr| {
        let mut written = instr
            .operands()
            .filter(|(_, operand, _)| operand.access.writes());
        written.any(|(_, _, view)| match (view, source) {
            (View::Local(view), Source::Buffer(id)) => view.buffer == id,
            (View::Global(view), Source::Global(id)) => view.global == id,
            _ => false,
        })
    };
    let instructions = facts.instructions();
    instructions
        .filter(|(_, instr)| writes(instr))
        .map(|(stmt, _)| stmt)
        .collect()
}

/// The cause of undefined data, which decides the rule that reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The tensor was not written, or not all of it.
    Unwritten,
    /// A `dup` filled only a part of its operand.
    NarrowFill,
    /// A load filled a part of the tensor, and the rest is reduced with it.
    Padding,
    /// A masked reduction left some results unwritten.
    MaskedReduction,
    /// The cube reads rows of a workspace that no vec lane has written.
    HalfWritten,
    /// An output or workspace is read before anything has written it.
    Unseeded,
    /// Another observation explains it better: a load outside of its tensor, a write that overran into it, a product
    /// accumulated onto an undefined accumulator.
    Explained,
}

/// Returns the cause of an observation of undefined data. All observations of one origin share the cause of the first.
fn cause(facts: &Facts, observation: &Observation) -> Cause {
    let Some(origin) = &observation.origin else {
        return Cause::Unwritten;
    };
    if let Source::Buffer(id) = origin.source
        && is_reloaded_in_part(facts, id)
    {
        return Cause::Explained;
    }
    let source = |seen: &&Observation| seen.origin.as_ref().map(|origin| origin.source);
    let mut observations = facts.replay.observations.iter();
    let first =
        observations.find(|seen| seen.is_undefined() && source(seen) == Some(origin.source));
    match origin.source {
        source if is_explained(facts, source) => Cause::Explained,
        Source::Global(_) if origin.lane.kind == LaneKind::Cube => Cause::HalfWritten,
        Source::Global(_) => Cause::Unseeded,
        Source::Buffer(id) => buffer_cause(facts, first.unwrap_or(observation), id),
    }
}

/// Returns whether an observation of another kind explains why a memory is undefined.
fn is_explained(facts: &Facts, source: Source) -> bool {
    let writers = writers(facts, source);
    facts.replay.observations.iter().any(|seen| {
        let writes = || writers.iter().any(|stmt| Some(stmt.id) == seen.stmt);
        match seen.kind() {
            Some(FindingKind::GlobalBounds { write, .. }) => !write && writes(),
            Some(FindingKind::UnseededProduct) => writes(),
            Some(FindingKind::UnseededStore(id)) => source == Source::Global(id),
            Some(FindingKind::Overrun {
                neighbour: Some(hit),
                write: true,
                ..
            }) => source == Source::Buffer(hit),
            _ => false,
        }
    })
}

/// Returns an instruction that has its work area in a buffer.
fn worker<'a>(facts: &Facts<'a>, buffer: BufferId) -> Option<(&'a Stmt, &'a Instr)> {
    facts.instructions().find(|(_, instr)| {
        instr.operands().any(|(_, operand, view)| {
            let is_it = view.local().is_some_and(|view| view.buffer == buffer);
            is_it && operand.walk == Walk::Work
        })
    })
}

fn buffer_cause(facts: &Facts, observation: &Observation, id: BufferId) -> Cause {
    if worker(facts, id).is_some() {
        return Cause::Unwritten;
    }
    let writers = writers(facts, Source::Buffer(id));
    let written_by = |test: &dyn Fn(&Stmt, &Instr) -> bool| {
        let mut instructions = writers
            .iter()
            .filter_map(|stmt| Some((stmt, stmt.kind.instr()?)));
        instructions.any(|(stmt, instr)| test(stmt, instr))
    };
    let is_masked_reduction = |stmt: &Stmt, instr: &Instr| {
        matches!(instr.row().class, Class::Reduce | Class::GroupReduce)
            && facts.analysis.mask_at(stmt.id) != MaskState::Full
    };
    if written_by(&is_masked_reduction) {
        return Cause::MaskedReduction;
    }
    if narrow_fill(facts, observation).is_some() {
        return Cause::NarrowFill;
    }
    let is_load = |_: &Stmt, instr: &Instr| instr.row().moves(Place::Gm, Place::UB);
    match observation.kind() {
        Some(FindingKind::UndefinedReduction) if written_by(&is_load) => Cause::Padding,
        _ => Cause::Unwritten,
    }
}

/// Returns the `dup` before the read that left out the undefined bytes. Gaps with known readers are excluded: the
/// analysis reports those itself.
pub(crate) fn narrow_fill<'f, 'a>(
    facts: &'f Facts<'a>,
    observation: &Observation,
) -> Option<&'f Gap<'a>> {
    let Origin {
        source: Source::Buffer(id),
        stmt,
        part,
        ..
    } = observation.origin.as_ref()?
    else {
        return None;
    };
    let undefined = RangeSet::span(part.first, part.first + part.run);
    facts.analysis.gaps.iter().find(|gap| {
        gap.view.buffer == *id
            && gap.readers.is_empty()
            && gap.stmt.id < *stmt
            && gap.missing.intersects(&undefined)
    })
}

/// Returns whether a partial load of the buffer was seen to leave data of an older tile that matters. Undefined data in
/// this buffer then comes from the same mistake.
fn is_reloaded_in_part(facts: &Facts, buffer: BufferId) -> bool {
    let is_older = |seen: &Observation| {
        matches!(
            seen.event,
            Event::Stale {
                rest: Rest::Older(_),
                ..
            }
        )
    };
    let stale = Scene::all(facts, is_older);
    let mut views = stale.iter().filter_map(|scene| scene.view()?.local());
    views.any(|view| view.buffer == buffer)
}

/// Returns the scenes of undefined data with a given cause, grouped by origin: the first statement that uses the
/// data, then the others.
pub(crate) fn undefined_scenes<'a>(
    facts: &Facts<'a>,
    wanted: Cause,
) -> Vec<(Scene<'a>, Vec<Scene<'a>>)> {
    let scenes = Scene::all(facts, |observation| {
        observation.is_undefined() && cause(facts, observation) == wanted
    });
    let mut groups: Vec<(Scene, Vec<Scene>)> = Vec::new();
    for scene in scenes {
        let source = |scene: &Scene| {
            scene
                .observation
                .origin
                .as_ref()
                .map(|origin| origin.source)
        };
        let same = |group: &&mut (Scene, Vec<Scene>)| {
            source(&scene).is_some() && source(&group.0) == source(&scene)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.1.push(scene),
            None => groups.push((scene, Vec::new())),
        }
    }
    groups
}

/// Adds the labels of a finding about undefined data: the declaration, the first read, the stores that carried it
/// through workspaces, and other statements that it reaches.
pub(crate) fn labelled<'s>(
    mut report: Report<'s>,
    facts: &Facts,
    scene: &Scene,
    others: &[Scene],
) -> Report<'s> {
    const LABELLED: usize = 2;
    if let Some(origin) = &scene.observation.origin {
        let (span, text) = match origin.source {
            Source::Buffer(id) => {
                let buffer = facts.program.buffer(id);
                match worker(facts, id) {
                    Some((stmt, instr)) => (
                        stmt.span,
                        format!(
                            "{} overwrites a part of `{}`: it works there",
                            call(facts, instr),
                            buffer.label()
                        ),
                    ),
                    None => (
                        buffer.span,
                        format!("{} is allocated here", allocation(facts, buffer)),
                    ),
                }
            }
            Source::Global(id) => {
                let global = facts.program.global(id);
                (global.span, format!("`{}` is declared here", global.name))
            }
        };
        report = report.label(span, text);
        let reader = facts
            .program
            .statement(origin.stmt)
            .filter(|stmt| stmt.id != scene.stmt.id);
        if let Some((stmt, instr)) = reader.and_then(|stmt| Some((stmt, stmt.kind.instr()?))) {
            let text = format!(
                "{} reads {} here",
                call(facts, instr),
                origin_text(facts, origin)
            );
            report = report.label(stmt.span, text);
        }
        for (stmt, workspace) in carriers(facts, origin) {
            let text = format!("they cross through `{workspace}`, stored here");
            report = report.label(stmt.span, text);
        }
    }
    for other in others
        .iter()
        .filter(|other| other.stmt.span != scene.stmt.span)
        .take(LABELLED)
    {
        report = report.label(other.stmt.span, "they reach this statement too");
    }
    report
}

/// Returns the stores that carried undefined data through workspaces, with the names of the workspaces.
fn carriers<'a>(facts: &Facts<'a>, origin: &Origin) -> Vec<(&'a Stmt, &'a str)> {
    let carrier = |&id: &StmtId| {
        let stmt = facts.program.statement(id)?;
        let written = stmt.kind.instr()?.view(DST)?.global()?;
        Some((stmt, facts.program.global(written.global).name.as_str()))
    };
    origin.through.iter().filter_map(carrier).collect()
}

/// Formats how a statement uses undefined data, as a verb with its object.
pub(crate) fn use_of(facts: &Facts, scene: &Scene) -> String {
    let (name, what) = (call(facts, scene.instr), scene.operand(facts));
    match scene.observation.kind() {
        Some(FindingKind::UndefinedStore(global)) => {
            let global = &facts.program.global(global).name;
            format!("{name} stores undefined elements of {what} to `{global}`")
        }
        Some(FindingKind::UndefinedReduction) => {
            format!("{name} reduces undefined elements of {what} together with defined ones")
        }
        Some(FindingKind::UndefinedScalar) => {
            format!("{name} reads an undefined element of {what} as a scalar")
        }
        Some(FindingKind::UndefinedIndex) => {
            format!("{name} takes an index from an undefined element of {what}")
        }
        _ => format!("{name} reads {what}, and nothing has written it"),
    }
}

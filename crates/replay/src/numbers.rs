//! Adds values to findings: runs a launch again up to the blamed statements and records their operands before and
//! after.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;

use super::step::{OperandValues, Step};
use super::{Execution, Replay};
use a2lint_ir::finding::{Finding, Mark, Numbers, Strip, Witness};
use a2lint_ir::{BufferId, Instr, MemoryMap, Program, StmtId, View};
use a2lint_isa as isa;
use a2lint_launches::{DEFAULT_WORK, options};
use a2lint_machine::{
    Access, BoundLaunch, Inspection, MemoryId, Observer, Site, Snapshot, simulate,
};
use a2lint_source::text::{SourceText, Span};

/// Groups of rules whose faults show in values.
const TELLING: [&str; 4] = ["COV", "MSK", "INI", "MOV"];
/// Upper bound on the findings of a kernel that get values.
const MAX_FINDINGS: usize = 16;
/// Number of launches that are tried for a finding without a witness.
const MAX_TRIES: usize = 3;
/// Number of elements in a strip.
const CELLS: usize = 6;
/// Code of the rule about elements that are never stored.
const OUTPUT_HOLE: &str = "INI004";
/// Parameter name of memory that is hit without being an operand.
const NEIGHBOUR: &str = "neighbour";
/// Upper bound on the byte ranges of an access that are examined for neighbours.
const MAX_RUNS: i64 = 4096;

/// Adds values to the findings whose faults show in them: under the launch of their witness, or under the first
/// launches of the file that execute them.
pub fn illustrate(
    source: &SourceText,
    program: &Program,
    memory: &MemoryMap,
    replay: &Replay,
    findings: &mut [Finding],
) {
    if replay.executions.is_empty() || findings.is_empty() {
        return;
    }
    let mut pending = subjects(program, findings);
    for (number, execution) in replay.executions.iter().enumerate() {
        let (now, later): (Vec<Subject>, Vec<Subject>) = pending
            .into_iter()
            .partition(|subject| subject.is_due(number));
        pending = later;
        if now.is_empty() {
            continue;
        }
        let stage = Stage {
            source,
            program,
            memory,
            bound: &execution.bound,
        };
        for mut subject in stage.run(now) {
            match subject.best.take() {
                Some((_, step)) => {
                    findings[subject.finding].numbers = numbers(program, execution, step);
                }
                None => pending.push(subject),
            }
        }
    }
}

/// A finding whose statement is watched.
struct Subject<'p> {
    /// Index among the findings.
    finding: usize,
    /// The statements that its source text was traced into.
    statements: Vec<(StmtId, &'p Instr)>,
    /// The execution of its witness, if it has one.
    occasion: Option<Occasion>,
    /// The best execution so far, with its fitness.
    best: Option<(Fitness, Step)>,
    /// Buffers and slots that the statement hits besides its operands.
    hits: Vec<(BufferId, u32)>,
    /// The execution in progress.
    current: Option<(Fitness, Step)>,
}

struct Occasion {
    execution: usize,
    core: u32,
    lane: String,
    iteration: Vec<u64>,
}

/// How well an execution illustrates a finding. One without elements is worst, that of the witness best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fitness {
    is_telling: bool,
    nearness: Nearness,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    AnyLane,
    SameLane,
    Exact,
}

fn subjects<'p>(program: &'p Program, findings: &[Finding]) -> Vec<Subject<'p>> {
    let instructions = program.instructions();
    let statements = |span: Span| {
        let holds = |outer: Span| outer.start <= span.start && span.end <= outer.end;
        let all = instructions.iter();
        let found = all.filter(|(stmt, _)| holds(stmt.span));
        found
            .map(|&(stmt, instr)| (stmt.id, instr))
            .collect::<Vec<_>>()
    };
    let telling = findings.iter().enumerate().filter(|(_, finding)| {
        let mut groups = TELLING.iter();
        // No store shows the elements that none of them stores.
        finding.code != OUTPUT_HOLE && groups.any(|group| finding.code.starts_with(group))
    });
    let subjects = telling.map(|(number, finding)| Subject {
        finding: number,
        statements: statements(finding.span),
        occasion: finding.witness.as_ref().map(Occasion::of),
        best: None,
        hits: Vec::new(),
        current: None,
    });
    let subjects = subjects.filter(|subject| !subject.statements.is_empty());
    subjects.take(MAX_FINDINGS).collect()
}

impl Occasion {
    fn of(witness: &Witness) -> Occasion {
        Occasion {
            execution: witness.execution,
            core: witness.core,
            lane: witness.lane.clone(),
            iteration: witness.iteration.clone(),
        }
    }

    fn nearness(&self, site: &Site) -> Nearness {
        if site.lane.core != self.core || site.lane.kind.name() != self.lane {
            return Nearness::AnyLane;
        }
        let turns = site.iterations.iter().map(|&turn| turn as u64);
        match turns.eq(self.iteration.iter().copied()) {
            true => Nearness::Exact,
            false => Nearness::SameLane,
        }
    }
}

impl<'p> Subject<'p> {
    /// Returns whether to watch a launch for this finding.
    fn is_due(&self, execution: usize) -> bool {
        match &self.occasion {
            Some(occasion) => occasion.execution == execution,
            None => execution < MAX_TRIES,
        }
    }

    fn instr(&self, stmt: StmtId) -> Option<&'p Instr> {
        let mut all = self.statements.iter();
        all.find(|(id, _)| *id == stmt).map(|(_, instr)| *instr)
    }

    fn nearness(&self, site: &Site) -> Nearness {
        match &self.occasion {
            Some(occasion) => occasion.nearness(site),
            None => Nearness::Exact,
        }
    }

    /// Returns whether no other execution can be better: it is that of the witness, or the first on its lane if the
    /// witness has other loops around it.
    fn is_settled(&self) -> bool {
        let Some((fitness, step)) = &self.best else {
            return false;
        };
        let wanted = match &self.occasion {
            Some(occasion) if occasion.iteration.len() != step.iterations.len() => {
                Nearness::SameLane
            }
            _ => Nearness::Exact,
        };
        fitness.is_telling && fitness.nearness >= wanted
    }
}

/// The launch in which statements are watched.
struct Stage<'a, 'p> {
    source: &'a SourceText,
    program: &'p Program,
    memory: &'a MemoryMap,
    bound: &'a BoundLaunch,
}

impl<'p> Stage<'_, 'p> {
    /// Watches the statements of subjects. If some hit other buffers, a second run records these before and
    /// after.
    fn run(&self, subjects: Vec<Subject<'p>>) -> Vec<Subject<'p>> {
        let mut subjects = self.watch(subjects, true);
        if subjects.iter().any(|subject| !subject.hits.is_empty()) {
            // Only now is it known which neighbours have to be recorded before and after.
            subjects.iter_mut().for_each(|subject| subject.best = None);
            subjects = self.watch(subjects, false);
        }
        subjects
    }

    fn watch(&self, subjects: Vec<Subject<'p>>, looks_for_hits: bool) -> Vec<Subject<'p>> {
        let options = options(DEFAULT_WORK, false);
        let mut watch = Watch {
            stage: self,
            subjects,
            looks_for_hits,
        };
        simulate(self.program, self.bound, &options, &mut watch);
        watch.subjects
    }

    /// Returns the buffers and slots outside of its own slot that an operand writes to.
    fn hits(&self, instr: &Instr, access: &Access) -> Vec<(BufferId, u32)> {
        let own = instr.view(access.operand).and_then(View::local);
        let size = own.and_then(|view| self.memory.get(view.buffer).slot_bytes);
        let (Some(size), MemoryId::Local(position)) = (size, access.memory) else {
            return Vec::new();
        };
        // After a rewind of the allocator, several buffers may share an address.
        if !access.write || self.program.rewinds_memory {
            return Vec::new();
        }
        let own = access.base..access.base + size;
        let rows = access.rows.iter().filter(|rows| rows.count <= MAX_RUNS);
        let outside = rows
            .flat_map(|rows| rows.runs())
            .filter_map(|(start, length)| {
                let end = start + length;
                (start < own.start)
                    .then_some(start)
                    .or_else(|| (end > own.end).then_some(start.max(own.end)))
            });
        let mut known = FxHashSet::default();
        let hits = outside.filter_map(|address| {
            let hit = self.memory.neighbour_at(position, address)?;
            Some((hit.buffer, hit.slot))
        });
        hits.filter(|hit| known.insert(*hit)).collect()
    }
}

struct Watch<'s, 'a, 'p> {
    stage: &'s Stage<'a, 'p>,
    subjects: Vec<Subject<'p>>,
    looks_for_hits: bool,
}

impl Observer for Watch<'_, '_, '_> {
    fn watches(&self, stmt: StmtId) -> bool {
        let mut subjects = self.subjects.iter();
        subjects.any(|subject| subject.instr(stmt).is_some())
    }

    fn wants_accesses(&self) -> bool {
        self.looks_for_hits
    }

    fn access(&mut self, site: &Site, access: &Access) {
        for subject in &mut self.subjects {
            let Some(instr) = subject.instr(site.stmt) else {
                continue;
            };
            if subject.current.is_some() && subject.hits.is_empty() {
                subject.hits = self.stage.hits(instr, access);
            }
        }
    }

    fn before(&mut self, site: &Site, execution: u64, inspection: &mut Inspection) {
        for subject in &mut self.subjects {
            subject.current = None;
            let Some(instr) = subject.instr(site.stmt) else {
                continue;
            };
            let fitness = Fitness {
                is_telling: true,
                nearness: subject.nearness(site),
            };
            if subject
                .best
                .as_ref()
                .is_some_and(|(best, _)| *best >= fitness)
            {
                continue;
            }
            let Stage {
                source, program, ..
            } = *self.stage;
            let at = (site, execution);
            let mut step = Step::before(source, program, instr, at, inspection);
            for &(buffer, slot) in &subject.hits {
                step.operands.push(OperandValues {
                    parameter: NEIGHBOUR,
                    text: program.buffer(buffer).label().to_owned(),
                    access: isa::Access::Write,
                    before: inspection.slot(buffer, slot.into()),
                    after: None,
                    masked: Vec::new(),
                });
            }
            subject.current = Some((fitness, step));
        }
    }

    fn after(&mut self, site: &Site, _: u64, inspection: &mut Inspection) -> ControlFlow<()> {
        for subject in &mut self.subjects {
            let Some((mut fitness, mut step)) = subject.current.take() else {
                continue;
            };
            let Some(instr) = subject.instr(site.stmt) else {
                continue;
            };
            step.complete(self.stage.program, instr, inspection);
            let neighbours = step.operands.iter_mut();
            let neighbours = neighbours.filter(|operand| operand.parameter == NEIGHBOUR);
            for (operand, &(buffer, slot)) in neighbours.zip(&subject.hits) {
                operand.after = inspection.slot(buffer, slot.into());
            }
            fitness.is_telling = step.is_telling();
            if subject
                .best
                .as_ref()
                .is_none_or(|(best, _)| *best < fitness)
            {
                subject.best = Some((fitness, step));
            }
        }
        match self.subjects.iter().all(Subject::is_settled) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// Returns the elements of a step that illustrate the finding; `None` if it has none.
fn numbers(program: &Program, execution: &Execution, step: Step) -> Option<Numbers> {
    let instr = program.instruction(step.stmt)?;
    let written = |operand: &OperandValues| operand.access.writes();
    let (writes, reads): (Vec<_>, Vec<_>) = step.operands.iter().partition(|it| written(it));
    let strips: Vec<Strip> = reads.into_iter().chain(writes).filter_map(strip).collect();
    (!strips.is_empty()).then(|| Numbers {
        instruction: program.call_name(instr).to_owned(),
        launch: execution.arguments(program),
        is_invented: execution.is_invented,
        core: step.lane.core,
        lane: step.lane.kind.name(),
        iteration: step.iterations,
        strips,
        masked: step.masked,
    })
}

/// Returns the elements of an operand around the first border between elements of different kinds.
fn strip(operand: &OperandValues) -> Option<Strip> {
    let shown = operand.shown().filter(|shown| !shown.values.is_empty())?;
    let elements = shown.values.len();
    let is_written = operand.access.writes();
    let before = operand
        .before
        .as_ref()
        .filter(|it| it.values.len() == elements);
    let is_defined = |snapshot: Option<&Snapshot>, index: usize| {
        snapshot.is_some_and(|snapshot| snapshot.defined[index])
    };
    let mark = |index: usize| match (operand.is_changed(index), operand.is_masked(index)) {
        (true, _) => Mark::Changed,
        (_, true) => Mark::Masked,
        _ => Mark::None,
    };
    let kind = |index: usize| (shown.defined[index], is_defined(before, index), mark(index));
    let border = (1..elements).find(|&index| kind(index) != kind(index - 1));
    let border = border.unwrap_or(0);
    // The border is in the middle of the strip, unless the operand ends before that.
    let first = border
        .saturating_sub(CELLS / 2)
        .min(elements.saturating_sub(CELLS));
    let shown_cells = first..(first + CELLS).min(elements);
    let cells = |snapshot: Option<&Snapshot>| {
        let value = |snapshot: &Snapshot, index: usize| {
            snapshot.defined[index].then_some(snapshot.values[index])
        };
        let cells = snapshot.map(|it| shown_cells.clone().map(|index| value(it, index)).collect());
        cells.unwrap_or_default()
    };
    let undefined = |snapshot: Option<&Snapshot>| {
        let defined = snapshot.map_or(&[][..], |snapshot| &snapshot.defined);
        defined.iter().filter(|&&defined| !defined).count()
    };
    Some(Strip {
        operand: operand.parameter,
        view: operand.text.clone(),
        dtype: shown.dtype,
        shape: shown.shape,
        first,
        focus: border - first,
        before: cells(before),
        after: cells(operand.after.as_ref().filter(|_| is_written)),
        marks: shown_cells.clone().map(mark).collect(),
        undefined_before: undefined(before),
        undefined: undefined(Some(shown)),
        changed: operand.changed(),
    })
}

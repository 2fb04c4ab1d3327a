//! How an element of a result was computed: its last store, and the statements that contributed to it.
//!
//! The run is repeated twice, with the same bits: once to record the accesses of the last instructions, from
//! which the contributing statements are found backwards, and once to record their operands. Operands count as
//! read whole, so a statement may be listed that the element does not depend on. Everything that it does depend
//! on is listed, as far back as the record goes.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::time::Instant;

use rustc_hash::FxHashMap;

use super::compare::coordinates;
use super::{Job, Supervisor};
use a2lint_ir::{Deciding, GlobalId, Instr, Program, StmtId, StmtKind, Through, VariableId};
use a2lint_isa::Position;
use a2lint_machine::{
    Access, Inspection, LaneId, MemoryId, Observer, Progress, Rows, Site, simulate,
};
use a2lint_replay::Step;

/// Upper bound on the recorded instructions.
const MAX_EVENTS: usize = 1 << 16;
/// Upper bound on the listed statements.
const MAX_STATEMENTS: usize = 40;
/// Upper bound on the memory regions that are followed at a time.
const MAX_NEEDED: usize = 512;

/// How an element was computed.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// The last store; `None` if nothing wrote the element.
    pub writer: Option<Writer>,
    /// The contributing statements, one execution of each, in order of execution.
    pub steps: Vec<Step>,
    /// Whether earlier contributions may be missing.
    pub is_cut: bool,
}

/// The last store to an element.
#[derive(Clone, Debug, PartialEq)]
pub struct Writer {
    /// The statement.
    pub stmt: StmtId,
    /// The cube or vec core that executed the statement.
    pub lane: LaneId,
    /// Iteration numbers of the loops around it, outermost first.
    pub iterations: Vec<i64>,
    /// The first element that it wrote.
    pub first: Vec<i64>,
    /// The last element that it wrote.
    pub last: Vec<i64>,
}

/// A memory, among those of all cores and lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Global(GlobalId),
    Core(u32, Position),
    Lane(LaneId),
    /// A variable of a lane that is read from memory.
    Variable(LaneId, VariableId),
}

impl Place {
    fn of(lane: LaneId, memory: MemoryId) -> Place {
        match memory {
            MemoryId::Global(global) => Place::Global(global),
            MemoryId::Local(Position::Ub) => Place::Lane(lane),
            MemoryId::Local(position) => Place::Core(lane.core, position),
        }
    }
}

/// A range of bytes in a memory, from the first to the last that is accessed.
#[derive(Clone, Copy, Debug)]
struct Region {
    place: Place,
    start: i64,
    end: i64,
}

impl Region {
    fn meets(&self, other: &Region) -> bool {
        self.place == other.place && self.start < other.end && other.start < self.end
    }

    fn covers(&self, other: &Region) -> bool {
        self.place == other.place && self.start <= other.start && other.end <= self.end
    }
}

/// An executed instruction.
#[derive(Clone, Debug)]
struct Event {
    stmt: StmtId,
    lane: LaneId,
    iterations: Vec<i64>,
    reads: Vec<Region>,
    writes: Vec<Region>,
}

/// Records accesses, and finds what contributed to one byte of a global tensor.
struct Chronicle<'a> {
    program: &'a Program,
    /// Whether anything reads a variable from memory.
    reads_scalars: bool,
    /// The variables, read from memory, that decide about each statement.
    loaded: FxHashMap<StmtId, Vec<VariableId>>,
    supervisor: &'a mut dyn Supervisor,
    deadline: Instant,
    global: GlobalId,
    byte: i64,
    events: VecDeque<Event>,
    /// Whether events were dropped.
    is_cut: bool,
    /// The rows of the current store, if it writes the byte.
    hit: Option<Vec<Rows>>,
    found: Option<Found>,
}

/// What contributed to the byte, up to its last store so far.
struct Found {
    store: Event,
    rows: Vec<Rows>,
    chain: Vec<Event>,
    is_cut: bool,
}

impl Chronicle<'_> {
    /// Finishes the current instruction.
    fn settle(&mut self) {
        if let Some(rows) = self.hit.take()
            && let Some(store) = self.events.back().cloned()
        {
            let (chain, is_cut) = chain(&self.events, self.is_cut);
            self.found = Some(Found {
                store,
                rows,
                chain,
                is_cut,
            });
        }
    }
}

/// A region that an event reads, and the number of steps from that event to the last one.
struct Need {
    region: Region,
    distance: u32,
}

/// Returns the events that contributed to the last one, one for each statement, latest first, preferring those
/// with the fewest steps from writes to reads; and whether there may be more. `is_cut` says that events were
/// dropped.
fn chain(events: &VecDeque<Event>, is_cut: bool) -> (Vec<Event>, bool) {
    let mut needed: Vec<Need> = Vec::new();
    let mut chain: Vec<(u32, &Event)> = Vec::new();
    for event in events.iter().rev() {
        let met = needed.iter().filter(|need| {
            let mut writes = event.writes.iter();
            writes.any(|write| need.region.meets(write))
        });
        let distance = match met.map(|need| need.distance).min() {
            Some(nearest) => nearest + 1,
            None if chain.is_empty() => 0,
            None => continue,
        };
        let writes = &event.writes;
        // A write that does not cover a region leaves the rest of it to earlier writes.
        needed.retain(|need| !writes.iter().any(|write| write.covers(&need.region)));
        for &region in &event.reads {
            if !needed.iter().any(|need| need.region.covers(&region)) {
                needed.push(Need { region, distance });
            }
        }
        match chain.iter_mut().find(|(_, known)| known.stmt == event.stmt) {
            Some((known, _)) => *known = distance.min(*known),
            None => chain.push((distance, event)),
        }
        if needed.is_empty() || needed.len() > MAX_NEEDED {
            break;
        }
    }
    let mut nearest: Vec<usize> = (0..chain.len()).collect();
    nearest.sort_by_key(|&at| chain[at].0);
    nearest.truncate(MAX_STATEMENTS);
    nearest.sort_unstable();
    let is_whole = needed.is_empty() || !is_cut && needed.len() <= MAX_NEEDED;
    let is_cut = !is_whole || nearest.len() < chain.len();
    let near = nearest.into_iter().map(|at| chain[at].1.clone());
    (near.collect(), is_cut)
}

impl Observer for Chronicle<'_> {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn is_expired(&mut self) -> bool {
        Instant::now() >= self.deadline
    }

    fn is_cancelled(&mut self) -> bool {
        self.supervisor.is_cancelled()
    }

    fn begin(&mut self, site: &Site) {
        self.settle();
        if self.events.len() == MAX_EVENTS {
            self.events.pop_front();
            self.is_cut = true;
        }
        let region = |variable: VariableId| Region {
            place: Place::Variable(site.lane, variable),
            start: 0,
            end: 1,
        };
        let (program, reads_scalars) = (self.program, self.reads_scalars);
        let reads = self.loaded.entry(site.stmt).or_insert_with(|| {
            // What decides is searched for in the whole program.
            if !reads_scalars {
                return Vec::new();
            }
            let mut deciding = Deciding::new(program, Through::Data);
            deciding.statement(site.stmt);
            deciding.loaded()
        });
        let reads = reads.iter().copied().map(region).collect();
        let instr = program.instruction(site.stmt);
        let written = instr.and_then(Instr::reads_into);
        self.events.push_back(Event {
            stmt: site.stmt,
            lane: site.lane,
            iterations: site.iterations.to_vec(),
            reads,
            writes: written.into_iter().map(region).collect(),
        });
    }

    fn access(&mut self, site: &Site, access: &Access) {
        let Some(event) = self.events.back_mut() else {
            return;
        };
        let place = Place::of(site.lane, access.memory);
        let bounds = access.rows.iter().filter_map(Rows::bounds);
        let regions = bounds.map(|(start, end)| Region { place, start, end });
        match access.write {
            true => event.writes.extend(regions),
            false => event.reads.extend(regions),
        }
        if access.write && place == Place::Global(self.global) {
            let byte = self.byte;
            let holds = |rows: &Rows| {
                let mut runs = rows.runs();
                runs.any(|(start, length)| start <= byte && byte < start + length)
            };
            if access.rows.iter().any(holds) {
                self.hit = Some(access.rows.to_vec());
            }
        }
    }
}

/// Records the operands of selected executions.
struct Witness<'a, 'j> {
    supervisor: &'a mut dyn Supervisor,
    deadline: Instant,
    job: &'a Job<'j>,
    instructions: FxHashMap<StmtId, (&'a Instr, &'a Event)>,
    current: Option<Step>,
    seen: FxHashMap<StmtId, Step>,
}

impl Witness<'_, '_> {
    fn is_meant(&self, site: &Site) -> bool {
        let chosen = self.instructions.get(&site.stmt);
        chosen.is_some_and(|(_, event)| {
            event.lane == site.lane && event.iterations == site.iterations
        })
    }
}

impl Observer for Witness<'_, '_> {
    fn watches(&self, stmt: StmtId) -> bool {
        self.instructions.contains_key(&stmt)
    }

    fn is_expired(&mut self) -> bool {
        Instant::now() >= self.deadline
    }

    fn is_cancelled(&mut self) -> bool {
        self.supervisor.is_cancelled()
    }

    fn progress(&mut self, progress: &Progress) {
        self.supervisor.progress(progress);
    }

    fn before(&mut self, site: &Site, execution: u64, inspection: &mut Inspection) {
        self.current = None;
        if self.is_meant(site)
            && let Some((instr, _)) = self.instructions.get(&site.stmt)
        {
            let source = &self.job.file.source;
            let at = (site, execution);
            let step = Step::before(source, self.job.program, instr, at, inspection);
            self.current = Some(step);
        }
    }

    fn after(
        &mut self,
        site: &Site,
        _execution: u64,
        inspection: &mut Inspection,
    ) -> ControlFlow<()> {
        if let Some(mut step) = self.current.take()
            && let Some((instr, _)) = self.instructions.get(&site.stmt)
        {
            step.complete(self.job.program, instr, inspection);
            self.seen.insert(site.stmt, step);
        }
        ControlFlow::Continue(())
    }
}

impl Job<'_> {
    /// Returns how the element at a flat index of a global tensor was computed.
    pub fn history(
        &self,
        global: GlobalId,
        element: usize,
        supervisor: &mut dyn Supervisor,
    ) -> History {
        let bound = &self.bound.launch.globals[global.index()];
        let bits = bound.dtype.bits();
        let deadline = self.deadline(Instant::now());
        let mut chronicle = Chronicle {
            program: self.program,
            reads_scalars: self.program.reads_scalars(),
            loaded: FxHashMap::default(),
            supervisor: &mut *supervisor,
            deadline,
            global,
            byte: element as i64 * bits / 8,
            events: VecDeque::new(),
            is_cut: false,
            hit: None,
            found: None,
        };
        simulate(
            self.program,
            &self.bound.launch,
            &self.options(),
            &mut chronicle,
        );
        chronicle.settle();
        let Some(found) = chronicle.found.take() else {
            return History {
                writer: None,
                steps: Vec::new(),
                is_cut: false,
            };
        };
        let runs = found.rows.iter().filter_map(Rows::bounds);
        let (start, end) = runs.fold((i64::MAX, 0), |(first, last), (start, end)| {
            (first.min(start), last.max(end))
        });
        let at = |byte: i64| coordinates((byte * 8 / bits) as usize, &bound.shape);
        History {
            writer: Some(Writer {
                stmt: found.store.stmt,
                lane: found.store.lane,
                iterations: found.store.iterations.clone(),
                first: at(start),
                last: at(end - 1),
            }),
            steps: self.watch(&found.chain, deadline, supervisor),
            is_cut: found.is_cut,
        }
    }

    /// Returns the executions of a chain with their operands, earliest first.
    fn watch(
        &self,
        chain: &[Event],
        deadline: Instant,
        supervisor: &mut dyn Supervisor,
    ) -> Vec<Step> {
        let mut instructions = FxHashMap::default();
        self.program.walk(&mut |stmt| {
            let event = chain.iter().find(|event| event.stmt == stmt.id);
            if let (StmtKind::Instr(instr), Some(event)) = (&stmt.kind, event) {
                instructions.insert(stmt.id, (instr, event));
            }
        });
        let mut witness = Witness {
            supervisor,
            deadline,
            job: self,
            instructions,
            current: None,
            seen: FxHashMap::default(),
        };
        simulate(
            self.program,
            &self.bound.launch,
            &self.options(),
            &mut witness,
        );
        let mut seen = witness.seen;
        let events = chain.iter().rev();
        events
            .filter_map(|event| seen.remove(&event.stmt))
            .collect()
    }
}

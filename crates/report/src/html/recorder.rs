//! Recording of a run for its page: costs, lives of tensors, and operand values of one core.

use rustc_hash::FxHashMap;

use a2lint_ir::finding::Finding;
use a2lint_ir::{Instr, Program, StmtId};
use a2lint_machine::cost::Expense;
use a2lint_machine::hazards::{End, Hazard, Tracker};
use a2lint_machine::{
    Access, BoundLaunch, Clock, Inspection, LaneId, LaneKind, Observer, Site, SyncOp,
};
use a2lint_replay::Step;
use a2lint_source::text::SourceText;

/// Number of executions of a statement on a lane whose values are recorded.
const EXECUTIONS: usize = 3;
/// Maximum number of recorded elements of all operands. Beyond it, only executions that findings name are recorded.
const MOST_ELEMENTS: usize = 1 << 24;

/// Number of executions whose iterations are recorded, which serve to place the accesses of a race in time.
const MOST_OCCASIONS: usize = 1 << 18;

/// The core that a page shows, and the executions on it that findings name.
#[derive(Clone, Debug, Default)]
pub struct Focus {
    /// The core.
    pub core: u32,
    /// Lane and iteration of each witness on the core.
    pub witnesses: Vec<(String, Vec<u64>)>,
}

impl Focus {
    /// Returns the core of the first witness of this launch, with all witnesses on it; without a witness, the first
    /// core.
    pub fn of(findings: &[Finding], program: &Program, launch: &BoundLaunch) -> Focus {
        let scalars = launch.scalars(program);
        let fits = |values: &[(String, f64)]| {
            let known = |name: &str| scalars.iter().find(|(known, _)| known == name);
            let mut values = values.iter();
            values.all(|(name, value)| known(name).is_none_or(|it| it.1 == *value))
        };
        let ours = findings.iter();
        let ours = ours.filter(|it| it.kernel.as_deref() == Some(program.name.as_str()));
        let witnesses = ours.filter_map(|it| it.witness.as_ref());
        let witnesses: Vec<_> = witnesses.filter(|it| fits(&it.launch)).collect();
        let core = witnesses.first().map_or(0, |it| it.core);
        let there = witnesses.iter().filter(|it| it.core == core);
        Focus {
            core,
            witnesses: there
                .map(|it| (it.lane.clone(), it.iteration.clone()))
                .collect(),
        }
    }

    fn has(&self, site: &Site) -> bool {
        self.witnesses.iter().any(|(lane, iteration)| {
            let numbers = site.iterations.iter().map(|&it| it as u64);
            lane == site.lane.kind.name() && numbers.eq(iteration.iter().copied())
        })
    }
}

/// One execution of a statement on a lane; the last part is the number of executions before it.
pub type Occasion = (LaneId, StmtId, u64);

/// The time for which a slot of a tensor holds data: from its first write to its last read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Life {
    /// The first write.
    pub written: Option<Occasion>,
    /// The last read.
    pub read: Option<Occasion>,
}

/// An observer that records a run.
pub struct Recorder<'a> {
    source: &'a SourceText,
    program: &'a Program,
    focus: Focus,
    instructions: FxHashMap<StmtId, &'a Instr>,
    /// The clock of the cost model.
    pub clock: Clock<'a>,
    /// Recorded steps, in the order of execution.
    pub steps: Vec<Step>,
    /// Number of executions that were not recorded.
    pub left_out: u64,
    /// The lives of slots, by index among the slots of all buffers.
    pub lives: FxHashMap<usize, Life>,
    /// Number of executions so far.
    pub executed: FxHashMap<(LaneId, StmtId), u64>,
    /// The tracker of unordered accesses.
    hazards: Tracker<'a>,
    /// Iterations of all executions on the core, up to the limit.
    occasions: FxHashMap<(LaneId, StmtId), Vec<Box<[i64]>>>,
    room: usize,
    kept: FxHashMap<(LaneId, StmtId), usize>,
    elements: usize,
    current: Option<Step>,
    is_expired: Box<dyn FnMut() -> bool + 'a>,
}

impl<'a> Recorder<'a> {
    /// Creates a recorder. `is_expired` tells when the run has to stop.
    pub fn new(
        source: &'a SourceText,
        program: &'a Program,
        cores: u32,
        focus: Focus,
        is_expired: Box<dyn FnMut() -> bool + 'a>,
    ) -> Self {
        let instructions = program.instructions().into_iter();
        Recorder {
            source,
            program,
            focus,
            instructions: instructions.map(|(stmt, instr)| (stmt.id, instr)).collect(),
            clock: Clock::new(program, cores, true),
            steps: Vec::new(),
            left_out: 0,
            lives: FxHashMap::default(),
            executed: FxHashMap::default(),
            hazards: Tracker::new(program, cores),
            occasions: FxHashMap::default(),
            room: MOST_OCCASIONS,
            kept: FxHashMap::default(),
            elements: 0,
            current: None,
            is_expired,
        }
    }

    /// Returns the hazards after the end of the run.
    pub fn take_hazards(&mut self) -> Vec<Hazard> {
        std::mem::replace(&mut self.hazards, Tracker::new(self.program, 0)).finish()
    }

    /// Returns the execution that an access of a hazard belongs to, if its iterations were recorded.
    pub fn occasion(&self, end: &End) -> Option<Occasion> {
        let all = self.occasions.get(&(end.lane, end.stmt))?;
        let at = all.iter().position(|it| **it == *end.iterations)?;
        Some((end.lane, end.stmt, at as u64))
    }

    /// Returns the core that is recorded.
    pub fn core(&self) -> u32 {
        self.focus.core
    }

    /// Returns whether to record the values of an execution. Recorded are executions that findings name, and the first
    /// [`EXECUTIONS`] of each statement on each lane, except for the second vec lane of the core.
    fn wants(&self, site: &Site) -> bool {
        if site.lane.core != self.focus.core {
            return false;
        }
        let kept = self.kept.get(&(site.lane, site.stmt)).copied().unwrap_or(0);
        let is_shown = site.lane.kind != LaneKind::Vec(1) && kept < EXECUTIONS;
        self.focus.has(site) || (is_shown && self.elements < MOST_ELEMENTS)
    }
}

impl Observer for Recorder<'_> {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn wants_costs(&self) -> bool {
        true
    }

    fn watches(&self, stmt: StmtId) -> bool {
        let instr = self.instructions.get(&stmt);
        instr.is_some_and(|instr| instr.operands().next().is_some())
    }

    fn is_expired(&mut self) -> bool {
        (self.is_expired)()
    }

    fn begin(&mut self, site: &Site) {
        self.hazards.begin(site);
        if site.lane.core == self.focus.core {
            *self.executed.entry((site.lane, site.stmt)).or_default() += 1;
            if let Some(room) = self.room.checked_sub(1) {
                self.room = room;
                let occasions = self.occasions.entry((site.lane, site.stmt)).or_default();
                occasions.push(site.iterations.into());
            }
        }
    }

    fn access(&mut self, site: &Site, access: &Access) {
        self.hazards.access(site, access);
        let Some(slot) = access.slot.filter(|_| site.lane.core == self.focus.core) else {
            return;
        };
        // The running execution is counted already.
        let executed = self.executed.get(&(site.lane, site.stmt)).copied();
        let occasion = (
            site.lane,
            site.stmt,
            executed.unwrap_or(1).saturating_sub(1),
        );
        let life = self.lives.entry(slot).or_default();
        match access.write {
            true => {
                life.written.get_or_insert(occasion);
            }
            false => life.read = Some(occasion),
        }
    }

    fn spend(&mut self, site: &Site, expense: &Expense) {
        self.clock.spend(site, expense);
    }

    fn synchronise(&mut self, site: &Site, operation: &SyncOp) {
        self.clock.synchronise(site, operation);
        self.hazards.synchronise(site, operation);
    }

    fn before(&mut self, site: &Site, execution: u64, inspection: &mut Inspection) {
        self.current = None;
        if !self.wants(site) {
            self.left_out += u64::from(site.lane.core == self.focus.core);
            return;
        }
        if let Some(instr) = self.instructions.get(&site.stmt) {
            let at = (site, execution);
            let step = Step::before(self.source, self.program, instr, at, inspection);
            self.current = Some(step);
        }
    }

    fn after(
        &mut self,
        site: &Site,
        _: u64,
        inspection: &mut Inspection,
    ) -> std::ops::ControlFlow<()> {
        if let (Some(mut step), Some(instr)) =
            (self.current.take(), self.instructions.get(&site.stmt))
        {
            step.complete(self.program, instr, inspection);
            if step.is_telling() {
                let sizes = step.operands.iter().filter_map(|it| it.shown());
                self.elements += sizes.map(|it| it.values.len()).sum::<usize>();
                *self.kept.entry((site.lane, site.stmt)).or_default() += 1;
                self.steps.push(step);
            }
        }
        std::ops::ControlFlow::Continue(())
    }
}

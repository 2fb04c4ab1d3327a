//! Records the unchanged run of a launch.

use crate::Job;
use a2lint_ir::GlobalKind;
use a2lint_machine::hazards::{Hazard, Tracker};
use a2lint_machine::{Access, MemoryId, Observer, Site, SyncOp};

/// Number of bytes of a global tensor that share a bit.
pub const GRAIN: usize = 8;

/// The slots, cores and instructions that a run uses.
#[derive(Clone, Debug, Default)]
pub struct Workload {
    /// Slots that were accessed, over all buffers.
    pub slots: Vec<bool>,
    /// Cores that accessed any memory.
    pub busy: Vec<bool>,
    /// For each statement, how often it was executed, and how often it accessed memory.
    pub executed: Vec<(u64, u64)>,
}

impl Workload {
    /// Adds the work of another launch.
    pub fn add(&mut self, other: &Workload) {
        fn join<T: Copy + Default>(all: &mut Vec<T>, new: &[T], add: impl Fn(&mut T, T)) {
            all.resize(all.len().max(new.len()), T::default());
            all.iter_mut()
                .zip(new)
                .for_each(|(all, &new)| add(all, new));
        }
        join(&mut self.slots, &other.slots, |all, new| *all |= new);
        join(&mut self.busy, &other.busy, |all, new| *all |= new);
        join(&mut self.executed, &other.executed, |all, new| {
            *all = (all.0 + new.0, all.1 + new.1);
        });
    }
}

/// The record of a run.
#[derive(Debug)]
pub struct Base {
    /// Conflicting accesses without an order.
    pub hazards: Vec<Hazard>,
    /// What the tracker had no room for, as a clause.
    pub forgotten: Option<String>,
    /// The parts of each global tensor that were read, in units of [`GRAIN`] bytes.
    pub read: Vec<Vec<bool>>,
    /// The slots, cores and instructions that were used.
    pub work: Workload,
}

/// Observes the run.
pub struct Recorder<'p> {
    tracker: Tracker<'p>,
    base: Base,
    /// The current statement, and whether it has accessed memory.
    current: Option<(usize, bool)>,
}

impl<'p> Recorder<'p> {
    pub fn new(job: &Job<'p>) -> Recorder<'p> {
        let (program, launch) = (job.program, &job.bound.launch);
        let globals = launch.globals.iter().zip(&program.globals);
        let read = globals.map(|(bound, global)| match global.kind {
            GlobalKind::Param => vec![false; bound.bytes.div_ceil(GRAIN)],
            GlobalKind::Workspace => Vec::new(),
        });
        let slots = program.buffers.iter().map(|it| it.slots as usize).sum();
        Recorder {
            tracker: Tracker::new(program, launch.cores),
            base: Base {
                hazards: Vec::new(),
                forgotten: None,
                read: read.collect(),
                work: Workload {
                    slots: vec![false; slots],
                    busy: vec![false; launch.cores as usize],
                    executed: vec![(0, 0); program.stmt_count as usize],
                },
            },
            current: None,
        }
    }

    pub fn finish(mut self) -> Base {
        self.settle();
        self.base.forgotten = self.tracker.forgotten();
        self.base.hazards = self.tracker.finish();
        self.base
    }

    fn settle(&mut self) {
        if let Some((stmt, has_touched)) = self.current.take() {
            let (executed, touched) = &mut self.base.work.executed[stmt];
            *executed += 1;
            *touched += u64::from(has_touched);
        }
    }

    fn note_read(&mut self, access: &Access) {
        let MemoryId::Global(id) = access.memory else {
            return;
        };
        let read = &mut self.base.read[id.index()];
        let last = read.len();
        for (start, length) in access.rows.iter().flat_map(|rows| rows.runs()) {
            let first = (start.max(0) as usize / GRAIN).min(last);
            let end = ((start + length).max(0) as usize).div_ceil(GRAIN).min(last);
            read[first..end.max(first)].fill(true);
        }
    }
}

impl Observer for Recorder<'_> {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn begin(&mut self, site: &Site) {
        self.settle();
        self.current = Some((site.stmt.index(), false));
        self.tracker.begin(site);
    }

    fn access(&mut self, site: &Site, access: &Access) {
        self.tracker.access(site, access);
        let touches = access.rows.iter().any(|rows| rows.bounds().is_some());
        if !touches {
            return;
        }
        if let Some((_, has_touched)) = &mut self.current {
            *has_touched = true;
        }
        self.base.work.busy[site.lane.core as usize] = true;
        if let Some(slot) = access
            .slot
            .filter(|&slot| slot < self.base.work.slots.len())
        {
            self.base.work.slots[slot] = true;
        }
        if !access.write {
            self.note_read(access);
        }
    }

    fn synchronise(&mut self, site: &Site, operation: &SyncOp) {
        self.tracker.synchronise(site, operation);
    }
}

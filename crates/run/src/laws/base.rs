//! Records the unchanged run of a launch.

use std::ops::Range;

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
    /// The parts of each global tensor that were written, in units of [`GRAIN`] bytes.
    pub written: Vec<Vec<bool>>,
    /// For each global tensor, whether the run read what it had stored there before.
    pub read_back: Vec<bool>,
    /// The slots, cores and instructions that were used.
    pub work: Workload,
}

/// Returns the parts of a global tensor that an access touches, of which there are `last`.
fn parts(access: &Access, last: usize) -> impl Iterator<Item = Range<usize>> {
    let runs = access.rows.iter().flat_map(|rows| rows.runs());
    runs.map(move |(start, length)| {
        let first = (start.max(0) as usize / GRAIN).min(last);
        let end = ((start + length).max(0) as usize).div_ceil(GRAIN).min(last);
        first..end.max(first)
    })
}

/// Returns a flag for each part of the parameters of a launch.
fn no_parts(job: &Job) -> Vec<Vec<bool>> {
    let globals = job.bound.launch.globals.iter().zip(&job.program.globals);
    let of_global = globals.map(|(bound, global)| match global.kind {
        GlobalKind::Param => vec![false; bound.bytes.div_ceil(GRAIN)],
        GlobalKind::Workspace => Vec::new(),
    });
    of_global.collect()
}

/// Observes what a run writes.
pub struct Writes {
    /// The parts of each global tensor that were written, in units of [`GRAIN`] bytes.
    pub written: Vec<Vec<bool>>,
}

impl Writes {
    pub fn new(job: &Job) -> Writes {
        Writes {
            written: no_parts(job),
        }
    }
}

impl Observer for Writes {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn access(&mut self, _: &Site, access: &Access) {
        if let (MemoryId::Global(id), true) = (access.memory, access.write) {
            let written = &mut self.written[id.index()];
            for parts in parts(access, written.len()) {
                written[parts].fill(true);
            }
        }
    }
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
        let read = no_parts(job);
        let slots = program.buffers.iter().map(|it| it.slots as usize).sum();
        Recorder {
            tracker: Tracker::new(program, launch.cores),
            base: Base {
                hazards: Vec::new(),
                forgotten: None,
                read_back: vec![false; read.len()],
                written: read.clone(),
                read,
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

    fn note(&mut self, access: &Access) {
        let MemoryId::Global(id) = access.memory else {
            return;
        };
        let at = id.index();
        let written = &mut self.base.written[at];
        for parts in parts(access, written.len()) {
            match access.write {
                true => written[parts].fill(true),
                false => {
                    self.base.read_back[at] |= written[parts.clone()].contains(&true);
                    self.base.read[at][parts].fill(true);
                }
            }
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
        self.note(access);
    }

    fn synchronise(&mut self, site: &Site, operation: &SyncOp) {
        self.tracker.synchronise(site, operation);
    }
}

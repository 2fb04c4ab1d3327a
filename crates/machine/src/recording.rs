//! A recording of the events of a run, to be replayed to an observer.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::access::{Access, Rows, Site};
use super::cost::Expense;
use super::lane_id::LaneId;
use super::observer::{Observer, SyncOp};
use super::sanitizer::FindingKind;
use super::unit_context::Wants;
use a2lint_ir::StmtId;

/// Maximum number of events of a recording.
// Bounds the memory of a core that runs ahead of its turn; with more events it runs again when its turn
// comes.
const MAX_EVENTS: usize = 1 << 20;

/// The events of some cores, in order.
pub struct Recording<'s> {
    wants: Wants,
    /// Whether the run should end.
    is_stopped: &'s AtomicBool,
    events: Vec<(Place, Event)>,
    /// Iterations of all sites, one after the other.
    iterations: Vec<i64>,
    rows: Vec<Rows>,
}

/// A [`Site`] whose iterations are a range in the recording.
#[derive(Clone)]
struct Place {
    stmt: StmtId,
    lane: LaneId,
    iterations: Range<usize>,
}

enum Event {
    Spend(Box<Expense>),
    Begin,
    /// An access, with the range of its byte runs among those of the recording.
    Access(Access<'static>, Range<usize>),
    Observed(FindingKind, Option<usize>),
    Synchronise(SyncOp),
}

impl<'s> Recording<'s> {
    /// Creates an empty recording of the events that an observer `wants`.
    pub fn new(wants: Wants, is_stopped: &'s AtomicBool) -> Recording<'s> {
        Recording {
            wants,
            is_stopped,
            events: Vec::new(),
            iterations: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Returns whether no event was dropped.
    pub fn is_whole(&self) -> bool {
        self.events.len() < MAX_EVENTS
    }

    /// Replays all events to an observer.
    pub fn tell(&self, observer: &mut dyn Observer) {
        for (place, event) in &self.events {
            let site = Site {
                stmt: place.stmt,
                lane: place.lane,
                iterations: &self.iterations[place.iterations.clone()],
            };
            match event {
                Event::Spend(expense) => observer.spend(&site, expense),
                Event::Begin => observer.begin(&site),
                Event::Access(access, rows) => {
                    let rows = &self.rows[rows.clone()];
                    observer.access(&site, &Access { rows, ..*access });
                }
                Event::Observed(kind, operand) => observer.observed(&site, kind, *operand),
                Event::Synchronise(operation) => observer.synchronise(&site, operation),
            }
        }
    }

    fn add(&mut self, site: &Site, event: Event) {
        if !self.is_whole() {
            return;
        }
        // The events of one statement share their iterations.
        let last = self.events.last().map(|(place, _)| &place.iterations);
        let iterations = match last {
            Some(last) if self.iterations[last.clone()] == *site.iterations => last.clone(),
            _ => {
                let first = self.iterations.len();
                self.iterations.extend_from_slice(site.iterations);
                first..self.iterations.len()
            }
        };
        let place = Place {
            stmt: site.stmt,
            lane: site.lane,
            iterations,
        };
        self.events.push((place, event));
    }
}

impl Observer for Recording<'_> {
    fn wants_accesses(&self) -> bool {
        self.wants.accesses
    }

    fn wants_definedness(&self) -> bool {
        self.wants.definedness
    }

    fn wants_costs(&self) -> bool {
        self.wants.costs
    }

    fn is_cancelled(&mut self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    fn spend(&mut self, site: &Site, expense: &Expense) {
        self.add(site, Event::Spend(Box::new(expense.clone())));
    }

    fn begin(&mut self, site: &Site) {
        self.add(site, Event::Begin);
    }

    fn access(&mut self, site: &Site, access: &Access) {
        if !self.is_whole() {
            return;
        }
        let first = self.rows.len();
        self.rows.extend_from_slice(access.rows);
        // Its rows are in the list of the recording, which saves an allocation for each event.
        let kept = Access {
            rows: &[],
            pipe: access.pipe,
            memory: access.memory,
            slot: access.slot,
            index: access.index,
            write: access.write,
            atomic: access.atomic,
            has_unit_flag: access.has_unit_flag,
            operand: access.operand,
            base: access.base,
            end: access.end,
            overruns: access.overruns,
            undefined: access.undefined,
        };
        self.add(site, Event::Access(kept, first..self.rows.len()));
    }

    fn observed(&mut self, site: &Site, kind: &FindingKind, operand: Option<usize>) {
        self.add(site, Event::Observed(*kind, operand));
    }

    fn synchronise(&mut self, site: &Site, operation: &SyncOp) {
        self.add(site, Event::Synchronise(*operation));
    }
}

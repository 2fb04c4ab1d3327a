//! What an observer is told of a run, written down to be told later.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::access::{Access, Rows, Site};
use super::cost::Expense;
use super::lane_id::LaneId;
use super::observer::{Observer, SyncOp};
use super::sanitizer::FindingKind;
use super::station::Wants;
use a2lint_ir::StmtId;

/// Most events that are written down.
const MAX_EVENTS: usize = 1 << 20;

/// What happens on some cores, in the words of [`Observer`].
pub struct Recording<'s> {
    wants: Wants,
    /// Whether the run is to end.
    is_stopped: &'s AtomicBool,
    events: Vec<(Place, Event)>,
    /// Iterations of all places, one after the other.
    iterations: Vec<i64>,
    rows: Vec<Rows>,
}

/// A [`Site`] whose iterations are those of a recording.
#[derive(Clone)]
struct Place {
    stmt: StmtId,
    lane: LaneId,
    iterations: Range<usize>,
}

enum Event {
    Spend(Box<Expense>),
    Begin,
    /// With the place of its rows among all.
    Access(Access<'static>, Range<usize>),
    Observed(FindingKind, Option<usize>),
    Synchronise(SyncOp),
}

impl<'s> Recording<'s> {
    /// Nothing yet, for an observer that wants to hear this much.
    pub fn new(wants: Wants, is_stopped: &'s AtomicBool) -> Recording<'s> {
        Recording {
            wants,
            is_stopped,
            events: Vec::new(),
            iterations: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Whether nothing had to be left out.
    pub fn is_whole(&self) -> bool {
        self.events.len() < MAX_EVENTS
    }

    /// Tells an observer all of it.
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
        let kept = Access {
            rows: &[],
            pipe: access.pipe,
            memory: access.memory,
            slot: access.slot,
            index: access.index,
            write: access.write,
            atomic: access.atomic,
            operand: access.operand,
            base: access.base,
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

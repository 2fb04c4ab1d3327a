//! The accesses that may still be at work, as each observer knows them.
//!
//! A row belongs to an observer: a pipe, a token that is set, one end of a handshake of `auto_sync`. A column
//! belongs to an access, or to the other side of a mutex. An entry holds the instances of the access that the
//! observer does not know to be complete.

use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};

use rustc_hash::FxHashMap;

use super::flags::Leads;
use super::rings::{Instances, Ring, grown_old};
use super::sites::Sites;
use crate::PathState;
use a2lint_ir::sync::{Knowledge, Session, Slot};
use a2lint_ir::{MutexId, StmtId, VariableId};
use a2lint_isa::Pipe;

/// For each access (column), the instances that one observer does not know to be complete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Row(Box<[Instances]>);

impl Deref for Row {
    type Target = [Instances];

    fn deref(&self) -> &[Instances] {
        &self.0
    }
}

impl DerefMut for Row {
    fn deref_mut(&mut self) -> &mut [Instances] {
        &mut self.0
    }
}

impl FromIterator<Instances> for Row {
    fn from_iter<I: IntoIterator<Item = Instances>>(instances: I) -> Row {
        Row(instances.into_iter().collect())
    }
}

/// The accesses that the columns of a [`Row`] represent: those of the kernel's sites, then one for the other side of
/// each mutex.
#[derive(Debug)]
pub(super) struct Columns {
    /// The pipe of each access; `None` for the other side of a mutex.
    pipes: Vec<Option<Pipe>>,
    /// For each variable, the accesses to slots that it picks, with their rings.
    picked_by: FxHashMap<VariableId, Vec<(usize, Ring)>>,
    /// The innermost loop around each access.
    innermost: Vec<Option<StmtId>>,
    sites: usize,
}

impl Columns {
    /// Creates the columns of these sites, and of `mutexes` mutexes.
    pub fn new(sites: &Sites, mutexes: usize) -> Columns {
        let all = &sites.all;
        let far = (0..mutexes).map(|_| None);
        let mut picked_by: FxHashMap<VariableId, Vec<(usize, Ring)>> = FxHashMap::default();
        for (column, site) in all.iter().enumerate() {
            if let Some(counter) = site.ring.counter() {
                picked_by
                    .entry(counter)
                    .or_default()
                    .push((column, site.ring));
            }
        }
        Columns {
            pipes: all
                .iter()
                .map(|site| Some(site.part.pipe))
                .chain(far.clone())
                .collect(),
            picked_by,
            innermost: all
                .iter()
                .map(|site| site.innermost)
                .chain(far.map(|_| None))
                .collect(),
            sites: all.len(),
        }
    }

    /// Returns the column of the other side of a mutex.
    pub fn far(&self, mutex: MutexId) -> usize {
        self.sites + mutex.index()
    }
}

/// Number of observers that always exist: one that never waits, and the pipes.
const FIXED_OBSERVERS: usize = 1 + Pipe::ALL.len();
/// The observer that never waits.
const NEVER_WAITS: usize = 0;

/// Tokens that are set, oldest first; `None` if paths differ in their number, or it is unknown.
pub(super) type Queue = Option<VecDeque<Row>>;

/// The state of a mutex on a lane.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hold {
    /// Whether it is between `lock` and `ready`, or `wait` and `free`; `None` if paths differ.
    pub open: Option<bool>,
    /// Number of times that it was opened; `None` if paths differ.
    pub opened: Option<i64>,
    /// For each counter, its value less `opened`; `None` if paths differ.
    pub ahead: Vec<Option<i64>>,
}

/// The accesses that may still be at work, by observer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct InFlight {
    rows: Vec<Row>,
    /// The handshakes of `auto_sync` on buffers whose tokens are counted rather than kept by slot.
    pub sessions: Vec<Session<Row>>,
    /// The tokens of each event or raw flag.
    pub queues: Vec<Queue>,
    /// The state of each mutex.
    pub holds: Vec<Hold>,
    /// The sets and waits of flags between lanes.
    pub leads: Leads,
    /// For each vector access in an `auto_sync` region, what is complete after a barrier of V that was
    /// inserted somewhere after its last instance; `None` if paths differ.
    started: Vec<Option<Started>>,
}

/// A vector access on which a later one of its region may depend.
#[derive(Clone, Debug, PartialEq)]
struct Started {
    /// The accesses that V has not completed before the vector access starts.
    row: Row,
    /// The slot of the last instance; for a counter, its distance from the current value.
    slot: i64,
}

impl InFlight {
    /// Creates the state before the first statement, in which only the other sides of mutexes are at work.
    pub fn new(
        columns: &Columns,
        (handshakes, tokens): (usize, &[usize]),
        queues: Vec<usize>,
        holds: Vec<Hold>,
        leads: Leads,
    ) -> Self {
        // The other side of every mutex may be at work from the start.
        let start: Row = (0..columns.pipes.len())
            .map(|column| Instances::from(column >= columns.sites))
            .collect();
        InFlight {
            rows: vec![start.clone(); FIXED_OBSERVERS + handshakes],
            sessions: tokens
                .iter()
                .map(|&tokens| Session::new(tokens, &start))
                .collect(),
            queues: queues
                .into_iter()
                .map(|set| Some(vec![start.clone(); set].into()))
                .collect(),
            holds,
            leads,
            started: vec![None; columns.sites],
        }
    }

    /// Returns what is complete because of the barriers that `auto_sync` inserts before a vector access,
    /// since that depends on an earlier one of its region in every execution.
    pub fn barriers(&self, sites: &Sites, second: usize) -> Vec<Row> {
        let ring = sites.all[second].ring;
        let depends = sites.depends[second].iter();
        let rows = depends.filter_map(|&first| {
            let started = self.started[first].as_ref()?;
            let is_same = ring.slot().is_some_and(|slot| slot == started.slot);
            (is_same && ring.is_comparable(sites.all[first].ring)).then(|| started.row.clone())
        });
        rows.collect()
    }

    /// Begins an access; `done` is what its pipe had not completed before it. Accesses that it replaces have
    /// no dependents any more.
    pub fn start(&mut self, sites: &Sites, at: usize, done: &Row) {
        let site = &sites.all[at];
        for &other in &sites.replaces[at] {
            self.started[other] = None;
        }
        if site.barred.is_some() {
            self.started[at] = site.ring.slot().map(|slot| Started {
                row: done.clone(),
                slot,
            });
        }
    }

    /// Returns the accesses that a pipe does not know to be complete.
    pub fn seen_by(&self, pipe: Pipe) -> &Row {
        &self.rows[1 + pipe as usize]
    }

    /// Returns the accesses that are not known to be complete without any wait.
    pub fn without_waits(&self) -> &Row {
        &self.rows[NEVER_WAITS]
    }

    /// Returns the rows of all observers.
    fn each(&mut self) -> impl Iterator<Item = &mut Row> {
        let tokens = self.queues.iter_mut().flatten().flatten();
        let started = self.started.iter_mut().flatten();
        let started = started.map(|started| &mut started.row);
        let sessions = self.sessions.iter_mut().flat_map(Session::each);
        let waiting = sessions.chain(tokens).chain(started);
        self.rows.iter_mut().chain(waiting)
    }

    /// Adds an instance of an access. The scalar unit completes its own at once.
    pub fn add(&mut self, column: usize, ring: Ring, pipe: Pipe) {
        if pipe != Pipe::S {
            self.each().for_each(|row| row[column] |= ring.made_now());
        }
    }

    /// Records that the other side of a mutex may be at work.
    pub fn add_far(&mut self, column: usize) {
        self.each().for_each(|row| row[column] = 1);
    }

    /// Returns the accesses that are not complete once a pipe has completed all that it has begun.
    pub fn done(&self, columns: &Columns, pipe: Pipe) -> Row {
        if pipe == Pipe::All {
            // Complete is what any of the pipes has completed or waited for.
            let pipes = Pipe::ALL.iter().filter(|&&pipe| pipe != Pipe::All);
            let all = pipes.map(|&pipe| self.done(columns, pipe));
            return all.reduce(|a, b| meet(&a, &b)).unwrap_or_default();
        }
        let row = self.seen_by(pipe).iter();
        row.zip(&columns.pipes)
            .map(|(&instances, of)| if *of == Some(pipe) { 0 } else { instances })
            .collect()
    }

    /// Makes a pipe wait for a token.
    pub fn learn(&mut self, pipe: Pipe, token: &Row) {
        let pipes = match pipe {
            // The scalar unit issues all later instructions.
            Pipe::S | Pipe::All => 1..FIXED_OBSERVERS,
            pipe => 1 + pipe as usize..2 + pipe as usize,
        };
        for row in &mut self.rows[pipes] {
            row.iter_mut()
                .zip(token.iter())
                .for_each(|(mine, theirs)| *mine &= theirs);
        }
    }

    /// Makes the other side of one mutex known to be complete, and nothing else.
    pub fn learn_far(&mut self, pipe: Pipe, column: usize) {
        let mut token = self.without_waits().clone();
        // `learn` intersects, so all bits leave the other columns as they are.
        token.fill(Instances::MAX);
        token[column] = 0;
        self.learn(pipe, &token);
    }

    /// Returns one end of a handshake.
    pub fn handshake(&self, at: usize) -> &Row {
        &self.rows[FIXED_OBSERVERS + at]
    }

    /// Announces one end of a handshake.
    pub fn say(&mut self, at: usize, row: Row) {
        self.rows[FIXED_OBSERVERS + at] = row;
    }

    /// Advances the counter that picks the slots of a ring by a number, or to any value: the ends of
    /// handshakes, kept by distance, then belong to other slots.
    pub fn turn(&mut self, slots: &[usize], by: Option<i64>) {
        let old: Vec<Row> = slots.iter().map(|&at| self.handshake(at).clone()).collect();
        for (&at, distance) in slots.iter().zip(0..) {
            let row = match by {
                Some(by) => &old[(by.rem_euclid(old.len() as i64) + distance) as usize % old.len()],
                None => self.without_waits(),
            };
            self.say(at, row.clone());
        }
    }

    /// Resets all handshakes to the state without any announcement.
    pub fn silence(&mut self, tokens: &[usize]) {
        let without_waits = self.without_waits().clone();
        self.sessions = tokens
            .iter()
            .map(|&tokens| Session::new(tokens, &without_waits))
            .collect();
        self.rows[FIXED_OBSERVERS..].fill(without_waits);
    }

    /// Advances a counter by a number, or to any value, in the handshakes that count tokens: its distance
    /// from their slots changes.
    fn advance_sessions(&mut self, variable: VariableId, by: Option<i64>) {
        for session in &mut self.sessions {
            let slots = session.tokens() as i64;
            session.rename(|slot| match slot {
                Slot::Distance(counter, distance) if counter == variable => {
                    let moved = by.map(|by| (distance - by.rem_euclid(slots)).rem_euclid(slots));
                    moved.map(|distance| Slot::Distance(counter, distance))
                }
                slot => Some(slot),
            });
        }
    }

    /// Advances a variable by a number, or to any value.
    pub fn advance(&mut self, columns: &Columns, variable: VariableId, by: Option<i64>) {
        if by == Some(0) {
            return;
        }
        let Some(picked) = columns.picked_by.get(&variable) else {
            return;
        };
        self.advance_sessions(variable, by);
        for row in self.each() {
            for &(column, ring) in picked {
                row[column] = ring.advance(variable, by, row[column]);
            }
        }
        for &(column, ring) in picked {
            let started = &mut self.started[column];
            *started = by.and_then(|by| {
                let mut started = started.take()?;
                started.slot = (started.slot - by.rem_euclid(ring.slots)).rem_euclid(ring.slots);
                Some(started)
            });
        }
    }

    /// Enters a loop: earlier instances of its accesses belong to an earlier pass.
    pub fn enter(&mut self, columns: &Columns, entered: StmtId) {
        let innermost = &columns.innermost;
        for row in self.each() {
            for (instances, of) in row.iter_mut().zip(innermost) {
                if *of == Some(entered) {
                    *instances = grown_old(*instances);
                }
            }
        }
    }
}

impl Knowledge for Row {
    fn keep_common(&mut self, other: &Self) {
        unite(self, other);
    }
}

fn meet(a: &Row, b: &Row) -> Row {
    a.iter().zip(b.iter()).map(|(a, b)| a & b).collect()
}

fn unite(mine: &mut Row, theirs: &Row) {
    mine.iter_mut()
        .zip(theirs.iter())
        .for_each(|(a, b)| *a |= b);
}

fn agree<T: PartialEq + Copy>(mine: &mut Option<T>, theirs: Option<T>) {
    *mine = mine.filter(|mine| theirs == Some(*mine));
}

impl PathState for InFlight {
    fn join(&mut self, other: &Self) {
        for (mine, theirs) in self.rows.iter_mut().zip(&other.rows) {
            unite(mine, theirs);
        }
        for (mine, theirs) in self.sessions.iter_mut().zip(&other.sessions) {
            mine.join(theirs);
        }
        for (mine, theirs) in self.queues.iter_mut().zip(&other.queues) {
            match (&mut *mine, theirs) {
                (Some(a), Some(b)) if a.len() == b.len() => {
                    a.iter_mut().zip(b).for_each(|(a, b)| unite(a, b));
                }
                // The token that is taken next depends on the path.
                _ => *mine = None,
            }
        }
        for (mine, theirs) in self.started.iter_mut().zip(&other.started) {
            match (&mut *mine, theirs) {
                (Some(a), Some(b)) if a.slot == b.slot => unite(&mut a.row, &b.row),
                _ => *mine = None,
            }
        }
        self.leads.join(&other.leads);
        for (mine, theirs) in self.holds.iter_mut().zip(&other.holds) {
            agree(&mut mine.open, theirs.open);
            agree(&mut mine.opened, theirs.opened);
            for (mine, theirs) in mine.ahead.iter_mut().zip(&theirs.ahead) {
                agree(mine, *theirs);
            }
        }
    }
}

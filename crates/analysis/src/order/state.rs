//! What may still be at work, as each observer sees it.
//!
//! A row belongs to an observer: a pipe, a token on its way, one end of a handshake of `auto_sync`. A
//! column belongs to an access, or to what the other side of a mutex does. An entry says which instances
//! of the access the observer does not know to be complete.

use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};

use rustc_hash::FxHashMap;

use super::rings::{Instances, Ring, grown_old};
use super::sites::Sites;
use crate::PathState;
use a2lint_ir::sync::{Knowledge, Session, Slot};
use a2lint_ir::{MutexId, StmtId, VariableId};
use a2lint_isa::Pipe;

/// One observer's view.
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

/// The columns of all rows.
#[derive(Debug)]
pub(super) struct Columns {
    /// The pipe that makes each access; `None` for the other side of a mutex.
    pipes: Vec<Option<Pipe>>,
    /// By variable, the accesses to slots that it picks, with their rings.
    picked_by: FxHashMap<VariableId, Vec<(usize, Ring)>>,
    /// The innermost loop around each access.
    innermost: Vec<Option<StmtId>>,
    sites: usize,
}

impl Columns {
    /// Of these sites, and so many mutexes.
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

    /// The column of what the other side of a mutex does.
    pub fn far(&self, mutex: MutexId) -> usize {
        self.sites + mutex.index()
    }
}

/// Observers that are always there: who never waits, and the pipes.
const FIXED: usize = 1 + Pipe::ALL.len();
/// Who never waits.
const EVER: usize = 0;

/// Tokens on their way, the oldest first; `None` where paths differ in their number, or nobody knows it.
pub(super) type Queue = Option<VecDeque<Row>>;

/// What a lane does with a mutex.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hold {
    /// Whether it is between `lock` and `ready`, or `wait` and `free`; `None` where paths differ.
    pub open: Option<bool>,
    /// How often it was opened; `None` where paths differ.
    pub opened: Option<i64>,
    /// By how much each counter is ahead of that; `None` where paths differ.
    pub ahead: Vec<Option<i64>>,
}

/// What may still be at work.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct InFlight {
    rows: Vec<Row>,
    /// Handshakes of `auto_sync` that count tokens.
    pub sessions: Vec<Session<Row>>,
    /// By event or raw flag.
    pub queues: Vec<Queue>,
    /// By mutex.
    pub holds: Vec<Hold>,
    /// By site, of vector instructions in `auto_sync` regions: what is complete if a barrier of V was put
    /// somewhere after the last instance; `None` where paths differ.
    started: Vec<Option<Started>>,
}

/// A vector instruction that a later one of its region may depend on.
#[derive(Clone, Debug, PartialEq)]
struct Started {
    /// What V has not done before it.
    row: Row,
    /// The slot of the last instance: of a counter, by the distance from what it holds now.
    slot: i64,
}

impl InFlight {
    /// Before the first statement: nothing is at work but the other sides of mutexes.
    pub fn new(
        columns: &Columns,
        (handshakes, tokens): (usize, &[usize]),
        queues: Vec<usize>,
        holds: Vec<Hold>,
    ) -> Self {
        let start: Row = (0..columns.pipes.len())
            .map(|column| Instances::from(column >= columns.sites))
            .collect();
        InFlight {
            rows: vec![start.clone(); FIXED + handshakes],
            sessions: tokens
                .iter()
                .map(|&tokens| Session::new(tokens, &start))
                .collect(),
            queues: queues
                .into_iter()
                .map(|set| Some(vec![start.clone(); set].into()))
                .collect(),
            holds,
            started: vec![None; columns.sites],
        }
    }

    /// What is complete because of the barriers that `auto_sync` puts before a vector instruction: it depends on
    /// an earlier one of its region, in any execution.
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

    /// An access begins; `done` is what its pipe had not done before it. Whoever else touches the same bytes
    /// takes the place of earlier ones, and nothing depends on those.
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

    /// What a pipe does not know to be complete.
    pub fn seen_by(&self, pipe: Pipe) -> &Row {
        &self.rows[1 + pipe as usize]
    }

    /// What is not known to be complete where nobody has waited.
    pub fn ever(&self) -> &Row {
        &self.rows[EVER]
    }

    /// Every observer's row.
    fn each(&mut self) -> impl Iterator<Item = &mut Row> {
        let tokens = self.queues.iter_mut().flatten().flatten();
        let started = self.started.iter_mut().flatten();
        let started = started.map(|started| &mut started.row);
        let sessions = self.sessions.iter_mut().flat_map(Session::each);
        let waiting = sessions.chain(tokens).chain(started);
        self.rows.iter_mut().chain(waiting)
    }

    /// An access begins. What the scalar unit does is done.
    pub fn add(&mut self, column: usize, ring: Ring, pipe: Pipe) {
        if pipe != Pipe::S {
            self.each().for_each(|row| row[column] |= ring.made_now());
        }
    }

    /// The other side of a mutex may go to work.
    pub fn add_far(&mut self, column: usize) {
        self.each().for_each(|row| row[column] = 1);
    }

    /// What is not complete once a pipe has done all that it has begun.
    pub fn done(&self, columns: &Columns, pipe: Pipe) -> Row {
        if pipe == Pipe::All {
            let pipes = Pipe::ALL.iter().filter(|&&pipe| pipe != Pipe::All);
            let all = pipes.map(|&pipe| self.done(columns, pipe));
            return all.reduce(|a, b| meet(&a, &b)).unwrap_or_default();
        }
        let row = self.seen_by(pipe).iter();
        row.zip(&columns.pipes)
            .map(|(&instances, of)| if *of == Some(pipe) { 0 } else { instances })
            .collect()
    }

    /// A pipe waits for a token.
    pub fn learn(&mut self, pipe: Pipe, token: &Row) {
        let pipes = match pipe {
            // The scalar unit issues whatever comes later.
            Pipe::S | Pipe::All => 1..FIXED,
            pipe => 1 + pipe as usize..2 + pipe as usize,
        };
        for row in &mut self.rows[pipes] {
            row.iter_mut()
                .zip(token.iter())
                .for_each(|(mine, theirs)| *mine &= theirs);
        }
    }

    /// Only the other side of one mutex is known to be complete.
    pub fn learn_far(&mut self, pipe: Pipe, column: usize) {
        let mut token = self.ever().clone();
        token.fill(Instances::MAX);
        token[column] = 0;
        self.learn(pipe, &token);
    }

    /// One end of a handshake.
    pub fn handshake(&self, at: usize) -> &Row {
        &self.rows[FIXED + at]
    }

    /// One end of a handshake speaks.
    pub fn say(&mut self, at: usize, row: Row) {
        self.rows[FIXED + at] = row;
    }

    /// The counter that picks the slots of a ring grows by a number, or takes any value: the ends of
    /// handshakes, by distance, are those of other slots.
    pub fn turn(&mut self, slots: &[usize], by: Option<i64>) {
        let old: Vec<Row> = slots.iter().map(|&at| self.handshake(at).clone()).collect();
        for (&at, distance) in slots.iter().zip(0..) {
            let row = match by {
                Some(by) => &old[(by.rem_euclid(old.len() as i64) + distance) as usize % old.len()],
                None => self.ever(),
            };
            self.say(at, row.clone());
        }
    }

    /// No end of a handshake has spoken.
    pub fn silence(&mut self, tokens: &[usize]) {
        let ever = self.ever().clone();
        self.sessions = tokens
            .iter()
            .map(|&tokens| Session::new(tokens, &ever))
            .collect();
        self.rows[FIXED..].fill(ever);
    }

    /// A counter grows by a number, or takes any value: it is at another distance from the slots of steps.
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

    /// A variable grows by a number, or takes any value.
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

    /// A loop is entered: what its body did before is of an earlier pass.
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
                _ => *mine = None,
            }
        }
        for (mine, theirs) in self.started.iter_mut().zip(&other.started) {
            match (&mut *mine, theirs) {
                (Some(a), Some(b)) if a.slot == b.slot => unite(&mut a.row, &b.row),
                _ => *mine = None,
            }
        }
        for (mine, theirs) in self.holds.iter_mut().zip(&other.holds) {
            agree(&mut mine.open, theirs.open);
            agree(&mut mine.opened, theirs.opened);
            for (mine, theirs) in mine.ahead.iter_mut().zip(&theirs.ahead) {
                agree(mine, *theirs);
            }
        }
    }
}

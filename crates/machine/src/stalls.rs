//! Queues of work for pipes that are stalled.

use super::operation::Work;
use super::outcome::Waiting;
use super::signals::EventRef;
use a2lint_ir::Stmt;
use a2lint_isa::Pipe;

/// A set of pipes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PipeSet(u16);

impl PipeSet {
    /// Returns the set of one pipe; `ALL` is the set of all pipes.
    pub fn of(pipe: Pipe) -> PipeSet {
        match pipe {
            Pipe::All => PipeSet(u16::MAX),
            pipe => PipeSet(1 << pipe as u16),
        }
    }

    /// Returns this set with one more pipe.
    pub fn with(self, pipe: Pipe) -> PipeSet {
        PipeSet(self.0 | PipeSet::of(pipe).0)
    }

    fn meets(self, other: PipeSet) -> bool {
        self.0 & other.0 != 0
    }
}

/// A piece of work with the state in which it was issued.
#[derive(Clone, Debug)]
pub struct Deferred<'p> {
    /// The statement.
    pub stmt: &'p Stmt,
    /// The pipe it is issued to.
    pub pipe: Pipe,
    /// All pipes that it occupies.
    pub pipes: PipeSet,
    /// The work.
    pub work: Work,
    /// Iteration numbers when it was queued.
    pub iterations: Vec<i64>,
}

/// Queued work in the order of issue; all of it follows some wait.
#[derive(Clone, Debug, Default)]
pub struct Stalls<'p> {
    items: Vec<Deferred<'p>>,
    /// The pipes of all queued work.
    pipes: PipeSet,
}

impl<'p> Stalls<'p> {
    /// Returns whether nothing is queued.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns whether work for these pipes has to be queued.
    pub fn holds(&self, pipes: PipeSet) -> bool {
        self.pipes.meets(pipes)
    }

    /// Queues work.
    pub fn push(&mut self, item: Deferred<'p>) {
        self.pipes = PipeSet(self.pipes.0 | item.pipes.0);
        self.items.push(item);
    }

    /// Returns the number of queued pieces of work.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns the queued work.
    pub fn iter(&self) -> impl Iterator<Item = &Deferred<'p>> {
        self.items.iter()
    }

    /// Empties the queue, and returns its contents.
    pub fn take(&mut self) -> Vec<Deferred<'p>> {
        self.pipes = PipeSet::default();
        std::mem::take(&mut self.items)
    }

    /// Returns whether the queued work sets an event.
    pub fn sets(&self, event: EventRef) -> bool {
        let is_it = |item: &Deferred| matches!(item.work, Work::Set(set) if set == event);
        self.items.iter().any(is_it)
    }

    /// Returns what the first wait in the queue waits for.
    pub fn waiting(&self) -> Option<Waiting> {
        self.items.iter().find_map(|item| match item.work {
            Work::Wait(event) => Some(Waiting::Pipe {
                pipe: item.pipe,
                event,
                stmt: item.stmt.id,
            }),
            Work::Unit(ref operation, _) => operation.turn().map(|turn| Waiting::UnitFlag {
                is_copy: turn.is_copy,
                stmt: item.stmt.id,
            }),
            _ => None,
        })
    }
}

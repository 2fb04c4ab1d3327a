//! Work that was issued to a stalled pipe and waits there.

use super::operation::Work;
use super::outcome::Waiting;
use a2lint_ir::Stmt;
use a2lint_isa::Pipe;

/// A set of pipes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PipeSet(u16);

impl PipeSet {
    /// One pipe; `ALL` stands for each of them.
    pub fn of(pipe: Pipe) -> PipeSet {
        match pipe {
            Pipe::All => PipeSet(u16::MAX),
            pipe => PipeSet(1 << pipe as u16),
        }
    }

    /// This set and one more pipe.
    pub fn with(self, pipe: Pipe) -> PipeSet {
        PipeSet(self.0 | PipeSet::of(pipe).0)
    }

    fn meets(self, other: PipeSet) -> bool {
        self.0 & other.0 != 0
    }
}

/// One piece of work with the state it was issued in.
#[derive(Clone, Debug)]
pub struct Deferred<'p> {
    /// The statement.
    pub stmt: &'p Stmt,
    /// The pipe it is issued to.
    pub pipe: Pipe,
    /// Every pipe that it takes part in.
    pub pipes: PipeSet,
    /// The work.
    pub work: Work,
    /// Iteration numbers when it was put aside.
    pub iterations: Vec<i64>,
}

/// Work in the order in which it was issued, all of it after some wait.
#[derive(Clone, Debug, Default)]
pub struct Stalls<'p> {
    items: Vec<Deferred<'p>>,
    /// All their pipes.
    pipes: PipeSet,
}

impl<'p> Stalls<'p> {
    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Whether work of these pipes has to queue up.
    pub fn holds(&self, pipes: PipeSet) -> bool {
        self.pipes.meets(pipes)
    }

    /// Puts work aside.
    pub fn push(&mut self, item: Deferred<'p>) {
        self.pipes = PipeSet(self.pipes.0 | item.pipes.0);
        self.items.push(item);
    }

    /// How much work waits.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// The work that waits.
    pub fn iter(&self) -> impl Iterator<Item = &Deferred<'p>> {
        self.items.iter()
    }

    /// Takes everything out.
    pub fn take(&mut self) -> Vec<Deferred<'p>> {
        self.pipes = PipeSet::default();
        std::mem::take(&mut self.items)
    }

    /// What the first piece of work waits for.
    pub fn waiting(&self) -> Option<Waiting> {
        self.items.iter().find_map(|item| match item.work {
            Work::Wait(event) => Some(Waiting::Pipe {
                pipe: item.pipe,
                event,
                stmt: item.stmt.id,
            }),
            _ => None,
        })
    }
}

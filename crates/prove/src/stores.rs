//! Scalar stores to UB that later accesses of other pipes may not wait for, in toolchains where no region waits for the
//! scalar pipe. A barrier of all pipes orders them, and so does an event from the scalar pipe.

use a2lint_ir::sync::{Act, Token, call};
use a2lint_ir::{BufferId, Instr, Program, ScalarStores, Stmt, StmtId, StmtKind, View};
use a2lint_isa::{Class, Pipe, Side};

/// Returns a scalar store whose buffer another pipe may access before it has landed.
pub(super) fn unawaited(program: &Program) -> Option<StmtId> {
    if program.toolchain.lowering.scalar_stores == ScalarStores::Ordered {
        return None;
    }
    let instructions = program.instructions();
    let stores = instructions
        .iter()
        .filter_map(|&(stmt, instr)| Some((stmt.id, stored(instr)?)));
    let mut followed = stores.flat_map(|(stmt, buffer)| {
        let touching = instructions
            .iter()
            .filter(move |(_, instr)| touches(instr, buffer));
        let mut pipes: Vec<Option<Pipe>> = touching.map(|(_, instr)| instr.pipe()).collect();
        pipes.sort_unstable();
        pipes.dedup();
        pipes.into_iter().map(move |pipe| Store {
            program,
            stmt,
            buffer,
            pipe,
        })
    });
    let is_open = |store: &Store| store.block(&program.body, Waiting::No) == Waiting::Met;
    followed.find(is_open).map(|store| store.stmt)
}

/// Returns whether an instruction of another pipe accesses a buffer. Those of the scalar pipe execute in program order.
fn touches(instr: &Instr, buffer: BufferId) -> bool {
    let mut operands = instr.operands();
    instr.pipe() != Some(Pipe::S) && operands.any(|(_, _, view)| is_of(view, buffer))
}

fn is_of(view: &View, buffer: BufferId) -> bool {
    view.local().is_some_and(|view| view.buffer == buffer)
}

/// Returns the buffer that a scalar instruction stores to.
fn stored(instr: &Instr) -> Option<BufferId> {
    let mut operands = instr.operands().filter(|_| instr.pipe() == Some(Pipe::S));
    operands.find_map(|(_, operand, view)| {
        let view = view.local().filter(|_| operand.access.writes());
        view.map(|view| view.buffer)
    })
}

/// A store, and a pipe that accesses its buffer.
struct Store<'p> {
    program: &'p Program,
    stmt: StmtId,
    buffer: BufferId,
    pipe: Option<Pipe>,
}

/// Whether the pipe still has to wait for the store.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Waiting {
    /// The store has not run, or the pipe has waited for it.
    No,
    /// The store has run, and the scalar pipe has set this token after it.
    Signalled(Token),
    /// The store has run.
    Yes,
    /// The store has run, and the pipe may have accessed its buffer.
    Met,
}

impl Waiting {
    /// Returns the worse of the states of two paths.
    fn max(self, other: Waiting) -> Waiting {
        let rank = |waiting: Waiting| match waiting {
            Waiting::No => 0,
            Waiting::Signalled(_) => 1,
            Waiting::Yes => 2,
            Waiting::Met => 3,
        };
        match (self, other) {
            (Waiting::Signalled(a), Waiting::Signalled(b)) if a != b => Waiting::Yes,
            _ if rank(self) < rank(other) => other,
            _ => self,
        }
    }
}

impl Store<'_> {
    fn block(&self, block: &[Stmt], before: Waiting) -> Waiting {
        block
            .iter()
            .fold(before, |waiting, stmt| self.after(stmt, waiting))
    }

    /// Returns the worst state after a statement.
    fn after(&self, stmt: &Stmt, before: Waiting) -> Waiting {
        let is_open = matches!(before, Waiting::Yes | Waiting::Signalled(_));
        match &stmt.kind {
            // `Met` is final: a later barrier does not undo the access.
            _ if before == Waiting::Met => before,
            StmtKind::Instr(_) if stmt.id == self.stmt => Waiting::Yes,
            StmtKind::Instr(instr) if is_barrier(instr) => Waiting::No,
            StmtKind::Instr(instr) if is_open && self.is_met_by(instr) => Waiting::Met,
            StmtKind::Instr(_) if is_open => self.signalled(stmt, before),
            StmtKind::Havoc(views)
                if is_open && views.iter().any(|view| is_of(view, self.buffer)) =>
            {
                Waiting::Met
            }
            // The jump may skip the next barrier.
            StmtKind::Break | StmtKind::Continue if is_open => Waiting::Met,
            StmtKind::Loop { body, .. } | StmtKind::UnknownLoop { body } => {
                // Twice, because an access at the start of the body follows a store of the iteration before.
                let once = self.block(body, before);
                before.max(self.block(body, once.max(before)))
            }
            // A barrier in a cube scope holds up the cube only.
            StmtKind::Scope {
                side: Side::Cube,
                body,
            } => before.max(self.block(body, before)),
            // The fold starts with `before`, because no arm may be taken.
            StmtKind::If { .. } => {
                let arms = stmt.kind.blocks().map(|arm| self.block(arm, before));
                arms.fold(before, Waiting::max)
            }
            kind => kind
                .blocks()
                .fold(before, |waiting, body| self.block(body, waiting)),
        }
    }

    fn is_met_by(&self, instr: &Instr) -> bool {
        instr.pipe() == self.pipe && touches(instr, self.buffer)
    }

    /// Returns the state after an instruction that may set or await an event from the scalar pipe to the pipe. A token
    /// that is set after the store is taken by the next wait for it: an event with one id holds one token at a time.
    fn signalled(&self, stmt: &Stmt, before: Waiting) -> Waiting {
        let Some(call) = call(self.program, stmt).filter(|call| self.orders(call.token)) else {
            return before;
        };
        match (call.act, before) {
            (Act::Set, Waiting::Yes) => Waiting::Signalled(call.token),
            (Act::Wait, Waiting::Signalled(token)) if token == call.token => Waiting::No,
            _ => before,
        }
    }

    fn orders(&self, token: Token) -> bool {
        match token {
            Token::Event(id) => {
                let event = self.program.event(id);
                let is_single = event.ids == 1 && !event.preset && event.queue.is_none();
                is_single && event.src == Some(Pipe::S) && event.dst == self.pipe
            }
            Token::Raw(from, to, _) => from == Pipe::S && Some(to) == self.pipe,
            _ => false,
        }
    }
}

fn is_barrier(instr: &Instr) -> bool {
    instr.row().class == Class::Barrier && instr.pipe() == Some(Pipe::All)
}

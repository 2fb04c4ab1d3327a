//! The event ids that queues take from the pool of a pair of pipes, and flags set by hand that meet them.
//!
//! In AscendC, `EnQue` and `FreeTensor` take the lowest free id of their pair and set its flag; `DeQue`, and the
//! `AllocTensor` that hands the same buffer out again, wait for it and give the id back. The buffers of a queue of
//! depth 0 have an id each from `InitBuffer` on. Ids that the kernel writes itself are not taken from the pool, so that
//! a queue may take the same one. All states of the pool that paths lead to are followed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use a2lint_ir::sync::{Act, Token, call};
use a2lint_ir::{EventId, Program, Stmt, StmtId, StmtKind};
use a2lint_isa::{Class, Pipe};

use super::paths::{PathState, follow};

/// Upper bound on the states of a pool that are followed.
const MOST_STATES: usize = 64;

/// A fault in the use of the ids of a pair of pipes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdFault {
    /// The call that sets a flag.
    pub stmt: StmtId,
    /// The pipe that sets and the pipe that waits.
    pub pair: (Pipe, Pipe),
    /// What is wrong.
    pub kind: IdFaultKind,
    /// Whether it is so whichever path leads there.
    pub is_certain: bool,
}

/// What is wrong with the ids of a pair of pipes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdFaultKind {
    /// All ids are taken.
    Exhausted,
    /// A flag set by hand has the id that a queue has taken, and both are set at once.
    Shared {
        /// The id.
        id: u8,
        /// The event of the queue.
        queue: EventId,
    },
    /// The states of the pool are too many to follow.
    Unknown,
}

/// Returns the faults of a program, the first of each kind for each pair.
pub fn id_faults(program: &Program) -> Vec<IdFault> {
    if !program.toolchain.ids.are_pooled {
        return Vec::new();
    }
    let mut pairs: Vec<((Pipe, Pipe), u32)> = Vec::new();
    for event in program.events.iter().filter(|event| event.queue.is_some()) {
        let Some(pair) = event.src.zip(event.dst) else {
            continue;
        };
        match pairs.iter_mut().find(|known| known.0 == pair) {
            Some((_, buffers)) => *buffers += event.ids,
            None => pairs.push((pair, event.ids)),
        }
    }
    let mut faults = Vec::new();
    for (pair, buffers) in pairs {
        let most = program.device.limits.event_ids;
        let by_hand = program.instructions().iter().any(|(stmt, _)| {
            let token = call(program, stmt).map(|call| call.token);
            matches!(token, Some(Token::Raw(src, dst, _)) if (src, dst) == pair)
                && is_by_hand(program, stmt)
        });
        if by_hand || i64::from(buffers) > most {
            faults.extend(faults_of(program, pair));
        }
    }
    faults
}

/// Returns whether all ids are free after a statement: a pipe has ended.
fn is_fresh(program: &Program, stmt: &Stmt) -> bool {
    let instr = stmt.kind.instr();
    instr.is_some_and(|instr| {
        instr.row().class == Class::Barrier && program.fresh_pools.contains(&instr.name_span)
    })
}

/// Returns whether the kernel gives the id of a flag itself.
fn is_by_hand(program: &Program, stmt: &Stmt) -> bool {
    let span = stmt.kind.instr().map(|instr| instr.name_span);
    span.is_some_and(|span| !program.pooled_flags.contains(&span))
}

/// The ids of a pair that are in use, on one path.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Pool {
    /// The ids that events of queues hold, oldest first.
    held: BTreeMap<EventId, VecDeque<u8>>,
    /// The numbers of buffers that were never handed out so far.
    fresh: BTreeMap<EventId, u32>,
    /// The ids that are set by hand, as bits.
    by_hand: u16,
}

impl Pool {
    /// Returns the pool of a pair at the start: the queues that keep their ids have them.
    fn start(program: &Program, pair: (Pipe, Pipe), most: u8) -> Pool {
        let mut pool = Pool::default();
        for (at, event) in program.events.iter().enumerate() {
            let keeps = event.queue.is_some_and(|queue| queue.keeps_ids);
            if keeps && event.src.zip(event.dst) == Some(pair) {
                let id = EventId(at as u32);
                (0..event.ids).for_each(|_| {
                    pool.take(id, most);
                });
            }
        }
        pool
    }

    fn is_held(&self, id: u8) -> bool {
        self.held.values().flatten().any(|&held| held == id)
    }

    /// Returns the event of a queue that holds an id.
    fn holder(&self, id: u8) -> Option<EventId> {
        let mut held = self.held.iter();
        held.find(|(_, ids)| ids.contains(&id))
            .map(|(&event, _)| event)
    }

    /// Takes the lowest free id for an event. Returns it; `None` if there is none.
    fn take(&mut self, event: EventId, most: u8) -> Option<u8> {
        let id = (0..most).find(|&id| !self.is_held(id))?;
        self.held.entry(event).or_default().push_back(id);
        Some(id)
    }

    /// Gives back the id that the next wait of an event is for. A buffer that was never used has none.
    fn give_back(&mut self, event: EventId, is_preset: bool, buffers: u32) {
        if is_preset {
            let fresh = self.fresh.entry(event).or_insert(buffers);
            if *fresh > 0 {
                *fresh -= 1;
                return;
            }
        }
        if let Some(ids) = self.held.get_mut(&event) {
            ids.pop_front();
        }
    }
}

/// All states of the pool that paths lead to; `None` if they are too many.
#[derive(Clone, Debug, PartialEq)]
struct Pools(Option<BTreeSet<Pool>>);

impl PathState for Pools {
    fn join(&mut self, other: &Self) {
        self.0 = match (self.0.take(), &other.0) {
            (Some(mut all), Some(more)) => {
                all.extend(more.iter().cloned());
                (all.len() <= MOST_STATES).then_some(all)
            }
            _ => None,
        };
    }
}

/// Follows the ids of one pair through the program.
fn faults_of(program: &Program, pair: (Pipe, Pipe)) -> Vec<IdFault> {
    let most = u8::try_from(program.device.limits.event_ids).unwrap_or(u8::MAX);
    let is_even = is_unconditional(program, pair);
    let mut faults: Vec<IdFault> = Vec::new();
    let mut last = None;
    let fresh = || Pools(Some(BTreeSet::from([Pool::start(program, pair, most)])));
    let end = follow(&program.body, fresh(), &mut |stmt, pools: &mut Pools| {
        if is_fresh(program, stmt) {
            *pools = fresh();
        }
        let Some(call) = call(program, stmt) else {
            return;
        };
        let Some(states) = pools.0.take() else {
            return;
        };
        last = Some(stmt.id);
        let count = states.len();
        let (mut faulty, mut kind) = (0, None);
        let after = states.into_iter().map(|mut pool| {
            let found = step(
                program,
                (pair, most),
                &mut pool,
                stmt,
                (call.token, call.act),
            );
            faulty += usize::from(found.is_some());
            kind = kind.or(found);
            pool
        });
        pools.0 = Some(after.collect());
        if let Some(kind) = kind {
            // A pool whose memory is handed out again may have given back its ids.
            let is_certain = (is_even || faulty == count) && !program.rewinds_memory;
            let same = |known: &&mut IdFault| {
                std::mem::discriminant(&known.kind) == std::mem::discriminant(&kind)
            };
            match faults.iter_mut().find(same) {
                Some(known) if known.stmt == stmt.id => known.is_certain |= is_certain,
                Some(_) => {}
                None => faults.push(IdFault {
                    stmt: stmt.id,
                    pair,
                    kind,
                    is_certain,
                }),
            }
        }
    });
    let is_known = matches!(end, Some(Pools(Some(_))));
    if let (false, true, Some(stmt)) = (is_known, faults.is_empty(), last) {
        faults.push(IdFault {
            stmt,
            pair,
            kind: IdFaultKind::Unknown,
            is_certain: false,
        });
    }
    faults
}

/// Executes a call on one state of the pool.
fn step(
    program: &Program,
    (pair, most): ((Pipe, Pipe), u8),
    pool: &mut Pool,
    stmt: &Stmt,
    (token, act): (Token, Act),
) -> Option<IdFaultKind> {
    match token {
        Token::Event(id) => {
            let event = program.event(id);
            if event.src.zip(event.dst) != Some(pair) {
                return None;
            }
            let queue = event.queue?;
            if queue.keeps_ids {
                let kept = pool.held.get(&id).map_or(0, VecDeque::len);
                let lacks = act == Act::Set && kept < event.ids as usize;
                return lacks.then_some(IdFaultKind::Exhausted);
            }
            match act {
                Act::Set => match pool.take(id, most) {
                    None => Some(IdFaultKind::Exhausted),
                    Some(taken) => {
                        (pool.by_hand >> taken & 1 == 1).then_some(IdFaultKind::Shared {
                            id: taken,
                            queue: id,
                        })
                    }
                },
                Act::Wait => {
                    pool.give_back(id, queue.counts_free, event.ids);
                    None
                }
            }
        }
        Token::Raw(src, dst, id) if (src, dst) == pair && is_by_hand(program, stmt) => {
            let id = u8::try_from(id).ok().filter(|&id| id < most)?;
            let bit = 1_u16 << id;
            match act {
                Act::Set => {
                    pool.by_hand |= bit;
                    let queue = pool.holder(id)?;
                    Some(IdFaultKind::Shared { id, queue })
                }
                Act::Wait => {
                    pool.by_hand &= !bit;
                    None
                }
            }
        }
        _ => None,
    }
}

/// Returns whether no branch decides about a call that concerns the ids of a pair.
fn is_unconditional(program: &Program, pair: (Pipe, Pipe)) -> bool {
    let concerns = |token| match token {
        Token::Event(id) => {
            let event = program.event(id);
            event.src.zip(event.dst) == Some(pair)
        }
        Token::Raw(src, dst, _) => (src, dst) == pair,
        _ => false,
    };
    program.instructions().iter().all(|(stmt, _)| {
        let is_one = call(program, stmt).is_some_and(|call| concerns(call.token));
        let mut around = program.ancestors(stmt.id);
        !is_one || !around.any(|it| matches!(it.kind, StmtKind::If { .. }))
    })
}

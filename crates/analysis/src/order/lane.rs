//! Follows one symbolic lane of a side: every access is compared with those that its pipe does not know to be
//! complete.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::flags::{Flags, Leads};
use super::handshakes::Handshakes;
use super::rings::{Instances, step};
use super::sites::{Memory, Sites};
use super::state::{Columns, Hold, InFlight};
use crate::{ControlFacts, Followed, Follower, follow_with};
use a2lint_ir::sync::{
    Act, AutoSyncCoverage, Call, Message, Reading, Token, call, half, pipe_of, side_of,
};
use a2lint_ir::{Instr, MutexId, Program, ScalarId, Stmt, StmtId, StmtKind, VariableId};
use a2lint_isa::{Channel, Class, Pipe, Side};

/// The observations on one side.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// For a pair of accesses by index, the instances of the first that the second does not wait for.
    pub meets: BTreeMap<(usize, usize), Instances>,
    /// The state of a mutex that holds at every execution of an access, by access to a shared tensor and mutex.
    pub guards: FxHashMap<(usize, MutexId), Guard>,
    /// Accesses that may be at work when the lane closes a mutex.
    pub uncovered: FxHashSet<(usize, MutexId)>,
    /// Mutexes that are opened or closed twice in a row on some path.
    pub unpaired: FxHashSet<MutexId>,
    /// The sets and waits of flags that precede an access to a shared tensor in every execution.
    pub leads: FxHashMap<usize, Leads>,
    /// Accesses, by index, that may be at work when the lane sets a flag.
    pub unfinished: FxHashSet<(usize, usize)>,
    /// A call of an event whose tokens cannot be distinguished.
    pub unclear: Option<StmtId>,
    /// Whether all paths were followed.
    pub is_whole: bool,
}

/// The state of a mutex at an access, over all of its executions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Guard {
    /// Whether the mutex is held, and the pipe of the access has waited for it.
    pub is_held: bool,
    /// For each counter, its lead over the number of times that the mutex was opened.
    pub ahead: Vec<Option<i64>>,
}

/// The parts that all walks of a kernel share.
pub(super) struct Kernel<'a, 'p> {
    pub program: &'p Program,
    pub sites: &'a Sites<'p>,
    /// Accesses to tensors that lanes both read and write.
    pub shared: &'a [usize],
    /// Variables that pick slots of shared tensors.
    pub counters: &'a [VariableId],
    /// The flags between lanes.
    pub flags: &'a Flags,
}

/// Follows the lanes of a side, under one reading of `auto_sync`.
pub(super) fn follow_lane(
    kernel: &Kernel,
    control: &ControlFacts,
    side: Side,
    reading: Reading,
) -> Seen {
    let program = kernel.program;
    let touched = AutoSyncCoverage::of(program, reading);
    let handshakes = Handshakes::new(program, &touched, kernel.sites);
    let columns = Columns::new(kernel.sites, program.mutexes.len());
    let mut lane = Lane {
        kernel,
        control,
        side,
        touched,
        tokens: handshakes.tokens(),
        handshakes,
        queues: FxHashMap::default(),
        ids: Vec::new(),
        columns,
        seen: Seen::default(),
    };
    let mut set = Vec::new();
    program.walk(&mut |stmt| {
        if let Some(Call { token, .. }) = call(program, stmt)
            && let Some((ids, preset)) = event(program, token)
            && !lane.queues.contains_key(&token)
        {
            lane.queues.insert(token, set.len());
            lane.ids.push(ids);
            set.push(preset);
        }
    });
    let hold = Hold {
        open: Some(false),
        opened: Some(0),
        ahead: vec![None; kernel.counters.len()],
    };
    let holds = vec![hold; program.mutexes.len()];
    let handshakes = (lane.handshakes.len(), lane.tokens.as_slice());
    let start = InFlight::new(&lane.columns, handshakes, set, holds, kernel.flags.start());
    let end = follow_with(&program.body, start, &mut lane);
    lane.seen.is_whole = end != Followed::TooFar;
    lane.seen
}

/// Returns the number of hardware ids of an event or raw flag, and how many are set at the start; `None` for
/// other tokens.
fn event(program: &Program, token: Token) -> Option<(usize, usize)> {
    match token {
        Token::Event(id) => {
            let event = program.event(id);
            let ids = event.ids.max(1) as usize;
            Some((ids, if event.preset { ids } else { 0 }))
        }
        Token::Raw(..) => Some((1, 0)),
        Token::Data(_) | Token::Credit(_) | Token::Flag(..) => None,
    }
}

struct Lane<'a, 'p> {
    kernel: &'a Kernel<'a, 'p>,
    control: &'a ControlFacts,
    side: Side,
    touched: AutoSyncCoverage,
    handshakes: Handshakes,
    /// The numbers of tokens of the handshakes that count them.
    tokens: Vec<usize>,
    queues: FxHashMap<Token, usize>,
    /// For each queue, its number of hardware ids.
    ids: Vec<usize>,
    columns: Columns,
    seen: Seen,
}

impl<'p> Follower<'p, InFlight> for Lane<'_, 'p> {
    fn control(&self) -> Option<&ControlFacts> {
        Some(self.control)
    }

    fn step(&mut self, stmt: &'p Stmt, state: &mut InFlight) {
        match &stmt.kind {
            StmtKind::Instr(instr) => self.instr(stmt, instr, state),
            StmtKind::Assign { variable, value } => self.assign(*variable, *value, state),
            StmtKind::Loop {
                variable, start, ..
            } => {
                state.enter(&self.columns, stmt.id);
                self.replace(*variable, Some(*start), state);
            }
            StmtKind::UnknownLoop { .. } => state.enter(&self.columns, stmt.id),
            StmtKind::AutoSync { .. } if self.is_outermost(stmt) => state.silence(&self.tokens),
            _ => {}
        }
    }

    fn again(&mut self, stmt: &'p Stmt, state: &mut InFlight) {
        if let StmtKind::Loop { variable, step, .. } = &stmt.kind {
            match self.kernel.program.scalars.as_int(*step) {
                Some(step) => self.grow(*variable, step, state),
                None => self.replace(*variable, None, state),
            }
        }
    }

    fn leave(&mut self, stmt: &'p Stmt, state: &mut InFlight) {
        match &stmt.kind {
            StmtKind::Loop { variable, .. } => self.replace(*variable, None, state),
            StmtKind::AutoSync { .. } if self.is_outermost(stmt) => state.silence(&self.tokens),
            _ => {}
        }
    }
}

impl<'p> Lane<'_, 'p> {
    /// Returns whether a region shares no handshakes with what is before or after it.
    fn is_outermost(&self, region: &Stmt) -> bool {
        let is_inner = self.kernel.program.region(region.id).is_some();
        !is_inner && !self.touched.auto_sync.joins_regions
    }

    fn assign(&mut self, variable: VariableId, value: ScalarId, state: &mut InFlight) {
        match step(self.kernel.program, variable, value) {
            Some(by) => self.grow(variable, by, state),
            None => self.replace(variable, Some(value), state),
        }
    }

    fn grow(&mut self, variable: VariableId, by: i64, state: &mut InFlight) {
        self.advance(variable, Some(by), state);
        self.count(variable, state, |ahead, _| ahead?.checked_add(by));
    }

    /// Gives a variable a value that is unrelated to the one before.
    fn replace(&mut self, variable: VariableId, value: Option<ScalarId>, state: &mut InFlight) {
        self.advance(variable, None, state);
        let value = value.and_then(|value| self.kernel.program.scalars.as_int(value));
        self.count(variable, state, |_, opened| value?.checked_sub(opened?));
    }

    /// Advances a counter by a number, or to any value: it then picks other slots.
    fn advance(&self, variable: VariableId, by: Option<i64>, state: &mut InFlight) {
        state.advance(&self.columns, variable, by);
        for slots in self.handshakes.picked_by(variable) {
            state.turn(slots, by);
        }
    }

    /// Updates the lead of a counter over each mutex.
    fn count(
        &self,
        variable: VariableId,
        state: &mut InFlight,
        update: impl Fn(Option<i64>, Option<i64>) -> Option<i64>,
    ) {
        let counters = self.kernel.counters.iter();
        let Some(at) = counters.clone().position(|&counter| counter == variable) else {
            return;
        };
        for hold in &mut state.holds {
            hold.ahead[at] = update(hold.ahead[at], hold.opened);
        }
    }

    fn instr(&mut self, stmt: &'p Stmt, instr: &'p Instr, state: &mut InFlight) {
        let program = self.kernel.program;
        let side = side_of(program, instr);
        if side == self.side || side == Side::Both {
            match instr.row().class {
                Class::Barrier => {
                    if let Some(pipe) = instr.pipe() {
                        let done = state.done(&self.columns, pipe);
                        state.learn(pipe, &done);
                    }
                }
                Class::Event => self.event(stmt, instr, state),
                Class::Mutex => self.mutex(stmt, state),
                Class::CrossFlag => self.flag(stmt, state),
                _ => self.accesses(stmt.id, state),
            }
        }
        if let Some(variable) = instr.reads_into() {
            self.replace(variable, None, state);
        }
    }

    fn event(&mut self, stmt: &Stmt, instr: &Instr, state: &mut InFlight) {
        let program = self.kernel.program;
        let found = call(program, stmt).map(|call| (self.queues.get(&call.token).copied(), call));
        let Some((Some(queue), Call { token, act, .. })) = found else {
            self.bulk(stmt, instr, state);
            return;
        };
        let pipe = pipe_of(program, instr);
        let is_known = match token {
            Token::Event(id) => {
                let event = program.event(id);
                event.src.is_some() && event.dst.is_some()
            }
            _ => true,
        };
        let mut tokens = state.queues[queue].take().filter(|_| is_known);
        match act {
            Act::Set => {
                let done = state.done(&self.columns, pipe);
                let ids = self.ids[queue];
                // If all ids are set already, what a further set does is not known.
                tokens = tokens.filter(|tokens| tokens.len() < ids);
                if let Some(tokens) = &mut tokens {
                    tokens.push_back(done);
                }
            }
            // A wait before any set is passed after statements that come later, so the order of this walk
            // does not tell what it orders.
            Act::Wait => match tokens.as_mut().map(|tokens| tokens.pop_front()) {
                Some(Some(token)) => state.learn(pipe, &token),
                Some(None) | None => tokens = None,
            },
        }
        if tokens.is_none() {
            self.seen.unclear.get_or_insert(stmt.id);
        }
        state.queues[queue] = tokens;
    }

    /// Handles `setall`, `release`, and calls with unknown arguments.
    fn bulk(&mut self, stmt: &Stmt, instr: &Instr, state: &mut InFlight) {
        let event = instr.event().map(Token::Event);
        let Some(queue) = event.and_then(|event| self.queues.get(&event).copied()) else {
            self.seen.unclear.get_or_insert(stmt.id);
            return;
        };
        let is_empty = |tokens: &std::collections::VecDeque<_>| tokens.is_empty();
        let tokens = state.queues[queue].take();
        state.queues[queue] = match instr.row().signal() {
            Some((Act::Set, Channel::AllOfEvent)) if tokens.as_ref().is_some_and(is_empty) => {
                Some(vec![state.without_waits().clone(); self.ids[queue]].into())
            }
            // The next id stays the same only if the ids have been used evenly.
            Some((Act::Wait, Channel::AllOfEvent)) if tokens.as_ref().is_some_and(is_empty) => {
                tokens
            }
            _ => None,
        };
        if state.queues[queue].is_none() {
            self.seen.unclear.get_or_insert(stmt.id);
        }
    }

    fn mutex(&mut self, stmt: &'p Stmt, state: &mut InFlight) {
        let program = self.kernel.program;
        let Some(call) = call(program, stmt) else {
            return;
        };
        let Some((mutex, _, opens)) = half(&call) else {
            return;
        };
        let (pipe, far) = (pipe_of(program, call.instr), self.columns.far(mutex));
        let hold = &mut state.holds[mutex.index()];
        if hold.open != Some(!opens) {
            self.seen.unpaired.insert(mutex);
        }
        hold.open = Some(opens);
        if opens {
            hold.opened = hold.opened.map(|opened| opened + 1);
            for ahead in &mut hold.ahead {
                *ahead = ahead.and_then(|ahead| ahead.checked_sub(1));
            }
            // Opening waits for the last handover of the other side.
            state.learn_far(pipe, far);
            return;
        }
        let at_work = self.at_work(pipe, state).into_iter();
        self.seen
            .uncovered
            .extend(at_work.map(|site| (site, mutex)));
        // Closing allows the other side to begin.
        state.add_far(far);
    }

    /// Returns the accesses to shared tensors that a pipe does not know to be complete.
    fn at_work(&self, pipe: Pipe, state: &InFlight) -> Vec<usize> {
        let open = state.done(&self.columns, pipe);
        let shared = self.kernel.shared.iter().copied();
        shared.filter(|&site| open[site] != 0).collect()
    }

    /// Handles a flag between lanes.
    fn flag(&mut self, stmt: &'p Stmt, state: &mut InFlight) {
        let program = self.kernel.program;
        let Some(call) = call(program, stmt) else {
            return;
        };
        let Some(flag) = self.kernel.flags.index(&call) else {
            return;
        };
        let pipe = pipe_of(program, call.instr);
        match call.act {
            // A wait of another pipe does not hold back all that comes after it.
            Act::Wait if pipe != Pipe::S => return,
            Act::Wait => {}
            Act::Set => {
                let at_work = self.at_work(pipe, state).into_iter();
                self.seen
                    .unfinished
                    .extend(at_work.map(|site| (site, flag)));
            }
        }
        state.leads.count(flag, call.act);
    }

    fn accesses(&mut self, stmt: StmtId, state: &mut InFlight) {
        let sites = self.kernel.sites;
        let Some(range) = sites.of.get(&stmt).cloned() else {
            return;
        };
        // Sites of a macro are grouped by pipe, in the order in which it uses the pipes.
        let mut before: Option<Pipe> = None;
        let mut rest = range;
        while !rest.is_empty() {
            let pipe = sites.all[rest.start].part.pipe;
            let others = rest.clone().find(|&at| sites.all[at].part.pipe != pipe);
            let own = rest.start..others.unwrap_or(rest.end);
            rest.start = own.end;
            for site in own.clone() {
                self.await_handshakes(site, state);
            }
            // The pipes of a macro hand their work on, one to the next.
            if let Some(before) = before {
                let done = state.done(&self.columns, before);
                state.learn(pipe, &done);
            }
            for at in own.clone() {
                for barrier in state.barriers(sites, at) {
                    state.learn(pipe, &barrier);
                }
            }
            for at in own.clone() {
                self.judge(at, state);
            }
            let done = state.done(&self.columns, pipe);
            for at in own.clone() {
                state.add(at, sites.all[at].ring, pipe);
                state.start(sites, at, &done);
            }
            for site in own {
                self.speak(site, state);
            }
            before = Some(pipe);
        }
    }

    fn await_handshakes(&self, site: usize, state: &mut InFlight) {
        let Some(region) = self.kernel.sites.all[site].region else {
            return;
        };
        for (used, pair) in self.handshakes.with_pairs(&self.touched, site) {
            let (buffer, slot) = used.key;
            if !self.touched.covers(pair, region, buffer) {
                continue;
            }
            for message in [Message::Ready, Message::Free] {
                if !used.awaits(self.touched.auto_sync, pair, message) {
                    continue;
                }
                let said = match self.handshakes.session(pair, buffer) {
                    Some(at) => state.sessions[at]
                        .awaited(slot.known(), message)
                        .map(Cow::into_owned),
                    None => self
                        .handshakes
                        .number(pair, used.key, message)
                        .map(|at| state.handshake(at).clone()),
                };
                if let Some(said) = said {
                    state.learn(used.pipe, &said);
                }
            }
        }
    }

    fn speak(&self, site: usize, state: &mut InFlight) {
        let mut done = None;
        for (used, pair) in self.handshakes.with_pairs(&self.touched, site) {
            let Some(message) = used.sends(pair) else {
                continue;
            };
            let (buffer, slot) = used.key;
            let done = done.get_or_insert_with(|| state.done(&self.columns, used.pipe));
            if let Some(at) = self.handshakes.session(pair, buffer) {
                let without_waits = state.without_waits().clone();
                state.sessions[at].pass(slot.known(), message, done, &without_waits);
            } else if let Some(at) = self.handshakes.number(pair, used.key, message) {
                state.say(at, done.clone());
            }
        }
    }

    fn judge(&mut self, second: usize, state: &InFlight) {
        let site = &self.kernel.sites.all[second];
        let at_work = state.seen_by(site.part.pipe);
        for &first in &self.kernel.sites.conflicts[second] {
            let ring = self.kernel.sites.all[first].ring;
            let met = site.ring.meets(ring, at_work[first]);
            if met != 0 {
                *self.seen.meets.entry((first, second)).or_default() |= met;
            }
        }
        if !matches!(site.memory, Memory::Global(_)) || !self.kernel.shared.contains(&second) {
            return;
        }
        for (at, hold) in state.holds.iter().enumerate() {
            let mutex = MutexId(at as u32);
            let is_held = hold.open == Some(true) && at_work[self.columns.far(mutex)] == 0;
            let here = Guard {
                is_held,
                ahead: hold.ahead.clone(),
            };
            let guard = self.seen.guards.entry((second, mutex));
            guard.and_modify(|guard| guard.join(&here)).or_insert(here);
        }
        let leads = self.seen.leads.entry(second);
        leads
            .and_modify(|leads| leads.join(&state.leads))
            .or_insert_with(|| state.leads.clone());
    }
}

impl Guard {
    fn join(&mut self, other: &Guard) {
        self.is_held &= other.is_held;
        for (mine, theirs) in self.ahead.iter_mut().zip(&other.ahead) {
            *mine = mine.filter(|mine| *theirs == Some(*mine));
        }
    }
}

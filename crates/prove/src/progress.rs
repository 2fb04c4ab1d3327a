//! Proves that tokens balance, no lane waits for ever, and loops end.
//!
//! Running one lane of each side alternately in program order is a schedule of the kernel. Every token has one
//! taker and is never withdrawn. So if no wait precedes its set in this schedule, and control depends neither on
//! the vec lane nor on data, no schedule can stop. The proof counts tokens along every path and checks that every
//! wait finds one.
//!
//! Flags that the sides of a core set for each other by hand are walked side by side (`bridges`).
//!
//! Where all vec lanes meet (`SyncAll`), the n-th wait of a lane needs the n-th set of every lane of the launch. If
//! control depends on none of them, all lanes have the same sets and waits in the same order, and each reaches its n-th
//! set before its n-th wait: so all of them reach it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::bridges;
use super::{Assumption, Proof, Subject};
use a2lint_analysis::{
    ControlFacts, Followed, Follower, IdFaultKind, PathState, UnitFlags, follow_with, id_faults,
    is_core_index, weakest_precondition,
};
use a2lint_ir::sync::{Act, Call, Token, call, calls};
use a2lint_ir::{
    EventId, Program, Scalar, ScalarId, SpecialScalar, Stmt, StmtId, StmtKind, VariableId,
};
use a2lint_isa::{Class, Route, Side};

/// Largest value of the counter of a flag between lanes.
// The hardware counts in four bits.
pub(super) const FLAG_LIMIT: i64 = 15;
/// Tokens that several lanes hand to each other, so that each has to reach the calls equally often.
struct Shared {
    /// Returns whether a token is one of them.
    holds: fn(Token) -> bool,
    /// Queries that these lanes may answer differently.
    queries: &'static [SpecialScalar],
    /// What a call is, in the reason of a doubt.
    called: &'static str,
}

/// Tokens of a mutex, between the lanes of a core.
const HANDOVERS: Shared = Shared {
    holds: |token| matches!(token, Token::Data(_) | Token::Credit(_)),
    queries: &[
        SpecialScalar::SubBlockIdx,
        SpecialScalar::VecIdx,
        SpecialScalar::VecNum,
    ],
    called: "a mutex",
};
/// Flags between the lanes of a core.
const BRIDGES: Shared = Shared {
    holds: |token| matches!(token, Token::Flag(route, _) if !route.joins_cores()),
    called: "a flag between the lanes of a core",
    ..HANDOVERS
};
/// Flags at which the lanes of one side of all cores meet.
const MEETINGS: Shared = Shared {
    holds: |token| matches!(token, Token::Flag(route, _) if route.joins_cores()),
    queries: &[
        SpecialScalar::SubBlockIdx,
        SpecialScalar::VecIdx,
        SpecialScalar::CubeIdx,
    ],
    called: "a meeting of all cores",
};

/// The assumption of proofs in which an unsigned counter may overflow.
const COUNTERS_STAY: &str = "counters of loops stay inside of their types";

/// The assumption of proofs in which all vec lanes meet: a block that starts after others have ended meets none.
const ALL_AT_ONCE: &str = "a launch has no more blocks than the device has cores";

/// The reason why the property is not proved, and the place.
pub(super) type Doubt = (String, Option<StmtId>);

/// Proves the property.
pub(super) fn prove(subject: &Subject) -> Proof {
    let program = subject.program;
    let uneven = || {
        [&HANDOVERS, &BRIDGES, &MEETINGS]
            .into_iter()
            .find_map(|it| uneven(program, it))
    };
    let bridged = has(program, &BRIDGES);
    let unbalanced_bridges = || bridges::prove(program).err().filter(|_| bridged);
    let doubt = unknown(program)
        .or_else(uneven)
        .or_else(|| pooled(program))
        .or_else(unbalanced_bridges);
    if let Some((because, at)) = doubt {
        return Proof::open_at(because, at.and_then(|at| subject.span(at)));
    }
    let (doubt, under) = weakest_precondition(program, |positive| {
        let control = ControlFacts::of(program, positive);
        let doubt = endless(program, &control).or_else(|| unit_flags(program, &control));
        let doubt = match doubt {
            Some(doubt) => Err(doubt),
            None => {
                let may_wrap = may_wrap(program, &control);
                unbalanced(subject, control, bridged).map(|left_set| (left_set, may_wrap))
            }
        };
        (doubt.is_ok(), doubt)
    });
    let (left_set, may_wrap) = match doubt {
        Err((because, at)) => {
            return Proof::open_at(because, at.and_then(|at| subject.span(at)));
        }
        Ok(found) => found,
    };
    let mut proof = Proof::holds_under(program, &under);
    if let Proof::Holds { assuming, .. } = &mut proof {
        // Unsigned counters wrap around to 0, so a loop may miss a bound near the maximum of its counter's type.
        assuming.extend(may_wrap.then(|| Assumption::other(COUNTERS_STAY)));
        assuming.extend(has(program, &MEETINGS).then(|| Assumption::other(ALL_AT_ONCE)));
        assuming.extend(left_set.into_iter().map(|id| {
            let name = &program.event(id).name;
            let cleared = "is cleared before the next kernel";
            Assumption::other(format!(
                "`{name}`, which is still set at the end, {cleared}"
            ))
        }));
    }
    proof
}

/// Returns a flag whose id may be that of a queue, or for which no id may be left.
fn pooled(program: &Program) -> Option<Doubt> {
    let fault = id_faults(program).into_iter().next()?;
    let (src, dst) = fault.pair;
    let because = match fault.kind {
        IdFaultKind::Exhausted => {
            format!("queues may take more event ids from {src} to {dst} than there are")
        }
        IdFaultKind::Shared { id, .. } => {
            format!("flag {id} from {src} to {dst} may have the id of a queue")
        }
        IdFaultKind::Unknown => format!("which ids from {src} to {dst} queues take is not known"),
    };
    Some((because, Some(fault.stmt)))
}

/// Returns a loop that is not shown to end.
fn endless(program: &Program, control: &ControlFacts) -> Option<Doubt> {
    let mut found = None;
    program.walk(&mut |stmt| {
        let ends = match &stmt.kind {
            StmtKind::Loop { .. } => control.ends(stmt.id),
            StmtKind::UnknownLoop { .. } => false,
            _ => true,
        };
        if !ends && found.is_none() {
            let because = "not shown: that this loop ends".to_owned();
            found = Some((because, Some(stmt.id)));
        }
    });
    found
}

/// Returns a product or copy that may wait for its unit flag for ever.
fn unit_flags(program: &Program, control: &ControlFacts) -> Option<Doubt> {
    let flags = UnitFlags::of(program, control);
    let fault = flags.faults.first().map(|&(at, _)| at);
    let at = fault.or(flags.unclear)?;
    let because = "not shown: that this finds its unit flag as it needs it";
    Some((because.to_owned(), Some(at)))
}

/// Returns whether the counter of some loop may step past the end of its type.
fn may_wrap(program: &Program, control: &ControlFacts) -> bool {
    let mut found = false;
    program.walk(&mut |stmt| found |= control.may_wrap(stmt.id));
    found
}

/// Returns a call whose token is unknown or of a kind that is not counted.
fn unknown(program: &Program) -> Option<Doubt> {
    for (stmt, instr) in program.instructions() {
        let class = instr.row().class;
        let found = call(program, stmt).map(|call| call.token);
        let because = match (class, found) {
            (Class::CrossFlag, Some(token)) => match flag(program, token) {
                Some(because) => because,
                None => continue,
            },
            (Class::CrossFlag, None) => {
                "the id of this flag between lanes is not constant, so that its sets and waits are not paired"
            }
            (Class::Event | Class::Mutex, None) => {
                "the id of this flag is not constant, so that its sets and waits are not paired"
            }
            (Class::Mutex, Some(Token::Data(id) | Token::Credit(id))) => {
                let mutex = program.mutex(id);
                // Mutexes with one flag take each other's tokens, which are then not counted correctly.
                let same = |other: &&a2lint_ir::Mutex| other.flag_id == mutex.flag_id;
                match (mutex.flag_id, mutex.depth) {
                    (Some(_), Some(depth)) if (0..=FLAG_LIMIT).contains(&depth) => {
                        match program.mutexes.iter().filter(same).count() {
                            1 => continue,
                            _ => "two mutexes have one flag",
                        }
                    }
                    _ => "the depth or flag of a mutex is not known",
                }
            }
            _ => continue,
        };
        return Some((because.to_owned(), Some(stmt.id)));
    }
    None
}

/// Returns why sets and waits of a flag between lanes are not counted.
fn flag(program: &Program, token: Token) -> Option<&'static str> {
    let Token::Flag(route, id) = token else {
        return None;
    };
    let mut all = calls(program).into_iter().map(|call| call.token);
    // A lane has one counter for each id, whatever route its sets take.
    let is_shared = all.any(|other| {
        let same = |of: Route| of != route && of.takers() == route.takers();
        matches!(other, Token::Flag(of, other) if other == id && same(of))
    });
    match (route.joins_cores(), is_shared) {
        (_, true) => Some("this flag between lanes is set with several modes"),
        // A core of such a kernel may wait for one that starts after it.
        (true, _) if program.starts_in_parts => {
            Some("cores that may run one after the other wait for each other")
        }
        // The schedules of mutexes and of flags are not known to be one.
        (false, _) if !program.mutexes.is_empty() => {
            Some("sets and waits of flags between lanes beside mutexes are not counted")
        }
        _ => None,
    }
}

/// Returns whether a program has calls with such tokens.
fn has(program: &Program, shared: &Shared) -> bool {
    calls(program).iter().any(|call| (shared.holds)(call.token))
}

/// Returns a call that the lanes which share its token may reach differently often, because a condition around it
/// depends on the lane or on data.
fn uneven(program: &Program, shared: &Shared) -> Option<Doubt> {
    if !has(program, shared) {
        return None;
    }
    let private = Private::of(program, shared.queries);
    let mut found = None;
    program.walk(&mut |stmt| {
        let is_even = conditions(&stmt.kind).iter().all(|&id| !private.has(id));
        if !is_even && found.is_none() && decides(program, stmt, shared) {
            let because = format!(
                "what reaches {} may depend on the lane or on data",
                shared.called
            );
            found = Some((because, Some(stmt.id)));
        }
    });
    found
}

/// Returns the scalars that decide how often the blocks of a statement execute.
fn conditions(kind: &StmtKind) -> Vec<ScalarId> {
    match kind {
        StmtKind::Loop {
            start, stop, step, ..
        } => vec![*start, *stop, *step],
        StmtKind::If { arms, .. } => arms.iter().map(|arm| arm.condition).collect(),
        _ => Vec::new(),
    }
}

/// Variables that may differ between lanes, because their value, or whether they are assigned, depends on the lane or
/// on data.
struct Private<'p> {
    program: &'p Program,
    /// Queries that the lanes may answer differently.
    queries: &'static [SpecialScalar],
    variables: FxHashSet<VariableId>,
}

impl<'p> Private<'p> {
    fn of(program: &'p Program, queries: &'static [SpecialScalar]) -> Self {
        let mut private = Private {
            program,
            queries,
            variables: FxHashSet::default(),
        };
        // A variable may depend on one that a later statement assigns, so the walk is repeated until no variable
        // is added.
        let mut before = None;
        while before != Some(private.variables.len()) {
            before = Some(private.variables.len());
            private.block(&program.body, false);
        }
        private
    }

    fn has(&self, id: ScalarId) -> bool {
        // The vec lanes of a core compute its index alike.
        if is_core_index(self.program, id, Side::Vec) {
            return self.queries.contains(&SpecialScalar::CubeIdx);
        }
        match self.program.scalars.get(id) {
            Scalar::Special(special) => self.queries.contains(&special),
            Scalar::Variable(variable) => self.variables.contains(&variable),
            Scalar::Unary(_, a) => self.has(a),
            Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => self.has(a) || self.has(b),
            Scalar::Unknown(_) => true,
            _ => false,
        }
    }

    fn block(&mut self, block: &[Stmt], is_private: bool) {
        for stmt in block {
            let inside = is_private || conditions(&stmt.kind).iter().any(|&id| self.has(id));
            match &stmt.kind {
                StmtKind::Assign { variable, value } if inside || self.has(*value) => {
                    self.variables.insert(*variable);
                }
                StmtKind::Loop { variable, .. } if inside => {
                    self.variables.insert(*variable);
                }
                // A scalar that is read from memory is data.
                StmtKind::Instr(instr) if instr.row().reads_scalar() => {
                    self.variables.extend(instr.variable());
                }
                // After a jump that only some lanes take, every variable may differ between lanes.
                StmtKind::Break | StmtKind::Continue if is_private => {
                    self.variables
                        .extend((0..self.program.variables.len() as u32).map(VariableId));
                }
                _ => {}
            }
            for inner in stmt.kind.blocks() {
                self.block(inner, inside);
            }
        }
    }
}

/// Returns whether a statement contains a call with such a token, or a jump that could skip one.
fn decides(program: &Program, stmt: &Stmt, shared: &Shared) -> bool {
    let mut found = false;
    stmt.walk(&mut |inner| {
        let token = call(program, inner).map(|call| call.token);
        found |= token.is_some_and(shared.holds);
        found |= matches!(inner.kind, StmtKind::Break | StmtKind::Continue);
    });
    found
}

/// Number of pending tokens by token; `None` if it depends on the path.
#[derive(Clone, Debug, PartialEq)]
struct Tokens(Vec<Option<i64>>);

impl PathState for Tokens {
    fn join(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = mine.filter(|mine| *theirs == Some(*mine));
        }
    }
}

struct Count<'p> {
    program: &'p Program,
    control: ControlFacts,
    /// The index of each token in [`Tokens`], and the largest number that may be pending.
    numbers: FxHashMap<Token, (usize, i64)>,
    doubt: Option<Doubt>,
}

impl<'p> Follower<'p, Tokens> for Count<'p> {
    fn step(&mut self, stmt: &'p Stmt, state: &mut Tokens) {
        let Some(call) = call(self.program, stmt) else {
            return;
        };
        let Some(&(number, most)) = self.numbers.get(&call.token) else {
            return;
        };
        let count = &mut state.0[number];
        let next = count.map(|count| match call.act {
            Act::Set => count + 1,
            Act::Wait => count - 1,
        });
        let because = match next {
            None => "how many sets of this flag are not awaited yet depends on the path",
            Some(next) if next < 0 => "a wait may come before its set",
            Some(next) if next > most => "a set may come before the wait for the one before",
            Some(_) => "",
        };
        if !because.is_empty() {
            self.doubt
                .get_or_insert((because.to_owned(), Some(stmt.id)));
        }
        *count = next.filter(|next| (0..=most).contains(next));
    }

    fn control(&self) -> Option<&ControlFacts> {
        Some(&self.control)
    }
}

/// Returns the events that are set at the end and were not at the start.
///
/// # Errors
/// A wait without a token, or a token of another kind that is left over. Flags between lanes that are `bridged` are
/// counted elsewhere.
fn unbalanced(
    subject: &Subject,
    control: ControlFacts,
    bridged: bool,
) -> Result<Vec<EventId>, Doubt> {
    let program = subject.program;
    let mut numbers = FxHashMap::default();
    let mut start = Vec::new();
    let is_counted = |call: &Call| !(bridged && matches!(call.token, Token::Flag(..)));
    for call in calls(program).into_iter().filter(is_counted) {
        let (posted, most) = posted(program, call.token);
        numbers.entry(call.token).or_insert_with(|| {
            start.push(Some(posted));
            (start.len() - 1, most)
        });
    }
    let mut count = Count {
        program,
        control,
        numbers,
        doubt: None,
    };
    let end = follow_with(&program.body, Tokens(start.clone()), &mut count);
    if let Some(doubt) = count.doubt {
        return Err(doubt);
    }
    let end = match end {
        Followed::End(end) => end,
        Followed::Nowhere => return Err(("its end is never reached".to_owned(), None)),
        Followed::TooFar => return Err(("its paths are too many to follow".to_owned(), None)),
    };
    let mut left_set = Vec::new();
    for (token, (number, _)) in count.numbers {
        match (token, end.0[number], start[number]) {
            (_, now, before) if now == before => {}
            // An event that is left set harms only a later kernel, which is an assumption of the proof.
            (Token::Event(id), Some(now), Some(before)) if now > before => left_set.push(id),
            _ => {
                let because = "a token is left over, or missing, at the end";
                return Err((because.to_owned(), None));
            }
        }
    }
    left_set.sort_unstable();
    Ok(left_set)
}

/// Returns the number of tokens at the start, and the largest number that may be pending.
fn posted(program: &Program, token: Token) -> (i64, i64) {
    match token {
        Token::Event(id) => {
            let event = program.event(id);
            let ids = i64::from(event.ids.max(1));
            (if event.preset { ids } else { 0 }, ids)
        }
        // A raw flag is a single bit: a second set before the wait would be lost.
        Token::Raw(..) => (0, 1),
        Token::Credit(id) => {
            let depth = program.mutex(id).depth.unwrap_or_default();
            (depth, depth)
        }
        Token::Data(id) => (0, program.mutex(id).depth.unwrap_or_default()),
        // Each lane has its own counter.
        Token::Flag(..) => (0, FLAG_LIMIT),
    }
}

//! Finds the tokens that statements set and await: events, raw flags, mutexes and flags between lanes.

use rustc_hash::FxHashMap;

use crate::{EventId, Instr, MutexId, Program, Stmt, StmtKind};
use a2lint_isa::{Act, Channel, Pipe, Route, param};

/// An object that statements set and await.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Token {
    /// An event of one lane.
    Event(EventId),
    /// A raw flag of one lane: the pipe that sets, the pipe that waits, its number.
    Raw(Pipe, Pipe, i64),
    /// The data tokens of a mutex, which its producer sets.
    Data(MutexId),
    /// The free tokens of a mutex, which its consumer sets.
    Credit(MutexId),
    /// A flag between lanes.
    Flag(Route, i64),
}

/// A statement that sets or awaits a token.
#[derive(Clone, Copy, Debug)]
pub struct Call<'p> {
    /// The statement.
    pub stmt: &'p Stmt,
    /// The instruction of the statement.
    pub instr: &'p Instr,
    /// The token.
    pub token: Token,
    /// Whether the token is set or awaited.
    pub act: Act,
}

/// Returns the call of a statement; `None` for a statement without a token, and where the token is not known.
pub fn call<'p>(program: &'p Program, stmt: &'p Stmt) -> Option<Call<'p>> {
    let StmtKind::Instr(instr) = &stmt.kind else {
        return None;
    };
    let (token, act) = token(program, instr)?;
    Some(Call {
        stmt,
        instr,
        token,
        act,
    })
}

/// The first call of each kind, by token.
pub type FirstCalls<'p> = FxHashMap<(Token, Act), Call<'p>>;

/// Returns the first call of each kind, by token.
pub fn first_calls<'p>(calls: &[Call<'p>]) -> FirstCalls<'p> {
    let mut first = FxHashMap::default();
    for call in calls {
        first.entry((call.token, call.act)).or_insert(*call);
    }
    first
}

/// Returns all calls of a program, in program order.
pub fn calls(program: &Program) -> Vec<Call<'_>> {
    let mut found = Vec::new();
    program.walk(&mut |stmt| found.extend(call(program, stmt)));
    found
}

/// Returns whether a program sets or awaits, or may set or await, a token that is not known.
pub fn may_have_unknown_tokens(program: &Program) -> bool {
    let is_unknown =
        |instr: &Instr| instr.row().signal().is_some() && token(program, instr).is_none();
    program.hides_instructions()
        || program
            .instructions()
            .iter()
            .any(|(_, instr)| is_unknown(instr))
}

fn token(program: &Program, instr: &Instr) -> Option<(Token, Act)> {
    let (act, channel) = instr.row().signal()?;
    let number = |at: usize| program.scalars.as_int(instr.args.get(at)?.value.scalar()?);
    let token = match channel {
        Channel::Event => Token::Event(instr.event()?),
        Channel::AllOfEvent => return None,
        Channel::Raw => {
            let src = instr.pipe_at(param!(SetFlag | WaitFlag.src))?;
            let dst = instr.pipe_at(param!(SetFlag | WaitFlag.dst))?;
            Token::Raw(src, dst, number(param!(SetFlag | WaitFlag.event_id))?)
        }
        Channel::Flag(route) => Token::Flag(route, number(param!(class CrossFlag.flag_id))?),
        Channel::Data => Token::Data(instr.mutex()?),
        Channel::Credit => Token::Credit(instr.mutex()?),
    };
    Some((token, act))
}

impl Token {
    /// Returns whether two tokens are equal, or are the data and free tokens of one mutex.
    pub fn is_kin(self, other: Token) -> bool {
        match (self, other) {
            (Token::Data(a) | Token::Credit(a), Token::Data(b) | Token::Credit(b)) => a == b,
            (a, b) => a == b,
        }
    }

    /// Returns whether a token belongs to a mutex, or is a flag whose id a mutex uses or may use.
    pub fn is_of_mutex(self, program: &Program) -> bool {
        match self {
            Token::Data(_) | Token::Credit(_) => true,
            Token::Flag(_, id) => {
                let mut mutexes = program.mutexes.iter();
                mutexes.any(|mutex| mutex.flag_id.is_none_or(|flag| flag == id))
            }
            Token::Event(_) | Token::Raw(..) => false,
        }
    }
}

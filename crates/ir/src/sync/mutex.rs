//! Defines the two ends of a mutex: the producer and the consumer, and the calls that open and close their
//! critical sections.

use super::calls::{Call, Token};
use crate::{Mutex, MutexId, MutexKind};
use a2lint_isa::{Act, Side};

/// One end of a mutex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// `lock … ready`.
    Producer,
    /// `wait … free`.
    Consumer,
}

/// Returns the end of a mutex that a side has.
pub fn end_of(mutex: &Mutex, side: Side) -> End {
    match producer(mutex) == side {
        true => End::Producer,
        false => End::Consumer,
    }
}

/// Returns the side that produces the data.
pub fn producer(mutex: &Mutex) -> Side {
    match mutex.kind {
        MutexKind::CubeToVec => Side::Cube,
        MutexKind::VecToCube => Side::Vec,
    }
}

/// Returns the end of a mutex that a call belongs to, and whether the call opens the critical section; `None`
/// for a call of another token.
pub fn half(call: &Call) -> Option<(MutexId, End, bool)> {
    Some(match (call.token, call.act) {
        (Token::Credit(mutex), Act::Wait) => (mutex, End::Producer, true),
        (Token::Data(mutex), Act::Set) => (mutex, End::Producer, false),
        (Token::Data(mutex), Act::Wait) => (mutex, End::Consumer, true),
        (Token::Credit(mutex), Act::Set) => (mutex, End::Consumer, false),
        _ => return None,
    })
}

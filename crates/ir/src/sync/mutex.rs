//! The two ends of a mutex: who hands data over, and which calls open and close the guarded stretch.

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

/// The end of a mutex that a side works at.
pub fn end_of(mutex: &Mutex, side: Side) -> End {
    match producer(mutex) == side {
        true => End::Producer,
        false => End::Consumer,
    }
}

/// The side that hands data over.
pub fn producer(mutex: &Mutex) -> Side {
    match mutex.kind {
        MutexKind::CubeToVec => Side::Cube,
        MutexKind::VecToCube => Side::Vec,
    }
}

/// The end of a mutex that a call belongs to, and whether it opens the guarded stretch.
pub fn half(call: &Call) -> Option<(MutexId, End, bool)> {
    Some(match (call.token, call.act) {
        (Token::Credit(mutex), Act::Wait) => (mutex, End::Producer, true),
        (Token::Data(mutex), Act::Set) => (mutex, End::Producer, false),
        (Token::Data(mutex), Act::Wait) => (mutex, End::Consumer, true),
        (Token::Credit(mutex), Act::Set) => (mutex, End::Consumer, false),
        _ => return None,
    })
}

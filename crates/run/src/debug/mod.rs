//! A run that can be stopped anywhere, looked at, and taken back.
//!
//! The machine is deterministic: what it does follows from which lane is stepped when. A [`Session`] keeps
//! that as a log, and images of the machine at some instants; any other instant is reached from the image
//! before it. Going back forgets nothing; only a step of another lane than the log's makes another future.

pub mod expression;
mod history;
mod past;
mod races;
mod session;
mod stops;
mod who;

pub use races::Races;
pub use session::{Direction, LaneView, Limits, Reason, Session, Stopped, Stride, Where};
pub use stops::{Breakpoint, Change, DataBreakpoint, Exception, Filter, Hits, Place, Stops};
pub use who::{Touch, Unknown};

/// Steps of all lanes up to a moment of a run. A lane that had to wait has made a step, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(pub u64);

impl std::fmt::Display for Instant {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

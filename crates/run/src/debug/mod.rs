//! A run that can be stopped anywhere, inspected and reversed.
//!
//! The machine is deterministic: its state follows from the order in which lanes are stepped. A [`Session`] keeps
//! this order as a log, and images of the machine at some instants; any other instant is reached from the image
//! before it. Going back loses nothing. Only a step of another lane than that in the log starts another future.

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

/// The number of steps of all lanes up to a point of a run. A step that had to wait counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(pub u64);

impl std::fmt::Display for Instant {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

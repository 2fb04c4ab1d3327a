//! Defines the synchronisation of instructions: their pipes and sides, tokens and routes, the pairs that
//! `auto_sync` covers, and the accesses that have to be in order. Machine, hazards, analysis and rules all
//! use these definitions.

mod auto_sync;
mod calls;
mod conflict;
mod mutex;
mod pipes;
mod reading;
mod route;
mod session;

pub use a2lint_isa::{Act, Route};
pub use auto_sync::{AutoSyncCoverage, Key, Message, Pair, Slot, Use};
pub use calls::{Call, FirstCalls, Token, call, calls, first_calls, may_have_unknown_tokens};
pub use conflict::{Between, Part, order_matters};
pub use mutex::{End, end_of, half, producer};
pub use pipes::{event_pipes, pipe_of, side_of};
pub use reading::Reading;
pub use session::{Knowledge, Session};

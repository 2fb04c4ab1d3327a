//! Cancellation of work.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Supervisor;

/// A flag that cancels work whose result is no longer wanted.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Cancels the work.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether the work was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns whether both flags cancel the same work.
    pub fn is(&self, other: &Cancel) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns a guard that cancels the work when dropped.
    pub fn on_drop(&self) -> CancelOnDrop {
        CancelOnDrop(self.clone())
    }
}

impl Supervisor for Cancel {
    fn is_cancelled(&mut self) -> bool {
        Cancel::is_cancelled(self)
    }
}

/// Cancels work when dropped.
#[derive(Debug)]
pub struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

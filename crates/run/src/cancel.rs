//! Taking work back.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Supervisor;

/// Tells work that nobody waits for it any more.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Takes the work back.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was taken back.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Whether both take back the same work.
    pub fn is(&self, other: &Cancel) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Takes the work back once the guard is dropped.
    pub fn on_drop(&self) -> CancelOnDrop {
        CancelOnDrop(self.clone())
    }
}

impl Supervisor for Cancel {
    fn is_cancelled(&mut self) -> bool {
        Cancel::is_cancelled(self)
    }
}

/// Takes work back when dropped.
#[derive(Debug)]
pub struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

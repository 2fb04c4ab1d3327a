//! Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit status of a process that was interrupted, as shells give it.
const INTERRUPTED: i32 = 130;

/// Whether the user wants the run to end. The first Ctrl-C asks for that, a second one ends the
/// process at once.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on. Where that is not possible, Ctrl-C does what it always does.
    pub fn listen() -> Interrupt {
        let interrupt = Interrupt::default();
        let asked = Arc::clone(&interrupt.0);
        let _ = ctrlc::set_handler(move || {
            if asked.swap(true, Ordering::Relaxed) {
                std::process::exit(INTERRUPTED);
            }
        });
        interrupt
    }

    /// What is set when it is asked for.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Takes it back: what was asked to end has ended.
    pub fn forget(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether it was asked for.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

//! Handling of Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit status of an interrupted process, by the convention of shells.
const INTERRUPTED: i32 = 130;

/// Set when the user presses Ctrl-C, to end the run. A second Ctrl-C ends the process at once.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Installs the handler. If that fails, Ctrl-C keeps its default effect.
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

    /// Returns the flag.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Clears the flag, after the run that was interrupted has ended.
    pub fn forget(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Returns whether the flag is set.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

//! Long work while Python waits: without the lock of the interpreter, obeying Ctrl-C.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use a2lint::machine::Progress;
use a2lint::run::Supervisor;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Time between two looks at signals.
const INTERVAL: Duration = Duration::from_millis(50);
/// How long a run goes on before it says anything.
const PATIENCE: Duration = Duration::from_secs(1);
/// Stack of the thread that works: nested sources take more than usual.
const STACK_BYTES: usize = 16 << 20;

/// Does something on a thread of its own, while this one looks for Ctrl-C. What is interrupted is left to
/// end by itself: all work is bounded.
pub fn apart<T: Send + 'static>(
    py: Python,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (done, answer) = mpsc::channel();
    let answer = std::sync::Mutex::new(answer);
    thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || done.send(work()))
        .map_err(|cause| PyRuntimeError::new_err(format!("cannot start a thread: {cause}")))?;
    loop {
        let waited = py.detach(|| match answer.lock() {
            Ok(answer) => answer.recv_timeout(INTERVAL),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        });
        match waited {
            Ok(answer) => return Ok(answer),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("internal error: the work panicked"));
            }
        }
    }
}

/// A Python caller that waits for a run.
pub struct Waiting {
    next_look: Instant,
    next_word: Instant,
    progress: Option<Py<PyAny>>,
    /// What ended the run: an interrupt, or an error of the callback.
    pub raised: Option<PyErr>,
}

impl Waiting {
    /// Waits for a run that begins now.
    pub fn new(progress: Option<Py<PyAny>>) -> Waiting {
        let now = Instant::now();
        Waiting {
            next_look: now + INTERVAL,
            next_word: now + PATIENCE,
            progress,
            raised: None,
        }
    }
}

impl Supervisor for Waiting {
    fn is_cancelled(&mut self) -> bool {
        let now = Instant::now();
        if self.raised.is_none() && now >= self.next_look {
            self.next_look = now + INTERVAL;
            self.raised = Python::attach(|py| py.check_signals()).err();
        }
        self.raised.is_some()
    }

    fn progress(&mut self, progress: &Progress) {
        let now = Instant::now();
        let Some(callback) = self.progress.as_ref().filter(|_| now >= self.next_word) else {
            return;
        };
        self.next_word = now + 2 * INTERVAL;
        let told = (
            progress.instructions,
            progress.finished_cores,
            progress.cores,
        );
        let failed = Python::attach(|py| callback.call1(py, told)).err();
        self.raised = self.raised.take().or(failed);
    }
}

//! Time estimates of a document's kernels. They are computed when a hover first asks, and kept in the snapshot.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::Snapshot;
use a2lint_costs::{Timed, longest};
use a2lint_ir::Program;
use a2lint_source::guard::guard;

/// Maximum simulator work for the estimate of a kernel, about a tenth of a second.
const MOST_WORK: u64 = 2_000_000;

/// The kernels for which an estimate was requested.
#[derive(Debug, Default)]
pub struct Timings {
    kernels: Mutex<Vec<Kernel>>,
    /// Signalled when an estimate is ready.
    changed: Condvar,
}

#[derive(Debug)]
struct Kernel {
    /// Index of the kernel in the programs.
    index: usize,
    /// `None` while the estimate is being computed, `Some(None)` if the kernel cannot be timed.
    known: Option<Option<Arc<Timed>>>,
}

impl Timings {
    fn kernels(&self) -> MutexGuard<'_, Vec<Kernel>> {
        self.kernels.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a request for a kernel. Returns whether there was one before.
    fn is_asked(&self, index: usize) -> bool {
        let mut kernels = self.kernels();
        let is_asked = kernels.iter().any(|kernel| kernel.index == index);
        if !is_asked {
            let known = None;
            kernels.push(Kernel { index, known });
        }
        is_asked
    }

    fn put(&self, index: usize, timed: Option<Arc<Timed>>) {
        let mut kernels = self.kernels();
        let mut asked = kernels.iter_mut();
        if let Some(kernel) = asked.find(|kernel| kernel.index == index) {
            kernel.known = Some(timed);
        }
        self.changed.notify_all();
    }

    /// Waits until `until` for the estimate of a kernel.
    fn get(&self, index: usize, until: Instant) -> Option<Arc<Timed>> {
        let mut kernels = self.kernels();
        loop {
            let kernel = kernels.iter().find(|kernel| kernel.index == index)?;
            if let Some(known) = &kernel.known {
                return known.clone();
            }
            let left = until.saturating_duration_since(Instant::now());
            if left == Duration::ZERO {
                return None;
            }
            let waited = self.changed.wait_timeout(kernels, left);
            kernels = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Starts to compute the estimate of a kernel on a thread of its own, unless that was done before. It is not
/// cancelled with the hover, because its work is bounded and the next hover may need it.
pub fn begin(snapshot: &Arc<Snapshot>, program: &Program) {
    let Some(index) = index(snapshot, program) else {
        return;
    };
    if snapshot.timings.is_asked(index) {
        return;
    }
    let snapshot = snapshot.clone();
    thread::spawn(move || {
        let timed = guard(|| computed(&snapshot, &snapshot.module().programs[index]));
        snapshot
            .timings
            .put(index, timed.ok().flatten().map(Arc::new));
    });
}

/// Returns the estimate of a kernel under the launch of the file that takes longest, if it is ready by `until`.
pub fn of(snapshot: &Snapshot, program: &Program, until: Instant) -> Option<Arc<Timed>> {
    snapshot.timings.get(index(snapshot, program)?, until)
}

fn index(snapshot: &Snapshot, program: &Program) -> Option<usize> {
    let mut programs = snapshot.module().programs.iter();
    programs.position(|it| std::ptr::eq(it, program))
}

fn computed(snapshot: &Snapshot, program: &Program) -> Option<Timed> {
    let check = &snapshot.check;
    let (module, scalars) = (snapshot.module(), &check.bindings);
    let (_, timed) = longest(module, program, check.trace.device, scalars, MOST_WORK)?;
    Some(timed)
}

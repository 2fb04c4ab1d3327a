//! What kernels of a document take on the device, computed when a hover first asks and kept with the
//! snapshot.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::Snapshot;
use a2lint_costs::{Timed, longest};
use a2lint_ir::Program;
use a2lint_source::guard::guard;

/// Work of a kernel whose time a hover tells: a tenth of a second.
const MOST_WORK: u64 = 2_000_000;

/// The kernels whose times were asked for.
#[derive(Debug, Default)]
pub struct Timings {
    kernels: Mutex<Vec<Kernel>>,
    /// Something has come to be known.
    changed: Condvar,
}

#[derive(Debug)]
struct Kernel {
    /// Its place among the programs.
    index: usize,
    /// Nothing while it is being computed.
    known: Option<Option<Arc<Timed>>>,
}

impl Timings {
    fn kernels(&self) -> MutexGuard<'_, Vec<Kernel>> {
        self.kernels.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether somebody has asked for a kernel before; from now on somebody has.
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

    /// What a kernel takes, if that is known by a point in time.
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

/// Begins to compute what a kernel takes, unless that was done before, on a thread of its own: it is
/// bounded in work, and another hover may need it although this one is over.
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

/// What a kernel takes under the launch of the file that takes longest, if that is known by a point in
/// time.
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

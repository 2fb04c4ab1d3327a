//! Which launches are replayed.

use super::variants;
use super::{MAX_GLOBAL_BYTES, Request};
use crate::ir::{Launch, Module, Program};
use crate::machine::{Bindings, BoundLaunch};

/// A launch to replay.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// Its arguments.
    pub bound: BoundLaunch,
    /// Whether nobody but the checker asks for these sizes.
    pub is_invented: bool,
}

/// Whether the file, or the user, launches a kernel.
pub(super) fn is_launched(program: &Program, module: &Module) -> bool {
    let mut launches = module.launches.iter();
    launches.any(|launch| launch.kernel == program.name)
}

/// Most launches of the file that are replayed.
const MAX_GIVEN: usize = 12;

/// The launches to replay, in order: those of the file, as the user's bindings change them, then
/// tail variants of them.
pub(super) fn candidates(program: &Program, module: &Module, request: &Request) -> Vec<Candidate> {
    let own = module
        .launches
        .iter()
        .filter(|launch| launch.kernel == program.name);
    let own: Vec<&Launch> = own.take(MAX_GIVEN).collect();
    let binder = Binder {
        program,
        module,
        request,
    };
    let mut found: Vec<Candidate> = Vec::new();
    let mut add = |bound: Option<BoundLaunch>, is_invented: bool| {
        let fresh = bound.filter(|bound| found.iter().all(|known| known.bound != *bound));
        found.extend(fresh.map(|bound| Candidate { bound, is_invented }));
    };
    for launch in &own {
        add(binder.bind(Some(launch), &[]), false);
    }
    if own.is_empty() && !request.bindings.is_empty() {
        add(binder.bind(None, &[]), false);
    }
    for changes in variants::of(program, &own, request.bindings, request.device) {
        add(binder.bind(own.first().copied(), &changes), true);
    }
    found
}

struct Binder<'a> {
    program: &'a Program,
    module: &'a Module,
    request: &'a Request<'a>,
}

impl Binder<'_> {
    /// A launch with the user's bindings and some changes of our own.
    fn bind(&self, launch: Option<&Launch>, changes: &[(String, f64)]) -> Option<BoundLaunch> {
        let mut scalars: Vec<(String, f64)> = changes.to_vec();
        scalars.extend(self.request.bindings.iter().cloned());
        let bindings = Bindings {
            scalars,
            ..Bindings::default()
        };
        BoundLaunch::bind(
            self.program,
            launch,
            &self.module.launches,
            &bindings,
            self.request.device,
            MAX_GLOBAL_BYTES,
        )
        .ok()
    }
}

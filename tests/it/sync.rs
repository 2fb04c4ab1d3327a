//! Synchronisation in two engines: the vector clocks of the tracker against an oracle that freezes instructions.
//!
//! The kernels of `tests/kernels` are sound, and those of `tests/sync` have names that say whether they are. Both
//! engines must agree on every launch, and neither may report a hazard in a sound kernel. (`tests/rules` compares the
//! findings in these kernels with their annotations.)

#[path = "../../examples/mutants/sync/freeze/mod.rs"]
pub mod freeze;

use std::path::{Path, PathBuf};

pub use self::freeze::Freezer;
use a2lint::device::Device;
use a2lint::frontend::dsl::trace;
use a2lint::hazards::{Hazard, HazardKind, Tracker};
use a2lint::ir::{Module, Program};
use a2lint::isa::Pipe;
use a2lint::machine::{Bindings, BoundLaunch, Options, simulate};
use a2lint::text::SourceText;

/// Returns the kernel files that are directly in a folder of `tests`.
pub fn kernels(folder: &str) -> Vec<PathBuf> {
    let folder = crate::common::root().join("tests").join(folder);
    let mut files = crate::common::files(&folder, "py");
    files.retain(|path| path.parent() == Some(&folder));
    files
}

/// Returns every launch of a file that can run, with its kernel.
pub fn launches(module: &Module) -> Vec<(&Program, BoundLaunch)> {
    let bind = |launch: &a2lint::ir::Launch| {
        let mut programs = module.programs.iter();
        let program = programs.find(|program| program.name == launch.kernel)?;
        let (none, device) = (Bindings::default(), Device::default());
        let all = &module.launches;
        // Launch comments may describe tensors that only another launch defines, so not all of them can run.
        let bound = BoundLaunch::bind(program, Some(launch), all, &none, device, 1 << 30);
        Some((program, bound.ok()?))
    };
    module.launches.iter().filter_map(bind).collect()
}

/// Returns the hazards that the tracker finds, without overrun rings, and of those with a second access by the scalar
/// unit only reads after writes: scalar writes are templates for data.
fn hazards(program: &Program, bound: &BoundLaunch) -> Vec<Hazard> {
    let mut tracker = Tracker::new(program, bound.cores);
    simulate(program, bound, &Options::default(), &mut tracker);
    let mut hazards = tracker.finish();
    let is_template = |hazard: &Hazard| {
        hazard.second.pipe == Pipe::S && hazard.kind != HazardKind::ReadAfterWrite
    };
    hazards.retain(|hazard| hazard.kind != HazardKind::RingOverrun && !is_template(hazard));
    hazards
}

pub fn module(path: &Path) -> Module {
    trace(&SourceText::new(crate::common::read(path)))
}

#[test]
fn two_engines_agree_and_clean_kernels_have_no_hazards() {
    let (mut seen, mut clean) = ([0, 0], 0);
    let sync = kernels("sync").into_iter().map(|path| (path, false));
    let sound = kernels("kernels").into_iter().map(|path| (path, true));
    for (path, is_sound) in sync.chain(sound) {
        let module = module(&path);
        for (program, bound) in launches(&module) {
            let mut freezer = Freezer::new(program, bound.cores);
            simulate(program, &bound, &Options::default(), &mut freezer);
            let (overlaps, hazards) = (freezer.finish(), hazards(program, &bound));
            let is_expected = !is_sound || hazards.is_empty();
            assert!(is_expected, "{}: {hazards:#?}", program.name);
            clean += u32::from(is_sound);
            assert_eq!(
                overlaps.is_empty(),
                hazards.is_empty(),
                "{}: the judge sees {overlaps:?}, the tracker {hazards:#?}",
                path.display()
            );
            for hazard in &hazards {
                let (first, second) = (&hazard.first, &hazard.second);
                let is_same = |overlap: &freeze::Overlap| {
                    (overlap.first, overlap.first_pipe) == (first.stmt, first.pipe)
                        && (overlap.second, overlap.second_pipe) == (second.stmt, second.pipe)
                };
                assert!(
                    overlaps.iter().any(is_same),
                    "{}: the judge does not know of {hazard:#?}",
                    path.display()
                );
            }
            seen[usize::from(hazards.is_empty())] += 1;
        }
    }
    assert!(clean >= 20, "only {clean} launches of clean kernels ran");
    let [racy, sound] = seen;
    assert!(
        racy >= 15 && sound >= 30,
        "{racy} racy launches, {sound} sound ones"
    );
}

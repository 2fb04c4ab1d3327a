//! The kernels of `tests/kernels` under all their launches: nothing that they do is unordered.

mod common;

use a2lint::device::Device;
use a2lint::frontend::easyasc::trace;
use a2lint::hazards::Tracker;
use a2lint::machine::{Bindings, BoundLaunch, Options, simulate};
use a2lint::text::SourceText;

#[test]
fn clean_kernels_have_no_hazards() {
    let folder = common::root().join("tests/kernels");
    let files = common::files(&folder, "py");
    let mut runs = 0;
    for path in files.iter().filter(|path| path.parent() == Some(&folder)) {
        let module = trace(&SourceText::new(common::read(path)));
        for launch in &module.launches {
            let mut programs = module.programs.iter();
            let program = programs.find(|program| program.name == launch.kernel);
            let program = program.expect("a launch has its kernel");
            let (none, device) = (Bindings::default(), Device::default());
            let bound = BoundLaunch::bind(
                program,
                Some(launch),
                &module.launches,
                &none,
                device,
                1 << 30,
            );
            // Comments launch kernels whose tensors another launch describes; not all can run.
            let Ok(bound) = bound else { continue };
            let mut tracker = Tracker::new(program, bound.cores);
            simulate(program, &bound, &Options::default(), &mut tracker);
            let hazards = tracker.finish();
            assert!(
                hazards.is_empty(),
                "{} {:?}: {hazards:#?}",
                launch.kernel,
                launch.scalars
            );
            runs += 1;
        }
    }
    assert!(runs >= 20, "only {runs} launches ran");
}

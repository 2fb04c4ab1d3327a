use std::sync::Arc;

use crate::scheduler::Scheduler;
use crate::team::{Team, ThreadedRun};
use crate::{Bindings, BoundLaunch, NullObserver, Options, Setup, Threads};
use a2lint_frontend::dsl::trace;
use a2lint_isa::DType;
use a2lint_isa::device::Device;
use a2lint_source::text::SourceText;

/// Returns the result of cores on three threads, the first of which has begun before; each stores to these
/// rows.
fn run(rows: &str) -> ThreadedRun {
    let text = format!(
        "from easyasc.a2 import *\n\n\n@kernel(mode=\"vec\")\n\
         def copy(x: GMTensor, y: GMTensor):\n    \
         tile = Tensor(DT.float, [8, 64], Position.UB)\n    \
         lane = GetVecIdx()\n    \
         with auto_sync():\n        \
         tile <<= x[lane * 8 : lane * 8 + 8, 0:64]\n        \
         y[{rows}, 0:64] <<= tile\n"
    );
    let module = trace(&SourceText::new(text.as_str()));
    let program = &module.programs[0];
    let tensors = ["x", "y"].map(str::to_owned);
    let bindings = Bindings {
        shapes: tensors.clone().map(|name| (name, vec![512, 64])).into(),
        dtypes: tensors.map(|name| (name, DType::Float)).into(),
        ..Bindings::default()
    };
    let launch = BoundLaunch::bind(program, None, &[], &bindings, Device::default(), 1 << 26);
    let launch = launch.expect("the launch is possible");
    let threads = Threads {
        most: 3,
        least_work: 0,
    };
    let options = Options {
        threads,
        ..Options::default()
    };
    let setup = Setup::new(program, &launch, options).expect("buffers fit");
    let mut scheduler = Scheduler::new(&Arc::new(setup), &NullObserver);
    let team = Team::of(&mut scheduler.stepper).expect("cores do not wait for each other");
    scheduler.stepper.begin(0);
    team.run(&mut scheduler, &mut NullObserver)
        .expect("all cores finish")
}

#[test]
fn cores_with_disjoint_stores_finish_on_threads() {
    assert!(matches!(
        run("lane * 8 : lane * 8 + 8"),
        ThreadedRun::Finished
    ));
}

#[test]
fn cores_that_store_to_the_same_rows_are_detected() {
    let outcome = run("lane // 10 * 8 : lane // 10 * 8 + 8");
    // Lanes 0 to 9 share rows, so the second core meets the first.
    assert!(matches!(outcome, ThreadedRun::Met { told: 0 }));
    let outcome = run("Min(lane, 11) * 8 : Min(lane, 11) * 8 + 8");
    assert!(matches!(outcome, ThreadedRun::Met { told: 5 }));
}

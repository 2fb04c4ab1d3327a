//! Steps back in the debugger in flash attention, one head of 1024 queries: `cargo bench --bench debug`.
//!
//! Targets: 95 of 100 steps back within 50 ms, from the start to the first stop within 300 ms, at most 500 MB at any
//! time.

#[allow(dead_code, reason = "other benchmarks take the rest")]
mod common;

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant as Clock};

use a2lint::debug::{Direction, Instant, Limits, Session, Stops, Stride};
use a2lint::isa::DType;
use a2lint::project::SourceMap;
use common::{FLASH_ATTENTION, Subject};

// The same allocator as in the binary.
use mimalloc as _;

/// Number of steps back that are measured.
const STEPS: u64 = 200;

fn main() {
    let shape: &'static [i64] = &[1, 1024, 128];
    let subject = Subject::new(
        FLASH_ATTENTION,
        20,
        &[
            ("BH", 1.0),
            ("S1", 1024.0),
            ("S2", 1024.0),
            ("scale", 1.0 / 128_f64.sqrt()),
        ],
        &["q", "k", "v", "out"].map(|name| (name, DType::Half, shape)),
    );
    let go_on = AtomicBool::new(false);
    let begun = Clock::now();
    let map = SourceMap::default();
    let session = Session::new(&subject.program, &map, &subject.launch, Limits::default());
    let mut session = session.expect("it can be run");
    println!("to the first stop: {:.1?}", begun.elapsed());
    let begun = Clock::now();
    session.resume(Direction::Forward, &Stops::default(), &go_on);
    let end = session.now();
    println!("{end} steps to the end: {:.1?}", begun.elapsed());
    println!("kept: {} MB", session.kept() >> 20);
    let mut times: Vec<Duration> = (0..STEPS)
        .map(|number| {
            session.go_to(Instant(end.0 * (STEPS - number) / STEPS));
            let lane = session.next().unwrap_or_else(|| session.lanes()[0].id);
            let begun = Clock::now();
            session.step_back(lane, Stride::Statement, &go_on);
            begun.elapsed()
        })
        .collect();
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100];
    println!(
        "a step back: median {:.1?}, p95 {:.1?}, longest {:.1?}",
        at(50),
        at(95),
        at(100)
    );
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        let peak = status.lines().find(|line| line.starts_with("VmHWM"));
        println!("{}", peak.unwrap_or_default());
    }
}

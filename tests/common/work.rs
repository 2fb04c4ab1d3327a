//! How long something takes, however busy the machine is.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The processor time that a process has taken (`self` is this one), all of its threads together, from the fields
/// `utime` and `stime` of its statistics, which count hundredths of a second. Its name, which comes before, may hold
/// spaces. `None` where there are no such statistics.
pub fn processor_time(process: &str) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let times = fields.split_whitespace().skip(11).take(2);
    let ticks = times.filter_map(|ticks| ticks.parse::<u64>().ok());
    Some(Duration::from_millis(10 * ticks.sum::<u64>()))
}

/// Measures what is done from its start on.
struct Work {
    start: Instant,
    before: Option<Duration>,
}

impl Work {
    /// Starts to measure.
    fn start() -> Work {
        Work {
            start: Instant::now(),
            before: processor_time("self"),
        }
    }

    /// How long it took: by the clock, which grows with the load of the machine, or in processor time, which grows with
    /// what other tests do meanwhile, whichever is less.
    fn taken(&self) -> Duration {
        let lasted = self.start.elapsed();
        let worked = processor_time("self").zip(self.before);
        worked.map_or(lasted, |(now, before)| lasted.min(now - before))
    }
}

/// Does what must not take longer than a bound. What does fails while it runs, with a message: without the bounds that
/// are tested it would end in minutes, or never. Its thread is left behind.
pub fn within<T: Send + 'static>(
    bound: Duration,
    what: &str,
    job: impl FnOnce() -> T + Send + 'static,
) -> T {
    let (result, results) = mpsc::channel();
    let work = Work::start();
    std::thread::spawn(move || result.send(job()));
    loop {
        match results.recv_timeout(Duration::from_millis(200)) {
            Ok(done) => return done,
            Err(RecvTimeoutError::Timeout) => {
                assert!(work.taken() < bound, "more than {bound:?}: {what}");
            }
            Err(RecvTimeoutError::Disconnected) => panic!("a panic, see above: {what}"),
        }
    }
}

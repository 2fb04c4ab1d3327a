//! The progress bar of long checks.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Time before the bar appears.
const PATIENCE: Duration = Duration::from_millis(700);

/// A line on standard error, if it is a terminal; it is erased at the end of the check.
pub struct ProgressLine {
    start: Instant,
    wanted: bool,
    files: usize,
    bar: OnceLock<ProgressBar>,
    done: std::sync::atomic::AtomicU64,
}

impl ProgressLine {
    /// Creates the line for a check of `files` files that starts now.
    pub fn new(files: usize, wanted: bool) -> ProgressLine {
        ProgressLine {
            start: Instant::now(),
            wanted,
            files,
            bar: OnceLock::new(),
            done: Default::default(),
        }
    }

    /// Counts a checked file.
    pub fn step(&self) {
        let order = std::sync::atomic::Ordering::Relaxed;
        let done = self.done.fetch_add(1, order) + 1;
        if self.wanted && self.start.elapsed() > PATIENCE {
            self.bar.get_or_init(|| bar(self.files)).set_position(done);
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

fn bar(files: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("checked {pos} of {len} files [{bar:24}] {elapsed}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(files as u64).with_style(style.progress_chars("=> "))
}

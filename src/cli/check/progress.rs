//! How far a long check is.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How long a check goes on before it says anything.
const PATIENCE: Duration = Duration::from_millis(700);

/// One line on standard error, if that is a terminal; it disappears when the check ends.
pub struct ProgressLine {
    start: Instant,
    wanted: bool,
    files: usize,
    bar: OnceLock<ProgressBar>,
    done: std::sync::atomic::AtomicU64,
}

impl ProgressLine {
    /// A line for a check of so many files that begins now.
    pub fn new(files: usize, wanted: bool) -> ProgressLine {
        ProgressLine {
            start: Instant::now(),
            wanted,
            files,
            bar: OnceLock::new(),
            done: Default::default(),
        }
    }

    /// Another file is done.
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

//! The progress bar of long runs.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use a2lint_machine::Progress;

/// Time before the bar appears.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time between two updates.
const INTERVAL: Duration = Duration::from_millis(100);

/// A line on standard error, if it is a terminal; it is erased at the end of the run.
#[derive(Debug)]
pub struct ProgressLine {
    next: Instant,
    bar: Option<ProgressBar>,
}

impl ProgressLine {
    /// Creates the line for a run that starts now.
    pub fn new(start: Instant) -> ProgressLine {
        ProgressLine {
            next: start + PATIENCE,
            bar: None,
        }
    }

    /// Updates the bar, if `INTERVAL` has passed.
    pub fn update(&mut self, progress: &Progress) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + INTERVAL;
        let bar = self.bar.get_or_insert_with(|| bar(progress.cores));
        bar.set_position(u64::from(progress.finished_cores));
        bar.set_message(format!("{} instructions", progress.instructions));
        bar.tick();
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(cores: u32) -> ProgressBar {
    let template = "{spinner} {pos} of {len} cores [{bar:24}] {msg}, {elapsed}, Ctrl-C ends";
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(u64::from(cores)).with_style(style.progress_chars("=> "))
}

//! Which launches of a kernel were looked at, and how far each of them got.

use crate::text::Span;

/// One launch of a kernel, whether it ran or not.
#[derive(Clone, Debug, PartialEq)]
pub struct LaunchRun {
    /// Who asks for it.
    pub source: LaunchSource,
    /// Its arguments: scalars and symbolic extents, in the order of the parameters.
    pub arguments: Vec<(String, f64)>,
    /// Its place in the file; `None` where the file does not have it.
    pub span: Option<Span>,
    /// How it ended.
    pub outcome: LaunchOutcome,
    /// Why it did not finish, or what was changed so that it could run, as a clause.
    pub reason: Option<String>,
}

/// Who asks for a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchSource {
    /// Code of the file.
    File,
    /// A `# a2lint: launch(...)` comment.
    Comment,
    /// The configuration.
    Configuration,
    /// `--bind`.
    Bind,
    /// Nobody: sizes that the kernel's own tiles suggest.
    Guess,
    /// Nobody: a launch of the file with other sizes of its tails.
    Variant,
}

/// How a launch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchOutcome {
    /// Every lane came to its end.
    Finished,
    /// The budget ended before the run.
    Cut,
    /// The machine cannot execute it.
    Refused,
    /// Every lane that was left waited.
    Deadlock,
    /// Its arguments do not fit the kernel.
    Unusable,
    /// It was not started.
    Skipped,
}

impl LaunchSource {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            LaunchSource::File => "file",
            LaunchSource::Comment => "comment",
            LaunchSource::Configuration => "config",
            LaunchSource::Bind => "bind",
            LaunchSource::Guess => "guess",
            LaunchSource::Variant => "variant",
        }
    }
}

impl LaunchOutcome {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            LaunchOutcome::Finished => "finished",
            LaunchOutcome::Cut => "cut",
            LaunchOutcome::Refused => "refused",
            LaunchOutcome::Deadlock => "deadlock",
            LaunchOutcome::Unusable => "unusable",
            LaunchOutcome::Skipped => "skipped",
        }
    }
}

//! Why a kernel cannot be run.

use super::npy::NpyError;
use crate::target::TargetError;
use a2lint_machine::LaunchError;

/// Why a kernel cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The file or the kernel that was named.
    #[error(transparent)]
    Target(Box<TargetError>),
    /// Several kernels, none of them launched.
    #[error("{path} has several kernels: {names}; name one as {path}::KERNEL")]
    SeveralKernels {
        /// The file.
        path: String,
        /// The kernels.
        names: String,
    },
    /// Lines without instructions.
    #[error("{path}: {reason}")]
    NoStatements {
        /// The file.
        path: String,
        /// Where the lines are, and what there is instead.
        reason: String,
    },
    /// An option names a parameter that the kernel does not have.
    #[error("the kernel `{kernel}` has no {kind} parameter `{name}`; {hint}")]
    NoParameter {
        /// The kernel.
        kernel: String,
        /// The name.
        name: String,
        /// What it was taken for.
        kind: &'static str,
        /// What it has instead.
        hint: String,
    },
    /// An impossible launch.
    #[error("the kernel `{kernel}` cannot be launched: {cause}")]
    Launch {
        /// The kernel.
        kernel: String,
        /// The reason.
        cause: LaunchError,
    },
    /// A launch that the machine does not run.
    #[error("the kernel `{kernel}` cannot be run: {reason}")]
    Refused {
        /// The kernel.
        kernel: String,
        /// The reason.
        reason: String,
    },
    /// A launch by a number that there is none for.
    #[error("there is no launch {number} of `{kernel}`: the file has {count}")]
    NoLaunch {
        /// The kernel.
        kernel: String,
        /// The number, from 1.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// An input that contradicts the launch.
    #[error(transparent)]
    Disagrees(Box<Disagreement>),
    /// An unreadable tensor.
    #[error(transparent)]
    Npy(#[from] NpyError),
    /// A dump after a line on which nothing happens.
    #[error(
        "--dump: `{kernel}` executes no instruction on line {line} that computes or moves anything"
    )]
    NoDumpStatement {
        /// The kernel.
        kernel: String,
        /// The line.
        line: usize,
    },
    /// A dump of something that is not there.
    #[error("--dump: `{kernel}` has no tensor or variable `{name}`{hint}")]
    NoDumpValue {
        /// The kernel.
        kernel: String,
        /// The name.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// Options that choose an execution, with nothing to watch.
    #[error(
        "--iteration, --core and --lane need something to watch: FILE:LINE, FILE:FIRST-LAST or --dump"
    )]
    NoSnippet,
    /// Options about results, with a snippet.
    #[error("--output and --expect need a whole run: name no lines")]
    NoResults,
    /// Files for dumps that nobody asked for.
    #[error("--output-dump: {files} files for {dumps} values; give one for each --dump")]
    DumpFiles {
        /// How many files.
        files: usize,
        /// How many dumps.
        dumps: usize,
    },
    /// Expected values cannot be had of several launches at once.
    #[error("--launch all takes no {option}: it names one file for all of them")]
    OneFile {
        /// The option.
        option: &'static str,
    },
}

/// An input that contradicts the launch.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{name}` is {given} in {source_name}, and {expected} in {origin}; \
     --dtype converts, --shape, --bind and --launch none change the launch"
)]
pub struct Disagreement {
    /// The tensor.
    pub name: String,
    /// Type and shape of the input.
    pub given: String,
    /// Where the input comes from.
    pub source_name: String,
    /// Type and shape of the launch.
    pub expected: String,
    /// Which launch.
    pub origin: String,
}

impl From<TargetError> for RunError {
    fn from(error: TargetError) -> RunError {
        RunError::Target(Box::new(error))
    }
}

impl RunError {
    /// Whether a launch has everything but sizes and types of tensors.
    pub fn is_about_sizes(&self) -> bool {
        let RunError::Launch { cause, .. } = self else {
            return false;
        };
        matches!(
            cause,
            LaunchError::MissingShape(_) | LaunchError::MissingType(_)
        )
    }
}

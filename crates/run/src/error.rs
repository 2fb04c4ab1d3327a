//! Errors of preparing a run.

use super::npy::NpyError;
use crate::target::TargetError;
use a2lint_isa::DType;
use a2lint_machine::LaunchError;

/// Why a kernel cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A wrong file or kernel name.
    #[error(transparent)]
    Target(Box<TargetError>),
    /// Several kernels, none of which is launched.
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
        /// Where the lines are, and the nearest instruction.
        reason: String,
    },
    /// An option with the name of a parameter that does not exist.
    #[error("the kernel `{kernel}` has no {kind} parameter `{name}`; {hint}")]
    NoParameter {
        /// The kernel.
        kernel: String,
        /// The name.
        name: String,
        /// The kind of parameter.
        kind: &'static str,
        /// The existing parameters, or a similar name.
        hint: String,
    },
    /// A launch that cannot be bound.
    #[error("the kernel `{kernel}` cannot be launched: {cause}")]
    Launch {
        /// The kernel.
        kernel: String,
        /// The reason.
        cause: LaunchError,
    },
    /// A launch that the machine refuses.
    #[error("the kernel `{kernel}` cannot be run: {reason}")]
    Refused {
        /// The kernel.
        kernel: String,
        /// The reason.
        reason: String,
    },
    /// A launch number that does not exist.
    #[error("there is no launch {number} of `{kernel}`: the file has {count}")]
    NoLaunch {
        /// The kernel.
        kernel: String,
        /// The number, from 1.
        number: usize,
        /// Number of launches.
        count: usize,
    },
    /// An input that contradicts the launch.
    #[error(transparent)]
    Disagrees(Box<Disagreement>),
    /// An unreadable tensor.
    #[error(transparent)]
    Npy(#[from] NpyError),
    /// A dump on a line without effect.
    #[error("--dump: `{kernel}` executes no instruction on {line} that computes or moves anything")]
    NoDumpStatement {
        /// The kernel.
        kernel: String,
        /// The line, as in a sentence.
        line: String,
    },
    /// A dump of an unknown name.
    #[error("--dump: `{kernel}` has no tensor or variable `{name}`{hint}")]
    NoDumpValue {
        /// The kernel.
        kernel: String,
        /// The name.
        name: String,
        /// A similar name.
        hint: String,
    },
    /// Options that select an execution, without anything to watch.
    #[error(
        "--iteration, --core and --lane need something to watch: FILE:LINE, FILE:FIRST-LAST or --dump"
    )]
    NoSnippet,
    /// An exact comparison with a reference that was rounded.
    #[error(
        "{path} holds {dtype}: an exact comparison needs a reference in float64, computed from the same inputs"
    )]
    RoundedReference {
        /// Where the reference comes from.
        path: String,
        /// Its element type.
        dtype: DType,
    },
    /// `--exact` without a tensor to compare.
    #[error("--exact needs --expect NAME=PATH: it compares tensors in exact arithmetic")]
    NothingExact,
    /// Options about results together with a snippet.
    #[error("--output and --expect need a whole run: name no lines")]
    NoResults,
    /// The numbers of dump files and dumps differ.
    #[error("--output-dump: {files} files for {dumps} values; give one for each --dump")]
    DumpFiles {
        /// Number of files.
        files: usize,
        /// Number of dumps.
        dumps: usize,
    },
    /// A comparison of versions, one of which has an input that the other lacks.
    #[error("{side} takes `{names}`, which the other version does not; {hint}")]
    Unmatched {
        /// The version.
        side: &'static str,
        /// The inputs.
        names: String,
        /// How to match them.
        hint: String,
    },
    /// A pair of parameters one of which does not exist, or is matched already.
    #[error(
        "--match {old}={new}: no such pair of tensors or of scalars; OLD has {}, NEW has {}",
        parameters[0],
        parameters[1]
    )]
    NoPair {
        /// The name in OLD.
        old: String,
        /// The name in NEW.
        new: String,
        /// The parameters of both.
        parameters: [String; 2],
    },
    /// A name that neither version has.
    #[error("neither of `{kernels}` has a parameter `{name}`")]
    InNeither {
        /// The name.
        name: String,
        /// The kernels.
        kernels: String,
    },
    /// A result that neither version has.
    #[error("--only {name}: no result of both versions has this name; they share {shared}")]
    NoResult {
        /// The name.
        name: String,
        /// The results of both.
        shared: String,
    },
    /// An option that names one file for several launches.
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
    /// The launch.
    pub origin: String,
}

impl From<TargetError> for RunError {
    fn from(error: TargetError) -> RunError {
        RunError::Target(Box::new(error))
    }
}

impl RunError {
    /// Returns whether a launch lacks only sizes and types of tensors.
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

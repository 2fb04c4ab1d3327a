//! Errors in configurations, with their place.

use std::io;
use std::ops::Range;
use std::path::Path;

use a2lint_source::spelling::nearest;

/// The reason why a configuration cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ConfigError {
    /// The path of the file, or the option of the command line.
    pub path: String,
    /// The text of the file or option.
    pub text: String,
    /// The byte range at fault.
    pub span: Option<Range<usize>>,
    /// The message.
    pub message: String,
    /// A suggestion of what to write instead, for the `help` line.
    pub help: Option<String>,
}

impl ConfigError {
    /// Creates the error for a file that cannot be read.
    pub(super) fn unreadable(path: &Path, cause: &io::Error) -> ConfigError {
        ConfigError {
            path: path.to_string_lossy().into_owned(),
            text: String::new(),
            span: None,
            message: format!("cannot read the configuration: {cause}"),
            help: None,
        }
    }

    /// Creates the error for the configuration that exceeds a limit on all of them.
    pub(super) fn too_much(path: &Path, limit: &str) -> ConfigError {
        ConfigError {
            path: path.to_string_lossy().into_owned(),
            text: String::new(),
            span: None,
            message: format!("with this one, configurations have more than {limit}"),
            help: None,
        }
    }

    /// Creates the error for an invalid configuration that a link led to. It contains nothing of the text: the target
    /// may be any file, even a secret.
    pub(super) fn of_link(path: &Path) -> ConfigError {
        ConfigError {
            path: path.to_string_lossy().into_owned(),
            text: String::new(),
            span: None,
            message: "a link to a file that is not a valid configuration".to_owned(),
            help: Some("nothing of linked files is quoted; `--config FILE` names one".to_owned()),
        }
    }

    /// Creates the error for an invalid path pattern.
    pub(super) fn pattern(cause: ignore::Error) -> ConfigError {
        ConfigError {
            path: String::new(),
            text: String::new(),
            span: None,
            message: cause.to_string(),
            help: None,
        }
    }

    /// Creates the error for invalid TOML or an unknown key; `keys` are the known ones.
    pub(super) fn toml(path: &str, text: &str, cause: &toml::de::Error, keys: &[String]) -> Self {
        let message = cause.message().lines().next().unwrap_or("invalid TOML");
        let unknown = message
            .strip_prefix("unknown field `")
            .and_then(|rest| rest.split('`').next());
        let help = unknown.map(|key| match nearest(key, keys.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known are {}", keys.join(", ")),
        });
        let message = match unknown {
            Some(key) => format!("unknown key `{key}`"),
            None => message.to_owned(),
        };
        ConfigError {
            path: path.to_owned(),
            text: text.to_owned(),
            span: cause.span().map(|span| narrowed(text, span, &message)),
            message,
            help,
        }
    }
}

/// Narrows a span to the value that a message quotes: for an invalid element, the parser points at the whole list.
fn narrowed(text: &str, span: Range<usize>, message: &str) -> Range<usize> {
    let quoted = message
        .split('`')
        .nth(1)
        .map(|value| format!("\"{value}\""));
    let inside = text.get(span.clone()).unwrap_or("");
    match quoted.and_then(|value| Some((inside.find(&value)?, value.len()))) {
        Some((at, length)) => span.start + at..span.start + at + length,
        None => span,
    }
}

//! What is wrong with a configuration, and where.

use std::io;
use std::ops::Range;
use std::path::Path;

use a2lint_source::spelling::nearest;

/// Why a configuration cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ConfigError {
    /// The file, or the option of the command line.
    pub path: String,
    /// Its text.
    pub text: String,
    /// The bytes of the text that are wrong.
    pub span: Option<Range<usize>>,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl ConfigError {
    /// The file cannot be read.
    pub(super) fn unreadable(path: &Path, cause: &io::Error) -> ConfigError {
        ConfigError {
            path: path.to_string_lossy().into_owned(),
            text: String::new(),
            span: None,
            message: format!("cannot read the configuration: {cause}"),
            help: None,
        }
    }

    /// A configuration that is one too many.
    pub(super) fn too_much(path: &Path, limit: &str) -> ConfigError {
        ConfigError {
            path: path.to_string_lossy().into_owned(),
            text: String::new(),
            span: None,
            message: format!("with this one, configurations have more than {limit}"),
            help: None,
        }
    }

    /// A configuration that is wrong, and was found through a link: what it links to may be anything, a secret as
    /// well, so nothing of it is said.
    pub(super) fn of_link(path: &Path) -> ConfigError {
        ConfigError {
            path: path.to_string_lossy().into_owned(),
            text: String::new(),
            span: None,
            message: "a link to a file that is not a valid configuration".to_owned(),
            help: Some("nothing of linked files is quoted; `--config FILE` names one".to_owned()),
        }
    }

    /// A pattern for paths is no pattern.
    pub(super) fn pattern(cause: ignore::Error) -> ConfigError {
        ConfigError {
            path: String::new(),
            text: String::new(),
            span: None,
            message: cause.to_string(),
            help: None,
        }
    }

    /// The text is no TOML, or says something that we do not know. `keys` are those that we do.
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

/// The value that a message quotes, where the parser points at the whole list that holds it.
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

//! Defines names that are safe to print.

use std::borrow::Borrow;
use std::fmt::{self, Display, Write};
use std::ops::Deref;

use serde::{Deserialize, Serialize};

use a2lint_source::text::is_unprintable;

/// A name for reports, logs and answers: one line without characters that a terminal, a CI runner or an agent
/// would interpret as a command.
///
/// Names of kernels and tensors come from string arguments as well as from identifiers, so they can contain
/// any character. Characters that do not print are escaped as `\u{1b}` when a name is made, so that no report
/// format has to escape them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct DisplayName(String);

impl DisplayName {
    /// Makes a name from a text. The text of a name is not changed.
    pub fn new(text: impl Into<String>) -> DisplayName {
        let text = text.into();
        if !text.contains(is_hidden) {
            return DisplayName(text);
        }
        let mut shown = String::with_capacity(text.len());
        for c in text.chars() {
            match is_hidden(c) {
                true => {
                    let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
                }
                false => shown.push(c),
            }
        }
        DisplayName(shown)
    }

    /// Returns the text of the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns whether a character is escaped. A tab is, because it would shift the columns of a table.
fn is_hidden(c: char) -> bool {
    c == '\t' || is_unprintable(c)
}

impl Deref for DisplayName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for DisplayName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for DisplayName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Display for DisplayName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<String> for DisplayName {
    fn from(text: String) -> DisplayName {
        DisplayName::new(text)
    }
}

impl From<&str> for DisplayName {
    fn from(text: &str) -> DisplayName {
        DisplayName::new(text)
    }
}

impl From<&String> for DisplayName {
    fn from(text: &String) -> DisplayName {
        DisplayName::new(text.as_str())
    }
}

impl From<DisplayName> for String {
    fn from(name: DisplayName) -> String {
        name.0
    }
}

impl From<&DisplayName> for String {
    fn from(name: &DisplayName) -> String {
        name.0.clone()
    }
}

impl PartialEq<str> for DisplayName {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for DisplayName {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

impl PartialEq<String> for DisplayName {
    fn eq(&self, other: &String) -> bool {
        self.0 == *other
    }
}

impl PartialEq<DisplayName> for str {
    fn eq(&self, other: &DisplayName) -> bool {
        self == other.0
    }
}

impl PartialEq<DisplayName> for &str {
    fn eq(&self, other: &DisplayName) -> bool {
        *self == other.0
    }
}

impl PartialEq<DisplayName> for String {
    fn eq(&self, other: &DisplayName) -> bool {
        *self == other.0
    }
}

/// Names that are stored between runs are escaped again: they may be older than the present rules.
impl<'de> Deserialize<'de> for DisplayName {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<DisplayName, D::Error> {
        String::deserialize(deserializer).map(DisplayName::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_clean_by_construction() {
        assert_eq!(DisplayName::new("build[T=64].汉"), "build[T=64].汉");
        let name = DisplayName::new("\x1b]0;x\x07\n::error::y\u{202e}\u{200b}\u{e0041}\t\u{2028}");
        let shown = r"\u{1b}]0;x\u{7}\u{a}::error::y\u{202e}\u{200b}\u{e0041}\u{9}\u{2028}";
        assert_eq!(name, shown);
        assert_eq!(DisplayName::new(name.as_str()), name);
    }
}

//! Types of configuration values, which are validated when they are parsed.

use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::check::matches;
use a2lint_ir::Argument;
use a2lint_isa::device::{DEVICES, Device};
use a2lint_launches::DEFAULT_WORK;
use a2lint_rules::{Group, RULES};
use a2lint_source::spelling::nearest;

/// A rule by name or code, or several by a prefix of their codes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct RulePattern(pub(super) String);

impl RulePattern {
    /// Returns the text as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether this pattern selects every rule that `other` selects.
    pub(super) fn covers(&self, other: &RulePattern) -> bool {
        RULES
            .iter()
            .filter(|rule| matches(rule, &other.0))
            .all(|rule| matches(rule, &self.0))
    }
}

impl TryFrom<String> for RulePattern {
    type Error = String;

    /// Accepts names and codes of rules and prefixes of their codes, also of groups without rules.
    fn try_from(text: String) -> Result<Self, String> {
        let text = text.trim();
        let prefix = text.to_ascii_uppercase();
        let is_group = |group: &Group| !prefix.is_empty() && group.prefix.starts_with(&prefix);
        if RULES.iter().any(|rule| matches(rule, text)) || Group::ALL.iter().any(is_group) {
            return Ok(RulePattern(text.to_owned()));
        }
        let rules = RULES.iter().flat_map(|rule| [rule.name, rule.code]);
        let spellings = rules.chain(Group::ALL.iter().map(|group| group.prefix));
        let named_so = RULES
            .iter()
            .filter(|rule| rule.name.split('-').any(|word| word == text));
        let named_so: Vec<String> = named_so.map(|rule| format!("`{}`", rule.name)).collect();
        let hint = match nearest(text, spellings) {
            _ if !named_so.is_empty() => format!("did you mean {}?", named_so.join(" or ")),
            Some(near) => format!("did you mean `{near}`?"),
            None => "`a2lint rules` lists them".to_owned(),
        };
        Err(format!("no rule is called `{text}`; {hint}"))
    }
}

impl JsonSchema for RulePattern {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RulePattern".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
        json_schema!({
            "description": "A rule by name or code, or several by a prefix of their codes",
            "anyOf": [
                { "enum": names },
                { "type": "string", "pattern": "^[A-Za-z]{1,3}[0-9]{0,3}$" },
            ],
        })
    }
}

/// What happens to the findings of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// They fail the check.
    Error,
    /// They are shown.
    #[serde(alias = "warning")]
    Warn,
    /// They are shown as notes.
    Info,
    /// The rule does not run.
    Ignore,
}

/// A device by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DeviceName(pub Device);

impl TryFrom<String> for DeviceName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let known = DEVICES.iter().map(|device| device.name);
        let known: Vec<&str> = known.collect();
        let device = Device::from_name(&text).map(DeviceName);
        device.ok_or_else(|| {
            format!(
                "no device is called `{text}`; known are {}",
                known.join(", ")
            )
        })
    }
}

impl From<DeviceName> for String {
    fn from(name: DeviceName) -> String {
        name.0.name.to_owned()
    }
}

impl JsonSchema for DeviceName {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Device".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = DEVICES.iter().map(|device| device.name).collect();
        json_schema!({ "description": "A device", "enum": names })
    }
}

/// Work that replays may do: a number, or `unlimited`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WrittenWork", into = "WrittenWork")]
pub struct ReplayWork(pub u64);

/// The spelling of no limit.
const UNLIMITED: &str = "unlimited";

impl Default for ReplayWork {
    fn default() -> Self {
        ReplayWork(DEFAULT_WORK)
    }
}

impl FromStr for ReplayWork {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.replace('_', "").parse().ok();
        match (text, number) {
            (UNLIMITED, _) => Ok(ReplayWork(u64::MAX)),
            (_, Some(work)) => Ok(ReplayWork(work)),
            (_, None) => Err(format!("`{text}` is neither a number nor `{UNLIMITED}`")),
        }
    }
}

/// A limit of work as written.
#[derive(Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "the work of replays is a number or \"unlimited\""
)]
enum WrittenWork {
    Number(u64),
    Text(String),
}

impl TryFrom<WrittenWork> for ReplayWork {
    type Error = String;

    fn try_from(written: WrittenWork) -> Result<Self, String> {
        match written {
            WrittenWork::Number(work) => Ok(ReplayWork(work)),
            WrittenWork::Text(text) => text.parse(),
        }
    }
}

impl From<ReplayWork> for WrittenWork {
    fn from(work: ReplayWork) -> WrittenWork {
        match work.0 {
            u64::MAX => WrittenWork::Text(UNLIMITED.to_owned()),
            work => WrittenWork::Number(work),
        }
    }
}

impl JsonSchema for ReplayWork {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ReplayWork".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Work that replays may do: a number, or \"unlimited\"",
            "anyOf": [
                { "type": "integer", "minimum": 0 },
                { "type": "string", "enum": [UNLIMITED] },
            ],
        })
    }
}

/// A launch argument in the configuration: a number, or a tensor such as `half[M, 64]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct LaunchArgument {
    written: Written,
    argument: Argument,
}

impl LaunchArgument {
    /// Returns the parsed argument.
    pub fn argument(&self) -> &Argument {
        &self.argument
    }
}

/// A launch argument as written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "an argument is a number, or a tensor such as \"half[M, 64]\""
)]
enum Written {
    Integer(i64),
    Float(f64),
    Text(String),
}

impl TryFrom<Written> for LaunchArgument {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let argument = match &written {
            Written::Integer(value) => Argument::Number(*value as f64),
            Written::Float(value) if value.is_finite() => Argument::Number(*value),
            Written::Float(value) => return Err(format!("`{value}` is no argument of a launch")),
            Written::Text(text) => text.parse()?,
        };
        Ok(LaunchArgument { written, argument })
    }
}

impl From<LaunchArgument> for Written {
    fn from(argument: LaunchArgument) -> Written {
        argument.written
    }
}

impl JsonSchema for LaunchArgument {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "LaunchArgument".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number, or a tensor such as half[M, 64]",
            "anyOf": [
                { "type": "number" },
                { "type": "string", "pattern": "^[a-z0-9]*\\[.+\\]$" },
            ],
        })
    }
}

/// A pattern for paths, as .gitignore has them, relative to the configuration. Backslashes are
/// taken for the slashes that they are on Windows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(with = "String")]
pub struct Glob(pub(super) String);

impl TryFrom<String> for Glob {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let text = text.trim().replace('\\', "/");
        match text.strip_prefix("./").unwrap_or(&text) {
            "" => Err("an empty pattern matches nothing".to_owned()),
            text => {
                let valid = ignore::overrides::OverrideBuilder::new("")
                    .add(text)
                    .map(|_| ());
                valid.map_err(|error| format!("`{text}` is no pattern: {error}"))?;
                Ok(Glob(text.to_owned()))
            }
        }
    }
}

//! The configuration keys, and reading them.

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ConfigError, DeviceName, Glob, LaunchArgument, Level, PYPROJECT, ReplayWork, RulePattern,
};
use a2lint_isa::RepeatRounding;

/// Configuration of a2lint: `a2lint.toml`, or `[tool.a2lint]` in `pyproject.toml`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Options {
    /// Rules that alone run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub select: Option<Vec<RulePattern>>,
    /// Rules that run besides the selected or default ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extend_select: Option<Vec<RulePattern>>,
    /// Rules that do not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignore: Option<Vec<RulePattern>>,
    /// Whether pedantic rules run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pedantic: Option<bool>,
    /// The device that kernels are meant for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceName>,
    /// Whether kernels are replayed on the embedded machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<bool>,
    /// Work that the replays of one file may do together: about a repeat of a vector instruction each,
    /// or "unlimited".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay_work: Option<ReplayWork>,
    /// Whether the embedded machine clamps half and bfloat16 results to the largest finite value and
    /// turns NaN into 0, as some devices are set up to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saturate: Option<bool>,
    /// How a repeat count that a call leaves out is rounded; the oldest version of the DSL rounds
    /// down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat_rounding: Option<RepeatRounding>,
    /// Values of scalars and symbolic extents, from the command line alone.
    #[serde(skip)]
    pub bindings: Vec<(String, f64)>,
    /// Files and folders that are left out, even when they are named, as .gitignore has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exclude: Option<Vec<Glob>>,
    /// Address under which `docs/rules` is published, for links to the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docs_url: Option<String>,
    /// A baseline file, relative to the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// Launches by kernel, each with its arguments by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub launches: Option<BTreeMap<String, Vec<BTreeMap<String, LaunchArgument>>>>,
    /// Rules that do not run on some files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_file_ignores: Option<BTreeMap<Glob, Vec<RulePattern>>>,
    /// Levels of rules; the most precise name of a rule decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<BTreeMap<RulePattern, Level>>,
}

impl Options {
    /// Merges these options over those `below`, which apply to keys that are not set here. A new `select` drops the
    /// `extend-select` and `ignore` below, which were written for another selection.
    pub fn over(self, below: Options) -> Options {
        let selects = self.select.is_some();
        let kept = |list: Option<Vec<RulePattern>>| list.filter(|_| !selects);
        Options {
            extend_select: joined(self.extend_select, kept(below.extend_select)),
            ignore: joined(self.ignore, kept(below.ignore)),
            select: self.select.or(below.select),
            pedantic: self.pedantic.or(below.pedantic),
            device: self.device.or(below.device),
            replay: self.replay.or(below.replay),
            replay_work: self.replay_work.or(below.replay_work),
            saturate: self.saturate.or(below.saturate),
            repeat_rounding: self.repeat_rounding.or(below.repeat_rounding),
            launches: merged(self.launches, below.launches),
            bindings: [self.bindings, below.bindings].concat(),
            exclude: joined(self.exclude, below.exclude),
            docs_url: self.docs_url.or(below.docs_url),
            baseline: self.baseline.or(below.baseline),
            per_file_ignores: merged(self.per_file_ignores, below.per_file_ignores),
            rules: levels(self.rules, below.rules),
        }
    }
}

impl Options {
    /// Returns the options with all defaults filled in.
    pub fn with_defaults(self) -> Options {
        let defaults = Options {
            select: Some(Vec::new()),
            extend_select: Some(Vec::new()),
            ignore: Some(Vec::new()),
            pedantic: Some(false),
            device: Some(DeviceName::default()),
            replay: Some(true),
            replay_work: Some(ReplayWork::default()),
            saturate: Some(false),
            repeat_rounding: Some(RepeatRounding::default()),
            exclude: Some(Vec::new()),
            ..Options::default()
        };
        Options {
            select: self.select.clone().or(defaults.select.clone()),
            // `over` would take this for a new selection, and drop the lists of `self`.
            ..self.over(defaults)
        }
    }
}

fn joined<T>(over: Option<Vec<T>>, below: Option<Vec<T>>) -> Option<Vec<T>> {
    match (over, below) {
        (Some(over), Some(mut below)) => {
            below.extend(over);
            Some(below)
        }
        (over, below) => over.or(below),
    }
}

fn merged<K: Ord, V>(
    over: Option<BTreeMap<K, V>>,
    below: Option<BTreeMap<K, V>>,
) -> Option<BTreeMap<K, V>> {
    match (over, below) {
        (Some(over), Some(mut below)) => {
            below.extend(over);
            Some(below)
        }
        (over, below) => over.or(below),
    }
}

/// Merges levels. A pattern in `over` removes the patterns below that it covers, since the more specific ones would
/// otherwise decide.
fn levels(
    over: Option<BTreeMap<RulePattern, Level>>,
    mut below: Option<BTreeMap<RulePattern, Level>>,
) -> Option<BTreeMap<RulePattern, Level>> {
    if let (Some(over), Some(below)) = (&over, &mut below) {
        below.retain(|old, _| !over.keys().any(|new| new.covers(old)));
    }
    merged(over, below)
}

/// The part of `pyproject.toml` that belongs to a2lint.
#[derive(Deserialize)]
struct PyProject {
    tool: Option<Tools>,
}

#[derive(Deserialize)]
struct Tools {
    a2lint: Option<Options>,
}

/// Parses a configuration file; `None` for a `pyproject.toml` without an a2lint table.
pub fn parse(path: &Path, text: &str) -> Result<Option<Options>, ConfigError> {
    let shown = path.to_string_lossy();
    let error = |cause: toml::de::Error| ConfigError::toml(&shown, text, &cause, &keys());
    if path.file_name().is_some_and(|name| name == PYPROJECT) {
        // Without this test, errors in the tables of other tools would be reported.
        if !text.contains("a2lint") {
            return Ok(None);
        }
        let project: PyProject = toml::from_str(text).map_err(error)?;
        return Ok(project.tool.and_then(|tools| tools.a2lint));
    }
    toml::from_str(text).map(Some).map_err(error)
}

/// Returns the names of all keys.
fn keys() -> Vec<String> {
    let schema = schemars::schema_for!(Options);
    let properties = schema.get("properties").and_then(|value| value.as_object());
    properties
        .map(|properties| properties.keys().cloned().collect())
        .unwrap_or_default()
}

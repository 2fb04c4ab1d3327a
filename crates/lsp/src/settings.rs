//! Settings of the server: `a2lint.*` in editors.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use tower_lsp::ls_types::Uri;

use super::known::{Baselines, Known};
use a2lint_isa::device::{DEVICES, Device};
use a2lint_lint::check;
use a2lint_lint::config::{ConfigError, Configs, DeviceName, LaunchArgument, Options, Origin};

/// The section of the client's settings that belongs to the server.
pub const SECTION: &str = "a2lint";

/// Settings of the server, and the configuration of the workspace.
#[derive(Debug)]
pub struct Settings {
    /// The configuration of folders. Options that the editor sets take precedence.
    configs: Configs,
    /// The baselines that the configuration names.
    baselines: Baselines,
    /// Whether hovers simulate kernels.
    pub simulate: bool,
    /// Maximum time for the simulation of a hover.
    pub budget: Duration,
    /// The inlay hints that are shown.
    pub hints: Hints,
    /// Whether files of the workspace that are not open are checked.
    pub workspace: bool,
}

/// The kinds of inlay hints that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hints {
    /// Whether hints show the sizes of allocations.
    pub sizes: bool,
    /// Whether hints show repeats and strides that are unusual, or do not cover the destination.
    pub strides: bool,
    /// Whether hints show the iterations of loops.
    pub iterations: bool,
    /// Whether hints show the verdicts on kernels.
    pub verdicts: bool,
}

impl Hints {
    /// Switches all hints on or off.
    fn all(on: bool) -> Hints {
        Hints {
            sizes: on,
            strides: on,
            iterations: on,
            verdicts: on,
        }
    }

    /// Returns whether any hints are shown.
    pub fn any(self) -> bool {
        self != Hints::all(false)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            configs: configs(Options::default()),
            baselines: Baselines::default(),
            simulate: true,
            budget: Duration::from_millis(250),
            hints: Hints::all(true),
            workspace: false,
        }
    }
}

impl Settings {
    /// Reads the settings from the client's JSON. Returns them with a list of errors. Missing and malformed keys keep
    /// their defaults.
    pub fn read(json: &Value) -> (Settings, Vec<String>) {
        let mut reader = Reader {
            json: json.get(SECTION).unwrap_or(json),
            complaints: Vec::new(),
        };
        let mut settings = Settings::default();
        settings.configs = configs(Options {
            device: reader.device().map(DeviceName),
            pedantic: reader.choice("pedantic"),
            replay: reader.choice("replay"),
            launches: reader.launches(),
            ..Options::default()
        });
        settings.simulate = reader.switch("hover.simulate", settings.simulate);
        settings.hints = match reader.switch("inlayHints", true) {
            false => Hints::all(false),
            true => Hints {
                sizes: reader.switch("hints.sizes", true),
                strides: reader.switch("hints.strides", true),
                iterations: reader.switch("hints.iterations", true),
                verdicts: reader.switch("hints.verdicts", true),
            },
        };
        settings.workspace = reader.switch("workspaceDiagnostics", settings.workspace);
        if let Some(milliseconds) = reader.number("hover.budgetMs") {
            settings.budget = Duration::from_millis(milliseconds.min(60_000));
        }
        (settings, reader.complaints)
    }

    /// Returns whether the configuration excludes a path.
    pub fn excludes(&self, path: &Path, is_folder: bool) -> bool {
        let config = self.configs.of_file(path);
        config.is_ok_and(|config| config.excludes(path, is_folder))
    }

    /// Returns the settings for a document.
    pub fn of(&self, uri: &Uri) -> Holding {
        let path = path(uri);
        let config = match &path {
            Some(path) => self.configs.of_file(path),
            // A document without a path (an unsaved one) has the configuration of the working directory.
            None => self.configs.of_folder(Path::new("")),
        };
        let config = match config {
            Ok(config) => config,
            Err(error) => {
                return Holding {
                    misconfigured: Some(error),
                    ..Holding::default()
                };
            }
        };
        let path = path.unwrap_or_default();
        let known = config.baseline.as_ref();
        let known = known.map(|baseline| self.baselines.of(baseline, &path));
        let (known, misconfigured) = match known.transpose() {
            Ok(known) => (known, None),
            Err(error) => (None, Some(error)),
        };
        Holding {
            check: config.settings(&path),
            is_excluded: config.excludes(&path, false),
            known,
            docs_url: config.options.docs_url.clone(),
            misconfigured,
        }
    }
}

/// The settings for one document.
#[derive(Debug, Default)]
pub struct Holding {
    /// The settings of the checker.
    pub check: check::Settings,
    /// Whether the configuration excludes the file.
    pub is_excluded: bool,
    /// The baseline's entries for this file.
    pub known: Option<Known>,
    /// Base URL of the published documentation of rules.
    pub docs_url: Option<String>,
    /// The error in the configuration, if it could not be read or used.
    pub misconfigured: Option<ConfigError>,
}

/// Returns the path of a document that is a file on disk.
pub fn path(uri: &Uri) -> Option<PathBuf> {
    let is_file = uri.scheme().as_str() == "file";
    let path = uri.to_file_path().filter(|_| is_file)?;
    Some(path.into_owned())
}

/// Returns the configurations of folders, overridden by the editor's options.
fn configs(overrides: Options) -> Configs {
    let root = std::env::current_dir().unwrap_or_default();
    Configs::new(
        Box::new(a2lint_lint::config::read),
        Origin::Nearest,
        overrides,
        root,
    )
}

/// The launches of each kernel, each a map from argument names to values.
type Launches = BTreeMap<String, Vec<BTreeMap<String, LaunchArgument>>>;

struct Reader<'a> {
    json: &'a Value,
    complaints: Vec<String>,
}

impl<'a> Reader<'a> {
    /// Returns the value of a dotted key, which may be one key or a path of nested keys. `null` counts as missing.
    fn value(&self, key: &str) -> Option<&'a Value> {
        let path = || {
            let mut names = key.split('.');
            names.try_fold(self.json, |value, name| value.get(name))
        };
        let found = self.json.get(key).or_else(path);
        found.filter(|value| !value.is_null())
    }

    fn complain(&mut self, key: &str, expected: &str, value: &Value) {
        let complaint = format!("{SECTION}.{key} must be {expected}, not {value}");
        self.complaints.push(complaint);
    }

    fn switch(&mut self, key: &str, default: bool) -> bool {
        self.choice(key).unwrap_or(default)
    }

    /// Returns a boolean setting, if the user has set it.
    fn choice(&mut self, key: &str) -> Option<bool> {
        let value = self.value(key)?;
        if value.as_bool().is_none() {
            self.complain(key, "true or false", value);
        }
        value.as_bool()
    }

    /// Reads launches by kernel, in the format of the configuration file.
    fn launches(&mut self) -> Option<Launches> {
        let value = self.value("launches")?;
        let launches = Launches::deserialize(value);
        if launches.is_err() {
            self.complain("launches", "lists of launches by kernel", value);
        }
        launches.ok()
    }

    fn number(&mut self, key: &str) -> Option<u64> {
        let value = self.value(key)?;
        let number = value.as_u64();
        if number.is_none() {
            self.complain(key, "a whole number", value);
        }
        number
    }

    fn device(&mut self) -> Option<Device> {
        let value = self.value("device")?;
        let device = value.as_str().and_then(Device::from_name);
        if device.is_none() {
            let names: Vec<&str> = DEVICES.iter().map(|device| device.name).collect();
            self.complain("device", &format!("one of {}", names.join(", ")), value);
        }
        device
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keys_may_be_nested_dotted_or_under_the_section() {
        for json in [
            json!({"a2lint": {"device": "b1", "replay": false,
                "hover": {"budgetMs": 20, "simulate": false}}}),
            json!({"device": "b1", "replay": false, "hover.budgetMs": 20, "hover.simulate": false}),
        ] {
            let (settings, complaints) = Settings::read(&json);
            let holding = settings.of(&"untitled:a".parse().unwrap());
            assert_eq!(holding.check.trace.device.name, "b1");
            assert_eq!(settings.budget, Duration::from_millis(20));
            assert!(!settings.simulate && settings.hints.any() && !holding.check.replay);
            assert_eq!(complaints, [""; 0]);
        }
    }

    #[test]
    fn launches_are_those_of_the_configuration() {
        let json = json!({"launches": {"scale": [{"M": 100}, {"M": 64}]}});
        let (settings, complaints) = Settings::read(&json);
        let check = settings.of(&"untitled:a".parse().unwrap()).check;
        assert_eq!(check.trace.launches.len(), 2);
        assert_eq!(complaints, [""; 0]);
        let (_, complaints) = Settings::read(&json!({"launches": {"scale": 3}}));
        assert_eq!(complaints.len(), 1);
    }

    #[test]
    fn what_is_wrong_is_named_and_passed_over() {
        let json = json!({"device": "b9", "pedantic": "yes", "inlayHints": null, "other": 1});
        let (settings, complaints) = Settings::read(&json);
        let check = settings.of(&"untitled:a".parse().unwrap()).check;
        assert_eq!(check.trace.device, Device::default());
        assert!(!check.pedantic && settings.hints.any());
        assert_eq!(
            complaints,
            [
                "a2lint.device must be one of b3, b1, b2, b4, a3, not \"b9\"",
                "a2lint.pedantic must be true or false, not \"yes\"",
            ]
        );
    }
}

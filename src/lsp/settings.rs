//! Settings of the server: `a2lint.*` in editors.

use std::time::Duration;

use serde_json::Value;

use crate::check;
use crate::device::{DEVICES, Device};

/// The section that settings are kept under.
pub const SECTION: &str = "a2lint";

/// What the user decides about the server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What is checked.
    pub check: check::Settings,
    /// Whether hovers run the machine.
    pub simulate: bool,
    /// How long a hover may run it.
    pub budget: Duration,
    /// Whether there are inlay hints.
    pub inlay_hints: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            check: check::Settings::default(),
            simulate: true,
            budget: Duration::from_millis(250),
            inlay_hints: true,
        }
    }
}

impl Settings {
    /// The settings that a client's JSON gives, and what is wrong with it. Keys that are left out
    /// keep their defaults; what is wrong is passed over.
    pub fn read(json: &Value) -> (Settings, Vec<String>) {
        let mut reader = Reader {
            json: json.get(SECTION).unwrap_or(json),
            complaints: Vec::new(),
        };
        let mut settings = Settings::default();
        if let Some(device) = reader.device() {
            settings.check.device = device;
        }
        settings.check.pedantic = reader.switch("pedantic", false);
        settings.simulate = reader.switch("hover.simulate", settings.simulate);
        settings.inlay_hints = reader.switch("inlayHints", settings.inlay_hints);
        if let Some(milliseconds) = reader.number("hover.budgetMs") {
            settings.budget = Duration::from_millis(milliseconds.min(60_000));
        }
        (settings, reader.complaints)
    }
}

struct Reader<'a> {
    json: &'a Value,
    complaints: Vec<String>,
}

impl<'a> Reader<'a> {
    /// The value under a dotted key, which may be one key or a path. `null` is nothing.
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
        match self.value(key) {
            None => default,
            Some(Value::Bool(on)) => *on,
            Some(other) => {
                self.complain(key, "true or false", other);
                default
            }
        }
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
            json!({"a2lint": {"device": "b1", "hover": {"budgetMs": 20, "simulate": false}}}),
            json!({"device": "b1", "hover.budgetMs": 20, "hover.simulate": false}),
        ] {
            let (settings, complaints) = Settings::read(&json);
            assert_eq!(settings.check.device.name, "b1");
            assert_eq!(settings.budget, Duration::from_millis(20));
            assert!(!settings.simulate && settings.inlay_hints);
            assert_eq!(complaints, [""; 0]);
        }
    }

    #[test]
    fn what_is_wrong_is_named_and_passed_over() {
        let json = json!({"device": "b9", "pedantic": "yes", "inlayHints": null, "other": 1});
        let (settings, complaints) = Settings::read(&json);
        assert_eq!(settings.check.device, Device::default());
        assert!(!settings.check.pedantic && settings.inlay_hints);
        assert_eq!(
            complaints,
            [
                "a2lint.device must be one of b3, b1, b2, b4, a3, not \"b9\"",
                "a2lint.pedantic must be true or false, not \"yes\"",
            ]
        );
    }
}

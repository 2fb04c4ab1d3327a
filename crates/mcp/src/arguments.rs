//! Arguments of the tools. The comments of fields become descriptions in the schema that clients read.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use a2lint_lint::config::DeviceName;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// Arguments of `check` and `prove`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckArguments {
    /// A file or a folder. With `source`, the path that the text would have, such as `kernel.py`: it need not exist.
    #[schemars(required)]
    pub path: Option<PathBuf>,
    /// A text to be checked in place of a file.
    pub source: Option<String>,
    /// Rules that alone run: names, codes or prefixes of codes.
    #[serde(default)]
    pub select: Vec<String>,
    /// Rules that do not run.
    #[serde(default)]
    pub ignore: Vec<String>,
    /// The device that kernels are meant for.
    #[serde(default)]
    #[schemars(schema_with = "device")]
    pub device: Option<String>,
    /// Values of scalar parameters and of extents, in place of those of launches.
    #[serde(default)]
    pub bind: Map<String, Value>,
    /// Most bytes of the answer; 2000 unless given, 64000 at most.
    pub max_bytes: Option<usize>,
}

/// Arguments of `fix`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FixArguments {
    /// A file or a folder. With `source`, the path that the text would have, such as `kernel.py`: it need not exist.
    #[schemars(required)]
    pub path: Option<PathBuf>,
    /// A text to be fixed in place of a file.
    pub source: Option<String>,
    /// Whether fixes are made that have to be read before they are kept.
    #[serde(default, rename = "unsafe")]
    pub is_unsafe: bool,
    /// Most bytes of the answer; 2000 unless given, 64000 at most.
    pub max_bytes: Option<usize>,
}

/// Arguments of `run` and `cost`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunArguments {
    /// The file. With `source`, the path that the text would have, such as `kernel.py`: it need not exist.
    #[schemars(required)]
    pub path: Option<String>,
    /// A text in place of a file.
    pub source: Option<String>,
    /// The kernel; needed where a file has several and launches none.
    pub kernel: Option<String>,
    /// The launch of the kernel by its number, from 1.
    pub launch: Option<usize>,
    /// Values of scalar parameters and of extents.
    #[serde(default)]
    pub bind: Map<String, Value>,
    /// Shapes of tensors by name.
    #[serde(default)]
    pub shape: BTreeMap<String, Vec<i64>>,
    /// Element types of tensors by name: half, float, bfloat16, int, …
    #[serde(default)]
    pub dtype: BTreeMap<String, String>,
    /// Contents of tensors by name: the path of a .npy file or of a .npz archive with an array of this name, or zeros,
    /// ones, arange, randn:SEED, uniform:SEED, full:VALUE.
    #[serde(default)]
    pub input: BTreeMap<String, String>,
    /// Reference arrays that results are compared with: paths of .npy or .npz files by the name of the tensor.
    #[serde(default)]
    pub expect: BTreeMap<String, PathBuf>,
    /// Whether to compare what the kernel computes without rounding, with references in float64.
    #[serde(default)]
    pub exact: bool,
    /// Number of cube cores.
    pub cores: Option<u32>,
    /// Values to be shown after a statement: NAME@LINE or NAME[SLOT]@LINE:EXECUTION.
    #[serde(default)]
    pub dump: Vec<String>,
    /// Most bytes of the answer; 2000 unless given, 64000 at most.
    pub max_bytes: Option<usize>,
}

/// Arguments of `compare`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareArguments {
    /// The kernel as it was: FILE or FILE::KERNEL.
    pub old: String,
    /// The kernel as it is now: FILE or FILE::KERNEL; with `source`, the path under which the text is read.
    pub new: String,
    /// A text in place of the file `new`.
    pub source: Option<String>,
    /// Parameters of `old` that have other names in `new`: the name in `new` by that in `old`.
    #[serde(default, rename = "match")]
    pub matches: BTreeMap<String, String>,
    /// Results that alone are compared.
    #[serde(default)]
    pub only: Vec<String>,
    /// Number of seeds of random inputs, beside zeros, ones, large and small numbers; 20 unless given.
    pub seeds: Option<u64>,
    /// Values of scalar parameters and of extents.
    #[serde(default)]
    pub bind: Map<String, Value>,
    /// Shapes of tensors by name.
    #[serde(default)]
    pub shape: BTreeMap<String, Vec<i64>>,
    /// Element types of tensors by name: half, float, bfloat16, int, …
    #[serde(default)]
    pub dtype: BTreeMap<String, String>,
    /// Number of cube cores.
    pub cores: Option<u32>,
    /// Most bytes of the answer; 2000 unless given, 64000 at most.
    pub max_bytes: Option<usize>,
}

/// Arguments of `test`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestArguments {
    /// The file. With `source`, the path that the text would have, such as `kernel.py`: it need not exist.
    #[schemars(required)]
    pub path: Option<String>,
    /// A text in place of a file.
    pub source: Option<String>,
    /// The kernel; all kernels of the file unless given.
    pub kernel: Option<String>,
    /// Laws that alone are tried: cores, order, coverage, rows, influence, inputs, work.
    #[serde(default)]
    pub laws: Vec<String>,
    /// The seed of random inputs.
    #[serde(default)]
    pub seed: u64,
    /// Whether to measure how far results are from exact arithmetic, and which statements that comes from.
    #[serde(default)]
    pub numerics: bool,
    /// Most bytes of the answer; 2000 unless given, 64000 at most.
    pub max_bytes: Option<usize>,
}

/// Arguments of `explain`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainArguments {
    /// The name or code of a rule.
    pub rule: String,
    /// Most bytes of the answer; 2000 unless given, 64000 at most.
    pub max_bytes: Option<usize>,
}

/// Returns the schema of a device's name, which lists the known ones.
fn device(generator: &mut SchemaGenerator) -> Schema {
    // Inlined instead of referenced: not all clients resolve `$ref` in a tool schema.
    DeviceName::json_schema(generator)
}

/// Returns the JSON schema of a tool's arguments.
pub fn schema_of<T: JsonSchema>() -> Arc<Map<String, Value>> {
    let schema = schemars::schema_for!(T);
    let mut object = schema.as_object().cloned().unwrap_or_default();
    // The documentation of the types is meant for readers of the code.
    object.shift_remove("title");
    object.shift_remove("description");
    Arc::new(object)
}

/// Returns the JSON schema of structured content, which is the same for all tools.
pub fn schema_of_answers() -> Arc<Map<String, Value>> {
    let finding = json!({
        "type": "object",
        "required": ["path", "line", "column", "severity", "rule", "fix"],
        "properties": {
            "path": {"type": "string"},
            "line": {"type": "integer", "description": "From 1."},
            "column": {"type": "integer", "description": "From 1."},
            "severity": {"enum": ["error", "warning", "note"]},
            "rule": {"type": "string", "description": "What `explain` takes."},
            "fix": {
                "type": ["string", "null"],
                "description": "`--fix` keeps the author's meaning; `--unsafe-fixes` is to be read first.",
            },
        },
    });
    let schema = json!({
        "type": "object",
        "required": ["text", "summary", "findings"],
        "properties": {
            "text": {"type": "string", "description": "The answer, the same as in `content`."},
            "summary": {
                "type": "object",
                "description": "Numbers that a2lint counts, whatever the files say.",
            },
            "findings": {
                "type": "array",
                "description": "Of `check`: the findings, errors first, as far as there is room.",
                "items": finding,
            },
        },
    });
    Arc::new(schema.as_object().cloned().unwrap_or_default())
}

/// Deserializes the arguments that a client has sent.
pub fn read<T: DeserializeOwned>(arguments: Value) -> Result<T, String> {
    serde_json::from_value(arguments)
        .map_err(|error| format!("these arguments do not fit: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_names_the_known_devices() {
        let schema = schema_of::<CheckArguments>();
        let device = &schema["properties"]["device"];
        let listed = device["enum"].as_array().expect("a list");
        let names: Vec<&str> = listed.iter().filter_map(Value::as_str).collect();
        let unknown = DeviceName::try_from("none".to_owned()).expect_err("no device");
        assert!(
            names.len() > 1 && unknown.ends_with(&names.join(", ")),
            "{unknown}"
        );
        assert_eq!(
            device["description"],
            "The device that kernels are meant for."
        );
        assert_eq!(schema["required"], json!(["path"]));
        assert_eq!(schema["properties"]["path"]["type"], "string");
    }

    #[test]
    fn every_tool_requires_what_it_cannot_do_without() {
        for tool in crate::tools::TOOLS {
            let wanted: &[&str] = match tool.name {
                "explain" => &["rule"],
                "compare" => &["old", "new"],
                _ => &["path"],
            };
            assert_eq!((tool.schema)()["required"], json!(wanted), "{}", tool.name);
        }
    }
}

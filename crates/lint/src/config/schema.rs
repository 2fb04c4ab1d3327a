//! The JSON Schema of the configuration.

use super::Options;

/// Renders the schema as JSON with a final newline.
pub fn schema() -> String {
    let schema = schemars::schema_for!(Options);
    let text = serde_json::to_string_pretty(&schema).expect("every key is a string");
    text + "\n"
}

//! Links to editor commands in hovers, for clients that support command links.

use serde_json::json;

use crate::command_names::{REPORT, RUN, SHOW_MEMORY};
use crate::snapshot::Snapshot;

/// Returns the links for the kernel around an offset.
pub fn of_place(snapshot: &Snapshot, offset: u32) -> Option<String> {
    let mut programs = snapshot.module().programs.iter();
    let program = programs.find(|program| program.span.touches(offset))?;
    of_kernel(snapshot, &program.name)
}

/// Returns the links for a kernel, or `None` if the client does not follow command links.
pub fn of_kernel(snapshot: &Snapshot, kernel: &str) -> Option<String> {
    let link = |title: &str, command: &str| {
        let arguments = json!([{"uri": snapshot.uri.as_str(), "kernel": kernel}]);
        let arguments = encoded(&arguments.to_string());
        format!("[{title}](command:{command}?{arguments})")
    };
    let links = [
        link("Simulate", RUN),
        link("Report", REPORT),
        link("Memory map", SHOW_MEMORY),
    ];
    snapshot.links.commands.then(|| links.join(" · "))
}

/// Percent-encodes a text for use in a URI.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            true => out.push(char::from(byte)),
            false => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_stay_inside_of_the_address() {
        assert_eq!(encoded("[{\"a\": 1}]"), "%5B%7B%22a%22%3A%201%7D%5D");
    }
}

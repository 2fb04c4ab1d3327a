//! Files of the workspace that are not open.

use std::fs;
use std::path::Path;

use a2lint::lsp::Options;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::client::{Client, nods};
use super::{BROKEN, is_broken};

/// Starts a client that has opened a folder, with these settings.
fn client(folder: &Path, settings: Value, options: Options) -> Client {
    let mut client = Client::stranger(options, nods());
    let folders = json!([{"uri": uri(folder, ""), "name": "kernels"}]);
    let params = json!({
        "processId": null,
        "rootUri": null,
        "workspaceFolders": folders,
        "capabilities": {},
        "initializationOptions": settings,
    });
    client.request("initialize", params).expect("an answer");
    client.notify("initialized", json!({}));
    client
}

fn uri(folder: &Path, name: &str) -> String {
    format!("file://{}/{name}", folder.display())
        .trim_end_matches('/')
        .to_owned()
}

fn fixed() -> String {
    BROKEN.replace("dup(bias, 0.25)", "dup(bias, 0.25, count=512)")
}

/// Creates a folder with a broken kernel, a sound one, a file without kernels, and one that Git ignores.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("broken.py", BROKEN);
    write("sound.py", &fixed());
    write("other.py", "import os\n");
    write("ignored.py", BROKEN);
    write(".gitignore", "ignored.py\n");
    folder
}

/// Returns the next diagnostics, which are of a file without a version.
fn published(client: &mut Client, uri: &str) -> Vec<Value> {
    let params = client.notification("textDocument/publishDiagnostics");
    assert_eq!(params["uri"], uri);
    assert!(params["version"].is_null());
    params["diagnostics"].as_array().expect("a list").clone()
}

fn changed(client: &mut Client, uri: &str, how: i64) {
    let changes = json!({"changes": [{"uri": uri, "type": how}]});
    client.notify("workspace/didChangeWatchedFiles", changes);
}

#[test]
fn unopened_files_are_checked_where_that_is_wanted() {
    let folder = folder();
    let settings = json!({"workspaceDiagnostics": true});
    let mut client = client(folder.path(), settings, Options::default());
    let broken = uri(folder.path(), "broken.py");
    assert!(is_broken(&published(&mut client, &broken)));

    // A changed file is checked again, and findings that were fixed are withdrawn.
    fs::write(folder.path().join("broken.py"), fixed()).unwrap();
    changed(&mut client, &broken, 2);
    assert_eq!(published(&mut client, &broken).len(), 0);

    // Open documents have the editor's text, and closed ones the text on disk.
    client.open(&broken, BROKEN);
    let found = client.diagnostics(&broken, 1);
    assert!(is_broken(&client.settled(&broken, 1, found)));
    let document = json!({"textDocument": {"uri": broken}});
    client.notify("textDocument/didClose", document);
    assert_eq!(published(&mut client, &broken).len(), 0);

    // A created file is checked, and the findings of a deleted one are withdrawn.
    let late = uri(folder.path(), "late.py");
    fs::write(folder.path().join("late.py"), BROKEN).unwrap();
    changed(&mut client, &late, 1);
    assert!(is_broken(&published(&mut client, &late)));
    fs::remove_file(folder.path().join("late.py")).unwrap();
    changed(&mut client, &late, 3);
    assert_eq!(published(&mut client, &late).len(), 0);
    client.leave();
}

#[test]
fn without_the_setting_only_open_files_are_checked() {
    let folder = folder();
    let mut client = client(folder.path(), json!({}), Options::default());
    let sound = uri(folder.path(), "sound.py");
    client.open(&sound, &fixed());
    let found = client.diagnostics(&sound, 1);
    client.settled(&sound, 1, found);
    // Longer than a sweep waits before it starts.
    std::thread::sleep(std::time::Duration::from_millis(400));
    // All notifications have been read.
    client.leave();
}

#[test]
fn switching_it_off_takes_the_findings_back() {
    let folder = folder();
    let settings = json!({"workspaceDiagnostics": true});
    let mut client = client(folder.path(), settings, Options::default());
    let broken = uri(folder.path(), "broken.py");
    assert!(is_broken(&published(&mut client, &broken)));
    let settings = json!({"settings": {"a2lint": {"workspaceDiagnostics": false}}});
    client.notify("workspace/didChangeConfiguration", settings);
    assert_eq!(published(&mut client, &broken).len(), 0);
    client.leave();
}

#[test]
fn a_workspace_that_is_too_large_is_said_to_be() {
    let folder = folder();
    let settings = json!({"workspaceDiagnostics": true});
    let options = Options {
        most_workspace_files: Some(2),
        ..Options::default()
    };
    let mut client = client(folder.path(), settings, options);
    let broken = uri(folder.path(), "broken.py");
    assert!(is_broken(&published(&mut client, &broken)));
    let message = client.notification("window/showMessage");
    let text = message["message"].as_str().unwrap();
    assert!(text.contains("the first 2 source files"), "{text}");
    client.leave();
}

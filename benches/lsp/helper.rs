//! Edits of a helper that open kernels import: the time until all of them are checked again.

use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::server::Server;
use super::{SOURCES, show};

/// Default number of edits.
const EDITS: usize = 500;
const HELPER: &str = "SCALE = 1.5\n\n\ndef widen(rows):\n    return rows * 2\n";

/// Runs the benchmark without replays, which wait for a pause.
pub fn run(edits: Option<usize>) {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    write(&root.join("pyproject.toml"), "[project]\nname = 'p'\n");
    write(&root.join("common/tiles.py"), HELPER);
    let uri = |path: &str| format!("file://{}", root.join(path).display());
    let mut server = Server::start();
    let settings = json!({"settings": {"a2lint": {"replay": false}}});
    server.notify("workspace/didChangeConfiguration", settings);
    let mut kernels = Vec::new();
    for (number, source) in SOURCES.iter().enumerate() {
        let path = format!("k{number}.py");
        let text = source.replacen(
            "import torch",
            "import torch\nfrom common.tiles import SCALE",
            1,
        );
        write(&root.join(&path), &text);
        open(&mut server, &uri(&path), &text);
        kernels.push(uri(&path));
    }
    let helper = uri("common/tiles.py");
    open(&mut server, &helper, HELPER);
    let mut times = Vec::new();
    for version in 1..=edits.unwrap_or(EDITS) as i64 {
        let text = HELPER.replace("1.5", &format!("{version}.5"));
        let document = json!({"uri": helper, "version": version});
        let params = json!({"textDocument": document, "contentChanges": [{"text": text}]});
        let start = Instant::now();
        server.notify("textDocument/didChange", params);
        wait_for(&mut server, &kernels);
        times.push(start.elapsed());
    }
    report(&kernels, times);
}

fn report(kernels: &[String], times: Vec<Duration>) {
    show(
        &format!("helper's edit to {} importers", kernels.len()),
        times,
    );
}

fn open(server: &mut Server, uri: &str, text: &str) {
    let item = json!({"uri": uri, "languageId": "python", "version": 0, "text": text});
    server.notify("textDocument/didOpen", json!({"textDocument": item}));
    server.diagnostics(uri, 0);
}

/// Waits until diagnostics of each document are published.
fn wait_for(server: &mut Server, documents: &[String]) {
    let mut open: HashSet<&str> = documents.iter().map(String::as_str).collect();
    while !open.is_empty() {
        let message: Value = server.read();
        if message["method"] == "textDocument/publishDiagnostics" {
            open.remove(message["params"]["uri"].as_str().unwrap_or_default());
        }
    }
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("a file");
}

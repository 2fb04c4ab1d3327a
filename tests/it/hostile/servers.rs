//! The servers in a hostile repository.

use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::disk::{self, Disk, PATIENCE};

/// The framing of messages.
#[derive(Clone, Copy, PartialEq)]
enum Framing {
    Lines,
    Lengths,
}

/// Sends messages to a server, waits until its output contains all of `wanted`, and disconnects.
fn serve(disk: &Disk, server: &str, framing: Framing, messages: &[Value], wanted: &[&str]) {
    let mut command = disk.command(&[server]);
    let mut child = command
        .stdin(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut input = child.stdin.take().expect("a pipe");
    let said = || fs::read_to_string(disk.at("logs/stdout")).unwrap_or_default();
    let start = Instant::now();
    for (at, message) in messages.iter().enumerate() {
        // A server accepts no further messages before it has answered the first.
        while at == 1 && said().is_empty() && start.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(5));
        }
        let text = message.to_string();
        let framed = match framing {
            Framing::Lines => format!("{text}\n"),
            Framing::Lengths => format!("Content-Length: {}\r\n\r\n{text}", text.len()),
        };
        input.write_all(framed.as_bytes()).expect("a reader");
    }
    while !wanted.iter().all(|text| said().contains(text)) {
        let (all, waited) = (said(), start.elapsed());
        assert!(
            waited < PATIENCE,
            "{server}: {wanted:?} is not all in {all}"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(input);
    let mut said = disk.said(child, &[server]);
    // The header lines of messages end with a carriage return, which the check of the output would reject.
    said.stdout = said.stdout.replace("\r\n", "\n");
    said.end_well();
}

fn hostile() -> Disk {
    let disk = Disk::new();
    disk.hostile();
    disk
}

#[test]
fn agents_read_regular_files_of_the_project() {
    let disk = hostile();
    let call = |id: u32, tool: &str, arguments: Value| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}});
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        call(2, "check", json!({"path": "."})),
        call(3, "check", json!({"path": "k.py"})),
        call(4, "check", json!({"path": "pipe.py"})),
        call(5, "check", json!({"path": "/dev/zero"})),
        call(6, "check", json!({"path": "linked.ptx"})),
        call(7, "check", json!({"path": "linked.py"})),
        call(8, "prove", json!({"path": "k.py"})),
        call(9, "fix", json!({"path": "k.py"})),
        call(10, "run", json!({"path": "pipe.py"})),
        call(11, "run", json!({"path": "k.py"})),
        call(12, "test", json!({"path": "linked.ptx"})),
        call(13, "cost", json!({"path": "/dev/zero"})),
    ];
    let wanted: Vec<String> = (2..14).map(|id| format!("\"id\":{id}")).collect();
    let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
    serve(&disk, "mcp", Framing::Lines, &messages, &wanted);
    // A configuration file that cannot be read affects every request.
    let disk = Disk::new();
    disk::link("/proc/self/environ", &disk.at("repository/a2lint.toml"));
    serve(&disk, "mcp", Framing::Lines, &messages, &wanted);
}

#[test]
fn an_editor_that_opens_everything_is_served() {
    let disk = hostile();
    let address = |name: &str| format!("file://{}/{name}", disk.at("repository").display());
    let open = |name: &str| {
        let text = fs::read_to_string(disk.at("repository/k.py")).expect("a file");
        json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {
            "uri": address(name), "languageId": "python", "version": 1, "text": text}}})
    };
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "capabilities": {}, "rootUri": address(""),
            "initializationOptions": {"workspaceDiagnostics": true}}}),
        json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}),
        open("k.py"),
        // This file is among the last ones of a sweep.
        json!({"jsonrpc": "2.0", "id": 2, "method": "textDocument/documentSymbol",
            "params": {"textDocument": {"uri": address("k.py")}}}),
    ];
    let wanted = ["\"id\":2", "dup-coverage", "sub/k.py"];
    serve(&disk, "lsp", Framing::Lengths, &messages, &wanted);
    let disk = Disk::new();
    disk::link("/proc/self/environ", &disk.at("repository/a2lint.toml"));
    let address = |name: &str| format!("file://{}/{name}", disk.at("repository").display());
    let mut messages = messages;
    messages[0]["params"]["rootUri"] = json!(address(""));
    messages[2]["params"]["textDocument"]["uri"] = json!(address("k.py"));
    messages[3]["params"]["textDocument"]["uri"] = json!(address("k.py"));
    serve(
        &disk,
        "lsp",
        Framing::Lengths,
        &messages,
        &["\"id\":2", "outside of the project"],
    );
}

#[test]
fn a_debugger_refuses_what_may_have_no_end() {
    let disk = hostile();
    for (program, wanted) in [
        ("k.py", "\"request_seq\":2"),
        ("pipe.py", "\"request_seq\":2"),
        ("linked.ptx", "\"request_seq\":2"),
    ] {
        let path = disk.at("repository").join(program);
        let messages = [
            json!({"seq": 1, "type": "request", "command": "initialize", "arguments": {"adapterID": "a2lint"}}),
            json!({"seq": 2, "type": "request", "command": "launch", "arguments": {"program": path}}),
            json!({"seq": 3, "type": "request", "command": "disconnect"}),
        ];
        serve(&disk, "dap", Framing::Lengths, &messages, &[wanted]);
    }
}

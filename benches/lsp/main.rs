//! The language server through the protocol: `cargo bench --bench lsp`.
//!
//! A file of 2,000 lines with ten kernels is opened in a server in its own process and edited at random places in the
//! kernels. Targets: edit to diagnostics of that version p95 20 ms and p99 50 ms, hover with simulation p95 60 ms,
//! first diagnostics 150 ms after the start of the process, 120 MB after 10,000 edits. A number after `--` sets the
//! number of edits; `show` prints the file.
//!
//! With `cargo bench --bench lsp -- soak`, two clients edit and send requests in turn 100,000 times, and the memory
//! of the server is printed: it stays within 10 % of its size after the first tenth.
//!
//! `cargo bench --bench lsp -- helper` edits a file that five open kernels import, and waits until all of them are
//! checked again: p95 50 ms.

mod helper;
mod server;
mod soak;

use std::collections::HashSet;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use server::Server;

const URI: &str = "file:///bench/kernels.py";
const LINES: usize = 2000;
const EDITS: usize = 10_000;
const HOVERS: usize = 200;

/// The kernels in the file.
const SOURCES: [&str; 5] = [
    include_str!("../../tests/kernels/layer_norm.py"),
    include_str!("../../tests/kernels/online_softmax.py"),
    include_str!("../../tests/kernels/rms_norm.py"),
    include_str!("../../tests/kernels/rope.py"),
    include_str!("../../tests/kernels/matmul_splitk.py"),
];

/// The host function with which the file is filled up.
const HELPER: &str = "
def reference_@(x, scale):
    # what a kernel above computes, on the host
    rows, columns = x.shape
    shifted = x.float() - x.float().max(dim=-1, keepdim=True).values
    weights = torch.exp(shifted * scale)
    return (weights / weights.sum(dim=-1, keepdim=True)).to(x.dtype)
";

/// Generates the file: two copies of every source, each with names of its own, and host functions up to the wanted
/// length.
fn file() -> String {
    let mut text = String::from("import torch\nfrom easyasc.a2 import *\n");
    let mut launches = String::new();
    for (number, source) in SOURCES.iter().chain(&SOURCES).enumerate() {
        let source = with_own_names(source, number);
        let (body, launch) = source.split_once("if __name__").expect("a launch");
        text.push_str(without_imports(body));
        launches.push_str(launch.split_once('\n').expect("a line").1);
    }
    let mut helpers = 0;
    while text.lines().count() + launches.lines().count() + 1 + HELPER.lines().count() < LINES {
        text.push_str(&HELPER.replace('@', &helpers.to_string()));
        helpers += 1;
    }
    text + "if __name__ == \"__main__\":\n" + &launches
}

/// Appends a number to the names that a source binds at module level.
fn with_own_names(source: &str, number: usize) -> String {
    let name = |line: &str| {
        let line = line.strip_prefix("def ").unwrap_or(line);
        let end = line.find(|c| !is_word(c))?;
        let is_bound = line[end..].starts_with(" = ") || line[end..].starts_with('(');
        (end > 0 && is_bound).then(|| line[..end].to_owned())
    };
    let names: HashSet<String> = source.lines().filter_map(name).collect();
    let pieces = source.split_inclusive(|c| !is_word(c));
    let pieces = pieces.map(|piece| match piece.find(|c| !is_word(c)) {
        Some(end) if names.contains(&piece[..end]) => {
            format!("{}_{number}{}", &piece[..end], &piece[end..])
        }
        _ => piece.to_owned(),
    });
    pieces.collect()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the text after the last import, which may be in parentheses.
fn without_imports(body: &str) -> &str {
    let import = body.rfind("\nfrom easyasc").expect("an import") + 1;
    let (line, _) = body[import..].split_once('\n').expect("more lines");
    let end = if line.ends_with('(') { ")\n" } else { "\n" };
    body[import..].split_once(end).expect("an end").1
}

/// A pseudo-random sequence with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

fn main() {
    let number = std::env::args().find_map(|argument| argument.parse().ok());
    if std::env::args().any(|argument| argument == "soak") {
        return soak::run(number);
    }
    if std::env::args().any(|argument| argument == "helper") {
        return helper::run(number);
    }
    let edits = number.unwrap_or(EDITS);
    if let Ok(load) = std::fs::read_to_string("/proc/loadavg") {
        println!("load average {}", load.trim());
    }
    let text = file();
    if std::env::args().any(|argument| argument == "show") {
        return print!("{text}");
    }
    let kernels = text.matches("@kernel").count();
    println!(
        "{} lines, {kernels} kernels, {} bytes",
        text.lines().count(),
        text.len()
    );

    let firsts: Vec<Duration> = (0..10).map(|_| first_diagnostics(&text)).collect();
    show("first diagnostics after spawn", firsts);

    let mut server = Server::start();
    open(&mut server, &text);
    let mut random = Random(2024);
    show(
        "edit to diagnostics",
        edit(&mut server, &text, edits, &mut random),
    );
    if let Some(megabytes) = server.memory() {
        println!("{:<32} {megabytes:.1} MB after {edits} edits", "memory");
    }
    show(
        "hover with simulation",
        hover(&mut server, &text, &mut random),
    );
}

fn open(server: &mut Server, text: &str) {
    let item = json!({"uri": URI, "languageId": "python", "version": 0, "text": text});
    server.notify("textDocument/didOpen", json!({"textDocument": item}));
    server.diagnostics(URI, 0);
}

fn first_diagnostics(text: &str) -> Duration {
    let start = Instant::now();
    let mut server = Server::start();
    open(&mut server, text);
    start.elapsed()
}

/// Returns the lines of kernel bodies that contain a statement.
fn statements(text: &str) -> Vec<(usize, &str)> {
    let kernels = text.split("\ndef reference_").next().unwrap_or_default();
    let lines = kernels.lines().enumerate();
    lines
        .filter(|(_, line)| line.starts_with("    ") && line.ends_with(')') && line.contains('('))
        .collect()
}

/// Makes edits, waits for the diagnostics of each, and reverts it.
fn edit(server: &mut Server, text: &str, edits: usize, random: &mut Random) -> Vec<Duration> {
    let lines = statements(text);
    let mut times = Vec::new();
    let mut undo: Option<Value> = None;
    for version in 1..=edits as i64 {
        let change = undo.take().unwrap_or_else(|| {
            let (line, body) = lines[random.below(lines.len())];
            let (column, new) = match random.below(10) {
                // The edits: type a comment, change a number, add a line, open a parenthesis.
                0..4 => (body.len(), "  # x"),
                4..7 => (
                    body.rfind(char::is_numeric).map_or(body.len(), |at| at + 1),
                    "8",
                ),
                7..9 => (body.len(), "\n"),
                _ => (body.find('(').expect("chosen so") + 1, "("),
            };
            undo = Some(reverted(line, column, new));
            replace(line, column, column, new)
        });
        let start = Instant::now();
        let document = json!({"uri": URI, "version": version});
        let params = json!({"textDocument": document, "contentChanges": [change]});
        server.notify("textDocument/didChange", params);
        server.diagnostics(URI, version);
        times.push(start.elapsed());
    }
    times
}

fn replace(line: usize, start: usize, end: usize, text: &str) -> Value {
    json!({
        "range": {
            "start": {"line": line, "character": start},
            "end": {"line": line, "character": end},
        },
        "text": text,
    })
}

fn reverted(line: usize, column: usize, new: &str) -> Value {
    match new {
        "\n" => json!({
            "range": {
                "start": {"line": line, "character": column},
                "end": {"line": line + 1, "character": 0},
            },
            "text": "",
        }),
        _ => replace(line, column, column + new.len(), ""),
    }
}

fn hover(server: &mut Server, text: &str, random: &mut Random) -> Vec<Duration> {
    let lines = statements(text);
    let mut times = Vec::new();
    while times.len() < HOVERS {
        let (line, body) = lines[random.below(lines.len())];
        let column = body.len() - body.trim_start().len() + 1;
        let params = json!({
            "textDocument": {"uri": URI},
            "position": {"line": line, "character": column},
        });
        let start = Instant::now();
        let answer = server.request("textDocument/hover", params);
        let elapsed = start.elapsed();
        let shown = answer["contents"]["value"].as_str().unwrap_or_default();
        if shown.contains("after this statement") || shown.contains("Not simulated") {
            times.push(elapsed);
        }
    }
    times
}

fn show(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: f64| {
        let index = ((times.len() - 1) as f64 * share) as usize;
        times[index].as_secs_f64() * 1000.0
    };
    println!(
        "{what:<32} p50 {:7.2} ms   p95 {:7.2} ms   p99 {:7.2} ms   max {:7.2} ms",
        at(0.5),
        at(0.95),
        at(0.99),
        at(1.0)
    );
}

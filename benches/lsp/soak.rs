//! Two clients in turn: one edits and sends requests while the other waits.

use std::time::Duration;

use serde_json::{Value, json};

use super::Random;
use super::server::Server;

const TURNS: usize = 100_000;
/// Number of memory measurements.
const LOOKS: usize = 10;
/// Time without requests before the memory is measured.
const REST: Duration = Duration::from_secs(1);
/// Number of consecutive turns of a client.
const STREAK: usize = 50;

/// The opened documents.
const TEXTS: [&str; 2] = [
    include_str!("../../tests/kernels/rms_norm.py"),
    include_str!("../../tests/kernels/rope.py"),
];
/// The texts that are inserted.
const PIECES: [&str; 10] = ["8", "1", " ", "\n", "# x\n", "(", ")", "a", "行", "x = 1\n"];
/// The requests that are sent.
const QUESTIONS: [&str; 5] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/signatureHelp",
    "textDocument/documentHighlight",
];

/// A client with its document.
struct Client {
    server: Server,
    uri: String,
    original: &'static str,
    text: String,
    version: i64,
}

impl Client {
    fn start(number: usize) -> Client {
        let original = TEXTS[number];
        let mut client = Client {
            server: Server::start(),
            uri: format!("file:///soak/{number}.py"),
            original,
            text: original.to_owned(),
            version: 0,
        };
        let item = json!({
            "uri": client.uri, "languageId": "python", "version": 0, "text": client.text,
        });
        client
            .server
            .notify("textDocument/didOpen", json!({"textDocument": item}));
        client
    }

    /// Makes a random edit or request.
    fn act(&mut self, random: &mut Random) {
        let lines: Vec<&str> = self.text.split('\n').collect();
        let line = random.below(lines.len());
        let units = lines[line].encode_utf16().count();
        let at = json!({"line": line, "character": random.below(units + 1)});
        match random.below(100) {
            0..25 => {
                let question = QUESTIONS[random.below(QUESTIONS.len())];
                let document = json!({"uri": self.uri});
                let params = json!({"textDocument": document, "position": at});
                self.server.request(question, params);
            }
            25 => {
                self.text = self.original.to_owned();
                let change = json!({"text": self.text});
                self.change(change);
            }
            26..35 => {
                // Delete a line.
                let end = json!({"line": line + 1, "character": 0});
                let start = json!({"line": line, "character": 0});
                let mut left = lines;
                left.remove(line);
                self.text = left.join("\n");
                self.change(json!({"range": {"start": start, "end": end}, "text": ""}));
            }
            _ => {
                let piece = PIECES[random.below(PIECES.len())];
                let before: usize = lines[..line].iter().map(|line| line.len() + 1).sum();
                let character = at["character"].as_u64().expect("a number") as usize;
                let inside = byte_of(lines[line], character);
                let inside = inside.unwrap_or(lines[line].len());
                let end = json!({"line": line, "character": units_before(lines[line], inside)});
                self.text.insert_str(before + inside, piece);
                self.change(json!({"range": {"start": end, "end": end}, "text": piece}));
            }
        }
    }

    /// Waits until the server has processed everything sent so far.
    fn settle(&mut self) {
        let document = json!({"textDocument": {"uri": self.uri}});
        self.server.request("textDocument/foldingRange", document);
    }

    fn change(&mut self, change: Value) {
        self.version += 1;
        let document = json!({"uri": self.uri, "version": self.version});
        let params = json!({"textDocument": document, "contentChanges": [change]});
        self.server.notify("textDocument/didChange", params);
    }
}

/// Returns the byte offset of a UTF-16 unit in a line; `None` inside of a character.
fn byte_of(line: &str, unit: usize) -> Option<usize> {
    let borders = line.char_indices().map(|(at, _)| at).chain([line.len()]);
    let mut borders = borders.filter(|&at| units_before(line, at) == unit);
    borders.next()
}

fn units_before(line: &str, byte: usize) -> usize {
    line[..byte].encode_utf16().count()
}

/// Runs the turns and prints the memory at intervals.
pub fn run(turns: Option<usize>) {
    let turns = turns.unwrap_or(TURNS);
    let mut clients = [Client::start(0), Client::start(1)];
    let mut random = Random(4711);
    for turn in 1..=turns {
        clients[turn / STREAK % 2].act(&mut random);
        if turn % (turns / LOOKS).max(1) == 0 {
            // Work in progress ends first.
            clients.iter_mut().for_each(Client::settle);
            std::thread::sleep(REST);
            let memory = clients.each_ref().map(|client| {
                let megabytes = client.server.memory().unwrap_or(f64::NAN);
                format!("{megabytes:6.1} MB")
            });
            println!("{turn:>7} turns   {}", memory.join("   "));
        }
    }
    for client in &mut clients {
        // The server's text must equal the client's.
        client.settle();
        client.version += 1;
        let change = json!({"text": client.original});
        let document = json!({"uri": client.uri, "version": client.version});
        let params = json!({"textDocument": document, "contentChanges": [change]});
        client.server.notify("textDocument/didChange", params);
        client.server.diagnostics(&client.uri, client.version);
        println!(
            "{}: the last version, {}, is answered",
            client.uri, client.version
        );
    }
}

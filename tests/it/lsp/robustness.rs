//! Random edits and requests, lost messages, and clients that cancel or disconnect.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use a2lint::lsp::{Options, REPLAY};
use serde_json::{Value, json};

use super::client::{Client, nods, plain, position, position_of};
use super::{BROKEN, URI, is_broken};
use crate::common::Random;

/// Texts that editors insert: characters, words, lines, blocks, and text that does not parse.
const PIECES: &[&str] = &[
    "",
    "a",
    " ",
    "\n",
    "(",
    ")",
    "8",
    "🙂",
    "行",
    "\t",
    "\r\n",
    ":",
    "'",
    "# x\n",
    "x = 1\n",
    "    tile <<= tile\n",
    "[0:64, 0:8]",
    "\n@kernel()\ndef k(x: GMTensor):\n    pass\n",
    "\"\"\"",
];

/// Makes a random edit of a text, and returns it as the client sends it. Small edits are frequent.
fn edit(text: &mut String, random: &mut Random) -> Value {
    let borders: Vec<usize> = text
        .char_indices()
        .map(|(at, _)| at)
        .chain([text.len()])
        .collect();
    let length = match random.below(20) {
        0 => 200,
        1..5 => 20,
        5..12 => 1,
        _ => 0,
    };
    let first = random.below(borders.len());
    let last = (first + random.below(length + 1)).min(borders.len() - 1);
    let (mut start, mut end) = (borders[first], borders[last]);
    // There is no position between \r and
    // .
    let splits =
        |at: usize| at > 0 && text.as_bytes()[at - 1] == b'\r' && text[at..].starts_with('\n');
    start -= usize::from(splits(start));
    end += usize::from(splits(end));
    let piece = PIECES[random.below(PIECES.len())];
    // Only the server would count a lone \r as a line break.
    let next = text[end..].starts_with('\n');
    let piece = if next && piece.ends_with('\r') {
        ""
    } else {
        piece
    };
    let range = json!({"start": position(text, start), "end": position(text, end)});
    text.replace_range(start..end, piece);
    json!({"range": range, "text": piece})
}

/// Sends all requests on a whole document.
fn everything(client: &mut Client, uri: &str) -> Vec<Value> {
    let methods = [
        "semanticTokens/full",
        "documentSymbol",
        "foldingRange",
        "codeLens",
    ];
    let document = json!({"textDocument": {"uri": uri}});
    let ask = |client: &mut Client, method: &str| {
        let answer = client.request(&format!("textDocument/{method}"), document.clone());
        let text = answer.expect("an answer").to_string();
        Value::String(text.replace(uri, "it"))
    };
    methods.iter().map(|method| ask(client, method)).collect()
}

fn without_names(diagnostics: Vec<Value>, uri: &str) -> String {
    Value::Array(diagnostics).to_string().replace(uri, "it")
}

#[test]
fn ten_thousand_edits_end_where_opening_afresh_does() {
    const EDITS: i32 = 10_000;
    const STRIDE: i32 = 250;
    let mut client = Client::start();
    let mut random = Random(7);
    let mut text = BROKEN.to_owned();
    client.open(URI, &text);
    client.diagnostics(URI, 1);
    let mut version = 1;
    while version < EDITS {
        version += 1;
        let many = if random.below(10) == 0 { 3 } else { 1 };
        let changes: Vec<Value> = (0..many).map(|_| edit(&mut text, &mut random)).collect();
        client.change(URI, version, json!(changes));
        if version % 1000 == 0 {
            // Sometimes a text that parses, so that there are findings.
            text = BROKEN.to_owned();
            version += 1;
            client.change(URI, version, json!([{"text": text}]));
        }
        if version % STRIDE == 0 || version >= EDITS {
            let edited = client.diagnostics(URI, version);
            let edited = client.settled(URI, version, edited);
            let fresh = format!("file:///folder/fresh_{version}.py");
            client.open(&fresh, &text);
            let found = client.diagnostics(&fresh, 1);
            let found = client.settled(&fresh, 1, found);
            let (edited, found) = (without_names(edited, URI), without_names(found, &fresh));
            assert_eq!(edited, found, "version {version}:\n{text}");
            assert_eq!(
                everything(&mut client, URI),
                everything(&mut client, &fresh)
            );
            client.notify(
                "textDocument/didClose",
                json!({"textDocument": {"uri": fresh}}),
            );
            assert_eq!(
                client.notification("textDocument/publishDiagnostics")["uri"],
                fresh
            );
        }
    }
    client.leave();
}

#[test]
fn every_version_is_answered_unless_a_newer_one_is() {
    let mut client = Client::start();
    client.open(URI, BROKEN);
    for version in 2..=300 {
        let end = position(BROKEN, BROKEN.len());
        let change = json!([{"range": {"start": end, "end": end}, "text": "#"}]);
        client.change(URI, version, change);
        if version % 50 == 0 {
            // `diagnostics` checks the order of versions.
            assert!(is_broken(&client.diagnostics(URI, version)));
        }
    }
    client.leave();
}

#[test]
fn old_versions_are_passed_over() {
    let mut client = Client::start();
    client.open(URI, BROKEN);
    client.diagnostics(URI, 1);
    client.change(URI, 3, json!([{"text": "from easyasc.a2 import *\n"}]));
    assert_eq!(client.diagnostics(URI, 3).len(), 0);
    for old in [2, 3, 1, -5] {
        client.change(URI, old, json!([{"text": BROKEN}]));
        let log = client.notification("window/logMessage");
        assert!(
            log["message"].as_str().unwrap().contains("passed over"),
            "{log}"
        );
    }
    client.change(URI, 4, json!([{"text": BROKEN}]));
    assert!(is_broken(&client.diagnostics(URI, 4)));
    client.change("file:///never/opened.py", 1, json!([{"text": BROKEN}]));
    client.leave();
}

#[test]
fn positions_outside_of_the_text_are_taken_to_its_border() {
    let mut client = Client::start();
    client.open(URI, BROKEN);
    client.diagnostics(URI, 1);
    let far = json!({"line": 100_000, "character": 100_000});
    let near = json!({"line": 3, "character": 100_000});
    let change = json!([{"range": {"start": far, "end": near}, "text": "\nx = 1\n"}]);
    client.change(URI, 2, change);
    assert_eq!(client.diagnostics(URI, 2).len(), 0);
    for method in [
        "hover",
        "definition",
        "completion",
        "signatureHelp",
        "prepareRename",
    ] {
        client.at(&format!("textDocument/{method}"), URI, far.clone());
    }
    client.leave();
}

#[test]
fn opening_twice_starts_over() {
    let mut client = Client::start();
    client.open(URI, "x = 1\n");
    client.diagnostics(URI, 1);
    client.open(URI, BROKEN);
    assert!(is_broken(&client.diagnostics(URI, 1)));
    client.leave();
}

#[test]
fn a_panic_costs_one_answer() {
    let count = Arc::new(AtomicUsize::new(0));
    let counter = count.clone();
    let probe = move |method: &'static str| {
        if method == "textDocument/hover" && counter.fetch_add(1, Ordering::SeqCst) == 0 {
            panic!("injected");
        }
    };
    let options = Options {
        probe: Some(Arc::new(probe)),
        ..Options::default()
    };
    let mut client = Client::with(plain(), options, nods());
    client.open(URI, BROKEN);
    client.diagnostics(URI, 1);
    let at = position_of(BROKEN, "dup(bias", 1);
    let params = json!({"textDocument": {"uri": URI}, "position": at});
    let error = client
        .request("textDocument/hover", params.clone())
        .unwrap_err();
    assert_eq!(error["code"], -32603);
    assert!(
        error["message"].as_str().unwrap().contains("injected"),
        "{error}"
    );
    let log = client.notification("window/logMessage");
    assert!(
        log["message"]
            .as_str()
            .unwrap()
            .contains("a defect of a2lint")
    );
    let hover = client.request("textDocument/hover", params).unwrap();
    assert!(
        hover["contents"]["value"]
            .as_str()
            .unwrap()
            .contains("dup(")
    );
    client.change(URI, 2, json!([{"text": "x = 1\n"}]));
    assert_eq!(client.diagnostics(URI, 2).len(), 0);
    client.leave();
}

/// A gate at which hovers wait.
fn gate() -> (Options, impl Fn()) {
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let waiting = gate.clone();
    let probe = move |method: &'static str| {
        if method == "textDocument/hover" {
            let open = waiting.0.lock().unwrap();
            drop(waiting.1.wait_while(open, |open| !*open).unwrap());
        }
    };
    let open = move || {
        *gate.0.lock().unwrap() = true;
        gate.1.notify_all();
    };
    (
        Options {
            probe: Some(Arc::new(probe)),
            ..Options::default()
        },
        open,
    )
}

#[test]
fn slow_answers_hold_nothing_up_and_can_be_cancelled() {
    let (options, open_gate) = gate();
    let mut client = Client::with(plain(), options, nods());
    client.open(URI, BROKEN);
    client.diagnostics(URI, 1);
    let at = position_of(BROKEN, "dup(bias", 1);
    let params = json!({"textDocument": {"uri": URI}, "position": at});
    let slow: Vec<i64> = (0..8)
        .map(|_| client.send("textDocument/hover", params.clone()))
        .collect();
    for version in 2..10 {
        client.change(URI, version, json!([{"text": BROKEN}]));
        assert!(is_broken(&client.diagnostics(URI, version)));
    }
    let document = json!({"textDocument": {"uri": URI}});
    client
        .request("textDocument/documentSymbol", document)
        .unwrap();
    client.notify("$/cancelRequest", json!({"id": slow[0]}));
    assert_eq!(client.response(slow[0]).unwrap_err()["code"], -32800);
    open_gate();
    for &id in &slow[1..] {
        client.response(id).unwrap();
    }
    client.leave();
}

#[test]
fn a_run_can_be_cancelled() {
    let mut client = Client::start();
    let text = BROKEN.replace("M = 128", "M = 524288");
    client.open(URI, &text);
    client.diagnostics(URI, 1);
    let argument = json!({"uri": URI, "kernel": "scale", "launch": 0});
    let params = json!({"command": "a2lint.run", "arguments": [argument], "workDoneToken": 17});
    let id = client.send("workspace/executeCommand", params);
    let begin = client.notification("$/progress");
    assert_eq!(begin["value"]["cancellable"], true);
    client.notify("window/workDoneProgress/cancel", json!({"token": 17}));
    assert_eq!(client.response(id).unwrap_err()["code"], -32800);
    while client.notification("$/progress")["value"]["kind"] != "end" {}
    client.leave();
}

#[test]
fn progress_of_our_own_is_shown_where_the_client_can() {
    let capabilities = json!({"window": {"workDoneProgress": true}});
    let mut client = Client::with(capabilities, Options::default(), nods());
    client.open(URI, BROKEN);
    client.diagnostics(URI, 1);
    let argument = json!({"uri": URI, "kernel": "scale"});
    let params = json!({"command": "a2lint.run", "arguments": [argument]});
    client.request("workspace/executeCommand", params).unwrap();
    client.notification("window/showMessage");
    // The server creates the progress on the side, maybe after the run has ended.
    let is_created = |client: &Client| {
        let mut asked = client.asked.iter();
        asked.any(|it| it["method"] == "window/workDoneProgress/create")
    };
    let document = json!({"textDocument": {"uri": URI}});
    for _ in 0..500 {
        client
            .request("textDocument/foldingRange", document.clone())
            .unwrap();
        if is_created(&client) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(is_created(&client), "{:?}", client.asked);
    // Begin and end are sent if the client has answered in time, and never only one of them.
    client
        .request("textDocument/foldingRange", document)
        .unwrap();
    let kinds: Vec<String> = client
        .notifications
        .drain(..)
        .filter(|it| it["method"] == "$/progress")
        .map(|it| it["params"]["value"]["kind"].to_string())
        .collect();
    assert!(
        kinds.is_empty() || kinds == ["\"begin\"", "\"end\""],
        "{kinds:?}"
    );
    client.leave();
}

#[test]
fn nonsense_is_answered() {
    let mut client = Client::start();
    let error = client
        .request("textDocument/hover", json!({"position": 3}))
        .unwrap_err();
    assert_eq!(error["code"], -32602);
    let error = client.request("a2lint/unknown", json!({})).unwrap_err();
    assert_eq!(error["code"], -32601);
    client.notify("a2lint/unknown", json!({}));
    client.notify("textDocument/didOpen", json!({"nonsense": true}));
    client.open(URI, BROKEN);
    assert!(is_broken(&client.diagnostics(URI, 1)));
    client.leave();
}

#[test]
fn stray_and_duplicate_notifications_are_harmless() {
    let mut client = Client::start();
    client.without_replay();
    let close = json!({"textDocument": {"uri": URI}});
    client.change(URI, 7, json!([{"text": BROKEN}]));
    client.notify("textDocument/didClose", close.clone());
    client.notify("initialized", json!({}));
    for _ in 0..2 {
        client.open(URI, BROKEN);
        assert!(is_broken(&client.diagnostics(URI, 1)));
    }
    client.change(URI, 2, json!([]));
    assert!(is_broken(&client.diagnostics(URI, 2)));
    for _ in 0..2 {
        client.notify("textDocument/didClose", close.clone());
    }
    let params = client.notification("textDocument/publishDiagnostics");
    assert_eq!(params["diagnostics"], json!([]));
    client.change(URI, 3, json!([{"text": BROKEN}]));
    let hover = json!({"line": 0, "character": 0});
    assert_eq!(client.at("textDocument/hover", URI, hover), Value::Null);
    // The document is opened again with a version that starts over.
    client.open(URI, BROKEN);
    assert!(is_broken(&client.diagnostics(URI, 1)));
    client.leave();
}

#[test]
fn nothing_is_answered_outside_of_a_session() {
    let mut client = Client::stranger(Options::default(), nods());
    let document = json!({"textDocument": {"uri": URI}});
    let symbols = "textDocument/documentSymbol";
    let error = client.request(symbols, document.clone()).unwrap_err();
    assert_eq!(error["code"], -32002);
    client
        .request("initialize", json!({"capabilities": {}}))
        .unwrap();
    client.request(symbols, document.clone()).unwrap();
    client.request("shutdown", Value::Null).unwrap();
    let error = client.request(symbols, document).unwrap_err();
    assert_eq!(error["code"], -32600);
    client.end();
}

/// Bytes that are no message, with the number of the request if it can be determined.
const BAD: &[(&str, Option<i64>)] = &[
    (
        "Content-Length: 44\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":70,\"method\":\"x\",\"y\"",
        Some(70),
    ),
    ("Content-Length: 8\r\n\r\nnonsense", None),
    ("Content-Length: 2\r\n\r\n[]", None),
    (
        "Content-Length: 10\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":71,\"method\":\"x\"}",
        None,
    ),
    (
        "Content-Length: 60\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":72,\"method\":\"x\"}",
        Some(72),
    ),
    (
        "Content-Length: many\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":73,\"method\":\"x\"}",
        Some(73),
    ),
    ("Content-Length: -5\r\n\r\n", None),
    (
        "Content-Length: 99999999999999999\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":74,\"method\":\"x\"}",
        Some(74),
    ),
    (
        "Content-Type: text/plain\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":75,\"method\":\"x\"}",
        Some(75),
    ),
    (
        "{\"jsonrpc\":\"2.0\",\"id\":76,\"method\":\"x\"}\n",
        Some(76),
    ),
    ("no header at all\r\n\r\n", None),
    ("\u{0}\u{1}\u{2}", None),
];

#[test]
fn a_bad_message_is_told_and_the_next_one_is_read() {
    let mut client = Client::start();
    client.without_replay();
    client.open(URI, BROKEN);
    assert!(is_broken(&client.diagnostics(URI, 1)));
    for (bad, id) in BAD {
        client.raw(bad.as_bytes());
        let document = json!({"textDocument": {"uri": URI}});
        client
            .request("textDocument/foldingRange", document)
            .expect("an answer after a bad message");
        if let Some(id) = id {
            let error = client.response(*id).expect_err("an error");
            assert_eq!(error["code"], -32700, "{bad:?}: {error}");
        }
        let told = client.notification("window/logMessage");
        assert_eq!(told["type"], 1, "{bad:?}: {told}");
    }
    client.leave();
}

#[test]
fn half_a_character_is_not_lost() {
    let mut client = Client::start();
    client.without_replay();
    client.open(URI, "x = 1\n");
    client.diagnostics(URI, 1);
    // Clients that count UTF-16 may split surrogate pairs. If such an edit was skipped, the server would have another
    // text.
    let text = BROKEN.replace("# 行最大值", "# \u{fffd}");
    let change = json!({
        "jsonrpc": "2.0",
        "method": "textDocument/didChange",
        "params": {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": text}]},
    });
    let message = change.to_string().replace('\u{fffd}', "\\ud83d");
    client.raw(format!("Content-Length: {}\r\n\r\n{message}", message.len()).as_bytes());
    assert!(is_broken(&client.diagnostics(URI, 2)));
    let told = client.notification("window/logMessage");
    assert!(
        told["message"]
            .as_str()
            .is_some_and(|it| it.contains("surrogate")),
        "{told}"
    );
    client.leave();
}

#[test]
fn many_documents_are_let_go_and_come_back() {
    const MANY: usize = 60;
    let replays = Arc::new(AtomicUsize::new(0));
    let counter = replays.clone();
    let probe = move |what: &'static str| {
        if what == REPLAY {
            counter.fetch_add(1, Ordering::SeqCst);
        }
    };
    let options = Options {
        probe: Some(Arc::new(probe)),
        ..Options::default()
    };
    let mut client = Client::with(plain(), options, nods());
    let uri = |number: usize| format!("file:///folder/many_{number}.py");
    for number in 0..MANY {
        client.open(&uri(number), BROKEN);
        let first = client.diagnostics(&uri(number), 1);
        assert!(is_broken(&client.settled(&uri(number), 1, first)));
    }
    // The first documents are analysed and replayed again; those used last are kept.
    let at = position_of(BROKEN, "dup(bias", 1);
    for (number, is_kept) in [(0, false), (MANY - 1, true), (0, true)] {
        let before = replays.load(Ordering::SeqCst);
        let hover = client.at("textDocument/hover", &uri(number), at.clone());
        let text = hover["contents"]["value"].as_str().expect("a text");
        assert!(text.contains("dup"), "{text}");
        client.settled(&uri(number), 1, Vec::new());
        let is_same = replays.load(Ordering::SeqCst) == before;
        assert_eq!(is_same, is_kept, "document {number}");
    }
    // An edit of a document whose snapshot was dropped.
    client.change(&uri(2), 2, json!([{"text": "x = 1\n"}]));
    assert!(client.diagnostics(&uri(2), 2).is_empty());
    for number in 0..MANY {
        let document = json!({"textDocument": {"uri": uri(number)}});
        client.notify("textDocument/didClose", document);
        assert_eq!(
            client.notification("textDocument/publishDiagnostics")["uri"],
            uri(number)
        );
    }
    client.leave();
}

/// Opens documents together while replays are held up: at most `SNAPSHOTS` snapshots are published, and at most
/// `REPLAYS` replays run at a time.
#[test]
fn documents_opened_together_are_analysed_and_replayed_few_at_a_time() {
    const MANY: usize = 60;
    const SNAPSHOTS: usize = 48;
    // Four at a time, and one of the document used last.
    const REPLAYS: usize = 5;
    #[derive(Default)]
    struct Gate {
        is_open: bool,
        inside: usize,
        most: usize,
    }
    let gate = Arc::new((Mutex::new(Gate::default()), Condvar::new()));
    let waiting = gate.clone();
    let probe = move |what: &'static str| {
        if what == REPLAY {
            let mut gate = waiting.0.lock().unwrap();
            gate.inside += 1;
            gate.most = gate.most.max(gate.inside);
            let mut gate = waiting.1.wait_while(gate, |gate| !gate.is_open).unwrap();
            gate.inside -= 1;
        }
    };
    let options = Options {
        probe: Some(Arc::new(probe)),
        ..Options::default()
    };
    let mut client = Client::with(plain(), options, nods());
    let uri = |number: usize| format!("file:///folder/together_{number}.py");
    for number in 0..MANY {
        client.open(&uri(number), BROKEN);
    }
    let published: Vec<Value> = (0..SNAPSHOTS)
        .map(|_| client.notification("textDocument/publishDiagnostics"))
        .collect();
    // One more would come at once.
    std::thread::sleep(Duration::from_millis(500));
    let document = json!({"textDocument": {"uri": published[0]["uri"]}});
    client
        .request("textDocument/foldingRange", document)
        .expect("an answer");
    let is_further = |it: &&Value| it["method"] == "textDocument/publishDiagnostics";
    let further = client.notifications.iter().filter(is_further).count();
    // The gate is opened before anything fails: a replay that waits at it would block the end of the test.
    gate.0.lock().unwrap().is_open = true;
    gate.1.notify_all();
    assert_eq!(further, 0);
    for number in 0..MANY {
        client.settled(&uri(number), 1, Vec::new());
    }
    let most = gate.0.lock().unwrap().most;
    assert!((1..=REPLAYS).contains(&most), "{most} replays at a time");
    client.leave();
}

//! Opening, changing and closing documents, and the published diagnostics.

use a2lint::lsp::Options;
use serde_json::{Value, json};

use super::client::{Client, nods, offering, plain, position, position_of};
use super::{BROKEN, URI};

fn codes(diagnostics: &[Value]) -> Vec<&str> {
    diagnostics
        .iter()
        .filter_map(|it| it["code"].as_str())
        .collect()
}

#[test]
fn an_opened_document_is_answered() {
    let mut client = Client::start();
    assert_eq!(client.introduction["serverInfo"]["name"], "a2lint");
    assert_eq!(
        client.introduction["capabilities"]["positionEncoding"],
        "utf-16"
    );
    client.open(URI, BROKEN);
    let found = client.diagnostics(URI, 1);
    assert_eq!(codes(&found), ["dup-coverage"]);
    assert_eq!(found[0]["severity"], 1);
    assert_eq!(found[0]["source"], "a2lint");
    assert_eq!(
        found[0]["range"]["start"],
        position_of(BROKEN, "dup(bias", 0)
    );
    let related = found[0]["relatedInformation"].as_array().unwrap();
    assert!(
        related.iter().all(|it| it["location"]["uri"] == URI),
        "{related:?}"
    );
    client.leave();
}

#[test]
fn edits_make_findings_come_and_go() {
    let mut client = Client::start();
    client.open(URI, BROKEN);
    client.diagnostics(URI, 1);
    let (start, end) = (
        BROKEN.find("[64, 8]").unwrap(),
        BROKEN.find(", 8]").unwrap() + 3,
    );
    let range = json!({"start": position(BROKEN, start), "end": position(BROKEN, end)});
    client.change(URI, 2, json!([{"range": range, "text": "[64, 64"}]));
    assert_eq!(codes(&client.diagnostics(URI, 2)), [""; 0]);
    // The replay of the first version may already be in the cache.
    client.change(URI, 3, json!([{"text": BROKEN}]));
    assert_eq!(codes(&client.diagnostics(URI, 3))[0], "dup-coverage");
    client.leave();
}

#[test]
fn closing_takes_diagnostics_back() {
    let mut client = Client::start();
    client.open(URI, BROKEN);
    let found = client.diagnostics(URI, 1);
    client.settled(URI, 1, found);
    client.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": URI}}),
    );
    let params = client.notification("textDocument/publishDiagnostics");
    assert_eq!(params["diagnostics"], json!([]));
    let hover = client.at(
        "textDocument/hover",
        URI,
        json!({"line": 0, "character": 0}),
    );
    assert_eq!(hover, Value::Null);
    client.leave();
}

#[test]
fn every_encoding_counts_its_own_way() {
    for (encoding, width) in [
        ("utf-8", 4 + 6 + 1),
        ("utf-16", 2 + 2 + 1),
        ("utf-32", 1 + 2 + 1),
    ] {
        let capabilities = offering(&[encoding]);
        let mut client = Client::with(capabilities, Options::default(), nods());
        assert_eq!(
            client.introduction["capabilities"]["positionEncoding"],
            encoding
        );
        // The finding is after an emoji, two ideographs and a semicolon.
        let text = BROKEN.replace("        dup(bias", "        '🙂偏置';dup(bias");
        client.open(URI, &text);
        let found = client.diagnostics(URI, 1);
        assert_eq!(codes(&found), ["dup-coverage"]);
        let start = &found[0]["range"]["start"];
        assert_eq!(start["character"], 8 + 2 + width, "{encoding}");
        // An edit after them, in the same encoding.
        let at = |more: usize| json!({"line": start["line"], "character": 8 + 2 + width + more});
        let range = json!({"start": at("dup(bias, ".len()), "end": at("dup(bias, 0.25".len())});
        client.change(URI, 2, json!([{"range": range, "text": "0.5, 8, 1, 8"}]));
        assert_eq!(codes(&client.diagnostics(URI, 2)), [""; 0], "{encoding}");
        client.leave();
    }
}

#[test]
fn utf8_wins_and_nothing_means_utf16() {
    for (offers, choice) in [
        (offering(&["utf-16", "utf-32", "utf-8"]), "utf-8"),
        (offering(&["utf-32", "utf-16"]), "utf-16"),
        (offering(&["utf-7"]), "utf-16"),
        (plain(), "utf-16"),
    ] {
        let client = Client::with(offers, Options::default(), nods());
        assert_eq!(
            client.introduction["capabilities"]["positionEncoding"],
            choice
        );
        client.leave();
    }
}

#[test]
fn odd_names_are_documents_too() {
    let mut client = Client::start();
    for uri in [
        "untitled:Untitled-1",
        "file:///tmp/%E6%96%87%20x.py",
        "vscode-vfs://github/a/b/k.py",
        "inmemory://model/1",
    ] {
        client.open(uri, BROKEN);
        assert_eq!(
            codes(&client.diagnostics(uri, 1)),
            ["dup-coverage"],
            "{uri}"
        );
        let hover = client.at(
            "textDocument/hover",
            uri,
            position_of(BROKEN, "dup(bias", 1),
        );
        assert!(
            hover["contents"]["value"]
                .as_str()
                .unwrap()
                .contains("dup("),
            "{uri}"
        );
    }
    client.leave();
}

#[test]
fn cells_of_notebooks_and_other_languages_are_passed_over() {
    let mut client = Client::start();
    client.open("vscode-notebook-cell:/a/b.ipynb#W0", BROKEN);
    let item =
        json!({"uri": "file:///a.txt", "languageId": "plaintext", "version": 1, "text": "x"});
    client.notify("textDocument/didOpen", json!({"textDocument": item}));
    client.notify(
        "notebookDocument/didOpen",
        json!({
            "notebookDocument":
                {"uri": "file:///b.ipynb", "notebookType": "jupyter", "version": 1, "cells": []},
            "cellTextDocuments": [],
        }),
    );
    let hover = client.at(
        "textDocument/hover",
        "file:///a.txt",
        json!({"line": 0, "character": 0}),
    );
    assert_eq!(hover, Value::Null);
    client.leave();
}

#[test]
fn other_python_files_are_silent() {
    let mut client = Client::start();
    client.open(URI, "import os\nprint(os.getcwd())\n");
    assert_eq!(codes(&client.diagnostics(URI, 1)), [""; 0]);
    client.leave();
}

#[test]
fn what_is_not_analysed_is_named() {
    let mut client = Client::start();
    client.open(URI, "from easyasc.a5 import *\n");
    let found = client.diagnostics(URI, 1);
    assert_eq!(codes(&found), ["not-analysed"]);
    assert!(found[0]["message"].as_str().unwrap().contains("A5"));
    client.leave();
}

#[test]
fn clients_that_pull_are_not_pushed_to() {
    let capabilities = json!({
        "textDocument": {"diagnostic": {}},
        "workspace": {"diagnostics": {"refreshSupport": true}},
    });
    let mut client = Client::with(capabilities, Options::default(), nods());
    assert!(client.introduction["capabilities"]["diagnosticProvider"].is_object());
    client.without_replay();
    client.open(URI, BROKEN);
    let params = json!({"textDocument": {"uri": URI}});
    let report = client.request("textDocument/diagnostic", params).unwrap();
    assert_eq!(report["kind"], "full");
    assert_eq!(codes(report["items"].as_array().unwrap()), ["dup-coverage"]);
    let known = json!({"textDocument": {"uri": URI}, "previousResultId": report["resultId"]});
    let report = client.request("textDocument/diagnostic", known).unwrap();
    assert_eq!(report["kind"], "unchanged");
    client.leave();
}

#[test]
fn rules_are_a_link_or_a_hover_away() {
    let at = position_of(BROKEN, "dup(bias", 1);
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("a2lint.toml");
    std::fs::write(config, "docs-url = \"https://example.org/rules/\"\n").unwrap();
    let published = format!("file://{}/kernel.py", folder.path().display());
    let opens = json!({"experimental": {"a2lint": {"ruleLinks": true}}});
    for (capabilities, uri, href) in [
        (plain(), URI, Value::Null),
        (opens, URI, json!("a2lint:/rules/dup-coverage.md")),
        (
            plain(),
            published.as_str(),
            json!("https://example.org/rules/dup-coverage.md"),
        ),
    ] {
        let mut client = Client::with(capabilities, Options::default(), nods());
        client.open(uri, BROKEN);
        let found = client.diagnostics(uri, 1);
        assert_eq!(found[0]["codeDescription"]["href"], href);
        let hover = client.at("textDocument/hover", uri, at.clone());
        let text = hover["contents"]["value"].as_str().unwrap();
        let leads_on = text.contains("`a2lint explain dup-coverage`");
        assert_eq!(leads_on, href.is_null(), "{text}");
        client.leave();
    }
}

#[test]
fn requests_count_in_every_encoding() {
    // The name is after an emoji, two ideographs and a semicolon.
    let text = BROKEN.replace("        dup(bias", "        '🙂偏置';dup(bias");
    for (encoding, width) in [("utf-8", 11), ("utf-16", 5), ("utf-32", 4)] {
        let mut client = Client::with(offering(&[encoding]), Options::default(), nods());
        client.open(URI, &text);
        client.diagnostics(URI, 1);
        let line = position_of(&text, "dup(bias", 0)["line"].clone();
        let start = 8 + 2 + width + "dup(".len();
        let range = json!({
            "start": {"line": line, "character": start},
            "end": {"line": line, "character": start + "bias".len()},
        });
        let at = json!({"line": line, "character": start + 1});
        let hover = client.at("textDocument/hover", URI, at.clone());
        assert_eq!(hover["range"], range, "{encoding}");
        let lit = client.at("textDocument/documentHighlight", URI, at.clone());
        let lit = lit.as_array().unwrap();
        assert!(
            lit.iter().any(|it| it["range"] == range),
            "{encoding}: {lit:?}"
        );
        let rename = json!({"textDocument": {"uri": URI}, "position": at, "newName": "offset"});
        let changes = client.request("textDocument/rename", rename).unwrap();
        let changes = changes["changes"][URI].as_array().unwrap();
        assert!(
            changes.iter().any(|it| it["range"] == range),
            "{encoding}: {changes:?}"
        );
        client.leave();
    }
}

#[test]
fn every_root_has_its_own_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let uri = |name: &str| format!("file://{}/{name}", folder.path().display());
    for (root, config) in [("one", "ignore = [\"dup-coverage\"]\n"), ("two", "")] {
        std::fs::create_dir(folder.path().join(root)).unwrap();
        std::fs::write(folder.path().join(root).join("a2lint.toml"), config).unwrap();
    }
    let mut client = Client::stranger(Options::default(), nods());
    let roots = ["one", "two"].map(|name| json!({"uri": uri(name), "name": name}));
    let params = json!({"capabilities": {}, "workspaceFolders": roots});
    client.request("initialize", params).unwrap();
    client.notify("initialized", json!({}));
    client.without_replay();
    for (name, expected) in [
        ("one/k.py", vec![]),
        ("two/k.py", vec!["dup-coverage"]),
        // Outside of both folders.
        ("k.py", vec!["dup-coverage"]),
    ] {
        client.open(&uri(name), BROKEN);
        assert_eq!(
            codes(&client.diagnostics(&uri(name), 1)),
            expected,
            "{name}"
        );
    }
    let event = json!({"added": [], "removed": [roots[0]]});
    client.notify(
        "workspace/didChangeWorkspaceFolders",
        json!({"event": event}),
    );
    assert_eq!(codes(&client.diagnostics(&uri("one/k.py"), 1)), [""; 0]);
    client.notifications.clear();
    client.leave();
}

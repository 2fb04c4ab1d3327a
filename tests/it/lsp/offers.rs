//! What the server offers during editing: completion in an operand, hints where something is unusual, code lenses,
//! actions, pages.

use a2lint::lsp::Options;
use serde_json::{Value, json};

use super::client::{Client, nods, position_of};
use super::{BROKEN, URI};

fn opened(capabilities: Value, options: Options, text: &str) -> Client {
    let mut client = Client::with(capabilities, options, nods());
    client.open(URI, text);
    client.diagnostics(URI, 1);
    client
}

/// Capabilities of a client that supports all links.
fn own() -> Value {
    json!({"experimental": {"a2lint": {"ruleLinks": true, "commandLinks": true, "pages": true}}})
}

#[test]
fn what_fits_the_operand_comes_first() {
    let text = BROKEN.replace(
        "        dup(bias, 0.25)\n",
        "        rest = Tensor(DT.half, [64, 64], Position.UB)\n        a_new = Tensor(DT.float, [64, 8], Position.UB)\n        acc = Tensor(DT.float, [64, 64], Position.L0C)\n        dup(bias, 0.25)\n",
    );
    let mut client = opened(json!({}), Options::default(), &text);
    let at = position_of(&text, "tile, bias)", 6);
    let items = client.at("textDocument/completion", URI, at);
    let rank = |name: &str| {
        let mut items = items.as_array().unwrap().iter();
        let found = items.find(|it| it["label"] == name);
        found.unwrap_or_else(|| panic!("{name}"))["sortText"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    // The type and shape for `sub(tile` are known, `a_new` is not written yet, and a vector operand cannot be in L0C.
    let order = ["tile", "bias", "a_new", "rest", "repeat=", "acc", "vmax"].map(rank);
    assert!(order.is_sorted(), "{order:?}");
    assert!(rank("x") > rank("repeat="), "GM is no operand of sub");
    client.leave();
}

#[test]
fn usual_strides_are_no_hint_and_each_kind_has_a_switch() {
    let hints = |options: Value| {
        let mut client = opened(json!({}), Options::default(), BROKEN);
        client.notify(
            "workspace/didChangeConfiguration",
            json!({"settings": {"a2lint": options}}),
        );
        let whole =
            json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
        let params = json!({"textDocument": {"uri": URI}, "range": whole});
        let hints = client.request("textDocument/inlayHint", params).unwrap();
        client.leave();
        hints.as_array().unwrap().clone()
    };
    let on_line = |hints: &[Value], needle: &str| -> Vec<String> {
        let line = position_of(BROKEN, needle, 0)["line"].clone();
        let there = hints.iter().filter(|it| it["position"]["line"] == line);
        there
            .map(|it| it["label"].as_str().unwrap().to_owned())
            .collect()
    };
    let all = hints(json!({"replay": false}));
    // All hints have a tooltip.
    assert!(all.iter().all(|it| it["tooltip"].is_string()), "{all:?}");
    assert_eq!(
        on_line(&all, "dup(bias"),
        ["repeat 8, blk 0, rep 1, 64 of 512"]
    );
    assert_eq!(on_line(&all, "bias = Tensor"), ["[64, 8] 2 KB"]);
    for (kind, needle) in [("sizes", "bias = Tensor"), ("strides", "dup(bias")] {
        let kind = format!("hints.{kind}");
        let fewer = hints(json!({"replay": false, kind: false}));
        assert!(on_line(&fewer, needle).is_empty(), "{fewer:?}");
        assert!(!fewer.is_empty());
    }
    assert!(hints(json!({"replay": false, "inlayHints": false})).is_empty());
}

#[test]
fn lenses_lead_to_pages_where_they_are_shown() {
    let text = BROKEN.to_owned() + "    OpExec(scale, \"\", simulator=True)(x, y, 64)\n";
    let mut client = Client::with(own(), Options::default(), nods());
    client.open(URI, &text);
    let found = client.diagnostics(URI, 1);
    client.settled(URI, 1, found);
    let params = json!({"textDocument": {"uri": URI}});
    let lenses = client.request("textDocument/codeLens", params).unwrap();
    let titles: Vec<&str> = lenses
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["command"]["title"].as_str().unwrap())
        .collect();
    assert_eq!(titles, ["wrong: dup-coverage", "▶ Simulate ▾"]);
    for lens in lenses.as_array().unwrap() {
        let launches = &lens["command"]["arguments"][0]["launches"];
        assert_eq!(*launches, json!([" (M=128)", " (M=64)"]));
    }
    let command = &lenses[0]["command"];
    let params = json!({"command": command["command"], "arguments": command["arguments"]});
    let answer = client.request("workspace/executeCommand", params).unwrap();
    let page = answer["html"].as_str().unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("dup-coverage"));
    assert_eq!(answer["uri"], URI);
    client.leave();
}

#[test]
fn a_verdict_is_a_lens_or_a_hint_and_never_both() {
    let text = BROKEN.replace("dup(bias, 0.25)", "dup(bias, 0.25, count=512)");
    let whole = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    for (capabilities, shows_pages) in [(own(), true), (json!({}), false)] {
        let mut client = Client::with(capabilities, Options::default(), nods());
        client.open(URI, &text);
        let found = client.diagnostics(URI, 1);
        client.settled(URI, 1, found);
        let document = json!({"uri": URI});
        let params = json!({"textDocument": document});
        let lenses = client.request("textDocument/codeLens", params).unwrap();
        let params = json!({"textDocument": document, "range": whole});
        let hints = client.request("textDocument/inlayHint", params).unwrap();
        let is_verdict = |text: &str| text.contains("\"clean\"") || text.contains("\"open: ");
        let said = [&lenses, &hints].map(|it| is_verdict(&it.to_string()));
        assert_eq!(said, [shows_pages, !shows_pages], "{lenses} {hints}");
        client.leave();
    }
}

#[test]
fn a_missing_event_is_a_quick_fix() {
    let text = include_str!("../../rules/race/bad_fill_before_load.py");
    let mut client = Client::with(json!({}), Options::default(), nods());
    client.open(URI, text);
    let found = client.diagnostics(URI, 1);
    let found = client.settled(URI, 1, found);
    let race = found
        .iter()
        .find(|it| it["code"] == "race")
        .expect("a race");
    let params = json!({
        "textDocument": {"uri": URI},
        "range": race["range"],
        "context": {"diagnostics": [race]},
    });
    let actions = client.request("textDocument/codeAction", params).unwrap();
    let mut actions = actions.as_array().unwrap().iter();
    let action = actions
        .find(|it| it["edit"].to_string().contains("SEvent(Pipe.V, Pipe.MTE2)"))
        .expect("an action that adds an event");
    assert_eq!(action["isPreferred"], true, "{action}");
    let title = action["title"].as_str().expect("a title");
    assert!(title.contains(" (costs "), "{title}");
    client.leave();
}

/// Returns the titles of the actions at a place.
fn titles(client: &mut Client, at: Value) -> Vec<String> {
    let params = json!({
        "textDocument": {"uri": URI},
        "range": {"start": at, "end": at},
        "context": {"diagnostics": []},
    });
    let actions = client.request("textDocument/codeAction", params).unwrap();
    let titles = actions.as_array().unwrap().iter();
    let titles = titles.map(|it| it["title"].as_str().unwrap().to_owned());
    titles.collect()
}

#[test]
fn unsafe_fixes_say_so_and_text_that_does_not_parse_is_not_ignored() {
    let mut client = opened(json!({}), Options::default(), BROKEN);
    let found = titles(&mut client, position_of(BROKEN, "dup(bias", 0));
    assert!(
        found
            .iter()
            .any(|it| it == "(unsafe) Fill all 512 elements"),
        "{found:?}"
    );
    client.leave();
    let text = BROKEN.replace("dup(bias, 0.25)", "dup(bias, 0.25");
    let mut client = opened(json!({}), Options::default(), &text);
    let found = titles(&mut client, position_of(&text, "dup(bias, 0.25", 3));
    assert!(
        !found.iter().any(|it| it.starts_with("Ignore syntax-error")),
        "{found:?}"
    );
    client.leave();
}

#[test]
fn rules_are_explained_where_answers_are_shown() {
    for (capabilities, is_offered) in [(own(), true), (json!({}), false)] {
        let mut client = opened(capabilities, Options::default(), BROKEN);
        let at = position_of(BROKEN, "dup(bias", 0);
        let params = json!({
            "textDocument": {"uri": URI},
            "range": {"start": at, "end": at},
            "context": {"diagnostics": []},
        });
        let actions = client.request("textDocument/codeAction", params).unwrap();
        let titles = actions.as_array().unwrap().iter().map(|it| &it["title"]);
        let titles: Vec<_> = titles.collect();
        assert_eq!(
            titles.contains(&&json!("Explain dup-coverage")),
            is_offered,
            "{titles:?}"
        );
        client.leave();
    }
}

#[test]
fn other_languages_have_an_outline() {
    let text = "\
void first() {
    Tile<TileType::Vec, float, 16, 64> tile;
    TASSIGN(tile, 0);
}
";
    let uri = "file:///folder/masks.cpp";
    let mut client = Client::start();
    let item = json!({"uri": uri, "languageId": "cpp", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({"textDocument": item}));
    client.diagnostics(uri, 1);
    let params = json!({"textDocument": {"uri": uri}});
    let symbols = client
        .request("textDocument/documentSymbol", params)
        .unwrap();
    assert_eq!(symbols[0]["name"], "first", "{symbols}");
    assert_eq!(symbols[0]["detail"], "tiles");
    client.leave();
}

/// A client with a debugger gets a code lens for it, and an action that stops where a finding was observed.
#[test]
fn runs_are_debugged_by_clients_that_can() {
    let text = BROKEN.to_owned() + "    OpExec(scale, \"\", simulator=True)(x, y, 64)\n";
    for (debugs, debugger) in [(true, json!(true)), (false, Value::Null)] {
        let mut capabilities = own();
        capabilities["experimental"]["a2lint"]["debugger"] = debugger;
        let mut client = Client::with(capabilities, Options::default(), nods());
        client.open(URI, &text);
        let found = client.diagnostics(URI, 1);
        let found = client.settled(URI, 1, found);
        let params = json!({"textDocument": {"uri": URI}});
        let lenses = client.request("textDocument/codeLens", params).unwrap();
        let params = json!({
            "textDocument": {"uri": URI},
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}},
            "context": {"diagnostics": found},
        });
        let actions = client.request("textDocument/codeAction", params).unwrap();
        let is_debug = |command: &Value| command["command"] == "a2lint.debug";
        let lenses = lenses.as_array().unwrap().iter();
        let mut lenses = lenses.filter(|it| is_debug(&it["command"]));
        let actions = actions.as_array().unwrap().iter();
        let actions: Vec<&Value> = actions.filter(|it| is_debug(&it["command"])).collect();
        assert_eq!(lenses.next().is_some(), debugs);
        assert_eq!(actions.is_empty(), !debugs, "{actions:?}");
        for action in actions {
            let given = &action["command"]["arguments"][0];
            assert_eq!(action["title"], "Debug at the witness");
            assert_eq!(
                (&given["kernel"], &given["bind"]),
                (&json!("scale"), &json!({}))
            );
            assert!(given["launch"].is_u64(), "{given}");
            assert!(
                given["stopAt"].as_str().unwrap().starts_with("core 0 vec"),
                "{given}"
            );
        }
        client.leave();
    }
}

/// A client with a status line is sent the verdicts on a document, and again when they change.
#[test]
fn what_is_known_of_a_document_is_told_for_the_line_of_status() {
    let mut capabilities = own();
    capabilities["experimental"]["a2lint"]["status"] = json!(true);
    let mut client = Client::with(capabilities, Options::default(), nods());
    client.open(URI, BROKEN);
    let said = client.notification("a2lint/lookedAt");
    assert_eq!(said["uri"], URI);
    assert!(
        said["text"].as_str().unwrap().starts_with("scale: "),
        "{said}"
    );
    client.change(URI, 2, json!([{"text": "x = 1\n"}]));
    loop {
        let said = client.notification("a2lint/lookedAt");
        if said["text"] == "" {
            break;
        }
    }
}

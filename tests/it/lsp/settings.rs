//! Settings of the client, and their changes.

use a2lint::lsp::Options;
use serde_json::{Value, json};

use super::client::{Client, plain};
use super::{BROKEN, URI, is_broken};

fn asks() -> Value {
    json!({"workspace": {"configuration": true}})
}

fn hover_text(client: &mut Client) -> String {
    let at = super::client::position_of(BROKEN, "dup(bias", 1);
    let hover = client.at("textDocument/hover", URI, at);
    hover["contents"]["value"]
        .as_str()
        .expect("a text")
        .to_owned()
}

#[test]
fn settings_are_asked_for_and_obeyed() {
    let settings = json!({"hover": {"simulate": false}});
    let answers = Box::new(move |method: &str, _: &Value| {
        let is_asked = method == "workspace/configuration";
        Some(if is_asked {
            json!([settings])
        } else {
            Value::Null
        })
    });
    let mut client = Client::with(asks(), Options::default(), answers);
    client.open(URI, BROKEN);
    client.diagnostics(URI, 1);
    for _ in 0..100 {
        if !hover_text(&mut client).contains("after this statement") {
            // The settings may have arrived before or after the first analysis.
            client.notifications.clear();
            return client.leave();
        }
    }
    panic!("the settings were not obeyed");
}

#[test]
fn settings_may_be_sent() {
    let mut client = Client::with(plain(), Options::default(), super::client::nods());
    client.open(URI, BROKEN);
    client.diagnostics(URI, 1);
    assert!(hover_text(&mut client).contains("after this statement"));
    let settings = json!({"a2lint": {"hover": {"simulate": false}}});
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": settings}),
    );
    client.diagnostics(URI, 1);
    assert!(!hover_text(&mut client).contains("after this statement"));
    client.leave();
}

#[test]
fn what_is_wrong_is_told() {
    let mut client = Client::start();
    let settings = json!({"a2lint": {"device": "b9"}});
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": settings}),
    );
    let message = client.notification("window/showMessage");
    assert!(
        message["message"]
            .as_str()
            .unwrap()
            .contains("a2lint.device must be one of")
    );
    client.leave();
}

#[test]
fn a_client_that_never_answers_is_served() {
    let capabilities = json!({"workspace": {
        "configuration": true,
        "didChangeWatchedFiles": {"dynamicRegistration": true},
        "didChangeConfiguration": {"dynamicRegistration": true},
    }});
    let mut client = Client::with(capabilities, Options::default(), Box::new(|_, _| None));
    client.open(URI, BROKEN);
    client.diagnostics(URI, 1);
    for version in 2..50 {
        client.notify(
            "workspace/didChangeConfiguration",
            json!({"settings": null}),
        );
        client.change(URI, version, json!([{"text": BROKEN}]));
        assert!(is_broken(&client.diagnostics(URI, version)));
    }
    assert!(hover_text(&mut client).contains("dup("));
    client.leave();
}

#[test]
fn configuration_files_are_obeyed_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("a2lint.toml");
    let uri = format!("file://{}/kernel.py", folder.path().display());
    std::fs::write(&config, "ignore = [\"dup-coverage\"]\n").unwrap();
    let mut client = Client::start();
    client.open(&uri, BROKEN);
    let found = client.diagnostics(&uri, 1);
    assert_eq!(found.len(), 0);
    client.settled(&uri, 1, found);
    let changed = json!({"changes": [{"uri": format!("file://{}", config.display()), "type": 2}]});
    for (text, code) in [("", "dup-coverage"), ("ignore = 3\n", "configuration")] {
        std::fs::write(&config, text).unwrap();
        client.notify("workspace/didChangeWatchedFiles", changed.clone());
        let found = client.diagnostics(&uri, 1);
        let found = client.settled(&uri, 1, found);
        assert!(
            found.iter().any(|it| it["code"] == code),
            "{code}: {found:?}"
        );
    }
    client.leave();
}

#[test]
fn comments_silence_findings() {
    let mut client = Client::start();
    let text = BROKEN.replace(
        "dup(bias, 0.25)",
        "dup(bias, 0.25)  # a2lint: ignore[dup-coverage]",
    );
    client.open(URI, &text);
    assert_eq!(client.diagnostics(URI, 1).len(), 0);
    client.leave();
}

#[test]
fn what_a_baseline_knows_is_hidden() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("a2lint.toml");
    let baseline = folder.path().join("known.json");
    let uri = format!("file://{}/kernels/scale.py", folder.path().display());
    std::fs::write(&config, "baseline = \"known.json\"\n").unwrap();
    let known = json!({"dup-coverage": {"count": 1}, "uninitialized-read": {"count": 1}});
    let text = json!({"version": 1, "files": {"kernels/scale.py": known}}).to_string();
    std::fs::write(&baseline, text).unwrap();
    let mut client = Client::start();
    client.open(&uri, BROKEN);
    let found = client.diagnostics(&uri, 1);
    assert_eq!(client.settled(&uri, 1, found), [Value::Null; 0]);
    // Only a second finding is shown.
    let more = BROKEN.replace("dup(bias, 0.25)", "dup(bias, 0.25)\n        dup(bias, 0.5)");
    client.change(&uri, 2, json!([{"text": more}]));
    let found = client.diagnostics(&uri, 2);
    assert_eq!(found.len(), 1);
    assert_eq!(client.settled(&uri, 2, found).len(), 1);
    // A baseline that cannot be read is reported, and hides nothing.
    std::fs::write(&baseline, "[]").unwrap();
    let changed =
        json!({"changes": [{"uri": format!("file://{}", baseline.display()), "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changed);
    let found = client.diagnostics(&uri, 2);
    let codes: Vec<&str> = found.iter().filter_map(|it| it["code"].as_str()).collect();
    assert_eq!(codes, ["dup-coverage", "dup-coverage", "configuration"]);
    client.leave();
}

#[test]
fn a_hover_ends_with_its_budget() {
    let mut client = Client::start();
    let settings = json!({"a2lint": {"hover": {"budgetMs": 0}}});
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": settings}),
    );
    client.open(URI, BROKEN);
    client.diagnostics(URI, 1);
    let text = hover_text(&mut client);
    assert!(
        text.contains("within 0 ms") && text.contains("dup("),
        "{text}"
    );
    client.leave();
}

//! Diagnostics before and after replays.

use std::sync::{Arc, Condvar, Mutex};

use a2lint::lsp::{Options, REPLAY};
use serde_json::{Value, json};

use super::client::{Client, nods, plain, position};
use super::{BROKEN, URI};
use crate::common::Random;

/// The kernel of `BROKEN` under a launch whose last tile is out of bounds, and a second kernel with constants and a
/// helper.
fn text() -> String {
    let second = r#"ROWS = 64
FILL = 1.5


def fill(t):
    dup(t, FILL)


@kernel(mode="vec")
def add_one(x: GMTensor, y: GMTensor, N: Var):
    part = Tensor(DT.float, [ROWS, 64], Position.UB)
    one = Tensor(DT.float, [ROWS, 64], Position.UB)
    with auto_sync():
        fill(one)
        for r in range(GetVecIdx() * ROWS, N, GetVecNum() * ROWS):
            part <<= x[r:r + ROWS, 0:64]
            add(part, part, one)
            y[r:r + ROWS, 0:64] <<= part
    return y


if __name__"#;
    let launch = "    OpExec(add_one, \"\")(torch.ones(192, 64), torch.zeros(192, 64), 192)\n";
    BROKEN
        .replace("M = 128", "M = 100")
        .replace("if __name__", second)
        + launch
}

fn names(diagnostics: &[Value]) -> Vec<&str> {
    let codes = diagnostics.iter().filter_map(|it| it["code"].as_str());
    codes.collect()
}

fn replaced(text: &str, old: &str, new: &str) -> Value {
    let start = text.find(old).expect("it is there");
    let (start, end) = (position(text, start), position(text, start + old.len()));
    json!([{"range": {"start": start, "end": end}, "text": new}])
}

const FIRST: [&str; 1] = ["dup-coverage"];
/// The load and the store leave their tensors by one mistake: one diagnostic.
const BOTH: [&str; 2] = ["dup-coverage", "gm-out-of-bounds"];

#[test]
fn what_the_machine_shows_follows() {
    let mut client = Client::start();
    client.open(URI, &text());
    assert_eq!(names(&client.diagnostics(URI, 1)), FIRST);
    assert_eq!(names(&client.diagnostics(URI, 1)), BOTH);
    client.leave();
}

#[test]
fn unchanged_kernels_are_not_replayed_again() {
    let mut client = Client::start();
    let mut text = text();
    client.open(URI, &text);
    let first = client.diagnostics(URI, 1);
    assert_eq!(names(&client.settled(URI, 1, first)), BOTH);
    let edits = [
        ("FILL = 1.5", "FILL = 2.5"),
        ("add(part, part, one)", "add(part, one, one)"),
        ("# 行最大值", "\n\n# 行"),
        ("M = 100\n", "M = 100  # odd\n"),
    ];
    for (version, (old, new)) in (2..).zip(edits) {
        client.change(URI, version, replaced(&text, old, new));
        text = text.replace(old, new);
        let found = client.diagnostics(URI, version);
        assert_eq!(names(&found), BOTH, "{new}");
        client.settled(URI, version, found);
    }
    // The launch that is out of bounds has changed.
    client.change(URI, 6, replaced(&text, "M = 100", "M = 128"));
    assert_eq!(names(&client.diagnostics(URI, 6)), FIRST);
    client.leave();
}

#[test]
fn replays_can_be_turned_off() {
    let mut client = Client::start();
    let settings = json!({"a2lint": {"replay": false}});
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": settings}),
    );
    client.open(URI, &text());
    let first = client.diagnostics(URI, 1);
    assert_eq!(names(&client.settled(URI, 1, first)), FIRST);
    let settings = json!({"a2lint": {"replay": true}});
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": settings}),
    );
    let first = client.diagnostics(URI, 1);
    assert_eq!(names(&client.settled(URI, 1, first)), BOTH);
    client.leave();
}

/// A gate at which replays wait.
fn gate() -> (Options, impl Fn()) {
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let waiting = gate.clone();
    let probe = move |what: &'static str| {
        if what == REPLAY {
            let open = waiting.0.lock().unwrap();
            drop(waiting.1.wait_while(open, |open| !*open).unwrap());
        }
    };
    let open = move || {
        *gate.0.lock().unwrap() = true;
        gate.1.notify_all();
    };
    let probe = Some(Arc::new(probe) as _);
    (
        Options {
            probe,
            ..Options::default()
        },
        open,
    )
}

#[test]
fn replays_of_old_versions_are_cancelled_and_hold_nothing_up() {
    let (options, open_gate) = gate();
    let mut client = Client::with(plain(), options, nods());
    let text = text();
    client.open(URI, &text);
    assert_eq!(names(&client.diagnostics(URI, 1)), FIRST);
    for version in 2..6 {
        client.change(URI, version, json!([{"text": text}]));
        assert_eq!(names(&client.diagnostics(URI, version)), FIRST);
    }
    open_gate();
    // `diagnostics` checks that no older ones follow.
    assert_eq!(names(&client.diagnostics(URI, 5)), BOTH);
    client.leave();
}

#[test]
fn a_panic_in_a_replay_costs_the_replay() {
    let probe = |what: &'static str| assert!(what != REPLAY, "injected");
    let options = Options {
        probe: Some(Arc::new(probe)),
        ..Options::default()
    };
    let mut client = Client::with(plain(), options, nods());
    client.open(URI, &text());
    let first = client.diagnostics(URI, 1);
    assert_eq!(names(&client.settled(URI, 1, first)), FIRST);
    let log = client.notification("window/logMessage");
    assert!(
        log["message"].as_str().unwrap().contains("injected"),
        "{log}"
    );
    client.leave();
}

#[test]
fn clients_that_pull_are_asked_to_pull_again() {
    let capabilities = json!({
        "textDocument": {"diagnostic": {}},
        "workspace": {"diagnostics": {"refreshSupport": true}},
    });
    let (options, open_gate) = gate();
    let mut client = Client::with(capabilities, options, nods());
    client.open(URI, &text());
    let params = json!({"textDocument": {"uri": URI}});
    let pull = |client: &mut Client| {
        let report = client
            .request("textDocument/diagnostic", params.clone())
            .unwrap();
        report["items"].as_array().unwrap().clone()
    };
    assert_eq!(names(&pull(&mut client)), FIRST);
    open_gate();
    while !client
        .asked
        .iter()
        .any(|it| it["method"] == "workspace/diagnostic/refresh")
    {
        pull(&mut client);
    }
    assert_eq!(names(&pull(&mut client)), BOTH);
    client.leave();
}

#[test]
fn what_is_remembered_is_what_would_be_found_afresh() {
    let mut client = Client::start();
    let mut random = Random(11);
    let original = text();
    let mut text = original.clone();
    client.open(URI, &text);
    client.diagnostics(URI, 1);
    for version in 2..=60 {
        let lines: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        let end = lines[random.below(lines.len())];
        let digits: Vec<usize> = text
            .match_indices(|c: char| c.is_ascii_digit())
            .map(|it| it.0)
            .collect();
        let digit = digits[random.below(digits.len())];
        let (span, new) = match random.below(6) {
            0 => (end..end, "  # x"),
            1 => (end..end, "\n"),
            2 => (digit..digit + 1, ["0", "1", "8"][random.below(3)]),
            3 => (digit..digit, "1"),
            4 => (0..text.len(), original.as_str()),
            _ => (end..end, "  # a2lint: ignore[gm-out-of-bounds]"),
        };
        let range = json!({"start": position(&text, span.start), "end": position(&text, span.end)});
        client.change(URI, version, json!([{"range": range, "text": new}]));
        text.replace_range(span, new);
        let edited = client.diagnostics(URI, version);
        if version % 4 != 0 {
            continue;
        }
        let edited = client.settled(URI, version, edited);
        let fresh = format!("file:///folder/fresh_{version}.py");
        client.open(&fresh, &text);
        let found = client.diagnostics(&fresh, 1);
        let found = client.settled(&fresh, 1, found);
        let plain = |found: Vec<Value>| Value::Array(found).to_string().replace(&fresh, URI);
        assert_eq!(plain(edited), plain(found), "version {version}:\n{text}");
    }
    client.leave();
}

#[test]
fn a_hint_at_the_kernel_says_what_is_known_of_it() {
    let mut client = Client::start();
    let text = text().replace("M = 100", "M = 128");
    let text = text.replace("@kernel", "# a2lint: launch(rows=1)\n@kernel");
    client.open(URI, &text);
    let first = client.diagnostics(URI, 1);
    let diagnostics = client.settled(URI, 1, first);
    let unusable: Vec<&Value> = diagnostics
        .iter()
        .filter(|it| it["code"] == "launch-unusable")
        .collect();
    let comment = text.find("rows=1").expect("the comment");
    assert_eq!(unusable[0]["range"]["start"], position(&text, comment));
    assert_eq!(unusable[0]["severity"], 2);
    let hint = |client: &mut Client, kernel: &str| {
        let line = position(&text, text.find(kernel).expect("the kernel"))["line"].clone();
        let range = json!({"start": {"line": line, "character": 0},
                           "end": {"line": line, "character": 99}});
        let params = json!({"textDocument": {"uri": URI}, "range": range});
        let hints = client.request("textDocument/inlayHint", params).unwrap();
        hints[0].clone()
    };
    let broken = hint(&mut client, "def scale");
    assert_eq!(broken["label"], "wrong: dup-coverage");
    let table = broken["tooltip"].as_str().expect("a table");
    assert!(
        table.contains("refuted    initialised: dup-coverage (line 13)"),
        "{table}"
    );
    let name = text.find("scale(x").expect("the name");
    let hover = client.at("textDocument/hover", URI, position(&text, name));
    let hover = hover["contents"]["value"].as_str().expect("a text");
    // The hover wraps lines that are too long for it.
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(hover).contains(&words(table)), "{hover}");
    let other = hint(&mut client, "def add_one");
    let label = other["label"].as_str().expect("a label");
    assert_eq!(label, "with warnings: launch-unusable");
    client.leave();
}

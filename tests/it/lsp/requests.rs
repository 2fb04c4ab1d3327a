//! Every request, on one small kernel.

use serde_json::{Value, json};

use super::client::{Client, position_of};
use super::{BROKEN, URI};

/// Starts a client that has opened the broken kernel.
fn opened() -> Client {
    let mut client = Client::start();
    client.open(URI, BROKEN);
    client.diagnostics(URI, 1);
    client
}

fn hover(client: &mut Client, needle: &str, plus: usize) -> String {
    let at = position_of(BROKEN, needle, plus);
    let hover = client.at("textDocument/hover", URI, at);
    hover["contents"]["value"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

fn document() -> Value {
    json!({"textDocument": {"uri": URI}})
}

#[test]
fn a_hover_on_an_instruction_shows_it_and_its_values() {
    let mut client = opened();
    let text = hover(&mut client, "dup(bias", 1);
    println!("{text}");
    for part in [
        "dup(dst, value, repeat=None",
        "**V** pipe",
        "64 of 512",
        "after this statement",
        "core 0, vec0",
        "the launch at line 24 (M=128)",
        "0.2500",
        "448 undefined",
    ] {
        assert!(text.contains(part), "{part}");
    }
    let text = hover(&mut client, "<<= x", 1);
    assert!(text.contains("64×64") && text.contains("1.0000"), "{text}");
    client.leave();
}

#[test]
fn a_hover_on_a_tensor_shows_where_it_lives() {
    let mut client = opened();
    let text = hover(&mut client, "tile = Tensor", 1);
    println!("{text}");
    for part in [
        "**tile** — float `[64, 64]` in UB",
        "16 KB, 8.3 % of 192 KB",
        "lines 14, 15",
    ] {
        assert!(text.contains(part), "{part}");
    }
    let text = hover(&mut client, "tile, bias)", 1);
    assert!(text.contains("as it is read here"), "{text}");
    let text = hover(&mut client, "x[r:r", 0);
    assert!(
        text.contains("**x** — parameter in GM, float `[128, 64]`"),
        "{text}"
    );
    assert_eq!(hover(&mut client, "import torch", 8), "");
    client.leave();
}

#[test]
fn a_rule_in_a_comment_is_explained() {
    let mut client = Client::start();
    let text = "# a2lint: ignore[dup-coverage] wanted\nfrom easyasc.a2 import *\n";
    client.open(URI, text);
    client.diagnostics(URI, 1);
    let hover = client.at("textDocument/hover", URI, position_of(text, "coverage", 2));
    let shown = hover["contents"]["value"].as_str().unwrap();
    assert!(
        shown.starts_with("# dup-coverage (COV001)\n\n## What it does"),
        "{shown}"
    );
    client.leave();
}

#[test]
fn findings_can_be_ignored_for_a_line() {
    let mut client = opened();
    let at = position_of(BROKEN, "dup(bias", 2);
    let params = json!({
        "textDocument": {"uri": URI},
        "range": {"start": at, "end": at},
        "context": {"diagnostics": []},
    });
    let actions = client.request("textDocument/codeAction", params).unwrap();
    let titles: Vec<&str> = actions
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["title"].as_str())
        .collect();
    assert!(
        titles.contains(&"Ignore dup-coverage for this line"),
        "{titles:?}"
    );
    let action = &actions.as_array().unwrap()[titles.len() - 1];
    let edit = &action["edit"]["changes"][URI][0];
    assert_eq!(edit["newText"], "  # a2lint: ignore[dup-coverage]");
    assert_eq!(edit["range"]["start"], position_of(BROKEN, "0.25)", 5));
    client.leave();
}

#[test]
fn a_fix_makes_its_finding_vanish() {
    let mut client = opened();
    let text = BROKEN.replace("sub(tile, tile, bias)", "tile - bias");
    client.change(URI, 2, json!([{"text": text}]));
    let found = client.diagnostics(URI, 2);
    let fixable = found.iter().find(|it| it["data"]["fix"].is_object());
    let fixable = fixable.expect("a finding with a fix");
    let params = json!({
        "textDocument": {"uri": URI},
        "range": fixable["range"],
        "context": {"diagnostics": [fixable], "only": ["quickfix"]},
    });
    let actions = client.request("textDocument/codeAction", params).unwrap();
    let edits = &actions[0]["edit"]["changes"][URI];
    assert_eq!(*edits, fixable["data"]["fix"]["edits"]);
    let changes: Vec<Value> = edits
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| json!({"range": edit["range"], "text": edit["newText"]}))
        .collect();
    client.change(URI, 3, json!(changes));
    let after = client.diagnostics(URI, 3);
    assert!(
        after.iter().all(|it| it["code"] != fixable["code"]),
        "{after:?}"
    );
    client.leave();
}

#[test]
fn kernels_run_from_their_lens() {
    let mut client = opened();
    let lenses = client.request("textDocument/codeLens", document()).unwrap();
    let lenses = lenses.as_array().unwrap();
    assert_eq!(lenses[0]["command"]["title"], "▶ Simulate kernel (M=128)");
    assert_eq!(
        lenses[0]["range"]["start"],
        position_of(BROKEN, "scale(x", 0)
    );
    let run = |lens: &Value| {
        let command = &lens["command"];
        json!({"command": command["command"], "arguments": command["arguments"],
            "workDoneToken": "mine"})
    };
    let result = client
        .request("workspace/executeCommand", run(&lenses[0]))
        .unwrap();
    assert_eq!(result["clean"], false);
    assert!(
        result["text"]
            .as_str()
            .unwrap()
            .contains("are undefined and reach ub_to_gm_pad"),
        "{result}"
    );
    let message = client.notification("window/showMessage");
    assert_eq!(message["message"], result["summary"]);
    let begin = client.notification("$/progress");
    assert_eq!(
        (&begin["token"], &begin["value"]["kind"]),
        (&json!("mine"), &json!("begin"))
    );
    loop {
        if client.notification("$/progress")["value"]["kind"] == "end" {
            break;
        }
    }
    assert_eq!(lenses[1]["command"]["title"], "Show memory map");
    let mut memory = run(&lenses[1]);
    memory["workDoneToken"] = Value::Null;
    let result = client.request("workspace/executeCommand", memory).unwrap();
    assert!(
        result["text"].as_str().unwrap().contains("of 192 KB"),
        "{result}"
    );
    client.leave();
}

#[test]
fn commands_say_what_is_wrong_with_them() {
    let mut client = opened();
    for (command, argument, part) in [
        (
            "a2lint.run",
            json!({"uri": URI, "kernel": "none"}),
            "no kernel `none`",
        ),
        (
            "a2lint.run",
            json!({"uri": "file:///other.py", "kernel": "k"}),
            "not open",
        ),
        ("a2lint.run", json!(7), "expected {uri, kernel, launch}"),
        ("a2lint.explain", json!("no-such-rule"), "no such rule"),
        ("a2lint.dance", json!({}), "no such command"),
    ] {
        let params = json!({"command": command, "arguments": [argument]});
        let error = client
            .request("workspace/executeCommand", params)
            .unwrap_err();
        assert!(error["message"].as_str().unwrap().contains(part), "{error}");
    }
    let params = json!({"command": "a2lint.explain", "arguments": ["COV001"]});
    let result = client.request("workspace/executeCommand", params).unwrap();
    assert_eq!(result["title"], "dup-coverage");
    client.leave();
}

#[test]
fn hints_show_what_was_resolved() {
    let mut client = opened();
    let whole = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let params = json!({"textDocument": {"uri": URI}, "range": whole.clone()});
    let hints = client.request("textDocument/inlayHint", params).unwrap();
    let labels: Vec<&str> = hints
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["label"].as_str())
        .collect();
    println!("{labels:#?}");
    assert!(labels.contains(&"[64, 64] 16 KB"));
    assert!(
        labels
            .iter()
            .any(|label| label.starts_with("repeat 8, blk 0, rep 1")),
        "{labels:?}"
    );
    let is_short = |label: &&str| label.chars().count() <= 40;
    assert!(labels.iter().all(is_short), "{labels:?}");
    let few = json!({"start": {"line": 8, "character": 0}, "end": {"line": 8, "character": 99}});
    let params = json!({"textDocument": {"uri": URI}, "range": few});
    let hints = client.request("textDocument/inlayHint", params).unwrap();
    assert_eq!(hints.as_array().unwrap().len(), 1);
    // Trip counts are shown if their text is short enough.
    let uri = "file:///folder/loop.py";
    let head = "range(GetVecIdx() * 64, M, GetVecNum() * 64)";
    client.without_replay();
    client.diagnostics(URI, 1);
    client.open(uri, &BROKEN.replace(head, "range(0, M, 64)"));
    client.diagnostics(uri, 1);
    let params = json!({"textDocument": {"uri": uri}, "range": whole});
    let hints = client.request("textDocument/inlayHint", params).unwrap();
    let mut labels = hints.as_array().unwrap().iter();
    assert!(
        labels.any(|it| it["label"].as_str().unwrap().starts_with("× CeilDiv(")),
        "{hints}"
    );
    client.leave();
}

#[test]
fn completion_knows_the_vocabularies() {
    let mut client = opened();
    let labels = |client: &mut Client, needle: &str, plus: usize| -> Vec<String> {
        let at = position_of(BROKEN, needle, plus);
        let items = client.at("textDocument/completion", URI, at);
        let items = items.as_array().unwrap().iter();
        items
            .filter_map(|it| Some(it["label"].as_str()?.to_owned()))
            .collect()
    };
    let types = labels(&mut client, "DT.float", 3);
    assert!(types.contains(&"bfloat16".to_owned()), "{types:?}");
    let positions = labels(&mut client, "Position.UB", 9);
    assert!(positions.contains(&"L0C".to_owned()), "{positions:?}");
    let arguments = labels(&mut client, "0.25)", 0);
    assert!(
        arguments.contains(&"dst_blk_stride=".to_owned()),
        "{arguments:?}"
    );
    assert!(arguments.contains(&"vmax".to_owned()));
    client.leave();
}

#[test]
fn signatures_follow_the_cursor() {
    let mut client = opened();
    for (needle, active) in [("bias, 0.25", 0), ("0.25)", 1)] {
        let at = position_of(BROKEN, needle, 0);
        let help = client.at("textDocument/signatureHelp", URI, at);
        assert_eq!(help["activeParameter"], active);
        assert!(
            help["signatures"][0]["label"]
                .as_str()
                .unwrap()
                .starts_with("dup(dst, value")
        );
    }
    let at = position_of(BROKEN, "import torch", 0);
    assert_eq!(
        client.at("textDocument/signatureHelp", URI, at),
        Value::Null
    );
    client.leave();
}

#[test]
fn a_file_is_helped_in_its_own_dialect() {
    const TEXT: &str = "from ascriptor.a2 import *

@kernel(mode=\"vec\")
def picked(x: GM[f32, (1, 64)], i: GM[u32, (1, 64)], y: GM[f32, (1, 64)]):
    src = Tensor(f32, [1, 64], Position.UB)
    at = Tensor(u32, [1, 64], Position.UB)
    dst = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        src <<= x
        at <<= i
        gather(dst, src, at, 0, 1)
        y[0:1, 0:64] <<= dst
    return y
";
    let mut client = Client::start();
    client.open(URI, TEXT);
    client.diagnostics(URI, 1);
    let at = position_of(TEXT, "0, 1)", 0);
    let help = client.at("textDocument/signatureHelp", URI, at.clone());
    let signature = "gather(dst, src, offset, start_idx=0, repeat=None";
    let label = help["signatures"][0]["label"].as_str().unwrap();
    assert!(label.starts_with(signature), "{label}");
    assert_eq!(help["activeParameter"], 3);
    let items = client.at("textDocument/completion", URI, at);
    let labels: Vec<&str> = items
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["label"].as_str())
        .collect();
    assert!(labels.contains(&"start_idx=") && labels.contains(&"vmax"));
    assert!(!labels.contains(&"set_cmpmask"));
    let hover = client.at("textDocument/hover", URI, position_of(TEXT, "gather", 1));
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains(signature), "{text}");
    client.leave();
}

#[test]
fn symbols_are_kernels_with_what_they_declare() {
    let mut client = opened();
    let symbols = client
        .request("textDocument/documentSymbol", document())
        .unwrap();
    assert_eq!(
        (&symbols[0]["name"], &symbols[0]["detail"]),
        (&json!("scale"), &json!("kernel"))
    );
    let children = symbols[0]["children"].as_array().unwrap();
    let names: Vec<&str> = children
        .iter()
        .filter_map(|it| it["name"].as_str())
        .collect();
    assert_eq!(names, ["x", "y", "tile", "bias"]);
    assert_eq!(children[2]["detail"], "float [64, 64] UB");
    client.leave();
}

#[test]
fn blocks_fold() {
    let mut client = opened();
    let ranges = client
        .request("textDocument/foldingRange", document())
        .unwrap();
    let lines = ranges.as_array().unwrap().iter();
    let lines: Vec<(u64, u64)> = lines
        .map(|it| {
            (
                it["startLine"].as_u64().unwrap(),
                it["endLine"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(lines, [(7, 16), (10, 15), (12, 15), (19, 23)]);
    client.leave();
}

#[test]
fn names_lead_to_their_definition_and_uses() {
    let mut client = opened();
    let at = position_of(BROKEN, "bias)\n", 1);
    let definition = client.at("textDocument/definition", URI, at.clone());
    assert_eq!(
        definition["range"]["start"],
        position_of(BROKEN, "bias = Tensor", 0)
    );
    for (declaration, count) in [(true, 3), (false, 2)] {
        let params = json!({"textDocument": {"uri": URI}, "position": at,
            "context": {"includeDeclaration": declaration}});
        let references = client.request("textDocument/references", params).unwrap();
        assert_eq!(references.as_array().unwrap().len(), count);
    }
    let highlights = client.at("textDocument/documentHighlight", URI, at);
    let kinds = highlights
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["kind"].as_i64().unwrap());
    assert_eq!(
        kinds.collect::<Vec<_>>(),
        [3, 3, 2],
        "declared, written by dup, read by sub"
    );
    client.leave();
}

#[test]
fn names_are_changed_everywhere_or_not_at_all() {
    let mut client = opened();
    let at = position_of(BROKEN, "tile, tile", 0);
    let rename = |new: &str| json!({"textDocument": {"uri": URI}, "position": at, "newName": new});
    let edit = client.request("textDocument/rename", rename("块")).unwrap();
    assert_eq!(edit["changes"][URI].as_array().unwrap().len(), 5);
    for (new, part) in [
        ("2x", "not a name"),
        ("for", "not a name"),
        ("bias", "already means"),
    ] {
        let error = client
            .request("textDocument/rename", rename(new))
            .unwrap_err();
        assert!(error["message"].as_str().unwrap().contains(part), "{error}");
    }
    let prepared = client.at("textDocument/prepareRename", URI, at.clone());
    assert_eq!(prepared["placeholder"], "tile");
    let at = position_of(BROKEN, "dup(bias", 0);
    assert_eq!(
        client.at("textDocument/prepareRename", URI, at),
        Value::Null
    );
    client.leave();
}

#[test]
fn tokens_are_in_order_and_inside_the_text() {
    let mut client = opened();
    let tokens = client
        .request("textDocument/semanticTokens/full", document())
        .unwrap();
    let data: Vec<u64> = tokens["data"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_u64)
        .collect();
    let legend = &client.introduction["capabilities"]["semanticTokensProvider"]["legend"];
    let kinds = legend["tokenTypes"].as_array().unwrap().clone();
    let lines: Vec<&str> = BROKEN.lines().collect();
    let (mut line, mut column) = (0, 0);
    let mut seen = Vec::new();
    for token in data.chunks(5) {
        if token[0] > 0 {
            column = 0;
        }
        line += token[0] as usize;
        column += token[1] as usize;
        let units: Vec<u16> = lines[line].encode_utf16().collect();
        let text = String::from_utf16(&units[column..column + token[2] as usize]).unwrap();
        seen.push(format!(
            "{} {text}",
            kinds[token[3] as usize].as_str().unwrap()
        ));
    }
    for expected in [
        "function scale",
        "parameter M",
        "function dup",
        "variable tile",
        "enumMember UB",
        "type DT",
    ] {
        assert!(seen.contains(&expected.to_owned()), "{expected}: {seen:?}");
    }
    // A range has the tokens of the whole document, of which the first is relative to the start of the document.
    let range = json!({
        "start": position_of(BROKEN, "    tile =", 0), "end": position_of(BROKEN, "    bias =", 0),
    });
    let params = json!({"textDocument": {"uri": URI}, "range": range});
    let part = client
        .request("textDocument/semanticTokens/range", params)
        .unwrap();
    let part: Vec<u64> = part["data"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_u64)
        .collect();
    assert_eq!(json!(part[0]), range["start"]["line"]);
    let whole = data.chunks(5).collect::<Vec<_>>();
    let inside = part[5..].chunks(5).collect::<Vec<_>>();
    assert!(!inside.is_empty() && inside.len() < whole.len());
    assert!(whole.windows(inside.len()).any(|window| window == inside));
    client.leave();
}

#[test]
fn a_hover_on_a_tensor_core_instruction_draws_its_mask() {
    let text = "\
.version 8.6
.target sm_100a
.address_size 64

.visible .entry masked()
{
	.reg .pred 	%p<4>;
	.reg .b32 	%r<16>;
	.reg .b64 	%rd<16>;

	mov.b32 %r2, 0x08200010;
	mov.b64 %rd3, 0x0003028000000002;
	tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, %rd3;
	ret;
}
";
    let uri = "file:///folder/masked.ptx";
    let mut client = Client::start();
    let item = json!({"uri": uri, "languageId": "ptx", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({"textDocument": item}));
    client.diagnostics(uri, 1);
    let hover = client.at("textDocument/hover", uri, position_of(text, "tcgen05", 3));
    let shown = hover["contents"]["value"].as_str().unwrap();
    println!("{shown}");
    for part in [
        "**zero-column mask** `%rd3` — M = 128, N = ",
        "start count",
        "skip span",
    ] {
        assert!(shown.contains(part), "{part}");
    }
    client.leave();
}

#[test]
fn hover_on_a_select_shows_what_it_takes() {
    let text = "\
void f() {
    Tile<TileType::Vec, float, 4, 16> a, b, out;
    Tile<TileType::Vec, uint8_t, 4, 32, BLayout::RowMajor, -1, -1> mask(4, 2);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TASSIGN(out, 0x400);
    TSEL(out, mask, a, b, tmp);
}
template <typename T, int N> void blend() {
    Tile<TileType::Vec, T, 4, N> x, y, d;
    Tile<TileType::Vec, uint8_t, 4, 32, BLayout::RowMajor, -1, -1> m(4, N / 8);
    TSEL(d, m, x, y, t);
}
template void blend<float, 32>();
template void blend<half, 64>();
";
    let uri = "file:///folder/masks.cpp";
    let mut client = Client::start();
    let item = json!({"uri": uri, "languageId": "cpp", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({"textDocument": item}));
    client.diagnostics(uri, 1);
    for (place, part) in [
        ("TSEL", "row 1  from byte 32, bit 0"),
        (
            "out, mask, a, b, tmp",
            "float 4 x 16, valid 4 x 16\nbytes 0x400 to 0x500 (exclusive)",
        ),
        ("TSEL(d, m", "in blend\\<float, 32\\>"),
        ("TSEL(d, m", "in blend\\<half, 64\\>"),
    ] {
        let hover = client.at("textDocument/hover", uri, position_of(text, place, 1));
        let shown = hover["contents"]["value"].as_str().expect("a hover");
        assert!(shown.contains(part), "{shown}");
    }
}

//! Hovers: they exist for everything, and are short.

use a2lint::lsp::Options;
use serde_json::json;

use super::client::{Client, nods, position, position_of};
use super::{BROKEN, URI};
use crate::common::costs_of_text;

/// Maximum number of lines and columns of a hover on an instruction.
const LINES: usize = 27;
const COLUMNS: usize = 80;

const KERNEL: &str = "\
import torch
from easyasc.a2 import *

ROWS = 64


@func()
def load(tile: Tensor, x: GMTensor, row: Var):
    tile <<= x[row:row + ROWS, 0:64]


@kernel()
def scale(x: GMTensor, y: GMTensor, M: Var):
    tile = DBuff(DT.float, [ROWS, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    count = Var(0)
    with auto_sync():
        for r in range(0, M, ROWS):
            load(tile[count], x, r)
            adds(tile[count], tile[count], 1.0)
            y[r:r + ROWS, 0:64] <<= tile[count]
            count += 1
        loaded.set()
        loaded.wait()
    return y


if __name__ == \"__main__\":
    x, y = torch.randn(128, 64), torch.zeros(128, 64)
    OpExec(scale)(x, y, 128)
";

fn opened(text: &str, capabilities: serde_json::Value) -> Client {
    let mut client = Client::with(capabilities, Options::default(), nods());
    client.open(URI, text);
    client.diagnostics(URI, 1);
    client
}

fn hover(client: &mut Client, text: &str, needle: &str, plus: usize) -> String {
    let at = position_of(text, needle, plus);
    let hover = client.at("textDocument/hover", URI, at);
    let shown = hover["contents"]["value"].as_str();
    shown.unwrap_or_default().to_owned()
}

fn assert_is_small(text: &str, place: &str) {
    assert!(text.lines().count() <= LINES, "{place}:\n{text}");
    for line in text.lines() {
        assert!(line.chars().count() <= COLUMNS, "{place}: {line}\n{text}");
    }
}

/// Returns the offsets of instructions: called names, and copies.
fn instructions(text: &str) -> Vec<usize> {
    let start = text.find("@kernel").expect("a kernel");
    let calls = text.match_indices('(').filter(|(at, _)| {
        let before = text[..*at].chars().next_back();
        before.is_some_and(|c| c.is_alphanumeric())
    });
    let calls = calls.map(|(at, _)| at - 1);
    let copies = text.match_indices("<<=").map(|(at, _)| at);
    calls.chain(copies).filter(|&at| at > start).collect()
}

#[test]
fn what_is_wrong_comes_first() {
    let mut client = opened(BROKEN, json!({}));
    let at = position_of(BROKEN, "dup(bias", 1);
    let hover = client.at("textDocument/hover", URI, at);
    let shown = hover["contents"]["value"].as_str().expect("a hover");
    assert!(shown.starts_with("**dup-coverage** — "), "{shown}");
    client.leave();
}

#[test]
fn hovers_on_instructions_are_short() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kernels");
    for name in ["flash_attention.py", "topk.py"] {
        let text = std::fs::read_to_string(format!("{folder}/{name}")).expect("a kernel");
        let mut client = opened(&text, json!({}));
        let mut seen = 0;
        for at in instructions(&text) {
            let line = text[..at].matches('\n').count();
            let column = at - text[..at].rfind('\n').map_or(0, |it| it + 1);
            let position = json!({"line": line, "character": column});
            let hover = client.at("textDocument/hover", URI, position);
            let shown = hover["contents"]["value"].as_str().unwrap_or_default();
            seen += usize::from(shown.contains("** pipe"));
            assert_is_small(shown, &format!("{name}:{}", line + 1));
        }
        assert!(seen > 10, "{name}: {seen} hovers on instructions");
        client.leave();
    }
}

#[test]
fn values_begin_where_they_are_interesting() {
    let mut client = opened(BROKEN, json!({}));
    let text = hover(&mut client, BROKEN, "dup(bias", 1);
    println!("{text}");
    let answer = text.find("```python\ndup(dst").expect("a signature");
    let values = text.find("after this statement").expect("values");
    // Editors fold long hovers: what is wrong, in two lines, and what the statement leaves come first.
    let lines_before = text.lines().position(|line| line == "```python");
    assert!(
        values < answer && lines_before.is_some_and(|it| it <= 12),
        "{text}"
    );
    // The first eight rows are written, and the rest is undefined.
    let shows = |row: &str| text.lines().any(|line| line.trim_start().starts_with(row));
    assert!(shows("8 │") && !shows("0 │"), "{text}");
    client.leave();
}

#[test]
fn everything_has_a_hover() {
    let mut client = opened(KERNEL, json!({}));
    for (needle, plus, parts) in [
        (
            "count = Var",
            1,
            ["device variable, assigned 2 times", "0 to 1 (0, 1)"],
        ),
        (
            "r in range",
            0,
            ["loop counter: `range(0, M, 64)`", "0 to 64 (0, 64)"],
        ),
        ("M: Var", 0, ["scalar parameter of `scale`", "128"]),
        (
            "x: GMTensor, y",
            0,
            ["parameter in GM, float `[128, 64]`", "read"],
        ),
        ("scale(x", 1, ["kernel `scale`", "UB 32 KB of 192 KB"]),
        ("load(tile[", 1, ["def load(tile: Tensor", "called"]),
        (
            "loaded = SEvent",
            1,
            ["event: V waits for MTE2", "sets   line 23"],
        ),
        ("auto_sync", 1, ["instructions of this region", "MTE2 → V"]),
        ("DT.float", 4, ["32 bits", "64 lanes"]),
        ("Position.UB", 10, ["**Position.UB**", "192 KB"]),
        ("ROWS = 64", 1, ["ROWS = 64", "used"]),
        ("tile = DBuff", 1, ["2 slots of float", "16 KB"]),
    ] {
        let text = hover(&mut client, KERNEL, needle, plus);
        println!("--- {needle}\n{text}");
        for part in parts {
            assert!(text.contains(part), "{needle}: {part}\n{text}");
        }
        assert_is_small(&text, needle);
    }
    client.leave();
}

/// Returns the lines of a hover from the one that starts with `time`.
fn time(text: &str) -> Option<String> {
    let start = text.find("\ntime  ")?;
    let end = text[start..]
        .find("```")
        .map_or(text.len(), |at| start + at);
    Some(text[start + 1..end].trim_end().to_owned())
}

#[test]
fn a_hover_says_what_a_statement_takes_and_why() {
    let mut client = opened(KERNEL, json!({}));
    let text = hover(&mut client, KERNEL, "adds(tile", 1);
    println!("{text}");
    let adds = time(&text).expect("its time");
    // A lane has two tiles of 64 repeats.
    for part in [
        " % of the critical path (M=128); V 128 of ",
        "64 repeats of 1.0 cycles",
    ] {
        assert!(adds.contains(part), "{part}: {adds}");
    }
    assert_is_small(&text, "adds");
    let load = time(&hover(&mut client, KERNEL, "<<= x", 1)).expect("its time");
    assert!(load.contains("MTE2") && load.contains("16 KB, "), "{load}");
    // The total is the one of `a2lint cost`.
    let cycles = &costs_of_text(KERNEL)[0]["cost"]["cycles"];
    assert!(adds.contains(&format!(" of {cycles} cycles")), "{adds}");
    client.leave();
}

#[test]
fn a_hover_names_what_makes_a_statement_slow() {
    let text = KERNEL.replace(
        "adds(tile[count], tile[count], 1.0)",
        "add(sum, tile[count], other)",
    );
    let text = text.replace(
        "    loaded = SEvent",
        "    other = Tensor(DT.float, [ROWS, 64], Position.UB)\n    sum = Tensor(DT.float, [ROWS, 64], Position.UB)\n    dup(other, 1.0)\n    bar_v()\n    loaded = SEvent",
    );
    let mut client = opened(&text, json!({}));
    let text = hover(&mut client, &text, "add(sum", 1);
    let time = time(&text).expect("its time");
    assert!(
        time.contains("repeats of 2.0 cycles: operands meet in banks of UB"),
        "{time}"
    );
    assert_is_small(&text, "add");
    client.leave();
}

#[test]
fn a_hover_that_would_take_long_says_nothing_of_time() {
    // A kernel without a launch, one with a long launch, and a client that switches simulation off.
    let unlaunched = KERNEL
        .split("\n\nif __name__")
        .next()
        .expect("a kernel")
        .to_owned()
        + "\n";
    let long = KERNEL.replace("128", "4194304");
    for (text, options) in [
        (unlaunched.as_str(), json!({})),
        (&long, json!({})),
        (KERNEL, json!({"hover": {"simulate": false}})),
        (KERNEL, json!({"hover": {"budgetMs": 0}})),
    ] {
        let mut client = opened(text, json!({}));
        client.notify(
            "workspace/didChangeConfiguration",
            json!({"settings": {"a2lint": options}}),
        );
        for needle in ["adds(tile", "<<= x"] {
            let start = std::time::Instant::now();
            let text = hover(&mut client, text, needle, 1);
            assert!(text.contains("** pipe") && time(&text).is_none(), "{text}");
            // The budget is 250 ms, but the machine of the test may be busy.
            assert!(start.elapsed().as_millis() < 2_000, "{:?}", start.elapsed());
        }
        client.leave();
    }
}

#[test]
fn commands_are_a_link_away_where_they_are_followed() {
    let follows = json!({"experimental": {"a2lint": {"commandLinks": true}}});
    for (capabilities, has_links) in [(json!({}), false), (follows, true)] {
        let mut client = opened(KERNEL, capabilities);
        let text = hover(&mut client, KERNEL, "adds(tile", 1);
        assert_eq!(
            text.contains("(command:a2lint.run?%5B%7B"),
            has_links,
            "{text}"
        );
        client.leave();
    }
}

#[test]
fn a_variable_that_no_lane_keeps_is_not_said_to_be_out_of_reach() {
    let text = r#"from easyasc.a2 import *
import torch


@kernel()
def both(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.half, [64, 64], Position.L1)
    rows = Tensor(DT.float, [32, 64], Position.UB)
    half = Var(GetSubBlockIdx() * 32)
    tile <<= x[0:64, 0:64]
    with auto_sync():
        dup(rows, 0.0)
        y[half:half + 32, 0:64] <<= rows
    return y


if __name__ == "__main__":
    OpExec(both, "", simulator=True)(torch.ones(64, 64).half(), torch.zeros(64, 64))
"#;
    let mut client = Client::start();
    client.open(URI, text);
    client.diagnostics(URI, 1);
    let at = position_of(text, "half = Var", 1);
    let hover = client.at("textDocument/hover", URI, at);
    let hover = hover["contents"]["value"].as_str().expect("a text");
    assert!(!hover.contains("never executes"), "{hover}");
    assert!(hover.contains("computed where it is used"), "{hover}");
    client.leave();
}

/// Markdown that a text of a file might inject: links to commands, images, HTML, ends of code.
const MARKDOWN: &str = "x](command:workbench.action.terminal.new) [C](command:a2lint.run?%5B%5D) \
    ![i](https://evil.example/p.png) <img src=x> ` **b** ``` ~~~ \\n\\n# H [z](command:x)\\n";

/// Returns a kernel with that text in every place where a text may be.
fn hostile() -> String {
    let raw = MARKDOWN.replace("\\n", " ");
    format!(
        "from easyasc.a2 import *\n\n\ndef build(tag):\n    @kernel(mode=\"vec\")\n    \
         def bias(x: GMTensor, y: GMTensor, M: Var):\n        \"\"\"doc {raw}\"\"\"\n        \
         b = Tensor(DT.float, [64, 8], Position.UB, name=\"{MARKDOWN}\")\n        \
         c = Tensor(DT.float, [64, 8], Position.UB, \"{MARKDOWN}\")  # {raw}\n        \
         dup(b, 0.25)  # {raw}\n        dup(c, 0.25)\n        s = \"{MARKDOWN}\"\n        \
         e = SEvent(Pipe.V, Pipe.MTE3, name=\"{MARKDOWN}\")\n        \
         for i in range(0, M):\n            add(b, b, c)\n        \
         e.setall()\n        unheard_of(b, \"{MARKDOWN}\")\n        y[0:64, 0:8] <<= b\n        return y\n    \
         return bias\n\n\ndef helper(x=\"{MARKDOWN}\"):\n    \"\"\"{raw}\"\"\"\n    return x\n\n\n\
         K = \"{MARKDOWN}\"\n# a2lint: ignore[{raw}]\n\
         if __name__ == \"__main__\":\n    import torch\n    x = torch.zeros(64, 8)\n    \
         OpExec(build(\"{MARKDOWN}\"), \"o\")(x, x, 2)\n"
    )
}

/// Returns the text of Markdown that is neither code nor escaped, as CommonMark defines it.
fn bare(markdown: &str) -> String {
    let mut out = String::new();
    let mut fence: Option<String> = None;
    for line in markdown.lines() {
        let start = line.trim_start();
        let mark = start.chars().next().filter(|c| "`~".contains(*c));
        let run: String = start.chars().take_while(|c| Some(*c) == mark).collect();
        match &fence {
            Some(open) => {
                if run.starts_with(open.as_str()) && start.trim_end() == run {
                    fence = None;
                }
            }
            None if run.len() >= 3 => fence = Some(run),
            None => {
                out += line;
                out.push('\n');
            }
        }
    }
    assert_eq!(fence, None, "a fence stays open:\n{markdown}");
    let mut text = String::new();
    let mut rest = out.as_str();
    while let Some(c) = rest.chars().next() {
        match c {
            '\\' => rest = rest.get(2..).unwrap_or(""),
            '`' => {
                let run: String = rest.chars().take_while(|c| *c == '`').collect();
                let inside = &rest[run.len()..];
                rest = inside
                    .find(&run)
                    .map_or(inside, |end| &inside[end + run.len()..]);
            }
            c => {
                text.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    text
}

#[test]
fn no_text_of_a_file_is_markdown() {
    let text = hostile();
    let mut client = Client::start();
    client.open(URI, &text);
    client.diagnostics(URI, 1);
    let mut hovers = 0;
    let starts_word = |at: usize| {
        let before = text[..at].chars().next_back().unwrap_or(' ');
        !(before.is_alphanumeric() || before == '_')
    };
    let words = text.char_indices().filter(|(_, c)| c.is_alphabetic());
    let places: Vec<usize> = words
        .map(|(at, _)| at)
        .filter(|&at| starts_word(at))
        .collect();
    for at in places {
        let answer = client.at("textDocument/hover", URI, position(&text, at));
        let Some(shown) = answer["contents"]["value"].as_str() else {
            continue;
        };
        hovers += 1;
        let bare = bare(shown);
        for live in ["](", "![", "<img", "command:", "://", "www."] {
            assert!(!bare.contains(live), "{live} in:\n{shown}");
        }
        assert!(!bare.lines().any(|line| line.starts_with("# H")), "{shown}");
    }
    assert!(hovers > 20, "{hovers} hovers");
    // Other answers that may be Markdown.
    let at = position_of(&text, "dup(b", 4);
    for method in ["completion", "signatureHelp"] {
        let answer = client
            .at(&format!("textDocument/{method}"), URI, at.clone())
            .to_string();
        assert!(
            !answer.contains("workbench") || !answer.contains("markdown\",\"value\":\"x]"),
            "{answer}"
        );
    }
    // Replays may still publish diagnostics.
    client.settled(URI, 1, Vec::new());
    client.leave();
}

/// A variation selector, which has no width but may be part of identifiers in Python and C++.
const HIDDEN: char = '\u{fe00}';

#[test]
fn what_takes_no_room_in_a_name_is_shown() {
    let text = BROKEN.replace(
        "    with auto_sync",
        "    bias_count = Var(1)\n    with auto_sync",
    );
    let text = text.replace("bias", &format!("bias{HIDDEN}"));
    let cuda = include_str!("../../masks/ptx/broken_wrappers.cu");
    let cuda = cuda.replace("mask", &format!("mask{HIDDEN}"));
    let mut client = Client::start();
    for (uri, text) in [(URI, &text), ("file:///folder/k.cpp", &cuda)] {
        client.open(uri, text);
        let found = client.diagnostics(uri, 1);
        let mut named = 0;
        for diagnostic in &found {
            let message = diagnostic["message"].as_str().expect("a message");
            assert!(!message.contains(HIDDEN), "{message:?}");
            named += usize::from(message.contains('\u{fffd}'));
            let labels = diagnostic["relatedInformation"].to_string();
            assert!(!labels.contains(HIDDEN), "{labels}");
        }
        assert!(named > 0, "{uri}: {found:?}");
    }
    let (mut hovers, mut is_quoted) = (0, false);
    for (at, _) in text.match_indices("bias") {
        let answer = client.at("textDocument/hover", URI, position(&text, at));
        let shown = answer["contents"].to_string();
        assert!(!shown.contains(HIDDEN), "{shown}");
        is_quoted |= shown.contains("bias\u{fffd}_count = Var(1)");
        hovers += usize::from(shown.contains('\u{fffd}'));
    }
    assert!(hovers > 0 && is_quoted);
    client.settled(URI, 1, Vec::new());
    client.leave();
}

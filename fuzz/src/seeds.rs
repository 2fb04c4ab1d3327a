//! Inputs to begin with, made from the files of `tests` and `docs`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::mutate::{Random, UNICODE};

/// Larger files make slow inputs that teach nothing new.
const MOST_BYTES: usize = 8 << 10;

/// The seeds of a target; `root` is the repository.
pub fn seeds(target: &str, root: &Path) -> Vec<Vec<u8>> {
    match target {
        "kernel" | "replay" => kernels(root),
        "ptx" => and_unicode(texts(root, &["ptx"]), 4),
        "pto" => and_unicode(texts(root, &["pto", "mlir"]), 4),
        "cpp" => and_unicode(texts(root, &["cpp", "cu", "cuh"]), 4),
        "config" => and_unicode(configurations(root), 1),
        "session" => sessions(root),
        "dialect" => dialect(root),
        "debugger" => debugger(),
        "project" => and_unicode(projects(root), 2),
        "mcp" => calls(root),
        "report" => kernels(root),
        "contract" => contracts(root),
        "machine" => choices(),
        other => panic!("no seeds for {other}"),
    }
}

/// A text with characters of every length in comments, brackets and names.
fn with_unicode(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let mut out = String::new();
    for (number, line) in text.lines().enumerate() {
        let piece = UNICODE[number % UNICODE.len()];
        match (number % 4, line.find(['(', '[', '{', ','])) {
            (1, Some(at)) => out += &format!("{}{piece}{}", &line[..=at], &line[at + 1..]),
            (3, Some(at)) => out += &format!("{}{piece}{}", &line[..at], &line[at..]),
            (2, _) => out += &format!("{line}  # {piece}"),
            _ => out += line,
        }
        out.push('\n');
    }
    out += &format!("# {}\n", UNICODE.concat());
    out.into_bytes()
}

/// Returns the seeds, and a fixed share of them once more with such characters.
fn and_unicode(mut seeds: Vec<Vec<u8>>, step: usize) -> Vec<Vec<u8>> {
    let more: Vec<Vec<u8>> = seeds
        .iter()
        .step_by(step)
        .map(|seed| with_unicode(seed))
        .collect();
    seeds.extend(more);
    seeds
}

/// Choices of random programs.
fn choices() -> Vec<Vec<u8>> {
    (0..32)
        .map(|seed| {
            let mut random = Random::new(seed + 1);
            (0..400).map(|_| random.below(256) as u8).collect()
        })
        .collect()
}

fn kernels(root: &Path) -> Vec<Vec<u8>> {
    let texts = texts(root, &["py"]).into_iter();
    let ours = texts.filter(|text| String::from_utf8_lossy(text).contains("easyasc"));
    and_unicode(ours.collect(), 6)
}

/// Kernels of the second dialect.
fn dialect(root: &Path) -> Vec<Vec<u8>> {
    let texts = texts(root, &["py"]).into_iter();
    let ours = texts.filter(|text| String::from_utf8_lossy(text).contains("ascriptor"));
    and_unicode(ours.collect(), 4)
}

/// Sessions with a run that is stopped, looked at and taken back.
fn debugger() -> Vec<Vec<u8>> {
    let start = json!({"program": "KERNEL", "stopOnEntry": true});
    let lines = json!([{"line": 19, "condition": "at > 1"}, {"line": 8, "hitCondition": ">= 2"}]);
    let points = json!({"source": {"path": "KERNEL"}, "breakpoints": lines});
    let frame = json!({"threadId": 1, "startFrame": 0, "levels": 9});
    let ask = |expression: &str, context: &str| json!({"expression": expression, "frameId": 512, "context": context});
    let begin = [
        ("initialize", json!({"linesStartAt1": true})),
        ("launch", start),
        ("setBreakpoints", points),
        (
            "setExceptionBreakpoints",
            json!({"filters": ["undefined", "race", "nan"]}),
        ),
        ("configurationDone", json!({})),
    ];
    let looks = [
        ("threads", json!({})),
        ("stackTrace", frame),
        ("scopes", json!({"frameId": 512})),
        ("variables", json!({"variablesReference": 2})),
        ("evaluate", ask("sum(tile[0:2]) + row0 @ 18", "watch")),
        ("evaluate", ask("who done[at][0, 0]", "repl")),
        (
            "dataBreakpointInfo",
            json!({"name": "y[3]", "frameId": 512}),
        ),
        (
            "readMemory",
            json!({"memoryReference": "1:ub 0 64", "count": 32}),
        ),
        (
            "disassemble",
            json!({"memoryReference": "0x3", "instructionCount": 8}),
        ),
        (
            "completions",
            json!({"frameId": 512, "text": "do", "column": 3}),
        ),
        (
            "evaluate",
            ask("行[0:é] + \"🙂\u{202e}\" @ e\u{301}", "watch"),
        ),
        (
            "completions",
            json!({"frameId": 512, "text": "é🙂do", "column": 3}),
        ),
    ];
    // Whatever comes while a run goes on is refused, so none goes on before the end.
    let moves = ["next", "stepIn", "next", "stepBack", "stepOut"];
    let moves = moves.map(|command| (command, json!({"threadId": 2})));
    let end = [("disconnect", json!({}))];
    let session = |rounds: usize| {
        let mut all = begin.to_vec();
        for at in 0..rounds {
            all.push(moves[at % moves.len()].clone());
            all.extend((0..4).map(|look| looks[(at * 3 + look) % looks.len()].clone()));
        }
        all.push(("continue", json!({ "threadId": 2 })));
        all.extend(end.clone());
        let numbered = all.into_iter().enumerate();
        let messages = numbered.map(|(seq, (command, arguments))| {
            json!({"seq": seq + 1, "type": "request", "command": command, "arguments": arguments})
        });
        lines_of(&messages.collect::<Vec<_>>())
    };
    (0..24).map(session).collect()
}

/// Test files of these extensions.
fn texts(root: &Path, extensions: &[&str]) -> Vec<Vec<u8>> {
    let mut paths = Vec::new();
    walk(&root.join("tests"), &mut paths);
    paths
        .into_iter()
        .filter(|path| {
            extensions
                .iter()
                .any(|it| path.extension().is_some_and(|has| has == *it))
        })
        .map(|path| fs::read(path).expect("a readable file"))
        .filter(|text| text.len() <= MOST_BYTES)
        .collect()
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("the folder is part of the repository");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths {
        match path.is_dir() {
            true => walk(&path, found),
            false => found.push(path),
        }
    }
}

/// What the documentation shows of configurations, and our own.
fn configurations(root: &Path) -> Vec<Vec<u8>> {
    let page = fs::read_to_string(root.join("docs/configuration.md")).expect("the page");
    let shown = page.split("```toml\n").skip(1);
    let mut found: Vec<Vec<u8>> = shown
        .filter_map(|rest| rest.split("```").next())
        .map(|text| text.as_bytes().to_vec())
        .collect();
    found.push(fs::read(root.join("pyproject.toml")).expect("ours"));
    found.push(EVERY_KEY.into());
    found
}

const EVERY_KEY: &str = r#"select = ["COV", "INI001"]
extend-select = ["MSK006"]
ignore = ["dup-coverage"]
pedantic = true
device = "b1"
replay = false
exclude = ["build/", "!keep/*.py", "**/x[0-9].py"]
docs-url = "https://example.org/rules"
baseline = "known.json"

[per-file-ignores]
"tests/**" = ["COV001", "CAP"]

[rules]
COV = "error"
mask-leak = "ignore"
"#;

/// Sessions about small kernels: opened, edited, asked about, closed.
fn sessions(root: &Path) -> Vec<Vec<u8>> {
    let mut found: Vec<Vec<u8>> = kernels(root)
        .iter()
        .filter(|text| text.len() < 1500)
        .step_by(16)
        .map(|text| lines_of(&session(&String::from_utf8_lossy(text), "py")))
        .collect();
    for (text, extension) in texts(root, &["ptx"])
        .iter()
        .zip(std::iter::repeat("ptx"))
        .step_by(16)
        .chain(
            texts(root, &["cpp"])
                .iter()
                .zip(std::iter::repeat("cpp"))
                .step_by(32),
        )
    {
        found.push(lines_of(&session(
            &String::from_utf8_lossy(text),
            extension,
        )));
    }
    found.push(headed(&session("from easyasc.a2 import *\n", "py")));
    for (text, extension) in [("ptx", "ptx"), ("cpp", "cpp")] {
        let seeds = texts(root, &[text]).into_iter().step_by(40);
        found.extend(seeds.map(|seed| {
            let seed = with_unicode(&seed);
            lines_of(&session(&String::from_utf8_lossy(&seed), extension))
        }));
    }
    found
}

/// Kernels with a contract above them.
fn contracts(root: &Path) -> Vec<Vec<u8>> {
    let kernels = kernels(root).into_iter();
    let states = |text: &Vec<u8>| {
        let text = String::from_utf8_lossy(text);
        text.contains("a2lint: assume(") || text.contains("a2lint: shapes(")
    };
    kernels.filter(states).collect()
}

/// Projects: a kernel whose sizes and helpers are in other files, in several ways.
fn projects(root: &Path) -> Vec<Vec<u8>> {
    const KERNEL: &str = "@kernel(mode='vec')\ndef k(x: GMTensor, y: GMTensor):\n    \
        a = Tensor(DT.float, [SIZE, 64], Position.UB)\n    with auto_sync():\n        \
        a[0:8, 0:64] <<= x[0:8, 0:64]\n        y[0:8, 0:64] <<= a[0:8, 0:64]\n    return y\n";
    const HELPED: &str = "R = 8\n\n@func()\ndef twice(dst, src):\n    muls(dst, src, 2.0)\n";
    let launched =
        "from k import k\nx, y = torch.randn(8, 64), torch.randn(8, 64)\nOpExec(k, '')(x, y)\n";
    let ways = [
        ("from tiles import R", "R", "=== tiles.py\nR = 8\n"),
        (
            "import pkg.tiles as t",
            "t.R",
            "=== pkg/__init__.py\n=== pkg/tiles.py\nfrom .sizes import *\n=== pkg/sizes.py\nR = 8\n",
        ),
        (
            "from pkg import tiles",
            "tiles.R",
            "=== pkg/__init__.py\nfrom . import tiles\n=== pkg/tiles.py\nimport k\nR = 8\n",
        ),
        (
            "from missing import R",
            "R",
            "=== tiles.py\nfrom tiles import R\n",
        ),
    ];
    let mut found: Vec<Vec<u8>> = Vec::new();
    for (import, size, others) in ways {
        let kernel = KERNEL.replace("SIZE", size);
        let text = format!(
            "from easyasc.a2 import *\n{import}\n{kernel}{others}=== tests/test_k.py\n{launched}"
        );
        found.push(text.into_bytes());
    }
    for kernel in kernels(root)
        .iter()
        .filter(|text| text.len() < 1500)
        .step_by(40)
    {
        let kernel = String::from_utf8_lossy(kernel);
        found.push(format!("{kernel}=== tiles.py\n{HELPED}=== test_k.py\n{launched}").into_bytes());
    }
    found
}

/// Calls of every tool with texts.
fn calls(root: &Path) -> Vec<Vec<u8>> {
    let client = json!({"name": "client", "version": "1"});
    let begin = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let call = |id: usize, name: &str, arguments: Value| {
        let params = json!({"name": name, "arguments": arguments});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    };
    let sources = kernels(root);
    let sources = sources.iter().filter(|text| text.len() < 1500).step_by(24);
    let session = |text: &Vec<u8>| {
        let source = String::from_utf8_lossy(text);
        lines_of(&[
            json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": begin}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
            call(
                2,
                "check",
                json!({"source": source, "path": "k.py", "max_bytes": 500}),
            ),
            call(3, "run", json!({"source": source, "bind": {"M": 8}})),
            call(4, "prove", json!({"source": source})),
            call(5, "explain", json!({"rule": "dup-coverage"})),
            call(6, "fix", json!({"source": source, "unsafe": true})),
            call(7, "cost", json!({"source": source, "launch": 1})),
        ])
    };
    sources.map(session).collect()
}

fn lines_of(messages: &[Value]) -> Vec<u8> {
    let lines: Vec<String> = messages.iter().map(Value::to_string).collect();
    lines.join("\n").into_bytes()
}

fn headed(messages: &[Value]) -> Vec<u8> {
    let framed = messages.iter().map(|message| {
        let text = message.to_string();
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    });
    framed.collect::<String>().into_bytes()
}

fn session(text: &str, extension: &str) -> Vec<Value> {
    let uri = format!("file:///folder/k.{extension}");
    let document = json!({"uri": uri});
    let middle = text.lines().count() / 2;
    let position = json!({"line": middle, "character": 9});
    let range = json!({"start": {"line": 0, "character": 0}, "end": position});
    let item = json!({"uri": uri, "languageId": extension, "version": 1, "text": text});
    let change = json!([{"range": {"start": position, "end": position}, "text": "x"}]);
    let mut messages = vec![
        request(
            1,
            "initialize",
            json!({"processId": null, "rootUri": null, "capabilities": {}}),
        ),
        note("initialized", json!({})),
        note("textDocument/didOpen", json!({"textDocument": item})),
        note(
            "textDocument/didChange",
            json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": change}),
        ),
    ];
    for (number, method) in AT_POSITION.iter().enumerate() {
        let mut params = json!({"textDocument": document, "position": position});
        params["newName"] = "renamed".into();
        params["context"] = json!({"includeDeclaration": true});
        messages.push(request(
            10 + number,
            &format!("textDocument/{method}"),
            params,
        ));
    }
    for (number, method) in OF_DOCUMENT.iter().enumerate() {
        let mut params = json!({"textDocument": document, "range": range});
        params["context"] = json!({"diagnostics": []});
        messages.push(request(
            40 + number,
            &format!("textDocument/{method}"),
            params,
        ));
    }
    let argument = json!({"uri": uri, "kernel": "k", "launch": 0});
    let run = json!({"command": "a2lint.run", "arguments": [argument]});
    messages.extend([
        request(70, "workspace/executeCommand", run),
        request(
            71,
            "textDocument/documentSymbol",
            json!({"textDocument": document}),
        ),
    ]);
    messages
}

fn request(id: usize, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn note(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

const AT_POSITION: &[&str] = &[
    "hover",
    "completion",
    "signatureHelp",
    "definition",
    "references",
    "documentHighlight",
    "prepareRename",
    "rename",
];

const OF_DOCUMENT: &[&str] = &[
    "codeAction",
    "codeLens",
    "documentSymbol",
    "foldingRange",
    "inlayHint",
    "semanticTokens/full",
    "diagnostic",
];

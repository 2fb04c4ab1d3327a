//! `a2lint dap`, driven by a client.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use super::KERNEL;
use crate::fuzzing::mutate::Random;

/// Time limit for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    events: Vec<Value>,
    seq: i64,
    _folder: tempfile::TempDir,
    path: String,
}

fn read(input: &mut impl BufRead) -> Option<Value> {
    let mut header = String::new();
    input.read_line(&mut header).ok().filter(|&read| read > 0)?;
    let length = header.strip_prefix("Content-Length: ").expect("a header");
    let mut empty = String::new();
    input.read_line(&mut empty).ok()?;
    assert_eq!(empty, "\r\n");
    let mut body = vec![0; length.trim().parse().expect("a length")];
    input.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).expect("JSON"))
}

impl Client {
    fn new() -> Client {
        Client::of(KERNEL)
    }

    fn of(kernel: &str) -> Client {
        Client::named("rows.py", kernel)
    }

    fn named(name: &str, kernel: &str) -> Client {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        std::fs::write(&path, kernel).expect("the file is written");
        let mut child = crate::common::binary()
            .arg("dap")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let stdout = child.stdout.take().expect("a pipe");
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut input = BufReader::new(stdout);
            while let Some(message) = read(&mut input) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Client {
            stdin: child.stdin.take(),
            child,
            messages,
            events: Vec::new(),
            seq: 0,
            path: path.display().to_string(),
            _folder: folder,
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("an open pipe");
        // The write may fail, because a server that has ended reads nothing more.
        let _ = stdin.write_all(bytes).and_then(|()| stdin.flush());
    }

    fn send(&mut self, command: &str, arguments: Value) -> i64 {
        self.seq += 1;
        let message = json!({
            "seq": self.seq, "type": "request", "command": command, "arguments": arguments,
        });
        let text = message.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
        self.seq
    }

    /// Returns the response to a request, successful or not.
    fn answer(&mut self, seq: i64) -> Value {
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("an answer");
            match message["type"].as_str() {
                Some("response") if message["request_seq"] == seq => return message,
                Some("event") => self.events.push(message),
                _ => {}
            }
        }
    }

    fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let seq = self.send(command, arguments);
        let mut answer = self.answer(seq);
        assert_eq!(answer["success"], true, "{command}: {answer}");
        answer["body"].take()
    }

    fn refusal(&mut self, command: &str, arguments: Value) -> String {
        let seq = self.send(command, arguments);
        let answer = self.answer(seq);
        assert_eq!(answer["success"], false, "{command}: {answer}");
        answer["message"].as_str().expect("a message").to_owned()
    }

    /// Returns the next event of a kind that was not returned before.
    fn event(&mut self, name: &str) -> Value {
        loop {
            if let Some(at) = self.events.iter().position(|event| event["event"] == name) {
                return self.events.remove(at)["body"].take();
            }
            let message = self.messages.recv_timeout(PATIENCE).expect("an event");
            if message["type"] == "event" {
                self.events.push(message);
            }
        }
    }

    fn launch(&mut self, more: Value) {
        self.ask("initialize", json!({ "adapterID": "a2lint" }));
        let mut arguments = json!({ "program": self.path });
        for (key, value) in more.as_object().expect("an object") {
            arguments[key] = value.clone();
        }
        self.ask("launch", arguments);
        self.event("initialized");
    }

    fn source(&self) -> Value {
        json!({ "path": self.path })
    }

    /// Returns the innermost frame of a thread.
    fn frame(&mut self, thread: &Value) -> Value {
        self.ask("stackTrace", json!({ "threadId": thread }))["stackFrames"][0].take()
    }

    fn evaluate(&mut self, frame: &Value, expression: &str) -> Value {
        let arguments =
            json!({ "expression": expression, "frameId": frame["id"], "context": "watch" });
        self.ask("evaluate", arguments)["result"].take()
    }

    fn end(mut self) {
        drop(self.stdin.take());
        let status = self.child.wait().expect("it ends");
        assert!(status.success(), "{status}");
    }
}

fn line_of(text: &str) -> usize {
    let start = KERNEL.find(text).expect("it is there");
    KERNEL[..=start].lines().count()
}

#[test]
fn a_session_stops_looks_and_goes_back() {
    let mut client = Client::new();
    client.launch(json!({}));
    let add = line_of("add(done");
    let set = client.ask(
        "setBreakpoints",
        json!({ "source": client.source(), "breakpoints": [
            { "line": add, "condition": "at == 7" },
            { "line": 1 },
            { "line": add, "condition": "(" },
            { "line": add, "hitCondition": "often" },
        ]}),
    );
    let verified = |at: usize| set["breakpoints"][at]["verified"].clone();
    assert_eq!(
        [verified(0), verified(1), verified(2), verified(3)],
        [true, false, false, false].map(Value::from)
    );
    client.ask(
        "setExceptionBreakpoints",
        json!({ "filters": ["undefined", "bounds"] }),
    );
    client.ask("configurationDone", json!({}));
    let stopped = client.event("stopped");
    assert_eq!(stopped["reason"], "breakpoint");
    let thread = stopped["threadId"].clone();
    let threads = client.ask("threads", json!({}));
    let name = threads["threads"].as_array().expect("threads").iter();
    let name = name
        .clone()
        .find(|it| it["id"] == thread)
        .expect("the thread");
    assert_eq!(name["name"], "core 3 vec1");
    let frame = client.frame(&thread);
    assert_eq!(
        (&frame["line"], &frame["source"]["path"]),
        (&json!(add), &json!(client.path))
    );

    // Values and their children.
    assert_eq!(client.evaluate(&frame, "at * 2"), "14");
    assert_eq!(client.evaluate(&frame, "all(done[at] == 2 * tile)"), "True");
    let reason = client.refusal(
        "evaluate",
        json!({ "expression": "tiel", "frameId": frame["id"] }),
    );
    assert!(reason.contains("did you mean `tile`?"), "{reason}");
    let scopes = client.ask("scopes", json!({ "frameId": frame["id"] }));
    let scopes: Vec<(String, i64)> = scopes["scopes"]
        .as_array()
        .expect("scopes")
        .iter()
        .map(|it| {
            (
                it["name"].as_str().expect("a name").to_owned(),
                it["variablesReference"].as_i64().expect("a number"),
            )
        })
        .collect();
    let unfold = |client: &mut Client, reference: i64| -> Vec<Value> {
        let body = client.ask("variables", json!({ "variablesReference": reference }));
        body["variables"].as_array().expect("variables").clone()
    };
    let scalars = unfold(&mut client, scopes[0].1);
    assert!(
        scalars
            .iter()
            .any(|it| it["name"] == "at" && it["value"].as_str().expect("text").starts_with('7')),
        "{scalars:?}"
    );
    let tensors = unfold(&mut client, scopes[1].1);
    let tile = tensors
        .iter()
        .find(|it| it["name"] == "tile")
        .expect("tile")
        .clone();
    assert_eq!(tile["indexedVariables"], 8);
    let rows = unfold(
        &mut client,
        tile["variablesReference"].as_i64().expect("a number"),
    );
    assert_eq!(rows.len(), 8);
    let blocks = unfold(
        &mut client,
        rows[2]["variablesReference"].as_i64().expect("a number"),
    );
    assert_eq!((blocks.len(), &blocks[1]["name"]), (8, &json!("[8:16]")));
    let elements = unfold(
        &mut client,
        blocks[1]["variablesReference"].as_i64().expect("a number"),
    );
    assert_eq!(
        (elements.len(), &elements[3]["evaluateName"]),
        (8, &json!("tile[2][8:16][3]"))
    );
    let shown = client.evaluate(
        &frame,
        "tile[2][8:16][3] == tile[2, 11] and tile[2, 11] == x[58, 11]",
    );
    assert_eq!(shown, "True");
    let done = tensors
        .iter()
        .find(|it| it["name"] == "done")
        .expect("done")
        .clone();
    let slots = unfold(
        &mut client,
        done["variablesReference"].as_i64().expect("a number"),
    );
    assert_eq!(
        (slots.len(), &slots[1]["evaluateName"]),
        (2, &json!("done[1]"))
    );
    assert!(!unfold(&mut client, scopes[2].1).is_empty());
    let unit = unfold(&mut client, scopes[3].1);
    assert!(
        unit[0]["value"].as_str().expect("bits").starts_with("1111"),
        "{unit:?}"
    );
    let rest = tensors
        .iter()
        .find(|it| it["name"] == "rest")
        .expect("rest");
    assert_eq!(rest["value"], "float [8, 64]: undefined");

    // Memory: all of one tile is defined, and nothing of the other.
    let memory = client.ask(
        "readMemory",
        json!({ "memoryReference": tile["memoryReference"], "count": 2048 }),
    );
    assert_eq!(
        (&memory["undefined"], &memory["unreadableBytes"]),
        (&json!([]), &json!(0))
    );
    let memory = client.ask(
        "readMemory",
        json!({ "memoryReference": rest["memoryReference"], "count": 2048 }),
    );
    assert_eq!(memory["undefined"], json!([[0, 2048]]));
    let far = client.ask(
        "readMemory",
        json!({ "memoryReference": tile["memoryReference"], "offset": 196_608, "count": 64 }),
    );
    assert_eq!(
        (&far["data"], &far["unreadableBytes"]),
        (&json!(""), &json!(64))
    );

    // The last write, and going back to it.
    let wrote = client.ask(
        "a2lint.whoWrote",
        json!({ "expression": "done[at][3, 3]", "frameId": frame["id"] }),
    );
    assert_eq!(
        (&wrote["found"], &wrote["line"]),
        (&json!(true), &json!(line_of("muls(dst")))
    );
    let reads = client.ask(
        "a2lint.nextRead",
        json!({ "expression": "tile[0, 0]", "frameId": frame["id"] }),
    );
    assert_eq!(reads["line"], add);
    client.ask("a2lint.goTo", json!({ "instant": wrote["instant"] }));
    assert_eq!(client.event("stopped")["reason"], "goto");
    let inside = client.ask("stackTrace", json!({ "threadId": thread }));
    assert_eq!(
        inside["stackFrames"][0]["name"]
            .as_str()
            .expect("a name")
            .split(' ')
            .next(),
        Some("twice")
    );
    assert_eq!(
        (&inside["totalFrames"], &inside["stackFrames"][1]["line"]),
        (&json!(2), &json!(line_of("twice(done")))
    );
    client.ask("stepOut", json!({ "threadId": thread }));
    assert_eq!(client.event("stopped")["reason"], "step");
    assert_eq!(client.frame(&thread)["line"], add);
    client.ask("next", json!({ "threadId": thread }));
    client.event("stopped");
    let frame = client.frame(&thread);
    assert_eq!(frame["line"], line_of("y[row0"));
    assert_eq!(client.evaluate(&frame, "all(done[at] == 3 * tile)"), "True");
    client.ask("stepBack", json!({ "threadId": thread }));
    client.event("stopped");
    let frame = client.frame(&thread);
    assert_eq!(client.evaluate(&frame, "all(done[at] == 2 * tile)"), "True");

    // Disassembly and completions.
    let code = client.ask("disassemble", json!({
        "memoryReference": frame["instructionPointerReference"], "instructionOffset": -1, "instructionCount": 3,
    }));
    let text = code["instructions"][1]["instruction"]
        .as_str()
        .expect("text");
    assert!(text.trim().starts_with("add dst=done"), "{text}");
    let names = client.ask("completions", json!({ "text": "sum(ti", "column": 7 }));
    assert_eq!(names["targets"], json!([{ "label": "tile" }]));

    client.ask("reverseContinue", json!({}));
    assert_eq!(client.event("stopped")["description"], "at the start");
    client.ask("disconnect", json!({}));
    client.end();
}

#[test]
fn bytes_are_watched_and_observations_stop() {
    let mut client = Client::new();
    client.launch(json!({ "stopOnEntry": true }));
    client.ask("configurationDone", json!({}));
    let stopped = client.event("stopped");
    assert_eq!(stopped["reason"], "entry");
    let info = client.ask("dataBreakpointInfo", json!({ "name": "y[199, 0]" }));
    let bad = client.ask("dataBreakpointInfo", json!({ "name": "tile[0:2, 0:3]" }));
    assert_eq!(bad["dataId"], Value::Null);
    let set = client.ask("setDataBreakpoints", json!({ "breakpoints": [
        { "dataId": info["dataId"] }, { "dataId": "nonsense" }, { "dataId": info["dataId"], "condition": "7" },
    ]}));
    let verified: Vec<bool> = set["breakpoints"]
        .as_array()
        .expect("three")
        .iter()
        .map(|it| it["verified"] == true)
        .collect();
    assert_eq!(verified, [true, false, false]);
    client.ask("continue", json!({ "threadId": 1 }));
    let stopped = client.event("stopped");
    assert_eq!(
        (&stopped["reason"], &stopped["hitBreakpointIds"]),
        (
            &json!("data breakpoint"),
            &json!([set["breakpoints"][0]["id"]])
        )
    );
    client.ask("setDataBreakpoints", json!({ "breakpoints": [] }));
    client.ask("continue", json!({ "threadId": 1 }));
    let stopped = client.event("stopped");
    assert_eq!(stopped["description"], "the kernel has finished");
    client.ask("continue", json!({ "threadId": 1 }));
    client.event("terminated");
    // Another run of the same server.
    client.launch(json!({ "stopAtLine": line_of("add(done"), "stopAt": "core 2 vec0" }));
    client.ask("configurationDone", json!({}));
    let stopped = client.event("stopped");
    let frame = client.frame(&stopped["threadId"]);
    assert_eq!(frame["line"], line_of("add(done"));
    assert_eq!(client.evaluate(&frame, "GetCubeIdx()"), "2");
    client.ask("restart", json!({}));
    client.ask("terminate", json!({}));
    client.event("terminated");
    client.end();
}

#[test]
fn log_points_speak_and_do_not_stop() {
    let mut client = Client::new();
    client.launch(json!({}));
    let add = line_of("add(done");
    client.ask(
        "setBreakpoints",
        json!({ "source": client.source(), "breakpoints": [
            { "line": add, "condition": "core 1", "logMessage": "at {at}, {nothing}" },
        ]}),
    );
    client.ask("configurationDone", json!({}));
    assert_eq!(
        client.event("stopped")["description"],
        "the kernel has finished"
    );
    let said: Vec<String> = client
        .events
        .iter()
        .filter(|it| it["event"] == "output")
        .map(|it| it["body"]["output"].as_str().expect("text").to_owned())
        .filter(|text| text.starts_with("at "))
        .collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(
        said[0].starts_with("at 2") && said[0].contains("nothing is called `nothing`"),
        "{said:?}"
    );
    client.ask("disconnect", json!({}));
    client.end();
}

#[test]
fn what_is_wrong_is_answered() {
    let mut client = Client::new();
    assert_eq!(
        client.refusal("threads", json!({})),
        "nothing is being debugged"
    );
    client.refusal("attach", json!({}));
    client.refusal("initialize", json!({ "linesStartAt1": "yes" }));
    client.ask("initialize", json!({}));
    let none = json!({ "program": "/nowhere.py" });
    assert!(!client.refusal("launch", none).is_empty());
    for bad in [
        json!({}),
        json!({ "program": client.path, "kernel": "no" }),
        json!({ "program": client.path, "launch": 9 }),
        json!({ "program": client.path, "shapes": { "x": [-1] } }),
        json!({ "program": client.path, "stopAt": "somewhere" }),
    ] {
        client.refusal("launch", bad);
    }
    // Messages that cannot be parsed.
    for text in [
        "Content-Length: 3\r\n\r\n{]}",
        "Content-Length: x\r\n\r\n",
        "what is this\r\n\r\n",
        "Content-Length: 2\r\n\r\n[]",
        "Content-Length: 40\r\n\r\n{\"seq\":1,\"type\":\"request\",\"nothing\":true}",
    ] {
        client.write(text.as_bytes());
        // After a broken header, the next header ends the message.
        client.refusal("attach", json!({}));
        assert_eq!(client.event("output")["category"], "stderr", "{text}");
    }
    let long = 5 << 20;
    client.write(format!("Content-Length: {long}\r\n\r\n{}", "x".repeat(long)).as_bytes());
    client.refusal("attach", json!({}));
    assert_eq!(client.event("output")["category"], "stderr");
    client.launch(json!({ "stopOnEntry": true }));
    client.ask("configurationDone", json!({}));
    client.event("stopped");
    for (command, arguments) in [
        ("launch", json!({})),
        ("nonsense", json!({})),
        ("stackTrace", json!({})),
        ("stackTrace", json!({ "threadId": 999 })),
        ("next", json!({ "threadId": -1 })),
        ("scopes", json!({ "frameId": 1_i64 << 60 })),
        ("variables", json!({ "variablesReference": 77 })),
        ("readMemory", json!({ "memoryReference": "??", "count": 4 })),
        (
            "readMemory",
            json!({ "memoryReference": "1:UB 0 4", "offset": -8, "count": 4 }),
        ),
        (
            "disassemble",
            json!({ "memoryReference": "zz", "instructionCount": 4 }),
        ),
        ("exceptionInfo", json!({ "threadId": 1 })),
        ("evaluate", json!({})),
        ("a2lint.whoWrote", json!({ "expression": "M" })),
    ] {
        assert!(!client.refusal(command, arguments).is_empty(), "{command}");
    }
    // The client leaves during a run, and another client before one.
    let mut other = Client::new();
    other.launch(json!({}));
    client.ask("disconnect", json!({}));
    client.end();
    other.end();
}

#[test]
fn an_observation_stops_and_says_what_it_is() {
    let mut client = Client::of(&KERNEL.replace(
        "add(done[at], done[at], tile)",
        "add(done[at], done[at], rest)",
    ));
    client.launch(json!({}));
    client.ask(
        "setExceptionBreakpoints",
        json!({ "filters": ["undefined"] }),
    );
    client.ask("configurationDone", json!({}));
    let stopped = client.event("stopped");
    assert_eq!(stopped["reason"], "exception");
    let info = client.ask("exceptionInfo", json!({ "threadId": stopped["threadId"] }));
    assert_eq!(info["description"], "nothing of an operand is defined");
    client.ask("cancel", json!({}));
    // The races of a launch are computed when the filter is enabled.
    let told = client.ask(
        "setExceptionBreakpoints",
        json!({ "filters": ["race", "nan", "wonders"] }),
    );
    let verified =
        ["/0", "/1", "/2"].map(|at| told["breakpoints"].pointer(at).map(|it| &it["verified"]));
    assert_eq!(
        verified.map(|it| it == Some(&json!(true))),
        [true, true, false]
    );
    // Without the filter, the run continues.
    client.ask("setExceptionBreakpoints", json!({ "filters": [] }));
    client.ask("continue", json!({ "threadId": 1 }));
    let stopped = client.event("stopped");
    assert_eq!(stopped["description"], "the kernel has finished");
    // The state at the end can be inspected.
    let thread = json!({ "threadId": stopped["threadId"] });
    let frame = &client.ask("stackTrace", thread)["stackFrames"][0];
    assert_eq!(frame["name"], "rows at its end");
    let expression = json!({ "expression": "y.shape", "frameId": frame["id"] });
    let wrong = client.refusal("evaluate", expression);
    assert!(wrong.contains("not evaluated"), "{wrong}");
    let expression = json!({ "expression": "isnan(y[0:4])", "frameId": frame["id"] });
    assert_eq!(client.ask("evaluate", expression)["result"], "0");
    client.ask("disconnect", json!({}));
    client.end();
}

/// A client may disconnect in any state of a session, with or without a request.
#[test]
fn a_client_may_leave_at_any_time() {
    for stage in 0..6 {
        for says_so in [true, false] {
            let mut client = Client::new();
            if stage > 0 {
                client.ask("initialize", json!({}));
            }
            if stage > 1 {
                let program = json!({ "program": client.path, "stopOnEntry": stage < 4 });
                client.ask("launch", program);
            }
            if stage > 2 {
                client.ask("configurationDone", json!({}));
            }
            if stage > 4 {
                client.event("stopped");
                client.send("reverseContinue", json!({}));
            }
            if says_so {
                client.send("disconnect", json!({}));
            }
            client.end();
        }
    }
}

/// A kernel in C++ whose helper has its own `x` and `y`.
const CPP: &str = r#"#include "kernel_operator.h"
using namespace AscendC;

__aicore__ inline void Activate(const LocalTensor<float>& y, const LocalTensor<float>& x)
{
    Muls(y, x, 2.0f, 64);
    PipeBarrier<PIPE_V>();
    Adds(y, y, 1.0f, 64);
}

// a2lint: launch(block_dim=1, x=float[64], y=float[64])
extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 2, 256);
    pipe.InitBuffer(out, 2, 256);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ float*)y);
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, gx, 64);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Activate(b, a);
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<float>();
    DataCopy(gy, b, 64);
    out.FreeTensor(b);
}
"#;

#[test]
fn names_of_helpers_in_cpp_are_what_they_are_given() {
    let mut client = Client::named("twice.cpp", CPP);
    client.launch(json!({}));
    let line = 1 + CPP
        .lines()
        .position(|it| it.contains("Adds("))
        .expect("it is there");
    let set = client.ask(
        "setBreakpoints",
        json!({ "source": client.source(), "breakpoints": [{ "line": line, "condition": "x[0] != 0" }]}),
    );
    assert_eq!(set["breakpoints"][0]["verified"], true);
    client.ask("configurationDone", json!({}));
    let thread = client.event("stopped")["threadId"].clone();
    let frame = client.frame(&thread);
    assert_eq!(frame["name"], "Activate");
    let here = client.evaluate(&frame, "y[0] - kernel(x)[0] * 2");
    assert_eq!(here, "float: 0.0000");
    let whole = client.evaluate(&frame, "kernel(y)");
    assert_eq!(whole, "float [64]: undefined");
    let refused = client.refusal(
        "evaluate",
        json!({ "expression": "x", "frameId": frame["id"], "context": "watch" }),
    );
    assert!(
        refused.contains("`kernel(x)` is that of the kernel"),
        "{refused}"
    );
    let scopes = client.ask("scopes", json!({ "frameId": frame["id"] }));
    let mut texts = Vec::new();
    for scope in scopes["scopes"].as_array().expect("scopes") {
        let reference = &scope["variablesReference"];
        let shown = client.ask("variables", json!({ "variablesReference": reference }));
        let shown = shown["variables"].as_array().expect("variables").clone();
        let shown = shown
            .iter()
            .map(|it| format!("{} {}", it["name"], it["value"]));
        texts.push(format!(
            "{}: {}",
            scope["name"],
            shown.collect::<Vec<_>>().join(", ")
        ));
    }
    let texts = texts.join("\n");
    assert!(
        texts.contains("\"Operands\": \"y\" \"float [64]: "),
        "{texts}"
    );
    assert!(texts.contains("\"y\" \"float [64]: undefined\""), "{texts}");
    assert!(texts.contains("\"in\" \"2 buffers\""), "{texts}");
    client.end();
}

/// Runs a session of random requests. Each is answered, and the server ends when its client disconnects.
fn random_session(seed: u64, requests: usize) {
    let mut random = Random::new(seed);
    let mut client = Client::new();
    client.launch(json!({ "stopOnEntry": random.below(2) == 0 }));
    client.ask("configurationDone", json!({}));
    let expressions = [
        "at",
        "tile",
        "done[0]",
        "x[3]",
        "sum(tile)",
        "rest[0, 0]",
        "1 //",
        "y @ 17",
        "who tile[0,0]",
    ];
    for _ in 0..requests {
        let thread = 1 + random.below(63);
        let expression = expressions[random.below(expressions.len())];
        let line = 1 + random.below(25);
        let (command, arguments) = match random.below(20) {
            0 => ("next", json!({ "threadId": thread })),
            1 => ("stepIn", json!({ "threadId": thread })),
            2 => ("stepOut", json!({ "threadId": thread })),
            3 | 4 => ("stepBack", json!({ "threadId": thread })),
            5 => ("continue", json!({ "threadId": thread })),
            6 => ("reverseContinue", json!({ "threadId": thread })),
            7 => ("pause", json!({ "threadId": thread })),
            8 => (
                "evaluate",
                json!({ "expression": expression, "frameId": thread * 256, "context": "repl" }),
            ),
            9 => ("stackTrace", json!({ "threadId": thread })),
            10 => ("scopes", json!({ "frameId": thread * 256 })),
            11 => (
                "variables",
                json!({ "variablesReference": random.below(30) }),
            ),
            12 => (
                "setBreakpoints",
                json!({ "source": client.source(), "breakpoints": [{ "line": line, "condition": "at > 3" }] }),
            ),
            13 => (
                "setDataBreakpoints",
                json!({ "breakpoints": [{ "dataId": format!("gm{} {} 4", random.below(3), random.below(9000)) }] }),
            ),
            14 => ("a2lint.goTo", json!({ "instant": random.below(600) })),
            15 => ("a2lint.whoWrote", json!({ "expression": expression })),
            16 => ("threads", json!({})),
            17 => (
                "readMemory",
                json!({ "memoryReference": format!("{thread}:UB {} 4", random.below(1 << 18)), "count": random.below(1 << 18) }),
            ),
            18 => ("setExceptionBreakpoints", json!({ "filters": ["others"] })),
            _ => ("restart", json!({})),
        };
        let seq = client.send(command, arguments);
        // Some requests are sent before earlier ones are answered.
        if random.below(3) > 0 {
            client.answer(seq);
        }
        if client
            .events
            .iter()
            .any(|event| event["event"] == "terminated")
        {
            break;
        }
    }
    if random.below(2) == 0 {
        client.send("disconnect", json!({}));
    }
    client.end();
}

/// `A2LINT_DEBUG_SESSIONS=200` sets the number of sessions.
#[test]
fn random_sessions_end() {
    let sessions = std::env::var("A2LINT_DEBUG_SESSIONS");
    let sessions = sessions.map_or(8, |text| text.parse().expect("a number"));
    for seed in 0..sessions {
        random_session(seed, 100);
    }
}

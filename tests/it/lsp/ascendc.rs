//! Kernels in C++: findings in phases, hovers in the words of AscendC, fixes, and what is left to clangd.

use a2lint::lsp::Options;
use serde_json::{Value, json};

use super::client::{Client, nods, plain, position_of};

const URI: &str = "file:///tmp/sup.cpp";

/// A load and a store that wait for nothing, and a queue.
const KERNEL: &str = r#"#include "kernel_operator.h"
using namespace AscendC;

struct Sizes {
    uint32_t rows;
    uint32_t width;
};

// a2lint: launch(block_dim=2, x=float[512], y=float[512], sizes.rows=2, sizes.width=256)
extern "C" __global__ __aicore__ void sup(GM_ADDR x, GM_ADDR y, Sizes sizes)
{
    TPipe pipe;
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 256);
    gy.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * 256);
    TBuf<TPosition::VECCALC> buf;
    TQue<TPosition::VECIN, 1> rows;
    pipe.InitBuffer(buf, 1024);
    pipe.InitBuffer(rows, 2, 1024);
    LocalTensor<float> row = rows.AllocTensor<float>();
    DataCopy(row, gx, 256);
    rows.EnQue(row);
    row = rows.DeQue<float>();
    LocalTensor<float> t = buf.Get<float>();
    Exp(t, row, 256);
    rows.FreeTensor(row);
    DataCopy(gy, t, 256);
}
"#;

fn opened(text: &str) -> (Client, Vec<Value>) {
    let mut client = Client::with(plain(), Options::default(), nods());
    client.open(URI, text);
    let first = client.diagnostics(URI, 1);
    let all = client.settled(URI, 1, first);
    (client, all)
}

fn hover(client: &mut Client, needle: &str, plus: usize) -> String {
    let at = position_of(KERNEL, needle, plus);
    let hover = client.at("textDocument/hover", URI, at);
    let shown = hover["contents"]["value"].as_str();
    shown.unwrap_or_default().to_owned()
}

#[test]
fn hovers_are_in_the_words_of_ascendc() {
    let (mut client, _) = opened(KERNEL);
    let exp = hover(&mut client, "Exp(", 1);
    assert!(exp.starts_with("**`t` after this statement**"), "{exp}");
    assert!(exp.contains("\n**Exp** — "), "{exp}");
    assert!(exp.contains("min "), "{exp}");
    for word in ["python", "=None", "dup("] {
        assert!(!exp.contains(word), "{exp}");
    }
    for (needle, words) in [
        (
            "AllocTensor",
            "a free buffer of **rows**: MTE2 waits until V is done with it",
        ),
        (
            "EnQue",
            "a tensor goes into **rows**: V may take it once MTE2 has finished",
        ),
        (
            "DeQue",
            "the next tensor of **rows**: V waits until MTE2 is done with it",
        ),
        (
            "FreeTensor",
            "a buffer of **rows** is free again: MTE2 may use it once V has",
        ),
        ("rows.EnQue", "**rows** — 2 buffers of float"),
        ("rows, 2, 1024", "2 × 1 KB = 2 KB"),
        ("buf, 1024", "**buf** — float"),
        ("t, row, 256", "**buf** — float"),
        ("x, GM_ADDR y", "parameter in GM, float `[512]`"),
        ("sizes)\n", "sizes.width  256"),
        ("sup(GM_ADDR", "kernel `sup` — **wrong\\: race (line"),
    ] {
        let shown = hover(&mut client, needle, 0).replace('\n', " ");
        assert!(shown.contains(words), "{needle}: {shown}");
    }
    client.leave();
}

#[test]
fn the_rest_of_the_language_is_left_to_its_own_server() {
    let (mut client, _) = opened(KERNEL);
    let document = json!({"textDocument": {"uri": URI}});
    let at = position_of(KERNEL, "Exp(t", 1);
    let completed = client.at("textDocument/completion", URI, at.clone());
    assert_eq!(completed, json!([]));
    for method in [
        "textDocument/signatureHelp",
        "textDocument/prepareRename",
        "textDocument/definition",
    ] {
        assert_eq!(client.at(method, URI, at.clone()), Value::Null, "{method}");
    }
    let tokens = client.request("textDocument/semanticTokens/full", document.clone());
    assert_eq!(tokens.expect("an answer"), Value::Null);
    for needle in [
        "include",
        "struct Sizes",
        "uint32_t width",
        "GlobalTensor<",
        "if",
    ] {
        if KERNEL.contains(needle) {
            assert_eq!(hover(&mut client, needle, 0), "", "{needle}");
        }
    }
    let lenses = client.request("textDocument/codeLens", document);
    let lenses = lenses.expect("an answer").to_string();
    assert!(
        lenses.contains("Simulate kernel (block_dim=2, sizes.rows=2, sizes.width=256)"),
        "{lenses}"
    );
    client.leave();
}

#[test]
fn plain_cpp_has_no_diagnostics() {
    let text =
        "#include <vector>\nint Exp(int *p) { return p[4096]; }\nint main() { return Exp(0); }\n";
    let (client, diagnostics) = opened(text);
    assert_eq!(diagnostics, Vec::<Value>::new());
    client.leave();
}

#[test]
fn races_are_fixed_by_flags_and_findings_are_silenced_by_comments() {
    let (mut client, diagnostics) = opened(KERNEL);
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    assert_eq!(diagnostics[0]["code"], "race");
    let params = json!({
        "textDocument": {"uri": URI},
        "range": diagnostics[0]["range"],
        "context": {"diagnostics": []},
    });
    let actions = client.request("textDocument/codeAction", params);
    let actions = actions.expect("an answer");
    let texts = |at: usize| actions[at]["edit"]["changes"][URI][0]["newText"].clone();
    assert_eq!(
        texts(0),
        "    event_t eventVToMte3 = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::V_MTE3));\n    \
         SetFlag<HardEvent::V_MTE3>(eventVToMte3);\n    \
         WaitFlag<HardEvent::V_MTE3>(eventVToMte3);\n"
    );
    assert_eq!(texts(1), "  // a2lint: ignore[race]");
    for (version, action) in [(2, 0), (3, 1)] {
        let edit = &actions[action]["edit"]["changes"][URI][0];
        let at = edit["range"]["start"]["line"].as_u64().expect("a line") as usize;
        let mut lines: Vec<String> = KERNEL.lines().map(str::to_owned).collect();
        let new = edit["newText"].as_str().expect("a text");
        match action {
            0 => lines.insert(at, new.trim_end().to_owned()),
            _ => lines[at].push_str(new),
        }
        client.change(URI, version, json!([{"text": lines.join("\n")}]));
        let first = client.diagnostics(URI, version);
        assert_eq!(client.settled(URI, version, first), Vec::<Value>::new());
    }
    client.leave();
}

#[test]
fn findings_come_before_the_replay() {
    let text = KERNEL.replace("Exp(t, row, 256);", "Exp(t, row, 512);");
    let mut client = Client::with(plain(), Options::default(), nods());
    client.without_replay();
    client.open(URI, &text);
    let first = client.diagnostics(URI, 1);
    assert!(first.iter().all(|it| it["code"] != "race"), "{first:?}");
    assert!(!first.is_empty());
    client.leave();
}

/// A kernel that is not read whole has no finding for that reason: a notice at its name says why.
#[test]
fn a_kernel_with_unknown_code_has_a_notice_at_its_name() {
    let text = KERNEL.replace("Exp(t, row, 256);", "OurExp(t, row, 256);");
    let (_, all) = opened(&text);
    let notices: Vec<&Value> = all.iter().filter(|it| it["code"] == "open").collect();
    let [notice] = notices[..] else {
        panic!("{all:#?}")
    };
    assert_eq!(notice["severity"], 3, "{notice}");
    let message = notice["message"].as_str().expect("a message");
    assert!(message.contains("`OurExp` is not known"), "{message}");
    let (_, all) = opened(KERNEL);
    assert!(all.iter().all(|it| it["code"] != "open"), "{all:#?}");
}

const NUMBERS: &str = r#"#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t STEP = 8;

// a2lint: launch(block_dim=2, rows=4, cols=100, x=float[416], y=float[416])
extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t cols)
{
    TPipe pipe;
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ float*)y);
    uint32_t padded = (cols + STEP - 1) / STEP * STEP;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, padded * sizeof(float));
    pipe.InitBuffer(out, 1, padded * sizeof(float));
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        auto a = in.AllocTensor<float>();
        DataCopy(a, gx[row * padded], padded);
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        Muls(b, a, 2.0f, padded);
        out.EnQue(b);
        in.FreeTensor(a);
        b = out.DeQue<float>();
        DataCopy(gy[row * padded], b, padded);
        out.FreeTensor(b);
    }
}
"#;

/// Local variables, members and constants of C++ have values where they are made and where they are used.
#[test]
fn numbers_have_their_values() {
    let (mut client, _) = opened(NUMBERS);
    for (needle, plus, words) in [
        ("padded = (", 1, &["**padded** = `", "values  104 "][..]),
        ("2.0f, padded", 7, &["**padded** = `", "values  104 "]),
        (
            "gx[row * padded",
            4,
            &["**row** — ", "loop counter", "0 to 3"],
        ),
        ("/ STEP * STEP", 3, &["**STEP** = 8"]),
    ] {
        let at = position_of(NUMBERS, needle, plus);
        let hover = client.at("textDocument/hover", URI, at);
        let shown = hover["contents"]["value"].as_str().unwrap_or_default();
        for word in words {
            assert!(shown.contains(word), "{needle}: {shown}");
        }
    }
    client.leave();
}

/// A header that a kernel includes is shown with the findings and values of that kernel.
#[test]
fn headers_are_shown_with_the_kernel_that_includes_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let (head, entry) = KERNEL.split_once("// a2lint").expect("a comment");
    let body = entry.split_once('{').expect("a body").1;
    let header =
        format!("{head}__aicore__ inline void Sup(GM_ADDR x, GM_ADDR y, Sizes sizes)\n{{{body}");
    let (launch, _) = entry.split_once("\n{").expect("a body");
    let source = format!("#include \"sup.h\"\n// a2lint{launch} {{ Sup(x, y, sizes); }}\n");
    let uri = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("the file is written");
        format!("file://{}", path.display())
    };
    let (_, uri) = (uri("sup.cpp", &source), uri("sup.h", &header));
    let mut client = Client::with(plain(), Options::default(), nods());
    client.open(&uri, &header);
    let first = client.diagnostics(&uri, 1);
    let all = client.settled(&uri, 1, first);
    let [race] = &all[..] else { panic!("{all:#?}") };
    assert_eq!(race["code"], "race");
    let line = header.lines().position(|line| line.contains("DataCopy(gy"));
    let at = race["range"]["start"]["line"].as_u64();
    assert_eq!(at.map(|at| at as usize), line, "{race:#}");
    let at = position_of(&header, "Exp(t", 1);
    let hover = client.at("textDocument/hover", &uri, at);
    let shown = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(
        shown.contains("min ") && shown.contains("**Exp** — "),
        "{shown}"
    );
    // The entry, which has the lenses, is in the other file.
    let document = json!({"textDocument": {"uri": uri}});
    let lenses = client.request("textDocument/codeLens", document);
    assert_eq!(lenses.expect("an answer"), json!([]));
    client.leave();
}

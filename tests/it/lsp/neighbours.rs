//! Documents that import each other, open and on disk.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::client::Client;

const TILES: &str = "ROWS = 64\n";
const KERNEL: &str = r#"from easyasc.a2 import *
from common.tiles import ROWS
from common.moves import load


@kernel(mode="vec")
def k(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [ROWS, 256], Position.UB)
    with auto_sync():
        load(tile, x)
        y[0:8, 0:256] <<= tile[0:8, 0:256]
    return y
"#;
const MOVES: &str = r#"from easyasc.a2 import *


def load(tile, x):
    tile[0:8, 0:256] <<= x[0:8, 0:256]
"#;
/// A launch with tensors that are too small.
const LAUNCH: &str = r#"import torch
from k import k
from easyasc.a2 import OpExec

x = torch.randn(4, 256)
OpExec(k)(x, torch.zeros(8, 256), 1)
"#;

const BLEND: &str = "#pragma once
constexpr int BLOCKS = 1;
";
const FILL: &str = r#"#include "kernel_operator.h"
#include "blend.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, y=float[8])
extern "C" __global__ __aicore__ void fill(GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(out, 1, 32);
    LocalTensor<float> row = out.AllocTensor<float>();
    Duplicate(row, 1.0f, 8 * BLOCKS);
    out.EnQue(row);
    row = out.DeQue<float>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, row, 8);
    out.FreeTensor(row);
}
"#;

/// A project on disk, and a client that has opened its kernel.
struct Project {
    folder: TempDir,
    client: Client,
}

impl Project {
    fn open() -> Project {
        let folder = tempfile::tempdir().expect("a folder");
        let mut project = Project {
            folder,
            client: Client::start(),
        };
        project.write("pyproject.toml", "[project]\nname = 'p'\n");
        project.write("common/tiles.py", TILES);
        project.write("common/moves.py", MOVES);
        project.write("k.py", KERNEL);
        project.client.open(&project.uri("k.py"), KERNEL);
        project
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    fn uri(&self, path: &str) -> String {
        format!("file://{}", self.folder.path().join(path).display())
    }

    /// Waits until the kernel's file has exactly these findings.
    fn wait_for_findings(&mut self, names: &[&str]) -> Vec<Value> {
        self.wait_for_findings_in("k.py", names)
    }

    fn wait_for_findings_in(&mut self, path: &str, names: &[&str]) -> Vec<Value> {
        let uri = self.uri(path);
        loop {
            let first = self.client.diagnostics(&uri, 1);
            let found = self.client.settled(&uri, 1, first);
            if found.iter().map(|it| &it["code"]).eq(names) {
                return found;
            }
        }
    }

    fn changed_on_disk(&mut self, path: &str, how: i32) {
        let changes = json!([{"uri": self.uri(path), "type": how}]);
        let params = json!({"changes": changes});
        self.client
            .notify("workspace/didChangeWatchedFiles", params);
    }

    fn replace(&mut self, path: &str, version: i32, text: &str) {
        let uri = self.uri(path);
        self.client.change(&uri, version, json!([{"text": text}]));
    }
}

#[test]
fn neighbours_count_as_they_are_in_the_editor() {
    let mut project = Project::open();
    project.wait_for_findings(&[]);
    let tiles = project.uri("common/tiles.py");
    project.client.open(&tiles, TILES);
    project.replace("common/tiles.py", 2, "ROWS = 256\n");
    project.wait_for_findings(&["ub-overflow"]);
    project.replace("common/tiles.py", 3, "ROWS = 32\n");
    project.wait_for_findings(&[]);
    // If a document is closed without being saved, the file on disk counts.
    project.write("common/tiles.py", "ROWS = 512\n");
    let document = json!({"textDocument": {"uri": tiles}});
    project.client.notify("textDocument/didClose", document);
    project.wait_for_findings(&["ub-overflow"]);
    project.client.end();
}

#[test]
fn neighbours_change_on_disk() {
    let mut project = Project::open();
    project.wait_for_findings(&[]);
    project.write("common/tiles.py", "ROWS = 256\n");
    project.changed_on_disk("common/tiles.py", 2);
    project.wait_for_findings(&["ub-overflow"]);
    // A file that launches the kernel is created and deleted.
    project.write("common/tiles.py", TILES);
    project.changed_on_disk("common/tiles.py", 2);
    project.wait_for_findings(&[]);
    project.write("main.py", LAUNCH);
    project.changed_on_disk("main.py", 1);
    project.wait_for_findings(&["gm-out-of-bounds"]);
    std::fs::remove_file(project.folder.path().join("main.py")).expect("it is there");
    project.changed_on_disk("main.py", 3);
    project.wait_for_findings(&[]);
    project.client.end();
}

#[test]
fn a_launch_that_is_being_typed_counts() {
    let mut project = Project::open();
    project.wait_for_findings(&[]);
    let main = project.uri("main.py");
    project.client.open(&main, "import torch\n");
    project.replace("main.py", 2, LAUNCH);
    project.wait_for_findings(&["gm-out-of-bounds"]);
    project.client.end();
}

#[test]
fn what_is_wrong_in_a_helper_is_shown_at_its_call_with_the_place() {
    let mut project = Project::open();
    project.wait_for_findings(&[]);
    let moves = project.uri("common/moves.py");
    project.client.open(&moves, MOVES);
    project.replace("common/moves.py", 2, &MOVES.replace("0:8,", "0:80,"));
    let found = &project.wait_for_findings(&["operand-overrun"])[0];
    let call = KERNEL
        .lines()
        .position(|line| line.contains("load(tile, x)"));
    assert_eq!(found["range"]["start"]["line"], json!(call));
    let message = found["message"].as_str().expect("a text");
    assert!(message.starts_with("common/moves.py:5: "), "{message}");
    let related = found["relatedInformation"].as_array().expect("places");
    let related = &related.last().expect("a place")["location"];
    let path = Path::new(related["uri"].as_str().expect("a file"));
    assert!(path.ends_with("common/moves.py"), "{found:#}");
    assert_eq!(related["range"]["start"]["line"], 4);
    project.client.end();
}

#[test]
fn a_header_that_is_edited_changes_what_is_found_in_its_includer() {
    let mut project = Project::open();
    project.write("fill/blend.h", BLEND);
    project.write("fill/k.cpp", FILL);
    let user = project.uri("fill/k.cpp");
    project.client.open(&user, FILL);
    project.wait_for_findings_in("fill/k.cpp", &[]);
    let header = project.uri("fill/blend.h");
    project.client.open(&header, BLEND);
    project.replace("fill/blend.h", 2, &BLEND.replace("= 1", "= 9"));
    project.wait_for_findings_in("fill/k.cpp", &["operand-overrun"]);
    // The text is longer than the space reserved for it, so the spans of its file start elsewhere.
    let long = format!("{}{BLEND}", "// A comment.\n".repeat(100));
    project.replace("fill/blend.h", 3, &long);
    project.wait_for_findings_in("fill/k.cpp", &[]);
    // The same on disk.
    let document = json!({"textDocument": {"uri": header}});
    project.client.notify("textDocument/didClose", document);
    project.write("fill/blend.h", &BLEND.replace("= 1", "= 8"));
    project.changed_on_disk("fill/blend.h", 2);
    project.wait_for_findings_in("fill/k.cpp", &["operand-overrun"]);
    project.client.end();
}

//! Whole sessions of the debugger.
//!
//! An input holds one message of the Debug Adapter Protocol a line, or is a raw byte stream where it begins with
//! a header. `KERNEL` is replaced by the one file that sessions open.

use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use a2lint::dap;

/// What is debugged: loops, a helper, slots, a mask, a tail.
const TEXT: &str = r#"from easyasc.a2 import *
import torch

WIDTH = 64

@func()
def twice(dst, src):
    muls(dst, src, 2.0)

@kernel(mode="vec")
def rows(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [8, WIDTH], Position.UB)
    done = DBuff(DT.float, [8, WIDTH], Position.UB)
    rest = Tensor(DT.float, [8, WIDTH], Position.UB)
    with auto_sync():
        for at in range(GetVecIdx(), CeilDiv(M, 8), GetVecNum()):
            row0 = Var(at * 8)
            live = Min(8, M - row0)
            tile[0:live, 0:WIDTH] <<= x[row0:row0 + live, 0:WIDTH]
            twice(done[at], tile)
            set_mask(0, 255)
            add(done[at], done[at], rest)
            reset_mask()
            y[row0:row0 + live, 0:WIDTH] <<= done[at][0:live, 0:WIDTH]
    return y

if __name__ == "__main__":
    x = torch.randn(44, 64)
    OpExec(rows, "", simulator=True)(x, torch.zeros(44, 64), 44)
"#;

/// The file of the kernel, the same for all who fuzz on a machine.
fn file() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| {
        let path = std::env::temp_dir().join("a2lint-fuzzed-kernel.py");
        let is_there = || std::fs::read_to_string(&path).is_ok_and(|text| text == TEXT);
        if !is_there() {
            // Processes that write at the same time write the same.
            let _ = std::fs::write(&path, TEXT);
        }
        assert!(is_there(), "{} cannot be written", path.display());
        path
    })
}

/// Sends a session and leaves; the server has to leave too, and to report no defect.
pub fn serve(data: &[u8]) {
    let path = serde_json::Value::from(file().display().to_string()).to_string();
    let text = String::from_utf8_lossy(data).replace("\"KERNEL\"", &path);
    let input = match text.starts_with("Content-Length") {
        true => text.into_bytes(),
        false => framed(&text, &path),
    };
    let said = Said::default();
    // A stream that breaks off is an error like any other.
    let _ = dap::serve(Box::new(Cursor::new(input)), Box::new(said.clone()));
    let said = said.0.lock().expect("nobody panics").clone();
    let said = String::from_utf8(said).expect("the server speaks UTF-8");
    assert!(!said.contains("internal error"), "{said}");
}

/// Every line as a message with its header; no file but ours is opened.
fn framed(text: &str, path: &str) -> Vec<u8> {
    let ours = |line: &&str| !line.contains("program") || line.contains(path);
    let mut input = Vec::new();
    for line in text.lines().filter(ours) {
        input.extend(format!("Content-Length: {}\r\n\r\n{line}", line.len()).into_bytes());
    }
    input
}

/// What the server has said.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<u8>>>);

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics").extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

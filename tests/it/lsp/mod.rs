//! The language server, driven through the protocol.

mod ascendc;
mod client;
mod documents;
mod hovers;
mod neighbours;
mod offers;
mod phases;
mod requests;
mod robustness;
mod settings;
mod workspace;

/// A kernel with a named error, a launch, and text with characters of more than one byte.
pub const BROKEN: &str = r#"from easyasc.a2 import *
import torch

# 行最大值 🙂


@kernel(mode="vec")
def scale(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    bias = Tensor(DT.float, [64, 8], Position.UB)  # 🙂 偏置
    with auto_sync():
        dup(bias, 0.25)
        for r in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            tile <<= x[r:r + 64, 0:64]
            sub(tile, tile, bias)
            y[r:r + 64, 0:64] <<= tile
    return y


if __name__ == "__main__":
    M = 128
    x = torch.ones(M, 64)
    y = torch.zeros(M, 64)
    OpExec(scale, "", simulator=True)(x, y, M)
"#;
/// Whether diagnostics are those of [`BROKEN`]. The certain finding is first, and those of the replay may follow.
pub fn is_broken(diagnostics: &[serde_json::Value]) -> bool {
    diagnostics
        .first()
        .is_some_and(|it| it["code"] == "dup-coverage")
}

/// Returns the hover on the first occurrence of a text in a document.
pub fn hover_text(uri: &str, text: &str, needle: &str) -> String {
    let mut client = client::Client::start();
    // A run that the hover shows must not end early on a busy machine.
    let settings = serde_json::json!({"a2lint": {"hover": {"budgetMs": 60_000}}});
    let settings = serde_json::json!({"settings": settings});
    client.notify("workspace/didChangeConfiguration", settings);
    client.open(uri, text);
    let first = client.diagnostics(uri, 1);
    client.settled(uri, 1, first);
    let at = client::position_of(text, needle, 0);
    let hover = client.at("textDocument/hover", uri, at);
    client.leave();
    hover["contents"]["value"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

/// The URI of the document.
pub const URI: &str = "file:///folder/scale.py";

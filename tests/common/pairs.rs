//! Pairs of a sound kernel and one that is nearly the same and broken, each written as one file: a line that ends with
//! `//-` is left out of the broken half, a line that starts with `//+` is in the broken half alone. Both marks are no part
//! of the halves.

#![allow(dead_code, reason = "each harness takes its part")]

use std::fs;
use std::path::Path;

/// The folder of the pairs.
pub const FOLDER: &str = "tests/ascendc/pairs";

/// Both halves of a file.
pub struct Pair {
    /// The name of the file without its extension.
    pub name: String,
    pub good: String,
    pub bad: String,
}

/// All pairs, in order of their names.
pub fn pairs() -> Vec<Pair> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
    let entries = fs::read_dir(folder).expect("the folder is part of the repository");
    let mut pairs: Vec<Pair> = entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().expect("a name").to_string_lossy();
            let text = fs::read_to_string(&path).expect("kernels are UTF-8");
            Pair {
                name: name.into_owned(),
                good: good(&text),
                bad: half(&text, true),
            }
        })
        .collect();
    pairs.sort_by(|a, b| a.name.cmp(&b.name));
    pairs
}

/// The pair of this name.
pub fn pair(name: &str) -> Pair {
    let mut all = pairs().into_iter();
    all.find(|pair| pair.name == name).expect("a pair")
}

/// The sound half of a file; a file without marks as it is.
pub fn good(text: &str) -> String {
    half(text, false)
}

fn half(text: &str, is_bad: bool) -> String {
    let own = text.lines().filter_map(|line| {
        match (line.strip_prefix("//+"), line.strip_suffix("//-")) {
            (Some(added), _) => is_bad.then_some(added),
            (_, Some(removed)) => (!is_bad).then_some(removed),
            _ => Some(line),
        }
    });
    own.flat_map(|line| [line, "\n"]).collect()
}

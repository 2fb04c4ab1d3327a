//! Tells builds from each other.
//!
//! What one build has found about a file is not what another one would find. `A2LINT_BUILD` is a digest of all that
//! a build is made from: two builds of one version have different ones as soon as a line differs. By
//! `A2LINT_OPT_LEVEL`, instructions are compared with those of builds that were optimised as much.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// What the binary is made from.
const PARTS: [&str; 4] = ["src", "grammar", "Cargo.toml", "Cargo.lock"];

fn main() {
    let mut digest = DefaultHasher::new();
    for part in PARTS {
        println!("cargo::rerun-if-changed={part}");
        take(Path::new(part), &mut digest);
    }
    println!("cargo::rustc-env=A2LINT_BUILD={:016x}", digest.finish());
    let level = std::env::var("OPT_LEVEL").expect("Cargo says how much is optimised");
    println!("cargo::rustc-env=A2LINT_OPT_LEVEL={level}");
}

/// Takes in a file, or all files below a folder, in the order of their names. Nobody has to be there.
fn take(path: &Path, digest: &mut DefaultHasher) {
    if let Ok(entries) = fs::read_dir(path) {
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        paths.iter().for_each(|path| take(path, digest));
    } else if let Ok(bytes) = fs::read(path) {
        path.hash(digest);
        bytes.hash(digest);
    }
}

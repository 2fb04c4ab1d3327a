//! Tells builds from each other.
//!
//! What one build has found about a file is not what another one would find. `A2LINT_BUILD` is a digest of all that
//! a result depends on: two builds of one version have different ones as soon as a line differs.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// This crate, the crates that it depends on, and what those are built from. `tests/it/walls.rs` holds the list against
/// the manifests.
const PARTS: [&str; 17] = [
    "../analysis",
    "../costs",
    "../frontend",
    "../ir",
    "../isa",
    "../launches",
    "../lint",
    "../machine",
    "../project",
    "../prove",
    "../replay",
    "../rules",
    "../source",
    "../syntax",
    "../../grammar",
    "../../Cargo.toml",
    "../../Cargo.lock",
];

fn main() {
    let mut digest = DefaultHasher::new();
    for part in PARTS {
        println!("cargo::rerun-if-changed={part}");
        take(Path::new(part), &mut digest);
    }
    println!("cargo::rustc-env=A2LINT_BUILD={:016x}", digest.finish());
}

/// Takes in a file, or all files below a folder, in the order of their names; a path that does not exist is empty.
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

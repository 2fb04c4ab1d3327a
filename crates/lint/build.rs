//! Computes the identity of a build.
//!
//! Builds of one version may find different things in a file. `A2LINT_BUILD` is a digest of everything that a result
//! depends on, so two builds differ in it as soon as a line of their sources does.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// Inputs of the digest, relative to this crate: the crate itself, its dependencies, and what those are built from.
/// `tests/it/walls.rs` checks the list against the manifests.
const PARTS: [&str; 19] = [
    "../analysis",
    "../ascendc",
    "../costs",
    "../cpp",
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

/// Adds a file, or all files below a folder in order of their names, to the digest; a missing path adds nothing.
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

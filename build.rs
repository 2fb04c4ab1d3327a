//! Says how much this build was optimised, for benchmarks that compare instruction counts.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let level = std::env::var("OPT_LEVEL").expect("Cargo says how much is optimised");
    println!("cargo::rustc-env=A2LINT_OPT_LEVEL={level}");
}

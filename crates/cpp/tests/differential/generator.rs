//! Random programs.

/// A program by its number.
pub fn program(seed: u64) -> String {
    format!("void program() {{ out(\"seed\", (long long){seed}); }}")
}

//! The command line of a2lint.

fn main() {}

//! Throughput of the vector unit.

fn main() {
    divan::main();
}

// What the fuzzer calls: the target that the binary is named after, and its mutations.

use a2lint_fuzz::mutate::{Random, mutate};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

fn target() -> &'static a2lint_fuzz::Target {
    a2lint_fuzz::target(env!("CARGO_BIN_NAME"))
}

fuzz_target!(|data: &[u8]| (target().run)(data));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut random = Random::new(u64::from(seed));
    // Bytes that no word brings about, and what the fuzzer has learnt from comparisons.
    if random.below(4) == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let words = (target().words)();
    let mutated = mutate(&data[..size], &words, &mut random);
    let size = mutated.len().min(max_size);
    data[..size].copy_from_slice(&mutated[..size]);
    size
});

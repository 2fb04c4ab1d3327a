//! SHA-256, which content security policies name elements by.

/// The first bits of the fractional parts of the roots of the first primes: square roots for the state that a digest
/// starts from, cube roots for its rounds.
fn fraction(prime: u32, is_cube: bool) -> u32 {
    let target = |root: u128| {
        if is_cube {
            root * root * root
        } else {
            root * root
        }
    };
    let (shift, mut root) = (if is_cube { 96 } else { 64 }, 0_u128);
    for bit in (0..37).rev() {
        let larger = root | 1 << bit;
        if target(larger) <= u128::from(prime) << shift {
            root = larger;
        }
    }
    root as u32
}

/// The digest of bytes.
pub fn digest(bytes: &[u8]) -> [u8; 32] {
    let is_prime = |it: &u32| (2..*it).all(|part| !it.is_multiple_of(part));
    let primes: Vec<u32> = (2..).filter(is_prime).take(64).collect();
    let mut state: Vec<u32> = primes[..8].iter().map(|&it| fraction(it, false)).collect();
    let rounds: Vec<u32> = primes.iter().map(|&it| fraction(it, true)).collect();
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    padded.resize(padded.len().next_multiple_of(64), 0);
    if padded.len() - bytes.len() < 9 {
        padded.resize(padded.len() + 64, 0);
    }
    let end = padded.len() - 8;
    padded[end..].copy_from_slice(&(bytes.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks(64) {
        add(&mut state, block, &rounds);
    }
    let bytes: Vec<u8> = state.iter().flat_map(|it| it.to_be_bytes()).collect();
    bytes.try_into().expect("eight words")
}

fn add(state: &mut [u32], block: &[u8], rounds: &[u32]) {
    let word = |at: usize| u32::from_be_bytes(std::array::from_fn(|byte| block[4 * at + byte]));
    let mut words: Vec<u32> = (0..16).map(word).collect();
    for at in 16..64 {
        let (a, b) = (words[at - 15], words[at - 2]);
        let a = a.rotate_right(7) ^ a.rotate_right(18) ^ a >> 3;
        let b = b.rotate_right(17) ^ b.rotate_right(19) ^ b >> 10;
        words.push(sum(&[words[at - 16], a, words[at - 7], b]));
    }
    let mut it: [u32; 8] = std::array::from_fn(|at| state[at]);
    for (word, round) in words.iter().zip(rounds) {
        let [a, b, c, _, e, f, g, h] = it;
        let large = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let first = sum(&[h, large, e & f ^ !e & g, *round, *word]);
        let large = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let second = large.wrapping_add(a & b ^ a & c ^ b & c);
        it.rotate_right(1);
        it[4] = it[4].wrapping_add(first);
        it[0] = first.wrapping_add(second);
    }
    for (state, it) in state.iter_mut().zip(it) {
        *state = state.wrapping_add(it);
    }
}

fn sum(words: &[u32]) -> u32 {
    words.iter().fold(0, |sum, word| sum.wrapping_add(*word))
}

#[test]
fn a_digest_that_is_known() {
    let text: String = digest(b"abc")
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(
        text,
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
}

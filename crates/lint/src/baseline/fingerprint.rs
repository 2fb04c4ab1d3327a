//! What stays the same about a finding when the code around it moves.

use std::collections::HashMap;

use a2lint_ir::finding::Finding;
use a2lint_source::text::{SourceText, Span};

/// One fingerprint per finding, in the same order.
pub type Fingerprints = Vec<String>;

/// Fingerprints of the findings of a file: of their rule, kernel and source lines without white
/// space, and of how many like them stand before. The path does not take part.
pub fn fingerprints(source: &SourceText, findings: &[Finding]) -> Fingerprints {
    let mut seen: HashMap<u64, u32> = HashMap::new();
    let print = |finding: &Finding| {
        let mut hash = Fnv::new();
        hash.add(finding.name.as_bytes());
        hash.add(finding.kernel.as_deref().unwrap_or("").as_bytes());
        for word in lines(source, finding.span).split_whitespace() {
            hash.add(word.as_bytes());
        }
        let turn = seen.entry(hash.0).or_default();
        *turn += 1;
        hash.add(&turn.to_le_bytes());
        format!("{:016x}", hash.0)
    };
    findings.iter().map(print).collect()
}

/// The whole lines of a span.
fn lines(source: &SourceText, span: Span) -> &str {
    let line = |offset| {
        source
            .line_span(source.line_index(offset))
            .unwrap_or_default()
    };
    source.slice(line(span.start).to(line(span.end)))
}

/// The 64-bit FNV-1a hash, which is the same everywhere and for ever.
struct Fnv(u64);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    /// Adds bytes and a separator.
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes.iter().chain(&[0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_published_one() {
        let mut hash = Fnv::new();
        for byte in b"foobar" {
            hash.0 = (hash.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        assert_eq!(hash.0, 0x8594_4171_f739_67e8);
    }
}

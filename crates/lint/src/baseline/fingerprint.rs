//! Fingerprints of findings, which stay the same when code around them moves.

use std::collections::HashMap;

use a2lint_ir::finding::Finding;
use a2lint_source::text::{SourceText, Span};

/// One fingerprint per finding, in the order of the findings.
pub type Fingerprints = Vec<String>;

/// Returns the fingerprints of the findings of a file. A fingerprint covers rule, kernel, the words of the source
/// lines, and the number of equal findings before; the path is not part of it.
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

/// Returns the whole lines that a span touches.
fn lines(source: &SourceText, span: Span) -> &str {
    let line = |offset| {
        source
            .line_span(source.line_index(offset))
            .unwrap_or_default()
    };
    source.slice(line(span.start).to(line(span.end)))
}

/// The 64-bit FNV-1a hash. Baselines are stored, so the hash must not change between builds or platforms.
struct Fnv(u64);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    /// Adds bytes and a separator, which no UTF-8 text contains.
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

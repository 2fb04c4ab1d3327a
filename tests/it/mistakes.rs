//! One mistake causes one finding: kernels of `tests/kernels` with a single broken token.
//!
//! `A2LINT_MISTAKES=5000` sets the number of mistakes.

use std::collections::HashMap;

use crate::common::Random;
use a2lint::check::{Settings, check};
use a2lint::finding::Finding;
use a2lint::language::Language;
use a2lint::text::SourceText;

/// Number of mistakes in a thousand that may cause a second finding.
const TOLERATED: usize = 10;

fn kernels() -> Vec<String> {
    let folder = crate::common::root().join("tests/kernels");
    let files = crate::common::files(&folder, "py").into_iter();
    let own = files.filter(|path| path.parent() == Some(&folder));
    own.map(|path| crate::common::read(&path)).collect()
}

/// Returns the tokens of a text (words and brackets), except for those in comments and strings.
fn tokens(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let rest = &text[at..];
        let length = match bytes[at] {
            b'#' => rest.find('\n').unwrap_or(rest.len()),
            b'"' if rest.starts_with("\"\"\"") => {
                rest[3..].find("\"\"\"").map_or(rest.len(), |end| end + 6)
            }
            quote @ (b'"' | b'\'') => {
                let end = rest[1..].find(quote as char);
                end.map_or(rest.len(), |end| end + 2)
            }
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => {
                let is_part = |c: char| c.is_alphanumeric() || c == '_';
                let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
                found.push(at..at + length);
                length
            }
            b'(' | b')' | b'[' | b']' | b':' => {
                found.push(at..at + 1);
                1
            }
            _ => rest.chars().next().map_or(1, char::len_utf8),
        };
        at += length;
    }
    found
}

/// Changes the ending of a word, or deletes a bracket.
fn broken(text: &str, random: &mut Random) -> (String, String) {
    let tokens = tokens(text);
    let at = tokens[random.below(tokens.len())].clone();
    let token = &text[at.clone()];
    let new = match token.as_bytes()[0] {
        byte if byte.is_ascii_alphabetic() || byte == b'_' => format!("{token}zq"),
        _ => String::new(),
    };
    let line = text[..at.start].matches('\n').count() + 1;
    let what = format!("line {line}: `{token}` is `{new}`");
    let text = [&text[..at.start], &new, &text[at.end..]].concat();
    (text, what)
}

fn found(text: &str) -> Vec<Finding> {
    let settings = Settings {
        replay: false,
        prove: false,
        ..Settings::default()
    };
    check(&SourceText::new(text), Language::Easyasc, &settings).findings
}

#[test]
fn one_broken_token_is_one_finding() {
    let cases = std::env::var("A2LINT_MISTAKES").ok();
    let cases: usize = cases.and_then(|cases| cases.parse().ok()).unwrap_or(300);
    let kernels = kernels();
    let mut random = Random(20_261_122);
    let (mut noisy, mut silent) = (Vec::new(), 0);
    let mut names: HashMap<&str, usize> = HashMap::new();
    for case in 0..cases {
        let (text, what) = broken(&kernels[case % kernels.len()], &mut random);
        let findings = found(&text);
        silent += usize::from(findings.is_empty());
        for finding in &findings {
            *names.entry(finding.name).or_default() += 1;
        }
        if findings.len() > 1 {
            let all: Vec<_> = findings.iter().map(|it| (it.name, &it.message)).collect();
            noisy.push(format!("kernel {}, {what}: {all:?}", case % kernels.len()));
        }
    }
    println!(
        "{cases} mistakes: {silent} without a finding, {} with several; {names:?}",
        noisy.len()
    );
    let shown = noisy.join("\n");
    assert!(
        noisy.len() * 1000 <= TOLERATED * cases,
        "{} of {cases}:\n{shown}",
        noisy.len()
    );
}

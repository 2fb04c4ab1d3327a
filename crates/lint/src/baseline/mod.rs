//! Baselines: known findings of a project, counted per file and rule, and hidden until there are more.
//!
//! A baseline also contains the fingerprint of each finding, so that a new finding is shown rather than a known one,
//! and moving code changes nothing.

mod fingerprint;

pub use fingerprint::{Fingerprints, fingerprints};

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use a2lint_ir::finding::Finding;
use a2lint_source::disk::{Named, found_text};
use a2lint_source::text::SourceText;

/// The version of the file format.
const VERSION: u32 = 1;
/// Size limit of a baseline in bytes.
const MAX_BASELINE: u64 = 64 << 20;

/// A baseline file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    version: u32,
    /// Counts and fingerprints by path, relative to the baseline, and by rule name.
    files: BTreeMap<String, BTreeMap<String, Known>>,
}

/// The path of a baseline, and who named it: the user, or a configuration that was found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GivenBaseline {
    /// The path.
    pub path: PathBuf,
    /// Who named the path.
    pub named: Named,
}

impl GivenBaseline {
    /// Reads the baseline; the error is the reason why it cannot be used.
    pub fn read(&self) -> Result<Baseline, String> {
        let text = found_text(&self.path, &self.named, MAX_BASELINE);
        Baseline::parse(&text.map_err(|cause| cause.to_string())?.text)
    }
}

/// The known findings of a rule in a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    count: usize,
    /// Fingerprints of the findings; there may be fewer than findings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    seen: Vec<String>,
}

/// Returns the name of a file in a baseline: its path relative to the folder of the baseline, with forward slashes.
pub fn name_in(baseline: &Path, file: &Path) -> String {
    let folder = baseline.parent().unwrap_or(baseline);
    let relative = file.strip_prefix(folder).unwrap_or(file);
    relative.to_string_lossy().replace('\\', "/")
}

impl Default for Baseline {
    fn default() -> Self {
        Baseline {
            version: VERSION,
            files: BTreeMap::new(),
        }
    }
}

/// The effect of a baseline on the findings of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effect {
    /// The findings that it hides.
    pub hidden: Vec<Finding>,
    /// The number of findings that it counts but that are gone.
    pub gone: usize,
}

impl Baseline {
    /// Parses a baseline; the error says where it is malformed.
    pub fn parse(text: &str) -> Result<Baseline, String> {
        // The malformed text is not quoted: an untrusted configuration may name any file as its baseline.
        let baseline: Baseline = serde_json::from_str(text).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            format!("it is no baseline (line {line}, column {column})")
        })?;
        match baseline.version {
            VERSION => Ok(baseline),
            other => Err(format!("version {other} of the baseline is not known here")),
        }
    }

    /// Renders the baseline as JSON with a final newline.
    pub fn render(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("every key is a string");
        text + "\n"
    }

    /// Returns the number of findings that it counts.
    pub fn len(&self) -> usize {
        let rules = self.files.values().flat_map(BTreeMap::values);
        rules.map(|known| known.count).sum()
    }

    /// Returns whether it counts no findings.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Iterates over the names of its files.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Removes the known findings of a file from `findings`: those with known fingerprints first, then the first of
    /// the others, up to the count of their rule.
    pub fn hide(&self, path: &str, source: &SourceText, findings: &mut Vec<Finding>) -> Effect {
        let Some(rules) = self.files.get(path) else {
            return Effect::default();
        };
        let prints = fingerprints(source, findings);
        let mut hidden = BTreeSet::new();
        let mut gone = 0;
        for (rule, known) in rules {
            let found: Vec<usize> = (0..findings.len())
                .filter(|&at| findings[at].name == rule)
                .collect();
            gone += known.count.saturating_sub(found.len());
            let is_seen = |at: &usize| known.seen.contains(&prints[*at]);
            let (seen, other): (Vec<usize>, Vec<usize>) = found.into_iter().partition(is_seen);
            hidden.extend(seen.into_iter().chain(other).take(known.count));
        }
        let (mut kept, mut taken) = (Vec::new(), Vec::new());
        for (at, finding) in std::mem::take(findings).into_iter().enumerate() {
            match hidden.contains(&at) {
                true => taken.push(finding),
                false => kept.push(finding),
            }
        }
        *findings = kept;
        Effect {
            hidden: taken,
            gone,
        }
    }

    /// Replaces the counts of a file by its present findings.
    pub fn record(&mut self, path: &str, source: &SourceText, findings: &[Finding]) {
        let mut rules: BTreeMap<String, Known> = BTreeMap::new();
        for (finding, print) in findings.iter().zip(fingerprints(source, findings)) {
            let known = rules.entry(finding.name.to_owned()).or_default();
            known.count += 1;
            known.seen.push(print);
        }
        match rules.is_empty() {
            true => self.files.remove(path),
            false => self.files.insert(path.to_owned(), rules),
        };
    }

    /// Lowers the counts of a file to its present findings, which must be complete.
    pub fn prune(&mut self, path: &str, source: &SourceText, findings: &[Finding]) {
        let Some(rules) = self.files.get_mut(path) else {
            return;
        };
        let prints = fingerprints(source, findings);
        rules.retain(|rule, known| {
            let found = findings.iter().zip(&prints);
            let found: Vec<&String> = found
                .filter(|(finding, _)| finding.name == rule)
                .map(|(_, print)| print)
                .collect();
            known.count = known.count.min(found.len());
            known.seen.retain(|print| found.contains(&print));
            known.count > 0
        });
        if rules.is_empty() {
            self.files.remove(path);
        }
    }

    /// Removes a file.
    pub fn forget(&mut self, path: &str) {
        self.files.remove(path);
    }

    /// Returns the number of findings that are counted for a file.
    pub fn count_of(&self, path: &str) -> usize {
        let rules = self.files.get(path).into_iter().flat_map(BTreeMap::values);
        rules.map(|known| known.count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use a2lint_rules::{Sink, find};
    use a2lint_source::text::Span;

    fn findings(text: &str) -> Vec<Finding> {
        let rule = find("dup-coverage").expect("a rule");
        let mut findings = Vec::new();
        for (at, _) in text.match_indices("bad(") {
            Sink::new(rule, &mut findings).report(Span::new(at, at + 3), "");
        }
        findings
    }

    /// Returns the offsets of the findings that stay, and the numbers of hidden and of gone findings.
    fn hide(baseline: &Baseline, text: &str) -> (Vec<u32>, [usize; 2]) {
        let mut findings = findings(text);
        let effect = baseline.hide("k.py", &SourceText::new(text), &mut findings);
        let shown = findings.iter().map(|f| f.span.start).collect();
        (shown, [effect.hidden.len(), effect.gone])
    }

    #[test]
    fn known_findings_are_hidden_and_the_new_one_is_shown() {
        let old: String = (0..100).map(|at| format!("bad({at})\n")).collect();
        let mut baseline = Baseline::default();
        baseline.record("k.py", &SourceText::new(old.as_str()), &findings(&old));
        assert_eq!(baseline.len(), 100);
        let again = Baseline::parse(&baseline.render()).expect("our own text");
        assert_eq!(again, baseline);
        assert_eq!(hide(&baseline, &old), (vec![], [100, 0]));
        let new = format!("# moved down\n\nbad(new)\n{old}");
        let (shown, [hidden, _]) = hide(&baseline, &new);
        assert_eq!(shown, [new.find("bad(new)").expect("it is there") as u32]);
        assert_eq!(hidden, 100);
        assert_eq!(findings(&old).len(), 100);
    }

    #[test]
    fn fixed_findings_are_asked_for_and_pruned() {
        let old = "bad(1)\nbad(2)\n";
        let mut baseline = Baseline::default();
        baseline.record("k.py", &SourceText::new(old), &findings(old));
        let new = "bad(2)\n";
        assert_eq!(hide(&baseline, new), (vec![], [1, 1]));
        baseline.prune("k.py", &SourceText::new(new), &findings(new));
        assert_eq!(baseline.len(), 1);
        assert_eq!(hide(&baseline, old).0.len(), 1);
        baseline.prune("k.py", &SourceText::new(""), &[]);
        assert!(baseline.is_empty());
    }

    #[test]
    fn other_layouts_are_refused() {
        assert!(Baseline::parse("{\"version\": 2, \"files\": {}}").is_err());
        assert!(Baseline::parse("[]").is_err());
    }
}

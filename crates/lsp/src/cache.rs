//! Cache of findings, proofs and replays of kernels, for kernels that have not changed.
//!
//! The findings in a kernel depend on its text, on the statements that bind the names it uses ([`Parts`]), on its
//! launches and on the settings. If all of these are equal to those of an earlier version, so are the findings, whose
//! spans move with their statements. Each document has one cache for the current settings, which the analyses of all
//! its versions share. A kernel in C++ depends on all of the text.

mod moves;

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use self::moves::Moves;
use super::parts::Parts;
use a2lint_ir::finding::Finding;
use a2lint_ir::{Launch, Module, Program};
use a2lint_lint::cache::{Digest, Digester};
use a2lint_project::{Modules, SourceMap};
use a2lint_prove::Proofs;
use a2lint_replay::Replay;
use a2lint_source::text::{SourceText, Span};

/// Number of kernels kept in addition to those of the latest version, so that undoing an edit finds them.
const MOST_FORMER: usize = 32;

/// The identity of a kernel: a digest of everything that its findings depend on, and the spans of these statements.
#[derive(Clone, Debug)]
pub struct Identity {
    key: Digest,
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    span: Span,
    line: usize,
}

impl Identity {
    /// Computes the identity of a kernel; `None` if its dependencies are unknown.
    pub fn of(
        modules: &Modules,
        module: &Module,
        program: &Program,
        parts: &Parts,
    ) -> Option<Identity> {
        // A kernel that a factory builds (with `[` in its name) depends on the arguments of the factory's call as
        // well.
        if program.name.contains('[') {
            return None;
        }
        let spans = parts.behind(program.span)?;
        let own = spans
            .iter()
            .position(|part| part.start <= program.span.start && program.span.end <= part.end)?;
        let (mut hasher, source) = (Digester::default(), &modules.map.own);
        for text in modules.imported() {
            text.as_str().hash(&mut hasher);
        }
        for part in &spans {
            source.slice(*part).hash(&mut hasher);
        }
        (own, program.span.start - spans[own].start).hash(&mut hasher);
        digest_kernel(&mut hasher, module, program);
        Some(Identity::new(hasher, spans, source))
    }

    /// Computes the identity of a kernel in a text of which nothing may change, such as one in C++.
    pub fn of_text(map: &SourceMap, module: &Module, program: &Program) -> Identity {
        let mut hasher = Digester::default();
        let mut spans = Vec::new();
        for (base, text) in map.placed() {
            text.as_str().hash(&mut hasher);
            base.hash(&mut hasher);
            spans.push(Span::new(base, base + text.as_str().len()));
        }
        digest_kernel(&mut hasher, module, program);
        Identity::new(hasher, spans, &map.own)
    }

    fn new(hasher: Digester, spans: Vec<Span>, source: &SourceText) -> Identity {
        let part = |span: Span| Part {
            span,
            line: source.line_index(span.start),
        };
        Identity {
            key: hasher.digest(),
            parts: spans.into_iter().map(part).collect(),
        }
    }

    /// Moves a span from the version of another identity to this one; `None` if it is in none of the statements.
    fn moved(&self, span: Span, from: &Identity) -> Option<Span> {
        let mut parts = from.parts.iter().zip(&self.parts);
        let is_inside = |part: &Part| part.span.start <= span.start && span.end <= part.span.end;
        let (old, new) = parts.find(|(old, _)| is_inside(old))?;
        Some(Span {
            start: span.start - old.span.start + new.span.start,
            end: span.end - old.span.start + new.span.start,
        })
    }

    /// Returns whether every statement is on the same line as in the other version.
    fn is_on_the_lines_of(&self, other: &Identity) -> bool {
        let mut parts = self.parts.iter().zip(&other.parts);
        parts.all(|(a, b)| a.line == b.line)
    }
}

/// Adds what a kernel depends on beside texts: its contract, its launches, and the sizes of its trace.
fn digest_kernel(hasher: &mut Digester, module: &Module, program: &Program) {
    (&program.name, extent(program)).hash(hasher);
    // The contract is in comments above the statement, which its span does not include.
    let contract = &program.contract;
    contract.texts().for_each(|text| text.hash(hasher));
    contract.is_unclear.hash(hasher);
    let launches = module.launches.iter();
    // Destructured, so that a new field must be considered here. Spans are left out, since launches may move.
    for launch in launches.filter(|launch| launch.kernel == program.name) {
        let Launch {
            kernel: _,
            tensors,
            scalars,
            floats,
            span: _,
            place,
            origin,
            block_dim,
            seeds_outputs,
            passing: _,
        } = launch;
        format!("{tensors:?} {scalars:?} {floats:?} {place:?} {origin:?}").hash(hasher);
        (block_dim, seeds_outputs).hash(hasher);
    }
}

/// Returns sizes of a traced program, which differ if the trace changed for a reason outside of the text.
fn extent(program: &Program) -> [usize; 8] {
    [
        program.stmt_count as usize,
        program.scalars.len(),
        program.variables.len(),
        program.buffers.len(),
        program.globals.len(),
        program.origins.len(),
        program.notes.len(),
        program.unknown.len(),
    ]
}

/// The cached results for a kernel.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The findings at their present spans, including those of the replay; `None` if they cannot be moved.
    pub findings: Option<Vec<Finding>>,
    /// The findings at former lines, if their texts name lines that have moved.
    pub former: Vec<Finding>,
    /// The replay, if there was one.
    pub replay: Option<Arc<Replay>>,
    /// The proofs after the replay.
    pub proofs: Proofs,
}

/// The cache of a document.
#[derive(Debug, Default)]
pub struct Cache(Mutex<Memory>);

#[derive(Debug, Default)]
struct Memory {
    entries: HashMap<Digest, Entry>,
    /// The number of the latest access, by which entries are ordered.
    clock: u64,
}

#[derive(Debug)]
struct Entry {
    identity: Identity,
    findings: Vec<Finding>,
    replay: Option<Arc<Replay>>,
    proofs: Proofs,
    used: u64,
}

impl Cache {
    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the results for a kernel, moved to its present place.
    pub fn get(&self, identity: &Identity) -> Known {
        let mut memory = self.memory();
        memory.clock += 1;
        let clock = memory.clock;
        let Some(entry) = memory.entries.get_mut(&identity.key) else {
            return Known::default();
        };
        entry.used = clock;
        let moves = Moves {
            from: &entry.identity,
            to: identity,
        };
        let found = entry.findings.iter();
        let findings: Option<_> = found.map(|finding| moves.finding(finding)).collect();
        Known {
            former: match &findings {
                Some(_) => Vec::new(),
                None => entry.findings.clone(),
            },
            findings,
            replay: entry.replay.clone(),
            proofs: moves.proofs(&entry.proofs),
        }
    }

    /// Stores the results for a kernel.
    pub fn put(
        &self,
        identity: &Identity,
        findings: &[Finding],
        replay: Option<Arc<Replay>>,
        proofs: Proofs,
    ) {
        let mut memory = self.memory();
        memory.clock += 1;
        let entry = Entry {
            identity: identity.clone(),
            findings: findings.to_vec(),
            replay,
            proofs,
            used: memory.clock,
        };
        memory.entries.insert(identity.key, entry);
    }

    /// Removes the entries that were used least recently; `kernels` is the number of kernels in the current version.
    pub fn trim(&self, kernels: usize) {
        let mut memory = self.memory();
        let most = kernels + MOST_FORMER;
        if memory.entries.len() <= most {
            return;
        }
        let mut used: Vec<u64> = memory.entries.values().map(|entry| entry.used).collect();
        used.sort_unstable_by(|a, b| b.cmp(a));
        let oldest = used[most - 1];
        memory.entries.retain(|_, entry| entry.used >= oldest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use a2lint_analysis::KernelFacts;
    use a2lint_lint::check::{Settings, in_order, kernel_findings_again, trace};
    use a2lint_source::text::SourceText;
    use a2lint_syntax::python::Syntax;
    use a2lint_syntax::python::scopes::Scopes;

    const TEXT: &str = r#"from easyasc.a2 import *
import torch

WIDTH = 8
DEPTH = 2

@kernel()
def first(x: GMTensor):
    a = Tensor(DT.float, [64, WIDTH], Position.UB)
    fill(a)
    x[0:64, 0:8] <<= a

def fill(t):
    dup(t, 1.0)

@kernel()
def second(x: GMTensor, DEPTH: Var):
    b = Tensor(DT.float, [64, 8], Position.UB)
    dup(b, 2.0)
    x[0:64, 0:8] <<= b

if __name__ == "__main__":
    M = 64
    OpExec(first, "")(torch.ones(M, 8))
    OpExec(second, "")(torch.ones(M, 8), 3)
"#;

    /// Findings of a text, and the kernels that were checked.
    fn run(text: &str, cache: &Cache) -> (Vec<Finding>, Vec<String>) {
        let source = SourceText::new(text);
        let syntax = Syntax::of(&source);
        let modules = Modules::alone(&source);
        let module = trace(&modules, &syntax, &Settings::default());
        let parts = Parts::of(&source, &syntax.file, &Scopes::of(&syntax.file));
        let settings = Settings::default();
        let rules = settings.rules();
        let mut checked = Vec::new();
        let mut findings = Vec::new();
        for program in &module.programs {
            let identity = Identity::of(&modules, &module, program, &parts).expect("it parses");
            let known = cache.get(&identity);
            findings.extend(known.findings.unwrap_or_else(|| {
                checked.push(program.name.to_string());
                let replay = known.replay.unwrap_or_else(|| {
                    checked.push(format!("{} runs", program.name));
                    let replay = settings.replay_unless(&|| false, program, &module);
                    Arc::new(replay.expect("nobody takes it back"))
                });
                let facts = KernelFacts::of(program);
                let before = &known.former;
                let found =
                    kernel_findings_again(&modules.map, &module, &facts, &rules, &replay, before);
                cache.put(&identity, &found, Some(replay), Proofs::default());
                found
            }));
        }
        (in_order(findings), checked)
    }

    #[test]
    fn only_what_has_changed_is_checked_again() {
        let cache = Cache::default();
        let all = ["first", "first runs", "second", "second runs"];
        let (found, checked) = run(TEXT, &cache);
        assert_eq!(checked, all);
        assert!(!found.is_empty());
        let (first, second) = (&all[..2], &all[2..]);
        for (old, new, again) in [
            ("fill(a)", "fill(a)  # 填充", first),
            ("dup(b, 2.0)", "dup(b, 3.0)", second),
            ("DEPTH = 2", "DEPTH = 3", &[]),
            ("# nothing", "", &[]),
            ("dup(t, 1.0)", "dup(t, 2.0)", first),
            ("WIDTH = 8", "WIDTH = 16", first),
            ("second(x", "other(x", &["other", "other runs"]),
            ("ones(M, 8), 3", "ones(M, 8), 4", second),
            (
                "@kernel()\ndef second",
                "# a2lint: assume(DEPTH > 2)\n@kernel()\ndef second",
                second,
            ),
            (
                "@kernel()\ndef second",
                "# a2lint: assume(DEPTH > 0)\n@kernel()\ndef second",
                second,
            ),
            ("M = 64", "M = 32", &all),
            ("import *", "import *  # everything", &all),
        ] {
            let text = TEXT.replace(old, new);
            let (found, checked) = run(&text, &cache);
            assert_eq!(checked, again, "{new}");
            assert_eq!(found, run(&text, &Cache::default()).0, "{new}");
        }
        // Taking an edit back costs nothing.
        assert_eq!(run(TEXT, &cache).1, [""; 0]);
    }

    #[test]
    fn what_has_moved_is_found_where_it_is() {
        let cache = Cache::default();
        run(TEXT, &cache);
        for (old, new) in [
            ("WIDTH = 8", "\n\nWIDTH = 8"),
            ("def fill", "# 行\ndef fill"),
            ("WIDTH = 8\nDEPTH = 2\n", "DEPTH = 2\nWIDTH = 8\n"),
        ] {
            let text = TEXT.replace(old, new);
            let (found, checked) = run(&text, &cache);
            assert!(
                checked.iter().all(|it| !it.ends_with("runs")),
                "{new}: {checked:?}"
            );
            assert_eq!(found, run(&text, &Cache::default()).0, "{new}");
        }
    }

    #[test]
    fn little_is_remembered_for_long() {
        let cache = Cache::default();
        for number in 0..100 {
            run(&TEXT.replace("1.0", &number.to_string()), &cache);
            cache.trim(2);
        }
        assert_eq!(cache.memory().entries.len(), 2 + MOST_FORMER);
    }
}

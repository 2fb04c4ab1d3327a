//! Findings and replays of kernels that have not changed.
//!
//! What is found in a kernel depends on its text, on the statements that bind what it names
//! ([`Parts`]), on its launches and on the settings. Where all of that is what it was at some
//! earlier time, the findings are too; their places move with the statements they stand in. There
//! is one cache for a document under the same settings, shared by all analyses of its versions.

mod moves;

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use self::moves::Moves;
use super::parts::Parts;
use a2lint_ir::finding::Finding;
use a2lint_ir::{Launch, Module, Program};
use a2lint_lint::cache::{Digest, Digester};
use a2lint_project::Modules;
use a2lint_prove::Proofs;
use a2lint_replay::Replay;
use a2lint_source::text::Span;

/// Kernels that are remembered beyond those of the latest version: what undoing an edit brings back.
const MOST_FORMER: usize = 32;

/// What tells a kernel, and where the statements that it depends on stand.
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
    /// The identity of a kernel; `None` where nobody can say what it depends on.
    pub fn of(
        modules: &Modules,
        module: &Module,
        program: &Program,
        parts: &Parts,
    ) -> Option<Identity> {
        // What a factory builds depends on the arguments of its call as well.
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
        (&program.name, extent(program)).hash(&mut hasher);
        // It is written above the statement.
        let contract = &program.contract;
        contract.texts().for_each(|text| text.hash(&mut hasher));
        contract.is_unclear.hash(&mut hasher);
        let launches = module.launches.iter();
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
            format!("{tensors:?} {scalars:?} {floats:?} {place:?} {origin:?}").hash(&mut hasher);
            (block_dim, seeds_outputs).hash(&mut hasher);
        }
        let part = |&span: &Span| Part {
            span,
            line: source.line_index(span.start),
        };
        Some(Identity {
            key: hasher.digest(),
            parts: spans.iter().map(part).collect(),
        })
    }

    /// Where a span of an earlier version is now; `None` where it stood in none of the statements.
    fn moved(&self, span: Span, from: &Identity) -> Option<Span> {
        let mut parts = from.parts.iter().zip(&self.parts);
        let is_inside = |part: &Part| part.span.start <= span.start && span.end <= part.span.end;
        let (old, new) = parts.find(|(old, _)| is_inside(old))?;
        Some(Span {
            start: span.start - old.span.start + new.span.start,
            end: span.end - old.span.start + new.span.start,
        })
    }

    /// Whether every statement stands on the line where it stood.
    fn is_on_the_lines_of(&self, other: &Identity) -> bool {
        let mut parts = self.parts.iter().zip(&other.parts);
        parts.all(|(a, b)| a.line == b.line)
    }
}

/// Numbers that a traced kernel has; they differ where a trace differs for any other reason.
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

/// What is remembered of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// What was found, if all of it can be told from here: with what the replay shows, if there
    /// was one.
    pub findings: Option<Vec<Finding>>,
    /// What was found where the kernel stood on other lines, if findings name them.
    pub former: Vec<Finding>,
    /// What the replay showed, if there was one.
    pub replay: Option<Arc<Replay>>,
    /// What was proved after it.
    pub proofs: Proofs,
}

/// Everything that is remembered of a document.
#[derive(Debug, Default)]
pub struct Cache(Mutex<Memory>);

#[derive(Debug, Default)]
struct Memory {
    entries: HashMap<Digest, Entry>,
    /// Number of the latest access.
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

    /// What is remembered of a kernel, moved to where it stands now.
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

    /// Remembers what was found in a kernel.
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

    /// Forgets what has not been used for long; `kernels` are those of the current version.
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

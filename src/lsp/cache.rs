//! Findings of kernels that have not changed since the version before.
//!
//! What rules find in a kernel depends on its text, on the text outside of all kernels (imports,
//! constants, helpers, launches) and on the settings. Where all three are what they were, the
//! findings are too; their places move with the text they stand in.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::settings::Settings;
use crate::finding::Finding;
use crate::ir::Program;
use crate::text::{SourceText, Span};

/// What one version leaves to the next.
#[derive(Clone, Debug)]
pub struct Kept {
    settings: Arc<Settings>,
    layout: Layout,
    /// Hash of the text outside of all kernels.
    outside: u64,
    /// Hash of its text, and the findings, of each kernel.
    kernels: Vec<(u64, Vec<Finding>)>,
}

/// Which part of a text belongs to which kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Layout(Vec<Span>);

/// The findings of every kernel, in order; those of the version before where it has them, else
/// what `check` finds.
pub fn findings(
    source: &SourceText,
    programs: &[Program],
    settings: &Arc<Settings>,
    before: Option<&Kept>,
    mut check: impl FnMut(&Program) -> Vec<Finding>,
) -> (Vec<Finding>, Option<Kept>) {
    let Some(layout) = Layout::of(programs) else {
        return (programs.iter().flat_map(check).collect(), None);
    };
    let outside = layout.hash_outside(source);
    let same =
        |before: &&Kept| before.outside == outside && Arc::ptr_eq(&before.settings, settings);
    let before = before.filter(same);
    let mut kernels = Vec::new();
    for (index, program) in programs.iter().enumerate() {
        let hash = hash(source.slice(program.span));
        let known = before.filter(|_| stands_alone(source, program, programs));
        let known = known.and_then(|before| {
            let at = before
                .kernels
                .iter()
                .position(|(known, _)| *known == hash)?;
            let moves = Moves {
                from: &before.layout,
                to: &layout,
                kernels: (at, index),
            };
            let found = before.kernels[at].1.iter();
            found
                .map(|finding| moves.finding(finding))
                .collect::<Option<Vec<_>>>()
        });
        kernels.push((hash, known.unwrap_or_else(|| check(program))));
    }
    let all = kernels
        .iter()
        .flat_map(|(_, found)| found.iter().cloned())
        .collect();
    let kept = Kept {
        settings: settings.clone(),
        layout,
        outside,
        kernels,
    };
    (all, Some(kept))
}

/// Whether a kernel names no other one: a kernel that calls another depends on its text too.
fn stands_alone(source: &SourceText, program: &Program, programs: &[Program]) -> bool {
    let text = source.slice(program.span);
    let mut others = programs.iter().filter(|other| other.span != program.span);
    !others.any(|other| text.contains(&other.name))
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

impl Layout {
    /// The spans of kernels; `None` where they overlap.
    fn of(programs: &[Program]) -> Option<Layout> {
        let spans: Vec<Span> = programs.iter().map(|program| program.span).collect();
        let is_apart = |pair: &[Span]| pair[0].end <= pair[1].start;
        spans.windows(2).all(is_apart).then_some(Layout(spans))
    }

    fn hash_outside(&self, source: &SourceText) -> u64 {
        let mut hasher = DefaultHasher::new();
        let mut start = 0;
        for span in &self.0 {
            source
                .slice(Span {
                    start,
                    end: span.start,
                })
                .hash(&mut hasher);
            start = span.end;
        }
        let end = source.as_str().len() as u32;
        source.slice(Span { start, end }).hash(&mut hasher);
        hasher.finish()
    }

    /// Where an offset outside of kernels would be if there were none; `None` inside of one.
    fn without_kernels(&self, offset: u32) -> Option<u32> {
        let mut before = 0;
        for span in &self.0 {
            if offset < span.start {
                break;
            }
            if offset < span.end {
                return None;
            }
            before += span.end - span.start;
        }
        Some(offset - before)
    }

    /// The other way round.
    fn with_kernels(&self, mut offset: u32) -> u32 {
        for span in &self.0 {
            if offset < span.start {
                break;
            }
            offset += span.end - span.start;
        }
        offset
    }
}

/// How places move from one version to the next.
struct Moves<'a> {
    from: &'a Layout,
    to: &'a Layout,
    /// Number of the kernel in both.
    kernels: (usize, usize),
}

impl Moves<'_> {
    /// A span of the kernel, or of the text outside of all kernels.
    fn span(&self, span: Span) -> Option<Span> {
        let (from, to) = (self.from.0[self.kernels.0], self.to.0[self.kernels.1]);
        if from.start <= span.start && span.end <= from.end {
            return Some(Span {
                start: span.start - from.start + to.start,
                end: span.end - from.start + to.start,
            });
        }
        let start = self.to.with_kernels(self.from.without_kernels(span.start)?);
        Some(Span {
            start,
            end: start + (span.end - span.start),
        })
    }

    fn finding(&self, finding: &Finding) -> Option<Finding> {
        let mut moved = finding.clone();
        moved.span = self.span(moved.span)?;
        for label in &mut moved.labels {
            label.span = self.span(label.span)?;
        }
        for edit in moved.fix.iter_mut().flat_map(|fix| &mut fix.edits) {
            edit.span = self.span(edit.span)?;
        }
        Some(moved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{self, in_order, kernel_findings};
    use crate::frontend::easyasc::trace;
    use crate::replay::Replay;

    const TEXT: &str = r#"from easyasc.a2 import *

WIDTH = 8

@kernel()
def first(x: GMTensor):
    a = Tensor(DT.float, [64, WIDTH], Position.UB)
    fill(a)
    x[0:64, 0:8] <<= a

def fill(t):
    dup(t, 1.0)

@kernel()
def second(x: GMTensor):
    b = Tensor(DT.float, [64, WIDTH], Position.UB)
    fill(b)
    x[0:64, 0:8] <<= b
"#;

    /// Findings of a text, those kept, and the kernels that were checked.
    fn run(
        text: &str,
        settings: &Arc<Settings>,
        before: Option<&Kept>,
    ) -> (Vec<Finding>, Kept, Vec<String>) {
        let source = SourceText::new(text);
        let module = trace(&source);
        let mut checked = Vec::new();
        let rules = check::Settings::default().rules();
        let (found, kept) = findings(&source, &module.programs, settings, before, |program| {
            checked.push(program.name.clone());
            kernel_findings(&source, &module, program, &rules, &Replay::default())
        });
        (in_order(found), kept.unwrap(), checked)
    }

    #[test]
    fn only_what_has_changed_is_checked_again() {
        let settings = Arc::default();
        let (found, kept, checked) = run(TEXT, &settings, None);
        assert_eq!(checked, ["first", "second"]);
        assert!(!found.is_empty());
        for (old, new, again) in [
            ("fill(a)", "fill(a)  # 填充", vec!["first"]),
            ("fill(b)", "\n    fill(b)", vec!["second"]),
            ("# nothing", "", vec![]),
            ("dup(t, 1.0)", "dup(t, 2.0)", vec!["first", "second"]),
            ("WIDTH = 8", "WIDTH = 16", vec!["first", "second"]),
            ("second(x", "other(x", vec!["other"]),
        ] {
            let text = TEXT.replace(old, new);
            let (found, _, checked) = run(&text, &settings, Some(&kept));
            assert_eq!(checked, again, "{new}");
            assert_eq!(found, run(&text, &settings, None).0, "{new}");
        }
    }

    #[test]
    fn other_settings_check_everything() {
        let (_, kept, _) = run(TEXT, &Arc::default(), None);
        let (_, _, checked) = run(TEXT, &Arc::default(), Some(&kept));
        assert_eq!(checked, ["first", "second"]);
    }

    #[test]
    fn kernels_that_name_others_are_checked_always() {
        let settings = Arc::default();
        let text = TEXT.replace("fill(b)", "fill(b)  # like first");
        let (_, kept, _) = run(&text, &settings, None);
        let (_, _, checked) = run(&text, &settings, Some(&kept));
        assert_eq!(checked, ["second"]);
    }
}

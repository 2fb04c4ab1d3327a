//! Suppression comments: parsing, lookup, insertion and removal.
//!
//! `# a2lint: ignore[dup-coverage] reason` silences a statement, `disable[…]` to `enable[…]` a region,
//! `file-ignore[…]` the file; the comment sign is `//` in languages that use it. Rules are given by name or code.
//! The scope of a comment is decided by the layout of the text alone, so that it works for every language and for
//! files that do not parse.

mod directive;
mod insert;
mod layout;

pub use directive::{Directive, Entry, Keyword, Problem};
pub use insert::{can_be_ignored, ignore_edits};
pub use layout::Layout;

use std::collections::{BTreeMap, HashSet};

use rustc_hash::FxHashMap;

use a2lint_ir::finding::{Edit, Finding};
use a2lint_source::language::Language;
use a2lint_source::text::{SourceText, Span};

/// The mark that starts every comment for the checker.
const MARK: &str = "a2lint:";

/// The suppressions of one file, and which of them were used.
#[derive(Debug, Default)]
pub struct Suppressions {
    /// The comments, in source order.
    pub directives: Vec<Directive>,
    /// Comments that cannot be read.
    pub problems: Vec<Problem>,
    /// Indices of directives and entries by the rule name in lower case. `enable` is left out: it silences
    /// nothing.
    named: FxHashMap<String, Vec<[usize; 2]>>,
}

impl Suppressions {
    /// Reads the suppressions of a file.
    pub fn of(source: &SourceText, language: Language) -> Suppressions {
        if !source.as_str().contains(MARK) {
            return Suppressions::default();
        }
        let layout = Layout::of(source.as_str(), language);
        let mut suppressions = Suppressions::default();
        for &comment in &layout.comments {
            directive::read(source, &layout, comment, &mut suppressions);
        }
        suppressions.close_regions(source);
        suppressions.index();
        suppressions
    }

    /// Sets the scope of every `disable`: up to the `enable` that names the rule, or to the end of the file.
    ///
    /// Runs backwards and keeps the next `enable` of each rule, so that the cost is linear in the number of
    /// names.
    fn close_regions(&mut self, source: &SourceText) {
        let end = source.as_str().len() as u32;
        let mut next: FxHashMap<&'static str, [usize; 2]> = FxHashMap::default();
        for at in (0..self.directives.len()).rev() {
            match self.directives[at].keyword {
                Keyword::Enable => {
                    let entries = self.directives[at].entries.iter().enumerate().rev();
                    next.extend(
                        entries.filter_map(|(entry, it)| Some((it.rule?.name, [at, entry]))),
                    );
                }
                Keyword::Disable => {
                    let start = self.directives[at].span.end;
                    for entry in 0..self.directives[at].entries.len() {
                        let rule = self.directives[at].entries[entry].rule;
                        let closing = rule.and_then(|rule| next.get(rule.name)).copied();
                        let closing = closing.map(|[at, entry]| {
                            let closing = &mut self.directives[at].entries[entry];
                            closing.used = true;
                            closing.place
                        });
                        let entry = &mut self.directives[at].entries[entry];
                        let end = closing.map_or(end, |place| place.start);
                        entry.scope = Span { start, end };
                        entry.ending = closing;
                    }
                }
                Keyword::Ignore | Keyword::FileIgnore => {}
            }
        }
    }

    /// Indexes entries by name and code, so that the lookup for a finding visits only entries of its rule.
    fn index(&mut self) {
        for (at, directive) in self.directives.iter().enumerate() {
            if directive.keyword == Keyword::Enable {
                continue;
            }
            for (entry, it) in directive.entries.iter().enumerate() {
                if it.rule.is_some() {
                    let key = it.name.to_ascii_lowercase();
                    self.named.entry(key).or_default().push([at, entry]);
                }
            }
        }
    }

    /// Returns whether a finding is silenced. Marks the narrowest entry that silences it as used.
    pub fn silences(&mut self, finding: &Finding) -> bool {
        self.silences_at(finding, finding.span)
    }

    /// Same as `silences`, for a finding about a place in this text that is shown elsewhere.
    pub fn silences_at(&mut self, finding: &Finding, place: Span) -> bool {
        if self.named.is_empty() {
            return false;
        }
        let by = |key: &str| self.named.get(key).into_iter().flatten().copied();
        let code = finding.code.to_ascii_lowercase();
        let silencing = by(finding.name)
            .chain(by(&code))
            .filter(|&[at, entry]| {
                self.directives[at].entries[entry]
                    .scope
                    .touches(place.start)
            })
            .min_by_key(|&[at, entry]| (self.directives[at].keyword, at, entry));
        match silencing {
            Some([at, entry]) => {
                self.directives[at].entries[entry].used = true;
                true
            }
            None => false,
        }
    }

    /// Returns the edits that remove entries from a directive, together with the `enable`s that end them. A
    /// comment without remaining entries is removed as a whole.
    pub fn removal(&self, source: &SourceText, directive: &Directive, gone: &[usize]) -> Vec<Edit> {
        let own = gone.iter().map(|&at| directive.entries[at].place);
        let mut edits: Vec<Edit> = removal_from(source, directive, &own.collect())
            .into_iter()
            .collect();
        let mut endings: BTreeMap<usize, HashSet<Span>> = BTreeMap::new();
        for place in gone.iter().filter_map(|&at| directive.entries[at].ending) {
            let holder = self
                .directives
                .partition_point(|it| it.span.end <= place.start);
            endings.entry(holder).or_default().insert(place);
        }
        for (holder, places) in endings {
            let holder = self.directives.get(holder);
            edits.extend(holder.and_then(|holder| removal_from(source, holder, &places)));
        }
        edits
    }
}

/// Returns the edit that removes the entries at these places from a directive; `None` if it has none of them.
fn removal_from(
    source: &SourceText,
    directive: &Directive,
    places: &HashSet<Span>,
) -> Option<Edit> {
    let kept: Vec<&str> = directive
        .entries
        .iter()
        .filter(|entry| !places.contains(&entry.place))
        .map(|entry| source.slice(entry.place))
        .collect();
    if kept.len() == directive.entries.len() {
        return None;
    }
    Some(match kept.is_empty() {
        true => Edit {
            span: comment_with_space(source, directive.span),
            text: String::new(),
        },
        false => Edit {
            span: directive.list,
            text: kept.join(", "),
        },
    })
}

/// Returns the span of a comment with the space before it, or of its whole line if nothing else is on it.
fn comment_with_space(source: &SourceText, comment: Span) -> Span {
    let line_index = source.line_index(comment.start);
    let line = source.line_span(line_index).unwrap_or(comment);
    let lead = source.slice(Span {
        end: comment.start,
        ..line
    });
    let alone = lead.trim().is_empty() && comment.end >= line.end;
    match source.line_span(line_index + 1) {
        Some(next) if alone => Span {
            start: line.start,
            end: next.start,
        },
        _ => Span {
            start: line.start + lead.trim_end().len() as u32,
            end: comment.end,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::directive::MAX_NAMES;
    use super::*;
    use a2lint_ir::finding::{Basis, Severity};

    fn finding(name: &'static str, text: &str, needle: &str) -> Finding {
        let rule = crate::find(name).expect("a rule");
        let at = text.find(needle).expect("the needle");
        Finding {
            code: rule.code,
            name: rule.name,
            severity: Severity::Error,
            basis: Basis::Constants,
            message: String::new(),
            kernel: None,
            span: Span::new(at, at + needle.len()),
            labels: Vec::new(),
            help: None,
            fix: None,
            witness: None,
            ring: None,
            numbers: None,
            elsewhere: None,
            cause: None,
            also_in: Vec::new(),
        }
    }

    /// Returns whether a `dup-coverage` finding on `needle` is silenced.
    fn silenced(text: &str, needle: &str, language: Language) -> bool {
        let mut suppressions = Suppressions::of(&SourceText::new(text), language);
        suppressions.silences(&finding("dup-coverage", text, needle))
    }

    #[test]
    fn a_comment_in_after_or_above_a_statement_silences_it() {
        for text in [
            "a()\nbad(x)  # a2lint: ignore[dup-coverage] known\nb()\n",
            "a()\n# a2lint: ignore[COV001]\nbad(x)\n",
            "bad(\n    x,  # a2lint: ignore[dup-coverage, ub-overflow]\n)\n",
            "bad(\n    x,\n)  # a2lint: ignore[dup-coverage]\n",
            "bad(  # note  # a2lint: ignore[dup-coverage]\n    x)\n",
            "# a2lint: ignore[dup-coverage]\n# more words\n\nbad(x)\n",
            "bad(x, \\\n    y)  # a2lint:ignore[dup-coverage]\n",
            "# a2lint: ignore[dup-coverage]\n@kernel()\ndef bad(x):\n    pass\n",
        ] {
            assert!(silenced(text, "bad", Language::Easyasc), "{text}");
        }
        for text in [
            "a()  # a2lint: ignore[dup-coverage]\nbad(x)\n",
            "bad(x)\na()  # a2lint: ignore[dup-coverage]\n",
            "bad(x)  # a2lint: ignore[ub-overflow]\n",
            "bad('# a2lint: ignore[dup-coverage]')\n",
            "bad(\"\"\"\n# a2lint: ignore[dup-coverage]\n\"\"\")\n",
        ] {
            assert!(!silenced(text, "bad", Language::Easyasc), "{text}");
        }
    }

    #[test]
    fn regions_and_files_are_silenced() {
        let region =
            "# a2lint: disable[dup-coverage]\nbad(x)\n# a2lint: enable[dup-coverage]\nlate(x)\n";
        assert!(silenced(region, "bad", Language::Easyasc));
        assert!(!silenced(region, "late", Language::Easyasc));
        let open = "early()\n# a2lint: disable[COV001] all of it\nbad(x)\n";
        assert!(silenced(open, "bad", Language::Easyasc));
        assert!(!silenced(open, "early", Language::Easyasc));
        let file = "bad(x)\n# a2lint: file-ignore[dup-coverage]\n";
        assert!(silenced(file, "bad", Language::Easyasc));
    }

    #[test]
    fn languages_with_slashes_have_their_own_statements() {
        for text in [
            "a(); bad(x,\n   y); // a2lint: ignore[dup-coverage]\n",
            "// a2lint: ignore[dup-coverage]\nbad(x);\n",
            "for (int i = 0; i < bad; ++i) { // a2lint: ignore[dup-coverage]\n",
        ] {
            assert!(silenced(text, "bad", Language::Cpp), "{text}");
        }
        let text = "a('\"'); // a2lint: ignore[dup-coverage]\nbad(x);\n";
        assert!(!silenced(text, "bad", Language::Cpp));
        let ptx = "mma.sync {bad, %r2},\n  {%r3}; // a2lint: ignore[dup-coverage]\nnext;\n";
        assert!(silenced(ptx, "bad", Language::Ptx));
        let mlir = "func.func @f() {\n  bad %x // a2lint: ignore[dup-coverage]\n  late %y\n}\n";
        assert!(silenced(mlir, "bad", Language::Mlir));
        assert!(!silenced(mlir, "late", Language::Mlir));
    }

    #[test]
    fn the_narrowest_suppression_is_used() {
        let text = "# a2lint: file-ignore[dup-coverage]\nbad(x)  # a2lint: ignore[dup-coverage]\n";
        let mut all = Suppressions::of(&SourceText::new(text), Language::Easyasc);
        assert!(all.silences(&finding("dup-coverage", text, "bad")));
        let used: Vec<bool> = all.directives.iter().map(|d| d.entries[0].used).collect();
        assert_eq!(used, [false, true]);
    }

    #[test]
    fn a_comment_with_too_many_names_silences_nothing() {
        let text = |names: usize| {
            let names = vec!["dup-coverage"; names].join(",");
            format!("bad(x)  # a2lint: ignore[{names}]\n")
        };
        assert!(silenced(&text(MAX_NAMES), "bad", Language::Easyasc));
        let beyond = text(MAX_NAMES + 1);
        let all = Suppressions::of(&SourceText::new(beyond.as_str()), Language::Easyasc);
        assert!(all.directives.is_empty());
        let wanted = format!("`ignore` names {} rules", MAX_NAMES + 1);
        assert!(
            all.problems[0].message.starts_with(&wanted),
            "{:?}",
            all.problems
        );
    }

    #[test]
    fn the_next_enable_ends_each_region() {
        let text = "# a2lint: disable[dup-coverage]\n# a2lint: disable[dup-coverage]\n\
                    # a2lint: enable[dup-coverage, dup-coverage]\n# a2lint: enable[dup-coverage]\n";
        let all = Suppressions::of(&SourceText::new(text), Language::Easyasc);
        let endings: Vec<_> = all
            .directives
            .iter()
            .map(|it| it.entries[0].ending)
            .collect();
        let first = all.directives[2].entries[0].place;
        assert_eq!(endings, [Some(first), Some(first), None, None]);
        assert!(!all.directives[3].entries[0].used);
    }

    #[test]
    fn an_open_bracket_does_not_swallow_the_file() {
        let text = "a(  # a2lint: ignore[dup-coverage]\ndef f():\n    bad(x)\n";
        assert!(!silenced(text, "bad", Language::Easyasc));
    }
}

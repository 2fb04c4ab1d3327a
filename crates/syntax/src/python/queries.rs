//! The tree-sitter queries of `grammar/easyasc`.

use std::sync::LazyLock;

use tree_sitter::{Query, QueryCapture, QueryCursor, StreamingIterator};

use super::reading::Syntax;
use a2lint_source::text::{SourceText, Span};

static KERNELS: LazyLock<Query> =
    LazyLock::new(|| compile(include_str!("../../../../grammar/easyasc/kernels.scm")));
static ALLOCATIONS: LazyLock<Query> =
    LazyLock::new(|| compile(include_str!("../../../../grammar/easyasc/allocations.scm")));
static HIGHLIGHTS: LazyLock<Query> =
    LazyLock::new(|| compile(include_str!("../../../../grammar/easyasc/highlights.scm")));

/// An allocation whose result is assigned to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// The bound name.
    pub name: Span,
    /// The name of the called constructor.
    pub constructor: Span,
    /// The call.
    pub call: Span,
}

/// A span to be highlighted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// The span.
    pub span: Span,
    /// The name of the capture, which editors map to a colour.
    pub capture: &'static str,
}

/// Returns the functions decorated with `@kernel`, in source order, each from its first decorator to its end.
pub fn kernels(syntax: &Syntax, source: &SourceText) -> Vec<Span> {
    let aliases = aliases(syntax, source);
    let mut found = collect(&KERNELS, syntax, source, |found| {
        match found.span("candidate.word") {
            Some(word) if aliases.contains(&source.slice(word)) => {
                found.span("candidate.definition")
            }
            Some(_) => None,
            None => found.span("kernel.definition"),
        }
    });
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the allocations that are assigned to names.
pub fn allocations(syntax: &Syntax, source: &SourceText) -> Vec<Allocation> {
    collect(&ALLOCATIONS, syntax, source, |found| {
        Some(Allocation {
            name: found.span("allocation.name")?,
            constructor: found.span("allocation.constructor")?,
            call: found.span("allocation.call")?,
        })
    })
}

/// Returns the spans of DSL names in source order. Highlighting of plain Python is left to editors.
pub fn highlights(syntax: &Syntax, source: &SourceText) -> Vec<Highlight> {
    let query: &'static Query = &HIGHLIGHTS;
    let mut found: Vec<_> = collect(query, syntax, source, |found| {
        let one = |capture: &QueryCapture| Highlight {
            span: found.span_of(capture),
            capture: query.capture_names()[capture.index as usize],
        };
        Some(found.captures.iter().map(one).collect::<Vec<_>>())
    })
    .concat();
    found.sort_by_key(|highlight| (highlight.span, highlight.capture));
    found.dedup();
    found
}

/// Returns the names under which `kernel` is imported with `as`.
fn aliases<'s>(syntax: &Syntax, source: &'s SourceText) -> Vec<&'s str> {
    collect(&KERNELS, syntax, source, |found| {
        found.span("import.alias").map(|alias| source.slice(alias))
    })
}

/// One match of a query.
struct Found<'a> {
    query: &'a Query,
    captures: &'a [QueryCapture<'a>],
    /// Offset of the tree's text in the file.
    base: usize,
}

impl Found<'_> {
    /// Returns the span of a named capture; `None` if the match lacks it.
    fn span(&self, name: &str) -> Option<Span> {
        let index = self.query.capture_index_for_name(name)?;
        let capture = self.captures.iter().find(|found| found.index == index)?;
        Some(self.span_of(capture))
    }

    fn span_of(&self, capture: &QueryCapture) -> Span {
        let node = capture.node.byte_range();
        Span::new(self.base + node.start, self.base + node.end)
    }
}

fn collect<T>(
    query: &Query,
    syntax: &Syntax,
    source: &SourceText,
    mut read: impl FnMut(Found) -> Option<T>,
) -> Vec<T> {
    let mut cursor = QueryCursor::new();
    let mut all = Vec::new();
    for (span, tree) in syntax.trees() {
        let text = source.slice(span).as_bytes();
        let mut matches = cursor.matches(query, tree.root_node(), text);
        while let Some(found) = matches.next() {
            let captures = found.captures();
            let base = span.range().start;
            all.extend(read(Found {
                query,
                captures,
                base,
            }));
        }
    }
    all
}

fn compile(text: &str) -> Query {
    Query::new(&tree_sitter_python::LANGUAGE.into(), text)
        .expect("a test compiles every query of grammar/easyasc")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = r#"
import easyasc.a2 as m
from easyasc.a2 import kernel as k, func as device

@kernel
def bare(x): pass

@m.kernel(mode="vec")
@other
def behind_module(x):
    buf = m.DBuff(DT.half, [1, 64], Position.UB)
    n: Var = Var(0)
    i = helper(3)
    add(buf, buf, buf)
    n.set(4)
    y = add(buf)
    buf[0] <<= x[0:1, 0:64]
    n += 1
    with auto_sync():
        for j in range(4):
            m.bar_all()

@k()
def renamed(x):
    @kernel()
    def nested(y): pass

@func()
def helper(a): pass

@device
def helper2(a): pass

@kernels
def neither(a): pass
"#;

    fn sample() -> (Syntax, SourceText) {
        let source = SourceText::new(SAMPLE);
        (Syntax::of(&source), source)
    }

    #[test]
    fn every_query_compiles() {
        for query in [&KERNELS, &ALLOCATIONS, &HIGHLIGHTS] {
            assert!(query.pattern_count() > 0);
        }
    }

    #[test]
    fn kernels_in_every_spelling() {
        let (syntax, source) = sample();
        let found = kernels(&syntax, &source);
        let name = |span: &Span| {
            source
                .slice(*span)
                .split(['(', ' ', '\n'])
                .skip_while(|it| *it != "def")
                .nth(1)
        };
        let names: Vec<_> = found.iter().filter_map(name).collect();
        assert_eq!(names, ["bare", "behind_module", "renamed", "nested"]);
        assert!(
            source
                .slice(found[1])
                .starts_with("@m.kernel(mode=\"vec\")")
        );
    }

    #[test]
    fn allocations_are_found() {
        let (syntax, source) = sample();
        let allocated: Vec<_> = allocations(&syntax, &source)
            .iter()
            .map(|found| (source.slice(found.name), source.slice(found.constructor)))
            .collect();
        assert_eq!(allocated, [("buf", "DBuff"), ("n", "Var")]);
    }

    #[test]
    fn highlights_name_the_vocabulary() {
        let (syntax, source) = sample();
        let found: Vec<_> = highlights(&syntax, &source)
            .iter()
            .map(|highlight| (source.slice(highlight.span), highlight.capture))
            .collect();
        for expected in [
            ("kernel", "attribute"),
            ("DBuff", "type.builtin"),
            ("DT", "type"),
            ("half", "constant"),
            ("add", "function.call"),
            ("bar_all", "function.method.call"),
            ("<<=", "keyword.operator"),
            ("range", "keyword.repeat"),
            ("auto_sync", "keyword.directive"),
        ] {
            assert!(found.contains(&expected), "{expected:?} in {found:?}");
        }
    }
}

//! The tree-sitter queries of `grammar/easyasc`, which editors use, too.

use std::sync::LazyLock;

use tree_sitter::{Query, QueryCapture, QueryCursor, StreamingIterator};

use super::reading::Syntax;
use a2lint_source::text::{SourceText, Span};

static KERNELS: LazyLock<Query> =
    LazyLock::new(|| compile(include_str!("../../../../grammar/easyasc/kernels.scm")));
static ALLOCATIONS: LazyLock<Query> =
    LazyLock::new(|| compile(include_str!("../../../../grammar/easyasc/allocations.scm")));
static INSTRUCTIONS: LazyLock<Query> =
    LazyLock::new(|| compile(include_str!("../../../../grammar/easyasc/instructions.scm")));
static HIGHLIGHTS: LazyLock<Query> =
    LazyLock::new(|| compile(include_str!("../../../../grammar/easyasc/highlights.scm")));

/// A function with a decorator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The span of the name.
    pub name: Span,
    /// The decorator that makes it a kernel or a `@func`, including `@`.
    pub decorator: Span,
    /// From the first decorator to the end of the body.
    pub full: Span,
}

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

/// A call that is a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The called name or attribute.
    pub name: Span,
    /// The call.
    pub call: Span,
}

/// A copy, `dst <<= src`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copy {
    /// Destination.
    pub dst: Span,
    /// The operator.
    pub operator: Span,
    /// Source.
    pub src: Span,
}

/// A span to be highlighted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// The span.
    pub span: Span,
    /// The name of the capture, which editors map to a colour.
    pub capture: &'static str,
}

/// Returns the names of all kernels, in source order.
pub fn kernel_names(syntax: &Syntax, source: &SourceText) -> Vec<Span> {
    let names = kernels(syntax, source).into_iter();
    names.map(|kernel| kernel.name).collect()
}

/// Returns the functions decorated with `@kernel`, in source order.
pub fn kernels(syntax: &Syntax, source: &SourceText) -> Vec<Definition> {
    definitions(syntax, source, "kernel")
}

/// Returns the functions decorated with `@func`, in source order.
pub fn funcs(syntax: &Syntax, source: &SourceText) -> Vec<Definition> {
    definitions(syntax, source, "func")
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

/// Returns the calls that are statements.
pub fn instructions(syntax: &Syntax, source: &SourceText) -> Vec<Instruction> {
    collect(&INSTRUCTIONS, syntax, source, |found| {
        Some(Instruction {
            name: found.span("instruction.name")?,
            call: found.span("instruction.call")?,
        })
    })
}

/// Returns the `<<=` statements.
pub fn copies(syntax: &Syntax, source: &SourceText) -> Vec<Copy> {
    collect(&INSTRUCTIONS, syntax, source, |found| {
        Some(Copy {
            dst: found.span("copy.dst")?,
            operator: found.span("copy.operator")?,
            src: found.span("copy.src")?,
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

fn definitions(syntax: &Syntax, source: &SourceText, word: &str) -> Vec<Definition> {
    let aliases = aliases(syntax, source, word);
    let mut found = collect(&KERNELS, syntax, source, |found| {
        let candidate = found.span("candidate.word");
        let prefix = match candidate {
            Some(candidate) if aliases.contains(&source.slice(candidate)) => "candidate",
            Some(_) => return None,
            None => word,
        };
        Some(Definition {
            name: found.span(&format!("{prefix}.name"))?,
            decorator: found.span(&format!("{prefix}.decorator"))?,
            full: found.span(&format!("{prefix}.definition"))?,
        })
    });
    found.sort_by_key(|definition| (definition.full, definition.decorator));
    found.dedup_by_key(|definition| definition.full);
    found
}

/// Returns the names under which `word` is imported with `as`.
fn aliases<'s>(syntax: &Syntax, source: &'s SourceText, word: &str) -> Vec<&'s str> {
    collect(&KERNELS, syntax, source, |found| {
        let imported = found.span("import.name")?;
        let alias = found.span("import.alias")?;
        (source.slice(imported) == word).then(|| source.slice(alias))
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
        for query in [&KERNELS, &ALLOCATIONS, &INSTRUCTIONS, &HIGHLIGHTS] {
            assert!(query.pattern_count() > 0);
        }
    }

    #[test]
    fn kernels_in_every_spelling() {
        let (syntax, source) = sample();
        let names: Vec<_> = kernel_names(&syntax, &source)
            .into_iter()
            .map(|name| source.slice(name))
            .collect();
        assert_eq!(names, ["bare", "behind_module", "renamed", "nested"]);
        let second = kernels(&syntax, &source)[1];
        assert_eq!(
            source.slice(second.decorator).trim_end(),
            "@m.kernel(mode=\"vec\")"
        );
        assert!(source.slice(second.full).starts_with("@m.kernel"));
        let funcs = funcs(&syntax, &source);
        let names: Vec<_> = funcs.iter().map(|func| source.slice(func.name)).collect();
        assert_eq!(names, ["helper", "helper2"]);
    }

    #[test]
    fn allocations_instructions_and_copies() {
        let (syntax, source) = sample();
        let allocated: Vec<_> = allocations(&syntax, &source)
            .iter()
            .map(|found| (source.slice(found.name), source.slice(found.constructor)))
            .collect();
        assert_eq!(allocated, [("buf", "DBuff"), ("n", "Var")]);
        let issued: Vec<_> = instructions(&syntax, &source)
            .iter()
            .map(|found| source.slice(found.name))
            .collect();
        assert_eq!(issued, ["add", "set", "bar_all"]);
        let copies = copies(&syntax, &source);
        assert_eq!(copies.len(), 1);
        assert_eq!(source.slice(copies[0].dst), "buf[0]");
        assert_eq!(source.slice(copies[0].operator), "<<=");
        assert_eq!(source.slice(copies[0].src), "x[0:1, 0:64]");
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

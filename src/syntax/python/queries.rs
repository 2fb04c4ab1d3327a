//! The queries of `grammar/easyasc`, shared with the editors.

use std::sync::LazyLock;

use tree_sitter::{Query, QueryCapture, QueryCursor, StreamingIterator, Tree};

use crate::text::{SourceText, Span};

static KERNELS: LazyLock<Query> =
    LazyLock::new(|| compile(include_str!("../../../grammar/easyasc/kernels.scm")));
static ALLOCATIONS: LazyLock<Query> =
    LazyLock::new(|| compile(include_str!("../../../grammar/easyasc/allocations.scm")));
static INSTRUCTIONS: LazyLock<Query> =
    LazyLock::new(|| compile(include_str!("../../../grammar/easyasc/instructions.scm")));
static HIGHLIGHTS: LazyLock<Query> =
    LazyLock::new(|| compile(include_str!("../../../grammar/easyasc/highlights.scm")));

/// A decorated function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its name.
    pub name: Span,
    /// The decorator that makes it what it is, `@` included.
    pub decorator: Span,
    /// From the first decorator to the end of the body.
    pub full: Span,
}

/// An allocation that is bound to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// The bound name.
    pub name: Span,
    /// The name of what is called.
    pub constructor: Span,
    /// The call.
    pub call: Span,
}

/// A call that stands as a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The called name or attribute.
    pub name: Span,
    /// The call.
    pub call: Span,
}

/// `dst <<= src`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copy {
    /// Destination.
    pub dst: Span,
    /// The operator.
    pub operator: Span,
    /// Source.
    pub src: Span,
}

/// A highlighted place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// Where it is.
    pub span: Span,
    /// The capture's name, as editors know it.
    pub capture: &'static str,
}

/// The names of all kernels, in source order.
pub fn kernel_names(tree: &Tree, source: &SourceText) -> Vec<Span> {
    let names = kernels(tree, source).into_iter();
    names.map(|kernel| kernel.name).collect()
}

/// Functions under `@kernel`, in source order.
pub fn kernels(tree: &Tree, source: &SourceText) -> Vec<Definition> {
    definitions(tree, source, "kernel")
}

/// Functions under `@func`, in source order.
pub fn funcs(tree: &Tree, source: &SourceText) -> Vec<Definition> {
    definitions(tree, source, "func")
}

/// Allocations that are bound to names.
pub fn allocations(tree: &Tree, source: &SourceText) -> Vec<Allocation> {
    collect(&ALLOCATIONS, tree, source, |found| {
        Some(Allocation {
            name: found.span("allocation.name")?,
            constructor: found.span("allocation.constructor")?,
            call: found.span("allocation.call")?,
        })
    })
}

/// Calls that stand as statements.
pub fn instructions(tree: &Tree, source: &SourceText) -> Vec<Instruction> {
    collect(&INSTRUCTIONS, tree, source, |found| {
        Some(Instruction {
            name: found.span("instruction.name")?,
            call: found.span("instruction.call")?,
        })
    })
}

/// `<<=` statements.
pub fn copies(tree: &Tree, source: &SourceText) -> Vec<Copy> {
    collect(&INSTRUCTIONS, tree, source, |found| {
        Some(Copy {
            dst: found.span("copy.dst")?,
            operator: found.span("copy.operator")?,
            src: found.span("copy.src")?,
        })
    })
}

/// Highlighted places of the DSL in source order; Python's own are not among them.
pub fn highlights(tree: &Tree, source: &SourceText) -> Vec<Highlight> {
    let query: &'static Query = &HIGHLIGHTS;
    let mut found: Vec<_> = collect(query, tree, source, |found| {
        let one = |capture: &QueryCapture| Highlight {
            span: span_of(capture),
            capture: query.capture_names()[capture.index as usize],
        };
        Some(found.captures.iter().map(one).collect::<Vec<_>>())
    })
    .concat();
    found.sort_by_key(|highlight| (highlight.span, highlight.capture));
    found.dedup();
    found
}

fn definitions(tree: &Tree, source: &SourceText, word: &str) -> Vec<Definition> {
    let aliases = aliases(tree, source, word);
    let mut found = collect(&KERNELS, tree, source, |found| {
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

/// Names that `word` is imported under.
fn aliases<'s>(tree: &Tree, source: &'s SourceText, word: &str) -> Vec<&'s str> {
    collect(&KERNELS, tree, source, |found| {
        let imported = found.span("import.name")?;
        let alias = found.span("import.alias")?;
        (source.slice(imported) == word).then(|| source.slice(alias))
    })
}

/// One match.
struct Found<'a> {
    query: &'a Query,
    captures: &'a [QueryCapture<'a>],
}

impl Found<'_> {
    /// Where the named capture is, if this match has it.
    fn span(&self, name: &str) -> Option<Span> {
        let index = self.query.capture_index_for_name(name)?;
        let capture = self.captures.iter().find(|found| found.index == index)?;
        Some(span_of(capture))
    }
}

fn span_of(capture: &QueryCapture) -> Span {
    Span::new(capture.node.start_byte(), capture.node.end_byte())
}

fn collect<T>(
    query: &Query,
    tree: &Tree,
    source: &SourceText,
    mut read: impl FnMut(Found) -> Option<T>,
) -> Vec<T> {
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(query, tree.root_node(), source.as_str().as_bytes());
    let mut all = Vec::new();
    while let Some(found) = matches.next() {
        let captures = found.captures();
        all.extend(read(Found { query, captures }));
    }
    all
}

fn compile(text: &str) -> Query {
    Query::new(&tree_sitter_python::LANGUAGE.into(), text)
        .expect("a test compiles every query of grammar/easyasc")
}

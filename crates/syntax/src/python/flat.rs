//! A syntax tree in one array, in preorder.
//!
//! tree-sitter answers each question about a node by a call into C, and finding a child walks over all children
//! before it. Lowering asks thousands of times, so the tree is copied once; then kinds and fields are table look-ups,
//! and the next sibling is one addition away.

use std::num::NonZeroU16;
use std::sync::LazyLock;

use tree_sitter::{Language, Tree};

use a2lint_source::text::character_at;

/// The flat tree of one text.
pub(super) struct Flat {
    records: Vec<Record>,
}

/// One node of the tree.
#[derive(Clone, Copy)]
struct Record {
    /// Index in [`Names::kinds`].
    kind: u16,
    /// Index in [`Names::fields`]; 0 if the node is in no field.
    field: u16,
    /// First byte.
    start: u32,
    /// Offset after the last byte.
    end: u32,
    /// Index after the last record of the subtree.
    next: u32,
    flags: u8,
}

/// Flag: the node is an error node.
const ERROR: u8 = 1;
/// Flag: the parser inserted the node, which the text lacks.
const MISSING: u8 = 2;
/// Flag: the node or a descendant has `ERROR` or `MISSING`.
const HAS_ERROR: u8 = 4;
/// Flag: the node is named in the grammar, rather than an anonymous token.
const NAMED: u8 = 8;
/// Flag: the node is a comment or a line continuation.
const TRIVIA: u8 = 16;

/// Tokens that the grammar never puts into a field. Most nodes are among these, and asking for the field of a node is
/// the most expensive call.
const PUNCTUATION: [&str; 11] = ["(", ")", "[", "]", "{", "}", ",", ":", ".", "=", "\""];

/// The most frequent kinds of nodes whose children are in no field.
const WITHOUT_FIELDS: [&str; 10] = [
    "argument_list",
    "dotted_name",
    "expression_list",
    "expression_statement",
    "list",
    "module",
    "parameters",
    "pattern_list",
    "string",
    "tuple",
];

/// Facts about a kind of node, from the grammar.
struct Kind {
    name: &'static str,
    /// [`NAMED`] and [`TRIVIA`], as they apply.
    flags: u8,
    /// Whether it is one of [`PUNCTUATION`].
    is_punctuation: bool,
    /// Whether a child of such a node can be in a field.
    has_fields: bool,
}

/// The kind of error nodes, whose id lies beyond all tables.
const UNREADABLE: Kind = Kind {
    name: "ERROR",
    flags: NAMED,
    is_punctuation: false,
    has_fields: true,
};

/// The kinds and fields of the grammar, by id.
struct Names {
    kinds: Vec<Kind>,
    fields: Vec<&'static str>,
}

impl Names {
    fn kind(&self, id: u16) -> &Kind {
        self.kinds.get(usize::from(id)).unwrap_or(&UNREADABLE)
    }
}

static LANGUAGE: LazyLock<Language> = LazyLock::new(|| tree_sitter_python::LANGUAGE.into());

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let kind = |id| {
        let name = LANGUAGE.node_kind_for_id(id).unwrap_or("");
        let mut flags = 0;
        if LANGUAGE.node_kind_is_named(id) {
            flags |= NAMED;
        }
        if matches!(name, "comment" | "line_continuation") {
            flags |= TRIVIA;
        }
        Kind {
            name,
            flags,
            is_punctuation: PUNCTUATION.contains(&name),
            has_fields: !WITHOUT_FIELDS.contains(&name),
        }
    };
    let field = |id| LANGUAGE.field_name_for_id(id).unwrap_or("");
    Names {
        kinds: (0..LANGUAGE.node_kind_count() as u16).map(kind).collect(),
        fields: (0..=LANGUAGE.field_count() as u16).map(field).collect(),
    }
});

impl Flat {
    /// Copies a tree of `text`, in time linear in its size.
    pub fn new(tree: &Tree, text: &str) -> Self {
        let mut records = Vec::with_capacity(tree.root_node().descendant_count());
        let mut open: Vec<Open> = Vec::new();
        let mut cursor = tree.walk();
        let names = &*NAMES;
        // Without errors, the three flags about errors need not be asked for.
        let sound = !tree.root_node().has_error();
        let is_ascii = text.is_ascii();
        loop {
            let at = records.len();
            let node = cursor.node();
            let id = node.kind_id();
            let kind = names.kind(id);
            let may_be_in_field = open.last().is_some_and(|parent| parent.has_fields);
            let mut record = Record::of(node, id, kind, sound);
            if may_be_in_field && !kind.is_punctuation {
                record.field = cursor.field_id().map_or(0, NonZeroU16::get);
            }
            if !is_ascii {
                // A placeholder of `mend` may have replaced a part of a character, so its span in the original text
                // may end inside of one.
                for place in [&mut record.start, &mut record.end] {
                    *place = character_at(text, *place as usize) as u32;
                }
            }
            records.push(record);
            let children = match kind.is_punctuation {
                true => 0,
                false => node.child_count(),
            };
            if children > 0 && cursor.goto_first_child() {
                open.push(Open {
                    at,
                    left: children - 1,
                    has_fields: kind.has_fields,
                });
                continue;
            }
            records[at].next = at as u32 + 1;
            loop {
                let Some(parent) = open.last_mut() else {
                    return Self { records };
                };
                if parent.left > 0 && cursor.goto_next_sibling() {
                    parent.left -= 1;
                    break;
                }
                records[parent.at].next = records.len() as u32;
                open.pop();
                cursor.goto_parent();
            }
        }
    }

    /// Returns the root node.
    pub fn root(&self) -> Node<'_> {
        Node { tree: self, at: 0 }
    }

    /// Iterates over all nodes in preorder.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        std::iter::successors(Some(self.root()), Node::following)
    }

    fn node(&self, at: u32) -> Option<Node<'_>> {
        ((at as usize) < self.records.len()).then_some(Node { tree: self, at })
    }
}

/// A node whose children are being copied.
struct Open {
    /// Index of its record.
    at: usize,
    /// Number of children that are still to be copied. Knowing it avoids asking for a sibling of the last child, the
    /// most expensive call after that for a field.
    left: u32,
    has_fields: bool,
}

impl Record {
    /// Creates the record of a node, in no field. A `sound` tree has no errors.
    fn of(node: tree_sitter::Node, id: u16, kind: &Kind, sound: bool) -> Self {
        let mut flags = kind.flags;
        if !sound {
            flags |= if node.has_error() { HAS_ERROR } else { 0 };
            flags |= if node.is_error() { ERROR } else { 0 };
            flags |= if node.is_missing() { MISSING } else { 0 };
        }
        Self {
            kind: id,
            field: 0,
            start: node.start_byte() as u32,
            end: node.end_byte() as u32,
            next: 0,
            flags,
        }
    }
}

/// A node of a [`Flat`] tree.
#[derive(Clone, Copy)]
pub(super) struct Node<'t> {
    tree: &'t Flat,
    at: u32,
}

impl<'t> Node<'t> {
    fn record(&self) -> &'t Record {
        &self.tree.records[self.at as usize]
    }

    /// Returns the name of the kind; `ERROR` for an error node.
    pub fn kind(&self) -> &'static str {
        NAMES.kind(self.record().kind).name
    }

    /// Returns whether the node is named in the grammar, rather than an anonymous token.
    pub fn is_named(&self) -> bool {
        self.record().flags & NAMED != 0
    }

    /// Returns whether the node is a comment or a line continuation.
    pub fn is_trivia(&self) -> bool {
        self.record().flags & TRIVIA != 0
    }

    pub fn is_error(&self) -> bool {
        self.record().flags & ERROR != 0
    }

    pub fn is_missing(&self) -> bool {
        self.record().flags & MISSING != 0
    }

    /// Returns whether the node or a descendant is an error node or missing.
    pub fn has_error(&self) -> bool {
        self.record().flags & HAS_ERROR != 0
    }

    pub fn is_root(&self) -> bool {
        self.at == 0
    }

    pub fn start_byte(&self) -> usize {
        self.record().start as usize
    }

    pub fn end_byte(&self) -> usize {
        self.record().end as usize
    }

    pub fn byte_range(&self) -> std::ops::Range<usize> {
        self.start_byte()..self.end_byte()
    }

    /// Returns the next node in preorder.
    pub fn following(&self) -> Option<Node<'t>> {
        self.tree.node(self.at + 1)
    }

    /// Returns the next node in preorder that is not a descendant.
    pub fn behind(&self) -> Option<Node<'t>> {
        self.tree.node(self.record().next)
    }

    /// Iterates over the children, including trivia.
    pub fn children(&self) -> Children<'t> {
        Children {
            tree: self.tree,
            at: self.at + 1,
            end: self.record().next,
        }
    }

    /// Returns the first child in a field.
    pub fn child_by_field_name(&self, name: &str) -> Option<Node<'t>> {
        self.children().find(|child| child.is_in_field(name))
    }

    /// Returns whether the node is in this field of its parent.
    pub fn is_in_field(&self, name: &str) -> bool {
        let field = self.record().field;
        field != 0 && NAMES.fields[field as usize] == name
    }
}

/// An iterator over the children of a node, in source order.
pub(super) struct Children<'t> {
    tree: &'t Flat,
    at: u32,
    end: u32,
}

impl<'t> Iterator for Children<'t> {
    type Item = Node<'t>;

    fn next(&mut self) -> Option<Node<'t>> {
        if self.at >= self.end {
            return None;
        }
        let node = Node {
            tree: self.tree,
            at: self.at,
        };
        self.at = node.record().next;
        Some(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::parse::Reader;

    /// Asserts that a node of tree-sitter and its copy agree.
    fn compare(theirs: tree_sitter::Node, ours: Node) {
        assert_eq!(theirs.kind(), ours.kind());
        assert_eq!(theirs.byte_range(), ours.byte_range());
        assert_eq!(theirs.is_named(), ours.is_named());
        assert_eq!(theirs.is_error(), ours.is_error());
        assert_eq!(theirs.is_missing(), ours.is_missing());
        assert_eq!(theirs.has_error(), ours.has_error());
        if ours.is_trivia() {
            assert!(theirs.is_extra());
        }
        let mut cursor = theirs.walk();
        let children: Vec<_> = theirs.children(&mut cursor).collect();
        assert_eq!(children.len(), ours.children().count());
        for name in NAMES.fields.iter().skip(1) {
            assert_eq!(
                theirs.child_by_field_name(name).map(|n| n.byte_range()),
                ours.child_by_field_name(name).map(|n| n.byte_range()),
                "{name} of {}",
                theirs.kind()
            );
        }
        for (theirs, ours) in children.into_iter().zip(ours.children()) {
            compare(theirs, ours);
        }
    }

    #[test]
    fn nodes_without_fields_have_none_in_the_grammar() {
        let described: serde_json::Value =
            serde_json::from_str(tree_sitter_python::NODE_TYPES).expect("JSON");
        for name in WITHOUT_FIELDS {
            let kinds = described.as_array().expect("a list of kinds");
            let kind = kinds.iter().find(|kind| kind["type"] == name);
            let fields = kind.unwrap_or_else(|| panic!("no {name}"))["fields"].as_object();
            assert!(fields.is_none_or(|fields| fields.is_empty()), "{name}");
        }
    }

    #[test]
    fn the_copy_is_the_tree() {
        for text in [
            "",
            "x = 1  # one\n",
            "@kernel()\ndef k(x: GMTensor, *, n=1):\n    if a and b:\n        \
             y[1:2, :] <<= f(x, k=3) \\\n            + 1\n    elif c:\n        pass\n    else:\n        \
             return [i for i in x if i]\n",
            "def f(:\n    x = (1,\ny = $ 3\nfor\n",
            "a = f(1, # c\n 2)\nclass A(B): pass\nwith a as b, (c): d\n",
            "a not in b is not c != d <> e\nx = ... if None else True or not False\nlambda *a, **b: 1.5\n",
            "print x\nexec y\nmatch = type = await_ = 1\ntype A = int\n",
            "s = rb'a' 'b\\n{' f\"{x!r:>{w}} {{\" '''c'''\nasync def f(): await g()\n@d\nclass C: ...\n",
            "def f(a, /, b: int = 1, *c, d): global e; nonlocal f; del g; raise; return\n",
            "try:\n  pass\nexcept* A as b:\n  yield\nfinally:\n  assert x, y\nx: int = {1: 2, **d}\n",
        ] {
            let tree = Reader::new().read(text).expect("within budget");
            compare(tree.root_node(), Flat::new(&tree, text).root());
        }
    }
}

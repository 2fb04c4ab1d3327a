//! Lowers a tree-sitter tree of C++ to typed syntax.

mod declarations;
mod expressions;
mod macros;

use tree_sitter::{Node, Tree};

use super::ast::*;
use a2lint_source::text::Span;

/// Nesting depth at which lowering stops.
const MAX_DEPTH: u32 = 120;

/// Number of macros per file whose replacements are parsed.
const MAX_MACROS: u32 = 256;

/// Lowers the tree of the blanked text. Names are taken from the original `text`, whose offsets are the same. `base`
/// is added to all spans.
pub fn lower<'a>(tree: &Tree, text: &'a str, base: usize) -> Unit<'a> {
    let mut lowering = Lowering {
        text,
        base,
        depth: 0,
        macros: MAX_MACROS,
        undefined: Vec::new(),
        errors: Vec::new(),
    };
    let root = tree.root_node();
    let items = lowering.statements(root);
    if root.has_error() {
        lowering.collect_errors(root);
    }
    Unit {
        items,
        undefined: lowering.undefined,
        errors: lowering.errors,
    }
}

struct Lowering<'a> {
    text: &'a str,
    /// Offset of the text in its file.
    base: usize,
    depth: u32,
    /// Number of macro replacements that may still be parsed.
    macros: u32,
    undefined: Vec<&'a str>,
    errors: Vec<Span>,
}

fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|child| child.kind() != "comment")
        .collect()
}

fn fields<'t>(node: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name(name, &mut cursor).collect()
}

impl<'a> Lowering<'a> {
    fn span(&self, node: Node) -> Span {
        Span::new(self.base + node.start_byte(), self.base + node.end_byte())
    }

    fn text(&self, node: Node) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    fn collect_errors(&mut self, root: Node) {
        let mut cursor = root.walk();
        loop {
            let node = cursor.node();
            if node.is_error() || node.is_missing() {
                let place = self.span(node);
                self.errors.push(place);
            }
            if node.has_error() && !node.is_error() && cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
            }
        }
    }

    /// Lowers the statements among the children of a node.
    fn statements(&mut self, node: Node) -> Vec<Stmt<'a>> {
        self.lower_all(children(node))
    }

    fn lower_all(&mut self, nodes: Vec<Node>) -> Vec<Stmt<'a>> {
        if self.depth >= MAX_DEPTH {
            // Reported as an error, so that a caller does not take the tree for complete.
            let (first, last) = (nodes.first(), nodes.last());
            let span = first
                .zip(last)
                .map(|(first, last)| self.span(*first).to(self.span(*last)));
            self.errors.extend(span);
            return Vec::new();
        }
        self.depth += 1;
        let mut out = Vec::new();
        for node in nodes {
            self.statement(node, &mut out);
        }
        self.depth -= 1;
        out
    }

    fn statement(&mut self, node: Node, out: &mut Vec<Stmt<'a>>) {
        let kind = match node.kind() {
            "declaration" | "field_declaration" => return self.declaration(node, out),
            "alias_declaration" => self.alias(node, Vec::new()),
            "type_definition" => self.typedef(node),
            "template_declaration" => return self.template(node, out),
            "template_instantiation" => self.instantiation(node),
            "function_definition" => self.function(node, None),
            "class_specifier" | "struct_specifier" => self.class(node, Vec::new()),
            "enum_specifier" => self.enumeration(node),
            "preproc_def" | "preproc_function_def" => self.define(node),
            "preproc_include" => self.include(node),
            "preproc_call" => {
                let directive = node.child_by_field_name("directive");
                if directive.is_some_and(|it| self.text(it) == "#undef") {
                    let name = node.child_by_field_name("argument");
                    self.undefined.extend(name.map(|it| self.text(it).trim()));
                }
                StmtKind::Other
            }
            "namespace_definition" => self.namespace(node),
            "expression_statement" => match children(node).first() {
                Some(&expr) => StmtKind::Expr(self.expr(expr)),
                None => StmtKind::Other,
            },
            "compound_statement" => StmtKind::Block(self.statements(node)),
            "if_statement" => self.branch(node),
            "switch_statement" => self.switch(node),
            "preproc_if" | "preproc_ifdef" | "preproc_elif" | "preproc_elifdef" => {
                self.preprocessor_branch(node)
            }
            "for_statement" | "while_statement" | "do_statement" | "for_range_loop" => {
                self.turns(node)
            }
            "return_statement" | "break_statement" | "continue_statement" => {
                let value = children(node).first().copied();
                StmtKind::Exit(value.map(|value| self.expr(value)))
            }
            // These nodes have no statement of their own: their contents are spliced into the list.
            "linkage_specification"
            | "declaration_list"
            | "labeled_statement"
            | "case_statement"
            | "preproc_else"
            | "else_clause"
            | "ERROR"
            | "field_declaration_list" => {
                let inner = self.statements(node);
                return out.extend(inner);
            }
            kind if is_expression(kind) => StmtKind::Expr(self.expr(node)),
            _ => StmtKind::Other,
        };
        out.push(Stmt {
            span: self.span(node),
            kind,
        });
    }

    fn body(&mut self, node: Option<Node>) -> Vec<Stmt<'a>> {
        match node {
            Some(node) if node.kind() == "compound_statement" => self.statements(node),
            Some(node) => self.lower_all(vec![node]),
            None => Vec::new(),
        }
    }

    fn branch(&mut self, node: Node) -> StmtKind<'a> {
        let condition = node.child_by_field_name("condition").and_then(|clause| {
            match clause.child_by_field_name("value") {
                Some(value) => Some(value),
                None => children(clause).last().copied(),
            }
        });
        let constexpr = (0..node.child_count()).filter_map(|at| node.child(at));
        let constexpr = constexpr.take(2).any(|child| child.kind() == "constexpr");
        StmtKind::Branch(Branch {
            kind: match constexpr {
                true => BranchKind::Constexpr,
                false => BranchKind::RunTime,
            },
            condition: condition.map(|condition| self.expr(condition)),
            then: self.body(node.child_by_field_name("consequence")),
            otherwise: self.body(node.child_by_field_name("alternative")),
        })
    }

    fn switch(&mut self, node: Node) -> StmtKind<'a> {
        StmtKind::Branch(Branch {
            kind: BranchKind::RunTime,
            condition: None,
            then: self.body(node.child_by_field_name("body")),
            otherwise: Vec::new(),
        })
    }

    fn preprocessor_branch(&mut self, node: Node) -> StmtKind<'a> {
        let alternative = node.child_by_field_name("alternative");
        let skipped = ["condition", "name"].map(|name| node.child_by_field_name(name));
        let then = children(node)
            .into_iter()
            .filter(|child| Some(*child) != alternative && !skipped.contains(&Some(*child)))
            .collect();
        let guards_file = self.guards_file(node);
        let then = self.lower_all(then);
        let otherwise = self.body(alternative);
        match guards_file && otherwise.is_empty() {
            true => StmtKind::Block(then),
            false => StmtKind::Branch(Branch {
                kind: BranchKind::Preprocessor,
                condition: self.preprocessor_condition(node),
                then,
                otherwise,
            }),
        }
    }

    /// Returns whether a branch is the include guard of its file: it is at the outermost level and defines, without a
    /// value, the name that it tests. Such a branch is always taken.
    fn guards_file(&self, node: Node) -> bool {
        let is_outermost = node
            .parent()
            .is_some_and(|parent| parent.parent().is_none());
        let asked = node.child_by_field_name("name").map(|name| self.text(name));
        let is_definition = |child: &Node| {
            let name = child.child_by_field_name("name");
            child.kind() == "preproc_def"
                && child.child_by_field_name("value").is_none()
                && name.map(|name| self.text(name)) == asked
        };
        is_outermost && asked.is_some() && children(node).iter().any(is_definition)
    }

    fn turns(&mut self, node: Node) -> StmtKind<'a> {
        let init = node.child_by_field_name("initializer");
        let init = match init {
            Some(init) => self.lower_all(vec![init]),
            None => self.loop_variable(node),
        };
        let mut control = Vec::new();
        for name in ["condition", "update", "right"] {
            if let Some(part) = node.child_by_field_name(name) {
                control.push(self.expr(part));
            }
        }
        StmtKind::Loop(Loop {
            init,
            control,
            body: self.body(node.child_by_field_name("body")),
            tests_first: matches!(node.kind(), "for_statement" | "while_statement")
                && node.child_by_field_name("condition").is_some(),
        })
    }

    /// Lowers the declaration `T x` of `for (T x : list)`.
    fn loop_variable(&mut self, node: Node) -> Vec<Stmt<'a>> {
        let (Some(ty), Some(declarator)) = (
            node.child_by_field_name("type"),
            node.child_by_field_name("declarator"),
        ) else {
            return Vec::new();
        };
        let declarator = self.declarator(declarator, None);
        vec![Stmt {
            span: self.span(node),
            kind: StmtKind::Declare {
                ty: self.ty(ty),
                constant: false,
                names: declarator.into_iter().collect(),
            },
        }]
    }
}

/// Returns whether a node of this kind is an expression.
fn is_expression(kind: &str) -> bool {
    kind.ends_with("_expression")
        || kind.ends_with("_literal")
        || matches!(
            kind,
            "identifier" | "qualified_identifier" | "template_function" | "this" | "true" | "false"
        )
}

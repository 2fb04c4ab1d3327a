//! Macros: what their values say is read like the text around them.

use tree_sitter::Node;

use super::super::ast::*;
use super::super::parse::parse_tree;
use super::{Lowering, children, expressions};

/// Bytes of the longest value that is read.
const MAX_VALUE: usize = 4 << 10;

impl<'a> Lowering<'a> {
    /// `#define N value`, `#define N(a, b) value`.
    pub(super) fn define(&mut self, node: Node) -> StmtKind<'a> {
        let name = node.child_by_field_name("name");
        let (Some(name), Some(value)) = (name, node.child_by_field_name("value")) else {
            return StmtKind::Other;
        };
        let parameters = node.child_by_field_name("parameters").map(|list| {
            let names = children(list).into_iter();
            names.map(|name| self.text(name)).collect()
        });
        let (value, items) = self.meaning(value);
        if value.is_none() && items.is_empty() {
            return StmtKind::Other;
        }
        StmtKind::Define(Box::new(Macro {
            name: self.text(name),
            parameters,
            value,
            items,
        }))
    }

    fn meaning(&mut self, value: Node) -> (Option<Expr<'a>>, Vec<Stmt<'a>>) {
        let text = self.text(value);
        let inner = text.trim();
        let place = self.span(value);
        if let Some(kind) = expressions::number(inner) {
            return (Some(Expr { span: place, kind }), Vec::new());
        }
        let is_name = |text: &str| {
            text.chars()
                .all(|c| c.is_alphanumeric() || c == '_' || c == ':')
        };
        if is_name(inner) && !inner.is_empty() {
            let segments = inner.split("::").collect();
            let path = Path {
                span: place,
                segments,
                arguments: Vec::new(),
                owner: None,
            };
            let kind = ExprKind::Path(path);
            return (Some(Expr { span: place, kind }), Vec::new());
        }
        if inner.len() > MAX_VALUE || self.macros == 0 {
            return (None, Vec::new());
        }
        self.macros -= 1;
        let Some(tree) = parse_tree(text) else {
            return (None, Vec::new());
        };
        let mut inside = Lowering {
            text,
            base: self.base + value.start_byte(),
            depth: self.depth,
            macros: 0,
            errors: Vec::new(),
        };
        let root = tree.root_node();
        let only = match children(root).as_slice() {
            [only] if only.kind() == "expression_statement" => children(*only).first().copied(),
            _ => None,
        };
        // What has no parentheses of its own may be torn apart where it is used.
        let whole = only.filter(|only| {
            matches!(
                only.kind(),
                "parenthesized_expression"
                    | "call_expression"
                    | "cast_expression"
                    | "sizeof_expression"
                    | "unary_expression"
                    | "qualified_identifier"
                    | "template_function"
            ) && !only.has_error()
        });
        match whole {
            Some(whole) if whole.kind() != "call_expression" || !text.contains('<') => {
                (Some(inside.expr(whole)), Vec::new())
            }
            _ if text.contains('<') => (None, inside.statements(root)),
            _ => (None, Vec::new()),
        }
    }
}

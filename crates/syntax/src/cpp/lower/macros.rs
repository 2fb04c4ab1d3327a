//! Lowering of macro definitions: their replacements are parsed like the text around them.

use tree_sitter::Node;

use super::super::ast::*;
use super::super::parse::parse_tree;
use super::{Lowering, children, expressions};

/// Size limit in bytes of a replacement that is parsed.
const MAX_VALUE: usize = 4 << 10;

impl<'a> Lowering<'a> {
    /// Lowers `#define N value` and `#define N(a, b) value`.
    pub(super) fn define(&mut self, node: Node) -> StmtKind<'a> {
        let name = node.child_by_field_name("name");
        let Some(name) = name else {
            return StmtKind::Other;
        };
        let parameters = node.child_by_field_name("parameters").map(|list| {
            let names = children(list).into_iter();
            names.map(|name| self.text(name)).collect()
        });
        let value = node.child_by_field_name("value");
        let meaning = value.map(|value| self.meaning(value));
        let (value, items, torn) = meaning.unwrap_or_default();
        StmtKind::Define(Box::new(Macro {
            name: self.text(name),
            parameters,
            value,
            torn,
            items,
        }))
    }

    /// Returns the condition of `#if`, `#ifdef` or `#ifndef`; the latter two as `defined(name)`.
    pub(super) fn preprocessor_condition(&mut self, node: Node) -> Option<Expr<'a>> {
        if let Some(condition) = node.child_by_field_name("condition") {
            return Some(self.expr(condition));
        }
        let name = node.child_by_field_name("name")?;
        let span = self.span(name);
        let kind = self.defined(name);
        let directive = node.child(0).map_or("", |it| it.kind());
        let kind = match directive.ends_with("ndef") {
            true => ExprKind::Unary(UnaryOp::Not, Box::new(Expr { span, kind })),
            false => kind,
        };
        Some(Expr { span, kind })
    }

    /// Builds the call `defined(name)`.
    pub(super) fn defined(&self, name: Node) -> ExprKind<'a> {
        let span = self.span(name);
        let path = |name| ExprKind::Path(Path::of(span, name, Vec::new()));
        let callee = Box::new(Expr {
            span,
            kind: path("defined"),
        });
        let kind = path(self.text(name));
        ExprKind::Call {
            callee,
            arguments: vec![Expr { span, kind }],
            parentheses: span,
        }
    }

    /// Parses the replacement of a macro: as an expression, or else as statements. The flag says whether the
    /// expression has an operator outside of parentheses (`Macro::torn`).
    fn meaning(&mut self, value: Node) -> (Option<Expr<'a>>, Vec<Stmt<'a>>, bool) {
        let text = self.text(value);
        let inner = text.trim();
        // The two commonest kinds, which do not need the parser.
        let place = self.span(value);
        if let Some(kind) = expressions::number(inner) {
            return (Some(Expr { span: place, kind }), Vec::new(), false);
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
            return (Some(Expr { span: place, kind }), Vec::new(), false);
        }
        if inner.len() > MAX_VALUE || self.macros == 0 {
            return (None, Vec::new(), false);
        }
        self.macros -= 1;
        // The semicolon makes an expression a complete statement.
        let Some(tree) = parse_tree(&format!("{text};")) else {
            return (None, Vec::new(), false);
        };
        let mut inside = Lowering {
            text,
            base: self.base + value.start_byte(),
            depth: self.depth,
            macros: 0,
            undefined: Vec::new(),
            errors: Vec::new(),
        };
        let root = tree.root_node();
        let only = match children(root).as_slice() {
            [only] if only.kind() == "expression_statement" => children(*only).first().copied(),
            _ => None,
        };
        let only = only.filter(|only| !only.has_error());
        let is_call = only.is_some_and(|only| only.kind() == "call_expression");
        match only {
            // A call with template arguments may also be a declaration, so it is lowered as a statement below.
            Some(only) if !(is_call && text.contains('<')) => {
                let torn = !matches!(
                    only.kind(),
                    "parenthesized_expression"
                        | "call_expression"
                        | "cast_expression"
                        | "sizeof_expression"
                        | "unary_expression"
                        | "qualified_identifier"
                        | "template_function"
                );
                (Some(inside.expr(only)), Vec::new(), torn)
            }
            _ => match self.torn(value) {
                Some(found) => (Some(found), Vec::new(), true),
                None if text.contains('<') => (None, inside.statements(root), false),
                None => (None, Vec::new(), false),
            },
        }
    }

    /// Parses a replacement such as `a + b`, which the grammar accepts at the top level only in parentheses.
    fn torn(&mut self, value: Node) -> Option<Expr<'a>> {
        // The added parenthesis shifts all offsets by one, which starting one byte earlier makes up for.
        let start = value.start_byte().checked_sub(1)?;
        let text = self.text.get(start..value.end_byte())?;
        let tree = parse_tree(&format!("({});", text.get(1..)?))?;
        let root = tree.root_node();
        let [only] = children(root)[..] else {
            return None;
        };
        let around = children(only).first().copied()?;
        let inner = children(around).first().copied()?;
        let known = matches!(inner.kind(), "binary_expression" | "conditional_expression");
        if around.kind() != "parenthesized_expression" || only.has_error() || !known {
            return None;
        }
        let mut inside = Lowering {
            text,
            base: self.base + start,
            depth: self.depth,
            macros: 0,
            undefined: Vec::new(),
            errors: Vec::new(),
        };
        Some(inside.expr(inner))
    }
}

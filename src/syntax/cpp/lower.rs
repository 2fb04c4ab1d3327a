//! Tree-sitter tree to typed syntax.

mod expressions;

use tree_sitter::{Node, Tree};

use super::ast::*;
use crate::text::Span;

/// Nesting beyond which the tree is not followed.
const MAX_DEPTH: u32 = 120;

/// Lowers a tree of the blanked text; names come from the text itself, whose offsets are the same.
pub fn lower<'a>(tree: &Tree, text: &'a str) -> Unit<'a> {
    let mut lowering = Lowering {
        text,
        depth: 0,
        errors: Vec::new(),
    };
    let root = tree.root_node();
    let items = lowering.statements(root);
    if root.has_error() {
        lowering.collect_errors(root);
    }
    Unit {
        items,
        errors: lowering.errors,
    }
}

struct Lowering<'a> {
    text: &'a str,
    depth: u32,
    errors: Vec<Span>,
}

fn span(node: Node) -> Span {
    Span::new(node.start_byte(), node.end_byte())
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
    fn text(&self, node: Node) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    fn collect_errors(&mut self, root: Node) {
        let mut cursor = root.walk();
        loop {
            let node = cursor.node();
            if node.is_error() || node.is_missing() {
                self.errors.push(span(node));
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

    /// The statements among a node's children.
    fn statements(&mut self, node: Node) -> Vec<Stmt<'a>> {
        self.lower_all(children(node))
    }

    fn lower_all(&mut self, nodes: Vec<Node>) -> Vec<Stmt<'a>> {
        if self.depth >= MAX_DEPTH {
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
            "function_definition" => self.function(node, Vec::new()),
            "class_specifier" | "struct_specifier" => self.class(node, Vec::new()),
            "enum_specifier" => self.enumeration(node),
            "preproc_def" => self.define(node),
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
            // Transparent: what they hold stands in their place.
            "namespace_definition"
            | "linkage_specification"
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
            span: span(node),
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
        StmtKind::Branch(Branch {
            condition: condition.map(|condition| self.expr(condition)),
            then: self.body(node.child_by_field_name("consequence")),
            otherwise: self.body(node.child_by_field_name("alternative")),
        })
    }

    fn switch(&mut self, node: Node) -> StmtKind<'a> {
        StmtKind::Branch(Branch {
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
        // An include guard is no choice.
        let guards_file = node
            .parent()
            .is_some_and(|parent| parent.parent().is_none());
        let then = self.lower_all(then);
        let otherwise = self.body(alternative);
        match guards_file && otherwise.is_empty() {
            true => StmtKind::Block(then),
            false => StmtKind::Branch(Branch {
                condition: None,
                then,
                otherwise,
            }),
        }
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
        })
    }

    /// `T x` of `for (T x : list)`.
    fn loop_variable(&mut self, node: Node) -> Vec<Stmt<'a>> {
        let (Some(ty), Some(declarator)) = (
            node.child_by_field_name("type"),
            node.child_by_field_name("declarator"),
        ) else {
            return Vec::new();
        };
        let declarator = self.declarator(declarator, None);
        vec![Stmt {
            span: span(node),
            kind: StmtKind::Declare {
                ty: self.ty(ty),
                constant: false,
                names: declarator.into_iter().collect(),
            },
        }]
    }

    fn declaration(&mut self, node: Node, out: &mut Vec<Stmt<'a>>) {
        let Some(ty) = node.child_by_field_name("type") else {
            return;
        };
        // `class X {...} x;` declares the class too.
        if ty.child_by_field_name("body").is_some() {
            self.statement(ty, out);
        }
        let constant = children(node).iter().any(|child| {
            child.kind() == "type_qualifier" && matches!(self.text(*child), "const" | "constexpr")
        });
        let default = node.child_by_field_name("default_value");
        let names = fields(node, "declarator")
            .into_iter()
            .filter_map(|declarator| self.declarator(declarator, default))
            .collect();
        out.push(Stmt {
            span: span(node),
            kind: StmtKind::Declare {
                ty: self.ty(ty),
                constant,
                names,
            },
        });
    }

    fn declarator(&mut self, node: Node, default: Option<Node>) -> Option<Declarator<'a>> {
        let mut found = Declarator {
            name: "",
            span: span(node),
            whole: span(node),
            array: false,
            indirect: false,
            init: Init::Default,
        };
        if let Some(value) = default {
            found.init = self.initialiser(value);
        }
        let mut inner = node;
        loop {
            match inner.kind() {
                "identifier" | "field_identifier" => {
                    found.name = self.text(inner);
                    found.span = span(inner);
                    return Some(found);
                }
                "init_declarator" => {
                    if let Some(value) = inner.child_by_field_name("value") {
                        found.init = self.initialiser(value);
                    }
                }
                "array_declarator" => found.array = true,
                "pointer_declarator" | "reference_declarator" => found.indirect = true,
                // `T x(a, b)` reads like a function where a and b are names.
                "function_declarator" => {
                    let parameters = inner.child_by_field_name("parameters")?;
                    found.init = Init::Arguments(self.misread_arguments(parameters)?);
                }
                _ => {}
            }
            inner = inner
                .child_by_field_name("declarator")
                .or_else(|| children(inner).into_iter().next_back())?;
        }
    }

    /// The arguments of a constructor that was read as parameters; `None` where they are
    /// parameters after all.
    fn misread_arguments(&mut self, parameters: Node) -> Option<Vec<Expr<'a>>> {
        let parameters = children(parameters);
        if parameters.is_empty() {
            return None;
        }
        let nodes: Option<Vec<Node>> = parameters
            .into_iter()
            .map(|node| match node.kind() {
                "parameter_declaration" if node.child_by_field_name("declarator").is_none() => {
                    node.child_by_field_name("type")
                }
                kind if is_expression(kind) => Some(node),
                _ => None,
            })
            .collect();
        let nodes = nodes?;
        if nodes.iter().all(|node| node.kind() == "primitive_type") {
            return None;
        }
        Some(nodes.into_iter().map(|node| self.expr(node)).collect())
    }

    fn initialiser(&mut self, value: Node) -> Init<'a> {
        match value.kind() {
            "argument_list" | "initializer_list" => Init::Arguments(self.exprs(value)),
            _ => Init::Value(self.expr(value)),
        }
    }

    fn alias(&mut self, node: Node, parameters: Vec<&'a str>) -> StmtKind<'a> {
        let name = node.child_by_field_name("name");
        match (name, node.child_by_field_name("type")) {
            (Some(name), Some(ty)) => StmtKind::Alias(Alias {
                name: self.text(name),
                parameters,
                ty: self.ty(ty),
            }),
            _ => StmtKind::Other,
        }
    }

    fn typedef(&mut self, node: Node) -> StmtKind<'a> {
        let name = node.child_by_field_name("declarator");
        match (name, node.child_by_field_name("type")) {
            (Some(name), Some(ty)) if name.kind() == "type_identifier" => StmtKind::Alias(Alias {
                name: self.text(name),
                parameters: Vec::new(),
                ty: self.ty(ty),
            }),
            _ => StmtKind::Other,
        }
    }

    fn template(&mut self, node: Node, out: &mut Vec<Stmt<'a>>) {
        let parameters = node.child_by_field_name("parameters");
        let parameters: Vec<&'a str> = parameters
            .into_iter()
            .flat_map(children)
            .filter_map(|parameter| self.template_parameter(parameter))
            .collect();
        for child in children(node) {
            let kind = match child.kind() {
                "alias_declaration" => self.alias(child, parameters.clone()),
                "function_definition" => self.function(child, parameters.clone()),
                "class_specifier" | "struct_specifier" => self.class(child, parameters.clone()),
                "template_parameter_list" => continue,
                _ => {
                    self.statement(child, out);
                    continue;
                }
            };
            out.push(Stmt {
                span: span(child),
                kind,
            });
        }
    }

    fn template_parameter(&self, node: Node) -> Option<&'a str> {
        let named = node
            .child_by_field_name("declarator")
            .or_else(|| node.child_by_field_name("name"))
            .or_else(|| children(node).into_iter().next_back())?;
        Some(self.text(named))
    }

    fn class(&mut self, node: Node, parameters: Vec<&'a str>) -> StmtKind<'a> {
        let name = node.child_by_field_name("name");
        let (Some(name), Some(body)) = (name, node.child_by_field_name("body")) else {
            return StmtKind::Other;
        };
        StmtKind::Class(Class {
            name: self.text(name),
            parameters,
            members: self.statements(body),
        })
    }

    fn enumeration(&mut self, node: Node) -> StmtKind<'a> {
        let list = node.child_by_field_name("body").map(children);
        let list = list.unwrap_or_default().into_iter();
        let mut enumerators = Vec::new();
        for enumerator in list.filter(|child| child.kind() == "enumerator") {
            let value = enumerator.child_by_field_name("value");
            if let Some(name) = enumerator.child_by_field_name("name") {
                enumerators.push(Enumerator {
                    name: self.text(name),
                    value: value.map(|value| self.expr(value)),
                });
            }
        }
        StmtKind::Enum(enumerators)
    }

    fn define(&mut self, node: Node) -> StmtKind<'a> {
        let name = node.child_by_field_name("name");
        let (Some(name), Some(value)) = (name, node.child_by_field_name("value")) else {
            return StmtKind::Other;
        };
        match expressions::number(self.text(value).trim()) {
            Some(kind) => StmtKind::Define(
                self.text(name),
                Expr {
                    span: span(value),
                    kind,
                },
            ),
            None => StmtKind::Other,
        }
    }

    fn function(&mut self, node: Node, template_parameters: Vec<&'a str>) -> StmtKind<'a> {
        let body = node.child_by_field_name("body");
        let mut declarator = node.child_by_field_name("declarator");
        while let Some(inner) = declarator.filter(|node| node.kind() != "function_declarator") {
            declarator = inner
                .child_by_field_name("declarator")
                .or_else(|| children(inner).into_iter().next_back());
        }
        let (Some(body), Some(declarator)) = (body, declarator) else {
            return StmtKind::Other;
        };
        let Some(name) = declarator.child_by_field_name("declarator") else {
            return StmtKind::Other;
        };
        let path = self.ty(name);
        let class = path.segments.len().checked_sub(2);
        let parameters = declarator.child_by_field_name("parameters");
        StmtKind::Function(Box::new(Function {
            name: path.name(),
            name_span: path.span,
            class: class.map(|at| path.segments[at]),
            template_parameters,
            parameters: parameters
                .into_iter()
                .flat_map(children)
                .filter_map(|parameter| self.parameter(parameter))
                .collect(),
            body: self.body(Some(body)),
        }))
    }

    fn parameter(&mut self, node: Node) -> Option<Parameter<'a>> {
        let ty = node.child_by_field_name("type")?;
        let declarator = self.declarator(node.child_by_field_name("declarator")?, None)?;
        Some(Parameter {
            name: declarator.name,
            span: declarator.span,
            ty: self.ty(ty),
        })
    }
}

/// Whether a node of this kind is an expression.
fn is_expression(kind: &str) -> bool {
    kind.ends_with("_expression")
        || kind.ends_with("_literal")
        || matches!(
            kind,
            "identifier" | "qualified_identifier" | "template_function" | "this" | "true" | "false"
        )
}

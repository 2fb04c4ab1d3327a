//! Lowering of expressions and types.

use tree_sitter::Node;

use super::super::ast::*;
use super::{Lowering, MAX_DEPTH, children};
use a2lint_source::text::Slice;

impl<'a> Lowering<'a> {
    pub(super) fn exprs(&mut self, node: Node) -> Vec<Expr<'a>> {
        let nodes = children(node);
        nodes.into_iter().map(|child| self.expr(child)).collect()
    }

    pub(super) fn expr(&mut self, node: Node) -> Expr<'a> {
        if self.depth >= MAX_DEPTH {
            let span = self.span(node);
            self.errors.push(span);
            return Expr {
                span: self.span(node),
                kind: ExprKind::Unknown(Vec::new()),
            };
        }
        self.depth += 1;
        let kind = self.expr_kind(node);
        self.depth -= 1;
        Expr {
            span: self.span(node),
            kind,
        }
    }

    fn boxed(&mut self, node: Option<Node>) -> Option<Box<Expr<'a>>> {
        node.map(|node| Box::new(self.expr(node)))
    }

    fn expr_kind(&mut self, node: Node) -> ExprKind<'a> {
        let known = match node.kind() {
            "number_literal" => number(self.text(node)),
            "preproc_defined" => children(node).first().map(|name| self.defined(*name)),
            "true" => Some(ExprKind::Bool(true)),
            "false" => Some(ExprKind::Bool(false)),
            "char_literal" => character(self.text(node)),
            "string_literal" | "raw_string_literal" => {
                let text = self.text(node);
                let start = text.find('"').map_or(0, |at| at + 1);
                Some(ExprKind::String(
                    text.get(start..text.len().max(1) - 1).unwrap_or(""),
                ))
            }
            "identifier"
            | "qualified_identifier"
            | "template_function"
            | "template_type"
            | "type_identifier"
            | "primitive_type"
            | "sized_type_specifier"
            | "type_descriptor"
            | "this"
            | "namespace_identifier"
            | "dependent_type" => Some(ExprKind::Path(self.ty(node))),
            "parenthesized_expression" | "condition_clause" => match children(node).as_slice() {
                [inner] => Some(self.expr(*inner).kind),
                _ => None,
            },
            "field_expression" => self.member(node),
            "call_expression" => self.call(node),
            "subscript_expression" => self.index(node),
            "unary_expression" | "pointer_expression" => self.unary(node),
            "binary_expression" => self.binary(node),
            "conditional_expression" => self.conditional(node),
            "cast_expression" => self.cast(node),
            "sizeof_expression" => {
                let operand = node
                    .child_by_field_name("type")
                    .or_else(|| node.child_by_field_name("value"));
                self.boxed(operand).map(ExprKind::SizeOf)
            }
            "initializer_list" => Some(ExprKind::Braces(self.exprs(node))),
            "compound_literal_expression" => {
                let value = node.child_by_field_name("value");
                value.map(|value| self.expr(value).kind)
            }
            "initializer_pair" => self.field(node),
            "assignment_expression" => self.assignment(node),
            "update_expression" => self.update(node),
            "lambda_expression" => {
                let body = node.child_by_field_name("body");
                body.map(|body| ExprKind::Lambda(self.statements(body)))
            }
            _ => None,
        };
        known.unwrap_or_else(|| ExprKind::Unknown(self.inner_expressions(node)))
    }

    /// Lowers the expressions inside of a node that is not understood.
    fn inner_expressions(&mut self, node: Node) -> Vec<Expr<'a>> {
        let nodes = children(node).into_iter();
        nodes
            .filter(|child| super::is_expression(child.kind()) || child.kind() == "argument_list")
            .map(|child| self.expr(child))
            .collect()
    }

    fn member(&mut self, node: Node) -> Option<ExprKind<'a>> {
        let object = self.boxed(node.child_by_field_name("argument"))?;
        let mut field = node.child_by_field_name("field")?;
        let mut arguments = Vec::new();
        if field.kind() == "dependent_name" {
            field = children(field).into_iter().next_back()?;
        }
        if field.kind() == "template_method" || field.kind() == "template_function" {
            if let Some(list) = field.child_by_field_name("arguments") {
                arguments = self.exprs(list);
            }
            field = field.child_by_field_name("name")?;
        }
        Some(ExprKind::Member {
            object,
            name: self.text(field),
            arguments,
        })
    }

    fn call(&mut self, node: Node) -> Option<ExprKind<'a>> {
        let function = node.child_by_field_name("function")?;
        let list = node.child_by_field_name("arguments")?;
        let mut arguments = self.exprs(list);
        let callee = self.expr(function);
        // The grammar parses named casts and `float(x)` as calls.
        if let ([_], ExprKind::Path(path)) = (arguments.as_slice(), &callee.kind) {
            let target = match (path.segments.as_slice(), path.arguments.as_slice()) {
                (["static_cast" | "reinterpret_cast" | "const_cast"], [target]) => {
                    target.path().cloned()
                }
                _ if function.kind() == "primitive_type" => Some(path.clone()),
                _ => None,
            };
            if let Some(target) = target {
                return Some(ExprKind::Cast(target, Box::new(arguments.remove(0))));
            }
        }
        Some(ExprKind::Call {
            callee: Box::new(callee),
            arguments,
            parentheses: self.span(list),
        })
    }

    fn index(&mut self, node: Node) -> Option<ExprKind<'a>> {
        let object = self.boxed(node.child_by_field_name("argument"))?;
        let list = node.child_by_field_name("indices")?;
        let indices = match list.kind() {
            "subscript_argument_list" => children(list),
            _ => vec![list],
        };
        match indices.as_slice() {
            [only] => Some(ExprKind::Index(object, Box::new(self.expr(*only)))),
            _ => None,
        }
    }

    fn unary(&mut self, node: Node) -> Option<ExprKind<'a>> {
        let op = match self.text(node.child_by_field_name("operator")?) {
            "-" => UnaryOp::Minus,
            "+" => UnaryOp::Plus,
            "!" | "not" => UnaryOp::Not,
            "~" => UnaryOp::Complement,
            "&" => UnaryOp::AddressOf,
            "*" => UnaryOp::Dereference,
            _ => return None,
        };
        let operand = self.boxed(node.child_by_field_name("argument"))?;
        Some(ExprKind::Unary(op, operand))
    }

    fn binary(&mut self, node: Node) -> Option<ExprKind<'a>> {
        let op = BinaryOp::from_text(self.text(node.child_by_field_name("operator")?))?;
        let left = self.boxed(node.child_by_field_name("left"))?;
        let right = self.boxed(node.child_by_field_name("right"))?;
        Some(ExprKind::Binary(op, left, right))
    }

    fn conditional(&mut self, node: Node) -> Option<ExprKind<'a>> {
        let parts = ["condition", "consequence", "alternative"];
        let [condition, then, otherwise] = parts.map(|part| node.child_by_field_name(part));
        Some(ExprKind::Conditional(Box::new([
            self.expr(condition?),
            self.expr(then?),
            self.expr(otherwise?),
        ])))
    }

    fn cast(&mut self, node: Node) -> Option<ExprKind<'a>> {
        let ty = self.ty(node.child_by_field_name("type")?);
        let value = self.boxed(node.child_by_field_name("value"))?;
        Some(ExprKind::Cast(ty, value))
    }

    fn field(&mut self, node: Node) -> Option<ExprKind<'a>> {
        let designator = node.child_by_field_name("designator")?;
        let name = children(designator).into_iter().next_back()?;
        let value = self.boxed(node.child_by_field_name("value"))?;
        Some(ExprKind::Field(self.text(name), value))
    }

    fn assignment(&mut self, node: Node) -> Option<ExprKind<'a>> {
        let operator = self.text(node.child_by_field_name("operator")?);
        let target = self.expr(node.child_by_field_name("left")?);
        let value = self.expr(node.child_by_field_name("right")?);
        Some(ExprKind::Assign(Box::new(Assignment {
            target,
            op: BinaryOp::from_text(operator.trim_end_matches('=')),
            value,
        })))
    }

    /// Lowers `a++` as `a += 1`.
    fn update(&mut self, node: Node) -> Option<ExprKind<'a>> {
        let operator = self.text(node.child_by_field_name("operator")?);
        let target = self.expr(node.child_by_field_name("argument")?);
        Some(ExprKind::Assign(Box::new(Assignment {
            target,
            op: BinaryOp::from_text(operator.part(..1)),
            value: Expr {
                span: self.span(node),
                kind: ExprKind::Int(1),
            },
        })))
    }

    /// Lowers a type, or a name with qualifiers.
    pub(super) fn ty(&mut self, node: Node) -> Path<'a> {
        let mut path = Path {
            span: self.span(node),
            segments: Vec::new(),
            arguments: Vec::new(),
            owner: None,
        };
        self.extend_path(node, &mut path);
        path
    }

    fn extend_path(&mut self, node: Node, path: &mut Path<'a>) {
        if self.depth >= MAX_DEPTH {
            return;
        }
        self.depth += 1;
        self.extend_path_by(node, path);
        self.depth -= 1;
    }

    fn extend_path_by(&mut self, node: Node, path: &mut Path<'a>) {
        match node.kind() {
            "qualified_identifier" => {
                if let Some(scope) = node.child_by_field_name("scope") {
                    self.extend_path(scope, path);
                    if !path.arguments.is_empty() {
                        path.owner = Some(Box::new(path.clone()));
                        path.arguments.clear();
                    }
                }
                if let Some(name) = node.child_by_field_name("name") {
                    self.extend_path(name, path);
                }
            }
            "template_type" | "template_function" => {
                if let Some(name) = node.child_by_field_name("name") {
                    path.segments.push(self.text(name));
                }
                if let Some(list) = node.child_by_field_name("arguments") {
                    path.arguments = self.exprs(list);
                }
            }
            "type_descriptor" | "struct_specifier" | "class_specifier" | "enum_specifier"
            | "dependent_type" | "dependent_name" => {
                let inner = node
                    .child_by_field_name("type")
                    .or_else(|| node.child_by_field_name("name"))
                    .or_else(|| children(node).into_iter().next_back());
                if let Some(inner) = inner {
                    self.extend_path(inner, path);
                }
            }
            _ => path.segments.push(self.text(node)),
        }
    }
}

/// Parses a number with radix prefix, digit separators and suffix.
pub(super) fn number<'a>(text: &str) -> Option<ExprKind<'a>> {
    let text = text.replace('\'', "").to_ascii_lowercase();
    let (radix, digits) = match text.as_bytes() {
        [b'0', b'x', ..] => (16, text.part(2..)),
        [b'0', b'b', ..] => (2, text.part(2..)),
        [b'0', b'0'..=b'7', ..] => (8, text.part(1..)),
        _ => (10, text.as_str()),
    };
    let whole = digits.trim_end_matches(['u', 'l', 'z']);
    if let Ok(value) = i128::from_str_radix(whole, radix) {
        return Some(ExprKind::Int(value));
    }
    let float = text.trim_end_matches(['f', 'l']);
    (radix != 16 && text.starts_with(|first: char| first.is_ascii_digit() || first == '.'))
        .then(|| float.parse().ok().map(ExprKind::Float))?
}

fn character<'a>(text: &str) -> Option<ExprKind<'a>> {
    let mut inside = text.trim_matches('\'').chars();
    match (inside.next(), inside.next()) {
        (Some(only), None) if only != '\\' => Some(ExprKind::Int(i128::from(u32::from(only)))),
        _ => None,
    }
}

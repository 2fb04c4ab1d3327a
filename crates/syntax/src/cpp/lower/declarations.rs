//! Lowering of declarations: variables, types, templates, functions.

use tree_sitter::Node;

use super::super::ast::*;
use super::{Lowering, children, fields, is_expression};

impl<'a> Lowering<'a> {
    pub(super) fn declaration(&mut self, node: Node, out: &mut Vec<Stmt<'a>>) {
        let Some(ty) = node.child_by_field_name("type") else {
            return;
        };
        // `class X {...} x;` declares the class as well.
        if ty.child_by_field_name("body").is_some() {
            self.statement(ty, out);
        }
        let said = |word: &str| children(node).iter().any(|child| self.text(*child) == word);
        // Each constructor may initialise a `const` member differently, so it is a constant only if it is static.
        let shared = node.kind() != "field_declaration" || said("static");
        let constant = said("constexpr") || (said("const") && shared);
        let default = node.child_by_field_name("default_value");
        let names = fields(node, "declarator")
            .into_iter()
            .filter_map(|declarator| self.declarator(declarator, default))
            .collect();
        out.push(Stmt {
            span: self.span(node),
            kind: StmtKind::Declare {
                ty: self.ty(ty),
                constant,
                names,
            },
        });
    }

    pub(super) fn declarator(
        &mut self,
        node: Node,
        default: Option<Node>,
    ) -> Option<Declarator<'a>> {
        let mut found = Declarator {
            name: "",
            span: self.span(node),
            whole: self.span(node),
            array: false,
            indirect: false,
            pointer: false,
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
                    found.span = self.span(inner);
                    return Some(found);
                }
                "init_declarator" => {
                    if let Some(value) = inner.child_by_field_name("value") {
                        found.init = self.initialiser(value);
                    }
                }
                "array_declarator" => found.array = true,
                "pointer_declarator" => (found.indirect, found.pointer) = (true, true),
                "reference_declarator" => found.indirect = true,
                // `T x(a, b)` is parsed as a function declaration if `a` and `b` may be types.
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

    /// Returns the arguments of a constructor call that was parsed as a parameter list; `None` if the list really
    /// declares parameters.
    fn misread_arguments(&mut self, parameters: Node) -> Option<Vec<Expr<'a>>> {
        let parameters = children(parameters);
        if parameters.is_empty() {
            return None;
        }
        let nodes: Option<Vec<Node>> = parameters
            .into_iter()
            .map(|node| match node.kind() {
                // A parameter without a name: what was parsed as its type is an argument.
                "parameter_declaration" if node.child_by_field_name("declarator").is_none() => {
                    node.child_by_field_name("type")
                }
                kind if is_expression(kind) => Some(node),
                _ => None,
            })
            .collect();
        let nodes = nodes?;
        // `T f(int, float)` declares a function.
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

    pub(super) fn alias(&mut self, node: Node, parameters: Vec<&'a str>) -> StmtKind<'a> {
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

    pub(super) fn typedef(&mut self, node: Node) -> StmtKind<'a> {
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

    pub(super) fn template(&mut self, node: Node, out: &mut Vec<Stmt<'a>>) {
        let parameters = node.child_by_field_name("parameters");
        let parameters = parameters.into_iter().flat_map(children);
        let parameters: Vec<_> = parameters.map(|it| self.template_parameter(it)).collect();
        for child in children(node) {
            let kind = match child.kind() {
                "alias_declaration" => {
                    let names = parameters.iter().map(|parameter| parameter.name);
                    self.alias(child, names.collect())
                }
                "function_definition" => self.function(child, Some(parameters.clone())),
                "class_specifier" | "struct_specifier" => self.class(child, parameters.clone()),
                "template_parameter_list" => continue,
                _ => {
                    self.statement(child, out);
                    continue;
                }
            };
            out.push(Stmt {
                span: self.span(child),
                kind,
            });
        }
    }

    /// Lowers `template void f<float>(…);` and `template class C<float>;` to the instantiated name.
    pub(super) fn instantiation(&mut self, node: Node) -> StmtKind<'a> {
        let mut declarator = node.child_by_field_name("declarator");
        while let Some(inner) = declarator.filter(|node| node.kind() != "function_declarator") {
            declarator = inner.child_by_field_name("declarator");
        }
        let function = declarator.and_then(|it| it.child_by_field_name("declarator"));
        let class = || {
            let mut inside = children(node).into_iter();
            inside.find_map(|child| child.child_by_field_name("name"))
        };
        match function.or_else(class) {
            Some(name) => StmtKind::Instantiate(self.ty(name)),
            None => StmtKind::Other,
        }
    }

    fn template_parameter(&mut self, node: Node) -> TemplateParameter<'a> {
        let default = node
            .child_by_field_name("default_value")
            .or_else(|| node.child_by_field_name("default_type"));
        let named = node
            .child_by_field_name("declarator")
            .or_else(|| node.child_by_field_name("name"))
            .or_else(|| {
                let last = children(node).into_iter().next_back();
                let is_name = |node: &Node| {
                    matches!(
                        node.kind(),
                        "type_identifier" | "identifier" | "variadic_declarator"
                    )
                };
                last.filter(|node| Some(*node) != default && is_name(node))
            });
        let name = named.map_or("", |named| self.text(named));
        TemplateParameter {
            name: name.trim_start_matches(['.', ' ']),
            pack: node.kind().starts_with("variadic") || name.starts_with('.'),
            default: default.map(|default| self.expr(default)),
        }
    }

    pub(super) fn class(
        &mut self,
        node: Node,
        parameters: Vec<TemplateParameter<'a>>,
    ) -> StmtKind<'a> {
        let name = node.child_by_field_name("name");
        let (Some(name), Some(body)) = (name, node.child_by_field_name("body")) else {
            return StmtKind::Other;
        };
        let path = self.ty(name);
        let bases = children(node).into_iter();
        let bases = bases.filter(|child| child.kind() == "base_class_clause");
        let bases = bases.flat_map(children).filter(|child| {
            matches!(
                child.kind(),
                "type_identifier" | "qualified_identifier" | "template_type"
            )
        });
        StmtKind::Class(Class {
            name: path.name(),
            name_span: path.span,
            parameters,
            specialises: path.arguments,
            bases: bases.map(|base| self.ty(base)).collect(),
            members: self.statements(body),
        })
    }

    pub(super) fn enumeration(&mut self, node: Node) -> StmtKind<'a> {
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
        let words = (0..node.child_count()).filter_map(|at| node.child(at));
        let name = node.child_by_field_name("name");
        StmtKind::Enum(Enum {
            name: name.map(|name| self.text(name)),
            scoped: words
                .into_iter()
                .any(|word| matches!(word.kind(), "class" | "struct")),
            enumerators,
        })
    }

    pub(super) fn namespace(&mut self, node: Node) -> StmtKind<'a> {
        let name = node.child_by_field_name("name");
        let name = name.map_or("", |name| self.text(name));
        let segments = name.split("::").map(str::trim);
        let body = node.child_by_field_name("body");
        StmtKind::Namespace(
            segments.filter(|segment| !segment.is_empty()).collect(),
            body.map_or_else(Vec::new, |body| self.statements(body)),
        )
    }

    /// Lowers `#include "path"`. A path between `<` and `>` is not a file of the project.
    pub(super) fn include(&mut self, node: Node) -> StmtKind<'a> {
        let path = node.child_by_field_name("path").map(|path| self.text(path));
        let path = path.and_then(|path| path.strip_prefix('"')?.strip_suffix('"'));
        path.map_or(StmtKind::Other, StmtKind::Include)
    }

    pub(super) fn function(
        &mut self,
        node: Node,
        template: Option<Vec<TemplateParameter<'a>>>,
    ) -> StmtKind<'a> {
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
        let lists = children(node).into_iter();
        let lists = lists.filter(|child| child.kind() == "field_initializer_list");
        let head = self.text.get(node.start_byte()..declarator.start_byte());
        StmtKind::Function(Box::new(Function {
            name: path.name(),
            name_span: path.span,
            class: class.map(|at| path.segments[at]),
            class_arguments: path.owner.map_or_else(Vec::new, |owner| owner.arguments),
            constexpr: head.is_some_and(|head| head.contains("constexpr")),
            is_template: template.is_some(),
            template_parameters: template.unwrap_or_default(),
            specialises: path.arguments,
            initialisers: lists
                .flat_map(children)
                .filter_map(|member| self.initialised_member(member))
                .collect(),
            parameters: parameters
                .into_iter()
                .flat_map(children)
                .filter_map(|parameter| self.parameter(parameter))
                .collect(),
            body: self.body(Some(body)),
        }))
    }

    /// Returns the name and the arguments of the initialiser `member(value)`.
    fn initialised_member(&mut self, node: Node) -> Option<(&'a str, Vec<Expr<'a>>)> {
        match children(node).as_slice() {
            [name, values] if name.kind() == "field_identifier" => {
                Some((self.text(*name), self.exprs(*values)))
            }
            _ => None,
        }
    }

    fn parameter(&mut self, node: Node) -> Option<Parameter<'a>> {
        let ty = node.child_by_field_name("type")?;
        let declarator = node.child_by_field_name("declarator");
        let named = declarator.and_then(|it| self.declarator(it, None));
        if declarator.is_none() && self.text(ty) == "void" {
            return None;
        }
        let ty = self.ty(ty);
        Some(match named {
            Some(named) => Parameter {
                name: named.name,
                span: named.span,
                ty,
                pointer: named.pointer,
                indirect: named.indirect,
            },
            None => Parameter {
                name: "",
                span: ty.span,
                ty,
                pointer: declarator.is_some(),
                indirect: declarator.is_some(),
            },
        })
    }
}

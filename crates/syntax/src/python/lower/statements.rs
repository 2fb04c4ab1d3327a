//! Lowering of statements.

use super::expressions::{binary_op, broken, unwrap};
use super::*;

impl Lowering<'_> {
    /// Lowers the statements of a module or block. Nodes that belong to no statement, as in a module that failed as a
    /// whole, are joined to error statements.
    pub(super) fn statements(&mut self, node: Node) -> Vec<Stmt> {
        let parts = children(node);
        let mut body: Vec<Stmt> = Vec::with_capacity(parts.len());
        let mut in_pieces = false;
        for child in parts {
            if is_statement(child) {
                push(&mut body, self.stmt(child));
                in_pieces = false;
            } else if child.is_error() || node.is_error() {
                let piece = self.broken_stmt(child);
                match body.last_mut().filter(|_| in_pieces) {
                    Some(last) => join(last, piece),
                    None => push(&mut body, piece),
                }
                in_pieces = node.is_error();
            }
        }
        if node.is_error() {
            self.note_pieces(&body);
        }
        body
    }

    /// Records the error statements of a failed module as errors.
    fn note_pieces(&mut self, body: &[Stmt]) {
        let broken = |stmt: &&Stmt| matches!(stmt.kind, StmtKind::Error(_));
        let errors = body.iter().filter(broken).map(|stmt| SyntaxError {
            span: stmt.span,
            reason: ErrorReason::Unparsed,
        });
        self.errors.extend(errors);
    }

    fn broken_stmt(&mut self, node: Node) -> Stmt {
        let rest = self.nested(node, |this| this.recover(node));
        let kind = StmtKind::Error(rest.unwrap_or_default());
        let end = node.end_byte().max(last_end(&kind));
        Stmt {
            span: Span::new(node.start_byte(), end),
            kind,
        }
    }

    /// Lowers the outermost statements below a node that is no statement.
    fn recover(&mut self, node: Node) -> Vec<Stmt> {
        let mut found = Vec::new();
        let mut open: Vec<Node> = children(node).into_vec();
        open.reverse();
        while let Some(node) = open.pop() {
            if is_statement(node) {
                push(&mut found, self.stmt(node));
            } else {
                open.extend(children(node).into_iter().rev());
            }
        }
        found
    }

    /// Lowers the block in a field, and records an error if it is empty.
    pub(super) fn block(&mut self, node: Option<Node>) -> Vec<Stmt> {
        let Some(node) = node else {
            return Vec::new();
        };
        let body = self.statements(node);
        if body.is_empty() {
            let span = Span::new(node.start_byte(), node.start_byte());
            let reason = ErrorReason::Missing("block".to_owned());
            self.errors.push(SyntaxError { span, reason });
        }
        body
    }

    fn stmt(&mut self, node: Node) -> Stmt {
        let kind = self.nested(node, |this| this.stmt_kind(node));
        let kind = kind.unwrap_or_else(|| StmtKind::Error(Vec::new()));
        let start = match kind {
            StmtKind::Function(_) | StmtKind::Class { .. } => definition(node).start_byte(),
            _ => node.start_byte(),
        };
        let span = Span::new(start, self.end(node, &kind));
        let kind = closed(kind, span);
        Stmt { span, kind }
    }

    /// Returns the end of a statement: that of the last statement inside of it, or else that of the node without the
    /// blank lines that a block may end with.
    fn end(&self, node: Node, kind: &StmtKind) -> usize {
        let own = node.start_byte() + self.slice(node).trim_end().len();
        let own = self.mask(node).map_or(own, |mask| mask.end as usize);
        match (kind, last_end(kind)) {
            (StmtKind::Error(_), last) => own.max(last),
            (_, 0) => own,
            (_, last) => last,
        }
    }

    /// Returns the span of the blanked statement whose placeholder is at a node.
    fn mask(&self, node: Node) -> Option<Span> {
        let start = node.start_byte() as u32;
        let at = self.masked.binary_search_by_key(&start, |mask| mask.start);
        self.masked.get(at.ok()?).copied()
    }

    fn stmt_kind(&mut self, node: Node) -> StmtKind {
        let kind = match node.kind() {
            "decorated_definition" | "function_definition" | "class_definition"
                if self.mask(definition(node)).is_none() =>
            {
                self.definition(node)
            }
            "expression_statement" if self.mask(node).is_none() => self.expression_statement(node),
            "print_statement" | "exec_statement" => {
                self.error(node, ErrorReason::Python2);
                None
            }
            _ if self.mask(node).is_some() || is_damaged(node) => None,
            "if_statement" => self.if_statement(node),
            "for_statement" => self.for_statement(node),
            "match_statement" => self.match_statement(node),
            "while_statement" => self.while_statement(node),
            "with_statement" => self.with_statement(node),
            "try_statement" => Some(self.try_statement(node)),
            _ => self.simple(node),
        };
        kind.unwrap_or_else(|| StmtKind::Error(self.recover(node)))
    }

    /// Lowers a statement without blocks.
    fn simple(&mut self, node: Node) -> Option<StmtKind> {
        Some(match node.kind() {
            "pass_statement" => StmtKind::Pass,
            "break_statement" => StmtKind::Break,
            "continue_statement" => StmtKind::Continue,
            "raise_statement" => {
                StmtKind::Raise(operands(node).first().map(|&value| self.expr(value)))
            }
            "return_statement" => {
                StmtKind::Return(operands(node).first().map(|&value| self.expr(value)))
            }
            "assert_statement" => StmtKind::Assert(self.expr(*operands(node).first()?)),
            "delete_statement" => StmtKind::Delete(self.deleted(node)?),
            "global_statement" => {
                StmtKind::Global(operands(node).iter().map(|&n| self.name(n)).collect())
            }
            "nonlocal_statement" => {
                StmtKind::Nonlocal(operands(node).iter().map(|&n| self.name(n)).collect())
            }
            "import_statement" => StmtKind::Import(self.imported(node)?),
            "import_from_statement" => self.import_from(node)?,
            "future_import_statement" => self.import_future(node)?,
            _ => return None,
        })
    }

    fn deleted(&mut self, node: Node) -> Option<Vec<Expr>> {
        let target = *operands(node).first()?;
        Some(match target.kind() {
            "expression_list" => operands(target).iter().map(|&n| self.expr(n)).collect(),
            _ => vec![self.expr(target)],
        })
    }

    fn imported(&mut self, node: Node) -> Option<Vec<ImportName>> {
        let names = in_field(node, "name").into_iter();
        names
            .filter(|name| name.is_named())
            .map(|name| self.import_name(name))
            .collect()
    }

    fn import_name(&mut self, node: Node) -> Option<ImportName> {
        if is_damaged(node) {
            return None;
        }
        let (name, alias) = match node.kind() {
            "aliased_import" => (
                node.child_by_field_name("name")?,
                Some(node.child_by_field_name("alias")?),
            ),
            _ => (node, None),
        };
        Some(ImportName {
            name: self.dotted(name),
            span: span(name),
            alias: alias.map(|alias| self.name(alias)),
        })
    }

    fn import_from(&mut self, node: Node) -> Option<StmtKind> {
        let module = node.child_by_field_name("module_name")?;
        Some(StmtKind::ImportFrom {
            module: self.dotted(module),
            module_span: span(module),
            names: self.imported(node)?,
            star: operands(node).iter().any(|n| n.kind() == "wildcard_import"),
        })
    }

    fn import_future(&mut self, node: Node) -> Option<StmtKind> {
        let module = *children(node).get(1)?;
        Some(StmtKind::ImportFrom {
            module: self.dotted(module),
            module_span: span(module),
            names: self.imported(node)?,
            star: false,
        })
    }

    fn expression_statement(&mut self, node: Node) -> Option<StmtKind> {
        let parts = children(node);
        match parts.as_slice() {
            &[only] if only.kind() == "assignment" => self.assignment(only),
            &[only] if only.kind() == "augmented_assignment" => self.augmented(only),
            &[only] if !is_broken(&only) => Some(StmtKind::Expr(self.expr(only))),
            parts if parts.iter().any(is_broken) => self.assignment_with_debris(node),
            parts => self.bare_tuple(node, parts),
        }
    }

    fn bare_tuple(&mut self, node: Node, parts: &[Node]) -> Option<StmtKind> {
        let named = parts.iter().filter(|part| part.is_named());
        let elements = named.map(|&part| self.expr(part)).collect();
        Some(StmtKind::Expr(Expr {
            span: span(node),
            kind: ExprKind::Tuple(elements),
        }))
    }

    /// Lowers `a = value ???` to an assignment of an unknown value, so that the name is bound.
    fn assignment_with_debris(&mut self, node: Node) -> Option<StmtKind> {
        let parts = children(node);
        let assignment = parts.iter().find(|part| part.kind() == "assignment")?;
        let target = assignment.child_by_field_name("left")?;
        let value = Span::new(target.end_byte(), node.end_byte());
        Some(StmtKind::Assign {
            targets: vec![self.expr(target)],
            value: broken(value),
        })
    }

    fn assignment(&mut self, node: Node) -> Option<StmtKind> {
        if node.child_by_field_name("type").is_some() {
            return self.annotated(node);
        }
        let mut targets = Vec::new();
        let mut link = node;
        while link.kind() == "assignment" && link.child_by_field_name("type").is_none() {
            let target = link.child_by_field_name("left")?;
            targets.push(self.expr(target));
            let Some(right) = link
                .child_by_field_name("right")
                .filter(|_| !is_damaged(link))
            else {
                let value = broken(Span::new(target.end_byte(), node.end_byte()));
                return Some(StmtKind::Assign { targets, value });
            };
            link = right;
        }
        let value = self.expr(link);
        Some(StmtKind::Assign { targets, value })
    }

    fn annotated(&mut self, node: Node) -> Option<StmtKind> {
        let value = match is_damaged(node) {
            true => Some(broken(span(node))),
            false => self.field(node, "right"),
        };
        Some(StmtKind::AnnAssign {
            target: self.field(node, "left")?,
            annotation: self.field(node, "type")?,
            value,
        })
    }

    fn augmented(&mut self, node: Node) -> Option<StmtKind> {
        if is_damaged(node) {
            return None;
        }
        let operator = node.child_by_field_name("operator")?;
        Some(StmtKind::AugAssign {
            target: self.field(node, "left")?,
            op: binary_op(operator.kind().strip_suffix('=')?)?,
            op_span: span(operator),
            value: self.field(node, "right")?,
        })
    }

    fn if_statement(&mut self, node: Node) -> Option<StmtKind> {
        let mut arms = vec![self.arm(node)?];
        let mut orelse = Vec::new();
        for alternative in in_field(node, "alternative") {
            match alternative.kind() {
                "elif_clause" => arms.push(self.arm(alternative)?),
                _ => orelse = self.block(alternative.child_by_field_name("body")),
            }
        }
        Some(StmtKind::If { arms, orelse })
    }

    fn arm(&mut self, node: Node) -> Option<(Expr, Vec<Stmt>)> {
        let test = node.child_by_field_name("condition")?;
        let test = match is_damaged(node) {
            true => broken(span(test)),
            false => self.expr(test),
        };
        Some((test, self.block(node.child_by_field_name("consequence"))))
    }

    fn for_statement(&mut self, node: Node) -> Option<StmtKind> {
        Some(StmtKind::For {
            target: self.field(node, "left")?,
            iter: self.field(node, "right")?,
            body: self.block(node.child_by_field_name("body")),
            orelse: self.alternative(node),
        })
    }

    fn while_statement(&mut self, node: Node) -> Option<StmtKind> {
        Some(StmtKind::While {
            test: self.field(node, "condition")?,
            body: self.block(node.child_by_field_name("body")),
            orelse: self.alternative(node),
        })
    }

    fn alternative(&mut self, node: Node) -> Vec<Stmt> {
        match node.child_by_field_name("alternative") {
            Some(clause) => self.block(clause.child_by_field_name("body")),
            None => Vec::new(),
        }
    }

    fn with_statement(&mut self, node: Node) -> Option<StmtKind> {
        let parts = operands(node);
        let clause = parts.iter().find(|part| part.kind() == "with_clause")?;
        let items = with_items(*clause).into_iter();
        Some(StmtKind::With {
            items: items.map(|item| self.with_item(item)).collect(),
            body: self.block(node.child_by_field_name("body")),
        })
    }

    fn with_item(&mut self, node: Node) -> (Expr, Option<Expr>) {
        let inner = unwrap(node);
        if inner.kind() != "as_pattern" || is_damaged(inner) {
            return (self.expr(node), None);
        }
        match operands(inner).as_slice() {
            &[value, target] => (self.expr(value), Some(self.expr(target))),
            _ => (broken(span(inner)), None),
        }
    }

    fn try_statement(&mut self, node: Node) -> StmtKind {
        let (mut blocks, mut parts) = (Vec::new(), Vec::new());
        let mut handlers = Vec::new();
        for part in operands(node) {
            if matches!(part.kind(), "except_clause" | "except_group_clause") {
                handlers.push(self.handler(part));
            }
            let block = match part.kind() {
                "block" => Some(part),
                _ => operands(part).into_iter().find(|n| n.kind() == "block"),
            };
            blocks.push(self.block(block));
            parts.push(match part.kind() {
                "block" => TryPart::Body,
                "else_clause" => TryPart::Else,
                "finally_clause" => TryPart::Finally,
                _ => TryPart::Handler,
            });
        }
        StmtKind::Try {
            blocks,
            parts,
            handlers,
        }
    }

    /// Lowers `except classes as name:`.
    fn handler(&mut self, node: Node) -> Handler {
        let parts = operands(node).into_iter();
        let mut head = parts.filter(|part| part.kind() != "block");
        let (first, second) = (head.next(), head.next());
        let pair = first.filter(|first| first.kind() == "as_pattern");
        let (classes, name) = match pair.map(|pair| operands(pair)).as_deref() {
            Some(&[classes, name]) => (Some(classes), Some(name)),
            _ => (first, second),
        };
        Handler {
            classes: classes.map(|classes| self.expr(classes)),
            name: name.map(|name| self.name(name)),
            is_group: node.kind() == "except_group_clause",
        }
    }

    fn definition(&mut self, node: Node) -> Option<StmtKind> {
        let inner = definition(node);
        let name = inner.child_by_field_name("name")?;
        let name = self.name(name);
        match inner.kind() {
            "class_definition" => {
                let given = inner.child_by_field_name("superclasses");
                let given: Vec<Node> = given.into_iter().flat_map(operands).collect();
                let is_keyword =
                    |node: &&Node| matches!(node.kind(), "keyword_argument" | "dictionary_splat");
                let bases = given.iter().filter(|node| !is_keyword(node));
                let bases = bases.map(|base| self.expr(*base)).collect();
                let keywords = given.iter().filter(is_keyword);
                let keywords = keywords
                    .map(|keyword| self.class_keyword(*keyword))
                    .collect();
                let decorators = self.decorators(node);
                let own = inner.child_by_field_name("name")?;
                let own = identifier(self.slice(own));
                let outer = std::mem::replace(&mut self.class, own);
                let body = self.definition_body(inner);
                self.class = outer;
                Some(StmtKind::Class {
                    name,
                    full_span: span(node),
                    decorators,
                    bases,
                    keywords,
                    body,
                })
            }
            "function_definition" => {
                let params = inner.child_by_field_name("parameters");
                // A `yield` of this function is none of the function around it.
                let outer = std::mem::take(&mut self.yields);
                let body = self.definition_body(inner);
                let is_generator = std::mem::replace(&mut self.yields, outer);
                Some(StmtKind::Function(Box::new(FunctionDef {
                    name,
                    full_span: span(node),
                    decorators: self.decorators(node),
                    params: params.map_or_else(Vec::new, |params| self.params(params)),
                    body,
                    is_generator,
                })))
            }
            _ => None,
        }
    }

    /// Lowers `name=value` and `**values` among the base classes.
    fn class_keyword(&mut self, node: Node) -> (Option<Name>, Expr) {
        let name = node.child_by_field_name("name");
        let value = match name {
            Some(_) => node.child_by_field_name("value"),
            None => operands(node).first().copied(),
        };
        let value = value.map(|value| self.expr(value));
        let value = value.unwrap_or_else(|| broken(span(node)));
        (name.map(|name| self.plain_name(name)), value)
    }

    /// Lowers the body of a function or class. Statements that the parser attributed to a broken head come first,
    /// inside an error statement, so that the body is not taken for complete.
    fn definition_body(&mut self, node: Node) -> Vec<Stmt> {
        let mut body = Vec::new();
        if node.has_error() {
            let broken = children(node).into_iter().filter(|child| child.is_error());
            body.extend(broken.map(|child| self.broken_stmt(child)));
        }
        body.extend(self.block(node.child_by_field_name("body")));
        body.sort_by_key(|stmt| stmt.span.start);
        let mut ordered = Vec::with_capacity(body.len());
        body.into_iter().for_each(|stmt| push(&mut ordered, stmt));
        ordered
    }

    fn decorators(&mut self, node: Node) -> Vec<Expr> {
        if node.kind() != "decorated_definition" {
            return Vec::new();
        }
        let parts = operands(node).into_iter();
        parts
            .filter(|part| part.kind() == "decorator")
            .map(|part| match operands(part).as_slice() {
                &[expr] => self.expr(expr),
                _ => broken(span(part)),
            })
            .collect()
    }
}

fn is_statement(node: Node) -> bool {
    let kind = node.kind();
    node.is_named() && (kind.ends_with("_statement") || kind.ends_with("_definition"))
}

/// Returns the definition below decorators; the node itself if it has none.
fn definition(node: Node) -> Node {
    node.child_by_field_name("definition").unwrap_or(node)
}

/// Returns the items of a `with`. In `with (a as b, c):` they are inside of a tuple.
fn with_items(clause: Node) -> Nodes {
    let values: Nodes = operands(clause)
        .iter()
        .map(|item| item.child_by_field_name("value").unwrap_or(*item))
        .collect();
    match values.as_slice() {
        &[only] if only.kind() == "tuple" => operands(only),
        _ => values,
    }
}

/// Appends a statement. If it starts inside of the previous one, both become one error statement: a placeholder ends
/// in blanks, in which the parser may have placed something.
fn push(body: &mut Vec<Stmt>, stmt: Stmt) {
    match body.last_mut() {
        Some(last) if stmt.span.start < last.span.end => join(last, stmt),
        _ => body.push(stmt),
    }
}

/// Joins two statements to one error statement.
fn join(last: &mut Stmt, next: Stmt) {
    last.span = last.span.to(next.span);
    let mut all = into_rest(std::mem::replace(&mut last.kind, StmtKind::Pass));
    into_rest(next.kind)
        .into_iter()
        .for_each(|stmt| push(&mut all, stmt));
    last.kind = StmtKind::Error(all);
}

/// Returns the statements that could be recovered from an error statement.
fn into_rest(kind: StmtKind) -> Vec<Stmt> {
    match kind {
        StmtKind::Error(rest) => rest,
        _ => Vec::new(),
    }
}

/// Returns the end of the last statement in a compound statement; 0 if it has none.
fn last_end(kind: &StmtKind) -> usize {
    let bodies: &[&[Stmt]] = match kind {
        StmtKind::For { body, orelse, .. } | StmtKind::While { body, orelse, .. } => {
            &[body, orelse]
        }
        StmtKind::If { arms, orelse } => &[arms.last().map_or(&[], |arm| &arm.1), orelse],
        StmtKind::With { body, .. } | StmtKind::Class { body, .. } => &[body],
        StmtKind::Function(function) => &[&function.body],
        StmtKind::Try { blocks, .. } => &[blocks.last().map_or(&[], |block| block)],
        StmtKind::Error(rest) => &[rest],
        _ => &[],
    };
    let lasts = bodies.iter().filter_map(|body| body.last());
    lasts.map(|last| last.span.range().end).max().unwrap_or(0)
}

/// Sets the end of spans inside of `kind` to that of its statement.
fn closed(mut kind: StmtKind, span: Span) -> StmtKind {
    match &mut kind {
        StmtKind::Function(function) => function.full_span.end = span.end,
        StmtKind::Class { full_span, .. } => full_span.end = span.end,
        _ => {}
    }
    kind
}

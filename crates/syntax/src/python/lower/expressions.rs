//! Lowering of expressions.

use super::*;
use a2lint_source::text::Slice;

impl Lowering<'_> {
    /// Lowers an expression, a target or an annotation.
    pub(super) fn expr(&mut self, node: Node) -> Expr {
        let node = unwrap(node);
        let kind = self.nested(node, |this| this.expr_kind(node));
        Expr {
            span: span(node),
            kind: kind.unwrap_or(ExprKind::Error),
        }
    }

    fn boxed(&mut self, node: Node) -> Box<Expr> {
        Box::new(self.expr(node))
    }

    /// Lowers the expression in a field of a node whose other children are fixed by the grammar.
    pub(super) fn field(&mut self, node: Node, field: &str) -> Option<Expr> {
        let child = node.child_by_field_name(field)?;
        Some(self.expr(child))
    }

    fn boxed_field(&mut self, node: Node, field: &str) -> Option<Box<Expr>> {
        self.field(node, field).map(Box::new)
    }

    fn expr_kind(&mut self, node: Node) -> ExprKind {
        if is_broken(&node) {
            return ExprKind::Error;
        }
        match node.kind() {
            "none" => ExprKind::None,
            "true" => ExprKind::Bool(true),
            "false" => ExprKind::Bool(false),
            "ellipsis" => ExprKind::Ellipsis,
            "integer" => literal::integer(self.slice(node)),
            "float" => literal::float(self.slice(node)),
            "identifier" => ExprKind::Name(self.identifier(node)),
            "tuple" | "tuple_pattern" | "expression_list" | "pattern_list" => {
                ExprKind::Tuple(self.elements(node))
            }
            "list" | "list_pattern" => ExprKind::List(self.elements(node)),
            "set" => ExprKind::Set(self.elements(node)),
            "dictionary" => ExprKind::Dict(self.pairs(node)),
            // Displays come before this test: their broken elements stay as errors among the others.
            _ if is_damaged(node) => ExprKind::Error,
            _ => match self.composite(node) {
                Some(kind) => unstarred(kind, span(node)),
                None => ExprKind::Error,
            },
        }
    }

    /// Lowers an expression whose parts are in fixed places; `None` for kinds of expressions that are not supported.
    fn composite(&mut self, node: Node) -> Option<ExprKind> {
        match node.kind() {
            "string" => self.string(node),
            "concatenated_string" => self.joined_strings(node),
            "attribute" => self.attribute(node),
            "subscript" => self.subscript(node),
            "slice" => Some(self.slice_bounds(node)),
            "call" => self.call(node),
            "unary_operator" => self.unary(node),
            "not_operator" => self.not(node),
            "binary_operator" => self.regrouped(node).or_else(|| self.binary(node)),
            "boolean_operator" => self.boolean(node),
            "comparison_operator" => self.comparison(node),
            "conditional_expression" => self.conditional(node),
            "lambda" => self.lambda(node),
            "yield" => self.yielded(node),
            "named_expression" => self.walrus(node),
            "list_splat" | "list_splat_pattern" => {
                Some(ExprKind::Starred(self.boxed(*operands(node).first()?)))
            }
            "generic_type" => self.generic(node),
            "list_comprehension" => self.comprehension(node, ComprehensionKind::List),
            "set_comprehension" => self.comprehension(node, ComprehensionKind::Set),
            "dictionary_comprehension" => self.comprehension(node, ComprehensionKind::Dict),
            "generator_expression" => self.comprehension(node, ComprehensionKind::Generator),
            _ => None,
        }
    }

    /// Lowers the elements of a display. A broken or missing element stays as an error, so that the rest is not taken
    /// for the complete list.
    fn elements(&mut self, node: Node) -> Vec<Expr> {
        let parts = children(node).into_iter();
        parts
            .filter(|part| part.is_named() || is_broken(part))
            .map(|part| self.expr(part))
            .collect()
    }

    fn pairs(&mut self, node: Node) -> Vec<(Option<Expr>, Expr)> {
        let parts = children(node).into_iter();
        parts
            .filter(|part| part.is_named() || is_broken(part))
            .map(|part| self.pair(part))
            .collect()
    }

    fn pair(&mut self, node: Node) -> (Option<Expr>, Expr) {
        let splat = (node.kind() == "dictionary_splat").then(|| operands(node));
        if let Some(&[value]) = splat.as_deref() {
            return (None, self.expr(value));
        }
        if node.kind() == "pair"
            && !is_damaged(node)
            && let Some(key) = self.field(node, "key")
            && let Some(value) = self.field(node, "value")
        {
            return (Some(key), value);
        }
        (None, broken(span(node)))
    }

    fn string(&mut self, node: Node) -> Option<ExprKind> {
        let parts = children(node);
        let (first, last) = (parts.first()?, parts.last()?);
        if parts.iter().any(|part| part.kind() == "interpolation") {
            let format = self.format(node);
            return Some(format.map_or(ExprKind::OpaqueStr, ExprKind::Format));
        }
        let content = self.text.get(first.end_byte()..last.start_byte())?;
        Some(literal::string(self.slice(*first), content))
    }

    /// Lowers the parts of an f-string; `None` if one of them is damaged or has unsupported escapes.
    fn format(&mut self, node: Node) -> Option<Vec<FormatPart>> {
        let nodes = children(node);
        let opening = self.slice(*nodes.first()?).to_owned();
        let mut parts = Vec::new();
        for part in &nodes[1..nodes.len().checked_sub(1)?] {
            match part.kind() {
                "interpolation" => self.interpolation(*part, &mut parts)?,
                _ => {
                    let text = literal::format_text(&opening, self.slice(*part))?;
                    parts.push(FormatPart::Text(text));
                }
            }
        }
        Some(parts)
    }

    /// Lowers `{value!r:>8}`. For `{value=}`, the source text of the expression is added before the value.
    fn interpolation(&mut self, node: Node, parts: &mut Vec<FormatPart>) -> Option<()> {
        if is_damaged(node) {
            return None;
        }
        let inner = |kind: &str| children(node).into_iter().find(|part| part.kind() == kind);
        let mut conversion = inner("type_conversion").map(|it| self.slice(it).part(1..).to_owned());
        if inner("=").is_some() {
            let rest = inner("type_conversion").or(inner("format_specifier"));
            let end = rest.or(inner("}"))?.start_byte();
            let shown = self.text.get(node.start_byte() + 1..end)?;
            parts.push(FormatPart::Text(shown.to_owned()));
            // Without a conversion or a format, `=` means `!r`.
            if rest.is_none() {
                conversion = Some("r".to_owned());
            }
        }
        let spec = match inner("format_specifier") {
            Some(spec) if !operands(spec).is_empty() => None,
            Some(spec) => Some(self.slice(spec).trim_start_matches(':').to_owned()),
            None => Some(String::new()),
        };
        parts.push(FormatPart::Value {
            value: self.field(node, "expression")?,
            conversion,
            spec,
        });
        Some(())
    }

    /// Lowers `yield x` and `yield from x`.
    fn yielded(&mut self, node: Node) -> Option<ExprKind> {
        self.yields = true;
        let from = children(node).iter().any(|part| part.kind() == "from");
        let value = operands(node).first().map(|&value| self.boxed(value));
        Some(ExprKind::Yield { value, from })
    }

    fn joined_strings(&mut self, node: Node) -> Option<ExprKind> {
        let mut joined = Vec::new();
        let mut opaque = false;
        for part in operands(node) {
            match self.expr(part).kind {
                ExprKind::Str(text) => joined.push(FormatPart::Text(text)),
                ExprKind::Format(parts) => joined.extend(parts),
                ExprKind::OpaqueStr => opaque = true,
                _ => return None,
            }
        }
        let text = |part: &FormatPart| match part {
            FormatPart::Text(text) => Some(text.clone()),
            FormatPart::Value { .. } => None,
        };
        let plain: Option<String> = joined.iter().map(text).collect();
        Some(match (opaque, plain) {
            (true, _) => ExprKind::OpaqueStr,
            (false, Some(text)) => ExprKind::Str(text),
            (false, None) => ExprKind::Format(joined),
        })
    }

    fn attribute(&mut self, node: Node) -> Option<ExprKind> {
        let attr = node.child_by_field_name("attribute")?;
        Some(ExprKind::Attribute {
            value: self.boxed_field(node, "object")?,
            attr: self.name(attr),
        })
    }

    fn subscript(&mut self, node: Node) -> Option<ExprKind> {
        let several = children(node).iter().any(|part| part.kind() == ",");
        let indices = in_field(node, "subscript");
        Some(ExprKind::Subscript {
            value: self.boxed_field(node, "value")?,
            index: Box::new(self.one_or_tuple(&indices, several)?),
        })
    }

    /// Lowers the nodes as a tuple if they are `several`, separated by commas; else the single node.
    pub(super) fn one_or_tuple(&mut self, nodes: &[Node], several: bool) -> Option<Expr> {
        let (first, last) = (nodes.first()?, nodes.last()?);
        if !several {
            return Some(self.expr(*first));
        }
        let elements = nodes.iter().map(|&node| self.expr(node)).collect();
        Some(Expr {
            span: span(*first).to(span(*last)),
            kind: ExprKind::Tuple(elements),
        })
    }

    /// Lowers `list[int]` in an annotation, for which the grammar has a node of its own.
    fn generic(&mut self, node: Node) -> Option<ExprKind> {
        let &[value, parameters] = operands(node).as_slice() else {
            return None;
        };
        let indices = operands(parameters);
        Some(ExprKind::Subscript {
            value: self.boxed(value),
            index: Box::new(self.one_or_tuple(&indices, indices.len() > 1)?),
        })
    }

    fn slice_bounds(&mut self, node: Node) -> ExprKind {
        let mut bounds = [None, None, None];
        let mut place = 0;
        for part in children(node) {
            if part.kind() == ":" {
                place += 1;
            } else if let Some(bound) = bounds.get_mut(place) {
                *bound = Some(self.boxed(part));
            }
        }
        let [lower, upper, step] = bounds;
        ExprKind::Slice { lower, upper, step }
    }

    fn call(&mut self, node: Node) -> Option<ExprKind> {
        let func = self.boxed_field(node, "function")?;
        let arguments = node.child_by_field_name("arguments")?;
        let (mut args, mut keywords) = (Vec::new(), Vec::new());
        if arguments.kind() == "generator_expression" {
            args.push(self.expr(arguments));
        } else {
            self.arguments(arguments, &mut args, &mut keywords);
        }
        Some(ExprKind::Call {
            func,
            args,
            keywords,
        })
    }

    fn arguments(
        &mut self,
        node: Node,
        args: &mut Vec<Expr>,
        keywords: &mut Vec<(Option<Name>, Expr)>,
    ) {
        let parts = children(node);
        // The children are two brackets, the arguments, and a comma between two arguments.
        args.reserve(parts.len() / 2);
        for part in parts {
            match part.kind() {
                _ if is_broken(&part) => args.push(broken(span(part))),
                "keyword_argument" => keywords.push(self.keyword(part)),
                "dictionary_splat" => {
                    let value = operands(part).first().map(|&value| self.expr(value));
                    keywords.push((None, value.unwrap_or(broken(span(part)))));
                }
                _ if part.is_named() => args.push(self.expr(part)),
                _ => {}
            }
        }
    }

    fn keyword(&mut self, node: Node) -> (Option<Name>, Expr) {
        let name = node.child_by_field_name("name");
        let name = name.map(|name| self.plain_name(name));
        let value = match is_damaged(node) {
            true => None,
            false => self.field(node, "value"),
        };
        (name, value.unwrap_or(broken(span(node))))
    }

    fn unary(&mut self, node: Node) -> Option<ExprKind> {
        let op = match node.child_by_field_name("operator")?.kind() {
            "-" => UnaryOp::Neg,
            "+" => UnaryOp::Pos,
            "~" => UnaryOp::Invert,
            _ => return None,
        };
        let operand = self.boxed_field(node, "argument")?;
        Some(ExprKind::Unary { op, operand })
    }

    fn not(&mut self, node: Node) -> Option<ExprKind> {
        Some(ExprKind::Unary {
            op: UnaryOp::Not,
            operand: self.boxed_field(node, "argument")?,
        })
    }

    fn binary(&mut self, node: Node) -> Option<ExprKind> {
        let operator = node.child_by_field_name("operator")?;
        Some(ExprKind::Binary {
            op: binary_op(operator.kind())?,
            op_span: span(operator),
            left: self.boxed_field(node, "left")?,
            right: self.boxed_field(node, "right")?,
        })
    }

    /// Lowers a mixture of `^` and `&`: the grammar gives `^` the higher precedence, Python `&`. `None` if the two
    /// are not mixed.
    fn regrouped(&mut self, node: Node) -> Option<ExprKind> {
        let chain = chain_of(node, "&")?;
        let meets = |link: &Link| chain_of(link.operand, "^").is_some();
        if !chain.iter().any(meets) {
            return None;
        }
        let chain: Vec<_> = chain.into_iter().flat_map(xor_links).collect();
        if chain.len() + self.depth > MAX_DEPTH {
            self.error(node, ErrorReason::TooDeep);
            return Some(ExprKind::Error);
        }
        let mut terms = chain.chunk_by(|_, next| next.binds(BinaryOp::BitAnd));
        let mut folded = self.fold(terms.next()?);
        for term in terms {
            let right = self.fold(term);
            folded = term[0].joined(folded, BinaryOp::BitXor, right);
        }
        Some(folded.kind)
    }

    /// Lowers the operands of `a & b & c`.
    fn fold(&mut self, term: &[Link]) -> Expr {
        let mut folded = self.expr(term[0].operand);
        for link in &term[1..] {
            let right = self.expr(link.operand);
            folded = link.joined(folded, BinaryOp::BitAnd, right);
        }
        folded
    }

    /// Lowers a chain of one operator to one node, without recursion, so that its length is not limited.
    fn boolean(&mut self, node: Node) -> Option<ExprKind> {
        let operator = node.child_by_field_name("operator")?.kind();
        let mut reversed = Vec::new();
        let mut chain = node;
        while continues(chain, operator) {
            reversed.push(chain.child_by_field_name("right")?);
            chain = chain.child_by_field_name("left")?;
        }
        reversed.push(chain);
        Some(ExprKind::BoolOp {
            and: operator == "and",
            values: reversed.into_iter().rev().map(|n| self.expr(n)).collect(),
        })
    }

    fn comparison(&mut self, node: Node) -> Option<ExprKind> {
        let mut left = None;
        let mut op = None;
        let mut rest = Vec::new();
        for part in children(node) {
            match left {
                _ if !part.is_named() => op = Some(self.compare_op(part)?),
                None => left = Some(self.boxed(part)),
                Some(_) => rest.push((op.take()?, self.expr(part))),
            }
        }
        Some(ExprKind::Compare { left: left?, rest })
    }

    fn compare_op(&mut self, node: Node) -> Option<CompareOp> {
        if node.kind() == "<>" {
            self.error(node, ErrorReason::Python2);
        }
        Some(match node.kind() {
            "==" => CompareOp::Eq,
            "!=" => CompareOp::Ne,
            "<" => CompareOp::Lt,
            "<=" => CompareOp::Le,
            ">" => CompareOp::Gt,
            ">=" => CompareOp::Ge,
            "in" => CompareOp::In,
            "not in" => CompareOp::NotIn,
            "is" => CompareOp::Is,
            "is not" => CompareOp::IsNot,
            _ => return None,
        })
    }

    fn conditional(&mut self, node: Node) -> Option<ExprKind> {
        let &[body, test, orelse] = operands(node).as_slice() else {
            return None;
        };
        Some(ExprKind::Conditional {
            test: self.boxed(test),
            body: self.boxed(body),
            orelse: self.boxed(orelse),
        })
    }

    fn lambda(&mut self, node: Node) -> Option<ExprKind> {
        let params = node.child_by_field_name("parameters");
        Some(ExprKind::Lambda {
            params: params.map_or_else(Vec::new, |params| self.params(params)),
            body: self.boxed_field(node, "body")?,
        })
    }

    fn walrus(&mut self, node: Node) -> Option<ExprKind> {
        let name = node.child_by_field_name("name")?;
        Some(ExprKind::Named {
            name: self.name(name),
            value: self.boxed_field(node, "value")?,
        })
    }

    fn comprehension(&mut self, node: Node, kind: ComprehensionKind) -> Option<ExprKind> {
        let body = node.child_by_field_name("body")?;
        let (element, value) = match self.pair_or_element(body) {
            (Some(key), value) => (key, Some(Box::new(value))),
            (None, element) => (element, None),
        };
        Some(ExprKind::Comprehension {
            kind,
            element: Box::new(element),
            value,
            clauses: self.clauses(node)?,
        })
    }

    fn pair_or_element(&mut self, node: Node) -> (Option<Expr>, Expr) {
        match node.kind() {
            "pair" => self.pair(node),
            _ => (None, self.expr(node)),
        }
    }

    fn clauses(&mut self, node: Node) -> Option<Vec<Clause>> {
        let mut clauses: Vec<Clause> = Vec::new();
        for part in children(node) {
            match part.kind() {
                "for_in_clause" => clauses.push(self.clause(part)?),
                "if_clause" => {
                    let &[condition] = operands(part).as_slice() else {
                        return None;
                    };
                    let condition = self.expr(condition);
                    clauses.last_mut()?.conditions.push(condition);
                }
                _ => {}
            }
        }
        Some(clauses)
    }

    fn clause(&mut self, node: Node) -> Option<Clause> {
        if is_damaged(node) {
            return None;
        }
        let mut iterated = in_field(node, "right");
        let several = iterated.iter().any(|part| part.kind() == ",");
        iterated.retain(|part| part.is_named());
        Some(Clause {
            target: self.field(node, "left")?,
            iter: self.one_or_tuple(&iterated, several)?,
            conditions: Vec::new(),
        })
    }

    /// Lowers the parameters of a function or lambda.
    pub(super) fn params(&mut self, node: Node) -> Vec<Param> {
        let mut kind = ParamKind::Normal;
        let mut params: Vec<Param> = Vec::new();
        for part in operands(node) {
            match part.kind() {
                "keyword_separator" => kind = ParamKind::KeywordOnly,
                "positional_separator" => {
                    for param in &mut params {
                        param.kind = ParamKind::PositionalOnly;
                    }
                }
                _ => {}
            }
            let Some(param) = self.param(part, kind) else {
                continue;
            };
            if param.kind == ParamKind::Args {
                kind = ParamKind::KeywordOnly;
            }
            params.push(param);
        }
        params
    }

    fn param(&mut self, node: Node, plain: ParamKind) -> Option<Param> {
        let named = match node.kind() {
            "typed_parameter" => *operands(node).first()?,
            "default_parameter" | "typed_default_parameter" => node.child_by_field_name("name")?,
            _ => node,
        };
        let (name, kind) = match named.kind() {
            "identifier" => (named, plain),
            "list_splat_pattern" => (*operands(named).first()?, ParamKind::Args),
            "dictionary_splat_pattern" => (*operands(named).first()?, ParamKind::Kwargs),
            "tuple_pattern" => {
                self.error(named, ErrorReason::Python2);
                (named, plain)
            }
            _ => return None,
        };
        Some(Param {
            name: self.name(name),
            annotation: self.field(node, "type"),
            default: self.field(node, "value"),
            kind,
        })
    }
}

/// Creates an expression that could not be read.
pub(super) fn broken(span: Span) -> Expr {
    Expr {
        span,
        kind: ExprKind::Error,
    }
}

/// Returns the expression inside of parentheses and annotations.
pub(super) fn unwrap(mut node: Node) -> Node {
    while matches!(
        node.kind(),
        "parenthesized_expression" | "type" | "as_pattern_target"
    ) {
        match operands(node).as_slice() {
            &[inner] if !is_damaged(node) => node = inner,
            _ => break,
        }
    }
    node
}

/// An operand of a chain, with the operator before it.
#[derive(Clone, Copy)]
struct Link<'t> {
    operator: Option<Node<'t>>,
    operand: Node<'t>,
}

impl Link<'_> {
    fn binds(&self, op: BinaryOp) -> bool {
        self.operator.and_then(|found| binary_op(found.kind())) == Some(op)
    }

    fn joined(&self, left: Expr, op: BinaryOp, right: Expr) -> Expr {
        Expr {
            span: left.span.to(right.span),
            kind: ExprKind::Binary {
                op,
                op_span: self.operator.map(span).unwrap_or_default(),
                left: Box::new(left),
                right: Box::new(right),
            },
        }
    }
}

/// Returns the operands of `a op b op c`, at most as many as may be nested; `None` if `node` is no such operation.
fn chain_of<'t>(node: Node<'t>, operator: &str) -> Option<Vec<Link<'t>>> {
    let mut reversed = Vec::new();
    let mut left = node;
    while reversed.len() <= MAX_DEPTH
        && let Some((link, rest)) = last_link(left, operator)
    {
        reversed.push(link);
        left = rest;
    }
    if reversed.is_empty() {
        return None;
    }
    reversed.push(Link {
        operator: None,
        operand: left,
    });
    reversed.reverse();
    Some(reversed)
}

/// Splits `… op a` into the last operand and the rest.
fn last_link<'t>(node: Node<'t>, operator: &str) -> Option<(Link<'t>, Node<'t>)> {
    if node.kind() != "binary_operator" || is_damaged(node) {
        return None;
    }
    let found = node.child_by_field_name("operator")?;
    let link = Link {
        operator: Some(found),
        operand: node.child_by_field_name("right")?,
    };
    let rest = node.child_by_field_name("left")?;
    (found.kind() == operator).then_some((link, rest))
}

/// Splits a link whose operand is `a ^ b` into the links `a` and `^ b`; the first one keeps the operator of the link.
fn xor_links(link: Link) -> Vec<Link> {
    let mut links = chain_of(link.operand, "^").unwrap_or_else(|| vec![link]);
    links[0].operator = link.operator;
    links
}

fn continues(node: Node, operator: &str) -> bool {
    node.kind() == "boolean_operator"
        && !is_damaged(node)
        && node
            .child_by_field_name("operator")
            .is_some_and(|found| found.kind() == operator)
}

/// Returns the operation of an operator.
pub(super) fn binary_op(text: &str) -> Option<BinaryOp> {
    Some(match text {
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Sub,
        "*" => BinaryOp::Mul,
        "/" => BinaryOp::Div,
        "//" => BinaryOp::FloorDiv,
        "%" => BinaryOp::Mod,
        "**" => BinaryOp::Pow,
        "@" => BinaryOp::MatMul,
        "&" => BinaryOp::BitAnd,
        "|" => BinaryOp::BitOr,
        "^" => BinaryOp::BitXor,
        "<<" => BinaryOp::Shl,
        ">>" => BinaryOp::Shr,
        _ => return None,
    })
}

/// Moves the star of `*f(x)`, `*a[0]` and `*a.b` outwards: the grammar attaches it to the first operand, in Python it
/// applies to the whole expression.
fn unstarred(mut kind: ExprKind, span: Span) -> ExprKind {
    let (ExprKind::Call { func: first, .. }
    | ExprKind::Subscript { value: first, .. }
    | ExprKind::Attribute { value: first, .. }) = &mut kind
    else {
        return kind;
    };
    let ExprKind::Starred(inner) = &mut first.kind else {
        return kind;
    };
    let operand = std::mem::replace(&mut inner.kind, ExprKind::Error);
    let operand_span = inner.span;
    first.kind = operand;
    first.span = operand_span;
    let span = Span {
        start: operand_span.start,
        ..span
    };
    ExprKind::Starred(Box::new(Expr { kind, span }))
}

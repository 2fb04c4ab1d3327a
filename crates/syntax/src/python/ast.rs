//! Typed Python syntax: the part of the language that kernel files use.
//!
//! Anything that could not be parsed is an [`ExprKind::Error`], or is left out and its statement becomes a
//! [`StmtKind::Error`]. There is always a tree.

use a2lint_source::text::Span;

/// The syntax of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct File {
    /// Top-level statements.
    pub body: Vec<Stmt>,
    /// Spans that could not be parsed or exceed a bound, in source order, outer ones first.
    pub errors: Vec<SyntaxError>,
    /// Comments with their text, `#` included.
    pub comments: Vec<Comment>,
}

impl File {
    /// Adds `by` to all offsets; offsets wrap, so a negative distance is given in two's complement.
    pub fn moved(&mut self, by: u32) {
        super::shift::Shift::shift(self, by);
    }
}

/// A part of the text that is missing from the typed tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The span; empty if something is missing at this place.
    pub span: Span,
    /// The reason.
    pub reason: ErrorReason,
}

/// The reasons why a part of the text is missing from the typed tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorReason {
    /// The text is not valid Python.
    Unparsed,
    /// A token or block is missing here; the string is its name in the grammar.
    Missing(String),
    /// The indentation matches no enclosing block; the string is the message.
    Indentation(&'static str),
    /// The text is valid in Python 2 only.
    Python2,
    /// The text is nested deeper than [`MAX_DEPTH`](super::MAX_DEPTH).
    TooDeep,
    /// The text is too large, or parsing it exhausts the budget.
    TooCostly,
}

/// A comment.
#[derive(Clone, Debug, PartialEq)]
pub struct Comment {
    /// The span in the text.
    pub span: Span,
    /// The text, including `#`.
    pub text: String,
}

/// A name or attribute with its span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The identifier.
    pub text: String,
    /// The span in the text.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// The span from the first to the last token, including nested blocks, excluding decorators.
    pub span: Span,
    /// The statement itself.
    pub kind: StmtKind,
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// An expression.
    Expr(Expr),
    /// `a = b = value`: targets in order.
    Assign {
        /// Targets.
        targets: Vec<Expr>,
        /// Value.
        value: Expr,
    },
    /// `target: annotation = value`.
    AnnAssign {
        /// Target.
        target: Expr,
        /// The type annotation.
        annotation: Expr,
        /// Value.
        value: Option<Expr>,
    },
    /// `target op= value`.
    AugAssign {
        /// Target.
        target: Expr,
        /// Operation; `<<=` is [`BinaryOp::Shl`].
        op: BinaryOp,
        /// The span of the operator.
        op_span: Span,
        /// Value.
        value: Expr,
    },
    /// `for target in iter: … else: …`
    For {
        /// Target.
        target: Expr,
        /// Iterated expression.
        iter: Expr,
        /// Body.
        body: Vec<Stmt>,
        /// `else` block.
        orelse: Vec<Stmt>,
    },
    /// `while test: … else: …`
    While {
        /// Condition.
        test: Expr,
        /// Body.
        body: Vec<Stmt>,
        /// `else` block.
        orelse: Vec<Stmt>,
    },
    /// `if … elif … else …`: conditions with bodies in order.
    If {
        /// `if` and `elif` arms.
        arms: Vec<(Expr, Vec<Stmt>)>,
        /// `else` block.
        orelse: Vec<Stmt>,
    },
    /// `with item as name, …:`
    With {
        /// Context expressions with their targets.
        items: Vec<(Expr, Option<Expr>)>,
        /// Body.
        body: Vec<Stmt>,
    },
    /// `def`
    Function(Box<FunctionDef>),
    /// `class`
    Class {
        /// Name.
        name: Name,
        /// From the first decorator to the end of the body.
        full_span: Span,
        /// Decorator expressions in order.
        decorators: Vec<Expr>,
        /// Base classes in order.
        bases: Vec<Expr>,
        /// Keyword arguments; `**x` has no name.
        keywords: Vec<(Option<Name>, Expr)>,
        /// Body.
        body: Vec<Stmt>,
    },
    /// `return value`
    Return(Option<Expr>),
    /// `import a.b as c, …`
    Import(Vec<ImportName>),
    /// `from module import …`
    ImportFrom {
        /// Dotted module with leading dots for relative imports.
        module: String,
        /// The span of the module name.
        module_span: Span,
        /// Imported names; empty for `*`.
        names: Vec<ImportName>,
        /// Whether it is `import *`.
        star: bool,
    },
    /// `try`
    Try {
        /// Body, handlers, `else` and `finally` in order of text.
        blocks: Vec<Vec<Stmt>>,
        /// The kind of each block.
        parts: Vec<TryPart>,
        /// The heads of the `except` blocks, in order.
        handlers: Vec<Handler>,
    },
    /// `assert test, message`
    Assert(Expr),
    /// `raise exception from …`
    Raise(Option<Expr>),
    /// `del …`
    Delete(Vec<Expr>),
    /// `global …`
    Global(Vec<Name>),
    /// `nonlocal …`
    Nonlocal(Vec<Name>),
    /// `pass`
    Pass,
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// An unsupported or malformed statement, with the nested statements that could be recovered.
    Error(Vec<Stmt>),
}

/// The head of an `except` block.
#[derive(Clone, Debug, PartialEq)]
pub struct Handler {
    /// The exception classes; `None` for a bare `except`.
    pub classes: Option<Expr>,
    /// The name after `as`.
    pub name: Option<Name>,
    /// Whether it is `except*`.
    pub is_group: bool,
}

/// A pattern of a `case`.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// `_`
    Anything,
    /// A literal or a dotted name.
    Value(Expr),
    /// A name, which matches anything and is bound to it.
    Capture(Name),
    /// `pattern as name`
    As(Box<Pattern>, Name),
    /// `a | b`
    Or(Vec<Pattern>),
    /// `[a, *rest]`
    Sequence(Vec<Pattern>),
    /// `*rest`; `None` for `*_`.
    Rest(Option<Name>),
    /// `{key: pattern, **rest}`
    Mapping {
        /// Keys with the patterns of their values.
        entries: Vec<(Expr, Pattern)>,
        /// The name after `**`.
        rest: Option<Name>,
    },
    /// `Class(pattern, attribute=pattern)`
    Class {
        /// The class.
        class: Expr,
        /// Patterns by position.
        positional: Vec<Pattern>,
        /// Patterns of attributes.
        keywords: Vec<(Name, Pattern)>,
    },
    /// An unsupported pattern, with the names that it may bind.
    Other(Vec<Name>),
}

impl Pattern {
    /// Calls `visit` on every name that the pattern may bind.
    pub fn names<'p>(&'p self, visit: &mut dyn FnMut(&'p Name)) {
        match self {
            Pattern::Anything | Pattern::Value(_) => {}
            Pattern::Capture(name) => visit(name),
            Pattern::As(inner, name) => {
                inner.names(visit);
                visit(name);
            }
            Pattern::Or(all) | Pattern::Sequence(all) => {
                all.iter().for_each(|pattern| pattern.names(visit));
            }
            Pattern::Rest(name) => name.iter().for_each(visit),
            Pattern::Mapping { entries, rest } => {
                entries.iter().for_each(|(_, pattern)| pattern.names(visit));
                rest.iter().for_each(visit);
            }
            Pattern::Class {
                positional,
                keywords,
                ..
            } => {
                positional.iter().for_each(|pattern| pattern.names(visit));
                keywords
                    .iter()
                    .for_each(|(_, pattern)| pattern.names(visit));
            }
            Pattern::Other(names) => names.iter().for_each(visit),
        }
    }

    /// Calls `visit` on the expressions of the pattern.
    pub fn exprs<'p>(&'p self, visit: &mut dyn FnMut(&'p Expr)) {
        match self {
            Pattern::Value(value) => visit(value),
            Pattern::As(inner, _) => inner.exprs(visit),
            Pattern::Or(all) | Pattern::Sequence(all) => {
                all.iter().for_each(|pattern| pattern.exprs(visit));
            }
            Pattern::Mapping { entries, .. } => {
                for (key, pattern) in entries {
                    visit(key);
                    pattern.exprs(visit);
                }
            }
            Pattern::Class {
                class,
                positional,
                keywords,
            } => {
                visit(class);
                positional.iter().for_each(|pattern| pattern.exprs(visit));
                keywords
                    .iter()
                    .for_each(|(_, pattern)| pattern.exprs(visit));
            }
            Pattern::Anything | Pattern::Capture(_) | Pattern::Rest(_) | Pattern::Other(_) => {}
        }
    }
}

/// A block of a `try` statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TryPart {
    /// The block that is tried.
    Body,
    /// `except`
    Handler,
    /// `else`
    Else,
    /// `finally`
    Finally,
}

/// One imported name: `a.b as c`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportName {
    /// Dotted name.
    pub name: String,
    /// The span of the dotted name.
    pub span: Span,
    /// Name after `as`.
    pub alias: Option<Name>,
}

/// A function definition.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionDef {
    /// Name.
    pub name: Name,
    /// From the first decorator to the end of the body.
    pub full_span: Span,
    /// Decorator expressions in order.
    pub decorators: Vec<Expr>,
    /// Parameters in order.
    pub params: Vec<Param>,
    /// Body.
    pub body: Vec<Stmt>,
    /// Whether the body contains a `yield` of its own.
    pub is_generator: bool,
}

/// A parameter of a function or lambda.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Name.
    pub name: Name,
    /// The type annotation.
    pub annotation: Option<Expr>,
    /// Default value.
    pub default: Option<Expr>,
    /// How arguments are bound to the parameter.
    pub kind: ParamKind,
}

/// The ways in which arguments are bound to a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// By position only (before `/`).
    PositionalOnly,
    /// By position or keyword.
    Normal,
    /// By keyword only (after `*`).
    KeywordOnly,
    /// `*args`
    Args,
    /// `**kwargs`
    Kwargs,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The span without surrounding parentheses.
    pub span: Span,
    /// The expression itself.
    pub kind: ExprKind,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `None`
    None,
    /// `True`, `False`
    Bool(bool),
    /// An integer of at most 128 bits. Mask literals need the upper half of `u64`.
    Int(i128),
    /// A floating literal.
    Float(f64),
    /// A string without interpolation; adjacent literals are joined.
    Str(String),
    /// A string whose value is not kept: bytes, or with escapes of named characters or surrogates.
    OpaqueStr,
    /// An f-string.
    Format(Vec<FormatPart>),
    /// `...`
    Ellipsis,
    /// A name.
    Name(String),
    /// `value.attr`
    Attribute {
        /// Object.
        value: Box<Expr>,
        /// Attribute.
        attr: Name,
    },
    /// `value[index]`; several comma-separated indices are a [`ExprKind::Tuple`].
    Subscript {
        /// Object.
        value: Box<Expr>,
        /// Index.
        index: Box<Expr>,
    },
    /// `lower:upper:step` inside a subscript.
    Slice {
        /// Lower bound.
        lower: Option<Box<Expr>>,
        /// Upper bound.
        upper: Option<Box<Expr>>,
        /// Step.
        step: Option<Box<Expr>>,
    },
    /// `func(args, name=value)`
    Call {
        /// Callee.
        func: Box<Expr>,
        /// Positional arguments; `*x` is a [`ExprKind::Starred`].
        args: Vec<Expr>,
        /// Keyword arguments; `**x` has no name.
        keywords: Vec<(Option<Name>, Expr)>,
    },
    /// A tuple.
    Tuple(Vec<Expr>),
    /// A list.
    List(Vec<Expr>),
    /// A set.
    Set(Vec<Expr>),
    /// A dict; `**x` has no key.
    Dict(Vec<(Option<Expr>, Expr)>),
    /// `-x`, `+x`, `~x`, `not x`
    Unary {
        /// Operation.
        op: UnaryOp,
        /// Operand.
        operand: Box<Expr>,
    },
    /// `left op right`
    Binary {
        /// Operation.
        op: BinaryOp,
        /// The span of the operator.
        op_span: Span,
        /// Left operand.
        left: Box<Expr>,
        /// Right operand.
        right: Box<Expr>,
    },
    /// `a and b and c`, `a or b or c`
    BoolOp {
        /// Whether it is `and`.
        and: bool,
        /// Operands.
        values: Vec<Expr>,
    },
    /// `left op a op b …`
    Compare {
        /// First operand.
        left: Box<Expr>,
        /// Operators with their right operands.
        rest: Vec<(CompareOp, Expr)>,
    },
    /// `body if test else orelse`
    Conditional {
        /// Condition.
        test: Box<Expr>,
        /// The value if the condition holds.
        body: Box<Expr>,
        /// The value if it does not hold.
        orelse: Box<Expr>,
    },
    /// `lambda params: body`
    Lambda {
        /// Parameters.
        params: Vec<Param>,
        /// Body.
        body: Box<Expr>,
    },
    /// A list, set or dict comprehension, or a generator.
    Comprehension {
        /// The kind of collection.
        kind: ComprehensionKind,
        /// Element, or dict key.
        element: Box<Expr>,
        /// Dict value.
        value: Option<Box<Expr>>,
        /// `for … in … if …` clauses.
        clauses: Vec<Clause>,
    },
    /// `*x`
    Starred(Box<Expr>),
    /// `name := value`
    Named {
        /// Name.
        name: Name,
        /// Value.
        value: Box<Expr>,
    },
    /// `yield x`, `yield from x`
    Yield {
        /// The value.
        value: Option<Box<Expr>>,
        /// Whether it is `yield from`.
        from: bool,
    },
    /// A test whether the subject of a `match` matches a pattern; if so, it binds the names of the pattern.
    Matches {
        /// The subject.
        subject: Box<Expr>,
        /// The pattern.
        pattern: Box<Pattern>,
    },
    /// `await x`, other unsupported expressions, and text that could not be parsed.
    Error,
}

/// A part of an f-string.
#[derive(Clone, Debug, PartialEq)]
pub enum FormatPart {
    /// Text.
    Text(String),
    /// `{value!conversion:spec}`
    Value {
        /// The expression.
        value: Expr,
        /// The conversion after `!`.
        conversion: Option<String>,
        /// The format specification after `:`; `None` if it contains nested values.
        spec: Option<String>,
    },
}

/// The kinds of comprehensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComprehensionKind {
    /// `[…]`
    List,
    /// `{…}`
    Set,
    /// `{k: v …}`
    Dict,
    /// `(…)`
    Generator,
}

/// One `for` clause of a comprehension.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// Target.
    pub target: Expr,
    /// Iterated expression.
    pub iter: Expr,
    /// Conditions.
    pub conditions: Vec<Expr>,
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `+`
    Pos,
    /// `~`
    Invert,
    /// `not`
    Not,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `//`
    FloorDiv,
    /// `%`
    Mod,
    /// `**`
    Pow,
    /// `@`
    MatMul,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
}

/// Comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareOp {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `in`
    In,
    /// `not in`
    NotIn,
    /// `is`
    Is,
    /// `is not`
    IsNot,
}

/// Calls `visit` on the expressions of statements and of nested blocks and functions. Annotations, targets of `with`,
/// decorators, parameters and base classes are left out.
pub fn walk_exprs<'a>(body: &'a [Stmt], visit: &mut dyn FnMut(&'a Expr)) {
    for stmt in body {
        walk_stmt(stmt, visit);
    }
}

fn walk_stmt<'a>(stmt: &'a Stmt, visit: &mut dyn FnMut(&'a Expr)) {
    match &stmt.kind {
        StmtKind::Expr(expr) | StmtKind::Assert(expr) => walk_expr(expr, visit),
        StmtKind::Return(expr) => expr.iter().for_each(|expr| walk_expr(expr, visit)),
        StmtKind::Assign { targets, value } => {
            targets.iter().for_each(|target| walk_expr(target, visit));
            walk_expr(value, visit);
        }
        StmtKind::AnnAssign { target, value, .. } => {
            walk_expr(target, visit);
            value.iter().for_each(|value| walk_expr(value, visit));
        }
        StmtKind::AugAssign { target, value, .. } => {
            walk_expr(target, visit);
            walk_expr(value, visit);
        }
        StmtKind::For {
            target,
            iter,
            body,
            orelse,
        } => {
            walk_expr(target, visit);
            walk_expr(iter, visit);
            walk_exprs(body, visit);
            walk_exprs(orelse, visit);
        }
        StmtKind::While { test, body, orelse } => {
            walk_expr(test, visit);
            walk_exprs(body, visit);
            walk_exprs(orelse, visit);
        }
        StmtKind::If { arms, orelse } => {
            for (test, body) in arms {
                walk_expr(test, visit);
                walk_exprs(body, visit);
            }
            walk_exprs(orelse, visit);
        }
        StmtKind::With { items, body } => {
            items.iter().for_each(|(item, _)| walk_expr(item, visit));
            walk_exprs(body, visit);
        }
        StmtKind::Function(def) => walk_exprs(&def.body, visit),
        StmtKind::Class { body, .. } | StmtKind::Error(body) => walk_exprs(body, visit),
        StmtKind::Try {
            blocks, handlers, ..
        } => {
            let classes = handlers.iter().filter_map(|it| it.classes.as_ref());
            classes.for_each(|classes| walk_expr(classes, visit));
            blocks.iter().for_each(|body| walk_exprs(body, visit));
        }
        StmtKind::Raise(expr) => expr.iter().for_each(|expr| walk_expr(expr, visit)),
        StmtKind::Delete(exprs) => exprs.iter().for_each(|expr| walk_expr(expr, visit)),
        StmtKind::Import(_)
        | StmtKind::ImportFrom { .. }
        | StmtKind::Global(_)
        | StmtKind::Nonlocal(_)
        | StmtKind::Pass
        | StmtKind::Break
        | StmtKind::Continue => {}
    }
}

/// Calls `visit` on an expression and, recursively, its subexpressions.
pub fn walk_expr<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    visit(expr);
    children(expr, &mut |child| walk_expr(child, visit));
}

/// Calls `visit` on the direct subexpressions of an expression. Parameters of a `lambda` and targets of
/// comprehensions are left out.
pub fn children<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    let mut each = |exprs: &mut dyn Iterator<Item = &'a Expr>| {
        exprs.for_each(&mut *visit);
    };
    match &expr.kind {
        ExprKind::Attribute { value, .. } => each(&mut std::iter::once(&**value)),
        ExprKind::Subscript { value, index } => each(&mut [&**value, &**index].into_iter()),
        ExprKind::Slice { lower, upper, step } => {
            each(
                &mut [lower, upper, step]
                    .into_iter()
                    .flatten()
                    .map(|expr| &**expr),
            );
        }
        ExprKind::Call {
            func,
            args,
            keywords,
        } => {
            each(&mut std::iter::once(&**func));
            each(&mut args.iter().chain(keywords.iter().map(|(_, value)| value)));
        }
        ExprKind::Tuple(items) | ExprKind::List(items) | ExprKind::Set(items) => {
            each(&mut items.iter());
        }
        ExprKind::Dict(items) => {
            each(
                &mut items
                    .iter()
                    .flat_map(|(key, value)| key.iter().chain([value])),
            );
        }
        ExprKind::Unary { operand, .. } => each(&mut std::iter::once(&**operand)),
        ExprKind::Binary { left, right, .. } => each(&mut [&**left, &**right].into_iter()),
        ExprKind::BoolOp { values, .. } => each(&mut values.iter()),
        ExprKind::Compare { left, rest } => {
            each(&mut std::iter::once(&**left).chain(rest.iter().map(|(_, expr)| expr)));
        }
        ExprKind::Conditional { test, body, orelse } => {
            each(&mut [&**test, &**body, &**orelse].into_iter());
        }
        ExprKind::Lambda { body, .. } => each(&mut std::iter::once(&**body)),
        ExprKind::Comprehension {
            element,
            value,
            clauses,
            ..
        } => {
            each(&mut std::iter::once(&**element).chain(value.iter().map(|value| &**value)));
            for clause in clauses {
                each(&mut std::iter::once(&clause.iter).chain(&clause.conditions));
            }
        }
        ExprKind::Starred(inner) | ExprKind::Named { value: inner, .. } => {
            each(&mut std::iter::once(&**inner));
        }
        ExprKind::None
        | ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Str(_)
        | ExprKind::OpaqueStr
        | ExprKind::Ellipsis
        | ExprKind::Name(_)
        | ExprKind::Error => {}
        ExprKind::Matches { subject, pattern } => {
            each(&mut std::iter::once(&**subject));
            pattern.exprs(visit);
        }
        ExprKind::Format(parts) => each(&mut parts.iter().filter_map(FormatPart::value)),
        ExprKind::Yield { value, .. } => each(&mut value.iter().map(|value| &**value)),
    }
}

impl FormatPart {
    /// Returns the expression of a `Value`.
    pub fn value(&self) -> Option<&Expr> {
        match self {
            FormatPart::Text(_) => None,
            FormatPart::Value { value, .. } => Some(value),
        }
    }
}

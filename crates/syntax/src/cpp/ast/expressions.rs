//! Expressions, and types that occur in them.

use super::Stmt;
use a2lint_source::text::Span;

/// A name with qualifiers and template arguments, of a type or a value.
#[derive(Clone, Debug)]
pub struct Path<'a> {
    /// The span in the source.
    pub span: Span,
    /// The segments `a`, `b`, `c` of `a::b::c`.
    pub segments: Vec<&'a str>,
    /// Template arguments of the last segment; arguments that are types are paths.
    pub arguments: Vec<Expr<'a>>,
    /// The path before the last `::`, if it has template arguments.
    pub owner: Option<Box<Path<'a>>>,
}

impl<'a> Path<'a> {
    /// Creates a path of one segment with template arguments.
    pub fn of(span: Span, name: &'a str, arguments: Vec<Expr<'a>>) -> Path<'a> {
        Path {
            span,
            segments: vec![name],
            arguments,
            owner: None,
        }
    }

    /// Returns the path before the last `::`; `None` if there is no `::`.
    pub fn qualifier(&self) -> Option<Path<'a>> {
        if let Some(owner) = &self.owner {
            return Some((**owner).clone());
        }
        let (_, before) = self.segments.split_last()?;
        (!before.is_empty()).then(|| Path {
            span: self.span,
            segments: before.to_vec(),
            arguments: Vec::new(),
            owner: None,
        })
    }

    /// Returns the last segment.
    pub fn name(&self) -> &'a str {
        self.segments.last().copied().unwrap_or("")
    }
}

/// An expression, or a type as a template argument.
#[derive(Clone, Debug)]
pub struct Expr<'a> {
    /// The span in the source.
    pub span: Span,
    /// The expression itself.
    pub kind: ExprKind<'a>,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind<'a> {
    /// An integer or character literal.
    Int(i128),
    /// A floating-point literal.
    Float(f64),
    /// `true`, `false`.
    Bool(bool),
    /// A string literal without its quotes; escapes are not replaced.
    String(&'a str),
    /// A name or type.
    Path(Path<'a>),
    /// `object.name<arguments>`, `object->name`.
    Member {
        /// The object.
        object: Box<Expr<'a>>,
        /// The member.
        name: &'a str,
        /// Template arguments.
        arguments: Vec<Expr<'a>>,
    },
    /// `callee(arguments)`.
    Call {
        /// The called expression.
        callee: Box<Expr<'a>>,
        /// The arguments.
        arguments: Vec<Expr<'a>>,
        /// The span of the parentheses.
        parentheses: Span,
    },
    /// `object[index]`.
    Index(Box<Expr<'a>>, Box<Expr<'a>>),
    /// `-x`, `!x`, `&x`.
    Unary(UnaryOp, Box<Expr<'a>>),
    /// `a + b`.
    Binary(BinaryOp, Box<Expr<'a>>, Box<Expr<'a>>),
    /// `a ? b : c`.
    Conditional(Box<[Expr<'a>; 3]>),
    /// `(T)x`, `static_cast<T>(x)`, `T(x)` of primitive types.
    Cast(Path<'a>, Box<Expr<'a>>),
    /// `sizeof(x)`, of a type or a value.
    SizeOf(Box<Expr<'a>>),
    /// `{a, b}`, `T{a, b}`.
    Braces(Vec<Expr<'a>>),
    /// The designated initialiser `.name = value`.
    Field(&'a str, Box<Expr<'a>>),
    /// `a = b`, `a += b`, `a++`.
    Assign(Box<Assignment<'a>>),
    /// The body of `[...](...) { ... }`, which runs later or never.
    Lambda(Vec<Stmt<'a>>),
    /// Any other expression, with the expressions inside of it.
    Unknown(Vec<Expr<'a>>),
}

/// An assignment.
#[derive(Clone, Debug)]
pub struct Assignment<'a> {
    /// The assigned expression.
    pub target: Expr<'a>,
    /// The operator of a compound assignment such as `+=`.
    pub op: Option<BinaryOp>,
    /// The value on the right side.
    pub value: Expr<'a>,
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum UnaryOp {
    Minus,
    Plus,
    Not,
    Complement,
    AddressOf,
    Dereference,
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    LogicalAnd,
    LogicalOr,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl BinaryOp {
    /// Returns the operator of this spelling.
    pub fn from_text(text: &str) -> Option<Self> {
        Some(match text {
            "+" => Self::Add,
            "-" => Self::Sub,
            "*" => Self::Mul,
            "/" => Self::Div,
            "%" => Self::Rem,
            "<<" => Self::Shl,
            ">>" => Self::Shr,
            "&" => Self::And,
            "|" => Self::Or,
            "^" => Self::Xor,
            "&&" => Self::LogicalAnd,
            "||" => Self::LogicalOr,
            "==" => Self::Equal,
            "!=" => Self::NotEqual,
            "<" => Self::Less,
            "<=" => Self::LessEqual,
            ">" => Self::Greater,
            ">=" => Self::GreaterEqual,
            _ => return None,
        })
    }
}

impl<'a> Expr<'a> {
    /// Returns the path if the expression is one.
    pub fn path(&self) -> Option<&Path<'a>> {
        match &self.kind {
            ExprKind::Path(path) => Some(path),
            _ => None,
        }
    }

    /// Returns `name` of an unqualified path without template arguments or of `this->name`.
    pub fn plain_name(&self) -> Option<&'a str> {
        match &self.kind {
            ExprKind::Path(path) if path.arguments.is_empty() => match path.segments.as_slice() {
                [name] => Some(name),
                _ => None,
            },
            ExprKind::Member {
                object,
                name,
                arguments,
            } if arguments.is_empty() => (object.plain_name() == Some("this")).then_some(*name),
            _ => None,
        }
    }

    /// Returns the direct subexpressions.
    pub fn children(&self) -> Vec<&Expr<'a>> {
        match &self.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::String(_)
            | ExprKind::Lambda(_) => Vec::new(),
            ExprKind::Path(path) => path.arguments.iter().collect(),
            ExprKind::Member {
                object, arguments, ..
            } => std::iter::once(&**object).chain(arguments).collect(),
            ExprKind::Call {
                callee, arguments, ..
            } => std::iter::once(&**callee).chain(arguments).collect(),
            ExprKind::Index(one, other) | ExprKind::Binary(_, one, other) => vec![one, other],
            ExprKind::Unary(_, one)
            | ExprKind::Cast(_, one)
            | ExprKind::SizeOf(one)
            | ExprKind::Field(_, one) => vec![one],
            ExprKind::Conditional(three) => three.iter().collect(),
            ExprKind::Braces(list) | ExprKind::Unknown(list) => list.iter().collect(),
            ExprKind::Assign(assignment) => vec![&assignment.target, &assignment.value],
        }
    }

    /// Visits the expression and its subexpressions, but not the bodies of lambdas.
    pub fn visit<'b>(&'b self, see: &mut dyn FnMut(&'b Expr<'a>)) {
        see(self);
        for child in self.children() {
            child.visit(see);
        }
    }
}

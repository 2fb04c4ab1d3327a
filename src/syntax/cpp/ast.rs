//! Typed C++ syntax: as much as constants, declarations and calls need.
//!
//! Names borrow from the source. What is not understood becomes [`ExprKind::Unknown`] or
//! [`StmtKind::Other`] and keeps its place.

use crate::text::Span;

/// One file.
#[derive(Debug, Default)]
pub struct Unit<'a> {
    /// Declarations at the top, namespaces opened.
    pub items: Vec<Stmt<'a>>,
    /// Places that the grammar could not read.
    pub errors: Vec<Span>,
}

/// A statement or declaration.
#[derive(Clone, Debug)]
pub struct Stmt<'a> {
    /// Its place.
    pub span: Span,
    /// What it is.
    pub kind: StmtKind<'a>,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind<'a> {
    /// `const T a = 1, b(2);`, also of class members.
    Declare {
        /// The type.
        ty: Path<'a>,
        /// `const` or `constexpr`.
        constant: bool,
        /// What is declared.
        names: Vec<Declarator<'a>>,
    },
    /// `using N = T;`, `typedef T N;`.
    Alias(Alias<'a>),
    /// Enumerators, which are constants.
    Enum(Vec<Enumerator<'a>>),
    /// `#define N value`.
    Define(&'a str, Expr<'a>),
    /// An expression.
    Expr(Expr<'a>),
    /// `{ ... }`.
    Block(Vec<Stmt<'a>>),
    /// `if`, `switch` and `#if`.
    Branch(Branch<'a>),
    /// `for`, `while`, `do`.
    Loop(Loop<'a>),
    /// `return`, `break`, `continue`.
    Exit(Option<Expr<'a>>),
    /// A class or struct with its members.
    Class(Class<'a>),
    /// A function with a body.
    Function(Box<Function<'a>>),
    /// Anything else.
    Other,
}

/// Another name of a type.
#[derive(Clone, Debug)]
pub struct Alias<'a> {
    /// The name.
    pub name: &'a str,
    /// Template parameters of an alias template.
    pub parameters: Vec<&'a str>,
    /// The type.
    pub ty: Path<'a>,
}

/// An enumerator.
#[derive(Clone, Debug)]
pub struct Enumerator<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its value; one above the previous where there is none.
    pub value: Option<Expr<'a>>,
}

/// Code that may run.
#[derive(Clone, Debug)]
pub struct Branch<'a> {
    /// The condition; nothing for the preprocessor and `switch`.
    pub condition: Option<Expr<'a>>,
    /// If it holds.
    pub then: Vec<Stmt<'a>>,
    /// If not.
    pub otherwise: Vec<Stmt<'a>>,
}

/// Code that may run more than once.
#[derive(Clone, Debug)]
pub struct Loop<'a> {
    /// Before the first turn.
    pub init: Vec<Stmt<'a>>,
    /// Conditions and steps.
    pub control: Vec<Expr<'a>>,
    /// The body.
    pub body: Vec<Stmt<'a>>,
}

/// A class or struct.
#[derive(Clone, Debug)]
pub struct Class<'a> {
    /// Its name.
    pub name: &'a str,
    /// Template parameters.
    pub parameters: Vec<&'a str>,
    /// Members.
    pub members: Vec<Stmt<'a>>,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function<'a> {
    /// Its name.
    pub name: &'a str,
    /// The place of the name.
    pub name_span: Span,
    /// The class in `Class::name`.
    pub class: Option<&'a str>,
    /// Template parameters.
    pub template_parameters: Vec<&'a str>,
    /// Parameters.
    pub parameters: Vec<Parameter<'a>>,
    /// The body.
    pub body: Vec<Stmt<'a>>,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct Parameter<'a> {
    /// Its name.
    pub name: &'a str,
    /// The place of the name.
    pub span: Span,
    /// Its type.
    pub ty: Path<'a>,
}

/// A declared name.
#[derive(Clone, Debug)]
pub struct Declarator<'a> {
    /// The name.
    pub name: &'a str,
    /// The place of the name.
    pub span: Span,
    /// The place of name and initialiser.
    pub whole: Span,
    /// Whether it is an array.
    pub array: bool,
    /// Whether it is a pointer or reference.
    pub indirect: bool,
    /// How it is initialised.
    pub init: Init<'a>,
}

/// An initialiser.
#[derive(Clone, Debug)]
pub enum Init<'a> {
    /// None.
    Default,
    /// `= value`.
    Value(Expr<'a>),
    /// `(a, b)` or `{a, b}`.
    Arguments(Vec<Expr<'a>>),
}

/// A name with qualifiers and template arguments, of a type or a value.
#[derive(Clone, Debug)]
pub struct Path<'a> {
    /// Its place.
    pub span: Span,
    /// `a::b::c`.
    pub segments: Vec<&'a str>,
    /// Template arguments of the last segment; types are paths.
    pub arguments: Vec<Expr<'a>>,
}

impl<'a> Path<'a> {
    /// The last segment.
    pub fn name(&self) -> &'a str {
        self.segments.last().copied().unwrap_or("")
    }
}

/// An expression, or a type as a template argument.
#[derive(Clone, Debug)]
pub struct Expr<'a> {
    /// Its place.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind<'a>,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind<'a> {
    /// An integer, a character included.
    Int(i128),
    /// A floating-point number.
    Float(f64),
    /// `true`, `false`.
    Bool(bool),
    /// A string, without quotes, escapes as written.
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
        /// What is called.
        callee: Box<Expr<'a>>,
        /// The arguments.
        arguments: Vec<Expr<'a>>,
        /// The place of the parentheses.
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
    /// `.name = value` in braces.
    Field(&'a str, Box<Expr<'a>>),
    /// `a = b`, `a += b`, `a++`.
    Assign(Box<Assignment<'a>>),
    /// `[...](...) { ... }`: its body runs later, or never.
    Lambda(Vec<Stmt<'a>>),
    /// Anything else, with the expressions in it.
    Unknown(Vec<Expr<'a>>),
}

/// An assignment.
#[derive(Clone, Debug)]
pub struct Assignment<'a> {
    /// What is assigned.
    pub target: Expr<'a>,
    /// The operator of `+=` and the like.
    pub op: Option<BinaryOp>,
    /// The value.
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
    /// The operator spelled so.
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
    /// The path, if it is one.
    pub fn path(&self) -> Option<&Path<'a>> {
        match &self.kind {
            ExprKind::Path(path) => Some(path),
            _ => None,
        }
    }

    /// The name of a path without qualifiers and arguments, or of `this->name`.
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

    /// The expressions directly inside.
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

    /// Visits the expression and everything in it, lambda bodies excepted.
    pub fn visit<'b>(&'b self, see: &mut dyn FnMut(&'b Expr<'a>)) {
        see(self);
        for child in self.children() {
            child.visit(see);
        }
    }
}

/// Visits every expression below statements, lambda bodies and nested functions included.
pub fn visit_expressions<'b, 'a>(stmts: &'b [Stmt<'a>], see: &mut dyn FnMut(&'b Expr<'a>)) {
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Declare { names, .. } => {
                for name in names {
                    match &name.init {
                        Init::Default => {}
                        Init::Value(value) => value.visit(see),
                        Init::Arguments(list) => list.iter().for_each(|value| value.visit(see)),
                    }
                }
            }
            StmtKind::Expr(expr) | StmtKind::Exit(Some(expr)) => {
                expr.visit(&mut |inner| {
                    see(inner);
                    if let ExprKind::Lambda(body) = &inner.kind {
                        visit_expressions(body, see);
                    }
                });
            }
            StmtKind::Block(body) => visit_expressions(body, see),
            StmtKind::Branch(branch) => {
                if let Some(condition) = &branch.condition {
                    condition.visit(see);
                }
                visit_expressions(&branch.then, see);
                visit_expressions(&branch.otherwise, see);
            }
            StmtKind::Loop(turn) => {
                visit_expressions(&turn.init, see);
                turn.control.iter().for_each(|expr| expr.visit(see));
                visit_expressions(&turn.body, see);
            }
            StmtKind::Class(class) => visit_expressions(&class.members, see),
            StmtKind::Function(function) => visit_expressions(&function.body, see),
            StmtKind::Alias(_)
            | StmtKind::Enum(_)
            | StmtKind::Define(..)
            | StmtKind::Exit(None)
            | StmtKind::Other => {}
        }
    }
}

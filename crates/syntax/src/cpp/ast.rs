//! Typed C++ syntax: constants, declarations, calls and what they need.
//!
//! Names borrow from the source. Syntax that is not understood becomes [`ExprKind::Unknown`] or [`StmtKind::Other`]
//! and keeps its span.

mod expressions;

pub use expressions::{Assignment, BinaryOp, Expr, ExprKind, Path, UnaryOp};

use a2lint_source::text::Span;

/// The syntax of one file.
#[derive(Debug, Default)]
pub struct Unit<'a> {
    /// Top-level statements. Those of `extern "C"` blocks are among them.
    pub items: Vec<Stmt<'a>>,
    /// Names of macros that some `#undef` of the file removes.
    pub undefined: Vec<&'a str>,
    /// Spans that the grammar could not parse or that are nested too deeply.
    pub errors: Vec<Span>,
}

/// A statement or declaration.
#[derive(Clone, Debug)]
pub struct Stmt<'a> {
    /// The whole statement.
    pub span: Span,
    /// The statement itself.
    pub kind: StmtKind<'a>,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind<'a> {
    /// `const T a = 1, b(2);`, also of class members.
    Declare {
        /// The type.
        ty: Path<'a>,
        /// Whether it has `const` or `constexpr`.
        constant: bool,
        /// The declared names.
        names: Vec<Declarator<'a>>,
    },
    /// `using N = T;`, `typedef T N;`.
    Alias(Alias<'a>),
    /// An enumeration, whose enumerators are constants.
    Enum(Enum<'a>),
    /// `#define N value`.
    Define(Box<Macro<'a>>),
    /// `#include "path"`.
    Include(&'a str),
    /// `namespace a::b { ... }`; an unnamed namespace has no names.
    Namespace(Vec<&'a str>, Vec<Stmt<'a>>),
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
    /// `template void f<float>(…);`.
    Instantiate(Path<'a>),
    /// Anything else.
    Other,
}

/// A type alias.
#[derive(Clone, Debug)]
pub struct Alias<'a> {
    /// The name.
    pub name: &'a str,
    /// Template parameters of an alias template.
    pub parameters: Vec<&'a str>,
    /// The type.
    pub ty: Path<'a>,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enum<'a> {
    /// The name; `None` if the enumeration has none.
    pub name: Option<&'a str>,
    /// Whether enumerators must be qualified with the name (`enum class`).
    pub scoped: bool,
    /// The enumerators in order.
    pub enumerators: Vec<Enumerator<'a>>,
}

/// A macro definition.
#[derive(Clone, Debug)]
pub struct Macro<'a> {
    /// The name.
    pub name: &'a str,
    /// The parameters; `None` for a macro without a parameter list.
    pub parameters: Option<Vec<&'a str>>,
    /// The replacement, if it is an expression.
    pub value: Option<Expr<'a>>,
    /// Whether the replacement is an expression with an operator outside of parentheses, which operators next to a
    /// use of the macro may split.
    pub torn: bool,
    /// The replacement, if it consists of declarations and calls.
    pub items: Vec<Stmt<'a>>,
}

/// A parameter of a template.
#[derive(Clone, Debug)]
pub struct TemplateParameter<'a> {
    /// The name; empty if the parameter has none.
    pub name: &'a str,
    /// The default argument.
    pub default: Option<Expr<'a>>,
    /// Whether it is a parameter pack.
    pub pack: bool,
}

/// An enumerator.
#[derive(Clone, Debug)]
pub struct Enumerator<'a> {
    /// The name.
    pub name: &'a str,
    /// The value; one above the previous enumerator if `None`.
    pub value: Option<Expr<'a>>,
}

/// The stage at which the condition of a branch is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchKind {
    /// A value at run time: all of the branch is compiled.
    RunTime,
    /// A constant: `if constexpr`.
    Constexpr,
    /// The preprocessor.
    Preprocessor,
}

/// Code that runs under a condition.
#[derive(Clone, Debug)]
pub struct Branch<'a> {
    /// The stage at which the condition is evaluated.
    pub kind: BranchKind,
    /// The condition; `None` for `switch`.
    pub condition: Option<Expr<'a>>,
    /// The statements if the condition holds.
    pub then: Vec<Stmt<'a>>,
    /// The statements if it does not hold.
    pub otherwise: Vec<Stmt<'a>>,
}

impl<'a> Branch<'a> {
    /// Returns the statements that are used if the condition has this value.
    pub fn side(&self, holds: bool) -> &[Stmt<'a>] {
        match holds {
            true => &self.then,
            false => &self.otherwise,
        }
    }

    /// Returns the condition unless it is one of the preprocessor.
    pub fn at_run_time(&self) -> Option<&Expr<'a>> {
        let is_code = self.kind != BranchKind::Preprocessor;
        self.condition.as_ref().filter(|_| is_code)
    }
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop<'a> {
    /// Statements before the first iteration.
    pub init: Vec<Stmt<'a>>,
    /// The condition and the step, or the range of a range-based `for`.
    pub control: Vec<Expr<'a>>,
    /// The loop body.
    pub body: Vec<Stmt<'a>>,
    /// Whether the first of `control` is a condition that is tested before every iteration.
    pub tests_first: bool,
}

/// A class or struct.
#[derive(Clone, Debug)]
pub struct Class<'a> {
    /// The name.
    pub name: &'a str,
    /// The span of the name.
    pub name_span: Span,
    /// Template parameters.
    pub parameters: Vec<TemplateParameter<'a>>,
    /// The arguments of a specialisation; empty for the primary template.
    pub specialises: Vec<Expr<'a>>,
    /// Base classes.
    pub bases: Vec<Path<'a>>,
    /// Members.
    pub members: Vec<Stmt<'a>>,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function<'a> {
    /// The name.
    pub name: &'a str,
    /// The span of the name.
    pub name_span: Span,
    /// The class of a member that is defined as `Class::name`.
    pub class: Option<&'a str>,
    /// The template arguments of the class in `Class<T>::name`.
    pub class_arguments: Vec<Expr<'a>>,
    /// Whether it is declared `constexpr`.
    pub constexpr: bool,
    /// Template parameters.
    pub template_parameters: Vec<TemplateParameter<'a>>,
    /// Whether it follows `template <...>`.
    pub is_template: bool,
    /// The arguments of a specialisation.
    pub specialises: Vec<Expr<'a>>,
    /// The initialisers `member(value)` of a constructor.
    pub initialisers: Vec<(&'a str, Vec<Expr<'a>>)>,
    /// Parameters.
    pub parameters: Vec<Parameter<'a>>,
    /// The body.
    pub body: Vec<Stmt<'a>>,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct Parameter<'a> {
    /// The name; empty if the parameter has none.
    pub name: &'a str,
    /// The span of the name.
    pub span: Span,
    /// The type.
    pub ty: Path<'a>,
    /// Whether it is a pointer.
    pub pointer: bool,
    /// Whether it is a pointer or reference.
    pub indirect: bool,
}

/// A declared name.
#[derive(Clone, Debug)]
pub struct Declarator<'a> {
    /// The name.
    pub name: &'a str,
    /// The span of the name.
    pub span: Span,
    /// The span of name and initialiser.
    pub whole: Span,
    /// Whether it is an array.
    pub array: bool,
    /// Whether it is a pointer or reference.
    pub indirect: bool,
    /// Whether it is a pointer.
    pub pointer: bool,
    /// The initialiser.
    pub init: Init<'a>,
}

/// An initialiser.
#[derive(Clone, Debug)]
pub enum Init<'a> {
    /// No initialiser.
    Default,
    /// `= value`.
    Value(Expr<'a>),
    /// `(a, b)` or `{a, b}`.
    Arguments(Vec<Expr<'a>>),
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
            StmtKind::Block(body) | StmtKind::Namespace(_, body) => visit_expressions(body, see),
            StmtKind::Branch(branch) => {
                if let Some(condition) = branch.at_run_time() {
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
            | StmtKind::Define(_)
            | StmtKind::Include(_)
            | StmtKind::Exit(None)
            | StmtKind::Instantiate(_)
            | StmtKind::Other => {}
        }
    }
}

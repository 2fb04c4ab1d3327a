//! Typed C++ syntax: as much as constants, declarations and calls need.
//!
//! Names borrow from the source. What is not understood becomes [`ExprKind::Unknown`] or
//! [`StmtKind::Other`] and keeps its place.

mod expressions;

pub use expressions::{Assignment, BinaryOp, Expr, ExprKind, Path, UnaryOp};

use a2lint_source::text::Span;

/// One file.
#[derive(Debug, Default)]
pub struct Unit<'a> {
    /// Declarations at the top, namespaces opened.
    pub items: Vec<Stmt<'a>>,
    /// Macros that `#undef` takes back somewhere.
    pub undefined: Vec<&'a str>,
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
    Enum(Enum<'a>),
    /// `#define N value`.
    Define(Box<Macro<'a>>),
    /// `#include "path"`.
    Include(&'a str),
    /// `namespace a::b { ... }`; without names it is that around it.
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

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enum<'a> {
    /// Its name, if it has one.
    pub name: Option<&'a str>,
    /// Whether its enumerators are named with it alone: `enum class`.
    pub scoped: bool,
    /// What is in it.
    pub enumerators: Vec<Enumerator<'a>>,
}

/// A macro.
#[derive(Clone, Debug)]
pub struct Macro<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its parameters; `None` where it stands without parentheses.
    pub parameters: Option<Vec<&'a str>>,
    /// The expression that it stands for.
    pub value: Option<Expr<'a>>,
    /// Whether it has operators outside of parentheses: those around its name may tear it apart.
    pub torn: bool,
    /// The declarations and calls that it stands for.
    pub items: Vec<Stmt<'a>>,
}

/// A parameter of a template.
#[derive(Clone, Debug)]
pub struct TemplateParameter<'a> {
    /// Its name; empty where it has none.
    pub name: &'a str,
    /// What it is where no argument is given.
    pub default: Option<Expr<'a>>,
    /// Whether it takes any number of arguments.
    pub pack: bool,
}

/// An enumerator.
#[derive(Clone, Debug)]
pub struct Enumerator<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its value; one above the previous where there is none.
    pub value: Option<Expr<'a>>,
}

/// Who decides about a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchKind {
    /// The device: all of it is compiled.
    RunTime,
    /// The compiler: `if constexpr`.
    Constexpr,
    /// The preprocessor.
    Preprocessor,
}

/// Code that may run.
#[derive(Clone, Debug)]
pub struct Branch<'a> {
    /// Who decides.
    pub kind: BranchKind,
    /// The condition; nothing for `switch`.
    pub condition: Option<Expr<'a>>,
    /// If it holds.
    pub then: Vec<Stmt<'a>>,
    /// If not.
    pub otherwise: Vec<Stmt<'a>>,
}

impl<'a> Branch<'a> {
    /// What is read where the condition holds, or does not.
    pub fn side(&self, holds: bool) -> &[Stmt<'a>] {
        match holds {
            true => &self.then,
            false => &self.otherwise,
        }
    }

    /// The condition, where it is code.
    pub fn at_run_time(&self) -> Option<&Expr<'a>> {
        let is_code = self.kind != BranchKind::Preprocessor;
        self.condition.as_ref().filter(|_| is_code)
    }
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
    /// Whether the first of `control` is a condition that holds before every iteration.
    pub tests_first: bool,
}

/// A class or struct.
#[derive(Clone, Debug)]
pub struct Class<'a> {
    /// Its name.
    pub name: &'a str,
    /// The place of the name.
    pub name_span: Span,
    /// Template parameters.
    pub parameters: Vec<TemplateParameter<'a>>,
    /// What a specialisation is for; nothing for the template itself.
    pub specialises: Vec<Expr<'a>>,
    /// Base classes.
    pub bases: Vec<Path<'a>>,
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
    /// The arguments in `Class<T>::name`.
    pub class_arguments: Vec<Expr<'a>>,
    /// Whether `constexpr` stands before it.
    pub constexpr: bool,
    /// Template parameters.
    pub template_parameters: Vec<TemplateParameter<'a>>,
    /// Whether it stands after `template <...>`.
    pub is_template: bool,
    /// What a specialisation is for.
    pub specialises: Vec<Expr<'a>>,
    /// `member(value)` of a constructor.
    pub initialisers: Vec<(&'a str, Vec<Expr<'a>>)>,
    /// Parameters.
    pub parameters: Vec<Parameter<'a>>,
    /// The body.
    pub body: Vec<Stmt<'a>>,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct Parameter<'a> {
    /// Its name; empty where it has none.
    pub name: &'a str,
    /// The place of the name.
    pub span: Span,
    /// Its type.
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
    /// The place of the name.
    pub span: Span,
    /// The place of name and initialiser.
    pub whole: Span,
    /// Whether it is an array.
    pub array: bool,
    /// Whether it is a pointer or reference.
    pub indirect: bool,
    /// Whether it is a pointer.
    pub pointer: bool,
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

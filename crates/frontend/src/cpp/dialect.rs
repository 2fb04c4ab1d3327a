//! The interface of a dialect of C++ to the walk through a function.

use super::environment::Environment;
use a2lint_source::text::Span;
use a2lint_syntax::cpp::{Class, Declarator, Expr, Function, Path};

/// The state of a walk.
#[derive(Debug)]
pub struct Site<'a> {
    /// The display name of the function; an instance of a template has its arguments in it.
    pub name: String,
    /// Names in scope.
    pub env: Environment<'a>,
    /// For every branch and loop of the function, the enclosing one; the first is the function itself.
    pub regions: Vec<usize>,
    /// The innermost region.
    pub region: usize,
    /// Whether template parameters are bound to arguments. Branches with an undecided compile-time condition are then
    /// left out, since they may not exist for these arguments.
    pub bound: bool,
    /// Whether such a branch was left out.
    pub left_out: bool,
}

/// The handling of declarations and calls by a dialect.
pub trait Dialect<'a> {
    /// Returns whether a function is worth walking, by its text.
    fn concerns(&self, text: &str) -> bool;
    /// Begins a function; `class` contains it.
    fn enter(
        &mut self,
        site: &mut Site<'a>,
        function: &Function<'a>,
        class: Option<&ClassFacts<'a>>,
    );
    /// Ends a function.
    fn leave(&mut self, site: &mut Site<'a>, function: &Function<'a>);
    /// Declares a member, parameter or local variable of a type with aliases resolved; returns the index of the
    /// object that the dialect makes of it.
    fn declare(
        &mut self,
        site: &mut Site<'a>,
        ty: &Path<'a>,
        declarator: &Declarator<'a>,
        role: Role,
    ) -> Option<usize>;
    /// Handles a call, after its arguments were visited.
    fn call(&mut self, site: &mut Site<'a>, call: &Call<'a, '_>);
    /// Handles an assignment to something other than a number variable.
    fn assign(
        &mut self,
        site: &mut Site<'a>,
        target: &Expr<'a>,
        value: Option<&Expr<'a>>,
        span: Span,
    );
    /// Returns the names that a call may change.
    fn changes(&self, callee: &Expr<'a>, arguments: &[Expr<'a>]) -> Vec<&'a str>;
    /// Makes the objects with these names unknown.
    fn forget(&mut self, site: &Site<'a>, names: &[&'a str]);
}

/// The role of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A member of the class.
    Member,
    /// A parameter.
    Parameter,
    /// A local variable.
    Local,
}

/// A call.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a, 'e> {
    /// The whole call.
    pub expr: &'e Expr<'a>,
    /// The callee.
    pub callee: &'e Expr<'a>,
    /// The arguments.
    pub arguments: &'e [Expr<'a>],
    /// The parentheses.
    pub parentheses: Span,
    /// Whether the result is stored.
    pub assigned: bool,
}

/// A class with everything that is defined for it.
#[derive(Debug)]
pub struct ClassFacts<'a> {
    /// The class.
    pub class: &'a Class<'a>,
    /// The methods of the class.
    pub methods: Vec<&'a Function<'a>>,
}

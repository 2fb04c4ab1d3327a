//! What a dialect of C++ adds to the way through a function.

use super::environment::Environment;
use a2lint_source::text::Span;
use a2lint_syntax::cpp::{Class, Declarator, Expr, Function, Path};

/// Where the walk is.
#[derive(Debug)]
pub struct Site<'a> {
    /// What the function is called: an instance of a template with its arguments.
    pub name: String,
    /// Names in scope.
    pub env: Environment<'a>,
    /// For every branch and loop of the function the one around it; the first is the function.
    pub regions: Vec<usize>,
    /// The innermost one.
    pub region: usize,
    /// Whether template parameters stand for arguments. Branches that the compiler decides, and
    /// nobody here, are then left out: what is in them need not be there for these arguments.
    pub bound: bool,
    /// Whether such a branch was left out.
    pub left_out: bool,
}

/// What a dialect makes of declarations and calls.
pub trait Dialect<'a> {
    /// Whether a function is worth walking, by its text.
    fn concerns(&self, text: &str) -> bool;
    /// A function begins. `class` holds it.
    fn enter(
        &mut self,
        site: &mut Site<'a>,
        function: &Function<'a>,
        class: Option<&ClassFacts<'a>>,
    );
    /// The members of the class are declared, parameters are not.
    fn class_ready(&mut self, _site: &mut Site<'a>, _class: &ClassFacts<'a>) {}
    /// A function ends.
    fn leave(&mut self, site: &mut Site<'a>, function: &Function<'a>);
    /// A member, parameter or local variable of a type with aliases resolved; the index of the
    /// object that the dialect makes of it.
    fn declare(
        &mut self,
        site: &mut Site<'a>,
        ty: &Path<'a>,
        declarator: &Declarator<'a>,
        role: Role,
    ) -> Option<usize>;
    /// A call, its arguments already seen. `assigned` is what takes the result.
    fn call(&mut self, site: &mut Site<'a>, call: &Call<'a, '_>);
    /// An assignment to something other than a number variable.
    fn assign(
        &mut self,
        site: &mut Site<'a>,
        target: &Expr<'a>,
        value: Option<&Expr<'a>>,
        span: Span,
    );
    /// The names that a call may change.
    fn changes(&self, callee: &Expr<'a>, arguments: &[Expr<'a>]) -> Vec<&'a str>;
    /// These names hold something unknown from here on.
    fn forget(&mut self, site: &Site<'a>, names: &[&'a str]);
}

/// What a declaration is.
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
    /// What is called.
    pub callee: &'e Expr<'a>,
    /// The arguments.
    pub arguments: &'e [Expr<'a>],
    /// The parentheses.
    pub parentheses: Span,
    /// Whether the result is stored.
    pub assigned: bool,
}

/// A class and everything that is defined of it.
#[derive(Debug)]
pub struct ClassFacts<'a> {
    /// The class.
    pub class: &'a Class<'a>,
    /// Its methods.
    pub methods: Vec<&'a Function<'a>>,
}

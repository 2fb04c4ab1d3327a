//! Functions of a file, and what their decorators say of them.

use std::cell::RefCell;
use std::rc::Rc;

use super::frame::Frame;
use super::items::{Defaults, Items};
use super::value::Value;
use a2lint_isa::Dialect;
use a2lint_syntax::python::ast;

/// A function of the file.
#[derive(Clone)]
pub(super) struct Function<'a> {
    pub def: &'a ast::FunctionDef,
    /// What it is called: an instance of a kernel that a factory builds has the factory's arguments
    /// in its name.
    pub name: Rc<str>,
    pub closure: Frame<'a>,
    /// The values of its parameters' defaults, by position.
    pub defaults: Rc<Defaults<'a>>,
    pub role: Role,
    /// How a kernel is made, where it is one.
    pub making: Making,
    /// Whether `@auto_sync()` stands among the decorators.
    pub auto_sync: bool,
    /// Whether it is a context manager.
    pub is_manager: bool,
    /// Whether tests get what it returns.
    pub is_fixture: bool,
    /// What `parametrize` gives a test, the innermost decorator first.
    pub cases: Rc<[Cases<'a>]>,
    /// The results that `functools.lru_cache` keeps, by arguments.
    pub cache: Option<Rc<RefCell<Vec<Kept<'a>>>>>,
    /// Whether its control flow is rewritten for the device: a kernel, or `@func()`.
    pub rewritten: bool,
}

/// The arguments of a call, and its result.
pub(super) type Kept<'a> = (Vec<Value<'a>>, Value<'a>);

/// `lambda params: body`
pub(super) struct Lambda<'a> {
    pub params: &'a [ast::Param],
    pub body: &'a ast::Expr,
    pub closure: Frame<'a>,
    pub defaults: Rc<Defaults<'a>>,
}

/// What `kernel(…)` says of the kernels that it makes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Making {
    pub dialect: Dialect,
    pub mode: Option<String>,
    pub block_dim: Option<u32>,
    /// The number of cores as an expression over symbols.
    pub block_dim_text: Option<String>,
}

/// Values that a test is called with: names, and rows of values.
#[derive(Clone)]
pub(super) struct Cases<'a> {
    pub names: Rc<[String]>,
    pub rows: Rc<Items<'a>>,
}

/// What decorators make of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Kernel,
    /// Undecorated, or `@func()`.
    Helper,
    /// Decorated with something unknown: its calls cannot be followed.
    Opaque,
}

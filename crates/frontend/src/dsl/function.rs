//! Functions of a file, and what their decorators make of them.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::frame::Frame;
use super::items::{Defaults, Entries, Items, Shared};
use super::value::Value;
use a2lint_isa::Dialect;
use a2lint_syntax::python::ast;

/// A function of the file.
#[derive(Clone)]
pub(super) struct Function<'a> {
    pub def: &'a ast::FunctionDef,
    /// The display name. A kernel that a factory builds has the arguments of the factory in it.
    pub name: Rc<str>,
    pub closure: Frame<'a>,
    /// The values of the parameters' defaults, by position.
    pub defaults: Rc<Defaults<'a>>,
    pub role: Role,
    /// How a kernel is made, if the function is one.
    pub making: Making,
    /// Whether the decorators include `@auto_sync()`.
    pub auto_sync: bool,
    /// Whether the function is a `@contextmanager`.
    pub is_manager: bool,
    /// Whether the function is a pytest fixture, whose result tests receive.
    pub is_fixture: bool,
    /// The arguments that `parametrize` gives a test, the innermost decorator first.
    pub cases: Rc<[Cases<'a>]>,
    /// The results that `functools.lru_cache` keeps.
    pub cache: Option<Rc<Kept<'a>>>,
    /// Attributes that the program sets on the function object.
    pub attributes: Rc<Attributes<'a>>,
    /// Whether the control flow is rewritten for the device, as in a kernel or `@func()`.
    pub rewritten: bool,
}

/// The results that a function caches, by arguments.
pub(super) struct Kept<'a> {
    /// The calls, the least recently used first.
    pub calls: RefCell<Vec<KeptCall<'a>>>,
    /// Maximum number of results; `None` if unbounded.
    pub most: Option<usize>,
}

/// A call whose result is cached.
#[derive(Clone)]
pub(super) struct KeptCall<'a> {
    /// The positional arguments, then names and values of keywords.
    pub arguments: Vec<Value<'a>>,
    /// Number of positional arguments.
    pub positional: usize,
    pub result: Value<'a>,
}

/// The attributes of a function object, shared by all copies that represent the same object.
pub(super) struct Attributes<'a> {
    /// `__name__` and the like, if the program sets them.
    pub special: Rc<Shared<Entries<'a>>>,
    /// `__dict__`
    pub dict: Rc<Shared<Entries<'a>>>,
    /// Whether the program may have replaced the code or the defaults of the function.
    pub is_replaced: Cell<bool>,
}

impl<'a> Attributes<'a> {
    pub fn new() -> Rc<Attributes<'a>> {
        Rc::new(Attributes {
            special: Shared::new(Vec::new()),
            dict: Shared::new(Vec::new()),
            is_replaced: Cell::new(false),
        })
    }

    /// Makes all attributes unknown from here on.
    pub fn lose(&self) {
        self.special.lose();
        self.dict.lose();
    }
}

/// `lambda params: body`
pub(super) struct Lambda<'a> {
    pub params: &'a [ast::Param],
    pub body: &'a ast::Expr,
    pub closure: Frame<'a>,
    pub defaults: Rc<Defaults<'a>>,
    pub attributes: Rc<Attributes<'a>>,
}

/// The options in a call `kernel(…)`, for the kernels that it makes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Making {
    pub dialect: Dialect,
    pub mode: Option<String>,
    pub block_dim: Option<u32>,
    /// The number of cores as an expression over symbols.
    pub block_dim_text: Option<String>,
}

/// Arguments that a test is called with: names, and rows of values.
#[derive(Clone)]
pub(super) struct Cases<'a> {
    pub names: Rc<[String]>,
    pub rows: Rc<Items<'a>>,
}

/// The role that decorators give a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Kernel,
    /// Undecorated, or `@func()`.
    Helper,
    /// Decorated with something unknown; its calls cannot be followed.
    Opaque,
}

//! Functions of a file, and what their decorators say of them.

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
    /// The results that `functools.lru_cache` keeps.
    pub cache: Option<Rc<Kept<'a>>>,
    /// What the program sets of the function object.
    pub attributes: Rc<Attributes<'a>>,
    /// Whether its control flow is rewritten for the device: a kernel, or `@func()`.
    pub rewritten: bool,
}

/// The results that a function keeps, by arguments.
pub(super) struct Kept<'a> {
    /// The calls, the one that was used last at the end.
    pub calls: RefCell<Vec<KeptCall<'a>>>,
    /// How many of them are kept; `None` for any number.
    pub most: Option<usize>,
}

/// A call whose result is kept.
#[derive(Clone)]
pub(super) struct KeptCall<'a> {
    /// The arguments by position, then names and values.
    pub arguments: Vec<Value<'a>>,
    /// How many of the arguments were given by position.
    pub positional: usize,
    pub result: Value<'a>,
}

/// The attributes of a function object. All copies that stand for one object share them.
pub(super) struct Attributes<'a> {
    /// `__name__`, where the program sets it.
    pub special: Rc<Shared<Entries<'a>>>,
    /// `__dict__`
    pub dict: Rc<Shared<Entries<'a>>>,
    /// Whether the program may have replaced its code or its defaults.
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

    /// None of them is known from here on.
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

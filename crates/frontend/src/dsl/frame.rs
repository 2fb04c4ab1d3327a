//! Scopes of names.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::items::birth;
use super::value::Value;
use a2lint_isa::Dialect;

/// A scope of names, with its enclosing scope.
#[derive(Clone)]
pub(super) struct Frame<'a>(Rc<FrameData<'a>>);

struct FrameData<'a> {
    names: RefCell<FxHashMap<String, Value<'a>>>,
    /// The names in the order of their first binding.
    order: RefCell<Vec<String>>,
    /// Names declared `global` (true) or `nonlocal` (false), which belong to an outer scope.
    foreign: RefCell<Vec<(String, bool)>>,
    /// All names that a function binds, if known. They are local before they are bound.
    locals: RefCell<Option<Rc<FxHashSet<&'a str>>>>,
    /// Names that code which runs at any time may bind.
    released: RefCell<FxHashSet<String>>,
    /// Whether code that is not followed may have bound or deleted names.
    is_lost: Cell<bool>,
    born: u64,
    parent: Option<Frame<'a>>,
    /// The dialect whose facade was imported by `*`; kept on the scope of the module.
    star: Cell<Option<Dialect>>,
    kind: Kind,
}

/// The kind of code that a scope belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A module or a function.
    Plain,
    /// The body of a class, whose names its functions do not see.
    Class,
    /// A comprehension; a `:=` in it binds in the enclosing scope.
    Comprehension,
}

/// The result of looking up a name.
pub(super) enum Found<'a> {
    Bound(Value<'a>),
    /// A local of a function that is not bound yet (`UnboundLocalError`).
    Unbound,
    /// The name may be bound to anything.
    Lost,
    Nowhere,
}

impl<'a> Frame<'a> {
    pub fn new(parent: Option<Frame<'a>>) -> Self {
        Frame::made(parent, Kind::Plain)
    }

    /// Creates the scope of a comprehension.
    pub fn of_comprehension(parent: Frame<'a>) -> Self {
        Frame::made(Some(parent), Kind::Comprehension)
    }

    /// Creates the scope of a class body.
    pub fn of_class(parent: Frame<'a>) -> Self {
        Frame::made(Some(parent), Kind::Class)
    }

    fn made(parent: Option<Frame<'a>>, kind: Kind) -> Self {
        Frame(Rc::new(FrameData {
            names: RefCell::default(),
            order: RefCell::default(),
            foreign: RefCell::default(),
            locals: RefCell::default(),
            released: RefCell::default(),
            is_lost: Cell::new(false),
            born: birth(),
            parent,
            star: Cell::new(None),
            kind,
        }))
    }

    /// Makes the names of this scope and of all enclosing ones unknown.
    pub fn lose_all(&self) {
        let mut frame = Some(self);
        while let Some(one) = frame {
            one.lose();
            frame = one.0.parent.as_ref();
        }
    }

    /// Returns the scope that functions defined here close over: class bodies are skipped.
    pub fn for_functions(&self) -> Frame<'a> {
        let mut frame = self;
        while let (Kind::Class, Some(parent)) = (frame.0.kind, frame.0.parent.as_ref()) {
            frame = parent;
        }
        frame.clone()
    }

    /// Returns the enclosing scope.
    pub fn parent(&self) -> Option<&Frame<'a>> {
        self.0.parent.as_ref()
    }

    /// Returns the scope of the module.
    pub fn module(&self) -> &Frame<'a> {
        let mut frame = self;
        while let Some(parent) = frame.0.parent.as_ref() {
            frame = parent;
        }
        frame
    }

    /// Returns the dialect whose facade the module has imported by `*`.
    pub fn star(&self) -> Option<Dialect> {
        self.module().0.star.get()
    }

    /// Records that the module has all names of a facade.
    pub fn set_star(&self, dialect: Dialect) {
        self.module().0.star.set(Some(dialect));
    }

    /// Returns whether both are the same scope.
    pub fn is(&self, other: &Frame<'a>) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the names of this scope itself, sorted.
    pub fn own_names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.0.names.borrow().keys().cloned().collect();
        names.sort_unstable();
        names
    }

    /// Returns the names of this scope itself in the order in which they were bound.
    pub fn names_in_order(&self) -> Vec<String> {
        let names = self.0.names.borrow();
        let order = self.0.order.borrow();
        let mut seen = FxHashSet::default();
        // A dictionary puts a key that was deleted and set again at the end, so the last binding counts.
        let last = order
            .iter()
            .rev()
            .filter(|name| names.contains_key(*name) && seen.insert(*name));
        let mut last: Vec<String> = last.cloned().collect();
        last.reverse();
        last
    }

    /// Returns the value of a name in this scope itself; unknown if the scope is lost.
    pub fn own(&self, name: &str) -> Option<Value<'a>> {
        match self.0.is_lost.get() {
            true => Some(Value::Unknown),
            false => self.0.names.borrow().get(name).cloned(),
        }
    }

    /// Makes every name of this scope unknown from here on: code may rebind or delete names at any later time.
    pub fn lose(&self) {
        // The values are dropped, so that a later lookup cannot find a stale one.
        self.0.names.borrow_mut().clear();
        self.0.is_lost.set(true);
    }

    pub fn is_lost(&self) -> bool {
        self.0.is_lost.get()
    }

    pub fn born(&self) -> u64 {
        self.0.born
    }

    /// Sets the names that the function of this scope binds anywhere in its body.
    pub fn set_locals(&self, locals: Rc<FxHashSet<&'a str>>) {
        *self.0.locals.borrow_mut() = Some(locals);
    }

    /// Returns the scope in which an assignment binds this name.
    pub fn binding(&self, name: &str) -> Frame<'a> {
        let foreign = self.0.foreign.borrow();
        let declared = foreign.iter().rev().find(|(foreign, _)| foreign == name);
        match declared {
            None => self.clone(),
            Some((_, true)) => self.module().clone(),
            Some((_, false)) => self.outside(name),
        }
    }

    /// Returns the scope in which `:=` binds a name.
    pub fn around_comprehensions(&self) -> &Frame<'a> {
        let mut frame = self;
        while let (Kind::Comprehension, Some(parent)) = (frame.0.kind, frame.0.parent.as_ref()) {
            frame = parent;
        }
        frame
    }

    /// Returns whether this is `other`, or nested in it.
    pub fn is_within(&self, other: &Frame<'a>) -> bool {
        let mut frame = Some(self);
        while let Some(one) = frame {
            if Rc::ptr_eq(&one.0, &other.0) {
                return true;
            }
            frame = one.0.parent.as_ref();
        }
        false
    }

    /// Declares that a name belongs to the module, or to the innermost enclosing scope that has it.
    pub fn declare_foreign(&self, name: &str, of_module: bool) {
        self.0
            .foreign
            .borrow_mut()
            .push((name.to_owned(), of_module));
    }

    fn outside(&self, name: &str) -> Frame<'a> {
        let mut outermost = self;
        while let Some(parent) = outermost.0.parent.as_ref() {
            outermost = parent;
            let has_locals = outermost.0.locals.borrow();
            // The name counts as local of an enclosing function before that function has bound it.
            let is_local = has_locals
                .as_ref()
                .is_some_and(|names| names.contains(name));
            if is_local || outermost.0.names.borrow().contains_key(name) {
                break;
            }
        }
        outermost.clone()
    }

    pub fn get(&self, name: &str) -> Option<Value<'a>> {
        match self.find(name) {
            Found::Bound(value) => Some(value),
            Found::Lost => Some(Value::Unknown),
            Found::Unbound | Found::Nowhere => None,
        }
    }

    /// Looks a name up in this scope and the enclosing ones.
    pub fn find(&self, name: &str) -> Found<'a> {
        let mut frame = Some(self);
        let mut of_module = false;
        while let Some(Frame(data)) = frame {
            // `global` skips the enclosing functions, which may have a local of that name.
            let is_passed = of_module && data.parent.is_some();
            if !is_passed {
                // A lost scope may have bound the name, so scopes outside of it must not answer.
                if data.is_lost.get() {
                    return Found::Lost;
                }
                if let Some(value) = data.names.borrow().get(name) {
                    return Found::Bound(value.clone());
                }
                let foreign = data.foreign.borrow();
                let declared = foreign.iter().rev().find(|(foreign, _)| foreign == name);
                of_module = matches!(declared, Some((_, true)));
                let locals = data.locals.borrow();
                if declared.is_none() && locals.as_ref().is_some_and(|it| it.contains(name)) {
                    return Found::Unbound;
                }
            }
            frame = data.parent.as_ref();
        }
        Found::Nowhere
    }

    /// Returns every name that is visible from here.
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        let mut frame = Some(self);
        while let Some(Frame(data)) = frame {
            names.extend(data.names.borrow().keys().cloned());
            frame = data.parent.as_ref();
        }
        names
    }

    pub fn set(&self, name: &str, value: Value<'a>) {
        self.binding(name).set_own(name, value);
    }

    /// Records that a name of this scope may be bound to anything from here on.
    pub fn release(&self, name: &str) {
        self.0.released.borrow_mut().insert(name.to_owned());
        self.set_own(name, Value::Unknown);
    }

    fn is_released(&self, name: &str) -> bool {
        self.0.released.borrow().contains(name)
    }

    /// Binds a name of this scope itself, whatever `global` says.
    pub fn set_own(&self, name: &str, value: Value<'a>) {
        let value = match self.is_released(name) {
            true => Value::Unknown,
            false => value,
        };
        let former = self.0.names.borrow_mut().insert(name.to_owned(), value);
        if former.is_none() {
            self.0.order.borrow_mut().push(name.to_owned());
        }
    }

    /// Unbinds a name of this scope itself; returns `false` if it has no such name.
    pub fn remove(&self, name: &str) -> bool {
        if self.is_released(name) {
            return true;
        }
        self.0.names.borrow_mut().remove(name).is_some()
    }

    /// Breaks the reference cycles between frames and the functions that they hold.
    pub fn clear(&self) {
        self.0.names.borrow_mut().clear();
    }
}

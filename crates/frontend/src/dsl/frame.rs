//! Scopes of names.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::items::birth;
use super::value::Value;
use a2lint_isa::Dialect;

/// A scope of names, with the scope around it.
#[derive(Clone)]
pub(super) struct Frame<'a>(Rc<FrameData<'a>>);

struct FrameData<'a> {
    names: RefCell<FxHashMap<String, Value<'a>>>,
    /// The names in the order in which they were bound first.
    order: RefCell<Vec<String>>,
    /// Names that belong to a scope outside, and whether to the module's: `global`, `nonlocal`.
    foreign: RefCell<Vec<(String, bool)>>,
    /// The names that a function binds anywhere, where that is known: they are its own before they are bound.
    locals: RefCell<Option<Rc<FxHashSet<&'a str>>>>,
    /// Names that code which runs at any time may bind.
    released: RefCell<FxHashSet<String>>,
    /// Whether names may have been bound, or deleted, that nothing here shows.
    is_lost: Cell<bool>,
    born: u64,
    parent: Option<Frame<'a>>,
    /// Of which dialect `from <A2 facade> import *` was seen; asked of the outermost scope.
    star: Cell<Option<Dialect>>,
    kind: Kind,
}

/// What a scope belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A module or a function.
    Plain,
    /// The body of a class, whose names functions in it do not see.
    Class,
    /// A comprehension: `:=` in it binds names outside.
    Comprehension,
}

/// What a name is in a scope and those around it.
pub(super) enum Found<'a> {
    Bound(Value<'a>),
    /// It is a name of a function that has not bound it yet.
    Unbound,
    /// It may be bound to anything.
    Lost,
    Nowhere,
}

impl<'a> Frame<'a> {
    pub fn new(parent: Option<Frame<'a>>) -> Self {
        Frame::made(parent, Kind::Plain)
    }

    /// The scope of a comprehension.
    pub fn of_comprehension(parent: Frame<'a>) -> Self {
        Frame::made(Some(parent), Kind::Comprehension)
    }

    /// The scope of a class body.
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

    /// The names of this scope and of those around it may be bound to anything from here on.
    pub fn lose_all(&self) {
        let mut frame = Some(self);
        while let Some(one) = frame {
            one.lose();
            frame = one.0.parent.as_ref();
        }
    }

    /// The scope that functions defined here close over.
    pub fn for_functions(&self) -> Frame<'a> {
        let mut frame = self;
        while let (Kind::Class, Some(parent)) = (frame.0.kind, frame.0.parent.as_ref()) {
            frame = parent;
        }
        frame.clone()
    }

    /// The scope around it.
    pub fn parent(&self) -> Option<&Frame<'a>> {
        self.0.parent.as_ref()
    }

    /// The scope of the module.
    pub fn module(&self) -> &Frame<'a> {
        let mut frame = self;
        while let Some(parent) = frame.0.parent.as_ref() {
            frame = parent;
        }
        frame
    }

    /// The dialect whose facade the module has all names of.
    pub fn star(&self) -> Option<Dialect> {
        self.module().0.star.get()
    }

    /// The module gets all names of a facade.
    pub fn set_star(&self, dialect: Dialect) {
        self.module().0.star.set(Some(dialect));
    }

    /// Whether both are the same scope.
    pub fn is(&self, other: &Frame<'a>) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// The names of this scope itself, in order.
    pub fn own_names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.0.names.borrow().keys().cloned().collect();
        names.sort_unstable();
        names
    }

    /// The names of this scope itself, in the order in which they were bound.
    pub fn names_in_order(&self) -> Vec<String> {
        let names = self.0.names.borrow();
        let order = self.0.order.borrow();
        let mut seen = FxHashSet::default();
        // A name that was deleted and bound again stands where it was bound last.
        let last = order
            .iter()
            .rev()
            .filter(|name| names.contains_key(*name) && seen.insert(*name));
        let mut last: Vec<String> = last.cloned().collect();
        last.reverse();
        last
    }

    /// What a name is bound to in this scope itself.
    pub fn own(&self, name: &str) -> Option<Value<'a>> {
        match self.0.is_lost.get() {
            true => Some(Value::Unknown),
            false => self.0.names.borrow().get(name).cloned(),
        }
    }

    /// Names may have been bound to anything, or deleted, and code may do so again: none is known from here on.
    pub fn lose(&self) {
        self.0.names.borrow_mut().clear();
        self.0.is_lost.set(true);
    }

    pub fn is_lost(&self) -> bool {
        self.0.is_lost.get()
    }

    pub fn born(&self) -> u64 {
        self.0.born
    }

    /// The names that the function of this scope binds anywhere.
    pub fn set_locals(&self, locals: Rc<FxHashSet<&'a str>>) {
        *self.0.locals.borrow_mut() = Some(locals);
    }

    /// The scope in which an assignment of this name takes place.
    pub fn binding(&self, name: &str) -> Frame<'a> {
        let foreign = self.0.foreign.borrow();
        let declared = foreign.iter().rev().find(|(foreign, _)| foreign == name);
        match declared {
            None => self.clone(),
            Some((_, true)) => self.module().clone(),
            Some((_, false)) => self.outside(name),
        }
    }

    /// The scope in which `:=` binds a name.
    pub fn around_comprehensions(&self) -> &Frame<'a> {
        let mut frame = self;
        while let (Kind::Comprehension, Some(parent)) = (frame.0.kind, frame.0.parent.as_ref()) {
            frame = parent;
        }
        frame
    }

    /// Whether this is another scope, or inside of it.
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

    /// A name belongs to the scope of the module, or to the innermost one around that has it.
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

    /// What a name is, seen from here.
    pub fn find(&self, name: &str) -> Found<'a> {
        let mut frame = Some(self);
        let mut of_module = false;
        while let Some(Frame(data)) = frame {
            let is_passed = of_module && data.parent.is_some();
            if !is_passed {
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

    /// Every name that can be seen from here.
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

    /// A name of this scope may be bound to anything at any time from here on.
    pub fn release(&self, name: &str) {
        self.0.released.borrow_mut().insert(name.to_owned());
        self.set_own(name, Value::Unknown);
    }

    fn is_released(&self, name: &str) -> bool {
        self.0.released.borrow().contains(name)
    }

    /// Binds a name of this scope itself.
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

    /// Forgets a name of this scope itself; `false` where it has none of that name.
    pub fn remove(&self, name: &str) -> bool {
        if self.is_released(name) {
            return true;
        }
        self.0.names.borrow_mut().remove(name).is_some()
    }

    /// Breaks the reference cycles between frames and the functions they hold.
    pub fn clear(&self) {
        self.0.names.borrow_mut().clear();
    }
}

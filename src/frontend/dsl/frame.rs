//! Scopes of names.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::value::Value;
use crate::isa::Dialect;

/// A scope of names, with the scope around it.
#[derive(Clone)]
pub(super) struct Frame<'a>(Rc<FrameData<'a>>);

struct FrameData<'a> {
    names: RefCell<FxHashMap<String, Value<'a>>>,
    /// Names that belong to a scope outside: `global`, `nonlocal`.
    foreign: RefCell<Vec<String>>,
    parent: Option<Frame<'a>>,
    /// Of which dialect `from <A2 facade> import *` was seen; asked of the outermost scope.
    star: Cell<Option<Dialect>>,
    /// Whether it is the body of a class, whose names functions in it do not see.
    is_class: bool,
}

impl<'a> Frame<'a> {
    pub fn new(parent: Option<Frame<'a>>) -> Self {
        Frame::made(parent, false)
    }

    /// The scope of a class body.
    pub fn of_class(parent: Frame<'a>) -> Self {
        Frame::made(Some(parent), true)
    }

    fn made(parent: Option<Frame<'a>>, is_class: bool) -> Self {
        Frame(Rc::new(FrameData {
            names: RefCell::default(),
            foreign: RefCell::default(),
            parent,
            star: Cell::new(None),
            is_class,
        }))
    }

    /// The scope that functions defined here close over.
    pub fn for_functions(&self) -> Frame<'a> {
        let mut frame = self;
        while let (true, Some(parent)) = (frame.0.is_class, frame.0.parent.as_ref()) {
            frame = parent;
        }
        frame.clone()
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

    /// What a name is bound to in this scope itself.
    pub fn own(&self, name: &str) -> Option<Value<'a>> {
        self.0.names.borrow().get(name).cloned()
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

    /// Names belong to a scope outside: the innermost that has them, else the module's.
    pub fn declare_foreign(&self, name: &str) {
        self.0.foreign.borrow_mut().push(name.to_owned());
    }

    fn set_outside(&self, name: &str, value: Value<'a>) {
        let mut outermost = self;
        while let Some(parent) = outermost.0.parent.as_ref() {
            outermost = parent;
            if outermost.0.names.borrow().contains_key(name) {
                break;
            }
        }
        outermost
            .0
            .names
            .borrow_mut()
            .insert(name.to_owned(), value);
    }

    pub fn get(&self, name: &str) -> Option<Value<'a>> {
        let mut frame = Some(self);
        while let Some(Frame(data)) = frame {
            if let Some(value) = data.names.borrow().get(name) {
                return Some(value.clone());
            }
            frame = data.parent.as_ref();
        }
        None
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
        if self
            .0
            .foreign
            .borrow()
            .iter()
            .any(|foreign| foreign == name)
        {
            return self.set_outside(name, value);
        }
        self.0.names.borrow_mut().insert(name.to_owned(), value);
    }

    /// Forgets a name of this scope itself.
    pub fn remove(&self, name: &str) {
        self.0.names.borrow_mut().remove(name);
    }

    /// Breaks the reference cycles between frames and the functions they hold.
    pub fn clear(&self) {
        self.0.names.borrow_mut().clear();
    }
}

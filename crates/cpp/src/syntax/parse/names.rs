//! What names mean, as far as parsing needs it: C++ cannot be parsed without knowing which names are types and
//! templates.
//!
//! Names of namespaces are put into the scope around: which of two namespaces a name is from makes no difference here.

use rustc_hash::FxHashMap;

use crate::syntax::symbols::Sym;

/// The meanings of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A type.
    Type,
    /// A template of classes or of other names of types.
    Template,
    /// A variable, member, enumerator or function.
    Value,
    /// A template of functions or variables.
    FunctionTemplate,
}

pub(super) type Scope = FxHashMap<Sym, Meaning>;

/// The names that are known at a place.
#[derive(Clone)]
pub(super) struct Names {
    scopes: Vec<Scope>,
    /// The scopes of classes, by name.
    classes: FxHashMap<Sym, Scope>,
    /// The meanings of names in any scope; `None` where a name has several.
    anywhere: FxHashMap<Sym, Option<Meaning>>,
}

impl Default for Names {
    fn default() -> Names {
        Names {
            scopes: vec![Scope::default()],
            classes: FxHashMap::default(),
            anywhere: FxHashMap::default(),
        }
    }
}

impl Names {
    /// Adds a name that no text declares to the outermost scope.
    pub fn know(&mut self, name: Sym, meaning: Meaning) {
        if let Some(outermost) = self.scopes.first_mut() {
            outermost.insert(name, meaning);
        }
        self.anywhere.insert(name, Some(meaning));
    }

    pub fn open(&mut self) {
        self.scopes.push(Scope::default());
    }

    /// Opens the scope of a class again, with its members.
    pub fn open_class(&mut self, name: Sym) {
        let scope = self.classes.get(&name).cloned();
        self.scopes.push(scope.unwrap_or_default());
    }

    pub fn close(&mut self) {
        if self.scopes.len() > 1 {
            self.scopes.pop();
        }
    }

    /// Closes the scope of a class and keeps its members.
    pub fn close_class(&mut self, name: Option<Sym>) {
        if self.scopes.len() <= 1 {
            return;
        }
        let Some(scope) = self.scopes.pop() else {
            return;
        };
        match (name, self.scopes.last_mut()) {
            // Specialisations share a name: their members are taken together.
            (Some(name), _) => self.classes.entry(name).or_default().extend(scope),
            // Members of an unnamed struct or union are named in the scope around it.
            (None, Some(outer)) => outer.extend(scope),
            (None, None) => {}
        }
    }

    /// Adds the members of a base class.
    pub fn inherit(&mut self, base: Sym) {
        let members = self.classes.get(&base).cloned().unwrap_or_default();
        for (name, meaning) in members {
            if let Some(scope) = self.scopes.last_mut() {
                scope.entry(name).or_insert(meaning);
            }
        }
    }

    pub fn declare(&mut self, name: Sym, meaning: Meaning) {
        self.declare_below(name, meaning, 0);
    }

    /// Declares a name in a scope below others.
    pub fn declare_below(&mut self, name: Sym, meaning: Meaning, below: usize) {
        let place = self.scopes.len().saturating_sub(below + 1);
        if let Some(scope) = self.scopes.get_mut(place) {
            let known = scope.entry(name).or_insert(meaning);
            // `struct stat` and a function `stat`: the function hides it. A template stays one when it is specialised.
            if !matches!(*known, Meaning::Template | Meaning::FunctionTemplate) {
                *known = meaning;
            }
        }
        self.declare_member(name, meaning);
    }

    /// Declares a name that is reached only through its owner.
    pub fn declare_member(&mut self, name: Sym, meaning: Meaning) {
        let known = self.anywhere.entry(name).or_insert(Some(meaning));
        if *known != Some(meaning) {
            *known = None;
        }
    }

    /// Returns the meaning of a name without qualifiers.
    pub fn meaning(&self, name: Sym) -> Option<Meaning> {
        let scopes = self.scopes.iter().rev();
        scopes.filter_map(|scope| scope.get(&name)).next().copied()
    }

    /// Returns the meaning of a member or qualified name, if it has the same one everywhere.
    pub fn anywhere(&self, name: Sym) -> Option<Meaning> {
        self.anywhere.get(&name).copied().flatten()
    }

    /// Returns the number of open scopes.
    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Closes scopes that a failed attempt left open.
    pub fn close_to(&mut self, depth: usize) {
        self.scopes.truncate(depth.max(1));
    }
}

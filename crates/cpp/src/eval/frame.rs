//! What a function that is being evaluated has of its own: names, `this`, and where it returns to.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use a2lint_source::text::Span;
use rustc_hash::FxHasher;

use super::Eval;
use super::names::{Context, ContextKind, Ctx, Entity, Local, NamespaceId};
use super::types::{TemplateArg, Ty};
use super::values::CellId;
use crate::library::Evaluated;
use crate::syntax::ast::{Name, Type};

/// A function that is being evaluated.
#[derive(Debug)]
pub(crate) struct Frame<'u> {
    /// The scope for names that are not local.
    pub context: Ctx<'u>,
    /// Names of open blocks, innermost last.
    pub locals: Vec<(Name, Local<'u>)>,
    /// Objects to destroy, with how many names were declared before each.
    pub owned: Vec<(CellId, Ty, Span)>,
    /// Namespaces that blocks use.
    pub used: Vec<NamespaceId>,
    /// `this`, and whether it is `const`.
    pub this: Option<(CellId, Ty)>,
    /// The return type; `None` until the first `return` determines it.
    pub returns: Option<Ty>,
    /// The object that a `return` initialises.
    pub result: Option<Returned>,
    /// The flag that records a `return`; created when only some paths return.
    pub returned: Option<CellId>,
    /// The loops and switches around the statement that is evaluated.
    pub loops: Vec<LoopFrame>,
    /// Its name.
    pub name: Name,
    /// The placeholder (`auto`, `auto&`) that is written for a deduced return type.
    pub placeholder: Option<&'u Type>,
    /// The type of the first `return`, if the body is evaluated only to deduce the return type.
    pub probed: Option<Option<Ty>>,
    /// The number of blocks of the program that were open at its call.
    pub block_depth: usize,
    /// The number of parameters, which are the first names.
    pub parameters: usize,
}

/// The result of a function.
#[derive(Clone, Debug)]
pub(crate) struct Returned {
    pub ty: Ty,
    pub place: super::values::Place,
}

/// A loop or `switch`.
#[derive(Clone, Debug)]
pub(crate) struct LoopFrame {
    /// The flag that records a `break`; used when only some paths break.
    pub broken: CellId,
    /// The flag that records a `continue`; `None` for a `switch`.
    pub continued: Option<CellId>,
    /// Whether its body is that of a loop of the program.
    pub is_device: bool,
    /// The number of blocks that are open around that loop.
    pub blocks: usize,
    /// Whether a `return` was reached inside this loop or `switch`.
    pub returns: bool,
    /// The number of objects with pending destruction that are older than the body.
    pub owned: usize,
}

impl LoopFrame {
    /// Creates the frame of a loop, or of a `switch`, whose body has not begun.
    pub fn new(broken: CellId, owned: usize) -> LoopFrame {
        LoopFrame {
            broken,
            continued: None,
            is_device: false,
            blocks: 0,
            returns: false,
            owned,
        }
    }
}

/// A block whose names end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenScope {
    locals: usize,
    owned: usize,
    used: usize,
}

impl<'u> Frame<'u> {
    /// Creates a frame without names.
    pub fn new(context: Ctx<'u>) -> Frame<'u> {
        Frame {
            context,
            locals: Vec::new(),
            owned: Vec::new(),
            used: Vec::new(),
            this: None,
            returns: None,
            result: None,
            returned: None,
            loops: Vec::new(),
            name: "".into(),
            placeholder: None,
            probed: None,
            block_depth: 0,
            parameters: 0,
        }
    }

    /// Returns the innermost local of this name.
    pub fn find(&self, name: &str) -> Option<Local<'u>> {
        let found = self.locals.iter().rev().find(|(own, _)| &**own == name);
        found.map(|(_, local)| local.clone())
    }

    /// Returns whether a name is that of a parameter, and no other hides it.
    pub fn is_parameter(&self, name: &str) -> bool {
        let at = self.locals.iter().rposition(|(own, _)| &**own == name);
        at.is_some_and(|at| at < self.parameters)
    }

    /// Returns whether a scope has created objects that have to be destroyed.
    pub fn owns_since(&self, scope: OpenScope) -> bool {
        self.owned.len() > scope.owned
    }

    pub fn open_scope(&self) -> OpenScope {
        OpenScope {
            locals: self.locals.len(),
            owned: self.owned.len(),
            used: self.used.len(),
        }
    }
}

impl OpenScope {
    pub fn owned(self) -> usize {
        self.owned
    }

    pub fn locals(self) -> usize {
        self.locals
    }
}

impl<'u> Eval<'u> {
    /// Evaluates something with the names of a scope alone.
    pub(crate) fn in_context<T>(
        &mut self,
        context: Ctx<'u>,
        work: impl FnOnce(&mut Self) -> Evaluated<T>,
    ) -> Evaluated<T> {
        let mut frame = Frame::new(context);
        frame.block_depth = self.blocks.len();
        let former = std::mem::replace(&mut self.frame, frame);
        let pack_index = self.pack_index.take();
        let result = work(self);
        self.frame = former;
        self.pack_index = pack_index;
        result
    }

    /// Evaluates something with arguments of a template in sight.
    pub(crate) fn with_arguments<T>(
        &mut self,
        arguments: &[(Name, TemplateArg)],
        work: impl FnOnce(&mut Self) -> Evaluated<T>,
    ) -> Evaluated<T> {
        let inner = inner_context(&self.frame.context, arguments);
        let former = std::mem::replace(&mut self.frame.context, inner);
        let result = work(self);
        self.frame.context = former;
        result
    }

    /// Adds a local name.
    pub(crate) fn add_local(&mut self, name: &Name, local: Local<'u>) {
        self.frame.locals.push((name.clone(), local));
    }

    /// Adds a local name that a declaration in a scope has.
    pub(crate) fn add_entity(&mut self, name: &Name, entity: Entity<'u>, context: &Ctx<'u>) {
        let entities = [entity].into_iter().collect();
        self.add_local(name, Local::Entities(entities, context.clone()));
    }

    /// Records that an object lives to the end of the current block, which then destroys it.
    pub(crate) fn own(&mut self, cell: CellId, ty: &Ty, span: Span) {
        if self.has_destructor(ty) {
            self.frame.owned.push((cell, ty.clone(), span));
        }
    }

    /// Ends the names of a block; its objects are destroyed in reverse order unless `is_left`: control has left it,
    /// and they were destroyed there.
    pub(crate) fn close_scope(&mut self, scope: OpenScope, is_left: bool) -> Evaluated<()> {
        if !is_left {
            self.destroy_from(scope.owned)?;
        }
        self.frame.owned.truncate(scope.owned);
        self.frame.locals.truncate(scope.locals);
        self.frame.used.truncate(scope.used);
        Ok(())
    }

    /// Destroys the objects of open blocks from a number on, in reverse order; they stay listed.
    pub(crate) fn destroy_from(&mut self, from: usize) -> Evaluated<()> {
        // A destructor may itself declare objects, so the list is not borrowed.
        for at in (from..self.frame.owned.len()).rev() {
            let (cell, ty, span) = self.frame.owned[at].clone();
            self.destroy(cell, &ty, span)?;
        }
        Ok(())
    }
}

/// Returns the hash of a path: of the enclosing path and of a call or unrolled iteration in it. The facts that
/// evaluations remember about blocks and loops are keyed by the path, since a statement may behave differently in
/// another call.
pub(crate) fn inner_path(outer: u64, part: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    (outer, part).hash(&mut hasher);
    hasher.finish()
}

/// Returns a scope nested in another one that binds template parameters to these arguments.
pub(crate) fn inner_context<'u>(outer: &Ctx<'u>, arguments: &[(Name, TemplateArg)]) -> Ctx<'u> {
    match arguments.is_empty() {
        true => outer.clone(),
        false => Rc::new(Context {
            parent: Some(outer.clone()),
            kind: ContextKind::Template(arguments.to_vec()),
        }),
    }
}

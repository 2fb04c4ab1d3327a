//! What code of the host may change: calls, lambdas, branches of a `switch`, and stores to places that are not known.
//!
//! A number that a call may have changed is not known any more: a launch with a number of ours in its place would show
//! mistakes that no launch of the program has.

use a2lint_cpp::syntax::ast::{
    Expr, ExprKind, Function, Path, Stmt, StmtKind, Switch, Type, TypeKind, UnaryOp,
};

use super::{Host, Reader, callee_name, last};

/// What a function may do with an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    /// It gets a copy, or only reads.
    Reads,
    /// It may change what a pointer points to.
    ChangesTarget,
    /// It may change the argument itself, which it has a reference to.
    ChangesAll,
}

/// Functions of the C library and of the runtime that change none of their arguments, or only the target of the first.
const KNOWN: &[(&str, bool)] = &[
    ("printf", false),
    ("fprintf", false),
    ("free", false),
    ("GmFree", false),
    ("WriteFile", false),
    ("memcpy", true),
    ("memcpy_s", true),
    ("aclrtMemcpy", true),
    ("aclrtMemcpyAsync", true),
    ("aclrtFree", false),
    ("aclrtFreeHost", false),
    ("aclrtSetDevice", false),
    ("aclrtResetDevice", false),
    ("aclrtSynchronizeStream", false),
    ("aclrtDestroyStream", false),
    ("SetKernelMode", false),
    ("GmAlloc", false),
    ("malloc", false),
];

impl<'u> Reader<'u, '_> {
    /// Forgets what a call may change.
    pub(super) fn called(&mut self, callee: &Expr, arguments: &[Expr]) {
        // A method may change its object.
        if let ExprKind::Member { object, .. } = &callee.kind {
            self.forget_target(object);
        }
        let name = callee_name(callee);
        for (at, argument) in arguments.iter().enumerate() {
            match name.map_or(Use::ChangesAll, |name| self.use_of(name, at)) {
                Use::Reads => {}
                Use::ChangesTarget => self.forget_target(argument),
                Use::ChangesAll => {
                    self.forget_target(argument);
                    // Memory that a pointer points to stays as large as it is.
                    if let Some(place) = self.place(argument)
                        && !matches!(self.known.names.get(&place), Some(Host::Bytes(_)))
                    {
                        self.known.forget(&place);
                    }
                }
            }
        }
    }

    /// What a function may do with its argument at an index.
    fn use_of(&self, name: &str, at: usize) -> Use {
        if let Some((_, is_first_changed)) = KNOWN.iter().find(|known| known.0 == name) {
            return match *is_first_changed && at == 0 {
                true => Use::ChangesTarget,
                false => Use::Reads,
            };
        }
        let mut functions = Vec::new();
        functions_named(&self.unit.items, name, &mut functions);
        let uses = functions.iter().map(|function| {
            let parameter = function.parameters.get(at).filter(|it| !it.is_pack);
            parameter.map_or(Use::ChangesTarget, |it| use_by(&it.ty))
        });
        uses.max().unwrap_or(Use::ChangesAll)
    }

    /// Forgets what an argument points to, or the object that it names: `&n`, `tiling`.
    fn forget_target(&mut self, argument: &Expr) {
        match &argument.kind {
            ExprKind::Unary(UnaryOp::AddressOf, value) => {
                if let Some(place) = self.place(value) {
                    self.known.forget(&place);
                }
                self.forget_root(value);
            }
            _ => self.forget_root(argument),
        }
    }

    /// Forgets the members of the object that an expression names a part of, which cannot be told apart from others.
    pub(super) fn forget_root(&mut self, expr: &Expr) {
        if let Some(name) = self.place(expr) {
            return self.forget_fields(&name);
        }
        if let Some(name) = root(expr).and_then(last) {
            let object = self.known.same.get(name).cloned();
            self.forget_fields(&object.unwrap_or_else(|| name.to_owned()));
        }
    }

    /// A pointer points elsewhere, or what a reference refers to gets another value.
    pub(super) fn pointed_elsewhere(&mut self, target: &Expr) {
        if let ExprKind::Path(path) = &target.kind
            && let Some(object) = last(path).and_then(|name| self.known.same.remove(name))
        {
            self.forget_fields(&object);
        }
    }

    /// Code that may be executed, and after which any of it may have been.
    pub(super) fn perhaps(&mut self, body: &'u [Stmt]) {
        let before = self.known.clone();
        let was_dry = std::mem::replace(&mut self.is_dry, true);
        self.scope(body);
        self.is_dry = was_dry;
        let after = std::mem::replace(&mut self.known, before);
        self.known.meet(&after);
    }

    pub(super) fn switch(&mut self, switch: &'u Switch) {
        self.expr(&switch.value);
        let groups = &switch.groups;
        groups.iter().for_each(|group| self.perhaps(&group.body));
    }

    /// The expressions that an expression consists of, in order.
    pub(super) fn parts(&mut self, expr: &'u Expr) {
        match &expr.kind {
            ExprKind::Member { object, .. } => self.expr(object),
            ExprKind::Unary(_, value)
            | ExprKind::Cast(_, _, value)
            | ExprKind::PackExpansion(value) => self.expr(value),
            ExprKind::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Conditional(all) => all.iter().for_each(|it| self.expr(it)),
            ExprKind::Construct(_, all) | ExprKind::Unknown(_, all) => {
                all.iter().for_each(|it| self.expr(it));
            }
            ExprKind::Braces(_, items) => items.iter().for_each(|it| self.expr(&it.value)),
            ExprKind::Index(object, at) => {
                self.expr(object);
                at.iter().for_each(|it| self.expr(it));
            }
            ExprKind::Lambda(lambda) => self.perhaps(&lambda.body),
            _ => {}
        }
    }
}

/// What a function may do with an argument for a parameter of a type.
fn use_by(ty: &Type) -> Use {
    match &ty.kind {
        TypeKind::Pointer(target, _) | TypeKind::Array(target, _) if target.is_const => Use::Reads,
        TypeKind::Pointer(..) | TypeKind::Array(..) => Use::ChangesTarget,
        TypeKind::Reference(target) | TypeKind::RvalueReference(target) => match target.is_const {
            true => Use::Reads,
            false => Use::ChangesAll,
        },
        TypeKind::Bool | TypeKind::Integer(_) | TypeKind::Float | TypeKind::Double => Use::Reads,
        // A name may be that of a pointer; an object that is passed by value may hold one.
        _ => Use::ChangesTarget,
    }
}

/// Adds the functions of a name, with or without a body.
fn functions_named<'u>(items: &'u [Stmt], name: &str, found: &mut Vec<&'u Function>) {
    for item in items {
        match &item.kind {
            StmtKind::Function(function) => {
                let own = function.path.segments.last().map(|it| &*it.name);
                found.extend((own == Some(name)).then_some(&**function));
            }
            StmtKind::Namespace(_, items) | StmtKind::Block(items) => {
                functions_named(items, name, found);
            }
            _ => {}
        }
    }
}

/// The name at the start of `object.member[index]`.
fn root(expr: &Expr) -> Option<&Path> {
    match &expr.kind {
        ExprKind::Path(path) => Some(path),
        ExprKind::Member { object, .. } | ExprKind::Index(object, _) => root(object),
        ExprKind::Unary(_, value) | ExprKind::Cast(_, _, value) => root(value),
        ExprKind::Binary(_, a, b) => root(a).or_else(|| root(b)),
        _ => None,
    }
}

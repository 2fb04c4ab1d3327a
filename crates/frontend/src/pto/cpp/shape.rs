//! What the syntax of a function says of its steps: the branches and loops around them, and the calls whose results
//! are not stored.

use a2lint_cpp::syntax::ast::{ExprKind, Function, Stmt, StmtKind};
use a2lint_cpp::syntax::walk::{self, Node};
use a2lint_ir::tile::Region;
use a2lint_source::text::Span;
use rustc_hash::FxHashSet;

/// The shape of the functions of a file.
#[derive(Debug, Default)]
pub struct Shape {
    /// The bodies of branches, loops and lambdas.
    pub bodies: FxHashSet<Span>,
    /// Calls that are statements.
    pub discarded: FxHashSet<Span>,
}

impl Shape {
    /// Adds the body of a function.
    pub fn add(&mut self, function: &Function) {
        let statements = function.body.as_deref().unwrap_or_default();
        walk::body(statements, &mut |node| match node {
            Node::Stmt(stmt) => self.statement(stmt),
            Node::Expr(expr) => {
                if let ExprKind::Lambda(lambda) = &expr.kind {
                    self.group(&lambda.body);
                }
            }
        });
    }

    fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(expr) => drop(self.discarded.insert(expr.span)),
            StmtKind::If(branch) => {
                self.bodies.insert(branch.then.span);
                self.bodies
                    .extend(branch.otherwise.iter().map(|it| it.span));
            }
            StmtKind::Switch(switch) => {
                switch
                    .groups
                    .iter()
                    .for_each(|group| self.group(&group.body));
            }
            StmtKind::For(header) => drop(self.bodies.insert(header.body.span)),
            StmtKind::RangeFor(header) => drop(self.bodies.insert(header.body.span)),
            StmtKind::While(_, body) | StmtKind::DoWhile(body, _) => {
                self.bodies.insert(body.span);
            }
            _ => {}
        }
    }

    fn group(&mut self, statements: &[Stmt]) {
        if let (Some(first), Some(last)) = (statements.first(), statements.last()) {
            self.bodies.insert(first.span.to(last.span));
        }
    }
}

/// The branches and loops of one function, the function itself first.
#[derive(Debug)]
pub struct Regions {
    spans: Vec<Span>,
    parents: Vec<usize>,
}

impl Regions {
    /// Nests those of the places that lie in a function.
    pub fn of(function: Span, places: impl Iterator<Item = Span>) -> Regions {
        let holds = |outer: Span, inner: Span| outer.start <= inner.start && inner.end <= outer.end;
        let mut spans: Vec<Span> = places.filter(|&it| holds(function, it)).collect();
        spans.sort_unstable_by_key(|it| (it.start, std::cmp::Reverse(it.end)));
        spans.dedup();
        spans.insert(0, function);
        let mut parents: Vec<usize> = Vec::with_capacity(spans.len());
        for at in 0..spans.len() {
            let around = (0..at).rev().find(|&it| holds(spans[it], spans[at]));
            parents.push(around.unwrap_or(0));
        }
        Regions { spans, parents }
    }

    /// Returns the innermost region around a place.
    pub fn around(&self, place: Span) -> usize {
        let mut spans = self.spans.iter();
        let is_around = |it: &Span| it.start <= place.start && place.end <= it.end;
        spans.rposition(is_around).unwrap_or(0)
    }

    /// Returns the regions.
    pub fn list(&self) -> Vec<Region> {
        let parents = self.parents.iter();
        parents.map(|&parent| Region { parent }).collect()
    }
}

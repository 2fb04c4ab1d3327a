//! The walk through the statements of a function.

use super::arithmetic::binary;
use super::dialect::{Call, Dialect, Role, Site};
use super::environment::Entity;
use super::walk::{declare_one, root};
use a2lint_source::text::Span;
use a2lint_syntax::cpp::{
    Assignment, Branch, BranchKind, Expr, ExprKind, Init, Loop, Stmt, StmtKind, visit_expressions,
};

pub(super) struct Walker<'s, 'a> {
    pub site: &'s mut Site<'a>,
    pub dialect: &'s mut dyn Dialect<'a>,
}

impl<'a> Walker<'_, 'a> {
    pub fn block(&mut self, stmts: &'a [Stmt<'a>]) {
        self.site.env.open();
        for stmt in stmts {
            self.statement(stmt);
        }
        self.site.env.close();
    }

    fn statement(&mut self, stmt: &'a Stmt<'a>) {
        match &stmt.kind {
            StmtKind::Declare {
                ty,
                constant,
                names,
            } => {
                for name in names {
                    match &name.init {
                        Init::Default => {}
                        Init::Value(value) => self.expr(value, true),
                        Init::Arguments(list) => {
                            list.iter().for_each(|value| self.expr(value, true))
                        }
                    }
                    declare_one(self.site, self.dialect, ty, *constant, name, Role::Local);
                }
            }
            StmtKind::Expr(expr) => self.expr(expr, false),
            StmtKind::Exit(value) => {
                if let Some(value) = value {
                    self.expr(value, true);
                }
            }
            StmtKind::Block(body) => self.block(body),
            StmtKind::Branch(branch) => self.branch(branch),
            StmtKind::Loop(turns) => self.turns(turns),
            StmtKind::Alias(_) | StmtKind::Enum(_) | StmtKind::Define(..) => {
                self.site.env.learn(stmt);
            }
            StmtKind::Class(_)
            | StmtKind::Function(_)
            | StmtKind::Instantiate(_)
            | StmtKind::Include(_)
            | StmtKind::Namespace(..)
            | StmtKind::Other => {}
        }
    }

    fn branch(&mut self, branch: &'a Branch<'a>) {
        if let Some(condition) = branch.at_run_time() {
            self.expr(condition, true);
        }
        if let Some(holds) = self.site.env.decided(branch) {
            let stmts = branch.side(holds);
            return match branch.kind {
                BranchKind::Preprocessor => stmts.iter().for_each(|it| self.statement(it)),
                BranchKind::RunTime | BranchKind::Constexpr => self.block(stmts),
            };
        }
        let left_out = self.site.bound && branch.kind == BranchKind::Constexpr;
        self.site.left_out |= left_out;
        for arm in [&branch.then, &branch.otherwise] {
            if left_out {
                // Whatever the branch does, its writes may have happened.
                self.forget(&self.changed(arm, &[]));
            } else if !arm.is_empty() {
                self.region(arm);
                self.forget(&self.changed(arm, &[]));
            }
        }
    }

    fn turns(&mut self, turns: &'a Loop<'a>) {
        self.site.env.open();
        for stmt in &turns.init {
            self.statement(stmt);
        }
        let changed = self.changed(&turns.body, &turns.control);
        // Before the first iteration as well: the condition and the body see the values of any iteration.
        self.forget(&changed);
        for expr in &turns.control {
            self.expr(expr, true);
        }
        self.forget(&changed);
        self.region(&turns.body);
        self.forget(&changed);
        self.site.env.close();
    }

    fn region(&mut self, body: &'a [Stmt<'a>]) {
        let parent = self.site.region;
        self.site.region = self.site.regions.len();
        self.site.regions.push(parent);
        self.block(body);
        self.site.region = parent;
    }

    /// Returns the names that statements and expressions may change.
    fn changed(&self, stmts: &[Stmt<'a>], more: &[Expr<'a>]) -> Vec<&'a str> {
        let mut names: Vec<&'a str> = Vec::new();
        let mut see = |expr: &Expr<'a>| match &expr.kind {
            ExprKind::Assign(assignment) => names.extend(root(&assignment.target)),
            ExprKind::Call {
                callee, arguments, ..
            } => {
                names.extend(self.dialect.changes(callee, arguments));
            }
            ExprKind::Unary(a2lint_syntax::cpp::UnaryOp::AddressOf, operand) => {
                names.extend(root(operand));
            }
            _ => {}
        };
        visit_expressions(stmts, &mut see);
        more.iter().for_each(|expr| expr.visit(&mut see));
        names.sort_unstable();
        names.dedup();
        names
    }

    fn forget(&mut self, names: &[&'a str]) {
        for name in names {
            self.site.env.assign(name, None);
        }
        self.dialect.forget(self.site, names);
    }

    /// Visits an expression; its parts come first.
    fn expr(&mut self, expr: &'a Expr<'a>, assigned: bool) {
        match &expr.kind {
            ExprKind::Assign(assignment) => {
                self.expr(&assignment.value, true);
                self.assign(assignment, expr.span);
            }
            ExprKind::Call {
                callee,
                arguments,
                parentheses,
            } => {
                arguments
                    .iter()
                    .for_each(|argument| self.expr(argument, true));
                if let ExprKind::Member { object, .. } = &callee.kind {
                    self.expr(object, true);
                }
                for name in self.dialect.changes(callee, arguments) {
                    self.site.env.assign(name, None);
                }
                let call = Call {
                    expr,
                    callee,
                    arguments,
                    parentheses: *parentheses,
                    assigned,
                };
                self.dialect.call(self.site, &call);
            }
            ExprKind::Lambda(body) => {
                self.region(body);
                self.forget(&self.changed(body, &[]));
            }
            _ => expr
                .children()
                .into_iter()
                .for_each(|child| self.expr(child, true)),
        }
    }

    fn assign(&mut self, assignment: &'a Assignment<'a>, span: Span) {
        let Assignment { target, op, value } = assignment;
        let binding = target.plain_name().and_then(|name| self.site.env.get(name));
        if let (Some(name), Some(Entity::Int(old))) =
            (target.plain_name(), binding.map(|binding| &binding.entity))
        {
            let right = self.site.env.int(value);
            let new = match op {
                None => right,
                Some(op) => old
                    .zip(right)
                    .and_then(|(old, right)| binary(*op, old, right)),
            };
            return self.site.env.assign(name, new);
        }
        if let ExprKind::Member { object, name, .. } = &target.kind
            && let Some(record) = object.plain_name()
        {
            let new = match op {
                None => self.site.env.int(value),
                Some(op) => {
                    let old = self.site.env.int(target);
                    let right = self.site.env.int(value);
                    old.zip(right)
                        .and_then(|(old, right)| binary(*op, old, right))
                }
            };
            if self.site.env.assign_field(record, name, new) {
                return;
            }
        }
        let value = op.is_none().then_some(value);
        self.dialect.assign(self.site, target, value, span);
    }
}

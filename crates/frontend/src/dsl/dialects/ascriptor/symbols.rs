//! Extents and numbers of cores as strings over symbols: `"M*K"`, `"ceil_div(M, 64)"`.

use super::super::super::tracer::Tracer;
use super::super::super::value::{Function, Value};
use a2lint_ir::{BinaryOp, Scalar, ScalarId, VariableId};
use a2lint_source::text::SourceText;
use a2lint_syntax::python::ast::{self, Expr, ExprKind, StmtKind};
use a2lint_syntax::python::parse;

impl Tracer<'_> {
    /// Parses an expression over symbols; `None` if it is none. `symbol` returns the variable of a name.
    pub fn symbolic(
        &mut self,
        text: &str,
        symbol: &mut dyn FnMut(&mut Self, &str) -> Option<VariableId>,
    ) -> Option<ScalarId> {
        let file = parse(&SourceText::new(text));
        match file.body.as_slice() {
            [
                ast::Stmt {
                    kind: StmtKind::Expr(expr),
                    ..
                },
            ] => self.symbolic_part(expr, symbol),
            _ => None,
        }
    }

    fn symbolic_part(
        &mut self,
        expr: &Expr,
        symbol: &mut dyn FnMut(&mut Self, &str) -> Option<VariableId>,
    ) -> Option<ScalarId> {
        let (op, a, b) = match &expr.kind {
            // An expression of any other form is unknown.
            ExprKind::Int(value) => return Some(self.builder().int(i64::try_from(*value).ok()?)),
            ExprKind::Name(name) => {
                let variable = symbol(self, name)?;
                let scalars = &mut self.builder().program.scalars;
                return Some(scalars.intern(Scalar::Variable(variable)));
            }
            ExprKind::Binary {
                op, left, right, ..
            } => (binary(*op)?, &**left, &**right),
            ExprKind::Call { func, args, .. } => match (&func.kind, args.as_slice()) {
                (ExprKind::Name(name), [a, b]) => (function(name)?, a, b),
                _ => return None,
            },
            _ => return None,
        };
        let a = self.symbolic_part(a, symbol)?;
        let b = self.symbolic_part(b, symbol)?;
        Some(self.builder().binary(op, a, b))
    }

    /// Evaluates the number of cores in the decorator as an expression over symbols.
    pub fn bind_cores(&mut self, kernel: &Function<'_>) {
        let Some(text) = &kernel.making.block_dim_text else {
            return;
        };
        let mut symbol = |tracer: &mut Self, name: &str| tracer.bound_variable(name);
        let cores = self.symbolic(text, &mut symbol);
        self.builder().program.block_dim_scalar = cores;
    }

    /// Returns the variable that a name is bound to.
    pub fn bound_variable(&self, name: &str) -> Option<VariableId> {
        match self.frame.own(name)? {
            Value::Var(id) => Some(id),
            _ => None,
        }
    }
}

fn binary(op: ast::BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        ast::BinaryOp::Add => BinaryOp::Add,
        ast::BinaryOp::Sub => BinaryOp::Sub,
        ast::BinaryOp::Mul => BinaryOp::Mul,
        ast::BinaryOp::FloorDiv => BinaryOp::FloorDiv,
        _ => return None,
    })
}

fn function(name: &str) -> Option<BinaryOp> {
    Some(match name {
        "ceil_div" => BinaryOp::CeilDiv,
        "min" => BinaryOp::Min,
        "max" => BinaryOp::Max,
        _ => return None,
    })
}

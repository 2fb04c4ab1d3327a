//! Evaluation of functions and function-like macros, as a compiler does for constants.

use super::arguments::bound;
use super::arithmetic::{binary, truncate};
use super::environment::{Binding, Entity};
use super::evaluate::{Frame, View};
use a2lint_isa::masks::Element;
use a2lint_syntax::cpp::{
    Assignment, BranchKind, Expr, ExprKind, Function, Loop, Macro, Path, Stmt, StmtKind,
};

/// Maximum number of iterations of all loops of one call.
const MAX_ITERATIONS: u32 = 4096;

/// The outcome of a statement.
enum End {
    /// Execution continues with the next statement.
    Next,
    /// The function returns a number, if it is known.
    Return(Option<i128>),
}

impl<'e, 'a> View<'e, 'a> {
    /// Returns the value of a call.
    pub fn call(self, callee: &Path<'a>, arguments: &[Expr<'a>]) -> Option<i128> {
        let name = callee.name();
        if let Some(Entity::Macro(known)) = self.get(name).map(|binding| &binding.entity) {
            return self.expand(known, arguments);
        }
        if let [only] = arguments
            && let Some(element) = self.element(callee).filter(|it| it.is_integer())
        {
            return Some(truncate(self.int(only)?, element));
        }
        if let Some(known) = self.env.functions.get(name) {
            let mut fitting = known
                .iter()
                // Overloads with the same number of parameters are not told apart.
                .filter(|it| it.parameters.len() == arguments.len());
            let function = fitting.next().filter(|_| fitting.next().is_none())?;
            return self.run(function, callee, arguments);
        }
        let values: Option<Vec<i128>> = arguments.iter().map(|it| self.int(it)).collect();
        match (name, values?.as_slice()) {
            ("min", [one, other]) => Some(*one.min(other)),
            ("max", [one, other]) => Some(*one.max(other)),
            _ => None,
        }
    }

    fn expand(self, known: &Macro<'a>, arguments: &[Expr<'a>]) -> Option<i128> {
        let parameters = known.parameters.as_ref()?;
        // The value of a torn macro is not an expression of its own.
        if parameters.len() != arguments.len() || known.torn {
            return None;
        }
        let pairs = parameters.iter().zip(arguments);
        let names = pairs.map(|(&name, argument)| {
            let entity = self.argument_or_unknown(argument).entity(name);
            (name, Binding::of(entity, argument.span))
        });
        let frame = Frame {
            names: names.collect(),
            over: Some(self),
        };
        self.within(&frame).int(known.value.as_ref()?)
    }

    fn run(
        self,
        function: &Function<'a>,
        callee: &Path<'a>,
        arguments: &[Expr<'a>],
    ) -> Option<i128> {
        let given = callee.arguments.iter().map_while(|it| self.argument(it));
        let given: Vec<_> = given.collect();
        let mut frame = self.frame(bound(
            &function.template_parameters,
            &given,
            function.name_span,
        ));
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let inside = self.within(&frame);
            let ty = inside.resolve(&parameter.ty);
            let value = match Element::from_cpp(ty.name()) {
                Some(element) if element.is_integer() => {
                    self.int(argument).map(|value| truncate(value, element))
                }
                _ => self.int(argument),
            };
            let binding = Binding {
                entity: Entity::Int(value.filter(|_| !parameter.pointer)),
                ty: (!parameter.pointer).then_some(ty),
                span: parameter.span,
                constant: false,
            };
            frame.names.insert(parameter.name, binding);
        }
        let mut run = Run {
            view: self,
            frame,
            iterations: MAX_ITERATIONS,
        };
        match run.block(&function.body)? {
            End::Return(value) => value,
            End::Next => None,
        }
    }
}

/// A call that is being evaluated.
struct Run<'e, 'a> {
    view: View<'e, 'a>,
    frame: Frame<'e, 'a>,
    iterations: u32,
}

impl<'a> Run<'_, 'a> {
    fn int(&self, expr: &Expr<'a>) -> Option<i128> {
        self.view.within(&self.frame).int(expr)
    }

    /// Evaluates statements; `None` if the effect of one is unknown.
    fn block(&mut self, stmts: &[Stmt<'a>]) -> Option<End> {
        for stmt in stmts {
            match self.statement(stmt)? {
                End::Next => {}
                end => return Some(end),
            }
        }
        Some(End::Next)
    }

    fn statement(&mut self, stmt: &Stmt<'a>) -> Option<End> {
        match &stmt.kind {
            StmtKind::Declare {
                ty,
                constant,
                names,
            } => {
                for name in names {
                    // Shadowing is not modelled: one name for two variables ends the evaluation.
                    if self.frame.names.contains_key(name.name) || name.indirect || name.array {
                        return None;
                    }
                    let view = self.view.within(&self.frame);
                    let ty = view.resolve(ty);
                    let binding = view.number(ty, *constant, &name.init, name.span);
                    self.frame.names.insert(name.name, binding);
                }
            }
            StmtKind::Expr(expr) => match &expr.kind {
                ExprKind::Assign(assignment) => self.assign(assignment)?,
                ExprKind::Call { callee, .. }
                    if callee.path().is_some_and(|it| it.name() == "static_assert") => {}
                _ => return None,
            },
            StmtKind::Alias(alias) => {
                let mut alias = alias.clone();
                alias.ty = self.view.within(&self.frame).closed(&alias.ty);
                let binding = Binding::of(Entity::Type(alias.clone()), stmt.span);
                self.frame.names.insert(alias.name, binding);
            }
            StmtKind::Exit(Some(value)) => return Some(End::Return(self.int(value))),
            StmtKind::Block(body) => return self.block(body),
            StmtKind::Branch(branch) => {
                let condition = branch.condition.as_ref()?;
                let value = match branch.kind {
                    BranchKind::Preprocessor => self.view.env.macros.value(condition),
                    BranchKind::RunTime | BranchKind::Constexpr => self.int(condition),
                };
                return match value? {
                    0 => self.block(&branch.otherwise),
                    _ => self.block(&branch.then),
                };
            }
            StmtKind::Loop(turns) => return self.turns(turns),
            _ => return None,
        }
        Some(End::Next)
    }

    fn turns(&mut self, turns: &Loop<'a>) -> Option<End> {
        if !turns.tests_first {
            return None;
        }
        let before: Vec<&'a str> = self.frame.names.keys().copied().collect();
        match self.block(&turns.init)? {
            End::Next => {}
            End::Return(_) => return None,
        }
        let (condition, steps) = turns.control.split_first()?;
        let around: Vec<&'a str> = self.frame.names.keys().copied().collect();
        while self.int(condition)? != 0 {
            // Bounded, as the loop may not end.
            self.iterations = self.iterations.checked_sub(1)?;
            if let End::Return(value) = self.block(&turns.body)? {
                return Some(End::Return(value));
            }
            self.frame.names.retain(|name, _| around.contains(name));
            for step in steps {
                match &step.kind {
                    ExprKind::Assign(assignment) => self.assign(assignment)?,
                    _ => return None,
                }
            }
        }
        self.frame.names.retain(|name, _| before.contains(name));
        Some(End::Next)
    }

    fn assign(&mut self, assignment: &Assignment<'a>) -> Option<()> {
        let right = self.int(&assignment.value);
        let name = assignment.target.plain_name()?;
        let binding = self.frame.names.get_mut(name)?;
        let Entity::Int(value) = &mut binding.entity else {
            return None;
        };
        let new = match assignment.op {
            None => right,
            Some(op) => (*value)
                .zip(right)
                .and_then(|(old, right)| binary(op, old, right)),
        };
        let element = binding
            .ty
            .as_ref()
            .and_then(|ty| Element::from_cpp(ty.name()));
        *value = match element.filter(|it| it.is_integer()) {
            Some(element) => new.map(|new| truncate(new, element)),
            None => new,
        };
        Some(())
    }
}

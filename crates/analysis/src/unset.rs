//! Finds scalars that may be read before the kernel has given them a value.
//!
//! A scalar is set on the ways that lead to its assignments. A way is described by the arms and loops around the
//! assignment, so that a read under the same conditions finds it set. What is assigned from a scalar without a value
//! has none either; only instructions, loops and branches read.

use rustc_hash::FxHashMap;

use a2lint_ir::{
    ArgValue, BinaryOp, CompareOp, Instr, Program, Scalar, ScalarId, Stmt, StmtId, StmtKind,
    UnaryOp, VariableId, VariableKind, View,
};

/// Upper bound on the ways that are kept for a scalar; fewer ways are safe.
const MOST_WAYS: usize = 16;

/// A read of a scalar that may have no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unset {
    /// The statement that reads it.
    pub stmt: StmtId,
    /// The scalar.
    pub variable: VariableId,
}

/// Returns the first read of a scalar that may have no value.
pub fn unset(program: &Program) -> Option<Unset> {
    let is_set = |kind| matches!(kind, VariableKind::Param | VariableKind::Loop);
    let always = |set: bool| if set { vec![Vec::new()] } else { Vec::new() };
    let variables = program.variables.iter();
    let mut walk = Walk {
        program,
        ways: variables.map(|it| always(is_set(it.kind))).collect(),
        here: Vec::new(),
        mentioned: FxHashMap::default(),
        found: None,
    };
    walk.block(&program.body);
    walk.found
}

/// A condition on a way through the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Condition {
    /// This scalar is not 0.
    Holds(ScalarId),
    /// This scalar is 0.
    Fails(ScalarId),
    /// This comparison of integers holds.
    Compares(CompareOp, ScalarId, ScalarId),
    /// The way leads through this arm of a branch, or into this loop.
    Inside(StmtId, usize),
}

type Way = Vec<Condition>;

struct Walk<'p> {
    program: &'p Program,
    /// For each variable, the ways on which it is set.
    ways: Vec<Vec<Way>>,
    /// The way to the current statement.
    here: Way,
    /// The variables that scalars mention.
    mentioned: FxHashMap<ScalarId, Vec<VariableId>>,
    found: Option<Unset>,
}

impl<'p> Walk<'p> {
    fn block(&mut self, block: &'p [Stmt]) {
        for stmt in block {
            if self.found.is_some() {
                return;
            }
            self.statement(stmt);
        }
    }

    fn statement(&mut self, stmt: &'p Stmt) {
        match &stmt.kind {
            StmtKind::Instr(instr) => self.instr(stmt, instr),
            StmtKind::Assign { variable, value } => {
                if self.unset_in(*value).is_none() {
                    self.set(*variable, self.here.clone());
                }
            }
            StmtKind::Loop {
                start,
                stop,
                step,
                body,
                ..
            } => {
                self.read(stmt, [*start, *stop, *step]);
                let number = |id| self.program.scalars.as_int(id);
                let runs = number(*start)
                    .zip(number(*stop))
                    .is_some_and(|(start, stop)| start < stop);
                match runs {
                    true => self.block(body),
                    false => self.under(&[Condition::Inside(stmt.id, 0)], body),
                }
            }
            StmtKind::If { arms, otherwise } => {
                let before: Vec<usize> = self.ways.iter().map(Vec::len).collect();
                let mut passed: Way = Vec::new();
                let mut all = Vec::new();
                for (at, arm) in arms.iter().enumerate() {
                    self.within(&passed, |walk| walk.read(stmt, [arm.condition]));
                    let [holds, fails] = self.conditions(stmt.id, at, arm.condition);
                    let way: Way = passed.iter().copied().chain(holds).collect();
                    self.under(&way, &arm.body);
                    all.push(way);
                    passed.extend(fails);
                }
                self.under(&passed, otherwise);
                all.push(passed);
                self.join(&before, &all);
            }
            _ => stmt.kind.blocks().for_each(|block| self.block(block)),
        }
    }

    /// Returns the conditions that lead into an arm and past it. The value of a scalar that changes says nothing later.
    fn conditions(&mut self, stmt: StmtId, at: usize, condition: ScalarId) -> [Way; 2] {
        let variables = self.mentions(condition);
        let is_fixed = variables.iter().all(|&id| {
            let variable = self.program.variable(id);
            matches!(variable.kind, VariableKind::Param | VariableKind::Loop)
                || variable.assignments == 1
        });
        match is_fixed {
            true => {
                let (mut holds, mut fails) = (Vec::new(), Vec::new());
                self.parts(condition, true, &mut holds);
                self.parts(condition, false, &mut fails);
                [holds, fails]
            }
            false => [
                vec![Condition::Inside(stmt, 2 * at)],
                vec![Condition::Inside(stmt, 2 * at + 1)],
            ],
        }
    }

    /// Adds what follows if an expression holds, or fails: both sides of `a && b`, none of `a || b`, the opposite of
    /// `!a`.
    fn parts(&self, condition: ScalarId, holds: bool, all: &mut Way) {
        let scalars = &self.program.scalars;
        let is_float = scalars.operation_type(condition).dtype.is_float();
        let node = scalars.get(condition);
        all.push(match (node, holds) {
            // Both a comparison of floats and the opposite one fail for NaN.
            (Scalar::Compare(op, a, b), true) if !is_float => Condition::Compares(op, a, b),
            (Scalar::Compare(op, a, b), false) if !is_float => {
                Condition::Compares(op.negated(), a, b)
            }
            (_, true) => Condition::Holds(condition),
            (_, false) => Condition::Fails(condition),
        });
        match (node, holds) {
            (Scalar::Binary(BinaryOp::And, a, b), true)
            | (Scalar::Binary(BinaryOp::Or, a, b), false) => {
                self.parts(a, holds, all);
                self.parts(b, holds, all);
            }
            (Scalar::Unary(UnaryOp::Not, a), _) => self.parts(a, !holds, all),
            _ => {}
        }
    }

    fn under(&mut self, conditions: &[Condition], block: &'p [Stmt]) {
        self.within(conditions, |walk| walk.block(block));
    }

    /// Does something on the way that also fulfils these conditions.
    fn within<T>(&mut self, conditions: &[Condition], work: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.here.len();
        self.here.extend_from_slice(conditions);
        let result = work(self);
        self.here.truncate(length);
        result
    }

    /// Marks as set what every arm has set.
    fn join(&mut self, before: &[usize], arms: &[Way]) {
        for (at, &before) in before.iter().enumerate() {
            if self.ways[at].len() == before {
                continue;
            }
            let is_set = arms.iter().all(|arm| {
                let way: Way = self.here.iter().chain(arm).copied().collect();
                is_on(&self.ways[at], &way)
            });
            if is_set {
                self.ways[at].push(self.here.clone());
            }
        }
    }

    fn instr(&mut self, stmt: &Stmt, instr: &Instr) {
        let into = instr.reads_into();
        for arg in &instr.args {
            match &arg.value {
                ArgValue::Scalar(id) => self.read(stmt, [*id]),
                ArgValue::View(view) => self.read_view(stmt, view),
                _ => {}
            }
        }
        match (into, instr.variable()) {
            (Some(into), _) => self.set(into, self.here.clone()),
            (None, Some(variable)) if !self.is_set(variable) => self.note(stmt, variable),
            _ => {}
        }
    }

    fn read_view(&mut self, stmt: &Stmt, view: &View) {
        match view {
            View::Local(view) => {
                self.read(stmt, [view.slot]);
                let extents = [view.shape, view.offset, view.span];
                self.read(stmt, extents.into_iter().flatten());
            }
            View::Global(view) => {
                for axis in &view.axes {
                    self.read(stmt, [axis.extent, axis.start, axis.span]);
                }
            }
        }
    }

    fn read(&mut self, stmt: &Stmt, ids: impl IntoIterator<Item = ScalarId>) {
        for id in ids {
            if let Some(variable) = self.unset_in(id) {
                self.note(stmt, variable);
            }
        }
    }

    fn note(&mut self, stmt: &Stmt, variable: VariableId) {
        self.found.get_or_insert(Unset {
            stmt: stmt.id,
            variable,
        });
    }

    fn set(&mut self, variable: VariableId, way: Way) {
        let ways = &mut self.ways[variable.index()];
        if ways.len() < MOST_WAYS && !is_on(ways, &way) {
            ways.push(way);
        }
    }

    fn is_set(&self, variable: VariableId) -> bool {
        is_on(&self.ways[variable.index()], &self.here)
    }

    /// Returns a variable of an expression that may have no value here.
    fn unset_in(&mut self, id: ScalarId) -> Option<VariableId> {
        let variables = self.mentions(id);
        let unset = variables.into_iter().find(|&it| !self.is_set(it))?;
        // The right operand of `a && b` and `a || b` is evaluated only if the left one does not decide.
        match self.program.scalars.get(id) {
            Scalar::Unary(_, a) => self.unset_in(a),
            Scalar::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let mut goes_on = Vec::new();
                self.parts(a, op == BinaryOp::And, &mut goes_on);
                let in_left = self.unset_in(a);
                in_left.or_else(|| self.within(&goes_on, |walk| walk.unset_in(b)))
            }
            _ => Some(unset),
        }
    }

    fn mentions(&mut self, id: ScalarId) -> Vec<VariableId> {
        if let Some(known) = self.mentioned.get(&id) {
            return known.clone();
        }
        let mut variables = match self.program.scalars.get(id) {
            Scalar::Variable(variable) => vec![variable],
            Scalar::Unary(_, a) => self.mentions(a),
            Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => {
                let mut both = self.mentions(a);
                both.extend(self.mentions(b));
                both
            }
            _ => Vec::new(),
        };
        variables.sort_unstable();
        variables.dedup();
        self.mentioned.insert(id, variables.clone());
        variables
    }
}

/// Returns whether a way fulfils the conditions of one of these.
fn is_on(ways: &[Way], way: &Way) -> bool {
    let mut ways = ways.iter();
    ways.any(|known| known.iter().all(|condition| way.contains(condition)))
}

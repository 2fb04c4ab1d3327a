//! The scalars that sizes of buffers depend on, computed before a lane begins.
//!
//! A kernel may compute the size of a buffer first: the last core has less to do. What the size mentions is not
//! assigned after the buffer is handed out, so that its value then is the one that the statements before the last of
//! these assignments leave. Only scalars are computed here. A size that depends on memory is not known in advance.

use super::lane::continues;
use super::scalars::Environment;
use super::value::{Absence, Value};
use a2lint_ir::{
    Branch, Program, Scalar, ScalarId, SpecialScalar, Stmt, StmtKind, VariableId, VariableKind,
    assigned,
};
use a2lint_isa::Side;

/// Maximum number of statements that are executed for one lane.
const MAX_STATEMENTS: u32 = 20_000;

/// What the sizes of a program's buffers depend on.
#[derive(Debug)]
pub struct SizeScalars {
    /// Variables that the kernel assigns.
    variables: Vec<VariableId>,
    /// Those that only one iteration of a loop determines, among them.
    in_loops: Vec<VariableId>,
    /// Whether some size asks which lane it is on.
    asks_lane: bool,
}

/// Where execution goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Statement,
    Iteration,
    AfterLoop,
}

/// The end of the computation at its limit.
struct Exhausted;

impl SizeScalars {
    /// Returns what the sizes of a program's buffers depend on.
    pub fn of(program: &Program) -> SizeScalars {
        let mut found = SizeScalars {
            variables: Vec::new(),
            in_loops: Vec::new(),
            asks_lane: false,
        };
        for buffer in &program.buffers {
            let before = found.variables.len();
            for size in buffer.shape {
                found.add(program, size);
            }
            if buffer.handed.blocks.iter().any(|block| block.is_loop) {
                found.in_loops.extend(&found.variables[before..]);
            }
        }
        found
    }

    fn add(&mut self, program: &Program, size: ScalarId) {
        let mut open = vec![size];
        while let Some(id) = open.pop() {
            match program.scalars.get(id) {
                Scalar::Variable(variable) => {
                    let declared = program.variable(variable);
                    let is_given =
                        declared.kind == VariableKind::Param && declared.assignments == 0;
                    if !is_given {
                        self.variables.push(variable);
                    }
                }
                Scalar::Special(special) => {
                    let is_shared =
                        matches!(special, SpecialScalar::CubeNum | SpecialScalar::VecNum);
                    self.asks_lane |= !is_shared;
                }
                Scalar::Unary(_, a) => open.push(a),
                Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => open.extend([a, b]),
                Scalar::Int(_)
                | Scalar::Large(_)
                | Scalar::Float(_)
                | Scalar::Extent(..)
                | Scalar::Unknown(_) => {}
            }
        }
    }

    /// Returns whether sizes may differ from lane to lane.
    pub fn differ_by_lane(&self) -> bool {
        self.asks_lane || !self.variables.is_empty()
    }

    /// Gives the variables their values, as far as scalars determine them.
    pub fn compute(&self, program: &Program, environment: &mut Environment) {
        if self.variables.is_empty() {
            return;
        }
        let mut statements = Vec::new();
        flatten(&program.body, environment, &mut statements);
        let last = statements.iter().rposition(|stmt| {
            let changed = assigned(std::slice::from_ref(*stmt));
            self.variables.iter().any(|id| changed.contains(id))
        });
        let Some(last) = last else { return };
        let mut run = Early {
            environment,
            steps: 0,
        };
        let is_complete = statements[..=last]
            .iter()
            .all(|stmt| run.statement(stmt).is_ok());
        let late = |id: &VariableId| Value::Absent(Absence::Late(*id));
        if !is_complete {
            let all = self.variables.iter();
            all.for_each(|id| run.environment.assign(*id, late(id)));
        }
        let in_loops = self.in_loops.iter();
        in_loops.for_each(|id| run.environment.assign(*id, late(id)));
    }
}

/// Returns whether the lane runs a scope of a side.
fn runs(environment: &Environment, side: Side) -> bool {
    side == Side::Both || side == environment.lane().kind.side()
}

/// Lists the statements of a block that are executed one after the other, with those of its regions.
fn flatten<'p>(block: &'p [Stmt], environment: &Environment, found: &mut Vec<&'p Stmt>) {
    for stmt in block {
        match &stmt.kind {
            StmtKind::AutoSync { body } | StmtKind::Atomic { body, .. } => {
                flatten(body, environment, found);
            }
            StmtKind::Scope { side, body } => {
                if runs(environment, *side) {
                    flatten(body, environment, found);
                }
            }
            _ => found.push(stmt),
        }
    }
}

/// Executes the scalars of one lane.
struct Early<'e, 'p> {
    environment: &'e mut Environment<'p>,
    steps: u32,
}

impl Early<'_, '_> {
    fn block(&mut self, block: &[Stmt]) -> Result<Next, Exhausted> {
        for stmt in block {
            let next = self.statement(stmt)?;
            if next != Next::Statement {
                return Ok(next);
            }
        }
        Ok(Next::Statement)
    }

    fn statement(&mut self, stmt: &Stmt) -> Result<Next, Exhausted> {
        self.steps += 1;
        if self.steps > MAX_STATEMENTS {
            return Err(Exhausted);
        }
        match &stmt.kind {
            StmtKind::Assign { variable, value } => {
                self.environment.assign_scalar(*variable, *value);
            }
            StmtKind::If { arms, otherwise } => match self.arm(arms, otherwise) {
                Some(arm) => return self.block(arm),
                None => return self.lose(stmt),
            },
            StmtKind::Loop {
                variable,
                start,
                stop,
                step,
                body,
            } => {
                let bounds = [*start, *stop, *step].map(|bound| self.environment.int(bound));
                let [Ok(start), Ok(stop), Ok(step)] = bounds else {
                    return self.lose(stmt);
                };
                self.iterate(*variable, [start, stop, step], body)?;
            }
            StmtKind::AutoSync { body } | StmtKind::Atomic { body, .. } => return self.block(body),
            StmtKind::Scope { side, body } => {
                if runs(self.environment, *side) {
                    return self.block(body);
                }
            }
            StmtKind::Instr(_) | StmtKind::UnknownLoop { .. } => {
                return self.lose(stmt);
            }
            StmtKind::Break => return Ok(Next::AfterLoop),
            StmtKind::Continue => return Ok(Next::Iteration),
            StmtKind::Havoc(_) | StmtKind::Opaque => {}
        }
        Ok(Next::Statement)
    }

    /// Returns the block that a branch takes; `None` where its condition is not known in advance.
    fn arm<'p>(&mut self, arms: &'p [Branch], otherwise: &'p [Stmt]) -> Option<&'p [Stmt]> {
        for arm in arms {
            if self.environment.value(arm.condition).as_bool().ok()? {
                return Some(&arm.body);
            }
        }
        Some(otherwise)
    }

    fn iterate(
        &mut self,
        variable: VariableId,
        [start, stop, step]: [i64; 3],
        body: &[Stmt],
    ) -> Result<(), Exhausted> {
        let mut current = start;
        while continues(current, stop, step) {
            self.steps += 1;
            if self.steps > MAX_STATEMENTS {
                return Err(Exhausted);
            }
            self.environment.assign(variable, Value::Int(current));
            if self.block(body)? == Next::AfterLoop {
                break;
            }
            match current.checked_add(step) {
                Some(next) => current = next,
                None => break,
            }
        }
        Ok(())
    }

    /// Makes what a statement assigns late, since whether or what it assigns is not known in advance.
    fn lose(&mut self, stmt: &Stmt) -> Result<Next, Exhausted> {
        // Whether the loop around goes on is not known either.
        if stmt.leaves_iteration() {
            return Err(Exhausted);
        }
        for id in assigned(std::slice::from_ref(stmt)) {
            self.environment
                .assign(id, Value::Absent(Absence::Late(id)));
        }
        Ok(Next::Statement)
    }
}

//! How statements end: `break`, `continue` and `return`, on all paths or on some.
//!
//! Programs can leave a loop, and nothing else. So an exit is a flag: a cell that is set where control leaves, and that
//! statements after it ask. Where one arm of a branch certainly leaves, the statements after the branch are evaluated
//! in the other arm, and no flag is read; flags that nothing reads disappear from the program.

use a2lint_ir::{self as ir, Branch, ScalarId, ScalarType, StmtKind};
use a2lint_source::text::Span;

use super::Eval;
use super::types::IntType;
use super::values::{CellId, IntValue, Value};
use crate::library::Evaluated;
use crate::syntax::ast::{Name, Stmt, StmtKind as Ast};

/// The constructs that control can leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Break,
    Continue,
    Return,
    /// A `break` of the program leaves the innermost loop of the program: the statements after it are unreachable.
    Loop,
}

/// A set of exits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Exits(u8);

/// The ways in which a statement ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// The next one follows.
    Normal,
    /// Control has left on all paths.
    Left(Exits),
    /// Control has left on some paths; it continues if this scalar is not 0.
    Partly(ScalarId, Exits),
}

impl Exits {
    pub fn of(exit: Exit) -> Exits {
        match exit {
            Exit::Break => Exits(1),
            Exit::Continue => Exits(2),
            Exit::Return => Exits(4),
            Exit::Loop => Exits(0),
        }
    }

    pub fn and(self, other: Exits) -> Exits {
        Exits(self.0 | other.0)
    }

    pub fn without(self, exit: Exit) -> Exits {
        Exits(self.0 & !Exits::of(exit).0)
    }

    pub fn has(self, exit: Exit) -> bool {
        self.0 & Exits::of(exit).0 != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl Flow {
    /// Returns the exits (`break`, `continue`, `return`) that are taken on some or all paths.
    pub fn exits(self) -> Exits {
        match self {
            Flow::Normal => Exits::default(),
            Flow::Left(exits) | Flow::Partly(_, exits) => exits,
        }
    }

    pub fn is_left(self) -> bool {
        matches!(self, Flow::Left(_))
    }
}

impl<'u> Eval<'u> {
    /// Makes the flag of an exit.
    pub(crate) fn flag(&mut self) -> Evaluated<CellId> {
        let flag = self.temporary(&IntType::Bool.into())?;
        let name: Name = "".into();
        let span = self.builder.statement;
        self.memory.set_label(flag, &name, span);
        self.memory.set(flag, Value::bool(false), false);
        Ok(flag)
    }

    /// Returns the cell of the flag that records an exit from the current function.
    fn flag_of(&self, exit: Exit) -> Option<CellId> {
        match exit {
            Exit::Return => self.frame.returned,
            Exit::Break => Some(self.frame.loops.last()?.broken),
            Exit::Continue => {
                let loops = self.frame.loops.iter().rev();
                loops.into_iter().find_map(|frame| frame.continued)
            }
            Exit::Loop => None,
        }
    }

    /// Evaluates an exit: control leaves the block here.
    pub(crate) fn leave(&mut self, exit: Exit) -> Evaluated<Flow> {
        // The flag is set even before a `break` of the program: statements after the loop read it.
        if let Some(flag) = self.flag_of(exit) {
            self.store_cell(flag, Value::bool(true))?;
        }
        // Programs have no `continue` statement: its flag guards the rest of the body.
        let in_loop = self.frame.loops.last_mut().filter(|frame| frame.is_device);
        if let (Some(frame), Exit::Break | Exit::Return) = (in_loop, exit) {
            frame.returns |= exit == Exit::Return;
            let first = frame.blocks;
            self.flush_from(first)?;
            self.builder.emit(StmtKind::Break)?;
            return Ok(Flow::Left(Exits::of(Exit::Loop)));
        }
        Ok(Flow::Left(Exits::of(exit)))
    }

    /// Joins what arms of a branch on `condition` end in; `is_local` tells that the condition can be asked after the
    /// branch.
    pub(crate) fn joined(
        &mut self,
        condition: ScalarId,
        then: Flow,
        otherwise: Flow,
    ) -> Evaluated<Flow> {
        let exits = then.exits().and(otherwise.exits());
        Ok(match (then, otherwise) {
            (Flow::Left(_), Flow::Left(_)) => Flow::Left(exits),
            _ if exits.is_empty() => Flow::Normal,
            // The condition of the branch already exists as a scalar and decides the same as a flag.
            (Flow::Left(_), Flow::Normal) => Flow::Partly(self.negated(condition), exits),
            (Flow::Normal, Flow::Left(_)) => Flow::Partly(condition, exits),
            _ => self.flow_by_flags(exits)?,
        })
    }

    /// Returns the flow after some exits: the flags of these exits decide where control continues.
    pub(crate) fn flow_by_flags(&mut self, exits: Exits) -> Evaluated<Flow> {
        let mut goes_on: Option<ScalarId> = None;
        for exit in [Exit::Break, Exit::Continue, Exit::Return] {
            let Some(flag) = self.flag_of(exit).filter(|_| exits.has(exit)) else {
                continue;
            };
            let value = self.load_cell(flag)?;
            match value {
                // The flag was set on no path so far.
                Value::Int(_, IntValue::Known(0)) => {}
                Value::Int(_, IntValue::Known(_)) => return Ok(Flow::Left(exits)),
                value => {
                    let left = self.number_scalar(&value);
                    let stays = self.negated(left);
                    goes_on = Some(match goes_on {
                        None => stays,
                        Some(other) => self.both(other, stays),
                    });
                }
            }
        }
        Ok(match goes_on {
            Some(goes_on) => Flow::Partly(goes_on, exits),
            None => Flow::Normal,
        })
    }

    /// Removes the exits that end at the loop or `switch` that has just ended.
    pub(crate) fn consumed(&mut self, flow: Flow, exit: Exit) -> Evaluated<Flow> {
        if !flow.exits().has(exit) {
            return Ok(flow);
        }
        let rest = flow.exits().without(exit);
        match (rest.is_empty(), flow) {
            (true, _) => Ok(Flow::Normal),
            // Which paths have left for something else, their flags tell.
            (false, _) => self.flow_by_flags(rest),
        }
    }

    /// Returns the logical negation of a condition.
    pub(crate) fn negated(&mut self, condition: ScalarId) -> ScalarId {
        let scalars = &mut self.builder.program.scalars;
        if let ir::Scalar::Compare(op, a, b) = scalars.get(condition) {
            let of = scalars.operation_type(condition);
            // Negating a comparison of floats is not the opposite comparison: both fail for NaN.
            if !of.dtype.is_float() {
                let op = match op {
                    ir::CompareOp::Eq => ir::CompareOp::Ne,
                    ir::CompareOp::Ne => ir::CompareOp::Eq,
                    ir::CompareOp::Lt => ir::CompareOp::Ge,
                    ir::CompareOp::Le => ir::CompareOp::Gt,
                    ir::CompareOp::Gt => ir::CompareOp::Le,
                    ir::CompareOp::Ge => ir::CompareOp::Lt,
                };
                return scalars.compare_as(of, op, a, b);
            }
        }
        scalars.unary_as(ScalarType::INT, ir::UnaryOp::Not, condition)
    }

    /// Returns the conjunction of two conditions.
    pub(crate) fn both(&mut self, a: ScalarId, b: ScalarId) -> ScalarId {
        let scalars = &mut self.builder.program.scalars;
        scalars.binary_as(ScalarType::INT, ir::BinaryOp::And, a, b)
    }

    /// Evaluates something where control goes on.
    pub(crate) fn guarded(
        &mut self,
        key: super::blocks::BlockKey,
        (goes_on, exits): (ScalarId, Exits),
        mut work: impl FnMut(&mut Self) -> Evaluated<Flow>,
    ) -> Evaluated<Flow> {
        let statement = self.builder.statement;
        let flow = self.settled(key, |eval| {
            eval.builder.open_device_block();
            let flow = eval.in_block(false, &mut work)?;
            let body = eval.builder.close_device_block();
            eval.emit_branch(goes_on, statement, body, Vec::new())?;
            Ok(flow)
        })?;
        let all = exits.and(flow.exits());
        match flow {
            Flow::Normal => Ok(Flow::Partly(goes_on, exits)),
            Flow::Left(_) => Ok(Flow::Left(all)),
            Flow::Partly(..) => self.flow_by_flags(all),
        }
    }

    /// Emits a branch, unless it does nothing.
    pub(crate) fn emit_branch(
        &mut self,
        condition: ScalarId,
        condition_span: Span,
        body: Vec<ir::Stmt>,
        otherwise: Vec<ir::Stmt>,
    ) -> Evaluated<()> {
        let (condition, body, otherwise) = match (body.is_empty(), otherwise.is_empty()) {
            // A branch without statements would only make later analyses fork.
            (true, true) => return Ok(()),
            (true, false) => (self.negated(condition), otherwise, Vec::new()),
            _ => (condition, body, otherwise),
        };
        let branch = Branch {
            condition,
            condition_span,
            body,
        };
        self.builder.branch(branch, otherwise)?;
        Ok(())
    }
}

/// Returns whether a statement leaves on every path, judged by its syntax.
pub(crate) fn leaves(stmt: &Stmt) -> bool {
    match &stmt.kind {
        Ast::Return(_) | Ast::Break | Ast::Continue => true,
        Ast::Block(block) => block.iter().any(leaves),
        Ast::If(branch) => leaves(&branch.then) && branch.otherwise.as_ref().is_some_and(leaves),
        _ => false,
    }
}

//! Defines statements.

use super::{Instr, OriginId, ScalarId, StmtId, VariableId, View};
use a2lint_isa::Side;
use a2lint_source::text::Span;

/// One statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The number of the statement.
    pub id: StmtId,
    /// The source statement.
    pub span: Span,
    /// The helper calls that led here.
    pub origin: OriginId,
    /// The kind of the statement, with the nested statements.
    pub kind: StmtKind,
}

/// The bound of a loop that only a [`StmtKind::Break`] ends: the counter never reaches it.
pub const ENDLESS: i64 = 1 << 62;

/// The kind of a statement, with its nested statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// An instruction.
    Instr(Instr),
    /// `variable = value`, evaluated now.
    Assign {
        /// Assigned variable.
        variable: VariableId,
        /// New value.
        value: ScalarId,
    },
    /// A device loop.
    Loop {
        /// Counter.
        variable: VariableId,
        /// First value.
        start: ScalarId,
        /// Bound, exclusive; [`ENDLESS`] if only a condition in the body ends the loop.
        stop: ScalarId,
        /// Step.
        step: ScalarId,
        /// Body, traced once.
        body: Vec<Stmt>,
    },
    /// A loop of unknown trip count over trace-time data that could not be evaluated.
    UnknownLoop {
        /// Body, traced once.
        body: Vec<Stmt>,
    },
    /// A device branch.
    If {
        /// Arms in order; the first whose condition is not 0 runs.
        arms: Vec<Branch>,
        /// The block that runs where no arm does.
        otherwise: Vec<Stmt>,
    },
    /// A block in which the compiler inserts the synchronisation of accesses: `with auto_sync():`
    AutoSync {
        /// Body.
        body: Vec<Stmt>,
    },
    /// `with vec_scope():` or `with cube_scope():`
    Scope {
        /// The side that runs it.
        side: Side,
        /// Body.
        body: Vec<Stmt>,
    },
    /// `with atomic_add():` and its kin.
    Atomic {
        /// The operation of the stores.
        kind: AtomicKind,
        /// Body.
        body: Vec<Stmt>,
    },
    /// `break_()`
    Break,
    /// `continue_()`
    Continue,
    /// These views hold unknown, defined values from here on, and may have been read (after an
    /// erroneous instruction, or by code that could not be evaluated).
    Havoc(Vec<View>),
    /// Code that could not be evaluated and may contain instructions: barriers, signals, vector masks, and
    /// accesses to the views of a [`StmtKind::Havoc`]. The rest of on-chip memory keeps its contents.
    Opaque,
}

/// One arm of a branch.
#[derive(Clone, Debug)]
pub struct Branch {
    /// Condition.
    pub condition: ScalarId,
    /// The place of the condition.
    pub condition_span: Span,
    /// Statements.
    pub body: Vec<Stmt>,
}

/// Atomic store operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicKind {
    /// Sum.
    Add,
    /// Maximum.
    Max,
    /// Minimum.
    Min,
}

impl Stmt {
    /// Calls `visit` on this statement and every one inside it, in program order.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Stmt)) {
        visit(self);
        for block in self.kind.blocks() {
            for stmt in block {
                stmt.walk(visit);
            }
        }
    }

    /// Returns whether the statement may end the current iteration of the loop around it.
    pub fn leaves_iteration(&self) -> bool {
        match &self.kind {
            StmtKind::Break | StmtKind::Continue => true,
            // A `break` in a nested loop ends only that loop.
            StmtKind::Loop { .. } | StmtKind::UnknownLoop { .. } => false,
            kind => kind.blocks().flatten().any(Stmt::leaves_iteration),
        }
    }
}

/// Returns the variables that a block may assign, including the counters of loops in it, in ascending order.
pub fn assigned(block: &[Stmt]) -> Vec<VariableId> {
    let mut found = Vec::new();
    for stmt in block {
        stmt.walk(&mut |stmt| match &stmt.kind {
            StmtKind::Assign { variable, .. } | StmtKind::Loop { variable, .. } => {
                found.push(*variable);
            }
            StmtKind::Instr(instr) => found.extend(instr.reads_into()),
            _ => {}
        });
    }
    found.sort_unstable();
    found.dedup();
    found
}

impl StmtKind {
    /// Returns the instruction; `None` for other statements.
    pub fn instr(&self) -> Option<&Instr> {
        match self {
            StmtKind::Instr(instr) => Some(instr),
            _ => None,
        }
    }

    /// Returns the nested statement lists.
    pub fn blocks(&self) -> impl Iterator<Item = &[Stmt]> {
        let (arms, last): (&[Branch], Option<&[Stmt]>) = match self {
            StmtKind::Loop { body, .. }
            | StmtKind::UnknownLoop { body }
            | StmtKind::AutoSync { body, .. }
            | StmtKind::Scope { body, .. }
            | StmtKind::Atomic { body, .. } => (&[], Some(body)),
            // `otherwise` is listed even if it is empty: its number is always that of the arms.
            StmtKind::If { arms, otherwise } => (arms, Some(otherwise)),
            _ => (&[], None),
        };
        arms.iter().map(|arm| arm.body.as_slice()).chain(last)
    }

    /// Returns the nested statement lists for a change.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            StmtKind::Loop { body, .. }
            | StmtKind::UnknownLoop { body }
            | StmtKind::AutoSync { body, .. }
            | StmtKind::Scope { body, .. }
            | StmtKind::Atomic { body, .. } => vec![body],
            StmtKind::If { arms, otherwise } => {
                let arms = arms.iter_mut().map(|arm| &mut arm.body);
                arms.chain([otherwise]).collect()
            }
            _ => Vec::new(),
        }
    }
}

//! The statements that matter to each side.
//!
//! Both sides trace the same statement tree, and each drops what belongs to the other: whole loops
//! and branches too, where nothing in them concerns it. A branch on a value that only vec
//! instructions need is therefore never evaluated on the cube lane.

use a2lint_ir::sync::side_of;
use a2lint_ir::{ArgValue, Instr, Mentions, Program, ScalarId, Stmt, StmtKind, VariableId};
use a2lint_isa::{Class, Side};

/// The statements that each side skips, and the variables that it needs.
#[derive(Clone, Debug)]
pub struct Relevance {
    sides: [Needs; 2],
}

/// The statements and variables that one side executes.
#[derive(Clone, Debug)]
struct Needs {
    /// Control statements that it skips, by number.
    skipped: Vec<bool>,
    /// Variables that reach an instruction of this side, by id.
    live: Vec<bool>,
}

impl Relevance {
    /// Computes what each side needs.
    pub fn of(program: &Program) -> Relevance {
        Relevance {
            sides: [Side::Cube, Side::Vec].map(|side| Marking::new(program, side).finish()),
        }
    }

    /// Returns whether a lane of `side` skips a control statement.
    pub fn skips(&self, side: Side, stmt: &Stmt) -> bool {
        self.sides[(side == Side::Vec) as usize].skipped[stmt.id.index()]
    }

    /// Returns whether only the side opposite to `side` needs a variable.
    pub fn is_foreign(&self, side: Side, variable: VariableId) -> bool {
        let [cube, vec] = &self.sides;
        let (ours, theirs) = if side == Side::Vec {
            (vec, cube)
        } else {
            (cube, vec)
        };
        !ours.live[variable.index()] && theirs.live[variable.index()]
    }
}

/// The contents of a statement list, seen from one side.
#[derive(Clone, Copy, Default)]
struct Contents {
    own: bool,
    foreign: bool,
    jump: bool,
}

/// Grows the set of live variables of one side until nothing changes.
struct Marking<'p> {
    program: &'p Program,
    side: Side,
    live: Mentions<'p>,
    skipped: Vec<bool>,
}

impl<'p> Marking<'p> {
    fn new(program: &'p Program, side: Side) -> Self {
        Marking {
            program,
            side,
            live: Mentions::new(program),
            skipped: vec![false; program.stmt_count as usize],
        }
    }

    fn finish(mut self) -> Needs {
        // A variable that becomes live may make assignments before it relevant, so passes repeat until none
        // does.
        loop {
            self.block(&self.program.body);
            if !self.live.take_growth() {
                break;
            }
        }
        Needs {
            skipped: self.skipped,
            live: self.live.into_variables(),
        }
    }

    fn block(&mut self, block: &[Stmt]) -> Contents {
        let mut contents = Contents::default();
        for stmt in block {
            let inner = self.statement(stmt);
            contents.own |= inner.own;
            contents.foreign |= inner.foreign;
            contents.jump |= inner.jump;
        }
        contents
    }

    fn statement(&mut self, stmt: &Stmt) -> Contents {
        let mut contents = Contents::default();
        match &stmt.kind {
            StmtKind::Instr(instr) => return self.instruction(instr),
            StmtKind::Assign { variable, value } => {
                contents.own = self.live.has(*variable) || self.program.scalars.is_check(*value);
                if contents.own {
                    self.live.scalar(*value);
                }
                return contents;
            }
            StmtKind::Break | StmtKind::Continue => contents.jump = true,
            _ => {}
        }
        for block in stmt.kind.blocks() {
            let inner = self.block(block);
            contents.own |= inner.own;
            contents.foreign |= inner.foreign;
            contents.jump |= inner.jump;
        }
        self.control(stmt, contents)
    }

    /// Decides whether a control statement whose blocks have these `contents` is skipped.
    fn control(&mut self, stmt: &Stmt, mut contents: Contents) -> Contents {
        let is_loop = matches!(stmt.kind, StmtKind::Loop { .. });
        let is_branch = matches!(stmt.kind, StmtKind::If { .. });
        if !is_loop && !is_branch {
            return contents;
        }
        if let StmtKind::Loop { variable, .. } = &stmt.kind {
            contents.own |= self.live.has(*variable);
        }
        // A jump out of a branch affects the statements after it; one in a loop ends with that loop.
        contents.jump &= is_branch;
        let kept = contents.own || contents.jump || !contents.foreign;
        self.skipped[stmt.id.index()] = !kept;
        if kept {
            self.live.scalars(headers(&stmt.kind));
        }
        contents
    }

    fn instruction(&mut self, instr: &Instr) -> Contents {
        let side = side_of(self.program, instr);
        let mine = side == Side::Both || side == self.side;
        let mut contents = Contents::default();
        match instr.row().class {
            // Both belong to either side, so they decide nothing about the statements around them.
            Class::Barrier | Class::Debug => return contents,
            Class::Scalar if instr.row().reads_scalar() => {
                contents.own = mine && instr.variable().is_some_and(|id| self.live.has(id));
                contents.foreign = !mine;
            }
            _ => {
                contents.own = mine;
                contents.foreign = !mine;
            }
        }
        if contents.own {
            self.arguments(instr);
        }
        contents
    }

    fn arguments(&mut self, instr: &Instr) {
        for arg in &instr.args {
            match &arg.value {
                ArgValue::Scalar(id) => self.live.scalar(*id),
                ArgValue::Variable(id) => self.live.variable(*id),
                ArgValue::View(view) => self.live.view(view),
                _ => {}
            }
        }
    }
}

fn headers(kind: &StmtKind) -> Vec<ScalarId> {
    match kind {
        StmtKind::Loop {
            start, stop, step, ..
        } => vec![*start, *stop, *step],
        StmtKind::If { arms, .. } => arms.iter().map(|arm| arm.condition).collect(),
        _ => Vec::new(),
    }
}

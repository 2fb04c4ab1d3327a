//! Builds statements with blocks: loops, branches and regions.
//!
//! A front end opens a block, emits the statements in it, and closes it; the enclosing statement is emitted
//! when its block is closed, with the place where the block was opened.

use super::builder::{Builder, TooLarge};
use crate::{
    AtomicKind, Branch, DeviceBlock, ScalarId, ScalarType, Stmt, StmtKind, VariableId, VariableKind,
};
use a2lint_isa::Side;
use a2lint_source::text::Span;

/// A loop whose body is open.
#[must_use]
pub struct OpenLoop {
    counter: VariableId,
    bounds: [ScalarId; 3],
    statement: Span,
}

impl OpenLoop {
    /// Returns the counter of the loop.
    pub fn counter(&self) -> VariableId {
        self.counter
    }
}

/// A block that runs once, under a rule of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// The compiler inserts the synchronisation between the accesses inside.
    AutoSync,
    /// Only one side (cube or vec) runs it.
    Scope(Side),
    /// Stores inside combine atomically with the contents of the memory.
    Atomic(AtomicKind),
}

/// A branch that was taken out of its block so that an arm can be added.
pub struct Reopened {
    branch: Stmt,
    /// The statements that were emitted after it.
    rest: Vec<Stmt>,
}

impl Builder {
    /// Opens a block that the device runs any number of times, or on a condition.
    pub fn open_device_block(&mut self) {
        self.open_arm(None);
    }

    /// Opens an arm of a branch: the first one, or a further one beside `first`. Returns the first arm.
    pub fn open_arm(&mut self, first: Option<DeviceBlock>) -> DeviceBlock {
        self.open_block();
        self.device_blocks += 1;
        let number = self.device_blocks;
        let block = DeviceBlock {
            number,
            first_arm: first.map_or(number, |first| first.number),
            is_loop: false,
        };
        self.device_path.push(block);
        first.unwrap_or(block)
    }

    /// Closes a block that [`Builder::open_device_block`] has opened and returns its statements.
    pub fn close_device_block(&mut self) -> Vec<Stmt> {
        self.device_path.pop();
        self.close_block()
    }

    /// Returns the number of device loops and branches that are open.
    pub fn device_depth(&self) -> u32 {
        self.device_path.len() as u32
    }

    /// Returns the open device loops and branches, outermost first.
    pub fn device_path(&self) -> &[DeviceBlock] {
        &self.device_path
    }

    /// Returns the number of device loops that are open.
    pub fn open_loops(&self) -> usize {
        self.loops.len()
    }

    /// Returns the header of the innermost device loop that is open.
    pub fn innermost_loop(&self) -> Option<Span> {
        self.loops.last().copied()
    }

    /// Opens the body of a device loop over `start, stop, step`. Its counter is called `name`, at `name_span`.
    pub fn open_loop(&mut self, name: &str, name_span: Span, bounds: [ScalarId; 3]) -> OpenLoop {
        self.open_loop_of(ScalarType::INT, name, name_span, bounds)
    }

    /// Opens the body of a device loop whose counter is of a type. The loop counts whole numbers: it ends where they
    /// pass `stop`, also where the type could not hold them.
    pub fn open_loop_of(
        &mut self,
        of: ScalarType,
        name: &str,
        name_span: Span,
        bounds: [ScalarId; 3],
    ) -> OpenLoop {
        let counter = self.variable(VariableKind::Loop, name, of, name_span);
        let statement = self.statement;
        self.open_device_block();
        if let Some(body) = self.device_path.last_mut() {
            body.is_loop = true;
        }
        self.loops.push(statement);
        OpenLoop {
            counter,
            bounds,
            statement,
        }
    }

    /// Closes the body of a loop and emits the loop.
    ///
    /// # Errors
    /// The program is too large.
    pub fn close_loop(&mut self, open: OpenLoop) -> Result<(), TooLarge> {
        self.loops.pop();
        let body = self.close_device_block();
        // The loop has the span of its header, not that of the last statement in its body.
        self.statement = open.statement;
        let [start, stop, step] = open.bounds;
        self.emit(StmtKind::Loop {
            variable: open.counter,
            start,
            stop,
            step,
            body,
        })
    }

    /// Emits a branch. One that its last block consists of continues it.
    ///
    /// # Errors
    /// The program is too large.
    pub fn branch(&mut self, first: Branch, otherwise: Vec<Stmt>) -> Result<(), TooLarge> {
        let (arms, otherwise) = flatten(first, otherwise);
        self.emit(StmtKind::If { arms, otherwise })
    }

    /// Takes out the branch that a further arm continues; `None` where the block does not end with one.
    pub fn reopen_branch(&mut self) -> Option<Reopened> {
        let block = self.block();
        // Only assignments may follow the branch: they compute the condition of its next arm.
        let at = block
            .iter()
            .rposition(|stmt| !matches!(stmt.kind, StmtKind::Assign { .. }))?;
        if !matches!(block[at].kind, StmtKind::If { .. }) {
            return None;
        }
        let rest = block.split_off(at + 1);
        let branch = block.pop()?;
        Some(Reopened { branch, rest })
    }

    /// Adds an arm to a branch and puts the branch back after the statements that followed it: these compute
    /// the condition of the new arm.
    pub fn add_arm(&mut self, reopened: Reopened, arm: Branch) {
        self.put_back(reopened, |arms, _| arms.push(arm));
    }

    /// Sets the `else` block of a branch and puts the branch back, as `add_arm` does.
    pub fn add_otherwise(&mut self, reopened: Reopened, body: Vec<Stmt>) {
        self.put_back(reopened, |_, otherwise| *otherwise = body);
    }

    fn put_back(
        &mut self,
        reopened: Reopened,
        change: impl FnOnce(&mut Vec<Branch>, &mut Vec<Stmt>),
    ) {
        let Reopened { mut branch, rest } = reopened;
        if let StmtKind::If { arms, otherwise } = &mut branch.kind {
            change(arms, otherwise);
        }
        self.extend(rest);
        self.extend([branch]);
    }

    /// Emits a region around the statements of a closed block.
    ///
    /// # Errors
    /// The program is too large.
    pub fn region(&mut self, region: Region, body: Vec<Stmt>) -> Result<(), TooLarge> {
        self.emit(match region {
            Region::AutoSync => StmtKind::AutoSync { body },
            Region::Scope(side) => StmtKind::Scope { side, body },
            Region::Atomic(kind) => StmtKind::Atomic { kind, body },
        })
    }
}

/// Merges a branch with the branch that is the only statement of its last block (`else: if` becomes a further
/// arm).
fn flatten(first: Branch, mut otherwise: Vec<Stmt>) -> (Vec<Branch>, Vec<Stmt>) {
    let mut arms = vec![first];
    if otherwise.len() == 1
        && matches!(otherwise[0].kind, StmtKind::If { .. })
        && let Some(StmtKind::If {
            arms: more,
            otherwise: rest,
        }) = otherwise.pop().map(|stmt| stmt.kind)
    {
        arms.extend(more);
        return (arms, rest);
    }
    (arms, otherwise)
}

//! What stands around each statement.

use rustc_hash::FxHashMap;

use a2lint_ir::{Program, Stmt, StmtId, StmtKind};

/// What stands around a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Around {
    /// Loops, outermost first.
    pub loops: Vec<StmtId>,
    /// The outermost `auto_sync` region.
    pub region: Option<StmtId>,
    /// Whether stores are atomic.
    pub is_atomic: bool,
}

/// What stands around the statements of a program.
#[derive(Debug, Default)]
pub struct Structure {
    around: FxHashMap<StmtId, Around>,
}

impl Structure {
    /// Of a program.
    pub fn of(program: &Program) -> Structure {
        let mut structure = Structure::default();
        structure.block(&program.body, &Around::default());
        structure
    }

    fn block(&mut self, block: &[Stmt], around: &Around) {
        for stmt in block {
            self.around.insert(stmt.id, around.clone());
            let mut inside = around.clone();
            match &stmt.kind {
                StmtKind::Loop { .. } | StmtKind::UnknownLoop { .. } => inside.loops.push(stmt.id),
                StmtKind::AutoSync { .. } => inside.region = around.region.or(Some(stmt.id)),
                StmtKind::Atomic { .. } => inside.is_atomic = true,
                _ => {}
            }
            for body in stmt.kind.blocks() {
                self.block(body, &inside);
            }
        }
    }

    /// What stands around a statement.
    pub fn around(&self, stmt: StmtId) -> &Around {
        static NOTHING: Around = Around {
            loops: Vec::new(),
            region: None,
            is_atomic: false,
        };
        self.around.get(&stmt).unwrap_or(&NOTHING)
    }

    /// The loops around both of two statements, outermost first.
    pub fn common_loops(&self, first: StmtId, second: StmtId) -> &[StmtId] {
        let (a, b) = (&self.around(first).loops, &self.around(second).loops);
        let common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        &a[..common]
    }
}

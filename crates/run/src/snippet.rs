//! Records the statements of a snippet.

use rustc_hash::FxHashMap;

use super::missed::{Missed, Unseen};
use super::spec::{Lines, Occasion};
use a2lint_ir::{Instr, Program, Stmt, StmtId, StmtKind};
use a2lint_machine::{Inspection, Site};
use a2lint_project::SourceMap;
use a2lint_replay::Step;
use a2lint_source::text::{SourceText, Span};

/// Records the first watched execution of each statement of a snippet.
pub struct Snippet<'a> {
    source: &'a SourceText,
    program: &'a Program,
    occasion: &'a Occasion,
    /// Statements without a recorded execution.
    pending: FxHashMap<StmtId, &'a Instr>,
    /// The execution in progress.
    current: Option<Step>,
    /// Recorded executions.
    steps: Vec<Step>,
    /// Executions that were not watched.
    missed: FxHashMap<StmtId, Missed>,
}

impl<'a> Snippet<'a> {
    /// Watches the instructions on these lines.
    pub fn new(
        map: &'a SourceMap,
        program: &'a Program,
        occasion: &'a Occasion,
        lines: &Lines,
    ) -> Self {
        let found = instructions_on(map, program, lines).into_iter();
        Snippet {
            source: &map.source,
            program,
            occasion,
            pending: found.map(|(stmt, instr)| (stmt.id, instr)).collect(),
            current: None,
            steps: Vec::new(),
            missed: FxHashMap::default(),
        }
    }

    /// Returns the recorded executions in program order, and the statements without one.
    pub fn finish(mut self) -> (Vec<Step>, Vec<Unseen>) {
        self.steps.sort_by_key(|step| step.stmt);
        let pending = self.pending.into_keys();
        let unseen = pending.map(|stmt| Unseen {
            stmt,
            missed: self.missed.remove(&stmt).unwrap_or_default(),
        });
        let mut unseen: Vec<Unseen> = unseen.collect();
        unseen.sort_by_key(|it| it.stmt);
        (self.steps, unseen)
    }
}

/// Methods to be called by an [`a2lint_machine::Observer`].
impl Snippet<'_> {
    /// Returns whether a statement still has to be recorded.
    pub fn watches(&self, stmt: StmtId) -> bool {
        self.pending.contains_key(&stmt)
    }

    /// Returns whether every statement was recorded.
    pub fn is_complete(&self) -> bool {
        self.pending.is_empty()
    }

    /// Records the operands before a statement.
    pub fn before(&mut self, site: &Site, execution: u64, inspection: &mut Inspection) {
        self.current = None;
        let Some(&instr) = self.pending.get(&site.stmt) else {
            return;
        };
        if !self.occasion.includes(site) {
            self.missed.entry(site.stmt).or_default().note(site.lane);
            return;
        }
        let at = (site, execution);
        let step = Step::before(self.source, self.program, instr, at, inspection);
        self.current = Some(step);
    }

    /// Records the operands after a statement.
    pub fn after(&mut self, site: &Site, inspection: &mut Inspection) {
        let Some(mut step) = self.current.take() else {
            return;
        };
        if let Some(instr) = self.pending.remove(&site.stmt) {
            step.complete(self.program, instr, inspection);
        }
        self.steps.push(step);
    }
}

/// Returns the instructions on these lines, and those of helpers called there.
pub fn instructions_on<'p>(
    map: &SourceMap,
    program: &'p Program,
    lines: &Lines,
) -> Vec<(&'p Stmt, &'p Instr)> {
    let stands_on = |span: Span| lines.hold(map, span);
    let mut found = Vec::new();
    program.walk(&mut |stmt| {
        let calls = || program.call_chain(stmt.origin);
        if let StmtKind::Instr(instr) = &stmt.kind
            && (stands_on(stmt.span) || calls().into_iter().any(stands_on))
        {
            found.push((stmt, instr));
        }
    });
    found
}

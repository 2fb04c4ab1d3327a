//! The clock, and the statements of a snippet.

use std::ops::ControlFlow;
use std::time::Instant;

use rustc_hash::FxHashMap;

use super::args::{LaneName, OccasionArgs};
use super::spec::Lines;
use crate::ir::{Instr, Program, Stmt, StmtId, StmtKind};
use crate::machine::{Inspection, LaneKind, Observer, Site};
use crate::report::run::{OperandValues, Step, view_text};
use crate::text::{SourceText, Span};

/// Slots of the vector mask that `set_mask` reaches.
const MASK_SLOTS: usize = 128;

/// Watches the clock and, where there are any, the statements of a snippet.
pub struct Watcher<'a> {
    deadline: Instant,
    source: &'a SourceText,
    program: &'a Program,
    occasion: &'a OccasionArgs,
    /// Statements that have not been seen yet.
    pending: FxHashMap<StmtId, &'a Instr>,
    is_snippet: bool,
    /// The execution that is under way.
    current: Option<Step>,
    /// What was seen.
    steps: Vec<Step>,
}

impl<'a> Watcher<'a> {
    /// Watches the clock alone.
    pub fn new(
        deadline: Instant,
        source: &'a SourceText,
        program: &'a Program,
        occasion: &'a OccasionArgs,
    ) -> Self {
        Watcher {
            deadline,
            source,
            program,
            occasion,
            pending: FxHashMap::default(),
            is_snippet: false,
            current: None,
            steps: Vec::new(),
        }
    }

    /// Watches the instructions on these lines too, and ends the run when all were seen.
    pub fn watch(&mut self, lines: Lines) {
        self.is_snippet = true;
        let found = instructions_on(self.source, self.program, lines);
        self.pending = found
            .into_iter()
            .map(|(stmt, instr)| (stmt.id, instr))
            .collect();
    }

    /// What was seen, in the order of the program, and what was not.
    pub fn finish(mut self) -> (Vec<Step>, Vec<StmtId>) {
        self.steps.sort_by_key(|step| step.stmt);
        let mut unseen: Vec<StmtId> = self.pending.into_keys().collect();
        unseen.sort();
        (self.steps, unseen)
    }

    fn is_wanted(&self, site: &Site) -> bool {
        let occasion = self.occasion;
        let lane = occasion
            .lane
            .is_none_or(|lane| lane.kind() == site.lane.kind);
        let core = occasion.core.is_none_or(|core| core == site.lane.core);
        let iteration = occasion.iteration.as_ref();
        let iteration = iteration.is_none_or(|wanted| site.iterations.starts_with(&wanted.0));
        lane && core && iteration && self.pending.contains_key(&site.stmt)
    }

    /// The operands of an instruction with their values of now.
    fn operands(&self, instr: &Instr, inspection: &mut Inspection) -> Vec<OperandValues> {
        let operands = instr.operands();
        let shown = operands.filter_map(|(index, operand, view)| {
            Some(OperandValues {
                parameter: instr.row().param(index)?.name,
                text: view_text(self.source, self.program, view).to_owned(),
                access: operand.access,
                before: inspection.view(view),
                after: None,
            })
        });
        shown.collect()
    }
}

impl LaneName {
    fn kind(self) -> LaneKind {
        match self {
            LaneName::Cube => LaneKind::Cube,
            LaneName::Vec0 => LaneKind::Vec(0),
            LaneName::Vec1 => LaneKind::Vec(1),
        }
    }
}

impl Observer for Watcher<'_> {
    fn watches(&self, stmt: StmtId) -> bool {
        self.pending.contains_key(&stmt)
    }

    fn is_expired(&mut self) -> bool {
        Instant::now() >= self.deadline
    }

    fn before(&mut self, site: &Site, execution: u64, inspection: &mut Inspection) {
        self.current = None;
        if !self.is_wanted(site) {
            return;
        }
        let instr = self.pending[&site.stmt];
        self.current = Some(Step {
            stmt: site.stmt,
            lane: site.lane,
            iterations: site.iterations.to_vec(),
            execution,
            masked: masked(instr, inspection),
            operands: self.operands(instr, inspection),
        });
    }

    fn after(&mut self, site: &Site, _: u64, inspection: &mut Inspection) -> ControlFlow<()> {
        let Some(mut step) = self.current.take() else {
            return ControlFlow::Continue(());
        };
        if let Some(instr) = self.pending.remove(&site.stmt) {
            let written = step.operands.iter_mut().zip(instr.operands());
            for (values, (_, operand, view)) in written {
                if operand.access.writes() {
                    values.after = inspection.view(view);
                }
            }
        }
        self.steps.push(step);
        match self.is_snippet && self.pending.is_empty() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// Unset slots of the mask, where the instruction obeys it.
fn masked(instr: &Instr, inspection: &Inspection) -> Vec<usize> {
    if !instr.row().mask.consumes() {
        return Vec::new();
    }
    let mask = inspection.mask();
    (0..MASK_SLOTS).filter(|&slot| !mask.is_set(slot)).collect()
}

/// The instructions that stand on these lines, or in helpers that are called on them.
pub fn instructions_on<'p>(
    source: &SourceText,
    program: &'p Program,
    lines: Lines,
) -> Vec<(&'p Stmt, &'p Instr)> {
    let stands_on = |span: Span| {
        let [first, last] = [span.start, span.end].map(|offset| source.line_index(offset) + 1);
        lines.meet(first, last)
    };
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

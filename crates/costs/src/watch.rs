//! Records what the cost rules need of a run.

use std::ops::Range;

use rustc_hash::FxHashMap;

use a2lint_ir::{GlobalId, Instr, Program, StmtId, View};
use a2lint_isa::{BLOCK_BYTES, DST, SRC, param};
use a2lint_machine::cost::Expense;
use a2lint_machine::hazards::Tracker;
use a2lint_machine::{Access, Clock, Inspection, Observer, Rows, Site, SyncOp};

/// Observes a run.
pub struct Watch<'p> {
    /// The clock of the cost model.
    pub clock: Clock<'p>,
    /// The tracker of hazards.
    pub tracker: Tracker<'p>,
    /// Cycles that vector instructions lose to bank conflicts in UB.
    pub conflicts: FxHashMap<StmtId, f64>,
    /// Tensors with misaligned rows that cost more, in the order in which they were met.
    pub misaligned: Vec<GlobalId>,
    /// The bytes of its source that each gather takes. `None` if these are not evenly spaced ranges, or not the
    /// same each time.
    pub gathered: FxHashMap<StmtId, Option<Rows>>,
    gathers: FxHashMap<StmtId, &'p Instr>,
}

impl<'p> Watch<'p> {
    /// Observes a run on a number of cores.
    pub fn new(program: &'p Program, cores: u32) -> Watch<'p> {
        Watch {
            clock: Clock::new(program, cores, false),
            tracker: Tracker::new(program, cores),
            conflicts: FxHashMap::default(),
            misaligned: Vec::new(),
            gathered: FxHashMap::default(),
            gathers: gathers(program),
        }
    }
}

impl Observer for Watch<'_> {
    fn wants_accesses(&self) -> bool {
        self.tracker.wants_accesses()
    }

    fn wants_costs(&self) -> bool {
        true
    }

    /// Ends the run when the clock has no room for further steps: an estimate that lacks a step is not used.
    fn is_cancelled(&mut self) -> bool {
        self.clock.is_full()
    }

    fn watches(&self, stmt: StmtId) -> bool {
        self.gathers.contains_key(&stmt)
    }

    fn before(&mut self, site: &Site, _execution: u64, inspection: &mut Inspection) {
        let Some(instr) = self.gathers.get(&site.stmt) else {
            return;
        };
        let taken = taken(instr, inspection);
        let before = self.gathered.entry(site.stmt).or_insert(taken);
        *before = before.filter(|before| Some(*before) == taken);
    }

    fn begin(&mut self, site: &Site) {
        self.tracker.begin(site);
    }

    fn access(&mut self, site: &Site, access: &Access) {
        self.tracker.access(site, access);
    }

    fn spend(&mut self, site: &Site, expense: &Expense) {
        for cost in &expense.costs {
            if cost.conflicts > 0.0 {
                *self.conflicts.entry(site.stmt).or_default() += cost.conflicts;
            }
            let penalised = cost.traffic.filter(|traffic| traffic.penalty > 1.0);
            let global = penalised.map(|traffic| traffic.global);
            let global = global.filter(|global| !self.misaligned.contains(global));
            self.misaligned.extend(global);
        }
        self.clock.spend(site, expense);
    }

    fn synchronise(&mut self, site: &Site, operation: &SyncOp) {
        self.clock.synchronise(site, operation);
        self.tracker.synchronise(site, operation);
    }
}

fn gathers(program: &Program) -> FxHashMap<StmtId, &Instr> {
    let all = program.instructions().into_iter();
    let gathers = all.filter(|(_, instr)| instr.row().gathers());
    gathers.map(|(stmt, instr)| (stmt.id, instr)).collect()
}

/// Returns the bytes that a gather is about to take, if these are evenly spaced ranges.
fn taken(instr: &Instr, inspection: &mut Inspection) -> Option<Rows> {
    let [result, source, offsets] =
        [DST, SRC, param!(class Gather.offset)].map(|index| instr.local(index));
    let (result, source) = (result?, source?);
    let each = match instr.row().gathers_blocks() {
        true => BLOCK_BYTES,
        false => source.dtype.bytes_of(1),
    };
    let elements = inspection.view(&View::Local(result.clone()))?.values.len();
    let count = elements as i64 * result.dtype.bytes_of(1) / each;
    let offsets = inspection.view(&View::Local(offsets?.clone()))?;
    let mut runs: Vec<Range<i64>> = Vec::new();
    for offset in offsets.elements().take(count as usize) {
        let start = offset? as i64;
        match runs.last_mut() {
            Some(last) if last.end == start => last.end += each,
            // A copy of rows reads forwards and each byte once.
            Some(last) if last.end > start => return None,
            _ => runs.push(start..start + each),
        }
    }
    match Rows::of_ranges(&runs)[..] {
        [rows] => Some(rows),
        _ => None,
    }
}

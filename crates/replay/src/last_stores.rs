//! Finds the store that ends where a hole in a returned tensor begins.

use std::ops::ControlFlow;

use super::observation::{Event, LastStore, Observation};
use a2lint_ir::{GlobalId, Instr, Program, StmtId, View};
use a2lint_isa::DST;
use a2lint_machine::{
    Access, BoundLaunch, Inspection, LaneId, MemoryId, Observer, Options, Rows, Site, simulate,
};

/// Adds to each hole the store that ends where it begins, found in another run of the launch.
pub(super) fn add(
    program: &Program,
    bound: &BoundLaunch,
    options: &Options,
    seen: &mut [Observation],
) {
    for observation in seen {
        let Event::Hole {
            global,
            first,
            last,
            ..
        } = &mut observation.event
        else {
            continue;
        };
        let bits = bound.globals[global.index()].dtype.bits();
        let mut watch = LastStores::new(program, *global, *first * bits / 8);
        simulate(program, bound, options, &mut watch);
        // Nothing ends at the start of a tensor. A store that is rounded down to nothing may be what is missing there.
        *last = watch.reached.or(watch.empty.filter(|_| *first == 0));
    }
}

/// Returns the numbers of elements that a store is asked for and that it stores, if it leaves some out because it works
/// on whole blocks.
fn cut(instr: &Instr, inspection: &mut Inspection) -> Option<[i64; 2]> {
    let [asked, stored] = [instr.asked?, instr.scalar_named("burst_len_element")?];
    let asked = inspection.scalar(asked).as_int().ok()?;
    let stored = inspection.scalar(stored).as_int().ok()?;
    (0 <= stored && stored < asked).then_some([asked, stored])
}

/// Watches the stores to a tensor with a hole.
struct LastStores<'p> {
    program: &'p Program,
    global: GlobalId,
    /// The first byte of the hole.
    first: i64,
    /// Whether each statement is a store to the tensor.
    is_store: Vec<bool>,
    /// The execution that has just written up to the hole.
    writer: Option<(StmtId, LaneId)>,
    /// The last store that ends at the hole.
    reached: Option<LastStore>,
    /// The first store that is rounded down to nothing.
    empty: Option<LastStore>,
}

impl<'p> LastStores<'p> {
    fn new(program: &'p Program, global: GlobalId, first: i64) -> Self {
        let mut is_store = vec![false; program.stmt_count as usize];
        for (stmt, instr) in program.instructions() {
            let stored = instr.view(DST).and_then(View::global);
            is_store[stmt.id.index()] = stored.is_some_and(|view| view.global == global);
        }
        LastStores {
            program,
            global,
            first,
            is_store,
            writer: None,
            reached: None,
            empty: None,
        }
    }
}

/// Returns whether a run of bytes ends at an address.
fn ends_at(rows: &Rows, address: i64) -> bool {
    rows.length > 0 && rows.runs().any(|(start, length)| start + length == address)
}

impl Observer for LastStores<'_> {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn watches(&self, stmt: StmtId) -> bool {
        self.is_store[stmt.index()]
    }

    fn access(&mut self, site: &Site, access: &Access) {
        let is_own = access.write && access.memory == MemoryId::Global(self.global);
        if is_own && access.rows.iter().any(|rows| ends_at(rows, self.first)) {
            self.writer = Some((site.stmt, site.lane));
        }
    }

    fn after(
        &mut self,
        site: &Site,
        _execution: u64,
        inspection: &mut Inspection,
    ) -> ControlFlow<()> {
        let instr = self.program.instruction(site.stmt);
        let cut = instr.and_then(|instr| cut(instr, inspection));
        let store = LastStore {
            stmt: site.stmt,
            lane: site.lane,
            cut,
        };
        if self.writer.take() == Some((site.stmt, site.lane)) {
            self.reached = Some(store);
        }
        if matches!(cut, Some([_, 0])) && self.empty.is_none() {
            self.empty = Some(store);
        }
        ControlFlow::Continue(())
    }
}

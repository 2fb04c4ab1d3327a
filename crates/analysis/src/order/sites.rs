//! All accesses of a kernel, and the pairs of them that conflict.

use rustc_hash::FxHashMap;

use super::rings::{MOST, Picks, Ring};
use super::shared::turning;
use crate::{Analysis, MaskState, RangeSet};
use a2lint_ir::sync::{Between, Key, Part, Reading, Slot, order_matters, pipe_of, side_of};
use a2lint_ir::toolchain::Barriers;
use a2lint_ir::{
    BufferId, GlobalId, GlobalView, Instr, LocalView, Program, SlotKey, Stmt, StmtId, Toolchain,
    View,
};
use a2lint_isa::{Class, DST, Pipe, Position, Side, Unit};

/// The region of all accesses in regions, if the toolchain joins these; no statement has this number.
const ONE_REGION: StmtId = StmtId(u32::MAX);

/// The memory of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Memory {
    Local(BufferId),
    Global(GlobalId),
}

/// One access of an instruction to one of its operands.
#[derive(Clone, Debug)]
pub(super) struct Site<'p> {
    /// The instruction.
    pub stmt: StmtId,
    /// Index of the parameter that names the operand.
    pub operand: usize,
    /// The side that executes it.
    pub side: Side,
    /// The properties that decide about conflicts.
    pub part: Part,
    /// The memory.
    pub memory: Memory,
    /// The view.
    pub view: &'p View,
    /// For each axis of a global view, whether the access stays inside of it.
    pub kept: Vec<bool>,
    /// The slot.
    pub ring: Ring,
    /// The innermost surrounding loop.
    pub innermost: Option<StmtId>,
    /// The outermost surrounding `auto_sync` region; [`ONE_REGION`] if the toolchain joins regions.
    pub region: Option<StmtId>,
    /// For a vector access, the region in which the toolchain inserts barriers before dependent vector
    /// accesses.
    pub barred: Option<StmtId>,
}

impl Site<'_> {
    /// Returns whether an access to a global tensor stays inside of its view on an axis.
    pub fn keeps(&self, axis: usize) -> bool {
        self.kept.get(axis).is_some_and(|&kept| kept)
    }
}

/// The sites of a kernel.
#[derive(Debug, Default)]
pub(super) struct Sites<'p> {
    /// All sites, in program order; within an instruction, in the order in which it uses its pipes.
    pub all: Vec<Site<'p>>,
    /// The range of the sites of each statement.
    pub of: FxHashMap<StmtId, std::ops::Range<usize>>,
    /// For each site, those for whose accesses it may have to wait.
    pub conflicts: Vec<Vec<usize>>,
    /// For each vector access in an `auto_sync` region, the accesses of that region on which it depends whenever both
    /// are in one slot.
    pub depends: Vec<Vec<usize>>,
    /// For each access, the vector accesses in `auto_sync` regions on which nothing after the access depends.
    pub replaces: Vec<Vec<usize>>,
}

impl<'p> Sites<'p> {
    /// Collects the sites of a kernel, or returns `None` if there are more than `most`: they are compared in
    /// pairs.
    pub fn of(program: &'p Program, analysis: &Analysis, most: usize) -> Option<Sites<'p>> {
        let mut sites = Sites::default();
        let axes = slot_axes(program);
        for (stmt, instr) in program.instructions() {
            sites.instruction((program, analysis), &axes, stmt, instr);
            if sites.all.len() > most {
                return None;
            }
        }
        let conflicts =
            |first, second| sites.may_conflict((program.toolchain, analysis), first, second);
        sites.conflicts = sites.pairs(&conflicts);
        sites.depends = sites.pairs(&|first, second| sites.must_depend(analysis, first, second));
        sites.replaces = sites.pairs(&|first, second| sites.may_replace(first, second));
        Some(sites)
    }

    /// Returns for each access those to the same memory that `keep` accepts, in program order.
    fn pairs(&self, keep: &dyn Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
        let mut by_memory: FxHashMap<Memory, Vec<usize>> = FxHashMap::default();
        for (at, site) in self.all.iter().enumerate() {
            by_memory.entry(site.memory).or_default().push(at);
        }
        let of = |(second, site): (usize, &Site)| {
            let same = by_memory[&site.memory].iter().copied();
            same.filter(|&first| keep(first, second)).collect()
        };
        self.all.iter().enumerate().map(of).collect()
    }

    fn is_in_region(&self, at: usize) -> bool {
        self.all[at].barred.is_some()
    }

    /// Returns whether a vector access depends on another one of its region in every execution, if both are
    /// in one slot: `auto_sync` then inserts a barrier.
    fn must_depend(&self, analysis: &Analysis, first: usize, second: usize) -> bool {
        let (a, b) = (&self.all[first], &self.all[second]);
        let is_candidate = self.is_in_region(first)
            && self.is_in_region(second)
            && a.barred == b.barred
            && a.memory == b.memory
            && a.part.conflicts(&b.part);
        let certain = |site: &Site| {
            let is_full = analysis.mask_at(site.stmt) == MaskState::Full;
            let extent = analysis.extent(site.stmt, site.operand).filter(|_| is_full);
            extent.map(|extent| extent.footprint.must())
        };
        is_candidate
            && certain(a)
                .zip(certain(b))
                .is_some_and(|(a, b)| RangeSet::intersects(a, b))
    }

    /// Returns whether the first access is a vector access of an `auto_sync` region on which nothing after the
    /// second access can depend.
    fn may_replace(&self, first: usize, second: usize) -> bool {
        let (a, b) = (&self.all[first], &self.all[second]);
        let is_v = b.part.pipe == Pipe::V;
        self.is_in_region(first)
            && a.memory == b.memory
            && (!is_v && b.part.write || is_v && b.barred != a.barred)
    }

    fn instruction(
        &mut self,
        (program, analysis): (&'p Program, &Analysis),
        axes: &[Option<usize>],
        stmt: &'p Stmt,
        instr: &'p Instr,
    ) {
        let row = instr.row();
        if matches!(
            row.class,
            Class::Barrier | Class::Event | Class::Mutex | Class::CrossFlag
        ) {
            return;
        }
        let pipe = pipe_of(program, instr);
        let region = program.region(stmt.id);
        let region = match program.toolchain.auto_sync.joins_regions {
            true => region.map(|_| ONE_REGION),
            false => region,
        };
        let is_macro = row.unit == Unit::CubeMacro;
        let mut own = Vec::new();
        for (operand, described, view) in instr.operands() {
            let pipe = match is_macro && operand != DST {
                true => Pipe::Mte1,
                false => pipe,
            };
            let access = described.access;
            for write in [false, true] {
                if !(if write {
                    access.writes()
                } else {
                    access.reads()
                }) {
                    continue;
                }
                let window = analysis.global_window(stmt.id, operand);
                let kept = window.map_or_else(Vec::new, |window| window.kept.clone());
                let (memory, ring) = match view {
                    View::Local(view) => local(program, view),
                    View::Global(view) => global(program, (axes, &kept), view),
                };
                let is_global = matches!(memory, Memory::Global(_));
                own.push(Site {
                    stmt: stmt.id,
                    operand,
                    side: side_of(program, instr),
                    part: Part {
                        pipe,
                        write,
                        // Atomic scopes only affect stores to global memory.
                        atomic: write && is_global && program.is_atomic(stmt.id),
                        has_unit_flag: has_unit_flag(program, instr, view),
                    },
                    memory,
                    view,
                    kept,
                    ring,
                    innermost: program.loops(stmt.id).last().copied(),
                    region,
                    barred: match program.toolchain.auto_sync.barriers {
                        Barriers::Everywhere => Some(ONE_REGION),
                        Barriers::InRegions => region,
                        Barriers::Nowhere => None,
                    }
                    .filter(|_| pipe == Pipe::V),
                });
            }
        }
        // A macro loads before it computes, and an instruction reads before it writes.
        own.sort_by_key(|site| (is_macro && site.part.pipe != Pipe::Mte1, site.part.write));
        let first = self.all.len();
        self.all.append(&mut own);
        self.of.insert(stmt.id, first..self.all.len());
    }

    /// Returns whether an access may have to wait for another one of its lane.
    fn may_conflict(
        &self,
        (toolchain, analysis): (&Toolchain, &Analysis),
        first: usize,
        second: usize,
    ) -> bool {
        let (a, b) = (&self.all[first], &self.all[second]);
        let meets = a.side == b.side || a.side == Side::Both || b.side == Side::Both;
        if a.memory != b.memory || !meets {
            return false;
        }
        let between = match a.part.pipe == b.part.pipe {
            true => Between::OnePipe,
            false => Between::OneLane,
        };
        if !order_matters(&a.part, &b.part, between) {
            return false;
        }
        // `auto_sync` inserts a barrier between dependent vector instructions of a region.
        if a.barred.is_some() && a.barred == b.barred {
            return false;
        }
        // If regions are joined, the accesses of two covered pipes to a buffer are ordered everywhere.
        let is_one = a.region == Some(ONE_REGION) && a.region == b.region;
        if is_one
            && matches!(a.memory, Memory::Local(_))
            && toolchain.auto_sync.covers(a.part.pipe, b.part.pipe)
        {
            return false;
        }
        overlaps(analysis, a, b)
    }
}

/// Returns for each global tensor the axis of its slots: the first one that any view turns.
fn slot_axes(program: &Program) -> Vec<Option<usize>> {
    let mut axes = vec![None; program.globals.len()];
    for (_, instr) in program.instructions() {
        for (_, _, view) in instr.operands() {
            let Some(view) = view.global() else { continue };
            let found = view
                .axes
                .iter()
                .position(|axis| turning(program, axis).is_some());
            let axis = &mut axes[view.global.index()];
            *axis = axis.or(found);
        }
    }
    axes
}

fn global(
    program: &Program,
    (axes, kept): (&[Option<usize>], &[bool]),
    view: &GlobalView,
) -> (Memory, Ring) {
    let axis = axes[view.global.index()].filter(|&axis| kept.get(axis) == Some(&true));
    let axis = axis.and_then(|axis| view.axes.get(axis));
    let ring = axis.and_then(|axis| Some(turning(program, axis)?.ring()));
    // The slots that another index picks are unknown.
    let ring = ring.filter(|ring| ring.slots <= MOST).unwrap_or(Ring::ANY);
    (Memory::Global(view.global), ring)
}

fn local(program: &Program, view: &LocalView) -> (Memory, Ring) {
    let slots = i64::from(program.buffer(view.buffer).slots);
    let ring = Ring::of(program, slots, view.slot);
    (Memory::Local(view.buffer), ring)
}

impl Site<'_> {
    /// Returns the keys of its handshakes, under a reading of `auto_sync`.
    pub fn keys(&self, program: &Program, reading: Reading) -> Vec<Key> {
        let View::Local(view) = self.view else {
            return Vec::new();
        };
        match reading.names_slots() {
            true => vec![(view.buffer, self.picked())],
            false => reading.keys(program, view).collect(),
        }
    }

    /// Returns how an access picks its slot. An expression cannot identify the slot, since counters advance.
    fn picked(&self) -> Slot {
        match self.ring.picks {
            Picks::Fixed(slot) => Slot::Expression(SlotKey::Constant(slot)),
            Picks::Counter(counter, distance) => Slot::Distance(counter, distance),
            Picks::Any => Slot::Any,
        }
    }
}

/// Returns whether two accesses to a memory may have a byte in common, by the bytes and slots of all
/// executions.
fn overlaps(analysis: &Analysis, a: &Site, b: &Site) -> bool {
    let [Some(x), Some(y)] = [a, b].map(|site| analysis.extent(site.stmt, site.operand)) else {
        return true;
    };
    let bytes = match (x.footprint.may(), y.footprint.may()) {
        (Some(x), Some(y)) => RangeSet::intersects(x, y),
        _ => true,
    };
    bytes && x.slots.meets(y.slots)
}
/// Returns whether an instruction certainly takes part in the handshake of M and FIX over parts of L0C with an operand.
fn has_unit_flag(program: &Program, instr: &Instr, view: &View) -> bool {
    let is_in_l0c = |view: &LocalView| program.buffer(view.buffer).position == Position::L0C;
    let flag = instr.scalar_named("unit_flag");
    let flag = flag.and_then(|flag| program.scalars.as_int(flag));
    flag.is_some_and(|flag| flag != 0) && view.local().is_some_and(is_in_l0c)
}

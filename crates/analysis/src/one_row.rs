//! The parts of on-chip tensors with one row that operands access, as linear expressions: what holds for every length
//! of a tensor whose size a launch gives.
//!
//! [`Regions`] lists them for operands (accesses stay inside of their tensors), [`unread`] follows which parts are
//! defined: memory that is once defined stays so, since what is written is computed from defined data.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::moves::block_rows;
use super::proof::{Disjointness, Places};
use super::scalar::{Given, Linear, State, Visitor, walk_within};
use crate::{Analysis, MaskState};
use a2lint_ir::{
    BinaryOp, BufferId, GlobalId, Instr, LocalView, Program, ScalarId, Stmt, StmtId, StmtKind, Sum,
    VariableId, View,
};
use a2lint_isa::{BLOCK_BYTES, BLOCKS_PER_REPEAT, Class, DST, ParamKind, RepeatFrom, SRC, Walk};

/// The part of a slot that an operand accesses. Numbers are bytes from the start of the slot.
#[derive(Clone, Debug)]
pub struct Region {
    /// Parameter index.
    pub operand: usize,
    /// The tensor.
    pub buffer: BufferId,
    /// The number that picks the slot, if there are several.
    slot: Linear,
    /// The first byte.
    pub start: Linear,
    /// The end of all bytes that it may access.
    pub end: Linear,
    /// The end of the bytes that it accesses without a gap from the first one on.
    dense: Option<Linear>,
    /// A number that divides the start; 0 for a start at 0.
    pub alignment: i64,
}

/// The regions of one instruction, and other numbers of it.
#[derive(Clone, Debug)]
pub struct InstructionRegions {
    /// The regions of its local operands.
    pub regions: Vec<Region>,
    /// The numbers that were asked for; `None` if unknown.
    pub numbers: Vec<(ScalarId, Option<Linear>)>,
    facts: Rc<Vec<Linear>>,
}

/// The regions of the instructions that access tensors whose sizes a launch gives.
#[derive(Debug)]
pub struct Regions {
    /// By instruction; `None` if some region is unknown.
    pub of: FxHashMap<StmtId, Option<InstructionRegions>>,
    places: Places,
}

/// Numbers up to this one are looked for no further.
const MOST_USUAL: i64 = 1 << 20;

/// Returns whether a tensor has one row, and a length that is not constant.
pub fn has_one_row(program: &Program, buffer: BufferId) -> bool {
    let [rows, columns] = program.buffer(buffer).shape;
    program.size(rows) == Some(1) && program.size(columns).is_none()
}

impl Regions {
    /// Collects the regions if parameters lie in the given ranges; `ask` returns additional scalars of an instruction
    /// whose values are needed.
    pub fn of(
        program: &Program,
        analysis: &Analysis,
        given: &[Given],
        ask: &dyn Fn(&Instr) -> Vec<ScalarId>,
    ) -> Regions {
        let mut collect = Collect {
            reader: Reader { program, analysis },
            ask,
            places: Places::default(),
            of: FxHashMap::default(),
        };
        let symbols = walk_within(program, given, None, &mut collect);
        Regions {
            of: collect.of,
            places: collect.places.with_symbols(symbols),
        }
    }

    /// Returns the first operand of an instruction that is not shown to stay inside of its tensor.
    pub fn leaving(&self, stmt: StmtId, access: &InstructionRegions) -> Option<usize> {
        let apart = Disjointness::new(&self.places);
        let mut operands = access.regions.iter().map(|region| region.operand);
        operands.find(|&operand| !apart.is_inside((stmt, operand), 0, None))
    }

    /// Returns sums that a launch has to keep from being negative, such that an operand stays inside of its tensor.
    pub fn demands(&self, stmt: StmtId, operand: usize) -> Option<Vec<Sum>> {
        Disjointness::new(&self.places).demands_inside((stmt, operand), 0)
    }

    /// Returns the smallest and the largest value of a number of an instruction; `None` if it may be negative or
    /// nothing bounds it.
    pub fn range(&self, access: &InstructionRegions, number: &Linear) -> Option<(i64, i64)> {
        if let Some(value) = number.as_constant() {
            return Some((value, value));
        }
        let range = self.places.symbols_range(number);
        let is_known = range.min >= 0 && range.max != i64::MAX;
        let known = is_known.then_some((range.min, range.max));
        // Limits that only a type has are far beyond every tensor on the chip.
        if known.is_some_and(|(_, most)| most <= MOST_USUAL) {
            return known;
        }
        Disjointness::new(&self.places)
            .range(&access.facts, number)
            .or(known)
    }

    /// Returns parameters that are rounded down to whole blocks, each with the least common multiple of these.
    pub fn cut(&self) -> Vec<(VariableId, i64)> {
        self.places.cut()
    }
}

struct Collect<'a, 'p> {
    reader: Reader<'a, 'p>,
    ask: &'a dyn Fn(&Instr) -> Vec<ScalarId>,
    places: Places,
    of: FxHashMap<StmtId, Option<InstructionRegions>>,
}

impl<'p> Visitor<'p> for Collect<'_, 'p> {
    fn statement(&mut self, state: &mut State<'p>, stmt: &'p Stmt) {
        let StmtKind::Instr(instr) = &stmt.kind else {
            return;
        };
        let program = self.reader.program;
        let mut locals = instr.operands().filter_map(|(_, _, view)| view.local());
        if !locals.any(|view| has_one_row(program, view.buffer)) {
            return;
        }
        let access = self.reader.regions(state, stmt, instr, &(self.ask)(instr));
        if let Some(access) = &access {
            for region in &access.regions {
                let capacity = self.reader.capacity(state, region.buffer);
                let window = [
                    Some(region.start.clone()),
                    region.end.minus(&region.start),
                    capacity,
                ];
                let at = (stmt.id, region.operand);
                self.places
                    .add_window(at, vec![window], access.facts.clone());
            }
        }
        self.of.insert(stmt.id, access);
    }
}

struct Reader<'a, 'p> {
    program: &'a Program,
    analysis: &'a Analysis<'p>,
}

impl<'p> Reader<'_, 'p> {
    /// Returns the regions of the local operands of an instruction; `None` if one is unknown.
    fn regions(
        &self,
        state: &mut State<'p>,
        stmt: &Stmt,
        instr: &Instr,
        asked: &[ScalarId],
    ) -> Option<InstructionRegions> {
        let mut regions = Vec::new();
        for (operand, _, view) in instr.operands() {
            if let View::Local(view) = view {
                regions.push(self.region(state, stmt, (instr, operand), view)?);
            }
        }
        let numbers: Vec<(ScalarId, Option<Linear>)> =
            asked.iter().map(|&id| (id, state.number(id))).collect();
        let mut about: Vec<Linear> = numbers.iter().filter_map(|it| it.1.clone()).collect();
        for region in &regions {
            about.extend([region.start.clone(), region.end.clone()]);
            about.extend(self.capacity(state, region.buffer));
        }
        Some(InstructionRegions {
            facts: Rc::new(state.facts(&about)),
            regions,
            numbers,
        })
    }

    /// Returns the bytes of a slot, before it is rounded up to blocks.
    fn capacity(&self, state: &mut State<'p>, buffer: BufferId) -> Option<Linear> {
        let buffer = self.program.buffer(buffer);
        let bytes = whole_bytes(buffer.dtype)?;
        let rows = self.program.size(buffer.shape[0])?;
        let columns = state.number(buffer.shape[1])?;
        columns.times(rows.checked_mul(bytes)?)
    }

    fn region(
        &self,
        state: &mut State<'p>,
        stmt: &Stmt,
        (instr, operand): (&Instr, usize),
        view: &LocalView,
    ) -> Option<Region> {
        let buffer = self.program.buffer(view.buffer);
        let bytes = whole_bytes(view.dtype)?;
        // Rows one after the other: the row of a view is its offset.
        let is_one_row = self.program.size(view.shape[0]) == Some(1);
        (is_one_row && self.program.size(view.offset[0]) == Some(0)).then_some(())?;
        let start = state.number(view.offset[1])?.times(bytes)?;
        let (length, dense) = self.length(state, stmt, (instr, operand), view)?;
        let class = state.congruence_of(&start);
        let slot = match buffer.slots {
            1 => Linear::constant(0),
            _ => state.number(view.slot)?,
        };
        Some(Region {
            operand,
            buffer: view.buffer,
            slot,
            end: start.plus_times(&length, 1)?,
            dense: match dense {
                Some(dense) => Some(start.plus_times(&dense, 1)?),
                None => None,
            },
            alignment: crate::scalar::gcd(class.modulus, class.remainder),
            start,
        })
    }

    /// Returns the bytes from the first to the last one that an operand accesses, and how many of them it accesses
    /// without a gap.
    fn length(
        &self,
        state: &mut State<'p>,
        stmt: &Stmt,
        (instr, operand): (&Instr, usize),
        view: &LocalView,
    ) -> Option<(Linear, Option<Linear>)> {
        let bytes = whole_bytes(view.dtype)?;
        let row = instr.row();
        let walk = row.param(operand)?.operand()?.walk;
        let is_full = self.analysis.mask_at(stmt.id) == MaskState::Full;
        let mut count = |kind| instr.scalar(kind).and_then(|id| state.number(id));
        let (all, repeats) = (count(ParamKind::Count), count(ParamKind::Repeat));
        let is_counted = instr.scalar(ParamKind::Count).is_some();
        if is_counted && all.is_none() || instr.scalar(ParamKind::CountPerRepeat).is_some() {
            return None;
        }
        let whole = |length: Linear| Some((length.clone(), Some(length)));
        let one = |elements: i64| Linear::constant(elements * bytes);
        match (walk, all) {
            (Walk::First, _) => whole(one(1)),
            (Walk::Lanes, _) if instr.reads_one_element(operand) => whole(one(1)),
            (Walk::Total, _) => Some((one(1), self.is_filled(state, instr).then(|| one(1)))),
            (Walk::IndexedTotal, _) => Some((one(2), self.is_filled(state, instr).then(|| one(2)))),
            (Walk::Lanes | Walk::Offsets, Some(count)) => whole(count.times(bytes)?),
            (Walk::PackedBits, Some(count)) => {
                let eight = Some(Linear::constant(8));
                whole(state.binary(BinaryOp::CeilDiv, Some(count), eight)?)
            }
            (Walk::Lanes, None) => {
                let live = self.lanes(instr, view)?.checked_mul(bytes)?;
                let fixed = |kind| match instr.scalar(kind) {
                    Some(id) => self.program.size(id),
                    None => None,
                };
                let stride = |kind, usual: i64| match row.index_of(kind) {
                    Some(_) => fixed(kind),
                    None => Some(usual),
                };
                let block = stride(ParamKind::BlockStride(operand), 1)?;
                let repeat = stride(ParamKind::RepeatStride(operand), BLOCKS_PER_REPEAT)?;
                let (repeats, distance) = (repeats?, repeat.checked_mul(BLOCK_BYTES)?);
                if block < 0 || distance < 0 {
                    return None;
                }
                if block == 1 && distance == live {
                    let length = repeats.times(live)?;
                    return Some((length.clone(), is_full.then_some(length)));
                }
                let last_block = (live - 1).div_euclid(BLOCK_BYTES).checked_mul(block)?;
                let span = last_block
                    .checked_mul(BLOCK_BYTES)?
                    .checked_add(BLOCK_BYTES)?;
                let before = repeats.plus(-1)?.times(distance)?;
                Some((before.plus(span)?, None))
            }
            (Walk::PackedBits, None) => {
                let width = self.lanes(instr, view)? / 8;
                let length = repeats?.times(width)?;
                Some((length.clone(), is_full.then_some(length)))
            }
            (Walk::RepeatResult, _) => self.results(instr, repeats?, bytes, is_full || is_counted),
            (Walk::IndexedResult, _) => {
                self.results(instr, repeats?, 2 * bytes, is_full || is_counted)
            }
            (Walk::BlockResults, _) => {
                // Blocks beyond the count, and those that are masked off, have no result.
                let is_dense = is_full && !is_counted;
                self.results(instr, repeats?, BLOCKS_PER_REPEAT * bytes, is_dense)
            }
            (Walk::Rows, _) => self.rows(state, (instr, operand), view),
            _ => None,
        }
    }

    /// Returns whether a reduction certainly has an element to reduce.
    fn is_filled(&self, state: &mut State<'p>, instr: &Instr) -> bool {
        let mut number = |kind| instr.scalar(kind).and_then(|id| state.number(id));
        let count = number(ParamKind::Count).or_else(|| number(ParamKind::Repeat));
        count.is_some_and(|count| state.range_of(&count).min >= 1)
    }

    /// Returns the lanes of one repeat: for a cast, of the wider type; else of the instruction's data.
    fn lanes(&self, instr: &Instr, view: &LocalView) -> Option<i64> {
        Some(match instr.row().repeat {
            RepeatFrom::Wider(_) => {
                let (a, b) = (instr.local(DST)?.dtype, instr.local(SRC)?.dtype);
                a.lanes().min(b.lanes())
            }
            RepeatFrom::Operand(of) => instr.local(of)?.dtype.lanes(),
            _ => view.dtype.lanes(),
        })
    }

    /// Returns the bytes of one result of this width for each repeat.
    fn results(
        &self,
        instr: &Instr,
        repeats: Linear,
        width: i64,
        is_dense: bool,
    ) -> Option<(Linear, Option<Linear>)> {
        let stride = self.program.size(instr.scalar(ParamKind::ResultStride)?)?;
        let before = repeats.plus(-1)?.times(stride.checked_mul(width)?)?;
        let length = before.plus(width)?;
        (stride >= 0).then(|| (length.clone(), (is_dense && stride == 1).then_some(length)))
    }

    /// Returns the bytes of the rows of a move.
    fn rows(
        &self,
        state: &mut State<'p>,
        (instr, operand): (&Instr, usize),
        view: &LocalView,
    ) -> Option<(Linear, Option<Linear>)> {
        let bytes = whole_bytes(view.dtype)?;
        let unit = BLOCK_BYTES / bytes;
        let rows = block_rows(state, (instr, operand), view)?;
        let blocks = state.binary(
            BinaryOp::CeilDiv,
            Some(rows.length.clone()),
            Some(Linear::constant(unit)),
        )?;
        let taken = match operand {
            SRC => rows.length.times(bytes)?,
            _ => blocks.times(BLOCK_BYTES)?,
        };
        let is_load = operand == DST && instr.view(SRC).and_then(View::global).is_some();
        // The rest of the last block of a row is undefined unless the load fills it; so are margins.
        let defined = match is_load {
            true if instr.fills_rows() => Some(taken.clone()),
            true if has_margins(instr, self.program) => None,
            _ => Some(rows.length.times(bytes)?),
        };
        if rows.count.as_constant() == Some(1) {
            return Some((taken, defined));
        }
        let before = rows.count.plus(-1)?;
        let before = state.binary(BinaryOp::Mul, Some(before), Some(rows.gap.clone()))?;
        let length = before.times(BLOCK_BYTES)?.plus_times(&taken, 1)?;
        // Without a gap, rows fill the blocks that they take.
        let is_dense = rows.gap == blocks && rows.length.times(bytes) == blocks.times(BLOCK_BYTES);
        Some((
            length.clone(),
            (is_dense && defined.is_some()).then_some(length),
        ))
    }
}

/// Returns the bytes of an element, if they are whole.
fn whole_bytes(dtype: a2lint_isa::DType) -> Option<i64> {
    (dtype.bits() % 8 == 0).then(|| dtype.bits() / 8)
}

/// Returns whether a load may add padding on the left or right of its rows.
fn has_margins(instr: &Instr, program: &Program) -> bool {
    ["left_padding", "right_padding"].into_iter().any(|name| {
        let margin = instr.scalar_named(name);
        margin.is_some_and(|id| program.size(id) != Some(0))
    })
}

/// A part of a slot that is certainly defined.
struct Written {
    buffer: BufferId,
    slot: Linear,
    start: Linear,
    end: Linear,
}

/// An operand whose data has to be defined.
struct Read {
    stmt: StmtId,
    operand: usize,
    start: Linear,
    end: Linear,
    /// The starts and ends of the defined parts of its slot.
    written: Vec<[Linear; 2]>,
    facts: Rc<Vec<Linear>>,
}

/// The reason why data may be undefined, and the statement.
pub type Unread = (String, StmtId);

/// Returns an operand whose data is not shown to be defined if parameters lie in the given ranges. Tensors that
/// `is_given` accepts have defined contents, and loads stay inside of them.
pub fn unread(
    program: &Program,
    analysis: &Analysis,
    given: &[Given],
    is_given: &dyn Fn(GlobalId) -> bool,
) -> Option<Unread> {
    let mut padding = PaddingLoads {
        program,
        buffers: FxHashSet::default(),
    };
    walk_within(program, given, None, &mut padding);
    let mut defined = DefinedRegions {
        reader: Reader { program, analysis },
        padded: padding.buffers,
        is_given,
        written: Vec::new(),
        scopes: Vec::new(),
        open: Vec::new(),
        failed: None,
    };
    let symbols = walk_within(program, given, None, &mut defined);
    if let Some(failed) = defined.failed {
        return Some(failed);
    }
    let places = Places::bare(symbols);
    let apart = Disjointness::new(&places);
    let is_open = |read: &Read| {
        let region = [read.start.clone(), read.end.clone()];
        !apart.is_within_one(&read.facts, &region, &read.written)
    };
    let open = defined.open.into_iter().find(is_open)?;
    Some((defined.reader.undefined(open.stmt, open.operand), open.stmt))
}

/// Finds the tensors to which a load may write undefined bytes, beside the data.
struct PaddingLoads<'a> {
    program: &'a Program,
    buffers: FxHashSet<BufferId>,
}

impl<'p> Visitor<'p> for PaddingLoads<'_> {
    fn statement(&mut self, state: &mut State<'p>, stmt: &'p Stmt) {
        let StmtKind::Instr(instr) = &stmt.kind else {
            return;
        };
        let loads = instr.operands().any(|(at, operand, view)| {
            at != DST && operand.access.reads() && view.global().is_some()
        });
        if let (Some(dst), true) = (instr.local(DST), loads && !instr.fills_rows()) {
            let rows = block_rows(state, (instr, DST), dst);
            let unit = BLOCK_BYTES * 8 / dst.dtype.bits();
            let is_whole =
                rows.is_some_and(|rows| state.congruence_of(&rows.length).divided_by(unit));
            if !is_whole || has_margins(instr, self.program) {
                self.buffers.insert(dst.buffer);
            }
        }
    }
}

struct DefinedRegions<'a, 'p> {
    reader: Reader<'a, 'p>,
    /// Tensors in which defined bytes may become undefined again.
    padded: FxHashSet<BufferId>,
    is_given: &'a dyn Fn(GlobalId) -> bool,
    written: Vec<Written>,
    /// Numbers of defined parts where the open blocks began.
    scopes: Vec<usize>,
    open: Vec<Read>,
    failed: Option<Unread>,
}

impl<'p> Visitor<'p> for DefinedRegions<'_, 'p> {
    fn statement(&mut self, state: &mut State<'p>, stmt: &'p Stmt) {
        if let (StmtKind::Instr(instr), None) = (&stmt.kind, &self.failed)
            && let Err(because) = self.instr(state, stmt, instr)
        {
            self.failed = Some((because, stmt.id));
        }
    }

    fn enter_block(&mut self) {
        // An earlier iteration may have loaded over what was defined before the loop.
        let padded = &self.padded;
        self.written.retain(|it| !padded.contains(&it.buffer));
        self.scopes.push(self.written.len());
    }

    fn leave_block(&mut self) {
        // What a block defines is defined only if it is executed.
        if let Some(before) = self.scopes.pop() {
            self.written.truncate(before);
        }
    }
}

impl<'p> DefinedRegions<'_, 'p> {
    fn instr(
        &mut self,
        state: &mut State<'p>,
        stmt: &'p Stmt,
        instr: &'p Instr,
    ) -> Result<(), String> {
        let program = self.reader.program;
        let touches = instr.operands().next().is_some();
        if !touches || matches!(instr.row().class, Class::Mask | Class::Debug) {
            return Ok(());
        }
        for (_, operand, view) in instr.operands() {
            if let View::Global(view) = view
                && operand.access.reads()
                && !(self.is_given)(view.global)
            {
                let name = &program.global(view.global).name;
                return Err(format!("`{name}` is loaded and stored"));
            }
        }
        let access = self.reader.regions(state, stmt, instr, &[]);
        let name = program.call_name(instr);
        let access = access.ok_or_else(|| format!("what {name} accesses is not known"))?;
        let reads = |region: &&Region| {
            let described = instr.operands().find(|it| it.0 == region.operand);
            described.is_some_and(|(_, operand, _)| operand.access.reads())
        };
        for region in access.regions.iter().filter(reads) {
            self.read(state, stmt, region, &access.facts);
        }
        let is_load = instr.local(DST).is_some()
            && instr.operands().any(|(_, _, view)| view.global().is_some());
        for region in &access.regions {
            if is_load && self.padded.contains(&region.buffer) {
                self.written.retain(|it| it.buffer != region.buffer);
            }
            let described = instr.operands().find(|it| it.0 == region.operand);
            let is_written = described.is_some_and(|(_, operand, _)| operand.access.writes());
            if let Some(end) = region.dense.clone().filter(|_| is_written) {
                self.written.push(Written {
                    buffer: region.buffer,
                    slot: region.slot.clone(),
                    start: region.start.clone(),
                    end,
                });
            }
        }
        Ok(())
    }

    fn read(&mut self, state: &State<'p>, stmt: &Stmt, region: &Region, facts: &Rc<Vec<Linear>>) {
        let same = self.written.iter().rev();
        let same = same.filter(|it| it.buffer == region.buffer && it.slot == region.slot);
        let written: Vec<[Linear; 2]> = same.map(|it| [it.start.clone(), it.end.clone()]).collect();
        let is_inside = |part: &[Linear; 2]| {
            state.is_not_above(&part[0], &region.start) && state.is_not_above(&region.end, &part[1])
        };
        if !written.iter().any(is_inside) {
            self.open.push(Read {
                stmt: stmt.id,
                operand: region.operand,
                start: region.start.clone(),
                end: region.end.clone(),
                written,
                facts: facts.clone(),
            });
        }
    }
}

impl Reader<'_, '_> {
    fn undefined(&self, stmt: StmtId, operand: usize) -> String {
        let instructions = self.program.instructions();
        let found = instructions.iter().find(|(it, _)| it.id == stmt);
        let name = found.and_then(|(_, instr)| {
            let view = instr.view(operand).and_then(View::local)?;
            Some(self.program.buffer(view.buffer).label())
        });
        let name = name.unwrap_or_default();
        format!("not shown: that what is read of {name} is defined")
    }
}

//! Whatever happens in a run lies inside of what the analysis says of any run.

use std::collections::{HashMap, HashSet};

use a2lint::analysis::{
    Analysis, Bound, Congruence, KernelFacts, MaskOrigin, MaskState, OperandExtent, RangeSet,
    UndefinedRead, bounds, constant_values,
};
use a2lint::device::Device;
use a2lint::ir::{Instr, MemoryMap, Program, Stmt, StmtId, StmtKind, VariableId};
use a2lint::isa::{BLOCK_BYTES, Class, DType, Opcode, Position, SelectMode};
use a2lint::machine::{
    Access, Bindings, BoundLaunch, Contents, End, Inspection, LaneId, MemoryId, Observer, Options,
    Rows, Site, Value, simulate,
};

/// How much was compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Runs.
    pub runs: u64,
    /// Operands.
    pub accesses: u64,
    /// Of them, those whose numbers are not constant.
    pub inexact: u64,
    /// Scalars.
    pub scalars: u64,
    /// Of them, those that the analysis bounds, and does not know.
    pub bounded: u64,
    /// Scalars that are not compared: signed arithmetic has overflowed on the way.
    pub overflowed: u64,
    /// Reads of what the analysis holds undefined.
    pub undefined: u64,
    /// Vector masks other than the full one.
    pub masks: u64,
}

impl Counts {
    /// Adds others.
    pub fn add(&mut self, other: &Counts) {
        self.runs += other.runs;
        self.accesses += other.accesses;
        self.inexact += other.inexact;
        self.scalars += other.scalars;
        self.bounded += other.bounded;
        self.overflowed += other.overflowed;
        self.undefined += other.undefined;
        self.masks += other.masks;
    }
}

/// Compares a run with the analysis.
struct Watch<'p> {
    program: &'p Program,
    analysis: &'p Analysis<'p>,
    memory: &'p MemoryMap,
    statements: Vec<Option<(&'p Stmt, &'p Instr)>>,
    bounds: Vec<Vec<Bound>>,
    /// Values of the variables that are only ever given constants.
    constants: Vec<(VariableId, Vec<i64>)>,
    undefined: HashMap<(StmtId, usize), &'p UndefinedRead<'p>>,
    /// Statements of lanes at which signed arithmetic had overflowed: where they read and write follows from it.
    overflowed: HashSet<(LaneId, StmtId)>,
    /// Lanes that have written past a buffer: the bytes after it are no longer undefined, and the
    /// mistake is another one.
    overrun: HashSet<LaneId>,
    /// Where the mask of each lane comes from.
    origins: HashMap<LaneId, MaskOrigin>,
    counts: Counts,
    problems: Vec<String>,
    /// Problems of definedness and vector masks, apart: in a run that leaves an instruction out, as illegal ones
    /// are and those that leave the memory, it is unknown what it would have done to either.
    moot_if_unfaithful: Vec<String>,
}

impl<'p> Watch<'p> {
    fn new(facts: &'p KernelFacts<'p>) -> Watch<'p> {
        let (program, analysis) = (facts.program(), facts.analysis());
        let mut statements = vec![None; program.stmt_count as usize + 1];
        program.walk(&mut |stmt| {
            if let StmtKind::Instr(instr) = &stmt.kind {
                statements[stmt.id.index()] = Some((stmt, instr));
            }
        });
        let mut found = bounds(program);
        let bounds = (0..statements.len() as u32)
            .map(|at| found.remove(&StmtId(at)).unwrap_or_default())
            .collect();
        let variables = (0..program.variables.len() as u32).map(VariableId);
        let constants = |id| Some((id, constant_values(program, id)?));
        let undefined = analysis.undefined_reads.iter().map(|read| {
            let touch = &analysis.touches[read.touch];
            ((touch.stmt.id, touch.operand), read)
        });
        Watch {
            program,
            analysis,
            memory: facts.memory(),
            statements,
            bounds,
            constants: variables.filter_map(constants).collect(),
            undefined: undefined.collect(),
            overflowed: HashSet::new(),
            overrun: HashSet::new(),
            origins: HashMap::new(),
            counts: Counts::default(),
            problems: Vec::new(),
            moot_if_unfaithful: Vec::new(),
        }
    }

    fn complain(&mut self, problem: impl FnOnce() -> String) {
        if self.problems.len() < 5 {
            self.problems.push(problem());
        }
    }

    fn complain_if_faithful(&mut self, problem: impl FnOnce() -> String) {
        if self.moot_if_unfaithful.len() < 5 {
            self.moot_if_unfaithful.push(problem());
        }
    }

    fn compare(&mut self, site: &Site, access: &Access) -> Option<()> {
        if self.overflowed.contains(&(site.lane, site.stmt)) {
            return None;
        }
        let (stmt, instr) = self.statements[site.stmt.index()]?;
        let view = instr.local(access.operand)?;
        let analysis = self.analysis;
        let extent = analysis.extent(stmt.id, access.operand)?;
        let touched = bytes(access.rows);
        let placement = self.memory.get(view.buffer);
        let slot_bytes = placement.slot_bytes?;
        let slots = match is_first_pass(site) {
            true => extent.first_slots,
            false => extent.slots,
        };
        let base = placement.slot_address(0)?;
        let fits = slots
            .iter()
            .any(|slot| fits(extent, &touched, base + i64::from(slot) * slot_bytes, instr));
        self.counts.accesses += 1;
        self.counts.inexact += u64::from(extent.footprint.exact().is_none());
        if !fits {
            self.complain(|| {
                format!(
                    "{} operand {} in iteration {:?} touches {touched:?} from {base}, known: \
                     {extent:?}",
                    instr.row().name,
                    access.operand,
                    site.iterations
                )
            });
        }
        let slot = RangeSet::span(access.base, access.base + slot_bytes);
        if !touched.minus(&slot).is_empty() && access.write {
            self.overrun.insert(site.lane);
        }
        if !access.write && !self.overrun.contains(&site.lane) {
            self.compare_definedness(site, access, &touched.intersection(&slot));
        }
        Some(())
    }

    /// What is certainly undefined of a slot on the first pass is undefined there.
    fn compare_definedness(&mut self, site: &Site, access: &Access, touched: &RangeSet) {
        let Some(read) = self.undefined.get(&(site.stmt, access.operand)) else {
            return;
        };
        if !is_first_pass(site) {
            return;
        }
        let wanted = match read.entirely {
            true => touched.len(),
            false => read
                .bytes
                .clone()
                .shifted(access.base)
                .intersection(touched)
                .len(),
        };
        let found = access.undefined.map_or(0, |undefined| undefined.bytes);
        self.counts.undefined += u64::from(wanted > 0);
        if found < wanted {
            let name = read.instr.row().name;
            let known = &read.bytes;
            self.complain_if_faithful(|| {
                format!(
                    "{name} operand {} at {:?} reads {touched:?} from {}: {found} bytes are \
                     undefined, {wanted} should be; known: {known:?}",
                    access.operand, site.iterations, access.base
                )
            });
        }
    }

    fn compare_scalars(&mut self, site: &Site, inspection: &mut Inspection) {
        for at in 0..self.bounds[site.stmt.index()].len() {
            let bound = self.bounds[site.stmt.index()][at];
            // A variable of another path, or a float.
            let (value, class) = match inspection.scalar(bound.scalar) {
                Value::Int(value) => (value, bound.congruence),
                // Beyond the bounds that there are.
                Value::Large(_) => (i64::MAX, Congruence::ANY),
                Value::Float(_) | Value::Absent(_) => continue,
            };
            // What C leaves undefined, and the analysis excludes where it knows no bounds.
            if inspection.overflowed(bound.scalar) {
                self.counts.overflowed += 1;
                self.overflowed.insert((site.lane, site.stmt));
                continue;
            }
            self.counts.scalars += 1;
            let interval = bound.interval;
            self.counts.bounded += u64::from(interval.is_bounded() && interval.min < interval.max);
            if !interval.contains(value) || !is_member(class, value) {
                let text = self.program.scalars.get(bound.scalar);
                self.complain(|| {
                    format!(
                        "{text:?} is {value} in {:?} iteration {:?}, known: {bound:?}",
                        site.stmt, site.iterations
                    )
                });
            }
        }
        for at in 0..self.constants.len() {
            let (variable, values) = &self.constants[at];
            if let Value::Int(value) = inspection.variable(*variable)
                && !inspection.variable_overflowed(*variable)
                && !values.contains(&value)
            {
                let problem = format!("{variable:?} is {value}, known: {values:?}");
                self.complain(|| problem);
            }
        }
    }

    fn compare_mask(&mut self, site: &Site, instr: &Instr, inspection: &Inspection) {
        let mask = inspection.mask();
        let word = |from: usize| {
            (0..64).fold(0, |word, at| word | u64::from(mask.is_set(from + at)) << at)
        };
        let (low, high) = (word(0), word(64));
        let known = self.analysis.mask_at(site.stmt);
        let holds = match known {
            MaskState::Full => (low, high) == (u64::MAX, u64::MAX),
            MaskState::Words {
                high: known_high,
                low: known_low,
                ..
            } => (low, high) == (known_low, known_high),
            MaskState::Unknown => true,
        };
        self.counts.masks += u64::from((low, high) != (u64::MAX, u64::MAX));
        if !holds {
            self.complain_if_faithful(|| {
                format!("the mask is {high:x} {low:x} in {site:?}, known: {known:?}")
            });
        }
        let origin = self.origins.get(&site.lane).copied();
        let origin = origin.unwrap_or(MaskOrigin::Full);
        let reaching = self.analysis.mask_reach.before(site.stmt);
        let reaches = reaching.contains(&origin) || reaching.contains(&MaskOrigin::Unknown);
        if instr.row().is_vector() && !reaches {
            self.complain_if_faithful(|| {
                format!("the mask of {origin:?} is in force in {site:?}: {reaching:?}")
            });
        }
        self.origins
            .insert(site.lane, behind(origin, site.stmt, instr));
    }
}

fn is_member(class: Congruence, value: i64) -> bool {
    match class.modulus {
        0 => value == class.remainder,
        modulus => (value - class.remainder) % modulus == 0,
    }
}

fn is_first_pass(site: &Site) -> bool {
    site.iterations.iter().all(|&iteration| iteration == 0)
}

/// Where the mask comes from after an instruction.
fn behind(before: MaskOrigin, stmt: StmtId, instr: &Instr) -> MaskOrigin {
    let with_scalar = instr.args.iter().any(|arg| {
        matches!(
            &arg.value,
            a2lint::ir::ArgValue::Select(SelectMode::TensorTensor)
        )
    });
    let resets = match instr.row().class {
        Class::Broadcast | Class::Gather => true,
        Class::Select => with_scalar,
        _ => false,
    };
    match (instr.opcode, before) {
        (Opcode::SetMask, _) => MaskOrigin::Set(stmt),
        (Opcode::ResetMask, _) => MaskOrigin::Full,
        (_, MaskOrigin::Set(set) | MaskOrigin::Doubtful { set, .. }) if instr.is_counted() => {
            MaskOrigin::Cleared { set, by: stmt }
        }
        (_, MaskOrigin::Set(set)) if resets => MaskOrigin::Doubtful { set, by: stmt },
        _ => before,
    }
}

/// Whether touched bytes are what is known of an operand whose slot starts at `base`.
fn fits(extent: &OperandExtent, touched: &RangeSet, base: i64, instr: &Instr) -> bool {
    let inside = extent
        .footprint
        .may()
        .is_none_or(|may| touched.minus(&reached(may, instr).shifted(base)).is_empty());
    // A vector instruction may have masked lanes, and reads of GM that fail move nothing.
    let moves = instr.row().class == Class::Move;
    let must = extent.footprint.must().clone().shifted(base);
    inside && (!moves || must.minus(touched).is_empty())
}

/// The bytes that an instruction accesses. A store reads whole blocks of each row, and what lies after the
/// row goes nowhere.
fn reached(may: &RangeSet, instr: &Instr) -> RangeSet {
    let mut reached = may.clone();
    if instr.opcode == Opcode::UbToGmPad {
        for (start, end) in may.iter() {
            reached.insert(start, end + BLOCK_BYTES - 1);
        }
    }
    reached
}

fn bytes(rows: &[Rows]) -> RangeSet {
    let mut set = RangeSet::default();
    for (start, length) in rows.iter().flat_map(Rows::runs) {
        set.insert(start, start + length);
    }
    set
}

impl Observer for Watch<'_> {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn wants_definedness(&self) -> bool {
        true
    }

    fn watches(&self, stmt: StmtId) -> bool {
        self.statements[stmt.index()].is_some()
    }

    fn before(&mut self, site: &Site, _: u64, inspection: &mut Inspection) {
        if let Some((_, instr)) = self.statements[site.stmt.index()] {
            self.compare_scalars(site, inspection);
            self.compare_mask(site, instr, inspection);
        }
    }

    fn access(&mut self, site: &Site, access: &Access) {
        if access.memory == MemoryId::Local(Position::Ub) {
            self.compare(site, access);
        }
    }
}

/// Launches of a random kernel.
pub fn launches(program: &Program) -> Vec<BoundLaunch> {
    let bind = |(n, k): (i32, i32)| {
        let numbers: Vec<u8> = (0..64_i32)
            .flat_map(|at| (at * 7 % 61 - 3).to_le_bytes())
            .collect();
        let shape = |name: &str, columns| (name.to_owned(), vec![64, columns]);
        let bindings = Bindings {
            floats: Vec::new(),
            scalars: vec![("N".into(), f64::from(n)), ("K".into(), f64::from(k))],
            shapes: vec![
                shape("x", 128),
                shape("g", 128),
                shape("y", 128),
                shape("z", 1),
            ],
            dtypes: [
                ("x", DType::Float),
                ("g", DType::Half),
                ("y", DType::Float),
                ("z", DType::Int),
            ]
            .map(|(name, dtype)| (name.to_owned(), dtype))
            .into(),
            contents: vec![("z".into(), Contents::Bytes(numbers.into()))],
            cores: Some(2),
        };
        BoundLaunch::bind(program, None, &[], &bindings, Device::default(), 1 << 28).ok()
    };
    [(5, 2), (32, 3), (77, 1), (0, 0), (-9, 4)]
        .into_iter()
        .filter_map(bind)
        .collect()
}

/// Runs a launch and compares it with the analysis; what was compared, or what does not fit.
pub fn run(program: &Program, launch: &BoundLaunch) -> Result<Counts, String> {
    let facts = KernelFacts::of(program);
    let mut watch = Watch::new(&facts);
    let options = Options {
        max_instructions: 20_000,
        ..Options::default()
    };
    let outcome = simulate(program, launch, &options, &mut watch);
    if let End::Deadlock(deadlock) = outcome.end {
        return Err(format!("{deadlock:?}"));
    }
    watch.counts.runs = 1;
    if outcome.faithful {
        watch.problems.append(&mut watch.moot_if_unfaithful);
    }
    match watch.problems.is_empty() {
        true => Ok(watch.counts),
        false => Err(watch.problems.join("\n")),
    }
}

//! Operands and definedness of kernels whose on-chip tensors have sizes that a launch gives.
//!
//! Such a tensor has one row, so that its length decides only where it ends. That accesses stay inside is shown by
//! linear arithmetic, for every length. What else has to be legal (types, fields, alignments) does not depend on the
//! length, or gets more likely to be illegal as numbers grow: the machine is asked about the smallest and the largest
//! numbers, on tensors with the largest length.

use rustc_hash::{FxHashMap, FxHashSet};

use super::capacity::Room;
use super::operands::{Values, deciding, others, words};
use super::{Assumption, Precondition, Proof, Proofs, Subject, capacity};
use a2lint_analysis::{
    Congruence, Given, InstructionRegions, Regions, Start, Sum, Wanted, has_one_row, sizes, unread,
    weakest_precondition,
};
use a2lint_ir::{
    ArgValue, BufferId, GlobalId, GlobalKind, Instr, Program, ScalarId, Stmt, StmtId, StmtKind,
    View,
};
use a2lint_isa::Position;
use a2lint_machine::{Contents, OperandFault, Trial, Value};

/// Returns whether some on-chip tensor has a size that a launch gives, and all of these have one row.
pub(super) fn concerns(program: &Program) -> bool {
    let sizes = |buffer: &a2lint_ir::Buffer| program.constant_pair(buffer.shape).is_none();
    let mut open = program.buffers.iter().enumerate();
    let is_any = program.buffers.iter().any(sizes);
    is_any && open.all(|(at, buffer)| !sizes(buffer) || has_one_row(program, BufferId(at as u32)))
}

/// Returns a program whose tensors have the largest sizes that launches give them, each by itself; `None` if one is not
/// bounded.
pub(super) fn concrete(program: &Program, given: &[Given], room: &Room) -> Option<Program> {
    let start = Start::new(program, given);
    let mut lengths: FxHashMap<BufferId, [i64; 2]> = FxHashMap::default();
    for (at, buffer) in program.buffers.iter().enumerate() {
        let [rows, columns] = buffer.shape.map(|extent| start.largest(extent));
        let all = program.usable(buffer.position).saturating_mul(8) / buffer.dtype.bits();
        let columns = match rows {
            // Where the buffers fit together, none is longer than its memory.
            Some(1) if room.limits_position(buffer.position) => columns.unwrap_or(all).min(all),
            _ => columns?,
        };
        lengths.insert(BufferId(at as u32), [rows?, columns]);
    }
    let mut concrete = program.clone();
    if room.limits_position(Position::Ub) {
        // Buffers may have their largest lengths in different launches.
        concrete.device = program.device.with_room();
    }
    let shapes: FxHashMap<BufferId, [ScalarId; 2]> = lengths
        .into_iter()
        .map(|(id, shape)| (id, shape.map(|extent| concrete.scalars.int(extent))))
        .collect();
    for (at, buffer) in concrete.buffers.iter_mut().enumerate() {
        buffer.shape = shapes[&BufferId(at as u32)];
    }
    let mut body: Vec<Stmt> = program.body.to_vec();
    reshape(&mut body, &shapes);
    concrete.body = body.into();
    Some(concrete)
}

fn reshape(block: &mut [Stmt], shapes: &FxHashMap<BufferId, [ScalarId; 2]>) {
    for stmt in block {
        if let StmtKind::Instr(instr) = &mut stmt.kind {
            for arg in &mut instr.args {
                if let ArgValue::View(view) = &mut arg.value
                    && let View::Local(view) = &mut **view
                    && let Some(&shape) = shapes.get(&view.buffer)
                {
                    view.shape = shape;
                }
            }
        }
        let blocks = stmt.kind.blocks_mut();
        blocks.into_iter().for_each(|block| reshape(block, shapes));
    }
}

/// Judges the instructions that access on-chip tensors whose sizes a launch gives, by the regions that they access.
pub(super) struct Judge {
    regions: Regions,
}

impl Judge {
    pub fn new(subject: &Subject, given: &[Given]) -> Judge {
        let ask = |instr: &Instr| numbers(subject.program, instr);
        Judge {
            regions: Regions::of(subject.program, subject.analysis, given, &ask),
        }
    }

    /// Returns whether an instruction accesses a tensor whose size a launch gives.
    pub fn concerns(&self, stmt: StmtId) -> bool {
        self.regions.of.contains_key(&stmt)
    }

    /// Judges an instruction of a concrete program. `Err` gives the reason why it is not shown to be legal for every
    /// size, as a clause.
    pub fn judge<'t>(
        &self,
        trial: &mut Trial<'t, '_>,
        program: &Program,
        (stmt, instr): (&Stmt, &'t Instr),
        mask: a2lint_analysis::MaskState,
    ) -> Result<(), String> {
        let name = program.call_name(instr);
        let Some(Some(regions)) = self.regions.of.get(&stmt.id) else {
            return Err(format!("what {name} accesses is not known for every size"));
        };
        if self.regions.leaving(stmt.id, regions).is_some() {
            return Err(format!("{name} may reach past a tensor"));
        }
        self.starts_well(program, instr, regions)?;
        // Checking the smallest and the largest values suffices, even where all are requested (`Wanted::All`): strides
        // are constants, or there is no region, and the other scalars (repeats, counts, bursts, lengths, gaps) only
        // have upper limits in the machine. `leaving` and `starts_well` have shown for every value that the bytes which
        // rows and columns select are legal.
        for end in [false, true] {
            let values = self.values(program, instr, regions, end)?;
            let mut complaint = |values: &[(ScalarId, i64)]| {
                let given = values.iter().map(|&(id, value)| (id, Value::Int(value)));
                trial.complaint((stmt, instr), others(instr).chain(given), words(mask))
            };
            match complaint(&values) {
                None => {}
                Some(OperandFault::Reason(reason)) => return Err(reason),
                Some(OperandFault::Found(_)) => {
                    let least = self.values(program, instr, regions, false)?;
                    // Lengths and counts come before gaps and margins, which are rarely large.
                    let blamed = (0..values.len()).rev().find(|&at| {
                        let mut milder = values.clone();
                        milder[at] = least[at];
                        complaint(&milder).is_none()
                    });
                    return Err(match blamed {
                        Some(at) => too_large(program, instr, values[at]),
                        None => format!("{name} may not be legal"),
                    });
                }
            }
        }
        Ok(())
    }

    /// Returns sums that launches have to keep from being negative, such that accesses stay inside of their tensors.
    pub fn demands(&self, program: &Program) -> Vec<Sum> {
        let mut wanted: Vec<Sum> = Vec::new();
        for (stmt, _) in program.instructions() {
            if let Some(Some(regions)) = self.regions.of.get(&stmt.id)
                && let Some(operand) = self.regions.leaving(stmt.id, regions)
            {
                let sums = self.regions.demands(stmt.id, operand).unwrap_or_default();
                let new = sums.into_iter().filter(|sum| !wanted.contains(sum));
                wanted.extend(new.collect::<Vec<Sum>>());
            }
        }
        wanted
    }

    /// Checks that operands with starts that are not constant start where operands may.
    fn starts_well(
        &self,
        program: &Program,
        instr: &Instr,
        regions: &InstructionRegions,
    ) -> Result<(), String> {
        let name = program.call_name(instr);
        let moving: Vec<_> = regions
            .regions
            .iter()
            .filter(|region| region.start.as_constant().is_none())
            .collect();
        for region in &moving {
            // The machine is asked about one start, which says nothing about the end of a part of a buffer.
            let view = instr.local(region.operand);
            if view.is_some_and(|view| view.end.is_some()) {
                return Err(format!("{name} may reach past a tensor"));
            }
            let dtype = view.map(|view| view.dtype);
            let granule = dtype
                .and_then(|dtype| instr.start_granule(program.toolchain, region.operand, dtype));
            if granule.is_some_and(|granule| region.alignment % granule != 0) {
                return Err(format!("an operand of {name} may start off the grid"));
            }
            // The machine is asked about one start, which says nothing about operands that overlap elsewhere.
            let mut same = regions.regions.iter();
            if same.any(|it| it.operand != region.operand && it.buffer == region.buffer) {
                return Err(format!("operands of {name} may overlap"));
            }
        }
        Ok(())
    }

    /// Returns the smallest or the largest values of the numbers of an instruction.
    fn values(
        &self,
        program: &Program,
        instr: &Instr,
        regions: &InstructionRegions,
        largest: bool,
    ) -> Result<Vec<(ScalarId, i64)>, String> {
        let name = program.call_name(instr);
        let offsets = offsets(instr);
        let mut values = Vec::new();
        for (id, number) in &regions.numbers {
            if program.size(*id).is_some() {
                continue;
            }
            if offsets.contains(id) {
                values.push((*id, 0));
                continue;
            }
            let range = number
                .as_ref()
                .and_then(|number| self.regions.range(regions, number));
            let Some((least, most)) = range else {
                let text = a2lint_ir::ScalarNames::new(program).text(*id);
                return Err(format!("nothing bounds `{text}`, on which {name} depends"));
            };
            values.push((*id, if largest { most } else { least }));
        }
        Ok(values)
    }
}

/// Names the number that an instruction is not legal with, as a clause.
fn too_large(program: &Program, instr: &Instr, (id, value): (ScalarId, i64)) -> String {
    let text = a2lint_ir::ScalarNames::new(program).text(id);
    let name = program.call_name(instr);
    let mut params = instr.row().params().zip(&instr.args);
    let field = params.find(|(_, arg)| arg.value.scalar() == Some(id));
    let field = field.map_or_else(String::new, |(param, _)| format!(", its {},", param.name));
    format!(
        "{name} is not legal if `{text}`{field} is {value}, which is not shown to be impossible"
    )
}

/// Returns the scalars of an instruction that its legality depends on.
fn numbers(program: &Program, instr: &Instr) -> Vec<ScalarId> {
    let all = deciding(program, instr, Values::All).into_iter();
    let all = all.filter(|(_, wanted)| *wanted != Wanted::None);
    all.map(|it| it.0).collect()
}

fn offsets(instr: &Instr) -> FxHashSet<ScalarId> {
    let views = instr.operands().filter_map(|(_, _, view)| view.local());
    views.flat_map(|view| view.offset).collect()
}

/// Proves that no undefined data is read, given the proofs of operands, order and progress.
pub(super) fn initialised(subject: &Subject, proofs: &Proofs) -> Proof {
    let program = subject.program;
    let (mut under, mut assuming) = match proofs.before_definedness() {
        Ok(needed) => needed,
        Err(open) => return open,
    };
    let limits = capacity::limits(program);
    let room = Room::of(program);
    let stored = program.stored();
    let with_contents = with_contents(subject);
    let is_given = |id: GlobalId| {
        let is_parameter = program.global(id).kind == GlobalKind::Param;
        let is_undefined = program.workspaces.contains(&id);
        is_parameter && !is_undefined && !stored.contains(&id) || with_contents.contains(&id)
    };
    let (outcome, positive) = weakest_precondition(program, |positive| {
        let given = room.limited(&with(&limits, positive));
        let open = unread(program, subject.analysis, &given, &is_given);
        (open.is_none(), open)
    });
    let more = match outcome {
        None => with(&limits, &positive),
        Some((because, at)) => {
            let fits = |given: &[Given]| {
                let given = room.limited(given);
                given.iter().all(Given::is_possible)
                    && unread(program, subject.analysis, &given, &is_given).is_none()
            };
            match in_whole_blocks(subject, &limits, fits) {
                Some(given) => given,
                None => return Proof::open_at(because, subject.span(at)),
            }
        }
    };
    under.extend(more.iter().map(|given| Precondition::of(program, given)));
    assuming.extend(with_contents.iter().map(|&id| has_contents(program, id)));
    Proof::Holds { under, assuming }
}

/// Returns the tensors that the kernel loads and stores, and to which all known launches give contents.
pub(super) fn with_contents(subject: &Subject) -> Vec<GlobalId> {
    let (program, launches) = (subject.program, &subject.launches);
    let stored = program.stored();
    let is_loaded = |id: GlobalId| {
        program.instructions().iter().any(|(_, instr)| {
            let mut operands = instr.operands();
            operands.any(|(_, operand, view)| {
                let is_it = view.global().is_some_and(|view| view.global == id);
                is_it && operand.access.reads()
            })
        })
    };
    let is_filled = |id: GlobalId| {
        let contents = launches
            .iter()
            .map(|bound| &bound.globals[id.index()].contents);
        !launches.is_empty()
            && contents
                .into_iter()
                .all(|it| !matches!(it, Contents::Undefined))
    };
    let all = (0..).map(GlobalId).zip(&program.globals);
    let both = all.filter(|(id, global)| {
        let is_workspace = program.workspaces.contains(id);
        global.kind == GlobalKind::Param
            && stored.contains(id)
            && !is_workspace
            && is_filled(*id)
            && is_loaded(*id)
    });
    both.map(|(id, _)| id).collect()
}

/// Returns the assumption that a launch gives contents to a tensor that the kernel loads and stores.
pub(super) fn has_contents(program: &Program, id: GlobalId) -> Assumption {
    let name = &program.global(id).name;
    Assumption::other(format!("`{name}` has contents when the kernel starts"))
}

/// Returns conditions under which a proof succeeds: parameters that are rounded down to blocks are multiples of these,
/// as far as that is needed.
fn in_whole_blocks(
    subject: &Subject,
    limits: &[Given],
    fits: impl Fn(&[Given]) -> bool,
) -> Option<Vec<Given>> {
    let mut given = with(limits, &sizes(subject.program));
    let cut = Judge::new(subject, &given).regions.cut();
    let mut divided: Vec<usize> = Vec::new();
    for (at, given) in given.iter_mut().enumerate() {
        if let Some((_, block)) = cut.iter().find(|(id, _)| *id == given.parameter) {
            given.class = Congruence::new(*block, 0);
            divided.push(at);
        }
    }
    (!divided.is_empty() && fits(&given)).then_some(())?;
    for at in divided {
        let class = std::mem::replace(&mut given[at].class, Congruence::ANY);
        if !fits(&given) {
            given[at].class = class;
        }
    }
    Some(given)
}

/// Adds to conditions on parameters that some are at least 1.
pub(super) fn with(limits: &[Given], positive: &[a2lint_ir::VariableId]) -> Vec<Given> {
    let mut given = limits.to_vec();
    for &id in positive {
        match given.iter_mut().find(|given| given.parameter == id) {
            Some(known) => known.range.min = known.range.min.max(1),
            None => given.push(Given::at_least_one(id)),
        }
    }
    given
}

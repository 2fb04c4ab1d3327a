//! Checks single instructions, with numbers from the caller.

use std::ops::Range;
use std::sync::Arc;

use super::access::Rows;
use super::allocate::AllocationError;
use super::bound::{BoundGlobal, BoundLaunch, Contents};
use super::chip::Chip;
use super::lane::Lane;
use super::lane_id::{LaneId, LaneKind};
use super::observer::NullObserver;
use super::operation::{Operation, Tile, Work};
use super::outcome::{Illegal, Illegality};
use super::resolve::Resolver;
use super::sanitizer::{FindingKind, SanitizerFinding};
use super::setup::{Options, Setup};
use super::shared_state::{ObservedState, SharedState};
use super::value::Value;
use super::vector::{Flow, Plan, Repeats, VectorOptions};
use a2lint_ir::sync::{pipe_of, side_of};
use a2lint_ir::{Arg, BinaryOp, BufferId, Instr, LocalView, Program, Scalar, ScalarId, Stmt};
use a2lint_isa::device::SUB_BLOCKS;
use a2lint_isa::{DST, DType, ParamKind, Side};

/// A machine that executes nothing: it reports what is wrong with the operands of an instruction under given
/// sizes, strides and offsets. The bounds of global tensors do not matter.
pub struct Trial<'t, 'w> {
    program: &'t Program,
    lanes: [Lane<'t>; 2],
    observed: ObservedState<'w>,
}

/// An objection of the machine to the operands of an instruction.
#[derive(Clone, Debug, PartialEq)]
pub enum OperandFault {
    /// The machine cannot resolve or execute the instruction.
    Reason(String),
    /// The sanitizer has a finding.
    Found(FindingKind),
}

/// Calls `look` with such a machine; `types` are the element types of the global tensors.
///
/// # Errors
/// The reason why buffers cannot be placed.
pub fn try_out<R>(
    program: &Program,
    types: &[DType],
    look: impl for<'t> FnOnce(&'t Program, &mut Trial<'t, '_>) -> R,
) -> Result<R, String> {
    let launch = launch(program, types);
    let mut setup = Setup::new(program, &launch, Options::default())
        .map_err(|error: AllocationError| error.message(program))?;
    // Double counting depends on what ran before, not on operands.
    setup.has_sums = false;
    let setup = Arc::new(setup);
    let chip = Chip::new(&launch, &setup.allocation, 1);
    let mut shared = SharedState::new(chip, program.stmt_count, true);
    let mut null_observer = NullObserver;
    let lane = |kind| Lane::new(&setup, LaneId { core: 0, kind });
    let mut trial = Trial {
        program,
        lanes: [lane(LaneKind::Cube), lane(LaneKind::Vec(0))],
        observed: shared.observed_by(&mut null_observer),
    };
    Ok(look(program, &mut trial))
}

/// Returns a launch that represents all launches: its tensors have one element each.
fn launch(program: &Program, types: &[DType]) -> BoundLaunch {
    let globals = program.globals.iter().zip(types);
    BoundLaunch {
        device: program.device,
        cores: 1,
        vec_lanes: SUB_BLOCKS,
        unrounded: Vec::new(),
        parameters: Vec::new(),
        globals: globals
            .map(|(global, &dtype)| BoundGlobal {
                name: global.name.to_string(),
                dtype,
                shape: vec![1; global.shape.len()],
                bytes: dtype.bytes_of(1).max(1) as usize,
                contents: Contents::Undefined,
            })
            .collect(),
    }
}

impl<'t> Trial<'t, '_> {
    /// Returns what is wrong with the operands of an instruction, if anything is, under the given values of
    /// scalars and words of the vector mask (lanes 64 to 127, then 0 to 63).
    pub fn complaint(
        &mut self,
        (stmt, instr): (&Stmt, &'t Instr),
        numbers: impl Iterator<Item = (ScalarId, Value)>,
        mask: [u64; 2],
    ) -> Option<OperandFault> {
        if let Some(buffer) = shifted_in_one_slot(self.program, instr) {
            let name = self.program.buffer(buffer).label();
            let reason = format!("two of its operands may lie in one slot of `{name}`");
            return Some(OperandFault::Reason(reason));
        }
        let operation = match self.operation(instr, numbers, mask) {
            Ok(operation) => operation?,
            Err(reason) => return Some(OperandFault::Reason(reason)),
        };
        let pipe = pipe_of(self.program, instr);
        let lane = &mut self.lanes[lane_of(self.program, instr)];
        let outcome = self.observed.operate(lane, stmt, pipe, &operation, None);
        if outcome.is_err() {
            return Some(OperandFault::Reason("it stops the machine".to_owned()));
        }
        self.take_complaint(instr)
    }

    /// Reports what each result of a vector instruction is computed from, see [`Plan::flows`]; bytes are
    /// counted from the start of the operand's slot.
    ///
    /// # Errors
    /// The reason why that is unknown.
    pub fn flows(
        &mut self,
        instr: &'t Instr,
        numbers: impl Iterator<Item = (ScalarId, Value)>,
        mask: [u64; 2],
        each: &mut dyn FnMut(&Repeats, Flow),
    ) -> Result<(), String> {
        let unknown = || {
            format!(
                "what {} computes its results from is not followed",
                self.program.call_name(instr)
            )
        };
        let Some(operation) = self.operation(instr, numbers, mask)? else {
            return Err(unknown());
        };
        let Operation::Vector(call, tiles) = &*operation else {
            return Err(unknown());
        };
        let lane = &self.lanes[lane_of(self.program, instr)];
        let plan = Plan::new(call, Some(&lane.mask), VectorOptions::default());
        let plan = plan.map_err(|fault| fault.to_string())?;
        let base = |operand: usize| tiles[operand].map_or(0, |tile| tile.base);
        let is_followed = plan.flows(&mut |repeats, mut flow| {
            flow.written = shifted(&flow.written, base(0));
            for (operand, bytes) in &mut flow.read {
                *bytes = shifted(bytes, base(*operand));
            }
            each(repeats, flow);
        });
        is_followed.then_some(()).ok_or_else(unknown)
    }

    /// Returns the rows that a move reads or writes in UB, by operand; bytes are counted from the start of
    /// the slot.
    ///
    /// # Errors
    /// The reason why they are unknown.
    pub fn rows_in_ub(
        &mut self,
        instr: &'t Instr,
        numbers: impl Iterator<Item = (ScalarId, Value)>,
    ) -> Result<[Option<Rows>; 2], String> {
        let operation = self.operation(instr, numbers, [u64::MAX; 2])?;
        let rows = |tile: &Tile, length, pitch, count| {
            let start = tile.row_major_address() - tile.base;
            Some(Rows {
                start,
                length,
                pitch,
                count,
            })
        };
        Ok(match operation.as_deref() {
            Some(Operation::LoadRows(it)) => {
                [rows(&it.tile, it.row_bytes, it.ub_pitch, it.rows), None]
            }
            Some(Operation::StoreRows(it)) => {
                [None, rows(&it.tile, it.row_bytes, it.ub_pitch, it.rows)]
            }
            Some(Operation::CopyBlocks(it)) => [
                rows(&it.dst, it.row_bytes, it.pitches[0], it.rows),
                rows(&it.src, it.row_bytes, it.pitches[1], it.rows),
            ],
            _ => [None, None],
        })
    }

    /// Resolves an instruction with these numbers; `None` if it is no work for a unit.
    fn operation(
        &mut self,
        instr: &'t Instr,
        numbers: impl Iterator<Item = (ScalarId, Value)>,
        mask: [u64; 2],
    ) -> Result<Option<Box<Operation>>, String> {
        let lane = &mut self.lanes[lane_of(self.program, instr)];
        for (id, value) in numbers {
            lane.environment.suppose(id, value);
        }
        // A variable that the instruction reads or writes needs some value; operands do not depend on it.
        for variable in instr.args.iter().filter_map(Arg::variable) {
            lane.environment.assign(variable, Value::Int(0));
        }
        lane.mask.set_mask(mask[0], mask[1]);
        let work = Resolver {
            setup: &lane.setup,
            environment: &mut lane.environment,
            instr,
            atomic: None,
            stood_in: false,
        }
        .work();
        match work {
            Ok(Work::Unit(operation, _)) => Ok(Some(operation)),
            Ok(_) => Ok(None),
            Err(unresolved) => Err(unresolved.reason(self.program, instr)),
        }
    }

    fn take_complaint(&mut self, instr: &Instr) -> Option<OperandFault> {
        let seen = &mut *self.observed.monitor.seen;
        let found = std::mem::take(&mut seen.findings).finish();
        let illegal = std::mem::take(&mut seen.illegal);
        // The tensors have one element, which is undefined: neither leaving them nor reading that means anything here.
        let is_of_operands = |kind: &FindingKind| {
            !matches!(
                kind,
                FindingKind::GlobalBounds { .. } | FindingKind::UndefinedScalar
            )
        };
        // Slots are not told apart here.
        let is_of_slots = |seen: &SanitizerFinding| {
            matches!(seen.kind, FindingKind::SharedOperands { .. })
                && !seen
                    .operand
                    .is_some_and(|at| may_share_slot(self.program, instr, at))
        };
        let found = found.into_iter().filter(|seen| !is_of_slots(seen));
        let found = found.map(|seen| seen.kind);
        // The staging of products in L0 is checked as capacity.
        let of_operands = |illegal: &Illegal| !matches!(illegal.reason, Illegality::Staging { .. });
        let reasons = illegal
            .into_iter()
            .filter(of_operands)
            .map(|illegal| OperandFault::Reason(illegal.reason.to_string()));
        let found = found.filter(is_of_operands).map(OperandFault::Found);
        found.chain(reasons).next()
    }
}

/// Returns a buffer of which the destination and a source take different windows in slots that may be one: a trial has
/// some slots, and others may meet.
fn shifted_in_one_slot(program: &Program, instr: &Instr) -> Option<BufferId> {
    let dst = instr.local(DST)?;
    let steps = |at: usize| {
        let kinds = [ParamKind::BlockStride(at), ParamKind::RepeatStride(at)];
        kinds.map(|kind| instr.scalar(kind))
    };
    let meets = |at: usize, src: &LocalView| {
        let window = |view: &LocalView| (view.offset, view.span, view.dtype);
        src.buffer == dst.buffer
            && src.slot != dst.slot
            && program.buffer(dst.buffer).slots > 1
            && may_share_slot(program, instr, at)
            && (window(src) != window(dst) || steps(at) != steps(DST))
    };
    let mut operands = instr.operands();
    let is_met = operands.any(|(at, operand, view)| {
        let src = view.local().filter(|_| operand.access.reads() && at != DST);
        src.is_some_and(|src| meets(at, src))
    });
    is_met.then_some(dst.buffer)
}

/// Returns whether a source may lie in the slot of the destination. Only slots with numbers, or numbers that differ by
/// a constant, are certain to be two.
fn may_share_slot(program: &Program, instr: &Instr, source: usize) -> bool {
    let [dst, src] = [DST, source].map(|at| instr.local(at));
    let Some((dst, src)) = dst.zip(src) else {
        return true;
    };
    let slots = i64::from(program.buffer(dst.buffer).slots);
    if dst.buffer != src.buffer || slots <= 1 {
        return true;
    }
    let [(own, first), (other, second)] =
        [dst.slot, src.slot].map(|id| number_and_more(program, id));
    own != other || (first - second).rem_euclid(slots) == 0
}

/// Splits a number into one without a constant and the constant that is added to it.
fn number_and_more(program: &Program, id: ScalarId) -> (Option<ScalarId>, i64) {
    let scalars = &program.scalars;
    if let Some(constant) = scalars.as_int(id) {
        return (None, constant);
    }
    match scalars.get(id) {
        Scalar::Binary(BinaryOp::Add, number, more) => match scalars.as_int(more) {
            Some(more) => (Some(number), more),
            None => (Some(id), 0),
        },
        _ => (Some(id), 0),
    }
}

/// Returns the index of the lane that executes an instruction: of the cube, or the first vec lane.
fn lane_of(program: &Program, instr: &Instr) -> usize {
    match side_of(program, instr) {
        Side::Vec => 1,
        Side::Cube | Side::Both => 0,
    }
}

fn shifted(bytes: &Range<i64>, base: i64) -> Range<i64> {
    bytes.start - base..bytes.end - base
}

/// Returns the parameter that holds the distance of rows in global memory, which has no effect on on-chip
/// memory.
pub fn global_pitch(instr: &Instr) -> Option<usize> {
    let row = instr.row();
    let names = ["src_stride_element", "dst_stride_element", "N_src", "N_dst"];
    names.iter().find_map(|name| row.index_named(name))
}

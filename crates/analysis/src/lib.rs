//! Facts about a program that hold for any launch: scalars, footprints, definedness, masks, values, order.
//!
//! [`KernelFacts::of`] analyses a kernel once for all who ask; rules and proofs read its [`Analysis`]. Whatever is not
//! constant is a symbol or unknown, and an unknown never becomes a finding.
//!
//! # Modules
//! - `scalar`: numbers as linear expressions over symbols (parameters, device queries, loop iterations, results that
//!   are not linear), with an interval, a residue class and inequalities for each symbol. `symbols` knows what an
//!   operation implies for its result (`Symbols::record_operation`: minimum, quotients, rounding up); `walk` follows
//!   scalars through assignments, branches and loops, which are summarised once and then walked once; `growth` bounds
//!   numbers by polynomials in parameters.
//! - `footprint`, `extents`, `moves`: bytes that an operand *may* touch in any execution and *must* touch in every one,
//!   relative to its slot; windows on global tensors.
//! - `definedness`: which bytes may have been written, on the first pass through loops and on any pass.
//! - `mask`: the vector mask before each statement, and which `set_mask` may be in force there.
//! - `reaching`, `values`, `escape`: which writes a read may find, what is known of the values, and whether undefined
//!   lanes take part in a result. They are computed when a rule first asks.
//! - `paths`, `control`: a state followed along every path, with the first and the last iteration of a loop by
//!   themselves.
//! - `order`: which conflicting accesses may be made while an earlier one is still at work; `proof`: linear arithmetic
//!   over the places of accesses (Fourier-Motzkin elimination in `proof::system`, coverage in `proof::cover`).
//! - `fields`, `operands`, `validity`, `staging`, `scalar_fault`: legal fields, operands and types, and numbers
//!   that leave their types.
//! - `settle`: products that add to sums which may not be complete.
//! - `unit_flags`: whether products and copies from L0C find their unit flags.
//! - `preconditions`, `assignments`, `contract`: the weakest preconditions of an attempt, all values that an
//!   instruction's numbers may have, and what a contract says of each name.
//!
//! # What it must not know
//! The machine and rules. What a move touches comes from `ir::transfer`, what orders accesses from `ir::sync`: nothing
//! of it is described again here.
//!
//! # Where to start reading
//! `Analysis::of` in `lib.rs`; `footprint::footprint_of`; `scalar::walk::walk` and `Symbols::operation`; `follow_lane`
//! in `order/lane.rs` and `order/state.rs`; `System` in `proof/system.rs`.
//!
//! # Invariants
//! - Whatever a run does lies inside of the footprints, definedness and scalars that the analysis gives
//!   (`random_programs_do_what_the_analysis_says`, `clean_kernels_do_what_the_analysis_says` in
//!   `tests/it/soundness.rs`; `moves_touch_what_is_said_of_them` in `tests/it/moves.rs`;
//!   `concrete_runs_stay_inside_of_what_is_known`).
//! - Every hazard that a run can show is among the pairs of `Order::open` (`hazards_of_runs_are_among_the_open_pairs`,
//!   `random_hazards_are_among_the_open_pairs` in `tests/it/order/mod.rs`).
//! - Elimination excludes nothing that is possible (`nothing_possible_is_excluded`).
//! - A check analyses each kernel once (`a_check_analyses_each_kernel_once` in `crates/lint/src/check/tests.rs`).
//!
//! # What it can miss
//! It over-approximates: "may" is more than what happens, and what cannot be shown stays open. Sums of more than 64
//! terms are symbols of their own; footprints walk at most 4,096 repeats; a read knows at most 24 sources; kernels of
//! more than 1,500 accesses are undecided in order; attempts of linear arithmetic have fuel. Signed arithmetic over
//! numbers without known bounds is taken not to overflow. Order takes accesses to stay inside of their tensors, which
//! `bounds` and `operands` prove.

// Slicing a string at an unchecked position panics inside of a character; `text::Slice` takes any position.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod assignments;
mod bounds;
mod changing;
mod contract;
mod control;
mod definedness;
mod definitions;
mod dependence;
mod escape;
mod event_ids;
mod extents;
mod facts;
mod fields;
mod footprint;
mod mask;
mod moves;
mod one_row;
mod operands;
mod order;
mod paths;
mod preconditions;
mod proof;
mod ranges;
mod reaching;
mod scalar;
mod scalar_fault;
mod settle;
mod staging;
mod unit_flags;
mod unset;
mod validity;
mod values;

use std::ops::Range;
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use a2lint_ir::{BufferId, Instr, LocalView, Program, Stmt, StmtId};
pub use a2lint_ir::{Factor, SlotKey, Sum, Workers, slot_key};
use a2lint_isa::Access;
pub use assignments::{Ask, Assigned, Assignments, Unassigned, assignments, short_loop};
pub use bounds::{Bound, bounds};
pub use changing::Changing;
pub use contract::{Domain, Domains};
pub use control::{ControlFacts, Phase};
pub use definitions::Definitions;
pub use dependence::Dependence;
pub use escape::{escapes, result_escapes};
pub use event_ids::{IdFault, IdFaultKind, id_faults};
pub use extents::{InstrExtents, OperandExtent, Slots};
pub use facts::{KernelFacts, analysed};
pub use fields::{CountFault, Field, FieldFault, count_fault, field_faults, has_illegal_number};
pub use footprint::{Footprint, footprint, resolved, view_bytes, view_start};
pub use mask::{MaskOrigin, MaskReach, MaskState, is_partial, mask_lanes, mask_words};
pub use moves::GlobalWindow;
pub use one_row::{InstructionRegions, Region, Regions, has_one_row, unread};
pub use operands::{FaultyOperand, OperandFault};
pub use order::{MissingCondition, Order, UnorderedPair, is_core_index};
pub use paths::{Followed, Follower, PathState, follow, follow_with};
pub use preconditions::{
    Answers, largest, sizes, smallest, switches, weakest_precondition, weakest_precondition_without,
};
pub use proof::{
    AtLeast, Cover, Disjointness, Extent, Meeting, Place, Places, Relation, StoredKind, StoredPart,
    StoredRow, Stores,
};
pub use ranges::RangeSet;
pub use scalar::{
    Congruence, Given, Interval, Linear, Meaning, Pass, Polynomial, Start, Symbol, Symbols, Wanted,
};
pub use scalar_fault::{
    Limits, Reach, ScalarFault, ScalarFaultKind, demands_of_scalars, positive, reaches,
    relies_on_types, scalar_fault,
};
pub use settle::{HastyProduct, SAFE_FRACTALS, Waits, fractals, hasty_products, unsettled};
pub use staging::{Oversized, oversized};
pub use unit_flags::{UnitFlagFault, UnitFlags};
pub use unset::{Unset, unset};
pub use validity::{TypeFault, operand_types, type_fault};
pub use values::{Arrangement, Lanes, MaskForm, Value, Values, constant_values};

/// Facts about one program.
#[derive(Debug, Default)]
pub struct Analysis<'p> {
    /// Every instruction with its statement, in program order.
    pub instructions: Vec<(&'p Stmt, &'p Instr)>,
    /// Every operand of every legal instruction, in program order.
    pub touches: Vec<Touch<'p>>,
    /// Undefined bytes that instructions read.
    pub undefined_reads: Vec<UndefinedRead<'p>>,
    /// Bytes that a `dup` leaves undefined inside its own operand.
    pub gaps: Vec<Gap<'p>>,
    /// Operands that the instruction cannot have.
    pub faulty_operands: Vec<FaultyOperand<'p>>,
    /// Buffers with contents or readers that are not all known, because unknown code or an erroneous
    /// instruction touches them.
    pub obscured: FxHashSet<BufferId>,
    /// Buffers that unknown code and erroneous instructions may write.
    pub overwritten: FxHashSet<BufferId>,
    /// The vector mask before each instruction, if it is not full.
    pub masks: FxHashMap<StmtId, MaskState>,
    /// What is known of the operands and arguments of each instruction.
    pub extents: FxHashMap<StmtId, InstrExtents>,
    /// The masks that reach vector instructions.
    pub mask_reach: MaskReach,
    /// Positions in `touches` by buffer.
    by_buffer: FxHashMap<BufferId, Vec<usize>>,
    /// Computed on demand: many kernels have no rule that asks for it.
    values: OnceLock<Values>,
}

/// One operand of one instruction.
#[derive(Clone, Debug)]
pub struct Touch<'p> {
    /// The statement.
    pub stmt: &'p Stmt,
    /// The instruction.
    pub instr: &'p Instr,
    /// Parameter index of the operand.
    pub operand: usize,
    /// Reading, writing or both.
    pub access: Access,
    /// The view.
    pub view: &'p LocalView,
    /// Bytes touched, from the start of the slot.
    pub footprint: Footprint,
    /// The slots that it can be in.
    pub slots: Slots,
}

impl Touch<'_> {
    /// Returns the touched bytes, from the start of the slot, or `None` if they are not known exactly.
    pub fn bytes(&self) -> Option<&RangeSet> {
        self.footprint.exact()
    }
}

/// An operand that reads bytes nothing has written.
#[derive(Clone, Debug)]
pub struct UndefinedRead<'p> {
    /// Position in [`Analysis::touches`].
    pub touch: usize,
    /// The instruction.
    pub instr: &'p Instr,
    /// Bytes that are undefined when read.
    pub bytes: RangeSet,
    /// Whether no byte of the operand is defined.
    pub entirely: bool,
}

/// The part of its operand that a `dup` leaves out.
#[derive(Clone, Debug)]
pub struct Gap<'p> {
    /// The statement.
    pub stmt: &'p Stmt,
    /// The `dup`.
    pub instr: &'p Instr,
    /// The destination of the `dup`.
    pub view: &'p LocalView,
    /// Bytes of the view it writes.
    pub written: RangeSet,
    /// Bytes of the view that stay undefined.
    pub missing: RangeSet,
    /// Whether all readers of the slot have known footprints.
    pub readers_known: bool,
    /// Later readers that touch missing bytes while these are undefined.
    pub readers: Vec<usize>,
}

impl<'p> Analysis<'p> {
    /// Analyses a program; only [`KernelFacts`] does so.
    pub(crate) fn of(program: &'p Program) -> Self {
        let (masks, mask_reach) = mask::masks(program);
        let mut analysis = Analysis {
            masks,
            mask_reach,
            extents: extents::extents(program),
            ..Analysis::default()
        };
        let mut erroneous = FxHashSet::default();
        let instructions = program.instructions();
        for &(stmt, instr) in &instructions {
            // The checks after this one assume legal types and numbers.
            if type_fault(program, instr).is_some() || has_illegal_number(program, instr) {
                erroneous.insert(stmt.id);
                continue;
            }
            let mask = analysis.mask_at(stmt.id);
            let faulty = operands::faulty_operands(program, stmt, instr, mask);
            erroneous.extend(faulty.iter().map(|faulty| faulty.stmt.id));
            analysis.faulty_operands.extend(faulty);
        }
        analysis.instructions = instructions;
        definedness::analyse(program, &mut analysis, erroneous);
        analysis
    }

    /// Returns the operands on a buffer, in program order.
    pub fn touches_of(&self, buffer: BufferId) -> impl Iterator<Item = &Touch<'p>> {
        let indices = self.by_buffer.get(&buffer).map_or(&[][..], Vec::as_slice);
        indices.iter().map(|&at| &self.touches[at])
    }

    /// Returns the positions in `touches` of the operands of a statement.
    pub fn touches_at(&self, stmt: StmtId) -> Range<usize> {
        // Touches are in program order, and so are the numbers of statements.
        let first = self.touches.partition_point(|touch| touch.stmt.id < stmt);
        let rest = &self.touches[first..];
        first
            ..first
                + rest
                    .iter()
                    .take_while(|touch| touch.stmt.id == stmt)
                    .count()
    }

    /// Returns what is known of the values in on-chip memory.
    pub fn values(&self, program: &Program) -> &Values {
        self.values.get_or_init(|| Values::of(program, self))
    }

    /// Returns the vector mask before a statement.
    pub fn mask_at(&self, stmt: StmtId) -> MaskState {
        self.masks.get(&stmt).copied().unwrap_or(MaskState::Full)
    }

    /// Returns what is known of a local operand.
    pub fn extent(&self, stmt: StmtId, operand: usize) -> Option<&OperandExtent> {
        let extents = self.extents.get(&stmt)?;
        extents
            .operands
            .iter()
            .find(|known| known.operand == operand)
    }

    /// Returns the window of a global operand.
    pub fn global_window(&self, stmt: StmtId, operand: usize) -> Option<&GlobalWindow> {
        let extents = self.extents.get(&stmt)?;
        let known = extents.globals.iter().find(|known| known.0 == operand)?;
        Some(&known.1)
    }

    /// Returns the values that a scalar argument can have.
    pub fn argument(
        &self,
        program: &Program,
        stmt: StmtId,
        instr: &Instr,
        at: usize,
    ) -> Option<Interval> {
        let id = instr.args.get(at)?.value.scalar()?;
        if let Some(value) = program.scalars.as_int(id) {
            return Some(Interval::exact(value));
        }
        let known = self.extents.get(&stmt)?;
        let known = known.scalars.iter().find(|known| known.0 == at)?;
        Some(known.1)
    }

    /// Returns the operands that read a buffer, in program order.
    pub fn readers(&self, buffer: BufferId) -> impl Iterator<Item = &Touch<'p>> {
        self.touches_of(buffer).filter(|touch| touch.access.reads())
    }

    /// Returns the operands that write a buffer, in program order.
    pub fn writers(&self, buffer: BufferId) -> impl Iterator<Item = &Touch<'p>> {
        self.touches_of(buffer)
            .filter(|touch| touch.access.writes())
    }

    fn add(&mut self, touch: Touch<'p>) -> usize {
        let at = self.touches.len();
        self.by_buffer
            .entry(touch.view.buffer)
            .or_default()
            .push(at);
        self.touches.push(touch);
        at
    }
}

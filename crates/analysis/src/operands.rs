//! Operands that an instruction cannot have: rows narrower than a block in a padded move, starts off the
//! block grid, lanes outside of the tensor.
//!
//! Like an instruction with illegal types, one with such an operand is not analysed further: it makes no
//! accesses and leaves defined, unknown values.

use super::footprint::{footprint, resolved};
use super::mask::MaskState;
use super::ranges::RangeSet;
use a2lint_ir::{ArgSource, Granule, Instr, LocalView, Program, Stmt};
use a2lint_isa::{
    Access, BLOCK_BYTES, Class, DST, Layout, MaskUse, Operand, ParamKind, Place, Position,
    RepeatFrom, SRC, Walk,
};

/// A fault of an operand.
#[derive(Clone, Debug, PartialEq)]
pub enum OperandFault {
    /// A move of padded rows on a tensor whose rows are narrower than a block.
    NarrowRows {
        /// Number of rows that are moved; `None` if it is not constant.
        rows: Option<i64>,
        /// Bytes of one row of the tensor.
        row_bytes: i64,
        /// Bytes of the tensor's own slot.
        slot_bytes: i64,
        /// Bytes touched outside of the slot, relative to its start.
        outside: RangeSet,
    },
    /// A start at an address that is not allowed.
    Misaligned {
        /// Bytes past the last legal start.
        off_by: i64,
        /// Bytes from one legal start to the next.
        granule: i64,
    },
    /// Lanes outside of the tensor's own slot.
    Overrun {
        /// Bytes touched outside of the slot, relative to its start.
        outside: RangeSet,
        /// Bytes touched after the last element or before the first; more than `outside` if the slot was
        /// rounded up.
        beyond: i64,
        /// Bytes of the slot.
        slot_bytes: i64,
    },
}

/// An operand with a fault.
#[derive(Clone, Debug)]
pub struct FaultyOperand<'p> {
    /// The statement.
    pub stmt: &'p Stmt,
    /// The instruction.
    pub instr: &'p Instr,
    /// The way in which the instruction accesses the operand.
    pub access: Access,
    /// The view.
    pub view: &'p LocalView,
    /// The fault.
    pub fault: OperandFault,
}

/// Returns the faulty operands of an instruction with legal types and numbers. All have faults of one kind,
/// so that one mistake is reported once.
pub(super) fn faulty_operands<'p>(
    program: &'p Program,
    stmt: &'p Stmt,
    instr: &'p Instr,
    mask: MaskState,
) -> Vec<FaultyOperand<'p>> {
    let checks: [Check; 3] = [narrow_rows, misaligned, overrun];
    for check in checks {
        let found: Vec<_> = instr
            .operands()
            .filter_map(|(index, operand, view)| {
                let at = At {
                    program,
                    instr,
                    index,
                    operand,
                    view: view.local()?,
                    mask,
                };
                Some(FaultyOperand {
                    stmt,
                    instr,
                    access: operand.access,
                    view: view.local()?,
                    fault: check(&at)?,
                })
            })
            .collect();
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// A check for one kind of fault.
type Check = fn(&At) -> Option<OperandFault>;

/// One operand of one instruction.
struct At<'p> {
    program: &'p Program,
    instr: &'p Instr,
    index: usize,
    operand: &'static Operand,
    view: &'p LocalView,
    mask: MaskState,
}

impl At<'_> {
    fn position(&self) -> Position {
        self.program.buffer(self.view.buffer).position
    }

    fn constant(&self, name: &str) -> Option<i64> {
        self.program.size(self.instr.scalar_named(name)?)
    }

    /// Returns the bytes of the tensor's own slot.
    fn slot_bytes(&self) -> Option<i64> {
        let buffer = self.program.buffer(self.view.buffer);
        Granule::of(self.program.toolchain, buffer).bytes(self.program.constant_pair(buffer.shape)?)
    }

    /// Returns the touched bytes outside of the slot.
    fn outside(&self) -> Option<RangeSet> {
        let bytes = footprint(self.program, self.instr, self.index)?;
        Some(bytes.minus(&RangeSet::span(0, self.slot_bytes()?)))
    }
}

/// Checks for a move of rows narrower than a block, as its views imply it: every row takes a block.
fn narrow_rows(at: &At) -> Option<OperandFault> {
    if at.operand.walk != Walk::Rows
        || at.position() != Position::Ub
        // Rows that the call gives are taken as meant.
        || matches!(at.instr.named("n_burst")?.source, ArgSource::Given(_))
    {
        return None;
    }
    let row_bytes = at.view.dtype.bytes_of(at.program.size(at.view.shape[1])?);
    let burst_bytes = match at.instr.row().moves(Place::UB, Place::UB) {
        true => row_bytes,
        false => at.view.dtype.bytes_of(at.constant("burst_len_element")?),
    };
    let rows = at.constant("n_burst");
    // A single row may be narrower than a block, since no row follows it.
    let several = at.program.size(at.view.shape[0])? > 1 && rows.is_none_or(|rows| rows > 1);
    if !several || row_bytes >= BLOCK_BYTES || burst_bytes >= BLOCK_BYTES {
        return None;
    }
    Some(OperandFault::NarrowRows {
        rows,
        row_bytes,
        slot_bytes: at.slot_bytes()?,
        outside: at.outside().unwrap_or_default(),
    })
}

/// Checks for a start off the grid that the operand has to lie on.
fn misaligned(at: &At) -> Option<OperandFault> {
    let granule = granule(at)?;
    let off_by = match at.position() {
        Position::L0C | Position::L1 => start_in_strip(at.program, at.view, granule)?,
        _ => start(at.program, at.view, granule)?.rem_euclid(granule),
    };
    // A closure, since most operands are aligned and need no footprint.
    let touches_nothing =
        || footprint(at.program, at.instr, at.index).is_some_and(|bytes| bytes.is_empty());
    // The scalar unit writes sequences of at most a block of elements, at any address.
    let is_by_scalar = || {
        let bytes = footprint(at.program, at.instr, at.index).map(|bytes| bytes.len());
        at.instr.row().class == Class::Sequence && bytes.is_some_and(|bytes| bytes <= BLOCK_BYTES)
    };
    let is_fault = off_by != 0 && !touches_nothing() && !is_by_scalar();
    is_fault.then_some(OperandFault::Misaligned { off_by, granule })
}

/// Returns the bytes past a border in a matrix of fractals, whose rows are as wide as the distance of
/// borders.
fn start_in_strip(program: &Program, view: &LocalView, granule: i64) -> Option<i64> {
    let column = view.dtype.bytes_of(program.size(view.offset[1])?);
    let spans = view.span.map(|extent| program.size(extent));
    (!spans.contains(&Some(0))).then_some(column.rem_euclid(granule))
}

/// Returns the byte offset of a view's start from a border; if rows are whole granules, the row index does
/// not matter.
fn start(program: &Program, view: &LocalView, granule: i64) -> Option<i64> {
    let pitch = view.dtype.bytes_of(program.size(view.shape[1])?);
    let column = view.dtype.bytes_of(program.size(view.offset[1])?);
    match program.size(view.offset[0]) {
        Some(row) => row.checked_mul(pitch)?.checked_add(column),
        None => (pitch % granule == 0).then_some(column),
    }
}

/// Returns the distance of legal starts, or `None` if any element is legal. Operands of products are made of
/// fractals, and matrices in L1 and L0C start at their strips of columns.
fn granule(at: &At) -> Option<i64> {
    match at.position() {
        Position::Ub => at
            .instr
            .start_granule(at.program.toolchain, at.index, at.view.dtype),
        position @ (Position::L0A | Position::L0B) => Some(at.program.device.alignment(position)),
        position @ (Position::L0C | Position::L1) => {
            let layout = at.program.buffer(at.view.buffer).layout;
            let is_sum = at.instr.row().is_product() && at.index == DST;
            match (layout, at.operand.walk) {
                (Layout::Nz, Walk::Matrix) => Some(at.program.device.alignment(position)),
                (Layout::Linear, _) if is_sum => Some(at.program.device.alignment_of_sums()),
                _ => None,
            }
        }
        Position::Bt => None,
    }
}

/// Checks for lanes outside of the slot. Under a mask that may deactivate lanes nothing is certain.
fn overrun(at: &At) -> Option<OperandFault> {
    if at.position() != Position::Ub {
        return None;
    }
    let control = at.operand.walk == Walk::PackedBits && at.operand.access == Access::Read;
    if control || !all_lanes_active(at) {
        return None;
    }
    let outside = at.outside()?;
    if outside.is_empty() {
        return None;
    }
    let buffer = at.program.buffer(at.view.buffer);
    let [rows, columns] = at.program.constant_pair(buffer.shape)?;
    let own = RangeSet::span(0, buffer.dtype.bytes_of(rows.checked_mul(columns)?));
    let touched = footprint(at.program, at.instr, at.index)?;
    Some(OperandFault::Overrun {
        outside,
        beyond: touched.minus(&own).len(),
        slot_bytes: at.slot_bytes()?,
    })
}

fn all_lanes_active(at: &At) -> bool {
    let row = at.instr.row();
    let unmasked = matches!(row.mask, MaskUse::Ignored | MaskUse::NotVector);
    if unmasked || at.instr.scalar(ParamKind::Count).is_some() {
        return true;
    }
    if at.instr.scalar(ParamKind::CountPerRepeat).is_some() {
        return resolved(at.program, at.instr, ParamKind::CountPerRepeat).is_some();
    }
    match row.repeat {
        // Lanes are those of the wider type; the mask has to be full for either.
        RepeatFrom::Wider(_) => [DST, SRC].iter().all(|&index| {
            at.instr
                .local(index)
                .is_some_and(|view| at.mask.is_full_for(view.dtype))
        }),
        _ => at.mask.is_full_for(at.view.dtype),
    }
}

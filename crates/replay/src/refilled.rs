//! Hazards that change nothing: memory that the library borrows is filled again with what it holds, or a lane stores
//! the same elements twice.

use a2lint_ir::{
    ArgSource, BufferId, GlobalView, Instr, LocalView, Program, ScalarId, StmtId, StmtKind,
};
use a2lint_isa::{Class, DST, DType, ParamKind, Place, SRC};
use a2lint_machine::hazards::{Hazard, HazardKind};

/// Returns whether a hazard is a fill of borrowed memory while a store still reads the same constant from it:
/// `InitOutput` in a loop.
pub(super) fn is_alike(program: &Program, hazard: &Hazard) -> bool {
    let local = |stmt, operand| {
        let instr = program.instruction(stmt)?;
        instr.local(operand).map(|view| view.buffer)
    };
    let (first, second) = (&hazard.first, &hazard.second);
    let read = local(first.stmt, first.operand);
    let written = local(second.stmt, second.operand);
    let (Some(read), Some(written)) = (read, written) else {
        return false;
    };
    let is_lent = |buffer: BufferId| program.buffer(buffer).handed.is_lent;
    let new = program.instruction(second.stmt);
    let new = new.and_then(|instr| constant(program, instr));
    hazard.kind == HazardKind::WriteAfterRead
        && is_lent(read)
        && is_lent(written)
        && new.is_some_and(|new| holds_alone(program, read, new))
}

/// Returns whether both accesses of a hazard store the same elements to the same place, so that memory holds the same
/// whichever comes last: in one iteration a lane stores twice from one element of a buffer, to one element of a tensor,
/// and nothing changes the buffer in between.
pub(super) fn stores_again(program: &Program, hazard: &Hazard) -> bool {
    let (first, second) = (&hazard.first, &hazard.second);
    let is_once = hazard.is_within_lane() && first.iterations == second.iterations;
    if hazard.kind != HazardKind::WriteAfterWrite || !is_once {
        return false;
    }
    let stores = [first.stmt, second.stmt].map(|stmt| Store::of(program, stmt));
    let [Some(one), Some(other)] = stores else {
        return false;
    };
    one.starts() == other.starts() && !changes_between(program, &one, first.stmt, second.stmt)
}

/// A store of one stretch of elements.
struct Store<'p> {
    global: &'p GlobalView,
    local: &'p LocalView,
}

impl<'p> Store<'p> {
    fn of(program: &'p Program, stmt: StmtId) -> Option<Store<'p>> {
        let instr = program.instruction(stmt)?;
        if !instr.row().moves(Place::UB, Place::Gm) || program.is_atomic(stmt) {
            return None;
        }
        let (global, local) = (instr.view(DST)?.global()?, instr.local(SRC)?);
        let is_one = |id: ScalarId| program.scalars.as_int(id) == Some(1);
        let rows = instr
            .row()
            .global_extents(DST)
            .map(|it| &instr.args[it.rows]);
        let is_burst = rows.is_none_or(|rows| {
            let is_given = matches!(rows.source, ArgSource::Given(_));
            !is_given || rows.value.scalar().is_some_and(is_one)
        });
        let is_stretch = global.axes.len() == 1 && is_one(local.span[0]) && is_burst;
        is_stretch.then_some(Store { global, local })
    }

    /// Returns the first element on both sides.
    fn starts(&self) -> (u32, ScalarId, BufferId, ScalarId, [ScalarId; 2], DType) {
        let local = self.local;
        let from = self.global.axes[0].start;
        let global = self.global.global.index() as u32;
        (
            global,
            from,
            local.buffer,
            local.slot,
            local.offset,
            local.dtype,
        )
    }
}

/// Returns whether a statement between two writes the buffer of a store, or a variable that its places depend on.
fn changes_between(program: &Program, store: &Store, first: StmtId, second: StmtId) -> bool {
    let between = first.min(second)..first.max(second);
    let mut places = vec![store.global.axes[0].start, store.local.slot];
    places.extend(store.local.offset);
    let is_used = |variable| {
        let mut places = places.iter();
        places.any(|&id| program.scalars.mentions(id, variable))
    };
    let mut is_changed = false;
    program.walk(&mut |stmt| {
        if !between.contains(&stmt.id) {
            return;
        }
        is_changed |= match &stmt.kind {
            StmtKind::Instr(instr) => {
                instr.writes(store.local.buffer) || instr.reads_into().is_some_and(is_used)
            }
            StmtKind::Assign { variable, .. } => is_used(*variable),
            // Both are in the same iteration of all loops, so a whole loop lies between them.
            StmtKind::Loop { variable, .. } => is_used(*variable),
            StmtKind::Havoc(_) | StmtKind::Opaque | StmtKind::UnknownLoop { .. } => true,
            _ => false,
        };
    });
    is_changed
}

/// Returns whether everything that is written to a buffer is this constant.
fn holds_alone(program: &Program, buffer: BufferId, wanted: (f64, DType)) -> bool {
    let instructions = program.instructions();
    let mut writers = instructions
        .iter()
        .filter(|(_, instr)| instr.writes(buffer));
    // A positive zero is the same bits in all types.
    writers.all(|(_, instr)| {
        constant(program, instr).is_some_and(|(value, dtype)| {
            let is_same = value.to_bits() == wanted.0.to_bits();
            is_same && (dtype == wanted.1 || value.to_bits() == 0)
        })
    })
}

/// Returns the constant with which an instruction fills its destination, and its type.
fn constant(program: &Program, instr: &Instr) -> Option<(f64, DType)> {
    let is_fill = instr.row().class == Class::Fill;
    let value = instr.scalar(ParamKind::Value).filter(|_| is_fill)?;
    let value = program.scalars.as_float(value)?;
    Some((value, instr.local(DST)?.dtype))
}

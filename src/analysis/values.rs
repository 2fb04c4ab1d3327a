//! What is known of the values in a buffer, from the instructions that write it.

use rustc_hash::FxHashSet;

use super::{Analysis, Touch, resolved};
use crate::ir::{BufferId, Instr, Program, ScalarId, StmtKind, VariableId};
use crate::isa::{Class, Opcode, ParamKind};

/// Whether the lanes of a buffer hold the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// Every writer leaves the same value in all lanes it writes.
    Alike,
    /// Some writers leave a value of its own in each lane, the others the same everywhere.
    Mixed,
    /// Every writer leaves a value of its own in each lane.
    Varied,
    /// Not known.
    Unknown,
}

impl Lanes {
    /// Lanes of a buffer that both writers contribute to.
    fn beside(self, other: Lanes) -> Lanes {
        match (self, other) {
            (Lanes::Unknown, _) | (_, Lanes::Unknown) => Lanes::Unknown,
            (a, b) if a == b => a,
            _ => Lanes::Mixed,
        }
    }

    /// Lanes of a result computed from both operands.
    fn combined(self, other: Lanes) -> Lanes {
        match (self, other) {
            (Lanes::Unknown, _) | (_, Lanes::Unknown) => Lanes::Unknown,
            (Lanes::Alike, lanes) | (lanes, Lanes::Alike) => lanes,
            (Lanes::Varied, Lanes::Varied) => Lanes::Varied,
            _ => Lanes::Mixed,
        }
    }
}

/// What the writers of a buffer leave in its lanes.
pub fn lanes_of(program: &Program, analysis: &Analysis, buffer: BufferId) -> Lanes {
    let mut open = FxHashSet::default();
    written(program, analysis, buffer, &mut open).unwrap_or(Lanes::Unknown)
}

/// `None` for a buffer that is being looked at already: it adds nothing of its own.
fn written(
    program: &Program,
    analysis: &Analysis,
    buffer: BufferId,
    open: &mut FxHashSet<BufferId>,
) -> Option<Lanes> {
    if !open.insert(buffer) {
        return None;
    }
    if analysis.obscured.contains(&buffer) {
        return Some(Lanes::Unknown);
    }
    let lanes = analysis
        .writers(buffer)
        .filter_map(|touch| by_writer(program, analysis, touch, open))
        .reduce(Lanes::beside)
        .unwrap_or(Lanes::Unknown);
    open.remove(&buffer);
    Some(lanes)
}

fn by_writer(
    program: &Program,
    analysis: &Analysis,
    touch: &Touch,
    open: &mut FxHashSet<BufferId>,
) -> Option<Lanes> {
    let row = touch.instr.row();
    match row.class {
        Class::Fill => Some(Lanes::Alike),
        Class::Unary | Class::Binary | Class::ScalarOp | Class::Cast => touch
            .instr
            .operands()
            .filter(|(_, operand, _)| operand.access.reads())
            .filter_map(|(_, _, view)| written(program, analysis, view.local()?.buffer, open))
            .reduce(Lanes::combined),
        Class::Move if row.opcode == Opcode::GmToUbPad => Some(loaded(program, touch.instr)),
        Class::Reduce => Some(match resolved(program, touch.instr, ParamKind::Repeat) {
            Some(1) => Lanes::Alike,
            Some(_) => Lanes::Varied,
            None => Lanes::Unknown,
        }),
        _ => Some(Lanes::Unknown),
    }
}

/// A load of several elements brings as many values.
fn loaded(program: &Program, instr: &Instr) -> Lanes {
    let number = |name| program.scalars.as_int(instr.scalar_named(name)?);
    match (number("n_burst"), number("burst_len_element")) {
        (Some(rows), Some(length)) if rows * length > 1 => Lanes::Varied,
        _ => Lanes::Unknown,
    }
}

/// The constants a variable is ever given; `None` where one is not constant.
pub fn constant_values(program: &Program, variable: VariableId) -> Option<Vec<i64>> {
    let mut values: Option<Vec<i64>> = Some(Vec::new());
    let mut read_back = false;
    program.walk(&mut |stmt| match &stmt.kind {
        StmtKind::Assign {
            variable: assigned,
            value,
        } if *assigned == variable => add(program, &mut values, *value),
        StmtKind::Instr(instr) if instr.opcode == Opcode::GetValueFrom => {
            let receiver = instr.args.first().map(|arg| &arg.value);
            read_back |= receiver == Some(&crate::ir::ArgValue::Variable(variable));
        }
        _ => {}
    });
    values.filter(|values| !read_back && !values.is_empty())
}

fn add(program: &Program, values: &mut Option<Vec<i64>>, value: ScalarId) {
    match (program.scalars.as_int(value), values.as_mut()) {
        (Some(value), Some(values)) => values.push(value),
        _ => *values = None,
    }
}

/// How one value per row lies in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// Side by side, as reductions leave them.
    Packed,
    /// Each filling a block, as `brcb` leaves them.
    Blocks,
    /// The same value everywhere: fits both.
    Uniform,
    /// Anything else.
    Unknown,
}

impl Arrangement {
    fn with(self, other: Arrangement) -> Arrangement {
        match (self, other) {
            (Arrangement::Uniform, other) | (other, Arrangement::Uniform) => other,
            (a, b) if a == b => a,
            _ => Arrangement::Unknown,
        }
    }
}

/// How the writers of a buffer arrange one value per row in it.
pub fn arrangement_of(program: &Program, analysis: &Analysis, buffer: BufferId) -> Arrangement {
    let mut open = FxHashSet::default();
    arranged(program, analysis, buffer, &mut open).unwrap_or(Arrangement::Unknown)
}

/// `None` for a buffer that is being looked at already.
fn arranged(
    program: &Program,
    analysis: &Analysis,
    buffer: BufferId,
    open: &mut FxHashSet<BufferId>,
) -> Option<Arrangement> {
    if !open.insert(buffer) {
        return None;
    }
    let mut arrangement = None;
    if analysis.overwritten.contains(&buffer) {
        arrangement = Some(Arrangement::Unknown);
    } else {
        for touch in analysis.writers(buffer) {
            let writer = arranged_by(program, analysis, touch, open);
            arrangement = match (arrangement, writer) {
                (Some(Arrangement::Unknown), _) => break,
                (Some(a), Some(b)) => Some(Arrangement::with(a, b)),
                (a, b) => a.or(b),
            };
        }
    }
    open.remove(&buffer);
    arrangement.or(Some(Arrangement::Unknown))
}

fn arranged_by(
    program: &Program,
    analysis: &Analysis,
    touch: &Touch,
    open: &mut FxHashSet<BufferId>,
) -> Option<Arrangement> {
    match touch.instr.row().class {
        Class::Fill => Some(Arrangement::Uniform),
        Class::Reduce => Some(Arrangement::Packed),
        Class::Broadcast => Some(Arrangement::Blocks),
        Class::Unary | Class::Binary | Class::ScalarOp => touch
            .instr
            .operands()
            .filter(|(_, operand, _)| operand.access.reads())
            .filter_map(|(_, _, view)| arranged(program, analysis, view.local()?.buffer, open))
            .reduce(Arrangement::with),
        _ => Some(Arrangement::Unknown),
    }
}

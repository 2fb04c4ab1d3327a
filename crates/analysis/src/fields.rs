//! Whether the numbers of an instruction fit the fields of its encoding.
//!
//! An instruction with a number out of range makes no accesses and leaves defined, unknown values, so that
//! one mistake is reported once.

use super::footprint::resolved;
use super::mask::mask_lanes;
use super::scalar::Interval;
use a2lint_ir::{Instr, Program};
use a2lint_isa::{Class, DST, MARGIN_BYTES, Param, ParamKind};

/// A number that certainly does not fit its field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldFault {
    /// Index of the parameter.
    pub param: usize,
    /// The number.
    pub value: i64,
    /// The field.
    pub field: Field,
}

/// The fields that have limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Number of repeats.
    Repeat,
    /// Distance of blocks or repeats of one operand, in blocks.
    Stride {
        /// Parameter index of the operand.
        operand: usize,
        /// Highest value.
        limit: i64,
    },
    /// Number of rows of a padded move.
    Bursts,
    /// Length of the rows of a move, or gap between them; not negative if there are several rows.
    Row,
    /// Elements beside each row of a padded move.
    Margin {
        /// Highest number.
        limit: i64,
    },
}

/// Returns the numbers of an instruction that do not fit. A stride between repeats has no effect on a single
/// repeat; `count=` replaces repeats and strides.
pub fn field_faults(program: &Program, instr: &Instr) -> impl Iterator<Item = FieldFault> {
    let limits = program.device.limits;
    let params = instr.row().params().zip(&instr.args).enumerate();
    params.filter_map(move |(param, (declared, arg))| {
        let value = program.scalars.as_int(arg.value.scalar()?)?;
        let field = field(program, instr, declared)?;
        let limit = match field {
            Field::Repeat => instr.row().repeat_limit(limits),
            Field::Stride { limit, .. } | Field::Margin { limit } => limit,
            Field::Bursts => limits.bursts,
            // Only negative values are faults.
            Field::Row => i64::MAX,
        };
        let fits = (0..=limit).contains(&value);
        (!fits).then_some(FieldFault {
            param,
            value,
            field,
        })
    })
}

/// Returns the limited field that a parameter is in this call.
fn field(program: &Program, instr: &Instr, param: &Param) -> Option<Field> {
    if param.kind == ParamKind::Integer {
        return match (instr.row().class, param.name) {
            (Class::Move, "n_burst") => Some(Field::Bursts),
            (Class::Move, "left_padding" | "right_padding") => {
                let bits = instr.local(DST)?.dtype.bits();
                let limit = MARGIN_BYTES * 8 / bits;
                Some(Field::Margin { limit })
            }
            (Class::Move, _) => several_rows(program, instr).then_some(Field::Row),
            _ => None,
        };
    }
    // A count replaces repeats and strides.
    if instr.scalar(ParamKind::Count).is_some() {
        return None;
    }
    let limits = program.device.limits;
    Some(match param.kind {
        ParamKind::Repeat => Field::Repeat,
        ParamKind::BlockStride(operand) => Field::Stride {
            operand,
            limit: instr.row().block_stride_limit(limits),
        },
        ParamKind::RepeatStride(operand) if several_repeats(program, instr) => Field::Stride {
            operand,
            limit: instr.row().repeat_stride_limit(limits),
        },
        ParamKind::ResultStride if several_repeats(program, instr) => Field::Stride {
            operand: 0,
            limit: limits.repeat_stride,
        },
        _ => return None,
    })
}

fn several_repeats(program: &Program, instr: &Instr) -> bool {
    resolved(program, instr, ParamKind::Repeat).is_some_and(|repeats| repeats > 1)
}

/// Returns whether a move has several rows; a single one has no gap after it.
fn several_rows(program: &Program, instr: &Instr) -> bool {
    let rows = instr.scalar_named("n_burst");
    rows.and_then(|rows| program.size(rows))
        .is_some_and(|rows| rows > 1)
}

/// Counts that an instruction cannot have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CountFault {
    /// `count` and `count_per_rep` together.
    Both,
    /// A number below zero.
    Negative {
        /// The parameter.
        kind: ParamKind,
        /// The largest possible value of the count.
        value: i64,
    },
    /// More active lanes than a repeat has.
    TooManyLanes {
        /// The smallest possible value of the count.
        value: i64,
        /// Number of lanes of a repeat.
        lanes: i64,
    },
}

/// Returns whether some number of an instruction certainly cannot be encoded.
pub fn has_illegal_number(program: &Program, instr: &Instr) -> bool {
    let constant = |at: usize| {
        let scalar = instr.args.get(at)?.value.scalar()?;
        program.scalars.as_int(scalar).map(Interval::exact)
    };
    let count = || count_fault(instr, constant).filter(|fault| *fault != CountFault::Both);
    field_faults(program, instr).next().is_some() || count().is_some()
}

/// Returns the count that an instruction cannot have; `argument` returns the values of a scalar argument.
pub fn count_fault(
    instr: &Instr,
    argument: impl Fn(usize) -> Option<Interval>,
) -> Option<CountFault> {
    let value = |kind| argument(instr.row().index_of(kind)?);
    let (count, lanes) = (value(ParamKind::Count), value(ParamKind::CountPerRepeat));
    if count.is_some() && lanes.is_some() {
        return Some(CountFault::Both);
    }
    for (kind, value) in [
        (ParamKind::Count, count),
        (ParamKind::CountPerRepeat, lanes),
    ] {
        if let Some(value) = value.filter(|value| value.max < 0) {
            let value = value.max;
            return Some(CountFault::Negative { kind, value });
        }
    }
    let (least, most) = (lanes?.min, mask_lanes(instr)?);
    (least > most).then_some(CountFault::TooManyLanes {
        value: least,
        lanes: most,
    })
}

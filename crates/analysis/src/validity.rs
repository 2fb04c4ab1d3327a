//! Whether an instruction's operand types are legal.
//!
//! An illegal instruction makes no accesses and leaves defined, unknown values, so that one mistake is
//! reported once.

use smallvec::SmallVec;

use a2lint_ir::{ArgValue, Instr, Program, View};
use a2lint_isa::{self as isa, DType, RoundMode, TypeRule};

/// The reason why operand types are not legal.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeFault {
    /// The types do not match what the instruction takes.
    Operands,
    /// Source and destination of a move differ.
    Move {
        /// Destination type.
        dst: DType,
        /// Source type.
        src: DType,
    },
    /// There is no such conversion.
    CastPair {
        /// Source type.
        src: DType,
        /// Destination type.
        dst: DType,
    },
    /// The conversion exists, but not with this rounding.
    CastMode {
        /// Source type.
        src: DType,
        /// Destination type.
        dst: DType,
        /// The requested rounding.
        mode: RoundMode,
    },
}

/// Returns the types of the tensor operands in parameter order; `None` if unknown or absent.
pub fn operand_types(program: &Program, instr: &Instr) -> SmallVec<[Option<DType>; 6]> {
    instr
        .row()
        .operands()
        .map(|(index, _)| match instr.view(index)? {
            View::Local(view) => Some(view.dtype),
            View::Global(view) => program.global(view.global).dtype,
        })
        .collect()
}

/// Returns the type fault of an instruction, if it is certain.
pub fn type_fault(program: &Program, instr: &Instr) -> Option<TypeFault> {
    let types = || operand_types(program, instr);
    match program.signature(instr.opcode).types {
        TypeRule::Any => None,
        TypeRule::Equal => match types().as_slice() {
            [Some(dst), Some(src), ..] if dst != src => Some(TypeFault::Move {
                dst: *dst,
                src: *src,
            }),
            _ => None,
        },
        TypeRule::Same(legal) => {
            let types = types();
            let mut known = types.iter().flatten();
            let first = known.clone().next();
            let fine = known.all(|dtype| legal.contains(dtype) && Some(dtype) == first);
            (!fine).then_some(TypeFault::Operands)
        }
        TypeRule::Rows(rows) => {
            let types = types();
            let fits = |row: &&[DType]| {
                row.iter()
                    .zip(&types)
                    .all(|(legal, actual)| actual.is_none_or(|actual| actual == *legal))
            };
            (!rows.iter().any(fits)).then_some(TypeFault::Operands)
        }
        TypeRule::Cast => cast_fault(program, &types(), instr),
    }
}

fn cast_fault(program: &Program, types: &[Option<DType>], instr: &Instr) -> Option<TypeFault> {
    let &[Some(dst), Some(src)] = types else {
        return None;
    };
    let Some(pair) = program.dialect.cast_pair(src, dst) else {
        return Some(TypeFault::CastPair { src, dst });
    };
    let arg = instr.arg(isa::ParamKind::Round)?;
    // Some toolchains ignore a default mode that the pair does not have.
    let lowering = &program.toolchain.lowering;
    let is_meant = arg.span().is_some() || lowering.uses_default_rounding;
    let is_forced = lowering.widens_whatever_mode && pair.widens();
    match arg.value {
        ArgValue::Round(mode) if is_meant && !is_forced && !pair.modes.contains(&mode) => {
            Some(TypeFault::CastMode { src, dst, mode })
        }
        _ => None,
    }
}

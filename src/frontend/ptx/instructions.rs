//! Instructions of the tensor-core family, with what is known of their operands.

use super::FAMILY;
use super::flow::{Flow, Step};
use crate::ir::KnownBits;
use crate::ir::mma::{self, Class, Modifier};
use crate::syntax::ptx::ast::{Instruction, Operand, OperandKind, Word};

/// The instructions of the family, in order.
pub(super) fn tensor_core<'t>(flow: &mut Flow<'_, 't>) -> Vec<mma::Instruction> {
    (0..flow.steps.len())
        .filter_map(|step| instruction(flow, step))
        .collect()
}

fn instruction(flow: &mut Flow, step: Step) -> Option<mma::Instruction> {
    let placed = &flow.steps[step];
    let instruction: &Instruction = placed.instruction;
    if instruction.opcode.text != FAMILY {
        return None;
    }
    let straight = placed.straight;
    let last = instruction.modifiers.last();
    let name_end = last.unwrap_or(&instruction.opcode).span;
    let operands = instruction.operands.iter();
    Some(mma::Instruction {
        span: instruction.span,
        name_span: instruction.opcode.span.to(name_end),
        modifiers: instruction.modifiers.iter().map(modifier).collect(),
        complete: true,
        conditional: false,
        straight,
        operands: operands.map(|item| operand(flow, step, item)).collect(),
    })
}

fn modifier(word: &Word) -> Modifier {
    Modifier {
        text: word.text.trim_start_matches('.').to_owned(),
        span: word.span,
    }
}

fn operand<'t>(flow: &mut Flow<'_, 't>, step: Step, operand: &Operand<'t>) -> mma::Operand {
    let scope = flow.steps[step].scope;
    let (text, class, origin) = match &operand.kind {
        OperandKind::Name(name) => {
            let class = flow.class(scope, name);
            (*name, class, flow.origin(scope, name))
        }
        OperandKind::Integer(_) => ("", Class::Immediate, None),
        OperandKind::Address(_) => ("", Class::Address, None),
        OperandKind::Vector(_) => ("", Class::Vector, None),
        OperandKind::Not(inner) => match inner.kind {
            OperandKind::Name(name) => (name, flow.class(scope, name), None),
            _ => ("", Class::Unknown, None),
        },
        OperandKind::Pair(..) | OperandKind::List(_) | OperandKind::Other => {
            ("", Class::Unknown, None)
        }
    };
    let bits = match class {
        Class::Register(bits) => flow.value(step, operand).truncated(bits),
        Class::Immediate | Class::Unknown => flow.value(step, operand),
        Class::Predicate | Class::Address | Class::Vector => KnownBits::UNKNOWN,
    };
    mma::Operand {
        span: operand.span,
        text: text.to_owned(),
        class,
        bits,
        origin,
    }
}

//! Instructions of the tensor-core family, with the known bits of their operands.

use super::FAMILY;
use super::flow::{Flow, Origin, Step};
use super::registers::ScopeId;
use a2lint_ir::KnownBits;
use a2lint_ir::mma::{self, Class, Modifier};
use a2lint_source::text::Span;
use a2lint_syntax::ptx::ast::{Instruction, Operand, OperandKind, Word};

/// Maps a span of the parsed text to the file.
pub(super) type Here<'a> = dyn Fn(Span) -> Span + 'a;

/// Returns the `tcgen05` instructions, in order.
pub(super) fn tensor_core<'t>(flow: &mut Flow<'_, 't>, here: &Here) -> Vec<mma::Instruction> {
    (0..flow.steps.len())
        .filter_map(|step| instruction(flow, here, step))
        .collect()
}

fn instruction(flow: &mut Flow, here: &Here, step: Step) -> Option<mma::Instruction> {
    let placed = &flow.steps[step];
    let instruction: &Instruction = placed.instruction;
    if instruction.opcode.text != FAMILY {
        return None;
    }
    let straight = placed.straight;
    let last = instruction.modifiers.last();
    let name_end = last.unwrap_or(&instruction.opcode).span;
    let modifiers = instruction.modifiers.iter();
    let operands = instruction.operands.iter();
    Some(mma::Instruction {
        span: here(instruction.span),
        name_span: here(instruction.opcode.span.to(name_end)),
        modifiers: modifiers.map(|word| modifier(word, here)).collect(),
        complete: true,
        conditional: false,
        straight,
        operands: operands
            .map(|item| operand(flow, here, step, item))
            .collect(),
    })
}

fn modifier(word: &Word, here: &Here) -> Modifier {
    Modifier {
        text: word.text.trim_start_matches('.').to_owned(),
        span: here(word.span),
    }
}

fn operand<'t>(
    flow: &mut Flow<'_, 't>,
    here: &Here,
    step: Step,
    operand: &Operand<'t>,
) -> mma::Operand {
    let scope = flow.steps[step].scope;
    let name = match &operand.kind {
        OperandKind::Name(name) => Some(*name),
        // A negated predicate names its register.
        OperandKind::Not(inner) => match inner.kind {
            OperandKind::Name(name) => Some(name),
            _ => None,
        },
        _ => None,
    };
    let class = match (&operand.kind, name) {
        (_, Some(name)) => flow.class(scope, name),
        (OperandKind::Integer(_), _) => Class::Immediate,
        (OperandKind::Address(_), _) => Class::Address,
        (OperandKind::Vector(_), _) => Class::Vector,
        _ => Class::Unknown,
    };
    let bits = match class {
        // A register holds as many bits as its class says; constants have no width of their own.
        Class::Register(bits) => flow.value(step, operand).truncated(bits),
        Class::Immediate | Class::Unknown => flow.value(step, operand),
        Class::Predicate | Class::Address | Class::Vector => KnownBits::UNKNOWN,
    };
    let origin = name.and_then(|name| flow.origin(scope, name));
    let parts = match &operand.kind {
        OperandKind::Vector(parts) => parts.len(),
        _ => 0,
    };
    let undeclared = undeclared(flow, scope, operand);
    mma::Operand {
        span: here(operand.span),
        text: name.map_or(String::new(), |name| flow.spelling(scope, name)),
        class,
        bits,
        origin: origin.map(|origin| match origin {
            Origin::Here(span) => here(span),
            Origin::Outside(span) => span,
        }),
        parts,
        undeclared: undeclared.map(str::to_owned),
    }
}

/// Returns the first undeclared register in an operand.
fn undeclared<'t>(
    flow: &mut Flow<'_, 't>,
    scope: ScopeId,
    operand: &Operand<'t>,
) -> Option<&'t str> {
    match &operand.kind {
        OperandKind::Name(name) => flow.is_undeclared(scope, name).then_some(*name),
        OperandKind::Address(inside) | OperandKind::Vector(inside) | OperandKind::List(inside) => {
            inside.iter().find_map(|part| undeclared(flow, scope, part))
        }
        OperandKind::Not(inner) => undeclared(flow, scope, inner),
        _ => None,
    }
}

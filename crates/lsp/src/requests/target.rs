//! The traced item under the cursor.

use super::hover::instruction::word;
use crate::snapshot::Snapshot;
use a2lint_ir::sync::{self, Token};
use a2lint_ir::{Buffer, BufferId, Instr, Notation, Program, Stmt, StmtId, View};
use a2lint_source::text::Span;
use a2lint_syntax::python::queries;

/// An instruction in the source. One place is traced into several statements if it is in an unrolled loop, or in a
/// helper that is called more than once.
pub struct Place<'s> {
    /// The kernel; the first one if several call the same helper.
    pub program: &'s Program,
    /// The statements that the place was traced into; not empty.
    pub statements: Vec<(&'s Stmt, &'s Instr)>,
}

/// The item under the cursor.
pub enum Target<'s> {
    /// The name of an instruction, or the operator that it is written as.
    Instruction(Place<'s>),
    /// A tensor operand.
    Operand {
        /// The instruction.
        place: Place<'s>,
        /// Index of the parameter.
        operand: usize,
    },
    /// A tensor at its allocation.
    Allocation(&'s Program, BufferId),
}

impl<'s> Place<'s> {
    /// Returns the first statement that the place was traced into.
    pub fn first(&self) -> (&'s Stmt, &'s Instr) {
        self.statements[0]
    }

    /// Returns the statements by number.
    pub fn ids(&self) -> Vec<(StmtId, &'s Instr)> {
        let statements = self.statements.iter();
        statements.map(|(stmt, instr)| (stmt.id, *instr)).collect()
    }
}

/// Returns the item at an offset, and its span.
pub fn at(snapshot: &Snapshot, offset: u32) -> Option<(Target<'_>, Span)> {
    let programs = &snapshot.module().programs;
    programs
        .iter()
        .find_map(|program| instruction(program, offset))
        .or_else(|| programs.iter().find_map(|program| operand(program, offset)))
        .or_else(|| allocation(snapshot, offset))
        .or_else(|| {
            let word = word(snapshot, offset)?;
            programs.iter().find_map(|it| named(snapshot, it, word))
        })
}

fn instruction(program: &Program, offset: u32) -> Option<(Target<'_>, Span)> {
    let all = program.instructions();
    let (_, found) = all
        .iter()
        .find(|(_, instr)| instr.name_span.touches(offset))?;
    let span = found.name_span;
    let same = |(_, instr): &(&Stmt, &Instr)| instr.name_span == span;
    let statements = all.iter().copied().filter(same).collect();
    Some((
        Target::Instruction(Place {
            program,
            statements,
        }),
        span,
    ))
}

/// Returns the operand with the shortest text around the offset, which is the innermost one.
fn operand(program: &Program, offset: u32) -> Option<(Target<'_>, Span)> {
    let all = program.instructions();
    let touched = all.iter().flat_map(|&(stmt, instr)| {
        let operands = instr
            .operands()
            .map(move |(index, _, view)| (stmt, instr, index, view));
        operands.filter(|(.., view)| view.site().touches(offset))
    });
    let length = |view: &View| view.site().end - view.site().start;
    let (_, found, operand, view) = touched.min_by_key(|(.., view)| length(view))?;
    let span = view.site();
    let same = |(_, instr): &(&Stmt, &Instr)| {
        instr.name_span == found.name_span && instr.view(operand).map(View::site) == Some(span)
    };
    let statements = all.iter().copied().filter(same).collect();
    let place = Place {
        program,
        statements,
    };
    Some((Target::Operand { place, operand }, span))
}

/// Returns the tensor whose allocation, or the name bound to it, is at an offset.
fn allocation(snapshot: &Snapshot, offset: u32) -> Option<(Target<'_>, Span)> {
    let allocations = queries::allocations(&snapshot.syntax, snapshot.source());
    let mut touched = allocations.iter();
    let found = touched.find(|it| it.name.touches(offset) || it.constructor.touches(offset))?;
    let mut programs = snapshot.module().programs.iter();
    programs.find_map(|program| {
        let is_it = |buffer: &Buffer| buffer.span == found.call;
        let index = program.buffers.iter().position(is_it)?;
        Some((
            Target::Allocation(program, BufferId(index as u32)),
            found.name,
        ))
    })
}

/// Returns the buffer or queue of a name in C++, in the call that allocates it and in the calls of a queue.
fn named<'s>(
    snapshot: &'s Snapshot,
    program: &'s Program,
    word: Span,
) -> Option<(Target<'s>, Span)> {
    if program.toolchain.notation != Notation::Cpp {
        return None;
    }
    let name = snapshot.map.text_of(word);
    let called = program.instructions().into_iter().filter_map(|(stmt, _)| {
        let is_here = stmt.span.to(word) == stmt.span;
        match sync::call(program, stmt).filter(|_| is_here)?.token {
            Token::Event(event) => Some(program.event(event).queue?.buffer),
            _ => None,
        }
    });
    let buffers = program.buffers.iter().enumerate();
    let allocated = buffers.filter(|(_, buffer)| buffer.span.to(word) == buffer.span);
    let mut here = called.chain(allocated.map(|(at, _)| BufferId(at as u32)));
    let found = here.find(|id| program.buffer(*id).name == name)?;
    Some((Target::Allocation(program, found), word))
}

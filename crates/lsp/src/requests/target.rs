//! What stands under the cursor.

use crate::snapshot::Snapshot;
use a2lint_ir::{Buffer, BufferId, Instr, Program, Stmt, StmtId, View};
use a2lint_source::text::Span;
use a2lint_syntax::python::queries;

/// An instruction in the source. Helpers that are called twice and loops that are unrolled make
/// several statements of one place.
pub struct Place<'s> {
    /// The kernel; the first one where several call the same helper.
    pub program: &'s Program,
    /// The statements that the place was traced into.
    pub statements: Vec<(&'s Stmt, &'s Instr)>,
}

/// What stands under the cursor.
pub enum Target<'s> {
    /// The name of an instruction, or the operator that stands for it.
    Instruction(Place<'s>),
    /// A tensor operand.
    Operand {
        /// The instruction.
        place: Place<'s>,
        /// Index of the parameter.
        operand: usize,
    },
    /// A tensor where it is allocated.
    Allocation(&'s Program, BufferId),
}

impl<'s> Place<'s> {
    /// The instruction as it was traced first.
    pub fn first(&self) -> (&'s Stmt, &'s Instr) {
        self.statements[0]
    }

    /// The statements by number.
    pub fn ids(&self) -> Vec<(StmtId, &'s Instr)> {
        let statements = self.statements.iter();
        statements.map(|(stmt, instr)| (stmt.id, *instr)).collect()
    }
}

/// Finds what stands at an offset, and the text it covers.
pub fn at(snapshot: &Snapshot, offset: u32) -> Option<(Target<'_>, Span)> {
    let programs = &snapshot.module().programs;
    programs
        .iter()
        .find_map(|program| instruction(program, offset))
        .or_else(|| programs.iter().find_map(|program| operand(program, offset)))
        .or_else(|| allocation(snapshot, offset))
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

/// The operand with the shortest text around the offset.
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

/// A tensor at the name that its allocation is bound to, or at the allocation.
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

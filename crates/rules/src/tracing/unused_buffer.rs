use crate::declare_rule;
use crate::wording::{allocation, counted};
use crate::{Facts, Sink};
use a2lint_ir::{Buffer, BufferId, NoteKind, Program, PythonNote};
use a2lint_isa::DST;

declare_rule! {
    /// ## What it does
    /// Reports local tensors that nothing reads: those that are never used, and those that are only
    /// written.
    ///
    /// What an instruction reads of its own destination does not count, nor does scratch space. A name that
    /// begins with an underscore marks a tensor that is unused on purpose, such as padding between other
    /// tensors. A buffer that another instance of the same template uses is not reported.
    ///
    /// ## Why is this bad?
    /// The bytes are missing elsewhere, and a tensor that is filled but never read often means that a store
    /// or a use was forgotten.
    ///
    /// ## Example
    /// ```python
    /// total = Tensor(DT.float, [64, 64], Position.UB)
    /// add(total, a, b)                                   # and nothing after that
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// add(total, a, b)
    /// y[0:64, 0:64] <<= total
    /// ```
    ///
    /// ## Source
    /// A lint of this project.
    "TRC010" "unused-buffer" Warning, basis = AnyLaunch, evidence = Inferred
}

fn check(facts: &Facts, sink: &mut Sink) {
    if facts.program.hides_instructions() || incomplete(facts) {
        return;
    }
    let uses = uses(facts.program);
    for (index, buffer) in facts.program.buffers.iter().enumerate() {
        let id = BufferId(index as u32);
        if facts.analysis.obscured.contains(&id) || facts.program.demanded.contains(&id) {
            continue;
        }
        let message = match uses[index] {
            Use::Read => continue,
            Use::Written => "is written and never read",
            Use::None if buffer.name.starts_with('_') => continue,
            Use::None => "is never used",
        };
        let placement = facts.memory.get(id);
        if is_used_elsewhere(facts, buffer) {
            continue;
        }
        // A template gives a buffer no memory in the instances that do not use it.
        if placement.total() == Some(0) {
            continue;
        }
        let bytes = placement.total().map_or(String::new(), |bytes| {
            format!(": {} of {}", counted(bytes, "byte"), buffer.position)
        });
        sink.report(
            buffer.span,
            format!("{} {message}{bytes}", allocation(facts, buffer)),
        )
        .help("remove it, or store what it holds");
    }
}

/// Returns whether statements are missing from the program, which may read buffers.
fn incomplete(facts: &Facts) -> bool {
    facts.program.notes.iter().any(|note| {
        matches!(
            note.kind,
            NoteKind::Python(
                PythonNote::TraceError { .. }
                    | PythonNote::A5Only { .. }
                    | PythonNote::NoEffect(_)
                    | PythonNote::LoopExit { .. }
                    | PythonNote::StaticIf { .. }
            ) | NoteKind::UnknownName { .. }
                | NoteKind::IllegalMove { .. }
        )
    })
}

/// How a buffer is used; the largest value counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    None,
    Written,
    Read,
}

/// Returns whether another instance of the same definition uses a buffer, or may use it: the instances share the line
/// that allocates it.
fn is_used_elsewhere(facts: &Facts, buffer: &Buffer) -> bool {
    let own = facts.program;
    let others = facts.module.programs.iter();
    let mut others = others.filter(|it| it.span == own.span && it.name != own.name);
    others.any(|program| {
        let same = |(_, other): &(usize, &Buffer)| other.span == buffer.span;
        let mut here = program.buffers.iter().enumerate().filter(same).peekable();
        if here.peek().is_none() {
            return false;
        }
        let uses = uses(program);
        program.hides_instructions() || here.any(|(at, _)| uses[at] == Use::Read)
    })
}

fn uses(program: &Program) -> Vec<Use> {
    let mut uses = vec![Use::None; program.buffers.len()];
    for (_, instr) in program.instructions() {
        let written = instr
            .operands()
            .find(|(_, operand, _)| operand.access.writes())
            .and_then(|(_, _, view)| Some(view.local()?.buffer));
        let is_ring = instr.operands().any(|(_, _, view)| {
            let global = view.global().map(|view| program.global(view.global));
            global.is_some_and(|global| global.ring.is_some())
        });
        for (index, operand, view) in instr.operands() {
            let Some(view) = view.local() else { continue };
            // Scratch operands are used by their instruction, and a ring is read by the other side.
            let scratch = index > DST && operand.access.writes() || is_ring;
            let own = written == Some(view.buffer);
            let found = match (operand.access.reads() && !own) || scratch {
                true => Use::Read,
                false => Use::Written,
            };
            let used = &mut uses[view.buffer.index()];
            *used = (*used).max(found);
        }
    }
    uses
}

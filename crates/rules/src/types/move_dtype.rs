use crate::declare_rule;
use crate::observations::Scene;
use crate::types::operands::{Typed, typed};
use crate::wording::{alternatives, call, declared, operand_text};
use crate::{Facts, Report, Sink};
use a2lint_analysis::{TypeFault, type_fault};
use a2lint_ir::finding::Edit;
use a2lint_ir::{GlobalId, Instr, NoteKind, Stmt};
use a2lint_isa::{Class, DType, Instruction, Opcode, Place, Position, TypeRule, cast_pair};
use a2lint_machine::FindingKind;

declare_rule! {
    /// ## What it does
    /// Reports a move whose source and destination have different element types, and a store of an
    /// accumulator in a type that the drain does not convert to.
    ///
    /// Tensors of a kernel have the types that a launch gives them: these are compared with the tiles
    /// that they are moved to and from. Integers of one width pass for each other there, signed or
    /// not, since hosts lack some of them, and any integer carries 4-bit ones.
    ///
    /// In AscendC, `SetAtomicAdd<T>` decides as what a store combines elements with those in memory:
    /// another type than that of the tensor is reported.
    ///
    /// ## Why is this bad?
    /// Moves copy bytes. Half values read as float, or the other way round, are other numbers. Only
    /// the drain of L0C converts, and only to some types.
    ///
    /// ## Example
    /// ```python
    /// ub_half <<= ws_float[core, 0:64, 0:128]
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// ub_float <<= ws_float[core, 0:64, 0:128]
    /// cast(ub_half, ub_float)
    /// ```
    ///
    /// ## Fix safety
    /// Only `ub_to_ub` between convertible types is rewritten, to `cast`. That is unsafe: the
    /// rounding of the result is for the author to choose.
    ///
    /// ## Source
    /// Public DSL documentation: data moves never convert; types of the drain from the AscendC
    /// reference.
    "TYP001" "move-dtype" Error, basis = Constants, fix = Unsafe
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        match type_fault(facts.program, instr) {
            Some(TypeFault::Move { dst, src }) => copy(facts, stmt, instr, [dst, src], sink),
            Some(TypeFault::Operands) if instr.row().class == Class::Fixpipe => {
                drain(facts, stmt, instr, sink);
            }
            _ => {}
        }
    }
    atomics(facts, sink);
    launches(facts, sink);
}

/// Reports stores that an atomic operation combines as elements of another type.
fn atomics(facts: &Facts, sink: &mut Sink) {
    for note in &facts.program.notes {
        let NoteKind::AtomicType { of, stored } = note.kind else {
            continue;
        };
        let message = format!(
            "this store combines elements of type {stored} with those in memory as if they were {of}"
        );
        sink.report_from(note.origin, note.span, message)
            .help(format!(
                "call `SetAtomicAdd<{stored}>()` or its kin before it"
            ))
            // Memory may hold another type than the tensor that a kernel declares there.
            .possible();
    }
}

/// Reports tensors that a launch gives in another type than their tiles have, each once.
fn launches(facts: &Facts, sink: &mut Sink) {
    let mut reported: Vec<GlobalId> = Vec::new();
    let scenes = Scene::all(facts, |seen| {
        matches!(seen.kind(), Some(FindingKind::TypeMismatch(_)))
    });
    for scene in scenes {
        let Some(FindingKind::TypeMismatch(global)) = scene.observation.kind() else {
            continue;
        };
        let Some(view) = scene.view() else { continue };
        let Some(tile) = view.local().filter(|_| !reported.contains(&global)) else {
            continue;
        };
        reported.push(global);
        if facts.replay.execution(scene.observation).bound.globals[global.index()].dtype
            == tile.dtype
        {
            // The tile has a type that the instruction does not take, which is reported where it is declared.
            continue;
        }
        let bound = &facts.replay.execution(scene.observation).bound.globals[global.index()];
        let (given, name, text) = (bound.dtype, &bound.name, operand_text(facts, view));
        let drains = legal_drains(scene.instr, tile.dtype);
        // No launch can mend an accumulator of a type that nothing drains: its declaration is reported.
        let is_accumulator = facts.program.buffer(tile.buffer).position == Position::L0C;
        if is_accumulator && drains.is_empty() {
            continue;
        }
        let message = format!(
            "{} moves elements of `{text}`, which is {}, and the launch gives `{name}` as {given}",
            call(facts, scene.instr),
            tile.dtype
        );
        let help = match (
            way(scene.instr.row()),
            facts.program.buffer(tile.buffer).position,
        ) {
            (Some(Way::Load), _) => format!(
                "pass `{name}` as {}, or load it into a {given} tensor and {}() that",
                tile.dtype,
                facts.program.name_of(Opcode::Cast)
            ),
            (Some(Way::Store), _) => format!(
                "pass `{name}` as {}, or {}() `{text}` to {given} before the store",
                tile.dtype,
                facts.program.name_of(Opcode::Cast)
            ),
            (_, Position::L0C) => format!("pass `{name}` as {drains}"),
            _ => format!("pass `{name}` as {}", tile.dtype),
        };
        scene
            .report(facts, sink, message)
            .label(declared(facts, view), format!("{} here", tile.dtype))
            .label(
                facts.program.global(global).span,
                format!("{given} in the launch"),
            )
            .help(help);
    }
}

/// Formats the types to which a drain converts accumulators.
fn legal_drains(instr: &Instr, from: DType) -> String {
    let TypeRule::Rows(rows) = instr.row().types else {
        return from.name().to_owned();
    };
    let rows = rows.iter().filter(|row| row[1] == from);
    alternatives(&rows.map(|row| row[0].name()).collect::<Vec<_>>())
}

fn copy(facts: &Facts, stmt: &Stmt, instr: &Instr, [dst, src]: [DType; 2], sink: &mut Sink) {
    let [to, from, ..] = &typed(facts, instr)[..] else {
        return;
    };
    let message = format!(
        "{} moves bytes: `{}` is {dst}, `{}` is {src}",
        call(facts, instr),
        to.text,
        from.text
    );
    let report = sink
        .report_from(stmt.origin, stmt.span, message)
        .label(to.declared, format!("{dst} here"))
        .label(from.declared, format!("{src} here"));
    suggest(facts, stmt, instr, [to, from], report);
}

fn suggest(facts: &Facts, stmt: &Stmt, instr: &Instr, [to, from]: [&Typed; 2], report: Report) {
    let (dst, src) = (to.dtype, from.dtype);
    let cast = facts.program.name_of(Opcode::Cast);
    if instr.row().moves(Place::UB, Place::UB) && cast_pair(src, dst).is_some() {
        let [to, from] = [to, from].map(|operand| facts.source.slice(operand.site));
        let call = format!("{cast}({to}, {from})");
        let edit = Edit {
            span: stmt.span,
            text: call.clone(),
        };
        report.help(format!("convert: `{call}`")).fix(
            format!("replace with `{call}`"),
            false,
            vec![edit],
        );
        return;
    }
    report.help(match way(instr.row()) {
        Some(Way::Load) => format!(
            "load `{}` into a {src} tensor, then {cast}() it to `{}`",
            from.text, to.text
        ),
        Some(Way::Store) => format!(
            "{cast}() `{}` to a {dst} tensor first, and store that",
            from.text
        ),
        _ => format!("give both sides one type: {src} or {dst}"),
    });
}

fn drain(facts: &Facts, stmt: &Stmt, instr: &Instr, sink: &mut Sink) {
    let [to, from, ..] = &typed(facts, instr)[..] else {
        return;
    };
    let legal = legal_drains(instr, from.dtype);
    let message = format!(
        "{} cannot turn {} into {}: `{}` cannot receive `{}`",
        call(facts, instr),
        from.dtype,
        to.dtype,
        to.text,
        from.text
    );
    let report = sink
        .report_from(stmt.origin, stmt.span, message)
        .label(to.declared, format!("{} here", to.dtype));
    if !legal.is_empty() {
        report.help(format!("from {} it writes {legal}", from.dtype));
    }
}

/// Direction of a move between UB and GM.
enum Way {
    Load,
    Store,
}

fn way(row: &Instruction) -> Option<Way> {
    match row.moves(Place::Gm, Place::UB) {
        true => Some(Way::Load),
        false => row.moves(Place::UB, Place::Gm).then_some(Way::Store),
    }
}

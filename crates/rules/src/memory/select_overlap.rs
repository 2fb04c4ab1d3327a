use crate::declare_rule;
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_ir::{ArgValue, BufferId, Instr, Stmt, StmtId, StmtKind};
use a2lint_isa::{Class, Position, SelectMode};

declare_rule! {
    /// ## What it does
    /// Reports a buffer that lies where `Select` of AscendC writes its work area, 128 bytes at 184 KB of UB, and is
    /// written before such a call, and read after it before anything writes it again. Reports as well a buffer there
    /// that the loop around the call loads or stores: while the vector unit works on one buffer of a queue, another one
    /// is on its way to or from global memory.
    ///
    /// ## Why is this bad?
    /// Nothing in `InitBuffer` keeps the place free. `Select` with a tensor and a number, or with two tensors,
    /// writes there, and what the buffer holds is lost.
    ///
    /// ## Example
    /// ```cpp
    /// pipe.InitBuffer(rest, 188000);                    // ends above 184 KB
    /// Select(dst, bits, src, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 1024);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// pipe.InitBuffer(rest, 172032);                    // ends below 184 KB
    /// ```
    ///
    /// ## Source
    /// Stated by the AscendC manual on `Select`: 8 KB of UB. Its headers write the first 128 bytes of them. Whether a
    /// compiler option has moved the area is not known.
    "CAP011" "select-overlap" Warning, basis = Assumption, property = Initialised
}

/// The number of bytes of the work area that `Select` writes.
const WRITTEN: i64 = 128;

fn check(facts: &Facts, sink: &mut Sink) {
    let Some(area) = facts.program.toolchain.memory.select_area else {
        return;
    };
    // After the allocators are rewound, buffers share addresses by design, so an overlap proves nothing.
    if facts.program.rewinds_memory {
        return;
    }
    let capacity = facts.program.device.capacity(Position::Ub);
    let placements = facts.memory.in_position(Position::Ub);
    // More than one buffer may reach into the area, of which not all live across a call.
    for placement in placements {
        let (Some(start), Some(end)) = (placement.address, placement.end()) else {
            continue;
        };
        // Tensors with explicit addresses lie in one buffer of the whole memory; this check does not see its parts.
        let is_all = placement.total() == Some(capacity);
        if is_all || start >= area + WRITTEN || area >= end {
            continue;
        }
        let id = placement.buffer;
        let mut selects = facts.instructions().filter(|(_, instr)| has_area(instr));
        let is_hit = |stmt: &Stmt, instr: &Instr| {
            lives_across(facts, id, stmt) || is_in_flight(facts, id, (stmt, instr))
        };
        let Some((stmt, instr)) = selects.find(|&(stmt, instr)| is_hit(stmt, instr)) else {
            continue;
        };
        let buffer = facts.program.buffer(id);
        let why = match lives_across(facts, id, stmt) {
            true => "",
            false => ", on its way to or from global memory meanwhile",
        };
        let message = format!(
            "{} writes {WRITTEN} bytes at {area} of UB, and `{}` lies at {start}..{end}{why}",
            call(facts, instr),
            buffer.label()
        );
        sink.report_from(stmt.origin, stmt.span, message)
            .label(buffer.span, "the buffer")
            .advice(format!("keep the bytes from {area} on free of buffers"));
        return;
    }
}

/// Returns whether a buffer is written before a call, and read after it before it is written again: only then the
/// overwritten data matters.
fn lives_across(facts: &Facts, buffer: BufferId, select: &Stmt) -> bool {
    let mut before = facts.instructions().filter(|(stmt, _)| stmt.id < select.id);
    before.any(|(_, instr)| first_touch(instr, buffer).is_some())
        && matches!(
            seek(&facts.program.body, select.id, buffer),
            Seek::Touched(Touch::Read)
        )
}

/// Returns whether a buffer may be loaded or stored while a call runs: a move of it is in a loop around the call, and
/// the call does not wait for the part of it that it works on.
fn is_in_flight(facts: &Facts, buffer: BufferId, (select, instr): (&Stmt, &Instr)) -> bool {
    let program = facts.program;
    let has_others = program.buffer(buffer).slots > 1;
    if !has_others && first_touch(instr, buffer).is_some() {
        return false;
    }
    let around = program.loops(select.id);
    let mut moves = facts.instructions().filter(|(_, instr)| {
        instr.row().class == Class::Move && first_touch(instr, buffer).is_some()
    });
    moves.any(|(stmt, instr)| {
        let is_global = instr.operands().any(|(_, _, view)| view.global().is_some());
        is_global && program.loops(stmt.id).iter().any(|id| around.contains(id))
    })
}

/// The kind of the first access to a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Touch {
    Read,
    Write,
}

/// The result of looking for the first access to a buffer after a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seek {
    /// The statement is elsewhere.
    Elsewhere,
    /// The statement is there, and nothing after it touches the buffer.
    Untouched,
    /// The first access after the statement.
    Touched(Touch),
}

/// Looks for the first access to a buffer after a statement of a block, also in the next iteration of a loop around it.
/// Of the arms of a branch, the first one that touches the buffer counts.
fn seek(block: &[Stmt], from: StmtId, buffer: BufferId) -> Seek {
    let mut found = Seek::Elsewhere;
    for stmt in block {
        if found == Seek::Untouched {
            if let Some(touch) = first_touch_in(stmt, buffer) {
                return Seek::Touched(touch);
            }
            continue;
        }
        if stmt.id == from {
            found = Seek::Untouched;
            continue;
        }
        for body in stmt.kind.blocks() {
            let again = match seek(body, from, buffer) {
                Seek::Elsewhere => continue,
                Seek::Untouched if repeats(stmt) => {
                    body.iter().find_map(|stmt| first_touch_in(stmt, buffer))
                }
                Seek::Untouched => None,
                Seek::Touched(touch) => return Seek::Touched(touch),
            };
            if again == Some(Touch::Read) {
                return Seek::Touched(Touch::Read);
            }
            found = Seek::Untouched;
        }
    }
    found
}

fn repeats(stmt: &Stmt) -> bool {
    matches!(
        stmt.kind,
        StmtKind::Loop { .. } | StmtKind::UnknownLoop { .. }
    )
}

/// Returns the first access to a buffer in a statement and the blocks inside of it.
fn first_touch_in(stmt: &Stmt, buffer: BufferId) -> Option<Touch> {
    if let StmtKind::Instr(instr) = &stmt.kind {
        return first_touch(instr, buffer);
    }
    let mut stmts = stmt.kind.blocks().flatten();
    stmts.find_map(|stmt| first_touch_in(stmt, buffer))
}

/// Returns how an instruction accesses a buffer; one that reads it may write it as well.
fn first_touch(instr: &Instr, buffer: BufferId) -> Option<Touch> {
    let of_buffer = instr
        .operands()
        .filter(|(_, _, view)| view.local().is_some_and(|view| view.buffer == buffer));
    let touches = of_buffer.map(|(_, operand, _)| match operand.access.reads() {
        true => Touch::Read,
        false => Touch::Write,
    });
    touches.reduce(|a, b| match (a, b) {
        (Touch::Write, Touch::Write) => Touch::Write,
        _ => Touch::Read,
    })
}

/// Returns whether an instruction is a select in a mode that writes the work area.
fn has_area(instr: &Instr) -> bool {
    let mode = instr
        .arg(a2lint_isa::ParamKind::Select)
        .map(|arg| &arg.value);
    instr.row().class == Class::Select
        && matches!(
            mode,
            Some(ArgValue::Select(
                SelectMode::TensorScalar | SelectMode::TensorTensor
            ))
        )
}

use crate::declare_rule;
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_ir::{ArgValue, BufferId, Instr, Stmt};
use a2lint_isa::{Class, Position, SelectMode};

declare_rule! {
    /// ## What it does
    /// Reports a buffer that lies where `Select` of AscendC writes its work area, 128 bytes at 184 KB of UB, and is
    /// written before such a call and read after it.
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
        let mut selects = facts.instructions();
        let across = selects
            .find(|(stmt, instr)| has_area(instr) && lives_across(facts, placement.buffer, stmt));
        let Some((stmt, instr)) = across else {
            continue;
        };
        let buffer = facts.program.buffer(placement.buffer);
        let message = format!(
            "{} writes {WRITTEN} bytes at {area} of UB, and `{}` lies at {start}..{end}",
            call(facts, instr),
            buffer.label()
        );
        sink.report_from(stmt.origin, stmt.span, message)
            .label(buffer.span, "the buffer")
            .advice(format!("keep the bytes from {area} on free of buffers"));
        return;
    }
}

/// Returns whether a buffer is written before a call and read after it: only then the overwritten data matters.
fn lives_across(facts: &Facts, buffer: BufferId, select: &Stmt) -> bool {
    let accesses = |reads: bool| {
        facts.instructions().any(|(stmt, instr)| {
            let is_there = match reads {
                true => stmt.id > select.id,
                false => stmt.id < select.id,
            };
            is_there && touches(instr, buffer, reads)
        })
    };
    accesses(false) && accesses(true)
}

/// Returns whether an instruction reads a buffer or, unless `reads`, writes it.
fn touches(instr: &Instr, buffer: BufferId, reads: bool) -> bool {
    let mut operands = instr.operands();
    operands.any(|(_, operand, view)| {
        let is_access = match reads {
            true => operand.access.reads(),
            false => operand.access.writes(),
        };
        is_access && view.local().is_some_and(|view| view.buffer == buffer)
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

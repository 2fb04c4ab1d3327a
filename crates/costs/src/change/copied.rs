//! Replaces gathers by copies.

use super::{instruction, without};
use a2lint_ir::{ArgValue, BinaryOp, Instr, Program, Scalars, StmtId, StmtKind, View};
use a2lint_isa::{BLOCK_BYTES, DST, Opcode, SRC};
use a2lint_machine::Rows;

/// Returns the program with a copy of these bytes in place of a gather, without the instructions that only
/// computed its offsets. `None` if the statement is no gather, or if the bytes are not whole blocks.
pub fn copied(program: &Program, gather: StmtId, rows: &Rows) -> Option<Program> {
    let mut program = program.clone();
    let stmt = program.body.statement_mut(gather)?;
    let StmtKind::Instr(instr) = &mut stmt.kind else {
        return None;
    };
    *instr = copy_of(&mut program.scalars, instr, rows)?;
    loop {
        // Removing an instruction may leave its own inputs unread.
        let in_vain = in_vain(&program);
        if in_vain.is_empty() {
            return Some(program);
        }
        program = without(&program, &in_vain);
    }
}

/// Returns the instructions that write only on-chip tensors which nothing else reads.
fn in_vain(program: &Program) -> Vec<StmtId> {
    let instructions = program.instructions();
    let mut is_read = vec![false; program.buffers.len()];
    for (_, instr) in &instructions {
        for (_, _, view) in instr.operands() {
            if let Some(view) = view.local().filter(|view| !instr.writes(view.buffer)) {
                is_read[view.buffer.index()] = true;
            }
        }
    }
    let is_unread = |view: &View| {
        view.local()
            .is_some_and(|view| !is_read[view.buffer.index()])
    };
    let in_vain = instructions.into_iter().filter(|(_, instr)| {
        let written = instr
            .operands()
            .filter(|(_, operand, _)| operand.access.writes());
        let written: Vec<bool> = written.map(|(_, _, view)| is_unread(view)).collect();
        !written.is_empty() && !written.contains(&false)
    });
    in_vain.map(|(stmt, _)| stmt.id).collect()
}

fn copy_of(scalars: &mut Scalars, gather: &Instr, rows: &Rows) -> Option<Instr> {
    let is_whole = |bytes: i64| bytes % BLOCK_BYTES == 0;
    let all = [rows.start, rows.length, rows.pitch];
    all.into_iter().all(is_whole).then_some(())?;
    let [to, from] = [DST, SRC].map(|index| gather.local(index).cloned());
    let (to, mut from) = (to?, from?);
    let first = scalars.int(rows.start * 8 / from.dtype.bits());
    from.offset[1] = scalars.binary(BinaryOp::Add, from.offset[1], first);
    let mut number = |number: i64| ArgValue::Scalar(scalars.int(number));
    let given = vec![
        ("n_burst", number(rows.count)),
        ("burst_len", number(rows.length / BLOCK_BYTES)),
        (
            "src_stride",
            number((rows.pitch - rows.length) / BLOCK_BYTES),
        ),
        ("dst_stride", number(0)),
        ("dst", ArgValue::View(Box::new(View::Local(to)))),
        ("src", ArgValue::View(Box::new(View::Local(from)))),
    ];
    Some(instruction(scalars, Opcode::UbToUb, gather, given))
}

//! Changes programs and launches as the advice of a rule about speed would.
//!
//! A change may be wrong: `Costs::time` runs it and counts it only if it computes the same.

mod copied;
mod halved;
mod rotated;
mod vectorised;

pub use copied::copied;
pub use halved::halved;
pub use rotated::rotated;
pub use vectorised::{Vectorised, vectorised};

use a2lint_ir::{
    Arg, ArgSource, ArgValue, BinaryOp, Buffer, BufferId, GlobalId, Instr, Program, Scalar,
    ScalarId, Scalars, Stmt, StmtId, StmtKind, TensorInit, VariableId, View,
};
use a2lint_isa::{DType, Opcode, Place};
use a2lint_machine::{BoundLaunch, Contents};

/// Returns the program without some statements.
pub fn without(program: &Program, left_out: &[StmtId]) -> Program {
    fn retain(stmts: &mut Vec<Stmt>, left_out: &[StmtId]) {
        stmts.retain(|stmt| !left_out.contains(&stmt.id));
        for stmt in stmts {
            let blocks = stmt.kind.blocks_mut().into_iter();
            blocks.for_each(|block| retain(block, left_out));
        }
    }
    let mut program = program.clone();
    retain(program.body.change(), left_out);
    program
}

/// Returns the program with a tensor of `bytes` bytes before each of these buffers, in the same memory.
pub fn padded(program: &Program, before: &[BufferId], bytes: i64) -> Program {
    let mut program = program.clone();
    let shape = [1, bytes * 8 / DType::Half.bits()].map(|extent| program.scalars.int(extent));
    let mut numbers = Vec::with_capacity(program.buffers.len());
    let mut buffers = Vec::new();
    for (index, buffer) in program.buffers.drain(..).enumerate() {
        if before.contains(&BufferId(index as u32)) {
            buffers.push(Buffer {
                name: String::new().into(),
                dtype: DType::Half,
                shape,
                static_shape: [true; 2],
                slots: 1,
                ..buffer.clone()
            });
        }
        numbers.push(BufferId(buffers.len() as u32));
        buffers.push(buffer);
    }
    program.buffers = buffers;
    let renumber = |id: &mut BufferId| *id = numbers[id.index()];
    program.dropped.iter_mut().for_each(renumber);
    each_view(program.body.change(), &mut |view| {
        if let View::Local(view) = view {
            renumber(&mut view.buffer);
        }
    });
    program
}

/// Returns the program with two slots for some buffers of one slot, which the iterations of a loop use in turn.
pub fn doubled(program: &Program, buffers: &[(BufferId, StmtId)]) -> Program {
    let mut program = program.clone();
    let scalars = &mut program.scalars;
    for &(buffer, within) in buffers {
        program.buffers[buffer.index()].slots = 2;
        let Some(stmt) = program.body.statement_mut(within) else {
            continue;
        };
        let Some(slot) = iteration(scalars, &stmt.kind) else {
            continue;
        };
        for block in stmt.kind.blocks_mut() {
            each_view(block, &mut |view| match view {
                View::Local(view) if view.buffer == buffer => view.slot = slot,
                _ => {}
            });
        }
    }
    program
}

/// Returns the iteration number of a loop, from 0.
fn iteration(scalars: &mut Scalars, kind: &StmtKind) -> Option<ScalarId> {
    let &StmtKind::Loop {
        variable,
        start,
        step,
        ..
    } = kind
    else {
        return None;
    };
    let counter = scalars.intern(Scalar::Variable(variable));
    let passed = match scalars.as_int(start) {
        Some(0) => counter,
        _ => scalars.binary(BinaryOp::Sub, counter, start),
    };
    Some(match scalars.as_int(step) {
        Some(1) => passed,
        _ => scalars.binary(BinaryOp::FloorDiv, passed, step),
    })
}

/// Returns the program with one move of all rows in place of each move in a loop that moves single rows. The loop
/// keeps one iteration.
pub fn joined(program: &Program, within: StmtId) -> Option<Program> {
    let mut program = program.clone();
    let stmt = program.body.statement_mut(within)?;
    join(&mut program.scalars, &mut stmt.kind)?;
    Some(program)
}

/// Changes a loop of row moves; `None` if the loop does anything else.
fn join(scalars: &mut Scalars, kind: &mut StmtKind) -> Option<()> {
    let (variable, count, body) = once(scalars, kind)?;
    for stmt in body.iter_mut() {
        let StmtKind::Instr(instr) = &mut stmt.kind else {
            return None;
        };
        let row = instr.row();
        if !row.moves(Place::Gm, Place::UB) && !row.moves(Place::UB, Place::Gm) {
            return None;
        }
        join_rows(scalars, instr, variable, count)?;
    }
    (!body.is_empty()).then_some(())
}

/// Leaves one iteration of a loop that counts up by one. Returns its variable, the number of iterations before, and its
/// body.
fn once<'k>(
    scalars: &mut Scalars,
    kind: &'k mut StmtKind,
) -> Option<(VariableId, ScalarId, &'k mut Vec<Stmt>)> {
    let StmtKind::Loop {
        variable,
        start,
        stop,
        step,
        body,
    } = kind
    else {
        return None;
    };
    (scalars.as_int(*step) == Some(1)).then_some(())?;
    let count = match scalars.as_int(*start) {
        Some(0) => *stop,
        _ => scalars.binary(BinaryOp::Sub, *stop, *start),
    };
    let one = scalars.int(1);
    *stop = scalars.binary(BinaryOp::Add, *start, one);
    Some((*variable, count, body))
}

/// Returns whether an extent is 1 in the first three iterations of a loop. The run shows whether it is 1 in the others.
fn is_one(scalars: &Scalars, extent: ScalarId, counter: VariableId) -> bool {
    let at = |number: i64| scalars.evaluated(extent, &|it| (it == counter).then_some(number));
    (0..3).all(|number| at(number) == Some(1))
}

/// Extends a move of one row to `count` rows.
fn join_rows(
    scalars: &Scalars,
    instr: &mut Instr,
    counter: VariableId,
    count: ScalarId,
) -> Option<()> {
    let is_one = |scalar: ScalarId| is_one(scalars, scalar, counter);
    for arg in &mut instr.args {
        match &mut arg.value {
            ArgValue::View(view) => match &mut **view {
                View::Local(view) => {
                    is_one(view.span[0]).then_some(())?;
                    (view.span[0], view.static_span[0]) = (count, false);
                }
                View::Global(view) => {
                    let mut axes = view.axes.iter_mut();
                    let row = axes
                        .find(|axis| is_one(axis.span) && scalars.mentions(axis.start, counter))?;
                    (row.span, row.is_slice, row.static_span) = (count, true, false);
                }
            },
            _ if arg.source == ArgSource::Default => {}
            // Arguments that were inferred for one row are inferred again when the instruction executes.
            value => *value = ArgValue::None,
        }
    }
    Some(())
}

/// Creates an instruction in place of another one, with the given arguments and defaults for the others.
fn instruction(
    scalars: &mut Scalars,
    opcode: Opcode,
    before: &Instr,
    given: Vec<(&'static str, ArgValue)>,
) -> Instr {
    let params = opcode.row().params();
    let mut args: Vec<Arg> = params
        .map(|param| Arg {
            value: ArgValue::of_default(param.default, scalars),
            source: ArgSource::Default,
        })
        .collect();
    for (name, value) in given {
        if let Some(index) = opcode.row().index_named(name) {
            args[index] = Arg {
                value,
                source: ArgSource::Inferred,
            };
        }
    }
    Instr {
        opcode,
        args,
        name_span: before.name_span,
        explicit: true,
        called: None,
        asked: None,
    }
}

/// Returns the launch with the rows of a tensor padded to a multiple of `bytes` bytes. `None` if they are
/// aligned, or if the tensor has one row.
pub fn aligned(launch: &BoundLaunch, global: GlobalId, bytes: i64) -> Option<BoundLaunch> {
    let mut launch = launch.clone();
    let tensor = &mut launch.globals[global.index()];
    let unit = bytes * 8 / tensor.dtype.bits();
    let rows: i64 = tensor.shape.iter().rev().skip(1).product();
    let last = tensor.shape.last_mut()?;
    let padded = (*last + unit - 1).div_euclid(unit) * unit;
    if rows <= 1 || padded == *last {
        return None;
    }
    tensor.bytes = tensor.bytes.checked_div(*last as usize)? * padded as usize;
    *last = padded;
    // Given bytes have no padding; the time does not depend on values.
    if let Contents::Bytes(_) = tensor.contents {
        tensor.contents = Contents::Generated(TensorInit::Full(0.0), 0);
    }
    Some(launch)
}

/// Calls `visit` for every view.
fn each_view(stmts: &mut [Stmt], visit: &mut dyn FnMut(&mut View)) {
    for stmt in stmts {
        match &mut stmt.kind {
            StmtKind::Instr(instr) => {
                for arg in &mut instr.args {
                    if let ArgValue::View(view) = &mut arg.value {
                        visit(view);
                    }
                }
            }
            StmtKind::Havoc(views) => views.iter_mut().for_each(&mut *visit),
            kind => {
                for block in kind.blocks_mut() {
                    each_view(block, visit);
                }
            }
        }
    }
}

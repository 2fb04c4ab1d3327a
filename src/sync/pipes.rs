//! Who executes an instruction: the side, and the pipe of its lanes.

use crate::device::{is_cube_pipe, is_vec_pipe};
use crate::ir::{ArgValue, Instr, Mutex, MutexKind, Program};
use crate::isa::{Class, Opcode, Pipe, Place, Position, Receiver, Side, Unit};

/// The side whose lanes execute an instruction.
pub fn side_of(program: &Program, instr: &Instr) -> Side {
    let row = instr.row();
    match (row.receiver, row.unit) {
        (Some(Receiver::Mutex), _) => mutex_side(program, instr),
        (Some(Receiver::Var), _) => scalar_access_side(program, instr),
        (_, Unit::Argument) if row.class == Class::Event => event_side(program, instr),
        (_, unit) => unit.side(),
    }
}

fn mutex_side(program: &Program, instr: &Instr) -> Side {
    let Some(ArgValue::Mutex(id)) = instr.args.first().map(|arg| &arg.value) else {
        return Side::Both;
    };
    let producer = matches!(instr.opcode, Opcode::MutexLock | Opcode::MutexReady);
    match (program.mutex(*id).kind, producer) {
        (MutexKind::CubeToVec, true) | (MutexKind::VecToCube, false) => Side::Cube,
        _ => Side::Vec,
    }
}

/// `GetValueFrom` and `SetValueTo` on UB belong to the vec side.
fn scalar_access_side(program: &Program, instr: &Instr) -> Side {
    let position = instr
        .local(1)
        .map(|view| program.buffer(view.buffer).position);
    match position.map(Place::Local) {
        Some(Place::Local(Position::Ub)) => Side::Vec,
        Some(_) => Side::Cube,
        None => Side::Both,
    }
}

fn event_side(program: &Program, instr: &Instr) -> Side {
    let pipes = event_pipes(program, instr);
    let cube = pipes.into_iter().flatten().any(is_cube_pipe);
    let vec = pipes.into_iter().flatten().any(is_vec_pipe);
    match (cube, vec) {
        (true, false) => Side::Cube,
        (false, true) => Side::Vec,
        _ => Side::Both,
    }
}

/// The pipes of an event instruction: the one that sets and the one that waits.
pub fn event_pipes(program: &Program, instr: &Instr) -> [Option<Pipe>; 2] {
    if let Some(ArgValue::Event(id)) = instr.args.first().map(|arg| &arg.value) {
        let event = program.event(*id);
        return [event.src, event.dst];
    }
    [0, 1].map(|index| match instr.args.get(index).map(|arg| &arg.value) {
        Some(ArgValue::Pipe(pipe)) => Some(*pipe),
        _ => None,
    })
}

/// The pipe on which an instruction takes its place in its lane.
pub fn pipe_of(program: &Program, instr: &Instr) -> Pipe {
    let mutex = |pick: fn(&Mutex) -> Pipe| match instr.args.first().map(|arg| &arg.value) {
        Some(ArgValue::Mutex(id)) => pick(program.mutex(*id)),
        _ => Pipe::S,
    };
    let row = instr.row();
    match (row.class, row.receiver) {
        (Class::Event, _) => {
            let [src, dst] = event_pipes(program, instr);
            let waits = matches!(instr.opcode, Opcode::EventWait | Opcode::WaitFlag);
            (if waits { dst } else { src }).unwrap_or(Pipe::S)
        }
        (Class::Mutex, Some(Receiver::Mutex)) => match instr.opcode {
            Opcode::MutexLock => mutex(|mutex| mutex.src_start),
            Opcode::MutexReady => mutex(|mutex| mutex.src_end),
            Opcode::MutexWait => mutex(|mutex| mutex.dst_start),
            _ => mutex(|mutex| mutex.dst_end),
        },
        (Class::CrossFlag, _) => match instr.args.get(1).map(|arg| &arg.value) {
            Some(ArgValue::Pipe(pipe)) => *pipe,
            _ => Pipe::S,
        },
        _ => instr.pipe().unwrap_or(Pipe::S),
    }
}

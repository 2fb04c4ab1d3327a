//! Determines the side and the pipe that execute an instruction.

use crate::{Instr, Mutex, MutexKind, Program};
use a2lint_isa::device::{is_cube_pipe, is_vec_pipe};
use a2lint_isa::{Act, Channel, Class, Pipe, Place, Position, Receiver, Side, Unit, param};

/// Returns the side whose lanes execute an instruction.
pub fn side_of(program: &Program, instr: &Instr) -> Side {
    let row = instr.row();
    match (row.receiver, row.unit) {
        (Some(Receiver::Mutex), _) => mutex_side(program, instr),
        (Some(Receiver::Var), Unit::On(_, Side::Both)) => scalar_access_side(program, instr),
        (_, Unit::Argument) if row.class == Class::Event => event_side(program, instr),
        (_, Unit::Argument) if row.class == Class::Move => match instr.pipe() {
            Some(pipe) if is_cube_pipe(pipe) => Side::Cube,
            Some(pipe) if is_vec_pipe(pipe) => Side::Vec,
            _ => Side::Both,
        },
        (_, unit) => unit.side(),
    }
}

fn mutex_side(program: &Program, instr: &Instr) -> Side {
    let Some(id) = instr.mutex() else {
        return Side::Both;
    };
    let signal = instr.row().signal();
    let producer = matches!(
        signal,
        Some((Act::Wait, Channel::Credit) | (Act::Set, Channel::Data))
    );
    match (program.mutex(id).kind, producer) {
        (MutexKind::CubeToVec, true) | (MutexKind::VecToCube, false) => Side::Cube,
        _ => Side::Vec,
    }
}

/// Returns the side of a `GetValueFrom` or `SetValueTo`: vec for UB, cube for other on-chip memories, both for global
/// memory.
fn scalar_access_side(program: &Program, instr: &Instr) -> Side {
    let local = instr.local(param!(GetValueFrom | SetValueTo.view));
    let position = local.map(|view| program.buffer(view.buffer).position);
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

/// Returns the pipes of an event instruction: the one that sets and the one that waits.
pub fn event_pipes(program: &Program, instr: &Instr) -> [Option<Pipe>; 2] {
    if let Some(id) = instr.event() {
        let event = program.event(id);
        return [event.src, event.dst];
    }
    let ends = [
        param!(SetFlag | WaitFlag.src),
        param!(SetFlag | WaitFlag.dst),
    ];
    ends.map(|index| instr.pipe_at(index))
}

/// Returns the pipe whose queue an instruction is issued to in its lane.
pub fn pipe_of(program: &Program, instr: &Instr) -> Pipe {
    let mutex = |pick: fn(&Mutex) -> Pipe| match instr.mutex() {
        Some(id) => pick(program.mutex(id)),
        _ => Pipe::S,
    };
    let Some((act, channel)) = instr.row().signal() else {
        return instr.pipe().unwrap_or(Pipe::S);
    };
    match (channel, act) {
        (Channel::Event | Channel::Raw | Channel::AllOfEvent, _) => {
            let [src, dst] = event_pipes(program, instr);
            let waits = act == Act::Wait && channel != Channel::AllOfEvent;
            (if waits { dst } else { src }).unwrap_or(Pipe::S)
        }
        (Channel::Credit, Act::Wait) => mutex(|mutex| mutex.src_start),
        (Channel::Data, Act::Set) => mutex(|mutex| mutex.src_end),
        (Channel::Data, Act::Wait) => mutex(|mutex| mutex.dst_start),
        (Channel::Credit, Act::Set) => mutex(|mutex| mutex.dst_end),
        (Channel::Flag(_), _) => {
            let given = instr.pipe_at(param!(class CrossFlag.pipe));
            given.unwrap_or(Pipe::S)
        }
    }
}

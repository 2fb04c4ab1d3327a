//! Flags, barriers and the registers that instructions depend on.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use a2lint_ir::AtomicKind;
use a2lint_ir::build::Argument;
use a2lint_isa::{Opcode, Pipe, Side};

use super::cx::{Cx, Lowered, lost, take};
use super::objects::{Core, Mask};
use super::types;

/// The flags between cores that a kernel sets, by id: with which mode, on which side. A wait tells neither.
#[derive(Debug, Default)]
pub struct Sets {
    seen: RefCell<BTreeSet<(i64, i64, bool)>>,
    /// Whether a wait came before the flag that it is for was seen.
    pub is_open: Cell<bool>,
}

/// Lowers a call that orders work or sets registers; `None` where the name is none.
pub fn lower(cx: &mut Cx<'_, '_, '_>, side: Side, sets: &Sets) -> Option<Lowered> {
    Some(match cx.call.name {
        "SetFlag" => flag(cx, Opcode::SetFlag, side),
        "WaitFlag" => flag(cx, Opcode::WaitFlag, side),
        "set_flag" => raw_flag(cx, Opcode::SetFlag),
        "wait_flag" => raw_flag(cx, Opcode::WaitFlag),
        "PipeBarrier" => {
            let pipe = cx.template_int(0);
            barrier(cx, pipe)
        }
        "pipe_barrier" => raw_barrier(cx),
        "DataSyncBarrier" => barrier(cx, Some(6)),
        "SyncAll" => sync_all(cx, side),
        "CrossCoreSetFlag" => cross_set(cx, side, sets),
        "CrossCoreWaitFlag" => cross_wait(cx, side, sets),
        "SetMaskNorm" => with_core(cx, |core| core.counts = false),
        "SetMaskCount" => with_core(cx, |core| core.counts = true),
        "ResetMask" => reset_mask(cx),
        "SetVectorMask" => vector_mask(cx),
        "SetAtomicAdd" => cx.set_atomic(Some(AtomicKind::Add)),
        "SetAtomicMax" => cx.set_atomic(Some(AtomicKind::Max)),
        "SetAtomicMin" => cx.set_atomic(Some(AtomicKind::Min)),
        "SetAtomicNone" | "DisableDmaAtomic" => cx.set_atomic(None),
        "SetPadValue" => pad_value(cx),
        "InitSocState" => init_state(cx),
        _ => return None,
    })
}

impl Cx<'_, '_, '_> {
    /// A flag that is set on one pipe and waited for on another at once, with the lowest id that is free.
    pub fn hand_over(&mut self, (src, dst): (Pipe, Pipe)) -> Lowered {
        let taken = (0..types::EVENTS).find(|&it| types::event(it) == Some((src, dst)));
        let core = self.core()?;
        let taken = taken
            .and_then(|it| core.taken.get(usize::try_from(it).ok()?).copied())
            .unwrap_or(0);
        let id = Argument::Number(a2lint_ir::Number::Int(taken.trailing_ones().into()));
        let span = self.call.name_span;
        for opcode in [Opcode::SetFlag, Opcode::WaitFlag] {
            let emission = self
                .instruction(opcode)
                .pipe("src", src, span)
                .pipe("dst", dst, span)
                .with("event_id", id.clone(), span);
            take!(self.emit(emission));
        }
        Ok(Ok(()))
    }
}

fn with_core(cx: &mut Cx<'_, '_, '_>, change: impl FnOnce(&mut Core)) -> Lowered {
    let mut core = cx.core()?;
    change(&mut core);
    cx.set_core(core)?;
    Ok(Ok(()))
}

/// `InitSocState()`
fn init_state(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    take!(cx.set_atomic(None));
    with_core(cx, |core| {
        core.counts = false;
        core.mask = Mask::All;
    })
}

/// `ResetMask()`
fn reset_mask(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    take!(with_core(cx, |core| core.mask = Mask::All));
    cx.set_register()
}

/// `SetPadValue(value)`
fn pad_value(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let value = take!(cx.number(0));
    with_core(cx, |core| core.pad_value = Some(value))
}

/// `SetVectorMask<T, mode>(high, low)`, `SetVectorMask<T, mode>(length)`
fn vector_mask(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    const COUNTER: i64 = 1;
    let last = cx.count().saturating_sub(1);
    let low = take!(cx.number(last));
    let is_counter = cx.template_int(1) == Some(COUNTER) || cx.core()?.counts;
    let mask = match (is_counter, last) {
        (true, _) => Mask::Count(low),
        (false, 0) => Mask::Lanes(low),
        (false, _) => Mask::Words(take!(cx.number(0)), low),
    };
    with_core(cx, |core| core.mask = mask)
}

/// The side on which the API drops an event; `None` where both have it.
fn other_side((src, dst): (Pipe, Pipe)) -> Option<Side> {
    use Pipe::{Fix, M, Mte1, Mte2, Mte3, S, V};
    match (src, dst) {
        (Mte2, V) | (V, Mte2) | (Mte3, V) | (V, Mte3) | (V, V) | (S, V) | (V, S) => {
            Some(Side::Cube)
        }
        (Mte2, Mte1) | (Mte1, Mte2) | (Mte1, M) | (M, Mte1) | (M, Fix) | (Fix, M) => {
            Some(Side::Vec)
        }
        _ => None,
    }
}

/// `SetFlag<event>(id)`
fn flag(cx: &mut Cx<'_, '_, '_>, opcode: Opcode, side: Side) -> Lowered {
    let Some(pipes) = cx.template_int(0).and_then(types::event) else {
        lost!("which event `{}` is about is not known", cx.call.name);
    };
    if other_side(pipes) == Some(side) {
        return Ok(Ok(()));
    }
    if pipes == (Pipe::V, Pipe::V) {
        return match opcode {
            Opcode::SetFlag => {
                let emission = cx.instruction(Opcode::BarV);
                cx.emit(emission)
            }
            _ => Ok(Ok(())),
        };
    }
    emit_flag(cx, opcode, pipes, 0)
}

fn raw_flag(cx: &mut Cx<'_, '_, '_>, opcode: Opcode) -> Lowered {
    let (src, dst) = (take!(cx.known(0)), take!(cx.known(1)));
    let (Some(src), Some(dst)) = (Cx::pipe(src), Cx::pipe(dst)) else {
        lost!("a flag between these pipes is not followed");
    };
    emit_flag(cx, opcode, (src, dst), 2)
}

fn emit_flag(
    cx: &mut Cx<'_, '_, '_>,
    opcode: Opcode,
    (src, dst): (Pipe, Pipe),
    id: usize,
) -> Lowered {
    let number = take!(cx.number(id));
    let span = cx.call.name_span;
    let emission = cx
        .instruction(opcode)
        .pipe("src", src, span)
        .pipe("dst", dst, span)
        .with("event_id", Argument::Scalar(number), cx.span(id));
    cx.emit(emission)
}

fn raw_barrier(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let pipe = take!(cx.known(0));
    barrier(cx, Some(pipe))
}

fn barrier(cx: &mut Cx<'_, '_, '_>, pipe: Option<i64>) -> Lowered {
    let opcode = match pipe.and_then(Cx::pipe) {
        Some(Pipe::V) => Opcode::BarV,
        Some(Pipe::M) => Opcode::BarM,
        Some(Pipe::Mte1) => Opcode::BarMte1,
        Some(Pipe::Mte2) => Opcode::BarMte2,
        Some(Pipe::Mte3) => Opcode::BarMte3,
        Some(Pipe::Fix) => Opcode::BarFix,
        Some(Pipe::All) => Opcode::BarAll,
        _ => lost!("a barrier of this pipe is not followed"),
    };
    let emission = cx.instruction(opcode);
    cx.emit(emission)
}

/// `SyncAll<true>()`: a barrier of all pipes, then a flag among all vec lanes.
fn sync_all(cx: &mut Cx<'_, '_, '_>, side: Side) -> Lowered {
    const FLAG: i64 = 14;
    if cx.template_int(0) == Some(0) {
        lost!("`SyncAll` of cube and vec cores is not followed");
    }
    if side == Side::Cube {
        return Ok(Ok(()));
    }
    let span = cx.call.name_span;
    let id = Argument::Number(a2lint_ir::Number::Int(FLAG.into()));
    let all = cx.instruction(Opcode::BarAll);
    take!(cx.emit(all));
    let ready = cx
        .instruction(Opcode::AllVecReady)
        .with("flag_id", id.clone(), span)
        .pipe("pipe", Pipe::Mte3, span);
    take!(cx.emit(ready));
    let wait = cx.instruction(Opcode::AllVecWait).with("flag_id", id, span);
    cx.emit(wait)
}

/// `CrossCoreSetFlag<mode, pipe>(flagId)`
fn cross_set(cx: &mut Cx<'_, '_, '_>, side: Side, sets: &Sets) -> Lowered {
    let Some(pipe) = cx.template_int(1).and_then(Cx::pipe) else {
        lost!("the pipe of `CrossCoreSetFlag` is not known");
    };
    let Some(mode @ 0..=2) = cx.template_int(0) else {
        lost!("the mode of `CrossCoreSetFlag` is not known");
    };
    let is_cube = side == Side::Cube;
    let opcode = match (mode, is_cube) {
        (0, true) => Opcode::AllCubeReady,
        (0, false) => Opcode::AllVecReady,
        (1, _) => Opcode::IntraVecReady,
        (_, true) => Opcode::CubeReady,
        (_, false) => Opcode::VecReady,
    };
    let id = take!(cx.known(0));
    sets.seen.borrow_mut().insert((id, mode, is_cube));
    let emission = cx
        .instruction(opcode)
        .with("flag_id", number(id), cx.span(0))
        .pipe("pipe", pipe, cx.call.name_span);
    cx.emit(emission)
}

/// `CrossCoreWaitFlag(flagId)`: the mode is that of the sets of this id.
fn cross_wait(cx: &mut Cx<'_, '_, '_>, side: Side, sets: &Sets) -> Lowered {
    let id = take!(cx.known(0));
    let is_cube = side == Side::Cube;
    let concerns =
        |&&(of, mode, by_cube): &&(i64, i64, bool)| of == id && (mode == 2) == (by_cube != is_cube);
    let modes: BTreeSet<i64> = sets
        .seen
        .borrow()
        .iter()
        .filter(concerns)
        .map(|(_, mode, _)| *mode)
        .collect();
    let mut modes = modes.into_iter();
    let opcode = match (modes.next(), modes.next(), is_cube) {
        (None, _, _) => {
            sets.is_open.set(true);
            lost!("no flag {id} is set for `CrossCoreWaitFlag`");
        }
        (Some(0), None, true) => Opcode::AllCubeWait,
        (Some(0), None, false) => Opcode::AllVecWait,
        (Some(1), None, _) => Opcode::IntraVecWait,
        (Some(_), None, true) => Opcode::WaitVec,
        (Some(_), None, false) => Opcode::WaitCube,
        (_, Some(_), _) => lost!("flag {id} is set with several modes"),
    };
    let emission = cx
        .instruction(opcode)
        .with("flag_id", number(id), cx.span(0));
    cx.emit(emission)
}

fn number(value: i64) -> Argument {
    Argument::Number(a2lint_ir::Number::Int(value.into()))
}

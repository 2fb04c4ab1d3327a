//! Flags, barriers and the registers that instructions depend on.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use a2lint_cpp::eval::Operand;
use a2lint_ir::build::Argument;
use a2lint_ir::{AtomicKind, BinaryOp, ScalarId};
use a2lint_isa::{Opcode, Pipe, Side};
use a2lint_source::text::Span;
use rustc_hash::FxHashMap;

use super::cx::{Cx, Lowered, follows, lost, take};
use super::objects::{Atomic, Core, Mask, Object};
use super::pipe::{FETCHED, POOLED};
use super::{havoc, numbers, tensors, types};

/// The least and the largest id that a flag may have.
type Ids = (i64, i64);

/// The flags between cores that a kernel sets: id, mode, and whether the cube sets it. A wait names only the id, so its
/// mode is looked up here.
#[derive(Debug, Default)]
pub struct Sets {
    /// An id that the kernel computes is the least and the largest one that it may be.
    seen: RefCell<BTreeSet<(Ids, i64, bool)>>,
    /// Number of known sets at the first wait.
    at_wait: Cell<Option<usize>>,
}

impl Sets {
    /// Returns whether a flag was waited for before all sets were known.
    pub fn are_late(&self) -> bool {
        let known = self.at_wait.get();
        known.is_some_and(|known| known < self.seen.borrow().len())
    }
}

/// Lowers a call that orders work or sets registers; returns `None` for other calls.
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
        "CrossCoreSetFlag" => {
            let (mode, pipe) = (cx.template_int(0), cx.template_int(1));
            cross_set(cx, (mode, pipe, 0), side, sets)
        }
        "NotifyEvent" => {
            let pipe = cx.template_int(0);
            cross_set(cx, (Some(2), pipe, 0), side, sets)
        }
        "ffts_cross_core_sync" => raw_cross_set(cx, side, sets),
        "CrossCoreWaitFlag" | "WaitEvent" | "wait_flag_dev" => cross_wait(cx, side, sets),
        "set_mask_norm" | "SetMaskNorm" => with_core(cx, |core| core.counts = false),
        "set_mask_count" | "SetMaskCount" => with_core(cx, |core| core.counts = true),
        "ResetMask" => reset_mask(cx),
        "SetVectorMask" | "set_vector_mask" => vector_mask(cx),
        "SetAtomicAdd" | "set_atomic_add" => atomic(cx, AtomicKind::Add),
        "SetAtomicMax" => atomic(cx, AtomicKind::Max),
        "SetAtomicMin" => atomic(cx, AtomicKind::Min),
        "SetAtomicNone" | "DisableDmaAtomic" | "set_atomic_none" => cx.set_atomic(None),
        "SetPadValue" => pad_value(cx),
        "SetDeqScale" => deq_scale(cx),
        "InitSocState" => init_state(cx),
        _ => return None,
    })
}

/// Returns whether a call signals or waits between cores; such calls involve both vec cores of a cube.
pub fn joins_cores(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "SyncAll",
        "CrossCoreSetFlag",
        "CrossCoreWaitFlag",
        "NotifyEvent",
        "WaitEvent",
        "ffts_cross_core_sync",
        "wait_flag_dev",
    ];
    NAMES.contains(&name)
}

impl Cx<'_, '_, '_> {
    /// Emits a flag that one pipe sets and another waits for at once, with the lowest free id.
    pub fn hand_over(&mut self, (src, dst): (Pipe, Pipe)) -> Lowered {
        let taken = (0..types::EVENTS).find(|&it| types::event(it) == Some((src, dst)));
        let ids = take!(self.taken_ids());
        let taken = taken
            // Ids that the kernel has allocated may be in flight: the API uses the lowest free id for its own flags.
            .and_then(|it| ids.get(usize::try_from(it).ok()?).copied())
            .unwrap_or(0);
        let id = Argument::Number(a2lint_ir::Number::Int(taken.trailing_ones().into()));
        let span = self.call.name_span;
        self.builder().program.pooled_flags.push(span);
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

/// Lowers `SetAtomicAdd<T>()` and its kin.
fn atomic(cx: &mut Cx<'_, '_, '_>, kind: AtomicKind) -> Lowered {
    let dtype = cx.template_dtype(0);
    cx.set_atomic(Some(Atomic { kind, dtype }))
}

/// Lowers `InitSocState()`.
fn init_state(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    take!(cx.set_atomic(None));
    with_core(cx, |core| {
        core.counts = false;
        // According to its manual, `InitSocState` disables atomics and sets normal mode and all bits of the mask.
        core.mask = Mask::All;
    })
}

/// Lowers `ResetMask()`.
fn reset_mask(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    take!(with_core(cx, |core| core.mask = Mask::All));
    // Unlike other calls that change the mask, `ResetMask` writes the register at once.
    cx.set_register()
}

/// Lowers `SetPadValue(value)`.
fn pad_value(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let value = take!(cx.number(0));
    with_core(cx, |core| core.pad_value = Some(value))
}

/// Lowers `SetDeqScale(scale)`.
fn deq_scale(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let scale = take!(cx.number(0));
    let register = cx.core()?.deq_scale;
    cx.set_number(register, Some(scale))
}

/// Lowers `SetVectorMask<T, mode>(high, low)`, `SetVectorMask<T, mode>(length)`.
fn vector_mask(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    const COUNTER: i64 = 1;
    let last = cx.count().saturating_sub(1);
    // The forms are `(high, low)` and `(length)`: the last argument is the low word or the length.
    let low = take!(cx.number(last));
    // In counter mode the low word is the number of elements, whichever form sets it.
    let is_counter = cx.template_int(1) == Some(COUNTER) || cx.core()?.counts;
    let mask = match (is_counter, last) {
        (true, _) => Mask::Count(low),
        (false, 0) => cx.mask_of_lanes(low),
        (false, _) => {
            let high = take!(cx.number(0));
            cx.mask_of_words(high, low)
        }
    };
    with_core(cx, |core| core.mask = mask)
}

/// Returns the side on which the API drops an event; `None` if both sides have it.
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

/// Lowers `SetFlag<event>(id)`.
fn flag(cx: &mut Cx<'_, '_, '_>, opcode: Opcode, side: Side) -> Lowered {
    let Some(pipes) = cx.template_int(0).and_then(types::event) else {
        lost!("which event `{}` is about is not known", cx.call.name);
    };
    // One text is compiled for both sides: the API drops the call on the side that lacks these pipes.
    if other_side(pipes) == Some(side) {
        return Ok(Ok(()));
    }
    // A flag from a pipe to itself is a barrier at the set; the wait has no effect.
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

/// Lowers `SetFlag(id)` and `WaitFlag(id)` of a `TQueSync`; returns `None` for other methods.
pub fn queue_sync(cx: &mut Cx<'_, '_, '_>, object: &Operand) -> Option<Lowered<Option<Operand>>> {
    let opcode = match cx.call.name {
        "SetFlag" => Opcode::SetFlag,
        "WaitFlag" => Opcode::WaitFlag,
        _ => return None,
    };
    Some(queue_flag(cx, object, opcode))
}

fn queue_flag(
    cx: &mut Cx<'_, '_, '_>,
    object: &Operand,
    opcode: Opcode,
) -> Lowered<Option<Operand>> {
    let value = cx.eval.value_of(object)?;
    let Some(Object::Sync(pipes)) = value.library::<Object>() else {
        follows!("the pipes of a `TQueSync` are not known");
    };
    let pipes = *pipes;
    Ok(emit_flag(cx, opcode, pipes, 0)?.map(|()| None))
}

fn raw_flag(cx: &mut Cx<'_, '_, '_>, opcode: Opcode) -> Lowered {
    let (src, dst) = (take!(cx.known(0)), take!(cx.known(1)));
    let (Some(src), Some(dst)) = (Cx::pipe(src), Cx::pipe(dst)) else {
        lost!("a flag between these pipes is not followed");
    };
    emit_flag(cx, opcode, (src, dst), 2)
}

/// The last of the flags from M to MTE1 that a `TPipe` takes.
const LAST_OF_PIPE: i64 = 2;

fn emit_flag(
    cx: &mut Cx<'_, '_, '_>,
    opcode: Opcode,
    (src, dst): (Pipe, Pipe),
    id: usize,
) -> Lowered {
    let number = take!(cx.number(id));
    if (src, dst) == (Pipe::M, Pipe::Mte1)
        && cx.current_pipe()?.is_some()
        && let Some((least, most)) = numbers::range(cx.builder(), number)
        // A `TPipe` of a cube is said to take these ids and to set their flags; no public source confirms it.
        && least <= LAST_OF_PIPE
        && most >= 0
    {
        lost!("whether `TPipe` has set flags 0 to {LAST_OF_PIPE} from M to MTE1 is not known");
    }
    let number = without_pool(cx, (src, dst), opcode, number);
    let span = cx.call.name_span;
    let emission = cx
        .instruction(opcode)
        .pipe("src", src, span)
        .pipe("dst", dst, span)
        .with("event_id", Argument::Scalar(number), cx.span(id));
    cx.emit(emission)
}

/// Returns the number of an event id, without the marks [`POOLED`] and [`FETCHED`]. Records the call in `pooled_flags`
/// if the id may come from the pool and no queue can hold it at this call.
fn without_pool(
    cx: &mut Cx<'_, '_, '_>,
    pair: (Pipe, Pipe),
    opcode: Opcode,
    id: ScalarId,
) -> ScalarId {
    let known = numbers::known(cx.builder(), id);
    let is_pooled = match known {
        Some(id) => id >= POOLED,
        None => !cx.builder().program.pooled_flags.is_empty(),
    };
    if !is_pooled {
        return id;
    }
    let span = cx.call.name_span;
    let is_kept = known.is_none_or(|id| id < POOLED + FETCHED);
    let sets = (opcode == Opcode::SetFlag).then_some(span);
    if is_kept || cx.fetched.uses(pair, cx.eval.depth(), sets) {
        cx.builder().program.pooled_flags.push(span);
    }
    let builder = cx.builder();
    match known {
        Some(id) => builder.int(id % FETCHED),
        None => {
            let above = builder.int(FETCHED);
            builder.binary(BinaryOp::Mod, id, above)
        }
    }
}

/// The ids that `FetchEventID` returned last, by pair of pipes. It reserves none: an id is free for the kernel until a
/// queue takes one of the same pair.
#[derive(Debug, Default)]
pub struct Fetched(RefCell<FxHashMap<(Pipe, Pipe), Use>>);

/// The use of a fetched id.
#[derive(Debug)]
struct Use {
    /// How many blocks were open at the call that returned it.
    depth: usize,
    /// The call that set its flag, if none has waited for it.
    set: Option<Span>,
}

impl Fetched {
    /// Records a call for a `HardEvent` in a block of this depth.
    pub fn record(&self, event: i64, depth: usize) {
        if let Some(pair) = types::event(event) {
            self.0.borrow_mut().insert(pair, Use { depth, set: None });
        }
    }

    /// Records that a queue takes an id of a pair. Returns the call that has set the flag of the
    /// fetched one, which the queue may take as well.
    pub fn forget(&self, pair: (Pipe, Pipe)) -> Option<Span> {
        self.0.borrow_mut().remove(&pair)?.set
    }

    /// Records a call that sets the flag of a fetched id, or waits for it. Returns whether no queue has taken an id of
    /// the pair since the id was fetched, which was in the same block.
    fn uses(&self, pair: (Pipe, Pipe), depth: usize, sets: Option<Span>) -> bool {
        let mut all = self.0.borrow_mut();
        let Some(fetched) = all.get_mut(&pair).filter(|it| it.depth == depth) else {
            return false;
        };
        fetched.set = sets;
        true
    }
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

/// The ids of the flags that `SyncAll` uses.
mod sync_all_flags {
    // From the headers of the API, which reserves these four ids: kernels must not use them.
    pub const CUBES: i64 = 11;
    pub const VEC_TO_CUBE: i64 = 12;
    pub const CUBE_TO_VEC: i64 = 13;
    pub const VECS: i64 = 14;
}

/// Lowers `SyncAll<true>()`, a barrier of all pipes followed by a flag among all vec lanes, and `SyncAll<false>()`: vec
/// lanes signal their cube, cubes each other, and each cube its vec lanes.
fn sync_all(cx: &mut Cx<'_, '_, '_>, side: Side) -> Lowered {
    use Opcode::{
        AllCubeReady, AllCubeWait, AllVecReady, AllVecWait, CubeReady, VecReady, WaitCube, WaitVec,
    };
    use sync_all_flags::{CUBE_TO_VEC, CUBES, VEC_TO_CUBE, VECS};
    let is_by_workspace = cx.count() > 0;
    if is_by_workspace && (side == Side::Cube || take!(cx.known(2)) != 0) {
        match side {
            // `SyncAll` over a workspace returns at once on the cube.
            Side::Cube => return Ok(Ok(())),
            _ => lost!("`SyncAll` of some of the cores is not followed"),
        }
    }
    let is_vec_only = is_by_workspace || cx.template_int(0) != Some(0);
    let steps: &[(Opcode, i64, Option<Pipe>)] = match (is_vec_only, side) {
        // A barrier among vec cores does not involve cubes.
        (true, Side::Cube) => return Ok(Ok(())),
        (true, _) => &[
            (AllVecReady, VECS, Some(Pipe::Mte3)),
            (AllVecWait, VECS, None),
        ],
        (false, Side::Cube) => &[
            (WaitVec, VEC_TO_CUBE, None),
            (AllCubeReady, CUBES, Some(Pipe::Fix)),
            (AllCubeWait, CUBES, None),
            (CubeReady, CUBE_TO_VEC, Some(Pipe::Mte3)),
        ],
        (false, _) => &[
            (VecReady, VEC_TO_CUBE, Some(Pipe::Mte3)),
            (WaitCube, CUBE_TO_VEC, None),
        ],
    };
    // A flag waits only for its own pipe; without the barrier, later work could overtake work of the other pipes.
    let all = cx.instruction(Opcode::BarAll);
    take!(cx.emit(all));
    let span = cx.call.name_span;
    if is_by_workspace {
        cx.builder().program.polled_meetings.push(span);
    }
    for &(opcode, id, pipe) in steps {
        let mut emission = cx.instruction(opcode).with("flag_id", number(id), span);
        if let Some(pipe) = pipe {
            emission = emission.pipe("pipe", pipe, span);
        }
        take!(cx.emit(emission));
    }
    if is_by_workspace {
        // The cores poll counters of each other in the workspace, which they copy through the on-chip tensor.
        let (gm, ub) = (take!(cx.global(0)), take!(cx.local(1)));
        let sites = [cx.span(0), cx.span(1)];
        let builder = cx.builder();
        let views = vec![
            havoc::of_global(builder, gm.global, sites[0]),
            tensors::reachable(builder, ub, sites[1]),
        ];
        builder.havoc(views)?;
    }
    Ok(Ok(()))
}

/// Lowers `CrossCoreSetFlag<mode, pipe>(flagId)`, `NotifyEvent<pipe>(flagId)`.
fn cross_set(
    cx: &mut Cx<'_, '_, '_>,
    (mode, pipe, at): (Option<i64>, Option<i64>, usize),
    side: Side,
    sets: &Sets,
) -> Lowered {
    let id = take!(cx.number(at));
    emit_cross_set(cx, (mode, pipe, id), side, sets)
}

/// Lowers `ffts_cross_core_sync(pipe, message)`, whose message encodes mode and flag.
fn raw_cross_set(cx: &mut Cx<'_, '_, '_>, side: Side, sets: &Sets) -> Lowered {
    let (pipe, message) = (take!(cx.known(0)), take!(cx.known(1)));
    // Bit 0 marks a message that sets a flag, bits 4–5 are the mode and bits 8–11 the id.
    if message & 1 == 0 {
        lost!("this message of `{}` is not followed", cx.call.name);
    }
    let mode = message >> 4 & 3;
    let id = cx.builder().int(message >> 8 & 15);
    emit_cross_set(cx, (Some(mode), Some(pipe), id), side, sets)
}

fn emit_cross_set(
    cx: &mut Cx<'_, '_, '_>,
    (mode, pipe, id): (Option<i64>, Option<i64>, ScalarId),
    side: Side,
    sets: &Sets,
) -> Lowered {
    let Some(pipe) = pipe.and_then(Cx::pipe) else {
        lost!("the pipe of `{}` is not known", cx.call.name);
    };
    let Some(mode @ 0..=2) = mode else {
        lost!("the mode of `{}` is not known", cx.call.name);
    };
    let is_cube = side == Side::Cube;
    let opcode = match (mode, is_cube) {
        (0, true) => Opcode::AllCubeReady,
        (0, false) => Opcode::AllVecReady,
        // Mode 1 synchronises the vec cores of one cube: a cube has no partner in it.
        (1, true) => lost!("`{}` among the vec cores of a cube", cx.call.name),
        (1, false) => Opcode::IntraVecReady,
        (_, true) => Opcode::CubeReady,
        (_, false) => Opcode::VecReady,
    };
    let ids = ids_of(cx, id);
    sets.seen.borrow_mut().insert((ids, mode, is_cube));
    let span = cx.call.name_span;
    let emission = cx
        .instruction(opcode)
        .number("flag_id", id, span)
        .pipe("pipe", pipe, span);
    cx.emit(emission)
}

/// Returns the ids that a flag may have; all where nothing is known of its number.
fn ids_of(cx: &mut Cx<'_, '_, '_>, id: ScalarId) -> Ids {
    numbers::range(cx.builder(), id).unwrap_or((i64::MIN, i64::MAX))
}

/// Lowers `CrossCoreWaitFlag(flagId)`; the mode is that with which the kernel sets this id.
fn cross_wait(cx: &mut Cx<'_, '_, '_>, side: Side, sets: &Sets) -> Lowered {
    let id = take!(cx.number(0));
    let ids = ids_of(cx, id);
    let is_cube = side == Side::Cube;
    // A later set may decide the mode of this wait: then the kernel is traced again (`are_late`).
    if sets.at_wait.get().is_none() {
        sets.at_wait.set(Some(sets.seen.borrow().len()));
    }
    let may_be_it = |of: Ids| of.0 <= ids.1 && ids.0 <= of.1;
    let concerns = |&&(of, mode, by_cube): &&(Ids, i64, bool)| {
        may_be_it(of) && (mode == 2) == (by_cube != is_cube)
    };
    let text = match ids {
        (least, most) if least == most => format!(" {least}"),
        _ => String::new(),
    };
    let modes: BTreeSet<i64> = sets
        .seen
        .borrow()
        .iter()
        .filter(concerns)
        .map(|(_, mode, _)| *mode)
        .collect();
    let mut modes = modes.into_iter();
    let opcode = match (modes.next(), modes.next(), is_cube) {
        // Nothing sets it: whatever its mode, the wait never ends.
        (None, _, true) => Opcode::WaitVec,
        (None, _, false) => Opcode::WaitCube,
        (Some(0), None, true) => Opcode::AllCubeWait,
        (Some(0), None, false) => Opcode::AllVecWait,
        (Some(1), None, _) => Opcode::IntraVecWait,
        (Some(_), None, true) => Opcode::WaitVec,
        (Some(_), None, false) => Opcode::WaitCube,
        // The hardware has one counter per id, whatever the mode, so it is undecided which set ends the wait.
        (_, Some(_), _) => lost!("flag{text} is set with several modes"),
    };
    let emission = cx.instruction(opcode).number("flag_id", id, cx.span(0));
    cx.emit(emission)
}

fn number(value: i64) -> Argument {
    Argument::Number(a2lint_ir::Number::Int(value.into()))
}

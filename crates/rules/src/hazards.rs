//! Classifies the hazards of a replay by the mistake they come from, and formats them.

use rustc_hash::FxHashSet;

use crate::coverage::operand_overrun::is_overrun;
use crate::guards::{End as GuardEnd, Guards, end_of, fewest_tokens};
use crate::observations::{Scene, witnessed};
use crate::wording::{block, call, has_lane_blocks, occupant_at, operand_text};
use crate::{Facts, Report, Sink};
use a2lint_ir::finding::Cause;
use a2lint_ir::sync::Reading;
use a2lint_ir::{Event as Token, Instr, Mutex, MutexId, Notation, Program, Stmt, View};
use a2lint_isa::{Channel, Pipe};
use a2lint_machine::MemoryId;
use a2lint_machine::hazards::{End, Hazard, HazardKind};
use a2lint_replay::Event;

/// The mistake that a hazard comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Two pipes of one lane, or two lanes of one side, access memory without an order.
    Race,
    /// The scalar unit reads what another pipe may still be writing.
    ScalarRead,
    /// Data crosses between cube and vec, and the kernel has no signal between the sides.
    Unguarded,
    /// Both accesses are guarded by a mutex that has more than one token.
    TooDeep(MutexId),
    /// Both accesses are guarded by a mutex with one token that is handed over on a pipe that does not wait for
    /// the first access.
    OtherPipe(MutexId),
    /// The sides have a mutex or flag, but an access is outside of its guard.
    Outside,
    /// A slot of a ring is rewritten before it was read.
    RingOverrun,
}

/// A hazard with the statements of both accesses.
pub(crate) struct Clash<'a> {
    /// The hazard.
    pub hazard: &'a Hazard,
    /// The mistake that it comes from.
    pub fault: Fault,
    /// The second access.
    pub scene: Scene<'a>,
    /// The statement of the first access.
    pub first: &'a Stmt,
    /// The instruction of the first access.
    pub first_instr: &'a Instr,
}

/// Returns the hazards that come from the wanted mistakes.
pub(crate) fn clashes<'a>(facts: &Facts<'a>, wanted: impl Fn(Fault) -> bool) -> Vec<Clash<'a>> {
    let scenes = Scene::all(facts, |seen| matches!(seen.event, Event::Hazard(_)));
    let guards = match scenes.is_empty() {
        true => Guards::default(),
        false => Guards::of(facts.program),
    };
    let mut crossings = FxHashSet::default();
    let clashes = scenes.into_iter().filter_map(|scene| {
        let Event::Hazard(hazard) = &scene.observation.event else {
            return None;
        };
        let first = facts.program.statement(hazard.first.stmt)?;
        let fault = fault(facts.program, &guards, hazard).filter(|&fault| wanted(fault))?;
        if strays(facts, hazard) {
            return None;
        }
        let (first_id, second_id) = (hazard.first.stmt, hazard.second.stmt);
        // An unguarded handover is a hazard in both directions, but one mistake.
        let is_known = !crossings.insert((first_id.min(second_id), first_id.max(second_id)));
        if is_known && !matches!(fault, Fault::Race | Fault::ScalarRead | Fault::RingOverrun) {
            return None;
        }
        Some(Clash {
            hazard,
            fault,
            first,
            first_instr: first.kind.instr()?,
            scene,
        })
    });
    clashes.collect()
}

/// Returns the mistake that a hazard comes from; `None` if it is not to be reported.
fn fault(program: &Program, guards: &Guards, hazard: &Hazard) -> Option<Fault> {
    let (first, second) = (&hazard.first, &hazard.second);
    if hazard.reading != program.toolchain.auto_sync.reading {
        // Readings of `auto_sync` do not concern the waits of the scalar unit.
        return (second.pipe != Pipe::S).then_some(Fault::Race);
    }
    if hazard.kind == HazardKind::RingOverrun {
        return Some(Fault::RingOverrun);
    }
    if second.pipe == Pipe::S {
        // The scalar unit often writes templates long before their use, so only its reads are reported.
        let reads = hazard.kind == HazardKind::ReadAfterWrite;
        return reads.then_some(Fault::ScalarRead);
    }
    if first.lane.kind.side() == second.lane.kind.side() {
        return Some(Fault::Race);
    }
    let mut common = held_at(program, guards, first);
    let at_second = held_at(program, guards, second);
    common.retain(|id| at_second.contains(id));
    if common.is_empty() {
        return Some(match has_handover(program) {
            true => Fault::Outside,
            false => Fault::Unguarded,
        });
    }
    let (tightest, tokens) = fewest_tokens(program, &common)?;
    if tokens > 1 {
        return Some(Fault::TooDeep(tightest));
    }
    // A single token cannot run ahead. If it is handed over on the pipe of the access, the cause is unknown: no
    // finding.
    unfollowed(program.mutex(tightest), hazard).map(|_| Fault::OtherPipe(tightest))
}

/// Returns the pipe on which the first side of a hazard hands a mutex over, if the access is on another one, with
/// the argument that names the pipe.
pub(crate) fn unfollowed(mutex: &Mutex, hazard: &Hazard) -> Option<(Pipe, &'static str)> {
    let first = &hazard.first;
    let (closes, argument) = match end_of(mutex, first.lane.kind.side()) {
        GuardEnd::Producer => (mutex.src_end, "src_end_pipe"),
        GuardEnd::Consumer => (mutex.dst_end, "dst_end_pipe"),
    };
    (closes != first.pipe).then_some((closes, argument))
}

/// Returns whether an end of the hazard was seen to access memory outside of its tensor: that finding explains the
/// hazard.
fn strays(facts: &Facts, hazard: &Hazard) -> bool {
    let MemoryId::Local(position) = hazard.memory else {
        return false;
    };
    let Some((occupant, _)) = occupant_at(facts, position, hazard.bytes.0) else {
        return false;
    };
    let own = |end: &End| {
        let view = facts.program.instruction(end.stmt)?.local(end.operand)?;
        Some(view.buffer)
    };
    let overruns = |end: &End| {
        let mut seen = facts.replay.observations.iter();
        seen.any(|seen| seen.stmt == Some(end.stmt) && is_overrun(seen))
    };
    // Other readings of `auto_sync` may give the slots of one ring separate handshakes, so that an overrun from
    // one slot into the next shows as a race.
    let is_of_slots = hazard.reading != facts.program.toolchain.auto_sync.reading;
    let ends = [&hazard.first, &hazard.second];
    ends.into_iter().any(|end| {
        let leaves = own(end).is_some_and(|own| own != occupant);
        (leaves || is_of_slots) && overruns(end)
    })
}

/// Returns whether any instruction signals from one side to the other.
pub(crate) fn has_handover(program: &Program) -> bool {
    let instructions = program.instructions();
    instructions
        .iter()
        .any(|(_, instr)| match instr.row().signal() {
            Some((_, Channel::Data)) => true,
            Some((_, Channel::Flag(route))) => !route.is_collective(),
            _ => false,
        })
}

/// Returns the mutexes that the lane of an access holds there.
fn held_at(program: &Program, guards: &Guards, end: &End) -> Vec<MutexId> {
    guards.holding(program, end.stmt, end.lane.kind.side())
}

/// Returns the mutexes that guard either end of a hazard between the two sides.
pub(crate) fn guarding<'p>(program: &'p Program, hazard: &Hazard) -> Vec<&'p Mutex> {
    if hazard.first.lane.kind.side() == hazard.second.lane.kind.side() {
        return Vec::new();
    }
    let guards = Guards::of(program);
    let mut found = held_at(program, &guards, &hazard.first);
    found.extend(held_at(program, &guards, &hazard.second));
    found.sort();
    found.dedup();
    found.into_iter().map(|id| program.mutex(id)).collect()
}

impl Clash<'_> {
    /// Returns the access outside of every mutex; the second one if both or neither are outside.
    pub(crate) fn outsider(&self, program: &Program) -> &Stmt {
        let (first, second) = (&self.hazard.first, &self.hazard.second);
        let guards = Guards::of(program);
        let is_guarded = |end| !held_at(program, &guards, end).is_empty();
        match is_guarded(second) && !is_guarded(first) {
            true => self.first,
            false => self.scene.stmt,
        }
    }

    /// Formats the hazard: `` exp() reads `ub` on V while gm_to_ub_pad() may still be writing it on MTE2``.
    pub(crate) fn sentence(&self, facts: &Facts) -> String {
        let (does, doing) = match self.hazard.kind {
            HazardKind::ReadAfterWrite => ("reads", "writing"),
            HazardKind::WriteAfterRead => ("writes", "reading"),
            HazardKind::WriteAfterWrite | HazardKind::RingOverrun => ("writes", "writing"),
        };
        let (first, second) = (&self.hazard.first, &self.hazard.second);
        let where_ = |end: &End| match self.hazard.is_within_lane() {
            true => end.pipe.name().to_owned(),
            false => format!("{} of {}", end.pipe.name(), self.lane(facts, end)),
        };
        let what = self.object(facts);
        format!(
            "{} {does} {what} on {} while {} may still be {doing} it on {}",
            call(facts, self.scene.instr),
            where_(second),
            call(facts, self.first_instr),
            where_(first),
        )
    }

    /// Formats what the second access touches: its operand, and the tensor that it overruns into.
    fn object(&self, facts: &Facts) -> String {
        let Some(view) = self.scene.view() else {
            return "memory".to_owned();
        };
        let own = match queue(facts, view) {
            Some(queue) => format!("`{}` of queue `{queue}`", operand_text(facts, view)),
            None => format!("`{}`", operand_text(facts, view)),
        };
        match self.strays_into(facts, view) {
            Some(other) => format!("{other} through {own}"),
            None => own,
        }
    }

    fn strays_into(&self, facts: &Facts, view: &View) -> Option<String> {
        let (MemoryId::Local(position), View::Local(view)) = (self.hazard.memory, view) else {
            return None;
        };
        let (buffer, name) = occupant_at(facts, position, self.hazard.bytes.0)?;
        (buffer != view.buffer).then_some(name)
    }

    /// Formats the lane: `vec1`, with its core if the ends are on different cores; of a kernel that counts vec cores,
    /// its block.
    fn lane(&self, facts: &Facts, end: &End) -> String {
        if has_lane_blocks(facts.program) {
            return format!("block {}", block(end.lane));
        }
        let name = end.lane.kind.name();
        match self.hazard.first.lane.core == self.hazard.second.lane.core {
            true => name.to_owned(),
            false => format!("core {} {name}", end.lane.core),
        }
    }

    /// Returns the reading of `auto_sync` under which this is a hazard, unless it is the first reading of the
    /// toolchain.
    pub(crate) fn reading(&self, facts: &Facts) -> Option<Reading> {
        let first = facts.program.toolchain.auto_sync.reading;
        Some(self.hazard.reading).filter(|&reading| reading != first)
    }

    /// Formats the pipes: `MTE2→V`.
    pub(crate) fn edge(&self) -> String {
        let (first, second) = (&self.hazard.first, &self.hazard.second);
        format!("{}→{}", first.pipe.name(), second.pipe.name())
    }

    /// Returns the usual abbreviation of the kind of hazard.
    pub(crate) fn kind(&self) -> &'static str {
        match self.hazard.kind {
            HazardKind::ReadAfterWrite | HazardKind::RingOverrun => "RAW",
            HazardKind::WriteAfterRead => "WAR",
            HazardKind::WriteAfterWrite => "WAW",
        }
    }

    /// Starts a finding at the second access, with a label at the first.
    pub(crate) fn report<'s>(
        &self,
        facts: &Facts,
        sink: &'s mut Sink,
        message: String,
    ) -> Report<'s> {
        self.report_at(self.scene.stmt, facts, sink, message)
    }

    /// Starts a finding at one of the two accesses, with a label at the other.
    pub(crate) fn report_at<'s>(
        &self,
        place: &Stmt,
        facts: &Facts,
        sink: &'s mut Sink,
        message: String,
    ) -> Report<'s> {
        let report = sink.report_seen(place.origin, place.span, message);
        let report = witnessed(report, facts, self.scene.observation);
        if self.first.id == self.scene.stmt.id {
            return report;
        }
        if place.id == self.first.id {
            let text = format!(
                "{} runs on {}",
                call(facts, self.scene.instr),
                self.hazard.second.pipe.name()
            );
            return report.label(self.scene.stmt.span, text);
        }
        let verb = match self.hazard.kind {
            HazardKind::WriteAfterRead => "reads",
            _ => "writes",
        };
        let text = format!(
            "{} {verb} it on {} here",
            call(facts, self.first_instr),
            self.hazard.first.pipe.name()
        );
        report.label(self.first.span, text)
    }

    /// Returns whether the race is on a ring in global memory, which separate rules report.
    pub(crate) fn is_in_ring(&self, program: &Program) -> bool {
        match self.hazard.memory {
            MemoryId::Global(id) => program.global(id).ring.is_some(),
            MemoryId::Local(_) => false,
        }
    }

    /// Returns the mistake that the hazard has in common with others, if it is within one lane: one region would order
    /// all that lie outside of every region, and one event all from one pipe to another.
    pub(crate) fn cause(&self, facts: &Facts) -> Option<Cause> {
        if !self.hazard.is_within_lane() || self.reading(facts).is_some() {
            return None;
        }
        let (first, second) = (self.hazard.first.pipe, self.hazard.second.pipe);
        let auto_sync = &facts.program.toolchain.auto_sync;
        let is_covered = auto_sync.covers(first, second) || (first == second && first == Pipe::V);
        let is_local = matches!(self.hazard.memory, MemoryId::Local(_));
        let is_inside = |stmt: &Stmt| facts.program.region(stmt.id).is_some();
        let is_outside = !is_inside(self.first) && !is_inside(self.scene.stmt);
        let has_regions = facts.program.toolchain.notation == Notation::Python;
        if has_regions && is_outside && is_covered && (is_local || auto_sync.repairs_globals) {
            return Some(Cause::NoRegion);
        }
        Some(Cause::Unordered {
            first,
            second,
            carried: self.first.id >= self.scene.stmt.id,
        })
    }

    /// Formats the shortest repair of a missing order within one lane.
    pub(crate) fn repair(&self, facts: &Facts) -> String {
        let (first, second) = (self.hazard.first.pipe, self.hazard.second.pipe);
        let notation = facts.program.toolchain.notation;
        if notation == Notation::Cpp {
            return self.repair_in_cpp(facts);
        }
        if first == second {
            let barrier = notation.barrier(first);
            let region = match first {
                Pipe::V => ", or put both into one `with auto_sync():` region",
                _ => "",
            };
            return format!("put `{barrier}` between them{region}");
        }
        let preset = if self.is_carried() {
            ", preset=True"
        } else {
            ""
        };
        let event = format!(
            "`e = SEvent(Pipe.{}, Pipe.{}{preset})` with `e.set()` after the {} and `e.wait()` before the {}",
            first.name(),
            second.name(),
            noun(self.first_instr),
            noun(self.scene.instr),
        );
        let is_local = matches!(self.hazard.memory, MemoryId::Local(_));
        let auto_sync = &facts.program.toolchain.auto_sync;
        let is_covered = auto_sync.covers(first, second) && (is_local || auto_sync.repairs_globals);
        match (
            is_covered,
            facts.program.region(self.scene.stmt.id).is_some(),
        ) {
            (true, _) => {
                format!("put both into one `with auto_sync():` region, or hand over by {event}")
            }
            (false, true) => {
                // With separate tensors for the load and the store, the next load need not wait for the store.
                let own = match (first, second) {
                    (Pipe::Mte3, Pipe::Mte2) if is_local => "store from a tensor of its own, or ",
                    _ => "",
                };
                format!(
                    "auto_sync does not order {}: {own}hand over by {event}",
                    self.edge()
                )
            }
            (false, false) => format!("hand over by {event}"),
        }
    }
}

impl Clash<'_> {
    /// Same as `repair`, with the functions of AscendC.
    fn repair_in_cpp(&self, facts: &Facts) -> String {
        let (first, second) = (self.hazard.first.pipe, self.hazard.second.pipe);
        if first == second {
            let barrier = Notation::Cpp.barrier(first);
            return format!("put `{barrier}` between them");
        }
        // The vec core only sends the request; the cube works on it while the vec core goes on.
        if self.first_instr.is_between_globals() && first == Pipe::Mte3 {
            return format!(
                "pass `true` for `waitIterateAll`, and call `WaitIterateAll()` before the {}",
                noun(self.scene.instr)
            );
        }
        let event = Notation::hard_event(first, second);
        let (before, after) = (noun(self.first_instr), noun(self.scene.instr));
        let carried = match self.is_carried() {
            true => ", with one `SetFlag` before the loop and one `WaitFlag` after it",
            false => "",
        };
        let flags = format!(
            "put `SetFlag<{event}>(id)` after the {before} and `WaitFlag<{event}>(id)` before the {after}{carried}"
        );
        let view = self.scene.view().and_then(View::local);
        let queue = view.and_then(|view| facts.program.queue_of(view.buffer));
        let orders_back = |event: &&Token| {
            let pipes = event.src.zip(event.dst);
            let is_back = event.queue.is_some_and(|queue| queue.counts_free);
            let free = match is_back {
                true => (first, second),
                false => (second, first),
            };
            pipes == Some(free)
        };
        let orders = |event: &&Token| {
            let pipes = event.src.zip(event.dst);
            let is_forward = event.queue.is_some_and(|queue| !queue.counts_free);
            pipes
                == Some(if is_forward {
                    (first, second)
                } else {
                    (second, first)
                })
        };
        match queue {
            Some(queue) if orders(&queue) && self.hazard.kind == HazardKind::ReadAfterWrite => {
                format!(
                    "hand the tensor over with `EnQue` and `DeQue` of queue `{}`, or {flags}",
                    queue.name
                )
            }
            // The wait of `AllocTensor` comes too early: the tensor was free before it was used for the last time.
            Some(queue)
                if orders_back(&queue) && self.hazard.kind == HazardKind::WriteAfterRead =>
            {
                let line = facts.source.line_column(self.first.span.start).line;
                format!(
                    "free the tensor of queue `{}` after its last use: put its `FreeTensor` after {} in line {line}",
                    queue.name,
                    call(facts, self.first_instr)
                )
            }
            _ => flags,
        }
    }

    /// Returns whether the first access belongs to an earlier iteration than the second. Loops whose number of passes
    /// is known may be unrolled, so that the order of statements alone does not say it.
    fn is_carried(&self) -> bool {
        let (first, second) = (self.first, self.scene.stmt);
        let is_later = first.origin == second.origin && first.span.start >= second.span.start;
        first.id >= second.id || is_later
    }
}

/// Returns the name of the queue that a view is a tensor of, unless the view has the same name.
fn queue<'a>(facts: &Facts<'a>, view: &View) -> Option<&'a str> {
    let queue = facts.program.queue_of(view.local()?.buffer)?;
    (*queue.name != *operand_text(facts, view)).then_some(&*queue.name)
}

/// Returns a noun for an instruction in help texts.
fn noun(instr: &Instr) -> &'static str {
    match instr.pipe() {
        Some(Pipe::Mte2) => "load",
        Some(Pipe::Mte3 | Pipe::Fix) => "store",
        Some(Pipe::M) => "product",
        _ => "instruction",
    }
}

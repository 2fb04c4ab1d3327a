use crate::declare_rule;
use crate::hazards::{Clash, Fault, clashes, unfollowed};
use crate::wording::{counted, snippet};
use crate::{Facts, Sink};
use a2lint_ir::sync::side_of;
use a2lint_ir::{
    BinaryOp, GlobalId, GlobalRing, GlobalView, Instr, MutexId, Program, Scalar, ScalarId, Stmt,
    StmtKind, VariableId,
};
use a2lint_isa::{Act, Channel, Opcode, Side};
use a2lint_machine::MemoryId;

declare_rule! {
    /// ## What it does
    /// Reports uses of a `GMBuff` that its compiler refuses: slots picked by two counters, offsets that
    /// are as far apart as there are slots, stores outside of `lock` and `ready`, loads outside of `wait`
    /// and `free`, and a mutex with more free tokens than the ring has slots. Where none of that is so, it
    /// reports stores and loads that a simulation has seen in one slot although no mutex orders them: they
    /// go by different beats, or the mutex is closed on a pipe that does not wait for them.
    ///
    /// ## Why is this bad?
    /// The ring is safe because producer and consumer go through its slots in step, and no further apart
    /// than its length. A run need not show the fault: with a lag of just as many slots as there are, the
    /// consumer reads what the producer is writing.
    ///
    /// ## Example
    /// ```python
    /// ring = GMBuff(f32, [64, 64], 2)
    /// full = CvMutex(0, depth=3)          # three tokens for two slots
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// ring = GMBuff(f32, [64, 64], 2)
    /// full = CvMutex(0, depth=2)
    /// ```
    ///
    /// ## Source
    /// The checks of the Ascriptor compiler on rings in global memory.
    "MOV015" "ring-contract" Error, basis = Constants, evidence = Read
}

/// An access to a ring.
struct Use<'a> {
    stmt: &'a Stmt,
    view: &'a GlobalView,
    write: bool,
    side: Side,
    /// Mutexes that are held at the access, by the calls before it in the text.
    held: Vec<MutexId>,
}

fn check(facts: &Facts, sink: &mut Sink) {
    let program = facts.program;
    if program.globals.iter().all(|global| global.ring.is_none()) {
        return;
    }
    let mut scan = Scan {
        program,
        held: Vec::new(),
        uses: Vec::new(),
    };
    scan.block(&program.body);
    let mut kept = Vec::new();
    for (index, global) in program.globals.iter().enumerate() {
        let Some(ring) = global.ring else { continue };
        let id = GlobalId(index as u32);
        let own = scan.uses.iter().filter(|used| used.view.global == id);
        let own: Vec<&Use> = own.collect();
        let is_one_counter = counters(facts, ring, &own, sink);
        let on = |side: Side| own.iter().any(|used| used.side == side);
        let is_shared = on(Side::Cube) && on(Side::Vec);
        if (!is_shared || windows(facts, ring, &own, sink)) && is_one_counter {
            kept.push(id);
        }
    }
    meetings(facts, &kept, sink);
}

/// Reports stores and loads that collide in a ring although its uses follow the rules of the compiler.
fn meetings(facts: &Facts, kept: &[GlobalId], sink: &mut Sink) {
    let crosses = |fault| {
        matches!(
            fault,
            Fault::TooDeep(_) | Fault::OtherPipe(_) | Fault::Outside
        )
    };
    for clash in clashes(facts, crosses) {
        if !matches!(clash.hazard.memory, MemoryId::Global(id) if kept.contains(&id)) {
            continue;
        }
        let (because, help) = cause(facts.program, &clash);
        let message = format!("{}: {because}", clash.sentence(facts));
        clash.report(facts, sink, message).help(help);
    }
}

/// Formats why two accesses collide in a ring, and what to write.
fn cause(program: &Program, clash: &Clash) -> (String, String) {
    let (Fault::TooDeep(id) | Fault::OtherPipe(id)) = clash.fault else {
        let because = "no mutex is held at both".to_owned();
        return (
            because,
            "guard a ring by one mutex on both sides".to_owned(),
        );
    };
    let mutex = program.mutex(id);
    let Some((closes, argument)) = unfollowed(mutex, clash.hazard) else {
        return (
            "they go by different beats".to_owned(),
            "pick the slot by the same beat on both sides of a handover".to_owned(),
        );
    };
    let (name, pipe) = (&mutex.name, clash.hazard.first.pipe.name());
    (
        format!(
            "`{name}` is closed on {}, which does not wait for {pipe}",
            closes.name()
        ),
        format!("write `{argument}=Pipe.{pipe}`"),
    )
}

/// Visits a program in the order of its text, as the compiler does.
struct Scan<'a> {
    program: &'a Program,
    /// Mutexes that are held, and whether by the producer.
    held: Vec<(MutexId, bool)>,
    uses: Vec<Use<'a>>,
}

impl<'a> Scan<'a> {
    fn block(&mut self, block: &'a [Stmt]) {
        for stmt in block {
            if let StmtKind::Instr(instr) = &stmt.kind {
                self.instruction(stmt, instr);
            }
            stmt.kind.blocks().for_each(|inner| self.block(inner));
        }
    }

    fn instruction(&mut self, stmt: &'a Stmt, instr: &'a Instr) {
        if let (Some(id), Some(signal)) = (instr.mutex(), instr.row().signal()) {
            match signal {
                (Act::Wait, Channel::Credit) => self.held.push((id, true)),
                (Act::Wait, _) => self.held.push((id, false)),
                (Act::Set, Channel::Data) => self.held.retain(|held| *held != (id, true)),
                (Act::Set, _) => self.held.retain(|held| *held != (id, false)),
            }
        }
        for (_, operand, view) in instr.operands() {
            let Some(view) = view.global() else { continue };
            let write = operand.access.writes();
            // A store needs the producer's end of a mutex, a load the consumer's.
            let held = self.held.iter().filter(|(_, producer)| *producer == write);
            self.uses.push(Use {
                stmt,
                view,
                write,
                side: side_of(self.program, instr),
                held: held.map(|(id, _)| *id).collect(),
            });
        }
    }
}

/// Returns whether all uses pick slots by one counter, with offsets that differ by less than the number of slots.
fn counters(facts: &Facts, ring: GlobalRing, uses: &[&Use], sink: &mut Sink) -> bool {
    let program = facts.program;
    let beat = |used: &Use| beat(program, ring, used.view);
    let mut known = uses.iter().filter_map(|used| Some((*used, beat(used)?)));
    let Some((first, (counter, offset))) = known.next() else {
        return true;
    };
    let (mut least, mut most) = ((first, offset), (first, offset));
    for (used, (other, offset)) in known {
        if other != counter {
            let name = |id: VariableId| program.variable(id).name.clone();
            let message = format!(
                "`{}` goes by `{}`, and other uses of the ring by `{}`",
                snippet(facts, used.view.site),
                name(other),
                name(counter)
            );
            sink.report_from(used.stmt.origin, used.view.site, message)
                .label(first.view.site, format!("by `{}` here", name(counter)))
                .help("pick the slots of a ring by one counter on both sides");
            return false;
        }
        if offset < least.1 {
            least = (used, offset);
        }
        if offset > most.1 {
            most = (used, offset);
        }
    }
    let spread = most.1 - least.1;
    if spread >= ring.slots {
        let (at, other) = match least.0.stmt.id > most.0.stmt.id {
            true => (least.0, most.0),
            false => (most.0, least.0),
        };
        let message = format!(
            "uses of the ring are {} apart, and it has {}",
            counted(spread, "slot"),
            counted(ring.slots, "slot")
        );
        sink.report_from(at.stmt.origin, at.view.site, message)
            .label(other.view.site, "the other end")
            .help(format!("give it {} slots, or use nearer ones", spread + 1));
    }
    spread < ring.slots
}

/// Returns the counter that picks a slot, and the offset added to it.
fn beat(program: &Program, ring: GlobalRing, view: &GlobalView) -> Option<(VariableId, i64)> {
    let axis = view.axes.get(usize::from(ring.per_core))?;
    match program.scalars.get(axis.start) {
        Scalar::Binary(BinaryOp::FloorMod, beat, _) => counter(program, beat),
        _ => None,
    }
}

fn counter(program: &Program, beat: ScalarId) -> Option<(VariableId, i64)> {
    match program.scalars.get(beat) {
        Scalar::Variable(id) => Some((id, 0)),
        Scalar::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
            let (id, offset) = counter(program, a)?;
            let more = program.scalars.as_int(b)?;
            let offset = match op {
                BinaryOp::Add => offset.checked_add(more)?,
                _ => offset.checked_sub(more)?,
            };
            Some((id, offset))
        }
        _ => None,
    }
}

/// Returns whether every store is between `lock` and `ready` and every load between `wait` and `free`, of a mutex that
/// has no more tokens than the ring has slots.
fn windows(facts: &Facts, ring: GlobalRing, uses: &[&Use], sink: &mut Sink) -> bool {
    let mut are_kept = true;
    for used in uses {
        let (verb, opens, closes) = match used.write {
            true => (
                "stores to",
                Opcode::MutexLock.row(),
                Opcode::MutexReady.row(),
            ),
            false => (
                "loads from",
                Opcode::MutexWait.row(),
                Opcode::MutexFree.row(),
            ),
        };
        let (opens, closes) = (opens.name, closes.name);
        if used.held.is_empty() {
            let message = format!(
                "`{}` {verb} a ring that both sides use, outside of {opens}() and {closes}()",
                snippet(facts, used.view.site)
            );
            sink.report_from(used.stmt.origin, used.view.site, message)
                .help(format!(
                    "put it between {opens}() and {closes}() of a mutex"
                ));
            are_kept = false;
            continue;
        }
        let mutexes = used.held.iter().map(|id| facts.program.mutex(*id));
        let too_deep = |depth: i64| depth > ring.slots;
        let deep = mutexes.filter(|mutex| mutex.depth.is_some_and(too_deep));
        // If several mutexes are held, one with few enough tokens keeps the accesses apart.
        let deep: Vec<_> = deep.collect();
        if let [mutex, ..] = deep[..]
            && deep.len() == used.held.len()
            && used.write
        {
            let depth = mutex.depth.unwrap_or_default();
            let message = format!(
                "`{}` has {}, and the ring that it guards has {}",
                mutex.name,
                counted(depth, "free token"),
                counted(ring.slots, "slot")
            );
            sink.report_from(used.stmt.origin, used.view.site, message)
                .label(mutex.span, format!("depth {depth}"))
                .help(format!(
                    "write `depth={}`, or give the ring {depth} slots",
                    ring.slots
                ));
            are_kept = false;
        }
    }
    are_kept
}

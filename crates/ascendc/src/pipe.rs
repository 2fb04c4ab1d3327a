//! `TPipe`, queues and buffers.

use a2lint_cpp::eval::{CellId, IntType, IntValue, LibraryType, Operand, TemplateArg, Ty, Value};
use a2lint_cpp::library::Evaluated;
use a2lint_ir::{
    ArgValue, Buffer, BufferId, Event, EventId, HandOut, NoteKind, QueueEnd, QueueFault, ScalarId,
    Unprepared, VariableId,
};
use a2lint_isa::{DType, Opcode, Position};
use a2lint_source::text::Span;

use super::cube;
use super::cx::{Cx, Lowered, follows, lost, take};
use super::given::Prepared;
use super::numbers;
use super::objects::{Mask, Memory, NO_IDS, Object, Queue, QueueType};
use super::tensors;
use super::types;

/// What an id of a pool is above its number, so that ids that the kernel writes itself are told apart.
pub const POOLED: i64 = 64;

/// Added to [`POOLED`] for an id that `FetchEventID` returned, which is not reserved: a queue may take it as well.
pub const FETCHED: i64 = 16;

/// Number of event ids of each `HardEvent`.
const EVENT_IDS: u32 = 8;

/// Returns the kind of queue that a library type is.
pub fn queue_type(ty: &LibraryType) -> Option<QueueType> {
    let number = |at: usize| match ty.arguments.get(at)? {
        TemplateArg::Value(_, a2lint_cpp::eval::Constant::Int(value)) => i64::try_from(*value).ok(),
        _ => None,
    };
    let ((from, to), depth) = match &*ty.name {
        "TQue" => (types::ends(number(0)?)?, number(1)?),
        "TQueBind" => ((number(0)?, number(1)?), number(2)?),
        _ => return None,
    };
    let (position, full, free) = types::queue(from, to)?;
    Some(QueueType {
        position,
        full,
        free,
        depth,
        name: types::queue_name(from, to),
    })
}

/// Returns the type `LocalTensor<T>`.
pub fn local_tensor(element: TemplateArg) -> Ty {
    library_type("LocalTensor", vec![element])
}

/// Returns a type of the API.
pub fn library_type(name: &str, arguments: Vec<TemplateArg>) -> Ty {
    let ty = LibraryType {
        name: name.into(),
        arguments,
    };
    a2lint_cpp::eval::Kind::Library(ty.into()).into()
}

impl Cx<'_, '_, '_> {
    /// Lowers a method of a `TPipe`; returns `None` for other names.
    pub fn pipe_method(
        &mut self,
        object: &Operand,
        label: &str,
    ) -> Option<Lowered<Option<Operand>>> {
        let span = self.call.span;
        Some(match self.call.name {
            "InitBuffer" => self
                .hand_out_beside(object)
                .and_then(|()| self.give_memory(label)),
            "InitBufPool" => self.init_pool(),
            "AllocEventID" => self.event_id(true),
            "FetchEventID" => self.event_id(false),
            "ReleaseEventID" => self.release_event_id().map(|it| it.map(|()| None)),
            "Init" => self.start_pipe(object, false).map(|it| it.map(|()| None)),
            "Destroy" | "Reset" => self.end_pipe(object).map(|it| it.map(|()| None)),
            "GetBaseAddr" => Ok(Ok(Some(Operand::unknown(span)))),
            _ => return None,
        })
    }

    /// Notes that a `TPipe` hands out memory while another one has buffers at the same addresses.
    fn hand_out_beside(&mut self, object: &Operand) -> Evaluated<()> {
        let Some(pipe) = object.object() else {
            return Ok(());
        };
        let span = self.call.span;
        for (other, first) in self.given.hands_out(pipe, span) {
            // An evaluation that was undone may have left it, and its cell is another object now.
            let value = self.eval.read(other)?;
            if matches!(value.library::<Object>(), Some(Object::Pipe)) {
                self.builder().note(span, NoteKind::SecondPipe { first });
                self.rewind();
                self.given.forget_pipe(other);
            }
        }
        Ok(())
    }

    /// Lowers the creation of a `TPipe`, which resets masks and atomics; `is_new` tells a constructor from `Init`.
    pub fn start_pipe(&mut self, object: &Operand, is_new: bool) -> Lowered {
        // Each one hands out the memory of its side from the start.
        let side = self.side;
        let buffers = &self.builder().program.buffers;
        let has_buffers = buffers.iter().any(|it| cube::side_of(it.position) == side);
        if has_buffers {
            self.rewind();
        }
        // The pipe before it, or that of the iteration before, has waited for all pipes and given back its event ids
        // when it ended.
        let has_ended = self.given.begin_pipe(&self.eval.builder);
        if has_ended || (is_new && self.eval.builder.open_loops() > 0) {
            let place = self.call.name_span;
            let barrier = self.instruction(Opcode::BarAll);
            take!(self.emit(barrier));
            self.builder().program.fresh_pools.push(place);
        }
        let given = self.given;
        given.begin(&self.eval.builder);
        let mut core = self.core()?;
        core.mask = Mask::All;
        core.counts = false;
        self.set_core(core)?;
        self.set_current_pipe(object.object())?;
        self.set_taken_ids(Some(NO_IDS))?;
        self.set_atomic(None)
    }

    /// Lowers the end of a `TPipe`: waits for all pipes; buffers of the next one reuse its memory.
    pub fn end_pipe(&mut self, object: &Operand) -> Lowered {
        if let Some(pipe) = object.object() {
            // The call itself waits for all pipes.
            self.given.forget_pipe(pipe);
        }
        let place = self.call.name_span;
        let barrier = self.instruction(Opcode::BarAll);
        take!(self.emit(barrier));
        self.builder().program.fresh_pools.push(place);
        self.set_taken_ids(Some(NO_IDS))?;
        // Buffers of the next pipe reuse the addresses of these buffers: their sizes do not add up.
        self.rewind();
        Ok(Ok(()))
    }

    /// Lowers a method of a `TBufPool`; returns `None` for other names.
    pub fn pool_method(&mut self, label: &str) -> Option<Lowered<Option<Operand>>> {
        Some(match self.call.name {
            // Pools may share their memory, so that their buffers add up with no others.
            "InitBuffer" => {
                self.rewind();
                let given = self.give_memory(label);
                self.rewind();
                given
            }
            "InitBufPool" => self.init_pool(),
            // Buffers that are initialised next overlap the earlier buffers of the pool.
            "Reset" => {
                self.rewind();
                Ok(Ok(None))
            }
            _ => return None,
        })
    }

    /// Lowers `InitBufPool(pool, length)` and `InitBufPool(pool, length, shared)`: the pool takes a part of the memory,
    /// or shares the memory of another pool.
    fn init_pool(&mut self) -> Lowered<Option<Operand>> {
        let Some(cell) = self.operand(0).and_then(Operand::object) else {
            follows!("which pool is given memory is not known");
        };
        // The capacity of a pool is not checked.
        self.rewind();
        self.eval.write(cell, Object::Pool.value())?;
        Ok(Ok(None))
    }

    /// Records that the allocator goes back to an earlier address.
    fn rewind(&mut self) {
        let given = self.given;
        given.rewind(&mut self.eval.builder);
    }

    /// Declares a buffer that is handed out here.
    fn declare(
        &mut self,
        label: &str,
        position: Position,
        slots: u32,
        bytes: ScalarId,
    ) -> BufferId {
        let (span, given) = (self.call.span, self.given);
        let handed = given.here(&self.eval.builder);
        let memory = tensors::Memory {
            position,
            slots,
            bytes,
            handed,
        };
        tensors::declare(self.builder(), label, memory, span)
    }

    /// Lowers `InitBuffer`; if that fails, the object is unknown afterwards.
    fn give_memory(&mut self, label: &str) -> Lowered<Option<Operand>> {
        let done = self.init_buffer(label)?;
        let cell = self.operand(0).and_then(Operand::object);
        if let (Err(_), Some(cell)) = (&done, cell) {
            self.eval.write(cell, Value::Unknown)?;
        }
        Ok(done.map(|()| None))
    }

    /// Lowers `InitBuffer(queue, number, length)`, `InitBuffer(buffer, length)`.
    fn init_buffer(&mut self, label: &str) -> Lowered {
        let object = self.object(0)?;
        let Some(cell) = self.operand(0).and_then(Operand::object) else {
            follows!("which queue or buffer is given memory is not known");
        };
        let (span, named) = (self.call.span, self.span(0));
        self.given
            .record(cell, span, self.eval.builder.device_path());
        if self.given.adds_up(&self.eval.builder) {
            let what = format!("each iteration of a loop takes more memory for `{label}`");
            self.eval.builder.note_unknown(span, what);
        }
        match object {
            // The other side has the memory.
            Some(Object::Queue(QueueType { position, .. }, None) | Object::Buf(position, None))
                if cube::side_of(position) != self.side => {}
            Some(Object::Queue(of, None)) => {
                let slots = take!(self.buffers_of_queue(label));
                let bytes = take!(self.number(2));
                let set = self.prepared(cell, named, Unprepared::Queue)?;
                if self.is_prepared_by_other_arms(cell, slots, bytes)? {
                    return Ok(Ok(()));
                }
                let (size, bytes) = self.size_on_arm(cell, label, bytes)?;
                let buffer = self.declare(label, of.position, slots, bytes);
                if of.depth == 0 {
                    self.keep_ids([of.full, of.free], slots)?;
                }
                let end = |counts_free| QueueEnd {
                    buffer,
                    counts_free,
                    keeps_ids: of.depth == 0,
                    position: of.name,
                };
                // Each buffer of a queue has its own event ids, so that as many tensors as buffers may be in flight.
                let full = self.event(label, of.full, slots, end(false), span);
                let free = self.event(label, of.free, slots, end(true), span);
                let first = self.builder().int(0);
                let [allocated, dequeued] = [self.lent_cell(label)?, self.lent_cell(label)?];
                let queue = Queue {
                    buffer,
                    slots,
                    set,
                    full,
                    free,
                    cursor: first,
                    taken: first,
                    enqueued: Some(Vec::new()),
                    allocated,
                    dequeued,
                };
                self.eval.set_name(cell, label, span);
                let object = Object::Queue(of, Some(queue));
                self.record_prepared(cell, &object, (buffer, slots), (size, bytes));
                self.eval.write(cell, object.value())?;
            }
            Some(Object::Buf(position, None)) => {
                let bytes = take!(self.number(1));
                let set = self.prepared(cell, named, Unprepared::Buffer)?;
                if self.is_prepared_by_other_arms(cell, 1, bytes)? {
                    return Ok(Ok(()));
                }
                let (size, bytes) = self.size_on_arm(cell, label, bytes)?;
                let buffer = self.declare(label, position, 1, bytes);
                let object = Object::Buf(position, Some(Memory { buffer, set }));
                self.record_prepared(cell, &object, (buffer, 1), (size, bytes));
                self.eval.write(cell, object.value())?;
            }
            Some(Object::Queue(_, Some(_)) | Object::Buf(_, Some(_))) => {
                lost!("`{label}` is given memory twice")
            }
            _ => follows!("which queue or buffer is given memory is not known"),
        }
        Ok(Ok(()))
    }

    /// Returns the number of buffers of a queue that is initialised. The kernel is followed for several values of a
    /// parameter that is such a number.
    fn buffers_of_queue(&mut self, label: &str) -> Lowered<u32> {
        let value = self.value(1)?;
        let Value::Int(_, number) = &value else {
            follows!("the number of buffers of queue `{label}` is not known");
        };
        let number = match number {
            IntValue::Known(number) => *number,
            IntValue::Scalar(id) => {
                if let Some(name) = numbers::parameter(self.builder(), *id) {
                    self.given.counts.borrow_mut().insert(name);
                }
                lost!("the number of buffers of queue `{label}` depends on the launch");
            }
        };
        // The parameter is a `uint8_t`.
        match number.rem_euclid(1 << 8) {
            0 if number != 0 => lost!("queue `{label}` has no buffers: {number} as uint8_t is 0"),
            0 => lost!("queue `{label}` has no buffers"),
            number => Ok(Ok(number as u32)),
        }
    }

    /// Prepares an object as other arms of the branches around this place do, if they give it as many slots: it has one
    /// memory, whose size may depend on the path. Returns `false` if no other arm does.
    fn is_prepared_by_other_arms(
        &mut self,
        cell: CellId,
        slots: u32,
        bytes: ScalarId,
    ) -> Evaluated<bool> {
        let given = self.given;
        let Some(mut found) = given.prepared(&self.eval.builder, cell, slots) else {
            return Ok(false);
        };
        match found.size {
            Some(size) => self.eval.builder.assign(size, bytes)?,
            None if found.bytes == bytes => {}
            // The branch is evaluated again, since its arms were found to change the object.
            None => {
                given.vary(cell);
                return Ok(false);
            }
        }
        found.arms.push(given.here(&self.eval.builder));
        let buffer = &mut self.builder().program.buffers[found.buffer.index()];
        for arm in &found.arms {
            buffer.handed = buffer.handed.shared(arm);
        }
        let handed = buffer.handed.clone();
        given.share(cell, &handed);
        let object = found.object.clone();
        given.prepare(cell, found);
        self.eval.write(cell, object.value())?;
        Ok(true)
    }

    /// Returns the size of an object that an arm of a branch initialises: a variable if other arms give it other sizes.
    fn size_on_arm(
        &mut self,
        cell: CellId,
        label: &str,
        bytes: ScalarId,
    ) -> Evaluated<(Option<VariableId>, ScalarId)> {
        if !self.given.varies(cell) {
            return Ok((None, bytes));
        }
        let span = self.call.span;
        let builder = self.builder();
        let of = builder.type_of(bytes);
        let size = builder.declare_unassigned(&format!("{label}.size"), of, span);
        builder.assign(size, bytes)?;
        Ok((Some(size), self.builder().read(size)))
    }

    /// Records an object that an arm of a branch initialises.
    fn record_prepared(
        &mut self,
        cell: CellId,
        object: &Object,
        (buffer, slots): (BufferId, u32),
        (size, bytes): (Option<VariableId>, ScalarId),
    ) {
        let given = self.given;
        let prepared = Prepared {
            object: object.clone(),
            buffer,
            slots,
            bytes,
            size,
            span: self.call.span,
            arms: vec![given.here(&self.eval.builder)],
        };
        given.prepare(cell, prepared);
    }

    fn event(
        &mut self,
        label: &str,
        (src, dst): (a2lint_isa::Pipe, a2lint_isa::Pipe),
        ids: u32,
        end: QueueEnd,
        span: Span,
    ) -> EventId {
        self.builder().add_event(Event {
            name: label.into(),
            ids,
            src: Some(src),
            dst: Some(dst),
            // The first `AllocTensor` of each buffer does not wait: its event is initially set.
            preset: end.counts_free,
            span,
            queue: Some(end),
        })
    }

    /// Lowers `AllocEventID<event>()`, `FetchEventID<event>()` and `FetchEventID(event)`, which return the lowest free
    /// id.
    fn event_id(&mut self, takes: bool) -> Lowered<Option<Operand>> {
        let event = match self.template_int(0) {
            Some(event) => event,
            None => take!(self.known(0)),
        };
        let Ok(at) = usize::try_from(event) else {
            lost!("which event an id is for is not known");
        };
        let mut taken = take!(self.taken_ids());
        let Some(ids) = taken.get_mut(at) else {
            lost!("which event an id is for is not known");
        };
        // The API searches from id 0; `FetchEventID` returns the same id without reserving it.
        let id = ids.trailing_ones();
        if id < EVENT_IDS && takes {
            *ids |= 1 << id;
            self.set_taken_ids(Some(taken))?;
        }
        let span = self.call.span;
        self.builder().program.pooled_flags.push(span);
        let depth = self.eval.depth();
        let above = match takes {
            true => POOLED,
            false => {
                self.fetched.record(event, depth);
                POOLED + FETCHED
            }
        };
        let value = Value::int(IntType::SignedChar, (above + i64::from(id)).into());
        Ok(Ok(Some(Operand::value(
            IntType::SignedChar,
            value,
            self.call.span,
        ))))
    }

    fn release_event_id(&mut self) -> Lowered {
        let at = match self.template_int(0) {
            Some(_) => 0,
            None => 1,
        };
        let event = match self.template_int(0) {
            Some(event) => event,
            None => take!(self.known(0)),
        };
        let value = self.value(at)?;
        let Some(id) = value.known_int().and_then(|it| i64::try_from(it).ok()) else {
            // Which id is free again depends on the path.
            self.set_taken_ids(None)?;
            return Ok(Ok(()));
        };
        let id = if id >= POOLED { id % FETCHED } else { id };
        // Unknown ids stay unknown.
        let Ok(mut taken) = self.taken_ids()? else {
            return Ok(Ok(()));
        };
        if let Ok(at) = usize::try_from(event)
            && let Some(ids) = taken.get_mut(at)
            && (0..i64::from(EVENT_IDS)).contains(&id)
        {
            *ids &= !(1 << id);
            self.set_taken_ids(Some(taken))?;
        }
        Ok(Ok(()))
    }

    /// Lowers a method of a queue; returns `None` for other names.
    pub fn queue_method(
        &mut self,
        object: &Operand,
        label: &str,
    ) -> Option<Lowered<Option<Operand>>> {
        Some(match self.call.name {
            "AllocTensor" => self.alloc_tensor(object, label),
            "EnQue" => self.enqueue(object, label).map(|it| it.map(|()| None)),
            "DeQue" => self.dequeue(object, label),
            "FreeTensor" => self.free_tensor(object, label).map(|it| it.map(|()| None)),
            "FreeAllEvent" => Ok(Ok(None)),
            _ => return None,
        })
    }

    /// Returns the queue that a method is called on, with its cell.
    fn queue(&mut self, object: &Operand, label: &str) -> Lowered<(CellId, QueueType, Queue)> {
        let value = self.eval.value_of(object)?;
        match (value.library::<Object>(), object.object()) {
            (Some(Object::Queue(of, Some(queue))), Some(cell)) => {
                self.ask(queue.set)?;
                Ok(Ok((cell, *of, queue.clone())))
            }
            (Some(Object::Queue(of, None)), cell) => {
                let state = Object::Queue(*of, None);
                Ok(Err(self.unprepared(label, cell, state)))
            }
            _ => follows!("the state of queue `{label}` is not known"),
        }
    }

    /// Creates the cell for the tensors that a queue has handed out, none so far.
    fn lent_cell(&mut self, label: &str) -> Evaluated<CellId> {
        let span = self.call.span;
        let cell = self.eval.object_of(Ty::unknown(), span)?;
        self.eval.set_name(cell, label, span);
        self.eval
            .write(cell, Object::Lent(Some(Vec::new())).value())?;
        Ok(cell)
    }

    fn lent(&mut self, cell: CellId) -> Evaluated<Option<Vec<ScalarId>>> {
        let value = self.eval.read(cell)?;
        Ok(match value.library::<Object>() {
            Some(Object::Lent(lent)) => lent.clone(),
            // The queue was initialised on a program path that has ended.
            None if matches!(value, Value::Uninit) => Some(Vec::new()),
            _ => None,
        })
    }

    fn lend(&mut self, cell: CellId, slot: ScalarId) -> Evaluated<()> {
        match self.lent(cell)? {
            Some(mut lent) => {
                lent.push(slot);
                self.eval.write(cell, Object::Lent(Some(lent)).value())
            }
            None => Ok(()),
        }
    }

    /// Returns the event of `EnQue<from, to>` and `DeQue<from, to>`: a `TQueBind` may hand a tensor from the load to
    /// the vector unit and from that to the store, each with an event of its own.
    fn handing_over(&mut self, of: QueueType, queue: &Queue, label: &str) -> Lowered<EventId> {
        let (Some(from), Some(to)) = (self.template_int(0), self.template_int(1)) else {
            return Ok(Ok(queue.full));
        };
        let pipes = match types::queue(from, to) {
            Some((position, full, _)) if position == of.position => full,
            _ => lost!("`{label}` between other positions than those of the queue is not followed"),
        };
        if pipes == of.full {
            return Ok(Ok(queue.full));
        }
        let mut events = self.builder().program.events.iter();
        let known = events.position(|it| {
            let is_of_queue = |end: &QueueEnd| end.buffer == queue.buffer && !end.counts_free;
            it.src.zip(it.dst) == Some(pipes) && it.queue.as_ref().is_some_and(is_of_queue)
        });
        if let Some(at) = known {
            return Ok(Ok(EventId(at as u32)));
        }
        let end = QueueEnd {
            buffer: queue.buffer,
            counts_free: false,
            position: of.name,
            keeps_ids: of.depth == 0,
        };
        let span = self.call.span;
        Ok(Ok(self.event(label, pipes, queue.slots, end, span)))
    }

    fn signal(&mut self, opcode: Opcode, event: EventId) -> Lowered {
        let of = self.builder().program.event(event);
        // A queue takes an id where it sets a flag; where it waits, it gives one back.
        if opcode == Opcode::EventSet
            && let Some(set) = of
                .src
                .zip(of.dst)
                .and_then(|pair| self.fetched.forget(pair))
        {
            let flags = &mut self.builder().program.pooled_flags;
            flags.retain(|&span| span != set);
        }
        let emission = self.instruction(opcode).on(ArgValue::Event(event));
        self.emit(emission)
    }

    /// Returns the tensor of a slot with the element type of the call; if the call passes a tensor, assigns it to that.
    fn hand_out(&mut self, queue: &Queue, slot: ScalarId) -> Lowered<Option<Operand>> {
        let given = self.operand(0).cloned();
        // The positions of `DeQue<from, to, T>` precede the type.
        let mut template = self.call.template.iter();
        let element = template.find(|it| matches!(it, TemplateArg::Type(_)));
        let element = match (element, &given) {
            (Some(element), _) => Some(element.clone()),
            (None, Some(given)) => match &given.ty.kind {
                a2lint_cpp::eval::Kind::Library(of) => of.arguments.first().cloned(),
                _ => None,
            },
            _ => None,
        };
        let dtype = match &element {
            Some(TemplateArg::Type(ty)) => types::dtype(ty),
            _ => None,
        };
        let (Some(element), Some(dtype)) = (element, dtype) else {
            follows!("the element type of a tensor is not known");
        };
        let mut tensor = tensors::whole(self.builder(), queue.buffer, slot, dtype);
        match given.as_ref().and_then(Operand::object) {
            Some(cell) => {
                tensor.set = self.prepared(cell, self.span(0), Unprepared::Local)?;
                self.eval.write(cell, Object::Local(Some(tensor)).value())?;
                Ok(Ok(None))
            }
            None => Ok(Ok(Some(Operand::value(
                local_tensor(element),
                Object::Local(Some(tensor)).value(),
                self.call.span,
            )))),
        }
    }

    fn alloc_tensor(&mut self, object: &Operand, label: &str) -> Lowered<Option<Operand>> {
        let (cell, of, mut queue) = take!(self.queue(object, label));
        self.check_form(of, label);
        take!(self.signal(Opcode::EventWait, queue.free));
        let slot = queue.cursor;
        self.lend(queue.allocated, slot)?;
        if queue.slots > 1 {
            let one = self.builder().int(1);
            queue.cursor = numbers::add(self.builder(), slot, one);
            self.eval
                .write(cell, Object::Queue(of, Some(queue.clone())).value())?;
        }
        self.hand_out(&queue, slot)
    }

    /// Records a call that returns a tensor of a queue of depth 0, whose tensors are passed by reference: compilers
    /// refuse it.
    fn check_form(&mut self, of: QueueType, label: &str) {
        if of.depth == 0 && self.count() == 0 {
            let (span, name) = (self.call.span, self.call.name);
            let what =
                format!("{name}() of `{label}`, whose depth is 0, takes a tensor that it sets");
            self.builder().note_unknown(span, what);
        }
    }

    /// Returns the slot of the tensor that a call passes, which is one of those handed out.
    fn slot(&mut self, queue: &Queue, label: &str) -> Lowered<ScalarId> {
        let tensor = take!(self.local(0));
        // The call would set the events of another queue's buffer, which runs cannot model.
        if tensor.buffer != queue.buffer {
            lost!("queue `{label}` is given a tensor of another one");
        }
        Ok(Ok(tensor.slot))
    }

    fn note_queue(&mut self, label: &str, fault: QueueFault) {
        let (span, name) = (self.call.span, label.to_owned());
        self.builder().note(span, NoteKind::Queue { name, fault });
    }

    /// Removes a tensor from those that a queue has handed out. It has to be the oldest one; if that is not certain, it
    /// is reported.
    fn take_back(
        &mut self,
        cell: CellId,
        (queue, slot): (&Queue, ScalarId),
        label: &str,
        done: &str,
    ) -> Lowered {
        let Some(mut lent) = self.lent(cell)? else {
            // With one slot the order does not matter: every tensor is that slot.
            if queue.slots > 1 {
                let what = format!("in which order tensors of queue `{label}` are {done}");
                let span = self.call.span;
                self.builder()
                    .note_unknown(span, format!("{what} could not be followed"));
            }
            return Ok(Ok(()));
        };
        match lent.iter().position(|it| *it == slot) {
            Some(0) => drop(lent.remove(0)),
            Some(at) if queue.slots == 1 => drop(lent.remove(at)),
            None if queue.slots == 1 || lent.is_empty() => {}
            // Programs use slots in turn: with several slots, tensors that overtake each other cannot be expressed.
            _ => lost!("tensors of queue `{label}` are {done} in another order"),
        }
        self.eval.write(cell, Object::Lent(Some(lent)).value())?;
        Ok(Ok(()))
    }

    /// Returns which of two cells lists a tensor that the queue has handed out; the first one if none certainly does.
    fn lender(&mut self, slot: ScalarId, [first, second]: [CellId; 2]) -> Evaluated<CellId> {
        let has = |lent: Option<Vec<ScalarId>>| lent.is_some_and(|it| it.contains(&slot));
        let is_in_first = has(self.lent(first)?);
        Ok(match !is_in_first && has(self.lent(second)?) {
            true => second,
            false => first,
        })
    }

    fn enqueue(&mut self, object: &Operand, label: &str) -> Lowered {
        let (cell, of, mut queue) = take!(self.queue(object, label));
        let event = take!(self.handing_over(of, &queue, label));
        let slot = take!(self.slot(&queue, label));
        // A tensor that was dequeued may be enqueued again.
        let lender = self.lender(slot, [queue.allocated, queue.dequeued])?;
        take!(self.take_back(lender, (&queue, slot), label, "enqueued"));
        take!(self.signal(Opcode::EventSet, event));
        let held = queue.enqueued.as_ref().map_or(0, Vec::len) as i64;
        if of.depth > 0 && held >= of.depth {
            self.note_queue(label, QueueFault::AboveDepth(of.depth));
        }
        if let Some(enqueued) = &mut queue.enqueued {
            enqueued.push(slot);
        }
        self.eval
            .write(cell, Object::Queue(of, Some(queue)).value())?;
        Ok(Ok(()))
    }

    fn dequeue(&mut self, object: &Operand, label: &str) -> Lowered<Option<Operand>> {
        let (cell, of, mut queue) = take!(self.queue(object, label));
        self.check_form(of, label);
        let event = take!(self.handing_over(of, &queue, label));
        take!(self.signal(Opcode::EventWait, event));
        // What an empty queue hands out is the buffer that would have been next.
        let slot = match &mut queue.enqueued {
            Some(enqueued) if !enqueued.is_empty() => enqueued.remove(0),
            Some(_) => {
                self.note_queue(label, QueueFault::Empty);
                queue.taken
            }
            None => queue.taken,
        };
        if queue.slots > 1 {
            let one = self.builder().int(1);
            queue.taken = numbers::add(self.builder(), slot, one);
        }
        self.lend(queue.dequeued, slot)?;
        self.eval
            .write(cell, Object::Queue(of, Some(queue.clone())).value())?;
        self.hand_out(&queue, slot)
    }

    fn free_tensor(&mut self, object: &Operand, label: &str) -> Lowered {
        let (_, _, queue) = take!(self.queue(object, label));
        let tensor = take!(self.local(0));
        if tensor.buffer != queue.buffer {
            let owner = self.builder().program.buffer(tensor.buffer);
            let owner = owner.name.to_string();
            let program = &self.builder().program;
            let [own, of_owner] = [queue.buffer, tensor.buffer].map(|buffer| {
                let mut events = program.events.iter();
                let freed = events.find(|event| {
                    let end = event.queue.as_ref();
                    end.is_some_and(|end| end.counts_free && end.buffer == buffer)
                });
                freed.and_then(|event| event.src.zip(event.dst))
            });
            let fault = QueueFault::Foreign {
                owner,
                has_same_pipes: own == of_owner,
            };
            self.note_queue(label, fault);
            return Ok(Ok(()));
        }
        let slot = tensor.slot;
        // A tensor that was never enqueued is given back as well.
        let cell = self.lender(slot, [queue.dequeued, queue.allocated])?;
        take!(self.take_back(cell, (&queue, slot), label, "freed"));
        self.signal(Opcode::EventSet, queue.free)
    }

    /// Lowers a method of a `TBuf`; returns `None` for other names.
    pub fn buf_method(
        &mut self,
        object: &Operand,
        label: &str,
    ) -> Option<Lowered<Option<Operand>>> {
        Some(match self.call.name {
            "Get" | "AllocTensor" | "DeQue" | "GetWithOffset" => self.buf_tensor(object, label),
            "EnQue" | "FreeTensor" => Ok(Ok(None)),
            "GetBufLen" => self.buf_length(object, label),
            _ => return None,
        })
    }

    fn buf(&mut self, object: &Operand, label: &str) -> Lowered<a2lint_ir::BufferId> {
        let value = self.eval.value_of(object)?;
        match value.library::<Object>() {
            Some(Object::Buf(_, Some(memory))) => {
                self.ask(memory.set)?;
                Ok(Ok(memory.buffer))
            }
            Some(Object::Buf(position, None)) => {
                let state = Object::Buf(*position, None);
                Ok(Err(self.unprepared(label, object.object(), state)))
            }
            _ => follows!("the memory of buffer `{label}` is not known"),
        }
    }

    /// Returns whether a `TBuf` is in a memory that the other side has.
    fn is_elsewhere(&mut self, object: &Operand) -> Evaluated<bool> {
        let value = self.eval.value_of(object)?;
        let position = match value.library::<Object>() {
            Some(Object::Buf(position, None)) => *position,
            _ => return Ok(false),
        };
        Ok(cube::side_of(position) != self.side)
    }

    fn buf_tensor(&mut self, object: &Operand, label: &str) -> Lowered<Option<Operand>> {
        let element = self.call.template.first().cloned();
        let (Some(element), Some(dtype)) = (element, self.template_dtype(0)) else {
            follows!("the element type of a tensor is not known");
        };
        // Kernels take the tensors of both sides on both, and each side uses its own.
        if self.is_elsewhere(object)? {
            let value = Object::Local(None).value();
            let ty = local_tensor(element);
            return Ok(Ok(Some(Operand::value(ty, value, self.call.span))));
        }
        let buffer = take!(self.buf(object, label));
        let slot = self.builder().int(0);
        let mut tensor = tensors::whole(self.builder(), buffer, slot, dtype);
        if self.count() > 0 {
            tensor.length = take!(self.number(0));
        }
        if self.count() > 1 {
            let bytes = take!(self.number(1));
            tensor.offset = take!(self.of_bytes("the address", bytes, dtype));
            tensor.end = tensors::end_of(self.builder(), buffer, (bytes, tensor.length), dtype);
        }
        let value = Object::Local(Some(tensor)).value();
        Ok(Ok(Some(Operand::value(
            local_tensor(element),
            value,
            self.call.span,
        ))))
    }

    fn buf_length(&mut self, object: &Operand, label: &str) -> Lowered<Option<Operand>> {
        let buffer = take!(self.buf(object, label));
        let bytes = tensors::capacity(self.builder(), buffer, DType::UInt8);
        Ok(Ok(Some(self.int_operand(IntType::Unsigned, bytes))))
    }

    /// Returns a scalar of the program as the result of the call.
    pub fn int_operand(&mut self, of: IntType, id: ScalarId) -> Operand {
        let known = self.eval.builder.program.scalars.as_whole(id);
        let value = match known {
            Some(value) => Value::int(of, of.wrap(value)),
            None => {
                let id = self.eval.builder.program.scalars.convert(of.scalar(), id);
                Value::Int(of, a2lint_cpp::eval::IntValue::Scalar(id))
            }
        };
        Operand::value(of, value, self.call.span)
    }

    /// Returns the buffer that represents a whole memory, for tensors that are placed by address.
    pub fn memory(&mut self, position: Position) -> BufferId {
        let (given, span) = (self.given, self.call.span);
        let builder = self.builder();
        // It is the same memory on all paths, whichever of them places a tensor in it first.
        if let Some(buffer) = given.memory(builder, position) {
            return buffer;
        }
        let capacity = builder.program.device.capacity(position);
        let bytes = builder.int(capacity);
        // The other side of the kernel may have placed tensors in it as well.
        let mut declared = builder.program.buffers.iter();
        let is_whole = |it: &Buffer| {
            it.position == position
                && it.name.as_str() == position.name()
                && it.shape[1] == bytes
                && it.handed == HandOut::default()
        };
        if let Some(at) = declared.position(is_whole) {
            return BufferId(at as u32);
        }
        let memory = tensors::Memory {
            position,
            slots: 1,
            bytes,
            handed: HandOut::default(),
        };
        let buffer = tensors::declare(builder, position.name(), memory, span);
        given.record_memory(position, buffer, span);
        buffer
    }
}

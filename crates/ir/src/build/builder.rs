//! Collects the program under construction.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{forward, implicit, live, unknown};
use crate::{
    Buffer, BufferId, DeviceBlock, Event, EventId, Global, GlobalId, LocalView, Mutex, MutexId,
    NamedNumber, NamedValue, Note, NoteKind, Origin, OriginId, Program, Scalar, ScalarId, Stmt,
    StmtId, StmtKind, Toolchain, VariableId, VariableKind, View,
};
use a2lint_isa::RepeatRounding;
use a2lint_source::text::Span;

/// The largest number of statements of one program; only unrolled loops reach it.
const MAX_STATEMENTS: u32 = 100_000;
/// The largest number of buffers, tensors, events and mutexes of one program. It bounds the analyses that
/// compare each of them with every statement.
const MAX_DECLARED: usize = 8_192;

/// Maximum number of uses of names that are recorded.
const MAX_NAMED: usize = 16_384;

/// Collects the declarations and statements of one kernel.
pub struct Builder {
    /// The program so far, without the statements of its body.
    pub program: Program,
    /// The source statement that emitted statements come from.
    pub statement: Span,
    /// The rounding of an inferred repeat count.
    pub(super) repeat_rounding: RepeatRounding,
    /// The blocks that are open, outermost first.
    blocks: Vec<Vec<Stmt>>,
    /// The open device loops and branches, outermost first.
    pub(super) device_path: Vec<DeviceBlock>,
    /// The number of device loops and branches opened so far, which is the number of the latest one.
    pub(super) device_blocks: u32,
    /// Headers of the open device loops, outermost first.
    pub(super) loops: Vec<Span>,
    /// The number of device loops around the declaration of each variable of the source.
    pub(super) declared_in: FxHashMap<VariableId, usize>,
    /// The parameters that determine the type of a variable, where nothing else does.
    pub(super) typed_by: FxHashMap<VariableId, Vec<VariableId>>,
    /// Variables without a value so far.
    pub(super) unset: FxHashSet<VariableId>,
    /// Variables that the source names.
    named: FxHashSet<VariableId>,
    /// Rows and columns of the matrix that the last copy into an L0 buffer has left there.
    pub(super) loaded: FxHashMap<BufferId, [ScalarId; 2]>,
    /// The expressions of temporaries whose operands do not change in an iteration.
    pub(super) made_of: FxHashMap<VariableId, ScalarId>,
    pub(super) origin: OriginId,
    /// The number of emitted instructions that other lanes may notice, discarded ones included.
    pub(super) noticed: u32,
}

/// The program has more statements or declarations than a program may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl Builder {
    /// Starts the program of the kernel `name`, which is defined at `span`.
    pub fn new(
        name: String,
        (name_span, span): (Span, Span),
        toolchain: &'static Toolchain,
        repeat_rounding: RepeatRounding,
    ) -> Self {
        // Origin 0, the kernel itself, is its own parent.
        let root = Origin {
            call: span,
            parent: OriginId(0),
        };
        Builder {
            program: Program {
                name: name.into(),
                name_span,
                span,
                toolchain,
                origins: vec![root],
                ..Program::default()
            },
            statement: span,
            repeat_rounding,
            // The outermost block is the body of the kernel.
            blocks: vec![Vec::new()],
            device_path: Vec::new(),
            device_blocks: 0,
            loops: Vec::new(),
            declared_in: FxHashMap::default(),
            typed_by: FxHashMap::default(),
            unset: FxHashSet::default(),
            named: FxHashSet::default(),
            loaded: FxHashMap::default(),
            made_of: FxHashMap::default(),
            origin: OriginId(0),
            noticed: 0,
        }
    }

    /// Returns how many instructions have been emitted that other lanes may notice, discarded ones included.
    pub fn noticed(&self) -> u32 {
        self.noticed
    }

    /// Finishes the program: replaces temporaries by their expressions, and lists the code that depends on
    /// unknown numbers in [`Program::unknown`].
    pub fn finish(mut self) -> Program {
        self.program.body = self.blocks.pop().unwrap_or_default().into();
        // Dead scalars are dropped twice: before the substitution, which is faster on a small arena, and after it,
        // because it leaves the expressions behind that it has replaced.
        live::keep_live(&mut self.program);
        self.keep_variables();
        implicit::settle(&mut self.program, &self.named);
        forward::forward(&mut self.program);
        live::keep_live(&mut self.program);
        // After the substitution, so that numbers which nothing uses are not listed.
        unknown::note_numbers(&mut self.program);
        unknown::keep_causes(&mut self.program);
        self.program
    }

    /// Declares every variable that scalars mention and that is not declared, because a rollback removed it.
    fn keep_variables(&mut self) {
        let nodes = self.program.scalars.nodes();
        let named = nodes.filter_map(|node| match node {
            Scalar::Variable(id) => Some(id.index() + 1),
            _ => None,
        });
        let count = named.max().unwrap_or(0);
        let span = self.program.span;
        while self.program.variables.len() < count {
            let id = VariableId(self.program.variables.len() as u32);
            let of = self.program.scalars.variable_type(id);
            self.variable(VariableKind::Temporary, "", of, span);
        }
    }

    fn declared(&self) -> usize {
        let program = &self.program;
        program.buffers.len() + program.globals.len() + program.events.len() + program.mutexes.len()
    }

    /// Records what a name of the source stands for at a place.
    pub fn name(&mut self, span: Span, value: NamedValue) {
        let before = StmtId(self.program.stmt_count);
        let program = &mut self.program;
        if program.named.len() < MAX_NAMED {
            program.named.push(NamedNumber {
                span,
                value,
                before,
            });
        }
    }

    /// Appends a statement to the innermost open block.
    ///
    /// # Errors
    /// The program is too large.
    pub fn emit(&mut self, kind: StmtKind) -> Result<(), TooLarge> {
        if self.program.stmt_count >= MAX_STATEMENTS || self.declared() > MAX_DECLARED {
            return Err(TooLarge);
        }
        // Nested statements are emitted before the statement around them, so they have smaller numbers.
        let id = StmtId(self.program.stmt_count);
        self.program.stmt_count += 1;
        let stmt = Stmt {
            id,
            span: self.statement,
            origin: self.origin,
            kind,
        };
        self.block().push(stmt);
        Ok(())
    }

    /// Emits that views hold unknown, defined values from here on.
    ///
    /// # Errors
    /// The program is too large.
    pub fn havoc(&mut self, views: Vec<View>) -> Result<(), TooLarge> {
        match views.is_empty() {
            true => Ok(()),
            false => self.emit(StmtKind::Havoc(views)),
        }
    }

    pub(super) fn block(&mut self) -> &mut Vec<Stmt> {
        self.blocks.last_mut().expect("the body is always open")
    }

    /// Opens a block, which receives statements until [`Builder::close_block`] returns them.
    pub fn open_block(&mut self) {
        self.blocks.push(Vec::new());
    }

    /// Closes the innermost block and returns its statements.
    pub fn close_block(&mut self) -> Vec<Stmt> {
        self.blocks.pop().unwrap_or_default()
    }

    /// Returns the number of open blocks and of statements in the innermost one.
    pub(super) fn open_blocks(&self) -> (usize, usize) {
        (self.blocks.len(), self.blocks.last().map_or(0, Vec::len))
    }

    /// Closes all but the `open` outermost blocks and truncates the innermost block that stays open to `length`
    /// statements. Returns the statements that are removed.
    pub(super) fn cut_blocks(&mut self, (open, length): (usize, usize)) -> Vec<Stmt> {
        let mut removed: Vec<Stmt> = self.blocks.drain(open..).flatten().collect();
        if let Some(block) = self.blocks.last_mut() {
            removed.extend(block.drain(length.min(block.len())..));
        }
        removed
    }

    /// Returns the statements of the innermost open block.
    pub fn innermost_block(&self) -> &[Stmt] {
        self.blocks.last().map_or(&[], Vec::as_slice)
    }

    /// Returns the expression that a temporary holds; `None` if its operands may have changed since.
    pub fn meaning_of(&self, variable: VariableId) -> Option<ScalarId> {
        self.made_of.get(&variable).copied()
    }

    /// Forgets that a variable has a name, after a rollback.
    pub(super) fn forget_name(&mut self, id: VariableId) {
        self.named.remove(&id);
    }

    /// Appends statements of a closed block to the innermost open block.
    pub fn extend(&mut self, stmts: impl IntoIterator<Item = Stmt>) {
        self.block().extend(stmts);
    }

    /// Adds an observation about the source, unless it is present already.
    pub fn note(&mut self, span: Span, kind: impl Into<NoteKind>) {
        let note = Note {
            span,
            origin: self.origin,
            kind: kind.into(),
        };
        if !self.program.notes.contains(&note) {
            self.program.notes.push(note);
        }
    }

    /// Notes a place of the source that could not be evaluated; `what` is a clause.
    pub fn note_unknown(&mut self, span: Span, what: String) {
        unknown::note(&mut self.program, span, what);
    }

    /// Notes code that cannot be followed because it uses an unknown value. It is listed only if nothing else is: the
    /// code that made the value unknown has been noted.
    pub fn note_follower(&mut self, span: Span, what: String) {
        unknown::note_follower(&mut self.program, span, what);
    }

    /// Enters a call of a helper: the following statements originate from it. Returns the argument of
    /// [`Builder::leave_call`].
    pub fn enter_call(&mut self, call: Span) -> OriginId {
        let parent = self.origin;
        self.program.origins.push(Origin { call, parent });
        self.origin = OriginId(self.program.origins.len() as u32 - 1);
        parent
    }

    /// Leaves the call of a helper.
    pub fn leave_call(&mut self, parent: OriginId) {
        self.origin = parent;
    }

    /// Returns the origin of the statements that are emitted now: the calls around them, and the source
    /// statement.
    pub fn place(&mut self) -> (OriginId, Span) {
        (self.origin, self.statement)
    }

    /// Records where the source computes a number that may have no value: a quotient, a remainder or a shift.
    pub fn note_computed(&mut self, mut id: ScalarId, span: Span) {
        // The result may have been converted.
        while let Scalar::Unary(_, inner) = self.program.scalars.get(id) {
            id = inner;
        }
        if let Scalar::Binary(op, ..) = self.program.scalars.get(id)
            && op.may_have_no_result()
        {
            let place = (self.origin, span);
            self.program.computed_at.entry(id).or_insert(place);
        }
    }

    /// Sets the origin of further statements to a place that [`Builder::place`] has returned.
    pub fn go_to(&mut self, (origin, statement): (OriginId, Span)) {
        self.origin = origin;
        self.statement = statement;
    }

    /// Records that the source names a variable. A symbol that it never names may be only the name of an
    /// extent.
    pub fn name_variable(&mut self, variable: VariableId) {
        self.named.insert(variable);
    }

    /// Declares an on-chip buffer.
    pub fn add_buffer(&mut self, buffer: Buffer) -> BufferId {
        self.program.buffers.push(buffer);
        BufferId(self.program.buffers.len() as u32 - 1)
    }

    /// Declares a global tensor.
    pub fn add_global(&mut self, global: Global) -> GlobalId {
        self.program.globals.push(global);
        GlobalId(self.program.globals.len() as u32 - 1)
    }

    /// Declares an event.
    pub fn add_event(&mut self, event: Event) -> EventId {
        self.program.events.push(event);
        EventId(self.program.events.len() as u32 - 1)
    }

    /// Declares a mutex.
    pub fn add_mutex(&mut self, mutex: Mutex) -> MutexId {
        self.program.mutexes.push(mutex);
        MutexId(self.program.mutexes.len() as u32 - 1)
    }

    /// Returns the whole of one slot of a buffer.
    pub fn whole(&mut self, buffer: BufferId, slot: ScalarId, site: Span) -> LocalView {
        let zero = self.int(0);
        let declared = self.program.buffer(buffer);
        LocalView {
            buffer,
            slot,
            index: None,
            dtype: declared.dtype,
            shape: declared.shape,
            offset: [zero, zero],
            span: declared.shape,
            static_span: declared.static_shape,
            end: None,
            transposed: false,
            sliced: false,
            site,
        }
    }
}

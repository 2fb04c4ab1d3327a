//! Defines programs and their declarations.

use std::collections::BTreeSet;
use std::iter::successors;
use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{
    BlockId, Body, Contract, DisplayName, Guard, HandOut, Instr, Launch, Notation, Note, Number,
    ScalarId, Scalars, Stmt, StmtKind, Sum, Toolchain, Unprepared, View,
};
use a2lint_isa::device::Device;
use a2lint_isa::{DType, Dialect, Layout, Opcode, Pipe, Position, Signature};
use a2lint_source::text::Span;

macro_rules! id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// Returns the index in its arena.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(/** A device variable. */ VariableId);
id!(/** An on-chip buffer. */ BufferId);
id!(/** A global tensor. */ GlobalId);
id!(/** An event. */ EventId);
id!(/** A mutex. */ MutexId);
id!(
    /// A statement. Numbers are assigned when statements end: those of instructions ascend in program order,
    /// and a statement with a body has a larger number than those in it. [`Program::order`] compares any two.
    StmtId
);
id!(/** Where an inlined statement was called from; 0 is the kernel body itself. */ OriginId);

/// The kernels, launches and observations of one file.
#[derive(Debug, Default)]
pub struct Module {
    /// Kernels, in source order.
    pub programs: Vec<Program>,
    /// Launches that the file spells out.
    pub launches: Vec<Launch>,
    /// Kernels with more launches in the file than are read.
    pub unread_launches: Vec<String>,
    /// Functions that are no kernels and that no kernel of the file calls; other files may call them.
    pub uncalled: Vec<Uncalled>,
    /// The parts of imported files that were not read because of a limit, as clauses.
    pub not_read: Vec<String>,
    /// Other files whose code the kernels use, such as headers.
    pub read_with: Vec<PathBuf>,
    /// Findings of the file as a whole.
    pub notes: Vec<Note>,
    /// Kernels that could not be analysed.
    pub not_analysed: Vec<NotAnalysed>,
    /// Kernels and files that are only for other Ascend products.
    pub other_products: Vec<NotAnalysed>,
}

impl Module {
    /// Returns the language in which advice about the file is written: that of its kernels.
    pub fn notation(&self) -> Notation {
        let mut programs = self.programs.iter();
        programs
            .next()
            .map_or(Notation::Python, |program| program.toolchain.notation)
    }
}

/// A function that no kernel calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uncalled {
    /// The name of the function.
    pub name: DisplayName,
    /// The definition of the function, with its decorators.
    pub span: Span,
    /// Whether it takes global tensors, as kernels do.
    pub takes_tensors: bool,
}

/// Why a file without a kernel entry is not analysed alone: it is analysed in the translation units that include it.
pub const NO_ENTRY: &str =
    "it calls AscendC and has no kernel entry: its code is analysed where a kernel includes it";

/// Why something was not analysed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotAnalysed {
    /// The kernel; `None` for a whole file.
    pub kernel: Option<String>,
    /// The reason, as a clause.
    pub reason: String,
}

/// Code of a kernel that could not be evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnknownCode {
    /// The place.
    pub span: Span,
    /// The kind of information that is missing, as a clause.
    pub what: String,
    /// Whether it is unknown because of other code.
    pub is_follower: bool,
}

/// The name of an extent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtentName {
    /// The name.
    pub name: String,
    /// The tensor.
    pub global: GlobalId,
    /// The axis.
    pub axis: usize,
}

/// One traced kernel.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Name of the kernel function.
    pub name: DisplayName,
    /// The name in its definition.
    pub name_span: Span,
    /// The whole definition, decorators included.
    pub span: Span,
    /// The names and values (tiling key, element types) that distinguish this kernel from the other instances of its
    /// definition; empty if the definition is compiled once.
    pub built_for: Vec<(String, String)>,
    /// The language it is written in.
    pub dialect: Dialect,
    /// The toolchain that compiles the kernel.
    pub toolchain: &'static Toolchain,
    /// The device it is meant for.
    pub device: Device,
    /// Whether its mode is that of a kernel for vec cores alone.
    pub vec_only: bool,
    /// Whether its mode is that of a kernel for the cube alone.
    pub cube_only: bool,
    /// Whether the device may start the lanes in several batches, so that a wait for all lanes may never end.
    pub starts_in_parts: bool,
    /// The number of cores in its decorator, which a launch overrides.
    pub block_dim: Option<u32>,
    /// The number of cores in its decorator, as an expression over the parameters.
    pub block_dim_scalar: Option<ScalarId>,
    /// Parameters that only name extents, so that calls may leave them out.
    pub implicit: Vec<VariableId>,
    /// The first statement that computes each scalar result which may have no value (division by zero, a
    /// shift that is too wide).
    pub computed_at: FxHashMap<ScalarId, (OriginId, Span)>,
    /// Names of extents that are no parameters: `"N"` in `GM[f32, ("N", 64)]` where nothing else refers to
    /// it.
    pub extent_names: Vec<ExtentName>,
    /// The contract: the demands of the comments above the kernel on its launches.
    pub contract: Contract,
    /// Sums that are not negative in any launch that is considered. A front end knows none; proofs add what they then
    /// ask of launches.
    pub demands: Vec<Sum>,
    /// Parameters in order.
    pub params: Vec<Param>,
    /// Global tensors that the kernel returns.
    pub outputs: Vec<GlobalId>,
    /// Parameters that are undefined when the kernel starts: user workspaces of AscendC.
    pub workspaces: Vec<GlobalId>,
    /// Constant arrays of the source in global memory, which are declared as workspaces.
    pub tables: Vec<Table>,
    /// Scalar expressions.
    pub scalars: Scalars,
    /// Device variables.
    pub variables: Vec<Variable>,
    /// The numbers that names of the source stood for when the kernel was evaluated, in the order of evaluation; of
    /// languages whose local variables are no variables of the program.
    pub named: Vec<NamedNumber>,
    /// The named constants of the file.
    pub constants: Arc<[(String, Number)]>,
    /// On-chip buffers in declaration order.
    pub buffers: Vec<Buffer>,
    /// Global tensors: parameters and workspaces.
    pub globals: Vec<Global>,
    /// Events.
    pub events: Vec<Event>,
    /// Mutexes.
    pub mutexes: Vec<Mutex>,
    /// Call chains of inlined helpers.
    pub origins: Vec<Origin>,
    /// The kernel body.
    pub body: Body,
    /// Number of statements, nested ones included.
    pub stmt_count: u32,
    /// The observations of the front end.
    pub notes: Vec<Note>,
    /// Code of the kernel that could not be evaluated; empty if the kernel was traced completely.
    pub unknown: Vec<UnknownCode>,
    /// Buffers that are operands of instructions which raise an exception, so that their effects are missing
    /// from the program.
    pub dropped: Vec<BufferId>,
    /// Work buffers that a call demands although the device does not touch them.
    pub demanded: Vec<BufferId>,
    /// Whether `reset_cache()` rewinds the allocators inside the kernel, so that later buffers overlap
    /// earlier ones.
    pub rewinds_memory: bool,
    /// The calls that hand out event ids of a pool, and those that set or await flags with such ids. All other flags
    /// have ids that the kernel gives itself.
    pub pooled_flags: Vec<Span>,
    /// The barriers at which a pool of event ids has ended: all ids are free after them.
    pub fresh_pools: Vec<Span>,
    /// The calls in which cores meet by polling memory: they need no flags of the device.
    pub polled_meetings: Vec<Span>,
    /// Numbers that the struct of tiling data has: a launch may give those as well that the kernel does not read.
    pub tiling_fields: BTreeSet<String>,
}

/// A kernel parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// The name of the parameter.
    pub name: DisplayName,
    /// The place of its declaration.
    pub span: Span,
    /// The kind of the parameter.
    pub kind: ParamKind,
    /// Whether its annotation states its kind.
    pub annotated: bool,
}

impl Param {
    /// Returns whether host code computes it together with others: `tiling.tileLength` is a field of a struct,
    /// `tiling[20]` one that the kernel reads at a byte of the struct.
    pub fn is_tiling_field(&self) -> bool {
        self.name.contains(['.', '['])
    }
}

/// The kind of a kernel parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// A global tensor.
    Global(GlobalId),
    /// A device scalar.
    Variable(VariableId),
    /// A value that is known when the kernel is compiled.
    Constant,
    /// Neither its annotation nor its uses determine the kind.
    Unknown,
}

/// What a name of the source stood for at one of its uses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedNumber {
    /// The name, or the expression that selects a member.
    pub span: Span,
    /// The number that was read or stored.
    pub value: NamedValue,
    /// The number of the first statement after it.
    pub before: StmtId,
}

/// The number that a name stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NamedValue {
    /// The same in every launch.
    Known(Number),
    /// An expression of the program.
    Scalar(ScalarId),
}

/// A device variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Source name; empty for temporaries.
    pub name: DisplayName,
    /// Element type: int32 or float unless the source says otherwise; `None` where unknown.
    pub dtype: Option<DType>,
    /// The kind of the variable.
    pub kind: VariableKind,
    /// The place where it was made.
    pub span: Span,
    /// The variable that `Var(...)` was given, if it was given one.
    pub copy_of: Option<VariableId>,
    /// Number of assignments, `GetValueFrom` included (parameters and loops count none).
    pub assignments: u32,
    /// The expression that has replaced all uses of a variable that is assigned once; `None` if a use
    /// remains.
    pub folded: Option<ScalarId>,
}

impl Variable {
    /// Says that the variable has no value where it is read, or that it may have none, as a clause.
    pub fn without_value(&self, is_certain: bool) -> String {
        let name = self.name.as_str();
        if let VariableKind::Prepared(object) = self.kind {
            return object.lacks(name, is_certain);
        }
        match (is_certain, name) {
            (true, "") => "a scalar is used before it has a value".to_owned(),
            (true, name) => format!("`{name}` is used before it has a value"),
            (false, "") => "a number may be read that nothing has set".to_owned(),
            (false, name) => format!("`{name}` may be read where nothing has set it"),
        }
    }
}

/// The kind of a device variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableKind {
    /// A kernel parameter.
    Param,
    /// The counter of a device loop.
    Loop,
    /// `Var(...)` in the source.
    Declared,
    /// The result of scalar arithmetic.
    Temporary,
    /// A mark of the paths that prepare an object: 1 on those, and without a value on all others.
    Prepared(Unprepared),
}

/// An on-chip allocation.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// Source name; empty where it has none.
    pub name: DisplayName,
    /// Element type.
    pub dtype: DType,
    /// Rows and columns of one slot.
    pub shape: [ScalarId; 2],
    /// Whether each extent was a number while the kernel was compiled.
    pub static_shape: [bool; 2],
    /// The memory of the buffer.
    pub position: Position,
    /// 1 for Tensor, 2 for DBuff, 3 for TBuff, 4 for QBuff.
    pub slots: u32,
    /// L1 layout.
    pub layout: Layout,
    /// The allocating call.
    pub span: Span,
    /// Whether the allocation is inside a device loop or branch.
    pub nested: bool,
    /// Where the kernel hands out its memory, if it does so while it runs (`InitBuffer` of AscendC).
    pub handed: HandOut,
}

/// A global tensor.
#[derive(Clone, Debug)]
pub struct Global {
    /// Source name.
    pub name: DisplayName,
    /// Element type; `None` for a parameter whose type no launch determines.
    pub dtype: Option<DType>,
    /// Extents; empty where the rank is unknown.
    pub shape: Vec<ScalarId>,
    /// The kind of the tensor.
    pub kind: GlobalKind,
    /// Where it was declared.
    pub span: Span,
    /// The mutex that was bound to it.
    pub mutex: Option<MutexId>,
    /// Whether it is a ring of slots (`GMBuff`).
    pub ring: Option<GlobalRing>,
}

/// A constant array of the source in global memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The global tensor, whose kind is [`GlobalKind::Workspace`].
    pub global: GlobalId,
    /// Its elements as the bytes of memory.
    pub bytes: Vec<u8>,
}

/// A ring of slots in global memory: `[cores?, slots, rows, columns]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlobalRing {
    /// Number of slots.
    pub slots: i64,
    /// Whether each core has slots of its own.
    pub per_core: bool,
}

/// The kind of a global tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobalKind {
    /// A kernel parameter.
    Param,
    /// `split_workspace`: undefined at start.
    Workspace,
}

/// An event object between two pipes of one lane.
#[derive(Clone, Debug)]
pub struct Event {
    /// Source name.
    pub name: DisplayName,
    /// Hardware ids: 1 for SEvent, 2, 3, 4 for DEvent, TEvent, QEvent.
    pub ids: u32,
    /// Pipe that sets; `None` where unknown.
    pub src: Option<Pipe>,
    /// Pipe that waits; `None` where unknown.
    pub dst: Option<Pipe>,
    /// Whether all ids are set at the start.
    pub preset: bool,
    /// The constructor call.
    pub span: Span,
    /// The queue that it belongs to.
    pub queue: Option<QueueEnd>,
}

/// One of the two events of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueEnd {
    /// The buffers of the queue.
    pub buffer: BufferId,
    /// Whether it counts buffers that are free, and not tensors that wait to be taken out.
    pub counts_free: bool,
    /// Whether each buffer has an event id for good, and does not take one for each tensor: a queue of depth 0.
    pub keeps_ids: bool,
    /// The position of the queue, as its type names it: `VECIN`.
    pub position: &'static str,
}

impl Event {
    /// Returns what a wait for it is for: ``the event `loaded` ``, ``a free buffer of queue `in` ``.
    pub fn awaited(&self) -> String {
        match self.queue {
            None => format!("the event `{}`", self.name),
            Some(queue) if queue.counts_free => format!("a free buffer of queue `{}`", self.name),
            Some(_) => format!("a tensor in queue `{}`", self.name),
        }
    }
}

/// A cross-side mutex.
#[derive(Clone, Debug)]
pub struct Mutex {
    /// Source name, or that of the tensor it is bound to.
    pub name: DisplayName,
    /// Direction.
    pub kind: MutexKind,
    /// Flag id; `None` where unknown.
    pub flag_id: Option<i64>,
    /// Free tokens at the start; `None` where unknown.
    pub depth: Option<i64>,
    /// Pipe on which the producer waits for a token.
    pub src_start: Pipe,
    /// Pipe on which the consumer waits for data.
    pub dst_start: Pipe,
    /// Pipe whose work the producer publishes.
    pub src_end: Pipe,
    /// Pipe whose work the consumer must have finished.
    pub dst_end: Pipe,
    /// The places of the pipe arguments: src_start, dst_start, src_end, dst_end.
    pub pipe_spans: [Option<Span>; 4],
    /// The constructor call.
    pub span: Span,
}

/// Direction of a mutex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutexKind {
    /// `CvMutex`: the cube produces, vec consumes.
    CubeToVec,
    /// `VcMutex`: vec produces, the cube consumes.
    VecToCube,
}

/// One link of the call chain of an inlined statement.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// The call.
    pub call: Span,
    /// The call chain of the call itself.
    pub parent: OriginId,
}

/// The name in [`Program::built_for`] of the number by which the host selects a part of an AscendC kernel.
pub const TILING_KEY: &str = "TILING_KEY";

impl Program {
    /// Returns the program for launches that keep some sums from being negative.
    pub fn demanding<'d>(&self, demands: impl IntoIterator<Item = &'d Sum>) -> Program {
        let mut program = self.clone();
        for sum in demands {
            if !program.demands.contains(sum) {
                program.demands.push(sum.clone());
            }
        }
        program
    }

    /// Returns whether the number of cores of a launch counts vec lanes, two of which share a core.
    pub fn counts_vec_cores(&self) -> bool {
        self.vec_only && self.toolchain.launches.counts_vec_cores
    }

    /// Returns the tensors that the kernel returns; if it returns none, the parameters that it stores to.
    pub fn results(&self) -> Vec<GlobalId> {
        if !self.outputs.is_empty() {
            return self.outputs.clone();
        }
        let mut stored = self.stored();
        // Workspaces are not visible to the caller.
        stored.retain(|id| self.global(*id).kind == GlobalKind::Param);
        stored
    }

    /// Returns the global tensors that the kernel stores to, in their order.
    pub fn stored(&self) -> Vec<GlobalId> {
        let mut stored = Vec::new();
        for (_, instr) in self.instructions() {
            let written = instr
                .operands()
                .filter(|(_, operand, _)| operand.access.writes());
            stored.extend(written.filter_map(|(_, _, view)| Some(View::global(view)?.global)));
        }
        stored.sort_unstable();
        stored.dedup();
        stored
    }

    /// Returns the statement of this number.
    pub fn statement(&self, id: StmtId) -> Option<&Stmt> {
        self.body.statement(id)
    }

    /// Returns the instruction of this number; `None` for other statements.
    pub fn instruction(&self, id: StmtId) -> Option<&Instr> {
        self.statement(id)?.kind.instr()
    }

    /// Returns the statements around a statement, innermost first.
    pub fn ancestors(&self, id: StmtId) -> impl Iterator<Item = &Stmt> {
        let ids = successors(self.body.parent(id), |&id| self.body.parent(id));
        ids.filter_map(|id| self.statement(id))
    }

    /// Returns the block that contains a statement.
    pub fn block(&self, id: StmtId) -> Option<BlockId> {
        self.body.block(id)
    }

    /// Returns the loops around a statement, outermost first.
    pub fn loops(&self, id: StmtId) -> &[StmtId] {
        self.body.loops(id)
    }

    /// Returns the loops around both of two statements, outermost first.
    pub fn common_loops(&self, first: StmtId, second: StmtId) -> &[StmtId] {
        let (a, b) = (self.loops(first), self.loops(second));
        let common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        &a[..common]
    }

    /// Returns the branches around a statement, outermost first, with the block of each that contains the
    /// statement.
    pub fn guards(&self, id: StmtId) -> &[Guard] {
        self.body.guards(id)
    }

    /// Returns the outermost `auto_sync` region around a statement.
    pub fn region(&self, id: StmtId) -> Option<StmtId> {
        self.body.region(id)
    }

    /// Returns whether a statement is inside an atomic block.
    pub fn is_atomic(&self, id: StmtId) -> bool {
        self.body.is_atomic(id)
    }

    /// Returns the position of a statement in program order, where a statement precedes those inside it.
    pub fn order(&self, id: StmtId) -> Option<u32> {
        self.body.order(id)
    }

    /// Returns whether `inner` is `outer` or is nested in it.
    pub fn contains(&self, outer: StmtId, inner: StmtId) -> bool {
        self.body.contains(outer, inner)
    }

    /// Returns the signature of an instruction in the dialect of the kernel.
    pub fn signature(&self, opcode: Opcode) -> &'static Signature {
        let own = self.dialect.signature(opcode);
        let another = || {
            let mut all = Dialect::ALL.iter();
            all.find_map(|dialect| dialect.signature(opcode))
        };
        own.or_else(another)
            .expect("every instruction is one of a dialect")
    }

    /// Returns the name that its dialect has for an instruction.
    pub fn name_of(&self, opcode: Opcode) -> &'static str {
        self.signature(opcode).name
    }

    /// Returns the name under which the source calls an instruction.
    pub fn call_name<'a>(&self, instr: &'a Instr) -> &'a str {
        let called = instr.called.as_ref().map(DisplayName::as_str);
        called.unwrap_or_else(|| self.name_of(instr.opcode))
    }

    /// Returns the event of the queue that a buffer belongs to.
    pub fn queue_of(&self, buffer: BufferId) -> Option<&Event> {
        let mut events = self.events.iter();
        events.find(|event| event.queue.is_some_and(|queue| queue.buffer == buffer))
    }

    /// Calls `visit` on every statement in program order.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Stmt)) {
        for stmt in &self.body {
            stmt.walk(visit);
        }
    }

    /// Returns all instructions with their statements, in program order.
    pub fn instructions(&self) -> Vec<(&Stmt, &Instr)> {
        let mut found = Vec::new();
        self.walk(&mut |stmt| {
            if let StmtKind::Instr(instr) = &stmt.kind {
                found.push((stmt, instr));
            }
        });
        found
    }

    /// Returns whether the kernel has no instruction, and nothing of it was left unread.
    pub fn does_nothing(&self) -> bool {
        self.unknown.is_empty() && self.notes.is_empty() && self.instructions().is_empty()
    }

    /// Returns whether the program has code that could not be evaluated and may contain instructions.
    pub fn hides_instructions(&self) -> bool {
        let mut hides = false;
        self.walk(&mut |stmt| hides |= matches!(stmt.kind, StmtKind::Opaque));
        hides
    }

    /// Returns whether an instruction reads a variable from memory.
    pub fn reads_scalars(&self) -> bool {
        let mut reads = false;
        self.walk(&mut |stmt| {
            reads |= stmt.kind.instr().and_then(Instr::reads_into).is_some();
        });
        reads
    }

    /// Returns the tiling key that the kernel is compiled for; `None` if its definition has none.
    pub fn tiling_key(&self) -> Option<&str> {
        let mut values = self.built_for.iter();
        values.find_map(|(name, value)| (name == TILING_KEY).then_some(value.as_str()))
    }

    /// Returns the constant array that a global tensor is.
    pub fn table(&self, global: GlobalId) -> Option<&Table> {
        self.tables.iter().find(|table| table.global == global)
    }

    /// Returns whether a global tensor is scratch memory, of which nothing is left to the caller: a workspace, by its
    /// kind or, where the language has none, by its name.
    pub fn is_scratch(&self, id: GlobalId) -> bool {
        let global = self.global(id);
        let name = global.name.to_ascii_lowercase();
        global.kind == GlobalKind::Workspace || name.contains("workspace") || name == "ws"
    }

    /// Returns whether an instruction has a global tensor as an operand, or unread code may access it.
    pub fn uses_global(&self, global: GlobalId) -> bool {
        let is_it = |view: &View| view.global().is_some_and(|view| view.global == global);
        let instructions = self.instructions();
        let mut operands = instructions.iter().flat_map(|(_, instr)| instr.operands());
        operands.any(|(_, _, view)| is_it(view)) || self.is_obscured(global)
    }

    /// Returns whether unknown code, or an erroneous instruction, may store to a global tensor.
    pub fn is_obscured(&self, global: GlobalId) -> bool {
        let mut found = false;
        self.walk(&mut |stmt| {
            if let StmtKind::Havoc(views) = &stmt.kind {
                let mut globals = views.iter().filter_map(View::global);
                found |= globals.any(|view| view.global == global);
            }
        });
        found
    }

    /// Returns the buffer of an id.
    pub fn buffer(&self, id: BufferId) -> &Buffer {
        &self.buffers[id.index()]
    }

    /// Returns the global tensor of an id.
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.index()]
    }

    /// Returns the variable of an id.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }

    /// Returns the mutex of an id.
    pub fn mutex(&self, id: MutexId) -> &Mutex {
        &self.mutexes[id.index()]
    }

    /// Returns the event of an id.
    pub fn event(&self, id: EventId) -> &Event {
        &self.events[id.index()]
    }

    /// Returns the helper calls that led to a statement, innermost first.
    pub fn call_chain(&self, origin: OriginId) -> Vec<Span> {
        let mut calls = Vec::new();
        let mut at = origin;
        while at != OriginId(0) {
            let link = self.origins[at.index()];
            calls.push(link.call);
            at = link.parent;
        }
        calls
    }

    /// Returns a constant that is small enough for an extent, stride or offset: the product of two of them
    /// and an element size cannot overflow. Larger constants count as not known.
    pub fn size(&self, id: ScalarId) -> Option<i64> {
        // The square of 2^27 times 64 bits is 2^60, which fits 64 bits.
        const LARGEST: i64 = 1 << 27;
        let value = self.scalars.as_int(id)?;
        (-LARGEST..=LARGEST).contains(&value).then_some(value)
    }

    /// Returns a pair of constant sizes.
    pub fn constant_pair(&self, pair: [ScalarId; 2]) -> Option<[i64; 2]> {
        Some([self.size(pair[0])?, self.size(pair[1])?])
    }
}

impl Buffer {
    /// Returns the name of the buffer in findings.
    pub fn label(&self) -> &str {
        if self.name.is_empty() {
            "a tensor"
        } else {
            &self.name
        }
    }
}

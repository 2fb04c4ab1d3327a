//! The program under construction.

use rustc_hash::{FxHashMap, FxHashSet};

use super::value::Value;
use a2lint_ir::{
    BinaryOp, Buffer, BufferId, CompareOp, Event, EventId, Global, GlobalId, LocalView, Mutex,
    MutexId, Note, NoteKind, Origin, OriginId, Program, Scalar, ScalarId, ScalarType, Stmt, StmtId,
    StmtKind, Variable, VariableId, VariableKind,
};
use a2lint_isa::{DType, RepeatRounding};
use a2lint_source::text::Span;

/// Most statements of one program; unrolled loops reach it.
const MAX_STATEMENTS: u32 = 100_000;
/// Most buffers, tensors, events and mutexes of one program: what compares each with every statement stays bounded.
const MAX_DECLARED: usize = 8_192;

/// Deepest expression that is divided.
const MAX_DIVIDED: u32 = 24;

/// Collects statements and declarations of one kernel.
pub(super) struct Builder {
    pub program: Program,
    blocks: Vec<Vec<Stmt>>,
    /// Nesting of device loops and branches.
    pub device_depth: u32,
    /// Headers of the device loops being traced, outermost first.
    pub loops: Vec<Span>,
    /// How many device loops were around each variable that the source declares.
    pub declared_in: FxHashMap<VariableId, usize>,
    /// The parameters that decide the type of a variable, where nothing else does.
    typed_by: FxHashMap<VariableId, Vec<VariableId>>,
    /// Cells without a value so far.
    pub unset: FxHashSet<VariableId>,
    /// Variables that the kernel names.
    pub asked: FxHashSet<VariableId>,
    /// Rows and columns of the matrix that the last copy into an L0 buffer has left there.
    pub loaded: FxHashMap<BufferId, [ScalarId; 2]>,
    /// What temporaries were made of, where that lasts.
    made_of: FxHashMap<VariableId, ScalarId>,
    origin: OriginId,
    /// How repeats that calls leave out are rounded.
    pub repeat_rounding: RepeatRounding,
    /// The source statement being traced.
    pub statement: Span,
}

/// The program grew past [`MAX_STATEMENTS`] or [`MAX_DECLARED`].
pub(super) struct TooLarge;

impl Builder {
    pub fn new(name: String, name_span: Span, span: Span) -> Self {
        let root = Origin {
            call: span,
            parent: OriginId(0),
        };
        Builder {
            program: Program {
                name: name.into(),
                name_span,
                span,
                origins: vec![root],
                ..Program::default()
            },
            blocks: vec![Vec::new()],
            device_depth: 0,
            loops: Vec::new(),
            declared_in: FxHashMap::default(),
            typed_by: FxHashMap::default(),
            unset: FxHashSet::default(),
            asked: FxHashSet::default(),
            loaded: FxHashMap::default(),
            made_of: FxHashMap::default(),
            origin: OriginId(0),
            repeat_rounding: RepeatRounding::default(),
            statement: span,
        }
    }

    /// The finished program.
    pub fn finish(mut self) -> Program {
        self.program.body = self.blocks.pop().unwrap_or_default().into();
        self.program
    }

    fn declared(&self) -> usize {
        let program = &self.program;
        program.buffers.len() + program.globals.len() + program.events.len() + program.mutexes.len()
    }

    pub fn emit(&mut self, kind: StmtKind) -> Result<(), TooLarge> {
        if self.program.stmt_count >= MAX_STATEMENTS || self.declared() > MAX_DECLARED {
            return Err(TooLarge);
        }
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

    fn block(&mut self) -> &mut Vec<Stmt> {
        self.blocks.last_mut().expect("the body is always open")
    }

    pub fn open_block(&mut self) {
        self.blocks.push(Vec::new());
    }

    pub fn close_block(&mut self) -> Vec<Stmt> {
        self.blocks.pop().unwrap_or_default()
    }

    /// Takes the branch that an `Elif` or `Else` continues, with what was emitted behind it.
    pub fn reopen_branch(&mut self) -> Option<(Stmt, Vec<Stmt>)> {
        let block = self.block();
        let at = block
            .iter()
            .rposition(|stmt| !matches!(stmt.kind, StmtKind::Assign { .. }))?;
        if !matches!(block[at].kind, StmtKind::If { .. }) {
            return None;
        }
        let behind = block.split_off(at + 1);
        Some((block.pop()?, behind))
    }

    /// Puts statements back that were taken out.
    pub fn extend(&mut self, stmts: impl IntoIterator<Item = Stmt>) {
        self.block().extend(stmts);
    }

    pub fn note(&mut self, span: Span, kind: NoteKind) {
        let note = Note {
            span,
            origin: self.origin,
            kind,
        };
        if !self.program.notes.contains(&note) {
            self.program.notes.push(note);
        }
    }

    pub fn enter_call(&mut self, call: Span) -> OriginId {
        let parent = self.origin;
        self.program.origins.push(Origin { call, parent });
        self.origin = OriginId(self.program.origins.len() as u32 - 1);
        parent
    }

    /// Where statements come from: the calls around them, and the source statement.
    pub fn place(&mut self) -> (OriginId, Span) {
        (self.origin, self.statement)
    }

    pub fn go_to(&mut self, (origin, statement): (OriginId, Span)) {
        self.origin = origin;
        self.statement = statement;
    }

    pub fn leave_call(&mut self, parent: OriginId) {
        self.origin = parent;
    }

    pub fn variable(
        &mut self,
        kind: VariableKind,
        name: &str,
        of: ScalarType,
        span: Span,
    ) -> VariableId {
        self.program.variables.push(Variable {
            name: name.into(),
            dtype: of.known(),
            kind,
            span,
            copy_of: None,
            assignments: 0,
            folded: None,
        });
        let id = VariableId(self.program.variables.len() as u32 - 1);
        self.program.scalars.declare(id, of);
        if kind == VariableKind::Param && of.or_float {
            self.typed_by.insert(id, vec![id]);
        }
        id
    }

    pub fn assign(&mut self, variable: VariableId, value: ScalarId) -> Result<(), TooLarge> {
        self.unset.remove(&variable);
        let declared = &mut self.program.variables[variable.index()];
        declared.assignments += 1;
        // What nothing can change later may be looked into.
        let kind = declared.kind;
        if kind == VariableKind::Temporary && self.is_lasting(value) {
            self.made_of.insert(variable, value);
        }
        let declared = &mut self.program.variables[variable.index()];
        if declared.dtype.is_none() && declared.assignments == 1 {
            let mut params = Vec::new();
            if self.collect_params(value, &mut params) {
                self.typed_by.insert(variable, params);
            }
        }
        self.emit(StmtKind::Assign { variable, value })
    }

    /// An expression divided by another one; `None` where that is not known to leave nothing.
    pub fn divided(&mut self, value: ScalarId, by: ScalarId) -> Option<ScalarId> {
        self.divided_within(value, by, MAX_DIVIDED)
    }

    fn divided_within(&mut self, value: ScalarId, by: ScalarId, depth: u32) -> Option<ScalarId> {
        let depth = depth.checked_sub(1)?;
        let scalars = &mut self.program.scalars;
        if value == by {
            return Some(scalars.int(1));
        }
        if let (Some(value), Some(by)) = (scalars.as_int(value), scalars.as_int(by)) {
            let is_whole = value.checked_rem(by)? == 0;
            return is_whole.then(|| scalars.int(value / by));
        }
        if scalars.as_int(by) == Some(1) {
            return Some(value);
        }
        match scalars.get(value) {
            Scalar::Variable(id) => {
                let made = *self.made_of.get(&id)?;
                self.divided_within(made, by, depth)
            }
            Scalar::Binary(BinaryOp::Mul, a, b) => {
                if let Some(rest) = self.divided_within(b, by, depth) {
                    return Some(self.binary(BinaryOp::Mul, a, rest));
                }
                if let Some(rest) = self.divided_within(a, by, depth) {
                    return Some(self.binary(BinaryOp::Mul, rest, b));
                }
                // `M * 64` of `M * 8`: one factor of the divisor after the other.
                match self.program.scalars.get(by) {
                    Scalar::Binary(BinaryOp::Mul, c, d) => {
                        let rest = self.divided_within(value, c, depth)?;
                        self.divided_within(rest, d, depth)
                    }
                    _ => None,
                }
            }
            Scalar::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let a = self.divided_within(a, by, depth)?;
                let b = self.divided_within(b, by, depth)?;
                Some(self.binary(op, a, b))
            }
            _ => None,
        }
    }

    /// The parameters that decide the type of a variable; nothing where its type is known, or follows
    /// from what is not.
    pub fn typed_by(&self, variable: VariableId) -> &[VariableId] {
        match self.typed_by.get(&variable) {
            Some(params) => params,
            None => &[],
        }
    }

    /// Adds the parameters that decide the type of an expression; `false` if something unknown does.
    fn collect_params(&self, value: ScalarId, params: &mut Vec<VariableId>) -> bool {
        if !self.type_of(value).or_float {
            return true;
        }
        match self.program.scalars.get(value) {
            Scalar::Variable(id) => {
                let own = self.typed_by(id);
                let new = own.iter().filter(|id| !params.contains(id)).copied();
                let new: Vec<VariableId> = new.collect();
                params.extend(new);
                !own.is_empty()
            }
            Scalar::Unary(_, a) => self.collect_params(a, params),
            Scalar::Binary(_, a, b) => {
                self.collect_params(a, params) && self.collect_params(b, params)
            }
            _ => false,
        }
    }

    /// Stores the current value of an expression, so that later changes of variables do not
    /// reach it. Constants and device queries stand for themselves.
    pub fn capture(&mut self, value: ScalarId) -> Result<ScalarId, TooLarge> {
        if self.is_fixed(value) {
            return Ok(value);
        }
        let span = self.statement;
        let of = self.type_of(value);
        let temporary = self.variable(VariableKind::Temporary, "", of, span);
        self.assign(temporary, value)?;
        Ok(self.program.scalars.intern(Scalar::Variable(temporary)))
    }

    /// Whether an expression has the same value wherever it is asked for in an iteration.
    fn is_lasting(&self, value: ScalarId) -> bool {
        match self.program.scalars.get(value) {
            Scalar::Variable(id) => self.program.variable(id).kind != VariableKind::Declared,
            Scalar::Binary(_, a, b) => self.is_lasting(a) && self.is_lasting(b),
            Scalar::Unary(_, a) => self.is_lasting(a),
            Scalar::Compare(..) => false,
            _ => true,
        }
    }

    fn is_fixed(&self, value: ScalarId) -> bool {
        match self.program.scalars.get(value) {
            Scalar::Int(_)
            | Scalar::Large(_)
            | Scalar::Float(_)
            | Scalar::Special(_)
            | Scalar::Extent(..)
            | Scalar::Unknown(_) => true,
            Scalar::Variable(id) => {
                let variable = self.program.variable(id);
                variable.kind == VariableKind::Temporary
            }
            Scalar::Unary(_, a) => self.is_fixed(a),
            Scalar::Binary(..) | Scalar::Compare(..) => false,
        }
    }

    pub fn int(&mut self, value: i64) -> ScalarId {
        self.program.scalars.int(value)
    }

    pub fn unknown(&mut self) -> ScalarId {
        self.program.scalars.unknown()
    }

    pub fn binary(&mut self, op: BinaryOp, a: ScalarId, b: ScalarId) -> ScalarId {
        self.program.scalars.binary(op, a, b)
    }

    pub fn compare(&mut self, op: CompareOp, a: ScalarId, b: ScalarId) -> ScalarId {
        self.program.scalars.compare(op, a, b)
    }

    /// The scalar a plain number or device variable stands for right now; an unknown for
    /// everything else.
    pub fn scalar(&mut self, value: &Value) -> ScalarId {
        match value {
            Value::Var(id) => {
                if self.unset.remove(id) {
                    let name = &self.program.variable(*id).name;
                    let message = format!("`{name}` is read before it has a value");
                    let span = self.statement;
                    let (exception, help) = ("E0301", None);
                    self.note(
                        span,
                        NoteKind::TraceError {
                            exception,
                            message,
                            help,
                        },
                    );
                }
                self.program.scalars.intern(Scalar::Variable(*id))
            }
            Value::Float(number) => self.program.scalars.float(*number),
            other => match other.as_int() {
                Some(number) => self.program.scalars.whole(number),
                None => self.unknown(),
            },
        }
    }

    /// The type that a variable has if it is made of an expression.
    pub fn type_of(&self, value: ScalarId) -> ScalarType {
        self.program
            .scalars
            .type_of(value)
            .unwrap_or(ScalarType::INT)
    }

    /// Type of the device scalar that a value is, or becomes.
    pub fn scalar_dtype(&self, value: &Value) -> Option<DType> {
        match value {
            Value::Var(id) => self.program.variable(*id).dtype,
            Value::Float(_) => Some(DType::Float),
            Value::Int(_) | Value::Bool(_) => Some(DType::Int),
            _ => None,
        }
    }

    pub fn add_buffer(&mut self, buffer: Buffer) -> BufferId {
        self.program.buffers.push(buffer);
        BufferId(self.program.buffers.len() as u32 - 1)
    }

    pub fn add_global(&mut self, global: Global) -> GlobalId {
        self.program.globals.push(global);
        GlobalId(self.program.globals.len() as u32 - 1)
    }

    pub fn add_event(&mut self, event: Event) -> EventId {
        self.program.events.push(event);
        EventId(self.program.events.len() as u32 - 1)
    }

    pub fn add_mutex(&mut self, mutex: Mutex) -> MutexId {
        self.program.mutexes.push(mutex);
        MutexId(self.program.mutexes.len() as u32 - 1)
    }

    /// The whole of one slot of a buffer.
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
            transposed: false,
            sliced: false,
            site,
        }
    }
}

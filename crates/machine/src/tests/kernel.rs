//! A small builder of programs.

use crate::{Bindings, BoundLaunch, Contents, NullObserver, Observer, Options, Outcome, simulate};
use a2lint_ir::{
    Arg, ArgSource, ArgValue, AtomicKind, BinaryOp, Branch, Buffer, BufferId, Event, EventId,
    Global, GlobalAxis, GlobalId, GlobalKind, GlobalView, HandOut, Instr, LocalView, Mutex,
    MutexId, MutexKind, Param, ParamKind, Program, Scalar, ScalarId, SpecialScalar, Stmt, StmtId,
    StmtKind, Variable, VariableId, VariableKind, View,
};
use a2lint_isa::{
    self as isa, DType, DefaultValue, Layout, Opcode, Pipe, Position, RepeatFrom, StrideRule,
    infer_strides,
};
use a2lint_source::text::Span;

/// A program under construction.
#[derive(Default)]
pub struct Kernel {
    pub program: Program,
    pub bindings: Bindings,
    blocks: Vec<Vec<Stmt>>,
}

/// An argument by value or by name.
pub enum Given {
    Value(ArgValue),
    Named(&'static str, ArgValue),
}

impl From<LocalView> for Given {
    fn from(view: LocalView) -> Given {
        Given::Value(ArgValue::View(Box::new(View::Local(view))))
    }
}

impl From<GlobalView> for Given {
    fn from(view: GlobalView) -> Given {
        Given::Value(ArgValue::View(Box::new(View::Global(view))))
    }
}

impl From<ScalarId> for Given {
    fn from(id: ScalarId) -> Given {
        Given::Value(ArgValue::Scalar(id))
    }
}

impl From<ArgValue> for Given {
    fn from(value: ArgValue) -> Given {
        Given::Value(value)
    }
}

/// Returns a named argument.
pub fn named(name: &'static str, value: impl Into<Given>) -> Given {
    match value.into() {
        Given::Value(value) | Given::Named(_, value) => Given::Named(name, value),
    }
}

impl Kernel {
    pub fn new() -> Kernel {
        let program = Program {
            name: "k".into(),
            ..Program::default()
        };
        let mut kernel = Kernel {
            program,
            blocks: vec![Vec::new()],
            bindings: Bindings::default(),
        };
        kernel.bindings.cores = Some(1);
        kernel
    }

    pub fn int(&mut self, value: i64) -> ScalarId {
        self.program.scalars.int(value)
    }

    pub fn float(&mut self, value: f64) -> ScalarId {
        self.program.scalars.float(value)
    }

    pub fn special(&mut self, special: SpecialScalar) -> ScalarId {
        self.program.scalars.intern(Scalar::Special(special))
    }

    pub fn value(&mut self, variable: VariableId) -> ScalarId {
        self.program.scalars.intern(Scalar::Variable(variable))
    }

    pub fn op(&mut self, op: BinaryOp, a: ScalarId, b: ScalarId) -> ScalarId {
        self.program.scalars.binary(op, a, b)
    }

    pub fn variable(&mut self, name: &str, dtype: DType, kind: VariableKind) -> VariableId {
        self.program.variables.push(Variable {
            name: name.into(),
            dtype: Some(dtype),
            kind,
            span: Span::default(),
            copy_of: None,
            assignments: u32::from(kind != VariableKind::Param),
            folded: None,
        });
        VariableId(self.program.variables.len() as u32 - 1)
    }

    /// Returns a scalar parameter.
    pub fn param(&mut self, name: &str, dtype: DType) -> ScalarId {
        let id = self.variable(name, dtype, VariableKind::Param);
        let kind = ParamKind::Variable(id);
        self.program.params.push(Param {
            name: name.into(),
            span: Span::default(),
            kind,
            annotated: true,
        });
        self.value(id)
    }

    /// Returns a tensor parameter with constant extents.
    pub fn global(&mut self, name: &str, dtype: DType, shape: &[i64]) -> GlobalId {
        let id = self.add_global(name, dtype, shape, GlobalKind::Param);
        let kind = ParamKind::Global(id);
        self.program.params.push(Param {
            name: name.into(),
            span: Span::default(),
            kind,
            annotated: true,
        });
        id
    }

    /// Returns a returned tensor parameter.
    pub fn output(&mut self, name: &str, dtype: DType, shape: &[i64]) -> GlobalId {
        let id = self.global(name, dtype, shape);
        self.program.outputs.push(id);
        id
    }

    pub fn workspace(&mut self, name: &str, dtype: DType, shape: &[i64]) -> GlobalId {
        self.add_global(name, dtype, shape, GlobalKind::Workspace)
    }

    fn add_global(
        &mut self,
        name: &str,
        dtype: DType,
        shape: &[i64],
        kind: GlobalKind,
    ) -> GlobalId {
        let shape = shape.iter().map(|&extent| self.int(extent)).collect();
        self.program.globals.push(Global {
            name: name.into(),
            dtype: Some(dtype),
            shape,
            kind,
            span: Span::default(),
            mutex: None,
            ring: None,
        });
        GlobalId(self.program.globals.len() as u32 - 1)
    }

    /// Contents of an input as floats.
    pub fn bind_floats(&mut self, name: &str, values: &[f32]) {
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.bindings
            .contents
            .push((name.into(), Contents::Bytes(bytes.into())));
    }

    pub fn buffer(
        &mut self,
        name: &str,
        dtype: DType,
        shape: [i64; 2],
        position: Position,
        slots: u32,
    ) -> BufferId {
        let shape = shape.map(|extent| self.int(extent));
        self.program.buffers.push(Buffer {
            name: name.into(),
            dtype,
            shape,
            static_shape: [true; 2],
            position,
            slots,
            layout: Layout::Nz,
            span: Span::default(),
            nested: false,
            handed: HandOut::default(),
        });
        BufferId(self.program.buffers.len() as u32 - 1)
    }

    /// Returns a UB tensor and the view of all of it.
    pub fn ub(&mut self, name: &str, dtype: DType, shape: [i64; 2]) -> LocalView {
        let buffer = self.buffer(name, dtype, shape, Position::Ub, 1);
        self.whole(buffer)
    }

    /// Returns a view of slot 0.
    pub fn whole(&mut self, buffer: BufferId) -> LocalView {
        let slot = self.int(0);
        self.slot(buffer, slot)
    }

    pub fn slot(&mut self, id: BufferId, slot: ScalarId) -> LocalView {
        let zero = self.int(0);
        let buffer = &self.program.buffers[id.index()];
        LocalView {
            buffer: id,
            slot,
            index: None,
            dtype: buffer.dtype,
            shape: buffer.shape,
            offset: [zero; 2],
            span: buffer.shape,
            static_span: [true; 2],
            end: None,
            transposed: false,
            sliced: false,
            site: Span::default(),
        }
    }

    /// Returns the rows `a..a+b`, columns `c..c+d` of a view, as `[(a, b), (c, d)]`.
    pub fn slice(&mut self, view: &LocalView, ranges: [(i64, i64); 2]) -> LocalView {
        let mut view = view.clone();
        view.offset = ranges.map(|(start, _)| self.int(start));
        view.span = ranges.map(|(_, span)| self.int(span));
        view.sliced = true;
        view
    }

    /// Returns a window on a global tensor: start and span of every axis, all of them slices.
    pub fn window(&mut self, id: GlobalId, ranges: &[(ScalarId, ScalarId)]) -> GlobalView {
        let shape = self.program.globals[id.index()].shape.clone();
        let axis = |(&(start, span), extent)| GlobalAxis {
            extent,
            start,
            span,
            is_slice: true,
            static_span: true,
        };
        let axes = ranges.iter().zip(shape).map(axis).collect();
        GlobalView {
            global: id,
            axes,
            sliced: true,
            transposed: false,
            site: Span::default(),
        }
    }

    /// Returns a window with constant bounds.
    pub fn fixed_window(&mut self, id: GlobalId, ranges: &[(i64, i64)]) -> GlobalView {
        let ranges: Vec<_> = ranges
            .iter()
            .map(|&(start, span)| (self.int(start), self.int(span)))
            .collect();
        self.window(id, &ranges)
    }

    pub fn statement(&mut self, kind: StmtKind) -> StmtId {
        let id = StmtId(self.program.stmt_count);
        self.program.stmt_count += 1;
        let stmt = Stmt {
            id,
            span: Span::default(),
            origin: a2lint_ir::OriginId(0),
            kind,
        };
        self.blocks.last_mut().unwrap().push(stmt);
        id
    }

    /// Returns a statement with nested statements; its number follows theirs.
    pub fn nested(
        &mut self,
        body: impl FnOnce(&mut Kernel),
        kind: impl FnOnce(Vec<Stmt>) -> StmtKind,
    ) {
        self.blocks.push(Vec::new());
        body(self);
        let block = self.blocks.pop().unwrap();
        self.statement(kind(block));
    }

    pub fn repeat(
        &mut self,
        [start, stop, step]: [ScalarId; 3],
        body: impl FnOnce(&mut Kernel, ScalarId),
    ) {
        let variable = self.variable("i", DType::Int, VariableKind::Loop);
        let counter = self.value(variable);
        self.nested(
            |kernel| body(kernel, counter),
            |body| StmtKind::Loop {
                variable,
                start,
                stop,
                step,
                body,
            },
        );
    }

    /// A loop from 0 to a constant.
    pub fn times(&mut self, count: i64, body: impl FnOnce(&mut Kernel, ScalarId)) {
        let bounds = [0, count, 1].map(|value| self.int(value));
        self.repeat(bounds, body);
    }

    pub fn when(&mut self, condition: ScalarId, body: impl FnOnce(&mut Kernel)) {
        self.nested(body, |body| StmtKind::If {
            arms: vec![Branch {
                condition,
                condition_span: Span::default(),
                body,
            }],
            otherwise: Vec::new(),
        });
    }

    pub fn atomic(&mut self, kind: AtomicKind, body: impl FnOnce(&mut Kernel)) {
        self.nested(body, |body| StmtKind::Atomic { kind, body });
    }

    pub fn assign(&mut self, variable: VariableId, value: ScalarId) {
        self.statement(StmtKind::Assign { variable, value });
    }

    pub fn event(&mut self, src: Pipe, dst: Pipe, ids: u32, preset: bool) -> ArgValue {
        let id = EventId(self.program.events.len() as u32);
        self.program.events.push(Event {
            name: format!("e{}", id.0).into(),
            ids,
            src: Some(src),
            dst: Some(dst),
            preset,
            span: Span::default(),
            queue: None,
        });
        ArgValue::Event(id)
    }

    pub fn mutex(&mut self, kind: MutexKind, flag: i64, depth: i64) -> ArgValue {
        let id = MutexId(self.program.mutexes.len() as u32);
        self.program.mutexes.push(Mutex {
            name: format!("m{flag}").into(),
            kind,
            flag_id: Some(flag),
            depth: Some(depth),
            src_start: Pipe::S,
            dst_start: Pipe::S,
            src_end: if kind == MutexKind::CubeToVec {
                Pipe::Fix
            } else {
                Pipe::Mte3
            },
            dst_end: if kind == MutexKind::CubeToVec {
                Pipe::Mte2
            } else {
                Pipe::Fix
            },
            pipe_spans: [None; 4],
            span: Span::default(),
        });
        ArgValue::Mutex(id)
    }

    /// Returns an instruction without arguments but its receiver.
    pub fn method(&mut self, opcode: Opcode, receiver: &ArgValue) -> StmtId {
        self.instr(opcode, [receiver.clone().into()])
    }

    /// Returns an instruction; what is not given is inferred or filled from defaults.
    pub fn instr(&mut self, opcode: Opcode, given: impl IntoIterator<Item = Given>) -> StmtId {
        let row = opcode.row();
        let mut args: Vec<Arg> = row
            .params()
            .map(|param| self.fallback(param.default))
            .collect();
        for (position, given) in given.into_iter().enumerate() {
            let (index, value) = match given {
                Given::Value(value) => (position, value),
                Given::Named(name, value) => (row.index_named(name).unwrap(), value),
            };
            args[index] = Arg {
                value,
                source: ArgSource::Given(Span::default()),
            };
        }
        let mut instr = Instr {
            opcode,
            args,
            name_span: Span::default(),
            explicit: true,
            called: None,
            asked: None,
        };
        self.infer(&mut instr);
        self.statement(StmtKind::Instr(instr))
    }

    fn fallback(&mut self, default: DefaultValue) -> Arg {
        Arg {
            value: ArgValue::of_default(default, &mut self.program.scalars),
            source: ArgSource::Default,
        }
    }

    /// Repeats and strides of vector instructions with constant views.
    fn infer(&mut self, instr: &mut Instr) {
        let row = instr.row();
        let operand = match row.repeat {
            RepeatFrom::Operand(index) | RepeatFrom::Wider(index) => Some(index),
            _ => None,
        };
        for (index, param) in row.params().enumerate() {
            if instr.args[index].value != ArgValue::None {
                continue;
            }
            let value = match param.kind {
                isa::ParamKind::Repeat => operand.and_then(|of| self.repeats(instr, of)),
                isa::ParamKind::BlockStride(of) => self.strides(instr, of).map(|pair| pair.0),
                isa::ParamKind::RepeatStride(of) => self.strides(instr, of).map(|pair| pair.1),
                _ => None,
            };
            if let Some(value) = value {
                let value = ArgValue::Scalar(self.int(value));
                instr.args[index] = Arg {
                    value,
                    source: ArgSource::Inferred,
                };
            }
        }
    }

    fn repeats(&self, instr: &Instr, operand: usize) -> Option<i64> {
        let view = instr.local(operand)?;
        let [rows, columns] = self.program.constant_pair(view.span)?;
        let lanes = match instr.row().repeat {
            RepeatFrom::Wider(_) => view.dtype.lanes().min(instr.local(1)?.dtype.lanes()),
            _ => view.dtype.lanes(),
        };
        Some((rows * columns + lanes - 1) / lanes)
    }

    fn strides(&self, instr: &Instr, operand: usize) -> Option<(i64, i64)> {
        let view = instr.local(operand)?;
        let [rows, columns] = self.program.constant_pair(view.span)?;
        let pitch = self.program.scalars.as_int(view.shape[1]);
        let (block, repeat) = infer_strides(view.dtype, Some(rows), Some(columns), pitch);
        match instr.row().strides {
            StrideRule::Cast => {
                let widest = instr
                    .local(0)?
                    .dtype
                    .bits()
                    .max(instr.local(1)?.dtype.bits());
                Some((block, 8 * view.dtype.bits() / widest))
            }
            _ => Some((block, repeat?)),
        }
    }

    /// Closes the program.
    pub fn finish(&mut self) -> BoundLaunch {
        self.program.body = self.blocks.pop().unwrap().into();
        BoundLaunch::bind(
            &self.program,
            None,
            &[],
            &self.bindings,
            a2lint_isa::device::Device::default(),
            1 << 32,
        )
        .unwrap()
    }

    /// Runs the program unwatched.
    pub fn run(&mut self) -> Outcome {
        self.run_with(&Options::default(), &mut NullObserver)
    }

    pub fn run_with(&mut self, options: &Options, observer: &mut dyn Observer) -> Outcome {
        let launch = self.finish();
        simulate(&self.program, &launch, options, observer)
    }
}

/// Returns the elements of a global tensor as floats.
pub fn floats(outcome: &Outcome, id: GlobalId) -> Vec<f32> {
    let memory = &outcome.globals[id.index()];
    let mut values = vec![0.0; memory.capacity() / 4];
    memory.read(0, &mut values);
    values
}

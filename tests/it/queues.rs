//! Queues of buffers as AscendC has them: per queue, an event for buffers that are full and one for those that are
//! free, with an id for each buffer.

use a2lint::analysis::KernelFacts;
use a2lint::device::Device;
use a2lint::ir::build::{Argument, Builder, Call, Region};
use a2lint::ir::toolchain::{ASCENDC, ASCENDC_MANUAL};
use a2lint::ir::{
    ArgValue, BinaryOp, Buffer, BufferId, Event, EventId, Global, GlobalAxis, GlobalId, GlobalKind,
    GlobalView, LocalView, Number, Param, ParamKind, Program, ScalarId, ScalarType, Toolchain,
    VariableId, VariableKind, View,
};
use a2lint::isa::{DType, Dialect, Layout, Opcode, Pipe, Position, RepeatRounding, Side};
use a2lint::machine::hazards::Tracker;
use a2lint::machine::{Bindings, BoundLaunch, End, Options, simulate};
use a2lint::prove::{Proof, Proofs};
use a2lint::text::Span;
use a2lint::verdict::Property;

const NOWHERE: Span = Span { start: 0, end: 0 };
const COLUMNS: i64 = 64;

/// A queue of buffers: who fills them, who empties them, and the number of the next one.
#[derive(Clone, Copy)]
struct Queue {
    buffer: BufferId,
    full: EventId,
    free: EventId,
    cursor: VariableId,
}

/// A call that an author has forgotten.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Forgotten {
    Nothing,
    EnQue,
    FreeTensor,
}

struct Kernel {
    builder: Builder,
    rows: ScalarId,
}

impl Kernel {
    fn new(toolchain: &'static Toolchain) -> Self {
        let spans = (NOWHERE, NOWHERE);
        let mut builder = Builder::new("scale".into(), spans, toolchain, RepeatRounding::Up);
        builder.program.dialect = Dialect::AscendC;
        builder.program.vec_only = true;
        let int = ScalarType::of(DType::Int);
        let rows = builder.variable(VariableKind::Param, "rows", int, NOWHERE);
        let param = |name: &str, kind| Param {
            name: name.to_owned().into(),
            span: NOWHERE,
            kind,
            annotated: true,
        };
        let of_rows = param("rows", ParamKind::Variable(rows));
        builder.program.params.push(of_rows);
        let rows = builder.read(rows);
        let columns = builder.int(COLUMNS);
        for name in ["x", "y"] {
            let global = builder.add_global(Global {
                name: name.to_owned().into(),
                dtype: Some(DType::Float),
                shape: vec![rows, columns],
                kind: GlobalKind::Param,
                span: NOWHERE,
                mutex: None,
                ring: None,
            });
            let of_global = param(name, ParamKind::Global(global));
            builder.program.params.push(of_global);
        }
        Kernel { builder, rows }
    }

    fn queue(&mut self, name: &str, buffers: u32, [from, to]: [Pipe; 2]) -> Queue {
        let shape = [1, COLUMNS].map(|extent| self.builder.int(extent));
        let buffer = self.builder.add_buffer(Buffer {
            name: name.to_owned().into(),
            dtype: DType::Float,
            shape,
            static_shape: [true, true],
            position: Position::Ub,
            slots: buffers,
            layout: Layout::Nd,
            span: NOWHERE,
            nested: false,
            handed: a2lint::ir::HandOut::default(),
        });
        let mut event = |src, dst, preset| {
            self.builder.add_event(Event {
                name: name.to_owned().into(),
                ids: buffers,
                src: Some(src),
                dst: Some(dst),
                preset,
                span: NOWHERE,
                queue: None,
            })
        };
        let (full, free) = (event(from, to, false), event(to, from, true));
        let zero = self.builder.int(0);
        let cursor = self
            .builder
            .declare("", ScalarType::INT, Some(zero), NOWHERE);
        Queue {
            buffer,
            full,
            free,
            cursor: cursor.expect("a small program"),
        }
    }

    /// The buffer whose turn it is.
    fn tile(&mut self, queue: Queue) -> LocalView {
        let slot = self.builder.read(queue.cursor);
        self.builder.whole(queue.buffer, slot, NOWHERE)
    }

    fn advance(&mut self, queue: Queue) {
        let (now, one) = (self.builder.read(queue.cursor), self.builder.int(1));
        let next = self.builder.binary(BinaryOp::Add, now, one);
        self.builder
            .assign(queue.cursor, next)
            .expect("a small program");
    }

    fn row(&mut self, global: u32, row: ScalarId) -> Argument {
        let [zero, one, columns] = [0, 1, COLUMNS].map(|number| self.builder.int(number));
        let axis = |extent, start, span| GlobalAxis {
            extent,
            start,
            span,
            is_slice: true,
            static_span: true,
        };
        Argument::View(Box::new(View::Global(GlobalView {
            global: GlobalId(global),
            axes: vec![axis(self.rows, row, one), axis(columns, zero, columns)],
            sliced: true,
            transposed: false,
            site: NOWHERE,
        })))
    }

    fn call(&mut self, opcode: Opcode, receiver: Option<EventId>, arguments: Vec<Argument>) {
        let signature = self.builder.program.signature(opcode);
        let skipped = usize::from(receiver.is_some());
        let mut given: Vec<_> = vec![None; opcode.row().params().count()];
        for (at, argument) in arguments.into_iter().enumerate() {
            given[skipped + at] = Some((argument, NOWHERE));
        }
        let call = Call {
            opcode,
            signature,
            receiver: receiver.map(ArgValue::Event),
            arguments: given,
            name_span: NOWHERE,
            explicit: true,
        };
        let bound = self.builder.bind(call).expect("a small program");
        assert!(bound.misfits.is_empty(), "{:?}", bound.misfits);
        assert_eq!(self.builder.instruction(bound.instr), Ok(None));
    }

    fn set(&mut self, event: EventId) {
        self.call(Opcode::EventSet, Some(event), Vec::new());
    }

    fn wait(&mut self, event: EventId) {
        self.call(Opcode::EventWait, Some(event), Vec::new());
    }
}

fn local(view: &LocalView) -> Argument {
    Argument::View(Box::new(View::Local(view.clone())))
}

/// Builds a kernel that writes each row of `x`, multiplied by 2, to `y`, through two queues of `buffers` buffers each;
/// `forgotten` is the call that is left out.
fn pipeline(toolchain: &'static Toolchain, buffers: u32, forgotten: Forgotten) -> Program {
    let mut k = Kernel::new(toolchain);
    let input = k.queue("inQueueX", buffers, [Pipe::Mte2, Pipe::V]);
    let output = k.queue("outQueueY", buffers, [Pipe::V, Pipe::Mte3]);
    k.builder.open_block();
    let [zero, one] = [0, 1].map(|number| k.builder.int(number));
    let bounds = [zero, k.rows, one];
    let open = k.builder.open_loop("i", NOWHERE, bounds);
    let row = k.builder.read(open.counter());
    // CopyIn.
    k.wait(input.free);
    let x = k.tile(input);
    let from = k.row(0, row);
    k.call(Opcode::GmToUbPad, None, vec![local(&x), from]);
    if forgotten != Forgotten::EnQue {
        k.set(input.full);
    }
    // Compute.
    if forgotten != Forgotten::EnQue {
        k.wait(input.full);
    }
    k.wait(output.free);
    let y = k.tile(output);
    let two = Argument::Number(Number::Float(2.0));
    k.call(Opcode::Muls, None, vec![local(&y), local(&x), two]);
    k.set(output.full);
    if forgotten != Forgotten::FreeTensor {
        k.set(input.free);
    }
    k.advance(input);
    // CopyOut.
    k.wait(output.full);
    let to = k.row(1, row);
    k.call(Opcode::UbToGmPad, None, vec![to, local(&y)]);
    k.set(output.free);
    k.advance(output);
    k.builder.close_loop(open).expect("a small program");
    let body = k.builder.close_block();
    let side = Region::Scope(Side::Vec);
    k.builder.open_block();
    k.builder.region(side, body).expect("a small program");
    let body = k.builder.close_block();
    k.builder
        .region(Region::AutoSync, body)
        .expect("a small program");
    k.builder.finish()
}

fn proved(program: &Program) -> [Proof; 2] {
    let facts = KernelFacts::of(program);
    let proofs = Proofs::of(&facts, std::iter::empty());
    [Property::Order, Property::Progress].map(|property| proofs.get(property).clone())
}

/// How a run with seven rows ends, and the number of hazards in it.
fn run(program: &Program) -> (End, usize) {
    let shape = |name: &str| (name.to_owned(), vec![7, COLUMNS]);
    let bindings = Bindings {
        scalars: vec![("rows".to_owned(), 7.0)],
        shapes: vec![shape("x"), shape("y")],
        cores: Some(1),
        ..Bindings::default()
    };
    let bound = BoundLaunch::bind(program, None, &[], &bindings, Device::default(), 1 << 20);
    let bound = bound.expect("a launch");
    let mut tracker = Tracker::new(program, bound.cores);
    let outcome = simulate(program, &bound, &Options::default(), &mut tracker);
    assert!(outcome.illegal.is_empty(), "{:?}", outcome.illegal);
    (outcome.end, tracker.finish().len())
}

fn holds(proof: &Proof) -> bool {
    matches!(proof, Proof::Holds { .. })
}

#[test]
fn a_pipeline_through_two_queues_is_in_order_and_ends() {
    for toolchain in [&ASCENDC, &ASCENDC_MANUAL] {
        for buffers in [1, 2, 4, 8] {
            let program = pipeline(toolchain, buffers, Forgotten::Nothing);
            let proofs = proved(&program);
            assert!(proofs.iter().all(holds), "{buffers} buffers: {proofs:?}");
            assert_eq!(run(&program), (End::Finished, 0), "{buffers} buffers");
        }
    }
}

#[test]
fn a_buffer_that_is_never_freed_stops_the_kernel() {
    for buffers in [1, 2] {
        let program = pipeline(&ASCENDC, buffers, Forgotten::FreeTensor);
        let [_, progress] = proved(&program);
        assert!(!holds(&progress), "{buffers} buffers: {progress:?}");
        assert!(matches!(run(&program).0, End::Deadlock(_)));
    }
}

#[test]
fn a_buffer_that_is_handed_on_without_an_event_is_a_race() {
    let program = pipeline(&ASCENDC, 2, Forgotten::EnQue);
    let [order, progress] = proved(&program);
    assert!(!holds(&order), "{order:?}");
    assert!(holds(&progress), "{progress:?}");
    assert!(run(&program).1 > 0);
}

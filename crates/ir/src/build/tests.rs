//! A program that is built by hand, as a front end would build it.

use super::*;
use crate::toolchain::EASYASC;
use crate::{
    Branch, Buffer, CompareOp, Global, GlobalAxis, GlobalId, GlobalKind, GlobalView, HandOut,
    LocalView, Number, Param, ParamKind, Program, Scalar, ScalarId, ScalarType, VariableKind, View,
    print,
};
use a2lint_isa::{DType, Layout, Opcode, Place, Position, RepeatRounding, Side};
use a2lint_source::text::Span;

const NOWHERE: Span = Span { start: 0, end: 0 };

/// A front end of no language.
struct Kernel {
    builder: Builder,
    rows: ScalarId,
}

impl Kernel {
    fn new() -> Self {
        let spans = (NOWHERE, NOWHERE);
        let mut builder = Builder::new("scale".into(), spans, &EASYASC, RepeatRounding::Up);
        let int = ScalarType::of(DType::Int);
        let rows = builder.variable(VariableKind::Param, "rows", int, NOWHERE);
        builder.program.params.push(Param {
            name: "rows".to_owned().into(),
            span: NOWHERE,
            kind: ParamKind::Variable(rows),
            annotated: true,
        });
        let rows = builder.read(rows);
        Kernel { builder, rows }
    }

    /// Returns a parameter of `rows` rows with 64 elements each.
    fn global(&mut self, name: &str) -> GlobalId {
        let columns = self.builder.int(64);
        let global = self.builder.add_global(Global {
            name: name.to_owned().into(),
            dtype: Some(DType::Float),
            shape: vec![self.rows, columns],
            kind: GlobalKind::Param,
            span: NOWHERE,
            mutex: None,
            ring: None,
        });
        self.builder.program.params.push(Param {
            name: name.to_owned().into(),
            span: NOWHERE,
            kind: ParamKind::Global(global),
            annotated: true,
        });
        global
    }

    /// Returns one row of a parameter.
    fn row(&mut self, global: GlobalId, row: ScalarId) -> Argument {
        let [zero, one, columns] = [0, 1, 64].map(|number| self.builder.int(number));
        let axis = |extent, start, span| GlobalAxis {
            extent,
            start,
            span,
            is_slice: true,
            static_span: true,
        };
        let view = GlobalView {
            global,
            axes: vec![axis(self.rows, row, one), axis(columns, zero, columns)],
            sliced: true,
            transposed: false,
            site: NOWHERE,
        };
        Argument::View(Box::new(View::Global(view)))
    }

    /// Returns a row of 64 floats in UB.
    fn tile(&mut self, name: &str) -> LocalView {
        let shape = [1, 64].map(|extent| self.builder.int(extent));
        let buffer = self.builder.add_buffer(Buffer {
            name: name.to_owned().into(),
            dtype: DType::Float,
            shape,
            static_shape: [true, true],
            position: Position::Ub,
            slots: 1,
            layout: Layout::Nz,
            span: NOWHERE,
            nested: false,
            handed: HandOut::default(),
        });
        let zero = self.builder.int(0);
        self.builder.whole(buffer, zero, NOWHERE)
    }

    /// Emits a call with positional arguments.
    fn call(&mut self, opcode: Opcode, arguments: Vec<Argument>) -> Result<(), Vec<Misfit>> {
        let signature = self.builder.program.signature(opcode);
        let slots = distribute(signature, arguments.len(), []).expect("enough arguments");
        let argument = |slot: Option<Given>| match slot? {
            Given::Position(at) => Some((arguments[at].clone(), NOWHERE)),
            Given::Named(_) => None,
        };
        let call = Call {
            opcode,
            signature,
            receiver: None,
            arguments: slots.into_iter().map(argument).collect(),
            name_span: NOWHERE,
            explicit: true,
        };
        let bound = self.builder.bind(call).expect("a small program");
        if !bound.misfits.is_empty() {
            return Err(bound.misfits);
        }
        let replaced = self.builder.instruction(bound.instr);
        assert_eq!(replaced, Ok(None));
        Ok(())
    }
}

fn local(view: &LocalView) -> Argument {
    Argument::View(Box::new(View::Local(view.clone())))
}

fn text(program: &Program) -> String {
    print(program, |_| "1".to_owned())
}

/// Each row of `x`, twice, goes to `y`.
#[test]
fn a_loop_that_loads_computes_and_stores() {
    let mut kernel = Kernel::new();
    let (x, y) = (kernel.global("x"), kernel.global("y"));
    let tile = kernel.tile("tile");
    let [zero, one] = [0, 1].map(|number| kernel.builder.int(number));
    kernel.builder.open_block();
    let open = kernel
        .builder
        .open_loop("i", NOWHERE, [zero, kernel.rows, one]);
    let row = kernel.builder.read(open.counter());
    let (from, to) = (kernel.row(x, row), kernel.row(y, row));
    let two = Argument::Number(Number::Float(2.0));
    assert_eq!(
        [
            kernel.call(Opcode::GmToUbPad, vec![local(&tile), from]),
            kernel.call(Opcode::Muls, vec![local(&tile), local(&tile), two]),
            kernel.call(Opcode::UbToGmPad, vec![to, local(&tile)]),
        ],
        [Ok(()), Ok(()), Ok(())]
    );
    assert_eq!(kernel.builder.close_loop(open), Ok(()));
    let body = kernel.builder.close_block();
    let region = Region::Scope(Side::Vec);
    assert_eq!(kernel.builder.region(region, body), Ok(()));
    let program = kernel.builder.finish();
    let expected = "\
kernel scale(rows, x, y)
  tile float [1, 64] in UB
    1   vec scope
    1     for i in range(0, rows, 1)
    1       gm_to_ub_pad dst=tile src=x[i +: 1, 0 +: 64] n_burst=1 burst_len_element=64 \
src_stride_element=0 dst_stride=0
    1       muls dst=tile src=tile val=2.0 repeat=1 dst_blk_stride=1 src_blk_stride=1 dst_rep_stride=0 src_rep_stride=0
    1       ub_to_gm_pad dst=y[i +: 1, 0 +: 64] src=tile n_burst=1 burst_len_element=64 src_stride=0 \
dst_stride_element=0
";
    assert_eq!(text(&program), expected);
    assert!(program.unknown.is_empty() && program.notes.is_empty());
}

/// Temporaries give way to what they hold, and a condition guards a block.
#[test]
fn a_guard_over_a_captured_expression() {
    let mut kernel = Kernel::new();
    let y = kernel.global("y");
    let tile = kernel.tile("tile");
    let builder = &mut kernel.builder;
    let one = builder.int(1);
    let last = builder.binary(crate::BinaryOp::Sub, kernel.rows, one);
    let last = builder.capture(last).expect("a small program");
    let condition = builder.compare(CompareOp::Gt, last, one);
    builder.open_device_block();
    let to = kernel.row(y, last);
    assert_eq!(
        kernel.call(Opcode::UbToGmPad, vec![to, local(&tile)]),
        Ok(())
    );
    let body = kernel.builder.close_device_block();
    let first = Branch {
        condition,
        condition_span: NOWHERE,
        body,
    };
    assert_eq!(kernel.builder.branch(first, Vec::new()), Ok(()));
    let expected = "\
kernel scale(rows, y)
  tile float [1, 64] in UB
    1   if rows - 1 > 1
    1     ub_to_gm_pad dst=y[rows - 1 +: 1, 0 +: 64] src=tile n_burst=1 burst_len_element=64 src_stride=0 \
dst_stride_element=0
";
    assert_eq!(text(&kernel.builder.finish()), expected);
}

#[test]
fn what_does_not_fit_is_told_by_parameter() {
    let mut kernel = Kernel::new();
    let x = kernel.global("x");
    let row = kernel.builder.int(0);
    let (from, tile) = (kernel.row(x, row), kernel.tile("tile"));
    let faults = |misfits: Result<(), Vec<Misfit>>| -> Vec<(usize, Fault)> {
        let misfits = misfits.expect_err("it does not fit");
        misfits.iter().map(|it| (it.at, it.fault)).collect()
    };
    let two = Argument::Number(Number::Int(2));
    let ub: &[Place] = &[Place::UB];
    assert_eq!(
        faults(kernel.call(Opcode::Muls, vec![from, local(&tile), local(&tile)])),
        [
            (0, Fault::Place(Place::Gm, ub)),
            (2, Fault::Kind(Wanted::Scalar))
        ]
    );
    assert_eq!(
        faults(kernel.call(Opcode::Muls, vec![two.clone(), local(&tile), two.clone()])),
        [(0, Fault::Kind(Wanted::View(ub)))]
    );
    let unset = kernel
        .builder
        .declare("v", ScalarType::INT, None, NOWHERE)
        .expect("a small program");
    let unset_value = Argument::Variable(unset);
    assert_eq!(
        faults(kernel.call(Opcode::Muls, vec![local(&tile), local(&tile), unset_value])),
        [(2, Fault::Unset(unset))]
    );
    let signature = kernel.builder.program.signature(Opcode::Muls);
    assert_eq!(distribute(signature, 2, []), Err(CallFault::Missing("val")));
    assert_eq!(
        distribute(signature, 3, ["nothing"]),
        Err(CallFault::NoSuchParameter(0))
    );
}

#[test]
fn a_checkpoint_takes_back_what_was_built_since() {
    let mut kernel = Kernel::new();
    let int = ScalarType::of(DType::Int);
    let builder = &mut kernel.builder;
    let one = builder.int(1);
    let kept = builder
        .declare("kept", int, Some(one), NOWHERE)
        .expect("it is small");
    let checkpoint = builder.checkpoint();
    let before = builder.program.variables.len();
    let open = builder.open_loop_of(int, "i", NOWHERE, [one, one, one]);
    let counter = builder.read(open.counter());
    builder.assign(kept, counter).expect("it is small");
    builder
        .declare("gone", int, Some(counter), NOWHERE)
        .expect("it is small");
    builder.note_unknown(NOWHERE, "something".to_owned());
    // The loop is still open: its block is closed as well.
    let _ = open;
    builder.roll_back(&checkpoint);
    assert_eq!(builder.device_depth(), 0);
    assert_eq!(builder.program.variables.len(), before);
    assert_eq!(builder.program.variable(kept).assignments, 1);
    assert!(builder.program.unknown.is_empty());
    assert_eq!(builder.innermost_block().len(), 1);
}

#[test]
fn a_finished_program_has_no_scalars_of_what_was_taken_back() {
    let mut kernel = Kernel::new();
    let y = kernel.global("y");
    let row = kernel.builder.int(7);
    let (to, tile) = (kernel.row(y, row), kernel.tile("tile"));
    let checkpoint = kernel.builder.checkpoint();
    let far = kernel.builder.int(123_456);
    let far = kernel.row(y, far);
    let call = |kernel: &mut Kernel, to: Argument| {
        let called = kernel.call(Opcode::UbToGmPad, vec![to, local(&tile)]);
        called.expect("it fits");
    };
    call(&mut kernel, far);
    kernel.builder.roll_back(&checkpoint);
    call(&mut kernel, to);
    let program = kernel.builder.finish();
    let numbers = || program.scalars.nodes();
    assert!(numbers().any(|it| it == Scalar::Int(7)));
    assert!(numbers().all(|it| it != Scalar::Int(123_456)));
    // The references were renumbered: the printed program still names row 7.
    assert!(text(&program).contains("dst=y[7 +: 1, 0 +: 64]"));
}

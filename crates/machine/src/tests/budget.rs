use super::kernel::Kernel;
use crate::{Bindings, BoundLaunch, Budget, End, LaunchError, Observer, Options, Value};
use a2lint_ir::{Launch, LaunchOrigin, LaunchTensor, Passing, StmtKind, TensorInit, VariableKind};
use a2lint_isa::device::Device;
use a2lint_isa::{DType, Opcode, Position};

#[test]
fn a_loop_without_end_exhausts_the_instructions() {
    // A huge trip count, and a step of 0 that never ends.
    for (count, step) in [(1_i64 << 40, 1), (1, 0)] {
        let mut k = Kernel::new();
        let bounds = [0, count, step].map(|value| k.int(value));
        k.repeat(bounds, |_, _| {});
        let options = Options {
            max_instructions: 10_000,
            ..Options::default()
        };
        let outcome = k.run_with(&options, &mut crate::NullObserver);
        assert_eq!(outcome.end, End::BudgetExhausted(Budget::Instructions));
        assert_eq!(outcome.instructions, 10_001);
    }
}

struct Deadline(u32);

impl Observer for Deadline {
    fn is_expired(&mut self) -> bool {
        self.0 -= 1;
        self.0 == 0
    }
}

#[test]
fn the_caller_decides_about_time() {
    let mut k = Kernel::new();
    k.times(1 << 40, |_, _| {});
    let outcome = k.run_with(&Options::default(), &mut Deadline(3));
    assert_eq!(outcome.end, End::BudgetExhausted(Budget::Time));
    // The deadline is checked after every 256 statements.
    assert_eq!(outcome.instructions, 3 * 256);
}

#[test]
fn cores_that_communicate_need_memory_at_once() {
    let mut k = Kernel::new();
    k.bindings.cores = Some(20);
    let flag = k.int(0);
    k.instr(Opcode::AllCubeReady, [flag.into()]);
    k.instr(Opcode::AllCubeWait, [flag.into()]);
    let options = Options {
        // Less than the memories of 20 cores, which all have to exist at once.
        max_memory: 1 << 20,
        ..Options::default()
    };
    let outcome = k.run_with(&options, &mut crate::NullObserver);
    assert_eq!(outcome.end, End::BudgetExhausted(Budget::Memory));
}

#[test]
fn buffers_that_do_not_fit_are_refused() {
    let mut k = Kernel::new();
    k.buffer("a", DType::Float, [128, 256], Position::L0C, 1);
    k.buffer("b", DType::Float, [16, 16], Position::L0C, 1);
    let End::Refused(refusal) = k.run().end else {
        panic!()
    };
    assert_eq!(refusal.reason, "L0C overflows at b: 132096 bytes of 131072");
}

#[test]
fn a_run_that_executes_nothing_refuses_what_every_run_refuses() {
    for only_looks in [false, true] {
        let mut k = Kernel::new();
        let tile = k.ub("tile", DType::Float, [1, 64]);
        let far = k.slice(&tile, [(0, 1), (i64::MAX, 8)]);
        let zero = k.float(0.0);
        k.instr(Opcode::Dup, [far.into(), zero.into()]);
        let options = Options {
            only_looks,
            ..Options::default()
        };
        let outcome = k.run_with(&options, &mut crate::NullObserver);
        let End::Refused(refusal) = outcome.end else {
            panic!("{:?}", outcome.end)
        };
        assert!(
            refusal.reason.contains("which no memory has"),
            "{refusal:?}"
        );
    }
}

#[test]
fn break_and_continue_leave_blocks() {
    let mut k = Kernel::new();
    let y = k.output("y", DType::Float, &[10]);
    let variable = k.variable("v", DType::Float, VariableKind::Declared);
    let one = k.float(1.0);
    k.assign(variable, one);
    k.times(10, |k, i| {
        let (three, six) = (k.int(3), k.int(6));
        let skip = k
            .program
            .scalars
            .compare(a2lint_ir::CompareOp::Lt, i, three);
        let stop = k.program.scalars.compare(a2lint_ir::CompareOp::Eq, i, six);
        k.when(skip, |k| {
            k.statement(StmtKind::Continue);
        });
        k.when(stop, |k| {
            k.statement(StmtKind::Break);
        });
        let one = k.int(1);
        let to = k.window(y, &[(i, one)]);
        k.instr(
            Opcode::SetValueTo,
            [a2lint_ir::ArgValue::Variable(variable).into(), to.into()],
        );
    });
    let outcome = k.run();
    assert_eq!(outcome.end, End::Finished);
    let memory = &outcome.globals[y.index()];
    let written: Vec<usize> = (0..10)
        .filter(|&at| memory.all_defined(at * 4..at * 4 + 4))
        .collect();
    // `continue` skips 0 to 2, `break` ends the loop at 6.
    assert_eq!(written, [3, 4, 5]);
}

#[test]
fn foreign_branches_are_never_evaluated() {
    let mut k = Kernel::new();
    let y = k.output("y", DType::Int, &[8]);
    let tile = k.ub("tile", DType::Int, [1, 8]);
    let variable = k.variable("v", DType::Int, VariableKind::Declared);
    let five = k.int(5);
    k.instr(Opcode::Dup, [tile.clone().into(), five.into()]);
    let receiver = a2lint_ir::ArgValue::Variable(variable);
    k.instr(Opcode::GetValueFrom, [receiver.into(), tile.clone().into()]);
    let condition = k.value(variable);
    k.when(condition, |k| {
        let to = k.fixed_window(y, &[(0, 8)]);
        k.instr(Opcode::UbToGmPad, [to.into(), tile.into()]);
    });
    let outcome = k.run();
    assert_eq!(outcome.end, End::Finished);
    assert_eq!(outcome.globals[y.index()].get::<i32>(0), 5);
}

fn bind(
    k: &mut Kernel,
    launch: Option<&Launch>,
    bindings: &Bindings,
) -> Result<BoundLaunch, LaunchError> {
    BoundLaunch::bind(
        &k.program,
        launch,
        &[],
        bindings,
        Device::default(),
        1 << 30,
    )
}

fn tensor(shape: &[i64], spelled: &[Option<&str>]) -> LaunchTensor {
    LaunchTensor {
        dtype: Some(DType::Half),
        shape: Some(shape.to_vec()),
        spelled: spelled.iter().map(|name| name.map(str::to_owned)).collect(),
        init: TensorInit::Arange,
    }
}

/// Returns a kernel of one tensor `x[M, 8]` and its extent.
fn sized() -> Kernel {
    let mut k = Kernel::new();
    let x = k.global("x", DType::Float, &[0, 8]);
    k.program.globals[x.index()].dtype = None;
    let m = k.param("M", DType::Int);
    k.program.globals[x.index()].shape[0] = m;
    k
}

#[test]
fn launches_give_shapes_and_types() {
    let launch = Launch {
        kernel: "k".into(),
        tensors: vec![tensor(&[4, 8], &[Some("M"), None])],
        scalars: vec![("M".into(), 4.0)],
        floats: Vec::new(),
        span: None,
        origin: LaunchOrigin::Code,
        place: None,
        block_dim: None,
        seeds_outputs: Some(false),
        passing: Passing::default(),
    };
    let bound = bind(&mut sized(), Some(&launch), &Bindings::default()).unwrap();
    assert_eq!(
        (bound.cores, &bound.globals[0].shape[..]),
        (20, &[4, 8][..])
    );
    assert_eq!(
        (bound.globals[0].dtype, bound.globals[0].bytes),
        (DType::Half, 64)
    );
    assert_eq!(bound.parameters[0].1, Value::Int(4));

    let bindings = Bindings {
        scalars: vec![("M".into(), 6.0)],
        ..Bindings::default()
    };
    let bound = bind(&mut sized(), Some(&launch), &bindings).unwrap();
    assert_eq!(bound.globals[0].shape, [6, 8]);
}

#[test]
fn extents_without_a_name_follow_the_scalar_of_equal_value() {
    let mut k = Kernel::new();
    let x = k.global("x", DType::Half, &[1, 1, 1]);
    k.program.globals[x.index()].shape.clear();
    for name in ["H", "M", "N"] {
        k.param(name, DType::Int);
    }
    let scalars = |values: [f64; 3]| {
        let names = ["H", "M", "N"].map(str::to_owned);
        names.into_iter().zip(values).collect::<Vec<_>>()
    };
    let launch = Launch {
        kernel: "k".into(),
        tensors: vec![tensor(&[1, 128, 128], &[None, None, None])],
        scalars: scalars([1.0, 128.0, 128.0]),
        floats: Vec::new(),
        span: None,
        origin: LaunchOrigin::Code,
        place: None,
        block_dim: None,
        seeds_outputs: Some(false),
        passing: Passing::default(),
    };
    let bindings = Bindings {
        scalars: scalars([2.0, 256.0, 128.0]),
        ..Bindings::default()
    };
    let bound = bind(&mut k, Some(&launch), &bindings).unwrap();
    // An extent of 1 follows no scalar; of two scalars with the same value, the first axis takes the first.
    assert_eq!(bound.globals[0].shape, [1, 256, 128]);
}

#[test]
fn a_launch_of_scalars_takes_its_tensors_from_another() {
    let launch = |tensors, m| Launch {
        kernel: "k".into(),
        tensors,
        scalars: vec![("M".into(), m)],
        floats: Vec::new(),
        span: None,
        origin: LaunchOrigin::Code,
        place: None,
        block_dim: None,
        seeds_outputs: Some(false),
        passing: Passing::default(),
    };
    for spelled in [Some("M"), None] {
        let file = [launch(vec![tensor(&[4, 8], &[spelled, None])], 4.0)];
        let comment = launch(Vec::new(), 65.0);
        let k = sized();
        let none = Bindings::default();
        let device = Device::default();
        let bound = BoundLaunch::bind(&k.program, Some(&comment), &file, &none, device, 1 << 30);
        let bound = bound.unwrap();
        assert_eq!(
            (&bound.globals[0].shape[..], bound.globals[0].dtype),
            (&[65, 8][..], DType::Half)
        );
    }
}

#[test]
fn impossible_launches_say_why() {
    let m = |value| vec![("M".to_owned(), value)];
    let float = vec![("x".to_owned(), DType::Float)];
    let case = |bindings: Bindings| bind(&mut sized(), None, &bindings).unwrap_err().to_string();
    assert_eq!(
        case(Bindings::default()),
        "the scalar parameter `M` has no value: bind it with M=…"
    );
    assert_eq!(
        case(Bindings {
            scalars: m(4.0),
            ..Bindings::default()
        }),
        "the element type of `x` is not known: `run` takes it as `--dtype x=half`, a launch comment as \
         `x=half[ROWS, COLUMNS]`"
    );
    assert_eq!(
        case(Bindings {
            scalars: m(-4.0),
            dtypes: float.clone(),
            ..Bindings::default()
        }),
        "axis 0 of `x` is negative: -4"
    );
    assert_eq!(
        case(Bindings {
            scalars: m(4.0),
            dtypes: float.clone(),
            shapes: vec![("x".into(), vec![4, 8, 2])],
            ..Bindings::default()
        }),
        "`x` has 3 dimensions and the kernel uses 2"
    );
    assert_eq!(
        case(Bindings {
            scalars: m(4.0),
            dtypes: float.clone(),
            shapes: vec![("x".into(), vec![5, 8])],
            ..Bindings::default()
        }),
        "axis 0 of `x` is 5 and the scalars make it 4"
    );
    assert_eq!(
        case(Bindings {
            scalars: m(2e9),
            dtypes: float.clone(),
            ..Bindings::default()
        }),
        "the tensors up to `x` take 64000000000 bytes; the limit is 1073741824"
    );
    assert_eq!(
        case(Bindings {
            scalars: m(3.2e9),
            dtypes: float,
            ..Bindings::default()
        }),
        "the scalar parameter `M` is 3200000000, and int holds -2147483648 to 2147483647"
    );
    let none = Bindings {
        cores: Some(0),
        ..Bindings::default()
    };
    assert_eq!(case(none), "a launch needs at least one core");
}

#[test]
fn absurd_extents_are_refused_or_reported() {
    let absurd = [i64::MIN, -1, 0, 1 << 20, (1 << 36) + 1, i64::MAX];
    for &start in &absurd {
        for &span in &absurd {
            for opcode in [Opcode::GmToUbPad, Opcode::GmToL1Nz, Opcode::GmToL1] {
                let mut k = Kernel::new();
                let x = k.global("x", DType::Int64, &[4, 4]);
                let position = if opcode == Opcode::GmToUbPad {
                    Position::Ub
                } else {
                    Position::L1
                };
                let buffer = k.buffer("b", DType::Int64, [4, 4], position, 1);
                let whole = k.whole(buffer);
                let local = k.slice(&whole, [(start, span), (start, span)]);
                let window = k.fixed_window(x, &[(start, span), (start, span)]);
                let numbers: Vec<_> = [span, start].map(|value| k.int(value)).to_vec();
                k.instr(opcode, [whole.clone().into(), window.clone().into()]);
                if opcode != Opcode::GmToL1 {
                    let args = [whole.into(), window.clone().into()];
                    let numbers = numbers.iter().cycle().take(4).map(|&id| id.into());
                    k.instr(opcode, args.into_iter().chain(numbers));
                }
                k.instr(opcode, [local.into(), window.into()]);
                let outcome = k.run();
                assert!(matches!(outcome.end, End::Finished | End::Refused(_)));
            }
        }
    }
}

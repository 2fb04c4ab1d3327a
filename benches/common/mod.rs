//! Kernels and launches that several benchmarks share.

use a2lint::device::Device;
use a2lint::frontend::dsl::trace;
use a2lint::ir::{Launch, Program};
use a2lint::isa::DType;
use a2lint::machine::{
    Bindings, BoundLaunch, Contents, End, Observer, Options, generate, simulate,
};
use a2lint::text::SourceText;

/// A kernel and the launch that is timed.
pub struct Subject {
    /// The kernel.
    pub program: Program,
    /// The bound launch.
    pub launch: BoundLaunch,
}

/// A tensor argument: name, element type, shape.
pub type Tensor = (&'static str, DType, &'static [i64]);

impl Subject {
    /// Creates a subject from a source text. Tensors are filled with random values.
    pub fn new(source: &str, cores: u32, scalars: &[(&str, f64)], tensors: &[Tensor]) -> Subject {
        let program = program(source);
        let named = scalars
            .iter()
            .map(|&(name, value)| (name.to_owned(), value));
        let shapes = tensors
            .iter()
            .map(|&(name, _, shape)| (name.to_owned(), shape.to_vec()));
        let dtypes = tensors
            .iter()
            .map(|&(name, dtype, _)| (name.to_owned(), dtype));
        let bindings = Bindings {
            floats: Vec::new(),
            scalars: named.collect(),
            shapes: shapes.collect(),
            dtypes: dtypes.collect(),
            contents: Vec::new(),
            cores: Some(cores),
        };
        let launch = BoundLaunch::bind(&program, None, &[], &bindings, Device::default(), 1 << 30);
        let mut launch = launch.expect("the launch is possible");
        // Random values are drawn here once, so that they are no part of the timed runs.
        for global in &mut launch.globals {
            if let Contents::Generated(init, stream) = global.contents {
                let elements = global.shape.iter().product::<i64>() as usize;
                let bytes = generate(init, stream, global.dtype, elements);
                global.contents = Contents::Bytes(bytes.into());
            }
        }
        Subject { program, launch }
    }

    /// Creates a subject from the first kernel and launch of a file, on one core.
    pub fn of_file(source: &str) -> Subject {
        let mut module = trace(&SourceText::new(source));
        let program = module.programs.pop().expect("the file has one kernel");
        let launches = module.launches.iter();
        let is_empty = |launch: &&Launch| {
            let shapes = launch
                .tensors
                .iter()
                .filter_map(|tensor| tensor.shape.as_ref());
            shapes.flatten().any(|&extent| extent == 0)
        };
        let launch = launches.clone().find(|launch| !is_empty(launch));
        let bindings = Bindings {
            cores: Some(1),
            ..Bindings::default()
        };
        let device = Device::default();
        let bound = BoundLaunch::bind(
            &program,
            launch,
            &module.launches,
            &bindings,
            device,
            1 << 30,
        );
        Subject {
            program,
            launch: bound.expect("the launch is possible"),
        }
    }

    /// Runs the kernel, which must have no findings.
    pub fn run(&self, observer: &mut dyn Observer) -> End {
        self.run_with(&Options::default(), observer)
    }

    /// As [`run`](Self::run), with other options.
    pub fn run_with(&self, options: &Options, observer: &mut dyn Observer) -> End {
        let outcome = simulate(&self.program, &self.launch, options, observer);
        assert!(outcome.findings.is_empty() && outcome.faithful);
        outcome.end
    }
}

pub fn program(source: &str) -> Program {
    let mut module = trace(&SourceText::new(source));
    module.programs.pop().expect("the file has one kernel")
}

/// Returns the kernel `c[4096, 64] = a[4096, 128] · b[64, 128]ᵀ` on 20 cores.
pub fn half_matmul() -> Subject {
    Subject::new(
        include_str!("../kernels/half_matmul.py"),
        20,
        &[("M", 4096.0)],
        &[
            ("a", DType::Half, &[4096, 128]),
            ("b", DType::Half, &[64, 128]),
            ("c", DType::Float, &[4096, 64]),
        ],
    )
}

/// A kernel of 285 lines.
pub const FLASH_ATTENTION: &str = include_str!("../../tests/kernels/flash_attention.py");
/// A kernel of 123 lines.
pub const LAYER_NORM: &str = include_str!("../../tests/kernels/layer_norm.py");

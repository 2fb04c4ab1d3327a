//! Options of `run`.

use std::path::PathBuf;

use crate::cli::args::DeviceArg;
use a2lint_isa::DType;
use a2lint_launches::Invented;
use a2lint_machine::LaneKind;
use a2lint_run::spec::{self, DumpSpec, InputSpec, Iteration, Occasion, Subject};
use a2lint_run::{Arguments, Limits, Which};

/// Options of `run`.
#[derive(Debug, clap::Args)]
pub struct RunArgs {
    /// A kernel, or statements of one.
    ///
    /// With lines, the kernel runs up to these statements and shows the operands of each before
    /// and after its first execution. A file with several kernels runs the one that it launches
    /// first.
    #[arg(value_name = "FILE[::KERNEL] | FILE:LINE[-LINE]")]
    pub target: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub inputs: InputArgs,
    /// Write a tensor or a workspace to a .npy file, or into a .npz archive, after the run.
    #[arg(long, value_name = "NAME=PATH", value_parser = spec::file, help_heading = "Output")]
    pub output: Vec<(String, PathBuf)>,
    /// Compare a tensor, or a value after a statement, with a .npy file or an array of a .npz archive.
    ///
    /// A difference fails the run. Integers have to be equal. Floats agree when |actual - expected| <=
    /// atol + rtol * |expected|; NaN agrees with NaN.
    #[arg(
        long, value_name = "NAME[@[FILE:]LINE[:ITER]]=PATH", value_parser = spec::expectation,
        help_heading = "Comparison"
    )]
    pub expect: Vec<(Subject, PathBuf)>,
    /// Compare what the kernel computes without rounding, with a reference in float64.
    ///
    /// Beside every float the run follows its exact value. A difference is then one of the algorithm: a wrong constant,
    /// a missing rescale, the wrong row. Compute the reference from the same inputs: `x.astype(float16)` for a half
    /// tensor, `float32(0.1)` for a constant of the kernel. Masks and indices are those of the run.
    #[arg(long, requires = "expect", help_heading = "Comparison")]
    pub exact: bool,
    /// Relative tolerance of --expect [default: half 1e-3, bfloat16 1e-2, float 1e-4, integers 0; 1e-9 with --exact].
    #[arg(long, value_name = "R", value_parser = spec::tolerance, help_heading = "Comparison")]
    pub rtol: Option<f64>,
    /// Absolute tolerance of --expect [default: half 1e-3, bfloat16 1e-2, float 1e-5, integers 0; 1e-12 of the
    /// largest expected value with --exact].
    #[arg(long, value_name = "A", value_parser = spec::tolerance, help_heading = "Comparison")]
    pub atol: Option<f64>,
    /// Show the values of a tensor or variable after a statement.
    ///
    /// VAR is a name, or NAME[SLOT] for one slot of a buffer; where the statement uses the tensor,
    /// the part that it uses is shown. LINE is the line of the statement (FILE:LINE in a header) and ITER which of its
    /// executions, from 0 [default: 0], on the first lane that gets there.
    #[arg(long, value_name = "VAR@[FILE:]LINE[:ITER]", value_parser = spec::dump, help_heading = "Watching")]
    pub dump: Vec<DumpSpec>,
    /// Write the values of a --dump to a .npy file; the first file takes the first --dump, and so on.
    #[arg(long, value_name = "FILE", help_heading = "Watching")]
    pub output_dump: Vec<PathBuf>,
    /// Write what every pipe does when to a file of Chrome trace events, which Perfetto opens.
    ///
    /// The times are those of the cost model.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub timeline: Option<PathBuf>,
    /// Estimate the time as if a tensor was loaded past L2, which the operator's code may ask for.
    #[arg(long, value_name = "NAME", help_heading = "Launch")]
    pub bypass_l2: Vec<String>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub occasion: OccasionArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub limits: LimitArgs,
    /// Show one JSON object.
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// Options that say what a kernel is launched with.
#[derive(Debug, clap::Args)]
pub struct InputArgs {
    /// Value of a scalar parameter or a symbolic extent.
    #[arg(long, value_name = "NAME=VALUE", value_parser = spec::binding, help_heading = "Launch")]
    pub bind: Vec<(String, f64)>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub given: GivenArgs,
}

/// What a kernel is launched with beside its scalars.
#[derive(Debug, clap::Args)]
pub struct GivenArgs {
    /// Contents of a tensor: FILE.npy, FILE.npz, zeros, ones, arange, randn:SEED, uniform:SEED or full:VALUE.
    ///
    /// Of a .npz archive the array of this name is taken. A file has to agree with the launch; without one it gives
    /// shape and type.
    #[arg(long, value_name = "NAME=SPEC", value_parser = spec::input, help_heading = "Launch")]
    pub input: Vec<(String, InputSpec)>,
    /// Element type of a tensor; the values of a file are converted.
    #[arg(long, value_name = "NAME=TYPE", value_parser = spec::dtype, help_heading = "Launch")]
    pub dtype: Vec<(String, DType)>,
    /// Shape of a tensor.
    #[arg(long, value_name = "NAME=M,K", value_parser = spec::shape, help_heading = "Launch")]
    pub shape: Vec<(String, Vec<i64>)>,
    /// The launch that gives the rest: its number among the file's launches of the kernel, `all`, or
    /// `none` [default: the first that has something to work on].
    ///
    /// With `all`, the launches of the file run in its order, and what one computes goes into those
    /// that are given it.
    #[arg(long, value_name = "N|all|none", value_parser = spec::launch, help_heading = "Launch")]
    pub launch: Option<Which>,
    /// Number of cores that the kernel is launched on, its block_dim [default: those of the device].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024), help_heading = "Launch")]
    pub cores: Option<u32>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub device: DeviceArg,
}

/// Options that choose an execution of the statements of a snippet, or of a dump.
#[derive(Debug, clap::Args)]
pub struct OccasionArgs {
    /// With lines or --dump: watch this iteration of the loops around, from 0, outermost first.
    #[arg(long, value_name = "I,J", value_parser = spec::iteration, help_heading = "Watching")]
    pub iteration: Option<Iteration>,
    /// With lines or --dump: watch this core.
    #[arg(long, value_name = "CORE", help_heading = "Watching")]
    pub core: Option<u32>,
    /// With lines or --dump: watch this lane of every core.
    #[arg(long, value_enum, value_name = "LANE", help_heading = "Watching")]
    pub lane: Option<LaneName>,
}

impl InputArgs {
    /// Returns the launch arguments of the options.
    pub fn arguments(&self) -> Arguments {
        self.given.arguments(self.bind.clone())
    }
}

impl GivenArgs {
    /// Returns the launch arguments of the options, together with these scalars.
    pub fn arguments(&self, scalars: Vec<(String, f64)>) -> Arguments {
        Arguments {
            scalars,
            floats: Vec::new(),
            contents: self.input.clone(),
            dtypes: self.dtype.clone(),
            shapes: self.shape.clone(),
            cores: self.cores,
            device: self.device.device,
            launch: self.launch.unwrap_or_default(),
            sizes: Invented::Natural,
        }
    }
}

impl OccasionArgs {
    /// Returns the executions that are observed.
    pub fn occasion(&self) -> Occasion {
        Occasion {
            iteration: self.iteration.clone(),
            core: self.core,
            lane: self.lane.map(LaneName::kind),
        }
    }
}

impl LimitArgs {
    /// Returns the limits on a run.
    pub fn limits(self) -> Limits {
        Limits {
            instructions: self.max_instructions,
            seconds: self.max_seconds,
            memory: self.max_memory,
        }
    }
}

/// Lanes of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LaneName {
    /// The cube lane.
    Cube,
    /// The first vec lane.
    Vec0,
    /// The second vec lane.
    Vec1,
}

impl LaneName {
    fn kind(self) -> LaneKind {
        match self {
            LaneName::Cube => LaneKind::Cube,
            LaneName::Vec0 => LaneKind::Vec(0),
            LaneName::Vec1 => LaneKind::Vec(1),
        }
    }
}

/// Options that bound a run.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct LimitArgs {
    /// Most instructions that all lanes together execute.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 50_000_000,
        help_heading = "Limits"
    )]
    pub max_instructions: u64,
    /// Most seconds that a run takes.
    #[arg(long, value_name = "S", default_value = "60", value_parser = spec::seconds, help_heading = "Limits")]
    pub max_seconds: f64,
    /// Most bytes of global tensors, and of on-chip memories (K, M and G are understood).
    #[arg(long, value_name = "BYTES", default_value = "2G", value_parser = spec::bytes, help_heading = "Limits")]
    pub max_memory: u64,
}
